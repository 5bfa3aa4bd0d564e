"""Ask the ledger which puzzles and ISBNs are free, and record the puzzles of a run in it.

The ledger is a database of all puzzles and ISBNs that books and feeds have used.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from linkpress.book.key_values import isbn_13
from linkpress.book.plan import Slot
from linkpress.book.spec import BookSpec
from linkpress.documents.problem import key_path, raise_problems
from linkpress.errors import Notify, UsageError, notify_nobody
from linkpress.ledger.address import LedgerAddress, ledger_address
from linkpress.ledger.database import Holder, Kind, NoLedgerError, Place
from linkpress.production.slot_search import FinishedSlot

if TYPE_CHECKING:
    from linkpress.ledger.store import Ledger, LedgerBuild


@dataclass(frozen=True, slots=True)
class LedgerChoice:
    """Choice of the ledger for a build. The ledger is a database of used puzzles and ISBNs.

    Args:
        address: the file or server of the ledger; None for the default.
        used: whether the build uses a ledger.
        draft: True to only read the ledger. Then puzzles are looked up, but not recorded.
        in_use: puzzles that are missing from the ledger but must not be used again either, such as the
            puzzles of other books in the same command. The key is the fingerprint of a puzzle, and the value
            says where the puzzle is printed.
    """

    address: LedgerAddress | None = None
    used: bool = True
    draft: bool = False
    in_use: Mapping[str, Place] = field(default_factory=dict)


USUAL_LEDGER = LedgerChoice()
NO_LEDGER = LedgerChoice(used=False)


@dataclass
class LedgerSession:
    """Connection of a run to the ledger of used puzzles. A context manager.

    Without a ledger, all puzzles are free.

    Args:
        choice: which ledger to use.
        holder: the volume or feed whose puzzles are made.
        title: the title of the volume or feed.
        isbn: the volume's ISBN of 13 digits; None for no ISBN.
        notify: function called with a message while the run waits for the ledger.
    """

    choice: LedgerChoice = NO_LEDGER
    holder: Holder | None = None
    title: str = ""
    isbn: str | None = None
    notify: Notify = notify_nobody
    _exits: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)
    _ledger: Ledger | None = None
    # the build's connection to write to the ledger; None if the ledger is only read
    _build: LedgerBuild | None = None
    _attempts: Mapping[tuple[str, str], int] = field(default_factory=dict)

    def __enter__(self) -> LedgerSession:
        """Open the ledger of used puzzles.

        Raises:
            UsageError: another volume has the ISBN. The attribute ``key`` of the error is ``isbn``.
            OutputError: the ledger can't be used, or another process builds the same volume or feed. All
                methods may raise this error.
        """
        if self.choice.used and self.holder is not None:
            # If ``_open`` fails after it has opened the ledger, leaving this block closes the ledger again.
            with self._exits:
                self._open(self.holder)
                self._exits = self._exits.pop_all()
        return self

    def __exit__(self, *exc_info: Any) -> bool | None:
        return self._exits.__exit__(*exc_info)

    def _open(self, holder: Holder) -> None:
        # Import the store only here, because a run without a ledger doesn't need it.
        from linkpress.ledger.store import Ledger

        draft = self.choice.draft
        address = ledger_address(self.choice.address)
        # If the ledger is missing, a build creates it, but a draft doesn't. For a draft, opening a missing
        # ledger raises ``NoLedgerError``, and the draft goes on without a ledger.
        with contextlib.suppress(NoLedgerError):
            ledger = self._exits.enter_context(Ledger(address, writable=not draft, notify=self.notify))
            if draft:
                ledger.check_isbn(holder, self.isbn)
            else:
                self._build = self._exits.enter_context(ledger.begin(holder, self.title, self.isbn))
            self._attempts = ledger.attempts(holder)
            self._ledger = ledger

    def first_attempt(self, slot: Slot) -> int:
        """Return the number of the attempt that made a slot's puzzle in the last build; 0 if unknown.

        A slot is the plan for one puzzle, and an attempt is one search for its puzzle.
        """
        return self._attempts.get((slot.seed, slot.order), 0)

    def holder_of(self, finished: FinishedSlot) -> Place | None:
        """Return the place of a puzzle in another volume or feed; None if the puzzle is used nowhere else."""
        if finished.record.fingerprint in self.choice.in_use:
            return self.choice.in_use[finished.record.fingerprint]
        if self._ledger is None:
            return None
        entry = self._ledger.find(finished.record.fingerprint)
        return entry.place if entry and entry.holder != self.holder else None

    def reserve_ahead(self, puzzles: Sequence[FinishedSlot]) -> None:
        """Write reservations for these puzzles to the ledger, in one step.

        Puzzles that another volume or feed already uses are skipped. Later calls of ``reserve``, one for each
        puzzle, are then quick.
        """
        free = [finished for finished in puzzles if finished.record.fingerprint not in self.choice.in_use]
        if self._build is not None:
            self._build.reserve_ahead(
                [(finished.record, str(finished.slot), finished.slot.order) for finished in free]
            )

    def reserve(self, finished: FinishedSlot) -> Place | None:
        """Reserve a puzzle in the ledger for its place in this book or feed.

        Returns:
            None if the puzzle was free; otherwise the other place that already has the puzzle.
        """
        if self._build is None or finished.record.fingerprint in self.choice.in_use:
            return self.holder_of(finished)
        return self._build.reserve(finished.record, str(finished.slot), finished.slot.order)

    def volumes_of(self, slots: Iterable[Slot]) -> Counter[str]:
        """Count the puzzles of other volumes that were made from the same seed and recipe as these slots.

        Args:
            slots: the slots to look for. A slot is the plan for one puzzle. Slots that an earlier build of
                this volume has filled are ignored.
        Returns:
            For the id of each volume in the ledger, the number of its puzzles that were made from the seed
            and recipe of one of the slots. Volumes without such puzzles are left out.
        """
        new = {(slot.seed, slot.order) for slot in slots} - self._attempts.keys()
        if self._ledger is None or self.holder is None or not new:
            return Counter()
        entries = self._ledger.of_other_volumes(self.holder, min(new)[0], max(new)[0])
        return Counter(entry.name for entry in entries if (entry.seed, entry.recipe) in new)

    def count_released(self, fingerprints: Collection[str]) -> int:
        """Count the puzzles that an earlier build of this volume or feed published, but this run doesn't use.

        After this run, other books may use these puzzles.

        Args:
            fingerprints: the fingerprints of the puzzles of this run.
        """
        return self._build.count_released(fingerprints) if self._build else 0

    def publish(self, places: Mapping[str, str]) -> None:
        """Mark puzzles as published in the ledger. Call this when all files are written.

        Args:
            places: for each puzzle, where it is finally printed in the volume or feed, such as its number.
                The key is the fingerprint of the puzzle.
        """
        if self._build:
            self._build.publish(places)

    def heartbeat(self) -> None:
        """Record in the ledger that the run is still alive. This may be called often."""
        if self._build:
            self._build.heartbeat()


def check_isbns(specs: Iterable[BookSpec], choice: LedgerChoice, notify: Notify = notify_nobody) -> None:
    """Check that no other volume in the ledger has an ISBN of these books. The ledger is only read.

    Args:
        specs: the specs of the books.
        choice: which ledger to use.
        notify: function called with a message while the check waits for the ledger.
    Raises:
        SpecError: another volume has an ISBN of these books. The message lists all such ISBNs with file, line
            and column.
        OutputError: the ledger can't be read.
    """
    problems, read_only = [], replace(choice, draft=True)
    for spec, (key, isbn) in ((each, item) for each in specs for item in each.isbns.items()):
        holder = Holder(Kind.VOLUME, spec.book_id)
        try:
            with LedgerSession(read_only, holder, spec.title, isbn_13(isbn), notify):
                pass
        except UsageError as error:
            if error.key != "isbn":
                raise
            problems.append(replace(spec.source.problem(key_path(key), "", error.message), found=isbn))
    raise_problems(problems)


def has_published(spec: BookSpec, choice: LedgerChoice) -> bool:
    """Return whether puzzles of a book are marked as published in the ledger.

    A draft doesn't change the ledger, so the result is always False for a draft.
    """
    from linkpress.ledger.store import Ledger

    with contextlib.suppress(NoLedgerError):
        if choice.used and not choice.draft:
            with Ledger(ledger_address(choice.address), writable=False) as ledger:
                return any(entry.published for entry in ledger.entries(Holder(Kind.VOLUME, spec.book_id)))
    return False


def enter_isbns(spec: BookSpec, isbns: Mapping[str, str], choice: LedgerChoice) -> None:
    """Record the ISBNs of a book's other editions in the ledger, so that no other volume uses them.

    Args:
        spec: the spec of the book.
        isbns: maps the name of each edition to its ISBN.
        choice: which ledger to use.
    Raises:
        UsageError: another volume in the ledger already has one of the ISBNs.
        OutputError: the ledger can't be written.
    """
    if isbns and choice.used and not choice.draft:
        from linkpress.ledger.store import Ledger

        with Ledger(ledger_address(choice.address)) as ledger:
            numbers = {name: isbn_13(isbn) for name, isbn in isbns.items()}
            ledger.enter_isbns(Holder(Kind.VOLUME, spec.book_id), spec.title, numbers)
