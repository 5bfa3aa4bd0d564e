import io
import os
import re
import shutil
import subprocess
import sys
from xml.etree import ElementTree

import pytest
from PIL import Image, ImageChops

import boards
from linkpress.documents.values import PixelMode, Size
from linkpress.errors import LayoutError
from linkpress.layout.boards import board_frame
from linkpress.layout.frame import PAPER, Anchor, FontKey, Frame, Ink, Page, Photo, Placed, Rects, TextRun
from linkpress.layout.theme import load_theme
from linkpress.render.eps import draw_eps
from linkpress.render.fonts import FontMeasure
from linkpress.render.pdf import About, draw_frame
from linkpress.render.raster import DESK, contact_sheet, facing_pages, png_bytes, rasterise, tiff_bytes
from linkpress.render.svg import draw_svg

HALVES = Frame(20.0, 10.0, (Rects(((0.0, 0.0, 10.0, 10.0),)),))


def board(theme):
    return board_frame(
        boards.SOLVED_BOARD.puzzle, boards.SOLVED_BOARD, 20.0, load_theme(theme), FontMeasure()
    )


@pytest.mark.parametrize(
    ("mode", "kind"), [(PixelMode.ONE_BIT, "1"), (PixelMode.GRAY, "L"), (PixelMode.RGB, "RGB")]
)
def test_the_image_has_the_given_size_and_mode(mode, kind):
    image = rasterise(HALVES, (1001, 503), mode)
    assert (image.size, image.mode) == ((1001, 503), kind)


def test_colours_come_out_as_colours():
    frame = Frame(10.0, 10.0, (Rects(((0, 0, 10, 10),), Ink(0.0, 0.5, 1.0, 0.0)),))
    red, green, blue = rasterise(frame, (10, 10), PixelMode.RGB).getpixel((5, 5))
    assert red > 200 > green > blue


def test_the_file_says_its_resolution_and_texts():
    content = png_bytes(rasterise(HALVES, (200, 100)), 600, {"Title": "Links – 42"})
    image = Image.open(io.BytesIO(content))
    assert image.info["dpi"] == pytest.approx((600, 600), abs=0.01)
    assert image.text["Title"] == "Links – 42"


def test_one_bit_pixels_refuse_tints_and_colours():
    with pytest.raises(LayoutError, match=r"0%/0%/0%/70%.*lineart"):
        rasterise(board("classic"), (300, 200), PixelMode.ONE_BIT)
    image = rasterise(board("lineart"), (300, 200), PixelMode.ONE_BIT)
    assert image.getextrema() == (0, 255)


def test_black_and_white_is_coded_as_group_4_with_its_resolution():
    drawn = Image.new("1", (300, 200), 1)
    drawn.paste(0, (10, 20, 30, 40))
    texts = {"Title": "Links", "Keywords": "number 7", "Seed": "left out"}
    read = Image.open(io.BytesIO(tiff_bytes(drawn, 600, texts)))
    assert (read.info["compression"], read.info["dpi"]) == ("group4", (600, 600))
    assert (read.tag_v2[270], read.tag_v2[269]) == ("Links", "number 7")
    assert read.tobytes() == drawn.tobytes()


def test_texts_beyond_ascii_are_kept_as_utf_8():
    assert "© Ängström".encode() in tiff_bytes(Image.new("1", (8, 8)), 600, {"Copyright": "© Ängström"})


def test_grey_is_refused():
    with pytest.raises(ValueError, match="black and white"):
        tiff_bytes(Image.new("L", (8, 8)), 600)


def page(number):
    return Page(Frame(100.0, 150.0, (Rects(((0.0, 0.0, 50.0, 150.0),)),)), number, "test")


def test_pages_lie_in_rows_on_a_desk():
    sheet = contact_sheet([page(n) for n in range(1, 6)], Size(100.0, 150.0), cols=3, page_px=200)
    # Gap 0.06 × 200 = 12; 12 + 3 × (200 + 12) wide, 12 + 2 × (300 + 12) high.
    assert sheet.size == (648, 636)
    assert sheet.getpixel((5, 5)) == DESK
    assert sheet.getpixel((12 + 10, 12 + 10)) == (0, 0, 0)  # left half of the first page
    assert sheet.getpixel((12 + 150, 12 + 10)) == (255, 255, 255)
    assert sheet.getpixel((648 - 50, 636 - 50)) == DESK  # there is no sixth page


@pytest.mark.parametrize(
    ("mode", "kind"), [(PixelMode.ONE_BIT, "LA"), (PixelMode.GRAY, "LA"), (PixelMode.RGB, "RGBA")]
)
def test_transparent_paper_keeps_items_that_are_drawn_in_white(mode, kind):
    dot = Rects(((2.0, 2.0, 4.0, 4.0),), PAPER)
    image = rasterise(Frame(20.0, 10.0, (*HALVES.items, dot)), (200, 100), mode, clear=True)
    assert image.mode == kind
    on_black, on_dot, on_paper = (image.getpixel(at) for at in ((90, 10), (40, 60), (150, 50)))
    assert (on_black[0], on_black[-1]) == (0, 255)
    assert (on_dot[0], on_dot[-1]) == (255, 255)
    assert on_paper[-1] == 0


