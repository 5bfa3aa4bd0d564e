"""Worker processes, and handing out calls to them.

``Dispatcher`` hands calls out to the workers of any ``concurrent.futures.Executor``, and repeats the calls of
workers that died or hung. ``open_workers`` opens the workers: processes of this machine, or those of a
cluster.

A call that raises an exception counts as done; the exception is its result. If a future ends with a
``LinkpressError``, the executor can't make any more calls. Any other exception of a future means that the
worker was lost. A broken executor is shut down and replaced, and so is one on this machine with a hanging
call.

Standard executors don't say which call broke them. They start calls in the order of submission, so the first
unfinished calls, as many as there are workers, are the suspects. Each suspect is repeated alone, so the next
loss has only one suspect.

Handing out a call takes half a millisecond, which is much for a call that takes one millisecond. So several
quick calls of one kind go to a worker together, until a worker is lost.
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

# The search for a puzzle is limited by counted work and takes minutes at most, even on the largest boards. A
# worker that takes longer than this is not working any more.
PATIENCE_S = 1800.0
MAX_LOSSES = 3
_WAIT_S = 0.5
# Handing out 1,600 calls of a millisecond took 0.43 s of processor time one by one, 0.16 s by fours and 0.05
# s by sixteens.
_MAX_BATCH = 16
_WORKER_ENDED = "the worker process ended from outside"

_Work = tuple[Callable[..., Any], tuple[Any, ...]]
_Outcome = tuple[Any, Exception | None]
"""Returned value and raised exception of a call; one of them is None."""


class WorkerLost(Exception):  # noqa: N818 - named like ``BrokenExecutor``
    """The worker of a call died or hung.

    Args:
        why: what happened to the worker.
        index: the index of the call, in ``call_each``.
    """

    def __init__(self, why: str, index: int = 0) -> None:
        super().__init__(why)
        self.index = index


@dataclass(frozen=True, slots=True)
class Workers:
    """Settings of the workers that make calls.

    Args:
        jobs: the number of calls made at a time.
        make_executor: returns a new executor with the given number of workers. It is called again if an
            executor breaks.
        patience_s: after this time a call counts as lost.
        ahead: calls handed out for each job. More than one, so that no worker waits for this process.
        remote: whether the workers are on other machines. This process can't end their hanging calls, so each
            call ends its worker after ``patience_s``.
        jobs_now: returns the current number of jobs, if workers come and go; None if ``jobs`` never changes.
        batch_s: the seconds of work in a batch of calls for one worker. If it is 0, calls are handed out one
            by one. Remote workers always get single calls.
    """

    jobs: int
    make_executor: Callable[[int], Executor]
    patience_s: float = PATIENCE_S
    ahead: int = 3
    remote: bool = False
    jobs_now: Callable[[], int] | None = None
    batch_s: float = 0.0


@dataclass(frozen=True, slots=True)
class CallResult:
    """Result of a call.

    Args:
        key: the key that the caller gave the call.
        value: the value that the call returned.
        error: the raised exception; ``WorkerLost`` if the worker died or hung.
        retried: whether the call was lost and is being repeated.
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
    """Hands out calls to workers, and collects their results; a context manager for one thread.

    Leaving the context ends all calls at once.

    Args:
        workers: the workers.
        calls: the number of calls that will be made. No more workers than calls are started.
    """

    def __init__(self, workers: Workers, calls: int) -> None:
        self._workers = workers
        self._jobs = max(1, min(workers.jobs, calls))
        self._jobs_now = workers.jobs_now or (lambda: self._jobs)
        self._batch_s = workers.batch_s
        self._executor: Executor | None = None
        self._queue: deque[_Call] = deque()
        self._pending: dict[Future[Any], list[_Call]] = {}
        self._batch_sizes: dict[str, int] = {}  # the number of calls in a batch, by kind of call
        self._results: list[CallResult] = []

    def __enter__(self) -> Dispatcher:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._drop_executor()

    @property
    def has_room(self) -> bool:
        """Whether another call should be submitted to keep the workers busy."""
        if any(future.done() for future in self._pending):
            # finished results are collected before more calls are submitted, so that Ctrl-C loses none
            return False
        queued = len(self._queue) / max(self._batch_sizes.values(), default=1)
        return len(self._pending) + queued < max(1, self._jobs_now()) * self._workers.ahead

    def submit(
        self, key: Any, function: Callable[..., Any], *args: Any, patience: float = 1.0, kind: str = ""
    ) -> None:
        """Queue a call.

        Args:
            key: names the call in its result.
            function: a function of a module; it is pickled for the worker, and so are its arguments.
            args: the arguments.
            patience: multiplies the time after which the call counts as lost.
            kind: any text; calls of one kind take about as long as each other.
        """
        self._queue.append(_Call(key, (function, args), patience * self._workers.patience_s, kind))
        if len(self._queue) >= self._batch_sizes.get(kind, 1):
            self._hand_out()

    def collect(self) -> list[CallResult]:
        """Return the results of calls that have ended or were lost; wait half a second if there are none."""
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
            except (BrokenExecutor, OSError):  # the executor broke, or can't start another worker
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
        """Return whether a call was lost before, so that it must run alone."""
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
        """Choose the size of the next batches of this kind, so that a batch takes about ``batch_s`` seconds.

        A size is never more than doubled, because one quick batch may be an exception.
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
        """Return the batches at which workers are now. Executors start batches in order."""
        unfinished = (
            calls for future, calls in self._pending.items() if not future.done() or future.exception()
        )
        return list(itertools.islice(unfinished, self._jobs))

    def _running(self) -> list[_Call]:
        return [call for calls in self._running_batches() for call in calls]

    def _replace_executor(self, why: str, suspects: list[_Call]) -> None:
        """Repeat all unfinished calls with a new executor. The call is counted as lost only for suspects."""
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
        workers: make the calls.
        function: a function of a module; it is pickled for the workers, and so are the arguments.
        arguments: the arguments of each call.
        done: called after each call that returned.
    Yields:
        The returned values in the order of the arguments, each as soon as all values before it are there.
    Raises:
        WorkerLost: the workers of one call died or hung again and again.
        Exception: a call raised it. Exceptions are raised in the order of the arguments, too.
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
                        left.clear()  # the caller stops at the error, so later calls are not needed
            result = ended.pop(index)
            if isinstance(result.error, WorkerLost):
                raise WorkerLost(str(result.error), index)
            if result.error is not None:
                raise result.error
            yield result.value


# Functions that run in a worker


def _call_in_time(patience_s: float, function: Callable[..., Any], args: tuple[Any, ...]) -> _Outcome:
    """Make a call, and end this worker process if it takes too long, because no other process can do so."""
    timer = threading.Timer(patience_s, os._exit, (1,))
    timer.daemon = True
    timer.start()
    try:
        return _make_call(function, args)
    finally:
        timer.cancel()


def _make_calls(work: Sequence[_Work]) -> tuple[list[_Outcome], float]:
    """Make a batch of calls in a worker. Return the outcome of each call, and the seconds for all of them."""
    start = time.perf_counter()
    return list(itertools.starmap(_make_call, work)), time.perf_counter() - start


def _make_call(function: Callable[..., Any], args: tuple[Any, ...]) -> _Outcome:
    try:
        return function(*args), None
    except Exception as error:
        if not isinstance(error, LinkpressError):
            error.add_note(traceback.format_exc())  # pickling drops the traceback
        return None, error
