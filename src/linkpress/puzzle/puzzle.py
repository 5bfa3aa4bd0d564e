"""Puzzles and their solutions.

A puzzle is printed: a grid with numbers. The reader draws its solution: one path for each pair of numbers.

A cell is given by its row-major index, ``row * cols + col``, counted from 0. An edge is a pair of
orthogonally neighbouring free cells, with the smaller index first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from linkpress.errors import PuzzleError

Cell = int
Edge = tuple[int, int]

MIN_SIDE = 3
MAX_SIDE = 50
# Highest number that a pair may have. A 50 × 50 board has at most 1,250 pairs, but their numbers
# may have gaps.
MAX_NUMBER = 9999


def turning_cells(cells: Sequence[Cell]) -> list[Cell]:
    return [b for a, b, c in zip(cells, cells[1:], cells[2:], strict=False) if b - a != c - b]


def corners_of(line: Sequence[Cell]) -> list[Cell]:
    """Return the first square of a line, the squares where it turns, and its last square."""
    return [line[0], *turning_cells(line), line[-1]]


def edge(a: Cell, b: Cell) -> Edge:
    return (a, b) if a < b else (b, a)


def column_name(col: int) -> str:
    """Return the letters of a column, counted from 1: A to Z, then AA, AB and so on."""
    before, last = divmod(col - 1, 26)
    return (chr(ord("A") + before - 1) if before else "") + chr(ord("A") + last)


def square_name(row: int, col: int) -> str:
    """Return the name of a square, such as ``E2``. Row and column are counted from 1."""
    return f"{column_name(col)}{row}"


@dataclass(frozen=True)
class Grid:
    """Board without numbers: its size and its solid cells.

    Args:
        rows: the number of rows, 3 to 50.
        cols: the number of columns, 3 to 50.
        solids: the cells that no path may enter.
    Raises:
        PuzzleError: a side is out of range, or a solid is outside the board.
    """

    rows: int
    cols: int
    solids: frozenset[Cell] = frozenset()

    def __post_init__(self) -> None:
        for name, side in (("rows", self.rows), ("columns", self.cols)):
            if not MIN_SIDE <= side <= MAX_SIDE:
                unit = name.removesuffix("s") if side == 1 else name
                raise PuzzleError(f"a board of {side} {unit}: {MIN_SIDE} to {MAX_SIDE} are allowed")
        if any(not 0 <= cell < self.rows * self.cols for cell in self.solids):
            raise PuzzleError("a solid square lies outside the board")

    @property
    def size(self) -> int:
        return self.rows * self.cols

    @cached_property
    def free_cells(self) -> tuple[Cell, ...]:
        return tuple(cell for cell in range(self.size) if cell not in self.solids)

    @cached_property
    def neighbours(self) -> tuple[tuple[Cell, ...], ...]:
        """Return for each cell its neighbours that are not solid, in the order up, left, right, down.

        A solid cell has no neighbours.
        """
        return tuple(self._neighbours(cell) for cell in range(self.size))

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        return tuple((a, b) for a in self.free_cells for b in self.neighbours[a] if a < b)

    def cell(self, row: int, col: int) -> Cell:
        return row * self.cols + col

    def position(self, cell: Cell) -> tuple[int, int]:
        return divmod(cell, self.cols)

    def name(self, cell: Cell) -> str:
        """Return a cell's name, such as ``E2`` for the fifth column and the second row."""
        row, col = self.position(cell)
        return square_name(row + 1, col + 1)

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


class Pair(NamedTuple):
    """A number of a puzzle, and the two cells that have it. The cell with the smaller index comes first."""

    number: int
    first: Cell
    second: Cell


