"""Conflict-driven clause learning (CDCL) over the edges of a board.

The search looks for a drawing, which joins each pair of numbers by a path. It decides an edge, propagates the
consequences, learns a clause from each conflict (at the first unique implication point), backtracks, and
restarts from time to time.

**Variables.** Edge variables come first: ``2 * cell`` is the edge to the right of a cell, ``2 * cell + 1``
the edge below it. The variables from ``2 * cells`` on are label bits. The label bits of a cell encode the
number of the path through it. Each cell has ``1 << shift`` of them, so that a shift finds the cell of a label
bit. Only the first ``bits`` are used. Literal ``2 * v`` says that variable v is true, ``2 * v + 1`` that it
is false. Only edges are decided; labels follow by propagation.

**Labels.** The two cells of a used edge have the same label. Most constraints of a board are of this kind, so
they are not stored as clauses: propagation reads them from the board's geometry. The reason code of such a
constraint names the edge and the bit (``equality``). If ``joins_neighbours`` is set, neighbours with the same
label must also be joined. The reason code of that constraint has the value JOINED in place of the bit.

**Clauses.** All other constraints are clauses in one array, ``arena``. A clause is identified by its position
in that array, which is odd. Its first word is 8 × its size + its glue. The glue is the number of different
levels among its literals, or 0 for a clause that was not learnt and is never deleted. Two links follow, which
chain the clause into the lists of clauses that watch a literal. The literals begin HEADER words after its
position. The first two literals are watched: while neither is false, the clause implies nothing.

**Two orders of decisions.** Edges can be decided by activity: edges that were in recent conflicts come first.
This is best for drawings that fill the board, and for windows (rectangles of a board). Or edges can be
decided row by row, which is called a sweep; each edge is first tried as drawn. This is best for the lowest
drawings of a whole board. In these drawings, a small change can neither make a path shorter nor move a corner
of a path into an empty cell in the row below (``drawings``). In a sweep, a learnt clause often needs only a
few literals, all from the row that was decided last, to say how the rows below may begin. The median of 41
hand-made boards of 15 × 15 takes 3,600 conflicts in a sweep and 17,000 by activity.

A search can also alternate between both orders, and use the clauses learnt in either. It does so for windows,
and for whole boards that are being made. Windows that are swept from the side with the most path ends
(``drawings``) are the only exception. Of 29 boards of 15 × 15 with 16 pairs, the median took 1,050 conflicts
in a sweep, 2,950 by activity and 1,800 by alternating. The worst board took 13,500, 12,300 and 6,700. On
hand-made boards, alternating is 15 to 50 % worse than a sweep, except on a few boards for which the budget of
a sweep is too small. So the search of a hand-made board begins with a sweep. It begins to alternate only if
the sweep has failed for a while (``engine/board_search``).

**Clauses of a board.** The functions at the end of this module write the clauses for the drawings of a board,
which is described by a ``ProverBoard``. The module ``drawings`` explains the kinds of drawings, when a corner
is supported, and what a valley is. Functions that add clauses write their literals to ``arena``, after the
last clause, and then call ``add_written``.

Source:
    Een and Sorensson, "An extensible SAT-solver", SAT 2003; Audemard and Simon, "Predicting learnt clauses
    quality in modern SAT solvers", IJCAI 2009 (glue).
"""

from linkpress.engine.kernels import pure_python as cython
from linkpress.engine.kernels.glossary import Direction, DrawingKind, SearchOutcome
from linkpress.engine.kernels.grid import larger_cell, neighbour, side_edge, side_in_turn, step_to
from linkpress.engine.kernels.pure_python import Bytes, Floats, Ints, State, items, make_fields, unset_items

# A clause is stored as a row of numbers. These are the offsets of its parts from the beginning of the row:
# - LINKS: two links to the next clauses that watch the same literals.
# - HEADER: the first literal.
LINKS: int = 1
HEADER: int = 3
# The largest glue that is stored. The glue of a clause is the number of different decision levels among its
# literals. A larger glue is stored as this number.
_MOST_GLUE: int = 7
# NO_REASON is the reason of a literal that was decided, or that is true at level 0. NO_CONFLICT is the result
# of a propagation without a conflict.
NO_REASON: int = -1
NO_CONFLICT: int = -1
# The label of a cell is the number of the path through it, written in bits. A reason code contains an edge
# and the number of one of these bits. In the reason code, the number of the bit takes ``_BIT_WIDTH`` bits. If
# the number of the bit is JOINED, the code stands for another constraint: neighbouring cells with the same
# label must be joined.
_BIT_WIDTH: int = 4
JOINED: int = 15

_MAX_ACTIVITY: float = 1e100
# The activity of an edge says how much it was part of recent conflicts. Each conflict adds a step to the
# activity of its edges. Then the step grows by this factor, so that each conflict counts 0.9 times as much as
# the next one. Factors of 1 / 0.8 and 1 / 0.95 were a little slower at 13 × 13.
_ACTIVITY_GROWTH: float = 1 / 0.9

# Number of conflicts before the first restart: ``_RESTART`` for a search that decides edges by activity
# (edges of recent conflicts first), ``_SWEEP_RESTART`` for a sweep, which decides edges row by row. The
# conflicts between later restarts are multiples of these numbers. Sweeps restart seldom, because a restart
# hardly helps them: a sweep decides the edges in the same order again, and soon comes back to the same place.
_RESTART: int = 40
_SWEEP_RESTART: int = 400
# An alternating search decides edges row by row (a sweep) for ``_SWEEP_TURN`` conflicts. Then it decides
# edges by activity (edges of recent conflicts first) for ``_ACTIVITY_TURN`` conflicts, and so on. It changes
# the order only at a restart, so a turn can be a little longer.
_SWEEP_TURN: int = 400
_ACTIVITY_TURN: int = 800
# A search can alternate between two orders: either edges are decided row by row (a sweep), or edges that
# were in recent conflicts come first. If neighbours on the same path must be joined, a sweep ends after
# this many conflicts. On two boards of 20 × 20 with 14 pairs, a search with sweeps alone gives up. With
# turns of 400 conflicts, these boards take 259,000 and 161,000 conflicts. With turns of 3,200, they take
# 169,000 and 110,000.
_JOINS_SWEEP_TURN: int = 3200
# Limits for deleting learnt clauses. The three constants that begin with ``_SWEEP`` are for sweeps, in which
# edges are decided row by row. The other three are for all other searches.
# - ``_REDUCE_FIRST`` is the number of learnt clauses at which some are deleted for the first time.
# - ``_REDUCE_STEP`` is how much this number grows after each deletion.
# - ``_GLUE_KEPT`` is the largest glue of clauses that are never deleted. The glue is the number of decision
#   levels among the literals of a clause.
_REDUCE_FIRST: int = 2000
_REDUCE_STEP: int = 300
_GLUE_KEPT: int = 3
_SWEEP_REDUCE_FIRST: int = 4000
_SWEEP_REDUCE_STEP: int = 1000
_SWEEP_GLUE_KEPT: int = 5
# Limits for deleting learnt clauses in a sweep, a search that decides edges row by row. They hold if
# neighbouring cells on the same path must be joined. With these limits, such a sweep keeps fewer clauses than
# other sweeps, and so each conflict takes less time. Three hand-made boards of 20 × 20, with 60,000 conflicts
# each, take 16 s with these limits and 38 s with the limits of other sweeps.
_JOINS_REDUCE_STEP: int = 300
_JOINS_GLUE_KEPT: int = 3
# Limit for deleting learnt clauses, in a search in which neighbouring cells on the same path must be joined.
# Clauses with a small glue are kept; the glue of a clause is the number of decision levels among its
# literals. If there are more learnt clauses than this limit, the largest glue that is kept is 1 less than
# usual. One board takes 333,000 conflicts of 88 µs each with this limit, and 347,000 conflicts of 128 µs
# each without it.
_JOINS_MANY_LEARNT: int = 24000


