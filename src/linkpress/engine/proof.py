"""Decide whether a puzzle has exactly one solution under a rule (``engine.rulesets``).

Boards that linkpress makes are already proven while they are made. The last step of ``kernels.covers.repair``
searches the whole board, and accepts the board only if it has no second drawing.

A drawing joins the two numbers of every pair by paths. It may leave cells empty.

**Strict.** Under this rule, the board must have only one drawing, and this drawing must cover every free
cell. The search finds only some of the drawings, the *lowest* ones (``kernels/prover/drawings``). They are
enough to decide the question, because the lowest drawings include

- every drawing that covers all free cells and never touches itself, and
- at least one drawing with an empty cell, if the board has any.

A drawing touches itself if one of its paths comes back to a cell beside an earlier cell of the same path. The
path can then be cut short there, which gives a drawing with empty cells. Any drawing that is not a lowest one
has an empty cell or touches itself. So if the board has such a drawing, it also has a lowest drawing with an
empty cell. There are four cases:

- There is no lowest drawing. Then the board has no drawing at all. Verdict NONE.
- There are two or more lowest drawings. Verdict MULTIPLE.
- There is one lowest drawing, and it covers all free cells. If the board had another drawing, there would
  also be a lowest drawing with an empty cell. But there is none, so this drawing is the only one. Verdict
  UNIQUE.
- There is one lowest drawing, and it leaves cells empty. The board has another drawing if and only if a path
  of the lowest drawing can be rerouted through empty cells. If so, the verdict is MULTIPLE. If not, the
  board's only drawing does not cover it. The verdict is NONE, and that drawing is returned as the witness.

**Filled.** Under this rule, exactly one drawing must cover every free cell, and other drawings don't count. A
board that has one solution under strict also has one under filled. If a board has only a few paths, which are
long, strict is decided far sooner than filled. So the search begins with strict. Then it takes turns between
both rules with growing budgets.

Before a search for drawings that cover the board, its cells are counted in two colours, as on a chessboard.
That shows many impossible boards without a search.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from functools import partial
from typing import NamedTuple

from linkpress.engine.board_search import Budget, OutOfBudget, find_drawings, kind_of
from linkpress.engine.grade import grade_climb
from linkpress.engine.ladder import climb_ladder, position_of
from linkpress.engine.rulesets import Rule, rule_named, rules_by_preference, ruleset_of
from linkpress.puzzle.puzzle import Puzzle, Solution

# If the caller gives no budget, a proof may take this many conflicts on boards of up to ``_USUAL_CELLS``
# cells. Larger boards get fewer in proportion. A conflict takes 10 µs at 15 × 15 and 30 to 60 µs at 50 × 50,
# so a user waits at most a minute.
_USUAL_CONFLICTS = 2_000_000
_USUAL_CELLS = 225
# If the rule of a puzzle is not known, several rules are tried. This is the maximum number of conflicts,
# which are dead ends of the search, for each rule.
_RULE_BUDGET = 100_000


class Verdict(Enum):
    """Result of a proof: how many solutions a puzzle has under a rule."""

    NONE = "none"
    UNIQUE = "unique"
    MULTIPLE = "multiple"
    GAVE_UP = "gave-up"


class Proof(NamedTuple):
    """Verdict on how many solutions a puzzle has, with the drawings on which the verdict is based.

    A drawing joins the two numbers of every pair by paths.

    Args:
        rule: the rule for which the verdict holds.
        verdict: how many solutions the puzzle has.
        solution: the first drawing that was found, or None. With the verdict UNIQUE, this is the solution.
            With MULTIPLE, it is one of several drawings; under the rule ``strict``, it may leave cells empty.
            With NONE under ``strict``, it is the puzzle's only drawing, which leaves cells empty. It is None
            if there is no drawing.
        witness: with the verdict MULTIPLE, a second drawing; else None.
        method: how the verdict was reached: ``"kernel"`` by a search, ``"ladder"`` by solving techniques. It
            is ``"kernel+ladder"`` if solving techniques finished the board as well.
        spent: the conflicts of all searches.
    """

    rule: Rule
    verdict: Verdict
    solution: Solution | None
    witness: Solution | None
    method: str
    spent: int


# These two shortcuts save a tenth of the time of a proof on a small board. ``_proof`` makes a ``Proof``
# without calling ``Proof.__new__``, and ``_UNIQUE`` saves reading an enumeration member.
_proof, _UNIQUE = partial(tuple.__new__, Proof), Verdict.UNIQUE


def prove(puzzle: Puzzle, rule: Rule | str, budget: int | None = None) -> Proof:
    """Decide whether a puzzle has exactly one solution under a rule.

    Args:
        budget: how many conflicts the search may take. Once they are spent, the verdict is GAVE_UP. There is
            one exception: under rules that require a full board, a puzzle is UNIQUE if the solving techniques
            finish it. With None, 2,000,000 conflicts are allowed, and fewer on boards of more than 225 cells.
    Returns:
        The verdict with its drawings. Equal arguments give equal results.
    """
    rule = rule_named(rule)
    if budget is None:
        cells = puzzle.grid.rows * puzzle.grid.cols
        budget = _USUAL_CONFLICTS
        if cells > _USUAL_CELLS:
            budget = _USUAL_CONFLICTS * _USUAL_CELLS // cells
    account = Budget(budget)
    try:
        drawings = find_drawings(puzzle, kind_of(rule), account)
    except OutOfBudget:
        # The search used up its budget. A drawing joins each pair of numbers by a path. Under some rules,
        # only drawings that cover the board count. Everything that the solving techniques find holds for all
        # these drawings. So if the techniques finish the board, it has no second solution.
        if ruleset_of(rule).covers:
            finished = grade_climb(puzzle, climb_ladder(position_of(puzzle, rule))).solution
            if finished is not None:
                return Proof(rule, Verdict.UNIQUE, finished, None, "ladder", account.spent)
        return Proof(rule, Verdict.GAVE_UP, None, None, "kernel", account.spent)
    if len(drawings) == 2:
        solution, witness = sorted(drawings, key=lambda drawing: not drawing.fills)
        return Proof(rule, Verdict.MULTIPLE, solution, witness, "kernel", account.spent)
    if drawings and drawings[0].fills:
        return _proof((rule, _UNIQUE, drawings[0], None, "kernel", account.spent))
    return Proof(rule, Verdict.NONE, drawings[0] if drawings else None, None, "kernel", account.spent)


def gave_up_words(proof: Proof) -> str:
    """Return the message for a proof that was given up. It also says how to allow more effort."""
    tried = "the search and the techniques" if ruleset_of(proof.rule).covers else "the search"
    return f"gave up after {proof.spent:,} conflicts of {tried}; allow more with --budget"


def no_solution_words(proof: Proof) -> str:
    """Return a message that a puzzle has no solution, with the reason if it is known."""
    if proof.solution is None:
        return "no solution"
    free_cells = proof.solution.puzzle.grid.free_cells
    empty = len(free_cells) - sum(len(path.cells) for path in proof.solution.paths)
    squares = "1 square" if empty == 1 else f"{empty} squares"
    return f"no solution: the only way to join all pairs leaves {squares} empty"


def prove_by_any(
    puzzle: Puzzle, rules: Iterable[Rule], budget: int | None = None
) -> tuple[Proof, tuple[Rule, ...]]:
    """Try the rules in turn, until it is proven that the puzzle has exactly one solution under a rule.

    Returns:
        The proof under that rule, and a tuple of all tried rules for which the search gave up. If no rule
        gives exactly one solution, the proof under the rule "filled" is returned. If "filled" is not among
        the rules, the proof under the first rule is returned.
    """
    proofs: dict[Rule, Proof] = {}
    for rule in rules:
        proofs[rule] = prove(puzzle, rule, budget)
        if proofs[rule].verdict is Verdict.UNIQUE:
            break
    undecided = tuple(rule for rule, proof in proofs.items() if proof.verdict is Verdict.GAVE_UP)
    last = proofs[rule]
    if last.verdict is not Verdict.UNIQUE:
        last = proofs.get(Rule.FILLED) or next(iter(proofs.values()))
    return last, undecided


def strictest_rule(puzzle: Puzzle) -> tuple[Rule, tuple[Rule, ...]]:
    """Return the strictest rule under which a puzzle is quickly proven to have one solution.

    If there is no such rule, the result is FILLED.

    Returns:
        The rule, and the stricter rules for which this could not be decided quickly.
    """
    proof, undecided = prove_by_any(puzzle, rules_by_preference(), _RULE_BUDGET)
    return (proof.rule, undecided) if proof.verdict is Verdict.UNIQUE else (Rule.FILLED, ())
