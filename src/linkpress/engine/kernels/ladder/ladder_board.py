"""A ladder board is drawn in part: what is known of its edges, fragments and numbers, and how that changes.

A fragment is a longest run of drawn edges; a lone cell is one, too. It goes by the name of one of its cells.
A cell with need is an end of its fragment, and an end without need is an endpoint.

On a board that is known to be strict no path runs beside itself: the only drawing is one that could not
be cut short. By the rule *untouching* none may. Where ``LadderBoard.untouching`` says so, drawing and ruling
out edges see to it.

A technique looks at the board and proposes; nothing changes until ``apply_findings``, so that what it
finds does not depend on the order in which it looks.
"""

from linkpress.engine.kernels.glossary import Contradiction, Direction, EdgeState, FindingKind
from linkpress.engine.kernels.grid import neighbour, side_edge
from linkpress.engine.kernels.pure_python import Bytes, Ints, Shorts, State, items, make_fields


class LadderBoard(State):
    """A board has what is printed, what is known of it, and what the technique at work has found."""

    # As it is printed; ``pairs``, ``free`` and ``untouching`` are the caller's to fill in.
    rows: int
    cols: int
    cells: int
    pair_count: int
    untouching: bool  # whether paths are known not to run beside themselves
    free: Bytes = items("cells")  # by cell: 0 for a solid
    pairs: Shorts = items("2 * pair_count")  # 2 × pairs: the endpoints of each pair, the smaller cell first
    around: Shorts = items("4 * cells")  # 4 × cell: its neighbour up, left, right and down, -1 for none
    partner: Shorts = items("cells")  # by cell: an endpoint's other endpoint, itself for any other cell
    # What is known.
    mate: Shorts = items("cells")  # by cell: the other end of a fragment that ends there, maybe itself
    line: Shorts = items("cells")  # by cell: the name of its fragment, one of its cells
    ring: Shorts = items("cells")  # by cell: the next cell of its fragment, itself for a lone cell
    length: Shorts = items("cells")  # by name of a fragment: its cells
    number: Shorts = items("cells")  # by cell: of its fragment, 1 + its pair's first endpoint; 0 when unknown
    need: Shorts = items("cells")  # by cell: how many more drawn edges it takes
    exits: Shorts = items("cells")  # by cell: how many of its edges are open
    edge: Shorts = items("2 * cells")  # by edge: OPEN, DRAWN or RULED_OUT
    parts: Shorts = items("cells")  # by a pair's first endpoint: how many fragments carry its number
    # What was found: DRAWN or RULED_OUT with an edge, or NUMBERED with a cell, its cause the number.
    capacity: int  # findings that there is room for: every edge each way, every cell's number
    finding_count: int
    kind: Ints = items("capacity")  # by finding: DRAWN, RULED_OUT or NUMBERED
    where: Ints = items("capacity")  # by finding: the edge or the cell
    reason: Ints = items("capacity")  # by finding: why, a ``Reason``
    cause: Ints = items("capacity")  # by finding: because of what; ``Reason`` says what of
    stamp: int  # of the present list, for ``seen``; ``forget_findings`` begins the first
    seen: Ints = items("5 * cells")  # by edge drawn, edge ruled out, cell: the last list that had it
    given: Ints = items("cells")  # by cell: the number last proposed for it
    touch_stamp: int  # of the present dirty cells, for ``touched``
    touched: Ints = items("cells")  # by cell: when it was last noted as dirty
    dirty_count: int
    dirty: Ints = items("cells")  # the cells whose surroundings have changed, ``dirty_count`` of them
    settled: int  # how many edges are on the trail
    trail: Ints = items("2 * cells")  # all settled edges since ``settled`` was 0, automatic ones too
    fault: int  # the last contradiction, a ``Contradiction``
    fault_at: int  # its place; ``Contradiction`` says what of

    def __init__(self, rows: int, cols: int, pair_count: int) -> None:
        cells = rows * cols
        capacity = 5 * cells + 8
        make_fields(self, locals())
        self.rows, self.cols, self.cells, self.pair_count = rows, cols, cells, pair_count
        self.capacity = capacity


