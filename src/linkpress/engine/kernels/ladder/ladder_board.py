"""Partly drawn board: what is known about its edges, fragments and numbers, and how that changes.

A **fragment** is a maximal run of drawn edges. A cell without drawn edges is a fragment of its own. The
**need** of a cell is how many more drawn edges it must get. In the end a cell has two drawn edges, or one if
it is an endpoint of a pair. A cell that needs an edge is an end of its fragment. A fragment can also end at
an endpoint that needs no more edges.

A technique looks at the board and proposes *findings*. The board changes only in ``apply_findings``, so the
findings of a technique don't depend on the order in which it looks at the cells.

If ``LadderBoard.untouching`` is set, no path may run beside itself, which is checked whenever an edge is
drawn or ruled out. The flag is set under the rule *untouching*, which forbids such paths. It is also set for
a board that is known to have one solution under the rule *strict*: a path that runs beside itself could be
cut short, and that would be a second solution.
"""

from linkpress.engine.kernels.glossary import Contradiction, Direction, EdgeState, FindingKind
from linkpress.engine.kernels.grid import neighbour, side_edge
from linkpress.engine.kernels.pure_python import Bytes, Ints, Shorts, State, items, make_fields


class LadderBoard(State):
    """Board of a puzzle, what is known about its edges and numbers, and the findings of a solving technique.

    The caller fills in ``pairs``, ``free`` and ``untouching``.
    """

    rows: int
    cols: int
    cells: int
    pair_count: int
    untouching: bool  # whether it is known that no path of the solution runs beside itself
    free: Bytes = items("cells")  # for each cell: 0 if it is a solid, any other value if it is free
    pairs: Shorts = items("2 * pair_count")  # the two endpoints of each pair, the smaller cell first

    # the neighbour of a cell on one side, at index 4 × cell + side; -1 beyond the border or if it is a solid
    around: Shorts = items("4 * cells")

    # For each endpoint of a pair: the pair's other endpoint. For every other cell: the cell itself.
    partner: Shorts = items("cells")

    # For each end of a fragment (a run of drawn edges): the other end of the fragment. A cell without drawn
    # edges is a fragment of its own, and both ends of it.
    mate: Shorts = items("cells")

    # For each cell: the fragment (run of drawn edges) to which it belongs. A fragment is identified by the
    # index of one of its cells, which is the same for all cells of the fragment.
    line: Shorts = items("cells")
    # for each cell: the next cell of its fragment (run of drawn edges), in a circular list of all its cells
    ring: Shorts = items("cells")

    # For each fragment (run of drawn edges): the number of its cells. So the fragment to which a cell belongs
    # has ``length[line[cell]]`` cells.
    length: Shorts = items("cells")

    # For each cell: the code of the pair to which the line through the cell belongs; 0 if that is unknown.
    # The code of a pair is 1 + the index of its first cell.
    pair_code: Shorts = items("cells")
    need: Shorts = items("cells")  # for each cell: how many more drawn edges it must get

    # for each cell: how many of its edges are still open, that is, neither drawn nor ruled out
    exits: Shorts = items("cells")
    edge: Shorts = items("2 * cells")  # for each edge: OPEN, DRAWN or RULED_OUT

    # for each pair: how many fragments (runs of drawn edges) have the pair's number; the index is the
    # pair's first endpoint
    parts: Shorts = items("cells")

    # How many findings of a solving technique fit into the list of findings. There can be two findings about
    # each edge and one about each cell. A board has two edges for each cell, so there is room for five
    # findings a cell, and for a few more findings.
    capacity: int
    finding_count: int

    # for each finding of a solving technique: its kind, which is DRAWN, RULED_OUT or NUMBERED
    kind: Ints = items("capacity")

    # for each finding of a solving technique: the edge that is drawn or ruled out, or the cell that
    # gets a number
    where: Ints = items("capacity")
    reason: Ints = items("capacity")  # for each finding of a solving technique: why it holds, as a ``Reason``

    # for each finding of a solving technique: its cause, which is the cell, the number or the gap (a narrow
    # place between walls) to which its reason refers
    cause: Ints = items("capacity")
    # how many times the list of the solving techniques' findings was started anew; this number identifies
    # the present list
    stamp: int

    # A finding is one thing that a solving technique finds out about the board. For each possible finding:
    # the value of ``stamp`` when the finding was last added to the list of findings. Each time the list is
    # emptied, ``stamp`` grows by 1. So a finding is in the list if its value in this array equals the present
    # value of ``stamp``.
    seen: Ints = items("5 * cells")

    # for each cell: the number that a solving technique last proposed for the cell, by a finding
    # of kind NUMBERED
    proposed_number: Ints = items("cells")
    # how many times the list of dirty (recently changed) cells was started anew; this number identifies
    # the present list
    dirty_stamp: int

    # For each cell: the value of ``dirty_stamp`` when the cell was last added to the list of dirty (recently
    # changed) cells. Each time the list is emptied, ``dirty_stamp`` grows by 1. So a cell is in the list if
    # its value in this array equals the present value of ``dirty_stamp``.
    dirty_at: Ints = items("cells")
    dirty_count: int
    # the dirty cells: those at which an edge or a number changed recently, and those affected by
    # such a change
    dirty: Ints = items("cells")
    trail_length: int
    # the edges that were drawn or ruled out since this list was last emptied
    trail: Ints = items("2 * cells")
    contradiction: int  # the kind of the contradiction that was met last, as a ``Contradiction``
    contradiction_at: int  # the edge, cell or number at which the last contradiction was met

    def __init__(self, rows: int, cols: int, pair_count: int) -> None:
        cells = rows * cols
        capacity = 5 * cells + 8
        make_fields(self, locals())
        self.rows, self.cols, self.cells, self.pair_count = rows, cols, cells, pair_count
        self.capacity = capacity


