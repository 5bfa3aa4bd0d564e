import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pikepdf import Array, Dictionary, Name, Pdf, Stream

from linkpress.press.content.colours import Space
from linkpress.press.content.drawn import Drawn, DrawnImage, DrawnPath, DrawnShading, DrawnText
from linkpress.press.content.matrix import apply, common, least_scale, times
from linkpress.press.content.reader import PageReader

WIDTHS = Array([500] * 96)


def font(**more: object) -> Dictionary:
    return Dictionary(
        Type=Name.Font, Subtype=Name.TrueType, BaseFont=Name.Sans, FirstChar=32, Widths=WIDTHS, **more
    )


def drawn(content: str, **resources: object) -> list[Drawn]:
    with Pdf.new() as pdf:
        page = Dictionary(Contents=Stream(pdf, content.encode()))
        return PageReader(pdf).read(page, Dictionary(**resources))


def paths(content: str, **resources: object) -> list[DrawnPath]:
    return [item for item in drawn(content, **resources) if isinstance(item, DrawnPath)]


def texts(content: str, **resources: object) -> list[DrawnText]:
    resources.setdefault("Font", Dictionary(F=font()))
    return [item for item in drawn(content, **resources) if isinstance(item, DrawnText)]


def test_points_go_through_the_matrix_of_their_moment() -> None:
    (path,) = paths("2 0 0 3 10 20 cm 1 1 m 5 1 l S")
    assert path.subpaths[0].points == [(12, 23), (20, 23)]


def test_saved_matrices_come_back() -> None:
    first, second = paths("q 2 0 0 2 0 0 cm 1 1 m 2 1 l S Q 1 1 m 2 1 l S")
    assert first.subpaths[0].points[0] == (2, 2)
    assert second.subpaths[0].points[0] == (1, 1)


@pytest.mark.parametrize(
    ("matrix", "width_pt"),
    [("1 0 0 1 0 0", 2.0), ("0.5 0 0 0.5 0 0", 1.0), ("0 3 -3 0 0 0", 6.0), ("1 0 0 0.25 0 0", 0.5)],
)
def test_a_line_is_as_thin_as_its_matrix_makes_it(matrix: str, width_pt: float) -> None:
    (path,) = paths(f"{matrix} cm 2 w 0 0 m 9 9 l S")
    assert path.width_pt == pytest.approx(width_pt)


def test_rectangles_close_and_what_follows_starts_at_their_corner() -> None:
    (path,) = paths("1 2 30 40 re 9 9 l b")
    assert path.subpaths[0].points == [(1, 2), (31, 2), (31, 42), (1, 42)]
    assert path.subpaths[1].points == [(1, 2), (9, 9)]
    assert path.stroke is not None
    assert path.fill is not None


def test_curves_keep_their_control_points_and_say_that_they_are_curved() -> None:
    (path,) = paths("0 0 m 1 2 3 4 5 6 c 7 8 9 10 v 11 12 13 14 y S")
    assert path.subpaths[0].curved
    assert path.subpaths[0].points[-2:] == [(13, 14), (13, 14)]
    assert len(path.subpaths[0].points) == 10


def test_clips_narrow_and_are_given_back() -> None:
    inside, outside = paths("q 0 0 10 10 re W n 5 5 20 20 re W n 0 0 9 9 re f Q 0 0 9 9 re f")
    assert inside.clip == (5, 5, 10, 10)
    assert outside.clip is None


@pytest.mark.parametrize(
    ("setting", "family", "black"),
    [
        ("0.25 g", Space.GRAY, 0.75),
        ("0 0 0 0.4 k", Space.CMYK, 0.4),
        ("0.1 0 0 0.4 k", Space.CMYK, None),
        ("0.5 0.5 0.5 rg", Space.RGB, 0.5),
        ("1 0 0 rg", Space.RGB, None),
        ("/DeviceCMYK cs", Space.CMYK, 1.0),
        ("/Spot cs 0.3 scn", Space.SPOT, None),
        ("/Black cs 0.3 scn", Space.SPOT, 0.3),
        ("/Icc cs 0 0 0 scn", Space.ICC_RGB, 1.0),
        ("/Lost cs 1 scn", Space.UNKNOWN, None),
    ],
)
def test_colours_come_down_to_their_family_and_their_black(
    setting: str, family: Space, black: float | None
) -> None:
    with Pdf.new() as pdf:
        profile = Stream(pdf, b"")
        profile.N = 3
        spaces = Dictionary(
            Spot=Array([Name.Separation, Name.Gold, Name.DeviceCMYK, Dictionary()]),
            Black=Array([Name.Separation, Name.Black, Name.DeviceGray, Dictionary()]),
            Icc=Array([Name.ICCBased, profile]),
        )
        page = Dictionary(Contents=Stream(pdf, f"{setting} 0 0 9 9 re f".encode()))
        (path,) = PageReader(pdf).read(page, Dictionary(ColorSpace=spaces))
    assert isinstance(path, DrawnPath)
    assert path.fill is not None
    assert path.fill.space.family is family
    assert path.fill.black == (pytest.approx(black) if black is not None else None)


