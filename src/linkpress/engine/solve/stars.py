"""How hard a puzzle feels to people, of any size: the effort of its proof, in stars.

The measure is the mean of ln(1 + conflicts) over the proofs of the board's eight rotations and reflections,
each ended after ``MOST_CONFLICTS``. One proof alone goes up and down by a factor of two with how the board
lies; the mean of eight is the same however it is turned. A line leads from it to the one to five stars that
31 authors gave to 107 of their own strict boards: its two figures are all that was fitted.

Rank correlation with those stars: 0.85, and 0.64 given the area; 0.39 among the 37 boards of 10 × 10. The
area alone gives 0.73, and the techniques of the ladder with the bends of the answer, which 0.2.0 took, gave
0.79 on these boards and 0.64 on others that their fit had not seen. Techniques say what a solver needs;
they say little of how a board feels.

What a proof takes depends on the clause-learning search, so the measure has a name, ``MEASURE``, that
changes with it and is recorded with each puzzle. ``python tests/benchmarks/published.py --fit FILE`` fits
the line anew.
"""

from __future__ import annotations

import contextlib
import math
from statistics import fmean

from linkpress.engine.kernels.glossary import DrawingKind
from linkpress.engine.prove.board_search import BoardSearch, Budget, OutOfBudget
from linkpress.engine.recipe import Rule
from linkpress.puzzle.puzzle import Puzzle
from linkpress.puzzle.symmetry import eight_forms

# No rated board has a form that takes over 26,000; a mean of 90,000 is what five stars begin at.
MOST_CONFLICTS = 100_000
_BASE, _BY_EFFORT = 0.14, 0.38


def star_score(puzzle: Puzzle, rule: Rule) -> int:
    """How hard a puzzle feels, in hundredths of a star, from 1; the same however the board is turned.

    Args:
        puzzle: a board with one solution.
        rule: the one that it is proven by; the proofs that count are of that rule.
    """
    return max(1, round(100 * (_BASE + _BY_EFFORT * proof_effort(puzzle, rule))))


def proof_effort(puzzle: Puzzle, rule: Rule) -> float:
    """The mean of ln(1 + conflicts) over the proofs of a board's eight forms."""
    kind = DrawingKind.LOWEST if rule is Rule.STRICT else DrawingKind.FILLING
    return fmean(math.log1p(_conflicts(form, kind)) for form in eight_forms(puzzle))


def _conflicts(puzzle: Puzzle, kind: DrawingKind) -> int:
    budget = Budget(MOST_CONFLICTS)
    with contextlib.suppress(OutOfBudget):
        BoardSearch(puzzle, budget, scans=False).find_two(kind)
    return min(budget.spent, MOST_CONFLICTS)
