"""Repairs a cover until its board has one drawing, compiled: small windows first.

A window is loose when it has a second drawing with everything outside it kept. Windows of the
first stage's size are laid over the board; the squares where a loose window's second drawing
differs are stirred, the recipe's counts restored, and the windows around asked again. A change
is kept when no more windows are loose than before and none of the earlier stages'. When a stage
has no loose window the next, larger one begins; the last is the whole board, where a change is
kept when the second drawing does not differ in many more squares than the last one did.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkpress.engine.kernels.board import (
    CHANGED,
    Board,
    Bytes,
    Copy,
    DiceState,
    Ints,
    new_copy,
    restore,
    save,
)
from linkpress.engine.kernels.compile import kernel
from linkpress.engine.kernels.models import FOUND, GAVE_UP
from linkpress.engine.kernels.walk import roll_below, stir_at
from linkpress.engine.kernels.window import find_second_drawing

DONE, STUCK, UNDECIDED = 0, 1, 2

SIDE, STEP, BUDGET, ROUNDS = range(4)
WORK, ASKED, CONFLICTS = range(3)

_MOST_MOVES = 4
_TRIES = 100
# Squares that the whole board's second drawing may differ in more than the last one did.
_LEEWAY = 2
# One in so many changes that loosen one more window is kept.
_WORSE_KEPT = 32


class Desk(NamedTuple):
    """What a repair works with."""

    rows: int
    cols: int
    strict: bool
    stages: NDArray[np.int32]  # stages × (side, step, conflicts, rounds)
    work: NDArray[np.int64]
    differs: Bytes  # by cell: where the last second drawing differed
    flags: Bytes  # by window: to be asked again
    loose: Bytes  # by window
    fresh: Bytes  # by window: loose after a change


@kernel()
def _along(size: int, side: int, step: int) -> int:
    """How many windows of a side stand in a row of a board."""
    return 1 if side >= size else (size - side + step - 1) // step + 1


@kernel()
def _windows(desk: Desk, stage: int) -> int:
    side, step = desk.stages[stage, SIDE], desk.stages[stage, STEP]
    return _along(desk.rows, side, step) * _along(desk.cols, side, step)


@kernel()
def _window(desk: Desk, stage: int, index: int) -> tuple[int, int, int, int]:
    side, step = desk.stages[stage, SIDE], desk.stages[stage, STEP]
    across = _along(desk.cols, side, step)
    height, width = min(desk.rows, side), min(desk.cols, side)
    top = min(index // across * step, desk.rows - height)
    left = min(index % across * step, desk.cols - width)
    return top, left, height, width


@kernel()
def _ask(desk: Desk, board: Board, stage: int, index: int) -> int:
    """Whether a window is loose; the squares where it is into ``differs``."""
    window = _window(desk, stage, index)
    desk.differs[:] = 0
    verdict, spent = find_second_drawing(
        desk.rows,
        desk.cols,
        window,
        board.path_of,
        board.links,
        desk.strict,
        desk.stages[stage, BUDGET],
        desk.differs,
    )
    desk.work[WORK] += window[2] * window[3] // 3 + 8 * spent
    desk.work[ASKED] += 1
    desk.work[CONFLICTS] += spent
    return verdict


@kernel()
def _flag_changed(desk: Desk, board: Board, stage: int) -> None:
    """Flag the windows that have a changed cell."""
    windows = _windows(desk, stage)
    desk.flags[:windows] = 0
    for index in range(windows):
        top, left, height, width = _window(desk, stage, index)
        for at in range(board.numbers[CHANGED]):
            row, col = board.changed[at] // desk.cols, board.changed[at] % desk.cols
            if top <= row < top + height and left <= col < left + width:
                desk.flags[index] = 1
                break


@kernel()
def _earlier_hold(desk: Desk, board: Board, stage: int) -> bool:
    """Whether a change leaves no window of the stages before loose."""
    for before in range(stage):
        _flag_changed(desk, board, before)
        for index in range(_windows(desk, before)):
            if desk.flags[index] and _ask(desk, board, before, index) == FOUND:
                return False
    return True


@kernel()
def _ask_changed(desk: Desk, board: Board, stage: int) -> int:
    """Ask the changed windows again; how many more are loose."""
    _flag_changed(desk, board, stage)
    windows = _windows(desk, stage)
    more = 0
    for index in range(windows):
        if desk.flags[index]:
            verdict = _ask(desk, board, stage, index)
            if windows == 1 and verdict == GAVE_UP:
                desk.differs[:] = 1
                verdict = FOUND
            desk.fresh[index] = verdict == FOUND
            more += desk.fresh[index] - desk.loose[index]
    return more


@kernel()
def _pick_loose(desk: Desk, dice: DiceState, total: int) -> int:
    pick = roll_below(dice, total)
    index = 0
    while pick or not desk.loose[index]:
        pick -= desk.loose[index]
        index += 1
    return index


@kernel()
def _differing(differs: Bytes, focus: Ints) -> int:
    count = 0
    for cell in range(differs.size):
        if differs[cell]:
            focus[count] = cell
            count += 1
    return count


@kernel()
def _improve(
    desk: Desk, board: Board, dice: DiceState, stage: int, total: int, last: int, focus: Ints, copy: Copy
) -> tuple[int, int]:
    """Try one change at a loose window; the loose windows and differing squares then."""
    _ask(desk, board, stage, _pick_loose(desk, dice, total))
    size = _differing(desk.differs, focus)
    if size == 0:
        return total, last
    save(board, copy)
    whole = _windows(desk, stage) == 1
    more, now = 0, 0
    good = stir_at(board, dice, focus, size, 1 + roll_below(dice, _MOST_MOVES), _TRIES)
    if good and _earlier_hold(desk, board, stage):
        more = _ask_changed(desk, board, stage)
        now = _differing(desk.differs, focus)
        if whole and more == 0:
            good = now <= last + _LEEWAY
        elif more > 0:
            good = more == 1 and roll_below(dice, _WORSE_KEPT) == 0
    else:
        good = False
    if not good:
        restore(board, copy)
        return total, last
    for index in range(_windows(desk, stage)):
        if desk.flags[index]:
            desk.loose[index] = desk.fresh[index]
    return total + more, now


@kernel()
def repair(
    rows: int,
    cols: int,
    board: Board,
    strict: bool,
    dice: DiceState,
    stages: NDArray[np.int32],
    work: NDArray[np.int64],
    limit: int,
) -> int:
    """Change a cover that meets its recipe until the board has one drawing.

    Args:
        rows: of the board.
        cols: of the board.
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
    flags, loose, fresh = np.zeros(size, np.int8), np.zeros(size, np.int8), np.zeros(size, np.int8)
    desk = Desk(rows, cols, strict, stages, work, np.zeros(size, np.int8), flags, loose, fresh)
    focus, copy = np.empty(size, np.int32), new_copy(board)
    for stage in range(stages.shape[0]):
        windows, total = _windows(desk, stage), 0
        for index in range(windows):
            verdict = _ask(desk, board, stage, index)
            if windows == 1 and verdict == GAVE_UP:
                return UNDECIDED
            loose[index] = verdict == FOUND
            total += loose[index]
        last, rounds = _differing(desk.differs, focus), 0
        while total > 0:
            rounds += 1
            if rounds > stages[stage, ROUNDS] or work[WORK] > limit:
                return STUCK
            work[WORK] += 10
            total, last = _improve(desk, board, dice, stage, total, last, focus, copy)
    return DONE