def test_text_size_goes_through_text_matrix_and_page_matrix() -> None:
    (text,) = texts("0.5 0 0 0.5 0 0 cm BT /F 20 Tf 2 0 0 1.5 0 0 Tm (Hi) Tj ET")
    assert text.text == "Hi"
    assert text.size_pt == pytest.approx(15)  # 20 × 1.5 × 0.5


def test_text_advances_by_widths_spacing_and_kerning() -> None:
    """Two letters of 500/1000 at 10 pt, 1 pt after each, then back by 200/1000."""
    first, second = texts("BT /F 10 Tf 1 Tc 100 50 Td [(ab) 200] TJ (c) Tj ET")
    assert first.start == (100, 50)
    assert first.end == (110, 50)  # 2 × (5 + 1) − 2
    assert second.start == (110, 50)


def test_lines_move_by_leading_and_by_quotes() -> None:
    lines = texts("BT /F 10 Tf 12 TL 5 100 Td (a) Tj T* (b) Tj (c) ' 1 2 (d) \" 0 -20 TD (e) Tj T* (f) Tj ET")
    assert [round(text.start[1]) for text in lines] == [100, 88, 76, 64, 44, 24]


def test_figures_have_no_descent_and_letters_that_go_below_have() -> None:
    figures, letters = texts("BT /F 10 Tf 0 0 Td (12) Tj (gy) Tj ET")
    assert figures.box[1] == 0
    assert letters.box[1] < -2


@pytest.mark.parametrize(
    ("mode", "invisible", "outlined"), [(0, False, False), (1, False, True), (3, True, False)]
)
def test_rendering_modes(mode: int, invisible: bool, outlined: bool) -> None:
    (text,) = texts(f"0.3 w BT /F 10 Tf {mode} Tr (a) Tj ET")
    assert text.invisible is invisible
    assert (text.stroke_width_pt == pytest.approx(0.3)) is outlined


def test_words_are_told_by_the_fonts_own_map() -> None:
    single = b"1 beginbfchar <41> <0E01> endbfchar "
    ranges = b"2 beginbfrange <42> <43> <0031> <44> <45> [<0058> <00590059>] endbfrange"
    with Pdf.new() as pdf:
        page = Dictionary(Contents=Stream(pdf, b"BT /F 9 Tf (ABCDE) Tj ET"))
        held = Dictionary(Font=Dictionary(F=font(ToUnicode=Stream(pdf, single + ranges))))
        (text,) = PageReader(pdf).read(page, held)
    assert isinstance(text, DrawnText)
    assert text.text == "ก12XYY"


def test_composite_fonts_take_two_bytes_and_their_own_widths() -> None:
    child = Dictionary(DW=1000, W=Array([1, Array([250]), 2, 3, 750]))
    composite = Dictionary(
        Type=Name.Font, Subtype=Name.Type0, Encoding=Name("/Identity-H"), DescendantFonts=Array([child])
    )
    (text,) = texts("BT /F 10 Tf <0001000200090003> Tj ET", Font=Dictionary(F=composite))
    assert text.end[0] == pytest.approx(2.5 + 7.5 + 10 + 7.5)


def form(pdf: Pdf, content: bytes, **more: object) -> Stream:
    made = Stream(pdf, content)
    made.Type, made.Subtype, made.BBox = Name.XObject, Name.Form, Array([0, 0, 100, 100])
    for key, value in more.items():
        made[f"/{key}"] = value
    return made


def test_forms_draw_through_their_matrix_inside_their_box() -> None:
    with Pdf.new() as pdf:
        inner = form(pdf, b"0 0 m 200 0 l S", Matrix=Array([1, 0, 0, 1, 7, 0]))
        page = Dictionary(Contents=Stream(pdf, b"q 2 0 0 2 10 0 cm /X Do Q 0 0 m 1 0 l S"))
        nested, after = PageReader(pdf).read(page, Dictionary(XObject=Dictionary(X=inner)))
    assert isinstance(nested, DrawnPath)
    assert isinstance(after, DrawnPath)
    assert nested.subpaths[0].points == [(24, 0), (424, 0)]  # 10 + 2 × 7, and 2 × 200 on
    assert nested.clip == (24, 0, 224, 200)
    assert after.subpaths[0].points == [(0, 0), (1, 0)]


