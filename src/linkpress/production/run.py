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
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

from linkpress import __version__
from linkpress.book.grade_odds import load_odds
from linkpress.book.ledger import Holder
from linkpress.book.plan import Slot
from linkpress.config.problem import MAX_SHOWN
from linkpress.engine.recipe import Recipe, grade_words, is_of_grade
from linkpress.errors import (
    ClusterError,
    FoundWantingError,
    GaveUpError,
    GradeError,
    LinkpressError,
    PuzzleError,
    RecipeError,
)
from linkpress.production.board_checks import refuse_boards
from linkpress.production.dispatch import MAX_LOSSES, CallResult, Dispatcher, WorkerLost, Workers
from linkpress.production.executors import local_workers
from linkpress.production.finished_slot import FinishedSlot, journal_line, read_journal_line
from linkpress.production.forecast import Forecast, advice, group_of, outlook_lines
from linkpress.production.journal import SAME_COMMAND, Journal
from linkpress.production.ledger_session import LedgerChoice, LedgerSession
from linkpress.production.log import RunLog
from linkpress.production.slot_search import Maker, make_slot
from linkpress.production.watcher import Watcher

MAX_ATTEMPTS = 30
# Where puzzles come fast several are taken at once: they cost the ledger hardly more than one.
_TAKEN_AT_ONCE, _LONGEST_WAIT_S = 16, 0.1


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
        resumed: how many of them an earlier run had finished.
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
        self.forecast = Forecast(plan.total)
        self.owners = dict.fromkeys(plan.known, plan.repeated)  # of each fingerprint
        self._outlook: Iterator[str] = iter(())
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
        workers = workers or local_workers()
        self.forecast = Forecast(self.plan.total, workers.jobs, load_odds())
        self.watcher.stage("make")
        self.watcher.planned(self.forecast)
        with Dispatcher(workers, self.plan.total) as dispatcher:
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
            RecipeError: recipes can't be met, or allow too few different puzzles; names for each the first
                slot that fails. With a journal all other slots are made before.
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
        return f"interrupted; {self.kept or 'nothing is kept yet'}"

    @property
    def kept(self) -> str:
        """What is saved, and which command goes on from there; empty where nothing is."""
        total = self.plan.total
        # Until ``resume`` reads them, the puzzles of an earlier run are only in the journal.
        count = len(self.saved) or min(len(self._earlier), total)
        if not count:
            return ""
        puzzles = f"{count} of {total} puzzle{'s' * (total != 1)} {'is' if count == 1 else 'are'} kept"
        return f"{puzzles}: {self.plan.command} goes on from there"

    def resume(self, slots: Sequence[Slot]) -> dict[int, FinishedSlot]:
        """What an earlier run finished of some slots, by their numbers."""
        ready = {}
        self.forecast.expect(slots)
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
            self._show(one)
        missing = [slot for slot in slots if slot.number not in ready and slot.given is None]
        self._outlook = outlook_lines(missing, self.forecast.table, self.forecast.jobs)
        return ready

    def open_ledger(self) -> None:
        """Open the ledger, unless it is open, and say then what is to be made."""
        self.ledger.open()
        for said in self._outlook:
            self.watcher.tell(said)

    def save(self, one: FinishedSlot) -> None:
        """Put a finished slot on the disk, and report it to log and watcher."""
        if self.journal is not None:
            self.journal.append(one.slot.number, journal_line(one))
        self.saved.add(one.slot.number)
        self.log.made(one)
        self._show(one)

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
    maker: Maker | None = None,
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


