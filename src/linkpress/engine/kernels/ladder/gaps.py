"""Three techniques judge gaps: pockets and bottlenecks, long straight rows, and pockets by colours.

A gap is a chain of one to three cells with open exits, each touching the next at a side or a
corner, from a wall to the same wall; or a straight row of four to nine, across or along a diagonal, which
is what shows who must go round whom. Taken away it leaves two or more sides. With *used* for the
drawn ones among the edges between a side and the gap once the board is finished:

* Every pair with a line end in the side and one beyond it must cross, unless a fragment that
  reaches across carries it; a side without any line end or such a fragment is covered by a path
  that comes in and goes out again. So there is a *least* number of used edges. Every edge inside
  the side takes two of its need, so their number is as odd or even as that need.
* Colour the board like a chessboard. Inside a side every edge takes one need of a dark and one of
  a light cell, so used edges at dark cells minus used edges at light cells is the side's dark
  need minus its light need: its *tilt*. By colours the least is at least the tilt.
* The gap's cells have only so much need: that of all used edges and twice that of the edges
  within the gap.

What is left over when every side gets its least is the *slack*. It bounds each side's number of
used edges, and by colours those at its dark and at its light cells; where a bound is met all of
them are settled. Without slack no edge within the gap is used, and where the least is the number
of pairs that cross, nobody else may.

Findings name their gap: 100 × its middle (or only) cell + 10 × the way to the second cell + the way
to the third, ways counted clockwise from up by eighths, 1 to 8, 0 for none. Of a row it is below 0:
100 × its first cell + 10 × the way + its length, with a minus.
"""

from linkpress.engine.kernels.glossary import Contradiction, Direction, EdgeState, Reason
from linkpress.engine.kernels.ladder.gap_sides import (
    Gaps,
    find_components,
    find_root,
    line_beyond,
    measure_sides,
    spread,
)
from linkpress.engine.kernels.ladder.ladder_board import LadderBoard, edge_of, exit_at, propose
from linkpress.engine.kernels.ladder.wall_order import EAST, SOUTH, build_walls

LONGEST_GAP: int = 3
# The longest straight row of squares that is looked at.
LONGEST_ROW: int = 9
_BITS: int = 31  # of a word of the scratch that tell walls apart


def find_gaps(board: LadderBoard, shortest: int, longest: int, gaps: Gaps) -> bool:
    """Find what follows from every gap of so many cells; False when one can't be passed.

    With ``longest`` 0 it asks only whether each component can be filled. Gaps of which no cell is ``near`` a
    change are passed over; squares are counted by colours where ``by_colour`` is 1.
    """
    if not find_components(board, gaps):
        return False
    if longest == 0:
        return True
    _find_faces(board, gaps)
    for first in range(board.cells):
        if board.need[first] == 0 or gaps.nearby[first] == 0:
            continue
        gaps.gap[0] = first
        gaps.gap_code = 100 * first
        if shortest < 2 and gaps.near[first] != 0 and not _judge_gap(board, gaps, 1):
            return False
        if longest >= 2:
            _look_beside(board, gaps, first)
            for way in range(8):
                if gaps.beside[way] >= 0 and not _longer_gaps(board, shortest, longest, gaps, first, way):
                    return False
    return True


def find_narrows(board: LadderBoard, gaps: Gaps) -> bool:
    """Find what follows from every straight row of squares between walls; False when one can't be passed.

    The rows lead right, down or along a diagonal, and are longer than the gaps that ``find_gaps`` looks at.
    """
    gaps.by_colour = 0
    if not find_components(board, gaps):
        return False
    _find_faces(board, gaps)
    for first in range(board.cells):
        if board.need[first] > 0 and gaps.walls[first] != 0:
            for way in range(2, 6):
                if not _narrows_from(board, gaps, first, way):
                    return False
    return True


def _narrows_from(board: LadderBoard, gaps: Gaps, first: int, way: int) -> bool:
    cell = first
    for size in range(1, LONGEST_ROW + 1):
        gaps.gap[size - 1] = cell
        if size > LONGEST_GAP and _same_wall(gaps, board, first, cell):
            gaps.gap_code = -100 * first - 10 * (way + 1) - size
            if not _judge_gap(board, gaps, size):
                return False
        _look_beside(board, gaps, cell)
        cell = gaps.beside[way]
        if cell < 0:
            break
    return True


