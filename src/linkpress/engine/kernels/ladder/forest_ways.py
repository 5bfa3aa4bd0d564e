"""Which blocks a pair can use on its way through the forest of cells that carry no number.

A pair with two lines of its own enters the forest where they end: the blocks between are those on
the ways through the forest from one line's neighbours to the other's. What all ways share is found.
"""

try:
    import cython
except ImportError:  # no compiler was there, so that kernels run as plain Python
    import linkpress.engine.kernels.pure_python as cython

from linkpress.engine.kernels.glossary import Reason

if not cython.compiled:
    from linkpress.engine.kernels.ladder.blocks import Blocks, find_tops, is_bridge, search
    from linkpress.engine.kernels.ladder.findings import NUMBERED, Findings, propose
    from linkpress.engine.kernels.ladder.marks import DRAWN, Marks, PrintedBoard, edge_of, exit_at
    from linkpress.engine.kernels.memory import Ints

CUT_OFF = cython.declare(cython.int, Reason.CUT_OFF.value)
MUST_PASS = cython.declare(cython.int, Reason.MUST_PASS.value)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def search_unnumbered(marks: Marks, blocks: Blocks) -> cython.int:
    """Find the blocks of the cells that carry no number; return how many cells that are."""
    cells = marks.cells
    for cell in range(cells):
        blocks.place[cell] = 0 if marks.number[cell] == 0 and marks.need[cell] > 0 else -1
    count = 0
    for cell in range(cells):
        if blocks.place[cell] == 0:
            count = search(blocks, cell, count)
    find_tops(blocks, count)
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def grow_forest(marks: Marks, blocks: Blocks) -> cython.void:
    """The blocks of the cells that carry no number, none of them counted for a pair yet."""
    count = search_unnumbered(marks, blocks)
    for at in range(count):
        cell = blocks.order[at]
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


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def pass_forest(
    grid: PrintedBoard,
    marks: Marks,
    findings: Findings,
    blocks: Blocks,
    start: cython.int,
    goal: cython.int,
    number: cython.int,
) -> cython.bint:
    """Count a pair with two lines for all that lies between them; False when nothing does."""
    blocks.count[start], blocks.last[start] = 1, number
    blocks.count[goal], blocks.last[goal] = 1, number
    starts, direct = _list_entries(grid, marks, blocks, start, goal, blocks.starts)
    goals, _ = _list_entries(grid, marks, blocks, goal, start, blocks.goals)
    if direct >= 0:
        blocks.used[direct] = 1
        if not _share_tree(blocks, starts, goals):
            propose(findings, DRAWN, direct, CUT_OFF, number)
            return True
    block = _shared_block(blocks, starts, goals)
    if block >= 0:
        _count_block(marks, blocks, block, number)
        for at in range(starts):
            blocks.used[blocks.starts[2 * at + 1]] = 1
        for at in range(goals):
            blocks.used[blocks.goals[2 * at + 1]] = 1
        return True
    return _pass_trees(grid, marks, findings, blocks, start, goal, starts, goals, number, direct < 0)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _list_entries(
    grid: PrintedBoard, marks: Marks, blocks: Blocks, end: cython.int, other: cython.int, entries: Ints
) -> tuple[cython.int, cython.int]:
    """List the cells next to a line end that the forest holds, each with the edge to it.

    Returns:
        How many; the edge to the other line end, -1 when they are no neighbours.
    """
    count, direct = 0, -1
    for side in range(4):
        to = exit_at(grid, marks, end, side)
        if to == other:
            direct = edge_of(grid, end, side)
        elif to >= 0 and blocks.place[to] > 0:
            entries[2 * count] = to
            entries[2 * count + 1] = edge_of(grid, end, side)
            count += 1
    return count, direct


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _share_tree(blocks: Blocks, starts: cython.int, goals: cython.int) -> cython.bint:
    for one in range(goals):
        for other in range(starts):
            if blocks.tree[blocks.goals[2 * one]] == blocks.tree[blocks.starts[2 * other]]:
                return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _shared_block(blocks: Blocks, starts: cython.int, goals: cython.int) -> cython.int:
    """The block that both lines enter in several places, and no other; else -1."""
    if starts < 2 or goals < 2:
        return -1
    block = blocks.top[blocks.starts[0]]
    for at in range(1, starts):
        if blocks.top[blocks.starts[2 * at]] != block:
            return -1
    for at in range(goals):
        if blocks.top[blocks.goals[2 * at]] != block:
            return -1
    return block


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _pass_trees(
    grid: PrintedBoard,
    marks: Marks,
    findings: Findings,
    blocks: Blocks,
    start: cython.int,
    goal: cython.int,
    starts: cython.int,
    goals: cython.int,
    number: cython.int,
    named: cython.bint,
) -> cython.bint:
    """Count a pair for all ways between its entries, and propose what all share when ``named``."""
    near, ways, trees, tree = 0, 0, 0, -1
    for one in range(goals):
        near_goal = blocks.goals[2 * one]
        for other in range(starts):
            near_start = blocks.starts[2 * other]
            if blocks.tree[near_goal] != blocks.tree[near_start]:
                continue
            if blocks.tree[near_goal] != tree:
                trees += 1
                tree = blocks.tree[near_goal]
            _pass_way(marks, blocks, near_goal, near_start, number, ways == 0)
            blocks.used[blocks.starts[2 * other + 1]] = 1
            ways += 1
        if blocks.tree[near_goal] == tree:
            blocks.used[blocks.goals[2 * one + 1]] = 1
            near += 1
    if ways == 0:
        return False
    _count_common(marks, blocks, starts, goals, number)
    if named and trees == 1:
        _name_passage(grid, marks, findings, blocks, start, goal, number, ways, near)
    for at in range(blocks.goal_side):
        blocks.hits[blocks.near_goal[at]] = 0
    for at in range(blocks.start_side):
        blocks.hits[blocks.near_start[at]] = 0
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _pass_way(
    marks: Marks, blocks: Blocks, one: cython.int, other: cython.int, number: cython.int, first: cython.bint
) -> cython.void:
    """Count the blocks on the way through the forest from one cell to another, and mark its cells.

    The first way of a pair is written down; of the others only what they share with it counts.
    """
    if first:
        blocks.goal_side, blocks.start_side = 0, 0
    _pass_near_goal(blocks, one, first)
    if one != other:
        _pass_near_start(blocks, other, first)
    while one != other:
        top, other_top = blocks.top[one], blocks.top[other]
        if top == other_top:
            _count_block(marks, blocks, top, number)
            return
        if other_top < 0 or (top >= 0 and blocks.depth[top] >= blocks.depth[other_top]):
            _count_block(marks, blocks, top, number)
            one = blocks.parent[top]
            if one != other:
                _pass_near_goal(blocks, one, first)
        else:
            _count_block(marks, blocks, other_top, number)
            other = blocks.parent[other_top]
            if one != other:
                _pass_near_start(blocks, other, first)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _pass_near_goal(blocks: Blocks, cell: cython.int, first: cython.bint) -> cython.void:
    if first:
        blocks.near_goal[blocks.goal_side] = cell
        blocks.goal_side += 1
    _pass_cell(blocks, cell, first)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _pass_near_start(blocks: Blocks, cell: cython.int, first: cython.bint) -> cython.void:
    if first:
        blocks.near_start[blocks.start_side] = cell
        blocks.start_side += 1
    _pass_cell(blocks, cell, first)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _pass_cell(blocks: Blocks, cell: cython.int, first: cython.bint) -> cython.void:
    if first:
        blocks.hits[cell] = 1
    elif blocks.hits[cell] > 0:
        blocks.hits[cell] += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _count_block(marks: Marks, blocks: Blocks, block: cython.int, number: cython.int) -> cython.void:
    if blocks.block_stamp[block] == number:
        return
    blocks.block_stamp[block] = number
    blocks.block_count[block] += 1
    blocks.block_last[block] = number
    _count_cell(marks, blocks, blocks.parent[block], number)
    apex = blocks.first_apex[block]
    while apex >= 0:
        _count_cell(marks, blocks, apex, number)
        apex = blocks.next_apex[apex]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _count_cell(marks: Marks, blocks: Blocks, cell: cython.int, number: cython.int) -> cython.void:
    """Count a cell that lies in no block alone; one on a fragment is counted with its block."""
    if blocks.cell_stamp[cell] != number:
        blocks.cell_stamp[cell] = number
        if marks.mate[cell] == cell:
            blocks.count[cell] += 1
            blocks.last[cell] = number


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _count_common(
    marks: Marks, blocks: Blocks, starts: cython.int, goals: cython.int, number: cython.int
) -> cython.void:
    """Count the cells next to both lines, which may lie in no block between."""
    for one in range(goals):
        cell = blocks.goals[2 * one]
        for other in range(starts):
            if cell == blocks.starts[2 * other]:
                top = blocks.top[cell]
                if top < 0 or blocks.apex[cell] != 0 or blocks.block_stamp[top] != number:
                    _count_cell(marks, blocks, cell, number)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _name_passage(
    grid: PrintedBoard,
    marks: Marks,
    findings: Findings,
    blocks: Blocks,
    start: cython.int,
    goal: cython.int,
    number: cython.int,
    ways: cython.int,
    goals: cython.int,
) -> cython.void:
    """From the goal on, the cells and edges that all ways share."""
    before = -1
    side, length = blocks.goal_side, blocks.goal_side + blocks.start_side
    for at in range(length):
        cell = blocks.near_goal[at] if at < side else blocks.near_start[length - 1 - at]
        if blocks.hits[cell] < ways:
            continue
        propose_number(marks, findings, cell, number)
        if before < 0:
            if goals == 1:
                propose(findings, DRAWN, edge_between(grid, goal, cell), CUT_OFF, number)
        elif marks.mate[before] != cell and (_hangs(blocks, before, cell) or _hangs(blocks, cell, before)):
            propose(findings, DRAWN, edge_between(grid, before, cell), CUT_OFF, number)
        before = cell
    if ways == goals:
        propose(findings, DRAWN, edge_between(grid, before, start), CUT_OFF, number)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def edge_between(grid: PrintedBoard, one: cython.int, other: cython.int) -> cython.int:
    """The edge between two cells, -1 when they are no neighbours."""
    for side in range(4):
        if grid.around[4 * one + side] == other:
            return edge_of(grid, one, side)
    return -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _hangs(blocks: Blocks, cell: cython.int, other: cython.int) -> cython.bint:
    """Whether the way from a cell to another is a block that hangs from the other."""
    return blocks.parent[cell] == other and is_bridge(blocks, cell)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def propose_number(marks: Marks, findings: Findings, cell: cython.int, number: cython.int) -> cython.void:
    """A cell that a pair's path must pass carries its number; so does its fragment's other end."""
    propose(findings, NUMBERED, min(cell, marks.mate[cell]), MUST_PASS, number)
