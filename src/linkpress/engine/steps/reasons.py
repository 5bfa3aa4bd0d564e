"""What a finding of the simple techniques rests on, and what a contradiction does, in facts."""

from __future__ import annotations

from dataclasses import dataclass

from linkpress.engine.kernels.glossary import EdgeState, FindingKind, Reason
from linkpress.engine.ladder import Deduction, edge_at
from linkpress.engine.steps.known import Fact, Known
from linkpress.puzzle.grid import Cell, Edge, edge


@dataclass(frozen=True, slots=True)
class Beside:
    """Where a path would run beside itself.

    Args:
        squares: two neighbours that one path would pass without joining them.
        facts: why both would be on one path.
    """

    squares: Edge
    facts: frozenset[Fact]


def simple_premises(known: Known, finding: Deduction) -> frozenset[Fact]:
    """What a finding of exits, clash, turn or touch rests on."""
    a, b = edge_at(known.grid.cols, finding.where)
    reason, cell = finding.reason, finding.cause
    if reason == Reason.ALL_EXITS:
        return frozenset(exits_premises(known, cell))
    if reason == Reason.CLASH or reason == Reason.SIDE_BY_SIDE:
        return frozenset(known.numbering(a) | known.numbering(b))
    if reason == Reason.LOOP:
        return frozenset(known.drawn(known.way(a, [b])))
    if reason == Reason.TURNS_BACK:
        return frozenset(turning_lines(known, a, b))
    if reason == Reason.FORK:
        onward = a + b - cell
        one, other = (to for to in known.exits(cell) if to != onward)
        return frozenset(exits_premises(known, cell) | join_premises(known, one, other))
    beside = beside_itself(known, a, b)
    return beside.facts if beside else frozenset()


def exits_premises(known: Known, cell: Cell) -> set[Fact]:
    """Why a square has no other ways out than those that are open, and needs them."""
    facts = known.lines_at(cell)
    for to in known.grid.neighbours[cell]:
        if known.is_closed(cell, to):
            facts |= known.closing(cell, to)
    return facts


def join_premises(known: Known, one: Cell, other: Cell) -> set[Fact]:
    """Why two line ends can't be joined: they are of one line, or of two numbers."""
    way = known.way(one, [other])
    if way:
        return known.drawn(way)
    return known.numbering(one) | known.numbering(other)


def turning_lines(known: Known, a: Cell, b: Cell) -> set[Fact]:
    """Two of the other edges of a 2 × 2 square beside an edge, where they are drawn."""
    for across in (known.grid.cols, -known.grid.cols) if b == a + 1 else (1, -1):
        one, other = a + across, b + across
        if one not in known.grid.neighbours[a] or other not in known.grid.neighbours[b]:
            continue
        sides = [(a, one), (b, other), (min(one, other), max(one, other))]
        drawn = [side for side in sides if known.state(*side) == EdgeState.DRAWN]
        if len(drawn) >= 2:
            return set().union(*(known.drawn(list(side)) for side in drawn[:2]))
    return set()


def beside_itself(known: Known, a: Cell, b: Cell) -> Beside | None:
    """Where the path would run beside itself that an edge from ``a`` to ``b`` would make."""
    step = edge(a, b)
    ones, others = known.line(a, step), known.line(b, step)
    pair = known.touching(ones, others, step)
    if pair is not None:
        ways = known.drawn(known.way(a, [pair[0]], step)) | known.drawn(known.way(b, [pair[1]], step))
        return Beside(pair, frozenset(ways))
    for fresh, numbered in ((a, b), (b, a)):
        found = _beside_its_number(known, fresh, numbered, step)
        if found is not None:
            return found
    return None


def _beside_its_number(known: Known, fresh: Cell, numbered: Cell, step: Edge) -> Beside | None:
    """Where a line would, with the number of another, stand beside squares of that number for good."""
    number = known.numbers[numbered]
    if not number or known.numbers[fresh]:
        return None
    line, theirs = known.line(fresh, step), set(known.line(numbered, step))
    for cell in line:
        for to in known.grid.neighbours[cell]:
            if known.numbers[to] != number or to in theirs or to in line:
                continue
            can_join = known.state(cell, to) == EdgeState.OPEN and known.needs[to] > 0
            if can_join and not _is_full(known, cell, fresh, step):
                continue
            facts = known.numbering(numbered, step) | known.numbering(to, step)
            facts |= known.drawn(known.way(fresh, [cell], step))
            return Beside((cell, to), frozenset(facts | _apart(known, cell, to)))
    return None


