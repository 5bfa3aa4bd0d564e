"""The third technique: where can each pair's path still run?

A path from one line end of an unjoined pair to the other visits only the blocks between the two
(``blocks``), passes every cell where two of them meet, and uses every edge that is a block of its
own. What is in no pair's blocks nobody could reach and leave again.

All pairs share the graph of the cells that carry no number, so its forest of blocks is built once.
A pair with two lines of its own enters it where they end: the blocks between are those on the ways
through the forest from one line's neighbours to the other's. For a pair that has fragments
elsewhere the graph with these is searched for itself.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkpress.engine.kernels.blocks import (
    FOUND,
    ORDER,
    PARENT,
    TOP,
    begins_block,
    find_tops,
    is_bridge,
    list_ways,
    search,
)
from linkpress.engine.kernels.compile import kernel
from linkpress.engine.kernels.findings import (
    FAULT,
    FAULT_AT,
    GOAL_SIDE,
    HEAD,
    NUMBERED,
    PAIR_CUT_OFF,
    REGION,
    START_SIDE,
    UNREACHED,
    propose,
)
from linkpress.engine.kernels.marks import (
    DRAWN,
    MATE,
    NEED,
    NUMBER,
    OPEN,
    PARTS,
    RIGHT,
    RIGHT_SIDE,
    RULED_OUT,
    edge_of,
    exit_at,
    open_end,
)

Cells = NDArray[np.int16]
Ints = NDArray[np.int32]

CUT_OFF, MUST_PASS, NOBODY_USES, ONLY_ONE_REACHES = 5, 6, 7, 8
# Rows of the scratch, after those of ``blocks``.
(
    _COUNT,  # cell: pairs that can use it, but for those counted for its block alone
    _LAST,  # cell: the number of the last of them
    _BLOCK_COUNT,  # block: pairs that can use it
    _BLOCK_LAST,  # block
    _USED,  # edge: whether a pair can use it, when that is not said of its block
    _APEX,  # cell: whether blocks hang from it
    _NEXT_APEX,  # apex: the next in the same block, -1 after the last
    _FIRST_APEX,  # block: an apex in it, -1 for none
    _DEPTH,  # block: 1 when it hangs from a root
    _TREE,  # cell: the root that it was found from
    _STAMP,  # block: the pair last counted for it
    _CELL_STAMP,  # cell
    _HITS,  # cell: ways of a pair that pass it
    _NEAR_GOAL,  # cells of the first way, from the goal up
    _NEAR_START,  # and from the start up, to where they meet
    _STARTS,  # the cells of the forest next to one line end of a pair, each with the edge to it
    _GOALS,  # and next to the other
    _BETWEEN,  # block: whether it lies between, in a search for one pair
) = range(REGION + 9, REGION + 27)


@kernel()
def find_cut_off(around: Cells, marks: Cells, pairs: Cells, work: Ints) -> bool:
    """What follows from where each pair's path can run; False when a pair or a cell is cut off."""
    cells = around.shape[0]
    work[_COUNT, :cells] = 0
    work[_USED, : 2 * cells] = 0
    list_ways(around, marks, work)
    _grow_forest(marks, work)
    for pair in range(pairs.shape[0]):
        first = pairs[pair, 0]
        start, goal = open_end(marks, first), open_end(marks, pairs[pair, 1])
        if start < 0:
            continue
        if marks[first, PARTS] == 2:
            found = _pass_forest(around, marks, work, start, goal, first + 1)
        else:
            found = _pass_alone(around, marks, work, start, goal, first + 1)
        if not found:
            work[HEAD, FAULT], work[HEAD, FAULT_AT] = PAIR_CUT_OFF, first + 1
            return False
    return _find_unreached(around, marks, work)


@kernel()
def _search_unnumbered(marks: Cells, work: Ints) -> int:
    cells = marks.shape[0]
    for cell in range(cells):
        work[FOUND, cell] = 0 if marks[cell, NUMBER] == 0 and marks[cell, NEED] > 0 else -1
    count = 0
    for cell in range(cells):
        if work[FOUND, cell] == 0:
            count = search(work, cell, count)
    find_tops(work, count)
    return count


