import pytest
from plain_measure import PlainMeasure

from linkpress.errors import LayoutError
from linkpress.layout.frame import Anchor, FontKey
from linkpress.layout.measure import font_for, set_text


class ThaiMeasure(PlainMeasure):
    """The Latin faces lack Thai letters; their companions have them."""

    def missing(self, text: str, font: FontKey) -> str:
        return "".join(char for char in text if "ก" <= char <= "๛") if "Thai" not in font else ""


@pytest.mark.parametrize(("anchor", "left"), [(Anchor.START, 100), (Anchor.MIDDLE, 88), (Anchor.END, 76)])
def test_a_run_stands_by_its_anchor(anchor: Anchor, left: float) -> None:
    run = set_text("four", (100, 50), FontKey.REGULAR, 10, PlainMeasure(), anchor)
    assert (run.x, run.y, run.width_pt) == (left, 50, 24)  # 4 × 6


def test_tracking_counts_between_letters_only() -> None:
    run = set_text("four", (0, 0), FontKey.REGULAR, 10, PlainMeasure(), tracking_pt=1.0)
    assert run.width_pt == 27  # 24 + 3 × 1


def test_thai_is_set_in_the_companion_face() -> None:
    assert font_for("ง่าย", FontKey.SEMIBOLD, ThaiMeasure(), "title") is FontKey.THAI_SEMIBOLD


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Voilà x\u030c", r"U\+030C \(combining caron\) after 'Voilà x'"),
        ("a\u0301\u0302", r"U\+0301"),
        ("\u0301", r"U\+0301 .* after ''"),
        ("ก\u200dก", r"U\+200D \(zero width joiner\)"),
        ("A\u20dd", r"U\+20DD"),
    ],
)
def test_a_mark_that_no_letter_holds_is_refused_by_name_and_place(text: str, named: str) -> None:
    with pytest.raises(LayoutError, match=rf"^title: {named}"):
        font_for(text, FontKey.REGULAR, PlainMeasure(), "title")


def test_letters_that_hold_their_marks_are_set() -> None:
    assert font_for("Voilà, Zażółć, Ǻ", FontKey.REGULAR, PlainMeasure(), "title") is FontKey.REGULAR


def test_thai_marks_that_would_overprint_are_refused() -> None:
    with pytest.raises(LayoutError, match=r"^title: .*two marks"):
        font_for("ที่นี่", FontKey.REGULAR, ThaiMeasure(), "title")
