"""One attempt at a cover to order, compiled: lay, walk, repair, write out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkpress.engine.kernels.board import (
    PATHS,
    Bytes,
    DiceState,
    Ints,
    draw_cover,
    lay_singles,
    new_board,
)
from linkpress.engine.kernels.compile import kernel
from linkpress.engine.kernels.repair import WORK, repair
from linkpress.engine.kernels.walk import stir

SHAPELESS = 3

# Work that one move of the walk takes, in thousandths.
MOVE_WORK = 250


@kernel(
    "UniTuple(int64, 2)(int64, int64, int64, int64, int32[::1], int8[::1], int32[::1], boolean, uint64[::1], "
    "int32[:, ::1], int64, int64[::1], int32[::1], int32[::1])"
)
def shape_cover(
    rows: int,
    cols: int,
    wanted: int,
    border_most: int,
    cost: Ints,
    solid: Bytes,
    image: Ints,
    strict: bool,
    dice: DiceState,
    stages: NDArray[np.int32],
    limit: int,
    work: NDArray[np.int64],
    cells: Ints,
    lengths: Ints,
) -> tuple[int, int]:
    """Make one cover.

    Args:
        rows: of the board.
        cols: of the board.
        wanted: how many paths.
        border_most: how many pairs may have both ends on the border.
        cost: by path length from 0 to rows × cols: what the walk pays for it.
        solid: by cell, 1 where a solid lies first; it may move.
        image: by cell, where the pattern has its counterpart.
        strict: the rule of the proof.
        dice: advanced.
        stages: of the repair, a row each: side of the windows, step, conflicts, rounds.
        limit: the work at which to stop.
        work: counted work, windows asked, conflicts; increased.
        cells: out: the paths' squares, one path after the other, each from end to end.
        lengths: out: the paths' lengths.
    Returns:
        DONE, STUCK or UNDECIDED as of the repair, or SHAPELESS when the walk did not meet the
        counts; and how many paths there are.
    """
    board = new_board(rows, cols, cost, wanted, border_most)
    lay_singles(board, solid)
    solids = np.flatnonzero(solid).astype(np.int32)
    most = max(1, limit * 1000 // MOVE_WORK)
    moves = stir(board, dice, solids, image, most)
    work[WORK] += moves * MOVE_WORK // 1000
    if moves == most:
        return SHAPELESS, int(board.numbers[PATHS])
    ended = repair(rows, cols, board, strict, dice, stages, work, limit)
    return ended, draw_cover(board, cells, lengths)
