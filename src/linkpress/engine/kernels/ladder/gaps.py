"""Techniques ``gap``, ``narrows`` and ``balance``: check whether a gap has room for its lines.

A **gap** is a narrow place: a small set of cells with open edges, between two places of one wall. It is a
chain of one to three cells, each touching the next at a side or a corner. Or it is a straight row of four to
nine cells along a row, a column or a diagonal. Without the gap, the cells around it fall apart into two or
more areas. These areas are the **sides** of the gap. Some more terms:

* The *need* of a cell is how many more drawn edges it must get. The need of an area is the sum for its cells.
* The *edges of a side* are the open edges between the side and the gap. They are *used* if they are drawn on
  the finished board.
* The *line ends* of a pair are the cells where its two lines end. A *fragment* is a run of drawn edges.

**How many edges a side must use.** If one line end of a pair lies in a side and the other one outside it, the
pair's path must cross from the side into the gap. But if a fragment already leads out of the side, the path
can use the fragment for this. If a side has no line end and nothing must cross from it, a path comes in,
fills it and goes out again. So it uses at least two edges. This gives the *least* number of used edges of the
side. Each edge within the side takes two units of the side's need. So the number of used edges is odd if and
only if that need is odd.

**Colours.** Colour the board like a chessboard. An edge within a side takes one unit of need from a dark cell
and one from a light cell. So the number of used edges at dark cells, minus the number of used edges at light
cells, equals the side's dark need minus its light need. This difference is the *tilt* of the side. A side
needs at least as many edges as its tilt, without the sign. The technique ``balance`` uses this.

**Room.** Each used edge of a side takes one unit of the need of the gap's cells. Each drawn edge within the
gap takes two units. Suppose that each side uses only its least number of edges. The *slack* is the need of
the gap's cells that is then left over. So a side uses at most its least number of edges plus the slack. For
``balance``, there are separate limits for edges at dark cells and at light cells. From this follows:

* If a side has only as many edges as it must use, all of them are drawn.
* If a side can use no edge, all its edges are ruled out.
* Without slack, no edge within the gap is drawn. If in addition the least number of a side is the number of
  lines that must cross, no other line may cross there.

**Codes.** Findings name their gap by a code. For up to three cells, it is 100 × a + 10 × b + c. Here a is a
cell of the gap: the only cell, the first of two cells, or the middle one of three. The direction from a to
another cell of the gap is b, and the direction from a to the third cell is c. Directions are counted
clockwise from up, in eighths of a turn, from 1 to 8. If there is no such cell, the direction is 0. For a
straight row of four or more cells, the code is -(100 × its first cell + 10 × its direction + its length).

**Search.** To find the sides, a search spreads from all exits of the gap at once. It stops when all have met,
or when all but one are exhausted. The counts of the last side follow from the totals of the whole area. So a
gap costs no more time than its smaller sides.
"""

from linkpress.engine.kernels.glossary import Contradiction, Direction, EdgeState, Reason
from linkpress.engine.kernels.ladder.ladder_board import (
    LadderBoard,
    copy_known,
    edge_of,
    exit_at,
    open_end,
    propose,
)
from linkpress.engine.kernels.ladder.wall_order import EAST, SOUTH, build_walls, join_components
from linkpress.engine.kernels.pure_python import Bytes, Ints, State, items, make_fields

LONGEST_GAP: int = 3
# Maximum number of cells in a straight row that the technique ``narrows`` examines.
_LONGEST_ROW: int = 9
_MOST_GAP_CELLS: int = 9
_MOST_SIDES: int = 4 * 9 + 1
# A wall is a connected set of sides of cells that no line can cross. A set of walls is stored as an integer.
# Each wall has one of this many bits. If there are more walls than bits, some walls have the same bit.
_WALL_BITS: int = 31