@kernel()
def _grow_forest(marks: Cells, work: Ints) -> None:
    """The blocks of the cells that carry no number, none of them counted for a pair yet."""
    count = _search_unnumbered(marks, work)
    for at in range(count):
        cell = work[ORDER, at]
        parent, top = work[PARENT, cell], work[TOP, cell]
        work[_APEX, cell], work[_CELL_STAMP, cell], work[_HITS, cell] = 0, 0, 0
        work[_TREE, cell] = cell if parent < 0 else work[_TREE, parent]
        if top != cell:
            continue
        work[_BLOCK_COUNT, cell], work[_STAMP, cell], work[_FIRST_APEX, cell] = 0, 0, -1
        above = work[TOP, parent]
        work[_DEPTH, cell] = 1 if above < 0 else work[_DEPTH, above] + 1
        if work[_APEX, parent] == 0:
            work[_APEX, parent] = 1
            if above >= 0:
                work[_NEXT_APEX, parent] = work[_FIRST_APEX, above]
                work[_FIRST_APEX, above] = parent


@kernel()
def _pass_forest(around: Cells, marks: Cells, work: Ints, start: int, goal: int, number: int) -> bool:
    """Count a pair with two lines for all that lies between them; False when nothing does."""
    work[_COUNT, start], work[_LAST, start] = 1, number
    work[_COUNT, goal], work[_LAST, goal] = 1, number
    starts, direct = _list_entries(around, marks, work, start, goal, _STARTS)
    goals, _ = _list_entries(around, marks, work, goal, start, _GOALS)
    if direct >= 0:
        work[_USED, direct] = 1
        if not _share_tree(work, starts, goals):
            propose(work, DRAWN, direct, CUT_OFF, number)
            return True
    block = _shared_block(work, starts, goals)
    if block >= 0:
        _count_block(marks, work, block, number)
        for at in range(starts):
            work[_USED, work[_STARTS, 2 * at + 1]] = 1
        for at in range(goals):
            work[_USED, work[_GOALS, 2 * at + 1]] = 1
        return True
    return _pass_trees(around, marks, work, start, goal, starts, goals, number, direct < 0)


@kernel()
def _list_entries(around: Cells, marks: Cells, work: Ints, end: int, other: int, row: int) -> tuple[int, int]:
    """List the cells next to a line end that the forest holds, each with the edge to it.

    Returns:
        How many; the edge to the other line end, -1 when they are no neighbours.
    """
    count, direct = 0, -1
    for side in range(4):
        to = exit_at(around, marks, end, side)
        if to == other:
            direct = edge_of(around, end, side)
        elif to >= 0 and work[FOUND, to] > 0:
            work[row, 2 * count] = to
            work[row, 2 * count + 1] = edge_of(around, end, side)
            count += 1
    return count, direct


@kernel()
def _share_tree(work: Ints, starts: int, goals: int) -> bool:
    for one in range(goals):
        for other in range(starts):
            if work[_TREE, work[_GOALS, 2 * one]] == work[_TREE, work[_STARTS, 2 * other]]:
                return True
    return False


@kernel()
def _shared_block(work: Ints, starts: int, goals: int) -> int:
    """The block that both lines enter in several places, and no other; else -1."""
    if starts < 2 or goals < 2:
        return -1
    block = work[TOP, work[_STARTS, 0]]
    for at in range(1, starts):
        if work[TOP, work[_STARTS, 2 * at]] != block:
            return -1
    for at in range(goals):
        if work[TOP, work[_GOALS, 2 * at]] != block:
            return -1
    return block  # type: ignore[no-any-return]


@kernel()
def _pass_trees(
    around: Cells,
    marks: Cells,
    work: Ints,
    start: int,
    goal: int,
    starts: int,
    goals: int,
    number: int,
    named: bool,
) -> bool:
    """Count a pair for all ways through the forest between its entries; False when there is none.

    When ``named``, what all ways share is told.
    """
    near, ways, trees, tree = 0, 0, 0, -1
    for one in range(goals):
        near_goal = work[_GOALS, 2 * one]
        for other in range(starts):
            near_start = work[_STARTS, 2 * other]
            if work[_TREE, near_goal] != work[_TREE, near_start]:
                continue
            if work[_TREE, near_goal] != tree:
                trees += 1
                tree = work[_TREE, near_goal]
            _pass_way(marks, work, near_goal, near_start, number, ways == 0)
            work[_USED, work[_STARTS, 2 * other + 1]] = 1
            ways += 1
        if work[_TREE, near_goal] == tree:
            work[_USED, work[_GOALS, 2 * one + 1]] = 1
            near += 1
    if ways == 0:
        return False
    _count_common(marks, work, starts, goals, number)
    if named and trees == 1:
        _name_passage(around, marks, work, start, goal, number, ways, near)
    for at in range(work[HEAD, GOAL_SIDE]):
        work[_HITS, work[_NEAR_GOAL, at]] = 0
    for at in range(work[HEAD, START_SIDE]):
        work[_HITS, work[_NEAR_START, at]] = 0
    return True


