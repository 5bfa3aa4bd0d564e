"""The search decides, concludes, learns from conflicts and restarts.

What is learnt from a conflict is the clause at its first unique implication point.

There are two orders of decisions. By activity, the edges that conflicts met lately come first: best for
fillings and for windows. In a sweep, edges are decided upon in the order of the board, row by row, and
tried as drawn first: best for the lowest drawings of a whole board, where what was learnt above says in
a few literals of the last row how the rows below may begin. Of 41 hand-made boards of 15 × 15 the middle
one takes 3,600 conflicts in a sweep and 17,000 by activity, with the same clauses. Slower, too, were the
most active of the first open edges, rows from below, diagonals, the ends of lines first, the edges down
before those to the right, and edges tried as not drawn first.

Windows and whole boards that are being made take turns in both orders and share what they learn, unless they
are swept from the side where their numbers are (``windows``). Of 29 boards of 15 × 15 with 16 pairs the
middle one took 1,050 conflicts in a sweep, 2,950 by activity and 1,800 by turns, the worst 13,500, 12,300 and
6,700. Hand-made boards lose 15 to 50 % by it, but for the few on which sweeps come to nothing: what a sweep
does not settle soon goes on by turns (``prove/board_search``).
"""

from linkpress.engine.kernels.glossary import SearchOutcome
from linkpress.engine.kernels.grid import larger_cell
from linkpress.engine.kernels.prover.search import (
    GLUE,
    HEADER,
    JOINED,
    NO_CONFLICT,
    NO_REASON,
    Search,
    bit_of_equality,
    edge_of_equality,
    go_back,
    propagate,
    settle,
    watch_clause,
)
from linkpress.engine.kernels.pure_python import Ints

_HUGE: float = 1e100
# An old activity keeps 0.9 a conflict; 0.8 and 0.95 were a little slower at 13 × 13.
_GROW: float = 1 / 0.9


def learn(s: Search, conflict: int) -> None:
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
    for index in range(size):
        s.arena[clause + HEADER + index] = learnt[index]
    s.used = clause + HEADER + size
    s.learnt_count += 1
    watch_clause(s, clause)
    settle(s, learnt[0], clause)


def _unfold(s: Search, reason: int, lits: Ints) -> int:
    """Write out the literals of an equality, those false or the one concluded; return how many they are."""
    edge, bit = edge_of_equality(reason), bit_of_equality(reason)
    joined: bool = bit == JOINED
    one = s.edges + ((edge >> 1) << s.shift)
    two = s.edges + (larger_cell(s.cols, edge) << s.shift)
    lits[0], count = 2 * edge + (0 if joined else 1), 1
    for label_bit in range(0 if joined else bit, s.bits if joined else bit + 1):
        lits[count] = 2 * (one + label_bit) + (s.value[2 * (one + label_bit)] > 0)
        lits[count + 1] = 2 * (two + label_bit) + (s.value[2 * (two + label_bit)] > 0)
        count += 2
    return count


def _resolve(s: Search, conflict: int) -> int:
    """Replace conclusions of the present level by their reasons until one of that level is left.

    Returns:
        The size of the learnt clause; it stands in ``s.learnt``, the literal that it concludes first.
    """
    size, index, reason, concluded = 1, s.tail - 1, conflict, -1
    s.pending = 0
    while True:
        lits, begin, end = s.scratch, 0, 0
        if reason >= 0:
            lits, begin, end = s.arena, reason + HEADER, reason + HEADER + s.arena[reason]
        else:
            end = _unfold(s, reason, lits)
        for spot in range(begin, end):
            if lits[spot] >> 1 != concluded:
                size = _note(s, lits[spot], size)
        while not s.seen[s.trail[index] >> 1]:
            index -= 1
        concluded = s.trail[index] >> 1
        s.seen[concluded] = 0
        s.pending -= 1
        if s.pending == 0:
            break
        reason = s.reason[concluded]
        index -= 1
    s.learnt[0] = s.trail[index] ^ 1
    if s.step > _HUGE:
        _scale_activities(s)
    return size


