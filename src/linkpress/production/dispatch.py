"""Call functions in worker processes, and repeat the calls of workers that die or hang.

``Dispatcher`` passes calls to any ``concurrent.futures.Executor``. If a function raises an exception, this is
the result of its call. If a future raises a ``LinkpressError`` itself, the executor can't run any more calls.
If a future raises any other exception, its worker was lost. A broken executor is shut down and replaced. So
is an executor on this machine if a call hangs.

Standard executors don't say which call broke them. They start calls in the order of submission. So with n
workers, the first n unfinished calls are suspects. Each suspect is repeated alone, so that a further loss has
only one suspect.

Passing a call to a worker takes half a millisecond, which is much for a call of one millisecond. So quick
calls of the same kind are passed to a worker in batches. After a worker is lost, all calls are passed one by
one.
"""

from __future__ import annotations

import itertools
import os
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from dataclasses import dataclass
from typing import Any, TypeVar

from linkpress.errors import LinkpressError

T = TypeVar("T")

# Seconds after which a worker counts as hanging. A search for a puzzle has a limit of work, and takes minutes
# at most even on the largest boards.
PATIENCE_S = 1800.0
MAX_LOSSES = 3
_WAIT_S = 0.5
# Maximum number of calls in a batch. Passing 1,600 calls of a millisecond to workers took 0.43 s of processor
# time one by one, 0.16 s in batches of four, and 0.05 s in batches of sixteen.
_MAX_BATCH = 16
# Smallest number of pages to share among workers. Starting two workers takes as long as drawing or checking
# 20 pages. So sharing 40 pages between two workers saves no time, and sharing 60 pages saves a sixth.
_MIN_SHARED_ITEMS = 60
_WORKER_ENDED = "the worker process ended from outside"

_Work = tuple[Callable[..., Any], tuple[Any, ...]]
_Outcome = tuple[Any, Exception | None]
"""Returned value and raised exception of a call; one of them is None."""


class WorkerLost(Exception):  # noqa: N818 - named like ``BrokenExecutor``
    """The worker of a call died or hung.

    Args:
        why: a phrase that says what happened to the worker.
        index: the index of the call among those of ``call_each``.
    """

    def __init__(self, why: str, index: int = 0) -> None:
        super().__init__(why)
        self.index = index


@dataclass(frozen=True, slots=True)
class Workers:
    """Settings of the workers that run calls.

    Args:
        jobs: the number of calls run at a time.
        make_executor: function that takes a number of workers and returns a new executor. It is called again
            if an executor breaks.
        patience_s: the number of seconds after which a call counts as lost.
        ahead: the number of calls to pass to the executor for each job. With more than one, no worker has to
            wait for the next call.
        remote: whether the workers are on other machines. This process can't end their hanging calls, so each
            call ends its worker itself after ``patience_s``.
        jobs_now: function that returns the current number of jobs; None if ``jobs`` never changes.
        batch_s: the number of seconds that a batch of calls should take. If it is 0, calls are passed one by
            one. Remote workers never get batches.
        forked: whether the workers are forks of this process, which have copies of all its objects.
    """

    jobs: int
    make_executor: Callable[[int], Executor]
    patience_s: float = PATIENCE_S
    ahead: int = 3
    remote: bool = False
    jobs_now: Callable[[], int] | None = None
    batch_s: float = 0.0
    forked: bool = False


@dataclass(frozen=True, slots=True)
class CallResult:
    """Result of a call.

    Args:
        key: the key that was given to ``Dispatcher.submit``.
        value: the value that the call returned.
        error: the exception that the call raised; ``WorkerLost`` if the worker died or hung.
        retried: whether the call was lost and is being repeated. Another result will follow.
    """

    key: Any
    value: Any = None
    error: Exception | None = None
    retried: bool = False


@dataclass(eq=False)
class _Call:
    key: Any
    work: _Work
    patience_s: float
    kind: str
    start_s: float | None = None
    losses: int = 0


