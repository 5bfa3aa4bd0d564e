"""A gap parts the cells around it into sides, which have to be passed.

The search spreads from all exits of the gap at once and ends when they have met, or when only one
side is not yet exhausted. What that last side holds follows from the totals of its component, so
a gap costs as much as the smaller sides do.
"""

from linkpress.engine.kernels.glossary import Contradiction, Direction, EdgeState
from linkpress.engine.kernels.ladder.ladder_board import LadderBoard, open_end
from linkpress.engine.kernels.ladder.wall_order import join_components
from linkpress.engine.kernels.pure_python import Bytes, Ints, State, items, make_fields

_MOST_CELLS: int = 9
_MOST_SIDES: int = 4 * 9 + 1


class Gaps(State):
    """This is the gap under judgement, with its sides and the walls that gaps lie between.

    A gap has at most nine cells, so 36 exits: sides are numbered from 1 by the exit that they were found
    from, and 0 is the side that the search did not exhaust.
    """

    gap: Ints = items("_MOST_CELLS")  # the gap's cells, at most nine
    gap_code: int  # the gap's name in findings, see ``gaps``
    by_colour: int  # 1 when squares are counted by colours
    # What is known of the cells.
    component: Ints = items("cells")  # by cell: the first cell of the component of open edges that it lies in
    open_sides: Ints = items("cells")  # by cell: the sides with open edges, as bits
    darkness: Ints = items("cells")  # by cell: 1 for dark on the chessboard, else 0
    judged: LadderBoard  # what was known when gaps were last judged; its exits are -1 before they ever were
    judged_by_colour: LadderBoard  # and when they were last judged by colours
    near: Ints = items("cells")  # by cell: not 0 when gaps with it are to be judged
    nearby: Ints = items("cells")  # by cell: not 0 when it or a cell around it is ``near``
    net: Ints = items("cells")  # by component: line ends with a partner elsewhere, less fragments to there
    ends_in: Ints = items("cells")  # by component: line ends of endpoints
    # The search for the sides.
    side: Ints = items("cells")  # by cell: its side of the gap, -1 in the gap, 0 not looked at
    queued: int  # how many cells were looked at
    queue: Ints = items("cells")  # those cells
    apart: int  # sides that have not met another
    alive: int  # of those, the ones that have cells left to spread from
    root: Ints = items("_MOST_SIDES")  # by side: the side that it was united with
    pending: Ints = items("_MOST_SIDES")  # by side: cells not yet spread from
    # What is counted by side.
    tilt: Ints = items("cells + _MOST_SIDES")  # need of dark cells less that of light; first by component
    crossing: Ints = items("_MOST_SIDES")  # pairs that have to cross to another side, less fragments that do
    ends: Ints = items("_MOST_SIDES")  # line ends of endpoints
    dark: Ints = items("_MOST_SIDES")  # edges from the gap to its dark cells
    light: Ints = items("_MOST_SIDES")  # edges from the gap to its light cells
    least: Ints = items("_MOST_SIDES")  # fewest used edges between it and the gap
    # Walls, by corner of a square: row * (cols + 1) + col.
    passable: Bytes = items("cells")  # by fragment's name: always 0
    leaving: Bytes = items("corners")  # by corner: the walls that leave it
    face: Ints = items("corners")  # by corner: the wall that it lies on, its first corner; -1 for none
    wall_bit: Ints = items("corners")  # by a wall's first corner: the wall's bit
    wall_count: int
    walls: Ints = items("cells")  # by cell: the bits of the walls that its corners lie on
    beside: Ints = items("8")  # by eighth of a turn from up: the next cell that way, -1 for none

    def __init__(self, rows: int, cols: int) -> None:
        cells = rows * cols
        self.judged, self.judged_by_colour = LadderBoard(rows, cols, 0), LadderBoard(rows, cols, 0)
        corners = 2 * cells + 8
        make_fields(self, locals())
        for cell in range(cells):
            self.darkness[cell] = (cell // cols + cell % cols + 1) & 1


def mark_near(before: LadderBoard, board: LadderBoard, gaps: Gaps) -> None:
    """Mark the cells at and around those of which more is known than before.

    Drawing inside a side changes neither its tilt nor, but for joins with fragments that reach
    across, its crossings: a gap far from every change mostly says what it said before.
    """
    cells = board.cells
    rows = cells // board.cols
    for cell in range(cells):
        gaps.near[cell] = gaps.nearby[cell] = 0
    for row in range(rows):
        for col in range(board.cols):
            cell = row * board.cols + col
            same: bool = before.exits[cell] == board.exits[cell] and before.number[cell] == board.number[cell]
            if same and before.mate[cell] == board.mate[cell]:
                continue
            for near_row in range(max(0, row - 2), min(rows, row + 3)):
                for near_col in range(max(0, col - 2), min(board.cols, col + 3)):
                    near = near_row * board.cols + near_col
                    gaps.nearby[near] = 1
                    if abs(near_row - row) < 2 and abs(near_col - col) < 2:
                        gaps.near[near] = 1


def find_root(row: Ints, item: int) -> int:
    """Return the item that stands for all those united with one."""
    while row[item] != item:
        row[item] = row[row[item]]
        item = row[item]
    return item


def line_beyond(board: LadderBoard, cell: int) -> int:
    """Return where the other line of its pair ends, for the line end of an endpoint; else -1."""
    endpoint = board.mate[cell]
    if endpoint == cell:
        if board.need[cell] == 2:
            return -1
    elif board.need[endpoint] > 0:
        return -1
    return open_end(board, board.partner[endpoint])


def find_components(board: LadderBoard, gaps: Gaps) -> bool:
    """Find the components of open edges; False when one has more dark need than light or less."""
    cells = board.cells
    _clear_cells(board, gaps)
    join_components(board, False, gaps.component, gaps.queue)
    for cell in range(cells):
        gaps.tilt[gaps.component[cell]] += board.need[cell] if gaps.darkness[cell] else -board.need[cell]
    for cell in range(cells):
        if gaps.tilt[cell] != 0:
            board.fault, board.fault_at = Contradiction.UNFILLED, cell
            return False
    for cell in range(cells):
        if board.need[cell] > 0:
            component = gaps.component[cell]
            beyond = line_beyond(board, cell)
            if beyond >= 0:
                gaps.ends_in[component] += 1
                gaps.net[component] += gaps.component[beyond] != component
            else:
                gaps.net[component] -= gaps.component[board.mate[cell]] != component
    return True


def _clear_cells(board: LadderBoard, gaps: Gaps) -> None:
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


def spread(board: LadderBoard, gaps: Gaps, size: int) -> int:
    """Find the sides of a gap, and give cells of a side that is not exhausted side 0.

    It returns how many exits the gap has, 0 when it leaves one side.
    """
    seeds = _seed_sides(board, gaps, size)
    gaps.apart = gaps.alive = seeds
    done = 0
    while gaps.alive > 1:
        cell = gaps.queue[done]
        done += 1
        own = find_root(gaps.root, gaps.side[cell])
        _spread_from(board, gaps, cell, own)
        gaps.pending[own] -= 1
        if gaps.pending[own] == 0:
            gaps.alive -= 1
    return seeds if gaps.apart > 1 else 0


def _seed_sides(board: LadderBoard, gaps: Gaps, size: int) -> int:
    seeds = 0
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
                seeds += 1
                gaps.root[seeds], gaps.pending[seeds] = seeds, 1
                gaps.side[to], gaps.queue[gaps.queued] = seeds, to
                gaps.queued += 1
    return seeds


def _spread_from(board: LadderBoard, gaps: Gaps, cell: int, own: int) -> None:
    """Give a cell's neighbours its side, or unite that with the sides that they have."""
    for way in range(4):
        if gaps.open_sides[cell] >> way & 1 == 0:
            continue
        to = board.around[4 * cell + way]
        if gaps.side[to] < 0:
            continue
        if gaps.side[to] == 0:
            gaps.side[to], gaps.queue[gaps.queued] = own, to
            gaps.pending[own] += 1
            gaps.queued += 1
            continue
        other = find_root(gaps.root, gaps.side[to])
        if other != own:
            gaps.root[other] = own
            gaps.pending[own] += gaps.pending[other]
            gaps.apart -= 1
            gaps.alive -= 1


def measure_sides(board: LadderBoard, gaps: Gaps, size: int, seeds: int) -> None:
    """Count tilt, ends, crossings and edges to the gap, by side; side 0 is the one not exhausted."""
    component = gaps.component[gaps.gap[0]]
    for side in range(seeds + 1):
        gaps.tilt[side], gaps.crossing[side], gaps.ends[side] = 0, 0, 0
        gaps.dark[side], gaps.light[side] = 0, 0
    gaps.crossing[0], gaps.ends[0] = gaps.net[component], gaps.ends_in[component]
    for index in range(gaps.queued):
        cell = gaps.queue[index]
        side = find_root(gaps.root, gaps.side[cell])
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
    """Count a cell for its side, if it has one, and out of side 0."""
    side = gaps.side[cell]
    tilt = board.need[cell] if gaps.darkness[cell] else -board.need[cell]
    to = line_beyond(board, cell)
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
