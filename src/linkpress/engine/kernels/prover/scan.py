"""A scan searches for drawings and learns nothing: row by row, with what follows at once from each edge.

Where a question is small it is done before the clause-learning search has written its clauses down. Of 129
hand-made boards of up to 100 squares the middle one takes 250 contradictions and a tenth of a millisecond,
against 110 and 0.4 ms; a window of 6 × 6 takes 3 µs against 20. Its contradictions grow faster with the
board, so that it has a budget of them, and ``drawings`` asks the other search after that.

Cells lie in a frame: a margin to the right of each row, which is also the margin to the left of the next,
and a row above and below. A cell is known by its place there, row by row, ``stride`` places a row. Edges are
numbered as everywhere: ``2 * cell`` goes right, ``2 * cell + 1`` down; the edges of the frame are ruled out.

The edges that are drawn join cells to lines. Each end of a line knows what is at the other: its ``mate``
is the cell there, or where a number stands there ``-2`` less that number. A cell inside a line, or of a line
between two numbers, has CLOSED. So no line closes to a loop, and none joins two different numbers.

Beyond what every drawing keeps (one edge at an end, two or none elsewhere), the paths of a LOWEST drawing

- never touch themselves: no square lies beside another of its path but those before and after;
- have their corners propped, and no valley with an empty floor: ``drawings`` says what these are.

No drawing of fewest squares touches itself, or it could be cut short, so that the reasons given there hold.

Tried and not taken up: counting what must cross each line between two columns or rows against the edges
left there (a fifth fewer contradictions, each twice as dear); numbers known all along a line, to see sooner
that it touches itself (a twentieth fewer, each a fifth dearer); a table of the rows that failed (met again
so seldom that it took as long).
"""

from linkpress.engine.kernels.glossary import Direction, DrawingKind, SearchOutcome
from linkpress.engine.kernels.grid import larger_cell, side_edge, side_in_turn, step_to
from linkpress.engine.kernels.prover.clauses import Question, is_unpropped
from linkpress.engine.kernels.pure_python import Bytes, Ints, State, items, make_fields

CLOSED: int = -1
# A cell's mate changes at most four times for each edge drawn, and each change takes two words.
_MATE_WORDS: int = 16


class Scan(State):
    """A scan has this state. ``pose_scan`` makes it fresh, for a smaller board too."""

    covers: bool  # whether every square is to be covered
    untouching: bool  # whether no path may touch itself
    stride: int  # places a row
    begin: int  # the first cell
    end: int  # behind the last one
    at: int  # of the cells before this one all edges are settled
    value: Bytes = items("2 * places")  # by edge: 1 drawn, -1 ruled out, 0 open
    degree: Bytes = items("places")  # by cell: how many drawn edges it has, and one more at an end
    left: Bytes = items("places")  # by cell: how many open edges it has
    fixed: Bytes = items("places")  # by cell: 1 for an end, a solid and the frame
    dead: Bytes = items("places")  # 1 where no corner right and down can be propped, 2 left and down, 3: both
    mate: Ints = items("places")  # by cell: as the module says
    trail: Ints = items("2 * places")  # the settled edges in their order
    tail: int  # edges on the trail
    done: int  # of them, those from which everything has been concluded
    mates: Ints = items("_MATE_WORDS * places")  # cells and the mates that they had, in their order
    mates_tail: int  # words of that
    depth: int  # edges decided upon
    begins: Ints = items("2 * places")  # by depth: where on the trail it begins
    mates_begin: Ints = items("2 * places")  # by depth: where on ``mates`` it begins
    decided: Ints = items("2 * places")  # by depth: the edge that was drawn there

    def __init__(self, rows: int, cols: int) -> None:
        places = (rows + 2) * (cols + 1) + 1
        make_fields(self, locals())


