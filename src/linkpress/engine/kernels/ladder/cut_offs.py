"""Technique ``cut-off``: find out where the path of each pair can still run.

Consider the graph of all cells that need more edges, because they have fewer drawn edges than their paths
use. Two cells of the graph are joined if the edge between them may still be drawn. In addition, each fragment
(run of drawn edges) joins its two ends. Two lines begin at the endpoints of a pair that is not joined yet.
The cells where these lines end are the pair's *line ends*. A path from one line end to the other can use
cells without a number and cells with the pair's own number.

A **block** (biconnected component) is a maximal set of cells that stays connected if any one cell is removed.
Two blocks share at most one cell. A path from one line end to the other visits only the blocks between them.
These blocks are called the pair's blocks. The path passes every cell that two of these blocks share, and it
uses every edge that is a block by itself. If a cell lies in none of the blocks of any pair, no path can reach
the cell and leave it again.

A depth-first search finds the blocks. A block is named by the first of its cells that the search finds. The
*root* of the block is the cell from which this cell was found.

The blocks of the graph of all cells without a number are computed once for all pairs. Most pairs need no
further search, because a single block of this graph surrounds both of their line ends:

- Each line end has at least two neighbours in this block.
- The line ends have no other neighbours in the graph.

For every other pair, the graph is searched again together with the pair's own cells.

Source:
    Hopcroft and Tarjan, "Efficient algorithms for graph manipulation", 1973.
"""

from linkpress.engine.kernels.glossary import Contradiction, Direction, EdgeState, FindingKind, Reason
from linkpress.engine.kernels.ladder.ladder_board import LadderBoard, edge_between, exit_at, open_end, propose
from linkpress.engine.kernels.pure_python import Ints, State, items, make_fields


class Blocks(State):
    """Blocks (biconnected components) of the graph of the cells through which paths can still run.

    The blocks show which cells and edges the path of each pair can use.
    """

    # The neighbours of each cell in the graph of the cells through which paths can still run. The neighbours
    # of a cell are stored from index 5 × cell on.
    ways: Ints = items("5 * cells")

    # for each cell: how many neighbours it has in the graph of the cells through which paths can still run
    degree: Ints = items("cells")

    stack: Ints = items("cells")  # the cells that the depth-first search has entered and not left yet

    # for each cell: the index, in ``ways``, of the neighbour that the search visits next from this cell
    next_way: Ints = items("cells")
    order: Ints = items("cells")  # the cells in the order in which the search found them

    # The values that the array ``place`` has before each search. For each cell: 0 if the search may enter it,
    # -1 if not. A search may enter the cells that have no number, and fewer drawn edges than their paths use.
    base: Ints = items("cells")

    # For each cell: its position in the list ``order``, counted from 1. It is 0 if the search has not found
    # the cell yet, and -1 if the search must not enter the cell.
    place: Ints = items("cells")
    # For each cell, Tarjan's low-link. The field ``place`` numbers the cells in the order in which the search
    # finds them. The low-link is the lowest ``place`` that can be reached by going down the search tree from
    # the cell, and then along at most one other edge.
    low: Ints = items("cells")
    # for each cell: the cell from which the search found it; -1 for the first cell
    parent: Ints = items("cells")
    # for each cell: the block (biconnected component) that contains the edge between the cell and its parent
    # in the search tree; -1 for the first cell
    top: Ints = items("cells")

    # for each block (biconnected component): 1 if the path of the pair that is examined must go through it
    between: Ints = items("cells")
    # for each cell: 1 if it lies in a block (biconnected component) through which the path of the examined
    # pair must go
    inside: Ints = items("cells")
    # For each cell without a number: its block (biconnected component) in the graph of such cells. For each
    # other cell: -1.
    common: Ints = items("cells")
    # For each block (biconnected component) in the graph of all cells without a number: the cell from which
    # the search found the block's first cell.
    root: Ints = items("cells")

    count: Ints = items("cells")  # for each cell: the number of pairs whose paths can use it

    # For each cell: the number of a pair whose path can use it. If there are several, it is the pair that
    # was examined last.
    last: Ints = items("cells")
    used: Ints = items("2 * cells")  # for each edge: 1 if the path of some pair can use it, else 0

    def __init__(self, cells: int) -> None:
        make_fields(self, locals())


def find_cut_offs(board: LadderBoard, blocks: Blocks) -> bool:
    """Find the cells and edges that the path of a pair must use, and those that no path can use.

    Returns:
        False if a pair can't be joined any more, or if no path can reach some cell.
    """
    for cell in range(board.cells):
        blocks.count[cell] = blocks.used[2 * cell] = blocks.used[2 * cell + 1] = 0
        blocks.base[cell] = 0 if board.pair_code[cell] == 0 and board.need[cell] > 0 else -1
    _list_ways(board, blocks)
    _find_common_blocks(board, blocks)
    for pair in range(board.pair_count):
        first = board.pairs[2 * pair]
        start, goal = open_end(board, first), open_end(board, board.pairs[2 * pair + 1])
        if start < 0:
            continue
        block = _shared_block(board, blocks, start, goal) if board.parts[first] == 2 else -1
        if block >= 0:
            for cell in range(board.cells):
                blocks.inside[cell] = blocks.common[cell] == block
            blocks.inside[blocks.root[block]] = blocks.inside[start] = blocks.inside[goal] = 1
        elif not _find_between(board, blocks, start, goal, first + 1):
            board.contradiction, board.contradiction_at = Contradiction.PAIR_CUT_OFF, first + 1
            return False
        _count_inside(board, blocks, first + 1)
    return _find_unused(board, blocks)


