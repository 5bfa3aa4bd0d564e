"""The board: rows × cols squares, some of them solid.

A cell is its row-major index, ``row * cols + col``, counted from 0; an edge is a pair of
orthogonally neighbouring free cells, the smaller index first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from linkpress.errors import PuzzleError

Cell = int
Edge = tuple[int, int]

MIN_SIDE = 3
MAX_SIDE = 50


def turning_cells(way: Sequence[Cell]) -> list[Cell]:
    """Return the cells at which a way of single steps turns: the steps before and after differ."""
    return [b for a, b, c in zip(way, way[1:], way[2:], strict=False) if b - a != c - b]


def edge(a: Cell, b: Cell) -> Edge:
    """Return the edge between two neighbouring cells, the smaller cell first."""
    return (a, b) if a < b else (b, a)


@dataclass(frozen=True)
class Grid:
    """A board without numbers.

    Args:
        cols: 3 to 50.
        solids: the cells that no path may enter.
    Raises:
        PuzzleError: a side out of range, or a solid outside the board.
    """

    rows: int
    cols: int
    solids: frozenset[Cell] = frozenset()

    def __post_init__(self) -> None:
        for name, side in (("rows", self.rows), ("columns", self.cols)):
            if not MIN_SIDE <= side <= MAX_SIDE:
                shown = name.removesuffix("s") if side == 1 else name
                raise PuzzleError(f"a board of {side} {shown}: {MIN_SIDE} to {MAX_SIDE} are allowed")
        if any(not 0 <= cell < self.rows * self.cols for cell in self.solids):
            raise PuzzleError("a solid square lies outside the board")

    @property
    def size(self) -> int:
        """The number of cells, solids included."""
        return self.rows * self.cols

    @cached_property
    def free_cells(self) -> tuple[Cell, ...]:
        """The cells that are not solid, in reading order."""
        return tuple(cell for cell in range(self.size) if cell not in self.solids)

    @cached_property
    def neighbours(self) -> tuple[tuple[Cell, ...], ...]:
        """The free neighbours of each cell: up, left, right, down; a solid has none."""
        return tuple(self._neighbours(cell) for cell in range(self.size))

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        """All edges, ordered by their smaller, then their larger cell."""
        return tuple((a, b) for a in self.free_cells for b in self.neighbours[a] if a < b)

    def cell(self, row: int, col: int) -> Cell:
        """Return the cell at a row and column, both counted from 0."""
        return row * self.cols + col

    def position(self, cell: Cell) -> tuple[int, int]:
        """Return the row and column of a cell, both counted from 0."""
        return divmod(cell, self.cols)

    def name(self, cell: Cell) -> str:
        """Name a cell as people do, counted from 1: ``r2c5``."""
        row, col = self.position(cell)
        return f"r{row + 1}c{col + 1}"

    def _neighbours(self, cell: Cell) -> tuple[Cell, ...]:
        if cell in self.solids:
            return ()
        row, col = self.position(cell)
        around = ((row - 1, col), (row, col - 1), (row, col + 1), (row + 1, col))
        return tuple(
            self.cell(r, c)
            for r, c in around
            if 0 <= r < self.rows and 0 <= c < self.cols and self.cell(r, c) not in self.solids
        )
