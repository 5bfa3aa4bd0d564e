"""Worker processes that may die: an executor that knows which call each worker was at.

``concurrent.futures.ProcessPoolExecutor`` gives up all calls when one worker dies and cannot tell
which call it died of. Here every worker has a pipe of its own; the call that a dead or hanging
worker was at ends with ``WorkerLost``, a new worker takes the place, and nothing else is touched.

There is no thread behind it: processes are started and results are taken by whoever calls
``submit`` and ``attend``, which keeps forks out of threads' way and an interruption quick.
"""

from __future__ import annotations

import contextlib
import ctypes
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import Any, ParamSpec, TypeVar

from linkpress.errors import GaveUpError

P = ParamSpec("P")
T = TypeVar("T")

# A call is bounded by counted work, minutes at most on the largest boards; this is for a worker
# that does not work any more.
PATIENCE_S = 1800.0
_END_S = 1.0
_PR_SET_PDEATHSIG = 1
# A second call waits at each worker, so that no worker waits for this process.
_CALLS_AT_WORKER = 2


class WorkerLost(Exception):  # noqa: N818 - what happened, as ``BrokenExecutor`` says it
    """The worker of a call died or hung; the message says which."""


@dataclass
class _Call:
    future: Future[Any]
    work: tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]


@dataclass
class _Worker:
    process: BaseProcess
    pipe: Connection
    calls: deque[_Call] = field(default_factory=deque)
    since: float = 0.0  # when the first of its calls began


class Crew(Executor):
    """Workers in processes of their own; a context manager, for one thread.

    A future moves on only while ``attend`` is called. Leaving the block ends the workers at once,
    whatever they do; on Linux and with a live parent elsewhere none outlives this process.

    Args:
        jobs: how many workers, 1 or more; fewer where the system starts no more.
        start_method: ``fork``, ``spawn`` or ``forkserver``; if None the one that the program has set
            (``multiprocessing.set_start_method``), else ``fork`` on Linux and the platform's elsewhere.
        patience_s: a call that takes longer ends with ``WorkerLost``.
    """

    def __init__(self, jobs: int, start_method: str | None = None, *, patience_s: float = PATIENCE_S) -> None:
        self._context = multiprocessing.get_context(start_method or _usual_method())
        self._jobs = jobs
        self._patience_s = patience_s
        self._workers: list[_Worker] = []
        self._waiting: deque[_Call] = deque()

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Put a call in line; it begins here if a worker is free."""
        future: Future[T] = Future()
        self._waiting.append(_Call(future, (fn, args, kwargs)))
        self._hand_out()
        return future

    def attend(self, timeout_s: float) -> None:
        """Wait until a call ends or the time is up, and take what has come.

        Args:
            timeout_s: how long to wait at most.
        """
        busy = [worker for worker in self._workers if worker.calls]
        if busy:
            by_pipe = {worker.pipe: worker for worker in busy}
            for pipe in wait(list(by_pipe), timeout_s):
                self._take(by_pipe[pipe])  # type: ignore[index]
            self._end_hanging()
        self._hand_out()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the workers at once; calls that have not ended never will."""
        workers, self._workers = self._workers, []
        for worker in workers:
            worker.process.kill()
        for worker in workers:
            worker.process.join(_END_S)
            worker.pipe.close()
            for call in worker.calls:
                call.future.cancel()
        for call in self._waiting:
            call.future.cancel()
        self._waiting.clear()

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.shutdown()

    def _hand_out(self) -> None:
        while self._waiting:
            worker = self._free_worker()
            if worker is None:
                return
            call = self._waiting.popleft()
            if call.future.cancelled():
                continue
            if not worker.calls:
                worker.since = time.monotonic()
            worker.calls.append(call)
            with contextlib.suppress(OSError):  # it has died: ``attend`` will see that
                worker.pipe.send(call.work)

    def _free_worker(self) -> _Worker | None:
        worker = min(self._workers, key=lambda one: len(one.calls), default=None)
        if (worker is None or worker.calls) and len(self._workers) < self._jobs:
            try:
                worker = self._start_worker()
                self._workers.append(worker)
            except OSError as fault:  # the system has no more processes, pipes or memory to give
                if worker is None:
                    raise GaveUpError(
                        f"no process can be started to work in: {fault.strerror or fault}. Close other "
                        "programs, or raise the limits that 'ulimit -a' shows."
                    ) from fault
                self._jobs = len(self._workers)
        return worker if worker is not None and len(worker.calls) < _CALLS_AT_WORKER else None

    def _start_worker(self) -> _Worker:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=_work, args=(theirs, os.getpid()), daemon=True)  # type: ignore[attr-defined]
        process.start()
        theirs.close()
        return _Worker(process, ours)

    def _take(self, worker: _Worker) -> None:
        try:
            result, fault = worker.pipe.recv()
        except (EOFError, OSError):
            worker.process.join(_END_S)
            self._lose(worker, f"the worker process ended from outside ({_ending(worker.process)})")
            return
        call = worker.calls.popleft()
        worker.since = time.monotonic()
        if fault is None:
            call.future.set_result(result)
        else:
            call.future.set_exception(fault)

    def _end_hanging(self) -> None:
        now = time.monotonic()
        for worker in list(self._workers):
            if worker.calls and now - worker.since > self._patience_s:
                self._lose(worker, f"the worker process did not answer for {self._patience_s:.0f} s")

    def _lose(self, worker: _Worker, how: str) -> None:
        """Only the first of its calls had begun; the others go back to the head of the line."""
        self._workers.remove(worker)
        worker.process.kill()
        worker.process.join(_END_S)
        worker.pipe.close()
        begun = worker.calls.popleft()
        self._waiting.extendleft(reversed(worker.calls))
        begun.future.set_exception(WorkerLost(how))


def _usual_method() -> str | None:
    """Forked workers have the kernels loaded, and end with their parent even inside a kernel.

    From Python 3.14 on Linux takes ``forkserver`` if nobody chooses: its workers are no children of
    ours, so that the system can't end them with us.
    """
    chosen = multiprocessing.get_start_method(allow_none=True)
    return "fork" if chosen is None and sys.platform == "linux" else chosen


def _ending(process: BaseProcess) -> str:
    code = process.exitcode
    if code is None or code >= 0:
        return f"exit code {code}"
    with contextlib.suppress(ValueError):
        return signal.Signals(-code).name
    return f"signal {-code}"


def _work(pipe: Connection, parent: int) -> None:
    """A worker's life: calls come, results go, until the parent is gone."""
    signal.set_wakeup_fd(-1)  # the parent's, after a fork
    for name in ("SIGINT", "SIGHUP"):  # Ctrl-C and a lost terminal are the parent's to deal with
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _leave_with_parent(parent)
    with contextlib.suppress(EOFError, OSError):
        while True:
            function, args, kwargs = pipe.recv()
            answer: tuple[Any, Exception | None]
            try:
                answer = function(*args, **kwargs), None
            except Exception as fault:
                answer = None, fault
            pipe.send(answer)


def _leave_with_parent(parent: int) -> None:
    """The system ends the worker where it can; a thread does elsewhere, between two kernels."""
    if sys.platform == "linux" and os.getppid() == parent:
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    process = multiprocessing.parent_process()
    if process is not None:
        threading.Thread(target=_leave_with, args=(process.sentinel,), daemon=True).start()


def _leave_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)
