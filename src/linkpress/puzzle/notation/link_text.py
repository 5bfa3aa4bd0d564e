"""Link text is ``W H``, then H rows of W squares.

A square is ``.`` for empty, ``#`` for solid or a number; squares are separated by blanks, or, in
the compact form, written one character each: digits 1–9, then ``A``–``Z`` for 10–35, then
``a``–``z`` for 36–61. A row of one word is compact, a row of several is not. A text holds any
number of records; blank lines and comments, from ``;`` to the end of the line, mean nothing.

The size may be left out. Such a record stands between blank lines.

A solution has the same form, each square carrying its path's number.
"""

from __future__ import annotations

from collections.abc import Sequence

from linkpress.errors import PuzzleError
from linkpress.puzzle.notation.squares import (
    COMMENT,
    EMPTY,
    SOLID,
    Source,
    Squares,
    parse_side,
    puzzle_squares,
    quoted,
    solution_squares,
    squares_grid,
    squares_puzzle,
    squares_solution,
)
from linkpress.puzzle.puzzle import MAX_NUMBER, MAX_SIDE, MIN_SIDE, Grid, Puzzle, Solution

COMPACT_DIGITS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

_WORDS = {".": EMPTY, "#": SOLID} | {str(number): number for number in range(1, MAX_NUMBER + 1)}
_CHARACTERS = {".": EMPTY, "#": SOLID} | {digit: n for n, digit in enumerate(COMPACT_DIGITS, start=1)}


def puzzle_text(puzzle: Puzzle) -> str:
    """Return a puzzle as link text, size first, ending in a line end."""
    return _with_size(puzzle, board_rows(puzzle))


def solution_text(solution: Solution) -> str:
    """Return a solution as link text, size first; each square has its path's number, ``#`` or ``.``."""
    return _with_size(solution.puzzle, solution_rows(solution))


def compact_text(puzzle: Puzzle) -> str:
    """Return a puzzle of numbers up to 61 in the compact form, size first."""
    return _with_size(puzzle, _compact_rows(puzzle_squares(puzzle)))


def compact_solution_text(solution: Solution) -> str:
    """Return a solution of numbers up to 61 in the compact form, size first."""
    return _with_size(solution.puzzle, _compact_rows(solution_squares(solution)))


def board_rows(puzzle: Puzzle) -> tuple[str, ...]:
    """Return the rows of a puzzle's link text, as ``volume.json`` holds them."""
    return _rows(puzzle_squares(puzzle))


def solution_rows(solution: Solution) -> tuple[str, ...]:
    """Return the rows of a solution's link text, as ``volume.json`` holds them."""
    return _rows(solution_squares(solution))


def parse_board_rows(rows: Sequence[str]) -> Puzzle:
    """Return the puzzle that has these rows; raise ``PuzzleError`` with row and column of what is wrong."""
    return squares_puzzle(_parse_rows(rows))


def parse_solution_rows(puzzle: Puzzle, rows: Sequence[str]) -> Solution:
    """Return the solution of a puzzle that has these rows.

    Args:
        rows: each square has its path's number, ``#`` for a solid, ``.`` for an uncovered square.
    Raises:
        PuzzleError: the rows are malformed or no drawing of that puzzle, or a path runs
            alongside itself, so that numbers alone do not say how it runs.
    """
    return squares_solution(_parse_rows(rows), puzzle)


def parse_grid(text: str) -> Grid:
    """Read the one board of a text that has solids and free squares alone.

    Raises:
        PuzzleError: the text holds no board or several, or the rows are malformed.
    """
    source = Source(text)
    source.skip_blank()
    if source.peek() is None:
        raise PuzzleError("it is empty; rows of '#' for a solid and '.' for a free square are needed")
    squares = _take_squares(source)
    source.skip_blank()
    if source.peek() is not None:
        raise PuzzleError(f"line {source.line_number}: a second board begins; one is needed")
    if any(square not in (SOLID, EMPTY) for row in squares for square in row):
        raise PuzzleError("it has numbers or letters; write '#' for a solid and '.' for a free square")
    return squares_grid(squares)