def pose_scan(s: Scan, q: Question) -> bool:
    """Make a search for a question's drawings; False where it contradicts itself at once."""
    s.covers, s.untouching = q.kind != DrawingKind.LOWEST, q.kind != DrawingKind.FILLING
    s.stride = stride = q.cols + 1
    s.begin = s.at = stride
    s.end = (q.rows + 1) * stride
    s.tail = s.done = s.mates_tail = s.depth = 0
    for place in range(s.end + stride + 1):
        s.value[2 * place] = s.value[2 * place + 1] = -1
        s.degree[place] = s.left[place] = s.dead[place] = 0
        s.fixed[place], s.mate[place] = 1, CLOSED
    for cell in range(q.cells):
        place = stride + cell // q.cols * stride + cell % q.cols
        if q.need[cell] < 0:
            continue
        s.mate[place] = place
        s.fixed[place] = 0
        if q.need[cell] == 1:
            s.mate[place], s.fixed[place], s.degree[place] = -2 - q.label[cell], 1, 1
    for place in range(s.begin, s.end):
        _open_edge(s, place, place + 1, 2 * place)
        _open_edge(s, place, place + stride, 2 * place + 1)
    if s.untouching:
        for place in range(s.begin, s.end):
            below, col = place // stride, place % stride
            s.dead[place] = 1 if is_unpropped(q, below, col + 1, 1, 1) else 0
            s.dead[place] += 2 if is_unpropped(q, below, col - 1, 1, -1) else 0
    for place in range(s.begin, s.end):
        if s.mate[place] < CLOSED and not _part_ends(s, place):
            return False
        if not _count_edges(s, place):
            return False
    return _conclude_all(s)


def _open_edge(s: Scan, place: int, other: int, edge: int) -> None:
    """Open an edge, unless it enters a solid or the frame."""
    if s.mate[place] != CLOSED and s.mate[other] != CLOSED:
        s.value[edge] = 0
        s.left[place] += 1
        s.left[other] += 1


def _set_edge(s: Scan, edge: int, drawn: int) -> bool:
    """Draw an edge (1) or rule it out (-1); False if the opposite is known."""
    if s.value[edge] != 0:
        return s.value[edge] == drawn
    cell = edge >> 1
    other = larger_cell(s.stride, edge)
    s.value[edge] = drawn
    s.left[cell] -= 1
    s.left[other] -= 1
    if drawn > 0:
        s.degree[cell] += 1
        s.degree[other] += 1
    s.trail[s.tail] = edge
    s.tail += 1
    return True


def _rule_out(s: Scan, edge: int) -> None:
    if s.value[edge] == 0:
        _set_edge(s, edge, -1)


def _set_mate(s: Scan, cell: int, mate: int) -> None:
    s.mates[s.mates_tail], s.mates[s.mates_tail + 1] = cell, s.mate[cell]
    s.mates_tail += 2
    s.mate[cell] = mate


def _conclude_all(s: Scan) -> bool:
    """Draw all conclusions; False when they contradict each other."""
    while s.done < s.tail:
        edge = s.trail[s.done]
        s.done += 1
        cell = edge >> 1
        other = larger_cell(s.stride, edge)
        if s.value[edge] > 0:
            if s.degree[cell] > 2 or s.degree[other] > 2 or not _join_lines(s, cell, other):
                return False
            if s.untouching and not _shape(s, cell, other, edge):
                return False
        if not _count_edges(s, cell) or not _count_edges(s, other):
            return False
    return True


def _count_edges(s: Scan, cell: int) -> bool:
    """Conclude from a cell's edges what those still open are; False when they are too few or too many."""
    degree, left, value = s.degree[cell], s.left[cell], s.value
    if degree > 2:
        return False
    if left == 0:
        return degree == 2 or (degree == 0 and (s.fixed[cell] != 0 or not s.covers))
    drawn = 0
    if degree == 2:
        drawn = -1
    elif left == 1:
        if degree == 0 and s.covers:
            return False
        drawn = 1 if degree == 1 else -1
    elif left == 2 and degree == 0 and s.covers:
        drawn = 1
    if drawn == 0:
        return True
    for turn in range(4):
        edge = side_edge(s.stride, cell, side_in_turn(turn))
        if value[edge] == 0:
            _set_edge(s, edge, drawn)
    return True


