"""Draws all conclusions from what a search has settled."""

try:
    import cython
except ImportError:  # no compiler was there, so that kernels run as plain Python
    import linkpress.engine.kernels.pure_python as cython

if not cython.compiled:
    from linkpress.engine.kernels.prover.cdcl_state import HEADER, LINKS, Search, equality


NO_CONFLICT = cython.declare(cython.int, -1)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def propagate(s: Search) -> cython.int:
    """Draw all conclusions.

    Returns:
        What fails: a clause's place in the arena, an equality's code, or NO_CONFLICT.
    """
    conflict = NO_CONFLICT
    while conflict == NO_CONFLICT and s.propagated < s.tail:
        lit = s.trail[s.propagated]
        s.propagated += 1
        if lit >> 1 >= s.edges:
            conflict = _spread_bit(s, lit)
        elif lit & 1 == 0:
            conflict = _equate(s, lit >> 1)
        if conflict == NO_CONFLICT:
            conflict = _visit(s, lit ^ 1)
    return conflict


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _conclude(s: Search, lit: cython.int, reason: cython.int) -> cython.void:
    """As ``settle``, on its own for the C compiler: proofs of 9 x 9 took 36 ms with it, 31 ms so."""
    s.value[lit], s.value[lit ^ 1] = 1, -1
    s.level[lit >> 1], s.reason[lit >> 1] = s.depth, reason
    s.trail[s.tail] = lit
    s.tail += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _spread_bit(s: Search, settled: cython.int) -> cython.int:
    """A label bit: it spreads along used edges and rules out edges to its opposite."""
    value, shift = s.value, s.shift
    var = settled >> 1
    cell = (var - s.edges) >> shift
    bit = (var - s.edges) & ((1 << shift) - 1)
    mine = value[2 * var]
    for side in range(4):
        if side == 0:
            edge, step = 2 * cell, 1
        elif side == 1:
            edge, step = 2 * cell + 1, s.cols
        elif side == 2:
            edge, step = 2 * (cell - 1), -1
        else:
            edge, step = 2 * (cell - s.cols) + 1, -s.cols
        if edge < 0 or value[2 * edge] < 0:
            continue
        there = var + step * (1 << shift)
        other = value[2 * there]
        if other == mine:
            continue
        if value[2 * edge] > 0:
            if other != 0:
                return equality(edge, bit)
            lit = 2 * there + (1 if mine < 0 else 0)
        elif other != 0:
            lit = 2 * edge + 1
        else:
            continue
        _conclude(s, lit, equality(edge, bit))
    return NO_CONFLICT


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _equate(s: Search, edge: cython.int) -> cython.int:
    """A used edge: both its squares carry the same label bits."""
    value = s.value
    one = s.edges + ((edge >> 1) << s.shift)
    two = one + ((s.cols if edge & 1 else 1) << s.shift)
    for bit in range(s.bits):
        here, other = value[2 * (one + bit)], value[2 * (two + bit)]
        if here == other:
            continue
        if here == 0:
            lit = 2 * (one + bit) + (1 if other < 0 else 0)
        elif other == 0:
            lit = 2 * (two + bit) + (1 if here < 0 else 0)
        else:
            return equality(edge, bit)
        _conclude(s, lit, equality(edge, bit))
    return NO_CONFLICT


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _visit(s: Search, false: cython.int) -> cython.int:
    """The clauses that watch a literal just gone false."""
    arena, head, value = s.arena, s.head, s.value
    before = -1
    watch = head[false]
    while watch >= 0:
        clause = watch >> 1
        which = watch & 1
        link = clause + LINKS + which
        following = arena[link]
        other = arena[clause + HEADER + 1 - which]
        if value[other] > 0:
            before = link
            watch = following
            continue
        found: cython.bint = False
        for spot in range(clause + HEADER + 2, clause + HEADER + arena[clause]):
            lit = arena[spot]
            if value[lit] >= 0:
                arena[spot] = false
                arena[clause + HEADER + which] = lit
                arena[link] = head[lit]
                head[lit] = watch
                found = True
                break
        if found:
            if before < 0:
                head[false] = following
            else:
                arena[before] = following
        elif value[other] < 0:
            return clause
        else:
            _conclude(s, other, clause)
            before = link
        watch = following
    return NO_CONFLICT
