"""The blocks of the graph that lines can run in, as a forest.

The graph: cells with need, joined by open edges and, from end to end, along their fragments. A
block is a largest set of cells that no single cell parts; two blocks share at most one cell. A
depth-first search finds them: a block is named after its first cell and hangs from its *apex*,
that cell's parent; each cell but a root lies in the block of the edge to its parent, and an apex
in those that hang from it too.

Source:
    Hopcroft and Tarjan, "Efficient algorithms for graph manipulation", 1973.

**A pair's way.** All pairs share the forest of the cells that carry no number. A pair with two lines of its
own enters it where they end: the blocks that it can use are those on the ways through the forest from one
line's neighbours to the other's. What all ways share is found.
"""

from linkpress.engine.kernels import pure_python as cython
from linkpress.engine.kernels.glossary import Direction, EdgeState, FindingKind, Reason
from linkpress.engine.kernels.ladder.board import LadderBoard, edge_between, edge_of, exit_at, propose
from linkpress.engine.kernels.memory import Ints, State
from linkpress.engine.kernels.pure_python import items, kernel, make_fields


@cython.cclass
class Blocks(State):
    """The forest of blocks, and which pairs can run where.

    Args:
        cells: of the board.
    """

    ways: Ints = items("5 * cells")  # 5 × cell: where a path can go on to from it, ``degree`` cells
    degree: Ints = items("cells")  # by cell
    stack: Ints = items("cells")  # the cells that the search has not left yet
    next_way: Ints = items("cells")  # by cell: which of its ways is to be taken next
    order: Ints = items("cells")  # the cells as they were found
    place: Ints = items("cells")  # by cell: its place in ``order`` + 1; 0 before it is found, -1 for never
    low: Ints = items("cells")  # by cell: the lowest place that it and those found from it touch
    parent: Ints = items("cells")  # by cell: the one that it was found from, -1 for a root
    top: Ints = items("cells")  # by cell: the block of the edge to its parent, -1 for a root
    # Which pairs can run where, for ``reach``.
    count: Ints = items("cells")  # by cell: pairs that can use it, but for those counted for its block alone
    last: Ints = items("cells")  # by cell: the number of the last of them
    block_count: Ints = items("cells")  # by block: pairs that can use it
    block_last: Ints = items("cells")  # by block: the number of the last of them
    used: Ints = items("2 * cells")  # by edge: 1 when a pair can use it and that is not said of its block
    apex: Ints = items("cells")  # by cell: 1 when blocks hang from it
    next_apex: Ints = items("cells")  # by apex: the next in the same block, -1 after the last
    first_apex: Ints = items("cells")  # by block: an apex in it, -1 for none
    depth: Ints = items("cells")  # by block: 1 when it hangs from a root, else 1 more than what it hangs from
    tree: Ints = items("cells")  # by cell: the root that it was found from
    block_stamp: Ints = items("cells")  # by block: the number of the pair last counted for it
    cell_stamp: Ints = items("cells")  # by cell: the number of the pair last counted for it
    hits: Ints = items("cells")  # by cell: how many ways of the present pair pass it
    near_goal: Ints = items("cells")  # the cells of its first way, from the goal up, ``goal_side`` of them
    goal_side: int
    near_start: Ints = items("cells")  # and from the start up, to where they meet, ``start_side`` of them
    start_side: int
    starts: Ints = items("8")  # the forest's cells next to one line end of a pair, each with the edge to it
    goals: Ints = items("8")  # and next to the other line end
    between: Ints = items("cells")  # by block: 1 when it lies between, in a search for one pair

    def __init__(self, cells: int) -> None:
        make_fields(self, locals())


@kernel
def list_ways(board: LadderBoard, blocks: Blocks) -> None:
    """For each cell with need the cells with need next to it over an open edge or a fragment."""
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


@kernel
def _join(board: LadderBoard, blocks: Blocks, one: int, other: int) -> None:
    if board.need[other] > 0:
        blocks.ways[5 * one + blocks.degree[one]] = other
        blocks.ways[5 * other + blocks.degree[other]] = one
        blocks.degree[one] += 1
        blocks.degree[other] += 1


@kernel
def search(blocks: Blocks, start: int, count: int) -> int:
    """Search from one cell, depth first, wherever ``place`` is 0; ``count`` cells were found before.

    Returns:
        How many cells have been found by now.
    """
    ways, found, low, parent = blocks.ways, blocks.place, blocks.low, blocks.parent
    next_way, stack, order, degree = blocks.next_way, blocks.stack, blocks.order, blocks.degree
    parent[start], next_way[start], order[count], stack[0] = -1, 0, start, start
    count += 1
    found[start], low[start] = count, count
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


@kernel
def begins_block(blocks: Blocks, cell: int) -> bool:
    """Whether a cell that is no root is the first of a block."""
    return blocks.low[cell] >= blocks.place[blocks.parent[cell]]


@kernel
def is_bridge(blocks: Blocks, cell: int) -> bool:
    """Whether the way from a cell to its parent is a block of its own."""
    return blocks.low[cell] > blocks.place[blocks.parent[cell]]


