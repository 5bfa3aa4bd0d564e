"""Make a board of a required grade by small random changes to another board.

A changed board is called a neighbour. It mostly has the same grade as before or the next one. On boards of
10 × 10 with 8–10 pairs, one in 20 neighbours of a medium board is harder than that board. For a hard board,
it is one in 15, and for an expert board one in 20. Of boards made from scratch, one in 50 is expert and one
in 250 fiendish. A neighbour also takes only a tenth of the time of a new board. So a walk from neighbour to
neighbour finds a rare grade sooner than new boards do, if it seldom accepts a step away from that grade.

**Too hard.** The board is solved with the techniques up to the required grades only. The cells that are then
still undecided show how far the board is from these grades, and where to change it. For grades up to hard,
this also drives the board toward a single solution. So the walk begins with a cover of which only the
smallest windows (rectangles of the board) have been repaired. The larger windows are searched once the grade
is met. A walk that fails is given up soon. With this limit, 16 easy boards of 12 × 12 with 9–12 pairs are
made in a second, and 11 without it.

**Too easy.** Boards of the same grade are compared by the rounds of the solve in which their hardest
techniques were needed. For each such round, the number of places that a person must look at before finding
one deduction is estimated. The sum over these rounds ranks two neighbours correctly in 65 to 76 % of cases.

For expert and fiendish, the board must be known to have one solution. Otherwise each solve would go up to the
last technique in vain. So the walk begins with a proven cover, and all windows are searched on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from linkpress.engine.kernels import Position, Rng
from linkpress.engine.kernels.glossary import ClimbOutcome
from linkpress.engine.ladder import EASIEST, KERNEL_LADDER, OF_CODE, highest_rung
from linkpress.engine.make.cover import Cover, Order, cover_of, repair_stages, variation_of
from linkpress.engine.recipe import Grade, Recipe
from linkpress.engine.rulesets import Rule, ruleset_of
from linkpress.puzzle.puzzle import Cell

# The walk is given up after this many changed boards were graded. For 10 × 10 with 8–10 pairs, expert, a
# puzzle takes 120 changed boards with a limit of 60, and 110 with a limit of 150.
_MOST_GRADED = 150
# The walk is given up after this many boards of the required grade that have more than one solution. For 12 ×
# 12 with 9–12 pairs, easy, 17 puzzles a second are made with a limit of 3, 16 with 8, and 11 without a limit.
_MOST_MULTIPLE = 4
# From this many cells on, hard boards are found sooner by making them from scratch. For 20 × 20 with 40–58
# pairs, hard, 3.6 puzzles a second are made from scratch, and 1.1 to 2.6 by small changes.
_LARGE = 300
# The hardest grade for which the walk may begin with a cover that is not proven to have one solution.
_HARDEST_UNPROVEN = Grade.HARD
# The distance of a board from the required grade is a sum. Each grade of difference adds ``_GRADE_WEIGHT``.
# Each doubling of the number of undecided cells adds 256 × ``_CELLS_WEIGHT``. Each halving of the number of
# places to look at adds 256. A step that adds ``_HALVING`` to the distance is accepted half as often as one
# that adds nothing.
_GRADE_WEIGHT = 16 * 256
_CELLS_WEIGHT = 4
_HALVING = 256
# Distance from the required grade of a board that no technique can finish.
_UNREACHABLE = 1 << 40
# Percentage of changes made anywhere on a board that is too hard. All others are made at undecided cells.
_ANYWHERE = 20
# Units of work that are counted for each cell of a graded board.
_GRADING_WORK = 5
# A single change to a board is given up after this many units of work.
_CHANGE_LIMIT = 20_000


@dataclass(frozen=True, slots=True)
class Steered:
    """Result of a walk to a required grade.

    Args:
        cover: a cover of the required grade, proven unique; None if none was found.
        graded: how many changed boards were graded.
        work: the units of work spent.
        conflicts: how many conflicts all searches met.
    """

    cover: Cover | None
    graded: int
    work: int
    conflicts: int


def is_steered(recipe: Recipe) -> bool:
    """Return whether small changes find the required grade sooner than boards made from scratch."""
    large = recipe.rows * recipe.cols >= _LARGE
    return recipe.techniques is not None and not (large and recipe.techniques[0] >= Grade.HARD)


def starts_unproven(recipe: Recipe) -> bool:
    """Return whether ``steer`` begins with covers that are not proven to have one solution."""
    return is_steered(recipe) and recipe.techniques is not None and recipe.techniques[1] <= _HARDEST_UNPROVEN


def steer(order: Order, cover: Cover, rule: Rule, rng: Rng, limit: int) -> Steered:
    """Change a cover in small steps until it has a grade that the recipe accepts.

    Args:
        cover: the first cover, which must be proven unless ``starts_unproven`` is true for the recipe.
        rule: the rule under which changed covers are proven. A proof for STRICT holds for FILLED too.
        limit: units of work after which to give up.
    """
    unproven, last_stage = starts_unproven(order.recipe), len(repair_stages(order)) - 1
    variation = variation_of(order, cover, rule, min(1, last_stage) if unproven else last_stage)
    position = _position(order, cover)

    def work() -> int:
        return variation.spent()[0] + _GRADING_WORK * order.cells * graded

    graded = multiple = 0
    distance, (new_distance, left) = _UNREACHABLE, _judge(order, position, variation.paths())
    places = left
    while True:
        if new_distance == 0:
            proven, left = variation.prove()
            if proven:
                return Steered(cover_of(order, variation), graded, work(), variation.spent()[1])
            multiple += 1
            new_distance = 1 if unproven and left else _UNREACHABLE
        if _is_accepted(new_distance - distance, rng):
            distance, places = new_distance, left
        else:
            variation.take_back()
        if graded == _MOST_GRADED or multiple == _MOST_MULTIPLE or work() >= limit:
            break
        anywhere = not places or rng.below(100) < _ANYWHERE
        if not variation.vary(rng, _CHANGE_LIMIT, [] if anywhere else places):
            break
        graded += 1
        new_distance, left = _judge(order, position, variation.paths())
    return Steered(None, graded, work(), variation.spent()[1])


def grade_test(order: Order, cover: Cover) -> Callable[[Cover], bool]:
    """Return a function that tells whether a changed cover has a grade that the recipe accepts.

    Args:
        cover: any cover with the same solids as the covers to be tested.
    """
    position = _position(order, cover)
    return lambda changed: _judge(order, position, changed.paths)[0] == 0


def _position(order: Order, cover: Cover) -> Position:
    """Return a cover's puzzle with nothing drawn yet, to be solved with the ladder of techniques."""
    free = [int(cell not in cover.solids) for cell in range(order.cells)]
    apart = ruleset_of(order.recipe.rule).paths_stay_apart
    return Position(cover.rows, cover.cols, free, _ends(cover.paths), apart, KERNEL_LADDER)


