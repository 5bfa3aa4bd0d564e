"""The clauses that say what a drawing of a board is, compiled. ``drawings`` explains them.

Each function here writes clauses behind ``used`` words of ``out``, each its size and then its
literals, and returns how many words are used then.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkpress.engine.kernels.compile import kernel
from linkpress.engine.kernels.learning import BITS, EDGES, SHIFT, Search, add_clauses, new_search

Ints = NDArray[np.int32]
Bytes = NDArray[np.int8]
Masks = NDArray[np.uint8]

UP, LEFT, RIGHT, DOWN = 1, 2, 4, 8
FILLING, LOWEST, ANY = 0, 1, 2

# Valleys up to this width are excluded; 12 was no better at 15 × 15.
_WIDEST = 5
# Words that one square's clauses may take.
_WORDS = 160


@kernel()
def pose_question(
    rows: int, cols: int, need: Bytes, label: Ints, labels: int, kind: int, budget: int
) -> Search:
    """A search for drawings of a board; the arguments are those of ``drawings.find_two``."""
    cells = rows * cols
    s = new_search(cells, cols, labels, 200 * cells + min(64 * budget, 400_000) + 2000)
    out = np.empty(_WORDS * cells, np.int32)
    used = 0
    for cell in range(cells):
        used = _state_absent(rows, cols, need, label, cell, out, used)
        if label[cell] >= 0:
            first = s.counts[EDGES] + (cell << s.counts[SHIFT])
            for bit in range(s.counts[BITS]):
                out[used], out[used + 1] = 1, 2 * (first + bit) + 1 - (label[cell] >> bit & 1)
                used += 2
    add_clauses(s, out, used)
    value = s.value
    used = 0
    for cell in range(cells):
        if need[cell] > 0:
            used = _require_exits(
                value, cols, need[cell], kind != FILLING and label[cell] < 0, cell, out, used
            )
        if cell % cols < cols - 1 and cell < cells - cols:
            used = _forbid_turns(cols, cell, kind, out, used)
        if kind == LOWEST and need[cell] == 2:
            used = _prop_corners(rows, cols, need, label, cell, out, used)
            used = _fill_valleys(cols, need, label, cell, out, used)
    add_clauses(s, out, used)
    return s


@kernel()
def _state_absent(rows: int, cols: int, need: Bytes, label: Ints, cell: int, out: Ints, used: int) -> int:
    """Edges that leave the board, enter a solid or join two numbers."""
    for side in range(2):
        there = cell + (cols if side else 1)
        absent = cell % cols == cols - 1 if side == 0 else cell >= (rows - 1) * cols
        if not absent:
            absent = need[cell] < 0 or need[there] < 0
            absent |= label[cell] >= 0 and label[there] >= 0 and label[cell] != label[there]
        if absent:
            out[used], out[used + 1] = 1, 2 * (2 * cell + side) + 1
            used += 2
    return used


@kernel()
def toward(cols: int, cell: int, row_step: int, col_step: int) -> int:
    """The literal that the edge from a cell to a neighbour is used."""
    if row_step == 0:
        return int(4 * (cell if col_step > 0 else cell - 1))
    return int(4 * (cell if row_step > 0 else cell - cols) + 2)


@kernel()
def _put(out: Ints, used: int, one: int, two: int, three: int) -> int:
    """A clause of three literals, or of two when the third is -1."""
    out[used + 1], out[used + 2], out[used + 3] = one, two, three
    out[used] = 2 if three < 0 else 3
    return int(used + 1 + out[used])


@kernel()
def _require_exits(
    value: Bytes, cols: int, need: int, may_be_empty: bool, cell: int, out: Ints, used: int
) -> int:
    """``need`` of the edges at a cell are used; or none, where it may be empty."""
    lits = (4 * cell, 4 * cell + 2, max(4 * (cell - 1), 0), max(4 * (cell - cols) + 2, 0))
    size = 0
    here = out[used : used + 4]
    for side in range(4):
        outside = (side == 2 and cell == 0) or (side == 3 and cell < cols)
        if not outside and value[lits[side]] >= 0:
            here[size] = lits[side]
            size += 1
    a, b, c, d = here[0], here[1], here[2], here[3]
    if need == 1:
        return _require_one(a, b, c, d, size, out, used)
    if size > 2:
        used = _put(out, used, a ^ 1, b ^ 1, c ^ 1)
    if size > 3:
        used = _put(out, used, a ^ 1, b ^ 1, d ^ 1)
        used = _put(out, used, a ^ 1, c ^ 1, d ^ 1)
        used = _put(out, used, b ^ 1, c ^ 1, d ^ 1)
    exits = (a, b, c, d)
    for one in range(max(size, 1)):
        begin = used
        used += 1
        for two in range(size):
            if two != one or may_be_empty:
                out[used] = exits[two] ^ (two == one)
                used += 1
        out[begin] = used - begin - 1
        if size == 0 and may_be_empty:
            used = begin
    return used


@kernel()
def _require_one(a: int, b: int, c: int, d: int, size: int, out: Ints, used: int) -> int:
    exits = (a, b, c, d)
    out[used] = size
    for one in range(size):
        out[used + 1 + one] = exits[one]
    used += 1 + size
    for one in range(size):
        for two in range(one):
            used = _put(out, used, exits[one] ^ 1, exits[two] ^ 1, -1)
    return used


@kernel()
def _forbid_turns(cols: int, cell: int, kind: int, out: Ints, used: int) -> int:
    """Of a 2 × 2 square's edges never four; never three where drawings are to be lowest."""
    a, b, c, d = 4 * cell + 1, 4 * (cell + cols) + 1, 4 * cell + 3, 4 * cell + 7
    if kind != LOWEST:
        out[used], out[used + 1], out[used + 2], out[used + 3], out[used + 4] = 4, a, b, c, d
        return used + 5
    used = _put(out, used, a, b, c)
    used = _put(out, used, a, b, d)
    used = _put(out, used, a, c, d)
    return _put(out, used, b, c, d)


