"""Captions are the words at a puzzle in a newspaper, in the image or left to the manifest."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, NamedTuple

from linkpress.book.printing_keys import GradeMark
from linkpress.book.puzzle_record import PuzzleRecord
from linkpress.documents.models import SpecModel
from linkpress.documents.values import YesNo, one_of
from linkpress.engine.recipe import Grade
from linkpress.errors import LayoutError, UsageError
from linkpress.images.pixels import Canvas
from linkpress.layout.boards import STAR, star_row, stars_width
from linkpress.layout.frame import Anchor, FontKey, Frame, Item
from linkpress.layout.measure import Measure, clear_leading, clear_rise, font_for, set_text
from linkpress.layout.text_flow import pieces
from linkpress.layout.theme import Theme
from linkpress.puzzle.puzzle import Puzzle, Solution
from linkpress.words.language import Words

PARTS = ("title", "number", "size", "grade", "stars", "rules", "solution")
Days = tuple[datetime.date, datetime.date]  # of an issue and of another one
CAPTION = "caption"  # what the words are, in messages
_ASCENT = 0.78  # of the size, above the baseline: capitals and ascenders of Plex Sans
_DESCENT = 0.26
_LEADING = 1.3
_CAPITAL = 0.698  # height of capitals, of the size
_GAP = 0.5  # between words of one line, of the size
_Words = tuple[tuple[str, FontKey, float], ...]


class CaptionSpec(SpecModel):
    """A caption's keys say which words stand at a board."""

    in_image: YesNo = True
    """Whether the words are drawn; the manifest has them in any case."""
    title: YesNo = False
    """The title, as `Number Link 12` in place of `Puzzle 12`."""
    number: YesNo = True
    """The puzzle's number."""
    size: YesNo = True
    """The board's size."""
    grade: Annotated[GradeMark, one_of(GradeMark)] = GradeMark.STARS
    """The grade in words, one to five stars by the score, or nothing."""
    rules: YesNo = False
    """The rules, in one line."""
    solution: YesNo = True
    """`Solution tomorrow`, and whose solution it is: `Yesterday’s solution`."""


def read_parts(parts: Iterable[str]) -> CaptionSpec:
    """Read a caption from its parts' names; raise ``UsageError`` for unknown ones, or grade and stars."""
    asked = [part.strip() for part in parts if part.strip()]
    unknown = [part for part in asked if part not in PARTS]
    if unknown:
        raise UsageError(
            f"there is no caption part {unknown[0]!r}. Allowed: {', '.join(PARTS)}, joined by commas, "
            "or none."
        )
    if "grade" in asked and "stars" in asked:
        raise UsageError("a caption shows the grade in words or as stars: give grade or stars, not both.")
    mark = GradeMark.STARS if "stars" in asked else GradeMark.WORDS if "grade" in asked else GradeMark.NONE
    marked = {part: part in asked for part in ("title", "number", "size", "rules", "solution")}
    return CaptionSpec(in_image=bool(asked), grade=mark, **marked)


@dataclass(frozen=True, slots=True)
class Caption:
    """A caption has the words of one board.

    Args:
        heading: strong type above the board; may be empty.
        details: words beside the heading, or under it where there is no room.
        stars: 1 to 5 filled ones of five, None for none.
        rules: small type below the board; may be empty.
        note: the last line below the board; may be empty.
    """

    heading: str = ""
    details: str = ""
    stars: int | None = None
    rules: str = ""
    note: str = ""


@dataclass(frozen=True)
class ShownPuzzle:
    """Images show a puzzle with these facts; ``solve`` returns its only solution when that is needed."""

    puzzle: Puzzle
    number: int
    grade: Grade | None
    stars: int | None
    fingerprint: str
    solve: Callable[[], Solution]
    title: str = ""


def shown_puzzle(record: PuzzleRecord, number: int, title: str = "") -> ShownPuzzle:
    """Return a made puzzle with its printed number, and the title of its book or feed."""
    facts = record.grade, record.printed_stars, record.fingerprint
    return ShownPuzzle(record.puzzle, number, *facts, lambda: record.solution, title)


