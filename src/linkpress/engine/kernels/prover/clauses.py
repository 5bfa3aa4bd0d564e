"""Clauses say what a drawing of a board is; ``drawings`` explains them.

Each function here writes clauses behind ``used`` words of ``out``, each its size and then its
literals, and returns how many words are used then.
"""

from linkpress.engine.kernels.glossary import Direction, DrawingKind
from linkpress.engine.kernels.grid import larger_cell, neighbour, side_edge, side_in_turn
from linkpress.engine.kernels.prover.search import Search, add_clauses
from linkpress.engine.kernels.pure_python import Bytes, Ints, State, items, make_fields, unset_items

# Valleys up to this width are excluded; 12 was no better at 15 × 15.
_WIDEST: int = 5
# Words that one square's clauses may take.
_WORDS: int = 160


class Question(State):
    """A question is a board as the search is asked about it, with room to write its clauses.

    ``reset_question`` asks about another board with it, of as many cells or fewer.
    """

    rows: int  # of the board
    cols: int  # of the board
    cells: int  # of the board
    kind: int  # which drawings count: FILLING, LOWEST or UNTOUCHING
    dead_corners: bool  # whether corners that nothing can prop are ruled out at once
    joins: bool  # whether squares of one path that are neighbours are joined at once, where that is sound
    need: Bytes = items("cells")  # by cell: how many edges it takes, 1 or 2; -1 for a solid
    label: Ints = items("cells")  # by cell: the number that stands there, from 0; -1 for none
    out: Ints = unset_items("_WORDS * cells")  # the clauses being written

    def __init__(self, rows: int, cols: int) -> None:
        cells = rows * cols
        make_fields(self, locals())
        reset_question(self, rows, cols, DrawingKind.FILLING)


def reset_question(q: Question, rows: int, cols: int, kind: int) -> None:
    """Ask about a board; ``need`` and ``label`` remain to be written, of every cell."""
    q.rows, q.cols, q.cells, q.kind = rows, cols, rows * cols, kind
    q.dead_corners = q.joins = False


def pose_question(s: Search, q: Question) -> None:
    """Give a search its clauses.

    That a path does not touch itself is said of lowest drawings of which each number has two ends: where a
    window has more, two parts of one path may touch. Empty squares have labels, too: of eight or more each
    can have another one than its four neighbours.
    """
    label, out = q.label, q.out
    used, ends, labels = 0, 0, 0
    for cell in range(q.cells):
        used = _state_absent(q, cell, used)
        if label[cell] >= 0:
            ends += 1
            labels = max(labels, label[cell] + 1)
            first = s.edges + (cell << s.shift)
            for bit in range(s.bits):
                out[used], out[used + 1] = (1, 2 * (first + bit) + 1 - (label[cell] >> bit & 1))
                used += 2
    s.joins = q.joins and s.bits > 2 and ends == 2 * labels
    add_clauses(s, out, used)
    used = 0
    for cell in range(q.cells):
        if q.need[cell] > 0:
            used = _require_exits(s, q, q.kind == DrawingKind.LOWEST and label[cell] < 0, cell, used)
        if cell % q.cols < q.cols - 1 and cell < q.cells - q.cols:
            used = _forbid_turns(q, cell, used)
        if q.kind != DrawingKind.FILLING and q.need[cell] == 2:
            used = _prop_corners(q, cell, 1, used)
            if q.kind == DrawingKind.LOWEST:
                used = _fill_valleys(q, cell, used)
            else:
                used = _prop_corners(q, cell, -1, used)
    add_clauses(s, out, used)


def _state_absent(q: Question, cell: int, used: int) -> int:
    """Rule out edges that leave the board, enter a solid or join two numbers."""
    for side in range(2):
        if _is_absent(q, cell, side):
            q.out[used], q.out[used + 1] = 1, 2 * (2 * cell + side) + 1
            used += 2
    return used


def _is_absent(q: Question, cell: int, side: int) -> bool:
    there = neighbour(q.rows, q.cols, cell, Direction.RIGHT + side)
    if there < 0 or q.need[cell] < 0 or q.need[there] < 0:
        return True
    return q.label[cell] >= 0 and q.label[there] >= 0 and q.label[cell] != q.label[there]


def toward(cols: int, cell: int, side: int) -> int:
    """Return the literal that the edge on one side of a cell is used."""
    return 2 * side_edge(cols, cell, side)


def _put(out: Ints, used: int, one: int, two: int, three: int) -> int:
    """Write a clause of three literals, or of two when the third is -1."""
    out[used + 1], out[used + 2], out[used + 3] = one, two, three
    out[used] = 2 if three < 0 else 3
    return used + 1 + out[used]


def _list_exits(s: Search, cell: int) -> int:
    """Write into ``s.scratch`` the literals of a cell's edges that may be used, and count them."""
    size = 0
    for turn in range(4):
        lit = toward(s.cols, cell, side_in_turn(turn))
        if lit >= 0 and s.value[lit] >= 0:
            s.scratch[size] = lit
            size += 1
    return size


