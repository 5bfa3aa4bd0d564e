from fractions import Fraction
from typing import Annotated

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from linkpress.book.key_values import (
    BoardSize,
    BookId,
    DifficultyNames,
    DifficultyOrMix,
    EvenMix,
    Isbn,
    Mix,
    Paths,
    Prices,
    Seed,
    Sizes,
    SolidCount,
    Techniques,
    TrimSize,
    isbn_13,
    puzzles_a_page,
)
from linkpress.book.level import Solids
from linkpress.engine.difficulty import Difficulty
from linkpress.engine.recipe import Grade, Span

PerPage = Annotated[object, puzzles_a_page(1, 2, 4)]


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("8.5x11in", (215.9, 279.4)), ("8.5 x 11 in", (215.9, 279.4)), ("6inx9in", (152.4, 228.6)),
        ("148×210mm", (148, 210)), ("14.8x21cm", (148, 210)), ("a4", (210, 297)), ("Letter", (215.9, 279.4)),
    ],
)  # fmt: skip
def test_a_trim_is_a_size_or_a_name(text, sides):
    trim = TypeAdapter(TrimSize).validate_python(text)
    assert (trim.width_mm, trim.height_mm) == pytest.approx(sides)
    assert TypeAdapter(TrimSize).dump_python(trim, mode="json") == text
    assert TypeAdapter(TrimSize).validate_python(trim) == trim


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("20261120", 20261120), (20261120, 20261120), ("007", "007"), ("9" * 30, "9" * 30),
        ("spring", "spring"),
    ],
)  # fmt: skip
def test_a_seed_written_as_a_number_becomes_a_number(value, expected):
    seed = TypeAdapter(Seed).validate_python(value)
    assert seed == expected
    assert type(seed) is type(expected)


def test_puzzles_per_page_are_a_number_or_auto():
    assert TypeAdapter(PerPage).validate_python("4") == 4
    assert TypeAdapter(PerPage).validate_python("Auto") == "auto"


@pytest.mark.parametrize(
    ("isbn", "digits"),
    [
        ("978-3-16-148410-0", "9783161484100"), ("3-16-148410-X", "9783161484100"),
        ("0-306-40615-2", "9780306406157"), ("9791234567896", "9791234567896"),
    ],
)  # fmt: skip
def test_an_isbn_is_kept_as_written_and_has_thirteen_digits(isbn, digits):
    assert TypeAdapter(Isbn).validate_python(isbn) == isbn
    assert isbn_13(isbn) == digits


REFUSED = [
    *((TrimSize, text, "a page size is written") for text in ("A9", "8.5x11", "8.5inx11mm", "letterhead")),
    (TrimSize, "8.5x11 parsec", "a page size is written"),
    *((TrimSize, text, "80 to 450 mm") for text in ("3x5in", "20x20in", "0x0mm")),
    (Isbn, "978-3-16-148410-1", "should be 0"),
    (Isbn, "0804429571", "should be X"),
    *((Isbn, text, "13 digits") for text in ("123", "977-3-16-148410-0", "978316148410X")),
    # The id is the name of a folder, so it must not lead to another folder.
    *((BookId, text, "small letters") for text in ("../up", "Über", "a--b", "-a", "a/b", "", "a" * 81)),
    (Prices, "9.99", "list prices by currency, as "),
    (Prices, {"eur": "9.99"}, "a currency is three capitals, as USD, EUR or GBP"),
    (Prices, {"EUR": "9,99"}, "a price as 9.99 is needed"),
    (PerPage, "3", "1, 2, 4 or auto is allowed"),
]


@pytest.mark.parametrize(("kind", "value", "message"), REFUSED)
def test_an_invalid_value_is_refused_with_the_allowed_ones(kind, value, message):
    with pytest.raises(ValidationError, match=r"\d validation error") as caught:
        TypeAdapter(kind).validate_python(value)
    assert message in str(caught.value.errors()[0]["ctx"]["error"])


_KINDS = (Sizes, Paths, Solids, Techniques, DifficultyNames, DifficultyOrMix)
KINDS = {kind: TypeAdapter(kind) for kind in _KINDS}


def problems_of(kind, value):
    with pytest.raises(ValidationError, match=r"\d validation error") as caught:
        KINDS[kind].validate_python(value)
    error = caught.value.errors()[0]["ctx"]["error"]
    return [problem.text for problem in error.problems]


