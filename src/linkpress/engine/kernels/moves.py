"""Moves on covers, compiled; each keeps every path from touching itself.

One kind of move does nearly everything: the end of a path takes a neighbouring square of another
path, and with it the rest of that path to one side. It steals an end square, cuts a path in two
and takes one part, or joins two paths. Its opposite splits a path. Both are kept by Metropolis on
the distance to the recipe, with halvings in place of ``exp``.
"""

from __future__ import annotations

from linkpress.engine.kernels.board import (
    BORDER,
    BORDER_MOST,
    BORDER_WEIGHT,
    COOLING,
    ENERGY,
    PATH_WEIGHT,
    PATHS,
    WANTED,
    Board,
    Bytes,
    Ints,
    change,
    close_gap,
    direction,
)
from linkpress.engine.kernels.compile import kernel


@kernel()
def kept(delta: int, roll: int, cooling: int) -> bool:
    """Metropolis: whether to keep a move that raises the energy so much; ``roll`` is 32 bits."""
    return bool(delta <= 0 or (delta < 16 and roll < (1 << 32) >> (cooling * delta)))


@kernel()
def _border_delta(numbers: Ints, more: int) -> int:
    """What it costs that so many more pairs have both ends on the border."""
    before = max(0, numbers[BORDER] - numbers[BORDER_MOST])
    after = max(0, numbers[BORDER] + more - numbers[BORDER_MOST])
    return int(BORDER_WEIGHT * (after - before))


@kernel()
def _choose_keeps(bits: int, roll: int) -> int:
    """The direction in which a path that loses a square keeps its other part; 4 when it keeps none."""
    if bits & (bits - 1):
        return direction(bits) if roll & 1 else direction(bits & (bits - 1))
    if bits and roll & 1:
        return direction(bits)
    return 4


@kernel()
def _collect(beside: Ints, path_of: Ints, links: Bytes, piece: Ints, end: int, first: int, keeps: int) -> int:
    """Put the squares to be taken into ``piece``; how many, 0 if the path would touch itself."""
    path = path_of[end]
    count, cell, back = 0, first, keeps
    while True:
        for side in range(4):
            other = beside[4 * cell + side]
            if other >= 0 and path_of[other] == path and (other != end or cell != first):
                return 0
        piece[count] = cell
        count += 1
        bits = int(links[cell])
        if back < 4:
            bits &= ~(1 << back)
        if bits == 0:
            return count
        step = direction(bits)
        cell = beside[4 * cell + step]
        back = 3 - step


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
    length, cost, numbers, border = board.length, board.cost, board.numbers, board.border
    end = ends[2 * path + side]
    first = beside[4 * end + toward]
    if first < 0:
        return False
    loser = path_of[first]
    if loser < 0 or loser == path:
        return False
    keeps = _choose_keeps(links[first], roll)
    count = _collect(beside, path_of, links, board.piece, end, first, keeps)
    if count == 0:
        return False
    far = board.piece[count - 1]
    left = length[loser] - count
    far_side = 0 if ends[2 * loser] == far else 1
    start = ends[2 * path + 1 - side]
    more = (border[start] & border[far]) - (border[start] & border[end])
    more -= border[ends[2 * loser]] & border[ends[2 * loser + 1]]
    delta = cost[length[path] + count] - cost[length[path]] - cost[length[loser]]
    stay = -1
    if left:
        stay = beside[4 * first + keeps]
        more += border[stay] & border[ends[2 * loser + 1 - far_side]]
        delta += cost[left]
    else:
        delta += PATH_WEIGHT if numbers[PATHS] <= numbers[WANTED] else -PATH_WEIGHT
    delta += _border_delta(numbers, more)
    if not kept(delta, (roll >> 1) & 0xFFFFFFFF, numbers[COOLING]):
        return False
    numbers[BORDER] += more
    numbers[ENERGY] += delta
    ends[2 * path + side] = far
    length[path] += count
    length[loser] = left
    if left:
        ends[2 * loser + far_side] = stay
    _relink(board, path, end, toward, count, stay, keeps)
    if not left:
        close_gap(board, loser)
    return True


