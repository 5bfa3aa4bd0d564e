"""Reading a page: its objects in page coordinates, and its colours as the file gives them."""

import io
import warnings

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, Pdf, Stream

from linkpress.preflight.pdf_content import SpaceFamily
from linkpress.preflight.pdf_drawing import DrawnImage, DrawnPath, DrawnShading, DrawnText, Subpath, _Cover
from linkpress.preflight.pdf_file import PdfReader
from linkpress.resources import resource

PLEX = resource("fonts", "ibm-plex-sans", "IBMPlexSans-Regular.ttf").read_bytes()


def read(content, pdf=None, **resources):
    """Read a page with this content and these resources. Streams among them must belong to ``pdf``."""
    made = pdf or Pdf.new()
    page = made.add_blank_page(page_size=(432, 648)).obj
    page.Contents, page.Resources = Stream(made, content.encode()), Dictionary(**resources)
    written = io.BytesIO()
    made.save(written)
    made.close()
    raw = written.getvalue()
    with PdfReader(raw) as reader:
        return reader.read(reader.pages[0])


def items(content, pdf=None, **resources):
    return read(content, pdf, **resources).objects


def paths(content):
    return [item for item in items(content) if isinstance(item, DrawnPath)]


def texts(content):
    pdf = Pdf.new()
    file = Stream(pdf, PLEX)
    descriptor = Dictionary(
        Type=Name.FontDescriptor, FontName=Name.Plex, Flags=32, FontBBox=Array([-200, -300, 1200, 1000]),
        ItalicAngle=0, Ascent=1000, Descent=-300, CapHeight=698, StemV=80, FontFile2=pdf.make_indirect(file),
    )  # fmt: skip
    face = Dictionary(
        Type=Name.Font, Subtype=Name.TrueType, BaseFont=Name.Plex, Encoding=Name.WinAnsiEncoding,
        FirstChar=32, LastChar=127, Widths=Array([500] * 96), FontDescriptor=pdf.make_indirect(descriptor),
    )  # fmt: skip
    fonts = Dictionary(F=pdf.make_indirect(face))
    return [item for item in items(content, pdf, Font=fonts) if isinstance(item, DrawnText)]


def form(pdf, content, **more):
    made = Stream(pdf, content)
    made.Type, made.Subtype, made.BBox = Name.XObject, Name.Form, Array([0, 0, 100, 100])
    for key, value in more.items():
        made[f"/{key}"] = value
    return pdf.make_indirect(made)


def test_points_are_transformed_by_the_current_matrix():
    first, second = paths("q 2 0 0 3 10 20 cm 1 1 m 5 1 l S Q 1 1 m 2 1 l S")
    assert first.subpaths[0].points == [(12, 23), (20, 23)]
    assert second.subpaths[0].points == [(1, 1), (2, 1)]


@pytest.mark.parametrize(
    ("matrix", "width_pt"),
    [
        ("1 0 0 1 0 0", 2.0),
        ("0.5 0 0 0.5 0 0", 1.0),
        ("0 3 -3 0 0 0", 6.0),
        ("1 0 0 0.25 0 0", 0.5),
        ("0.8 0.6 -0.15 0.2 0 0", 0.5),
    ],
)
def test_line_widths_are_scaled_by_the_matrix(matrix, width_pt):
    (path,) = paths(f"{matrix} cm 2 w 0 0 m 9 9 l S")
    assert path.width_pt == pytest.approx(width_pt)


def test_graphics_states_set_line_widths_and_caps():
    state = Dictionary(G=Dictionary(LW=0.25, LC=2))
    (path,) = read("/G gs 0 0 m 9 9 l S", ExtGState=state).objects
    assert (path.width_pt, path.butt) == (0.25, False)


def test_rectangles_are_closed_and_curves_are_marked():
    (box,) = paths("1 2 30 40 re b")
    assert box.subpaths[0].points[:4] == [(1, 2), (31, 2), (31, 42), (1, 42)] or box.subpaths[0].closed
    assert box.stroke == box.fill == (0, 0, 0)
    (curve,) = paths("0 0 m 1 2 3 4 5 6 c 7 8 9 10 v 11 12 13 14 y S")
    assert curve.subpaths[0].curved
    assert len(curve.subpaths[0].points) == 10


