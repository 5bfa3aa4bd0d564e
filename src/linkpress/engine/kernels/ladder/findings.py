"""What a technique found, and writing it into the marks.

A technique looks at the marks and proposes; nothing changes until ``apply_findings``, so that
what it finds does not depend on the order in which it looks.
"""

try:
    import cython
except ImportError:  # no compiler was there, so that kernels run as plain Python
    import linkpress.engine.kernels.pure_python as cython

from linkpress.engine.kernels.glossary import Contradiction, FindingKind

if not cython.compiled:
    from linkpress.engine.kernels.ladder.marks import (
        DRAWN,
        OPEN,
        RULED_OUT,
        Marks,
        PrintedBoard,
        draw,
        edge_of,
        exit_at,
        far_end,
        give_number,
        mark_of,
        rule_out,
    )
    from linkpress.engine.kernels.memory import Ints, State, ints_of


# A finding is DRAWN or RULED_OUT with an edge, or NUMBERED with a cell, its cause the number.
NUMBERED = cython.declare(cython.int, FindingKind.NUMBERED.value)
AT_EDGE = cython.declare(cython.int, Contradiction.AT_EDGE.value)
PAIR_CUT_OFF = cython.declare(cython.int, Contradiction.PAIR_CUT_OFF.value)
UNREACHED = cython.declare(cython.int, Contradiction.UNREACHED.value)
UNFILLED = cython.declare(cython.int, Contradiction.UNFILLED.value)


@cython.final
@cython.cclass
class Findings(State):
    """What a technique has found, and what changed when that was written into the marks.

    Args:
        cells: of the board.
    """

    cells: cython.int
    capacity: cython.int  # findings that there is room for: every edge each way, every cell's number
    finding_count: cython.int
    kind: Ints  # by finding: DRAWN, RULED_OUT or NUMBERED
    where: Ints  # by finding: the edge or the cell
    reason: Ints  # by finding: why, a ``Reason``
    cause: Ints  # by finding: because of what; ``Reason`` says what of
    stamp: cython.int  # of the present list, for ``seen``; ``forget_findings`` begins the first
    seen: Ints  # by possible finding, edges drawn, edges ruled out, then cells: the last list that held it
    given: Ints  # by cell: the number last proposed for it
    touch_stamp: cython.int  # of the present dirty cells, for ``touched``
    touched: Ints  # by cell: when it was last noted as dirty
    dirty_count: cython.int
    dirty: Ints  # the cells whose surroundings have changed, ``dirty_count`` of them
    settled: cython.int  # how many edges are on the trail
    trail: Ints  # every edge settled since ``settled`` was 0, automatic ones too, as settled edges
    fault: cython.int  # the last contradiction, a ``Contradiction``
    fault_at: cython.int  # its place; ``Contradiction`` says what of

    def __init__(self, cells: cython.int) -> None:
        self.cells, self.capacity = cells, 5 * cells + 8
        self.finding_count = self.stamp = self.touch_stamp = self.dirty_count = 0
        self.settled = self.fault = self.fault_at = 0
        self.kind = ints_of(self, self.capacity)
        self.where = ints_of(self, self.capacity)
        self.reason = ints_of(self, self.capacity)
        self.cause = ints_of(self, self.capacity)
        self.seen = ints_of(self, 5 * cells)
        self.given = ints_of(self, cells)
        self.touched = ints_of(self, cells)
        self.dirty = ints_of(self, cells)
        self.trail = ints_of(self, 2 * cells)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def forget_findings(findings: Findings) -> cython.void:
    """Begin a new list."""
    findings.finding_count = 0
    findings.stamp += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def propose(
    findings: Findings, kind: cython.int, where: cython.int, reason: cython.int, cause: cython.int
) -> cython.void:
    """Add a finding, unless it is there already."""
    cells = findings.cells
    place = where if kind == DRAWN else where + (4 if kind == NUMBERED else 2) * cells
    stamp = findings.stamp
    if findings.seen[place] == stamp and (kind != NUMBERED or findings.given[where] == cause):
        return
    findings.seen[place] = stamp
    if kind == NUMBERED:
        findings.given[where] = cause
    at = findings.finding_count
    if at == findings.capacity:  # only numbers that contradict each other can be so many
        return
    findings.kind[at], findings.where[at], findings.reason[at], findings.cause[at] = (
        kind,
        where,
        reason,
        cause,
    )
    findings.finding_count = at + 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def touch(findings: Findings, cell: cython.int) -> cython.void:
    """Note a cell as dirty."""
    if findings.touched[cell] != findings.touch_stamp:
        findings.touched[cell] = findings.touch_stamp
        findings.dirty[findings.dirty_count] = cell
        findings.dirty_count += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def touch_all(grid: PrintedBoard, findings: Findings) -> cython.void:
    """Note every cell as dirty."""
    findings.dirty_count = grid.cells
    for cell in range(grid.cells):
        findings.dirty[cell] = cell


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def settle_edge(
    grid: PrintedBoard, marks: Marks, findings: Findings, kind: cython.int, edge: cython.int
) -> cython.bint:
    """Draw or rule out one edge; False when that contradicts what is known."""
    now = mark_of(marks, edge)
    if now == kind:
        return True
    findings.fault, findings.fault_at = AT_EDGE, edge
    if now != OPEN:
        return False
    findings.trail[findings.settled] = edge + 1 if kind == DRAWN else -edge - 1
    findings.settled += 1
    one, other = edge >> 1, far_end(grid, edge)
    touch(findings, one)
    touch(findings, other)
    if kind != DRAWN:
        return rule_out(grid, marks, edge)
    touch(findings, marks.mate[one])
    touch(findings, marks.mate[other])
    return draw(grid, marks, edge)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def apply_findings(grid: PrintedBoard, marks: Marks, findings: Findings) -> cython.bint:
    """Write all findings into the marks, and close the exits of every cell that is now full.

    Afterwards ``dirty`` holds the cells concerned.
    Returns:
        False when they contradict what is known or each other.
    """
    findings.dirty_count = 0
    findings.touch_stamp += 1
    for at in range(findings.finding_count):
        where = findings.where[at]
        if findings.kind[at] == NUMBERED:
            touch(findings, where)
            touch(findings, marks.mate[where])
            if not give_number(grid, marks, where, findings.cause[at]):
                return False
        elif not settle_edge(grid, marks, findings, findings.kind[at], where):
            return False
    return _close_full(grid, marks, findings)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _close_full(grid: PrintedBoard, marks: Marks, findings: Findings) -> cython.bint:
    at = 0
    while at < findings.dirty_count:
        cell = findings.dirty[at]
        at += 1
        if marks.need[cell] > 0 or marks.exits[cell] == 0:
            continue
        for side in range(4):
            if exit_at(grid, marks, cell, side) >= 0 and not settle_edge(
                grid, marks, findings, RULED_OUT, edge_of(grid, cell, side)
            ):
                return False
    return True