@kernel()
def _relink(board: Board, path: int, end: int, toward: int, count: int, stay: int, keeps: int) -> None:
    """Join the collected piece to the end that takes it and cut it off where it was."""
    links, piece = board.links, board.piece
    first = piece[0]
    changed, marked, numbers = board.changed, board.marked, board.numbers
    for at in range(count):
        board.path_of[piece[at]] = path
        change(changed, marked, numbers, piece[at])
    change(changed, marked, numbers, end)
    links[end] |= 1 << toward
    links[first] |= 1 << (3 - toward)
    if stay >= 0:
        links[first] &= ~(1 << keeps)
        links[stay] &= ~(1 << (3 - keeps))
        change(changed, marked, numbers, stay)


@kernel()
def try_split(board: Board, cell: int, toward: int, roll: int) -> bool:
    """Cut a path between a cell and its neighbour in a direction, if it goes that way."""
    if not board.links[cell] >> toward & 1:
        return False
    numbers, ends, length, border = board.numbers, board.ends, board.length, board.border
    path = board.path_of[cell]
    other = board.beside[4 * cell + toward]
    # No square of the piece may belong to path -1, so nothing forbids collecting it.
    count = _walk_to_end(board.beside, board.links, board.piece, cell, toward)
    far = board.piece[count - 1]
    side = 0 if ends[2 * path] == far else 1
    stay = ends[2 * path + 1 - side]
    more = (border[far] & border[cell]) + (border[other] & border[stay]) - (border[far] & border[stay])
    delta = board.cost[count] + board.cost[length[path] - count] - board.cost[length[path]]
    delta += PATH_WEIGHT if numbers[PATHS] >= numbers[WANTED] else -PATH_WEIGHT
    delta += _border_delta(numbers, more)
    if not kept(delta, (roll >> 1) & 0xFFFFFFFF, numbers[COOLING]):
        return False
    board.links[cell] &= ~(1 << toward)
    board.links[other] &= ~(1 << (3 - toward))
    fresh = numbers[PATHS]
    numbers[PATHS] = fresh + 1
    numbers[BORDER] += more
    numbers[ENERGY] += delta
    ends[2 * fresh] = far
    ends[2 * fresh + 1] = cell
    length[fresh] = count
    ends[2 * path + side] = other
    length[path] -= count
    for at in range(count):
        board.path_of[board.piece[at]] = fresh
        change(board.changed, board.marked, numbers, board.piece[at])
    change(board.changed, board.marked, numbers, other)
    return True


@kernel()
def _walk_to_end(beside: Ints, links: Bytes, piece: Ints, cell: int, back: int) -> int:
    """Put a path's squares from a cell to the end away from ``back`` into ``piece``."""
    count = 0
    while True:
        piece[count] = cell
        count += 1
        bits = int(links[cell]) & ~(1 << back)
        if bits == 0:
            return count
        step = direction(bits)
        cell = beside[4 * cell + step]
        back = 3 - step


@kernel()
def carve(board: Board, cell: int) -> bool:
    """Make the end of a path solid; False if the cell is not one. The energy is left as it was."""
    path, bits = board.path_of[cell], int(board.links[cell])
    if path < 0 or bits & (bits - 1):
        return False
    board.path_of[cell] = -1
    board.links[cell] = 0
    board.length[path] -= 1
    if bits == 0:
        close_gap(board, path)
        return True
    step = direction(bits)
    other = board.beside[4 * cell + step]
    board.links[other] &= ~(1 << (3 - step))
    board.ends[2 * path + (0 if board.ends[2 * path] == cell else 1)] = other
    return True


@kernel()
def fill(board: Board, cell: int, turn: int) -> None:
    """Free a solid and let a path's end beside it take it, if one can; ``turn`` is where to begin."""
    fresh = board.numbers[PATHS]
    board.numbers[PATHS] = fresh + 1
    board.path_of[cell] = fresh
    board.links[cell] = 0
    board.length[fresh] = 1
    board.ends[2 * fresh] = cell
    board.ends[2 * fresh + 1] = cell
    for at in range(4):
        side = (at + turn) & 3
        other = board.beside[4 * cell + side]
        if other < 0 or board.path_of[other] < 0 or board.links[other] & (board.links[other] - 1):
            continue
        path = board.path_of[other]
        end = 0 if board.ends[2 * path] == other else 1
        if try_take(board, path, end, 3 - side, 0):
            return
