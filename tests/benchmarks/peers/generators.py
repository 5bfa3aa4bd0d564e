"""The generators: each adapter lets a peer make boards of one size and number of pairs, on and on."""

import importlib
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count

from linkpress.engine.make.generate import generate
from linkpress.engine.recipe import Method, Recipe, Rule, Span, counted
from linkpress.puzzle.puzzle import Grid, Puzzle

from .adapters import LINKPRESS, THOMASAHLE, Peer, output, records
from .sets import board, read_coordinates


@dataclass(frozen=True)
class Size:
    """What is asked for: a square board, and how many pairs."""

    side: int
    pairs: Span

    def __str__(self):
        return f"{self.side} × {self.side} with {counted(self.pairs, 'pair')}"

    def fits(self, puzzle):
        """Whether a board is what was asked for."""
        grid = puzzle.grid
        return grid.rows == grid.cols == self.side and len(puzzle.pairs) in self.pairs


# Few pairs are hard to make unique. The last is for programs that can't be asked for a number of pairs, and
# spans what `thomasahle` makes of that side.
_EXACT = ((7, 5), (10, 7), (10, 8), (10, 11), (15, 12), (15, 16), (20, 28))
SIZES = (*(Size(side, Span(pairs, pairs)) for side, pairs in _EXACT), Size(15, Span(24, 45)))


@dataclass(frozen=True)
class Generator:
    """A peer that makes boards: ``start`` loads it, once, and gives what then makes them without end."""

    peer: Peer
    start: Callable
    takes: Callable = field(default=lambda size: True)


def _start_linkpress(path, method=Method.WALK):
    def make(size):
        recipe = Recipe(size.side, size.side, size.pairs, Span(0, 0), Rule.STRICT)
        return (generate(recipe, f"peers/{n}", method, graded=False).puzzle for n in count())

    return make


def _start_gen_py(path):
    def make(size):
        asked = [str(size.side), str(size.side), "1000000"]
        asked += ["--min", str(size.pairs.low), "--max", str(size.pairs.high)]
        command = [sys.executable, "-u", str(path), *asked, "--terminal-only", "--no-colors"]
        return (board(record.split()[2:]) for record in records(command))

    return make


def _start_go(path):
    def make(size):
        while True:
            yield board(output([str(path), f"-generate={size.side}x{size.side}"]).split()[2:])

    return make


def _start_penciloid(path):
    def make(size):
        side, pairs = str(size.side), str(size.pairs.high)
        command = [str(path), "nl-gen", "-h", side, "-w", side, "-x", pairs]
        return (_numbered_rows(record) for record in records(command))

    return make


def _numbered_rows(record):
    """A board of rows and columns, then one word a square."""
    rows, cols, *squares = record.split()
    numbers = {cell: int(word) for cell, word in enumerate(squares) if word != "."}
    return Puzzle.from_numbers(Grid(int(rows), int(cols)), numbers)


def _start_numberlink(path):
    config = importlib.import_module("numberlink.config").GeneratorConfig
    generate_level = importlib.import_module("numberlink.generator").generate_level

    def make(size):
        for seed in count():
            asked = config(
                mode="hamiltonian", width=size.side, height=size.side, colors=_middle(size.pairs), seed=seed
            )
            yield board(generate_level(asked).grid)

    return make


def _start_craftoonix(path):
    def make(size):
        asked = [str(number) for number in (size.side, size.side, _middle(size.pairs))]
        for seed in count(1):
            with tempfile.NamedTemporaryFile("r") as file:
                output([str(path), "-g", "sat", "-h", "3", "-r", str(seed), "-o", file.name, *asked])
                yield from read_coordinates(file.read())

    return make


def _middle(pairs):
    return (pairs.low + pairs.high) // 2


GEN_PY = replace(
    THOMASAHLE,
    name="gen.py",
    program="its file gen/gen.py (Python)",
    note="makes fillings without a path beside itself",
)
QUICK = replace(LINKPRESS, name="linkpress quick", note="makes boards by `method: quick`")
GENERATORS = (
    Generator(LINKPRESS, _start_linkpress),
    Generator(QUICK, partial(_start_linkpress, method=Method.QUICK)),
    Generator(GEN_PY, _start_gen_py),
    Generator(THOMASAHLE, _start_go, lambda size: size.pairs.low < size.pairs.high),
    Generator(
        Peer(
            "penciloid", "semiexp/penciloid-rust", "MIT", "1140a61", "its program `cli` (Rust)",
            "makes strict boards of at most a number of pairs",
        ),
        _start_penciloid,
    ),
    Generator(
        Peer(
            "numberlink", "misaghsoltani/NumberLink", "MIT", note="makes fillings",
            package="numberlink", module="numberlink.generator",
        ),
        _start_numberlink,
    ),
    Generator(
        Peer(
            "craftoonix", "Craftoonix/numberlink-generator-solver", "MIT", "6b3c979",
            "its program `numberlink` (C++, with minisat)", "makes boards that have a drawing",
        ),
        _start_craftoonix,
    ),
)  # fmt: skip
