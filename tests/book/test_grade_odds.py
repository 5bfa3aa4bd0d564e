"""How seldom grades are, as a table of odds says it."""

import math

import pytest

from linkpress.book.grade_odds import GradeOdds, load_odds, nearby, outlook
from linkpress.book.recipe_values import BoardSize
from linkpress.engine.recipe import Grade, NumberPattern, Recipe, Rule, Span


def cell(side: int, low: int, high: int, **made_per_s: float) -> list[GradeOdds]:
    """Some grades of a measured recipe, each with a tenth of the boards; the usual work takes 2 s."""
    return [
        GradeOdds(BoardSize(side, side), Span(low, high), Grade[name.upper()], 0.1, 5.0, rate, 2.0)
        for name, rate in made_per_s.items()
    ]


TABLE = [
    *cell(10, 8, 10, hard=6.0, expert=3.0, fiendish=0.5),
    *cell(10, 13, 15, hard=1.0, expert=0.01, fiendish=0.0),
    *cell(15, 18, 22, hard=0.1, expert=8.0, fiendish=8.0),
]


def recipe(low: int, high: int, grade: Grade | None = Grade.HARD, **knobs: object) -> Recipe:
    grades = None if grade is None else (grade, grade)
    plain = {"rows": 10, "cols": 10, "pairs": Span(low, high), "solids": Span(0, 0), "grades": grades}
    return Recipe(**{**plain, **knobs})  # type: ignore[arg-type]


def test_the_shares_of_each_recipe_of_the_shipped_table_add_up_to_all_its_boards() -> None:
    sums: dict[object, float] = {}
    for row in load_odds():
        sums[row.size, row.paths] = sums.get((row.size, row.paths), 0) + row.share
    assert sums
    assert all(total == pytest.approx(1, abs=0.015) for total in sums.values())


def test_a_search_fails_the_less_the_longer_it_may_take() -> None:
    usual, longer = (outlook(recipe(8, 10), effort, TABLE) for effort in (1, 3))
    assert usual is not None
    assert longer is not None
    assert (usual.share, usual.per_s) == (0.1, 6.0)
    assert usual.missed == pytest.approx(math.exp(-6 * 2))
    assert longer.missed == pytest.approx(usual.missed**3)
    assert usual.chance(20) == pytest.approx((1 - usual.missed) ** 20)


def test_what_is_never_found_takes_as_long_as_the_search() -> None:
    known = outlook(recipe(13, 15, Grade.FIENDISH), 3, TABLE)
    assert known is not None
    assert (known.missed, known.each_s, known.effort_for(1, 3)) == (1.0, 6.0, None)


def test_the_effort_that_is_advised_is_enough() -> None:
    known = outlook(recipe(8, 10, Grade.FIENDISH), 1, TABLE)
    effort = known and known.effort_for(20, 1)
    assert effort == 6  # ln(20 / 5 %) ÷ (0.5 a second × 2 s)
    enough, less = (outlook(recipe(8, 10, Grade.FIENDISH), some, TABLE) for some in (effort, effort - 1))
    assert enough is not None
    assert less is not None
    assert less.chance(20) < 0.95 <= enough.chance(20)


def test_a_range_of_grades_has_the_shares_of_all() -> None:
    known = outlook(recipe(8, 10, grades=(Grade.EXPERT, Grade.FIENDISH)), 1, TABLE)
    assert known is not None
    assert (known.share, known.per_s) == (0.2, 3.0)


def test_where_any_grade_will_do_no_search_fails() -> None:
    known = outlook(recipe(8, 10, None), 1, TABLE)
    assert known is not None
    assert (known.share, known.per_s, known.chance(1000)) == (None, 15.0, 1.0)


@pytest.mark.parametrize(
    "other",
    [
        recipe(3, 4),
        recipe(8, 10, rule=Rule.FILLED),
        recipe(8, 10, solids=Span(0, 20)),
        recipe(8, 10, number_pattern=NumberPattern.MIRROR),
        recipe(8, 10, pairs=None),
        recipe(8, 10, rows=7, cols=7),
    ],
)
def test_nothing_is_said_of_what_was_not_measured(other: Recipe) -> None:
    assert outlook(other, 1, TABLE) is None


@pytest.mark.parametrize(
    ("asked", "effort", "keys"),
    [
        (recipe(13, 15, Grade.EXPERT), 1, "`paths: 8-10`"),
        (recipe(13, 15, Grade.FIENDISH), 1, "`paths: 8-10` and `effort: 6`"),
        (recipe(13, 15, Grade.FIENDISH), 6, "`paths: 8-10`"),
        (recipe(8, 10, Grade.FIENDISH), 1, "`size: 15` and `paths: 18-22`"),
        (recipe(8, 10, Grade.EASY), 1, None),
    ],
)
def test_the_nearest_recipe_that_is_likely_met_is_named(
    asked: Recipe, effort: float, keys: str | None
) -> None:
    table = TABLE if asked.grades != (Grade.EASY, Grade.EASY) else cell(10, 8, 10, easy=0.0)
    assert nearby(asked, effort, 20, table) == keys
