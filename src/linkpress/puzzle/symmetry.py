"""Rotations and reflections of puzzles, the canonical form, and the fingerprint.

To a solver, two puzzles are the same if one is a rotation, reflection or renumbering of the other. The
canonical form is chosen among all these variants of a puzzle by a fixed rule. So two puzzles are the same if
their canonical forms are equal. The fingerprint is a short hash of the canonical form.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache

from linkpress.puzzle.link_text import puzzle_text
from linkpress.puzzle.puzzle import Cell, Grid, Pair, Puzzle

# The eight symmetries of a board. Each symmetry has three values. The first says whether to transpose the
# board, the second whether to reverse the order of the rows afterwards, and the third whether to reverse the
# order of the columns.
SYMMETRIES = (
    (False, False, False),  # unchanged
    (True, False, True),  # quarter turn clockwise
    (False, True, True),  # half turn
    (True, True, False),  # quarter turn anticlockwise
    (False, False, True),  # mirrored left to right
    (False, True, False),  # mirrored top to bottom
    (True, False, False),  # mirrored in the diagonal from the upper left to the lower right
    (True, True, True),  # mirrored in the diagonal from the upper right to the lower left
)

FINGERPRINT_LENGTH = 16


def canonical(puzzle: Puzzle) -> Puzzle:
    """Return the canonical form of a puzzle, equal for all its rotations, reflections and renumberings.

    Each of the eight rotations and reflections is a form of the puzzle. In each form, the pairs are numbered
    1, 2, … in reading order of their first cells. The smallest form is returned. A form with fewer rows is
    smaller. Forms with the same number of rows are compared cell by cell: empty cells are smaller than
    solids, and solids are smaller than numbers.

    Returns:
        A puzzle with at most as many rows as columns, numbered from 1 without gaps.
    """
    # The rotations and reflections are compared cell by cell, and empty cells are smaller than all others. So
    # the smallest form begins with the most empty cells. Find the forms with the most empty cells at the
    # beginning, and compare only these in full. A full comparison takes ten times as long.
    rows, cols, used = puzzle.grid.rows, puzzle.grid.cols, [*puzzle.grid.solids, *puzzle.number_at]
    starts = {
        symmetry: min(map(cell_places(rows, cols, symmetry).__getitem__, used))
        for symmetry, (transpose, *_) in enumerate(SYMMETRIES)
        if rows == cols or transpose == (cols < rows)
    }
    last = max(starts.values())
    latest = [symmetry for symmetry, start in starts.items() if start == last]
    return form_of(puzzle, min(latest, key=lambda symmetry: _sort_key(puzzle, symmetry)))


def fingerprint(puzzle: Puzzle) -> str:
    """Return the fingerprint of a puzzle, equal for all its rotations, reflections and renumberings.

    Returns:
        The first 16 hexadecimal digits of the SHA-256 of the canonical form, written as link text.
    """
    text = puzzle_text(canonical(puzzle))
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:FINGERPRINT_LENGTH]


def layouts(puzzle: Puzzle) -> bytes:
    """Return which cells have numbers, as a bit mask for each rotation and reflection of the board.

    The masks follow one after the other; each has ``mask_bytes`` bytes.
    If the board is not square, rotations and reflections that exchange rows and columns are left out.
    """
    rows, cols = puzzle.grid.rows, puzzle.grid.cols
    bits, count = _cell_bits(rows, cols), 8 if rows == cols else 4
    return sum([bits[cell] for cell in puzzle.number_at]).to_bytes(count * mask_bytes(rows, cols), "little")


def mask_bytes(rows: int, cols: int) -> int:
    return (rows * cols + 7) // 8


@lru_cache(64)
def _cell_bits(rows: int, cols: int) -> tuple[int, ...]:
    """Return, for each cell, the bits that a number in this cell sets in the result of ``layouts``.

    That result has a bit mask for each rotation and reflection of the board, with one bit for each cell. A
    number sets one bit in each mask: the bit of the cell to which the rotation or reflection moves it. The
    bits for a number are returned as one integer, in which the masks follow one after the other.
    """
    kept = (number for number, (transpose, *_) in enumerate(SYMMETRIES) if rows == cols or not transpose)
    places = [cell_places(rows, cols, symmetry) for symmetry in kept]
    size = 8 * mask_bytes(rows, cols)
    return tuple(
        sum(1 << (size * turn + place[cell]) for turn, place in enumerate(places))
        for cell in range(rows * cols)
    )


@lru_cache(64)
def cell_places(rows: int, cols: int, symmetry: int) -> tuple[Cell, ...]:
    """Return, for each cell, the cell to which a rotation or reflection of the board moves it.

    Args:
        rows: the number of rows before the move.
        cols: the number of columns before the move.
        symmetry: the index of the rotation or reflection in ``SYMMETRIES``.
    """
    transpose, reverse_rows, reverse_cols = SYMMETRIES[symmetry]
    new_rows, new_cols = (cols, rows) if transpose else (rows, cols)
    down = range(new_rows - 1, -1, -1) if reverse_rows else range(new_rows)
    across = range(new_cols - 1, -1, -1) if reverse_cols else range(new_cols)
    if transpose:
        return tuple(row * new_cols + col for col in across for row in down)
    return tuple(row * new_cols + col for row in down for col in across)


def form_of(puzzle: Puzzle, symmetry: int) -> Puzzle:
    """Return a rotation or reflection of a puzzle, with the pairs renumbered.

    The pairs are numbered from 1, in reading order of their first cells.

    Args:
        puzzle: the puzzle.
        symmetry: the index of the rotation or reflection in ``SYMMETRIES``.
    """
    rows, cols = puzzle.grid.rows, puzzle.grid.cols
    places = cell_places(rows, cols, symmetry)
    sides = (cols, rows) if SYMMETRIES[symmetry][0] else (rows, cols)
    grid = Grid(*sides, frozenset([places[cell] for cell in puzzle.grid.solids]))
    ends = enumerate(_sorted_ends(puzzle, places), start=1)
    return Puzzle(grid, tuple([Pair(number, *cells) for number, cells in ends]))


def _sort_key(puzzle: Puzzle, symmetry: int) -> list[int]:
    """Return the cells of a puzzle as numbers, to compare its rotations and reflections with each other.

    An empty cell is 0, a solid cell is 1, and a numbered cell is its number plus 1.
    """
    grid = puzzle.grid
    places = cell_places(grid.rows, grid.cols, symmetry)
    cells = [0] * grid.size
    for cell in grid.solids:
        cells[places[cell]] = 1
    for value, (first, second) in enumerate(_sorted_ends(puzzle, places), start=2):
        cells[first] = cells[second] = value
    return cells


def _sorted_ends(puzzle: Puzzle, places: Sequence[Cell]) -> list[tuple[Cell, Cell]]:
    # Don't call the function ``edge`` to sort each pair, because that would take twice the time. This code
    # runs eight times for each puzzle.
    ends = [(places[first], places[second]) for _, first, second in puzzle.pairs]
    return sorted([(a, b) if a < b else (b, a) for a, b in ends])
