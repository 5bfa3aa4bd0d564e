"""Shaped text in a PDF: seen as measured, read and copied as written."""

import io
import shutil
import subprocess
from dataclasses import replace

import pikepdf
import pypdfium2 as pdfium
import pytest

from linkpress.documents.values import PixelMode
from linkpress.layout.frame import FontKey, Frame
from linkpress.layout.text_flow import set_text
from linkpress.preflight.pdf_drawing import DrawnText, read_page_objects
from linkpress.render.fonts import SHIPPED, FontMeasure
from linkpress.render.pdf import draw_frame
from linkpress.render.raster import rasterise
from linkpress.resources import resource

MEASURE = FontMeasure()
FULL = replace(SHIPPED, full=True)
LINES = (
    "ที่นี่", "น้ำ", "ผู้เล่น", "กำ น้ำใจ ค่ำ", "ญู ฐู้ ปี่ ฝั่ง", "ลากเส้นเชื่อมตัวเลขคู่เดียวกัน 12",
    "Link ผู้เล่น café", "Plain Latin – 7 × 9", "Καλημέρα, Привет", "x\u030c and y\u0308\u0301",
)  # fmt: skip


def page_of(*lines, faces=SHIPPED):
    """The lines from the top down, 40 pt apart, the last 30 pt above the foot."""
    places = [(20.0, 30.0 + 40 * at) for at in reversed(range(len(lines)))]
    items = [
        set_text(line, at, FontKey.REGULAR, 20.0, MEASURE) for line, at in zip(lines, places, strict=True)
    ]
    return draw_frame(Frame(400.0, 40.0 * len(lines) + 30, tuple(items)), faces=faces)


@pytest.mark.parametrize("faces", [SHIPPED, FULL], ids=["subset", "full"])
def test_each_line_is_read_back_as_one_text_as_it_was_written(faces):
    texts = read_page_objects(pdfium.PdfDocument(page_of(*LINES, faces=faces))[0])
    assert [text.text for text in texts if isinstance(text, DrawnText)] == list(LINES)
    assert {round(text.size_pt, 3) for text in texts} == {20.0}
    starts = [(20.0, 30.0 + 40 * at) for at in reversed(range(len(LINES)))]
    assert [text.start for text in texts] == [pytest.approx(start) for start in starts]


@pytest.mark.parametrize("faces", [SHIPPED, FULL], ids=["subset", "full"])
def test_pdfium_copies_what_was_written(faces):
    page = pdfium.PdfDocument(page_of(*LINES, faces=faces))[0]
    assert page.get_textpage().get_text_range().split("\r\n") == list(LINES)


@pytest.mark.parametrize("options", [[], ["-raw"], ["-layout"]], ids=["flow", "raw", "layout"])
def test_poppler_copies_what_was_written(options, tmp_path):
    if shutil.which("pdftotext") is None:
        pytest.skip("pdftotext is not installed")
    (tmp_path / "t.pdf").write_bytes(page_of(*LINES))
    words = ["pdftotext", "-enc", "UTF-8", *options, "t.pdf", "-"]
    text = subprocess.run(words, cwd=tmp_path, capture_output=True, check=True).stdout.decode()
    assert [line.strip() for line in text.splitlines() if line.strip("\f ")] == list(LINES)


@pytest.mark.parametrize("line", LINES)
def test_ink_lies_where_layout_measured_it(line):
    size, x, y = 40.0, 30.0, 40.0
    run = set_text(line, (x, y), FontKey.SEMIBOLD, size, MEASURE)
    width, height = int(run.width_pt + 2 * x), 100
    image = rasterise(Frame(width, height, (run,)), (4 * width, 4 * height), PixelMode.GRAY)
    found = [edge / 4 for edge in image.point(lambda level: 255 if level < 250 else 0).getbbox()]
    left, bottom, right, top = MEASURE.ink(line, FontKey.SEMIBOLD, size)
    assert found == pytest.approx([x + left, height - y - top, x + right, height - y - bottom], abs=0.5)


def test_a_font_is_cut_down_to_the_glyphs_used_and_named_so():
    with pikepdf.open(io.BytesIO(page_of("น้ำ"))) as pdf:
        (font,) = [one for one in pdf.objects if one.get("/Subtype") == "/Type0"]
        face = font.DescendantFonts[0]
        assert str(font.BaseFont)[7:] == "+IBMPlexSansThai"
        assert str(face.FontDescriptor.FontName) == str(font.BaseFont) == str(face.BaseFont)
        assert len(face.FontDescriptor.FontFile2.read_bytes()) < 20_000  # of 116,632


def test_a_whole_font_is_the_file_itself_once():
    with pikepdf.open(io.BytesIO(page_of("Lines", "น้ำ", "ที่นี่", faces=FULL))) as pdf:
        fonts = [one for one in pdf.objects if one.get("/Type") == "/Font" and "/BaseFont" in one]
        assert {str(one.BaseFont) for one in fonts} == {"/IBMPlexSans", "/IBMPlexSansThai"}
        files = [one.FontFile2.read_bytes() for one in pdf.objects if one.get("/Type") == "/FontDescriptor"]
    latin = resource("fonts", "ibm-plex-sans", "IBMPlexSans-Regular.ttf").read_bytes()
    thai = resource("fonts", "ibm-plex-sans-thai", "IBMPlexSansThai-Regular.ttf").read_bytes()
    assert sorted(files) == sorted([latin, thai])


def test_whole_fonts_change_nothing_that_is_seen():
    subset, full = (
        pdfium.PdfDocument(page_of(*LINES, faces=faces))[0].render(scale=2, grayscale=True).to_pil()
        for faces in (SHIPPED, FULL)
    )
    assert subset.tobytes() == full.tobytes()


def test_the_same_lines_make_the_same_bytes():
    assert page_of(*LINES) == page_of(*LINES)
