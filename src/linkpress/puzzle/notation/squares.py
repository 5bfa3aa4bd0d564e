"""All notations read a text by its lines, and read and write boards as rows of squares."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from linkpress.errors import PuzzleError
from linkpress.puzzle.puzzle import MAX_NUMBER, MAX_SIDE, MIN_SIDE, Cell, Grid, Pair, Puzzle, Solution

COMMENT = ";"

MAX_CHARACTERS = 64 * 1024 * 1024
MAX_LINE = 40_000  # the longest line that means anything is a pzprv3 file of a 50 × 50 board on one: 23,000

_Record = TypeVar("_Record")
SOLID = -1
EMPTY = 0
Squares = Sequence[Sequence[int]]
"""A board row by row, all rows of one length: ``SOLID``, ``EMPTY`` or a number."""


class Source:
    """A source gives the lines of a text, record by record.

    It leaves out byte order mark, line ends of any system, blanks at line ends and comments (``;`` to the
    end of the line); a comment alone on its line leaves no line behind.

    Attributes:
        line_number: of the line read last or about to be read, counted from 1.
    Raises:
        PuzzleError: the text is longer than any collection of puzzles needs.
    """

    def __init__(self, text: str) -> None:
        if len(text) > MAX_CHARACTERS:
            raise PuzzleError(
                f"a text of {len(text):,} characters: at most {MAX_CHARACTERS:,} are read at a time; "
                "split the file"
            )
        self.line_number = 0
        self._lines = io.StringIO(text.removeprefix("\ufeff"), newline=None)
        self._peeked: str | None = None

    def skip_blank(self) -> None:
        """Move on to the next line that is not blank."""
        while self.peek() == "":
            self._peeked = None

    def peek(self) -> str | None:
        """Return the line about to be read, None at the end of the text.

        Raises:
            PuzzleError: the line is longer than any that means something.
        """
        while self._peeked is None and (read := self._lines.readline()):
            self.line_number += 1
            if len(read) > MAX_LINE + 1:
                raise PuzzleError(
                    f"line {self.line_number} has {len(read) - 1:,} characters; at most {MAX_LINE:,} are read"
                )
            line, comment, _ = read.partition(COMMENT)
            if line.strip() or not comment:
                self._peeked = line.rstrip()
        return self._peeked

    def take(self) -> str | None:
        """Return the line that ``peek`` returns, and move on."""
        line = self.peek()
        self._peeked = None
        return line


def read_records(text: str, take: Callable[[Source], _Record]) -> list[_Record]:
    """Read every record of a text.

    Args:
        text: as it came from a file or the standard input.
        take: takes one record's lines and returns what they say.
    Raises:
        PuzzleError: what ``take`` raised, with the record and its line before it.
    """
    source = Source(text)
    records: list[_Record] = []
    source.skip_blank()
    while source.peek() is not None:
        start = source.line_number
        try:
            records.append(take(source))
        except PuzzleError as fault:
            raise PuzzleError(f"record {len(records) + 1} (from line {start}): {fault}") from fault
        source.skip_blank()
    return records


def quoted(found: str) -> str:
    """Quote what was found, short and printable, for a message."""
    return repr(found if len(found) <= 24 else found[:20] + "…")


def parse_side(word: str, name: str) -> int:
    """Read the number of ``rows`` or ``columns``; raise ``PuzzleError`` unless it is whole and 3 to 50."""
    if word.isascii() and word.isdigit() and len(word) < 8 and MIN_SIDE <= int(word) <= MAX_SIDE:
        return int(word)
    raise PuzzleError(
        f"found {quoted(word)} where the number of {name} stands; {MIN_SIDE} to {MAX_SIDE} are allowed"
    )


def parse_number(word: str) -> int | None:
    """Read a pair's number; return None where the word is no whole number from 1 to 9999."""
    if word.isascii() and word.isdigit() and len(word) < 6 and 0 < int(word) <= MAX_NUMBER:
        return int(word)
    return None


