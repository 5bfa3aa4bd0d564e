"""Reads the boards of levels that have a file of them: ``from: puzzles.txt``, or a book's ``volume.json``."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from linkpress.book.recipe_values import MAX_SIZES, BoardSize
from linkpress.documents.json_text import parse_json
from linkpress.documents.problem import InvalidError, Problem, YamlSource
from linkpress.errors import PuzzleError
from linkpress.files import read_within
from linkpress.puzzle.notation.link_text import parse_board_rows
from linkpress.puzzle.notation.reading import decode, read_located_puzzles
from linkpress.puzzle.puzzle import Puzzle

FILE_KEY = "from"
_LEVEL_KEY = "from_level"
MAX_BYTES = 16 << 20  # 5,000 boards of 40 × 40
_MAX_VOLUME_BYTES = 256 << 20  # as many, with their answers and grades
_NO_VOLUME = "it is JSON, but not the volume.json of a book"


class FileBoard(NamedTuple):
    """A board of a file.

    Args:
        line: the line, counted from 1, on which its record begins.
    """

    puzzle: Puzzle
    line: int


Boards = Mapping[int, tuple[FileBoard, ...]]  # by the level's place, from 0


def take_boards(source: YamlSource, folder: Path) -> tuple[YamlSource, Boards, list[Problem]]:
    """Read the boards that a spec's levels name, as many as each level counts.

    Args:
        folder: the folder that relative names start from.
    Returns:
        The document with the sizes of those levels filled in, the boards by level, and the problems.
    """
    levels = source.value.get("levels")
    boards: dict[int, tuple[FileBoard, ...]] = {}
    problems: list[Problem] = []
    filled = []
    for place, level in enumerate(levels if isinstance(levels, list) else ()):
        if isinstance(level, dict) and isinstance(level.get(FILE_KEY), str):
            try:
                boards[place] = _boards_of(level, folder)
                level = {**level, "size": [str(size) for size in _sizes(boards[place])]}
            except InvalidError as fault:
                problems += [
                    source.problem(("levels", place, *problem.key), problem.found, problem.message)
                    for problem in fault.problems
                ]
                # For its other faults the level is judged as if it made small boards.
                level = {"size": "7", **level}
        filled.append(level)
    if not boards and not problems:
        return source, {}, []
    return dataclasses.replace(source, value={**source.value, "levels": filled}), boards, problems


def _boards_of(level: Mapping[str, Any], folder: Path) -> tuple[FileBoard, ...]:
    name, count, from_level = level[FILE_KEY], level.get("count"), level.get(_LEVEL_KEY)
    if "size" in level:
        raise _fault("size", "", "the boards of `from` have their sizes; leave it out")
    try:
        found = _read(folder / name, from_level if isinstance(from_level, str) else None)
    except (OSError, PuzzleError) as fault:
        reason = getattr(fault, "strerror", None) or str(fault)
        raise _fault(FILE_KEY, name, f"it can't be read: {reason}") from None
    wanted = int(count) if isinstance(count, str) and count.isascii() and count.isdigit() else len(found)
    if wanted > len(found):
        where = f" of level {from_level}" if from_level else ""
        raise _fault("count", str(wanted), f"{name} holds {len(found)} puzzles{where}")
    boards = tuple(found[:wanted])
    if len(_sizes(boards)) > MAX_SIZES:
        message = f"its boards have {len(_sizes(boards))} sizes; at most {MAX_SIZES} in a level"
        raise _fault(FILE_KEY, name, message)
    return boards


def _fault(key: str, found: str, message: str) -> InvalidError:
    return InvalidError(Problem(found, message, (key,)))


def _sizes(boards: Iterable[FileBoard]) -> list[BoardSize]:
    grids = {(board.puzzle.grid.rows, board.puzzle.grid.cols) for board in boards}
    return [BoardSize(*size) for size in sorted(grids)]


def _read(path: Path, level: str | None) -> list[FileBoard]:
    if path.exists() and not path.is_file():
        raise PuzzleError("it is not a file")
    if path.suffix.lower() == ".json":
        return _of_volume(read_within(path, _MAX_VOLUME_BYTES), level)
    if level is not None:
        raise _fault(_LEVEL_KEY, level, "only a volume.json has levels; leave it out")
    content = decode(read_within(path, MAX_BYTES))
    found = [FileBoard(puzzle, line) for line, puzzle in read_located_puzzles(content)]
    if not found:
        raise PuzzleError("it holds no puzzle; link text is a line `W H`, then H rows of W squares")
    return found


def _of_volume(content: bytes, level: str | None) -> list[FileBoard]:
    """Read a book's boards in their printed order; its answers, proofs and grades are not taken over."""
    try:
        volume = parse_json(content)
        boards = [(puzzle["board"], puzzle["level"]) for puzzle in volume["puzzles"]]
    except ValueError as fault:
        raise PuzzleError(f"it is not JSON: {fault}") from None
    except (TypeError, KeyError):
        raise PuzzleError(_NO_VOLUME) from None
    # A quotation mark inside a text is written \", so that these are keys.
    lines = [content.count(b"\n", 0, key.start()) + 1 for key in re.finditer(rb'"board"\s*:', content)]
    if not boards or len(lines) != len(boards):
        raise PuzzleError(_NO_VOLUME)
    names = dict.fromkeys(str(name) for _, name in boards)
    if level is not None and level not in names:
        raise _fault(_LEVEL_KEY, level, f"there is no such level in it; its levels: {', '.join(names)}")
    found = []
    for number, ((rows, name), line) in enumerate(zip(boards, lines, strict=True), start=1):
        if level not in (None, name):
            continue
        if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
            raise PuzzleError(_NO_VOLUME)
        try:
            found.append(FileBoard(parse_board_rows(rows), line))
        except PuzzleError as fault:
            raise PuzzleError(f"puzzle {number}: {fault}") from None
    return found
