"""This module reads plain values: text, whole numbers, yes or no, percentages, words, dates.

Each kind of value is an ``Annotated`` type whose ``ValueReader`` turns the written text, or a script's Python
value, into the value, says in words what may stand there, and has its JSON Schema.
"""

from __future__ import annotations

import datetime
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Any, NamedTuple

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, core_schema

from linkpress.documents.problem import invalid, listed, printable

MM_PT = 72 / 25.4
_POINTS = {"pt": 1.0, "in": 72.0, "mm": MM_PT, "cm": 72 / 2.54}

_NUMBER = r"([0-9]{1,5}(?:\.[0-9]{1,9})?)"
_LENGTH = re.compile(rf"{_NUMBER}\s*(pt|in|mm|cm)")
_SIZE = re.compile(rf"{_NUMBER}\s*(pt|in|mm|cm)?\s*[x×X]\s*{_NUMBER}\s*(pt|in|mm|cm)")


class Size(NamedTuple):
    """A size is the width and height of a page, in points."""

    width_pt: float
    height_pt: float

    def __str__(self) -> str:
        return f"{trimmed(self.width_pt / 72)} × {trimmed(self.height_pt / 72)} in"

    def same_as(self, other: Size, tolerance_pt: float = 0.1) -> bool:
        """Tell whether both sides agree within a tolerance: a sheet named in mm is never exact in inches."""
        return (
            abs(self.width_pt - other.width_pt) <= tolerance_pt
            and abs(self.height_pt - other.height_pt) <= tolerance_pt
        )


_NAMED_SIZES = {
    "a4": Size(210 * MM_PT, 297 * MM_PT),
    "a5": Size(148 * MM_PT, 210 * MM_PT),
    "a6": Size(105 * MM_PT, 148 * MM_PT),
    "b5": Size(176 * MM_PT, 250 * MM_PT),
    "letter": Size(612, 792),
    "legal": Size(612, 1008),
    "half-letter": Size(396, 612),
}


def parse_length(text: str) -> float:
    """Read a length with its unit (in, mm, cm, pt) in points; raise ``ValueError``, with how to write it."""
    match = _LENGTH.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{text!r} is not a length: write a number and in, mm, cm or pt, as in 0.375in")
    return round(float(match[1]) * _POINTS[match[2]], 9)


def parse_size(text: str) -> Size:
    """Read a page size, width first, as ``6x9in`` or A4; raise ``ValueError``, with how to write it."""
    named = _NAMED_SIZES.get(text.strip().lower())
    if named is not None:
        return named
    match = _SIZE.fullmatch(text.strip())
    if match is None or (match[2] or match[4]) != match[4]:
        raise ValueError(
            f"{text!r} is not a page size: write width x height and a unit, as in 6x9in or 148x210mm, "
            f"or one of {', '.join(sorted(_NAMED_SIZES))}"
        )
    unit = _POINTS[match[4]]
    return Size(round(float(match[1]) * unit, 9), round(float(match[3]) * unit, 9))


def trimmed(value: float, decimals: int = 3) -> str:
    """Write a number without zeros at its end."""
    text = f"{value:.{decimals}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


# Embedding and isolating marks turn the reading direction of what follows, past the value's end.
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# Default_Ignorable_Code_Point, as in Unicode's DerivedCoreProperties.txt.
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f-\u1160\u17b4-\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+"
)
_BLANK = re.compile(r"[\s\u2800]*")  # an empty cell of Braille is no space by its class
_DECOMPOSED = 4  # the most characters that become one in NFC
_MARKS_IN_A_ROW = 30  # as UAX #15 has it for streams; the most that a language needs is 3
YES = frozenset(("yes", "true", "on"))
NO = frozenset(("no", "false", "off"))


