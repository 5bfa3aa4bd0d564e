"""A view of a board at one time says what a finding of the simple techniques rests on there.

A **fact** is a settled edge or the number of a fragment: a ``FindingKind``, and the edge or the cell. The
exits of a cell that has all its lines are closed without being facts: they rest on those lines.
"""

from linkpress.engine.kernels import pure_python as cython
from linkpress.engine.kernels.glossary import EdgeState, FindingKind, Reason
from linkpress.engine.kernels.ladder.climb import Position
from linkpress.engine.kernels.ladder.ladder_board import (
    LadderBoard,
    copy_shorts,
    edge_between,
    edge_of,
    far_end,
)
from linkpress.engine.kernels.pure_python import Bytes, Ints, Shorts, State, items, make_fields

# A way's goal, where it is no cell.
ANY_SOURCE: int = -1
ANY_WANTED: int = -2
# What a cell's fragment has its number from.
ENDPOINT: int = 1
GIVEN: int = 2


class LineView(State):
    """A view shows a board's lines.

    Args:
        position: what is known; may be left at a contradiction.
        given: cells whose fragments' numbers were found without a line to the number.
    """

    board: LadderBoard  # the position's, for what is printed; more may be known there by now
    # What was known then; with a board of its own in place of these, steps take 3 % longer.
    states: Shorts = items("2 * cells")  # by edge: OPEN, DRAWN or RULED_OUT
    needs: Shorts = items("cells")  # by cell: how many more drawn edges it takes
    pairs: Shorts = items("cells")  # by cell: of its fragment, 1 + its pair's first endpoint; 0 when unknown
    mates: Shorts = items("cells")  # by cell: the other end of the fragment that ends at it
    source: Bytes = items("cells")  # by cell: ENDPOINT, GIVEN or 0
    # The last walk, and the facts that were noted.
    stamp: int  # of the last walk
    reached: Ints = items("cells")  # by cell: the last walk that came there
    queue: Ints = items("cells")  # the cells of the last walk, in order
    queued: int  # how many these are
    before: Ints = items("cells")  # by cell: where the last walk came from, -1 at its start
    there: Ints = items("cells")  # by cell: the walk that is looked at together with the last one
    wanted: Ints = items("cells")  # by cell: the last walk for which it was a goal
    fact_count: int
    facts: Ints = items("4 * cells + 64")  # of three ways at most: 4 × the edge or cell + the kind

    def __init__(self, position: Position, given: list) -> None:
        board = position.board
        cells = board.cells
        make_fields(self, locals())
        self.board = board
        copy_shorts(board.edge, self.states, 2 * cells)
        copy_shorts(board.need, self.needs, cells)
        copy_shorts(board.number, self.pairs, cells)
        copy_shorts(board.mate, self.mates, cells)
        for index in range(2 * board.pair_count):
            self.source[board.pairs[index]] = ENDPOINT
        for cell in given:
            self.source[cell] = GIVEN

    def edge_state(self, edge: int) -> int:
        """Return the ``EdgeState`` of an edge."""
        return self.states[edge]

    def state(self, a: int, b: int) -> int:
        """Return the ``EdgeState`` between two neighbours."""
        return self.states[edge_between(self.board, a, b)]

    def is_closed(self, a: int, b: int) -> bool:
        """Tell whether the edge between two neighbours is ruled out."""
        return self.states[edge_between(self.board, a, b)] == EdgeState.RULED_OUT

    def need_of(self, cell: int) -> int:
        """Return how many more drawn edges a cell takes."""
        return self.needs[cell]

    def pair_of(self, cell: int) -> int:
        """Return 1 + the first endpoint of the pair on whose path a cell's line lies, 0 when unknown."""
        return self.pairs[cell]

    def mate_of(self, cell: int) -> int:
        """Return the other end of a line, for one end."""
        return self.mates[cell]

    def exits(self, cell: int) -> list:
        """List a cell's neighbours over open edges."""
        return _neighbours_over(self, cell, EdgeState.OPEN)

    def joined(self, cell: int) -> list:
        """List a cell's neighbours over drawn edges."""
        return _neighbours_over(self, cell, EdgeState.DRAWN)

    def line(self, cell: int) -> list:
        """List all cells of the line through a cell, that cell first."""
        _follow_line(self, cell, -1)
        return [self.queue[index] for index in range(self.queued)]

    def way(self, start: int, goals: list, without: int = -1) -> list:
        """List the cells along drawn edges from one cell to the nearest of some, or none.

        Args:
            without: an edge that is not gone over.
        """
        for goal in goals:
            self.wanted[goal] = self.stamp + 1
        cell = find_way(self, start, ANY_WANTED, without)
        way: list = []
        while cell >= 0:
            way.append(cell)
            cell = self.before[cell]
        return way[::-1]

    def numbering(self, cell: int, without: int = -1) -> set:
        """Return the facts by which the line through a cell has its number."""
        _note_numbering(self, cell, without)
        return _take_facts(self)

    def closing(self, a: int, b: int) -> set:
        """Return the facts by which no line can go from one cell to the next: at a full cell, its lines."""
        _note_closing(self, a, b)
        return _take_facts(self)

    def exits_premises(self, cell: int) -> set:
        """Return the facts by which a cell needs its open exits and has no others."""
        _note_exits(self, cell)
        return _take_facts(self)

    def touching(self, one: int, other: int) -> tuple | None:
        """Return two neighbours of which each is on the line through one of two cells."""
        cell, to = _touch_of(self, one, other, -1)
        return None if cell < 0 else (cell, to)

    def beside_itself(self, a: int, b: int) -> tuple | None:
        """Return where the path would run beside itself that an edge from ``a`` to ``b`` would make.

        Returns:
            Two neighbours that one path would pass without joining them, and why both would be on it.
        """
        cell, to = _note_beside(self, a, b)
        facts = frozenset(_take_facts(self))
        return None if cell < 0 else ((cell, to), facts)

    def simple_premises(self, where: int, reason: int, cell: int) -> frozenset:
        """Return the facts that a finding of exits, clash, turn or touch rests on."""
        a, b = where >> 1, far_end(self.board, where)
        if reason == Reason.ALL_EXITS:
            _note_exits(self, cell)
        elif reason in (Reason.CLASH, Reason.SIDE_BY_SIDE):
            _note_numbering(self, a, -1)
            _note_numbering(self, b, -1)
        elif reason == Reason.LOOP:
            _note_way(self, a, b, -1)
        elif reason == Reason.TURNS_BACK:
            _note_turn(self, a, b)
        elif reason == Reason.FORK:
            _note_exits(self, cell)
            _note_fork(self, cell, a + b - cell)
        else:
            _note_beside(self, a, b)
        return frozenset(_take_facts(self))


