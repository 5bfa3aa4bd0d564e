"""Boards drawn with box-drawing characters, for terminals and mail.

A puzzle is drawn as a ruled grid. A square has a number, or is ``███`` if it is solid, or is empty. A
solution is drawn as a frame with lines from number to number. So even the course of a path that runs
alongside itself is clear. A dot marks a square that no path covers::

    ┌───┬───┬───┬───┐        ┌───────────────┐
    │ 1 │   │   │   │        │ 1───────────┐ │
    ├───┼───┼───┼───┤        │             │ │
    │   │ 2 │   │ 2 │        │ ┌───2   2   │ │
    ├───┼───┼───┼───┤        │ │       │   │ │
    │   │   │   │███│   …    │ └───────┘   1 │

A square is three characters wide, or five if a number has four digits. One column or one line of the text
separates two squares. A drawing may be indented.

``read_drawing`` also reads drawings that were changed by hand. It looks only at numbers, solids and the lines
between squares. A line between squares in the same row is ``─`` or ``-``. A line between squares in the same
column is ``│`` or ``|``, below the middle of the upper square. Line characters inside a square are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import zip_longest

from linkpress.errors import PuzzleError
from linkpress.puzzle.link_text import EMPTY, SOLID, LineReader, puzzle_squares, quoted, squares_puzzle
from linkpress.puzzle.puzzle import MAX_SIDE, Cell, Edge, Grid, Puzzle, Solution
from linkpress.puzzle.rules import MistakeKind, check_drawing

BEGINS = re.compile("┌")
_BLOCK, _DOT, _ACROSS, _DOWN = "█", "·", "─", "│"

# Characters that show, in the middle of a square, how a line goes through the square. The four values of a
# key say whether the line leaves the square up, left, right and down, in this order.
_LINE_CHARACTERS = {
    (False, False, False, False): _DOT,
    (True, False, False, True): "│",
    (False, True, True, False): "─",
    (True, True, False, False): "┘",
    (True, False, True, False): "└",
    (False, True, False, True): "┐",
    (False, False, True, True): "┌",
    # In a square with one of the following characters, an unfinished path ends.
    (True, False, False, False): "╵",
    (False, True, False, False): "╴",
    (False, False, True, False): "╶",
    (False, False, False, True): "╷",
}
# Kinds of mistakes with which a drawing can't be read. Further lines can't put any of them right, so they are
# errors even in an unfinished drawing. Some of them can't even be drawn with the allowed characters.
_NEVER_DRAWN = {
    MistakeKind.OFF_BOARD, MistakeKind.NOT_NEIGHBOURS, MistakeKind.THROUGH_SOLID, MistakeKind.THROUGH_NUMBER,
    MistakeKind.BRANCH, MistakeKind.CROSSING,
}  # fmt: skip
_SQUARE_CHARACTERS = frozenset("0123456789 " + _BLOCK + "".join(_LINE_CHARACTERS.values()))
_BY_HAND_CHARACTERS = _SQUARE_CHARACTERS | frozenset(".-|+├┤┬┴┼")
_LINES_ACROSS, _LINES_DOWN = _ACROSS + "-", _DOWN + "|"


def draw_puzzle(puzzle: Puzzle) -> str:
    """Draw a puzzle as a ruled grid. The result has ``2 * rows + 1`` lines of text."""
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
    return draw_lines(solution.puzzle, solution.edges)


def draw_lines(puzzle: Puzzle, edges: Collection[Edge]) -> str:
    """Draw a puzzle in a frame, with the given edges as lines.

    The result has ``2 * rows + 1`` lines of text.
    """
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


def read_puzzle(lines: LineReader) -> Puzzle:
    """Read a puzzle from its drawing in box-drawing characters.

    Raises:
        PuzzleError: the drawing is malformed, or it is a solution.
    """
    drawing = _DrawingReader(lines)
    if not drawing.ruled:
        raise PuzzleError("found the drawing of a solution instead of a puzzle: a puzzle has a ruled grid")
    puzzle = drawing.puzzle()
    drawing.compare(draw_puzzle(puzzle))
    return puzzle


def read_drawing(lines: LineReader) -> tuple[Puzzle, frozenset[Edge]]:
    """Read one drawing of a puzzle. None, some or all of its lines may be drawn.

    Returns:
        The puzzle, and the edges that are drawn on it.
    Raises:
        PuzzleError: a number or a line is in the wrong place, or there is a branch, a crossing or a line into
            a solid square.
    """
    drawing = _DrawingReader(lines, _BY_HAND_CHARACTERS)
    drawing.check_places()
    puzzle = drawing.puzzle()
    edges = frozenset(drawing.edges(puzzle.grid))
    for mistake in check_drawing(puzzle, edges):
        if mistake.kind in _NEVER_DRAWN:
            raise PuzzleError(mistake.text)
    return puzzle, edges


class _DrawingReader:
    """Reader of one board drawn with box-drawing characters.

    A caller checks the drawing in one of two ways. For a strict check, it draws the puzzle that was read, and
    passes the new drawing to ``compare``. For a drawing that was changed by hand, it calls ``check_places``,
    which checks only the characters between squares.
    """

    def __init__(self, lines: LineReader, characters: Collection[str] = _SQUARE_CHARACTERS) -> None:
        self.characters = characters
        self.lines = _read_lines(lines)
        self.ruled = "┬" in self.lines[0]
        # Number of characters across a square: 5 if the drawing has a number of four digits, 3 otherwise.
        # Four digits in a row always are a single number, because a line or a blank separates two numbers.
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
            if self._has(2 * row + 1, (col + 1) * step, _LINES_ACROSS)
        ]
        down = [
            (grid.cell(row, col), grid.cell(row + 1, col))
            for row in range(self.rows - 1)
            for col in range(self.cols)
            if self._has(2 * row + 2, col * step + 1 + self.width // 2, _LINES_DOWN)
        ]
        return across + down

    def compare(self, expected: str) -> None:
        """Raise ``PuzzleError`` if the drawing differs from the expected drawing.

        Name the first difference.
        """
        pairs = zip_longest(self.lines, expected.splitlines(), fillvalue="")
        for row, (line, expected_line) in enumerate(pairs, 1):
            for col, (found, needed) in enumerate(zip_longest(line, expected_line, fillvalue=" "), 1):
                if found != needed:
                    raise PuzzleError(f"{_place(row, col)}: found {quoted(found)} instead of '{needed}'")

    def check_places(self) -> None:
        """Raise ``PuzzleError`` if the drawing has a wrong size, or a wrong character between two squares."""
        if len(self.lines) % 2 == 0 or (len(self.lines[0]) - 1) % (self.width + 1):
            raise PuzzleError(
                f"a drawing of {len(self.lines)} lines and {len(self.lines[0])} columns: each square needs "
                f"{self.width} columns and one line, and there is one column and one line between two"
            )
        for line, text in enumerate(self.lines[1:-1], 1):
            for column, found in enumerate(text):
                allowed = self._allowed(line, column)
                if allowed is not None and found not in allowed:
                    needed = " or ".join("a blank" if char == " " else repr(char) for char in allowed)
                    raise PuzzleError(
                        f"{_place(line + 1, column + 1)}: found {quoted(found)} instead of {needed}"
                    )

    def _allowed(self, line: int, column: int) -> str | None:
        """Return the characters that may stand at a place between two squares of a board drawn as text.

        Return None for a place inside a square.
        """
        end, offset = self.cols * (self.width + 1), column % (self.width + 1)
        if column == 0:
            return _DOWN + "|" + "├" * self.ruled
        if column >= end:
            return _DOWN + "| " + "┤" * self.ruled if column == end else " "
        if line % 2:
            return None if offset else _LINES_ACROSS + " " + (_DOWN + "|") * self.ruled
        if offset == 1 + self.width // 2:
            return _LINES_DOWN + " " + _ACROSS * self.ruled
        return " " + "─┼" * self.ruled

    def _has(self, line: int, column: int, characters: str) -> bool:
        found = self.lines[line][column : column + 1]
        return found != "" and found in characters

    def _square(self, row: int, col: int) -> int:
        line, start = 2 * row + 1, col * (self.width + 1) + 1
        content = self.lines[line][start : start + self.width]
        for column, found in enumerate(content, start + 1):
            if found not in self.characters:
                raise PuzzleError(
                    f"{_place(line + 1, column)}: found {quoted(found)}; a square holds a number, "
                    f"'{_BLOCK * 3}' or, in a solution, lines"
                )
        numbers = re.findall(r"[0-9]+", content)
        if len(numbers) > 1 or (numbers and _BLOCK in content):
            raise PuzzleError(
                f"line {line + 1} of the drawing: {quoted(content)} is more than a square holds"
            )
        if _BLOCK in content:
            return SOLID
        return int(numbers[0]) if numbers else EMPTY


def _place(line: int, column: int) -> str:
    return f"line {line}, column {column} of the drawing"


def _read_lines(reader: LineReader) -> list[str]:
    first = reader.read() or ""
    indent = len(first) - len(first.lstrip())
    lines = [first[indent:]]
    while not lines[-1].startswith("└"):
        line = reader.peek()
        if not line or len(lines) > 2 * MAX_SIDE:
            raise PuzzleError(f"the drawing has no end after {len(lines)} lines: '└' must begin its last")
        if line[:indent].strip():
            raise PuzzleError(f"line {len(lines) + 1} of the drawing begins further left than its first")
        lines.append(line[indent:])
        reader.read()
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
    return before * (width // 2) + _LINE_CHARACTERS[up, left, right, down] + after * (width // 2 + 1)