class Search(State):
    """State of a clause-learning search. ``reset_search`` clears it for a board of the same size or smaller.

    Args:
        cells: the number of cells of the board.
        labels: how many different numbers the board has. Each is the label of the cells on its path.
        room: the size of the clause array, in words of 32 bits.
    """

    cells: int  # the number of cells of the board
    cols: int  # the number of columns of the board

    # The label of a cell is the number of the path through it, written in bits. Each cell has ``1 << shift``
    # variables for the bits of its label.
    shift: int
    # how many bits the label of a cell has; the label encodes the number of the path through the cell
    bits: int
    edges: int  # the number of edge variables, which is 2 × cells; edges are the first variables

    # the number of all variables: the edges, and the bits of each cell's label, which encode the number of
    # the path through the cell
    variables: int

    # Two arrays with one number for each of a cell's four neighbours, in the order of ``side_in_turn``. They
    # are used to find the index of one literal from the index of another. A literal says that a variable is
    # true, or that it is false.
    # - Each cell has some label bits, which encode the number of the path through it. Add a number of
    #   ``label_steps`` to the literal of a cell's bit. The result is the literal of its neighbour's bit.
    # - Add a number of ``edge_steps`` to the literal of the edge to the right of the cell. The result is the
    #   literal of the edge between the cell and its neighbour.
    label_steps: Ints = items("4")
    edge_steps: Ints = items("4")
    longest: int  # the largest number of words in ``arena`` that one learnt clause may take
    room: int  # how many words of 32 bits the array ``arena`` may use

    # whether neighbours with the same label, which is the number of the path through a cell, must be joined
    # by an edge
    joins_neighbours: bool

    # All clauses, in the layout that the module docstring describes. For each literal, the clauses that watch
    # it form a linked list. The array begins with an item for each literal: the head of its list. All links
    # are positions in this array. A link leads to the place where the next clause of the list stores its own
    # link; it is -1 at the end of the list. The heads are in the same array as the other links, so the first
    # clause is taken out of a list in the same way as any other clause. A clause begins at an odd position,
    # followed by its first link at an even position and its second link at an odd one. So an even link leads
    # to the first watched literal of a clause, and an odd link to the second one.
    arena: Ints = unset_items("2 * variables + 2 + room")
    used: int  # where the next clause begins in ``arena``

    # How many words the clauses take; the search gives up if that exceeds ``room``. Four words are counted
    # for each clause, and one for each of its literals. In ``arena``, a clause really takes as many words as
    # are counted, or one less.
    words: int

    # For each literal, 1 if it is true, -1 if it is false, 0 if it is unassigned. At the end, the array has
    # more items, for cells below the board. Propagation reads these items too, so that it need not check for
    # the last row. They have no effect.
    value: Bytes = items("2 * variables + (2 * cells << shift)")
    # For each variable, the decision level at which it was assigned. While a conflict is analysed, the level
    # of a variable that the analysis has visited is negative.
    level: Ints = unset_items("variables")

    # For each variable, the reason of its value: the position of a clause, a code that ``equality``
    # returns, or NO_REASON.
    reason: Ints = unset_items("variables")
    trail: Ints = unset_items("variables")  # the true literals, in the order in which they were assigned

    # how many literals are on the trail, which lists the true literals in the order of their assignment
    trail_size: int

    # how many literals at the beginning of the trail (the list of all true literals) have
    # been propagated already
    propagated: int

    # for each decision level, how many literals were on the trail (the list of all true literals) when the
    # next level began
    level_begin: Ints = unset_items("edges + 1")
    current_level: int  # the present decision level, which is the number of decisions in effect

    # whether the search decides edges row by row; if not, it first decides edges that were
    # in recent conflicts
    sweeps: bool

    # Whether the search alternates between two orders of decisions: row by row, or edges of recent conflicts
    # first. If so, ``sweeps`` says which order is used now.
    alternates: bool
    # In a search that decides edges row by row: the index in ``open_edges`` at which to look for the next
    # edge to decide. All edges before this index are assigned.
    cursor: int

    # for each decision level: the value of ``cursor`` (where to look for the next edge to decide) when the
    # next level began
    level_cursor: Ints = unset_items("edges + 1")
    # For each variable, how often it was part of a conflict; recent conflicts count more. The search chooses
    # the next edge to decide by this number. Variables that are not edges have such a number too, although
    # nothing reads it: counting all variables is faster than testing which of them are edges.
    activity: Floats = unset_items("variables")

    # how much the next conflict adds to the activity of each of its variables; the activity says how often a
    # variable was part of a conflict
    activity_step: float
    open_edges: Ints = unset_items("edges")  # the edges that are not assigned at decision level 0
    open_count: int
    # For each variable, the value that it had last. When an edge is decided anew, it gets this value again,
    # unless edges are decided row by row.
    phase: Bytes = unset_items("variables")

    # the literals of the clause that is being learnt; literals that turn out to be implied by the others are
    # moved to the end of the array
    learnt: Ints = unset_items("2 * variables + 2")
    learnt_count: int  # how many learnt clauses the search stores now

    # How many learnt clauses there may be before some of them are deleted. It is 0 until the search for
    # a model begins.
    learnt_limit: int
    restarts: int  # how many restarts there were since the search for a model began

    # This array is used to count the decision levels in a learnt clause. Learnt clauses have serial numbers.
    # For each decision level: the number of the last learnt clause with a literal of that level.
    stamp: Ints = unset_items("edges + 1")
    last_stamp: int  # the serial number of the clause learnt last

    # 1 if the clauses contradict each other, so that no values of the variables can satisfy all of
    # them; else 0
    refuted: int

    # work space within one function; it has room for the literals of a constraint
    scratch: Ints = unset_items("32")

    def __init__(self, cells: int, cols: int, labels: int, room: int) -> None:
        shift = bits_for(bits_for(labels))
        edges = 2 * cells
        variables = edges + (cells << shift)
        make_fields(self, locals())
        reset_search(self, cells, cols, labels, room)


