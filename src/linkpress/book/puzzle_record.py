"""The record of a made puzzle is the same from the engine to the ledger, the volume and the page.

Whatever a stage adds (a printed number, a date, a place in the ledger) wraps the record and repeats
none of its fields. Journals, volumes and manifests hold it as JSON values under the same keys; they
are read and written here alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field, PlainValidator, TypeAdapter, ValidationError

from linkpress.documents.problem import printable
from linkpress.engine.recipe import MEASURE, MOST_STARS, Grade, Method, Rule
from linkpress.errors import PuzzleError
from linkpress.puzzle.notation.link_text import (
    board_rows,
    parse_board_rows,
    parse_solution_rows,
    solution_rows,
)
from linkpress.puzzle.puzzle import Puzzle, Solution
from linkpress.puzzle.rules import check_solution
from linkpress.puzzle.symmetry import fingerprint

if TYPE_CHECKING:  # loads the engine, and the keys and words of a book's spec
    from linkpress.book.plan import Slot
    from linkpress.engine.make.generate import MadePuzzle

# Far more than a score, an attempt or a count of deductions ever is.
MAX_AMOUNT = 10**12
_GRADES = {grade.label: grade for grade in Grade}


def _read_grade(value: object) -> Grade | None:
    """Read a grade from its word, or from its number, which journals have."""
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
            raise ValueError(
                f"{key}: {printable(json.dumps(given))} — a list of rows, each a text, is needed"
            )
    key = "board"
    try:
        puzzle = parse_board_rows(rows[key])  # type: ignore[arg-type]
        key = "solution"
        return parse_solution_rows(puzzle, rows[key])  # type: ignore[arg-type]
    except PuzzleError as fault:
        raise ValueError(f"{key}: {fault}") from fault


_Text = Annotated[str, Field(strict=True)]
_Amount = Annotated[int, Field(strict=True, ge=0, le=MAX_AMOUNT)]


@dataclass(frozen=True, slots=True)
class PuzzleRecord:
    """A puzzle record holds all that is known of a made puzzle.

    Args:
        level: the name of the level that it was made for; a feed's id.
        rule: the rule under which the solution is the only one.
        proof: what the proof rests on, as ``kernel``.
        grade: None where the ladder of techniques does not finish the board.
        score: how hard it feels, in hundredths of a star by the measure; None where it was not graded.
        techniques: how often each technique was needed.
        solution: the only one, and with it the puzzle.
        fingerprint: the same under symmetry and renumbering.
        seed: the whole of the puzzle's randomness: book seed/level/index/attempt.
        index: of the slot in its level, 1….
        attempt: which of the slot's attempts it is, 0….
        method: how its cover was made; None for a board from a file.
        stars: the score as it is printed; None without a score, and in what 0.1.0 made.
        measure: by which the score was found, as ``effort-1``; None for one of 0.2.0, which counted
            techniques, or of 0.1.0, whose score orders the puzzles of one grade.
    """

    level: _Text
    rule: Rule
    proof: _Text
    grade: Annotated[Grade | None, PlainValidator(_read_grade)]
    score: _Amount | None
    techniques: Mapping[_Text, _Amount]
    solution: Annotated[Solution, PlainValidator(_read_solution)]
    fingerprint: _Text
    seed: _Text
    index: Annotated[int, Field(strict=True, alias="slot")]
    attempt: _Amount
    method: Method | None
    stars: Annotated[int, Field(strict=True, ge=1, le=MOST_STARS)] | None = None
    measure: _Text | None = None

    @property
    def puzzle(self) -> Puzzle:
        """Return the board."""
        return self.solution.puzzle

    @property
    def printed_stars(self) -> int | None:
        """Return one to five stars, for 0.1.0's puzzles by the grade; None without a grade."""
        if self.stars is None and self.grade is not None:
            return min(int(self.grade), MOST_STARS)
        return self.stars


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
    """Return the record of what the engine made or judged."""
    grading = made.grading
    return PuzzleRecord(
        level=slot.level,
        rule=made.proof.rule,
        proof=made.proof.method,
        grade=grading.grade if grading else None,
        score=grading.score if grading else None,
        techniques=dict(grading.techniques) if grading else {},
        solution=made.solution,
        fingerprint=fingerprint(made.puzzle),
        seed=slot.seed_of(attempt),
        index=slot.index,
        attempt=attempt,
        method=slot.cover_method,
        stars=grading.stars if grading else None,
        measure=MEASURE if grading else None,
    )


