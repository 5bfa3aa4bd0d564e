"""Calls are handed out to an executor's workers, and made again where a worker is lost.

Any ``concurrent.futures.Executor`` serves; ``Workers`` says how its workers are treated. What a call
raises comes back as a value, so a future that ends with a ``LinkpressError`` means that the executor
makes no call any more, and with anything else that the call's worker was lost. An executor that has
broken, or one of whose calls hangs on this machine, is shut down, and a new one is made.

Standard executors don't say which call a broken executor died of. They begin calls in the order in
which they get them, so only the first calls that have not ended, as many as there are workers, can
be to blame. Each of these is made again alone: the next loss then has its culprit.

Calls that take a millisecond cost half as much again to hand out one by one. Where calls of their kind were
as quick before, several go to a worker together, until one is lost.
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

# A call is bounded by counted work, minutes at most on the largest boards; this is for a worker
# that does not work any more.
PATIENCE_S = 1800.0
MAX_LOSSES = 3
_WAIT_S = 0.5
# Of 1,600 calls of a millisecond, handing out took 0.43 s of processor time one by one, 0.16 s by fours and
# 0.05 s by sixteens.
_MOST_TOGETHER = 16
_ENDED = "the worker process ended from outside"
_Work = tuple[Callable[..., Any], tuple[Any, ...]]
_End = tuple[Any, Exception | None]


class WorkerLost(Exception):  # noqa: N818 - what happened, as ``BrokenExecutor`` says it
    """A call's worker has died or hung; the message says which, and the index which call."""

    def __init__(self, why: str, index: int = 0) -> None:
        super().__init__(why)
        self.index = index


@dataclass(frozen=True, slots=True)
class Workers:
    """Workers make calls; this says how many at a time, and how they are treated.

    Args:
        jobs: how many calls at a time.
        make_executor: makes a fresh executor of so many workers; called again when one has broken.
        patience_s: a call that takes longer counts as lost.
        ahead: calls handed out for each of these; several, so that no worker waits for this process.
        elsewhere: whether they are processes of other machines. Nobody here knows when these begin a call
            and can end them, so each ends itself after that time.
        jobs_now: returns how many calls are made at a time, where workers come and go.
        together_s: how long a worker may be given work for at once; 0 for a single call each time, as
            it is elsewhere.
    """

    jobs: int
    make_executor: Callable[[int], Executor]
    patience_s: float = PATIENCE_S
    ahead: int = 3
    elsewhere: bool = False
    jobs_now: Callable[[], int] | None = None
    together_s: float = 0.0


@dataclass(frozen=True, slots=True)
class CallResult:
    """A call's result says how the call ended.

    Args:
        key: the caller's name for the call.
        fault: what it raised; ``WorkerLost`` where its worker was lost.
        retried: whether it is being made again.
    """

    key: Any
    value: Any = None
    fault: Exception | None = None
    retried: bool = False


@dataclass(eq=False)
class _Call:
    key: Any
    work: _Work
    patience_s: float
    kind: str
    begun_s: float | None = None
    losses: int = 0


