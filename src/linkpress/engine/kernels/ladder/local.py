"""Some techniques look at a cell and its neighbours: exits, clash, turn, touch and corner.

``propagate_simply`` follows what exits, clash and touch say to its end, and ``suppose`` does so from a
supposition.

Turn, touch and corner are for boards where no path runs beside itself. *Touch*: two squares of one
path, or of two lines with one number, stand side by side only where they join. *Corner*: a square
diagonally inside a bend can't use the two squares beside both, so it bends the same way, and so on along
the diagonal up to a number or a solid. Read backwards: a bend whose diagonal can't follow is no bend.

By the rule *untouching* that is so of every drawing. Of strict boards it is a theorem: a path that runs
beside itself could be cut short there, which would be a second drawing, one that leaves squares empty. They
say nothing of a board that is only known to have one filling.
"""

from linkpress.engine.kernels.glossary import Contradiction, Direction, EdgeState, Reason
from linkpress.engine.kernels.ladder.ladder_board import (
    LadderBoard,
    apply_findings,
    can_not_join,
    edge_of,
    exit_at,
    forget_findings,
    lines_touch,
    propose,
    runs_beside_itself,
    touch_all,
)
from linkpress.engine.kernels.pure_python import Bytes, State, items, make_fields

# More rounds than any board takes.
NO_LIMIT: int = 1_000_000
# What ``suppose`` returns where a supposition contradicts what is known before anything follows.
REFUTED_AT_ONCE: int = -1000


def find_exits(board: LadderBoard) -> None:
    """Find dirty cells that need every exit they have: all are drawn."""
    for index in range(board.dirty_count):
        cell = board.dirty[index]
        if board.need[cell] == 0 or board.need[cell] != board.exits[cell]:
            continue
        for side in range(4):
            if exit_at(board, cell, side) >= 0:
                propose(board, EdgeState.DRAWN, edge_of(board, cell, side), Reason.ALL_EXITS, cell)


def find_clashes(board: LadderBoard) -> None:
    """Find exits of dirty cells that would close a loop or join two numbers, and forks."""
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
    """Find exits without which the cell would join what can't be joined, whichever two others it took."""
    for onward in range(4):
        if exit_at(board, cell, onward) >= 0 and not _others_can_join(board, cell, onward):
            propose(board, EdgeState.DRAWN, edge_of(board, cell, onward), Reason.FORK, cell)


def _others_can_join(board: LadderBoard, cell: int, onward: int) -> bool:
    for side in range(4):
        one = exit_at(board, cell, side)
        if one < 0 or side == onward:
            continue
        for further in range(side + 1, 4):
            other = exit_at(board, cell, further)
            if other >= 0 and further != onward and not can_not_join(board, one, other):
                return True
    return False


def find_simple(board: LadderBoard) -> None:
    """Find what the first two techniques, and touch, say of dirty cells."""
    find_exits(board)
    find_clashes(board)
    if board.untouching:
        find_touching(board)


def propagate_simply(board: LadderBoard, limit: int) -> int:
    """Follow the first two techniques, and touch, from the dirty cells, in rounds.

    What they say of a cell may change with one that it does not touch. So without a limit all cells are
    asked in the end; all that follows from what follows is met then, whichever edge is tried first.

    Returns:
        The number of rounds made, at most ``limit``; below 0 when the last ended in a
        contradiction.
    """
    rounds = 0
    while rounds < limit:
        forget_findings(board)
        find_simple(board)
        if board.finding_count == 0 and limit == NO_LIMIT:
            touch_all(board)
            find_simple(board)
        if board.finding_count == 0:
            break
        rounds += 1
        if not apply_findings(board):
            return -rounds
    return rounds


def suppose(board: LadderBoard, kind: int, edge: int, limit: int) -> int:
    """Settle one edge and follow it; return what ``propagate_simply`` does, or REFUTED_AT_ONCE."""
    board.settled = 0
    forget_findings(board)
    propose(board, kind, edge, 0, 0)
    if not apply_findings(board):
        return REFUTED_AT_ONCE
    return propagate_simply(board, limit)


# A diagonal that never fails; longer than any.
FOLLOWED: int = 100


class Bends(State):
    """The bends say which cells can bend which ways.

    By 4 × cell + 2 × (1 if it bends down) + (1 if it bends right), ``failing`` says after how many squares
    along its diagonal the bend fails: 0 at the cell itself, FOLLOWED where it does not.
    """

    failing: Bytes = items("4 * cells")

    def __init__(self, cells: int) -> None:
        make_fields(self, locals())


