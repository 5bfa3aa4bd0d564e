"""This module reads a book out of its PDF: boards with the words above them, and lines of text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property

from linkpress.preflight.pdf_reading.drawn import DrawnText, Rgb
from linkpress.preflight.pdf_reading.objects import TooMuchError
from linkpress.preflight.pdf_reading.page_boxes import PageFacts
from linkpress.preflight.pdf_reading.reader import PdfReader, message_of
from linkpress.verify.drawn_boards import BoardRead, find_boards, is_printed_number, middle_of, sort_shapes
from linkpress.words.language import FIELD, Words

_REACH_PT = 96.0  # captions stand no higher above their board
_BESIDE_PT = 4.0  # what a caption may stick out sideways
_DIGITS = r"[0-9]+(?:[.,'\u2019\s][0-9]{3})*"  # a no-break space can come back as a plain one
LONGEST_LINE = 400  # characters of a line that are looked at
_NOTHING = re.compile(r"(?!)")  # matches no text
_MAX_OUTLINES = 500  # a page of 12 boards has 12
_MAX_SEGMENTS = 100_000


class Phrases:
    """These are the printed phrases of one language, as patterns to find them by.

    Args:
        names_pages: whether captions name the page of the solution or puzzle, by which these are told
            from one another and from the rules' sample; else the numbers above boards tell them.
    """

    def __init__(self, words: Words, names_pages: bool = True) -> None:
        self.names_pages = names_pages
        self.how_to_play = _pattern(words.how_to_play)
        self.solution_on = (_pattern(words.solution_on), _pattern(words.solution_in_file))
        self.puzzle_on = (_pattern(words.puzzle_on),)
        self.size = _pattern(words.size) if "}{" not in words.size else _NOTHING  # 57 may be 5 and 7
        self.solutions_from = _pattern(words.solutions_from)
        self.tutorial = _pattern(words.tutorial) if _has_word(words.tutorial) else _NOTHING
        self.tutorial_on = _pattern(words.tutorial_on) if _has_word(words.tutorial_on) else _NOTHING
        self.contents = _pattern(words.contents)
        self.puzzle, self.solution = _pattern(words.puzzle), _pattern(words.solution_number)
        self.answer = " ".join(words.player.answer.split())
        self.language = words.language
        self.counts = [_pattern(form) for _, form in words.count if form and _has_word(form)]

    def count_in(self, text: str, at_start: bool = False) -> int | None:
        """Return the number of puzzles that a text states."""
        for pattern in self.counts:
            match = pattern.match(text) if at_start else pattern.search(text)
            if match:
                return number_of(match["number"])
        return None

    def size_in(self, texts: Iterable[str]) -> tuple[int, int] | None:
        """Return columns and rows, as the first text that names a size has them."""
        match = next((match for text in texts if (match := self.size.search(text))), None)
        return (number_of(match["cols"]), number_of(match["rows"])) if match else None

    def tutorial_says(self, text: str) -> tuple[int | None, int | None]:
        """Return the number and the page of its puzzle that a tutorial names."""
        number, page = self.tutorial.search(text), self.tutorial_on.search(text)
        return number_of(number["number"]) if number else None, number_of(page["page"]) if page else None

    def solutions_page(self, text: str) -> int | None:
        """Return the page on which a text says that solutions begin."""
        match = self.solutions_from.search(text)
        return number_of(match["page"]) if match else None


def _read_captions(boards: Sequence[BoardRead], outside: Iterable[DrawnText], phrases: Phrases) -> None:
    near: list[list[DrawnText]] = [[] for _ in boards]
    for text in outside:
        owner = _owner(text, boards)
        if owner is not None:
            near[owner].append(text)
    for board, texts in zip(boards, near, strict=True):
        captions = [
            text.text.strip()[:LONGEST_LINE] for text in sorted(texts, key=lambda text: -text.size_pt)
        ]
        numbers = [int(text) for text in captions if is_printed_number(text)]
        board.number = numbers[0] if numbers else None
        board.solution_page = _page_in(phrases.solution_on, captions)
        board.puzzle_page = _page_in(phrases.puzzle_on, captions)
        board.printed_size = phrases.size_in(captions)


def _owner(text: DrawnText, boards: Sequence[BoardRead]) -> int | None:
    """Find the nearest board that a text stands above; below, as the page lies, if both are upside down."""
    x, y = middle_of(text)
    above = [
        (gap, place)
        for place, board in enumerate(boards)
        if board.turned is text.turned and board.box[0] - _BESIDE_PT <= x <= board.box[2] + _BESIDE_PT
        if 0 <= (gap := board.box[1] - y if board.turned else y - board.box[3]) <= _REACH_PT
    ]
    return min(above)[1] if above else None


def _page_in(patterns: Iterable[re.Pattern[str]], texts: Sequence[str]) -> int | None:
    """Return the page that a caption names; the phrase is all of it, so no longer one is taken for it."""
    matches = (match for pattern in patterns for text in texts if (match := pattern.fullmatch(text)))
    match = next(matches, None)
    return number_of(match["page"]) if match else None


def _pattern(phrase: str) -> re.Pattern[str]:
    """Make a pattern of a phrase: its fields are groups of digits, by name, and any space is any other.

    A field at its beginning takes all digits that there are: to try each of a thousand takes long.
    """
    parts = re.split(r"\{(\w+)\}", phrase)
    parts[::2] = (r"\s+".join(map(re.escape, re.split(r"\s+", part))) for part in parts[::2])
    parts[1::2] = (f"(?P<{name}>{_DIGITS})" for name in parts[1::2])
    begin = "" if parts[0] else "(?<![0-9])"
    return re.compile(begin + "".join(parts), re.IGNORECASE)


def _has_word(phrase: str) -> bool:
    """Tell whether a phrase has a word beside its fields, so that not every number is it."""
    return any(letter.isalpha() for letter in FIELD.sub("", phrase))


def number_of(text: str) -> int:
    """Return a printed number, which may have signs between its thousands."""
    return int("".join(letter for letter in text if letter.isdigit()))


class UnreadableError(Exception):
    """The file can't be read to its end; the message says where and why."""