def reset_search(s: Search, cells: int, cols: int, labels: int, room: int) -> None:
    """Clear a search, and prepare it for a new board.

    The new board must not have more cells or more different numbers than the board for which the search was
    created. The size of the clause array (``room``) must not be larger than it was then.
    """
    s.cells, s.cols = cells, cols
    s.bits = bits_for(labels)
    s.shift = bits_for(s.bits)
    s.edges = 2 * cells
    s.variables = s.edges + (cells << s.shift)
    s.longest, s.room, s.words, s.used = 2 * s.variables + 2, room, 0, 2 * s.variables + 1
    s.trail_size = s.propagated = s.current_level = 0
    s.learnt_count = s.learnt_limit = s.restarts = s.last_stamp = s.refuted = 0
    s.open_count, s.activity_step, s.cursor = s.edges, 1.0, 0
    for turn in range(4):
        side = side_in_turn(turn)
        s.label_steps[turn] = step_to(cols, side) * (2 << s.shift)
        s.edge_steps[turn] = 2 * side_edge(cols, 0, side)
    # The arrays are kept in local variables, because this lets the C compiler write several of their
    # items at once.
    arena, value, level, reason = s.arena, s.value, s.level, s.reason
    phase, activity = s.phase, s.activity
    for lit in range(2 * s.variables):
        arena[lit] = -1
    for lit in range(2 * s.variables):
        value[lit] = 0
    for var in range(s.variables):
        level[var], reason[var] = 0, NO_REASON
    for var in range(s.variables):
        activity[var] = 0.0
    for var in range(s.variables):
        phase[var] = 0
    open_edges, stamp = s.open_edges, s.stamp
    for edge in range(s.edges):
        open_edges[edge] = edge
    for depth in range(s.edges + 1):
        stamp[depth] = 0


def bits_for(count: int) -> int:
    """Return how many bits are needed to encode ``count`` different values."""
    bits = 0
    while (1 << bits) < count:
        bits += 1
    return bits


def equality(edge: int, bit: int) -> int:
    """Return the reason code of the constraint "both cells of a used edge have the same label bit".

    The label bits of a cell encode the number of the path through it. The code is a number below -1. So it
    can't be mistaken for the position of a clause, or for NO_REASON.
    """
    return -2 - (edge << _BIT_WIDTH | bit)


def edge_of_equality(reason: int) -> int:
    return (-2 - reason) >> _BIT_WIDTH


def bit_of_equality(reason: int) -> int:
    return (-2 - reason) & ((1 << _BIT_WIDTH) - 1)


@cython.inline
def add_written(s: Search, size: int) -> None:
    """Add a clause that is never deleted. This may only be called at decision level 0.

    The caller has written its literals to ``arena``, ``HEADER`` words after the last clause. Literals that
    are false already are left out. The clause is not added if a literal is true already.
    """
    arena, value, clause = s.arena, s.value, s.used
    begin, end = clause + HEADER, clause + HEADER + size
    kept, assigned = size, 0
    for spot in range(begin, end):
        assigned |= value[arena[spot]]
    if assigned != 0:
        for spot in range(begin, end):
            known = value[arena[spot]]
            if known > 0:
                return
            kept += known
        to = begin
        for spot in range(begin, end):
            arena[to] = arena[spot]
            to += 1 + value[arena[spot]]
    if kept > 1:
        _end_clause(s, kept, 0)
    elif kept == 1:
        assign(s, arena[begin], NO_REASON)
    else:
        s.refuted = 1


@cython.inline
def _end_clause(s: Search, size: int, glue: int) -> None:
    """Add a clause whose literals are already in ``arena``. It watches its first two literals.

    Args:
        glue: the glue (number of decision levels among the literals) of a clause that was learnt from a
            conflict. Clauses with high glue are deleted first. 0 for a clause that is never deleted.
    """
    arena = s.arena
    clause: cython.longlong = s.used
    one: cython.longlong = arena[clause + HEADER]
    two: cython.longlong = arena[clause + HEADER + 1]
    arena[clause] = 8 * size + glue
    arena[clause + LINKS], arena[clause + LINKS + 1] = arena[one], arena[two]
    arena[one], arena[two] = clause + LINKS, clause + LINKS + 1
    s.used = (clause + HEADER + size) | 1
    s.words += 4 + size


@cython.inline
def assign(s: Search, lit: int, reason: int) -> None:
    """Make an unassigned literal true at the present decision level.

    Args:
        reason: why the literal is true: the position of a clause, a code that ``equality`` returns,
            or NO_REASON.
    """
    index: cython.longlong = lit
    size: cython.longlong = s.trail_size
    s.level[index >> 1], s.reason[index >> 1] = s.current_level, reason
    s.trail[size] = lit
    s.trail_size = size + 1
    value = s.value
    value[index], value[index ^ 1] = 1, -1


def backtrack(s: Search, level: int) -> None:
    """Undo all assignments above a decision level."""
    if s.current_level <= level:
        return
    begin = s.level_begin[level]
    s.cursor = s.level_cursor[level]
    trail, value, phase = s.trail, s.value, s.phase
    for index in range(begin, s.trail_size):
        lit: cython.longlong = trail[index]
        value[lit] = value[lit ^ 1] = 0
        phase[lit >> 1] = 1 - (lit & 1)
    s.trail_size = s.propagated = begin
    s.current_level = level


def propagate(s: Search) -> int:
    """Derive all consequences of the assignments on the trail.

    Returns:
        The constraint that is violated: the position of a clause in ``arena``, or a code that ``equality``
        returns. NO_CONFLICT if none is violated.
    """
    conflict = NO_CONFLICT
    while conflict == NO_CONFLICT and s.propagated < s.trail_size:
        lit = s.trail[s.propagated]
        s.propagated += 1
        # The watches are visited in three places, one for each kind of literal. So the processor predicts the
        # branches of each kind separately from the others.
        if lit >> 1 >= s.edges:
            conflict = _propagate_label_bit(s, lit)
            if conflict == NO_CONFLICT:
                conflict = _visit_watches(s, lit ^ 1)
        elif lit & 1 == 0:
            conflict = _propagate_used_edge(s, lit >> 1)
            if conflict == NO_CONFLICT:
                conflict = _visit_watches(s, lit ^ 1)
        else:
            conflict = _visit_watches(s, lit ^ 1)
    return conflict