def grid_rows(grid: Grid) -> list[str]:
    """Return the rows that ``parse_grid`` reads: ``#`` for a solid, ``.`` for a free square."""
    cells = "".join("#" if cell in grid.solids else "." for cell in range(grid.size))
    return [cells[start : start + grid.cols] for start in range(0, grid.size, grid.cols)]


def take_puzzle(source: Source) -> Puzzle:
    """Read one record as a puzzle.

    Raises:
        PuzzleError: a size out of range, rows missing or of the wrong length, a bad square.
    """
    return squares_puzzle(_take_squares(source))


def _take_squares(source: Source) -> Squares:
    first = (source.peek() or "").split()
    if len(first) == 2:
        source.take()
        cols, rows = parse_side(first[0], "columns"), parse_side(first[1], "rows")
        return _take_sized(source, rows, cols)
    return _take_unsized(source)


def _take_sized(source: Source, rows: int, cols: int) -> Squares:
    squares = []
    for row in range(1, rows + 1):
        source.skip_blank()
        line = source.take()
        if line is None:
            raise PuzzleError(f"the size says {rows} rows; the text ends after {row - 1}")
        squares.append(_parse_row(line, row, cols))
    following = source.peek() or ""
    if _is_row(following, cols):
        raise PuzzleError(f"the size says {rows} rows; one more follows: {quoted(following)}")
    return squares


def _take_unsized(source: Source) -> Squares:
    lines: list[str] = []
    while line := source.peek():
        if len(lines) == MAX_SIDE:
            raise PuzzleError(f"more than {MAX_SIDE} rows; a record without a size ends at a blank line")
        lines.append(line)
        source.take()
    if len(lines) < MIN_SIDE:
        raise PuzzleError(
            f"found {quoted(lines[0])}: neither a size, columns and rows such as '7 9', nor the first of "
            f"{MIN_SIDE} or more rows; comments begin with '{COMMENT}'"
        )
    return _parse_rows(lines)


def _parse_rows(rows: Sequence[str]) -> Squares:
    words = rows[0].split() if rows else []
    cols = len(words[0]) if len(words) == 1 else len(words)
    return [_parse_row(line, row, cols) for row, line in enumerate(rows, start=1)]


def _parse_row(line: str, row: int, cols: int) -> list[int]:
    words: Sequence[str] = line.split()
    values = _WORDS
    if len(words) == 1:
        words, values = words[0], _CHARACTERS
    if len(words) != cols:
        raise PuzzleError(f"row {row}: {len(words)} squares, found {quoted(line)}; {cols} belong there")
    try:
        return [values[word] for word in words]
    except KeyError:
        col, word = next((n, word) for n, word in enumerate(words, start=1) if word not in values)
        numbers = f"a number from 1 to {MAX_NUMBER}" if values is _WORDS else "one of 1–9, A–Z, a–z"
        raise PuzzleError(
            f"row {row}, column {col}: found {quoted(word)}; allowed are '.', '#' and {numbers}"
        ) from None


def _is_row(line: str, cols: int) -> bool:
    words = line.split()
    if len(words) == 1:
        return len(words[0]) == cols and _CHARACTERS.keys() >= set(words[0])
    return len(words) == cols and _WORDS.keys() >= set(words)


def _rows(squares: Squares) -> tuple[str, ...]:
    words = {EMPTY: ".", SOLID: "#"}
    return tuple(" ".join(words.get(square) or str(square) for square in row) for row in squares)


def _compact_rows(squares: Squares) -> list[str]:
    characters = {value: character for character, value in _CHARACTERS.items()}
    return ["".join(characters[square] for square in row) for row in squares]


def _with_size(puzzle: Puzzle, rows: Sequence[str]) -> str:
    return "\n".join((f"{puzzle.grid.cols} {puzzle.grid.rows}", *rows, ""))
