"""Make the puzzle of one slot in a worker: search for a puzzle, or take a board from the user's file.

A board from a file is accepted only if it is proven to have one solution.

A *slot* is the plan for one puzzle of a book or feed. An *attempt* is one search for the puzzle of a slot.
Each attempt of a slot has another random seed.
"""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, Field, ValidationError

from linkpress.book.level import IfMissing
from linkpress.book.puzzle_record import PuzzleRecord, first_problem, puzzle_json, read_puzzle, record_made
from linkpress.engine.difficulty import MOST_DIFFICULTY
from linkpress.engine.recipe import Grade, Method, Recipe, Span
from linkpress.engine.rulesets import Rule, rules_by_preference, ruleset_of
from linkpress.errors import CheckFailedError, GaveUpError, GradeError, PuzzleError, RecipeError
from linkpress.puzzle.puzzle import Puzzle

if TYPE_CHECKING:  # imported only for type annotations, because these imports take time
    from linkpress.book.plan import Slot
    from linkpress.engine.make.generate import MadePuzzle
    from linkpress.engine.proof import Proof

PuzzleMaker = Callable[[Recipe, str, Method, int], "MadePuzzle"]
"""Makes one puzzle from a recipe, a seed, a method, and the most units of work it may take."""
_KEYS = (
    *("attempt", "board", "solution", "rule", "proof"),
    *("technique", "score", "difficulty", "measure", "findings", "colours"),
)
# Number of points by which a range of difficulties is widened at each end if no puzzle was found. This is
# the smallest difference of two difficulties that solvers notice.
_WIDER_POINTS = 10
_COMPARED_SIDES, _NARROW = (7, 8), 3


@dataclass(frozen=True)
class FinishedSlot:
    """Slot of a book or feed, with its puzzle. A slot is the plan for one puzzle.

    Args:
        slot: the slot.
        record: the puzzle.
        tries: the number of boards that the search examined.
        seconds_s: the seconds that the search took.
        widened: how often the ranges of difficulty and techniques were widened until a puzzle was found.
        opening: the codes of the techniques that come first when the puzzle is solved, as in ``Grading``;
            None if they are unknown, because an earlier run made the puzzle.
        text: the JSON text of the puzzle for the journal. Workers write it, because they have more time than
            the process that saves puzzles. Empty if it is not written yet.
    """

    slot: Slot
    record: PuzzleRecord
    tries: int
    seconds_s: float
    widened: int = 0
    opening: tuple[int, ...] | None = field(default=None, compare=False, repr=False)
    text: str = field(default="", compare=False, repr=False)


def is_compared(recipe: Recipe) -> bool:
    """Return whether a run compares the boards of a recipe with each other, to avoid similar puzzles.

    It compares only boards whose shorter side has 7 or 8 squares.
    """
    return min(recipe.rows, recipe.cols) in _COMPARED_SIDES


def _keeps_paths(recipe: Recipe) -> bool:
    """Return whether all attempts at the puzzle of a slot must make boards with the same number of paths.

    The boards of small puzzles are compared, and a board that is too similar to an earlier one is refused.
    Then another attempt is made. Boards with few paths are refused most often. If further attempts could have
    more paths, a recipe for five to seven paths would lead to few puzzles with five paths.

    The number of paths may change if the range is wide, or if the recipe requires a difficulty or technique.
    If it never changed, a hundred easy boards of 7 × 7 would have 77 % of their numbers in the same cells on
    average, instead of 67 %.
    """
    pairs = recipe.pairs
    is_narrow = pairs is not None and pairs.high - pairs.low <= _NARROW
    return is_compared(recipe) and is_narrow and not recipe.required


def engine_maker() -> PuzzleMaker:
    """Return the engine's function that makes a puzzle.

    Call this before worker processes start. Workers that are forks of this process then have all modules of
    the puzzle engine already, and don't load them again.
    """
    from linkpress.engine.make.generate import generate

    return partial(generate, graded=True)


def make_slot(maker: PuzzleMaker, slot: Slot, attempt: int, paths: int | None = None) -> FinishedSlot:
    """Make the puzzle of a slot, which is the plan for one puzzle. Workers call this function.

    Args:
        maker: function that makes a puzzle by the slot's recipe.
        slot: the slot.
        attempt: the number of the attempt, counted from 0.
        paths: how many paths the puzzle of attempt 0 has; None if unknown.
    Raises:
        RecipeError: no puzzle was found for the recipe.
        CheckFailedError: the board from a file does not have exactly one solution.
        GaveUpError: the proof of the board from a file took too much work.
    """
    start = time.perf_counter()
    try:
        if slot.given is not None:
            made, widened = check_board(slot.given, slot.recipe.rule), 0
        else:
            made, widened = _search(maker, slot, attempt, paths)
    except RecipeError as error:
        raise type(error)(f"{slot}: {error.reason}", error.advice, error.details) from None
    record = record_made(made, slot, attempt)
    opening = made.grading.opening if made.grading else None
    finished = FinishedSlot(slot, record, made.attempts, time.perf_counter() - start, widened, opening)
    return replace(finished, text=journal_text(finished))


