"""The article's generator: its rules, its distribution, its dice."""

from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkpress.engine.kernels import dice_from
from linkpress.engine.make.cover import grow_cover
from linkpress.puzzle.rules import check_solution

SIDES = st.integers(3, 12)


@settings(max_examples=60, deadline=None)
@given(SIDES, SIDES, st.integers(0, 10**6))
def test_a_grown_cover_is_a_drawing_of_its_puzzle_that_touches_itself_nowhere(rows, cols, seed):
    cover = grow_cover(rows, cols, str(seed))
    assert check_solution(cover.solution) == ()
    assert not cover.touches_itself()
    assert cover.solution.fills


@settings(max_examples=30, deadline=None)
@given(SIDES, SIDES, st.integers(0, 10**6))
def test_no_two_squares_left_over_are_neighbours(rows, cols, seed):
    solids = grow_cover(rows, cols, str(seed)).solids
    assert not any(cell + 1 in solids and (cell + 1) % cols for cell in solids)
    assert not any(cell + cols in solids for cell in solids)


@pytest.mark.parametrize(
    ("side", "paths", "solid_share"), [(5, 4.3, 0.084), (7, 7.2, 0.076), (10, 14.0, 0.069)]
)
def test_the_means_are_those_measured_of_the_article(side, paths, solid_share):
    dice, boards = dice_from(f"means {side}"), 1500
    covers = [grow_cover(side, side, dice) for _ in range(boards)]
    assert fmean([len(cover.paths) for cover in covers]) == pytest.approx(paths, rel=0.1)
    solids = solid_share * side * side
    assert fmean([len(cover.solids) for cover in covers]) == pytest.approx(solids, rel=0.1)
