"""The third technique: where can each pair's path still run?

For each unjoined pair a depth-first search runs from one line end over open edges and the
fragments that are free or carry its number. Its low points give the blocks of that graph; a path
from end to end visits only the blocks between the two, passes every cell where two of them meet,
and uses every edge that is a block of its own. What is in no pair's blocks nobody could reach
and leave again.

Source:
    Hopcroft and Tarjan, "Efficient algorithms for graph manipulation", 1973, for the blocks.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkpress.engine.kernels.compile import kernel
from linkpress.engine.kernels.findings import (
    FAULT,
    FAULT_AT,
    HEAD,
    NUMBERED,
    PAIR_CUT_OFF,
    REGION,
    UNREACHED,
    propose,
)
from linkpress.engine.kernels.marks import (
    DOWN_SIDE,
    DRAWN,
    MATE,
    NEED,
    NUMBER,
    OPEN,
    RIGHT,
    RIGHT_SIDE,
    RULED_OUT,
    edge_of,
    exit_at,
    open_end,
)

Cells = NDArray[np.int16]
Ints = NDArray[np.int32]

CUT_OFF, MUST_PASS, NOBODY_USES, ONLY_ONE_REACHES = 5, 6, 7, 8
# The rows after _NEXT, five in all: where a path can go on from a cell, -1 after the last.
_FOUND, _LOW, _PARENT, _SIDE, _ORDER, _STACK, _TOP, _BETWEEN, _COUNT, _LAST, _USED, _NEXT = range(
    REGION, REGION + 12
)


@kernel()
def find_cut_off(around: Cells, marks: Cells, pairs: Cells, work: Ints) -> bool:
    """What follows from where each pair's path can run; False when a pair or a cell is cut off."""
    work[_FOUND, : around.shape[0]] = 0
    work[_BETWEEN, : around.shape[0]] = 0
    work[_COUNT, : around.shape[0]] = 0
    work[_USED, : 2 * around.shape[0]] = 0
    _list_ways(around, marks, work)
    for pair in range(pairs.shape[0]):
        start, goal = open_end(marks, pairs[pair, 0]), open_end(marks, pairs[pair, 1])
        if start < 0:
            continue
        number = pairs[pair, 0] + 1
        count = _search(marks, work, start, number)
        if work[_FOUND, goal] == 0:
            work[HEAD, FAULT], work[HEAD, FAULT_AT] = PAIR_CUT_OFF, number
            return False
        _find_tops(work, count)
        _find_passage(around, marks, work, start, goal, number)
        _spread(around, marks, work, count, number)
        for at in range(count):
            work[_FOUND, work[_ORDER, at]] = 0
            work[_BETWEEN, work[_ORDER, at]] = 0
    return _find_unreached(around, marks, work)


@kernel()
def _list_ways(around: Cells, marks: Cells, work: Ints) -> None:
    """Where a path can go on from each cell with need: over open edges, and along its fragment."""
    for cell in range(around.shape[0]):
        if marks[cell, NEED] == 0:
            continue
        count = 0
        for side in range(5):
            to = marks[cell, MATE] if side == 4 else exit_at(around, marks, cell, side)
            if to >= 0 and to != cell and marks[to, NEED] > 0:
                work[_NEXT + count, cell] = to
                count += 1
        if count < 5:
            work[_NEXT + count, cell] = -1


@kernel()
def _search(marks: Cells, work: Ints, start: int, number: int) -> int:
    """Depth-first from one line end: order of discovery, parents and low points."""
    _discover(work, start, -1, 0)
    count, depth = 1, 1
    work[_STACK, 0] = start
    while depth > 0:
        cell = work[_STACK, depth - 1]
        to = work[_NEXT + work[_SIDE, cell], cell] if work[_SIDE, cell] < 5 else -1
        work[_SIDE, cell] += 1
        if to < 0:
            depth -= 1
            if depth > 0:
                parent = work[_PARENT, cell]
                work[_LOW, parent] = min(work[_LOW, parent], work[_LOW, cell])
        elif work[_FOUND, to] != 0:
            if to != work[_PARENT, cell]:
                work[_LOW, cell] = min(work[_LOW, cell], work[_FOUND, to])
        elif marks[to, NUMBER] == 0 or marks[to, NUMBER] == number:
            _discover(work, to, cell, count)
            work[_STACK, depth] = to
            depth += 1
            count += 1
    return count


