"""The puzz.link player, pzpr, reads addresses and files.

It knows two kinds of this puzzle. ``numlin`` accepts drawings that leave squares empty, which is harmless
where no such drawing exists, under the strict rule. ``arukone`` asks for every square to be covered, shows
letters for numbers (``A``–``Z``, ``a``–``z``) and so has 52 pairs at most. Neither has a sign for a solid
square.

In an address, ``https://puzz.link/p?numlin/COLS/ROWS/SQUARES``, the squares run in reading order. A digit
``1``–``f`` is a number below 16; larger ones follow a sign that says how many hexadecimal digits they have
and what to add. A letter ``g``–``z`` is a run of 1–20 empty squares.

A file has ``pzprv3``, the kind, rows, columns, then the board, a word a square and ``.`` for an empty one;
below it stand, row by row, 1 or 0 for each step to the right, then for each step down. Lines may be separated
by slashes instead.

Source:
    robx/pzprjs, src/variety-common/Encode.js, ``decodeNumber16``; src/pzpr/parser.js; src/puzzle/FileData.js;
    src/variety/numlin.js, ``FileIO@numlin`` and ``FileIO@arukone``; src/variety-common/FileData.js,
    ``decodeBorderLine``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from itertools import groupby

from linkpress.documents.problem import listed
from linkpress.errors import PuzzleError
from linkpress.puzzle.notation.squares import (
    EMPTY,
    Source,
    parse_number,
    parse_side,
    puzzle_squares,
    quoted,
    squares_puzzle,
)
from linkpress.puzzle.puzzle import MAX_NUMBER, Cell, Edge, Grid, Puzzle

PLAYER = "https://puzz.link/p"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
HEADING = "pzprv3"
FILE_BEGINS = re.compile(HEADING)
_COVER_ALL, _COVER_SOME = "passallcell", ("dontpassallcell", "allowempty")
_LINE, _NO_LINE = "1", ("0", "-1")
_GAPS = "ghijklmnopqrstuvwxyz"
_LONGEST_GAP = len(_GAPS)
_HEX = frozenset("0123456789abcdef")
_SIGNS = {"-": (2, 0), "+": (3, 0), "=": (3, 4096), "%": (3, 8192)}  # hexadecimal digits, what to add
# Any address is read, of whatever puzzle, so that its kind can be refused.
URL_BEGINS = re.compile(
    r"[ <>\"']*([a-z]+://|[\w.-]+/[\w./-]*\?|\??(m\+)?(numlin|arukone)\w*/)", re.ASCII | re.IGNORECASE
)
_KIND = re.compile(r"(?:m\+)?(\w+?)(?:_edit|_test|_play)?", re.ASCII)


class PlayerKind(StrEnum):
    """A kind is the player's name of the puzzle."""

    NUMLIN = "numlin"
    ARUKONE = "arukone"


def puzzle_url(puzzle: Puzzle, *, filled: bool = False) -> str:
    """Return the address at which puzz.link shows a puzzle.

    Args:
        filled: whether its one solution is the only one just among those that cover every square; the
            player then asks for that, unless the puzzle has a number above 52.
    """
    grid = puzzle.grid
    squares = (square for row in puzzle_squares(puzzle) for square in row)
    return f"{PLAYER}?{kind_for(puzzle, filled=filled)}/{grid.cols}/{grid.rows}/{''.join(_encoded(squares))}"


def kind_for(puzzle: Puzzle, *, filled: bool) -> PlayerKind:
    """Return the kind under which the player accepts right drawings only, where its letters are enough."""
    return PlayerKind.ARUKONE if filled and puzzle.pairs[-1].number <= len(LETTERS) else PlayerKind.NUMLIN


def parse_kind(name: str, found: str) -> PlayerKind:
    """Read the kind of puzzle by its name; raise ``PuzzleError``, with all that stands there, for another."""
    if name in tuple(PlayerKind):
        return PlayerKind(name)
    allowed = listed([f"'{kind}'" for kind in PlayerKind])
    raise PuzzleError(f"found {quoted(found)} where the kind of puzzle stands; only {allowed} can be read")


