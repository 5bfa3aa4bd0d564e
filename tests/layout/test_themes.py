import re

import pytest
from plain_measure import book, numbered, pages_of, placed, run, text_runs, texts

from linkpress.book.printing_keys import (
    Border,
    CaptionsSpec,
    Colophon,
    DifficultyMark,
    PageNumbers,
    PartsSpec,
)
from linkpress.book.spec import BookSpec
from linkpress.documents.models import read_values
from linkpress.documents.shipped_files import PRINTERS, THEMES
from linkpress.documents.values import Size
from linkpress.errors import SpecError, UsageError
from linkpress.images.image_settings import image_settings
from linkpress.layout.frame import Discs, Ink, Polyline, Rects, grey
from linkpress.layout.theme import SolutionStyle, contrast_problems, load_theme, theme_of, theme_problems
from linkpress.printers import load_printer
from linkpress.words import load_words

SPEC = {"title": "A", "seed": 1, "levels": [{"name": "A", "count": 1, "size": 5}]}


def theme_file(folder, body):
    path = folder / "own.yaml"
    path.write_text(f"name: own\n{body}\n")
    return path


@pytest.mark.parametrize("name", THEMES.names())
def test_every_shipped_theme_prints_at_every_printer_on_the_right_paper(name):
    theme = load_theme(name)
    assert theme.name == name
    coloured = any(not ink.is_grey for _, ink in theme.inks)
    papers = {"kdp-paperback": "premium-colour", "generic": "colour", "lulu": "premium-colour"}
    for printer in papers if coloured else PRINTERS.names():
        assert theme_problems(theme, load_printer(printer), papers[printer] if coloured else None) == {}


def test_a_theme_file_changes_only_its_own_keys(tmp_path):
    theme = load_theme(theme_file(tmp_path, "solutions: {style: shaded, inks: [K20, [0, 50, 100, 0]]}"))
    assert theme.solutions.style is SolutionStyle.SHADED
    assert theme.solutions.inks == (grey(0.2), Ink(0.0, 0.5, 1.0, 0.0))
    assert theme.grid.outer_pt == 2.0


@pytest.mark.parametrize("ink", ["blue", "K101", "[0, 50]", "[0, 50, 100, x]", "K", "-K5"])
def test_a_malformed_ink_is_reported_with_its_place(tmp_path, ink):
    with pytest.raises(SpecError, match=r"own\.yaml:2:\d+ accent"):
        load_theme(theme_file(tmp_path, f"accent: {ink}"))


def themed(folder, **keys):
    return theme_of(read_values({**SPEC, **keys}, BookSpec).in_folder(folder))


def test_a_theme_in_a_spec_changes_only_its_own_keys(tmp_path):
    inline = {"base": "bold", "grid": {"inner_pt": 1.5}, "accent": "#0072B2"}
    theme = themed(tmp_path, theme=inline)
    assert (theme.grid.inner_pt, theme.grid.outer_pt) == (1.5, 3.0)
    assert theme.numbers == load_theme("bold").numbers
    assert not theme.accent.is_grey


def test_a_style_of_answers_has_inks_of_its_own(tmp_path):
    """Inks of a base theme are for the style of that base. The four default tints suit all printers."""
    theme = themed(tmp_path, theme={"base": "bold", "solutions": {"style": "shaded"}})
    assert theme.solutions.path_inks == (grey(0.0), grey(0.14), grey(0.26), grey(0.38))
    plain = theme.model_copy(update={"numbers": load_theme("classic").numbers})
    assert theme_problems(plain, load_printer("kdp-paperback")) == {}
    same = themed(tmp_path, theme={"base": "soft", "solutions": {"style": "shaded", "width": 0.3}})
    assert same.solutions.path_inks == load_theme("soft").solutions.inks
    coloured = themed(tmp_path, theme={"solutions": {"style": "coloured"}})
    assert len(coloured.solutions.path_inks) == 8


