"""A random walk leads over covers to a recipe, or changes a few cells.

The walk starts with every square a path of its own and tries moves at random; one in sixteen splits
a path, one in sixteen moves a solid and its counterpart, the others let an end take squares. It
cools down as it goes: the longer it takes, the seldomer a move away from the recipe is kept.
"""

from linkpress.engine.kernels import pure_python as cython
from linkpress.engine.kernels.covers.cover_board import (
    CoverBoard,
    cool_first,
    copy_cover,
    distance,
    is_end,
    is_met,
    measure,
)
from linkpress.engine.kernels.covers.dice import Dice, roll_below, roll_bits
from linkpress.engine.kernels.covers.moves import (
    CHANCE_BITS,
    carve,
    fill,
    is_kept,
    side_of,
    try_split,
    try_take,
)
from linkpress.engine.kernels.covers.twins import try_exchange, try_flip, try_twin_split, try_twin_take
from linkpress.engine.kernels.pure_python import Ints

# Tries by cell after which the walk cools down by one more halving.
_COOL_AFTER: int = 150
_COLDEST: int = 6
# The cooling at which a cover is shaken.
_SHAKING: int = 1
# Four bits of a roll, and what they are for a split and for moving a solid.
_WHICH_MOVE: int = 60
_SPLIT: int = 0
_SOLID: int = 4
# Where numbers lie symmetrically or apart, those of sixteen moves from this one on begin at an end.
_TAKES: int = 4
# Where a cover to look composed is all that is asked but for a few numbers without counterparts, those
# from this one on begin at one of these numbers: four walks in five came so far, and wandered about. 10 × 10
# with 8 pairs takes 8.9 ms a puzzle without, 7.4 so.
_ODD_TAKES: int = 8
# Of a roll, for choosing among a few cells.
_CELL_BITS: int = 0xFFFFFFF


def stir(board: CoverBoard, copy: CoverBoard, dice: Dice, most: cython.longlong) -> cython.longlong:
    """Walk until the recipe is met, and return how many moves were tried; ``most`` when it was not met."""
    tried: cython.longlong = 0
    cool_at: cython.longlong = _COOL_AFTER * board.cells
    while tried < most and not is_met(board):
        if tried == cool_at:
            board.cooling = min(_COLDEST, board.cooling + 1)
            cool_at += _COOL_AFTER * board.cells
        _try_anywhere(board, copy, dice)
        tried += 1
    return tried


def shake(board: CoverBoard, copy: CoverBoard, dice: Dice, moves: int) -> None:
    """Walk on for some moves that care little for the recipe, so that another cover is met soon after."""
    board.cooling = _SHAKING
    for _ in range(moves):
        _try_anywhere(board, copy, dice)
    cool_first(board)


def _try_anywhere(board: CoverBoard, copy: CoverBoard, dice: Dice) -> None:
    if board.twinned or board.apart:
        _try_any_twins(board, copy, dice)
    else:
        _try_any(board, copy, dice)


def _try_any(board: CoverBoard, copy: CoverBoard, dice: Dice) -> None:
    rolled: cython.longlong = roll_bits(dice)
    toward: int = rolled & 3
    side: int = rolled >> 6 & 1
    chance: cython.longlong = rolled >> 8
    if rolled & _WHICH_MOVE == _SPLIT:
        cell = roll_below(dice, board.cells)
        if board.path_of[cell] >= 0:
            try_split(board, cell, toward, chance)
    elif rolled & _WHICH_MOVE == _SOLID and board.solids_move:
        _move_solid(board, copy, dice)
    elif board.path_count > 0:
        try_take(board, roll_below(dice, board.path_count), side, toward, chance)


def _try_any_twins(board: CoverBoard, copy: CoverBoard, dice: Dice) -> None:
    """Try one move anywhere, judged by where the numbers are after it: symmetric, or apart."""
    rolled: cython.longlong = roll_bits(dice)
    toward: int = rolled & 3
    which: int = rolled >> 2 & 15
    chance: cython.longlong = rolled >> 8
    if which == 0 and board.solids_move:
        _move_solid(board, copy, dice)
        return
    cell = roll_below(dice, board.cells)
    if which >= _ODD_TAKES and board.composed and board.odd > 0 and board.energy == 0:
        cell = _odd_end_from(board, cell)
    elif which >= _TAKES and board.path_of[cell] >= 0:
        cell = board.ends[2 * board.path_of[cell] + (rolled >> 6 & 1)]
    _try_twins(board, cell, toward, which, chance)


