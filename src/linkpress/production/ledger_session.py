"""A run's dealings with the ledger: which puzzles it may take, and where they went."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

from linkpress.book.plan import Slot
from linkpress.errors import LinkpressError, Notify, tell_nobody
from linkpress.ledger.address import LedgerAddress, ServerAddress, ledger_address
from linkpress.ledger.entries import Holder, Place
from linkpress.production.finished_slot import FinishedSlot

if TYPE_CHECKING:
    from linkpress.ledger.ledger_build import LedgerBuild
    from linkpress.ledger.store import Ledger


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
    """What a run asks the ledger, which is opened when it is first asked; without one all puzzles are free.

    Args:
        choice: which ledger, and how.
        holder: the volume or feed that is made.
        title: in words.
        isbn: of the volume, 13 digits.
        tell: told of a ledger that does not answer and is waited for.
    """

    def __init__(
        self,
        choice: LedgerChoice = NO_LEDGER,
        holder: Holder | None = None,
        title: str = "",
        isbn: str | None = None,
        tell: Notify = tell_nobody,
    ) -> None:
        self._choice = choice
        self._holder = holder
        self._title = title
        self._isbn = isbn
        self._tell = tell
        self._loading: threading.Thread | None = None
        self._exits = contextlib.ExitStack()
        self._is_open = False
        self._ledger: Ledger | None = None
        self._build: LedgerBuild | None = None  # none for a draft, which gets the finished book's answers
        self._attempts: Mapping[tuple[str, str], int] = {}

    def __enter__(self) -> LedgerSession:
        return self

    def __exit__(self, *fault: Any) -> bool | None:
        return self._exits.__exit__(*fault)

    def load(self) -> None:
        """Begin to load what opening takes, in a thread: 0.2 s. Workers are forked before there is one."""
        if self._loading is None and self._choice.asked and not self._is_open:
            self._loading = threading.Thread(target=_load, args=(self._choice.address,), daemon=True)
            self._loading.start()

    def is_loading(self) -> bool:
        """Whether ``load`` has something left to do."""
        return self._loading is not None and self._loading.is_alive()

    def open(self) -> None:
        """Open the ledger, unless it is open.

        Raises:
            UsageError: another volume has the ISBN; its key is that of the spec.
            OutputError: the ledger can't be used, or another process builds the same; as every method may.
        """
        if self._is_open or not self._choice.asked or self._holder is None:
            return
        # Only a run with a ledger loads the databases.
        from linkpress.ledger.database import NoLedgerError
        from linkpress.ledger.store import Ledger

        draft = self._choice.draft
        address = ledger_address(self._choice.address)
        with contextlib.suppress(NoLedgerError):  # a draft makes none
            ledger = self._exits.enter_context(Ledger(address, writable=not draft, notify=self._tell))
            if draft:
                ledger.check_isbn(self._holder, self._isbn)
            else:
                build = ledger.begin(self._holder, self._title, self._isbn)
                self._build = self._exits.enter_context(build)
            self._attempts = ledger.attempts(self._holder)
            self._ledger = ledger
        self._is_open = True

    def first_attempt(self, slot: Slot) -> int:
        """Which attempt a slot begins with, as far as is known: 0 until the ledger is open."""
        return self._attempts.get((slot.seed, slot.order), 0)

    def holder_of(self, one: FinishedSlot) -> Place | None:
        """The place of another volume or feed that holds a puzzle; reserves nothing."""
        if one.record.fingerprint in self._choice.taken:
            return self._choice.taken[one.record.fingerprint]
        self.open()
        if self._ledger is None:
            return None
        entry = self._ledger.find(one.record.fingerprint)
        return entry.place if entry and entry.holder != self._holder else None

    def reserve_ahead(self, several: Sequence[FinishedSlot]) -> None:
        """Reserve in one step what can be had of puzzles that ``reserve`` will be asked for."""
        self.open()
        free = [one for one in several if one.record.fingerprint not in self._choice.taken]
        if self._build is not None:
            self._build.reserve_ahead([(one.record, str(one.slot), one.slot.order) for one in free])

    def reserve(self, one: FinishedSlot) -> Place | None:
        """Reserve a puzzle for its slot; if it can't be had, the place that holds it."""
        self.open()
        if self._build is None or one.record.fingerprint in self._choice.taken:
            return self.holder_of(one)
        return self._build.reserve(one.record, str(one.slot), one.slot.order)

    def count_released(self, fingerprints: Collection[str]) -> int:
        """How many puzzles the ledger frees when the book has only these."""
        self.open()
        return self._build.count_released(fingerprints) if self._build else 0

    def publish(self, places: Mapping[str, str]) -> None:
        """Record where the puzzles are printed, once the files are in place.

        Args:
            places: each puzzle's printed number or date, by its fingerprint.
        """
        self.open()
        if self._build:
            self._build.publish(places)

    def heartbeat(self) -> None:
        """Show that the run lives; cheap enough for every turn of a loop."""
        if self._build:
            self._build.heartbeat()


def _load(chosen: LedgerAddress | None) -> None:
    """Load what opening a ledger takes; what is wrong is told when it is opened."""
    with contextlib.suppress(ImportError, LinkpressError):
        on_a_server = isinstance(ledger_address(chosen), ServerAddress)
        for name in ("store", "postgres_server" if on_a_server else "sqlite_file"):
            import_module(f"linkpress.ledger.{name}")
