"""Findings with what they rest on; where that takes a search, it is done only for those that are told."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from linkpress.engine.explain.board_view import BoardView, Fact
from linkpress.engine.explain.reasons import Fault
from linkpress.engine.kernels import Position, least_facts
from linkpress.engine.kernels.glossary import FindingKind
from linkpress.engine.solve.ladder import Deduction, edge_at
from linkpress.puzzle.grid import Cell
from linkpress.puzzle.puzzle import Puzzle

SIMPLE_RUNGS = range(1, 5)
Explain = Callable[[], "tuple[frozenset[Fact], Chain | None]"]


@dataclass(frozen=True, slots=True)
class Chain:
    """What follows from a supposition up to the contradiction, only what this rests on.

    Args:
        supposed: what was supposed.
        links: in an order in which each follows from those before.
        fault: the contradiction.
        premises: what all of it rests on beside the supposition.
    """

    supposed: Fact
    links: tuple[ExplainedFinding, ...]
    fault: Fault
    premises: frozenset[Fact]

    @property
    def weight(self) -> int:
        """How many links are to be read, those of suppositions inside it included."""
        return len(self.links) + sum(link.chain.weight for link in self.links if link.chain)


class ExplainedFinding:
    """One finding.

    Args:
        rung: its technique's.
        finding: what was found.
        known: the board when it was found.
        explain: finds what it rests on, and its chain where it was found by supposing.
    Attributes:
        fact: what it says.
        number: that it gives, 0 for an edge.
    """

    __slots__ = ("_explained", "explain", "fact", "finding", "known", "number", "rung")

    def __init__(self, rung: int, finding: Deduction, known: BoardView, explain: Explain) -> None:
        self.rung, self.finding, self.known, self.explain = rung, finding, known, explain
        kind, where, _, cause = finding
        self.fact: Fact = (kind, where)
        self.number = cause if kind == FindingKind.NUMBERED else 0
        self._explained: tuple[frozenset[Fact], Chain | None] | None = None

    @property
    def explained(self) -> tuple[frozenset[Fact], Chain | None]:
        """What it rests on, and its chain."""
        if self._explained is None:
            self._explained = self.explain()
        return self._explained

    @property
    def premises(self) -> frozenset[Fact]:
        """What it rests on."""
        return self.explained[0]

    @property
    def chain(self) -> Chain | None:
        """Why its opposite fails, where it was found by supposing."""
        return self.explained[1]


def entry_of(rung: int, finding: Deduction, known: BoardView, premises: frozenset[Fact]) -> ExplainedFinding:
    """A finding whose premises are known."""
    return ExplainedFinding(rung, finding, known, lambda: (premises, None))


def deductions(words: Sequence[int]) -> list[Deduction]:
    """Findings as ``Position`` gives them, four words each."""
    each = iter(words)
    return [Deduction(*four) for four in zip(each, each, each, each, strict=True)]


@dataclass(frozen=True)
class KnownFacts:
    """What is known of a board, fact by fact.

    Args:
        puzzle: the board.
        start: what was given to begin with.
        numbers: by fact known since then, the number that it gives; 0 for an edge.
    """

    puzzle: Puzzle
    start: Position
    numbers: Mapping[Fact, int]

    @property
    def given(self) -> dict[Cell, int]:
        """Squares that got a number without a line to it."""
        return {fact[1]: number for fact, number in self.numbers.items() if number}

    @cached_property
    def whole(self) -> Position:
        """The start with all facts added; to be copied."""
        return self.position(self.numbers)

    def position(self, facts: Iterable[Fact]) -> Position:
        """The start with some facts added."""
        position = self.start.copy()
        ordered = sorted(facts)  # edges before numbers
        position.apply([word for fact in ordered for word in (*fact, 0, self.numbers[fact])])
        return position

    def with_facts(self, numbers: Mapping[Fact, int]) -> KnownFacts:
        """As this, with more facts."""
        return KnownFacts(self.puzzle, self.start, {**self.numbers, **numbers})

    def premises_of(self, rung: int, finding: Deduction, line: Collection[Cell]) -> frozenset[Fact]:
        """A least set of facts from which a technique still finds the same.

        Args:
            rung: the technique's.
            finding: what it found.
            line: the squares of the line that a number was found for; else those of the edge.
        """
        own = [fact for fact in self.numbers if self._lies_on(fact, line)]
        return self._least(own, rung, list(finding), line)

    def _lies_on(self, fact: Fact, line: Collection[Cell]) -> bool:
        """Whether a drawn edge belongs to a line: the number is that of the whole line."""
        kind, where = fact
        return kind == FindingKind.DRAWN and set(edge_at(self.puzzle.grid.cols, where)) <= set(line)

    def premises_of_fault(self, rung: int, fault: tuple[int, int]) -> frozenset[Fact]:
        """A least set of facts in which a technique still sees a contradiction and its place."""
        what, place = fault
        return self._least((), rung, [0, place, what, 0], ())

    def _least(
        self, own: Iterable[Fact], rung: int, sought: list[int], line: Iterable[Cell]
    ) -> frozenset[Fact]:
        """Leave out stretches of facts, those made last first; never those that are its own."""
        facts = sorted(self.numbers)  # edges before numbers
        place = {fact: at for at, fact in enumerate(facts)}
        words = [word for fact in facts for word in (*fact, self.numbers[fact])]
        order = [place[fact] for fact in list(self.numbers)[::-1]]
        staying = [place[fact] for fact in own]
        left = least_facts(self.start, words, order, staying, rung, sought, list(line))
        return frozenset([facts[at] for at in left])