def _propagate_label_bit(s: Search, lit: int) -> int:
    """Propagate an assigned label bit of a cell to its four neighbours.

    The label bits of a cell encode the number of the path through it. A neighbour that is joined to the cell
    by a used edge gets the same bit. An edge to a neighbour with the opposite bit is ruled out. If neighbours
    with the same label must be joined, the edge to such a neighbour is used.

    Returns:
        The violated constraint; NO_CONFLICT if there is none.
    """
    # The label of a cell is the number of the path through it. With a slack of 4, ``_compare_label_bit``
    # applies two rules: the two cells of a used edge have the same label, and neighbours with the same label
    # must be joined. With a slack of 0, it applies only the first one.
    slack = 4 if s.joins_neighbours else 0
    cell = ((lit >> 1) - s.edges) >> s.shift
    # Four calls are faster than a loop. Each call is inlined, so the processor predicts the branches for each
    # of the four sides separately.
    conflict = _compare_label_bit(s, lit, cell, slack, 0)
    if conflict == NO_CONFLICT:
        conflict = _compare_label_bit(s, lit, cell, slack, 1)
    if conflict == NO_CONFLICT:
        conflict = _compare_label_bit(s, lit, cell, slack, 2)
    if conflict == NO_CONFLICT:
        conflict = _compare_label_bit(s, lit, cell, slack, 3)
    return conflict


@cython.inline
def _compare_label_bit(s: Search, lit: int, cell: int, slack: int, turn: int) -> int:
    """Propagate an assigned label bit of a cell to one neighbour, unless nothing can follow from it there.

    The label bits of a cell encode the number of the path through it. Edges that a path uses are called used.

    Args:
        slack: 0 to apply only the rule that the two cells of a used edge have the same label; 4 to apply also
            the rule that neighbours with the same label must be joined.
        turn: the side of the neighbour, as for ``side_in_turn``.
    """
    # Indexes of 64 bits need no conversion when an item of an array is read.
    edge_lit: cython.longlong = 4 * cell + s.edge_steps[turn]
    # The label bits of a cell encode the number of the path through it. ``same`` is the literal that gives
    # the neighbour's bit the same value as the bit of this cell.
    same: cython.longlong = lit + s.label_steps[turn]
    if edge_lit < 0:
        return NO_CONFLICT
    used, agrees = s.value[edge_lit], s.value[same]
    if agrees >= used + slack or (agrees >= used and (agrees <= 0 or used > 0)):
        return NO_CONFLICT
    return _carry_label_bit(s, lit, cell, edge_lit, same, turn)


def _carry_label_bit(s: Search, lit: int, cell: int, edge_lit: int, same: int, turn: int) -> int:
    """Derive what follows from a label bit of a cell, for one neighbour and the edge that leads to it.

    The label bits of a cell encode the number of the path through it. An edge is used if a path uses it.

    Args:
        lit: the assigned label bit of the cell.
        edge_lit: the literal that says that the edge is used.
        same: the literal that gives the neighbour's label bit the same value.
        turn: the side of the neighbour, as for ``side_in_turn``.
    """
    used, agrees = s.value[edge_lit], s.value[same]
    bit = (lit >> 1) - s.edges - (cell << s.shift)
    # The label bits of a cell encode the number of the path through it, so joined cells have equal bits.
    # Something new follows in two cases. If the edge is used, and the neighbour's bit is not known to be
    # equal, it must be equal. If the neighbour's bit is known to be the opposite, and the edge is unassigned,
    # the edge can't be used.
    if agrees < used:
        if used == 0:
            assign(s, edge_lit + 1, equality(edge_lit >> 1, bit))
        elif agrees == 0:
            assign(s, same, equality(edge_lit >> 1, bit))
        else:
            return equality(edge_lit >> 1, bit)
    elif agrees > 0 and used <= 0 and _has_one_label(s, (lit >> 1) - bit, (same >> 1) - bit):
        if used == 0:
            assign(s, edge_lit, equality(edge_lit >> 1, JOINED))
        elif same >> 1 < s.variables and (
            turn & 1 or cell // s.cols == (((same >> 1) - s.edges) >> s.shift) // s.cols
        ):
            return equality(edge_lit >> 1, JOINED)
    return NO_CONFLICT


def _has_one_label(s: Search, one: int, two: int) -> bool:
    """Return whether all label bits of two cells are assigned and equal.

    The label bits of a cell encode the number of the path through it.

    Args:
        one, two: the variable of the first label bit of each cell.
    """
    for bit in range(s.bits):
        known = s.value[2 * (one + bit)]
        if known == 0 or known != s.value[2 * (two + bit)]:
            return False
    return True


def _propagate_used_edge(s: Search, edge: int) -> int:
    """Give both cells of a used edge the same label bits.

    The label bits of a cell encode the number of the path through it. An edge is used if a path uses it.

    Returns:
        The violated constraint; NO_CONFLICT if there is none.
    """
    value = s.value
    one = 2 * (s.edges + ((edge >> 1) << s.shift))
    two = one + s.label_steps[edge & 1]
    for bit in range(s.bits):
        value_one, value_two = value[one + 2 * bit], value[two + 2 * bit]
        if value_one == value_two:
            continue
        if value_one != 0 and value_two != 0:
            return equality(edge, bit)
        # The label bits of a cell encode the number of the path through it. So they must be equal for the two
        # cells of an edge that a path uses. Here, one of the two bits has a value, and the other one has none
        # yet. The literal ``lit`` gives the other bit the same value.
        lit = (one if value_one == 0 else two) + 2 * bit + ((1 - value_one - value_two) >> 1)
        assign(s, lit, equality(edge, bit))
    return NO_CONFLICT


@cython.inline
def _visit_watches(s: Search, false: int) -> int:
    """Visit all clauses that watch a literal which has just become false.

    If a clause has an unwatched literal that is not false, it watches that literal instead. Otherwise, the
    clause implies its other watched literal.

    Returns:
        The violated clause; NO_CONFLICT if there is none.
    """
    arena, value, before = s.arena, s.value, false
    link: cython.longlong = arena[false]
    while link >= 0:
        following: cython.longlong = arena[link]
        # A clause has two links, one for each literal that it watches. The first link has an even position,
        # and the second link comes right after it. So the other link of this clause is at ``link ^ 1``. The
        # literal that belongs to a link is two positions after it.
        other: cython.longlong = arena[(link ^ 1) + 2]
        if value[other] > 0:
            before = link
            link = following
            continue
        clause = (link & ~1) - LINKS
        moved: bool = False
        for spot in range(clause + HEADER + 2, clause + HEADER + (arena[clause] >> 3)):
            lit = arena[spot]
            if value[lit] >= 0:
                arena[spot] = false
                arena[link + 2] = lit
                arena[link] = arena[lit]
                arena[lit] = link
                moved = True
                break
        if moved:
            arena[before] = following
        elif value[other] < 0:
            return clause
        else:
            assign(s, other, clause)
            before = link
        link = following
    return NO_CONFLICT


