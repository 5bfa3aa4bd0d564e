"""The search itself: decide, conclude, learn, restart, compiled."""

from __future__ import annotations

from linkpress.engine.kernels.compile import kernel
from linkpress.engine.kernels.conflict import clear_learnt, learn
from linkpress.engine.kernels.learning import (
    DEPTH,
    LEARNT,
    OPEN,
    REFUTED,
    TRAIL,
    USED,
    Search,
    go_back,
)
from linkpress.engine.kernels.propagation import NO_CONFLICT, propagate

EXHAUSTED, FOUND, GAVE_UP = 0, 1, 2

_RESTART = 40
# Learnt clauses before the first clearing, and how many more before each next one.
_CLEAR_FIRST, _CLEAR_STEP = 2000, 300
_GLUE_KEPT = 3


@kernel()
def find_model(s: Search, budget: int) -> tuple[int, int]:
    """Search on until every edge is settled.

    Args:
        s: with its clauses added, at level 0; left as found when a model is.
        budget: conflicts allowed.
    Returns:
        EXHAUSTED (there is no model), FOUND or GAVE_UP; and conflicts spent.
    """
    spent, rounds, until, limit = 0, 0, _RESTART, _CLEAR_FIRST
    longest = s.learnt.size
    count, value, level, phase = s.counts, s.value, s.level, s.phase
    waiting, activity = s.waiting, s.activity
    if s.counts[REFUTED]:
        return EXHAUSTED, 0
    _drop_settled(s)
    while True:
        conflict = propagate(s)
        if conflict != NO_CONFLICT:
            spent += 1
            if s.counts[DEPTH] == 0:
                s.counts[REFUTED] = 1
                return EXHAUSTED, spent
            learn(s, conflict)
        elif spent >= budget:
            return GAVE_UP, spent
        elif spent >= until or s.counts[USED] + longest > s.arena.size:
            rounds += 1
            until = spent + _RESTART * _luby(rounds)
            go_back(s, 0)
            _drop_settled(s)
            if s.counts[LEARNT] > limit or s.counts[USED] + longest > s.arena.size:
                clear_learnt(s, _GLUE_KEPT)
                limit += _CLEAR_STEP
                if s.counts[USED] + 2 * longest > s.arena.size:
                    return GAVE_UP, spent
        else:
            chosen = -1
            for at in range(count[OPEN]):
                var = waiting[at]
                if value[2 * var] == 0 and (chosen < 0 or activity[var] > activity[chosen]):
                    chosen = var
            if chosen < 0:
                return FOUND, spent
            lit = 2 * chosen + 1 - phase[chosen]
            s.marks[count[DEPTH]] = count[TRAIL]
            count[DEPTH] += 1
            value[lit] = 1
            value[lit ^ 1] = -1
            level[lit >> 1] = count[DEPTH]
            s.reason[lit >> 1] = -1
            s.trail[count[TRAIL]] = lit
            count[TRAIL] += 1


@kernel()
def _drop_settled(s: Search) -> None:
    """Edges settled at level 0 are no longer decided upon."""
    kept = 0
    for at in range(s.counts[OPEN]):
        if s.value[2 * s.waiting[at]] == 0:
            s.waiting[kept] = s.waiting[at]
            kept += 1
    s.counts[OPEN] = kept


@kernel()
def _luby(at: int) -> int:
    size = 1
    while size < at + 1:
        size = 2 * size + 1
    while size - 1 != at:
        size = (size - 1) >> 1
        at = at % size
    return (size + 1) >> 1
