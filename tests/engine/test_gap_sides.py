"""What steps say of a gap, counted again from the finished drawing of boards half drawn."""

from __future__ import annotations

from random import Random

import pytest
from brute_force import fillings
from grown_boards import small_board
from known_parts import part_of

from linkpress.engine.explain.gap_clauses import GapSides
from linkpress.engine.kernels import Position
from linkpress.engine.kernels.glossary import EdgeState
from linkpress.engine.recipe import Rule
from linkpress.engine.solve.ladder import edge_index, position_of, write
from linkpress.puzzle.puzzle import Cell, Grid, Solution


def flood(grid: Grid, position: Position, start: Cell, gap: set[Cell]) -> set[Cell]:
    """The cells that open edges join to one, but for those of the gap."""
    edges, reached, ahead = position.edges(), {start}, [start]
    while ahead:
        cell = ahead.pop()
        for to in set(grid.neighbours[cell]) - reached - gap:
            if edges[edge_index((min(cell, to), max(cell, to)))] == EdgeState.OPEN:
                reached.add(to)
                ahead.append(to)
    return reached


def still_drawn(drawing: Solution, position: Position) -> list[tuple[Cell, Cell]]:
    """The drawing's edges that are not known yet."""
    edges = position.edges()
    return [step for step in drawing.edges if edges[edge_index(step)] != EdgeState.DRAWN]


def half_drawn(index: int) -> tuple[Solution, Position, Random] | None:
    rng = Random(f"gap sides/{index}")
    puzzle = small_board(rng)
    drawings = fillings(puzzle)
    position = position_of(puzzle, Rule.FILLED)
    if not drawings or not position.is_sound():
        return None
    drawing = rng.choice(drawings)
    assert write(position, part_of(rng, puzzle, drawing))
    return drawing, position, rng


@pytest.mark.parametrize("seed", range(2))
def test_a_side_takes_as_many_steps_at_dark_and_light_squares_as_the_drawing_gives_it(seed: int) -> None:
    uneven = 0
    for index in range(seed * 100, seed * 100 + 100):
        if (half := half_drawn(index)) is None:
            continue
        drawing, position, rng = half
        grid = drawing.puzzle.grid
        gap = tuple(rng.sample(grid.free_cells, 2))
        for start in set(grid.free_cells) - set(gap):
            sides = GapSides(drawing.puzzle, position, gap)
            side = flood(grid, position, start, set(gap))
            ends = [cell for edge in still_drawn(drawing, position) for cell in edge if cell in side]
            dark = sum(sum(grid.position(cell)) % 2 == 0 for cell in ends)
            assert sides.needs(sides.side_of(start)) == (dark, len(ends) - dark)
            uneven += 2 * dark != len(ends)
    assert uneven > 100


def test_the_pairs_apart_less_the_lines_that_carry_them_pass_the_gap_in_every_drawing() -> None:
    apart = carried = 0
    for index in range(200):
        if (half := half_drawn(index)) is None:
            continue
        drawing, position, rng = half
        grid, gap = drawing.puzzle.grid, tuple(rng.sample(drawing.puzzle.grid.free_cells, 2))
        sides = GapSides(drawing.puzzle, position, gap)
        for start in set(grid.free_cells) - set(gap):
            side = sides.side_of(start)
            reached = flood(grid, position, start, set(gap))
            assert {cell for cell in grid.free_cells if sides.side_of(cell) == side} == reached
            passing = sum((a in reached) != (b in reached) for a, b in still_drawn(drawing, position))
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
        gap = tuple(Random(index).sample(puzzle.grid.free_cells, 2))
        sides = GapSides(puzzle, position_of(puzzle, Rule.FILLED), gap)
        for side in {sides.side_of(cell) for cell in puzzle.grid.free_cells}:
            one_inside = {
                pair.first
                for pair in puzzle.pairs
                if (sides.side_of(pair.first) == side) != (sides.side_of(pair.second) == side)
            }
            assert set(sides.apart(side)) == one_inside
            assert sides.carried(side) == 0
