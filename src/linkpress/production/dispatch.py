"""Call functions in worker processes, and repeat the calls of workers that die or hang.

``Dispatcher`` passes calls to any ``concurrent.futures.Executor``. If the called function raises an
exception, this exception is returned as the result of the call. The exceptions of the futures have other
meanings:

- A future that raises a ``LinkpressError`` shows that the executor can't run any more calls.
- A future that raises any other exception shows that its worker was lost.

A broken executor is shut down and replaced by a new one. An executor on this machine is also replaced if a
call hangs.

Standard executors don't report which call broke them. They start calls in the order of submission. So with n
workers, the first n unfinished calls are suspects. Each suspect is repeated alone. If a worker is lost again,
only one call can be the cause.

Passing a call to a worker takes a tenth of a millisecond, which is long compared with a call of one
millisecond. So quick calls of the same kind are passed to a worker in batches. After a worker was lost, all
calls are passed one by one.
"""

from __future__ import annotations

import itertools
import os
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from dataclasses import dataclass
from functools import partial
from io import FileIO
from typing import Any, TypeVar

from linkpress.errors import LinkpressError

T = TypeVar("T")

# Usual time limit of a function call in seconds. If a call takes longer, its worker counts as hanging. A
# search for a puzzle takes some minutes at most, even on the largest boards, because its work is limited.
PATIENCE_S = 1800.0
MAX_LOSSES = 3
_WAIT_S = 0.5
# Maximum number of function calls that a worker has at a time, in one batch or two. Large batches save
# processor time. This is the time for passing 1,600 calls of one millisecond to workers:
# - one by one: 0.21 s
# - in batches of four: 0.13 s
# - in batches of eight or sixteen: 0.09 s.
# But if a puzzle is too much like an earlier one and has to be replaced, its replacement is made earlier with
# few calls. Two workers made 1,600 puzzles in 1.61 s with eight calls, and in 1.72 s with sixteen. With two
# batches of four, the efficiency of a build on two cores was 0.82, and with two batches of eight 0.80.
_MAX_BATCH = 8
# Smallest number of pages that are shared among workers. Starting two workers takes as long as
# drawing or checking 20 pages. So sharing 40 pages between two workers saves no time, and sharing 60
# pages saves a sixth.
_MIN_SHARED_ITEMS = 60
# Number of shares for each forked worker into which a task, such as drawing all pages, is divided. A slow
# worker simply does fewer shares than the others. The shares are small, because at the end the other workers
# wait for the last share.
_SHARES_EACH = 32
_MOST_SHARES = 256
_WORKER_ENDED = "the worker process ended from outside"

_Work = tuple[Callable[..., Any], tuple[Any, ...]]
_Outcome = tuple[Any, Exception | None]
"""Returned value and raised exception of a call; one of them is None."""


class WorkerLost(Exception):  # noqa: N818 - named like ``BrokenExecutor``
    """The worker process that ran a function call died or hung.

    Args:
        why: a phrase that says what happened to the worker.
        index: the position of the call in the list of arguments that was given to ``call_each``.
    """

    def __init__(self, why: str, index: int = 0) -> None:
        super().__init__(why)
        self.index = index


@dataclass(frozen=True, slots=True)
class Workers:
    """Settings of the workers that run function calls.

    Args:
        jobs: the number of calls run at the same time.
        make_executor: function that takes a number of workers and returns a new executor. It is called again
            if an executor breaks.
        patience_s: the number of seconds after which a call counts as lost.
        ahead: the number of batches of calls to pass to the executor for each job. With a number above 1,
            each worker finds its next batch in the executor's queue as soon as it is free. With 1, the queue
            is empty, so an urgent call starts as soon as a worker is free.
        remote: whether the workers are on other machines. This process can't kill a hanging worker there, so
            each worker ends itself if a call takes longer than ``patience_s``.
        jobs_now: function that returns the current number of jobs; None if ``jobs`` never changes.
        batch_s: the number of seconds that a batch of calls should take. If it is 0, calls are passed one by
            one. Remote workers never get batches.
        forked: whether the workers are forks of this process. Forks have copies of all objects of this
            process.
        begun: function that hands over the calls that workers began before the run, as
            ``HeadStart.hand_over`` does. None if there are no such calls.
    """

    jobs: int
    make_executor: Callable[[int], Executor]
    patience_s: float = PATIENCE_S
    ahead: int = 3
    remote: bool = False
    jobs_now: Callable[[], int] | None = None
    batch_s: float = 0.0
    forked: bool = False
    begun: Callable[[], Iterable[tuple[Future[Any], Sequence[Any]]]] | None = None