def test_a_size_is_written_columns_first():
    assert KINDS[Sizes].validate_python("7x9") == (BoardSize(rows=9, cols=7),)
    sizes = BoardSize(9, 7), BoardSize(7, 7), BoardSize(8, 8)
    assert KINDS[Sizes].validate_python(["7 × 9", "7", 8]) == sizes


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        (Paths, "5", Span(5, 5)), (Paths, 5, Span(5, 5)), (Paths, "5 - 7", Span(5, 7)),
        (Solids, "0", SolidCount(Fraction(0), Fraction(0), False)),
        (Solids, "2-6", SolidCount(Fraction(2), Fraction(6), False)),
        (Solids, "5%", SolidCount(Fraction(1, 20), Fraction(1, 20), True)),
        (Solids, "0-10%", SolidCount(Fraction(0), Fraction(1, 10), True)),
        (Solids, "2.5 % - 10%", SolidCount(Fraction(1, 40), Fraction(1, 10), True)),
        (Techniques, "Medium", (Grade.MEDIUM, Grade.MEDIUM)),
        (Techniques, "easy-hard", (Grade.EASY, Grade.HARD)),
        (DifficultyNames, 34, Span(34, 34)), (DifficultyNames, "45 - 55", Span(45, 55)),
        (DifficultyNames, "Hard", Span(30, 39)),
        (DifficultyOrMix, "medium-hard", EvenMix((Difficulty.MEDIUM, Difficulty.HARD))),
        (DifficultyOrMix, {"hard": 10, "0-12": "20"}, Mix(((Span(0, 12), 20), (Span(30, 39), 10)))),
    ],
)  # fmt: skip
def test_an_amount_is_read_and_written_back(kind, value, expected):
    adapter = KINDS[kind]
    assert adapter.validate_python(value) == expected
    assert adapter.validate_python(adapter.dump_python(expected, mode="json")) == expected
    assert adapter.validate_python(expected) == expected


@pytest.mark.parametrize(
    ("kind", "value", "message"),
    [
        (Sizes, "7x", "a size is written 7 or 7x9"), (Sizes, "2", "boards have 5 to 50"),
        (Sizes, "7x51", "boards have 5 to 50"), (Sizes, [], "1 to 20 sizes"),
        (Sizes, [["7"]], "a list — `7`"), (Paths, "9-3", "9-3 — the low end is above the high end"),
        (Paths, "0", "1 to 1250 paths"), (Paths, "five", "a number of paths or a range"),
        (Solids, "0.05", "write 5% for that share"), (Solids, "0.05-0.1", "write 5-10% for that share"),
        (Solids, "5-100%", "less than 100% may be solid"),
        (Solids, "120%", "from 0% to 100%"), (Solids, "5%-10", "one end is a share and the other a count"),
        (Solids, "10-5%", "the low end is above the high end"), (Solids, "-3", "a count as 4 or 2-6"),
        (Solids, "1.2.3%", "from 0% to 100%"), (Techniques, "tricky", "beginner, easy, medium"),
        (Techniques, "hard-easy", "write easy-hard"),
        (Techniques, {"easy": 3}, "a mapping — beginner, easy, medium"),
        (DifficultyOrMix, "tricky", "easy, medium, hard, expert, extreme, or a number from 0 to 100"),
        (DifficultyOrMix, "hard-easy", "write easy-hard"), (DifficultyOrMix, "34-30", "the low end"),
        (DifficultyOrMix, "120", "difficulties go from 0 to 100"), (DifficultyOrMix, "hard-45", "or a range"),
        (DifficultyOrMix, {"20-30": 2, "hard": 1}, "20-30 and hard — they overlap"),
        (DifficultyOrMix, {"easy-hard": 3}, "easy-hard — give each name its own number of puzzles"),
        (DifficultyNames, {"easy": 3}, "a mapping — easy, medium"),
        (DifficultyOrMix, {"easy": 0, "hard": 3}, "0 — a whole number from 1 to 5000 is allowed"),
        (DifficultyOrMix, {}, "nothing — easy, medium, hard"),
    ],
)  # fmt: skip
def test_an_invalid_amount_is_refused(kind, value, message):
    assert message in problems_of(kind, value)[0]


def test_every_invalid_size_of_a_list_is_reported():
    assert [problem.split(" — ")[0] for problem in problems_of(Sizes, ["7", "60", "2"])] == ["60", "2"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3", Span(3, 3)), ("0-10%", Span(0, 3)), ("5-10%", Span(2, 3)), ("4%", Span(1, 1)),
        ("10%", Span(4, 4)), ("6-8%", None),
    ],
)  # fmt: skip
def test_a_share_of_solids_becomes_a_number_of_squares(text, expected):
    assert KINDS[Solids].validate_python(text).span(BoardSize(rows=5, cols=7)) == expected


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 99), st.integers(0, 99), st.integers(3, 50), st.integers(3, 50))
def test_a_range_of_shares_never_leaves_the_range(a, b, rows, cols):
    low, high = sorted((a, b))
    span = KINDS[Solids].validate_python(f"{low}-{high}%").span(BoardSize(rows, cols))
    if span is not None and low != high:
        assert low * rows * cols <= 100 * span.low
        assert 100 * span.high <= high * rows * cols
