"""Readers for plain values: text, numbers, lengths, page sizes, yes or no, percentages, choices, dates.

Each kind of value is an ``Annotated`` type with a ``ValueReader``. The reader converts a text from a YAML
file, or a value from a Python script, to a value of this kind. It also has a description of the allowed
values for messages, and a JSON Schema for text editors.
"""

from __future__ import annotations

import datetime
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, core_schema

from linkpress.documents.problem import InvalidError, invalid, listed, printable, visible_text

_KINDS: dict[type, str] = {list: "a list", tuple: "a list", dict: "a mapping", type(None): "nothing"}
YES = frozenset(("yes", "true", "on"))
NO = frozenset(("no", "false", "off"))
# Control characters that change the reading direction. They are refused, because they would also change the
# direction of other text after the value.
_BIDI_CONTROLS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# Invisible joiners and zero-width spaces. They are only needed between two characters of ``_JOINED``.
_JOINERS = "[\u061c\u115f\u1160\u200b-\u200f]+"
# Variation selectors: invisible characters that choose a form of the character before them. They are only
# needed after symbols, and after letters of Mongolian, Myanmar and East Asia.
_SELECTORS = "[\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]+"
# Characters that invisible joiners may connect: emoji, and letters of many scripts such as Hebrew and Thai.
_JOINED = "[\u0590-\u1fff\u2c00-\U0010ffff]"
# Matches invisible characters that have no effect on a text. Users often copy them by mistake. ``_JOINERS``
# and ``_SELECTORS`` are only matched where they are not needed.
_STRAY = (
    "[\u034f\u17b4\u17b5\u180e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff]+"
    f"|(?<![\u1000-\u109f\u1800-\u18af\u2190-\u2bff\u2e80-\ufaff\U0001f000-\U0003ffff]){_SELECTORS}"
    f"|(?<!{_JOINED}){_JOINERS}|{_JOINERS}(?!{_JOINED})"
)
# White space, and the empty cell of Braille, which looks blank although Unicode calls it a symbol.
_BLANK = re.compile(r"[\s\u2800]*")
# The largest number of characters that Unicode's normal form NFC can combine into one character.
_DECOMPOSED = 4
# The largest number of combining marks on one letter. The Unicode standard (UAX #15) sets this limit for
# streams of text. No language needs more than 3.
_MARKS_IN_A_ROW = 30


# Page sizes

MM_PT = 72 / 25.4
_UNITS_PT = {"pt": 1.0, "in": 72.0, "mm": MM_PT, "cm": 72 / 2.54}
_NUMBER = r"([0-9]{1,5}(?:\.[0-9]{1,9})?)"
_LENGTH = re.compile(rf"{_NUMBER}\s*(pt|in|mm|cm)")
_SIZE = re.compile(rf"{_NUMBER}\s*(pt|in|mm|cm)?\s*[x×X]\s*{_NUMBER}\s*(pt|in|mm|cm)")


class Size(NamedTuple):
    """Width and height of a page in points. For a picture, the two fields have its size in pixels."""

    width_pt: float
    height_pt: float

    def __str__(self) -> str:
        return f"{trimmed(self.width_pt / 72)} × {trimmed(self.height_pt / 72)} in"

    def same_as(self, other: Size, tolerance_pt: float = 0.1) -> bool:
        """Return whether two sizes are equal within a tolerance.

        A tolerance is needed because a page in millimetres never has exactly a size that is given in inches.
        """
        return (
            abs(self.width_pt - other.width_pt) <= tolerance_pt
            and abs(self.height_pt - other.height_pt) <= tolerance_pt
        )


_LEAST_PIXELS = 300
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
    """Convert a length such as ``0.375in`` or ``3 mm`` to points; raise ``ValueError`` if it has no unit."""
    match = _LENGTH.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{text!r} is not a length: write a number and in, mm, cm or pt, as in 0.375in")
    return round(float(match[1]) * _UNITS_PT[match[2]], 9)


def parse_pixels(text: str) -> int | None:
    """Return the pixels in a width such as ``600px`` or ``1080x1080``; None for a width in another unit.

    A number without a unit is also in pixels if it is so large that no image has this width in millimetres. A
    height after the width is ignored, because the shape of the board decides how high the image is.
    """
    match = re.fullmatch(r" *([0-9]{1,5})(?: ?[x×] ?[0-9]+)? *(px|pixels?)? *", text)
    return int(match[1]) if match and (match[2] or int(match[1]) >= _LEAST_PIXELS) else None


