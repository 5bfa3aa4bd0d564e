"""A random walk over covers, compiled: moves that keep every path from touching itself.

One kind of move does nearly everything: the end of a path takes a neighbouring square of another
path, and with it the rest of that path to one side. It steals an end square, cuts a path in two
and takes one part, or joins two paths. Its opposite splits a path. Solids change places with
path ends. A move is kept by Metropolis on the distance to the recipe, with a table of halvings
in place of ``exp``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkpress.engine.kernels.compile import kernel
from linkpress.engine.kernels.dice import next_u64

Ints = NDArray[np.int32]
Bytes = NDArray[np.int8]
DiceState = NDArray[np.uint64]

PATHS, WANTED, BORDER, BORDER_MOST, ENERGY, CHANGED = range(6)

_PATHS_WEIGHT = 2
_BORDER_WEIGHT = 2
_COOLING = 2


class Board(NamedTuple):
    """A cover as the walk changes it. Directions are 0 up, 1 left, 2 right, 3 down."""

    beside: Ints  # 4 × cells: the neighbour in a direction, -1 beyond the border
    path_of: Ints  # by cell; -1 on a solid
    links: Bytes  # by cell: bit d set when the path goes on in direction d
    ends: Ints  # 2 × paths
    length: Ints  # by path
    border: Bytes  # by cell: 1 on the border
    cost: Ints  # by length: what a path of that length costs
    numbers: Ints  # see PATHS … CHANGED
    piece: Ints  # scratch
    changed: Ints  # cells changed since the list was emptied
    marked: Bytes  # by cell: 1 when it is in that list


@kernel()
def new_board(rows: int, cols: int, cost: Ints, wanted: int, border_most: int) -> Board:
    """A board of paths of one square.

    Args:
        rows, cols: the board.
        cost: by path length from 0 to rows × cols.
        wanted: how many paths.
        border_most: how many pairs may have both ends on the border.
    """
    size = rows * cols
    beside = np.full(4 * size, -1, np.int32)
    border = np.zeros(size, np.int8)
    for cell in range(size):
        row, col = cell // cols, cell % cols
        if row > 0:
            beside[4 * cell] = cell - cols
        if col > 0:
            beside[4 * cell + 1] = cell - 1
        if col < cols - 1:
            beside[4 * cell + 2] = cell + 1
        if row < rows - 1:
            beside[4 * cell + 3] = cell + cols
        if row == 0 or col == 0 or row == rows - 1 or col == cols - 1:
            border[cell] = 1
    numbers = np.zeros(8, np.int32)
    numbers[WANTED] = wanted
    numbers[BORDER_MOST] = border_most
    return Board(
        beside,
        np.full(size, -1, np.int32),
        np.zeros(size, np.int8),
        np.zeros(2 * size + 2, np.int32),
        np.zeros(size + 1, np.int32),
        border,
        cost,
        numbers,
        np.empty(size, np.int32),
        np.empty(size, np.int32),
        np.zeros(size, np.int8),
    )


@kernel()
def lay_singles(board: Board, solid: Bytes) -> None:
    """Start afresh: every free square a path of its own."""
    paths = border = 0
    for cell in range(solid.size):
        board.links[cell] = 0
        board.path_of[cell] = -1
        if not solid[cell]:
            board.path_of[cell] = paths
            board.ends[2 * paths] = cell
            board.ends[2 * paths + 1] = cell
            board.length[paths] = 1
            border += board.border[cell]
            paths += 1
    board.numbers[PATHS] = paths
    board.numbers[BORDER] = border
    measure(board)


@kernel()
def measure(board: Board) -> int:
    """The distance to the recipe, counted afresh."""
    numbers = board.numbers
    energy = _PATHS_WEIGHT * abs(numbers[PATHS] - numbers[WANTED])
    energy += _BORDER_WEIGHT * max(0, numbers[BORDER] - numbers[BORDER_MOST])
    for path in range(numbers[PATHS]):
        energy += board.cost[board.length[path]]
    numbers[ENERGY] = energy
    return int(energy)


@kernel()
def _change(changed: Ints, marked: Bytes, numbers: Ints, cell: int) -> None:
    if not marked[cell]:
        marked[cell] = 1
        changed[numbers[CHANGED]] = cell
        numbers[CHANGED] += 1


@kernel()
def forget_changes(board: Board) -> None:
    """Empty the list of changed cells."""
    for at in range(board.numbers[CHANGED]):
        board.marked[board.changed[at]] = 0
    board.numbers[CHANGED] = 0


@kernel()
def _direction(bits: int) -> int:
    """The direction of the lowest set bit of 1, 2, 4, 8."""
    if bits & 3:
        return 0 if bits & 1 else 1
    return 2 if bits & 4 else 3


@kernel()
def _kept(delta: int, roll: int) -> bool:
    """Metropolis: whether to keep a move that raises the energy so much; ``roll`` is 32 bits."""
    return delta <= 0 or (delta < 16 and roll < (1 << 32) >> (_COOLING * delta))


@kernel()
def try_take(board: Board, path: int, side: int, toward: int, roll: int) -> bool:
    """Let an end of a path take a neighbouring square and one side of the path that it is on.

    Args:
        board: changed in place when the move is kept.
        path: the path that grows.
        side: which of its ends.
        toward: the direction from that end.
        roll: random bits: the lowest chooses the side, bits 1 to 32 decide on keeping.
    """
    beside, path_of, links, ends = board.beside, board.path_of, board.links, board.ends
    length, cost, numbers, piece = board.length, board.cost, board.numbers, board.piece
    end = ends[2 * path + side]
    first = beside[4 * end + toward]
    if first < 0:
        return False
    loser = path_of[first]
    if loser < 0 or loser == path:
        return False
    bits = int(links[first])
    # The direction in which the loser keeps what it has; 4 when it keeps nothing there.
    keeps = 4
    if bits & (bits - 1):
        keeps = _direction(bits) if roll & 1 else _direction(bits & (bits - 1))
    elif bits and roll & 1:
        keeps = _direction(bits)
    count, cell, back = 0, first, keeps
    while True:
        for side_of in range(4):
            other = beside[4 * cell + side_of]
            if other >= 0 and path_of[other] == path and (other != end or cell != first):
                return False
        piece[count] = cell
        count += 1
        bits = int(links[cell])
        if back < 4:
            bits &= ~(1 << back)
        if bits == 0:
            break
        step = _direction(bits)
        cell = beside[4 * cell + step]
        back = 3 - step
    left = length[loser] - count
    far_side = 0 if ends[2 * loser] == cell else 1
    start = ends[2 * path + 1 - side]
    border = board.border
    change = (border[start] & border[cell]) - (border[start] & border[end])
    change -= border[ends[2 * loser]] & border[ends[2 * loser + 1]]
    stay = -1
    if left:
        stay = beside[4 * first + keeps]
        change += border[stay] & border[ends[2 * loser + 1 - far_side]]
    delta = cost[length[path] + count] - cost[length[path]] - cost[length[loser]]
    if left:
        delta += cost[left]
    else:
        delta += _PATHS_WEIGHT if numbers[PATHS] <= numbers[WANTED] else -_PATHS_WEIGHT
    over = max(0, numbers[BORDER] - numbers[BORDER_MOST])
    delta += _BORDER_WEIGHT * (max(0, numbers[BORDER] + change - numbers[BORDER_MOST]) - over)
    if not _kept(delta, (roll >> 1) & 0xFFFFFFFF):
        return False
    changed, marked = board.changed, board.marked
    for at in range(count):
        path_of[piece[at]] = path
        _change(changed, marked, numbers, piece[at])
    _change(changed, marked, numbers, end)
    links[end] |= 1 << toward
    links[first] |= 1 << (3 - toward)
    if left:
        links[first] &= ~(1 << keeps)
        links[stay] &= ~(1 << (3 - keeps))
        ends[2 * loser + far_side] = stay
        _change(changed, marked, numbers, stay)
    length[loser] = left
    length[path] += count
    ends[2 * path + side] = cell
    numbers[BORDER] += change
    numbers[ENERGY] += delta
    if not left:
        _close_gap(board, loser)
    return True


@kernel()
def _close_gap(board: Board, path: int) -> None:
    """Give the last path the number of one that is no more."""
    last = board.numbers[PATHS] - 1
    board.numbers[PATHS] = last
    if path == last:
        return
    board.ends[2 * path] = board.ends[2 * last]
    board.ends[2 * path + 1] = board.ends[2 * last + 1]
    board.length[path] = board.length[last]
    _number(board, board.ends[2 * path], path)


@kernel()
def _number(board: Board, cell: int, path: int) -> int:
    """Number a path's squares from one end; the other end back."""
    back = 4
    while True:
        board.path_of[cell] = path
        bits = int(board.links[cell])
        if back < 4:
            bits &= ~(1 << back)
        if bits == 0:
            return cell
        step = _direction(bits)
        cell = board.beside[4 * cell + step]
        back = 3 - step


