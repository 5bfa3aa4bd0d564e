"""Random walks that change a path cover (a board divided into paths) until it meets its requirements.

A walk tries moves at random, by simulated annealing. It begins with every cell as a path of its own. One move
in sixteen splits a path, one in sixteen moves a solid and its mirror image, and all others extend an end of a
path. The longer the walk takes, the less likely it is to accept a move away from the requirements.

``stir_at`` and ``stir_ends`` make only a few moves in one place of a finished cover.

After every move, no path touches itself. The moves are these:

**Extension and split.** A path can extend from one of its ends into a neighbouring cell of another path. It
then takes over that cell and the part of the other path on one side of it. So an extension can take a single
end cell, cut a path in two and take one part, or join two paths. A split is the opposite: it cuts a path in
two. A move is accepted with a probability that depends on the energy that it adds (the Metropolis rule, with
powers of 2 in place of ``exp``).

**Symmetric numbers.** If the cells with numbers must form a symmetric pattern, most moves disturb the
symmetry a little. For example, an extension that joins two paths removes two ends, and a split adds two. So
after such a move, a second move is tried at the mirror images of the changed ends, to restore the symmetry.
The paths there are different. So the second move is rarely the mirror image of the first, and often none is
possible. Both moves are accepted or undone together. With a quarter turn or both reflections, each number has
three mirror images, so several such moves are needed to restore the symmetry.

**Exchange of tails.** Suppose that two paths make parallel steps next to each other. These two steps can be
replaced by two steps across. Each path then continues with the tail of the other path, and all path ends stay
where they are.

Only the numbers must be placed symmetrically, not the paths. In a puzzle with symmetric paths, half of the
solution would give away the rest.
"""

from linkpress.engine.kernels import pure_python as cython
from linkpress.engine.kernels.covers.cover_board import (
    BORDER_WEIGHT,
    NO_DIRECTION,
    PATH_WEIGHT,
    CoverBoard,
    both_on_border,
    copy_cover,
    count_beside,
    distance,
    is_end,
    is_unmatched,
    lay_single,
    lowest_direction,
    measure,
    meets_order,
    next_direction,
    note_change,
    remove_path_number,
    reset_cooling,
    set_links,
    truncate_changes,
)
from linkpress.engine.kernels.pure_python import Ints
from linkpress.engine.kernels.rng import Rng, random_below, random_bits

# A random number of ``_CHANCE_WIDTH`` bits decides whether a move is accepted. ``CHANCE_BITS`` is the mask
# for these bits. All such numbers are smaller than ``_CERTAIN``. A move is accepted if the number is below
# ``_CERTAIN``, shifted right once for each time that the probability is halved.
CHANCE_BITS = cython.declare(cython.longlong, 0xFFFFFFFF)
_CERTAIN = cython.declare(cython.longlong, 0x100000000)
_CHANCE_WIDTH: int = 32
# The probability of a move is halved several times, by shifting a number to the right. In C, a shift by
# more than 63 bits is undefined, so this mask keeps only the lowest six bits of the shift. It would be
# more correct to replace every larger shift by 63. But then the same seeds would make other puzzles than
# in earlier versions.
_MAX_SHIFT: int = 63
# A caller passes this value in place of random bits if a move must be made in any case, even one that takes
# the path cover (a board divided into paths) far away from its requirements.
ALWAYS = cython.declare(cython.longlong, -1)
# A move that adds at least this much energy is never accepted. The energy says how far the path cover (a
# board divided into paths) is from its requirements.
_TOO_MUCH: int = 16


def is_accepted(delta: int, chance: cython.longlong, cooling: int) -> bool:
    """Decide at random whether to accept a move, by the Metropolis rule.

    Args:
        delta: the energy that the move adds. The energy says how far the path cover (a board divided into
            paths) is from its requirements. A move that adds none is always accepted.
        chance: 32 random bits.
        cooling: how many times the probability is halved for each unit of added energy.
    """
    if delta <= 0 or delta >= _TOO_MUCH:
        return delta <= 0
    halvings = cooling * delta
    if chance == 0:
        return halvings <= _CHANCE_WIDTH
    return chance < _CERTAIN >> (halvings & _MAX_SHIFT)


def _must_keep_count(board: CoverBoard, chance: cython.longlong) -> bool:
    """Return whether every move that changes the number of paths is sure to be rejected.

    If the result is True, the caller saves time, because it need not look at the cells of the move.

    The energy says how far the path cover (a board divided into paths) is from its requirements. Whether a
    move is accepted depends on the energy that it adds and on the random bits in ``chance``. If the energy is
    0, a move that changes the number of paths adds at least PATH_WEIGHT to it. For most values of ``chance``,
    a move that adds so much is rejected. If the cooling is very high, the result is always False, because
    ``is_accepted`` might then accept the move in spite of this (``_MAX_SHIFT`` explains why).

    Args:
        chance: the 32 random bits that decide whether the move is accepted, or ALWAYS.
    """
    cooling = board.cooling
    return (
        board.energy == 0
        and cooling * _TOO_MUCH <= _MAX_SHIFT + 1
        and chance >= _CERTAIN >> PATH_WEIGHT * cooling
    )


