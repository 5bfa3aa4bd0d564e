"""Up to two drawings of a board, or of a window of one, compiled.

A board is two arrays by cell, row-major: ``need`` int8, how many edges a square takes (1: an end;
2: any other; -1: solid or left out), and ``label`` int32, the number that stands there (0…k-1) or
-1. A drawing is an array ``uint8`` by cell, the sum of UP, LEFT, RIGHT, DOWN for its used edges.

Three kinds are asked for. FILLING: every square is covered. ANY: squares without a label may stay
empty. LOWEST: the same, but only drawings that are *lowest*, of which there is one whenever there
is a drawing with an empty square; ``proof`` says why that settles the strict rule. Among all
drawings of a board take one that covers fewest squares and, among these, one whose squares lie
lowest (largest sum of 3 · row + col). Then

- no three edges of a 2 × 2 square are used: the path could be cut short;
- no valley has an empty floor: where a path comes down, runs right and goes up again, the squares
  between its two walls on the row above are not all empty, or it could be cut short along them;
- corners are propped: where a path turns from right to down, or from left to down, the square in
  the crook is an end, a solid or a corner of the same turn. It can't be empty, or the corner could
  be moved into it, which lies lower; and on another path it can't use the two edges to the corner's
  neighbours (three edges of a square), so it uses the other two. Such corners therefore stand in
  diagonal rows, each ending at an end or a solid: thin boards have few of them.

A drawing without empty squares that nowhere runs alongside itself has all three properties.
Props cut the conflicts on thin boards of 13 × 13 from 42,000 to 1,150 on average, valleys another
30 % at 15 × 15.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkpress.engine.kernels.compile import kernel
from linkpress.engine.kernels.learning import (
    BITS,
    EDGES,
    REFUTED,
    SHIFT,
    Search,
    add_clause,
    go_back,
    new_search,
    state,
)
from linkpress.engine.kernels.models import FOUND, find_model

Ints = NDArray[np.int32]
Bytes = NDArray[np.int8]
Masks = NDArray[np.uint8]

UP, LEFT, RIGHT, DOWN = 1, 2, 4, 8
FILLING, LOWEST, ANY = 0, 1, 2

# Valleys up to this width are excluded.
_WIDEST = 5


@kernel("UniTuple(int64, 3)(int64, int64, int8[::1], int32[::1], int64, int64, int64, uint8[:, ::1], int64)")
def find_two(
    rows: int,
    cols: int,
    need: Bytes,
    label: Ints,
    labels: int,
    kind: int,
    budget: int,
    drawings: Masks,
    known: int,
) -> tuple[int, int, int]:
    """Look for drawings until there are two, or there are no more.

    Args:
        rows: of the board.
        cols: of the board.
        need: by cell, as the module says.
        label: by cell, as the module says.
        labels: how many numbers there are.
        kind: FILLING, LOWEST or ANY.
        budget: conflicts allowed; a loop that had to be excluded counts as one.
        drawings: ``uint8[2, cells]``, in and out.
        known: how many of them are given and not to be found again, 0 or 1.
    Returns:
        How many drawings there are now; EXHAUSTED (there are no more), FOUND (two) or GAVE_UP;
        conflicts spent.
    """
    s = _question(rows, cols, need, label, labels, kind)
    cells = rows * cols
    clause = np.empty(2 * cells, np.int32)
    reached = np.zeros(cells, np.int8)
    spent = 0
    if known == 1:
        _exclude_drawing(s, cols, drawings[0], clause)
    while known < 2:
        outcome, more = find_model(s, budget - spent)
        spent += more
        if outcome != FOUND:
            return known, outcome, spent
        reached[:] = 0
        for cell in range(cells):
            if label[cell] >= 0 and reached[cell] == 0:
                _follow(s, cols, cell, 1, reached)
        if kind == FILLING and _exclude_loops(s, cols, need, reached, clause):
            spent += 1
            continue
        for cell in range(cells):
            drawings[known, cell] = _mask(s, cols, cell) if reached[cell] else 0
        go_back(s, 0)
        _exclude_drawing(s, cols, drawings[known], clause)
        known += 1
    return known, FOUND, spent


@kernel()
def _question(rows: int, cols: int, need: Bytes, label: Ints, labels: int, kind: int) -> Search:
    cells = rows * cols
    s = new_search(cells, cols, labels, 160 * cells + 400_000)
    for cell in range(cells):
        _state_absent(s, rows, cols, need, label, cell)
    lits = np.empty(4 * _WIDEST + 8, np.int32)
    for cell in range(cells):
        if need[cell] > 0:
            _require_exits(s, cols, need[cell], kind != FILLING and label[cell] < 0, cell, lits)
        if cell % cols < cols - 1 and cell < cells - cols:
            _forbid_turns(s, cols, cell, kind, lits)
    if kind == LOWEST:
        for cell in range(cells):
            _prop_corners(s, rows, cols, need, label, cell, lits)
            _fill_valleys(s, cols, need, label, cell, lits)
    return s


@kernel()
def _state_absent(s: Search, rows: int, cols: int, need: Bytes, label: Ints, cell: int) -> None:
    """Edges that leave the board or enter a solid, edges between two numbers, and the labels."""
    for side in range(2):
        inside = cell % cols < cols - 1 if side == 0 else cell < (rows - 1) * cols
        there = cell + (cols if side else 1)
        if (
            not inside
            or need[cell] < 0
            or need[there] < 0
            or (label[cell] >= 0 and label[there] >= 0 and label[cell] != label[there])
        ):
            state(s, 2 * (2 * cell + side) + 1)
    if label[cell] >= 0:
        for bit in range(s.counts[BITS]):
            var = s.counts[EDGES] + (cell << s.counts[SHIFT]) + bit
            state(s, 2 * var + 1 - (label[cell] >> bit & 1))


@kernel()
def _toward(cols: int, cell: int, row_step: int, col_step: int) -> int:
    """The literal for the edge from a cell to a neighbour."""
    if row_step == 0:
        return int(4 * (cell if col_step > 0 else cell - 1))
    return int(4 * (cell if row_step > 0 else cell - cols) + 2)


@kernel()
def _exits(s: Search, cols: int, cell: int, lits: Ints) -> int:
    """The literals of the edges at a cell that may be used; how many."""
    size = 0
    for side in range(4):
        row_step = (side == 0) - (side == 3)
        col_step = (side == 1) - (side == 2)
        if (col_step < 0 and cell == 0) or (row_step < 0 and cell < cols):
            continue
        lit = _toward(cols, cell, row_step, col_step)
        if s.value[lit] >= 0:
            lits[size] = lit
            size += 1
    return size


@kernel()
def _require_exits(s: Search, cols: int, need: int, may_be_empty: bool, cell: int, room: Ints) -> None:
    """``need`` of the edges at a cell are used; or none, where it may be empty."""
    lits, part = room[:4], room[4:8]
    size = _exits(s, cols, cell, lits)
    if need == 1:
        add_clause(s, lits, size)
        for one in range(size):
            for two in range(one):
                part[0], part[1] = lits[one] ^ 1, lits[two] ^ 1
                add_clause(s, part, 2)
        return
    for one in range(size):
        for two in range(one):
            for three in range(two):
                part[0], part[1], part[2] = lits[one] ^ 1, lits[two] ^ 1, lits[three] ^ 1
                add_clause(s, part, 3)
    if size == 0 and not may_be_empty:
        s.counts[REFUTED] = 1
    for one in range(size):
        kept = 0
        for two in range(size):
            if two != one:
                part[kept] = lits[two]
                kept += 1
        if may_be_empty:
            part[kept] = lits[one] ^ 1
            kept += 1
        add_clause(s, part, kept)


@kernel()
def _forbid_turns(s: Search, cols: int, cell: int, kind: int, room: Ints) -> None:
    """Of a 2 × 2 square's edges never four; never three where drawings are to be lowest."""
    lits, part = room[:4], room[4:8]
    below = cell + cols
    lits[0], lits[1], lits[2], lits[3] = 4 * cell + 1, 4 * below + 1, 4 * cell + 3, 4 * cell + 7
    if kind != LOWEST:
        add_clause(s, lits, 4)
        return
    for left_out in range(4):
        kept = 0
        for at in range(4):
            if at != left_out:
                part[kept] = lits[at]
                kept += 1
        add_clause(s, part, 3)


