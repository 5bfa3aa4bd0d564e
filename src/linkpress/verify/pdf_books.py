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

_CAPTION_REACH_PT = 96.0  # maximum vertical distance between a caption and its board
_CAPTION_OVERHANG_PT = 4.0  # how far the middle of a caption may be to the left or right of its board

# Pattern of a number, perhaps with separators between thousands. Any space can be a separator, because a
# no-break space may be read from a PDF as a plain space.
_DIGITS = r"[0-9]+(?:[.,'\u2019\s][0-9]{3})*"
_MAX_LINE_LENGTH = 400  # maximum number of characters of a line in which phrases are searched
_NEVER = re.compile(r"(?!)")  # a pattern that matches no text

# A page with more board outlines or straight strokes is refused, because it would take too long to read. A
# page of 12 boards has 12 outlines.
_MAX_OUTLINES, _MAX_SEGMENTS = 500, 100_000


class Phrases:
    """Patterns that find a language's printed phrases in a book.

    Args:
        words: the phrases of the book's language.
        names_pages: whether captions name the page of the solution or puzzle. If so, the captions show
            whether a board is a puzzle, an answer or a worked example. If not, its number and lines do.
    """

    def __init__(self, words: Words, names_pages: bool = True) -> None:
        self.names_pages = names_pages
        self.how_to_play = _pattern(words.how_to_play)
        self.solution_on = (_pattern(words.solution_on), _pattern(words.solution_in_file))
        self.puzzle_on = (_pattern(words.puzzle_on),)
        # A size without a separator between its two numbers is ambiguous: 57 may be a single number.
        self.size = _pattern(words.size) if "}{" not in words.size else _NEVER
        self.solutions_from = _pattern(words.solutions_from)
        self.puzzles = _pattern(words.puzzles) if _has_word(words.puzzles) else _NEVER
        self.puzzle = _pattern(words.puzzle) if _has_word(words.puzzle) else _NEVER
        self.child = re.compile(".+".join(map(re.escape, words.level.child.split("{count}"))))
        self.tutorial = _pattern(words.tutorial) if _has_word(words.tutorial) else _NEVER
        self.tutorial_on = _pattern(words.tutorial_on) if _has_word(words.tutorial_on) else _NEVER
        self.contents = _pattern(words.contents)
        self.counts = [_pattern(form) for _, form in words.count if form and _has_word(form)]

    def find_count(self, text: str) -> int | None:
        """Return the number of puzzles that a text states, such as "40 puzzles"; None if it states none."""
        for pattern in self.counts:
            if match := pattern.search(text):
                return _number_of(match["number"])
        return None

    def find_size(self, texts: Iterable[str]) -> tuple[int, int] | None:
        """Return the columns and rows in the first text with a board size; None if no text has one."""
        match = next((match for text in texts if (match := self.size.search(text))), None)
        return (_number_of(match["cols"]), _number_of(match["rows"])) if match else None

    def find_tutorial_puzzle(self, text: str) -> tuple[int | None, int | None]:
        """Return the number and page of the tutorial's puzzle. Each is None if the text doesn't name it."""
        number, page = self.tutorial.search(text), self.tutorial_on.search(text)
        return _number_of(number["number"]) if number else None, _number_of(page["page"]) if page else None

    def find_opened(self, text: str) -> int | None:
        """Return the number of puzzles that a line such as "Puzzles 7–10" announces; None for other lines."""
        if match := self.puzzles.fullmatch(text):
            return _number_of(match["last"]) - _number_of(match["first"]) + 1
        if self.puzzle.fullmatch(text):
            return 1
        return self.find_count(text) if self.child.fullmatch(text) else None

    def find_solutions_page(self, text: str) -> int | None:
        """Return the page on which a text says that solutions begin; None if it names no page."""
        match = self.solutions_from.search(text)
        return _number_of(match["page"]) if match else None


def _pattern(phrase: str) -> re.Pattern[str]:
    """Make a pattern from a phrase.

    Each {field} becomes a named group that matches a number. Any space in the phrase matches any space in the
    text. A field at the beginning never matches in the middle of a number, because searching a long row of
    digits would take too long.
    """
    parts = re.split(r"\{(\w+)\}", phrase)
    parts[::2] = (r"\s+".join(map(re.escape, re.split(r"\s+", part))) for part in parts[::2])
    parts[1::2] = (f"(?P<{name}>{_DIGITS})" for name in parts[1::2])
    begin = "" if parts[0] else "(?<![0-9])"
    return re.compile(begin + "".join(parts), re.IGNORECASE)


def _has_word(phrase: str) -> bool:
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
        """Text of all lines, joined so that a search finds a name that is broken over two lines."""
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
    """Raise an ``UnreadableError`` in place of any error that the block raises."""
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
    segments = len(shapes.horizontal) + len(shapes.vertical) + len(shapes.slanted)
    if len(shapes.outlines) > _MAX_OUTLINES or segments > _MAX_SEGMENTS:
        raise UnreadableError(f"page {page.number}: more lines than any page of boards has")
    boards = find_boards(shapes, page.number)
    outside = [text for text in shapes.texts if not any(board.contains(middle_of(text)) for board in boards)]
    _read_captions(boards, outside, phrases)
    lines = tuple(
        PrintedLine(text.text.strip()[:_MAX_LINE_LENGTH], *text.start, text.upside_down) for text in outside
    )
    texts = {line.text for line in lines}
    if texts >= {"A", "B", "1", "2"}:  # Only the tutorial prints names of columns and rows.
        return PageRead(page.number, lines, lessons=tuple(boards))
    has_rules = any(phrases.how_to_play.fullmatch(text) for text in texts)
    by_kind: dict[str, list[BoardRead]] = {"puzzles": [], "answers": [], "samples": []}
    for board in boards:
        by_kind[_kind_of(board, names_pages=phrases.names_pages, has_rules=has_rules)].append(board)
    return PageRead(page.number, lines, **{kind: tuple(found) for kind, found in by_kind.items()})


def _kind_of(board: BoardRead, *, names_pages: bool, has_rules: bool) -> str:
    """Return the name of the ``PageRead`` field to which a board belongs.

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
    """Find the captions of each board, and set its number, page and size from them.

    If several captions have a number, the one in the largest text is the board's number.
    """
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
    """Return the index of the board that is nearest below a text; None if no board is near.

    For text that is upside down, look for a board that is upside down and above the text.
    """
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
    """Return the page number in the first caption that matches a pattern as a whole; None if none does."""
    matches = (match for pattern in patterns for caption in captions if (match := pattern.fullmatch(caption)))
    match = next(matches, None)
    return _number_of(match["page"]) if match else None
