"""The eight symmetries of a board, a puzzle's canonical form and its fingerprint.

Two puzzles are the same to a solver when one is the other turned, mirrored or renumbered. The
canonical form is one of these chosen by rule, so that equality finds repeats; the fingerprint is
a short digest of it for ledgers and volumes.
"""

from __future__ import annotations

import hashlib

from linkpress.puzzle.grid import Cell, Grid
from linkpress.puzzle.notation.link_text import puzzle_text
from linkpress.puzzle.puzzle import Puzzle

SYMMETRIES: tuple[str, ...] = (
    "as it stands",
    "quarter turn clockwise",
    "half turn",
    "quarter turn anticlockwise",
    "mirrored left to right",
    "mirrored top to bottom",
    "mirrored in the main diagonal",
    "mirrored in the other diagonal",
)
"""What each symmetry does; its index is the ``symmetry`` that the functions below take."""

# Transpose first, then reverse the order of the rows, then that of the columns.
_MOVES = (
    (False, False, False),
    (True, False, True),
    (False, True, True),
    (True, True, False),
    (False, False, True),
    (False, True, False),
    (True, False, False),
    (True, True, True),
)
_INVERSE = (0, 3, 2, 1, 4, 5, 6, 7)

FINGERPRINT_LENGTH = 16


def inverse(symmetry: int) -> int:
    """The symmetry that undoes another: only the quarter turns are not their own."""
    return _INVERSE[symmetry]


def canonical(puzzle: Puzzle) -> Puzzle:
    """The one puzzle that stands for all its turned, mirrored and renumbered forms.

    Of the eight, each numbered 1, 2, … in the order in which its numbers first appear, the one
    whose squares come first: fewer rows before more, then square by square in reading order with
    an empty square before a solid before a number.

    Args:
        puzzle: any numbering.
    Returns:
        A puzzle with at most as many rows as columns, numbered 1…k.
    """
    grid = puzzle.grid
    squares = _squares(puzzle)
    rows, cols, best = min(
        (*_shape(grid, symmetry), _renumbered(squares, _sources(grid, symmetry)))
        for symmetry in range(len(SYMMETRIES))
    )
    solids = frozenset(cell for cell, square in enumerate(best) if square == _SOLID)
    numbers = {cell: square - _SOLID for cell, square in enumerate(best) if square > _SOLID}
    return Puzzle.from_numbers(Grid(rows, cols, solids), numbers)


def fingerprint(puzzle: Puzzle) -> str:
    """The same 16 hexadecimal digits for every turned, mirrored or renumbered form of a puzzle.

    They are the first digits of the SHA-256 of the canonical form's link text.
    """
    text = puzzle_text(canonical(puzzle))
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:FINGERPRINT_LENGTH]


def cell_places(rows: int, cols: int, symmetry: int) -> tuple[Cell, ...]:
    """Where each cell of a rows × cols board goes: the new cell at the old cell's index.

    Args:
        rows: of the board before.
        cols: of the board before.
        symmetry: 0 to 7, see ``SYMMETRIES``.
    """
    transpose, reverse_rows, reverse_cols = _MOVES[symmetry]
    new_rows, new_cols = (cols, rows) if transpose else (rows, cols)
    down = range(new_rows - 1, -1, -1) if reverse_rows else range(new_rows)
    across = range(new_cols - 1, -1, -1) if reverse_cols else range(new_cols)
    if transpose:
        return tuple(row * new_cols + col for col in across for row in down)
    return tuple(row * new_cols + col for row in down for col in across)


_EMPTY, _SOLID = 0, 1  # numbers follow


def _shape(grid: Grid, symmetry: int) -> tuple[int, int]:
    transpose = _MOVES[symmetry][0]
    return (grid.cols, grid.rows) if transpose else (grid.rows, grid.cols)


def _sources(grid: Grid, symmetry: int) -> tuple[Cell, ...]:
    rows, cols = _shape(grid, symmetry)
    return cell_places(rows, cols, inverse(symmetry))


def _squares(puzzle: Puzzle) -> list[int]:
    squares = [_EMPTY] * puzzle.grid.size
    for cell in puzzle.grid.solids:
        squares[cell] = _SOLID
    for cell, number in puzzle.number_at.items():
        squares[cell] = _SOLID + number
    return squares


def _renumbered(squares: list[int], sources: tuple[Cell, ...]) -> list[int]:
    fresh = {_EMPTY: _EMPTY, _SOLID: _SOLID}
    return [fresh.setdefault(squares[source], len(fresh)) for source in sources]