class Dispatcher:
    """A dispatcher hands out at most so many calls, for one thread; leaving it ends all at once."""

    def __init__(self, workers: Workers, calls: int) -> None:
        self._jobs = max(1, min(workers.jobs, calls))
        self._make_executor = workers.make_executor
        self._patience_s = workers.patience_s
        self._ahead = workers.ahead
        self._jobs_now = workers.jobs_now or (lambda: self._jobs)
        self._elsewhere = workers.elsewhere
        self._executor: Executor | None = None
        self._queue: deque[_Call] = deque()
        self._pending: dict[Future[Any], list[_Call]] = {}
        self._together_s = workers.together_s
        self._together: dict[str, int] = {}  # how many calls of each kind a worker gets at once
        self._results: list[CallResult] = []

    def __enter__(self) -> Dispatcher:
        return self

    def __exit__(self, *fault: object) -> None:
        self._drop_executor()

    @property
    def has_room(self) -> bool:
        """Return whether a further call keeps workers from waiting for this process."""
        if any(future.done() for future in self._pending):
            return False  # what has ended is taken first, before anything can interrupt
        waiting = len(self._queue) / max(self._together.values(), default=1)
        return len(self._pending) + waiting < max(1, self._jobs_now()) * self._ahead

    def submit(
        self, key: Any, function: Callable[..., Any], *args: Any, patience: float = 1.0, kind: str = ""
    ) -> None:
        """Put a call in line.

        Args:
            key: by which ``collect`` names it.
            function: of a module, so that it can be sent to a worker, as its arguments.
            patience: how many times the workers' patience it may take.
            kind: of calls that take about as long.
        """
        self._queue.append(_Call(key, (function, args), patience * self._patience_s, kind))
        if len(self._queue) >= self._together.get(kind, 1):
            self._hand_out()

    def collect(self) -> list[CallResult]:
        """Return the calls that have ended or were lost since; wait a moment for one if there is none."""
        self._hand_out()
        if self._pending and not self._results:
            wait(self._pending, _WAIT_S, return_when=FIRST_COMPLETED)
        for future in [future for future in self._pending if future.done()]:
            if future in self._pending:
                self._take(future)
        self._replace_hanging()
        self._hand_out()
        results, self._results = self._results, []
        return results

    def _hand_out(self) -> None:
        while self._queue and not (self._pending and self._must_be_alone()):
            calls = self._next_calls()
            if self._executor is None:
                self._executor = self._make_executor(self._jobs)
            try:
                if self._elsewhere:
                    call = calls[0]  # one at a time, which its executor looks at
                    future: Future[Any] = self._executor.submit(
                        _make_call_in_time, call.patience_s, *call.work
                    )
                else:
                    future = self._executor.submit(_make_calls, [call.work for call in calls])
            except (BrokenExecutor, OSError):  # it is broken, or starts no more workers
                to_blame = self._at_work()
                if to_blame:
                    self._queue.extendleft(reversed(calls))
                self._replace_executor(_ENDED, to_blame or calls)
            else:
                self._pending[future] = calls

    def _next_calls(self) -> list[_Call]:
        """Take what one worker gets at once from the queue: one call, or quick ones of one kind."""
        calls = [self._queue.popleft()]
        kind = calls[0].kind
        while self._queue and self._queue[0].kind == kind and len(calls) < self._together.get(kind, 1):
            calls.append(self._queue.popleft())
        return calls

    def _must_be_alone(self) -> bool:
        calls = itertools.chain.from_iterable(self._pending.values())
        return self._queue[0].losses > 0 or any(call.losses for call in calls)

    def _take(self, future: Future[Any]) -> None:
        try:
            fault = future.exception()
        except CancelledError as cancelled:
            fault = cancelled
        if isinstance(fault, BrokenExecutor):
            self._replace_executor(_ENDED, self._at_work())
            return
        calls = self._pending.pop(future)
        if isinstance(fault, LinkpressError):  # of the executor: it makes no call any more
            self._results += [CallResult(call.key, fault=fault) for call in calls]
        elif fault is not None:
            why = str(fault) if isinstance(fault, WorkerLost) else f"{type(fault).__name__}: {fault}"
            for call in reversed(calls):
                self._lose(call, why)
        elif self._elsewhere:
            self._results.append(CallResult(calls[0].key, *future.result()))
        else:
            ends, took_s = future.result()
            self._results += [CallResult(call.key, *end) for call, end in zip(calls, ends, strict=True)]
            self._learn(calls, took_s)

    def _learn(self, calls: list[_Call], took_s: float) -> None:
        """Give workers as many calls of a kind at once as fit the time, but twice as many at most."""
        fitting = min(_MOST_TOGETHER, 2 * len(calls), round(self._together_s * len(calls) / (took_s or 1.0)))
        self._together[calls[0].kind] = max(1, fitting)

    def _replace_hanging(self) -> None:
        if self._elsewhere:
            return
        now = time.monotonic()
        hanging = []
        for calls in self._at_work_together():
            begun_s = calls[0].begun_s = calls[0].begun_s or now
            if now - begun_s > _patience_of(calls):
                hanging.append(calls)
        if hanging:
            longest_s = max(map(_patience_of, hanging))
            to_blame = [call for calls in hanging for call in calls]
            self._replace_executor(f"the worker did not answer for {longest_s:.0f} s", to_blame)

    def _at_work_together(self) -> list[list[_Call]]:
        """Return the calls that have begun, by worker: executors begin them in order."""
        unended = (
            calls for future, calls in self._pending.items() if not future.done() or future.exception()
        )
        return list(itertools.islice(unended, self._jobs))

    def _at_work(self) -> list[_Call]:
        return [call for calls in self._at_work_together() for call in calls]

    def _replace_executor(self, why: str, to_blame: list[_Call]) -> None:
        """Make all calls again that have not ended; only for some of them it counts as a loss."""
        unended: list[_Call] = []
        for future, calls in list(self._pending.items()):
            if future.done() and future.exception() is None:
                self._take(future)
            else:
                unended += calls
        self._pending.clear()
        self._drop_executor()
        self._queue.extendleft(reversed([call for call in unended if call not in to_blame]))
        for call in reversed(to_blame):
            self._lose(call, why)

    def _lose(self, call: _Call, why: str) -> None:
        call.losses, call.begun_s = call.losses + 1, None
        self._together_s = 0.0
        self._together.clear()
        again = call.losses < MAX_LOSSES
        if again:
            self._queue.appendleft(call)
        self._results.append(CallResult(call.key, fault=WorkerLost(why), retried=again))

    def _drop_executor(self) -> None:
        executor, self._executor = self._executor, None
        if executor is not None:
            executor.shutdown(wait=False, cancel_futures=True)


