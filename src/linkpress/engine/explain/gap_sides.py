"""A gap as a reader sees it: the squares that it leaves on either side, and who must pass it.

The kernels ``gaps`` and ``sides`` judge gaps; this tells what they counted, for the steps.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from linkpress.engine.kernels import Position
from linkpress.engine.kernels.glossary import EdgeState
from linkpress.engine.solve.ladder import place_of
from linkpress.puzzle.grid import Cell, Edge
from linkpress.puzzle.puzzle import Puzzle


class GapSides:
    """What lies on the sides of a gap.

    Args:
        puzzle: the board.
        position: what is known.
        cells: the gap's cells.
    """

    def __init__(self, puzzle: Puzzle, position: Position, cells: tuple[Cell, ...]) -> None:
        self.grid, self.pairs, self.cells = puzzle.grid, puzzle.pairs, cells
        self.edges, self.mates = position.edges(), position.mates()
        self.needs_at = position.needs()

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
        return sum(self.needs_at[cell] > 0 and self.side_of(self.mates[cell]) != side for cell in ends)

    def needs(self, side: Cell) -> tuple[int, int]:
        """How many more steps the dark and the light squares of a side take."""
        cells = [cell for cell, place in self._places.items() if place == side]
        dark = sum(self.needs_at[cell] for cell in cells if self._dark(cell))
        return dark, sum(self.needs_at[cell] for cell in cells) - dark

    @cached_property
    def _line_ends(self) -> Mapping[Cell, tuple[Cell, Cell]]:
        """The open ends of the two lines of every pair that is not joined, by its lower endpoint."""
        mates = self.mates
        return {
            pair.first: (mates[pair.first], mates[pair.second])
            for pair in sorted(self.pairs, key=lambda pair: pair.first)
            if mates[pair.first] != pair.second
        }

    @cached_property
    def _places(self) -> Mapping[Cell, Cell]:
        """For every cell but the gap's own the lowest cell of its side."""
        places: dict[Cell, Cell] = {}
        for start in range(self.grid.size):
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
        return bool(self.edges[place_of((a, b))] == EdgeState.OPEN)

    def _dark(self, cell: Cell) -> bool:
        """The colour of a cell on the chessboard, r1c1 dark."""
        return sum(self.grid.position(cell)) % 2 == 0