@pytest.mark.parametrize(
    ("theme", "key", "said"),
    [
        ({"numbers": {"ink": "#ffffff"}}, "numbers.ink", "#FFFFFF on paper in K0 have 1.0; .* K45 would do"),
        ({"numbers": {"ink": "K10"}}, "numbers.ink", "contrast"),
        ({"base": "bold", "numbers": {"ink": "#F0E442"}}, "numbers.ink", "contrast"),
        ({"grid": {"ink": "K30"}}, "grid.ink", "contrast: lines of the grid .* have 2.1"),
        ({"solids": {"ink": "K0", "inset_pt": 0}}, "solids.ink", "1.4 or more"),
        ({"solids": {"ink": "K20", "style": "hatched"}}, "solids.ink", "3 or more"),
        ({"solutions": {"grid_ink": "K5"}}, "solutions.grid_ink", "1.4 or more"),
        ({"solutions": {"inks": ["#ffffff"]}}, "solutions.inks[0]", "lines of answers .* K15 would do"),
        (
            {"base": "soft", "numbers": {"style": "plain", "ink": "K50"}},
            "solutions.inks[3]",
            "numbers in K50 on areas of answers",
        ),
        ({"solutions": {"style": "shaded", "inks": ["K20", "K80"]}}, "solutions.inks[1]", "walls"),
        ({"base": "soft", "solids": {"ink": "K30"}}, "solutions.inks[3]", "solid squares in K30 on areas"),
        ({"accent": "K5"}, "accent", "rules and ornaments"),
        ({"base": "dots", "numbers": {"palette": ["#FFFFF0", "K80"]}}, "numbers.palette", "on paper"),
        ({"base": "dots", "numbers": {"palette": ["#FF0000", "#FF0102"]}}, "numbers.palette", "on dots"),
        # red and olive, which differ by 57, and by 2 for protanopic readers
        ({"base": "dots", "numbers": {"palette": ["#D55E00", "#7A7A00"]}}, "numbers.palette", "twelve"),
    ],
)  # fmt: skip
def test_marks_that_can_not_be_told_from_their_ground_are_refused(theme, key, said, tmp_path):
    problems = list(contrast_problems(themed(tmp_path, theme=theme)))
    assert any(re.search(said, str(problem)) for at, problem in problems if at == key), problems


@pytest.mark.parametrize(
    "theme",
    [
        *THEMES.names(),
        {"solids": {"ink": "K20"}, "solutions": {"inks": ["K45"], "grid_ink": "K35"}},
        {"solutions": {"style": "shaded"}},
        {"base": "dots", "numbers": {"palette": ["#0072B2", "#F0E442", "#D55E00"]}},
    ],
)
def test_marks_that_can_be_seen_are_printed(theme, tmp_path):
    assert list(contrast_problems(themed(tmp_path, theme=theme))) == []


@pytest.mark.parametrize("mode", ["gray", "rgb"])
def test_images_of_newspapers_refuse_marks_that_nobody_sees(mode, tmp_path):
    own = theme_file(tmp_path, "numbers: {ink: K5}")
    with pytest.raises(UsageError, match=r"numbers\.ink — contrast"):
        image_settings((80.0, None), None, mode, "png", str(own))


@pytest.mark.parametrize(
    ("body", "key", "rule"),
    [
        ("grid: {inner_pt: 0.5}", "grid.inner_pt", "line: 0.5 pt"),
        ("rule_pt: 0.5", "rule_pt", "line: 0.5 pt"),
        ("type: {small: 6}", "type.small", "text: 6 pt"),
        ("solids: {ink: K5}", "solids.ink", "tint: 5.0%"),
        ("solutions: {inks: [K100, [0, 4, 0, 0]]}", "solutions.inks[1]", "tint: 4.0%"),
        ("accent: [100, 0, 0, 0]", "accent", "ink: colours on white paper"),
    ],
)
def test_a_theme_that_the_printer_can_not_print_is_refused(tmp_path, body, key, rule):
    theme = load_theme(theme_file(tmp_path, body))
    problems = theme_problems(theme, load_printer("kdp-paperback"))
    problem = next(problem for problem, keys in problems.items() if key in keys)
    assert rule in problem
    assert "(KDP Help, 2026-11-20)" in problem


ENGLISH = load_words("en")

LETTER = Size(612, 792)


def kinds(made):
    return [page.kind for page in made.pages]


@pytest.mark.parametrize(
    ("part", "kind"), [("copyright", "copyright"), ("contents", "contents"), ("how_to_play", "howto")]
)
def test_a_part_can_be_left_out(part, kind):
    assert kind in kinds(book(4))
    made = book(4, parts=PartsSpec().model_copy(update={part: False}))
    assert kind not in kinds(made)
    assert "How to play" not in [text for page in pages_of(made, "contents") for text in texts(page)] or (
        part != "how_to_play"
    )


