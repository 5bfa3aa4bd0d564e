"""Climb the ladder: in each round, write all findings of the lowest rung that has any.

The caller defines the ladder: which technique is on which rung, how deep each technique looks, and which
ones are only valid if no path runs beside itself. A technique is known by its ``TechniqueCode``, which does
not depend on the order.
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
from linkpress.engine.kernels.ladder.wall_order import WallOrder, list_walks
from linkpress.engine.kernels.pure_python import Bytes, Ints, State, items, make_fields

# Depth of a diagonal without a limit: more cells than any board has along one.
_ANY_DIAGONAL: int = 99


class Log(State):
    """Rounds and findings of the last climb.

    Each round settles an edge or numbers a fragment, and only in the last round can findings contradict each
    other. So there are at most three rounds and eight findings for each cell.
    """

    round_count: int
    rounds: Ints = items("12 * cells")  # each round: technique, findings, open edges before, findings so far
    logged: int  # the number of findings logged
    entries: Ints = items("32 * cells + 32")  # four numbers for each finding: kind, where, reason and cause

    def __init__(self, cells: int) -> None:
        make_fields(self, locals())


class Techniques(State):
    """The ladder of techniques as arrays."""

    count: int
    order: Ints = items("len(ladder)")  # for each rung, from 0: the code of its technique
    depth: Ints = items("codes")  # for each technique code: how deep the technique looks, 0 for no limit
    untouching: Bytes = items("codes")  # for each code: 1 if only valid where no path runs beside itself

    def __init__(self, ladder: list) -> None:
        codes = 1 + max([code for code, _, _ in ladder])
        make_fields(self, locals())
        self.count = len(ladder)
        for rung in range(self.count):
            code, depth, untouching = ladder[rung]
            self.order[rung], self.depth[code], self.untouching[code] = code, depth, untouching


class Position:
    """Partly drawn board, with everything that the ladder needs to go on from there.

    Args:
        free: for each cell, 0 for a solid, else 1.
        pairs: both endpoints of each pair, the smaller cell first, as a flat list.
        untouching: whether no path of the solution is known to run beside itself.
        ladder: the techniques, the lowest rung first. Each has its code; its depth, which is the number of
            cells along a diagonal or of rounds after a supposition, with 0 for no limit; and whether it is
            only valid if no path runs beside itself.
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
        """Clear the drawing and replace the pairs by as many others."""
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
        """Return the ``EdgeState`` of each edge."""
        return [self.board.edge[edge] for edge in range(2 * self.board.cells)]

    def mates(self) -> list:
        """Return, for each cell that is an end of a fragment, the fragment's other end."""
        return [self.board.mate[cell] for cell in range(self.board.cells)]

    def numbers(self) -> list:
        """Return, for each cell, 1 + the first endpoint of its fragment's pair; 0 if the pair is unknown."""
        return [self.board.number[cell] for cell in range(self.board.cells)]

    def needs(self) -> list:
        """Return, for each cell, how many more drawn edges it takes."""
        return [self.board.need[cell] for cell in range(self.board.cells)]

    def climb(self, highest: int) -> tuple:
        """Climb up to the rung ``highest``; return a ``ClimbOutcome`` and the rounds as in ``Log.rounds``."""
        with cython.nogil:
            outcome = _climb(self, highest, self.log)
        return outcome, [self.log.rounds[index] for index in range(4 * self.log.round_count)]

    def findings(self) -> list:
        """Return the findings of the last climb as in ``Log.entries``."""
        return [self.log.entries[index] for index in range(4 * self.log.logged)]

    def find_with(self, technique: int) -> list | None:
        """Return the findings of one technique, four numbers each; None if it finds a contradiction."""
        if not find_afresh(self, technique):
            return None
        return _list_findings(self.board)

    def apply(self, findings: list) -> bool:
        """Write findings, four numbers each, onto the board; return False if they contradict something."""
        forget_findings(self.board)
        for index in range(0, len(findings), 4):
            propose(
                self.board, findings[index], findings[index + 1], findings[index + 2], findings[index + 3]
            )
        self.board.trail_length = 0
        return apply_findings(self.board)

    def find_simply(self) -> list:
        """Return the findings of exits, clash and touch, four numbers each.

        The techniques look at the cells that the last ``apply`` changed, and at all cells if that finds
        nothing.
        """
        forget_findings(self.board)
        find_simple(self.board)
        if self.board.finding_count == 0:
            mark_all_dirty(self.board)
            find_simple(self.board)
        return _list_findings(self.board)

    def walks(self) -> list:
        """Return, for each wall, once around it, the squares along it that lines can still reach."""
        return list_walks(self.board, self.order)

    def contradiction(self) -> tuple:
        """Return the ``Contradiction`` of the last ``apply`` or ``find_with`` that failed, and its place."""
        return self.board.contradiction, self.board.contradiction_at


def find_afresh(position: Position, technique: int) -> bool:
    """Find what one technique says, whatever was found before; return False if it finds a contradiction."""
    position.suppositions.all_propagated = 0
    forget_judged(position.gaps)
    return _find_with(position, technique)


@cython.cfunc
def _list_findings(board: LadderBoard) -> list:
    found: list = []
    for index in range(board.finding_count):
        found += [board.kind[index], board.where[index], board.reason[index], board.cause[index]]
    return found


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
    """Find what the lowest rung with findings says, and return its technique.

    Returns:
        0 if no rung up to ``highest`` has findings; -1 if there is a contradiction.
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
    """Find what one technique says; return False if it finds a contradiction."""
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
    """Follow all suppositions to their ends, once for all techniques that need it."""
    if not position.suppositions.all_propagated:
        suppose_all(position.board, position.suppositions, NO_LIMIT)
        position.suppositions.all_propagated = 1
