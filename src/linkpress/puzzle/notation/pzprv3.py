"""Files of the puzz.link player: ``pzprv3``, the kind, rows, columns, then the board and the lines.

The kind is ``numlin``, whose drawings may leave squares empty, or ``arukone``, which has letters
(``A``–``Z``, ``a``–``z``: 52 pairs) and asks for every square to be covered. The board has a word a
square, ``.`` for an empty one; below it stand, row by row, 1 or 0 for each step to the right, then for
each step down. Lines may be separated by slashes instead. There is no sign for a solid square.

Source:
    robx/pzprjs, src/puzzle/FileData.js; src/variety/numlin.js, ``FileIO@numlin`` and ``FileIO@arukone``;
    src/variety-common/FileData.js, ``decodeBorderLine``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from linkpress.errors import PuzzleError
from linkpress.puzzle.notation.puzz_link import LETTERS, PlayerKind, kind_for, parse_kind
from linkpress.puzzle.notation.squares import (
    EMPTY,
    Source,
    parse_number,
    parse_side,
    puzzle_squares,
    quoted,
    squares_puzzle,
)
from linkpress.puzzle.puzzle import MAX_NUMBER, Edge, Puzzle

HEADING = "pzprv3"
BEGINS = re.compile(HEADING)
_COVER_ALL, _COVER_SOME = "passallcell", ("dontpassallcell", "allowempty")
_LINE, _NO_LINE = "1", ("0", "-1")


def puzzle_file(puzzle: Puzzle, edges: frozenset[Edge] = frozenset(), *, filled: bool = False) -> str:
    """Return the file of a puzzle with the lines drawn on it, ending in a line end.

    Args:
        puzzle: without solids.
        filled: whether every square must be covered, as ``puzz_link.puzzle_url`` takes it.
    """
    grid = puzzle.grid
    kind = kind_for(puzzle, filled=filled)
    signs = {EMPTY: "."} | (dict(enumerate(LETTERS, 1)) if kind is PlayerKind.ARUKONE else {})
    lines = [HEADING, kind.value, str(grid.rows), str(grid.cols)]
    lines += [_COVER_ALL] if kind is PlayerKind.ARUKONE else []
    lines += [_row(signs.get(square, str(square)) for square in row) for row in puzzle_squares(puzzle)]
    for down, rows, cols in ((0, grid.rows, grid.cols - 1), (1, grid.rows - 1, grid.cols)):
        for row in range(rows):
            cells = [grid.cell(row, col) for col in range(cols)]
            step = grid.cols if down else 1
            lines.append(_row(str(int((cell, cell + step) in edges)) for cell in cells))
    return "\n".join((*lines, ""))


def take_drawing(source: Source) -> tuple[Puzzle, frozenset[Edge]]:
    """Read one record as a puzzle and the steps drawn on it.

    Raises:
        PuzzleError: the record is malformed.
    """
    words = _take_lines(source)
    word = _next(words, "the kind of puzzle")
    kind = parse_kind(word, word)
    rows = parse_side(_next(words, "the number of rows"), "rows")
    cols = parse_side(_next(words, "the number of columns"), "columns")
    if kind is PlayerKind.ARUKONE:
        config = _next(words, f"'{_COVER_ALL}'")
        if config not in (_COVER_ALL, *_COVER_SOME):
            raise PuzzleError(f"found {quoted(config)} where '{_COVER_ALL}' or '{_COVER_SOME[0]}' stands")
    squares = [_squares(_next(words, f"row {row}"), row, cols, kind) for row in range(1, rows + 1)]
    puzzle = squares_puzzle(squares)
    right = _steps(words, rows, cols - 1)
    down = _steps(words, rows - 1, cols) if right is not None else None
    extra = next(words, None)
    if extra is not None:
        raise PuzzleError(f"found {quoted(extra)} behind the end of the board")
    cell = puzzle.grid.cell
    edges = {(cell(row, col), cell(row, col + 1)) for row, col in right or ()}
    edges |= {(cell(row, col), cell(row + 1, col)) for row, col in down or ()}
    return puzzle, frozenset(edges)


def _row(words: Iterator[str]) -> str:
    return "".join(f"{word} " for word in words)


def _take_lines(source: Source) -> Iterator[str]:
    """The record's lines behind its heading, whether they stand below each other or between slashes."""
    first = (source.take() or "").strip()
    lines = [line for line in first.split("/")[1:] if line.strip()]
    while (line := source.peek()) and not line.startswith(HEADING):
        lines += [line for line in (source.take() or "").split("/") if line.strip()]
    return iter(lines)


def _next(words: Iterator[str], name: str) -> str:
    line = next(words, None)
    if line is None:
        raise PuzzleError(f"the file ends where {name} should stand")
    return line.strip()


def _squares(line: str, row: int, cols: int, kind: PlayerKind) -> list[int]:
    words = line.split()
    if len(words) != cols:
        raise PuzzleError(f"row {row}: {len(words)} squares, found {quoted(line)}; {cols} belong there")
    return [_square(word, row, col, kind) for col, word in enumerate(words, start=1)]


def _square(word: str, row: int, col: int, kind: PlayerKind) -> int:
    if word == ".":
        return EMPTY
    if kind is PlayerKind.ARUKONE and len(word) == 1 and word in LETTERS:
        return LETTERS.index(word) + 1
    number = parse_number(word)
    if kind is PlayerKind.NUMLIN and number:
        return number
    allowed = "a letter A–Z or a–z" if kind is PlayerKind.ARUKONE else f"a number from 1 to {MAX_NUMBER}"
    raise PuzzleError(f"row {row}, column {col}: found {quoted(word)}; allowed are '.' and {allowed}")


def _steps(words: Iterator[str], rows: int, cols: int) -> list[tuple[int, int]] | None:
    """Return where a line starts in rows of steps; None where the file ends before them."""
    found: list[tuple[int, int]] = []
    for row in range(rows):
        line = next(words, None)
        if line is None and row == 0:
            return None
        signs = (line or "").split()
        if len(signs) != cols or not {_LINE, *_NO_LINE}.issuperset(signs):
            raise PuzzleError(
                f"found {quoted((line or 'the end').strip())} where {cols} steps of row {row + 1} stand, "
                "each 1 or 0"
            )
        found += [(row, col) for col, sign in enumerate(signs) if sign == _LINE]
    return found
