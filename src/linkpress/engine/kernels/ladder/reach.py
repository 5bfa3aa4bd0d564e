"""The technique of cut-offs asks where each pair's path can still run.

The graph: cells with need, joined by open edges and, from end to end, along their fragments. A path from one
line end of an unjoined pair to the other can use the cells that carry no number, or the pair's own. It visits
only the blocks between the two, passes every cell where two of them meet, and uses every edge that is a block
of its own. What is in no pair's blocks nobody could reach and leave again.

A **block** is a largest set of cells that no single cell parts; two blocks share at most one cell. A
depth-first search finds them: a block is named after its first cell and hangs from that cell's parent.

Most pairs come from both sides into one and the same block of the cells that carry no number, at two cells or
more. These blocks are found once for all; for any other pair the graph with its own cells is searched.

Source:
    Hopcroft and Tarjan, "Efficient algorithms for graph manipulation", 1973.
"""

from linkpress.engine.kernels.glossary import Contradiction, Direction, EdgeState, FindingKind, Reason
from linkpress.engine.kernels.ladder.ladder_board import LadderBoard, edge_between, exit_at, open_end, propose
from linkpress.engine.kernels.pure_python import Ints, State, items, make_fields


class Blocks(State):
    """A depth-first search finds blocks, and how many pairs can use what."""

    ways: Ints = items("5 * cells")  # 5 × cell: where a path can go on to from it, ``degree`` cells
    degree: Ints = items("cells")  # by cell
    stack: Ints = items("cells")  # the cells that the search has not left yet
    next_way: Ints = items("cells")  # by cell: which of its ways is to be taken next
    order: Ints = items("cells")  # the cells as they were found
    base: Ints = items("cells")  # by cell: 0 when it is open to every pair, else -1
    place: Ints = items("cells")  # by cell: its place in ``order`` + 1; 0 before it is found, -1 for never
    low: Ints = items("cells")  # by cell: the lowest place that it and those found from it touch
    parent: Ints = items("cells")  # by cell: the one that it was found from, -1 for a root
    top: Ints = items("cells")  # by cell: the block of the edge to its parent, -1 for a root
    between: Ints = items("cells")  # by block: 1 when it lies between the two lines
    inside: Ints = items("cells")  # by cell: 1 when it lies in such a block
    common: Ints = items("cells")  # by cell without a number: its ``top`` among those, else -1
    hook: Ints = items("cells")  # by block of these: the cell that it hangs from
    count: Ints = items("cells")  # by cell: pairs that can use it
    last: Ints = items("cells")  # by cell: the number of the last of them
    used: Ints = items("2 * cells")  # by edge: 1 when a pair can use it

    def __init__(self, cells: int) -> None:
        make_fields(self, locals())


def find_cut_off(board: LadderBoard, blocks: Blocks) -> bool:
    """Find what follows from where each pair's path can run; False when a pair or a cell is cut off."""
    for cell in range(board.cells):
        blocks.count[cell] = blocks.used[2 * cell] = blocks.used[2 * cell + 1] = 0
        blocks.base[cell] = 0 if board.number[cell] == 0 and board.need[cell] > 0 else -1
    _list_ways(board, blocks)
    _note_common(board, blocks)
    for pair in range(board.pair_count):
        first = board.pairs[2 * pair]
        start, goal = open_end(board, first), open_end(board, board.pairs[2 * pair + 1])
        if start < 0:
            continue
        block = _shared_block(board, blocks, start, goal) if board.parts[first] == 2 else -1
        if block >= 0:
            for cell in range(board.cells):
                blocks.inside[cell] = blocks.common[cell] == block
            blocks.inside[blocks.hook[block]] = blocks.inside[start] = blocks.inside[goal] = 1
        elif not _pass(board, blocks, start, goal, first + 1):
            board.fault, board.fault_at = Contradiction.PAIR_CUT_OFF, first + 1
            return False
        _spread(board, blocks, first + 1)
    return _find_unreached(board, blocks)


def _list_ways(board: LadderBoard, blocks: Blocks) -> None:
    """List for each cell with need the cells with need next to it over an open edge or a fragment."""
    cells = board.cells
    for cell in range(cells):
        blocks.degree[cell] = 0
    for cell in range(cells):
        if board.need[cell] == 0:
            continue
        if board.edge[2 * cell] == EdgeState.OPEN:
            _join(board, blocks, cell, board.around[4 * cell + Direction.RIGHT])
        if board.edge[2 * cell + 1] == EdgeState.OPEN:
            _join(board, blocks, cell, board.around[4 * cell + Direction.DOWN])
        mate = board.mate[cell]
        if mate > cell:
            _join(board, blocks, cell, mate)


def _join(board: LadderBoard, blocks: Blocks, one: int, other: int) -> None:
    if board.need[other] > 0:
        blocks.ways[5 * one + blocks.degree[one]] = other
        blocks.ways[5 * other + blocks.degree[other]] = one
        blocks.degree[one] += 1
        blocks.degree[other] += 1


def _note_common(board: LadderBoard, blocks: Blocks) -> None:
    """Find the blocks of the cells that carry no number."""
    count = 0
    for cell in range(board.cells):
        blocks.place[cell] = blocks.base[cell]
    for cell in range(board.cells):
        if blocks.place[cell] == 0:
            count = _search(blocks, cell, count)
    _find_tops(blocks, count)
    for cell in range(board.cells):
        blocks.common[cell] = blocks.top[cell] if blocks.place[cell] > 0 else -1
        if blocks.common[cell] == cell:
            blocks.hook[cell] = blocks.parent[cell]