@kernel
def find_tops(blocks: Blocks, count: int) -> None:
    """Fill ``top`` for the cells found."""
    for index in range(count):
        cell = blocks.order[index]
        if blocks.parent[cell] < 0:
            blocks.top[cell] = -1
        else:
            blocks.top[cell] = cell if begins_block(blocks, cell) else blocks.top[blocks.parent[cell]]


@kernel
def search_unnumbered(board: LadderBoard, blocks: Blocks) -> int:
    """Find the blocks of the cells that carry no number; return how many cells that are."""
    cells = board.cells
    for cell in range(cells):
        blocks.place[cell] = 0 if board.number[cell] == 0 and board.need[cell] > 0 else -1
    count = 0
    for cell in range(cells):
        if blocks.place[cell] == 0:
            count = search(blocks, cell, count)
    find_tops(blocks, count)
    return count


@kernel
def grow_forest(board: LadderBoard, blocks: Blocks) -> None:
    """The blocks of the cells that carry no number, none of them counted for a pair yet."""
    count = search_unnumbered(board, blocks)
    for index in range(count):
        cell = blocks.order[index]
        parent, top = blocks.parent[cell], blocks.top[cell]
        blocks.apex[cell], blocks.cell_stamp[cell], blocks.hits[cell] = 0, 0, 0
        blocks.tree[cell] = cell if parent < 0 else blocks.tree[parent]
        if top != cell:
            continue
        blocks.block_count[cell], blocks.block_stamp[cell], blocks.first_apex[cell] = 0, 0, -1
        above = blocks.top[parent]
        blocks.depth[cell] = 1 if above < 0 else blocks.depth[above] + 1
        if blocks.apex[parent] == 0:
            blocks.apex[parent] = 1
            if above >= 0:
                blocks.next_apex[parent] = blocks.first_apex[above]
                blocks.first_apex[above] = parent


@kernel
def pass_forest(board: LadderBoard, blocks: Blocks, start: int, goal: int, number: int) -> bool:
    """Count a pair with two lines for all that lies between them; False when nothing does."""
    blocks.count[start], blocks.last[start] = 1, number
    blocks.count[goal], blocks.last[goal] = 1, number
    starts, direct = _list_entries(board, blocks, start, goal, blocks.starts)
    goals, _ = _list_entries(board, blocks, goal, start, blocks.goals)
    if direct >= 0:
        blocks.used[direct] = 1
        if not _share_tree(blocks, starts, goals):
            propose(board, EdgeState.DRAWN, direct, Reason.CUT_OFF, number)
            return True
    block = _shared_block(blocks, starts, goals)
    if block >= 0:
        _count_block(board, blocks, block, number)
        for index in range(starts):
            blocks.used[blocks.starts[2 * index + 1]] = 1
        for index in range(goals):
            blocks.used[blocks.goals[2 * index + 1]] = 1
        return True
    return _pass_trees(board, blocks, start, goal, starts, goals, number, direct < 0)


@kernel
def _list_entries(board: LadderBoard, blocks: Blocks, end: int, other: int, entries: Ints) -> tuple[int, int]:
    """List the cells next to a line end that the forest holds, each with the edge to it.

    Returns:
        How many; the edge to the other line end, -1 when they are no neighbours.
    """
    count, direct = 0, -1
    for side in range(4):
        to = exit_at(board, end, side)
        if to == other:
            direct = edge_of(board, end, side)
        elif to >= 0 and blocks.place[to] > 0:
            entries[2 * count] = to
            entries[2 * count + 1] = edge_of(board, end, side)
            count += 1
    return count, direct


@kernel
def _share_tree(blocks: Blocks, starts: int, goals: int) -> bool:
    for goal_index in range(goals):
        for start_index in range(starts):
            if blocks.tree[blocks.goals[2 * goal_index]] == blocks.tree[blocks.starts[2 * start_index]]:
                return True
    return False


@kernel
def _shared_block(blocks: Blocks, starts: int, goals: int) -> int:
    """The block that both lines enter in several places, and no other; else -1."""
    if starts < 2 or goals < 2:
        return -1
    block = blocks.top[blocks.starts[0]]
    for index in range(1, starts):
        if blocks.top[blocks.starts[2 * index]] != block:
            return -1
    for index in range(goals):
        if blocks.top[blocks.goals[2 * index]] != block:
            return -1
    return block


@kernel
def _pass_trees(
    board: LadderBoard,
    blocks: Blocks,
    start: int,
    goal: int,
    starts: int,
    goals: int,
    number: int,
    named: bool,
) -> bool:
    """Count a pair for all ways between its entries, and propose what all share when ``named``."""
    near, ways, trees, tree = 0, 0, 0, -1
    for goal_index in range(goals):
        near_goal = blocks.goals[2 * goal_index]
        for start_index in range(starts):
            near_start = blocks.starts[2 * start_index]
            if blocks.tree[near_goal] != blocks.tree[near_start]:
                continue
            if blocks.tree[near_goal] != tree:
                trees += 1
                tree = blocks.tree[near_goal]
            _pass_way(board, blocks, near_goal, near_start, number, ways == 0)
            blocks.used[blocks.starts[2 * start_index + 1]] = 1
            ways += 1
        if blocks.tree[near_goal] == tree:
            blocks.used[blocks.goals[2 * goal_index + 1]] = 1
            near += 1
    if ways == 0:
        return False
    _count_common(board, blocks, starts, goals, number)
    if named and trees == 1:
        _name_passage(board, blocks, start, goal, number, ways, near)
    for index in range(blocks.goal_side):
        blocks.hits[blocks.near_goal[index]] = 0
    for index in range(blocks.start_side):
        blocks.hits[blocks.near_start[index]] = 0
    return True


