"""Findings in words: each with the squares that its sentence names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from linkpress.engine.kernels.glossary import Contradiction, EdgeState, Reason
from linkpress.engine.ladder import Deduction, edge_at
from linkpress.engine.steps.known import Known
from linkpress.engine.steps.reasons import Fault, beside_itself, turning_lines
from linkpress.engine.steps.sequence import Unit
from linkpress.engine.steps.walls import crossing
from linkpress.puzzle.grid import Cell, Edge, turning_cells

Said = tuple[str, tuple[Cell, ...]]


def named(known: Known, cells: Iterable[Cell]) -> str:
    """Squares joined by dashes."""
    return "–".join(known.grid.name(cell) for cell in cells)


def listed(parts: Sequence[str]) -> str:
    """As ``3, 5 and 8``."""
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))


def corners_of(way: Sequence[Cell]) -> list[Cell]:
    """The first and last squares of a way, and those where it turns."""
    return [way[0], *turning_cells(way), way[-1]]


def direction(known: Known, cell: Cell, to: Cell) -> str:
    """The way from a square to its neighbour in a word."""
    (row, col), (there_row, there_col) = known.grid.position(cell), known.grid.position(to)
    if row != there_row:
        return "down" if there_row > row else "up"
    return "right" if there_col > col else "left"


def line_of(known: Known, cell: Cell) -> str:
    """The line through a square by its number."""
    number = known.number(cell)
    return f"the {number}" if number else "the line"


def end(known: Known, cell: Cell) -> str:
    """A number, a line's end or a square on no line yet."""
    if cell in known.puzzle.number_at:
        return f"the {known.puzzle.number_at[cell]} at {known.grid.name(cell)}"
    if known.needs[cell] == 2:
        return known.grid.name(cell)
    return f"{line_of(known, cell)} at {known.grid.name(cell)}"


def why_closed(known: Known, unit: Unit, cell: Cell = -1) -> Said:
    """What would be if a line took a way that is closed, as ``where it would meet the 3``, or ``since …``.

    Args:
        known: the board.
        unit: the finding that closes the way.
        cell: the square that it would be taken from, where the sentence is about that.
    """
    a, b = edge_at(known.grid.cols, unit.entries[0].finding.where)
    beside = beside_itself(known, a, b) if unit.reason == Reason.BESIDE_ITSELF else None
    # A line that would have run beside itself can have got another number by now.
    renumbered = unit.reason == Reason.BESIDE_ITSELF and beside is None
    if renumbered and known.number(a) == known.number(b):
        return f"{'where it' if cell in (a, b) else 'since the line'} would run beside itself", (a, b)
    if unit.reason == Reason.CLASH or renumbered:
        if cell in (a, b):
            return f"where it would meet {line_of(known, a + b - cell)}", (a, b)
        return f"since {line_of(known, a)} would meet {line_of(known, b)}", (a, b)
    if unit.reason == Reason.LOOP:
        return ("which would close a loop" if cell in (a, b) else "since a loop would close"), (a, b)
    number = known.number(a) or known.number(b)
    squares = beside.squares if beside else turned_back(known, a, b)
    path = f"since the {number}" if number else "since the line"
    if cell in (a, b):
        path = "where it"
    return f"{path} would run beside itself at {both_names(known, squares)}", squares


def turned_back(known: Known, a: Cell, b: Cell) -> Edge:
    """The ends, side by side, of the three edges of a 2 × 2 square of which one is asked for."""
    drawn = turning_lines(known, a, b)
    ends = [a, b]
    for _, place in sorted(drawn):
        ends += edge_at(known.grid.cols, place)
    one, other = (cell for cell in ends if ends.count(cell) == 1)
    return one, other


def both_names(known: Known, cells: Iterable[Cell]) -> str:
    """Squares with ``and``."""
    return listed([known.grid.name(cell) for cell in cells])