class Dispatcher:
    """Passes calls to workers, and collects their results. A context manager; only one thread may use it.

    At the end of the block, unfinished calls are ended at once.

    Args:
        workers: the workers.
        calls: the maximum number of calls in all. No more workers than this are started.
    """

    def __init__(self, workers: Workers, calls: int) -> None:
        self._workers = workers
        self._jobs = max(1, min(workers.jobs, calls))
        self._jobs_now = workers.jobs_now or (lambda: self._jobs)
        self._batch_s = workers.batch_s
        self._executor: Executor | None = None
        self._queue: deque[_Call] = deque()
        self._pending: dict[Future[Any], list[_Call]] = {}
        self._batch_sizes: dict[str, int] = {}  # the number of calls in the next batch, by kind of call
        self._results: list[CallResult] = []

    def __enter__(self) -> Dispatcher:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._drop_executor()

    @property
    def has_room(self) -> bool:
        """Whether to submit another call now, to keep the workers busy."""
        if any(future.done() for future in self._pending):
            # Collect finished results first, so that Ctrl-C loses no result.
            return False
        queued = len(self._queue) / max(self._batch_sizes.values(), default=1)
        return len(self._pending) + queued < max(1, self._jobs_now()) * self._workers.ahead

    def submit(
        self, key: Any, function: Callable[..., Any], *args: Any, patience: float = 1.0, kind: str = ""
    ) -> None:
        """Queue a call.

        Args:
            key: any value. The result of the call has this value too.
            function: a function of a module. The function and its arguments are pickled.
            args: the arguments.
            patience: factor for the time after which the call counts as lost.
            kind: text that is equal for calls that take about the same time. They may go into one batch.
        """
        self._queue.append(_Call(key, (function, args), patience * self._workers.patience_s, kind))
        if len(self._queue) >= self._batch_sizes.get(kind, 1):
            self._hand_out()

    def collect(self) -> list[CallResult]:
        """Return the results of calls that have ended or were lost.

        Wait up to half a second for the first.
        """
        self._hand_out()
        if self._pending and not self._results:
            wait(self._pending, _WAIT_S, return_when=FIRST_COMPLETED)
        for future in [future for future in self._pending if future.done()]:
            if future in self._pending:
                self._collect_from(future)
        self._replace_hanging()
        self._hand_out()
        results, self._results = self._results, []
        return results

    def _hand_out(self) -> None:
        while self._queue and not (self._pending and self._has_suspects()):
            calls = self._next_batch()
            if self._executor is None:
                self._executor = self._workers.make_executor(self._jobs)
            try:
                if self._workers.remote:
                    future: Future[Any] = self._executor.submit(
                        _call_in_time, calls[0].patience_s, *calls[0].work
                    )
                else:
                    future = self._executor.submit(_make_calls, [call.work for call in calls])
            except (BrokenExecutor, OSError):  # The executor broke, or can't start another worker.
                suspects = self._running()
                if suspects:
                    self._queue.extendleft(reversed(calls))
                self._replace_executor(_WORKER_ENDED, suspects or calls)
            else:
                self._pending[future] = calls

    def _next_batch(self) -> list[_Call]:
        calls = [self._queue.popleft()]
        kind = calls[0].kind
        while self._queue and self._queue[0].kind == kind and len(calls) < self._batch_sizes.get(kind, 1):
            calls.append(self._queue.popleft())
        return calls

    def _has_suspects(self) -> bool:
        """Return whether the next call, or a running one, was lost before. Such a call must run alone."""
        calls = itertools.chain.from_iterable(self._pending.values())
        return self._queue[0].losses > 0 or any(call.losses for call in calls)

    def _collect_from(self, future: Future[Any]) -> None:
        try:
            error = future.exception()
        except CancelledError as cancelled:
            error = cancelled
        if isinstance(error, BrokenExecutor):
            self._replace_executor(_WORKER_ENDED, self._running())
            return
        calls = self._pending.pop(future)
        if isinstance(error, LinkpressError):
            self._results += [CallResult(call.key, error=error) for call in calls]
        elif error is not None:
            why = str(error) if isinstance(error, WorkerLost) else f"{type(error).__name__}: {error}"
            for call in reversed(calls):
                self._lose(call, why)
        elif self._workers.remote:
            self._results.append(CallResult(calls[0].key, *future.result()))
        else:
            outcomes, took_s = future.result()
            self._results += [
                CallResult(call.key, *outcome) for call, outcome in zip(calls, outcomes, strict=True)
            ]
            self._adapt_batch_size(calls, took_s)

    def _adapt_batch_size(self, calls: list[_Call], took_s: float) -> None:
        """Choose the size of the next batches so that a batch takes about ``batch_s`` seconds.

        The size is at most doubled, because one quick batch may be an exception.

        Args:
            calls: the calls of the last batch. The size is for calls of the same kind.
            took_s: the seconds that the last batch took.
        """
        fitting = min(_MAX_BATCH, 2 * len(calls), round(self._batch_s * len(calls) / (took_s or 1.0)))
        self._batch_sizes[calls[0].kind] = max(1, fitting)

    def _replace_hanging(self) -> None:
        if self._workers.remote:
            return
        now = time.monotonic()
        hanging = []
        for calls in self._running_batches():
            start_s = calls[0].start_s = calls[0].start_s or now
            if now - start_s > _patience_of(calls):
                hanging.append(calls)
        if hanging:
            longest_s = max(map(_patience_of, hanging))
            suspects = [call for calls in hanging for call in calls]
            self._replace_executor(f"the worker did not answer for {longest_s:.0f} s", suspects)

    def _running_batches(self) -> list[list[_Call]]:
        """Return the batches that are running now. They are the oldest, because executors keep the order."""
        unfinished = (
            calls for future, calls in self._pending.items() if not future.done() or future.exception()
        )
        return list(itertools.islice(unfinished, self._jobs))

    def _running(self) -> list[_Call]:
        return [call for calls in self._running_batches() for call in calls]

    def _replace_executor(self, why: str, suspects: list[_Call]) -> None:
        """Shut down the executor. A new one will repeat all unfinished calls.

        Args:
            why: a phrase that says what happened to a worker.
            suspects: the calls that may be the cause. Only these are counted as lost.
        """
        unfinished: list[_Call] = []
        for future, calls in list(self._pending.items()):
            if future.done() and future.exception() is None:
                self._collect_from(future)
            else:
                unfinished += calls
        self._pending.clear()
        self._drop_executor()
        self._queue.extendleft(reversed([call for call in unfinished if call not in suspects]))
        for call in reversed(suspects):
            self._lose(call, why)

    def _lose(self, call: _Call, why: str) -> None:
        call.losses, call.start_s = call.losses + 1, None
        self._batch_s = 0.0
        self._batch_sizes.clear()
        again = call.losses < MAX_LOSSES
        if again:
            self._queue.appendleft(call)
        self._results.append(CallResult(call.key, error=WorkerLost(why), retried=again))

    def _drop_executor(self) -> None:
        executor, self._executor = self._executor, None
        if executor is not None:
            executor.shutdown(wait=False, cancel_futures=True)


