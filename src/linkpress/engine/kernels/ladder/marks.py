"""A partly drawn board: what is known of its edges, fragments and numbers, and how it changes.

Edge ``2 * cell`` leads right from a cell, edge ``2 * cell + 1`` leads down.

What is known is a ``Marks``, by cell:

* ``mate``: for an end of a fragment (a longest run of drawn edges; a lone cell is one too), the
  fragment's other end;
* ``line``: which fragment it belongs to, by the name of one of its cells; ``length``: for that name, of how
  many cells; ``ring``: the next cell of the same fragment, round and round in no order;
* ``number``: 0 or 1 + the first endpoint of the pair on whose path its fragment is known to lie;
* ``need``: how many more drawn edges the cell must get; ``exits``: how many of its edges are open;
* ``partner``: for an endpoint, the other endpoint of its pair; for any other cell the cell itself;
* ``parts``: for a pair's first endpoint, how many fragments carry its number;

and by edge ``edge``: ``OPEN``, ``DRAWN`` or ``RULED_OUT``.

A cell with need is an end of its fragment, and an end without need is an endpoint.

On a board that is known to be strict no path runs beside itself: the only drawing is one that could not
be cut short. Where ``PrintedBoard.strict`` says so, drawing and ruling out edges see to it.
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
    strict: cython.bint  # whether paths are known not to run beside themselves
    free: Bytes  # by cell: 0 for a solid
    pairs: Shorts  # 2 × pairs: the endpoints of each pair, the smaller cell first
    around: Shorts  # 4 × cells: each cell's neighbour up, left, right and down, -1 for none

    def __init__(self, rows: cython.int, cols: cython.int, pair_count: cython.int) -> None:
        self.rows, self.cols, self.cells, self.pair_count = rows, cols, rows * cols, pair_count
        self.strict = False
        self.free = bytes_of(self, self.cells)
        self.pairs = shorts_of(self, 2 * pair_count)
        self.around = shorts_of(self, 4 * self.cells)


@cython.final
@cython.cclass
class Marks(State):
    """What is known of a board, as the module says."""

    cells: cython.int
    mate: Shorts  # by cell: the other end of the fragment that ends at it, itself for a lone cell
    line: Shorts  # by cell: the name of its fragment, one of its cells
    ring: Shorts  # by cell: the next cell of its fragment, itself for a lone cell
    length: Shorts  # by name of a fragment: its cells
    number: Shorts  # by cell: of its fragment, 1 + its pair's first endpoint; 0 when unknown
    need: Shorts  # by cell: how many more drawn edges it takes
    exits: Shorts  # by cell: how many of its edges are open
    edge: Shorts  # by edge: OPEN, DRAWN or RULED_OUT
    partner: Shorts  # by cell: an endpoint's other endpoint, itself for any other cell
    parts: Shorts  # by a pair's first endpoint: how many fragments carry its number

    def __init__(self, cells: cython.int) -> None:
        self.cells = cells
        self.mate = shorts_of(self, cells)
        self.line = shorts_of(self, cells)
        self.ring = shorts_of(self, cells)
        self.length = shorts_of(self, cells)
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
        marks.mate[cell] = marks.line[cell] = marks.ring[cell] = marks.partner[cell] = cell
        marks.length[cell] = 1
        marks.number[cell] = marks.need[cell] = marks.exits[cell] = 0
        marks.parts[cell] = 0
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
    copy_shorts(marks.mate, spare.mate, marks.cells)
    copy_shorts(marks.line, spare.line, marks.cells)
    copy_shorts(marks.ring, spare.ring, marks.cells)
    copy_shorts(marks.length, spare.length, marks.cells)
    copy_shorts(marks.number, spare.number, marks.cells)
    copy_shorts(marks.need, spare.need, marks.cells)
    copy_shorts(marks.exits, spare.exits, marks.cells)
    copy_shorts(marks.edge, spare.edge, 2 * marks.cells)
    copy_shorts(marks.partner, spare.partner, marks.cells)
    copy_shorts(marks.parts, spare.parts, marks.cells)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def copy_shorts(source: Shorts, target: Shorts, size: cython.int) -> cython.void:
    """Copy so many items."""
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
    """Rule an open edge out; False when a cell is left with too few exits, or a strict path beside itself."""
    one, other = edge >> 1, far_end(grid, edge)
    marks.edge[edge] = RULED_OUT
    marks.exits[one] -= 1
    marks.exits[other] -= 1
    if grid.strict and marks.number[one] != 0 and marks.number[one] == marks.number[other]:
        return False
    return marks.exits[one] >= marks.need[one] and marks.exits[other] >= marks.need[other]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def draw(grid: PrintedBoard, marks: Marks, edge: cython.int) -> cython.bint:
    """Draw an open edge and join the fragments at its ends; False when that can't be.

    It can't when a cell gets an edge too many, a loop closes, two numbers meet, a strict path comes to
    run beside itself, or a pair is joined while a fragment with its number lies elsewhere.
    """
    one, other = edge >> 1, far_end(grid, edge)
    marks.edge[edge] = DRAWN
    marks.exits[one] -= 1
    marks.exits[other] -= 1
    marks.need[one] -= 1
    marks.need[other] -= 1
    if marks.need[one] < 0 or marks.need[other] < 0 or can_not_join(marks, one, other):
        return False
    if grid.strict and runs_beside_itself(grid, marks, one, other, 0):
        return False
    first, last = marks.mate[one], marks.mate[other]
    number = max(marks.number[one], marks.number[other])
    if marks.number[one] != 0 and marks.number[other] != 0:
        marks.parts[number - 1] -= 1
    marks.mate[first], marks.mate[last] = last, first
    _number_line(marks, one, number)
    _number_line(marks, other, number)
    _unite_lines(marks, one, other)
    joined: cython.bint = marks.need[first] == 0 and marks.need[last] == 0
    return not joined or marks.parts[number - 1] == 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _number_line(marks: Marks, cell: cython.int, number: cython.int) -> cython.void:
    """Write a number at every cell of a fragment that has none."""
    while marks.number[cell] != number:
        marks.number[cell] = number
        cell = marks.ring[cell]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _unite_lines(marks: Marks, one: cython.int, other: cython.int) -> cython.void:
    """Give two fragments the name of the longer."""
    kept, given_up = marks.line[one], marks.line[other]
    if marks.length[kept] < marks.length[given_up]:
        kept, given_up = given_up, kept
    cell = given_up
    while marks.line[cell] != kept:
        marks.line[cell] = kept
        cell = marks.ring[cell]
    marks.ring[one], marks.ring[other] = marks.ring[other], marks.ring[one]
    marks.length[kept] += marks.length[given_up]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def runs_beside_itself(
    grid: PrintedBoard, marks: Marks, one: cython.int, other: cython.int, pending: cython.int
) -> cython.bint:
    """Whether the edge between two ends would make one path run beside itself.

    ``pending`` is 1 while the edge still counts in the ends' need, 0 once it is drawn.
    """
    if lines_touch(grid, marks, one, other, one, other):
        return True
    if marks.number[one] == marks.number[other]:
        return False
    fresh, numbered = one, other
    if marks.number[one] != 0:
        fresh, numbered = other, one
    return _touches_number(grid, marks, fresh, marks.number[numbered], marks.line[numbered], pending)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def lines_touch(
    grid: PrintedBoard,
    marks: Marks,
    one: cython.int,
    other: cython.int,
    near: cython.int,
    far: cython.int,
) -> cython.bint:
    """Whether the fragments of two cells stand side by side, but for their cells ``near`` and ``far``."""
    begin, beyond = one, marks.line[other]
    if marks.length[marks.line[one]] > marks.length[beyond]:
        begin, beyond, near, far = other, marks.line[one], far, near
    cell = begin
    while True:
        for side in range(4):
            to = grid.around[4 * cell + side]
            if to >= 0 and marks.line[to] == beyond and (cell != near or to != far):
                return True
        cell = marks.ring[cell]
        if cell == begin:
            return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _touches_number(
    grid: PrintedBoard,
    marks: Marks,
    fresh: cython.int,
    number: cython.int,
    line: cython.int,
    pending: cython.int,
) -> cython.bint:
    """Whether a fragment would, with a number, stand beside others of it that it can't join.

    Args:
        fresh: an end of the fragment; with ``pending`` 1 an edge from it is about to be drawn.
        number: the number.
        line: the fragment from which it gets it, which does not count; -1 for none.
    """
    cell = fresh
    while True:
        need = marks.need[cell] - (pending if cell == fresh else 0)
        for side in range(4):
            to = grid.around[4 * cell + side]
            if to < 0 or marks.number[to] != number or marks.line[to] in (line, marks.line[cell]):
                continue
            if need <= 0 or marks.need[to] == 0 or marks.edge[edge_of(grid, cell, side)] != OPEN:
                return True
        cell = marks.ring[cell]
        if cell == fresh:
            return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def give_number(grid: PrintedBoard, marks: Marks, cell: cython.int, number: cython.int) -> cython.bint:
    """Note that the fragment that ends at a cell lies on a pair's path; False when it can't."""
    if marks.number[cell] != 0:
        return marks.number[cell] == number
    if grid.strict and _touches_number(grid, marks, cell, number, -1, 0):
        return False
    _number_line(marks, cell, number)
    marks.parts[number - 1] += 1
    return open_end(marks, number - 1) >= 0
