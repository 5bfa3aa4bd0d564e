"""A supposition is followed to a contradiction, along the shortest way that is found.

Findings are recorded one by one, always the one that rests on the fewest links; so the first
contradiction is one of the shortest that can be reached so. What it does not rest on is left out.
Where the simple techniques end without one, cut-offs, order and gaps are asked, and at last
suppositions inside the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from heapq import heappop, heappush
from itertools import count
from operator import itemgetter

from linkpress.engine.explain.explained_findings import (
    BoardView,
    Chain,
    ExplainedFinding,
    Fact,
    Fault,
    KnownFacts,
    finding_with,
    statement,
)
from linkpress.engine.kernels.glossary import Contradiction, EdgeState, FindingKind, Reason
from linkpress.engine.kernels.glossary import TechniqueCode as Code
from linkpress.engine.solve.ladder import Deduction, deductions, edge_at, edge_index, find, write
from linkpress.engine.techniques import EASIEST, OF_CODE, TECHNIQUES, Supposes, Technique
from linkpress.puzzle.puzzle import Cell, edge

_CUT_OFF, _ORDER, _LONG_CHAIN = OF_CODE[Code.CUT_OFF], OF_CODE[Code.ORDER], OF_CODE[Code.LONG_CHAIN]
# The techniques that follow a thorough supposition, where the simple ones end.
_FOLLOWING = [
    technique
    for technique in TECHNIQUES
    if technique.supposes is Supposes.NOTHING and not technique.simple and not technique.untouching
]
# By a ``Contradiction`` that a technique sees, the phrase that says so.
_SEEN: Mapping[int, str] = {
    Contradiction.PAIR_CUT_OFF: "are_cut_off",
    Contradiction.CROSSED: "must_cross",
    Contradiction.UNREACHED: "no_number_reaches",
    Contradiction.UNFILLED: "can_t_fill",
}
# Longer chains are not sought further: longer than any that was told of 300 boards.
LONGEST = 400
_THREE_WAYS = 3
# What follows at once rests on the supposition alone.
_ONE_ROUND = 2
# Suppositions that are told inside another at one time, those with the shortest chains.
_INNER = 3


class ChainSearch:
    """A search looks for what follows from one supposition.

    Args:
        technique: what said that the supposition fails.
        supposed: an open edge, drawn or ruled out.
        below: chains that rest on so many facts or more are not wanted.
    """

    def __init__(self, known: KnownFacts, technique: Technique, supposed: Fact, below: int = LONGEST) -> None:
        self.known, self.technique, self.supposed, self.below = known, technique, supposed, below
        self.given = known.given
        self.position = known.whole.copy()
        self.board = self._look()
        self.made: dict[Fact, ExplainedFinding] = {}  # in the order in which they were recorded
        self.rests: dict[Fact, frozenset[Fact]] = {}  # by the same, all facts made that it rests on
        self.queue: list[tuple[int, int, ExplainedFinding, frozenset[Fact]]] = []
        self.order = count()
        self.best: tuple[Fault, frozenset[Fact], ExplainedFinding | None] | None = None
        first = Deduction(*supposed)
        self._enqueue(finding_with(frozenset(), EASIEST, first, self.board), frozenset())

    def chain(self) -> Chain | None:
        """Return the chain, or None where no contradiction is found."""
        if self.technique is _ORDER:
            self._record_queue(_ONE_ROUND)
            self._look_for_fault(_ORDER)
        self._record_queue(LONGEST)
        while self.best is None and not self.queue:
            if not self._look_deeper() and not self._suppose_inside():
                break
            self._record_queue(LONGEST)
        return self._chain_to(*self.best) if self.best else None

    def _look(self) -> BoardView:
        return BoardView(self.known.puzzle, self.position, dict(self.given))

    def _enqueue(self, finding: ExplainedFinding, rests: frozenset[Fact]) -> None:
        heappush(self.queue, (len(rests), next(self.order), finding, rests))

    def _record_queue(self, below: int) -> None:
        while self.queue and self.queue[0][0] < min(below, self.below):
            _, _, finding, rests = heappop(self.queue)
            if not self.board.holds(finding.fact) and not self._is_stale(finding):
                self._record(finding, rests)

    def _is_stale(self, finding: ExplainedFinding) -> bool:
        """Tell whether a square had three ways out and has fewer, so that a later finding is plainer."""
        deduction = finding.deduction
        return deduction.reason == Reason.FORK and len(self.board.exits(deduction.cause)) < _THREE_WAYS

    def _record(self, finding: ExplainedFinding, rests: frozenset[Fact]) -> None:
        kind, where, _, cause = finding.deduction
        if not write(self.position, [finding.deduction]):
            self._record_contradiction(finding, rests)
            return
        self.made[finding.fact], self.rests[finding.fact] = finding, rests | {finding.fact}
        if kind == FindingKind.NUMBERED:
            self.given[where] = cause
        self.board = self._look()
        for deduction in deductions(self.position.find_simply()):
            premises = self.board.simple_premises(*deduction[1:])
            self._enqueue(finding_with(premises, EASIEST, deduction, self.board), self._links(premises))
        far = self.technique.supposes is not Supposes.NOTHING and self.technique.depth != 1
        if far and self.best is None:
            self._look_for_fault(_CUT_OFF)

    def _look_for_fault(self, technique: Technique) -> None:
        if self.position.find_with(technique.code) is None:
            self._record_seen(technique)

    def _links(self, premises: Iterable[Fact]) -> frozenset[Fact]:
        return frozenset().union(*(self.rests[fact] for fact in premises if fact in self.rests))

    def _record_contradiction(self, finding: ExplainedFinding, rests: frozenset[Fact]) -> None:
        """Note the contradiction of a finding that can't be, and go back to before it."""
        if finding.deduction.kind == FindingKind.NUMBERED:
            fault = fault_of_number(self.board, finding.deduction.where, finding.deduction.cause)
        else:
            fault = fault_at_edge(self._look(), self.position.contradiction()[1], finding.fact)
        links = rests | self._links(fault.facts) | {finding.fact}
        if len(links) < self.below:
            self.best, self.below = (fault, links, finding), len(links)
        self.position = self.known.whole.copy()
        made = sorted(self.made.items(), key=itemgetter(0))
        write(self.position, (statement(fact, finding.number) for fact, finding in made))

    def _known_here(self) -> KnownFacts:
        made = {fact: finding.number for fact, finding in self.made.items()}
        return replace(self.known, numbers={**self.known.numbers, **made})

    def _look_deeper(self) -> bool:
        """Ask the techniques that don't suppose, and tell whether they say anything."""
        if self.technique.supposes is not Supposes.THOROUGHLY:
            return False
        for technique in _FOLLOWING:
            found = find(self.position, technique)
            if found is None:
                self._record_seen(technique)
                return True
            seen = [deduction for deduction in found if deduction.reason != Reason.REFUTED]
            for deduction in seen:
                finding = found_by_looking(self._known_here(), technique, deduction, self.board)
                self._enqueue(finding, self._links(finding.premises))
            if seen:
                return True
        return False

    def _record_seen(self, technique: Technique) -> None:
        what, place = self.position.contradiction()
        premises = self._known_here().premises_of_fault(technique, (what, place))
        links = self._links(premises)
        self.best, self.below = (_fault_seen(self.board, what, place, premises), links, None), len(links)

    def _suppose_inside(self) -> bool:
        """Ask which suppositions fail here, and tell whether any does."""
        if self.technique.supposes is not Supposes.TWICE:
            return False
        found = find(self.position, _LONG_CHAIN) or []
        for deduction in sorted(found, key=lambda refuted: refuted.cause)[:_INNER]:
            finding = found_by_supposing(self._known_here(), _LONG_CHAIN, deduction, self.board)
            if finding is not None:
                self._enqueue(finding, self._links(finding.premises))
        return bool(found)

    def _chain_to(self, fault: Fault, links: frozenset[Fact], last: ExplainedFinding | None) -> Chain:
        made = [*self.made.values(), *([last] if last else [])]
        needed = tuple(link for link in made if link.fact in links and link.fact != self.supposed)
        facts = set(fault.facts).union(*(link.premises for link in needed))
        return Chain(self.supposed, needed, fault, frozenset(facts - links - {self.supposed}))


