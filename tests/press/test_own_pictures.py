"""Pictures behind pages and in the publisher's own text, as they are printed."""

import io
import struct
import zlib

import pikepdf
import pytest
from PIL import Image

from linkpress.app.preview import plan_of
from linkpress.book.spec import read_spec, with_printing_changes
from linkpress.documents.values import Size
from linkpress.errors import LayoutError, UsageError
from linkpress.layout.frame import PAPER, Photo, Placed, TextRun
from linkpress.press.assets import load_assets, read_picture
from linkpress.press.dry_run import dry_run
from linkpress.render.photos import NoPictureError, blank_photo, prepared, read_photo, size_of_photo
from linkpress.verify.verification import verify_folder
from press_samples import Typeset
from verify_samples import problems_in, volume_in, with_changes

NINE_PT = 0.125 * 72
SPEC = """
title: Lines
seed: 1
page: {printer: kdp-paperback, trim: 6x9in, bleed: yes, background: {image: behind.png}}
levels: [{name: A, count: 4, size: 5}]
notes_pages: 20
"""


def picture(folder, name, width, height):
    Image.new("RGB", (width, height), (200, 40, 40)).save(folder / name)


def illustrated(folder, printer="kdp-paperback", **page):
    """A book with a picture behind its pages and one in its foreword; the files lie in the folder."""
    picture(folder, "behind.png", 1838, 2775)  # 6.125 × 9.25 in at 300 dpi
    picture(folder, "über sea.png", 900, 600)  # any name that a file may have
    return with_changes(
        volume_in("classic"),
        page={"printer": printer, "bleed": True, "background": {"image": "behind.png"}, **page},
        front=[{"text": '![](<über sea.png> "3in")'}],
        notes_pages=40,
        parts={"tutorial": True},
    )


def image_kinds(made, name="interior.pdf"):
    with pikepdf.open(io.BytesIO(made.files[name])) as pdf:
        streams = [thing for thing in pdf.objects if isinstance(thing, pikepdf.Stream)]
        return {str(thing.ColorSpace) for thing in streams if thing.get("/Subtype") == "/Image"}


def test_a_dry_run_draws_blank_pictures_of_the_sizes_of_those_to_come(tmp_path, monkeypatch):
    """Large ones take long to pack."""
    monkeypatch.setattr("linkpress.render.photos._ENOUGH_PIXELS", 5_000_000)
    picture(tmp_path, "behind.png", 2900, 3000)  # 2775 on the shorter side do for 9.25 in, 2850 for 9.5
    (tmp_path / "book.yaml").write_text(SPEC)
    checked = dry_run(read_spec(tmp_path / "book.yaml")).checked()
    blank = Image.open(io.BytesIO(checked.layout.edition.pictures["behind.png"].content))
    assert blank.getcolors() == [(2850 * 2948, (255, 255, 255))]  # 3000 × 2850 / 2900
    drawn = checked.assets.pictures["behind.png"]
    assert drawn.pixels == Image.open(io.BytesIO(drawn.content)).size == blank.size
    word = "behind.png has 2,900 × 3,000 pixels, more than a page needs: it is drawn with 2,850 × 2,948"
    assert word in plan_of(checked).text


@pytest.mark.parametrize(
    ("printer", "paper", "kind"),
    [
        ("kdp-paperback", "white", "/DeviceGray"),
        ("kdp-paperback", "premium-colour", "/DeviceCMYK"),
        ("lulu", "premium-colour", "/DeviceRGB"),
        ("ingramspark", "premium-colour", "/DeviceCMYK"),
    ],
)
def test_a_book_with_pictures_passes_and_has_the_colours_that_its_printer_wants(
    printer, paper, kind, tmp_path
):
    volume = illustrated(tmp_path, printer, paper=paper)
    if printer != "kdp-paperback":
        picture(tmp_path, "behind.png", 1875, 2775)  # bleed at the spine too
    made = Typeset(volume, tmp_path)
    assert made.reports["interior.pdf"].passed, made.reports["interior.pdf"].text()
    assert image_kinds(made) == {kind}
    (tmp_path / "interior.pdf").write_bytes(made.files["interior.pdf"])
    (tmp_path / "volume.json").write_text(volume.json, encoding="utf-8")
    assert problems_in(verify_folder(tmp_path)) == []


@pytest.mark.parametrize(
    ("mode", "name"),
    [
        ("L", "grey.png"),
        ("1", "line.png"),
        ("I;16", "deep.png"),
        ("LA", "a.png"),
        ("L", "grey.jpg"),
        ("L", "g.tif"),
    ],
)
def test_a_grey_picture_can_be_a_cover_and_a_check_knows_its_colours(mode, name, tmp_path):
    Image.new(mode, (1900, 2800)).save(tmp_path / name)
    cover = {"image": name}
    volume = with_changes(volume_in("classic"), page={"printer": "generic"}, cover=cover)
    made = Typeset(volume, tmp_path)
    assert made.reports["cover.pdf"].passed, made.reports["cover.pdf"].text()
    assert image_kinds(made, "cover.pdf") == {"/DeviceCMYK"}
    key = volume.spec.cover.picture_key
    blank = read_picture(volume.spec.in_folder(tmp_path), key, name, 1000, blank_photo)
    assert Image.open(io.BytesIO(blank.content)).mode == (
        "RGB" if mode == "LA" else "1" if mode == "1" else "L"
    )


