"""``linkpress fix``: a rough spec becomes one that can be built."""

import re

import pytest
import yaml

from linkpress.app.fix import fix_spec
from linkpress.book.spec import load_spec, read_spec
from linkpress.feeds.feed_spec import load_feed

ROUGH = """\
# A book for my aunt
metadata:
  name: Quiet Paths      # working title
  made_by: M. Example
output: quiet.pdf
page-format: a5

# two kinds of boards
kinds_of_pencil: yes
presets:
  soft: {grid: 5x5, pairs: 4, fill_ratio: 0.9}    # soft ones
  firm: {grid: 7x7, pairs: 6, fill_ratio: 0.95}
sections:
  - {title: Soft, preset: soft, puzzles: 6}
  - {title: Firm, preset: firm, puzzles: 4}
solutions: {place: after each puzzle, per_page: 8}
isbn: 978-1-4028-9462-7
"""


@pytest.fixture
def rough(tmp_path):
    path = tmp_path / "rough.yaml"
    path.write_text(ROUGH, encoding="utf-8")
    return path


def test_a_rough_spec_becomes_the_book_that_it_asks_for(rough):
    fixed = fix_spec(rough)
    assert fixed.problems == ()
    rough.with_name("book.yaml").write_text(fixed.text, encoding="utf-8")
    spec = load_spec(rough.with_name("book.yaml"))
    assert [(level.name, level.count, str(level.solids)) for level in spec.levels] == [
        ("Soft", 6, "10%"), ("Firm", 4, "5%"),
    ]  # fmt: skip
    assert (spec.title, spec.author, spec.page.trim.text, spec.solutions.per_page) == (
        "Quiet Paths", "M. Example", "a5", 9,
    )  # fmt: skip
    assert spec.source.notes == ()  # nothing is left to be read otherwise than it is written


def test_comments_stay_at_their_keys_and_wishes_become_comments(rough):
    lines = fix_spec(rough).text.splitlines()
    assert lines[0] == "# A book for my aunt"
    assert "title: Quiet Paths  # working title" in lines
    assert any(line.startswith("# output: quiet.pdf (left out: every build writes a PDF") for line in lines)
    assert any("kinds_of_pencil: yes (left out: linkpress has no such key" in line for line in lines)
    assert any("isbn: 978-1-4028-9462-7 (left out: the last digit" in line for line in lines)
    assert "# two kinds of boards" in lines


def test_a_mix_without_a_number_gets_one_and_the_title_becomes_the_seed(tmp_path):
    (tmp_path / "a.yaml").write_text(
        "# For Ada\ntitle: Two\ninfo: {name: two}\nmix: {easy: 50%, hard: 50%}\n"
    )
    fixed = fix_spec(tmp_path / "a.yaml")
    assert fixed.problems == ()
    assert "`puzzles: 24` is added: the spec gives no number of puzzles" in fixed.changes
    (tmp_path / "b.yaml").write_text(fixed.text)
    assert [level.count for level in load_spec(tmp_path / "b.yaml").levels] == [12, 12]
    assert "seed: Two" in fixed.text.splitlines()
    assert "# name: two (left out: this means `title`" in fixed.text
    assert fixed.text.startswith("# For Ada\n")