@kernel()
def _prop_corners(s: Search, rows: int, cols: int, need: Bytes, label: Ints, cell: int, room: Ints) -> None:
    """A corner to below is propped by the same corner, an end or a solid in its crook."""
    row, col = cell // cols, cell % cols
    for turn in range(2):
        col_step = 1 - 2 * turn
        if row == rows - 1 or not 0 <= col + col_step < cols:
            continue
        crook = cell + cols + col_step
        if need[crook] != 2 or label[crook] >= 0:
            continue
        room[0] = _toward(cols, cell, 0, col_step) ^ 1
        room[1] = _toward(cols, cell, 1, 0) ^ 1
        size = 2
        if 0 <= col + 2 * col_step < cols:
            room[2] = _toward(cols, crook, 0, col_step)
            size = 3
        add_clause(s, room, size)
        size = 2
        if row < rows - 2:
            room[2] = _toward(cols, crook, 1, 0)
            size = 3
        add_clause(s, room, size)


@kernel()
def _fill_valleys(s: Search, cols: int, need: Bytes, label: Ints, cell: int, room: Ints) -> None:
    """Down, right ``width`` squares and up again: the squares between are not all empty."""
    if cell < cols:
        return
    for width in range(2, _WIDEST + 1):
        end = cell + width
        if cell % cols + width >= cols:
            return
        inner = end - 1 - cols
        if need[inner] != 2 or label[inner] >= 0:
            return
        size = 2
        room[0], room[1] = _toward(cols, cell, -1, 0) ^ 1, _toward(cols, end, -1, 0) ^ 1
        for step in range(width):
            room[size] = _toward(cols, cell + step, 0, 1) ^ 1
            size += 1
        for floor in range(cell - cols + 1, end - cols):
            if floor >= cols:
                room[size] = _toward(cols, floor, -1, 0)
                size += 1
            if floor < inner:
                room[size] = _toward(cols, floor, 0, 1)
                size += 1
        add_clause(s, room, size)


