"""The techniques that suppose: settle an open edge one way, follow it, and see whether it can be.

What followed from each supposition that holds is kept in ``trails``, int32, one after the other,
as far as there is room: the last technique takes it up again.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkpress.engine.kernels.compile import kernel
from linkpress.engine.kernels.exits import suppose
from linkpress.engine.kernels.findings import (
    CANDIDATE,
    CANDIDATES,
    CHAIN,
    HEAD,
    HELD,
    IMPLIED,
    KEPT_AT,
    KEPT_LENGTH,
    REFUTATIONS,
    SETTLED,
    TRAIL,
    forget_findings,
    propose,
)
from linkpress.engine.kernels.marks import DRAWN, OPEN, RULED_OUT, copy_marks, draw, mark_of, rule_out

Cells = NDArray[np.int16]
Ints = NDArray[np.int32]

REFUTED = 20
NO_LIMIT = 1_000_000
UNCOUNTED = -1  # the cause of a finding whose chain's rounds nobody counted
_KEPT_BY_CELL = 128


@kernel()
def new_trails(cells: int) -> Ints:
    """Room for what follows from the suppositions on a board of so many cells."""
    return np.empty(_KEPT_BY_CELL * cells, np.int32)


@kernel()
def suppose_all(around: Cells, marks: Cells, spare: Cells, work: Ints, trails: Ints, limit: int) -> None:
    """Suppose both values of every open edge; put those by that end in a contradiction.

    Without a limit a supposition is passed over when it followed from one that held. Those
    followed are listed as candidates; one whose stamp is its own place + 1 afterwards follows
    from no other.
    """
    count, refuted, kept = 0, 0, 0
    work[IMPLIED] = 0
    for edge in range(2 * around.shape[0]):
        if mark_of(marks, edge) != OPEN:
            continue
        for value in (edge + 1, -edge - 1):
            if work[IMPLIED, place_of(value)] != 0:
                continue
            copy_marks(marks, spare)
            rounds = suppose(around, spare, work, what_of(value), edge, limit)
            work[CANDIDATE, count] = value
            count += 1
            if rounds < 0:
                work[HELD, refuted] = -value
                work[CHAIN, refuted] = 0 if rounds == -1000 else -rounds
                refuted += 1
            elif limit == NO_LIMIT:
                _note_implied(work, count)
                kept = _keep_trail(work, trails, count - 1, kept)
    work[HEAD, CANDIDATES], work[HEAD, REFUTATIONS] = count, refuted


@kernel()
def what_of(value: int) -> int:
    """Whether a supposition, written as in the trail, draws its edge or rules it out."""
    return DRAWN if value > 0 else RULED_OUT


@kernel()
def place_of(value: int) -> int:
    """The place of a supposition in the row ``IMPLIED``."""
    return 2 * (value - 1) if value > 0 else 2 * (-value - 1) + 1


@kernel()
def _note_implied(work: Ints, stamp: int) -> None:
    """Stamp every value on the trail as following from what was supposed."""
    for at in range(work[HEAD, SETTLED]):
        work[IMPLIED, place_of(work[TRAIL, at])] = stamp


@kernel()
def _keep_trail(work: Ints, trails: Ints, candidate: int, kept: int) -> int:
    length = work[HEAD, SETTLED]
    work[KEPT_AT, candidate], work[KEPT_LENGTH, candidate] = kept, length
    if kept + length > trails.size:
        work[KEPT_AT, candidate] = -1
        return kept
    for at in range(length):
        trails[kept + at] = work[TRAIL, at]
    return kept + length  # type: ignore[no-any-return]


@kernel()
def take_up(around: Cells, marks: Cells, spare: Cells, work: Ints, trails: Ints, candidate: int) -> None:
    """Put the marks that follow from a candidate that holds into ``spare``, and its trail back."""
    value, begin = work[CANDIDATE, candidate], work[KEPT_AT, candidate]
    copy_marks(marks, spare)
    if begin < 0:
        suppose(around, spare, work, what_of(value), abs(value) - 1, NO_LIMIT)
        return
    length = work[KEPT_LENGTH, candidate]
    work[HEAD, SETTLED] = length
    for at in range(length):
        settled = trails[begin + at]
        work[TRAIL, at] = settled
        if settled > 0:
            draw(around, spare, settled - 1)
        else:
            rule_out(around, spare, -settled - 1)


@kernel()
def propose_refuted(work: Ints) -> None:
    """Make findings of all suppositions refuted."""
    forget_findings(work)
    for at in range(work[HEAD, REFUTATIONS]):
        propose_held(work, at)


@kernel()
def propose_held(work: Ints, at: int) -> None:
    """Make a finding of one value put by."""
    value = work[HELD, at]
    propose(work, what_of(value), abs(value) - 1, REFUTED, work[CHAIN, at])
