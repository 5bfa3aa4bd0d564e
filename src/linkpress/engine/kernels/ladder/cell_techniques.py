"""Techniques that look at a cell and its neighbours: exits, clash, turn, touch and corner.

An *exit* of a cell is an open edge of the cell. The technique ``exits`` draws all exits of a cell that needs
all of them. The technique ``clash`` rules out edges that would close a loop or join two different numbers.

The other techniques are only valid if no path runs beside itself:

* ``turn``: a line can't use three of the four edges that join the cells of a 2 × 2 square.
* ``touch``: two cells of one path, or of two lines with the same number, may be neighbours only if the edge
  between them is drawn.
* ``corner``: a path that bends at a cell goes on to two neighbours of the cell. The cell diagonally inside
  the bend is next to both neighbours, but can't be joined to either. So its path must bend the same way, and
  so on along the diagonal up to a number or a solid. Conversely, a bend is impossible if a cell on its
  diagonal can't bend the same way.
"""

from linkpress.engine.kernels.glossary import Contradiction, Direction, EdgeState, Reason
from linkpress.engine.kernels.ladder.ladder_board import (
    LadderBoard,
    can_not_join,
    edge_of,
    exit_at,
    is_drawn,
    lines_touch,
    propose,
    runs_beside_itself,
)
from linkpress.engine.kernels.pure_python import Bytes, State, items, make_fields

# The table ``Bends.failing`` has an entry for each bend of a path. For an impossible bend, the entry says how
# many cells along a diagonal must be looked at to see that the bend is impossible. For a possible bend, the
# entry is ``POSSIBLE``, which is larger than any such number of cells.
POSSIBLE: int = 100


class Bends(State):
    """Table that says which bends of paths are possible. A path can bend in four ways at each cell.

    ``failing`` has an item for each bend, at index 4 × cell, plus 2 if the bend goes down, plus 1 if it goes
    right. The item is POSSIBLE if the bend is possible. Otherwise the item says how many cells along the
    bend's diagonal one must look at to see that the bend is impossible. It is 0 if the edges of the cell
    itself forbid the bend.
    """

    failing: Bytes = items("4 * cells")

    def __init__(self, cells: int) -> None:
        make_fields(self, locals())


def find_simple(board: LadderBoard) -> None:
    """Apply the simple techniques to the dirty (recently changed) cells.

    ``exits`` draws all open edges (neither drawn nor ruled out) of a cell whose path needs all of them.
    ``clash`` rules out edges that would close a loop or join two different numbers. If no path may run beside
    itself, ``touch`` draws the edges between cells of the same number, and rules out edges with which a path
    would run beside itself.
    """
    find_exits(board)
    find_clashes(board)
    if board.untouching:
        find_touching(board)


def find_exits(board: LadderBoard) -> None:
    """Propose to draw all open edges of each cell whose path needs all of them.

    An open edge is neither drawn nor ruled out. Only dirty (recently changed) cells are examined.
    """
    for index in range(board.dirty_count):
        cell = board.dirty[index]
        if board.need[cell] == 0 or board.need[cell] != board.exits[cell]:
            continue
        for side in range(4):
            if exit_at(board, cell, side) >= 0:
                propose(board, EdgeState.DRAWN, edge_of(board, cell, side), Reason.ALL_EXITS, cell)


def find_clashes(board: LadderBoard) -> None:
    """Propose ruling out open edges that would close a loop or join two different numbers.

    Also propose drawing open edges without which no path could go through a cell (``_find_forks``). An open
    edge is neither drawn nor ruled out. Only dirty (recently changed) cells are examined.
    """
    for index in range(board.dirty_count):
        cell = board.dirty[index]
        if board.need[cell] == 0:
            continue
        for side in range(4):
            to = exit_at(board, cell, side)
            if to >= 0 and can_not_join(board, cell, to):
                reason = Reason.LOOP if board.mate[cell] == to else Reason.CLASH
                propose(board, EdgeState.RULED_OUT, edge_of(board, cell, side), reason, cell)
        if board.need[cell] == 2 and board.exits[cell] > 2:
            _find_forks(board, cell)


def _find_forks(board: LadderBoard, cell: int) -> None:
    """Propose to draw each open edge without which no path could go through a cell.

    An open edge is neither drawn nor ruled out. A path goes through the cell by two edges. So an edge is
    needed if no two of the cell's other open edges can be used together.
    """
    for onward in range(4):
        if exit_at(board, cell, onward) >= 0 and not _others_can_join(board, cell, onward):
            propose(board, EdgeState.DRAWN, edge_of(board, cell, onward), Reason.FORK, cell)


