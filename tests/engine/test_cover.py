"""Covers and the puzzles that they hide."""

from itertools import combinations, pairwise

import pytest

from linkpress.engine.kernels import rng as plain_rng
from linkpress.engine.kernels import rng_from
from linkpress.engine.kernels.covers.cover_board import CoverBoard, lay_singles, list_paths, measure
from linkpress.engine.kernels.covers.walk import stir
from linkpress.engine.make.cover import Cover, Order, lay_solids, length_costs, solid_images
from linkpress.engine.recipe import Pattern, Recipe, Span
from linkpress.puzzle.puzzle import Grid

# 5 rows × 7 columns: a path in each row, to and fro, and one solid.
ROWS = range(7), range(13, 6, -1), range(14, 21), range(27, 20, -1), range(28, 34)
FOLDED = Cover(5, 7, tuple(map(tuple, ROWS)))


def test_a_cover_has_solids_on_no_path_pairs_in_the_order_of_the_paths_and_these_for_its_solution():
    assert FOLDED.solids == FOLDED.puzzle.grid.solids == {34}
    pairs = [(1, 0, 6), (2, 7, 13), (3, 14, 20), (4, 21, 27), (5, 28, 33)]
    assert [(pair.number, pair.first, pair.second) for pair in FOLDED.puzzle.pairs] == pairs
    assert FOLDED.solution.fills
    assert FOLDED.solution.number_of[24] == 4


def test_shuffled_numbers_differ_but_the_drawing_stays():
    shuffled = FOLDED.shuffled(rng_from("numbers"))
    assert shuffled.paths != FOLDED.paths
    assert shuffled.solution.edges == FOLDED.solution.edges
    assert [pair.number for pair in shuffled.puzzle.pairs] == [1, 2, 3, 4, 5]


def test_pairs_with_both_ends_on_the_border_are_counted():
    assert FOLDED.border_pairs == 5
    assert Cover(5, 7, ((8, 9, 10),)).border_pairs == 0


def walked(pairs, seed, most, solids=0, border_most=10**6, shortest=3):
    """What the walk made of 5 × 7, in plain Python, which lets its board be looked into."""
    knobs = {"pattern": Pattern.ROTATIONAL, "shortest_path": shortest}
    recipe = Recipe(5, 7, Span(pairs, pairs), Span(solids, solids), **knobs)
    order = Order(recipe, pairs, solids)
    board = CoverBoard(5, 7)
    board.target_paths, board.max_border_pairs = pairs, border_most
    board.cost, board.image = length_costs(order), solid_images(order)
    laid = lay_solids(order, rng_from(seed))
    board.solids, board.solid_count = [cell for cell in range(35) if laid[cell]], solids
    lay_singles(board)
    tried = stir(board, CoverBoard(board.rows, board.cols), plain_rng.rng_from(seed), most)
    return board, tried, Cover(5, 7, tuple(map(tuple, list_paths(board))))


@pytest.mark.parametrize("most", [1, 10, 50, 100, 200, 400, 1000])
@pytest.mark.parametrize(("solids", "border_most"), [(0, 10**6), (0, 1), (4, 1)])
def test_every_step_of_the_walk_keeps_the_books_right(most, solids, border_most):
    board, _, cover = walked(5, f"books {most}", most, solids, border_most, shortest=6)
    kept, border_pairs = board.energy, board.border_pairs
    assert measure(board) == kept
    assert cover.border_pairs == border_pairs
    assert len(cover.paths) == board.path_count
    assert cover.solids == set(board.solids)
    assert cover.solids == {board.image[cell] for cell in cover.solids}
    assert sum(len(path) for path in cover.paths) == 35 - solids
    assert all(abs(a - b) in (1, 7) for path in cover.paths for a, b in pairwise(path))
    for path in cover.paths:  # of whose squares no others are neighbours
        assert sum(b in Grid(5, 7).neighbours[a] for a, b in combinations(path, 2)) == len(path) - 1


@pytest.mark.parametrize("most", [10, 30, 100])
def test_a_walk_that_splits_paths_keeps_the_books_right(most):
    board, *_ = walked(4, f"few {most}", 100_000, border_most=1)
    board.target_paths, board.cost = 16, [0] * 36
    before = measure(board)
    stir(board, CoverBoard(board.rows, board.cols), plain_rng.rng_from(f"many {most}"), most)
    kept, border_pairs = board.energy, board.border_pairs
    assert board.path_count > 4
    assert (measure(board), board.border_pairs) == (kept, border_pairs)
    assert kept < before