def lay_out(board: LadderBoard) -> bool:
    """Clear a board, so that nothing is drawn, and note its cells' neighbours.

    Returns:
        False when a cell has too few exits from the start.
    """
    for cell in range(board.cells):
        for side in range(4):
            board.around[4 * cell + side] = -1
        board.mate[cell] = board.line[cell] = board.ring[cell] = board.partner[cell] = cell
        board.length[cell] = 1
        board.number[cell] = board.need[cell] = board.exits[cell] = 0
        board.parts[cell] = 0
        board.edge[2 * cell] = board.edge[2 * cell + 1] = EdgeState.RULED_OUT
        if board.free[cell] != 0:
            board.need[cell] = 2
            _look_around(board, cell)
    for pair in range(board.pair_count):
        for end in range(2):
            cell = board.pairs[2 * pair + end]
            board.need[cell] = 1
            board.number[cell] = 1 + board.pairs[2 * pair]
            board.partner[cell] = board.pairs[2 * pair + 1 - end]
        board.parts[board.pairs[2 * pair]] = 2
    for cell in range(board.cells):
        if board.exits[cell] < board.need[cell]:
            return False
    return True


def _look_around(board: LadderBoard, cell: int) -> None:
    for side in range(4):
        to = neighbour(board.rows, board.cols, cell, side)
        if to < 0 or board.free[to] == 0:
            continue
        board.around[4 * cell + side] = to
        board.exits[cell] += 1
        board.edge[side_edge(board.cols, cell, side)] = EdgeState.OPEN


def edge_of(board: LadderBoard, cell: int, side: int) -> int:
    """Return the edge on one side of a cell that has a neighbour there.

    A climb takes 4 % longer with ``side_edge`` and ``larger_cell`` in place of this and the next.
    """
    if side >= Direction.RIGHT:
        return 2 * cell + side - Direction.RIGHT
    return 2 * board.around[4 * cell + side] + 1 - side


def far_end(board: LadderBoard, edge: int) -> int:
    """Return the larger cell of an edge; the smaller is ``edge >> 1``."""
    return board.around[4 * (edge >> 1) + Direction.RIGHT + (edge & 1)]


def edge_between(board: LadderBoard, one: int, other: int) -> int:
    """Return the edge between two cells, -1 when they are no neighbours."""
    for side in range(4):
        if board.around[4 * one + side] == other:
            return edge_of(board, one, side)
    return -1


def copy_print(board: LadderBoard, spare: LadderBoard) -> None:
    """Print another board of as many cells and pairs like this one."""
    spare.untouching = board.untouching
    for cell in range(board.cells):
        spare.free[cell] = board.free[cell]
    copy_shorts(board.pairs, spare.pairs, 2 * board.pair_count)
    copy_shorts(board.around, spare.around, 4 * board.cells)
    copy_shorts(board.partner, spare.partner, board.cells)


def copy_known(board: LadderBoard, spare: LadderBoard) -> None:
    """Copy what is known of this board to another of as many cells."""
    copy_shorts(board.mate, spare.mate, board.cells)
    copy_shorts(board.line, spare.line, board.cells)
    copy_shorts(board.ring, spare.ring, board.cells)
    copy_shorts(board.length, spare.length, board.cells)
    copy_shorts(board.number, spare.number, board.cells)
    copy_shorts(board.need, spare.need, board.cells)
    copy_shorts(board.exits, spare.exits, board.cells)
    copy_shorts(board.edge, spare.edge, 2 * board.cells)
    copy_shorts(board.parts, spare.parts, board.cells)


def copy_shorts(source: Shorts, target: Shorts, size: int) -> None:
    """Copy so many items."""
    for index in range(size):
        target[index] = source[index]


def count_open(board: LadderBoard) -> int:
    """Count the edges that are still open."""
    count = 0
    for edge in range(2 * board.cells):
        if board.edge[edge] == EdgeState.OPEN:
            count += 1
    return count


