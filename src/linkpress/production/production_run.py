"""Make the puzzles for all slots of a book or a feed, save them, and record them in the ledger.

A *slot* is the plan for one puzzle. The puzzles depend only on the slots, not on the number of workers.
Finished puzzles are accepted in the order of the slots. If a puzzle repeats an earlier one, perhaps rotated,
reflected or renumbered, another search is made for its slot. A small puzzle is also replaced if most of its
numbers are in the same cells as those of an earlier puzzle. This happens at most a few times for each slot.
If it is already certain that a puzzle will be refused at its turn, the other search begins at once.

Each finished puzzle is saved in the journal at once. So an interrupted run can be continued, even if other
parts of the spec were changed. Each accepted puzzle is reserved in the ledger, and published when all files
are written.
"""

from __future__ import annotations

import contextlib
import gc
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from linkpress.book.plan import Slot
from linkpress.errors import (
    CheckFailedError,
    ClusterError,
    GaveUpError,
    LinkpressError,
    PuzzleError,
    RecipeError,
)
from linkpress.ledger.database import Holder, Kind
from linkpress.production.alike import MAX_OVERLAP, AlikeCheck
from linkpress.production.dispatch import MAX_LOSSES, CallResult, Dispatcher, WorkerLost, Workers
from linkpress.production.executors import local_workers
from linkpress.production.forecast import (
    Forecast,
    Group,
    group_of,
    odds_table,
    outlook_lines,
    refuse_boards,
    unmet_message,
)
from linkpress.production.journal import SAME_COMMAND, Journal, RunLog, Watcher
from linkpress.production.ledger_session import LedgerChoice, LedgerSession
from linkpress.production.slot_search import (
    FinishedSlot,
    PuzzleMaker,
    engine_maker,
    is_proven,
    journal_line,
    journal_text,
    make_slot,
    read_journal_line,
)
from linkpress.version import __version__

MAX_ATTEMPTS = 30
# Finished puzzles are reserved in the ledger when there are ``_RESERVE_TOGETHER`` of them, or after
# ``_RESERVE_AFTER_S`` seconds. Reserving several puzzles together hardly takes longer than reserving one.
_RESERVE_TOGETHER = 16
_RESERVE_AFTER_S = 0.1