def find_model(s: Search, budget: int) -> tuple[int, int]:
    """Search for a model: values for all edges that don't violate any constraint.

    Args:
        s: the search, at decision level 0 with its clauses added, or as an earlier call left it. If a model
            is found, it is left on the trail.
        budget: how many conflicts the search may meet.
    Returns:
        The outcome and the number of conflicts. The outcome is EXHAUSTED (there is no model), FOUND or
        GAVE_UP.
    """
    spent, first, reduce_step, glue_kept = 0, _REDUCE_FIRST, _REDUCE_STEP, _GLUE_KEPT
    if s.sweeps:
        first = _SWEEP_REDUCE_FIRST
        reduce_step = _JOINS_REDUCE_STEP if s.joins_neighbours else _SWEEP_REDUCE_STEP
        glue_kept = _JOINS_GLUE_KEPT if s.joins_neighbours else _SWEEP_GLUE_KEPT
    if s.refuted:
        return SearchOutcome.EXHAUSTED, 0
    if s.learnt_limit == 0:
        s.learnt_limit, s.restarts = first, 0
    restart_at, turn_ends = _restart_length(s), _turn_length(s)
    backtrack(s, 0)
    _drop_assigned_edges(s)
    while True:
        conflict = propagate(s)
        if conflict != NO_CONFLICT:
            spent += 1
            if s.current_level == 0:
                s.refuted = 1
                return SearchOutcome.EXHAUSTED, spent
            _learn(s, conflict)
        elif spent >= budget:
            return SearchOutcome.GAVE_UP, spent
        elif spent >= restart_at or s.words + s.longest > s.room:
            s.restarts += 1
            if s.alternates and spent >= turn_ends:
                s.sweeps = not s.sweeps
                turn_ends, s.restarts = spent + _turn_length(s), 0
            restart_at = spent + _restart_length(s)
            backtrack(s, 0)
            _drop_assigned_edges(s)
            if not _make_room(s, glue_kept, reduce_step):
                return SearchOutcome.GAVE_UP, spent
        else:
            edge = _next_in_order(s) if s.sweeps else _most_active(s)
            if edge < 0:
                s.learnt_limit = 0
                return SearchOutcome.FOUND, spent
            _decide(s, edge)


def _restart_length(s: Search) -> int:
    """Return how many conflicts may pass until the next restart.

    The lengths follow the Luby sequence (1, 1, 2, 1, 1, 2, 4, …).
    """
    size, index = 1, s.restarts
    while size < index + 1:
        size = 2 * size + 1
    while size - 1 != index:
        size = (size - 1) >> 1
        index = index % size
    return (_SWEEP_RESTART if s.sweeps else _RESTART) * ((size + 1) >> 1)


def _turn_length(s: Search) -> int:
    """Return the number of conflicts after which an alternating search changes its order of decisions."""
    if not s.sweeps:
        return _ACTIVITY_TURN
    return _JOINS_SWEEP_TURN if s.joins_neighbours else _SWEEP_TURN


def _drop_assigned_edges(s: Search) -> None:
    """Remove the edges that are assigned at decision level 0 from the list of edges still to be decided."""
    count = 0
    for index in range(s.open_count):
        s.open_edges[count] = s.open_edges[index]
        count += 1 if s.value[2 * s.open_edges[index]] == 0 else 0
    s.open_count, s.cursor = count, 0


def _next_in_order(s: Search) -> int:
    """Return the first unassigned edge, in the order of rows; -1 if all edges are assigned."""
    while s.cursor < s.open_count:
        edge = s.open_edges[s.cursor]
        if s.value[2 * edge] == 0:
            return edge
        s.cursor += 1
    return -1


def _most_active(s: Search) -> int:
    """Return the unassigned edge with the highest activity; -1 if all edges are assigned.

    Edges that were part of many recent conflicts have a high activity.
    """
    value, open_edges, activity = s.value, s.open_edges, s.activity
    best = -1
    for index in range(s.open_count):
        edge = open_edges[index]
        if value[2 * edge] == 0 and (best < 0 or activity[edge] > activity[best]):
            best = edge
    return best


def _decide(s: Search, edge: int) -> None:
    """Begin a new decision level by assigning an edge.

    If edges are decided row by row, the edge is assumed to be drawn. Otherwise it gets the value that it had
    last.
    """
    s.level_begin[s.current_level], s.level_cursor[s.current_level] = s.trail_size, s.cursor
    s.current_level += 1
    drawn: bool = s.sweeps or s.phase[edge] == 1
    assign(s, 2 * edge + (0 if drawn else 1), NO_REASON)


def _learn(s: Search, conflict: int) -> None:
    """Learn a clause from a conflict, backtrack, and assign the literal that the clause then implies.

    The conflict must be above decision level 0.
    """
    size = _minimise(s, _resolve(s, conflict))
    learnt = s.learnt
    s.activity_step *= _ACTIVITY_GROWTH
    if size == 1:
        backtrack(s, 0)
        assign(s, learnt[0], NO_REASON)
        return
    glue = _count_levels(s, size)
    backtrack(s, s.level[learnt[1] >> 1])
    clause = s.used
    arena = s.arena
    for index in range(size):
        arena[clause + HEADER + index] = learnt[index]
    _end_clause(s, size, glue)
    s.learnt_count += 1
    assign(s, learnt[0], clause)


def _resolve(s: Search, conflict: int) -> int:
    """Resolve a conflict with the reasons of its literals, until one literal of the present level is left.

    The learnt clause is written to ``s.learnt``, beginning with the literal that it implies.

    Returns:
        The size of the learnt clause.
    """
    size, index, reason, implied = 1, s.trail_size - 1, conflict, -1
    trail, levels, learnt, activity = s.trail, s.level, s.learnt, s.activity
    current, unresolved = s.current_level, 0
    while True:
        lits, begin, end = s.scratch, 0, 0
        if reason >= 0:
            lits, begin, end = s.arena, reason + HEADER, reason + HEADER + (s.arena[reason] >> 3)
        else:
            end = _write_equality(s, reason, lits)
        # Add the literals of the clause at hand to the learnt clause. The loop uses arithmetic in place of
        # ``if``, because the processor could hardly predict branches. Four kinds of literals are not added:
        # - literals that the learnt clause has already. Their levels are negative.
        # - the literal for which the clause at hand is the reason, if there is one. Its level
        #   is negative, too.
        # - literals that were assigned at level 0.
        # - literals of the present level. They are only counted, because later all but one of them are
        #   replaced by the literals that imply them.
        for spot in range(begin, end):
            lit = lits[spot]
            level = levels[lit >> 1]
            fresh: int = level > 0
            here: int = level == current
            levels[lit >> 1] = min(level, -level)
            unresolved += here
            learnt[size] = lit
            size += fresh - here
        if implied >= 0:
            levels[implied] = current
        while levels[trail[index] >> 1] >= 0:
            index -= 1
        implied = trail[index] >> 1
        activity[implied] += s.activity_step
        unresolved -= 1
        if unresolved == 0:
            break
        reason = s.reason[implied]
        index -= 1
    levels[implied] = current
    learnt[0] = trail[index] ^ 1
    for index in range(1, size):
        activity[learnt[index] >> 1] += s.activity_step
    if s.activity_step > _MAX_ACTIVITY:
        for edge in range(s.edges):
            s.activity[edge] *= 1 / _MAX_ACTIVITY
        s.activity_step /= _MAX_ACTIVITY
    return size


