"""A board as it stands, with what a reason for the next step needs: who is joined to whom, and by what.

A **fact** is a settled edge or the number of a square's line: a ``FindingKind`` and the edge or the square.
Edges of a square that has all its lines are closed without being told: they rest on those lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from itertools import pairwise

from linkpress.engine.kernels import Position
from linkpress.engine.kernels.glossary import EdgeState, FindingKind
from linkpress.engine.ladder import Deduction, edge_at, place_of
from linkpress.puzzle.grid import Cell, Edge, Grid, edge
from linkpress.puzzle.puzzle import Puzzle

Fact = tuple[int, int]


@lru_cache(maxsize=1)
def _ways(grid: Grid) -> list[list[tuple[Cell, int]]]:
    """For each square its free neighbours, each with the place of the edge to it."""
    return [[(to, place_of(edge(cell, to))) for to in around] for cell, around in enumerate(grid.neighbours)]


class Known:
    """What is known of a board at one time.

    Args:
        puzzle: the board.
        position: what is known; may be left at a contradiction.
        given: squares whose lines' numbers were found without a line to the number.
    """

    def __init__(self, puzzle: Puzzle, position: Position, given: Mapping[Cell, int]) -> None:
        self.puzzle, self.grid, self.given = puzzle, puzzle.grid, given
        self.ways = _ways(self.grid)
        self.edges, self.needs = position.edges(), position.needs()
        self.numbers, self.mates = position.numbers(), position.mates()

    def state(self, a: Cell, b: Cell) -> int:
        """The ``EdgeState`` between two neighbours."""
        return int(self.edges[place_of(edge(a, b))])

    def exits(self, cell: Cell) -> list[Cell]:
        """Its neighbours over open edges."""
        return [to for to, place in self.ways[cell] if self.edges[place] == EdgeState.OPEN]

    def exits_of(self, cell: Cell, entries: Iterable[Deduction]) -> list[Cell]:
        """Where findings lead from a square, over edges that are open yet."""
        edges = [edge_at(self.grid.cols, one.where) for one in entries if not self.settles(one)]
        return [a + b - cell for a, b in edges]

    def joined(self, cell: Cell) -> list[Cell]:
        """Its neighbours over drawn edges."""
        return [to for to, place in self.ways[cell] if self.edges[place] == EdgeState.DRAWN]

    def holds(self, fact: Fact) -> bool:
        """Whether a fact is known."""
        kind, where = fact
        if kind == FindingKind.NUMBERED:
            return bool(self.numbers[where])
        return bool(self.edges[where] == kind)

    def settles(self, finding: Deduction) -> bool:
        """Whether what a finding says is known, or the opposite."""
        if finding.kind == FindingKind.NUMBERED:
            return bool(self.numbers[finding.where])
        return bool(self.edges[finding.where] != EdgeState.OPEN)

    def way(self, start: Cell, goals: Iterable[Cell], without: Edge | None = None) -> list[Cell]:
        """The squares along drawn edges from one square to the nearest of some, or none.

        Args:
            start: the first square.
            goals: where to end.
            without: an edge not to be gone over.
        """
        wanted = set(goals)
        ways = [[start]]
        while ways:
            longer = []
            for way in ways:
                if way[-1] in wanted:
                    return way
                longer += [
                    [*way, to]
                    for to in self.joined(way[-1])
                    if to not in way and edge(way[-1], to) != without
                ]
            ways = longer
        return []

    def line(self, cell: Cell, without: Edge | None = None) -> list[Cell]:
        """All squares of the line through a square, that square first."""
        found = [cell]
        for here in found:
            found += [to for to in self.joined(here) if to not in found and edge(here, to) != without]
        return found

    def drawn(self, way: list[Cell]) -> set[Fact]:
        """The facts that a way along drawn edges is."""
        return {(FindingKind.DRAWN, place_of(edge(a, b))) for a, b in pairwise(way)}

    def numbering(self, cell: Cell, without: Edge | None = None) -> set[Fact]:
        """Why the line through a square has its number."""
        way = self.way(cell, self.sources, without)
        facts = self.drawn(way)
        if way and way[-1] in self.given:
            facts.add((FindingKind.NUMBERED, way[-1]))
        return facts

    @cached_property
    def sources(self) -> frozenset[Cell]:
        """The squares that a line has its number from."""
        return frozenset(self.puzzle.number_at) | frozenset(self.given)

    def closing(self, a: Cell, b: Cell) -> set[Fact]:
        """Why no line can go from one square to the next: one of them has all its lines, or a fact."""
        for cell in (b, a):
            if self.needs[cell] <= 0:
                return self.lines_at(cell)
        return {(FindingKind.RULED_OUT, place_of(edge(a, b)))}

    def lines_at(self, cell: Cell) -> set[Fact]:
        """The drawn edges of a square."""
        return {(FindingKind.DRAWN, place_of(edge(cell, to))) for to in self.joined(cell)}

    def is_closed(self, a: Cell, b: Cell) -> bool:
        """Whether the edge between two neighbours is ruled out."""
        return self.state(a, b) == EdgeState.RULED_OUT

    def touching(self, ones: list[Cell], others: list[Cell], but: Edge) -> Edge | None:
        """Two neighbours of two lines, other than those that are to be joined."""
        there = set(others)
        for cell in ones:
            for to in self.grid.neighbours[cell]:
                if to in there and edge(cell, to) != but:
                    return cell, to
        return None

    def partner(self, cell: Cell) -> Cell:
        """The other endpoint of an endpoint's pair."""
        pair = next(pair for pair in self.puzzle.pairs if cell in (pair.first, pair.second))
        return pair.first + pair.second - cell

    def plain(self, number: int) -> int:
        """A number as it is printed, from 1 + its pair's first endpoint."""
        return self.puzzle.number_at[number - 1]

    def number(self, cell: Cell) -> int:
        """The printed number on the line through a square, 0 when unknown."""
        return self.plain(self.numbers[cell]) if self.numbers[cell] else 0