def find_way(lines: LineView, start: int, goal: int, without: int) -> int:
    """Walk along drawn edges, the nearest cells first, up to a goal; return that cell, or -1 for none.

    Args:
        goal: a cell; ANY_SOURCE or ANY_WANTED for the nearest of those; the number of cells for none.
        without: an edge that is not gone over, or -1.
    """
    lines.stamp += 1
    lines.queue[0], lines.queued = start, 1
    lines.reached[start], lines.before[start] = lines.stamp, -1
    index = 0
    while index < lines.queued:
        cell = lines.queue[index]
        index += 1
        if goal == cell or (goal == ANY_SOURCE and lines.source[cell] != 0):
            return cell
        if goal == ANY_WANTED and lines.wanted[cell] == lines.stamp:
            return cell
        for side in range(4):
            to = lines.board.around[4 * cell + side]
            if to < 0 or lines.reached[to] == lines.stamp:
                continue
            edge = edge_of(lines.board, cell, side)
            if lines.states[edge] == EdgeState.DRAWN and edge != without:
                lines.reached[to], lines.before[to] = lines.stamp, cell
                lines.queue[lines.queued] = to
                lines.queued += 1
    return -1


@cython.cfunc
def _neighbours_over(lines: LineView, cell: int, state: int) -> list:
    found: list = []
    for side in range(4):
        to = lines.board.around[4 * cell + side]
        if to >= 0 and lines.states[edge_of(lines.board, cell, side)] == state:
            found.append(to)
    return found


@cython.cfunc
def _take_facts(lines: LineView) -> set:
    """Return the facts that were noted since the last time."""
    facts = {(lines.facts[index] & 3, lines.facts[index] >> 2) for index in range(lines.fact_count)}
    lines.fact_count = 0
    return facts


def _note_fact(lines: LineView, kind: int, where: int) -> None:
    lines.facts[lines.fact_count] = 4 * where + kind
    lines.fact_count += 1


def _follow_line(lines: LineView, start: int, without: int) -> None:
    """Put the cells of a line into the queue, the nearest first."""
    find_way(lines, start, lines.board.cells, without)


def _note_way(lines: LineView, start: int, goal: int, without: int) -> int:
    """Note the edges of a way, and return the goal; -1 where there is none."""
    end = find_way(lines, start, goal, without)
    cell = end
    while cell >= 0 and lines.before[cell] >= 0:
        _note_fact(lines, EdgeState.DRAWN, edge_between(lines.board, cell, lines.before[cell]))
        cell = lines.before[cell]
    return end


def _note_numbering(lines: LineView, cell: int, without: int) -> None:
    end = _note_way(lines, cell, ANY_SOURCE, without)
    if end >= 0 and lines.source[end] == GIVEN:
        _note_fact(lines, FindingKind.NUMBERED, end)


def _note_lines_at(lines: LineView, cell: int) -> None:
    for side in range(4):
        if lines.board.around[4 * cell + side] >= 0:
            edge = edge_of(lines.board, cell, side)
            if lines.states[edge] == EdgeState.DRAWN:
                _note_fact(lines, EdgeState.DRAWN, edge)


def _note_closing(lines: LineView, a: int, b: int) -> None:
    if lines.needs[b] <= 0:
        _note_lines_at(lines, b)
    elif lines.needs[a] <= 0:
        _note_lines_at(lines, a)
    else:
        _note_fact(lines, EdgeState.RULED_OUT, edge_between(lines.board, a, b))


