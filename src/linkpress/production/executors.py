"""Workers: processes of this machine, which end when this process ends, or the workers of a cluster.

``InProcess`` does without workers: it makes calls in this process.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import gc
import mmap
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, wait
from dataclasses import replace
from multiprocessing.connection import wait as wait_for
from typing import Any

from linkpress.errors import GaveUpError, Notify
from linkpress.files import reason
from linkpress.production.dispatch import Workers

# Seconds of work in one batch of calls. Users who wait or press Ctrl-C don't notice such a short delay.
_BATCH_S = 0.03
_STOP_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
_CHECK_EVERY_S = 0.2
# A thread that is just starting looks dead, too. So a thread counts as dead only if it looks dead at this
# many checks in a row.
_CHECKS_FOR_DEAD = 10

# Address space for the threads of an executor. ``Thread.start`` waits forever for a thread that dies of a
# lack of memory while it starts: with 'ulimit -v' of 328 to 332 MB, three builds of seven hung.
_THREADS_BYTES = 64 << 20
_PR_SET_PDEATHSIG = 1
_MAX_JOBS_ON_WINDOWS = 61  # Windows lets a process wait for at most this number of other processes.


def available_jobs() -> int:
    """Return the number of cores that this process may use, at least 1."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1


def local_workers(jobs: int | None = None) -> Workers:
    """Return worker processes of this machine.

    Args:
        jobs: the number of processes; the number of cores if None.
    """
    return Workers(jobs or available_jobs(), worker_processes, batch_s=_BATCH_S)


@contextlib.contextmanager
def open_workers(jobs: int | None, cluster: str | None, notify: Notify) -> Iterator[Workers]:
    """Open workers for a ``with`` block: processes of this machine, or the workers of a cluster.

    Args:
        jobs: the number of calls made at a time. If it is None, the number of cores, or of the cluster's
            threads.
        cluster: the address of a Dask scheduler; None for this machine.
        notify: called with messages about the cluster's workers, from another thread.
    Raises:
        UsageError: the address is malformed, nothing answers there, or Dask is not installed.
        ClusterError: the cluster has no worker with this linkpress.
    """
    if cluster is None:
        yield local_workers(jobs)
        return
    from linkpress.production.cluster import DaskCluster  # importing this module takes 40 ms

    with DaskCluster(cluster, notify, jobs=jobs) as joined:
        workers = Workers(joined.jobs(), joined.executor, remote=True, jobs_now=joined.jobs)
        yield workers if jobs is None else replace(workers, ahead=1)


class InProcess(Executor):
    """Executor without workers: each call runs in ``submit``, in this process."""

    def __init__(self, jobs: int = 1) -> None:
        pass

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def worker_processes(jobs: int, start_method: str | None = None) -> Executor:
    """Start worker processes.

    Args:
        jobs: the number of processes. If the system can't start so many, there are fewer.
        start_method: ``fork``, ``spawn`` or ``forkserver``. If it is None, the method set with
            ``multiprocessing.set_start_method``, or else ``fork`` on Linux and the system's default
            elsewhere.
    Returns:
        An executor whose ``shutdown`` kills its processes at once. On Linux they also end when this process
        dies. On other systems they do so as soon as Python's lock is free.
    Raises:
        GaveUpError: the system can't start a single process.
    """
    jobs = min(jobs, _MAX_JOBS_ON_WINDOWS) if sys.platform == "win32" else jobs
    while True:
        pool = None
        try:
            mmap.mmap(-1, _THREADS_BYTES).close()
            with _without_thread_tracebacks():
                with _delayed_signals():
                    pool = _WorkerPool(jobs, start_method or _default_start_method())
                    first = pool.submit(os.getpid)  # the first call starts the processes
                pool.await_first(first)
            return pool
        except BaseException as error:
            if pool is not None:
                pool.shutdown()
            if not isinstance(error, (OSError, RuntimeError, MemoryError)):
                raise
            if jobs == 1:  # the system can't even start one process: it lacks threads, pipes or memory
                why = reason(error) if isinstance(error, OSError) else str(error)
                advice = "Close other programs, or raise the limits that 'ulimit -a' shows"
                if isinstance(error, OSError) and error.errno == errno.ENOSPC:
                    advice = "Free some space in /dev/shm and in the temporary folder"  # for semaphores
                raise GaveUpError(f"no worker process can be started: {why}. {advice}.") from error
            jobs //= 2


@contextlib.contextmanager
def _without_thread_tracebacks() -> Iterator[None]:
    """Hide the traceback of an executor's thread that the system can't start."""
    default = threading.excepthook
    hidden = (RuntimeError, MemoryError)
    threading.excepthook = lambda args: None if issubclass(args.exc_type, hidden) else default(args)
    try:
        yield
    finally:
        threading.excepthook = default


@contextlib.contextmanager
def _delayed_signals() -> Iterator[None]:
    """Delay signals to stop until the end of the block.

    A signal that arrives in the hooks of a fork would be lost, because Python ignores exceptions in them.
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


class _WorkerPool(ProcessPoolExecutor):
    """Process pool whose ``shutdown`` kills the processes."""

    def __init__(self, jobs: int, start_method: str | None) -> None:
        self._other_children = frozenset(multiprocessing.active_children())
        super().__init__(jobs, multiprocessing.get_context(start_method), _prepare_worker, (os.getpid(),))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        for process in multiprocessing.active_children():
            if process not in self._other_children:
                process.kill()
        with contextlib.suppress(RuntimeError):  # the system could not start a thread of the pool
            super().shutdown(wait=True, cancel_futures=True)

    def await_first(self, first: Future[int]) -> None:
        """Wait until the first call has ended. It needs all threads of the pool, so a dead one is noticed.

        Raises:
            OSError: a thread of the pool is dead.
        """
        checks = 0
        while not first.done():
            wait([first], _CHECK_EVERY_S)
            manager = getattr(self, "_executor_manager_thread", None)
            feeder = getattr(getattr(self, "_call_queue", None), "_thread", None)
            dead = [thread for thread in (manager, feeder) if thread is not None and not thread.is_alive()]
            checks = checks + 1 if dead else 0
            if not first.done() and checks >= _CHECKS_FOR_DEAD:
                raise OSError(errno.ENOMEM, os.strerror(errno.ENOMEM))


def _default_start_method() -> str | None:
    """Return ``fork`` on Linux unless the program has set another method.

    Forked workers need not load the kernels again. From Python 3.14 on, the default on Linux is
    ``forkserver``, whose workers are not children of this process, so the system could not end them with it.
    """
    chosen = multiprocessing.get_start_method(allow_none=True)
    return "fork" if chosen is None and sys.platform == "linux" else chosen


def _prepare_worker(parent: int) -> None:
    """Let a new worker ignore Ctrl-C, and end with its parent."""
    # Collecting the objects of the parent again and again took a tenth of the time of a page of 200 boards.
    gc.freeze()
    signal.set_wakeup_fd(-1)  # a forked process has inherited the wakeup descriptor of its parent
    for name in ("SIGINT", "SIGHUP"):  # the parent process handles Ctrl-C and a closed terminal
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    # On Linux the system ends the worker. A thread does so elsewhere, but it has to wait for running kernels.
    if sys.platform == "linux" and os.getppid() == parent:
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    process = multiprocessing.parent_process()
    if process is not None:
        if wait_for([process.sentinel], timeout=0):
            os._exit(1)  # the parent process died before the call of prctl above
        threading.Thread(target=_end_with, args=(process.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    wait_for([sentinel])
    os._exit(1)
