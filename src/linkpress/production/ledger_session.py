"""A run asks the ledger which puzzles and ISBNs it may have, and tells it where the puzzles went."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from linkpress.book.key_values import isbn_13
from linkpress.book.plan import Slot
from linkpress.book.spec import BookSpec
from linkpress.documents.problem import key_path, raise_problems
from linkpress.errors import Notify, UsageError, notify_nobody
from linkpress.ledger.address import LedgerAddress, ledger_address
from linkpress.ledger.entries import Holder, Kind, Place
from linkpress.production.slot_search import FinishedSlot

if TYPE_CHECKING:
    from linkpress.ledger.store import Ledger, LedgerBuild


@dataclass(frozen=True, slots=True)
class LedgerChoice:
    """This says which ledger a build asks, and whether it writes there.

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


@dataclass
class LedgerSession:
    """A session is a run's dealings with the ledger, which it opens; without one all puzzles are free.

    Args:
        holder: the volume or feed that is made.
        isbn: of the volume, 13 digits.
        notify: is called with a message about a ledger that does not answer and is waited for.
    """

    choice: LedgerChoice = NO_LEDGER
    holder: Holder | None = None
    title: str = ""
    isbn: str | None = None
    notify: Notify = notify_nobody
    _exits: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)
    _ledger: Ledger | None = None
    _build: LedgerBuild | None = None  # none for a draft, which gets the finished book's answers
    _attempts: Mapping[tuple[str, str], int] = field(default_factory=dict)

    def __enter__(self) -> LedgerSession:
        """Open the ledger.

        Raises:
            UsageError: another volume has the ISBN; its key is that of the spec.
            OutputError: the ledger can't be used, or another process builds the same; as every method may.
        """
        if self.choice.asked and self.holder is not None:
            with self._exits:  # whatever is opened before a fault is closed again
                self._open(self.holder)
                self._exits = self._exits.pop_all()
        return self

    def __exit__(self, *fault: Any) -> bool | None:
        return self._exits.__exit__(*fault)

    def _open(self, holder: Holder) -> None:
        # Only a run with a ledger loads a database.
        from linkpress.ledger.database import NoLedgerError
        from linkpress.ledger.store import Ledger

        draft = self.choice.draft
        address = ledger_address(self.choice.address)
        with contextlib.suppress(NoLedgerError):  # a draft makes none
            ledger = self._exits.enter_context(Ledger(address, writable=not draft, notify=self.notify))
            if draft:
                ledger.check_isbn(holder, self.isbn)
            else:
                self._build = self._exits.enter_context(ledger.begin(holder, self.title, self.isbn))
            self._attempts = ledger.attempts(holder)
            self._ledger = ledger

    def first_attempt(self, slot: Slot) -> int:
        """Return which attempt a slot begins with, by what the ledger knows of an earlier build."""
        return self._attempts.get((slot.seed, slot.order), 0)

    def holder_of(self, finished: FinishedSlot) -> Place | None:
        """Return the place of another volume or feed that holds a puzzle; reserve nothing."""
        if finished.record.fingerprint in self.choice.taken:
            return self.choice.taken[finished.record.fingerprint]
        if self._ledger is None:
            return None
        entry = self._ledger.find(finished.record.fingerprint)
        return entry.place if entry and entry.holder != self.holder else None

    def reserve_ahead(self, coming: Sequence[FinishedSlot]) -> None:
        """Reserve in one step those of the puzzles ``reserve`` will be asked for that can be had."""
        free = [finished for finished in coming if finished.record.fingerprint not in self.choice.taken]
        if self._build is not None:
            self._build.reserve_ahead(
                [(finished.record, str(finished.slot), finished.slot.order) for finished in free]
            )

    def reserve(self, finished: FinishedSlot) -> Place | None:
        """Reserve a puzzle for its slot; return the place that holds it if it can't be had."""
        if self._build is None or finished.record.fingerprint in self.choice.taken:
            return self.holder_of(finished)
        return self._build.reserve(finished.record, str(finished.slot), finished.slot.order)

    def count_released(self, fingerprints: Collection[str]) -> int:
        """Return how many puzzles the ledger frees when the book has only these."""
        return self._build.count_released(fingerprints) if self._build else 0

    def publish(self, places: Mapping[str, str]) -> None:
        """Record where the puzzles are printed, by fingerprint, once the files are in place."""
        if self._build:
            self._build.publish(places)

    def heartbeat(self) -> None:
        """Show that the run lives; cheap enough for every turn of a loop."""
        if self._build:
            self._build.heartbeat()


def check_isbns(specs: Iterable[BookSpec], choice: LedgerChoice, notify: Notify = notify_nobody) -> None:
    """Refuse ISBNs that other volumes of the ledger have; changes nothing there.

    Raises:
        SpecError: lists all of them, each with file, line and column.
        OutputError: the ledger can't be read.
    """
    problems, asking = [], replace(choice, draft=True)
    for spec, (key, isbn) in ((each, item) for each in specs for item in each.isbns.items()):
        holder = Holder(Kind.VOLUME, spec.book_id)
        try:
            with LedgerSession(asking, holder, spec.title, isbn_13(isbn), notify):
                pass
        except UsageError as fault:
            if fault.key != "isbn":
                raise
            problems.append(replace(spec.source.problem(key_path(key), "", fault.message), found=isbn))
    raise_problems(problems)


def enter_isbns(spec: BookSpec, isbns: Mapping[str, str], choice: LedgerChoice) -> None:
    """Tell the ledger the ISBNs of a book's other editions, by names, so that no other volume takes them.

    Raises:
        UsageError: another volume took one meanwhile.
        OutputError: the ledger can't be written.
    """
    if isbns and choice.asked and not choice.draft:
        from linkpress.ledger.store import Ledger

        with Ledger(ledger_address(choice.address)) as ledger:
            numbers = {name: isbn_13(isbn) for name, isbn in isbns.items()}
            ledger.enter_isbns(Holder(Kind.VOLUME, spec.book_id), spec.title, numbers)
