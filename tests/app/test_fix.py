"""``linkpress fix``: a rough spec becomes one that can be built."""

import pytest
import yaml

from linkpress.app.fix import fix_spec
from linkpress.book.spec import load_spec
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


@pytest.fixture
def fix(tmp_path):
    """Return a function that fixes a text and returns the result, whose text is in ``book.yaml`` then."""

    def fixed(text):
        path = tmp_path / "book.yaml"
        path.write_text(text, encoding="utf-8")
        made = fix_spec(path)
        path.write_text(made.text, encoding="utf-8")
        return made

    return fixed


def test_a_mix_without_a_number_gets_one_and_the_title_becomes_the_seed(fix, tmp_path):
    fixed = fix("# For Ada\ntitle: Two\ninfo: {name: two}\nmix: {easy: 50%, hard: 50%}\n")
    assert fixed.problems == ()
    assert "`puzzles: 24` is added: the spec gives no number of puzzles" in fixed.changes
    assert [level.count for level in load_spec(tmp_path / "book.yaml").levels] == [12, 12]
    assert "seed: Two" in fixed.text.splitlines()
    assert "# name: two (left out: this means `title`" in fixed.text
    assert fixed.text.startswith("# For Ada\n")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("title: T\ntotal: ten\nmix: {easy: 50%, hard: 50%}", "puzzles: ten"),
        ("title: My crossword\nclues: [{across: Cat}]", "no puzzles were understood"),
    ],
)
def test_a_spec_whose_levels_are_not_understood_stays_as_it_is(fix, text, problem):
    fixed = fix(text)
    assert (fixed.text, fixed.changes) == (text, ())
    assert problem in fixed.problems[0]


def test_no_level_is_made_of_a_name_alone(fix):
    assert any("count" in one for one in fix("levels: [{name: B, count: 2, size: 6}, {name: C}]").problems)


def test_a_value_that_is_reduced_in_steps_is_told_once(fix):
    fixed = fix("title: T\nlevels:\n  - {name: A, count: 1, size: 7, paths: 200}\n")
    assert fixed.problems == ()
    (told,) = (change for change in fixed.changes if "paths" in change)
    assert "instead of 200: more do not fit on the board" in told
    assert fixed.text.count("more do not fit") == 1