def _write_equality(s: Search, reason: int, lits: Ints) -> int:
    """Convert a constraint on the labels of two neighbouring cells to a clause.

    The label of a cell is the number of the path through it. These constraints are not stored as clauses. So
    when one of them causes a conflict or implies a literal, an equivalent clause is written to ``lits``. If a
    literal was implied, this literal of the clause is true and all others are false. If there was a conflict,
    all are false.

    Args:
        reason: the reason code of the constraint.
        lits: the array for the literals.
    Returns:
        The number of literals.
    """
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


def _minimise(s: Search, size: int) -> int:
    """Drop each literal of the learnt clause that is directly implied by the other literals.

    Afterwards, the second literal of the clause has the highest level among all literals but the first.

    Returns:
        The new size of the learnt clause.
    """
    learnt, level = s.learnt, s.level
    count, dropped = 1, s.longest
    for index in range(1, size):
        lit = learnt[index]
        reason = s.reason[lit >> 1]
        needed: bool = reason == NO_REASON
        if not needed:
            lits, begin, end = s.scratch, 0, 0
            if reason >= 0:
                lits, begin, end = s.arena, reason + HEADER, reason + HEADER + (s.arena[reason] >> 3)
            else:
                end = _write_equality(s, reason, lits)
            for spot in range(begin, end):
                var = lits[spot] >> 1
                if var != lit >> 1 and level[var] > 0:
                    needed = True
                    break
        if needed:
            learnt[count] = lit
            count += 1
        else:
            dropped -= 1
            learnt[dropped] = lit
    for index in range(1, count):
        level[learnt[index] >> 1] *= -1
        if level[learnt[index] >> 1] > level[learnt[1] >> 1]:
            learnt[1], learnt[index] = learnt[index], learnt[1]
    for index in range(dropped, s.longest):
        level[learnt[index] >> 1] *= -1
    return count


def _count_levels(s: Search, size: int) -> int:
    """Return the glue of the learnt clause: the number of different decision levels among its literals."""
    s.last_stamp += 1
    glue = 0
    for index in range(size):
        level = s.level[s.learnt[index] >> 1]
        glue += 1 if s.stamp[level] != s.last_stamp else 0
        s.stamp[level] = s.last_stamp
    return min(glue, _MOST_GLUE)


def _make_room(s: Search, glue_kept: int, reduce_step: int) -> bool:
    """Delete some learnt clauses if there are too many of them, or if the clause array is nearly full.

    Args:
        glue_kept: clauses with at most this glue are kept. If there are more learnt clauses than
            ``_JOINS_MANY_LEARNT`` and neighbours with the same label must be joined, the limit is 1 less. The
            glue of a clause is the number of different decision levels among its literals.
        reduce_step: how many more clauses are allowed before the next deletion.
    Returns:
        False if there is still no room for more clauses.
    """
    if s.learnt_count <= s.learnt_limit and s.words + s.longest <= s.room:
        return True
    many: bool = s.joins_neighbours and s.learnt_count > _JOINS_MANY_LEARNT
    reduce_learnt(s, glue_kept - 1 if many else glue_kept)
    s.learnt_limit += reduce_step
    return s.words + 2 * s.longest <= s.room


def reduce_learnt(s: Search, glue_kept: int) -> None:
    """Delete clauses that are true, and old learnt clauses whose glue is above ``glue_kept``.

    The glue of a clause is the number of different decision levels among its literals. The newest quarter of
    the learnt clauses is kept whatever its glue is. This may only be called at decision level 0.
    """
    arena, end, clause, seen = s.arena, s.used, 2 * s.variables + 1, 0
    oldest_kept = s.learnt_count - s.learnt_count // 4
    s.used, s.words, s.learnt_count = clause, 0, 0
    for lit in range(2 * s.variables):
        arena[lit] = -1
    while clause < end:
        size, glue, begin = arena[clause] >> 3, arena[clause] & 7, clause + HEADER
        stays: bool = glue <= glue_kept or seen >= oldest_kept
        for spot in range(begin, begin + size):
            if s.value[arena[spot]] > 0:
                stays = False
        seen += 1 if glue > 0 else 0
        if stays:
            _keep_clause(s, begin, size, glue)
        clause = (begin + size) | 1


def _keep_clause(s: Search, begin: int, size: int, glue: int) -> None:
    """Append a clause to the clauses that are kept when others are deleted.

    The clause is copied within ``arena``. Two of its literals that are not false become its first two
    literals, which are the ones that it watches. This may only be called at decision level 0.

    Args:
        begin: the position of the clause's first literal in ``arena``.
        size: the number of its literals.
        glue: the number of decision levels among its literals; 0 for a clause that is never deleted.
    """
    arena, to, free_lits = s.arena, s.used + HEADER, 0
    for index in range(size):
        lit = arena[begin + index]
        arena[to + index] = lit
        if free_lits < 2 and s.value[lit] >= 0:
            arena[to + index], arena[to + free_lits] = arena[to + free_lits], lit
            free_lits += 1
    s.learnt_count += 1 if glue > 0 else 0
    _end_clause(s, size, glue)


# A valley is a path that comes down, runs right and goes up again, with only empty cells between its two
# upright parts. Such a path could be made shorter, so clauses forbid valleys. This is the largest number of
# empty cells, side by side, for which there are such clauses. On boards of 15 × 15, a limit of 12 made the
# search no faster.
_WIDEST_VALLEY: int = 5


