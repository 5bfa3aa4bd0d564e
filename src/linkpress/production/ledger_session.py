"""A run's dealings with the ledger: which puzzles it may take, and where they went."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from linkpress.book.ledger import Holder, Ledger, LedgerBuild, Place, ledger_path, ledger_puzzle
from linkpress.book.plan import Slot
from linkpress.production.finished_slot import FinishedSlot


@dataclass(frozen=True, slots=True)
class LedgerChoice:
    """Which ledger a build asks, and whether it writes there.

    Args:
        path: the file; None for the usual one.
        asked: False leaves the ledger out of it.
        draft: asks, but records nothing.
    """

    path: Path | None = None
    asked: bool = True
    draft: bool = False


USUAL_LEDGER = LedgerChoice()
NO_LEDGER = LedgerChoice(asked=False)


class LedgerSession:
    """A run without a ledger: every puzzle may be taken."""

    def first_attempt(self, slot: Slot) -> int:
        """Which attempt a slot begins with."""
        return 0

    def holder_of(self, one: FinishedSlot) -> Place | None:
        """The place of another volume or feed that holds a puzzle; reserves nothing."""
        return None

    def reserve(self, one: FinishedSlot) -> Place | None:
        """Reserve a puzzle for its slot; if it can't be had, the place that holds it."""
        return None

    def count_released(self, fingerprints: Collection[str]) -> int:
        """How many puzzles the ledger frees when the book has only these."""
        return 0

    def publish(self, places: Mapping[str, str]) -> None:
        """Record where the puzzles are printed, once the files are in place.

        Args:
            places: each puzzle's printed number or date, by its fingerprint.
        """

    def heartbeat(self) -> None:
        """Show that the run lives; cheap enough for every turn of a loop."""


@contextlib.contextmanager
def open_ledger(choice: LedgerChoice, holder: Holder, title: str) -> Iterator[LedgerSession]:
    """Open the ledger for a run.

    Args:
        choice: which one, and how.
        holder: the volume or feed that is made.
        title: in words.
    Raises:
        OutputError: the ledger can't be used, or another process builds the same.
    """
    if not choice.asked or (choice.draft and not ledger_path(choice.path).exists()):
        yield LedgerSession()
        return
    with Ledger(ledger_path(choice.path), writable=not choice.draft) as ledger:
        if choice.draft:
            yield _DraftSession(ledger, holder)
            return
        with ledger.begin(holder, title) as build:
            yield _RecordingSession(ledger, build)


class _AskingSession(LedgerSession):
    def __init__(self, ledger: Ledger, holder: Holder) -> None:
        self._ledger = ledger
        self._holder = holder

    def holder_of(self, one: FinishedSlot) -> Place | None:
        record = self._ledger.find(one.record.fingerprint)
        return None if record is None or record.place.holder == self._holder else record.place


class _DraftSession(_AskingSession):
    """Answers as the finished book's session would, and records nothing."""

    def __init__(self, ledger: Ledger, holder: Holder) -> None:
        super().__init__(ledger, holder)
        puzzles = [record.puzzle for record in ledger.records(holder)]
        self._attempts = {(puzzle.seed, puzzle.recipe): puzzle.attempt for puzzle in puzzles}

    def first_attempt(self, slot: Slot) -> int:
        return self._attempts.get((slot.seed, slot.order), 0)

    def reserve(self, one: FinishedSlot) -> Place | None:
        return self.holder_of(one)


class _RecordingSession(_AskingSession):
    def __init__(self, ledger: Ledger, build: LedgerBuild) -> None:
        super().__init__(ledger, build.holder)
        self._build = build

    def first_attempt(self, slot: Slot) -> int:
        return self._build.attempts.get((slot.seed, slot.order), 0)

    def reserve(self, one: FinishedSlot) -> Place | None:
        return self._build.reserve(ledger_puzzle(one.record, str(one.slot), one.slot.order))

    def count_released(self, fingerprints: Collection[str]) -> int:
        return self._build.count_released(fingerprints)

    def publish(self, places: Mapping[str, str]) -> None:
        self._build.publish(places)

    def heartbeat(self) -> None:
        self._build.heartbeat()
