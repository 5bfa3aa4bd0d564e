"""Find out from which known facts a finding of a solving technique follows.

A **fact** is a drawn edge, an edge that is ruled out, or the number of a fragment (run of drawn edges). It is
stored as its ``FindingKind`` and the edge or the cell. If a cell has all the drawn edges that it needs, its
other edges are ruled out. That is not stored as facts, since it follows from the drawn edges.

``LineView`` looks at the lines around a finding. That is enough for the simple techniques. Other techniques
look at the whole board. For these, ``least_facts`` leaves out as many facts as possible while the technique
still makes the same finding.
"""

from linkpress.engine.kernels import pure_python as cython
from linkpress.engine.kernels.glossary import EdgeState, FindingKind, Reason, TechniqueCode
from linkpress.engine.kernels.ladder.cell_techniques import find_corner_at
from linkpress.engine.kernels.ladder.climb import Position, find_afresh, longest_diagonal
from linkpress.engine.kernels.ladder.ladder_board import (
    LadderBoard,
    apply_findings,
    copy_known,
    copy_shorts,
    edge_between,
    edge_of,
    far_end,
    forget_findings,
    propose,
)
from linkpress.engine.kernels.ladder.wall_order import find_order
from linkpress.engine.kernels.pure_python import Bytes, Ints, Shorts, State, for_python, items, make_fields

# ``_find_way`` walks along drawn edges to a goal. The goal is a cell, or one of these values. With
# ``_ANY_SOURCE``, the goal is any cell whose entry in ``LineView.source`` is not 0. With ``_ANY_GOAL``, it is
# any cell that is marked in ``LineView.goal`` for the present walk.
_ANY_SOURCE: int = -1
_ANY_GOAL: int = -2
# Values of ``LineView.source``, which says where the number of a cell comes from:
# - ``_ENDPOINT``: the number is printed on the board.
# - ``_GIVEN``: the number was deduced. The caller lists these cells in the argument ``given``.
_ENDPOINT: int = 1
_GIVEN: int = 2


