"""Following a supposition to a contradiction, along the shortest way that is found.

Findings are taken up one by one, always the one that rests on the fewest links; so the first
contradiction is one of the shortest that can be reached so. What it does not rest on is left out.
Where the simple techniques end without one, cut-offs, order and gaps are asked, and at last
suppositions inside the first.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heappop, heappush
from itertools import count
from operator import itemgetter

from linkpress.engine.explain.board_view import BoardView, Fact
from linkpress.engine.explain.explained_findings import (
    Chain,
    ExplainedFinding,
    KnownFacts,
    deductions,
    entry_of,
)
from linkpress.engine.explain.reasons import Fault, fault_at_edge, fault_of_number
from linkpress.engine.kernels.glossary import Contradiction, EdgeState, FindingKind, Reason, Rung
from linkpress.engine.solve.ladder import Deduction, edge_at

# The techniques that follow a supposition on, where the simple ones end.
_FOLLOWING = (Rung.CUT_OFF, Rung.ORDER, Rung.GAP, Rung.BALANCE)
# Longer chains are not sought further: longer than any that was told of 300 boards.
LONGEST = 400
_THREE_WAYS = 3
# What follows at once rests on the supposition alone.
_ONE_ROUND = 2
# Suppositions that are told inside another at one time, those with the shortest chains.
_INNER = 3


class Following:
    """One supposition, and what follows from it.

    Args:
        ground: what is known.
        rung: the technique that said that it fails.
        supposed: an open edge, drawn or ruled out.
        below: chains that rest on so many facts or more are not wanted.
    """

    def __init__(self, ground: KnownFacts, rung: int, supposed: Fact, below: int = LONGEST) -> None:
        self.ground, self.rung, self.supposed, self.below = ground, rung, supposed, below
        self.given = ground.given
        self.position = ground.whole.copy()
        self.known = self.before = self._look()
        self.made: dict[Fact, ExplainedFinding] = {}  # in the order in which they were taken up
        self.rests: dict[Fact, frozenset[Fact]] = {}  # by the same, all facts made that it rests on
        self.queue: list[tuple[int, int, ExplainedFinding, frozenset[Fact]]] = []
        self.order = count()
        self.best: tuple[Fault, frozenset[Fact], ExplainedFinding | None] | None = None
        first = Deduction(*supposed, 0, 0)
        self._push(entry_of(0, first, self.known, frozenset()), frozenset())

    def chain(self) -> Chain | None:
        """The chain, or None where no contradiction is found."""
        if self.rung == Rung.ORDER:
            self._drain(_ONE_ROUND)
            self._look_for_fault(Rung.ORDER)
        self._drain(LONGEST)
        while self.best is None and not self.queue:
            if not self._look_deeper() and not self._suppose_inside():
                break
            self._drain(LONGEST)
        return self._cut(*self.best) if self.best else None

    def _look(self) -> BoardView:
        return BoardView(self.ground.puzzle, self.position, dict(self.given))

    def _push(self, entry: ExplainedFinding, rests: frozenset[Fact]) -> None:
        heappush(self.queue, (len(rests), next(self.order), entry, rests))

    def _drain(self, below: int) -> None:
        """Take up what rests on fewer facts than ``below``, and than the best contradiction."""
        while self.queue and self.queue[0][0] < min(below, self.below):
            _, _, entry, rests = heappop(self.queue)
            if not self.known.holds(entry.fact) and not self._is_stale(entry):
                self._take_up(entry, rests)

    def _is_stale(self, entry: ExplainedFinding) -> bool:
        """A square that had three ways out has fewer: what was found since says the same more plainly."""
        finding = entry.finding
        return finding.reason == Reason.FORK and len(self.known.exits(finding.cause)) < _THREE_WAYS

    def _take_up(self, entry: ExplainedFinding, rests: frozenset[Fact]) -> None:
        kind, where, _, cause = entry.finding
        if not self.position.apply([kind, where, 0, cause]):
            self._meet(entry, rests)
            return
        self.made[entry.fact], self.rests[entry.fact] = entry, rests | {entry.fact}
        if kind == FindingKind.NUMBERED:
            self.given[where] = cause
        self.known = self._look()
        for finding in deductions(self.position.find_simply()):
            premises = self.known.simple_premises(*finding[1:])
            self._push(entry_of(1, finding, self.known, premises), self._links(premises))
        if self.rung >= Rung.WHAT_IF and self.best is None:
            self._look_for_fault(Rung.CUT_OFF)

    def _look_for_fault(self, rung: int) -> None:
        if self.position.find_on_rung(rung) is None:
            self._see(rung)

    def _links(self, premises: Iterable[Fact]) -> frozenset[Fact]:
        """All that was made that some facts rest on."""
        return frozenset().union(*(self.rests[fact] for fact in premises if fact in self.rests))

    def _meet(self, entry: ExplainedFinding, rests: frozenset[Fact]) -> None:
        """A finding that can't be: note the contradiction, and go back to before it."""
        if entry.finding.kind == FindingKind.NUMBERED:
            fault = fault_of_number(self.known, entry.finding.where, entry.finding.cause)
        else:
            fault = fault_at_edge(self._look(), self.position.contradiction()[1], entry.fact)
        links = rests | self._links(fault.facts) | {entry.fact}
        if len(links) < self.below:
            self.best, self.below = (fault, links, entry), len(links)
        self.position = self.ground.whole.copy()
        made = ((*fact, 0, entry.number) for fact, entry in sorted(self.made.items(), key=itemgetter(0)))
        self.position.apply([word for words in made for word in words])

    def _ground(self) -> KnownFacts:
        """What is known, and what was made of it."""
        return self.ground.with_facts({fact: entry.number for fact, entry in self.made.items()})

    def _look_deeper(self) -> bool:
        """Ask the techniques that don't suppose; whether they say anything."""
        if self.rung != Rung.WALLS:
            return False
        for rung in _FOLLOWING:
            found = self.position.find_on_rung(rung)
            if found is None:
                self._see(rung)
                return True
            findings = [one for one in deductions(found) if one.reason != Reason.REFUTED]
            for finding in findings:
                entry = seen_entry(self._ground(), rung, finding, self.known)
                self._push(entry, self._links(entry.premises))
            if findings:
                return True
        return False

    def _see(self, rung: int) -> None:
        """A technique sees a contradiction."""
        what, place = self.position.contradiction()
        premises = self._ground().premises_of_fault(rung, (what, place))
        links = self._links(premises)
        self.best, self.below = (_fault_seen(self.known, what, place, premises), links, None), len(links)

    def _suppose_inside(self) -> bool:
        """Ask which suppositions fail here; whether any does."""
        if self.rung != Rung.NESTED:
            return False
        found = deductions(self.position.find_on_rung(Rung.LONG_CHAIN) or [])
        for finding in sorted(found, key=lambda one: one.cause)[:_INNER]:
            entry = refuted_entry(self._ground(), Rung.LONG_CHAIN, finding, self.known)
            if entry is not None:
                self._push(entry, self._links(entry.premises))
        return bool(found)

    def _cut(self, fault: Fault, links: frozenset[Fact], last: ExplainedFinding | None) -> Chain:
        entries = [*self.made.values(), *([last] if last else [])]
        told = tuple(one for one in entries if one.fact in links and one.fact != self.supposed)
        facts = set(fault.facts).union(*(one.premises for one in told))
        made = {*links, self.supposed}
        return Chain(self.supposed, told, fault, frozenset(fact for fact in facts if fact not in made))