def lay_out(board: LadderBoard) -> bool:
    """Remove all drawn lines from the board, and find the neighbours of its cells.

    Returns:
        False if a cell of the empty board needs more edges than it has neighbours.
    """
    for cell in range(board.cells):
        for side in range(4):
            board.around[4 * cell + side] = -1
        board.mate[cell] = board.line[cell] = board.ring[cell] = board.partner[cell] = cell
        board.length[cell] = 1
        board.pair_code[cell] = board.need[cell] = board.exits[cell] = 0
        board.parts[cell] = 0
        board.edge[2 * cell] = board.edge[2 * cell + 1] = EdgeState.RULED_OUT
        if board.free[cell] != 0:
            board.need[cell] = 2
            _find_neighbours(board, cell)
    for pair in range(board.pair_count):
        for end in range(2):
            cell = board.pairs[2 * pair + end]
            board.need[cell] = 1
            board.pair_code[cell] = 1 + board.pairs[2 * pair]
            board.partner[cell] = board.pairs[2 * pair + 1 - end]
        board.parts[board.pairs[2 * pair]] = 2
    for cell in range(board.cells):
        if board.exits[cell] < board.need[cell]:
            return False
    return True


def _find_neighbours(board: LadderBoard, cell: int) -> None:
    for side in range(4):
        to = neighbour(board.rows, board.cols, cell, side)
        if to < 0 or board.free[to] == 0:
            continue
        board.around[4 * cell + side] = to
        board.exits[cell] += 1
        board.edge[side_edge(board.cols, cell, side)] = EdgeState.OPEN


def edge_of(board: LadderBoard, cell: int, side: int) -> int:
    """Return the edge between a cell and its neighbour on one side. The cell must have a neighbour there.

    The neighbour is read from the table ``around``. Without this table, using ``grid.side_edge`` and
    ``grid.larger_cell`` instead, solving a board would take 4 % longer.
    """
    if side >= Direction.RIGHT:
        return 2 * cell + side - Direction.RIGHT
    return 2 * board.around[4 * cell + side] + 1 - side


def far_end(board: LadderBoard, edge: int) -> int:
    return board.around[4 * (edge >> 1) + Direction.RIGHT + (edge & 1)]


def edge_between(board: LadderBoard, one: int, other: int) -> int:
    """Return the edge between two cells; -1 if they are not neighbours."""
    for side in range(4):
        if board.around[4 * one + side] == other:
            return edge_of(board, one, side)
    return -1


def is_drawn(board: LadderBoard, cell: int, side: int) -> bool:
    return board.around[4 * cell + side] >= 0 and board.edge[edge_of(board, cell, side)] == EdgeState.DRAWN


