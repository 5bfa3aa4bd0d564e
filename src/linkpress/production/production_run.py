"""A run of a book or a feed turns slots into finished puzzles.

The result depends on the slots alone, not on how many work at it: puzzles are taken in the order
of the slots, and one that repeats an earlier one under symmetry and renumbering is made again
from its slot's next attempt. Each finished puzzle goes into the journal at once, so that a run that
was cut off goes on from there, also after a change that leaves the puzzle's slot as it was. Each
puzzle that gets its slot is reserved in the ledger, and published there when the files are in place.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path

from linkpress.book.grade_odds import odds_table
from linkpress.book.plan import Slot
from linkpress.engine.recipe import counted
from linkpress.errors import (
    CheckFailedError,
    ClusterError,
    GaveUpError,
    LinkpressError,
    PuzzleError,
    RecipeError,
)
from linkpress.ledger.entries import Holder
from linkpress.production.dispatch import MAX_LOSSES, CallResult, Dispatcher, WorkerLost, Workers
from linkpress.production.executors import local_workers
from linkpress.production.forecast import (
    Forecast,
    Group,
    group_of,
    outlook_lines,
    refuse_boards,
    unmet_message,
)
from linkpress.production.journal import SAME_COMMAND, Journal, RunLog, Watcher
from linkpress.production.ledger_session import LedgerChoice, LedgerSession
from linkpress.production.slot_search import (
    FinishedSlot,
    PuzzleMaker,
    journal_line,
    make_slot,
    read_journal_line,
)
from linkpress.version import __version__

MAX_ATTEMPTS = 30
# Where puzzles come fast several are taken at once: they cost the ledger hardly more than one.
_TAKEN_AT_ONCE = 16
_LONGEST_WAIT_S = 0.1


@dataclass(frozen=True)
class RunPlan:
    """A plan says which puzzles a run makes, and how its messages speak of them.

    Args:
        puzzles: how many there will be.
        replaced: how many more are made, to be replaced.
        command: what goes on from where a run was cut off.
        repeated: what the log says of a puzzle that is there already.
        known: fingerprints of puzzles that are there before the run.
        key: what the journal follows; the holder's id if empty.
        isbn: of the volume, 13 digits.
    """

    holder: Holder
    title: str
    puzzles: int
    replaced: int = 0
    command: str = SAME_COMMAND
    repeated: str = "the book has this puzzle already"
    known: Collection[str] = ()
    key: str = ""
    isbn: str | None = None

    @property
    def total(self) -> int:
        """Return the number of puzzles that are made."""
        return self.puzzles + self.replaced


class ProductionRun:
    """A run fills slots; ``ProductionRun.open`` makes it with its journal and ledger.

    A puzzle is *saved* when the journal has it, and *resumed* when an earlier run had saved it.

    Args:
        journal: of this run; None records nothing.
        ledger: asked about each puzzle, and holds those that are taken; None for no ledger.
        maker: works in a worker; the engine, grading every puzzle, if None.
    Attributes:
        saved: numbers of the slots whose puzzles are saved.
        resumed: the number of slots that were resumed.
        notes: lines for the report that say what was passed over and why.
        forecast: how far the run is.
    """

    def __init__(
        self,
        plan: RunPlan,
        journal: Journal | None = None,
        ledger: LedgerSession | None = None,
        log: RunLog | None = None,
        watcher: Watcher | None = None,
        maker: PuzzleMaker | None = None,
    ) -> None:
        self.plan = plan
        self.ledger = ledger or LedgerSession()
        self.log = log or RunLog()
        self.watcher = watcher or Watcher()
        self.saved: set[int] = set()
        self.resumed = 0
        self.notes: list[str] = []
        self.forecast = Forecast(plan.total)
        self._journal = journal
        self._maker = maker
        self._slots_of = dict.fromkeys(plan.known, plan.repeated)  # which slot has each fingerprint, in words
        lines = journal.saved.values() if journal else ()
        self._saved_earlier = {str(line.get("key")): line for line in lines}
        self._begin_filling(())

    @classmethod
    @contextlib.contextmanager
    def open(
        cls,
        plan: RunPlan,
        journal: Path,
        choice: LedgerChoice,
        log: RunLog | None = None,
        watcher: Watcher | None = None,
        maker: PuzzleMaker | None = None,
    ) -> Iterator[ProductionRun]:
        """Open journal and ledger for a run, which holds the journal's folder.

        Raises:
            UsageError: another volume of the ledger has the ISBN.
            OutputError: the folder or the ledger can't be used, or another process makes the same.
            KeyboardInterrupt, ClusterError: as they came, with a message that says how to continue.
        """
        watcher = watcher or Watcher()
        ledger = LedgerSession(choice, plan.holder, plan.title, plan.isbn, watcher.notify)
        with Journal(journal, plan.key or plan.holder.name, __version__, plan.command) as opened:
            run = cls(plan, opened, ledger, log, watcher, maker)
            try:
                run.log.note("begun", id=plan.holder.name, puzzles=plan.puzzles, linkpress=__version__)
                with ledger:
                    yield run
            except KeyboardInterrupt:
                kept = run.kept or "nothing is kept yet"
                raise KeyboardInterrupt(f"interrupted; {kept}") from None
            except ClusterError as fault:
                kept = f"{run.kept}, with --cluster or without" if run.kept else "Nothing is kept yet"
                raise ClusterError(f"{fault}. {kept}.") from None
            finally:
                if not run.saved and not opened.saved:
                    opened.remove()

    @contextlib.contextmanager
    def at_work(self, workers: Workers | None = None) -> Iterator[None]:
        """Open workers for the block, processes of this machine by default."""
        workers = workers or local_workers()
        self.forecast = Forecast(self.plan.total, workers.jobs, odds_table(), workers.jobs_now)
        self.watcher.stage("make")
        self.watcher.planned(self.forecast)
        with Dispatcher(workers, self.plan.total) as self._dispatcher:
            yield

    def fill(self, slots: Sequence[Slot]) -> tuple[FinishedSlot, ...]:
        """Make of the plan, or a part of it, what is not there yet; within ``at_work``.

        Boards from files come first: all of them are proven before any is reserved.

        Returns:
            One puzzle a slot, in their order; no two of a run the same under symmetry and renumbering.
        Raises:
            CheckFailedError: boards from files have not one solution, or are there already; lists them.
            RecipeError: recipes can't be met, or allow too few different puzzles; names for each the first
                slot that fails. With a journal all other slots are made before.
            GaveUpError: the workers of one slot died or hung again and again, or nothing but proofs that
                were given up stands against boards from files.
            OutputError: journal or ledger can't be written.
        """
        try:
            finished = self._fill([slot for slot in slots if slot.given is not None])
        except (CheckFailedError, GaveUpError):
            if not self._saved_earlier:
                self.saved.clear()  # so that nothing is left behind
            raise
        for board in finished:
            place = self.ledger.reserve(board)
            if place is not None:
                raise CheckFailedError(
                    f"{board.slot} was taken by {place} meanwhile. Take it out of its file."
                )
        finished += self._fill([slot for slot in slots if slot.given is None])
        return tuple(sorted(finished, key=lambda filled: filled.slot.number))

    def take_over(self, slots: Sequence[Slot], built: Iterable[FinishedSlot]) -> None:
        """Save puzzles of an earlier book as if an earlier run had made them; before ``fill``.

        Args:
            built: puzzles that the same version of linkpress made. Only those are taken that the plan asks
                for, that are what it asks for, and that are not saved yet.
        """
        planned = {slot.key: slot for slot in slots if slot.key not in self._saved_earlier}
        known = [
            replace(finished, slot=planned[finished.slot.key])
            for finished in built
            if finished.slot.key in planned
            and finished.slot.recipe.accepts(finished.record.grade, finished.record.stars)
        ]
        self._keep(known)
        self._saved_earlier |= {finished.slot.key: journal_line(finished) for finished in known}

    def finish(self, places: Mapping[str, str]) -> None:
        """Publish the puzzles, by fingerprint, and drop the journal, now that the files are in place."""
        self.ledger.publish(places)
        if self._journal is not None:
            self._journal.remove()
        self.log.note("done", puzzles=self.plan.total)

    @property
    def kept(self) -> str:
        """Return what is saved, and which command goes on from there; empty where nothing is."""
        total = self.plan.total
        # Until they are resumed, the puzzles of an earlier run are only in the journal.
        count = len(self.saved) or min(len(self._saved_earlier), total)
        if not count:
            return ""
        puzzles = f"{count} of {total} puzzle{'s' * (total != 1)} {'is' if count == 1 else 'are'} kept"
        return f"{puzzles}: {self.plan.command} goes on from there"

    def save(self, made: Sequence[FinishedSlot]) -> None:
        """Put finished slots on the disk, and report them to log and watcher."""
        try:
            self._keep(made)
        except KeyboardInterrupt:
            self._keep(made)  # whether it was done is not known, and twice does no harm
            raise
        for finished in made:
            self.log.made(finished)
            self._show(finished)

    def _keep(self, made: Sequence[FinishedSlot]) -> None:
        if self._journal is not None:
            self._journal.append((finished.slot.number, journal_line(finished)) for finished in made)
        self.saved.update(finished.slot.number for finished in made)

    def _show(self, finished: FinishedSlot) -> None:
        self.forecast.made(finished)
        self.watcher.made(finished)

    @cached_property
    def _make(self) -> PuzzleMaker:
        """Return the maker of puzzles; the engine is loaded only now, before any worker starts."""
        if self._maker is not None:
            return self._maker
        from linkpress.engine.make.generate import generate

        return partial(generate, graded=True)

    def _begin_filling(self, slots: Sequence[Slot]) -> None:
        """Forget the slots filled before; what is known of these goes by each slot's index among them."""
        self._slots = slots
        self._resumed = self.resume(slots)
        self._at_work: set[int] = set()
        self._waiting: dict[int, FinishedSlot] = {}  # for those before them
        self._missed: dict[int, LinkpressError | None] = {}  # None: it was left out, like one that is not met
        self._fatal: dict[int, Exception] = {}
        self._unmet: set[Group] = set()
        self._taken: list[FinishedSlot] = []
        # The first of each recipe comes first: one that can't be met is told before the rest is made.
        first = set({group_of(slot): slot.number for slot in reversed(slots)}.values())
        self._order = sorted(range(len(slots)), key=lambda index: slots[index].number not in first)
        self._begun = self._next = self._ahead = 0
        self._taken_s = time.monotonic()

    def resume(self, slots: Sequence[Slot]) -> dict[int, FinishedSlot]:
        """Take over what an earlier run saved of some slots, by their numbers."""
        resumed = {}
        self.forecast.expect(slots)
        for slot in slots:
            line = self._saved_earlier.get(slot.key)
            # What can't be read is made again.
            with contextlib.suppress(PuzzleError):
                if line is not None:
                    resumed[slot.number] = read_journal_line(slot, line)
        self.saved.update(resumed)
        self.resumed += len(resumed)
        for finished in resumed.values():
            self.log.resumed(finished)
            self._show(finished)
        missing = [slot for slot in slots if slot.number not in resumed and slot.given is None]
        for line_of_level in outlook_lines(missing, self.forecast.table, self.forecast.at_a_time):
            self.watcher.notify(line_of_level)
        return resumed

    def _fill(self, slots: Sequence[Slot]) -> list[FinishedSlot]:
        self._begin_filling(slots)
        while self._next < len(slots):
            self.ledger.heartbeat()
            self.watcher.waiting()
            self._hand_out()
            self._note(self._dispatcher.collect())
            waited_s = time.monotonic() - self._taken_s
            if len(self._waiting) >= _TAKEN_AT_ONCE or waited_s > _LONGEST_WAIT_S or not self._at_work:
                self._taken_s += waited_s
                self._take()
        if self._missed and slots[0].given is not None:
            refuse_boards(slots, self._missed)
        if self._missed:
            kept = None if self._journal is None else self.kept
            raise RecipeError(unmet_message(slots, self._missed, self.forecast.table, kept))
        return self._taken

    def _hand_out(self) -> None:
        while self._dispatcher.has_room and self._begun < len(self._slots) and not self._fatal:
            index = self._order[self._begun]
            slot = self._slots[index]
            if slot.number in self._resumed:
                self._waiting[index] = self._resumed[slot.number]
            elif self._is_like_unmet(slot):
                self._missed[index] = None
                self.forecast.leave(slot)
            else:
                self._submit(index, self.ledger.first_attempt(slot))
            self._begun += 1

    def _submit(self, index: int, attempt: int) -> None:
        slot = self._slots[index]
        self._at_work.add(index)
        patience = max(1.0, slot.effort)
        self._dispatcher.submit(
            (index, attempt), make_slot, self._make, slot, attempt, patience=patience, kind=slot.level
        )

    def _note(self, results: Sequence[CallResult]) -> None:
        made: dict[int, FinishedSlot] = {}
        for result in results:
            index, attempt = result.key
            slot, fault = self._slots[index], result.fault
            if result.retried:
                self.log.again(slot, attempt, str(fault))
                continue
            self._at_work.remove(index)
            if fault is None:
                made[index] = result.value
            elif slot.given is None and isinstance(fault, RecipeError):
                self._miss(index, fault)
            elif slot.given is not None and isinstance(fault, (CheckFailedError, GaveUpError)):
                self._missed[index] = fault
            else:
                self._fatal[index] = fault
        self.save(list(made.values()))
        self._waiting |= made

    def _miss(self, index: int, fault: RecipeError) -> None:
        slot = self._slots[index]
        is_first = not self._is_like_unmet(slot)
        self._missed[index] = fault
        self._unmet.add(group_of(slot))
        self.saved.discard(slot.number)  # a puzzle that is there already does not count
        self.forecast.leave(slot)
        self.log.note("unmet", **slot.facts, why=str(fault))
        if is_first:
            self.watcher.unmet(slot, unmet_message(self._slots, {index: fault}, self.forecast.table, None))

    def _is_like_unmet(self, slot: Slot) -> bool:
        """Return whether a slot is worth no search; where nothing is kept, none is after a failure."""
        return bool(self._unmet) and (self._journal is None or group_of(slot) in self._unmet)

    def _take(self) -> None:
        """Take puzzles in the order of the slots; faults are raised in that order too."""
        self._reserve_ahead()
        while True:
            index = self._next
            if index in self._waiting:
                finished = self._waiting.pop(index)
                try:
                    if not self._admit(finished):
                        self._make_again(index, finished.record.attempt)
                        return
                    self._taken.append(finished)
                except CheckFailedError as fault:
                    self._missed[index] = fault
                except RecipeError as fault:
                    self._miss(index, fault)
            elif index not in self._missed:
                if self._fatal and not self._at_work:
                    index = min(self._fatal)
                    raise _in_words(self._fatal[index], self._slots[index])
                return
            self._next += 1

    def _reserve_ahead(self) -> None:
        """Reserve at once the puzzles that ``_take`` will come to, up to the first that it may not."""
        # Each slot but once: of 800 puzzles another book held 300, and to ask for all that follow anew after
        # each of these took 15 of 26 s.
        coming: dict[str, FinishedSlot] = {}
        for index in range(max(self._next, self._ahead), len(self._slots)):
            finished = self._waiting.get(index)
            if finished is None or finished.slot.given is not None:
                break
            fingerprint = finished.record.fingerprint
            if fingerprint in self._slots_of or fingerprint in coming:
                break
            coming[fingerprint] = finished
            self._ahead = index + 1
        self.ledger.reserve_ahead(list(coming.values()))

    def _admit(self, finished: FinishedSlot) -> bool:
        """Tell whether a slot may have its puzzle; refuse a file's board that is there already."""
        slot, record = finished.slot, finished.record
        if slot.given is not None:
            self._refuse_repeat(finished)
        elif record.fingerprint in self._slots_of:
            self.log.again(slot, record.attempt, self.plan.repeated)
            return False
        else:
            place = self.ledger.reserve(finished)
            if place is not None:
                self.notes.append(f"passed over    {slot}, attempt {record.attempt}: it is in {place}")
                self.log.passed_over(finished, place)
                return False
        self._slots_of[record.fingerprint] = str(slot)
        if not slot.recipe.accepts(record.grade, record.stars):
            found = record.grade.label if record.grade else "one that no technique finishes"
            if record.stars is not None and slot.recipe.stars:
                found += f", {counted(record.stars, 'star')}"
            self.watcher.notify(f"{slot}: none was found that is {slot.recipe.difficulty}; it is {found}")
        return True

    def _refuse_repeat(self, finished: FinishedSlot) -> None:
        twin = self._slots_of.get(finished.record.fingerprint)
        if twin is not None:
            raise CheckFailedError(f"it is {twin} again, as it stands, turned, mirrored or renumbered")
        place = self.ledger.holder_of(finished)
        if place is not None:
            raise CheckFailedError(
                f"it is in {place} already, as it stands, turned, mirrored or renumbered; take it out of its "
                "file, or that book out of the ledger with 'linkpress ledger forget'"
            )

    def _make_again(self, index: int, attempt: int) -> None:
        slot = self._slots[index]
        if attempt + 1 >= self.ledger.first_attempt(slot) + MAX_ATTEMPTS:
            raise RecipeError(
                f"{slot}: {MAX_ATTEMPTS} attempts gave only puzzles that the book or the ledger has "
                "already, turned, mirrored or renumbered. The recipe allows too few different ones: ask for "
                "fewer puzzles, a larger board or a wider range of paths or solids."
            )
        self.forecast.again(slot)
        self._submit(index, attempt + 1)


def _in_words(fault: Exception, slot: Slot) -> Exception:
    if not isinstance(fault, WorkerLost):
        return fault
    return GaveUpError(
        f"{slot} can't be made: its worker was lost {MAX_LOSSES} times in a row; {fault}. Perhaps memory is "
        "short: try again with fewer --jobs, or ask for a smaller board."
    )