@dataclass(frozen=True)
class RunPlan:
    """Facts about a run that its journal, its ledger and its messages need.

    Args:
        holder: the volume or feed for which the puzzles are made.
        title: the title of the volume or feed.
        puzzles: the number of puzzles to publish.
        replaced: the number of puzzles that the editor replaced. These puzzles are made, but not published.
        command: the command that continues an interrupted run.
        repeated: the reason to log if a new puzzle is the same as an earlier puzzle of this volume or feed.
        known: fingerprints of puzzles that must not be made again.
        key: text that identifies the plan in the journal; empty to use the id of the volume or feed.
        isbn: the volume's ISBN of 13 digits; None for no ISBN.
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
        return self.puzzles + self.replaced


class ProductionRun:
    """Run that makes the puzzles of a book or feed. ``ProductionRun.open`` opens its journal and ledger, too.

    A puzzle is *saved* if it is in the journal, and *resumed* if an earlier run saved it. A slot is the plan
    for one puzzle.

    Args:
        plan: facts about the run.
        journal: the journal in which puzzles are saved; None to save none.
        ledger: the connection to the ledger of used puzzles; None for no ledger.
        log: the log of the run.
        watcher: object whose methods are called to report progress.
        maker: function that a worker calls to make a puzzle; None for the function of the engine.
    Attributes:
        saved: numbers of the slots whose puzzles are saved.
        resumed: the number of slots whose puzzles were resumed.
        notes: lines for the report about puzzles that are in use elsewhere.
        forecast: the forecast of the time left.
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
        self._proves_again = False
        self._begun: Callable[[], Iterable[tuple[Future[Any], Sequence[Slot]]]] | None = None
        # maps the fingerprint of each used puzzle to a phrase that says where the puzzle is used
        self._user_of = dict.fromkeys(plan.known, plan.repeated)
        lines = journal.saved.values() if journal else ()
        self._saved_earlier = {str(line.get("key")): line for line in lines}
        self._start_filling(())

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
        """Open a run with its journal and ledger. The caller must have locked the journal's folder.

        Args:
            plan: facts about the run.
            journal: the file of the journal.
            choice: which ledger of used puzzles to use.
            log: the log of the run.
            watcher: object whose methods are called to report progress.
            maker: function that a worker calls to make a puzzle; None for the function of the engine.
        Raises:
            UsageError: another volume in the ledger has the ISBN.
            OutputError: the journal or the ledger can't be used, or another process makes the same book or
                feed.
            KeyboardInterrupt, ClusterError: the run ended early. The message says how to continue.
        """
        watcher = watcher or Watcher()
        ledger = LedgerSession(choice, plan.holder, plan.title, plan.isbn, watcher.notify)
        with Journal(journal, plan.key or plan.holder.name, __version__, plan.command) as opened:
            if opened.loss:
                watcher.notify(opened.loss)
            run = cls(plan, opened, ledger, log, watcher, maker)
            try:
                run.log.note("begun", id=plan.holder.name, puzzles=plan.puzzles, linkpress=__version__)
                with ledger:
                    yield run
            except KeyboardInterrupt:
                raise KeyboardInterrupt(f"interrupted; {run.kept or 'nothing is kept yet'}") from None
            except ClusterError as error:
                kept = f"{run.kept}, with --cluster or without" if run.kept else "Nothing is kept yet"
                raise ClusterError(f"{error}. {kept}.") from None
            finally:
                if not run.saved and not opened.saved:
                    opened.remove()

    @contextlib.contextmanager
    def at_work(self, workers: Workers | None = None) -> Iterator[None]:
        """Prepare workers that make puzzles during a ``with`` block.

        If ``workers`` is None, use processes of this machine.
        """
        workers = workers or local_workers()
        self._proves_again = workers.remote
        self._begun = workers.begun
        self.forecast = Forecast(self.plan.total, workers.jobs, odds_table(), workers.jobs_now)
        self.watcher.stage("make")
        self.watcher.planned(self.forecast)
        # Move all objects to the oldest generation of Python's garbage collector, because nearly all of them
        # will be kept. Otherwise, the next collection would search them for 0.07 s, while the workers wait.
        gc.freeze()
        gc.unfreeze()
        with Dispatcher(workers, self.plan.total) as self._dispatcher:
            yield

    def fill(self, slots: Sequence[Slot]) -> tuple[FinishedSlot, ...]:
        """Make the puzzles for some slots of the plan. Call this in a ``with`` block of ``at_work``.

        A slot is the plan for one puzzle. A puzzle is *reserved* by recording it in the ledger, so that no
        other book uses it. The puzzles are made in these steps:

        1. Puzzles that an earlier run saved in the journal are read, and are not made again.
        2. All boards from the user's files are proven to have one solution. Then they are reserved.
        3. The other puzzles are made and reserved.

        Returns:
            A puzzle for each slot, in the order of the slots. No puzzle of a run is a rotation, reflection or
            renumbering of another one.
        Raises:
            CheckFailedError: boards from files don't have exactly one solution, or are in use already. The
                message lists them.
            RecipeError: no puzzles, or too few different ones, were found for a puzzle recipe. The message
                names a slot of each such recipe. If the run has a journal, all other puzzles are made
                before this error is raised.
            GaveUpError: the workers of a slot died or hung several times, or proofs of boards from files took
                too much work.
            OutputError: the journal or the ledger can't be written.
        """
        try:
            finished = self._fill([slot for slot in slots if slot.given is not None])
        except (CheckFailedError, GaveUpError):
            if not self._saved_earlier:
                # The journal, the file of finished puzzles, contains only boards from the user's files, and
                # some boards are wrong. Such a journal saves no work when the user runs the command again. If
                # ``saved`` is empty, the context manager ``open`` removes the journal when it exits.
                self.saved.clear()
            raise
        for board in finished:
            place = self.ledger.reserve(board)
            if place is not None:
                raise CheckFailedError(
                    f"{board.slot}: another run has just reserved this puzzle for {place}. "
                    "Remove it from its file."
                )
        finished += self._fill([slot for slot in slots if slot.given is None])
        return tuple(sorted(finished, key=lambda filled: filled.slot.number))

    def take_over(self, slots: Sequence[Slot], built: Iterable[FinishedSlot]) -> None:
        """Save puzzles of an earlier book in this run's journal, so that ``fill`` doesn't make them again.

        Args:
            slots: the slots of this run. A slot is the plan for one puzzle.
            built: puzzles of the earlier book, made by the same version of linkpress. A puzzle is skipped if
                it matches no slot, or if the puzzle of its slot is already saved.
        """
        planned = {slot.key: slot for slot in slots if slot.key not in self._saved_earlier}
        matching = [
            replace(finished, slot=planned[finished.slot.key])
            for finished in built
            if finished.slot.key in planned
            and finished.slot.recipe.accepts(finished.record.technique, finished.record.difficulty)
        ]
        self._write_journal(matching)
        self._saved_earlier |= {finished.slot.key: journal_line(finished) for finished in matching}

    def finish(self, places: Mapping[str, str]) -> None:
        """Mark the puzzles as published in the ledger, and remove the journal.

        Call this when all files are written. The ledger is the database of used puzzles. The journal is the
        file with the finished puzzles of a run, from which an interrupted run can be continued.

        Args:
            places: for each puzzle, the text to record in the ledger about where it is printed, such as its
                number in the book. The key is the fingerprint of the puzzle.
        """
        self.ledger.publish(places)
        if self._journal is not None:
            self._journal.remove()
        self.log.note("done", puzzles=self.plan.total)

    @property
    def kept(self) -> str:
        """Sentence that says how many puzzles are saved and how to continue the run.

        The text is empty if no puzzle is saved.
        """
        total = self.plan.total
        # ``saved`` is filled when the run reads the puzzles that an earlier run left in the journal. If they
        # are not read yet, count the puzzles in the journal.
        count = len(self.saved) or min(len(self._saved_earlier), total)
        if not count:
            return ""
        puzzles = f"{count} of {total} puzzle{'s' * (total != 1)} {'is' if count == 1 else 'are'} kept"
        return f"{puzzles}: {self.plan.command} goes on from there"

    def save(self, made: Sequence[FinishedSlot]) -> None:
        """Save finished puzzles in the journal, and report them to the log and the watcher."""
        try:
            self._write_journal(made)
        except KeyboardInterrupt:
            # Some lines may have been written already. Writing them twice does no harm.
            self._write_journal(made)
            raise
        for finished in made:
            self.log.made(finished)
            self._show(finished)

    def _write_journal(self, made: Sequence[FinishedSlot]) -> None:
        if self._journal is not None:
            self._journal.append((finished.slot.number, journal_text(finished)) for finished in made)
        self.saved.update(finished.slot.number for finished in made)

    def _show(self, finished: FinishedSlot) -> None:
        self.forecast.made(finished)
        self.watcher.made(finished)

    @cached_property
    def _make(self) -> PuzzleMaker:
        return self._maker or engine_maker()

    def resume(self, slots: Sequence[Slot]) -> dict[int, FinishedSlot]:
        """Read the puzzles that an earlier run saved, and return them by the numbers of their slots.

        A slot is the plan for one puzzle. For the slots without a saved puzzle, show the user how long their
        puzzles will probably take, with advice.
        """
        resumed = {}
        self.forecast.expect(slots)
        for slot in slots:
            line = self._saved_earlier and self._saved_earlier.get(slot.key)
            # If a line of the journal can't be used, its puzzle is made again.
            with contextlib.suppress(PuzzleError):
                if line:
                    resumed[slot.number] = read_journal_line(slot, line)
        self.saved.update(resumed)
        self.resumed += len(resumed)
        for finished in resumed.values():
            self.log.resumed(finished)
            self._show(finished)
        missing = [slot for slot in slots if slot.number not in resumed and slot.given is None]
        for message in outlook_lines(missing, self.forecast.table, self.forecast.at_a_time):
            self.watcher.notify(message)
        return resumed

    # The following methods make the puzzles. In these methods, an index is the position of a slot in
    # ``self._slots``. A slot is the plan for one puzzle.

    def _fill(self, slots: Sequence[Slot]) -> list[FinishedSlot]:
        self._start_filling(slots)
        if self._begun and slots and slots[0].given is None:
            self._adopt_calls(self._begun())
        while self._next < len(slots):
            self.ledger.heartbeat()
            self.watcher.waiting()
            self._submit_calls()
            self._save_results(self._collect())
            if self._should_reserve():
                self._accept_in_order()
        self._raise_failures()
        return self._accepted

    def _start_filling(self, slots: Sequence[Slot]) -> None:
        self._slots = slots
        self._resumed = self.resume(slots)
        self._at_work: set[int] = set()
        # Results of calls that are not saved in the journal yet.
        self._unsaved: deque[CallResult] = deque()
        # Maps the indexes of slots (plans for puzzles) to finished puzzles that are not accepted yet.
        self._finished: dict[int, FinishedSlot] = {}

        # The slots (plans for puzzles) that got no puzzle: maps the index of each to its error. The error is
        # None for a slot that was not tried, because another slot with the same recipe got no puzzle.
        self._failed: dict[int, LinkpressError | None] = {}
        self._failed_groups: set[Group] = set()
        self._fatal: dict[int, Exception] = {}
        self._accepted: list[FinishedSlot] = []
        self._alike = AlikeCheck(slots, strict=self.plan.holder.kind is Kind.VOLUME)
        # For each slot, the number of paths in the puzzle that the slot's first search (attempt 0) has found.
        self._paths: dict[int, int] = {}
        # Indexes of slots (plans for puzzles) for which the search can find no further puzzle. Every puzzle
        # that it has found for such a slot is too much like the puzzle of an earlier slot.
        self._exhausted: set[int] = set()
        # Indexes of slots (plans for puzzles) for which no further attempt is made. For each of them, the
        # puzzle that is least like earlier puzzles has been chosen. It is accepted even if it is much like
        # one of them.
        self._settled: set[int] = set()

        # ``_order`` has the indexes of the slots (plans for puzzles) that are not submitted to workers yet.
        # It begins with one slot of each puzzle recipe, so that impossible recipes are reported early.
        first = set({group_of(slot): slot.number for slot in reversed(slots)}.values())
        self._order = deque(sorted(range(len(slots)), key=lambda index: slots[index].number not in first))
        self._next = 0  # index of the first slot (plan for a puzzle) that has no accepted puzzle yet

        # Maps the indexes of slots (plans for puzzles) to finished puzzles that are not yet recorded in the
        # ledger. Several puzzles are recorded in one transaction, because that is faster.
        self._unreserved: dict[int, FinishedSlot] = {}
        # Time of the last round in which finished puzzles were accepted, and thereby reserved in the ledger.
        self._reserved_s = time.monotonic()

    def _adopt_calls(self, begun: Iterable[tuple[Future[Any], Sequence[Slot]]]) -> None:
        """Take over the calls that workers began while the book was checked.

        Args:
            begun: the future of each worker's calls, with the slots for which the worker makes puzzles. A
                slot is the plan for one puzzle. Puzzles that are not needed are ignored.
        """
        places = {slot.number: index for index, slot in enumerate(self._slots)}
        for future, slots in begun:
            keys: list[tuple[int, int] | None] = []
            for slot in slots:
                index = places[slot.number]
                is_needed = slot.number not in self._resumed and self.ledger.first_attempt(slot) == 0
                keys.append((index, 0) if is_needed else None)
                if is_needed:
                    self._at_work.add(index)
                    self._order.remove(index)
            calls = [(key, make_slot, (self._make, slot, 0)) for key, slot in zip(keys, slots, strict=True)]
            self._dispatcher.adopt(future, calls, max(map(_patience_of, slots)))

    def _collect(self) -> list[CallResult]:
        """Return results of finished calls, at most ``_RESERVE_TOGETHER``.

        Keep the other results for the next call. While this process saves results, it gives no calls to idle
        workers. So it should not save too many results at a time.
        """
        results = self._dispatcher.collect(waits=not self._unsaved)
        self._unsaved.extend(result for result in results if result.key is not None)
        return [self._unsaved.popleft() for _ in range(min(_RESERVE_TOGETHER, len(self._unsaved)))]

    def _submit_calls(self) -> None:
        while self._dispatcher.has_room and self._order and not self._fatal:
            index = self._order.popleft()
            slot = self._slots[index]
            if slot.number in self._resumed:
                self._add_finished(index, self._resumed[slot.number])
            elif self._is_hopeless(slot):
                self._failed[index] = None
                self.forecast.remove(slot)
            else:
                self._submit(index, self.ledger.first_attempt(slot))

    def _submit(self, index: int, attempt: int) -> None:
        slot = self._slots[index]
        self._at_work.add(index)
        self._dispatcher.submit(
            (index, attempt), make_slot, self._make, slot, attempt, self._paths.get(index),
            patience=_patience_of(slot), kind=slot.level,
        )  # fmt: skip

    def _save_results(self, results: Sequence[CallResult]) -> None:
        made: dict[int, FinishedSlot] = {}
        for result in results:
            index, attempt = result.key
            slot, error = self._slots[index], result.error
            if result.retried:
                self.log.again(slot, attempt, str(error))
                continue
            self._at_work.remove(index)
            if error is None:
                if self._proves_again and not is_proven(result.value):
                    raise ClusterError(
                        f"a worker of the cluster made a wrong board for {slot}. Check the memory and the "
                        "installation of its machines"
                    )
                made[index] = result.value
            elif slot.given is None and isinstance(error, RecipeError):
                if candidates := self._too_alike(index):
                    self._exhausted.add(index)
                    self._finished[index] = candidates[-1]
                else:
                    self._note_failure(index, error)
            elif slot.given is not None and isinstance(error, (CheckFailedError, GaveUpError)):
                self._failed[index] = error
            else:
                self._fatal[index] = error
        self.save(list(made.values()))
        for index, finished in made.items():
            self._add_finished(index, finished)

    def _add_finished(self, index: int, finished: FinishedSlot) -> None:
        self._finished[index] = finished
        if finished.record.attempt == 0:
            self._paths[index] = len(finished.record.puzzle.pairs)
        if index not in self._settled:
            self._alike.add(index, finished)
            self._unreserved[index] = finished
            self._refuse_early(index)

    def _refuse_early(self, index: int) -> None:
        """Make another puzzle for a slot at once if it is certain that its present puzzle will be refused.

        Puzzles are accepted or refused in the order of their slots. A puzzle is refused if it repeats an
        earlier puzzle of the run, or is too much like one. This may be known before it is the slot's turn. A
        slot is the plan for one puzzle.
        """
        finished = self._finished.get(index)
        if finished is None or finished.slot.given is not None:
            return
        attempt = finished.record.attempt
        if not self._is_last(index, attempt) and (reason := self._reason_to_refuse(index, finished)):
            self.log.again(finished.slot, attempt, reason)
            del self._finished[index]
            self._unreserved.pop(index, None)
            self._make_again(index, attempt)

    def _note_failure(self, index: int, error: RecipeError) -> None:
        slot = self._slots[index]
        is_first = not self._is_hopeless(slot)
        self._failed[index] = error
        self._failed_groups.add(group_of(slot))
        # No usable puzzle was found for this slot. If the journal has a puzzle for it, this puzzle is the
        # same as another one. So the slot doesn't count as saved.
        self.saved.discard(slot.number)
        self.forecast.remove(slot)
        self.log.note("unmet", **slot.facts, why=str(error), details=error.details)
        if is_first:
            self.watcher.unmet(slot, error.reason)

    def _is_hopeless(self, slot: Slot) -> bool:
        """Return whether to skip a slot, because the same recipe has already failed for another slot.

        A slot is the plan for one puzzle. If the run has no journal, all slots are skipped after the first
        failure: the run will end with an error, and further puzzles would be lost because they can't be
        saved.
        """
        return bool(self._failed_groups) and (self._journal is None or group_of(slot) in self._failed_groups)

    def _should_reserve(self) -> bool:
        waited_s = time.monotonic() - self._reserved_s
        is_due = len(self._finished) >= _RESERVE_TOGETHER or waited_s > _RESERVE_AFTER_S or not self._at_work
        if is_due:
            self._reserved_s += waited_s
        return is_due

    def _accept_in_order(self) -> None:
        """Accept or refuse finished puzzles in the order of their slots.

        A slot is the plan for one puzzle. Stop at the first slot whose puzzle is not finished.
        """
        while True:
            index = self._next
            if index in self._finished:
                finished = self._finished.pop(index)
                try:
                    if not self._accept(index, finished):
                        self._make_again(index, finished.record.attempt)
                        if index in self._finished:
                            continue
                        return
                    self._accepted.append(finished)
                except CheckFailedError as error:
                    self._failed[index] = error
                except RecipeError as error:
                    self._note_failure(index, error)
            elif index not in self._failed:
                if self._fatal and not self._at_work:
                    index = min(self._fatal)
                    raise _explained(self._fatal[index], self._slots[index])
                return
            self._next += 1

    def _accept(self, index: int, finished: FinishedSlot) -> bool:
        """Reserve a puzzle in the ledger.

        Return False if another puzzle must be made instead. This is necessary if the puzzle is already in use
        elsewhere, or is too much like an earlier puzzle of the run.

        Raises:
            CheckFailedError: the puzzle is a board from a file and is in use already.
        """
        slot, record = finished.slot, finished.record
        if slot.given is not None:
            self._refuse_if_in_use(finished)
        elif reason := self._reason_to_refuse(index, finished):
            self.log.again(slot, record.attempt, reason)
            return False
        else:
            if index in self._unreserved:
                self.ledger.reserve_ahead(list(self._unreserved.values()))
                self._unreserved.clear()
            place = self.ledger.reserve(finished)
            if place is not None:
                self.notes.append(f"passed over    {slot}, attempt {record.attempt}: it is in {place}")
                self.log.passed_over(finished, place)
                return False
        self._user_of[record.fingerprint] = str(slot)
        for later in self._alike.accept(index, finished):
            self._refuse_early(later)
        return True

    def _reason_to_refuse(self, index: int, finished: FinishedSlot) -> str | None:
        """Return the reason why a finished puzzle must be refused and replaced by another one.

        Return None if there is no such reason. The ledger is not asked here. It may still refuse the puzzle
        later.
        """
        if finished.record.fingerprint in self._user_of:
            return self.plan.repeated
        if index not in self._settled and self._alike.is_too_alike(index):
            return "most of its numbers are in the same squares as the numbers of another puzzle"
        return None

    def _too_alike(self, index: int) -> list[FinishedSlot]:
        """Return the puzzles made for a slot that were refused because they resemble an earlier puzzle.

        A slot is the plan for one puzzle. Puzzles that are the same as an earlier puzzle are left out,
        because they can never be accepted.
        """
        candidates = self._alike.too_alike(index)
        return [finished for finished in candidates if finished.record.fingerprint not in self._user_of]

    def _is_last(self, index: int, attempt: int) -> bool:
        """Return whether no other attempt for a slot follows this one.

        A slot is the plan for one puzzle, and an attempt is one search for this puzzle. An attempt is the
        last one if the slot's maximum number of attempts is reached, or if the search can't find another
        puzzle for the slot. After the last attempt, a puzzle is accepted even if it is too much like another
        one.
        """
        return attempt + 1 >= self._alike.most_attempts(index) or index in self._exhausted

    def _settle(self, index: int, candidates: Sequence[FinishedSlot]) -> FinishedSlot:
        """Choose one of the puzzles that were made for a slot: the one that is least like earlier puzzles.

        A slot is the plan for one puzzle of the book. The chosen puzzle will be accepted without a further
        comparison. If it is still too much like an earlier puzzle, add a note to the report.

        Args:
            index: the index of the slot.
            candidates: the puzzles to choose from.
        """
        overlaps = [self._alike.overlap(index, finished) for finished in candidates]
        overlap, least = min(zip(overlaps, candidates, strict=True), key=lambda pair: pair[0])
        self._settled.add(index)
        if overlap > MAX_OVERLAP:
            self.notes.append(
                f"much alike     {least.slot}: {overlap:.0%} of its numbers are in the same squares as the "
                "numbers of another puzzle; a wider range of paths makes boards differ more"
            )
        return least

    def _refuse_if_in_use(self, finished: FinishedSlot) -> None:
        user = self._user_of.get(finished.record.fingerprint)
        if user is not None:
            raise CheckFailedError(
                f"it is the same as {user}, perhaps turned, mirrored or renumbered; remove one of them"
            )
        place = self.ledger.holder_of(finished)
        if place is not None:
            raise CheckFailedError(
                f"it is already in {place}, perhaps turned, mirrored or renumbered; remove the puzzle from "
                "its file, or remove that book from the ledger with 'linkpress ledger forget'"
            )

    def _make_again(self, index: int, attempt: int) -> None:
        slot = self._slots[index]
        candidates = self._too_alike(index)
        if candidates and self._is_last(index, attempt):
            self._finished[index] = self._settle(index, candidates)
            self.forecast.add_again(slot)
            self.save([self._finished[index]])
            return
        if attempt + 1 >= self.ledger.first_attempt(slot) + MAX_ATTEMPTS:
            raise RecipeError(
                f"{slot}: all puzzles of {MAX_ATTEMPTS} attempts are already in the book or the ledger, "
                "perhaps turned, mirrored or renumbered. Too few different puzzles are possible: ask for "
                "fewer puzzles, a larger board, or a wider range of paths or solid squares."
            )
        self.forecast.add_again(slot)
        self._submit(index, attempt + 1)

    def _raise_failures(self) -> None:
        if self._failed and self._slots[0].given is not None:
            refuse_boards(self._slots, self._failed)
        if self._failed:
            kept = None if self._journal is None else self.kept
            raise RecipeError(unmet_message(self._slots, self._failed, self.forecast.table, kept))


def _patience_of(slot: Slot) -> float:
    return max(1.0, slot.effort)


def _explained(error: Exception, slot: Slot) -> Exception:
    if not isinstance(error, WorkerLost):
        return error
    return GaveUpError(
        f"{slot} can't be made: its worker was lost {MAX_LOSSES} times in a row; {error}. Perhaps memory is "
        "short: try again with fewer --jobs, or ask for a smaller board."
    )
