"""The ladder's steps in few bytes, for the player to give away one at a time.

A step is a sentence with squares and numbers in it. Most sentences of a book differ in these alone,
so that a page holds each wording once, as a template with gaps (``{c}`` a square, ``{n}`` a number),
and for each step which template it is and what stands in the gaps. Which squares a step rests on and
which edges it settles is told by the gaps as well, where these name them. The steps of a puzzle are
found without a language; its words come in once for each template.

Steps that are read at a glance are told a few in one sentence. A step that rules edges out is kept where a
later step needs it as a reason: where it closes a way out of a square on which that step rests alone. What
follows from a supposition is drawn in numbered arrows; it is packed as its squares, not as words.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from linkpress.engine.explain.chain_telling import ChainLink
from linkpress.engine.explain.joint_telling import tell_jointly
from linkpress.engine.explain.phrase_tree import Blank, BlankedText, read_blanked
from linkpress.engine.explain.telling import Step, explain_climb
from linkpress.engine.recipe import Grade, Rule
from linkpress.engine.solve.ladder import climb_ladder, position_of
from linkpress.engine.techniques import TOP_RUNG, highest_rung
from linkpress.puzzle.grid import Cell, Edge, Grid
from linkpress.puzzle.puzzle import Puzzle
from linkpress.words.wording import Words

# How far a board is climbed that no rung finishes: the rest leads nowhere, and took 70 seconds of a board of
# 50 × 50 where this takes 0.2.
UNGRADED_RUNG = highest_rung(Grade.MEDIUM)
# Below a board on a telephone nobody reads more than two lines. On 60 boards the templates and steps take
# 20.7 kB with one line in a sentence, 21.3 with two, 24.9 with three and 27.2 with six.
MOST_LINES = 3

Template: TypeAlias = tuple[str, int, tuple[int, ...], tuple[tuple[int, int | str], ...], int]
"""Text, 1 where edges are drawn and 0 where they are ruled out, the gaps of the squares that it rests
on, for each edge the gap of one end with the gap of the other or the way to it, the number of gaps."""


class StepShape(NamedTuple):
    """What steps have in common that differ in squares and numbers alone: a template without words.

    Args:
        sentence: as ``BlankedText`` spells it, which travels between processes in a tenth of the tree's time.
        drawn: whether edges are drawn; else they are ruled out.
        rests: the gaps of the squares that it rests on.
        edges: for each, the gap of one end with the gap of the other or the way to it.
        gaps: how many there are, those that the sentence lacks at the end.
    """

    sentence: str
    drawn: bool
    rests: tuple[int, ...]
    edges: tuple[tuple[int, int | str], ...]
    gaps: int


class StepCode(NamedTuple):
    """One step as it travels.

    Args:
        shape: what it has in common with others.
        values: what stands in the gaps.
        reasons: how many steps before it each of those stands that it rests on.
        chain: what follows from its supposition, as ``_chain`` writes it.
    """

    shape: StepShape
    values: tuple[int, ...]
    reasons: tuple[int, ...]
    chain: tuple[int, ...]


def steps_of(puzzle: Puzzle, rule: Rule, grade: Grade | None) -> tuple[StepCode, ...]:
    """Return the steps of a puzzle that the player gives away, one at a time.

    This takes about a hundredth of a second for a board of 10 × 10.

    Args:
        puzzle: of which one solution is proven.
        rule: under which.
        grade: None where no rung finishes the board.
    """
    highest = UNGRADED_RUNG if grade is None else TOP_RUNG
    shapes: dict[StepShape, StepShape] = {}  # each once: it is sent to another process, and most come again
    codes: list[StepCode] = []
    for step, reasons in hinted_steps(puzzle, rule, highest):
        shape, values = _split(puzzle.grid, step)
        back = tuple(len(codes) - place for place in reasons)
        codes.append(StepCode(shapes.setdefault(shape, shape), values, back, _chain(puzzle.grid, step.chain)))
    return tuple(codes)


def pack_hints(hints: Iterable[Sequence[StepCode]], words: Words) -> dict[str, str]:
    """Pack the steps of all puzzles of a page, which may be none.

    Args:
        words: of the page.
    Returns:
        JSON values: ``templates``, and ``steps`` of all puzzles in a row; raw deflate in base64.
    """
    templates_of: dict[StepShape, tuple[Template, list[int]]] = {}
    numbers: dict[Template, int] = {}
    packed = bytearray()
    for steps in hints:
        packed += _varint(len(steps))
        for shape, values, reasons, chain in steps:
            if shape not in templates_of:
                templates_of[shape] = _template(shape, words)
            template, order = templates_of[shape]
            packed += _varint(numbers.setdefault(template, len(numbers)))
            for gap in order:
                packed += _varint(values[gap])
            for value in (len(reasons), *reasons, *chain):
                packed += _varint(value)
    templates = json.dumps(list(numbers), ensure_ascii=False, separators=(",", ":"))
    return {"templates": _deflated(templates.encode()), "steps": _deflated(bytes(packed))}


def hinted_steps(puzzle: Puzzle, rule: Rule, highest: int = TOP_RUNG) -> list[tuple[Step, tuple[int, ...]]]:
    """Return the steps of a puzzle's climb that draw lines, and those that they rest on.

    Args:
        puzzle: of which one solution is proven.
        rule: under which.
        highest: the last rung that may be used.
    Returns:
        The steps, each with the places of its reasons before it.
    """
    steps: list[Step] = []
    resting: set[Cell] = set()
    for step in reversed(list(explain_climb(puzzle, climb_ladder(position_of(puzzle, rule), highest)))):
        if step.drawn:
            resting.update(_rests_on(step))
            steps.append(step)
        elif any(cell in resting for ruled_out in step.ruled_out for cell in ruled_out):
            steps.append(step)
    single = iter(steps[::-1])
    told: list[tuple[Step, tuple[int, ...]]] = []
    closed_at: dict[Cell, list[int]] = {}
    for joint in tell_jointly(puzzle, steps[::-1], MOST_LINES):
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
            closed_at.setdefault(cell, []).append(len(told))
        told.append((joint, tuple(sorted(reasons))))
    return told


def _rests_on(step: Step) -> tuple[Cell, ...]:
    """Return the square whose last way out is taken; nothing where the sentence says its reasons."""
    return step.cells if len(step.cells) == 1 else ()


def _split(grid: Grid, step: Step) -> tuple[StepShape, tuple[int, ...]]:
    """Split a step into its shape and what stands in its gaps, last the squares that the sentence lacks."""
    sentence = BlankedText(step.sentence, grid.cols)
    values, gap_of = sentence.values, sentence.blank_of
    edges = step.drawn or step.ruled_out
    ends = [_ends(edge, gap_of, sentence.ways, grid.cols) for edge in edges]
    unnamed = [cell for edge, gaps in zip(edges, ends, strict=True) if gaps is None for cell in edge]
    for cell in (*step.cells, *unnamed):
        if cell not in gap_of:
            gap_of[cell] = len(values)
            values.append(cell)
    settled = (gaps or (gap_of[a], gap_of[b]) for (a, b), gaps in zip(edges, ends, strict=True))
    rests = tuple([gap_of[cell] for cell in step.cells])
    return StepShape(sentence.text, bool(step.drawn), rests, tuple(settled), len(values)), tuple(values)


def _chain(grid: Grid, chain: Sequence[ChainLink]) -> tuple[int, ...]:
    """Write how many links there are, and each as a kind and its squares or number.

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
            way = {-grid.cols: 0, -1: 1, 1: 2, grid.cols: 3}[last - first]
            written += (way + (4 if link.number else 0) + nested, first)
    return tuple(written)


