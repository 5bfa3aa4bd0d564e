"""Findings with what they rest on; where that takes a search, it is done only for those that are told."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from linkpress.engine.kernels import Position
from linkpress.engine.kernels.glossary import FindingKind
from linkpress.engine.ladder import Deduction, edge_at
from linkpress.engine.steps.known import Fact, Known
from linkpress.engine.steps.reasons import Fault
from linkpress.puzzle.grid import Cell
from linkpress.puzzle.puzzle import Puzzle

SIMPLE_RUNGS = range(1, 5)


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
    links: tuple[Entry, ...]
    fault: Fault
    premises: frozenset[Fact]

    @property
    def weight(self) -> int:
        """How many links are to be read, those of suppositions inside it included."""
        return len(self.links) + sum(link.chain.weight for link in self.links if link.chain)


@dataclass
class Entry:
    """One finding.

    Args:
        rung: its technique's.
        finding: what was found.
        known: the board when it was found.
        explain: finds what it rests on, and its chain where it was found by supposing.
    """

    rung: int
    finding: Deduction
    known: Known
    explain: Callable[[], tuple[frozenset[Fact], Chain | None]] = field(repr=False)

    @property
    def fact(self) -> Fact:
        """What it says."""
        return self.finding.kind, self.finding.where

    @property
    def number(self) -> int:
        """The number that it gives, 0 for an edge."""
        return self.finding.cause if self.finding.kind == FindingKind.NUMBERED else 0

    @cached_property
    def explained(self) -> tuple[frozenset[Fact], Chain | None]:
        """What it rests on, and its chain."""
        return self.explain()

    @property
    def premises(self) -> frozenset[Fact]:
        """What it rests on."""
        return self.explained[0]

    @property
    def chain(self) -> Chain | None:
        """Why its opposite fails, where it was found by supposing."""
        return self.explained[1]


def entry_of(rung: int, finding: Deduction, known: Known, premises: frozenset[Fact]) -> Entry:
    """A finding whose premises are known."""
    return Entry(rung, finding, known, lambda: (premises, None))


def deductions(words: Sequence[int]) -> list[Deduction]:
    """Findings as ``Position`` gives them, four words each."""
    return [Deduction(*words[at : at + 4]) for at in range(0, len(words), 4)]


@dataclass(frozen=True)
class Ground:
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

    def with_facts(self, numbers: Mapping[Fact, int]) -> Ground:
        """As this, with more facts."""
        return Ground(self.puzzle, self.start, {**self.numbers, **numbers})

    def premises_of(self, rung: int, finding: Deduction, line: Collection[Cell]) -> frozenset[Fact]:
        """A least set of facts from which a technique still finds the same.

        Args:
            rung: the technique's.
            finding: what it found.
            line: the squares of the line that a number was found for; else those of the edge.
        """
        own = [fact for fact in self.numbers if self._lies_on(fact, line)]

        def finds(facts: Sequence[Fact]) -> bool:
            found = self.position({*facts, *own}).find_on_rung(rung)
            return found is not None and _is_among(found, finding, line)

        return self._least(finds) | frozenset(own)

    def _lies_on(self, fact: Fact, line: Collection[Cell]) -> bool:
        """Whether a drawn edge belongs to a line: the number is that of the whole line."""
        kind, where = fact
        return kind == FindingKind.DRAWN and set(edge_at(self.puzzle.grid.cols, where)) <= set(line)

    def premises_of_fault(self, rung: int, fault: tuple[int, int]) -> frozenset[Fact]:
        """A least set of facts in which a technique still sees a contradiction and its place."""

        def fails(facts: Sequence[Fact]) -> bool:
            position = self.position(facts)
            return position.find_on_rung(rung) is None and position.contradiction() == fault

        return self._least(fails)

    def _least(self, holds: Callable[[Sequence[Fact]], bool]) -> frozenset[Fact]:
        """Leave out stretches of facts, long ones and those made last first, while what is left will do."""
        kept = list(self.numbers)[::-1]
        size = max(1, len(kept) // 2)
        while True:
            at = 0
            while at < len(kept):
                fewer = kept[:at] + kept[at + size :]
                if holds(fewer):
                    kept = fewer
                else:
                    at += size
            if size == 1:
                return frozenset(kept)
            size //= 2


def _is_among(words: Sequence[int], finding: Deduction, line: Collection[Cell]) -> bool:
    """Whether findings, four words each, hold one; a number as soon as it is any square's of a line."""
    kind, where, reason, cause = finding
    places = [at for at in range(0, len(words), 4) if words[at] == kind and words[at + 2] == reason]
    if kind == FindingKind.NUMBERED:
        return any(words[at + 1] in line and words[at + 3] == cause for at in places)
    return any(words[at + 1] == where for at in places)
