"""A partly drawn board: what is known of its edges, fragments and numbers, and how it changes.

The board is ``around``, int16[cells, 4]: each cell's neighbour up, left, right and down, -1 for
none. Edge ``2 * cell`` leads right from a cell, edge ``2 * cell + 1`` leads down.

What is known is ``marks``, int16[cells, 8], a row per cell:

* ``MATE``: for an end of a fragment (a longest run of drawn edges; a lone cell is one too), the
  fragment's other end;
* ``NUMBER``: for an end of a fragment, 0 or 1 + the first endpoint of the pair on whose path the
  fragment is known to lie;
* ``NEED``: how many more drawn edges the cell must get; ``EXITS``: how many of its edges are open;
* ``RIGHT``, ``DOWN``: ``OPEN``, ``DRAWN`` or ``RULED_OUT`` for the edges that lead right and down;
* ``PARTNER``: for an endpoint, the other endpoint of its pair;
* ``PARTS``: for a pair's first endpoint, how many fragments carry its number.

A cell with need is an end of its fragment, and an end without need is an endpoint.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkpress.engine.kernels.compile import kernel

Cells = NDArray[np.int16]

MATE, NUMBER, NEED, EXITS, RIGHT, DOWN, PARTNER, PARTS = range(8)
FIELDS = 8
OPEN, DRAWN, RULED_OUT = 0, 1, 2
UP_SIDE, LEFT_SIDE, RIGHT_SIDE, DOWN_SIDE = range(4)


@kernel("boolean(uint8[:,::1], int16[:,::1], int16[:,::1], int16[:,::1])")
def lay_out(free: NDArray[np.uint8], pairs: Cells, around: Cells, marks: Cells) -> bool:
    """Fill ``around`` and ``marks`` for a board on which nothing is drawn yet.

    Args:
        free: [rows, cols], 0 for a solid.
        pairs: [pairs, 2], the endpoints of each pair, the smaller cell first.
        around: [cells, 4], to be filled.
        marks: [cells, ``FIELDS``], to be filled.
    Returns:
        False when a cell has too few exits from the start.
    """
    rows, cols = free.shape
    for cell in range(rows * cols):
        row, col = cell // cols, cell % cols
        around[cell] = -1
        marks[cell] = 0
        marks[cell, MATE] = cell
        marks[cell, RIGHT] = RULED_OUT
        marks[cell, DOWN] = RULED_OUT
        if free[row, col] == 0:
            continue
        marks[cell, NEED] = 2
        _look_around(free, around, marks, row, col)
    for pair in range(pairs.shape[0]):
        for end in range(2):
            cell = pairs[pair, end]
            marks[cell, NEED] = 1
            marks[cell, NUMBER] = 1 + pairs[pair, 0]
            marks[cell, PARTNER] = pairs[pair, 1 - end]
        marks[pairs[pair, 0], PARTS] = 2
    return bool((marks[:, EXITS] >= marks[:, NEED]).all())


@kernel()
def _look_around(free: NDArray[np.uint8], around: Cells, marks: Cells, row: int, col: int) -> None:
    rows, cols = free.shape
    cell = row * cols + col
    if row > 0 and free[row - 1, col] != 0:
        around[cell, UP_SIDE] = cell - cols
    if col > 0 and free[row, col - 1] != 0:
        around[cell, LEFT_SIDE] = cell - 1
    if col < cols - 1 and free[row, col + 1] != 0:
        around[cell, RIGHT_SIDE] = cell + 1
        marks[cell, RIGHT] = OPEN
    if row < rows - 1 and free[row + 1, col] != 0:
        around[cell, DOWN_SIDE] = cell + cols
        marks[cell, DOWN] = OPEN
    for side in range(4):
        if around[cell, side] >= 0:
            marks[cell, EXITS] += 1


@kernel()
def width_of(around: Cells) -> int:
    """How many columns the board has; 1 when no cell has one below it, so that nothing turns on it."""
    for cell in range(around.shape[0]):
        if around[cell, DOWN_SIDE] >= 0:
            return around[cell, DOWN_SIDE] - cell  # type: ignore[no-any-return]
    return 1


@kernel()
def edge_of(around: Cells, cell: int, side: int) -> int:
    """The edge on one side of a cell that has a neighbour there."""
    if side >= RIGHT_SIDE:
        return 2 * cell + side - 2
    return 2 * around[cell, side] + 1 - side  # type: ignore[no-any-return]


@kernel()
def far_end(around: Cells, edge: int) -> int:
    """The larger cell of an edge; the smaller is ``edge >> 1``."""
    return around[edge >> 1, RIGHT_SIDE + (edge & 1)]  # type: ignore[no-any-return]


@kernel()
def mark_of(marks: Cells, edge: int) -> int:
    """What is known of an edge: ``OPEN``, ``DRAWN`` or ``RULED_OUT``."""
    return marks[edge >> 1, RIGHT + (edge & 1)]  # type: ignore[no-any-return]


@kernel()
def copy_marks(marks: Cells, spare: Cells) -> None:
    """Overwrite other marks of the same board."""
    for cell in range(marks.shape[0]):
        for field in range(FIELDS):
            spare[cell, field] = marks[cell, field]


@kernel()
def count_open(marks: Cells) -> int:
    """How many edges are still open."""
    count = 0
    for edge in range(2 * marks.shape[0]):
        if mark_of(marks, edge) == OPEN:
            count += 1
    return count


@kernel()
def exit_at(around: Cells, marks: Cells, cell: int, side: int) -> int:
    """The neighbour on one side when the edge to it is open, else -1."""
    to = around[cell, side]
    if to < 0 or mark_of(marks, edge_of(around, cell, side)) != OPEN:
        return -1
    return to  # type: ignore[no-any-return]


@kernel()
def open_end(marks: Cells, endpoint: int) -> int:
    """Where the line from an endpoint now ends, -1 when its pair is joined."""
    if marks[endpoint, NEED] > 0:
        return endpoint
    last = marks[endpoint, MATE]
    return last if marks[last, NEED] > 0 else -1


@kernel()
def can_not_join(marks: Cells, one: int, other: int) -> bool:
    """Whether an edge between two ends would close a loop or bring two numbers together."""
    first, second = marks[one, NUMBER], marks[other, NUMBER]
    return bool(marks[one, MATE] == other or (first != 0 and second != 0 and first != second))


@kernel()
def rule_out(around: Cells, marks: Cells, edge: int) -> bool:
    """Rule an open edge out; False when a cell is left with too few exits."""
    one, other = edge >> 1, far_end(around, edge)
    marks[one, RIGHT + (edge & 1)] = RULED_OUT
    marks[one, EXITS] -= 1
    marks[other, EXITS] -= 1
    return bool(marks[one, EXITS] >= marks[one, NEED] and marks[other, EXITS] >= marks[other, NEED])


@kernel()
def draw(around: Cells, marks: Cells, edge: int) -> bool:
    """Draw an open edge and join the fragments at its ends; False when that can't be.

    It can't when a cell gets an edge too many, a loop closes, two numbers meet, or a pair is
    joined while a fragment with its number lies elsewhere.
    """
    one, other = edge >> 1, far_end(around, edge)
    marks[one, RIGHT + (edge & 1)] = DRAWN
    marks[one, EXITS] -= 1
    marks[other, EXITS] -= 1
    marks[one, NEED] -= 1
    marks[other, NEED] -= 1
    if marks[one, NEED] < 0 or marks[other, NEED] < 0 or can_not_join(marks, one, other):
        return False
    first, last = marks[one, MATE], marks[other, MATE]
    number = max(marks[one, NUMBER], marks[other, NUMBER])
    if marks[one, NUMBER] != 0 and marks[other, NUMBER] != 0:
        marks[number - 1, PARTS] -= 1
    marks[first, MATE], marks[last, MATE] = last, first
    marks[first, NUMBER], marks[last, NUMBER] = number, number
    joined = marks[first, NEED] == 0 and marks[last, NEED] == 0
    return bool(not joined or marks[number - 1, PARTS] == 1)


@kernel()
def give_number(marks: Cells, cell: int, number: int) -> bool:
    """Note that the fragment that ends at a cell lies on a pair's path; False when it can't."""
    if marks[cell, NUMBER] != 0:
        return bool(marks[cell, NUMBER] == number)
    marks[cell, NUMBER] = number
    marks[marks[cell, MATE], NUMBER] = number
    marks[number - 1, PARTS] += 1
    return open_end(marks, number - 1) >= 0
