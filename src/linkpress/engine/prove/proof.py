"""A proof decides whether a board has exactly one solution.

Three meanings (``Rule``):

filled
    The drawings counted cover every free square; a path may run alongside itself.
strict
    The drawings counted join every pair by disjoint simple paths; squares may stay empty. The
    board is unique when the only drawing covers every free square.
untouching
    The drawings counted cover every free square, and two squares of one path are neighbours only where the
    path joins them. Every strict board is unique so, too; a board of one filling is where that keeps apart.

For strict not every drawing need be counted. Let a set C of drawings hold

- every drawing that covers all squares and never runs alongside itself, and
- one drawing with an empty square, if there is any such drawing at all.

A drawing that runs alongside itself can be cut short there, which leaves squares empty. So

- C is empty: there is no drawing. NONE.
- C holds two drawings: MULTIPLE.
- C holds exactly one, D, and D fills the board: any other drawing would run alongside itself or
  have an empty square, so there would be one with an empty square in C, which D is not. So D is
  the only drawing: UNIQUE.
- C holds exactly one, D, and D leaves squares empty: is there any drawing but D? Another: MULTIPLE;
  none: the only drawing does not fill the board: NONE, with that drawing.

The compiled search asks for the *lowest* drawings (``kernels/prover/drawings.py``), python-sat (``sat.py``)
for those without three edges of a 2 × 2 square; both sets are such a C. The last question python-sat
searches for an answer, while a lowest drawing shows it: there is another drawing exactly if it can be led
through an empty square beside it. Free loops matter to ``filled`` alone: where squares may stay empty a
loop is rubbed out.

A board with one drawing under strict has one filling, and boards with few long paths are settled
far sooner that way. So for filled, too, strict is asked first and the fillings themselves only
when that does not settle it, in turns of growing budget; before both, the squares are counted in
two colours.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from linkpress.engine.kernels.glossary import DrawingKind
from linkpress.engine.prove.board_search import (
    KIND_OF,
    BoardSearch,
    Budget,
    OutOfBudget,
    find_fillings,
    find_strict,
)
from linkpress.engine.recipe import Rule
from linkpress.engine.solve.grade import grade_climb
from linkpress.engine.solve.ladder import climb_ladder, position_of
from linkpress.puzzle.puzzle import Cell, Puzzle, Solution

# Conflicts that a proof is worth, where no budget is given, on boards up to so many squares; larger boards
# have fewer in proportion. A conflict takes 10 µs at 15 × 15 and 30 to 60 µs at 50 × 50, more as a proof goes
# on, so that somebody who waits is told within a minute.
_USUAL_CONFLICTS = 2_000_000
_USUAL_SQUARES = 225
# Of 1,203 boards, strict and filled, with budgets that are short for them, 110 questions more are settled so
# than with a half, and one less.
_COMPILED_SHARE = 0.75
# Conflicts that it is worth to know whether a solver may use that no path runs beside itself.
_RULE_BUDGET = 100_000


class Verdict(Enum):
    """A verdict judges how many drawings a board has under a rule."""

    NONE = "none"
    UNIQUE = "unique"
    MULTIPLE = "multiple"
    GAVE_UP = "gave-up"


@dataclass(frozen=True)
class Proof:
    """A proof is a verdict with what it rests on.

    Args:
        solution: the only drawing, or one of several; None where none was met. Under ``strict`` one of
            several may leave squares empty; with NONE it is the only drawing and does so, and None
            says that the board can't be drawn at all.
        witness: for MULTIPLE a second drawing, different from ``solution`` and checked.
        method: what settled it: ``"kernel"``, ``"sat"`` or ``"ladder"``; ``"kernel+ladder"`` where
            the ladder's techniques finished the board as well.
        spent: conflicts, over all questions asked.
    """

    rule: Rule
    verdict: Verdict
    solution: Solution | None
    witness: Solution | None
    method: str
    spent: int


def prove(puzzle: Puzzle, rule: Rule, budget: int | None = None) -> Proof:
    """Decide whether a board has one solution.

    Args:
        budget: conflicts allowed, 2,000,000 if None and fewer on boards of more than 225 squares; the
            verdict is GAVE_UP when they are spent. The compiled search may have three quarters of them,
            python-sat what is left. ``filled`` and ``untouching`` have one more chance: a board that the
            ladder of techniques finishes has one such drawing, whatever the searches say.
    Returns:
        The verdict with its drawings; the same for the same arguments, whatever was asked before.
    """
    if budget is None:
        budget = _USUAL_CONFLICTS * _USUAL_SQUARES // max(_USUAL_SQUARES, puzzle.grid.size)
    spent = 0
    compiled = int(_COMPILED_SHARE * budget)
    for method, judge, share in (("kernel", _judge_compiled, compiled), ("sat", _judge_by_sat, budget)):
        account = Budget(share - spent)
        try:
            found = judge(puzzle, rule, account)
        except OutOfBudget:
            spent += account.spent
            continue
        return _proof(rule, found, method, spent + account.spent)
    # Each step of the ladder holds in every drawing that counts: a board that it finishes has that one only.
    if rule.covers:
        finished = grade_climb(puzzle, climb_ladder(position_of(puzzle, rule))).solution
        if finished is not None:
            return Proof(rule, Verdict.UNIQUE, finished, None, "ladder", spent)
    return Proof(rule, Verdict.GAVE_UP, None, None, method, spent)


def gave_up_words(proof: Proof) -> str:
    """Say in words what was tried in vain."""
    tried = "the compiled search and python-sat"
    if proof.rule.covers:
        tried = "the compiled search, python-sat and the techniques"
    return f"gave up after {proof.spent:,} conflicts of {tried}; allow more with --budget"


def no_solution_words(proof: Proof) -> str:
    """Say in words that a board has no solution, with what is known beyond that."""
    if proof.solution is None:
        return "no solution"
    free_cells = proof.solution.puzzle.grid.free_cells
    empty = len(free_cells) - sum(len(path.cells) for path in proof.solution.paths)
    squares = "1 square" if empty == 1 else f"{empty} squares"
    return f"no solution: the only way to join all pairs leaves {squares} empty"


def _proof(rule: Rule, found: list[Solution], method: str, spent: int) -> Proof:
    if len(found) == 2:
        solution, witness = sorted(found, key=lambda it: not it.fills)
        return Proof(rule, Verdict.MULTIPLE, solution, witness, method, spent)
    only = found[0] if found else None
    verdict = Verdict.UNIQUE if only and only.fills else Verdict.NONE
    return Proof(rule, verdict, only, None, method, spent)


def _judge_compiled(puzzle: Puzzle, rule: Rule, budget: Budget) -> list[Solution]:
    search = BoardSearch(puzzle, budget)
    if rule.covers and not _is_balanced(puzzle):
        return []
    if rule is Rule.FILLED:
        return find_fillings(search)
    return find_strict(search) if rule is Rule.STRICT else search.find_two(KIND_OF[rule])


def _is_balanced(puzzle: Puzzle) -> bool:
    """Tell whether as many squares of each colour, as on a chessboard, are free as paths must cover.

    A path covers one more square of the colour that both its ends have, or as many of each.
    """
    cols = puzzle.grid.cols

    def surplus(cells: Iterable[Cell]) -> int:
        return sum(1 - 2 * ((cell // cols + cell % cols) & 1) for cell in cells)

    return 2 * surplus(puzzle.grid.free_cells) == surplus(puzzle.number_at)


def _judge_by_sat(puzzle: Puzzle, rule: Rule, budget: Budget) -> list[Solution]:
    from linkpress.engine.prove.sat import DrawingSearch  # rarely needed, and dear to load

    kind = DrawingKind.NO_TURN if rule is Rule.STRICT else KIND_OF[rule]
    found: list[Solution] = []
    with DrawingSearch(puzzle, kind, budget) as search:
        while len(found) < 2 and (drawing := search.find()) is not None:
            found.append(Solution.from_whole_drawing(puzzle, drawing))
    if rule is Rule.STRICT and len(found) == 1 and not found[0].fills:
        with DrawingSearch(puzzle, DrawingKind.ANY, budget, known=[found[0].edges]) as search:
            if (drawing := search.find()) is not None:
                found.append(Solution.from_whole_drawing(puzzle, drawing))
    return found


def strictest_rule(puzzle: Puzzle) -> Rule:
    """Choose the rule to solve a board by: the first of these that soon proves one drawing, else filled."""
    by_preference = (Rule.STRICT, Rule.FILLED, Rule.UNTOUCHING)
    proven = (rule for rule in by_preference if prove(puzzle, rule, _RULE_BUDGET).verdict is Verdict.UNIQUE)
    return next(proven, Rule.FILLED)
