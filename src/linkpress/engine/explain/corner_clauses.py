"""Why a square's path takes a way or none: bends and the squares diagonally inside them."""

from __future__ import annotations

from itertools import combinations

from linkpress.engine.explain.board_view import BoardView
from linkpress.engine.explain.finding_clauses import (
    Clause,
    direction,
    directions,
    nothing_to_spare,
)
from linkpress.engine.explain.saying import (
    ListKind,
    Part,
    listed,
    saying,
    square,
    squares,
)
from linkpress.engine.explain.sequence import FindingGroup
from linkpress.engine.kernels.glossary import Reason
from linkpress.puzzle.grid import Cell


def tell_corner(known: BoardView, unit: FindingGroup) -> Clause:
    """What the ways through a square have in common, each other way with what is against it."""
    cell = unit.cause
    taken = known.exits_of(cell, unit.findings)
    reasons: list[Part] = []
    cells = [cell]
    needed = unit.reason == Reason.EVERY_WAY_USES
    for one, other in combinations(known.grid.neighbours[cell], 2):
        if needed and all(to in (one, other) for to in taken):
            continue
        if not needed and not any(to in (one, other) for to in taken):
            continue
        if _is_barred(known, cell, one, other):
            continue
        why, named = _against(known, cell, one, other)
        reasons.append(saying("if_it_went", ways=directions(known, cell, (one, other)), why=why))
        cells += named
    if not reasons:
        return nothing_to_spare(known, cell, taken[0]), (cell,)
    key, join = ("corner_must_go", ListKind.AND) if needed else ("corner_can_t_go", ListKind.OR)
    ways = directions(known, cell, taken, join)
    told = saying(key, square=square(known.grid, cell), ways=ways, reasons=listed(ListKind.REASONS, reasons))
    return told, tuple(cells)


def _is_barred(known: BoardView, cell: Cell, one: Cell, other: Cell) -> bool:
    """Whether a way through a square is closed by its own edges, as anybody can see."""
    if any(to not in (one, other) for to in known.joined(cell)):
        return True
    return known.is_closed(cell, one) or known.is_closed(cell, other)


def _against(known: BoardView, cell: Cell, one: Cell, other: Cell) -> Clause:
    """What is against a way that is open by the square's own edges."""
    if one - cell != cell - other:
        found = _diagonal(known, cell, one - cell, other - cell)
        if found is not None:
            return found
    if known.mate_of(one) == other:
        ends = square(known.grid, one), square(known.grid, other)
        return saying("would_close_loop", square=ends[0], other=ends[1]), (one, other)
    numbers = known.number(one), known.number(other)
    if all(numbers) and numbers[0] != numbers[1]:
        return saying("would_join", number=numbers[0], other=numbers[1]), (one, other)
    touching = known.touching(one, other) or (one, other)
    return saying("would_run_beside", squares=squares(known.grid, touching)), touching


def _diagonal(known: BoardView, cell: Cell, one: int, other: int) -> Clause | None:
    """What is against a bend along its diagonal: a square there that can't bend the same way.

    Args:
        known: the board.
        cell: the bend.
        one, other: from a square to the next, the two ways that it takes.
    """
    passed: list[Cell] = []
    here = cell
    while True:
        beside, inner = here + one, here + one + other
        if beside not in known.grid.neighbours[here] or inner not in known.grid.neighbours[beside]:
            return None
        there = square(known.grid, inner)
        ways = [inner + one, inner + other]
        others = [to for to in known.joined(inner) if to not in ways]
        if inner in known.puzzle.number_at:
            if not others:
                return None
            against = saying("in_the_way", number=known.number(inner), square=there)
            return _bent(known, passed, against), (*passed, inner)
        passed.append(inner)
        if others:
            against = saying("goes", square=there, way=direction(known, inner, others[0]))
            return _bent(known, passed, against), tuple(passed)
        for step, to in zip((one, other), ways, strict=True):
            if to not in known.grid.neighbours[inner] or known.is_closed(inner, to):
                against = saying("can_t_go", square=there, way=direction(known, cell, cell + step))
                return _bent(known, passed, against), tuple(passed)
        here = inner


def _bent(known: BoardView, passed: list[Cell], against: Part) -> Part:
    """What is against the squares inside a bend that bend with it."""
    if not passed:
        return against
    key = "so_would_diagonal" if len(passed) > 1 else "so_would_inside"
    return saying(key, squares=squares(known.grid, passed), but=against)