def _join_lines(s: Scan, cell: int, other: int) -> bool:
    """Make one line of the two that end in an edge's cells; False where that can't be."""
    mate, mate_of_other = s.mate[cell], s.mate[other]
    if CLOSED in (mate, mate_of_other) or mate == other:
        return False
    if mate < 0 and mate_of_other < 0 and mate != mate_of_other:
        return False
    _set_mate(s, cell, CLOSED)
    _set_mate(s, other, CLOSED)
    if mate >= 0:
        _set_mate(s, mate, mate_of_other)
    if mate_of_other >= 0:
        _set_mate(s, mate_of_other, mate)
    if mate >= 0 and mate_of_other >= 0:
        # An edge on its own has its ends side by side; of any longer line the ends would touch.
        alone: bool = mate == cell and mate_of_other == other
        return alone or not s.untouching or not _touch(s, mate, mate_of_other)
    if mate >= 0:
        return _part_ends(s, mate)
    return mate_of_other < 0 or _part_ends(s, mate_of_other)


def _touch(s: Scan, one: int, other: int) -> bool:
    apart = one - other if one > other else other - one
    return apart == 1 or apart == s.stride


def _part_ends(s: Scan, cell: int) -> bool:
    """Rule out, where a line from a number ends, the edges to ends of other numbers' lines.

    Where paths never touch themselves, the end of its number's other line is joined if it lies beside it.
    """
    number = s.mate[cell]
    for turn in range(4):
        side = side_in_turn(turn)
        there, edge = cell + step_to(s.stride, side), side_edge(s.stride, cell, side)
        if s.mate[there] < CLOSED:
            if s.mate[there] != number:
                _rule_out(s, edge)
            elif s.untouching and not _set_edge(s, edge, 1):
                return False
    return True


def _shape(s: Scan, cell: int, other: int, edge: int) -> bool:
    """Conclude from a drawn edge for the 2 × 2 squares beside it and the corners at its ends."""
    stride = s.stride
    if edge & 1:
        if not _spare(s, cell) or not _spare(s, cell - 1) or not _prop_beside(s, cell, Direction.DOWN):
            return False
        return not s.covers or _prop_beside(s, other, Direction.UP)
    if not _spare(s, cell) or not _spare(s, cell - stride):
        return False
    if not _prop_along(s, cell, Direction.RIGHT, Direction.DOWN):
        return False
    if not _prop_along(s, other, Direction.LEFT, Direction.DOWN):
        return False
    if not s.covers:
        return True
    if not _prop_along(s, cell, Direction.RIGHT, Direction.UP):
        return False
    return _prop_along(s, other, Direction.LEFT, Direction.UP)


def _spare(s: Scan, cell: int) -> bool:
    """Leave undrawn two edges of the 2 × 2 square right of and below a cell; False where three are drawn."""
    value, below = s.value, 2 * (cell + s.stride)
    drawn = (1 if value[2 * cell] > 0 else 0) + (1 if value[2 * cell + 1] > 0 else 0)
    drawn += (1 if value[below] > 0 else 0) + (1 if value[2 * cell + 3] > 0 else 0)
    if drawn == 2:
        _rule_out(s, 2 * cell)
        _rule_out(s, 2 * cell + 1)
        _rule_out(s, below)
        _rule_out(s, 2 * cell + 3)
    return drawn <= 2


def _prop(s: Scan, cell: int, across: int, upright: int) -> bool:
    """Prop a corner by an end, a solid or the same corner in its crook; False where that can't be."""
    crook = cell + step_to(s.stride, across) + step_to(s.stride, upright)
    if s.fixed[crook]:
        return True
    sideways, onward_edge = side_edge(s.stride, crook, across), side_edge(s.stride, crook, upright)
    return _set_edge(s, sideways, 1) and _set_edge(s, onward_edge, 1)


def _prop_beside(s: Scan, cell: int, upright: int) -> bool:
    """Prop the corners of an upright edge just drawn, at the cell from which it leads up or down."""
    if s.value[2 * cell] > 0:
        return _prop(s, cell, Direction.RIGHT, upright)
    if s.value[2 * (cell - 1)] > 0:
        return _prop(s, cell, Direction.LEFT, upright)
    if upright == Direction.DOWN and s.dead[cell] & 1:
        _rule_out(s, 2 * cell)
    if upright == Direction.DOWN and s.dead[cell] & 2:
        _rule_out(s, 2 * (cell - 1))
    return True


