"""Climb the ladder: in each round, apply the easiest technique that finds anything.

The *ladder* is the list of solving techniques that people use, the easiest first. A *rung* is a technique's
place in it. The caller defines the ladder: the order, how deep each technique looks, and which techniques are
only valid if no path runs beside itself. A technique is known by its ``TechniqueCode``, which does not depend
on the order.

This module also has the techniques that suppose an open edge to be drawn or ruled out, and look for a
contradiction.

``propagate_simply`` follows a supposition with the simple techniques ``exits``, ``clash`` and ``touch``.
``suppose_all`` does this for both states of each open edge. The edges that follow from a supposition are its
*trail*. If there is no contradiction, the trail is stored, as long as there is room. Two techniques use the
stored trails. They only look at the *strongest* suppositions, which follow from no other supposition.

The technique ``walls`` (``find_walled_in``) goes on where the simple techniques end. It applies three more
techniques: ``cut-off``, ``order`` and ``balance``. It stops at a contradiction, or if it finds nothing more.

The technique ``nested`` (``find_nested``) makes suppositions inside a supposition. When the outer supposition
has been followed to its end, each edge that is still open is supposed to be drawn and to be ruled out. If one
of these two suppositions fails, the other one holds. This goes on until the outer supposition fails, or until
no more edges can be drawn or ruled out. Suppositions with the longest trails are tried first. If some of them
fail, those with shorter trails are not tried in this round, because an easier technique may now be able to
draw or rule out their edges.

In lists of integers, an edge that is drawn is stored as ``edge + 1``, and an edge that is ruled out as
``-(edge + 1)``.
"""

from typing import Self

from linkpress.engine.kernels import pure_python as cython
from linkpress.engine.kernels.glossary import ClimbOutcome, EdgeState, Reason, TechniqueCode
from linkpress.engine.kernels.grid import side_edge
from linkpress.engine.kernels.ladder.cell_techniques import (
    Bends,
    find_clashes,
    find_corners,
    find_exits,
    find_simple,
    find_touching,
    find_turns,
)
from linkpress.engine.kernels.ladder.cut_offs import Blocks, find_cut_offs
from linkpress.engine.kernels.ladder.gaps import (
    Gaps,
    find_changed_gaps,
    find_gaps,
    find_narrows,
    mark_all_changed,
    mark_near,
)
from linkpress.engine.kernels.ladder.ladder_board import (
    LadderBoard,
    apply_findings,
    copy_known,
    copy_puzzle,
    count_open,
    draw,
    forget_findings,
    lay_out,
    mark_all_dirty,
    propose,
    rule_out,
)
from linkpress.engine.kernels.ladder.wall_order import (
    WallOrder,
    find_order,
    list_walks,
    may_cross,
    note_touching,
)
from linkpress.engine.kernels.pure_python import Bytes, Ints, State, items, make_fields, unset_items

# Limit of rounds for callers that want no limit. Solving any board takes fewer rounds.
NO_LIMIT: int = 1_000_000
# ``suppose`` returns this value if drawing or ruling out the edge contradicts what is known, even before
# anything follows from it.
REFUTED_AT_ONCE: int = -1000
# Stored in place of the number of rounds that led to a contradiction, if the rounds were not counted.
_UNCOUNTED: int = -1
# A supposition says that an edge is drawn, or that it is ruled out. The edges that follow from it are its
# trail. All stored trails together may have this many edges for each cell of the board.
_TRAIL_ROOM: int = 128
_GAP_STAGES: int = 3
# Maximum effort of the technique ``walls`` in one attempt to solve a board. The effort is the number of
# suppositions followed, times the number of open edges (neither drawn nor ruled out). On 200 boards of 10 ×
# 10 with 8 to 12 pairs the limit changed no difficulty level. A board of 40 × 40 with several solutions took
# 48 s without it and 7 s with it.
_MOST_WALLS_EFFORT: int = 2_000_000
# The technique ``nested`` makes suppositions inside another supposition. This is the largest number of such
# inner suppositions in one attempt to solve a board. On a board of 20 × 20, this many take two seconds. The
# exact number would depend on the order in which the edges are tried. So it is replaced by an estimate: each
# outer supposition counts as two inner ones for each edge that is open on the board.
_MOST_INNER: int = 200_000
# Maximum effort that the technique ``order`` may spend on trying single edges, in one attempt to solve a
# board. A round of tries, one for each open edge, takes this effort: the number of open edges (neither drawn
# nor ruled out), times the square of the number of cells. The limit is reached after two rounds on a board of
# 30 × 30, or after twenty on 20 × 20. A round on 50 × 50 would take eight seconds.
_MOST_ORDER_EFFORT = cython.declare(cython.longlong, 3_000_000_000)


