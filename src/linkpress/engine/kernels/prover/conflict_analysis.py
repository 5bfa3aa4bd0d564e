"""Learns from a conflict: the first unique implication point."""

try:
    import cython
except ImportError:  # no compiler was there, so that kernels run as plain Python
    import linkpress.engine.kernels.pure_python as cython

if not cython.compiled:
    from linkpress.engine.kernels.memory import Ints
    from linkpress.engine.kernels.prover.cdcl_state import (
        GLUE,
        HEADER,
        NO_REASON,
        Search,
        bit_of_equality,
        edge_of_equality,
        go_back,
        settle,
        watch_clause,
    )


_HUGE = cython.declare(cython.double, 1e100)
# An old activity keeps 0.9 a conflict; 0.8 and 0.95 were a little slower at 13 × 13.
_GROW = cython.declare(cython.double, 1 / 0.9)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def learn(s: Search, conflict: cython.int) -> cython.void:
    """Learn a clause from a conflict above level 0, go back to where it concludes, conclude it."""
    size = _shorten(s, _resolve(s, conflict))
    learnt = s.learnt
    s.step *= _GROW
    if size == 1:
        go_back(s, 0)
        settle(s, learnt[0], NO_REASON)
        return
    glue = _glue(s, size)
    go_back(s, s.level[learnt[1] >> 1])
    clause = s.used
    s.arena[clause] = size
    s.arena[clause + GLUE] = glue
    for at in range(size):
        s.arena[clause + HEADER + at] = learnt[at]
    s.used = clause + HEADER + size
    s.learnt_count += 1
    watch_clause(s, clause)
    settle(s, learnt[0], clause)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _unfold(s: Search, reason: cython.int, lits: Ints) -> cython.void:
    """The three literals of an equality, as they stand: those false, or the one concluded."""
    edge, bit = edge_of_equality(reason), bit_of_equality(reason)
    one = s.edges + ((edge >> 1) << s.shift) + bit
    two = one + ((s.cols if edge & 1 else 1) << s.shift)
    lits[0] = 2 * edge + 1
    lits[1] = 2 * one + (s.value[2 * one] > 0)
    lits[2] = 2 * two + (s.value[2 * two] > 0)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _resolve(s: Search, conflict: cython.int) -> cython.int:
    """Replace conclusions of the present level by their reasons until one of that level is left.

    Returns:
        The size of the learnt clause; it stands in ``s.learnt``, the literal that it concludes first.
    """
    size, at, reason, concluded = 1, s.tail - 1, conflict, -1
    s.pending = 0
    while True:
        lits, begin, end = s.scratch, 0, 3
        if reason >= 0:
            lits, begin, end = s.arena, reason + HEADER, reason + HEADER + s.arena[reason]
        else:
            _unfold(s, reason, lits)
        for spot in range(begin, end):
            if lits[spot] >> 1 != concluded:
                size = _note(s, lits[spot], size)
        while not s.seen[s.trail[at] >> 1]:
            at -= 1
        concluded = s.trail[at] >> 1
        s.seen[concluded] = 0
        s.pending -= 1
        if s.pending == 0:
            break
        reason = s.reason[concluded]
        at -= 1
    s.learnt[0] = s.trail[at] ^ 1
    if s.step > _HUGE:
        _scale_activities(s)
    return size


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _note(s: Search, lit: cython.int, size: cython.int) -> cython.int:
    """Take a reason's literal up: to be resolved at the present level, into the learnt clause below it.

    ``size`` is that of the learnt clause; it is returned as it is then.
    """
    var = lit >> 1
    if s.seen[var] or s.level[var] == 0:
        return size
    s.seen[var] = 1
    if var < s.edges:
        s.activity[var] += s.step
    if s.level[var] == s.depth:
        s.pending += 1
        return size
    s.learnt[size] = lit
    return size + 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _scale_activities(s: Search) -> cython.void:
    """Make all activities small again, in the same order."""
    for edge in range(s.edges):
        s.activity[edge] *= 1 / _HUGE
    s.step /= _HUGE


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _shorten(s: Search, size: cython.int) -> cython.int:
    """Drop the literals that the others imply in one step; put the deepest second."""
    learnt, seen, level = s.learnt, s.seen, s.level
    kept, dropped = 1, s.longest
    for at in range(1, size):
        lit = learnt[at]
        reason = s.reason[lit >> 1]
        needed: cython.bint = reason == NO_REASON
        if not needed:
            lits, begin, end = s.scratch, 0, 3
            if reason >= 0:
                lits, begin, end = (
                    s.arena,
                    reason + HEADER,
                    reason + HEADER + s.arena[reason],
                )
            else:
                _unfold(s, reason, lits)
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
    for at in range(dropped, s.longest):
        seen[learnt[at] >> 1] = 0
    return kept


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _glue(s: Search, size: cython.int) -> cython.int:
    """How many levels the learnt clause's literals come from."""
    s.last_stamp += 1
    glue = 0
    for at in range(size):
        depth = s.level[s.learnt[at] >> 1]
        if s.stamp[depth] != s.last_stamp:
            s.stamp[depth] = s.last_stamp
            glue += 1
    return glue


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def clear_learnt(s: Search, glue_kept: cython.int) -> cython.void:
    """Drop learnt clauses of much glue but the newest quarter, and all that hold; at level 0."""
    arena, end, to, clause, seen, kept = s.arena, s.used, 0, 0, 0, 0
    oldest = s.learnt_count - s.learnt_count // 4
    while clause < end:
        length = HEADER + arena[clause]
        glue = arena[clause + GLUE]
        stays: cython.bint = glue <= glue_kept or seen >= oldest
        for spot in range(clause + HEADER, clause + length):
            if s.value[arena[spot]] > 0:
                stays = False
        if glue > 0:
            seen += 1
            kept += 1 if stays else 0
        if stays:
            for at in range(length):
                arena[to + at] = arena[clause + at]
            to += length
        clause += length
    s.used, s.learnt_count = to, kept
    _watch_all(s)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _watch_all(s: Search) -> cython.void:
    """Watch every clause anew, by two literals that are not false; at level 0."""
    arena, value = s.arena, s.value
    for lit in range(2 * s.variables):
        s.head[lit] = -1
    clause = 0
    while clause < s.used:
        begin, free_lits = clause + HEADER, 0
        for at in range(arena[clause]):
            if free_lits < 2 and value[arena[begin + at]] >= 0:
                arena[begin + at], arena[begin + free_lits] = (
                    arena[begin + free_lits],
                    arena[begin + at],
                )
                free_lits += 1
        watch_clause(s, clause)
        clause = begin + arena[clause]