def _border_pairs_delta(board: CoverBoard, more: int) -> int:
    """Return the energy that is added if ``more`` additional paths have both ends on the border.

    The energy says how far the path cover (a board divided into paths) is from its requirements.
    """
    excess = board.border_pairs - board.max_border_pairs
    return BORDER_WEIGHT * (max(0, excess + more) - max(0, excess))


def _accept(board: CoverBoard, delta: int, more_pairs: int, more_ends: int, chance: cython.longlong) -> bool:
    """Decide whether to accept a move. If it is accepted, update the energy and two counts of the board.

    The energy says how far the path cover (a board divided into paths) is from its requirements.
    ``border_pairs`` counts paths with both ends on the border. ``limited_ends`` is the sum of the weights of
    path ends in cells where only a few path ends are allowed.

    Args:
        delta: the energy added by the changed path lengths and the changed number of paths.
        more_pairs: how much the move adds to ``border_pairs``.
        more_ends: how much the move adds to ``limited_ends``.
        chance: 32 random bits, or ALWAYS to accept the move whatever energy it adds.
    """
    excess = board.limited_ends - board.max_limited_ends
    delta += _border_pairs_delta(board, more_pairs)
    delta += max(0, excess + more_ends) - max(0, excess)
    if chance != ALWAYS and not is_accepted(delta, chance, board.cooling):
        return False
    board.border_pairs += more_pairs
    board.limited_ends += more_ends
    board.energy += delta
    return True


def end_index(board: CoverBoard, path: int, end: int) -> int:
    return 0 if board.ends[2 * path] == end else 1


def try_extend(board: CoverBoard, path: int, side: int, toward: int, random: cython.longlong) -> bool:
    """Try to extend a path into a cell of another path, and to take over a random part of the other path.

    Args:
        path, side: the number of the path that grows, and which of its ends extends (0 or 1).
        toward: the direction in which it extends.
        random: random bits. The lowest bit chooses the part of the other path. Bits 1 to 32 decide whether
            the move is accepted.
    """
    first = board.beside[4 * board.ends[2 * path + side] + toward]
    if first < 0:
        return False
    kept_side = _choose_kept_side(board.links[first], random)
    return _extend(board, path, side, toward, kept_side, (random >> 1) & CHANCE_BITS)


def _choose_kept_side(bits: int, random: cython.longlong) -> int:
    """Choose at random which part of a path it keeps when another path takes one of its cells.

    Returns:
        The direction from the lost cell to the part that the path keeps; NO_DIRECTION if it keeps nothing.
    """
    is_first: int = random & 1
    # ``bits`` is the set of directions in which the path leaves the cell. There are at most two. If
    # ``is_first`` is 1, return the direction with the lower number. If it is 0, remove this direction from
    # the set, and return the other one, or NO_DIRECTION if there is no other.
    return lowest_direction(bits & (bits - 1 + is_first))


def _extend(
    board: CoverBoard, path: int, side: int, toward: int, kept_side: int, chance: cython.longlong
) -> bool:
    """Extend a path into a cell of another path, and take over a part of the other path.

    Args:
        path, side: the number of the path that grows, and which of its ends extends (0 or 1).
        toward: the direction in which it extends.
        kept_side: the direction, from the cell that the other path loses, to the part that it keeps.
            NO_DIRECTION if it keeps nothing.
        chance: 32 random bits that decide whether the move is accepted; or ALWAYS.
    Returns:
        Whether the move was made.
    """
    end = board.ends[2 * path + side]
    first = board.beside[4 * end + toward]
    loser = board.path_of[first]
    if loser < 0 or loser == path or (kept_side == NO_DIRECTION and _must_keep_count(board, chance)):
        return False
    count = _collect_piece(board, path, first, kept_side)
    if count == 0:
        return False
    kept_end = board.beside[4 * first + kept_side] if kept_side != NO_DIRECTION else -1
    far_index = end_index(board, loser, board.piece[count - 1])
    more_pairs, more_ends = _more_on_border(board, path, side, loser, far_index, kept_end)
    if not _accept(board, _extension_delta(board, path, loser, count), more_pairs, more_ends, chance):
        return False
    board.ends[2 * path + side] = board.piece[count - 1]
    board.length[path] += count
    board.length[loser] -= count
    if kept_end >= 0:
        board.ends[2 * loser + far_index] = kept_end
    for index in range(count):
        board.path_of[board.piece[index]] = path
        note_change(board, board.piece[index])
    note_change(board, end)
    set_links(board, end, board.links[end] | 1 << toward)
    set_links(board, first, board.links[first] | 1 << (3 - toward))
    if kept_end >= 0:
        set_links(board, first, board.links[first] & ~(1 << kept_side))
        set_links(board, kept_end, board.links[kept_end] & ~(1 << (3 - kept_side)))
        note_change(board, kept_end)
    else:
        remove_path_number(board, loser)
    return True


