"""This module reads the values of a book's keys: trim, ISBN, seed, id, puzzles a page, replacements."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any, Literal

from linkpress.documents.lengths import MM_PT, Size, parse_size
from linkpress.documents.problem import InvalidError, Problem, invalid, shown
from linkpress.documents.values import ValueReader, line_of_text, paragraphs, written
from linkpress.files import is_device

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
    text = value.text if isinstance(value, Trim) else written(value, _TRIM_WORDS)
    try:
        size = parse_size(text)
    except ValueError:
        raise invalid(shown(text), f"a page size is written {_TRIM_WORDS}") from None
    width_mm, height_mm = (round(side / MM_PT, 4) for side in size)
    if not MIN_TRIM_MM <= min(width_mm, height_mm) <= max(width_mm, height_mm) <= MAX_TRIM_MM:
        raise invalid(text, f"{MIN_TRIM_MM:g} to {MAX_TRIM_MM:g} mm each way are allowed")
    return Trim(width_mm, height_mm, text)


def puzzles_a_page(*counts: int) -> ValueReader:
    """Return the reader of one of some counts, or ``auto``."""
    words = f"{', '.join(map(str, counts))} or auto"

    def read(value: object) -> PerPageChoice:
        text = written(value, words).lower()
        if text == "auto":
            return "auto"
        if text not in {str(count) for count in counts}:
            raise invalid(shown(text), f"{words} is allowed")
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
        raise invalid(shown(text), "a title needs words beside its breaks")
    return title


def _read_isbn(value: object) -> str:
    text = written(value, "an ISBN of 13 or 10 digits").upper()
    digits = re.sub("[ -]", "", text)
    if not re.fullmatch("(97[89])?[0-9]{9}[0-9X]", digits) or (len(digits) == 13 and digits[-1] == "X"):
        raise invalid(shown(text), "an ISBN has 13 digits (978 or 979 first) or 10; hyphens are ignored")
    right = _check_digit(digits[:-1])
    if right != digits[-1]:
        raise invalid(shown(text), f"the last digit should be {right} by the ISBN's own sum; look for a slip")
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
    text = written(value, "a short name")
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", text) or len(text) > 80:
        raise invalid(
            shown(text), "small letters a-z, digits and single hyphens, up to 80 in all, are allowed"
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
            raise invalid(shown(written(value, words)), f"{words}, is needed")
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
        raise invalid(shown(written(value, _PRICES_WORDS)), f"{_PRICES_WORDS}, are needed")
    prices = {}
    for currency, price in value.items():
        text = f"{float(price):.2f}" if isinstance(price, Fraction) else written(price, _PRICES_WORDS)
        if not re.fullmatch("[A-Z]{3}", str(currency)):
            message = "a currency is three capitals, as USD, EUR or GBP"
            raise InvalidError(Problem(str(currency), message, (str(currency),)))
        if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,2})?", text):
            raise InvalidError(Problem(shown(text), "a price as 9.99 is needed", (str(currency),)))
        prices[str(currency)] = Fraction(text)
    return prices


_EDITIONS_WORDS = "short names, each with keys of its own, as {es: {language: es}}"


def _read_editions(value: object) -> Mapping[str, Mapping[str, Any]]:
    if not isinstance(value, Mapping):
        raise invalid(shown(written(value, _EDITIONS_WORDS)), f"{_EDITIONS_WORDS}, are needed")
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
    text = written(value, words)
    if not re.fullmatch(r"[1-9][0-9]{0,4}", text) or int(text) > most:
        raise invalid(shown(text), words)
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
