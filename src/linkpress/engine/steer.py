"""Steer a board that has one solution, but not the wanted grade, toward that grade by small changes.

Neighbours of a board are mostly of its grade or of the next: of boards of 10 × 10 with 8–10 pairs one
neighbour in 20 of a medium board is hard or more, one in 15 of a hard one is expert or more and one in
20 of an expert one is fiendish, while of boards made afresh one in 50 is expert and one in 250
fiendish; and a neighbour takes a fifth of the time. So a walk over neighbours that seldom goes back
finds a rare grade sooner than throwing boards away does.

How near a board is within its grade is told by the rounds in which the grade's own techniques were
needed: by the places that a person looks at in each before finding one, summed. Many make a board that
is nearly harder, few one that is nearly easier (chance to tell neighbours that are harder from the
others: 0.67 to 0.76 by this sum, 0.60 to 0.67 by the score).
"""

from __future__ import annotations

from dataclasses import dataclass

from linkpress.engine.cover import Cover
from linkpress.engine.grade import GRADES
from linkpress.engine.kernels import Dice, Variation
from linkpress.engine.kernels.glossary import ClimbOutcome
from linkpress.engine.ladder import climb_ladder, position_of
from linkpress.engine.recipe import Grade, Rule
from linkpress.engine.reshape import Order, order_words, repair_stages
from linkpress.puzzle.grid import Grid
from linkpress.puzzle.puzzle import Pair, Puzzle

# Neighbours graded before a new start. Puzzles a second of 10 × 10 with 8–10 pairs, fiendish and expert:
# 3.3 and 11 with 30, 4.5 and 13 with 100, 2.8 and 16 with 400, 2.5 and 13 with 1,000.
_LOOKS = 150
# What one grade weighs against a doubling of the places looked at, in distances.
_GRADE_WEIGHT = 16 * 256
# Distance that halves the chance of a step away.
_HALVING = 256
_BEYOND = 1 << 40
# Work that grading counts for, by cell, and that one change may take.
_LOOK_WORK = 20
_CHANGE_LIMIT = 20_000


@dataclass(frozen=True, slots=True)
class Steered:
    """What steering came to.

    Args:
        cover: of a wanted grade and proven; None when none was met.
        looks: how many neighbours were graded.
        work: spent, in units of work.
        conflicts: of all questions asked.
    """

    cover: Cover | None
    looks: int
    work: int
    conflicts: int


def steer(order: Order, cover: Cover, rule: Rule, dice: Dice, limit: int) -> Steered:
    """Walk from a cover over its neighbours to one of a grade that the recipe asks for.

    Args:
        order: what the cover was made to; its recipe names grades.
        cover: proven, and of no wanted grade.
        rule: that neighbours are proven under; STRICT serves a recipe for FILLED too.
        dice: rolled on.
        limit: work at which to give up.
    """
    solid = [0] * (order.rows * order.cols)
    for cell in cover.solids:
        solid[cell] = 1
    paths, stages = [list(path) for path in cover.paths], repair_stages(order)
    words = order_words(order, solid)
    variation = Variation(order.rows, order.cols, words, paths, rule is Rule.STRICT, stages)
    here, looks = _distance(order, cover), 0
    found = None
    while found is None and looks < _LOOKS and _work(variation, order, looks) < limit:
        if not variation.vary(dice, _CHANGE_LIMIT):
            break
        neighbour = Cover(order.rows, order.cols, tuple(map(tuple, variation.paths())))
        there = _distance(order, neighbour)
        looks += 1
        if there == 0 and variation.is_proven():
            found = neighbour
        elif there and _goes(there - here, dice):
            here = there
        else:
            variation.take_back()
    return Steered(found, looks, _work(variation, order, looks), variation.spent()[1])


def _work(variation: Variation, order: Order, looks: int) -> int:
    return variation.spent()[0] + _LOOK_WORK * order.rows * order.cols * looks


def _goes(further: int, dice: Dice) -> bool:
    """Whether to go to a neighbour that is so much further away: half as often for each ``_HALVING``."""
    return further <= 0 or (further < 32 * _HALVING and dice.roll(1 << 32) < (1 << 32) >> further // _HALVING)


def _distance(order: Order, cover: Cover) -> int:
    """How far a board is from the wanted grades: 0 within them, more than any where no rung finishes it."""
    lowest, hardest = order.recipe.grades or (Grade.BEGINNER, Grade.FIENDISH)
    climb = climb_ladder(position_of(_puzzle_of(cover), order.recipe.rule))
    if climb.outcome is not ClimbOutcome.FINISHED:
        return _BEYOND
    grade = GRADES[climb.hardest]
    if lowest <= grade <= hardest:
        return 0
    places = sum(
        16 * (step.undecided + 1) // (step.findings + 1)
        for step in climb.rounds
        if GRADES[step.rung] is grade
    )
    nearness = _halvings(places)
    if grade < lowest:
        return _GRADE_WEIGHT * (lowest - grade) + _GRADE_WEIGHT - nearness
    return _GRADE_WEIGHT * (grade - hardest) + nearness


def _halvings(number: int) -> int:
    """The logarithm of a whole number to base 2 in 256ths, straight between powers of 2."""
    bits = max(1, number).bit_length() - 1
    return 256 * bits + (256 * max(1, number) >> bits) - 256


def _puzzle_of(cover: Cover) -> Puzzle:
    """The puzzle alone, without the solution that ``Cover.puzzle`` comes from."""
    ends = [sorted((path[0], path[-1])) for path in cover.paths]
    pairs = tuple(Pair(number, first, second) for number, (first, second) in enumerate(ends, 1))
    return Puzzle(Grid(cover.rows, cover.cols, cover.solids), pairs)
