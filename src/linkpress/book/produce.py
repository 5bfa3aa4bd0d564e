"""From slots to puzzles, over any ``concurrent.futures.Executor``.

The result depends on the slots alone, not on how many work at it: puzzles are taken in the order
of the slots, and one that repeats an earlier one under symmetry and renumbering is made again
from its slot's next attempt.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from linkpress.book.crew import Crew, WorkerLost
from linkpress.book.judged import judge_board, refuse_boards
from linkpress.book.plan import Slot
from linkpress.book.produced import FinishedSlot
from linkpress.book.puzzle_record import record_made
from linkpress.book.workers import InProcess
from linkpress.engine.recipe import Method, Recipe
from linkpress.errors import FoundWantingError, GaveUpError, LinkpressError, RecipeError

if TYPE_CHECKING:  # loads numba; worth it only where puzzles are made
    from linkpress.engine.generate import Made

MAX_ATTEMPTS = 30
# Calls handed out beyond those that run, so that no worker waits for this process.
_AHEAD = 3
MAX_LOSSES = 3
_THE_BOOK = "a puzzle that the book has already"
_ATTEND_S = 0.5

Maker = Callable[[Recipe, str, Method], "Made"]


def _say_nothing(produced: FinishedSlot) -> None:
    pass


def _admit_all(produced: FinishedSlot) -> bool:
    return True


def _from_the_start(slot: Slot) -> int:
    return 0


def _wait_on() -> None:
    pass


def _try_again(slot: Slot, attempt: int, why: str) -> None:
    pass


def produce(
    slots: Sequence[Slot],
    jobs: int = 1,
    on_done: Callable[[FinishedSlot], None] = _say_nothing,
    *,
    ready: Mapping[int, FinishedSlot] = MappingProxyType({}),
    admit: Callable[[FinishedSlot], bool] = _admit_all,
    first_attempt: Callable[[Slot], int] = _from_the_start,
    known: Collection[str] = (),
    on_turn: Callable[[], None] = _wait_on,
    on_again: Callable[[Slot, int, str], None] = _try_again,
    maker: Maker | None = None,
    executor: Executor | None = None,
    start_method: str | None = None,
) -> tuple[FinishedSlot, ...]:
    """Make the puzzle of every slot.

    Args:
        slots: the plan.
        jobs: how many puzzles are made at a time; 1 works in this process.
        on_done: called here for each puzzle as it comes, in any order; a slot that is made
            again comes again.
        ready: finished in an earlier run, by the slot's number; not made again.
        admit: asked in the order of the slots, once for each puzzle that repeats no earlier one;
            False has the slot made again from its next attempt. For a given board it may raise
            ``FoundWantingError`` instead, which is told with the other boards' faults.
        first_attempt: which attempt a slot begins with.
        known: fingerprints of puzzles that the book has already.
        on_turn: called over and over while there is work, between puzzles.
        on_again: told of each slot that is made again for another reason than ``admit``'s word: which
            attempt came to nothing, and why.
        maker: makes one puzzle from recipe, seed and method; can be pickled. The engine's
            ``generate``, grading every puzzle, if None.
        executor: runs the calls instead of processes of its own, and is not shut down here.
        start_method: how processes are started; as ``Crew`` chooses if None.
    Returns:
        One puzzle a slot, in their order; no two the same under symmetry and renumbering.
    Raises:
        FoundWantingError: given boards have not one solution, or are there already; lists them.
        RecipeError: a recipe can't be met, or allows too few different puzzles; names the slot,
            the first in order of those that fail.
        GaveUpError: the worker processes of one slot died or hung again and again, or nothing but
            proofs that were given up stands against given boards.
    """
    if maker is None:
        maker = _engine(warm=jobs > 1 or executor is not None)
    run = _Run(
        slots, maker, on_done, admit, ready, first_attempt, on_turn, on_again, dict.fromkeys(known, _THE_BOOK)
    )
    if executor is not None:
        return run.result(executor, jobs * _AHEAD)
    if jobs == 1:
        return run.result(InProcess(), 1)
    with Crew(min(jobs, max(1, len(slots))), start_method) as crew:
        return run.result(crew, jobs * _AHEAD)


def _engine(warm: bool) -> Maker:
    from linkpress.engine.generate import generate
    from linkpress.engine.warming import warm_engine

    if warm:  # or every worker would compile for itself
        warm_engine()
    return partial(generate, graded=True)


def make_slot(maker: Maker, slot: Slot, attempt: int) -> FinishedSlot:
    """Make one slot's puzzle; what a worker is called with.

    Raises:
        RecipeError: as the maker's, with the slot named.
        FoundWantingError, GaveUpError: a given board has not one solution, or no proof of it.
    """
    start = time.perf_counter()
    try:
        if slot.given is not None:
            made = judge_board(slot.given, slot.recipe.rule)
        else:
            made = maker(slot.recipe, slot.seed_of(attempt), slot.method)
    except RecipeError as fault:
        raise RecipeError(f"{slot}: {fault}") from None
    return FinishedSlot(slot, record_made(made, slot, attempt), made.attempts, time.perf_counter() - start)


@dataclass
class _Run:
    """The work in progress: what is being made, what waits for its turn, what was taken."""

    slots: Sequence[Slot]
    maker: Maker
    on_done: Callable[[FinishedSlot], None]
    admit: Callable[[FinishedSlot], bool]
    ready: Mapping[int, FinishedSlot]
    first_attempt: Callable[[Slot], int]
    on_turn: Callable[[], None]
    on_again: Callable[[Slot, int, str], None]
    fingerprints: dict[str, str]  # whose each is
    executor: Executor = field(init=False)
    pending: dict[Future[FinishedSlot], tuple[int, int]] = field(default_factory=dict)
    losses: Counter[int] = field(default_factory=Counter)
    waiting: dict[int, FinishedSlot] = field(default_factory=dict)
    faults: dict[int, BaseException] = field(default_factory=dict)
    refused: dict[int, LinkpressError] = field(default_factory=dict)  # given boards
    taken: list[FinishedSlot] = field(default_factory=list)
    begun: int = 0
    turn: int = 0

    def result(self, executor: Executor, window: int) -> tuple[FinishedSlot, ...]:
        self.executor = executor
        try:
            while self.turn < len(self.slots):
                self.on_turn()
                self._hand_out(window)
                self._collect()
                self._take()
        finally:
            for future in self.pending:
                future.cancel()
        if self.refused:
            refuse_boards(
                [(self.slots[at], fault) for at, fault in sorted(self.refused.items())], len(self.slots)
            )
        return tuple(self.taken)

    def _hand_out(self, window: int) -> None:
        while len(self.pending) < window and self.begun < len(self.slots) and not self.faults:
            slot = self.slots[self.begun]
            if slot.number in self.ready:
                self.waiting[self.begun] = self.ready[slot.number]
            else:
                self._submit(self.begun, self.first_attempt(slot))
            self.begun += 1

    def _submit(self, at: int, attempt: int) -> None:
        try:
            future = self.executor.submit(make_slot, self.maker, self.slots[at], attempt)
        except BrokenExecutor as fault:
            self.faults[at] = fault
        else:
            self.pending[future] = (at, attempt)

    def _collect(self) -> None:
        for future in _ended(self.executor, self.pending):
            at, attempt = self.pending.pop(future)
            fault = future.exception()
            if fault is None:
                self.waiting[at] = future.result()
                self.on_done(self.waiting[at])
            elif isinstance(fault, WorkerLost) and self.losses[at] + 1 < MAX_LOSSES:
                self.losses[at] += 1
                self.on_again(self.slots[at], attempt, str(fault))
                self._submit(at, attempt)
            elif self.slots[at].given is not None and isinstance(fault, (FoundWantingError, GaveUpError)):
                self.refused[at] = fault
            else:
                self.faults[at] = fault

    def _take(self) -> None:
        """Take what has its turn; a fault comes out when its turn comes, whoever met it first."""
        while (at := self.turn) in self.waiting or at in self.faults or at in self.refused:
            if at in self.faults:
                raise _told(self.faults[at], self.slots[at])
            if at in self.waiting:
                puzzle = self.waiting.pop(at)
                if puzzle.slot.given is not None:
                    self._take_given(at, puzzle)
                elif puzzle.record.fingerprint in self.fingerprints or not self.admit(puzzle):
                    self._again(at, puzzle)
                    return
                else:
                    self._keep(puzzle)
            self.turn += 1

    def _take_given(self, at: int, puzzle: FinishedSlot) -> None:
        try:
            if puzzle.record.fingerprint in self.fingerprints:
                twin = self.fingerprints[puzzle.record.fingerprint]
                raise FoundWantingError(f"it is {twin} again, as it stands, turned, mirrored or renumbered")
            self.admit(puzzle)
        except FoundWantingError as fault:
            self.refused[at] = fault
        else:
            self._keep(puzzle)

    def _keep(self, puzzle: FinishedSlot) -> None:
        self.fingerprints[puzzle.record.fingerprint] = str(puzzle.slot)
        self.taken.append(puzzle)

    def _again(self, at: int, puzzle: FinishedSlot) -> None:
        if puzzle.record.attempt + 1 >= self.first_attempt(puzzle.slot) + MAX_ATTEMPTS:
            raise RecipeError(
                f"{puzzle.slot}: {MAX_ATTEMPTS} attempts gave only puzzles that the book or the ledger has "
                "already, turned, mirrored or renumbered. The recipe allows too few different ones: ask for "
                "fewer puzzles, a larger board or a wider range of paths or solids."
            )
        if puzzle.record.fingerprint in self.fingerprints:
            self.on_again(puzzle.slot, puzzle.record.attempt, "the book has this puzzle already")
        self._submit(at, puzzle.record.attempt + 1)


def _ended(executor: Executor, pending: Collection[Future[FinishedSlot]]) -> list[Future[FinishedSlot]]:
    """The calls that have ended, after waiting for one if there are any."""
    if isinstance(executor, Crew):
        executor.attend(_ATTEND_S)
        return [future for future in pending if future.done()]
    return list(wait(pending, _ATTEND_S, return_when=FIRST_COMPLETED).done)


def _told(fault: BaseException, slot: Slot) -> BaseException:
    if not isinstance(fault, (WorkerLost, BrokenExecutor)):
        return fault
    times = f"{MAX_LOSSES} times in a row" if isinstance(fault, WorkerLost) else "by another's end"
    return GaveUpError(
        f"{slot} can't be made: its worker was lost {times}; {fault}. Perhaps memory is short: try again "
        "with fewer --jobs, or ask for a smaller board."
    )
