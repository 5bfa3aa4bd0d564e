"""Rotations and reflections of puzzles, the canonical form, and the fingerprint.

To a solver two puzzles are the same if one is a rotation, reflection or renumbering of the other. The
canonical form is one of all these forms, chosen by a fixed rule, so comparing canonical forms finds repeats.
The fingerprint is a short digest of the canonical form, for ledgers and volumes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache

from linkpress.puzzle.notation.link_text import puzzle_text
from linkpress.puzzle.puzzle import Cell, Grid, Pair, Puzzle, edge

# Each symmetry as three steps to be done in this order: transpose, reverse the rows, reverse the columns.
SYMMETRIES = (
    (False, False, False),  # unchanged
    (True, False, True),  # quarter turn clockwise
    (False, True, True),  # half turn
    (True, True, False),  # quarter turn anticlockwise
    (False, False, True),  # mirrored left to right
    (False, True, False),  # mirrored top to bottom
    (True, False, False),  # mirrored in the main diagonal
    (True, True, True),  # mirrored in the other diagonal
)

FINGERPRINT_LENGTH = 16


def canonical(puzzle: Puzzle) -> Puzzle:
    """Return the canonical form of a puzzle: the same for all its rotations, reflections and renumberings.

    The numbers of each of the eight forms are replaced by 1, 2, … in reading order of their first cells. Of
    these forms the smallest is returned. Fewer rows come first; then the forms are compared cell by cell in
    reading order, an empty cell before a solid and a solid before a number.

    Returns:
        A puzzle with at most as many rows as columns, numbered from 1 without gaps.
    """
    return form_of(puzzle, min(range(8), key=lambda symmetry: _sort_key(puzzle, symmetry)))


def fingerprint(puzzle: Puzzle) -> str:
    """Return the fingerprint of a puzzle, equal for all its rotations, reflections and renumberings.

    Returns:
        The first 16 hexadecimal digits of the SHA-256 of the canonical form, written as link text.
    """
    text = puzzle_text(canonical(puzzle))
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:FINGERPRINT_LENGTH]


@lru_cache(64)
def cell_places(rows: int, cols: int, symmetry: int) -> tuple[Cell, ...]:
    """Return the new cell of each cell of a board after a symmetry, given by its index in ``SYMMETRIES``."""
    transpose, reverse_rows, reverse_cols = SYMMETRIES[symmetry]
    new_rows, new_cols = (cols, rows) if transpose else (rows, cols)
    down = range(new_rows - 1, -1, -1) if reverse_rows else range(new_rows)
    across = range(new_cols - 1, -1, -1) if reverse_cols else range(new_cols)
    if transpose:
        return tuple(row * new_cols + col for col in across for row in down)
    return tuple(row * new_cols + col for row in down for col in across)


def form_of(puzzle: Puzzle, symmetry: int) -> Puzzle:
    """Return a rotation or reflection of a puzzle, given by its index in ``SYMMETRIES``.

    Its pairs are numbered from 1 in reading order of their first cells.
    """
    rows, cols = puzzle.grid.rows, puzzle.grid.cols
    places = cell_places(rows, cols, symmetry)
    sides = (cols, rows) if SYMMETRIES[symmetry][0] else (rows, cols)
    grid = Grid(*sides, frozenset([places[cell] for cell in puzzle.grid.solids]))
    ends = enumerate(_sorted_ends(puzzle, places), start=1)
    return Puzzle(grid, tuple([Pair(number, *cells) for number, cells in ends]))


def _sort_key(puzzle: Puzzle, symmetry: int) -> tuple[int, list[int]]:
    """Return the rows and the cells of a form: 0 for empty, 1 for a solid, otherwise the number plus 1."""
    grid = puzzle.grid
    places = cell_places(grid.rows, grid.cols, symmetry)
    cells = [0] * grid.size
    for cell in grid.solids:
        cells[places[cell]] = 1
    for value, (first, second) in enumerate(_sorted_ends(puzzle, places), start=2):
        cells[first] = cells[second] = value
    return grid.cols if SYMMETRIES[symmetry][0] else grid.rows, cells


def _sorted_ends(puzzle: Puzzle, places: Sequence[Cell]) -> list[tuple[Cell, Cell]]:
    return sorted([edge(places[first], places[second]) for _, first, second in puzzle.pairs])
