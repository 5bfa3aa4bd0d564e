"""What a cover says and shows: the spec, and what the volume adds to it."""

from __future__ import annotations

from dataclasses import dataclass

from linkpress.book.printing_keys import CoverSpec
from linkpress.book.spec import BookSpec
from linkpress.book.volume import Volume
from linkpress.layout.boards.ornaments import worked_example
from linkpress.layout.frame import MM
from linkpress.layout.wording import Words, words_of
from linkpress.puzzle.puzzle import Solution


@dataclass(frozen=True)
class CoverOrder:
    """One cover to be made.

    Args:
        spec: of the book.
        promise: one sentence on what was proven.
        pictures: answers of the puzzles that the front may show, the first that is easily read before
            all others; only one where the spec names it.
        example: shown where the numbers of all those would be too small to print.
        pages: of the interior.
    """

    spec: BookSpec
    promise: str
    pictures: tuple[Solution, ...]
    example: Solution
    pages: int

    @property
    def keys(self) -> CoverSpec:
        """The spec's keys of the cover."""
        return self.spec.cover or CoverSpec()

    @property
    def words(self) -> Words:
        """Of the book's language."""
        return words_of(self.spec.language)

    @property
    def spine_pt(self) -> float | None:
        """The spine's width; None for what pages and paper give."""
        return self.keys.spine_mm * MM if self.keys.spine_mm else None


def order_cover(volume: Volume, pages: int) -> CoverOrder:
    """The cover that a volume's spec asks for.

    Args:
        volume: finished.
        pages: of its interior, blank ones included.
    """
    spec = volume.spec
    asked = spec.cover.puzzle if spec.cover else None
    shown = volume.puzzles if asked is None else volume.puzzles[asked - 1 : asked]
    has_solids = any(puzzle.puzzle.grid.solids for puzzle in volume.puzzles)
    return CoverOrder(
        spec=spec,
        promise=words_of(spec.language).promise(puzzle.rule for puzzle in volume.puzzles),
        pictures=tuple(puzzle.solution for puzzle in shown),
        example=worked_example(has_solids),
        pages=pages,
    )