LEVEL = "levels: [{name: B, count: 1, size: 6}]"


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        *((f"levels: [{{name: A, count: 3, size: {size}}}]", "levels.0", {"size": fixed, "method": "classic"})
          for size, fixed in (("2x4", "3x4"), ("4x6", "4x6"), ("[4, 5]", [4, 5]), ("4-6", [4, 5, 6]))),
        (f"colors: true\n{LEVEL}", "", {"theme": "colour", "page": {"paper": "colour"}}),
        # a printer asks for 24 pages
        ("page: {size: 6x9, printer: kdp}\nlevels: [{name: A, count: 10, size: 7}]", "notes_pages", 12),
        ("levels: [{name: A, count: 9, size: 7, mix: {easy: 2, medium: 1}}]", "levels.0.difficulty",
         {"easy": 6, "medium": 3}),
        ("puzzles:\n  easy: {size: 6, paths: 5}\n  hard: {size: 8, paths: 7}", "levels.1",
         {"name": "Hard", "count": 12, "paths": 7}),
        ("difficulty: hard", "levels.0", {"difficulty": "hard", "count": 24}),
        (f"page: {{trim: 7x10in, margins: {{inside: wide}}}}\n{LEVEL}", "page", {"trim": "7x10in"}),
        ("page: {trim: 5.5x8.5in}\nsolutions: {per_page: 9}\nlevels: [{name: B, count: 20, size: 11}, "
         "{name: C, count: 20, size: 12}]", "solutions.per_page", 6),
        ("levels: [{difficulty: easy, count: 2, size: 7, paths: 6}]", "levels.0.difficulty", "easy"),
        ("levels: [{difficulty: extreme, count: 2, size: 7, paths: 6}]", "levels.0.difficulty", "medium"),
        (f"png: {{enabled: true, scale: 4}}\n{LEVEL}", "images", True),
        *((f"levels: [{{{name}, puzzles: 2, size: 8, paths: 7, solid: 10%}}]", "levels.0",
           {"difficulty": "medium"}) for name in ("name: Hard", "name: A, difficulty: hard")),
        ("puzzles: 200\nper_page: 1\nmargins: 0.5in", "page.margins",
         {"inside": "0.788 in", "outside": "0.5in", "top": "0.5in", "bottom": "0.5in"}),
        ("difficulties:\n  easy: {count: 2, grid: 6x6, pairs: 5}\n  hard: {count: 2, grid: 9x9, pairs: 8}",
         "levels.1.difficulty", "hard"),
        ("idioma: es\nlevels: [{difficulty: hard, size: 5, paths: 4, n: 2}]", "levels.0",
         {"name": "Difícil", "difficulty": "easy"}),
        ("title: ナンバーリンク傑作選\nnumber of puzzles: 4\npage: B5", "",
         {"language": "ja", "page": {"trim": "182x257mm"}}),
        ("title: Noche de puzles para el verano\nnumber of puzzles: 4\npage: B5", "",
         {"language": "es", "page": {"trim": "B5"}}),
        ("number of puzzles: 4\npage: B5", "language", None),
        ("number of puzzles: 4\nfont: {name: Arial, size: 18}", "page.large_print", True),
        ("title: Links in Large Print\nnumber of puzzles: 4\npage: A5", "page.large_print", True),
        ("title: A Large Sprint\nnumber of puzzles: 4\npage: A5", "page.large_print", None),
        ("page: {size: A4}\npng: {dpi: 300}\ngroups:\n"  # a week with a page is a book
         "  - {days: [Mon, Tue], name: Easy, count: 2, size: 6, paths: 5}\n"
         "  - {days: [Sat], name: Hard, count: 1, size: 9, paths: 8}", "images", {"dpi": 300}),
        # the largest boards that fit the page
        ("page: A6\nlevels: [{name: B, count: 1, size: 60, paths: 20}]", "levels.0.size", 15),
    ],
)  # fmt: skip
def test_a_rough_key_becomes_one_that_can_be_built(fix, tmp_path, text, key, value):
    fixed = fix(text if "title:" in text else f"title: T\n{text}\n")
    assert fixed.problems == ()
    assert load_spec(tmp_path / "book.yaml").levels
    found = yaml.safe_load(fixed.text)
    for step in filter(None, key.split(".")):
        found = found[int(step)] if step.isdigit() else found.get(step)
    assert holds(found, value), found


def holds(found, value):
    """Return whether a value is this, or a mapping with these keys among others."""
    if isinstance(value, dict) and isinstance(found, dict):
        return all(holds(found.get(key), inner) for key, inner in value.items())
    return found == value


def test_levels_of_the_same_difficulty_are_named_by_their_size(fix, tmp_path):
    keys = ("size: 8", "size: 10, paths: 10, solids: 15")
    levels = ", ".join(f"{{difficulty: hard, count: 2, {one}}}" for one in keys)
    fix(f"title: T\nlanguage: de\nlevels: [{levels}]\n")
    spec = load_spec(tmp_path / "book.yaml")
    assert list(spec.headings.values()) == ["Schwer 8 × 8", "Schwer 10 × 10"]
    assert str(spec.levels[1].difficulty) == "20-29"  # medium: such boards are not hard
    fixed = fix(f"title: T\nlevels: [{levels}]\n".replace("size: 8", "size: huge"))
    assert "None" not in fixed.text  # a size that can't be read names nothing


def test_each_change_is_told(rough, fix):
    changes = [*fix_spec(rough).changes]
    kinds = "{easy: {size: 6, paths: 5, fill_ratio: 0.7}}"
    changes += fix(f"title: T\nmix: {{easy: 90%}}\ndifficulties: {kinds}\n").changes
    changes += fix("title: A\ndifficulty: hard\n").changes
    changes += fix("title: A\nlevels: [{name: Hard, puzzles: 2, size: 8, paths: 7, solid: 10%}]\n").changes
    for change in (
        "line 6: `page-format: a5` is read as `page.trim: a5`",
        "shares of solid squares are read as shares of squares on paths",
        "line 5: `output: quiet.pdf` is left out",
        "`per_page: 9` instead of 8",
        "If 70% of the squares are solid, write `solids: 70%`",
        "`puzzles: 24` is added",
        "line 2: `difficulty: hard` without `puzzles` is read as `count: 24`",
        "hard needs",
    ):
        assert change in "\n".join(changes)


def test_a_share_of_two_meanings_is_asked_for(rough):
    questions = []
    fixed = fix_spec(rough, lambda question: bool(questions.append(question)))
    assert len(questions) == 1
    assert "squares that are on paths" in questions[0]
    assert "solids: 90%" not in fixed.text  # such boards can't be made, so the nearest are taken
    assert fixed.problems == ()