def parse_size(text: str) -> Size:
    """Read a page size such as ``6x9in`` (width first) or ``A4``; raise ``ValueError`` for any other text."""
    if named := _NAMED_SIZES.get(text.strip().lower()):
        return named
    match = _SIZE.fullmatch(text.strip())
    if match is None or (match[2] or match[4]) != match[4]:
        raise ValueError(
            f"{text!r} is not a page size: write width x height and a unit, as in 6x9in or 148x210mm, "
            f"or one of {', '.join(sorted(_NAMED_SIZES))}"
        )
    unit_pt = _UNITS_PT[match[4]]
    return Size(round(float(match[1]) * unit_pt, 9), round(float(match[3]) * unit_pt, 9))


def trimmed(value: float, decimals: int = 3) -> str:
    """Write a number with at most the given number of decimals, and without zeros at the end."""
    text = f"{value:.{decimals}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


# Readers


@dataclass(frozen=True, eq=False)
class ValueReader:
    """Reader for one kind of value. It is used as an annotation in the fields of models.

    Args:
        read: function that takes the string from a file, or the object that a script gives, and returns the
            value for the model. It raises ``InvalidError`` if the value is not allowed.
        words: a description of the allowed values, for messages and the documentation.
        schema: the JSON Schema of the allowed values.
        write: function that converts the value back to something that ``read`` accepts. By default, it
            converts the value to a string.
        control: the kind of input field in the form of ``linkpress studio``: ``ink``, ``length``, ``lines``,
            ``picture`` or ``range``; empty for a plain field.
    """

    read: Callable[[object], Any]
    words: str
    schema: Mapping[str, Any]
    write: Callable[[Any], object] = str
    control: str = ""

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(
            self.read,
            serialization=core_schema.plain_serializer_function_ser_schema(
                self.write, when_used="json-unless-none"
            ),
        )

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return dict(self.schema)


@dataclass(frozen=True)
class DefaultText:
    """Annotation of a key whose default depends on other keys. It describes this default in words."""

    words: str


