"""Climbing the ladder: in each round every finding of the lowest rung that has any."""

from typing import Self

try:
    import cython
except ImportError:  # no compiler was there, so that kernels run as plain Python
    import linkpress.engine.kernels.pure_python as cython

from linkpress.engine.kernels.glossary import ClimbOutcome, Rung

if not cython.compiled:
    from linkpress.engine.kernels.ladder.blocks import Blocks
    from linkpress.engine.kernels.ladder.exits import NO_LIMIT, find_clashes, find_exits, find_simple, suppose
    from linkpress.engine.kernels.ladder.findings import (
        Findings,
        apply_findings,
        forget_findings,
        propose,
        touch_all,
    )
    from linkpress.engine.kernels.ladder.gap_sides import Gaps, mark_near
    from linkpress.engine.kernels.ladder.gaps import LONGEST_GAP, find_gaps
    from linkpress.engine.kernels.ladder.marks import (
        Marks,
        PrintedBoard,
        copy_marks,
        count_open,
        lay_out,
    )
    from linkpress.engine.kernels.ladder.nested import find_nested
    from linkpress.engine.kernels.ladder.order import WallOrder, judge_order
    from linkpress.engine.kernels.ladder.reach import find_cut_off
    from linkpress.engine.kernels.ladder.suppositions import Suppositions, propose_held, suppose_all
    from linkpress.engine.kernels.ladder.touch import Bends, find_corners, find_touching, find_turns
    from linkpress.engine.kernels.ladder.walking import Walking
    from linkpress.engine.kernels.ladder.walls import GAP_STAGES, find_walled_in, follow_on, longest_gap
    from linkpress.engine.kernels.memory import Ints, State, ints_of

EXITS_RUNG = cython.declare(cython.int, Rung.EXITS.value)
CLASH_RUNG = cython.declare(cython.int, Rung.CLASH.value)
TURN_RUNG = cython.declare(cython.int, Rung.TURN.value)
TOUCH_RUNG = cython.declare(cython.int, Rung.TOUCH.value)
CUT_OFF_RUNG = cython.declare(cython.int, Rung.CUT_OFF.value)
CORNER_RUNG = cython.declare(cython.int, Rung.CORNER.value)
LOOK_AHEAD_RUNG = cython.declare(cython.int, Rung.LOOK_AHEAD.value)
DIAGONAL_RUNG = cython.declare(cython.int, Rung.DIAGONAL.value)
ORDER_RUNG = cython.declare(cython.int, Rung.ORDER.value)
GAP_RUNG = cython.declare(cython.int, Rung.GAP.value)
WHAT_IF_RUNG = cython.declare(cython.int, Rung.WHAT_IF.value)
CHAIN_RUNG = cython.declare(cython.int, Rung.CHAIN.value)
LONG_CHAIN_RUNG = cython.declare(cython.int, Rung.LONG_CHAIN.value)
BALANCE_RUNG = cython.declare(cython.int, Rung.BALANCE.value)
WALLS_RUNG = cython.declare(cython.int, Rung.WALLS.value)
NESTED_RUNG = cython.declare(cython.int, Rung.NESTED.value)
FINISHED = cython.declare(cython.int, ClimbOutcome.FINISHED.value)
STUCK = cython.declare(cython.int, ClimbOutcome.STUCK.value)
CONTRADICTED = cython.declare(cython.int, ClimbOutcome.CONTRADICTED.value)

# Squares along a diagonal that are looked at, by technique.
SHORT_DIAGONAL = cython.declare(cython.int, 2)
ANY_DIAGONAL = cython.declare(cython.int, 99)
# Rounds that a supposition is followed, by technique.
ONE_ROUND = cython.declare(cython.int, 1)
SHORT_CHAIN = cython.declare(cython.int, 3)
MIDDLE_CHAIN = cython.declare(cython.int, 8)


@cython.final
@cython.cclass
class Log(State):
    """What a climb did.

    A round settles an edge or numbers a fragment; only the last can have findings that contradict
    each other. So there are at most three rounds a cell, and eight findings.

    Args:
        cells: of the board.
    """

    round_count: cython.int  # rounds made
    rounds: Ints  # four words a round: rung, findings, open edges before, findings up to its end
    logged: cython.int  # findings made
    entries: Ints  # four words a finding: kind, where, reason and cause

    def __init__(self, cells: cython.int) -> None:
        self.round_count = self.logged = 0
        self.rounds = ints_of(self, 12 * cells)
        self.entries = ints_of(self, 32 * cells + 32)


