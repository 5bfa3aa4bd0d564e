"""The clauses with which the clause-learning search (``cdcl``) finds the drawings of a board.

The module ``drawings`` explains the kinds of drawings, when a corner is supported, and what a valley is.
Functions that write clauses append them to the array ``out``, from index ``used`` on, and return the index
after the last word written. Each clause is its size followed by its literals.
"""

from linkpress.engine.kernels.glossary import Direction, DrawingKind
from linkpress.engine.kernels.grid import larger_cell, neighbour, side_edge, side_in_turn
from linkpress.engine.kernels.prover.cdcl import Search, add_clauses
from linkpress.engine.kernels.pure_python import Bytes, Ints, State, items, make_fields, unset_items

# Width of the widest valley that clauses forbid. A valley is a path that comes down, runs right and goes up
# again around empty cells. A limit of 12 was no better at 15 × 15.
_WIDEST_VALLEY: int = 5
# The clauses of one cell take at most this many words.
_WORDS: int = 160


class Question(State):
    """A board whose drawings are to be found, with room to write its clauses.

    A drawing joins each pair of numbers by a path. ``reset_question`` prepares the object for another board,
    which must not have more cells.
    """

    rows: int
    cols: int
    cells: int
    # The kind of drawings that count: FILLING (the paths cover every free cell), LOWEST (cells may stay
    # empty) or UNTOUCHING (as FILLING, and no path touches itself).
    kind: int

    # whether to forbid, from the start, corners of paths that can't be supported; ``drawings`` explains this
    dead_corners: bool

    # whether to require that neighbours with the same number are joined, if that is valid for this board
    joins_neighbours: bool
    # For each cell, how many edges its path uses: 1 for a cell with a number, else 2. It is -1 for a solid.
    need: Bytes = items("cells")
    label: Ints = items("cells")  # for each cell, its number counted from 0; -1 without a number
    out: Ints = unset_items("_WORDS * cells")  # the clauses that are being written, one after the other

    def __init__(self, rows: int, cols: int) -> None:
        cells = rows * cols
        make_fields(self, locals())
        reset_question(self, rows, cols, DrawingKind.FILLING)


def reset_question(q: Question, rows: int, cols: int, kind: int) -> None:
    """Set the size of the board to search, and the kind of its drawings.

    The caller must then set ``need`` and ``label`` of every cell.
    """
    q.rows, q.cols, q.cells, q.kind = rows, cols, rows * cols, kind
    q.dead_corners = q.joins_neighbours = False


def add_question(s: Search, q: Question) -> None:
    """Write the clauses that describe a board, and add them to an empty search.

    ``joins_neighbours`` takes effect only under two conditions. First, each number must be on exactly two
    cells. In a window, which is a part of a board, a number may be on more cells, and then two parts of its
    path may touch. Second, the label of a cell must have room for at least eight numbers. Then an empty cell
    can always have a label that none of its four neighbours has.
    """
    label, out = q.label, q.out
    used, ends, labels = 0, 0, 0
    for cell in range(q.cells):
        for side in range(2):
            if _is_absent(q, cell, side):
                out[used], out[used + 1] = 1, 2 * (2 * cell + side) + 1
                used += 2
        if label[cell] >= 0:
            ends += 1
            labels = max(labels, label[cell] + 1)
            first = s.edges + (cell << s.shift)
            for bit in range(s.bits):
                out[used], out[used + 1] = (1, 2 * (first + bit) + 1 - (label[cell] >> bit & 1))
                used += 2
    s.joins_neighbours = q.joins_neighbours and s.bits > 2 and ends == 2 * labels
    add_clauses(s, out, used)
    used = 0
    for cell in range(q.cells):
        if q.need[cell] > 0:
            used = _require_edges(s, q, q.kind == DrawingKind.LOWEST and label[cell] < 0, cell, used)
        if cell % q.cols < q.cols - 1 and cell < q.cells - q.cols:
            used = _limit_square_edges(q, cell, used)
        if q.kind != DrawingKind.FILLING and q.need[cell] == 2:
            used = _support_corners(q, cell, 1, used)
            if q.kind == DrawingKind.LOWEST:
                used = _fill_valleys(q, cell, used)
            else:
                used = _support_corners(q, cell, -1, used)
    add_clauses(s, out, used)


