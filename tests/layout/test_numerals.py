import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_measure import PlainMeasure

from linkpress.layout.boards.numerals import cell_for_size, set_numeral, smallest_cell_pt
from linkpress.layout.theme import load_theme

CLASSIC, MEASURE = load_theme("classic"), PlainMeasure()


@given(number=st.integers(1, 999), cell=st.floats(5, 80))
def test_no_number_is_wider_than_four_fifths_of_its_square(number: int, cell: float) -> None:
    numeral = set_numeral(number, cell, CLASSIC, MEASURE)
    ink = numeral.width_pt - 0.1 * numeral.size_pt  # 0.05 em of air on either side
    assert ink <= 0.8 * cell + 1e-6


def test_only_a_number_too_wide_for_its_square_is_set_smaller_than_others() -> None:
    one, two, three = (set_numeral(number, 20, CLASSIC, MEASURE).size_pt for number in (5, 51, 107))
    assert one == two > three


def test_digits_of_one_number_are_tightened() -> None:
    assert set_numeral(12, 20, CLASSIC, MEASURE).tracking_pt < 0
    assert set_numeral(7, 20, CLASSIC, MEASURE).tracking_pt == 0


def test_a_number_is_not_set_below_the_least_size() -> None:
    assert set_numeral(7, 10, CLASSIC, MEASURE, min_text_pt=7.0).size_pt == 7.0  # 0.45 × 10 / 0.7 = 6.4


def test_the_smallest_square_still_holds_its_number() -> None:
    # One digit of 7 pt: 0.5 em = 3.5 wide, 0.7 em = 4.9 high; 4.9 / 0.72 is the larger need.
    assert smallest_cell_pt(8, CLASSIC, MEASURE, 7.0) == pytest.approx(4.9 / 0.72)


def test_the_square_for_a_size_follows_from_the_figures_height() -> None:
    assert cell_for_size(CLASSIC, MEASURE, 18.0) == pytest.approx(18 * 0.7 / 0.45)  # 28 pt


@pytest.mark.parametrize("name", ["bold", "soft"])
def test_numbers_on_discs_need_larger_squares(name: str) -> None:
    plain = smallest_cell_pt(88, CLASSIC, MEASURE, 7.0)
    assert smallest_cell_pt(88, load_theme(name), MEASURE, 7.0) > plain
