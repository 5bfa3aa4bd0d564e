"""The eight symmetries of a board, a puzzle's canonical form and its fingerprint.

Two puzzles are the same to a solver when one is the other turned, mirrored or renumbered. The
canonical form is one of these chosen by rule, so that equality finds repeats; the fingerprint is
a short digest of it for ledgers and volumes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from linkpress.puzzle.notation.link_text import puzzle_text
from linkpress.puzzle.puzzle import Cell, Grid, Puzzle

# Whether rows and columns change places, then the rows' order turns round, then the columns'.
SYMMETRIES = (
    (False, False, False),  # as it stands
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
    """Return the one puzzle that stands for all its turned, mirrored and renumbered forms.

    Of the eight, each numbered 1, 2, … in the order in which its numbers first appear, the one
    whose squares come first: fewer rows before more, then square by square in reading order with
    an empty square before a solid before a number.

    Returns:
        A puzzle with at most as many rows as columns, numbered 1…k.
    """
    return _puzzle_of(min(_renumbered(puzzle, symmetry) for symmetry in range(len(SYMMETRIES))))


def eight_forms(puzzle: Puzzle) -> Iterator[Puzzle]:
    """Yield a puzzle turned and mirrored in all ways, each form numbered in the order of its squares."""
    for symmetry in range(len(SYMMETRIES)):
        yield _puzzle_of(_renumbered(puzzle, symmetry))


def fingerprint(puzzle: Puzzle) -> str:
    """Return 16 hexadecimal digits, the same for every turned, mirrored or renumbered form of a puzzle.

    They are the first digits of the SHA-256 of the canonical form's link text.
    """
    text = puzzle_text(canonical(puzzle))
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:FINGERPRINT_LENGTH]


def cell_places(rows: int, cols: int, symmetry: int) -> tuple[Cell, ...]:
    """Return the new cell of each old cell of a rows × cols board, at the old cell's index.

    Args:
        rows, cols: the sides of the board before.
        symmetry: the index in ``SYMMETRIES``, 0 to 7.
    """
    transpose, reverse_rows, reverse_cols = SYMMETRIES[symmetry]
    new_rows, new_cols = (cols, rows) if transpose else (rows, cols)
    down = range(new_rows - 1, -1, -1) if reverse_rows else range(new_rows)
    across = range(new_cols - 1, -1, -1) if reverse_cols else range(new_cols)
    if transpose:
        return tuple(row * new_cols + col for col in across for row in down)
    return tuple(row * new_cols + col for row in down for col in across)


_EMPTY, _SOLID = 0, 1  # numbers follow
_Form = tuple[int, int, list[int]]  # rows, columns, squares


def _puzzle_of(form: _Form) -> Puzzle:
    rows, cols, squares = form
    solids = frozenset(cell for cell, square in enumerate(squares) if square == _SOLID)
    numbers = {cell: square - _SOLID for cell, square in enumerate(squares) if square > _SOLID}
    return Puzzle.from_numbers(Grid(rows, cols, solids), numbers)


def _renumbered(puzzle: Puzzle, symmetry: int) -> _Form:
    """Rows, columns and squares of the turned puzzle, numbered in the order of its squares."""
    rows, cols = puzzle.grid.rows, puzzle.grid.cols
    turned = [_EMPTY] * puzzle.grid.size
    places = cell_places(rows, cols, symmetry)
    for cell in puzzle.grid.solids:
        turned[places[cell]] = _SOLID
    for cell, number in puzzle.number_at.items():
        turned[places[cell]] = _SOLID + number
    if SYMMETRIES[symmetry][0]:
        rows, cols = cols, rows
    fresh = {_EMPTY: _EMPTY, _SOLID: _SOLID}
    return rows, cols, [fresh.setdefault(square, len(fresh)) for square in turned]