def exit_at(board: LadderBoard, cell: int, side: int) -> int:
    """Return the neighbour of a cell on one side if the edge to it is still open; else -1."""
    to = board.around[4 * cell + side]
    if to < 0 or board.edge[edge_of(board, cell, side)] != EdgeState.OPEN:
        return -1
    return to


def copy_puzzle(board: LadderBoard, spare: LadderBoard) -> None:
    """Copy the puzzle's numbers and solids to another board of the same size, without the drawn lines."""
    spare.untouching = board.untouching
    for cell in range(board.cells):
        spare.free[cell] = board.free[cell]
    copy_shorts(board.pairs, spare.pairs, 2 * board.pair_count)
    copy_shorts(board.around, spare.around, 4 * board.cells)
    copy_shorts(board.partner, spare.partner, board.cells)


def copy_known(board: LadderBoard, spare: LadderBoard) -> None:
    """Copy the state of all edges and numbers to another board of the same size."""
    copy_shorts(board.mate, spare.mate, board.cells)
    copy_shorts(board.line, spare.line, board.cells)
    copy_shorts(board.ring, spare.ring, board.cells)
    copy_shorts(board.length, spare.length, board.cells)
    copy_shorts(board.pair_code, spare.pair_code, board.cells)
    copy_shorts(board.need, spare.need, board.cells)
    copy_shorts(board.exits, spare.exits, board.cells)
    copy_shorts(board.edge, spare.edge, 2 * board.cells)
    copy_shorts(board.parts, spare.parts, board.cells)


def copy_shorts(source: Shorts, target: Shorts, size: int) -> None:
    """Copy the first ``size`` items of one array to another."""
    for index in range(size):
        target[index] = source[index]


def count_open(board: LadderBoard) -> int:
    count = 0
    for edge in range(2 * board.cells):
        if board.edge[edge] == EdgeState.OPEN:
            count += 1
    return count


def open_end(board: LadderBoard, endpoint: int) -> int:
    """Return the cell where the line that begins at an endpoint of a pair ends so far.

    The result is -1 if the line leads to the other endpoint of the pair.
    """
    if board.need[endpoint] > 0:
        return endpoint
    last = board.mate[endpoint]
    return last if board.need[last] > 0 else -1


def can_not_join(board: LadderBoard, one: int, other: int) -> bool:
    """Return whether an edge would close a loop or join two different numbers if it were drawn."""
    first, second = board.pair_code[one], board.pair_code[other]
    return board.mate[one] == other or (first != 0 and second != 0 and first != second)


def rule_out(board: LadderBoard, edge: int) -> bool:
    """Rule out an open edge: an edge that is neither drawn nor ruled out yet.

    Returns:
        False if the edge can't be ruled out, for one of two reasons. One of its cells would be left with
        fewer open edges than it needs. Or both cells are on the same path, on a board where no path may run
        beside itself: without the edge, the path would do so.
    """
    one, other = edge >> 1, far_end(board, edge)
    board.edge[edge] = EdgeState.RULED_OUT
    board.exits[one] -= 1
    board.exits[other] -= 1
    if board.untouching and board.pair_code[one] != 0 and board.pair_code[one] == board.pair_code[other]:
        return False
    return board.exits[one] >= board.need[one] and board.exits[other] >= board.need[other]


def draw(board: LadderBoard, edge: int) -> bool:
    """Draw an open edge and join the fragments (runs of drawn edges) at its two cells.

    An open edge is neither drawn nor ruled out.

    Returns:
        False if the edge is impossible, because one of these things happens: a cell has too many drawn edges;
        a loop closes; two different numbers meet; a path runs beside itself although the board forbids it; or
        a pair is joined although another fragment with the pair's number is left over.
    """
    one, other = edge >> 1, far_end(board, edge)
    board.edge[edge] = EdgeState.DRAWN
    board.exits[one] -= 1
    board.exits[other] -= 1
    board.need[one] -= 1
    board.need[other] -= 1
    if board.need[one] < 0 or board.need[other] < 0 or can_not_join(board, one, other):
        return False
    if board.untouching and runs_beside_itself(board, one, other, 0):
        return False
    first, last = board.mate[one], board.mate[other]
    number = max(board.pair_code[one], board.pair_code[other])
    if board.pair_code[one] != 0 and board.pair_code[other] != 0:
        board.parts[number - 1] -= 1
    board.mate[first], board.mate[last] = last, first
    _number_fragment(board, one, number)
    _number_fragment(board, other, number)
    _unite_fragments(board, one, other)
    joined: bool = board.need[first] == 0 and board.need[last] == 0
    return not joined or board.parts[number - 1] == 1