def _collect_piece(board: CoverBoard, path: int, first: int, kept_side: int) -> int:
    """List in ``piece`` the cells that a path would take over from another path, and count them.

    Returns:
        The number of cells; 0 if the extended path would touch itself.
    """
    count, cell, step = 0, first, next_direction(board, first, kept_side)
    while True:
        if count_beside(board, cell, path) > (1 if cell == first else 0):
            return 0
        board.piece[count] = cell
        count += 1
        if step == NO_DIRECTION:
            return count
        cell = board.beside[4 * cell + step]
        step = next_direction(board, cell, 3 - step)


def _more_on_border(
    board: CoverBoard, path: int, side: int, loser: int, far_index: int, kept_end: int
) -> tuple[int, int]:
    """Return how much a move changes ``border_pairs`` and ``limited_ends``.

    In the move, one path grows at one of its ends. It takes over the cells at one end of a neighbouring path.
    ``border_pairs`` counts paths with both ends on the border. ``limited_ends`` is the sum of the weights of
    path ends in cells where only a few path ends are allowed.

    Args:
        path, side: the number of the path that grows, and the end at which it grows (0 or 1).
        loser, far_index: the number of the path that loses cells, and the end at which it loses them.
        kept_end: the cell where the rest of the losing path begins; -1 if it loses all its cells.
    """
    end, start = board.ends[2 * path + side], board.ends[2 * path + 1 - side]
    far, near = board.ends[2 * loser + far_index], board.ends[2 * loser + 1 - far_index]
    more = both_on_border(board, start, far) - both_on_border(board, start, end)
    more -= both_on_border(board, far, near)
    if kept_end < 0:
        return more, -board.limited[end] - board.limited[near]
    return more + both_on_border(board, kept_end, near), board.limited[kept_end] - board.limited[end]


def _extension_delta(board: CoverBoard, path: int, loser: int, count: int) -> int:
    """Return how much the energy grows when one path takes over cells of another path.

    The energy says how far the path cover (a board divided into paths) is from its requirements; 0 is best.
    Only two parts of it are computed here: the cost of each path's length, and the weight of too many or too
    few paths.

    Args:
        path: the number of the path that grows.
        loser: the number of the path that loses cells.
        count: how many cells move from one path to the other.
    """
    left = board.length[loser] - count
    delta = board.cost[board.length[path] + count]
    delta -= board.cost[board.length[path]] + board.cost[board.length[loser]]
    if left > 0:
        return delta + board.cost[left]
    return delta + (PATH_WEIGHT if board.path_count <= board.target_paths else -PATH_WEIGHT)


def try_split(board: CoverBoard, cell: int, toward: int, random: cython.longlong) -> bool:
    """Try to split a path between a cell and its neighbour in the direction ``toward``.

    Args:
        random: random bits. Bits 1 to 32, where bit 0 is the lowest, decide whether the move is accepted.
    Returns:
        Whether the move was made. It is False if the move is not accepted, or if no path goes from the cell
        in that direction.
    """
    return _split(board, cell, toward, (random >> 1) & CHANCE_BITS)


def _split(board: CoverBoard, cell: int, toward: int, chance: cython.longlong) -> bool:
    """Split a path next to a cell. The part that now ends in that cell becomes a new path.

    Args:
        toward: the direction, from the cell, of the step that is cut.
        chance: 32 random bits that decide whether the move is accepted; or ALWAYS.
    Returns:
        Whether the move was made.
    """
    if not board.links[cell] >> toward & 1 or _must_keep_count(board, chance):
        return False
    path = board.path_of[cell]
    other = board.beside[4 * cell + toward]
    count = _list_tail(board, cell, toward)
    side = end_index(board, path, board.piece[count - 1])
    far, near = board.ends[2 * path + side], board.ends[2 * path + 1 - side]
    more_pairs = both_on_border(board, far, cell) + both_on_border(board, other, near)
    more_pairs -= both_on_border(board, far, near)
    more_ends = board.limited[cell] + board.limited[other]
    delta = board.cost[count] + board.cost[board.length[path] - count] - board.cost[board.length[path]]
    delta += PATH_WEIGHT if board.path_count >= board.target_paths else -PATH_WEIGHT
    if not _accept(board, delta, more_pairs, more_ends, chance):
        return False
    set_links(board, cell, board.links[cell] & ~(1 << toward))
    set_links(board, other, board.links[other] & ~(1 << (3 - toward)))
    new_path = board.path_count
    board.path_count = new_path + 1
    board.ends[2 * new_path], board.ends[2 * new_path + 1] = far, cell
    board.length[new_path] = count
    board.ends[2 * path + side] = other
    board.length[path] -= count
    for index in range(count):
        board.path_of[board.piece[index]] = new_path
        note_change(board, board.piece[index])
    note_change(board, other)
    return True


