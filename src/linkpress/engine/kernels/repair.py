"""Repairs a cover until its board has one drawing, compiled: small windows first.

A window is loose when it has a second drawing with everything outside it kept. Windows of the
first stage's size are laid over the board; the squares where a loose window's second drawing
differs are stirred, the recipe's counts restored, and the windows around asked again. A change
is kept when no more windows are loose than before and none of the earlier stages'. When a stage
has no loose window the next, larger one begins; the last is the whole board.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkpress.engine.kernels.clauses import GAVE_UP, SATISFIED
from linkpress.engine.kernels.compile import kernel
from linkpress.engine.kernels.dice import next_u64
from linkpress.engine.kernels.second import find_second
from linkpress.engine.kernels.walk import (
    CHANGED,
    ENERGY,
    Board,
    forget_changes,
    try_split,
    try_take,
)

Ints = NDArray[np.int32]
Bytes = NDArray[np.int8]
DiceState = NDArray[np.uint64]

DONE, STUCK, UNDECIDED = 0, 1, 2

SIDE, STEP, BUDGET, ROUNDS = range(4)


@kernel()
def _along(size: int, side: int, step: int) -> int:
    """How many windows of a side stand in a row of a board."""
    return 1 if side >= size else (size - side + step - 1) // step + 1


@kernel()
def _window(rows: int, cols: int, stage: Ints, index: int) -> tuple[int, int, int, int]:
    across = _along(cols, stage[SIDE], stage[STEP])
    height, width = min(rows, stage[SIDE]), min(cols, stage[SIDE])
    top = min(index // across * stage[STEP], rows - height)
    left = min(index % across * stage[STEP], cols - width)
    return top, left, height, width


@kernel()
def _ask(
    rows: int,
    cols: int,
    stage: Ints,
    index: int,
    board: Board,
    strict: bool,
    differs: Bytes,
    work: NDArray[np.int64],
) -> int:
    window = _window(rows, cols, stage, index)
    verdict, spent = find_second(
        rows, cols, window, board.path_of, board.links, strict, stage[BUDGET], differs
    )
    work[0] += window[2] * window[3] // 3 + 8 * spent
    work[1] += 1
    work[2] += spent
    return verdict


@kernel()
def _touched(rows: int, cols: int, stage: Ints, board: Board, flags: Bytes) -> None:
    """Flag the windows that have a changed cell."""
    down, across = _along(rows, stage[SIDE], stage[STEP]), _along(cols, stage[SIDE], stage[STEP])
    flags[: down * across] = 0
    for at in range(board.numbers[CHANGED]):
        row, col = board.changed[at] // cols, board.changed[at] % cols
        for index in range(down * across):
            if flags[index]:
                continue
            top, left, height, width = _window(rows, cols, stage, index)
            if top <= row < top + height and left <= col < left + width:
                flags[index] = 1


@kernel()
def _stir_at(board: Board, dice: DiceState, focus: Ints, size: int, kept: int, most: int) -> bool:
    """Make so many moves at some cells and restore the recipe's counts; False if that failed."""
    numbers, path_of, links, beside = board.numbers, board.path_of, board.links, board.beside
    done = 0
    for _ in range(most):
        roll = np.int64(next_u64(dice) >> np.uint64(1))
        cell = focus[(roll & 0xFFFFFFF) % size]
        toward = roll >> 28 & 3
        chance = roll >> 30
        if path_of[cell] < 0:
            continue
        other = beside[4 * cell + toward]
        if other < 0 or path_of[other] < 0:
            continue
        if links[cell] >> toward & 1:
            if roll & 7 == 0:
                done += try_split(board, cell, toward, chance)
        else:
            one, way = (cell, toward) if roll & 1 << 27 else (other, 3 - toward)
            if links[one] & (links[one] - 1) == 0:
                path = path_of[one]
                side = 0 if board.ends[2 * path] == one else 1
                done += try_take(board, path, side, way, chance)
        if done >= kept and numbers[ENERGY] == 0:
            return True
    return False


