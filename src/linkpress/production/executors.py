"""Start workers: processes on this machine, or the workers of a cluster.

The worker processes end when this process ends. ``InProcess`` is an executor without workers, which runs
function calls in this process.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import multiprocessing
import os
import pickle
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from dataclasses import replace
from itertools import chain
from multiprocessing.connection import Connection
from multiprocessing.connection import wait as wait_for
from multiprocessing.process import BaseProcess
from multiprocessing.reduction import ForkingPickler
from typing import Any

from linkpress.errors import GaveUpError, Notify
from linkpress.files import reason
from linkpress.production.dispatch import Workers

# Seconds that a batch of calls should take. After Ctrl-C, users don't notice such a short delay.
_BATCH_S = 0.03
# Maximum size of a call that is written into the pipe of a busy worker. A larger call might not fit into the
# pipe. Then this process would wait for the worker, and the worker would wait until its result is read.
_MOST_WAITING_BYTES = 1 << 14
_STOP_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
_PR_SET_PDEATHSIG = 1
_MAX_JOBS_ON_WINDOWS = 61  # On Windows, a process can wait for at most this number of other processes.


def available_jobs() -> int:
    """Return the number of processor cores that this process may use, at least 1."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1


def local_workers(jobs: int | None = None) -> Workers:
    """Return settings for worker processes on this machine.

    Args:
        jobs: the number of processes; None for the number of processor cores.
    """
    forked = _default_start_method() == "fork"
    # ``ahead=1`` means that a worker usually gets new calls only after this process has read the results of
    # its last ones. It gets them in advance only if there are several workers and the calls are quick.
    return Workers(jobs or available_jobs(), worker_processes, ahead=1, batch_s=_BATCH_S, forked=forked)


@contextlib.contextmanager
def open_workers(jobs: int | None, cluster: str | None, notify: Notify) -> Iterator[Workers]:
    """Yield settings for worker processes on this machine, or for the workers of a cluster.

    The connection to the cluster lasts until the end of the ``with`` block.

    Args:
        jobs: the number of function calls run at the same time. None for the number of cores of this machine,
            or of the threads of the cluster's workers.
        cluster: the address of a Dask scheduler; None for this machine.
        notify: function called with messages about the cluster's workers, from another thread.
    Raises:
        UsageError: the address is malformed, no scheduler answers there, or Dask is not installed.
        ClusterError: no worker of the cluster has the same version of linkpress.
    """
    if cluster is None:
        yield local_workers(jobs)
        return
    # Import this module only when it is needed, because the import takes 40 ms.
    from linkpress.production.cluster import DaskCluster

    with DaskCluster(cluster, notify, jobs=jobs) as joined:
        workers = Workers(joined.jobs(), joined.executor, remote=True, jobs_now=joined.jobs)
        yield workers if jobs is None else replace(workers, ahead=1)


class InProcess(Executor):
    """Executor without workers. Its method ``submit`` runs the call in this process before it returns."""

    def __init__(self, jobs: int = 1) -> None:
        pass

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def worker_processes(jobs: int, start_method: str | None = None) -> WorkerPool:
    """Start worker processes.

    Args:
        jobs: the number of processes. If the system can't start that many, fewer are started.
        start_method: ``fork``, ``spawn`` or ``forkserver``. None for the method that was set by
            ``multiprocessing.set_start_method``. If no method was set, ``fork`` is used on Linux, and
            Python's default on other systems.
    Returns:
        An executor whose ``shutdown`` kills its processes at once. On Linux, the processes also end at once
        if this process dies. On other systems, they end as soon as compiled code releases Python's global
        lock.
    Raises:
        GaveUpError: the system can't start any process.
    """
    jobs = min(jobs, _MAX_JOBS_ON_WINDOWS) if sys.platform == "win32" else jobs
    while True:
        pool = WorkerPool()
        try:
            with _delayed_signals():
                pool.start(jobs, start_method or _default_start_method())
            return pool
        except BaseException as error:
            pool.shutdown()
            if not isinstance(error, (OSError, RuntimeError, MemoryError)):
                raise
            if jobs == 1:  # Not even one process can be started, because the system lacks pipes or memory.
                why = reason(error) if isinstance(error, OSError) else str(error)
                advice = "Close other programs, or raise the limits that 'ulimit -a' shows"
                raise GaveUpError(f"no worker process can be started: {why}. {advice}.") from error
            jobs //= 2


