"""What a technique found, and writing it into the marks.

A technique looks at the marks and proposes; nothing changes until ``apply_findings``, so that
what it finds does not depend on the order in which it looks.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkpress.engine.kernels.compile import kernel
from linkpress.engine.kernels.marks import (
    DRAWN,
    EXITS,
    MATE,
    NEED,
    OPEN,
    draw,
    edge_of,
    exit_at,
    far_end,
    give_number,
    mark_of,
    rule_out,
)

Ints = NDArray[np.int32]

# A finding is DRAWN or RULED_OUT with an edge, or NUMBERED with a cell, its cause the number.
NUMBERED = 3
AT_EDGE, PAIR_CUT_OFF, UNREACHED, UNFILLED = 1, 2, 3, 4


# Rows of the scratch ``work``, int32[rows, 5 × cells + 8].
(
    HEAD,  # counters, below
    WHAT,  # the findings: what
    WHERE,  # of which edge or cell
    KIND,  # why
    CAUSE,  # because of what
    SEEN,  # stamp by finding: 2 × cells edges drawn, as many ruled out, then cells
    GIVEN,  # the number last proposed for a cell
    DIRTY,  # cells whose surroundings have changed
    TOUCHED,  # stamp by cell, for DIRTY
    TRAIL,  # edge + 1 of every edge settled, automatic ones too; below 0 when ruled out
    HELD,  # findings put by while others are tried: edge + 1, below 0 when ruled out
    CHAIN,  # the length of the chain behind each
    IMPLIED,  # stamp by edge and value: 2 × edge, + 1 when ruled out
    CANDIDATE,  # suppositions, as TRAIL
    KEPT_AT,  # by candidate: where what follows from it is kept, -1 when there was no room
    KEPT_LENGTH,  # by candidate
    SILENT,  # by candidate: 0, or 1 more than the longest gaps with which nothing was found
    MEMBER,  # what follows from one of them, as TRAIL
    REGION,  # the first of the rows for searches of regions
) = range(19)
_ROWS = REGION + 27

# Counters: findings, dirty cells, settled edges, stamps for SEEN and TOUCHED, the last fault and its
# place (an edge, a pair's number in the marks, or a cell), the gap under judgement, whether gaps are
# judged by colours, what the last technique has done so far, how many cells a way has on its goal's
# and on its start's side, how many walls, candidates and refuted suppositions there are, and whether
# all has been supposed without a limit since the marks last changed.
(
    FINDINGS,
    DIRTY_CELLS,
    SETTLED,
    STAMP,
    TOUCH,
    FAULT,
    FAULT_AT,
    GAP_CODE,
    BY_COLOUR,
    EFFORT,
    GOAL_SIDE,
    START_SIDE,
    WALL_COUNT,
    CANDIDATES,
    REFUTATIONS,
    SUPPOSED,
) = range(16)


@kernel()
def new_work(cells: int) -> Ints:
    """Scratch for a board of so many cells."""
    return np.zeros((_ROWS, 5 * cells + 8), np.int32)


@kernel()
def forget_findings(work: Ints) -> None:
    """Begin a new list."""
    work[HEAD, FINDINGS] = 0
    work[HEAD, STAMP] += 1


@kernel()
def propose(work: Ints, what: int, where: int, kind: int, cause: int) -> None:
    """Add a finding, unless it is there already."""
    cells = (work.shape[1] - 8) // 5
    place = where if what == DRAWN else where + (4 if what == NUMBERED else 2) * cells
    stamp = work[HEAD, STAMP]
    if work[SEEN, place] == stamp and (what != NUMBERED or work[GIVEN, where] == cause):
        return
    work[SEEN, place] = stamp
    if what == NUMBERED:
        work[GIVEN, where] = cause
    at = work[HEAD, FINDINGS]
    work[WHAT, at], work[WHERE, at], work[KIND, at], work[CAUSE, at] = what, where, kind, cause
    work[HEAD, FINDINGS] = at + 1


@kernel()
def touch(work: Ints, cell: int) -> None:
    """Note a cell as dirty."""
    if work[TOUCHED, cell] != work[HEAD, TOUCH]:
        work[TOUCHED, cell] = work[HEAD, TOUCH]
        work[DIRTY, work[HEAD, DIRTY_CELLS]] = cell
        work[HEAD, DIRTY_CELLS] += 1


@kernel()
def touch_all(around: NDArray[np.int16], work: Ints) -> None:
    """Note every cell as dirty."""
    work[HEAD, DIRTY_CELLS] = around.shape[0]
    for cell in range(around.shape[0]):
        work[DIRTY, cell] = cell


@kernel()
def settle_edge(
    around: NDArray[np.int16], marks: NDArray[np.int16], work: Ints, what: int, edge: int
) -> bool:
    """Draw or rule out one edge; False when that contradicts what is known."""
    now = mark_of(marks, edge)
    if now == what:
        return True
    work[HEAD, FAULT], work[HEAD, FAULT_AT] = AT_EDGE, edge
    if now != OPEN:
        return False
    work[TRAIL, work[HEAD, SETTLED]] = edge + 1 if what == DRAWN else -edge - 1
    work[HEAD, SETTLED] += 1
    one, other = edge >> 1, far_end(around, edge)
    touch(work, one)
    touch(work, other)
    if what != DRAWN:
        return rule_out(around, marks, edge)
    touch(work, marks[one, MATE])
    touch(work, marks[other, MATE])
    return draw(around, marks, edge)


@kernel()
def apply_findings(around: NDArray[np.int16], marks: NDArray[np.int16], work: Ints) -> bool:
    """Write all findings into the marks, and close the exits of every cell that is now full.

    Afterwards ``dirty`` holds the cells concerned.
    Returns:
        False when they contradict what is known or each other.
    """
    work[HEAD, DIRTY_CELLS] = 0
    work[HEAD, TOUCH] += 1
    for at in range(work[HEAD, FINDINGS]):
        where = work[WHERE, at]
        if work[WHAT, at] == NUMBERED:
            touch(work, where)
            touch(work, marks[where, MATE])
            if not give_number(marks, where, work[CAUSE, at]):
                return False
        elif not settle_edge(around, marks, work, work[WHAT, at], where):
            return False
    return _close_full(around, marks, work)


@kernel()
def _close_full(around: NDArray[np.int16], marks: NDArray[np.int16], work: Ints) -> bool:
    at = 0
    while at < work[HEAD, DIRTY_CELLS]:
        cell = work[DIRTY, at]
        at += 1
        if marks[cell, NEED] > 0 or marks[cell, EXITS] == 0:
            continue
        for side in range(4):
            if exit_at(around, marks, cell, side) >= 0 and not settle_edge(
                around, marks, work, 2, edge_of(around, cell, side)
            ):
                return False
    return True
