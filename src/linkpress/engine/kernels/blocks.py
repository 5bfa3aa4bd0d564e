"""The blocks of the graph that lines can run in, as a forest.

The graph: cells with need, joined by open edges and, from end to end, along their fragments. A
block is a largest set of cells that no single cell parts; two blocks share at most one cell. A
depth-first search finds them: a block is named after its first cell and hangs from its *apex*,
that cell's parent; each cell but a root lies in the block of the edge to its parent, and an apex
in those that hang from it too.

Source:
    Hopcroft and Tarjan, "Efficient algorithms for graph manipulation", 1973.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkpress.engine.kernels.compile import kernel
from linkpress.engine.kernels.findings import REGION
from linkpress.engine.kernels.marks import DOWN, DOWN_SIDE, MATE, NEED, OPEN, RIGHT, RIGHT_SIDE

Cells = NDArray[np.int16]
Ints = NDArray[np.int32]

# Rows of the scratch. A search has a set of its own, of which FOUND is the first.
(
    WAYS,  # 5 × cell: where a path can go on from it
    DEGREE,  # cell: in how many ways
    STACK,
    NEXT_WAY,  # cell: the way to be taken next
    ORDER,  # cells as they were found
    FOUND,  # cell: its place in ORDER + 1, 0 before it is found, -1 where the search may not go
    LOW,  # cell: the lowest place that it and those found from it touch
    PARENT,  # cell: the one that it was found from, -1 for a root
    TOP,  # cell: the block of the edge to its parent, -1 for a root
) = range(REGION, REGION + 9)


@kernel()
def list_ways(around: Cells, marks: Cells, work: Ints) -> None:
    """For each cell with need the cells with need next to it over an open edge or a fragment."""
    cells = around.shape[0]
    work[DEGREE, :cells] = 0
    for cell in range(cells):
        if marks[cell, NEED] == 0:
            continue
        if marks[cell, RIGHT] == OPEN:
            _join(marks, work, cell, around[cell, RIGHT_SIDE])
        if marks[cell, DOWN] == OPEN:
            _join(marks, work, cell, around[cell, DOWN_SIDE])
        mate = marks[cell, MATE]
        if mate > cell:
            _join(marks, work, cell, mate)


@kernel()
def _join(marks: Cells, work: Ints, one: int, other: int) -> None:
    if marks[other, NEED] > 0:
        work[WAYS, 5 * one + work[DEGREE, one]] = other
        work[WAYS, 5 * other + work[DEGREE, other]] = one
        work[DEGREE, one] += 1
        work[DEGREE, other] += 1


@kernel()
def search(work: Ints, start: int, count: int) -> int:
    """Search from one cell, depth first, wherever FOUND is 0; ``count`` cells were found before.

    Returns:
        How many cells have been found by now.
    """
    ways, found, low, parent = work[WAYS], work[FOUND], work[LOW], work[PARENT]
    next_way, stack, order, degree = work[NEXT_WAY], work[STACK], work[ORDER], work[DEGREE]
    parent[start], next_way[start], order[count], stack[0] = -1, 0, start, start
    count += 1
    found[start], low[start] = count, count
    depth = 1
    while depth > 0:
        cell = stack[depth - 1]
        side = next_way[cell]
        if side == degree[cell]:
            depth -= 1
            if depth > 0:
                low[parent[cell]] = min(low[parent[cell]], low[cell])
            continue
        next_way[cell] = side + 1
        to = ways[5 * cell + side]
        if found[to] == 0:
            parent[to], next_way[to], order[count], stack[depth] = cell, 0, to, to
            count += 1
            depth += 1
            found[to], low[to] = count, count
        elif found[to] > 0 and to != parent[cell]:
            low[cell] = min(low[cell], found[to])
    return count


@kernel()
def begins_block(work: Ints, cell: int) -> bool:
    """Whether a cell that is no root is the first of a block."""
    return bool(work[LOW, cell] >= work[FOUND, work[PARENT, cell]])


@kernel()
def is_bridge(work: Ints, cell: int) -> bool:
    """Whether the way from a cell to its parent is a block of its own."""
    return bool(work[LOW, cell] > work[FOUND, work[PARENT, cell]])


@kernel()
def find_tops(work: Ints, count: int) -> None:
    """Fill TOP for the cells found."""
    for at in range(count):
        cell = work[ORDER, at]
        if work[PARENT, cell] < 0:
            work[TOP, cell] = -1
        else:
            work[TOP, cell] = cell if begins_block(work, cell) else work[TOP, work[PARENT, cell]]
