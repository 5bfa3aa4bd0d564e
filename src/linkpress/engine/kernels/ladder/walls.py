"""The last two techniques suppose, follow, and look at the walls that this would build, or suppose again.

The first follows every supposition that holds by the simple techniques on by cut-offs, order and
gaps, judged by colours, until they end in a contradiction or have nothing to say.
It takes only the strongest suppositions: one that follows from another is passed over.

The last supposes inside a supposition. That fails, too, when some edge that it leaves open can be neither
drawn nor ruled out: where it is followed to its end each open edge is supposed both ways, and what fails
settles that edge, until the first supposition fails or nothing more does.

It tries suppositions from the one that leads farthest: as soon as some of equal reach fail, the rest
wait for the lower rungs.
"""

from linkpress.engine.kernels.glossary import EdgeState
from linkpress.engine.kernels.ladder.gap_sides import Gaps, mark_near
from linkpress.engine.kernels.ladder.gaps import find_gaps
from linkpress.engine.kernels.ladder.ladder_board import (
    LadderBoard,
    apply_findings,
    copy_known,
    count_open,
    forget_findings,
)
from linkpress.engine.kernels.ladder.local import NO_LIMIT, propagate_simply, suppose
from linkpress.engine.kernels.ladder.reach import Blocks, find_cut_off
from linkpress.engine.kernels.ladder.suppositions import (
    UNCOUNTED,
    Suppositions,
    edge_of_value,
    kind_of,
    place_of,
    propose_proven,
    record_refuted,
    restore_trail,
)
from linkpress.engine.kernels.ladder.wall_order import WallOrder, find_order

GAP_STAGES: int = 3
# Suppositions followed on × open edges, after which a board is left unfinished: of 200 boards of
# 10 × 10 with 8 to 12 pairs it changed no grade; one of 40 × 40 with several fillings took 48 s
# without it, 7 s with it.
MOST_EFFORT: int = 2_000_000


def find_walled_in(
    board: LadderBoard, blocks: Blocks, gaps: Gaps, order: WallOrder, suppositions: Suppositions
) -> None:
    """Find open edges one of whose values can't be, followed by the techniques that do not suppose.

    ``suppose_all`` was called with no limit before, and the board is as it was then.
    """
    suppositions.proven_count = 0
    if suppositions.effort <= MOST_EFFORT:
        for index in range(suppositions.candidate_count):
            suppositions.found_none_below[index] = 0
        for stage in range(GAP_STAGES):
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
        value = suppositions.candidate[index]
        if suppositions.implied[place_of(value)] != index + 1:
            continue
        suppositions.effort += edges
        same = restore_members(board, suppositions, index)
        rounds = propagate_on(
            suppositions.spare, board, blocks, gaps, order, longest, suppositions.found_none_below[index]
        )
        if rounds < 0:
            record_equivalents(board, suppositions, value, same)
        elif rounds == 0:
            suppositions.found_none_below[index] = longest + 1


def restore_members(board: LadderBoard, suppositions: Suppositions, candidate: int) -> int:
    """Restore a candidate's trail, copy it to ``member`` and return its length."""
    restore_trail(board, suppositions, candidate)
    for index in range(suppositions.spare.settled):
        suppositions.member[index] = suppositions.spare.trail[index]
    return suppositions.spare.settled


def record_equivalents(board: LadderBoard, suppositions: Suppositions, value: int, members: int) -> None:
    """Record a supposition that failed, and all that it follows from among what follows from it."""
    for index in range(members):
        if suppositions.proven_count == suppositions.proven_capacity:
            return
        member = suppositions.member[index]
        copy_known(board, suppositions.spare)
        suppose(suppositions.spare, kind_of(member), edge_of_value(member), NO_LIMIT)
        if suppositions.spare.edge[edge_of_value(value)] == kind_of(value):
            record_refuted(suppositions, member, UNCOUNTED)


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


# Inner suppositions in one climb, two for each edge open before the outer, after which a board is left
# unfinished: two seconds at 20 × 20. What counts must not depend on the order in which edges are tried.
_MOST_INNER: int = 200_000


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
            value = suppositions.candidate[index]
            if (
                suppositions.kept_length[index] != longest
                or suppositions.implied[place_of(value)] != index + 1
            ):
                continue
            suppositions.inner_count += 2 * edges
            same = restore_members(board, suppositions, index)
            if not _holds_inside(board, inner, suppositions):
                record_equivalents(board, suppositions, value, same)
        longest = _next_longest(suppositions, longest)
    propose_proven(board, suppositions)


def _next_longest(suppositions: Suppositions, below: int) -> int:
    """Return the most that follows from a supposition of which less than ``below`` does; -1 for none."""
    longest = -1
    for index in range(suppositions.candidate_count):
        length = suppositions.kept_length[index]
        if (
            longest < length < below
            and suppositions.implied[place_of(suppositions.candidate[index])] == index + 1
        ):
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
