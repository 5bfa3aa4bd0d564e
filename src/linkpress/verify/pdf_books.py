"""Read a book from its PDF: the boards with their captions, and all other lines of text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property

from linkpress.preflight.pdf_drawing import DrawnText, Rgb
from linkpress.preflight.pdf_file import PageInfo, PdfReader, error_text
from linkpress.preflight.pdf_objects import ReadingLimitError
from linkpress.verify.drawn_boards import BoardRead, find_boards, is_printed_number, middle_of, sort_shapes
from linkpress.words.language import FIELD, Words

_CAPTION_REACH_PT = 96.0  # the greatest distance of a caption from its board
_CAPTION_OVERHANG_PT = 4.0  # how far the middle of a caption may be beyond the board's sides

# A number with separators between its thousands. A no-break space may be read back as a plain space.
_DIGITS = r"[0-9]+(?:[.,'\u2019\s][0-9]{3})*"
_MAX_LINE_LENGTH = 400  # longer lines are cut, to keep the search for phrases short
_NEVER = re.compile(r"(?!)")  # a pattern that matches no text
# Limits for hostile files: board outlines and straight strokes on a page. A page of 12 boards has 12
# outlines.
_MAX_OUTLINES, _MAX_SEGMENTS = 500, 100_000


class Phrases:
    """A language's printed phrases, as patterns that find them in a book.

    Args:
        words: the phrases of the book's language.
        names_pages: whether captions name the page of the solution or puzzle. They then tell puzzles, answers
            and the sample of the rules apart. Otherwise the numbers above boards do.
    """

    def __init__(self, words: Words, names_pages: bool = True) -> None:
        self.names_pages = names_pages
        self.how_to_play = _pattern(words.how_to_play)
        self.solution_on = (_pattern(words.solution_on), _pattern(words.solution_in_file))
        self.puzzle_on = (_pattern(words.puzzle_on),)
        # Without a separator a size is ambiguous: 57 may be one number or 5 and 7.
        self.size = _pattern(words.size) if "}{" not in words.size else _NEVER
        self.solutions_from = _pattern(words.solutions_from)
        self.tutorial = _pattern(words.tutorial) if _has_word(words.tutorial) else _NEVER
        self.tutorial_on = _pattern(words.tutorial_on) if _has_word(words.tutorial_on) else _NEVER
        self.contents = _pattern(words.contents)
        self.counts = [_pattern(form) for _, form in words.count if form and _has_word(form)]

    def find_count(self, text: str, at_start: bool = False) -> int | None:
        """Return the number of puzzles that a text states, such as "40 puzzles"; None if it states none."""
        for pattern in self.counts:
            match = pattern.match(text) if at_start else pattern.search(text)
            if match:
                return _number_of(match["number"])
        return None

    def find_size(self, texts: Iterable[str]) -> tuple[int, int] | None:
        """Return the columns and rows in the first text that names a board size; None if none does."""
        match = next((match for text in texts if (match := self.size.search(text))), None)
        return (_number_of(match["cols"]), _number_of(match["rows"])) if match else None

    def find_tutorial_puzzle(self, text: str) -> tuple[int | None, int | None]:
        """Return the number and the page of the puzzle that the tutorial explains, each None if not named."""
        number, page = self.tutorial.search(text), self.tutorial_on.search(text)
        return _number_of(number["number"]) if number else None, _number_of(page["page"]) if page else None

    def find_solutions_page(self, text: str) -> int | None:
        """Return the page on which solutions begin, according to a text; None if it names no page."""
        match = self.solutions_from.search(text)
        return _number_of(match["page"]) if match else None


def _pattern(phrase: str) -> re.Pattern[str]:
    """Make a pattern from a phrase: each {field} becomes a named group of digits, and any space matches any.

    A field at the beginning must take all digits in front of it. Trying each of a thousand digits as its
    first would take too long.
    """
    parts = re.split(r"\{(\w+)\}", phrase)
    parts[::2] = (r"\s+".join(map(re.escape, re.split(r"\s+", part))) for part in parts[::2])
    parts[1::2] = (f"(?P<{name}>{_DIGITS})" for name in parts[1::2])
    begin = "" if parts[0] else "(?<![0-9])"
    return re.compile(begin + "".join(parts), re.IGNORECASE)


def _has_word(phrase: str) -> bool:
    """Return whether a phrase has letters beside its fields. Without any it would match every number."""
    return any(letter.isalpha() for letter in FIELD.sub("", phrase))


def _number_of(text: str) -> int:
    return int("".join(letter for letter in text if letter.isdigit()))


class UnreadableError(Exception):
    """A PDF can't be read to its end. The message says where and why."""


@dataclass(frozen=True, slots=True)
class PrintedLine:
    """Line of text outside the boards.

    Args:
        text: the line's text.
        x: the left end of its baseline, in points.
        y: the height of its baseline, in points from the page's lower edge.
        upside_down: whether the text is printed upside down.
    """

    text: str
    x: float
    y: float
    upside_down: bool = False

    @property
    def is_number(self) -> bool:
        return is_printed_number(self.text)


@dataclass(frozen=True, slots=True)
class PageRead:
    """Boards and lines of text on one page. Boards are in reading order.

    Args:
        number: the page's number, counted from 1.
        lines: all text outside the boards.
        puzzles: boards of puzzles.
        answers: boards of answers.
        samples: boards of the worked example on the page of rules.
        lessons: boards of the tutorial, which have names beside their rows and columns.
    """

    number: int
    lines: tuple[PrintedLine, ...] = ()
    puzzles: tuple[BoardRead, ...] = ()
    answers: tuple[BoardRead, ...] = ()
    samples: tuple[BoardRead, ...] = ()
    lessons: tuple[BoardRead, ...] = ()

    @property
    def words(self) -> str:
        """Text of all lines, joined, so that a name that is broken over two lines is found."""
        return " ".join(line.text for line in self.lines)


