"""This notation draws boards in box-drawing characters, for terminals and mail.

A puzzle is a ruled grid; each square holds its number, ``███`` for a solid, or nothing. A solution
is a frame of the same size in which the paths run as lines from number to number, so that a path
beside itself can still be told apart; a dot marks a square that no path covers::

    ┌───┬───┬───┬───┐        ┌───────────────┐
    │ 1 │   │   │   │        │ 1───────────┐ │
    ├───┼───┼───┼───┤        │             │ │
    │   │ 2 │   │ 2 │        │ ┌───2   2   │ │
    ├───┼───┼───┼───┤        │ │       │   │ │
    │   │   │   │███│   …    │ └───────┘   1 │

Each square is three characters wide, or five where a number has four digits, and neighbours are
one character and one line apart. A drawing may be indented.

Boards drawn in part by hand are read with more patience. What counts are the numbers, the solids
and the places where a line crosses from one square to the next: the one character between two
neighbours in a row, ``─`` or ``-`` there, and the one below a square's middle, ``│`` or ``|``. What
else stands in a square (bends, loose ends, dots, blanks) is not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import zip_longest

from linkpress.errors import PuzzleError
from linkpress.puzzle.notation.squares import EMPTY, SOLID, Source, puzzle_squares, quoted, squares_puzzle
from linkpress.puzzle.puzzle import MAX_SIDE, Cell, Edge, Grid, Puzzle, Solution
from linkpress.puzzle.rules import MistakeKind, check_drawing

BEGINS = re.compile("┌")
_BLOCK, _DOT, _ACROSS, _DOWN = "█", "·", "─", "│"

# What stands in the middle of a square, by its lines: up, left, right, down.
_BENDS = {
    (False, False, False, False): _DOT,
    (True, False, False, True): "│",
    (False, True, True, False): "─",
    (True, True, False, False): "┘",
    (True, False, True, False): "└",
    (False, True, False, True): "┐",
    (False, False, True, True): "┌",
    # A line that is not drawn to its end yet.
    (True, False, False, False): "╵",
    (False, True, False, False): "╴",
    (False, False, True, False): "╶",
    (False, False, False, True): "╷",
}
# What no stage of a drawing has, and no drawing of characters can show.
_NEVER_DRAWN = {
    MistakeKind.OFF_BOARD, MistakeKind.NOT_NEIGHBOURS, MistakeKind.THROUGH_SOLID, MistakeKind.THROUGH_NUMBER,
    MistakeKind.BRANCH, MistakeKind.CROSSING,
}  # fmt: skip
_MARKS = frozenset("0123456789 " + _BLOCK + "".join(_BENDS.values()))
_BY_HAND = _MARKS | frozenset(".-|+├┤┬┴┼")
_STEPS_ACROSS, _STEPS_DOWN = _ACROSS + "-", _DOWN + "|"


def draw_puzzle(puzzle: Puzzle) -> str:
    """Draw a puzzle as a ruled grid of 2 × rows + 1 lines."""
    grid, width = puzzle.grid, _width(puzzle)
    ruler = [_ACROSS * width] * grid.cols
    lines = ["┌" + "┬".join(ruler) + "┐"]
    for row, squares in enumerate(puzzle_squares(puzzle)):
        if row:
            lines.append("├" + "┼".join(ruler) + "┤")
        lines.append(_DOWN + _DOWN.join(_square(square, width) for square in squares) + _DOWN)
    lines.append("└" + "┴".join(ruler) + "┘")
    return "\n".join([*lines, ""])


def draw_solution(solution: Solution) -> str:
    """Draw a solution, whole or with squares uncovered, as lines within a frame of 2 × rows + 1 lines."""
    return draw_lines(solution.puzzle, solution.edges)


def draw_lines(puzzle: Puzzle, edges: Collection[Edge]) -> str:
    """Draw any stage of a solution as lines within a frame of 2 × rows + 1 lines."""
    grid, width = puzzle.grid, _width(puzzle)
    frame = _ACROSS * (grid.cols * (width + 1) - 1)
    lines = [f"┌{frame}┐"]
    for row in range(grid.rows):
        cells = range(grid.cell(row, 0), grid.cell(row + 1, 0))
        if row:
            gaps = ((_DOWN if (cell - grid.cols, cell) in edges else " ").center(width) for cell in cells)
            lines.append(_DOWN + " ".join(gaps) + _DOWN)
        drawn = (_path_square(puzzle, edges, cell, width) for cell in cells)
        lines.append(_DOWN + "".join(drawn)[:-1] + _DOWN)
    lines.append(f"└{frame}┘")
    return "\n".join([*lines, ""])


def take_puzzle(source: Source) -> Puzzle:
    """Read one drawing as a puzzle; raise ``PuzzleError`` for a malformed one or a solution."""
    drawing = _CharacterGrid(source)
    if not drawing.ruled:
        raise PuzzleError("a solution is drawn where a puzzle belongs: a puzzle's squares are ruled off")
    puzzle = drawing.puzzle()
    drawing.compare(draw_puzzle(puzzle))
    return puzzle


def take_drawing(source: Source) -> tuple[Puzzle, frozenset[Edge]]:
    """Read one drawing, ruled or not, at whatever stage people have drawn it.

    Raises:
        PuzzleError: a number or line stands where none can, or there is a branch, a crossing or a step
            into a solid.
    """
    drawing = _CharacterGrid(source, _BY_HAND)
    drawing.check_places()
    puzzle = drawing.puzzle()
    edges = frozenset(drawing.edges(puzzle.grid))
    wrong = [mistake for mistake in check_drawing(puzzle, edges) if mistake.kind in _NEVER_DRAWN]
    if wrong:
        raise PuzzleError(wrong[0].text)
    return puzzle, edges


class _CharacterGrid:
    """A grid holds the characters of one drawing; readers draw them again and compare, or check places."""

    def __init__(self, source: Source, marks: Collection[str] = _MARKS) -> None:
        self.marks = marks
        self.lines = _take_lines(source)
        self.ruled = "┬" in self.lines[0]
        # Numbers never meet without a character between them, so four digits in a row are one number.
        self.width = 5 if any(re.search(r"[0-9]{4}", line) for line in self.lines) else 3
        self.rows = len(self.lines) // 2
        self.cols = (len(self.lines[0]) - 1) // (self.width + 1)

    def puzzle(self) -> Puzzle:
        return squares_puzzle(
            [[self._square(row, col) for col in range(self.cols)] for row in range(self.rows)]
        )

    def edges(self, grid: Grid) -> list[Edge]:
        step = self.width + 1
        across = [
            (grid.cell(row, col), grid.cell(row, col + 1))
            for row in range(self.rows)
            for col in range(self.cols - 1)
            if self._has(2 * row + 1, (col + 1) * step, _STEPS_ACROSS)
        ]
        down = [
            (grid.cell(row, col), grid.cell(row + 1, col))
            for row in range(self.rows - 1)
            for col in range(self.cols)
            if self._has(2 * row + 2, col * step + 1 + self.width // 2, _STEPS_DOWN)
        ]
        return across + down

    def compare(self, right: str) -> None:
        for row, (found, wanted) in enumerate(zip_longest(self.lines, right.splitlines(), fillvalue=""), 1):
            for col, (mark, due) in enumerate(zip_longest(found, wanted, fillvalue=" "), 1):
                if mark != due:
                    raise PuzzleError(
                        f"line {row}, column {col} of the drawing: found {quoted(mark)} where '{due}' belongs"
                    )

    def check_places(self) -> None:
        if len(self.lines) % 2 == 0 or (len(self.lines[0]) - 1) % (self.width + 1):
            raise PuzzleError(
                f"a drawing of {len(self.lines)} lines and {len(self.lines[0])} columns: each square needs "
                f"{self.width} columns and one line, and there is one column and one line between two"
            )
        for line, marks in enumerate(self.lines[1:-1], 1):
            for column, mark in enumerate(marks):
                due = self._due(line, column)
                if due is not None and mark not in due:
                    raise PuzzleError(
                        f"line {line + 1}, column {column + 1} of the drawing: found {quoted(mark)} where "
                        f"{' or '.join(map(repr, due)).replace(repr(' '), 'a blank')} belongs"
                    )

    def _due(self, line: int, column: int) -> str | None:
        """Return the characters that may stand at a place of a drawing by hand; None in a square."""
        end, place = self.cols * (self.width + 1), column % (self.width + 1)
        if column == 0:
            return _DOWN + "|" + "├" * self.ruled
        if column >= end:
            return _DOWN + "| " + "┤" * self.ruled if column == end else " "
        if line % 2:
            return None if place else _STEPS_ACROSS + " " + (_DOWN + "|") * self.ruled
        if place == 1 + self.width // 2:
            return _STEPS_DOWN + " " + _ACROSS * self.ruled
        return " " + "─┼" * self.ruled

    def _has(self, line: int, column: int, steps: str) -> bool:
        mark = self.lines[line][column : column + 1]
        return mark != "" and mark in steps

    def _square(self, row: int, col: int) -> int:
        line, start = 2 * row + 1, col * (self.width + 1) + 1
        found = self.lines[line][start : start + self.width]
        for column, mark in enumerate(found, start + 1):
            if mark not in self.marks:
                raise PuzzleError(
                    f"line {line + 1}, column {column} of the drawing: found {quoted(mark)}; a square holds "
                    f"a number, '{_BLOCK * 3}' or, in a solution, lines"
                )
        numbers = re.findall(r"[0-9]+", found)
        if len(numbers) > 1 or (numbers and _BLOCK in found):
            raise PuzzleError(f"line {line + 1} of the drawing: {quoted(found)} is more than a square holds")
        if _BLOCK in found:
            return SOLID
        return int(numbers[0]) if numbers else EMPTY


def _take_lines(source: Source) -> list[str]:
    first = source.take() or ""
    indent = len(first) - len(first.lstrip())
    lines = [first[indent:]]
    while not lines[-1].startswith("└"):
        line = source.peek()
        if not line or len(lines) > 2 * MAX_SIDE:
            raise PuzzleError(f"the drawing has no end after {len(lines)} lines: '└' must begin its last")
        if line[:indent].strip():
            raise PuzzleError(f"line {len(lines) + 1} of the drawing begins further left than its first")
        lines.append(line[indent:])
        source.take()
    return lines


def _width(puzzle: Puzzle) -> int:
    return 5 if puzzle.pairs[-1].number > 999 else 3


def _square(square: int, width: int, left: str = " ", right: str = " ") -> str:
    if square == SOLID:
        return _BLOCK * width
    digits = str(square) if square != EMPTY else " "
    spare = width - len(digits)
    return left * ((spare + 1) // 2) + digits + right * (spare // 2)


def _path_square(puzzle: Puzzle, edges: Collection[Edge], cell: Cell, width: int) -> str:
    cols = puzzle.grid.cols
    up, left, right, down = (
        (min(cell, other), max(cell, other)) in edges
        for other in (cell - cols, cell - 1, cell + 1, cell + cols)
    )
    before, after = (_ACROSS if drawn else " " for drawn in (left, right))
    if cell in puzzle.grid.solids:
        return _square(SOLID, width) + after
    if cell in puzzle.number_at:
        return _square(puzzle.number_at[cell], width, before, after) + after
    return before * (width // 2) + _BENDS[up, left, right, down] + after * (width // 2 + 1)
