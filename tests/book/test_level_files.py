"""Boards in shapes: where a mask comes from, what it gives a level, and which are refused."""

from __future__ import annotations

import io
import warnings
import zlib

import pytest
from PIL import Image, ImageDraw

from linkpress.book.level import LevelSpec
from linkpress.book.level_files import load_mask, take_masks
from linkpress.book.plan import plan_slots, recipe_text
from linkpress.book.spec import BookSpec, load_spec
from linkpress.documents.problem import YamlSource
from linkpress.documents.shipped_files import MASKS
from linkpress.engine.make.generate import generate
from linkpress.engine.recipe import NumberPattern, Span
from linkpress.errors import SpecError, UsageError
from linkpress.feeds.feed_spec import load_feed

FRAME = [".......", ".......", "..##...", ".......", "......."]
BOOK = "title: x\nseed: 1\nlevels:\n- {{name: A, count: 2, {0}}}\n"


def book_of(folder, keys, name="book.yaml"):
    path = folder / name
    path.write_text(BOOK.format(keys))
    return path


def mask_of(level):
    return level.recipes(1)[0].mask


@pytest.fixture
def text(tmp_path):
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "frame.txt").write_text("\n".join(FRAME))
    return tmp_path


def test_a_text_beside_the_spec_lays_the_solids_and_gives_the_size(text):
    spec = load_spec(book_of(text, "solids: {mask: own/frame.txt}"))
    (slot, _) = plan_slots(spec)
    assert (slot.recipe.rows, slot.recipe.cols, slot.recipe.solids) == (5, 7, Span(2, 2))
    assert slot.recipe.mask.solids == {16, 17}
    assert recipe_text(slot.recipe).endswith(f"mask={'/'.join(FRAME)}")


def test_a_base_in_another_folder_names_its_own_masks(text):
    base = book_of(text, "solids: {mask: own/frame.txt}")
    (text / "next").mkdir()
    (text / "next" / "book.yaml").write_text(f"base: ../{base.name}\n")
    assert mask_of(load_spec(text / "next" / "book.yaml").levels[0]).solids == {16, 17}


def test_a_saved_spec_holds_the_mask_itself(text):
    bar = [".......", "#######", "#######", ".......", "......."]
    (text / "bar.txt").write_text("\n".join(["7 5", *bar]))
    spec = load_spec(book_of(text, "solids: {mask: bar.txt, inverted: yes}"))
    document = spec.document()
    assert document["levels"][0]["solids"] == {"mask": bar, "inverted": True}
    assert mask_of(BookSpec.model_validate(document).levels[0]) == mask_of(spec.levels[0])
    assert mask_of(spec.levels[0]).solids == set(range(35)) - set(range(7, 21))


def test_a_weekday_of_a_feed_has_masks_too(text):
    feed = text / "feed.yaml"
    feed.write_text(
        "id: x\ntitle: x\nseed: 1\nweek: {monday: {solids: {mask: own/frame.txt}}, friday: {size: 5}}"
    )
    week = load_feed(feed).week
    assert mask_of(week.monday).solids == {16, 17}
    assert mask_of(week.friday) is None


def test_each_pixel_of_a_picture_is_a_square_and_dark_ones_are_solid(tmp_path):
    picture = Image.new("RGBA", (7, 5), (0, 0, 0, 0))  # what is clear counts as white
    picture.putpixel((3, 2), (90, 90, 90, 255))
    picture.putpixel((0, 4), (200, 200, 200, 255))
    picture.save(tmp_path / "own.png")
    assert load_mask(tmp_path / "own.png").solids == {17}


def test_a_larger_picture_is_divided_into_the_squares_of_the_size(tmp_path):
    picture = Image.new("1", (70, 100), 1)
    ImageDraw.Draw(picture).rectangle((0, 0, 35, 39), fill=0)  # three and a half squares by two
    picture.save(tmp_path / "own.png")
    level = load_spec(book_of(tmp_path, "size: 7x5, solids: {mask: own.png}")).levels[0]
    assert mask_of(level).solids == {0, 1, 2, 3, 7, 8, 9, 10}
    with pytest.raises(UsageError, match="70 × 100 pixels; give `size`"):
        load_mask(tmp_path / "own.png")


def test_paths_that_are_left_out_are_enough_for_the_mask():
    dark = ["".join(".#"[(row + col) % 2 and row in (1, 3)] for col in range(9)) for row in range(5)]
    level = LevelSpec(name="A", count=1, size="9x5", solids={"mask": dark})
    assert mask_of(level) is not None
    assert level.recipes(1)[0].pairs.low >= 9  # 27 light squares and 9 dark ones, two ends to a path