def _is_full(known: Known, cell: Cell, fresh: Cell, step: Edge) -> bool:
    """Whether a square has all its lines once an edge from ``fresh`` is drawn."""
    pending = known.state(*step) == EdgeState.OPEN
    return bool(known.needs[cell] - (pending and cell == fresh) <= 0)


def _apart(known: Known, cell: Cell, to: Cell) -> set[Fact]:
    """Why two neighbours can't be joined in the end."""
    if known.is_closed(cell, to):
        return known.closing(cell, to)
    return known.lines_at(cell) | known.lines_at(to)


@dataclass(frozen=True, slots=True)
class Fault:
    """How a supposition ends.

    Args:
        kind: ``no-way-out``, ``meet``, ``loop``, ``beside``, ``left-over``, ``both``,
            or ``seen`` for what a technique sees.
        cells: the squares.
        facts: what it rests on.
        what: of ``seen``, the ``Contradiction``.
        numbers: the numbers that it names, as they are printed.
    """

    kind: str
    cells: tuple[Cell, ...]
    facts: frozenset[Fact]
    what: int = 0
    numbers: tuple[int, ...] = ()


def fault_at_edge(known: Known, place: int, wanted: Fact) -> Fault:
    """The contradiction at an edge, from the board as it was left there.

    Args:
        known: left at the contradiction: the edge is written, its lines not yet joined.
        place: the edge.
        wanted: the fact that was being written.
    """
    a, b = edge_at(known.grid.cols, place)
    if wanted[1] == place and not known.holds(wanted):
        facts = known.drawn([a, b]) if known.state(a, b) == EdgeState.DRAWN else known.closing(a, b)
        return Fault("both", (a, b), frozenset(facts))
    if known.edges[place] == EdgeState.DRAWN:
        return _wrongly_joined(known, a, b)
    for cell in (a, b):
        if len(known.exits(cell)) < known.needs[cell]:
            return Fault("no-way-out", (cell,), frozenset(exits_premises(known, cell)))
    facts = known.numbering(a) | known.numbering(b) | known.closing(a, b)
    return Fault("beside", (a, b), frozenset(facts), numbers=(known.number(a),))


def _wrongly_joined(known: Known, a: Cell, b: Cell) -> Fault:
    step = edge(a, b)
    own = known.drawn([a, b])
    way = known.way(a, [b], step)
    if way:
        return Fault("loop", (a, b), frozenset(own | known.drawn(way)))
    if known.numbers[a] and known.numbers[b] and known.numbers[a] != known.numbers[b]:
        facts = known.numbering(a, step) | known.numbering(b, step)
        numbers = tuple(known.plain(known.numbers[cell]) for cell in (a, b))
        return Fault("meet", (a, b), frozenset(own | facts), numbers=numbers)
    beside = beside_itself(known, a, b)
    if beside is not None:
        return Fault("beside", beside.squares, frozenset(own | beside.facts))
    for end in (a, b):
        own |= known.drawn(known.way(end, known.puzzle.number_at, step))
    facts = own | {(FindingKind.NUMBERED, cell) for cell in known.given}
    return Fault("left-over", (a, b), frozenset(facts), numbers=(known.number(a) or known.number(b),))


def fault_of_number(known: Known, cell: Cell, number: int) -> Fault:
    """Why the line through a square can't have a number (1 + its pair's first endpoint)."""
    shown = known.plain(number)
    if known.numbers[cell]:
        numbers = (known.plain(known.numbers[cell]), shown)
        return Fault("numbers", (cell,), frozenset(known.numbering(cell)), numbers=numbers)
    for here in known.line(cell):
        for to in known.grid.neighbours[here]:
            if known.numbers[to] == number and known.state(here, to) != EdgeState.OPEN:
                facts = known.numbering(to) | known.drawn(known.way(cell, [here])) | known.closing(here, to)
                return Fault("beside", (here, to), frozenset(facts), numbers=(shown,))
    facts = known.drawn(known.way(number - 1, [known.partner(number - 1)]))
    return Fault("left-over", (cell,), frozenset(facts), numbers=(shown,))