@kernel()
def _prop_corners(rows: int, cols: int, need: Bytes, label: Ints, cell: int, out: Ints, used: int) -> int:
    """A corner to below is propped by the same corner, an end or a solid in its crook."""
    row, col = cell // cols, cell % cols
    for turn in range(2):
        step = 1 - 2 * turn
        if row == rows - 1 or not 0 <= col + step < cols:
            continue
        crook = cell + cols + step
        if need[crook] != 2 or label[crook] >= 0:
            continue
        a, b = toward(cols, cell, 0, step) ^ 1, toward(cols, cell, 1, 0) ^ 1
        used = _put(out, used, a, b, toward(cols, crook, 0, step) if 0 <= col + 2 * step < cols else -1)
        used = _put(out, used, a, b, toward(cols, crook, 1, 0) if row < rows - 2 else -1)
    return used


@kernel()
def _fill_valleys(cols: int, need: Bytes, label: Ints, cell: int, out: Ints, used: int) -> int:
    """Down, right ``width`` squares and up again: the squares between are not all empty."""
    if cell < cols:
        return used
    for width in range(2, min(_WIDEST, cols - 1 - cell % cols) + 1):
        end = cell + width
        inner = end - 1 - cols
        if need[inner] != 2 or label[inner] >= 0:
            return used
        begin = used
        out[used + 1], out[used + 2] = toward(cols, cell, -1, 0) ^ 1, toward(cols, end, -1, 0) ^ 1
        used += 3
        for step in range(width):
            out[used] = toward(cols, cell + step, 0, 1) ^ 1
            used += 1
        for floor in range(cell - cols + 1, end - cols):
            if floor >= cols:
                out[used] = toward(cols, floor, -1, 0)
                used += 1
            if floor < inner:
                out[used] = toward(cols, floor, 0, 1)
                used += 1
        out[begin] = used - begin - 1
    return used


@kernel()
def exclude_drawing(s: Search, cols: int, drawing: Masks, mark: int) -> None:
    """Forbid a drawing's edges together: no drawing's edges hold all of another's.

    Args:
        s: the search, at level 0.
        cols: of the board.
        drawing: by cell, the sum of UP, LEFT, RIGHT, DOWN for its edges.
        mark: added to each cell's sum where its edges are meant; 0 for all cells.
    """
    clause = np.empty(2 * drawing.size + 1, np.int32)
    size = 0
    for cell in range(drawing.size):
        if drawing[cell] & mark != mark:
            continue
        if drawing[cell] & RIGHT:
            size += 1
            clause[size] = toward(cols, cell, 0, 1) ^ 1
        if drawing[cell] & DOWN:
            size += 1
            clause[size] = toward(cols, cell, 1, 0) ^ 1
    clause[0] = size
    add_clauses(s, clause, size + 1)
