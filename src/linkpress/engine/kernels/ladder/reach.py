"""The third technique: where can each pair's path still run?

A path from one line end of an unjoined pair to the other visits only the blocks between the two
(``blocks``), passes every cell where two of them meet, and uses every edge that is a block of its
own. What is in no pair's blocks nobody could reach and leave again.

All pairs share the graph of the cells that carry no number, so its forest of blocks is built once.
``pass_forest`` looks there for the ways of a pair with two lines of its own. For a pair that has
fragments elsewhere the graph with these is searched for itself.
"""

from linkpress.engine.kernels.glossary import Contradiction, Direction, EdgeState, FindingKind, Reason
from linkpress.engine.kernels.ladder.blocks import (
    Blocks,
    begins_block,
    find_tops,
    grow_forest,
    is_bridge,
    list_ways,
    pass_forest,
    propose_number,
    search,
    search_unnumbered,
)
from linkpress.engine.kernels.ladder.board import LadderBoard, edge_between, open_end, propose
from linkpress.engine.kernels.pure_python import kernel


@kernel
def find_cut_off(board: LadderBoard, blocks: Blocks) -> bool:
    """What follows from where each pair's path can run; False when a pair or a cell is cut off."""
    cells = board.cells
    for cell in range(cells):
        blocks.count[cell] = blocks.used[2 * cell] = blocks.used[2 * cell + 1] = 0
    list_ways(board, blocks)
    grow_forest(board, blocks)
    for pair in range(board.pair_count):
        first = board.pairs[2 * pair]
        start, goal = open_end(board, first), open_end(board, board.pairs[2 * pair + 1])
        if start < 0:
            continue
        if board.parts[first] == 2:
            found = pass_forest(board, blocks, start, goal, first + 1)
        else:
            found = _pass_alone(board, blocks, start, goal, first + 1)
        if not found:
            board.fault, board.fault_at = Contradiction.PAIR_CUT_OFF, first + 1
            return False
    return _find_unreached(board, blocks)


@kernel
def _pass_alone(board: LadderBoard, blocks: Blocks, start: int, goal: int, number: int) -> bool:
    """Do what ``pass_forest`` does for a pair that has fragments elsewhere, by a search of its own graph."""
    for cell in range(board.cells):
        open_to: bool = board.need[cell] > 0 and (board.number[cell] == 0 or board.number[cell] == number)
        blocks.place[cell] = 0 if open_to else -1
    count = search(blocks, start, 0)
    if blocks.place[goal] == 0:
        return False
    find_tops(blocks, count)
    for index in range(count):
        blocks.between[blocks.order[index]] = 0
    cell = goal
    while cell != start:
        blocks.between[blocks.top[cell]] = 1
        parent = blocks.parent[cell]
        if begins_block(blocks, cell):
            if board.number[parent] == 0:
                propose_number(board, parent, number)
            if is_bridge(blocks, cell) and board.mate[cell] != parent:
                propose(board, EdgeState.DRAWN, edge_between(board, parent, cell), Reason.CUT_OFF, number)
        cell = parent
    _spread(board, blocks, count, number)
    search_unnumbered(board, blocks)
    return True


@kernel
def _spread(board: LadderBoard, blocks: Blocks, count: int, number: int) -> None:
    """Count one more pair for the cells and edges in the blocks that its own search found."""
    for index in range(count):
        cell = blocks.order[index]
        if not _between(blocks, cell):
            continue
        mate = board.mate[cell]
        if board.need[mate] == 0 or _between(blocks, mate):
            blocks.count[cell] += 1
            blocks.last[cell] = number
        for down in range(2):
            to = board.around[4 * cell + Direction.RIGHT + down]
            if to >= 0 and _between(blocks, to):
                blocks.used[2 * cell + down] = 1


@kernel
def _between(blocks: Blocks, cell: int) -> bool:
    if blocks.place[cell] <= 0:
        return False
    return blocks.top[cell] < 0 or blocks.between[blocks.top[cell]] != 0


@kernel
def _find_unreached(board: LadderBoard, blocks: Blocks) -> bool:
    for cell in range(board.cells):
        if board.need[cell] == 0:
            continue
        count, last = blocks.count[cell], blocks.last[cell]
        if board.number[cell] == 0:
            block = _only_block(board, blocks, cell)
            if block >= 0 and blocks.block_count[block] > 0:
                count += blocks.block_count[block]
                last = blocks.block_last[block]
        if count == 0:
            board.fault, board.fault_at = Contradiction.UNREACHED, cell
            return False
        if board.number[cell] == 0 and count == 1:
            propose(board, FindingKind.NUMBERED, min(cell, board.mate[cell]), Reason.ONLY_ONE_REACHES, last)
        for down in range(2):
            edge = 2 * cell + down
            if board.edge[2 * cell + down] == EdgeState.OPEN and not _is_used(
                blocks, cell, board.around[4 * cell + 2 + down], edge
            ):
                propose(board, EdgeState.RULED_OUT, edge, Reason.NOBODY_USES, cell)
    return True


@kernel
def _only_block(board: LadderBoard, blocks: Blocks, cell: int) -> int:
    """The block whose pairs are those that can use a cell; -1 when they are counted for the cell."""
    mate = board.mate[cell]
    if mate != cell:
        return _block_of(blocks, cell, mate)
    return -1 if blocks.apex[cell] != 0 else blocks.top[cell]


@kernel
def _block_of(blocks: Blocks, one: int, other: int) -> int:
    """The block of the way between two cells."""
    return blocks.top[one if blocks.place[one] > blocks.place[other] else other]


@kernel
def _is_used(blocks: Blocks, one: int, other: int, edge: int) -> bool:
    if blocks.used[edge] != 0:
        return True
    if blocks.place[one] <= 0 or blocks.place[other] <= 0:
        return False
    return blocks.block_count[_block_of(blocks, one, other)] > 0
