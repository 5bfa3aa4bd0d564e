"""Find the techniques that a puzzle needs, and score how hard it feels.

The **technique** of a board is the grade of the hardest technique that is needed to finish it. A climb uses a
technique only if all easier ones have nothing left to find. So the hardest technique that a finished climb
used was really needed.

If the techniques don't finish a board, the clause-learning search may prove that it has one filling. Then the
board is fiendish. The techniques of the grade fiendish are slow on large boards and can't change the grade,
so large boards skip them and go straight to the search.

The **score** says how hard a board feels. It comes from a measure of effort: the mean of ln(1 + conflicts)
over the proofs of the board's eight rotations and reflections. Each proof stops after ``MOST_CONFLICTS``. One
proof alone varies by a factor of two with the board's orientation; the mean of all eight does not. A line
turns the effort into the score. Only its two coefficients are fitted. They are fitted to the stars, one to
five, that 31 authors gave to 107 of their own strict boards: 100 of the score are one star. The difficulty
that books order and print is this score cut into points (see ``engine.difficulty``).

The rank correlation with the authors' stars is 0.85; it is 0.64 if the area is held constant, and 0.39 among
the 37 boards of 10 × 10. The area alone reaches 0.73. An earlier measure used the ladder's techniques and the
bends of the solution. It reached 0.79 on these boards, but only 0.64 on boards that were not used to fit it.

The number of conflicts depends on the search, so the measure has a name, ``MEASURE``. It is recorded with
each puzzle and changes with the search. ``python tests/benchmarks/published.py --fit FILE`` fits the line
again.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from statistics import fmean
from typing import NamedTuple

from linkpress.engine.difficulty import MOST_DIFFICULTY, difficulty_of, lowest_score
from linkpress.engine.kernels.glossary import ClimbOutcome, EdgeState
from linkpress.engine.ladder import Climb, climb_ladder, drawn_edges, position_of
from linkpress.engine.prove.board_search import BoardSearch, Budget, OutOfBudget, find_fillings, kind_of
from linkpress.engine.recipe import Grade, Rule, Span
from linkpress.engine.rulesets import rule_named, ruleset_of
from linkpress.engine.techniques import TECHNIQUES, highest_rung
from linkpress.errors import UsageError
from linkpress.puzzle.puzzle import Puzzle, Solution
from linkpress.puzzle.symmetry import eight_forms

# A proof that measures how hard a board is stops after this many conflicts. No board that was rated by its
# author takes more than 26,000 in any orientation.
MOST_CONFLICTS = 100_000
# How far the score of a board may be off after the proof of a single orientation: three standard deviations.
_SPREAD = 30
# Boards with more squares than this skip the fiendish techniques, and the search takes their place. With 40
# pairs on 20 × 20 the techniques take 2.3 s and the search 0.005 s. With 200 pairs on 40 × 40 they take 17 s
# and the search 0.03 s.
_MOST_SQUARES_CLIMBED = 225
# Most conflicts for proving that a board has one filling. The hardest of 38 such boards takes 92,000.
_MOST_FILLING_CONFLICTS = 250_000

SEARCH = "search"
"""Key in ``Grading.findings`` for the edges that only the search settled."""


@dataclass(frozen=True, slots=True)
class Grading:
    """Techniques that a puzzle needs, and its score.

    Args:
        technique: the grade of the hardest technique. None if neither the ladder nor the search finds exactly
            one solution.
        score: how hard the puzzle feels, from 1. None if it was not computed.
        findings: the number of findings of each technique that was used, the easiest first. If the
            techniques did not finish the board but the search did, the key ``SEARCH`` has the number of edges
            that only the search settled.
        solution: the solution that the techniques drew. None if they did not finish the board.
    """

    technique: Grade | None
    score: int | None
    findings: Mapping[str, int]
    solution: Solution | None

    @property
    def difficulty(self) -> int | None:
        """How hard the puzzle feels, from 0 to 100; None without a score."""
        return None if self.score is None else difficulty_of(self.score)


def grade_puzzle(puzzle: Puzzle, rule: Rule | str, hardest: Grade | str = Grade.FIENDISH) -> Grading:
    """Find the techniques that a puzzle needs, and score how hard it feels.

    Rotating, reflecting or renumbering the puzzle does not change the result.

    Args:
        rule: the rule by which the board is proven to have one solution, such as ``"strict"``. Use
            ``"filled"`` if it is not proven.
        hardest: the hardest grade of techniques to try, such as ``"hard"``. Boards that need more get no
            grade, which saves time.
    Returns:
        The grading. By the rule filled, a grade means that the board is proven to have exactly one filling.
    Raises:
        UsageError: there is no such rule or grade.
    """
    rule = rule_named(rule)
    grading = climb_and_grade(puzzle, rule, _grade_named(hardest))
    return grading if grading.technique is None else with_score(grading, puzzle, rule)


def _grade_named(name: Grade | str) -> Grade:
    if isinstance(name, Grade):
        return name
    grades = {grade.label: grade for grade in Grade}
    if name not in grades:
        *easier, hardest = grades
        raise UsageError(f"there is no technique {name!r}: give {', '.join(easier)} or {hardest}.")
    return grades[name]


def climb_and_grade(
    puzzle: Puzzle, rule: Rule, hardest: Grade = Grade.FIENDISH, *, proven: bool = False
) -> Grading:
    """Grade a puzzle like ``grade_puzzle``, but without the score, which takes eight proofs.

    Args:
        proven: whether the board is known to have one filling, so that no search has to prove it.
    """
    climbed = hardest if puzzle.grid.size <= _MOST_SQUARES_CLIMBED else min(hardest, Grade.EXPERT)
    climb = climb_ladder(position_of(puzzle, rule), highest_rung(climbed))
    grading = grade_climb(puzzle, climb)
    if hardest < Grade.FIENDISH or climb.outcome is not ClimbOutcome.STUCK:
        return grading
    if not (proven or ruleset_of(rule).paths_stay_apart or _has_one_filling(puzzle)):
        return grading
    open_edges = climb.position.edges().count(EdgeState.OPEN)
    return replace(grading, technique=Grade.FIENDISH, findings={**grading.findings, SEARCH: open_edges})


def _has_one_filling(puzzle: Puzzle) -> bool:
    with contextlib.suppress(OutOfBudget):
        return len(find_fillings(BoardSearch(puzzle, Budget(_MOST_FILLING_CONFLICTS)))) == 1
    return False


def grade_climb(puzzle: Puzzle, climb: Climb) -> Grading:
    """Grade a puzzle by a climb that began with its empty board. The grading has no score."""
    counts = dict.fromkeys((technique.name for technique in TECHNIQUES), 0)
    for round_ in climb.rounds:
        counts[round_.technique.name] += round_.findings
    findings = {name: count for name, count in counts.items() if count}
    if climb.outcome is not ClimbOutcome.FINISHED:
        return Grading(None, None, findings, None)
    edges = drawn_edges(puzzle.grid.cols, climb.position)
    solution = Solution.from_whole_drawing(puzzle, edges)
    if not solution.fills:
        raise AssertionError("the ladder finished a drawing that is no filling")
    return Grading(climb.hardest.grade, None, findings, solution)


def with_score(grading: Grading, puzzle: Puzzle, rule: Rule) -> Grading:
    """Add the score to the grading of a puzzle that has one solution by the rule."""
    return replace(grading, score=score_of(puzzle, rule))


def score_of(puzzle: Puzzle, rule: Rule) -> int:
    """Return the score that says how hard a puzzle feels, from 1.

    The puzzle must have one solution by the rule. Rotating or reflecting it does not change the score.
    """
    return _score(proof_effort(puzzle, rule), rule)


def proof_effort(puzzle: Puzzle, rule: Rule) -> float:
    """Return the mean of ln(1 + conflicts) over the proofs of a board's eight orientations."""
    return fmean(map(math.log1p, _conflicts_by_form(puzzle, rule)))