def test_clips_intersect_and_are_restored():
    inside, outside = paths("q 0 0 10 10 re W n 5 5 20 20 re W n 0 0 90 90 re f Q 0 0 9 9 re f")
    assert inside.clip == (5, 5, 10, 10)
    assert outside.clip is None


COLOURS = [
    ("0.25 g", SpaceFamily.GRAY, 0.75), ("0 0 0 0.4 k", SpaceFamily.CMYK, 0.4),
    ("0.1 0 0 0.4 k", SpaceFamily.CMYK, None), ("0.5 0.5 0.5 rg", SpaceFamily.RGB, 0.5),
    ("1 0 0 rg", SpaceFamily.RGB, None), ("/DeviceCMYK cs", SpaceFamily.CMYK, 1.0),
    ("/Spot cs 0.3 scn", SpaceFamily.SPOT, None), ("/Black cs 0.3 scn", SpaceFamily.SPOT, 0.3),
    ("/Icc cs 0 0 0 scn", SpaceFamily.ICC_RGB, 1.0), ("/Lost cs 1 scn", SpaceFamily.UNKNOWN, None),
]  # fmt: skip


def only_colour(content):
    pdf = Pdf.new()
    profile = Stream(pdf, b"")
    profile.N = 3
    spaces = Dictionary(
        Spot=Array([Name.Separation, Name.Gold, Name.DeviceCMYK, Dictionary()]),
        Black=Array([Name.Separation, Name.Black, Name.DeviceGray, Dictionary()]),
        Icc=Array([Name.ICCBased, pdf.make_indirect(profile)]),
    )
    (colour,) = read(content, pdf, ColorSpace=spaces).content.colours
    return colour


@pytest.mark.parametrize(("setting", "family", "black"), COLOURS)
def test_colour_spaces_and_black_ink(setting, family, black):
    colour = only_colour(f"{setting} 0 0 9 9 re f")
    assert colour.space.family is family
    assert colour.black == (pytest.approx(black) if black is not None else None)


def test_colours_that_paint_nothing_are_ignored():
    assert only_colour("1 0 0 rg 0 1 0 RG 0 0 1 rg 0 0 9 9 re f").values == (0, 0, 1)
    assert only_colour("q 1 0 0 rg Q 0 0 9 9 re f").values == (0,)


def test_text_sizes_are_scaled_by_text_matrix_and_page_matrix():
    (text,) = texts("0.5 0 0 0.5 0 0 cm BT /F 20 Tf 2 0 0 1.5 0 0 Tm (Hi) Tj ET")
    assert text.text == "Hi"
    assert text.size_pt == pytest.approx(15)  # 20 × 1.5 × 0.5


@pytest.mark.parametrize(
    ("mode", "invisible", "outlined"), [(0, False, False), (1, False, True), (3, True, False)]
)
def test_the_rendering_mode_decides_whether_text_is_visible_and_outlined(mode, invisible, outlined):
    (text,) = texts(f"0.3 w BT /F 10 Tf {mode} Tr 50 50 Td (a) Tj ET")
    assert text.invisible is invisible
    assert (text.stroke_width_pt == pytest.approx(0.3)) is outlined


def test_forms_have_a_matrix_and_a_clip_and_inherit_colours():
    pdf = Pdf.new()
    inner = form(pdf, b"0 0 m 200 0 l S", Matrix=Array([1, 0, 0, 1, 7, 0]))
    held = Dictionary(X=inner)
    nested, after = items("q 0.3 w 1 0 0 RG 2 0 0 2 10 0 cm /X Do Q 0 0 m 1 0 l S", pdf, XObject=held)
    assert nested.subpaths[0].points == [(24, 0), (424, 0)]  # 10 + 2 × 7, and 2 × 200 on
    assert nested.clip == (24, 0, 224, 200)
    assert (nested.width_pt, nested.stroke) == (pytest.approx(0.6), (255, 0, 0))
    assert after.subpaths[0].points == [(0, 0), (1, 0)]