def puzzle_squares(puzzle: Puzzle) -> list[list[int]]:
    """Return a puzzle's squares: solids, empty squares and the pairs' numbers."""
    return _squares(puzzle.grid, puzzle.number_at)


def solution_squares(solution: Solution) -> list[list[int]]:
    """Return a solution's squares: solids, and the path's number on each square that it covers."""
    return _squares(solution.puzzle.grid, solution.number_of)


def squares_puzzle(squares: Squares) -> Puzzle:
    """Return the puzzle that has these squares; raise as ``Grid`` and ``Puzzle.from_numbers`` do."""
    grid, numbers = _board(squares)
    return Puzzle.from_numbers(grid, numbers)


def squares_grid(squares: Squares) -> Grid:
    """Return the board with these squares, without numbers; raise ``PuzzleError`` for a side out of range."""
    return _board(squares)[0]


def squares_solution(squares: Squares, puzzle: Puzzle) -> Solution:
    """Return the solution that has these squares.

    Raises:
        PuzzleError: the squares are not those of the puzzle, a number's squares do not form one
            path, or they lie so that the path could run in more than one way.
    """
    grid, numbers = _board(squares)
    if grid != puzzle.grid:
        raise PuzzleError("the solution's size or its solid squares are not those of the puzzle")
    covered: dict[int, list[Cell]] = {}
    for cell, number in numbers.items():
        covered.setdefault(number, []).append(cell)
    around = {cell: _alike(grid, numbers, cell) for cell in numbers}
    if missing := set(covered).symmetric_difference(pair.number for pair in puzzle.pairs):
        raise PuzzleError(f"the number {min(missing)} stands in only one of puzzle and solution")
    for pair in puzzle.pairs:
        _check_path(grid, pair, covered[pair.number], around)
    edges = [(cell, other) for cell in numbers for other in around[cell] if cell < other]
    solution = Solution.from_edges(puzzle, edges)
    for path in solution.paths:
        if len(path.cells) != len(covered[path.number]):
            raise PuzzleError(f"the squares numbered {path.number} do not hang together")
    return solution


def _squares(grid: Grid, numbers: Mapping[Cell, int]) -> list[list[int]]:
    flat = [SOLID if cell in grid.solids else numbers.get(cell, EMPTY) for cell in range(grid.size)]
    return [flat[start : start + grid.cols] for start in range(0, grid.size, grid.cols)]


def _board(squares: Squares) -> tuple[Grid, dict[Cell, int]]:
    flat = [square for row in squares for square in row]
    solids = frozenset(cell for cell, square in enumerate(flat) if square == SOLID)
    numbers = {cell: square for cell, square in enumerate(flat) if square > EMPTY}
    return Grid(len(squares), len(squares[0]) if squares else 0, solids), numbers


def _alike(grid: Grid, numbers: Mapping[Cell, int], cell: Cell) -> list[Cell]:
    beside = [cell - grid.cols, cell + grid.cols]
    if cell % grid.cols:
        beside.append(cell - 1)
    if (cell + 1) % grid.cols:
        beside.append(cell + 1)
    return [other for other in beside if numbers.get(other) == numbers[cell]]


def _check_path(grid: Grid, pair: Pair, cells: list[Cell], around: Mapping[Cell, list[Cell]]) -> None:
    ends = (pair.first, pair.second)
    for end in ends:
        if end not in cells:
            raise PuzzleError(
                f"{grid.name(end)} carries the {pair.number} in the puzzle, not in the solution"
            )
    for cell in cells:
        if len(around[cell]) < (1 if cell in ends else 2):
            raise PuzzleError(f"{grid.name(cell)}: the path numbered {pair.number} breaks off here")
    for cell in cells:
        if len(around[cell]) > (1 if cell in ends else 2):
            raise PuzzleError(
                f"{grid.name(cell)}: the path numbered {pair.number} runs alongside itself, so that numbers "
                "alone do not say how it runs"
            )
