import io
import warnings
import zlib
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw
from pydantic import ValidationError

from linkpress.book.key_values import BoardSize
from linkpress.book.level import IfMissing, LevelSpec, load_mask, load_masks, load_picture
from linkpress.book.plan import plan_slots, recipe_text
from linkpress.book.spec import BookSpec, load_spec
from linkpress.documents.problem import YamlSource
from linkpress.documents.shipped_files import MASKS, PICTURES
from linkpress.engine.difficulty import Difficulty
from linkpress.engine.make.generate import generate
from linkpress.engine.recipe import Grade, Method, NumberPattern, Pattern, Recipe, Rule, Span
from linkpress.errors import SpecError, UsageError
from linkpress.feeds.feed_spec import load_feed


def level(**keys):
    return LevelSpec.model_validate({"name": "Easy", "count": 3, "size": "7x5", **keys})


def problems_of(**keys):
    with pytest.raises(ValidationError, match=r"\d validation error") as caught:
        level(**keys)
    return [
        f"{'.'.join(map(str, problem.key))}: {problem.text}"
        for entry in caught.value.errors()
        for problem in entry["ctx"]["error"].problems
    ]


def test_the_keys_become_a_recipe():
    keys = {
        "paths": "4-5", "solids": "0-10%", "unique": "filled", "technique": "easy-hard",
        "difficulty": "15-25", "shortest_path": 4, "adjacent_pairs": "yes", "longest_share": "40%",
        "border_share": "50%", "solid_pattern": "rotational",
    }  # fmt: skip
    assert level(**keys).recipes(1) == [
        Recipe(
            rows=5, cols=7, pairs=Span(4, 5), solids=Span(0, 3), rule=Rule.FILLED,
            techniques=(Grade.EASY, Grade.HARD), shortest_path=4, adjacent_pairs=True, longest_share=0.4,
            border_share=0.5, pattern=Pattern.ROTATIONAL, difficulty=Span(15, 25),
        ),
    ]  # fmt: skip


def test_effort_and_otherwise_change_no_recipe():
    longer = level(effort=2.5, otherwise="nearest")
    assert (longer.effort, longer.otherwise) == (2.5, IfMissing.NEAREST)
    assert longer.recipe(BoardSize(5, 7)) == level().recipe(BoardSize(5, 7))


def test_defaults_depend_on_the_method():
    walked, classic = level(), level(method="classic")
    assert walked.recipe(BoardSize(5, 7)) == Recipe(
        5, 7, pairs=Span(4, 5), solids=Span(0, 0), longest_share=0.6, border_share=0.5
    )
    assert classic.method is Method.CLASSIC
    assert classic.recipe(BoardSize(5, 7)) == Recipe(5, 7, shortest_path=2, adjacent_pairs=True)


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"effort": 0}, ": 0 — a number from 0.1 to 1000 (times the usual work) is allowed"),
        ({"otherwise": "skip"}, ": skip — fail or nearest is allowed"),
        ({"paths": "8-12"}, "paths: 8-12 — 12 paths of 3 squares or more need 36; a board of 7x5 has 35"),
        ({"paths": "8", "solids": "0-12"}, "solids: 0-12 — the high end leaves 23 squares free"),
        ({"solids": "95%"}, "solids: 95% — that leaves 2 of the 35 squares"),
        ({"solids": "6-8%"}, "solids: 6-8% — no whole number of the 35 squares of a board of 7x5 lies in"),
        ({"paths": 3, "longest_share": "20%"}, "longest_share: 20% — 3 paths of at most 7 squares"),
        ({"size": "6", "solids": 3, "solid_pattern": "rotational"}, "solids: 3 — an odd number"),
        ({"size": "4"}, "size: 4 — boards have 5 to 50 squares each way"),
        ({"size": ["7", "4x9"]}, "size.1: 4x9 — boards have 5 to 50"),
        ({"method": "classic", "composed": "yes"}, "composed: yes — `method: classic` can't"),
        ({"size": "10", "paths": 9, "number_pattern": "rotational"}, "size: 10x10 — number pattern"),
        ({"method": "classic", "number_pattern": "mirror"}, "number_pattern: mirror — `method: classic` c"),
        ({"method": "classic", "apart": "yes"}, "apart: yes — `method: classic` can't"),
        ({"apart": "yes", "adjacent_pairs": "yes"}, "apart: yes — `apart` forbids neighbours"),
        ({"difficulty": {"easy": 2}}, "difficulty: 2 in all — let the counts of the mix"),
        ({"from": "boards.txt", "difficulty": "hard"}, "difficulty: the boards of `from` are as they are"),
    ],
)
def test_an_impossible_recipe_is_a_problem(keys, message):
    assert problems_of(**keys)[0].startswith(message)


