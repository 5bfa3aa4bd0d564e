"""Moves in twos keep the squares which carry numbers symmetric; a flip keeps all ends.

What a path's end does to the set of ends is little: letting it take a square and a part of the path
there moves one end by two squares; taking a whole path ends two ends; a split makes two. Where that
disturbs the symmetry, a second move at the counterparts is looked for, which undoes the damage: the
paths there run otherwise, so that it is seldom the mirrored move, and often there is none. Both are
then kept or undone together, by what the board costs after the second. A flip, which lets two paths
that run side by side for one step exchange their halves, moves no end at all.

The paths themselves are not symmetric, and shall not be: half of such a puzzle would tell the rest.
"""

from linkpress.engine.kernels import pure_python as cython
from linkpress.engine.kernels.covers.cover_board import (
    NO_WAY,
    CoverBoard,
    both_on_border,
    change,
    count_beside,
    distance,
    forget_changes_after,
    is_end,
    is_odd,
)
from linkpress.engine.kernels.covers.moves import (
    ALWAYS,
    CHANCE_BITS,
    border_delta,
    choose_keeps,
    is_kept,
    side_of,
    split,
    take,
    walk_to_end,
)


def _note_undo(board: CoverBoard, by_split: bool, cell: int, toward: int, keeps: int) -> None:
    """Note how to take back the move made last: a taking by a taking or a split, a split by a taking."""
    board.undo_by_split[board.undo_count] = by_split
    board.undo_cell[board.undo_count], board.undo_toward[board.undo_count] = cell, toward
    board.undo_keeps[board.undo_count] = keeps
    board.undo_count += 1


def _take_at(board: CoverBoard, end: int, toward: int, keeps: int) -> bool:
    """Let a path's end take, whatever it costs, and note how to take that back; False if it can't."""
    first = board.beside[4 * end + toward]
    if first < 0 or not is_end(board, end):
        return False
    path = board.path_of[end]
    if not take(board, path, side_of(board, path, end), toward, keeps, ALWAYS):
        return False
    if keeps == NO_WAY:
        _note_undo(board, True, first, 3 - toward, NO_WAY)
    else:
        _note_undo(board, False, board.beside[4 * first + keeps], 3 - keeps, 3 - toward)
    return True


def _split_at(board: CoverBoard, cell: int, toward: int) -> bool:
    """Split a path whatever it costs, and note how to take it back; False if it does not go that way."""
    if not split(board, cell, toward, ALWAYS):
        return False
    _note_undo(board, False, cell, toward, NO_WAY)
    return True


def _take_back(board: CoverBoard) -> None:
    board.undo_count -= 1
    cell, toward = board.undo_cell[board.undo_count], board.undo_toward[board.undo_count]
    if board.undo_by_split[board.undo_count]:
        split(board, cell, toward, ALWAYS)
    else:
        path = board.path_of[cell]
        take(board, path, side_of(board, path, cell), toward, board.undo_keeps[board.undo_count], ALWAYS)


def try_twin_take(board: CoverBoard, end: int, toward: int, chance: cython.longlong) -> bool:
    """Let an end take a neighbouring square, and mend what that does to the numbers' symmetry.

    The lowest bit of ``chance`` chooses the side, bits 1 to 32 decide on keeping.
    """
    first = board.beside[4 * end + toward]
    if first < 0 or board.path_of[first] < 0 or board.path_of[first] == board.path_of[end]:
        return False
    keeps = choose_keeps(board.links[first], chance)
    before, odd, changes = distance(board), board.odd, board.changed_count
    board.undo_count = 0
    if not _take_at(board, end, toward, keeps):
        return False
    stay = board.beside[4 * first + keeps] if keeps != NO_WAY else -1
    if board.odd > odd:
        _mend(board, end, first, stay, odd)
    return _settle(board, True, before, changes, chance)


def _settle(board: CoverBoard, all_made: bool, before: int, changes: int, chance: cython.longlong) -> bool:
    """Keep the moves made, or take them back; ``before`` and ``changes`` are from before them."""
    if all_made and is_kept(distance(board) - before, (chance >> 1) & CHANCE_BITS, board.cooling):
        return True
    while board.undo_count > 0:
        _take_back(board)
    forget_changes_after(board, changes)
    return False


def _mend(board: CoverBoard, end: int, first: int, stay: int, odd: int) -> bool:
    """Make a move after which no more than ``odd`` squares disturb the symmetry, if there is one.

    The cells are those of the move before: the end that took, the square it took first, and the end
    that the other path got, -1 where nothing stayed.
    """
    if is_odd(board, end) and _mend_from(board, board.twin[end], odd):
        return True
    if is_odd(board, first) and _mend_from(board, board.twin[first], odd):
        return True
    return stay >= 0 and is_odd(board, stay) and _mend_into(board, board.twin[stay], odd)


def _mend_from(board: CoverBoard, end: int, odd: int) -> bool:
    """Let the end of a path take whatever mends the symmetry."""
    if not is_end(board, end):
        return False
    for toward in range(4):
        first = board.beside[4 * end + toward]
        if first < 0 or board.path_of[first] < 0 or board.path_of[first] == board.path_of[end]:
            continue
        for keeps in range(5):
            if _can_keep(board, first, keeps) and _take_at(board, end, toward, keeps):
                if board.odd <= odd:
                    return True
                _take_back(board)
    return False


def _can_keep(board: CoverBoard, first: int, keeps: int) -> bool:
    """Tell whether a path that loses a square can keep the part at ``keeps`` without a new odd square."""
    if keeps == NO_WAY:
        return is_end(board, first)
    if not board.links[first] >> keeps & 1:
        return False
    stay = board.beside[4 * first + keeps]
    return is_end(board, stay) or is_end(board, board.twin[stay])