class _SlotQueue:
    """Some slots of a run: those being made, those that wait for earlier ones, those that are done."""

    def __init__(self, run: ProductionRun, slots: Sequence[Slot], dispatcher: Dispatcher) -> None:
        self.run = run
        self.slots = slots
        self.dispatcher = dispatcher
        self.ready = run.resume(slots)
        self.at_work, self.ended = set[int](), list[CallResult]()  # ended and not noted yet
        self.waiting: dict[int, FinishedSlot] = {}  # by the slot's place, as all of these
        self.faults: dict[int, Exception] = {}
        self.refused: dict[int, LinkpressError] = {}  # boards from files
        self.unmet: dict[int, RecipeError] = {}
        self.left: set[int] = set()  # out, since one like them is not met
        self.taken: list[FinishedSlot] = []
        self.begun = 0
        self.next = 0
        self.taken_s = time.monotonic()

    def result(self) -> list[FinishedSlot]:
        while self.next < len(self.slots):
            self.run.show_life()
            self._hand_out()
            is_loading = self.run.ledger.is_loading()
            self.ended += self.dispatcher.collect()
            if is_loading and self.begun < len(self.slots):
                continue  # workers have enough to do; nothing is noted that the ledger might say otherwise of
            self.run.open_ledger()
            ended, self.ended = self.ended, []
            for result in ended:
                self._note(result)
            waited_s = time.monotonic() - self.taken_s
            if len(self.waiting) >= _TAKEN_AT_ONCE or waited_s > _LONGEST_WAIT_S or not self.at_work:
                self.taken_s += waited_s
                self._take()
        if self.refused:
            refuse_boards(
                [(self.slots[at], fault) for at, fault in sorted(self.refused.items())], len(self.slots)
            )
        if self.unmet:
            raise RecipeError(self._unmet_words())
        return self.taken

    def _hand_out(self) -> None:
        while self.dispatcher.has_room and self.begun < len(self.slots) and not self.faults:
            slot = self.slots[self.begun]
            if slot.number in self.ready:
                self.waiting[self.begun] = self.ready[slot.number]
            elif self._is_like_unmet(slot):
                self.left.add(self.begun)
                self.run.forecast.leave(slot)
            else:
                self._submit(self.begun, self.run.ledger.first_attempt(slot))
            self.begun += 1

    def _submit(self, at: int, attempt: int) -> None:
        slot = self.slots[at]
        self.at_work.add(at)
        self.dispatcher.submit(
            (at, attempt), make_slot, self.run.maker, slot, attempt, patience=max(1.0, slot.effort)
        )

    def _note(self, result: CallResult) -> None:
        at, attempt = result.key
        if not result.retried:
            self.at_work.remove(at)
        first = self.run.ledger.first_attempt(self.slots[at])
        if attempt < first:  # handed out before the ledger was open
            if not result.retried:
                self._submit(at, first)
        elif result.fault is None:
            self.waiting[at] = result.value
            self.run.save(result.value)
        elif result.retried:
            self.run.log.again(self.slots[at], attempt, str(result.fault))
        elif self.slots[at].given and isinstance(result.fault, (FoundWantingError, GaveUpError)):
            self.refused[at] = result.fault
        elif isinstance(result.fault, RecipeError):
            self._miss(at, result.fault)
        else:
            self.faults[at] = result.fault

    def _miss(self, at: int, fault: RecipeError) -> None:
        slot = self.slots[at]
        if not self._is_like_unmet(slot):
            self.run.watcher.tell(f"{slot} can't be made; why is said when the rest is made")
        self.unmet[at] = fault
        self.run.miss(slot, fault)

    def _is_like_unmet(self, slot: Slot) -> bool:
        """Whether a slot is not worth a search; where nothing is kept none is after the first that failed."""
        unmet = {group_of(self.slots[at]) for at in self.unmet}
        return bool(unmet) and (self.run.journal is None or group_of(slot) in unmet)

    def _unmet_words(self) -> str:
        """The first slot of each recipe that is not met, how many more, what would help; and what is kept.

        Where nothing is kept, only the first of all: how many more were begun hangs on the workers.
        """
        first: dict[tuple[str, Recipe], int] = {}
        for at in sorted(self.unmet):
            first.setdefault(group_of(self.slots[at]), at)
        if self.run.journal is None:
            first = dict([next(iter(first.items()))])
        lines = []
        for group, at in list(first.items())[:MAX_SHOWN]:
            count = sum(group_of(slot) == group for slot in self.slots)
            graded = isinstance(self.unmet[at], GradeError)
            helps = [advice(self.slots[at], count, self.run.forecast.table)] * graded
            others = {*self.unmet, *self.left} - {at} if self.run.journal is not None else ()
            if alike := sum(group_of(self.slots[other]) == group for other in others):
                helps.insert(0, f"{alike} more like it {'are' if alike > 1 else 'is'} not made either.")
            lines.append(" ".join([str(self.unmet[at]), *helps]))
        if len(first) > MAX_SHOWN:
            lines.append(f"… and {len(first) - MAX_SHOWN} more")
        kept = self.run.kept if self.run.journal is not None else ""
        return "\n".join(lines + [kept] * bool(kept))

    def _take(self) -> None:
        """Take puzzles in the order of the slots; faults are raised in that order too."""
        self._reserve_ahead()
        settled = (self.waiting, self.faults, self.refused, self.unmet, self.left)
        while any(self.next in some for some in settled):
            at = self.next
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
                except RecipeError as fault:
                    self._miss(at, fault)
            self.next += 1

    def _reserve_ahead(self) -> None:
        """Reserve at once the puzzles that ``admit`` will come to, up to the first that it may not."""
        coming: dict[str, FinishedSlot] = {}
        for at in range(self.next, len(self.slots)):
            one = self.waiting.get(at)
            if one is None or one.slot.given is not None:
                break
            mark = one.record.fingerprint
            if mark in self.run.owners or mark in coming:
                break
            coming[mark] = one
        self.run.ledger.reserve_ahead(list(coming.values()))

    def _make_again(self, at: int, attempt: int) -> None:
        slot = self.slots[at]
        if attempt + 1 >= self.run.ledger.first_attempt(slot) + MAX_ATTEMPTS:
            raise RecipeError(
                f"{slot}: {MAX_ATTEMPTS} attempts gave only puzzles that the book or the ledger has "
                "already, turned, mirrored or renumbered. The recipe allows too few different ones: ask for "
                "fewer puzzles, a larger board or a wider range of paths or solids."
            )
        self.run.forecast.again(slot)
        self._submit(at, attempt + 1)


def _in_words(fault: Exception, slot: Slot) -> Exception:
    if not isinstance(fault, WorkerLost):
        return fault
    return GaveUpError(
        f"{slot} can't be made: its worker was lost {MAX_LOSSES} times in a row; {fault}. Perhaps memory is "
        "short: try again with fewer --jobs, or ask for a smaller board."
    )
