"""The compiled way to a board's drawings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from linkpress.engine.kernels import find_two
from linkpress.engine.kernels.glossary import DirectionBit, DrawingKind, SearchOutcome
from linkpress.engine.search_budget import Budget, Drawing, OutOfBudget
from linkpress.puzzle.grid import Edge
from linkpress.puzzle.puzzle import Puzzle


class BoardSearch:
    """Looks for drawings of one board.

    Args:
        puzzle: the board.
        budget: conflicts allowed over all questions.
    """

    def __init__(self, puzzle: Puzzle, budget: Budget) -> None:
        self.budget = budget
        self._puzzle = puzzle
        self._need = [-1 if cell in puzzle.grid.solids else 2 for cell in range(puzzle.grid.size)]
        self._label = [-1] * puzzle.grid.size
        for place, pair in enumerate(puzzle.pairs):
            for cell in (pair.first, pair.second):
                self._need[cell], self._label[cell] = 1, place

    def find_two(
        self, kind: DrawingKind, known: Sequence[Drawing] = (), budget: int | None = None
    ) -> list[Drawing]:
        """Drawings until there are two, the known ones included; fewer when there are no more.

        Args:
            kind: which drawings count; not NO_TURN.
            known: at most one drawing, not to be found again.
            budget: conflicts for this question, at most what is left of the whole.
        Raises:
            OutOfBudget: it was not settled within the budget.
        """
        grid = self._puzzle.grid
        allowed = self.budget.left if budget is None else min(budget, self.budget.left)
        found, outcome, spent = find_two(
            grid.rows,
            grid.cols,
            self._need,
            self._label,
            len(self._puzzle.pairs),
            kind,
            allowed,
            [self._masks(drawing) for drawing in known],
        )
        self.budget.spent += spent
        if outcome == SearchOutcome.GAVE_UP:
            raise OutOfBudget
        return [*known, *(frozenset(self._edges(masks)) for masks in found[len(known) :])]

    def _masks(self, drawing: Drawing) -> list[int]:
        """By cell, the sides of a drawing's edges to the right and down."""
        masks = [0] * self._puzzle.grid.size
        for a, b in drawing:
            masks[a] |= DirectionBit.RIGHT if b == a + 1 else DirectionBit.DOWN
        return masks

    def _edges(self, masks: list[int]) -> Iterator[Edge]:
        cols, right, down = self._puzzle.grid.cols, DirectionBit.RIGHT.value, DirectionBit.DOWN.value
        for cell, mask in enumerate(masks):
            if mask & right:
                yield cell, cell + 1
            if mask & down:
                yield cell, cell + cols