@contextlib.contextmanager
def _delayed_signals() -> Iterator[None]:
    """Delay signals that ask this process to end, such as Ctrl-C, until the end of the ``with`` block.

    Python ignores exceptions in functions that run before and after a fork. So a signal that arrives during
    these functions would be lost.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    received: list[int] = []
    numbers = [getattr(signal, name) for name in _STOP_SIGNALS if hasattr(signal, name)]
    wakeup = signal.set_wakeup_fd(-1)
    handlers = {
        number: signal.signal(number, lambda number, _: received.append(number)) for number in numbers
    }
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        signal.set_wakeup_fd(wakeup, warn_on_full_buffer=False)
        for number in received[:1]:
            signal.raise_signal(number)


class WorkerPool(Executor):
    """Worker processes, each with a pipe to this process. The method ``shutdown`` kills them.

    The thread that submits calls must also read their results, by calling ``poll``. No other thread reads
    them. So if the submitting thread waited for a future without calling ``poll``, it would wait forever. In
    the standard library's ``ProcessPoolExecutor``, two other threads pass calls and results on. These threads
    wait for one another, which took 0.3 of the 1.9 seconds that two workers needed for 1,600 small puzzles.
    """

    def __init__(self) -> None:
        self._processes: list[BaseProcess] = []
        # For each worker, its pipe and the futures of its calls. The first call is running. The second one
        # waits in the pipe, so that the worker can begin it at once.
        self._running: dict[Connection, deque[Future[Any]]] = {}
        # calls that no worker has begun, each with its future
        self._queue: deque[tuple[Future[Any], bytes]] = deque()
        self._is_broken = False

    def start(self, jobs: int, start_method: str | None) -> None:
        """Start the worker processes.

        Raises:
            OSError, RuntimeError, MemoryError: the system can't start so many processes.
        """
        context: Any = multiprocessing.get_context(start_method)
        for _ in range(jobs):
            own, other = context.Pipe()
            self._running[own] = deque()
            process = context.Process(target=_work, args=(other, os.getpid()), daemon=True)
            # Close the worker's end of the pipe in this process, so that the pipe
            # breaks when the worker ends.
            with other:
                process.start()
            self._processes.append(process)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        if self._is_broken:
            raise BrokenExecutor
        future: Future[Any] = Future()
        self._queue.append((future, bytes(ForkingPickler.dumps((fn, args, kwargs)))))
        self._hand_out()
        return future

    def poll(self, timeout_s: float | None) -> None:
        """Wait until a call has ended, and set the futures of all calls that have ended.

        Args:
            timeout_s: the number of seconds to wait at most; None to wait as long as it takes.
        """
        ready = wait_for([pipe for pipe, calls in self._running.items() if calls], timeout_s)
        for pipe in [pipe for pipe in self._running if pipe in ready]:
            try:
                outcome = pipe.recv_bytes()
            except (EOFError, OSError):
                self._break()
                return
            future = self._running[pipe].popleft()
            try:
                value, error = pickle.loads(outcome)
            except Exception as unreadable:
                value, error = None, unreadable
            future.set_result(value) if error is None else future.set_exception(error)
        self._hand_out()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        for process in self._processes:
            process.kill()
        # Wait for workers that were stopped in the middle of a call, so that their memory is free again.
        if wait or any(self._running.values()) or self._is_broken:
            for process in self._processes:
                process.join()
        for pipe in self._running:
            pipe.close()
        self._break()

    def _hand_out(self) -> None:
        while self._queue:
            pipe, calls = min(self._running.items(), key=lambda item: len(item[1]))
            if calls and (len(calls) > 1 or len(self._queue[0][1]) > _MOST_WAITING_BYTES):
                return
            future, call = self._queue.popleft()
            calls.append(future)
            try:
                pipe.send_bytes(call)
            except OSError:
                self._break()

    def _break(self) -> None:
        """Let the futures of all unfinished calls fail, because a worker died or all workers were killed."""
        self._is_broken = True
        for future in (*chain(*self._running.values()), *(future for future, _ in self._queue)):
            future.set_exception(BrokenExecutor())
        for calls in self._running.values():
            calls.clear()
        self._queue.clear()


def _default_start_method() -> str | None:
    """Return how to start worker processes: the method set by the program, or ``fork`` on Linux.

    Forked workers start quickly, because they need not load the compiled engine again. Python 3.14 uses
    ``forkserver`` on Linux by default. Its workers are not children of this process, so Linux would not end
    them together with this process.

    Returns:
        The name of the start method; None for Python's default on other systems.
    """
    chosen = multiprocessing.get_start_method(allow_none=True)
    return "fork" if chosen is None and sys.platform == "linux" else chosen


def _work(pipe: Connection, parent: int) -> None:
    """Run calls in a worker process until this process is killed or its parent process has ended."""
    _prepare_worker(parent)
    with contextlib.suppress(EOFError, OSError, MemoryError):
        while True:
            call = pipe.recv_bytes()
            try:
                function, args, kwargs = pickle.loads(call)
                outcome = ForkingPickler.dumps((function(*args, **kwargs), None))
            except Exception as error:
                outcome = ForkingPickler.dumps((None, error))
            pipe.send_bytes(outcome)


def _prepare_worker(parent: int) -> None:
    """Prepare a new worker process: ignore Ctrl-C, and end when the parent process ends."""
    # A forked worker has copies of all objects of the parent process. Exclude them from garbage collection:
    # searching them took a tenth of the time in which 200 boards were made.
    gc.freeze()
    # A forked worker inherits the file descriptor through which a signal wakes the parent process. Only the
    # parent process should use it.
    signal.set_wakeup_fd(-1)
    for name in ("SIGINT", "SIGHUP"):  # only the parent process should react to Ctrl-C or a closed terminal
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    # If the parent process dies, Linux kills the worker at once. On other systems, a thread ends the worker.
    # The thread may have to wait until compiled code of the engine returns.
    if sys.platform == "linux" and os.getppid() == parent:
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        # This call of prctl makes Linux kill the worker when its parent process dies. If the parent has died
        # already, the call has no effect, so end the worker here.
        if os.getppid() != parent:
            os._exit(1)
    elif process := multiprocessing.parent_process():
        threading.Thread(target=_end_with, args=(process.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    wait_for([sentinel])
    os._exit(1)
