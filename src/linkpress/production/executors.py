"""Calls are made by processes of this machine that end with this one, by this process, or by a cluster."""

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
from typing import ParamSpec, TypeVar

from linkpress.errors import GaveUpError, Notify
from linkpress.production.dispatch import Workers

P = ParamSpec("P")
T = TypeVar("T")

_ASKED_TO_END = ("SIGINT", "SIGTERM", "SIGHUP")
_LOOK_EVERY_S = 0.2
_LOOKS_FOR_DEAD = 10  # in a row: a thread that is just being started counts as dead, too
# Of address space, for the threads of an executor: one that dies of its lack while it starts is waited for by
# ``Thread.start`` for good. Under 'ulimit -v' of 328 to 332 MB three builds of seven hung so.
_ROOM_BYTES = 64 << 20
_PR_SET_PDEATHSIG = 1
_TOGETHER_S = 0.03  # of work handed out at once, which no one who waits or interrupts will notice
_MOST_ON_WINDOWS = 61  # what the system lets one process wait for


def available_jobs() -> int:
    """Return the number of cores that this process may use, at least 1."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1


def local_workers(jobs: int | None = None) -> Workers:
    """Take processes of this machine, as many as there are cores if None."""
    return Workers(jobs or available_jobs(), worker_processes, together_s=_TOGETHER_S)


@contextlib.contextmanager
def open_workers(jobs: int | None, cluster: str | None, notify: Notify) -> Iterator[Workers]:
    """Open workers for the block: processes of this machine, or those of a cluster.

    Args:
        jobs: how many calls at a time, with none waiting at a cluster; as many as this machine has cores, or
            the cluster threads, if None.
        cluster: the address of a Dask scheduler; None for this machine.
        notify: is called with what a user should know of the cluster, from another thread, too.
    Raises:
        UsageError: the address is none, nothing answers there, or the package for it is missing.
        ClusterError: it has no worker that can take part.
    """
    if cluster is None:
        yield local_workers(jobs)
        return
    from linkpress.production.cluster import DaskCluster  # 40 ms, which a run on this machine need not spend

    with DaskCluster(cluster, notify, jobs=jobs) as joined:
        workers = Workers(joined.jobs(), joined.executor, elsewhere=True, jobs_now=joined.jobs)
        yield workers if jobs is None else replace(workers, ahead=1)


class InProcess(Executor):
    """This executor runs each call at once, where it is submitted, one at a time."""

    def __init__(self, jobs: int = 1) -> None:
        pass

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Run the call; its exceptions go into the future, an interruption comes out at once."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as fault:
            future.set_exception(fault)
        return future


def worker_processes(jobs: int, start_method: str | None = None) -> Executor:
    """Start processes to work in.

    Args:
        jobs: how many; fewer where the system starts no more.
        start_method: ``fork``, ``spawn`` or ``forkserver``; if None the one that the program has set
            (``multiprocessing.set_start_method``), else ``fork`` on Linux and the platform's elsewhere.
    Returns:
        An executor whose ``shutdown`` ends the processes at once, whatever they do. On Linux, and with
        a live parent elsewhere, none outlives this process.
    Raises:
        GaveUpError: not even one process can be started.
    """
    jobs = min(jobs, _MOST_ON_WINDOWS) if sys.platform == "win32" else jobs
    while True:
        pool = None
        try:
            mmap.mmap(-1, _ROOM_BYTES).close()
            with _unstarted_threads_unseen():
                with _held_back():
                    pool = _WorkerPool(jobs, start_method or _usual_method())
                    first = pool.submit(os.getpid)  # starts them
                pool.await_first(first)
            return pool
        except BaseException as fault:
            if pool is not None:
                pool.shutdown()
            if not isinstance(fault, (OSError, RuntimeError, MemoryError)):
                raise
            if jobs == 1:  # the system has no more processes, threads, pipes or memory to give
                why = getattr(fault, "strerror", None) or fault
                raise GaveUpError(
                    f"no process can be started to work in: {why}. Close other programs, "
                    "or raise the limits that 'ulimit -a' shows."
                ) from fault
            jobs //= 2


@contextlib.contextmanager
def _unstarted_threads_unseen() -> Iterator[None]:
    """Print no traceback of the executor's own thread where the system starts no more."""
    usual = threading.excepthook
    unseen = (RuntimeError, MemoryError)
    threading.excepthook = lambda seen: None if issubclass(seen.exc_type, unseen) else usual(seen)
    try:
        yield
    finally:
        threading.excepthook = usual


@contextlib.contextmanager
def _held_back() -> Iterator[None]:
    """Take requests to end after the block: Python drops what they raise in a fork's hooks."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    received: list[int] = []
    numbers = [getattr(signal, name) for name in _ASKED_TO_END if hasattr(signal, name)]
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
    def __init__(self, jobs: int, start_method: str | None) -> None:
        self._not_ours = frozenset(multiprocessing.active_children())
        super().__init__(jobs, multiprocessing.get_context(start_method), _prepare_worker, (os.getpid(),))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        for process in multiprocessing.active_children():
            if process not in self._not_ours:
                process.kill()
        with contextlib.suppress(RuntimeError):  # of a thread that the system did not start
            super().shutdown(wait=True, cancel_futures=True)

    def await_first(self, first: Future[int]) -> None:
        """Wait for the first call, on whose way all threads start; raise ``OSError`` if one did not."""
        gone = 0
        while not first.done():
            wait([first], _LOOK_EVERY_S)
            manager = getattr(self, "_executor_manager_thread", None)
            feeder = getattr(getattr(self, "_call_queue", None), "_thread", None)
            dead = [thread for thread in (manager, feeder) if thread is not None and not thread.is_alive()]
            gone = gone + 1 if dead else 0
            if not first.done() and gone >= _LOOKS_FOR_DEAD:
                raise OSError(errno.ENOMEM, os.strerror(errno.ENOMEM))


def _usual_method() -> str | None:
    """Choose how workers start: forked ones have the kernels, and end with their parent even inside one.

    From Python 3.14 on Linux takes ``forkserver`` if nobody chooses: its workers are no children of ours,
    so that the system can't end them with us.
    """
    chosen = multiprocessing.get_start_method(allow_none=True)
    return "fork" if chosen is None and sys.platform == "linux" else chosen


def _prepare_worker(parent: int) -> None:
    """Leave signals to the parent, and end with it."""
    gc.freeze()  # what the parent had loaded: going through it again took a tenth of a page of 200 boards
    signal.set_wakeup_fd(-1)  # the parent's, after a fork
    for name in ("SIGINT", "SIGHUP"):  # Ctrl-C and a lost terminal are the parent's to deal with
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    # The system ends the worker where it can; a thread does elsewhere, between two kernels.
    if sys.platform == "linux" and os.getppid() == parent:
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    process = multiprocessing.parent_process()
    if process is not None:
        if wait_for([process.sentinel], timeout=0):
            os._exit(1)  # it ended before the system was told; a kernel would keep the thread from its turn
        threading.Thread(target=_end_with, args=(process.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    wait_for([sentinel])
    os._exit(1)