def _is_absent(q: Question, cell: int, side: int) -> bool:
    """Return whether the edge to the right of a cell (side 0) or below it (side 1) can't be used.

    That is so if the edge leaves the board, touches a solid, or joins two different numbers.
    """
    other = neighbour(q.rows, q.cols, cell, Direction.RIGHT + side)
    if other < 0 or q.need[cell] < 0 or q.need[other] < 0:
        return True
    return q.label[cell] >= 0 and q.label[other] >= 0 and q.label[cell] != q.label[other]


def edge_literal(cols: int, cell: int, side: int) -> int:
    return 2 * side_edge(cols, cell, side)


def _put(out: Ints, used: int, one: int, two: int, three: int) -> int:
    """Write a clause of three literals. If the third one is -1, write a clause of two literals."""
    out[used + 1], out[used + 2], out[used + 3] = one, two, three
    out[used] = 2 if three < 0 else 3
    return used + 1 + out[used]


def _require_edges(s: Search, q: Question, may_be_empty: bool, cell: int, used: int) -> int:
    """Require that a cell has as many used edges as ``need`` says, or none if the cell may be empty.

    Args:
        used: the index of ``q.out`` at which to write the clauses.
    Returns:
        The index after the last clause.
    """
    out, exits, size = q.out, s.scratch, 0
    for turn in range(4):
        lit = edge_literal(s.cols, cell, side_in_turn(turn))
        if lit >= 0 and s.value[lit] >= 0:
            exits[size] = lit
            size += 1
    if q.need[cell] == 1:
        return _require_one(exits, size, out, used)
    for third in range(2, size):
        for second in range(1, third):
            for first in range(second):
                used = _put(out, used, exits[first] ^ 1, exits[second] ^ 1, exits[third] ^ 1)
    for first in range(max(size, 1)):
        begin = used
        used += 1
        for second in range(size):
            if second != first or may_be_empty:
                out[used] = exits[second] ^ (second == first)
                used += 1
        out[begin] = used - begin - 1
        if size == 0 and may_be_empty:
            used = begin
    return used


def _require_one(exits: Ints, size: int, out: Ints, used: int) -> int:
    """Require that exactly one of the literals in ``exits`` is true."""
    out[used] = size
    for first in range(size):
        out[used + 1 + first] = exits[first]
    used += 1 + size
    for first in range(size):
        for second in range(first):
            used = _put(out, used, exits[first] ^ 1, exits[second] ^ 1, -1)
    return used


def _limit_square_edges(q: Question, cell: int, used: int) -> int:
    """Forbid that all four edges of a 2 × 2 square are used.

    If paths must not touch themselves, forbid three of them too.

    Args:
        cell: the upper left cell of the square.
    """
    out = q.out
    a, b, c, d = 4 * cell + 1, 4 * (cell + q.cols) + 1, 4 * cell + 3, 4 * cell + 7
    if q.kind == DrawingKind.FILLING:
        out[used], out[used + 1], out[used + 2], out[used + 3], out[used + 4] = (4, a, b, c, d)
        return used + 5
    used = _put(out, used, a, b, c)
    used = _put(out, used, a, b, d)
    used = _put(out, used, a, c, d)
    return _put(out, used, b, c, d)


