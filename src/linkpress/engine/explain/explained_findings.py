"""A finding is explained by what it rests on; that takes a search, made only for those that are told.

A **fact** is a settled edge or the number of a square's line: a ``FindingKind`` and the edge or the square.
Edges of a square that has all its lines are closed without being told: they rest on those lines.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise, product

from linkpress.engine.kernels import LineView, Position, least_facts
from linkpress.engine.kernels.glossary import EdgeState, FindingKind
from linkpress.engine.solve.ladder import Deduction, edge_at, edge_index, write
from linkpress.engine.techniques import Technique
from linkpress.puzzle.puzzle import Cell, Puzzle, edge

Fact = tuple[int, int]


class BoardView(LineView):
    """A view shows what is known of a board at one time.

    Args:
        position: what is known; may be left at a contradiction.
        given: squares whose lines' numbers were found without a line to the number.
    """

    def __init__(self, puzzle: Puzzle, position: Position, given: Mapping[Cell, int]) -> None:
        super().__init__(position, list(given))
        self.puzzle, self.grid, self.given, self.position = puzzle, puzzle.grid, given, position

    def exits_of(self, cell: Cell, deductions: Iterable[Deduction]) -> list[Cell]:
        """Return the squares to which findings lead from one, over edges that are still open."""
        edges = [edge_at(self.grid.cols, found.where) for found in deductions if not self.settles(found)]
        return [a + b - cell for a, b in edges]

    def holds(self, fact: Fact) -> bool:
        """Tell whether a fact is known."""
        kind, where = fact
        if kind == FindingKind.NUMBERED:
            return self.pair_of(where) != 0
        return self.edge_state(where) == kind

    def settles(self, deduction: Deduction) -> bool:
        """Tell whether what a finding says, or its opposite, is known."""
        if deduction.kind == FindingKind.NUMBERED:
            return self.pair_of(deduction.where) != 0
        return self.edge_state(deduction.where) != EdgeState.OPEN

    def drawn(self, way: list[Cell]) -> set[Fact]:
        """Return the facts of which a way along drawn edges consists."""
        return {(FindingKind.DRAWN, edge_index(edge(a, b))) for a, b in pairwise(way)}

    def partner(self, cell: Cell) -> Cell:
        """Return the other endpoint of an endpoint's pair."""
        pair = next(pair for pair in self.puzzle.pairs if cell in (pair.first, pair.second))
        return pair.first + pair.second - cell

    def printed(self, number: int) -> int:
        """Return a number as it is printed, from 1 + its pair's first endpoint."""
        return self.puzzle.number_at[number - 1]

    def squares_of(self, number: int) -> tuple[Cell, ...]:
        """Return the endpoints with a number as it is printed."""
        return tuple(cell for cell, printed in self.puzzle.number_at.items() if printed == number)

    def number(self, cell: Cell) -> int:
        """Return the printed number on the line through a square, 0 when unknown."""
        pair = self.pair_of(cell)
        return self.printed(pair) if pair else 0

    def between(self, cell: Cell, number: int) -> tuple[Cell, Cell, Cell] | None:
        """Return a square of a line and the two squares between which a walk along a wall meets it.

        The walk is made as the position is now. The two squares, the last and the next with any number, have
        the ``number``, as it is printed.
        """
        line = set(self.line(cell))
        for walk in self.position.walks():
            for index, here in enumerate(walk):
                if here not in line:
                    continue
                around = [met for met in walk[index:] + walk[:index] if self.pair_of(met)]
                ends = around[-1:] + around[:1]
                if len({*ends}) == 2 and {self.number(end) for end in ends} == {number}:
                    return here, ends[0], ends[1]
        return None

    def crossing(self, number: int) -> tuple[Cell, ...]:
        """Return four squares as a walk along a wall meets them, the first and the third with one number.

        The walk is made as the position is now. The second and the fourth have another number, so that the
        two must cross; empty where there are none.
        """
        for walk in self.position.walks():
            met = [cell for cell in walk if self.pair_of(cell)]
            own = [index for index, cell in enumerate(met) if self.number(cell) == number]
            for first, third in combinations(own, 2):
                inside, outside = met[first:third], met[third:] + met[:first]
                for second, fourth in product(inside, outside):
                    if self.number(second) == self.number(fourth) != number:
                        return met[first], second, met[third], fourth
        return ()


