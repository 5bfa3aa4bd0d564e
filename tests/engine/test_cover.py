"""Covers: their puzzles, the walk to an order, the repair, and the search of a window."""

from itertools import combinations, pairwise

import pytest
from grown_boards import links_of
from hypothesis import given, settings
from hypothesis import strategies as st

from linkpress.engine.kernels import find_second_drawing, rng_from
from linkpress.engine.kernels import rng as plain_kernel_rng
from linkpress.engine.kernels.covers.cover_board import CoverBoard, lay_singles, list_paths, measure
from linkpress.engine.kernels.covers.walk import stir
from linkpress.engine.kernels.glossary import DrawingKind, SearchOutcome, ShapingOutcome
from linkpress.engine.make.cover import (
    Cover,
    Order,
    grow_cover,
    lay_solids,
    length_costs,
    make_cover,
    prove_cover,
    solid_images,
)
from linkpress.engine.proof import Verdict, prove
from linkpress.engine.recipe import Pattern, Recipe, Rule
from linkpress.puzzle.puzzle import Grid

# 5 rows × 7 columns: a path in each row, in alternating directions, and one solid.
ROWS = range(7), range(13, 6, -1), range(14, 21), range(27, 20, -1), range(28, 34)
FOLDED = Cover(5, 7, tuple(map(tuple, ROWS)))


def exactly(rows, cols, pairs, solids, **fields):
    return Order(Recipe(rows, cols, pairs, solids, **fields), pairs, solids)


def test_a_cover_has_its_paths_for_its_solution_and_is_solid_elsewhere():
    assert FOLDED.solids == FOLDED.puzzle.grid.solids == {34}
    pairs = [(1, 0, 6), (2, 7, 13), (3, 14, 20), (4, 21, 27), (5, 28, 33)]
    assert [(pair.number, pair.first, pair.second) for pair in FOLDED.puzzle.pairs] == pairs
    assert FOLDED.solution.fills
    assert FOLDED.solution.number_of[24] == 4
    assert FOLDED.border_pairs == 5
    assert Cover(5, 7, ((8, 9, 10),)).border_pairs == 0


def test_shuffled_numbers_differ_but_the_drawing_stays():
    shuffled = FOLDED.shuffled(rng_from("numbers"))
    assert shuffled.paths != FOLDED.paths
    assert shuffled.solution.edges == FOLDED.solution.edges
    assert [pair.number for pair in shuffled.puzzle.pairs] == [1, 2, 3, 4, 5]


def walked(pairs, seed, most, solids=0, max_border_pairs=10**6, shortest=3):
    """A board of 5 × 7 after a walk in plain Python, whose fields can be read."""
    order = exactly(5, 7, pairs, solids, pattern=Pattern.ROTATIONAL, shortest_path=shortest)
    board = CoverBoard(5, 7)
    board.target_paths, board.max_border_pairs = pairs, max_border_pairs
    board.cost, board.image = length_costs(order), solid_images(order)
    laid = lay_solids(order, rng_from(seed))
    board.solids, board.solid_count = [cell for cell in range(35) if laid[cell]], solids
    lay_singles(board)
    stir(board, CoverBoard(5, 7), plain_kernel_rng.rng_from(seed), most)
    return board, Cover(5, 7, tuple(map(tuple, list_paths(board))))


@pytest.mark.parametrize("most", [1, 10, 50, 100, 200, 400, 1000])
@pytest.mark.parametrize(("solids", "max_border_pairs"), [(0, 10**6), (0, 1), (4, 1)])
def test_the_walk_keeps_its_counts_right(most, solids, max_border_pairs):
    board, cover = walked(5, f"books {most}", most, solids, max_border_pairs, shortest=6)
    energy, border_pairs = board.energy, board.border_pairs
    assert measure(board) == energy
    assert cover.border_pairs == border_pairs
    assert len(cover.paths) == board.path_count
    assert cover.solids == set(board.solids) == {board.image[cell] for cell in cover.solids}
    assert sum(len(path) for path in cover.paths) == 35 - solids
    assert all(abs(a - b) in (1, 7) for path in cover.paths for a, b in pairwise(path))
    for path in cover.paths:  # no path touches itself
        assert sum(b in Grid(5, 7).neighbours[a] for a, b in combinations(path, 2)) == len(path) - 1


@pytest.mark.parametrize("most", [10, 30, 100])
def test_a_walk_that_splits_paths_keeps_its_counts_right(most):
    board, _ = walked(4, f"few {most}", 100_000, max_border_pairs=1)
    board.target_paths, board.cost = 16, [0] * 36
    before = measure(board)
    stir(board, CoverBoard(5, 7), plain_kernel_rng.rng_from(f"many {most}"), most)
    energy, border_pairs = board.energy, board.border_pairs
    assert board.path_count > 4
    assert (measure(board), board.border_pairs) == (energy, border_pairs)
    assert energy < before


@pytest.mark.parametrize("rule", list(Rule))
@settings(max_examples=60, deadline=None)
@given(rows=st.integers(3, 8), cols=st.integers(3, 8), seed=st.integers(0, 10**6))
def test_the_window_search_and_the_proof_agree_on_grown_boards(rule, rows, cols, seed):
    cover = grow_cover(rows, cols, str(seed))
    assert prove_cover(cover, rule, 10**6).verdict is prove(cover.puzzle, rule).verdict


