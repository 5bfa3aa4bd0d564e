"""Single puzzles are made to a recipe and graded here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from linkpress.engine.kernels.glossary import ClimbOutcome
from linkpress.engine.prove.proof import Verdict, prove, strictest_rule
from linkpress.engine.recipe import Rule
from linkpress.engine.solve.grade import Grading, grade_puzzle
from linkpress.engine.solve.ladder import climb_ladder, position_of
from linkpress.errors import GaveUpError, Notify
from linkpress.puzzle.puzzle import Puzzle, Solution

if TYPE_CHECKING:  # not needed for a grade alone
    from linkpress.book.level import RecipeKeys
    from linkpress.engine.explain.steps import Step
    from linkpress.production.dispatch import Workers
    from linkpress.production.journal import RunLog

_REASON_BUDGET = 20_000  # conflicts spent on why a board has no grade
_REASONS = {
    "unique": "it has one solution, but no technique of the ladder finishes it",
    "multiple": "it has several solutions, so no reasoning can finish it",
    "none": "it has no solution",
    "gave-up": "no technique finishes it, and whether it has one solution is not known; "
    "linkpress prove may tell",
}


def make_puzzles(
    keys: RecipeKeys, count: int, seed: str, workers: Workers, log: RunLog, notify: Notify
) -> Iterator[Solution]:
    """Make puzzles, each proven to have one solution.

    Args:
        keys: what they must be; the sizes of a list take turns.
        seed: the same one makes the same puzzles.
        log: notes each puzzle; it is not closed here.
        notify: takes a line, time and again, that says how far the search is.
    Raises:
        RecipeError: no such puzzle was found.
        GaveUpError: the workers of one puzzle were lost again and again.
    """
    from linkpress.engine.make.attempts import AttemptLog, watching_attempts
    from linkpress.production.dispatch import WorkerLost, call_each
    from linkpress.production.slot_search import make_timed

    orders = [
        (recipe, f"{seed}/{index}", keys.method, round(keys.effort * recipe.usual_work))
        for index, recipe in enumerate(keys.recipes(count))
    ]
    number = 0

    def report(attempts: AttemptLog) -> None:
        notify(f"puzzle {number + 1} of {count}: {attempts.so_far}")

    with watching_attempts(report):
        try:
            for number, (made, time_s) in enumerate(call_each(workers, make_timed, orders), 1):
                log.note(
                    "made",
                    slot=number,
                    attempt=0,
                    boards_tried=made.attempts,
                    time_s=time_s,
                    proof=f"{made.proof.rule} by {made.proof.method}",
                    grade=made.grading.grade.label if made.grading and made.grading.grade else None,
                )
                yield made.solution
        except WorkerLost as lost:
            raise GaveUpError(
                f"puzzle {lost.index + 1} can't be made: its worker was lost again and again; {lost}"
            ) from None


def grow_boards(keys: RecipeKeys, count: int, seed: str) -> Iterator[Solution]:
    """Grow boards by the classic method and prove nothing of them."""
    from linkpress.engine.make.cover import grow_cover

    for index in range(count):
        size = keys.size[index % len(keys.size)]
        yield grow_cover(size.rows, size.cols, f"{seed}/{index}").solution


class GradedPuzzle(NamedTuple):
    """A graded puzzle has its grading, the steps if they were asked for, and why it has no grade."""

    puzzle: Puzzle
    grading: Grading
    steps: Sequence[Step]
    rule: Rule
    why_ungraded: str


def grade_puzzles(
    puzzles: Iterable[Puzzle], wanted: Rule | None = None, *, with_steps: bool = False
) -> Iterator[GradedPuzzle]:
    """Grade puzzles by the rule that is wanted, else by each board's strictest, with the solve if asked."""
    for puzzle in puzzles:
        if wanted and (verdict := prove(puzzle, wanted).verdict) is not Verdict.UNIQUE:
            why = f"{verdict.value} under {wanted.value}"
            yield GradedPuzzle(puzzle, Grading(None, None, {}, None), (), wanted, why)
            continue
        rule = wanted or strictest_rule(puzzle)
        grading, steps = grade_puzzle(puzzle, rule), []
        if with_steps:
            from linkpress.engine.explain.steps import combine_steps, explain_climb

            climb = climb_ladder(position_of(puzzle, rule))
            if climb.outcome is not ClimbOutcome.CONTRADICTED:  # else the board has no solution to tell
                steps = list(combine_steps(puzzle, explain_climb(puzzle, climb)))
        why = ""
        if grading.grade is None:
            why = _REASONS[prove(puzzle, Rule.FILLED, _REASON_BUDGET).verdict.value]
        yield GradedPuzzle(puzzle, grading, steps, rule, why)