@kernel
def _pass_way(board: LadderBoard, blocks: Blocks, one: int, other: int, number: int, first: bool) -> None:
    """Count the blocks on the way through the forest from one cell to another, and mark its cells.

    The first way of a pair is written down; of the others only what they share with it counts.
    """
    if first:
        blocks.goal_side, blocks.start_side = 0, 0
    _pass_cell(blocks, one, True, first)
    if one != other:
        _pass_cell(blocks, other, False, first)
    while one != other:
        top, other_top = blocks.top[one], blocks.top[other]
        if top == other_top:
            _count_block(board, blocks, top, number)
            return
        if other_top < 0 or (top >= 0 and blocks.depth[top] >= blocks.depth[other_top]):
            _count_block(board, blocks, top, number)
            one = blocks.parent[top]
            if one != other:
                _pass_cell(blocks, one, True, first)
        else:
            _count_block(board, blocks, other_top, number)
            other = blocks.parent[other_top]
            if one != other:
                _pass_cell(blocks, other, False, first)


@kernel
def _pass_cell(blocks: Blocks, cell: int, near_goal: bool, first: bool) -> None:
    if not first:
        if blocks.hits[cell] > 0:
            blocks.hits[cell] += 1
        return
    blocks.hits[cell] = 1
    if near_goal:
        blocks.near_goal[blocks.goal_side] = cell
        blocks.goal_side += 1
    else:
        blocks.near_start[blocks.start_side] = cell
        blocks.start_side += 1


@kernel
def _count_block(board: LadderBoard, blocks: Blocks, block: int, number: int) -> None:
    if blocks.block_stamp[block] == number:
        return
    blocks.block_stamp[block] = number
    blocks.block_count[block] += 1
    blocks.block_last[block] = number
    _count_cell(board, blocks, blocks.parent[block], number)
    apex = blocks.first_apex[block]
    while apex >= 0:
        _count_cell(board, blocks, apex, number)
        apex = blocks.next_apex[apex]


@kernel
def _count_cell(board: LadderBoard, blocks: Blocks, cell: int, number: int) -> None:
    """Count a cell that lies in no block alone; one on a fragment is counted with its block."""
    if blocks.cell_stamp[cell] != number:
        blocks.cell_stamp[cell] = number
        if board.mate[cell] == cell:
            blocks.count[cell] += 1
            blocks.last[cell] = number


@kernel
def _count_common(board: LadderBoard, blocks: Blocks, starts: int, goals: int, number: int) -> None:
    """Count the cells next to both lines, which may lie in no block between."""
    for goal_index in range(goals):
        cell = blocks.goals[2 * goal_index]
        for start_index in range(starts):
            if cell == blocks.starts[2 * start_index]:
                top = blocks.top[cell]
                if top < 0 or blocks.apex[cell] != 0 or blocks.block_stamp[top] != number:
                    _count_cell(board, blocks, cell, number)


@kernel
def _name_passage(
    board: LadderBoard, blocks: Blocks, start: int, goal: int, number: int, ways: int, goals: int
) -> None:
    """From the goal on, the cells and edges that all ways share."""
    before = -1
    side, length = blocks.goal_side, blocks.goal_side + blocks.start_side
    for index in range(length):
        cell = blocks.near_goal[index] if index < side else blocks.near_start[length - 1 - index]
        if blocks.hits[cell] < ways:
            continue
        propose_number(board, cell, number)
        if before < 0:
            if goals == 1:
                propose(board, EdgeState.DRAWN, edge_between(board, goal, cell), Reason.CUT_OFF, number)
        elif board.mate[before] != cell and (_hangs(blocks, before, cell) or _hangs(blocks, cell, before)):
            propose(board, EdgeState.DRAWN, edge_between(board, before, cell), Reason.CUT_OFF, number)
        before = cell
    if ways == goals:
        propose(board, EdgeState.DRAWN, edge_between(board, before, start), Reason.CUT_OFF, number)


@kernel
def _hangs(blocks: Blocks, cell: int, other: int) -> bool:
    """Whether the way from a cell to another is a block that hangs from the other."""
    return blocks.parent[cell] == other and is_bridge(blocks, cell)


@kernel
def propose_number(board: LadderBoard, cell: int, number: int) -> None:
    """A cell that a pair's path must pass carries its number; so does its fragment's other end."""
    propose(board, FindingKind.NUMBERED, min(cell, board.mate[cell]), Reason.MUST_PASS, number)