def find_turns(board: LadderBoard) -> None:
    """Find exits of dirty cells that would be the third edge of a 2 × 2 square."""
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
    """Tell whether two of the other edges are drawn of the 2 × 2 square on one side of an edge."""
    one, other = board.around[4 * cell + across], board.around[4 * to + across]
    if one < 0 or other < 0:
        return False
    here, there = _is_drawn(board, cell, across), _is_drawn(board, to, across)
    if here and there:
        return True
    low, high = min(one, other), max(one, other)
    opposite = board.edge[2 * low + (0 if high == low + 1 else 1)]
    return (here or there) and opposite == EdgeState.DRAWN


def find_touching(board: LadderBoard) -> None:
    """Find exits of dirty cells that join one number's squares, or would make a path run beside itself."""
    for index in range(board.dirty_count):
        cell = board.dirty[index]
        if board.need[cell] == 0:
            continue
        for side in range(4):
            to = exit_at(board, cell, side)
            if to < 0 or can_not_join(board, cell, to):
                continue
            if board.number[cell] != 0 and board.number[cell] == board.number[to]:
                propose(board, EdgeState.DRAWN, edge_of(board, cell, side), Reason.SIDE_BY_SIDE, cell)
            elif runs_beside_itself(board, cell, to, 1):
                propose(board, EdgeState.RULED_OUT, edge_of(board, cell, side), Reason.BESIDE_ITSELF, cell)


def find_corners(board: LadderBoard, bends: Bends, longest: int) -> bool:
    """Find what the ways through each cell have in common; False when a cell has none.

    Diagonals are followed for ``longest`` squares from a bend.
    """
    for down in range(2):
        for right in range(2):
            for index in range(board.cells):  # the innermost of each diagonal first
                cell = board.cells - 1 - index if down else index
                bends.failing[4 * cell + 2 * down + right] = _fails_after(board, bends, cell, down, right)
    for cell in range(board.cells):
        if not _judge_ways(board, bends, cell, longest):
            return False
    return True


def find_corner_at(board: LadderBoard, bends: Bends, cell: int, longest: int) -> bool:
    """Find what the ways through one cell have in common; False when it has none."""
    row, col = cell // board.cols, cell % board.cols
    for down in range(2):
        for right in range(2):
            below, beside = board.rows - 1 - row if down else row, board.cols - 1 - col if right else col
            step = (board.cols if down else -board.cols) + (1 if right else -1)
            for index in range(min(below, beside), -1, -1):
                here = cell + index * step
                bends.failing[4 * here + 2 * down + right] = _fails_after(board, bends, here, down, right)
    return _judge_ways(board, bends, cell, longest)


def _judge_ways(board: LadderBoard, bends: Bends, cell: int, longest: int) -> bool:
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
        board.fault, board.fault_at = Contradiction.NO_WAY_THROUGH, cell
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
    """Return how far a bend holds along its diagonal, whose next square has been asked; as ``Bends``."""
    if board.free[cell] == 0 or board.partner[cell] != cell:
        return 0
    vertical: int = Direction.DOWN if down else Direction.UP
    across: int = Direction.RIGHT if right else Direction.LEFT
    if not _allows(board, cell, vertical, across):
        return 0
    inner = board.around[4 * board.around[4 * cell + vertical] + across]
    if inner < 0:
        return FOLLOWED
    if board.partner[inner] == inner:
        return min(FOLLOWED, 1 + bends.failing[4 * inner + 2 * down + right])
    back, side = 3 - vertical, 3 - across
    fails: bool = _is_drawn(board, inner, back) or _is_drawn(board, inner, side)
    return 1 if fails else FOLLOWED


def _allows(board: LadderBoard, cell: int, one: int, other: int) -> bool:
    """Tell whether a cell's own edges allow its two lines to leave by two sides."""
    for side in range(4):
        is_way: bool = side in (one, other)
        if board.around[4 * cell + side] < 0:
            if is_way:
                return False
            continue
        state = board.edge[edge_of(board, cell, side)]
        if state == (EdgeState.RULED_OUT if is_way else EdgeState.DRAWN):
            return False
    return True


def _is_drawn(board: LadderBoard, cell: int, side: int) -> bool:
    return board.around[4 * cell + side] >= 0 and board.edge[edge_of(board, cell, side)] == EdgeState.DRAWN


def _is_way(board: LadderBoard, bends: Bends, cell: int, one: int, other: int, longest: int) -> bool:
    if not _allows(board, cell, one, other):
        return False
    if one + other != 3:
        place = (
            4 * cell + (2 if other == Direction.DOWN else 0) + (1 if Direction.RIGHT in (one, other) else 0)
        )
        if bends.failing[place] <= longest:
            return False
    if board.need[cell] < 2:
        return True
    first, second = board.around[4 * cell + one], board.around[4 * cell + other]
    return not (can_not_join(board, first, second) or lines_touch(board, first, second, -1, -1))
