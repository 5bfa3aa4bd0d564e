import io
import re

import pytest
from PIL import Image

from boards import ARTICLE_PUZZLE, SOLVED_BOARD
from linkpress.app import puzzles as app_puzzles
from linkpress.app.preview import design_sheet, plan_of, preview, read_page_numbers
from linkpress.app.puzzles import write_pictures
from linkpress.book.spec import BookSpec
from linkpress.documents.models import Document
from linkpress.documents.shipped_files import COVERS
from linkpress.engine.explain.steps import explain_climb
from linkpress.engine.ladder import climb_ladder, position_of
from linkpress.engine.recipe import Rule
from linkpress.errors import OutputError, UsageError
from linkpress.press.assets import in_design
from linkpress.press.dry_run import dry_run
from linkpress.production import book_puzzles
from linkpress.render.fonts import SHIPPED, book_faces
from linkpress.resources import resource
from linkpress.words import load_words


@pytest.mark.parametrize(
    ("text", "pages"), [("2", [2]), ("1-3", [1, 2, 3]), ("4,1-2", [4, 1, 2]), ("3-99", [3, 4, 5])]
)
def test_page_ranges_are_read_in_their_order(text, pages):
    assert read_page_numbers(text, 5) == pages


@pytest.mark.parametrize(
    ("text", "message"),
    [(text, f"--pages {text}: page numbers and ranges") for text in ("", "0", "3-0", "x", "1-")]
    + [("7", "--pages 7: the book has 5 pages"), ("3-1", "begins with its lower page, as 1-3")],
)
def test_page_ranges_that_mean_nothing_are_refused(text, message):
    with pytest.raises(UsageError, match=message):
        read_page_numbers(text, 5)


def test_a_page_that_a_spec_does_not_come_to_is_refused_before_a_puzzle_is_made(tmp_path, monkeypatch):
    monkeypatch.setattr(book_puzzles, "make_book", None)
    spec = tmp_path / "book.yaml"
    spec.write_text("title: Link\nseed: 1\nlevels: [{name: A, count: 1, size: 5}]")
    with pytest.raises(UsageError, match=r"--pages 40-50: the book has [0-9]+ pages"):
        preview(spec, "40-50", 2)


@pytest.mark.parametrize(
    ("level", "line"),
    [
        ({"count": 30, "size": [5, "5x7"], "paths": 4}, "30 puzzles, "),
        ({"count": 1, "size": 5, "paths": 1, "solids": 1}, "A: 1 puzzle; 5 x 5, 1 path, 1 solid"),
        ({"count": 1, "size": 5, "paths": 1, "difficulty": "easy"}, "1 path, 0 solids, easy"),
        ({"count": 1, "size": 5, "method": "classic", "difficulty": "0-39"}, "solids, easy to hard"),
    ],
)
def test_a_plan_counts_puzzles_and_says_what_each_level_asks_for(level, line):
    spec = BookSpec.model_validate({"title": "Link", "seed": 1, "levels": [{"name": "A", **level}]})
    assert line in plan_of(dry_run(Document(spec)).checked()).text


@pytest.mark.parametrize(
    ("trim", "page", "inside"),
    [
        ("6x9in", "trim 6 × 9 in,", "inside margin 0.500 in"),
        ("half-letter", "trim 5.5 × 8.5 in,", "inside margin 0.500 in"),
        ("14x21.6 cm", "trim 140 × 216 mm,", "inside margin 12.7 mm"),
        ("A5", "trim 148 × 210 mm,", "inside margin 12.7 mm"),
    ],
)
def test_a_plan_measures_the_page_in_its_authors_unit(trim, page, inside):
    level = {"name": "A", "count": 1, "size": 5}
    spec = BookSpec.model_validate({"title": "Link", "seed": 1, "page": {"trim": trim}, "levels": [level]})
    plan = plan_of(dry_run(Document(spec)).checked()).text
    assert page in plan
    assert inside in plan


def test_a_plan_warns_of_a_price_that_the_shop_refuses():
    page = {"printer": "kdp-paperback", "trim": "6x9in"}
    levels = [{"name": "A", "count": 60, "size": 5}]
    keys = {"title": "Link", "seed": 1, "page": page, "price": {"USD": "1.99"}, "levels": levels}
    plan = plan_of(dry_run(Document(BookSpec.model_validate(keys))).checked()).text
    assert "warning        amazon.com will not take a price of 1.99 USD: at least 4.60 USD is needed" in plan


@pytest.mark.parametrize(
    ("styles", "boards", "warned"),
    [
        ({"style": "filled"}, {"size": 5, "paths": 2, "solids": 8}, True),
        ({"style": "hatched"}, {"size": 5, "paths": 2, "solids": 8}, False),
        ({"mask_style": "filled"}, {"size": 8, "paths": 7, "solids": {"mask": "small-star"}}, True),
        ({"mask_style": "outline"}, {"size": 8, "paths": 7, "solids": {"mask": "small-star"}}, False),
    ],
)
def test_a_plan_warns_of_large_black_areas(styles, boards, warned):
    theme = {"base": "classic", "solids": styles}
    levels = [{"name": "A", "count": 4, **boards}]
    spec = BookSpec.model_validate({"title": "Link", "seed": 1, "theme": theme, "levels": levels})
    assert ("of the squares of A are black" in plan_of(dry_run(Document(spec)).checked()).text) == warned