def _list_tail(board: CoverBoard, cell: int, back: int) -> int:
    """List in ``piece`` the tail of a path, and return how many cells it has.

    The tail begins at ``cell`` and goes on to one end of the path.

    Args:
        back: the direction from ``cell`` to its neighbour on the path that is not in the tail.
    """
    board.piece[0] = cell
    count, step = 1, next_direction(board, cell, back)
    while step != NO_DIRECTION:
        cell = board.beside[4 * cell + step]
        board.piece[count] = cell
        count += 1
        step = next_direction(board, cell, 3 - step)
    return count


def make_solid(board: CoverBoard, cell: int) -> bool:
    """Turn a cell at the end of a path into a solid.

    The energy says how far the path cover (a board divided into paths) is from its requirements. It is not
    updated. The caller must do that.

    Returns:
        False if the cell is not a path end.
    """
    path, bits = board.path_of[cell], board.links[cell]
    if path < 0 or bits & (bits - 1):
        return False
    board.path_of[cell] = -1
    board.links[cell] = 0
    board.length[path] -= 1
    if bits == 0:
        remove_path_number(board, path)
        return True
    step = lowest_direction(bits)
    other = board.beside[4 * cell + step]
    board.links[other] &= ~(1 << (3 - step))
    board.ends[2 * path + end_index(board, path, cell)] = other
    return True


def free_solid(board: CoverBoard, cell: int, first_side: int) -> None:
    """Turn a solid into a path cell.

    The cell is added to the end of a neighbouring path if possible. Otherwise it becomes a path of its own.

    Args:
        first_side: the direction of the neighbour that is tried first.
    """
    lay_single(board, cell)
    for index in range(4):
        side = (index + first_side) & 3
        other = board.beside[4 * cell + side]
        if other < 0 or board.path_of[other] < 0 or board.links[other] & (board.links[other] - 1):
            continue
        path = board.path_of[other]
        if try_extend(board, path, end_index(board, path, other), 3 - side, 0):
            return


def _log_undo(board: CoverBoard, by_split: bool, cell: int, toward: int, kept_side: int) -> None:
    """Write into the undo log how to undo the move that was just made.

    A move splits a path, or extends a path so that it takes over another path or a part of it. A split is
    undone by an extension. An extension that took over a whole path is undone by a split. An extension that
    took over a part is undone by an extension that takes the part back.

    Args:
        by_split: whether a split undoes the move.
        cell, toward: the cell at which the undoing move begins, and the direction of that move.
        kept_side: only used if an extension undoes the move. The extension takes cells from another path,
            beginning with the neighbour of ``cell`` in the direction ``toward``. If the other path keeps some
            of its cells, this is the direction from that neighbour to the cells that are kept. Otherwise it
            is NO_DIRECTION.
    """
    board.undo_by_split[board.undo_count] = by_split
    board.undo_cell[board.undo_count], board.undo_toward[board.undo_count] = cell, toward
    board.undo_kept_side[board.undo_count] = kept_side
    board.undo_count += 1


def _extend_logged(board: CoverBoard, end: int, toward: int, kept_side: int) -> bool:
    """Extend one end of a path in the direction ``toward``, and log how to undo the move.

    The move is made even if it takes the path cover (a board divided into paths) further away from its
    requirements.

    Returns:
        False if the path can't be extended in this direction.
    """
    first = board.beside[4 * end + toward]
    if first < 0 or not is_end(board, end):
        return False
    path = board.path_of[end]
    if not _extend(board, path, end_index(board, path, end), toward, kept_side, ALWAYS):
        return False
    if kept_side == NO_DIRECTION:
        _log_undo(board, True, first, 3 - toward, NO_DIRECTION)
    else:
        _log_undo(board, False, board.beside[4 * first + kept_side], 3 - kept_side, 3 - toward)
    return True


def _split_logged(board: CoverBoard, cell: int, toward: int) -> bool:
    """Split a path between a cell and its neighbour in the direction ``toward``. Log how to undo the move.

    The move is made even if it takes the path cover (a board divided into paths) further away from its
    requirements.

    Returns:
        False if the path does not go from the cell in this direction.
    """
    if not _split(board, cell, toward, ALWAYS):
        return False
    _log_undo(board, False, cell, toward, NO_DIRECTION)
    return True


def _undo_last(board: CoverBoard) -> None:
    board.undo_count -= 1
    cell, toward = board.undo_cell[board.undo_count], board.undo_toward[board.undo_count]
    if board.undo_by_split[board.undo_count]:
        _split(board, cell, toward, ALWAYS)
    else:
        path = board.path_of[cell]
        kept_side = board.undo_kept_side[board.undo_count]
        _extend(board, path, end_index(board, path, cell), toward, kept_side, ALWAYS)


