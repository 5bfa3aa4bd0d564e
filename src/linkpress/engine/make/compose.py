"""Boards that look composed: a style drawn for each puzzle, the board changed toward it, and its numbering.

Authors' boards differ from each other more than boards of chance do. So a style is drawn first: for each of
the figures by which a board is looked at an aim, as they lie about the mean of published boards. The paths
are changed a few squares at a time, before a cover is repaired and again when its board is proven, and a
change that brings the board nearer to its style is kept while all that the recipe asks still holds.

The means and spreads are those of 120 published boards of 8 × 8 to 15 × 15, every second one of two files;
``tests/benchmarks/composed.py --fit`` prints them for a file of boards.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from linkpress.engine.kernels import Dice
from linkpress.engine.kernels.glossary import LookFigure
from linkpress.engine.make.cover import Cover
from linkpress.engine.make.reshape import Order, Style, cover_of, repair_stages, variation_of
from linkpress.engine.recipe import NumberPattern, Recipe, Rule
from linkpress.puzzle.grid import Cell

# By figure: the mean on a board of 10 × 10 with 10 pairs, in thousandths, what the logarithms of the squares
# for each pair and of the board's area add to it, the spread, and how far it goes with the straightness
# that is drawn for the whole board.
_FIGURES = {
    LookFigure.BENDS: (262, -84, 42, 60, -0.55),
    LookFigure.FEW_TURNS: (333, -293, 14, 173, 0.85),
    LookFigure.DIRECT: (533, -472, 118, 174, 0.85),
    LookFigure.STRAIGHTNESS: (808, -329, 92, 78, 0.75),
    LookFigure.NESTS: (1544, 790, 165, 320, 0.0),
    LookFigure.BORDER: (508, 624, -708, 461, 0.5),
    LookFigure.SECOND_RING: (1331, -615, 51, 486, 0.0),
    LookFigure.BESIDE: (385, -108, -72, 184, 0.0),
    LookFigure.DIAGONAL: (162, -48, -55, 110, 0.0),
    LookFigure.KNIGHT: (612, -444, 185, 210, 0.0),
    LookFigure.UNEVEN: (192, 270, -193, 153, 0.0),
    LookFigure.EMPTY_LINES: (129, 250, -19, 102, 0.0),
    LookFigure.APART: (651, 287, -235, 114, 0.0),
    LookFigure.SHORTEST: (417, 131, -171, 133, -0.3),
    LookFigure.LONGEST: (2323, -992, 839, 626, 0.3),
    LookFigure.COPIED_LINES: (727, 60, 15, 90, 0.0),
    LookFigure.COPIED_PAIRS: (40, 510, -112, 167, 0.0),
}
# Boards on which more of the answer than this maps onto itself half solve themselves.
_MOST_COPIED = {LookFigure.COPIED_LINES: 849, LookFigure.COPIED_PAIRS: 300}
# Of a hundred boards, those numbered in reading order, with symmetric numbers and without.
_READING_ORDER, _READING_ORDER_FREE = 54, 15
# Changes that are tried for the look of a proven board.
_TRIES = 300


def draw_style(recipe: Recipe, pairs: int, dice: Dice) -> Style:
    """Draw what one board shall look like.

    Args:
        recipe: its number pattern is settled.
        pairs: how many the board has.
        dice: rolled on.
    """
    area = recipe.rows * recipe.cols
    room, size = math.log(area / pairs / 10), math.log(area / 100)
    straight = _bell(dice)
    aims = []
    for figure, (mean, by_room, by_size, spread, shared) in _FIGURES.items():
        off = shared * straight + math.sqrt(1 - shared**2) * _bell(dice)
        aim = mean + by_room * room + by_size * size + spread * off
        unit = math.sqrt(area) if figure is LookFigure.APART else 1.0
        most = _MOST_COPIED.get(figure, math.inf) - spread / 3
        counts = figure not in _MOST_COPIED or recipe.number_pattern is not NumberPattern.FREE
        aims.append((round(unit * max(0.0, min(aim, most))), round(unit * spread) * counts))
    return tuple(aims)


def _bell(dice: Dice) -> float:
    """Roll a number about 0 with the spread 1: three dice added up."""
    return sum(dice.roll(1001) for _ in range(3)) / 500 - 3


@dataclass(frozen=True, slots=True)
class Beautified:
    """The result of changing a board toward its style.

    Args:
        cover: proven, and all that was asked for.
        copies: whether more of its answer maps onto itself than may.
        work: spent, in units of work.
        conflicts: of all questions asked.
    """

    cover: Cover
    copies: bool
    work: int
    conflicts: int


def beautify(
    order: Order, cover: Cover, rule: Rule, dice: Dice, limit: int, holds: Callable[[Cover], bool] | None
) -> Beautified:
    """Change a proven cover toward its style.

    Args:
        order: what the cover was made to.
        cover: proven under the rule.
        rule: that changed covers are proven under; STRICT serves a recipe for FILLED too.
        dice: rolled on.
        limit: work at which to stop.
        holds: says whether a changed board is still of the grade that was asked for.
    """
    variation = variation_of(order, cover, rule, len(repair_stages(order)) - 1)
    while variation.spent()[0] < limit and variation.beautify(dice, _TRIES):
        changed = cover_of(order, variation)
        if holds is None or holds(changed):
            cover = changed
        else:
            variation.take_back()
    figures = variation.figures() if order.recipe.number_pattern is not NumberPattern.FREE else ()
    copies = any(figures[figure] > most for figure, most in _MOST_COPIED.items() if figures)
    return Beautified(cover, copies, *variation.spent())


def numbered(order: Order, cover: Cover, dice: Dice) -> Cover:
    """Number the paths as authors do: in reading order, or so that a number stands near the one before it."""
    free = order.recipe.number_pattern is NumberPattern.FREE
    left = sorted(cover.paths, key=lambda path: min(path[0], path[-1]))
    if dice.roll(100) < (_READING_ORDER_FREE if free else _READING_ORDER):
        return replace(cover, paths=tuple(left))
    paths = [left.pop(dice.roll(1 + len(left) // 3))]
    while left:
        nearest = min(left, key=lambda path: _apart(cover.cols, paths[-1], path))
        left.remove(nearest)
        paths.append(nearest)
    return replace(cover, paths=tuple(paths))


def _apart(cols: int, one: tuple[Cell, ...], other: tuple[Cell, ...]) -> int:
    """Measure the distance of the two nearest ends of two paths."""
    ends = [(divmod(a, cols), divmod(b, cols)) for a in (one[0], one[-1]) for b in (other[0], other[-1])]
    return min((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 for a, b in ends)
