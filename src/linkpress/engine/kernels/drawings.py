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
from linkpress.engine.kernels.learning import Search, go_back
from linkpress.engine.kernels.models import FOUND, find_model
from linkpress.engine.kernels.question import (
    DOWN,
    FILLING,
    LEFT,
    RIGHT,
    UP,
    exclude_drawing,
    pose_question,
)

Ints = NDArray[np.int32]
Bytes = NDArray[np.int8]
Masks = NDArray[np.uint8]

_LOOP = 16


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
    s = pose_question(rows, cols, need, label, labels, kind, budget)
    cells = rows * cols
    loop = np.zeros(cells, np.uint8)
    reached = np.zeros(cells, np.int8)
    spent = 0
    if known == 1:
        exclude_drawing(s, cols, drawings[0], 0)
    while known < 2:
        outcome, more = find_model(s, budget - spent)
        spent += more
        if outcome != FOUND:
            return known, outcome, spent
        reached[:] = 0
        for cell in range(cells):
            if label[cell] >= 0 and reached[cell] == 0:
                _follow(s, cols, cell, 1, reached)
        if kind == FILLING and _exclude_loop(s, cols, need, reached, loop):
            spent += 1
            continue
        for cell in range(cells):
            drawings[known, cell] = _mask(s, cols, cell) if reached[cell] else 0
        go_back(s, 0)
        exclude_drawing(s, cols, drawings[known], 0)
        known += 1
    return known, FOUND, spent


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
def _exclude_loop(s: Search, cols: int, need: Bytes, reached: Bytes, loop: Masks) -> bool:
    """Forbid a closed loop of the model found; False when it has none."""
    for start in range(need.size):
        if need[start] > 0 and reached[start] == 0:
            _follow(s, cols, start, 2, reached)
            for cell in range(need.size):
                loop[cell] = _mask(s, cols, cell) | _LOOP if reached[cell] == 2 else 0
            go_back(s, 0)
            exclude_drawing(s, cols, loop, _LOOP)
            return True
    return False
