"""Learns from a conflict: the first unique implication point, compiled."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkpress.engine.kernels.compile import kernel
from linkpress.engine.kernels.learning import (
    COLS,
    DEPTH,
    EDGES,
    HEADER,
    LEARNT,
    SHIFT,
    STAMP,
    TRAIL,
    USED,
    Search,
    go_back,
    settle,
    watch_clause,
)

Ints = NDArray[np.int32]
Bytes = NDArray[np.int8]
_HUGE = 1e100
# An old activity keeps 0.9 a conflict; 0.8 and 0.95 were a little slower at 13 × 13.
_GROW = 1 / 0.9


@kernel()
def learn(s: Search, conflict: int) -> None:
    """Learn a clause from a conflict above level 0, go back to where it concludes, conclude it."""
    size = _shorten(s, _resolve(s, conflict))
    learnt = s.learnt
    s.step[0] *= _GROW
    if size == 1:
        go_back(s, 0)
        settle(s, learnt[0], -1)
        return
    glue = _glue(s, size)
    go_back(s, s.level[learnt[1] >> 1])
    clause = s.counts[USED]
    s.arena[clause] = size
    s.arena[clause + 3] = glue
    for at in range(size):
        s.arena[clause + HEADER + at] = learnt[at]
    s.counts[USED] = clause + HEADER + size
    s.counts[LEARNT] += 1
    watch_clause(s.arena, s.head, clause)
    settle(s, learnt[0], clause)


@kernel()
def _unfold(reason: int, value: Bytes, edges: int, cols: int, shift: int, lits: Ints) -> None:
    """The three literals of an equality, as they stand: those false, or the one concluded."""
    code = -2 - reason
    edge, bit = code >> 4, code & 15
    one = edges + ((edge >> 1) << shift) + bit
    two = one + ((cols if edge & 1 else 1) << shift)
    lits[0] = 2 * edge + 1
    lits[1] = 2 * one + (value[2 * one] > 0)
    lits[2] = 2 * two + (value[2 * two] > 0)


@kernel()
def _resolve(s: Search, conflict: int) -> int:
    """The learnt clause into ``s.learnt``, the literal that it concludes first; its size."""
    learnt, seen, level, trail, arena = s.learnt, s.seen, s.level, s.trail, s.arena
    activity = s.activity
    depth, edges, cols, shift = s.counts[DEPTH], s.counts[EDGES], s.counts[COLS], s.counts[SHIFT]
    value = s.value
    buffer = np.empty(3, np.int32)
    size, pending, at, reason, concluded = 1, 0, s.counts[TRAIL] - 1, conflict, -1
    step = s.step[0]
    while True:
        lits, begin, end = buffer, 0, 3
        if reason >= 0:
            lits, begin, end = arena, reason + HEADER, reason + HEADER + arena[reason]
        else:
            _unfold(reason, value, edges, cols, shift, buffer)
        for spot in range(begin, end):
            lit = lits[spot]
            var = lit >> 1
            if var == concluded or seen[var] or level[var] == 0:
                continue
            seen[var] = 1
            if var < edges:
                activity[var] += step
            if level[var] == depth:
                pending += 1
            else:
                learnt[size] = lit
                size += 1
        while not seen[trail[at] >> 1]:
            at -= 1
        concluded = trail[at] >> 1
        seen[concluded] = 0
        pending -= 1
        if pending == 0:
            break
        reason = s.reason[concluded]
        at -= 1
    learnt[0] = trail[at] ^ 1
    if step > _HUGE:
        activity *= 1 / _HUGE
        s.step[0] /= _HUGE
    return size


@kernel()
def _shorten(s: Search, size: int) -> int:
    """Drop the literals that the others imply in one step; put the deepest second."""
    learnt, seen, level, arena, reasons, value = s.learnt, s.seen, s.level, s.arena, s.reason, s.value
    edges, cols, shift = s.counts[EDGES], s.counts[COLS], s.counts[SHIFT]
    buffer = np.empty(3, np.int32)
    kept, dropped = 1, learnt.size
    for at in range(1, size):
        lit = learnt[at]
        reason = reasons[lit >> 1]
        needed = reason == -1
        if not needed:
            lits, begin, end = buffer, 0, 3
            if reason >= 0:
                lits, begin, end = arena, reason + HEADER, reason + HEADER + arena[reason]
            else:
                _unfold(reason, value, edges, cols, shift, buffer)
            for spot in range(begin, end):
                var = lits[spot] >> 1
                if var != lit >> 1 and seen[var] == 0 and level[var] > 0:
                    needed = True
                    break
        if needed:
            learnt[kept] = lit
            kept += 1
        else:
            dropped -= 1
            learnt[dropped] = lit
    for at in range(1, kept):
        seen[learnt[at] >> 1] = 0
        if level[learnt[at] >> 1] > level[learnt[1] >> 1]:
            learnt[1], learnt[at] = learnt[at], learnt[1]
    for at in range(dropped, learnt.size):
        seen[learnt[at] >> 1] = 0
    return kept


@kernel()
def _glue(s: Search, size: int) -> int:
    """How many levels the learnt clause's literals come from."""
    s.counts[STAMP] += 1
    glue = 0
    for at in range(size):
        depth = s.level[s.learnt[at] >> 1]
        if s.stamp[depth] != s.counts[STAMP]:
            s.stamp[depth] = s.counts[STAMP]
            glue += 1
    return glue


@kernel()
def clear_learnt(s: Search, glue_kept: int) -> None:
    """Drop learnt clauses of much glue but the newest quarter, and all that hold; at level 0."""
    arena, end, to, clause, seen, kept = s.arena, s.counts[USED], 0, 0, 0, 0
    oldest = s.counts[LEARNT] - s.counts[LEARNT] // 4
    while clause < end:
        length = HEADER + arena[clause]
        glue = arena[clause + 3]
        stays = glue <= glue_kept or seen >= oldest
        for spot in range(clause + HEADER, clause + length):
            if s.value[arena[spot]] > 0:
                stays = False
        if glue > 0:
            seen += 1
            kept += stays
        if stays:
            for at in range(length):
                arena[to + at] = arena[clause + at]
            to += length
        clause += length
    s.counts[USED], s.counts[LEARNT] = to, kept
    _watch_all(s)


@kernel()
def _watch_all(s: Search) -> None:
    """Watch every clause anew, by two literals that are not false; at level 0."""
    arena, head, value = s.arena, s.head, s.value
    head[:] = -1
    clause = 0
    while clause < s.counts[USED]:
        begin, free = clause + HEADER, 0
        for at in range(arena[clause]):
            if free < 2 and value[arena[begin + at]] >= 0:
                arena[begin + at], arena[begin + free] = arena[begin + free], arena[begin + at]
                free += 1
        watch_clause(arena, head, clause)
        clause = begin + arena[clause]