@pytest.mark.parametrize(
    ("keys", "shares"),
    [
        ({"paths": 3}, (0.6, 0.5)), ({"paths": "2-5"}, (1, 1)), ({"paths": 1, "solids": 20}, (1, 1)),
        ({"paths": 5, "method": "classic"}, (1, 1)), ({"paths": 5, "longest_share": "100%"}, (1, 0.5)),
        ({"paths": 2, "border_share": "0%"}, (1, 0)),
    ],
)  # fmt: skip
def test_default_share_limits_apply_from_three_paths_up(keys, shares):
    recipe = level(**keys).recipe(BoardSize(5, 7))
    assert (recipe.longest_share, recipe.border_share) == shares


def test_limits_depend_on_the_board_and_the_method():
    assert level(solids=3, solid_pattern="mirror").recipe(BoardSize(5, 7)).solids == Span(3, 3)
    assert level(size="3", method="classic").recipe(BoardSize(3, 3)).rows == 3
    assert level(apart="yes").recipe(BoardSize(5, 7)).apart


@settings(deadline=None, max_examples=80)
@given(st.integers(5, 50), st.integers(5, 50), st.integers(2, 12), st.sampled_from(["0", "3", "0-10%"]))
def test_the_default_number_of_paths_always_fits(rows, cols, shortest, solids):
    made = level(size=f"{cols}x{rows}", shortest_path=shortest, solids=solids)
    recipe = made.recipe(BoardSize(rows, cols))
    assert 1 <= recipe.pairs.low <= recipe.pairs.high
    assert recipe.pairs.high * shortest <= rows * cols


@pytest.mark.parametrize(
    ("size", "keys", "limits"),
    [
        (9, {"paths": "8-9"}, (3, 0.5, 1.0)), (10, {"paths": "8-10"}, (5, 0.2, 0.25)),
        (10, {}, (5, 0.2, 0.25)), (10, {"paths": 18}, (4, 0.2, 0.25)), (10, {"paths": 22}, (3, 0.5, 1.0)),
        (10, {"paths": "8-10", "solids": "40-50%"}, (4, 0.2, 0.25)), (10, {"paths": "4-6"}, (3, 0.5, 1.0)),
        (10, {"paths": 9, "shortest_path": 3, "border_share": "40%", "border_numbers": "60%"}, (3, 0.4, 0.6)),
        (10, {"method": "classic", "paths": 14}, (2, 1.0, 1.0)),
    ],
)  # fmt: skip
def test_large_boards_that_are_not_composed_have_no_short_paths(size, keys, limits):
    recipe = level(size=size, **{"composed": "no"} | keys).recipe(BoardSize(size, size))
    assert (recipe.shortest_path, recipe.border_share, recipe.border_numbers) == limits


@pytest.mark.parametrize(
    ("size", "keys", "composed", "pattern"),
    [
        ("7", {}, False, NumberPattern.FREE), ("8x9", {}, True, NumberPattern.FREE),
        ("10x12", {}, True, NumberPattern.MIXED), ("10x16", {}, True, NumberPattern.FREE),
        ("10", {"paths": "4-6"}, True, NumberPattern.FREE), ("10", {"solids": 4}, True, NumberPattern.FREE),
        ("10", {"composed": "no"}, False, NumberPattern.FREE),
        ("10", {"composed": "no", "number_pattern": "symmetric"}, False, NumberPattern.SYMMETRIC),
        ("10", {"number_pattern": "flip"}, True, NumberPattern.FLIP),
        ("10", {"method": "classic"}, False, NumberPattern.FREE),
    ],
)  # fmt: skip
def test_boards_are_composed_from_eight_up_and_some_symmetric_from_ten(size, keys, composed, pattern):
    made = level(size=size, **keys)
    recipe = made.recipe(made.size[0])
    assert (recipe.composed, recipe.number_pattern) == (composed, pattern)