class Suppositions(State):
    """Suppositions tried on a board, and the edges that follow from them.

    A supposition says that an open edge is drawn, or that it is ruled out. A *candidate* is a supposition
    whose consequences were found. Candidates and consequences are stored as integers: ``edge + 1`` if the
    edge is drawn, and ``-(edge + 1)`` if it is ruled out.
    """

    # copy of the board on which suppositions (that an edge is drawn, or is ruled out) are tried
    spare: LadderBoard

    # 1 if, since the board last changed, each edge was supposed to be drawn and to be ruled out, and all
    # consequences were found; else 0
    all_propagated: int
    effort: int  # effort that the technique ``walls`` has spent in this attempt to solve a board

    # how many suppositions (that an edge is drawn, or is ruled out) were made inside other suppositions in
    # this attempt to solve a board
    inner_count: int

    # For each supposition: 1 + the index in ``candidate`` of the last supposition there from which this one
    # follows; 0 if it follows from none of them. The suppositions in ``candidate`` are those that were
    # followed to their consequences.
    implied: Ints = items("suppositions")
    candidate_count: int
    # The suppositions that were followed to their consequences. An entry is ``edge + 1`` for an edge supposed
    # to be drawn, ``-(edge + 1)`` for an edge supposed to be ruled out.
    candidate: Ints = items("suppositions")

    # A supposition says that an edge is drawn, or that it is ruled out. For each supposition that was
    # followed: the index in ``trails`` at which its consequences begin. It is -1 if they are not stored.
    stored_at: Ints = items("suppositions")
    # for each supposition (that an edge is drawn, or is ruled out) that was followed: how many edges
    # follow from it
    stored_length: Ints = items("suppositions")

    # the edges that follow from each supposition that led to no contradiction, stored one supposition
    # after the other
    trails: Ints = unset_items("_TRAIL_ROOM * cells")
    # ``find_walled_in`` tests each supposition in several stages. Each stage examines larger gaps (narrow
    # places between walls) than the one before. A stage that found nothing need not be repeated. So this
    # array has a number for each supposition in ``candidate``. The number is 0 if no stage has found nothing
    # so far. Otherwise, take the last stage that found nothing: the number is 1 + the number of cells in the
    # largest gaps which that stage examines.
    silent_gaps: Ints = items("suppositions")

    # the edges that follow from the supposition (that an edge is drawn, or is ruled out) that is tried now
    member: Ints = items("2 * cells")
    proven_count: int
    # the suppositions that led to a contradiction, each turned into its opposite
    proven: Ints = items("suppositions")

    # For each supposition that led to a contradiction: after how many rounds of deduction the contradiction
    # was met, or _UNCOUNTED. The suppositions are in the same order as in ``proven``.
    rounds: Ints = items("suppositions")

    def __init__(self, rows: int, cols: int, pair_count: int) -> None:
        cells = rows * cols
        suppositions = 4 * cells
        make_fields(self, locals())
        self.spare = LadderBoard(rows, cols, pair_count)


