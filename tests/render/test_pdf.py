import io
import re
import zlib
from dataclasses import replace

import pikepdf
import pypdfium2 as pdfium
import pytest
from PIL import Image

import boards
from linkpress.book.spec import BookSpec
from linkpress.book.volume import NumberedPuzzle
from linkpress.documents.values import Size
from linkpress.layout.frame import (
    Discs,
    FontKey,
    Frame,
    Ink,
    LinkArea,
    Page,
    Photo,
    Placed,
    Polygon,
    Rects,
    Target,
    TextRun,
    grey,
)
from linkpress.layout.pages import layout_book
from linkpress.layout.setting import Edition
from linkpress.layout.theme import load_theme
from linkpress.printers import Bleed, load_printer
from linkpress.production import dispatch
from linkpress.production.executors import local_workers
from linkpress.render.fonts import FontMeasure
from linkpress.render.pdf import About, ColourMode, draw_frame, draw_pages
from linkpress.render.photos import prepared

TRIM = Size(200.0, 300.0)
MEASURE = FontMeasure()


def small_book(theme="classic", paper="white"):
    puzzles = tuple(NumberedPuzzle(n, boards.record_of(level="Easy")) for n in range(1, 6))
    level = {"name": "Easy", "count": 5, "size": "7x5", "per_page": 4}
    page = {"trim": "6x9in", "paper": paper}
    spec = BookSpec.model_validate({"title": "Lines", "seed": 1, "levels": [level], "page": page})
    return layout_book(Edition(spec, puzzles), load_printer("generic"), load_theme(theme), MEASURE)


def drawn(book, screen=False):
    return draw_pages(book.pages, book.trim, About("Lines", "Ann"), book.bleeds, screen)


def test_the_areas_that_the_studio_shows_change_no_byte():
    book = small_book()
    pages = [replace(page, regions=()) for page in book.pages]
    assert any(page.regions for page in book.pages)
    without = draw_pages(pages, book.trim, About("Lines", "Ann"), book.bleeds)
    assert without == draw_pages([*book.pages], book.trim, About("Lines", "Ann"), book.bleeds)


def opened(content):
    return pikepdf.open(io.BytesIO(content))


def text_page(*runs):
    return Page(Frame(200.0, 300.0, runs), 1, "test")


def operators(content, page=0):
    """The page's operators and those of its forms, in order of drawing."""
    found = []

    def read(stream, resources):
        for operands, operator in pikepdf.parse_content_stream(stream):
            found.append((str(operator), list(operands)))
            if str(operator) == "Do":
                form = resources.XObject[str(operands[0])]
                read(form, form.Resources)

    with opened(content) as pdf:
        read(pdf.pages[page], pdf.pages[page].Resources)
    return found


class Alike(list):
    """Pages that look like the first one."""

    sample = (0,)


@pytest.mark.skipif(not local_workers(2).forked, reason="processes here are not forked")
@pytest.mark.parametrize("last", ["12345", "1234é"])
def test_processes_that_share_the_pages_draw_the_same_file(last, monkeypatch):
    monkeypatch.setattr(dispatch, "_MIN_SHARED_ITEMS", 2)
    texts = ("54321", "11111", "23451", last)
    pages = Alike(text_page(TextRun(20.0, 20.0, text, FontKey.REGULAR, 9.0, 40.0)) for text in texts)
    shared = draw_pages(pages, TRIM, About(), workers=local_workers(2))
    assert shared == draw_pages(pages, TRIM, About())


def test_a_page_has_no_transition_outline_annotation_or_xmp_in_print():
    with opened(drawn(small_book())) as pdf:
        assert all("/Trans" not in page and "/Annots" not in page for page in pdf.pages)
        assert not {"/Metadata", "/Outlines", "/PageLabels"} & set(pdf.Root.keys())


