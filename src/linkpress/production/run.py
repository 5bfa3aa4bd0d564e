"""One run of a book or a feed: slots in, finished puzzles out.

The result depends on the slots alone, not on how many work at it: puzzles are taken in the order
of the slots, and one that repeats an earlier one under symmetry and renumbering is made again
from its slot's next attempt. Each finished puzzle goes into the journal at once, so that a run that
was cut off goes on from there, also after a change that leaves the puzzle's slot as it was. Each
puzzle that gets its slot is reserved in the ledger, and published there when the files are in place.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

from linkpress.book.grade_odds import load_odds
from linkpress.book.plan import Slot
from linkpress.engine.recipe import grade_words, is_of_grade
from linkpress.errors import (
    ClusterError,
    FoundWantingError,
    PuzzleError,
    RecipeError,
)
from linkpress.ledger.entries import Holder
from linkpress.production.dispatch import Dispatcher, Workers
from linkpress.production.executors import local_workers
from linkpress.production.finished_slot import FinishedSlot, journal_line, read_journal_line
from linkpress.production.forecast import Forecast, outlook_lines
from linkpress.production.journal import SAME_COMMAND, Journal
from linkpress.production.ledger_session import LedgerChoice, LedgerSession
from linkpress.production.log import RunLog
from linkpress.production.slot_search import PuzzleMaker
from linkpress.production.watcher import Watcher
from linkpress.version import __version__


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
        maker: works in a worker; the engine, grading every puzzle, if None.
    Attributes:
        saved: numbers of the slots whose puzzles are in the journal.
        earlier: the journal's lines of an earlier run, by their slots' keys.
        resumed: how many slots an earlier run had finished.
        notes: for the report: what was passed over and why.
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
        self.journal = journal
        self.ledger = ledger or LedgerSession()
        self.log = log or RunLog()
        self.watcher = watcher or Watcher()
        self._maker = maker
        self.saved: set[int] = set()
        self.resumed = 0
        self.notes: list[str] = []
        self.forecast = Forecast(plan.total)
        self.owners = dict.fromkeys(plan.known, plan.repeated)  # of each fingerprint
        self._outlook: Iterator[str] = iter(())
        finished = journal.finished if journal else {}
        self.earlier = {str(line.get("key")): line for line in finished.values()}

    @cached_property
    def maker(self) -> PuzzleMaker:
        """Makes a puzzle; the engine is loaded when it is first needed, before any worker starts."""
        if self._maker is not None:
            return self._maker
        from linkpress.engine.make.generate import generate

        return partial(generate, graded=True)

    @contextlib.contextmanager
    def at_work(self, workers: Workers | None = None) -> Iterator[Dispatcher]:
        """Have workers for the block, processes of this machine by default."""
        workers = workers or local_workers()
        self.forecast = Forecast(self.plan.total, workers.jobs, load_odds(), workers.jobs_now)
        self.watcher.stage("make")
        self.watcher.planned(self.forecast)
        with Dispatcher(workers, self.plan.total) as dispatcher:
            yield dispatcher

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
        return f"interrupted; {self.kept or 'nothing is kept yet'}"

    @property
    def kept(self) -> str:
        """What is saved, and which command goes on from there; empty where nothing is."""
        total = self.plan.total
        # Until ``resume`` reads them, the puzzles of an earlier run are only in the journal.
        count = len(self.saved) or min(len(self.earlier), total)
        if not count:
            return ""
        puzzles = f"{count} of {total} puzzle{'s' * (total != 1)} {'is' if count == 1 else 'are'} kept"
        return f"{puzzles}: {self.plan.command} goes on from there"

    def resume(self, slots: Sequence[Slot]) -> dict[int, FinishedSlot]:
        """What an earlier run finished of some slots, by their numbers."""
        ready = {}
        self.forecast.expect(slots)
        for slot in slots:
            line = self.earlier.get(slot.key)
            # What can't be read is made again.
            with contextlib.suppress(PuzzleError):
                if line is not None:
                    ready[slot.number] = read_journal_line(slot, line)
        self.saved.update(ready)
        self.resumed += len(ready)
        for one in ready.values():
            self.log.resumed(one)
            self._show(one)
        missing = [slot for slot in slots if slot.number not in ready and slot.given is None]
        self._outlook = outlook_lines(missing, self.forecast.table, self.forecast.at_a_time)
        return ready

    def open_ledger(self) -> None:
        """Open the ledger, unless it is open, and say then what is to be made."""
        self.ledger.open()
        for said in self._outlook:
            self.watcher.tell(said)

    def save(self, several: Sequence[FinishedSlot]) -> None:
        """Put finished slots on the disk, and report them to log and watcher."""
        try:
            self._keep(several)
        except KeyboardInterrupt:
            self._keep(several)  # whether it was done is not known, and twice does no harm
            raise
        for one in several:
            self.log.made(one)
            self._show(one)

    def _keep(self, several: Sequence[FinishedSlot]) -> None:
        if self.journal is not None and several:
            self.journal.append((one.slot.number, journal_line(one)) for one in several)
        self.saved.update(one.slot.number for one in several)

    def miss(self, slot: Slot, fault: RecipeError) -> None:
        """Note a slot that gets no puzzle."""
        self.saved.discard(slot.number)  # one that is there already does not count
        self.forecast.leave(slot)
        self.log.note("unmet", **slot.facts, why=str(fault))

    def _show(self, one: FinishedSlot) -> None:
        self.forecast.made(one)
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
        grades, found = one.slot.recipe.grades, one.record.grade
        if grades and not is_of_grade(found, grades):
            said = found.label if found else "one that no technique finishes"
            self.watcher.tell(f"{one.slot}: none was found that is {grade_words(grades)}; it is {said}")
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
    maker: PuzzleMaker | None = None,
) -> Iterator[ProductionRun]:
    """Open the journal for a run; the ledger is opened in the block, while the first puzzles are made.

    Args:
        plan: what is made.
        journal: the file.
        choice: of the ledger.
        log, watcher, maker: as ``ProductionRun`` takes them.
    Raises:
        UsageError: another volume of the ledger has the ISBN.
        OutputError: the folder or the ledger can't be used, or another process makes the same.
        KeyboardInterrupt, ClusterError: the same again, with a message that says how to continue.
    """
    log, watcher = log or RunLog(), watcher or Watcher()
    with (
        LedgerSession(choice, plan.holder, plan.title, plan.isbn, watcher.tell) as ledger,
        Journal(journal, plan.key or plan.holder.name, __version__, plan.command) as opened,
    ):
        run = ProductionRun(plan, opened, ledger, log, watcher, maker)
        try:
            log.note("begun", id=plan.holder.name, puzzles=plan.puzzles, linkpress=__version__)
            yield run
        except KeyboardInterrupt:
            raise KeyboardInterrupt(run.how_to_go_on) from None
        except ClusterError as fault:
            kept = f"{run.kept}, with --cluster or without" if run.kept else "Nothing is kept yet"
            raise ClusterError(f"{fault}. {kept}.") from None
        finally:
            if not run.saved and not opened.finished:
                opened.discard()