def _support_corners(q: Question, cell: int, down: int, used: int) -> int:
    """Require that each corner of a path at a cell is supported.

    That is so if the cell diagonally inside the corner is a number, a solid, or a corner of the same turn.

    Args:
        down: 1 for corners made by a horizontal edge and the edge below the cell; -1 for corners made by a
            horizontal edge and the edge above the cell.
    """
    cols, out = q.cols, q.out
    row, col = cell // cols, cell % cols
    for turn in range(2):
        step = 1 - 2 * turn
        if not 0 <= row + down < q.rows or not 0 <= col + step < cols:
            continue
        inner = cell + down * cols + step
        if q.need[inner] != 2 or q.label[inner] >= 0:
            continue
        across: int = Direction.RIGHT if step > 0 else Direction.LEFT
        upright: int = Direction.DOWN if down > 0 else Direction.UP
        a, b = edge_literal(cols, cell, across) ^ 1, edge_literal(cols, cell, upright) ^ 1
        if q.dead_corners and is_unsupported(q, row + down, col + step, down, step):
            used = _put(out, used, a, b, -1)
            continue
        beside = neighbour(q.rows, cols, inner, across)
        used = _put(out, used, a, b, edge_literal(cols, inner, across) if beside >= 0 else -1)
        beside = neighbour(q.rows, cols, inner, upright)
        used = _put(out, used, a, b, edge_literal(cols, inner, upright) if beside >= 0 else -1)
    return used


def is_unsupported(q: Question, row: int, col: int, down: int, step: int) -> bool:
    """Return whether a diagonal of cells reaches the border without meeting a number or a solid.

    Corners of paths on such a diagonal can't be supported, so they are impossible.

    Args:
        row, col: the cell with which the diagonal begins. It lies diagonally inside the corner.
        down, step: the direction of the diagonal: 1 or -1 rows and 1 or -1 columns for each cell.
    """
    while 0 <= row < q.rows and 0 <= col < q.cols:
        if q.need[row * q.cols + col] != 2 or q.label[row * q.cols + col] >= 0:
            return False
        row, col = row + down, col + step
    return True


def _fill_valleys(q: Question, cell: int, used: int) -> int:
    """Forbid paths that come down to a cell, run right and go up again around empty cells only.

    Such a path could be cut short along the row above.
    """
    cols, out = q.cols, q.out
    if cell < cols:
        return used
    for width in range(2, min(_WIDEST_VALLEY, cols - 1 - cell % cols) + 1):
        end = cell + width
        last_floor = end - 1 - cols
        if q.need[last_floor] != 2 or q.label[last_floor] >= 0:
            return used
        begin = used
        out[used + 1] = edge_literal(cols, cell, Direction.UP) ^ 1
        out[used + 2] = edge_literal(cols, end, Direction.UP) ^ 1
        used += 3
        for step in range(width):
            out[used] = edge_literal(cols, cell + step, Direction.RIGHT) ^ 1
            used += 1
        for floor in range(cell - cols + 1, end - cols):
            if floor >= cols:
                out[used] = edge_literal(cols, floor, Direction.UP)
                used += 1
            if floor < last_floor:
                out[used] = edge_literal(cols, floor, Direction.RIGHT)
                used += 1
        out[begin] = used - begin - 1
    return used


def require_joined(s: Search, q: Question, cell: int, side: int, label: int) -> None:
    """Require that two neighbours are joined if both have the given label.

    This may only be called at decision level 0.

    Args:
        side: 0 for the neighbour to the right of ``cell``, 1 for the neighbour below.
        label: the number of a pair, counted from 0.
    """
    clause, other = s.clause, larger_cell(q.cols, 2 * cell + side)
    clause[1], size = 2 * (2 * cell + side), 1
    for bit in range(s.bits):
        differs = label >> bit & 1
        clause[size + 1] = 2 * (s.edges + (cell << s.shift) + bit) + differs
        clause[size + 2] = 2 * (s.edges + (other << s.shift) + bit) + differs
        size += 2
    clause[0] = size
    add_clauses(s, clause, size + 1)


def exclude_drawing(s: Search, drawing: Bytes) -> None:
    """Add a clause that forbids a drawing: not all of its edges may be used together.

    No other drawing is excluded, because the edges of one drawing never contain all edges of another. This
    may only be called at decision level 0.

    Args:
        drawing: for each cell, the ``DirectionBit`` sum of its used edges.
    """
    clause, size = s.clause, 0
    for cell in range(s.cells):
        for side in range(Direction.RIGHT, Direction.DOWN + 1):
            if drawing[cell] >> side & 1:
                size += 1
                clause[size] = edge_literal(s.cols, cell, side) ^ 1
    clause[0] = size
    add_clauses(s, clause, size + 1)