@dataclass(frozen=True)
class BookRead:
    """Book as read from its PDF.

    Args:
        pages: all pages of the book.
        solutions: the pages of a separate PDF with the answers, if there is one.
    """

    pages: tuple[PageRead, ...]
    solutions: tuple[PageRead, ...] = ()

    @cached_property
    def puzzles(self) -> list[BoardRead]:
        return [board for page in self.pages for board in page.puzzles]

    @cached_property
    def answers(self) -> list[BoardRead]:
        return [board for page in (*self.pages, *self.solutions) for board in page.answers]

    @cached_property
    def solid_colours(self) -> set[Rgb]:
        """Colours of the filled solids in the puzzles."""
        return {colour for board in self.puzzles for colours in board.filled.values() for colour in colours}


def read_book(content: bytes, phrases: Phrases) -> BookRead:
    """Read a book's boards and text from a PDF.

    Args:
        content: the PDF file.
        phrases: the phrases by which captions are recognised.
    Raises:
        UnreadableError: a page can't be read.
    """
    with _damage_as_unreadable(), PdfReader(content) as reader:
        return BookRead(tuple(_read_page(page, reader, phrases) for page in reader.pages))


@contextmanager
def _damage_as_unreadable() -> Iterator[None]:
    """Turn every error of reading a file into an ``UnreadableError``."""
    try:
        yield
    except ReadingLimitError as error:
        raise UnreadableError(str(error)) from error
    except (UnreadableError, MemoryError):
        raise
    # A damaged object can raise almost any exception in the libraries.
    except Exception as error:
        raise UnreadableError(error_text(error)) from error


def _read_page(page: PageInfo, reader: PdfReader, phrases: Phrases) -> PageRead:
    read = reader.read(page)
    if read.problems:
        raise UnreadableError(f"page {page.number}: {read.problems[0]}")
    visible = [item for item in read.objects if not any(item is hidden for hidden in read.covered)]
    shapes = sort_shapes([*visible, *read.nested_objects])
    if len(shapes.outlines) > _MAX_OUTLINES or len(shapes.segments) > _MAX_SEGMENTS:
        raise UnreadableError(f"page {page.number}: more lines than any page of boards has")
    boards = find_boards(shapes, page.number)
    outside = [text for text in shapes.texts if not any(board.contains(middle_of(text)) for board in boards)]
    _read_captions(boards, outside, phrases)
    lines = tuple(
        PrintedLine(text.text.strip()[:_MAX_LINE_LENGTH], *text.start, text.upside_down) for text in outside
    )
    texts = {line.text for line in lines}
    if texts >= {"A", "B", "1", "2"}:  # the names of columns and rows, which only the tutorial prints
        return PageRead(page.number, lines, lessons=tuple(boards))
    has_rules = any(phrases.how_to_play.fullmatch(text) for text in texts)
    by_kind: dict[str, list[BoardRead]] = {"puzzles": [], "answers": [], "samples": []}
    for board in boards:
        by_kind[_kind_of(board, names_pages=phrases.names_pages, has_rules=has_rules)].append(board)
    return PageRead(page.number, lines, **{kind: tuple(found) for kind, found in by_kind.items()})


def _kind_of(board: BoardRead, *, names_pages: bool, has_rules: bool) -> str:
    """Return the field of ``PageRead`` for a board.

    Args:
        board: the board, with its captions.
        names_pages: whether captions of puzzles and answers name a page.
        has_rules: whether the board's page explains the rules.
    """
    if board.solution_page is not None:
        return "puzzles"
    if board.puzzle_page is not None:
        return "answers"
    if names_pages or has_rules or board.number is None:
        return "samples"
    return "answers" if board.lines or board.walls else "puzzles"


def _read_captions(boards: Sequence[BoardRead], texts: Iterable[DrawnText], phrases: Phrases) -> None:
    """Set each board's number, page and size from the texts outside the boards, the largest text first."""
    captions_of: list[list[DrawnText]] = [[] for _ in boards]
    for text in texts:
        index = _board_of_caption(text, boards)
        if index is not None:
            captions_of[index].append(text)
    for board, captions in zip(boards, captions_of, strict=True):
        captions.sort(key=lambda text: -text.size_pt)
        lines = [text.text.strip()[:_MAX_LINE_LENGTH] for text in captions]
        board.number = next((int(line) for line in lines if is_printed_number(line)), None)
        board.solution_page = _page_in(phrases.solution_on, lines)
        board.puzzle_page = _page_in(phrases.puzzle_on, lines)
        board.printed_size = phrases.find_size(lines)


def _board_of_caption(text: DrawnText, boards: Sequence[BoardRead]) -> int | None:
    """Return the index of the nearest board below a text; above it, if both are upside down."""
    x, y = middle_of(text)
    candidates = [
        (gap, index)
        for index, board in enumerate(boards)
        if board.upside_down is text.upside_down
        and board.box[0] - _CAPTION_OVERHANG_PT <= x <= board.box[2] + _CAPTION_OVERHANG_PT
        if 0 <= (gap := board.box[1] - y if board.upside_down else y - board.box[3]) <= _CAPTION_REACH_PT
    ]
    return min(candidates)[1] if candidates else None


def _page_in(patterns: Iterable[re.Pattern[str]], captions: Sequence[str]) -> int | None:
    """Return the page that the first matching caption names. The phrase must be the whole caption."""
    matches = (match for pattern in patterns for caption in captions if (match := pattern.fullmatch(caption)))
    match = next(matches, None)
    return _number_of(match["page"]) if match else None