def propagate_simply(board: LadderBoard, limit: int) -> int:
    """Apply the simple techniques in rounds, beginning with the dirty (recently changed) cells.

    The simple techniques are ``exits``, ``clash`` and ``touch``, as ``cell_techniques`` explains. Each round
    writes its findings onto the board. If ``limit`` is NO_LIMIT and a round finds nothing, all cells of the
    board are examined once more. So the result does not depend on the order in which edges are drawn and
    ruled out.

    Args:
        limit: the maximum number of rounds, or NO_LIMIT.
    Returns:
        The number of rounds. It is negative if the last round led to a contradiction.
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
    """Draw or rule out an edge, and apply the simple techniques to find what follows.

    The simple techniques are ``exits``, ``clash`` and ``touch``, as ``cell_techniques`` explains.

    Args:
        kind: DRAWN or RULED_OUT.
        limit: the maximum number of rounds in which the simple techniques are applied, or NO_LIMIT.
    Returns:
        The result of ``propagate_simply``; REFUTED_AT_ONCE if the edge itself leads to a contradiction.
    """
    board.trail_length = 0
    forget_findings(board)
    propose(board, kind, edge, 0, 0)
    if not apply_findings(board):
        return REFUTED_AT_ONCE
    return propagate_simply(board, limit)


def suppose_all(board: LadderBoard, suppositions: Suppositions, limit: int) -> None:
    """For each open edge, suppose that it is drawn, and then that it is ruled out.

    An open edge is neither drawn nor ruled out yet. Suppositions that lead to a contradiction are recorded.
    If ``limit`` is NO_LIMIT, a supposition is skipped if it follows from an earlier one. All other
    suppositions are called candidates.

    With NO_LIMIT, the array ``implied`` is also filled in. It says for each supposition from which candidate
    it follows. If there are several, the last one counts. The entry is 1 + the index of that candidate, or 0
    if the supposition follows from no candidate. A candidate always follows from itself. If it follows from
    no other candidate, its entry is 1 + its own index, and it is called one of the strongest suppositions.

    Args:
        limit: the maximum number of rounds of deduction for each supposition, or NO_LIMIT.
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
    """Follow one supposition, and record whether it leads to a contradiction.

    If it leads to no contradiction and ``limit`` is NO_LIMIT, the edges that follow from it are noted in
    ``implied``. They are also stored in ``trails``, if there is room.

    Args:
        value: the supposition: ``edge + 1`` if the edge is drawn, ``-(edge + 1)`` if it is ruled out.
        limit: the maximum number of rounds of deduction, or NO_LIMIT.
        stored: the number of items in ``trails`` so far.
    Returns:
        The number of items in ``trails`` afterwards.
    """
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
    """Make one supposition on a copy of the board, and return the result of ``suppose``.

    Args:
        value: the supposition: ``edge + 1`` if the edge is drawn, ``-(edge + 1)`` if it is ruled out.
    """
    copy_known(board, suppositions.spare)
    return suppose(suppositions.spare, _kind_of(value), abs(value) - 1, limit)


def _kind_of(value: int) -> int:
    return EdgeState.DRAWN if value > 0 else EdgeState.RULED_OUT


def _place_of(value: int) -> int:
    return 2 * (value - 1) if value > 0 else 2 * (-value - 1) + 1