def test_a_picture_with_too_many_pixels_is_too_large_and_not_damaged():
    for side in (12_500, 14_300):  # 156 and 204 million pixels; Pillow refuses the second itself
        written = io.BytesIO()
        Image.new("1", (side, side)).save(written, "PNG")
        with pytest.raises(NoPictureError, match="too large: 150 million pixels"):
            size_of_photo(written)


def test_words_on_a_picture_are_refused_where_they_could_not_be_read(tmp_path):
    picture(tmp_path, "front.png", 1900, 2800)
    cover = {"image": "front.png", "background": "#777777"}
    with pytest.raises(LayoutError, match=r"may have a contrast of 2\.[0-9] only"):
        _ = Typeset(
            with_changes(volume_in("classic"), page={"printer": "generic"}, cover=cover), tmp_path
        ).files


def backgrounds(page):
    placed = [item for item in page.frame.items if isinstance(item, Placed)]
    return [item for item in placed if isinstance(item.frame.items[0], Photo)]


@pytest.mark.parametrize(
    ("pages", "kinds"), [("openers", {"opener"}), ("puzzles", {"puzzles"}), ("both", {"opener", "puzzles"})]
)
def test_the_pages_that_are_named_have_the_picture_to_the_edge_of_the_bleed(pages, kinds, tmp_path):
    background = {"image": "behind.png", "pages": pages, "strength": "25%"}
    book = Typeset(illustrated(tmp_path, background=background), tmp_path).book
    behind = [(page, one) for page in book.pages for one in backgrounds(page) if page.kind != "matter"]
    assert {page.kind for page, _ in behind} == kinds
    for page, placed in behind:
        (photo,) = placed.frame.items
        assert (photo.strength, photo.grey) == (0.25, True)
        # The spine is left of a recto and right of a verso, and has no bleed.
        assert (placed.x, placed.y) == pytest.approx((0.0 if page.number % 2 else -NINE_PT, -NINE_PT))
        assert photo.box == pytest.approx((0.0, 0.0, 432 + NINE_PT, 648 + 2 * NINE_PT))


def test_boards_on_a_picture_stand_on_white(tmp_path):
    book = Typeset(illustrated(tmp_path), tmp_path).book
    page = next(page for page in book.pages if page.kind == "puzzles")
    first, white, *rest = page.frame.items
    assert first == backgrounds(page)[0]
    assert white.ink == PAPER
    boards = [item for item in rest if isinstance(item, Placed)]
    assert [box[:2] for box in white.boxes] == [(board.x - 4, board.y - 4) for board in boards]
    captions = [item for item in rest if isinstance(item, TextRun) and "Solution p." in item.text]
    assert len(captions) == len(boards)
    for caption, (x, y, width, height) in zip(captions, white.boxes, strict=True):
        assert x < caption.x < caption.x + caption.width_pt < x + width
        assert y < caption.y < caption.y + 0.75 * caption.size_pt < y + height


def test_a_screen_has_the_picture_in_colour_and_no_bleed(tmp_path):
    made = Typeset(with_changes(illustrated(tmp_path), screen={"trim": "6x9in"}), tmp_path)
    assert image_kinds(made, "screen.pdf") == {"/DeviceRGB"}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("words.png", r"words\.png is none of JPEG, PNG"),
        ("a%00b.png", r"a\\x00b\.png can't be read"),
        ("https://example.com/a.png", "can't be read"),
    ],
)
def test_a_file_that_is_no_picture_is_refused_with_its_key(name, message, tmp_path):
    (tmp_path / "words.png").write_text("words")
    spec = with_printing_changes(volume_in("classic").spec, {"back": [{"text": f"![]({name})"}]})
    with pytest.raises(UsageError, match=rf"back\[0\]\.text: .*{message}"):
        _ = load_assets(spec.in_folder(tmp_path)).pictures


def drawn(content, mixed, **keys):
    buffer = io.BytesIO()
    content.save(buffer, "TIFF")
    image = prepared(Photo((0, 0, 10, 10), buffer.getvalue(), **keys), mixed)
    return image.mode, image.getpixel((0, 0))


def test_greys_of_16_bits_keep_their_scale():
    # 30000 / 65535 × 255 = 116.7
    assert drawn(Image.new("I;16", (9, 9), 30000), mixed=True) == ("L", 117)
    assert drawn(Image.new("I;16", (9, 9), 65535), mixed=False) == ("L", 255)
    with pytest.raises(NoPictureError, match="32 bits for each grey"):
        drawn(Image.new("F", (9, 9), 0.5), mixed=True)