def test_a_mix_begins_with_its_easiest_part_and_sizes_take_turns():
    mixed = level(count=5, size=["7x8", "8"], difficulty={"hard": 1, "20-25": 4})
    low, high = Span(20, 25), Difficulty.HARD.points
    assert [(recipe.cols, recipe.difficulty) for recipe in mixed.recipes(5)] == [
        (7, low), (8, low), (7, low), (8, low), (7, high),
    ]  # fmt: skip


def test_a_part_of_a_mix_takes_only_the_sizes_that_can_have_its_difficulty():
    recipes = level(count=4, size=["6", "10"], difficulty={"medium": 2, "hard": 2}).recipes(4)
    chosen = [(recipe.cols, recipe.difficulty.low) for recipe in recipes]
    assert chosen == [(6, 20), (10, 20), (10, 30), (10, 30)]


def test_the_difficulty_decides_the_size_unless_it_is_given():
    recipes = level(count=4, difficulty={"medium": 2, "expert": 2}, size=None).recipes(4)
    assert [recipe.cols for recipe in recipes] == [7, 8, 10, 12]


def test_every_other_easy_board_is_not_one_that_solves_itself():
    recipes = level(count=5, size=["6", "7"], difficulty="easy").recipes(5)
    chosen = [(recipe.cols, recipe.difficulty.low) for recipe in recipes]
    assert chosen == [(6, 0), (7, 0), (6, 12), (7, 12), (6, 0)]


@pytest.mark.parametrize(
    ("difficulty", "count", "shares"),
    [("medium-hard", 5, [3, 2]), ("medium-expert", 7, [3, 2, 2]), ("20-39", 5, [5]), ("hard", 2, [2])],
)
def test_the_names_of_a_range_share_the_puzzles_evenly(difficulty, count, shares):
    recipes = level(count=count, size="9", difficulty=difficulty).recipes(count)
    assert list(Counter(recipe.difficulty for recipe in recipes).values()) == shares


@pytest.mark.parametrize(
    ("size", "difficulty", "paths"),
    [(7, "easy", "7-14"), (8, "medium", "6-10"), (10, "hard", "8-13"), (15, "40-59", "17-29")],
)
def test_the_difficulty_decides_the_number_of_paths_unless_it_is_given(size, difficulty, paths):
    (recipe,) = level(count=1, size=size, difficulty=difficulty).recipes(1)
    assert str(recipe.pairs) == paths
    (given,) = level(count=1, size=size, difficulty=difficulty, paths="9-10").recipes(1)
    assert str(given.pairs) == "9-10"


@pytest.mark.parametrize("keys", [{"solids": "20%"}, {"paths": 25}])
def test_a_difficulty_gets_larger_boards_than_usual_if_other_keys_make_these_too_easy(keys):
    hard = level(size=None, difficulty="hard", **keys)
    assert min(size.rows for size in hard.sizes) > 10
    assert list(hard.problems(lambda _: True)) == []
    assert [size.rows for size in level(size=None, difficulty="hard").sizes] == [9, 10]


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


def test_a_mask_in_a_text_file_gives_solids_and_size(text):
    spec = load_spec(book_of(text, "solids: {mask: own/frame.txt}"))
    (slot, _) = plan_slots(spec)
    assert (slot.recipe.rows, slot.recipe.cols, slot.recipe.solids) == (5, 7, Span(2, 2))
    assert slot.recipe.mask.solids == {16, 17}
    assert recipe_text(slot.recipe).endswith(f"mask={'/'.join(FRAME)}")


def test_a_saved_spec_contains_the_rows_of_its_mask(text):
    bar = [".......", "#######", "#######", ".......", "......."]
    (text / "bar.txt").write_text("\n".join(["7 5", *bar]))
    spec = load_spec(book_of(text, "solids: {mask: bar.txt, inverted: yes}"))
    document = spec.document()
    assert document["levels"][0]["solids"] == {"mask": bar, "inverted": True}
    assert mask_of(BookSpec.model_validate(document).levels[0]) == mask_of(spec.levels[0])
    assert mask_of(spec.levels[0]).solids == set(range(35)) - set(range(7, 21))


