"""A cover as the walk changes it, compiled: arrays by cell and by path."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkpress.engine.kernels.compile import kernel

Ints = NDArray[np.int32]
Bytes = NDArray[np.int8]
DiceState = NDArray[np.uint64]

PATHS, WANTED, BORDER, BORDER_MOST, ENERGY, CHANGED, COOLING = range(7)

# Chosen with the cooling below: with path weight 2 for each square that a path is too short by,
# weight 3 and 3 halvings for each unit, 20 × 20 reaches 120 paths in 20 ms; weight 2 and 2
# halvings does not reach it at all, and boards with few paths take as long either way.
PATH_WEIGHT = 3
BORDER_WEIGHT = 3
FIRST_COOLING = 3


class Board(NamedTuple):
    """A cover. Directions are 0 up, 1 left, 2 right, 3 down."""

    beside: Ints  # 4 × cells: the neighbour in a direction, -1 beyond the border
    path_of: Ints  # by cell; -1 on a solid
    links: Bytes  # by cell: bit d set when the path goes on in direction d
    ends: Ints  # 2 × paths
    length: Ints  # by path
    border: Bytes  # by cell: 1 on the border
    cost: Ints  # by length: what a path of that length costs
    numbers: Ints  # see PATHS … COOLING
    piece: Ints  # scratch
    changed: Ints  # cells changed since the list was emptied
    marked: Bytes  # by cell: 1 when it is in that list


class Copy(NamedTuple):
    """What a board was, for going back to it."""

    path_of: Ints
    links: Bytes
    ends: Ints
    length: Ints
    numbers: Ints


@kernel()
def new_board(rows: int, cols: int, cost: Ints, wanted: int, border_most: int) -> Board:
    """A board without paths.

    Args:
        rows: of the board.
        cols: of the board.
        cost: by path length from 0 to rows × cols.
        wanted: how many paths.
        border_most: how many pairs may have both ends on the border.
    """
    size = rows * cols
    beside = np.full(4 * size, -1, np.int32)
    border = np.zeros(size, np.int8)
    for cell in range(size):
        row, col = cell // cols, cell % cols
        if row > 0:
            beside[4 * cell] = cell - cols
        if col > 0:
            beside[4 * cell + 1] = cell - 1
        if col < cols - 1:
            beside[4 * cell + 2] = cell + 1
        if row < rows - 1:
            beside[4 * cell + 3] = cell + cols
        if row == 0 or col == 0 or row == rows - 1 or col == cols - 1:
            border[cell] = 1
    numbers = np.zeros(8, np.int32)
    numbers[WANTED] = wanted
    numbers[BORDER_MOST] = border_most
    numbers[COOLING] = FIRST_COOLING
    return Board(
        beside,
        np.full(size, -1, np.int32),
        np.zeros(size, np.int8),
        np.zeros(2 * size + 2, np.int32),
        np.zeros(size + 1, np.int32),
        border,
        cost,
        numbers,
        np.empty(size, np.int32),
        np.empty(size, np.int32),
        np.zeros(size, np.int8),
    )


@kernel()
def lay_singles(board: Board, solid: Bytes) -> None:
    """Start afresh: every free square a path of its own."""
    paths = 0
    for cell in range(solid.size):
        board.links[cell] = 0
        board.path_of[cell] = -1
        if not solid[cell]:
            board.path_of[cell] = paths
            board.ends[2 * paths] = cell
            board.ends[2 * paths + 1] = cell
            board.length[paths] = 1
            paths += 1
    board.numbers[PATHS] = paths
    board.numbers[COOLING] = FIRST_COOLING
    measure(board)


@kernel()
def measure(board: Board) -> int:
    """The distance to the recipe, counted afresh."""
    numbers, ends = board.numbers, board.ends
    energy = border = 0
    for path in range(numbers[PATHS]):
        energy += board.cost[board.length[path]]
        border += board.border[ends[2 * path]] & board.border[ends[2 * path + 1]]
    energy += PATH_WEIGHT * abs(numbers[PATHS] - numbers[WANTED])
    energy += BORDER_WEIGHT * max(0, border - numbers[BORDER_MOST])
    numbers[BORDER] = border
    numbers[ENERGY] = energy
    return int(energy)


@kernel()
def direction(bits: int) -> int:
    """The direction of the lowest set bit of 1, 2, 4, 8."""
    if bits & 3:
        return 0 if bits & 1 else 1
    return 2 if bits & 4 else 3


@kernel()
def change(changed: Ints, marked: Bytes, numbers: Ints, cell: int) -> None:
    """Put a cell on the list of changed ones."""
    if not marked[cell]:
        marked[cell] = 1
        changed[numbers[CHANGED]] = cell
        numbers[CHANGED] += 1


@kernel()
def forget_changes(board: Board) -> None:
    """Empty the list of changed cells."""
    for at in range(board.numbers[CHANGED]):
        board.marked[board.changed[at]] = 0
    board.numbers[CHANGED] = 0


@kernel()
def close_gap(board: Board, path: int) -> None:
    """Give the last path the number of one that is no more."""
    last = board.numbers[PATHS] - 1
    board.numbers[PATHS] = last
    if path == last:
        return
    board.ends[2 * path] = board.ends[2 * last]
    board.ends[2 * path + 1] = board.ends[2 * last + 1]
    board.length[path] = board.length[last]
    cell, back = board.ends[2 * path], 4
    while True:
        board.path_of[cell] = path
        bits = int(board.links[cell])
        if back < 4:
            bits &= ~(1 << back)
        if bits == 0:
            return
        step = direction(bits)
        cell = board.beside[4 * cell + step]
        back = 3 - step


@kernel()
def new_copy(board: Board) -> Copy:
    """Room for a copy of a board."""
    size = board.path_of.size
    return Copy(
        np.empty(size, np.int32),
        np.empty(size, np.int8),
        np.empty(2 * size + 2, np.int32),
        np.empty(size + 1, np.int32),
        np.empty(8, np.int32),
    )


@kernel()
def save(board: Board, copy: Copy) -> None:
    """Remember what the board is now, and empty its list of changes."""
    forget_changes(board)
    paths = board.numbers[PATHS]
    copy.path_of[:] = board.path_of
    copy.links[:] = board.links
    copy.ends[: 2 * paths] = board.ends[: 2 * paths]
    copy.length[:paths] = board.length[:paths]
    copy.numbers[:] = board.numbers


@kernel()
def restore(board: Board, copy: Copy) -> None:
    """Go back to what was saved."""
    forget_changes(board)
    paths = copy.numbers[PATHS]
    board.path_of[:] = copy.path_of
    board.links[:] = copy.links
    board.ends[: 2 * paths] = copy.ends[: 2 * paths]
    board.length[:paths] = copy.length[:paths]
    board.numbers[:] = copy.numbers


@kernel()
def draw_cover(board: Board, cells: Ints, lengths: Ints) -> int:
    """Write the paths out.

    Args:
        board: the cover.
        cells: out: the paths' squares, one path after the other, each from end to end.
        lengths: out: the paths' lengths.
    Returns:
        How many paths.
    """
    used = 0
    for path in range(board.numbers[PATHS]):
        lengths[path] = board.length[path]
        cell, back = board.ends[2 * path], 4
        while True:
            cells[used] = cell
            used += 1
            bits = int(board.links[cell])
            if back < 4:
                bits &= ~(1 << back)
            if bits == 0:
                break
            step = direction(bits)
            cell = board.beside[4 * cell + step]
            back = 3 - step
    return int(board.numbers[PATHS])
