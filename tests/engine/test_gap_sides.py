"""What steps say of a gap, counted again from the finished drawing of boards half drawn."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from filling_list import fillings, small_board
from test_deduce import part_of

from linkpress.engine.deduce import board_of
from linkpress.engine.gap_sides import GapSides
from linkpress.engine.kernels.ladder import apply_logged
from linkpress.engine.kernels.marks import DRAWN, OPEN, RIGHT
from linkpress.puzzle.grid import Cell, Grid
from linkpress.puzzle.puzzle import Solution


def flood(grid: Grid, marks: np.ndarray, start: Cell, gap: set[Cell]) -> set[Cell]:
    """The cells that open edges join to one, but for those of the gap."""
    reached, ahead = {start}, [start]
    while ahead:
        cell = ahead.pop()
        for to in set(grid.neighbours[cell]) - reached - gap:
            low, high = sorted((cell, to))
            if marks[low, RIGHT + (high != low + 1)] == OPEN:
                reached.add(to)
                ahead.append(to)
    return reached


def still_drawn(drawing: Solution, marks: np.ndarray) -> list[tuple[Cell, Cell]]:
    """The drawing's edges that are not known yet."""
    return [(a, b) for a, b in drawing.edges if marks[a, RIGHT + (b != a + 1)] != DRAWN]


def half_drawn(index: int) -> tuple[Solution, np.ndarray, Random] | None:
    rng = Random(f"gap sides/{index}")
    puzzle = small_board(rng)
    drawings = fillings(puzzle)
    board = board_of(puzzle)
    if not drawings or not board.sound:
        return None
    drawing, marks = rng.choice(drawings), board.marks.copy()
    known = part_of(rng, puzzle, drawing)
    assert apply_logged(board.around, marks, known, 0, len(known))
    return drawing, marks, rng


@pytest.mark.parametrize("seed", range(2))
def test_a_side_takes_as_many_steps_at_dark_and_light_squares_as_the_drawing_gives_it(seed: int) -> None:
    uneven = 0
    for index in range(seed * 100, seed * 100 + 100):
        if (half := half_drawn(index)) is None:
            continue
        drawing, marks, rng = half
        grid = drawing.puzzle.grid
        gap = tuple(rng.sample(grid.free_cells, 2))
        for start in set(grid.free_cells) - set(gap):
            sides = GapSides(grid, marks, gap)
            side = flood(grid, marks, start, set(gap))
            ends = [cell for edge in still_drawn(drawing, marks) for cell in edge if cell in side]
            dark = sum(sum(grid.position(cell)) % 2 == 0 for cell in ends)
            assert sides.needs(sides.side_of(start)) == (dark, len(ends) - dark)
            uneven += 2 * dark != len(ends)
    assert uneven > 100


def test_the_pairs_apart_less_the_lines_that_carry_them_pass_the_gap_in_every_drawing() -> None:
    apart = carried = 0
    for index in range(200):
        if (half := half_drawn(index)) is None:
            continue
        drawing, marks, rng = half
        grid, gap = drawing.puzzle.grid, tuple(rng.sample(drawing.puzzle.grid.free_cells, 2))
        sides = GapSides(grid, marks, gap)
        for start in set(grid.free_cells) - set(gap):
            side = sides.side_of(start)
            reached = flood(grid, marks, start, set(gap))
            assert {cell for cell in grid.free_cells if sides.side_of(cell) == side} == reached
            passing = sum((a in reached) != (b in reached) for a, b in still_drawn(drawing, marks))
            assert len(sides.apart(side)) - sides.carried(side) <= passing
            for first in sides.apart(side):
                assert drawing.puzzle.number_at[first]
            busiest = sides.busiest()
            assert len(sides.apart(busiest)) - sides.carried(busiest) >= len(
                sides.apart(side)
            ) - sides.carried(side)
            apart += len(sides.apart(side))
            carried += sides.carried(side)
    assert min(apart, carried) > 100


def test_a_pair_is_apart_where_one_of_its_line_ends_is_and_the_other_is_not() -> None:
    # Nothing drawn: the line ends are the numbers themselves.
    for index in range(60):
        puzzle = small_board(Random(f"apart/{index}"))
        board = board_of(puzzle)
        gap = tuple(Random(index).sample(puzzle.grid.free_cells, 2))
        sides = GapSides(puzzle.grid, board.marks, gap)
        for side in {sides.side_of(cell) for cell in puzzle.grid.free_cells}:
            one_inside = {
                pair.first
                for pair in puzzle.pairs
                if (sides.side_of(pair.first) == side) != (sides.side_of(pair.second) == side)
            }
            assert set(sides.apart(side)) == one_inside
            assert sides.carried(side) == 0