def make_timed(recipe: Recipe, seed: str, method: Method, work: int) -> tuple[MadePuzzle, float]:
    """Make a puzzle without scoring its difficulty. Return the puzzle and the seconds that it took."""
    from linkpress.engine.make.generate import generate

    start = time.perf_counter()
    return generate(recipe, seed, method, work, scored=False), time.perf_counter() - start


def _search(maker: PuzzleMaker, slot: Slot, attempt: int, paths: int | None = None) -> tuple[MadePuzzle, int]:
    """Search for a puzzle with the requested difficulty and techniques.

    If no puzzle is found, and the level has the key ``otherwise: nearest``, widen the ranges of difficulty
    and techniques until a puzzle is found.

    Args:
        attempt: the number of this search for the slot's puzzle. The first search has the number 0. Another
            one follows if the puzzle that it found can't be used.
        paths: how many paths the puzzle of attempt 0 has; None if unknown. Further attempts may need this
            number. If it is unknown then, the puzzle of attempt 0 is made again to find it.
    Returns:
        The puzzle, and how often the ranges were widened.
    """
    seed = slot.seed_of(attempt)
    if attempt and _keeps_paths(slot.recipe):
        paths = paths or len(_search(maker, slot, 0)[0].puzzle.pairs)
        with contextlib.suppress(RecipeError):
            return maker(replace(slot.recipe, pairs=Span(paths, paths)), seed, slot.method, slot.work), 0
    if slot.otherwise is IfMissing.FAIL:
        return maker(slot.recipe, seed, slot.method, slot.work), 0
    for widened, recipe in enumerate((slot.recipe, *_wider(slot.recipe))):
        if _is_hopeless(recipe):
            continue
        with contextlib.suppress(GradeError):
            return maker(recipe, seed, slot.method, slot.work), widened
    raise AssertionError("boards were proven, and yet none was found when any difficulty would do")


def _is_hopeless(recipe: Recipe) -> bool:
    """Return whether fewer than one in 100,000 boards will have the recipe's difficulty.

    The search for a puzzle by such a recipe would nearly always fail. Before a search gives up, it examines
    only about 40,000 boards of 5 × 5, in 4 s, and even fewer larger boards.
    """
    from linkpress.book.difficulty_forecast import forecast_of_any

    points, boards = recipe.difficulty, forecast_of_any(recipe)
    return points is not None and boards is not None and boards.share(points) < 1e-5


def _wider(recipe: Recipe) -> Iterator[Recipe]:
    """Yield copies of the recipe with wider and wider ranges of difficulty and techniques.

    The last recipe has no limits of difficulty and techniques.
    """
    (low, high), points = recipe.techniques or (Grade.BEGINNER, Grade.FIENDISH), recipe.difficulty
    while (low, high) != (Grade.BEGINNER, Grade.FIENDISH) or points:
        low, high = Grade(max(Grade.BEGINNER, low - 1)), Grade(min(Grade.FIENDISH, high + 1))
        if points:
            wider = Span(
                max(0, points.low - _WIDER_POINTS), min(MOST_DIFFICULTY, points.high + _WIDER_POINTS)
            )
            points = None if wider == Span(0, MOST_DIFFICULTY) else wider
        yield replace(recipe, techniques=recipe.techniques and (low, high), difficulty=points)
    yield replace(recipe, techniques=None, difficulty=None)


def check_board(board: Puzzle, rule: Rule) -> MadePuzzle:
    """Prove that a board from a user's file has one solution, and grade its difficulty.

    Raises:
        CheckFailedError: the board does not have exactly one solution, or ``volume.json`` can't store its
            solution.
        GaveUpError: the proof took too much work.
    """
    from linkpress.engine.grade import grade_puzzle
    from linkpress.engine.make.generate import MadePuzzle
    from linkpress.engine.proof import Verdict, no_solution_words, prove

    proof = prove(board, rule)
    if proof.verdict is Verdict.GAVE_UP:
        raise GaveUpError(f"its proof was given up after {proof.spent:,} conflicts; leave the board out")
    if proof.verdict is Verdict.NONE:
        raise CheckFailedError(f"it has {no_solution_words(proof)}")
    if proof.verdict is Verdict.MULTIPLE or proof.solution is None:
        raise CheckFailedError(_several_solutions(proof))
    if proof.solution.touches_itself:
        raise CheckFailedError(
            "a path of its solution runs alongside itself, so the numbers in volume.json would not determine "
            "its course; leave the board out"
        )
    return MadePuzzle(proof.solution, proof, grade_puzzle(board, rule), attempts=1)


