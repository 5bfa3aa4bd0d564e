"""A heap of variables, the most active on top, compiled.

``heap`` lists the variables waiting, ``place`` where each stands in it (-1: not waiting).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkpress.engine.kernels.compile import kernel

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]


@kernel()
def raise_up(heap: Ints, place: Ints, activity: Floats, at: int) -> None:
    """Restore the order after the variable at a place became more active."""
    var = heap[at]
    mine = activity[var]
    while at > 0:
        above = (at - 1) >> 1
        if activity[heap[above]] >= mine:
            break
        heap[at] = heap[above]
        place[heap[at]] = at
        at = above
    heap[at] = var
    place[var] = at


@kernel()
def put_back(heap: Ints, place: Ints, activity: Floats, var: int, size: int) -> None:
    """Let a variable wait again behind ``size`` others."""
    heap[size] = var
    raise_up(heap, place, activity, size)


@kernel()
def take_top(heap: Ints, place: Ints, activity: Floats, size: int) -> int:
    """Take the most active variable; ``size`` others stay."""
    top = heap[0]
    place[top] = -1
    if size > 0:
        var = heap[size]
        mine = activity[var]
        at = 0
        while 2 * at + 1 < size:
            child = 2 * at + 1
            if child + 1 < size and activity[heap[child + 1]] > activity[heap[child]]:
                child += 1
            if activity[heap[child]] <= mine:
                break
            heap[at] = heap[child]
            place[heap[at]] = at
            at = child
        heap[at] = var
        place[var] = at
    return int(top)