def _keep_or_undo(board: CoverBoard, before: int, changes: int, random: cython.longlong) -> bool:
    """Decide at random whether to accept all moves in the undo log. If not, undo all of them.

    Args:
        before: how far the path cover (a board divided into paths) was from its requirements before the
            moves.
        changes: the length of the list ``changed`` before the moves.
        random: random bits. Bits 1 to 32, where bit 0 is the lowest, decide whether the moves are accepted.
    """
    if is_accepted(distance(board) - before, (random >> 1) & CHANCE_BITS, board.cooling):
        return True
    while board.undo_count > 0:
        _undo_last(board)
    truncate_changes(board, changes)
    return False


def try_symmetric_extend(board: CoverBoard, end: int, toward: int, random: cython.longlong) -> bool:
    """Try to extend one end of a path, together with a second move that restores the numbers' symmetry.

    The path extends into a cell of another path, and takes over a part of the other path.

    Args:
        end, toward: the path end, and the direction in which it extends.
        random: random bits that choose the part of the other path to take over, and decide whether to accept
            the moves.
    """
    first = board.beside[4 * end + toward]
    if first < 0 or board.path_of[first] < 0 or board.path_of[first] == board.path_of[end]:
        return False
    kept_side = _choose_kept_side(board.links[first], random)
    before, unmatched, changes = distance(board), board.unmatched, board.changed_count
    board.undo_count = 0
    if not _extend_logged(board, end, toward, kept_side):
        return False
    kept_end = board.beside[4 * first + kept_side] if kept_side != NO_DIRECTION else -1
    if board.unmatched > unmatched:
        _restore_symmetry(board, end, first, kept_end, unmatched)
    return _keep_or_undo(board, before, changes, random)


def _restore_symmetry(board: CoverBoard, end: int, first: int, kept_end: int, unmatched: int) -> bool:
    """Make a second move after a path was extended, to restore the symmetry of the numbers.

    A cell and its mirror image break the symmetry if only one of the two is a path end.

    Args:
        end: the path end that was extended.
        first: the first cell into which it was extended.
        kept_end: the new end of the path that lost cells; -1 if it lost all of them.
        unmatched: after the second move, at most this many pairs of a cell and its mirror image may break the
            symmetry.
    Returns:
        Whether such a second move was possible.
    """
    if is_unmatched(board, end) and _move_end_away(board, board.mirror[end], unmatched):
        return True
    if is_unmatched(board, first) and _move_end_away(board, board.mirror[first], unmatched):
        return True
    if kept_end < 0 or not is_unmatched(board, kept_end):
        return False
    return _make_end(board, board.mirror[kept_end], unmatched)


def _move_end_away(board: CoverBoard, end: int, unmatched: int) -> bool:
    """Extend a path at one of its ends, in the first direction that keeps the numbers symmetric enough.

    The cells with numbers must form a symmetric pattern.

    A cell and its mirror image break the symmetry if only one of the two is a path end.

    Args:
        unmatched: after the move, at most this many pairs of a cell and its mirror image may break the
            symmetry.
    Returns:
        Whether such a move was possible.
    """
    if not is_end(board, end):
        return False
    for toward in range(4):
        first = board.beside[4 * end + toward]
        if first < 0 or board.path_of[first] < 0 or board.path_of[first] == board.path_of[end]:
            continue
        for kept_side in range(5):
            if _can_keep(board, first, kept_side) and _extend_logged(board, end, toward, kept_side):
                if board.unmatched <= unmatched:
                    return True
                _undo_last(board)
    return False


def _can_keep(board: CoverBoard, first: int, kept_side: int) -> bool:
    """Return whether a path that loses a cell may keep its part on one side of this cell.

    The cell that comes next in the kept part becomes a path end. The numbers must form a symmetric pattern.
    So this cell or its mirror image must be a path end already. If the path keeps nothing, the lost cell must
    be one of its ends.

    Args:
        first: the cell that the path loses.
        kept_side: the direction from this cell to the kept part; NO_DIRECTION if nothing is kept.
    """
    if kept_side == NO_DIRECTION:
        return is_end(board, first)
    if not board.links[first] >> kept_side & 1:
        return False
    kept_end = board.beside[4 * first + kept_side]
    return is_end(board, kept_end) or is_end(board, board.mirror[kept_end])


def _make_end(board: CoverBoard, cell: int, unmatched: int) -> bool:
    """Turn an inner cell of a path into a path end, by letting another path take over the next cell.

    The pattern of the numbers must stay symmetric enough. A cell and its mirror image break the symmetry if
    only one of the two is a path end.

    Args:
        unmatched: after the move, at most this many pairs of a cell and its mirror image may break the
            symmetry.
    Returns:
        Whether such a move was possible.
    """
    if board.path_of[cell] < 0 or is_end(board, cell):
        return False
    for along in range(4):
        if not board.links[cell] >> along & 1:
            continue
        first = board.beside[4 * cell + along]
        for side in range(4):
            end = board.beside[4 * first + side]
            if end < 0 or board.path_of[end] == board.path_of[first] or not is_end(board, end):
                continue
            if _extend_logged(board, end, 3 - side, 3 - along):
                if board.unmatched <= unmatched:
                    return True
                _undo_last(board)
    return False


