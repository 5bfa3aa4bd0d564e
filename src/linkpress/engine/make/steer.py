"""Make a board of a required grade by small random changes to another board.

The grade of a board is the grade of the hardest solving technique that the board needs. A changed board is
called a neighbour. In most cases, its grade is the grade of the other board, or differs from it by one.

A walk from neighbour to neighbour finds a rare grade sooner than making new boards, for two reasons. First,
neighbours are harder more often. On boards of 10 × 10 with 8–10 pairs, one in 20 neighbours of a medium board
is harder than that board. For a hard board, it is one in 15, and for an expert board one in 20. Of boards
made from scratch, one in 50 is expert and one in 250 fiendish. Second, a neighbour takes only a tenth of the
time of a new board. But the walk must seldom accept a step away from the required grade.

**Too hard.** A board that is too hard is solved with the techniques up to the required grades only. The cells
that are then still undecided show how far the board is from these grades, and where to change it.

A board that these techniques solve completely has only one solution that covers all cells. So steps toward
the grade are also steps toward a single solution. The walk makes use of this for grades up to hard: at its
beginning, only the smallest windows (rectangles of the board) must be free of second solutions. The larger
windows are searched once the grade is met. A walk is given up if it has found several boards of the grade,
but all of them have more than one solution. With this limit, 16 easy boards of 12 × 12 with 9–12 pairs are
made in a second. Without the limit, 11 of these boards are made in a second.

**Too easy.** Boards of the same grade are compared by the rounds in which their solves needed a technique of
that grade. For each of these rounds, the program estimates how many places a person must look at before
finding one deduction. The board with the larger sum counts as harder. For two neighbours, this is right in 65
to 76 % of cases.

For the grades expert and fiendish, the board must be known to have one solution. A board with several
solutions is never finished, so its solve would try even the slowest techniques in vain. So the walk begins
with a board that is proven to have one solution, and all windows are searched on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import TypeVar

from linkpress.engine.kernels import Position, Rng
from linkpress.engine.kernels.glossary import ClimbOutcome
from linkpress.engine.ladder import EASIEST, KERNEL_LADDER, OF_CODE, highest_rung
from linkpress.engine.make.cover import Cover, Order, cover_of, repair_stages, variation_of
from linkpress.engine.recipe import Grade, Recipe
from linkpress.engine.rulesets import Rule, ruleset_of
from linkpress.puzzle.puzzle import Cell

_Made = TypeVar("_Made")

# A search for a board of a rare grade by small changes is given up after this many changed boards. Then
# another search begins. An expert puzzle of 10 × 10 with 8–10 pairs needs 110 changed boards on average,
# counting those of all its searches. With a limit of 60 instead of 150, it needs 120.
_MOST_GRADED = 150
# A search changes a board in small steps until it has the required grade and only one solution. The search is
# given up after this many boards had the required grade, but more than one solution. The limit determines how
# many easy puzzles of 12 × 12 with 9–12 pairs are made in a second:
# - 17 with a limit of 3
# - 16 with a limit of 8
# - 11 without a limit
_MOST_MULTIPLE = 4
# If a board has at least this many cells, hard boards are found sooner by making new boards than by
# small changes. Of hard puzzles of 20 × 20 with 40–58 pairs, 3.6 a second are made from scratch, and 1.1
# to 2.6 by small changes.
_LARGE = 300
# The hardest grade for which the search may begin with a board that is not proven to have one solution.
_HARDEST_UNPROVEN = Grade.HARD
# The distance says how far a board is from the required grade. A change that increases the distance by
# ``_HALVING`` is accepted half as often as a change that leaves it the same.
# - A board that is too easy has a distance of ``_GRADE_WEIGHT`` × (the difference in grades + 1), minus 256 ×
#   log2(places). Here, ``places`` is an estimate of how many places a person must look at to find the
#   deductions. The more places there are, the harder the board is.
# - A board is too hard if the techniques of the allowed grades leave some cells undecided. With one such
#   cell, its distance is ``_GRADE_WEIGHT``. Each time the number of these cells doubles, the distance grows
#   by 256 × ``_CELLS_WEIGHT``.
_GRADE_WEIGHT = 16 * 256
_CELLS_WEIGHT = 4
_HALVING = 256
# The distance from the required grade for a board that no solving technique can finish.
_UNREACHABLE = 1 << 40
# If a board is too hard, this percentage of changes is made anywhere on the board. All other changes are made
# at cells that the solver could not decide.
_ANYWHERE = 20
# Grading a board counts as this many units of work (about a microsecond each) for each cell.
_GRADING_WORK = 5
# A single change to a board is given up after this many units of work. A unit is about a microsecond.
_CHANGE_LIMIT = 20_000


# A hard board is more interesting if solving it needs one of these techniques, which look at the whole board.
# It is also more interesting if its solve doesn't end with many easy steps. So a hard board is changed in
# small steps, at most ``_MOST_NEIGHBOURS`` times. Several values of ``_MOST_NEIGHBOURS`` were tried. In each
# pair of results, the first one is for boards of 10 × 10, and the second one for boards of 12 × 12:
# - 0: 12 and 12 % of the boards need such a technique. The solves of 66 and 75 % end with many easy steps.
#   Making a board takes 13 and 28 ms.
# - 50: 39 and 36 % need such a technique, 32 and 36 % end with many easy steps, and a board takes
#   33 and 64 ms.
# - 100: 42 and 38 % need such a technique, 28 and 33 % end with many easy steps, and a board takes
#   40 and 84 ms.
_WHOLE_BOARD = frozenset({"order", "gap", "narrows"})
_MOST_NEIGHBOURS = 50
# A solve ends with many easy steps if its last rounds use only techniques of the easiest grade, and these
# rounds make at least 1 / ``_ENDING`` of all deductions of the solve.
_ENDING = 3
_MOST_INTEREST = 3


@dataclass(frozen=True, slots=True)
class Steered:
    """Result of the search for a board of a required grade by small changes.

    Args:
        cover: the board, divided into paths, with the required grade and a proven unique solution; None if
            none was found.
        graded: how many changed boards were graded.
        work: the units of work spent, of about a microsecond each.
        conflicts: how many conflicts all searches for a second solution met.
    """

    cover: Cover | None
    graded: int
    work: int
    conflicts: int


def is_steered(recipe: Recipe) -> bool:
    """Return whether a board should be changed in small steps until it has the required grade.

    If not, new boards are made until one has this grade. The faster of the two ways is chosen.
    """
    large = recipe.rows * recipe.cols >= _LARGE
    return recipe.techniques is not None and not (large and recipe.techniques[0] >= Grade.HARD)


def starts_unproven(recipe: Recipe) -> bool:
    return is_steered(recipe) and recipe.techniques is not None and recipe.techniques[1] <= _HARDEST_UNPROVEN


def steer(order: Order, cover: Cover, rule: Rule, rng: Rng, limit: int) -> Steered:
    """Change a board in small steps until it has a grade that the puzzle recipe accepts.

    A path cover is a board divided into paths. Its grade is the grade of the hardest technique that its
    puzzle needs.

    Args:
        order: the exact requirements, including the recipe.
        cover: the first cover. It must be proven to be the only solution of its puzzle, unless
            ``starts_unproven`` is true for the recipe.
        rule: the rule under which each changed cover is proven to have one solution. A proof for STRICT holds
            for FILLED too.
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