def distance_to(score: int, wanted: Span) -> int:
    """Return by how much a score misses a range of difficulties.

    The result is negative if the score is too low, positive if it is too high, and 0 if it fits.
    """
    if score < lowest_score(wanted.low):
        return score - lowest_score(wanted.low)
    if wanted.high == MOST_DIFFICULTY:
        return 0
    return max(0, score - lowest_score(wanted.high + 1) + 1)


class PartialScore(NamedTuple):
    """Score from the orientations of a board that have been proven so far.

    Args:
        score: the score.
        conflicts: the number of conflicts in these proofs together.
        is_whole: whether all eight orientations have been proven.
    """

    score: int
    conflicts: int
    is_whole: bool


def score_towards(puzzle: Puzzle, rule: Rule, wanted: Span) -> PartialScore:
    """Compute a puzzle's score, but stop as soon as it clearly misses a range of difficulties."""
    logs: list[float] = []
    conflicts = score = 0
    for spent in _conflicts_by_form(puzzle, rule):
        logs.append(math.log1p(spent))
        conflicts += spent
        score = _score(fmean(logs), rule)
        uncertainty = _SPREAD * math.sqrt(1 / len(logs) - 1 / 8)
        if abs(distance_to(score, wanted)) > uncertainty:
            break
    return PartialScore(score, conflicts, len(logs) == 8)


def _score(effort: float, rule: Rule) -> int:
    intercept, slope = ruleset_of(rule).score_line
    return max(1, round(100 * (intercept + slope * effort)))


def _conflicts_by_form(puzzle: Puzzle, rule: Rule) -> Iterator[int]:
    """Prove the board in each of its eight orientations, and yield the number of conflicts of each proof."""
    for form in eight_forms(puzzle):
        budget = Budget(MOST_CONFLICTS)
        with contextlib.suppress(OutOfBudget):
            BoardSearch(form, budget, plain=True).find_two(kind_of(rule))
        yield min(budget.spent, MOST_CONFLICTS)