@kernel()
def try_split(board: Board, cell: int, toward: int, roll: int) -> bool:
    """Cut a path between a cell and its neighbour in a direction, if it goes that way."""
    if not board.links[cell] >> toward & 1:
        return False
    numbers, ends, length, border = board.numbers, board.ends, board.length, board.border
    path = board.path_of[cell]
    other = board.beside[4 * cell + toward]
    count, at, back = 1, cell, toward
    while True:
        bits = int(board.links[at]) & ~(1 << back)
        if bits == 0:
            break
        step = _direction(bits)
        at = board.beside[4 * at + step]
        back = 3 - step
        count += 1
    side = 0 if ends[2 * path] == at else 1
    far = ends[2 * path + 1 - side]
    change = (border[at] & border[cell]) + (border[other] & border[far]) - (border[at] & border[far])
    delta = board.cost[count] + board.cost[length[path] - count] - board.cost[length[path]]
    delta += _PATHS_WEIGHT if numbers[PATHS] >= numbers[WANTED] else -_PATHS_WEIGHT
    over = max(0, numbers[BORDER] - numbers[BORDER_MOST])
    delta += _BORDER_WEIGHT * (max(0, numbers[BORDER] + change - numbers[BORDER_MOST]) - over)
    if not _kept(delta, (roll >> 1) & 0xFFFFFFFF):
        return False
    board.links[cell] &= ~(1 << toward)
    board.links[other] &= ~(1 << (3 - toward))
    fresh = numbers[PATHS]
    numbers[PATHS] = fresh + 1
    ends[2 * fresh] = at
    ends[2 * fresh + 1] = cell
    length[fresh] = count
    ends[2 * path + side] = other
    length[path] -= count
    back = 4
    walk = cell
    while True:
        board.path_of[walk] = fresh
        _change(board.changed, board.marked, numbers, walk)
        bits = int(board.links[walk])
        if back < 4:
            bits &= ~(1 << back)
        if bits == 0:
            break
        step = _direction(bits)
        walk = board.beside[4 * walk + step]
        back = 3 - step
    _change(board.changed, board.marked, numbers, other)
    numbers[BORDER] += change
    numbers[ENERGY] += delta
    return True