def try_symmetric_split(board: CoverBoard, cell: int, toward: int, random: cython.longlong) -> bool:
    """Try to split a path, on a board whose numbers must form a symmetric pattern.

    The split makes two new path ends in neighbouring cells. If this disturbs the symmetry, a path that runs
    between the mirror images of these cells is split there too. All splits are then accepted or undone
    together.
    """
    before, unmatched, changes = distance(board), board.unmatched, board.changed_count
    board.undo_count = 0
    other = board.beside[4 * cell + toward]
    if not _split_logged(board, cell, toward):
        return False
    if board.unmatched > unmatched:
        image = board.mirror[cell]
        for side in range(4):
            if board.beside[4 * image + side] == board.mirror[other]:
                _split_logged(board, image, side)
    return _keep_or_undo(board, before, changes, random)


def try_exchange(board: CoverBoard, cell: int, toward: int, across: int, random: cython.longlong) -> bool:
    """Try to exchange the tails of two paths that make parallel steps next to each other.

    The two steps are replaced by two steps across, so that each path continues with the tail of the other.

    Args:
        cell, toward: the cell where the first path begins its step, and the direction of the step.
        across: the direction from the first path to the second.
        random: random bits. Bits 1 to 32, where bit 0 is the lowest, decide whether the exchange is accepted.
    """
    following, beside = board.beside[4 * cell + toward], board.beside[4 * cell + across]
    if beside < 0 or not _both_go(board, cell, beside, toward):
        return False
    path, other, far_across = board.path_of[cell], board.path_of[beside], board.beside[4 * beside + toward]
    if path == other or _both_go(board, cell, beside, 3 - toward):
        return False
    if _both_go(board, following, far_across, toward):
        return False
    count = _list_tail(board, cell, toward)
    far = board.piece[count - 1]
    other_count = _list_tail(board, beside, toward)
    other_far = board.piece[other_count - 1]
    side, other_side = end_index(board, path, far), end_index(board, other, other_far)
    near, other_near = board.ends[2 * path + 1 - side], board.ends[2 * other + 1 - other_side]
    length, other_length = board.length[path], board.length[other]
    joined = count + other_count
    more = both_on_border(board, far, other_far) + both_on_border(board, near, other_near)
    more -= both_on_border(board, far, near) + both_on_border(board, other_far, other_near)
    delta = board.cost[joined] + board.cost[length + other_length - joined]
    delta += _border_pairs_delta(board, more) - board.cost[length] - board.cost[other_length]
    if not is_accepted(delta, (random >> 1) & CHANCE_BITS, board.cooling):
        return False
    new_path = board.path_count
    _relabel_tail(board, cell, toward, new_path, False)
    if not _is_clear(board, beside, toward, new_path) or not _is_clear(board, far_across, 3 - toward, path):
        _relabel_tail(board, cell, toward, path, False)
        return False
    board.energy += delta
    board.border_pairs += more
    _relabel_tail(board, cell, toward, other, True)
    _relabel_tail(board, far_across, 3 - toward, path, True)
    board.ends[2 * path], board.ends[2 * path + 1] = near, other_near
    board.ends[2 * other], board.ends[2 * other + 1] = far, other_far
    board.length[path], board.length[other] = length + other_length - joined, joined
    board.links[cell] ^= 1 << toward | 1 << across
    board.links[beside] ^= 1 << toward | 1 << (3 - across)
    board.links[following] ^= 1 << (3 - toward) | 1 << across
    board.links[far_across] ^= 1 << (3 - toward) | 1 << (3 - across)
    note_change(board, following)
    note_change(board, beside)
    return True


def _both_go(board: CoverBoard, one: int, other: int, toward: int) -> bool:
    return board.links[one] & board.links[other] & 1 << toward != 0


def _relabel_tail(board: CoverBoard, cell: int, back: int, path: int, noted: bool) -> None:
    """Give the tail of a path to another path.

    The tail begins at ``cell`` and goes on to one end of the path that loses it.

    Args:
        back: the direction from ``cell`` to its neighbour on the losing path that is not in the tail.
        path: the number of the path that gets the tail.
        noted: whether to add the cells to the list of changed cells.
    """
    for index in range(_list_tail(board, cell, back)):
        board.path_of[board.piece[index]] = path
        if noted:
            note_change(board, board.piece[index])


def _is_clear(board: CoverBoard, cell: int, back: int, path: int) -> bool:
    """Return whether the tail of one path could be joined to another path without touching it elsewhere.

    The tail consists of the cells from ``cell`` to one end of its path. ``cell`` may be beside one cell of
    the other path. No other cell of the tail may be beside the other path.

    Args:
        back: the direction from ``cell`` to its neighbour on the same path that is not in the tail.
        path: the number of the other path.
    """
    count = _list_tail(board, cell, back)
    for index in range(count):
        if count_beside(board, board.piece[index], path) > (1 if index == 0 else 0):
            return False
    return True


