"""Hints for the play page: the steps that solve each puzzle, compressed.

A step has a short caption, which is shown on the page, and a longer sentence that names all squares, which is
read aloud by screen readers. It also has the edges that it draws or rules out, and the earlier steps from
which it follows.

The captions and sentences of many steps differ only in the squares and numbers. So the page stores each
different caption and its sentence only once, as a template with gaps: ``{c}`` for a square and ``{n}`` for a
number. Each step then has the index of its template, its edges and the values for the gaps. Only the
templates are translated, so the rest of a step is the same in all languages.

Steps that a reader sees at a glance are combined into one.

If a step follows from a supposition, the page shows the consequences of the supposition on the board as
numbered arrows. So these consequences are stored as squares, not as words.
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
from linkpress.engine.ladder import TOP_RUNG, climb_ladder, highest_rung, position_of
from linkpress.engine.recipe import Grade, Rule
from linkpress.puzzle.puzzle import Cell, Edge, Grid, Puzzle
from linkpress.words import Words

# The hardest technique to use for hints on a board that no technique can finish. The hints of a board of
# 50 × 50 squares took 70 s with all techniques, and 0.2 s with the techniques up to this one.
UNGRADED_RUNG = highest_rung(Grade.MEDIUM)
# Maximum number of lines that one sentence draws, so that the text is short enough for a phone. The hints of
# 60 boards take 20.7 kB with 1 line in each sentence, 21.3 kB with 2, 24.9 kB with 3 and 27.2 kB with 6.
MOST_LINES = 3


class StepCode(NamedTuple):
    """One step of solving a puzzle, encoded for the page.

    Args:
        technique: the name of the hardest technique that the step needs.
        sentence: the sentence that explains the step, as the text of a ``BlankedText``. Sending this text to
            another process is ten times faster than sending the sentence itself.
        caption: the short caption of the step, also as the text of a ``BlankedText``.
        values: the squares and numbers for the blanks of the sentence, then for the blanks of the caption.
        drawn: True if the step draws its edges, False if it rules them out. A step that gives a number to a
            square has no edges.
        runs: the edges as runs. A run is a sequence of squares, each next to the previous one.
        rests: the squares from whose state the step follows.
        reasons: the earlier steps that this one needs, each as the number of steps to go back.
        chain: the consequences of a supposition, encoded by ``_chain``.
    """

    technique: str
    sentence: str
    caption: str
    values: tuple[int, ...]
    drawn: bool
    runs: tuple[tuple[Cell, ...], ...]
    rests: tuple[Cell, ...]
    reasons: tuple[int, ...]
    chain: tuple[int, ...]


def hint_steps(puzzle: Puzzle, rule: Rule, technique: Grade | None) -> tuple[StepCode, ...]:
    """Return the steps that solve a puzzle, for the hints of the page. A board of 10 × 10 takes about 0.01 s.

    Args:
        puzzle: the puzzle.
        rule: the rule by which the puzzle has one solution. The steps may use this rule.
        technique: the grade of the hardest technique that the puzzle needs; None if the techniques can't
            finish it.
    """
    highest = UNGRADED_RUNG if technique is None else TOP_RUNG
    # Equal sentences share one string, so that less data is sent to another process.
    sentences: dict[str, str] = {}
    codes: list[StepCode] = []
    for step, reasons in kept_steps(puzzle, rule, highest):
        sentence, caption = (
            BlankedText(text, puzzle.grid.cols) for text in (step.sentence, step.caption(puzzle.grid))
        )
        codes.append(
            StepCode(
                step.technique,
                sentences.setdefault(sentence.text, sentence.text),
                sentences.setdefault(caption.text, caption.text),
                (*sentence.values, *caption.values),
                bool(step.drawn),
                _runs(step.drawn or step.ruled_out, sentence.blank_of),
                step.cells,
                tuple(len(codes) - place for place in reasons),
                _chain(puzzle.grid, step.chain or _closed_ways(step)),
            )
        )
    return tuple(codes)


def pack_hints(hints: Iterable[tuple[Grid, Sequence[StepCode]]], words: Words) -> dict[str, str]:
    """Compress the steps of all puzzles of a page.

    Args:
        hints: the grid and the steps of each puzzle.
        words: the phrases of the page's language.
    Returns:
        The sentences and captions, under the key ``templates``, and the numbers that encode the steps, under
        the names of the streams of ``_Packer``. Every value is compressed by deflate and written in base64.
    """
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
    """Writer of steps into four streams of numbers, which are compressed separately.

    - ``kinds``: templates, counts, reasons and chains
    - ``places``: printed numbers, and squares by their index in a list of known squares
    - ``cells``: other squares, each as the distance from the previous one
    - ``ways``: the directions from square to square in runs

    The steps of 200 puzzles take 65 kB in four streams, and would take 81 kB in one.
    """

    def __init__(self, words: Words) -> None:
        self.words = words
        self.templates: dict[tuple[str, str, int], int] = {}
        self.streams = {name: bytearray() for name in ("kinds", "places", "cells", "ways")}
        self.blanked: dict[tuple[str, str], tuple[str, list[Blank]]] = {}
        self.cell = 0

    def put(self, stream: str, *values: int) -> None:
        for value in values:
            self.streams[stream] += _varint(value)

    def put_step(self, grid: Grid, step: StepCode) -> None:
        both = step.sentence, step.caption
        if both not in self.blanked:
            (sentence, blanks), (caption, more) = (_gapped(text, self.words) for text in both)
            blanks += [blank._replace(place=blank.place + len(blanks)) for blank in more]
            self.blanked[both] = f"{sentence}\n{caption}", blanks
        text, blanks = self.blanked[both]
        template = text, step.technique.replace("-", "_"), int(step.drawn)
        self.put("kinds", self.templates.setdefault(template, len(self.templates)))
        self.put("kinds", len(step.runs))
        for run in step.runs:
            self.put("kinds", len(run) - 1)
            self.put_cell(run[0])
            self.put("ways", *(_direction(grid, cell, to) for cell, to in pairwise(run)))
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
        """Write squares to the streams.

        A square in ``known`` is written as its index, relative to the index of the square before. Any other
        square is written as a zero, and in the stream ``cells`` as its distance from the previous square.
        """
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


def kept_steps(puzzle: Puzzle, rule: Rule, highest: int = TOP_RUNG) -> list[tuple[Step, tuple[int, ...]]]:
    """Return the steps that solve a puzzle, each with the indexes of the earlier steps that it needs.

    Args:
        puzzle: the puzzle.
        rule: the rule by which the puzzle has one solution.
        highest: the hardest technique to use.
    """
    climb = climb_ladder(position_of(puzzle, rule), highest)
    steps = list(combine_steps(puzzle, explain_climb(puzzle, climb), MOST_LINES))
    index_of = {place: index for index, step in enumerate(steps) for place in step.places}
    return [(step, tuple(sorted({index_of[place] for place in step.needs}))) for step in steps]


def _runs(edges: Iterable[Edge], blank_of: Mapping[Cell, int]) -> tuple[tuple[Cell, ...], ...]:
    """Join edges into runs, which are sequences of neighbouring squares.

    Args:
        edges: the edges of a step.
        blank_of: the place of each square in the sentence that explains the step. The runs are sorted by the
            place of their first square.
    """
    neighbours: dict[Cell, list[Cell]] = {}
    for a, b in edges:
        neighbours.setdefault(a, []).append(b)
        neighbours.setdefault(b, []).append(a)
    runs: list[list[Cell]] = []
    for start in sorted(neighbours, key=lambda cell: len(neighbours[cell]) > 1):
        while neighbours[start]:
            run = [start]
            while neighbours[run[-1]]:
                to = neighbours[run[-1]].pop()
                neighbours[to].remove(run[-1])
                run.append(to)
            runs.append(min(run, run[::-1], key=lambda run: blank_of.get(run[0], len(blank_of))))
    return tuple(sorted(map(tuple, runs), key=lambda run: blank_of.get(run[0], len(blank_of))))


def _direction(grid: Grid, cell: Cell, to: Cell) -> int:
    return {-1: 1, 1: 2, -grid.cols: 0, grid.cols: 3}[to - cell]


def _closed_ways(step: Step) -> list[ChainLink]:
    """Return the edges that a step rules out before it draws a line. Its picture shows them as crosses.

    The list is empty if the step draws nothing, or if it combines several steps.
    """
    is_single = len(step.places) == 1 and bool(step.drawn)
    return [ChainLink("", edge, -1) for edge in step.ruled_out if is_single]


def _chain(grid: Grid, chain: Sequence[ChainLink]) -> tuple[int, ...]:
    """Encode the consequences of a supposition, which are called links.

    The result has the number of links, then the kind and the square of each link. Kinds 0 to 3 are an arrow
    from the square in one of four directions. Kinds 4 to 7 are a cross on the side in that direction. Kind 8
    means that the square gets a number, which comes after the square. If the link belongs to a second
    supposition inside the first, 16 is added to its kind. If the link continues the line of the link before
    it, the link is not numbered on the board, and 32 is added.
    """
    encoded = [len(chain)]
    for link in chain:
        first, last = link.cells[0], link.cells[-1]
        nested = 0 if link.mark.isdigit() else 16 if link.mark else 32
        if link.number > 0:
            encoded += (8 + nested, first, link.number)
        else:
            encoded += (_direction(grid, first, last) + (4 if link.number else 0) + nested, first)
    return tuple(encoded)


def _gapped(sentence: str, words: Words) -> tuple[str, list[Blank]]:
    """Return a sentence as a text with gaps, ``{c}`` and ``{n}``, and its blanks in the order of the gaps."""
    pieces = list(words.steps.pieces(read_blanked(sentence)))
    text = "".join(
        ("{c}" if piece.is_square else "{n}") if isinstance(piece, Blank) else str(piece) for piece in pieces
    )
    return text, [piece for piece in pieces if isinstance(piece, Blank)]


def _unsigned(value: int) -> int:
    """Map the integers 0, -1, 1, -2, 2 to 0, 1, 2, 3, 4, and so on."""
    return 2 * value if value >= 0 else -2 * value - 1


def _varint(value: int) -> bytes:
    """Encode a number with seven bits in each byte, lowest bits first.

    The top bit of a byte is set if more bytes follow.
    """
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def _deflated(data: bytes) -> str:
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.b64encode(squeeze.compress(data) + squeeze.flush()).decode("ascii")
