"""Climb the ladder: in each round, apply the easiest technique that finds anything.

The *ladder* is the list of techniques, the easiest first. A *rung* is a technique's place in it. The caller
defines the ladder: the order, how deep each technique looks, and which techniques are only valid if no path
runs beside itself. A technique is known by its ``TechniqueCode``, which does not depend on the order.
"""

from typing import Self

from linkpress.engine.kernels import pure_python as cython
from linkpress.engine.kernels.glossary import ClimbOutcome, TechniqueCode
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
from linkpress.engine.kernels.ladder.gaps import Gaps, find_changed_gaps, find_narrows, forget_judged
from linkpress.engine.kernels.ladder.ladder_board import (
    LadderBoard,
    apply_findings,
    copy_known,
    copy_print,
    count_open,
    forget_findings,
    lay_out,
    mark_all_dirty,
    propose,
)
from linkpress.engine.kernels.ladder.suppositions import (
    NO_LIMIT,
    Suppositions,
    find_nested,
    find_walled_in,
    judge_order,
    propose_proven,
    suppose_all,
)
from linkpress.engine.kernels.ladder.wall_order import WallOrder, join_components, list_walks
from linkpress.engine.kernels.pure_python import Bytes, Ints, State, items, make_fields

# How many cells along a diagonal a technique looks at if its depth has no limit. No diagonal is this long.
_ANY_DIAGONAL: int = 99


class Log(State):
    """Rounds and findings of the last climb.

    Each round settles an edge or numbers a fragment, and only in the last round can findings contradict each
    other. So there are at most three rounds and eight findings for each cell.
    """

    round_count: int
    # For each round, four numbers: the technique, how many findings it had, how many edges were open before
    # the round, and how many findings all rounds had so far.
    rounds: Ints = items("12 * cells")
    logged: int  # the number of findings in the log
    entries: Ints = items("32 * cells + 32")  # four numbers for each finding: kind, where, reason and cause

    def __init__(self, cells: int) -> None:
        make_fields(self, locals())


class Techniques(State):
    """Ladder of techniques in the form of arrays."""

    count: int
    order: Ints = items("len(ladder)")  # the codes of the techniques, the easiest first
    depth: Ints = items("codes")  # for each technique code: how deep the technique looks, 0 for no limit

    # for each code: 1 if the technique is valid only when no path runs beside itself
    untouching: Bytes = items("codes")

    def __init__(self, ladder: list) -> None:
        codes = 1 + max([code for code, _, _ in ladder])
        make_fields(self, locals())
        self.count = len(ladder)
        for rung in range(self.count):
            code, depth, untouching = ladder[rung]
            self.order[rung], self.depth[code], self.untouching[code] = code, depth, untouching