def _store_trail(suppositions: Suppositions, candidate: int, stored: int) -> int:
    """Append to ``trails`` the edges that follow from a supposition, if there is room.

    A supposition says that an edge is drawn, or that it is ruled out.

    Args:
        candidate: the index of the supposition in ``suppositions.candidate``.
        stored: the number of items in ``trails`` so far.
    Returns:
        The number of items in ``trails`` afterwards.
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
    """Copy the board, and write a supposition and all edges that follow from it onto the copy.

    A supposition says that an edge is drawn, or that it is ruled out.

    Args:
        candidate: the index of the supposition in ``suppositions.candidate``.
    """
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
    """Record that a supposition led to a contradiction, so that its opposite holds.

    Args:
        value: the supposition: ``edge + 1`` if the edge is drawn, ``-(edge + 1)`` if it is ruled out.
        rounds: after how many rounds of deduction the contradiction was met, or _UNCOUNTED.
    """
    suppositions.proven[suppositions.proven_count] = -value
    suppositions.rounds[suppositions.proven_count] = rounds
    suppositions.proven_count += 1


def propose_proven(board: LadderBoard, suppositions: Suppositions) -> None:
    """Propose the opposites of all suppositions that led to a contradiction."""
    forget_findings(board)
    for index in range(suppositions.proven_count):
        value = suppositions.proven[index]
        propose(board, _kind_of(value), abs(value) - 1, Reason.REFUTED, suppositions.rounds[index])


def judge_order(board: LadderBoard, order: WallOrder, suppositions: Suppositions) -> bool:
    """Apply the technique ``order`` to a board.

    A wall is a connected set of sides of cells that no line can cross. Paths can't cross each other either.
    So the ends of two paths can't alternate along a wall.

    If nothing is found on the board itself, the technique supposes that an open edge (neither drawn nor ruled
    out) is drawn, and examines the resulting board. If paths would have to cross on it, the edge is ruled
    out. This is done for one open edge after the other. These suppositions are skipped if they would exceed
    ``_MOST_ORDER_EFFORT``, the limit of the effort for one attempt to solve a board.

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
    """Apply the technique ``walls``: follow suppositions further than the simple techniques can.

    After each supposition, the techniques ``cut-off``, ``order`` and ``balance`` are applied. The caller must
    first call ``suppose_all`` on the same board, with NO_LIMIT.
    """
    suppositions.proven_count = 0
    if suppositions.effort <= _MOST_WALLS_EFFORT:
        for index in range(suppositions.candidate_count):
            suppositions.silent_gaps[index] = 0
        for stage in range(_GAP_STAGES):
            # ``longest`` is the largest number of cells in a gap (a narrow place between walls) that this
            # stage examines: 0 in the first stage, 2 in the second, 3 in the third.
            longest = stage + 1 if stage > 0 else 0
            _try_strongest(board, blocks, gaps, order, suppositions, longest)
            if suppositions.proven_count > 0:
                break
    propose_proven(board, suppositions)


def _try_strongest(
    board: LadderBoard, blocks: Blocks, gaps: Gaps, order: WallOrder, suppositions: Suppositions, longest: int
) -> None:
    """Test the strongest suppositions with three techniques that look at larger parts of the board.

    A supposition is one of the strongest if it follows from no other supposition. If it leads to a
    contradiction, it is recorded as refuted. The three techniques are:

    - ``cut-off`` finds out where the path of each pair can still run.
    - ``order`` finds paths that would have to cross, because their ends alternate along a wall (sides of
      cells that no line can cross).
    - ``balance`` checks whether a narrow place has room for the lines that must pass it.

    Args:
        longest: the largest number of cells in a gap (a narrow place between walls) to examine; 0 for none.
    """
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
    return suppositions.implied[_place_of(suppositions.candidate[candidate])] == candidate + 1


def _restore_members(board: LadderBoard, suppositions: Suppositions, candidate: int) -> int:
    """Write a supposition and all edges that follow from it onto a copy of the board.

    The copy is ``suppositions.spare``. The edges are also listed in ``suppositions.member``.

    Args:
        board: the board without the supposition. It is not changed.
        candidate: the index of the supposition in ``suppositions.candidate``.
    Returns:
        The number of edges that follow from the supposition.
    """
    _restore_trail(board, suppositions, candidate)
    for index in range(suppositions.spare.trail_length):
        suppositions.member[index] = suppositions.spare.trail[index]
    return suppositions.spare.trail_length