def _number_fragment(board: LadderBoard, cell: int, number: int) -> None:
    while board.pair_code[cell] != number:
        board.pair_code[cell] = number
        cell = board.ring[cell]


def _unite_fragments(board: LadderBoard, one: int, other: int) -> None:
    """Unite two fragments (runs of drawn edges) that an edge has just joined.

    The cells of the shorter fragment now refer to the longer one. The circular lists of their cells are
    joined.
    """
    longer, shorter = board.line[one], board.line[other]
    if board.length[longer] < board.length[shorter]:
        longer, shorter = shorter, longer
    cell = shorter
    while board.line[cell] != longer:
        board.line[cell] = longer
        cell = board.ring[cell]
    board.ring[one], board.ring[other] = board.ring[other], board.ring[one]
    board.length[longer] += board.length[shorter]


def runs_beside_itself(board: LadderBoard, one: int, other: int, pending: int) -> bool:
    """Return whether an edge between the ends of two fragments makes a path run beside itself.

    A fragment is a run of drawn edges.

    Args:
        pending: 1 if the edge is still to be drawn, 0 if it is drawn already. For each cell, the board has
            the number of edges that are still needed there. An edge that is still to be drawn is counted in
            this number.
    """
    if lines_touch(board, one, other, one, other):
        return True
    if board.pair_code[one] == board.pair_code[other]:
        return False
    unnumbered, numbered = one, other
    if board.pair_code[one] != 0:
        unnumbered, numbered = other, one
    return _touches_number(board, unnumbered, board.pair_code[numbered], board.line[numbered], pending)


def lines_touch(board: LadderBoard, one: int, other: int, near: int, far: int) -> bool:
    """Return whether a cell of one fragment is the neighbour of a cell of another fragment.

    A fragment is a run of drawn edges. The two cells ``near`` and ``far`` are allowed to be neighbours, so
    this pair of cells alone does not make the result True.

    Args:
        one: a cell of the first fragment.
        other: a cell of the second fragment.
        near: the cell of the first fragment that may be a neighbour of ``far``; -1 if no two cells may be
            neighbours.
        far: the cell of the second fragment that may be a neighbour of ``near``; -1 if there is no such cell.
    """
    begin, beyond = one, board.line[other]
    if board.length[board.line[one]] > board.length[beyond]:
        begin, beyond, near, far = other, board.line[one], far, near
    cell = begin
    while True:
        for side in range(4):
            to = board.around[4 * cell + side]
            if to >= 0 and board.line[to] == beyond and (cell != near or to != far):
                return True
        cell = board.ring[cell]
        if cell == begin:
            return False


def _touches_number(board: LadderBoard, unnumbered: int, number: int, line: int, pending: int) -> bool:
    """Return whether giving a number to a fragment would make a path run beside itself.

    A fragment is a run of drawn edges. Two fragments with the same number may lie side by side only where
    they can still be joined.

    Args:
        unnumbered: an end of the fragment, which has no number yet.
        number: the number to give to the fragment.
        line: a fragment with this number that is about to be joined to the given fragment. The two may touch.
            It is -1 if nothing is about to be joined.
        pending: 1 if an edge from the cell ``unnumbered`` is about to be drawn; else 0.
    """
    cell = unnumbered
    while True:
        need = board.need[cell] - (pending if cell == unnumbered else 0)
        for side in range(4):
            to = board.around[4 * cell + side]
            if to < 0 or board.pair_code[to] != number or board.line[to] in (line, board.line[cell]):
                continue
            if need <= 0 or board.need[to] == 0 or board.edge[edge_of(board, cell, side)] != EdgeState.OPEN:
                return True
        cell = board.ring[cell]
        if cell == unnumbered:
            return False


