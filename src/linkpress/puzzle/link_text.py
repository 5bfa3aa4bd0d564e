"""Write and read boards as rows of squares: link text, its compact form, and tables with bars.

All notations use two types of this module. ``LineReader`` reads a text line by line, and ``Squares`` is a
board as rows of numbers.

Link text has a line with the width and the height, then one line for each row. A square is ``.`` if it is
empty, ``#`` if it is solid, or a number. Blanks separate the squares.

In the compact form of link text, each square is one character: the digits 1–9, then ``A``–``Z`` for 10–35,
then ``a``–``z`` for 36–61. A row without blanks is read as compact.

A text may have several boards, blank lines, and comments from ``;`` to the end of the line. The line with the
size may be left out if blank lines separate the boards. In a solution, each square has the number of the path
that covers it.

Tables are the output of the C program in a well-known article on this puzzle. Each row is a line, and bars
enclose each square: ``| 4 |``, ``| 12|``, ``| X |`` for a solid, ``|   |`` for an empty square. The tables of
a puzzle and of its solution have different headings. When a table is read, neighbouring squares may share a
bar, and the heading may be missing.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import TypeVar

from linkpress.errors import PuzzleError
from linkpress.puzzle.puzzle import MAX_NUMBER, MAX_SIDE, MIN_SIDE, Cell, Grid, Pair, Puzzle, Solution

COMMENT = ";"
MAX_CHARACTERS = 64 * 1024 * 1024
# Maximum length of a line in characters. A 50 × 50 board in the format pzprv3, on a single line,
# has 23,000 characters.
MAX_LINE = 40_000

SOLID = -1
EMPTY = 0
Squares = Sequence[Sequence[int]]
"""Board as rows of equal length. Each square is ``SOLID``, ``EMPTY`` or a number."""

COMPACT_DIGITS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_WORDS = {".": EMPTY, "#": SOLID} | {str(number): number for number in range(1, MAX_NUMBER + 1)}
_WORD_OF = {square: word for word, square in _WORDS.items()}
_CHARACTERS = {".": EMPTY, "#": SOLID} | {digit: n for n, digit in enumerate(COMPACT_DIGITS, start=1)}

PUZZLE_HEADING = "Table to be solved:"
SOLUTION_HEADING = "The solution to the above table:"
_BAR = "|"
_BARRED = re.compile(r"\|[^|]{3}\|")
TABLE_BEGINS = re.compile(rf"\{_BAR}|({PUZZLE_HEADING}|{SOLUTION_HEADING})")

_Record = TypeVar("_Record")


# The class and functions below read a text.


class LineReader:
    """Reader that returns the lines of a text one by one, and can look ahead by one line.

    It removes the byte order mark, line ends of any operating system, blanks at the end of lines, and
    comments. A line with only a comment is skipped.

    Args:
        text: the whole text.
    Attributes:
        line_number: the number of the line that ``peek`` or ``read`` returned last, counted from 1.
    Raises:
        PuzzleError: the text has more than 64 × 1024 × 1024 characters.
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
        while self.peek() == "":
            self._peeked = None

    def peek(self) -> str | None:
        """Return the next line without moving on; None at the end of the text.

        Raises:
            PuzzleError: the line has more than 40,000 characters.
        """
        while self._peeked is None and (raw := self._lines.readline()):
            self.line_number += 1
            if len(raw) > MAX_LINE + 1:
                raise PuzzleError(
                    f"line {self.line_number} has {len(raw) - 1:,} characters; at most {MAX_LINE:,} are read"
                )
            line, comment, _ = raw.partition(COMMENT)
            if line.strip() or not comment:
                self._peeked = line.rstrip()
        return self._peeked

    def read(self) -> str | None:
        """Return the next line and move on to the line after it; None at the end of the text."""
        line = self.peek()
        self._peeked = None
        return line


def read_records(text: str, read: Callable[[LineReader], _Record]) -> list[_Record]:
    """Read all records of a text. A record is a puzzle or a drawing, in any notation.

    Args:
        text: the text of a file or of the standard input.
        read: a function that reads the lines of one record and returns the content of the record.
    Raises:
        PuzzleError: a record is malformed. The message says which record, and on which line it begins.
    """
    lines = LineReader(text)
    records: list[_Record] = []
    lines.skip_blank()
    while lines.peek() is not None:
        start = lines.line_number
        try:
            records.append(read(lines))
        except PuzzleError as error:
            raise PuzzleError(f"record {len(records) + 1} (from line {start}): {error}") from error
        lines.skip_blank()
    return records


