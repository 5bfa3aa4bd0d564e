"""Boards from elsewhere: proven and graded like made ones, or refused by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkpress.engine.recipe import Rule
from linkpress.errors import FoundWantingError, GaveUpError
from linkpress.puzzle.puzzle import Puzzle

if TYPE_CHECKING:  # loads numba
    from linkpress.engine.generate import Made


def judge_board(board: Puzzle, rule: Rule) -> Made:
    """Prove and grade a board.

    Args:
        board: as its file gives it.
        rule: what one solution means.
    Raises:
        FoundWantingError: it has no solution or several, or one that can't be recorded.
        GaveUpError: the proof ran out of its budget.
    """
    from linkpress.engine.generate import Made
    from linkpress.engine.grade import grade_puzzle
    from linkpress.engine.proof import Verdict, prove

    proof = prove(board, rule)
    if proof.verdict is Verdict.GAVE_UP:
        raise GaveUpError(f"its proof was given up after {proof.spent} conflicts; leave the board out")
    if proof.verdict is not Verdict.UNIQUE or proof.solution is None:
        found = "no solution" if proof.verdict is Verdict.NONE else "several solutions"
        raise FoundWantingError(f"it has {found} under the rule {rule.value}")
    if proof.solution.touches_itself:
        raise FoundWantingError(
            "a path of its solution runs alongside itself, which the numbers of volume.json can't tell; "
            "leave the board out"
        )
    return Made(board, proof.solution, proof, grade_puzzle(board), 1)
