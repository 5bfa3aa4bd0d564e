"""This notation is the two tables that the article's C program prints.

A row is a line, with each square between bars of its own: ``| 4 |``, from 10 on ``| 12|``, ``| X |`` for
a solid, ``|   |`` for an empty square. The puzzle stands under "Table to be solved:", every
square's path number under "The solution to the above table:". In a table that is read, neighbouring
squares may share a bar, and the heading may be missing.
"""

from __future__ import annotations

import re

from linkpress.errors import PuzzleError
from linkpress.puzzle.notation.squares import (
    EMPTY,
    SOLID,
    Source,
    Squares,
    parse_number,
    puzzle_squares,
    quoted,
    solution_squares,
    squares_puzzle,
)
from linkpress.puzzle.puzzle import MAX_NUMBER, MAX_SIDE, Puzzle, Solution

PUZZLE_HEADING = "Table to be solved:"
SOLUTION_HEADING = "The solution to the above table:"
BAR = "|"
BEGINS = re.compile(rf"\{BAR}|({PUZZLE_HEADING}|{SOLUTION_HEADING})$")


def puzzle_table(puzzle: Puzzle) -> str:
    """Write a puzzle under its heading, as the program prints it first."""
    return _table(PUZZLE_HEADING, puzzle_squares(puzzle))


def solution_table(solution: Solution) -> str:
    """Write a solution under its heading, as the program prints it second."""
    return _table(SOLUTION_HEADING, solution_squares(solution))


def both_tables(solution: Solution) -> str:
    """Write all that the program prints: puzzle, two blank lines, solution."""
    return f"{puzzle_table(solution.puzzle)}\n\n{solution_table(solution)}"


def take_puzzle(source: Source) -> Puzzle:
    """Read a puzzle table, and a solution's below it; raise ``PuzzleError`` if it is malformed."""
    if source.peek() == SOLUTION_HEADING:
        raise PuzzleError(f"{SOLUTION_HEADING!r} stands where a puzzle belongs")
    puzzle = squares_puzzle(_take_squares(source, PUZZLE_HEADING))
    source.skip_blank()
    if source.peek() == SOLUTION_HEADING:
        _take_squares(source, SOLUTION_HEADING)
    return puzzle


def _take_squares(source: Source, heading: str) -> Squares:
    if source.peek() == heading:
        source.take()
    rows: list[list[int]] = []
    while (line := source.peek() or "").lstrip().startswith(BAR):
        if len(rows) == MAX_SIDE:
            raise PuzzleError(f"the table has more than {MAX_SIDE} rows")
        words = [word for word in line.strip().split(BAR) if word]
        rows.append([_value(word.strip(), len(rows) + 1, col) for col, word in enumerate(words, start=1)])
        if len(rows[-1]) != len(rows[0]):
            raise PuzzleError(f"row {len(rows)}: {len(rows[-1])} squares; the first row has {len(rows[0])}")
        source.take()
    return rows


def _value(word: str, row: int, col: int) -> int:
    if word in ("", "X"):
        return SOLID if word else EMPTY
    if number := parse_number(word):
        return number
    raise PuzzleError(
        f"row {row}, column {col}: found {quoted(word)}; allowed are blanks, 'X' and a number from 1 to "
        f"{MAX_NUMBER}"
    )


def _table(heading: str, squares: Squares) -> str:
    rows = ["".join(f"|{_word(square)}|" for square in row) for row in squares]
    return "\n".join([heading, *rows, ""])


def _word(square: int) -> str:
    if square in (EMPTY, SOLID):
        return " X " if square == SOLID else "   "
    return f" {square} " if square < 10 else f" {square}"