class LineView(State):
    """View of the lines of a board at one moment, to find out from which facts a finding follows.

    It copies four arrays of the position. If it copied the whole board, explaining the solution of a board
    would take 3 % longer.

    Args:
        position: what is known about the board. It may contain a contradiction.
        given: the cells whose number was deduced before a line reached them from an endpoint.
    """

    board: LadderBoard  # the board on which the lines are drawn; only its size, pairs and neighbours are used
    states: Shorts = items("2 * cells")  # for each edge: OPEN, DRAWN or RULED_OUT
    needs: Shorts = items("cells")  # for each cell: how many more drawn edges it must get

    # For each cell: the pair to which the line through it belongs; 0 if that is unknown. A pair is identified
    # by 1 + the index of its first cell.
    pairs: Shorts = items("cells")
    mates: Shorts = items("cells")  # for each end of a fragment (run of drawn edges): its other end

    # For each cell: _ENDPOINT if its number is printed on the board, _GIVEN if its number was deduced before
    # a line reached the cell. It is 0 for all other cells: their number, if it is known, is the number of the
    # line through them.
    source: Bytes = items("cells")
    stamp: int  # how many walks along drawn edges there have been; this number identifies the present walk

    # Walks along drawn edges are numbered; ``stamp`` is the number of the present walk. For each cell: the
    # number of the last walk that reached the cell.
    reached: Ints = items("cells")
    # the cells that the last walk along drawn edges reached, in the order in which it reached them
    queue: Ints = items("cells")
    queued: int  # how many cells the last walk along drawn edges reached

    # For each cell: the cell from which the last walk along drawn edges came to it; -1 for the cell where
    # the walk began.
    before: Ints = items("cells")

    # Walks along drawn edges are numbered; ``stamp`` is the number of the present walk. For each cell: the
    # number of the walk in which ``_mark_line`` last marked the cell.
    marked: Ints = items("cells")

    # Walks along drawn edges are numbered; ``stamp`` is the number of the present walk. For each cell: the
    # number of the last walk that could end at the cell, because the cell was one of its goals.
    goal: Ints = items("cells")
    fact_count: int
    # The facts that were noted so far: drawn edges, edges that are ruled out, and numbers. A fact is stored
    # as 4 × its edge or cell, plus its ``FindingKind``.
    facts: Ints = items("4 * cells + 64")

    def __init__(self, position: Position, given: list) -> None:
        board = position.board
        cells = board.cells
        make_fields(self, locals())
        self.board = board
        copy_shorts(board.edge, self.states, 2 * cells)
        copy_shorts(board.need, self.needs, cells)
        copy_shorts(board.pair_code, self.pairs, cells)
        copy_shorts(board.mate, self.mates, cells)
        for index in range(2 * board.pair_count):
            self.source[board.pairs[index]] = _ENDPOINT
        for cell in given:
            self.source[cell] = _GIVEN

    def edge_state(self, edge: int) -> int:
        return self.states[edge]

    def state(self, a: int, b: int) -> int:
        return self.states[edge_between(self.board, a, b)]

    def is_closed(self, a: int, b: int) -> bool:
        return self.state(a, b) == EdgeState.RULED_OUT

    def need_of(self, cell: int) -> int:
        return self.needs[cell]

    def pair_of(self, cell: int) -> int:
        """Return the pair to which the line through a cell belongs; 0 if that is unknown.

        A pair is identified by 1 + the index of its first cell.
        """
        return self.pairs[cell]

    def mate_of(self, cell: int) -> int:
        return self.mates[cell]

    def exits(self, cell: int) -> list:
        return _neighbours_over(self, cell, EdgeState.OPEN)

    def joined(self, cell: int) -> list:
        return _neighbours_over(self, cell, EdgeState.DRAWN)

    def line(self, cell: int) -> list:
        """Return all cells of the line through a cell, beginning with that cell."""
        _follow_line(self, cell, -1)
        return [self.queue[index] for index in range(self.queued)]

    def way(self, start: int, goals: list, without: int = -1) -> list:
        """Return the cells on the way along drawn edges from a cell to the nearest goal.

        Args:
            goals: the cells to reach.
            without: an edge that must not be used, or -1.
        Returns:
            The cells in order, from ``start`` to the goal; an empty list if no goal can be reached.
        """
        for goal in goals:
            self.goal[goal] = self.stamp + 1
        cell = _find_way(self, start, _ANY_GOAL, without)
        way: list = []
        while cell >= 0:
            way.append(cell)
            cell = self.before[cell]
        return way[::-1]

    def numbering(self, cell: int, without: int = -1) -> set:
        """Return the facts that show which number the line through a cell belongs to.

        These are the drawn edges from the cell, along its line, to the nearest cell whose number is known.
        If this number is not printed on the board, but was deduced, the deduction is one of the facts too.

        Args:
            cell: the cell.
            without: an edge that must not be used, or -1.
        """
        _note_numbering(self, cell, without)
        return _take_facts(self)

    def closing(self, a: int, b: int) -> set:
        """Return the facts which show that the edge between two cells can't be drawn.

        A fact is a drawn edge, an edge that is ruled out, or the number of a line.

        If one of the two cells has all the drawn edges that it needs, these edges are the facts. Otherwise
        an earlier finding ruled out the edge, and this is the only fact.
        """
        _note_closing(self, a, b)
        return _take_facts(self)

    def exits_premises(self, cell: int) -> set:
        """Return the facts which show that a cell must use all its open edges.

        An open edge is neither drawn nor ruled out. The facts are the drawn edges of the cell, and the facts
        which show that its other edges can't be drawn.
        """
        _note_exits(self, cell)
        return _take_facts(self)

    def touching(self, one: int, other: int) -> tuple | None:
        """Find a place where two lines touch, which means that they have neighbouring cells.

        Args:
            one: a cell of the first line.
            other: a cell of the second line.
        Returns:
            A cell of the first line and its neighbour on the second line; None if the lines don't touch.
        """
        cell, to = _find_touch(self, one, other, -1)
        return None if cell < 0 else (cell, to)

    def beside_itself(self, a: int, b: int) -> tuple | None:
        """Find a place where a path would run beside itself if the edge from ``a`` to ``b`` were drawn.

        A fact is a drawn edge, an edge that is ruled out, or the number of a line.

        Returns:
            Two neighbouring cells of the path that are not joined, and the facts which show that both are on
            the path. None if there are no two such cells.
        """
        cell, to = _note_beside(self, a, b)
        facts = frozenset(_take_facts(self))
        return None if cell < 0 else ((cell, to), facts)

    def simple_premises(self, where: int, reason: int, cell: int) -> frozenset:
        """Return the facts from which a finding of a simple technique follows.

        The simple techniques are ``exits``, ``clash``, ``turn`` and ``touch``, as ``cell_techniques``
        explains. A fact is a drawn edge, an edge that is ruled out, or a number.

        Args:
            where: the finding's edge.
            reason: the finding's ``Reason``.
            cell: the finding's cause.
        """
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