def _record_equivalents(board: LadderBoard, suppositions: Suppositions, candidate: int, members: int) -> None:
    """Record that a supposition and all suppositions that are equivalent to it led to a contradiction.

    Two suppositions are equivalent if each follows from the other.

    Args:
        candidate: the index of the supposition in ``suppositions.candidate``.
        members: how many edges follow from it. They are the first entries of ``suppositions.member``.
    """
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
    """Find more consequences of a supposition, in each round with the easiest technique that succeeds.

    Args:
        board: the board after the supposition and the simple techniques. It is changed.
        before: the board before the supposition.
        longest: the largest number of cells in a gap (a narrow place between walls) to examine; 0 for none.
        silent_gaps: 0, or 1 more than the argument ``longest`` of an earlier call that found nothing on the
            same board. In the second case, the first round skips everything that the earlier call has tried.
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
    """Apply the technique ``nested``: refute a supposition by making further suppositions inside it.

    The caller must first call ``suppose_all`` on the same board, with NO_LIMIT.

    Args:
        inner: another board of the same size, as work space.
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
    """Return the length of the longest trail that is shorter than ``below``; -1 if there is none.

    A supposition says that an edge is drawn, or that it is ruled out. Its trail is the list of the edges that
    follow from it. Only the trails of suppositions that follow from no other supposition are considered.
    """
    longest = -1
    for index in range(suppositions.candidate_count):
        length = suppositions.stored_length[index]
        if longest < length < below and _is_strongest(suppositions, index):
            longest = length
    return longest


def _holds_inside(board: LadderBoard, inner: LadderBoard, suppositions: Suppositions) -> bool:
    """Make suppositions inside another supposition, and draw or rule out edges accordingly.

    The outer supposition has been made on ``suppositions.spare``, a copy of the board. There, each open edge
    (neither drawn nor ruled out) is supposed to be drawn, and to be ruled out. If drawing it leads to a
    contradiction, the edge is ruled out on the copy. If ruling it out leads to a contradiction, the edge is
    drawn. This is repeated until nothing more follows.

    Returns:
        False if an edge can be neither drawn nor ruled out.
    """
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


# Some techniques look at a limited number of cells along a diagonal. This value means that they look at all
# cells of a diagonal: it is larger than the number of cells on any diagonal of a board.
_ANY_DIAGONAL: int = 99


class Log(State):
    """Rounds and findings of the last attempt to solve a board with the ladder of techniques.

    In each round, at least one edge is drawn or ruled out, or at least one run of drawn edges gets a number.
    For each cell, a board has two edges and at most one run of drawn edges. So a board of n cells needs at
    most 3 × n rounds.

    Findings can contradict each other only in the last round. The last round has at most 5 × n + 8 findings
    (``LadderBoard.capacity``). All other rounds together have at most 3 × n findings.
    """

    round_count: int
    # A round is one use of a technique that has findings. For each round, four numbers: the code of the
    # technique, how many findings it had, how many edges were open before the round, and how many findings
    # the log has up to the end of the round.
    rounds: Ints = items("12 * cells")
    logged: int  # how many findings of solving techniques are in the log

    # for each finding of a solving technique in the log, four numbers: its kind, its edge or cell, its reason
    # and its cause
    entries: Ints = items("32 * cells + 32")

    def __init__(self, cells: int) -> None:
        make_fields(self, locals())


class Techniques(State):
    """The solving techniques in the order in which they are tried, and how each of them is used.

    This order, from the easiest technique to the hardest, is called the ladder.
    """

    count: int
    order: Ints = items("len(ladder)")  # the codes of the techniques, from the easiest to the hardest

    # For each technique code: how far the technique looks, in cells along a diagonal, or in rounds of
    # deduction after a supposition. With 0, there is no limit.
    depth: Ints = items("codes")

    # for each technique code: 1 if the technique is only valid on boards where no path runs beside itself
    untouching: Bytes = items("codes")

    def __init__(self, ladder: list) -> None:
        codes = 1 + max([code for code, _, _ in ladder])
        make_fields(self, locals())
        self.count = len(ladder)
        for rung in range(self.count):
            code, depth, untouching = ladder[rung]
            self.order[rung], self.depth[code], self.untouching[code] = code, depth, untouching