def test_difficulties_without_a_number_of_puzzles_keep_their_boards(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text("title: T\npuzzles:\n  easy: {size: 6, paths: 5}\n  hard: {size: 8, paths: 7}\n")
    fixed = fix_spec(path)
    assert fixed.problems == ()
    path.write_text(fixed.text)
    levels = load_spec(path).levels
    assert [(level.name, level.count, str(level.paths)) for level in levels] == [
        ("Easy", 12, "5"),
        ("Hard", 12, "7"),
    ]


def test_a_spec_whose_levels_are_not_understood_stays_as_it_is(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text("title: T\ntotal: ten\nmix: {easy: 50%, hard: 50%}\n")
    text, changes, problems = fix_spec(path)
    assert (text, changes) == (path.read_text(), ())
    assert "puzzles: ten" in problems[0]


def test_a_value_that_is_reduced_in_steps_is_told_once(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text("title: T\nlevels:\n  - {name: A, count: 1, size: 7, paths: 200}\n")
    fixed = fix_spec(path)
    assert fixed.problems == ()
    (told,) = (change for change in fixed.changes if "paths" in change)
    assert "instead of 200: more do not fit on the board" in told
    assert fixed.text.count("more do not fit") == 1


@pytest.mark.parametrize(
    ("size", "fixed"), [("2x4", "3x4"), ("4x6", "4x6"), ("[4, 5]", [4, 5]), ("4-6", [4, 5, 6])]
)
def test_small_boards_get_the_method_that_makes_them(tmp_path, size, fixed):
    path = tmp_path / "a.yaml"
    path.write_text(f"title: T\nlevels:\n  - {{name: A, count: 3, size: {size}}}\n")
    (level,) = yaml.safe_load(fix_spec(path).text)["levels"]
    assert (level["size"], level["method"], level["solids"]) == (fixed, "classic", 0)


def test_levels_of_the_same_difficulty_are_named_by_their_size(tmp_path):
    path = tmp_path / "a.yaml"
    first, second = "size: 8", "size: 10, paths: 10, solids: 15"
    levels = (f"{{difficulty: hard, count: 2, {keys}}}" for keys in (first, second))
    path.write_text(f"title: T\nlanguage: de\nlevels: [{', '.join(levels)}]\n")
    spec = read_spec(path, fix_spec(path).text).checked()
    assert list(spec.headings.values()) == ["Schwer 8 × 8", "Schwer 10 × 10"]
    assert str(spec.levels[1].difficulty) == "20-29"  # medium: such boards are not hard


def test_a_theme_in_colour_gets_paper_that_is_printed_in_colour(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text("title: T\ncolors: true\nlevels: [{name: A, count: 2, size: 6}]\n")
    spec = read_spec(path, fix_spec(path).text).checked()
    assert (spec.theme, spec.page.paper) == ("colour", "colour")


def test_a_book_with_too_few_pages_for_its_printer_gets_pages_for_notes(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text("title: T\npage: {size: 6x9, printer: kdp}\nlevels: [{name: A, count: 10, size: 7}]\n")
    spec = read_spec(path, fix_spec(path).text).checked()
    assert (spec.page.printer, spec.page.trim.text, spec.notes_pages) == ("kdp-paperback", "6x9in", 12)


def test_shares_of_two_meanings_are_told_beside_a_mix_without_a_number(tmp_path):
    path = tmp_path / "a.yaml"
    kinds = "{easy: {size: 6, paths: 5, fill_ratio: 0.7}}"
    path.write_text(f"title: T\nmix: {{easy: 90%}}\ndifficulties: {kinds}\n")
    told = "\n".join(fix_spec(path).changes)
    assert "If 70% of the squares are solid, write `solids: 70%`" in told
    assert "`puzzles: 24` is added" in told


def test_a_mix_in_a_level_that_does_not_add_up_is_read_as_a_ratio(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text("title: T\nlevels: [{name: A, count: 9, size: 7, mix: {easy: 2, medium: 1}}]\n")
    (level,) = yaml.safe_load(fix_spec(path).text)["levels"]
    assert level["difficulty"] == {"easy": 6, "medium": 3}


def test_each_change_is_told(rough):
    changes = "\n".join(fix_spec(rough).changes)
    for change in (
        "line 6: `page-format: a5` is read as `page.trim: a5`",
        "shares of solid squares are read as shares of squares on paths",
        "line 5: `output: quiet.pdf` is left out",
        "`per_page: 9` instead of 8",
    ):
        assert change in changes


def test_a_share_of_two_meanings_is_asked_for(rough):
    questions = []
    fixed = fix_spec(rough, lambda question: bool(questions.append(question)))
    assert len(questions) == 1
    assert "squares that are on paths" in questions[0]
    assert "solids: 90%" not in fixed.text  # such boards can't be made, so the nearest are taken
    assert fixed.problems == ()


def test_boards_that_cant_be_made_are_asked_for_in_the_nearest_way(tmp_path):
    path = tmp_path / "rough.yaml"
    path.write_text("title: Full\nlevels: [{name: A, count: 2, size: 5, paths: 12, solids: 60%}]\n")
    fixed = fix_spec(path)
    level = read_spec(path, fixed.text).checked().levels[0]
    assert level.size[0].rows == 5
    assert level.count == 2
    assert any("paths" in change and "instead of" in change for change in fixed.changes)


def test_what_is_missing_is_added(tmp_path):
    path = tmp_path / "rough.yaml"
    path.write_text("puzzles: 12\nsize: 6\npaths: 5\nlanguage: no\n")
    fixed = fix_spec(path)
    spec = read_spec(path, fixed.text).checked()
    assert (spec.title, spec.puzzle_count, spec.levels[0].name) == ("Number Link", 12, "Puzzles")
    assert "# language: no (left out" in fixed.text


def test_a_valid_spec_stays_as_it_is(tmp_path):
    path = tmp_path / "book.yaml"
    text = "title: Plain\nseed: 1\n\nlevels:\n  # the only one\n  - name: A\n    count: 2\n    size: 5\n"
    path.write_text(text)
    assert fix_spec(path) == (text, (), ())


def test_a_difficulty_without_a_number_of_puzzles_is_kept(tmp_path):
    path = tmp_path / "rough.yaml"
    path.write_text("title: A\ndifficulty: hard\n")
    fixed = fix_spec(path)
    spec = read_spec(path, fixed.text).checked()
    assert [(level.name, level.count) for level in spec.levels] == [("hard", 24)]
    assert "line 2: `difficulty: hard` without `puzzles` is read as `count: 24`" in fixed.changes


def test_a_board_that_is_too_large_becomes_the_largest_that_fits_the_page(tmp_path):
    path = tmp_path / "large.yaml"
    path.write_text("title: A\nseed: 1\npage: A6\nlevels: [{name: B, count: 1, size: 60, paths: 20}]\n")
    fixed = fix_spec(path)
    assert not fixed.problems
    assert [re.findall("size: ([0-9]+)", text) for text in fixed.changes if "size" in text] == [["15"]]


def test_a_mapping_whose_keys_are_all_wrong_leaves_the_keys_around_it(tmp_path):
    file = tmp_path / "book.yaml"
    page = "page: {trim: 7x10in, margins: {inside: wide}}"
    file.write_text(f"title: A\nseed: 1\n{page}\nlevels: [{{name: B, count: 1, size: 6}}]\n")
    result = fix_spec(file)
    assert yaml.safe_load(result.text)["page"] == {"trim": "7x10in"}


def test_answers_that_are_too_small_get_the_nearest_number_to_a_page(tmp_path):
    file = tmp_path / "book.yaml"
    levels = "levels: [{name: B, count: 20, size: 11}, {name: C, count: 20, size: 12}]"
    file.write_text(f"title: A\nseed: 1\npage: {{trim: 5.5x8.5in}}\nsolutions: {{per_page: 9}}\n{levels}\n")
    assert yaml.safe_load(fix_spec(file).text)["solutions"] == {"per_page": 6}


def test_a_difficulty_beside_size_and_paths_is_kept_or_becomes_the_nearest(tmp_path):
    file = tmp_path / "book.yaml"
    level = "{{difficulty: {}, count: 2, size: 7, paths: 6}}"
    file.write_text(f"title: A\nseed: 1\nlevels: [{level.format('easy')}, {level.format('extreme')}]\n")
    levels = yaml.safe_load(fix_spec(file).text)["levels"]
    assert [each.get("difficulty") for each in levels] == ["easy", "medium"]


def test_images_whose_keys_are_all_wrong_are_still_made(tmp_path):
    file = tmp_path / "book.yaml"
    file.write_text(
        "title: A\nseed: 1\npng: {enabled: true, scale: 4}\nlevels: [{name: B, count: 1, size: 6}]\n"
    )
    assert yaml.safe_load(fix_spec(file).text)["images"] is True


def test_a_spec_without_any_puzzles_is_no_book(tmp_path):
    file = tmp_path / "book.yaml"
    file.write_text("title: My crossword\nclues: [{across: Cat}]\n")
    text, changes, (problem,) = fix_spec(file)
    assert (text, changes) == (file.read_text(), ())
    assert "no puzzles were understood" in problem


def test_no_level_is_made_of_a_name_alone(tmp_path):
    file = tmp_path / "book.yaml"
    file.write_text("title: A\nlevels: [{name: B, count: 2, size: 6}, {name: C}]\n")
    assert any("count" in problem for problem in fix_spec(file).problems)


@pytest.mark.parametrize("share", ["1/0", "1.2.3", "some...", ".", "", "{count: 5}", "[1, 2]"])
def test_a_share_that_cannot_be_read_is_no_crash(share, tmp_path):
    rough = tmp_path / "rough.yaml"
    rough.write_text(f"title: Half typed\npuzzles: 10\nmix: {{easy: {share}, hard: 50%}}\n")
    assert "Half typed" in fix_spec(rough).text


@pytest.mark.parametrize(
    "keys",
    [
        "copyright: {page}",  # a forgotten quote makes a mapping whose only key has no value
        "width: ①\nchapters: {count: ①, size: 7}",
        "images: []\nimage size: []",
        "difficulty_levels: {a: {board: 8}, b: {}}\nimages: []",
        "images: [[{width: 85mm}], 3, [a, b]]",
        "epub: [null]",
        "seed:",
        "front: {author: A, rows: [[1, 2], [3]]}\nline_width: [{ebook: {}}, no]",
        "levels: [{name: [A], count: 2}]",
    ],
)
def test_values_of_a_wrong_kind_are_no_crash(keys, tmp_path):
    rough = tmp_path / "rough.yaml"
    rough.write_text(f"title: Half typed\npuzzles: 10\n{keys}\n", encoding="utf-8")
    assert "Half typed" in fix_spec(rough).text


def test_problems_that_stay_have_their_places_in_the_users_file(tmp_path):
    rough = tmp_path / "rough.yaml"
    rough.write_text("levels: [{size: 7, count: 1e9}]\n", encoding="utf-8")
    assert fix_spec(rough).problems[0].startswith(f"{rough}:1:27 levels[0].count: 1e9 ")


def test_a_level_whose_size_cannot_be_read_is_not_named_by_it(tmp_path):
    rough = tmp_path / "rough.yaml"
    levels = "[{difficulty: hard, count: 2, size: huge}, {difficulty: hard, count: 2, size: 9}]"
    rough.write_text(f"title: Two\nlevels: {levels}\n")
    assert "None" not in fix_spec(rough).text


@pytest.mark.parametrize("keys", ["name: Hard", "name: A, difficulty: hard"])
def test_a_difficulty_that_boards_cannot_have_becomes_the_nearest(tmp_path, keys):
    path = tmp_path / "rough.yaml"
    level = f"{{{keys}, puzzles: 2, size: 8, paths: 7, solid: 10%}}"
    path.write_text(f"title: A\nlevels: [{level}]\n", encoding="utf-8")
    fixed = fix_spec(path)
    assert yaml.safe_load(fixed.text)["levels"][0]["difficulty"] == "medium"
    assert any("hard needs" in change for change in fixed.changes)


def test_a_margin_that_is_too_small_becomes_the_smallest_one(tmp_path):
    path = tmp_path / "rough.yaml"
    path.write_text("title: A\npuzzles: 200\nper_page: 1\nmargins: 0.5in\n", encoding="utf-8")
    fixed = fix_spec(path)
    margins = yaml.safe_load(fixed.text)["page"]["margins"]
    assert margins == {"inside": "0.788 in", "outside": "0.5in", "top": "0.5in", "bottom": "0.5in"}


def test_a_level_named_after_a_difficulty_gets_it(tmp_path):
    path = tmp_path / "rough.yaml"
    levels = "easy: {count: 2, grid: 6x6, pairs: 5}\n  hard: {count: 2, grid: 9x9, pairs: 8}\n"
    path.write_text(f"title: A\ndifficulties:\n  {levels}", encoding="utf-8")
    made = yaml.safe_load(fix_spec(path).text)["levels"]
    assert [level["difficulty"] for level in made] == ["easy", "hard"]


FEED = """\
project: Daily Link
start_date: 2025-03-03
export:
  width_px: 1200
  dpi: 300
  color_mode: grayscale
  folder: ./out/daily
  filename: link_{date}_{difficulty}.png
week:
  mon: {level: easy, grid: 7x7, paths: 6}
  sun: {level: hard, grid: 10x10, paths: 9, solid: 0.05}
"""


def test_a_rough_feed_becomes_a_feed_with_the_command_that_makes_it(tmp_path):
    path = tmp_path / "rough.yaml"
    path.write_text(FEED, encoding="utf-8")
    fixed = fix_spec(path)
    assert fixed.problems == ()
    assert "`linkpress feed FILE --from 2025-03-03 --days 7 -o ./out/daily`" in fixed.changes[-1]
    path.write_text(fixed.text, encoding="utf-8")
    feed = load_feed(path)
    assert (feed.id, feed.title, feed.names.text) == ("daily-link", "Daily Link", "link_{date}-{what}")
    assert (feed.image.width_mm, feed.image.dpi, feed.image.mode.value) == (101.6, 300, "gray")
    assert str(feed.week.sunday.solids) == "5%"
    assert feed.seed_warning is None


def test_a_list_of_weekdays_with_images_becomes_a_feed(tmp_path):
    path = tmp_path / "rough.yaml"
    path.write_text(
        "title: Daily\nimages: {width: 85mm, color: black}\npuzzles:\n"
        "  - {name: Monday, difficulty: easy, size: 6, paths: 5}\n"
        "  - {days: [Sat, Sun], difficulty: hard, size: 9, paths: 7}\n",
        encoding="utf-8",
    )
    fixed = fix_spec(path)
    assert fixed.problems == ()
    path.write_text(fixed.text, encoding="utf-8")
    week = load_feed(path).week
    assert [day for day, keys in week if keys] == ["monday", "saturday", "sunday"]
    assert week.sunday.difficulty == week.saturday.difficulty


def test_squares_may_be_a_little_smaller_than_usual(tmp_path):
    path = tmp_path / "rough.yaml"
    levels = "levels: [{name: A, n: 2, size: 15, paths: 20, per_page: 2}]\n"
    path.write_text(f"title: A\npage size: 5.5x8.5 in\nmargin: 0.6in\n{levels}", encoding="utf-8")
    fixed = fix_spec(path)
    assert fixed.problems == ()
    assert 4.2 < yaml.safe_load(fixed.text)["page"]["min_cell_mm"] < 5


def test_a_week_with_a_page_is_a_book_with_images(tmp_path):
    path = tmp_path / "rough.yaml"
    path.write_text(
        "title: A\npage: {size: A4}\npng: {dpi: 300}\ngroups:\n"
        "  - {days: [Mon, Tue], name: Easy, count: 2, size: 6, paths: 5}\n"
        "  - {days: [Sat], name: Hard, count: 1, size: 9, paths: 8}\n",
        encoding="utf-8",
    )
    made = yaml.safe_load(fix_spec(path).text)
    assert made["levels"][0]["count"] == 2
    assert made["images"] == {"dpi": 300}


def test_a_level_keeps_the_word_of_a_difficulty_that_it_can_t_have(tmp_path):
    path = tmp_path / "rough.yaml"
    path.write_text(
        "title: A\nidioma: es\nlevels: [{difficulty: hard, size: 5, paths: 4, n: 2}]\n", encoding="utf-8"
    )
    level = yaml.safe_load(fix_spec(path).text)["levels"][0]
    assert (level["name"], level["difficulty"]) == ("Difícil", "easy")


@pytest.mark.parametrize(
    ("texts", "language", "trim"),
    [
        ("title: ナンバーリンク傑作選", "ja", "182x257mm"),
        ("title: Noche de puzles para el verano", "es", "B5"),
        ("title: Links", None, "B5"),
    ],
)
def test_the_language_is_that_of_the_texts(tmp_path, texts, language, trim):
    path = tmp_path / "rough.yaml"
    path.write_text(f"{texts}\nnumber of puzzles: 4\npage: B5\n", encoding="utf-8")
    made = yaml.safe_load(fix_spec(path).text)
    assert (made.get("language"), made["page"]["trim"]) == (language, trim)


def test_large_letters_are_large_print(tmp_path):
    path = tmp_path / "rough.yaml"
    path.write_text("title: A\nnumber of puzzles: 4\nfont: {name: Arial, size: 18}\n", encoding="utf-8")
    assert yaml.safe_load(fix_spec(path).text)["page"]["large_print"] is True


@pytest.mark.parametrize(("title", "large"), [("Links in Large Print", True), ("A Large Sprint", None)])
def test_a_title_says_that_a_book_is_in_large_print(tmp_path, title, large):
    path = tmp_path / "rough.yaml"
    path.write_text(f"title: {title}\nnumber of puzzles: 4\npage: A5\n", encoding="utf-8")
    assert yaml.safe_load(fix_spec(path).text)["page"].get("large_print") is large