def test_images_and_shadings_have_positions_sizes_and_colour_spaces():
    pdf = Pdf.new()
    picture = Stream(pdf, bytes(30 * 40 * 3))
    picture.Type, picture.Subtype, picture.ColorSpace = Name.XObject, Name.Image, Name.DeviceRGB
    picture.Width, picture.Height, picture.BitsPerComponent = 30, 40, 8
    ramp = Dictionary(FunctionType=2, Domain=[0, 1], N=1, C0=[0, 0, 0, 0], C1=[0, 0, 0, 1])
    shading = Dictionary(ShadingType=2, ColorSpace=Name.DeviceCMYK, Coords=[0, 0, 1, 1], Function=ramp)
    page = read(
        "q 72 0 0 36 5 6 cm /Im Do Q 0 0 5 5 re W n /S sh",
        pdf,
        XObject=Dictionary(Im=pdf.make_indirect(picture)),
        Shading=Dictionary(S=pdf.make_indirect(shading)),
    )
    image, shaded = page.objects
    assert image.matrix == (72, 0, 0, 36, 5, 6)
    assert (image.width_px, image.height_px) == (30, 40)
    assert isinstance(shaded, DrawnShading)
    assert shaded.box == (0, 0, 5, 5)
    assert {space.family for space in page.content.image_spaces} == {SpaceFamily.RGB}
    assert {space.family for space in page.content.shading_spaces} == {SpaceFamily.CMYK}


def test_inline_images_and_stencil_masks_are_read():
    page = read(
        "q 9 0 0 9 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /RGB ID abc EI Q 0 0 1 0 k "
        "q 9 0 0 9 0 0 cm BI /W 8 /H 1 /IM true /F /AHx ID 61> EI Q"
    )
    assert [type(item) for item in page.objects] == [DrawnImage, DrawnImage]
    assert {space.family for space in page.content.image_spaces} == {SpaceFamily.RGB}
    assert {colour.space.family for colour in page.content.colours} == {SpaceFamily.CMYK}
    assert page.content.inline_filters == {"/ASCIIHexDecode"}


def test_patterns_are_read_at_their_own_scale():
    pdf = Pdf.new()
    tile = Stream(pdf, b"1 0 0 RG 0.4 w 0 0 m 5 5 l S")
    tile.PatternType = tile.PaintType = tile.TilingType = 1
    tile.BBox, tile.XStep, tile.YStep = Array([0, 0, 5, 5]), 5, 5
    tile.Resources, tile.Matrix = Dictionary(), Array([0.5, 0, 0, 0.5, 0, 0])
    held = Dictionary(P=pdf.make_indirect(tile))
    page = read("3 0 0 3 0 0 cm /Pattern cs /P scn 10 50 20 20 re f", pdf, Pattern=held)
    (line,) = page.nested_objects
    assert line.width_pt == pytest.approx(0.2)
    assert SpaceFamily.RGB in {colour.space.family for colour in page.content.colours}


def test_type3_glyphs_are_read_once_for_each_page_at_the_size_of_the_text():
    pdf = Pdf.new()
    glyph = pdf.make_indirect(Stream(pdf, b"500 0 d0 1 0 0 rg 0 0 400 700 re f"))
    face = Dictionary(
        Type=Name.Font, Subtype=Name.Type3, FontBBox=Array([0, 0, 500, 700]),
        FontMatrix=Array([0.001, 0, 0, 0.001, 0, 0]), FirstChar=65, LastChar=65, Widths=Array([500]),
        Encoding=Dictionary(Differences=Array([65, Name.a])), CharProcs=Dictionary(a=glyph),
    )  # fmt: skip
    held = Dictionary(F=pdf.make_indirect(face))
    page = read("BT /F 5 Tf 2 0 0 2 100 200 Tm (AAA) Tj ET", pdf, Font=held)
    (text,), (painted,) = page.objects, page.nested_objects
    assert isinstance(text, DrawnText)
    assert painted.fill == (255, 0, 0)
    right, top = (max(point[axis] for point in painted.subpaths[0].points) for axis in (0, 1))
    left, bottom = (min(point[axis] for point in painted.subpaths[0].points) for axis in (0, 1))
    assert (right - left, top - bottom) == pytest.approx((4, 7))
    assert page.content.type3_texts == [("AAA", pytest.approx(10))]
    assert SpaceFamily.RGB in {colour.space.family for colour in page.content.colours}


