"""Random walks that change a cover (a board divided into paths) until it meets its requirements.

The walk tries moves at random, by simulated annealing. It begins with every cell as a path of its own. One
move in sixteen splits a path, one in sixteen moves a solid and its mirror image, and all others extend an end
of a path. The longer the walk takes, the less likely it accepts a move away from the requirements.

``stir_at`` makes only a few moves in one place of a finished cover.
"""

from linkpress.engine.kernels import pure_python as cython
from linkpress.engine.kernels.covers.cover_board import (
    CoverBoard,
    copy_cover,
    distance,
    is_end,
    measure,
    meets_order,
    reset_cooling,
)
from linkpress.engine.kernels.covers.moves import (
    CHANCE_BITS,
    end_index,
    free_solid,
    is_accepted,
    make_solid,
    try_exchange,
    try_exchange_by_moves,
    try_extend,
    try_split,
    try_symmetric_extend,
    try_symmetric_split,
)
from linkpress.engine.kernels.pure_python import Ints
from linkpress.engine.kernels.rng import Rng, random_below, random_bits

# A walk cools down by one step after this many tries for each cell, until it reaches ``_COLDEST``.
_COOL_AFTER: int = 150
_COLDEST: int = 6
# Cooling while a cover is shaken by random moves: low, so that moves away from the requirements are likely.
_SHAKE_COOLING: int = 1
# ``_KIND_BITS`` masks the bits of a random number that choose the kind of move. Their values ``_SPLIT`` and
# ``_SOLID`` mean that a path is split and that a solid is moved.
_KIND_BITS: int = 60
_SPLIT: int = 0
_SOLID: int = 4
# If numbers must be symmetric, or must not be neighbours, a number from 0 to 15 is drawn for each move. From
# this value on, the move begins at a path end; below it, at any cell.
_FROM_END: int = 4
# A number from 0 to 15 is drawn for each move. From this value on, the move begins at a path end whose mirror
# image is no path end. This rule applies to boards with a style that meet their requirements except for a few
# such ends. Four walks in five came to this point and then made no progress. Puzzles of 10 × 10 with 8 pairs
# take 8.9 ms each without this rule, and 7.4 ms with it.
_FROM_UNMATCHED: int = 8
# Mask for the bits of a random number with which one cell is chosen from a short list.
_CELL_BITS: int = 0xFFFFFFF


def stir(board: CoverBoard, backup: CoverBoard, rng: Rng, most: cython.longlong) -> cython.longlong:
    """Walk at random until the cover meets its requirements.

    Args:
        backup: another board of the same size, as work space.
        most: the largest number of moves to try.
    Returns:
        How many moves were tried. It is ``most`` if the requirements were not met.
    """
    tried: cython.longlong = 0
    cool_at: cython.longlong = _COOL_AFTER * board.cells
    while tried < most and not meets_order(board):
        if tried == cool_at:
            board.cooling = min(_COLDEST, board.cooling + 1)
            cool_at += _COOL_AFTER * board.cells
        _try_anywhere(board, backup, rng)
        tried += 1
    return tried


def shake(board: CoverBoard, backup: CoverBoard, rng: Rng, moves: int) -> None:
    """Make random moves that hardly consider the requirements, to get away from the present cover."""
    board.cooling = _SHAKE_COOLING
    for _ in range(moves):
        _try_anywhere(board, backup, rng)
    reset_cooling(board)


def _try_anywhere(board: CoverBoard, backup: CoverBoard, rng: Rng) -> None:
    """Try one random move at a random cell."""
    random: cython.longlong = random_bits(rng)
    toward: int = random & 3
    side: int = random >> 6 & 1
    chance: cython.longlong = random >> 8
    if board.symmetric or board.ends_apart:
        kind: int = random >> 2 & 15
        if kind == 0 and board.solids_move:
            _move_solid(board, backup, rng)
            return
        cell = random_below(rng, board.cells)
        if kind >= _FROM_UNMATCHED and board.styled and board.unmatched > 0 and board.energy == 0:
            cell = _next_unmatched_end(board, cell)
        elif kind >= _FROM_END and board.path_of[cell] >= 0:
            cell = board.ends[2 * board.path_of[cell] + side]
        _try_symmetric(board, cell, toward, kind, chance)
    elif random & _KIND_BITS == _SPLIT:
        cell = random_below(rng, board.cells)
        if board.path_of[cell] >= 0:
            try_split(board, cell, toward, chance)
    elif random & _KIND_BITS == _SOLID and board.solids_move:
        _move_solid(board, backup, rng)
    elif board.path_count > 0:
        try_extend(board, random_below(rng, board.path_count), side, toward, chance)


