"""EPS files read by Ghostscript, where there is one, and compared with what PDFium draws."""

import io
import re
import shutil
import subprocess

import pytest
from PIL import Image, ImageChops

import boards
from linkpress.layout.boards.board_frames import board_frame
from linkpress.layout.frame import FontKey, Frame, Photo, Placed, Rects, TextRun
from linkpress.layout.theme import load_theme
from linkpress.render.eps import draw_eps
from linkpress.render.fonts import FontMeasure
from linkpress.render.pdf import About
from linkpress.render.raster import PixelMode, rasterise

GHOSTSCRIPT = shutil.which("gs")
MEASURE = FontMeasure()


def line(text: str, x: float, y: float, size: float = 9.0, tracking: float = 0.0) -> TextRun:
    width = MEASURE.width(text, FontKey.REGULAR, size)
    return TextRun(x, y, text, FontKey.REGULAR, size, width, tracking_pt=tracking)


def page_of(theme: str) -> Frame:
    """An answer twice on a page, turned once, with words that need codes beyond ASCII."""
    board = board_frame(boards.SOLVED_BOARD.puzzle, boards.SOLVED_BOARD, 20.0, load_theme(theme), MEASURE)
    placed = Placed("board", board, 2, 15), Placed("board", board, 2, 122, turned=180)
    words = line("Größe 7 × 5 (Ω\\)", 4, 230, 12.0), line("spaced", 4, 4, tracking=1.5)
    return Frame(150.3, 250.0, (*placed, *words))


@pytest.mark.skipif(GHOSTSCRIPT is None, reason="needs Ghostscript")
@pytest.mark.parametrize("theme", ["classic", "lineart", "dots", "soft"])
def test_ghostscript_draws_what_pdfium_draws(theme: str) -> None:
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


def strong_share(image: Image.Image) -> float:
    """How many of the pixels are more than half way to white."""
    return sum(image.histogram()[128:]) / (image.width * image.height)


def test_the_header_has_the_exact_size_and_what_the_file_is() -> None:
    about = About(title="Links – 7", author="Ann (x)")
    content = draw_eps(page_of("classic"), about, {"Copyright": "© 2026", "Fingerprint": "00ff"})
    lines = content.decode("ascii").splitlines()
    assert lines[0] == "%!PS-Adobe-3.0 EPSF-3.0"
    for said in (
        "%%BoundingBox: 0 0 151 250",
        "%%HiResBoundingBox: 0 0 150.3 250",
        r"%%For: (Ann \050x\051)",
        r"%%Copyright: (\251 2026)",
        "%%Fingerprint: (00ff)",
        "%%LanguageLevel: 2",
    ):
        assert said in lines
    assert lines[-1] == "%%EOF"
    assert max(map(len, lines)) <= 255


def test_black_is_one_ink_and_colours_are_mixes_of_four() -> None:
    assert b" setrgbcolor" not in draw_eps(page_of("dots")).partition(b"%%EndProlog")[2]
    assert re.search(rb"^[0-9. ]+ k$", draw_eps(page_of("dots")), re.MULTILINE)
    assert not re.search(rb"^[0-9. ]+ k$", draw_eps(page_of("classic")), re.MULTILINE)


def test_a_file_is_the_same_bytes_every_time() -> None:
    assert draw_eps(page_of("soft")) == draw_eps(page_of("soft"))


def test_pictures_of_pixels_have_no_drawing() -> None:
    buffer = io.BytesIO()
    Image.new("L", (4, 4)).save(buffer, "PNG")
    with pytest.raises(TypeError, match="a picture of pixels"):
        draw_eps(Frame(9.0, 9.0, (Rects(((0, 0, 1, 1),)), Photo((0, 0, 9, 9), buffer.getvalue()))))