def _shared_block(board: LadderBoard, blocks: Blocks, start: int, goal: int) -> int:
    """Return the block that both lines enter at two cells or more, and no other; else -1."""
    block = -1
    for turn in range(2):
        entries = 0
        for side in range(4):
            to = exit_at(board, goal if turn else start, side)
            if to < 0 or blocks.base[to] < 0:
                continue
            if blocks.common[to] < 0 or (block >= 0 and blocks.common[to] != block):
                return -1
            block = blocks.common[to]
            entries += 1
        if entries < 2:
            return -1
    return block


def _pass(board: LadderBoard, blocks: Blocks, start: int, goal: int, number: int) -> bool:
    """Find what lies between a pair's lines, and propose what it must pass; False when it is cut off."""
    cells, place, base = board.cells, blocks.place, blocks.base
    for cell in range(cells):
        place[cell] = base[cell]
    if board.parts[number - 1] == 2:
        place[start] = place[goal] = 0
    else:
        for cell in range(cells):
            if board.number[cell] == number and board.need[cell] > 0:
                place[cell] = 0
    count = _search(blocks, start, 0)
    if blocks.place[goal] == 0:
        return False
    _find_tops(blocks, count)
    cell = goal
    while cell != start:
        blocks.between[blocks.top[cell]] = 1
        parent = blocks.parent[cell]
        if _begins_block(blocks, cell):
            if board.number[parent] == 0:
                # A cell that a path must pass carries its number; so does its fragment's other end.
                end = min(parent, board.mate[parent])
                propose(board, FindingKind.NUMBERED, end, Reason.MUST_PASS, number)
            is_bridge: bool = blocks.low[cell] > blocks.place[parent]
            if is_bridge and board.mate[cell] != parent:
                propose(board, EdgeState.DRAWN, edge_between(board, parent, cell), Reason.CUT_OFF, number)
        cell = parent
    for index in range(cells):
        blocks.inside[index] = place[index] > 0 and (
            blocks.top[index] < 0 or blocks.between[blocks.top[index]]
        )
    return True


def _search(blocks: Blocks, start: int, count: int) -> int:
    """Search from one cell, depth first, wherever ``place`` is 0; ``count`` cells were found before.

    Returns:
        How many cells have been found by now.
    """
    ways, found, low, parent = blocks.ways, blocks.place, blocks.low, blocks.parent
    next_way, stack, order, degree = blocks.next_way, blocks.stack, blocks.order, blocks.degree
    parent[start], next_way[start], order[count], stack[0] = -1, 0, start, start
    count += 1
    found[start] = low[start] = count
    depth = 1
    while depth > 0:
        cell = stack[depth - 1]
        side = next_way[cell]
        if side == degree[cell]:
            depth -= 1
            if depth > 0:
                low[parent[cell]] = min(low[parent[cell]], low[cell])
            continue
        next_way[cell] = side + 1
        to = ways[5 * cell + side]
        if found[to] == 0:
            parent[to], next_way[to], order[count], stack[depth] = cell, 0, to, to
            count += 1
            depth += 1
            found[to], low[to] = count, count
        elif found[to] > 0 and to != parent[cell]:
            low[cell] = min(low[cell], found[to])
    return count


def _begins_block(blocks: Blocks, cell: int) -> bool:
    """Tell whether a cell that is no root is the first of a block."""
    return blocks.low[cell] >= blocks.place[blocks.parent[cell]]


def _find_tops(blocks: Blocks, count: int) -> None:
    """Fill ``top`` for the cells found; none of their blocks lies between yet."""
    for index in range(count):
        cell = blocks.order[index]
        blocks.between[cell] = 0
        if blocks.parent[cell] < 0:
            blocks.top[cell] = -1
        else:
            blocks.top[cell] = cell if _begins_block(blocks, cell) else blocks.top[blocks.parent[cell]]


def _spread(board: LadderBoard, blocks: Blocks, number: int) -> None:
    """Count one more pair for the cells and edges inside the blocks between its lines."""
    for cell in range(board.cells):
        if blocks.inside[cell] == 0:
            continue
        mate = board.mate[cell]
        if board.need[mate] == 0 or blocks.inside[mate] != 0:
            blocks.count[cell] += 1
            blocks.last[cell] = number
        for down in range(2):
            to = board.around[4 * cell + Direction.RIGHT + down]
            if to >= 0 and blocks.inside[to] != 0:
                blocks.used[2 * cell + down] = 1


def _find_unreached(board: LadderBoard, blocks: Blocks) -> bool:
    for cell in range(board.cells):
        if board.need[cell] == 0:
            continue
        count = blocks.count[cell]
        if count == 0:
            board.fault, board.fault_at = Contradiction.UNREACHED, cell
            return False
        if board.number[cell] == 0 and count == 1:
            end, number = min(cell, board.mate[cell]), blocks.last[cell]
            propose(board, FindingKind.NUMBERED, end, Reason.ONLY_ONE_REACHES, number)
        for edge in range(2 * cell, 2 * cell + 2):
            if board.edge[edge] == EdgeState.OPEN and blocks.used[edge] == 0:
                propose(board, EdgeState.RULED_OUT, edge, Reason.NOBODY_USES, cell)
    return True
