import dataclasses
import json
from types import SimpleNamespace

import pytest

from linkpress.book.level import IfMissing
from linkpress.book.plan import plan_slots
from linkpress.book.spec import BookSpec
from linkpress.engine.make.generate import generate
from linkpress.engine.recipe import Grade
from linkpress.errors import GradeError, PuzzleError, RecipeError
from linkpress.production.slot_search import journal_line, make_slot, read_journal_line
from paper_maker import make_on_paper, make_slots


def slot(**keys):
    level = {"name": "A", "count": 1, "size": 7, "paths": "5-7", "technique": "medium", **keys}
    return plan_slots(BookSpec.model_validate({"title": "T", "seed": 1, "levels": [level]}))[0]


class OneTechnique:
    """Makes puzzles of one technique only, and collects the techniques, seeds and work it is called with."""

    def __init__(self, technique):
        self.technique, self.calls = technique, []

    def __call__(self, recipe, seed, method, work):
        self.calls.append((recipe.techniques, seed, work))
        if not recipe.accepts(self.technique, 0):
            raise GradeError("none")
        grading = SimpleNamespace(technique=self.technique, score=1, findings={}, difficulty=0, opening=())
        return dataclasses.replace(make_on_paper(recipe, seed, method), grading=grading)


@pytest.mark.parametrize(
    ("technique", "ranges"),
    [
        (Grade.MEDIUM, ["medium"]),
        (Grade.EASY, ["medium", "easy-hard"]),
        (Grade.HARD, ["medium", "easy-hard"]),
        (Grade.FIENDISH, ["medium", "easy-hard", "beginner-expert", "beginner-fiendish"]),
        (None, ["medium", "easy-hard", "beginner-expert", "beginner-fiendish", None]),
    ],
)
def test_the_nearest_technique_is_searched_for_in_ever_wider_ranges(technique, ranges):
    maker = OneTechnique(technique)
    made = make_slot(maker, slot(otherwise="nearest"), 0)
    ends = [
        grades and sorted({one.label for one in grades}, key=lambda word: Grade[word.upper()])
        for grades, *_ in maker.calls
    ]
    assert [some and "-".join(some) for some in ends] == ranges
    assert {seed for _, seed, _ in maker.calls} == {"1/A/1/0"}
    assert (made.record.technique, made.widened) == (technique, len(ranges) - 1)


def test_a_slot_that_may_fail_takes_no_other_technique():
    with pytest.raises(GradeError, match=r"^puzzle 1 of level A: none$"):
        make_slot(OneTechnique(Grade.HARD), slot(), 0)


def test_a_recipe_without_any_board_is_not_searched_for_in_wider_ranges():
    def never(recipe, seed, method, work):
        recipes.append(recipe)
        raise RecipeError("no board")

    recipes = []
    with pytest.raises(RecipeError, match="no board"):
        make_slot(never, slot(otherwise="nearest"), 0)
    assert len(recipes) == 1


def test_effort_multiplies_the_work_of_a_search():
    works = []
    for effort in (1, 2.5, 0.1):
        maker = OneTechnique(Grade.MEDIUM)
        make_slot(maker, slot(effort=effort), 0)
        works.append(maker.calls[0][2])
    assert works == [7_940_000, 19_850_000, 794_000]


@pytest.mark.parametrize(
    ("keys", "wishes"),
    [
        ({"difficulty": "45"}, ["difficulty 45", "difficulty 35-55", "difficulty 25-65"]),
        (
            {"technique": "hard", "difficulty": "extreme"},
            ["extreme, technique hard", "difficulty 50-100, technique medium to expert"],
        ),
    ],
)
def test_the_nearest_difficulty_is_searched_for_together_with_the_nearest_technique(keys, wishes):
    def find_late(recipe, seed, method, work):
        seen.append(recipe.required)
        if len(seen) < len(wishes):
            raise GradeError("none")
        return make_on_paper(recipe, seed, method)

    seen, size = [], {"size": "12x12", "paths": None}
    made = make_slot(find_late, slot(**{"technique": None, "otherwise": "nearest", **size, **keys}), 0)
    assert (seen, made.widened) == (wishes, len(wishes) - 1)


def test_difficulties_that_no_board_has_are_not_searched_for():
    def make(recipe, *given):
        seen.append(str(recipe.difficulty))
        return generate(recipe, *given)

    seen, keys = [], {"technique": None, "otherwise": "nearest", "difficulty": "extreme"}
    made = make_slot(make, slot(**keys), 0)
    assert (seen, made.widened) == (["30-100"], 3)


@pytest.mark.parametrize(("technique", "score"), [(None, None), (Grade.HARD, 17)])
def test_a_line_makes_the_same_puzzle_again(spec, technique, score):
    one = make_slots(plan_slots(spec)[4:5])[0]
    facts = {"technique": technique, "score": score, "findings": {"one way out": 3}}
    marked = dataclasses.replace(one.record, attempt=2, seed=one.slot.seed_of(2), **facts)
    one = dataclasses.replace(one, record=marked)
    record = json.loads(json.dumps(journal_line(one)))
    assert read_journal_line(one.slot, record) == one


def test_a_line_keeps_the_colours_of_a_picture():
    planned = slot(size="7x7", paths=None, technique=None, reveal="small-heart")
    one = make_slot(generate, planned, 0)
    resumed = read_journal_line(planned, json.loads(json.dumps(journal_line(one))))
    assert resumed.record.puzzle.colours == one.record.puzzle.colours != ()


@pytest.mark.parametrize(
    ("widened", "before", "now", "otherwise", "holds"),
    [
        (0, 1.0, 4.0, IfMissing.FAIL, True),  # more effort finds the same puzzle
        (0, 4.0, 1.0, IfMissing.FAIL, False),
        (1, 4.0, 4.0, IfMissing.NEAREST, True),
        (1, 1.0, 4.0, IfMissing.NEAREST, False),  # more effort may find the technique itself
        (1, 4.0, 4.0, IfMissing.FAIL, False),
    ],
)
def test_a_line_is_used_if_the_slot_s_search_would_find_the_same_puzzle(
    spec, widened, before, now, otherwise, holds
):
    slot = dataclasses.replace(plan_slots(spec)[4], effort=before, otherwise=IfMissing.NEAREST)
    line = journal_line(dataclasses.replace(make_slots([slot])[0], widened=widened))
    later = dataclasses.replace(slot, effort=now, otherwise=otherwise)
    assert line["key"] == later.key
    if holds:
        assert read_journal_line(later, line).widened == widened
    else:
        with pytest.raises(PuzzleError, match="effort"):
            read_journal_line(later, line)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("attempt", "0"), ("attempt", -1), ("board", [1]), ("board", "x"), ("solution", [{}]),
        ("rule", "best"), ("technique", 99), ("score", "7"), ("findings", [1]), ("findings", {"x": None}),
        ("seconds", "soon"),
    ],
)  # fmt: skip
def test_a_line_of_another_shape_is_refused(spec, key, value):
    one = make_slots(plan_slots(spec)[4:5])[0]
    with pytest.raises(PuzzleError, match=key):
        read_journal_line(one.slot, {**journal_line(one), key: value})


def test_a_line_without_a_key_is_refused(spec):
    one = make_slots(plan_slots(spec)[4:5])[0]
    record = journal_line(one)
    for key in record.keys() - {"key", "difficulty", "measure"}:  # these keys may be missing
        with pytest.raises(PuzzleError, match=key):
            read_journal_line(one.slot, {other: value for other, value in record.items() if other != key})
