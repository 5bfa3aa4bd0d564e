"""How hard a puzzle feels to people, of any size: the effort of its proof, in stars.

The measure is the mean of ln(1 + conflicts) over the proofs of the board's eight rotations and reflections,
each ended after ``MOST_CONFLICTS``. One proof alone goes up and down by a factor of two with how the board
lies; the mean of eight is the same however it is turned. A line leads from it to the one to five stars that
31 authors gave to 107 of their own strict boards: its two figures are all that was fitted.

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
from collections.abc import Iterator
from statistics import fmean
from typing import NamedTuple

from linkpress.engine.prove.board_search import KIND_OF, BoardSearch, Budget, OutOfBudget
from linkpress.engine.recipe import STARS_BEGIN, Rule, Span
from linkpress.puzzle.puzzle import Puzzle
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
    """What was found of a score before it was clear whether a board has the wanted stars.

    Args:
        score: by the forms that were proven.
        is_whole: whether these are all eight.
    """

    score: int
    conflicts: int
    is_whole: bool


def star_score(puzzle: Puzzle, rule: Rule) -> int:
    """How hard a puzzle feels, in hundredths of a star, from 1; the same however the board is turned.

    Args:
        puzzle: a board with one solution.
        rule: the one that it is proven by; the proofs that count are of that rule.
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
    """The mean of ln(1 + conflicts) over the proofs of a board's eight forms."""
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
