"""The fourth technique: pockets and bottlenecks.

A gap is a chain of one to three cells with open exits, each touching the next at a side or a
corner, from a wall to the same wall. Taken away it leaves two or more sides. With *used* for the
drawn ones among the edges between a side and the gap once the board is finished:

* Colour the board like a chessboard. Inside a side every edge takes one need of a dark and one of
  a light cell, so used edges at dark cells minus used edges at light cells is the side's dark
  need minus its light need: its *tilt*.
* Every pair with a line end in the side and one beyond it must cross, unless a fragment that
  reaches across carries it; a side without any line end or such a fragment is covered by a path
  that comes in and goes out again. So there is a *least* number of used edges, at least the tilt
  and as odd or even as it.
* The gap's cells have only so much need: that of all used edges and twice that of the edges
  within the gap.

What is left over when every side gets its least is the *slack*. It bounds each side's number of
used edges, and with the tilt those at its dark and at its light cells; where a bound is met all
of them are settled. Without slack no edge within the gap is used, and where the least is the
number of pairs that cross, nobody else may.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkpress.engine.kernels.compile import kernel
from linkpress.engine.kernels.findings import FAULT_AT, HEAD, REGION, propose
from linkpress.engine.kernels.marks import (
    DOWN,
    DOWN_SIDE,
    DRAWN,
    MATE,
    NEED,
    OPEN,
    PARTNER,
    RIGHT,
    RIGHT_SIDE,
    RULED_OUT,
    edge_of,
    exit_at,
    open_end,
)

Cells = NDArray[np.int16]
Ints = NDArray[np.int32]

DARK_CROSS, LIGHT_CROSS, WITHIN_GAP, OTHERS_CROSS = 9, 10, 11, 12
# Rows of the scratch. The last ones are indexed by side, numbered as its first seed.
(_FACE, _SIDE, _QUEUE, _ROOT, _TILT, _LEAST, _CROSSING, _ENDS, _DARK, _LIGHT, _GAP) = range(
    REGION, REGION + 11
)


@kernel()
def find_gaps(around: Cells, marks: Cells, cols: int, longest: int, work: Ints) -> bool:
    """What follows from every gap of up to ``longest`` cells; False when one can't be passed."""
    cells = around.shape[0]
    work[_SIDE, :cells] = 0
    if not _balanced(around, marks, cols, work):
        return False
    work[_SIDE, :cells] = 0
    _find_faces(marks, cols, work)
    for first in range(cells):
        if marks[first, NEED] == 0:
            continue
        work[_GAP, 0] = first
        if not _judge_gap(around, marks, cols, work, 1):
            return False
        if longest >= 2 and not _longer_gaps(around, marks, cols, longest, work, first):
            return False
    return True


@kernel()
def _longer_gaps(around: Cells, marks: Cells, cols: int, longest: int, work: Ints, middle: int) -> bool:
    """Gaps of two cells that begin at a cell, and of three that have it in the middle."""
    for way in range(8):
        one = _next_cell(marks, cols, middle, way)
        if one < 0:
            continue
        if one > middle and _same_wall(work, cols, one, middle):
            work[_GAP, 0], work[_GAP, 1] = one, middle
            if not _judge_gap(around, marks, cols, work, 2):
                return False
        if longest < 3:
            continue
        for turn in range(way + 2, min(8, way + 7)):
            other = _next_cell(marks, cols, middle, turn)
            if other >= 0 and _same_wall(work, cols, one, other):
                work[_GAP, 0], work[_GAP, 1], work[_GAP, 2] = one, middle, other
                if not _judge_gap(around, marks, cols, work, 3):
                    return False
    return True


@kernel()
def _next_cell(marks: Cells, cols: int, cell: int, way: int) -> int:
    """The cell one step away, clockwise from up by eighths, if it has need; else -1."""
    right = (0, 1, 1, 1, 0, -1, -1, -1)[way]
    down = (-1, -1, 0, 1, 1, 1, 0, -1)[way]
    col = cell % cols + right
    to = cell + down * cols + right
    if col < 0 or col >= cols or to < 0 or to >= marks.shape[0] or marks[to, NEED] == 0:
        return -1
    return to


@kernel()
def _find_faces(marks: Cells, cols: int, work: Ints) -> None:
    """For each corner of a square the wall that it lies on, -1 for none.

    A wall is a connected set of sides that no line can cross: of the board, of solids and full
    cells, and of edges that are drawn or ruled out.
    """
    rows, across = marks.shape[0] // cols, cols + 1
    for corner in range((rows + 1) * across):
        work[_FACE, corner] = -1
    for row in range(rows + 1):
        for col in range(cols + 1):
            corner = row * across + col
            if col < cols and (row in (0, rows) or marks[(row - 1) * cols + col, DOWN] != OPEN):
                _unite(work, corner, corner + 1)
            if row < rows and (col in (0, cols) or marks[row * cols + col - 1, RIGHT] != OPEN):
                _unite(work, corner, corner + across)
    for corner in range((rows + 1) * across):
        if work[_FACE, corner] >= 0:
            work[_FACE, corner] = _root(work, _FACE, corner)


