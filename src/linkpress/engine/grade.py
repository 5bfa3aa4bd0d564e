"""How hard a puzzle is for a person: the lowest rung of the ladder that finishes it.

The climb uses a rung only where all rungs below have nothing left to say, so the highest rung
that a finished climb used is the lowest that finishes the board: without it the climb would have
stopped where it was first used.

Score: each round counts its rung's effort times the number of undecided edges that a person who
looks at them in no order has to look at before meeting one of the findings, on average
(undecided + 1) / (findings + 1), rounded down. Few findings among many edges count most; more
rounds count more. Scores order the puzzles of one grade.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from linkpress.engine.kernels.glossary import ClimbOutcome
from linkpress.engine.ladder import LADDER, Climb, climb_ladder, drawn_edges, position_of
from linkpress.engine.recipe import Grade, Rule
from linkpress.puzzle.puzzle import Puzzle, Solution

GRADES: Mapping[int, Grade] = {
    1: Grade.BEGINNER,
    2: Grade.BEGINNER,
    3: Grade.BEGINNER,
    4: Grade.EASY,
    5: Grade.EASY,
    6: Grade.MEDIUM,
    7: Grade.MEDIUM,
    8: Grade.HARD,
    9: Grade.HARD,
    10: Grade.HARD,
    11: Grade.EXPERT,
    12: Grade.FIENDISH,
    13: Grade.FIENDISH,
    14: Grade.FIENDISH,
    15: Grade.FIENDISH,
    16: Grade.FIENDISH,
}
"""The grade of a board that a rung finishes and the rung below does not."""

_EFFORT = {technique.rung: technique.effort for technique in LADDER}
_NAMES = {technique.rung: technique.name for technique in LADDER}


@dataclass(frozen=True, slots=True)
class Grading:
    """What the ladder says of a puzzle.

    Args:
        grade: None when the ladder does not finish the board.
        score: orders the puzzles of one grade, higher is harder; None without a grade.
        techniques: how many deductions each technique made, easiest first; those of a board that
            is not finished count as far as the ladder came.
        solution: the finished drawing: the board's only filling. None without a grade.
    """

    grade: Grade | None
    score: int | None
    techniques: Mapping[str, int]
    solution: Solution | None


def grade_puzzle(puzzle: Puzzle, rule: Rule, hardest: Grade = Grade.FIENDISH) -> Grading:
    """Grade a puzzle; the same under rotation, reflection and renumbering.

    Args:
        puzzle: any board, with no, one or many fillings.
        hardest: the last grade to try; a harder board is left without one, sooner.
    Returns:
        The grading. With a grade, the board is proven to have one filling.
    """
    highest = max(rung for rung, grade in GRADES.items() if grade <= hardest)
    return grade_climb(puzzle, climb_ladder(position_of(puzzle, rule), highest))


def grade_climb(puzzle: Puzzle, climb: Climb) -> Grading:
    """The grading of a puzzle by a climb from its empty board."""
    techniques = _count_techniques(climb)
    if climb.outcome is not ClimbOutcome.FINISHED:
        return Grading(None, None, techniques, None)
    edges = drawn_edges(puzzle.grid.cols, climb.position)
    solution = Solution.from_whole_drawing(puzzle, edges)
    if not solution.fills:
        raise AssertionError("the ladder finished a drawing that is no filling")
    rung = max((step.rung for step in climb.rounds), default=1)
    return Grading(GRADES[rung], _score(climb), techniques, solution)


def _count_techniques(climb: Climb) -> dict[str, int]:
    counts = dict.fromkeys((technique.name for technique in LADDER), 0)
    for step in climb.rounds:
        counts[_NAMES[step.rung]] += step.findings
    return {name: count for name, count in counts.items() if count}


def _score(climb: Climb) -> int:
    return sum(_EFFORT[step.rung] * ((step.undecided + 1) // (step.findings + 1)) for step in climb.rounds)