def closed_ways(known: Known, cell: Cell, closed: Sequence[Unit], brief: bool = False) -> Said:
    """The ways that a square has not, in brackets; empty where all are plain to see.

    Args:
        known: the board.
        cell: the square.
        closed: what closes its ways.
        brief: as a link of a chain has it.
    """
    ways: dict[str, list[Cell]] = {}
    cells: list[Cell] = []
    for unit in closed:
        a, b = edge_at(known.grid.cols, unit.entries[0].finding.where)
        to = a + b - cell
        if known.is_closed(a, b):
            continue
        if brief and unit.reason == Reason.CLASH:
            ways.setdefault(f"the {known.number(to)}'s", []).append(to)
            cells.append(to)
            continue
        why, squares = why_closed(known, unit, cell)
        ways.setdefault(why, []).append(to)
        cells += squares
    parts = []
    for why, tos in ways.items():
        if brief and why.endswith("'s"):
            parts.append(f"{both_names(known, tos)} {'are' if len(tos) > 1 else 'is'} {why}")
        else:
            ways_not = f"not {' or '.join(direction(known, cell, to) for to in tos)}"
            parts.append(f"{ways_not}: {why.removeprefix('where ')}" if brief else f"{ways_not}, {why}")
    return (f" ({'; '.join(parts)})" if parts else ""), tuple(cells)


def fault_text(known: Known, fault: Fault) -> str:
    """How a supposition ends, in a clause."""
    name, numbers = known.grid.name, [str(number) for number in fault.numbers if number]
    one = name(fault.cells[0]) if fault.cells else ""
    both = listed([name(cell) for cell in fault.cells]) if fault.cells else ""
    texts: Mapping[str, Callable[[], str]] = {
        "line-too-many": lambda: f"{one} has a line too many",
        "no-way-out": lambda: _shut_in(known, fault),
        "meet": lambda: f"the {numbers[0]} meets the {numbers[1]} at {both}",
        "loop": lambda: f"a loop closes at {both}",
        "beside": lambda: f"{f'the {numbers[0]}' if numbers else 'a path'} runs beside itself at {both}",
        "left-over": lambda: f"the two {numbers[0]}s are joined, and what else is theirs is left out",
        "both": lambda: f"a line must and can't go from {both.replace(' and ', ' to ')}",
        "numbers": lambda: f"{one} is the {numbers[0]}'s and the {numbers[-1]}'s",
        "seen": lambda: _seen(known, fault),
    }
    return texts[fault.kind]()


def _shut_in(known: Known, fault: Fault) -> str:
    (cell,) = fault.cells
    if cell in known.puzzle.number_at:
        return f"the {known.puzzle.number_at[cell]} at {known.grid.name(cell)} has no way out"
    if fault.ways:
        return f"{known.grid.name(cell)} can be entered but not left"
    return f"no path can reach {known.grid.name(cell)}"


def _seen(known: Known, fault: Fault) -> str:
    place = known.grid.name(fault.cells[0]) if fault.cells else ""
    if fault.what == Contradiction.PAIR_CUT_OFF:
        return f"the two {fault.numbers[0]}s are cut off from each other"
    if fault.what == Contradiction.UNREACHED:
        return f"no number can reach {place} and leave it again"
    if fault.what == Contradiction.UNFILLED:
        return f"the squares around {place} can't all be filled"
    if fault.what == Contradiction.NO_WAY_THROUGH:
        return f"no path can pass {place}"
    return _crossed(known, fault)


def _crossed(known: Known, fault: Fault) -> str:
    if not fault.numbers:
        return "a square is left that no path can reach without crossing another"
    squares = crossing(known, fault.numbers[0])
    if not squares:
        return f"the {fault.numbers[0]} must cross another path"
    one, other = (known.number(cell) for cell in squares[:2])
    met = listed([f"the {known.number(cell)} at {known.grid.name(cell)}" for cell in squares])
    return f"the {one} and the {other} must cross: along the border and the lines come, in this order, {met}"


