"""Making leads from a recipe and a seed to a puzzle that is proven to be what the recipe asks.

Spans are settled by the rng, afresh for each attempt; an attempt makes one board by the
recipe's method; what leaves here meets the recipe exactly and carries its proof. Attempts end
early by counted work, since a new start beats a long repair, until the budget is spent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from linkpress.engine.feasibility import (
    can_place,
    fewest_pairs,
    longest_path,
    patterns_for,
    recipe_fault,
    solid_counts,
)
from linkpress.engine.kernels import Rng, rng_from
from linkpress.engine.kernels.glossary import ShapingOutcome
from linkpress.engine.make.attempts import AttemptLog, misses
from linkpress.engine.make.compose import beautify, draw_style, numbered
from linkpress.engine.make.cover import Cover, grow_cover
from linkpress.engine.make.reshape import Order, prove_cover, reshape
from linkpress.engine.make.steer import grade_test, is_steered, starts_unproven, steer
from linkpress.engine.prove.proof import Proof, Verdict
from linkpress.engine.recipe import Grade, Method, NumberPattern, Recipe, Rule, Span
from linkpress.engine.rulesets import ruleset_of
from linkpress.engine.solve.grade import Grading, climb_and_grade, distance_to, score_towards, with_score
from linkpress.errors import GradeError, RecipeError
from linkpress.puzzle.puzzle import Puzzle, Solution

# Conflicts that the proof of one grown board may take.
_CLASSIC_CONFLICTS = 200_000
# One attempt in so many at a recipe for filled is repaired under that rule.
_FILLED_EVERY = 3
# Work that grading a board counts for, by cell, and scoring it, by conflict.
_GRADING_WORK, _SCORING_WORK = 50, 30
# Squares of a composed board from which on attempts are patient after so many that came to nothing, and how
# many times as much work each may take then. Of 40 attempts at 40 × 40 with 120 pairs, filled, ten end at a
# whole board that is given up, and none is proven; with 140 pairs seven of 20 are.
_LARGE, _EAGER_ATTEMPTS, _PATIENCE = 1000, 20, 16
# How much more work the attempt at a board may take, by cell, whose numbers are apart.
_APART_MORE = 20
# Work that bringing a proven board nearer to its style may take, by cell: the numbers of a symmetric one hold
# it in place, so that it gains a quarter as much.
_COMPOSING_WORK, _SYMMETRIC_COMPOSING_WORK = 20, 8


@dataclass(frozen=True, slots=True)
class MadePuzzle:
    """A made puzzle comes with everything that was found out about it.

    Args:
        puzzle: numbered from 1, by the rng or, where it is composed, as authors do.
        solution: its only drawing under ``proof.rule``.
        proof: the verdict UNIQUE.
        grading: None when it was not asked for.
        attempts: boards begun, this one included.
    """

    puzzle: Puzzle
    solution: Solution
    proof: Proof
    grading: Grading | None
    attempts: int


def generate(
    recipe: Recipe,
    seed: str,
    method: Method = Method.WALK,
    budget: int | None = None,
    *,
    graded: bool = True,
    scored: bool = True,
) -> MadePuzzle:
    """Make one puzzle.

    Args:
        seed: any text; the same recipe, seed and method give the same puzzle.
        budget: units of work, about a microsecond each; from the board's size when None.
        graded: whether to grade the puzzle when the recipe asks for no grade.
        scored: whether a puzzle that is graded gets its score as well, which takes eight proofs.
    Returns:
        A puzzle that meets the recipe.
    Raises:
        RecipeError: none was found; what was asked, how close it came and what stands in the way: a
            GradeError where that is the grade alone.
    """
    fault = recipe_fault(recipe)
    if method is Method.CLASSIC and (recipe.number_pattern is not NumberPattern.FREE or recipe.apart):
        knob = "numbers apart" if recipe.apart else f"number pattern {recipe.number_pattern}"
        fault = f"{knob}: grown boards have numbers anywhere; use the method walk"
    elif method is Method.CLASSIC and recipe.mask:
        fault = "grown boards have solids anywhere; leave out the mask or use the method walk"
    elif method is Method.CLASSIC and recipe.composed:
        fault = "grown boards are as they grow; leave out composing or use the method walk"
    if fault:
        raise RecipeError(f"The recipe can't be met: {fault}.")
    log = AttemptLog(recipe, method, budget or recipe.usual_work)
    for board in _boards(log, seed):
        rng = rng_from(f"{seed}/{log.attempts}/steer")
        made = _finished(log, board, rng, graded) if board.is_proven else None
        if made is None and method is not Method.CLASSIC and is_steered(recipe):
            steered = _steered(log, board, rng)
            made = _finished(log, steered, rng, graded) if steered else None
        if made is not None:
            if scored and made.grading and made.grading.score is None:
                made = replace(made, grading=with_score(made.grading, made.puzzle, made.proof.rule))
            return made
    asked = recipe.grades or recipe.stars
    raise (GradeError if asked and (log.proven or log.varied) else RecipeError)(log.report())


@dataclass(frozen=True, slots=True)
class _Board:
    """A board meets the recipe but for its grade; ``steer`` may take one that is not proven."""

    cover: Cover
    proof: Proof
    order: Order | None = None

    @property
    def is_proven(self) -> bool:
        return self.proof.verdict is Verdict.UNIQUE


def _judge(log: AttemptLog, board: _Board, graded: bool) -> MadePuzzle | None:
    cover, proof = board.cover, board.proof
    wanted, stars, score = log.recipe.grades, log.recipe.stars, None
    hardest = wanted[1] if wanted else Grade.FIENDISH
    grading = climb_and_grade(cover.puzzle, proof.rule, hardest, proven=True) if wanted else None
    if wanted and grading:
        log.spent += _GRADING_WORK * cover.rows * cover.cols
        log.note_grade(grading.grade)
        if grading.grade is None or grading.grade < wanted[0]:
            return None
    if stars:
        found = score_towards(cover.puzzle, proof.rule, stars)
        log.spent += _SCORING_WORK * found.conflicts
        score = found.score if found.is_whole else None
        log.note_stars(len(cover.paths), distance_to(found.score, stars))
        if distance_to(found.score, stars):
            return None
    if grading is None and (graded or stars):
        grading = climb_and_grade(cover.puzzle, proof.rule, proven=True)
    if grading and score:
        grading = replace(grading, score=score)
    if ruleset_of(proof.rule).covers and grading and grading.solution:
        proof = replace(proof, method=f"{proof.method}+ladder")
    return MadePuzzle(cover.puzzle, cover.solution, proof, grading, log.attempts)


def _steered(log: AttemptLog, board: _Board, rng: Rng) -> _Board | None:
    """Return a board of a wanted grade that small changes of one led to."""
    order = board.order
    assert order is not None  # a grown board has none, and is never steered
    steered = steer(order, board.cover, _repair_rule(log), rng, log.budget - log.spent)
    log.spent += steered.work
    log.varied += steered.graded
    if steered.cover is None:
        return None
    log.proven += 1
    found = steered.cover if log.recipe.composed else steered.cover.shuffled(rng)
    return _Board(found, _walk_proof(found, steered.conflicts, log.recipe.rule), order)


def _finished(log: AttemptLog, board: _Board, rng: Rng, graded: bool) -> MadePuzzle | None:
    """Return the finished puzzle, composed where that is asked for; None where it is not as ordered."""
    order = board.order
    if not log.recipe.composed or order is None:
        return _judge(log, board, graded)
    holds = grade_test(order, board.cover) if log.recipe.grades else None
    if holds is not None and not holds(board.cover):
        return _judge(log, board, graded)
    return _judge(log, _composed(log, board, order, rng, holds), graded)


def _composed(
    log: AttemptLog, board: _Board, order: Order, rng: Rng, holds: Callable[[Cover], bool] | None
) -> _Board:
    """Return a board brought nearer to its style, and numbered."""
    free = order.recipe.number_pattern is NumberPattern.FREE
    limit = (_COMPOSING_WORK if free else _SYMMETRIC_COMPOSING_WORK) * order.rows * order.cols
    limit = min(limit, log.budget - log.spent)
    better = beautify(order, board.cover, _repair_rule(log), rng, limit, holds)
    log.spent += better.work
    cover = numbered(order, better.cover, rng)
    return _Board(cover, _walk_proof(cover, board.proof.spent + better.conflicts, log.recipe.rule), order)


def _boards(log: AttemptLog, seed: str) -> Iterator[_Board]:
    """Make boards that meet the recipe but for the grade until the budget is spent (``starts_unproven``)."""
    attempt = _grown if log.method is Method.CLASSIC else _walked
    while log.spent < log.budget:
        log.attempts += 1
        found = attempt(log, rng_from(f"{seed}/{log.attempts}"))
        if found is not None:
            log.proven += found.is_proven
            yield found


def _walked(log: AttemptLog, rng: Rng) -> _Board | None:
    order = settle(log.recipe, rng, log.promising_pairs)
    if order is None:
        log.note_end("counts")
        log.spent += 1000
        return None
    if log.method is Method.QUICK or log.recipe.composed:
        order = replace(order, quick=True)
    is_large = order.rows * order.cols >= _LARGE
    patient = is_large and log.recipe.composed and log.attempts > _EAGER_ATTEMPTS
    limit = min(attempt_limit(order) * (_PATIENCE if patient else 1), log.budget - log.spent + 1)
    unproven = starts_unproven(log.recipe)
    attempt = reshape(order, rng, limit, _repair_rule(log), unproven=unproven, patient=patient)
    log.spent += attempt.work + 20
    log.note_end(attempt.outcome.name.lower())
    log.note_shape(attempt.paths, order.solids, abs(attempt.paths - order.pairs) + (attempt.cover is None))
    if attempt.outcome is not ShapingOutcome.DONE or attempt.cover is None:
        return None
    cover = attempt.cover if log.recipe.composed else attempt.cover.shuffled(rng)
    proof = _walk_proof(cover, attempt.conflicts, order.recipe.rule)
    return _Board(cover, replace(proof, verdict=Verdict.GAVE_UP) if unproven else proof, order)


def _repair_rule(log: AttemptLog) -> Rule:
    """Return the rule that an attempt is repaired under: strict implies filled and is settled sooner.

    Recipes for filled, puzzles a second under strict and filled: 15 × 15 with 14 pairs 3.6 and
    0.5, 20 × 20 with 40 pairs 11.7 and 5.3, 30 × 30 with 110 pairs 8.3 and 6.6. One attempt in
    three is repaired under filled, for recipes that only that rule can meet.
    """
    stricter = ruleset_of(log.recipe.rule).repair_as
    return stricter if stricter and log.attempts % _FILLED_EVERY else log.recipe.rule


def _walk_proof(cover: Cover, conflicts: int, rule: Rule) -> Proof:
    """Return the proof that a repair has made: the whole board had no second drawing.

    The recipe's rule is recorded, also where the drawings counted were those of strict.
    """
    return Proof(rule, Verdict.UNIQUE, cover.solution, None, "kernel", conflicts)


def settle(recipe: Recipe, rng: Rng, promising: Span | None = None) -> Order | None:
    """Choose counts inside the recipe's spans; None when those chosen can't go together.

    ``promising`` has the numbers of pairs to keep to, where the spans have any of them.
    """
    layable = solid_counts(recipe) if recipe.solids else (0,)
    solids = layable[rng.below(len(layable))]
    free = recipe.rows * recipe.cols - solids
    span = recipe.pairs or Span(max(1, round(free / 10)), max(1, round(free / 7)))
    longest = longest_path(recipe, solids)
    if longest < recipe.shortest:
        return None
    low, high = (
        max(span.low, -(-free // longest), fewest_pairs(recipe)),
        min(span.high, free // recipe.shortest),
    )
    counts = [number for number in range(low, high + 1) if can_place(recipe, number, solids)]
    if not counts:
        return None
    if promising:
        nearest = min(counts, key=lambda number: abs(number - promising.low))
        counts = [number for number in counts if number in promising] or [nearest]
    pairs = counts[rng.below(len(counts))]
    drawn = [name for name, often in patterns_for(recipe, pairs, solids).items() for _ in range(often)]
    if drawn:
        recipe = replace(recipe, number_pattern=drawn[rng.below(len(drawn))])
    return Order(recipe, pairs, solids, style=draw_style(recipe, pairs, rng) if recipe.composed else ())


def attempt_limit(order: Order) -> int:
    """Return the units of work after which a new start beats going on.

    Set by measurement: 7 × 7 makes 720 puzzles a second with 1,000 and 330 with 10,000; 10 × 10
    with 8 pairs 81 with 2,500 and 67 with 5,000; 15 × 15 needs some 100,000, 20 × 20 500,000. Quick
    making spends less on an attempt: 15 × 15 with 16 pairs 28 with 20,000, 15 with 100,000; 20 × 20 with 28
    pairs 5.2 with 36,000, 4.3 with 220,000; 25 × 25 with 46 pairs 1.8 with 140,000, 1.3 with 1,170,000.
    """
    size = order.rows * order.cols
    beyond = max(0, size - 100)
    limit = min(20 * size + 6 * beyond**2, 3_000_000)
    if order.quick:
        limit = 15 * size + min(beyond**3 // 125, beyond**2 // 3)
    return limit + size * _APART_MORE if order.recipe.apart else limit


def _grown(log: AttemptLog, rng: Rng) -> _Board | None:
    recipe = log.recipe
    cover = grow_cover(recipe.rows, recipe.cols, rng)
    log.spent += 2 * recipe.rows * recipe.cols
    wrong = misses(recipe, cover)
    log.note_shape(len(cover.paths), len(cover.solids), sum(wrong.values()))
    if wrong:
        log.note_end(min(wrong))
        return None
    cover = cover.shuffled(rng)
    proof = prove_cover(cover, recipe.rule, _CLASSIC_CONFLICTS)
    log.spent += 8 * proof.spent
    log.note_end(proof.verdict.value)
    return _Board(cover, proof) if proof.verdict is Verdict.UNIQUE else None
