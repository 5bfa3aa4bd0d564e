"""Write and read web addresses and files of the puzz.link player (pzpr).

The player has two kinds of this puzzle. ``numlin`` accepts solutions that leave squares empty. This suits
puzzles under the rule "strict", which have no such solutions. ``arukone`` demands that every square is
covered. It shows letters instead of numbers (``A``–``Z``, then ``a``–``z``), so it has at most 52 pairs.
Neither kind has solid squares.

An address is ``https://puzz.link/p?numlin/COLS/ROWS/SQUARES``, with the squares in reading order. A number up
to 15 is one hexadecimal digit. A larger number begins with a sign. The sign determines how many hexadecimal
digits follow, and which value to add to them. A letter ``g``–``z`` stands for 1–20 empty squares.

A file begins with ``pzprv3``, the kind, the number of rows and the number of columns, each on a line. The
rows of the board follow. A row has one word for each square, ``.`` if it is empty. The drawn lines follow as
rows of 1 and 0: first the edges between neighbours in a row, then the edges between neighbours in a column.
Slashes may replace the line ends. The player's history and trial lines may follow; they are not read. The
text of a file may also be a part of an address.

Source:
    robx/pzprjs, src/variety-common/Encode.js, ``decodeNumber16``; src/pzpr/parser.js; src/puzzle/FileData.js;
    src/variety/numlin.js, ``FileIO@numlin`` and ``FileIO@arukone``; src/variety-common/FileData.js,
    ``decodeBorderLine``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from itertools import groupby, takewhile
from typing import NoReturn
from urllib.parse import unquote

from linkpress.documents.problem import listed, visible_text
from linkpress.errors import PuzzleError
from linkpress.puzzle.link_text import (
    EMPTY,
    LineReader,
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
_VARIANT = "v:"
# "[words](" may come before an address. It is the beginning of a Markdown link.
_LINK_WORDS = r"(?:\[[^\]]*\]\()?"
FILE_BEGINS = re.compile(rf"(?:{_LINK_WORDS}\S*[?&])?{HEADING}|{_VARIANT}")
# Beginnings of parts that may follow the board in a file of the puzz.link player: the history of the solver's
# moves, lines drawn as a trial, or an address.
_EXTRAS = re.compile(r"info:|history:|__HISTORY__|trial|https?:", re.IGNORECASE)
_COVER_ALL, _COVER_SOME = "passallcell", ("dontpassallcell", "allowempty")
_LINE, _NO_LINE = "1", ("0", "-1")
_GAPS = "ghijklmnopqrstuvwxyz"
_LONGEST_GAP = len(_GAPS)
_HEX = frozenset("0123456789abcdef")
# Signs that come before numbers above 15. Each sign determines how many hexadecimal digits follow it, and
# which value to add to them.
_SIGNS = {"-": (2, 0), "+": (3, 0), "=": (3, 4096), "%": (3, 8192)}

# Pattern of an address of the puzz.link player. It matches every kind of puzzle, so that a message can name
# the kind if linkpress can't read it.
URL_BEGINS = re.compile(
    rf"(?!.*[?&]{HEADING}){_LINK_WORDS}[ <>\"'(\u200b-\u200f\u2060\ufeff]*"
    r"([a-z]+(://|%3A%2F%2F)|[\w.-]+/[\w./-]*\?|\??(m\+)?(numlin|arukone)\w*/)",
    re.ASCII | re.IGNORECASE,
)
# Pattern of the puzzle in a web address of the puzz.link player. The address may have other parameters. The
# whole address may also be a parameter of another address.
_PUZZLE_PART = re.compile(r"(?:^|[?&=])((?:m\+)?(?:numlin|arukone)(?:_\w+)?/[^&#\s]*)", re.ASCII)
_MARKDOWN_LINK = re.compile(r"\[[^\]]*\]\((.*)\)")
_KIND = re.compile(r"(?:m\+)?(\w+?)(?:_edit|_test|_play)?", re.ASCII)


class PlayerKind(StrEnum):
    """Name of the kind of puzzle in an address or file of the puzz.link website.

    With ``arukone``, the website demands that every square is covered. With ``numlin`` it does not.
    """

    NUMLIN = "numlin"
    ARUKONE = "arukone"


def puzzle_url(puzzle: Puzzle, *, filled: bool = False) -> str:
    """Return a web address that opens a puzzle in the puzz.link player.

    Args:
        puzzle: a puzzle without solids.
        filled: whether the puzz.link website should accept a solution only if it covers every square. Puzzles
            under the rule "filled" need this, because they also have solutions that leave squares empty. This
            argument is ignored if a number is above 52.
    """
    grid = puzzle.grid
    squares = (square for row in puzzle_squares(puzzle) for square in row)
    return f"{PLAYER}?{_kind_of(puzzle, filled=filled)}/{grid.cols}/{grid.rows}/{''.join(_encoded(squares))}"


def _kind_of(puzzle: Puzzle, *, filled: bool) -> PlayerKind:
    return PlayerKind.ARUKONE if filled and puzzle.pairs[-1].number <= len(LETTERS) else PlayerKind.NUMLIN


def _parse_kind(name: str, found: str) -> PlayerKind:
    if name in tuple(PlayerKind):
        return PlayerKind(name)
    allowed = listed([f"'{kind}'" for kind in PlayerKind])
    raise PuzzleError(f"found {quoted(found)} instead of the kind of puzzle; only {allowed} can be read")


def parse_url(url: str) -> Puzzle:
    """Read the puzzle in a web address of the puzz.link player.

    Args:
        url: an address of puzz.link or of another website with the same player. Scheme and host may be
            missing. The kind of puzzle is ``numlin`` or ``arukone``, perhaps with ``_edit``, ``_test`` or
            ``_play`` at the end.
    Raises:
        PuzzleError: the address is for another kind of puzzle, the size is out of range, or the squares are
            malformed.
    """
    word, *parts = _query(url).split("/")
    match = _KIND.fullmatch(word)
    kind = _parse_kind(match[1] if match else word, word)
    if parts and parts[0].startswith(_VARIANT):
        _refuse_variant(parts[0])
    if len(parts) > 3 and not parts[-1]:
        parts.pop()
    # In an address, the part "e" means that squares may stay empty.
    if kind is PlayerKind.ARUKONE and len(parts) == 4 and parts[0] == "e":
        parts.pop(0)
    if len(parts) != 3:
        found = quoted("/".join([word, *parts]))
        raise PuzzleError(f"found {found}; allowed is '{kind}/COLS/ROWS/SQUARES'")
    cols, rows = parse_side(parts[0], "columns"), parse_side(parts[1], "rows")
    return Puzzle.from_numbers(Grid(rows, cols), _decoded(parts[2], rows, cols))


def bare_address(text: str) -> str:
    """Remove a Markdown link, brackets, a full stop and invisible characters around a copied web address."""
    link = _MARKDOWN_LINK.search(text)
    return visible_text(link[1] if link else text).strip(" \t<>\"'()[].,;!")


def _query(url: str) -> str:
    plain = bare_address(url)
    # In an address of the puzz.link player, % comes before some large numbers. But in web addresses, it also
    # encodes other characters. So look for a puzzle in the undecoded text first, and decode percent signs
    # only if there is none.
    for text in (plain, unquote(plain), unquote(unquote(plain))):
        if match := _PUZZLE_PART.search(text):
            return match[1]
    before, question, query = plain.partition("#")[0].partition("?")
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
    sign = next(sign for sign, (digits, base) in _SIGNS.items() if number < base + 16**digits)
    digits, base = _SIGNS[sign]
    return f"{sign}{number - base:0{digits}x}"


def _decoded(body: str, rows: int, cols: int) -> dict[Cell, int]:
    numbers: dict[Cell, int] = {}
    cell = position = 0
    while position < len(body) and cell <= rows * cols:
        sign = body[position]
        if sign in _GAPS:
            cell += _GAPS.index(sign) + 1
            position += 1
            continue
        digits, base = _SIGNS.get(sign, (0, 0))
        number = body[position + 1 : position + 1 + digits] if digits else sign
        if len(number) != (digits or 1) or not _HEX.issuperset(number) or not base + int(number, 16):
            raise PuzzleError(_bad_square(body, position))
        numbers[cell] = base + int(number, 16)
        cell += 1
        position += 1 + digits
    if cell != rows * cols:
        described = str(cell) if cell < rows * cols else f"more than {rows * cols}"
        raise PuzzleError(
            f"the address describes {described} squares; {cols} × {rows} are {rows * cols}: a part is "
            "missing or the size is wrong"
        )
    return numbers


def _bad_square(body: str, position: int) -> str:
    where = f"character {position + 1} of the squares"
    if body[position] == ".":
        return f"{where}: '.' is a square whose number is missing; every number must be given"
    found = quoted(body[position : position + 4])
    return f"{where}: found {found}; numbers are 1–f, -10 to -ff, +100 to +fff, gaps g–z"


def puzzle_file(puzzle: Puzzle, edges: frozenset[Edge] = frozenset(), *, filled: bool = False) -> str:
    """Return a puzzle in the file format of the puzz.link player, ending in a line end.

    Args:
        puzzle: a puzzle without solids.
        edges: the lines drawn on it.
        filled: whether the puzz.link website should accept a solution only if it covers every square; see
            ``puzzle_url``.
    """
    grid = puzzle.grid
    kind = _kind_of(puzzle, filled=filled)
    signs = {EMPTY: "."} | (dict(enumerate(LETTERS, 1)) if kind is PlayerKind.ARUKONE else {})
    lines = [HEADING, kind.value, str(grid.rows), str(grid.cols)]
    lines += [_COVER_ALL] if kind is PlayerKind.ARUKONE else []
    lines += [_row(signs.get(square, str(square)) for square in row) for row in puzzle_squares(puzzle)]
    for step, rows, cols in ((1, grid.rows, grid.cols - 1), (grid.cols, grid.rows - 1, grid.cols)):
        for row in range(rows):
            cells = [grid.cell(row, col) for col in range(cols)]
            lines.append(_row(str(int((cell, cell + step) in edges)) for cell in cells))
    return "\n".join((*lines, ""))


def read_drawing(reader: LineReader) -> tuple[Puzzle, frozenset[Edge]]:
    """Read one file of the puzz.link player (pzprv3) as a puzzle with the edges drawn on it.

    Raises:
        PuzzleError: the file is malformed.
    """
    lines = _read_lines(reader)
    word = _next(lines, "the kind of puzzle")
    kind = _parse_kind(word, word)
    rows = parse_side(_next(lines, "the number of rows"), "rows")
    cols = parse_side(_next(lines, "the number of columns"), "columns")
    if kind is PlayerKind.ARUKONE:
        config = _next(lines, f"'{_COVER_ALL}'")
        if config not in (_COVER_ALL, *_COVER_SOME):
            raise PuzzleError(f"found {quoted(config)} instead of '{_COVER_ALL}' or '{_COVER_SOME[0]}'")
    squares = [_squares(_next(lines, f"row {row}"), row, cols, kind) for row in range(1, rows + 1)]
    puzzle = squares_puzzle(squares)
    right = _steps(lines, rows, cols - 1)
    down = _steps(lines, rows - 1, cols) if right is not None else None
    extra = next(lines, None)
    if extra is not None:
        raise PuzzleError(f"found {quoted(extra)} after the end of the board")
    cell = puzzle.grid.cell
    edges = {(cell(row, col), cell(row, col + 1)) for row, col in right or ()}
    edges |= {(cell(row, col), cell(row + 1, col)) for row, col in down or ()}
    return puzzle, frozenset(edges)


def _row(words: Iterator[str]) -> str:
    return "".join(f"{word} " for word in words)


def _read_lines(reader: LineReader) -> Iterator[str]:
    """Return the lines of a file of the puzz.link player, without its heading.

    In the file, lines are separated by line ends or slashes.
    """
    first = visible_text(reader.read() or "").strip(" \t<>\"'")
    if first.startswith(_VARIANT):
        _refuse_variant(first)
    if not first.startswith(HEADING):
        query = first[first.index(HEADING) :].partition("#")[0].partition("&")[0]
        # In addresses, a space is often written as + or _. A full stop or a bracket after the last slash is
        # not part of the address.
        first = re.sub("/[).,;!]+$", "/", re.sub("[+_]", " ", unquote(query)))
    lines = first.split("/")[1:]
    while (line := reader.peek()) and not line.startswith(HEADING):
        if line.startswith(_VARIANT):
            _refuse_variant(line)
        lines += (reader.read() or "").split("/")
    reader.skip_blank()  # The puzz.link player writes a blank line before its history.
    if _EXTRAS.match(reader.peek() or ""):
        while (line := reader.peek()) and not FILE_BEGINS.match(line):
            reader.read()
    return takewhile(lambda line: not _EXTRAS.match(line.strip()), filter(str.strip, lines))


def _refuse_variant(line: str) -> NoReturn:
    name = quoted(line.removeprefix(_VARIANT))
    raise PuzzleError(f"this is a variant of the puzzle, {name}; variants can't be read")


def _next(lines: Iterator[str], name: str) -> str:
    line = next(lines, None)
    if line is None:
        raise PuzzleError(f"the file ends before {name}")
    return line.strip()


def _squares(line: str, row: int, cols: int, kind: PlayerKind) -> list[int]:
    words = line.split()
    if len(words) != cols:
        raise PuzzleError(f"row {row}: {len(words)} squares, found {quoted(line)}; {cols} are needed")
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


def _steps(lines: Iterator[str], rows: int, cols: int) -> list[tuple[int, int]] | None:
    """Read rows of 1 and 0, which say where lines are drawn: each 1 stands for a drawn edge.

    Args:
        lines: the lines of the file that are not read yet.
        rows: the number of rows to read.
        cols: the number of 1s and 0s in each row.
    Returns:
        The row and the column of each 1, counted from 0. None if the file has no more lines.
    """
    steps: list[tuple[int, int]] = []
    for row in range(rows):
        line = next(lines, None)
        if line is None and row == 0:
            return None
        signs = (line or "").split()
        if len(signs) != cols or not {_LINE, *_NO_LINE}.issuperset(signs):
            raise PuzzleError(
                f"found {quoted((line or 'the end').strip())} instead of {cols} steps of row {row + 1}, "
                "each 1 or 0"
            )
        steps += [(row, col) for col, sign in enumerate(signs) if sign == _LINE]
    return steps
