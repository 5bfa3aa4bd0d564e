"""Techniques that suppose an open edge to be drawn or ruled out, and look for a contradiction.

``propagate_simply`` follows a supposition with exits, clash and touch. ``suppose_all`` does that for every
open edge. What followed from the suppositions that hold is stored as far as there is room, since two
techniques use it again. Both take only the *strongest* suppositions, which follow from no other.

*Walls* (``find_walled_in``) goes on where the simple techniques end, with cut-offs, order and gaps judged by
colours, until there is a contradiction or no finding.

*Nested* (``find_nested``) supposes inside a supposition. After the first supposition was followed to its end,
every open edge is supposed both ways. If one way fails, the other is settled, until the first supposition
fails or nothing more is settled. Suppositions from which the most follows come first. As soon as some of
equal reach fail, the others wait, since lower rungs may settle them now.

A *settled edge* is ``edge + 1`` if it is drawn and ``-(edge + 1)`` if it is ruled out.
"""

from linkpress.engine.kernels import pure_python as cython
from linkpress.engine.kernels.glossary import EdgeState, Reason
from linkpress.engine.kernels.ladder.cell_techniques import find_simple
from linkpress.engine.kernels.ladder.cut_offs import Blocks, find_cut_offs
from linkpress.engine.kernels.ladder.gaps import Gaps, find_gaps, mark_near
from linkpress.engine.kernels.ladder.ladder_board import (
    LadderBoard,
    apply_findings,
    copy_known,
    count_open,
    draw,
    forget_findings,
    mark_all_dirty,
    propose,
    rule_out,
)
from linkpress.engine.kernels.ladder.wall_order import WallOrder, find_order, may_cross, note_touching
from linkpress.engine.kernels.pure_python import Ints, State, items, make_fields, unset_items

# A limit of rounds that no board reaches.
NO_LIMIT: int = 1_000_000
# Result of ``suppose`` if the supposition contradicts what is known before anything follows from it.
REFUTED_AT_ONCE: int = -1000
# Cause of a finding if nobody counted the rounds until the contradiction.
_UNCOUNTED: int = -1
# Room for the trails of suppositions that hold, in settled edges for each cell.
_TRAIL_ROOM: int = 128
_GAP_STAGES: int = 3
# Most effort of the technique walls in one climb: suppositions followed × open edges. On 200 boards of
# 10 × 10 with 8 to 12 pairs the limit changed no grade. A board of 40 × 40 with several fillings took 48 s
# without it and 7 s with it.
_MOST_WALLS_EFFORT: int = 2_000_000
# Most inner suppositions in one climb. That takes two seconds at 20 × 20. Two are counted for each edge that
# was open before the outer supposition, so that the count does not depend on the order of the edges.
_MOST_INNER: int = 200_000
# Most effort of the technique order at trying edges in one climb, in edges × squares². That is two rounds at
# 30 × 30 or twenty at 20 × 20. A round at 50 × 50 would take eight seconds.
_MOST_ORDER_EFFORT = cython.declare(cython.longlong, 3_000_000_000)


class Suppositions(State):
    """Suppositions tried on a board, and what followed from them. Each is written as a settled edge.

    A *candidate* is a supposition that was followed.
    """

    spare: LadderBoard  # the board with the present supposition
    all_propagated: int  # 1 if all suppositions were followed to their ends since the board last changed
    effort: int  # the effort of the technique walls in this climb
    inner_count: int  # the number of suppositions made inside others in this climb
    implied: Ints = items("suppositions")  # for each supposition: 1 + the last candidate it follows from
    candidate_count: int
    candidate: Ints = items("suppositions")  # the candidates, as settled edges
    stored_at: Ints = items("suppositions")  # for each candidate: where ``trails`` has its trail, or -1
    stored_length: Ints = items("suppositions")  # for each candidate: the length of its trail
    trails: Ints = unset_items("_TRAIL_ROOM * cells")  # what followed from each candidate that holds
    silent_gaps: Ints = items("suppositions")  # for each candidate: 1 + longest gaps without a find; or 0
    member: Ints = items("2 * cells")  # the trail of the present candidate
    proven_count: int
    proven: Ints = items("suppositions")  # the opposites of the suppositions that failed, as settled edges
    rounds: Ints = items("suppositions")  # for each entry of ``proven``: the rounds it took, or _UNCOUNTED

    def __init__(self, rows: int, cols: int, pair_count: int) -> None:
        cells = rows * cols
        suppositions = 4 * cells
        make_fields(self, locals())
        self.spare = LadderBoard(rows, cols, pair_count)