def _find_way(lines: LineView, start: int, goal: int, without: int) -> int:
    """Walk along drawn edges, breadth first, until a goal is reached.

    Args:
        goal: the cell to reach. _ANY_SOURCE stands for any cell with an entry in ``LineView.source``, and
            _ANY_GOAL for any cell marked in ``LineView.goal``. To visit the whole line, pass the number of
            cells of the board. No cell has this index, so the walk does not end early.
        without: an edge that must not be used, or -1.
    Returns:
        The goal that was reached; -1 if none was.
    """
    lines.stamp += 1
    lines.queue[0], lines.queued = start, 1
    lines.reached[start], lines.before[start] = lines.stamp, -1
    index = 0
    while index < lines.queued:
        cell = lines.queue[index]
        index += 1
        if goal == cell or (goal == _ANY_SOURCE and lines.source[cell] != 0):
            return cell
        if goal == _ANY_GOAL and lines.goal[cell] == lines.stamp:
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
    neighbours: list = []
    for side in range(4):
        to = lines.board.around[4 * cell + side]
        if to >= 0 and lines.states[edge_of(lines.board, cell, side)] == state:
            neighbours.append(to)
    return neighbours


@cython.cfunc
def _take_facts(lines: LineView) -> set:
    """Return the facts that were noted since this function was last called.

    A fact is a drawn edge, an edge that is ruled out, or a number.
    """
    facts = {(lines.facts[index] & 3, lines.facts[index] >> 2) for index in range(lines.fact_count)}
    lines.fact_count = 0
    return facts


def _note_fact(lines: LineView, kind: int, where: int) -> None:
    lines.facts[lines.fact_count] = 4 * where + kind
    lines.fact_count += 1


def _note_if_drawn(lines: LineView, edge: int) -> None:
    if lines.states[edge] == EdgeState.DRAWN:
        _note_fact(lines, EdgeState.DRAWN, edge)


def _follow_line(lines: LineView, start: int, without: int) -> None:
    """List in ``queue`` the cells of the line through a cell, the nearest first.

    Args:
        without: an edge that must not be used, or -1.
    """
    _find_way(lines, start, lines.board.cells, without)


def _note_way(lines: LineView, start: int, goal: int, without: int) -> int:
    """Note the drawn edges on the way from a cell to a goal as facts from which a finding follows.

    Args:
        goal: the cell to reach, or a value that stands for several cells, as for ``_find_way``.
        without: an edge that must not be used, or -1.
    Returns:
        The goal that was reached; -1 if none was.
    """
    end = _find_way(lines, start, goal, without)
    cell = end
    while cell >= 0 and lines.before[cell] >= 0:
        _note_fact(lines, EdgeState.DRAWN, edge_between(lines.board, cell, lines.before[cell]))
        cell = lines.before[cell]
    return end


def _note_numbering(lines: LineView, cell: int, without: int) -> None:
    end = _note_way(lines, cell, _ANY_SOURCE, without)
    if end >= 0 and lines.source[end] == _GIVEN:
        _note_fact(lines, FindingKind.NUMBERED, end)


def _note_lines_at(lines: LineView, cell: int) -> None:
    for side in range(4):
        if lines.board.around[4 * cell + side] >= 0:
            _note_if_drawn(lines, edge_of(lines.board, cell, side))


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
    """Note the facts which show that a path through ``cell`` must use the edge to the cell ``onward``.

    A path goes through ``cell`` by two edges. So it must use this edge if no two of the other open edges of
    ``cell`` can be used together. An open edge is neither drawn nor ruled out. Two edges can't be used
    together if they lead to the same line, because that would close a loop. They can't be used together
    either if they lead to lines with different numbers.
    """
    for side in range(4):
        one = _exit_except(lines, cell, side, onward)
        for further in range(side + 1, 4):
            other = _exit_except(lines, cell, further, onward)
            if one >= 0 and other >= 0 and _note_way(lines, one, other, -1) < 0:
                _note_numbering(lines, one, -1)
                _note_numbering(lines, other, -1)