class ProverBoard(State):
    """A board whose drawings are to be found.

    A drawing joins each pair of numbers by a path. ``reset_prover_board`` prepares the object for another
    board. That board must not have more cells than the one for which the object was created.
    """

    rows: int
    cols: int
    cells: int
    # The kind of drawings (ways to join all pairs by paths) that count: FILLING (the paths cover every free
    # cell), LOWEST (cells may stay empty) or UNTOUCHING (as FILLING, and no path touches itself).
    kind: int

    # Whether to forbid, from the start, corners of paths that can't be supported. A corner is supported if
    # the cell diagonally inside it is a number, a solid, or a corner with edges in the same two directions.
    dead_corners: bool

    # Whether two neighbouring cells must be joined by an edge if they are on the same path.
    # ``add_board_clauses`` ignores this setting for boards on which a path may touch itself.
    joins_neighbours: bool
    # For each cell, how many edges its path uses: 1 for a cell with a number, else 2. It is -1 for a solid.
    need: Bytes = items("cells")
    # for each cell with a number: this number, counted from 0; for all other cells: -1
    label: Ints = items("cells")

    def __init__(self, rows: int, cols: int) -> None:
        cells = rows * cols
        make_fields(self, locals())
        reset_prover_board(self, rows, cols, DrawingKind.FILLING)


def reset_prover_board(p: ProverBoard, rows: int, cols: int, kind: int) -> None:
    """Set the size of the board to search, and which of its drawings count.

    A drawing joins each pair of numbers by a path. The caller must then fill in the arrays ``need`` and
    ``label``, which have an item for each cell.

    Args:
        rows, cols: the size of the board.
        kind: which drawings count, a ``DrawingKind``. For example, FILLING stands for drawings whose paths
            cover every free cell.
    """
    p.rows, p.cols, p.cells, p.kind = rows, cols, rows * cols, kind
    p.dead_corners = p.joins_neighbours = False


def add_board_clauses(s: Search, p: ProverBoard) -> None:
    """Write the clauses that describe a board, and add them to an empty search.

    The label of a cell is the number of the path through it, written in bits. The field ``joins_neighbours``
    of the board says that neighbouring cells with the same label must be joined. The search follows this rule
    only under two conditions:

    - Each number is on exactly two cells. If only a part of a board is searched, a path can enter it several
      times. Its number is then on more than two cells, and two parts of the path may touch.
    - Labels have at least three bits, so there are at least eight different labels. Empty cells have labels
      too. If there are eight labels, an empty cell can always have a label that none of its neighbours has.
    """
    label, ends, labels = p.label, 0, 0
    for cell in range(p.cells):
        for side in range(2):
            if _is_absent(p, cell, side):
                assign(s, 2 * (2 * cell + side) + 1, NO_REASON)
        if label[cell] >= 0:
            ends += 1
            labels = max(labels, label[cell] + 1)
            first = s.edges + (cell << s.shift)
            for bit in range(s.bits):
                assign(s, 2 * (first + bit) + 1 - (label[cell] >> bit & 1), NO_REASON)
    s.joins_neighbours = p.joins_neighbours and s.bits > 2 and ends == 2 * labels
    for cell in range(p.cells):
        if p.need[cell] > 0:
            _require_edges(s, p, p.kind == DrawingKind.LOWEST and label[cell] < 0, cell)
        if cell % p.cols < p.cols - 1 and cell < p.cells - p.cols:
            _limit_square_edges(s, p, cell)
        if p.kind != DrawingKind.FILLING and p.need[cell] == 2:
            _support_corners(s, p, cell, 1)
            if p.kind == DrawingKind.LOWEST:
                _fill_valleys(s, p, cell)
            else:
                _support_corners(s, p, cell, -1)


def _is_absent(p: ProverBoard, cell: int, side: int) -> bool:
    """Return whether the edge to the right of a cell (side 0) or below it (side 1) can't be used.

    An edge can't be used if it leaves the board, touches a solid, or joins two different numbers.
    """
    other = neighbour(p.rows, p.cols, cell, Direction.RIGHT + side)
    if other < 0 or p.need[cell] < 0 or p.need[other] < 0:
        return True
    return p.label[cell] >= 0 and p.label[other] >= 0 and p.label[cell] != p.label[other]


def edge_literal(cols: int, cell: int, side: int) -> int:
    return 2 * side_edge(cols, cell, side)


@cython.inline
def _add_short(s: Search, one: int, two: int, three: int) -> None:
    """Add a clause of three literals. If the third one is -1, add a clause of two literals."""
    arena, value, begin = s.arena, s.value, s.used + HEADER
    arena[begin], arena[begin + 1], arena[begin + 2] = one, two, three
    size = 2 if three < 0 else 3
    if (value[one] | value[two] | value[three if size == 3 else two]) == 0:
        _end_clause(s, size, 0)
    else:
        add_written(s, size)


def _forbid_three(s: Search, a: int, b: int, c: int, d: int) -> None:
    """Forbid that three or four of the four given literals are false.

    There are four ways to choose three of the literals. For each, a clause requires that one of them is true.
    """
    arena, value = s.arena, s.value
    if (value[a] | value[b] | value[c] | value[d]) != 0:
        _add_short(s, a, b, c)
        _add_short(s, a, b, d)
        _add_short(s, a, c, d)
        _add_short(s, b, c, d)
        return
    # Four calls of ``_add_short`` would do the same, but here each list of watches is read and written once.
    abc: cython.longlong = s.used
    abd: cython.longlong = abc + 6
    acd: cython.longlong = abc + 12
    bcd: cython.longlong = abc + 18
    arena[abc] = arena[abd] = arena[acd] = arena[bcd] = 8 * 3
    arena[abc + HEADER], arena[abc + HEADER + 1], arena[abc + HEADER + 2] = a, b, c
    arena[abd + HEADER], arena[abd + HEADER + 1], arena[abd + HEADER + 2] = a, b, d
    arena[acd + HEADER], arena[acd + HEADER + 1], arena[acd + HEADER + 2] = a, c, d
    arena[bcd + HEADER], arena[bcd + HEADER + 1], arena[bcd + HEADER + 2] = b, c, d
    arena[abc + LINKS], arena[abc + LINKS + 1] = arena[a], arena[b]
    arena[abd + LINKS], arena[abd + LINKS + 1] = abc + LINKS, abc + LINKS + 1
    arena[acd + LINKS], arena[acd + LINKS + 1] = abd + LINKS, arena[c]
    arena[bcd + LINKS], arena[bcd + LINKS + 1] = abd + LINKS + 1, acd + LINKS + 1
    arena[a], arena[b], arena[c] = acd + LINKS, bcd + LINKS, bcd + LINKS + 1
    s.used = abc + 24
    s.words += 28


def _require_edges(s: Search, p: ProverBoard, may_be_empty: bool, cell: int) -> None:
    """Require that a cell has as many used edges as ``need`` says, or none if the cell may be empty."""
    exits, size, known = s.scratch, 0, 0
    for turn in range(4):
        lit = 4 * cell + s.edge_steps[turn]
        if lit >= 0:
            exits[size] = lit
            size += 1 if s.value[lit] >= 0 else 0
            known |= 1 if s.value[lit] > 0 else 0
    if p.need[cell] == 1:
        _require_one(s, size)
        return
    if size == 4:
        _forbid_three(s, exits[0] ^ 1, exits[1] ^ 1, exits[2] ^ 1, exits[3] ^ 1)
    elif size == 3:
        _add_short(s, exits[0] ^ 1, exits[1] ^ 1, exits[2] ^ 1)
    if size == 0 and not may_be_empty:
        s.refuted = 1
    others = size if may_be_empty else size - 1
    for first in range(size):
        end = s.used + HEADER
        for second in range(size):
            s.arena[end] = exits[second] ^ (1 if second == first else 0)
            end += 1 if second != first or may_be_empty else 0
        if known == 0 and others > 1:
            _end_clause(s, others, 0)
        else:
            add_written(s, others)