def _others_can_join(board: LadderBoard, cell: int, onward: int) -> bool:
    """Return whether a path can go through a cell without using the cell's edge on the side ``onward``.

    A path can do so if the cell has two other edges that may still be drawn, and if they lead to cells whose
    lines can be joined.
    """
    for side in range(4):
        one = exit_at(board, cell, side)
        if one < 0 or side == onward:
            continue
        for further in range(side + 1, 4):
            other = exit_at(board, cell, further)
            if other >= 0 and further != onward and not can_not_join(board, one, other):
                return True
    return False


def find_turns(board: LadderBoard) -> None:
    """Propose ruling out open edges with which a line would make a U-turn.

    Such a line would use three of the four edges that join the cells of a 2 × 2 square. An open edge is
    neither drawn nor ruled out. Only dirty (recently changed) cells are examined.
    """
    for index in range(board.dirty_count):
        cell = board.dirty[index]
        if board.need[cell] == 0:
            continue
        for side in range(4):
            to = exit_at(board, cell, side)
            across: int = Direction.LEFT if side in (Direction.UP, Direction.DOWN) else Direction.UP
            if to >= 0 and (_turns_back(board, cell, to, across) or _turns_back(board, cell, to, 3 - across)):
                propose(board, EdgeState.RULED_OUT, edge_of(board, cell, side), Reason.TURNS_BACK, cell)


def _turns_back(board: LadderBoard, cell: int, to: int, across: int) -> bool:
    """Return whether a line would make a U-turn if an edge were drawn.

    Four edges join the cells of a 2 × 2 square. The line makes a U-turn if, in the square on one side of the
    edge, two other edges are drawn already.

    Args:
        cell, to: the two cells of the edge.
        across: the direction from the edge to the square to look at.
    """
    one, other = board.around[4 * cell + across], board.around[4 * to + across]
    if one < 0 or other < 0:
        return False
    first, second = is_drawn(board, cell, across), is_drawn(board, to, across)
    if first and second:
        return True
    low, high = min(one, other), max(one, other)
    opposite = board.edge[2 * low + (0 if high == low + 1 else 1)]
    return (first or second) and opposite == EdgeState.DRAWN


def find_touching(board: LadderBoard) -> None:
    """Propose to draw open edges between neighbours that have the same number.

    Also propose to rule out open edges with which a path would run beside itself. An open edge is neither
    drawn nor ruled out. Only dirty (recently changed) cells are examined.
    """
    for index in range(board.dirty_count):
        cell = board.dirty[index]
        if board.need[cell] == 0:
            continue
        for side in range(4):
            to = exit_at(board, cell, side)
            if to < 0 or can_not_join(board, cell, to):
                continue
            if board.pair_code[cell] != 0 and board.pair_code[cell] == board.pair_code[to]:
                propose(board, EdgeState.DRAWN, edge_of(board, cell, side), Reason.SIDE_BY_SIDE, cell)
            elif runs_beside_itself(board, cell, to, 1):
                propose(board, EdgeState.RULED_OUT, edge_of(board, cell, side), Reason.BESIDE_ITSELF, cell)


def find_corners(board: LadderBoard, bends: Bends, longest: int) -> bool:
    """Propose to draw the edges that every possible way through a cell uses.

    A way through a cell is a pair of sides: a path enters the cell by one and leaves it by the other. Also
    propose to rule out edges that no possible way uses. All cells are examined.

    Args:
        longest: the maximum number of cells to look at along a diagonal.
    Returns:
        False if no path can go through some cell.
    """
    for down in range(2):
        for right in range(2):
            # Whether a bend is possible can depend on the bend at the next cell of its diagonal,
            # which lies inside the angle of the bend. In this order of the cells, that next cell is
            # always examined first.
            for index in range(board.cells):
                cell = board.cells - 1 - index if down else index
                bends.failing[4 * cell + 2 * down + right] = _fails_after(board, bends, cell, down, right)
    for cell in range(board.cells):
        if not _compare_ways(board, bends, cell, longest):
            return False
    return True


