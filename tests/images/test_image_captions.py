import datetime

import pytest

import boards
from linkpress.documents.problem import InvalidError
from linkpress.engine.recipe import Grade
from linkpress.errors import UsageError
from linkpress.images.image_captions import (
    Caption,
    CaptionSpec,
    GradeMark,
    puzzle_caption,
    read_parts,
    shown_puzzle,
    solution_caption,
)
from linkpress.images.image_settings import ImageKind, NameFields, read_template
from linkpress.words.languages import load_words

ENGLISH = load_words("en")

EXHIBIT = shown_puzzle(boards.record_of(grade=Grade.MEDIUM), 1234)
TUESDAY = datetime.date(2026, 12, 1)
EVERYTHING = CaptionSpec(grade=GradeMark.WORDS, rules=True)


def days(later):
    return TUESDAY, TUESDAY + datetime.timedelta(days=later)


def test_a_puzzle_says_number_size_grade_rules_and_when_it_is_solved():
    caption = puzzle_caption(EXHIBIT, EVERYTHING, ENGLISH, days(1))
    assert caption.heading == "Puzzle 1,234"
    assert caption.details == "7 × 5 · Medium"
    assert "solid" in caption.rules
    assert caption.note == "Solution tomorrow"


def test_stars_stand_for_the_grade_by_its_rank():
    caption = puzzle_caption(EXHIBIT, CaptionSpec(), ENGLISH)
    assert (caption.stars, caption.details) == (3, "7 × 5")


def test_a_puzzle_without_grade_says_nothing_of_it():
    shown = shown_puzzle(boards.record_of(grade=None), 5)
    assert puzzle_caption(shown, EVERYTHING, ENGLISH).details == "7 × 5"
    assert puzzle_caption(shown, CaptionSpec(), ENGLISH).stars is None


@pytest.mark.parametrize(
    ("later", "note", "heading"),
    [
        (1, "Solution tomorrow", "Yesterday’s solution"),
        (3, "Solution on Friday", "Tuesday’s solution"),
        (9, "Solution on December\u00a010", "Solution for December\u00a01"),
    ],
)
def test_days_are_named_as_far_as_they_are_away(later, note, heading):
    assert puzzle_caption(EXHIBIT, EVERYTHING, ENGLISH, days(later)).note == note
    solution = solution_caption(EXHIBIT, EVERYTHING, ENGLISH, days(later))
    assert (solution.heading, solution.details) == (heading, "Puzzle 1,234")


def test_an_undated_solution_says_its_number():
    assert solution_caption(EXHIBIT, EVERYTHING, ENGLISH) == Caption("Solution 1,234")


def test_parts_are_read_from_a_list():
    style = read_parts(["number", " stars", "rules"])
    assert style == CaptionSpec(size=False, rules=True, solution=False)
    assert not read_parts([]).in_image


@pytest.mark.parametrize("parts", [["colour"], ["grade", "stars"]])
def test_parts_that_there_are_not_or_that_exclude_each_other_are_refused(parts):
    with pytest.raises(UsageError, match="caption"):
        read_parts(parts)


DAY = NameFields(datetime.date(2026, 12, 1), 7, ImageKind.PUZZLE, 2, 600)


def test_the_example_of_the_readme():
    template = read_template("LINKS-{date:%Y%m%d}-{number:04}-{what}-{columns}col-{dpi}.png")
    assert template.name(DAY, ".png") == "LINKS-20261201-0007-puzzle-2col-600.png"


def test_the_suffix_follows_the_kind_of_file():
    assert read_template("{number}-{what}.png").name(DAY, ".tif") == "7-puzzle.tif"
    assert read_template("{number}-{what}").name(DAY, ".svg") == "7-puzzle.svg"


def test_names_may_lie_in_folders():
    assert read_template("{date:%Y}/{date:%m}/{number}-{what}").name(DAY, ".png") == "2026/12/7-puzzle.png"


@pytest.mark.parametrize(
    "text",
    [
        "/{what}",
        "../{what}",
        "a/../../{what}",
        "a\\{what}",
        "./{what}",
        "C:{what}",
        ".{what}",
        "a//{what}",
        "{what}|",
        "con/{what}",
        "manifest-{what}",
        "{number}",
        "{what.__class__}",
        "{what[0]}",
        "{what!r}",
        "{0}-{what}",
        "{}-{what}",
        "{title}-{what}",
        "{what:>99}",
        "{number:{dpi}}-{what}",
        "{number:99999}-{what}",
        "{date:%c}-{what}",
        "{date:%A}-{what}",
        "{date:%Y/%m}-{what}",
        "{what",
        "{what}" + "x" * 200,
        "{what}/" + "\U0001f600" * 50,
        "{what}\ud800",
        "={what}",
        "-{what}",
        "@{what}/{number}",
        "index.csv/{what}-{number}",
        "{what}\u202egnp.",
        "{what}\u2028",
        "{what}\ufeff",
        "{what}\0",
    ],
)
def test_a_template_with_anything_else_is_refused(text):
    with pytest.raises(InvalidError):
        read_template(text)


def test_a_field_without_a_value_is_refused():
    undated = NameFields(None, 7, ImageKind.PUZZLE, None, 600)
    for text in ("{date:%Y}-{what}", "{columns}-{what}"):
        with pytest.raises(UsageError, match="Leave it out"):
            read_template(text).name(undated, ".png")