def _require_one(s: Search, size: int) -> None:
    """Require that exactly one of the first ``size`` literals in ``s.scratch`` is true."""
    exits = s.scratch
    for first in range(size):
        s.arena[s.used + HEADER + first] = exits[first]
    add_written(s, size)
    for first in range(size):
        for second in range(first):
            _add_short(s, exits[first] ^ 1, exits[second] ^ 1, -1)


def _limit_square_edges(s: Search, p: ProverBoard, cell: int) -> None:
    """Forbid that paths use all four edges of a 2 × 2 square.

    The edges of the square are the four edges that join its cells.

    If paths must not touch themselves, also forbid that paths use three of these edges.

    Args:
        cell: the upper left cell of the square.
    """
    a, b, c, d = 4 * cell + 1, 4 * (cell + p.cols) + 1, 4 * cell + 3, 4 * cell + 7
    if p.kind == DrawingKind.FILLING:
        arena, begin = s.arena, s.used + HEADER
        arena[begin], arena[begin + 1], arena[begin + 2], arena[begin + 3] = a, b, c, d
        add_written(s, 4)
        return
    _forbid_three(s, a, b, c, d)


def _support_corners(s: Search, p: ProverBoard, cell: int, down: int) -> None:
    """Require that each corner of a path at a cell is supported.

    A corner is supported if the cell diagonally inside it is a number, a solid, or another corner with edges
    in the same two directions.

    Args:
        down: 1 for corners made by a horizontal edge and the edge below the cell; -1 for corners made by a
            horizontal edge and the edge above the cell.
    """
    cols = p.cols
    row, col = cell // cols, cell % cols
    for turn in range(2):
        step = 1 - 2 * turn
        if not 0 <= row + down < p.rows or not 0 <= col + step < cols:
            continue
        inner = cell + down * cols + step
        if p.need[inner] != 2 or p.label[inner] >= 0:
            continue
        across: int = Direction.RIGHT if step > 0 else Direction.LEFT
        upright: int = Direction.DOWN if down > 0 else Direction.UP
        a, b = edge_literal(cols, cell, across) ^ 1, edge_literal(cols, cell, upright) ^ 1
        if p.dead_corners and is_unsupported(p, row + down, col + step, down, step):
            _add_short(s, a, b, -1)
            continue
        _add_short(s, a, b, edge_literal(cols, inner, across) if 0 <= col + 2 * step < cols else -1)
        _add_short(s, a, b, edge_literal(cols, inner, upright) if 0 <= row + 2 * down < p.rows else -1)


def is_unsupported(p: ProverBoard, row: int, col: int, down: int, step: int) -> bool:
    """Return whether a diagonal of cells reaches the border without meeting a number or a solid.

    In the solutions that are searched for, a path can turn in a cell only if the cell diagonally inside the
    turn supports it. That cell must be a number or a solid, or a path must turn in it in the same direction.
    The second turn needs support as well, from the next cell on the diagonal, and so on. If the diagonal
    reaches the border without meeting a number or a solid, all these turns are impossible.

    Args:
        row, col: the cell with which the diagonal begins. It lies diagonally inside the first turn.
        down, step: the direction of the diagonal: 1 or -1 rows and 1 or -1 columns for each cell.
    """
    while 0 <= row < p.rows and 0 <= col < p.cols:
        if p.need[row * p.cols + col] != 2 or p.label[row * p.cols + col] >= 0:
            return False
        row, col = row + down, col + step
    return True


def _fill_valleys(s: Search, p: ProverBoard, cell: int) -> None:
    """Forbid paths that come down to a cell, run right and go up again around empty cells only.

    Such a path could be cut short: instead of going down, it could run right in the row above.
    """
    cols, arena = p.cols, s.arena
    if cell < cols:
        return
    for width in range(2, min(_WIDEST_VALLEY, cols - 1 - cell % cols) + 1):
        end = cell + width
        last_floor = end - 1 - cols
        if p.need[last_floor] != 2 or p.label[last_floor] >= 0:
            return
        begin = s.used + HEADER
        arena[begin] = edge_literal(cols, cell, Direction.UP) ^ 1
        arena[begin + 1] = edge_literal(cols, end, Direction.UP) ^ 1
        to = begin + 2
        for step in range(width):
            arena[to] = edge_literal(cols, cell + step, Direction.RIGHT) ^ 1
            to += 1
        for floor in range(cell - cols + 1, end - cols):
            if floor >= cols:
                arena[to] = edge_literal(cols, floor, Direction.UP)
                to += 1
            if floor < last_floor:
                arena[to] = edge_literal(cols, floor, Direction.RIGHT)
                to += 1
        add_written(s, to - begin)


def require_joined(s: Search, p: ProverBoard, cell: int, side: int, label: int) -> None:
    """Require that two neighbours are joined if both have the given label.

    The label of a cell is the number of the path through it. This may only be called at decision level 0.

    Args:
        side: 0 for the neighbour to the right of ``cell``, 1 for the neighbour below.
        label: the number of a pair, counted from 0.
    """
    arena, begin, other = s.arena, s.used + HEADER, larger_cell(p.cols, 2 * cell + side)
    arena[begin], size = 2 * (2 * cell + side), 1
    for bit in range(s.bits):
        differs = label >> bit & 1
        arena[begin + size] = 2 * (s.edges + (cell << s.shift) + bit) + differs
        arena[begin + size + 1] = 2 * (s.edges + (other << s.shift) + bit) + differs
        size += 2
    add_written(s, size)


def exclude_drawing(s: Search, drawing: Bytes) -> None:
    """Add a clause that forbids a drawing: not all of its edges may be used together.

    A drawing is the set of edges of paths that join all pairs. No other drawing is excluded, because the
    edges of one drawing never contain all edges of another. This may only be called at decision level 0.

    Args:
        drawing: for each cell, the ``DirectionBit`` sum of its used edges.
    """
    arena, begin, size = s.arena, s.used + HEADER, 0
    for cell in range(s.cells):
        for side in range(Direction.RIGHT, Direction.DOWN + 1):
            arena[begin + size] = edge_literal(s.cols, cell, side) ^ 1
            size += drawing[cell] >> side & 1
    add_written(s, size)
