"""Boards from files: proven and graded like made ones, or refused by name, all at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from linkpress.documents.problem import MAX_SHOWN
from linkpress.engine.recipe import Rule
from linkpress.errors import FoundWantingError, GaveUpError, LinkpressError
from linkpress.puzzle.puzzle import Puzzle, Solution

if TYPE_CHECKING:
    from linkpress.book.plan import Slot
    from linkpress.engine.make.generate import MadePuzzle
    from linkpress.engine.prove.proof import Proof


def check_board(board: Puzzle, rule: Rule) -> MadePuzzle:
    """Prove and grade a board.

    Args:
        board: as its file gives it.
        rule: what one solution means.
    Raises:
        FoundWantingError: it has no solution or several, or one that can't be recorded.
        GaveUpError: the proof ran out of its budget.
    """
    from linkpress.engine.make.generate import MadePuzzle
    from linkpress.engine.prove.proof import Verdict, no_solution_words, prove
    from linkpress.engine.solve.grade import grade_puzzle

    proof = prove(board, rule)
    if proof.verdict is Verdict.GAVE_UP:
        raise GaveUpError(f"its proof was given up after {proof.spent:,} conflicts; leave the board out")
    if proof.verdict is Verdict.NONE:
        raise FoundWantingError(f"it has {no_solution_words(proof)}")
    if proof.verdict is Verdict.MULTIPLE or proof.solution is None:
        raise FoundWantingError(_several(proof))
    if proof.solution.touches_itself:
        raise FoundWantingError(
            "a path of its solution runs alongside itself, which the numbers of volume.json can't tell; "
            "leave the board out"
        )
    return MadePuzzle(board, proof.solution, proof, grade_puzzle(board, rule), 1)


def refuse_boards(refused: Sequence[tuple[Slot, LinkpressError]], count: int) -> NoReturn:
    """Say of every board that will not do why not.

    Args:
        refused: each board's slot and fault, one or more, in order.
        count: of all boards that were checked.
    Raises:
        FoundWantingError: one line a board; after ``MAX_SHOWN`` of them only their number.
        GaveUpError: the same, where proofs that were given up are all that stands against them.
    """
    lines = [f"{slot}: {fault}" for slot, fault in refused[:MAX_SHOWN]]
    if len(refused) > MAX_SHOWN:
        lines.append(f"… and {len(refused) - MAX_SHOWN} more")
    gave_up = all(isinstance(fault, GaveUpError) for _, fault in refused)
    kind = GaveUpError if gave_up else FoundWantingError
    listed = "\n".join(lines)
    raise kind(
        f"{len(refused)} of {count} boards from files can't be printed. Nothing was written.\n{listed}"
    )


def _several(proof: Proof) -> str:
    """Where two solutions differ, and whether the other rule would take the board."""
    from linkpress.engine.prove.proof import Verdict, prove

    one, other = proof.solution, proof.witness
    if one is None or other is None:
        raise AssertionError("a board with several solutions comes with two of them")
    said = f"two solutions under the rule {proof.rule.value}, which differ at {_where(one, other)}"
    if proof.rule is Rule.STRICT and prove(one.puzzle, Rule.FILLED).verdict is Verdict.UNIQUE:
        said += "; only one covers every square, so `unique: filled` takes it"
    return f"it has {said}"


def _where(one: Solution, other: Solution) -> str:
    """The first square, in reading order, through which two drawings lead differently."""
    return one.puzzle.grid.name(min(cell for step in one.edges ^ other.edges for cell in step))
