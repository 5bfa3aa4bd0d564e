"""Two techniques: pockets and bottlenecks, and the same with the squares counted by colours.

A gap is a chain of one to three cells with open exits, each touching the next at a side or a
corner, from a wall to the same wall. Taken away it leaves two or more sides. With *used* for the
drawn ones among the edges between a side and the gap once the board is finished:

* Every pair with a line end in the side and one beyond it must cross, unless a fragment that
  reaches across carries it; a side without any line end or such a fragment is covered by a path
  that comes in and goes out again. So there is a *least* number of used edges. Every edge inside
  the side takes two of its need, so their number is as odd or even as that need.
* Colour the board like a chessboard. Inside a side every edge takes one need of a dark and one of
  a light cell, so used edges at dark cells minus used edges at light cells is the side's dark
  need minus its light need: its *tilt*. By colours the least is at least the tilt.
* The gap's cells have only so much need: that of all used edges and twice that of the edges
  within the gap.

What is left over when every side gets its least is the *slack*. It bounds each side's number of
used edges, and by colours those at its dark and at its light cells; where a bound is met all of
them are settled. Without slack no edge within the gap is used, and where the least is the number
of pairs that cross, nobody else may.

Findings name their gap: 100 × its middle (or only) cell + 10 × the way to the second cell + the way
to the third, ways counted clockwise from up by eighths, 1 to 8, 0 for none.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkpress.engine.kernels.compile import kernel
from linkpress.engine.kernels.findings import (
    BY_COLOUR,
    FAULT,
    FAULT_AT,
    GAP_CODE,
    HEAD,
    UNFILLED,
    WALL_COUNT,
    propose,
)
from linkpress.engine.kernels.marks import (
    DOWN,
    DOWN_SIDE,
    DRAWN,
    NEED,
    OPEN,
    RIGHT,
    RIGHT_SIDE,
    RULED_OUT,
    edge_of,
    exit_at,
)
from linkpress.engine.kernels.sides import (
    BESIDE,
    COMPONENT,
    CROSSING,
    DARK,
    DARKNESS,
    ENDS,
    FACE,
    GAP,
    LEAST,
    LIGHT,
    NEAR,
    NEARBY,
    QUEUE,
    SIDE,
    TILT,
    WALL_BIT,
    WALLS,
    find_components,
    find_root,
    line_beyond,
    measure_sides,
    spread,
)

Cells = NDArray[np.int16]
Ints = NDArray[np.int32]

LONGEST_GAP = 3
_BITS = 31  # of a word of the scratch that tell walls apart
BY_TILT, WITHIN_GAP, OTHERS_CROSS, BY_ROOM = 9, 10, 11, 12


@kernel()
def find_gaps(around: Cells, marks: Cells, cols: int, shortest: int, longest: int, work: Ints) -> bool:
    """What follows from every gap of so many cells; False when one can't be passed.

    With ``longest`` 0 only whether each component can be filled. Gaps are passed over whose cells
    are all 0 in the row ``NEAR``; squares are counted by colours where the counter ``BY_COLOUR`` is 1.
    """
    if not find_components(marks, cols, work):
        return False
    if longest == 0:
        return True
    _find_faces(marks, cols, work)
    for first in range(around.shape[0]):
        if marks[first, NEED] == 0 or work[NEARBY, first] == 0:
            continue
        work[GAP, 0] = first
        work[HEAD, GAP_CODE] = 100 * first
        if shortest < 2 and work[NEAR, first] != 0 and not _judge_gap(around, marks, cols, work, 1):
            return False
        if longest >= 2:
            _look_beside(marks, cols, work, first)
            for way in range(8):
                if work[BESIDE, way] >= 0 and not _longer_gaps(
                    around, marks, cols, shortest, longest, work, first, way
                ):
                    return False
    return True


@kernel()
def _longer_gaps(
    around: Cells, marks: Cells, cols: int, shortest: int, longest: int, work: Ints, middle: int, way: int
) -> bool:
    """Gaps of two cells that begin at a cell, and of three that have it in the middle."""
    one = work[BESIDE, way]
    near = work[NEAR, middle] + work[NEAR, one]
    if shortest < 3 and one > middle and near > 0 and _same_wall(work, cols, one, middle):
        work[GAP, 0], work[GAP, 1] = one, middle
        work[HEAD, GAP_CODE] = 100 * middle + 10 * (way + 1)
        if not _judge_gap(around, marks, cols, work, 2):
            return False
    if longest < 3:
        return True
    for turn in range(way + 2, min(8, way + 7)):
        other = work[BESIDE, turn]
        if other >= 0 and near + work[NEAR, other] > 0 and _same_wall(work, cols, one, other):
            work[GAP, 0], work[GAP, 1], work[GAP, 2] = one, middle, other
            work[HEAD, GAP_CODE] = 100 * middle + 10 * (way + 1) + turn + 1
            if not _judge_gap(around, marks, cols, work, 3):
                return False
    return True


@kernel()
def _look_beside(marks: Cells, cols: int, work: Ints, cell: int) -> None:
    """The cells of the same component around one, clockwise from up; -1 where there is none."""
    row, col = cell // cols, cell % cols
    last_row, last_col = marks.shape[0] // cols - 1, cols - 1
    component = work[COMPONENT, cell]
    for way in range(8):
        right = (0, 1, 1, 1, 0, -1, -1, -1)[way]
        down = (-1, -1, 0, 1, 1, 1, 0, -1)[way]
        work[BESIDE, way] = -1
        if 0 <= row + down <= last_row and 0 <= col + right <= last_col:
            to = cell + down * cols + right
            if work[COMPONENT, to] == component and marks[to, NEED] > 0:
                work[BESIDE, way] = to


@kernel()
def _find_faces(marks: Cells, cols: int, work: Ints) -> None:
    """For each corner of a square the wall that it lies on, -1 for none.

    A wall is a connected set of sides that no line can cross: of the board, of solids and full
    cells, and of edges that are drawn or ruled out.
    """
    rows, across = marks.shape[0] // cols, cols + 1
    for corner in range((rows + 1) * across):
        work[FACE, corner] = -1
    for row in range(rows + 1):
        for col in range(cols + 1):
            corner = row * across + col
            if col < cols and (row in (0, rows) or marks[(row - 1) * cols + col, DOWN] != OPEN):
                _unite(work, corner, corner + 1)
            if row < rows and (col in (0, cols) or marks[row * cols + col - 1, RIGHT] != OPEN):
                _unite(work, corner, corner + across)
    walls = 0
    for corner in range((rows + 1) * across):
        if work[FACE, corner] == corner:
            work[WALL_BIT, corner] = 1 << walls % _BITS
            walls += 1
        elif work[FACE, corner] >= 0:
            work[FACE, corner] = work[FACE, work[FACE, corner]]
    work[HEAD, WALL_COUNT] = walls
    for cell in range(marks.shape[0]):
        corner, bits = cell + cell // cols, 0
        for at in (corner, corner + 1, corner + across, corner + across + 1):
            if work[FACE, at] >= 0:
                bits |= work[WALL_BIT, work[FACE, at]]
        work[WALLS, cell] = bits


@kernel()
def _unite(work: Ints, one: int, other: int) -> None:
    if work[FACE, one] < 0:
        work[FACE, one] = one
    if work[FACE, other] < 0:
        work[FACE, other] = other
    one, other = find_root(work, FACE, one), find_root(work, FACE, other)
    work[FACE, max(one, other)] = min(one, other)


@kernel()
def _same_wall(work: Ints, cols: int, one: int, other: int) -> bool:
    """Whether two cells have corners on one wall."""
    if work[WALLS, one] & work[WALLS, other] == 0 or work[HEAD, WALL_COUNT] <= _BITS:
        return bool(work[WALLS, one] & work[WALLS, other])
    first = one + one // cols
    second = other + other // cols
    for here in range(4):
        wall = work[FACE, first + (here & 1) + (here >> 1) * (cols + 1)]
        if wall >= 0:
            for there in range(4):
                if wall == work[FACE, second + (there & 1) + (there >> 1) * (cols + 1)]:
                    return True
    return False


@kernel()
def _judge_gap(around: Cells, marks: Cells, cols: int, work: Ints, size: int) -> bool:
    """What one gap says; False when it can't be passed as it must."""
    seeds, count = spread(cols, work, size)
    holds = True
    if seeds > 0:
        measure_sides(marks, cols, work, size, seeds, count)
        holds = _settle_gap(around, marks, cols, work, size, seeds)
        if not holds:
            work[HEAD, FAULT], work[HEAD, FAULT_AT] = UNFILLED, work[GAP, 0]
    for at in range(count):
        work[SIDE, work[QUEUE, at]] = 0
    for at in range(size):
        work[SIDE, work[GAP, at]] = 0
    return holds