Explanation = tuple[frozenset[Fact], "Chain | None"]


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault is the contradiction in which a supposition ends.

    Args:
        phrase: the key of the phrase that says it.
        numbers: the numbers that it names, as they are printed.
    """

    phrase: str
    cells: tuple[Cell, ...]
    facts: frozenset[Fact]
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Chain:
    """A chain has the links that lead from a supposition to a contradiction, as far as this rests on them.

    Args:
        links: in an order in which each follows from those before.
        premises: what all of it rests on beside the supposition.
    """

    supposed: Fact
    links: tuple[ExplainedFinding, ...]
    fault: Fault
    premises: frozenset[Fact]

    @property
    def weight(self) -> int:
        """Return the number of links to be read, with those of suppositions inside it."""
        return len(self.links) + sum(link.chain.weight for link in self.links if link.chain)


class ExplainedFinding:
    """An explained finding is one of a technique, with what it rests on.

    Args:
        board: the board when it was found.
        explain: finds what it rests on, and its chain where it was found by supposing.
    Attributes:
        number: the number that it gives, 0 for an edge.
    """

    __slots__ = ("_explanation", "board", "deduction", "explain", "fact", "number", "technique")

    def __init__(
        self, technique: Technique, deduction: Deduction, board: BoardView, explain: Callable[[], Explanation]
    ) -> None:
        self.technique, self.deduction, self.board, self.explain = technique, deduction, board, explain
        kind, where, _, cause = deduction
        self.fact: Fact = (kind, where)
        self.number = cause if kind == FindingKind.NUMBERED else 0
        self._explanation: Explanation | None = None

    def _explained(self) -> Explanation:
        if self._explanation is None:
            self._explanation = self.explain()
        return self._explanation

    @property
    def premises(self) -> frozenset[Fact]:
        """Return the facts that it rests on."""
        return self._explained()[0]

    @property
    def chain(self) -> Chain | None:
        """Return the chain by which its opposite fails, where it was found by supposing."""
        return self._explained()[1]


def finding_with(
    premises: frozenset[Fact], technique: Technique, deduction: Deduction, board: BoardView
) -> ExplainedFinding:
    """Make a finding whose premises are known."""
    return ExplainedFinding(technique, deduction, board, lambda: (premises, None))


def statement(fact: Fact, number: int) -> Deduction:
    """Return a fact as it is written into a board; the number is 0 for an edge."""
    return Deduction(*fact, cause=number)


@dataclass(frozen=True)
class KnownFacts:
    """These are all facts that are known of a board.

    Args:
        start: what was given to begin with.
        numbers: by fact known since then, the number that it gives; 0 for an edge.
    """

    puzzle: Puzzle
    start: Position
    numbers: Mapping[Fact, int]

    @property
    def given(self) -> dict[Cell, int]:
        """Return the squares that got a number without a line to it, with these numbers."""
        return {fact[1]: number for fact, number in self.numbers.items() if number}

    @cached_property
    def whole(self) -> Position:
        """Return the start with all facts added; to be copied."""
        return self.position(self.numbers)

    def position(self, facts: Iterable[Fact]) -> Position:
        """Return the start with some facts added."""
        position = self.start.copy()
        write(position, (statement(fact, self.numbers[fact]) for fact in sorted(facts)))  # edges first
        return position

    def premises_of(
        self, technique: Technique, deduction: Deduction, line: Collection[Cell]
    ) -> frozenset[Fact]:
        """Return a least set of facts from which a technique still finds the same.

        ``line`` has the squares of the line that a number was found for; else those of the edge.
        """
        own = [fact for fact in self.numbers if self._lies_on(fact, line)]
        return self._least(own, technique, deduction, line)

    def _lies_on(self, fact: Fact, line: Collection[Cell]) -> bool:
        """Tell whether a drawn edge belongs to a line: the number is that of the whole line."""
        kind, where = fact
        return kind == FindingKind.DRAWN and set(edge_at(self.puzzle.grid.cols, where)) <= set(line)

    def premises_of_fault(self, technique: Technique, fault: tuple[int, int]) -> frozenset[Fact]:
        """Return a least set of facts in which a technique still sees a contradiction and its place."""
        what, place = fault
        return self._least((), technique, Deduction(0, place, what), ())

    def _least(
        self, own: Iterable[Fact], technique: Technique, sought: Deduction, line: Iterable[Cell]
    ) -> frozenset[Fact]:
        """Leave out stretches of facts, those made last first; never those that are the finding's own."""
        facts = sorted(self.numbers)  # edges before numbers
        index = {fact: place for place, fact in enumerate(facts)}
        flat = [number for fact in facts for number in (*fact, self.numbers[fact])]
        order = [index[fact] for fact in list(self.numbers)[::-1]]
        staying = [index[fact] for fact in own]
        left = least_facts(self.start, flat, order, staying, technique.code, list(sought), list(line))
        return frozenset([facts[place] for place in left])
