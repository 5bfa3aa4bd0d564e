"""Moves change covers; each keeps every path from touching itself.

One kind of move does nearly everything: the end of a path takes a neighbouring square of another
path, and with it the rest of that path to one side. It takes an end square away, cuts a path in two
and takes one part, or joins two paths. Its opposite splits a path. Both are kept by the rule of Metropolis
on the distance to the recipe, with halvings in place of ``exp``.
"""

from linkpress.engine.kernels import pure_python as cython
from linkpress.engine.kernels.covers.cover_board import (
    BORDER_WEIGHT,
    END_WEIGHT,
    NO_WAY,
    PATH_WEIGHT,
    CoverBoard,
    both_on_border,
    change,
    close_gap,
    count_beside,
    direction,
    lay_single,
    set_links,
    way_on,
)

# The mask that makes a roll of 32 bits, and what is beyond any.
CHANCE_BITS = cython.declare(cython.longlong, 0xFFFFFFFF)
_SURE = cython.declare(cython.longlong, 0x100000000)
_CHANCE_WIDTH: int = 32
# Halvings are counted modulo 64, but for the chance 0: an oversight of
# the first version, kept so that seeds go on giving the same puzzles.
_SHIFT_MOST: int = 63
# In place of a chance: the move is made whatever it costs.
ALWAYS = cython.declare(cython.longlong, -1)
# A move that raises the energy by so much is never kept.
_TOO_MUCH: int = 16


def is_kept(delta: int, chance: cython.longlong, cooling: int) -> bool:
    """Tell by Metropolis whether to keep a move that raises the energy so much; ``chance`` is 32 bits."""
    if delta <= 0 or delta >= _TOO_MUCH:
        return delta <= 0
    halvings = cooling * delta
    if chance == 0:
        return halvings <= _CHANCE_WIDTH
    return chance < _SURE >> (halvings & _SHIFT_MOST)


def border_delta(board: CoverBoard, more: int) -> int:
    """Return what it costs that so many more pairs have both ends on the border."""
    excess = board.border_pairs - board.border_most
    return BORDER_WEIGHT * (max(0, excess + more) - max(0, excess))


def _accept(board: CoverBoard, delta: int, more: int, more_ends: int, chance: cython.longlong) -> bool:
    """Tell whether to keep a move by what it costs, and if so count that.

    ``delta`` is what lengths and paths cost more then; so many ``more`` pairs have both ends on the border,
    and so many more ends are there.
    """
    excess = board.border_ends - board.border_ends_most
    delta += border_delta(board, more) + END_WEIGHT * (max(0, excess + more_ends) - max(0, excess))
    if chance != ALWAYS and not is_kept(delta, chance, board.cooling):
        return False
    board.border_pairs += more
    board.border_ends += more_ends
    board.energy += delta
    return True


def choose_keeps(bits: int, chance: cython.longlong) -> int:
    """Choose the direction in which a path that loses a square keeps its other part; NO_WAY for none."""
    if bits & (bits - 1):
        return direction(bits) if chance & 1 else direction(bits & (bits - 1))
    if bits and chance & 1:
        return direction(bits)
    return NO_WAY


def _collect(board: CoverBoard, path: int, first: int, keeps: int) -> int:
    """Put the squares to be taken into ``piece`` and count them; 0 if the path would touch itself."""
    count, cell, step = 0, first, way_on(board, first, keeps)
    while True:
        if count_beside(board, cell, path) > (1 if cell == first else 0):
            return 0
        board.piece[count] = cell
        count += 1
        if step == NO_WAY:
            return count
        cell = board.beside[4 * cell + step]
        step = way_on(board, cell, 3 - step)


def try_take(board: CoverBoard, path: int, side: int, toward: int, chance: cython.longlong) -> bool:
    """Let an end of a path take a neighbouring square and one side of the path that it is on.

    Args:
        path, side, toward: the path that grows, which of its ends, and the direction from there.
        chance: random bits: the lowest chooses the side, bits 1 to 32 decide on keeping.
    """
    end = board.ends[2 * path + side]
    first = board.beside[4 * end + toward]
    if first < 0:
        return False
    keeps = choose_keeps(board.links[first], chance)
    return take(board, path, side, toward, keeps, (chance >> 1) & CHANCE_BITS)


def take(board: CoverBoard, path: int, side: int, toward: int, keeps: int, chance: cython.longlong) -> bool:
    """Let an end of a path take a neighbouring square and with it all of its path but one part.

    Args:
        path, side, toward: the path that grows, which of its ends, and the direction from there.
        keeps: the direction, from the square taken, of the part that its path keeps; NO_WAY for none.
        chance: 32 random bits that decide on keeping; ALWAYS keeps every move that can be made.
    """
    end = board.ends[2 * path + side]
    first = board.beside[4 * end + toward]
    loser = board.path_of[first]
    if loser < 0 or loser == path:
        return False
    count = _collect(board, path, first, keeps)
    if count == 0:
        return False
    stay = board.beside[4 * first + keeps] if keeps != NO_WAY else -1
    far_side = side_of(board, loser, board.piece[count - 1])
    more, more_ends = _more_by_taking(board, path, side, loser, far_side, stay)
    if not _accept(board, _taking_delta(board, path, loser, count), more, more_ends, chance):
        return False
    board.ends[2 * path + side] = board.piece[count - 1]
    board.length[path] += count
    board.length[loser] -= count
    if stay >= 0:
        board.ends[2 * loser + far_side] = stay
    _relink(board, end, toward, count, stay, keeps)
    if stay < 0:
        close_gap(board, loser)
    return True