class Gaps(State):
    """Work space to examine the gaps of a board, one at a time.

    A gap is a narrow place between walls. It has at most nine cells, and at most 36 cells lie beside it. The
    gap divides the board around it into areas, which are called its sides. To find the sides, a search
    spreads from the cells beside the gap. At first, each of these cells stands for a side of its own, with a
    number above 0. When the search finds that two sides are connected, it unites them under one of their two
    numbers. It stops as soon as all sides but one are explored to their ends. The side that is left has the
    number 0.
    """

    # the cells of the gap (a narrow place between walls) that is being examined
    gap: Ints = items("_MOST_GAP_CELLS")
    # a number that identifies the gap (a narrow place between walls) that is being examined
    gap_code: int
    by_colour: int  # 1 to count edges at dark cells and at light cells of a chessboard separately, else 0

    # for each cell: the first cell of its component, which is a set of cells joined by edges that may
    # still be drawn
    component: Ints = items("cells")

    # for each cell: the ``DirectionBit`` sum of its open edges, which are neither drawn nor ruled out
    open_sides: Ints = items("cells")
    darkness: Ints = items("cells")  # for each cell: 1 if it would be dark on a chessboard, else 0

    # a copy of the board as it was when the technique ``gap`` was last applied to it
    at_last_gap: LadderBoard

    # a copy of the board as it was when the technique ``balance`` was last applied to it
    at_last_balance: LadderBoard
    # for each cell: 1 if gaps (narrow places between walls) with this cell must be examined again, else 0
    near: Ints = items("cells")

    # for each cell: 0 if neither it nor any cell around it is marked in ``near``, else 1
    nearby: Ints = items("cells")

    # For each component (set of cells joined by edges that may still be drawn): how many pairs have a path
    # that must leave it, minus how many fragments lead out of it. A line begins at each of the two numbers of
    # a pair. The pair's path must leave the component if exactly one of the two lines ends there. A fragment
    # is a run of drawn edges without an endpoint of a pair. It leads out of the component if exactly one of
    # its two ends is inside.
    net: Ints = items("cells")
    # for each component (set of cells joined by edges that may still be drawn): how many of the lines that
    # begin at a number end in it
    ends_in: Ints = items("cells")

    # A gap is a narrow place that divides the board around it into areas. These areas are called the sides of
    # the gap, and each has a number. For each cell: the number of its side. It is -1 for a cell of the gap
    # itself, and 0 if the search has not reached the cell.
    side: Ints = items("cells")
    queued: int  # how many cells are in the list ``queue``

    # A gap is a narrow place that divides the board around it into areas. The search for these areas spreads
    # from cell to cell. This list contains the cells that it has reached so far, in this order.
    queue: Ints = items("cells")
    # A gap is a narrow place that divides the board around it into areas. The search assumes at first that
    # each edge out of the gap leads to an area of its own. When two areas meet, it unites them. This is the
    # number of areas that are left.
    apart: int
    # A gap is a narrow place that divides the board around it into areas. This is the number of areas that
    # the search has not explored to their ends.
    alive: int

    # A gap is a narrow place that divides the board around it into areas. If the search finds that two areas
    # are connected, it merges one of them into the other. For each area: the area into which it was merged,
    # or the area itself if it was not merged.
    united_with: Ints = items("_MOST_SIDES")

    # A gap is a narrow place that divides the board around it into areas. For each of these areas: how many
    # of its cells have neighbours that the search has not visited yet.
    pending: Ints = items("_MOST_SIDES")
    # Imagine that the cells are dark and light, as on a chessboard. There is one number for each component (a
    # set of cells joined by edges that may still be drawn), and for each area beside a gap (a narrow place
    # between walls). It says how many more edges must be drawn at the dark cells than at the light cells.
    tilt: Ints = items("cells + _MOST_SIDES")
    # A gap is a narrow place that divides the board around it into areas. For each of these areas: how many
    # paths must go from the area into the gap, minus how many fragments (runs of drawn edges) already lead
    # out of the area.
    crossing: Ints = items("_MOST_SIDES")
    # A gap is a narrow place that divides the board around it into areas. For each of these areas: how many
    # of the lines that begin at a number end in the area.
    ends: Ints = items("_MOST_SIDES")

    # A gap is a narrow place that divides the board around it into areas. Imagine the board coloured like a
    # chessboard. For each of these areas: how many open edges (neither drawn nor ruled out) join its dark
    # cells to the gap.
    dark: Ints = items("_MOST_SIDES")
    # A gap is a narrow place that divides the board around it into areas. Imagine the board coloured like a
    # chessboard. For each of these areas: how many open edges (neither drawn nor ruled out) join its light
    # cells to the gap.
    light: Ints = items("_MOST_SIDES")

    # A gap is a narrow place that divides the board around it into areas. Some edges that lead from an area
    # into the gap are drawn in the solution. For each area: the smallest possible number of these edges.
    least: Ints = items("_MOST_SIDES")
    # Argument for ``build_walls``: for each run of drawn edges, 1 if other lines may cross it, and 0 if
    # it is a wall, which no other line may cross. In this module no drawn edge may be crossed, so all
    # values stay 0.
    passable: Bytes = items("cells")

    # A wall consists of sides of cells that no line can cross. For each corner of a cell: in which directions
    # a wall leads away from the corner (east, south, west, north), as a sum of bits.
    leaving: Bytes = items("corners")
    # A wall is a connected set of sides of cells that no line can cross. It is identified by the
    # smallest index of a corner on it. For each corner of a cell: the wall on which it lies, or -1 if it
    # lies on no wall.
    wall: Ints = items("corners")
    # A wall is a connected set of sides of cells that no line can cross. A set of walls is stored as an
    # integer, in which each wall has a bit. For each wall: its bit. A wall is identified by the smallest
    # index of a corner on it, which is also the index in this array.
    wall_bit: Ints = items("corners")
    wall_count: int
    # for each cell: the set of walls (connected sides of cells that no line can cross) that touch one of its
    # corners, as a sum of the values in ``wall_bit``
    walls: Ints = items("cells")

    # A gap is a narrow place between walls. It is sought around one cell at a time. These are the indexes of
    # the eight cells around that cell, clockwise from the cell above it. Where one of the eight can't belong
    # to the same gap as the cell in the middle, there is -1 in its place.
    beside: Ints = items("8")

    def __init__(self, rows: int, cols: int) -> None:
        cells = rows * cols
        self.at_last_gap, self.at_last_balance = LadderBoard(rows, cols, 0), LadderBoard(rows, cols, 0)
        corners = 2 * cells + 8
        make_fields(self, locals())
        for cell in range(cells):
            self.darkness[cell] = (cell // cols + cell % cols + 1) & 1


def mark_all_changed(gaps: Gaps) -> None:
    """Treat every cell as changed, so that the techniques ``gap`` and ``balance`` examine all gaps again.

    A gap is a narrow place between walls.
    """
    for cell in range(gaps.at_last_gap.cells):
        gaps.at_last_gap.exits[cell] = gaps.at_last_balance.exits[cell] = -1


def find_changed_gaps(board: LadderBoard, before: LadderBoard, gaps: Gaps, by_colour: int) -> bool:
    """Examine the gaps near cells that have changed since the last call. Propose edges to draw or rule out.

    A gap is a narrow place between walls. If the gaps near changed cells give no proposal, all gaps are
    examined, because even a change far from a gap can change how many lines must pass it.

    Args:
        before: the board as it was at the last call.
        by_colour: 1 to count cells by chessboard colour (technique ``balance``), 0 not to (technique
            ``gap``).
    Returns:
        False if more lines must pass a gap than it has room for.
    """
    gaps.by_colour = by_colour
    mark_near(before, board, gaps)
    copy_known(board, before)
    if not find_gaps(board, 1, LONGEST_GAP, gaps):
        return False
    if board.finding_count > 0:
        return True
    for cell in range(board.cells):
        gaps.near[cell] = gaps.nearby[cell] = 1
    return find_gaps(board, 1, LONGEST_GAP, gaps)


def mark_near(before: LadderBoard, board: LadderBoard, gaps: Gaps) -> None:
    """Mark in ``near`` the cells about which more is known than before, and the cells around them.

    A gap is a narrow place between walls. Only gaps near these cells are examined again, because other gaps
    mostly lead to the same result as before the changes.

    Args:
        before: the board before the changes.
        board: the board after the changes.
    """
    cells = board.cells
    rows = cells // board.cols
    for cell in range(cells):
        gaps.near[cell] = gaps.nearby[cell] = 0
    for row in range(rows):
        for col in range(board.cols):
            cell = row * board.cols + col
            same: bool = (
                before.exits[cell] == board.exits[cell] and before.pair_code[cell] == board.pair_code[cell]
            )
            if same and before.mate[cell] == board.mate[cell]:
                continue
            for near_row in range(max(0, row - 2), min(rows, row + 3)):
                for near_col in range(max(0, col - 2), min(board.cols, col + 3)):
                    near = near_row * board.cols + near_col
                    gaps.nearby[near] = 1
                    if abs(near_row - row) < 2 and abs(near_col - col) < 2:
                        gaps.near[near] = 1


def find_gaps(board: LadderBoard, shortest: int, longest: int, gaps: Gaps) -> bool:
    """Examine the gaps (narrow places between walls) near recent changes.

    From the number of lines that must pass a gap, it may follow that certain edges are drawn or ruled out.
    These are proposed as findings. Only gaps with a cell that is marked in ``near`` are examined.

    Args:
        shortest: the smallest number of cells that a gap may have.
        longest: the largest number of cells that a gap may have, at most 3. With 0, no gap is examined.
    Returns:
        False if a gap has too little room for the lines that must pass it, or if paths can't fill an area of
        cells that are joined by edges which may still be drawn.
    """
    if not _find_components(board, gaps):
        return False
    if longest == 0:
        return True
    _find_walls(board, gaps)
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


def _longer_gaps(board: LadderBoard, shortest: int, longest: int, gaps: Gaps, middle: int, way: int) -> bool:
    """Examine gaps of two and three cells that contain a given cell and one of the cells around it.

    A gap is a narrow place between walls.

    Args:
        middle: the given cell. In a gap of three cells, it is the middle one.
        way: the direction from it to the other cell, as an index of ``beside``.
    """
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


def find_narrows(board: LadderBoard, gaps: Gaps) -> bool:
    """Examine all gaps that are straight rows of four to nine cells, and propose edges to draw or rule out.

    A gap is a narrow place between walls.

    Returns:
        False if a gap has too little room for the lines that must pass it, or if paths can't fill an area of
        cells that are joined by edges which may still be drawn.
    """
    gaps.by_colour = 0
    if not _find_components(board, gaps):
        return False
    _find_walls(board, gaps)
    for first in range(board.cells):
        if board.need[first] > 0 and gaps.walls[first] != 0:
            for way in range(2, 6):
                if not _narrows_from(board, gaps, first, way):
                    return False
    return True


def _narrows_from(board: LadderBoard, gaps: Gaps, first: int, way: int) -> bool:
    cell = first
    for size in range(1, _LONGEST_ROW + 1):
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


def _look_beside(board: LadderBoard, gaps: Gaps, cell: int) -> None:
    """Find which of the eight cells around a cell can be in one gap with it, and list them in ``beside``.

    A gap is a narrow place between walls. All cells of a gap still need edges for their paths. They belong to
    one set of cells that are joined by open edges, which are neither drawn nor ruled out. In ``beside``, -1
    stands for a cell that can't be in the same gap.
    """
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
    """Return how the column changes with a step in one of eight directions: by -1, 0 or 1.

    Args:
        way: the direction: 0 for up, 1 for up and right, and so on clockwise to 7 for up and left.
    """
    if way & 3 == 0:
        return 0
    return 1 if way < 4 else -1


def _find_walls(board: LadderBoard, gaps: Gaps) -> None:
    """Find the wall on which each corner of a cell lies, and the walls that each cell touches.

    A wall is a connected set of sides of cells that no line can cross.
    """
    across = board.cols + 1
    corners = (board.rows + 1) * across
    build_walls(board, gaps.passable, gaps.leaving)
    for corner in range(corners):
        gaps.wall[corner] = corner if gaps.leaving[corner] != 0 else -1
    for corner in range(corners):
        if gaps.leaving[corner] >> EAST & 1:
            _unite_walls(gaps, corner, corner + 1)
        if gaps.leaving[corner] >> SOUTH & 1:
            _unite_walls(gaps, corner, corner + across)
    count = 0
    for corner in range(corners):
        if gaps.wall[corner] == corner:
            gaps.wall_bit[corner] = 1 << count % _WALL_BITS
            count += 1
        elif gaps.wall[corner] >= 0:
            gaps.wall[corner] = gaps.wall[gaps.wall[corner]]
    gaps.wall_count = count
    for cell in range(board.cells):
        bits = 0
        for which in range(4):
            corner = cell + cell // board.cols + (which & 1) + (which >> 1) * across
            if gaps.wall[corner] >= 0:
                bits |= gaps.wall_bit[gaps.wall[corner]]
        gaps.walls[cell] = bits


def _unite_walls(gaps: Gaps, one: int, other: int) -> None:
    one, other = _representative(gaps.wall, one), _representative(gaps.wall, other)
    gaps.wall[max(one, other)] = min(one, other)


def _representative(parent: Ints, item: int) -> int:
    """Return the representative of an item's set in a disjoint-set forest, with path halving."""
    while parent[item] != item:
        parent[item] = parent[parent[item]]
        item = parent[item]
    return item


def _same_wall(gaps: Gaps, board: LadderBoard, one: int, other: int) -> bool:
    """Return whether two cells touch the same wall (connected sides of cells that no line can cross)."""
    if gaps.walls[one] & gaps.walls[other] == 0 or gaps.wall_count <= _WALL_BITS:
        return gaps.walls[one] & gaps.walls[other] != 0
    # In a set of walls, each wall is stored as a bit. There are more walls than bits, so two walls can have
    # the same bit. A common bit does not show that the cells touch the same wall. So compare the walls at the
    # corners of the two cells.
    first, second = one + one // board.cols, other + other // board.cols
    for which in range(4):
        wall = gaps.wall[first + (which & 1) + (which >> 1) * (board.cols + 1)]
        if wall >= 0:
            for further in range(4):
                if wall == gaps.wall[second + (further & 1) + (further >> 1) * (board.cols + 1)]:
                    return True
    return False


def _judge_gap(board: LadderBoard, gaps: Gaps, size: int) -> bool:
    """Count the lines that must pass the gap in ``gaps.gap``, and propose edges to draw or rule out.

    A gap is a narrow place between walls.

    Args:
        size: the number of cells in the gap.
    Returns:
        False if the gap has too little room for these lines.
    """
    exits = _find_sides(board, gaps, size)
    holds = True
    if exits > 0:
        _measure_sides(board, gaps, size, exits)
        holds = _settle_gap(board, gaps, size, exits)
        if not holds:
            board.contradiction, board.contradiction_at = Contradiction.UNFILLED, gaps.gap[0]
    for index in range(gaps.queued):
        gaps.side[gaps.queue[index]] = 0
    for index in range(size):
        gaps.side[gaps.gap[index]] = 0
    return holds


def _settle_gap(board: LadderBoard, gaps: Gaps, size: int, exits: int) -> bool:
    slack = 0
    for index in range(size):
        slack += board.need[gaps.gap[index]]
    for side in range(exits + 1):
        if _is_side(gaps, side):
            tilt: int = abs(gaps.tilt[side]) if gaps.by_colour else 0
            least: int = max(tilt, gaps.crossing[side])
            if least == 0 and gaps.ends[side] == 0 and gaps.crossing[side] == 0:
                least = 2
            least += (least ^ gaps.tilt[side]) & 1
            gaps.least[side] = least
            slack -= least
    if slack < 0:
        return False
    for side in range(exits + 1):
        if _is_side(gaps, side) and not _settle_side(board, gaps, size, side, slack):
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


def _is_side(gaps: Gaps, side: int) -> bool:
    """Return whether a side of the gap has the number ``side``.

    A gap is a narrow place that divides the board around it into areas, called sides. Each side gets a number
    when the search for it begins. If two sides turn out to be connected, they are united, and one of the two
    numbers is no longer used.
    """
    return gaps.dark[side] + gaps.light[side] > 0


def _settle_side(board: LadderBoard, gaps: Gaps, size: int, side: int, slack: int) -> bool:
    """Propose drawing or ruling out the open edges between a gap and one of its sides.

    A gap is a narrow place between walls. Its sides are the areas that it separates. An open edge is neither
    drawn nor ruled out. The open edges are all drawn if paths need all of them to reach or leave the side.
    They are all ruled out if no path can use any of them.

    Args:
        size: the number of cells in the gap.
        side: the number of the side.
        slack: the number of edges between the gap and all its sides that can be drawn, minus the number of
            edges to the gap that all sides together need.
    Returns:
        False if the side needs more edges to the gap than there are.
    """
    least = gaps.least[side]
    dark_state = light_state = _state_of_edges(least, gaps.dark[side] + gaps.light[side], slack)
    if gaps.by_colour:
        least_dark, least_light = (least + gaps.tilt[side]) // 2, (least - gaps.tilt[side]) // 2
        dark_state = _state_of_edges(2 * least_dark, 2 * gaps.dark[side], slack)
        light_state = _state_of_edges(2 * least_light, 2 * gaps.light[side], slack)
    if dark_state < 0 or light_state < 0:
        return False
    reason = Reason.BY_TILT if gaps.by_colour else Reason.BY_ROOM
    reserved: bool = slack == 0 and least == gaps.crossing[side]
    if dark_state == EdgeState.OPEN and light_state == EdgeState.OPEN and not reserved:
        return True
    for index in range(size):
        for way in range(4):
            cell = gaps.gap[index]
            to = exit_at(board, cell, way)
            if to < 0 or gaps.side[to] != side:
                continue
            kind = dark_state if gaps.darkness[to] != 0 else light_state
            edge = edge_of(board, cell, way)
            if kind != EdgeState.OPEN:
                propose(board, kind, edge, reason, gaps.gap_code)
            elif reserved and _stays_inside(board, gaps, to, side):
                propose(board, EdgeState.RULED_OUT, edge, Reason.OTHERS_CROSS, gaps.gap_code)
    return True


def _state_of_edges(least: int, room: int, slack: int) -> int:
    """Return the state that all open edges of a set must have, given how many of them are needed.

    An open edge is neither drawn nor ruled out.

    Args:
        least: the minimum number of edges to draw.
        room: the number of open edges in the set.
        slack: how many more edges than the minimum may be drawn.
    Returns:
        DRAWN or RULED_OUT for all edges; OPEN if neither follows; -1 if the set has too few edges.
    """
    if least > room:
        return -1
    if least == room:
        return EdgeState.DRAWN
    return EdgeState.RULED_OUT if least + slack == 0 else EdgeState.OPEN


def _stays_inside(board: LadderBoard, gaps: Gaps, cell: int, side: int) -> bool:
    """Return whether the path of a pair can be completed on one side of a gap, without crossing the gap.

    A gap is a narrow place between walls. A line begins at each of the two numbers of a pair. The result is
    True if both lines end on the given side of the gap, and their ends belong to one set of cells that are
    joined by edges which may still be drawn.

    Args:
        cell: the cell at which one of the two lines ends.
        side: the side of the gap on which this cell lies.
    """
    beyond = _partner_end(board, cell)
    if beyond < 0 or gaps.side[beyond] != side:
        return False
    return gaps.component[beyond] == gaps.component[cell]


def _partner_end(board: LadderBoard, cell: int) -> int:
    """Return the end of the other line of a pair, if one line of the pair ends at the given cell.

    A line begins at each of the two numbers of a pair.

    Returns:
        The cell where the other line ends. -1 if no such line ends at the given cell, or if the pair is
        joined.
    """
    endpoint = board.mate[cell]
    if endpoint == cell:
        if board.need[cell] == 2:
            return -1
    elif board.need[endpoint] > 0:
        return -1
    return open_end(board, board.partner[endpoint])


def _find_components(board: LadderBoard, gaps: Gaps) -> bool:
    """Find the components, which are areas of cells joined by open edges, and fill in their counts.

    An open edge is neither drawn nor ruled out. For each component, this counts the ends of lines in it, and
    the lines that must leave it. Imagine the board coloured like a chessboard. Every edge joins a dark cell
    to a light cell. A cell needs more edges if it has fewer drawn edges than its path uses. So the cells of a
    component can get all the edges that they need only if its dark cells need as many edges as its light
    cells.

    Returns:
        False if the dark and the light cells of a component need different numbers of edges.
    """
    for cell in range(board.cells):
        gaps.side[cell] = gaps.tilt[cell] = gaps.net[cell] = gaps.ends_in[cell] = 0
        gaps.open_sides[cell] = 0
    for cell in range(board.cells):
        if board.edge[2 * cell] == EdgeState.OPEN:
            gaps.open_sides[cell] |= 1 << Direction.RIGHT
            gaps.open_sides[cell + 1] |= 1 << Direction.LEFT
        if board.edge[2 * cell + 1] == EdgeState.OPEN:
            gaps.open_sides[cell] |= 1 << Direction.DOWN
            gaps.open_sides[cell + board.cols] |= 1 << Direction.UP
    join_components(board, False, gaps.component, gaps.queue)
    for cell in range(board.cells):
        gaps.tilt[gaps.component[cell]] += board.need[cell] if gaps.darkness[cell] else -board.need[cell]
    for cell in range(board.cells):
        if gaps.tilt[cell] != 0:
            board.contradiction, board.contradiction_at = Contradiction.UNFILLED, cell
            return False
    for cell in range(board.cells):
        if board.need[cell] > 0:
            component = gaps.component[cell]
            beyond = _partner_end(board, cell)
            if beyond >= 0:
                gaps.ends_in[component] += 1
                gaps.net[component] += gaps.component[beyond] != component
            else:
                gaps.net[component] -= gaps.component[board.mate[cell]] != component
    return True


def _find_sides(board: LadderBoard, gaps: Gaps, size: int) -> int:
    """Find the sides of a gap: the areas into which its surroundings fall apart without the gap.

    A gap is a narrow place between walls. The search begins at all cells to which open edges (neither drawn
    nor ruled out) lead from the gap. It stops when all cells of all sides but one have been visited.

    Args:
        size: the number of cells in the gap.
    Returns:
        The number of cells at which the search begins, or 0 if all of them turn out to be on one side.
    """
    exits = _begin_sides(board, gaps, size)
    gaps.apart = gaps.alive = exits
    done = 0
    while gaps.alive > 1:
        cell = gaps.queue[done]
        done += 1
        side = _representative(gaps.united_with, gaps.side[cell])
        _spread_from(board, gaps, cell, side)
        gaps.pending[side] -= 1
        if gaps.pending[side] == 0:
            gaps.alive -= 1
    return exits if gaps.apart > 1 else 0


def _begin_sides(board: LadderBoard, gaps: Gaps, size: int) -> int:
    """Begin a new side of the gap at each cell to which an open edge leads from the gap.

    A gap is a narrow place between walls. Its sides are the areas that it separates. An open edge is neither
    drawn nor ruled out.

    Args:
        size: the number of cells in the gap.
    Returns:
        The number of new sides.
    """
    exits = 0
    gaps.queued = 0
    for index in range(size):
        gaps.side[gaps.gap[index]] = -1
    for index in range(size):
        cell = gaps.gap[index]
        for way in range(4):
            if gaps.open_sides[cell] >> way & 1 == 0:
                continue
            to = board.around[4 * cell + way]
            if gaps.side[to] == 0:
                exits += 1
                gaps.united_with[exits], gaps.pending[exits] = exits, 1
                gaps.side[to], gaps.queue[gaps.queued] = exits, to
                gaps.queued += 1
    return exits


def _spread_from(board: LadderBoard, gaps: Gaps, cell: int, side: int) -> None:
    """Add a cell's neighbours to the side of the gap on which the cell lies.

    A gap is a narrow place that divides the board around it into areas, called sides. If a neighbour is
    already on another side, the two sides are united.
    """
    for way in range(4):
        if gaps.open_sides[cell] >> way & 1 == 0:
            continue
        to = board.around[4 * cell + way]
        if gaps.side[to] < 0:
            continue
        if gaps.side[to] == 0:
            gaps.side[to], gaps.queue[gaps.queued] = side, to
            gaps.pending[side] += 1
            gaps.queued += 1
            continue
        other = _representative(gaps.united_with, gaps.side[to])
        if other != side:
            gaps.united_with[other] = side
            gaps.pending[side] += gaps.pending[other]
            gaps.apart -= 1
            gaps.alive -= 1


def _measure_sides(board: LadderBoard, gaps: Gaps, size: int, exits: int) -> None:
    """Count the lines and edges of each side of the gap.

    A gap is a narrow place that divides the board around it into areas, called sides. Three things are
    counted for each side: the ends of lines on it; the lines that must cross from it into the gap; and the
    edges from it to the gap that are open (neither drawn nor ruled out). Its tilt is also computed. For this,
    the cells are coloured dark and light like a chessboard. Each cell of a path that is not finished there
    still needs one or two edges. The tilt is the number of edges that the side's dark cells still need, minus
    the number that its light cells still need.
    """
    component = gaps.component[gaps.gap[0]]
    for side in range(exits + 1):
        gaps.tilt[side], gaps.crossing[side], gaps.ends[side] = 0, 0, 0
        gaps.dark[side], gaps.light[side] = 0, 0
    gaps.crossing[0], gaps.ends[0] = gaps.net[component], gaps.ends_in[component]
    for index in range(gaps.queued):
        cell = gaps.queue[index]
        side = _representative(gaps.united_with, gaps.side[cell])
        gaps.side[cell] = side if gaps.pending[side] == 0 else 0
    for index in range(gaps.queued):
        if gaps.side[gaps.queue[index]] > 0:
            _count_for_side(board, gaps, gaps.queue[index], component)
    for index in range(size):
        cell = gaps.gap[index]
        _count_for_side(board, gaps, cell, component)
        for way in range(4):
            if gaps.open_sides[cell] >> way & 1:
                to = board.around[4 * cell + way]
                if gaps.side[to] >= 0:
                    edges = gaps.dark if gaps.darkness[to] else gaps.light
                    edges[gaps.side[to]] += 1


def _count_for_side(board: LadderBoard, gaps: Gaps, cell: int, component: int) -> None:
    """Move the counts of one cell from side 0 of the gap to the side on which the cell lies.

    A gap is a narrow place that divides the board around it into areas, called sides. The counts are, for
    example, the needed edges and the ends of lines. At first, side 0 has the totals of the whole area around
    the gap. When the counts of the gap and of all other sides have been moved away, the counts that are left
    belong to side 0.
    """
    side = gaps.side[cell]
    tilt = board.need[cell] if gaps.darkness[cell] else -board.need[cell]
    to = _partner_end(board, cell)
    crosses = 1
    if to < 0:
        to, crosses = board.mate[cell], -1
    else:
        gaps.ends[0] -= 1
        if side > 0:
            gaps.ends[side] += 1
    gaps.tilt[0] -= tilt
    if gaps.component[to] != component:
        gaps.crossing[0] -= crosses
    elif gaps.side[to] == 0:
        gaps.crossing[0] += crosses
    if side > 0:
        gaps.tilt[side] += tilt
        if gaps.side[to] != side:
            gaps.crossing[side] += crosses
