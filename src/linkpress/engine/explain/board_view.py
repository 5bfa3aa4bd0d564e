"""A board as it stands, with what a reason for the next step needs: who is joined to whom, and by what.

A **fact** is a settled edge or the number of a square's line: a ``FindingKind`` and the edge or the square.
Edges of a square that has all its lines are closed without being told: they rest on those lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise

from linkpress.engine.kernels import LineView, Position
from linkpress.engine.kernels.glossary import EdgeState, FindingKind
from linkpress.engine.solve.ladder import Deduction, edge_at, edge_index
from linkpress.puzzle.grid import Cell, edge
from linkpress.puzzle.puzzle import Puzzle

Fact = tuple[int, int]


class BoardView(LineView):
    """A view of what is known of a board at one time.

    Args:
        puzzle: the board.
        position: what is known; may be left at a contradiction.
        given: squares whose lines' numbers were found without a line to the number.
    """

    def __init__(self, puzzle: Puzzle, position: Position, given: Mapping[Cell, int]) -> None:
        super().__init__(position, list(given))
        self.puzzle, self.grid, self.given = puzzle, puzzle.grid, given

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
