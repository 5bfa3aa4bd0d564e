"""Worker processes that end with their parent, however it ends."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from multiprocessing.connection import wait
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_END_S = 1.0


def available_jobs() -> int:
    """How many cores this process may use, at least 1."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1


class InProcess(Executor):
    """Runs each call at once, where it is submitted: one job needs no second process."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Run the call; its exceptions go into the future, an interruption comes out at once."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as fault:
            future.set_exception(fault)
        return future


@contextlib.contextmanager
def worker_pool(jobs: int, start_method: str | None = None) -> Iterator[Executor]:
    """An executor over ``jobs`` processes; over this one for a single job.

    Leaving it by an exception, Ctrl-C among them, ends the processes at once, whatever they do.

    Args:
        jobs: 1 or more.
        start_method: ``fork``, ``spawn`` or ``forkserver``; the platform's own if None.
    """
    if jobs == 1:
        yield InProcess()
        return
    context = multiprocessing.get_context(start_method)
    pool = ProcessPoolExecutor(jobs, context, initializer=_begin_worker)
    try:
        yield pool
    except BaseException:
        _end(pool)
        raise
    pool.shutdown()


def _end(pool: ProcessPoolExecutor) -> None:
    """Terminate the workers. concurrent.futures offers this from Python 3.14 on only."""
    workers = list((getattr(pool, "_processes", None) or {}).values())
    pool.shutdown(wait=False, cancel_futures=True)
    for worker in workers:
        worker.terminate()
    for worker in workers:
        worker.join(_END_S)
        if worker.is_alive():
            worker.kill()


def _begin_worker() -> None:
    """Leave Ctrl-C to the parent, and watch that there is one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_leave_with, args=(parent.sentinel,), daemon=True).start()


def _leave_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)