def _require_exits(s: Search, q: Question, may_be_empty: bool, cell: int, used: int) -> int:
    """Demand that ``need`` of the edges at a cell are used; or none, where it may be empty."""
    out, exits = q.out, s.scratch
    size = _list_exits(s, cell)
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
    out[used] = size
    for first in range(size):
        out[used + 1 + first] = exits[first]
    used += 1 + size
    for first in range(size):
        for second in range(first):
            used = _put(out, used, exits[first] ^ 1, exits[second] ^ 1, -1)
    return used


def _forbid_turns(q: Question, cell: int, used: int) -> int:
    """Forbid four edges of a 2 × 2 square, and three where paths don't run alongside themselves."""
    out = q.out
    a, b, c, d = 4 * cell + 1, 4 * (cell + q.cols) + 1, 4 * cell + 3, 4 * cell + 7
    if q.kind == DrawingKind.FILLING:
        out[used], out[used + 1], out[used + 2], out[used + 3], out[used + 4] = (4, a, b, c, d)
        return used + 5
    used = _put(out, used, a, b, c)
    used = _put(out, used, a, b, d)
    used = _put(out, used, a, c, d)
    return _put(out, used, b, c, d)


def _prop_corners(q: Question, cell: int, down: int, used: int) -> int:
    """Prop a corner to below (1) or above (-1) by the same corner, an end or a solid in its crook."""
    cols, out = q.cols, q.out
    row, col = cell // cols, cell % cols
    for turn in range(2):
        step = 1 - 2 * turn
        if not 0 <= row + down < q.rows or not 0 <= col + step < cols:
            continue
        crook = cell + down * cols + step
        if q.need[crook] != 2 or q.label[crook] >= 0:
            continue
        across: int = Direction.RIGHT if step > 0 else Direction.LEFT
        upright: int = Direction.DOWN if down > 0 else Direction.UP
        a, b = toward(cols, cell, across) ^ 1, toward(cols, cell, upright) ^ 1
        if q.dead_corners and is_unpropped(q, row + down, col + step, down, step):
            used = _put(out, used, a, b, -1)
            continue
        on = neighbour(q.rows, cols, crook, across)
        used = _put(out, used, a, b, toward(cols, crook, across) if on >= 0 else -1)
        on = neighbour(q.rows, cols, crook, upright)
        used = _put(out, used, a, b, toward(cols, crook, upright) if on >= 0 else -1)
    return used


def is_unpropped(q: Question, row: int, col: int, down: int, step: int) -> bool:
    """Tell whether the diagonal on from a crook meets no end and no solid: nothing props a corner there."""
    while 0 <= row < q.rows and 0 <= col < q.cols:
        if q.need[row * q.cols + col] != 2 or q.label[row * q.cols + col] >= 0:
            return False
        row, col = row + down, col + step
    return True


def _fill_valleys(q: Question, cell: int, used: int) -> int:
    """Demand that of the squares between, where a path runs down, right and up again, not all are empty."""
    cols, out = q.cols, q.out
    if cell < cols:
        return used
    for width in range(2, min(_WIDEST, cols - 1 - cell % cols) + 1):
        end = cell + width
        inner = end - 1 - cols
        if q.need[inner] != 2 or q.label[inner] >= 0:
            return used
        begin = used
        out[used + 1], out[used + 2] = (
            toward(cols, cell, Direction.UP) ^ 1,
            toward(cols, end, Direction.UP) ^ 1,
        )
        used += 3
        for step in range(width):
            out[used] = toward(cols, cell + step, Direction.RIGHT) ^ 1
            used += 1
        for floor in range(cell - cols + 1, end - cols):
            if floor >= cols:
                out[used] = toward(cols, floor, Direction.UP)
                used += 1
            if floor < inner:
                out[used] = toward(cols, floor, Direction.RIGHT)
                used += 1
        out[begin] = used - begin - 1
    return used


def join_neighbours(s: Search, q: Question, cell: int, side: int, label: int) -> None:
    """Demand that two squares are joined if both have this label; called at level 0.

    The second is right of the first (side 0) or below it (1).
    """
    clause, there = s.clause, larger_cell(q.cols, 2 * cell + side)
    clause[1], size = 2 * (2 * cell + side), 1
    for bit in range(s.bits):
        differs = label >> bit & 1
        clause[size + 1] = 2 * (s.edges + (cell << s.shift) + bit) + differs
        clause[size + 2] = 2 * (s.edges + (there << s.shift) + bit) + differs
        size += 2
    clause[0] = size
    add_clauses(s, clause, size + 1)


def exclude_drawing(s: Search, drawing: Bytes) -> None:
    """Forbid a drawing's edges together, since no drawing's edges hold all of another's; called at level 0.

    The drawing is, by cell, the ``DirectionBit`` sum of its edges.
    """
    clause, size = s.clause, 0
    for cell in range(s.cells):
        for side in range(Direction.RIGHT, Direction.DOWN + 1):
            if drawing[cell] >> side & 1:
                size += 1
                clause[size] = toward(s.cols, cell, side) ^ 1
    clause[0] = size
    add_clauses(s, clause, size + 1)