def propagate_simply(board: LadderBoard, limit: int) -> int:
    """Apply exits, clash and touch in rounds, beginning with the dirty cells.

    A cell's findings can change although the cell is not dirty. So without a limit, all cells are checked in
    the end. Then the result is complete, whichever edge was supposed first.

    Returns:
        The number of rounds, at most ``limit``. It is negative if the last round led to a contradiction.
    """
    rounds = 0
    while rounds < limit:
        forget_findings(board)
        find_simple(board)
        if board.finding_count == 0 and limit == NO_LIMIT:
            mark_all_dirty(board)
            find_simple(board)
        if board.finding_count == 0:
            break
        rounds += 1
        if not apply_findings(board):
            return -rounds
    return rounds


def suppose(board: LadderBoard, kind: int, edge: int, limit: int) -> int:
    """Draw or rule out an edge and propagate; return as ``propagate_simply`` does, or REFUTED_AT_ONCE."""
    board.trail_length = 0
    forget_findings(board)
    propose(board, kind, edge, 0, 0)
    if not apply_findings(board):
        return REFUTED_AT_ONCE
    return propagate_simply(board, limit)


def suppose_all(board: LadderBoard, suppositions: Suppositions, limit: int) -> None:
    """Suppose every open edge both ways, and record the suppositions that fail.

    Without a limit, suppositions that followed from one that holds are passed over. Afterwards, a candidate
    follows from no later one if its entry in ``implied`` is its own index + 1.
    """
    for place in range(4 * board.cells):
        suppositions.implied[place] = 0
    suppositions.candidate_count = suppositions.proven_count = 0
    stored = 0
    for edge in range(2 * board.cells):
        if board.edge[edge] != EdgeState.OPEN:
            continue
        for ruled_out in range(2):
            value = -edge - 1 if ruled_out else edge + 1
            if suppositions.implied[_place_of(value)] == 0:
                stored = _try_one(board, suppositions, value, limit, stored)


def _try_one(board: LadderBoard, suppositions: Suppositions, value: int, limit: int, stored: int) -> int:
    """Follow one supposition; ``stored`` and the result are as for ``_store_trail``."""
    rounds = _follow(board, suppositions, value, limit)
    suppositions.candidate[suppositions.candidate_count] = value
    suppositions.candidate_count += 1
    if rounds < 0:
        _record_refuted(suppositions, value, 0 if rounds == REFUTED_AT_ONCE else -rounds)
    elif limit == NO_LIMIT:
        for index in range(suppositions.spare.trail_length):
            suppositions.implied[_place_of(suppositions.spare.trail[index])] = suppositions.candidate_count
        return _store_trail(suppositions, suppositions.candidate_count - 1, stored)
    return stored


def _follow(board: LadderBoard, suppositions: Suppositions, value: int, limit: int) -> int:
    """Suppose a settled edge on the spare board, and return as ``suppose`` does."""
    copy_known(board, suppositions.spare)
    return suppose(suppositions.spare, _kind_of(value), abs(value) - 1, limit)


def _kind_of(value: int) -> int:
    return EdgeState.DRAWN if value > 0 else EdgeState.RULED_OUT


def _place_of(value: int) -> int:
    """Return the index of a settled edge in ``implied``."""
    return 2 * (value - 1) if value > 0 else 2 * (-value - 1) + 1


def _store_trail(suppositions: Suppositions, candidate: int, stored: int) -> int:
    """Append the spare board's trail to ``trails``.

    Args:
        stored: the number of items in ``trails`` so far.
    Returns:
        The number of items afterwards.
    """
    length = suppositions.spare.trail_length
    suppositions.stored_at[candidate], suppositions.stored_length[candidate] = stored, length
    if stored + length > _TRAIL_ROOM * suppositions.spare.cells:
        suppositions.stored_at[candidate] = -1
        return stored
    for index in range(length):
        suppositions.trails[stored + index] = suppositions.spare.trail[index]
    return stored + length


