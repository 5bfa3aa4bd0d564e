"""Start workers, which are processes on this machine or the workers of a cluster.

The worker processes end when this process ends. ``InProcess`` is an executor without workers: it runs calls
in this process.
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

# Seconds that a batch of calls should take. It is too short for users to notice a delay after Ctrl-C.
_BATCH_S = 0.03
_STOP_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
_CHECK_EVERY_S = 0.2
# Number of successive checks at which a thread must look dead before it counts as dead. A thread that is just
# starting also looks dead.
_CHECKS_FOR_DEAD = 10

# Bytes of address space that must be free before the threads of an executor are started.
# ``Thread.start`` waits forever if memory runs out in the new thread. With 'ulimit -v' of 328 to 332 MB,
# three of seven builds hung.
_THREADS_BYTES = 64 << 20
_PR_SET_PDEATHSIG = 1
_MAX_JOBS_ON_WINDOWS = 61  # maximum number of processes for which a process can wait on Windows


def available_jobs() -> int:
    """Return the number of cores that this process may use, at least 1."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1


def local_workers(jobs: int | None = None) -> Workers:
    """Return settings for worker processes of this machine.

    Args:
        jobs: the number of processes; None for the number of cores.
    """
    forked = _default_start_method() == "fork"
    return Workers(jobs or available_jobs(), worker_processes, batch_s=_BATCH_S, forked=forked)


@contextlib.contextmanager
def open_workers(jobs: int | None, cluster: str | None, notify: Notify) -> Iterator[Workers]:
    """Yield settings for worker processes of this machine, or for the workers of a cluster.

    The connection to the cluster lasts until the end of the ``with`` block.

    Args:
        jobs: the number of calls run at a time. None for the number of cores, or of the cluster's threads.
        cluster: the address of a Dask scheduler; None for this machine.
        notify: function called with messages about the cluster's workers, from another thread.
    Raises:
        UsageError: the address is malformed, no scheduler answers there, or Dask is not installed.
        ClusterError: no worker of the cluster has the same version of linkpress.
    """
    if cluster is None:
        yield local_workers(jobs)
        return
    # This is imported only when it is needed, because it takes 40 ms.
    from linkpress.production.cluster import DaskCluster

    with DaskCluster(cluster, notify, jobs=jobs) as joined:
        workers = Workers(joined.jobs(), joined.executor, remote=True, jobs_now=joined.jobs)
        yield workers if jobs is None else replace(workers, ahead=1)


class InProcess(Executor):
    """Executor without workers. ``submit`` runs the call in this process before it returns."""

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
        jobs: the number of processes. If the system can't start so many, fewer are started.
        start_method: ``fork``, ``spawn`` or ``forkserver``. None for the method that was set by
            ``multiprocessing.set_start_method``. If none was set, it is ``fork`` on Linux, and Python's
            default on other systems.
    Returns:
        An executor whose ``shutdown`` kills its processes at once. On Linux, the processes also end at once
        if this process dies. On other systems, they end as soon as compiled code releases Python's global
        lock.
    Raises:
        GaveUpError: the system can't start any process.
    """
    jobs = min(jobs, _MAX_JOBS_ON_WINDOWS) if sys.platform == "win32" else jobs
    while True:
        pool = None
        try:
            mmap.mmap(-1, _THREADS_BYTES).close()
            with _without_thread_tracebacks():
                with _delayed_signals():
                    pool = _WorkerPool(jobs, start_method or _default_start_method())
                    first = pool.submit(os.getpid)  # The first call makes the pool start its processes.
                pool.await_first(first)
            return pool
        except BaseException as error:
            if pool is not None:
                pool.shutdown()
            if not isinstance(error, (OSError, RuntimeError, MemoryError)):
                raise
            if jobs == 1:  # The system lacks threads, pipes or memory even for one process.
                why = reason(error) if isinstance(error, OSError) else str(error)
                advice = "Close other programs, or raise the limits that 'ulimit -a' shows"
                if isinstance(error, OSError) and error.errno == errno.ENOSPC:
                    advice = "Free some space in /dev/shm and in the temporary folder"  # for semaphores
                raise GaveUpError(f"no worker process can be started: {why}. {advice}.") from error
            jobs //= 2


@contextlib.contextmanager
def _without_thread_tracebacks() -> Iterator[None]:
    """Hide tracebacks of threads that fail during the block because the system can't start more."""
    default = threading.excepthook
    hidden = (RuntimeError, MemoryError)
    threading.excepthook = lambda args: None if issubclass(args.exc_type, hidden) else default(args)
    try:
        yield
    finally:
        threading.excepthook = default


@contextlib.contextmanager
def _delayed_signals() -> Iterator[None]:
    """Delay signals that ask this process to end until the end of the block.

    Python ignores exceptions in functions that run before and after a fork. So a signal that arrives there
    would be lost.
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
    """Process pool whose ``shutdown`` kills its processes."""

    def __init__(self, jobs: int, start_method: str | None) -> None:
        self._other_children = frozenset(multiprocessing.active_children())
        super().__init__(jobs, multiprocessing.get_context(start_method), _prepare_worker, (os.getpid(),))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        for process in multiprocessing.active_children():
            if process not in self._other_children:
                process.kill()
        with contextlib.suppress(RuntimeError):  # raised if a thread of the pool was never started
            super().shutdown(wait=True, cancel_futures=True)

    def await_first(self, first: Future[int]) -> None:
        """Wait until the first call has ended.

        The call needs all threads of the pool, so it shows whether the system could start them.

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
    """Return the start method set by the program. If it has set none, return ``fork`` on Linux, or else None.

    Forked workers start quickly, because they need not load the compiled engine again. The default of Python
    3.14 on Linux is ``forkserver``. Its workers are not children of this process, so Linux would not end them
    together with it.
    """
    chosen = multiprocessing.get_start_method(allow_none=True)
    return "fork" if chosen is None and sys.platform == "linux" else chosen


def _prepare_worker(parent: int) -> None:
    """Prepare a new worker process: ignore Ctrl-C, and end when the parent process ends."""
    # Exclude the parent's objects from garbage collection, which took a tenth of the time for 200 boards.
    gc.freeze()
    # A forked worker inherits the descriptor by which a signal wakes the parent. Leave it to the parent.
    signal.set_wakeup_fd(-1)
    for name in ("SIGINT", "SIGHUP"):  # The parent process handles Ctrl-C and a closed terminal.
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    # If the parent dies, Linux kills the worker at once. On other systems, a thread ends the worker. The
    # thread may have to wait until compiled code of the engine returns.
    if sys.platform == "linux" and os.getppid() == parent:
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    process = multiprocessing.parent_process()
    if process is not None:
        if wait_for([process.sentinel], timeout=0):
            os._exit(1)  # The parent died before prctl was called, so Linux won't kill this worker.
        threading.Thread(target=_end_with, args=(process.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    wait_for([sentinel])
    os._exit(1)
