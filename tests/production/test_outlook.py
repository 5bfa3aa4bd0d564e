"""Forecasts of searches, from the table of measured recipes."""

import math

import pytest

from linkpress.book.plan import Slot
from linkpress.engine.recipe import Grade, Method, NumberPattern, Recipe, Rule, Span
from linkpress.production.forecast import Odds, TargetOdds, nearest_likely_keys, odds_table, outlook


def plain(side, low, high, **keys):
    order = {"rows": side, "cols": side, "pairs": Span(low, high), "solids": Span(0, 0)}
    return Recipe(**{**order, **keys})


def cell(side, low, high, **per_s):
    """Return a measured recipe. Each technique has a tenth of the boards, and a search gives up after 2 s."""
    targets = [
        TargetOdds(Grade[name.upper()], 0.1 if rate else 0.0, rate, 2.0) for name, rate in per_s.items()
    ]
    return Odds(plain(side, low, high), Method.WALK, 50.0, 2.0, targets)


TABLE = [
    cell(10, 8, 10, hard=6.0, expert=3.0, fiendish=0.5),
    cell(10, 13, 15, hard=1.0, expert=0.01, fiendish=0.0),
    cell(15, 18, 22, hard=0.1, expert=8.0, fiendish=8.0),
]


def without_shares(table):
    return [odds._replace(targets=[target._replace(share=0.0) for target in odds.targets]) for odds in table]


def slot(low, high, technique=Grade.HARD, effort=1, **keys):
    keys = {"techniques": technique and (technique, technique), **keys}
    return Slot(1, "A", 1, "seed", plain(10, low, high, **keys), Method.WALK, effort)


def test_the_shares_of_each_recipe_of_the_shipped_table_add_up_to_all_its_boards():
    for odds in odds_table():
        by_technique = sum(target.share for target in odds.targets)
        assert by_technique == pytest.approx(1, abs=0.015) or by_technique < 1  # some are not graded


def test_strict_boards_with_hardly_any_paths_are_left_to_a_trial():
    table = odds_table()
    assert outlook(slot(3, 3, None), table) is None
    assert outlook(slot(3, 3, None, rule=Rule.UNTOUCHING), table) is not None
    assert outlook(slot(6, 6, None), table) is not None


def test_longer_searches_fail_less_often():
    usual, longer = (outlook(slot(8, 10, effort=effort), TABLE) for effort in (1, 3))
    assert (usual.share, usual.per_s) == (0.1, 6.0)
    assert usual.failure_chance == pytest.approx(math.exp(-6 * 2))
    assert longer.failure_chance == pytest.approx(usual.failure_chance**3)
    assert usual.chance(20) == pytest.approx((1 - usual.failure_chance) ** 20)


def test_a_hopeless_search_takes_all_its_time():
    known = outlook(slot(13, 15, Grade.FIENDISH, 3), TABLE)
    assert (known.failure_chance, known.each_s, known.effort_for(1, 3)) == (1.0, 6.0, None)


def test_the_recommended_effort_is_enough():
    table = without_shares(TABLE)
    known = outlook(slot(8, 10, Grade.FIENDISH), table)
    effort = known and known.effort_for(20, 1)
    assert effort == 6  # ln(20 / 5 %) ÷ (0.5 a second × 2 s)
    enough, less = (outlook(slot(8, 10, Grade.FIENDISH, some), table) for some in (effort, effort - 1))
    assert less.chance(20) < 0.95 <= enough.chance(20)


def test_a_range_of_techniques_adds_up_their_shares():
    known = outlook(slot(8, 10, techniques=(Grade.EXPERT, Grade.FIENDISH)), TABLE)
    assert (known.share, known.per_s) == (0.2, 10.0)


def test_a_difficulty_has_a_forecast_without_a_table_but_not_together_with_a_technique():
    known, part = (outlook(slot(8, 10, None, difficulty=Span(low, 39)), []) for low in (30, 35))
    assert 0.3 < part.share < known.share < 0.9
    assert known.chance(100) > 0.99
    assert outlook(slot(8, 10, difficulty=Span(30, 39)), TABLE) is None


def test_a_composed_hard_board_takes_longer_because_it_is_changed_after_it_is_found():
    plain, composed = (
        outlook(slot(8, 10, None, difficulty=Span(30, 39), composed=composed), [])
        for composed in (False, True)
    )
    assert composed.per_s == plain.per_s
    assert composed.each_s == pytest.approx(plain.each_s + 0.025, abs=1e-4)
    medium = outlook(slot(8, 10, None, difficulty=Span(20, 29), composed=True), [])
    assert medium.each_s == pytest.approx(1 / medium.per_s, rel=1e-3)


def test_a_search_for_any_board_never_fails_and_needs_no_table():
    measured, foretold = (outlook(slot(8, 10, None), table) for table in (TABLE, []))
    assert (measured.share, measured.per_s, measured.chance(1000)) == (None, 50.0, 1.0)
    assert (foretold.share, 20 < foretold.per_s < 300, foretold.chance(1000)) == (None, True, 1.0)


def test_a_trial_is_used_only_for_its_own_recipe():
    tried = slot(3, 4, effort=2)
    table = [*TABLE, Odds(tried.recipe, tried.method, 0.5, 4.0, (), 3, 6.0)]
    known = outlook(tried, table)
    assert (known.each_s, known.is_known) == (pytest.approx((1 - math.exp(-4)) / 0.5), True)
    assert outlook(slot(3, 5), table) is None


@pytest.mark.parametrize(
    "other",
    [
        slot(3, 4), slot(8, 10, rule=Rule.FILLED), slot(8, 10, solids=Span(10, 20)),
        slot(8, 10, number_pattern=NumberPattern.MIRROR), slot(8, 10, pairs=None),
        slot(8, 10, rows=7, cols=7), slot(8, 10, shortest_path=6), slot(8, 10, adjacent_pairs=True),
    ],
)  # fmt: skip
def test_an_unmeasured_recipe_has_no_forecast(other):
    assert outlook(other, TABLE) is None


def test_fewer_long_paths_than_measured_have_no_forecast():
    table = [cell(10, 5, 7, hard=6.0)]
    assert (outlook(slot(5, 5), table), outlook(slot(6, 6), table) is None) == (None, False)


@pytest.mark.parametrize(
    ("requested", "keys"),
    [
        (slot(13, 15, Grade.EXPERT), {"paths": "8-10"}),
        (slot(13, 15, Grade.FIENDISH), {"paths": "8-10", "effort": "6"}),
        (slot(13, 15, Grade.FIENDISH, 6), {"paths": "8-10"}),
        (slot(8, 10, Grade.FIENDISH), {"size": "15", "paths": "18-22"}),
        (slot(8, 10, Grade.HARD, number_pattern=NumberPattern.MIRROR), {}),
        (slot(20, 22, None, difficulty=Span(30, 39)), {"paths": "8-13"}),
    ],
)
def test_the_most_similar_recipe_that_can_be_met_is_recommended(requested, keys):
    assert nearest_likely_keys(requested, 20, without_shares(TABLE)) == keys