def _patience_of(calls: Sequence[_Call]) -> float:
    return sum(call.patience_s for call in calls)


def call_each(
    workers: Workers,
    function: Callable[..., T],
    arguments: Sequence[tuple[Any, ...]],
    done: Callable[[], None] = lambda: None,
) -> Iterator[T]:
    """Call a function with each tuple of arguments, in parallel.

    Args:
        workers: the workers that run the calls.
        function: a function of a module. The function and its arguments are pickled.
        arguments: the arguments of each call.
        done: function that is called after each successful call.
    Yields:
        The returned values in the order of the arguments.
    Raises:
        WorkerLost: the workers of one call died or hung several times.
        Exception: the exception of a call. If several calls fail, the first in the order of the arguments.
    """
    ended: dict[int, CallResult] = {}
    left = deque(enumerate(arguments))
    with Dispatcher(workers, len(arguments)) as dispatcher:
        for index in range(len(arguments)):
            while index not in ended:
                while left and dispatcher.has_room:
                    key, args = left.popleft()
                    dispatcher.submit(key, function, *args)
                for result in dispatcher.collect():
                    if result.retried:
                        continue
                    ended[result.key] = result
                    if result.error is None:
                        done()
                    else:
                        left.clear()  # The error will be raised, so the remaining calls are not needed.
            result = ended.pop(index)
            if isinstance(result.error, WorkerLost):
                raise WorkerLost(str(result.error), index)
            if result.error is not None:
                raise result.error
            yield result.value


_inherited: Callable[[int, int], Any] | None = None  # the function of ``call_shares``, for forked workers


def call_shares(
    workers: Workers | None, function: Callable[[int, int], T | None], count: int
) -> list[T] | None:
    """Call a function once in each worker, so that each does its share of one task.

    Args:
        workers: the workers; None if there are none.
        function: takes the worker's index and the number of workers. It returns None if it can't do its share
            in a worker. It is pickled unless workers are forked.
        count: the number of items of the task, such as pages.
    Returns:
        The returned values in order. None if a share could not be done, if there are fewer than two workers
        or few items, or if workers are on other machines. The caller then does the whole task itself.
    """
    global _inherited
    if workers is None or workers.jobs < 2 or workers.remote or count < _MIN_SHARED_ITEMS:
        return None
    _inherited, passed = function, None if workers.forked else function
    try:
        calls = [(passed, index, workers.jobs) for index in range(workers.jobs)]
        shares = list(call_each(workers, _call_share, calls))
    except (WorkerLost, LinkpressError, MemoryError):
        return None
    finally:
        _inherited = None
    done = [share for share in shares if share is not None]
    return done if len(done) == len(shares) else None


# Functions that run in a worker


def _call_share(function: Callable[[int, int], Any] | None, index: int, count: int) -> Any:
    called = function or _inherited
    return called and called(index, count)


def _call_in_time(patience_s: float, function: Callable[..., Any], args: tuple[Any, ...]) -> _Outcome:
    """Run a call in a worker on another machine. If it takes too long, end the worker."""
    timer = threading.Timer(patience_s, os._exit, (1,))
    timer.daemon = True
    timer.start()
    try:
        return _make_call(function, args)
    finally:
        timer.cancel()


def _make_calls(work: Sequence[_Work]) -> tuple[list[_Outcome], float]:
    """Run a batch of calls in a worker. Return the outcome of each call, and the seconds of the batch."""
    start = time.perf_counter()
    return list(itertools.starmap(_make_call, work)), time.perf_counter() - start


def _make_call(function: Callable[..., Any], args: tuple[Any, ...]) -> _Outcome:
    try:
        return function(*args), None
    except Exception as error:
        if not isinstance(error, LinkpressError):
            error.add_note(traceback.format_exc())  # Pickling would lose the traceback.
        return None, error
