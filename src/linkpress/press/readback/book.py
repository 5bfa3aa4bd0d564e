"""A whole book, read out of its PDF."""

from __future__ import annotations

import io
from dataclasses import dataclass, field

import pikepdf

from linkpress.layout.wording import Words
from linkpress.press.content.budget import TooMuchError
from linkpress.press.content.colours import Colour
from linkpress.press.content.drawn import DrawnText
from linkpress.press.content.reader import PageReader
from linkpress.press.preflight.pages import read_pages
from linkpress.press.readback.boards import BoardRead, find_boards, middle_of
from linkpress.press.readback.captions import Caption, Phrases, read_captions
from linkpress.press.readback.marks import sort_marks

_MAX_PAGES = 4_000


class UnreadableError(Exception):
    """The file can't be read to its end; the message says where and why."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A puzzle or an answer with what stands by it."""

    board: BoardRead
    caption: Caption


@dataclass
class BookRead:
    """What a book draws.

    Args:
        pages: how many.
        puzzles: boards that name their solution's page, in order.
        answers: boards that name their puzzle's page, in order.
        looks: the colours of filled solids in the puzzles.
        stated: number of puzzles that the title page states; None if it states none.
        sections: page, number of puzzles stated there, and number of puzzles that follow.
        folios: printed page numbers that are not the page's own: page and what it says.
    """

    pages: int
    puzzles: list[Entry] = field(default_factory=list)
    answers: list[Entry] = field(default_factory=list)
    looks: set[Colour] = field(default_factory=set)
    stated: int | None = None
    sections: list[tuple[int, int, int]] = field(default_factory=list)
    folios: list[tuple[int, str]] = field(default_factory=list)


def read_book(content: bytes, words: Words) -> BookRead:
    """Read a book's puzzles and answers from what its pages draw.

    Args:
        content: the PDF.
        words: of its language.
    Raises:
        UnreadableError: it is no PDF, or a page can't be read.
    """
    phrases = Phrases(words)
    try:
        with pikepdf.open(io.BytesIO(content), suppress_warnings=True) as pdf:
            reader = PageReader(pdf)
            book = BookRead(len(pdf.pages))
            for page in read_pages(pdf, _MAX_PAGES):
                _read_page(book, page.number, reader, page.obj, page.resources, phrases)
    except TooMuchError as fault:
        raise UnreadableError(str(fault)) from fault
    except UnreadableError:
        raise
    # A damaged file fails in as many ways as there are objects in it.
    except Exception as fault:
        raise UnreadableError(f"{type(fault).__name__} {' '.join(str(fault).split())}"[:160]) from fault
    return book


def _read_page(
    book: BookRead,
    number: int,
    reader: PageReader,
    page: pikepdf.Object,
    resources: object,
    phrases: Phrases,
) -> None:
    marks = sort_marks(reader.read(page, resources))
    if reader.faults:
        raise UnreadableError(f"page {number}: {reader.faults[0]}")
    boards = find_boards(marks, number)
    captioned = 0
    for board, caption in zip(boards, read_captions(boards, marks.texts, phrases), strict=True):
        if caption.solution_page is not None:
            captioned += 1
            book.puzzles.append(Entry(board, caption))
            for colours in board.filled.values():
                book.looks |= colours
        elif caption.puzzle_page is not None:
            book.answers.append(Entry(board, caption))
    outside = [text for text in marks.texts if not any(board.holds(middle_of(text)) for board in boards)]
    _read_counts(book, number, outside, captioned, phrases)
    if captioned or any(entry.board.page == number for entry in book.answers[-1:]):
        _read_folio(book, number, outside)


def _read_counts(book: BookRead, number: int, texts: list[DrawnText], puzzles: int, phrases: Phrases) -> None:
    if puzzles:
        if book.sections:
            page, said, counted = book.sections[-1]
            book.sections[-1] = (page, said, counted + puzzles)
        return
    counts = [phrases.count_in(text.text, at_start=number > 1) for text in texts]
    stated = max((count for count in counts if count is not None), default=None)
    if number == 1:
        book.stated = stated
        return
    if stated is not None:
        book.sections.append((number, stated, 0))


def _read_folio(book: BookRead, number: int, texts: list[DrawnText]) -> None:
    """The printed page number: the lowest text of the page, if it is a number alone."""
    lowest = min(texts, key=lambda text: text.start[1], default=None)
    if lowest is not None and lowest.text.strip().isdigit() and int(lowest.text) != number:
        book.folios.append((number, lowest.text.strip()))
