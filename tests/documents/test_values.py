import datetime
from fractions import Fraction
from typing import Annotated

import pytest
from pydantic import TypeAdapter, ValidationError

from linkpress.documents.json_text import MAX_VALUES, parse_json
from linkpress.documents.lengths import Size, parse_length, parse_size
from linkpress.documents.problem import shown
from linkpress.documents.values import (
    Date,
    Share,
    YesNo,
    line_of_text,
    millimetres,
    one_of,
    paragraphs,
    percent_text,
    whole,
)
from linkpress.engine.recipe import Rule


def read(kind, value):
    return TypeAdapter(kind).validate_python(value)


@pytest.mark.parametrize(
    ("kind", "value", "meant"),
    [
        (Annotated[str, line_of_text(20)], " Numberlink 🎲 ", "Numberlink 🎲"),
        (Annotated[str, line_of_text(20)], "u\u0308", "ü"),
        (Annotated[str, line_of_text(20)], "👩\u200d🔬\ufe0f", "👩\u200d🔬\ufe0f"),
        (Annotated[str, line_of_text(20)], 1984, "1984"),
        (Annotated[str, line_of_text(20)], "No", "No"),
        (Annotated[str, paragraphs(20)], "one\r\ntwo", "one\ntwo"),
        (Annotated[int, whole(1, 40)], "40", 40),
        (Annotated[int, whole(1, 40)], 7, 7),
        (Annotated[float, millimetres(3, 40)], "5.5 mm", 5.5),
        (Annotated[float, millimetres(3, 40)], 6, 6.0),
        (Annotated[Rule, one_of(Rule)], "Strict", Rule.STRICT),
        (YesNo, "no", False),
        (YesNo, "TRUE", True),
        (YesNo, True, True),
        (Date, "2026-11-20", datetime.date(2026, 11, 20)),
        (Date, datetime.date(2026, 11, 20), datetime.date(2026, 11, 20)),
        (Share, "12.5%", Fraction(1, 8)),
        (Share, Fraction(2, 5), Fraction(2, 5)),
        (Share, "0%", Fraction(0)),
    ],
)
def test_a_value_is_read_as_meant(kind, value, meant):
    assert read(kind, value) == meant


@pytest.mark.parametrize(
    ("kind", "value", "said"),
    [
        (Annotated[str, line_of_text(5)], "longer", "6 characters — at most 5"),
        (Annotated[str, line_of_text(5)], " ", "nothing — text, up to 5 characters, is needed"),
        (Annotated[str, line_of_text(5)], "\u200b", r"\u200b — nothing of this can be seen"),
        (Annotated[str, line_of_text(5)], "\u3164 \U000e0020", "nothing of this can be seen"),
        (Annotated[str, line_of_text(5)], "\u2800", "nothing of this can be seen"),
        (Annotated[str, paragraphs(5)], "\u200b\n\u200d", "nothing of this can be seen"),
        (Annotated[str, line_of_text(5)], ["a"], "a list — text"),
        (Annotated[str, line_of_text(5)], {"a": 1}, "a mapping — text"),
        (Annotated[str, line_of_text(5)], "a\nb", "U+000A can't be printed"),
        (Annotated[str, line_of_text(5)], "a\ud800", "U+D800 can't be printed"),
        (Annotated[str, line_of_text(5)], "a\u202eb", "U+202E can't be printed"),
        (Annotated[str, line_of_text(5)], "a\ufffe", "U+FFFE can't be printed"),
        (Annotated[str, paragraphs(5)], "a\x07", "U+0007 can't be printed"),
        (Annotated[int, whole(1, 40)], "41", "a whole number from 1 to 40"),
        (Annotated[int, whole(1, 40)], "0", "a whole number from 1 to 40"),
        (Annotated[int, whole(1, 40)], "7.0", "a whole number from 1 to 40"),
        (Annotated[int, whole(1, 40)], "1e1", "a whole number from 1 to 40"),
        (Annotated[int, whole(1, 40)], "9" * 5000, "a whole number from 1 to 40"),
        (Annotated[int, whole(1, 40)], "٣", "a whole number from 1 to 40"),
        (Annotated[int, whole(1, 40)], True, "yes — a whole number"),
        (Annotated[float, millimetres(3, 40)], ".nan", "millimetres from 3 to 40"),
        (Annotated[float, millimetres(3, 40)], float("inf"), "millimetres from 3 to 40"),
        (Annotated[Rule, one_of(Rule)], "loose", "filled, strict or untouching is allowed"),
        (YesNo, "maybe", "yes or no is allowed"),
        (Date, "2026-02-30", "a date of the calendar"),
        (Date, "20 Nov 2026", "a date of the calendar"),
        (Share, "0.4", "write 40% for that share"),
        (Share, "140%", "from 0% to 100%"),
    ],
)
def test_what_a_value_can_not_be_is_said(kind, value, said):
    with pytest.raises(ValidationError, match=r"\d validation error") as caught:
        read(kind, value)
    assert said in str(caught.value.errors()[0]["ctx"]["error"])


