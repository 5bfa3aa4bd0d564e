"""The puzzles of a run's days, so that nothing is lost and nothing repeated.

Each finished puzzle goes into the run's journal at once. None is taken that the folder knows from
another day, nor one that the ledger holds for another volume, feed or date.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import partial

from linkpress.book.journal import Journal
from linkpress.book.keeping import Keeping
from linkpress.book.produce import Maker, produce
from linkpress.book.produced import FinishedSlot, journal_line, read_journal_line
from linkpress.book.slot_log import SlotLog
from linkpress.errors import PuzzleError
from linkpress.newspaper.issues import DaySlot
from linkpress.press.build import Watcher


class FeedWatcher(Watcher):
    """What a run tells while it goes on; the base class says nothing."""

    def drawing(self, days: int) -> None:
        """The images of so many days are to be drawn."""

    def drawn(self) -> None:
        """A day's images are there."""


@dataclass
class DayMaking:
    """The making of some days' puzzles.

    Args:
        slots: the days.
        known: fingerprints of other days' puzzles.
        keep: the ledger's say.
        journal: of the run.
        watcher: told of each puzzle.
        log: told of each day.
        kept: numbers of those that a cut would not lose.
    """

    slots: Sequence[DaySlot]
    known: Set[str]
    keep: Keeping
    journal: Journal
    watcher: FeedWatcher
    log: SlotLog
    kept: set[int] = field(default_factory=set)

    def make(self, jobs: int, maker: Maker | None = None) -> tuple[FinishedSlot, ...]:
        """Make what is not there yet.

        Args:
            jobs: puzzles made at a time.
            maker: as for ``produce``; the engine's, with grades, if None.
        Returns:
            One puzzle a day, in order.
        Raises:
            RecipeError, GaveUpError: as ``produce``, naming the date.
            OutputError: journal or ledger can't be written.
        """
        self.watcher.stage("make")
        self.watcher.planned(len(self.slots))
        ready = self._resumed()
        self.kept.update(ready)
        for one in ready.values():
            self.log.resumed(one)
            self.watcher.made(one)
        with self._heard(jobs):
            return produce(
                self.slots,
                jobs,
                self._done,
                ready=ready,
                admit=self._admit,
                first_attempt=self.keep.first_attempt,
                on_turn=self._turn,
                on_again=self.log.again,
                maker=maker or self._engine(),
            )

    def _heard(self, jobs: int) -> AbstractContextManager[None]:
        """Where all is done in this process, the search itself must say that it goes on."""
        if jobs > 1:
            return nullcontext()
        from linkpress.engine.tries import watching_tries

        return watching_tries(lambda tries: self.watcher.waiting())

    def _done(self, one: FinishedSlot) -> None:
        self.journal.append(one.slot.number, journal_line(one))
        self.kept.add(one.slot.number)
        self.log.made(one)
        self.watcher.made(one)

    def _engine(self) -> Maker:
        """Compiled here, or every worker would compile for itself."""
        from linkpress.engine.generate import generate
        from linkpress.engine.warming import warm_engine

        warm_engine(self.watcher.compiling)
        return partial(generate, graded=True)

    def _turn(self) -> None:
        self.keep.beat()
        self.watcher.waiting()

    def _admit(self, one: FinishedSlot) -> bool:
        if one.record.fingerprint in self.known:
            self.log.again(one.slot, one.record.attempt, "the feed has this puzzle on another day")
            return False
        place = self.keep.take(one)
        if place is not None:
            self.log.passed_over(one, place)
        return place is None

    def _resumed(self) -> dict[int, FinishedSlot]:
        """The puzzles that were finished before, of days that are still asked for what they were."""
        by_key = {slot.key: slot for slot in self.slots}
        ready = {}
        for record in self.journal.finished.values():
            try:
                slot = by_key[record["key"]]
                ready[slot.number] = read_journal_line(slot, record)
            except (PuzzleError, LookupError, TypeError, ValueError):
                continue  # made again
        return ready
