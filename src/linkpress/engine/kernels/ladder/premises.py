"""A finding of a technique that looks at the whole board rests on facts that can't be left out.

A **fact** is a settled edge or the number of a cell's fragment, three numbers: its ``FindingKind``, the edge
or the cell, and the number, 0 for an edge.
"""

from linkpress.engine.kernels import pure_python as cython
from linkpress.engine.kernels.glossary import FindingKind, TechniqueCode
from linkpress.engine.kernels.ladder.climb import Position, find_afresh, longest_diagonal
from linkpress.engine.kernels.ladder.ladder_board import (
    LadderBoard,
    apply_findings,
    copy_known,
    far_end,
    forget_findings,
    propose,
)
from linkpress.engine.kernels.ladder.local import find_corner_at
from linkpress.engine.kernels.ladder.wall_order import find_order
from linkpress.engine.kernels.pure_python import Bytes, Ints, State, for_python, items, make_fields


class Sifting(State):
    """These are the facts, of which some are left out."""

    count: int
    fact_kind: Ints = items("count")  # by fact: its ``FindingKind``
    fact_where: Ints = items("count")  # by fact: the edge or the cell
    fact_number: Ints = items("count")  # by fact: the number of a cell's fragment, 0 for an edge
    left: Bytes = items("count")  # by fact: 1 where it is not left out, 2 where it never is
    kept: Ints = items("count")  # those that may be left out and are not, in the order in which that is tried
    kept_count: int
    technique: int  # its ``TechniqueCode``
    kind: int  # what it is to find: a FindingKind; 0 for a contradiction
    where: int  # the edge; of a contradiction its place
    reason: int  # a Reason; of a contradiction which it is
    cause: int  # of the finding
    is_place: Bytes = items("cells")  # by cell: 1 where a number may be found

    def __init__(self, count: int, cells: int) -> None:
        make_fields(self, locals())
        self.count = count


@for_python
def least_facts(
    start: Position, facts: list, order: list, staying: list, technique: int, sought: list, line: list
) -> list:
    """Return a least set of facts from which a technique still finds the same.

    Args:
        start: what is known without them; left as it is.
        facts: three numbers each, in the order in which they are written down.
        order: the places of all facts, in the order in which they are left out, long stretches first.
        staying: the places of facts that stay anyway.
        technique: which one; what order finds by supposing is not asked for.
        sought: the finding's kind, where, reason and cause; of a contradiction 0, its place, which it
            is, and 0.
        line: the cells of which any may get the number, where that is found.
    Returns:
        The places of those that are left, those that stay anyway in no case left out.
    """
    position: Position = start.copy()
    sifting: Sifting = Sifting(len(order), position.board.cells)
    sifting.technique, sifting.kept_count = technique, len(order)
    sifting.kind, sifting.where, sifting.reason, sifting.cause = sought[0], sought[1], sought[2], sought[3]
    for index in range(sifting.count):
        sifting.fact_kind[index], sifting.fact_where[index] = facts[3 * index], facts[3 * index + 1]
        sifting.fact_number[index] = facts[3 * index + 2]
    for index in range(len(order)):
        sifting.kept[index], sifting.left[index] = order[index], 1
    for index in staying:
        sifting.left[index] = 2
    for cell in line:
        sifting.is_place[cell] = 1
    with cython.nogil:
        _sift(start, position, sifting)
    return [index for index in range(len(order)) if sifting.left[index] != 0]


def _sift(start: Position, position: Position, sifting: Sifting) -> None:
    """Leave out stretches of facts while what is left will do: halves first, single facts last."""
    size = max(1, sifting.kept_count // 2)
    while True:
        index = 0
        while index < sifting.kept_count:
            end = min(index + size, sifting.kept_count)
            _set_left(sifting, index, end, 0)
            if _still_finds(start, position, position.board, sifting):
                for after in range(end, sifting.kept_count):
                    sifting.kept[index + after - end] = sifting.kept[after]
                sifting.kept_count -= end - index
            else:
                _set_left(sifting, index, end, 1)
                index = end
        if size == 1:
            return
        size = size // 2


def _set_left(sifting: Sifting, begin: int, end: int, left: int) -> None:
    for index in range(begin, end):
        fact = sifting.kept[index]
        if sifting.left[fact] != 2:
            sifting.left[fact] = left


def _still_finds(start: Position, position: Position, board: LadderBoard, sifting: Sifting) -> bool:
    """Tell whether the technique finds what is sought on the start with the facts that are left."""
    copy_known(start.board, position.board)
    forget_findings(board)
    for index in range(sifting.count):
        if sifting.left[index] != 0:
            propose(board, sifting.fact_kind[index], sifting.fact_where[index], 0, sifting.fact_number[index])
    board.settled = 0
    fits: bool = apply_findings(position.board)
    if not _look(position, sifting, fits):
        return sifting.kind == 0 and board.fault == sifting.reason and board.fault_at == sifting.where
    for index in range(board.finding_count):
        if board.kind[index] != sifting.kind or board.reason[index] != sifting.reason:
            continue
        if sifting.kind != FindingKind.NUMBERED:
            if board.where[index] == sifting.where:
                return True
        elif board.cause[index] == sifting.cause and sifting.is_place[board.where[index]]:
            return True
    return False


def _look(position: Position, sifting: Sifting, fits: bool) -> bool:
    """Find what the technique says, as far as it can be what is sought; False when it sees a contradiction.

    Where the facts fit together, corners say nothing against any cell, so that those of the edge are
    enough to ask.
    """
    forget_findings(position.board)
    technique = sifting.technique
    if technique == TechniqueCode.ORDER:  # without the suppositions that it makes where it finds nothing
        return find_order(position.board, position.order)
    if fits and technique in (TechniqueCode.CORNER, TechniqueCode.DIAGONAL):
        longest = longest_diagonal(position, technique)
        one, other = sifting.where >> 1, far_end(position.board, sifting.where)
        found: bool = find_corner_at(position.board, position.bends, one, longest)
        return found and find_corner_at(position.board, position.bends, other, longest)
    return find_afresh(position, technique)
