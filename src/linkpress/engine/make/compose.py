"""A board looks composed by its style, toward which it is changed, and by how its numbers follow each other.

Authors' boards differ from each other more than boards of chance do. So a style is drawn first: an aim for
each of the figures that measure a board's look, spread about the mean of published boards as those are. The
paths are changed a few squares at a time, before a cover is repaired and again when its board is proven, and
a change that brings the board nearer to its style is kept while all that the recipe asks still holds.

The means and spreads are those of 93 published boards of 8 × 8 to 15 × 15 with at most 18 squares for each
pair, every second one of two files; ``tests/benchmarks/composed.py --fit`` prints them for files of boards.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from linkpress.engine.kernels import Rng
from linkpress.engine.kernels.glossary import StyleFigure
from linkpress.engine.make.cover import Cover
from linkpress.engine.make.reshape import Order, Style, cover_of, repair_stages, variation_of
from linkpress.engine.recipe import NumberPattern, Recipe, Rule
from linkpress.puzzle.puzzle import Cell

# By figure: the mean on a board of 10 × 10 with 10 pairs, in thousandths, what the logarithms of the
# squares for each pair and of the board's area add to it, the spread, by how many spreads more or less has
# to be wanted so that boards come to the mean, and how far it goes with three things that are drawn for the
# whole board: how straight paths are, how much numbers stand in groups, how far pairs are apart. These are
# factors of the same boards, and three fit other boards better than one does (log-likelihood of a board
# -22.2 and -23.0).
_FIGURES = {
    StyleFigure.BENDS: (264, -77, 12, 61, 0, (-0.10, -0.57, -0.05)),
    StyleFigure.FEW_TURNS: (362, -431, 101, 180, 2, (0.74, 0.33, -0.05)),
    StyleFigure.DIRECT: (582, -687, 203, 174, 4, (0.92, 0.06, -0.09)),
    StyleFigure.STRAIGHTNESS: (805, -326, 111, 82, 4, (0.79, -0.06, 0.50)),
    StyleFigure.NESTS: (1607, 588, 114, 299, 0, (0.05, 0.34, 0.05)),
    StyleFigure.BORDER: (607, 187, -479, 398, 2, (0.39, -0.03, 0.13)),
    StyleFigure.SECOND_RING: (1309, -545, 70, 442, 0, (0.03, -0.14, 0.37)),
    StyleFigure.BESIDE: (398, -170, -43, 180, 0, (0.07, 0.95, -0.17)),
    StyleFigure.DIAGONAL: (185, -137, -58, 113, -4, (-0.33, -0.02, -0.14)),
    StyleFigure.KNIGHT: (617, -465, 205, 213, -2, (-0.24, -0.52, -0.12)),
    StyleFigure.UNEVEN: (186, 249, -157, 150, -2, (0.03, 0.17, -0.02)),
    StyleFigure.EMPTY_LINES: (146, 180, 0, 106, 3, (-0.09, 0.31, -0.29)),
    StyleFigure.APART: (619, 416, -259, 100, 4, (0.06, -0.12, 0.95)),
    StyleFigure.SHORTEST: (437, 93, -271, 124, 2, (-0.29, -0.06, 0.29)),
    StyleFigure.LONGEST: (2353, -1169, 1069, 657, 0, (0.39, -0.08, -0.38)),
    StyleFigure.COPIED_LINES: (758, -75, 20, 82, 0, (-0.26, 0.06, 0.07)),
    StyleFigure.COPIED_PAIRS: (112, 176, -51, 147, 0, (-0.10, 0.20, 0.18)),
}
# The same of boards whose numbers are not symmetric, where a half turn would map the answer.
_FREE_FIGURES = _FIGURES | {
    StyleFigure.COPIED_LINES: (638, 76, -112, 101, 6, (-0.26, 0.06, 0.07)),
    StyleFigure.COPIED_PAIRS: (46, -51, -41, 61, 6, (-0.10, 0.20, 0.18)),
}
# Of the board's outline, which a mask has drawn otherwise.
_OF_OUTLINE = {StyleFigure.BORDER, StyleFigure.SECOND_RING, StyleFigure.EMPTY_LINES}
# Boards come a tenth of the way to their style, so that aims are drawn so much wider than boards are to
# differ: published boards differed 1.2 to 1.3 times as much as boards made with 1.6 here, and 1.1 times as
# much with 5; with 8 no more is gained. These figures, which change least, are drawn still wider and with
# more weight, and the one that a walk has to meet less wide.
_WIDER = 5.0
_STUBBORN = {
    StyleFigure.STRAIGHTNESS: 1.8,
    StyleFigure.BESIDE: 2.0,
    StyleFigure.DIAGONAL: 1.3,
    StyleFigure.KNIGHT: 1.4,
    StyleFigure.EMPTY_LINES: 1.4,
    StyleFigure.APART: 1.3,
    StyleFigure.SHORTEST: 0.6,
}
# What the copied figures weigh more than others, so that few boards are thrown away for them.
_COPIES_WEIGHT = 3.0
# Boards on which more of the answer than this maps onto itself half solve themselves.
_MOST_COPIED = {StyleFigure.COPIED_LINES: 849, StyleFigure.COPIED_PAIRS: 300}
_ANY = 1 << 30
# Of a hundred boards, those numbered in reading order, with symmetric numbers and without.
_READING_ORDER, _READING_ORDER_FREE = 54, 15
# Any of so many nearest paths has the next number, at most.
_MOST_CHOICES = 5
# Changes that are tried for the look of a proven board.
_TRIES = 300


def draw_style(recipe: Recipe, pairs: int, rng: Rng) -> Style:
    """Draw what a board with so many pairs shall look like; the recipe's number pattern is settled."""
    area = len(recipe.mask.free_cells) if recipe.mask else recipe.rows * recipe.cols
    room, size = math.log(area / pairs / 10), math.log(area / 100)
    whole = [_bell(rng) for _ in range(3)]
    aims = []
    free = recipe.number_pattern is NumberPattern.FREE
    figures = _FREE_FIGURES if free else _FIGURES
    for figure, (mean, by_room, by_size, spread, beyond, shares) in figures.items():
        off = math.sqrt(1 - math.hypot(*shares) ** 2) * _bell(rng)
        off += sum(share * drawn for share, drawn in zip(shares, whole, strict=True))
        stubborn, copies = _STUBBORN.get(figure, 1.0), figure in _MOST_COPIED
        aim = mean + by_room * room + by_size * size + (beyond + _WIDER * stubborn * off) * spread
        unit = math.sqrt(area) if figure is StyleFigure.APART else 1.0
        most = _MOST_COPIED.get(figure, math.inf) - spread
        narrow = spread / (_COPIES_WEIGHT if copies and not free else stubborn)
        if (recipe.mask and figure in _OF_OUTLINE) or (recipe.apart and figure is StyleFigure.BESIDE):
            narrow = 0.0
        allowed = _MOST_COPIED[figure] if copies and not free else _ANY
        aims.append((round(unit * min(aim, most)), round(unit * narrow), allowed))
    return tuple(aims)