def puzzle_caption(shown: ShownPuzzle, style: CaptionSpec, words: Words, days: Days | None = None) -> Caption:
    """Return the words at a puzzle; the solution is the next day's if no days are given."""
    heading = _name(shown, style, words)
    later = words.solution_on_day(days[1], days[0]) if days else words.solution_tomorrow
    note = later if style.solution else ""
    rules = words.rules_of((shown.puzzle,)) if style.rules else ""
    stars = shown.stars if style.grade is GradeMark.STARS else None
    return Caption(heading, _details(shown, style, words), stars, rules, note)


def solution_caption(
    shown: ShownPuzzle, style: CaptionSpec, words: Words, days: Days | None = None
) -> Caption:
    """Return the words at a solution, rules left out; they name days only where these are given."""
    if style.solution and days is not None:
        return Caption(words.solution_of_day(*days), _name(shown, style, words))
    return Caption(words.say(words.solution_number, number=shown.number) if style.number else "")


def _name(shown: ShownPuzzle, style: CaptionSpec, words: Words) -> str:
    if style.title and shown.title:
        return f"{shown.title} {shown.number}" if style.number else shown.title
    return words.say(words.puzzle, number=shown.number) if style.number else ""


def _details(shown: ShownPuzzle, style: CaptionSpec, words: Words) -> str:
    parts = []
    if style.size:
        grid = shown.puzzle.grid
        parts.append(words.say(words.size, cols=grid.cols, rows=grid.rows))
    if style.grade is GradeMark.WORDS and shown.grade:
        parts.append(words.grades[shown.grade])
    return " · ".join(parts)


class PixelBlock(NamedTuple):
    """A pixel block is a frame of whole pixels, with its left edge and its part: caption or board."""

    frame: Frame
    height_px: int
    left_px: int = 0
    name: str = "caption"


class _Line(NamedTuple):
    words: _Words
    stars: int | None = None

    @property
    def size_pt(self) -> float:
        return max((size for _, _, size in self.words), default=0.0)


