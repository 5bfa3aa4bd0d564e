"""Path covers: boards divided into paths that never touch themselves.

The ends of the paths become the numbers of a puzzle.

Each attempt to make a puzzle makes one path cover to exact requirements. The kernels (``kernels/covers``)
change a cover at random until it meets the requirements. Then they repair it until its paths are the only
solution of the puzzle. This module chooses the solid cells, lists the stages of the repair, and converts
requirements and covers for the kernels.

Effort is counted in units of work. A unit took about a microsecond on the machine where the limits were set.
The count is the same on every machine.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise

from linkpress.engine.board_search import kind_of
from linkpress.engine.kernels import Rng, Variation, find_second_drawing, grow_paths, rng_from, shape_cover
from linkpress.engine.kernels.glossary import Direction, SearchOutcome, ShapingOutcome, StyleFigure
from linkpress.engine.proof import Proof, Verdict
from linkpress.engine.recipe import NumberPattern, Pattern, Recipe, longest_path, numbers_swap_colours
from linkpress.engine.rulesets import Rule
from linkpress.puzzle.puzzle import Cell, Grid, Pair, Path, Puzzle, Solution

# Stage of the repair that makes a board's solution unique. In each stage, windows (rectangles of the board)
# of one size are searched for a second solution. A stage has four values:
# 1. The side of the windows, in cells.
# 2. The distance from one window to the next, in cells.
# 3. The maximum number of conflicts in the search of one window.
# 4. The number of changes that are tried before the repair gives up.
Stage = tuple[int, int, int, int]

_ROUNDS = 3000
# The stages of a repair, except for the last stage, which searches the whole board. A stage searches windows,
# which are rectangles of the board, for a second solution. The first value of a stage is the side of its
# windows, in cells. The sides were chosen by the number of puzzles made in a second:
# - 15 × 15 with 16 pairs, strict: 1.6 with the sides 6 and 8, and 2.4 to 4.0 with 6, 8 and 11
# - 20 × 20 with 28 pairs, strict: 0.3 with the sides 6, 8 and 11, and 0.9 with 6, 8, 11 and 14
# - 30 × 30 with 110 pairs, filled: 5.8 with the sides 6 and 8, and 8.4 with 6, 8 and 11
_STAGES: tuple[Stage, ...] = (
    (6, 2, 300, _ROUNDS),
    (8, 2, 500, _ROUNDS),
    (11, 2, 3000, _ROUNDS),
    (14, 2, 5000, _ROUNDS),
    (18, 3, 10_000, _ROUNDS),
)
# The repair stages that the method ``quick`` uses instead of ``_STAGES``, on boards whose longer side is at
# most ``_QUICK_LONGEST``. The stages were chosen by the number of puzzles made in a second:
# - 20 × 20 with 28 pairs: 4.1 with ``_STAGES``, and 5.2 with these stages
# - 25 × 25 with 46 pairs: 1.6 with ``_STAGES``, and 2.3 with these stages
_QUICK_STAGES: tuple[Stage, ...] = ((7, 3, 500, _ROUNDS), (11, 4, 3000, _ROUNDS), (15, 5, 5000, _ROUNDS))
_QUICK_LONGEST = 25
# A window, which is a rectangle of the board, is first searched depth-first, up to this many contradictions.
# After that, clause learning begins. Only the method ``quick`` uses the depth-first search.
_SCANNED = 10_000
# Limits for the search of the whole board for a second solution. The limit is ``_WHOLE_CONFLICTS`` conflicts
# for each cell of the board, but at least ``_WHOLE_LEAST`` and at most ``_WHOLE_MOST`` conflicts in all. For
# 20 × 20 with 28 pairs, 0.6 puzzles a second are made with a maximum of 12,000 conflicts, and 0.8 with
# 30,000. Three boards of 40 × 40 with 120 pairs take 69 s with a maximum of 20,000, and 52 s with 40,000.
_WHOLE_CONFLICTS = 75
_WHOLE_LEAST, _WHOLE_MOST = 12_000, 40_000
# Maximum number of conflicts in the search of the whole board for a second solution, with the method
# ``quick``. It is the squared number of cells divided by ``_QUICK_CELLS``, but at least ``_QUICK_LEAST``. The
# limits were chosen by the number of puzzles made in a second:
# - 15 × 15 with 12 pairs: 3.1 with a maximum of 4,000, and 4.2 with 7,000
# - 20 × 20 with 28 pairs: 4.3 with a maximum of 7,000, and 3.8 with 14,800
_QUICK_LEAST, _QUICK_CELLS = 7000, 64
# If usual attempts to make a large board have failed, patient attempts follow: they also search these larger
# windows (rectangles of the board) for second solutions. ``_PATIENT_CONFLICTS`` is the maximum number of
# conflicts in the last search of a patient attempt, which searches the whole board.
# Several maxima were tried on eight boards of 40 × 40 with 120 pairs and the rule ``strict``. No
# window of these boards with a side of up to 18 cells had a second solution. With a maximum of 40,000
# conflicts, none of the eight boards is proven to have one solution. With 131,000, four are proven, and with
# 289,000 or 300,000, five.
_PATIENT_STAGES: tuple[Stage, ...] = (
    (23, 6, 20_000, _ROUNDS),
    (28, 6, 20_000, _ROUNDS),
    (33, 7, 30_000, _ROUNDS),
)
_PATIENT_CONFLICTS = 150_000
# Sets of solid cells are chosen at random until one has equally many cells on the dark and on the light
# squares of a chessboard. This is the maximum number of sets to try.
_MAX_LAYINGS = 51

# If most numbers of a board must be in a regular pattern of cells, a ``Motif``, only a limited count of
# numbers may be in other cells. While a board is changed at random, it gets this penalty for each
# number above the limit. For 15 × 15 with a motif, 9.7 boards a second are made with a penalty of 1,
# and 15.4 with 2.
_OUTSIDE_WEIGHT = 2

Style = tuple[tuple[int, int, int], ...]
"""For each ``StyleFigure`` its target, spread and maximum, in thousandths. With spread 0 it is ignored."""


@dataclass(frozen=True)
class Cover:
    """Board divided into paths. Each cell is on exactly one path, or is solid.

    Args:
        rows, cols: the size of the board, 3 to 50 each.
        paths: the paths, each given as two or more cells from one end to the other. The first path gets the
            number 1. Cells that are on no path are solid.
    """

    rows: int
    cols: int
    paths: tuple[tuple[Cell, ...], ...]

    @cached_property
    def solids(self) -> frozenset[Cell]:
        return frozenset(range(self.rows * self.cols)).difference(*self.paths)

    @cached_property
    def solution(self) -> Solution:
        """Return the puzzle with its solution. The paths get the numbers 1, 2, 3 and so on in their order."""
        paths = [path if path[0] < path[-1] else path[::-1] for path in self.paths]
        pairs = tuple(Pair(n, path[0], path[-1]) for n, path in enumerate(paths, 1))
        puzzle = Puzzle(Grid(self.rows, self.cols, self.solids), pairs)
        return Solution(puzzle, tuple(Path(n, path) for n, path in enumerate(paths, 1)))

    @property
    def puzzle(self) -> Puzzle:
        return self.solution.puzzle

    @property
    def border_pairs(self) -> int:
        return sum(self._on_border(path[0]) and self._on_border(path[-1]) for path in self.paths)

    @property
    def border_ends(self) -> int:
        return sum(self._on_border(path[0]) + self._on_border(path[-1]) for path in self.paths)

    @property
    def neighbouring_ends(self) -> int:
        """Return how many pairs of neighbouring cells consist of two path ends."""
        ends = {cell for path in self.paths for cell in (path[0], path[-1])}
        right = sum(cell + 1 in ends and (cell + 1) % self.cols != 0 for cell in ends)
        return right + sum(cell + self.cols in ends for cell in ends)

    def shuffled(self, rng: Rng) -> Cover:
        """Return a path cover with the same paths in random order.

        A path cover is a board divided into paths. Paths are numbered in their order, so afterwards the
        number 1 may be anywhere.
        """
        paths = sorted(self.paths)
        rng.shuffle(paths)
        return replace(self, paths=tuple(paths))

    def _on_border(self, cell: Cell) -> bool:
        row, col = divmod(cell, self.cols)
        return row in (0, self.rows - 1) or col in (0, self.cols - 1)


def grow_cover(rows: int, cols: int, source: str | Rng) -> Cover:
    """Grow random paths one after the other on an empty board.

    This is the method of the article on which linkpress is based. Choose a free square and a free neighbour
    of it (rule a). They begin a path. From its newer end, go to a random free neighbour that touches the path
    at that end only (rule b). If there is no such neighbour, the path is finished, and its ends become
    numbers. Once no two free squares are neighbours, the remaining free squares become solids.

    To test whether a square touches the path, the article uses union–find, with a function ``find`` that
    climbs to the root of a tree. A C program that circulates with the article differs: its function
    ``findset`` climbs only one step. This function follows the article.

    Args:
        rows, cols: the size of the board, 3 to 50 each.
        source: a seed, which may be any text, or a random number generator.
    Returns:
        A path cover with any number of paths. Its solution is not proven to be unique.
    """
    rng = rng_from(source) if isinstance(source, str) else source
    return Cover(rows, cols, tuple(map(tuple, grow_paths(rows, cols, rng))))


@dataclass(frozen=True, slots=True)
class Motif:
    """Regular pattern of cells, such as every third row, in which most numbers of a board must be.

    Args:
        cells: the cells of the pattern.
        most_outside: how many numbers may be in other cells.
    """

    cells: frozenset[Cell]
    most_outside: int


@dataclass(frozen=True, slots=True)
class Order:
    """The exact requirements of one attempt to make a board.

    A puzzle recipe has a range for the number of pairs and a range for the number of solids. An order fixes
    one number within each of these ranges.

    Args:
        recipe: the recipe. Its ranges for pairs and solids are not used.
        pairs: the number of paths.
        solids: the number of solid cells. If the recipe requires a symmetry of the solid cells, this number
            must be possible with the symmetry.
        quick: whether to make the solution unique by the faster steps of ``Method.QUICK``.
        style: targets for measured properties of the board, such as the length of its shortest path, as
            returned by ``generate.choose_style``. Empty for no targets.
        motif: a regular pattern of cells where most numbers must be; None if numbers may be anywhere. If
            given, the number of path ends on the border is not limited.
    """

    recipe: Recipe
    pairs: int
    solids: int
    quick: bool = False
    style: Style = ()
    motif: Motif | None = None

    @property
    def rows(self) -> int:
        return self.recipe.rows

    @property
    def cols(self) -> int:
        return self.recipe.cols

    @property
    def cells(self) -> int:
        return self.recipe.rows * self.recipe.cols

    @property
    def longest(self) -> int:
        return longest_path(self.recipe, self.solids)

    @property
    def scanned(self) -> int:
        return _SCANNED if self.quick else 0

    @property
    def border_pairs(self) -> int:
        return int(self.recipe.border_share * self.pairs + 1e-9)

    @property
    def border_ends(self) -> int:
        """Return the largest number of path ends that the border of the board may have."""
        most = 2 * self.cells
        if self.recipe.border_numbers < 1:
            most = int(self.recipe.border_numbers * 2 * self.pairs + 1e-9)
        if not self.style or self.recipe.mask:
            return most
        even = 2 * self.pairs * (2 * (self.rows + self.cols) - 4) / self.cells
        # Numbers in symmetric patterns come in twos, so allow at least 2 of them on the border. With 1
        # instead of 2, one attempt in ten succeeded. With 2, one attempt in three succeeded.
        least = 1 if self.recipe.number_pattern is NumberPattern.FREE else 2
        return min(most, least + max(0, round(even * self.style[StyleFigure.BORDER][0] / 1000)))

    @property
    def shortest(self) -> int:
        """Return the smallest number of cells that a path may have."""
        least = self.recipe.shortest
        if not self.style:
            return least
        mean = (self.cells - self.solids) / self.pairs
        target = int(mean * self.style[StyleFigure.SHORTEST][0] / 1000)
        # The style has a target for the length of the shortest path. If the numbers need no symmetry (FREE),
        # no path may be shorter than this target. With symmetrically placed numbers, the limit is at most 1
        # cell above the recipe's minimum, because the full target would halve the speed: at 10 × 10, 25
        # puzzles a second would be made instead of 54.
        free = self.recipe.number_pattern is NumberPattern.FREE
        return max(least, target if free else min(target, least + 1))


@dataclass(frozen=True, slots=True)
class Attempt:
    """Result of one attempt to make a path cover, which is a board divided into paths.

    Args:
        outcome: how the attempt ended.
        cover: the cover; None if it does not meet the requirements. If the outcome is DONE, its paths
            are proven to be the only solution; otherwise, this is not proven.
        paths: the number of paths at the end of the attempt.
        work: the units of work spent.
        conflicts: how many conflicts all searches for a second solution met.
        last_conflicts: how many conflicts the last search met. If the outcome is DONE, that search has proven
            that the solution is unique.
    """

    outcome: ShapingOutcome
    cover: Cover | None
    paths: int
    work: int
    conflicts: int
    last_conflicts: int


def make_cover(
    order: Order,
    rng: Rng,
    limit: int,
    rule: Rule | None = None,
    *,
    unproven: bool = False,
    patient: bool = False,
) -> Attempt:
    """Make one path cover (a board divided into paths) that meets the given requirements.

    Cells on no path are solid. The cover is repaired until its paths are the only solution of the puzzle. The
    repair searches windows, first small and then larger ones. A window is a rectangle of the board. In each
    window, the repair looks for another way to draw the paths, while all cells outside the window stay as
    they are. The last window is the whole board.

    Args:
        order: the requirements.
        rng: the source of all random choices.
        limit: units of work after which to give up.
        rule: the rule under which the solution is proven to be unique; by default the recipe's rule. A proof
            for STRICT holds for FILLED too.
        unproven: whether to repair the smallest windows only. Then even a cover with the outcome DONE rarely
            has a unique solution.
        patient: whether to allow much more effort for the whole board and for windows nearly as large.
    """
    stages = repair_stages(order, patient=patient)
    ended, paths, work, conflicts, last_conflicts = shape_cover(
        order.rows,
        order.cols,
        _kernel_order(order, lay_solids(order, rng)),
        list(order.style),
        (kind_of(rule or order.recipe.rule), order.scanned, stages[:1] if unproven else stages),
        rng,
        limit,
    )
    outcome, cover = ShapingOutcome(ended), None
    if outcome is not ShapingOutcome.SHAPELESS:
        cover = Cover(order.rows, order.cols, tuple(map(tuple, paths)))
    return Attempt(outcome, cover, len(paths), work, conflicts, last_conflicts)


def variation_of(order: Order, cover: Cover, rule: Rule, searched_stages: int) -> Variation:
    """Return an object that changes a path cover (a board divided into paths) in small steps.

    A window is a rectangle of the board. After each change, windows are searched for a second solution. The
    search goes in stages, called repair stages, from small windows to large ones. All windows of a stage have
    the same size.

    Args:
        order: the requirements that the path cover meets, and will still meet after each change.
        rule: the rule under which each changed path cover is proven to have only one solution.
        searched_stages: how many repair stages to search after each change. The stages with the smallest
            windows come first.
    """
    solid = [int(cell in cover.solids) for cell in range(order.cells)]
    paths = [list(path) for path in cover.paths]
    windows = (kind_of(rule), order.scanned, repair_stages(order))
    return Variation(
        cover.rows,
        cover.cols,
        _kernel_order(order, solid),
        paths,
        windows,
        searched_stages,
        list(order.style),
    )


def cover_of(order: Order, variation: Variation) -> Cover:
    return Cover(order.rows, order.cols, tuple(map(tuple, variation.paths())))


def prove_cover(cover: Cover, rule: Rule, budget: int) -> Proof:
    """Decide whether the paths of a path cover are the only solution of its puzzle.

    A path cover is a board divided into paths. The ends of the paths are the numbers of the puzzle.

    Args:
        rule: the rule that says which sets of paths count as solutions.
        budget: how many conflicts the search may take.
    Returns:
        A proof with the verdict UNIQUE, MULTIPLE or GAVE_UP. If it is MULTIPLE, the proof does not contain
        the second solution.
    """
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


def _kernel_order(order: Order, solid: list[int]) -> tuple[object, ...]:
    """Convert the requirements for a path cover to the tuple that ``shape_cover`` of the kernels accepts.

    Args:
        order: the requirements for the path cover, which is a board divided into paths.
        solid: for each cell, 1 if the cell is solid, else 0.
    """
    recipe = order.recipe
    free = recipe.number_pattern is NumberPattern.FREE
    most, limited = order.border_ends, list(_on_border(recipe.rows, recipe.cols))
    if order.motif:
        most = _OUTSIDE_WEIGHT * order.motif.most_outside
        limited = [0 if cell in order.motif.cells else _OUTSIDE_WEIGHT for cell in range(order.cells)]
    mirror = None if free else list(_images(recipe.rows, recipe.cols, recipe.number_pattern))
    return (
        order.pairs,
        (order.border_pairs, most),
        recipe.apart,
        length_costs(order),
        solid,
        None if recipe.mask else solid_images(order),
        mirror,
        limited,
        _regions(recipe),
    )


def _regions(recipe: Recipe) -> list[int] | None:
    """Return, for each cell of the recipe's picture, a number that stands for the cell's colour.

    The result is None if the puzzle recipe has no picture.
    """
    if recipe.picture is None:
        return None
    ranks = {colour: rank for rank, colour in enumerate(sorted(set(recipe.picture.colours)))}
    return [ranks[colour] for colour in recipe.picture.colours]


def lay_solids(order: Order, rng: Rng) -> list[int]:
    """Choose the solid cells of a board at random, with the symmetry that the puzzle recipe requires.

    If the recipe has a mask, its solid cells are used instead. Imagine the board coloured like a chessboard.
    If the symmetry of the numbers maps dark cells onto light cells, the choice is repeated until equally many
    solids lie on both colours.

    Returns:
        For each cell, 1 if the cell is solid, else 0.
    """
    if order.recipe.mask:
        return [int(cell in order.recipe.mask.solids) for cell in range(order.cells)]
    solid = _lay_any(order, rng)
    if numbers_swap_colours(order.recipe):
        dark = [cell for cell in range(order.cells) if sum(divmod(cell, order.cols)) % 2]
        for _ in range(_MAX_LAYINGS - 1):
            if 2 * sum(solid[cell] for cell in dark) == order.solids:
                break
            solid = _lay_any(order, rng)
    return solid


def _lay_any(order: Order, rng: Rng) -> list[int]:
    """Choose the required number of solid cells at random.

    If the puzzle recipe requires a symmetry of the solids, the chosen cells have this symmetry. Masks and the
    colours of a chessboard are ignored here, because ``lay_solids`` handles them.

    Returns:
        For each cell, 1 if the cell is solid, else 0.
    """
    solid = [0] * order.cells
    if order.solids:
        images = list(enumerate(solid_images(order)))
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


def solid_images(order: Order) -> list[int]:
    """Return a list that maps each cell to its mirror image under the symmetry of the solids."""
    recipe = order.recipe
    return list(_images(recipe.rows, recipe.cols, recipe.pattern))


@lru_cache(maxsize=8)
def _on_border(rows: int, cols: int) -> tuple[int, ...]:
    """Return a number for each cell: 1 if the cell is on the border of the board, else 0."""
    cells = [divmod(cell, cols) for cell in range(rows * cols)]
    return tuple(int(row in (0, rows - 1) or col in (0, cols - 1)) for row, col in cells)


@lru_cache(maxsize=8)  # The result is cached, because all boards of a level have the same size and symmetry.
def _images(rows: int, cols: int, pattern: Pattern | NumberPattern) -> tuple[Cell, ...]:
    recipe = Recipe(rows, cols)
    return tuple(recipe.mirrored(cell, pattern) for cell in range(rows * cols))


@lru_cache(maxsize=8)
def first_images(rows: int, cols: int, pattern: NumberPattern) -> tuple[Cell, ...]:
    """Group the cells that the symmetry of the numbers maps onto each other.

    Returns:
        For each cell, the first cell of its group. "First" refers to the order from left to right and from
        top to bottom.
    """
    images = _images(rows, cols, pattern)
    first = list(range(rows * cols))
    # ``images[cell]`` is the next cell of the group to which ``cell`` belongs; the last cell leads back to
    # the first one. In each round, every cell takes over the smallest index that the next cell has found so
    # far. A group has at most four cells, so after three rounds all of its cells have its smallest index.
    for _ in range(3):
        first = [min(cell, first[image]) for cell, image in enumerate(images)]
    return tuple(first)


def length_costs(order: Order) -> list[int]:
    """List the penalty for a path of each length, beginning with the length 0.

    A path that is too short costs 2 for each missing cell. A path that is too long costs 1 for each surplus
    cell, but at most 8.
    """
    return list(_length_costs(order.shortest, order.longest, order.cells))


@lru_cache(maxsize=32)
def _length_costs(shortest: int, longest: int, cells: int) -> tuple[int, ...]:
    return tuple(
        2 * max(0, shortest - length) + min(8, max(0, length - longest)) for length in range(cells + 1)
    )


def repair_stages(order: Order, *, patient: bool = False) -> list[Stage]:
    """List the stages in which a path cover is repaired until its paths are the only solution of its puzzle.

    A path cover is a board divided into paths. Each stage searches larger windows (rectangles of the board)
    for a second solution than the stage before. The last stage searches the whole board.
    """
    longer = max(order.rows, order.cols)
    stages = _QUICK_STAGES if order.quick and longer <= _QUICK_LONGEST else _STAGES
    least, target = _WHOLE_LEAST, _WHOLE_CONFLICTS * order.cells
    if order.quick:
        least, target = _QUICK_LEAST, order.cells**2 // _QUICK_CELLS
    conflicts = min(_WHOLE_MOST, max(least, target))
    if patient:
        stages, conflicts = (*stages, *_PATIENT_STAGES), _PATIENT_CONFLICTS
    return [*(stage for stage in stages if stage[0] <= longer - 2), (longer, 1, conflicts, _ROUNDS)]
