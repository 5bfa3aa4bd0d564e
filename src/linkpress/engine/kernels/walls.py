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
    CANDIDATES,
    CHAIN,
    EFFORT,
    FINDINGS,
    HEAD,
    HELD,
    IMPLIED,
    MEMBER,
    SETTLED,
    SILENT,
    TRAIL,
    apply_findings,
    forget_findings,
)
from linkpress.engine.kernels.gaps import find_gaps
from linkpress.engine.kernels.marks import copy_marks, count_open, mark_of
from linkpress.engine.kernels.reach import find_cut_off
from linkpress.engine.kernels.sides import mark_near
from linkpress.engine.kernels.what_ifs import (
    NO_LIMIT,
    UNCOUNTED,
    place_of,
    propose_held,
    take_up,
    what_of,
)

Cells = NDArray[np.int16]
Ints = NDArray[np.int32]

# Lengths of gaps looked at: none but components and cut-offs, then more where that finds nothing.
GAP_STAGES = (0, 2, 3)
# Suppositions followed on × open edges, after which a board is left unfinished: of 200 boards of
# 10 × 10 with 8 to 12 pairs it changed no grade; one of 40 × 40 with several fillings took 48 s
# without it, 7 s with it.
MOST_EFFORT = 2_000_000


@kernel()
def find_walled_in(
    around: Cells, marks: Cells, pairs: Cells, cols: int, spare: Cells, work: Ints, trails: Ints
) -> None:
    """Open edges one of whose values can't be, followed by the techniques that do not suppose.

    ``suppose_all`` was called with no limit before, and the marks are as they were then.
    """
    forget_findings(work)
    if work[HEAD, EFFORT] > MOST_EFFORT:
        return
    work[SILENT, : work[HEAD, CANDIDATES]] = 0
    held = 0
    for longest in GAP_STAGES:
        held = _try_strongest(around, marks, pairs, cols, spare, work, trails, longest)
        if held > 0:
            break
    forget_findings(work)
    for at in range(held):
        propose_held(work, at)


@kernel()
def _try_strongest(
    around: Cells,
    marks: Cells,
    pairs: Cells,
    cols: int,
    spare: Cells,
    work: Ints,
    trails: Ints,
    longest: int,
) -> int:
    """Hold against each of the strongest suppositions that fails; how many."""
    held = 0
    edges = count_open(marks)
    for at in range(work[HEAD, CANDIDATES]):
        value = work[CANDIDATE, at]
        if work[IMPLIED, place_of(value)] != at + 1:
            continue
        work[HEAD, EFFORT] += edges
        take_up(around, marks, spare, work, trails, at)
        same = work[HEAD, SETTLED]
        for member in range(same):
            work[MEMBER, member] = work[TRAIL, member]
        rounds = follow_on(around, marks, spare, pairs, cols, work, longest, work[SILENT, at])
        if rounds == 0:
            work[SILENT, at] = longest + 1
        if rounds >= 0:
            continue
        for member in range(same):
            if _implies(around, marks, spare, work, work[MEMBER, member], value):
                work[HELD, held], work[CHAIN, held] = -work[MEMBER, member], UNCOUNTED
                held += 1
    return held


@kernel()
def follow_on(
    around: Cells, marks: Cells, spare: Cells, pairs: Cells, cols: int, work: Ints, longest: int, silent: int
) -> int:
    """Follow a supposition on, by the lowest technique that says anything and does not suppose.

    Args:
        around: the board.
        marks: what was known before it was supposed.
        spare: what followed from it; changed.
        pairs: [pairs, 2], the endpoints.
        cols: of the board.
        work: scratch.
        longest: the longest gaps to be looked at.
        silent: 0, or 1 more than the ``longest`` with which nothing was found before.
    Returns:
        How often anything was found; -1 when that ended in a contradiction.
    """
    work[HEAD, BY_COLOUR] = 1
    rounds = 0
    while True:
        forget_findings(work)
        if silent == 0 and not find_cut_off(around, spare, pairs, work):
            return -1
        if longest > 0 and work[HEAD, FINDINGS] == 0:
            mark_near(marks, spare, cols, work)
        if work[HEAD, FINDINGS] == 0 and not find_gaps(around, spare, cols, max(1, silent), longest, work):
            return -1
        if work[HEAD, FINDINGS] == 0:
            return rounds
        if not apply_findings(around, spare, work) or settle(around, spare, work, NO_LIMIT) < 0:
            return -1
        rounds += 1
        silent = 0


@kernel()
def _implies(around: Cells, marks: Cells, spare: Cells, work: Ints, value: int, other: int) -> bool:
    """Whether one value follows from another by the first two techniques."""
    copy_marks(marks, spare)
    suppose(around, spare, work, what_of(value), abs(value) - 1, NO_LIMIT)
    return mark_of(spare, abs(other) - 1) == what_of(other)
