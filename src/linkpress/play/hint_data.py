"""This module packs the ladder's steps in few bytes, which the player gives away one at a time.

A step is a sentence with squares and numbers in it. Most sentences of a book differ in these alone, so
that a page holds each wording once, with gaps (``{c}`` a square, ``{n}`` a number), and for each step which
wording it is, what it draws and what stands in the gaps. The steps of a puzzle are found without a language;
its words come in once for each sentence.

Steps that are read at a glance are told a few in one sentence. A step that rules edges out is kept where a
later step needs it as a reason: where it closes a way out of a square on which that step rests alone. What
follows from a supposition is drawn in numbered arrows; it is packed as its squares, not as words.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from linkpress.engine.explain.clauses import ChainLink
from linkpress.engine.explain.phrase_tree import Blank, BlankedText, read_blanked
from linkpress.engine.explain.steps import Step, combine_steps, explain_climb
from linkpress.engine.recipe import Grade, Rule
from linkpress.engine.solve.ladder import climb_ladder, position_of
from linkpress.engine.techniques import TOP_RUNG, highest_rung
from linkpress.puzzle.puzzle import Cell, Edge, Grid, Puzzle
from linkpress.words.language import Words

# How far a board is climbed that no rung finishes: the rest leads nowhere, and took 70 seconds of a board of
# 50 × 50 where this takes 0.2.
UNGRADED_RUNG = highest_rung(Grade.MEDIUM)
# Below a board on a telephone nobody reads more than two lines. On 60 boards the templates and steps take
# 20.7 kB with one line in a sentence, 21.3 with two, 24.9 with three and 27.2 with six.
MOST_LINES = 3


class StepCode(NamedTuple):
    """A step code is a step in the form in which it travels to the page.

    Args:
        sentence: as ``BlankedText`` spells it, which travels between processes in a tenth of the tree's time.
        values: what stands in its blanks.
        drawn: whether edges are drawn; else they are ruled out.
        runs: these edges, as squares one behind the other.
        rests: the squares that it rests on.
        reasons: how many steps before it each step stands that it rests on.
        chain: what follows from its supposition, as ``_chain`` writes it.
    """

    sentence: str
    values: tuple[int, ...]
    drawn: bool
    runs: tuple[tuple[Cell, ...], ...]
    rests: tuple[Cell, ...]
    reasons: tuple[int, ...]
    chain: tuple[int, ...]


def steps_of(puzzle: Puzzle, rule: Rule, grade: Grade | None) -> tuple[StepCode, ...]:
    """Return the steps of a puzzle that the player gives away one at a time, in some 0.01 s for 10 × 10."""
    highest = UNGRADED_RUNG if grade is None else TOP_RUNG
    sentences: dict[str, str] = {}  # each once: it is sent to another process, and most come again
    codes: list[StepCode] = []
    for step, reasons in hinted_steps(puzzle, rule, highest):
        blanked = BlankedText(step.sentence, puzzle.grid.cols)
        codes.append(
            StepCode(
                sentences.setdefault(blanked.text, blanked.text),
                tuple(blanked.values),
                bool(step.drawn),
                _runs(step.drawn or step.ruled_out, blanked.blank_of),
                step.cells,
                tuple(len(codes) - place for place in reasons),
                _chain(puzzle.grid, step.chain),
            )
        )
    return tuple(codes)


def pack_hints(hints: Iterable[tuple[Grid, Sequence[StepCode]]], words: Words) -> dict[str, str]:
    """Pack the steps of a page's puzzles: ``templates`` and streams of numbers, deflated, in base64."""
    packer = _Packer(words)
    for grid, steps in hints:
        packer.put("kinds", len(steps))
        for step in steps:
            packer.put_step(grid, step)
    templates = json.dumps(list(packer.templates), ensure_ascii=False, separators=(",", ":"))
    return {
        "templates": _deflated(templates.encode()),
        **{name: _deflated(bytes(stream)) for name, stream in packer.streams.items()},
    }


class _Packer:
    """A packer writes steps into streams, each compressed by itself.

    ``kinds`` are templates, counts, reasons and chains; ``places`` squares by their places among those
    that are known, and printed numbers; ``cells`` other squares, each by its distance from the one before;
    ``ways`` the directions of runs. In one stream the steps of 200 puzzles took 81 kB, in four 65.
    """

    def __init__(self, words: Words) -> None:
        self.words = words
        self.templates: dict[tuple[str, int], int] = {}
        self.streams = {name: bytearray() for name in ("kinds", "places", "cells", "ways")}
        self.blanked: dict[str, tuple[str, list[Blank]]] = {}
        self.cell = 0

    def put(self, stream: str, *values: int) -> None:
        for value in values:
            self.streams[stream] += _varint(value)

    def put_step(self, grid: Grid, step: StepCode) -> None:
        if step.sentence not in self.blanked:
            self.blanked[step.sentence] = _gapped(step.sentence, self.words)
        text, blanks = self.blanked[step.sentence]
        self.put("kinds", self.templates.setdefault((text, int(step.drawn)), len(self.templates)))
        self.put("kinds", len(step.runs))
        for run in step.runs:
            self.put("kinds", len(run) - 1)
            self.put_cell(run[0])
            self.put("ways", *(_way(grid, cell, to) for cell, to in pairwise(run)))
            self.cell = run[-1]
        drawn = [cell for run in step.runs for cell in run]
        named = [step.values[blank.place] for blank in blanks if blank.is_square]
        self.put_among(drawn, named)
        self.put("places", *(step.values[blank.place] for blank in blanks if not blank.is_square))
        if set(step.rests) == set(named):
            self.put("kinds", 0)
        else:
            self.put("kinds", 1 + len(step.rests))
            self.put_among(named + drawn, step.rests)
        self.put("kinds", len(step.reasons), *step.reasons, *step.chain)

    def put_among(self, known: Sequence[Cell], cells: Iterable[Cell]) -> None:
        """Write squares by their places among known ones, from behind the last; others by themselves."""
        after = 0
        for cell in cells:
            if cell in known:
                self.put("places", 1 + _unsigned(known.index(cell) - after))
                after = known.index(cell) + 1
            else:
                self.put("places", 0)
                self.put_cell(cell)

    def put_cell(self, cell: Cell) -> None:
        self.put("cells", _unsigned(cell - self.cell))
        self.cell = cell


