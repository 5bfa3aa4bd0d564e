"""Techniques that suppose settle an open edge one way, follow it, and see whether it can be.

What followed from each supposition that holds is kept, as far as there is room: the last technique
uses it again.
"""

from linkpress.engine.kernels.glossary import EdgeState, Reason
from linkpress.engine.kernels.ladder.ladder_board import (
    LadderBoard,
    copy_known,
    draw,
    forget_findings,
    propose,
    rule_out,
)
from linkpress.engine.kernels.ladder.local import NO_LIMIT, REFUTED_AT_ONCE, suppose
from linkpress.engine.kernels.pure_python import Ints, State, items, make_fields, unset_items

# The cause of a finding whose chain's rounds nobody counted.
UNCOUNTED: int = -1
# Numbers by cell for what followed from the suppositions that hold.
_KEPT_BY_CELL: int = 128


class Suppositions(State):
    """These suppositions were tried, and led to what is kept here.

    A supposition is written as a settled edge.
    """

    spare: LadderBoard  # what is known when the present supposition holds
    all_propagated: int  # 1 when all were followed to their ends since the board last changed
    effort: int  # suppositions followed on × open edges, over the whole climb
    inner_count: int  # suppositions made inside others, over the whole climb
    implied: Ints = items("suppositions")  # by ``place_of``: 1 + the last candidate that it follows from
    candidate_count: int
    candidate: Ints = items("suppositions")  # the suppositions followed
    kept_at: Ints = items("suppositions")  # by candidate: its place in ``trails``, -1 when there was no room
    kept_length: Ints = items("suppositions")  # by candidate
    trails_size: int
    trails: Ints = unset_items("_KEPT_BY_CELL * cells")  # what followed from each candidate that holds
    found_none_below: Ints = items("suppositions")  # by candidate: 1 more than the gaps without a find
    member: Ints = items("2 * cells")  # what follows from the present candidate
    proven_capacity: int
    proven_count: int
    proven: Ints = items("suppositions")  # the opposites of the suppositions that failed
    chain: Ints = items("suppositions")  # by the same: the rounds until it failed, 0 at once, or UNCOUNTED

    def __init__(self, rows: int, cols: int, pair_count: int) -> None:
        cells = rows * cols
        suppositions = 4 * cells
        make_fields(self, locals())
        self.spare = LadderBoard(rows, cols, pair_count)
        self.trails_size, self.proven_capacity = _KEPT_BY_CELL * cells, suppositions


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
            if suppositions.implied[place_of(value)] == 0:
                kept = _try_one(board, suppositions, value, limit, kept)


def _try_one(board: LadderBoard, suppositions: Suppositions, value: int, limit: int, kept: int) -> int:
    """Follow one supposition, and return how much of ``trails`` is used then; before it was ``kept``."""
    copy_known(board, suppositions.spare)
    rounds = suppose(suppositions.spare, kind_of(value), edge_of_value(value), limit)
    suppositions.candidate[suppositions.candidate_count] = value
    suppositions.candidate_count += 1
    if rounds < 0:
        record_refuted(suppositions, value, 0 if rounds == REFUTED_AT_ONCE else -rounds)
    elif limit == NO_LIMIT:
        for index in range(suppositions.spare.settled):
            suppositions.implied[place_of(suppositions.spare.trail[index])] = suppositions.candidate_count
        return _keep_trail(suppositions, suppositions.candidate_count - 1, kept)
    return kept


def kind_of(value: int) -> int:
    """Return whether a settled edge is DRAWN or RULED_OUT."""
    return EdgeState.DRAWN if value > 0 else EdgeState.RULED_OUT


def edge_of_value(value: int) -> int:
    """Return the edge of a settled edge."""
    return abs(value) - 1


def place_of(value: int) -> int:
    """Return the place of a settled edge in ``implied``."""
    return 2 * (value - 1) if value > 0 else 2 * (-value - 1) + 1


def _keep_trail(suppositions: Suppositions, candidate: int, kept: int) -> int:
    """Keep what follows from a candidate behind ``kept`` numbers; return how many are kept then."""
    length = suppositions.spare.settled
    suppositions.kept_at[candidate], suppositions.kept_length[candidate] = kept, length
    if kept + length > suppositions.trails_size:
        suppositions.kept_at[candidate] = -1
        return kept
    for index in range(length):
        suppositions.trails[kept + index] = suppositions.spare.trail[index]
    return kept + length


def restore_trail(board: LadderBoard, suppositions: Suppositions, candidate: int) -> None:
    """Put what follows from a candidate that holds back into ``spare`` and onto the trail."""
    value, begin = suppositions.candidate[candidate], suppositions.kept_at[candidate]
    copy_known(board, suppositions.spare)
    if begin < 0:
        suppose(suppositions.spare, kind_of(value), edge_of_value(value), NO_LIMIT)
        return
    length = suppositions.kept_length[candidate]
    suppositions.spare.settled = length
    for index in range(length):
        settled = suppositions.trails[begin + index]
        suppositions.spare.trail[index] = settled
        if settled > 0:
            draw(suppositions.spare, edge_of_value(settled))
        else:
            rule_out(suppositions.spare, edge_of_value(settled))


def record_refuted(suppositions: Suppositions, value: int, chain: int) -> None:
    """Note that a supposition failed after so many rounds, so that its opposite holds."""
    suppositions.proven[suppositions.proven_count] = -value
    suppositions.chain[suppositions.proven_count] = chain
    suppositions.proven_count += 1


def propose_proven(board: LadderBoard, suppositions: Suppositions) -> None:
    """Make findings of the opposites of all suppositions that failed."""
    forget_findings(board)
    for index in range(suppositions.proven_count):
        value = suppositions.proven[index]
        propose(board, kind_of(value), edge_of_value(value), Reason.REFUTED, suppositions.chain[index])
