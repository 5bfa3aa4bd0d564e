"""The blocks of the graph that lines can run in, as a forest.

The graph: cells with need, joined by open edges and, from end to end, along their fragments. A
block is a largest set of cells that no single cell parts; two blocks share at most one cell. A
depth-first search finds them: a block is named after its first cell and hangs from its *apex*,
that cell's parent; each cell but a root lies in the block of the edge to its parent, and an apex
in those that hang from it too.

Source:
    Hopcroft and Tarjan, "Efficient algorithms for graph manipulation", 1973.
"""

try:
    import cython
except ImportError:  # no compiler was there, so that kernels run as plain Python
    import linkpress.engine.kernels.pure_python as cython

if not cython.compiled:
    from linkpress.engine.kernels.ladder.marks import DOWN, OPEN, RIGHT, Marks, PrintedBoard
    from linkpress.engine.kernels.memory import Ints, State, ints_of


@cython.final
@cython.cclass
class Blocks(State):
    """The forest of blocks, and which pairs can run where.

    Args:
        cells: of the board.
    """

    ways: Ints  # 5 × cell: the cells that a path can go on to from it, ``degree`` of them
    degree: Ints  # by cell
    stack: Ints  # the cells that the search has not left yet
    next_way: Ints  # by cell: which of its ways is to be taken next
    order: Ints  # the cells as they were found
    place: Ints  # by cell: its place in ``order`` + 1; 0 before it is found, -1 where the search may not go
    low: Ints  # by cell: the lowest place that it and those found from it touch
    parent: Ints  # by cell: the one that it was found from, -1 for a root
    top: Ints  # by cell: the block of the edge to its parent, -1 for a root
    # Which pairs can run where, for ``reach``.
    count: Ints  # by cell: pairs that can use it, but for those counted for its block alone
    last: Ints  # by cell: the number of the last of them
    block_count: Ints  # by block: pairs that can use it
    block_last: Ints  # by block: the number of the last of them
    used: Ints  # by edge: 1 when a pair can use it and that is not said of its block
    apex: Ints  # by cell: 1 when blocks hang from it
    next_apex: Ints  # by apex: the next in the same block, -1 after the last
    first_apex: Ints  # by block: an apex in it, -1 for none
    depth: Ints  # by block: 1 when it hangs from a root, else 1 more than the block that it hangs from
    tree: Ints  # by cell: the root that it was found from
    block_stamp: Ints  # by block: the number of the pair last counted for it
    cell_stamp: Ints  # by cell: the number of the pair last counted for it
    hits: Ints  # by cell: how many ways of the present pair pass it
    near_goal: Ints  # the cells of its first way, from the goal up, ``goal_side`` of them
    goal_side: cython.int
    near_start: Ints  # and from the start up, to where they meet, ``start_side`` of them
    start_side: cython.int
    starts: Ints  # the cells of the forest next to one line end of a pair, each with the edge to it
    goals: Ints  # and next to the other line end
    between: Ints  # by block: 1 when it lies between, in a search for one pair

    def __init__(self, cells: cython.int) -> None:
        self.goal_side = self.start_side = 0
        self.ways = ints_of(self, 5 * cells)
        self.degree = ints_of(self, cells)
        self.stack = ints_of(self, cells)
        self.next_way = ints_of(self, cells)
        self.order = ints_of(self, cells)
        self.place = ints_of(self, cells)
        self.low = ints_of(self, cells)
        self.parent = ints_of(self, cells)
        self.top = ints_of(self, cells)
        self.count = ints_of(self, cells)
        self.last = ints_of(self, cells)
        self.block_count = ints_of(self, cells)
        self.block_last = ints_of(self, cells)
        self.used = ints_of(self, 2 * cells)
        self.apex = ints_of(self, cells)
        self.next_apex = ints_of(self, cells)
        self.first_apex = ints_of(self, cells)
        self.depth = ints_of(self, cells)
        self.tree = ints_of(self, cells)
        self.block_stamp = ints_of(self, cells)
        self.cell_stamp = ints_of(self, cells)
        self.hits = ints_of(self, cells)
        self.near_goal = ints_of(self, cells)
        self.near_start = ints_of(self, cells)
        self.starts = ints_of(self, 8)
        self.goals = ints_of(self, 8)
        self.between = ints_of(self, cells)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def list_ways(grid: PrintedBoard, marks: Marks, blocks: Blocks) -> cython.void:
    """For each cell with need the cells with need next to it over an open edge or a fragment."""
    cells = grid.cells
    for cell in range(cells):
        blocks.degree[cell] = 0
    for cell in range(cells):
        if marks.need[cell] == 0:
            continue
        if marks.edge[2 * cell] == OPEN:
            _join(marks, blocks, cell, grid.around[4 * cell + RIGHT])
        if marks.edge[2 * cell + 1] == OPEN:
            _join(marks, blocks, cell, grid.around[4 * cell + DOWN])
        mate = marks.mate[cell]
        if mate > cell:
            _join(marks, blocks, cell, mate)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _join(marks: Marks, blocks: Blocks, one: cython.int, other: cython.int) -> cython.void:
    if marks.need[other] > 0:
        blocks.ways[5 * one + blocks.degree[one]] = other
        blocks.ways[5 * other + blocks.degree[other]] = one
        blocks.degree[one] += 1
        blocks.degree[other] += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def search(blocks: Blocks, start: cython.int, count: cython.int) -> cython.int:
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


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def begins_block(blocks: Blocks, cell: cython.int) -> cython.bint:
    """Whether a cell that is no root is the first of a block."""
    return blocks.low[cell] >= blocks.place[blocks.parent[cell]]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_bridge(blocks: Blocks, cell: cython.int) -> cython.bint:
    """Whether the way from a cell to its parent is a block of its own."""
    return blocks.low[cell] > blocks.place[blocks.parent[cell]]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_tops(blocks: Blocks, count: cython.int) -> cython.void:
    """Fill ``top`` for the cells found."""
    for at in range(count):
        cell = blocks.order[at]
        if blocks.parent[cell] < 0:
            blocks.top[cell] = -1
        else:
            blocks.top[cell] = cell if begins_block(blocks, cell) else blocks.top[blocks.parent[cell]]
