"""How a supposition ends, and what such a contradiction rests on, in facts."""

from __future__ import annotations

from dataclasses import dataclass

from linkpress.engine.explain.board_view import BoardView, Fact
from linkpress.engine.kernels.glossary import EdgeState, FindingKind
from linkpress.engine.solve.ladder import edge_at, place_of
from linkpress.puzzle.grid import Cell, edge


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


def fault_at_edge(known: BoardView, place: int, wanted: Fact) -> Fault:
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
    if known.edge_state(place) == EdgeState.DRAWN:
        return _wrongly_joined(known, a, b)
    for cell in (a, b):
        if len(known.exits(cell)) < known.need_of(cell):
            return Fault("no-way-out", (cell,), frozenset(known.exits_premises(cell)))
    facts = known.numbering(a) | known.numbering(b) | known.closing(a, b)
    return Fault("beside", (a, b), frozenset(facts), numbers=(known.number(a),))


def _wrongly_joined(known: BoardView, a: Cell, b: Cell) -> Fault:
    step = place_of(edge(a, b))
    own = known.drawn([a, b])
    way = known.way(a, [b], step)
    if way:
        return Fault("loop", (a, b), frozenset(own | known.drawn(way)))
    pairs = known.pair_of(a), known.pair_of(b)
    if all(pairs) and pairs[0] != pairs[1]:
        facts = known.numbering(a, step) | known.numbering(b, step)
        numbers = tuple(known.plain(pair) for pair in pairs)
        return Fault("meet", (a, b), frozenset(own | facts), numbers=numbers)
    beside = known.beside_itself(a, b)
    if beside is not None:
        return Fault("beside", beside[0], own | beside[1])
    for end in (a, b):
        own |= known.drawn(known.way(end, list(known.puzzle.number_at), step))
    facts = own | {(FindingKind.NUMBERED, cell) for cell in known.given}
    return Fault("left-over", (a, b), frozenset(facts), numbers=(known.number(a) or known.number(b),))


def fault_of_number(known: BoardView, cell: Cell, number: int) -> Fault:
    """Why the line through a square can't have a number (1 + its pair's first endpoint)."""
    shown = known.plain(number)
    if known.pair_of(cell):
        numbers = (known.number(cell), shown)
        return Fault("numbers", (cell,), frozenset(known.numbering(cell)), numbers=numbers)
    for here in known.line(cell):
        for to in known.grid.neighbours[here]:
            if known.pair_of(to) == number and known.state(here, to) != EdgeState.OPEN:
                facts = known.numbering(to) | known.drawn(known.way(cell, [here])) | known.closing(here, to)
                return Fault("beside", (here, to), frozenset(facts), numbers=(shown,))
    facts = known.drawn(known.way(number - 1, [known.partner(number - 1)]))
    return Fault("left-over", (cell,), frozenset(facts), numbers=(shown,))
