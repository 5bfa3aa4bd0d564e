from typing import Annotated

import pytest
from pydantic import TypeAdapter, ValidationError

from linkpress.book.book_values import BookId, Isbn, Prices, Seed, TrimSize, isbn_13, puzzles_a_page

PerPage = Annotated[object, puzzles_a_page(1, 2, 4)]


def fault_of(kind, value):
    with pytest.raises(ValidationError, match=r"\d validation error") as caught:
        TypeAdapter(kind).validate_python(value)
    return str(caught.value.errors()[0]["ctx"]["error"])


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("8.5x11in", (215.9, 279.4)),
        ("8.5 x 11 in", (215.9, 279.4)),
        ("6inx9in", (152.4, 228.6)),
        ("148×210mm", (148, 210)),
        ("14.8x21cm", (148, 210)),
        ("a4", (210, 297)),
        ("Letter", (215.9, 279.4)),
    ],
)
def test_a_trim_is_a_size_or_a_name(text, sides):
    trim = TypeAdapter(TrimSize).validate_python(text)
    assert (trim.width_mm, trim.height_mm) == pytest.approx(sides)
    assert TypeAdapter(TrimSize).dump_python(trim, mode="json") == text
    assert TypeAdapter(TrimSize).validate_python(trim) == trim


@pytest.mark.parametrize("text", ["A9", "8.5x11", "8.5inx11mm", "letterhead", "8.5x11 parsec"])
def test_what_is_no_page_size_is_told_how_to_write_one(text):
    assert "a page size is written" in fault_of(TrimSize, text)


@pytest.mark.parametrize("text", ["3x5in", "20x20in", "0x0mm"])
def test_a_trim_out_of_range_is_refused(text):
    assert "80 to 450 mm" in fault_of(TrimSize, text)


@pytest.mark.parametrize("text", ["978-3-16-148410-0", "9783161484100", "0-306-40615-2", "080442957X"])
def test_an_isbn_with_its_right_digit_is_kept_as_written(text):
    assert TypeAdapter(Isbn).validate_python(text) == text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("978-3-16-148410-1", "should be 0"),
        ("0804429571", "should be X"),
        ("123", "13 digits"),
        ("977-3-16-148410-0", "13 digits"),
        ("978316148410X", "13 digits"),
    ],
)
def test_a_slip_in_an_isbn_is_found(text, said):
    assert said in fault_of(Isbn, text)


@pytest.mark.parametrize(
    ("value", "meant"),
    [
        ("20261120", 20261120),
        (20261120, 20261120),
        ("007", "007"),
        ("9" * 30, "9" * 30),
        ("spring", "spring"),
    ],
)
def test_a_seed_is_a_number_where_its_text_is_one(value, meant):
    seed = TypeAdapter(Seed).validate_python(value)
    assert seed == meant
    assert type(seed) is type(meant)


def test_puzzles_a_page_are_a_choice():
    assert TypeAdapter(PerPage).validate_python("4") == 4
    assert TypeAdapter(PerPage).validate_python("Auto") == "auto"
    assert "1, 2, 4 or auto is allowed" in fault_of(PerPage, "3")


@pytest.mark.parametrize("text", ["../up", "Über", "a--b", "-a", "a/b", "", "a" * 81])
def test_an_id_can_not_leave_its_folder(text):
    assert "small letters" in fault_of(BookId, text)


@pytest.mark.parametrize(
    ("isbn", "digits"),
    [
        ("978-3-16-148410-0", "9783161484100"),
        ("3-16-148410-X", "9783161484100"),
        ("9791234567896", "9791234567896"),
    ],
)
def test_an_isbn_of_ten_digits_becomes_one_of_thirteen(isbn, digits):
    assert isbn_13(isbn) == digits


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("9.99", "list prices by currency, as "),
        ({"eur": "9.99"}, "a currency is three capitals, as USD, EUR or GBP"),
        ({"EUR": "9,99"}, "a price as 9.99 is needed"),
    ],
)
def test_what_is_no_price_says_how_one_is_written(value, said):
    assert said in fault_of(Prices, value)
