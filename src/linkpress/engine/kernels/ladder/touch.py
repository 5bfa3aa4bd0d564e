"""Two techniques for strict boards, where no path runs beside itself.

*Touch*: two squares of one path, or of two lines with one number, stand side by side only where they
join. *Corner*: a square diagonally inside a bend can't use the two squares beside both, so it bends the
same way, and so on along the diagonal up to a number or a solid. Read backwards: a bend whose diagonal
can't follow is no bend.

Both are theorems of strict boards alone. A path that runs beside itself could be cut short there, which
would be a second drawing, one that leaves squares empty. They say nothing of a board that is only known
to have one filling.
"""

try:
    import cython
except ImportError:  # no compiler was there, so that kernels run as plain Python
    import linkpress.engine.kernels.pure_python as cython

from linkpress.engine.kernels.glossary import Contradiction, Reason

if not cython.compiled:
    from linkpress.engine.kernels.ladder.findings import Findings, propose
    from linkpress.engine.kernels.ladder.marks import (
        DOWN,
        DRAWN,
        LEFT,
        RIGHT,
        RULED_OUT,
        UP,
        Marks,
        PrintedBoard,
        can_not_join,
        edge_of,
        exit_at,
        lines_touch,
        runs_beside_itself,
    )
    from linkpress.engine.kernels.memory import Bytes, State, bytes_of

SIDE_BY_SIDE = cython.declare(cython.int, Reason.SIDE_BY_SIDE.value)
TURNS_BACK = cython.declare(cython.int, Reason.TURNS_BACK.value)
BESIDE_ITSELF = cython.declare(cython.int, Reason.BESIDE_ITSELF.value)
NO_WAY_USES = cython.declare(cython.int, Reason.NO_WAY_USES.value)
EVERY_WAY_USES = cython.declare(cython.int, Reason.EVERY_WAY_USES.value)
NO_WAY_THROUGH = cython.declare(cython.int, Contradiction.NO_WAY_THROUGH.value)
# A diagonal that never fails; longer than any.
FOLLOWED = cython.declare(cython.int, 100)


