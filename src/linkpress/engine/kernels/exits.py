"""The first two techniques, and following what they say to its end."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkpress.engine.kernels.compile import kernel
from linkpress.engine.kernels.findings import (
    DIRTY,
    DIRTY_CELLS,
    FINDINGS,
    HEAD,
    SETTLED,
    apply_findings,
    forget_findings,
    propose,
)
from linkpress.engine.kernels.marks import DRAWN, EXITS, MATE, NEED, RULED_OUT, can_not_join, edge_of, exit_at

Cells = NDArray[np.int16]
Ints = NDArray[np.int32]

ALL_EXITS, CLASH, LOOP, FORK = 1, 2, 3, 4


@kernel()
def find_exits(around: Cells, marks: Cells, work: Ints) -> None:
    """Dirty cells that need every exit they have: draw them all."""
    for at in range(work[HEAD, DIRTY_CELLS]):
        cell = work[DIRTY, at]
        if marks[cell, NEED] == 0 or marks[cell, NEED] != marks[cell, EXITS]:
            continue
        for side in range(4):
            if exit_at(around, marks, cell, side) >= 0:
                propose(work, DRAWN, edge_of(around, cell, side), ALL_EXITS, cell)


@kernel()
def find_clashes(around: Cells, marks: Cells, work: Ints) -> None:
    """Exits of dirty cells that would close a loop or join two numbers, alone or as two of three."""
    for at in range(work[HEAD, DIRTY_CELLS]):
        cell = work[DIRTY, at]
        if marks[cell, NEED] == 0:
            continue
        for side in range(4):
            to = exit_at(around, marks, cell, side)
            if to >= 0 and can_not_join(marks, cell, to):
                kind = LOOP if marks[cell, MATE] == to else CLASH
                propose(work, RULED_OUT, edge_of(around, cell, side), kind, cell)
        if marks[cell, NEED] == 2 and marks[cell, EXITS] == 3:
            _find_forks(around, marks, work, cell)


@kernel()
def _find_forks(around: Cells, marks: Cells, work: Ints, cell: int) -> None:
    """Two of three exits can't both be drawn, since the cell would join what can't be joined."""
    for third in range(4):
        if exit_at(around, marks, cell, third) < 0:
            continue
        one, other = -1, -1
        for side in range(4):
            to = exit_at(around, marks, cell, side)
            if side != third and to >= 0:
                one, other = other, to
        if can_not_join(marks, one, other):
            propose(work, DRAWN, edge_of(around, cell, third), FORK, cell)


@kernel()
def settle(around: Cells, marks: Cells, work: Ints, limit: int) -> int:
    """Follow the first two techniques from the dirty cells, in rounds.

    Returns:
        The number of rounds made, at most ``limit``; below 0 when the last ended in a
        contradiction.
    """
    rounds = 0
    while rounds < limit:
        forget_findings(work)
        find_exits(around, marks, work)
        find_clashes(around, marks, work)
        if work[HEAD, FINDINGS] == 0:
            break
        rounds += 1
        if not apply_findings(around, marks, work):
            return -rounds
    return rounds


@kernel()
def suppose(around: Cells, marks: Cells, work: Ints, what: int, edge: int, limit: int) -> int:
    """Settle one edge and follow it; as ``settle``, with -1000 for a contradiction at once."""
    work[HEAD, SETTLED] = 0
    forget_findings(work)
    propose(work, what, edge, 0, 0)
    if not apply_findings(around, marks, work):
        return -1000
    return settle(around, marks, work, limit)