def test_without_openers_levels_follow_one_another():
    made = book(4, 3, parts=PartsSpec().model_copy(update={"openers": False, "contents": False}))
    assert kinds(made)[-3:] == ["puzzles", "puzzles", "solutions"]
    first, second = pages_of(made, "puzzles")
    assert [target.title for target in second.targets if target.title] == ["B"]
    assert made.index["level-1"] == second.number == first.number + 1
    assert made.index["solutions"] == made.index["solution-1"]


def test_the_colophon_is_nowhere_unless_it_is_asked_for_and_the_promise_on_the_copyright_page():
    for place, page_kinds in (
        (Colophon.NONE, []),
        (Colophon.COPYRIGHT, ["copyright"]),
        (Colophon.END, ["colophon"]),
    ):
        made = book(4, parts=PartsSpec().model_copy(update={"colophon": place}), version="1.0", build="ab")
        with_colophon = [page.kind for page in made.pages if any("linkpress" in text for text in texts(page))]
        assert with_colophon == page_kinds
        promising = [page.kind for page in made.pages if ENGLISH.promise in texts(page)]
        assert promising == ["copyright"]
    assert not any("linkpress" in text for page in book(4, version="1.0").pages for text in texts(page))


def test_boards_get_the_room_of_missing_running_heads():
    page = pages_of(book(8, running_heads=False), "puzzles")[0]
    assert "Puzzles 1–4" not in texts(page)
    assert placed(page)[0].y > placed(pages_of(book(8), "puzzles")[0])[0].y


@pytest.mark.parametrize(
    ("where", "x"),
    [(PageNumbers.CENTRE, (32.4 + 396) / 2), (PageNumbers.INSIDE, 396), (PageNumbers.NONE, None)],
)
def test_page_numbers_are_where_the_spec_puts_them(where, x):
    page = pages_of(book(8, numbers=where), "puzzles")[0]
    assert page.number % 2 == 0  # a verso of 6 × 9 in: 32.4 outside, 36 inside
    at_foot = [item for item in text_runs(page) if item.y < 33]
    middles = {
        PageNumbers.CENTRE: lambda item: item.x + item.width_pt / 2,
        PageNumbers.INSIDE: lambda item: item.x + item.width_pt,
    }
    assert [middles[where](item) for item in at_foot] == ([] if x is None else [pytest.approx(x)])


@pytest.mark.parametrize(("border", "lines"), [(Border.NONE, 0), (Border.LINE, 1), (Border.DOUBLE, 2)])
def test_a_border_runs_round_the_live_area(border, lines):
    (page,) = (page for page in pages_of(book(8, border=border), "puzzles") if page.number % 2 == 0)
    drawn = [item for item in page.frame.items if isinstance(item, Polyline)]
    assert len(drawn) == lines
    if drawn:
        # 2 pt wide, its outer edge on the live area of a verso: 32.4 to 396 across.
        assert drawn[0].points[0][0] == pytest.approx(33.4)
        assert drawn[0].points[1][0] == pytest.approx(395)
        assert run(page, "A").x == pytest.approx(32.4 + 12)


def captions(**keys):
    return CaptionsSpec().model_copy(update=keys)


GRADED = tuple(numbered(n, "A", difficulty=47) for n in range(1, 3))


def test_captions_show_only_what_the_spec_asks_for():
    bare = captions(size=False, page=False)
    page = pages_of(book(2, per_page=1, made=GRADED, captions=bare), "puzzles")[0]
    assert sorted(texts(page)) == sorted(["A", "Puzzle 1", str(page.number), "1"])
    assert [link.target for link in page.links] == ["solution-1"]


def test_captions_show_the_difficulty_as_marks_or_as_a_number_if_the_spec_says_so():
    def shown(mark):
        made = book(2, per_page=1, made=GRADED, captions=captions(difficulty=mark))
        return pages_of(made, "puzzles")[0]

    marks = [item for item in shown(DifficultyMark.MARKS).frame.items if isinstance(item, Discs)]
    assert [len(discs.centres) for discs in marks] == [4]
    assert "7 × 5" in texts(shown(DifficultyMark.MARKS))
    assert "7 × 5 · Difficulty 47" in texts(shown(DifficultyMark.NUMBER))


def test_a_line_for_the_time_is_below_each_board():
    page = pages_of(book(8, captions=captions(time=True)), "puzzles")[0]
    said = [item for item in text_runs(page) if item.text == "Time"]
    rules = [item for item in page.frame.items if isinstance(item, Rects)]
    assert len(said) == len(rules) == 4
    for word, board in zip(said, placed(page), strict=True):
        assert word.x == board.x
        assert board.y - 22 < word.y < board.y - 9