def _exit_except(lines: LineView, cell: int, side: int, onward: int) -> int:
    """Return the neighbour of a cell on one side, if the edge to it is open; else -1.

    Args:
        onward: a neighbour that must not be returned; the result is -1 in its place.
    """
    to = lines.board.around[4 * cell + side]
    if to < 0 or to == onward or lines.states[edge_of(lines.board, cell, side)] != EdgeState.OPEN:
        return -1
    return to


def _note_turn(lines: LineView, a: int, b: int) -> None:
    """Note the two drawn edges that would form a U-turn with the edge from ``a`` to ``b``.

    They are the facts which show that this edge can't be drawn.
    """
    for second_side in range(2):
        across = lines.board.cols if b == a + 1 else 1
        across = -across if second_side else across
        one, other = a + across, b + across
        if one < 0:
            continue
        from_a, from_b = edge_between(lines.board, a, one), edge_between(lines.board, b, other)
        if from_a < 0 or from_b < 0:
            continue
        drawn = 0
        opposite = edge_between(lines.board, one, other)
        if lines.states[from_a] == EdgeState.DRAWN:
            drawn += 1
        if lines.states[from_b] == EdgeState.DRAWN:
            drawn += 1
        if drawn == 2 or (drawn == 1 and lines.states[opposite] == EdgeState.DRAWN):
            _note_if_drawn(lines, from_a)
            _note_if_drawn(lines, from_b)
            if drawn == 1:
                _note_fact(lines, EdgeState.DRAWN, opposite)
            return


def _mark_line(lines: LineView, start: int, without: int) -> int:
    """Mark each cell of the line through a cell: set the cell's entry in ``marked`` to ``stamp``.

    ``stamp`` is a number that grows with each walk along drawn edges. So marks of earlier walks have other
    values and need not be cleared.

    Args:
        without: an edge that is treated as if it were not drawn, or -1.
    Returns:
        The value of ``stamp``, by which the caller recognizes the marked cells.
    """
    _follow_line(lines, start, without)
    for index in range(lines.queued):
        lines.marked[lines.queue[index]] = lines.stamp
    return lines.stamp


def _find_touch(lines: LineView, one: int, other: int, without: int) -> tuple[int, int]:
    """Find a cell on the line through ``one`` that has a neighbour on the line through ``other``.

    Args:
        without: an edge that is ignored. The lines don't follow it, and its two cells are not returned as
            neighbours.
    Returns:
        The two cells; -1 twice if there are none.
    """
    others = _mark_line(lines, other, without)
    _follow_line(lines, one, without)
    for index in range(lines.queued):
        cell = lines.queue[index]
        for side in range(4):
            to = lines.board.around[4 * cell + side]
            if to >= 0 and lines.marked[to] == others and edge_of(lines.board, cell, side) != without:
                return cell, to
    return -1, -1


def _note_beside(lines: LineView, a: int, b: int) -> tuple[int, int]:
    """Find a place where a path would run beside itself if it used the edge from ``a`` to ``b``.

    Such a place is two neighbouring cells of the path that are not joined. The facts which show that both
    cells are on the path are stored in ``lines.facts``.

    Returns:
        The two cells; -1 twice if there is no such place.
    """
    step = edge_between(lines.board, a, b)
    cell, to = _find_touch(lines, a, b, step)
    if cell >= 0:
        _note_way(lines, a, cell, step)
        _note_way(lines, b, to, step)
        return cell, to
    cell, to = _note_beside_number(lines, a, b, step)
    if cell >= 0:
        return cell, to
    return _note_beside_number(lines, b, a, step)