def test_only_warnings_from_pikepdf_are_reported_as_problems_of_a_page(monkeypatch):
    real = pikepdf.parse_content_stream

    def parse_while_a_forgotten_file_is_collected(*given):
        warnings.warn("unclosed file", ResourceWarning, stacklevel=1)
        return real(*given)

    monkeypatch.setattr(pikepdf, "parse_content_stream", parse_while_a_forgotten_file_is_collected)
    assert read("0 0 9 9 re f").problems == []
    assert read("0 0 9 9 re f q (").problems == ["Unexpected end of stream"]


@pytest.mark.parametrize("first", ["", "% so that no instruction is plain\n", "\f"])
def test_parsing_plain_instructions_gives_the_same_result_as_qpdf(first):
    content = (
        "0 0 0 1 k q 0.5 g 1 0 0 1 9 9 cm 1 1 m 5 1 l S Q\r\nBT /F 9 Tf (\\(lost) Tj <41> Tj ET 9 9 5 5 re f"
    )
    page = read(first + content).content
    assert sorted(map(str, page.colours)) == ["CMYK 0 0 0 1", "gray 0"]
    assert page.texts_without_font == ["(lost", "A"]
    assert len(read(first + content + " 1 0 0 rg (").problems) == 1


def test_operands_of_the_wrong_type_are_ignored():
    page = read("(a) w (x) rg /a /b k Q Q 1 scn ET 1 m 2 3 m 5 3 l S")
    (path,) = (item for item in page.objects if isinstance(item, DrawnPath))
    assert path.subpaths[-1].points == [(2, 3), (5, 3)]
    assert [str(colour) for colour in page.content.colours] == ["gray 0"]


def test_damaged_and_encrypted_files_have_the_pages_that_qpdf_finds():
    pdf = Pdf.new()
    for at in range(3):
        pdf.add_blank_page().obj.Contents = Stream(pdf, f"{at} 0 m 9 9 l S".encode())
    written = io.BytesIO()
    pdf.Root.Pages.Count = 1
    pdf.save(written, encryption=pikepdf.Encryption(owner="a", user="", R=4, aes=False, metadata=False))
    raw = written.getvalue()
    with PdfReader(raw) as reader:
        drawn = [reader.read(page).objects for page in reader.pages]
    assert [item.subpaths[0].points[0] for (item,) in drawn if isinstance(item, DrawnPath)] == [
        (0, 0),
        (1, 0),
        (2, 0),
    ]


def test_a_wide_circle_around_the_end_of_a_line_does_not_hide_it_if_the_line_leaves_it():
    circle = _Cover(1, (-40, -40, 40, 40), (9, 9, 9), is_round=True)

    def hidden(*lines):
        return circle.may_hide(
            DrawnPath([Subpath(line) for line in lines], (0, 0, 0), None, 1, None), (0, 0, 0)
        )

    leaving, within, passing = [(0, 0), (90, 0)], [(0, 0), (30, 0)], [(-90, 0), (90, 0)]
    assert [hidden(leaving), hidden(within), hidden(passing)] == [False, True, True]
    assert hidden(leaving, within)


def test_areas_of_the_same_colour_dots_and_lines_do_not_hide_a_line():
    def hidden(width_pt, fill, side, **keys):
        line = DrawnPath([Subpath([(0, 0), (9, 0)])], (0, 0, 0), None, width_pt, None)
        (word,) = texts("BT /F 9 Tf (a) Tj ET")
        cover = _Cover(1, (0, 0, side, side), fill, **keys)
        return [cover.may_hide(item, (0, 0, 0)) for item in (line, word)]

    assert hidden(1, (9, 9, 9), 60) == [True, True]
    assert hidden(1, (0, 0, 0), 60) == [False, True]
    assert hidden(1, (9, 9, 9), 60, is_line=True) == [False, True]
    assert [hidden(1, (9, 9, 9), side, is_round=True)[0] for side in (60, 61)] == [False, True]
    assert [hidden(20, (9, 9, 9), side, is_round=True)[0] for side in (80, 81)] == [False, True]
