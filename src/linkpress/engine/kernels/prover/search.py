"""A clause-learning search runs over the edges of a board: here are its state, and what follows from that.

Variables: edge ``2 · cell`` goes right from a cell, ``2 · cell + 1`` down; from ``2 · cells`` on
each cell has ``1 << shift`` label bits, of which ``bits`` are used. Literal ``2v`` says that v
holds, ``2v + 1`` that it does not. Only edges are decided upon; labels follow.

Equal labels along a used edge are most of a board's constraints, so they are no clauses: they are
drawn from the board's geometry, and a conclusion's reason is a code for edge and bit (``equality``).
So is, where ``joins`` says so, that neighbours with the same label are joined; its bit is called JOINED.
Everything else is a clause in one arena, and is known by its place there: its size, the two LINKS of
the lists of clauses that watch a literal, its GLUE (0: part of the question, kept for good), and behind
this HEADER its literals. The first two literals are watched: while neither is false, nothing follows
from the clause.

Source:
    Een and Sorensson, "An extensible SAT-solver", SAT 2003; Audemard and Simon, "Predicting learnt
    clauses quality in modern SAT solvers", IJCAI 2009 (glue).
"""

from linkpress.engine.kernels.grid import side_edge, side_in_turn, step_to
from linkpress.engine.kernels.pure_python import Bytes, Floats, Ints, State, items, make_fields, unset_items

# Where a clause has what, from its place on.
LINKS: int = 1
GLUE: int = 3
HEADER: int = 4
# The reason of a literal that was decided, or that holds for good.
NO_REASON: int = -1
# Label bits are fewer than 1 << _BIT_WIDTH; the last code of that width is for neighbours with one label.
_BIT_WIDTH: int = 4
JOINED: int = 15


class Search(State):
    """A search has this state. ``reset_search`` makes it fresh, for a smaller board too.

    Args:
        cells: of the board, rows × cols.
        labels: how many numbers there are.
        room: for clauses, in words.
    """

    cells: int  # of the board
    cols: int  # of the board
    shift: int  # a cell has ``1 << shift`` label bits
    bits: int  # of which so many are used
    edges: int  # 2 × cells; they are the first variables
    variables: int  # how many
    longest: int  # words that a learnt clause may take
    room: int  # words of the arena that may be used
    joins: bool  # whether squares with the same label are joined where they are neighbours
    arena: Ints = unset_items("room")  # the clauses, as the module says
    used: int  # words of the arena
    head: Ints = items("2 * variables")  # by literal: 2 × the first watching clause + which of its watches
    value: Bytes = items("2 * variables")  # by literal: 1 true, -1 false, 0 open
    level: Ints = items("variables")  # by variable: the level at which it was settled
    reason: Ints = items("variables")  # by variable: a clause, an ``equality``, or NO_REASON
    trail: Ints = items("variables")  # the true literals, in the order in which they were settled
    tail: int  # literals on the trail
    propagated: int  # of them, those from which all conclusions have been drawn
    begins: Ints = items("edges + 1")  # by level: where on the trail the next one begins
    depth: int  # the level now
    sweeps: bool  # whether edges are decided upon in the order of the board, not by activity
    turns: bool  # whether both orders take turns, as ``learning`` says; then ``sweeps`` changes
    cursor: int  # in a sweep: edges before this place in ``waiting`` are settled
    cursors: Ints = items("edges + 1")  # by level: ``cursor`` when the next one began
    activity: Floats = items("edges")  # by edge: how often conflicts met it lately
    step: float  # what a conflict adds to an activity
    waiting: Ints = items("edges")  # the edges that level 0 leaves open, ``open`` of them
    open: int  # how many
    phase: Bytes = items("edges")  # by edge: its last value
    seen: Bytes = items("variables")  # by variable: 1 while a conflict is resolved through it
    pending: int  # in conflict analysis, literals of the present level still to be resolved
    learnt: Ints = items("2 * variables + 2")  # the clause being learnt; from the end, what it dropped
    learnt_count: int  # learnt clauses in the arena
    learnt_most: int  # how many there may be before some are dropped; 0 before the search for a model begins
    rounds: int  # restarts since then
    stamp: Ints = items("edges + 1")  # by level: the last learnt clause with a literal from it
    last_stamp: int  # of the last learnt clause
    refuted: int  # 1 when the clauses can't hold together
    scratch: Ints = items("32")  # words for whoever needs them at once: a literal, and two for each bit
    clause: Ints = items("edges + 1")  # a clause to be added, longer than any

    def __init__(self, cells: int, cols: int, labels: int, room: int) -> None:
        shift = bits_for(bits_for(labels))
        edges = 2 * cells
        variables = edges + (cells << shift)
        make_fields(self, locals())
        reset_search(self, cells, cols, labels, room)


def equality(edge: int, bit: int) -> int:
    """Return the reason "both squares of a used edge carry the same bit", unlike any clause or NO_REASON."""
    return -2 - (edge << _BIT_WIDTH | bit)


def edge_of_equality(reason: int) -> int:
    """Return the edge of an ``equality``."""
    return (-2 - reason) >> _BIT_WIDTH


def bit_of_equality(reason: int) -> int:
    """Return the bit of an ``equality``."""
    return (-2 - reason) & ((1 << _BIT_WIDTH) - 1)


def bits_for(count: int) -> int:
    """Return how many bits tell so many things apart."""
    bits = 0
    while (1 << bits) < count:
        bits += 1
    return bits