@dataclass(frozen=True, eq=False)
class ValueReader:
    """A reader knows how one kind of value is read, described and written back.

    Args:
        read: turns what stands in the file into the value, or raises ``InvalidError``.
        words: what may stand there, for messages and tables of keys.
        write: turns the value into something that ``read`` takes back; text by default.
    """

    read: Callable[[object], Any]
    words: str
    schema: Mapping[str, Any]
    write: Callable[[Any], object] = str

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Read values by ``read`` alone, and write them by ``write``."""
        return core_schema.no_info_plain_validator_function(
            self.read,
            serialization=core_schema.plain_serializer_function_ser_schema(
                self.write, when_used="json-unless-none"
            ),
        )

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        """Return the JSON Schema as it was given."""
        return dict(self.schema)


@dataclass(frozen=True)
class DefaultText:
    """These words tell what holds where a key is left out, if its default depends on others."""

    words: str


def scalar_text(value: object, allowed: str) -> str:
    """Return a scalar as its text, without spaces around it; raise ``InvalidError`` for anything else."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (str, int, float, Fraction, datetime.date)):
        return str(value).strip()
    kind = {list: "a list", tuple: "a list", dict: "a mapping", type(None): "nothing"}
    raise invalid(kind.get(type(value), type(value).__name__), allowed)


def line_of_text(most: int, name: str = "text") -> ValueReader:
    """Return the reader of one line of printable text with 1 to ``most`` characters."""
    return _text(f"{name}, up to {most} characters", most, "", ["string", "number"])


def paragraphs(most: int, counted: Callable[[str], str] = str) -> ValueReader:
    """Return the reader of a text of lines with 1 to ``most`` characters, of the part that is ``counted``."""
    return _text(f"text of one or more lines, up to {most} characters", most, "\n", "string", counted)


def _text(
    words: str, most: int, unprinted: str, kind: str | list[str], counted: Callable[[str], str] = str
) -> ValueReader:
    """Return the reader of a text that can be seen; of what does not print it may have ``unprinted`` only."""

    def read(value: object) -> str:
        text = _composed(scalar_text(value, words), most).replace("\r\n", "\n")
        for letter in () if text.isprintable() else text:  # few need to be looked at one by one
            hidden = unicodedata.category(letter) in {"Cc", "Cs", "Zl", "Zp"} or letter in _TURNING
            hidden = hidden or ord(letter) & 0xFFFE == 0xFFFE  # which no XML may hold
            if hidden and letter not in unprinted:
                raise invalid(
                    printable(text), f"the character U+{ord(letter):04X} can't be printed; leave it out"
                )
        if not text:
            raise invalid("nothing", f"{words}, is needed")
        if _BLANK.fullmatch(visible_text(text)):
            raise invalid(printable(text), "nothing of this can be seen in print; write some text")
        if (length := len(counted(text))) > most:
            raise invalid(f"{length} characters", f"at most {most} are allowed")
        return text

    return ValueReader(read, words, {"type": kind, "minLength": 1, "maxLength": most})


def whole_number(low: int, high: int) -> ValueReader:
    """Return the reader of a whole number from ``low`` to ``high``."""
    words, allowed = f"whole number, {low} to {high}", f"a whole number from {low} to {high}"
    schema = {"type": "integer", "minimum": low, "maximum": high}
    return _between(low, high, int, r"([0-9]{1,9})", words, allowed, schema)


def number(low: float, high: float, unit: str) -> ValueReader:
    """Return the reader of a plain number of some unit from ``low`` to ``high``."""
    words, allowed = f"{unit}, {low:g} to {high:g}", f"a number from {low:g} to {high:g} ({unit})"
    schema = {"type": "number", "minimum": low, "maximum": high}
    return _between(low, high, float, r"([0-9]{1,4}(?:\.[0-9]{1,6})?)", words, allowed, schema)


def millimetres(low: float, high: float) -> ValueReader:
    """Return the reader of a length in mm, a plain number or one with ``mm`` behind it."""
    words = f"millimetres, {low:g} to {high:g}"
    allowed = f"a number of millimetres from {low:g} to {high:g}"
    pattern = {"pattern": r"^[0-9]+(\.[0-9]+)? ?(mm)?$"}
    schema = {"type": ["number", "string"], "minimum": low, "maximum": high, **pattern}
    return _between(low, high, float, r"([0-9]{1,5}(?:\.[0-9]{1,6})?) ?(?:mm)?", words, allowed, schema)


def _between(
    low: float, high: float, kind: type[Any], pattern: str, words: str, allowed: str, schema: dict[str, Any]
) -> ValueReader:
    def read(value: object) -> Any:
        text = scalar_text(value, words)
        match = re.fullmatch(pattern, text)
        if match is None or not low <= kind(match[1]) <= high:
            raise invalid(printable(text), f"{allowed} is allowed")
        return kind(match[1])

    return ValueReader(read, words, schema, kind)


