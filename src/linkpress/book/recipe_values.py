"""This module reads the values that say what a puzzle is: sizes, path counts, solids, grades."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, repeat
from typing import Annotated, Any, Generic, TypeVar

from linkpress.book.book_values import MAX_PUZZLES
from linkpress.documents.problem import InvalidError, Problem, invalid, read_each, shown
from linkpress.documents.values import (
    ValueReader,
    percent_text,
    read_percent,
    suggested_percent,
    whole,
    written,
)
from linkpress.engine.recipe import MOST_STARS, Grade, Span
from linkpress.puzzle.puzzle import MAX_SIDE, MIN_SIDE

MAX_PATHS = MAX_SIDE * MAX_SIDE // 2
MAX_SIZES = 20

_SIZE_WORDS = f"`7`, `7x9` (columns x rows) or a list of such, {MIN_SIDE} to {MAX_SIDE} each way"
_PATHS_WORDS = "one number or a range, as 5-7"
_SOLIDS_WORDS = "a count or a share of all squares: `4`, `2-6`, `5%` or `0-10%`"
_SOLIDS_ALLOWED = "a count as 4 or 2-6, or a share of all squares as 5% or 0-10%, is allowed"
_GRADE_WORDS = f"{', '.join(grade.label for grade in Grade)}, or a range, as easy-hard"
_STARS_WORDS = f"1 to {MOST_STARS}, or a range, as 3-4"


@dataclass(frozen=True, slots=True)
class BoardSize:
    """A board's size is written columns first, as ``7x9``, or ``7`` when square."""

    rows: int
    cols: int

    @property
    def sides(self) -> str:
        """Return both sides, for messages: ``7x7``."""
        return f"{self.cols}x{self.rows}"

    def __str__(self) -> str:
        return str(self.rows) if self.rows == self.cols else self.sides


@dataclass(frozen=True, slots=True)
class SolidCount:
    """A solid count is a number of solid squares, or a range of them; ``share`` makes them shares of 1."""

    low: Fraction
    high: Fraction
    share: bool

    def span(self, size: BoardSize) -> Span | None:
        """Return the counts meant on a board: a range's, the one nearest to a share, or None without any."""
        if not self.share:
            return Span(int(self.low), int(self.high))
        squares = size.rows * size.cols
        if self.low == self.high:
            nearest = math.floor(self.low * squares + Fraction(1, 2))
            return Span(nearest, nearest)
        low, high = math.ceil(self.low * squares), math.floor(self.high * squares)
        return Span(low, high) if low <= high else None

    def __str__(self) -> str:
        ends = [self.low] if self.low == self.high else [self.low, self.high]
        if self.share:
            return "-".join(percent_text(end).removesuffix("%") for end in ends) + "%"
        return "-".join(str(end) for end in ends)


