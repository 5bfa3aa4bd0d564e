"""The saved volume: ``volume.json``, the lasting record of a book's puzzles."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from linkpress.book.produced import Produced
from linkpress.book.spec import BookSpec
from linkpress.engine.recipe import Grade, Method, Rule
from linkpress.puzzle.notation.link_text import board_rows, solution_rows
from linkpress.puzzle.puzzle import Puzzle, Solution

FORMAT = "linkpress-volume"
FORMAT_VERSION = 1


@dataclass(frozen=True, slots=True)
class VolumePuzzle:
    """A printed puzzle.

    Args:
        number: as printed, 1… through the book.
        level: the level's name.
        solution: the only one, and with it the puzzle.
        rule: under which the solution is the only one.
        fingerprint: the same under symmetry and renumbering.
        grade: None where the ladder of techniques does not finish the board.
        score: difficulty within the grade; None without one.
        techniques: how often each technique was needed.
        proof: what the proof rests on, as ``sat``.
        seed: the whole of the puzzle's randomness: book seed/level/index/attempt.
        index: the slot's index in its level, 1….
        attempt: which of the slot's attempts it is, 0….
        method: how its cover was made; None for a board from a file.
    """

    number: int
    level: str
    solution: Solution
    rule: Rule
    fingerprint: str
    grade: Grade | None
    score: int | None
    techniques: Mapping[str, int]
    proof: str
    seed: str
    index: int
    attempt: int
    method: Method | None

    @property
    def puzzle(self) -> Puzzle:
        """The board as printed."""
        return self.solution.puzzle


@dataclass(frozen=True, slots=True)
class Volume:
    """A book's puzzles in printed order, and the spec to typeset them by.

    Args:
        title: the book's.
        seed: the book's.
        linkpress_version: that made the puzzles.
        spec_sha256: of the spec file that they were made from.
        puzzles: by number.
        spec: every key of the book, as it was.
    """

    title: str
    seed: int | str
    linkpress_version: str
    spec_sha256: str
    puzzles: tuple[VolumePuzzle, ...]
    spec: BookSpec = field(repr=False)

    def level(self, name: str) -> tuple[VolumePuzzle, ...]:
        """A level's puzzles in printed order."""
        return tuple(puzzle for puzzle in self.puzzles if puzzle.level == name)


def printed_order(spec: BookSpec, produced: Sequence[Produced]) -> dict[int, Produced]:
    """The puzzles by their printed numbers, 1….

    Args:
        spec: the book.
        produced: one a slot, as ``produce`` returns them.
    Returns:
        Levels in the spec's order; within one the difficulty rises.
    """
    ordered: list[Produced] = []
    for level in spec.levels:
        ordered += sorted((one for one in produced if one.slot.level == level.name), key=_difficulty)
    return dict(enumerate(ordered, start=1))


def assemble(
    spec: BookSpec,
    produced: Sequence[Produced],
    version: str,
    replacements: Mapping[int, Produced] = MappingProxyType({}),
) -> Volume:
    """Put a book's puzzles in printed order and number them.

    Args:
        spec: the book.
        produced: one a slot, as ``produce`` returns them.
        version: of linkpress.
        replacements: puzzles that stand for others, by the printed number of those; they take
            their places, so that no other puzzle moves.
    """
    printed = {**printed_order(spec, produced), **replacements}
    puzzles = tuple(_volume_puzzle(number, one) for number, one in printed.items())
    return Volume(spec.title, spec.seed, version, spec.sha256, puzzles, spec)


def _difficulty(one: Produced) -> tuple[float, ...]:
    """By grade and score; those without a grade last, by size, then fewer pairs per free square."""
    grid = one.puzzle.grid
    pairs_per_free = len(one.puzzle.pairs) / len(grid.free_cells)
    return (
        one.grade is None,
        one.grade or 0,
        one.score or 0,
        grid.size,
        -pairs_per_free,
        one.slot.index,
    )


def _volume_puzzle(number: int, one: Produced) -> VolumePuzzle:
    return VolumePuzzle(
        number=number,
        level=one.slot.level,
        solution=one.solution,
        rule=one.rule,
        fingerprint=one.fingerprint,
        grade=one.grade,
        score=one.score,
        techniques=one.techniques,
        proof=one.proof,
        seed=one.slot.seed_of(one.attempt),
        index=one.slot.index,
        attempt=one.attempt,
        method=None if one.slot.given else one.slot.method,
    )


def volume_json(volume: Volume) -> str:
    """A volume as the text of ``volume.json``: the same volume gives the same text."""
    content = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "title": volume.title,
        "seed": volume.seed,
        "linkpress_version": volume.linkpress_version,
        "spec_sha256": volume.spec_sha256,
        "book": volume.spec.document(),
        "puzzles": [_puzzle_record(puzzle) for puzzle in volume.puzzles],
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def _puzzle_record(puzzle: VolumePuzzle) -> dict[str, Any]:
    grid = puzzle.puzzle.grid
    return {
        "number": puzzle.number,
        "level": puzzle.level,
        "width": grid.cols,
        "height": grid.rows,
        "pairs": len(puzzle.puzzle.pairs),
        "solids": len(grid.solids),
        "rule": puzzle.rule.value,
        "proof": puzzle.proof,
        "grade": puzzle.grade.label if puzzle.grade else None,
        "score": puzzle.score,
        "techniques": dict(sorted(puzzle.techniques.items())),
        "board": list(board_rows(puzzle.puzzle)),
        "solution": list(solution_rows(puzzle.solution)),
        "fingerprint": puzzle.fingerprint,
        "seed": puzzle.seed,
        "slot": puzzle.index,
        "attempt": puzzle.attempt,
        "method": puzzle.method.value if puzzle.method else None,
    }