@dataclass(frozen=True, slots=True)
class PrintedLine:
    """A printed line is a text outside the boards: where it begins, and whether it stands upside down."""

    text: str
    x: float
    y: float
    turned: bool = False

    @property
    def is_number(self) -> bool:
        """Tell whether it is a number alone."""
        return is_printed_number(self.text)


@dataclass(frozen=True, slots=True)
class PageRead:
    """A page as read has these boards and lines.

    Args:
        puzzles: boards that name their solution's page, in reading order.
        answers: boards that name their puzzle's page, in reading order.
        samples: boards that name no page: those of the rules.
        lessons: boards whose rows and columns are named: those of the tutorial.
    """

    number: int
    lines: tuple[PrintedLine, ...] = ()
    puzzles: tuple[BoardRead, ...] = ()
    answers: tuple[BoardRead, ...] = ()
    samples: tuple[BoardRead, ...] = ()
    lessons: tuple[BoardRead, ...] = ()

    @property
    def words(self) -> str:
        """Return the text of all lines, joined: a long name may be broken here and not there."""
        return " ".join(line.text for line in self.lines)


@dataclass(frozen=True)
class BookRead:
    """A book as read has its pages and those of its file of solutions; findings name its kind."""

    pages: tuple[PageRead, ...]
    solutions: tuple[PageRead, ...] = ()
    kind: str = "PDF"

    @cached_property
    def puzzles(self) -> list[BoardRead]:
        """Return the puzzles of all pages, in order."""
        return [entry for page in self.pages for entry in page.puzzles]

    @cached_property
    def answers(self) -> list[BoardRead]:
        """Return the answers of all pages, in order."""
        return [entry for page in (*self.pages, *self.solutions) for entry in page.answers]

    @cached_property
    def solid_colours(self) -> set[Rgb]:
        """Return the colours of filled solids in the puzzles."""
        filled = (colours for entry in self.puzzles for colours in entry.filled.values())
        return {colour for colours in filled for colour in colours}


def read_book(content: bytes, phrases: Phrases) -> BookRead:
    """Read a book's puzzles and answers from its pages; raise ``UnreadableError`` if one can't be read."""
    with damage_as_unreadable(), PdfReader(content) as reader:
        return BookRead(tuple(_read_page(page, reader, phrases) for page in reader.pages))


@contextmanager
def damage_as_unreadable() -> Iterator[None]:
    """Make whatever goes wrong while a file is read an ``UnreadableError``."""
    try:
        yield
    except TooMuchError as fault:
        raise UnreadableError(str(fault)) from fault
    except (UnreadableError, MemoryError):
        raise
    # A damaged file fails in as many ways as there are objects in it.
    except Exception as fault:
        raise UnreadableError(message_of(fault)) from fault


def names_squares(texts: Set[str]) -> bool:
    """Tell whether rows and columns have names around a board; until 0.2.0 these were r1, r2 and c1, c2."""
    return texts >= {"A", "B", "1", "2"} or texts >= {"r1", "c1"}


def _read_page(page: PageFacts, reader: PdfReader, phrases: Phrases) -> PageRead:
    read = reader.read(page)
    if read.faults:
        raise UnreadableError(f"page {page.number}: {read.faults[0]}")
    seen = [item for item in read.items if not any(item is unseen for unseen in read.unseen)]
    shapes = sort_shapes([*seen, *read.hidden_items])
    if len(shapes.outlines) > _MAX_OUTLINES or len(shapes.segments) > _MAX_SEGMENTS:
        raise UnreadableError(f"page {page.number}: more lines than any sheet of boards has")
    boards = find_boards(shapes, page.number)
    outside = [text for text in shapes.texts if not any(board.holds(middle_of(text)) for board in boards)]
    _read_captions(boards, outside, phrases)
    lines = tuple(PrintedLine(text.text.strip()[:LONGEST_LINE], *text.start, text.turned) for text in outside)
    if names_squares({line.text for line in lines}):
        return PageRead(page.number, lines, lessons=tuple(boards))
    explains = any(phrases.how_to_play.fullmatch(line.text) for line in lines)
    sorted_boards: dict[str, list[BoardRead]] = {"puzzle": [], "answer": [], "sample": []}
    for board in boards:
        sorted_boards[_kind_of(board, phrases.names_pages, explains)].append(board)
    return PageRead(page.number, lines, *map(tuple, sorted_boards.values()))


def _kind_of(board: BoardRead, names_pages: bool, explains: bool) -> str:
    """Tell what a board is by the words above it; ``explains`` tells whether its page has the rules."""
    if board.solution_page is not None:
        return "puzzle"
    if board.puzzle_page is not None:
        return "answer"
    if names_pages or explains or board.number is None:
        return "sample"
    return "answer" if board.lines or board.walls else "puzzle"