def _note_beside_number(lines: LineView, unnumbered: int, numbered: int, step: int) -> tuple[int, int]:
    """Find where a line without a number would touch a line with the number that it would get.

    The edge ``step`` would join a line without a number to a line with a number. The joined line would have
    this number. It must not touch a third line that has the same number, because one path can't run beside
    itself. Neighbouring cells between which an edge can still be drawn do not count as touching.

    Args:
        unnumbered: the end of the unnumbered line.
        numbered: the end of the numbered line.
        step: the edge that would join these ends.
    Returns:
        A cell of the unnumbered line and its neighbour on the third line; -1 twice if there are none.
    """
    number = lines.pairs[numbered]
    if number == 0 or lines.pairs[unnumbered] != 0:
        return -1, -1
    others = _mark_line(lines, numbered, step)
    _follow_line(lines, unnumbered, step)
    pending = 1 if lines.states[step] == EdgeState.OPEN else 0
    for index in range(lines.queued):
        cell = lines.queue[index]
        need = lines.needs[cell] - (pending if cell == unnumbered else 0)
        for side in range(4):
            to = lines.board.around[4 * cell + side]
            if to < 0 or lines.pairs[to] != number or lines.marked[to] == others:
                continue
            if lines.reached[to] == lines.stamp:
                continue
            state = lines.states[edge_of(lines.board, cell, side)]
            if state == EdgeState.OPEN and lines.needs[to] > 0 and need > 0:
                continue
            _note_numbering(lines, numbered, step)
            _note_numbering(lines, to, step)
            _note_way(lines, unnumbered, cell, step)
            if state == EdgeState.RULED_OUT:
                _note_closing(lines, cell, to)
            else:
                _note_lines_at(lines, cell)
                _note_lines_at(lines, to)
            return cell, to
    return -1, -1


class FactSelection(State):
    """A set of facts from which a finding of a technique follows.

    A fact is a drawn edge, an edge that is ruled out, or a number. ``least_facts`` makes the set smaller by
    leaving out one fact after the other.
    """

    count: int

    # for each fact (drawn edge, ruled-out edge, or number): its kind, as a ``FindingKind``
    fact_kind: Ints = items("count")

    # for each fact: the edge that is drawn or ruled out, or the cell that has a number
    fact_where: Ints = items("count")

    # for each fact that a cell has a number: this number; 0 if the fact is about an edge
    fact_number: Ints = items("count")
    # for each fact (drawn edge, ruled-out edge, or number): 0 if it is left out, 1 if it is in use, 2 if it
    # must never be left out
    in_use: Bytes = items("count")
    # the indexes of the facts (drawn edges, ruled-out edges, or numbers) that may still be left out, in the
    # order in which this is tried
    candidate: Ints = items("count")
    candidate_count: int
    technique: int  # the code of the technique whose finding is explained

    # the ``FindingKind`` of the technique's finding that is explained; 0 if a contradiction is explained
    kind: int

    # the edge or cell that the explained finding of a technique is about; for a contradiction, the edge, cell
    # or number at which it was met
    where: int

    # the ``Reason`` of the technique's finding that is explained, or the ``Contradiction`` that it met
    reason: int

    # Only used if a technique's finding is explained that gives a number to a cell: this number.
    cause: int

    # If the finding gives a number to a line: for each cell, 1 if it is on this line, else 0. The technique
    # may state the finding for any one of the line's cells.
    is_place: Bytes = items("cells")

    def __init__(self, count: int, cells: int) -> None:
        make_fields(self, locals())
        self.count = count


