"""Find the techniques that a puzzle needs, and score how hard it feels.

A technique is a way to deduce part of the solution, as a person does. Techniques are ordered from easy to
hard, and each belongs to a grade, from ``beginner`` to ``fiendish``. Solving a board with them is called a
climb. A climb uses a technique only if all easier techniques find nothing more. So the hardest technique that
a finished climb used was really needed. The grade of this technique is the grade of the board, and is stored
as ``Grading.technique``.

If the techniques don't finish a board, the clause-learning search may still prove that the board has exactly
one solution. Then the board is fiendish. The techniques of the grade fiendish are slow on large boards, and
skipping them there does not change the result. So on large boards, the search is used in their place.

The **score** says how hard a board feels. It is computed from the conflicts that the search meets while it
proves that the board has one solution. The effort of a board is the mean of ln(1 + conflicts) over the proofs
of its eight rotations and reflections. The mean is needed because the conflicts of a single proof vary by a
factor of two with the board's orientation. Each proof stops after ``MOST_CONFLICTS`` conflicts.

Under the rule strict, a linear function turns the effort into the score. Its two coefficients were fitted to
107 published boards that their 31 authors had rated with one to five stars. A hundred points of the score
correspond to one star. The other rules have curves that give the same board about the same score (see
``engine.rulesets``). Books print the difficulty, which is the score divided by five (see
``engine.difficulty``).

The rank correlation between the score and the authors' stars is 0.85. With the area held constant it is 0.64.
Among the 37 boards of 10 × 10 it is 0.39. The area alone reaches 0.73. An earlier measure used the techniques
and the bends of the solution. It reached 0.79 on the boards that it was fitted to, but only 0.64 on others.

Any change to the search can change the number of conflicts. So the method of measuring has a version name,
``engine.recipe.MEASURE``, which is recorded with each puzzle and must change with the search. After such a
change, ``python tests/benchmarks/published.py --fit FILE`` fits the coefficients again.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, repeat, takewhile
from typing import NamedTuple

from linkpress.engine.board_search import Budget, OutOfBudget, find_fillings, kind_of
from linkpress.engine.difficulty import MOST_DIFFICULTY, difficulty_of, lowest_score
from linkpress.engine.kernels import FormProofs
from linkpress.engine.kernels.glossary import ClimbOutcome, EdgeState
from linkpress.engine.ladder import TECHNIQUES, Climb, climb_ladder, highest_rung, position_of
from linkpress.engine.recipe import Grade, Rule, Span
from linkpress.engine.rulesets import MOST_CONFLICTS, rule_named, ruleset_of
from linkpress.errors import UsageError
from linkpress.puzzle.puzzle import Path, Puzzle, Solution

# Largest likely error, in points, of a difficulty score that is based on the proof of a single rotation or
# reflection of the board. It is three standard deviations of such scores of one board.
_SPREAD = 30
# Boards with more squares than this are graded without the techniques of the grade fiendish. The search for a
# second solution is used instead, because it is faster. With 40 pairs on 20 × 20, the techniques take 2.3 s
# and the search 0.005 s. With 200 pairs on 40 × 40, the techniques take 17 s and the search 0.03 s.
_MOST_SQUARES_CLIMBED = 225
# The proof that a board has only one solution is given up after this many conflicts. The hardest of 38 test
# boards takes 92,000 conflicts.
_MOST_FILLING_CONFLICTS = 250_000

# The opening of a puzzle is the list of the techniques that are used in the first rounds of solving it. This
# is the number of these rounds. Neighbouring puzzles of a book should have different openings.
_OPENING_ROUNDS = 5

# The eight rotations and reflections of a board, in the order in which they are proven. They are numbered as
# in ``kernels.grid``. The order matters, because ``score_towards`` stops after the first few proofs if they
# are enough for a decision.
_TURNS = (0, 5, 6, 3, 4, 2, 1, 7)

SEARCH = "search"
"""Key in ``Grading.findings`` for the number of edges that only the search could decide."""


@dataclass(frozen=True, slots=True)
class Grading:
    """Techniques that a puzzle needs, and its score.

    Args:
        technique: the grade of the hardest technique that the puzzle needs. None if neither the techniques
            nor the search could show that the puzzle has exactly one solution.
        score: how hard the puzzle feels, as a number from 1 up. None if it was not computed.
        findings: for each technique that was used, how often it found something. The easiest technique comes
            first. If only the search finished the board, the key ``SEARCH`` counts the edges that it decided.
        solution: the solution that the techniques found. None if they did not finish the board.
        opening: the codes of the techniques that the first ``_OPENING_ROUNDS`` rounds of the solve use, one
            code for each round. In a round, the easiest technique that finds anything makes all of its
            findings. The opening ends before the first round that needs a technique of the grade fiendish,
            so it may have fewer codes.
    """

    technique: Grade | None
    score: int | None
    findings: Mapping[str, int]
    solution: Solution | None
    opening: tuple[int, ...] = ()

    @property
    def difficulty(self) -> int | None:
        return None if self.score is None else difficulty_of(self.score)


def grade_puzzle(puzzle: Puzzle, rule: Rule | str, hardest: Grade | str = Grade.FIENDISH) -> Grading:
    """Find the techniques that a puzzle needs, and score how hard it feels.

    Rotating, reflecting or renumbering the puzzle does not change the result.

    Args:
        rule: the puzzle rule under which the board was proven to have one solution, such as ``"strict"``. Use
            ``"filled"`` if nothing was proven yet.
        hardest: the hardest grade of techniques to try, such as ``"hard"``. A lower grade saves time, but
            boards that need harder techniques get no grade.
    Returns:
        The grading. Under the rule ``"filled"``, a grade also proves that exactly one solution fills the
        board.
    Raises:
        UsageError: linkpress has no rule or grade with the given name.
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
    """Grade a puzzle like ``grade_puzzle``, but leave out the score, because it takes eight slow proofs.

    Args:
        proven: whether it is already known that only one solution fills the board. Then no search is needed
            to prove it.
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
        return len(find_fillings(puzzle, Budget(_MOST_FILLING_CONFLICTS))) == 1
    return False


def grade_climb(puzzle: Puzzle, climb: Climb) -> Grading:
    """Grade a puzzle from the record of solving it with the ladder of techniques.

    Args:
        puzzle: the puzzle.
        climb: the record, which must start from the empty board.
    Returns:
        The grading, without a score.
    """
    counts = dict.fromkeys(TECHNIQUES, 0)
    for round_ in climb.rounds:
        counts[round_.technique] += round_.findings
    findings = {technique.name: count for technique, count in counts.items() if count}
    first = (round_.technique for round_ in climb.rounds[:_OPENING_ROUNDS])
    # The opening of a puzzle is the list of the techniques used in the first rounds of solving it. It must be
    # the same whichever techniques the caller allows. If fiendish techniques are not allowed, the solve stops
    # before the first round that needs one. So the opening always ends before this round, even if fiendish
    # techniques are allowed.
    easier = takewhile(lambda technique: technique.grade < Grade.FIENDISH, first)
    opening = tuple(technique.code.value for technique in easier)
    if climb.outcome is not ClimbOutcome.FINISHED:
        return Grading(None, None, findings, None, opening)
    lines, drawn = climb.position.drawing()
    paths = [Path(pair.number, line) for pair, line in zip(puzzle.pairs, lines, strict=True)]
    squares, free = sum(map(len, lines)), puzzle.grid.size - len(puzzle.grid.solids)
    is_joined = all(path.cells[-1] == pair.second for path, pair in zip(paths, puzzle.pairs, strict=True))
    if not (is_joined and squares == free == len({*chain(*lines)}) == drawn + len(lines)):
        raise AssertionError("the techniques finished the board, but their lines are no solution")
    solution = Solution.with_fills(puzzle, tuple(paths), True)
    return Grading(climb.hardest.grade, None, findings, solution, opening)


def with_score(grading: Grading, puzzle: Puzzle, rule: Rule) -> Grading:
    """Return a copy of a puzzle's grading with the puzzle's difficulty score added.

    Args:
        rule: the rule under which the puzzle has exactly one solution.
    """
    return replace(grading, score=score_of(puzzle, rule))


def score_of(puzzle: Puzzle, rule: Rule) -> int:
    """Return how hard a puzzle feels, as a number from 1 up.

    The puzzle must have exactly one solution under the rule. Rotating or reflecting the puzzle does not
    change the result.
    """
    return ruleset_of(rule).score(proof_effort(puzzle, rule))


def proof_effort(puzzle: Puzzle, rule: Rule) -> float:
    """Return the effort of proving that a puzzle has exactly one solution.

    The result is the mean of ln(1 + conflicts) over the proofs of the puzzle's eight rotations and
    reflections.
    """
    return _mean([*map(math.log1p, _conflicts_by_form(puzzle, rule))])


def distance_to(score: int, wanted: Span) -> int:
    """Return how far a puzzle's score is outside a range of difficulties.

    The result is in points of the score. It is negative if the score is too low, positive if it is too high,
    and 0 if the score is in the range.
    """
    if score < lowest_score(wanted.low):
        return score - lowest_score(wanted.low)
    if wanted.high == MOST_DIFFICULTY:
        return 0
    return max(0, score - lowest_score(wanted.high + 1) + 1)


class PartialScore(NamedTuple):
    """Estimate of a board's difficulty score, based on some or all of its eight rotations and reflections.

    Args:
        score: the estimated score.
        conflicts: the total number of conflicts in the proofs that were run.
        is_whole: whether all eight proofs were run, so that the score is exact.
    """

    score: int
    conflicts: int
    is_whole: bool


def score_towards(puzzle: Puzzle, rule: Rule, wanted: Span) -> PartialScore:
    """Compute a puzzle's score, but stop as soon as it is clearly outside a range of difficulties.

    The score is a mean over eight proofs, so a few of them are often enough to reject a puzzle.
    """
    logs: list[float] = []
    conflicts = score = 0
    for spent in _conflicts_by_form(puzzle, rule):
        logs.append(math.log1p(spent))
        conflicts += spent
        score = ruleset_of(rule).score(_mean(logs))
        uncertainty = _SPREAD * math.sqrt(1 / len(logs) - 1 / 8)
        if abs(distance_to(score, wanted)) > uncertainty:
            break
    return PartialScore(score, conflicts, len(logs) == 8)


def _conflicts_by_form(puzzle: Puzzle, rule: Rule) -> Iterator[int]:
    """Yield the number of conflicts in the proof of each of the puzzle's eight rotations and reflections.

    Each proof shows that the board has one solution. A proof is stopped after ``MOST_CONFLICTS`` conflicts.
    """
    grid = puzzle.grid
    proofs = FormProofs(grid.rows, grid.cols, grid.solids, puzzle.pairs, kind_of(rule))
    return map(proofs.conflicts, _TURNS, repeat(MOST_CONFLICTS))


def _mean(values: Sequence[float]) -> float:
    # ``statistics.fmean`` computes the same, but importing its module takes 10 ms.
    return math.fsum(values) / len(values)
