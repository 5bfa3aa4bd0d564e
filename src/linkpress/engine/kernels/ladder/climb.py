"""A climb takes in each round every finding of the lowest rung that has any.

The ladder is the caller's: which technique stands on which rung, how deep each one looks, and which ones hold
only where no path runs beside itself. Techniques go by their ``TechniqueCode`` codes, which say nothing of
their order.
"""

from typing import Self

from linkpress.engine.kernels import pure_python as cython
from linkpress.engine.kernels.glossary import ClimbOutcome, TechniqueCode
from linkpress.engine.kernels.ladder.gap_sides import Gaps, mark_near
from linkpress.engine.kernels.ladder.gaps import LONGEST_GAP, find_gaps, find_narrows
from linkpress.engine.kernels.ladder.ladder_board import (
    LadderBoard,
    apply_findings,
    copy_known,
    copy_print,
    count_open,
    forget_findings,
    lay_out,
    propose,
    touch_all,
)
from linkpress.engine.kernels.ladder.local import (
    NO_LIMIT,
    Bends,
    find_clashes,
    find_corners,
    find_exits,
    find_simple,
    find_touching,
    find_turns,
)
from linkpress.engine.kernels.ladder.reach import Blocks, find_cut_off
from linkpress.engine.kernels.ladder.suppositions import (
    Suppositions,
    find_nested,
    find_walled_in,
    judge_order,
    propose_proven,
    suppose_all,
)
from linkpress.engine.kernels.ladder.wall_order import WallOrder, list_walks
from linkpress.engine.kernels.pure_python import Bytes, Ints, State, items, make_fields

# The squares along a diagonal that are looked at where there is no limit: more than any board has.
ANY_DIAGONAL: int = 99


class Log(State):
    """A log says what the last climb did.

    A round settles an edge or numbers a fragment; only the last can have findings that contradict
    each other. So there are at most three rounds a cell, and eight findings.
    """

    round_count: int  # rounds made
    rounds: Ints = items("12 * cells")  # each: technique, findings, open edges before, findings up to its end
    logged: int  # findings made
    entries: Ints = items("32 * cells + 32")  # four numbers a finding: kind, where, reason and cause

    def __init__(self, cells: int) -> None:
        make_fields(self, locals())


class Techniques(State):
    """This is the ladder, as ``Position`` is given it."""

    count: int
    order: Ints = items("len(ladder)")  # by rung, from 0: a technique's code
    depth: Ints = items("codes")  # by code
    untouching: Bytes = items("codes")  # by code: 1 for those that hold only where no path runs beside itself

    def __init__(self, ladder: list) -> None:
        codes = 1 + max([code for code, _, _ in ladder])
        make_fields(self, locals())
        self.count = len(ladder)
        for rung in range(self.count):
            code, depth, untouching = ladder[rung]
            self.order[rung], self.depth[code], self.untouching[code] = code, depth, untouching


class Position:
    """A position is a board as far as it is drawn, with all that the ladder needs to go on from there.

    Args:
        free: by cell, 0 for a solid.
        pairs: both endpoints of each pair, the smaller cell first, one pair after the other.
        untouching: whether no path of the solution is known to run beside itself.
        ladder: the techniques, the lowest rung first. Of each its code; its depth, which is the squares of
            a diagonal or the rounds that a supposition is followed, 0 for no limit; and whether it holds only
            where no path runs beside itself.
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
    sound: bool  # whether every cell had enough exits to begin with

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
        """Clear the board and its spare ones, and lay as many pairs as there were."""
        for index in range(2 * self.board.pair_count):
            self.board.pairs[index] = pairs[index]
        self.sound = lay_out(self.board)
        copy_print(self.board, self.inner)
        copy_print(self.board, self.suppositions.spare)

    def copy(self) -> Self:
        """Return another position that knows what this one does."""
        free = [self.board.free[cell] for cell in range(self.board.cells)]
        pairs = [self.board.pairs[index] for index in range(2 * self.board.pair_count)]
        rows, cols, untouching = self.board.rows, self.board.cols, self.board.untouching
        other: Position = Position(rows, cols, free, pairs, untouching, self.ladder)
        copy_known(self.board, other.board)
        return other

    def edges(self) -> list:
        """List the ``EdgeState`` of each edge."""
        return [self.board.edge[edge] for edge in range(2 * self.board.cells)]

    def mates(self) -> list:
        """List by cell, for an end of a fragment, the fragment's other end."""
        return [self.board.mate[cell] for cell in range(self.board.cells)]

    def numbers(self) -> list:
        """List by cell, for an end of a fragment, 1 + the first endpoint of its pair, 0 when unknown."""
        return [self.board.number[cell] for cell in range(self.board.cells)]

    def needs(self) -> list:
        """List how many more drawn edges each cell takes."""
        return [self.board.need[cell] for cell in range(self.board.cells)]

    def climb(self, highest: int) -> tuple:
        """Settle all that the rungs up to ``highest`` settle; return a ``ClimbOutcome`` and the rounds.

        The rounds are a list of numbers as ``Log`` has them.
        """
        with cython.nogil:
            outcome = _climb(self, highest, self.log)
        return outcome, [self.log.rounds[index] for index in range(4 * self.log.round_count)]

    def findings(self) -> list:
        """List the findings of the last climb, four numbers each, as ``Log`` has them."""
        return [self.log.entries[index] for index in range(4 * self.log.logged)]

    def find_with(self, technique: int) -> list | None:
        """List the findings of one technique, four numbers each; None when it sees a contradiction."""
        if not find_afresh(self, technique):
            return None
        return _listed(self.board)

    def apply(self, findings: list) -> bool:
        """Write the findings of one round, four numbers each; False when they contradict something."""
        forget_findings(self.board)
        for index in range(0, len(findings), 4):
            propose(
                self.board, findings[index], findings[index + 1], findings[index + 2], findings[index + 3]
            )
        self.board.settled = 0
        return apply_findings(self.board)

    def find_simply(self) -> list:
        """List what exits, clashes and touch say, four numbers each.

        They look at the cells that the last ``apply`` changed; where that gives nothing, at all cells.
        """
        forget_findings(self.board)
        find_simple(self.board)
        if self.board.finding_count == 0:
            touch_all(self.board)
            find_simple(self.board)
        return _listed(self.board)

    def walks(self) -> list:
        """List for each wall the squares along it that lines can still come to, once around."""
        return list_walks(self.board, self.order)

    def contradiction(self) -> tuple:
        """Return the ``Contradiction`` of an ``apply`` or a ``find_with`` that failed, and its place."""
        return self.board.fault, self.board.fault_at