class Position:
    """Partly drawn board, with all the data that the solving techniques need to continue from there.

    Args:
        free: for each cell, 0 for a solid, else 1.
        pairs: both endpoints of each pair, the smaller cell first, as a flat list.
        untouching: whether it is known that no path of the solution runs beside itself.
        ladder: the techniques, the easiest first. Each has three values: its code, its depth, and whether it
            is only valid if no path runs beside itself. The depth limits how far the technique looks; 0 means
            no limit. For techniques that follow turns along a diagonal of the board, it is the largest number
            of cells followed. For techniques that make suppositions, it is the number of rounds in which the
            consequences of a supposition are found.
    """

    board: LadderBoard
    inner: LadderBoard
    bends: Bends
    order: WallOrder
    blocks: Blocks
    gaps: Gaps
    suppositions: Suppositions
    ladder: list
    techniques: Techniques
    log: Log
    # Whether every cell has enough neighbours on the empty board. A cell with a number needs at least one
    # neighbour, and any other free cell needs at least two.
    sound: bool

    def __init__(self, rows: int, cols: int, free: list, pairs: list, untouching: bool, ladder: list) -> None:
        cells, pair_count = rows * cols, len(pairs) // 2
        self.board, self.inner = LadderBoard(rows, cols, pair_count), LadderBoard(rows, cols, pair_count)
        self.bends, self.order, self.blocks = Bends(cells), WallOrder(cells), Blocks(cells)
        self.gaps, self.suppositions = Gaps(rows, cols), Suppositions(rows, cols, pair_count)
        self.ladder, self.techniques, self.log = ladder, Techniques(ladder), Log(cells)
        self.board.untouching = untouching
        for cell in range(cells):
            self.board.free[cell] = free[cell]
        self.lay_pairs(pairs)

    def lay_pairs(self, pairs: list) -> None:
        """Replace the pairs of numbers by other pairs, and remove all drawn lines.

        The number of pairs must stay the same.
        """
        for index in range(2 * self.board.pair_count):
            self.board.pairs[index] = pairs[index]
        self.sound = lay_out(self.board)
        copy_puzzle(self.board, self.inner)
        copy_puzzle(self.board, self.suppositions.spare)

    def copy(self) -> Self:
        """Return a copy of this position: another board with the same pairs, edges and numbers."""
        free = [self.board.free[cell] for cell in range(self.board.cells)]
        pairs = [self.board.pairs[index] for index in range(2 * self.board.pair_count)]
        rows, cols, untouching = self.board.rows, self.board.cols, self.board.untouching
        other: Position = Position(rows, cols, free, pairs, untouching, self.ladder)
        copy_known(self.board, other.board)
        return other

    def edges(self) -> list:
        return [self.board.edge[edge] for edge in range(2 * self.board.cells)]

    def drawing(self) -> tuple:
        """Follow the drawn edges from the first endpoint of each pair.

        Returns:
            Two values: for each pair, the cells of the line from its first endpoint, in order; and the number
            of all drawn edges on the board.
        """
        board, lines, drawn = self.board, [], 0
        for place in range(2 * board.cells):
            drawn += 1 if board.edge[place] == EdgeState.DRAWN else 0
        for index in range(board.pair_count):
            came, cell, line = -1, board.pairs[2 * index], []
            while cell >= 0 and len(line) < board.cells:
                line.append(cell)
                onward = -1
                for side in range(4):
                    beside = board.around[4 * cell + side]
                    if beside >= 0 and beside != came:
                        edge = side_edge(board.cols, cell, side)
                        onward = beside if board.edge[edge] == EdgeState.DRAWN else onward
                came, cell = cell, onward
            lines.append(tuple(line))
        return lines, drawn

    def mates(self) -> list:
        return [self.board.mate[cell] for cell in range(self.board.cells)]

    def pair_codes(self) -> list:
        """Return, for each cell, the code of the pair to which the line through it belongs; 0 if unknown.

        A pair is identified by 1 + the index of its first cell.
        """
        return [self.board.pair_code[cell] for cell in range(self.board.cells)]

    def needs(self) -> list:
        return [self.board.need[cell] for cell in range(self.board.cells)]

    def climb(self, highest: int) -> tuple:
        """Solve the board as far as possible with the first ``highest`` techniques of the ladder.

        The ladder is the list of human solving techniques, from the easiest to the hardest.

        Returns:
            A ``ClimbOutcome``, and the rounds in the form of ``Log.rounds``.
        """
        with cython.nogil:
            outcome = _climb(self, highest, self.log)
        return outcome, [self.log.rounds[index] for index in range(4 * self.log.round_count)]

    def findings(self) -> list:
        return [self.log.entries[index] for index in range(4 * self.log.logged)]

    def find_with(self, technique: int) -> list | None:
        """Return the findings of one technique; None if it finds a contradiction.

        Returns:
            Four numbers for each finding: its kind, its edge or cell, its reason and its cause.
        """
        if not find_afresh(self, technique):
            return None
        return _list_findings(self.board)

    def apply(self, findings: list) -> bool:
        """Write findings of solving techniques onto the board.

        Args:
            findings: four numbers for each finding: its kind, its edge or cell, the ``Reason`` why it is
                true, and its cause, such as a cell or a pair. ``Reason`` says what the cause is.
        Returns:
            False if the findings contradict each other, or contradict what was on the board before.
        """
        forget_findings(self.board)
        for index in range(0, len(findings), 4):
            propose(
                self.board, findings[index], findings[index + 1], findings[index + 2], findings[index + 3]
            )
        self.board.trail_length = 0
        return apply_findings(self.board)

    def find_simply(self) -> list:
        """Return the findings of the simple techniques.

        The simple techniques are ``exits``, ``clash`` and ``touch``, as ``cell_techniques`` explains. They
        look at the cells that the last ``apply`` changed. If they find nothing there, they look at all cells.

        Returns:
            Four numbers for each finding: its kind, its edge or cell, its reason and its cause.
        """
        forget_findings(self.board)
        find_simple(self.board)
        if self.board.finding_count == 0:
            mark_all_dirty(self.board)
            find_simple(self.board)
        return _list_findings(self.board)

    def walks(self) -> list:
        return list_walks(self.board, self.order)

    def contradiction(self) -> tuple:
        """Return the contradiction that the last failed call of ``apply`` or ``find_with`` met.

        Returns:
            The ``Contradiction``, and the edge, cell or number where it was met.
        """
        return self.board.contradiction, self.board.contradiction_at


