"""A puzzle is what is printed, a grid with numbers; a solution, of paths, is what the reader draws.

A cell is its row-major index, ``row * cols + col``, counted from 0; an edge is a pair of
orthogonally neighbouring free cells, the smaller index first.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from linkpress.errors import PuzzleError

Cell = int
Edge = tuple[int, int]

MIN_SIDE = 3
MAX_SIDE = 50
MAX_NUMBER = 9999  # what every notation can hold; a 50 × 50 board has at most 1,250 pairs


def turning_cells(way: Sequence[Cell]) -> list[Cell]:
    """Return the cells at which a way of single steps turns: the steps before and after differ."""
    return [b for a, b, c in zip(way, way[1:], way[2:], strict=False) if b - a != c - b]


def edge(a: Cell, b: Cell) -> Edge:
    """Return the edge between two neighbouring cells, the smaller cell first."""
    return (a, b) if a < b else (b, a)


@dataclass(frozen=True)
class Grid:
    """A grid is a board without numbers.

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
        """Return the number of cells, solids included."""
        return self.rows * self.cols

    @cached_property
    def free_cells(self) -> tuple[Cell, ...]:
        """Return the cells that are not solid, in reading order."""
        return tuple(cell for cell in range(self.size) if cell not in self.solids)

    @cached_property
    def neighbours(self) -> tuple[tuple[Cell, ...], ...]:
        """Return the free neighbours of each cell: up, left, right, down; a solid has none."""
        return tuple(self._neighbours(cell) for cell in range(self.size))

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        """Return all edges, ordered by their smaller, then their larger cell."""
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


class Pair(NamedTuple):
    """A pair is a number and the two cells it stands on, ``first < second``."""

    number: int
    first: Cell
    second: Cell


@dataclass(frozen=True)
class Puzzle:
    """A puzzle is a board with its numbers.

    Args:
        pairs: one or more, by rising number. Made puzzles are numbered 1…k; boards from
            elsewhere may skip numbers.
    Raises:
        PuzzleError: no pair, a number used twice or above 9999, two numbers on one cell, or a
            number on a solid or outside the board.
    """

    grid: Grid
    pairs: tuple[Pair, ...]

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
            raise PuzzleError("two numbers stand on one square")
        size, solids = self.grid.size, self.grid.solids
        misplaced = [cell for cell in ends if not 0 <= cell < size or cell in solids]
        if misplaced:
            number = self.number_at[misplaced[0]]
            raise PuzzleError(f"the number {number} stands on a solid or outside the board")

    @classmethod
    def from_numbers(cls, grid: Grid, numbers: Mapping[Cell, int]) -> Puzzle:
        """Return the puzzle with these numbers; raise ``PuzzleError`` unless each stands exactly twice."""
        standing: dict[int, list[Cell]] = {}
        for cell in sorted(numbers):
            standing.setdefault(numbers[cell], []).append(cell)
        for number, cells in sorted(standing.items()):
            if len(cells) != 2:
                where = ", ".join(grid.name(cell) for cell in cells[:6]) + ", …" * (len(cells) > 6)
                raise PuzzleError(
                    f"the number {number} stands {len(cells)} time{'s' * (len(cells) != 1)} ({where}): "
                    "every number must stand exactly twice"
                )
        return cls(grid, tuple(Pair(n, a, b) for n, (a, b) in sorted(standing.items())))

    @cached_property
    def number_at(self) -> Mapping[Cell, int]:
        """Return the number on each numbered cell."""
        return {cell: pair.number for pair in self.pairs for cell in (pair.first, pair.second)}


class Path(NamedTuple):
    """A path is the drawn line of one pair: its cells from one endpoint to the other, each once."""

    number: int
    cells: tuple[Cell, ...]

    @property
    def edges(self) -> tuple[Edge, ...]:
        """Return the path's steps, in order."""
        return tuple(edge(a, b) for a, b in zip(self.cells, self.cells[1:], strict=False))


@dataclass(frozen=True)
class Solution:
    """A solution is a drawing that joins every pair: one path each, in the order of ``puzzle.pairs``.

    It is a filling when ``fills``; a witness under the strict rule may leave cells empty.
    Search code builds it, and ``rules`` checks it.
    """

    puzzle: Puzzle
    paths: tuple[Path, ...]

    @cached_property
    def edges(self) -> frozenset[Edge]:
        """Return every drawn edge."""
        return frozenset(step for path in self.paths for step in path.edges)

    @cached_property
    def number_of(self) -> Mapping[Cell, int]:
        """Return the path's number on each covered cell."""
        return {cell: path.number for path in self.paths for cell in path.cells}

    @property
    def fills(self) -> bool:
        """Tell whether every free cell is covered."""
        grid = self.puzzle.grid
        return sum([len(path.cells) for path in self.paths]) == grid.size - len(grid.solids)

    @cached_property
    def touches_itself(self) -> bool:
        """Tell whether a path runs alongside itself, so that path numbers alone do not say how it runs."""
        cols = self.puzzle.grid.cols
        beside = sum(
            self.number_of.get(other) == number
            for cell, number in self.number_of.items()
            for other in ((cell + 1,) if (cell + 1) % cols else ()) + (cell + cols,)
        )
        return beside > len(self.edges)

    @classmethod
    def from_edges(cls, puzzle: Puzzle, edges: Iterable[Edge]) -> Solution:
        """Trace the paths that drawn edges make, from each pair's first endpoint; closed loops are left out.

        Raises:
            PuzzleError: the edges do not join each pair by one simple path.
        """
        around: dict[Cell, list[Cell]] = {}
        for a, b in edges:
            around.setdefault(a, []).append(b)
            around.setdefault(b, []).append(a)
        return cls(puzzle, tuple(_trace(pair, around) for pair in puzzle.pairs))

    @classmethod
    def from_whole_drawing(cls, puzzle: Puzzle, edges: Collection[Edge]) -> Solution:
        """Trace the paths of a search's drawing: all its edges must lie on paths, and no two paths meet.

        Raises:
            PuzzleError: the edges do not join each pair by one simple path.
            AssertionError: the search is at fault.
        """
        solution = cls.from_edges(puzzle, edges)
        squares = sum(len(path.cells) for path in solution.paths)
        if squares - len(solution.paths) != len(edges) or squares != len(solution.number_of):
            raise AssertionError("the search returned a drawing whose paths meet or that is not all paths")
        return solution


def _trace(pair: Pair, around: Mapping[Cell, list[Cell]]) -> Path:
    cells, here, ways = [pair.first], pair.first, around.get(pair.first, [])
    if len(ways) == len(around.get(pair.second, ())) == 1:
        before, here = here, ways[0]
        while here != pair.second and len(ways := around[here]) == 2:
            cells.append(here)
            before, here = here, ways[1] if ways[0] == before else ways[0]
    if here != pair.second:
        raise PuzzleError(f"the drawing does not join the two squares numbered {pair.number}")
    return Path(pair.number, (*cells, here))