def reset_search(s: Search, cells: int, cols: int, labels: int, room: int) -> None:
    """Make a fresh search of one that was made for a board, numbers and room at least as large."""
    s.cells, s.cols, s.room = cells, cols, room
    s.bits = bits_for(labels)
    s.shift = bits_for(s.bits)
    s.edges = 2 * cells
    s.variables = s.edges + (cells << s.shift)
    s.longest = 2 * s.variables + 2
    s.used = s.tail = s.propagated = s.depth = 0
    s.learnt_count = s.learnt_most = s.rounds = s.last_stamp = s.refuted = 0
    s.open, s.step, s.cursor = s.edges, 1.0, 0
    for lit in range(2 * s.variables):
        s.head[lit] = -1
        s.value[lit] = 0
    for var in range(s.variables):
        s.level[var] = s.seen[var] = 0
        s.reason[var] = NO_REASON
    for edge in range(s.edges):
        s.activity[edge] = 0.0
        s.waiting[edge] = edge
        s.phase[edge] = 0
    for depth in range(s.edges + 1):
        s.stamp[depth] = 0


def settle(s: Search, lit: int, reason: int) -> None:
    """Make an open literal true."""
    s.value[lit] = 1
    s.value[lit ^ 1] = -1
    s.level[lit >> 1] = s.depth
    s.reason[lit >> 1] = reason
    s.trail[s.tail] = lit
    s.tail += 1


def watch_clause(s: Search, clause: int) -> None:
    """Watch a clause by its first two literals."""
    for which in range(2):
        lit = s.arena[clause + HEADER + which]
        s.arena[clause + LINKS + which] = s.head[lit]
        s.head[lit] = 2 * clause + which


def add_clauses(s: Search, clauses: Ints, end: int) -> None:
    """Require clauses for good; called at level 0.

    Args:
        clauses: one after the other, each its size and then its literals.
        end: how many words of it are meant.
    """
    arena, value = s.arena, s.value
    index, to = 0, s.used
    while index < end:
        kept = 0
        for spot in range(index + 1, index + 1 + clauses[index]):
            known = value[clauses[spot]]
            if known > 0:
                kept = -1
                break
            if known == 0:
                arena[to + HEADER + kept] = clauses[spot]
                kept += 1
        index += 1 + clauses[index]
        if kept == 0:
            s.refuted = 1
        elif kept == 1:
            settle(s, arena[to + HEADER], NO_REASON)
        elif kept > 1:
            arena[to] = kept
            arena[to + GLUE] = 0
            watch_clause(s, to)
            to += HEADER + kept
    s.used = to


def go_back(s: Search, depth: int) -> None:
    """Undo every level above ``depth``."""
    if s.depth <= depth:
        return
    begin = s.begins[depth]
    s.cursor = s.cursors[depth]
    trail, value = s.trail, s.value
    for index in range(s.tail - 1, begin - 1, -1):
        lit = trail[index]
        value[lit] = 0
        value[lit ^ 1] = 0
        if lit >> 1 < s.edges:
            s.phase[lit >> 1] = 1 - (lit & 1)
    s.tail = s.propagated = begin
    s.depth = depth


NO_CONFLICT: int = -1


def propagate(s: Search) -> int:
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


def _conclude(s: Search, lit: int, reason: int) -> None:
    """Settle a literal, apart from ``settle`` for the C compiler: proofs of 9 x 9 took 31 ms, not 36."""
    s.value[lit], s.value[lit ^ 1] = 1, -1
    s.level[lit >> 1], s.reason[lit >> 1] = s.depth, reason
    s.trail[s.tail] = lit
    s.tail += 1


def _spread_bit(s: Search, settled: int) -> int:
    """Spread a label bit along used edges; rule out edges to its opposite, or join neighbours."""
    value, shift = s.value, s.shift
    var = settled >> 1
    cell = (var - s.edges) >> shift
    bit = (var - s.edges) & ((1 << shift) - 1)
    mine, joins = value[2 * var], s.joins
    for turn in range(4):
        side = side_in_turn(turn)
        edge, step = side_edge(s.cols, cell, side), step_to(s.cols, side)
        if edge < 0 or (value[2 * edge] < 0 and not joins):
            continue
        there = var + step * (1 << shift)
        if there >= s.variables:
            continue
        used, other = value[2 * edge], value[2 * there]
        if joins and other == mine and used <= 0 and _has_one_label(s, var - bit, there - bit):
            if used == 0:
                _conclude(s, 2 * edge, equality(edge, JOINED))
            elif turn & 1 or cell // s.cols == (cell + step) // s.cols:
                return equality(edge, JOINED)
        if used < 0 or other == mine:
            continue
        if used > 0:
            if other != 0:
                return equality(edge, bit)
            lit = 2 * there + (1 if mine < 0 else 0)
        elif other != 0:
            lit = 2 * edge + 1
        else:
            continue
        _conclude(s, lit, equality(edge, bit))
    return NO_CONFLICT


def _has_one_label(s: Search, one: int, two: int) -> bool:
    """Tell whether two squares are known to have one label; ``one`` and ``two`` are their first bits."""
    for bit in range(s.bits):
        known = s.value[2 * (one + bit)]
        if known == 0 or known != s.value[2 * (two + bit)]:
            return False
    return True


def _equate(s: Search, edge: int) -> int:
    """Make both squares of a used edge carry the same label bits."""
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


def _visit(s: Search, false: int) -> int:
    """Visit the clauses that watch a literal just gone false."""
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
        found: bool = False
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