def exit_at(board: LadderBoard, cell: int, side: int) -> int:
    """Return the neighbour on one side when the edge to it is open, else -1."""
    to = board.around[4 * cell + side]
    if to < 0 or board.edge[edge_of(board, cell, side)] != EdgeState.OPEN:
        return -1
    return to


def open_end(board: LadderBoard, endpoint: int) -> int:
    """Return where the line from an endpoint now ends, -1 when its pair is joined."""
    if board.need[endpoint] > 0:
        return endpoint
    last = board.mate[endpoint]
    return last if board.need[last] > 0 else -1


def can_not_join(board: LadderBoard, one: int, other: int) -> bool:
    """Tell whether an edge between two ends would close a loop or bring two numbers together."""
    first, second = board.number[one], board.number[other]
    return board.mate[one] == other or (first != 0 and second != 0 and first != second)


def rule_out(board: LadderBoard, edge: int) -> bool:
    """Rule an open edge out; False when a cell is left with too few exits, or a path beside itself."""
    one, other = edge >> 1, far_end(board, edge)
    board.edge[edge] = EdgeState.RULED_OUT
    board.exits[one] -= 1
    board.exits[other] -= 1
    if board.untouching and board.number[one] != 0 and board.number[one] == board.number[other]:
        return False
    return board.exits[one] >= board.need[one] and board.exits[other] >= board.need[other]


def draw(board: LadderBoard, edge: int) -> bool:
    """Draw an open edge and join the fragments at its ends; False when that can't be.

    It can't when a cell gets an edge too many, a loop closes, two numbers meet, an untouching path comes to
    run beside itself, or a pair is joined while a fragment with its number lies elsewhere.
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
    number = max(board.number[one], board.number[other])
    if board.number[one] != 0 and board.number[other] != 0:
        board.parts[number - 1] -= 1
    board.mate[first], board.mate[last] = last, first
    _number_line(board, one, number)
    _number_line(board, other, number)
    _unite_lines(board, one, other)
    joined: bool = board.need[first] == 0 and board.need[last] == 0
    return not joined or board.parts[number - 1] == 1


def _number_line(board: LadderBoard, cell: int, number: int) -> None:
    """Write a number at every cell of a fragment that has none."""
    while board.number[cell] != number:
        board.number[cell] = number
        cell = board.ring[cell]


def _unite_lines(board: LadderBoard, one: int, other: int) -> None:
    """Give two fragments the name of the longer."""
    kept, given_up = board.line[one], board.line[other]
    if board.length[kept] < board.length[given_up]:
        kept, given_up = given_up, kept
    cell = given_up
    while board.line[cell] != kept:
        board.line[cell] = kept
        cell = board.ring[cell]
    board.ring[one], board.ring[other] = board.ring[other], board.ring[one]
    board.length[kept] += board.length[given_up]


def runs_beside_itself(board: LadderBoard, one: int, other: int, pending: int) -> bool:
    """Tell whether the edge between two ends would make one path run beside itself.

    ``pending`` is 1 while the edge still counts in the ends' need, 0 once it is drawn.
    """
    if lines_touch(board, one, other, one, other):
        return True
    if board.number[one] == board.number[other]:
        return False
    fresh, numbered = one, other
    if board.number[one] != 0:
        fresh, numbered = other, one
    return _touches_number(board, fresh, board.number[numbered], board.line[numbered], pending)


def lines_touch(board: LadderBoard, one: int, other: int, near: int, far: int) -> bool:
    """Tell whether two cells' fragments stand side by side, but for their cells ``near`` and ``far``."""
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