def _note(s: Search, lit: int, size: int) -> int:
    """Note a reason's literal: to be resolved at the present level, or else in the learnt clause.

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


def _scale_activities(s: Search) -> None:
    for edge in range(s.edges):
        s.activity[edge] *= 1 / _HUGE
    s.step /= _HUGE


def _shorten(s: Search, size: int) -> int:
    """Drop the literals that the others imply in one step; put the deepest second."""
    learnt, seen, level = s.learnt, s.seen, s.level
    kept, dropped = 1, s.longest
    for index in range(1, size):
        lit = learnt[index]
        reason = s.reason[lit >> 1]
        needed: bool = reason == NO_REASON
        if not needed:
            lits, begin, end = s.scratch, 0, 0
            if reason >= 0:
                lits, begin, end = (s.arena, reason + HEADER, reason + HEADER + s.arena[reason])
            else:
                end = _unfold(s, reason, lits)
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
    for index in range(1, kept):
        seen[learnt[index] >> 1] = 0
        if level[learnt[index] >> 1] > level[learnt[1] >> 1]:
            learnt[1], learnt[index] = learnt[index], learnt[1]
    for index in range(dropped, s.longest):
        seen[learnt[index] >> 1] = 0
    return kept


def _glue(s: Search, size: int) -> int:
    """Count the levels that the learnt clause's literals come from."""
    s.last_stamp += 1
    glue = 0
    for index in range(size):
        depth = s.level[s.learnt[index] >> 1]
        if s.stamp[depth] != s.last_stamp:
            s.stamp[depth] = s.last_stamp
            glue += 1
    return glue


def clear_learnt(s: Search, glue_kept: int) -> None:
    """Drop learnt clauses of much glue but the newest quarter, and all that hold; at level 0."""
    arena, end, to, clause, seen, kept = s.arena, s.used, 0, 0, 0, 0
    oldest = s.learnt_count - s.learnt_count // 4
    while clause < end:
        length = HEADER + arena[clause]
        glue = arena[clause + GLUE]
        stays: bool = glue <= glue_kept or seen >= oldest
        for spot in range(clause + HEADER, clause + length):
            if s.value[arena[spot]] > 0:
                stays = False
        if glue > 0:
            seen += 1
            kept += 1 if stays else 0
        if stays:
            for index in range(length):
                arena[to + index] = arena[clause + index]
            to += length
        clause += length
    s.used, s.learnt_count = to, kept
    _watch_all(s)


def _watch_all(s: Search) -> None:
    """Watch every clause anew, by two literals that are not false; at level 0."""
    arena, value = s.arena, s.value
    for lit in range(2 * s.variables):
        s.head[lit] = -1
    clause = 0
    while clause < s.used:
        begin, free_lits = clause + HEADER, 0
        for index in range(arena[clause]):
            if free_lits < 2 and value[arena[begin + index]] >= 0:
                arena[begin + index], arena[begin + free_lits] = (
                    arena[begin + free_lits],
                    arena[begin + index],
                )
                free_lits += 1
        watch_clause(s, clause)
        clause = begin + arena[clause]


_RESTART: int = 40
# A sweep begins again where it was, and lives on what it has learnt: few restarts, much is kept.
_SWEEP_RESTART: int = 400
# Conflicts after which the orders change turns, at the next restart.
_SWEEP_TURN: int = 400
_ACTIVITY_TURN: int = 800
# A sweep's turn where neighbours are joined, on boards of 20 × 20 with 14 pairs that sweeps don't settle. Two
# take 259,000 and 161,000 conflicts with 400 (of activity 800), 191,000 and 109,000 with 1,600, 169,000 and
# 110,000 with this, 171,000 and 116,000 with 6,400 (1,600); more with longer turns by activity.
_JOINS_SWEEP_TURN: int = 3200
_SWEEP_CLEAR_FIRST: int = 4000
_SWEEP_CLEAR_STEP: int = 1000
_SWEEP_GLUE_KEPT: int = 5
# Each clause kept makes all conflicts dearer: three hand-made boards of 20 × 20 take 38 s for 60,000
# conflicts each with what other sweeps keep, and 16 s with what those that join neighbours do.
_JOINS_CLEAR_STEP: int = 300
_JOINS_GLUE_KEPT: int = 3
# Learnt clauses from which on one glue less is kept then: one such board takes 333,000 conflicts of 88 µs so,
# 347,000 of 128 µs without, and is not settled by 430,000 with 16,000.
_JOINS_MANY: int = 24000
# Learnt clauses before the first clearing, and how many more before each next one.
_CLEAR_FIRST: int = 2000
_CLEAR_STEP: int = 300
_GLUE_KEPT: int = 3


