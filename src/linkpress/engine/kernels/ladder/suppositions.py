"""Techniques that suppose settle an open edge one way, follow it, and see whether it can be.

What followed from each supposition that holds is kept, as far as there is room: the last two techniques
use it again. Both take only the strongest suppositions: one that follows from another is passed over.

The one looks at the walls that a supposition would build. It follows it by the simple techniques on by
cut-offs, order and gaps, judged by colours, until they end in a contradiction or have nothing to say.

The other supposes inside a supposition. That fails, too, when some edge that it leaves open can be neither
drawn nor ruled out: where it is followed to its end each open edge is supposed both ways, and what fails
settles that edge, until the first supposition fails or nothing more does. It tries suppositions from the one
that leads farthest: as soon as some of equal reach fail, the rest wait for the lower rungs.
"""

from linkpress.engine.kernels import pure_python as cython
from linkpress.engine.kernels.glossary import EdgeState, Reason
from linkpress.engine.kernels.ladder.gap_sides import Gaps, mark_near
from linkpress.engine.kernels.ladder.gaps import find_gaps
from linkpress.engine.kernels.ladder.ladder_board import (
    LadderBoard,
    apply_findings,
    copy_known,
    count_open,
    draw,
    forget_findings,
    propose,
    rule_out,
)
from linkpress.engine.kernels.ladder.local import NO_LIMIT, REFUTED_AT_ONCE, propagate_simply, suppose
from linkpress.engine.kernels.ladder.reach import Blocks, find_cut_off
from linkpress.engine.kernels.ladder.wall_order import WallOrder, find_order, may_cross, note_touching
from linkpress.engine.kernels.pure_python import Ints, State, items, make_fields, unset_items

# The cause of a finding whose chain's rounds nobody counted.
UNCOUNTED: int = -1
# Numbers by cell for what followed from the suppositions that hold.
_KEPT_BY_CELL: int = 128
_GAP_STAGES: int = 3
# Suppositions followed on × open edges, after which a board is left unfinished: of 200 boards of
# 10 × 10 with 8 to 12 pairs it changed no grade; one of 40 × 40 with several fillings took 48 s
# without it, 7 s with it.
_MOST_EFFORT: int = 2_000_000
# Inner suppositions in one climb, two for each edge open before the outer, after which a board is left
# unfinished: two seconds at 20 × 20. What counts must not depend on the order in which edges are tried.
_MOST_INNER: int = 200_000
# Two rounds of 30 × 30, or twenty of 20 × 20; a round of 50 × 50 would take eight seconds.
_MOST_ORDER_EFFORT = cython.declare(cython.longlong, 3_000_000_000)


class Suppositions(State):
    """These suppositions were tried, and led to what is kept here.

    A supposition is written as a settled edge.
    """

    spare: LadderBoard  # what is known when the present supposition holds
    all_propagated: int  # 1 when all were followed to their ends since the board last changed
    effort: int  # suppositions followed on × open edges, over the whole climb
    inner_count: int  # suppositions made inside others, over the whole climb
    implied: Ints = items("suppositions")  # by ``_place_of``: 1 + the last candidate that it follows from
    candidate_count: int
    candidate: Ints = items("suppositions")  # the suppositions followed
    kept_at: Ints = items("suppositions")  # by candidate: its place in ``trails``, -1 when there was no room
    kept_length: Ints = items("suppositions")  # by candidate
    trails: Ints = unset_items("_KEPT_BY_CELL * cells")  # what followed from each candidate that holds
    found_none_below: Ints = items("suppositions")  # by candidate: 1 more than the gaps without a find
    member: Ints = items("2 * cells")  # what follows from the present candidate
    proven_count: int
    proven: Ints = items("suppositions")  # the opposites of the suppositions that failed
    chain: Ints = items("suppositions")  # by the same: the rounds until it failed, 0 at once, or UNCOUNTED

    def __init__(self, rows: int, cols: int, pair_count: int) -> None:
        cells = rows * cols
        suppositions = 4 * cells
        make_fields(self, locals())
        self.spare = LadderBoard(rows, cols, pair_count)


def suppose_all(board: LadderBoard, suppositions: Suppositions, limit: int) -> None:
    """Suppose both values of every open edge, and record those that end in a contradiction.

    Without a limit a supposition is passed over when it followed from one that held. Those
    followed are listed as candidates; one whose stamp in ``implied`` is its own place + 1 afterwards
    follows from no other.
    """
    for place in range(4 * board.cells):
        suppositions.implied[place] = 0
    suppositions.candidate_count = suppositions.proven_count = 0
    kept = 0
    for edge in range(2 * board.cells):
        if board.edge[edge] != EdgeState.OPEN:
            continue
        for ruled_out in range(2):
            value = -edge - 1 if ruled_out else edge + 1
            if suppositions.implied[_place_of(value)] == 0:
                kept = _try_one(board, suppositions, value, limit, kept)