@kernel()
def _settle_gap(around: Cells, marks: Cells, cols: int, work: Ints, size: int, seeds: int) -> bool:
    slack = 0
    for at in range(size):
        slack += marks[work[GAP, at], NEED]
    for side in range(seeds + 1):
        if _stands(work, side):
            tilt = abs(work[TILT, side]) if work[HEAD, BY_COLOUR] else 0
            least = max(tilt, work[CROSSING, side])
            if least == 0 and work[ENDS, side] == 0 and work[CROSSING, side] == 0:
                least = 2
            least += (least ^ work[TILT, side]) & 1
            work[LEAST, side] = least
            slack -= least
    if slack < 0:
        return False
    for side in range(seeds + 1):
        if _stands(work, side) and not _settle_side(around, marks, cols, work, size, side, slack):
            return False
    if slack == 0:
        for at in range(size):
            for way in range(RIGHT_SIDE, DOWN_SIDE + 1):
                cell = work[GAP, at]
                to = exit_at(around, marks, cell, way)
                if to >= 0 and work[SIDE, to] < 0:
                    propose(work, RULED_OUT, edge_of(around, cell, way), WITHIN_GAP, work[HEAD, GAP_CODE])
    return True


@kernel()
def _settle_side(
    around: Cells, marks: Cells, cols: int, work: Ints, size: int, side: int, slack: int
) -> bool:
    """Settle the edges between one side and the gap where a bound is met."""
    least = work[LEAST, side]
    settled_dark = settled_light = _settled_by_room(work, side, slack)
    if work[HEAD, BY_COLOUR]:
        settled_dark, settled_light = _settled_by_tilt(work, side, slack)
    if settled_dark < 0 or settled_light < 0:
        return False
    kind = BY_TILT if work[HEAD, BY_COLOUR] else BY_ROOM
    reserved = slack == 0 and least == work[CROSSING, side]
    if settled_dark == OPEN and settled_light == OPEN and not reserved:
        return True
    for at in range(size):
        for way in range(4):
            gap = work[GAP, at]
            to = exit_at(around, marks, gap, way)
            if to < 0 or work[SIDE, to] != side:
                continue
            what = settled_dark if work[DARKNESS, to] != 0 else settled_light
            if what != OPEN:
                propose(work, what, edge_of(around, gap, way), kind, work[HEAD, GAP_CODE])
            elif reserved and _stays(marks, work, to, side):
                propose(work, RULED_OUT, edge_of(around, gap, way), OTHERS_CROSS, work[HEAD, GAP_CODE])
    return True