@kernel()
def _discover(work: Ints, cell: int, parent: int, count: int) -> None:
    work[_FOUND, cell] = count + 1
    work[_LOW, cell] = count + 1
    work[_PARENT, cell] = parent
    work[_SIDE, cell] = 0
    work[_ORDER, count] = cell


@kernel()
def _find_tops(work: Ints, count: int) -> None:
    """For each cell the first cell of the block that its edge to its parent lies in."""
    for at in range(1, count):
        cell = work[_ORDER, at]
        parent = work[_PARENT, cell]
        begins = work[_LOW, cell] >= work[_FOUND, parent]
        work[_TOP, cell] = cell if begins else work[_TOP, parent]
    work[_TOP, work[_ORDER, 0]] = work[_ORDER, 0]
    work[_BETWEEN, work[_ORDER, 0]] = 1


@kernel()
def _find_passage(around: Cells, marks: Cells, work: Ints, start: int, goal: int, number: int) -> None:
    """Mark the blocks between the two ends; cells and edges that the path can't avoid."""
    cell = goal
    while cell != start:
        work[_BETWEEN, work[_TOP, cell]] = 1
        parent = work[_PARENT, cell]
        if work[_LOW, cell] >= work[_FOUND, parent]:
            if marks[parent, NUMBER] == 0:
                _number(marks, work, parent, number, MUST_PASS)
            if work[_LOW, cell] > work[_FOUND, parent] and marks[cell, MATE] != parent:
                for side in range(4):
                    if around[parent, side] == cell:
                        propose(work, DRAWN, edge_of(around, parent, side), CUT_OFF, number)
        cell = parent


@kernel()
def _number(marks: Cells, work: Ints, cell: int, number: int, kind: int) -> None:
    propose(work, NUMBERED, min(cell, marks[cell, MATE]), kind, number)


@kernel()
def _spread(around: Cells, marks: Cells, work: Ints, count: int, number: int) -> None:
    """Count one more pair for the cells and edges in its blocks."""
    for at in range(count):
        cell = work[_ORDER, at]
        if work[_BETWEEN, work[_TOP, cell]] == 0:
            continue
        mate = marks[cell, MATE]
        if marks[mate, NEED] == 0 or _between(work, mate):
            work[_COUNT, cell] += 1
            work[_LAST, cell] = number
        for side in range(RIGHT_SIDE, DOWN_SIDE + 1):
            to = around[cell, side]
            if to >= 0 and _between(work, to):
                work[_USED, edge_of(around, cell, side)] = 1


@kernel()
def _between(work: Ints, cell: int) -> bool:
    return bool(work[_FOUND, cell] != 0 and work[_BETWEEN, work[_TOP, cell]] != 0)


@kernel()
def _find_unreached(around: Cells, marks: Cells, work: Ints) -> bool:
    for cell in range(around.shape[0]):
        if marks[cell, NEED] == 0:
            continue
        if work[_COUNT, cell] == 0:
            work[HEAD, FAULT], work[HEAD, FAULT_AT] = UNREACHED, cell
            return False
        if marks[cell, NUMBER] == 0 and work[_COUNT, cell] == 1:
            _number(marks, work, cell, work[_LAST, cell], ONLY_ONE_REACHES)
        for down in range(2):
            edge = 2 * cell + down
            if marks[cell, RIGHT + down] == OPEN and work[_USED, edge] == 0:
                propose(work, RULED_OUT, edge, NOBODY_USES, cell)
    return True