@dataclass(frozen=True, slots=True)
class CallResult:
    """Result of a function call that was passed to a worker.

    Args:
        key: the key that was given to ``Dispatcher.submit``.
        value: the value that the call returned.
        error: the exception that the call raised; ``WorkerLost`` if the worker died or hung.
        retried: whether the call was lost and is being repeated. In this case, another result of the call
            follows.
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
    """Object that passes function calls to workers, and collects their results.

    It is a context manager, and only one thread may use it. At the end of the ``with`` block, unfinished
    calls are stopped at once.

    Args:
        workers: settings of the workers.
        calls: the maximum number of calls in total. At most this number of workers is started.
    """

    def __init__(self, workers: Workers, calls: int) -> None:
        self._workers = workers
        self._jobs = max(1, min(workers.jobs, calls))
        self._jobs_now = workers.jobs_now or (lambda: self._jobs)
        self._batch_s = workers.batch_s
        self._executor: Executor | None = None
        self._queue: deque[_Call] = deque()
        self._pending: dict[Future[Any], list[_Call]] = {}
        self._batch_sizes: dict[str, int] = {}  # the number of calls in the next batch, for each kind of call
        self._results: list[CallResult] = []

    def __enter__(self) -> Dispatcher:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._drop_executor()

    @property
    def has_room(self) -> bool:
        """Whether the caller should submit another call now, to keep all workers busy."""
        if any(future.done() for future in self._pending):
            # Some calls have ended. Return False, so that the caller first saves their results. They would be
            # lost if the user pressed Ctrl-C while the caller submits further calls.
            return False
        queued = len(self._queue) / max(self._batch_sizes.values(), default=1)
        return len(self._pending) + queued < self._most_pending

    @property
    def _most_pending(self) -> int:
        """Maximum number of batches that are passed to the executor and have not ended.

        Quick calls need one batch more for each worker. Otherwise a worker would wait for its next batch
        while this process unpickles the results of the last one. On two cores, the second worker waits then
        too, because Linux mostly wakes this process on the core of that worker.
        """
        jobs = max(1, self._jobs_now())
        quick = all(self._batch_sizes.get(calls[0].kind, 1) > 1 for calls in self._pending.values())
        # A single worker and this process take turns, so that together they use only one core.
        return jobs * (self._workers.ahead + (quick and jobs > 1))

    def submit(
        self, key: Any, function: Callable[..., Any], *args: Any, patience: float = 1.0, kind: str = ""
    ) -> None:
        """Put a function call into the queue for the workers.

        Args:
            key: any value. The result of the call has the same key.
            function: a function of a module. The function and its arguments are pickled.
            args: the arguments of the function.
            patience: factor by which the usual time limit of a call is multiplied.
            kind: text that is equal for calls that take about the same time. Calls of one kind may be passed
                in one batch.
        """
        self._queue.append(_Call(key, (function, args), patience * self._workers.patience_s, kind))
        if len(self._queue) >= self._batch_sizes.get(kind, 1):
            self._hand_out()

    def adopt(
        self,
        future: Future[Any],
        calls: Sequence[tuple[Any, Callable[..., Any], tuple[Any, ...]]],
        patience: float = 1.0,
    ) -> None:
        """Take over calls that a worker of the executor has begun already.

        Args:
            future: the future that the worker completes. Its value has two parts: the outcome of each call,
                and the seconds that all calls took. Outcomes in excess of ``calls`` are ignored.
            calls: the key, the function and the arguments of each call, as for ``submit``; at least one.
            patience: factor by which the usual time limit of a call is multiplied.
        """
        if self._executor is None:
            self._executor = self._workers.make_executor(self._jobs)
        patience_s = patience * self._workers.patience_s
        self._pending[future] = [
            _Call(key, (function, args), patience_s, "") for key, function, args in calls
        ]

    def collect(self, *, waits: bool = True) -> list[CallResult]:
        """Return the results of calls that have ended, and of calls whose worker died or hung.

        If there is no result yet and ``waits`` is True, wait up to half a second for a first result.
        """
        self._hand_out()
        has_result = any(future.done() for future in self._pending)
        wait_s = _WAIT_S if waits and not has_result else 0.0
        if self._pending and not self._results:
            if poll := getattr(self._executor, "poll", None):
                poll(wait_s)
            else:
                wait(self._pending, wait_s, return_when=FIRST_COMPLETED)
        for future in [future for future in self._pending if future.done()]:
            if future in self._pending:
                self._collect_from(future)
        self._replace_hanging()
        self._hand_out()
        results, self._results = self._results, []
        return results

    def _hand_out(self) -> None:
        while self._queue and not (
            self._pending and (len(self._pending) >= self._most_pending or self._has_suspects())
        ):
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
            except (BrokenExecutor, OSError):  # The executor is broken, or can't start another worker.
                suspects = self._running()
                if suspects:
                    self._queue.extendleft(reversed(calls))
                self._replace_executor(_WORKER_ENDED, suspects or calls)
            else:
                self._pending[future] = calls

    def _next_batch(self) -> list[_Call]:
        kind, idle = self._queue[0].kind, max(1, self._jobs - len(self._pending))
        # If several workers are idle, none of them gets more than its equal part of the queue.
        most = min(self._batch_sizes.get(kind, 1), -(-len(self._queue) // idle))
        calls = [self._queue.popleft()]
        while self._queue and self._queue[0].kind == kind and len(calls) < most:
            calls.append(self._queue.popleft())
        return calls

    def _has_suspects(self) -> bool:
        """Return whether the next call, or a running call, may be the reason why a worker was lost before.

        Such a call must run alone. If its worker is lost again, no other call can be the reason.
        """
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
                CallResult(call.key, *outcome) for call, outcome in zip(calls, outcomes, strict=False)
            ]
            self._adapt_batch_size(calls, took_s)

    def _adapt_batch_size(self, calls: list[_Call], took_s: float) -> None:
        """Choose the size of the next batches so that a batch takes about ``batch_s`` seconds.

        The new size is at most twice the old size, because one quick batch may be an exception.

        Args:
            calls: the calls of the last batch. The new size applies to calls of the same kind.
            took_s: the seconds that the last batch took.
        """
        # If there are several workers, each of them has two batches.
        most = _MAX_BATCH if self._jobs == 1 else _MAX_BATCH // 2
        fitting = min(most, 2 * len(calls), round(self._batch_s * len(calls) / (took_s or 1.0)))
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
        """Return the batches that workers are probably running now.

        Executors start batches in the order of submission. So these are the oldest unfinished batches, one
        for each worker. If workers have two batches of quick calls each, a newer batch may be running
        instead. This can happen only until the first loss, because after a loss no worker gets two batches.
        """
        unfinished = (
            calls for future, calls in self._pending.items() if not future.done() or future.exception()
        )
        return list(itertools.islice(unfinished, self._jobs))

    def _running(self) -> list[_Call]:
        return [call for calls in self._running_batches() for call in calls]

    def _replace_executor(self, why: str, suspects: list[_Call]) -> None:
        """Shut down the executor, and put all unfinished calls back into the queue for a new executor.

        Args:
            why: a phrase that says what happened to a worker.
            suspects: the calls that may have made this worker die or hang. Each of them counts as lost once
                more, and a call that was lost too often is not repeated. The other unfinished calls are
                repeated without being counted as lost.
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
    # Only quick calls are put into a batch. If a batch takes long, one of its calls probably hangs. So the
    # whole batch gets the time limit of a single call.
    return max(call.patience_s for call in calls)


