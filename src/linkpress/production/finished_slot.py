"""A slot with its puzzle, and its line in a run's journal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, Field, ValidationError

from linkpress.book.plan import Slot
from linkpress.book.puzzle_record import PuzzleRecord, first_fault, puzzle_json, read_puzzle
from linkpress.errors import PuzzleError

_KEYS = ("attempt", "board", "solution", "rule", "proof", "grade", "score", "stars", "techniques")


@dataclass(frozen=True, slots=True)
class FinishedSlot:
    """A slot with its puzzle.

    Args:
        slot: what was asked.
        record: the puzzle.
        tries: boards that the generator looked at for this one.
        seconds_s: how long it took where it was made.
    """

    slot: Slot
    record: PuzzleRecord
    tries: int
    seconds_s: float


class _Effort(BaseModel):
    tries: Annotated[int, Field(strict=True)]
    seconds: Annotated[float, Field(strict=True, allow_inf_nan=False)]


def journal_line(one: FinishedSlot) -> dict[str, Any]:
    """A finished slot as JSON values, from which ``read_journal_line`` makes it again."""
    facts = puzzle_json(one.record)
    line = {"key": one.slot.key, **{key: facts[key] for key in _KEYS}}
    grade = one.record.grade
    return {**line, "grade": grade and int(grade), "tries": one.tries, "seconds": one.seconds_s}


def read_journal_line(slot: Slot, line: Mapping[str, Any]) -> FinishedSlot:
    """The finished puzzle of a slot.

    Args:
        slot: as planned, the same for which the line was written.
        line: from ``journal_line``.
    Raises:
        PuzzleError: the line is not of that shape, or board or solution are malformed.
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
        effort = _Effort.model_validate(line)
    except ValidationError as error:
        raise PuzzleError(first_fault(error)) from None
    return FinishedSlot(slot, record, effort.tries, effort.seconds)
