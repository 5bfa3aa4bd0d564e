"""This module reads the values of a book's keys: trim, ISBN, seed, id, puzzles a page, replacements."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, repeat
from typing import Annotated, Any, Generic, Literal, TypeVar

from linkpress.documents.problem import InvalidError, Problem, invalid, printable, read_each
from linkpress.documents.values import (
    MM_PT,
    Size,
    ValueReader,
    line_of_text,
    paragraphs,
    parse_size,
    percent_text,
    read_percent,
    scalar_text,
    suggested_percent,
    whole_number,
)
from linkpress.engine.recipe import MOST_STARS, Grade, Span
from linkpress.files import is_device
from linkpress.puzzle.puzzle import MAX_SIDE, MIN_SIDE

PerPageChoice = int | Literal["auto"]

MAX_PUZZLES = 5000
MIN_TRIM_MM, MAX_TRIM_MM = 80.0, 450.0
_TRIM_WORDS = "`8.5x11in`, `148x210mm` (width x height) or A4, A5, A6, B5, letter, legal, half-letter"
# JSON readers in other languages hold whole numbers exactly up to 2**53 only.
_MAX_NUMBER_SEED = 10**15

MAX_REPLACEMENT = 999
_PRINTED_NUMBER = f"a puzzle's printed number, 1 to {MAX_PUZZLES}, is needed, as in 17: 1"


@dataclass(frozen=True, slots=True)
class Trim:
    """A trim is the size of the cut page, and knows how the author wrote it."""

    width_mm: float
    height_mm: float
    text: str

    @property
    def size(self) -> Size:
        """Return the size in points."""
        return Size(self.width_mm * MM_PT, self.height_mm * MM_PT)

    @property
    def is_metric(self) -> bool:
        """Tell whether the author wrote millimetres, centimetres, or a name such as A5."""
        return bool(re.search("[mc]m$|^[ab][0-9]$", self.text.strip().lower()))

    @property
    def words(self) -> str:
        """Return the size in the author's unit."""
        return f"{self.width_mm:g} × {self.height_mm:g} mm" if self.is_metric else str(self.size)

    def __str__(self) -> str:
        return self.text


def _read_trim(value: object) -> Trim:
    text = value.text if isinstance(value, Trim) else scalar_text(value, _TRIM_WORDS)
    try:
        size = parse_size(text)
    except ValueError:
        raise invalid(printable(text), f"a page size is written {_TRIM_WORDS}") from None
    width_mm, height_mm = (round(side / MM_PT, 4) for side in size)
    if not MIN_TRIM_MM <= min(width_mm, height_mm) <= max(width_mm, height_mm) <= MAX_TRIM_MM:
        raise invalid(text, f"{MIN_TRIM_MM:g} to {MAX_TRIM_MM:g} mm each way are allowed")
    return Trim(width_mm, height_mm, text)


def puzzles_a_page(*counts: int) -> ValueReader:
    """Return the reader of one of some counts, or ``auto``."""
    words = f"{', '.join(map(str, counts))} or auto"

    def read(value: object) -> PerPageChoice:
        text = scalar_text(value, words).lower()
        if text == "auto":
            return "auto"
        if text not in {str(count) for count in counts}:
            raise invalid(printable(text), f"{words} is allowed")
        return int(text)

    return ValueReader(read, words, {"enum": [*counts, "auto"]}, lambda choice: choice)


class Title(str):
    """A title stands on one line, and knows where its author breaks it on cover, title page and spine."""

    parts: tuple[str, ...]

    def __new__(cls, written_title: str) -> Title:
        """Read a title with `|` or a line feed at each break."""
        parts = tuple(part.strip(" ") for part in re.split(r"[|\n]", written_title))
        title = super().__new__(cls, " ".join(filter(None, parts)))
        title.parts = tuple(filter(None, parts))
        return title

    def __getnewargs__(self) -> tuple[str]:
        """Return what a copy is made from."""
        return ("|".join(self.parts),)


def title_parts(text: str) -> tuple[str, ...]:
    """Return the lines into which its author breaks a title; one line for any other text."""
    return text.parts if isinstance(text, Title) else (text,)