def find_afresh(position: Position, technique: int) -> bool:
    """Apply one technique, without using results that earlier calls have stored.

    Returns:
        False if the technique meets a contradiction.
    """
    position.suppositions.all_propagated = 0
    mark_all_changed(position.gaps)
    return _find_with(position, technique)


@cython.cfunc
def _list_findings(board: LadderBoard) -> list:
    findings: list = []
    for index in range(board.finding_count):
        findings += [board.kind[index], board.where[index], board.reason[index], board.cause[index]]
    return findings


def _climb(position: Position, highest: int, log: Log) -> int:
    log.round_count = log.logged = 0
    if not position.sound:
        return ClimbOutcome.CONTRADICTED
    mark_all_changed(position.gaps)
    position.suppositions.effort = position.suppositions.inner_count = 0
    position.order.effort = 0
    while True:
        edges = count_open(position.board)
        if edges == 0:
            return ClimbOutcome.FINISHED
        technique = _find_lowest(position, highest)
        if technique <= 0:
            return ClimbOutcome.STUCK if technique == 0 else ClimbOutcome.CONTRADICTED
        _log_round(log, position.board, technique, edges)
        position.board.trail_length = 0
        if not apply_findings(position.board):
            return ClimbOutcome.CONTRADICTED


def _log_round(log: Log, board: LadderBoard, technique: int, edges: int) -> None:
    for index in range(board.finding_count):
        entry = 4 * log.logged
        log.entries[entry], log.entries[entry + 1] = board.kind[index], board.where[index]
        log.entries[entry + 2], log.entries[entry + 3] = board.reason[index], board.cause[index]
        log.logged += 1
    row = 4 * log.round_count
    log.rounds[row], log.rounds[row + 1] = technique, board.finding_count
    log.rounds[row + 2], log.rounds[row + 3] = edges, log.logged
    log.round_count += 1


