"""A puzzle is as hard for a person as the lowest rung of the ladder that finishes it.

The climb uses a rung only where all rungs below have nothing left to say, so the highest rung
that a finished climb used is the lowest that finishes the board: without it the climb would have
stopped where it was first used.

A board that no rung finishes is fiendish where the clause-learning search proves that it has one filling:
who solves it needs trials within trials. Which of the fiendish techniques a board takes changes no grade, so
that on a large one they are left to the search.

How hard a puzzle feels is another question: a technique is a promise that a solver never needs more than
this, and the stars are the feeling. Their measure is the mean of ln(1 + conflicts) over the proofs of the
board's eight rotations and reflections, each ended after ``MOST_CONFLICTS``. One proof alone goes up and down
by a factor of two with how the board lies; the mean of eight is the same however it is turned. A line leads
from it to the one to five stars that 31 authors gave to 107 of their own strict boards: its two figures are
all that was fitted.

Rank correlation with those stars: 0.85, and 0.64 given the area; 0.39 among the 37 boards of 10 × 10. The
area alone gives 0.73, and the techniques of the ladder with the bends of the answer, which 0.2.0 took, gave
0.79 on these boards and 0.64 on others that their fit had not seen. Techniques say what a solver needs;
they say little of how a board feels.

``STARS_BEGIN`` rounds the line up to four stars: of the 107 boards 13 have four from their authors, and the
13 highest scores begin at 346. None of them has five. Five stars say that a board is harder than all of
these, which reach 388.

What a proof takes depends on the clause-learning search, so the measure has a name, ``MEASURE``, that
changes with it and is recorded with each puzzle. ``python tests/benchmarks/published.py --fit FILE`` fits
the line anew.
"""

from __future__ import annotations

import contextlib
import math
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from statistics import fmean
from typing import NamedTuple

from linkpress.engine.kernels.glossary import ClimbOutcome, EdgeState
from linkpress.engine.prove.board_search import KIND_OF, BoardSearch, Budget, OutOfBudget, find_fillings
from linkpress.engine.recipe import STARS_BEGIN, Grade, Rule, Span
from linkpress.engine.solve.ladder import Climb, climb_ladder, drawn_edges, position_of
from linkpress.engine.techniques import TECHNIQUES, highest_rung
from linkpress.puzzle.puzzle import Puzzle, Solution
from linkpress.puzzle.symmetry import eight_forms

# No rated board has a form that takes over 26,000 conflicts; five stars begin at a mean of 19,300.
MOST_CONFLICTS = 100_000
# The line from the effort to stars: where it begins, and how steeply it rises. Untouching proofs take a tenth
# of the conflicts or less. Of the 111 rated boards, which are all unique so, their rank correlation is 0.75,
# given the area 0.35, and among the boards of 10 × 10 0.24.
_LINES = {Rule.FILLED: (0.14, 0.38), Rule.STRICT: (0.14, 0.38), Rule.UNTOUCHING: (0.93, 0.50)}
# Three times the spread of one form's share in the score, as the eight forms of a board differ.
_SPREAD = 30


def stars_of(score: int) -> int:
    """Return the stars, one to five, of a score in hundredths."""
    return max(1, bisect_right(STARS_BEGIN, score))


def distance_to(score: int, wanted: Span) -> int:
    """Return by how many hundredths a score lies below (negative) or above the wanted stars; 0 within."""
    stars = stars_of(score)
    if stars < wanted.low:
        return score - STARS_BEGIN[wanted.low - 1]
    return score - STARS_BEGIN[wanted.high] + 1 if stars > wanted.high else 0


class ScoreSoFar(NamedTuple):
    """This is what is known of a score when it is clear whether a board has the wanted stars.

    Args:
        score: by the forms that were proven.
        is_whole: whether these are all eight.
    """

    score: int
    conflicts: int
    is_whole: bool


def star_score(puzzle: Puzzle, rule: Rule) -> int:
    """Return how hard a puzzle with one solution by a rule feels, in hundredths of a star, from 1.

    It is the same however the board is turned. The proofs that count are of that rule.
    """
    return _score(proof_effort(puzzle, rule), rule)


def score_towards(puzzle: Puzzle, rule: Rule, wanted: Span) -> ScoreSoFar:
    """Find a puzzle's score, but stop after a few forms where these tell that its stars are not wanted."""
    logs: list[float] = []
    conflicts = score = 0
    for found in _each_form(puzzle, rule):
        logs.append(math.log1p(found))
        conflicts += found
        score = _score(fmean(logs), rule)
        doubt = _SPREAD * math.sqrt(1 / len(logs) - 1 / 8)
        if abs(distance_to(score, wanted)) > doubt:
            break
    return ScoreSoFar(score, conflicts, len(logs) == 8)


def proof_effort(puzzle: Puzzle, rule: Rule) -> float:
    """Return the mean of ln(1 + conflicts) over the proofs of a board's eight forms."""
    return fmean(map(math.log1p, _each_form(puzzle, rule)))


def _score(effort: float, rule: Rule) -> int:
    base, by_effort = _LINES[rule]
    return max(1, round(100 * (base + by_effort * effort)))


def _each_form(puzzle: Puzzle, rule: Rule) -> Iterator[int]:
    kind = KIND_OF[rule]
    for form in eight_forms(puzzle):
        budget = Budget(MOST_CONFLICTS)
        with contextlib.suppress(OutOfBudget):
            BoardSearch(form, budget, alone=True).find_two(kind)
        yield min(budget.spent, MOST_CONFLICTS)


SEARCH = "search"
"""What ``Grading.techniques`` calls the search that no person follows."""
# With 40 pairs on 20 × 20 the fiendish techniques take 2.3 s, with 200 on 40 × 40 17 s, and the search
# takes 0.005 s and 0.03 s.
_MOST_SQUARES_CLIMBED = 225
# Asked for their fillings alone, the hardest of 38 such boards takes 92,000.
_MOST_CONFLICTS = 250_000


@dataclass(frozen=True, slots=True)
class Grading:
    """A grading is the ladder's judgement of a puzzle.

    Args:
        grade: fiendish, too, of a board with one filling that the ladder does not finish; None of others.
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
        """Return the stars as they are printed, one to five; None without a score."""
        return None if self.score is None else stars_of(self.score)


def grade_puzzle(puzzle: Puzzle, rule: Rule, hardest: Grade = Grade.FIENDISH) -> Grading:
    """Grade a puzzle; the same under rotation, reflection and renumbering.

    Args:
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

    ``proven`` says that the board is known to have one filling, so that no search is needed to say so.
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
    counts = dict.fromkeys((technique.name for technique in TECHNIQUES), 0)
    for step in climb.rounds:
        counts[step.technique.name] += step.findings
    techniques = {name: count for name, count in counts.items() if count}
    if climb.outcome is not ClimbOutcome.FINISHED:
        return Grading(None, None, techniques, None)
    edges = drawn_edges(puzzle.grid.cols, climb.position)
    solution = Solution.from_whole_drawing(puzzle, edges)
    if not solution.fills:
        raise AssertionError("the ladder finished a drawing that is no filling")
    return Grading(climb.hardest.grade, None, techniques, solution)
