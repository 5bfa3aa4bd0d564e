"""A slot with its puzzle, and its line in a run's journal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, Field, ValidationError

from linkpress.book.level import IfGradeMissing
from linkpress.book.puzzle_record import PuzzleRecord, first_fault, puzzle_json, read_puzzle
from linkpress.errors import PuzzleError

if TYPE_CHECKING:  # loads the keys and words of a book's spec
    from linkpress.book.plan import Slot

_KEYS = ("attempt", "board", "solution", "rule", "proof", "grade", "score", "stars", "measure", "techniques")


@dataclass(frozen=True, slots=True)
class FinishedSlot:
    """A slot with its puzzle.

    Args:
        tries: boards that the generator looked at for this one.
        seconds_s: how long it took where it was made.
        widened: by how many grades its slot's range was widened, below and above, until one was found.
    """

    slot: Slot
    record: PuzzleRecord
    tries: int
    seconds_s: float
    widened: int = 0


class _Search(BaseModel):
    tries: Annotated[int, Field(strict=True)]
    effort: Annotated[float, Field(strict=True)]
    widened: Annotated[int, Field(strict=True)]
    seconds: Annotated[float, Field(strict=True, allow_inf_nan=False)]


def journal_line(finished: FinishedSlot) -> dict[str, Any]:
    """A finished slot as JSON values, from which ``read_journal_line`` makes it again."""
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
    """The finished puzzle of a slot.

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
        raise PuzzleError(first_fault(error)) from None
    if not _is_repeated(search, slot):
        raise PuzzleError(f"effort: {search.effort:g} — the slot has {slot.effort:g}")
    return FinishedSlot(slot, record, search.tries, search.seconds, search.widened)


def _is_repeated(search: _Search, slot: Slot) -> bool:
    """Whether the slot's search ends as an earlier one did: more effort adds only to a search that failed."""
    if search.widened:
        return search.effort == slot.effort and slot.otherwise is IfGradeMissing.NEAREST
    return search.effort <= slot.effort