def test_images_and_shadings_tell_place_samples_and_colours() -> None:
    with Pdf.new() as pdf:
        picture = Stream(pdf, b"")
        picture.Subtype, picture.Width, picture.Height, picture.ColorSpace = (
            Name.Image,
            30,
            40,
            Name.DeviceRGB,
        )
        held = Dictionary(
            XObject=Dictionary(Im=picture), Shading=Dictionary(S=Dictionary(ColorSpace=Name.DeviceCMYK))
        )
        page = Dictionary(Contents=Stream(pdf, b"q 72 0 0 36 5 6 cm /Im Do Q 0 0 5 5 re W n /S sh"))
        image, shading = PageReader(pdf).read(page, held)
    assert isinstance(image, DrawnImage)
    assert image.matrix == (72, 0, 0, 36, 5, 6)
    assert (image.width_px, image.height_px) == (30, 40)
    assert image.space is not None
    assert image.space.family is Space.RGB
    assert isinstance(shading, DrawnShading)
    assert shading.space.family is Space.CMYK
    assert shading.clip == (0, 0, 5, 5)


def test_inline_images_and_stencils_are_seen() -> None:
    image, stencil = drawn(
        "q 9 0 0 9 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /RGB ID abc EI Q 0 0 1 0 k "
        "q 9 0 0 9 0 0 cm BI /W 8 /H 1 /IM true ID a EI Q"
    )
    assert isinstance(image, DrawnImage)
    assert image.inline
    assert image.space is not None
    assert image.space.family is Space.RGB
    assert isinstance(stencil, DrawnImage)
    assert stencil.space is None
    assert stencil.colour.space.family is Space.CMYK


def test_type3_glyphs_are_run_for_what_is_in_them() -> None:
    with Pdf.new() as pdf:
        glyph = pdf.make_indirect(Stream(pdf, b"500 0 d0 1 0 0 rg 0 0 400 700 re f"))
        face = Dictionary(
            Type=Name.Font,
            Subtype=Name.Type3,
            FontMatrix=Array([0.001, 0, 0, 0.001, 0, 0]),
            FirstChar=65,
            Widths=Array([500]),
            Encoding=Dictionary(Differences=Array([65, Name.a])),
            CharProcs=Dictionary(a=glyph),
        )
        page = Dictionary(Contents=Stream(pdf, b"BT /F 10 Tf 100 200 Td (AAA) Tj ET"))
        text, painted = PageReader(pdf).read(page, Dictionary(Font=Dictionary(F=face)))
    assert isinstance(text, DrawnText)
    assert text.end[0] == pytest.approx(115)
    assert isinstance(painted, DrawnPath)
    assert painted.subpaths[0].points[2] == pytest.approx((104, 207))


def test_operands_of_the_wrong_kind_are_passed_over() -> None:
    (path,) = paths("(a) w /N cm 1 m [1] 2 l 0 0 m 9 (b) l 5 0 l S 1 2 3 re f Q ET")
    assert path.subpaths[-1].points == [(0, 0), (5, 0)]


numbers = st.floats(-50, 50, allow_nan=False)
matrices = st.tuples(numbers, numbers, numbers, numbers, numbers, numbers)


@settings(max_examples=50, deadline=None)
@given(first=matrices, then=matrices, x=numbers, y=numbers)
def test_applying_a_product_is_applying_one_after_the_other(
    first: tuple[float, ...], then: tuple[float, ...], x: float, y: float
) -> None:
    one, two = (*first,), (*then,)
    both = apply(times(one, two), x, y)  # type: ignore[arg-type]
    assert both == pytest.approx(apply(two, *apply(one, x, y)), abs=1e-6)  # type: ignore[arg-type]


@settings(max_examples=50, deadline=None)
@given(matrix=matrices, turn=st.floats(0, math.tau))
def test_no_direction_shrinks_more_than_the_least_scale(matrix: tuple[float, ...], turn: float) -> None:
    a, b, c, d = matrix[:4]
    length = math.hypot(a * math.cos(turn) + c * math.sin(turn), b * math.cos(turn) + d * math.sin(turn))
    assert length >= least_scale((*matrix,)) - 1e-4  # type: ignore[arg-type]


def test_boxes_that_do_not_meet_share_nothing() -> None:
    assert common((0, 0, 5, 5), (6, 0, 9, 9)) is None
    assert common((0, 0, 5, 5), (4, 3, 9, 9)) == (4, 3, 5, 5)