def find_afresh(position: Position, technique: int) -> bool:
    """Find what one technique says, whatever was asked before; False when it sees a contradiction."""
    position.suppositions.all_propagated = 0
    _forget_judged(position.gaps)
    return _find(position, technique)


@cython.cfunc
def _listed(board: LadderBoard) -> list:
    """List all findings, four numbers each: kind, where, reason and cause."""
    found: list = []
    for index in range(board.finding_count):
        found += [board.kind[index], board.where[index], board.reason[index], board.cause[index]]
    return found


def _climb(position: Position, highest: int, log: Log) -> int:
    log.round_count = log.logged = 0
    if not position.sound:
        return ClimbOutcome.CONTRADICTED
    _forget_judged(position.gaps)
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
        position.board.settled = 0
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


def _forget_judged(gaps: Gaps) -> None:
    """Note that no gap has been judged yet: no cell has -1 exits, so that every cell counts as changed."""
    for cell in range(gaps.judged.cells):
        gaps.judged.exits[cell] = gaps.judged_by_colour.exits[cell] = -1


def _find_lowest(position: Position, highest: int) -> int:
    """Find everything that the lowest rung with findings has, and return its technique.

    It is 0 when none up to ``highest`` has any, -1 when the board has no filling.
    """
    position.suppositions.all_propagated = 0
    for rung in range(min(highest, position.techniques.count)):
        technique = position.techniques.order[rung]
        if not _find(position, technique):
            return -1
        if position.board.finding_count > 0:
            return technique
    return 0


def _find(position: Position, technique: int) -> bool:
    """Find what one technique says; False when it sees a contradiction."""
    forget_findings(position.board)
    touch_all(position.board)
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
        return find_cut_off(position.board, position.blocks)
    elif technique == TechniqueCode.ORDER:
        return judge_order(position.board, position.order, position.suppositions)
    elif technique == TechniqueCode.GAP:
        return _judge_gaps(position, position.gaps.judged, 0)
    elif technique == TechniqueCode.NARROWS:
        return find_narrows(position.board, position.gaps)
    elif technique == TechniqueCode.BALANCE:
        return _judge_gaps(position, position.gaps.judged_by_colour, 1)
    elif technique == TechniqueCode.WALLS:
        _suppose_freely(position)
        find_walled_in(position.board, position.blocks, position.gaps, position.order, position.suppositions)
    elif technique == TechniqueCode.NESTED:
        _suppose_freely(position)
        find_nested(position.board, position.inner, position.suppositions)
    else:
        _find_refuted(position, position.techniques.depth[technique])
    return True


def longest_diagonal(position: Position, technique: int) -> int:
    """Return how many squares along a diagonal a technique looks at."""
    depth = position.techniques.depth[technique]
    return depth if depth > 0 else ANY_DIAGONAL


def _find_refuted(position: Position, depth: int) -> None:
    if depth == 0:
        _suppose_freely(position)
    else:
        suppose_all(position.board, position.suppositions, depth)
    propose_proven(position.board, position.suppositions)


def _suppose_freely(position: Position) -> None:
    """Follow all suppositions to their ends, once for the techniques that rest on it."""
    if not position.suppositions.all_propagated:
        suppose_all(position.board, position.suppositions, NO_LIMIT)
        position.suppositions.all_propagated = 1


def _judge_gaps(position: Position, judged: LadderBoard, by_colour: int) -> bool:
    """Judge the gaps near what has changed since ``judged``, or all where those say nothing.

    A change far away can add to what must pass a gap, so that all of them are judged in the end.
    """
    position.gaps.by_colour = by_colour
    mark_near(judged, position.board, position.gaps)
    copy_known(position.board, judged)
    if not find_gaps(position.board, 1, LONGEST_GAP, position.gaps):
        return False
    if position.board.finding_count > 0:
        return True
    for cell in range(position.board.cells):
        position.gaps.near[cell] = position.gaps.nearby[cell] = 1
    return find_gaps(position.board, 1, LONGEST_GAP, position.gaps)