def call_each(
    workers: Workers,
    function: Callable[..., T],
    arguments: Sequence[tuple[Any, ...]],
    done: Callable[[], None] = lambda: None,
    meanwhile: Callable[[], object] | None = None,
) -> Iterator[T]:
    """Call a function with each tuple of arguments, in parallel.

    Args:
        workers: settings of the workers that run the calls.
        function: a function of a module. The function and its arguments are pickled.
        arguments: one tuple of arguments for each call.
        done: function that is called after each successful call.
        meanwhile: function that is called once in this process, when the workers have their first calls.
    Yields:
        The returned values, in the order of the arguments.
    Raises:
        WorkerLost: the workers of one call died or hung several times.
        Exception: the exception of a call. If several calls fail, it is the first in the order of the
            arguments.
    """
    ended: dict[int, CallResult] = {}
    left = deque(enumerate(arguments))
    with Dispatcher(workers, len(arguments)) as dispatcher:
        for index in range(len(arguments)):
            while index not in ended:
                while left and dispatcher.has_room:
                    key, args = left.popleft()
                    dispatcher.submit(key, function, *args)
                if meanwhile is not None:
                    meanwhile()
                    meanwhile = None
                for result in dispatcher.collect():
                    if result.retried:
                        continue
                    ended[result.key] = result
                    if result.error is None:
                        done()
                    else:
                        # This call has failed, and its error will be raised below. So don't submit the calls
                        # that are left.
                        left.clear()
            result = ended.pop(index)
            if isinstance(result.error, WorkerLost):
                raise WorkerLost(str(result.error), index)
            if result.error is not None:
                raise result.error
            yield result.value