def quoted(text: str) -> str:
    return repr(text if len(text) <= 24 else text[:20] + "…")


def parse_side(word: str, name: str) -> int:
    """Parse the number of rows or columns.

    Args:
        word: the text to parse.
        name: ``rows`` or ``columns``, for the message.
    Raises:
        PuzzleError: the text is not a whole number from 3 to 50.
    """
    if word.isascii() and word.isdigit() and len(word) < 8 and MIN_SIDE <= int(word) <= MAX_SIDE:
        return int(word)
    raise PuzzleError(
        f"found {quoted(word)} instead of the number of {name}; {MIN_SIDE} to {MAX_SIDE} are allowed"
    )


def parse_number(word: str) -> int | None:
    """Parse the number of a pair; return None if the text is not a whole number from 1 to 9999."""
    if word.isascii() and word.isdigit() and len(word) < 6 and 0 < int(word) <= MAX_NUMBER:
        return int(word)
    return None


# The functions below convert between puzzles and rows of squares.


def puzzle_squares(puzzle: Puzzle) -> list[list[int]]:
    return _squares(puzzle.grid, puzzle.number_at)


def solution_squares(solution: Solution) -> list[list[int]]:
    # Don't use the cached property ``solution.number_of`` here, because its value would stay in the solution.
    # Workers would then send this value to their parent process with each puzzle, and the parent process
    # would need 18 instead of 16 µs to read a puzzle.
    numbers = {cell: number for number, cells in solution.paths for cell in cells}
    return _squares(solution.puzzle.grid, numbers)


def squares_puzzle(squares: Squares) -> Puzzle:
    """Make a puzzle from rows of squares.

    Args:
        squares: the printed number of each square, or the code of an empty or solid square.
    Raises:
        PuzzleError: the size or the numbers are not allowed.
    """
    return Puzzle.from_numbers(*_board(squares))


def _squares(grid: Grid, numbers: Mapping[Cell, int]) -> list[list[int]]:
    flat = [EMPTY] * grid.size
    for cell, number in numbers.items():
        flat[cell] = number
    for cell in grid.solids:
        flat[cell] = SOLID
    return [flat[start : start + grid.cols] for start in range(0, grid.size, grid.cols)]


def _board(squares: Squares) -> tuple[Grid, dict[Cell, int]]:
    flat = [square for row in squares for square in row]
    solids = frozenset(cell for cell, square in enumerate(flat) if square == SOLID)
    numbers = {cell: square for cell, square in enumerate(flat) if square > EMPTY}
    return Grid(len(squares), len(squares[0]) if squares else 0, solids), numbers


# Link text


def puzzle_text(puzzle: Puzzle) -> str:
    return _with_size(puzzle, board_rows(puzzle))


def solution_text(solution: Solution) -> str:
    return _with_size(solution.puzzle, solution_rows(solution))


def compact_text(puzzle: Puzzle) -> str:
    return _with_size(puzzle, _compact_rows(puzzle_squares(puzzle)))


def compact_solution_text(solution: Solution) -> str:
    return _with_size(solution.puzzle, _compact_rows(solution_squares(solution)))


def board_rows(puzzle: Puzzle) -> tuple[str, ...]:
    """Return a puzzle as lines of text, one for each row of the board.

    The lines are in the notation "link text", without its first line, which gives the size.
    """
    return _rows(puzzle_squares(puzzle))


def solution_rows(solution: Solution) -> tuple[str, ...]:
    """Return a solution as lines of text, one for each row of the board.

    The lines are in the notation "link text", without its first line, which gives the size.
    """
    return _rows(solution_squares(solution))


def grid_rows(grid: Grid) -> list[str]:
    return _compact_rows(_squares(grid, {}))


def parse_board_rows(rows: Sequence[str]) -> Puzzle:
    """Read a puzzle from lines of text, one for each row of the board.

    The lines are in the notation "link text", without its first line, which gives the size.

    Raises:
        PuzzleError: a row is malformed. The message gives row and column.
    """
    return squares_puzzle(_parse_rows(rows))