def _give_number(board: LadderBoard, cell: int, number: int) -> bool:
    """Give a number to the fragment (run of drawn edges) that ends at a cell.

    Returns:
        False if the fragment can't have this number.
    """
    if board.pair_code[cell] != 0:
        return board.pair_code[cell] == number
    if board.untouching and _touches_number(board, cell, number, -1, 0):
        return False
    _number_fragment(board, cell, number)
    board.parts[number - 1] += 1
    return open_end(board, number - 1) >= 0


def forget_findings(board: LadderBoard) -> None:
    """Empty the list of findings.

    A finding is one thing that a solving technique found out about the board.
    """
    board.finding_count = 0
    board.stamp += 1


def propose(board: LadderBoard, kind: int, where: int, reason: int, cause: int) -> None:
    """Add a finding to the list of findings, unless the list already contains it.

    Args:
        kind: its ``FindingKind``: DRAWN, RULED_OUT or NUMBERED.
        where: the edge; for NUMBERED the cell.
        reason: its ``Reason``.
        cause: the cell, the number or the gap (a narrow place between walls) to which the reason refers; for
            NUMBERED the number.
    """
    cells = board.cells
    place = where if kind == EdgeState.DRAWN else where + (4 if kind == FindingKind.NUMBERED else 2) * cells
    if board.seen[place] == board.stamp and (
        kind != FindingKind.NUMBERED or board.proposed_number[where] == cause
    ):
        return
    board.seen[place] = board.stamp
    if kind == FindingKind.NUMBERED:
        board.proposed_number[where] = cause
    index = board.finding_count
    # A finding says that an edge is drawn or ruled out, or that a cell has a number. The list of findings can
    # be full only if some findings give different numbers to the same cell. The findings that are in the list
    # already show this contradiction, so further ones are dropped.
    if index == board.capacity:
        return
    board.kind[index], board.where[index] = kind, where
    board.reason[index], board.cause[index] = reason, cause
    board.finding_count = index + 1


def mark_dirty(board: LadderBoard, cell: int) -> None:
    """Add a cell to the list of cells whose surroundings have changed, unless the list has it already."""
    if board.dirty_at[cell] != board.dirty_stamp:
        board.dirty_at[cell] = board.dirty_stamp
        board.dirty[board.dirty_count] = cell
        board.dirty_count += 1


def mark_all_dirty(board: LadderBoard) -> None:
    board.dirty_count = board.cells
    for cell in range(board.cells):
        board.dirty[cell] = cell


def apply_findings(board: LadderBoard) -> bool:
    """Write all findings onto the board, and rule out all open edges of cells that need no more edges.

    An open edge is neither drawn nor ruled out. Afterwards ``dirty`` lists the cells whose surroundings have
    changed.

    Returns:
        False if the findings contradict each other, or contradict what is known.
    """
    board.dirty_count = 0
    board.dirty_stamp += 1
    for index in range(board.finding_count):
        where = board.where[index]
        if board.kind[index] == FindingKind.NUMBERED:
            mark_dirty(board, where)
            mark_dirty(board, board.mate[where])
            if not _give_number(board, where, board.cause[index]):
                return False
        elif not _settle_edge(board, board.kind[index], where):
            return False
    index = 0
    while index < board.dirty_count:
        cell = board.dirty[index]
        index += 1
        if board.need[cell] > 0 or board.exits[cell] == 0:
            continue
        for side in range(4):
            if exit_at(board, cell, side) >= 0 and not _settle_edge(
                board, EdgeState.RULED_OUT, edge_of(board, cell, side)
            ):
                return False
    return True


def _settle_edge(board: LadderBoard, kind: int, edge: int) -> bool:
    """Draw or rule out an edge. Return False if that contradicts what is known."""
    state = board.edge[edge]
    if state == kind:
        return True
    board.contradiction, board.contradiction_at = Contradiction.AT_EDGE, edge
    if state != EdgeState.OPEN:
        return False
    board.trail[board.trail_length] = edge + 1 if kind == EdgeState.DRAWN else -edge - 1
    board.trail_length += 1
    one, other = edge >> 1, far_end(board, edge)
    mark_dirty(board, one)
    mark_dirty(board, other)
    if kind != EdgeState.DRAWN:
        return rule_out(board, edge)
    mark_dirty(board, board.mate[one])
    mark_dirty(board, board.mate[other])
    return draw(board, edge)