def _bell(rng: Rng) -> float:
    """Roll a number about 0 with the spread 1: three rng added up."""
    return sum(rng.below(1001) for _ in range(3)) / 500 - 3


@dataclass(frozen=True, slots=True)
class Beautified:
    """A cover was changed toward its style, which took work and conflicts."""

    cover: Cover
    work: int
    conflicts: int


def beautify(
    order: Order, cover: Cover, rule: Rule, rng: Rng, limit: int, holds: Callable[[Cover], bool] | None
) -> Beautified:
    """Change a proven cover toward its style.

    Args:
        rule: that changed covers are proven under; STRICT serves a recipe for FILLED too.
        limit: work at which to stop.
        holds: tells whether a changed board is still of the grade that was asked for.
    """
    variation = variation_of(order, cover, rule, len(repair_stages(order)) - 1)
    while variation.spent()[0] < limit and variation.beautify(rng, _TRIES):
        changed = cover_of(order, variation)
        if holds is None or holds(changed):
            cover = changed
        else:
            variation.take_back()
    return Beautified(cover, *variation.spent())


def numbered(order: Order, cover: Cover, rng: Rng) -> Cover:
    """Give the paths numbers as authors do: in reading order, or each near the number before it."""
    free = order.recipe.number_pattern is NumberPattern.FREE
    left = sorted(cover.paths, key=lambda path: min(path[0], path[-1]))
    if rng.below(100) < (_READING_ORDER_FREE if free else _READING_ORDER):
        return replace(cover, paths=tuple(left))
    paths, choices = [left.pop(rng.below(1 + len(left) // 3))], 1 + rng.below(_MOST_CHOICES)
    while left:
        left.sort(key=lambda path: _apart(cover.cols, paths[-1], path))
        paths.append(left.pop(rng.below(min(choices, len(left)))))
    return replace(cover, paths=tuple(paths))


def _apart(cols: int, one: tuple[Cell, ...], other: tuple[Cell, ...]) -> int:
    """Measure the distance of the two nearest ends of two paths."""
    ends = [(divmod(a, cols), divmod(b, cols)) for a in (one[0], one[-1]) for b in (other[0], other[-1])]
    return min((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 for a, b in ends)