def _longer_gaps(board: LadderBoard, shortest: int, longest: int, gaps: Gaps, middle: int, way: int) -> bool:
    """Judge gaps of two cells that begin at a cell, and of three that have it in the middle."""
    one = gaps.beside[way]
    near = gaps.near[middle] + gaps.near[one]
    if shortest < 3 and one > middle and near > 0 and _same_wall(gaps, board, one, middle):
        gaps.gap[0], gaps.gap[1] = one, middle
        gaps.gap_code = 100 * middle + 10 * (way + 1)
        if not _judge_gap(board, gaps, 2):
            return False
    if longest < 3:
        return True
    for turn in range(way + 2, min(8, way + 7)):
        other = gaps.beside[turn]
        if other >= 0 and near + gaps.near[other] > 0 and _same_wall(gaps, board, one, other):
            gaps.gap[0], gaps.gap[1], gaps.gap[2] = one, middle, other
            gaps.gap_code = 100 * middle + 10 * (way + 1) + turn + 1
            if not _judge_gap(board, gaps, 3):
                return False
    return True


def _look_beside(board: LadderBoard, gaps: Gaps, cell: int) -> None:
    """Note the cells of the same component around one, clockwise from up; -1 where there is none."""
    row, col = cell // board.cols, cell % board.cols
    last_row, last_col = board.cells // board.cols - 1, board.cols - 1
    component = gaps.component[cell]
    for way in range(8):
        right, down = _right(way), _right(way - 2 & 7)
        gaps.beside[way] = -1
        if 0 <= row + down <= last_row and 0 <= col + right <= last_col:
            to = cell + down * board.cols + right
            if gaps.component[to] == component and board.need[to] > 0:
                gaps.beside[way] = to


def _right(way: int) -> int:
    """Return how far right a way leads, ways counted clockwise from up by eighths."""
    if way & 3 == 0:
        return 0
    return 1 if way < 4 else -1


def _find_faces(board: LadderBoard, gaps: Gaps) -> None:
    """Find for each corner of a square the wall that it lies on, -1 for none.

    A wall is a connected set of sides that no line can cross: of the border, of solids and full
    cells, and of edges that are drawn or ruled out.
    """
    across = board.cols + 1
    corners = (board.rows + 1) * across
    build_walls(board, gaps.passable, gaps.leaving)
    for corner in range(corners):
        gaps.face[corner] = corner if gaps.leaving[corner] != 0 else -1
    for corner in range(corners):
        if gaps.leaving[corner] >> EAST & 1:
            _unite(gaps, corner, corner + 1)
        if gaps.leaving[corner] >> SOUTH & 1:
            _unite(gaps, corner, corner + across)
    walls = 0
    for corner in range(corners):
        if gaps.face[corner] == corner:
            gaps.wall_bit[corner] = 1 << walls % _BITS
            walls += 1
        elif gaps.face[corner] >= 0:
            gaps.face[corner] = gaps.face[gaps.face[corner]]
    gaps.wall_count = walls
    for cell in range(board.cells):
        bits = 0
        for which in range(4):
            index = cell + cell // board.cols + (which & 1) + (which >> 1) * across
            if gaps.face[index] >= 0:
                bits |= gaps.wall_bit[gaps.face[index]]
        gaps.walls[cell] = bits


def _unite(gaps: Gaps, one: int, other: int) -> None:
    one, other = find_root(gaps.face, one), find_root(gaps.face, other)
    gaps.face[max(one, other)] = min(one, other)


def _same_wall(gaps: Gaps, board: LadderBoard, one: int, other: int) -> bool:
    if gaps.walls[one] & gaps.walls[other] == 0 or gaps.wall_count <= _BITS:
        return gaps.walls[one] & gaps.walls[other] != 0
    first = one + one // board.cols
    second = other + other // board.cols
    for here in range(4):
        wall = gaps.face[first + (here & 1) + (here >> 1) * (board.cols + 1)]
        if wall >= 0:
            for there in range(4):
                if wall == gaps.face[second + (there & 1) + (there >> 1) * (board.cols + 1)]:
                    return True
    return False