def _restore_trail(board: LadderBoard, suppositions: Suppositions, candidate: int) -> None:
    """Put the spare board back into the state after a candidate that holds, with its trail."""
    value, begin = suppositions.candidate[candidate], suppositions.stored_at[candidate]
    if begin < 0:
        _follow(board, suppositions, value, NO_LIMIT)
        return
    copy_known(board, suppositions.spare)
    length = suppositions.stored_length[candidate]
    suppositions.spare.trail_length = length
    for index in range(length):
        settled = suppositions.trails[begin + index]
        suppositions.spare.trail[index] = settled
        if settled > 0:
            draw(suppositions.spare, settled - 1)
        else:
            rule_out(suppositions.spare, -settled - 1)


def _record_refuted(suppositions: Suppositions, value: int, rounds: int) -> None:
    """Record that a supposition failed after some rounds, so that its opposite holds."""
    suppositions.proven[suppositions.proven_count] = -value
    suppositions.rounds[suppositions.proven_count] = rounds
    suppositions.proven_count += 1


def propose_proven(board: LadderBoard, suppositions: Suppositions) -> None:
    """Propose the opposites of all suppositions that failed."""
    forget_findings(board)
    for index in range(suppositions.proven_count):
        value = suppositions.proven[index]
        propose(board, _kind_of(value), abs(value) - 1, Reason.REFUTED, suppositions.rounds[index])


def judge_order(board: LadderBoard, order: WallOrder, suppositions: Suppositions) -> bool:
    """Find what the technique order says: first directly, then by drawing single edges.

    Edges are tried until the effort of the whole climb reaches its limit.

    Returns:
        False if paths would have to cross.
    """
    if not find_order(board, order):
        return False
    if board.finding_count > 0:
        return True
    suppositions.proven_count = 0
    cells: cython.longlong = board.cells
    order.effort += count_open(board) * cells * cells
    if order.effort > _MOST_ORDER_EFFORT:
        return True
    note_touching(board, order)
    for edge in range(2 * board.cells):
        if board.edge[edge] != EdgeState.OPEN or not may_cross(board, order, edge):
            continue
        rounds = _follow(board, suppositions, edge + 1, 1)
        forget_findings(suppositions.spare)
        if rounds >= 0 and not find_order(suppositions.spare, order):
            _record_refuted(suppositions, edge + 1, rounds + 1)
    propose_proven(board, suppositions)
    return True


def find_walled_in(
    board: LadderBoard, blocks: Blocks, gaps: Gaps, order: WallOrder, suppositions: Suppositions
) -> None:
    """Refute suppositions with the techniques that don't suppose.

    ``suppose_all`` must have been called without a limit on the same board.
    """
    suppositions.proven_count = 0
    if suppositions.effort <= _MOST_WALLS_EFFORT:
        for index in range(suppositions.candidate_count):
            suppositions.silent_gaps[index] = 0
        for stage in range(_GAP_STAGES):
            # First without gaps, then with gaps of up to two cells, then with gaps of up to three.
            longest = stage + 1 if stage > 0 else 0
            _try_strongest(board, blocks, gaps, order, suppositions, longest)
            if suppositions.proven_count > 0:
                break
    propose_proven(board, suppositions)


def _try_strongest(
    board: LadderBoard, blocks: Blocks, gaps: Gaps, order: WallOrder, suppositions: Suppositions, longest: int
) -> None:
    """Follow each of the strongest suppositions further, and record those that fail."""
    edges = count_open(board)
    for index in range(suppositions.candidate_count):
        if not _is_strongest(suppositions, index):
            continue
        suppositions.effort += edges
        members = _restore_members(board, suppositions, index)
        rounds = propagate_on(
            suppositions.spare, board, blocks, gaps, order, longest, suppositions.silent_gaps[index]
        )
        if rounds < 0:
            _record_equivalents(board, suppositions, index, members)
        elif rounds == 0:
            suppositions.silent_gaps[index] = longest + 1


def _is_strongest(suppositions: Suppositions, candidate: int) -> bool:
    """Return whether a candidate follows from no later one."""
    return suppositions.implied[_place_of(suppositions.candidate[candidate])] == candidate + 1


