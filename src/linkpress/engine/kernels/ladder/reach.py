"""The third technique: where can each pair's path still run?

A path from one line end of an unjoined pair to the other visits only the blocks between the two
(``blocks``), passes every cell where two of them meet, and uses every edge that is a block of its
own. What is in no pair's blocks nobody could reach and leave again.

All pairs share the graph of the cells that carry no number, so its forest of blocks is built once.
``forest_ways`` looks there for the ways of a pair with two lines of its own. For a pair that has
fragments elsewhere the graph with these is searched for itself.
"""

try:
    import cython
except ImportError:  # no compiler was there, so that kernels run as plain Python
    import linkpress.engine.kernels.pure_python as cython

from linkpress.engine.kernels.glossary import Reason

if not cython.compiled:
    from linkpress.engine.kernels.ladder.blocks import (
        Blocks,
        begins_block,
        find_tops,
        is_bridge,
        list_ways,
        search,
    )
    from linkpress.engine.kernels.ladder.findings import NUMBERED, PAIR_CUT_OFF, UNREACHED, Findings, propose
    from linkpress.engine.kernels.ladder.forest_ways import (
        CUT_OFF,
        edge_between,
        grow_forest,
        pass_forest,
        propose_number,
        search_unnumbered,
    )
    from linkpress.engine.kernels.ladder.marks import (
        DRAWN,
        OPEN,
        RIGHT,
        RULED_OUT,
        Marks,
        PrintedBoard,
        open_end,
    )

NOBODY_USES = cython.declare(cython.int, Reason.NOBODY_USES.value)
ONLY_ONE_REACHES = cython.declare(cython.int, Reason.ONLY_ONE_REACHES.value)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_cut_off(grid: PrintedBoard, marks: Marks, findings: Findings, blocks: Blocks) -> cython.bint:
    """What follows from where each pair's path can run; False when a pair or a cell is cut off."""
    cells = grid.cells
    for cell in range(cells):
        blocks.count[cell] = blocks.used[2 * cell] = blocks.used[2 * cell + 1] = 0
    list_ways(grid, marks, blocks)
    grow_forest(marks, blocks)
    for pair in range(grid.pair_count):
        first = grid.pairs[2 * pair]
        start, goal = open_end(marks, first), open_end(marks, grid.pairs[2 * pair + 1])
        if start < 0:
            continue
        if marks.parts[first] == 2:
            found = pass_forest(grid, marks, findings, blocks, start, goal, first + 1)
        else:
            found = _pass_alone(grid, marks, findings, blocks, start, goal, first + 1)
        if not found:
            findings.fault, findings.fault_at = PAIR_CUT_OFF, first + 1
            return False
    return _find_unreached(grid, marks, findings, blocks)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _pass_alone(
    grid: PrintedBoard,
    marks: Marks,
    findings: Findings,
    blocks: Blocks,
    start: cython.int,
    goal: cython.int,
    number: cython.int,
) -> cython.bint:
    """As ``pass_forest``, for a pair that has fragments elsewhere: search its own graph."""
    for cell in range(marks.cells):
        open_to: cython.bint = marks.need[cell] > 0 and (
            marks.number[cell] == 0 or marks.number[cell] == number
        )
        blocks.place[cell] = 0 if open_to else -1
    count = search(blocks, start, 0)
    if blocks.place[goal] == 0:
        return False
    find_tops(blocks, count)
    for at in range(count):
        blocks.between[blocks.order[at]] = 0
    cell = goal
    while cell != start:
        blocks.between[blocks.top[cell]] = 1
        parent = blocks.parent[cell]
        if begins_block(blocks, cell):
            if marks.number[parent] == 0:
                propose_number(marks, findings, parent, number)
            if is_bridge(blocks, cell) and marks.mate[cell] != parent:
                propose(findings, DRAWN, edge_between(grid, parent, cell), CUT_OFF, number)
        cell = parent
    _spread(grid, marks, blocks, count, number)
    search_unnumbered(marks, blocks)
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _spread(
    grid: PrintedBoard, marks: Marks, blocks: Blocks, count: cython.int, number: cython.int
) -> cython.void:
    """Count one more pair for the cells and edges in the blocks that its own search found."""
    for at in range(count):
        cell = blocks.order[at]
        if not _between(blocks, cell):
            continue
        mate = marks.mate[cell]
        if marks.need[mate] == 0 or _between(blocks, mate):
            blocks.count[cell] += 1
            blocks.last[cell] = number
        for down in range(2):
            to = grid.around[4 * cell + RIGHT + down]
            if to >= 0 and _between(blocks, to):
                blocks.used[2 * cell + down] = 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _between(blocks: Blocks, cell: cython.int) -> cython.bint:
    if blocks.place[cell] <= 0:
        return False
    return blocks.top[cell] < 0 or blocks.between[blocks.top[cell]] != 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _find_unreached(grid: PrintedBoard, marks: Marks, findings: Findings, blocks: Blocks) -> cython.bint:
    for cell in range(grid.cells):
        if marks.need[cell] == 0:
            continue
        count, last = blocks.count[cell], blocks.last[cell]
        if marks.number[cell] == 0:
            block = _only_block(marks, blocks, cell)
            if block >= 0 and blocks.block_count[block] > 0:
                count += blocks.block_count[block]
                last = blocks.block_last[block]
        if count == 0:
            findings.fault, findings.fault_at = UNREACHED, cell
            return False
        if marks.number[cell] == 0 and count == 1:
            propose(findings, NUMBERED, min(cell, marks.mate[cell]), ONLY_ONE_REACHES, last)
        for down in range(2):
            edge = 2 * cell + down
            if marks.edge[2 * cell + down] == OPEN and not _is_used(
                blocks, cell, grid.around[4 * cell + 2 + down], edge
            ):
                propose(findings, RULED_OUT, edge, NOBODY_USES, cell)
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _only_block(marks: Marks, blocks: Blocks, cell: cython.int) -> cython.int:
    """The block whose pairs are those that can use a cell; -1 when they are counted for the cell."""
    mate = marks.mate[cell]
    if mate != cell:
        return _block_of(blocks, cell, mate)
    return -1 if blocks.apex[cell] != 0 else blocks.top[cell]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _block_of(blocks: Blocks, one: cython.int, other: cython.int) -> cython.int:
    """The block of the way between two cells."""
    return blocks.top[one if blocks.place[one] > blocks.place[other] else other]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _is_used(blocks: Blocks, one: cython.int, other: cython.int, edge: cython.int) -> cython.bint:
    if blocks.used[edge] != 0:
        return True
    if blocks.place[one] <= 0 or blocks.place[other] <= 0:
        return False
    return blocks.block_count[_block_of(blocks, one, other)] > 0
