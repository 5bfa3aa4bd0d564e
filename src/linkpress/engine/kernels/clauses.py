"""A small clause-learning search, compiled: are these clauses satisfiable?

Source:
    Een and Sorensson, "An extensible SAT-solver", SAT 2003: two watched literals, first unique
    implication point, variable activities; Luby restarts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkpress.engine.kernels.compile import kernel

Ints = NDArray[np.int32]
Bytes = NDArray[np.int8]

UNSATISFIABLE, SATISFIED, GAVE_UP = 0, 1, 2

_RESTART = 40
_DECAY = 1.0 / 0.94
_HUGE = 1e100


class Clauses(NamedTuple):
    """Clauses in one arena: size, two links of the watch lists, then the literals."""

    arena: Ints
    head: Ints  # by literal: the first clause that watches it, times two, plus which watch
    value: Bytes  # by literal: 1 true, -1 false, 0 open
    level: Ints
    reason: Ints
    trail: Ints
    marks: Ints  # begin of each level on the trail
    count: Ints  # 0 arena used, 1 trail length, 2 queue head, 3 levels, 4 heap size, 5 refuted
    activity: NDArray[np.float64]
    heap: Ints
    place: Ints  # by variable: its position in the heap, or -1
    phase: Bytes
    seen: Bytes
    learnt: Ints
    step: NDArray[np.float64]


@kernel()
def enqueue(s: Clauses, lit: int, reason: int) -> None:
    s.value[lit] = 1
    s.value[lit ^ 1] = -1
    s.level[lit >> 1] = s.count[3]
    s.reason[lit >> 1] = reason
    s.trail[s.count[1]] = lit
    s.count[1] += 1


@kernel()
def _attach(arena: Ints, head: Ints, clause: int) -> None:
    for which in range(2):
        lit = arena[clause + 3 + which]
        arena[clause + 1 + which] = head[lit]
        head[lit] = clause * 2 + which


@kernel()
def add_clause(s: Clauses, lits: Ints, size: int) -> bool:
    """Add a clause at level 0; False when the clauses contradict each other."""
    kept = 0
    clause = s.count[0]
    for at in range(size):
        value = s.value[lits[at]]
        if value == 1:
            return True
        if value == 0:
            s.arena[clause + 3 + kept] = lits[at]
            kept += 1
    if kept == 0:
        s.count[5] = 1
        return False
    if kept == 1:
        enqueue(s, s.arena[clause + 3], -1)
        return True
    s.arena[clause] = kept
    s.count[0] = clause + 3 + kept
    _attach(s.arena, s.head, clause)
    return True


@kernel()
def _propagate(s: Clauses) -> int:
    """Draw all conclusions; the clause that fails, or -1."""
    arena, head, value = s.arena, s.head, s.value
    level, reasons, trail = s.level, s.reason, s.trail
    tail, at, depth = s.count[1], s.count[2], s.count[3]
    conflict = -1
    while at < tail and conflict < 0:
        false = trail[at] ^ 1
        at += 1
        slot = -1
        watch = head[false]
        while watch >= 0:
            clause = watch >> 1
            which = watch & 1
            here = clause + 1 + which
            following = arena[here]
            other = arena[clause + 4 - which]
            if value[other] == 1:
                slot = here
                watch = following
                continue
            found = False
            for spot in range(clause + 5, clause + 3 + arena[clause]):
                lit = arena[spot]
                if value[lit] != -1:
                    arena[spot] = false
                    arena[clause + 3 + which] = lit
                    arena[here] = head[lit]
                    head[lit] = watch
                    found = True
                    break
            if found:
                if slot < 0:
                    head[false] = following
                else:
                    arena[slot] = following
                watch = following
                continue
            if value[other] == -1:
                conflict = clause
                break
            value[other] = 1
            value[other ^ 1] = -1
            level[other >> 1] = depth
            reasons[other >> 1] = clause
            trail[tail] = other
            tail += 1
            slot = here
            watch = following
    s.count[1] = tail
    s.count[2] = at
    return conflict


@kernel()
def _sift_up(heap: Ints, place: Ints, activity: NDArray[np.float64], at: int) -> None:
    var = heap[at]
    mine = activity[var]
    while at > 0:
        above = (at - 1) >> 1
        if activity[heap[above]] >= mine:
            break
        heap[at] = heap[above]
        place[heap[at]] = at
        at = above
    heap[at] = var
    place[var] = at


@kernel()
def _sift_down(heap: Ints, place: Ints, activity: NDArray[np.float64], at: int, size: int) -> None:
    var = heap[at]
    mine = activity[var]
    while 2 * at + 1 < size:
        child = 2 * at + 1
        if child + 1 < size and activity[heap[child + 1]] > activity[heap[child]]:
            child += 1
        if activity[heap[child]] <= mine:
            break
        heap[at] = heap[child]
        place[heap[at]] = at
        at = child
    heap[at] = var
    place[var] = at


@kernel()
def _put_back(s: Clauses, var: int) -> None:
    if s.place[var] < 0:
        size = s.count[4]
        s.heap[size] = var
        s.place[var] = size
        s.count[4] = size + 1
        _sift_up(s.heap, s.place, s.activity, size)


@kernel()
def go_back(s: Clauses, depth: int, edges: int) -> None:
    if s.count[3] <= depth:
        return
    begin = s.marks[depth]
    for at in range(s.count[1] - 1, begin - 1, -1):
        lit = s.trail[at]
        s.value[lit] = 0
        s.value[lit ^ 1] = 0
        var = lit >> 1
        if var < edges:
            s.phase[var] = 1 - (lit & 1)
            _put_back(s, var)
    s.count[1] = begin
    s.count[2] = begin
    s.count[3] = depth


@kernel()
def _bump(s: Clauses, var: int, edges: int) -> None:
    if var >= edges:
        return
    s.activity[var] += s.step[0]
    if s.activity[var] > _HUGE:
        for at in range(edges):
            s.activity[at] /= _HUGE
        s.step[0] /= _HUGE
    if s.place[var] >= 0:
        _sift_up(s.heap, s.place, s.activity, s.place[var])


@kernel()
def _analyse(s: Clauses, conflict: int, edges: int) -> int:
    """Learn the first unique implication point; the literals into ``learnt``, their number back."""
    learnt, seen = s.learnt, s.seen
    size, pending, at, clause, lit = 1, 0, s.count[1] - 1, conflict, -1
    while True:
        for spot in range(clause + 3, clause + 3 + s.arena[clause]):
            other = s.arena[spot]
            var = other >> 1
            if other == lit or seen[var] or s.level[var] == 0:
                continue
            seen[var] = 1
            _bump(s, var, edges)
            if s.level[var] == s.count[3]:
                pending += 1
            else:
                learnt[size] = other
                size += 1
        while not seen[s.trail[at] >> 1]:
            at -= 1
        lit = s.trail[at]
        at -= 1
        seen[lit >> 1] = 0
        pending -= 1
        if pending == 0:
            break
        clause = s.reason[lit >> 1]
    learnt[0] = lit ^ 1
    return _shorten(s, size)


@kernel()
def _shorten(s: Clauses, size: int) -> int:
    """Drop the literals that the others imply in one step; put the deepest second."""
    learnt, seen = s.learnt, s.seen
    kept = 1
    dropped = s.learnt.size
    for at in range(1, size):
        lit = learnt[at]
        reason = s.reason[lit >> 1]
        needed = reason < 0
        if not needed:
            for spot in range(reason + 3, reason + 3 + s.arena[reason]):
                var = s.arena[spot] >> 1
                if var != lit >> 1 and not seen[var] and s.level[var] > 0:
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
    for at in range(dropped, learnt.size):
        seen[learnt[at] >> 1] = 0
    for at in range(2, kept):
        if s.level[learnt[at] >> 1] > s.level[learnt[1] >> 1]:
            learnt[1], learnt[at] = learnt[at], learnt[1]
    return kept


@kernel()
def _decide(s: Clauses) -> int:
    """The open edge with most activity, in its last value; -1 when none is open."""
    while s.count[4] > 0:
        var = s.heap[0]
        size = s.count[4] - 1
        s.count[4] = size
        s.place[var] = -1
        if size > 0:
            s.heap[0] = s.heap[size]
            s.place[s.heap[0]] = 0
            _sift_down(s.heap, s.place, s.activity, 0, size)
        if s.value[2 * var] == 0:
            return int(2 * var + 1 - s.phase[var])
    return -1


@kernel()
def _luby(at: int) -> int:
    size = 1
    while size < at + 1:
        size = 2 * size + 1
    while size - 1 != at:
        size = (size - 1) >> 1
        at = at % size
    return (size + 1) >> 1


@kernel()
def _learn(s: Clauses, conflict: int, edges: int) -> bool:
    """Learn from a conflict and go back; False when the arena is full."""
    size = _analyse(s, conflict, edges)
    s.step[0] *= _DECAY
    if size == 1:
        go_back(s, 0, edges)
        enqueue(s, s.learnt[0], -1)
        return True
    clause = s.count[0]
    if clause + 3 + size > s.arena.size:
        return False
    go_back(s, s.level[s.learnt[1] >> 1], edges)
    s.arena[clause] = size
    for at in range(size):
        s.arena[clause + 3 + at] = s.learnt[at]
    s.count[0] = clause + 3 + size
    _attach(s.arena, s.head, clause)
    enqueue(s, s.learnt[0], clause)
    return True


@kernel()
def search_model(s: Clauses, edges: int, budget: int, spent: int) -> tuple[int, int]:
    """Search for a model: UNSATISFIABLE, SATISFIED or GAVE_UP; and conflicts so far."""
    if s.count[5]:
        return UNSATISFIABLE, spent
    rounds = 0
    until = spent + _RESTART
    while True:
        conflict = _propagate(s)
        if conflict >= 0:
            spent += 1
            if s.count[3] == 0:
                return UNSATISFIABLE, spent
            if not _learn(s, conflict, edges):
                return GAVE_UP, spent
            continue
        if spent >= budget:
            return GAVE_UP, spent
        if spent >= until:
            rounds += 1
            until = spent + _RESTART * _luby(rounds)
            go_back(s, 0, edges)
            continue
        lit = _decide(s)
        if lit < 0:
            return SATISFIED, spent
        s.marks[s.count[3]] = s.count[1]
        s.count[3] += 1
        enqueue(s, lit, -1)


@kernel()
def new_clauses(variables: int, edges: int, arena: int) -> Clauses:
    """An empty set of clauses.

    Args:
        variables: how many; literal 2v says that variable v holds, 2v + 1 that it does not.
        edges: the first so many variables are decided upon, the others follow from them.
        arena: room for clauses, in words.
    """
    heap = np.arange(edges).astype(np.int32)
    place = np.full(variables, -1, np.int32)
    place[:edges] = heap
    count = np.zeros(6, np.int32)
    count[4] = edges
    return Clauses(
        np.empty(arena, np.int32),
        np.full(2 * variables, -1, np.int32),
        np.zeros(2 * variables, np.int8),
        np.zeros(variables, np.int32),
        np.empty(variables, np.int32),
        np.empty(variables, np.int32),
        np.empty(edges + 1, np.int32),
        count,
        np.zeros(edges, np.float64),
        heap,
        place,
        np.zeros(edges, np.int8),
        np.zeros(variables, np.int8),
        np.empty(variables + 1, np.int32),
        np.ones(1, np.float64),
    )
