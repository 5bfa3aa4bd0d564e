"""What a shape of free squares allows, against counting every set of lines."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkpress.engine.islands import fewest_in, fewest_paths, islands
from linkpress.engine.make.generate import generate
from linkpress.engine.recipe import Recipe, Span, recipe_fault
from linkpress.errors import RecipeError
from linkpress.puzzle.puzzle import Grid


def grid_of(*rows):
    cells = enumerate("".join(rows))
    return Grid(len(rows), len(rows[0]), frozenset(cell for cell, square in cells if square == "#"))


def most_lines(grid):
    """The most lines of which no three meet in a square, found by trying all sets."""
    for count in range(len(grid.edges), 0, -1):
        for lines in combinations(grid.edges, count):
            ends = [cell for line in lines for cell in line]
            if all(ends.count(cell) <= 2 for cell in grid.free_cells):
                return count
    return 0


def test_islands_are_the_pieces_that_hang_together():
    assert islands(grid_of("..#.", "##..", "..##")) == ((0, 1), (3, 6, 7), (8, 9))


@settings(max_examples=30, deadline=None)
@given(st.sets(st.integers(0, 8), max_size=7))
def test_fewest_paths_are_those_that_the_most_lines_leave(solids):
    grid = Grid(3, 3, frozenset(solids))
    assert fewest_in(grid) == len(grid.free_cells) - most_lines(grid)


def test_a_colour_that_outweighs_the_other_takes_a_path_for_each_square_more():
    grid = grid_of(".#.#.", ".....", ".#.#.", ".....", ".#.#.")
    assert fewest_paths(grid, islands(grid)[0]) == 7


def test_too_few_pairs_for_a_mask_are_refused_before_any_board_is_made():
    cross = grid_of("##.##", "##.##", ".....", "##.##", "##.##")
    said = "1-2 pairs: the mask needs 3 or more to be filled"
    assert recipe_fault(Recipe(5, 5, Span(1, 2), mask=cross)) == said
    assert recipe_fault(Recipe(5, 5, Span(1, 3), mask=cross)) is None


@pytest.mark.parametrize(
    ("recipe", "said"),
    [
        (Recipe(5, 5, Span(3, 3), mask=Grid(5, 7)), "the mask is 7 × 5, the board 5 × 5"),
        (Recipe(5, 7, Span(5, 5), Span(1, 1), mask=Grid(5, 7)), "solids 1: the mask has 0"),
    ],
)
def test_a_recipe_that_contradicts_its_mask_is_refused(recipe, said):
    with pytest.raises(RecipeError, match=said):
        generate(recipe, "x")
