"""The saved volume: ``volume.json``, the lasting record of a book's puzzles."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field

from linkpress.book.puzzle_record import PuzzleRecord, puzzle_json
from linkpress.book.spec import BookSpec

VOLUME_FILE = "volume.json"
FORMAT = "linkpress-volume"
FORMAT_VERSION = 1


@dataclass(frozen=True, slots=True)
class NumberedPuzzle:
    """A puzzle with the number that is printed at it, 1… through the book."""

    number: int
    record: PuzzleRecord


@dataclass(frozen=True, slots=True)
class Volume:
    """A book's puzzles in printed order, and the spec to typeset them by.

    Args:
        title: the book's.
        seed: the book's.
        linkpress_version: that made the puzzles.
        spec_sha256: of the spec file that they were made from.
        puzzles: in printed order; the first is number 1.
        spec: every key of the book, as it was.
    """

    title: str
    seed: int | str
    linkpress_version: str
    spec_sha256: str
    puzzles: tuple[PuzzleRecord, ...]
    spec: BookSpec = field(repr=False)

    @property
    def numbered(self) -> tuple[NumberedPuzzle, ...]:
        """The puzzles with their numbers."""
        return tuple(NumberedPuzzle(number, one) for number, one in enumerate(self.puzzles, start=1))

    def level(self, name: str) -> tuple[PuzzleRecord, ...]:
        """A level's puzzles in printed order."""
        return tuple(puzzle for puzzle in self.puzzles if puzzle.level == name)


def printed_order(spec: BookSpec, puzzles: Iterable[PuzzleRecord]) -> tuple[PuzzleRecord, ...]:
    """A book's puzzles as they are printed: levels in the spec's order, within one the difficulty rises."""
    places = {level.name: place for place, level in enumerate(spec.levels)}
    return tuple(sorted(puzzles, key=lambda one: (places[one.level], *_difficulty(one))))


def assemble(spec: BookSpec, puzzles: Iterable[PuzzleRecord], version: str) -> Volume:
    """Put a book's puzzles in printed order.

    Args:
        spec: the book.
        puzzles: one a slot.
        version: of linkpress.
    """
    return volume_of(spec, printed_order(spec, puzzles), version)


def volume_of(spec: BookSpec, printed: tuple[PuzzleRecord, ...], version: str) -> Volume:
    """The volume of puzzles that are in printed order."""
    return Volume(spec.title, spec.seed, version, spec.sha256, printed, spec)


def _difficulty(one: PuzzleRecord) -> tuple[float, ...]:
    """By grade and score; those without a grade last, by size, then fewer pairs per free square."""
    grid = one.puzzle.grid
    pairs_per_free = len(one.puzzle.pairs) / len(grid.free_cells)
    return (one.grade is None, one.grade or 0, one.score or 0, grid.size, -pairs_per_free, one.index)


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
        "puzzles": [{"number": one.number, **puzzle_json(one.record)} for one in volume.numbered],
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"
