"""What a book's pages are composed from: its spec and puzzles, the printer's profile, the theme."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from linkpress.book.spec import BookSpec
from linkpress.book.volume import NumberedPuzzle
from linkpress.config.lengths import Size
from linkpress.layout.measure import Measure
from linkpress.layout.printers import Margins, PrinterProfile
from linkpress.layout.text.wording import Words
from linkpress.layout.theme import Theme


@dataclass(frozen=True)
class Edition:
    """A book to be laid out.

    Args:
        spec: says how it is printed.
        puzzles: in the order of their numbers.
        version: of linkpress, for the copyright page; may be empty.
        build: the build's code, likewise.
    """

    spec: BookSpec
    puzzles: Sequence[NumberedPuzzle]
    version: str = ""
    build: str = ""

    @property
    def trim(self) -> Size:
        """The page as cut."""
        return self.spec.page.trim.size

    @property
    def has_solids(self) -> bool:
        """Whether any of its puzzles has a solid square."""
        return any(puzzle.record.puzzle.grid.solids for puzzle in self.puzzles)


@dataclass(frozen=True)
class Setting:
    """Everything that composing a page depends on, settled for the whole book."""

    edition: Edition
    profile: PrinterProfile
    theme: Theme
    measure: Measure
    words: Words
    margins: Margins

    @property
    def spec(self) -> BookSpec:
        """Of the book."""
        return self.edition.spec

    @property
    def min_text_pt(self) -> float:
        """The smallest text that the printer holds."""
        return self.profile.data.limits.text_pt