def scalar_text(value: object, allowed: str) -> str:
    """Return a single value as text without surrounding spaces.

    Args:
        value: the value in a file or from a script.
        allowed: a description of the allowed values, for the error message.
    Raises:
        InvalidError: the value is a list, a mapping or missing.
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (str, int, float, Fraction, datetime.date)):
        return str(value).strip()
    raise invalid(_KINDS.get(type(value), type(value).__name__), allowed)


def parsed_text(
    parse: Callable[[str], object],
    words: str,
    allowed: str = "",
    schema: Mapping[str, Any] = MappingProxyType({"type": "string"}),
    write: Callable[[Any], object] = str,
) -> ValueReader:
    """Return a ``ValueReader`` that reads a text and converts it to a value by the function ``parse``.

    Args:
        parse: function that converts a text to the value. It raises ``ValueError``, ``LookupError`` or
            ``OSError`` if the text is not allowed, or ``InvalidError`` with a message of its own.
        words: a description of the allowed values.
        allowed: the message about a text that is not allowed. If it is empty, the message is ``words``.
        schema: the JSON Schema of the allowed values.
        write: function that converts the value back to text.
    """

    def read(value: object) -> object:
        text = scalar_text(value, allowed or words)
        try:
            return parse(text)
        except InvalidError:
            raise
        except (ValueError, LookupError, OSError):
            raise invalid(printable(text), allowed or words) from None

    return ValueReader(read, words, schema, write)


def matching(pattern: str, words: str, allowed: str, schema: Mapping[str, Any] | None = None) -> ValueReader:
    """Return a ``ValueReader`` that reads texts and requires them to match a regular expression.

    The other arguments are the same as for ``parsed_text``.
    """

    def parse(text: str) -> str:
        if not re.fullmatch(pattern, text):
            raise ValueError(text)
        return text

    return parsed_text(parse, words, allowed, schema or {"type": "string"})


def value_text(value: object) -> str:
    return _KINDS.get(type(value)) or printable(str(value))


def line_of_text(most: int, name: str = "text") -> ValueReader:
    return _text_reader(f"{name}, up to {most} characters", most, "", ["string", "number"])


def paragraphs(most: int, counted: Callable[[str], str] = str) -> ValueReader:
    """Return a ``ValueReader`` that reads texts of several lines.

    Args:
        most: the largest number of characters.
        counted: function that returns the part of a text that the limit applies to; by default,
            the whole text.
    """
    words = f"text of one or more lines, up to {most} characters"
    return replace(_text_reader(words, most, "\n", "string", counted), control="lines")


def _text_reader(
    words: str, most: int, control: str, kind: str | list[str], counted: Callable[[str], str] = str
) -> ValueReader:
    """Return a ``ValueReader`` that reads texts and refuses characters that can't be printed.

    Args:
        words: a description of the allowed texts, for messages.
        most: the largest number of characters.
        control: the control characters that a text may contain.
        kind: the type of the value in the JSON Schema.
        counted: function that returns the part of a text that the limit applies to; by default,
            the whole text.
    """

    def read(value: object) -> str:
        text = _normalize(scalar_text(value, words), most).replace("\r\n", "\n")
        for letter in () if text.isprintable() else text:
            if letter not in control and _is_unprintable(letter):
                message = f"the character U+{ord(letter):04X} can't be printed; leave it out"
                raise invalid(printable(text), message)
        if not text:
            raise invalid("nothing", f"{words}, is needed")
        if _BLANK.fullmatch(visible := visible_text(text)):
            raise invalid(printable(text), "this text is invisible in print; write some letters")
        # Compiling the pattern takes 8 ms. So use it only for texts that contain invisible characters.
        if visible != text:
            text = re.sub(_STRAY, "", text)
        text = text.strip()
        if (length := len(counted(text))) > most:
            raise invalid(f"{length} characters", f"at most {most} are allowed")
        return text

    return ValueReader(read, words, {"type": kind, "minLength": 1, "maxLength": most})


def _is_unprintable(letter: str) -> bool:
    is_control = unicodedata.category(letter) in {"Cc", "Cs", "Zl", "Zp"} or letter in _BIDI_CONTROLS
    # The second condition is true for the last two code points of each plane, which are noncharacters.
    return is_control or ord(letter) & 0xFFFE == 0xFFFE


def whole_number(low: int, high: int) -> ValueReader:
    """Return a ``ValueReader`` that reads whole numbers from ``low`` to ``high``."""
    words, allowed = f"whole number, {low} to {high}", f"a whole number from {low} to {high}"
    return _number_reader(r"([0-9]{1,9})", int, words, allowed, _limits("integer", low, high))


def number(low: float, high: float, unit: str) -> ValueReader:
    """Return a ``ValueReader`` that reads numbers from ``low`` to ``high``.

    ``unit`` is a word such as "points" for its messages. In a file, the numbers have no unit.
    """
    words, allowed = f"{unit}, {low:g} to {high:g}", f"a number from {low:g} to {high:g} ({unit})"
    return _number_reader(
        r"([0-9]{1,4}(?:\.[0-9]{1,6})?)", float, words, allowed, _limits("number", low, high)
    )


def millimetres(low: float, high: float) -> ValueReader:
    """Return a ``ValueReader`` that reads lengths in millimetres, with or without ``mm`` after the number."""
    words = f"millimetres, {low:g} to {high:g}"
    allowed = f"a number of millimetres from {low:g} to {high:g}"
    schema = _limits(["number", "string"], low, high) | {"pattern": r"^[0-9]+(\.[0-9]+)? ?(mm)?$"}
    return _number_reader(r"([0-9]{1,5}(?:\.[0-9]{1,6})?) ?(?:mm)?", float, words, allowed, schema)


def _limits(kind: str | list[str], low: float, high: float) -> dict[str, Any]:
    return {"type": kind, "minimum": low, "maximum": high}


def _number_reader(
    pattern: str, kind: type[Any], words: str, allowed: str, schema: dict[str, Any]
) -> ValueReader:
    def read(value: object) -> Any:
        text = scalar_text(value, words)
        match = re.fullmatch(pattern, text)
        if match is None or not schema["minimum"] <= kind(match[1]) <= schema["maximum"]:
            raise invalid(printable(text), f"{allowed} is allowed")
        return kind(match[1])

    return ValueReader(read, words, schema, kind)


class PixelMode(StrEnum):
    """Kind of pixels of an image: black and white only, greys, or colours."""

    ONE_BIT = "1bit"
    GRAY = "gray"
    RGB = "rgb"


def one_of(kind: type[StrEnum]) -> ValueReader:
    """Return a ``ValueReader`` that reads a word such as ``gray`` as a member of an enumeration."""
    words = [member.value for member in kind]

    def read(value: object) -> StrEnum:
        text = scalar_text(value, " or ".join(words))
        if text.lower() not in words:
            raise invalid(printable(text), f"{listed(words, 'or')} is allowed")
        return kind(text.lower())

    return ValueReader(read, listed([f"`{word}`" for word in words], "or"), {"enum": words})


def some_of(words: Iterable[str]) -> ValueReader:
    """Return a ``ValueReader`` that reads one word or a list of words, such as ``png`` or ``[png, svg]``.

    It converts both to a tuple of words, in which no word is repeated.

    Args:
        words: the allowed words. If they are the members of an enumeration, the tuple contains such members.
    """
    allowed = {str(word): word for word in words}
    schema = {"enum": list(allowed)}

    def read(value: object) -> tuple[str, ...]:
        values = value if isinstance(value, (list, tuple)) else [value]
        texts = [scalar_text(each, listed(list(allowed), "or")).lower() for each in values]
        unknown = [text for text in texts if text not in allowed]
        if unknown or not texts:
            message = f"one or a list of {', '.join(allowed)} is allowed"
            raise invalid(printable(", ".join(unknown) or "nothing"), message)
        return tuple(dict.fromkeys(allowed[text] for text in texts))

    return ValueReader(
        read,
        f"{', '.join(allowed)} or a list of them",
        {"anyOf": [schema, {"type": "array", "items": schema, "minItems": 1}]},
        lambda chosen: [str(word) for word in chosen],
    )


def _read_yes_no(value: object) -> bool:
    text = scalar_text(value, "yes or no").lower()
    if text not in YES | NO:
        raise invalid(printable(text), "yes or no is allowed")
    return text in YES


def parse_date(text: str) -> datetime.date:
    """Read a date such as 2026-11-20; raise ``ValueError`` for any other text."""
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
        raise ValueError(f"{text!r} is not a date as 2026-11-20")
    return datetime.date.fromisoformat(text)


def read_percent(text: str) -> Fraction:
    """Read a percentage with up to four decimals, such as ``12.5%``, as an exact fraction of 1.

    Raises:
        InvalidError: the text has no percent sign, or the percentage is above 100%.
    """
    match = re.fullmatch(r"([0-9]{1,3}(?:\.[0-9]{1,4})?) ?%", text)
    share = Fraction(match[1]) / 100 if match else Fraction(2)
    if share > 1:
        raise invalid(printable(text), f"a percentage from 0% to 100% is allowed{suggested_percent(text)}")
    return share


def suggested_percent(text: str) -> str:
    """Return the advice to write 5% instead of 0.05; empty if the text is not a fraction such as 0.05."""
    match = re.fullmatch(r"(0?\.[0-9]{1,6})(?: ?- ?(0?\.[0-9]{1,6}))?", text)
    if match is None:
        return ""
    ends = [f"{float(Fraction(end) * 100):g}" for end in match.groups() if end]
    return f"; write {'-'.join(ends)}% for that share"


def percent_text(share: Fraction) -> str:
    return trimmed(float(share * 100), 4) + "%"


def _read_share(value: object) -> Fraction:
    if isinstance(value, Fraction):
        return read_percent(percent_text(value))
    return read_percent(scalar_text(value, "a percentage such as 40%"))


def _normalize(text: str, most: int) -> str:
    """Return a text in Unicode's normal form NFC.

    Raises:
        InvalidError: the text would be longer than ``most`` characters even after it is normalized, or a
            letter has too many combining marks.
    """
    # Check these limits first, because normalizing a letter with n combining marks takes n² steps, and so
    # could take very long.
    if len(text) > _DECOMPOSED * most:
        raise invalid(f"{len(text)} characters", f"at most {most} are allowed")
    if text.isascii():
        return text
    marks = 0
    for letter in text:
        marks = marks + 1 if unicodedata.combining(letter) else 0
        if marks > _MARKS_IN_A_ROW:
            message = f"more than {_MARKS_IN_A_ROW} marks on one letter, as U+{ord(letter):04X}"
            raise invalid(printable(text), message)
    return unicodedata.normalize("NFC", text)


YesNo = Annotated[bool, ValueReader(_read_yes_no, "yes or no", {"enum": [True, False, "yes", "no"]}, bool)]
ShortName = Annotated[
    str,
    matching(
        "[a-z0-9][a-z0-9-]{0,39}", "short name", "small letters, digits and hyphens, up to 40, are allowed"
    ),
]
DATE = parsed_text(
    parse_date,
    "date, as 2026-11-20",
    "a date of the calendar, as 2026-11-20, is allowed",
    {"type": "string", "format": "date"},
)
Date = Annotated[datetime.date, DATE]
Share = Annotated[
    Fraction,
    ValueReader(
        _read_share, "percentage, as 40%", {"type": "string", "pattern": "^[0-9.]+ ?%$"}, percent_text
    ),
]