def hinted_steps(puzzle: Puzzle, rule: Rule, highest: int = TOP_RUNG) -> list[tuple[Step, tuple[int, ...]]]:
    """Return the steps up to a rung that draw lines, or on which these rest, with their reasons' places."""
    steps: list[Step] = []
    resting: set[Cell] = set()
    for step in reversed(list(explain_climb(puzzle, climb_ladder(position_of(puzzle, rule), highest)))):
        if step.drawn:
            resting.update(_rests_on(step))
            steps.append(step)
        elif any(cell in resting for ruled_out in step.ruled_out for cell in ruled_out):
            steps.append(step)
    single = iter(steps[::-1])
    hints: list[tuple[Step, tuple[int, ...]]] = []
    closed_at: dict[Cell, list[int]] = {}
    for joint in combine_steps(puzzle, steps[::-1], MOST_LINES):
        rests: set[Cell] = set()
        closes: set[Cell] = set()
        left = len(joint.drawn) + len(joint.ruled_out)
        while left:
            step = next(single)
            left -= len(step.drawn) + len(step.ruled_out)
            if step.drawn:
                rests.update(_rests_on(step))
            else:
                closes.update(cell for ruled_out in step.ruled_out for cell in ruled_out)
        reasons = {place for cell in rests for place in closed_at.get(cell, ())}
        for cell in closes:
            closed_at.setdefault(cell, []).append(len(hints))
        hints.append((joint, tuple(sorted(reasons))))
    return hints


def _rests_on(step: Step) -> tuple[Cell, ...]:
    """Return the square whose last way out is taken; nothing where the sentence says its reasons."""
    return step.cells if len(step.cells) == 1 else ()


def _runs(edges: Iterable[Edge], blank_of: Mapping[Cell, int]) -> tuple[tuple[Cell, ...], ...]:
    """Join edges into runs, in the order in which the sentence names their squares."""
    beside: dict[Cell, list[Cell]] = {}
    for a, b in edges:
        beside.setdefault(a, []).append(b)
        beside.setdefault(b, []).append(a)
    runs: list[list[Cell]] = []
    for start in sorted(beside, key=lambda cell: len(beside[cell]) > 1):
        while beside[start]:
            run = [start]
            while beside[run[-1]]:
                to = beside[run[-1]].pop()
                beside[to].remove(run[-1])
                run.append(to)
            runs.append(min(run, run[::-1], key=lambda way: blank_of.get(way[0], len(blank_of))))
    return tuple(sorted(map(tuple, runs), key=lambda run: blank_of.get(run[0], len(blank_of))))


def _way(grid: Grid, cell: Cell, to: Cell) -> int:
    """Return the direction of a neighbour: up, left, right or down."""
    return {-1: 1, 1: 2, -grid.cols: 0, grid.cols: 3}[to - cell]


def _chain(grid: Grid, chain: Sequence[ChainLink]) -> tuple[int, ...]:
    """Write the number of links, and each link as a kind and its squares or number.

    The kind of a way has two bits for its direction, then 0 for an arrow and 4 for a cross; 8 is a square
    that gets a number. With 16 a link belongs to the chain that leads to the next one.
    """
    written = [len(chain)]
    for link in chain:
        first, last = link.cells[0], link.cells[-1]
        nested = 0 if link.mark.isdigit() else 16
        if link.number > 0:
            written += (8 + nested, first, link.number)
        else:
            written += (_way(grid, first, last) + (4 if link.number else 0) + nested, first)
    return tuple(written)


def _gapped(sentence: str, words: Words) -> tuple[str, list[Blank]]:
    """Put a sentence into words with gaps, and return its blanks in the order in which they stand there."""
    pieces = list(words.steps.pieces(read_blanked(sentence)))
    text = "".join(
        ("{c}" if piece.is_square else "{n}") if isinstance(piece, Blank) else str(piece) for piece in pieces
    )
    return text, [piece for piece in pieces if isinstance(piece, Blank)]


def _unsigned(value: int) -> int:
    """Map 0, -1, 1, -2, 2 … to 0, 1, 2, 3, 4 …."""
    return 2 * value if value >= 0 else -2 * value - 1


def _varint(value: int) -> bytes:
    """Write a number in seven bits a byte, the lowest first; the top bit says that more bytes follow."""
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def _deflated(data: bytes) -> str:
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.b64encode(squeeze.compress(data) + squeeze.flush()).decode("ascii")
