"""The slots of a run on their way: handed out, noted as they end, taken in their order.

Workers have something to do before the ledger is open, which takes 0.2 s; what they make until then counts
only where the ledger begins the slot with that attempt, too.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from linkpress.book.plan import Slot
from linkpress.documents.problem import MAX_SHOWN
from linkpress.engine.recipe import Recipe
from linkpress.errors import FoundWantingError, GaveUpError, GradeError, LinkpressError, RecipeError
from linkpress.production.board_checks import refuse_boards
from linkpress.production.dispatch import MAX_LOSSES, CallResult, Dispatcher, WorkerLost
from linkpress.production.finished_slot import FinishedSlot
from linkpress.production.forecast import advice, group_of
from linkpress.production.run import ProductionRun
from linkpress.production.slot_search import make_slot

MAX_ATTEMPTS = 30
# Where puzzles come fast several are taken at once: they cost the ledger hardly more than one.
_TAKEN_AT_ONCE = 16
_LONGEST_WAIT_S = 0.1


def fill_slots(run: ProductionRun, slots: Sequence[Slot], dispatcher: Dispatcher) -> tuple[FinishedSlot, ...]:
    """Make what is not there yet.

    Boards from files come first: all of them are proven before any is reserved.

    Args:
        run: of a book or a feed.
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
        finished = _SlotQueue(run, from_files, dispatcher).result()
    except (FoundWantingError, GaveUpError):
        if not run.earlier:
            run.saved.clear()  # so that nothing is left behind
        raise
    for one in finished:
        place = run.ledger.reserve(one)
        if place is not None:
            raise FoundWantingError(f"{one.slot} was taken by {place} meanwhile. Take it out of its file.")
    finished += _SlotQueue(run, [slot for slot in slots if slot.given is None], dispatcher).result()
    return tuple(sorted(finished, key=lambda one: one.slot.number))


class _SlotQueue:
    """Some slots of a run: those being made, those that wait for earlier ones, those that are done.

    Args:
        run: whose journal, ledger and log are told.
        slots: in the order in which they may have puzzles.
        dispatcher: hands them out.
    """

    def __init__(self, run: ProductionRun, slots: Sequence[Slot], dispatcher: Dispatcher) -> None:
        self.run = run
        self.slots = slots
        self.dispatcher = dispatcher
        self.ready = run.resume(slots)
        self.at_work: set[int] = set()
        self.ended: list[CallResult] = []  # and not noted yet
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
            self.run.ledger.load()
            self.ended += self.dispatcher.collect()
            if self.run.ledger.is_loading() and self.begun < len(self.slots):
                continue  # workers have enough to do; nothing is noted that the ledger might say otherwise of
            self.run.open_ledger()
            ended, self.ended = self.ended, []
            self._note(ended)
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

    def _note(self, ended: Sequence[CallResult]) -> None:
        made: dict[int, FinishedSlot] = {}
        for result in ended:
            at, attempt = result.key
            if not result.retried:
                self.at_work.remove(at)
            first = self.run.ledger.first_attempt(self.slots[at])
            if attempt < first:  # handed out before the ledger was open
                if not result.retried:
                    self._submit(at, first)
            elif result.fault is None:
                made[at] = result.value
            elif result.retried:
                self.run.log.again(self.slots[at], attempt, str(result.fault))
            else:
                self._note_fault(at, result.fault)
        self.run.save(list(made.values()))
        self.waiting |= made

    def _note_fault(self, at: int, fault: Exception) -> None:
        if self.slots[at].given and isinstance(fault, (FoundWantingError, GaveUpError)):
            self.refused[at] = fault
        elif isinstance(fault, RecipeError):
            self._miss(at, fault)
        else:
            self.faults[at] = fault

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