class TypeSetter:
    """A type setter sets captions in whole pixels."""

    def __init__(self, canvas: Canvas, theme: Theme, measure: Measure) -> None:
        self._canvas = canvas
        self._scale = theme.type
        self._measure = measure

    def head(self, caption: Caption, width_px: int) -> tuple[PixelBlock, ...]:
        """Set the words above a board, with the gap to it; raise ``LayoutError`` for too wide a word."""
        room = self._canvas.pt(width_px)
        above = [_Line((part,)) for part in self._heading_parts(caption.heading, room)]
        heading = above.pop().words if above else ()
        details = ((caption.details, FontKey.REGULAR, self._scale.caption),) if caption.details else ()
        for text, font, size in details:
            self._check_room(text, font, size, room)
        lines = above + self._packed(heading, details, caption.stars, room)
        return (self._block(lines, width_px, below_pt=0.42 * self._scale.number),) if lines else ()

    def foot(self, caption: Caption, width_px: int) -> tuple[PixelBlock, ...]:
        """Set what stands below a board, with the gap to it."""
        room, small = self._canvas.pt(width_px), self._scale.small
        lines = list(self._lines(caption.rules, FontKey.REGULAR, small, room))
        note_pt = small if lines else self._scale.caption
        lines += self._lines(caption.note, FontKey.SEMIBOLD, note_pt, room)
        return (self._block(lines, width_px, above_pt=0.5 * self._scale.caption),) if lines else ()

    def beside(self, caption: Caption, width_px: int) -> PixelBlock:
        """Set all the words of a caption, one below the other."""
        room = self._canvas.pt(width_px)
        words = self._beside_words(caption)
        lines = [line for text, font, size in words for line in self._lines(text, font, size, room)]
        return self._block(lines, width_px)

    def fits_beside(self, caption: Caption, width_px: int) -> bool:
        """Tell whether every word of a caption has room in a column."""
        room = self._canvas.pt(width_px)
        return all(
            self._width(word.strip(" "), font, size) <= room
            for text, font, size in self._beside_words(caption)
            for word in pieces(text, self._measure.language)
        )

    def _packed(self, heading: _Words, details: _Words, stars: int | None, room: float) -> list[_Line]:
        """Put heading, details and stars on as few lines as have room for them."""
        ways = (
            [_Line(heading + details, stars)],
            [_Line(heading, stars), _Line(details)],
            [_Line(heading), _Line(details, stars)],
            [_Line(heading), _Line(details), _Line((), stars)],
        )
        for way in ways:
            lines = [line for line in way if line.words or line.stars is not None]
            if all(self._line_width(line) <= room for line in lines):
                return lines
        raise LayoutError(
            f"five stars are wider than a board of {room:.0f} pt. Make the image wider, or give the grade "
            "in words."
        )

    def _heading_parts(self, text: str, room: float) -> Iterator[tuple[str, FontKey, float]]:
        """Set the heading on one line, in smaller type if need be, or on several if that is too wide."""
        size = self._scale.number
        if self._width(text, FontKey.SEMIBOLD, size) > room:
            size = min(size, self._scale.caption)
        for line in self._wrapped(text, FontKey.SEMIBOLD, size, room):
            yield line, FontKey.SEMIBOLD, size

    def _beside_words(self, caption: Caption) -> Iterator[tuple[str, FontKey, float]]:
        if caption.heading:
            yield caption.heading, FontKey.SEMIBOLD, self._scale.caption
        for text in (caption.details, caption.note, caption.rules):
            if text:
                yield text, FontKey.REGULAR, self._scale.caption

    def _block(
        self, lines: Sequence[_Line], width_px: int, above_pt: float = 0.0, below_pt: float = 0.0
    ) -> PixelBlock:
        canvas = self._canvas
        top = canvas.px(above_pt)
        baselines = []
        for index, line in enumerate(lines):
            size = line.size_pt or self._scale.caption
            text = "".join(words for words, _, _ in line.words)
            if index == 0:
                ascent = _ASCENT * size
                rise = clear_rise(text, size, ascent, self._measure)
                top += canvas.px(rise) + (rise > ascent)  # a pixel for the edge of the marks
            else:
                top += canvas.px(clear_leading(text, size, _LEADING * size, self._measure))
            baselines.append(top)
        last = lines[-1].size_pt if lines else 0.0
        height = top + canvas.px(max(below_pt, _DESCENT * last)) if lines else 0
        items: list[Item] = []
        for line, baseline in zip(lines, baselines, strict=True):
            items += self._set_line(line, canvas.pt(width_px), canvas.pt(height - baseline))
        return PixelBlock(Frame(canvas.pt(width_px), canvas.pt(height), tuple(items)), height)

    def _set_line(self, line: _Line, width_pt: float, y: float) -> Iterator[Item]:
        x = 0.0
        for text, font, size in line.words:
            run = set_text(text, (x, y), self._font(text, font), size, self._measure, Anchor.START)
            yield run
            x += run.width_pt + _GAP * self._scale.number
        if line.stars is not None:
            size = self._scale.caption
            middle = y + _CAPITAL * (line.size_pt or size) / 2
            width = stars_width(STAR * size)
            left = width_pt - width if line.words else 0.0
            yield from star_row(line.stars, left, middle, STAR * size, self._canvas.pt(1))

    def _line_width(self, line: _Line) -> float:
        widths = [self._width(*part) for part in line.words]
        if line.stars is not None:
            widths.append(stars_width(STAR * self._scale.caption))
        return sum(widths) + _GAP * self._scale.number * (len(widths) - 1)

    def _lines(self, text: str, font: FontKey, size_pt: float, room: float) -> Iterator[_Line]:
        for line in self._wrapped(text, font, size_pt, room):
            yield _Line(((line, font, size_pt),))

    def _wrapped(self, text: str, font: FontKey, size_pt: float, room: float) -> Iterator[str]:
        line = ""
        for word in pieces(text, self._measure.language):
            bare = word.strip(" ")
            self._check_room(bare, font, size_pt, room)
            longer = line + word if line else bare
            if self._width(longer, font, size_pt) > room:
                yield line
                longer = bare
            line = longer
        if line:
            yield line

    def _check_room(self, text: str, font: FontKey, size_pt: float, room: float) -> None:
        if self._width(text, font, size_pt) > room:
            raise LayoutError(
                f"the caption's words {text!r} are wider at {size_pt:g} pt than the board. Make the image "
                "wider, use a theme with smaller type, or leave the caption to the manifest."
            )

    def _width(self, text: str, font: FontKey, size_pt: float) -> float:
        return self._measure.width(text, self._font(text, font), size_pt)

    def _font(self, text: str, font: FontKey) -> FontKey:
        return font_for(text, font, self._measure, CAPTION)