def _try_one(board: LadderBoard, suppositions: Suppositions, value: int, limit: int, kept: int) -> int:
    """Follow one supposition, and return how much of ``trails`` is used then; before it was ``kept``."""
    rounds = _follow(board, suppositions, value, limit)
    suppositions.candidate[suppositions.candidate_count] = value
    suppositions.candidate_count += 1
    if rounds < 0:
        _record_refuted(suppositions, value, 0 if rounds == REFUTED_AT_ONCE else -rounds)
    elif limit == NO_LIMIT:
        for index in range(suppositions.spare.settled):
            suppositions.implied[_place_of(suppositions.spare.trail[index])] = suppositions.candidate_count
        return _keep_trail(suppositions, suppositions.candidate_count - 1, kept)
    return kept


def _follow(board: LadderBoard, suppositions: Suppositions, value: int, limit: int) -> int:
    """Suppose a settled edge in ``spare``, which is the board else, and return what ``suppose`` does."""
    copy_known(board, suppositions.spare)
    return suppose(suppositions.spare, _kind_of(value), _edge_of_value(value), limit)


def _kind_of(value: int) -> int:
    """Return whether a settled edge is DRAWN or RULED_OUT."""
    return EdgeState.DRAWN if value > 0 else EdgeState.RULED_OUT


def _edge_of_value(value: int) -> int:
    """Return the edge of a settled edge."""
    return abs(value) - 1


def _place_of(value: int) -> int:
    """Return the place of a settled edge in ``implied``."""
    return 2 * (value - 1) if value > 0 else 2 * (-value - 1) + 1


def _keep_trail(suppositions: Suppositions, candidate: int, kept: int) -> int:
    """Keep what follows from a candidate behind ``kept`` numbers; return how many are kept then."""
    length = suppositions.spare.settled
    suppositions.kept_at[candidate], suppositions.kept_length[candidate] = kept, length
    if kept + length > _KEPT_BY_CELL * suppositions.spare.cells:
        suppositions.kept_at[candidate] = -1
        return kept
    for index in range(length):
        suppositions.trails[kept + index] = suppositions.spare.trail[index]
    return kept + length


def _restore_trail(board: LadderBoard, suppositions: Suppositions, candidate: int) -> None:
    """Put what follows from a candidate that holds back into ``spare`` and onto the trail."""
    value, begin = suppositions.candidate[candidate], suppositions.kept_at[candidate]
    if begin < 0:
        _follow(board, suppositions, value, NO_LIMIT)
        return
    copy_known(board, suppositions.spare)
    length = suppositions.kept_length[candidate]
    suppositions.spare.settled = length
    for index in range(length):
        settled = suppositions.trails[begin + index]
        suppositions.spare.trail[index] = settled
        if settled > 0:
            draw(suppositions.spare, _edge_of_value(settled))
        else:
            rule_out(suppositions.spare, _edge_of_value(settled))


def _record_refuted(suppositions: Suppositions, value: int, chain: int) -> None:
    """Note that a supposition failed after so many rounds, so that its opposite holds."""
    suppositions.proven[suppositions.proven_count] = -value
    suppositions.chain[suppositions.proven_count] = chain
    suppositions.proven_count += 1


def propose_proven(board: LadderBoard, suppositions: Suppositions) -> None:
    """Make findings of the opposites of all suppositions that failed."""
    forget_findings(board)
    for index in range(suppositions.proven_count):
        value = suppositions.proven[index]
        propose(board, _kind_of(value), _edge_of_value(value), Reason.REFUTED, suppositions.chain[index])


