"""The article's path growth, compiled: union–find over the squares of an empty board."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkpress.engine.kernels.compile import kernel
from linkpress.engine.kernels.dice import below

Ints = NDArray[np.int32]


@kernel("int64(int64, int64, uint64[::1], int32[::1], int32[::1])")
def grow_paths(rows: int, cols: int, dice: NDArray[np.uint64], cells: Ints, lengths: Ints) -> int:
    """Cut an empty board into paths of two or more squares.

    Args:
        rows, cols: the board.
        dice: the dice's state, advanced in place.
        cells: out, rows × cols: the paths' squares, one path after the other, each in order.
        lengths: out, rows × cols: the paths' lengths.
    Returns:
        How many paths; the squares on none of them are solid.
    """
    size = rows * cols
    parent = np.arange(size).astype(np.int32)
    taken = np.zeros(size, np.uint8)
    choices = np.empty(size, np.int32)
    around = np.empty(4, np.int32)
    paths = used = 0
    while True:
        start = _choose_start(rows, cols, dice, taken, choices, around)
        if start < 0:
            return paths
        begin = used
        taken[start] = 1
        cells[used] = start
        used += 1
        end = _choose_free(rows, cols, dice, start, taken, around)
        while end >= 0:
            _unite(parent, cells[used - 1], end)
            taken[end] = 1
            cells[used] = end
            used += 1
            end = _choose_next(rows, cols, dice, end, taken, parent, around)
        lengths[paths] = used - begin
        paths += 1


@kernel()
def neighbours_of(rows: int, cols: int, cell: int, around: Ints) -> int:
    """Write a square's neighbours, up, left, right, down, into ``around``; return how many."""
    row, col = cell // cols, cell % cols
    count = 0
    if row > 0:
        around[count] = cell - cols
        count += 1
    if col > 0:
        around[count] = cell - 1
        count += 1
    if col < cols - 1:
        around[count] = cell + 1
        count += 1
    if row < rows - 1:
        around[count] = cell + cols
        count += 1
    return count


@kernel()
def _find(parent: Ints, cell: int) -> int:
    while parent[cell] != cell:
        parent[cell] = parent[parent[cell]]
        cell = parent[cell]
    return cell


@kernel()
def _unite(parent: Ints, a: int, b: int) -> None:
    parent[_find(parent, a)] = _find(parent, b)


@kernel()
def _choose_start(
    rows: int, cols: int, dice: NDArray[np.uint64], taken: NDArray[np.uint8], choices: Ints, around: Ints
) -> int:
    count = 0
    for cell in range(rows * cols):
        if not taken[cell]:
            for at in range(neighbours_of(rows, cols, cell, around)):
                if not taken[around[at]]:
                    choices[count] = cell
                    count += 1
                    break
    return choices[below(dice, count)] if count else -1


@kernel()
def _choose_free(
    rows: int, cols: int, dice: NDArray[np.uint64], cell: int, taken: NDArray[np.uint8], around: Ints
) -> int:
    count = 0
    for at in range(neighbours_of(rows, cols, cell, around)):
        if not taken[around[at]]:
            around[count] = around[at]
            count += 1
    return around[below(dice, count)] if count else -1


@kernel()
def _choose_next(
    rows: int,
    cols: int,
    dice: NDArray[np.uint64],
    end: int,
    taken: NDArray[np.uint8],
    parent: Ints,
    around: Ints,
) -> int:
    """A free neighbour of the path's end that touches the path at that end alone."""
    root = _find(parent, end)
    beyond = np.empty(4, np.int32)
    count = 0
    for at in range(neighbours_of(rows, cols, end, around)):
        cell = around[at]
        touching = 0
        if not taken[cell]:
            for side in range(neighbours_of(rows, cols, cell, beyond)):
                touching += _find(parent, beyond[side]) == root
        if touching == 1:
            around[count] = cell
            count += 1
    return around[below(dice, count)] if count else -1
