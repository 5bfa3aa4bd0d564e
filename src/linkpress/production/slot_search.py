"""A worker searches for one slot's puzzle, or proves its board from a file."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, Field, ValidationError

from linkpress.book.level import IfGradeMissing
from linkpress.book.puzzle_record import PuzzleRecord, first_problem, puzzle_json, read_puzzle, record_made
from linkpress.engine.recipe import MOST_STARS, Grade, Method, Recipe, Span
from linkpress.engine.rulesets import Rule, rules_by_preference, ruleset_of
from linkpress.errors import CheckFailedError, GaveUpError, GradeError, PuzzleError, RecipeError
from linkpress.puzzle.puzzle import Puzzle, Solution

if TYPE_CHECKING:  # loads the keys of a book's spec, and the engine; worth it only where puzzles are made
    from linkpress.book.plan import Slot
    from linkpress.engine.make.generate import MadePuzzle
    from linkpress.engine.prove.proof import Proof

PuzzleMaker = Callable[[Recipe, str, Method, int], "MadePuzzle"]
"""Makes one puzzle from recipe, seed, method and the units of work that it may take."""
_KEYS = ("attempt", "board", "solution", "rule", "proof", "grade", "score", "stars", "measure", "techniques")


def make_slot(maker: PuzzleMaker, slot: Slot, attempt: int) -> FinishedSlot:
    """Make one slot's puzzle, in a worker.

    Raises:
        RecipeError: as the maker's for the slot's own recipe, with the slot named.
        CheckFailedError, GaveUpError: a board from a file has not one solution, or no proof of it.
    """
    start = time.perf_counter()
    try:
        if slot.given is not None:
            made, widened = check_board(slot.given, slot.recipe.rule), 0
        else:
            made, widened = _search(maker, slot, slot.seed_of(attempt))
    except RecipeError as fault:
        raise type(fault)(f"{slot}: {fault}") from None
    record = record_made(made, slot, attempt)
    return FinishedSlot(slot, record, made.attempts, time.perf_counter() - start, widened)


def make_timed(recipe: Recipe, seed: str, method: Method, work: int) -> tuple[MadePuzzle, float]:
    """Make a puzzle of no slot, without its score, in a worker; return it with the seconds that it took."""
    from linkpress.engine.make.generate import generate

    start = time.perf_counter()
    return generate(recipe, seed, method, work, scored=False), time.perf_counter() - start


def _search(maker: PuzzleMaker, slot: Slot, seed: str) -> tuple[MadePuzzle, int]:
    """Make a puzzle, and return by how many grades and stars the recipe's ranges were widened for it.

    A search in a wider range gives the first board in it, and so the earliest of the nearest.
    """
    try:
        return maker(slot.recipe, seed, slot.method, slot.work), 0
    except GradeError:
        if slot.otherwise is IfGradeMissing.FAIL:
            raise
    for widened, recipe in enumerate(_wider(slot.recipe), start=1):
        with contextlib.suppress(GradeError):
            return maker(recipe, seed, slot.method, slot.work), widened
    raise AssertionError("boards were proven, and yet none was found when any grade would do")


def _wider(recipe: Recipe) -> Iterator[Recipe]:
    """Widen a recipe's grades and stars at both ends, step by step, and in the end to ungraded boards."""
    (low, high), stars = recipe.grades or (Grade.BEGINNER, Grade.FIENDISH), recipe.stars
    while (low, high) != (Grade.BEGINNER, Grade.FIENDISH) or stars:
        low, high = Grade(max(Grade.BEGINNER, low - 1)), Grade(min(Grade.FIENDISH, high + 1))
        stars = stars and Span(max(1, stars.low - 1), min(MOST_STARS, stars.high + 1))
        if stars == Span(1, MOST_STARS):
            stars = None
        yield replace(recipe, grades=recipe.grades and (low, high), stars=stars)
    yield replace(recipe, grades=None, stars=None)


def check_board(board: Puzzle, rule: Rule) -> MadePuzzle:
    """Prove and grade a file's board; raise ``CheckFailedError`` or ``GaveUpError`` without one solution."""
    from linkpress.engine.make.generate import MadePuzzle
    from linkpress.engine.prove.proof import Verdict, no_solution_words, prove
    from linkpress.engine.solve.grade import grade_puzzle

    proof = prove(board, rule)
    if proof.verdict is Verdict.GAVE_UP:
        raise GaveUpError(f"its proof was given up after {proof.spent:,} conflicts; leave the board out")
    if proof.verdict is Verdict.NONE:
        raise CheckFailedError(f"it has {no_solution_words(proof)}")
    if proof.verdict is Verdict.MULTIPLE or proof.solution is None:
        raise CheckFailedError(_several(proof))
    if proof.solution.touches_itself:
        raise CheckFailedError(
            "a path of its solution runs alongside itself, which the numbers of volume.json can't tell; "
            "leave the board out"
        )
    return MadePuzzle(board, proof.solution, proof, grade_puzzle(board, rule), 1)


