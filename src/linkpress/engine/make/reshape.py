"""The walk leads a cover to an exact order, and a repair changes it until its board has one drawing.

This is the Python side of ``kernels/covers``: it lays the solids, lists the stages of a repair and turns
what comes back into a ``Cover``. All effort is counted in units of work, about a
microsecond each on the machine where they were set, and the same on every machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from linkpress.engine.feasibility import longest_path, numbers_swap_colours
from linkpress.engine.kernels import Rng, Variation, find_second_drawing, shape_cover
from linkpress.engine.kernels.glossary import Direction, SearchOutcome, ShapingOutcome, StyleFigure
from linkpress.engine.make.cover import Cover
from linkpress.engine.prove.board_search import kind_of
from linkpress.engine.prove.proof import Proof, Verdict
from linkpress.engine.recipe import NumberPattern, Recipe, Rule

# Changes tried in a stage before a new start.
_ROUNDS = 3000
# The windows' side, their step, the conflicts that a question may take, rounds. Puzzles a second, strict, by
# the sides used:
# 15 × 15 with 16 pairs 1.6 (6, 8), 2.4–4.0 (6, 8, 11); 20 × 20 with 28 pairs 0.3 (6, 8, 11),
# 0.9 (6, 8, 11, 14); 30 × 30 with 110 pairs, filled, 5.8 (6, 8), 8.4 (6, 8, 11).
_WINDOWS = (
    (6, 2, 300, _ROUNDS),
    (8, 2, 500, _ROUNDS),
    (11, 2, 3000, _ROUNDS),
    (14, 2, 5000, _ROUNDS),
    (18, 3, 10_000, _ROUNDS),
)
# The windows of quick making on boards up to a longer side, and the contradictions that a scan of one, or of
# the whole board, may meet. Puzzles a second with the windows above and with these: 20 × 20 with 28 pairs 4.1
# and 5.2 (4.7 without the last), 25 × 25 with 46 pairs 1.6 and 2.3.
_QUICK_WINDOWS = ((7, 3, 500, _ROUNDS), (11, 4, 3000, _ROUNDS), (15, 5, 5000, _ROUNDS))
_QUICK_LONGEST = 25
_SCANNED = 10_000
# Conflicts that the whole board's question may take, by cell, between two bounds: 20 × 20 with
# 28 pairs makes 0.6 puzzles a second with 12,000 conflicts and 0.8 with 30,000. A quick attempt costs less
# than the proof that comes late, by the square of the cells: 20 × 20 with 28 pairs 3.8 with 14,800, 4.3
# with 7,000, 4.1 with 5,000; 15 × 15 with 12 pairs 4.2 with 7,000, 3.1 with 4,000; 25 × 25 with 46 pairs
# as many with 6,000 as with 8,000. Three of 40 × 40 with 120 pairs take 52 s with 40,000, 69 with 20,000.
_WHOLE_CONFLICTS = 75
_WHOLE_LEAST, _WHOLE_MOST = 12_000, 40_000
_QUICK_LEAST, _QUICK_CELLS = 7000, 64
# Windows beyond those, and the conflicts of the whole board, where attempts that spare them came to nothing.
# Of eight boards of 40 × 40 with 120 pairs, of which windows up to 18 hold, 40,000 conflicts prove none by
# the strict rule, 80,000 to 131,000 four in two to six seconds, 289,000 one more in 35, and 300,000 not two.
_PATIENT_WINDOWS = ((23, 6, 20_000, _ROUNDS), (28, 6, 20_000, _ROUNDS), (33, 7, 30_000, _ROUNDS))
_PATIENT_CONFLICTS = 150_000
# Times that solids are laid before an attempt is given to those that lie on one colour more than the other.
_LAYINGS = 50


Style = tuple[tuple[int, int, int], ...]
"""For each ``StyleFigure`` an aim and its spread in thousandths, and the most that is allowed; a spread of 0
says that it does not count."""


@dataclass(frozen=True, slots=True)
class Order:
    """An order is for one attempt: a recipe with every span settled.

    Args:
        recipe: its spans are settled by the next two, its other knobs hold.
        pairs: how many paths.
        solids: how many solids; the pattern must be able to lay them.
        quick: whether windows are scanned, and chosen for that.
        style: of the look, as the kernels take it; empty where any look will do.
    """

    recipe: Recipe
    pairs: int
    solids: int
    quick: bool = False
    style: Style = ()

    @property
    def rows(self) -> int:
        """Return the board's rows."""
        return self.recipe.rows

    @property
    def cols(self) -> int:
        """Return the board's columns."""
        return self.recipe.cols

    @property
    def longest(self) -> int:
        """Return the most squares on a path."""
        return longest_path(self.recipe, self.solids)

    @property
    def scanned(self) -> int:
        """Return the contradictions that a scan of a window may meet; 0 where none is made."""
        return _SCANNED if self.quick else 0

    @property
    def border_pairs(self) -> int:
        """Return the greatest number of pairs that may have both ends on the border."""
        return int(self.recipe.border_share * self.pairs + 1e-9)

    @property
    def border_ends(self) -> int:
        """Return the greatest number of numbers on the border; more than there are squares where any may."""
        most, squares = 2 * self.rows * self.cols, self.rows * self.cols
        if self.recipe.border_numbers < 1:
            most = int(self.recipe.border_numbers * 2 * self.pairs + 1e-9)
        if not self.style or self.recipe.mask:
            return most
        even = 2 * self.pairs * (2 * (self.rows + self.cols) - 4) / squares
        # Symmetric ones come in twos: where 1 was the least, one attempt in ten succeeded, else one in three.
        least = 1 if self.recipe.number_pattern is NumberPattern.FREE else 2
        return min(most, least + max(0, round(even * self.style[StyleFigure.BORDER][0] / 1000)))

    @property
    def shortest(self) -> int:
        """Return the fewest squares on a path."""
        least = self.recipe.shortest
        if not self.style:
            return least
        mean = (self.rows * self.cols - self.solids) / self.pairs
        wanted = int(mean * self.style[StyleFigure.SHORTEST][0] / 1000)
        # Longer paths with symmetric numbers are found half as often: 10 × 10 with 8 pairs 25, 54 a second.
        free = self.recipe.number_pattern is NumberPattern.FREE
        return max(least, wanted if free else min(wanted, least + 1))


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt ended so.

    Args:
        cover: the board, where the walk met its counts; proven only when DONE.
        paths: how many paths it had at the end.
        work: spent, in units of work.
        conflicts: of all questions asked.
    """

    outcome: ShapingOutcome
    cover: Cover | None
    paths: int
    work: int
    conflicts: int


def reshape(
    order: Order,
    rng: Rng,
    limit: int,
    rule: Rule | None = None,
    *,
    unproven: bool = False,
    patient: bool = False,
) -> Attempt:
    """Make one cover to order.

    Args:
        limit: work at which to give the attempt up.
        rule: of the proof; the recipe's when None. STRICT serves a recipe for FILLED too.
        unproven: whether to leave it at the smallest windows, so that a board that is DONE is seldom proven.
        patient: whether the whole board, and windows nearly as large, may take much longer.
    """
    rule = rule or order.recipe.rule
    demands, stages = shape_demands(order, lay_solids(order, rng)), repair_stages(order, patient=patient)
    if unproven:
        del stages[1:]
    ended, paths, work, conflicts = shape_cover(
        order.rows, order.cols, demands, list(order.style), (kind_of(rule), order.scanned, stages), rng, limit
    )
    outcome, cover = ShapingOutcome(ended), None
    if outcome is not ShapingOutcome.SHAPELESS:
        cover = Cover(order.rows, order.cols, tuple(map(tuple, paths)))
    return Attempt(outcome, cover, len(paths), work, conflicts)


def variation_of(order: Order, cover: Cover, rule: Rule, held: int) -> Variation:
    """Return what changes a cover a little; so many stages of windows hold after each change."""
    solid = [0] * (cover.rows * cover.cols)
    for cell in cover.solids:
        solid[cell] = 1
    demands, paths = shape_demands(order, solid), [list(path) for path in cover.paths]
    windows = (kind_of(rule), order.scanned, repair_stages(order))
    return Variation(cover.rows, cover.cols, demands, paths, windows, held, list(order.style))


def cover_of(order: Order, variation: Variation) -> Cover:
    """Return a variation's cover as it is now."""
    return Cover(order.rows, order.cols, tuple(map(tuple, variation.paths())))