def parse_url(url: str) -> Puzzle:
    """Read the puzzle of an address.

    Args:
        url: of puzz.link or any other host of the same player, with or without scheme and host,
            as ``http://pzv.jp/p.html?numlin/5/7/…``; ``numlin_edit`` counts as ``numlin``, and ``arukone``
            is read alike.
    Raises:
        PuzzleError: another kind of puzzle, a size out of range, a sign without meaning, squares
            too few or too many; names what was found and what is allowed.
    """
    word, *parts = _query(url).split("/")
    match = _KIND.fullmatch(word)
    kind = parse_kind(match[1] if match else word, word)
    if len(parts) > 3 and not parts[-1]:
        parts.pop()
    if kind is PlayerKind.ARUKONE and len(parts) == 4 and parts[0] == "e":  # squares may stay empty
        parts.pop(0)
    if len(parts) != 3:
        found = quoted("/".join([word, *parts]))
        raise PuzzleError(f"found {found}; allowed is '{kind}/COLS/ROWS/SQUARES'")
    cols, rows = parse_side(parts[0], "columns"), parse_side(parts[1], "rows")
    return Puzzle.from_numbers(Grid(rows, cols), _decoded(parts[2], rows, cols))


def _query(url: str) -> str:
    plain = url.strip(" \t<>\"'").partition("#")[0]
    before, question, query = plain.partition("?")
    return query if question else before


def _encoded(squares: Iterable[int]) -> Iterator[str]:
    for number, run in groupby(squares):
        count = len(list(run))
        if number != EMPTY:
            yield _encoded_number(number) * count
            continue
        full, rest = divmod(count, _LONGEST_GAP)
        yield _GAPS[-1] * full + (_GAPS[rest - 1] if rest else "")


def _encoded_number(number: int) -> str:
    if number < 16:
        return f"{number:x}"
    found = next(sign for sign, (digits, base) in _SIGNS.items() if number < base + 16**digits)
    digits, base = _SIGNS[found]
    return f"{found}{number - base:0{digits}x}"


def _decoded(body: str, rows: int, cols: int) -> dict[Cell, int]:
    numbers: dict[Cell, int] = {}
    cell = place = 0
    while place < len(body) and cell <= rows * cols:
        sign = body[place]
        if sign in _GAPS:
            cell += _GAPS.index(sign) + 1
            place += 1
            continue
        digits, base = _SIGNS.get(sign, (0, 0))
        found = body[place + 1 : place + 1 + digits] if digits else sign
        if len(found) != (digits or 1) or not _HEX.issuperset(found) or not base + int(found, 16):
            raise PuzzleError(_meaningless(body, place))
        numbers[cell] = base + int(found, 16)
        cell += 1
        place += 1 + digits
    if cell != rows * cols:
        described = str(cell) if cell < rows * cols else f"more than {rows * cols}"
        raise PuzzleError(
            f"the address describes {described} squares; {cols} × {rows} are {rows * cols}: a part is "
            "missing or the size is wrong"
        )
    return numbers


def _meaningless(body: str, place: int) -> str:
    where = f"character {place + 1} of the squares"
    if body[place] == ".":
        return f"{where}: '.' is a square whose number is not told; every number must be given"
    found = quoted(body[place : place + 4])
    return f"{where}: found {found}; numbers are 1–f, -10 to -ff, +100 to +fff, gaps g–z"


def puzzle_file(puzzle: Puzzle, edges: frozenset[Edge] = frozenset(), *, filled: bool = False) -> str:
    """Return the file of a puzzle with the lines drawn on it, ending in a line end.

    Args:
        filled: whether every square must be covered, as ``puzzle_url`` takes it.
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
    """Read one record as a puzzle and the steps drawn on it; raise ``PuzzleError`` if it is malformed."""
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
    """Return the record's lines after its heading, whether they stand below each other or between slashes."""
    lines = [line for line in (source.take() or "").strip().split("/")[1:] if line.strip()]
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
