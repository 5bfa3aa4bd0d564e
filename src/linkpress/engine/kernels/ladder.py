"""Climbing the ladder: in each round every finding of the lowest rung that has any."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkpress.engine.kernels.compile import kernel
from linkpress.engine.kernels.exits import find_clashes, find_exits, suppose
from linkpress.engine.kernels.findings import (
    BY_COLOUR,
    CAUSE,
    FAULT,
    FAULT_AT,
    FINDINGS,
    HEAD,
    KIND,
    SETTLED,
    SUPPOSED,
    WHAT,
    WHERE,
    apply_findings,
    forget_findings,
    new_work,
    propose,
    touch_all,
)
from linkpress.engine.kernels.gaps import LONGEST_GAP, find_gaps
from linkpress.engine.kernels.marks import count_open, width_of
from linkpress.engine.kernels.reach import find_cut_off
from linkpress.engine.kernels.sides import NEAR, NEARBY, mark_near
from linkpress.engine.kernels.walls import GAP_STAGES, find_walled_in, follow_on
from linkpress.engine.kernels.what_ifs import NO_LIMIT, new_trails, propose_refuted, suppose_all

Cells = NDArray[np.int16]
Ints = NDArray[np.int32]

(
    EXITS_RUNG,
    CLASH_RUNG,
    CUT_OFF_RUNG,
    LOOK_AHEAD_RUNG,
    GAP_RUNG,
    WHAT_IF_RUNG,
    BALANCE_RUNG,
    CHAIN_RUNG,
    LONG_CHAIN_RUNG,
    WALLS_RUNG,
) = range(1, 11)
FINISHED, STUCK, CONTRADICTED = 0, 1, 2
# Rounds that a supposition is followed, by technique.
ONE_ROUND, SHORT_CHAIN, MIDDLE_CHAIN = 1, 3, 8


@kernel("UniTuple(int64, 3)(int16[:,::1], int16[:,::1], int16[:,::1], int64, int32[:,::1], int32[:,::1])")
def climb(
    around: Cells, marks: Cells, pairs: Cells, highest: int, rounds: Ints, log: Ints
) -> tuple[int, int, int]:
    """Settle what the rungs up to ``highest`` settle.

    Args:
        around: the board.
        marks: what is known; changed.
        pairs: [pairs, 2], the endpoints.
        highest: the last rung that may be used.
        rounds: [3 × cells or more, 4], to be filled: rung, findings, open edges before, end in ``log``.
        log: [8 × cells + 8 or more, 4], to be filled: each finding's what, where, kind and cause.
    Returns:
        ``FINISHED``, ``STUCK`` or ``CONTRADICTED``; how many rounds; how many findings.
    """
    work = new_work(around.shape[0])
    spare, judged = marks.copy(), np.full((2 * marks.shape[0], marks.shape[1]), -1, np.int16)
    trails = new_trails(around.shape[0])
    made, logged = 0, 0
    while True:
        edges = count_open(marks)
        if edges == 0:
            return FINISHED, made, logged
        rung = find_lowest(around, marks, pairs, spare, judged, trails, highest, work)
        if rung <= 0:
            return (STUCK if rung == 0 else CONTRADICTED), made, logged
        for at in range(work[HEAD, FINDINGS]):
            _write_log(work, at, log, logged)
            logged += 1
        rounds[made, 0], rounds[made, 1] = rung, work[HEAD, FINDINGS]
        rounds[made, 2], rounds[made, 3] = edges, logged
        made += 1
        work[HEAD, SETTLED] = 0
        if not apply_findings(around, marks, work):
            return CONTRADICTED, made, logged


@kernel()
def find_lowest(
    around: Cells,
    marks: Cells,
    pairs: Cells,
    spare: Cells,
    judged: Cells,
    trails: Ints,
    highest: int,
    work: Ints,
) -> int:
    """Find everything that the lowest rung with findings has.

    ``judged`` keeps the marks as they were when gaps were last judged, first plainly and then by
    colours: they are judged again near what has changed since, and all of them where that finds
    nothing, since a change far away can add to what must pass a gap.

    Returns:
        The rung; 0 when none up to ``highest`` has any, -1 when the board has no filling.
    """
    work[HEAD, SUPPOSED] = 0
    for rung in range(1, highest + 1):
        if not _find(around, marks, pairs, spare, judged, trails, rung, work):
            return -1
        if work[HEAD, FINDINGS] > 0:
            return rung
    return 0


@kernel()
def _find(
    around: Cells,
    marks: Cells,
    pairs: Cells,
    spare: Cells,
    judged: Cells,
    trails: Ints,
    rung: int,
    work: Ints,
) -> bool:
    forget_findings(work)
    touch_all(around, work)
    if rung == EXITS_RUNG:
        find_exits(around, marks, work)
    elif rung == CLASH_RUNG:
        find_clashes(around, marks, work)
    elif rung == CUT_OFF_RUNG:
        return find_cut_off(around, marks, pairs, work)
    elif rung == LOOK_AHEAD_RUNG:
        _find_refuted(around, marks, spare, trails, ONE_ROUND, work)
    elif rung == GAP_RUNG:
        return _judge_gaps(around, marks, judged[: marks.shape[0]], 0, work)
    elif rung == WHAT_IF_RUNG:
        _find_refuted(around, marks, spare, trails, SHORT_CHAIN, work)
    elif rung == BALANCE_RUNG:
        return _judge_gaps(around, marks, judged[marks.shape[0] :], 1, work)
    elif rung == CHAIN_RUNG:
        _find_refuted(around, marks, spare, trails, MIDDLE_CHAIN, work)
    elif rung == LONG_CHAIN_RUNG:
        _find_refuted(around, marks, spare, trails, NO_LIMIT, work)
    elif rung == WALLS_RUNG:
        _suppose_freely(around, marks, spare, trails, work)
        find_walled_in(around, marks, pairs, width_of(around), spare, work, trails)
    return True


@kernel()
def _find_refuted(around: Cells, marks: Cells, spare: Cells, trails: Ints, limit: int, work: Ints) -> None:
    if limit == NO_LIMIT:
        _suppose_freely(around, marks, spare, trails, work)
    else:
        suppose_all(around, marks, spare, work, trails, limit)
    propose_refuted(work)


@kernel()
def _suppose_freely(around: Cells, marks: Cells, spare: Cells, trails: Ints, work: Ints) -> None:
    """Follow all suppositions to their ends, once for the two techniques that rest on it."""
    if work[HEAD, SUPPOSED] == 0:
        suppose_all(around, marks, spare, work, trails, NO_LIMIT)
        work[HEAD, SUPPOSED] = 1


@kernel()
def _judge_gaps(around: Cells, marks: Cells, judged: Cells, by_colour: int, work: Ints) -> bool:
    """Judge the gaps near what has changed since ``judged``, or all where those say nothing."""
    work[HEAD, BY_COLOUR] = by_colour
    mark_near(judged, marks, width_of(around), work)
    judged[:] = marks
    if not find_gaps(around, marks, width_of(around), 1, LONGEST_GAP, work):
        return False
    if work[HEAD, FINDINGS] > 0:
        return True
    work[NEAR, : marks.shape[0]] = 1
    work[NEARBY, : marks.shape[0]] = 1
    return bool(find_gaps(around, marks, width_of(around), 1, LONGEST_GAP, work))


@kernel("int64(int16[:,::1], int16[:,::1], int16[:,::1], int64, int32[:,::1])")
def find_on_rung(around: Cells, marks: Cells, pairs: Cells, rung: int, log: Ints) -> int:
    """Find everything that one rung has to say of a board as it stands.

    Args:
        around: the board.
        marks: what is known; left as it is.
        pairs: [pairs, 2], the endpoints.
        rung: the rung.
        log: to be filled, as by ``climb``.
    Returns:
        How many findings; -1 when the board has no filling.
    """
    work = new_work(around.shape[0])
    spare, judged = marks.copy(), np.full((2 * marks.shape[0], marks.shape[1]), -1, np.int16)
    trails = new_trails(around.shape[0])
    if not _find(around, marks, pairs, spare, judged, trails, rung, work):
        return -1
    for at in range(work[HEAD, FINDINGS]):
        _write_log(work, at, log, at)
    return work[HEAD, FINDINGS]  # type: ignore[no-any-return]


@kernel()
def _write_log(work: Ints, at: int, log: Ints, place: int) -> None:
    log[place, 0], log[place, 1] = work[WHAT, at], work[WHERE, at]
    log[place, 2], log[place, 3] = work[KIND, at], work[CAUSE, at]


@kernel("boolean(int16[:,::1], int16[:,::1], int32[:,::1], int64, int64)")
def apply_logged(around: Cells, marks: Cells, log: Ints, begin: int, end: int) -> bool:
    """Write findings ``begin`` up to ``end`` of a log into the marks, as one round of ``climb`` does.

    Args:
        around: the board.
        marks: as before the round; changed.
        log: as ``climb`` fills it.
        begin: the round's first finding.
        end: one past its last.
    Returns:
        False when they contradict each other.
    """
    work = new_work(around.shape[0])
    forget_findings(work)
    for at in range(begin, end):
        propose(work, log[at, 0], log[at, 1], log[at, 2], log[at, 3])
    return apply_findings(around, marks, work)


@kernel("UniTuple(int64, 2)(int16[:,::1], int16[:,::1], int16[:,::1], int64, int64)")
def follow(around: Cells, marks: Cells, pairs: Cells, what: int, edge: int) -> tuple[int, int]:
    """Suppose one edge settled and follow it; ``marks`` is left at the contradiction.

    Args:
        around: the board.
        marks: changed.
        pairs: [pairs, 2], the endpoints.
        what: ``DRAWN`` or ``RULED_OUT``.
        edge: an open edge.
    Returns:
        The fault that it leads to, 0 for none, and its place; ``findings`` names them.
    """
    work = new_work(around.shape[0])
    before = marks.copy()
    holds = suppose(around, marks, work, what, edge, NO_LIMIT) >= 0
    for longest in GAP_STAGES:
        if holds:
            holds = follow_on(around, before, marks, pairs, width_of(around), work, longest, 0) >= 0
    return (0 if holds else work[HEAD, FAULT]), work[HEAD, FAULT_AT]
