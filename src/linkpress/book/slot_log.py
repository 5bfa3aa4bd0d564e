"""What a run's log says of each slot: the same words for books and feeds."""

from __future__ import annotations

from linkpress.book.ledger import Place
from linkpress.book.plan import Slot
from linkpress.book.produced import FinishedSlot
from linkpress.book.run_log import Fact, RunLog


class SlotLog:
    """Takes down what becomes of the slots.

    Args:
        log: where to.
    """

    def __init__(self, log: RunLog) -> None:
        self._log = log

    def made(self, one: FinishedSlot) -> None:
        """A puzzle is there."""
        self._log.note("made", **_facts(one), boards_tried=one.tries, time_s=one.seconds_s, **_findings(one))

    def resumed(self, one: FinishedSlot) -> None:
        """A puzzle of an earlier run serves."""
        self._log.note("resumed", **_facts(one), **_findings(one))

    def passed_over(self, one: FinishedSlot, place: Place) -> None:
        """A puzzle is held elsewhere; its slot is made again."""
        # A puzzle that is only reserved is held by its slot's own words, which may name a file.
        held_in = str(place if place.published else place.holder)
        self._log.note("passed over", **_facts(one), held_in=held_in)

    def again(self, slot: Slot, attempt: int, why: str) -> None:
        """A slot is made again, since its attempt came to nothing."""
        self._log.note("again", **slot.facts, attempt=attempt, why=why)


def _facts(one: FinishedSlot) -> dict[str, Fact]:
    return {**one.slot.facts, "attempt": one.record.attempt}


def _findings(one: FinishedSlot) -> dict[str, Fact]:
    record = one.record
    return {
        "proof": f"{record.rule} by {record.proof}",
        "grade": record.grade.label if record.grade else None,
    }