def found_by_looking(
    known: KnownFacts, technique: Technique, deduction: Deduction, board: BoardView
) -> ExplainedFinding:
    """Explain a finding of a technique that looks at the whole board when its premises are asked for."""
    if deduction.kind == FindingKind.NUMBERED:
        line = board.line(deduction.where)
    else:
        line = list(edge_at(board.grid.cols, deduction.where))
    return ExplainedFinding(
        technique, deduction, board, lambda: (known.premises_of(technique, deduction, line), None)
    )


def found_by_supposing(
    known: KnownFacts, technique: Technique, deduction: Deduction, board: BoardView, below: int = LONGEST
) -> ExplainedFinding | None:
    """Explain a finding whose opposite fails by its chain; None where no chain below a length is found."""
    opposite = EdgeState.RULED_OUT if deduction.kind == EdgeState.DRAWN else EdgeState.DRAWN
    chain = ChainSearch(known, technique, (int(opposite), deduction.where), below).chain()
    if chain is None:
        return None
    return ExplainedFinding(technique, deduction, board, lambda: (chain.premises, chain))


def fault_at_edge(board: BoardView, place: int, wanted: Fact) -> Fault:
    """Return the contradiction at an edge, where a board was left: the edge is written, its lines not joined.

    ``wanted`` is the fact that was being written.
    """
    a, b = edge_at(board.grid.cols, place)
    if wanted[1] == place and not board.holds(wanted):
        facts = board.drawn([a, b]) if board.state(a, b) == EdgeState.DRAWN else board.closing(a, b)
        return Fault("must_and_can_t", (a, b), frozenset(facts))
    if board.edge_state(place) == EdgeState.DRAWN:
        return _wrongly_joined(board, a, b)
    for cell in (a, b):
        if len(board.exits(cell)) < board.need_of(cell):
            return Fault("no_way_out", (cell,), frozenset(board.exits_premises(cell)))
    facts = board.numbering(a) | board.numbering(b) | board.closing(a, b)
    return Fault("runs_beside", (a, b), frozenset(facts), numbers=(board.number(a),))