def _list_ways(board: LadderBoard, blocks: Blocks) -> None:
    """Build the graph in which paths can run: list the neighbours of each cell in ``ways``.

    The graph consists of the cells that need more edges, because they have fewer drawn edges than their paths
    use. Two cells are neighbours if an open edge (neither drawn nor ruled out) joins them, or if they are the
    two ends of a fragment (run of drawn edges).
    """
    for cell in range(board.cells):
        blocks.degree[cell] = 0
    for cell in range(board.cells):
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


def _find_common_blocks(board: LadderBoard, blocks: Blocks) -> None:
    """Find the blocks (biconnected components) of the graph of cells without a number."""
    count = 0
    for cell in range(board.cells):
        blocks.place[cell] = blocks.base[cell]
    for cell in range(board.cells):
        if blocks.place[cell] == 0:
            count = _search_from(blocks, cell, count)
    _find_tops(blocks, count)
    for cell in range(board.cells):
        blocks.common[cell] = blocks.top[cell] if blocks.place[cell] > 0 else -1
        if blocks.common[cell] == cell:
            blocks.root[cell] = blocks.parent[cell]


def _shared_block(board: LadderBoard, blocks: Blocks, start: int, goal: int) -> int:
    """Find the block into which both lines of a pair lead, if they lead nowhere else.

    A line begins at each of the two numbers of a pair. A block is a biconnected component of the graph of
    cells without a number.

    Args:
        start: the end of one line.
        goal: the end of the other line.
    Returns:
        The block, if each of the two line ends has at least two free neighbours and all of these are in the
        same block; else -1.
    """
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


def _find_between(board: LadderBoard, blocks: Blocks, start: int, goal: int, number: int) -> bool:
    """Find the blocks through which the path of a pair must go.

    A block is a biconnected component of the graph in which the path can run. A line begins at each of the
    two numbers of the pair. Cells and edges that the path must use are proposed as findings.

    Args:
        start: the cell where one of the two lines ends.
        goal: the cell where the other line ends.
        number: the pair's number.
    Returns:
        False if the pair can't be joined any more.
    """
    cells, place, base = board.cells, blocks.place, blocks.base
    for cell in range(cells):
        place[cell] = base[cell]
    if board.parts[number - 1] == 2:
        place[start] = place[goal] = 0
    else:
        for cell in range(cells):
            if board.pair_code[cell] == number and board.need[cell] > 0:
                place[cell] = 0
    count = _search_from(blocks, start, 0)
    if blocks.place[goal] == 0:
        return False
    _find_tops(blocks, count)
    cell = goal
    while cell != start:
        blocks.between[blocks.top[cell]] = 1
        parent = blocks.parent[cell]
        if _begins_block(blocks, cell):
            if board.pair_code[parent] == 0:
                # The pair's path must go through the cell ``parent``. So the run of drawn edges that
                # contains this cell gets the pair's number. This is proposed as a finding about one of the
                # run's two ends.
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


def _search_from(blocks: Blocks, start: int, count: int) -> int:
    """Search the graph depth first from a cell, but enter only cells whose ``place`` is 0.

    The other cells have been found already, or must not be entered.

    Args:
        count: how many cells earlier searches have found.
    Returns:
        How many cells all searches together have found.
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
    return blocks.low[cell] >= blocks.place[blocks.parent[cell]]


def _find_tops(blocks: Blocks, count: int) -> None:
    """For each cell that the search has found, find the block that holds the edge to its parent.

    A block is a biconnected component. The parent of a cell is the one before it in the search tree.

    Args:
        count: how many cells the search has found.
    """
    for index in range(count):
        cell = blocks.order[index]
        blocks.between[cell] = 0
        if blocks.parent[cell] < 0:
            blocks.top[cell] = -1
        else:
            blocks.top[cell] = cell if _begins_block(blocks, cell) else blocks.top[blocks.parent[cell]]


def _count_inside(board: LadderBoard, blocks: Blocks, number: int) -> None:
    """Record which cells and edges the path of a pair can use.

    The path can use the cells that are marked in ``inside``, and the edges between them. An end of a fragment
    (run of drawn edges) is left out if the other end needs an edge and is not marked. The marked cells lie in
    the blocks through which the path must go. A block is a biconnected component of the graph in which the
    path can run.
    """
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


def _find_unused(board: LadderBoard, blocks: Blocks) -> bool:
    """Find cells that the path of only one pair can use, and edges that no path can use.

    Each result is a proposal, which the solver applies later. For a cell, the proposal is to give it the
    number of the pair. For an edge, it is to rule out the edge.

    Returns:
        False if some cell must still get edges, but no pair's path can use the cell.
    """
    for cell in range(board.cells):
        if board.need[cell] == 0:
            continue
        count = blocks.count[cell]
        if count == 0:
            board.contradiction, board.contradiction_at = Contradiction.UNREACHED, cell
            return False
        if board.pair_code[cell] == 0 and count == 1:
            end, number = min(cell, board.mate[cell]), blocks.last[cell]
            propose(board, FindingKind.NUMBERED, end, Reason.ONLY_ONE_REACHES, number)
        for edge in range(2 * cell, 2 * cell + 2):
            if board.edge[edge] == EdgeState.OPEN and blocks.used[edge] == 0:
                propose(board, EdgeState.RULED_OUT, edge, Reason.NOBODY_USES, cell)
    return True