@kernel()
def _exclude_drawing(s: Search, cols: int, drawing: Masks, clause: Ints) -> None:
    """No drawing's edges hold another's, so forbidding them together is enough."""
    size = 0
    for cell in range(drawing.size):
        if drawing[cell] & RIGHT:
            clause[size] = _toward(cols, cell, 0, 1) ^ 1
            size += 1
        if drawing[cell] & DOWN:
            clause[size] = _toward(cols, cell, 1, 0) ^ 1
            size += 1
    add_clause(s, clause, size)


@kernel()
def _mask(s: Search, cols: int, cell: int) -> int:
    mask = 0
    if cell >= cols and s.value[4 * (cell - cols) + 2] > 0:
        mask |= UP
    if cell > 0 and s.value[4 * (cell - 1)] > 0:
        mask |= LEFT
    if s.value[4 * cell] > 0:
        mask |= RIGHT
    if s.value[4 * cell + 2] > 0:
        mask |= DOWN
    return mask


@kernel()
def _follow(s: Search, cols: int, start: int, mark: int, reached: Bytes) -> None:
    """Mark the squares of the path or loop through a square."""
    cell = start
    while cell >= 0:
        reached[cell] = mark
        mask = _mask(s, cols, cell)
        if mask & RIGHT and reached[cell + 1] == 0:
            cell += 1
        elif mask & DOWN and reached[cell + cols] == 0:
            cell += cols
        elif mask & LEFT and reached[cell - 1] == 0:
            cell -= 1
        elif mask & UP and reached[cell - cols] == 0:
            cell -= cols
        else:
            cell = -1


@kernel()
def _exclude_loops(s: Search, cols: int, need: Bytes, reached: Bytes, clause: Ints) -> bool:
    """Forbid the closed loops of the model found; False when it has none."""
    loops = 0
    for start in range(need.size):
        if need[start] > 0 and reached[start] == 0:
            loops += 1
            _follow(s, cols, start, 2 if loops == 1 else 3, reached)
    if loops == 0:
        return False
    size = 0
    for cell in range(need.size):
        if reached[cell] == 2:
            if s.value[4 * cell] > 0:
                clause[size] = 4 * cell + 1
                size += 1
            if s.value[4 * cell + 2] > 0:
                clause[size] = 4 * cell + 3
                size += 1
    go_back(s, 0)
    add_clause(s, clause, size)
    return True