@pytest.mark.parametrize(
    ("solutions", "warned"), [({}, False), ({"per_page": 1}, False), ({"per_page": 9}, True)]
)
def test_a_plan_warns_of_small_answers_in_large_print(solutions, warned):
    page, levels = {"trim": "letter", "large_print": True}, [{"name": "A", "count": 9, "size": 9}]
    keys = {"title": "Link", "seed": 1, "page": page, "solutions": solutions, "levels": levels}
    plan = plan_of(dry_run(Document(BookSpec.model_validate(keys))).checked()).text
    assert ("the numbers in the solutions are printed" in plan) == warned


def test_a_cover_in_another_design_keeps_its_badge():
    cover = {"design": "river", "badge": "Large print"}
    spec = BookSpec.model_validate(
        {"title": "A", "seed": 1, "cover": cover, "levels": [{"name": "A", "count": 1, "size": 5}]}
    )
    assert in_design(spec, "nest")[0].cover.badge == "Large print"


def test_a_sheet_shows_the_front_in_each_design_that_takes_the_title(tmp_path):
    """Three rows of five fronts, and no design fewer for a long word or without a picture."""
    source = tmp_path / "book.yaml"
    level = "{name: A, count: 1, size: 5}"
    source.write_text(f"{{title: Evening Links, seed: 1, page: {{trim: 6x9in}}, levels: [{level}]}}")
    sheet = design_sheet(source, 5)
    assert (sheet.names, sheet.left_out) == (COVERS.names(), {})
    with Image.open(io.BytesIO(sheet.png)) as drawn:
        assert (drawn.width // 420, drawn.height // 630) == (5, 3)
    source.write_text(source.read_text().replace("Evening Links", "Zahlenverbindungen"))
    Image.new("RGB", (1900, 2800), "white").save(tmp_path / "art.png")
    source.write_text(source.read_text().replace("seed: 1", "seed: 1, cover: {image: art.png}"))
    sheet = design_sheet(source, 5)
    assert (sheet.names, sheet.left_out) == (COVERS.names(), {})


ENGLISH = load_words("en")


def explained(*puzzles):
    return [(one, list(explain_climb(one, climb_ladder(position_of(one, Rule.STRICT))))) for one in puzzles]


def test_svg_holds_every_sentence_and_each_id_once(tmp_path):
    both = explained(SOLVED_BOARD.puzzle, ARTICLE_PUZZLE)
    path = tmp_path / "steps.svg"
    write_pictures(both, ENGLISH, path, SHIPPED)
    svg = path.read_text(encoding="utf-8")
    ids = re.findall(r' id="([^"]+)"', svg)
    assert len(ids) == len(set(ids))
    for number, (_, steps) in enumerate(both, 1):
        assert f"puzzle-{number}-step-{len(steps)}" in ids
        assert f"Puzzle {number}<" in svg


def test_png_is_as_wide_as_four_pictures_and_shows_colour(tmp_path):
    path = tmp_path / "steps.PNG"
    write_pictures(explained(SOLVED_BOARD.puzzle), ENGLISH, path, SHIPPED)
    image = Image.open(io.BytesIO(path.read_bytes()))
    assert image.format == "PNG"
    assert image.width < image.height
    colours = {colour for _, colour in image.getcolors(1 << 20)}
    assert any(max(colour) - min(colour) > 80 for colour in colours)


def test_steps_are_drawn_in_a_font_of_ones_own(tmp_path):
    own = book_faces({"regular": resource("fonts", "fraunces", "Fraunces-Bold.ttf")})
    write_pictures(explained(SOLVED_BOARD.puzzle), ENGLISH, tmp_path / "steps.svg", own)
    assert "Fraunces" in (tmp_path / "steps.svg").read_text(encoding="utf-8")


def test_a_board_without_steps_has_a_line_of_its_own(tmp_path):
    path = tmp_path / "steps.svg"
    write_pictures([(SOLVED_BOARD.puzzle, [])], ENGLISH, path, SHIPPED)
    assert "Puzzle 1: no steps" in path.read_text(encoding="utf-8")


def test_other_kinds_of_file_are_refused(tmp_path):
    with pytest.raises(UsageError, match=r"\.svg nor \.png"):
        write_pictures(explained(SOLVED_BOARD.puzzle), ENGLISH, tmp_path / "steps.pdf", SHIPPED)
    assert list(tmp_path.iterdir()) == []


def test_a_png_that_would_be_too_large_is_refused_with_its_size(tmp_path, monkeypatch):
    monkeypatch.setattr(app_puzzles, "_MOST_PX", 1000)
    with pytest.raises(OutputError, match=r"PNG of \d+ × \d+ pixels"):
        write_pictures(explained(SOLVED_BOARD.puzzle), ENGLISH, tmp_path / "steps.png", SHIPPED)
    assert list(tmp_path.iterdir()) == []