def test_facing_pages_are_side_by_side_with_a_shade_at_the_fold():
    blank = Frame(20.0, 10.0, ())
    image = facing_pages(Page(HALVES, 2, "puzzles"), Page(blank, 3, "puzzles"), (200, 100))
    assert (image.size, image.mode) == ((400, 100), "RGB")
    assert image.getpixel((50, 50)) == (0, 0, 0)
    assert image.getpixel((300, 50)) == (255, 255, 255)
    assert image.getpixel((199, 50)) < image.getpixel((205, 50)) < (255, 255, 255)


NAMES = {"svg": "http://www.w3.org/2000/svg"}


def tree(frame, title=""):
    return ElementTree.fromstring(draw_svg(frame, title))


def test_the_drawing_has_the_frame_s_size_and_title():
    root = tree(Frame(142.0, 102.5, ()), "Links & more")
    assert (root.get("width"), root.get("viewBox")) == ("142pt", "0 0 142 102.5")
    assert root.findtext("svg:title", namespaces=NAMES) == "Links & more"


def test_texts_are_dublin_core():
    texts = {"Author": "Ann & Co", "Keywords": "number 7", "Software": "left out"}
    (metadata,) = ElementTree.fromstring(draw_svg(Frame(9.0, 9.0, ()), "", texts))
    found = {one.tag.removeprefix("{http://purl.org/dc/elements/1.1/}"): one.text for one in metadata}
    assert found == {"creator": "Ann & Co", "subject": "number 7"}


def test_heights_are_counted_from_the_top():
    root = tree(Frame(100.0, 80.0, (Rects(((10.0, 20.0, 30.0, 5.0),)),)))
    (path,) = root.findall("svg:path", NAMES)
    assert path.get("d") == "M10 60h30v-5h-30Z"  # 80 − 20


def test_text_is_text_and_holds_its_anchor():
    run = TextRun(40.0, 30.0, "a<b", FontKey.SEMIBOLD, 9.0, 12.0, anchor=Anchor.MIDDLE)
    (text,) = tree(Frame(100.0, 80.0, (run,))).findall("svg:text", NAMES)
    assert text.text == "a<b"
    assert (text.get("x"), text.get("y"), text.get("text-anchor")) == ("46", "50", "middle")
    assert (text.get("font-weight"), text.get("font-family")) == ("600", "IBM Plex Sans, sans-serif")


def test_placed_figures_are_groups_at_their_place():
    board = Frame(10.0, 10.0, (Rects(((0.0, 0.0, 10.0, 10.0),), Ink(1, 0, 0, 0)),))
    frame = Frame(100.0, 80.0, (Placed("board-0", board, 5.0, 7.0),))
    (group,) = ElementTree.fromstring(draw_svg(frame, prefix="links-7-")).findall("svg:g", NAMES)
    assert (group.get("id"), group.get("class")) == ("links-7-board-0", "board")
    assert group[0].get("d") == "M5 73h10v-10h-10Z"  # 80 − 7
    assert group[0].get("fill") == "#00ffff"


def test_a_quarter_turn_puts_a_figure_s_left_end_at_the_head_of_its_place():
    """30 × 10 at 20, 5 on a page 60 high: 10 × 30 from there, about the middle of a square of 30."""
    strip = Frame(30, 10, (Rects(((0, 0, 30, 10),), Ink(0, 0, 0, 1)),))
    (group,) = tree(Frame(100, 60, (Placed("spine", strip, 20, 5, turned=90),))).iterfind(
        ".//{*}g[@transform]"
    )
    assert group.get("transform") == "rotate(90 35 40)"


def test_a_board_s_numbers_can_be_read_back():
    frame = board_frame(boards.SOLVED_BOARD.puzzle, None, 20.0, load_theme("bold"), FontMeasure())
    numbers = [text.text for text in tree(frame).findall("svg:text", NAMES)]
    assert sorted(numbers) == sorted("5133522414")
    assert len(tree(frame).findall("svg:circle", NAMES)) == 10


def test_a_drawing_says_the_language_of_its_texts():
    root = ElementTree.fromstring(draw_svg(Frame(9.0, 9.0, ()), "เส้น", language="th"))
    assert (root.get("lang"), root.get("{http://www.w3.org/XML/1998/namespace}lang")) == ("th", "th")
    assert root.get("viewBox") == "0 0 9 9"


GHOSTSCRIPT = shutil.which("gs")
MEASURE = FontMeasure()


def line(text, x, y, size=9.0, tracking=0.0):
    width = MEASURE.width(text, FontKey.REGULAR, size)
    return TextRun(x, y, text, FontKey.REGULAR, size, width, tracking_pt=tracking)