def one_of(kind: type[StrEnum]) -> ValueReader:
    """Return the reader of one of an enumeration's words."""
    words = [member.value for member in kind]

    def read(value: object) -> StrEnum:
        text = scalar_text(value, " or ".join(words))
        if text.lower() not in words:
            raise invalid(printable(text), f"{listed(words, 'or')} is allowed")
        return kind(text.lower())

    return ValueReader(read, listed([f"`{word}`" for word in words], "or"), {"enum": words})


def _read_yes_no(value: object) -> bool:
    text = scalar_text(value, "yes or no").lower()
    if text not in YES | NO:
        raise invalid(printable(text), "yes or no is allowed")
    return text in YES


def _read_short_name(value: object) -> str:
    text = scalar_text(value, "a short name")
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,39}", text):
        raise invalid(printable(text), "small letters, digits and hyphens, up to 40, are allowed")
    return text


def parse_date(text: str) -> datetime.date:
    """Read a date of the calendar, written as 2026-11-20 alone; raise ``ValueError`` for any other."""
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
        raise ValueError(f"{text!r} is not a date as 2026-11-20")
    return datetime.date.fromisoformat(text)


def read_date(value: object) -> datetime.date:
    """Read a date of the calendar, as 2026-11-20."""
    text = scalar_text(value, "a date such as 2026-11-20")
    try:
        return parse_date(text)
    except ValueError:
        raise invalid(printable(text), "a date of the calendar, as 2026-11-20, is allowed") from None


def read_percent(text: str) -> Fraction:
    """Read a percentage of up to four decimals as its exact share of 1; raise ``InvalidError`` for others."""
    match = re.fullmatch(r"([0-9]{1,3}(?:\.[0-9]{1,4})?) ?%", text)
    share = Fraction(match[1]) / 100 if match else Fraction(2)
    if share > 1:
        raise invalid(printable(text), f"a percentage from 0% to 100% is allowed{suggested_percent(text)}")
    return share


def suggested_percent(text: str) -> str:
    """Suggest ``; write 5% …`` where the text is a share below 1 such as 0.05, else nothing."""
    match = re.fullmatch(r"(0?\.[0-9]{1,6})(?: ?- ?(0?\.[0-9]{1,6}))?", text)
    if match is None:
        return ""
    ends = [f"{float(Fraction(end) * 100):g}" for end in match.groups() if end]
    return f"; write {'-'.join(ends)}% for that share"


def percent_text(share: Fraction) -> str:
    """Write a share as ``read_percent`` takes it back: ``12.5%``."""
    return trimmed(float(share * 100), 4) + "%"


def _read_share(value: object) -> Fraction:
    if isinstance(value, Fraction):
        return read_percent(percent_text(value))
    return read_percent(scalar_text(value, "a percentage such as 40%"))


def _composed(text: str, most: int) -> str:
    """Bring a text into NFC, if it can be one of at most so many characters.

    To put many marks in a row in order takes time that grows with the square of their number.
    """
    if len(text) > _DECOMPOSED * most:
        raise invalid(f"{len(text)} characters", f"at most {most} are allowed")
    if text.isascii():
        return text
    marks = 0
    for letter in text:
        marks = marks + 1 if unicodedata.combining(letter) else 0
        if marks > _MARKS_IN_A_ROW:
            raise invalid(
                printable(text), f"more than {_MARKS_IN_A_ROW} marks on one letter, as U+{ord(letter):04X}"
            )
    return unicodedata.normalize("NFC", text)


def visible_text(text: str) -> str:
    """Take out of a text what shows nothing: joiners, spaces of no width, and their like."""
    return _UNSEEN.sub("", text)


YesNo = Annotated[bool, ValueReader(_read_yes_no, "yes or no", {"enum": [True, False, "yes", "no"]}, bool)]
ShortName = Annotated[str, ValueReader(_read_short_name, "short name", {"type": "string"})]
Date = Annotated[
    datetime.date, ValueReader(read_date, "date, as 2026-11-20", {"type": "string", "format": "date"})
]
Share = Annotated[
    Fraction,
    ValueReader(
        _read_share, "percentage, as 40%", {"type": "string", "pattern": "^[0-9.]+ ?%$"}, percent_text
    ),
]