def parse_solution_rows(puzzle: Puzzle, rows: Sequence[str]) -> Solution:
    """Read the solution of a puzzle from lines of text, one for each row of the board.

    Args:
        puzzle: the puzzle that is solved.
        rows: for each square, the number of the path that covers it, ``#`` if the square is solid, or ``.``
            if no path covers it.
    Raises:
        PuzzleError: the rows are malformed or don't solve the puzzle. This error is also raised if a path
            runs alongside itself, because then the numbers don't show in which order the path goes through
            its squares.
    """
    grid, numbers = _board(_parse_rows(rows))
    if grid != puzzle.grid:
        raise PuzzleError("the solution's size or its solid squares are not those of the puzzle")
    cells_of: dict[int, list[Cell]] = {}
    for cell, number in numbers.items():
        cells_of.setdefault(number, []).append(cell)
    joined = {
        cell: [other for other in grid.neighbours[cell] if numbers.get(other) == number]
        for cell, number in numbers.items()
    }
    if missing := set(cells_of).symmetric_difference(pair.number for pair in puzzle.pairs):
        raise PuzzleError(f"the number {min(missing)} is in only one of puzzle and solution")
    for pair in puzzle.pairs:
        _check_path(grid, pair, cells_of[pair.number], joined)
    edges = [(cell, other) for cell in numbers for other in joined[cell] if cell < other]
    solution = Solution.from_edges(puzzle, edges)
    for path in solution.paths:
        if len(path.cells) != len(cells_of[path.number]):
            raise PuzzleError(f"the squares numbered {path.number} are not connected")
    return solution


def _check_path(grid: Grid, pair: Pair, cells: list[Cell], joined: Mapping[Cell, list[Cell]]) -> None:
    ends = (pair.first, pair.second)
    for end in ends:
        if end not in cells:
            raise PuzzleError(
                f"{grid.name(end)} has the number {pair.number} in the puzzle, but not in the solution"
            )
    for cell in cells:
        if len(joined[cell]) < (1 if cell in ends else 2):
            raise PuzzleError(f"{grid.name(cell)}: the path numbered {pair.number} breaks off here")
    for cell in cells:
        if len(joined[cell]) > (1 if cell in ends else 2):
            raise PuzzleError(
                f"{grid.name(cell)}: the path numbered {pair.number} runs alongside itself, so that numbers "
                "don't determine its course"
            )


def parse_grid(text: str) -> Grid:
    """Read one board of solid and free squares without numbers.

    Raises:
        PuzzleError: the text has no board or several boards, the rows are malformed, or the board has
            numbers.
    """
    lines = LineReader(text)
    lines.skip_blank()
    if lines.peek() is None:
        raise PuzzleError("it is empty; rows of '#' for a solid and '.' for a free square are needed")
    squares = _read_squares(lines)
    lines.skip_blank()
    if lines.peek() is not None:
        raise PuzzleError(f"line {lines.line_number}: a second board begins; one is needed")
    grid, numbers = _board(squares)
    if numbers:
        raise PuzzleError("it has numbers or letters; write '#' for a solid and '.' for a free square")
    return grid


def read_puzzle(lines: LineReader) -> Puzzle:
    """Read one puzzle in the notation "link text", in which each line is a row of the board.

    Raises:
        PuzzleError: the size is out of range, rows are missing or have a wrong length, or a square is
            malformed.
    """
    return squares_puzzle(_read_squares(lines))


def _read_squares(lines: LineReader) -> Squares:
    first = (lines.peek() or "").split()
    if len(first) != 2:
        return _read_without_size(lines)
    lines.read()
    cols, rows = parse_side(first[0], "columns"), parse_side(first[1], "rows")
    return _read_with_size(lines, rows, cols)


def _read_with_size(lines: LineReader, rows: int, cols: int) -> Squares:
    squares = []
    for row in range(1, rows + 1):
        lines.skip_blank()
        line = lines.read()
        if line is None:
            raise PuzzleError(f"the size says {rows} rows; the text ends after {row - 1}")
        squares.append(_parse_row(line, row, cols))
    next_line = lines.peek() or ""
    if _is_row(next_line, cols):
        raise PuzzleError(f"the size says {rows} rows; one more follows: {quoted(next_line)}")
    return squares


def _read_without_size(lines: LineReader) -> Squares:
    rows: list[str] = []
    while line := lines.peek():
        if len(rows) == MAX_SIDE:
            raise PuzzleError(f"more than {MAX_SIDE} rows; a record without a size ends at a blank line")
        rows.append(line)
        lines.read()
    if len(rows) < MIN_SIDE:
        raise PuzzleError(
            f"found {quoted(rows[0])}: neither a size, columns and rows such as '7 9', nor the first of "
            f"{MIN_SIDE} or more rows; comments begin with '{COMMENT}'"
        )
    return _parse_rows(rows)


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
        raise PuzzleError(f"row {row}: {len(words)} squares, found {quoted(line)}; {cols} are needed")
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
    return tuple(" ".join([_WORD_OF[square] for square in row]) for row in squares)


