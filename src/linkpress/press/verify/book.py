"""A whole book, read out of its PDF."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from linkpress.press.pdf_reading.drawn import Rgb
from linkpress.press.pdf_reading.limits import TooMuchError
from linkpress.press.pdf_reading.pages import PageFacts
from linkpress.press.pdf_reading.reader import PdfReader
from linkpress.press.verify.boards import BoardRead, find_boards, middle_of
from linkpress.press.verify.captions import CaptionRead, Phrases, read_captions
from linkpress.press.verify.marks import sort_marks

LONGEST_LINE = 400  # characters of a line that are looked at
_MAX_OUTLINES = 500  # a page of 12 boards has 12
_MAX_SEGMENTS = 100_000


class UnreadableError(Exception):
    """The file can't be read to its end; the message says where and why."""


@dataclass(frozen=True, slots=True)
class CaptionedBoard:
    """A puzzle or an answer with what stands by it."""

    board: BoardRead
    caption: CaptionRead


@dataclass(frozen=True, slots=True)
class PrintedLine:
    """A text outside the boards, and where it begins."""

    text: str
    x: float
    y: float

    @property
    def is_number(self) -> bool:
        """Whether it is a number alone."""
        return self.text.isascii() and self.text.isdigit() and len(self.text) < 7


@dataclass(frozen=True, slots=True)
class PageRead:
    """One page.

    Args:
        number: counted from 1.
        lines: every text outside the boards.
        puzzles: boards that name their solution's page, in reading order.
        answers: boards that name their puzzle's page, likewise.
        samples: boards that name no page: those of the rules.
    """

    number: int
    lines: tuple[PrintedLine, ...]
    puzzles: tuple[CaptionedBoard, ...]
    answers: tuple[CaptionedBoard, ...]
    samples: tuple[BoardRead, ...] = ()

    @property
    def words(self) -> str:
        """All lines, one after the other: a long name may be broken here and not there."""
        return " ".join(line.text for line in self.lines)


@dataclass(frozen=True)
class BookRead:
    """What a book draws, page by page."""

    pages: tuple[PageRead, ...]

    @cached_property
    def puzzles(self) -> list[CaptionedBoard]:
        """All puzzles, in order."""
        return [entry for page in self.pages for entry in page.puzzles]

    @cached_property
    def answers(self) -> list[CaptionedBoard]:
        """All answers, in order."""
        return [entry for page in self.pages for entry in page.answers]

    @cached_property
    def looks(self) -> set[Rgb]:
        """The colours of filled solids in the puzzles."""
        filled = (colours for entry in self.puzzles for colours in entry.board.filled.values())
        return {colour for colours in filled for colour in colours}


def read_book(content: bytes, phrases: Phrases) -> BookRead:
    """Read a book's puzzles and answers from what its pages draw.

    Args:
        content: the PDF.
        phrases: of its language.
    Raises:
        UnreadableError: it is no PDF, or a page can't be read.
    """
    try:
        with PdfReader(content) as reader:
            return BookRead(tuple(_read_page(page, reader, phrases) for page in reader.pages))
    except TooMuchError as fault:
        raise UnreadableError(str(fault)) from fault
    except UnreadableError:
        raise
    # A damaged file fails in as many ways as there are objects in it.
    except Exception as fault:
        raise UnreadableError(f"{type(fault).__name__} {' '.join(str(fault).split())}"[:160]) from fault


def _read_page(page: PageFacts, reader: PdfReader, phrases: Phrases) -> PageRead:
    read = reader.read(page)
    if read.faults:
        raise UnreadableError(f"page {page.number}: {read.faults[0]}")
    marks = sort_marks([*read.items, *read.hidden_items])
    if len(marks.outlines) > _MAX_OUTLINES or len(marks.segments) > _MAX_SEGMENTS:
        raise UnreadableError(f"page {page.number}: more lines than any sheet of boards has")
    boards = find_boards(marks, page.number)
    captions = read_captions(boards, marks.texts, phrases)
    entries = [CaptionedBoard(board, caption) for board, caption in zip(boards, captions, strict=True)]
    puzzles = tuple(entry for entry in entries if entry.caption.solution_page is not None)
    answers = tuple(entry for entry in entries if entry.caption.is_answer)
    samples = tuple(entry.board for entry in entries if entry not in puzzles and entry not in answers)
    outside = (text for text in marks.texts if not any(board.holds(middle_of(text)) for board in boards))
    return PageRead(
        page.number,
        tuple(PrintedLine(text.text.strip()[:LONGEST_LINE], *text.start) for text in outside),
        puzzles,
        answers,
        samples,
    )