def defect_of(finished: FinishedSlot, *, graded: bool) -> str | None:
    """Say what is wrong with a puzzle that another machine has made; None where it is what it is said to be.

    Args:
        graded: whether it is graded again, too.
    Raises:
        PuzzleError: a value of its record is malformed; one of another type may raise anything.
    """
    from linkpress.engine.prove.proof import Verdict, prove
    from linkpress.engine.solve.grade import grade_puzzle

    slot, record = finished.slot, finished.record
    puzzle, named = record.puzzle, f"for {finished.slot} a board"
    if (puzzle.grid.rows, puzzle.grid.cols, record.rule) != (
        slot.recipe.rows,
        slot.recipe.cols,
        slot.recipe.rule,
    ):
        return f"{named} of another recipe"
    proof = prove(puzzle, record.rule)
    if proof.verdict is not Verdict.UNIQUE or proof.solution != record.solution:
        return f"{named} without the one solution that it gave"
    if read_journal_line(slot, journal_line(finished)) != finished:
        return f"{named} with the level, seed or fingerprint of another"
    if graded and grade_puzzle(puzzle, record.rule).grade != record.grade:
        return f"{named} with a grade that it has not"
    return None


def _several(proof: Proof) -> str:
    """Say where two solutions differ, and whether another rule would take the board."""
    from linkpress.engine.prove.proof import Verdict, prove

    first, second = proof.solution, proof.witness
    if first is None or second is None:
        raise AssertionError("a board with several solutions comes with two of them")
    message = f"two solutions under the rule {proof.rule.value}, which differ at {_where(first, second)}"
    for rule in rules_by_preference():
        condition = ruleset_of(rule).condition
        if condition and rule is not proof.rule and prove(first.puzzle, rule).verdict is Verdict.UNIQUE:
            return f"it has {message}; only one {condition}, so `unique: {rule}` takes it"
    return f"it has {message}"


def _where(first: Solution, second: Solution) -> str:
    """Return the first square, in reading order, through which two drawings lead differently."""
    return first.puzzle.grid.name(min(cell for step in first.edges ^ second.edges for cell in step))


@dataclass(frozen=True, slots=True)
class FinishedSlot:
    """A finished slot has its puzzle, and knows what the search for it took.

    Args:
        tries: boards that the generator looked at for this one.
        seconds_s: the time that it took where it was made.
        widened: by how many grades its slot's range was widened, below and above, until one was found.
    """

    slot: Slot
    record: PuzzleRecord
    tries: int
    seconds_s: float
    widened: int = 0


class _Search(BaseModel, defer_build=True):
    tries: Annotated[int, Field(strict=True)]
    effort: Annotated[float, Field(strict=True)]
    widened: Annotated[int, Field(strict=True)]
    seconds: Annotated[float, Field(strict=True, allow_inf_nan=False)]


def journal_line(finished: FinishedSlot) -> dict[str, Any]:
    """Return a finished slot as JSON values, from which ``read_journal_line`` makes it again."""
    facts = puzzle_json(finished.record)
    line = {"key": finished.slot.key, **{key: facts[key] for key in _KEYS}}
    grade = finished.record.grade
    search = {
        "tries": finished.tries,
        "effort": finished.slot.effort,
        "widened": finished.widened,
        "seconds": finished.seconds_s,
    }
    return {**line, "grade": grade and int(grade), **search}


def read_journal_line(slot: Slot, line: Mapping[str, Any]) -> FinishedSlot:
    """Return the finished puzzle of a slot.

    Args:
        slot: as planned; the one for which the line was written, but for effort and ``otherwise``.
        line: from ``journal_line``.
    Raises:
        PuzzleError: the line is not of that shape, board or solution are malformed, or the slot's own search
            might end with another puzzle.
    """
    of_slot = {
        "level": slot.level,
        "slot": slot.index,
        "seed": f"{slot.seed}/{line.get('attempt')}",
        "method": slot.cover_method,
        "fingerprint": None,
    }
    record = read_puzzle({**line, **of_slot})
    try:
        search = _Search.model_validate(line)
    except ValidationError as error:
        raise PuzzleError(first_problem(error)) from None
    if not _is_repeated(search, slot):
        raise PuzzleError(f"effort: {search.effort:g} — the slot has {slot.effort:g}")
    return FinishedSlot(slot, record, search.tries, search.seconds, search.widened)


def _is_repeated(search: _Search, slot: Slot) -> bool:
    """Tell whether a slot's search ends as one before: more effort helps only a search that failed."""
    if search.widened:
        return search.effort == slot.effort and slot.otherwise is IfGradeMissing.NEAREST
    return search.effort <= slot.effort
