"""Check drawings and solutions of a puzzle, and name each mistake.

A drawing is any collection of edges. Edges may even leave the board or join squares that are far apart.
``check_drawing`` returns no mistake if and only if every pair is joined by one path without branches, and
every free square is covered.

Consequences of a mistake are not reported as further mistakes. For example, if a line ends too early, its
pair is not also reported as unjoined.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from linkpress.puzzle.puzzle import Cell, Edge, Grid, Puzzle, Solution, edge


class MistakeKind(StrEnum):
    """Kind of mistake in a drawing."""

    OFF_BOARD = "off the board"
    NOT_NEIGHBOURS = "not neighbours"
    THROUGH_SOLID = "through a solid"
    THROUGH_NUMBER = "through a number"
    BRANCH = "branch"
    CROSSING = "crossing"
    CLOSED_LOOP = "closed loop"
    DEAD_END = "dead end"
    WRONG_PAIR = "wrong pair joined"
    UNJOINED_PAIR = "unjoined pair"
    UNCOVERED = "uncovered square"
    NOT_A_PAIR = "not a pair"  # A path has a number that no pair of the board has.


@dataclass(frozen=True, slots=True)
class Mistake:
    """Mistake in the drawing of a solution.

    Args:
        kind: the kind of mistake.
        cells: the cells on the board where the mistake is, in reading order.
        text: the place and the mistake in words, such as ``E2: three lines meet``.
    """

    kind: MistakeKind
    cells: tuple[Cell, ...]
    text: str


def check_drawing(puzzle: Puzzle, edges: Iterable[Edge]) -> tuple[Mistake, ...]:
    """Find all mistakes in a drawing.

    Args:
        puzzle: the puzzle that is drawn on.
        edges: the edges drawn, each as two cells in any order. An edge may be repeated.
    Returns:
        The mistakes by kind, then in reading order; empty if the drawing solves the puzzle.
    """
    check = _DrawingCheck(puzzle, edges)
    return (
        *check.stray_edges(),
        *check.crowded_cells(),
        *check.broken_lines(),
        *check.unjoined_pairs(),
        *check.uncovered_cells(),
    )


def check_solution(solution: Solution) -> tuple[Mistake, ...]:
    """Find all mistakes in the drawing of a solution, and in the numbers of its paths.

    Returns:
        The mistakes; empty if the solution is right. If the only mistake is that squares are left empty, all
        mistakes have the kind ``UNCOVERED``.
    """
    return (*_check_paths(solution), *check_drawing(solution.puzzle, solution.edges))


def _check_paths(solution: Solution) -> Iterator[Mistake]:
    grid = solution.puzzle.grid
    path_of = {path.number: path for path in solution.paths}
    for pair in solution.puzzle.pairs:
        path = path_of.pop(pair.number, None)
        ends = (pair.first, pair.second)
        if path is None:
            yield _mistake(grid, MistakeKind.UNJOINED_PAIR, ends, f"the number {pair.number} has no path")
        elif {path.cells[0], path.cells[-1]} != set(ends):
            text = f"the path numbered {pair.number} does not run from one to the other"
            yield _mistake(grid, MistakeKind.WRONG_PAIR, ends, text)
        elif len(set(path.cells)) != len(path.cells):
            twice = tuple(sorted(cell for cell, count in Counter(path.cells).items() if count > 1))
            text = f"the path numbered {pair.number} comes by twice"
            yield _mistake(grid, MistakeKind.CROSSING, twice, text)
    for number, path in sorted(path_of.items()):
        text = f"a path numbered {number}, which the board lacks"
        yield _mistake(grid, MistakeKind.NOT_A_PAIR, tuple(sorted(path.cells)), text)


class _DrawingCheck:
    """Checks of one drawing. ``check_drawing`` calls the checks in the order in which they are defined.

    Two sets record where mistakes were found. ``wrong`` has the cells at which there is a mistake.
    ``on_wrong_lines`` has all cells of the lines that have a mistake somewhere. Later checks leave out these
    cells, so that they don't report consequences of a mistake that is already reported.
    """

    def __init__(self, puzzle: Puzzle, edges: Iterable[Edge]) -> None:
        self.puzzle = puzzle
        self.grid = puzzle.grid
        self.drawn: dict[Cell, list[Cell]] = {}  # maps each cell to the neighbours to which lines join it
        self.strays: list[tuple[MistakeKind, Edge]] = []  # drawn edges that can't exist on the board
        self.stray_cells: set[Cell] = set()
        for a, b in sorted({edge(a, b) for a, b in edges}):
            kind = self._stray_kind(a, b)
            if kind is None:
                self.drawn.setdefault(a, []).append(b)
                self.drawn.setdefault(b, []).append(a)
            else:
                self.strays.append((kind, (a, b)))
                self.stray_cells.update((a, b))
        self.wrong = set(self.stray_cells)  # cells at which a mistake was found
        self.on_wrong_lines = set(self.stray_cells)  # cells on lines in which a mistake was found

    def _stray_kind(self, a: Cell, b: Cell) -> MistakeKind | None:
        if not (0 <= a < self.grid.size and 0 <= b < self.grid.size):
            return MistakeKind.OFF_BOARD
        (row_a, col_a), (row_b, col_b) = self.grid.position(a), self.grid.position(b)
        if abs(row_a - row_b) + abs(col_a - col_b) != 1:
            return MistakeKind.NOT_NEIGHBOURS
        if a in self.grid.solids or b in self.grid.solids:
            return MistakeKind.THROUGH_SOLID
        return None

    def stray_edges(self) -> Iterator[Mistake]:
        entered: set[Cell] = set()
        for kind, step in self.strays:
            on_board = tuple(cell for cell in step if 0 <= cell < self.grid.size)
            if kind is MistakeKind.OFF_BOARD:
                yield self._found(kind, on_board, "a line leaves the board")
            elif kind is MistakeKind.NOT_NEIGHBOURS:
                yield self._found(kind, on_board, "a line joins squares that are not neighbours")
            else:
                entered.update(self.grid.solids.intersection(step))
        for cell in sorted(entered):
            yield self._found(MistakeKind.THROUGH_SOLID, (cell,), "a line enters a solid square")

    def crowded_cells(self) -> Iterator[Mistake]:
        for cell, neighbours in sorted(self.drawn.items()):
            number = self.puzzle.number_at.get(cell)
            if number is not None and len(neighbours) > 1:
                kind, text = MistakeKind.THROUGH_NUMBER, f"a line runs on through the {number}"
            elif len(neighbours) == 3:
                kind, text = MistakeKind.BRANCH, "three lines meet"
            elif len(neighbours) == 4:
                kind, text = MistakeKind.CROSSING, "two lines cross"
            else:
                continue
            self.wrong.add(cell)
            yield self._found(kind, (cell,), text)

    def broken_lines(self) -> Iterator[Mistake]:
        for line in self._lines():
            mistakes = list(self._mistakes_of_line(line))
            if mistakes or self.wrong.intersection(line):
                self.on_wrong_lines.update(line)
            yield from mistakes

    def _mistakes_of_line(self, line: tuple[Cell, ...]) -> Iterator[Mistake]:
        ends = [cell for cell in line if len(self.drawn[cell]) == 1]
        numbers = [self.puzzle.number_at.get(cell) for cell in ends]
        for cell, number in zip(ends, numbers, strict=True):
            if number is None and cell not in self.stray_cells:
                yield self._found(MistakeKind.DEAD_END, (cell,), "a line ends on a square without a number")
        if self.wrong.intersection(line):
            return
        if not ends:
            yield self._found(MistakeKind.CLOSED_LOOP, line, "a line closes on itself")
        elif None not in numbers and numbers[0] != numbers[1]:
            text = f"a line joins the {numbers[0]} to the {numbers[1]}"
            yield self._found(MistakeKind.WRONG_PAIR, tuple(ends), text)

    def _lines(self) -> Iterator[tuple[Cell, ...]]:
        seen: set[Cell] = set()
        for start in sorted(self.drawn):
            if start in seen:
                continue
            line, frontier = {start}, [start]
            while frontier:
                fresh = [cell for cell in self.drawn[frontier.pop()] if cell not in line]
                line.update(fresh)
                frontier.extend(fresh)
            seen |= line
            yield tuple(sorted(line))

    def unjoined_pairs(self) -> Iterator[Mistake]:
        for pair in self.puzzle.pairs:
            ends = (pair.first, pair.second)
            if not any(cell in self.drawn or cell in self.on_wrong_lines for cell in ends):
                text = f"the two squares numbered {pair.number} are not joined"
                yield self._found(MistakeKind.UNJOINED_PAIR, ends, text)

    def uncovered_cells(self) -> Iterator[Mistake]:
        for cell in self.grid.free_cells:
            if not (cell in self.drawn or cell in self.stray_cells or cell in self.puzzle.number_at):
                yield self._found(MistakeKind.UNCOVERED, (cell,), "no line covers this square")

    def _found(self, kind: MistakeKind, cells: tuple[Cell, ...], text: str) -> Mistake:
        return _mistake(self.grid, kind, cells, text)


def _mistake(grid: Grid, kind: MistakeKind, cells: tuple[Cell, ...], text: str) -> Mistake:
    names = ", ".join(grid.name(cell) for cell in cells)
    return Mistake(kind, cells, f"{names}: {text}")
