"""Has a cover's board, or a window of it, a second drawing? Compiled, for the generator's loop.

The cover is two arrays by cell: ``path_of`` int32, the number of the path that a square lies on
(-1: solid), and ``links`` int8, the sum of UP, LEFT, RIGHT, DOWN for its used edges. Everything
outside the window stays as the cover has it; a path that leaves the window is held to its number
at the square where it leaves.

Under strict a window without a second drawing is exact: the lowest drawings of ``drawings`` are
lowest among those that keep the outside. Under filled loops are excluded inside the window only,
so a second filling of a window may close a loop that runs outside it; of the whole board it can't.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkpress.engine.kernels.compile import kernel
from linkpress.engine.kernels.drawings import find_two
from linkpress.engine.kernels.models import EXHAUSTED
from linkpress.engine.kernels.question import DOWN, FILLING, LEFT, LOWEST, RIGHT, UP

Ints = NDArray[np.int32]
Bytes = NDArray[np.int8]
Masks = NDArray[np.uint8]


@kernel(
    "UniTuple(int64, 2)(int64, int64, UniTuple(int64, 4), int32[::1], int8[::1], boolean, int64, int8[::1])"
)
def find_second_drawing(
    rows: int,
    cols: int,
    window: tuple[int, int, int, int],
    path_of: Ints,
    links: Bytes,
    strict: bool,
    budget: int,
    differs: Bytes,
) -> tuple[int, int]:
    """Search a window for a drawing other than the cover's.

    Args:
        rows: of the board.
        cols: of the board.
        window: first row, first column, rows, columns.
        path_of: by cell, as the module says; paths are numbered from 0 without gaps or not.
        links: by cell, as the module says.
        strict: whether squares inside may stay empty.
        budget: conflicts allowed.
        differs: out, by cell: 1 where the second drawing has other edges; other cells are left.
    Returns:
        EXHAUSTED (there is none), FOUND or GAVE_UP; conflicts spent.
    """
    top, left, height, width = window
    size = height * width
    need = np.empty(size, np.int8)
    label = np.full(size, -1, np.int32)
    drawings = np.zeros((2, size), np.uint8)
    local = np.full(rows * cols, -1, np.int32)
    labels = edges = 0
    for at in range(size):
        cell = (top + at // width) * cols + left + at % width
        inside = _inside(links[cell], at, height, width)
        need[at] = (inside & 1) + (inside >> 1 & 1) + (inside >> 2 & 1) + (inside >> 3 & 1)
        edges += need[at]
        drawings[0, at] = inside
        if need[at] == 0 or path_of[cell] < 0:
            need[at] = -1
        elif need[at] == 1:
            if local[path_of[cell]] < 0:
                local[path_of[cell]] = labels
                labels += 1
            label[at] = local[path_of[cell]]
    if edges == 0:
        return EXHAUSTED, 0
    kind = LOWEST if strict else FILLING
    count, outcome, spent = find_two(height, width, need, label, labels, kind, budget, drawings, 1)
    if count == 2:
        for at in range(size):
            if drawings[0, at] != drawings[1, at]:
                differs[(top + at // width) * cols + left + at % width] = 1
    return outcome, spent


@kernel()
def _inside(mask: int, at: int, height: int, width: int) -> int:
    """A square's used edges that stay inside the window."""
    if at < width:
        mask &= ~UP
    if at >= (height - 1) * width:
        mask &= ~DOWN
    if at % width == 0:
        mask &= ~LEFT
    if at % width == width - 1:
        mask &= ~RIGHT
    return mask