def _restore_members(board: LadderBoard, suppositions: Suppositions, candidate: int) -> int:
    """Restore a candidate's trail, copy it to ``member`` and return its length."""
    _restore_trail(board, suppositions, candidate)
    for index in range(suppositions.spare.trail_length):
        suppositions.member[index] = suppositions.spare.trail[index]
    return suppositions.spare.trail_length


def _record_equivalents(board: LadderBoard, suppositions: Suppositions, candidate: int, members: int) -> None:
    """Record a candidate that failed, and the members of its trail from which the candidate follows."""
    value = suppositions.candidate[candidate]
    for index in range(members):
        if suppositions.proven_count == 4 * board.cells:
            return
        member = suppositions.member[index]
        _follow(board, suppositions, member, NO_LIMIT)
        if suppositions.spare.edge[abs(value) - 1] == _kind_of(value):
            _record_refuted(suppositions, member, _UNCOUNTED)


def propagate_on(
    board: LadderBoard,
    before: LadderBoard,
    blocks: Blocks,
    gaps: Gaps,
    order: WallOrder,
    longest: int,
    silent_gaps: int,
) -> int:
    """Follow a supposition further, in each round with the lowest technique that finds anything.

    Args:
        board: the board after the simple techniques. It is changed.
        before: the board before the supposition.
        longest: the longest gaps to judge; 0 for none.
        silent_gaps: 1 + the ``longest`` of an earlier call on this board that found nothing; 0 for no such
            call. Its techniques are left out in the first round.
    Returns:
        The number of rounds with findings; -1 if they led to a contradiction.
    """
    gaps.by_colour = 1
    rounds = 0
    while True:
        forget_findings(board)
        if silent_gaps == 0 and not find_cut_offs(board, blocks):
            return -1
        if silent_gaps == 0 and board.finding_count == 0 and not find_order(board, order):
            return -1
        if board.finding_count == 0:
            if longest > 0:
                mark_near(before, board, gaps)
            if not find_gaps(board, max(1, silent_gaps), longest, gaps):
                return -1
        if board.finding_count == 0:
            return rounds
        if not apply_findings(board) or propagate_simply(board, NO_LIMIT) < 0:
            return -1
        rounds += 1
        silent_gaps = 0


def find_nested(board: LadderBoard, inner: LadderBoard, suppositions: Suppositions) -> None:
    """Refute suppositions with suppositions inside them.

    ``suppose_all`` must have been called without a limit on the same board.

    Args:
        inner: scratch.
    """
    suppositions.proven_count = 0
    edges = count_open(board)
    longest = _next_longest(suppositions, 2 * board.cells + 1)
    while longest >= 0 and suppositions.proven_count == 0 and suppositions.inner_count <= _MOST_INNER:
        for index in range(suppositions.candidate_count):
            if suppositions.stored_length[index] != longest or not _is_strongest(suppositions, index):
                continue
            suppositions.inner_count += 2 * edges
            members = _restore_members(board, suppositions, index)
            if not _holds_inside(board, inner, suppositions):
                _record_equivalents(board, suppositions, index, members)
        longest = _next_longest(suppositions, longest)
    propose_proven(board, suppositions)


def _next_longest(suppositions: Suppositions, below: int) -> int:
    """Return the longest trail of a strongest supposition that is shorter than ``below``; -1 if none is."""
    longest = -1
    for index in range(suppositions.candidate_count):
        length = suppositions.stored_length[index]
        if longest < length < below and _is_strongest(suppositions, index):
            longest = length
    return longest


def _holds_inside(board: LadderBoard, inner: LadderBoard, suppositions: Suppositions) -> bool:
    """Settle on the spare board all edges that single suppositions settle; return False if that fails."""
    changed: bool = True
    while changed:
        changed = False
        for edge in range(2 * board.cells):
            for ruled_out in range(2):
                if suppositions.spare.edge[edge] != EdgeState.OPEN:
                    continue
                copy_known(suppositions.spare, inner)
                if suppose(inner, EdgeState.RULED_OUT if ruled_out else EdgeState.DRAWN, edge, NO_LIMIT) >= 0:
                    continue
                changed = True
                opposite = EdgeState.DRAWN if ruled_out else EdgeState.RULED_OUT
                if suppose(suppositions.spare, opposite, edge, NO_LIMIT) < 0:
                    return False
    return True
