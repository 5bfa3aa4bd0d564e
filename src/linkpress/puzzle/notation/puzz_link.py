"""Addresses of the puzz.link player: ``https://puzz.link/p?numlin/COLS/ROWS/SQUARES``.

The player knows two kinds of this puzzle. ``numlin`` accepts drawings that leave squares empty, which is
harmless where no such drawing exists, under the strict rule. ``arukone`` asks for every square to be
covered, shows letters for numbers and so has 52 pairs at most.

The squares run in reading order. A digit ``1``–``f`` is a number below 16; larger ones follow a
sign that says how many hexadecimal digits they have and what to add. A letter ``g``–``z`` is a
run of 1–20 empty squares. There is no sign for a solid square.

Source:
    robx/pzprjs, src/variety-common/Encode.js, ``decodeNumber16``; src/pzpr/parser.js.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from itertools import groupby

from linkpress.documents.problem import listed
from linkpress.errors import PuzzleError
from linkpress.puzzle.notation.squares import EMPTY, parse_side, puzzle_squares, quoted
from linkpress.puzzle.puzzle import Cell, Grid, Puzzle

PLAYER = "https://puzz.link/p"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


class PlayerKind(StrEnum):
    """The player's names of the puzzle."""

    NUMLIN = "numlin"
    ARUKONE = "arukone"


_GAPS = "ghijklmnopqrstuvwxyz"
_LONGEST_GAP = len(_GAPS)
_HEX = frozenset("0123456789abcdef")
_SIGNS = {"-": (2, 0), "+": (3, 0), "=": (3, 4096), "%": (3, 8192)}  # hexadecimal digits, what to add
# Any address is read, of whatever puzzle, so that its kind can be refused.
BEGINS = re.compile(
    r"[ <>\"']*([a-z]+://|[\w.-]+/[\w./-]*\?|\??(m\+)?(numlin|arukone)\w*/)", re.ASCII | re.IGNORECASE
)
_KIND = re.compile(r"(?:m\+)?(\w+?)(?:_edit|_test|_play)?", re.ASCII)


def puzzle_url(puzzle: Puzzle, *, filled: bool = False) -> str:
    """Return the address at which puzz.link shows a puzzle.

    Args:
        puzzle: without solids.
        filled: whether its one solution is the only one just among those that cover every square; the
            player then asks for that, unless the puzzle has a number above 52.
    """
    grid = puzzle.grid
    squares = (square for row in puzzle_squares(puzzle) for square in row)
    kind = kind_for(puzzle, filled=filled)
    return f"{PLAYER}?{kind}/{grid.cols}/{grid.rows}/{''.join(_encoded(squares))}"


def kind_for(puzzle: Puzzle, *, filled: bool) -> PlayerKind:
    """Return the kind under which the player accepts right drawings only, as far as it has letters."""
    return PlayerKind.ARUKONE if filled and puzzle.pairs[-1].number <= len(LETTERS) else PlayerKind.NUMLIN


def parse_kind(name: str, found: str) -> PlayerKind:
    """Read the kind of puzzle by its name.

    Args:
        found: what stands there in whole, for the message.
    Raises:
        PuzzleError: it is another kind.
    """
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
    numbers = _decoded(parts[2], rows, cols)
    return Puzzle.from_numbers(Grid(rows, cols), numbers)


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
    for sign, (digits, base) in _SIGNS.items():
        if number < base + 16**digits:
            return f"{sign}{number - base:0{digits}x}"
    raise PuzzleError(f"the number {number} is too large for a puzz.link address")


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