def _compact_rows(squares: Squares) -> list[str]:
    characters = {value: character for character, value in _CHARACTERS.items()}
    return ["".join(characters[square] for square in row) for row in squares]


def _with_size(puzzle: Puzzle, rows: Sequence[str]) -> str:
    return "\n".join((f"{puzzle.grid.cols} {puzzle.grid.rows}", *rows, ""))


# The functions below write and read tables in which each square stands between two bars (``|``).


def puzzle_table(puzzle: Puzzle) -> str:
    return _table(PUZZLE_HEADING, puzzle_squares(puzzle))


def solution_table(solution: Solution) -> str:
    return _table(SOLUTION_HEADING, solution_squares(solution))


def both_tables(solution: Solution) -> str:
    return f"{puzzle_table(solution.puzzle)}\n\n{solution_table(solution)}"


def read_table(lines: LineReader) -> Puzzle:
    """Read the table of a puzzle, and skip the table of its solution if it follows.

    Raises:
        PuzzleError: a table is malformed, or it is the table of a solution.
    """
    if lines.peek() == SOLUTION_HEADING:
        raise PuzzleError(f"found {SOLUTION_HEADING!r} instead of a puzzle")
    puzzle = squares_puzzle(_read_table(lines, PUZZLE_HEADING))
    lines.skip_blank()
    if lines.peek() == SOLUTION_HEADING:
        _read_table(lines, SOLUTION_HEADING)
    return puzzle


def _read_table(lines: LineReader, heading: str) -> Squares:
    texts: list[str] = []
    if (first := lines.peek() or "").startswith(heading):
        lines.read()
        texts = [first.removeprefix(heading).partition(SOLUTION_HEADING)[0].strip()]
    if not any(texts):
        texts = []
        while (line := (lines.peek() or "").strip()).startswith(_BAR):
            if len(texts) == MAX_SIDE:
                raise PuzzleError(f"the table has more than {MAX_SIDE} rows")
            texts.append(line)
            lines.read()
    rows: list[list[int]] = []
    for text in _table_rows(texts[0]) if len(texts) == 1 else texts:
        words = [word for word in text.split(_BAR) if word]
        rows.append(
            [_parse_table_square(word.strip(), len(rows) + 1, col) for col, word in enumerate(words, 1)]
        )
        if len(rows[-1]) != len(rows[0]):
            raise PuzzleError(f"row {len(rows)}: {len(rows[-1])} squares; the first row has {len(rows[0])}")
    return rows


def _table_rows(line: str) -> list[str]:
    """Split a line into the rows of a table, in case somebody wrote all rows on one line.

    A new row begins wherever there is a gap between two squares. If there are no gaps, the line is split into
    as many rows as columns, provided that its number of squares allows this. Any other line is returned
    unsplit, because it is a single row.
    """
    squares = [*_BARRED.finditer(line)]
    if not squares or _BARRED.sub("", line).strip():
        return [line]
    starts = [
        0,
        *(at for at, (a, b) in enumerate(pairwise(squares), 1) if a.end() != b.start()),
        len(squares),
    ]
    side = math.isqrt(len(squares))
    if len(starts) == 2 and side * side == len(squares):
        starts = list(range(0, len(squares) + 1, side))
    return ["".join(square[0] for square in squares[low:high]) for low, high in pairwise(starts)]


def _parse_table_square(word: str, row: int, col: int) -> int:
    if word in ("", "X"):
        return SOLID if word else EMPTY
    if number := parse_number(word):
        return number
    raise PuzzleError(
        f"row {row}, column {col}: found {quoted(word)}; allowed are blanks, 'X' and a number from 1 to "
        f"{MAX_NUMBER}"
    )


def _table(heading: str, squares: Squares) -> str:
    rows = ["".join(f"|{_table_square(square)}|" for square in row) for row in squares]
    return "\n".join([heading, *rows, ""])


def _table_square(square: int) -> str:
    if square in (EMPTY, SOLID):
        return " X " if square == SOLID else "   "
    return f" {square} " if square < 10 else f" {square}"