def _find_lowest(position: Position, highest: int) -> int:
    """Apply the techniques one after another, the easiest first, until one has findings.

    Args:
        highest: the number of techniques to try.
    Returns:
        The code of the technique that has findings; 0 if none has; -1 if there is a contradiction.
    """
    position.suppositions.all_propagated = 0
    for rung in range(min(highest, position.techniques.count)):
        technique = position.techniques.order[rung]
        if not _find_with(position, technique):
            return -1
        if position.board.finding_count > 0:
            return technique
    return 0


def _find_with(position: Position, technique: int) -> bool:
    """Apply one technique, which proposes its findings.

    Returns:
        False if the technique meets a contradiction.
    """
    forget_findings(position.board)
    mark_all_dirty(position.board)
    if position.techniques.untouching[technique] != 0 and not position.board.untouching:
        return True
    if technique == TechniqueCode.EXITS:
        find_exits(position.board)
    elif technique == TechniqueCode.CLASH:
        find_clashes(position.board)
    elif technique == TechniqueCode.TURN:
        find_turns(position.board)
    elif technique == TechniqueCode.TOUCH:
        find_touching(position.board)
    elif technique in (TechniqueCode.CORNER, TechniqueCode.DIAGONAL):
        return find_corners(position.board, position.bends, longest_diagonal(position, technique))
    elif technique == TechniqueCode.CUT_OFF:
        return find_cut_offs(position.board, position.blocks)
    elif technique == TechniqueCode.ORDER:
        return judge_order(position.board, position.order, position.suppositions)
    elif technique == TechniqueCode.GAP:
        return find_changed_gaps(position.board, position.gaps.at_last_gap, position.gaps, 0)
    elif technique == TechniqueCode.NARROWS:
        return find_narrows(position.board, position.gaps)
    elif technique == TechniqueCode.BALANCE:
        return find_changed_gaps(position.board, position.gaps.at_last_balance, position.gaps, 1)
    elif technique == TechniqueCode.WALLS:
        _suppose_freely(position)
        find_walled_in(position.board, position.blocks, position.gaps, position.order, position.suppositions)
    elif technique == TechniqueCode.NESTED:
        _suppose_freely(position)
        find_nested(position.board, position.inner, position.suppositions)
    else:
        depth = position.techniques.depth[technique]
        if depth == 0:
            _suppose_freely(position)
        else:
            suppose_all(position.board, position.suppositions, depth)
        propose_proven(position.board, position.suppositions)
    return True


def longest_diagonal(position: Position, technique: int) -> int:
    """Return how many cells along a diagonal a technique examines at most."""
    depth = position.techniques.depth[technique]
    return depth if depth > 0 else _ANY_DIAGONAL


def _suppose_freely(position: Position) -> None:
    """Make each possible supposition, and follow it until nothing more is found.

    Do nothing if another technique has already done this on the same board, because the results are still
    stored.
    """
    if not position.suppositions.all_propagated:
        suppose_all(position.board, position.suppositions, NO_LIMIT)
        position.suppositions.all_propagated = 1
