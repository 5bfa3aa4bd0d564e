"""Has a board exactly one solution?

Two meanings (``Rule``):

filled
    The drawings counted cover every free square; a path may run alongside itself.
strict
    The drawings counted join every pair by disjoint simple paths; squares may stay empty. The
    board is unique when the only drawing covers every free square.

For strict it is enough to count the drawings that never use three edges of a 2 × 2 square.
Call a drawing *plain* when no two neighbouring squares of one path are unjoined. A drawing that
is not plain can be cut short: join the two squares directly and leave the squares between them
empty; each cut leaves fewer squares covered, so cutting ends, at a plain drawing that leaves a
square empty. Let C be any set of drawings that holds all the plain ones, as those without three
edges of a 2 × 2 square do.

- C is empty: there is no plain drawing, hence no drawing. NONE.
- C holds two drawings: MULTIPLE.
- C holds exactly one, D, and D fills the board: any other drawing lies outside C, so it is not
  plain and cuts down to a plain drawing with an empty square, which is not D, though D is the
  only plain drawing there is. So D is the only drawing: UNIQUE.
- C holds exactly one, D, and D leaves squares empty: one more question, without the restriction
  and with D excluded. Another drawing: MULTIPLE; none: the only drawing does not fill: NONE.

Free loops matter to ``filled`` alone: where squares may stay empty a loop is rubbed out.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from linkpress.engine.recipe import Rule
from linkpress.engine.sat import Budget, Drawing, Drawings, DrawingSearch, OutOfBudget
from linkpress.puzzle.puzzle import Puzzle, Solution

DEFAULT_BUDGET = 2_000_000


class Verdict(Enum):
    """How many drawings a board has under a rule."""

    NONE = "none"
    UNIQUE = "unique"
    MULTIPLE = "multiple"
    GAVE_UP = "gave-up"


@dataclass(frozen=True)
class Proof:
    """A verdict and what it rests on.

    Args:
        rule: which drawings were counted.
        verdict: how many there are.
        solution: the only drawing, or one of several; None for NONE and, where none was met, for
            GAVE_UP. Under ``strict`` one of several may leave squares empty.
        witness: for MULTIPLE a second drawing, different from ``solution`` and checked.
        method: what settled it: ``"sat"``, ``"kernel"`` or ``"ladder"``.
        spent: conflicts, over all questions asked.
    """

    rule: Rule
    verdict: Verdict
    solution: Solution | None
    witness: Solution | None
    method: str
    spent: int


def prove(puzzle: Puzzle, rule: Rule, budget: int = DEFAULT_BUDGET) -> Proof:
    """Decide whether a board has one solution.

    Args:
        puzzle: any board.
        rule: which drawings count.
        budget: conflicts allowed; the verdict is GAVE_UP when they are spent.
    Returns:
        The verdict with its drawings; the same for the same arguments, whatever was asked before.
    """
    account = Budget(budget)
    found: list[Drawing] = []
    try:
        _collect_two(puzzle, rule, account, found)
        verdict = _verdict(puzzle, rule, found)
    except OutOfBudget:
        verdict = Verdict.GAVE_UP
    solutions = [_checked(puzzle, drawing) for drawing in found]
    solutions.sort(key=lambda solution: not solution.fills)
    if verdict is Verdict.NONE:
        solutions.clear()
    solution, witness = [*solutions, None, None][:2]
    return Proof(rule, verdict, solution, witness, "sat", account.spent)


def _collect_two(puzzle: Puzzle, rule: Rule, budget: Budget, found: list[Drawing]) -> None:
    kind = Drawings.FILLING if rule is Rule.FILLED else Drawings.NO_TURN
    with DrawingSearch(puzzle, kind, budget) as search:
        while len(found) < 2 and (drawing := search.find()) is not None:
            found.append(drawing)
    if rule is Rule.STRICT and len(found) == 1 and not _fills(puzzle, found[0]):
        with DrawingSearch(puzzle, Drawings.ANY, budget, known=found) as search:
            if (drawing := search.find()) is not None:
                found.append(drawing)


def _verdict(puzzle: Puzzle, rule: Rule, found: list[Drawing]) -> Verdict:
    if len(found) == 2:
        return Verdict.MULTIPLE
    return Verdict.UNIQUE if found and _fills(puzzle, found[0]) else Verdict.NONE


def _fills(puzzle: Puzzle, drawing: Drawing) -> bool:
    return len({cell for step in drawing for cell in step}) == len(puzzle.grid.free_cells)


def _checked(puzzle: Puzzle, drawing: Drawing) -> Solution:
    """The drawing as paths; from_edges refuses one that does not join every pair."""
    solution = Solution.from_edges(puzzle, drawing)
    covered = sum(len(path.cells) for path in solution.paths)
    if solution.edges != drawing or covered != len(solution.number_of):
        raise AssertionError("the search returned a drawing whose paths meet or that is not all paths")
    return solution