# The higher the cooling of a random walk, the less likely the walk is to accept a move that makes the path
# cover (a board divided into paths) worse. The cooling grows by 1 each time ``_COOL_AFTER`` moves for each
# cell of the board have been tried, until it reaches ``_COLDEST``.
_COOL_AFTER: int = 150
_COLDEST: int = 6
# A random walk changes a path cover (a board divided into paths) step by step. The lower its cooling, the
# more often it accepts a move that makes the path cover worse. A walk that only shakes up a path cover has
# this low cooling.
_SHAKE_COOLING: int = 1
# Some bits of a random number choose the kind of the next move of a random walk. ``_KIND_BITS`` is the mask
# for these bits. If their value is ``_SPLIT``, a path is split. If it is ``_SOLID``, a solid is moved. With
# any other value, a path is extended.
_KIND_BITS: int = 60
_SPLIT: int = 0
_SOLID: int = 4
# On boards whose numbers must be placed symmetrically, or must not be neighbours, a random number from 0 to
# 15 is chosen for each move. If it is at least this value, the move begins at a path end. Otherwise it begins
# at any cell.
_FROM_END: int = 4
# Style targets are values that measured properties of a board should have. On a board with style targets
# and symmetrically placed numbers, a random walk may have met all requirements but the symmetry: some path
# ends have a mirror image that is not a path end. Then a random number from 0 to 15 is chosen for each
# move. If it is at least this value, the move begins at one of these path ends. Without this rule, four
# walks in five made no progress in this situation. Puzzles of 10 × 10 with 8 pairs take 8.9 ms each without
# it, and 7.4 ms with it.
_FROM_UNMATCHED: int = 8
# Mask for those bits of a random number that choose a cell from a list.
_CELL_BITS: int = 0xFFFFFFF


def stir(board: CoverBoard, backup: CoverBoard, rng: Rng, most: cython.longlong) -> cython.longlong:
    """Make random moves until the path cover (a board divided into paths) meets its requirements.

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
    """Make random moves with little regard to the requirements, to get a different path cover.

    A path cover is a board divided into paths.

    Args:
        backup: another board of the same size, as work space.
        moves: how many moves to try.
    """
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
            if _match_end(board, cell, chance):
                return
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
    """Find a path end that breaks the symmetry of the numbers.

    The symmetry maps such an end onto a cell that is not a path end. Cells are tried in the order of their
    numbers, starting with the given cell. After the last cell of the board comes the first.

    Returns:
        The first such path end; the given cell if there is none.
    """
    least = board.cells
    for index in range(board.lone_count):
        ahead = board.lone_ends[index] - cell
        least = min(least, ahead + board.cells if ahead < 0 else ahead)
    return (cell + least) % board.cells


def _match_end(board: CoverBoard, end: int, chance: cython.longlong) -> bool:
    """Try to make a path end at a place where the symmetry of the board needs one.

    The symmetry needs a path end at each mirror image of a path end. To make one, the path of ``end`` is
    extended into a cell of a neighbouring path. There it cuts the neighbouring path in two. It takes over the
    cell and the part on one side of it. The other part stays with the neighbouring path, and now ends next to
    the cell. The move is tried only if this new end is at a place where the symmetry needs one. With such
    moves, boards of 10 × 10 with symmetrically placed numbers take a tenth less time.

    Args:
        end: a path end whose mirror image is not a path end.
        chance: random bits that decide whether the move is accepted.
    """
    path = board.path_of[end]
    for toward in range(4):
        first = board.beside[4 * end + toward]
        if first < 0 or board.path_of[first] < 0 or board.path_of[first] == path:
            continue
        for kept_side in range(4):
            if board.links[first] >> kept_side & 1:
                matched = board.mirrored_from[board.beside[4 * first + kept_side]]
                is_lone: bool = matched != end and board.lone_place[matched] > 0
                if is_lone and _extend(
                    board, path, end_index(board, path, end), toward, kept_side, chance & CHANCE_BITS
                ):
                    return True
    return False


def _try_symmetric(board: CoverBoard, cell: int, toward: int, kind: int, chance: cython.longlong) -> bool:
    """Try one random move of the path through a cell.

    This is used for boards whose numbers must form a symmetric pattern, and for boards on which no two
    neighbouring cells may both have a number. There are three cases:

    - The path goes on from the cell in the direction ``toward``, and ``kind`` is 1: try to split the path
      there.
    - The path goes on in this direction, and ``kind`` is any other number: try to exchange the rest of the
      path for the rest of another path that runs beside it.
    - The path ends at the cell: try to extend it in this direction.

    Args:
        kind: a random number from 0 to 15.
        chance: random bits that decide whether the move is accepted.
    Returns:
        Whether the move was made.
    """
    if board.path_of[cell] < 0:
        return False
    if board.links[cell] >> toward & 1:
        if kind == 1:
            return try_symmetric_split(board, cell, toward, chance)
        is_vertical: bool = toward == 0 or toward == 3
        across: int = (chance & 1) + 1 if is_vertical else 3 * (chance & 1)
        return try_exchange(board, cell, toward, across, chance)
    if not is_end(board, cell):
        return False
    return try_symmetric_extend(board, cell, toward, chance)


def _move_solid(board: CoverBoard, backup: CoverBoard, rng: Rng) -> None:
    """Try to exchange a solid and a path end: the solid becomes part of a path, the path end a solid.

    The symmetry of the solids maps each cell onto its mirror image. The mirror images of the two cells are
    exchanged as well.
    """
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
    """Return whether two cells would have the same colour if the board were coloured like a chessboard."""
    cols = board.cols
    return (one // cols + one % cols + other // cols + other % cols) & 1 == 0


def _swap_solids(board: CoverBoard, rng: Rng, solid: int, end: int, first_side: int, before: int) -> bool:
    """Turn a solid and its mirror image into path cells, and a path end and its mirror image into solids.

    The mirror image of a cell is the cell onto which the symmetry of the solids maps it.

    Args:
        first_side: the direction in which a freed cell first looks for a path that can extend into it.
        before: how far the path cover (a board divided into paths) was from its requirements before the move.
    Returns:
        False if the move is impossible or not accepted. The caller must then restore the board.
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
    """Make random moves around given cells of a finished path cover, until it meets its requirements again.

    A cover is a board divided into paths. A move extends, splits or exchanges paths.

    Args:
        focus: the cells at which moves may begin.
        size: how many cells to use, counted from the beginning of ``focus``.
        moves: the smallest number of moves to make.
        most: the largest number of moves to try.
    Returns:
        False if the requirements are not met after ``most`` tries. The caller must then restore the cover.
    """
    done = 0
    for _ in range(most):
        random: cython.longlong = random_bits(rng)
        # Only some bits of ``random`` are used, because the division below would take twice as long with
        # all of them.
        number: int = random & _CELL_BITS
        if _try_at(board, focus[number % size], random):
            done += 1
        if done >= moves and meets_order(board):
            return True
    return False