def _odd_end_from(board: CoverBoard, cell: int) -> int:
    """Return the first end from a cell on whose counterpart is none; the cell where there is no such end."""
    for ahead in range(board.cells):
        there = (cell + ahead) % board.cells
        if is_end(board, there) and not is_end(board, board.twin[there]):
            return there
    return cell


def _try_twins(board: CoverBoard, cell: int, toward: int, which: int, chance: cython.longlong) -> bool:
    """Try one move at a cell: a split or a flip of its path, or let it take."""
    if board.path_of[cell] < 0:
        return False
    if board.links[cell] >> toward & 1:
        if which == 1:
            return try_twin_split(board, cell, toward, chance)
        upright: bool = toward == 0 or toward == 3
        turn: int = (chance & 1) + 1 if upright else 3 * (chance & 1)
        if board.composed:
            return try_exchange(board, cell, toward, turn, chance)
        return try_flip(board, cell, toward, turn, chance)
    if not is_end(board, cell):
        return False
    return try_twin_take(board, cell, toward, chance)


def _move_solid(board: CoverBoard, copy: CoverBoard, dice: Dice) -> None:
    """Free a solid and its counterpart, and make a path's end and its counterpart solid instead."""
    if board.path_count == 0:
        return
    chosen = roll_below(dice, board.solid_count)
    path = roll_below(dice, board.path_count)
    side: int = roll_bits(dice) & 1
    solid, end = board.solids[chosen], board.ends[2 * path + side]
    twin, end_twin = board.image[solid], board.image[end]
    alone: bool = twin == solid
    end_alone: bool = end_twin == end
    if alone != end_alone or (board.twinned and not _same_colour(board, solid, end)):
        return
    copy_cover(board, copy)
    turn: int = roll_bits(dice) & 3
    if not _swap_solids(board, dice, solid, end, turn, distance(board)):
        copy_cover(copy, board)
        return
    for index in range(board.solid_count):
        if board.solids[index] == twin and not alone:
            board.solids[index] = end_twin
    board.solids[chosen] = end


def _same_colour(board: CoverBoard, one: int, other: int) -> bool:
    """Tell whether two cells have one colour of a chessboard."""
    cols = board.cols
    return (one // cols + one % cols + other // cols + other % cols) & 1 == 0


def _swap_solids(board: CoverBoard, dice: Dice, solid: int, end: int, turn: int, energy: int) -> bool:
    """Free ``solid`` and its counterpart, and make ``end`` and its counterpart solid instead.

    When that can't be or is not kept, it returns False and leaves the board in any state.
    ``turn`` is the direction in which a freed square looks first, ``energy`` what it was before.
    """
    twin, end_twin = board.image[solid], board.image[end]
    if not carve(board, end) or (end_twin != end and not carve(board, end_twin)):
        return False
    fill(board, solid, turn)
    if twin != solid:
        fill(board, twin, turn)
    measure(board)
    delta = distance(board) - energy
    chance: cython.longlong = roll_bits(dice) & CHANCE_BITS
    return is_kept(delta, chance, board.cooling)


def stir_at(board: CoverBoard, dice: Dice, focus: Ints, size: int, moves: int, most: int) -> bool:
    """Make some moves at the first ``size`` cells of ``focus`` and restore the recipe's counts.

    It returns False where ``most`` tries make fewer moves than wanted, or the counts are not as before.
    """
    done = 0
    for _ in range(most):
        rolled: cython.longlong = roll_bits(dice)
        cell = focus[(rolled & _CELL_BITS) % size]
        if _try_at(board, cell, rolled):
            done += 1
        if done >= moves and is_met(board):
            return True
    return False


def _try_at(board: CoverBoard, cell: int, rolled: cython.longlong) -> bool:
    """Try one move at a cell: cut its path, or let it or its neighbour take the other's squares."""
    toward: int = rolled >> 28 & 3
    chance: cython.longlong = rolled >> 30
    if board.twinned or board.apart:
        return _try_twins(board, cell, toward, rolled >> 24 & 15, chance)
    other = board.beside[4 * cell + toward]
    if board.path_of[cell] < 0 or other < 0 or board.path_of[other] < 0:
        return False
    if board.links[cell] >> toward & 1:
        return rolled & 7 == 0 and try_split(board, cell, toward, chance)
    if rolled >> 27 & 1:
        return _grow_at(board, cell, toward, chance)
    return _grow_at(board, other, 3 - toward, chance)


def _grow_at(board: CoverBoard, cell: int, toward: int, chance: cython.longlong) -> bool:
    """Let a cell that is the end of its path take its neighbour in a direction."""
    if board.links[cell] & (board.links[cell] - 1):
        return False
    path = board.path_of[cell]
    return try_take(board, path, side_of(board, path, cell), toward, chance)
