"""A slot's finished puzzle, and its record as JSON values for a build's journal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr, ValidationError

from linkpress.book.plan import Slot
from linkpress.engine.recipe import Grade, Rule
from linkpress.errors import PuzzleError
from linkpress.puzzle.notation.link_text import (
    board_rows,
    parse_board_rows,
    parse_solution_rows,
    solution_rows,
)
from linkpress.puzzle.puzzle import Puzzle, Solution
from linkpress.puzzle.symmetry import fingerprint


@dataclass(frozen=True, slots=True)
class Produced:
    """A slot's puzzle.

    Args:
        slot: what was asked.
        attempt: which of the slot's attempts this is, counted from 0.
        solution: the only one, and with it the puzzle.
        rule: under which the solution is the only one.
        proof: what the proof rests on, as ``sat``.
        grade: None where the ladder of techniques does not finish the board.
        score: difficulty within the grade.
        techniques: how often each technique was needed.
        fingerprint: of the puzzle.
        tries: boards that the generator looked at for this one.
        seconds_s: how long it took where it was made.
    """

    slot: Slot
    attempt: int
    solution: Solution
    rule: Rule
    proof: str
    grade: Grade | None
    score: int | None
    techniques: Mapping[str, int]
    fingerprint: str
    tries: int
    seconds_s: float

    @property
    def puzzle(self) -> Puzzle:
        """The board."""
        return self.solution.puzzle


class _Recorded(BaseModel):
    """A record's shape."""

    model_config = ConfigDict(frozen=True, allow_inf_nan=False)

    attempt: Annotated[StrictInt, Field(ge=0)]
    board: list[StrictStr]
    solution: list[StrictStr]
    rule: Rule
    proof: StrictStr
    grade: Grade | None
    score: StrictInt | None
    techniques: dict[StrictStr, StrictInt]
    tries: StrictInt
    seconds: float


def produced_record(one: Produced) -> dict[str, Any]:
    """A finished puzzle as JSON values, from which ``read_produced`` makes it again."""
    return {
        "attempt": one.attempt,
        "board": list(board_rows(one.puzzle)),
        "solution": list(solution_rows(one.solution)),
        "rule": one.rule.value,
        "proof": one.proof,
        "grade": int(one.grade) if one.grade else None,
        "score": one.score,
        "techniques": dict(one.techniques),
        "tries": one.tries,
        "seconds": one.seconds_s,
    }


def read_produced(slot: Slot, record: Mapping[str, Any]) -> Produced:
    """The finished puzzle of a slot from a record.

    Args:
        slot: as planned, the same for which the record was written.
        record: from ``produced_record``.
    Raises:
        PuzzleError: the record is not of that shape, or board or solution are malformed.
    """
    try:
        read = _Recorded.model_validate(record)
    except ValidationError as fault:
        first = fault.errors(include_url=False)[0]
        raise PuzzleError(f"the record's {'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    puzzle = parse_board_rows(read.board)
    return Produced(
        slot=slot,
        attempt=read.attempt,
        solution=parse_solution_rows(puzzle, read.solution),
        rule=read.rule,
        proof=read.proof,
        grade=read.grade,
        score=read.score,
        techniques=read.techniques,
        fingerprint=fingerprint(puzzle),
        tries=read.tries,
        seconds_s=read.seconds,
    )
