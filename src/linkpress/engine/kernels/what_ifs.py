"""The techniques that suppose: settle an open edge one way, follow it, and see whether it can be."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkpress.engine.kernels.compile import kernel
from linkpress.engine.kernels.exits import suppose
from linkpress.engine.kernels.findings import (
    CHAIN,
    HEAD,
    HELD,
    IMPLIED,
    SETTLED,
    TRAIL,
    forget_findings,
    propose,
)
from linkpress.engine.kernels.marks import DRAWN, OPEN, RULED_OUT, mark_of

Cells = NDArray[np.int16]
Ints = NDArray[np.int32]

REFUTED = 20
NO_LIMIT = 1_000_000
UNCOUNTED = -1  # the cause of a finding whose chain's rounds nobody counted


@kernel()
def find_what_ifs(around: Cells, marks: Cells, spare: Cells, work: Ints, limit: int) -> None:
    """Open edges one of whose values ends in a contradiction within so many rounds.

    Without a limit a supposition is passed over when it followed from one that held: following
    is monotone, so it holds as well.
    """
    held = 0
    work[IMPLIED] = 0
    for edge in range(2 * around.shape[0]):
        if mark_of(marks, edge) != OPEN:
            continue
        for what in range(DRAWN, RULED_OUT + 1):
            if work[IMPLIED, 2 * edge + what - 1] != 0:
                continue
            spare[:] = marks
            rounds = suppose(around, spare, work, what, edge, limit)
            if rounds < 0:
                work[HELD, held] = -edge - 1 if what == DRAWN else edge + 1
                work[CHAIN, held] = 0 if rounds == -1000 else -rounds
                held += 1
            elif limit == NO_LIMIT:
                note_implied(work, 1)
    propose_held(work, held)


@kernel()
def note_implied(work: Ints, stamp: int) -> None:
    """Stamp every value on the trail as following from what was supposed."""
    for at in range(work[HEAD, SETTLED]):
        value = work[TRAIL, at]
        work[IMPLIED, 2 * (value - 1) if value > 0 else 2 * (-value - 1) + 1] = stamp


@kernel()
def propose_held(work: Ints, held: int) -> None:
    """Make findings of the values put by."""
    forget_findings(work)
    for at in range(held):
        value = work[HELD, at]
        propose(work, DRAWN if value > 0 else RULED_OUT, abs(value) - 1, REFUTED, work[CHAIN, at])