@kernel()
def _pass_way(marks: Cells, work: Ints, one: int, other: int, number: int, first: bool) -> None:
    """Count the blocks on the way through the forest from one cell to another, and mark its cells.

    The first way of a pair is written down; of the others only what they share with it counts.
    """
    if first:
        work[HEAD, GOAL_SIDE], work[HEAD, START_SIDE] = 0, 0
    _pass_cell(work, one, first, _NEAR_GOAL, GOAL_SIDE)
    if one != other:
        _pass_cell(work, other, first, _NEAR_START, START_SIDE)
    while one != other:
        top, other_top = work[TOP, one], work[TOP, other]
        if top == other_top:
            _count_block(marks, work, top, number)
            return
        if other_top < 0 or (top >= 0 and work[_DEPTH, top] >= work[_DEPTH, other_top]):
            _count_block(marks, work, top, number)
            one = work[PARENT, top]
            if one != other:
                _pass_cell(work, one, first, _NEAR_GOAL, GOAL_SIDE)
        else:
            _count_block(marks, work, other_top, number)
            other = work[PARENT, other_top]
            if one != other:
                _pass_cell(work, other, first, _NEAR_START, START_SIDE)


@kernel()
def _pass_cell(work: Ints, cell: int, first: bool, row: int, counter: int) -> None:
    if first:
        work[row, work[HEAD, counter]] = cell
        work[HEAD, counter] += 1
        work[_HITS, cell] = 1
    elif work[_HITS, cell] > 0:
        work[_HITS, cell] += 1


@kernel()
def _count_block(marks: Cells, work: Ints, block: int, number: int) -> None:
    if work[_STAMP, block] == number:
        return
    work[_STAMP, block] = number
    work[_BLOCK_COUNT, block] += 1
    work[_BLOCK_LAST, block] = number
    _count_cell(marks, work, work[PARENT, block], number)
    apex = work[_FIRST_APEX, block]
    while apex >= 0:
        _count_cell(marks, work, apex, number)
        apex = work[_NEXT_APEX, apex]


@kernel()
def _count_cell(marks: Cells, work: Ints, cell: int, number: int) -> None:
    """Count a cell that lies in no block alone; one on a fragment is counted with its block."""
    if work[_CELL_STAMP, cell] != number:
        work[_CELL_STAMP, cell] = number
        if marks[cell, MATE] == cell:
            work[_COUNT, cell] += 1
            work[_LAST, cell] = number


@kernel()
def _count_common(marks: Cells, work: Ints, starts: int, goals: int, number: int) -> None:
    """Count the cells next to both lines, which may lie in no block between."""
    for one in range(goals):
        cell = work[_GOALS, 2 * one]
        for other in range(starts):
            if cell == work[_STARTS, 2 * other]:
                top = work[TOP, cell]
                if top < 0 or work[_APEX, cell] != 0 or work[_STAMP, top] != number:
                    _count_cell(marks, work, cell, number)


@kernel()
def _name_passage(
    around: Cells, marks: Cells, work: Ints, start: int, goal: int, number: int, ways: int, goals: int
) -> None:
    """From the goal on, the cells and edges that all ways share."""
    before = -1
    side, length = work[HEAD, GOAL_SIDE], work[HEAD, GOAL_SIDE] + work[HEAD, START_SIDE]
    for at in range(length):
        cell = work[_NEAR_GOAL, at] if at < side else work[_NEAR_START, length - 1 - at]
        if work[_HITS, cell] < ways:
            continue
        _number(marks, work, cell, number)
        if before < 0:
            if goals == 1:
                propose(work, DRAWN, _step(around, goal, cell), CUT_OFF, number)
        elif marks[before, MATE] != cell and (_hangs(work, before, cell) or _hangs(work, cell, before)):
            propose(work, DRAWN, _step(around, before, cell), CUT_OFF, number)
        before = cell
    if ways == goals:
        propose(work, DRAWN, _step(around, before, start), CUT_OFF, number)


@kernel()
def _step(around: Cells, one: int, other: int) -> int:
    """The edge between two cells, -1 when they are no neighbours."""
    for side in range(4):
        if around[one, side] == other:
            return edge_of(around, one, side)
    return -1


