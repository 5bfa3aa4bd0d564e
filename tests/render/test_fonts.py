import pytest

from linkpress.layout.frame import FontKey
from linkpress.render.fonts import FontMeasure, family_name, is_semibold

MEASURE = FontMeasure()


def test_figures_are_tabular() -> None:
    widths = {MEASURE.width(digit, FontKey.SEMIBOLD, 10.0) for digit in "0123456789"}
    assert widths == {6.0}  # 600 of 1000 units


def test_ink_is_the_outline_s_own_box() -> None:
    # IBM Plex Sans SemiBold, "1": from 40 to 572 and from 0 to 698 of 1000 units.
    assert MEASURE.ink("1", FontKey.SEMIBOLD, 10.0) == pytest.approx((0.4, 0.0, 5.72, 6.98))


def test_ink_of_a_word_spans_all_its_letters() -> None:
    box = MEASURE.ink("11", FontKey.SEMIBOLD, 10.0)
    assert (box.left, box.right) == pytest.approx((0.4, 6.0 + 5.72))


@pytest.mark.parametrize("text", ["", " "])
def test_what_has_no_ink_has_an_empty_box(text: str) -> None:
    assert MEASURE.ink(text, FontKey.REGULAR, 10.0) == (0, 0, 0, 0)


def test_missing_glyphs_are_named_once_in_order() -> None:
    assert MEASURE.missing("a☃b☆☃", FontKey.REGULAR) == "☃☆"
    assert MEASURE.missing("×–·©“”é\u00a0", FontKey.REGULAR) == ""


def test_signs_at_codes_that_are_nobodys_letters_count_as_missing() -> None:
    assert MEASURE.missing("a\uffff\uf6d7", FontKey.REGULAR) == "\uffff\uf6d7"


@pytest.mark.parametrize("key", list(FontKey))
def test_every_face_is_there_and_measures(key: FontKey) -> None:
    assert MEASURE.width("Link", key, 10.0) > 15
    assert family_name(key).startswith("IBM Plex Sans")
    assert is_semibold(key) is ("SemiBold" in key)