def _next_unmatched_end(board: CoverBoard, cell: int) -> int:
    """Return the first path end, from a cell on, whose mirror image is no path end.

    Return the cell itself if there is none.
    """
    for ahead in range(board.cells):
        other = (cell + ahead) % board.cells
        if is_end(board, other) and not is_end(board, board.mirror[other]):
            return other
    return cell


def _try_symmetric(board: CoverBoard, cell: int, toward: int, kind: int, chance: cython.longlong) -> bool:
    """Try one move that is judged by whether the numbers stay symmetric and, if required, apart.

    If the path through the cell goes in the direction ``toward``, it is split or exchanges its tail with
    another path. Otherwise, if the path ends at the cell, it is extended in that direction.
    """
    if board.path_of[cell] < 0:
        return False
    if board.links[cell] >> toward & 1:
        if kind == 1:
            return try_symmetric_split(board, cell, toward, chance)
        is_vertical: bool = toward == 0 or toward == 3
        across: int = (chance & 1) + 1 if is_vertical else 3 * (chance & 1)
        if board.styled:
            return try_exchange(board, cell, toward, across, chance)
        return try_exchange_by_moves(board, cell, toward, across, chance)
    if not is_end(board, cell):
        return False
    return try_symmetric_extend(board, cell, toward, chance)


def _move_solid(board: CoverBoard, backup: CoverBoard, rng: Rng) -> None:
    """Try to move a solid and its mirror image to a path end and the mirror image of that end."""
    if board.path_count == 0:
        return
    chosen = random_below(rng, board.solid_count)
    path = random_below(rng, board.path_count)
    side: int = random_bits(rng) & 1
    solid, end = board.solids[chosen], board.ends[2 * path + side]
    solid_image, end_image = board.image[solid], board.image[end]
    single: bool = solid_image == solid
    single_end: bool = end_image == end
    if single != single_end or (board.symmetric and not _have_same_colour(board, solid, end)):
        return
    copy_cover(board, backup)
    first_side: int = random_bits(rng) & 3
    if not _swap_solids(board, rng, solid, end, first_side, distance(board)):
        copy_cover(backup, board)
        return
    for index in range(board.solid_count):
        if board.solids[index] == solid_image and not single:
            board.solids[index] = end_image
    board.solids[chosen] = end


def _have_same_colour(board: CoverBoard, one: int, other: int) -> bool:
    """Return whether two cells would have the same colour on a chessboard."""
    cols = board.cols
    return (one // cols + one % cols + other // cols + other % cols) & 1 == 0


def _swap_solids(board: CoverBoard, rng: Rng, solid: int, end: int, first_side: int, before: int) -> bool:
    """Turn a solid and its mirror image into path cells, and a path end and its image into solids.

    Return False if that is impossible or not accepted. The caller must then restore the board.

    Args:
        first_side: the direction in which a freed cell first looks for a path that can extend into it.
        before: how far the cover was from its requirements before the move.
    """
    solid_image, end_image = board.image[solid], board.image[end]
    if not make_solid(board, end) or (end_image != end and not make_solid(board, end_image)):
        return False
    free_solid(board, solid, first_side)
    if solid_image != solid:
        free_solid(board, solid_image, first_side)
    measure(board)
    delta = distance(board) - before
    chance: cython.longlong = random_bits(rng) & CHANCE_BITS
    return is_accepted(delta, chance, board.cooling)


def stir_at(board: CoverBoard, rng: Rng, focus: Ints, size: int, moves: int, most: int) -> bool:
    """Make random moves in one place, and go on until the cover meets its requirements again.

    Args:
        focus: the cells at which moves may begin.
        size: how many of the cells in ``focus`` to use.
        moves: the smallest number of moves to make.
        most: the largest number of moves to try.
    Returns:
        False if ``most`` tries are not enough. The caller must then restore the cover.
    """
    done = 0
    for _ in range(most):
        random: cython.longlong = random_bits(rng)
        if _try_at(board, focus[(random & _CELL_BITS) % size], random):
            done += 1
        if done >= moves and meets_order(board):
            return True
    return False


def _try_at(board: CoverBoard, cell: int, random: cython.longlong) -> bool:
    """Try one random move at a cell: split the path there, or let it or a neighbouring path extend."""
    toward: int = random >> 28 & 3
    chance: cython.longlong = random >> 30
    if board.symmetric or board.ends_apart:
        return _try_symmetric(board, cell, toward, random >> 24 & 15, chance)
    other = board.beside[4 * cell + toward]
    if board.path_of[cell] < 0 or other < 0 or board.path_of[other] < 0:
        return False
    if board.links[cell] >> toward & 1:
        return random & 7 == 0 and try_split(board, cell, toward, chance)
    if not random >> 27 & 1:
        cell, toward = other, 3 - toward
    if board.links[cell] & (board.links[cell] - 1):
        return False
    path = board.path_of[cell]
    return try_extend(board, path, end_index(board, path, cell), toward, chance)