def find_model(s: Search, budget: int) -> tuple[int, int]:
    """Search on until every edge is settled, or ``budget`` conflicts were met.

    Args:
        s: with its clauses added, at level 0, or as it was given up; left as found when a model is.
    Returns:
        EXHAUSTED (there is no model), FOUND or GAVE_UP; and conflicts spent.
    """
    spent, pause, first, more, glue_kept = 0, _RESTART, _CLEAR_FIRST, _CLEAR_STEP, _GLUE_KEPT
    if s.sweeps:
        pause, first = _SWEEP_RESTART, _SWEEP_CLEAR_FIRST
        more = _JOINS_CLEAR_STEP if s.joins else _SWEEP_CLEAR_STEP
        glue_kept = _JOINS_GLUE_KEPT if s.joins else _SWEEP_GLUE_KEPT
    if s.refuted:
        return SearchOutcome.EXHAUSTED, 0
    if s.learnt_most == 0:
        s.learnt_most, s.rounds = first, 0
    until, turn = pause * _luby(s.rounds), _turn_length(s)
    go_back(s, 0)
    _drop_settled(s)
    while True:
        conflict = propagate(s)
        if conflict != NO_CONFLICT:
            spent += 1
            if s.depth == 0:
                s.refuted = 1
                return SearchOutcome.EXHAUSTED, spent
            learn(s, conflict)
        elif spent >= budget:
            return SearchOutcome.GAVE_UP, spent
        elif spent >= until or s.used + s.longest > s.room:
            s.rounds += 1
            if s.turns and spent >= turn:
                s.sweeps = not s.sweeps
                turn = spent + _turn_length(s)
                pause, s.rounds = _SWEEP_RESTART if s.sweeps else _RESTART, 0
            until = spent + pause * _luby(s.rounds)
            go_back(s, 0)
            _drop_settled(s)
            if not _make_room(s, glue_kept, more):
                return SearchOutcome.GAVE_UP, spent
        else:
            chosen = _next_in_order(s) if s.sweeps else _most_active(s)
            if chosen < 0:
                s.learnt_most = 0
                return SearchOutcome.FOUND, spent
            _decide(s, chosen)


def _turn_length(s: Search) -> int:
    """Return the conflicts of a turn in the present order."""
    if not s.sweeps:
        return _ACTIVITY_TURN
    return _JOINS_SWEEP_TURN if s.joins else _SWEEP_TURN


def _make_room(s: Search, glue_kept: int, more: int) -> bool:
    """Clear what was learnt once there is much of it, and allow ``more`` then; False if there is no room."""
    if s.learnt_count <= s.learnt_most and s.used + s.longest <= s.room:
        return True
    clear_learnt(s, glue_kept - 1 if s.joins and s.learnt_count > _JOINS_MANY else glue_kept)
    s.learnt_most += more
    return s.used + 2 * s.longest <= s.room


def _decide(s: Search, edge: int) -> None:
    """Begin a level with an open edge: as drawn in a sweep, else with its last value."""
    s.begins[s.depth], s.cursors[s.depth] = s.tail, s.cursor
    s.depth += 1
    drawn: bool = s.sweeps or s.phase[edge] == 1
    settle(s, 2 * edge + (0 if drawn else 1), NO_REASON)


def _most_active(s: Search) -> int:
    """Return the open edge with the highest activity, -1 when none is open."""
    value, waiting, activity = s.value, s.waiting, s.activity
    chosen = -1
    for index in range(s.open):
        var = waiting[index]
        if value[2 * var] == 0 and (chosen < 0 or activity[var] > activity[chosen]):
            chosen = var
    return chosen


def _next_in_order(s: Search) -> int:
    """Return the first open edge in the order of the board, -1 when none is open."""
    while s.cursor < s.open:
        edge = s.waiting[s.cursor]
        if s.value[2 * edge] == 0:
            return edge
        s.cursor += 1
    return -1


def _drop_settled(s: Search) -> None:
    """Leave out of later decisions the edges settled at level 0."""
    kept = 0
    for index in range(s.open):
        if s.value[2 * s.waiting[index]] == 0:
            s.waiting[kept] = s.waiting[index]
            kept += 1
    s.open, s.cursor = kept, 0


def _luby(index: int) -> int:
    size = 1
    while size < index + 1:
        size = 2 * size + 1
    while size - 1 != index:
        size = (size - 1) >> 1
        index = index % size
    return (size + 1) >> 1