def judge_order(board: LadderBoard, order: WallOrder, suppositions: Suppositions) -> bool:
    """Find what ``find_order`` does; where that is nothing, the steps after which paths would have to cross.

    Steps are tried as long as the whole climb's effort at it, in edges × squares², allows.
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
    """Find open edges one of whose values can't be, followed by the techniques that do not suppose.

    ``suppose_all`` was called with no limit before, and the board is as it was then.
    """
    suppositions.proven_count = 0
    if suppositions.effort <= _MOST_EFFORT:
        for index in range(suppositions.candidate_count):
            suppositions.found_none_below[index] = 0
        for stage in range(_GAP_STAGES):
            # At first components and cut-offs alone, then gaps of up to two and of up to three cells.
            longest = stage + 1 if stage > 0 else 0
            _try_strongest(board, blocks, gaps, order, suppositions, longest)
            if suppositions.proven_count > 0:
                break
    propose_proven(board, suppositions)


def _try_strongest(
    board: LadderBoard, blocks: Blocks, gaps: Gaps, order: WallOrder, suppositions: Suppositions, longest: int
) -> None:
    """Follow each of the strongest suppositions on, and record those that fail."""
    edges = count_open(board)
    for index in range(suppositions.candidate_count):
        if not _is_strongest(suppositions, index):
            continue
        suppositions.effort += edges
        same = _restore_members(board, suppositions, index)
        rounds = propagate_on(
            suppositions.spare, board, blocks, gaps, order, longest, suppositions.found_none_below[index]
        )
        if rounds < 0:
            _record_equivalents(board, suppositions, index, same)
        elif rounds == 0:
            suppositions.found_none_below[index] = longest + 1


def _is_strongest(suppositions: Suppositions, candidate: int) -> bool:
    """Tell whether a candidate follows from no later one."""
    return suppositions.implied[_place_of(suppositions.candidate[candidate])] == candidate + 1


def _restore_members(board: LadderBoard, suppositions: Suppositions, candidate: int) -> int:
    """Restore a candidate's trail, copy it to ``member`` and return its length."""
    _restore_trail(board, suppositions, candidate)
    for index in range(suppositions.spare.settled):
        suppositions.member[index] = suppositions.spare.trail[index]
    return suppositions.spare.settled


def _record_equivalents(board: LadderBoard, suppositions: Suppositions, candidate: int, members: int) -> None:
    """Record a candidate that failed, and all that it follows from among what follows from it."""
    value = suppositions.candidate[candidate]
    for index in range(members):
        if suppositions.proven_count == 4 * board.cells:
            return
        member = suppositions.member[index]
        _follow(board, suppositions, member, NO_LIMIT)
        if suppositions.spare.edge[_edge_of_value(value)] == _kind_of(value):
            _record_refuted(suppositions, member, UNCOUNTED)


def propagate_on(
    board: LadderBoard,
    before: LadderBoard,
    blocks: Blocks,
    gaps: Gaps,
    order: WallOrder,
    longest: int,
    found_none_below: int,
) -> int:
    """Follow a supposition on, by the lowest technique that says anything and does not suppose.

    Args:
        board: what followed from it; changed.
        before: what was known before it was supposed.
        longest: the longest gaps to be looked at.
        found_none_below: 0, or 1 more than the ``longest`` with which nothing was found before.
    Returns:
        How often anything was found; -1 when that ended in a contradiction.
    """
    gaps.by_colour = 1
    rounds = 0
    while True:
        forget_findings(board)
        if found_none_below == 0 and not find_cut_off(board, blocks):
            return -1
        if found_none_below == 0 and board.finding_count == 0 and not find_order(board, order):
            return -1
        if board.finding_count == 0:
            if longest > 0:
                mark_near(before, board, gaps)
            if not find_gaps(board, max(1, found_none_below), longest, gaps):
                return -1
        if board.finding_count == 0:
            return rounds
        if not apply_findings(board) or propagate_simply(board, NO_LIMIT) < 0:
            return -1
        rounds += 1
        found_none_below = 0


def find_nested(board: LadderBoard, inner: LadderBoard, suppositions: Suppositions) -> None:
    """Find open edges one of whose values fails by suppositions that follow it.

    ``suppose_all`` was called with no limit before, and the board is as it was then; ``inner`` is
    scratch.
    """
    suppositions.proven_count = 0
    edges = count_open(board)
    longest = _next_longest(suppositions, 2 * board.cells + 1)
    while longest >= 0 and suppositions.proven_count == 0 and suppositions.inner_count <= _MOST_INNER:
        for index in range(suppositions.candidate_count):
            if suppositions.kept_length[index] != longest or not _is_strongest(suppositions, index):
                continue
            suppositions.inner_count += 2 * edges
            same = _restore_members(board, suppositions, index)
            if not _holds_inside(board, inner, suppositions):
                _record_equivalents(board, suppositions, index, same)
        longest = _next_longest(suppositions, longest)
    propose_proven(board, suppositions)


def _next_longest(suppositions: Suppositions, below: int) -> int:
    """Return the most that follows from a supposition of which less than ``below`` does; -1 for none."""
    longest = -1
    for index in range(suppositions.candidate_count):
        length = suppositions.kept_length[index]
        if longest < length < below and _is_strongest(suppositions, index):
            longest = length
    return longest


def _holds_inside(board: LadderBoard, inner: LadderBoard, suppositions: Suppositions) -> bool:
    """Settle in ``spare`` what single suppositions settle there; False when that contradicts itself."""
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
