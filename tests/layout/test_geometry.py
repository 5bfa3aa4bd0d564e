import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_measure import SIX_BY_NINE, PlainMeasure, book

from linkpress.book.printing_keys import Binding, MarginsSpec
from linkpress.errors import LayoutError
from linkpress.layout.boards import cell_for_size, set_numeral, smallest_cell_pt
from linkpress.layout.frame import Area, FontKey, Side
from linkpress.layout.setting import book_margins, live_area, settle_margins
from linkpress.layout.text_flow import font_for
from linkpress.layout.theme import load_theme
from linkpress.printers import Margins, load_printer

MARGINS = Margins(45.0, 36.0, 30.0, 33.0)


def test_margins_are_mirrored():
    # 432 − 45 − 36 wide, 648 − 30 − 33 high.
    assert live_area(SIX_BY_NINE, MARGINS, Side.RECTO) == Area(45.0, 33.0, 351.0, 585.0)
    assert live_area(SIX_BY_NINE, MARGINS, Side.VERSO) == Area(36.0, 33.0, 351.0, 585.0)


def test_a_page_that_lies_flat_is_in_the_middle():
    generic, coil = load_printer("generic"), load_printer("lulu-coil")
    # The printer asks for 12.7 mm inside up to 60 pages, more than the usual 32.4 pt outside.
    flat = book_margins(generic, SIX_BY_NINE, 40, False, lay_flat=True)
    assert flat.inside_pt == flat.outside_pt == pytest.approx(36.0)
    assert coil.binding is Binding.LAY_FLAT
    made = book(24, printer="lulu-coil"), book(24, printer="lulu-coil", binding=Binding.GLUED)
    assert [each.margins.outside_pt for each in made] == [63.0, 36.0]
    assert book_margins(coil, SIX_BY_NINE, 40, False).inside_pt == 63.0  # 0.5 in of safety, 0.375 of gutter


def test_the_gutter_follows_the_page_count():
    kdp = load_printer("kdp-paperback")
    # 0.075 × 432 is 32.4, and 2.25 for every 50 pages; KDP asks for 63 from 701 pages on.
    assert book_margins(kdp, SIX_BY_NINE, 49, False).inside_pt == pytest.approx(32.4)
    assert book_margins(kdp, SIX_BY_NINE, 142, False).inside_pt == pytest.approx(32.4 + 4.5)
    assert book_margins(kdp, SIX_BY_NINE, 172, False).inside_pt == pytest.approx(32.4 + 6.75)
    assert book_margins(kdp, SIX_BY_NINE, 828, False).inside_pt == pytest.approx(63.0)


def test_margins_in_the_spec_count_unless_they_are_below_the_printers_least():
    kdp = load_printer("kdp-paperback")
    in_spec = MarginsSpec(inside="0.6in", top="20mm")
    found = book_margins(kdp, SIX_BY_NINE, 172, False, in_spec=in_spec)
    assert found == Margins(
        pytest.approx(43.2), pytest.approx(32.4), pytest.approx(56.69, abs=0.01), pytest.approx(32.4)
    )
    with pytest.raises(
        LayoutError, match=r"page.margins.inside: 0.400 in, and kdp.* asks for 0.500 in or more with 172"
    ):
        book_margins(kdp, SIX_BY_NINE, 172, False, in_spec=MarginsSpec(inside="0.4in"))
    with pytest.raises(LayoutError, match=r"0.200 in, and kdp.* asks for 0.375 in or more \("):
        book_margins(kdp, SIX_BY_NINE, 1, False, in_spec=MarginsSpec(inside="0.2in"))


@given(st.lists(st.integers(1, 900), min_size=6, max_size=6), st.booleans())
def test_settling_margins_ends_and_keeps_the_printers_rule(counts, lay_flat):
    kdp = load_printer("kdp-paperback")
    asked = []

    def count_pages(margins):
        assert len(asked) < 10, "KDP has five gutters"
        asked.append(margins)
        return counts[(len(asked) - 1) % 6]

    margins, pages = settle_margins(
        lambda n: book_margins(kdp, SIX_BY_NINE, n, False, lay_flat=lay_flat), count_pages
    )
    assert margins == asked[-1]  # the margins for which the pages were counted last
    assert margins.inside_pt >= kdp.margins(pages).inside_pt
    inside = [one.inside_pt for one in asked]
    assert inside == sorted(set(inside))  # it only ever grows


def test_a_missing_italic_becomes_semibold():
    assert font_for("Links", FontKey.ITALIC, PlainMeasure(), "text") is FontKey.SEMIBOLD


def test_a_missing_glyph_is_reported_by_character_place_and_language():
    said = (
        r"^levels\[0\]\.name: .* no glyph for 'ナ' \(U\+30CA, katakana letter na\) in 'ナンバー' "
        r"\(the language is Japanese\).* `fonts: \{fallback: "
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
def test_text_that_no_font_can_set_is_refused_with_character_and_key(text, said):
    with pytest.raises(LayoutError, match=rf"^title: .*{said}"):
        font_for(text, FontKey.REGULAR, PlainMeasure(), "title")


CLASSIC, MEASURE = load_theme("classic"), PlainMeasure()


@given(number=st.integers(1, 999), cell=st.floats(5, 80))
def test_no_number_is_wider_than_four_fifths_of_its_square(number, cell):
    numeral = set_numeral(number, cell, CLASSIC, MEASURE)
    ink = numeral.width_pt - 0.1 * numeral.size_pt  # 0.05 em of air on either side
    assert ink <= 0.8 * cell + 1e-6


def test_only_a_number_too_wide_for_its_square_is_set_smaller_than_others():
    one, two, three = (set_numeral(number, 20, CLASSIC, MEASURE) for number in (5, 51, 107))
    assert one.size_pt == two.size_pt > three.size_pt
    assert one.tracking_pt == 0 > two.tracking_pt  # digits of one number are closer together


def test_the_smallest_square_holds_its_number_and_the_disc_around_it():
    # A digit of 7 pt is 0.5 em = 3.5 pt wide and 0.7 em = 4.9 pt high. The height needs 4.9 / 0.72.
    assert smallest_cell_pt(8, CLASSIC, MEASURE, 7.0) == pytest.approx(4.9 / 0.72)
    plain, *on_discs = (
        smallest_cell_pt(88, load_theme(name), MEASURE, 7.0) for name in ("classic", "bold", "soft")
    )
    assert min(on_discs) > plain


def test_the_square_for_a_size_follows_from_the_figures_height():
    assert cell_for_size(CLASSIC, MEASURE, 18.0) == pytest.approx(18 * 0.7 / 0.45)  # 28 pt
