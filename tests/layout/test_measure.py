import pytest
from plain_measure import PlainMeasure

from linkpress.errors import LayoutError
from linkpress.layout.frame import Anchor, FontKey
from linkpress.layout.measure import font_for, set_text


@pytest.mark.parametrize(("anchor", "left"), [(Anchor.START, 100), (Anchor.MIDDLE, 88), (Anchor.END, 76)])
def test_a_run_stands_by_its_anchor(anchor: Anchor, left: float) -> None:
    run = set_text("four", (100, 50), FontKey.REGULAR, 10, PlainMeasure(), anchor)
    assert (run.x, run.y, run.width_pt) == (left, 50, 24)  # 4 × 6


def test_an_italic_that_lacks_a_letter_gives_way_to_the_heavier_face() -> None:
    assert font_for("Links", FontKey.ITALIC, PlainMeasure(), "text") is FontKey.SEMIBOLD


def test_a_missing_glyph_is_told_by_character_place_and_language() -> None:
    said = (
        r"^levels\[0\]\.name: .* no glyph for 'ナ' \(U\+30CA, katakana letter na\) in 'ナンバー' "
        r"\(the language is Japanese\).* fonts\.fallback"
    )
    with pytest.raises(LayoutError, match=said):
        font_for("ナンバー", FontKey.REGULAR, PlainMeasure("ナ", language="ja"), "levels[0].name")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("\u0301a", r"'\u0301' \(U\+0301, combining acute accent\) in '\u0301a' has no letter before it"),
        ("a \u0301a", r"'\u0301' .* has no letter before it"),
        ("Links שלום", r"'ש' \(U\+05E9, hebrew letter shin\).*from right to left"),
    ],
)
def test_what_no_font_can_set_right_is_refused_by_name_and_place(text: str, said: str) -> None:
    with pytest.raises(LayoutError, match=rf"^title: .*{said}"):
        font_for(text, FontKey.REGULAR, PlainMeasure(), "title")