def _more_by_taking(
    board: CoverBoard, path: int, side: int, loser: int, far_side: int, stay: int
) -> tuple[int, int]:
    """Count how many more pairs then have both ends on the border, and how many more ends are there.

    ``stay`` is the end that the loser gets instead of the far one, -1 when nothing stays.
    """
    end, start = board.ends[2 * path + side], board.ends[2 * path + 1 - side]
    far, near = board.ends[2 * loser + far_side], board.ends[2 * loser + 1 - far_side]
    more = both_on_border(board, start, far) - both_on_border(board, start, end)
    more -= both_on_border(board, far, near)
    if stay < 0:
        return more, -board.border[end] - board.border[near]
    return more + both_on_border(board, stay, near), board.border[stay] - board.border[end]


def _taking_delta(board: CoverBoard, path: int, loser: int, count: int) -> int:
    """Return how much more the lengths and the count of paths then cost."""
    left = board.length[loser] - count
    delta = board.cost[board.length[path] + count]
    delta -= board.cost[board.length[path]] + board.cost[board.length[loser]]
    if left > 0:
        return delta + board.cost[left]
    return delta + (PATH_WEIGHT if board.path_count <= board.wanted else -PATH_WEIGHT)


def _relink(board: CoverBoard, end: int, toward: int, count: int, stay: int, keeps: int) -> None:
    """Join the collected piece to the end that takes it and cut it off where it was."""
    path, first = board.path_of[end], board.piece[0]
    for index in range(count):
        board.path_of[board.piece[index]] = path
        change(board, board.piece[index])
    change(board, end)
    set_links(board, end, board.links[end] | 1 << toward)
    set_links(board, first, board.links[first] | 1 << (3 - toward))
    if stay >= 0:
        set_links(board, first, board.links[first] & ~(1 << keeps))
        set_links(board, stay, board.links[stay] & ~(1 << (3 - keeps)))
        change(board, stay)


def try_split(board: CoverBoard, cell: int, toward: int, chance: cython.longlong) -> bool:
    """Cut a path between a cell and its neighbour in a direction, if it goes that way.

    The part that ends in the cell becomes a path of its own. Bits 1 to 32 of ``chance`` decide on keeping.
    """
    return split(board, cell, toward, (chance >> 1) & CHANCE_BITS)


def split(board: CoverBoard, cell: int, toward: int, chance: cython.longlong) -> bool:
    """Split a path like ``try_split``, with ``chance`` as in ``take``."""
    if not board.links[cell] >> toward & 1:
        return False
    path = board.path_of[cell]
    other = board.beside[4 * cell + toward]
    count = walk_to_end(board, cell, toward)
    side = side_of(board, path, board.piece[count - 1])
    far, stay = board.ends[2 * path + side], board.ends[2 * path + 1 - side]
    more = both_on_border(board, far, cell) + both_on_border(board, other, stay)
    more -= both_on_border(board, far, stay)
    more_ends = board.border[cell] + board.border[other]
    delta = board.cost[count] + board.cost[board.length[path] - count] - board.cost[board.length[path]]
    delta += PATH_WEIGHT if board.path_count >= board.wanted else -PATH_WEIGHT
    if not _accept(board, delta, more, more_ends, chance):
        return False
    _part(board, path, side, cell, toward, count)
    return True


def _part(board: CoverBoard, path: int, side: int, cell: int, toward: int, count: int) -> None:
    """Make the collected piece, from a cell to one end of its path, a path of its own."""
    other = board.beside[4 * cell + toward]
    set_links(board, cell, board.links[cell] & ~(1 << toward))
    set_links(board, other, board.links[other] & ~(1 << (3 - toward)))
    fresh = board.path_count
    board.path_count = fresh + 1
    board.ends[2 * fresh], board.ends[2 * fresh + 1] = board.ends[2 * path + side], cell
    board.length[fresh] = count
    board.ends[2 * path + side] = other
    board.length[path] -= count
    for index in range(count):
        board.path_of[board.piece[index]] = fresh
        change(board, board.piece[index])
    change(board, other)


def walk_to_end(board: CoverBoard, cell: int, back: int) -> int:
    """Put a path's squares from a cell to the end away from ``back`` into ``piece``, and count them."""
    board.piece[0] = cell
    count, step = 1, way_on(board, cell, back)
    while step != NO_WAY:
        cell = board.beside[4 * cell + step]
        board.piece[count] = cell
        count += 1
        step = way_on(board, cell, 3 - step)
    return count


def carve(board: CoverBoard, cell: int) -> bool:
    """Make the end of a path solid; False if the cell is not one. The energy is left as it was."""
    path, bits = board.path_of[cell], board.links[cell]
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
    board.ends[2 * path + side_of(board, path, cell)] = other
    return True


def side_of(board: CoverBoard, path: int, end: int) -> int:
    """Return which end of a path a cell is; 0 where it is both."""
    return 0 if board.ends[2 * path] == end else 1


def fill(board: CoverBoard, cell: int, turn: int) -> None:
    """Free a solid and let a path's end beside it take it, if one can; ``turn`` is where to begin."""
    lay_single(board, cell)
    for index in range(4):
        side = (index + turn) & 3
        other = board.beside[4 * cell + side]
        if other < 0 or board.path_of[other] < 0 or board.links[other] & (board.links[other] - 1):
            continue
        path = board.path_of[other]
        if try_take(board, path, side_of(board, path, other), 3 - side, 0):
            return
