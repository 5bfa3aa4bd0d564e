"""The first two techniques, and following what they say to its end."""

try:
    import cython
except ImportError:  # no compiler was there, so that kernels run as plain Python
    import linkpress.engine.kernels.pure_python as cython

from linkpress.engine.kernels.glossary import Reason

if not cython.compiled:
    from linkpress.engine.kernels.ladder.findings import (
        Findings,
        apply_findings,
        forget_findings,
        propose,
        touch_all,
    )
    from linkpress.engine.kernels.ladder.marks import (
        DRAWN,
        RULED_OUT,
        Marks,
        PrintedBoard,
        can_not_join,
        edge_of,
        exit_at,
    )
    from linkpress.engine.kernels.ladder.touch import find_touching


ALL_EXITS = cython.declare(cython.int, Reason.ALL_EXITS.value)
CLASH = cython.declare(cython.int, Reason.CLASH.value)
LOOP = cython.declare(cython.int, Reason.LOOP.value)
FORK = cython.declare(cython.int, Reason.FORK.value)
# More rounds than any board takes.
NO_LIMIT = cython.declare(cython.int, 1_000_000)
# What ``suppose`` returns where a supposition contradicts what is known before anything follows.
REFUTED_AT_ONCE = cython.declare(cython.int, -1000)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_exits(grid: PrintedBoard, marks: Marks, findings: Findings) -> cython.void:
    """Dirty cells that need every exit they have: draw them all."""
    for at in range(findings.dirty_count):
        cell = findings.dirty[at]
        if marks.need[cell] == 0 or marks.need[cell] != marks.exits[cell]:
            continue
        for side in range(4):
            if exit_at(grid, marks, cell, side) >= 0:
                propose(findings, DRAWN, edge_of(grid, cell, side), ALL_EXITS, cell)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_clashes(grid: PrintedBoard, marks: Marks, findings: Findings) -> cython.void:
    """Exits of dirty cells that would close a loop or join two numbers, alone or as two of three."""
    for at in range(findings.dirty_count):
        cell = findings.dirty[at]
        if marks.need[cell] == 0:
            continue
        for side in range(4):
            to = exit_at(grid, marks, cell, side)
            if to >= 0 and can_not_join(marks, cell, to):
                reason = LOOP if marks.mate[cell] == to else CLASH
                propose(findings, RULED_OUT, edge_of(grid, cell, side), reason, cell)
        if marks.need[cell] == 2 and marks.exits[cell] == 3:
            _find_forks(grid, marks, findings, cell)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _find_forks(grid: PrintedBoard, marks: Marks, findings: Findings, cell: cython.int) -> cython.void:
    """Two of three exits can't both be drawn, since the cell would join what can't be joined."""
    for third in range(4):
        if exit_at(grid, marks, cell, third) < 0:
            continue
        one, other = -1, -1
        for side in range(4):
            to = exit_at(grid, marks, cell, side)
            if side != third and to >= 0:
                one, other = other, to
        if can_not_join(marks, one, other):
            propose(findings, DRAWN, edge_of(grid, cell, third), FORK, cell)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_simple(grid: PrintedBoard, marks: Marks, findings: Findings) -> cython.void:
    """What the first two techniques, and touch, say of dirty cells."""
    find_exits(grid, marks, findings)
    find_clashes(grid, marks, findings)
    if grid.strict:
        find_touching(grid, marks, findings)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def settle_simply(grid: PrintedBoard, marks: Marks, findings: Findings, limit: cython.int) -> cython.int:
    """Follow the first two techniques, and touch, from the dirty cells, in rounds.

    What they say of a cell may change with one that it does not touch. So without a limit all cells are
    asked in the end; all that follows from what follows is met then, whichever edge is tried first.

    Returns:
        The number of rounds made, at most ``limit``; below 0 when the last ended in a
        contradiction.
    """
    rounds = 0
    while rounds < limit:
        forget_findings(findings)
        find_simple(grid, marks, findings)
        if findings.finding_count == 0 and limit == NO_LIMIT:
            touch_all(grid, findings)
            find_simple(grid, marks, findings)
        if findings.finding_count == 0:
            break
        rounds += 1
        if not apply_findings(grid, marks, findings):
            return -rounds
    return rounds


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def suppose(
    grid: PrintedBoard,
    marks: Marks,
    findings: Findings,
    kind: cython.int,
    edge: cython.int,
    limit: cython.int,
) -> cython.int:
    """Settle one edge and follow it; as ``settle_simply``, or REFUTED_AT_ONCE."""
    findings.settled = 0
    forget_findings(findings)
    propose(findings, kind, edge, 0, 0)
    if not apply_findings(grid, marks, findings):
        return REFUTED_AT_ONCE
    return settle_simply(grid, marks, findings, limit)