@kernel()
def repair(
    rows: int,
    cols: int,
    board: Board,
    strict: bool,
    dice: DiceState,
    stages: Ints,
    work: NDArray[np.int64],
    limit: int,
) -> int:
    """Change a cover that meets its recipe until the board has one drawing.

    Args:
        rows, cols: the board.
        board: the cover, changed in place.
        strict: the rule.
        dice: advanced.
        stages: a row each, side of the windows, step, conflicts a question may take, rounds.
        work: counted work, windows asked, conflicts; increased.
        limit: the work at which to stop.
    Returns:
        DONE, STUCK (start afresh), or UNDECIDED when the whole board's question was given up.
    """
    size = rows * cols
    differs = np.zeros(size, np.int8)
    focus = np.empty(size, np.int32)
    flags = np.zeros(size, np.int8)
    loose = np.zeros(size, np.int8)
    fresh = np.zeros(size, np.int8)
    path_of, links = np.empty(size, np.int32), np.empty(size, np.int8)
    ends, length = np.empty(2 * size + 2, np.int32), np.empty(size + 1, np.int32)
    numbers = np.empty(8, np.int32)
    for at in range(stages.shape[0]):
        stage = stages[at]
        windows = _along(rows, stage[SIDE], stage[STEP]) * _along(cols, stage[SIDE], stage[STEP])
        whole = windows == 1
        slack = 0
        total = 0
        for index in range(windows):
            verdict = _ask(rows, cols, stage, index, board, strict, differs, work)
            if whole and verdict == GAVE_UP:
                return UNDECIDED
            loose[index] = verdict == SATISFIED
            total += loose[index]
        if whole and total:
            for cell in range(size):
                slack += differs[cell]
        rounds = 0
        while total > 0:
            rounds += 1
            if rounds > stage[ROUNDS] or work[0] > limit:
                return STUCK
            pick = np.int64(next_u64(dice) >> np.uint64(8)) % total
            index = 0
            while True:
                if loose[index]:
                    if pick == 0:
                        break
                    pick -= 1
                index += 1
            if not whole or rounds == 1 or True:
                differs[:] = 0
                _ask(rows, cols, stage, index, board, strict, differs, work)
            count = 0
            for cell in range(size):
                if differs[cell]:
                    focus[count] = cell
                    count += 1
            path_of[:] = board.path_of
            links[:] = board.links
            ends[:] = board.ends
            length[:] = board.length
            numbers[:] = board.numbers
            forget_changes(board)
            kept = 1 + (np.int64(next_u64(dice) >> np.uint64(8)) & 3)
            good = _stir_at(board, dice, focus, count, kept, 100)
            work[0] += 10
            if good:
                for before in range(at):
                    _touched(rows, cols, stages[before], board, flags)
                    many = _along(rows, stages[before][SIDE], stages[before][STEP]) * _along(
                        cols, stages[before][SIDE], stages[before][STEP]
                    )
                    for other in range(many):
                        if flags[other]:
                            if (
                                _ask(rows, cols, stages[before], other, board, strict, differs, work)
                                == SATISFIED
                            ):
                                good = False
                                break
                    if not good:
                        break
            delta = 0
            after = 0
            if good:
                _touched(rows, cols, stage, board, flags)
                for other in range(windows):
                    if flags[other]:
                        differs[:] = 0
                        verdict = _ask(rows, cols, stage, other, board, strict, differs, work)
                        if whole and verdict == GAVE_UP:
                            verdict = SATISFIED
                            differs[:] = 1
                        fresh[other] = verdict == SATISFIED
                        delta += fresh[other] - loose[other]
                if whole and delta == 0:
                    for cell in range(size):
                        after += differs[cell]
                    good = after <= slack + 2
                elif delta > 0:
                    good = delta == 1 and np.int64(next_u64(dice) >> np.uint64(8)) & 31 == 0
            if good:
                total += delta
                slack = after
                for other in range(windows):
                    if flags[other]:
                        loose[other] = fresh[other]
            else:
                for cell_at in range(board.numbers[CHANGED]):
                    board.marked[board.changed[cell_at]] = 0
                board.path_of[:] = path_of
                board.links[:] = links
                board.ends[:] = ends
                board.length[:] = length
                board.numbers[:] = numbers
                board.numbers[CHANGED] = 0
            forget_changes(board)
    return DONE