@dataclass(frozen=True)
class Puzzle:
    """Board with its numbers.

    Args:
        grid: the size and the solid cells.
        pairs: at least one pair, ordered by number. Puzzles made by linkpress are numbered from 1 without
            gaps; puzzles from other sources may skip numbers.
        colours: the colour of each pair's path if the coloured solution shows a picture; else empty. Two
            puzzles that differ only in their colours are equal, because the colours can't be read from a
            printed board.
    Raises:
        PuzzleError: there is no pair, a number is above 9999 or used twice, two numbers are on one cell, or a
            number is on a solid or outside the board.
    """

    grid: Grid
    pairs: tuple[Pair, ...]
    colours: tuple[str, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        if not self.pairs:
            raise PuzzleError("a board without numbers: at least one pair is needed")
        numbers = [number for number, _, _ in self.pairs]
        if numbers != sorted(set(numbers)) or numbers[0] < 1:
            raise PuzzleError("the pairs' numbers must be positive, different and rising")
        if numbers[-1] > MAX_NUMBER:
            raise PuzzleError(f"the number {numbers[-1]}: at most {MAX_NUMBER} is allowed")
        ends = [cell for _, first, second in self.pairs for cell in (first, second)]
        if len(set(ends)) != len(ends):
            raise PuzzleError("two numbers are on one square")
        size, solids = self.grid.size, self.grid.solids
        for cell in ends:
            if not 0 <= cell < size or cell in solids:
                raise PuzzleError(
                    f"the number {self.number_at[cell]} is on a solid square or outside the board"
                )

    @classmethod
    def from_numbers(cls, grid: Grid, numbers: Mapping[Cell, int]) -> Puzzle:
        """Make a puzzle from a board and the number on each numbered cell.

        Raises:
            PuzzleError: a number doesn't appear exactly twice, or the puzzle is malformed; see ``Puzzle``.
        """
        cells_of: dict[int, list[Cell]] = {}
        for cell in sorted(numbers):
            cells_of.setdefault(numbers[cell], []).append(cell)
        for number, cells in sorted(cells_of.items()):
            if len(cells) != 2:
                where = ", ".join(grid.name(cell) for cell in cells[:6]) + ", …" * (len(cells) > 6)
                raise PuzzleError(
                    f"the number {number} appears {len(cells)} time{'s' * (len(cells) != 1)} ({where}): "
                    "every number must appear exactly twice"
                )
        return cls(grid, tuple(Pair(n, a, b) for n, (a, b) in sorted(cells_of.items())))

    @cached_property
    def number_at(self) -> Mapping[Cell, int]:
        return {cell: pair.number for pair in self.pairs for cell in (pair.first, pair.second)}


class Path(NamedTuple):
    """Line drawn for one pair: its cells in order, from one endpoint to the other."""

    number: int
    cells: tuple[Cell, ...]

    @property
    def edges(self) -> tuple[Edge, ...]:
        return tuple(edge(a, b) for a, b in zip(self.cells, self.cells[1:], strict=False))


@dataclass(frozen=True)
class Solution:
    """Solution of a puzzle: one path for each pair, in the order of the pairs.

    The paths may leave cells uncovered. This class checks nothing; use ``rules.check_solution`` to find
    mistakes.
    """

    puzzle: Puzzle
    paths: tuple[Path, ...]

    @cached_property
    def edges(self) -> frozenset[Edge]:
        return frozenset(step for path in self.paths for step in path.edges)

    @cached_property
    def number_of(self) -> Mapping[Cell, int]:
        return {cell: path.number for path in self.paths for cell in path.cells}

    @cached_property
    def fills(self) -> bool:
        """Return whether the paths cover every free cell."""
        grid = self.puzzle.grid
        empty = grid.rows * grid.cols - len(grid.solids)
        for _, cells in self.paths:
            empty -= len(cells)
        return empty == 0

    @cached_property
    def touches_itself(self) -> bool:
        """Return whether a path runs alongside itself.

        A solution can be given as numbers: each cell has the number of its path. If a path runs alongside
        itself, these numbers don't show in which order the path goes through its cells.
        """
        cols = self.puzzle.grid.cols
        same_number = sum(
            self.number_of.get(other) == number
            for cell, number in self.number_of.items()
            for other in ((cell + 1,) if (cell + 1) % cols else ()) + (cell + cols,)
        )
        return same_number > len(self.edges)

    @classmethod
    def with_fills(cls, puzzle: Puzzle, paths: tuple[Path, ...], fills: bool) -> Solution:
        """Make a solution for which it is already known whether the paths cover every free cell.

        This takes only a third of the time that it takes to make a solution and then read its property
        ``fills``.
        """
        made = object.__new__(cls)
        object.__setattr__(made, "__dict__", {"puzzle": puzzle, "paths": paths, "fills": fills})
        return made

    @classmethod
    def from_edges(cls, puzzle: Puzzle, edges: Iterable[Edge]) -> Solution:
        """Make a solution from the edges of a drawing: trace a path from the first cell of each pair.

        Edges that are on none of these paths, such as closed loops, are ignored.

        Raises:
            PuzzleError: the edges don't join each pair by one path without branches.
        """
        drawn: dict[Cell, list[Cell]] = {}
        for a, b in edges:
            drawn.setdefault(a, []).append(b)
            drawn.setdefault(b, []).append(a)
        return cls(puzzle, tuple(_trace(pair, drawn) for pair in puzzle.pairs))


def _trace(pair: Pair, drawn: Mapping[Cell, list[Cell]]) -> Path:
    cells, cell, onward = [pair.first], pair.first, drawn.get(pair.first, [])
    if len(onward) == len(drawn.get(pair.second, ())) == 1:
        previous, cell = cell, onward[0]
        while cell != pair.second and len(onward := drawn[cell]) == 2:
            cells.append(cell)
            previous, cell = cell, onward[1] if onward[0] == previous else onward[0]
    if cell != pair.second:
        raise PuzzleError(f"the drawing does not join the two squares numbered {pair.number}")
    return Path(pair.number, (*cells, cell))