def _ends(
    edge: Edge, gap_of: Mapping[Cell, int], ways: Collection[str], cols: int
) -> tuple[int, int | str] | None:
    """Return the gaps that name an edge; None where they don't."""
    a, b = edge
    if a in gap_of and b in gap_of:
        return gap_of[a], gap_of[b]
    forth, back = ("right", "left") if b - a == 1 else ("down", "up")
    if a in gap_of and forth in ways:
        return gap_of[a], forth
    if b in gap_of and back in ways:
        return gap_of[b], back
    return None


def _template(shape: StepShape, words: Words) -> tuple[Template, list[int]]:
    """Put a shape into words, and return its gaps in the order in which they stand there."""
    text, order = "", []
    for piece in words.steps.pieces(read_blanked(shape.sentence)):
        if isinstance(piece, Blank):
            order.append(piece.place)
            piece = "{c}" if piece.is_square else "{n}"
        text += str(piece)
    order += range(len(order), shape.gaps)
    place = {gap: position for position, gap in enumerate(order)}
    rests = tuple(place[gap] for gap in shape.rests)
    edges = tuple((place[end], to if isinstance(to, str) else place[to]) for end, to in shape.edges)
    return (text, int(shape.drawn), rests, edges, shape.gaps), order


def _varint(value: int) -> bytes:
    """Write seven bits a byte, the lowest first; the top bit says that more follow."""
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def _deflated(data: bytes) -> str:
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.b64encode(squeeze.compress(data) + squeeze.flush()).decode("ascii")
