"""How hard a puzzle is for a person: the lowest rung of the ladder that finishes it.

The climb uses a rung only where all rungs below have nothing left to say, so the highest rung
that a finished climb used is the lowest that finishes the board: without it the climb would have
stopped where it was first used.

A board that no rung finishes is fiendish where the clause-learning search proves that it has one filling:
who solves it needs trials within trials. Which of the fiendish techniques a board takes changes no grade, so
that on a large one they are left to the search.

How hard a puzzle feels is another question, which ``stars`` answers: a technique is a promise that a solver
never needs more than this, and the stars are the feeling.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass, replace

from linkpress.engine.kernels.glossary import ClimbOutcome, EdgeState
from linkpress.engine.prove.board_search import BoardSearch, Budget, OutOfBudget, find_fillings
from linkpress.engine.recipe import Grade, Rule
from linkpress.engine.solve.ladder import Climb, climb_ladder, drawn_edges, position_of
from linkpress.engine.solve.stars import star_score, stars_of
from linkpress.engine.techniques import TECHNIQUES, highest_rung
from linkpress.puzzle.puzzle import Puzzle, Solution

SEARCH = "search"
"""What ``Grading.techniques`` calls the search that no person follows."""
# With 40 pairs on 20 × 20 the fiendish techniques take 2.3 s, with 200 on 40 × 40 17 s, and the search
# takes 0.005 s and 0.03 s.
_MOST_SQUARES_CLIMBED = 225
# Asked for their fillings alone, the hardest of 38 such boards takes 92,000.
_MOST_CONFLICTS = 250_000


@dataclass(frozen=True, slots=True)
class Grading:
    """The ladder's judgement of a puzzle.

    Args:
        grade: None when the ladder does not finish the board.
        score: how hard it feels, in hundredths of a star, from 1; None before it was asked for, and of a
            board that is not known to have one solution.
        techniques: how many deductions each technique made, easiest first; those of a board that
            is not finished count as far as the ladder came, and what the search settled as ``SEARCH``.
        solution: the drawing that the ladder finished; None where it did not.
    """

    grade: Grade | None
    score: int | None
    techniques: Mapping[str, int]
    solution: Solution | None

    @property
    def stars(self) -> int | None:
        """The stars as they are printed, one to five; None without a score."""
        return None if self.score is None else stars_of(self.score)


def grade_puzzle(puzzle: Puzzle, rule: Rule, hardest: Grade = Grade.FIENDISH) -> Grading:
    """Grade a puzzle; the same under rotation, reflection and renumbering.

    Args:
        puzzle: any board.
        rule: one that the board is proven by, so that the techniques which rest on it may be used; else
            filled.
        hardest: the last grade to try; a harder board is left without one, sooner.
    Returns:
        The grading. With a grade by the rule filled, the board is proven to have one filling; by the others
        it has to be proven before.
    """
    grading = climb_and_grade(puzzle, rule, hardest)
    return grading if grading.grade is None else with_score(grading, puzzle, rule)


def climb_and_grade(
    puzzle: Puzzle, rule: Rule, hardest: Grade = Grade.FIENDISH, *, proven: bool = False
) -> Grading:
    """Grade a puzzle as ``grade_puzzle`` does, but leave the score out, which takes eight proofs.

    Args:
        puzzle, rule, hardest: as there.
        proven: whether the board is known to have one filling, so that no search is needed to say so.
    """
    climbed = hardest if puzzle.grid.size <= _MOST_SQUARES_CLIMBED else min(hardest, Grade.EXPERT)
    climb = climb_ladder(position_of(puzzle, rule), highest_rung(climbed))
    grading = grade_climb(puzzle, climb)
    if hardest < Grade.FIENDISH or climb.outcome is not ClimbOutcome.STUCK:
        return grading
    if not (proven or rule.untouching or _has_one_filling(puzzle)):
        return grading
    open_edges = sum(state == EdgeState.OPEN for state in climb.position.edges())
    return replace(grading, grade=Grade.FIENDISH, techniques={**grading.techniques, SEARCH: open_edges})


def _has_one_filling(puzzle: Puzzle) -> bool:
    with contextlib.suppress(OutOfBudget):
        return len(find_fillings(BoardSearch(puzzle, Budget(_MOST_CONFLICTS)))) == 1
    return False


def with_score(grading: Grading, puzzle: Puzzle, rule: Rule) -> Grading:
    """Add the score to the grading of a puzzle that has one solution by the rule."""
    return replace(grading, score=star_score(puzzle, rule))


def grade_climb(puzzle: Puzzle, climb: Climb) -> Grading:
    """Return the grading of a puzzle by nothing but a climb from its empty board, without a score."""
    techniques = _count_techniques(climb)
    if climb.outcome is not ClimbOutcome.FINISHED:
        return Grading(None, None, techniques, None)
    edges = drawn_edges(puzzle.grid.cols, climb.position)
    solution = Solution.from_whole_drawing(puzzle, edges)
    if not solution.fills:
        raise AssertionError("the ladder finished a drawing that is no filling")
    return Grading(climb.hardest.grade, None, techniques, solution)


def _count_techniques(climb: Climb) -> dict[str, int]:
    counts = dict.fromkeys((technique.name for technique in TECHNIQUES), 0)
    for step in climb.rounds:
        counts[step.technique.name] += step.findings
    return {name: count for name, count in counts.items() if count}
