"""A board as it stands, with what a reason for the next step needs: who is joined to whom, and by what.

A **fact** is a settled edge or the number of a square's line: a ``FindingKind`` and the edge or the square.
Edges of a square that has all its lines are closed without being told: they rest on those lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations, pairwise, product

from linkpress.engine.kernels import LineView, Position
from linkpress.engine.kernels.glossary import EdgeState, FindingKind
from linkpress.engine.solve.ladder import Deduction, edge_at, edge_index
from linkpress.puzzle.grid import Cell, edge
from linkpress.puzzle.puzzle import Puzzle

Fact = tuple[int, int]


class BoardView(LineView):
    """A view of what is known of a board at one time.

    Args:
        position: what is known; may be left at a contradiction.
        given: squares whose lines' numbers were found without a line to the number.
    """

    def __init__(self, puzzle: Puzzle, position: Position, given: Mapping[Cell, int]) -> None:
        super().__init__(position, list(given))
        self.puzzle, self.grid, self.given, self.position = puzzle, puzzle.grid, given, position

    def exits_of(self, cell: Cell, deductions: Iterable[Deduction]) -> list[Cell]:
        """Say where findings lead from a square, over edges that are open yet."""
        edges = [edge_at(self.grid.cols, one.where) for one in deductions if not self.settles(one)]
        return [a + b - cell for a, b in edges]

    def holds(self, fact: Fact) -> bool:
        """Tell whether a fact is known."""
        kind, where = fact
        if kind == FindingKind.NUMBERED:
            return self.pair_of(where) != 0
        return self.edge_state(where) == kind

    def settles(self, deduction: Deduction) -> bool:
        """Tell whether what a finding says is known, or the opposite."""
        if deduction.kind == FindingKind.NUMBERED:
            return self.pair_of(deduction.where) != 0
        return self.edge_state(deduction.where) != EdgeState.OPEN

    def drawn(self, way: list[Cell]) -> set[Fact]:
        """Return the facts that a way along drawn edges is."""
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

        The walk is made as the position is now.

        Args:
            cell: on the line.
            number: as it is printed; the two squares, the last and the next with any number, have it.
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
        """Find four squares as a walk along a wall meets them, the first and the third with one number.

        The walk is made as the position is now.

        Args:
            number: as it is printed.
        Returns:
            Empty, or the second and the fourth with another number, so that the two must cross.
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
