"""The search itself: decide, conclude, learn, restart.

There are two orders of decisions. By activity, the edges that conflicts met lately come first: best for
fillings and for windows. In a sweep, edges are decided upon in the order of the board, row by row, and
tried as drawn first: best for the lowest drawings of a whole board, where what was learnt above says in
a few literals of the last row how the rows below may begin. Of 41 hand-made boards of 15 × 15 the middle
one takes 3,600 conflicts in a sweep and 17,000 by activity, with the same clauses. Slower, too, were the
most active of the first open edges, rows from below, diagonals, the ends of lines first, the edges down
before those to the right, and edges tried as not drawn first.

Windows and whole boards that are being made take turns in both orders and share what they learn: of 29
boards of 15 × 15 with 16 pairs the middle one took 1,050 conflicts in a sweep, 2,950 by activity and
1,800 by turns, the worst 13,500, 12,300 and 6,700. Hand-made boards lose a fifth by it.
"""

try:
    import cython
except ImportError:  # no compiler was there, so that kernels run as plain Python
    import linkpress.engine.kernels.pure_python as cython

from linkpress.engine.kernels.glossary import SearchOutcome

if not cython.compiled:
    from linkpress.engine.kernels.prover.cdcl_state import NO_REASON, Search, go_back, settle
    from linkpress.engine.kernels.prover.conflict_analysis import clear_learnt, learn
    from linkpress.engine.kernels.prover.propagation import NO_CONFLICT, propagate


EXHAUSTED = cython.declare(cython.int, SearchOutcome.EXHAUSTED.value)
FOUND = cython.declare(cython.int, SearchOutcome.FOUND.value)
GAVE_UP = cython.declare(cython.int, SearchOutcome.GAVE_UP.value)

_RESTART = cython.declare(cython.int, 40)
# A sweep begins again where it was, and lives on what it has learnt: few restarts, much is kept.
_SWEEP_RESTART = cython.declare(cython.int, 400)
# Conflicts after which the orders change turns, at the next restart.
_SWEEP_TURN = cython.declare(cython.int, 400)
_ACTIVITY_TURN = cython.declare(cython.int, 800)
_SWEEP_CLEAR_FIRST = cython.declare(cython.int, 4000)
_SWEEP_CLEAR_STEP = cython.declare(cython.int, 1000)
_SWEEP_GLUE_KEPT = cython.declare(cython.int, 5)
# Learnt clauses before the first clearing, and how many more before each next one.
_CLEAR_FIRST = cython.declare(cython.int, 2000)
_CLEAR_STEP = cython.declare(cython.int, 300)
_GLUE_KEPT = cython.declare(cython.int, 3)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_model(s: Search, budget: cython.int) -> tuple[cython.int, cython.int]:
    """Search on until every edge is settled, or ``budget`` conflicts were met.

    Args:
        s: with its clauses added, at level 0; left as found when a model is.
    Returns:
        EXHAUSTED (there is no model), FOUND or GAVE_UP; and conflicts spent.
    """
    spent, rounds = 0, 0
    pause, limit, more, glue_kept = _RESTART, _CLEAR_FIRST, _CLEAR_STEP, _GLUE_KEPT
    if s.sweeps:
        pause, limit, more = _SWEEP_RESTART, _SWEEP_CLEAR_FIRST, _SWEEP_CLEAR_STEP
        glue_kept = _SWEEP_GLUE_KEPT
    until, turn = pause, _SWEEP_TURN
    if s.refuted:
        return EXHAUSTED, 0
    _drop_settled(s)
    while True:
        conflict = propagate(s)
        if conflict != NO_CONFLICT:
            spent += 1
            if s.depth == 0:
                s.refuted = 1
                return EXHAUSTED, spent
            learn(s, conflict)
        elif spent >= budget:
            return GAVE_UP, spent
        elif spent >= until or s.used + s.longest > s.room:
            rounds += 1
            if s.turns and spent >= turn:
                s.sweeps = not s.sweeps
                turn = spent + (_SWEEP_TURN if s.sweeps else _ACTIVITY_TURN)
                pause, rounds = _SWEEP_RESTART if s.sweeps else _RESTART, 0
            until = spent + pause * _luby(rounds)
            go_back(s, 0)
            _drop_settled(s)
            if s.learnt_count > limit or s.used + s.longest > s.room:
                clear_learnt(s, glue_kept)
                limit += more
                if s.used + 2 * s.longest > s.room:
                    return GAVE_UP, spent
        else:
            chosen = _next_in_order(s) if s.sweeps else _most_active(s)
            if chosen < 0:
                return FOUND, spent
            _decide(s, chosen)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _decide(s: Search, edge: cython.int) -> cython.void:
    """Begin a level with an open edge: as drawn in a sweep, else with its last value."""
    s.begins[s.depth], s.cursors[s.depth] = s.tail, s.cursor
    s.depth += 1
    drawn: cython.bint = s.sweeps or s.phase[edge] == 1
    settle(s, 2 * edge + (0 if drawn else 1), NO_REASON)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _most_active(s: Search) -> cython.int:
    """The open edge with the highest activity, -1 when none is open."""
    value, waiting, activity = s.value, s.waiting, s.activity
    chosen = -1
    for at in range(s.open):
        var = waiting[at]
        if value[2 * var] == 0 and (chosen < 0 or activity[var] > activity[chosen]):
            chosen = var
    return chosen


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _next_in_order(s: Search) -> cython.int:
    """The first open edge in the order of the board, -1 when none is open."""
    while s.cursor < s.open:
        edge = s.waiting[s.cursor]
        if s.value[2 * edge] == 0:
            return edge
        s.cursor += 1
    return -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _drop_settled(s: Search) -> cython.void:
    """Edges settled at level 0 are no longer decided upon."""
    kept = 0
    for at in range(s.open):
        if s.value[2 * s.waiting[at]] == 0:
            s.waiting[kept] = s.waiting[at]
            kept += 1
    s.open, s.cursor = kept, 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _luby(at: cython.int) -> cython.int:
    size = 1
    while size < at + 1:
        size = 2 * size + 1
    while size - 1 != at:
        size = (size - 1) >> 1
        at = at % size
    return (size + 1) >> 1