def _read_title(value: object) -> Title:
    text = "|".join(value.parts) if isinstance(value, Title) else str(paragraphs(120).read(value))
    title = Title(text)
    if not title:
        raise invalid(printable(text), "a title needs words beside its breaks")
    return title


def _read_isbn(value: object) -> str:
    text = scalar_text(value, "an ISBN of 13 or 10 digits").upper()
    digits = re.sub("[ -]", "", text)
    if not re.fullmatch("(97[89])?[0-9]{9}[0-9X]", digits) or (len(digits) == 13 and digits[-1] == "X"):
        raise invalid(printable(text), "an ISBN has 13 digits (978 or 979 first) or 10; hyphens are ignored")
    right = _check_digit(digits[:-1])
    if right != digits[-1]:
        raise invalid(
            printable(text), f"the last digit should be {right} by the ISBN's own sum; look for a slip"
        )
    return text


def _check_digit(body: str) -> str:
    if len(body) == 12:
        return str(-sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(body)) % 10)
    rest = -sum(int(digit) * (10 - place) for place, digit in enumerate(body)) % 11
    return "X" if rest == 10 else str(rest)


def isbn_13(isbn: str) -> str:
    """Return the 13 digits of a checked ISBN; one of ten gains 978 and another last digit."""
    digits = re.sub("[ -]", "", isbn)
    body = digits[:12] if len(digits) == 13 else f"978{digits[:9]}"
    return body + _check_digit(body)


def _read_seed(value: object) -> int | str:
    text: str = line_of_text(64).read(value)
    number = re.fullmatch(r"0|[1-9][0-9]{0,15}", text)
    return int(text) if number and int(text) <= _MAX_NUMBER_SEED else text


def read_id(value: object) -> str:
    """Read the id of a book or feed."""
    text = scalar_text(value, "a short name")
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", text) or len(text) > 80:
        raise invalid(
            printable(text), "small letters a-z, digits and single hyphens, up to 80 in all, are allowed"
        )
    if is_device(text):
        raise invalid(text, "Windows keeps this name for a device, and a folder is named so; add a word")
    return text


def replacements(
    read_key: Callable[[object], Any], words: str, key_pattern: str, example: str
) -> ValueReader:
    """Return the reader of a mapping from puzzles, by ``read_key``, to which replacement each is to have."""
    needed = f"which replacement is wanted, 1 to {MAX_REPLACEMENT}, must stand behind it, as in {example}"

    def read(value: object) -> Mapping[Any, int]:
        if not isinstance(value, Mapping):
            raise invalid(printable(scalar_text(value, words)), f"{words}, is needed")
        wanted: dict[Any, int] = {}
        problems = []
        for key, which in value.items():
            if which is None:
                problems.append(Problem("", needed, (str(key),)))
                continue
            try:
                wanted[read_key(key)] = _read_count(which, MAX_REPLACEMENT, needed)
            except InvalidError as fault:
                problems += [problem.below(str(key)) for problem in fault.problems]
        if problems:
            raise InvalidError(*problems)
        return dict(sorted(wanted.items()))  # a plain one, which goes to worker processes

    count = {"type": "integer", "minimum": 1, "maximum": MAX_REPLACEMENT}
    schema = {"type": "object", "patternProperties": {key_pattern: count}, "additionalProperties": False}
    return ValueReader(read, words, schema, lambda wanted: {str(key): which for key, which in wanted.items()})


_PRICES_WORDS = "list prices by currency, as {USD: 9.99, EUR: 8.99}"


def _read_prices(value: object) -> Mapping[str, Fraction]:
    if not isinstance(value, Mapping):
        raise invalid(printable(scalar_text(value, _PRICES_WORDS)), f"{_PRICES_WORDS}, are needed")
    prices = {}
    for currency, price in value.items():
        text = f"{float(price):.2f}" if isinstance(price, Fraction) else scalar_text(price, _PRICES_WORDS)
        if not re.fullmatch("[A-Z]{3}", str(currency)):
            message = "a currency is three capitals, as USD, EUR or GBP"
            raise InvalidError(Problem(str(currency), message, (str(currency),)))
        if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,2})?", text):
            raise InvalidError(Problem(printable(text), "a price as 9.99 is needed", (str(currency),)))
        prices[str(currency)] = Fraction(text)
    return prices


