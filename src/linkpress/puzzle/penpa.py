"""Write and read web addresses of Penpa+, an editor and player of puzzles.

An address is ``https://swaroopg92.github.io/penpa-edit/#m=solve&p=PUZZLE&a=ANSWER``. PUZZLE and ANSWER are
compressed with raw deflate and encoded in base64.

PUZZLE is a text of 19 lines, mostly JSON. The first line has the kind and the size of the grid. The fourth
line has the numbers and the shaded squares; solids are black squares. The eighth line says how the answer is
checked. Frequent keys are replaced by abbreviations that begin with z.

ANSWER is a list. Its second entry has the edges of the solution, such as ``18,19,1`` for a line between the
squares 18 and 19.

Penpa+ adds a margin of two squares on all sides of a board. So the square in row r and column c, counted from
0, has the index ``(r + 2) * (columns + 4) + c + 2``.

Source:
    swaroopg92/penpa-edit 3.2.3, docs/js/class_p.js, ``maketext_solve``, ``make_solution`` and
    ``COMPRESS_SUB``; docs/js/general.js, ``load``.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from linkpress.errors import PuzzleError
from linkpress.puzzle.link_text import LineReader, parse_number, parse_side, quoted
from linkpress.puzzle.puzzle import MAX_NUMBER, Cell, Edge, Grid, Puzzle, Solution, edge
from linkpress.puzzle.pzpr import bare_address, parse_url
from linkpress.resources import fill_template

PLAYER = "https://swaroopg92.github.io/penpa-edit/"

# Template of the 19 lines of text by which an address of Penpa+ describes a puzzle. A name stands in place of
# each part that differs from board to board.
_TEMPLATE = Path(__file__).with_name("penpa.txt")
_MARGIN = 2
_CELL_PX = 38
_BLACK, _DARK_GREY = 4, 1
_NUMBER_STYLE = (1, "1")  # Penpa+'s codes for black numbers of normal size
_LINE = 3  # colour of lines: green, because Penpa+ checks only green lines

# A Penpa+ web address contains the board as compressed text. This is the maximum size of that text after
# decompression, in bytes. The text of a 50 × 50 board takes 60 kB.
_MAX_BYTES = 4 << 20
_PARTS = re.compile(r"[#?&]([a-z])=([^&#]*)")
BEGINS = re.compile(
    r".*(?:[#?&]|%23|%3F|%26)m(?:=|%3D)(?:edit|solve)(?:&|%26)|\S*penpa-edit/\S*[#?&]p=", re.I
)
_AROUND_PLAYER = re.compile(r"[a-z]+://|(?:m\+)?(?:numlin|arukone)\w*/", re.IGNORECASE)
_ABBREVIATIONS = (
    ("z", "zZ"), ('"qa"', "z9"), ('"pu_q"', "zQ"), ('"pu_a"', "zA"), ('"grid"', "zG"), ('"edit_mode"', "zM"),
    ('"surface"', "zS"), ('"line"', "zL"), ('"lineE"', "zE"), ('"wall"', "zW"), ('"cage"', "zC"),
    ('"number"', "zN"), ('"symbol"', "zY"), ('"special"', "zP"), ('"board"', "zB"), ('"command_redo"', "zR"),
    ('"command_undo"', "zU"), ('"command_replay"', "z8"), ('"numberS"', "z1"), ('"freeline"', "zF"),
    ('"freelineE"', "z2"), ('"thermo"', "zT"), ('"arrows"', "z3"), ('"direction"', "zD"),
    ('"squareframe"', "z0"), ('"polygon"', "z5"), ('"deletelineE"', "z4"), ('"killercages"', "z6"),
    ('"nobulbthermo"', "z7"), ('"__a"', "z_"), ("null", "zO"),
)  # fmt: skip


def puzzle_address(puzzle: Puzzle) -> str:
    return f"{PLAYER}#m=solve&p={_packed(_text(puzzle, checked=False))}"


def solution_address(solution: Solution) -> str:
    """Return a web address that opens a puzzle on the website Penpa+, on which puzzles can be solved.

    The address contains the solution, so Penpa+ can check the answers of its users.
    """
    puzzle = solution.puzzle
    steps = sorted(f"{_index(puzzle.grid, a)},{_index(puzzle.grid, b)},1" for a, b in solution.edges)
    answer = json.dumps([[], steps, [], [], [], []], separators=(",", ":"))
    return f"{PLAYER}#m=solve&p={_packed(_text(puzzle, checked=True))}&a={_packed(answer)}"


def read_drawing(lines: LineReader) -> tuple[Puzzle, frozenset[Edge]]:
    """Read a puzzle and its drawn edges from a web address of the puzzle website Penpa+.

    The address may contain the solution. Then the edges of the solution are returned. Otherwise, the lines
    that the solver drew are returned.

    Raises:
        PuzzleError: the address is damaged, or has another kind of puzzle.
    """
    address = bare_address(lines.read() or "")
    parts = dict(_PARTS.findall(address) or _PARTS.findall(unquote(address)))
    # A Penpa+ address may also contain a puzzle of the puzz.link player. Then the parameter ``p`` of the
    # Penpa+ address is the puzz.link address of the puzzle.
    if _AROUND_PLAYER.match(unquote(parts.get("p", ""))):
        return parse_url(address.partition("p=")[2]), frozenset()
    if "p" not in parts:
        raise PuzzleError("a Penpa+ address without '&p=': a part is missing; short links can't be read")
    content = _expanded(_unpacked(parts["p"], "p")).split("\n")
    if len(content) < 4:
        raise PuzzleError("the Penpa+ address holds no whole puzzle: a part is missing")
    grid, numbers = _board(content)
    puzzle = Puzzle.from_numbers(grid, numbers)
    steps = _answer_steps(parts["a"]) if "a" in parts else _drawn_steps(content)
    return puzzle, frozenset(_edge(grid, step) for step in steps)


def _text(puzzle: Puzzle, *, checked: bool) -> str:
    """Return the text that describes the board in an address, before it is compressed.

    The module docstring calls this part of the address PUZZLE.

    Args:
        puzzle: the puzzle.
        checked: whether Penpa+ checks the lines that its users draw.
    """
    grid = puzzle.grid
    cells = [_index(grid, cell) for cell in range(grid.size)]
    text = fill_template(
        _TEMPLATE,
        cols=grid.cols,
        rows=grid.rows,
        cell=_CELL_PX,
        width=(grid.cols + 1) * _CELL_PX,
        height=(grid.rows + 1) * _CELL_PX,
        middle=_middle(grid.rows, grid.cols),
        surface=_json({_index(grid, cell): _BLACK for cell in sorted(grid.solids)}),
        number=_json(
            {_index(grid, cell): [n, *_NUMBER_STYLE] for cell, n in sorted(puzzle.number_at.items())}
        ),
        cells=_json([cells[0], *(after - before for before, after in pairwise(cells))]),
        checked=_json(checked),
    ).removesuffix("\n")
    for word, short in _ABBREVIATIONS:
        text = text.replace(word, short)
    return text


def _middle(rows: int, cols: int) -> int:
    """Return Penpa+'s index for the point at the centre of the board.

    Penpa+ numbers all squares first, then the lower right corners of all squares, then their lower sides,
    then their right sides.
    """
    kind = {(0, 0): 1, (0, 1): 2, (1, 0): 3, (1, 1): 0}[rows % 2, cols % 2]
    all_cols = cols + 2 * _MARGIN
    middle = ((rows - 1) // 2 + _MARGIN) * all_cols + (cols - 1) // 2 + _MARGIN
    return kind * all_cols * (rows + 2 * _MARGIN) + middle


def _index(grid: Grid, cell: Cell) -> int:
    row, col = grid.position(cell)
    return (row + _MARGIN) * (grid.cols + 2 * _MARGIN) + col + _MARGIN


def _cell(grid: Grid, index: object) -> Cell:
    text = str(index)
    if text.isascii() and text.isdigit() and len(text) < 6:
        row, col = divmod(int(text), grid.cols + 2 * _MARGIN)
        if _MARGIN <= row < grid.rows + _MARGIN and _MARGIN <= col < grid.cols + _MARGIN:
            return grid.cell(row - _MARGIN, col - _MARGIN)
    raise PuzzleError(f"found {quoted(text)} instead of the index of a square on the board")


def _edge(grid: Grid, step: str) -> Edge:
    ends = step.split(",")
    if len(ends) < 2:
        raise PuzzleError(f"found {quoted(step)} instead of a step of the answer, such as '18,19,1'")
    first, second = _cell(grid, ends[0]), _cell(grid, ends[1])
    if second not in grid.neighbours[first]:
        raise PuzzleError(
            f"the step {grid.name(first)}–{grid.name(second)} joins no two neighbouring free squares"
        )
    return edge(first, second)


def _board(lines: list[str]) -> tuple[Grid, dict[Cell, int]]:
    size = lines[0].split(",")
    if size[0] != "square" or len(size) < 3:
        raise PuzzleError(f"found {quoted(size[0])} instead of the kind of grid; only 'square' can be read")
    if lines[1].replace(" ", "") != "[0,0,0,0]":
        raise PuzzleError("the board has rows or columns left out at its sides, which can't be read")
    cols, rows = parse_side(size[1], "columns"), parse_side(size[2], "rows")
    drawn = _table(_parsed(lines[3], "the setter's layer"), "the setter's layer")
    plain = Grid(rows, cols)
    solids = []
    for index, shade in _table(drawn.get("surface", {}), "surface").items():
        if shade not in (_BLACK, _DARK_GREY):
            raise PuzzleError(
                f"{plain.name(_cell(plain, index))} is shaded in colour {quoted(str(shade))}; solid "
                "squares are black or dark grey"
            )
        solids.append(_cell(plain, index))
    numbers = _table(drawn.get("number", {}), "number")
    grid = Grid(rows, cols, frozenset(solids))
    return grid, {_cell(plain, index): _number(plain, index, value) for index, value in numbers.items()}


def _number(grid: Grid, index: str, value: object) -> int:
    text = str(value[0]) if isinstance(value, list) and value else ""
    if number := parse_number(text):
        return number
    where = grid.name(_cell(grid, index))
    raise PuzzleError(f"{where}: found {quoted(text)}; a number from 1 to {MAX_NUMBER} is allowed")


def _answer_steps(packed: str) -> list[str]:
    answer = _parsed(_unpacked(packed, "a"), "the answer")
    steps = answer[1] if isinstance(answer, list) and len(answer) > 1 else None
    if not isinstance(steps, list):
        raise PuzzleError("the answer of the Penpa+ address has no list of lines")
    return [str(step) for step in steps]


def _drawn_steps(lines: list[str]) -> list[str]:
    """Return the edges that the solver drew, such as ``18,19``.

    Only addresses that open Penpa+ for editing contain these edges.
    """
    if len(lines) < 5 or not lines[4].startswith("{"):
        return []
    drawn = _table(_parsed(lines[4], "the solver's layer"), "the solver's layer")
    return [step for step, kind in _table(drawn.get("line", {}), "line").items() if kind == _LINE]


def _table(value: object, name: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise PuzzleError(f"the Penpa+ address is damaged: {name} is no table")
    return value


def _parsed(text: str, name: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise PuzzleError(f"the Penpa+ address is damaged: {name} can't be read") from None


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def _packed(text: str) -> str:
    compressor = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.b64encode(compressor.compress(text.encode()) + compressor.flush()).decode("ascii")


def _unpacked(packed: str, part: str) -> str:
    try:
        text = unquote(packed).replace(" ", "+").rstrip("=")
        data = base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
        decompressor = zlib.decompressobj(-15)
        content = decompressor.decompress(data, _MAX_BYTES)
        if not decompressor.eof:
            raise PuzzleError(f"the Penpa+ address is damaged or too large: '&{part}=' ends too early")
        return content.decode()
    except (binascii.Error, zlib.error, ValueError):
        raise PuzzleError(f"the Penpa+ address is damaged: '&{part}=' can't be unpacked") from None


def _expanded(text: str) -> str:
    for word, short in reversed(_ABBREVIATIONS):
        text = text.replace(short, word)
        if len(text) > _MAX_BYTES:
            raise PuzzleError("the Penpa+ address holds far more than any board")
    return text