def seen_entry(ground: KnownFacts, rung: int, finding: Deduction, known: BoardView) -> ExplainedFinding:
    """A finding of a technique that looks at the whole board, its premises sought when they are asked for."""
    if finding.kind == FindingKind.NUMBERED:
        line = known.line(finding.where)
    else:
        line = list(edge_at(known.grid.cols, finding.where))
    return ExplainedFinding(rung, finding, known, lambda: (ground.premises_of(rung, finding, line), None))


def refuted_entry(
    ground: KnownFacts, rung: int, finding: Deduction, known: BoardView, below: int = LONGEST
) -> ExplainedFinding | None:
    """A finding whose opposite fails, with its chain; None where no chain below a length is found."""
    opposite = EdgeState.RULED_OUT if finding.kind == EdgeState.DRAWN else EdgeState.DRAWN
    chain = Following(ground, rung, (int(opposite), finding.where), below).chain()
    if chain is None:
        return None
    return ExplainedFinding(rung, finding, known, lambda: (chain.premises, chain))


def _fault_seen(known: BoardView, what: int, place: int, premises: frozenset[Fact]) -> Fault:
    if what not in (Contradiction.PAIR_CUT_OFF, Contradiction.CROSSED):
        return Fault("seen", (place,), premises, what)
    if not place:
        return Fault("seen", (), premises, what)
    number = known.plain(place)
    cells = tuple(cell for cell, here in known.puzzle.number_at.items() if here == number)
    return Fault("seen", cells, premises, what, (number,))