@kernel()
def _hangs(work: Ints, cell: int, other: int) -> bool:
    """Whether the way from a cell to another is a block that hangs from the other."""
    return bool(work[PARENT, cell] == other and is_bridge(work, cell))


@kernel()
def _number(marks: Cells, work: Ints, cell: int, number: int) -> None:
    propose(work, NUMBERED, min(cell, marks[cell, MATE]), MUST_PASS, number)


@kernel()
def _pass_alone(around: Cells, marks: Cells, work: Ints, start: int, goal: int, number: int) -> bool:
    """As ``_pass_forest``, for a pair that has fragments elsewhere: search its own graph."""
    for cell in range(marks.shape[0]):
        open_to = marks[cell, NEED] > 0 and (marks[cell, NUMBER] == 0 or marks[cell, NUMBER] == number)
        work[FOUND, cell] = 0 if open_to else -1
    count = search(work, start, 0)
    if work[FOUND, goal] == 0:
        return False
    find_tops(work, count)
    for at in range(count):
        work[_BETWEEN, work[ORDER, at]] = 0
    cell = goal
    while cell != start:
        work[_BETWEEN, work[TOP, cell]] = 1
        parent = work[PARENT, cell]
        if begins_block(work, cell):
            if marks[parent, NUMBER] == 0:
                _number(marks, work, parent, number)
            if is_bridge(work, cell) and marks[cell, MATE] != parent:
                propose(work, DRAWN, _step(around, parent, cell), CUT_OFF, number)
        cell = parent
    _spread(around, marks, work, count, number)
    _search_unnumbered(marks, work)
    return True


@kernel()
def _spread(around: Cells, marks: Cells, work: Ints, count: int, number: int) -> None:
    """Count one more pair for the cells and edges in the blocks that its own search found."""
    for at in range(count):
        cell = work[ORDER, at]
        if not _between(work, cell):
            continue
        mate = marks[cell, MATE]
        if marks[mate, NEED] == 0 or _between(work, mate):
            work[_COUNT, cell] += 1
            work[_LAST, cell] = number
        for down in range(2):
            to = around[cell, RIGHT_SIDE + down]
            if to >= 0 and _between(work, to):
                work[_USED, 2 * cell + down] = 1


@kernel()
def _between(work: Ints, cell: int) -> bool:
    if work[FOUND, cell] <= 0:
        return False
    return bool(work[TOP, cell] < 0 or work[_BETWEEN, work[TOP, cell]] != 0)


@kernel()
def _find_unreached(around: Cells, marks: Cells, work: Ints) -> bool:
    for cell in range(around.shape[0]):
        if marks[cell, NEED] == 0:
            continue
        count, last = work[_COUNT, cell], work[_LAST, cell]
        if marks[cell, NUMBER] == 0:
            block = _only_block(marks, work, cell)
            if block >= 0 and work[_BLOCK_COUNT, block] > 0:
                count += work[_BLOCK_COUNT, block]
                last = work[_BLOCK_LAST, block]
        if count == 0:
            work[HEAD, FAULT], work[HEAD, FAULT_AT] = UNREACHED, cell
            return False
        if marks[cell, NUMBER] == 0 and count == 1:
            propose(work, NUMBERED, min(cell, marks[cell, MATE]), ONLY_ONE_REACHES, last)
        for down in range(2):
            edge = 2 * cell + down
            if marks[cell, RIGHT + down] == OPEN and not _is_used(work, cell, around[cell, 2 + down], edge):
                propose(work, RULED_OUT, edge, NOBODY_USES, cell)
    return True


@kernel()
def _only_block(marks: Cells, work: Ints, cell: int) -> int:
    """The block whose pairs are those that can use a cell; -1 when they are counted for the cell."""
    mate = marks[cell, MATE]
    if mate != cell:
        return _block_of(work, cell, mate)
    return -1 if work[_APEX, cell] != 0 else work[TOP, cell]


@kernel()
def _block_of(work: Ints, one: int, other: int) -> int:
    """The block of the way between two cells."""
    return work[TOP, one if work[FOUND, one] > work[FOUND, other] else other]  # type: ignore[no-any-return]


@kernel()
def _is_used(work: Ints, one: int, other: int, edge: int) -> bool:
    if work[_USED, edge] != 0:
        return True
    if work[FOUND, one] <= 0 or work[FOUND, other] <= 0:
        return False
    return bool(work[_BLOCK_COUNT, _block_of(work, one, other)] > 0)