def _wrongly_joined(board: BoardView, a: Cell, b: Cell) -> Fault:
    step = edge_index(edge(a, b))
    own = board.drawn([a, b])
    way = board.way(a, [b], step)
    if way:
        return Fault("loop_closes", (a, b), frozenset(own | board.drawn(way)))
    pairs = board.pair_of(a), board.pair_of(b)
    if all(pairs) and pairs[0] != pairs[1]:
        facts = board.numbering(a, step) | board.numbering(b, step)
        numbers = tuple(board.printed(pair) for pair in pairs)
        return Fault("meets", (a, b), frozenset(own | facts), numbers=numbers)
    beside = board.beside_itself(a, b)
    if beside is not None:
        return Fault("runs_beside", beside[0], own | beside[1])
    for end in (a, b):
        own |= board.drawn(board.way(end, list(board.puzzle.number_at), step))
    facts = own | {(FindingKind.NUMBERED, cell) for cell in board.given}
    return Fault("left_over", (a, b), frozenset(facts), numbers=(board.number(a) or board.number(b),))


def fault_of_number(board: BoardView, cell: Cell, number: int) -> Fault:
    """Say why the line through a square can't have a number (1 + its pair's first endpoint)."""
    shown = board.printed(number)
    if board.pair_of(cell):
        numbers = (board.number(cell), shown)
        return Fault("two_numbers", (cell,), frozenset(board.numbering(cell)), numbers=numbers)
    for here in board.line(cell):
        for to in board.grid.neighbours[here]:
            if board.pair_of(to) == number and board.state(here, to) != EdgeState.OPEN:
                facts = board.numbering(to) | board.drawn(board.way(cell, [here])) | board.closing(here, to)
                return Fault("runs_beside", (here, to), frozenset(facts), numbers=(shown,))
    facts = board.drawn(board.way(number - 1, [board.partner(number - 1)]))
    return Fault("left_over", (cell,), frozenset(facts), numbers=(shown,))


def _fault_seen(board: BoardView, what: int, place: int, premises: frozenset[Fact]) -> Fault:
    if what not in (Contradiction.PAIR_CUT_OFF, Contradiction.CROSSED):
        return Fault(_SEEN.get(what, "square_left"), (place,), premises)
    if not place:
        return Fault("square_left", (), premises)
    number = board.printed(place)
    return Fault(_SEEN[what], board.squares_of(number), premises, (number,))