def seek_insight(
    order: Order,
    cover: Cover,
    rule: Rule,
    rng: Rng,
    hardest: Grade,
    judge: Callable[[Cover, int], _Made | None],
) -> _Made | None:
    """Change a board in small steps until its solve is more interesting.

    A solve is more interesting if it needs a technique that looks at the whole board. It is also a little
    more interesting if it doesn't end with many easy steps. The search ends when the solve has both
    qualities.

    Args:
        cover: the board, which must be proven to have one solution.
        rule: the rule under which each changed board is proven to have one solution.
        hardest: the highest grade that a changed board may have.
        judge: a function that takes a changed board with one solution, and the number of conflicts in all
            searches for a second solution so far. It returns its result for this board, or None if the board
            does not meet the puzzle recipe.
    Returns:
        What ``judge`` returned for the best changed board; None if no board was better than the first one.
    """
    variation = variation_of(order, cover, rule, len(repair_stages(order)) - 1)
    position, best = _position(order, cover), None
    highest = highest_rung(hardest)
    interest = _interest(position.climb(highest)[1])
    for _ in range(_MOST_NEIGHBOURS):
        if interest == _MOST_INTEREST or not variation.vary(rng, _CHANGE_LIMIT, []):
            break
        position.lay_pairs(_ends(variation.paths()))
        outcome, rounds = position.climb(highest)
        if outcome == ClimbOutcome.FINISHED:
            if _interest(rounds) <= interest:
                continue
            made = judge(cover_of(order, variation), variation.spent()[1]) if variation.prove()[0] else None
            if made is not None:
                best, interest = made, _interest(rounds)
                continue
        variation.take_back()
    return best