def prove_cover(cover: Cover, rule: Rule, budget: int) -> Proof:
    """Decide whether a cover is its board's only drawing: UNIQUE, MULTIPLE (without a witness) or GAVE_UP."""
    path_of, links = [-1] * (cover.rows * cover.cols), [0] * (cover.rows * cover.cols)
    toward = {1: Direction.RIGHT, cover.cols: Direction.DOWN, -1: Direction.LEFT, -cover.cols: Direction.UP}
    for number, path in enumerate(cover.paths):
        for a, b in pairwise(path):
            links[a] |= 1 << toward[b - a]
            links[b] |= 1 << toward[a - b]
        for cell in path:
            path_of[cell] = number
    window = (0, 0, cover.rows, cover.cols)
    ended, spent, _ = find_second_drawing(
        cover.rows, cover.cols, window, path_of, links, kind_of(rule), budget
    )
    verdicts = {SearchOutcome.EXHAUSTED: Verdict.UNIQUE, SearchOutcome.GAVE_UP: Verdict.GAVE_UP}
    verdict = verdicts.get(SearchOutcome(ended), Verdict.MULTIPLE)
    return Proof(rule, verdict, cover.solution, None, "kernel", spent)


def shape_demands(order: Order, solid: list[int]) -> tuple[object, ...]:
    """Return an order as ``shape_cover`` takes it; ``solid`` is 1 by cell where a solid lies."""
    return (
        order.pairs,
        (order.border_pairs, order.border_ends),
        order.recipe.apart,
        length_costs(order),
        solid,
        None if order.recipe.mask else pattern_images(order),
        number_twins(order),
    )