@for_python
def least_facts(
    start: Position, facts: list, order: list, staying: list, technique: int, wanted: list, line: list
) -> list:
    """Return a minimal set of facts from which a technique still makes a certain finding.

    A fact is a drawn edge, an edge that is ruled out, or a number.

    Args:
        start: the position without the facts. It is not changed.
        facts: the facts, in the order in which they are written onto the board, as a flat list. Each fact has
            three numbers: its ``FindingKind``, its edge or cell, and the number that the cell has, or 0 for
            an edge.
        order: the indexes of all facts, in the order in which to try to leave them out.
        staying: the indexes of the facts that must be kept.
        technique: the code of the technique. The technique for walls, which is also called ``order``, works
            in a simpler way here than while a board is solved: it does not try to draw single edges.
        wanted: the finding, as four numbers: its kind, its edge or cell, its reason and its cause. If the
            technique must find a contradiction, the numbers are 0, the cell or number of the contradiction,
            the ``Contradiction``, and 0.
        line: if the finding gives a number to a line, the cells of this line. The technique may give the
            number to any of them.
    Returns:
        The indexes of the facts in the minimal set, including the facts that must be kept.
    """
    position: Position = start.copy()
    selection: FactSelection = FactSelection(len(order), position.board.cells)
    selection.technique, selection.candidate_count = technique, len(order)
    selection.kind, selection.where, selection.reason, selection.cause = wanted
    for index in range(selection.count):
        selection.fact_kind[index], selection.fact_where[index] = facts[3 * index], facts[3 * index + 1]
        selection.fact_number[index] = facts[3 * index + 2]
        selection.candidate[index], selection.in_use[index] = order[index], 1
    for index in staying:
        selection.in_use[index] = 2
    for cell in line:
        selection.is_place[cell] = 1
    with cython.nogil:
        _leave_out(start, position, selection)
    return [index for index in range(len(order)) if selection.in_use[index] != 0]


def _leave_out(start: Position, position: Position, selection: FactSelection) -> None:
    """Leave out facts, group by group, as long as the technique still makes the same finding.

    A fact is a drawn edge, an edge that is ruled out, or a number. The first groups contain half of all
    facts. Later groups are smaller, and the last ones are single facts.
    """
    size = max(1, selection.candidate_count // 2)
    while True:
        index = 0
        while index < selection.candidate_count:
            end = min(index + size, selection.candidate_count)
            _set_in_use(selection, index, end, 0)
            if _still_finds(start, position, position.board, selection):
                for after in range(end, selection.candidate_count):
                    selection.candidate[index + after - end] = selection.candidate[after]
                selection.candidate_count -= end - index
            else:
                _set_in_use(selection, index, end, 1)
                index = end
        if size == 1:
            return
        size = size // 2


def _set_in_use(selection: FactSelection, begin: int, end: int, in_use: int) -> None:
    for index in range(begin, end):
        fact = selection.candidate[index]
        if selection.in_use[fact] != 2:
            selection.in_use[fact] = in_use


def _still_finds(start: Position, position: Position, board: LadderBoard, selection: FactSelection) -> bool:
    """Return whether the technique still makes the same finding if only the facts in use are known.

    A fact is a drawn edge, an edge that is ruled out, or a number.
    """
    copy_known(start.board, position.board)
    forget_findings(board)
    for index in range(selection.count):
        if selection.in_use[index] != 0:
            kind, number = selection.fact_kind[index], selection.fact_number[index]
            propose(board, kind, selection.fact_where[index], 0, number)
    board.trail_length = 0
    consistent: bool = apply_findings(position.board)
    if not _find_wanted(position, selection, consistent):
        same: bool = board.contradiction == selection.reason and board.contradiction_at == selection.where
        return selection.kind == 0 and same
    for index in range(board.finding_count):
        if board.kind[index] != selection.kind or board.reason[index] != selection.reason:
            continue
        if selection.kind != FindingKind.NUMBERED:
            if board.where[index] == selection.where:
                return True
        elif board.cause[index] == selection.cause and selection.is_place[board.where[index]]:
            return True
    return False


def _find_wanted(position: Position, selection: FactSelection, consistent: bool) -> bool:
    """Apply a technique again, to make the finding or meet the contradiction that is to be explained.

    The techniques ``corner`` and ``diagonal`` usually examine all cells, and each of their findings is about
    an edge. For these two techniques, only the two cells of the wanted finding's edge are examined here,
    unless the facts contradict each other.

    Returns:
        False if the technique finds a contradiction.
    """
    forget_findings(position.board)
    technique = selection.technique
    if technique == TechniqueCode.ORDER:
        return find_order(position.board, position.order)
    if consistent and technique in (TechniqueCode.CORNER, TechniqueCode.DIAGONAL):
        longest = longest_diagonal(position, technique)
        one, other = selection.where >> 1, far_end(position.board, selection.where)
        holds: bool = find_corner_at(position.board, position.bends, one, longest)
        return holds and find_corner_at(position.board, position.bends, other, longest)
    return find_afresh(position, technique)