def test_pictures_lose_their_colours_or_some_of_their_ink():
    red, cyan = Image.new("RGB", (9, 9), (255, 55, 55)), Image.new("CMYK", (9, 9), (200, 0, 0, 100))
    assert drawn(red, mixed=True) == ("CMYK", (0, 200, 200, 0))
    assert drawn(red, mixed=True, strength=0.2) == ("CMYK", (0, 40, 40, 0))
    assert drawn(red, mixed=False, strength=0.2) == ("RGB", (255, 215, 215))
    assert drawn(cyan, mixed=True, strength=0.1) == ("CMYK", (20, 0, 0, 10))
    # 0.299 × 255 + 0.701 × 55 = 115
    assert drawn(red, mixed=True, grey=True) == ("L", 115)
    assert drawn(red, mixed=True, grey=True, strength=0.5) == ("L", 185)


@pytest.mark.parametrize("orientation", [1, 6])
def test_a_photo_that_lies_on_its_side_is_measured_upright(orientation, monkeypatch):
    exif, written = Image.Exif(), io.BytesIO()
    exif[0x0112] = orientation
    Image.new("RGB", (300, 200)).save(written, "JPEG", exif=exif)
    upright = Photo((0, 0, 30, 20) if orientation == 1 else (0, 0, 20, 30), written.getvalue())
    whole = Size(300, 200) if orientation == 1 else Size(200, 300)
    assert size_of_photo(written) == whole
    assert prepared(upright, mixed=True).size == whole
    monkeypatch.setattr("linkpress.render.photos._ENOUGH_PIXELS", 15_000)  # a quarter
    content, before, now = read_photo(written, 20)
    assert (before, now) == (whole, Size(whole[0] / 2, whole[1] / 2))
    assert Image.open(io.BytesIO(content)).size == now


def noise(mode):
    bands = [Image.effect_noise((70, 300), 60 + band) for band in range(Image.getmodebands(mode))]
    return Image.merge(mode, bands) if len(bands) > 1 else bands[0].convert(mode)


@pytest.mark.parametrize("mode", ["L", "LA", "RGB", "RGBA", "P", "1"])
def test_a_picture_with_more_pixels_than_a_page_needs_is_reduced(mode, monkeypatch):
    monkeypatch.setattr("linkpress.render.photos._ENOUGH_PIXELS", 70 * 300 / 3.3**2)
    written, image = io.BytesIO(), noise(mode)
    image.save(written, "PNG")
    content, whole, now = read_photo(written, 20)
    assert (whole, now) == (Size(70, 300), Size(21, 91))  # 70 / 3.3, 300 / 3.3
    found = Image.open(io.BytesIO(content))
    assert found.tobytes() == plain_on_white(image).convert(found.mode).resize((21, 91)).tobytes()


@pytest.mark.parametrize("tag", [273, 278, 279])
def test_a_tiff_whose_tags_are_wrong_is_damaged(tag):
    written = io.BytesIO()
    noise("RGB").save(written, "TIFF", compression="tiff_lzw", strip_size=900)
    spoilt = written.getvalue().replace(struct.pack("<HH", tag, 4), struct.pack("<HH", tag, 2))
    spoilt = spoilt.replace(struct.pack("<HH", tag, 3), struct.pack("<HH", tag, 2))  # letters, not numbers
    with pytest.raises(NoPictureError, match="is damaged"):
        size_of_photo(io.BytesIO(spoilt))


def plain_on_white(image):
    if image.mode in ("LA", "RGBA"):
        return Image.alpha_composite(Image.new("RGBA", image.size, "white"), image.convert("RGBA"))
    return image.convert("RGB" if image.mode == "P" else "L" if image.mode == "1" else image.mode)


def test_of_colours_of_16_bits_the_upper_8_are_drawn(monkeypatch):
    """Each row has a filter that looks left and up; Pillow writes no such file."""
    width, height = 40, 200
    row = b"\4" + bytes((200, 9, 100, 8, 50, 7)) + bytes(6 * (width - 1))  # each pixel as that on its left
    rows = row + (b"\2" + bytes(6 * width)) * (height - 1)  # and each row as that above
    header = struct.pack(">IIBBBBB", width, height, 16, 2, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    made = b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in chunks
    )
    monkeypatch.setattr("linkpress.render.photos._ENOUGH_PIXELS", width * height / 4)
    content, _, now = read_photo(io.BytesIO(made), 5)
    assert Image.open(io.BytesIO(content)).getcolors() == [(20 * 100, (200, 100, 50))]
    assert now == Size(20, 100)
    for cut in (len(made) // 2, len(made) - 30):
        with pytest.raises(NoPictureError, match="is damaged"):
            read_photo(io.BytesIO(made[:cut]), 5)
