"""The compiled way to a board's drawings. Imports numba: import it late."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from linkpress.engine.kernels.drawings import find_two
from linkpress.engine.kernels.models import GAVE_UP
from linkpress.engine.kernels.question import ANY, DOWN, FILLING, LOWEST, RIGHT
from linkpress.engine.question import Budget, Drawing, Drawings, OutOfBudget
from linkpress.puzzle.grid import Edge
from linkpress.puzzle.puzzle import Puzzle

_KINDS = {Drawings.FILLING: FILLING, Drawings.LOWEST: LOWEST, Drawings.ANY: ANY}


def board_arrays(puzzle: Puzzle) -> tuple[NDArray[np.int8], NDArray[np.int32]]:
    """A puzzle as the kernels take it.

    Returns:
        ``need`` int8 and ``label`` int32, both by cell; see ``kernels/drawings.py``.
    """
    need = np.full(puzzle.grid.size, 2, np.int8)
    label = np.full(puzzle.grid.size, -1, np.int32)
    if puzzle.grid.solids:
        need[list(puzzle.grid.solids)] = -1
    for place, pair in enumerate(puzzle.pairs):
        for cell in (pair.first, pair.second):
            need[cell] = 1
            label[cell] = place
    return need, label


class BoardSearch:
    """Looks for drawings of one board.

    Args:
        puzzle: the board.
        budget: conflicts allowed over all questions.
    """

    def __init__(self, puzzle: Puzzle, budget: Budget) -> None:
        self.budget = budget
        self._puzzle = puzzle
        self._need, self._label = board_arrays(puzzle)

    def find_two(
        self, kind: Drawings, known: Sequence[Drawing] = (), budget: int | None = None
    ) -> list[Drawing]:
        """Drawings until there are two, the known ones included; fewer when there are no more.

        Args:
            kind: which drawings count.
            known: at most one drawing, not to be found again.
            budget: conflicts for this question, at most what is left of the whole.
        Raises:
            OutOfBudget: it was not settled within the budget.
        """
        grid = self._puzzle.grid
        masks = np.zeros((2, grid.size), np.uint8)
        for place, drawing in enumerate(known):
            for a, b in drawing:
                masks[place, a] |= RIGHT if b == a + 1 else DOWN
        allowed = self.budget.left if budget is None else min(budget, self.budget.left)
        count, outcome, spent = find_two(
            grid.rows,
            grid.cols,
            self._need,
            self._label,
            len(self._puzzle.pairs),
            _KINDS[kind],
            allowed,
            masks,
            len(known),
        )
        self.budget.spent += spent
        if outcome == GAVE_UP:
            raise OutOfBudget
        return [*known, *(frozenset(self._edges(mask)) for mask in masks[len(known) : count])]

    def _edges(self, mask: NDArray[np.uint8]) -> list[Edge]:
        right, down = np.flatnonzero(mask & RIGHT).tolist(), np.flatnonzero(mask & DOWN).tolist()
        cols = self._puzzle.grid.cols
        return [(cell, cell + 1) for cell in right] + [(cell, cell + cols) for cell in down]
