"""Puzzle records: everything that is known about a finished puzzle.

Records are stored in several files: the journal of an unfinished run, the volume of a book, and the manifest
of a newspaper feed. All of them use this module to write and read records as JSON, with the same keys.
Further facts, such as a printed number or a date, are stored beside the record.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field, PlainValidator, TypeAdapter, ValidationError

from linkpress.documents.problem import printable
from linkpress.engine.difficulty import MOST_DIFFICULTY
from linkpress.engine.recipe import MEASURE, Grade, Method, Rule
from linkpress.errors import PuzzleError
from linkpress.puzzle.link_text import board_rows, parse_board_rows, parse_solution_rows, solution_rows
from linkpress.puzzle.picture import with_colours
from linkpress.puzzle.puzzle import Puzzle, Solution
from linkpress.puzzle.rules import check_solution
from linkpress.puzzle.symmetry import fingerprint

if TYPE_CHECKING:  # At run time, these imports would be slow: they load the engine and the models of specs.
    from linkpress.book.plan import Slot
    from linkpress.engine.make.generate import MadePuzzle

# The largest number that a record may contain. Real scores and counts are far below it.
MAX_AMOUNT = 10**12
_GRADES = {grade.label: grade for grade in Grade}


def _read_technique(value: object) -> Grade | None:
    """Read the grade of a technique, which says how hard the technique is. None stays None.

    The grade may be given as a word or as a number. The journal of an unfinished run stores the number.
    """
    if value is None or (isinstance(value, int) and value in tuple(Grade)):
        return None if value is None else Grade(value)
    if not isinstance(value, str) or value not in _GRADES:
        raise ValueError(f"{', '.join(_GRADES)} or null is allowed")
    return _GRADES[value]


def _read_solution(value: Solution | tuple[object, object]) -> Solution:
    if isinstance(value, Solution):
        return value
    rows = dict(zip(("board", "solution"), value, strict=True))
    for key, given in rows.items():
        if not isinstance(given, list) or not all(isinstance(row, str) for row in given):
            needed = "a list of rows, each a text, is needed"
            raise ValueError(f"{key}: {printable(json.dumps(given))} — {needed}")
    key = "board"
    try:
        puzzle = parse_board_rows(rows[key])  # type: ignore[arg-type]
        key = "solution"
        return parse_solution_rows(puzzle, rows[key])  # type: ignore[arg-type]
    except PuzzleError as error:
        raise ValueError(f"{key}: {error}") from error


_Text = Annotated[str, Field(strict=True)]
_Amount = Annotated[int, Field(strict=True, ge=0, le=MAX_AMOUNT)]


@dataclass(frozen=True)
class PuzzleRecord:
    """Everything that is known about a finished puzzle.

    Args:
        level: the name of the puzzle's level; for a newspaper feed, the feed's id.
        rule: the rule of uniqueness, which says what counts as another solution.
        proof: the method that proved that there is only one solution, such as ``kernel``.
        technique: the grade of the hardest technique that a person needs; None if the techniques don't solve
            the whole board.
        score: how hard the puzzle feels; None if it is ungraded.
        findings: how often each technique is needed.
        solution: the only solution. It also contains the puzzle.
        fingerprint: a digest that stays the same if the puzzle is turned, mirrored or renumbered.
        seed: the seed of all random choices, as ``book seed/level/index/attempt``.
        index: the number of the puzzle's slot in the level, from 1.
        attempt: the number of the attempt that gave the puzzle, from 0.
        method: how the board was generated; None for a board from a file.
        difficulty: the score as a number from 0 to 100; None if the puzzle is ungraded.
        measure: the name of the formula that gave the score, such as ``effort-1``.
    """

    level: _Text
    rule: Rule
    proof: _Text
    technique: Annotated[Grade | None, PlainValidator(_read_technique)]
    score: _Amount | None
    findings: Mapping[_Text, _Amount]
    solution: Annotated[Solution, PlainValidator(_read_solution)]
    fingerprint: _Text
    seed: _Text
    index: Annotated[int, Field(strict=True, alias="slot")]
    attempt: _Amount
    method: Method | None
    difficulty: Annotated[int, Field(strict=True, ge=0, le=MOST_DIFFICULTY)] | None = None
    measure: _Text | None = None

    @property
    def puzzle(self) -> Puzzle:
        return self.solution.puzzle

    @cached_property
    def lines(self) -> tuple[str, str]:
        """Two texts: the rows of the board, and the rows of the solution, with one line for each row.

        The texts are cached in the record. The worker process that makes the puzzle computes them for the
        journal. Then it sends the record with the cached texts to the main process, which also writes them to
        ``volume.json``. This halves the time for writing that file.
        """
        return "\n".join(board_rows(self.puzzle)), "\n".join(solution_rows(self.solution))


@cache
def _json() -> TypeAdapter[PuzzleRecord]:
    return TypeAdapter(PuzzleRecord)


_NEEDED = {
    "string_type": "a text is needed",
    "int_type": "a whole number is needed",
    "list_type": "a list is needed",
    "dict_type": "an object is needed",
    "missing": "this key is needed",
    **dict.fromkeys(
        ("greater_than_equal", "less_than_equal"), f"a whole number from 0 to {MAX_AMOUNT:,} is needed"
    ),
}


def record_made(made: MadePuzzle, slot: Slot, attempt: int) -> PuzzleRecord:
    """Return the record of a puzzle for a book.

    Args:
        made: the puzzle with its proof and grading. The engine has generated it, or it comes from a file.
        slot: the puzzle's slot, which is a place for one puzzle in the plan of the book.
        attempt: the number of the attempt that gave the puzzle, from 0. Several attempts may be made to fill
            a slot, each with a seed of its own.
    """
    grading = made.grading
    return PuzzleRecord(
        level=slot.level,
        rule=made.proof.rule,
        proof=made.proof.method,
        technique=grading.technique if grading else None,
        score=grading.score if grading else None,
        findings=dict(grading.findings) if grading else {},
        solution=made.solution,
        fingerprint=fingerprint(made.puzzle),
        seed=slot.seed_of(attempt),
        index=slot.index,
        attempt=attempt,
        method=slot.cover_method,
        difficulty=grading.difficulty if grading else None,
        measure=MEASURE if grading else None,
    )


def stand_in(slot: Slot, solution: Solution) -> PuzzleRecord:
    """Return a placeholder record for a puzzle that isn't made yet.

    Its difficulty is the highest that the puzzle may have.

    Args:
        slot: the slot of the puzzle, which is its place in the plan of the book.
        solution: a placeholder board, with its solution.
    """
    return PuzzleRecord(
        level=slot.level,
        rule=slot.recipe.rule,
        proof="none",
        technique=None,
        score=None,
        difficulty=slot.recipe.difficulty.high if slot.recipe.difficulty else MOST_DIFFICULTY,
        findings={},
        solution=solution,
        fingerprint=f"{slot.number:016d}",
        seed=slot.seed_of(0),
        index=slot.index,
        attempt=0,
        method=slot.cover_method,
    )


def puzzle_json(record: PuzzleRecord) -> dict[str, Any]:
    """Return a record as JSON values, with the size of its board and its numbers of pairs and solid squares.

    The values are not written by pydantic's serializers, because these ignore a Ctrl-C while they run.
    """
    return {
        "level": record.level,
        **_counts(record.puzzle),
        "rule": record.rule.value,
        "proof": record.proof,
        "difficulty": record.difficulty,
        "score": record.score,
        "measure": record.measure,
        "technique": record.technique.label if record.technique else None,
        "findings": dict(sorted(record.findings.items())),
        "board": record.lines[0].split("\n"),
        "solution": record.lines[1].split("\n"),
        "fingerprint": record.fingerprint,
        "seed": record.seed,
        "slot": record.index,
        "attempt": record.attempt,
        "method": record.method.value if record.method else None,
        **({"colours": list(record.puzzle.colours)} if record.puzzle.colours else {}),
    }


def read_puzzle(item: Mapping[str, Any]) -> PuzzleRecord:
    """Read a record from its JSON values.

    Args:
        item: the values that ``puzzle_json`` writes. Further keys are ignored. The size and the counts may be
            missing, the fingerprint may be None, and the solution may be a ``Solution`` instead of rows.
    Returns:
        The record. The solution has been checked against the rules, and the fingerprint against the board.
    Raises:
        PuzzleError: a key is missing, malformed or contradicts the board. The message names the first such
            key.
    """
    rows = item.get("solution")
    solution = rows if isinstance(rows, Solution) else (item.get("board"), rows)
    # replace a missing key by 0, which is rejected below because it is not a string
    given = item.get("fingerprint", 0)
    try:
        record = _json().validate_python(
            {**item, "solution": solution, "fingerprint": "" if given is None else given}
        )
    except ValidationError as error:
        raise PuzzleError(first_problem(error)) from None
    if (colours := item.get("colours")) is not None:
        puzzle = with_colours(record.puzzle, colours)
        record = replace(record, solution=replace(record.solution, puzzle=puzzle))
    for mistake in check_solution(record.solution):
        raise PuzzleError(f"solution: {mistake.text}")
    for key, count in _counts(record.puzzle).items():
        if item.get(key, count) != count:
            raise PuzzleError(f"{key}: {_json_text(item[key])} — the board has {count}")
    actual = fingerprint(record.puzzle)
    if given is not None and given != actual:
        changed = f"the board's is {actual}; one of them was changed"
        raise PuzzleError(f"fingerprint: {_json_text(given)} — {changed}")
    return record if given is not None else replace(record, fingerprint=actual)


def first_problem(error: ValidationError) -> str:
    """Return the first of pydantic's errors as text: the key, its value and what is needed instead."""
    first = error.errors(include_url=False)[0]
    key, kind = ".".join(map(str, first["loc"])), first["type"]
    if kind == "value_error":
        message = first["msg"].removeprefix("Value error, ")
        return message if key == "solution" else f"{key}: {_json_text(first['input'])} — {message}"
    words = first["msg"][:1].lower() + first["msg"][1:]
    if kind == "enum":
        words = first["ctx"]["expected"].replace("'", "") + " is allowed"
    value = "missing" if kind == "missing" else _json_text(first["input"])
    return f"{key}: {value} — {_NEEDED.get(kind, words)}"


def _json_text(value: object) -> str:
    return printable(json.dumps(value, ensure_ascii=True, default=str))


def _counts(puzzle: Puzzle) -> dict[str, int]:
    grid = puzzle.grid
    return {"width": grid.cols, "height": grid.rows, "pairs": len(puzzle.pairs), "solids": len(grid.solids)}
