"""What a cover says and shows, taken from volume and spec."""

from __future__ import annotations

from dataclasses import dataclass

from linkpress.book.spec import BookSpec
from linkpress.book.volume import Volume
from linkpress.config.lengths import Size
from linkpress.layout.boards.ornaments import worked_example
from linkpress.layout.frame import MM
from linkpress.layout.text.wording import Words, words_of
from linkpress.puzzle.puzzle import Solution


@dataclass(frozen=True)
class CoverOrder:
    """One cover to be made.

    Args:
        spec: for title, subtitle, author, publisher, volume, ISBN.
        words: of the book's language.
        blurb: for the back; None for what the book itself can say.
        promise: one sentence on what was proven.
        levels: names and numbers of puzzles, in order.
        pictures: answers of the puzzles that the front may show, the first that is easily read before
            all others.
        example: shown where the numbers of all those would be too small to print.
        trim: of a page.
        pages: of the interior.
        paper: None for the printer's default.
        spine_pt: None for what pages and paper give.
        asked: the number of the puzzle that the spec wants on the front, the only one in ``pictures``.
    """

    spec: BookSpec
    words: Words
    blurb: str | None
    promise: str
    levels: tuple[tuple[str, int], ...]
    pictures: tuple[Solution, ...]
    example: Solution
    trim: Size
    pages: int
    paper: str | None = None
    spine_pt: float | None = None
    asked: int | None = None

    @property
    def puzzle_count(self) -> int:
        """In all levels."""
        return sum(count for _, count in self.levels)


def order_cover(volume: Volume, pages: int) -> CoverOrder:
    """The cover that a volume's spec asks for.

    Args:
        volume: finished.
        pages: of its interior, blank ones included.
    """
    spec = volume.spec
    words = words_of(spec.language)
    cover = spec.cover
    asked = cover.puzzle if cover else None
    shown = volume.puzzles if asked is None else volume.puzzles[asked - 1 : asked]
    return CoverOrder(
        spec=spec,
        words=words,
        blurb=cover.blurb if cover else None,
        promise=words.promise(puzzle.rule for puzzle in volume.puzzles),
        levels=tuple((level.name, level.count) for level in spec.levels),
        pictures=tuple(puzzle.solution for puzzle in shown),
        example=worked_example(any(puzzle.puzzle.grid.solids for puzzle in volume.puzzles)),
        trim=spec.page.trim.size,
        pages=pages,
        paper=spec.page.paper,
        spine_pt=cover.spine_mm * MM if cover and cover.spine_mm else None,
        asked=asked,
    )