def stir_ends(board: CoverBoard, rng: Rng, chosen: Ints, size: int, moves: int, most: int) -> bool:
    """Make random moves at given path ends of a finished path cover.

    A path cover is a board divided into paths. A move extends a path at one of its ends. On a board whose
    numbers must be placed symmetrically, it may also exchange the tails of two paths.

    Args:
        chosen: the path ends, each as an index into the list ``ends`` of the board.
        size: how many path ends to use, counted from the beginning of ``chosen``.
        moves: the largest number of moves to make.
        most: the largest number of moves to try. If none of the first half of them succeeds, the other half
            is not tried.
    Returns:
        Whether moves were made, and the cover meets its requirements again. If not, the caller must restore
        the cover.
    """
    done = 0
    for tried in range(most):
        if done == 0 and 2 * tried >= most:
            return False
        random: cython.longlong = random_bits(rng)
        number: int = random & _CELL_BITS
        place = chosen[number % size]
        toward: int = random >> 28 & 3
        chance: cython.longlong = random >> 30
        if place >= 2 * board.path_count:
            # ``place`` is the index of a path end that no longer exists, because an earlier move has joined
            # two paths. So no move is made.
            made: bool = False
        elif board.symmetric or board.ends_apart:
            made = _try_symmetric(board, board.ends[place], toward, random >> 24 & 15, chance)
        else:
            made = try_extend(board, place // 2, place & 1, toward, chance)
        if made:
            done += 1
            if done >= moves and meets_order(board):
                return True
    return done > 0 and meets_order(board)


def _try_at(board: CoverBoard, cell: int, random: cython.longlong) -> bool:
    """Try one random move at a cell: split the path there, or extend it or a neighbouring path."""
    toward: int = random >> 28 & 3
    chance: cython.longlong = random >> 30
    if board.symmetric or board.ends_apart:
        return _try_symmetric(board, cell, toward, random >> 24 & 15, chance)
    other = board.beside[4 * cell + toward]
    if board.path_of[cell] < 0 or other < 0 or board.path_of[other] < 0:
        return False
    # Four in five tries end at this test. The processor can't predict which ones, and wrong predictions cost
    # time. So all conditions are computed without branches, and a single branch tests the result.
    is_linked = board.links[cell] >> toward & 1
    grown: int = other + (cell - other) * (random >> 27 & 1)
    bits = board.links[grown]
    is_split = is_linked & (1 if random & 7 == 0 else 0)
    is_extension = (is_linked ^ 1) & (1 if bits & (bits - 1) == 0 else 0)
    if not is_split | is_extension:
        return False
    if is_split:
        return try_split(board, cell, toward, chance)
    path = board.path_of[grown]
    side = end_index(board, path, grown)
    return try_extend(board, path, side, toward if grown == cell else 3 - toward, chance)
