"""The compiled search for a board's drawings, and what a search may spend."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from linkpress.engine.kernels import find_two
from linkpress.engine.kernels.glossary import DirectionBit, DrawingKind, SearchOutcome
from linkpress.engine.recipe import Rule
from linkpress.puzzle.grid import Edge
from linkpress.puzzle.puzzle import Puzzle

Drawing = frozenset[Edge]

KIND_OF = {
    Rule.FILLED: DrawingKind.FILLING,
    Rule.STRICT: DrawingKind.LOWEST,
    Rule.UNTOUCHING: DrawingKind.UNTOUCHING,
}
"""The drawings that the compiled search counts for each rule."""

# Conflicts of the first turn when the fillings and strict are asked by turns, and how many times
# as many strict may have: half of the strict boards of 15 × 15 take less than 2,800, all less than
# 16,000, where the fillings take a multiple.
_FIRST_TURN = 1000
_STRICT_SHARE = 4

# Contradictions that a scan may meet before the search that learns is asked. Hand-made boards of up to 100,
# 150 and 225 squares take 0.52, 1.9 and 14.2 ms without it (geometric means), 0.21, 1.4 and 12.8 with 3,000,
# 0.20, 1.0 and 11.6 with 10,000.
_SCANNED = 10_000


class OutOfBudget(Exception):  # noqa: N818 - a way out of the search, not a fault
    """The conflicts allowed are spent."""


@dataclass
class Budget:
    """The conflicts that may still be had, counted down across questions."""

    allowed: int
    spent: int = 0

    @property
    def left(self) -> int:
        """The conflicts still allowed; 0 or less once they are spent."""
        return self.allowed - self.spent


class BoardSearch:
    """Looks for drawings of one board.

    The search goes row by row, so a board wider than it is high is turned over its diagonal first: boards of
    9 × 16 take a third of the time then, of 10 × 20 a sixth.

    Args:
        puzzle: the board.
        budget: conflicts allowed over all questions.
        scans: whether a scan is tried before the search that learns.
    """

    def __init__(self, puzzle: Puzzle, budget: Budget, *, scans: bool = True) -> None:
        grid = puzzle.grid
        self.budget = budget
        self._scanned = _SCANNED if scans else 0
        self._pairs = len(puzzle.pairs)
        self._rows, self._cols = max(grid.rows, grid.cols), min(grid.rows, grid.cols)
        # The board's cell by the search's, and the other way round; both kinds rise with row and column.
        self._cell = self._place = list(range(grid.size))
        if grid.cols > grid.rows:
            self._cell = [cell for col in range(grid.cols) for cell in range(col, grid.size, grid.cols)]
            self._place = [cell for row in range(grid.rows) for cell in range(row, grid.size, grid.rows)]
        self._need = [-1 if cell in grid.solids else 2 for cell in self._cell]
        self._label = [-1] * grid.size
        for number, pair in enumerate(puzzle.pairs):
            for place in (self._place[pair.first], self._place[pair.second]):
                self._need[place], self._label[place] = 1, number

    def find_two(
        self, kind: DrawingKind, known: Sequence[Drawing] = (), budget: int | None = None
    ) -> list[Drawing]:
        """Find drawings until there are two, the known ones included; fewer when there are no more.

        Args:
            kind: which drawings count, of ``KIND_OF``.
            known: at most one drawing, not to be found again.
            budget: conflicts for this question, at most what is left of the whole.
        Raises:
            OutOfBudget: it was not settled within the budget.
        """
        allowed = self.budget.left if budget is None else min(budget, self.budget.left)
        found, outcome, spent = find_two(
            self._rows,
            self._cols,
            self._need,
            self._label,
            self._pairs,
            kind,
            (self._scanned, allowed),
            [self._masks(drawing) for drawing in known],
        )
        self.budget.spent += spent
        if outcome == SearchOutcome.GAVE_UP:
            raise OutOfBudget
        return [*known, *(frozenset(self._edges(masks)) for masks in found[len(known) :])]

    def _masks(self, drawing: Drawing) -> list[int]:
        """Write a drawing's edges as sides, right and down, of the search's cells."""
        masks = [0] * len(self._cell)
        for a, b in drawing:
            place = self._place[a]
            masks[place] |= DirectionBit.RIGHT if self._place[b] == place + 1 else DirectionBit.DOWN
        return masks

    def _edges(self, masks: list[int]) -> Iterator[Edge]:
        cell, cols, right, down = self._cell, self._cols, DirectionBit.RIGHT.value, DirectionBit.DOWN.value
        for place, mask in enumerate(masks):
            if mask & right:
                yield cell[place], cell[place + 1]
            if mask & down:
                yield cell[place], cell[place + cols]


def find_fillings(puzzle: Puzzle, search: BoardSearch) -> list[Drawing]:
    """Ask for strict first; then, and where that takes long, for the fillings, in turns of growing budget."""
    turn = _FIRST_TURN
    strict: list[Drawing] | None = None
    while True:
        if strict is None:
            with contextlib.suppress(OutOfBudget):
                strict = search.find_two(DrawingKind.LOWEST, budget=_STRICT_SHARE * turn)
        fillings = [drawing for drawing in strict or () if fills(puzzle, drawing)]
        # Fewer than two: there are no other drawings at all.
        if strict is not None and (len(strict) < 2 or len(fillings) == 2):
            return fillings
        try:
            return search.find_two(DrawingKind.FILLING, known=fillings, budget=turn)
        except OutOfBudget:
            if search.budget.left <= 0:
                raise
        turn *= 4


def fills(puzzle: Puzzle, drawing: Drawing) -> bool:
    """Tell whether a drawing covers every free square."""
    return len({cell for step in drawing for cell in step}) == len(puzzle.grid.free_cells)
