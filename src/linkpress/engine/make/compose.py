"""Compose boards as human authors do: each in a style of its own, with numbers in a natural order.

Boards by human authors differ more from each other than random boards. So a style is chosen first: a target
for each ``StyleFigure``, the figures that measure a board's style. The targets are spread around the mean of
published boards as the published boards are. Then small changes are made to the paths, first before the cover
is repaired, and again after its board is proven. A change is kept if it brings the board closer to its style
and the recipe is still met.

Means and spreads come from 93 published boards of 8 × 8 to 15 × 15 with at most 18 squares for each pair.
They are every second board of two files. ``tests/benchmarks/composed.py --fit`` computes the values for other
files of boards.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from linkpress.engine.kernels import Rng
from linkpress.engine.kernels.glossary import StyleFigure
from linkpress.engine.make.cover import Cover, Order, Style, cover_of, repair_stages, variation_of
from linkpress.engine.recipe import NumberPattern, Recipe, Rule
from linkpress.puzzle.puzzle import Cell

# The distribution of each style figure, in thousandths. Each entry has six values: 1. The mean on a board of
# 10 × 10 with 10 pairs. 2. How much the mean grows with the logarithm of the squares for each pair. 3. How
# much it grows with the logarithm of the board's area. 4. The standard deviation. 5. A correction in
# standard deviations, which makes the mean of finished boards right. 6. The correlation with three factors
# of a board: how straight the paths are, how much the numbers stand in groups, and how far apart the numbers
# of a pair are. Three factors fit other boards better than one: the log-likelihood of a board is -22.2 with
# three and -23.0 with one.
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
# Figures of boards whose numbers have no symmetry. For these boards, the figures of copied lines and pairs
# count the lines and pairs that a half turn maps onto lines and pairs.
_FREE_FIGURES = _FIGURES | {
    StyleFigure.COPIED_LINES: (638, 76, -112, 101, 6, (-0.26, 0.06, 0.07)),
    StyleFigure.COPIED_PAIRS: (46, -51, -41, 61, 6, (-0.10, 0.20, 0.18)),
}
# Figures that depend on the outline of the board, so they are ignored on boards with a mask.
_OF_OUTLINE = {StyleFigure.BORDER, StyleFigure.SECOND_RING, StyleFigure.EMPTY_LINES}
# The style targets are spread this many times as widely as the figures of boards should be. That is needed
# because finished boards come only a tenth of the way to their targets. Published boards differed from each
# other 1.2 to 1.3 times as much as boards made with a value of 1.6, and 1.1 times as much as boards made with
# 5. There was no further gain with 8.
_WIDER = 5.0
# Factors by which the targets of some figures are spread still wider, because these figures change least.
# These figures also count more than others. Only the target for the shortest path is spread less, because a
# cover is refused if a path is too short.
_STUBBORN = {
    StyleFigure.STRAIGHTNESS: 1.8,
    StyleFigure.BESIDE: 2.0,
    StyleFigure.DIAGONAL: 1.3,
    StyleFigure.KNIGHT: 1.4,
    StyleFigure.EMPTY_LINES: 1.4,
    StyleFigure.APART: 1.3,
    StyleFigure.SHORTEST: 0.6,
}
# How much more the copied lines and pairs count than other figures. Because of this weight, fewer boards
# exceed the maxima in _MOST_COPIED and are thrown away.
_COPIES_WEIGHT = 3.0
# Maxima for boards with symmetric numbers, in thousandths. If more of the solution were symmetric too, half
# of it would give away the rest.
_MOST_COPIED = {StyleFigure.COPIED_LINES: 849, StyleFigure.COPIED_PAIRS: 300}
_NO_MAXIMUM = 1 << 30
# Percentage of boards whose numbers are in reading order: first with symmetric numbers, then without.
_READING_ORDER, _READING_ORDER_FREE = 54, 15
# In boards that are not numbered in reading order, the next number goes to one of the nearest paths. At most
# this many are considered.
_MOST_CHOICES = 5
# How many changes are tried, in one go, to bring a proven board closer to its style.
_TRIES = 300


def choose_style(recipe: Recipe, pairs: int, rng: Rng) -> Style:
    """Choose the style targets of a board at random.

    Args:
        recipe: the recipe. Its number pattern must be a definite one, not one that is chosen at random.
        pairs: the number of pairs on the board.
    """
    area = len(recipe.mask.free_cells) if recipe.mask else recipe.rows * recipe.cols
    room, size = math.log(area / pairs / 10), math.log(area / 100)
    factors = [_bell(rng) for _ in range(3)]
    targets = []
    free = recipe.number_pattern is NumberPattern.FREE
    figures = _FREE_FIGURES if free else _FIGURES
    for figure, (mean, by_room, by_size, spread, correction, shares) in figures.items():
        off = math.sqrt(1 - math.hypot(*shares) ** 2) * _bell(rng)
        off += sum(share * factor for share, factor in zip(shares, factors, strict=True))
        stubborn, copies = _STUBBORN.get(figure, 1.0), figure in _MOST_COPIED
        target = mean + by_room * room + by_size * size + (correction + _WIDER * stubborn * off) * spread
        unit = math.sqrt(area) if figure is StyleFigure.APART else 1.0
        most = _MOST_COPIED.get(figure, math.inf) - spread
        counted_spread = spread / (_COPIES_WEIGHT if copies and not free else stubborn)
        if (recipe.mask and figure in _OF_OUTLINE) or (recipe.apart and figure is StyleFigure.BESIDE):
            counted_spread = 0.0
        maximum = _MOST_COPIED[figure] if copies and not free else _NO_MAXIMUM
        targets.append((round(unit * min(target, most)), round(unit * counted_spread), maximum))
    return tuple(targets)


def _bell(rng: Rng) -> float:
    return sum(rng.below(1001) for _ in range(3)) / 500 - 3


def beautify(
    order: Order,
    cover: Cover,
    rule: Rule,
    rng: Rng,
    limit: int,
    is_acceptable: Callable[[Cover], bool] | None,
) -> tuple[Cover, int, int]:
    """Change a proven cover so that it comes closer to its style, and stays proven.

    Args:
        rule: the rule under which changed covers are proven. A proof for STRICT holds for FILLED too.
        limit: units of work after which to stop.
        is_acceptable: a function that returns whether a changed board still needs a required technique; None
            if none is required.
    Returns:
        The changed cover, the units of work spent, and how many conflicts all searches met.
    """
    variation = variation_of(order, cover, rule, len(repair_stages(order)) - 1)
    while variation.spent()[0] < limit and variation.beautify(rng, _TRIES):
        changed = cover_of(order, variation)
        if is_acceptable is None or is_acceptable(changed):
            cover = changed
        else:
            variation.take_back()
    return (cover, *variation.spent())


def numbered(order: Order, cover: Cover, rng: Rng) -> Cover:
    """Put the paths in the order in which an author might number them.

    That is either reading order, or an order in which each path begins or ends near the path before it.
    """
    free = order.recipe.number_pattern is NumberPattern.FREE
    left = sorted(cover.paths, key=lambda path: min(path[0], path[-1]))
    if rng.below(100) < (_READING_ORDER_FREE if free else _READING_ORDER):
        return replace(cover, paths=tuple(left))
    paths, choices = [left.pop(rng.below(1 + len(left) // 3))], 1 + rng.below(_MOST_CHOICES)
    while left:
        left.sort(key=lambda path: _distance(cover.cols, paths[-1], path))
        paths.append(left.pop(rng.below(min(choices, len(left)))))
    return replace(cover, paths=tuple(paths))


def _distance(cols: int, one: tuple[Cell, ...], other: tuple[Cell, ...]) -> int:
    """Return the squared distance between the two nearest ends of two paths."""
    ends = [(divmod(a, cols), divmod(b, cols)) for a in (one[0], one[-1]) for b in (other[0], other[-1])]
    return min((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 for a, b in ends)
