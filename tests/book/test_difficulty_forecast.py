"""Forecasts of how hard boards feel, and the recipes that are chosen for a difficulty."""

import re

import pytest

from linkpress.book.difficulty_forecast import (
    chance_of_rise,
    difficulty_problem,
    feel_of,
    forecast,
    usual_sizes,
)
from linkpress.engine.difficulty import Difficulty, choose_paths
from linkpress.engine.recipe import Recipe, Rule, Span


def of(side, paths, solids=0, **keys):
    return forecast(Recipe(side, side, pairs=paths, solids=solids, **keys))


# Median difficulties of 20 boards of each recipe. The coefficients were not fitted to these boards.
@pytest.mark.parametrize(
    ("rows", "cols", "paths", "solids", "rule", "median"),
    [
        (7, 7, (4, 5), (0, 0), Rule.STRICT, 26), (9, 7, (6, 8), (0, 6), Rule.STRICT, 20),
        (10, 10, (9, 12), (20, 20), Rule.STRICT, 2), (14, 14, (16, 20), (10, 19), Rule.STRICT, 35),
        (15, 15, (15, 18), (0, 0), Rule.STRICT, 57), (24, 20, (40, 50), (2, 6), Rule.STRICT, 54),
        (8, 8, (6, 9), (0, 0), Rule.FILLED, 21), (12, 12, (13, 16), (14, 14), Rule.FILLED, 24),
        (15, 15, (18, 20), (0, 0), Rule.FILLED, 48), (10, 10, (7, 10), (0, 0), Rule.UNTOUCHING, 37),
        (15, 15, (25, 30), (0, 0), Rule.UNTOUCHING, 44),
    ],
)  # fmt: skip
def test_forecasts_are_within_ten_points_of_made_boards(rows, cols, paths, solids, rule, median):
    feel = forecast(Recipe(rows, cols, pairs=Span(*paths), solids=Span(*solids), rule=rule))
    assert abs(feel.median - median) <= 10


def test_all_boards_have_some_difficulty():
    for rule in Rule:
        assert sum(of(10, Span(8, 12), Span(0, 10), rule=rule).shares) == pytest.approx(1)


def test_an_ordered_difficulty_limits_the_forecast():
    feel = of(10, Span(8, 13), difficulty=Difficulty.HARD.points)
    assert (feel.quantile(0.001), feel.quantile(0.999)) == (30, 39)
    assert feel.share(Difficulty.HARD.points) == pytest.approx(1)


def test_larger_boards_with_longer_paths_and_fewer_solid_squares_feel_harder():
    plain = of(10, 12)
    harder = [of(12, 17), of(10, 8)]
    easier = [of(8, 8), of(10, 16), of(10, 12, 20)]
    assert all(chance_of_rise(plain, other) > 0.6 for other in harder)
    assert all(chance_of_rise(plain, other) < 0.4 for other in easier)


def test_a_mixture_lies_between_its_parts():
    easy, hard = Recipe(7, 7, pairs=8, solids=0), Recipe(12, 12, pairs=10, solids=0)
    assert forecast(easy).mean < feel_of([easy, hard]).mean < forecast(hard).mean


def test_recipes_with_any_number_of_paths_have_no_forecast():
    assert forecast(Recipe(7, 7)) is None


@pytest.mark.parametrize("name", list(Difficulty))
def test_the_usual_sizes_of_each_difficulty_can_have_it(name):
    for size in usual_sizes(name.points):
        assert choose_paths(name.points, size.rows * size.cols).share > 0.3


def test_the_chosen_numbers_of_paths_are_among_the_allowed_ones():
    hard = Difficulty.HARD.points
    free = choose_paths(hard, 100)
    some = choose_paths(hard, 100, allowed=Span(12, 20))
    assert (free.paths.low < 12, some.paths.low) == (True, 12)
    assert some.share < free.share


def test_harder_boards_have_fewer_paths():
    most = [choose_paths(name.points, 144).paths.high for name in Difficulty]
    assert most == sorted(most, reverse=True)


def required(name, side, paths, solids=0):
    return Recipe(side, side, pairs=paths, solids=solids, difficulty=name.points)


@pytest.mark.parametrize(
    ("recipe", "has_paths", "problem"),
    [
        (required(Difficulty.HARD, 10, Span(8, 11)), True, None),
        (required(Difficulty.HARD, 10, Span(16, 18)), True, r"16 to 18 paths are easy.*needs `paths: \d+-1"),
        (
            required(Difficulty.HARD, 8, 6, 16),
            True,
            r"6 paths and 16 solid squares are.*; hard needs `solids",
        ),
        (required(Difficulty.EXPERT, 7, 4), False, r"7 × 7 are .*; expert begins at 10 × 10 with \d to"),
        (
            Recipe(7, 7, pairs=Span(5, 7), solids=0, difficulty=Span(5, 10)),
            False,
            r"^hardly any board lies between 2 and 12; write `0-11`$",
        ),
        (
            Recipe(15, 15, pairs=Span(12, 16), solids=0, difficulty=Span(60, 100), rule=Rule.FILLED),
            False,
            r"^boards of 15 × 15 are .*; extreme needs `unique: strict`$",
        ),
        (Recipe(7, 7, difficulty=60), False, None),
    ],
)
def test_a_contradiction_is_told_with_a_way_out(recipe, has_paths, problem):
    found = difficulty_problem(recipe, has_paths=has_paths)
    assert re.search(problem, found) if problem else found is None