def test_every_font_is_embedded_and_none_is_helvetica():
    with opened(drawn(small_book())) as pdf:
        fonts = [
            obj for obj in pdf.objects if isinstance(obj, pikepdf.Dictionary) and obj.get("/Type") == "/Font"
        ]
        assert {str(font.BaseFont).split("+")[1] for font in fonts} == {"IBMPlexSans", "IBMPlexSans-SmBld"}
        assert all("/FontFile2" in font.FontDescriptor for font in fonts)


@pytest.mark.parametrize(("theme", "paper"), [("classic", "white"), ("soft", "white"), ("colour", "colour")])
def test_nothing_but_grey_and_cmyk_is_ever_set(theme, paper):
    book = small_book(theme, paper)
    content = drawn(book)
    setters = {name for page in range(book.page_count) for name, _ in operators(content, page)}
    assert not setters & {"rg", "RG", "cs", "CS", "sc", "SC", "scn", "SCN", "sh", "gs", "BI"}
    assert ("k" in setters or "K" in setters) is (theme == "colour")


def test_black_is_full_black():
    book = small_book()
    content = drawn(book)
    drawn_with = [call for page in range(book.page_count) for call in operators(content, page)]
    greys = {float(operands[0]) for name, operands in drawn_with if name in ("g", "G")}
    assert greys == {0.0, 0.3, 0.6, 0.7, 1.0}  # black, lines and grids of answers, ornaments, paper


@pytest.mark.parametrize("number", [1, 2])
def test_boxes_hold_trim_and_bleed_of_each_side(number):
    page = Page(Frame(200.0, 300.0, (Rects(((0.0, 0.0, 10.0, 10.0),)),)), number, "test")
    bleeds = (Bleed(0.0, 9.0, 8.0, 7.0), Bleed(9.0, 0.0, 8.0, 7.0))
    with opened(draw_pages([page], TRIM, About(), bleeds)) as pdf:
        made = pdf.pages[0]
        assert list(map(float, made.MediaBox)) == [0, 0, 209, 315]  # 200 + 9, 300 + 8 + 7
        assert list(map(float, made.BleedBox)) == [0, 0, 209, 315]
        left = 0 if number == 1 else 9
        assert list(map(float, made.TrimBox)) == [left, 7, left + 200, 307]


def test_the_trim_s_corner_is_the_frame_s_origin():
    page = Page(Frame(200.0, 300.0, (Rects(((0.0, 0.0, 20.0, 20.0),)),)), 2, "test")
    content = draw_pages([page], TRIM, About(), (Bleed(0, 9, 9, 9), Bleed(9, 0, 9, 9)))
    image = pdfium.PdfDocument(content)[0].render(scale=1, grayscale=True).to_pil()
    assert image.getpixel((9 + 1, 318 - 9 - 2)) == 0
    assert image.getpixel((5, 318 - 9 - 2)) == 255


def test_a_placed_frame_is_drawn_once_however_often_it_is_placed():
    board = Frame(10.0, 10.0, (Rects(((0.0, 0.0, 10.0, 10.0),)),))
    twice = Placed("board", board, 5, 5), Placed("board", board, 50, 50)
    pages = [Page(Frame(200, 300, twice), n, "test") for n in (1, 2)]
    with opened(draw_pages(pages, TRIM, About())) as pdf:
        forms = [
            obj for obj in pdf.objects if isinstance(obj, pikepdf.Stream) and obj.get("/Subtype") == "/Form"
        ]
        assert len(forms) == 1
        assert list(map(float, forms[0].BBox)) == [0, 0, 10, 10]


def test_a_figure_sets_all_that_it_needs_itself():
    board = Frame(10.0, 10.0, (Rects(((0.0, 0.0, 10.0, 10.0),)),))
    light = Rects(((0.0, 0.0, 1.0, 1.0),), grey(0.2))
    page = Page(Frame(200, 300, (light, Placed("board", board, 50, 50))), 1, "test")
    image = pdfium.PdfDocument(draw_pages([page], TRIM, About()))[0].render(scale=1, grayscale=True).to_pil()
    assert image.getpixel((55, 300 - 55)) == 0