@kernel()
def stir(board: Board, dice: DiceState, least: int, most: int) -> int:
    """Walk until the recipe is met.

    Args:
        board: changed in place.
        dice: advanced.
        least: moves to try at least.
        most: moves to try at most.
    Returns:
        How many were tried; ``most`` when the recipe was not met.
    """
    numbers = board.numbers
    size = np.uint64(board.path_of.size)
    low = np.uint64(0xFFFFFFFF)
    shift = np.uint64(32)
    for tried in range(most):
        if tried >= least and numbers[ENERGY] == 0:
            return tried
        roll = next_u64(dice)
        extra = np.int64(next_u64(dice) >> np.uint64(24))
        toward = extra & 3
        if extra & 60 == 0:
            cell = np.int64(((roll & low) * size) >> shift)
            if board.path_of[cell] >= 0:
                try_split(board, cell, toward, extra >> 7)
        else:
            path = np.int64(((roll & low) * np.uint64(numbers[PATHS])) >> shift)
            try_take(board, path, extra >> 6 & 1, toward, extra >> 7)
    return most


@kernel()
def draw_cover(board: Board, cells: Ints, lengths: Ints) -> int:
    """Write the paths out.

    Args:
        board: the cover.
        cells: out: the paths' squares, one path after the other, each from end to end.
        lengths: out: the paths' lengths.
    Returns:
        How many paths.
    """
    used = 0
    for path in range(board.numbers[PATHS]):
        lengths[path] = board.length[path]
        cell = board.ends[2 * path]
        back = 4
        while True:
            cells[used] = cell
            used += 1
            bits = int(board.links[cell])
            if back < 4:
                bits &= ~(1 << back)
            if bits == 0:
                break
            step = _direction(bits)
            cell = board.beside[4 * cell + step]
            back = 3 - step
    return int(board.numbers[PATHS])
