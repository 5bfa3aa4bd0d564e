"""A partly drawn board: what is known of its edges, fragments and numbers, and how it changes.

Edge ``2 * cell`` leads right from a cell, edge ``2 * cell + 1`` leads down.

What is known is a ``Marks``, by cell:

* ``mate``: for an end of a fragment (a longest run of drawn edges; a lone cell is one too), the
  fragment's other end;
* ``number``: for an end of a fragment, 0 or 1 + the first endpoint of the pair on whose path the
  fragment is known to lie;
* ``need``: how many more drawn edges the cell must get; ``exits``: how many of its edges are open;
* ``partner``: for an endpoint, the other endpoint of its pair;
* ``parts``: for a pair's first endpoint, how many fragments carry its number;

and by edge ``edge``: ``OPEN``, ``DRAWN`` or ``RULED_OUT``.

A cell with need is an end of its fragment, and an end without need is an endpoint.
"""

try:
    import cython
except ImportError:  # no compiler was there, so that kernels run as plain Python
    import linkpress.engine.kernels.pure_python as cython

from linkpress.engine.kernels.glossary import Direction, EdgeState

if not cython.compiled:
    from linkpress.engine.kernels.memory import Bytes, Shorts, State, bytes_of, shorts_of


OPEN = cython.declare(cython.int, EdgeState.OPEN.value)
DRAWN = cython.declare(cython.int, EdgeState.DRAWN.value)
RULED_OUT = cython.declare(cython.int, EdgeState.RULED_OUT.value)
UP = cython.declare(cython.int, Direction.UP.value)
LEFT = cython.declare(cython.int, Direction.LEFT.value)
RIGHT = cython.declare(cython.int, Direction.RIGHT.value)
DOWN = cython.declare(cython.int, Direction.DOWN.value)


@cython.final
@cython.cclass
class PrintedBoard(State):
    """A board as it is printed.

    Args:
        rows, cols: of the board.
        pair_count: how many pairs.
    """

    rows: cython.int
    cols: cython.int
    cells: cython.int
    pair_count: cython.int
    free: Bytes  # by cell: 0 for a solid
    pairs: Shorts  # 2 × pairs: the endpoints of each pair, the smaller cell first
    around: Shorts  # 4 × cells: each cell's neighbour up, left, right and down, -1 for none

    def __init__(self, rows: cython.int, cols: cython.int, pair_count: cython.int) -> None:
        self.rows, self.cols, self.cells, self.pair_count = rows, cols, rows * cols, pair_count
        self.free = bytes_of(self, self.cells)
        self.pairs = shorts_of(self, 2 * pair_count)
        self.around = shorts_of(self, 4 * self.cells)


