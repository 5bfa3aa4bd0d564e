"""Levels whose boards come from a file: ``from: puzzles.txt``."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from linkpress.book.recipe_values import MAX_SIZES, BoardSize
from linkpress.config.problem import KeyPath, Problem
from linkpress.config.yaml_source import YamlSource
from linkpress.errors import PuzzleError
from linkpress.files import read_within
from linkpress.puzzle.notation.reading import decode, read_located_puzzles
from linkpress.puzzle.puzzle import Puzzle

GIVEN_KEY = "from"
MAX_BYTES = 16 << 20  # 5,000 boards of 40 × 40


@dataclass(frozen=True, slots=True)
class GivenBoard:
    """A board of a file.

    Args:
        puzzle: as it stands there.
        line: on which its record begins, counted from 1.
    """

    puzzle: Puzzle
    line: int


Boards = Mapping[int, tuple[GivenBoard, ...]]  # by the level's place, from 0


def take_boards(source: YamlSource, folder: Path) -> tuple[YamlSource, Boards, list[Problem]]:
    """Read the boards that a spec's levels name, as many as each level counts.

    Args:
        source: the spec's document.
        folder: that relative names start from.
    Returns:
        The document with those levels' sizes filled in, the boards by level, and the faults.
    """
    levels = source.value.get("levels")
    boards: dict[int, tuple[GivenBoard, ...]] = {}
    problems: list[Problem] = []
    filled = []
    for at, level in enumerate(levels if isinstance(levels, list) else ()):
        if isinstance(level, dict) and isinstance(level.get(GIVEN_KEY), str):
            level = _fill(source, at, level, folder, boards, problems)
        filled.append(level)
    if not boards and not problems:
        return source, {}, []
    return dataclasses.replace(source, value={**source.value, "levels": filled}), boards, problems


def _fill(
    source: YamlSource,
    at: int,
    level: dict[str, Any],
    folder: Path,
    boards: dict[int, tuple[GivenBoard, ...]],
    problems: list[Problem],
) -> dict[str, Any]:
    path: KeyPath = ("levels", at)
    name = level[GIVEN_KEY]
    if "size" in level:
        problems.append(
            source.problem((*path, "size"), "", "the boards of `from` have their sizes; leave it out")
        )
        return level
    # A level whose boards can't be had is judged as if it made small ones, for its other faults.
    level = {**level, "size": "7"}
    try:
        found = _read(folder / name)
    except (OSError, PuzzleError) as fault:
        reason = getattr(fault, "strerror", None) or str(fault)
        problems.append(source.problem((*path, GIVEN_KEY), name, f"it can't be read: {reason}"))
        return level
    count = level.get("count")
    wanted = int(count) if isinstance(count, str) and count.isascii() and count.isdigit() else len(found)
    if wanted > len(found):
        problems.append(source.problem((*path, "count"), str(wanted), f"{name} holds {len(found)} puzzles"))
        return level
    taken = tuple(found[:wanted])
    sizes = sorted({(one.puzzle.grid.rows, one.puzzle.grid.cols) for one in taken})
    if len(sizes) > MAX_SIZES:
        message = f"its boards have {len(sizes)} sizes; at most {MAX_SIZES} in a level"
        problems.append(source.problem((*path, GIVEN_KEY), name, message))
        return level
    boards[at] = taken
    return {**level, "size": [str(BoardSize(*size)) for size in sizes]}


def _read(path: Path) -> list[GivenBoard]:
    if path.exists() and not path.is_file():
        raise PuzzleError("it is not a file")
    content = decode(read_within(path, MAX_BYTES))
    found = [GivenBoard(puzzle, line) for line, puzzle in read_located_puzzles(content)]
    if not found:
        raise PuzzleError("it holds no puzzle; link text is a line `W H`, then H rows of W squares")
    return found
