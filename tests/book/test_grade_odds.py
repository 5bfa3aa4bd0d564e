"""How seldom grades are, as the shipped table says it."""

import pytest

from linkpress.book.grade_odds import load_odds, odds_of
from linkpress.engine.recipe import Grade, Recipe, Rule, Span


def recipe(low: int, high: int, grades: tuple[Grade, Grade] | None, **knobs: object) -> Recipe:
    return Recipe(10, 10, Span(low, high), Span(0, 0), grades=grades, **knobs)  # type: ignore[arg-type]


def test_the_shares_of_a_recipe_add_up_to_all_its_boards() -> None:
    sums: dict[object, float] = {}
    for row in load_odds():
        sums[row.size, row.paths] = sums.get((row.size, row.paths), 0) + row.share
    assert sums
    assert all(total == pytest.approx(1, abs=0.01) for total in sums.values())


def test_a_range_of_grades_has_the_shares_of_all() -> None:
    table = load_odds()
    each = [odds_of(recipe(8, 10, (grade, grade)), table) for grade in (Grade.EXPERT, Grade.FIENDISH)]
    both = odds_of(recipe(8, 10, (Grade.EXPERT, Grade.FIENDISH)), table)
    assert both is not None
    assert both[0] == pytest.approx(sum(one[0] for one in each if one))
    assert both[1] == max(one[1] for one in each if one)


@pytest.mark.parametrize(
    "other",
    [
        recipe(8, 10, None),
        recipe(14, 16, (Grade.HARD, Grade.HARD)),
        recipe(8, 14, (Grade.HARD, Grade.HARD)),
        recipe(8, 10, (Grade.HARD, Grade.HARD), rule=Rule.FILLED),
        Recipe(9, 9, Span(8, 10), Span(0, 0), grades=(Grade.HARD, Grade.HARD)),
    ],
)
def test_nothing_is_said_of_what_was_not_measured(other: Recipe) -> None:
    assert odds_of(other, load_odds()) is None