def _judge_gap(board: LadderBoard, gaps: Gaps, size: int) -> bool:
    """Find what one gap says; False when it can't be passed as it must."""
    seeds = spread(board, gaps, size)
    holds = True
    if seeds > 0:
        measure_sides(board, gaps, size, seeds)
        holds = _settle_gap(board, gaps, size, seeds)
        if not holds:
            board.fault, board.fault_at = Contradiction.UNFILLED, gaps.gap[0]
    for index in range(gaps.queued):
        gaps.side[gaps.queue[index]] = 0
    for index in range(size):
        gaps.side[gaps.gap[index]] = 0
    return holds


def _settle_gap(board: LadderBoard, gaps: Gaps, size: int, seeds: int) -> bool:
    slack = 0
    for index in range(size):
        slack += board.need[gaps.gap[index]]
    for side in range(seeds + 1):
        if _stands(gaps, side):
            tilt: int = abs(gaps.tilt[side]) if gaps.by_colour else 0
            least: int = max(tilt, gaps.crossing[side])
            if least == 0 and gaps.ends[side] == 0 and gaps.crossing[side] == 0:
                least = 2
            least += (least ^ gaps.tilt[side]) & 1
            gaps.least[side] = least
            slack -= least
    if slack < 0:
        return False
    for side in range(seeds + 1):
        if _stands(gaps, side) and not _settle_side(board, gaps, size, side, slack):
            return False
    if slack == 0:
        for index in range(size):
            for way in range(Direction.RIGHT, Direction.DOWN + 1):
                cell = gaps.gap[index]
                to = exit_at(board, cell, way)
                if to >= 0 and gaps.side[to] < 0:
                    edge = edge_of(board, cell, way)
                    propose(board, EdgeState.RULED_OUT, edge, Reason.WITHIN_GAP, gaps.gap_code)
    return True


def _settle_side(board: LadderBoard, gaps: Gaps, size: int, side: int, slack: int) -> bool:
    """Settle the edges between one side and the gap where a bound is met."""
    least = gaps.least[side]
    settled_dark = settled_light = _settled(gaps.least[side], gaps.dark[side] + gaps.light[side], slack)
    if gaps.by_colour:
        settled_dark, settled_light = _settled_by_tilt(gaps, side, slack)
    if settled_dark < 0 or settled_light < 0:
        return False
    reason = Reason.BY_TILT if gaps.by_colour else Reason.BY_ROOM
    reserved: bool = slack == 0 and least == gaps.crossing[side]
    if settled_dark == EdgeState.OPEN and settled_light == EdgeState.OPEN and not reserved:
        return True
    for index in range(size):
        for way in range(4):
            gap = gaps.gap[index]
            to = exit_at(board, gap, way)
            if to < 0 or gaps.side[to] != side:
                continue
            kind = settled_dark if gaps.darkness[to] != 0 else settled_light
            edge = edge_of(board, gap, way)
            if kind != EdgeState.OPEN:
                propose(board, kind, edge, reason, gaps.gap_code)
            elif reserved and _stays(board, gaps, to, side):
                propose(board, EdgeState.RULED_OUT, edge, Reason.OTHERS_CROSS, gaps.gap_code)
    return True


def _settled_by_tilt(gaps: Gaps, side: int, slack: int) -> tuple[int, int]:
    """Return what the edges between the gap and a side's dark cells are, and those to its light cells."""
    dark = (gaps.least[side] + gaps.tilt[side]) // 2
    light = (gaps.least[side] - gaps.tilt[side]) // 2
    return _settled(2 * dark, 2 * gaps.dark[side], slack), _settled(2 * light, 2 * gaps.light[side], slack)


def _settled(least: int, room: int, slack: int) -> int:
    """Return what so many edges are, of which at least ``least`` are used; -1 when there are too few."""
    if least > room:
        return -1
    if least == room:
        return EdgeState.DRAWN
    return EdgeState.RULED_OUT if least + slack == 0 else EdgeState.OPEN


def _stays(board: LadderBoard, gaps: Gaps, cell: int, side: int) -> bool:
    """Tell whether a cell is the end of a line whose pair has both line ends in the side."""
    beyond = line_beyond(board, cell)
    if beyond < 0 or gaps.side[beyond] != side:
        return False
    return gaps.component[beyond] == gaps.component[cell]


def _stands(gaps: Gaps, side: int) -> bool:
    """Tell whether a number stands for a side to which the gap has edges, and not for a part of another."""
    return gaps.dark[side] + gaps.light[side] > 0