def _prop_along(s: Scan, cell: int, across: int, upright: int) -> bool:
    """Prop the corner of an edge just drawn to one side, at the cell from which it leads there."""
    edge = side_edge(s.stride, cell, upright)
    if s.value[edge] > 0:
        return _prop(s, cell, across, upright)
    if upright == Direction.DOWN and s.dead[cell] & (1 if across == Direction.RIGHT else 2):
        _rule_out(s, edge)
    return True


def scan_on(s: Scan, budget: int) -> tuple[int, int]:
    """Search on until every edge is settled, or so many contradictions were met.

    Args:
        s: posed without a contradiction, or as it was left; then its last drawing counts as one.
    Returns:
        EXHAUSTED (there is no drawing, or no other), FOUND or GAVE_UP; contradictions met.
    """
    spent = 0
    failed: bool = s.at == s.end
    while True:
        if not failed:
            failed = not _go_on(s)
        if failed:
            spent += 1
            if s.depth == 0:
                return SearchOutcome.EXHAUSTED, spent
            if spent >= budget:
                return SearchOutcome.GAVE_UP, spent
            failed = not _turn_back(s)
        elif s.at == s.end:
            return SearchOutcome.FOUND, spent
        else:
            failed = not _decide_at(s)


def _go_on(s: Scan) -> bool:
    """Leave the cells behind whose edges are settled; False at the end of a valley with an empty floor."""
    cell, value = s.at, s.value
    while cell < s.end and value[2 * cell] != 0 and value[2 * cell + 1] != 0:
        turns_up: bool = value[2 * (cell - 1)] > 0 and value[2 * (cell - s.stride) + 1] > 0
        if turns_up and not s.covers and _is_valley(s, cell):
            return False
        cell += 1
    s.at = cell
    return True


def _is_valley(s: Scan, cell: int) -> bool:
    """Tell whether a path going up from a cell came down at the other end of its run, with an empty floor."""
    other, floor = cell - 1, cell - 1 - s.stride
    while s.value[2 * (other - s.stride) + 1] <= 0:
        if s.fixed[floor] or s.degree[floor] or s.value[2 * (other - 1)] <= 0:
            return False
        other, floor = other - 1, floor - 1
    return True


def _decide_at(s: Scan) -> bool:
    """Draw the first open edge and all that follows; False if that contradicts itself."""
    edge = 2 * s.at if s.value[2 * s.at] == 0 else 2 * s.at + 1
    s.begins[s.depth], s.mates_begin[s.depth], s.decided[s.depth] = s.tail, s.mates_tail, edge
    s.depth += 1
    return _set_edge(s, edge, 1) and _conclude_all(s)


def _turn_back(s: Scan) -> bool:
    """Rule out the edge drawn last instead, and all that follows; False if that contradicts itself."""
    s.depth -= 1
    begin, mates_begin, edge = s.begins[s.depth], s.mates_begin[s.depth], s.decided[s.depth]
    for index in range(s.tail - 1, begin - 1, -1):
        settled = s.trail[index]
        cell = settled >> 1
        other = larger_cell(s.stride, settled)
        s.left[cell] += 1
        s.left[other] += 1
        if s.value[settled] > 0:
            s.degree[cell] -= 1
            s.degree[other] -= 1
        s.value[settled] = 0
    for index in range(s.mates_tail - 2, mates_begin - 2, -2):
        s.mate[s.mates[index]] = s.mates[index + 1]
    s.tail = s.done = begin
    s.mates_tail, s.at = mates_begin, edge >> 1
    return _set_edge(s, edge, -1) and _conclude_all(s)


def write_drawing(s: Scan, q: Question, drawing: Bytes) -> None:
    """Write down, by cell of the board, the sum of ``DirectionBit`` of its drawn edges."""
    for cell in range(q.cells):
        place = s.begin + cell // q.cols * s.stride + cell % q.cols
        drawing[cell] = 0
        for side in range(4):
            if s.value[side_edge(s.stride, place, side)] > 0:
                drawing[cell] |= 1 << side