def test_a_share_is_written_as_it_is_read():
    assert percent_text(Fraction(1, 8)) == "12.5%"
    assert percent_text(Fraction(1, 1)) == "100%"


def test_marks_without_end_are_refused_before_they_are_put_in_order():
    """A million of two kinds in turn would take minutes to compose."""
    for kind in (line_of_text(200), paragraphs(20_000)):
        with pytest.raises(ValidationError, match=r"more than 30 marks on one letter, as U\+0301"):
            read(Annotated[str, kind], "a" + "\u0301\u0316" * 100)
        with pytest.raises(ValidationError, match="characters — at most"):
            read(Annotated[str, kind], "\u0301\u0316" * 500_000)


def test_a_text_that_is_short_enough_when_composed_is_taken():
    assert read(Annotated[str, line_of_text(3)], "u\u0308\u0304" * 3) == "\u01d6" * 3


def test_what_was_written_is_read_back():
    assert parse_json('{"a": [1, 0.5, null, "ü"]}'.encode()) == {"a": [1, 0.5, None, "ü"]}


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"NaN", b"\xff", b'"\\ud800"', b"[" * 300 + b"]" * 300, b"[" + b"," * MAX_VALUES],
    ids=["nothing", "half", "NaN", "bytes", "surrogate", "deep", "long"],
)
def test_what_cannot_be_written_again_or_is_too_much_is_refused(content):
    with pytest.raises(ValueError):  # noqa: PT011 - each says what it found in its own words
        parse_json(content)


def test_a_key_given_twice_is_named():
    with pytest.raises(ValueError, match='"a" is given twice'):
        parse_json(b'{"b": {"a": 1, "a": 2}}')


def test_lengths_and_sizes_are_read_with_their_units():
    assert parse_length("0.375in") == 27
    assert parse_length("25.4 mm") == 72
    assert parse_size("6x9in") == Size(432, 648)
    assert parse_size("A4").same_as(Size(595.28, 841.89))
    assert parse_size("Letter") == Size(612, 792)


@pytest.mark.parametrize("text", ["6", "6 9in", "in", "-1in", "1e3in", "६in", "9" * 40 + "in"])
def test_what_is_no_length_says_how_one_is_written(text):
    with pytest.raises(ValueError, match=r"0\.375in"):
        parse_length(text)


@pytest.mark.parametrize("text", ["8.5x11", "8.5inx11mm", "A9", "6x9in x"])
def test_what_is_no_page_size_says_how_one_is_written(text):
    with pytest.raises(ValueError, match="is not a page size: write width x height and a unit"):
        parse_size(text)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Ünï 🎲", "Ünï 🎲"),
        ("a\u202eb", r"a\u202eb"),
        ("\x1b[31m\n", r"\x1b[31m\n"),
        ("\U000e0001", r"\U000e0001"),
        ("\ud800", r"\ud800"),
        ("x" * 61, "x" * 59 + "…"),
    ],
)
def test_a_users_text_is_shown_on_one_line_with_what_does_not_print_as_python_writes_it(text, meant):
    assert shown(text) == meant
