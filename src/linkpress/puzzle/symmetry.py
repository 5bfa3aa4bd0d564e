"""A puzzle has eight symmetric forms, one canonical form and one fingerprint.

Two puzzles are the same to a solver when one is the other turned, mirrored or renumbered. The
canonical form is one of these chosen by rule, so that equality finds repeats; the fingerprint is
a short digest of it for ledgers and volumes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import lru_cache

from linkpress.puzzle.notation.link_text import puzzle_text
from linkpress.puzzle.puzzle import Cell, Grid, Pair, Puzzle, edge

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
    return _form(puzzle, min(range(8), key=lambda symmetry: _reading_order(puzzle, symmetry)))


def eight_forms(puzzle: Puzzle) -> Iterator[Puzzle]:
    """Yield a puzzle turned and mirrored in all ways, each form numbered in the order of its squares."""
    return (_form(puzzle, symmetry) for symmetry in range(8))


def _form(puzzle: Puzzle, symmetry: int) -> Puzzle:
    rows, cols = puzzle.grid.rows, puzzle.grid.cols
    places = cell_places(rows, cols, symmetry)
    sides = (cols, rows) if SYMMETRIES[symmetry][0] else (rows, cols)
    grid = Grid(*sides, frozenset([places[cell] for cell in puzzle.grid.solids]))
    ends = enumerate(_ends(puzzle, places), start=1)
    return Puzzle(grid, tuple([Pair(number, *cells) for number, cells in ends]))


def _ends(puzzle: Puzzle, places: Sequence[Cell]) -> list[tuple[Cell, Cell]]:
    """Return where a form's pairs stand, in the order of their numbers."""
    return sorted([edge(places[first], places[second]) for _, first, second in puzzle.pairs])


def fingerprint(puzzle: Puzzle) -> str:
    """Return 16 hexadecimal digits, the same for every turned, mirrored or renumbered form of a puzzle.

    They are the first digits of the SHA-256 of the canonical form's link text.
    """
    text = puzzle_text(canonical(puzzle))
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:FINGERPRINT_LENGTH]


@lru_cache(64)
def cell_places(rows: int, cols: int, symmetry: int) -> tuple[Cell, ...]:
    """Return where each cell of a rows × cols board goes under one of ``SYMMETRIES``, by its index."""
    transpose, reverse_rows, reverse_cols = SYMMETRIES[symmetry]
    new_rows, new_cols = (cols, rows) if transpose else (rows, cols)
    down = range(new_rows - 1, -1, -1) if reverse_rows else range(new_rows)
    across = range(new_cols - 1, -1, -1) if reverse_cols else range(new_cols)
    if transpose:
        return tuple(row * new_cols + col for col in across for row in down)
    return tuple(row * new_cols + col for row in down for col in across)


def _reading_order(puzzle: Puzzle, symmetry: int) -> tuple[int, list[int]]:
    """Return a form's rows, and its squares: 0 where empty, 1 for a solid, else one more than the number."""
    grid = puzzle.grid
    places = cell_places(grid.rows, grid.cols, symmetry)
    squares = [0] * grid.size
    for cell in grid.solids:
        squares[places[cell]] = 1
    for value, (first, second) in enumerate(_ends(puzzle, places), start=2):
        squares[first] = squares[second] = value
    return grid.cols if SYMMETRIES[symmetry][0] else grid.rows, squares