def _several_solutions(proof: Proof) -> str:
    """Return a message that says where two solutions of a board differ.

    The message also names another uniqueness rule under which the board would be accepted, if there is one.
    """
    from linkpress.engine.proof import Verdict, prove

    first, second = proof.solution, proof.witness
    if first is None or second is None:
        raise AssertionError("a board with several solutions comes with two of them")
    cell = min(cell for step in first.edges ^ second.edges for cell in step)
    where = first.puzzle.grid.name(cell)
    message = f"it has two solutions under the rule {proof.rule.value}, which differ at {where}"
    for rule in rules_by_preference():
        condition = ruleset_of(rule).condition
        if condition and rule is not proof.rule and prove(first.puzzle, rule).verdict is Verdict.UNIQUE:
            return f"{message}; only one {condition}, so `unique: {rule}` accepts the board"
    return message


def feels(record: PuzzleRecord) -> str:
    """Return a puzzle's difficulty and technique in words, such as ``difficulty 34, technique medium``."""
    if record.technique is None or record.difficulty is None:
        return "one that no technique finishes"
    return f"difficulty {record.difficulty}, technique {record.technique.label}"


def is_proven(finished: FinishedSlot) -> bool:
    """Return whether a puzzle that another machine made has only one solution.

    The solution is searched for again. The solution that is found must also equal the stored one.
    """
    from linkpress.engine.proof import Verdict, prove

    record = finished.record
    proof = prove(record.puzzle, record.rule)
    return proof.verdict is Verdict.UNIQUE and proof.solution == record.solution


class _Search(BaseModel, defer_build=True):
    tries: Annotated[int, Field(strict=True)]
    effort: Annotated[float, Field(strict=True)]
    widened: Annotated[int, Field(strict=True)]
    seconds: Annotated[float, Field(strict=True, allow_inf_nan=False)]


def journal_line(finished: FinishedSlot) -> dict[str, Any]:
    """Return a puzzle of the book as JSON values for the journal. ``read_journal_line`` reads them again."""
    facts = puzzle_json(finished.record)
    line = {"key": finished.slot.key, **{key: facts[key] for key in _KEYS if key in facts}}
    technique = finished.record.technique
    search = {
        "tries": finished.tries,
        "effort": finished.slot.effort,
        "widened": finished.widened,
        "seconds": finished.seconds_s,
    }
    return {**line, "technique": technique and int(technique), **search}


def journal_text(finished: FinishedSlot) -> str:
    """Return a puzzle as JSON text for the journal.

    If the worker that made the puzzle has written this text already, return the worker's text.
    """
    return finished.text or json.dumps(journal_line(finished), separators=(",", ":"))


def read_journal_line(slot: Slot, line: Mapping[str, Any]) -> FinishedSlot:
    """Read a puzzle from its line in the journal of a build.

    Args:
        slot: the plan for the puzzle as it is now. Its keys ``effort`` and ``otherwise`` may have changed
            since the line was written.
        line: the JSON values from ``journal_line``.
    Raises:
        PuzzleError: the line is malformed, or a search with the changed keys might find another puzzle.
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
    # The user may have changed the keys ``effort`` and ``otherwise`` since the puzzle was saved. So decide
    # whether a search with the present keys would find the same puzzle. There are two cases:
    # - The earlier search found a puzzle with the requested difficulty and techniques. Then a search with the
    #   same or more effort finds the same puzzle.
    # - The earlier search had to widen the requested ranges of difficulty and techniques. Then the new search
    #   must be allowed to widen them too, and must have the same effort. With more effort, it might find
    #   another puzzle before it widens the ranges.
    if search.widened:
        is_same = search.effort == slot.effort and slot.otherwise is IfMissing.NEAREST
    else:
        is_same = search.effort <= slot.effort
    if not is_same:
        raise PuzzleError(f"effort: {search.effort:g} — the slot has {slot.effort:g}")
    return FinishedSlot(slot, record, search.tries, search.seconds, search.widened)