# the function that ``call_shares`` runs in forked workers, which inherit this variable
_inherited: Callable[[], list[Any]] | None = None


def call_shares(
    workers: Workers | None,
    function: Callable[[int, int], T | None],
    count: int,
    meanwhile: Callable[[], object] | None = None,
) -> list[T] | None:
    """Divide one task into shares of the same size, and let the workers do them.

    If the workers are forks of this process, this process does shares too, in place of one of the workers.

    Args:
        workers: settings of the workers; None if there are no workers.
        function: does one share of the task. It takes the index of the share and the number of shares. It
            returns None if its share can't be done. The function is pickled unless workers are forked.
        count: the number of items of the task, such as pages.
        meanwhile: function that is called once in this process while the workers run. If the task is not
            divided, it is not called.
    Returns:
        The returned values, in any order. None means that the caller must do the whole task itself. The
        reason can be that a share could not be done, that there are too few workers or items, or that the
        workers are on other machines.
    """
    global _inherited
    if workers is None or workers.jobs < 2 or workers.remote or count < _MIN_SHARED_ITEMS:
        return None
    shares = min(workers.jobs * _SHARES_EACH, _MOST_SHARES) if workers.forked else workers.jobs
    own: list[T | None] = []

    def work_here() -> None:
        if meanwhile is not None:
            meanwhile()
        own.extend(do_shares())

    try:
        if not workers.forked:
            calls = [(index, shares) for index in range(shares)]
            done = list(call_each(workers, function, calls, meanwhile=meanwhile))
        else:
            # The processes have a pipe with a byte for each share. A process takes a share by reading its
            # byte, so no process waits for another.
            reading, writing = os.pipe()
            os.write(writing, bytes(range(shares)))
            os.close(writing)
            with FileIO(reading) as left:
                do_shares = _inherited = partial(_do_shares, function, shares, left)
                others = call_each(workers, _call_inherited, [()] * (workers.jobs - 1), meanwhile=work_here)
                done = list(itertools.chain(*others, own))
    except (WorkerLost, LinkpressError, MemoryError, OSError):
        return None
    finally:
        _inherited = None
    sound = [share for share in done if share is not None]
    return sound if len(sound) == shares else None


# The functions from here on run in a worker.


def _call_inherited() -> list[Any]:
    return _inherited() if _inherited else []


def _do_shares(function: Callable[[int, int], T], shares: int, left: FileIO) -> list[T]:
    return [function(byte[0], shares) for byte in iter(partial(left.read, 1), b"")]


def _call_in_time(patience_s: float, function: Callable[..., Any], args: tuple[Any, ...]) -> _Outcome:
    """Run a function call in a worker on another machine. If the call takes too long, end the worker."""
    timer = threading.Timer(patience_s, os._exit, (1,))
    timer.daemon = True
    timer.start()
    try:
        return make_call(function, args)
    finally:
        timer.cancel()


def _make_calls(work: Sequence[_Work]) -> tuple[list[_Outcome], float]:
    """Run a batch of function calls in a worker.

    Returns:
        The outcome of each call, and the seconds that the batch took.
    """
    start = time.perf_counter()
    return list(itertools.starmap(make_call, work)), time.perf_counter() - start


def make_call(function: Callable[..., Any], args: tuple[Any, ...]) -> _Outcome:
    """Call a function in a worker. Return its value and None, or None and its exception."""
    try:
        return function(*args), None
    except Exception as error:
        if not isinstance(error, LinkpressError):
            # An error loses its traceback when it is pickled for the main process. So add it as a text.
            error.add_note(traceback.format_exc())
        return None, error