_EDITIONS_WORDS = "short names, each with keys of its own, as {es: {language: es}}"


def _read_editions(value: object) -> Mapping[str, Mapping[str, Any]]:
    if not isinstance(value, Mapping):
        raise invalid(printable(scalar_text(value, _EDITIONS_WORDS)), f"{_EDITIONS_WORDS}, are needed")
    problems = []
    for name, changes in value.items():
        if not re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", str(name)) or len(str(name)) > 20:
            message = "its folder gets this name: small letters a-z, digits and hyphens, up to 20 in all"
            problems.append(Problem("", message, (str(name),)))
        elif not isinstance(changes, Mapping) or not changes:
            problems.append(
                Problem("", "what is other in this edition, as language: es, is needed", (str(name),))
            )
    if problems:
        raise InvalidError(*problems)
    return {str(name): dict(changes) for name, changes in value.items()}


def _read_count(value: object, most: int, words: str) -> int:
    text = scalar_text(value, words)
    if not re.fullmatch(r"[1-9][0-9]{0,4}", text) or int(text) > most:
        raise invalid(printable(text), words)
    return int(text)


_USUAL_TRIMS = ["5x8in", "6x9in", "8x10in", "8.5x8.5in", "8.5x11in", "A5", "A4"]
TrimSize = Annotated[Trim, ValueReader(_read_trim, _TRIM_WORDS, {"type": "string", "examples": _USUAL_TRIMS})]
BookTitle = Annotated[
    Title,
    ValueReader(
        _read_title,
        "text, up to 120 characters",
        {"type": ["string", "number"], "minLength": 1, "maxLength": 120},
        lambda title: "|".join(title_parts(title)),
    ),
]
Isbn = Annotated[
    str,
    ValueReader(
        _read_isbn, "ISBN with its check digit", {"type": ["string", "integer"], "pattern": "^[0-9Xx -]+$"}
    ),
]
Seed = Annotated[
    int | str,
    ValueReader(
        _read_seed,
        "whole number or text, up to 64 characters",
        {"type": ["integer", "string"], "minLength": 1, "maxLength": 64},
        lambda seed: seed,
    ),
]
EditionChanges = Annotated[
    Mapping[str, Mapping[str, Any]],
    ValueReader(
        _read_editions,
        _EDITIONS_WORDS,
        {
            "type": "object",
            "propertyNames": {"pattern": "^[a-z0-9]+(-[a-z0-9]+)*$", "maxLength": 20},
            "additionalProperties": {"type": "object", "minProperties": 1},
        },
        dict,
    ),
]
Prices = Annotated[
    Mapping[str, Fraction],
    ValueReader(
        _read_prices,
        _PRICES_WORDS,
        {
            "type": "object",
            "propertyNames": {"pattern": "^[A-Z]{3}$"},
            "additionalProperties": {"type": ["number", "string"], "pattern": r"^[0-9]{1,6}(\.[0-9]{1,2})?$"},
        },
        lambda prices: {currency: f"{float(price):.2f}" for currency, price in prices.items()},
    ),
]
BookId = Annotated[
    str,
    ValueReader(
        read_id,
        "small letters, digits and hyphens",
        {"type": "string", "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$", "maxLength": 80},
    ),
]
Replacements = Annotated[
    Mapping[int, int],
    replacements(
        lambda key: _read_count(key, MAX_PUZZLES, _PRINTED_NUMBER),
        "puzzle numbers, each with which replacement, as {17: 1}",
        "^[1-9][0-9]*$",
        "17: 1",
    ),
]
"""Printed numbers, rising, and which of its replacements each puzzle is to have."""


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


def target_per_puzzle(asked: Asked | Mix[Asked] | None, count: int) -> Sequence[Asked | None]:
    """Return what is asked of each of so many puzzles, those of a mix from the easiest on.

    A mix of fewer, which is a fault of a spec, goes on with its hardest, so that all else can be judged.
    """
    if isinstance(asked, Mix):
        parts = [part for part, many in asked.parts for _ in range(many)]
        return [*parts, *repeat(parts[-1], count)][:count]
    return [asked] * count


