"""Decide whether a puzzle has exactly one solution under a rule (``engine.rulesets``).

**Strict.** Not every drawing need be counted. Let C be a set of drawings with

- every drawing that covers all free cells and never touches itself, and
- one drawing with an empty cell, if there is any such drawing at all.

A drawing that touches itself can be cut short there, which leaves cells empty. So:

- C is empty: there is no drawing. NONE.
- C has two drawings: MULTIPLE.
- C has exactly one drawing D, and D covers all free cells. Any other drawing would touch itself or have an
  empty cell. Then C would also have one with an empty cell, which D is not. So D is the only drawing. UNIQUE.
- C has exactly one drawing D, and D leaves cells empty. If there is any other drawing: MULTIPLE. If not, the
  only drawing does not cover the board: NONE, with that drawing.

The search counts the *lowest* drawings (``kernels/prover/drawings``), which are such a set C. A lowest
drawing also answers the last question: there is another drawing exactly if a path of it can be rerouted
through empty cells.

**Filled.** A board with one drawing under strict has one filling, and boards with few long paths are settled
far sooner under strict. So the search begins with strict, and then takes turns between both questions with
growing budgets.

Before a search for fillings, the cells are counted in two colours, as on a chessboard: many impossible boards
need no search.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from linkpress.engine.grade import grade_climb
from linkpress.engine.kernels.glossary import DrawingKind
from linkpress.engine.ladder import climb_ladder, position_of
from linkpress.engine.prove.board_search import (
    BoardSearch,
    Budget,
    OutOfBudget,
    find_fillings,
    find_strict,
    kind_of,
)
from linkpress.engine.rulesets import Rule, rules_by_preference, ruleset_of
from linkpress.puzzle.puzzle import Cell, Puzzle, Solution

# Conflicts of a proof without a given budget, on boards up to so many cells; larger boards get fewer in
# proportion. A conflict takes 10 µs at 15 × 15 and 30 to 60 µs at 50 × 50, so a user waits a minute at most.
_USUAL_CONFLICTS = 2_000_000
_USUAL_CELLS = 225
# Conflicts to find out whether a puzzle is unique under a rule, when its rule is not known.
_RULE_BUDGET = 100_000


class Verdict(Enum):
    """How many solutions a puzzle has under a rule."""

    NONE = "none"
    UNIQUE = "unique"
    MULTIPLE = "multiple"
    GAVE_UP = "gave-up"


@dataclass(frozen=True)
class Proof:
    """A verdict, with the drawings that it rests on.

    Args:
        solution: the only drawing, or one of several; None if none was found. Under ``strict`` one of several
            may leave cells empty. With the verdict NONE it is the only drawing and leaves cells empty; None
            then means that the pairs can't be joined at all.
        witness: for MULTIPLE a second drawing.
        method: what settled it: ``"kernel"`` for the search, ``"ladder"`` for the techniques of solvers. It
            is ``"kernel+ladder"`` if the techniques finished the board as well.
        spent: the conflicts of all searches.
    """

    rule: Rule
    verdict: Verdict
    solution: Solution | None
    witness: Solution | None
    method: str
    spent: int


def prove(puzzle: Puzzle, rule: Rule, budget: int | None = None) -> Proof:
    """Decide whether a puzzle has exactly one solution.

    Args:
        budget: the conflicts allowed; the verdict is GAVE_UP when they are spent. None allows 2,000,000, and
            fewer on boards of more than 225 cells. Under rules that cover the board, a puzzle that the
            techniques of solvers finish is UNIQUE even if the search gives up.
    Returns:
        The verdict with its drawings. Equal arguments give equal results.
    """
    if budget is None:
        budget = _USUAL_CONFLICTS * _USUAL_CELLS // max(_USUAL_CELLS, puzzle.grid.size)
    account = Budget(budget)
    try:
        drawings = _find_drawings(puzzle, rule, account)
    except OutOfBudget:
        # A technique holds in every drawing that is counted, so a board that techniques finish has no other.
        if ruleset_of(rule).covers:
            finished = grade_climb(puzzle, climb_ladder(position_of(puzzle, rule))).solution
            if finished is not None:
                return Proof(rule, Verdict.UNIQUE, finished, None, "ladder", account.spent)
        return Proof(rule, Verdict.GAVE_UP, None, None, "kernel", account.spent)
    if len(drawings) == 2:
        solution, witness = sorted(drawings, key=lambda drawing: not drawing.fills)
        return Proof(rule, Verdict.MULTIPLE, solution, witness, "kernel", account.spent)
    only = drawings[0] if drawings else None
    verdict = Verdict.UNIQUE if only and only.fills else Verdict.NONE
    return Proof(rule, verdict, only, None, "kernel", account.spent)


def _find_drawings(puzzle: Puzzle, rule: Rule, budget: Budget) -> list[Solution]:
    search, kind = BoardSearch(puzzle, budget), kind_of(rule)
    if ruleset_of(rule).covers and not _is_balanced(puzzle):
        return []
    if kind is DrawingKind.FILLING:
        return find_fillings(search)
    return find_strict(search) if kind is DrawingKind.LOWEST else search.find_two(kind)


def _is_balanced(puzzle: Puzzle) -> bool:
    """Return whether paths between these numbers can cover the free cells of both chessboard colours.

    A path covers one more cell of the colour of its ends, if both have the same; else as many of each.
    """
    cols = puzzle.grid.cols

    def surplus(cells: Iterable[Cell]) -> int:
        return sum(1 - 2 * ((cell // cols + cell % cols) & 1) for cell in cells)

    return 2 * surplus(puzzle.grid.free_cells) == surplus(puzzle.number_at)


def gave_up_words(proof: Proof) -> str:
    """Return a message about a proof that was given up, with the way out."""
    tried = "the search and the techniques" if ruleset_of(proof.rule).covers else "the search"
    return f"gave up after {proof.spent:,} conflicts of {tried}; allow more with --budget"


def no_solution_words(proof: Proof) -> str:
    """Return a message about a puzzle without a solution."""
    if proof.solution is None:
        return "no solution"
    free_cells = proof.solution.puzzle.grid.free_cells
    empty = len(free_cells) - sum(len(path.cells) for path in proof.solution.paths)
    squares = "1 square" if empty == 1 else f"{empty} squares"
    return f"no solution: the only way to join all pairs leaves {squares} empty"


def strictest_rule(puzzle: Puzzle) -> Rule:
    """Return the first rule, by preference, under which a puzzle is quickly proven unique; else filled."""
    for rule in rules_by_preference():
        if prove(puzzle, rule, _RULE_BUDGET).verdict is Verdict.UNIQUE:
            return rule
    return Rule.FILLED