@pytest.mark.parametrize("following", [(), (TextRun(10.0, 30.0, "7", FontKey.REGULAR, 9.0, 5.0),)])
def test_tracking_ends_with_its_text(following):
    tracked = TextRun(10.0, 10.0, "12", FontKey.REGULAR, 9.0, 5.0, tracking_pt=-0.5)
    calls = operators(draw_pages([text_page(tracked, *following)], TRIM, About()))
    assert [float(operands[0]) for name, operands in calls if name == "Tc"] == [-0.5, 0.0]


def test_shapes_land_on_their_coordinates():
    items = (
        Discs(((50.0, 50.0),), 10.0, None, Ink(), 2.0),
        Polygon(((100.0, 100.0), (140.0, 100.0), (140.0, 140.0))),
    )
    page = Page(Frame(200, 300, items), 1, "test")
    image = pdfium.PdfDocument(draw_pages([page], TRIM, About()))[0].render(scale=1, grayscale=True).to_pil()
    assert image.getpixel((50, 250)) == 255  # the ring's middle
    assert image.getpixel((59, 250)) < 60  # 50 + 10, a line of 2
    assert image.getpixel((135, 195)) == 0  # inside the triangle
    assert image.getpixel((105, 165)) == 255


def test_the_screen_edition_has_outline_links_labels_and_language():
    book = small_book()
    with opened(drawn(book, screen=True)) as pdf:
        with pdf.open_outline() as outline:
            titles = [entry.title for entry in outline.root]
        assert titles == ["Lines", "Contents", "How to play", "Easy", "Solutions"]
        assert str(pdf.Root.Lang) == "en"
        assert "/PageLabels" in pdf.Root
        puzzles = pdf.pages[book.index["puzzle-1"] - 1]
        assert len(puzzles.Annots) == 3  # one reference a puzzle


def test_a_link_leads_to_its_target():
    pages = [
        Page(Frame(200, 300, ()), 1, "test", links=(LinkArea((10, 20, 30, 12), "there"),)),
        Page(Frame(200, 300, ()), 2, "test", targets=(Target("there", 250.0, "There"),)),
    ]
    with opened(draw_pages(pages, TRIM, About(), screen=True)) as pdf:
        (link,) = pdf.pages[0].Annots
        assert list(map(float, link.Rect)) == [10, 20, 40, 32]
        where = link.Dest if isinstance(link.Dest, pikepdf.Array) else pdf.Root.Dests[link.Dest]
        assert where[0].objgen == pdf.pages[1].obj.objgen


def test_streams_are_deflated_without_ascii_armour():
    content = drawn(small_book())
    assert b"ASCII85" not in content
    stream = re.search(rb"/FlateDecode.*?stream\r?\n(.*?)endstream", content, re.DOTALL)
    assert stream is not None
    assert zlib.decompressobj().decompress(stream[1])


@pytest.mark.parametrize(
    ("mode", "colour_mode"), [("L", ColourMode.CMYK), ("RGB", ColourMode.SRGB), ("CMYK", ColourMode.CMYK)]
)
def test_a_picture_keeps_its_pixels_and_is_packed_no_second_time(mode, colour_mode):
    written, image = io.BytesIO(), Image.radial_gradient("L").resize((70, 50))
    Image.merge(mode, [image] * Image.getmodebands(mode)).save(written, "TIFF")
    photo = Photo((0.0, 0.0, 70.0, 50.0), written.getvalue())
    with opened(draw_frame(Frame(70.0, 50.0, (photo, photo)), colour_mode=colour_mode)) as pdf:
        (drawn_image,) = pdf.pages[0].Resources.XObject.values()
        assert drawn_image.read_bytes() == prepared(photo, mixed=colour_mode is ColourMode.CMYK).tobytes()
        packed, saved = drawn_image.read_raw_bytes(), io.BytesIO()
        pdf.save(saved, compress_streams=True)
    with pikepdf.open(saved) as pdf:
        (drawn_image,) = pdf.pages[0].Resources.XObject.values()
        assert drawn_image.read_raw_bytes() == packed
        assert pikepdf.PdfImage(drawn_image).mode == mode