def _ends(paths: Sequence[Sequence[Cell]]) -> list[Cell]:
    return [cell for path in paths for cell in sorted((path[0], path[-1]))]


def _is_accepted(further: int, rng: Rng) -> bool:
    """Decide at random whether to accept a step away from the required grade.

    Each additional distance of ``_HALVING`` makes it half as likely.
    """
    if further <= 0:
        return True
    return further < 32 * _HALVING and rng.below(1 << 32) < (1 << 32) >> further // _HALVING


def _judge(order: Order, position: Position, paths: Sequence[Sequence[Cell]]) -> tuple[int, list[Cell]]:
    """Measure how far a board is from the required grades.

    Returns:
        The distance, and the cells that the techniques leave undecided if the board is too hard. The distance
        is 0 if the grade is right, and ``_UNREACHABLE`` if no technique finishes the board.
    """
    lowest, hardest = order.recipe.techniques or (Grade.BEGINNER, Grade.FIENDISH)
    position.lay_pairs(_ends(paths))
    outcome, rounds = position.climb(highest_rung(hardest))
    if outcome != ClimbOutcome.FINISHED:
        if hardest is Grade.FIENDISH or outcome == ClimbOutcome.CONTRADICTED:
            return _UNREACHABLE, []
        left = [cell for cell, need in enumerate(position.needs()) if need]
        return _GRADE_WEIGHT + _CELLS_WEIGHT * _log2(len(left)), left
    used = [OF_CODE[code] for code in rounds[::4]]
    grade = max((technique.grade for technique in used), default=EASIEST.grade)
    if grade >= lowest:
        return 0, []
    places = sum(
        16 * (undecided + 1) // (findings + 1)
        for technique, findings, undecided in zip(used, rounds[1::4], rounds[2::4], strict=True)
        if technique.grade is grade
    )
    return _GRADE_WEIGHT * (lowest - grade + 1) - _log2(places), []


def _log2(number: int) -> int:
    """Return the logarithm to base 2, multiplied by 256. Between powers of 2 it is interpolated."""
    bits = max(1, number).bit_length() - 1
    return 256 * bits + (256 * max(1, number) >> bits) - 256