def _mend_into(board: CoverBoard, stay: int, odd: int) -> bool:
    """Make a square an end by letting an end beside its path's next square take that and what follows."""
    if board.path_of[stay] < 0 or is_end(board, stay):
        return False
    for along in range(4):
        if not board.links[stay] >> along & 1:
            continue
        first = board.beside[4 * stay + along]
        for side in range(4):
            end = board.beside[4 * first + side]
            if end < 0 or board.path_of[end] == board.path_of[first] or not is_end(board, end):
                continue
            if _take_at(board, end, 3 - side, 3 - along):
                if board.odd <= odd:
                    return True
                _take_back(board)
    return False


def try_twin_split(board: CoverBoard, cell: int, toward: int, chance: cython.longlong) -> bool:
    """Split a path like ``try_split``, and another at the counterparts where the symmetry needs it."""
    before, odd, changes = distance(board), board.odd, board.changed_count
    board.undo_count = 0
    beyond = board.beside[4 * cell + toward]
    if not _split_at(board, cell, toward):
        return False
    if board.odd > odd:
        there = board.twin[cell]
        for side in range(4):
            if board.beside[4 * there + side] == board.twin[beyond]:
                _split_at(board, there, side)
    return _settle(board, True, before, changes, chance)


def try_exchange(board: CoverBoard, cell: int, toward: int, turn: int, chance: cython.longlong) -> bool:
    """Make the move of ``try_flip``, tried out before it is made; paths have other numbers then."""
    beyond, beside = board.beside[4 * cell + toward], board.beside[4 * cell + turn]
    if beside < 0 or not _both_go(board, cell, beside, toward):
        return False
    path, other, across = board.path_of[cell], board.path_of[beside], board.beside[4 * beside + toward]
    if path == other or _both_go(board, cell, beside, 3 - toward) or _both_go(board, beyond, across, toward):
        return False
    count = walk_to_end(board, cell, toward)
    far = board.piece[count - 1]
    other_count = walk_to_end(board, beside, toward)
    other_far = board.piece[other_count - 1]
    side, other_side = side_of(board, path, far), side_of(board, other, other_far)
    stay, other_stay = board.ends[2 * path + 1 - side], board.ends[2 * other + 1 - other_side]
    length, other_length = board.length[path], board.length[other]
    joined = count + other_count
    more = both_on_border(board, far, other_far) + both_on_border(board, stay, other_stay)
    more -= both_on_border(board, far, stay) + both_on_border(board, other_far, other_stay)
    delta = board.cost[joined] + board.cost[length + other_length - joined] + border_delta(board, more)
    delta -= board.cost[length] + board.cost[other_length]
    if not is_kept(delta, (chance >> 1) & CHANCE_BITS, board.cooling):
        return False
    fresh = board.path_count
    _relabel(board, cell, toward, fresh, False)
    if not _is_clear(board, beside, toward, fresh) or not _is_clear(board, across, 3 - toward, path):
        _relabel(board, cell, toward, path, False)
        return False
    board.energy += delta
    board.border_pairs += more
    _relabel(board, cell, toward, other, True)
    _relabel(board, across, 3 - toward, path, True)
    board.ends[2 * path], board.ends[2 * path + 1] = stay, other_stay
    board.ends[2 * other], board.ends[2 * other + 1] = far, other_far
    board.length[path], board.length[other] = length + other_length - joined, joined
    board.links[cell] ^= 1 << toward | 1 << turn
    board.links[beside] ^= 1 << toward | 1 << (3 - turn)
    board.links[beyond] ^= 1 << (3 - toward) | 1 << turn
    board.links[across] ^= 1 << (3 - toward) | 1 << (3 - turn)
    change(board, beyond)
    change(board, beside)
    return True


def _both_go(board: CoverBoard, one: int, other: int, toward: int) -> bool:
    return board.links[one] & board.links[other] & 1 << toward != 0


def _relabel(board: CoverBoard, cell: int, back: int, path: int, for_good: bool) -> None:
    """Give a path the squares from a cell to the end away from ``back``."""
    for index in range(walk_to_end(board, cell, back)):
        board.path_of[board.piece[index]] = path
        if for_good:
            change(board, board.piece[index])


def _is_clear(board: CoverBoard, cell: int, back: int, path: int) -> bool:
    """Tell whether from a cell to the end away from ``back`` only the first square touches a path, once."""
    count = walk_to_end(board, cell, back)
    for index in range(count):
        if count_beside(board, board.piece[index], path) > (1 if index == 0 else 0):
            return False
    return True


def try_flip(board: CoverBoard, cell: int, toward: int, turn: int, chance: cython.longlong) -> bool:
    """Let two paths that run side by side for one step exchange what follows; all ends stay.

    Args:
        cell, toward: the step of the one path.
        turn: the direction in which the other path lies.
        chance: random bits: bits 1 to 32 decide on keeping.
    """
    beyond, beside = board.beside[4 * cell + toward], board.beside[4 * cell + turn]
    if not board.links[cell] >> toward & 1 or beside < 0 or not board.links[beside] >> toward & 1:
        return False
    before, changes = distance(board), board.changed_count
    board.undo_count = 0
    if not _split_at(board, cell, toward):
        return False
    both_taken: bool = _take_at(board, cell, turn, toward) and _take_at(board, beyond, turn, NO_WAY)
    return _settle(board, both_taken, before, changes, chance)