def lay_solids(order: Order, rng: Rng) -> list[int]:
    """Choose the solid squares so that the patterns can have them, and return by cell 1 on a solid.

    Those of a mask lie as they are drawn. Else the solids' pattern maps them onto each other; where the
    numbers' pattern needs as many free dark squares as light ones, the solids are laid again until they lie
    on both colours alike.
    """
    if order.recipe.mask:
        return [int(cell in order.recipe.mask.solids) for cell in range(order.rows * order.cols)]
    solid = _lay_any(order, rng)
    for _ in range(_LAYINGS if numbers_swap_colours(order.recipe) else 0):
        dark = sum(solid[cell] for cell in range(len(solid)) if sum(divmod(cell, order.cols)) % 2)
        if 2 * dark == order.solids:
            break
        solid = _lay_any(order, rng)
    return solid


def _lay_any(order: Order, rng: Rng) -> list[int]:
    solid = [0] * (order.rows * order.cols)
    if order.solids:
        images = list(enumerate(pattern_images(order)))
        axis = [cell for cell, image in images if cell == image]
        rng.shuffle(axis)
        if order.solids % 2:
            solid[axis.pop()] = 1
        twos = [list(pair) for pair in images if pair[0] < pair[1]]
        twos += [[axis[first], axis[first + 1]] for first in range(0, len(axis) - 1, 2)]
        rng.shuffle(twos)
        for one, other in twos[: order.solids // 2]:
            solid[one] = solid[other] = 1
    return solid


def pattern_images(order: Order) -> list[int]:
    """List each cell's counterpart under the solids' pattern."""
    recipe = order.recipe
    return [recipe.mirrored(cell, recipe.pattern) for cell in range(order.rows * order.cols)]


def number_twins(order: Order) -> list[int] | None:
    """List each cell's counterpart under the numbers' pattern; None where they stand anyhow."""
    recipe = order.recipe
    if recipe.number_pattern is NumberPattern.FREE:
        return None
    return [recipe.mirrored(cell, recipe.number_pattern) for cell in range(order.rows * order.cols)]


def length_costs(order: Order) -> list[int]:
    """List what the walk pays for a path of each length: 2 a missing square, 1 an extra one up to 8."""
    shortest, longest = order.shortest, order.longest
    return [
        2 * max(0, shortest - length) + min(8, max(0, length - longest))
        for length in range(order.rows * order.cols + 1)
    ]


def repair_stages(order: Order, *, patient: bool = False) -> list[tuple[int, int, int, int]]:
    """List each stage's windows (side and step), the conflicts that a question may take, and its rounds."""
    longer = max(order.rows, order.cols)
    windows = _QUICK_WINDOWS if order.quick and longer <= _QUICK_LONGEST else _WINDOWS
    cells = order.rows * order.cols
    least, wanted = _WHOLE_LEAST, _WHOLE_CONFLICTS * cells
    if order.quick:
        least, wanted = _QUICK_LEAST, cells**2 // _QUICK_CELLS
    conflicts = min(_WHOLE_MOST, max(least, wanted))
    if patient:
        windows, conflicts = (*windows, *_PATIENT_WINDOWS), _PATIENT_CONFLICTS
    stages = [stage for stage in windows if stage[0] <= longer - 2]
    return [*stages, (longer, 1, conflicts, _ROUNDS)]
