"""Suppose, follow, and look at the walls that this would build.

Every supposition that holds when it is followed to its end by the first two techniques is
followed on by cut-offs, order and gaps, judged by colours, until they end in a contradiction or have
nothing to say.
Only the strongest suppositions are: one that follows from another is passed over.
"""

try:
    import cython
except ImportError:  # no compiler was there, so that kernels run as plain Python
    import linkpress.engine.kernels.pure_python as cython

if not cython.compiled:
    from linkpress.engine.kernels.ladder.blocks import Blocks
    from linkpress.engine.kernels.ladder.exits import NO_LIMIT, settle_simply, suppose
    from linkpress.engine.kernels.ladder.findings import Findings, apply_findings, forget_findings
    from linkpress.engine.kernels.ladder.gap_sides import Gaps, mark_near
    from linkpress.engine.kernels.ladder.gaps import find_gaps
    from linkpress.engine.kernels.ladder.marks import Marks, PrintedBoard, copy_marks, count_open
    from linkpress.engine.kernels.ladder.order import WallOrder, find_order
    from linkpress.engine.kernels.ladder.reach import find_cut_off
    from linkpress.engine.kernels.ladder.suppositions import (
        UNCOUNTED,
        Suppositions,
        edge_of_value,
        hold,
        kind_of,
        place_of,
        propose_held,
        take_up,
    )

GAP_STAGES = cython.declare(cython.int, 3)
# Suppositions followed on × open edges, after which a board is left unfinished: of 200 boards of
# 10 × 10 with 8 to 12 pairs it changed no grade; one of 40 × 40 with several fillings took 48 s
# without it, 7 s with it.
MOST_EFFORT = cython.declare(cython.int, 2_000_000)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_walled_in(
    grid: PrintedBoard,
    marks: Marks,
    findings: Findings,
    blocks: Blocks,
    gaps: Gaps,
    order: WallOrder,
    suppositions: Suppositions,
) -> cython.void:
    """Open edges one of whose values can't be, followed by the techniques that do not suppose.

    ``suppose_all`` was called with no limit before, and the marks are as they were then.
    """
    suppositions.held_count = 0
    if suppositions.effort <= MOST_EFFORT:
        for at in range(suppositions.candidate_count):
            suppositions.silent[at] = 0
        for stage in range(GAP_STAGES):
            _try_strongest(grid, marks, findings, blocks, gaps, order, suppositions, longest_gap(stage))
            if suppositions.held_count > 0:
                break
    propose_held(findings, suppositions)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def longest_gap(stage: cython.int) -> cython.int:
    """Lengths of gaps looked at: none but components and cut-offs, then more where that finds nothing."""
    return stage + 1 if stage > 0 else 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _try_strongest(
    grid: PrintedBoard,
    marks: Marks,
    findings: Findings,
    blocks: Blocks,
    gaps: Gaps,
    order: WallOrder,
    suppositions: Suppositions,
    longest: cython.int,
) -> cython.void:
    """Follow each of the strongest suppositions on; hold the opposites of those that fail."""
    edges = count_open(marks)
    for at in range(suppositions.candidate_count):
        value = suppositions.candidate[at]
        if suppositions.implied[place_of(value)] != at + 1:
            continue
        suppositions.effort += edges
        same = take_up_members(grid, marks, findings, suppositions, at)
        rounds = follow_on(
            grid, marks, suppositions.spare, findings, blocks, gaps, order, longest, suppositions.silent[at]
        )
        if rounds < 0:
            hold_equals(grid, marks, findings, suppositions, value, same)
        elif rounds == 0:
            suppositions.silent[at] = longest + 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def take_up_members(
    grid: PrintedBoard, marks: Marks, findings: Findings, suppositions: Suppositions, candidate: cython.int
) -> cython.int:
    """As ``take_up``; how much follows from the candidate, all of it in ``member``."""
    take_up(grid, marks, findings, suppositions, candidate)
    for at in range(findings.settled):
        suppositions.member[at] = findings.trail[at]
    return findings.settled


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def hold_equals(
    grid: PrintedBoard,
    marks: Marks,
    findings: Findings,
    suppositions: Suppositions,
    value: cython.int,
    members: cython.int,
) -> cython.void:
    """A supposition failed, and so did all that it follows from among what follows from it."""
    for at in range(members):
        if suppositions.held_count == suppositions.held_capacity:
            return
        member = suppositions.member[at]
        copy_marks(marks, suppositions.spare)
        suppose(grid, suppositions.spare, findings, kind_of(member), edge_of_value(member), NO_LIMIT)
        if suppositions.spare.edge[edge_of_value(value)] == kind_of(value):
            hold(suppositions, -member, UNCOUNTED)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def follow_on(
    grid: PrintedBoard,
    before: Marks,
    marks: Marks,
    findings: Findings,
    blocks: Blocks,
    gaps: Gaps,
    order: WallOrder,
    longest: cython.int,
    silent: cython.int,
) -> cython.int:
    """Follow a supposition on, by the lowest technique that says anything and does not suppose.

    Args:
        grid: the board.
        before: what was known before it was supposed.
        marks: what followed from it; changed.
        findings, blocks, gaps, order: scratch.
        longest: the longest gaps to be looked at.
        silent: 0, or 1 more than the ``longest`` with which nothing was found before.
    Returns:
        How often anything was found; -1 when that ended in a contradiction.
    """
    gaps.by_colour = 1
    rounds = 0
    while True:
        forget_findings(findings)
        if silent == 0 and not find_cut_off(grid, marks, findings, blocks):
            return -1
        if silent == 0 and findings.finding_count == 0 and not find_order(grid, marks, findings, order):
            return -1
        if findings.finding_count == 0:
            if longest > 0:
                mark_near(before, marks, grid.cols, gaps)
            if not find_gaps(grid, marks, grid.cols, max(1, silent), longest, findings, gaps):
                return -1
        if findings.finding_count == 0:
            return rounds
        if not apply_findings(grid, marks, findings) or settle_simply(grid, marks, findings, NO_LIMIT) < 0:
            return -1
        rounds += 1
        silent = 0
