import io

import pytest
from PIL import Image

import boards
from linkpress.documents.lengths import Size
from linkpress.errors import LayoutError
from linkpress.layout.boards.board_frames import board_frame
from linkpress.layout.frame import PAPER, Frame, Ink, Lines, Page, Rects
from linkpress.layout.theme import load_theme
from linkpress.render.fonts import FontMeasure
from linkpress.render.raster import (
    DESK,
    PixelMode,
    contact_sheet,
    facing_pages,
    png_bytes,
    rasterise,
    tiff_bytes,
)

HALVES = Frame(20.0, 10.0, (Rects(((0.0, 0.0, 10.0, 10.0),)),))


def board(theme: str) -> Frame:
    return board_frame(
        boards.SOLVED_BOARD.puzzle, boards.SOLVED_BOARD, 20.0, load_theme(theme), FontMeasure()
    )


@pytest.mark.parametrize(
    ("mode", "kind"), [(PixelMode.ONE_BIT, "1"), (PixelMode.GRAY, "L"), (PixelMode.RGB, "RGB")]
)
def test_the_image_has_the_pixels_and_the_mode_asked_for(mode: PixelMode, kind: str) -> None:
    image = rasterise(HALVES, (1001, 503), mode)
    assert (image.size, image.mode) == ((1001, 503), kind)


def test_the_left_half_is_black_to_the_pixel() -> None:
    image = rasterise(HALVES, (200, 100))
    assert {image.getpixel((x, 50)) for x in range(100)} == {0}
    assert {image.getpixel((x, 50)) for x in range(100, 200)} == {255}


def test_a_line_of_whole_pixels_is_crisp() -> None:
    frame = Frame(100.0, 100.0, (Lines(((0.0, 50.0, 100.0, 50.0),), 4.0),))
    column = [rasterise(frame, (100, 100)).getpixel((50, y)) for y in range(100)]
    assert column == [255] * 48 + [0] * 4 + [255] * 48


def test_colours_come_out_as_colours() -> None:
    frame = Frame(10.0, 10.0, (Rects(((0, 0, 10, 10),), Ink(0.0, 0.5, 1.0, 0.0)),))
    red, green, blue = rasterise(frame, (10, 10), PixelMode.RGB).getpixel((5, 5))
    assert red > 200 > green > blue


def test_the_file_says_its_resolution_and_texts() -> None:
    content = png_bytes(rasterise(HALVES, (200, 100)), 600, {"Title": "Links – 42"})
    image = Image.open(io.BytesIO(content))
    assert image.info["dpi"] == pytest.approx((600, 600), abs=0.01)
    assert image.text["Title"] == "Links – 42"


def test_one_bit_refuses_what_it_would_lose() -> None:
    with pytest.raises(LayoutError, match=r"0%/0%/0%/40%.*lineart"):
        rasterise(board("classic"), (300, 200), PixelMode.ONE_BIT)
    image = rasterise(board("lineart"), (300, 200), PixelMode.ONE_BIT)
    assert image.getextrema() == (0, 255)


def test_black_and_white_is_coded_as_group_4_with_its_resolution() -> None:
    drawn = Image.new("1", (300, 200), 1)
    drawn.paste(0, (10, 20, 30, 40))
    texts = {"Title": "Links", "Keywords": "number 7", "Seed": "left out"}
    read = Image.open(io.BytesIO(tiff_bytes(drawn, 600, texts)))
    assert (read.info["compression"], read.info["dpi"]) == ("group4", (600, 600))
    assert (read.tag_v2[270], read.tag_v2[269]) == ("Links", "number 7")
    assert read.tobytes() == drawn.tobytes()


def test_texts_beyond_ascii_are_kept_as_utf_8() -> None:
    assert "© Ängström".encode() in tiff_bytes(Image.new("1", (8, 8)), 600, {"Copyright": "© Ängström"})


def test_grey_is_refused() -> None:
    with pytest.raises(ValueError, match="black and white"):
        tiff_bytes(Image.new("L", (8, 8)), 600)


def page(number: int) -> Page:
    return Page(Frame(100.0, 150.0, (Rects(((0.0, 0.0, 50.0, 150.0),)),)), number, "test")


def test_pages_lie_in_rows_on_a_desk() -> None:
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
def test_see_through_paper_leaves_what_is_drawn_in_white(mode: PixelMode, kind: str) -> None:
    dot = Rects(((2.0, 2.0, 4.0, 4.0),), PAPER)
    image = rasterise(Frame(20.0, 10.0, (*HALVES.items, dot)), (200, 100), mode, clear=True)
    assert image.mode == kind
    on_black, on_dot, on_paper = (image.getpixel(at) for at in ((90, 10), (40, 60), (150, 50)))
    assert (on_black[0], on_black[-1]) == (0, 255)
    assert (on_dot[0], on_dot[-1]) == (255, 255)
    assert on_paper[-1] == 0


def test_facing_pages_stand_side_by_side_with_a_shade_at_the_fold() -> None:
    blank = Frame(20.0, 10.0, ())
    image = facing_pages(Page(HALVES, 2, "puzzles"), Page(blank, 3, "puzzles"), (200, 100))
    assert (image.size, image.mode) == ((400, 100), "RGB")
    assert image.getpixel((50, 50)) == (0, 0, 0)
    assert image.getpixel((300, 50)) == (255, 255, 255)
    assert image.getpixel((199, 50)) < image.getpixel((205, 50)) < (255, 255, 255)
