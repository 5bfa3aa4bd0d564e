"""The last technique: suppose, follow, and look at the walls that this would build.

Every supposition that holds when it is followed to its end by the first two techniques is
followed on by cut-offs and gaps, judged by colours, until they end in a contradiction or have
nothing to say.
Only the strongest suppositions are: one that follows from another is passed over.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkpress.engine.kernels.compile import kernel
from linkpress.engine.kernels.exits import settle, suppose
from linkpress.engine.kernels.findings import (
    BY_COLOUR,
    CANDIDATE,
    CHAIN,
    EFFORT,
    FINDINGS,
    HEAD,
    HELD,
    IMPLIED,
    MEMBER,
    SETTLED,
    TRAIL,
    apply_findings,
    forget_findings,
)
from linkpress.engine.kernels.gaps import find_gaps
from linkpress.engine.kernels.marks import DRAWN, OPEN, RULED_OUT, count_open, mark_of
from linkpress.engine.kernels.reach import find_cut_off
from linkpress.engine.kernels.sides import mark_near
from linkpress.engine.kernels.what_ifs import NO_LIMIT, UNCOUNTED, note_implied, propose_held

Cells = NDArray[np.int16]
Ints = NDArray[np.int32]

# Lengths of gaps looked at: none but components and cut-offs, then more where that finds nothing.
GAP_STAGES = (0, 2, 3)
# Suppositions followed on × open edges, after which a board is left unfinished: of 200 boards of
# 10 × 10 with 8 to 12 pairs it changed no grade; one of 40 × 40 with several fillings took 48 s
# without it, 7 s with it.
MOST_EFFORT = 2_000_000


@kernel()
def find_walled_in(around: Cells, marks: Cells, pairs: Cells, cols: int, spare: Cells, work: Ints) -> None:
    """Open edges one of whose values can't be, followed by the techniques that do not suppose."""
    forget_findings(work)
    if work[HEAD, EFFORT] > MOST_EFFORT:
        return
    count = _find_strongest(around, marks, spare, work)
    held = 0
    for longest in GAP_STAGES:
        held = _try_strongest(around, marks, pairs, cols, spare, work, count, longest)
        if held > 0:
            break
    propose_held(work, held)


@kernel()
def _try_strongest(
    around: Cells, marks: Cells, pairs: Cells, cols: int, spare: Cells, work: Ints, count: int, longest: int
) -> int:
    """Hold against each of the strongest suppositions that fails; how many."""
    held = 0
    edges = count_open(marks)
    for at in range(count):
        value = work[CANDIDATE, at]
        if work[IMPLIED, _place(value)] != at + 1:
            continue
        work[HEAD, EFFORT] += edges
        spare[:] = marks
        suppose(around, spare, work, _what(value), abs(value) - 1, NO_LIMIT)
        same = work[HEAD, SETTLED]
        work[MEMBER, :same] = work[TRAIL, :same]
        if follow_on(around, marks, spare, pairs, cols, work, longest):
            continue
        for member in range(same):
            if _implies(around, marks, spare, work, work[MEMBER, member], value):
                work[HELD, held], work[CHAIN, held] = -work[MEMBER, member], UNCOUNTED
                held += 1
    return held


@kernel()
def _what(value: int) -> int:
    return DRAWN if value > 0 else RULED_OUT


@kernel()
def _place(value: int) -> int:
    return 2 * (value - 1) if value > 0 else 2 * (-value - 1) + 1


@kernel()
def _find_strongest(around: Cells, marks: Cells, spare: Cells, work: Ints) -> int:
    """List suppositions; one whose stamp is its own place + 1 afterwards follows from no other."""
    count = 0
    work[IMPLIED] = 0
    for edge in range(2 * around.shape[0]):
        if mark_of(marks, edge) != OPEN:
            continue
        for value in (edge + 1, -edge - 1):
            if work[IMPLIED, _place(value)] == 0:
                spare[:] = marks
                work[CANDIDATE, count] = value
                count += 1
                if suppose(around, spare, work, _what(value), edge, NO_LIMIT) >= 0:
                    note_implied(work, count)
    return count


@kernel()
def follow_on(
    around: Cells, marks: Cells, spare: Cells, pairs: Cells, cols: int, work: Ints, longest: int
) -> bool:
    """Follow a supposition on, by the lowest technique that says anything and does not suppose."""
    work[HEAD, BY_COLOUR] = 1
    while True:
        forget_findings(work)
        if not find_cut_off(around, spare, pairs, work):
            return False
        if longest > 0 and work[HEAD, FINDINGS] == 0:
            mark_near(marks, spare, cols, work)
        if work[HEAD, FINDINGS] == 0 and not find_gaps(around, spare, cols, longest, work):
            return False
        if work[HEAD, FINDINGS] == 0:
            return True
        if not apply_findings(around, spare, work) or settle(around, spare, work, NO_LIMIT) < 0:
            return False


@kernel()
def _implies(around: Cells, marks: Cells, spare: Cells, work: Ints, value: int, other: int) -> bool:
    """Whether one value follows from another by the first two techniques."""
    spare[:] = marks
    suppose(around, spare, work, _what(value), abs(value) - 1, NO_LIMIT)
    return mark_of(spare, abs(other) - 1) == _what(other)