@pytest.mark.parametrize("name", MASKS.names())
def test_a_shipped_shape_is_met_exactly(name):
    mask = load_mask(name)
    level = LevelSpec(name="A", count=1, size=f"{mask.cols}x{mask.rows}", solids={"mask": name})
    assert generate(level.recipes(1)[0], name, graded=False).puzzle.grid == mask


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        (
            "solids: {mask: hart}",
            "solids.mask: hart — no mask named 'hart' and no such file. Did you mean heart?",
        ),
        ("solids: {mask: heart, size: 9}", "solids.size: there is no such key; allowed here: mask, inverted"),
        ("solids: {inverted: yes}, size: 7", "solids.mask: this key is needed"),
        ("solids: {mask: heart}, size: 9", "size: 9x9 — the mask is 13x11; leave `size` out, or write that"),
        ("solids: {mask: heart}, solid_pattern: mirror", "those of a mask lie as they are drawn"),
        ("solids: {mask: heart}, method: classic", "method: walk lays them"),
        ("solids: {mask: tree}, number_pattern: flip", "choose one that leaves the mask as it is, or free"),
        ("solids: {mask: apple}, number_pattern: symmetric", "one that leaves the mask as it is, or free"),
        ("solids: {mask: letter-x}, paths: 8", "8 pairs: the mask needs 11 or more to be filled"),
        ('solids: {mask: [".....", "..#..", ".#.#.", "..#..", "....."]}', "piece of 1 square at r3c3"),
        ('solids: {mask: ["#####", "#####", "#####", "#####", "####."]}', "leaves 1 of the 25 squares"),
        ('solids: {mask: [".....", "..x..", "....."]}', "it has numbers or letters"),
        ('solids: {mask: [".....", "...", "....."]}', "row 2: 3 squares"),
        ('solids: {mask: [".....", "", "....."]}', "neither a size"),
        ("solids: {mask: empty.txt}", "empty.txt is no mask: it is empty"),
        ("solids: {mask: two.txt}", "line 5: a second board begins"),
        ("solids: {mask: broken.png}", "it is neither text nor a picture that is whole"),
    ],
)
def test_a_mask_that_can_not_be_is_refused_with_what_to_try(tmp_path, keys, said):
    (tmp_path / "empty.txt").write_text("\n")
    (tmp_path / "two.txt").write_text("...\n...\n...\n\n...\n...\n...\n")
    (tmp_path / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    with pytest.raises(SpecError) as caught:
        load_spec(book_of(tmp_path, keys))
    assert said in str(caught.value)


def test_a_document_without_masks_is_left_as_it_is(tmp_path):
    source = YamlSource("x", {"levels": [{"solids": 3}, "text"]}, {}, {})
    assert take_masks(source, "levels", tmp_path)[0].value == source.value


def test_a_damaged_picture_is_refused_without_a_warning_of_its_reader(tmp_path):
    """Both once left Pillow as its own faults or words: a header too short, and a TIFF with odd tags."""
    whole, odd = io.BytesIO(), io.BytesIO()
    Image.new("P", (5, 7)).save(whole, "PNG")
    Image.new("L", (5, 7), 255).save(odd, "TIFF")
    header = b"\0\0\0\5IHDR" + bytes(5)
    short = whole.getvalue()[:8] + header + zlib.crc32(header[4:]).to_bytes(4, "big")
    # The tag of the resolution is given more values than the file has bytes.
    tag = odd.getvalue().replace(b"\x1a\1\5\0\1\0\0\0", b"\x1a\1\5\0\xff\0\0\0")
    (tmp_path / "short.png").write_bytes(short)
    (tmp_path / "odd.tif").write_bytes(tag)
    with warnings.catch_warnings(action="error"):
        with pytest.raises(UsageError, match="neither text nor a picture that is whole"):
            load_mask(tmp_path / "short.png")
        assert load_mask(tmp_path / "odd.tif").rows == 7


def test_a_mask_goes_with_symmetric_numbers():
    mask = load_mask("heart")
    keys = {"size": "13x11", "solids": {"mask": "heart"}, "number_pattern": "mirror"}
    recipe = LevelSpec(name="A", count=1, **keys).recipes(1)[0]
    numbers = generate(recipe, "heart", graded=False).puzzle.number_at
    assert {recipe.mirrored(cell, NumberPattern.MIRROR) for cell in numbers} == set(numbers)
    assert not numbers.keys() & mask.solids