def _note_exits(lines: LineView, cell: int) -> None:
    _note_lines_at(lines, cell)
    for side in range(4):
        to = lines.board.around[4 * cell + side]
        if to >= 0 and lines.states[edge_of(lines.board, cell, side)] == EdgeState.RULED_OUT:
            _note_closing(lines, cell, to)


def _note_fork(lines: LineView, cell: int, onward: int) -> None:
    """Note why no two of the other exits can be joined: they are of one line, or of two numbers."""
    for side in range(4):
        one = _exit_but(lines, cell, side, onward)
        for further in range(side + 1, 4):
            other = _exit_but(lines, cell, further, onward)
            if one >= 0 and other >= 0 and _note_way(lines, one, other, -1) < 0:
                _note_numbering(lines, one, -1)
                _note_numbering(lines, other, -1)


def _exit_but(lines: LineView, cell: int, side: int, onward: int) -> int:
    """Return the neighbour over an open edge on one side, -1 where there is none or it is ``onward``."""
    to = lines.board.around[4 * cell + side]
    if to < 0 or to == onward or lines.states[edge_of(lines.board, cell, side)] != EdgeState.OPEN:
        return -1
    return to


def _note_turn(lines: LineView, a: int, b: int) -> None:
    for after in range(2):
        across = lines.board.cols if b == a + 1 else 1
        across = -across if after else across
        one, other = a + across, b + across
        if one < 0:
            continue
        here, there = edge_between(lines.board, a, one), edge_between(lines.board, b, other)
        if here < 0 or there < 0:
            continue
        sides = 0
        opposite = edge_between(lines.board, one, other)
        if lines.states[here] == EdgeState.DRAWN:
            sides += 1
        if lines.states[there] == EdgeState.DRAWN:
            sides += 1
        if sides == 2 or (sides == 1 and lines.states[opposite] == EdgeState.DRAWN):
            if lines.states[here] == EdgeState.DRAWN:
                _note_fact(lines, EdgeState.DRAWN, here)
            if lines.states[there] == EdgeState.DRAWN:
                _note_fact(lines, EdgeState.DRAWN, there)
            if sides == 1:
                _note_fact(lines, EdgeState.DRAWN, opposite)
            return


def _mark_line(lines: LineView, start: int, without: int) -> int:
    """Follow a line, write the walk's number into ``there`` at its cells, and return that number."""
    _follow_line(lines, start, without)
    for index in range(lines.queued):
        lines.there[lines.queue[index]] = lines.stamp
    return lines.stamp


def _touch_of(lines: LineView, one: int, other: int, without: int) -> tuple[int, int]:
    """Return a cell of the line through ``one`` and a cell beside it of the other line; twice -1 for none.

    An edge ``without`` belongs to neither line, and its ends stand beside each other anyway.
    """
    theirs = _mark_line(lines, other, without)
    _follow_line(lines, one, without)
    for index in range(lines.queued):
        cell = lines.queue[index]
        for side in range(4):
            to = lines.board.around[4 * cell + side]
            if to >= 0 and lines.there[to] == theirs and edge_of(lines.board, cell, side) != without:
                return cell, to
    return -1, -1


def _note_beside(lines: LineView, a: int, b: int) -> tuple[int, int]:
    """Return two cells where a path is beside itself, or twice -1, and note why both are on it."""
    step = edge_between(lines.board, a, b)
    cell, to = _touch_of(lines, a, b, step)
    if cell >= 0:
        _note_way(lines, a, cell, step)
        _note_way(lines, b, to, step)
        return cell, to
    cell, to = _note_beside_number(lines, a, b, step)
    if cell >= 0:
        return cell, to
    return _note_beside_number(lines, b, a, step)


def _note_beside_number(lines: LineView, fresh: int, numbered: int, step: int) -> tuple[int, int]:
    """Note where a line that gets another's number would lie beside cells of that number for good."""
    number = lines.pairs[numbered]
    if number == 0 or lines.pairs[fresh] != 0:
        return -1, -1
    theirs = _mark_line(lines, numbered, step)
    _follow_line(lines, fresh, step)
    pending = 1 if lines.states[step] == EdgeState.OPEN else 0
    for index in range(lines.queued):
        cell = lines.queue[index]
        need = lines.needs[cell] - (pending if cell == fresh else 0)
        for side in range(4):
            to = lines.board.around[4 * cell + side]
            if to < 0 or lines.pairs[to] != number or lines.there[to] == theirs:
                continue
            if lines.reached[to] == lines.stamp:
                continue
            state = lines.states[edge_of(lines.board, cell, side)]
            if state == EdgeState.OPEN and lines.needs[to] > 0 and need > 0:
                continue
            _note_numbering(lines, numbered, step)
            _note_numbering(lines, to, step)
            _note_way(lines, fresh, cell, step)
            if state == EdgeState.RULED_OUT:
                _note_closing(lines, cell, to)
            else:
                _note_lines_at(lines, cell)
                _note_lines_at(lines, to)
            return cell, to
    return -1, -1