def find_corner_at(board: LadderBoard, bends: Bends, cell: int, longest: int) -> bool:
    """Propose to draw the edges that every possible way through one cell uses.

    A way through a cell is a pair of sides: a path enters the cell by one and leaves it by the other. Also
    propose to rule out edges that no possible way uses.

    If a path bends at a cell, the path through the cell diagonally inside the bend must bend in the same way,
    unless a number or a solid is there. So the cells along this diagonal can show that a bend is impossible.

    Args:
        longest: the maximum number of cells along the diagonal to look at.
    Returns:
        False if no path can go through the cell.
    """
    row, col = cell // board.cols, cell % board.cols
    for down in range(2):
        for right in range(2):
            below, beside = board.rows - 1 - row if down else row, board.cols - 1 - col if right else col
            step = (board.cols if down else -board.cols) + (1 if right else -1)
            for index in range(min(below, beside), -1, -1):
                inner = cell + index * step
                bends.failing[4 * inner + 2 * down + right] = _fails_after(board, bends, inner, down, right)
    return _compare_ways(board, bends, cell, longest)


def _compare_ways(board: LadderBoard, bends: Bends, cell: int, longest: int) -> bool:
    if board.need[cell] == 0 or board.partner[cell] != cell:
        return True
    ways = 0
    sides_of_any, sides_of_all = 0, 15
    for side in range(4):
        for other in range(side + 1, 4):
            if _is_way(board, bends, cell, side, other, longest):
                ways += 1
                both = 1 << side | 1 << other
                sides_of_any |= both
                sides_of_all &= both
    if ways == 0:
        board.contradiction, board.contradiction_at = Contradiction.NO_WAY_THROUGH, cell
        return False
    for side in range(4):
        if exit_at(board, cell, side) < 0:
            continue
        if sides_of_any >> side & 1 == 0:
            propose(board, EdgeState.RULED_OUT, edge_of(board, cell, side), Reason.NO_WAY_USES, cell)
        elif sides_of_all >> side & 1:
            propose(board, EdgeState.DRAWN, edge_of(board, cell, side), Reason.EVERY_WAY_USES, cell)
    return True


def _fails_after(board: LadderBoard, bends: Bends, cell: int, down: int, right: int) -> int:
    """Compute the entry of ``Bends.failing`` for one bend at a cell. It says whether a path can bend there.

    The entry for the next cell on the diagonal inside the bend must have been computed before.
    """
    if board.free[cell] == 0 or board.partner[cell] != cell:
        return 0
    vertical: int = Direction.DOWN if down else Direction.UP
    across: int = Direction.RIGHT if right else Direction.LEFT
    if not _edges_allow(board, cell, vertical, across):
        return 0
    inner = board.around[4 * board.around[4 * cell + vertical] + across]
    if inner < 0:
        return POSSIBLE
    if board.partner[inner] == inner:
        return min(POSSIBLE, 1 + bends.failing[4 * inner + 2 * down + right])
    fails: bool = is_drawn(board, inner, 3 - vertical) or is_drawn(board, inner, 3 - across)
    return 1 if fails else POSSIBLE


def _is_way(board: LadderBoard, bends: Bends, cell: int, one: int, other: int, longest: int) -> bool:
    """Return whether a path can enter a cell by one given side and leave it by another.

    If the path bends in the cell, look at the cell diagonally inside the bend. The path through that cell may
    be forced to bend in the same direction. This can force a third bend in the next cell on the diagonal, and
    so on. If any of these bends is impossible, the first one is impossible too.

    Args:
        one, other: the two sides.
        longest: the maximum number of cells to look at along the diagonal.
    """
    if not _edges_allow(board, cell, one, other):
        return False
    # The numbers of opposite sides add up to 3. With any other sum, the path bends here.
    if one + other != 3:
        bend = (
            4 * cell + (2 if other == Direction.DOWN else 0) + (1 if Direction.RIGHT in (one, other) else 0)
        )
        if bends.failing[bend] <= longest:
            return False
    if board.need[cell] < 2:
        return True
    first, second = board.around[4 * cell + one], board.around[4 * cell + other]
    return not (can_not_join(board, first, second) or lines_touch(board, first, second, -1, -1))


def _edges_allow(board: LadderBoard, cell: int, one: int, other: int) -> bool:
    """Return whether the edges of a cell allow a path to pass through the cell by two given sides."""
    for side in range(4):
        is_used: bool = side in (one, other)
        if board.around[4 * cell + side] < 0:
            if is_used:
                return False
            continue
        state = board.edge[edge_of(board, cell, side)]
        if state == (EdgeState.RULED_OUT if is_used else EdgeState.DRAWN):
            return False
    return True
