"""Why a square's path takes a way or none: bends and the squares diagonally inside them."""

from __future__ import annotations

from itertools import combinations

from linkpress.engine.kernels.glossary import Reason
from linkpress.engine.steps.known import Known
from linkpress.engine.steps.sequence import Unit
from linkpress.engine.steps.words import Said, both_names, direction, line_of, listed, nothing_to_spare
from linkpress.puzzle.grid import Cell


def tell_corner(known: Known, unit: Unit) -> Said:
    """What the ways through a square have in common, each other way with what is against it."""
    cell = unit.cause
    taken = known.exits_of(cell, unit.findings)
    reasons, cells = [], [cell]
    needed = unit.reason == Reason.EVERY_WAY_USES
    for one, other in combinations(known.grid.neighbours[cell], 2):
        if needed and all(to in (one, other) for to in taken):
            continue
        if not needed and not any(to in (one, other) for to in taken):
            continue
        if _is_barred(known, cell, one, other):
            continue
        why, squares = _against(known, cell, one, other)
        ways = listed([direction(known, cell, to) for to in (one, other)])
        reasons.append(f"if it went {ways}, {why}")
        cells += squares
    name, ways = known.grid.name(cell), listed([direction(known, cell, to) for to in taken])
    if not reasons:
        return nothing_to_spare(known, cell, taken[0]), (cell,)
    told = "; ".join(reasons)
    if needed:
        return f"{name} must go {ways}: {told}", tuple(cells)
    return f"{name} can't go {ways.replace(' and ', ' or ')}: {told}", tuple(cells)


def _is_barred(known: Known, cell: Cell, one: Cell, other: Cell) -> bool:
    """Whether a way through a square is closed by its own edges, as anybody can see."""
    if any(to not in (one, other) for to in known.joined(cell)):
        return True
    return known.is_closed(cell, one) or known.is_closed(cell, other)


def _against(known: Known, cell: Cell, one: Cell, other: Cell) -> Said:
    """What is against a way that is open by the square's own edges."""
    name = known.grid.name
    if one - cell != cell - other:
        found = _diagonal(known, cell, one - cell, other - cell)
        if found is not None:
            return found
    if known.mates[one] == other:
        return f"it would close a loop with the line from {name(one)} to {name(other)}", (one, other)
    if known.numbers[one] and known.numbers[other] and known.numbers[one] != known.numbers[other]:
        return f"it would join {line_of(known, one)} to {line_of(known, other)}", (one, other)
    squares = known.touching(known.line(one), known.line(other), (-1, -1)) or (one, other)
    return f"the path would run beside itself at {both_names(known, squares)}", squares


def _diagonal(known: Known, cell: Cell, one: int, other: int) -> Said | None:
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
        ways = [inner + one, inner + other]
        others = [to for to in known.joined(inner) if to not in ways]
        if inner in known.puzzle.number_at:
            if not others:
                return None
            text = f"the {known.number(inner)}'s line at {known.grid.name(inner)} is in the way"
            return f"{_bent(known, passed)}{text}", (*passed, inner)
        passed.append(inner)
        if others:
            goes = direction(known, inner, others[0])
            return f"{_bent(known, passed)}{known.grid.name(inner)} goes {goes}", tuple(passed)
        for step, to in zip((one, other), ways, strict=True):
            if to not in known.grid.neighbours[inner] or known.is_closed(inner, to):
                way = direction(known, cell, cell + step)
                return f"{_bent(known, passed)}{known.grid.name(inner)} can't go {way}", tuple(passed)
        here = inner


def _bent(known: Known, passed: list[Cell]) -> str:
    """The squares inside a bend that bend with it."""
    if not passed:
        return ""
    where = "along the diagonal" if len(passed) > 1 else "diagonally inside"
    return f"so would {both_names(known, passed)}, {where}, but "
