"""A run's dealings with the ledger: which puzzles it may take, and where they went."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from linkpress.book.ledger import Holder, LedgerAddress, Place, ledger_address
from linkpress.book.plan import Slot
from linkpress.production.finished_slot import FinishedSlot

if TYPE_CHECKING:
    from linkpress.book.ledger import Ledger, LedgerBuild


@dataclass(frozen=True, slots=True)
class LedgerChoice:
    """Which ledger a build asks, and whether it writes there.

    Args:
        address: the file or server; None for the usual one.
        asked: False leaves the ledger out of it.
        draft: asks, but records nothing.
        taken: puzzles that can't be had whatever the ledger says, by their fingerprints.
    """

    address: LedgerAddress | None = None
    asked: bool = True
    draft: bool = False
    taken: Mapping[str, Place] = field(default_factory=dict)


USUAL_LEDGER = LedgerChoice()
NO_LEDGER = LedgerChoice(asked=False)


class LedgerSession:
    """What a run asks the ledger; without one every puzzle may be taken.

    Args:
        ledger: open; None where it is left out.
        holder: the volume or feed that is made.
        build: reserves and publishes; None for a draft, which gets the finished book's answers.
        taken: as in ``LedgerChoice``.
    """

    def __init__(
        self,
        ledger: Ledger | None = None,
        holder: Holder | None = None,
        build: LedgerBuild | None = None,
        taken: Mapping[str, Place] | None = None,
    ) -> None:
        self._ledger = ledger
        self._holder = holder
        self._build = build
        self._taken = taken or {}
        self._attempts = ledger.attempts(holder) if ledger and holder else {}

    def first_attempt(self, slot: Slot) -> int:
        """Which attempt a slot begins with."""
        return self._attempts.get((slot.seed, slot.order), 0)

    def holder_of(self, one: FinishedSlot) -> Place | None:
        """The place of another volume or feed that holds a puzzle; reserves nothing."""
        if one.record.fingerprint in self._taken:
            return self._taken[one.record.fingerprint]
        entry = self._ledger and self._ledger.find(one.record.fingerprint)
        return entry.place if entry and entry.holder != self._holder else None

    def reserve(self, one: FinishedSlot) -> Place | None:
        """Reserve a puzzle for its slot; if it can't be had, the place that holds it."""
        if self._build is None or one.record.fingerprint in self._taken:
            return self.holder_of(one)
        return self._build.reserve(one.record, str(one.slot), one.slot.order)

    def count_released(self, fingerprints: Collection[str]) -> int:
        """How many puzzles the ledger frees when the book has only these."""
        return self._build.count_released(fingerprints) if self._build else 0

    def publish(self, places: Mapping[str, str]) -> None:
        """Record where the puzzles are printed, once the files are in place.

        Args:
            places: each puzzle's printed number or date, by its fingerprint.
        """
        if self._build:
            self._build.publish(places)

    def heartbeat(self) -> None:
        """Show that the run lives; cheap enough for every turn of a loop."""
        if self._build:
            self._build.heartbeat()


@contextlib.contextmanager
def open_ledger(
    choice: LedgerChoice,
    holder: Holder,
    title: str,
    isbn: str | None = None,
    tell: Callable[[str], None] = lambda words: None,
) -> Iterator[LedgerSession]:
    """Open the ledger for a run.

    Args:
        choice: which one, and how.
        holder: the volume or feed that is made.
        title: in words.
        isbn: of the volume, 13 digits.
        tell: told of a ledger that does not answer and is waited for.
    Raises:
        UsageError: another volume has the ISBN; its key is that of the spec.
        OutputError: the ledger can't be used, or another process builds the same.
    """
    if not choice.asked:
        yield LedgerSession(taken=choice.taken)
        return
    from linkpress.book.ledger import Ledger, NoLedgerError  # only a run with a ledger loads the databases

    address = ledger_address(choice.address)
    with contextlib.ExitStack() as stack:
        try:
            ledger = stack.enter_context(Ledger(address, writable=not choice.draft, tell=tell))
        except NoLedgerError:  # a draft makes none
            session = LedgerSession(taken=choice.taken)
        else:
            if choice.draft:
                ledger.check_isbn(holder, isbn)
                build = None
            else:
                build = stack.enter_context(ledger.begin(holder, title, isbn))
            session = LedgerSession(ledger, holder, build, choice.taken)
        yield session