def test_a_weekday_of_a_feed_has_masks_too(text):
    feed = text / "feed.yaml"
    days = "{monday: {solids: {mask: own/frame.txt}}, friday: {size: 5}}"
    feed.write_text(f"id: x\ntitle: x\nseed: 1\nweek: {days}")
    week = load_feed(feed).week
    assert mask_of(week.monday).solids == {16, 17}
    assert mask_of(week.friday) is None


def test_each_pixel_of_a_picture_is_a_square_and_dark_ones_are_solid(tmp_path):
    picture = Image.new("RGBA", (7, 5), (0, 0, 0, 0))  # transparent pixels count as white
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


def test_the_default_number_of_paths_is_enough_to_fill_the_mask():
    dark = ["".join(".#"[(row + col) % 2 and row in (1, 3)] for col in range(9)) for row in range(5)]
    level = LevelSpec(name="A", count=1, size="9x5", solids={"mask": dark})
    assert mask_of(level) is not None
    assert level.recipes(1)[0].pairs.low >= 9  # 27 light squares and 9 dark ones, two ends to a path


@pytest.mark.parametrize("name", MASKS.names())
def test_a_board_with_a_shipped_mask_has_exactly_its_solids(name):
    mask = load_mask(name)
    level = LevelSpec(name="A", count=1, size=f"{mask.cols}x{mask.rows}", solids={"mask": name})
    assert generate(level.recipes(1)[0], name, graded=False).puzzle.grid == mask


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ("solids: {mask: hart}", "hart — no mask named 'hart' and no such file. Did you mean heart?"),
        ("solids: {mask: heart, size: 9}", "solids.size: there is no such key; allowed here: mask, inverted"),
        ("solids: {inverted: yes}, size: 7", "solids.mask: this key is needed"),
        ("solids: {mask: heart}, size: 9", "size: 9x9 — the mask has 13x11 squares; leave `size` out, or"),
        ("solids: {mask: heart}, solid_pattern: mirror", "the mask decides where solid squares are"),
        ("solids: {mask: heart}, method: classic", "can't make boards in a shape; use `method: walk`"),
        ("solids: {mask: tree}, number_pattern: flip", "choose one that leaves the mask as it is, or free"),
        ("solids: {mask: letter-x}, paths: 8", "8 pairs: the mask needs 11 pairs or more"),
        (
            'solids: {mask: [".....", "..#..", ".#.#.", "..#..", "....."]}',
            "the mask's free area of 1 square at C3 can't be filled with paths: it is too small for a path",
        ),
        ('solids: {mask: ["#####", "#####", "#####", "#####", "####."]}', "leaves 1 of the 25 squares"),
        ('solids: {mask: [".....", "..x..", "....."]}', "it has numbers or letters"),
        ('solids: {mask: [".....", "...", "....."]}', "row 2: 3 squares"),
        ("solids: {mask: empty.txt}", "empty.txt is no mask: it is empty"),
        ("solids: {mask: two.txt}", "line 5: a second board begins"),
        ("solids: {mask: broken.png}", "it is neither text nor an undamaged picture"),
    ],
)
def test_an_invalid_mask_is_refused_with_advice(tmp_path, keys, message):
    (tmp_path / "empty.txt").write_text("\n")
    (tmp_path / "two.txt").write_text("...\n...\n...\n\n...\n...\n...\n")
    (tmp_path / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    with pytest.raises(SpecError) as caught:
        load_spec(book_of(tmp_path, keys))
    assert message in str(caught.value)
    assert "— mask:" not in str(caught.value)


def test_levels_that_are_no_mappings_are_left_as_they_are():
    source = YamlSource("x", {"levels": [{"solids": 3}, "text"]}, {}, {})
    assert load_masks(source, "levels")[0].value == source.value


def test_a_damaged_picture_is_refused_without_a_warning(tmp_path):
    """Pillow raises SyntaxError for a short PNG header, and warns of a TIFF tag with too many values."""
    whole, odd = io.BytesIO(), io.BytesIO()
    Image.new("P", (5, 7)).save(whole, "PNG")
    Image.new("L", (5, 7), 255).save(odd, "TIFF")
    header = b"\0\0\0\5IHDR" + bytes(5)
    short = whole.getvalue()[:8] + header + zlib.crc32(header[4:]).to_bytes(4, "big")
    # The resolution's tag claims more values than the file has bytes.
    tag = odd.getvalue().replace(b"\x1a\1\5\0\1\0\0\0", b"\x1a\1\5\0\xff\0\0\0")
    (tmp_path / "short.png").write_bytes(short)
    (tmp_path / "odd.tif").write_bytes(tag)
    with warnings.catch_warnings(action="error"):
        with pytest.raises(UsageError, match="neither text nor an undamaged picture"):
            load_mask(tmp_path / "short.png")
        assert load_mask(tmp_path / "odd.tif").rows == 7


def test_a_board_with_a_mask_can_have_symmetric_numbers():
    mask = load_mask("heart")
    keys = {"size": "13x11", "solids": {"mask": "heart"}, "number_pattern": "mirror"}
    recipe = LevelSpec(name="A", count=1, **keys).recipes(1)[0]
    numbers = generate(recipe, "heart", graded=False).puzzle.number_at
    assert {recipe.mirrored(cell, NumberPattern.MIRROR) for cell in numbers} == set(numbers)
    assert not numbers.keys() & mask.solids


PICTURE = ["RRRRR", "RRRRR", "RRRRR", ".....", "YYYYY"]


@pytest.mark.parametrize("reveal", ["own.txt", str(PICTURE)])
def test_a_picture_from_a_file_or_from_rows_gives_the_size_and_is_saved_as_rows(tmp_path, reveal):
    (tmp_path / "own.txt").write_text("\n".join(PICTURE))
    spec = load_spec(book_of(tmp_path, f"reveal: {reveal}"))
    (level,) = spec.levels
    assert level.picture.rows_text == PICTURE
    assert [size.sides for size in level.sizes] == ["5x5"]
    assert spec.document()["levels"][0]["reveal"] == PICTURE
    assert "picture=RRRRR/RRRRR/RRRRR/...../YYYYY" in recipe_text(plan_slots(spec)[0].recipe)


def test_a_picture_file_has_a_square_for_each_pixel_or_is_divided(tmp_path):
    image = Image.new("RGBA", (10, 10), (245, 30, 20, 255))
    image.paste((0, 0, 0, 0), (0, 0, 2, 2))
    image.paste((20, 80, 200, 255), (0, 5, 10, 10))
    image.save(tmp_path / "own.png")
    assert load_picture(tmp_path / "own.png", 5, 5).rows_text == ["#RRRR", "RRRRR", "RRRRR", "BBBBB", "BBBBB"]
    assert load_picture(tmp_path / "own.png").cols == 10


@pytest.mark.parametrize("name", PICTURES.names())
def test_a_shipped_picture_is_7_to_12_squares_a_side_and_can_be_made(tmp_path, name):
    (made,) = load_spec(book_of(tmp_path, f"reveal: {name}")).levels
    picture = made.picture
    assert 7 <= min(picture.rows, picture.cols) <= max(picture.rows, picture.cols) <= 12
    for seed in range(3):
        puzzle = generate(made.recipe(made.sizes[0]), f"{name}/{seed}", graded=False).puzzle
        assert set(puzzle.colours) == set(picture.layers)


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ("size: 7", "the picture has 5x5 squares; leave `size` out, or write `size: 5x5`"),
        ("solids: 2", "leave `solids` out"),
        ("number_pattern: mirror", "a picture decides where its numbers can be; leave `number_pattern` out"),
        ("apart: yes", "leave `apart` out"),
        ("method: classic", "can't make boards for a picture; use `method: walk`"),
        ("paths: 2", "the picture needs 3 pairs or more; raise the number"),
    ],
)
def test_keys_that_contradict_a_picture_are_refused(tmp_path, keys, message):
    with pytest.raises(SpecError) as caught:
        load_spec(book_of(tmp_path, f"reveal: {PICTURE}, {keys}"))
    assert message in str(caught.value)


def test_a_picture_that_does_not_exist_is_refused_with_all_names(tmp_path):
    with pytest.raises(SpecError, match=r"Did you mean fish.*Shipped: apple, boat"):
        load_spec(book_of(tmp_path, "reveal: fisch"))