@kernel()
def _settled_by_room(work: Ints, side: int, slack: int) -> int:
    """What all edges between a side and the gap are; -1 when there are too few."""
    return _settled(work[LEAST, side], work[DARK, side] + work[LIGHT, side], slack)


@kernel()
def _settled_by_tilt(work: Ints, side: int, slack: int) -> tuple[int, int]:
    """The same of those at dark cells and of those at light cells."""
    dark = (work[LEAST, side] + work[TILT, side]) // 2
    light = (work[LEAST, side] - work[TILT, side]) // 2
    return _settled(2 * dark, 2 * work[DARK, side], slack), _settled(2 * light, 2 * work[LIGHT, side], slack)


@kernel()
def _settled(least: int, room: int, slack: int) -> int:
    if least > room:
        return -1
    if least == room:
        return DRAWN
    return RULED_OUT if least + slack == 0 else OPEN


@kernel()
def _stays(marks: Cells, work: Ints, cell: int, side: int) -> bool:
    """Whether a cell is the end of a line whose pair has both line ends in the side."""
    beyond = line_beyond(marks, cell)
    if beyond < 0 or work[SIDE, beyond] != side:
        return False
    return bool(work[COMPONENT, beyond] == work[COMPONENT, cell])


@kernel()
def _stands(work: Ints, side: int) -> bool:
    """Whether a number stands for a side: the gap has edges to it, and it is nobody else's."""
    return bool(work[DARK, side] + work[LIGHT, side] > 0)
