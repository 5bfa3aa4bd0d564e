"""Covers and the puzzles that they hide."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from linkpress.engine.cover import Cover
from linkpress.engine.kernels.board import ENERGY, PATHS, draw_cover, lay_singles, measure, new_board
from linkpress.engine.kernels.dice import dice_state
from linkpress.engine.kernels.walk import stir
from linkpress.engine.recipe import Recipe, Span
from linkpress.engine.reshape import Order, length_costs, pattern_images

# 5 rows × 7 columns: three long rows folded, one solid.
FOLDED = Cover(
    5,
    7,
    (
        tuple(range(7)),
        (13, 12, 11, 10, 9, 8, 7),
        tuple(range(14, 21)),
        (27, 26, 25, 24, 23, 22, 21),
        tuple(range(28, 34)),
    ),
)


def test_squares_on_no_path_are_solid():
    assert FOLDED.solids == {34}
    assert FOLDED.puzzle.grid.solids == {34}


def test_pairs_are_numbered_in_the_order_of_the_paths():
    assert [(pair.number, pair.first, pair.second) for pair in FOLDED.puzzle.pairs] == [
        (1, 0, 6),
        (2, 7, 13),
        (3, 14, 20),
        (4, 21, 27),
        (5, 28, 33),
    ]


def test_the_solution_draws_the_paths():
    assert FOLDED.solution.fills
    assert FOLDED.solution.number_of[24] == 4


def test_shuffled_numbers_differ_but_the_drawing_stays():
    shuffled = FOLDED.shuffled(dice_state("numbers"))
    assert shuffled.paths != FOLDED.paths
    assert shuffled.solution.edges == FOLDED.solution.edges
    assert [pair.number for pair in shuffled.puzzle.pairs] == [1, 2, 3, 4, 5]


def test_pairs_with_both_ends_on_the_border_are_counted():
    assert FOLDED.border_pairs == 5
    assert Cover(5, 7, ((8, 9, 10),)).border_pairs == 0


@pytest.mark.parametrize(
    ("path", "touches"),
    [
        ((0, 1, 2, 9, 8), True),  # a U: 8 lies below 1
        ((0, 1, 2, 9, 16), False),
        ((6, 5, 4), False),
        ((6, 13, 20), False),
        ((5, 6, 13, 12), True),
    ],
)
def test_a_path_touches_itself_where_a_square_neighbours_more_than_its_next(path, touches):
    assert Cover(5, 7, (path,)).touches_itself() is touches


def test_the_end_of_a_row_does_not_neighbour_the_next_rows_begin():
    assert not Cover(5, 7, ((5, 6), (7, 8))).touches_itself()
    assert not Cover(5, 7, ((6, 13, 12, 11, 10, 9, 8, 7)[1:],)).touches_itself()


def walked(rows: int, cols: int, pairs: int, seed: str, most: int):
    order = Order(Recipe(rows, cols, Span(pairs, pairs), Span(0, 0)), pairs, 0)
    board = new_board(rows, cols, length_costs(order), pairs, 10**6)
    lay_singles(board, np.zeros(rows * cols, np.int8))
    tried = stir(board, dice_state(seed), np.zeros(0, np.int32), pattern_images(order), most)
    cells, lengths = np.empty(rows * cols, np.int32), np.empty(rows * cols, np.int32)
    paths = draw_cover(board, cells, lengths)
    return board, tried, Cover.from_flat(rows, cols, cells.tolist(), lengths[:paths].tolist())


@pytest.mark.parametrize("most", [1, 10, 50, 100, 200, 400])
def test_every_step_of_the_walk_keeps_the_books_right(most):
    board, _, cover = walked(5, 7, 4, "books", most)
    kept = int(board.numbers[ENERGY])
    assert measure(board) == kept
    assert len(cover.paths) == board.numbers[PATHS]
    assert sorted(cell for path in cover.paths for cell in path) == list(range(35))
    assert not cover.touches_itself()
    assert all(abs(a - b) in (1, 7) for path in cover.paths for a, b in pairwise(path))


def test_the_walk_meets_a_path_count_exactly():
    _, tried, cover = walked(5, 7, 4, "exact", 100_000)
    assert tried < 100_000
    assert len(cover.paths) == 4
    assert min(len(path) for path in cover.paths) >= 3
