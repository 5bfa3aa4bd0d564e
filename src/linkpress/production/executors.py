"""Start workers: processes on this machine, or the workers of a cluster.

The worker processes end when this process ends. ``InProcess`` is an executor without workers, which runs
function calls in this process.
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

# Seconds that a batch of calls should take. After Ctrl-C, users don't notice such a short delay.
_BATCH_S = 0.03
_STOP_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
_CHECK_EVERY_S = 0.2
# Number of successive checks in which a thread must look dead before it counts as dead. A thread that is just
# starting also looks dead.
_CHECKS_FOR_DEAD = 10

# Bytes of address space that must be free before an executor starts its threads. If memory runs out in the
# new thread, ``Thread.start`` waits forever. With 'ulimit -v' of 328 to 332 MB, three of seven builds hung.
_THREADS_BYTES = 64 << 20
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
    # With ``ahead=1``, a worker gets its next calls only when this process has read the results of the last
    # ones. So with one job, the worker and this process work in turns and need only one core together.
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


def worker_processes(jobs: int, start_method: str | None = None) -> Executor:
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
                    # Semaphores, which worker processes need, are files in /dev/shm.
                    advice = "Free some space in /dev/shm and in the temporary folder"
                raise GaveUpError(f"no worker process can be started: {why}. {advice}.") from error
            jobs //= 2


@contextlib.contextmanager
def _without_thread_tracebacks() -> Iterator[None]:
    """Hide the tracebacks of threads that fail during the block because memory or threads run out."""
    default = threading.excepthook
    hidden = (RuntimeError, MemoryError)
    threading.excepthook = lambda args: None if issubclass(args.exc_type, hidden) else default(args)
    try:
        yield
    finally:
        threading.excepthook = default


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


class _WorkerPool(ProcessPoolExecutor):
    """Process pool whose method ``shutdown`` kills its processes."""

    def __init__(self, jobs: int, start_method: str | None) -> None:
        self._other_children = frozenset(multiprocessing.active_children())
        super().__init__(jobs, multiprocessing.get_context(start_method), _prepare_worker, (os.getpid(),))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        for process in multiprocessing.active_children():
            if process not in self._other_children:
                process.kill()
        # ``shutdown`` raises ``RuntimeError`` if a thread of the pool was never started.
        with contextlib.suppress(RuntimeError):
            super().shutdown(wait=True, cancel_futures=True)

    def await_first(self, first: Future[int]) -> None:
        """Wait until the first call in the process pool has ended.

        The call needs all threads of the pool, so it shows whether the system could start them.

        Raises:
            OSError: a thread of the pool has died.
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
    """Return how to start worker processes: the method set by the program, or ``fork`` on Linux.

    Forked workers start quickly, because they need not load the compiled engine again. Python 3.14 uses
    ``forkserver`` on Linux by default. Its workers are not children of this process, so Linux would not end
    them together with this process.

    Returns:
        The name of the start method; None for Python's default on other systems.
    """
    chosen = multiprocessing.get_start_method(allow_none=True)
    return "fork" if chosen is None and sys.platform == "linux" else chosen


def _prepare_worker(parent: int) -> None:
    """Prepare a new worker process: ignore Ctrl-C, and end when the parent process ends."""
    # Exclude the objects of the parent process from garbage collection, which took a tenth of the
    # time for 200 boards.
    gc.freeze()
    # A forked worker inherits the file descriptor through which a signal wakes the parent process. Only the
    # parent process should use it.
    signal.set_wakeup_fd(-1)
    for name in ("SIGINT", "SIGHUP"):  # Only the parent process should react to Ctrl-C and a closed terminal.
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    # If the parent process dies, Linux kills the worker at once. On other systems, a thread ends the worker.
    # The thread may have to wait until compiled code of the engine returns.
    if sys.platform == "linux" and os.getppid() == parent:
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    process = multiprocessing.parent_process()
    if process is not None:
        if wait_for([process.sentinel], timeout=0):
            os._exit(1)  # The parent process died before prctl was called, so Linux won't kill this worker.
        threading.Thread(target=_end_with, args=(process.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    wait_for([sentinel])
    os._exit(1)
