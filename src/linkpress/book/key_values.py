"""Types of the values in a book spec: trim, title, ISBN, seed, board sizes, paths, solid squares, difficulty.

Each type at the end of the module is a Python type with a ``ValueReader`` as its annotation, which reads and
checks the values.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, repeat
from typing import Annotated, Any, Literal

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
from linkpress.engine.difficulty import MOST_DIFFICULTY, Difficulty
from linkpress.engine.recipe import Grade, Span
from linkpress.files import is_device
from linkpress.puzzle.puzzle import MAX_SIDE, MIN_SIDE

PerPageChoice = int | Literal["auto"]

MAX_PUZZLES = 5000
MAX_SEED = 64
MIN_TRIM_MM, MAX_TRIM_MM = 80.0, 450.0
MAX_REPLACEMENT = 999
MAX_PATHS = MAX_SIDE * MAX_SIDE // 2
MAX_SIZES = 20
MIN_WALK_SIDE = 5
ALLOWED_SIZES = (
    f"boards have {MIN_WALK_SIDE} to {MAX_SIDE} squares each way, "
    f"and as few as {MIN_SIDE} with `method: classic`"
)
# A larger seed is kept as text, because JSON readers in other languages round numbers above 2**53.
_MAX_NUMBER_SEED = 10**15

_TRIM_WORDS = "`8.5x11in`, `148x210mm` (width x height) or A4, A5, A6, B5, letter, legal, half-letter"
_PRINTED_NUMBER = f"a puzzle's printed number, 1 to {MAX_PUZZLES}, is needed, as in 17: 1"
_PRICES_WORDS = "list prices by currency, as {USD: 9.99, EUR: 8.99}"
_EDITIONS_WORDS = "short names, each with keys of its own, as {es: {language: es}}"
_SIZE_WORDS = f"`7`, `7x9` (columns x rows) or a list of such, {MIN_WALK_SIDE} to {MAX_SIDE} each way"
_PATHS_WORDS = "one number or a range, as 5-7"
_SOLIDS_WORDS = "a count or a share of all squares: `4`, `2-6`, `5%` or `0-10%`"
_SOLIDS_ALLOWED = "a count as 4 or 2-6, or a share of all squares as 5% or 0-10%, is allowed"
_TECHNIQUE_WORDS = f"{', '.join(grade.label for grade in Grade)}, or a range, as easy-hard"
_DIFFICULTY_WORDS = f"{', '.join(Difficulty)}, or a number from 0 to {MOST_DIFFICULTY}, or a range, as 45-55"
_COUNTS = whole_number(1, MAX_PUZZLES)  # the number of puzzles that a mix sets for one difficulty
_NAME_PATTERN = "[a-z0-9]+(-[a-z0-9]+)*"


# The book


@dataclass(frozen=True, slots=True)
class Trim:
    """Trim size, which is the size of a page after cutting. ``text`` is the size as the author wrote it."""

    width_mm: float
    height_mm: float
    text: str

    @property
    def size(self) -> Size:
        return Size(self.width_mm * MM_PT, self.height_mm * MM_PT)

    @property
    def is_metric(self) -> bool:
        return bool(re.search("[mc]m$|^[ab][0-9]$", self.text.strip().lower()))

    @property
    def words(self) -> str:
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
    """Return the ``ValueReader`` for keys that say how many puzzles are on a page.

    Args:
        counts: the allowed numbers. The value ``auto`` is allowed too.
    """
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
    """Book title as one line of text. ``parts`` are the lines on the cover, the title page and the spine."""

    parts: tuple[str, ...]

    def __new__(cls, text: str) -> Title:
        """Make a title from a text. Each ``|`` or line feed in it begins a new line of the title."""
        parts = tuple(filter(None, (part.strip(" ") for part in re.split(r"[|\n]", text))))
        title = super().__new__(cls, " ".join(parts))
        title.parts = parts
        return title

    def __getnewargs__(self) -> tuple[str]:
        return ("|".join(self.parts),)


def title_parts(text: str) -> tuple[str, ...]:
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
    check_digit = _check_digit(digits[:-1])
    if check_digit != digits[-1]:
        message = f"the last digit of this ISBN should be {check_digit}; look for a mistyped digit"
        raise invalid(printable(text), message)
    return text


def _check_digit(body: str) -> str:
    if len(body) == 12:
        return str(-sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(body)) % 10)
    rest = -sum(int(digit) * (10 - place) for place, digit in enumerate(body)) % 11
    return "X" if rest == 10 else str(rest)


def isbn_13(isbn: str) -> str:
    """Return the 13 digits of a valid ISBN. An ISBN of 10 digits gets 978 in front and a new check digit."""
    digits = re.sub("[ -]", "", isbn)
    body = digits[:12] if len(digits) == 13 else f"978{digits[:9]}"
    return body + _check_digit(body)


def _read_seed(value: object) -> int | str:
    text: str = line_of_text(MAX_SEED).read(value)
    number = re.fullmatch(r"0|[1-9][0-9]{0,15}", text)
    return int(text) if number and int(text) <= _MAX_NUMBER_SEED else text


def read_id(value: object) -> str:
    """Read the id of a book or feed, which is also the name of its folder.

    Raises:
        InvalidError: the id contains other characters than lowercase letters, digits and single hyphens,
            or it can't be the name of a folder.
    """
    text = scalar_text(value, "a short name")
    words = text.split("-")
    if (
        len(text) > 80
        or text != text.lower()
        or not all(word and all(map(is_id_letter, word)) for word in words)
    ):
        message = "small letters, digits and single hyphens, up to 80 in all, are allowed"
        raise invalid(printable(text), message)
    if is_device(text):
        raise invalid(text, "Windows keeps this name for a device, and a folder is named so; add a word")
    return text


def is_id_letter(letter: str) -> bool:
    return unicodedata.category(letter)[0] in "LMN"


def replacements(
    read_key: Callable[[object], Any], words: str, key_pattern: str, example: str
) -> ValueReader:
    """Return the ``ValueReader`` for the key ``replace``, which lists puzzles that are to be made again.

    The value of the key is a mapping. It gives each of these puzzles the number of its replacement. A user
    who doesn't like the first replacement raises this number to get another one.

    Args:
        read_key: function that reads a key of the mapping, which is the number or date of a puzzle.
        words: a description of the mapping for messages.
        key_pattern: the regular expression of a key, for the JSON Schema.
        example: an example of an entry, for messages.
    """
    needed = f"the number of the replacement, 1 to {MAX_REPLACEMENT}, is needed, as in {example}"

    def read(value: object) -> Mapping[Any, int]:
        if not isinstance(value, Mapping):
            raise invalid(printable(scalar_text(value, words)), f"{words}, is needed")
        numbers: dict[Any, int] = {}
        problems = []
        for key, number in value.items():
            if number is None:
                problems.append(Problem("", needed, (str(key),)))
                continue
            try:
                numbers[read_key(key)] = _read_count(number, MAX_REPLACEMENT, needed)
            except InvalidError as error:
                problems += [problem.below(str(key)) for problem in error.problems]
        if problems:
            raise InvalidError(*problems)
        return dict(sorted(numbers.items()))

    count = {"type": "integer", "minimum": 1, "maximum": MAX_REPLACEMENT}
    schema = {"type": "object", "patternProperties": {key_pattern: count}, "additionalProperties": False}
    return ValueReader(read, words, schema, lambda numbers: {str(key): each for key, each in numbers.items()})


def _read_count(value: object, most: int, words: str) -> int:
    text = scalar_text(value, words)
    if not re.fullmatch(r"[1-9][0-9]{0,4}", text) or int(text) > most:
        raise invalid(printable(text), words)
    return int(text)


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


def _read_editions(value: object) -> Mapping[str, Mapping[str, Any]]:
    if not isinstance(value, Mapping):
        raise invalid(printable(scalar_text(value, _EDITIONS_WORDS)), f"{_EDITIONS_WORDS}, are needed")
    problems = []
    for name, changes in value.items():
        if not re.fullmatch(_NAME_PATTERN, str(name)) or len(str(name)) > 20:
            message = "its folder gets this name: small letters a-z, digits and hyphens, up to 20 in all"
            problems.append(Problem("", message, (str(name),)))
        elif not isinstance(changes, Mapping) or not changes:
            message = "the keys that differ in this edition are needed, as language: es"
            problems.append(Problem("", message, (str(name),)))
    if problems:
        raise InvalidError(*problems)
    return {str(name): dict(changes) for name, changes in value.items()}


# The puzzles


@dataclass(frozen=True, slots=True)
class BoardSize:
    """Size of a board, written with its columns first: ``7x9``, or ``7`` for a square."""

    rows: int
    cols: int

    @property
    def sides(self) -> str:
        return f"{self.cols}x{self.rows}"

    def __str__(self) -> str:
        return str(self.rows) if self.rows == self.cols else self.sides


@dataclass(frozen=True, slots=True)
class SolidCount:
    """Allowed numbers of solid squares, from ``low`` to ``high``.

    Args:
        low: the lowest number, or the lowest share of all squares.
        high: the highest number or share.
        share: whether ``low`` and ``high`` are shares, as fractions of 1.
    """

    low: Fraction
    high: Fraction
    share: bool

    def span(self, size: BoardSize) -> Span | None:
        """Return the allowed numbers of solid squares on a board of a given size.

        A single share of all squares, such as 10 %, is rounded to a whole number of squares. A range of
        shares, such as 10-20 %, allows all whole numbers of squares in this range. If there are none, return
        None.
        """
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


@dataclass(frozen=True, slots=True)
class Mix:
    """Mix of difficulties in a level, with a number of puzzles for each difficulty.

    The parts are in order from the easiest to the hardest. The ranges of their difficulties don't overlap.
    """

    parts: tuple[tuple[Span, int], ...]

    @property
    def count(self) -> int:
        return sum(count for _, count in self.parts)


@dataclass(frozen=True, slots=True)
class EvenMix:
    """Range of named difficulties, such as ``medium-hard``.

    The puzzles are divided evenly among the names.
    """

    names: tuple[Difficulty, ...]


def parts_of(difficulty: Span | Mix | EvenMix | None) -> tuple[Span, ...]:
    """Return the difficulties that a level asks for, the easiest first."""
    if isinstance(difficulty, EvenMix):
        return tuple(name.points for name in difficulty.names)
    if isinstance(difficulty, Mix):
        return tuple(part for part, _ in difficulty.parts)
    return () if difficulty is None else (difficulty,)


def difficulty_per_puzzle(difficulty: Span | Mix | EvenMix | None, count: int) -> Sequence[Span | None]:
    """Return the required difficulty of each of ``count`` puzzles. In a mix, the easiest puzzles come first.

    If the numbers of a mix add up to less than ``count``, the remaining puzzles get the hardest difficulty of
    the mix. ``mix_problems`` reports this as a problem of the spec.
    """
    if isinstance(difficulty, EvenMix):
        names = difficulty.names
        return [names[index * len(names) // count].points for index in range(count)]
    if isinstance(difficulty, Mix):
        parts = [part for part, many in difficulty.parts for _ in range(many)]
        return [*parts, *repeat(parts[-1], count)][:count]
    return [difficulty] * count


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
        raise invalid(text, ALLOWED_SIZES)
    return BoardSize(rows, cols)


def _span_reader(words: str, most: int, things: str, example: str) -> ValueReader:
    def read(value: object) -> Span:
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

    schema = {"type": ["integer", "string"], "minimum": 1, "pattern": "^[0-9]+( ?[-–] ?[0-9]+)?$"}
    return ValueReader(read, words, schema, control="range")


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


def _read_ends(text: str, names: Sequence[str]) -> tuple[int, int] | None:
    """Read a name or a range of names, such as ``easy-hard``.

    Returns:
        The indexes of the first and the last name in ``names``. None if the text contains any other name.
    """
    ends = [end.strip() for end in re.split("[-–]", text)]
    if len(ends) > 2 or any(end not in names for end in ends):
        return None
    low, high = names.index(ends[0]), names.index(ends[-1])
    if low > high:
        raise invalid(text, f"the low end is above the high end; write {ends[-1]}-{ends[0]}")
    return low, high


def _read_techniques(value: object) -> tuple[Grade, Grade]:
    if isinstance(value, tuple) and len(value) == 2:
        value = _write_techniques((Grade(value[0]), Grade(value[1])))
    text, grades = scalar_text(value, _TECHNIQUE_WORDS).lower(), list(Grade)
    ends = _read_ends(text, [grade.label for grade in grades])
    if ends is None:
        raise invalid(printable(text), f"{_TECHNIQUE_WORDS}, is allowed")
    return grades[ends[0]], grades[ends[1]]


def _write_techniques(grades: tuple[Grade, Grade]) -> str:
    low, high = grades
    return low.label if low == high else f"{low.label}-{high.label}"


def _read_difficulties(value: object) -> Span | EvenMix:
    if isinstance(value, (Span, EvenMix)):
        return value
    text, names = scalar_text(value, _DIFFICULTY_WORDS).lower(), list(Difficulty)
    if found := _read_ends(text, names):
        low, high = found
        return EvenMix(tuple(names[low : high + 1])) if low < high else names[low].points
    ends = [end.strip() for end in re.split("[-–]", text)]
    if len(ends) > 2 or not all(re.fullmatch("[0-9]{1,3}", end) for end in ends):
        raise invalid(printable(text), f"{_DIFFICULTY_WORDS}, is allowed")
    least, most = int(ends[0]), int(ends[-1])
    if least > most:
        raise invalid(text, "the low end is above the high end")
    if most > MOST_DIFFICULTY:
        raise invalid(text, f"difficulties go from 0 to {MOST_DIFFICULTY}")
    return Span(least, most)


def _read_mix_part(value: object) -> Span:
    difficulty = _read_difficulties(value)
    if isinstance(difficulty, EvenMix):
        raise invalid(_write_difficulty(difficulty), "give each name its own number of puzzles")
    return difficulty


def _write_difficulty(difficulty: Span | EvenMix) -> str:
    if isinstance(difficulty, EvenMix):
        return f"{difficulty.names[0]}-{difficulty.names[-1]}"
    return next((name.value for name in Difficulty if name.points == difficulty), str(difficulty))


def _read_difficulties_or_mix(value: object) -> Span | EvenMix | Mix:
    mapping = dict(value.parts) if isinstance(value, Mix) else value
    if not isinstance(mapping, Mapping):
        return _read_difficulties(value)
    parts, problems = [], []
    for name, count in mapping.items():
        try:
            parts.append((_read_mix_part(name), _COUNTS.read(count)))
        except InvalidError as error:
            problems += [problem.below(str(name)) for problem in error.problems]
    parts.sort(key=lambda part: (part[0].low, part[0].high))
    for (easier, _), (harder, _) in pairwise(parts):
        if easier.high >= harder.low:
            both = f"{_write_difficulty(easier)} and {_write_difficulty(harder)}"
            problems.append(Problem(both, "they overlap; each puzzle belongs to one part of a mix"))
    if problems or not parts:
        raise InvalidError(*(problems or [Problem("nothing", f"{_DIFFICULTY_WORDS}, is allowed")]))
    return Mix(tuple(parts))


def _write_difficulties_or_mix(difficulty: Span | EvenMix | Mix) -> object:
    if isinstance(difficulty, Mix):
        return {_write_difficulty(part): count for part, count in difficulty.parts}
    return _write_difficulty(difficulty)


# Field types

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
        f"whole number or text, up to {MAX_SEED} characters",
        {"type": ["integer", "string"], "minLength": 1, "maxLength": MAX_SEED},
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
            "propertyNames": {"pattern": f"^{_NAME_PATTERN}$", "maxLength": 20},
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
        {"type": "string", "pattern": r"^[^\sA-Z./\\_-]+(-[^\sA-Z./\\_-]+)*$", "maxLength": 80},
    ),
]
Replacements = Annotated[
    Mapping[int, int],
    replacements(
        lambda key: _read_count(key, MAX_PUZZLES, _PRINTED_NUMBER),
        "puzzle numbers, each with the number of its replacement, as {17: 1}",
        "^[1-9][0-9]*$",
        "17: 1",
    ),
]
"""Numbers of replacements by the printed numbers of puzzles, in rising order."""

_ONE_SIZE = {
    "anyOf": [
        {"type": "integer", "minimum": MIN_SIDE, "maximum": MAX_SIDE},
        {"type": "string", "pattern": "^[0-9]+( ?[xX×] ?[0-9]+)?$"},
    ]
}
SIZES = ValueReader(
    _read_sizes,
    _SIZE_WORDS,
    {"anyOf": [*_ONE_SIZE["anyOf"], {"type": "array", "items": _ONE_SIZE, "minItems": 1}]},
    lambda sizes: str(sizes[0]) if len(sizes) == 1 else [str(size) for size in sizes],
)
Sizes = Annotated[tuple[BoardSize, ...], SIZES]
Paths = Annotated[Span, _span_reader(_PATHS_WORDS, MAX_PATHS, "paths", "5-7")]
Ages = Annotated[Span, _span_reader("an age in years, or a range such as 5-8", 99, "years", "5-8")]
COUNTED_SOLIDS = ValueReader(
    _read_solids,
    _SOLIDS_WORDS,
    {
        "type": ["integer", "string"],
        "minimum": 0,
        "pattern": "^[0-9]+(\\.[0-9]+)? ?%?( ?[-–] ?[0-9]+(\\.[0-9]+)? ?%?)?$",
    },
)
_TECHNIQUE_PATTERN = "|".join(grade.label for grade in Grade)
TECHNIQUES = ValueReader(
    _read_techniques,
    _TECHNIQUE_WORDS,
    {
        "type": "string",
        "pattern": f"^({_TECHNIQUE_PATTERN})( ?[-–] ?({_TECHNIQUE_PATTERN}))?$",
        "examples": [grade.label for grade in Grade],
    },
    _write_techniques,
    control="range",
)
_NAME_OR_NUMBER = f"({'|'.join(Difficulty)}|[0-9]{{1,3}})"
_DIFFICULTY_PATTERN = f"^{_NAME_OR_NUMBER}( ?[-–] ?{_NAME_OR_NUMBER})?$"
_DIFFICULTY_SCHEMA = {
    "type": ["integer", "string"],
    "minimum": 0,
    "maximum": MOST_DIFFICULTY,
    "pattern": _DIFFICULTY_PATTERN,
    "examples": [name.value for name in Difficulty],
}
DIFFICULTY = ValueReader(
    _read_difficulties, _DIFFICULTY_WORDS, _DIFFICULTY_SCHEMA, _write_difficulty, control="range"
)
Techniques = Annotated[tuple[Grade, Grade], TECHNIQUES]
DifficultyNames = Annotated[Span | EvenMix, DIFFICULTY]
"""Difficulties from the lowest to the highest, or names that take turns."""
DifficultyOrMix = Annotated[
    Span | EvenMix | Mix,
    ValueReader(
        _read_difficulties_or_mix,
        _DIFFICULTY_WORDS,
        {
            "anyOf": [
                _DIFFICULTY_SCHEMA,
                {
                    "type": "object",
                    "patternProperties": {_DIFFICULTY_PATTERN: _COUNTS.schema},
                    "additionalProperties": False,
                    "minProperties": 1,
                },
            ]
        },
        _write_difficulties_or_mix,
        control="range",
    ),
]