def call_each(
    workers: Workers,
    function: Callable[..., T],
    arguments: Sequence[tuple[Any, ...]],
    done: Callable[[], None] = lambda: None,
) -> Iterator[T]:
    """Call a function with each of these arguments.

    Args:
        function: of a module, so that it can be sent to a worker, as its arguments.
        done: is called for each call that has ended.
    Yields:
        What the calls returned, in the order of the arguments, each as soon as all before it are there, too.
    Raises:
        WorkerLost: the workers of one call, whose index it has, were lost again and again.
        Exception: what a call raised, in that order, too.
    """
    ended: dict[int, CallResult] = {}
    left = deque(enumerate(arguments))
    with Dispatcher(workers, len(arguments)) as dispatcher:
        for index in range(len(arguments)):
            while index not in ended:
                while left and dispatcher.has_room:
                    coming, values = left.popleft()
                    dispatcher.submit(coming, function, *values)
                for result in dispatcher.collect():
                    if result.retried:
                        continue
                    ended[result.key] = result
                    if result.fault is None:
                        done()
                    else:
                        left.clear()  # nothing after it is of use
            result = ended.pop(index)
            if isinstance(result.fault, WorkerLost):
                raise WorkerLost(str(result.fault), index)
            if result.fault is not None:
                raise result.fault
            yield result.value


def _patience_of(calls: Sequence[_Call]) -> float:
    return sum(call.patience_s for call in calls)


def _make_call_in_time(patience_s: float, function: Callable[..., Any], args: tuple[Any, ...]) -> _End:
    """Do what ``_make_call`` does, but end a worker process that takes longer: nobody else can."""
    timer = threading.Timer(patience_s, os._exit, (1,))
    timer.daemon = True
    timer.start()
    try:
        return _make_call(function, args)
    finally:
        timer.cancel()


def _make_calls(work: Sequence[_Work]) -> tuple[list[_End], float]:
    """Make the calls, and return what each returned or raised, and how long all took."""
    start = time.perf_counter()
    return list(itertools.starmap(_make_call, work)), time.perf_counter() - start


def _make_call(function: Callable[..., Any], args: tuple[Any, ...]) -> _End:
    """Make the call, and return its result or what it raised, with the place of a fault of ours."""
    try:
        return function(*args), None
    except Exception as fault:
        if not isinstance(fault, LinkpressError):
            fault.add_note(traceback.format_exc())
        return None, fault