Asked = TypeVar("Asked")
Asked_co = TypeVar("Asked_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Mix(Generic[Asked_co]):
    """A mix has so many puzzles of each kind, the easiest first; no two kinds have anything in common."""

    parts: tuple[tuple[Asked_co, int], ...]

    @property
    def count(self) -> int:
        """Return the number of puzzles in all parts."""
        return sum(count for _, count in self.parts)


def each_asked(asked: Asked | Mix[Asked] | None, count: int) -> Sequence[Asked | None]:
    """Return what is asked of each of so many puzzles, those of a mix from the easiest on.

    A mix of fewer, which is a fault of a spec, goes on with its hardest, so that all else can be judged.
    """
    if isinstance(asked, Mix):
        parts = [part for part, many in asked.parts for _ in range(many)]
        return [*parts, *repeat(parts[-1], count)][:count]
    return [asked] * count


def all_asked(asked: Asked | Mix[Asked] | None) -> list[Asked]:
    """Return what is asked of any puzzle; nothing where any will do."""
    return [part for part, _ in asked.parts] if isinstance(asked, Mix) else [] if asked is None else [asked]


def _read_sizes(value: object) -> tuple[BoardSize, ...]:
    if not isinstance(value, (list, tuple)):
        return (_read_size(value),)
    if not 1 <= len(value) <= MAX_SIZES:
        raise invalid(f"a list of {len(value)}", f"1 to {MAX_SIZES} sizes are allowed")
    return tuple(read_each(value, _read_size))


def _read_size(value: object) -> BoardSize:
    text = written(value, _SIZE_WORDS)
    match = re.fullmatch(r"([0-9]{1,4})(?: ?[x×X] ?([0-9]{1,4}))?", text)
    if match is None:
        raise invalid(shown(text), "a size is written 7 or 7x9 (columns x rows)")
    cols, rows = int(match[1]), int(match[2] or match[1])
    if not (MIN_SIDE <= cols <= MAX_SIDE and MIN_SIDE <= rows <= MAX_SIDE):
        raise invalid(text, f"boards from {MIN_SIDE} to {MAX_SIDE} squares each way are allowed")
    return BoardSize(rows, cols)


def _read_span(value: object, words: str, most: int, things: str, example: str) -> Span:
    text = str(value) if isinstance(value, Span) else written(value, words)
    match = re.fullmatch(r"([0-9]{1,9})(?: ?[-–] ?([0-9]{1,9}))?", text)
    if match is None:
        raise invalid(shown(text), f"a number of {things} or a range, as {example}, is allowed")
    low, high = int(match[1]), int(match[2] or match[1])
    if low > high:
        raise invalid(text, "the low end is above the high end")
    if low < 1 or high > most:
        raise invalid(text, f"1 to {most} {things} are allowed")
    return Span(low, high)


def _read_solids(value: object) -> SolidCount:
    text = str(value) if isinstance(value, SolidCount) else written(value, _SOLIDS_WORDS)
    match = re.fullmatch(r"([0-9.]+) ?(%)?(?: ?[-–] ?([0-9.]+) ?(%)?)?", text)
    if match is None:
        raise invalid(shown(text), _SOLIDS_ALLOWED)
    first, first_mark, second, second_mark = match.groups()
    if first_mark and second and not second_mark:
        raise invalid(shown(text), "one end is a share and the other a count; write 5-10% or 2-6")
    share = bool(first_mark or second_mark)
    low, high = (_solid_share if share else _solid_count)(text, first, second or first)
    if low > high:
        raise invalid(shown(text), "the low end is above the high end")
    return SolidCount(low, high, share)


def _solid_share(text: str, *ends: str) -> list[Fraction]:
    shares = [read_percent(f"{end}%") for end in ends]
    if 1 in shares:
        raise invalid(shown(text), "a board needs free squares; less than 100% may be solid")
    return shares


def _solid_count(text: str, *ends: str) -> list[Fraction]:
    if not all(re.fullmatch(r"[0-9]{1,4}", end) for end in ends):
        raise invalid(shown(text), _SOLIDS_ALLOWED + suggested_percent(text))
    return [Fraction(end) for end in ends]


def _read_grades(value: object) -> tuple[Grade, Grade]:
    if isinstance(value, tuple) and len(value) == 2:
        value = _write_grades((Grade(value[0]), Grade(value[1])))
    text = written(value, _GRADE_WORDS).lower()
    ends = [end.strip() for end in re.split("[-–]", text)]
    named = {grade.label: grade for grade in Grade}
    if len(ends) > 2 or any(end not in named for end in ends):
        raise invalid(shown(text), f"{_GRADE_WORDS}, is allowed")
    low, high = named[ends[0]], named[ends[-1]]
    if low > high:
        raise invalid(text, f"the low end is above the high end; write {high.label}-{low.label}")
    return low, high


def _write_grades(grades: tuple[Grade, Grade]) -> str:
    low, high = grades
    return low.label if low == high else f"{low.label}-{high.label}"


def _or_mix(reader: ValueReader, example: str, key: Callable[[Any], tuple[int, int]]) -> ValueReader:
    """Return the reader of what ``reader`` reads, or of a mix of such with how many puzzles each has."""
    words = f"{reader.words}, or a mix with how many puzzles of each, as {example}"
    counts = whole(1, MAX_PUZZLES)

    def read(value: object) -> Any:
        given = dict(value.parts) if isinstance(value, Mix) else value
        if not isinstance(given, Mapping):
            return reader.read(value)
        parts, problems = [], []
        for asked, count in given.items():
            try:
                parts.append((reader.read(asked), counts.read(count)))
            except InvalidError as fault:
                problems += [problem.below(str(asked)) for problem in fault.problems]
        parts.sort(key=lambda part: key(part[0]))
        for (easier, _), (harder, _) in pairwise(parts):
            if key(easier)[1] >= key(harder)[0]:
                both = f"{reader.write(easier)} and {reader.write(harder)}"
                problems.append(Problem(both, "they overlap; each puzzle belongs to one part of a mix"))
        if problems or not parts:
            raise InvalidError(*(problems or [Problem("nothing", f"{words}, is allowed")]))
        return Mix(tuple(parts))

    pattern = {reader.schema["pattern"]: counts.schema}
    mix = {"type": "object", "patternProperties": pattern, "additionalProperties": False, "minProperties": 1}
    return ValueReader(
        read, words, {"anyOf": [reader.schema, mix]}, lambda asked: _write_asked(asked, reader)
    )


def _write_asked(asked: Any, reader: ValueReader) -> object:
    if isinstance(asked, Mix):
        return {str(reader.write(part)): count for part, count in asked.parts}
    return reader.write(asked)


_ONE_SIZE = {
    "anyOf": [
        {"type": "integer", "minimum": MIN_SIDE, "maximum": MAX_SIDE},
        {"type": "string", "pattern": "^[0-9]+( ?[xX×] ?[0-9]+)?$"},
    ]
}
_GRADE_PATTERN = "|".join(grade.label for grade in Grade)

SIZES = ValueReader(
    _read_sizes,
    _SIZE_WORDS,
    {"anyOf": [*_ONE_SIZE["anyOf"], {"type": "array", "items": _ONE_SIZE, "minItems": 1}]},
    lambda sizes: str(sizes[0]) if len(sizes) == 1 else [str(size) for size in sizes],
)
Sizes = Annotated[tuple[BoardSize, ...], SIZES]
Paths = Annotated[
    Span,
    ValueReader(
        lambda value: _read_span(value, _PATHS_WORDS, MAX_PATHS, "paths", "5-7"),
        _PATHS_WORDS,
        {"type": ["integer", "string"], "minimum": 1, "pattern": "^[0-9]+( ?[-–] ?[0-9]+)?$"},
    ),
]
COUNTED_SOLIDS = ValueReader(
    _read_solids,
    _SOLIDS_WORDS,
    {
        "type": ["integer", "string"],
        "minimum": 0,
        "pattern": "^[0-9]+(\\.[0-9]+)? ?%?( ?[-–] ?[0-9]+(\\.[0-9]+)? ?%?)?$",
    },
)
_GRADES = ValueReader(
    _read_grades,
    _GRADE_WORDS,
    {
        "type": "string",
        "pattern": f"^({_GRADE_PATTERN})( ?[-–] ?({_GRADE_PATTERN}))?$",
        "examples": [grade.label for grade in Grade],
    },
    _write_grades,
)
_STARS = ValueReader(
    lambda value: _read_span(value, _STARS_WORDS, MOST_STARS, "stars", "3-4"),
    _STARS_WORDS,
    {
        "type": ["integer", "string"],
        "minimum": 1,
        "maximum": MOST_STARS,
        "pattern": "^[1-5]( ?[-–] ?[1-5])?$",
    },
)
GradeRange = tuple[Grade, Grade]
Grades = Annotated[GradeRange, _GRADES]
Stars = Annotated[Span, _STARS]
GradesOrMix = Annotated[
    GradeRange | Mix[GradeRange], _or_mix(_GRADES, "{easy: 10, hard: 5}", lambda grades: grades)
]
StarsOrMix = Annotated[
    Span | Mix[Span], _or_mix(_STARS, "{2: 20, 3: 10}", lambda stars: (stars.low, stars.high))
]
