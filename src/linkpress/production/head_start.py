"""Let workers make the first puzzles of a book while this process still checks the book.

After a spec was read, this process imports modules and checks the book for 0.3 seconds or more. Meanwhile,
all workers but one make puzzles. One processor core is left to this process, so the check takes no longer.
With one job, no puzzles are made ahead. The puzzles are dropped if the book can't be printed.
"""

from __future__ import annotations

import mmap
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import suppress
from dataclasses import replace
from typing import Any

from linkpress.book.plan import Slot
from linkpress.errors import GaveUpError
from linkpress.production.dispatch import Workers, make_call
from linkpress.production.slot_search import PuzzleMaker, engine_maker, make_slot

# Numbers that this process shares with its workers. The first number is 1 if workers should make no more
# puzzles ahead. Each further number belongs to one worker, and says how many puzzles this worker has begun.
_shared = memoryview(mmap.mmap(-1, 1 << 12)).cast("I")


class HeadStart:
    """Workers that make the first puzzles of a book before its production run begins. A context manager.

    Args:
        workers: settings of the workers.
    Attributes:
        workers: settings to pass to the production run. With these settings, the run takes over the worker
            processes that made the first puzzles, instead of starting new processes.
    """

    def __init__(self, workers: Workers) -> None:
        self.workers = replace(workers, make_executor=self._make_executor, begun=self.hand_over)
        self._make_new = workers.make_executor
        self._pool: Executor | None = None
        self._begun: list[tuple[Future[Any], Sequence[Slot]]] = []

    def __enter__(self) -> HeadStart:
        return self

    def __exit__(self, *exc_info: object) -> None:
        if self._pool is not None:
            self._pool.shutdown()

    def begin(self, slots: Sequence[Slot]) -> None:
        """Start the workers, and let all but one make the puzzles of the first slots.

        One worker stays idle, to leave a processor core to this process. A slot is the plan for one puzzle.
        Nothing is done in three cases: there is only one job, all boards come from files, or the workers are
        not forks of this process.
        """
        jobs, free = self.workers.jobs, [slot for slot in slots if slot.given is None]
        count = min(jobs, len(slots), len(_shared)) - 1
        if count < 1 or not free or not self.workers.forked:
            return
        maker = engine_maker()
        for index in range(count + 1):
            _shared[index] = 0
        # Ignore the error that is raised if no process can be started, because the production run will fail
        # in the same way and report it.
        with suppress(GaveUpError):
            self._pool = self._make_new(min(jobs, len(slots)))
            for index in range(count):
                share = free[index::count]
                self._begun.append((self._pool.submit(_make_ahead, maker, share, index + 1), share))

    def hand_over(self) -> Iterator[tuple[Future[Any], Sequence[Slot]]]:
        """Stop the workers from beginning further puzzles, and yield the puzzles that they have begun.

        A slot is the plan for one puzzle. A worker still finishes its present puzzle. For each worker that
        has begun at least one puzzle, a future is yielded, with the slots of all puzzles that the worker has
        begun. The value of the future is the outcome of each call of ``make_slot``, and the seconds that all
        calls took.
        """
        _shared[0] = 1
        for index, (future, share) in enumerate(self._begun, start=1):
            if _shared[index]:
                yield future, share[: _shared[index]]
        self._begun.clear()

    def _make_executor(self, jobs: int) -> Executor:
        """Return an executor. The first call returns the one that ``begin`` has started, if there is one.

        All other calls start a new executor.
        """
        pool, self._pool = self._pool, None
        return pool or self._make_new(jobs)


def _make_ahead(maker: PuzzleMaker, slots: Sequence[Slot], index: int) -> tuple[list[Any], float]:
    """Make puzzles in a worker until ``HeadStart.hand_over`` is called in the parent process.

    Args:
        slots: the slots of the puzzles. A slot is the plan for one puzzle.
        index: the place in ``_shared`` where this worker writes how many puzzles it has begun.
    Returns:
        The outcome of each call of ``make_slot``, and the seconds that all calls took.
    """
    start, outcomes = time.perf_counter(), []
    for begun, slot in enumerate(slots, start=1):
        if _shared[0]:
            break
        _shared[index] = begun
        outcomes.append(make_call(make_slot, (maker, slot, 0)))
    return outcomes, time.perf_counter() - start