def page_of(theme):
    """An answer twice on a page, turned once, with words that need codes beyond ASCII."""
    board = board_frame(boards.SOLVED_BOARD.puzzle, boards.SOLVED_BOARD, 20.0, load_theme(theme), MEASURE)
    placed = Placed("board", board, 2, 15), Placed("board", board, 2, 122, turned=180)
    words = line("Größe 7 × 5 (Ω\\)", 4, 230, 12.0), line("spaced", 4, 4, tracking=1.5)
    return Frame(150.3, 250.0, (*placed, *words))


@pytest.mark.skipif(GHOSTSCRIPT is None, reason="needs Ghostscript")
@pytest.mark.parametrize("theme", ["classic", "lineart", "dots", "soft"])
def test_ghostscript_draws_what_pdfium_draws(theme):
    frame = page_of(theme)
    options = "-q -dSAFER -dBATCH -dNOPAUSE -dEPSCrop -sDEVICE=png16m -r288 -sOutputFile=-"
    smooth = "-dTextAlphaBits=4 -dGraphicsAlphaBits=4"
    command = [str(GHOSTSCRIPT), *options.split(), *smooth.split(), "-"]
    done = subprocess.run(command, input=draw_eps(frame), capture_output=True, check=True)
    theirs = Image.open(io.BytesIO(done.stdout)).convert("L")
    ours = rasterise(frame, (601, 1000), PixelMode.RGB).convert("L")
    difference = ImageChops.difference(theirs, ours)
    assert strong_share(difference) < 0.001  # at edges 0.0006; a letter is more
    words = (0, 0, 601, 100)
    assert (
        strong_share(difference.crop(words))
        < 0.002
        < 0.05
        < strong_share(ImageChops.invert(ours).crop(words))
    )


def strong_share(image):
    """How many of the pixels are more than half way to white."""
    return sum(image.histogram()[128:]) / (image.width * image.height)


def test_the_header_has_the_exact_size_and_what_the_file_is():
    about = About(title="Links – 7", author="Ann (x)")
    content = draw_eps(page_of("classic"), about, {"Copyright": "© 2026", "Fingerprint": "00ff"})
    lines = content.decode("ascii").splitlines()
    assert lines[0] == "%!PS-Adobe-3.0 EPSF-3.0"
    for expected in (
        "%%BoundingBox: 0 0 151 250",
        "%%HiResBoundingBox: 0 0 150.3 250",
        r"%%For: (Ann \050x\051)",
        r"%%Copyright: (\251 2026)",
        "%%Fingerprint: (00ff)",
        "%%LanguageLevel: 2",
    ):
        assert expected in lines
    assert lines[-1] == "%%EOF"
    assert max(map(len, lines)) <= 255


def test_black_is_one_ink_and_colours_are_mixes_of_four():
    assert b" setrgbcolor" not in draw_eps(page_of("dots")).partition(b"%%EndProlog")[2]
    assert re.search(rb"^[0-9. ]+ k$", draw_eps(page_of("dots")), re.MULTILINE)
    assert not re.search(rb"^[0-9. ]+ k$", draw_eps(page_of("classic")), re.MULTILINE)


def test_a_file_is_the_same_bytes_every_time():
    assert draw_eps(page_of("soft")) == draw_eps(page_of("soft"))


def test_pictures_of_pixels_have_no_drawing():
    buffer = io.BytesIO()
    Image.new("L", (4, 4)).save(buffer, "PNG")
    with pytest.raises(TypeError, match="pixel picture"):
        draw_eps(Frame(9.0, 9.0, (Rects(((0, 0, 1, 1),)), Photo((0, 0, 9, 9), buffer.getvalue()))))


SCRIPT = (
    "from linkpress.render.fonts import FontMeasure; from reportlab import rl_config; import os;"
    "print(rl_config.useA85, rl_config.canvas_baseColor, os.environ.get('RL_useA85'))"
)


def printed(home, **more):
    environment = {**os.environ, "HOME": str(home), **more}
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_files_in_the_users_home_are_not_run_and_environment_variables_set_nothing_and_stay(tmp_path):
    for name in (".reportlab_mods", ".reportlab_settings"):
        (tmp_path / name).write_text("useA85 = 77\nimport reportlab.rl_settings as s; s.useA85 = 77\n")
    no_folder = tmp_path / ".reportlab_mods"
    assert printed(tmp_path) == printed(no_folder) == "1 None None\n"
    assert printed(tmp_path, RL_useA85="0", RL_canvas_baseColor="red", RL_xmlParser="none") == "1 None 0\n"


@pytest.mark.parametrize("epoch", ["1700000000", "tomorrow", "99999999999999999"])
def test_a_drawing_has_the_date_that_it_is_given_alone(epoch, monkeypatch):
    plain = draw_frame(Frame(50, 70, ()), About("Lines"))
    assert b"/CreationDate (D:20000101000000+00'00')" in plain
    monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    assert draw_frame(Frame(50, 70, ()), About("Lines")) == plain
    assert os.environ["SOURCE_DATE_EPOCH"] == epoch
