"""Small changes steer a board toward a wanted grade.

Neighbours of a board are mostly of its grade or of the next: of boards of 10 × 10 with 8–10 pairs one
neighbour in 20 of a medium board is hard or more, one in 15 of a hard one is expert or more and one in
20 of an expert one is fiendish, while of boards made afresh one in 50 is expert and one in 250
fiendish; and a neighbour takes a tenth of the time. So a walk over neighbours that seldom goes back
finds a rare grade sooner than throwing boards away does.

A board that is too hard is climbed only as far as the wanted grades go. The squares left then say how far
it is, and are where it is changed. Up to hard that drives toward one solution, too, so that the walk
begins at a cover of which only the smallest windows hold, and asks the others when a grade is met.
Where it is given up, a new start follows soon: 12 × 12 with 9–12 pairs, easy, are made 16 a second
so, 11 without an end, and 18 from proven covers, which 15 × 15 waits for three times as long.

A board that only a harder grade's techniques finish has to be known to have one solution, or each climb
goes on to the last rung in vain: for expert and fiendish the walk begins at a proven cover, and all
windows hold on the way.

A board that is too easy is judged within its grade by the rounds in which the grade's own techniques
were needed: by the places that a person looks at in each before finding one, summed (chance to
tell neighbours that are harder from the others: 0.65 to 0.76, and no better by any weighing of all rounds).
Changing such a board where those rounds found something brought nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from linkpress.engine.kernels import Position, Rng, Variation
from linkpress.engine.kernels.glossary import ClimbOutcome
from linkpress.engine.make.cover import Cover
from linkpress.engine.make.reshape import Order, cover_of, repair_stages, variation_of
from linkpress.engine.recipe import Grade, Recipe, Rule
from linkpress.engine.rulesets import ruleset_of
from linkpress.engine.techniques import EASIEST, KERNEL_LADDER, OF_CODE, highest_rung
from linkpress.puzzle.puzzle import Cell

# Neighbours graded before a new start, and boards of a wanted grade that may turn out to have two solutions.
# 10 × 10 with 8–10 pairs, expert: 120 neighbours a puzzle with 60, 110 with 150; 12 × 12 with 9–12, easy: 17
# puzzles a second with 3 times, 16 with 8, 11 with any number.
_MOST_GRADED = 150
_MOST_MULTIPLE = 4
# Boards of so many squares are made hard and harder sooner by chance than by steps: 20 × 20 with 40–58 pairs,
# hard, 3.6 a second by making them anew, 1.1 to 2.6 by steps; expert 0.7 and 0.3 to 0.4.
_LARGE = 300
# The hardest grade for which a cover need not be proven at the beginning.
_HARDEST_UNPROVEN = Grade.HARD
# What one grade weighs against a doubling of the places looked at, in distances.
_GRADE_WEIGHT = 16 * 256
# What a doubling of the squares left weighs, in distances.
_SQUARES_WEIGHT = 4
# Distance that halves the chance of a step away.
_HALVING = 256
# Of a hundred changes to a board that is too hard, those that are made anywhere.
_ANYWHERE = 20
_BEYOND = 1 << 40
# Work that grading counts for, by cell, and that one change may take.
_GRADING_WORK = 5
_CHANGE_LIMIT = 20_000


@dataclass(frozen=True, slots=True)
class Steered:
    """Steering ended so, with work and conflicts spent.

    Args:
        cover: of a wanted grade and proven; None when none was met.
        graded: how many neighbours were graded.
    """

    cover: Cover | None
    graded: int
    work: int
    conflicts: int


def is_steered(recipe: Recipe) -> bool:
    """Tell whether walking to a wanted grade is quicker than making boards anew until one has it."""
    large = recipe.rows * recipe.cols >= _LARGE
    return recipe.grades is not None and not (large and recipe.grades[0] >= Grade.HARD)


def starts_unproven(recipe: Recipe) -> bool:
    """Tell whether ``steer`` takes covers that are not proven."""
    return is_steered(recipe) and recipe.grades is not None and recipe.grades[1] <= _HARDEST_UNPROVEN


def steer(order: Order, cover: Cover, rule: Rule, rng: Rng, limit: int) -> Steered:
    """Walk from a cover over its neighbours to one of a grade that the recipe asks for.

    Args:
        cover: proven, unless ``starts_unproven``.
        rule: that neighbours are proven under; STRICT serves a recipe for FILLED too.
        limit: work at which to give up.
    """
    unproven = starts_unproven(order.recipe)
    variation, position = _begin(order, cover, rule, unproven)
    graded = multiple = 0
    here, (there, left) = _BEYOND, _judge(order, position, variation.paths())
    places = left
    while True:
        if there == 0:
            proven, left = variation.prove()
            if proven:
                found, work = cover_of(order, variation), _work(variation, order, graded)
                return Steered(found, graded, work, variation.spent()[1])
            multiple += 1
            there = 1 if unproven and left else _BEYOND
        if _is_taken(there - here, rng):
            here, places = there, left
        else:
            variation.take_back()
        if graded == _MOST_GRADED or multiple == _MOST_MULTIPLE or _work(variation, order, graded) >= limit:
            break
        anywhere = not places or rng.below(100) < _ANYWHERE
        if not variation.vary(rng, _CHANGE_LIMIT, [] if anywhere else places):
            break
        graded += 1
        there, left = _judge(order, position, variation.paths())
    return Steered(None, graded, _work(variation, order, graded), variation.spent()[1])


def _begin(order: Order, cover: Cover, rule: Rule, unproven: bool) -> tuple[Variation, Position]:
    large = len(repair_stages(order)) - 1
    return variation_of(order, cover, rule, min(1, large) if unproven else large), _position(order, cover)


def _position(order: Order, cover: Cover) -> Position:
    free = [int(cell not in cover.solids) for cell in range(cover.rows * cover.cols)]
    untouching = ruleset_of(order.recipe.rule).paths_stay_apart
    return Position(cover.rows, cover.cols, free, _pairs_of(cover.paths), untouching, KERNEL_LADDER)


def grade_test(order: Order, cover: Cover) -> Callable[[Cover], bool]:
    """Return a test that tells whether a cover like this one has a grade that the recipe asks for."""
    position = _position(order, cover)
    return lambda changed: _judge(order, position, changed.paths)[0] == 0


def _work(variation: Variation, order: Order, graded: int) -> int:
    return variation.spent()[0] + _GRADING_WORK * order.rows * order.cols * graded


def _is_taken(further: int, rng: Rng) -> bool:
    """Tell whether to go on from a neighbour that is further away: half as often for each ``_HALVING``."""
    return further <= 0 or (further < 32 * _HALVING and rng.below(1 << 32) < (1 << 32) >> further // _HALVING)


def _judge(order: Order, position: Position, paths: Sequence[Sequence[Cell]]) -> tuple[int, list[Cell]]:
    """Measure how far a board is from the wanted grades, and list the squares left where it is too hard.

    The distance is 0 within the grades, and ``_BEYOND`` where no rung finishes the board.
    """
    lowest, hardest = order.recipe.grades or (Grade.BEGINNER, Grade.FIENDISH)
    position.lay_pairs(_pairs_of(paths))
    outcome, rounds = position.climb(highest_rung(hardest))
    if outcome != ClimbOutcome.FINISHED:
        if hardest is Grade.FIENDISH or outcome == ClimbOutcome.CONTRADICTED:
            return _BEYOND, []
        left = [cell for cell, need in enumerate(position.needs()) if need]
        return _GRADE_WEIGHT + _SQUARES_WEIGHT * _halvings(len(left)), left
    used = [OF_CODE[code] for code in rounds[::4]]
    grade = max((technique.grade for technique in used), default=EASIEST.grade)
    if grade >= lowest:
        return 0, []
    steps = zip(used, rounds[1::4], rounds[2::4], strict=True)
    places = sum(
        16 * (undecided + 1) // (findings + 1)
        for technique, findings, undecided in steps
        if technique.grade is grade
    )
    return _GRADE_WEIGHT * (lowest - grade + 1) - _halvings(places), []


def _pairs_of(paths: Sequence[Sequence[Cell]]) -> list[Cell]:
    return [cell for path in paths for cell in sorted((path[0], path[-1]))]


def _halvings(number: int) -> int:
    """Return the logarithm of a whole number to base 2 in 256ths, straight between powers of 2."""
    bits = max(1, number).bit_length() - 1
    return 256 * bits + (256 * max(1, number) >> bits) - 256
