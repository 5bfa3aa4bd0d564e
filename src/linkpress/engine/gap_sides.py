"""A gap as a reader sees it: the squares that it leaves on either side, and who must pass it.

The kernels ``gaps`` and ``sides`` judge gaps; this tells what they counted, for the steps in words.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from linkpress.engine.kernels.marks import MATE, NEED, NUMBER, OPEN, PARTNER, RIGHT
from linkpress.puzzle.grid import Cell, Edge, Grid


class GapSides:
    """What lies on the sides of a gap.

    Args:
        grid: the board.
        marks: int16[cells, 8], what is known; ``kernels.marks`` explains it.
        cells: the gap's cells.
    """

    def __init__(self, grid: Grid, marks: NDArray[np.int16], cells: tuple[Cell, ...]) -> None:
        self.grid, self.marks, self.cells = grid, marks, cells

    def beyond(self, step: Edge) -> Cell:
        """The cell that a step out of the gap leads to."""
        return next(cell for cell in step if cell not in self.cells)

    def side_of(self, cell: Cell) -> Cell:
        """The side that a cell lies on, by its lowest cell; the gap's own cells are each their own."""
        return self._places.get(cell, cell)

    def busiest(self) -> Cell:
        """The side that most lines have to leave."""
        sides = sorted(set(self._places.values()))
        return max(sides, key=lambda side: len(self.apart(side)) - self.carried(side))

    def apart(self, side: Cell) -> tuple[Cell, ...]:
        """The pairs with one line end on a side and one elsewhere, each by its lower endpoint."""
        return tuple(
            first
            for first, (one, other) in self._line_ends.items()
            if (self.side_of(one) == side) != (self.side_of(other) == side)
        )

    def carried(self, side: Cell) -> int:
        """How many drawn lines that hold no number lead from a side to elsewhere."""
        held = {end for ends in self._line_ends.values() for end in ends}
        ends = [cell for cell, place in self._places.items() if place == side and cell not in held]
        return sum(
            self.marks[cell, NEED] > 0 and self.side_of(int(self.marks[cell, MATE])) != side for cell in ends
        )

    def needs(self, side: Cell) -> tuple[int, int]:
        """How many more steps the dark and the light squares of a side take."""
        cells = [cell for cell, place in self._places.items() if place == side]
        dark = sum(int(self.marks[cell, NEED]) for cell in cells if self._dark(cell))
        return dark, sum(int(self.marks[cell, NEED]) for cell in cells) - dark

    @cached_property
    def _line_ends(self) -> Mapping[Cell, tuple[Cell, Cell]]:
        """The open ends of the two lines of every pair that is not joined, by its lower endpoint."""
        ends: dict[Cell, tuple[Cell, Cell]] = {}
        for first, (mate, number, partner) in enumerate(self.marks[:, [MATE, NUMBER, PARTNER]].tolist()):
            if partner > first and number == first + 1 and mate != partner:
                ends[first] = (mate, int(self.marks[partner, MATE]))
        return ends

    @cached_property
    def _places(self) -> Mapping[Cell, Cell]:
        """For every cell but the gap's own the lowest cell of its side."""
        places: dict[Cell, Cell] = {}
        for start in range(len(self.marks)):
            if start in places or start in self.cells:
                continue
            places[start], ahead = start, [start]
            while ahead:
                cell = ahead.pop()
                for to in self.grid.neighbours[cell]:
                    if to not in places and to not in self.cells and self._open(min(cell, to), max(cell, to)):
                        places[to] = start
                        ahead.append(to)
        return places

    def _open(self, a: Cell, b: Cell) -> bool:
        return bool(self.marks[a, RIGHT + int(b != a + 1)] == OPEN)

    def _dark(self, cell: Cell) -> bool:
        """The colour of a cell on the chessboard, r1c1 dark."""
        return sum(self.grid.position(cell)) % 2 == 0