def _touches_number(board: LadderBoard, fresh: int, number: int, line: int, pending: int) -> bool:
    """Tell whether a fragment that got a number would stand beside others of that number that it can't join.

    Args:
        fresh: an end of the fragment; with ``pending`` 1 an edge from it is about to be drawn.
        line: the fragment from which it gets the number, which does not count; -1 for none.
    """
    cell = fresh
    while True:
        need = board.need[cell] - (pending if cell == fresh else 0)
        for side in range(4):
            to = board.around[4 * cell + side]
            if to < 0 or board.number[to] != number or board.line[to] in (line, board.line[cell]):
                continue
            if need <= 0 or board.need[to] == 0 or board.edge[edge_of(board, cell, side)] != EdgeState.OPEN:
                return True
        cell = board.ring[cell]
        if cell == fresh:
            return False


def give_number(board: LadderBoard, cell: int, number: int) -> bool:
    """Note that the fragment that ends at a cell lies on a pair's path; False when it can't."""
    if board.number[cell] != 0:
        return board.number[cell] == number
    if board.untouching and _touches_number(board, cell, number, -1, 0):
        return False
    _number_line(board, cell, number)
    board.parts[number - 1] += 1
    return open_end(board, number - 1) >= 0


def forget_findings(board: LadderBoard) -> None:
    """Begin a new list of findings."""
    board.finding_count = 0
    board.stamp += 1


def propose(board: LadderBoard, kind: int, where: int, reason: int, cause: int) -> None:
    """Add a finding, unless it is there already."""
    cells = board.cells
    place = where if kind == EdgeState.DRAWN else where + (4 if kind == FindingKind.NUMBERED else 2) * cells
    stamp = board.stamp
    if board.seen[place] == stamp and (kind != FindingKind.NUMBERED or board.given[where] == cause):
        return
    board.seen[place] = stamp
    if kind == FindingKind.NUMBERED:
        board.given[where] = cause
    index = board.finding_count
    if index == board.capacity:  # only numbers that contradict each other can be so many
        return
    board.kind[index], board.where[index] = kind, where
    board.reason[index], board.cause[index] = reason, cause
    board.finding_count = index + 1


def touch(board: LadderBoard, cell: int) -> None:
    """Note a cell as dirty."""
    if board.touched[cell] != board.touch_stamp:
        board.touched[cell] = board.touch_stamp
        board.dirty[board.dirty_count] = cell
        board.dirty_count += 1


def touch_all(board: LadderBoard) -> None:
    """Note every cell as dirty."""
    board.dirty_count = board.cells
    for cell in range(board.cells):
        board.dirty[cell] = cell


def settle_edge(board: LadderBoard, kind: int, edge: int) -> bool:
    """Draw or rule out one edge; False when that contradicts what is known."""
    now = board.edge[edge]
    if now == kind:
        return True
    board.fault, board.fault_at = Contradiction.AT_EDGE, edge
    if now != EdgeState.OPEN:
        return False
    board.trail[board.settled] = edge + 1 if kind == EdgeState.DRAWN else -edge - 1
    board.settled += 1
    one, other = edge >> 1, far_end(board, edge)
    touch(board, one)
    touch(board, other)
    if kind != EdgeState.DRAWN:
        return rule_out(board, edge)
    touch(board, board.mate[one])
    touch(board, board.mate[other])
    return draw(board, edge)


def apply_findings(board: LadderBoard) -> bool:
    """Write all findings onto the board, and close the exits of every cell that is now full.

    Afterwards ``dirty`` holds the cells concerned.
    Returns:
        False when they contradict what is known or each other.
    """
    board.dirty_count = 0
    board.touch_stamp += 1
    for index in range(board.finding_count):
        where = board.where[index]
        if board.kind[index] == FindingKind.NUMBERED:
            touch(board, where)
            touch(board, board.mate[where])
            if not give_number(board, where, board.cause[index]):
                return False
        elif not settle_edge(board, board.kind[index], where):
            return False
    return _close_full(board)


def _close_full(board: LadderBoard) -> bool:
    index = 0
    while index < board.dirty_count:
        cell = board.dirty[index]
        index += 1
        if board.need[cell] > 0 or board.exits[cell] == 0:
            continue
        for side in range(4):
            if exit_at(board, cell, side) >= 0 and not settle_edge(
                board, EdgeState.RULED_OUT, edge_of(board, cell, side)
            ):
                return False
    return True
