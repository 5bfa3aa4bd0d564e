"""The sides of a gap: which cells lie on which, and what has to pass.

The search spreads from all exits of the gap at once and ends when they have met, or when only one
side is not yet exhausted. What that last side holds follows from the totals of its component, so
a gap costs as much as the smaller sides do.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkpress.engine.kernels.compile import kernel
from linkpress.engine.kernels.findings import FAULT, FAULT_AT, HEAD, REGION, UNFILLED
from linkpress.engine.kernels.marks import DOWN, EXITS, MATE, NEED, NUMBER, OPEN, PARTNER, RIGHT, open_end

Cells = NDArray[np.int16]
Ints = NDArray[np.int32]

# Rows of the scratch, and what they are indexed by.
(
    FACE,  # corner: the wall it lies on, -1 for none
    SIDE,  # cell: its side of the gap, -1 in the gap, 0 not looked at
    QUEUE,  # the cells looked at
    COMPONENT,  # cell: the component of open edges it lies in, from 1
    NET,  # component: line ends whose partner is in another, less fragments that reach another
    ENDS_IN,  # component: line ends of endpoints
    GAP,  # the gap's cells
    ROOT,  # side: the side it was united with
    PENDING,  # side: cells not yet spread from
    TILT,  # side
    CROSSING,  # side
    ENDS,  # side
    DARK,  # side: edges from the gap to its dark cells
    LIGHT,  # side
    LEAST,  # side
    NEAR,  # cell: not 0 when gaps with it are to be judged
    NEARBY,  # cell: not 0 when it or a cell around it is NEAR
    DARKNESS,  # cell: 1 for dark on the chessboard, else 0
    OPEN_SIDES,  # cell: the sides with open edges, as bits
    WALL_BIT,  # corner that stands for a wall: the wall's bit
    WALLS,  # cell: the bits of the walls that its corners lie on
    BESIDE,  # way: the next cell that way
) = range(REGION, REGION + 22)


@kernel()
def mark_near(before: Cells, marks: Cells, cols: int, work: Ints) -> None:
    """Mark the cells at and around those of which more is known than before.

    Drawing inside a side changes neither its tilt nor, but for joins with fragments that reach
    across, its crossings: a gap far from every change mostly says what it said before.
    """
    cells = marks.shape[0]
    rows = cells // cols
    work[NEAR, :cells] = 0
    work[NEARBY, :cells] = 0
    for row in range(rows):
        for col in range(cols):
            cell = row * cols + col
            same = before[cell, EXITS] == marks[cell, EXITS] and before[cell, NUMBER] == marks[cell, NUMBER]
            if same and before[cell, MATE] == marks[cell, MATE]:
                continue
            for near_row in range(max(0, row - 2), min(rows, row + 3)):
                for near_col in range(max(0, col - 2), min(cols, col + 3)):
                    near = near_row * cols + near_col
                    work[NEARBY, near] = 1
                    if abs(near_row - row) < 2 and abs(near_col - col) < 2:
                        work[NEAR, near] = 1


@kernel()
def find_root(work: Ints, row: int, item: int) -> int:
    """The item that stands for all those united with one."""
    while work[row, item] != item:
        work[row, item] = work[row, work[row, item]]
        item = work[row, item]
    return item


@kernel()
def line_beyond(marks: Cells, cell: int) -> int:
    """For the line end of an endpoint, where the other line of its pair ends; else -1."""
    endpoint = marks[cell, MATE]
    if endpoint == cell:
        if marks[cell, NEED] == 2:
            return -1
    elif marks[endpoint, NEED] > 0:
        return -1
    return open_end(marks, marks[endpoint, PARTNER])


@kernel()
def find_components(marks: Cells, cols: int, work: Ints) -> bool:
    """Number the components of open edges; False when one has more dark need than light or less.

    A component's number is its first cell's. Fills DARKNESS and OPEN_SIDES on the way.
    """
    cells = marks.shape[0]
    _unite_open(marks, cols, work)
    for cell in range(cells):
        root = work[COMPONENT, work[COMPONENT, cell]]
        work[COMPONENT, cell] = root
        work[TILT, root] += marks[cell, NEED] if work[DARKNESS, cell] else -marks[cell, NEED]
    for cell in range(cells):
        if work[TILT, cell] != 0:
            work[HEAD, FAULT], work[HEAD, FAULT_AT] = UNFILLED, cell
            return False
    for cell in range(cells):
        if marks[cell, NEED] > 0:
            component = work[COMPONENT, cell]
            beyond = line_beyond(marks, cell)
            if beyond >= 0:
                work[ENDS_IN, component] += 1
                work[NET, component] += work[COMPONENT, beyond] != component
            else:
                work[NET, component] -= work[COMPONENT, marks[cell, MATE]] != component
    return True


@kernel()
def _unite_open(marks: Cells, cols: int, work: Ints) -> None:
    cells = marks.shape[0]
    for row in (SIDE, OPEN_SIDES, TILT, NET, ENDS_IN):
        work[row, :cells] = 0
    for cell in range(cells):
        work[COMPONENT, cell] = cell
    for row in range(cells // cols):
        for col in range(cols):
            cell = row * cols + col
            work[DARKNESS, cell] = (row + col + 1) & 1
            if marks[cell, RIGHT] == OPEN:
                work[OPEN_SIDES, cell] |= 4
                work[OPEN_SIDES, cell + 1] |= 2
                _unite_components(work, cell, cell + 1)
            if marks[cell, DOWN] == OPEN:
                work[OPEN_SIDES, cell] |= 8
                work[OPEN_SIDES, cell + cols] |= 1
                _unite_components(work, cell, cell + cols)


@kernel()
def _unite_components(work: Ints, one: int, other: int) -> None:
    one, other = find_root(work, COMPONENT, one), find_root(work, COMPONENT, other)
    work[COMPONENT, max(one, other)] = min(one, other)


@kernel()
def neighbour(cols: int, cell: int, side: int) -> int:
    """The cell on one side: up, left, right, down."""
    step = cols if side & 1 == side >> 1 else 1
    return cell + step if side >= 2 else cell - step


@kernel()
def spread(cols: int, work: Ints, size: int) -> tuple[int, int]:
    """Find the sides of a gap. Cells of a side that is not exhausted are given side 0.

    Returns:
        How many exits the gap has, 0 when it leaves one side; how many cells the queue holds.
    """
    seeds, count = 0, 0
    for at in range(size):
        work[SIDE, work[GAP, at]] = -1
    for at in range(size):
        cell = work[GAP, at]
        for way in range(4):
            if work[OPEN_SIDES, cell] >> way & 1 == 0:
                continue
            to = neighbour(cols, cell, way)
            if work[SIDE, to] == 0:
                seeds += 1
                work[ROOT, seeds], work[PENDING, seeds] = seeds, 1
                work[SIDE, to], work[QUEUE, count] = seeds, to
                count += 1
    apart, alive, done = seeds, seeds, 0
    while alive > 1:
        cell = work[QUEUE, done]
        done += 1
        own = find_root(work, ROOT, work[SIDE, cell])
        for way in range(4):
            if work[OPEN_SIDES, cell] >> way & 1 == 0:
                continue
            to = neighbour(cols, cell, way)
            if work[SIDE, to] < 0:
                continue
            if work[SIDE, to] == 0:
                work[SIDE, to], work[QUEUE, count] = own, to
                work[PENDING, own] += 1
                count += 1
                continue
            other = find_root(work, ROOT, work[SIDE, to])
            if other != own:
                work[ROOT, other] = own
                work[PENDING, own] += work[PENDING, other]
                apart -= 1
                alive -= 1
        work[PENDING, own] -= 1
        if work[PENDING, own] == 0:
            alive -= 1
    return (seeds if apart > 1 else 0), count


@kernel()
def measure_sides(marks: Cells, cols: int, work: Ints, size: int, seeds: int, count: int) -> None:
    """Tilt, ends, crossings and edges to the gap, by side; side 0 is the one not exhausted."""
    component = work[COMPONENT, work[GAP, 0]]
    for side in range(seeds + 1):
        work[TILT, side], work[CROSSING, side], work[ENDS, side] = 0, 0, 0
        work[DARK, side], work[LIGHT, side] = 0, 0
    work[CROSSING, 0], work[ENDS, 0] = work[NET, component], work[ENDS_IN, component]
    for at in range(count):
        cell = work[QUEUE, at]
        side = find_root(work, ROOT, work[SIDE, cell])
        work[SIDE, cell] = side if work[PENDING, side] == 0 else 0
    for at in range(count):
        if work[SIDE, work[QUEUE, at]] > 0:
            _count_cell(marks, work, work[QUEUE, at], component)
    for at in range(size):
        cell = work[GAP, at]
        _count_cell(marks, work, cell, component)
        for way in range(4):
            if work[OPEN_SIDES, cell] >> way & 1:
                to = neighbour(cols, cell, way)
                if work[SIDE, to] >= 0:
                    work[DARK if work[DARKNESS, to] else LIGHT, work[SIDE, to]] += 1


@kernel()
def _count_cell(marks: Cells, work: Ints, cell: int, component: int) -> None:
    """Count a cell for its side, if it has one, and out of side 0."""
    side = work[SIDE, cell]
    tilt = marks[cell, NEED] if work[DARKNESS, cell] else -marks[cell, NEED]
    to = line_beyond(marks, cell)
    crosses = 1
    if to < 0:
        to, crosses = marks[cell, MATE], -1
    else:
        work[ENDS, 0] -= 1
        if side > 0:
            work[ENDS, side] += 1
    work[TILT, 0] -= tilt
    if work[COMPONENT, to] != component:
        work[CROSSING, 0] -= crosses
    elif work[SIDE, to] == 0:
        work[CROSSING, 0] += crosses
    if side > 0:
        work[TILT, side] += tilt
        if work[SIDE, to] != side:
            work[CROSSING, side] += crosses