@cython.final
@cython.cclass
class Marks(State):
    """What is known of a board, as the module says."""

    cells: cython.int
    mate: Shorts  # by cell: the other end of the fragment that ends at it, itself for a lone cell
    number: Shorts  # by cell: of the fragment that ends at it, 1 + its pair's first endpoint; 0 when unknown
    need: Shorts  # by cell: how many more drawn edges it takes
    exits: Shorts  # by cell: how many of its edges are open
    edge: Shorts  # by edge: OPEN, DRAWN or RULED_OUT
    partner: Shorts  # by endpoint: the other endpoint of its pair
    parts: Shorts  # by a pair's first endpoint: how many fragments carry its number

    def __init__(self, cells: cython.int) -> None:
        self.cells = cells
        self.mate = shorts_of(self, cells)
        self.number = shorts_of(self, cells)
        self.need = shorts_of(self, cells)
        self.exits = shorts_of(self, cells)
        self.edge = shorts_of(self, 2 * cells)
        self.partner = shorts_of(self, cells)
        self.parts = shorts_of(self, cells)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def lay_out(grid: PrintedBoard, marks: Marks) -> cython.bint:
    """Fill ``grid.around`` and ``marks`` for a board on which nothing is drawn yet.

    Returns:
        False when a cell has too few exits from the start.
    """
    for cell in range(grid.cells):
        for side in range(4):
            grid.around[4 * cell + side] = -1
        marks.mate[cell] = cell
        marks.number[cell] = marks.need[cell] = marks.exits[cell] = 0
        marks.partner[cell] = marks.parts[cell] = 0
        marks.edge[2 * cell] = marks.edge[2 * cell + 1] = RULED_OUT
        if grid.free[cell] != 0:
            marks.need[cell] = 2
            _look_around(grid, marks, cell)
    for pair in range(grid.pair_count):
        for end in range(2):
            cell = grid.pairs[2 * pair + end]
            marks.need[cell] = 1
            marks.number[cell] = 1 + grid.pairs[2 * pair]
            marks.partner[cell] = grid.pairs[2 * pair + 1 - end]
        marks.parts[grid.pairs[2 * pair]] = 2
    for cell in range(grid.cells):
        if marks.exits[cell] < marks.need[cell]:
            return False
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _look_around(grid: PrintedBoard, marks: Marks, cell: cython.int) -> cython.void:
    cols = grid.cols
    row, col = cell // cols, cell % cols
    if row > 0 and grid.free[cell - cols] != 0:
        grid.around[4 * cell + UP] = cell - cols
    if col > 0 and grid.free[cell - 1] != 0:
        grid.around[4 * cell + LEFT] = cell - 1
    if col < cols - 1 and grid.free[cell + 1] != 0:
        grid.around[4 * cell + RIGHT] = cell + 1
        marks.edge[2 * cell] = OPEN
    if row < grid.rows - 1 and grid.free[cell + cols] != 0:
        grid.around[4 * cell + DOWN] = cell + cols
        marks.edge[2 * cell + 1] = OPEN
    for side in range(4):
        if grid.around[4 * cell + side] >= 0:
            marks.exits[cell] += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def edge_of(grid: PrintedBoard, cell: cython.int, side: cython.int) -> cython.int:
    """The edge on one side of a cell that has a neighbour there."""
    if side >= RIGHT:
        return 2 * cell + side - 2
    return 2 * grid.around[4 * cell + side] + 1 - side


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def far_end(grid: PrintedBoard, edge: cython.int) -> cython.int:
    """The larger cell of an edge; the smaller is ``edge >> 1``."""
    return grid.around[4 * (edge >> 1) + RIGHT + (edge & 1)]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def mark_of(marks: Marks, edge: cython.int) -> cython.int:
    """What is known of an edge: ``OPEN``, ``DRAWN`` or ``RULED_OUT``."""
    return marks.edge[edge]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def copy_marks(marks: Marks, spare: Marks) -> cython.void:
    """Overwrite other marks of the same board."""
    _copy(marks.mate, spare.mate, marks.cells)
    _copy(marks.number, spare.number, marks.cells)
    _copy(marks.need, spare.need, marks.cells)
    _copy(marks.exits, spare.exits, marks.cells)
    _copy(marks.edge, spare.edge, 2 * marks.cells)
    _copy(marks.partner, spare.partner, marks.cells)
    _copy(marks.parts, spare.parts, marks.cells)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _copy(source: Shorts, target: Shorts, size: cython.int) -> cython.void:
    for at in range(size):
        target[at] = source[at]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_open(marks: Marks) -> cython.int:
    """How many edges are still open."""
    count = 0
    for edge in range(2 * marks.cells):
        if mark_of(marks, edge) == OPEN:
            count += 1
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def exit_at(grid: PrintedBoard, marks: Marks, cell: cython.int, side: cython.int) -> cython.int:
    """The neighbour on one side when the edge to it is open, else -1."""
    to = grid.around[4 * cell + side]
    if to < 0 or mark_of(marks, edge_of(grid, cell, side)) != OPEN:
        return -1
    return to


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def open_end(marks: Marks, endpoint: cython.int) -> cython.int:
    """Where the line from an endpoint now ends, -1 when its pair is joined."""
    if marks.need[endpoint] > 0:
        return endpoint
    last = marks.mate[endpoint]
    return last if marks.need[last] > 0 else -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def can_not_join(marks: Marks, one: cython.int, other: cython.int) -> cython.bint:
    """Whether an edge between two ends would close a loop or bring two numbers together."""
    first, second = marks.number[one], marks.number[other]
    return marks.mate[one] == other or (first != 0 and second != 0 and first != second)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def rule_out(grid: PrintedBoard, marks: Marks, edge: cython.int) -> cython.bint:
    """Rule an open edge out; False when a cell is left with too few exits."""
    one, other = edge >> 1, far_end(grid, edge)
    marks.edge[edge] = RULED_OUT
    marks.exits[one] -= 1
    marks.exits[other] -= 1
    return marks.exits[one] >= marks.need[one] and marks.exits[other] >= marks.need[other]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def draw(grid: PrintedBoard, marks: Marks, edge: cython.int) -> cython.bint:
    """Draw an open edge and join the fragments at its ends; False when that can't be.

    It can't when a cell gets an edge too many, a loop closes, two numbers meet, or a pair is
    joined while a fragment with its number lies elsewhere.
    """
    one, other = edge >> 1, far_end(grid, edge)
    marks.edge[edge] = DRAWN
    marks.exits[one] -= 1
    marks.exits[other] -= 1
    marks.need[one] -= 1
    marks.need[other] -= 1
    if marks.need[one] < 0 or marks.need[other] < 0 or can_not_join(marks, one, other):
        return False
    first, last = marks.mate[one], marks.mate[other]
    number = max(marks.number[one], marks.number[other])
    if marks.number[one] != 0 and marks.number[other] != 0:
        marks.parts[number - 1] -= 1
    marks.mate[first], marks.mate[last] = last, first
    marks.number[first], marks.number[last] = number, number
    joined: cython.bint = marks.need[first] == 0 and marks.need[last] == 0
    return not joined or marks.parts[number - 1] == 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def give_number(marks: Marks, cell: cython.int, number: cython.int) -> cython.bint:
    """Note that the fragment that ends at a cell lies on a pair's path; False when it can't."""
    if marks.number[cell] != 0:
        return marks.number[cell] == number
    marks.number[cell] = number
    marks.number[marks.mate[cell]] = number
    marks.parts[number - 1] += 1
    return open_end(marks, number - 1) >= 0