@kernel()
def _root(work: Ints, row: int, item: int) -> int:
    while work[row, item] != item:
        work[row, item] = work[row, work[row, item]]
        item = work[row, item]
    return item


@kernel()
def _unite(work: Ints, one: int, other: int) -> None:
    if work[_FACE, one] < 0:
        work[_FACE, one] = one
    if work[_FACE, other] < 0:
        work[_FACE, other] = other
    one, other = _root(work, _FACE, one), _root(work, _FACE, other)
    work[_FACE, max(one, other)] = min(one, other)


@kernel()
def _same_wall(work: Ints, cols: int, one: int, other: int) -> bool:
    """Whether two cells have corners on one wall."""
    first = one + one // cols
    second = other + other // cols
    for here in range(4):
        wall = work[_FACE, first + (here & 1) + (here >> 1) * (cols + 1)]
        if wall >= 0:
            for there in range(4):
                if wall == work[_FACE, second + (there & 1) + (there >> 1) * (cols + 1)]:
                    return True
    return False


@kernel()
def _dark(cols: int, cell: int) -> bool:
    return (cell // cols + cell % cols) % 2 == 0


@kernel()
def _balanced(around: Cells, marks: Cells, cols: int, work: Ints) -> bool:
    """Whether each region that open edges hold together has as much dark need as light."""
    for start in range(around.shape[0]):
        if marks[start, NEED] == 0 or work[_SIDE, start] != 0:
            continue
        work[_SIDE, start], work[_QUEUE, 0] = 1, start
        done, count, tilt = 0, 1, 0
        while done < count:
            cell = work[_QUEUE, done]
            done += 1
            tilt += marks[cell, NEED] if _dark(cols, cell) else -marks[cell, NEED]
            for side in range(4):
                to = exit_at(around, marks, cell, side)
                if to >= 0 and work[_SIDE, to] == 0:
                    work[_SIDE, to], work[_QUEUE, count] = 1, to
                    count += 1
        if tilt != 0:
            work[HEAD, FAULT_AT] = start
            return False
    return True


@kernel()
def _judge_gap(around: Cells, marks: Cells, cols: int, work: Ints, size: int) -> bool:
    """What one gap says; False when it can't be passed as it must."""
    seeds, count = _flood(around, marks, work, size)
    holds = True
    if seeds > 0:
        _measure_sides(around, marks, cols, work, size, seeds, count)
        holds = _settle_gap(around, marks, cols, work, size, seeds)
        if not holds:
            work[HEAD, FAULT_AT] = work[_GAP, 0]
    for at in range(count):
        work[_SIDE, work[_QUEUE, at]] = 0
    for at in range(size):
        work[_SIDE, work[_GAP, at]] = 0
    return holds


@kernel()
def _flood(around: Cells, marks: Cells, work: Ints, size: int) -> tuple[int, int]:
    """Spread from every exit of the gap at once; stop when all have met.

    Returns:
        How many exits, 0 when the gap leaves one side; how many cells the queue holds.
    """
    seeds, count = 0, 0
    for at in range(size):
        work[_SIDE, work[_GAP, at]] = -1
    for at in range(size):
        for side in range(4):
            to = exit_at(around, marks, work[_GAP, at], side)
            if to >= 0 and work[_SIDE, to] == 0:
                seeds += 1
                work[_ROOT, seeds] = seeds
                work[_SIDE, to], work[_QUEUE, count] = seeds, to
                count += 1
    apart, done = seeds, 0
    while done < count and apart > 1:
        cell = work[_QUEUE, done]
        done += 1
        for side in range(4):
            to = exit_at(around, marks, cell, side)
            if to < 0 or work[_SIDE, to] < 0:
                continue
            if work[_SIDE, to] == 0:
                work[_SIDE, to], work[_QUEUE, count] = work[_SIDE, cell], to
                count += 1
            elif work[_SIDE, to] != work[_SIDE, cell]:
                one, other = _root(work, _ROOT, work[_SIDE, to]), _root(work, _ROOT, work[_SIDE, cell])
                if one != other:
                    work[_ROOT, max(one, other)] = min(one, other)
                    apart -= 1
    return (seeds if apart > 1 else 0), count


@kernel()
def _measure_sides(
    around: Cells, marks: Cells, cols: int, work: Ints, size: int, seeds: int, count: int
) -> None:
    """Tilt, ends, crossings and edges to the gap, by side."""
    for side in range(1, seeds + 1):
        work[_TILT, side], work[_CROSSING, side], work[_ENDS, side] = 0, 0, 0
        work[_DARK, side], work[_LIGHT, side] = 0, 0
    for at in range(count):
        cell = work[_QUEUE, at]
        work[_SIDE, cell] = _root(work, _ROOT, work[_SIDE, cell])
    for at in range(count):
        cell = work[_QUEUE, at]
        side = work[_SIDE, cell]
        work[_TILT, side] += marks[cell, NEED] if _dark(cols, cell) else -marks[cell, NEED]
        beyond = _beyond(marks, cell)
        if beyond >= 0:
            work[_ENDS, side] += 1
            if work[_SIDE, beyond] != side:
                work[_CROSSING, side] += 1
        elif work[_SIDE, marks[cell, MATE]] != side:
            work[_CROSSING, side] -= 1
    for at in range(size):
        for way in range(4):
            to = exit_at(around, marks, work[_GAP, at], way)
            if to >= 0 and work[_SIDE, to] > 0:
                work[_DARK if _dark(cols, to) else _LIGHT, work[_SIDE, to]] += 1


@kernel()
def _beyond(marks: Cells, cell: int) -> int:
    """For a line end that comes from an endpoint, the other line end of the pair; else -1."""
    if marks[cell, MATE] == cell:
        endpoint = cell if marks[cell, NEED] == 1 else -1
    else:
        endpoint = marks[cell, MATE] if marks[marks[cell, MATE], NEED] == 0 else -1
    return -1 if endpoint < 0 else open_end(marks, marks[endpoint, PARTNER])


@kernel()
def _settle_gap(around: Cells, marks: Cells, cols: int, work: Ints, size: int, seeds: int) -> bool:
    slack = 0
    for at in range(size):
        slack += marks[work[_GAP, at], NEED]
    for side in range(1, seeds + 1):
        if work[_ROOT, side] == side:
            least = max(abs(work[_TILT, side]), work[_CROSSING, side])
            if least == 0 and work[_ENDS, side] == 0 and work[_CROSSING, side] == 0:
                least = 2
            least += (least ^ work[_TILT, side]) & 1
            work[_LEAST, side] = least
            slack -= least
    if slack < 0:
        return False
    for side in range(1, seeds + 1):
        if work[_ROOT, side] == side and not _settle_side(around, marks, cols, work, size, side, slack):
            return False
    if slack == 0:
        for at in range(size):
            for way in range(RIGHT_SIDE, DOWN_SIDE + 1):
                cell = work[_GAP, at]
                to = exit_at(around, marks, cell, way)
                if to >= 0 and work[_SIDE, to] < 0:
                    propose(work, RULED_OUT, edge_of(around, cell, way), WITHIN_GAP, cell)
    return True


@kernel()
def _settle_side(
    around: Cells, marks: Cells, cols: int, work: Ints, size: int, side: int, slack: int
) -> bool:
    """Settle the edges between one side and the gap where a bound is met."""
    least, tilt = work[_LEAST, side], work[_TILT, side]
    dark, light = (least + tilt) // 2, (least - tilt) // 2
    if dark > work[_DARK, side] or light > work[_LIGHT, side]:
        return False
    settled_dark = DRAWN if dark == work[_DARK, side] else (RULED_OUT if 2 * dark + slack == 0 else OPEN)
    settled_light = DRAWN if light == work[_LIGHT, side] else (RULED_OUT if 2 * light + slack == 0 else OPEN)
    reserved = slack == 0 and least == work[_CROSSING, side]
    for at in range(size):
        for way in range(4):
            gap = work[_GAP, at]
            to = exit_at(around, marks, gap, way)
            if to < 0 or work[_SIDE, to] != side:
                continue
            what = settled_dark if _dark(cols, to) else settled_light
            if what != OPEN:
                propose(
                    work, what, edge_of(around, gap, way), DARK_CROSS if _dark(cols, to) else LIGHT_CROSS, gap
                )
            elif reserved and _stays(marks, work, to, side):
                propose(work, RULED_OUT, edge_of(around, gap, way), OTHERS_CROSS, gap)
    return True


@kernel()
def _stays(marks: Cells, work: Ints, cell: int, side: int) -> bool:
    """Whether a cell is the end of a line whose pair has both line ends in the side."""
    beyond = _beyond(marks, cell)
    return beyond >= 0 and work[_SIDE, beyond] == side