@pytest.mark.parametrize("rule", list(Rule))
@pytest.mark.parametrize(("rows", "cols", "pairs", "limit"), [(7, 8, 5, 600), (10, 11, 10, 4000)])
def test_the_window_search_and_the_proof_agree_on_boards_with_few_pairs(rule, rows, cols, pairs, limit):
    """Few pairs allow the most pruning. Windows of the larger board are swept."""
    seen = set()
    for seed in range(60):
        attempt = make_cover(exactly(rows, cols, pairs, 0, rule=rule), rng_from(f"few {seed}"), limit)
        verdict = prove_cover(attempt.cover, rule, 10**6).verdict
        assert verdict is prove(attempt.cover.puzzle, rule).verdict
        seen.add(verdict)
    assert seen == ({Verdict.UNIQUE} if rule is Rule.UNTOUCHING else {Verdict.UNIQUE, Verdict.MULTIPLE})


def test_a_search_beyond_its_budget_is_given_up():
    attempt = make_cover(exactly(10, 10, 8, 0), rng_from("budget"), 1500)
    assert prove_cover(attempt.cover, Rule.STRICT, 1).verdict is Verdict.GAVE_UP


@pytest.mark.parametrize("kind", [DrawingKind.FILLING, DrawingKind.LOWEST])
def test_a_second_drawing_of_a_window_is_one_of_the_whole_board(kind):
    inside = {row * 9 + col for row in range(1, 7) for col in range(2, 8)}
    multiple = 0
    for seed in range(60):
        cover = make_cover(exactly(8, 9, 6, 0), rng_from(f"window {seed}"), 500).cover
        path_of, links = links_of(8, 9, cover.paths)
        outcome, _, differs = find_second_drawing(8, 9, (1, 2, 6, 6), path_of, links, kind, 10**6)
        if outcome == SearchOutcome.FOUND:
            multiple += 1
            assert {cell for cell, other in enumerate(differs) if other} <= inside
            whole, *_ = find_second_drawing(8, 9, (0, 0, 8, 9), path_of, links, kind, 10**6)
            assert whole == SearchOutcome.FOUND
        else:
            assert outcome == SearchOutcome.EXHAUSTED
            assert not any(differs)
    assert 3 <= multiple <= 57


@pytest.mark.parametrize(
    "order",
    [
        exactly(5, 7, 4, 0), exactly(5, 7, 4, 3), exactly(7, 5, 5, 4, pattern=Pattern.ROTATIONAL),
        exactly(8, 7, 6, 9, pattern=Pattern.MIRROR, rule=Rule.FILLED), exactly(7, 7, 6, 19),
        exactly(7, 7, 16, 1, rule=Rule.FILLED), exactly(9, 8, 9, 0, border_share=0.2),
        exactly(9, 8, 9, 0, longest_share=0.15), exactly(9, 8, 8, 0, shortest_path=6),
        exactly(9, 8, 16, 0, shortest_path=2, adjacent_pairs=True),
    ],
)  # fmt: skip
def test_a_made_cover_meets_its_order_and_is_unique(order):
    attempts = (make_cover(order, rng_from(f"order {seed}"), 400_000) for seed in range(200))
    cover = next(attempt.cover for attempt in attempts if attempt.outcome is ShapingOutcome.DONE)
    assert (len(cover.paths), len(cover.solids)) == (order.pairs, order.solids)
    assert {solid_images(order)[cell] for cell in cover.solids} == cover.solids
    lengths = [len(path) for path in cover.paths]
    assert order.recipe.shortest <= min(lengths) <= max(lengths) <= order.longest
    assert cover.border_pairs <= order.border_pairs
    assert not cover.solution.touches_itself
    assert prove(cover.puzzle, order.recipe.rule).verdict is Verdict.UNIQUE


def test_an_attempt_stops_at_its_limit():
    attempt = make_cover(exactly(20, 20, 20, 0), rng_from("limit"), 30_000)
    assert attempt.outcome is not ShapingOutcome.DONE
    assert attempt.work < 30_000 + 8 * 12_000 + 1000


def test_an_attempt_that_does_not_meet_its_order_has_no_cover():
    attempt = make_cover(exactly(5, 7, 4, 0), rng_from("short"), 1)
    assert (attempt.outcome, attempt.cover) == (ShapingOutcome.SHAPELESS, None)
    assert 4 < attempt.paths <= 35


@pytest.mark.parametrize(
    ("rows", "cols", "solids", "pattern"),
    [
        (5, 7, 6, Pattern.SCATTERED), (5, 7, 7, Pattern.ROTATIONAL), (5, 6, 8, Pattern.ROTATIONAL),
        (5, 7, 6, Pattern.MIRROR), (5, 7, 9, Pattern.MIRROR), (5, 6, 6, Pattern.MIRROR),
    ],
)  # fmt: skip
def test_solids_are_symmetric(rows, cols, solids, pattern):
    order = exactly(rows, cols, 3, solids, pattern=pattern)
    for seed in range(20):
        laid = lay_solids(order, rng_from(f"lie {seed}"))
        assert sum(laid) == solids
        assert laid == [laid[image] for image in solid_images(order)]