def all_targets(asked: Asked | Mix[Asked] | None) -> list[Asked]:
    """Return what is asked of any puzzle; nothing where any will do."""
    return [part for part, _ in asked.parts] if isinstance(asked, Mix) else [] if asked is None else [asked]


def _read_sizes(value: object) -> tuple[BoardSize, ...]:
    if not isinstance(value, (list, tuple)):
        return (_read_size(value),)
    if not 1 <= len(value) <= MAX_SIZES:
        raise invalid(f"a list of {len(value)}", f"1 to {MAX_SIZES} sizes are allowed")
    return tuple(read_each(value, _read_size))


def _read_size(value: object) -> BoardSize:
    text = scalar_text(value, _SIZE_WORDS)
    match = re.fullmatch(r"([0-9]{1,4})(?: ?[x×X] ?([0-9]{1,4}))?", text)
    if match is None:
        raise invalid(printable(text), "a size is written 7 or 7x9 (columns x rows)")
    cols, rows = int(match[1]), int(match[2] or match[1])
    if not (MIN_SIDE <= cols <= MAX_SIDE and MIN_SIDE <= rows <= MAX_SIDE):
        raise invalid(text, f"boards from {MIN_SIDE} to {MAX_SIDE} squares each way are allowed")
    return BoardSize(rows, cols)


def _read_span(value: object, words: str, most: int, things: str, example: str) -> Span:
    text = str(value) if isinstance(value, Span) else scalar_text(value, words)
    match = re.fullmatch(r"([0-9]{1,9})(?: ?[-–] ?([0-9]{1,9}))?", text)
    if match is None:
        raise invalid(printable(text), f"a number of {things} or a range, as {example}, is allowed")
    low, high = int(match[1]), int(match[2] or match[1])
    if low > high:
        raise invalid(text, "the low end is above the high end")
    if low < 1 or high > most:
        raise invalid(text, f"1 to {most} {things} are allowed")
    return Span(low, high)


def _read_solids(value: object) -> SolidCount:
    text = str(value) if isinstance(value, SolidCount) else scalar_text(value, _SOLIDS_WORDS)
    match = re.fullmatch(r"([0-9.]+) ?(%)?(?: ?[-–] ?([0-9.]+) ?(%)?)?", text)
    if match is None:
        raise invalid(printable(text), _SOLIDS_ALLOWED)
    first, first_mark, second, second_mark = match.groups()
    if first_mark and second and not second_mark:
        raise invalid(printable(text), "one end is a share and the other a count; write 5-10% or 2-6")
    share = bool(first_mark or second_mark)
    low, high = (_solid_share if share else _solid_count)(text, first, second or first)
    if low > high:
        raise invalid(printable(text), "the low end is above the high end")
    return SolidCount(low, high, share)


def _solid_share(text: str, *ends: str) -> list[Fraction]:
    shares = [read_percent(f"{end}%") for end in ends]
    if 1 in shares:
        raise invalid(printable(text), "a board needs free squares; less than 100% may be solid")
    return shares


def _solid_count(text: str, *ends: str) -> list[Fraction]:
    if not all(re.fullmatch(r"[0-9]{1,4}", end) for end in ends):
        raise invalid(printable(text), _SOLIDS_ALLOWED + suggested_percent(text))
    return [Fraction(end) for end in ends]


def _read_grades(value: object) -> tuple[Grade, Grade]:
    if isinstance(value, tuple) and len(value) == 2:
        value = _write_grades((Grade(value[0]), Grade(value[1])))
    text = scalar_text(value, _GRADE_WORDS).lower()
    ends = [end.strip() for end in re.split("[-–]", text)]
    named = {grade.label: grade for grade in Grade}
    if len(ends) > 2 or any(end not in named for end in ends):
        raise invalid(printable(text), f"{_GRADE_WORDS}, is allowed")
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
    counts = whole_number(1, MAX_PUZZLES)

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
