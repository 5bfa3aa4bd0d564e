from types import SimpleNamespace

import pytest

from linkpress.book.plan import plan_slots
from linkpress.book.spec import BookSpec
from linkpress.engine.recipe import Grade
from linkpress.errors import GradeError, RecipeError
from linkpress.production.slot_search import make_slot
from paper_maker import make_on_paper


def slot(**keys):
    level = {"name": "A", "count": 1, "size": 7, "paths": "5-7", "grade": "medium", **keys}
    return plan_slots(BookSpec.model_validate({"title": "T", "seed": 1, "levels": [level]}))[0]


class Finds:
    """Finds puzzles of one grade, whatever it is asked for, and remembers what that was."""

    def __init__(self, grade):
        self.grade, self.asked = grade, []

    def __call__(self, recipe, seed, method, work):
        self.asked.append((recipe.grades, seed, work))
        if recipe.grades and not (self.grade and recipe.grades[0] <= self.grade <= recipe.grades[1]):
            raise GradeError("none")
        made = make_on_paper(recipe, seed, method)
        made.grading = SimpleNamespace(grade=self.grade, score=1, techniques={}, stars=1)
        return made


@pytest.mark.parametrize(
    ("grade", "ranges"),
    [
        (Grade.MEDIUM, ["medium"]),
        (Grade.EASY, ["medium", "easy-hard"]),
        (Grade.HARD, ["medium", "easy-hard"]),
        (Grade.FIENDISH, ["medium", "easy-hard", "beginner-expert", "beginner-fiendish"]),
        (None, ["medium", "easy-hard", "beginner-expert", "beginner-fiendish", None]),
    ],
)
def test_the_nearest_grade_is_searched_for_in_ever_wider_ranges(grade, ranges):
    maker = Finds(grade)
    made = make_slot(maker, slot(otherwise="nearest"), 0)
    ends = [
        grades and sorted({one.label for one in grades}, key=lambda word: Grade[word.upper()])
        for grades, *_ in maker.asked
    ]
    assert [some and "-".join(some) for some in ends] == ranges
    assert {seed for _, seed, _ in maker.asked} == {"1/A/1/0"}
    assert (made.record.grade, made.widened) == (grade, len(ranges) - 1)


def test_a_slot_that_may_fail_takes_no_other_grade():
    with pytest.raises(GradeError, match=r"^puzzle 1 of level A: none$"):
        make_slot(Finds(Grade.HARD), slot(), 0)


def test_a_recipe_without_any_board_is_not_searched_for_in_wider_ranges():
    def never(recipe, seed, method, work):
        asked.append(recipe)
        raise RecipeError("no board")

    asked = []
    with pytest.raises(RecipeError, match="no board"):
        make_slot(never, slot(otherwise="nearest"), 0)
    assert len(asked) == 1


def test_effort_multiplies_the_work_of_a_search():
    works = []
    for effort in (1, 2.5, 0.1):
        maker = Finds(Grade.MEDIUM)
        make_slot(maker, slot(effort=effort), 0)
        works.append(maker.asked[0][2])
    assert works == [7_940_000, 19_850_000, 794_000]


@pytest.mark.parametrize(
    ("keys", "asked"),
    [
        ({"stars": 3}, ["3 stars", "2-4 stars", ""]),
        ({"grade": "hard", "stars": 5}, ["hard, 5 stars", "medium to expert, 4-5 stars"]),
    ],
)
def test_the_nearest_stars_are_searched_for_together_with_the_nearest_grade(keys, asked):
    def find_late(recipe, seed, method, work):
        seen.append(recipe.asked)
        if len(seen) < len(asked):
            raise GradeError("none")
        return make_on_paper(recipe, seed, method)

    seen = []
    made = make_slot(find_late, slot(**{"grade": None, "otherwise": "nearest", **keys}), 0)
    assert (seen, made.widened) == (asked, len(asked) - 1)