@cython.final
@cython.cclass
class Position:
    """A board as far as it is drawn, with all that the ladder needs to go on from there.

    Args:
        rows, cols: of the board.
        free: by cell, 0 for a solid.
        pairs: both endpoints of each pair, the smaller cell first, one pair after the other.
        strict: whether the board is known to be strict, so that no path runs beside itself.
    """

    grid: PrintedBoard
    marks: Marks
    inner: Marks
    findings: Findings
    bends: Bends
    order: WallOrder
    blocks: Blocks
    gaps: Gaps
    suppositions: Suppositions
    walking: Walking
    sound: cython.bint  # whether every cell had enough exits to begin with

    def __init__(
        self, rows: cython.int, cols: cython.int, free: list, pairs: list, strict: cython.bint
    ) -> None:
        cells = rows * cols
        self.grid, self.marks = PrintedBoard(rows, cols, len(pairs) // 2), Marks(cells)
        self.inner = Marks(cells)
        self.findings, self.blocks, self.gaps = Findings(cells), Blocks(cells), Gaps(cells)
        self.bends, self.order, self.suppositions = Bends(cells), WallOrder(cells), Suppositions(cells)
        self.walking = Walking(cells)
        self.grid.strict = strict
        for cell in range(cells):
            self.grid.free[cell] = free[cell]
        for at in range(len(pairs)):
            self.grid.pairs[at] = pairs[at]
        self.sound = lay_out(self.grid, self.marks)
        copy_marks(self.marks, self.suppositions.spare)

    def is_sound(self) -> bool:
        """Whether every cell had enough exits to begin with."""
        return self.sound

    def copy(self) -> Self:
        """Another position that knows what this one does."""
        free = [self.grid.free[cell] for cell in range(self.grid.cells)]
        pairs = [self.grid.pairs[at] for at in range(2 * self.grid.pair_count)]
        other: Position = Position(self.grid.rows, self.grid.cols, free, pairs, self.grid.strict)
        copy_marks(self.marks, other.marks)
        return other

    def edges(self) -> list:
        """By edge, its ``EdgeState``."""
        return [self.marks.edge[edge] for edge in range(2 * self.grid.cells)]

    def mates(self) -> list:
        """By cell, for an end of a fragment the fragment's other end."""
        return [self.marks.mate[cell] for cell in range(self.grid.cells)]

    def numbers(self) -> list:
        """By cell, for an end of a fragment 1 + the first endpoint of its pair, 0 when unknown."""
        return [self.marks.number[cell] for cell in range(self.grid.cells)]

    def needs(self) -> list:
        """By cell, how many more drawn edges it takes."""
        return [self.marks.need[cell] for cell in range(self.grid.cells)]

    def open_cells(self) -> list:
        """The cells that take more drawn edges."""
        return [cell for cell in range(self.grid.cells) if self.marks.need[cell] > 0]

    def climb_anew(self, pairs: list, highest: cython.int) -> tuple:
        """Clear the board, move its pairs, and climb.

        Args:
            pairs: as many as there are, otherwise as when the position was made.
            highest: the last rung that may be used.
        Returns:
            A ``ClimbOutcome``, and the rounds, as of ``climb``.
        """
        for at in range(2 * self.grid.pair_count):
            self.grid.pairs[at] = pairs[at]
        self.sound = lay_out(self.grid, self.marks)
        log = Log(self.grid.cells)
        with cython.nogil:
            outcome = _climb(self, highest, log)
        return outcome, [log.rounds[at] for at in range(4 * log.round_count)]

    def climb(self, highest: cython.int) -> tuple:
        """Settle all that the rungs up to ``highest`` settle.

        Returns:
            A ``ClimbOutcome``; the rounds and the findings, each a list of words as ``Log`` has them.
        """
        log = Log(self.grid.cells)
        with cython.nogil:
            outcome = _climb(self, highest, log)
        rounds = [log.rounds[at] for at in range(4 * log.round_count)]
        return outcome, rounds, [log.entries[at] for at in range(4 * log.logged)]

    def find_on_rung(self, rung: cython.int) -> list | None:
        """The findings of one rung, four words each; None when it sees a contradiction."""
        if not find_afresh(self, rung):
            return None
        return _words_of(self.findings)

    def apply(self, findings: list) -> bool:
        """Write the findings of one round, four words each, as ``climb`` does.

        Returns:
            False when they contradict what is known or each other.
        """
        forget_findings(self.findings)
        for at in range(0, len(findings), 4):
            propose(self.findings, findings[at], findings[at + 1], findings[at + 2], findings[at + 3])
        self.findings.settled = 0
        return apply_findings(self.grid, self.marks, self.findings)

    def find_simply(self) -> list:
        """What exits, clashes and touch say, four words each.

        Of the cells that the last ``apply`` changed; where that is nothing, of all.
        """
        forget_findings(self.findings)
        find_simple(self.grid, self.marks, self.findings)
        if self.findings.finding_count == 0:
            touch_all(self.grid, self.findings)
            find_simple(self.grid, self.marks, self.findings)
        return _words_of(self.findings)

    def contradiction(self) -> tuple:
        """Of an ``apply`` or a ``find_on_rung`` that failed, the ``Contradiction`` and its place."""
        return self.findings.fault, self.findings.fault_at

    def follow(self, kind: cython.int, edge: cython.int) -> tuple:
        """Suppose an open edge DRAWN or RULED_OUT and follow it; left at the contradiction.

        Returns:
            The ``Contradiction`` that it leads to, and its place.
        """
        with cython.nogil:
            holds = _follow_to_end(self, kind, edge)
        return (0 if holds else self.findings.fault), self.findings.fault_at


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_afresh(position: Position, rung: cython.int) -> cython.bint:
    """The findings of one rung, whatever was asked before; False when it sees a contradiction."""
    position.suppositions.all_followed = 0
    _forget_judged(position.gaps)
    return _find(position, rung)


@cython.cfunc
def _words_of(findings: Findings) -> list:
    """All findings, four words each: kind, where, reason and cause."""
    found: list = []
    for at in range(findings.finding_count):
        found += [findings.kind[at], findings.where[at], findings.reason[at], findings.cause[at]]
    return found


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _climb(position: Position, highest: cython.int, log: Log) -> cython.int:
    """Climb until the board is finished or no rung has anything to say."""
    if not position.sound:
        return CONTRADICTED
    _forget_judged(position.gaps)
    position.suppositions.effort = position.suppositions.inner_count = 0
    position.order.effort = 0
    while True:
        edges = count_open(position.marks)
        if edges == 0:
            return FINISHED
        rung = _find_lowest(position, highest)
        if rung <= 0:
            return STUCK if rung == 0 else CONTRADICTED
        _log_round(log, position.findings, rung, edges)
        position.findings.settled = 0
        if not apply_findings(position.grid, position.marks, position.findings):
            return CONTRADICTED


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _log_round(log: Log, findings: Findings, rung: cython.int, edges: cython.int) -> cython.void:
    for at in range(findings.finding_count):
        entry = 4 * log.logged
        log.entries[entry], log.entries[entry + 1] = findings.kind[at], findings.where[at]
        log.entries[entry + 2], log.entries[entry + 3] = findings.reason[at], findings.cause[at]
        log.logged += 1
    row = 4 * log.round_count
    log.rounds[row], log.rounds[row + 1] = rung, findings.finding_count
    log.rounds[row + 2], log.rounds[row + 3] = edges, log.logged
    log.round_count += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _forget_judged(gaps: Gaps) -> cython.void:
    """No gap has been judged yet: no cell has -1 exits, so that every cell counts as changed."""
    for cell in range(gaps.judged.cells):
        gaps.judged.exits[cell] = gaps.judged_by_colour.exits[cell] = -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _find_lowest(position: Position, highest: cython.int) -> cython.int:
    """Find everything that the lowest rung with findings has.

    Returns:
        The rung; 0 when none up to ``highest`` has any, -1 when the board has no filling.
    """
    position.suppositions.all_followed = 0
    for rung in range(1, highest + 1):
        if not _find(position, rung):
            return -1
        if position.findings.finding_count > 0:
            return rung
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _find(position: Position, rung: cython.int) -> cython.bint:
    """The findings of one rung; False when it sees a contradiction."""
    forget_findings(position.findings)
    touch_all(position.grid, position.findings)
    if rung == EXITS_RUNG:
        find_exits(position.grid, position.marks, position.findings)
    elif rung == CLASH_RUNG:
        find_clashes(position.grid, position.marks, position.findings)
    elif rung in (TURN_RUNG, TOUCH_RUNG, CORNER_RUNG, DIAGONAL_RUNG):
        return not position.grid.strict or _find_strictly(position, rung)
    elif rung == CUT_OFF_RUNG:
        return find_cut_off(position.grid, position.marks, position.findings, position.blocks)
    elif rung == LOOK_AHEAD_RUNG:
        _find_refuted(position, ONE_ROUND)
    elif rung == ORDER_RUNG:
        return judge_order(
            position.grid, position.marks, position.findings, position.order, position.suppositions
        )
    elif rung == GAP_RUNG:
        return _judge_gaps(position, position.gaps.judged, 0)
    elif rung == WHAT_IF_RUNG:
        _find_refuted(position, SHORT_CHAIN)
    elif rung == BALANCE_RUNG:
        return _judge_gaps(position, position.gaps.judged_by_colour, 1)
    elif rung == CHAIN_RUNG:
        _find_refuted(position, MIDDLE_CHAIN)
    elif rung == LONG_CHAIN_RUNG:
        _find_refuted(position, NO_LIMIT)
    elif rung == WALLS_RUNG:
        _find_walled_in(position)
    elif rung == NESTED_RUNG:
        _suppose_freely(position)
        find_nested(position.grid, position.marks, position.inner, position.findings, position.suppositions)
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _find_strictly(position: Position, rung: cython.int) -> cython.bint:
    """As ``_find``, of the techniques that hold only where no path runs beside itself."""
    if rung == TURN_RUNG:
        find_turns(position.grid, position.marks, position.findings)
        return True
    if rung == TOUCH_RUNG:
        find_touching(position.grid, position.marks, position.findings)
        return True
    longest = SHORT_DIAGONAL if rung == CORNER_RUNG else ANY_DIAGONAL
    return find_corners(position.grid, position.marks, position.findings, position.bends, longest)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _find_refuted(position: Position, limit: cython.int) -> cython.void:
    if limit == NO_LIMIT:
        _suppose_freely(position)
    else:
        suppose_all(position.grid, position.marks, position.findings, position.suppositions, limit)
    propose_held(position.findings, position.suppositions)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _suppose_freely(position: Position) -> cython.void:
    """Follow all suppositions to their ends, once for the two techniques that rest on it."""
    if not position.suppositions.all_followed:
        suppose_all(position.grid, position.marks, position.findings, position.suppositions, NO_LIMIT)
        position.suppositions.all_followed = 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _find_walled_in(position: Position) -> cython.void:
    _suppose_freely(position)
    find_walled_in(
        position.grid,
        position.marks,
        position.findings,
        position.blocks,
        position.gaps,
        position.order,
        position.suppositions,
    )


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _judge_gaps(position: Position, judged: Marks, by_colour: cython.int) -> cython.bint:
    """Judge the gaps near what has changed since ``judged``, or all where those say nothing.

    A change far away can add to what must pass a gap, so that all of them are judged in the end.
    """
    position.gaps.by_colour = by_colour
    mark_near(judged, position.marks, position.grid.cols, position.gaps)
    copy_marks(position.marks, judged)
    if not _find_gaps(position):
        return False
    if position.findings.finding_count > 0:
        return True
    for cell in range(position.grid.cells):
        position.gaps.near[cell] = position.gaps.nearby[cell] = 1
    return _find_gaps(position)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _find_gaps(position: Position) -> cython.bint:
    cols = position.grid.cols
    return find_gaps(position.grid, position.marks, cols, 1, LONGEST_GAP, position.findings, position.gaps)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _follow_to_end(position: Position, kind: cython.int, edge: cython.int) -> cython.bint:
    """Suppose and follow, by longer and longer gaps; whether no contradiction was met."""
    copy_marks(position.marks, position.gaps.judged)
    if suppose(position.grid, position.marks, position.findings, kind, edge, NO_LIMIT) < 0:
        return False
    for stage in range(GAP_STAGES):
        rounds = follow_on(
            position.grid,
            position.gaps.judged,
            position.marks,
            position.findings,
            position.blocks,
            position.gaps,
            position.order,
            longest_gap(stage),
            0,
        )
        if rounds < 0:
            return False
    return True
