"""Walking along the drawn lines of a board."""

try:
    import cython
except ImportError:  # no compiler was there, so that kernels run as plain Python
    import linkpress.engine.kernels.pure_python as cython

if not cython.compiled:
    from linkpress.engine.kernels.ladder.marks import DRAWN, PrintedBoard, edge_of
    from linkpress.engine.kernels.memory import Bytes, Ints, Shorts, State, ints_of

# A way's goal, where it is no cell.
ANY_SOURCE = cython.declare(cython.int, -1)
ANY_WANTED = cython.declare(cython.int, -2)


@cython.final
@cython.cclass
class Walking(State):
    """The last walk, and the facts that were noted.

    Args:
        cells: of the board.
    """

    stamp: cython.int  # of the last walk
    reached: Ints  # by cell: the last walk that came there
    queue: Ints  # the cells of the last walk, in order
    queued: cython.int  # how many these are
    before: Ints  # by cell: where the last walk came from, -1 at its start
    there: Ints  # by cell: the walk that is looked at together with the last one
    wanted: Ints  # by cell: the last walk for which it was a goal
    fact_count: cython.int
    facts: Ints  # codes, some twice: 4 × the edge or the cell + the kind; of three ways at most

    def __init__(self, cells: cython.int) -> None:
        self.stamp = self.queued = self.fact_count = 0
        self.reached, self.queue = ints_of(self, cells), ints_of(self, cells)
        self.before, self.there = ints_of(self, cells), ints_of(self, cells)
        self.wanted, self.facts = ints_of(self, cells), ints_of(self, 4 * cells + 64)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_way(
    board: PrintedBoard,
    states: Shorts,
    source: Bytes,
    walking: Walking,
    start: cython.int,
    goal: cython.int,
    without: cython.int,
) -> cython.int:
    """Walk along drawn edges, the nearest cells first, up to a goal: that cell, or -1 where there is none.

    Args:
        states: by edge.
        source: by cell: not 0 where it is ANY_SOURCE.
        goal: a cell, ANY_SOURCE or ANY_WANTED; the number of cells for none.
        without: an edge that is not gone over, or -1.
    """
    walking.stamp += 1
    walking.queue[0], walking.queued = start, 1
    walking.reached[start], walking.before[start] = walking.stamp, -1
    at = 0
    while at < walking.queued:
        cell = walking.queue[at]
        at += 1
        if goal == cell or (goal == ANY_SOURCE and source[cell] != 0):
            return cell
        if goal == ANY_WANTED and walking.wanted[cell] == walking.stamp:
            return cell
        for side in range(4):
            to = board.around[4 * cell + side]
            if to < 0 or walking.reached[to] == walking.stamp:
                continue
            edge = edge_of(board, cell, side)
            if states[edge] == DRAWN and edge != without:
                walking.reached[to], walking.before[to] = walking.stamp, cell
                walking.queue[walking.queued] = to
                walking.queued += 1
    return -1