class Position:
    """Partly drawn board, with all the data that techniques need to go on from there.

    Args:
        free: for each cell, 0 for a solid, else 1.
        pairs: both endpoints of each pair, the smaller cell first, as a flat list.
        untouching: whether it is known that no path of the solution runs beside itself.
        ladder: the techniques, the easiest first. Each has three values: its code, its depth, and whether it
            is only valid if no path runs beside itself. The depth is a number of cells along a diagonal, or
            of rounds after a supposition. It is 0 for no limit.
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
    sound: bool  # whether each cell of the empty board had enough exits for the edges that it needs

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
        """Clear the drawing and replace the pairs. The number of pairs must stay the same."""
        for index in range(2 * self.board.pair_count):
            self.board.pairs[index] = pairs[index]
        self.sound = lay_out(self.board)
        copy_print(self.board, self.inner)
        copy_print(self.board, self.suppositions.spare)

    def copy(self) -> Self:
        """Return another position with the same board and the same knowledge."""
        free = [self.board.free[cell] for cell in range(self.board.cells)]
        pairs = [self.board.pairs[index] for index in range(2 * self.board.pair_count)]
        rows, cols, untouching = self.board.rows, self.board.cols, self.board.untouching
        other: Position = Position(rows, cols, free, pairs, untouching, self.ladder)
        copy_known(self.board, other.board)
        return other

    def edges(self) -> list:
        return [self.board.edge[edge] for edge in range(2 * self.board.cells)]

    def mates(self) -> list:
        return [self.board.mate[cell] for cell in range(self.board.cells)]

    def numbers(self) -> list:
        """Return, for each cell, 1 + the first endpoint of its fragment's pair; 0 if the pair is unknown."""
        return [self.board.number[cell] for cell in range(self.board.cells)]

    def needs(self) -> list:
        return [self.board.need[cell] for cell in range(self.board.cells)]

    def climb(self, highest: int) -> tuple:
        """Climb with the first ``highest`` techniques of the ladder until none of them has a finding.

        Returns:
            A ``ClimbOutcome``, and the rounds in the form of ``Log.rounds``.
        """
        with cython.nogil:
            outcome = _climb(self, highest, self.log)
        return outcome, [self.log.rounds[index] for index in range(4 * self.log.round_count)]

    def findings(self) -> list:
        return [self.log.entries[index] for index in range(4 * self.log.logged)]

    def find_with(self, technique: int) -> list | None:
        """Return the findings of one technique, as four numbers each; None if it finds a contradiction."""
        if not find_afresh(self, technique):
            return None
        return _list_findings(self.board)

    def apply(self, findings: list) -> bool:
        """Write findings onto the board; return False if they contradict each other or what is known.

        Args:
            findings: four numbers for each finding: its kind, where, reason and cause.
        """
        forget_findings(self.board)
        for index in range(0, len(findings), 4):
            propose(
                self.board, findings[index], findings[index + 1], findings[index + 2], findings[index + 3]
            )
        self.board.trail_length = 0
        return apply_findings(self.board)

    def find_simply(self) -> list:
        """Return the findings of the techniques ``exits``, ``clash`` and ``touch``, as four numbers each.

        The techniques look at the cells that the last ``apply`` changed. If they find nothing there, they
        look at all cells.
        """
        forget_findings(self.board)
        find_simple(self.board)
        if self.board.finding_count == 0:
            mark_all_dirty(self.board)
            find_simple(self.board)
        return _list_findings(self.board)

    def walks(self) -> list:
        return list_walks(self.board, self.order)

    def gap_sides(self, gap: list) -> list:
        """Return, for each cell, the side of a gap on which it lies. A side is named by its first cell.

        A cell of the gap is a side of its own, and so is a cell that needs no more drawn edges.
        """
        copy_known(self.board, self.inner)
        for cell in gap:
            self.inner.need[cell] = 0
        join_components(self.inner, False, self.order.component, self.order.stack)
        return [self.order.component[cell] for cell in range(self.board.cells)]

    def contradiction(self) -> tuple:
        """Return the ``Contradiction`` that the last failed call of ``apply`` or ``find_with`` met.

        Returns:
            The ``Contradiction``, and the edge, cell or number where it was met.
        """
        return self.board.contradiction, self.board.contradiction_at


def find_afresh(position: Position, technique: int) -> bool:
    """Apply one technique without results of earlier calls; return False if it meets a contradiction."""
    position.suppositions.all_propagated = 0
    forget_judged(position.gaps)
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
    forget_judged(position.gaps)
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
    """Apply the techniques from the easiest on until one has findings.

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
    """Apply one technique, which proposes its findings; return False if it meets a contradiction."""
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
        return find_changed_gaps(position.board, position.gaps.judged, position.gaps, 0)
    elif technique == TechniqueCode.NARROWS:
        return find_narrows(position.board, position.gaps)
    elif technique == TechniqueCode.BALANCE:
        return find_changed_gaps(position.board, position.gaps.judged_by_colour, position.gaps, 1)
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
    """Return how many cells along a diagonal a technique looks at."""
    depth = position.techniques.depth[technique]
    return depth if depth > 0 else _ANY_DIAGONAL


def _suppose_freely(position: Position) -> None:
    """Follow all suppositions to their ends, unless another technique has just done so."""
    if not position.suppositions.all_propagated:
        suppose_all(position.board, position.suppositions, NO_LIMIT)
        position.suppositions.all_propagated = 1
