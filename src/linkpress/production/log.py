"""The log of a run, for people (``-v``) and for programs (``--log``: JSON lines).

A line says when, what happened, and facts about it. Facts are counts, names, times, proofs and
grades; a log holds no boards and no specs.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from linkpress.errors import OutputError
from linkpress.files import reason, remedy

if TYPE_CHECKING:
    from linkpress.book.plan import Slot
    from linkpress.ledger.entries import Place
    from linkpress.production.forecast import Forecast
    from linkpress.production.slot_search import FinishedSlot

Fact = str | int | float | bool | None
_MAX_TEXT = 200


class RunLog:
    """Notes what happens in a file, in words or both; a context manager, by one thread.

    Args:
        path: where to add JSON lines; None for nowhere.
        say: takes each line in words; None for nobody.
    Raises:
        OutputError: the file can't be written; as ``note`` may.
    """

    def __init__(self, path: Path | None = None, say: Callable[[str], None] | None = None) -> None:
        self._path = path
        self._say = say
        try:
            self._file = None if path is None else _open(path)
        except OSError as fault:
            raise self._unwritable(fault) from fault

    def __enter__(self) -> RunLog:
        return self

    def __exit__(self, *fault: object) -> None:
        if self._file is not None:
            # Every line was flushed, so what fails to be written again here was reported by ``note``.
            with contextlib.suppress(OSError):
                self._file.close()

    def note(self, event: str, **facts: Fact) -> None:
        """Note an event.

        Args:
            event: what happened, in a word or two: ``slot done``.
            facts: about it; texts are cut at 200 characters, times are in seconds.
        """
        if self._say is not None:
            details = ", ".join(f"{name} {_words(fact)}" for name, fact in facts.items())
            self._say(f"{event}: {details}" if details else event)
        if self._file is None:
            return
        at = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        line = {"at": at, "event": event} | {name: _short(fact) for name, fact in facts.items()}
        try:
            self._file.write(json.dumps(line, ensure_ascii=False) + "\n")
            self._file.flush()
        except OSError as fault:
            raise self._unwritable(fault) from fault

    def made(self, finished: FinishedSlot) -> None:
        """Note a puzzle that was made."""
        search: dict[str, Fact] = {"boards_tried": finished.tries, "time_s": finished.seconds_s}
        self.note("made", **_facts(finished), **search, **_findings(finished))

    def resumed(self, finished: FinishedSlot) -> None:
        """Note a puzzle that an earlier run made."""
        self.note("resumed", **_facts(finished), **_findings(finished))

    def passed_over(self, finished: FinishedSlot, place: Place) -> None:
        """Note a puzzle that another volume or feed holds, so that its slot is made again."""
        # A puzzle that is only reserved is held by its slot's own words, which may name a file.
        held_in = str(place if place.published else place.holder)
        self.note("passed over", **_facts(finished), held_in=held_in)

    def again(self, slot: Slot, attempt: int, why: str) -> None:
        """Note that a slot is made again."""
        self.note("again", **slot.facts, attempt=attempt, why=why)

    def _unwritable(self, fault: OSError) -> OutputError:
        return OutputError(
            f"the log {self._path} can't be written: {reason(fault)}. "
            f"{remedy(fault, 'choose another file with --log')}."
        )


def _open(path: Path) -> TextIO:
    return path.open("a", encoding="utf-8", errors="backslashreplace", newline="\n")


def _short(fact: Fact) -> Fact:
    if isinstance(fact, float):
        return round(fact, 4)
    return fact[:_MAX_TEXT] if isinstance(fact, str) else fact


def _words(fact: Fact) -> str:
    fact = _short(fact)
    return "none" if fact is None else str(fact)


def _facts(finished: FinishedSlot) -> dict[str, Fact]:
    return {**finished.slot.facts, "attempt": finished.record.attempt}


def _findings(finished: FinishedSlot) -> dict[str, Fact]:
    record = finished.record
    return {
        "proof": f"{record.rule} by {record.proof}",
        "grade": record.grade.label if record.grade else None,
    }


class Watcher:
    """Gets a call for each step of a book or a feed; the base class does nothing."""

    def stage(self, name: str) -> None:
        """A stage begins: ``make``, ``lay out``, ``draw``, ``write``."""

    def planned(self, forecast: Forecast) -> None:
        """Puzzles are to be made; the forecast is kept up to date from now on."""

    def notify(self, message: str) -> None:
        """A message for the user came: what a level is likely to take, which slot gets no puzzle.

        Messages about a cluster come from another thread.
        """

    def unmet(self, slot: Slot, why: str) -> None:
        """A slot gets no puzzle, and none is sought for those like it; others are still made."""
        self.notify(f"{why} What can be made is made before this ends.")

    def waiting(self) -> None:
        """Puzzles are being made; called several times a second."""

    def made(self, finished: FinishedSlot) -> None:
        """A slot's puzzle was made; called again for a slot that is made again."""

    def drawing(self, days: int) -> None:
        """The images of so many days of a feed are to be drawn."""

    def drawn(self) -> None:
        """A day's images were drawn."""
