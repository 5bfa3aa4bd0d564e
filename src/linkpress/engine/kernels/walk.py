"""A random walk over covers, compiled: to a recipe, or about a few cells."""

from __future__ import annotations

import numpy as np

from linkpress.engine.kernels.board import (
    COOLING,
    ENERGY,
    PATHS,
    Board,
    Copy,
    DiceState,
    Ints,
    measure,
    new_copy,
    restore,
    save,
)
from linkpress.engine.kernels.compile import kernel
from linkpress.engine.kernels.dice import next_u64
from linkpress.engine.kernels.moves import carve, fill, kept, try_split, try_take

# Tries by cell after which the walk cools down by one more halving.
_COOL_AFTER = 150
_COLDEST = 6


@kernel()
def roll_below(dice: DiceState, bound: int) -> int:
    """A whole number from 0 to ``bound - 1``; quicker than ``below`` and as even as 32 bits allow."""
    wide = (next_u64(dice) >> np.uint64(32)) * np.uint64(bound)
    return np.int64(wide >> np.uint64(32))  # type: ignore[return-value]


@kernel()
def roll_bits(dice: DiceState) -> int:
    """63 random bits."""
    return np.int64(next_u64(dice) >> np.uint64(1))  # type: ignore[return-value]


@kernel()
def stir(board: Board, dice: DiceState, solids: Ints, image: Ints, most: int) -> int:
    """Walk until the recipe is met.

    Args:
        board: changed in place.
        dice: advanced.
        solids: the solid cells, changed in place.
        image: by cell, where the pattern has its counterpart.
        most: moves to try.
    Returns:
        How many were tried; ``most`` when the recipe was not met.
    """
    numbers, size = board.numbers, board.path_of.size
    copy = new_copy(board)
    cool_at = _COOL_AFTER * size
    for tried in range(most):
        if numbers[ENERGY] == 0:
            return tried
        if tried == cool_at:
            numbers[COOLING] = min(_COLDEST, numbers[COOLING] + 1)
            cool_at += _COOL_AFTER * size
        roll = roll_bits(dice)
        toward, chance = roll & 3, roll >> 8
        if roll & 60 == 0:
            cell = roll_below(dice, size)
            if board.path_of[cell] >= 0:
                try_split(board, cell, toward, chance)
        elif roll & 60 == 4 and solids.size:
            _move_solid(board, dice, solids, image, copy)
        elif numbers[PATHS]:
            try_take(board, roll_below(dice, numbers[PATHS]), roll >> 6 & 1, toward, chance)
    return most


@kernel()
def _move_solid(board: Board, dice: DiceState, solids: Ints, image: Ints, copy: Copy) -> None:
    """Free a solid and its counterpart, and make a path's end and its counterpart solid instead."""
    numbers = board.numbers
    if numbers[PATHS] == 0:
        return
    chosen = roll_below(dice, solids.size)
    solid = solids[chosen]
    end = board.ends[2 * roll_below(dice, numbers[PATHS]) + (roll_bits(dice) & 1)]
    twin, end_twin = image[solid], image[end]
    if (twin == solid) != (end_twin == end):
        return
    energy = numbers[ENERGY]
    save(board, copy)
    turn = roll_bits(dice) & 3
    good = carve(board, end) and (end_twin == end or carve(board, end_twin))
    if good:
        fill(board, solid, turn)
        if twin != solid:
            fill(board, twin, turn)
        good = kept(measure(board) - energy, roll_bits(dice) & 0xFFFFFFFF, numbers[COOLING])
    if not good:
        restore(board, copy)
        return
    for at in range(solids.size):
        if solids[at] == twin and twin != solid:
            solids[at] = end_twin
    solids[chosen] = end


@kernel()
def stir_at(board: Board, dice: DiceState, focus: Ints, size: int, moves: int, most: int) -> bool:
    """Make some moves at some cells and restore the recipe's counts.

    Args:
        board: changed in place.
        dice: advanced.
        focus: the cells.
        size: how many.
        moves: kept moves wanted.
        most: tries.
    Returns:
        False if there were too few, or the counts are not as before.
    """
    path_of, links = board.path_of, board.links
    done = 0
    for _ in range(most):
        roll = roll_bits(dice)
        cell = focus[(roll & 0xFFFFFFF) % size]
        toward, chance = roll >> 28 & 3, roll >> 30
        other = board.beside[4 * cell + toward]
        if path_of[cell] < 0 or other < 0 or path_of[other] < 0:
            continue
        if links[cell] >> toward & 1:
            if roll & 7 == 0:
                done += try_split(board, cell, toward, chance)
        else:
            one, way = (cell, toward) if roll & 1 << 27 else (other, 3 - toward)
            if links[one] & (links[one] - 1) == 0:
                path = path_of[one]
                done += try_take(board, path, 0 if board.ends[2 * path] == one else 1, way, chance)
        if done >= moves and board.numbers[ENERGY] == 0:
            return True
    return False