def simple_clause(known: Known, unit: Unit, closed: Sequence[Unit]) -> Said:
    """A finding as one link of a chain: what must be, and why where that is not plain to see."""
    kind, where, reason, cause = unit.entries[0].finding
    if reason in _NUMBERING:
        return _NUMBERING[reason].format(known.plain(cause), known.grid.name(where)), (where,)
    a, b = edge_at(known.grid.cols, where)
    step = named(known, (a, b))
    if unit.in_passing:
        why, cells = why_closed(known, unit)
        return f"{step} is closed, {why}", (a, b, *cells)
    if reason == Reason.ALL_EXITS:
        ways = known.exits_of(cause, unit.findings)
        brackets, cells = closed_ways(known, cause, closed, brief=True)
        if known.needs[cause] == 1:
            return f"{end(known, cause)} must go {direction(known, cause, ways[0])}{brackets}", (
                cause,
                *cells,
            )
        return (
            f"{known.grid.name(cause)} must join {listed([known.grid.name(to) for to in ways])}{brackets}",
            (cause, *cells),
        )
    if reason == Reason.FORK:
        return fork(known, unit.entries[0].finding)
    if reason == Reason.SIDE_BY_SIDE:
        return f"{both_names(known, (a, b))} must be joined, both being the {known.number(a)}'s", (a, b)
    if kind == EdgeState.DRAWN:
        return f"a line must run {step}", (a, b)
    return f"no line can run {step}", (a, b)


_NUMBERING: Mapping[int, str] = {
    Reason.MUST_PASS: "the {0} must pass {1}",
    Reason.ONLY_ONE_REACHES: "only a path between the two {0}s can pass {1}",
    Reason.IN_ORDER: "only the {0} can come to {1} without crossing another path",
}


def fork(known: Known, finding: Deduction) -> Said:
    """Of a square's three ways out, the one that is not taken together with another."""
    a, b = edge_at(known.grid.cols, finding.where)
    cell = finding.cause
    onward = a + b - cell
    goes = direction(known, cell, onward)
    others = [to for to in known.exits(cell) if to != onward]
    if len(others) < 2:
        brackets, cells = fork_closed(known, cell, onward)
        return f"{nothing_to_spare(known, cell, onward)}{brackets}", cells
    one, other = others
    what = "the ends of one line"
    if known.mates[one] != other:
        what = f"{line_of(known, one)} to {line_of(known, other)}"
    name = known.grid.name
    return f"{name(cell)} can't join {name(one)} to {name(other)}, {what}, so it goes {goes}", (
        cell,
        one,
        other,
    )


def fork_closed(known: Known, cell: Cell, onward: Cell) -> Said:
    """As ``closed_ways``, where a line has come to a square with three ways out by now."""
    others = [to for to in known.exits(cell) if to != onward]
    if known.needs[cell] != 1 or not others:
        return "", (cell,)
    (other,) = others
    why = "which would close a loop"
    if known.mates[cell] != other:
        why = f"where it would meet {line_of(known, other)}"
    return f" (not {direction(known, cell, other)}, {why})", (cell, other)


def nothing_to_spare(known: Known, cell: Cell, onward: Cell) -> str:
    """A square that takes every way that it has."""
    if known.needs[cell] == 2:
        ways = listed([direction(known, cell, to) for to in known.exits(cell)])
        return f"{end(known, cell)} has two ways out and takes both: {ways}"
    return f"{end(known, cell)} has one way out: {direction(known, cell, onward)}"


def supposition(known: Known, place: int, state: int) -> str:
    """An edge drawn or not, as what is supposed."""
    a, b = edge_at(known.grid.cols, place)
    for cell, to in ((a, b), (b, a)):
        if known.needs[cell] == 1:
            goes = "goes" if state == EdgeState.DRAWN else "does not go"
            return f"{end(known, cell)} {goes} {direction(known, cell, to)}"
    return f"{'a' if state == EdgeState.DRAWN else 'no'} line runs {named(known, (a, b))}"