@cython.final
@cython.cclass
class Bends(State):
    """Which cells can bend which ways.

    Args:
        cells: of the board.
    """

    failing: (
        Bytes  # 4 × cell + 2 × (1 if it bends down) + (1 if it bends right): after how many squares along
    )
    # its diagonal the bend fails, 0 at the cell itself; FOLLOWED where it does not

    def __init__(self, cells: cython.int) -> None:
        self.failing = bytes_of(self, 4 * cells)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_turns(grid: PrintedBoard, marks: Marks, findings: Findings) -> cython.void:
    """Exits of dirty cells that would be the third edge of a 2 × 2 square."""
    for at in range(findings.dirty_count):
        cell = findings.dirty[at]
        if marks.need[cell] == 0:
            continue
        for side in range(4):
            to = exit_at(grid, marks, cell, side)
            if to >= 0 and (
                _turns_back(grid, marks, cell, to, LEFT if side in (UP, DOWN) else UP)
                or _turns_back(grid, marks, cell, to, RIGHT if side in (UP, DOWN) else DOWN)
            ):
                propose(findings, RULED_OUT, edge_of(grid, cell, side), TURNS_BACK, cell)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _turns_back(
    grid: PrintedBoard, marks: Marks, cell: cython.int, to: cython.int, across: cython.int
) -> cython.bint:
    """Whether two of the other edges are drawn of the 2 × 2 square on one side of an edge."""
    one, other = grid.around[4 * cell + across], grid.around[4 * to + across]
    if one < 0 or other < 0:
        return False
    here, there = _is_drawn(grid, marks, cell, across), _is_drawn(grid, marks, to, across)
    if here and there:
        return True
    low, high = min(one, other), max(one, other)
    opposite = marks.edge[2 * low + (0 if high == low + 1 else 1)]
    return (here or there) and opposite == DRAWN


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_touching(grid: PrintedBoard, marks: Marks, findings: Findings) -> cython.void:
    """Exits of dirty cells that join one number's squares, or would make a path run beside itself."""
    for at in range(findings.dirty_count):
        cell = findings.dirty[at]
        if marks.need[cell] == 0:
            continue
        for side in range(4):
            to = exit_at(grid, marks, cell, side)
            if to < 0 or can_not_join(marks, cell, to):
                continue
            if marks.number[cell] != 0 and marks.number[cell] == marks.number[to]:
                propose(findings, DRAWN, edge_of(grid, cell, side), SIDE_BY_SIDE, cell)
            elif runs_beside_itself(grid, marks, cell, to, 1):
                propose(findings, RULED_OUT, edge_of(grid, cell, side), BESIDE_ITSELF, cell)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_corners(
    grid: PrintedBoard, marks: Marks, findings: Findings, bends: Bends, longest: cython.int
) -> cython.bint:
    """What the ways through each cell have in common; False when a cell has none.

    Diagonals are followed for ``longest`` squares from a bend.
    """
    for down in range(2):
        for right in range(2):
            _find_bends(grid, marks, bends, down, right)
    for cell in range(grid.cells):
        if not _judge_ways(grid, marks, findings, bends, cell, longest):
            return False
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_corner_at(
    grid: PrintedBoard,
    marks: Marks,
    findings: Findings,
    bends: Bends,
    cell: cython.int,
    longest: cython.int,
) -> cython.bint:
    """As ``find_corners``, of one cell."""
    row, col = cell // grid.cols, cell % grid.cols
    for down in range(2):
        for right in range(2):
            below, beside = grid.rows - 1 - row if down else row, grid.cols - 1 - col if right else col
            step = (grid.cols if down else -grid.cols) + (1 if right else -1)
            for at in range(min(below, beside), -1, -1):
                here = cell + at * step
                bends.failing[4 * here + 2 * down + right] = _fails_after(
                    grid, marks, bends, here, down, right
                )
    return _judge_ways(grid, marks, findings, bends, cell, longest)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _judge_ways(
    grid: PrintedBoard,
    marks: Marks,
    findings: Findings,
    bends: Bends,
    cell: cython.int,
    longest: cython.int,
) -> cython.bint:
    """What the ways through a cell have in common; False when it has none."""
    if marks.need[cell] == 0 or marks.partner[cell] != cell:
        return True
    ways = 0
    sides_of_any, sides_of_all = 0, 15
    for one in range(4):
        for other in range(one + 1, 4):
            if _is_way(grid, marks, bends, cell, one, other, longest):
                ways += 1
                both = 1 << one | 1 << other
                sides_of_any |= both
                sides_of_all &= both
    if ways == 0:
        findings.fault, findings.fault_at = NO_WAY_THROUGH, cell
        return False
    for side in range(4):
        if exit_at(grid, marks, cell, side) < 0:
            continue
        if sides_of_any >> side & 1 == 0:
            propose(findings, RULED_OUT, edge_of(grid, cell, side), NO_WAY_USES, cell)
        elif sides_of_all >> side & 1:
            propose(findings, DRAWN, edge_of(grid, cell, side), EVERY_WAY_USES, cell)
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _find_bends(
    grid: PrintedBoard, marks: Marks, bends: Bends, down: cython.int, right: cython.int
) -> cython.void:
    """Which cells can bend one way, the innermost of each diagonal first."""
    for at in range(grid.cells):
        cell = grid.cells - 1 - at if down else at
        bends.failing[4 * cell + 2 * down + right] = _fails_after(grid, marks, bends, cell, down, right)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _fails_after(
    grid: PrintedBoard, marks: Marks, bends: Bends, cell: cython.int, down: cython.int, right: cython.int
) -> cython.int:
    """How far a bend holds along its diagonal, where the next square there has been asked; as ``Bends``."""
    if grid.free[cell] == 0 or marks.partner[cell] != cell:
        return 0
    vertical: cython.int = DOWN if down else UP
    across: cython.int = RIGHT if right else LEFT
    if not _allows(grid, marks, cell, vertical, across):
        return 0
    inner = grid.around[4 * grid.around[4 * cell + vertical] + across]
    if inner < 0:
        return FOLLOWED
    if marks.partner[inner] == inner:
        return min(FOLLOWED, 1 + bends.failing[4 * inner + 2 * down + right])
    back, side = 3 - vertical, 3 - across
    fails: cython.bint = _is_drawn(grid, marks, inner, back) or _is_drawn(grid, marks, inner, side)
    return 1 if fails else FOLLOWED


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _allows(
    grid: PrintedBoard, marks: Marks, cell: cython.int, one: cython.int, other: cython.int
) -> cython.bint:
    """Whether a cell's two edges can be those on two sides, by its own edges."""
    for side in range(4):
        is_way: cython.bint = side in (one, other)
        if grid.around[4 * cell + side] < 0:
            if is_way:
                return False
            continue
        state = marks.edge[edge_of(grid, cell, side)]
        if state == (RULED_OUT if is_way else DRAWN):
            return False
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _is_drawn(grid: PrintedBoard, marks: Marks, cell: cython.int, side: cython.int) -> cython.bint:
    return grid.around[4 * cell + side] >= 0 and marks.edge[edge_of(grid, cell, side)] == DRAWN


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _is_way(
    grid: PrintedBoard,
    marks: Marks,
    bends: Bends,
    cell: cython.int,
    one: cython.int,
    other: cython.int,
    longest: cython.int,
) -> cython.bint:
    """Whether a path can go through a cell by two of its sides."""
    if not _allows(grid, marks, cell, one, other):
        return False
    if one + other != 3:
        place = 4 * cell + (2 if other == DOWN else 0) + (1 if RIGHT in (one, other) else 0)
        if bends.failing[place] <= longest:
            return False
    if marks.need[cell] < 2:
        return True
    first, second = grid.around[4 * cell + one], grid.around[4 * cell + other]
    return not (can_not_join(marks, first, second) or lines_touch(grid, marks, first, second, -1, -1))
