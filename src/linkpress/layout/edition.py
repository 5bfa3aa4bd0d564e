"""What layout needs to know of a book: small typed inputs, joined from spec, volume and printer."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass, field

from linkpress.book.printing_keys import QrPer
from linkpress.book.volume import NumberedPuzzle
from linkpress.engine.recipe import Grade
from linkpress.layout.lengths import Size
from linkpress.layout.measure import Measure
from linkpress.layout.printers import Margins, PrinterProfile
from linkpress.layout.theme import Theme
from linkpress.layout.wording import Words


@dataclass(frozen=True, slots=True)
class LevelPages:
    """How a level is printed.

    Args:
        name: as in the volume.
        per_page: 1, 2, 4, 6, 9 …; None for the most that keep the smallest comfortable cell.
        grades: that its puzzles may have, None for none. Room to explain them is kept in any case, so
            that a book has as many pages as its plan.
    """

    name: str
    per_page: int | None = None
    grades: Sequence[Grade | None] = ()


@dataclass(frozen=True, slots=True)
class Matter:
    """A page or more of the publisher's own text.

    Args:
        text: plain text or simple Markdown.
        where: for messages: the spec's key.
    """

    text: str
    title: str = ""
    where: str = "front"


@dataclass(frozen=True, slots=True)
class Qr:
    """QR codes in the book.

    Args:
        per: puzzle, below each board, or section, on each opener.
        text: what a code says, an address as a rule. For puzzles with ``{url}`` (the puzzle on
            puzz.link) or ``{number}`` in it; for sections with ``{level}``, ``{first}``, ``{last}``.
    """

    per: QrPer = QrPer.PUZZLE
    text: str = "{url}"


@dataclass(frozen=True, slots=True)
class Imprint:
    """The words on the title and copyright pages; what is None is not printed."""

    title: str
    subtitle: str | None = None
    author: str | None = None
    publisher: str | None = None
    copyright: str | None = None
    year: int | None = None
    edition: str | None = None
    isbn: str | None = None
    volume: int | None = None
    date: datetime.date | None = None
    seed: str = ""
    version: str = ""
    build: str = ""


@dataclass(frozen=True)
class Edition:
    """A book to be laid out.

    Args:
        levels: one section each, in order.
        puzzles: in the order of their numbers.
        solutions_per_page: None for 12, 9, 6 or 4 by the size of the boards.
        min_cell_mm: no puzzle's square may be smaller; None for ``tiles.LEAST_CELL_MM``.
        notes_pages: empty ruled pages at the end.
        front: before how to play.
        back: after the answers.
        qr: codes beside the puzzles or on the openers; None for none.
    """

    imprint: Imprint
    levels: Sequence[LevelPages]
    puzzles: Sequence[NumberedPuzzle]
    trim: Size
    paper: str | None = None
    bleed: bool = False
    language: str = "en"
    solutions_per_page: int | None = None
    single_sided: bool = False
    large_print: bool = False
    min_cell_mm: float | None = None
    notes_pages: int = 0
    front: Sequence[Matter] = field(default=())
    back: Sequence[Matter] = field(default=())
    qr: Qr | None = None

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
    def min_text_pt(self) -> float:
        """The smallest text that the printer holds."""
        return self.profile.data.limits.text_pt
