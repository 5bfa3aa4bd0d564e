"""Generate a puzzle from a recipe and a seed, and prove that it has exactly one solution.

A recipe gives ranges, for example for the number of pairs. Each attempt chooses exact numbers within these
ranges at random, and makes one board by the recipe's method. A returned puzzle meets the recipe exactly, and
comes with its proof. An attempt ends after a counted amount of work, because a new start is better than a
long repair. Attempts are made until the budget is spent.

**Composed boards.** These boards look as if a human author had composed them: each has a style of its own,
and numbers in a natural order. Boards by human authors differ more from each other than random boards. So a
style is chosen first: a target for each ``StyleFigure``, the figures that measure a board's style. The
targets are chosen around the mean of published boards. They are spread more widely than published boards,
because a finished board comes only a part of the way to its targets (``_WIDER``). Then small changes are made
to the paths: first before the board is repaired to have one solution, and again after the board is proven. A
change is kept if it brings the board closer to its style and the recipe is still met.

The means and spreads come from 93 published boards of 8 × 8 to 15 × 15 with at most 18 squares for each pair.
They are every second board of two files. ``tests/benchmarks/composed.py --fit`` computes the values for other
files of boards.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from operator import mul
from typing import NamedTuple, TypeVar

from linkpress.engine.difficulty import choose_paths
from linkpress.engine.grade import Grading, climb_and_grade, distance_to, score_towards, with_score
from linkpress.engine.kernels import Rng, rng_from
from linkpress.engine.kernels.glossary import ShapingOutcome, StyleFigure
from linkpress.engine.make.cover import (
    Cover,
    Motif,
    Order,
    Style,
    cover_of,
    first_images,
    grow_cover,
    make_cover,
    prove_cover,
    repair_stages,
    variation_of,
)
from linkpress.engine.make.steer import grade_test, is_steered, seek_insight, starts_unproven, steer
from linkpress.engine.proof import Proof, Verdict
from linkpress.engine.recipe import (
    Grade,
    Method,
    NumberPattern,
    Pattern,
    Recipe,
    Span,
    can_place,
    classic_conflicts,
    counted,
    fewest_pairs,
    longest_path,
    patterns_for,
    recipe_problem,
    solid_counts,
)
from linkpress.engine.rulesets import RULESETS, Rule, ruleset_of
from linkpress.errors import GradeError, RecipeError, UsageError
from linkpress.puzzle.puzzle import Cell, Puzzle, Solution

_Choice = TypeVar("_Choice")

# Each ``StyleFigure`` measures one property of a board's style, in thousandths. For each figure, this table
# describes how its values are distributed on published boards. From this distribution, the program chooses at
# random the value that a new board should have. Each entry of the table has six items:
# 1. The mean on a board of 10 × 10 with 10 pairs.
# 2. How much the mean grows with the logarithm of (number of squares / number of pairs).
# 3. How much the mean grows with the logarithm of the board's area.
# 4. The standard deviation.
# 5. A correction, in standard deviations, that is added to the chosen value. Without it, the mean of the
#    finished boards would differ from the mean of published boards.
# 6. The correlations of the figure with three general properties of a board: how straight the paths are, how
#    much the numbers stand in groups, and how far apart the numbers of a pair are.
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
# Distributions of the figures that measure a board's style, for boards whose numbers have no symmetry. Only
# two entries differ from those for boards with symmetrically placed numbers:
# - COPIED_LINES is the share of path steps that a half turn of the board maps onto other path steps.
# - COPIED_PAIRS is the share of pairs that a half turn of the board maps onto other pairs.
_FREE_FIGURES = _FIGURES | {
    StyleFigure.COPIED_LINES: (638, 76, -112, 101, 6, (-0.26, 0.06, 0.07)),
    StyleFigure.COPIED_PAIRS: (46, -51, -41, 61, 6, (-0.10, 0.20, 0.18)),
}
# Style figures that depend on the outline of the board. They are ignored if the board has a mask, because the
# mask already decides the outline.
_OF_OUTLINE = {StyleFigure.BORDER, StyleFigure.SECOND_RING, StyleFigure.EMPTY_LINES}
# Style targets are the values that the style figures of a board should have. Generated boards should differ
# from each other as much as published boards do. But a finished board comes only a tenth of the way to its
# targets. So the standard deviation of the targets is this many times the standard deviation of published
# boards. The effect of this factor on finished boards:
# - With 1.6, published boards differ 1.2 to 1.3 times as much from each other as generated boards.
# - With 5, published boards differ 1.1 times as much.
# - A factor of 8 is no better.
_WIDER = 5.0
# A style figure measures one property of a board. For each board, a target is chosen at random for each
# figure, and small changes bring the board closer to its targets. For each figure listed here, the small
# changes have less effect than for the others. So its targets are spread more widely: their standard
# deviation is multiplied by the factor in this table. When a board is compared with its targets, the figure
# also gets a larger weight, by the same factor. The only factor below 1 is for the length of the shortest
# path. It makes very low targets rare, because a board with a very short path would be refused.
_STUBBORN = {
    StyleFigure.STRAIGHTNESS: 1.8,
    StyleFigure.BESIDE: 2.0,
    StyleFigure.DIAGONAL: 1.3,
    StyleFigure.KNIGHT: 1.4,
    StyleFigure.EMPTY_LINES: 1.4,
    StyleFigure.APART: 1.3,
    StyleFigure.SHORTEST: 0.6,
}
# A style figure measures one property of a board. The figures COPIED_LINES and COPIED_PAIRS have this many
# times the weight of the others. They are the shares of path steps and of pairs that the symmetry of the
# board maps onto other path steps and pairs. Because of this weight, fewer boards exceed the maxima in
# ``_MOST_COPIED`` and are thrown away.
_COPIES_WEIGHT = 3.0
# Limits for boards with symmetrically placed numbers. Even on these boards, only a part of the solution may
# be symmetric: otherwise, solvers who have found one half could copy the rest. These are the maximum shares,
# in thousandths, of path steps that the symmetry maps onto path steps, and of pairs that it maps onto pairs.
_MOST_COPIED = {StyleFigure.COPIED_LINES: 849, StyleFigure.COPIED_PAIRS: 300}
_NO_MAXIMUM = 1 << 30
# Once a board is proven to have one solution, it is changed in steps, so that its measured properties come
# closer to their targets. In each step, random changes are tried until one of them can be kept, but at most
# this many. If none can be kept, no further step follows.
_TRIES = 100


def choose_style(recipe: Recipe, pairs: int, rng: Rng) -> Style:
    """Choose the style targets of a board at random.

    A style target is the value that a ``StyleFigure`` should have.

    Args:
        recipe: the puzzle recipe. Its number pattern must be a definite pattern, not one that is chosen at
            random.
        pairs: the number of pairs on the board.
    Returns:
        For each figure its target, its spread and its maximum, in thousandths.
    """
    area = len(recipe.mask.free_cells) if recipe.mask else recipe.rows * recipe.cols
    room, size = math.log(area / pairs / 10), math.log(area / 100)
    # On published boards, the style figures are correlated: a board with straight paths, for example, also
    # has few detours. To get the same correlations, three random numbers are drawn for a board, one for each
    # general property in item 6 of ``_FIGURES``. Each of them influences the targets of several figures. With
    # three numbers, the targets are distributed more like the figures of published boards than with one: for
    # boards that were not used to fit the table, the mean log-likelihood is -22.2 instead of -23.0.
    factors = [_bell(rng) for _ in range(3)]
    targets = []
    free = recipe.number_pattern is NumberPattern.FREE
    figures = _FREE_FIGURES if free else _FIGURES
    for figure, (mean, by_room, by_size, spread, correction, shares) in figures.items():
        off = math.sqrt(1 - math.hypot(*shares) ** 2) * _bell(rng) + sum(map(mul, shares, factors))
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


class _MotifKind(NamedTuple):
    """Kind of motif, which is a regular pattern of cells where most numbers of a board can be.

    Args:
        every_line: the distance between the lines that have cells of the motif. The lines are rows, columns
            or rings. A ring is all cells with the same distance from the border.
        every_run: on each of these lines, the distance from the first cell of a run to the first cell of the
            next run.
        run: the number of consecutive cells in a run.
        shift: by how many cells the runs are shifted from one of these lines to the next.
        has_rings: whether the lines are rings.
    """

    every_line: int
    every_run: int = 1
    run: int = 1
    shift: int = 0
    has_rings: bool = False


_MOTIFS = (
    _MotifKind(3),
    _MotifKind(6),
    _MotifKind(3, 5, run=3),
    _MotifKind(3, 4, run=2, shift=2),
    _MotifKind(2, 3),
    _MotifKind(2, 2, shift=1),
    _MotifKind(1, 5, shift=1),
    _MotifKind(1, 5, shift=2),
    _MotifKind(1, 3, shift=1),
    _MotifKind(3, has_rings=True),
    _MotifKind(8, has_rings=True),
)
# In some attempts most numbers must be in a regular pattern of cells, called a motif. On boards whose shorter
# side is at least ``_MOTIF_SIDE``, this is the case for ``_MOTIFS_ON_BOARDS`` percent of the attempts. If a
# board has more than ``_MOTIF_ROOM`` cells for each pair, motifs take too long, so the lower percentage
# ``_MOTIFS_WITH_ROOM`` is used. With the higher one, symmetric boards of 15 × 15 with 12 pairs were made at
# 1.4 a second instead of 4.1. Motifs make large boards look more like published boards. This was measured
# with a random forest that had to distinguish generated boards from published boards. If its AUC is 0.5, it
# can only guess.
# - For boards of 15 × 15, the AUC was 0.60 with motifs, and 0.75 without.
# - Boards of 10 × 10 have no motifs, because there was no clear gain. The AUC was 0.60 without motifs. It was
#   0.58 if 15 % of the attempts had a motif, and 0.64 if 30 % had one. With 15 %, symmetric boards with 8
#   pairs took a fifth longer.
_MOTIF_SIDE, _MOTIF_ROOM, _MOTIFS_ON_BOARDS, _MOTIFS_WITH_ROOM = 12, 16, 80, 15
# If most numbers of a board are in a regular pattern of cells, called a motif, some numbers may still be
# outside of it. The percentage of these numbers is chosen at random between the following two values. With
# higher percentages, the motif is hardly visible. With percentages that are lower by 10 to 15, boards of
# 15 × 15 take five times as long.
_LEAST_OUTSIDE, _MOST_OUTSIDE = 20, 30
# A motif is a regular pattern of cells on which most numbers of a board are placed. ``_OFF_BORDER`` is the
# percentage of motifs that have no cells on the border of the board. ``_INNER`` is the percentage of motifs
# that have no cells in the second ring either, which is the ring of cells next to the border. The two
# percentages were chosen so that the second ring has about as many numbers as on published boards. To compare
# boards, the count of numbers in this ring was divided by the count that would be there if the numbers were
# spread evenly over the board. The results for 15 × 15 and for 12 × 12 are:
# - published boards: 1.04 and 1.08
# - ``_OFF_BORDER`` 60 and ``_INNER`` 0: 1.18 and 1.27
# - ``_OFF_BORDER`` 60 and ``_INNER`` 60: 1.00 and 1.16, but too many numbers are on the border
# - ``_OFF_BORDER`` 70 and ``_INNER`` 60: 0.98 and 1.15, and hardly more numbers are on the border than with
#   60 and 0
_OFF_BORDER, _INNER = 70, 60
# A motif is a regular pattern of cells where most numbers are. For each 100 numbers of a board, its motif
# must have at least ``_LEAST_ROOM`` cells. The numbers that are required to be in the motif fill at most
# ``_FULLEST`` percent of its cells, because most attempts fail if a motif must be filled completely. Several
# values of ``_FULLEST`` were tried on boards of 15 × 15 with 14 to 20 pairs. How many attempts succeed also
# depends on the motif:
# - 55: 28 to 67 % of the attempts succeed, and a board takes 40 ms.
# - 60: 17 to 53 % succeed, and a board takes 46 ms.
# - 70: 5 to 51 % succeed, and a board takes 55 ms.
# - No limit: 6 to 49 % succeed, and a board takes 53 ms.
_LEAST_ROOM, _FULLEST = 85, 60


def choose_motif(order: Order, rng: Rng) -> Motif | None:
    """Choose at random a regular pattern of cells, in which most numbers of a board must be.

    For some boards, no pattern is chosen. The pattern has the symmetry that the numbers must have.

    Returns:
        The pattern of cells; None if the numbers may be anywhere.
    """
    recipe = order.recipe
    side = min(recipe.rows, recipe.cols)
    if side < _MOTIF_SIDE or recipe.mask or order.solids or recipe.apart or recipe.border_numbers < 1:
        return None
    has_room = order.cells > _MOTIF_ROOM * order.pairs
    if rng.below(100) >= (_MOTIFS_WITH_ROOM if has_room else _MOTIFS_ON_BOARDS):
        return None
    kinds = list(_MOTIFS)
    rng.shuffle(kinds)
    patterns = (_motif_cells(kind, recipe, rng) for kind in kinds)
    numbers = 2 * order.pairs
    cells = next((cells for cells in patterns if 100 * len(cells) >= _LEAST_ROOM * numbers), frozenset())
    outside = numbers * (_LEAST_OUTSIDE + rng.below(_MOST_OUTSIDE - _LEAST_OUTSIDE + 1)) // 100
    most_outside = max(outside, numbers - _FULLEST * len(cells) // 100)
    return Motif(cells, most_outside) if cells else None


def _motif_cells(kind: _MotifKind, recipe: Recipe, rng: Rng) -> frozenset[Cell]:
    """Return the cells of a motif at a random place, with the symmetry that the numbers must have.

    A motif is a regular pattern of cells, in which most numbers of a board must be.
    """
    first_line, first_run = rng.below(kind.every_line), rng.below(kind.every_run)
    drawn, has_columns = rng.below(100), rng.below(2)
    outermost_ring = (drawn < _OFF_BORDER) + (drawn < _INNER)
    cells = set()
    for cell, first in enumerate(first_images(recipe.rows, recipe.cols, recipe.number_pattern)):
        row, col = divmod(first, recipe.cols)
        ring = min(row, col, recipe.rows - 1 - row, recipe.cols - 1 - col)
        line, place = (col, row) if has_columns else (row, col)
        line = ring if kind.has_rings else line
        is_run = (place + kind.shift * (line // kind.every_line) + first_run) % kind.every_run < kind.run
        if line % kind.every_line == first_line and is_run and ring >= outermost_ring:
            cells.add(cell)
    return frozenset(cells)


def _bell(rng: Rng) -> float:
    return (rng.below(1001) + rng.below(1001) + rng.below(1001)) / 500 - 3


def beautify(
    order: Order,
    cover: Cover,
    rule: Rule,
    rng: Rng,
    limit: int,
    is_acceptable: Callable[[Cover], bool] | None,
) -> tuple[Cover, int, int]:
    """Change the paths of a board so that they come closer to the board's style targets.

    The members of ``StyleFigure`` are the properties by which published boards are measured. There is a
    target for each of them. The solution is unique before and after each change.

    Args:
        cover: the board, divided into paths.
        rule: the rule under which each changed board is proven to have one solution. A proof for STRICT holds
            for FILLED too.
        limit: units of work after which to stop.
        is_acceptable: a function that returns whether a changed board still needs a required technique; None
            if no technique is required.
    Returns:
        The changed board, the units of work spent, and how many conflicts all searches for a second solution
        met.
    """
    variation = variation_of(order, cover, rule, len(repair_stages(order)) - 1)
    while variation.spent()[0] < limit and variation.beautify(rng, _TRIES):
        if is_acceptable is not None and not is_acceptable(cover_of(order, variation)):
            variation.take_back()
    return (cover_of(order, variation), *variation.spent())


def numbered(order: Order, cover: Cover, rng: Rng) -> Cover:
    """Put the paths into an order in which an author might number them.

    There are several kinds of order, and one of them is chosen at random.
    """
    free = order.recipe.number_pattern is NumberPattern.FREE
    way = _choose({way: shares[free] for way, shares in _NUMBERINGS.items()}, rng)
    return replace(cover, paths=tuple(way(cover, rng)))


def _choose(weights: Mapping[_Choice, int], rng: Rng) -> _Choice:
    """Choose one of several things at random, given the weight of each."""
    choices = [choice for choice, weight in weights.items() for _ in range(weight)]
    return choices[rng.below(len(choices))]


def _by_rows(cover: Cover, rng: Rng | None = None) -> list[tuple[Cell, ...]]:
    return sorted(cover.paths, key=lambda path: min(path[0], path[-1]))


def _by_columns(cover: Cover, rng: Rng) -> list[tuple[Cell, ...]]:
    return sorted(
        cover.paths, key=lambda path: min(divmod(end, cover.cols)[::-1] for end in path[:: len(path) - 1])
    )


def _along_runs(cover: Cover, rng: Rng) -> list[tuple[Cell, ...]]:
    """Order the paths as their numbers occur in runs. The longest runs come first.

    A run consists of numbers that stand beside each other in a row or a column. On some boards, one empty
    cell may be between two of them.
    """
    owners = {divmod(end, cover.cols): path for path in cover.paths for end in (path[0], path[-1])}
    gaps, runs = range(1, 2 + (rng.below(3) == 0)), []
    for down, right in ((0, 1), (1, 0)):
        for row, col in sorted(owners):
            if any((row - gap * down, col - gap * right) in owners for gap in gaps):
                continue
            run = [(row, col)]
            while run[-1] in owners:
                row, col = run[-1]
                near = [(row + gap * down, col + gap * right) for gap in gaps]
                run.append(next((end for end in near if end in owners), near[0]))
            runs.append(run[:-1])
    rng.shuffle(runs)
    runs.sort(key=len, reverse=True)
    ordered = [owners[end] for run in runs if len(run) > 1 for end in run]
    return list(dict.fromkeys(ordered + _by_rows(cover)))


def _nearby(cover: Cover, rng: Rng) -> list[tuple[Cell, ...]]:
    """Order the paths so that each path has an end near the path before it."""
    left = _by_rows(cover)
    paths, choices = [left.pop(rng.below(len(left)))], 1 + rng.below(_MOST_CHOICES)
    while left:
        left.sort(key=lambda path: _distance(cover.cols, paths[-1], path))
        paths.append(left.pop(rng.below(min(choices, len(left)))))
    return paths


def _distance(cols: int, one: tuple[Cell, ...], other: tuple[Cell, ...]) -> int:
    """Return the squared distance between the nearest ends of two paths."""
    ends = [(divmod(a, cols), divmod(b, cols)) for a in (one[0], one[-1]) for b in (other[0], other[-1])]
    return min((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 for a, b in ends)


def _in_any_order(cover: Cover, rng: Rng) -> list[tuple[Cell, ...]]:
    return list(cover.shuffled(rng).paths)


# Ways to number the pairs of a board, each with two values. The first value is the percentage of boards with
# symmetrically placed numbers that are numbered in this way. The second value is the percentage of all other
# boards. For the first two ways, the percentages are those of published boards (the mean of two publishers).
# The other percentages were fitted to 261 published boards of 10 × 10 to 16 × 16. To check the table, a
# classifier had to distinguish the numberings of these boards from numberings by the program. An AUC of 0.5
# means that it can only guess:
# - With this table, the AUC is 0.54 to 0.62.
# - With only two ways, row by row and ``_nearby``, the AUC is 0.62 to 0.79.
_NUMBERINGS = {
    _by_rows: (48, 17),
    _by_columns: (13, 2),
    _along_runs: (15, 27),
    _nearby: (12, 27),
    _in_any_order: (12, 27),
}
# If consecutive numbers are given to paths that are near each other (``_nearby``), the next number goes to
# one of the nearest paths. At most this many paths are considered.
_MOST_CHOICES = 5

# With the method ``classic``, the proof that a board has one solution is given up after this many conflicts.
_CLASSIC_CONFLICTS = 200_000
# Each attempt at a puzzle repairs a board until it has one solution. Under the rule ``filled``, only
# solutions that cover every free cell count. Under ``strict``, solutions that leave cells empty count too. If
# the puzzle has the rule ``filled``, one out of this many attempts uses ``filled`` itself for the repair. The
# other attempts use ``strict``, because this is faster. A board with one solution under ``strict`` also has
# one solution under ``filled``.
_OWN_RULE_EVERY = 3
# The work on a puzzle is counted in units of about a microsecond. Grading a board counts as ``_GRADING_WORK``
# units for each cell of the board. Scoring a board counts as ``_SCORING_WORK`` units for each conflict that
# its proofs meet.
_GRADING_WORK, _SCORING_WORK = 50, 30
# A composed board should look as if a human author had made it. If a composed board has at least ``_LARGE``
# cells and ``_EAGER_ATTEMPTS`` attempts have failed, each further attempt may take ``_PATIENCE`` times as
# much work. Some boards of 40 × 40 under the rule ``filled`` need this. With only the usual amount of work:
# - With 120 pairs, none of 40 attempts succeeded. Ten of them ended because the program gave up the search of
#   the whole board for a second solution.
# - With 140 pairs, seven of 20 attempts succeeded.
_LARGE, _EAGER_ATTEMPTS, _PATIENCE = 1000, 20, 16
# If no two numbers may be neighbours, an attempt at a puzzle may take this many more units of work (about a
# microsecond each) for each cell.
_APART_MORE = 20
# Units of work (about a microsecond each), for each cell, that may be spent on the style of a board once it
# is proven to have one solution. This work brings measured properties of the board closer to their targets.
# The second value is for boards with symmetrically placed numbers. Few changes keep the symmetry, so such a
# board gains only a quarter as much from the same work.
_COMPOSING_WORK, _SYMMETRIC_COMPOSING_WORK = 10, 6
# After a change, a board must be proven again to have one solution. The search of that proof is expected to
# meet about as many conflicts as the last proof. To estimate its work in advance, each conflict counts as
# this many units of work. A unit is about a microsecond.
_CONFLICT_WORK = 8
# If a board has a third fewer pairs than another, its difficulty score is about this many points higher.
_SCORE_OF_A_THIRD = 50
_LOOSEN = "Ask for more pairs or more solids{or_filled}."
_WALK = " or use the method walk."
_FAILURES = {
    "shapeless": (
        "pairs, solids, the shortest path or the shares stand in the way",
        "Allow a range of pairs, or more pairs for their size.",
    ),
    "unrepaired": ("those that were made have several solutions", _LOOSEN),
    "undecided": ("those that were made could not be proven to have one solution", _LOOSEN),
    "multiple": ("grown boards with these counts have several solutions", "The method walk repairs them."),
    "gave-up": ("grown boards with these counts could not be proven", "The method walk repairs them."),
    "pairs": ("grown boards have other numbers of pairs", "Widen the range" + _WALK),
    "solids": ("grown boards have other solids", "Widen the range" + _WALK),
    "shortest path": (
        "grown boards have shorter paths",
        "Allow a shortest path of 2 and adjacent pairs," + _WALK,
    ),
    "longest share": ("grown boards have a longer path", "Raise the longest share" + _WALK),
    "border share": ("grown boards have more pairs on the border", "Raise the border share" + _WALK),
    "border numbers": ("grown boards have more numbers on the border", "Raise border numbers" + _WALK),
    "counts": (
        "the longest share and the shortest path leave no number of pairs in the range",
        "Widen one of them.",
    ),
    "technique": (
        "those that were made need other techniques",
        "Allow a wider range of techniques, or change pairs and solids: more of them make easier boards.",
    ),
    "too easy": (
        "those that were made are too easy",
        "Make the board larger, or ask for fewer pairs or solids.",
    ),
    "too hard": (
        "those that were made are too hard",
        "Make the board smaller, or ask for more pairs or solids.",
    ),
}


@dataclass(frozen=True, slots=True)
class MadePuzzle:
    """A generated puzzle with its solution, proof, and grading.

    Args:
        solution: the puzzle with its only solution under ``proof.rule``. The pairs are numbered from 1, in
            random order. A recipe may ask for a composed board, which should look as if a human author had
            made it. Then the pairs are numbered as an author might number them.
        proof: the proof, with the verdict UNIQUE.
        grading: the hardest technique and the score; None if they were not requested.
        attempts: how many boards were begun, including this one.
    """

    solution: Solution
    proof: Proof
    grading: Grading | None
    attempts: int

    @property
    def puzzle(self) -> Puzzle:
        return self.solution.puzzle


_listener: ContextVar[Callable[[AttemptLog], None] | None] = ContextVar("after each attempt", default=None)


@contextmanager
def watching_attempts(notify: Callable[[AttemptLog], None]) -> Iterator[None]:
    """Call a function after each attempt at any puzzle that is generated inside the ``with`` block.

    Args:
        notify: the function. It gets the log of the attempts at that puzzle.
    """
    token = _listener.set(notify)
    try:
        yield
    finally:
        _listener.reset(token)


@dataclass
class AttemptLog:
    """Log of the attempts to make one puzzle: how they ended, and why none has succeeded.

    Args:
        budget: how many units of work the attempts may take.
        attempts: how many boards were begun.
        spent: how many units of work were spent.
        proven: how many boards were proven to have one solution.
        varied: how many boards were graded in searches that change a board in small steps until it needs a
            required technique.
    """

    recipe: Recipe
    method: Method
    budget: int
    attempts: int = 0
    spent: int = 0
    proven: int = 0
    varied: int = 0
    _ends: Counter[str] = field(default_factory=Counter)
    _techniques: Counter[str] = field(default_factory=Counter)
    _difficulties: Counter[str] = field(default_factory=Counter)
    _pairs: int | None = None
    _closest: str = "no board"
    _distance: float = float("inf")

    def note_end(self, end: str) -> None:
        """Count an attempt at the puzzle by how it ended, such as ``shapeless`` or ``unrepaired``."""
        self._ends[end] += 1
        self._notify()

    def note_shape(self, paths: int, solids: int, distance: float) -> None:
        """Remember a board's counts of pairs and solids if no earlier board was closer to the puzzle recipe.

        Args:
            distance: how far the board's counts of pairs and solids are from those that the recipe requires.
        """
        if distance < self._distance:
            self._distance = distance
            self._closest = f"{counted(paths, 'pair')} and {counted(solids, 'solid')}"

    def note_technique(self, technique: Grade | None) -> None:
        """Count a proven board under the grade of the hardest technique that it needs.

        A board is proven if it is known to have exactly one solution.
        """
        self._techniques[technique.label if technique else "ungraded"] += 1
        self._notify()

    def note_difficulty(self, pairs: int, distance: int) -> None:
        """Count a board with a proven unique solution as too easy, too hard or right.

        Also estimate how many pairs would be right.

        Args:
            pairs: the number of pairs of the board.
            distance: by how much the board's score is above the required range of scores; negative if it is
                below.
        """
        self._difficulties["too easy" if distance < 0 else "too hard" if distance else "right"] += 1
        self._pairs = pairs + max(-pairs, min(pairs, pairs * distance // _SCORE_OF_A_THIRD)) // 3
        self._notify()

    @property
    def promising_pairs(self) -> Span | None:
        """Return the range of pair counts that is likely to give the required difficulty; None if unknown."""
        recipe = self.recipe
        if self._pairs is None:
            if recipe.difficulty is None or recipe.pairs is None or recipe.solids is None:
                return None
            area = recipe.rows * recipe.cols
            choice = choose_paths(
                recipe.difficulty, area, recipe.rule, solids=recipe.solids, allowed=recipe.pairs
            )
            return choice.paths
        near = self._pairs // 12
        return Span(max(1, self._pairs - near), max(1, self._pairs + near))

    def failure(self) -> RecipeError:
        """Return the error that says why no attempt succeeded, and which setting should be changed."""
        recipe, reason = self.recipe, "technique"
        is_graded = bool(recipe.required and (self.proven or self.varied))
        if not is_graded:
            ends = (end for end, _ in self._ends.most_common() if end in _FAILURES)
            # If the budget ran out during the first attempt, no reason has been counted yet.
            reason = next(ends, "undecided")
        missed = [kind for kind, _ in self._difficulties.most_common() if kind in _FAILURES]
        if missed and (not recipe.techniques or 2 * self._difficulties.total() > self.proven):
            reason = missed[0]
        why, advice = _FAILURES[reason]
        weaker = " or ".join(rule for rule, ruleset in RULESETS.items() if ruleset.covers)
        or_filled = "" if ruleset_of(recipe.rule).covers else f", or for the rule {weaker}"
        wanted = ", ".join([*_counts(recipe), *([recipe.required] if recipe.required else [])])
        return (GradeError if is_graded else RecipeError)(
            f"no {recipe.board} board ({wanted}) was found; {why}.",
            advice.format(or_filled=or_filled),
            f"{self._begun} with the method {self.method}; closest: {self._closest}, {self._proven_words()}. "
            f"Required: {describe(recipe)}.",
        )

    @property
    def so_far(self) -> str:
        return f"{self._begun}, {self.proven} proven"

    @property
    def _begun(self) -> str:
        return f"{self.attempts} board{'s' * (self.attempts != 1)} begun"

    def _notify(self) -> None:
        notify = _listener.get()
        if notify is not None:
            notify(self)

    def _proven_words(self) -> str:
        if not self.proven and self.varied:
            return f"{counted(self.varied, 'change')} of them graded, none with the technique and proven"
        if not self.proven:
            return "none proven to have one solution"
        techniques = ", ".join(f"{count} {label}" for label, count in self._techniques.most_common())
        varied = f", and {counted(self.varied, 'change')} of them graded" if self.varied else ""
        by = f", by technique: {techniques}" if techniques else ""
        if counts := self._difficulties.most_common():
            by += ", by difficulty: " + ", ".join(f"{count} {word}" for word, count in counts)
        return f"{self.proven} proven to have one solution{by}{varied}"


def describe(recipe: Recipe) -> str:
    """Describe a puzzle recipe in words. Settings that require nothing are left out."""
    words = {
        ", ".join([recipe.board, *_counts(recipe), f"rule {recipe.rule}"]): True,
        f"shortest path {recipe.shortest}": True,
        f"longest share {recipe.longest_share:g}": recipe.longest_share < 1,
        f"border share {recipe.border_share:g}": recipe.border_share < 1,
        f"border numbers {recipe.border_numbers:g}": recipe.border_numbers < 1,
        "with a picture": recipe.picture,
        "as the mask has them": recipe.mask and not recipe.picture,
        f"{recipe.pattern} solids": recipe.pattern is not Pattern.SCATTERED,
        f"{recipe.number_pattern} numbers": recipe.number_pattern is not NumberPattern.FREE,
        "numbers apart": recipe.apart,
        "composed": recipe.composed,
        recipe.required: recipe.required,
    }
    return ", ".join(text for text, is_required in words.items() if is_required)


def _counts(recipe: Recipe) -> tuple[str, str]:
    pairs = "any number of pairs" if recipe.pairs is None else counted(recipe.pairs, "pair")
    return pairs, "any number of solids" if recipe.solids is None else counted(recipe.solids, "solid")


def misses(recipe: Recipe, cover: Cover) -> dict[str, float]:
    """Return, for each setting of a puzzle recipe that a board does not meet, how far the board is from it.

    All other settings are left out.

    Args:
        cover: the board, divided into paths.
    """
    lengths = [len(path) for path in cover.paths] or [0]
    ends = {cell for path in cover.paths for cell in (path[0], path[-1])}
    missed = {
        "pairs": _outside(recipe.pairs, len(cover.paths)),
        "solids": _outside(recipe.solids, len(cover.solids))
        + sum(recipe.mirrored(cell, recipe.pattern) not in cover.solids for cell in cover.solids),
        "shortest path": max(0, recipe.shortest - min(lengths)),
        "longest share": max(0, max(lengths) - longest_path(recipe, len(cover.solids))),
        "border share": max(0.0, cover.border_pairs - recipe.border_share * len(cover.paths) - 1e-9),
        "border numbers": max(0.0, cover.border_ends - recipe.border_numbers * 2 * len(cover.paths) - 1e-9),
        "number pattern": sum(recipe.mirrored(cell, recipe.number_pattern) not in ends for cell in ends),
        "numbers apart": cover.neighbouring_ends if recipe.apart else 0,
    }
    return {name: by for name, by in missed.items() if by}


def _outside(span: Span | None, value: int) -> int:
    return 0 if span is None else max(span.low - value, value - span.high, 0)


def generate(
    recipe: Recipe,
    seed: str,
    method: Method = Method.WALK,
    budget: int | None = None,
    *,
    graded: bool = True,
    scored: bool = True,
) -> MadePuzzle:
    """Generate one puzzle that meets a puzzle recipe.

    Args:
        seed: any text. The same recipe, seed and method give the same puzzle.
        method: how boards are made.
        budget: units of work, about a microsecond each, that the attempts may take. By default it depends on
            the size of the board.
        graded: whether to grade the puzzle even if the recipe requires no techniques.
        scored: whether a puzzle that is graded also gets a score. That takes eight more proofs.
    Raises:
        RecipeError: no puzzle was found. The message says what was required, why no board meets it, and which
            setting to change. It is a GradeError if only the difficulty or the techniques were missed.
        UsageError: the recipe is not a ``Recipe``, or there is no such method.
    """
    if not isinstance(recipe, Recipe):
        raise UsageError(
            f"generate: the recipe is a Recipe, not {recipe!r}; "
            'write generate(Recipe(rows=6, cols=6, pairs=5), seed="first").'
        )
    if method not in list(Method):
        raise UsageError(f"generate: method is one of {', '.join(Method)}, not {method!r}.")
    method, problem = Method(method), recipe_problem(recipe)
    if method is Method.CLASSIC:
        problem = next((f"{name}: {why}" for name, why in classic_conflicts(recipe).items()), problem)
    if problem:
        raise RecipeError(f"The recipe can't be met: {problem}.")
    log = AttemptLog(recipe, method, budget or recipe.usual_work)
    for board in _boards(log, seed):
        rng = rng_from(f"{seed}/{log.attempts}/steer")
        made = _finish(log, board, rng, graded) if board.is_proven else None
        if made is None and method is not Method.CLASSIC and is_steered(recipe):
            steered = _steer(log, board, rng)
            made = _finish(log, steered, rng, graded) if steered else None
        if made is not None:
            if scored and made.grading and made.grading.score is None:
                made = replace(made, grading=with_score(made.grading, made.puzzle, made.proof.rule))
            return _with_insight(log, made, board.order, rng) if recipe.seeks_insight else made
    raise log.failure()


def _with_insight(log: AttemptLog, made: MadePuzzle, order: Order | None, rng: Rng) -> MadePuzzle:
    """Change a hard board in small steps until its solve is more interesting.

    Returns:
        The changed puzzle, or the given puzzle if no change made its solve more interesting.
    """
    technique = made.grading.technique if made.grading else None
    if order is None or technique is None:
        return made

    def judge(cover: Cover, conflicts: int) -> MadePuzzle | None:
        cover = numbered(order, cover, rng)
        proof = _proof_of(made.proof.spent + conflicts, log.recipe.rule)
        return _judge(log, _Board(cover, proof, order), graded=True)

    cover = Cover(order.rows, order.cols, tuple(path.cells for path in made.solution.paths))
    hardest = max(technique, Grade.EXPERT)
    return seek_insight(order, cover, _repair_rule(log), rng, hardest, judge) or made


@dataclass(frozen=True, slots=True)
class _Board:
    """Board that meets the puzzle recipe, except perhaps for its difficulty and techniques.

    For some recipes (``starts_unproven``), a board is not proven to have only one solution until the function
    ``steer`` has changed it. Until then, the verdict of ``proof`` is GAVE_UP. ``last_conflicts`` is the
    number of conflicts in the last search of the whole board for a second solution; 0 if it is unknown.
    """

    cover: Cover
    proof: Proof
    order: Order | None = None
    last_conflicts: int = 0

    @property
    def is_proven(self) -> bool:
        return self.proof.verdict is Verdict.UNIQUE


def _boards(log: AttemptLog, seed: str) -> Iterator[_Board]:
    """Yield boards until the budget is spent.

    The boards meet the puzzle recipe, but perhaps not its requirements for difficulty and techniques.
    """
    attempt = _grow if log.method is Method.CLASSIC else _walk
    while log.spent < log.budget:
        log.attempts += 1
        board = attempt(log, rng_from(f"{seed}/{log.attempts}"))
        if board is not None:
            log.proven += board.is_proven
            yield board


def _grow(log: AttemptLog, rng: Rng) -> _Board | None:
    """Make one board by the method ``classic``, which grows random paths.

    Return None if the board does not meet the puzzle recipe.
    """
    recipe = log.recipe
    cover = grow_cover(recipe.rows, recipe.cols, rng)
    log.spent += 2 * recipe.rows * recipe.cols
    missed = misses(recipe, cover)
    log.note_shape(len(cover.paths), len(cover.solids), sum(missed.values()))
    if missed:
        log.note_end(min(missed))
        return None
    cover = cover.shuffled(rng)
    proof = prove_cover(cover, recipe.rule, _CLASSIC_CONFLICTS)
    log.spent += 8 * proof.spent
    log.note_end(proof.verdict.value)
    return _Board(cover, proof) if proof.verdict is Verdict.UNIQUE else None


def _walk(log: AttemptLog, rng: Rng) -> _Board | None:
    """Make one board by the method ``walk`` or ``quick``. Return None if the attempt fails."""
    order = choose_order(log.recipe, rng, log.promising_pairs)
    if order is None:
        log.note_end("counts")
        log.spent += 1000
        return None
    if log.method is Method.QUICK or log.recipe.composed:
        order = replace(order, quick=True)
    patient = order.cells >= _LARGE and log.recipe.composed and log.attempts > _EAGER_ATTEMPTS
    limit = min(attempt_limit(order) * (_PATIENCE if patient else 1), log.budget - log.spent + 1)
    unproven = starts_unproven(log.recipe)
    attempt = make_cover(order, rng, limit, _repair_rule(log), unproven=unproven, patient=patient)
    log.spent += attempt.work + 20
    log.note_end(attempt.outcome.name.lower())
    log.note_shape(attempt.paths, order.solids, abs(attempt.paths - order.pairs) + (attempt.cover is None))
    if attempt.outcome is not ShapingOutcome.DONE or attempt.cover is None:
        return None
    cover = attempt.cover if log.recipe.composed else attempt.cover.shuffled(rng)
    proof = _proof_of(attempt.conflicts, order.recipe.rule)
    proof = proof._replace(verdict=Verdict.GAVE_UP) if unproven else proof
    return _Board(cover, proof, order, attempt.last_conflicts)


def _repair_rule(log: AttemptLog) -> Rule:
    """Return the rule under which this attempt repairs its board.

    A repair changes a board until it has only one solution. Under the rule filled, only solutions that cover
    every free cell count. Under strict, solutions that leave cells empty count too. If the puzzle recipe has
    the rule filled, most attempts repair their board under the rule strict. A board with one solution under
    strict also has one solution under filled, and the search under strict takes less time. For 15 × 15 with
    14 pairs, 3.6 puzzles a second are made with repairs under strict, and 0.5 with repairs under filled. For
    30 × 30 with 110 pairs, 8.3 and 6.6 puzzles are made. But some recipes can be met only by repairs under
    filled. So every third attempt uses filled.
    """
    stricter = ruleset_of(log.recipe.rule).repair_as
    return stricter if stricter and log.attempts % _OWN_RULE_EVERY else log.recipe.rule


def _proof_of(conflicts: int, rule: Rule) -> Proof:
    """Return the proof that a repaired board has one solution. The solution itself is added later.

    A repair changes a board until it has only one solution. Its last step has searched the whole board and
    found no second solution. The proof names the recipe's rule, even if the repair used a stricter rule.
    """
    return Proof(rule, Verdict.UNIQUE, None, None, "kernel", conflicts)


def choose_order(recipe: Recipe, rng: Rng, promising: Span | None = None) -> Order | None:
    """Choose exact numbers of pairs and solids at random, within the ranges of a recipe.

    Args:
        promising: the range of pair counts to prefer; None for no preference.
    Returns:
        The chosen numbers as an ``Order``. None if no number of pairs is possible with the chosen number of
        solids.
    """
    possible = solid_counts(recipe) if recipe.solids else (0,)
    solids = possible[rng.below(len(possible))]
    free = recipe.rows * recipe.cols - solids
    span = recipe.pairs or Span(max(1, round(free / 10)), max(1, round(free / 7)))
    longest = longest_path(recipe, solids)
    if longest < recipe.shortest:
        return None
    low = max(span.low, -(-free // longest), fewest_pairs(recipe))
    high = min(span.high, free // recipe.shortest)
    counts = [number for number in range(low, high + 1) if can_place(recipe, number, solids)]
    if not counts:
        return None
    if promising:
        nearest = min(counts, key=lambda number: abs(number - promising.low))
        counts = [number for number in counts if number in promising] or [nearest]
    pairs = counts[rng.below(len(counts))]
    if patterns := patterns_for(recipe, pairs, solids):
        recipe = replace(recipe, number_pattern=_choose(patterns, rng))
    if not recipe.composed:
        return Order(recipe, pairs, solids)
    order = Order(recipe, pairs, solids, style=choose_style(recipe, pairs, rng))
    return replace(order, motif=choose_motif(order, rng))


def attempt_limit(order: Order) -> int:
    """Return the units of work after which a new attempt is better than continuing the present attempt.

    A unit is about a microsecond. The limits were chosen by the number of puzzles made in a second:

    - 7 × 7: 720 with a limit of 1,000, and 330 with 10,000
    - 10 × 10 with 8 pairs: 81 with 2,500, and 67 with 5,000
    - method quick, 15 × 15 with 16 pairs: 28 with 20,000, and 15 with 100,000
    - method quick, 25 × 25 with 46 pairs: 1.8 with 140,000, and 1.3 with 1,170,000

    With other methods, the best limit is about 100,000 for 15 × 15, and about 500,000 for 20 × 20.
    """
    cells = order.cells
    beyond = max(0, cells - 100)
    limit = min(20 * cells + 6 * beyond**2, 3_000_000)
    if order.quick:
        limit = 15 * cells + min(beyond**3 // 125, beyond**2 // 3)
    return limit + cells * _APART_MORE if order.recipe.apart else limit


def _steer(log: AttemptLog, board: _Board, rng: Rng) -> _Board | None:
    """Change a board in small steps until it needs a required technique. Return None if that fails."""
    order = board.order
    # ``order``, the requirements for the board, is None only if the method ``classic`` made the board. Boards
    # made by that method are never passed to this function.
    assert order is not None
    steered = steer(order, board.cover, _repair_rule(log), rng, log.budget - log.spent)
    log.spent += steered.work
    log.varied += steered.graded
    if steered.cover is None:
        return None
    log.proven += 1
    cover = steered.cover if log.recipe.composed else steered.cover.shuffled(rng)
    return _Board(cover, _proof_of(steered.conflicts, log.recipe.rule), order)


def _finish(log: AttemptLog, board: _Board, rng: Rng, graded: bool) -> MadePuzzle | None:
    """Grade a board, and return its puzzle; return None if the board does not meet the puzzle recipe.

    If the recipe asks for a composed board, compose it first. Composing means to change the board in small
    steps so that it looks more like published boards, and to number its pairs as an author might.
    """
    order = board.order
    if log.recipe.composed and order is not None:
        is_graded = grade_test(order, board.cover) if log.recipe.techniques else None
        if is_graded is None or is_graded(board.cover):
            board = _compose(log, board, order, rng, is_graded)
    return _judge(log, board, graded)


def _compose(
    log: AttemptLog, board: _Board, order: Order, rng: Rng, is_graded: Callable[[Cover], bool] | None
) -> _Board:
    """Bring a board closer to its style targets, and number its pairs as an author might.

    The members of ``StyleFigure`` are the properties by which published boards are measured. There is a
    target for each of them. After each change, it must be proven again that the board has only one solution.
    If a single proof would need more work than is allowed for all changes, the paths stay as they are, and
    only the numbers of the pairs are changed.
    """
    free = order.recipe.number_pattern is NumberPattern.FREE
    limit = (_COMPOSING_WORK if free else _SYMMETRIC_COMPOSING_WORK) * order.cells
    limit = min(limit, log.budget - log.spent)
    cover, conflicts = board.cover, 0
    if _CONFLICT_WORK * board.last_conflicts <= limit:
        cover, work, conflicts = beautify(order, cover, _repair_rule(log), rng, limit, is_graded)
        log.spent += work
    cover = numbered(order, cover, rng)
    return _Board(cover, _proof_of(board.proof.spent + conflicts, log.recipe.rule), order)


def _judge(log: AttemptLog, board: _Board, graded: bool) -> MadePuzzle | None:
    """Return the puzzle of a board that is proven to have one solution.

    The board is graded if the puzzle recipe requires techniques or a difficulty, or if the caller asks for a
    grade. It is scored if the recipe requires a difficulty. Return None if the techniques or the difficulty
    of the board do not meet the recipe.
    """
    cover, proof, picture = board.cover, board.proof, log.recipe.picture
    if picture:
        cover = replace(cover, paths=picture.by_colour(cover.paths))
    techniques, difficulty = log.recipe.techniques, log.recipe.difficulty
    grading = score = None
    if techniques:
        grading = climb_and_grade(cover.puzzle, proof.rule, techniques[1], proven=True)
        log.spent += _GRADING_WORK * cover.rows * cover.cols
        log.note_technique(grading.technique)
        if grading.technique is None or grading.technique < techniques[0]:
            return None
    if difficulty:
        estimate = score_towards(cover.puzzle, proof.rule, difficulty)
        log.spent += _SCORING_WORK * estimate.conflicts
        score = estimate.score if estimate.is_whole else None
        distance = distance_to(estimate.score, difficulty)
        log.note_difficulty(len(cover.paths), distance)
        if distance:
            return None
    if grading is None and (graded or difficulty):
        grading = climb_and_grade(cover.puzzle, proof.rule, proven=True)
    if grading and score:
        grading = replace(grading, score=score)
    if ruleset_of(proof.rule).covers and grading and grading.solution:
        proof = proof._replace(method=f"{proof.method}+ladder")
    solution = picture.coloured(cover.solution) if picture else cover.solution
    return MadePuzzle(solution, proof._replace(solution=cover.solution), grading, log.attempts)
