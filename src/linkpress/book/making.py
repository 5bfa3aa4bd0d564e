"""The making of one book's puzzles, so that nothing is lost and nothing repeated.

Each finished puzzle goes into a journal in the book's folder at once; a build that was cut off
goes on from there, also after a change to the spec that leaves the puzzle's slot as it was. Each
puzzle that gets its slot is reserved in the ledger, and published there when the book's files are
in place.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from linkpress import __version__
from linkpress.book.crew import Crew
from linkpress.book.journal import Journal, how_to_go_on
from linkpress.book.keeping import Keeping, LedgerChoice, keeping
from linkpress.book.ledger import Holder, Kind
from linkpress.book.plan import Slot, plan_slots, replacement_slots
from linkpress.book.produce import Maker, produce
from linkpress.book.produced import FinishedSlot, journal_line, read_journal_line
from linkpress.book.puzzle_record import PuzzleRecord
from linkpress.book.run_log import RunLog
from linkpress.book.slot_log import SlotLog
from linkpress.book.spec import BookSpec
from linkpress.book.volume import printed_order
from linkpress.errors import FoundWantingError, GaveUpError, PuzzleError

JOURNAL_FILE = ".build.journal"

OnDone = Callable[[FinishedSlot], None]
Admit = Callable[[FinishedSlot], bool]


@dataclass(frozen=True)
class BookPuzzles:
    """What a book is made of.

    Args:
        printed: in printed order, replacements in the places of those that they stand for.
        replaced: those that others stand for, by printed number.
    """

    printed: tuple[FinishedSlot, ...]
    replaced: Mapping[int, FinishedSlot]

    @property
    def records(self) -> tuple[PuzzleRecord, ...]:
        """The printed puzzles."""
        return tuple(one.record for one in self.printed)

    @property
    def places(self) -> dict[str, str]:
        """What each puzzle is to be found under in the ledger, by its fingerprint."""
        printed = {one.record.fingerprint: str(number) for number, one in enumerate(self.printed, start=1)}
        return printed | {one.record.fingerprint: f"{n}, replaced" for n, one in self.replaced.items()}


class Making:
    """A book in the making; ``making`` makes one.

    Attributes:
        total: how many puzzles are made, those that others replace included.
        kept: numbers of the slots whose puzzles are in the journal.
    """

    def __init__(self, spec: BookSpec, journal: Journal, keep: Keeping, log: RunLog) -> None:
        self.total = spec.puzzle_count + len(spec.replace or ())
        self.kept: set[int] = set()
        self._notes: list[str] = []
        self._resumed = 0
        self._let_go = 0
        self._spec = spec
        self._journal = journal
        self._keep = keep
        self._log = log
        self._slot_log = SlotLog(log)
        self._on_turn: Callable[[], None] | None = None
        self._earlier = {str(record.get("key")): record for record in journal.finished.values()}

    def make(
        self,
        jobs: int,
        on_done: OnDone,
        maker: Maker | None = None,
        start_method: str | None = None,
        *,
        on_turn: Callable[[], None] | None = None,
    ) -> BookPuzzles:
        """Make what is not there yet.

        Args:
            jobs: how many worker processes.
            on_done: told of each puzzle, those of an earlier run too.
            maker: as for ``produce``.
            start_method: of the workers.
            on_turn: called over and over meanwhile.
        Raises:
            RecipeError, FoundWantingError, GaveUpError: as ``produce``.
            OutputError: journal or ledger can't be written.
        """
        self._on_turn = on_turn
        slots, wanted = plan_slots(self._spec), self._spec.replace or {}
        with Crew(min(jobs, self.total), start_method) as crew:
            course = partial(self._course, crew, jobs, on_done, maker)
            given = self._take_given([slot for slot in slots if slot.given is not None], course)
            made = course(
                [slot for slot in slots if slot.given is None], [one.record.fingerprint for one in given]
            )
            by_mark = {one.record.fingerprint: one for one in (*given, *made)}
            order = printed_order(self._spec, (one.record for one in by_mark.values()))
            printed = {number: by_mark[one.fingerprint] for number, one in enumerate(order, start=1)}
            again = replacement_slots(
                {number: one.slot for number, one in printed.items()}, wanted, len(slots) + 1
            )
            instead = dict(zip(sorted(wanted), course(again, list(by_mark)), strict=True))
        replaced = {number: printed[number] for number in instead}
        puzzles = BookPuzzles(tuple({**printed, **instead}.values()), replaced)
        self._let_go = self._keep.let_go(puzzles.places)
        return puzzles

    def finish(self, puzzles: BookPuzzles) -> None:
        """The book's files are in place: publish its puzzles and drop the journal.

        A puzzle that another replaces stays with the volume, since the order of all others hangs
        on it.

        Args:
            puzzles: as ``make`` returned them.
        """
        self._keep.publish(puzzles.places)
        self._journal.remove()
        self._log.note("done", puzzles=self.total)

    @property
    def how_to_go_on(self) -> str:
        """What to tell somebody who interrupts."""
        # Before they are taken up, those of an earlier run are only in the journal.
        kept = len(self.kept) or min(len(self._earlier), self.total)
        return how_to_go_on(kept, self.total, "the same command")

    @property
    def report_lines(self) -> list[str]:
        """For the report: what was resumed, what was passed over and why."""
        resumed = [f"journal        resumed {self._resumed} of {self.total}"] * bool(self._resumed)
        return resumed + self._notes + [f"ledger         {told}" for told in self.warnings]

    @property
    def warnings(self) -> list[str]:
        """What whoever builds the book must hear: that it takes the place of one that may be on sale."""
        count = self._let_go
        if not count:
            return []
        many, those = ("s", "they are") if count > 1 else ("", "it is")
        return [
            f"{self._spec.book_id} held {count} other puzzle{many} in the ledger: {those} free to be printed "
            "again. If that book is on sale, give this one another `id:` and build both again."
        ]

    def _course(
        self,
        crew: Crew,
        jobs: int,
        on_done: OnDone,
        maker: Maker | None,
        slots: Sequence[Slot],
        known: Collection[str] = (),
        admit: Admit | None = None,
    ) -> tuple[FinishedSlot, ...]:
        return produce(
            slots,
            jobs,
            lambda one: self._done(one, on_done),
            ready=self._ready(slots, on_done),
            admit=admit or self._admit,
            first_attempt=self._keep.first_attempt,
            known=known,
            on_turn=self._turn,
            on_again=self._slot_log.again,
            maker=maker,
            executor=crew,
        )

    def _take_given(
        self, slots: Sequence[Slot], course: Callable[..., tuple[FinishedSlot, ...]]
    ) -> tuple[FinishedSlot, ...]:
        """Prove the boards that files give; none is reserved before all are found right."""
        try:
            given = course(slots, admit=self._look_up)
        except (FoundWantingError, GaveUpError):
            if not self._earlier:
                self.kept.clear()  # so that nothing is left behind
            raise
        for one in given:
            self._admit(one)
        return given

    def _ready(self, slots: Sequence[Slot], on_done: OnDone) -> dict[int, FinishedSlot]:
        ready = {}
        for slot in slots:
            record = self._earlier.get(slot.key)
            # What can't be read is made again.
            with contextlib.suppress(PuzzleError, LookupError, TypeError, ValueError):
                if record is not None:
                    ready[slot.number] = read_journal_line(slot, record)
        self.kept.update(ready)
        for one in ready.values():
            self._slot_log.resumed(one)
            on_done(one)
        self._resumed += len(ready)
        return ready

    def _turn(self) -> None:
        self._keep.beat()
        if self._on_turn is not None:
            self._on_turn()

    def _done(self, one: FinishedSlot, on_done: OnDone) -> None:
        self._journal.append(one.slot.number, journal_line(one))
        self.kept.add(one.slot.number)
        self._slot_log.made(one)
        on_done(one)

    def _look_up(self, one: FinishedSlot) -> bool:
        """Nothing is taken before every board from a file is known to do."""
        place = self._keep.held(one)
        if place is not None:
            raise FoundWantingError(
                f"it is in {place} already, as it stands, turned, mirrored or renumbered; take it out of its "
                "file, or that book out of the ledger with 'linkpress ledger forget'"
            )
        return True

    def _admit(self, one: FinishedSlot) -> bool:
        place = self._keep.take(one)
        if place is not None and one.slot.given is not None:
            raise FoundWantingError(f"{one.slot} was taken by {place} meanwhile. Take it out of its file.")
        if place is not None:
            self._notes.append(f"passed over    {one.slot}, attempt {one.record.attempt}: it is in {place}")
            self._slot_log.passed_over(one, place)
        return place is None


@contextlib.contextmanager
def making(spec: BookSpec, folder: Path, choice: LedgerChoice, log: RunLog) -> Iterator[Making]:
    """Open the journal and the ledger for a build.

    Args:
        spec: the book.
        folder: the book's own, where its files will be; the journal lies there meanwhile.
        choice: of the ledger.
        log: told of each puzzle.
    Raises:
        OutputError: the folder or the ledger can't be used, or another process builds the same.
        KeyboardInterrupt: as it came, saying how to go on.
    """
    holder = Holder(Kind.VOLUME, spec.book_id)
    with (
        keeping(choice, holder, spec.title) as keep,
        Journal(folder / JOURNAL_FILE, spec.book_id, __version__) as journal,
    ):
        log.note("begun", id=spec.book_id, puzzles=spec.puzzle_count, linkpress=__version__)
        session = Making(spec, journal, keep, log)
        try:
            yield session
        except KeyboardInterrupt:
            raise KeyboardInterrupt(session.how_to_go_on) from None
        finally:
            if not session.kept and not journal.finished:
                journal.discard()