def test_boards_that_cant_be_made_are_asked_for_in_the_nearest_way(fix, tmp_path):
    fixed = fix("title: Full\nlevels: [{name: A, count: 2, size: 5, paths: 12, solids: 60%}]\n")
    (level,) = load_spec(tmp_path / "book.yaml").levels
    assert (level.size[0].rows, level.count) == (5, 2)
    assert any("paths" in change and "instead of" in change for change in fixed.changes)


def test_what_is_missing_is_added(fix, tmp_path):
    fixed = fix("puzzles: 12\nsize: 6\npaths: 5\nlanguage: no\n")
    spec = load_spec(tmp_path / "book.yaml")
    assert (spec.title, spec.puzzle_count, spec.levels[0].name) == ("Number Link", 12, "Puzzles")
    assert "# language: no (left out" in fixed.text


def test_a_valid_spec_stays_as_it_is(fix):
    text = "title: Plain\nseed: 1\n\nlevels:\n  # the only one\n  - name: A\n    count: 2\n    size: 5\n"
    assert fix(text) == (text, (), ())


@pytest.mark.parametrize(
    "keys",
    [
        *(f"mix: {{easy: {share}, hard: 50%}}"
          for share in ("1/0", "1.2.3", "some...", ".", "", "{count: 5}", "[1, 2]")),
        "copyright: {page}",  # a forgotten quote makes a mapping whose only key has no value
        "width: ①\nchapters: {count: ①, size: 7}",
        "images: []\nimage size: []",
        "difficulty_levels: {a: {board: 8}, b: {}}\nimages: []",
        "images: [[{width: 85mm}], 3, [a, b]]",
        "epub: [null]",
        "seed:",
        "front: {author: A, rows: [[1, 2], [3]]}\nline_width: [{ebook: {}}, no]",
        "levels: [{name: [A], count: 2}]",
        "levels: [{difficulty: hard, count: 2, size: huge}, {difficulty: hard, count: 2, size: 9}]",
    ],
)  # fmt: skip
def test_values_of_a_wrong_kind_are_no_crash(keys, fix):
    text = fix(f"title: Half typed\npuzzles: 10\n{keys}\n").text
    assert "Half typed" in text
    assert "None" not in text


def test_problems_that_stay_have_their_places_in_the_users_file(fix, tmp_path):
    place = tmp_path / "book.yaml"
    assert (
        fix("levels: [{size: 7, count: 1e9}]\n").problems[0].startswith(f"{place}:1:27 levels[0].count: 1e9 ")
    )


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


def test_a_rough_feed_becomes_a_feed_with_the_command_that_makes_it(fix, tmp_path):
    fixed = fix(FEED)
    assert fixed.problems == ()
    assert "`linkpress feed FILE --from 2025-03-03 --days 7 -o ./out/daily`" in fixed.changes[-1]
    feed = load_feed(tmp_path / "book.yaml")
    assert (feed.id, feed.title, feed.names.text) == ("daily-link", "Daily Link", "link_{date}-{what}")
    assert (feed.image.width_mm, feed.image.dpi, feed.image.mode.value) == (101.6, 300, "gray")
    assert str(feed.week.sunday.solids) == "5%"
    assert feed.seed_warning is None


def test_a_list_of_weekdays_with_images_becomes_a_feed(fix, tmp_path):
    fixed = fix(
        "title: Daily\nimages: {width: 85mm, color: black}\npuzzles:\n"
        "  - {name: Monday, difficulty: easy, size: 6, paths: 5}\n"
        "  - {days: [Sat, Sun], difficulty: hard, size: 9, paths: 7}\n"
    )
    assert fixed.problems == ()
    week = load_feed(tmp_path / "book.yaml").week
    assert [day for day, keys in week if keys] == ["monday", "saturday", "sunday"]
    assert week.sunday.difficulty == week.saturday.difficulty


def test_squares_may_be_a_little_smaller_than_usual(fix):
    levels = "levels: [{name: A, n: 2, size: 15, paths: 20, per_page: 2}]\n"
    fixed = fix(f"title: A\npage size: 5.5x8.5 in\nmargin: 0.6in\n{levels}")
    assert fixed.problems == ()
    assert 4.2 < yaml.safe_load(fixed.text)["page"]["min_cell_mm"] < 5
