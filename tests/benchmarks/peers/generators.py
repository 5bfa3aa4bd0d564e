"""The generators: each adapter lets a peer make boards of one size and number of pairs, on and on."""

from __future__ import annotations

import importlib
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from linkpress.engine.generate import generate
from linkpress.engine.recipe import Recipe, Rule, Span
from linkpress.puzzle.puzzle import Puzzle

from .adapters import LINKPRESS, Peer, output, records
from .sets import board, read_coordinates

Make = Callable[[int, int], Iterator[Puzzle]]  # side, pairs


@dataclass(frozen=True)
class Generator:
    """A peer that makes boards.

    Args:
        promises: what it says of a board's solutions.
        start: loads it, once, and gives what then makes boards without end.
    """

    peer: Peer
    promises: str
    start: Callable[[Path | None], Make]


def _start_linkpress(path: Path | None) -> Make:
    def make(side: int, pairs: int) -> Iterator[Puzzle]:
        recipe = Recipe(side, side, Span(pairs, pairs), Span(0, 0), Rule.STRICT)
        return (generate(recipe, f"peers/{n}", graded=False).puzzle for n in count())

    return make


def _start_gen_py(path: Path | None) -> Make:
    def make(side: int, pairs: int) -> Iterator[Puzzle]:
        limits = ["--min", str(pairs), "--max", str(pairs)]
        size = [str(side), str(side), "1000000"]
        command = [sys.executable, "-u", str(path), *size, *limits, "--terminal-only", "--no-colors"]
        return (board(record.split()[2:]) for record in records(command))

    return make


def _start_go(path: Path | None) -> Make:
    def make(side: int, pairs: int) -> Iterator[Puzzle]:
        while True:
            yield board(output([str(path), f"-generate={side}x{side}"]).split()[2:])

    return make


def _start_numberlink(path: Path | None) -> Make:
    config = importlib.import_module("numberlink.config").GeneratorConfig
    generate_level = importlib.import_module("numberlink.generator").generate_level

    def make(side: int, pairs: int) -> Iterator[Puzzle]:
        for seed in count():
            asked = config(mode="hamiltonian", width=side, height=side, colors=pairs, seed=seed)
            yield board(generate_level(asked).grid)

    return make


def _start_craftoonix(path: Path | None) -> Make:
    def make(side: int, pairs: int) -> Iterator[Puzzle]:
        for seed in count(1):
            with tempfile.NamedTemporaryFile("r") as file:
                output(
                    [
                        str(path),
                        "-g",
                        "sat",
                        "-h",
                        "3",
                        "-r",
                        str(seed),
                        "-o",
                        file.name,
                        *map(str, (side, side, pairs)),
                    ]
                )
                yield from read_coordinates(file.read())

    return make


GENERATORS = (
    Generator(LINKPRESS, "one strict drawing, proven", _start_linkpress),
    Generator(
        Peer(
            "gen.py",
            "https://github.com/thomasahle/numberlink",
            "AGPL 3.0",
            release="ba9d670",
            program="its file gen/gen.py (Python)",
        ),
        "no path beside itself",
        _start_gen_py,
    ),
    Generator(
        Peer(
            "thomasahle",
            "https://github.com/thomasahle/numberlink",
            "AGPL 3.0",
            release="ba9d670",
            program="its program `numberlink` (Go)",
            note="the number of pairs can't be asked for",
        ),
        "a filling",
        _start_go,
    ),
    Generator(
        Peer(
            "numberlink",
            "https://github.com/misaghsoltani/NumberLink",
            "MIT",
            package="numberlink",
            module="numberlink.generator",
        ),
        "a filling",
        _start_numberlink,
    ),
    Generator(
        Peer(
            "craftoonix",
            "https://github.com/Craftoonix/numberlink-generator-solver",
            "MIT",
            release="6b3c979",
            program="its program `numberlink` (C++, with minisat)",
        ),
        "a drawing",
        _start_craftoonix,
    ),
)