def puzzle_json(record: PuzzleRecord) -> dict[str, Any]:
    """Return a record as JSON values, in the order in which files have them, with the counts of its board.

    Pydantic's serializers are not used, since an interruption that comes while one runs is lost in a
    fault of theirs.
    """
    return {
        "level": record.level,
        **_counts(record.puzzle),
        "rule": record.rule.value,
        "proof": record.proof,
        "grade": record.grade.label if record.grade else None,
        "score": record.score,
        "stars": record.stars,
        "measure": record.measure,
        "techniques": dict(sorted(record.techniques.items())),
        "board": list(board_rows(record.puzzle)),
        "solution": list(solution_rows(record.solution)),
        "fingerprint": record.fingerprint,
        "seed": record.seed,
        "slot": record.index,
        "attempt": record.attempt,
        "method": record.method.value if record.method else None,
    }


def read_puzzle(item: Mapping[str, Any]) -> PuzzleRecord:
    """Read a record from its JSON values.

    Args:
        item: the values as ``puzzle_json`` writes them; further keys don't matter, and the counts may be
            left out. The fingerprint may be None; the solution is a ``Solution`` where rows can't tell it.
    Returns:
        The record; its solution is a right filling of its board, and its fingerprint the board's.
    Raises:
        PuzzleError: a key is missing, or its value is malformed or contradicts the board; names the
            first such key.
    """
    rows = item.get("solution")
    solution = rows if isinstance(rows, Solution) else (item.get("board"), rows)
    given = item.get("fingerprint", 0)  # 0 is refused as no text
    try:
        record = _json().validate_python(
            {**item, "solution": solution, "fingerprint": "" if given is None else given}
        )
    except ValidationError as error:
        raise PuzzleError(first_problem(error)) from None
    for mistake in check_solution(record.solution):
        raise PuzzleError(f"solution: {mistake.text}")
    for key, count in _counts(record.puzzle).items():
        if item.get(key, count) != count:
            raise PuzzleError(f"{key}: {_found(item[key])} — the board has {count}")
    own = fingerprint(record.puzzle)
    if given is not None and given != own:
        raise PuzzleError(f"fingerprint: {_found(given)} — the board's is {own}; one of them was changed")
    return record if given is not None else replace(record, fingerprint=own)


def first_problem(error: ValidationError) -> str:
    """Tell the first thing that is wrong with JSON values: the key, what was found and what is needed."""
    fault = error.errors(include_url=False)[0]
    key, kind = ".".join(map(str, fault["loc"])), fault["type"]
    if kind == "value_error":
        message = fault["msg"].removeprefix("Value error, ")
        return message if key == "solution" else f"{key}: {_found(fault['input'])} — {message}"
    words = fault["msg"][:1].lower() + fault["msg"][1:]
    if kind == "enum":
        words = fault["ctx"]["expected"].replace("'", "") + " is allowed"
    found = "missing" if kind == "missing" else _found(fault["input"])
    return f"{key}: {found} — {_NEEDED.get(kind, words)}"


def _found(value: object) -> str:
    return printable(json.dumps(value, ensure_ascii=True, default=str))


def _counts(puzzle: Puzzle) -> dict[str, int]:
    grid = puzzle.grid
    return {"width": grid.cols, "height": grid.rows, "pairs": len(puzzle.pairs), "solids": len(grid.solids)}
