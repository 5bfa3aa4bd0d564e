"""A drawing can be wrong in several ways, and each has a name.

A drawing is a collection of edges, two cells each, as a reader's pen or a program leaves them:
nothing about it is taken on trust. It is right when ``check_drawing`` finds no breach: then every
pair is joined by one simple path and every free square is covered.

A fault is named once, where it is: what merely follows from it is left out. A pair is not also
called unjoined when its line ends dead, branches or runs to another number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from linkpress.puzzle.puzzle import Cell, Edge, Grid, Puzzle, Solution, edge


class DrawingRule(StrEnum):
    """A rule is what a drawing can break; its value names the fault."""

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
    NOT_A_PAIR = "not a pair"  # of a path: its number is not on the board


@dataclass(frozen=True, slots=True)
class Breach:
    """A breach is one fault of a drawing.

    Args:
        cells: the cells where it is broken, in reading order; cells off the board are left out.
        text: one sentence that says where and what the fault is, such as ``r2c5: three lines meet``.
    """

    rule: DrawingRule
    cells: tuple[Cell, ...]
    text: str


def check_drawing(puzzle: Puzzle, edges: Iterable[Edge]) -> tuple[Breach, ...]:
    """Find everything that is wrong with a drawing.

    Args:
        edges: pairs of cells in any order and spelling; drawing a step twice is no fault. They
            may lead off the board, into solids or between squares that are no neighbours.
    Returns:
        The breaches, by rule and then in reading order; empty for a right filling.
    """
    drawing = _DrawnSteps(puzzle, edges)
    return (
        *drawing.bogus_steps(),
        *drawing.crowded_squares(),
        *drawing.broken_lines(),
        *drawing.unjoined_pairs(),
        *drawing.uncovered_squares(),
    )


def check_solution(solution: Solution) -> tuple[Breach, ...]:
    """Find everything that is wrong with a solution: with its drawing, and with its paths as paths.

    Returns:
        The breaches; empty for a right filling. A witness that leaves squares empty has
        ``UNCOVERED`` breaches only.
    """
    return (*_check_paths(solution), *check_drawing(solution.puzzle, solution.edges))


def _check_paths(solution: Solution) -> Iterator[Breach]:
    grid = solution.puzzle.grid
    drawn = {path.number: path for path in solution.paths}
    for pair in solution.puzzle.pairs:
        path = drawn.pop(pair.number, None)
        ends = (pair.first, pair.second)
        where = _names(grid, ends)
        if path is None:
            yield Breach(DrawingRule.UNJOINED_PAIR, ends, f"{where}: the number {pair.number} has no path")
        elif {path.cells[0], path.cells[-1]} != set(ends):
            text = f"{where}: the path numbered {pair.number} does not run from one to the other"
            yield Breach(DrawingRule.WRONG_PAIR, ends, text)
        elif len(set(path.cells)) != len(path.cells):
            twice = tuple(sorted(cell for cell, n in Counter(path.cells).items() if n > 1))
            text = f"{_names(grid, twice)}: the path numbered {pair.number} comes by twice"
            yield Breach(DrawingRule.CROSSING, twice, text)
    for number, path in sorted(drawn.items()):
        cells = tuple(sorted(path.cells))
        text = f"{_names(grid, cells)}: a path numbered {number}, which the board lacks"
        yield Breach(DrawingRule.NOT_A_PAIR, cells, text)


class _DrawnSteps:
    """The steps of a drawing are sorted into sound ones and strays.

    The searches below come in the order in which ``check_drawing`` calls them: each leaves in
    ``faulty`` and ``explained`` what the later ones need not name again.
    """

    def __init__(self, puzzle: Puzzle, edges: Iterable[Edge]) -> None:
        self.puzzle = puzzle
        self.grid = puzzle.grid
        self.steps = sorted({edge(a, b) for a, b in edges})
        self.around: dict[Cell, list[Cell]] = {}
        self.strays: list[tuple[DrawingRule, Edge]] = []
        self.touched: set[Cell] = set()  # cells of steps that are no edges of the board
        for a, b in self.steps:
            rule = self._fault_of(a, b)
            if rule is None:
                self.around.setdefault(a, []).append(b)
                self.around.setdefault(b, []).append(a)
            else:
                self.strays.append((rule, (a, b)))
                self.touched.update((a, b))
        self.faulty = set(self.touched)  # cells that have a fault
        self.explained = set(self.touched)  # cells on lines that have a fault

    def _fault_of(self, a: Cell, b: Cell) -> DrawingRule | None:
        if not (0 <= a < self.grid.size and 0 <= b < self.grid.size):
            return DrawingRule.OFF_BOARD
        (row_a, col_a), (row_b, col_b) = self.grid.position(a), self.grid.position(b)
        if abs(row_a - row_b) + abs(col_a - col_b) != 1:
            return DrawingRule.NOT_NEIGHBOURS
        if a in self.grid.solids or b in self.grid.solids:
            return DrawingRule.THROUGH_SOLID
        return None

    def bogus_steps(self) -> Iterator[Breach]:
        for rule, step in self.strays:
            on_board = tuple(cell for cell in step if 0 <= cell < self.grid.size)
            if rule is DrawingRule.OFF_BOARD:
                yield self._breach(rule, on_board, "a line leaves the board")
            elif rule is DrawingRule.NOT_NEIGHBOURS:
                yield self._breach(rule, on_board, "a line joins squares that are not neighbours")
        entered = {cell for rule, step in self.strays if rule is DrawingRule.THROUGH_SOLID for cell in step}
        for cell in sorted(entered & self.grid.solids):
            yield self._breach(DrawingRule.THROUGH_SOLID, (cell,), "a line enters a solid square")

    def crowded_squares(self) -> Iterator[Breach]:
        for cell, ahead in sorted(self.around.items()):
            number = self.puzzle.number_at.get(cell)
            if number is not None and len(ahead) > 1:
                yield self._fault(DrawingRule.THROUGH_NUMBER, (cell,), f"a line runs on through the {number}")
            elif len(ahead) == 3:
                yield self._fault(DrawingRule.BRANCH, (cell,), "three lines meet")
            elif len(ahead) == 4:
                yield self._fault(DrawingRule.CROSSING, (cell,), "two lines cross")

    def broken_lines(self) -> Iterator[Breach]:
        for line in self._lines():
            faults = list(self._faults_of_line(line))
            if faults or self.faulty.intersection(line):
                self.explained.update(line)
            yield from faults

    def _faults_of_line(self, line: tuple[Cell, ...]) -> Iterator[Breach]:
        ends = [cell for cell in line if len(self.around[cell]) == 1]
        numbers = [self.puzzle.number_at.get(cell) for cell in ends]
        for cell, number in zip(ends, numbers, strict=True):
            if number is None and cell not in self.touched:
                yield self._breach(DrawingRule.DEAD_END, (cell,), "a line ends on a square without a number")
        if self.faulty.intersection(line):
            return
        if not ends:
            yield self._breach(DrawingRule.CLOSED_LOOP, line, "a line closes on itself")
        elif None not in numbers and numbers[0] != numbers[1]:
            text = f"a line joins the {numbers[0]} to the {numbers[1]}"
            yield self._breach(DrawingRule.WRONG_PAIR, tuple(ends), text)

    def unjoined_pairs(self) -> Iterator[Breach]:
        for pair in self.puzzle.pairs:
            ends = (pair.first, pair.second)
            if not any(cell in self.around or cell in self.explained for cell in ends):
                text = f"the two squares numbered {pair.number} are not joined"
                yield self._breach(DrawingRule.UNJOINED_PAIR, ends, text)

    def uncovered_squares(self) -> Iterator[Breach]:
        for cell in self.grid.free_cells:
            if cell not in self.around and cell not in self.touched and cell not in self.puzzle.number_at:
                yield self._breach(DrawingRule.UNCOVERED, (cell,), "no line covers this square")

    def _lines(self) -> Iterator[tuple[Cell, ...]]:
        seen: set[Cell] = set()
        for start in sorted(self.around):
            if start in seen:
                continue
            line, reach = {start}, [start]
            while reach:
                fresh = [cell for cell in self.around[reach.pop()] if cell not in line]
                line.update(fresh)
                reach.extend(fresh)
            seen |= line
            yield tuple(sorted(line))

    def _fault(self, rule: DrawingRule, cells: tuple[Cell, ...], text: str) -> Breach:
        self.faulty.update(cells)
        return self._breach(rule, cells, text)

    def _breach(self, rule: DrawingRule, cells: tuple[Cell, ...], text: str) -> Breach:
        return Breach(rule, cells, f"{_names(self.grid, cells)}: {text}")


def _names(grid: Grid, cells: Iterable[Cell]) -> str:
    return ", ".join(grid.name(cell) for cell in cells)