def _interest(rounds: Sequence[int]) -> int:
    """Return how interesting a solve is, from 0 to 3.

    A solve gets two points if it uses a technique that looks at the whole board, and one point if it doesn't
    end with many easy steps.

    Args:
        rounds: the rounds of the solve, as ``Position.climb`` returns them.
    """
    used = [OF_CODE[code] for code in rounds[::4]]
    found = zip(reversed(used), rounds[-3::-4], strict=True)
    easy = sum(count for _, count in takewhile(lambda each: each[0].grade is EASIEST.grade, found))
    has_look = any(technique.name in _WHOLE_BOARD for technique in used)
    return 2 * has_look + (_ENDING * easy < sum(rounds[1::4]))


def grade_test(order: Order, cover: Cover) -> Callable[[Cover], bool]:
    """Return a function that tells whether a board has a grade that the recipe of the puzzle accepts.

    The function takes a path cover: a board that is divided into paths.

    Args:
        cover: a path cover. The function can be called for this path cover, and for all others that have the
            same solid cells. A solid cell is a cell that no path may enter.
    """
    position = _position(order, cover)
    return lambda changed: _judge(order, position, changed.paths)[0] == 0


def _position(order: Order, cover: Cover) -> Position:
    """Return the unsolved puzzle of a path cover as a position for the solver, with no edges drawn.

    A path cover is a board divided into paths. The ends of the paths are the numbers of the puzzle.
    """
    free = [int(cell not in cover.solids) for cell in range(order.cells)]
    apart = ruleset_of(order.recipe.rule).paths_stay_apart
    return Position(cover.rows, cover.cols, free, _ends(cover.paths), apart, KERNEL_LADDER)


def _ends(paths: Sequence[Sequence[Cell]]) -> list[Cell]:
    return [cell for path in paths for cell in sorted((path[0], path[-1]))]


def _is_accepted(further: int, rng: Rng) -> bool:
    """Decide at random whether to accept a change that leads away from the required grade.

    Args:
        further: how much the distance from the required grade has grown. Each additional ``_HALVING`` makes
            it half as likely that the change is accepted. Changes that bring the board closer are always
            accepted.
    """
    if further <= 0:
        return True
    return further < 32 * _HALVING and rng.below(1 << 32) < (1 << 32) >> further // _HALVING


def _judge(order: Order, position: Position, paths: Sequence[Sequence[Cell]]) -> tuple[int, list[Cell]]:
    """Measure how far a board is from the required grades.

    Returns:
        The distance, and a list of cells. If the board is too hard, these are the cells that the techniques
        of the allowed grades leave undecided. Otherwise the list is empty. The distance is 0 if the grade is
        right, and ``_UNREACHABLE`` if no technique can finish the board.
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
    """Return the logarithm to base 2, multiplied by 256.

    Values between powers of 2 are interpolated linearly.
    """
    bits = max(1, number).bit_length() - 1
    return 256 * bits + (256 * max(1, number) >> bits) - 256
