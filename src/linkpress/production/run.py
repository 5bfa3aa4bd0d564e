"""One run of a book or a feed: slots in, finished puzzles out.

The result depends on the slots alone, not on how many work at it: puzzles are taken in the order
of the slots, and one that repeats an earlier one under symmetry and renumbering is made again
from its slot's next attempt. Each finished puzzle goes into the journal at once, so that a run that
was cut off goes on from there, also after a change that leaves the puzzle's slot as it was. Each
puzzle that gets its slot is reserved in the ledger, and published there when the files are in place.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from linkpress import __version__
from linkpress.book.ledger import Holder
from linkpress.book.plan import Slot
from linkpress.book.puzzle_record import record_made
from linkpress.engine.recipe import Method, Recipe
from linkpress.errors import FoundWantingError, GaveUpError, LinkpressError, PuzzleError, RecipeError
from linkpress.production.board_checks import check_board, refuse_boards
from linkpress.production.dispatch import MAX_LOSSES, CallResult, Dispatcher, WorkerLost, Workers
from linkpress.production.executors import available_jobs, worker_processes
from linkpress.production.finished_slot import FinishedSlot, journal_line, read_journal_line
from linkpress.production.journal import SAME_COMMAND, Journal
from linkpress.production.ledger_session import LedgerChoice, LedgerSession, open_ledger
from linkpress.production.log import RunLog
from linkpress.production.watcher import Watcher

if TYPE_CHECKING:  # loads the engine; worth it only where puzzles are made
    from linkpress.engine.generate import Made

MAX_ATTEMPTS = 30

Maker = Callable[[Recipe, str, Method], "Made"]


@dataclass(frozen=True)
class RunPlan:
    """What a run makes, and what is said of it.

    Args:
        holder: the volume or feed.
        title: in words.
        puzzles: how many there will be.
        replaced: how many more are made, to be replaced.
        command: what goes on from where a run was cut off.
        repeated: what the log says of a puzzle that is there already.
        known: fingerprints of puzzles that are there before the run.
        key: what the journal follows; the holder's id if empty.
    """

    holder: Holder
    title: str
    puzzles: int
    replaced: int = 0
    command: str = SAME_COMMAND
    repeated: str = "the book has this puzzle already"
    known: Collection[str] = ()
    key: str = ""

    @property
    def total(self) -> int:
        """How many puzzles are made."""
        return self.puzzles + self.replaced


class ProductionRun:
    """One run; ``open_run`` makes it with its journal and ledger.

    Args:
        plan: what is made.
        journal: of this run; None records nothing.
        ledger: asked about each puzzle, and holds those that are taken; None for no ledger.
        log: notes each slot.
        watcher: shows progress.
        maker: makes one puzzle from recipe, seed and method, in a worker; the engine, grading every
            puzzle, if None.
    Attributes:
        saved: numbers of the slots whose puzzles are in the journal.
        resumed: how many of them an earlier run had finished.
        notes: for the report: what was passed over and why.
    """

    def __init__(
        self,
        plan: RunPlan,
        journal: Journal | None = None,
        ledger: LedgerSession | None = None,
        log: RunLog | None = None,
        watcher: Watcher | None = None,
        maker: Maker | None = None,
    ) -> None:
        self.plan = plan
        self.journal = journal
        self.ledger = ledger or LedgerSession()
        self.log = log or RunLog()
        self.watcher = watcher or Watcher()
        self._maker = maker
        self.saved: set[int] = set()
        self.resumed = 0
        self.notes: list[str] = []
        self.owners = dict.fromkeys(plan.known, plan.repeated)  # of each fingerprint
        finished = journal.finished if journal else {}
        self._earlier = {str(line.get("key")): line for line in finished.values()}

    @cached_property
    def maker(self) -> Maker:
        """Makes a puzzle; the engine is loaded when it is first needed, before any worker starts."""
        if self._maker is not None:
            return self._maker
        from linkpress.engine.generate import generate

        return partial(generate, graded=True)

    @contextlib.contextmanager
    def at_work(self, workers: Workers | None = None) -> Iterator[Dispatcher]:
        """Have workers for the block, processes of this machine by default."""
        self.watcher.stage("make")
        self.watcher.planned(self.plan.total)
        default = Workers(available_jobs(), worker_processes)
        with Dispatcher(workers or default, self.plan.total) as dispatcher:
            yield dispatcher

    def make(self, slots: Sequence[Slot], dispatcher: Dispatcher) -> tuple[FinishedSlot, ...]:
        """Make what is not there yet.

        Boards from files come first: all of them are proven before any is reserved.

        Args:
            slots: the plan, or a part of it.
            dispatcher: from ``at_work``.
        Returns:
            One puzzle a slot, in their order; no two of a run the same under symmetry and renumbering.
        Raises:
            FoundWantingError: boards from files have not one solution, or are there already; lists them.
            RecipeError: a recipe can't be met, or allows too few different puzzles; names the slot,
                the first in order of those that fail.
            GaveUpError: the workers of one slot died or hung again and again, or nothing but proofs that
                were given up stands against boards from files.
            OutputError: journal or ledger can't be written.
        """
        from_files = [slot for slot in slots if slot.given is not None]
        try:
            finished = _SlotQueue(self, from_files, dispatcher).result()
        except (FoundWantingError, GaveUpError):
            if not self._earlier:
                self.saved.clear()  # so that nothing is left behind
            raise
        for one in finished:
            place = self.ledger.reserve(one)
            if place is not None:
                raise FoundWantingError(
                    f"{one.slot} was taken by {place} meanwhile. Take it out of its file."
                )
        finished += _SlotQueue(self, [slot for slot in slots if slot.given is None], dispatcher).result()
        return tuple(sorted(finished, key=lambda one: one.slot.number))

    def finish(self, places: Mapping[str, str]) -> None:
        """The files are in place: publish the puzzles and drop the journal.

        Args:
            places: each puzzle's printed number or date, by its fingerprint.
        """
        self.ledger.publish(places)
        if self.journal is not None:
            self.journal.remove()
        self.log.note("done", puzzles=self.plan.total)

    @property
    def how_to_go_on(self) -> str:
        """The message for somebody who interrupts: what is saved, and which command continues."""
        total = self.plan.total
        # Until ``resume`` reads them, the puzzles of an earlier run are only in the journal.
        count = len(self.saved) or min(len(self._earlier), total)
        if not count:
            return "interrupted; nothing is kept yet"
        puzzles = f"{count} of {total} puzzle{'s' * (total != 1)} {'is' if count == 1 else 'are'} kept"
        return f"interrupted; {puzzles}: {self.plan.command} goes on from there"

    def resume(self, slots: Sequence[Slot]) -> dict[int, FinishedSlot]:
        """What an earlier run finished of some slots, by their numbers."""
        ready = {}
        for slot in slots:
            line = self._earlier.get(slot.key)
            # What can't be read is made again.
            with contextlib.suppress(PuzzleError):
                if line is not None:
                    ready[slot.number] = read_journal_line(slot, line)
        self.saved.update(ready)
        self.resumed += len(ready)
        for one in ready.values():
            self.log.resumed(one)
            self.watcher.made(one)
        return ready

    def save(self, one: FinishedSlot) -> None:
        """Put a finished slot on the disk, and report it to log and watcher."""
        if self.journal is not None:
            self.journal.append(one.slot.number, journal_line(one))
        self.saved.add(one.slot.number)
        self.log.made(one)
        self.watcher.made(one)

    def show_life(self) -> None:
        """Report to the ledger and the watcher that work goes on."""
        self.ledger.heartbeat()
        self.watcher.waiting()

    def admit(self, one: FinishedSlot) -> bool:
        """Whether a slot may have its puzzle; asked in the order of the slots.

        Raises:
            FoundWantingError: a board from a file is there already; nothing is reserved for those yet.
        """
        mark = one.record.fingerprint
        if one.slot.given is not None:
            self._refuse_repeat(one)
        elif mark in self.owners:
            self.log.again(one.slot, one.record.attempt, self.plan.repeated)
            return False
        else:
            place = self.ledger.reserve(one)
            if place is not None:
                attempt = f"{one.slot}, attempt {one.record.attempt}"
                self.notes.append(f"passed over    {attempt}: it is in {place}")
                self.log.passed_over(one, place)
                return False
        self.owners[mark] = str(one.slot)
        return True

    def _refuse_repeat(self, one: FinishedSlot) -> None:
        twin = self.owners.get(one.record.fingerprint)
        if twin is not None:
            raise FoundWantingError(f"it is {twin} again, as it stands, turned, mirrored or renumbered")
        place = self.ledger.holder_of(one)
        if place is not None:
            raise FoundWantingError(
                f"it is in {place} already, as it stands, turned, mirrored or renumbered; take it out of its "
                "file, or that book out of the ledger with 'linkpress ledger forget'"
            )


@contextlib.contextmanager
def open_run(
    plan: RunPlan,
    journal: Path,
    choice: LedgerChoice,
    log: RunLog | None = None,
    watcher: Watcher | None = None,
    maker: Maker | None = None,
) -> Iterator[ProductionRun]:
    """Open journal and ledger for a run.

    Args:
        plan: what is made.
        journal: the file.
        choice: of the ledger.
        log, watcher, maker: as ``ProductionRun`` takes them.
    Raises:
        OutputError: the folder or the ledger can't be used, or another process makes the same.
        KeyboardInterrupt: the same again, with a message that says how to continue.
    """
    log = log or RunLog()
    with (
        open_ledger(choice, plan.holder, plan.title) as ledger,
        Journal(journal, plan.key or plan.holder.name, __version__, plan.command) as opened,
    ):
        run = ProductionRun(plan, opened, ledger, log, watcher, maker)
        try:
            log.note("begun", id=plan.holder.name, puzzles=plan.puzzles, linkpress=__version__)
            yield run
        except KeyboardInterrupt:
            raise KeyboardInterrupt(run.how_to_go_on) from None
        finally:
            if not run.saved and not opened.finished:
                opened.discard()


def make_slot(maker: Maker, slot: Slot, attempt: int) -> FinishedSlot:
    """Make one slot's puzzle; what a worker is called with.

    Raises:
        RecipeError: as the maker's, with the slot named.
        FoundWantingError, GaveUpError: a board from a file has not one solution, or no proof of it.
    """
    start = time.perf_counter()
    try:
        if slot.given is not None:
            made = check_board(slot.given, slot.recipe.rule)
        else:
            made = maker(slot.recipe, slot.seed_of(attempt), slot.method)
    except RecipeError as fault:
        raise RecipeError(f"{slot}: {fault}") from None
    return FinishedSlot(slot, record_made(made, slot, attempt), made.attempts, time.perf_counter() - start)


class _SlotQueue:
    """Some slots of a run: those being made, those that wait for earlier ones, those that are done."""

    def __init__(self, run: ProductionRun, slots: Sequence[Slot], dispatcher: Dispatcher) -> None:
        self.run = run
        self.slots = slots
        self.dispatcher = dispatcher
        self.ready = run.resume(slots)
        self.waiting: dict[int, FinishedSlot] = {}  # by the slot's place, as all of these
        self.faults: dict[int, Exception] = {}
        self.refused: dict[int, LinkpressError] = {}  # boards from files
        self.taken: list[FinishedSlot] = []
        self.begun = 0
        self.next = 0

    def result(self) -> list[FinishedSlot]:
        while self.next < len(self.slots):
            self.run.show_life()
            self._hand_out()
            for result in self.dispatcher.collect():
                self._note(result)
            self._take()
        if self.refused:
            refuse_boards(
                [(self.slots[at], fault) for at, fault in sorted(self.refused.items())], len(self.slots)
            )
        return self.taken

    def _hand_out(self) -> None:
        while self.dispatcher.has_room and self.begun < len(self.slots) and not self.faults:
            slot = self.slots[self.begun]
            if slot.number in self.ready:
                self.waiting[self.begun] = self.ready[slot.number]
            else:
                self._submit(self.begun, self.run.ledger.first_attempt(slot))
            self.begun += 1

    def _submit(self, at: int, attempt: int) -> None:
        self.dispatcher.submit((at, attempt), make_slot, self.run.maker, self.slots[at], attempt)

    def _note(self, result: CallResult) -> None:
        at, attempt = result.key
        if result.fault is None:
            self.waiting[at] = result.value
            self.run.save(result.value)
        elif result.retried:
            self.run.log.again(self.slots[at], attempt, str(result.fault))
        elif self.slots[at].given and isinstance(result.fault, (FoundWantingError, GaveUpError)):
            self.refused[at] = result.fault
        else:
            self.faults[at] = result.fault

    def _take(self) -> None:
        """Take puzzles in the order of the slots; faults are raised in that order too."""
        while (at := self.next) in self.waiting or at in self.faults or at in self.refused:
            if at in self.faults:
                raise _in_words(self.faults[at], self.slots[at])
            if at in self.waiting:
                one = self.waiting.pop(at)
                try:
                    if not self.run.admit(one):
                        self._make_again(at, one.record.attempt)
                        return
                    self.taken.append(one)
                except FoundWantingError as fault:
                    self.refused[at] = fault
            self.next += 1

    def _make_again(self, at: int, attempt: int) -> None:
        slot = self.slots[at]
        if attempt + 1 >= self.run.ledger.first_attempt(slot) + MAX_ATTEMPTS:
            raise RecipeError(
                f"{slot}: {MAX_ATTEMPTS} attempts gave only puzzles that the book or the ledger has "
                "already, turned, mirrored or renumbered. The recipe allows too few different ones: ask for "
                "fewer puzzles, a larger board or a wider range of paths or solids."
            )
        self._submit(at, attempt + 1)


def _in_words(fault: Exception, slot: Slot) -> Exception:
    if not isinstance(fault, WorkerLost):
        return fault
    return GaveUpError(
        f"{slot} can't be made: its worker was lost {MAX_LOSSES} times in a row; {fault}. Perhaps memory is "
        "short: try again with fewer --jobs, or ask for a smaller board."
    )
