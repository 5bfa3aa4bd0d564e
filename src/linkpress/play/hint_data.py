"""The ladder's steps in few bytes, for the player to give away one at a time.

A step is a sentence with squares and numbers in it. Most sentences of a book differ in these alone,
so that a page holds each wording once, as a template with gaps (``{c}`` a square, ``{n}`` a number),
and for each step which template it is and what stands in the gaps. Which squares a step rests on and
which edges it settles is told by the gaps as well, where these name them.

A step that rules edges out is kept where a later step needs it as a reason: where it closes a way
out of the one square on which that step rests.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterable, Sequence

from linkpress.engine.grade import GRADES
from linkpress.engine.ladder import TOP_RUNG, climb_ladder, position_of
from linkpress.engine.recipe import Grade, Rule
from linkpress.engine.steps import Step, tell_climb
from linkpress.puzzle.grid import Cell, Edge, Grid
from linkpress.puzzle.puzzle import Puzzle
from linkpress.words.words import Words

_GAPS = re.compile(r"\br(\d+)c(\d+)\b|\b(\d+)(?=s?\b)")
_WAYS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}

# How far a board is climbed that no rung finishes: the rest leads nowhere, and took 70 seconds of a board of
# 50 × 50 where this takes 0.2.
UNGRADED_RUNG = max(rung for rung, grade in GRADES.items() if grade <= Grade.MEDIUM)

Template = tuple[str, int, tuple[int, ...], tuple[tuple[int, int | str], ...], int]
"""Text, 1 where edges are drawn and 0 where they are ruled out, the gaps of the squares that it rests
on, for each edge the gap of one end with the gap of the other or the way to it, the number of gaps."""


StepCode = tuple[Template, tuple[int, ...], str]
"""A step: its template, what stands in the gaps, and its technique's name."""


def steps_of(puzzle: Puzzle, rule: Rule, grade: Grade | None) -> tuple[StepCode, ...]:
    """The steps of a puzzle that the player gives away, one at a time.

    This takes about a hundredth of a second for a board of 10 × 10.

    Args:
        puzzle: of which one solution is proven.
        rule: under which.
        grade: None where no rung finishes the board.
    """
    highest = UNGRADED_RUNG if grade is None else TOP_RUNG
    steps = told_steps(puzzle, rule, highest)
    return tuple((*_split(puzzle.grid, step), step.technique) for step in steps)


def pack_hints(hints: Iterable[Sequence[StepCode]], words: Words) -> dict[str, str]:
    """The steps of all puzzles of a page, none where a puzzle has none.

    Args:
        words: of the page; where these are not English, a step says its technique in place of its sentence.
    Returns:
        JSON values: ``templates``, and ``steps`` of all puzzles in a row; raw deflate in base64.
    """
    numbers: dict[Template, int] = {}
    packed = bytearray()
    for steps in hints:
        packed += _varint(len(steps))
        for template, values, technique in steps:
            if not words.is_english:
                template = (words.techniques.named(technique), *template[1:])
            packed += _varint(numbers.setdefault(template, len(numbers)))
            for value in values:
                packed += _varint(value)
    templates = json.dumps(list(numbers), ensure_ascii=False, separators=(",", ":"))
    return {"templates": _deflated(templates.encode()), "steps": _deflated(bytes(packed))}


def told_steps(puzzle: Puzzle, rule: Rule, highest: int = TOP_RUNG) -> list[Step]:
    """The steps of a puzzle's climb that draw lines, each after the reasons that it rests on.

    Args:
        puzzle: of which one solution is proven.
        rule: under which.
        highest: the last rung that may be used.
    """
    kept: list[Step] = []
    resting: set[Cell] = set()
    for step in reversed(list(tell_climb(puzzle, climb_ladder(position_of(puzzle, rule), highest)))):
        if step.drawn:
            if len(step.cells) == 1:
                resting.update(step.cells)
            kept.append(step)
        elif any(cell in resting for ruled_out in step.ruled_out for cell in ruled_out):
            kept.append(step)
    return kept[::-1]


def _split(grid: Grid, step: Step) -> tuple[Template, tuple[int, ...]]:
    """A step as a template and what stands in its gaps; squares that the text lacks come behind it."""
    text, gaps = _gaps(grid, step.text)
    edges = step.drawn or step.ruled_out
    cells = [gap for gap in gaps if gap[0]]
    ends = [_ends(grid, one, text, gaps) for one in edges]
    missing = [cell for cell in step.cells if (True, cell) not in cells]
    missing += [cell for one, told in zip(edges, ends, strict=True) if told is None for cell in one]
    gaps += [(True, cell) for cell in dict.fromkeys(missing) if (True, cell) not in gaps]
    told = tuple(
        end or (gaps.index((True, one[0])), gaps.index((True, one[1])))
        for one, end in zip(edges, ends, strict=True)
    )
    rests = tuple(gaps.index((True, cell)) for cell in step.cells)
    return (text, int(bool(step.drawn)), rests, told, len(gaps)), tuple(value for _, value in gaps)


def _gaps(grid: Grid, text: str) -> tuple[str, list[tuple[bool, int]]]:
    """A sentence with gaps, and for each whether it is a square, and its cell or number."""
    gaps: list[tuple[bool, int]] = []

    def take(found: re.Match[str]) -> str:
        if found[3]:
            gaps.append((False, int(found[3])))
            return "{n}"
        gaps.append((True, grid.cell(int(found[1]) - 1, int(found[2]) - 1)))
        return "{c}"

    return _GAPS.sub(take, text), gaps


def _ends(grid: Grid, one: Edge, text: str, gaps: Sequence[tuple[bool, int]]) -> tuple[int, int | str] | None:
    """How the gaps tell an edge; None where they don't."""
    at = [gaps.index((True, cell)) if (True, cell) in gaps else -1 for cell in one]
    if at[0] >= 0 and at[1] >= 0:
        return at[0], at[1]
    words = text.split()
    for place, near, far in ((at[0], *one), (at[1], *reversed(one))):
        if place >= 0:
            (row, col), (to_row, to_col) = grid.position(near), grid.position(far)
            way = next(word for word, step in _WAYS.items() if step == (to_row - row, to_col - col))
            if way in words:
                return place, way
    return None


def _varint(value: int) -> bytes:
    """Seven bits a byte, the lowest first; the top bit says that more follow."""
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def _deflated(data: bytes) -> str:
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.b64encode(squeeze.compress(data) + squeeze.flush()).decode("ascii")
