"""Let workers make the first puzzles of a book while this process still checks the book.

After a spec was read, this process imports modules and checks the book for 0.3 seconds or more. Meanwhile,
all workers but one make puzzles. One processor core is left to this process, so the check takes no longer.
With one job, no puzzles are made ahead. The puzzles are dropped if the book can't be printed.
"""

from __future__ import annotations

import mmap
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import suppress
from dataclasses import replace

from linkpress.book.plan import Slot
from linkpress.errors import GaveUpError
from linkpress.production.dispatch import Workers
from linkpress.production.slot_search import FinishedSlot, PuzzleMaker, engine_maker, make_slot

# Maximum number of puzzles that one worker makes ahead.
_MOST = 1_000
# Seconds to wait at first for the workers to return their puzzles. Each worker finishes its present puzzle
# before. If that takes longer, later calls of ``take`` yield its puzzles.
_WAIT_S = 0.02

# A byte that this process shares with its workers. It is 1 if they should make no more puzzles ahead.
_stop = mmap.mmap(-1, 1)


class HeadStart:
    """Workers that make the first puzzles of a book before its production run begins. A context manager.

    Args:
        workers: settings of the workers.
    Attributes:
        workers: settings with which the workers of this object are used for further calls.
    """

    def __init__(self, workers: Workers) -> None:
        self.workers = replace(workers, make_executor=self._make_executor, made_ahead=self.take)
        self._make_new = workers.make_executor
        self._pool: Executor | None = None
        self._begun: list[Future[list[FinishedSlot]]] = []
        self._wait_s = _WAIT_S

    def __enter__(self) -> HeadStart:
        return self

    def __exit__(self, *exc_info: object) -> None:
        if self._pool is not None:
            self._pool.shutdown()

    def begin(self, slots: Sequence[Slot]) -> None:
        """Start the workers, and let all but one make the puzzles of the first slots.

        A slot is the plan for one puzzle. Nothing is done with one job, or if workers are not forks of this
        process.
        """
        jobs, free = self.workers.jobs, [slot for slot in slots if slot.given is None]
        if jobs < 2 or not self.workers.forked or not free:
            return
        maker, _stop[0] = engine_maker(), 0
        with suppress(GaveUpError):  # The production run will report that no process can be started.
            self._pool = self._make_new(min(jobs, len(slots)))
            shares = [free[index :: jobs - 1][:_MOST] for index in range(jobs - 1)]
            self._begun = [self._pool.submit(_make_ahead, maker, share) for share in shares]

    def take(self) -> Iterator[FinishedSlot]:
        """Stop the work ahead, and yield the puzzles that are made. Further calls yield no puzzle again."""
        _stop[0] = 1
        until_s, self._wait_s = time.monotonic() + self._wait_s, 0.0
        for future in list(self._begun):
            with suppress(TimeoutError):
                future.exception(max(0.0, until_s - time.monotonic()))
                self._begun.remove(future)
                with suppress(BrokenExecutor):
                    yield from future.result()

    def _make_executor(self, jobs: int) -> Executor:
        """Return the executor with the running workers. Later calls return new executors."""
        pool, self._pool = self._pool, None
        return pool or self._make_new(jobs)


def _make_ahead(maker: PuzzleMaker, slots: Sequence[Slot]) -> list[FinishedSlot]:
    """Make puzzles in a worker until the process that called it wants them.

    Return early if there is an error. The production run will meet the same error again.
    """
    made: list[FinishedSlot] = []
    with suppress(Exception):
        for slot in slots:
            made.append(make_slot(maker, slot, 0))
            if _stop[0]:
                break
    return made
