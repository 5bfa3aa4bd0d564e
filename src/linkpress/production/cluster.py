"""Calls made by the workers of a Dask cluster, as an executor.

Dask gives the calls of a worker that died, or was silent for some minutes, to other workers. This module adds
what a book needs on top of that. Only workers with the same linkpress get calls. If the workers that may make
a call have all left the cluster, it is submitted again. If the scheduler is gone, the run ends with a
message.

A call's arguments and results are values of linkpress; workers need no shared folder. The process that builds
the book is the limit of a cluster. For each puzzle it needs 3 ms of processor time, 4 kB on the network (15
kB at 30 × 30) and 5 ms for the journal on the disk. That makes 120 puzzles a second, or 1,200 workers that
need 10 s for a puzzle.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import pickle
import re
import socket
import threading
import time
import uuid
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

from linkpress.errors import ClusterError, Notify, UsageError
from linkpress.production.dispatch import WorkerLost
from linkpress.version import __version__

CONNECT_S = 5.0  # how long to wait for the scheduler's first answer
WORKER_WAIT_S = 60.0  # how long to wait for a worker while there is none
SILENCE_S = 30.0  # how long the scheduler may be silent
_CHECK_EVERY_S = 1.0
_ASK_S = 10.0  # how long to wait for a worker's answer to the question for its version
_MAX_LOSSES = 2  # number of workers that a call may lose before it is suspected to kill them
_START_ADVICE = (
    "Start one with 'dask scheduler', or give the address that it prints when it starts, with its tcp:// or "
    "tls://; the port is usually 8786."
)
_CERTIFICATES_ADVICE = (
    " For tls:// Dask's configuration must name certificates on every machine: distributed.comm.tls.ca-file, "
    "distributed.comm.tls.client.cert and distributed.comm.tls.client.key, in ~/.config/dask/*.yaml."
)
_INSTALL_ADVICE = f"Install linkpress {__version__} with the same packages there, and restart the workers."
_SCHEDULER_GONE = "its scheduler has ended, or can't be reached any more"


@cache
def identity() -> tuple[str, str]:
    """Return two texts: the version of this linkpress with a digest of its sources, and a reason.

    The reason says why the kernels are not compiled. It is empty if they are compiled.
    """
    from linkpress.engine.kernels import WHY_PLAIN

    digest = sha256()
    for path in sorted(Path(__file__).parents[1].rglob("*.py")):
        digest.update(path.read_bytes().replace(b"\r\n", b"\n"))
    return f"linkpress {__version__} ({digest.hexdigest()[:12]})", WHY_PLAIN


class DaskCluster:
    """Connection to a Dask scheduler, and its workers that have the same linkpress; a context manager.

    Args:
        address: the address of the scheduler.
        notify: called with messages about workers, from another thread.
        jobs: the number of calls made at a time. If it is None, the number of the workers' threads.
    Raises:
        UsageError: the address is malformed, nothing answers there, or Dask is not installed.
        ClusterError: the cluster has no worker with this linkpress.
    """

    def __init__(self, address: str, notify: Notify, jobs: int | None = None) -> None:
        self._address, self._notify, self._jobs = read_scheduler(address), notify, jobs
        self.client = connect(address)
        self.error: ClusterError | None = None
        self._threads: dict[str, int] = {}  # threads of each worker that can take part, by its address
        self._refused: dict[str, str] = {}  # why other workers can't take part, by their addresses
        self._executors: list[_ClusterExecutor] = []
        self._closing = threading.Event()

    def __enter__(self) -> Self:
        try:
            self._await_workers()
        except BaseException:
            self.__exit__()
            raise
        threading.Thread(target=self._watch, daemon=True).start()
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._closing.set()
        with contextlib.suppress(Exception):
            self.client.close(timeout=1.0)

    def jobs(self) -> int:
        return self._jobs or sum(list(self._threads.values()))

    def workers(self) -> frozenset[str]:
        return frozenset(self._threads)

    def executor(self, jobs: int) -> Executor:
        """Return an executor of calls; the cluster decides how many are made at a time."""
        executor = _ClusterExecutor(self)
        self._executors.append(executor)
        return executor

    def _await_workers(self) -> None:
        start_s, has_notified = time.monotonic(), False
        while True:
            unanswered = self._update_workers()
            if self._threads:
                return
            waited_s = time.monotonic() - start_s
            if self._refused and not unanswered:
                raise ClusterError(
                    f"no worker of the cluster at {self._address} can take part: "
                    f"{'; '.join(self._refused.values())}. {_INSTALL_ADVICE}"
                )
            if waited_s > WORKER_WAIT_S:
                raise ClusterError(
                    f"the cluster at {self._address} has no worker that answers, after {waited_s:.0f} s. "
                    f"Start some: dask worker {self._address} --nthreads 1"
                )
            if not has_notified:
                has_notified = True
                self._notify(f"{self._address} has no worker; waiting for one for {WORKER_WAIT_S:.0f} s")
            time.sleep(0.05)

    def _watch(self) -> None:
        """Update the workers once a second, until the cluster is closed or lost."""
        answered_s = staffed_s = time.monotonic()
        try:
            while not self._closing.wait(_CHECK_EVERY_S):
                try:
                    self._update_workers()
                    answered_s = time.monotonic()
                except OSError as error:  # the connection is lost; Dask connects again, or closes the client
                    if time.monotonic() - answered_s > SILENCE_S:
                        raise ClusterError(_SCHEDULER_GONE) from error
                if self._threads:
                    staffed_s = answered_s
                elif time.monotonic() - staffed_s > WORKER_WAIT_S:
                    raise ClusterError(f"it has had no worker for {WORKER_WAIT_S:.0f} s")
                for executor in list(self._executors):
                    executor.resubmit_stranded()
        except Exception as error:  # any error ends the run, because nobody watches the calls any more
            cause = str(error) if isinstance(error, ClusterError) else f"{type(error).__name__}: {error}"
            self.error = ClusterError(f"the cluster at {self._address} is lost: {cause}")
            for executor in list(self._executors):
                executor.fail(self.error)

    def _update_workers(self) -> int:
        """Find new workers and ask for their versions; return the number of workers that did not answer."""
        if self.client.status not in ("running", "connecting"):
            raise ClusterError(_SCHEDULER_GONE)
        found = self.client.sync(self.client.scheduler.identity, n_workers=-1, callback_timeout=SILENCE_S)
        workers = found["workers"]
        had_workers = bool(self._threads)
        self._threads = {address: n for address, n in self._threads.items() if address in workers}
        self._refused = {address: why for address, why in self._refused.items() if address in workers}
        unanswered, refused = 0, []
        for address in workers.keys() - self._threads.keys() - self._refused.keys():
            answer = self._ask(address)
            name = f"the worker {address} ({workers[address]['name']})"
            if answer is None:
                unanswered += 1
            elif answer[0] != identity()[0]:
                self._refused[address] = f"{name} has {answer[0]}, not {identity()[0]}"
                refused.append(self._refused[address])
            else:
                self._threads[address] = workers[address]["nthreads"]
                if answer[1]:
                    self._notify(f"{name} is about a hundred times slower than compiled: {answer[1]}")
        if refused and self._threads:
            self._notify(f"not taking part: {'; '.join(refused)}. {_INSTALL_ADVICE}")
        if had_workers and not self._threads:
            self._notify(f"the cluster has no worker left; waiting for one for {WORKER_WAIT_S:.0f} s")
        return unanswered

    def _ask(self, address: str) -> tuple[str, str] | None:
        """Ask a worker for its ``identity``; None if it does not answer, because it is busy or has gone."""
        ask = partial(self.client.run, identity, workers=[address], on_error="return", asynchronous=True)
        try:
            answer = self.client.sync(ask, callback_timeout=_ASK_S)[address]
        except Exception:
            return None
        return answer if isinstance(answer, tuple) else ("no linkpress that can join a cluster", "")


@dataclass(eq=False)
class _Call:
    work: bytes  # the pickled function and its arguments
    future: Future[Any] = field(default_factory=Future)
    key: str = ""
    task: Future[Any] | None = None  # the future returned by Dask; None if it was cancelled or lost
    workers: frozenset[str] = frozenset()  # the workers that may make the call
    losses: int = 0


class _ClusterExecutor(Executor):
    """Executor whose calls are made by the workers of a cluster."""

    def __init__(self, cluster: DaskCluster) -> None:
        self._cluster = cluster
        self._dask = cluster.client.get_executor(pure=False, allow_other_workers=False)
        self._lock = threading.Lock()
        self._calls: dict[_Call, None] = {}  # unfinished calls, the oldest first

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Submit a call; it ends with the cluster's error if the cluster is lost."""
        call = _Call(pickle.dumps((fn, args, kwargs)))
        with self._lock:
            self._calls[call] = None
        self._submit(call)
        return call.future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Cancel all calls. A worker finishes the calls that it has started, and drops their results."""
        with self._lock:
            calls, self._calls = self._calls, {}
        for call in calls:
            call.future.cancel()
        with contextlib.suppress(Exception):  # the client may be closed
            self._dask.shutdown(wait=False)

    def resubmit_stranded(self) -> None:
        """Submit calls again if their workers have all left, or if Dask's client forgot them."""
        present, known = self._cluster.workers(), self._cluster.client.futures
        for call in list(self._calls):
            if call.task is not None and call.key in known:
                if call.workers & present:
                    continue
                call.losses += 1
                task, call.task = call.task, None
                task.cancel()
            if call.losses > _MAX_LOSSES:
                self._end(call, error=WorkerLost("all workers of the cluster that could make it ended"))
            else:
                self._submit(call)

    def fail(self, error: ClusterError) -> None:
        """End all calls with an error."""
        for call in list(self._calls):
            self._end(call, error=error)

    def _submit(self, call: _Call) -> None:
        from distributed.client import ClosedClientError

        if self._cluster.error is not None:
            self._end(call, error=self._cluster.error)
            return
        call.workers, call.key = self._cluster.workers(), f"linkpress-{uuid.uuid4()}"
        if not call.workers:
            return  # ``resubmit_stranded`` will find new workers
        try:
            task = self._dask.submit(_run, call.work, key=call.key, workers=sorted(call.workers))
        except (ClosedClientError, RuntimeError):  # the cluster is lost, and ``_watch`` reports it
            return
        call.task = task
        task.add_done_callback(partial(self._collect, call))

    def _collect(self, call: _Call, task: Future[Any]) -> None:
        from distributed import KilledWorker

        if task.cancelled():  # this executor cancelled the task, or the client has reconnected
            if task is call.task:
                call.task = None
            return
        error = task.exception()
        if isinstance(error, KilledWorker):
            error = WorkerLost(f"several workers ended with it, the last was {error.last_worker.address}")
        self._end(call, None if error else task.result(), error)

    def _end(self, call: _Call, value: Any = None, error: BaseException | None = None) -> None:
        with self._lock:
            if call not in self._calls:
                return
            del self._calls[call]
        if error is None:
            call.future.set_result(value)
        else:
            call.future.set_exception(error)


def _run(work: bytes) -> Any:
    function, args, kwargs = pickle.loads(work)
    return function(*args, **kwargs)


def read_scheduler(text: str) -> str:
    """Check the address of a scheduler, and return it; raise ``UsageError`` if it is malformed."""
    with contextlib.suppress(ValueError):  # raised if the port is not a number
        parts = urlsplit(text)
        more = parts.path or parts.query or parts.fragment or "@" in parts.netloc
        if parts.scheme in ("tcp", "tls") and parts.hostname and parts.port and not more:
            return text
    raise UsageError(
        f"{'that' if '@' in text else repr(text)} is no address of a Dask scheduler. Give tcp://HOST:PORT or "
        "tls://HOST:PORT, as the scheduler prints it when it starts; the port is usually 8786."
    )


def connect(address: str) -> Any:
    """Return a Dask client connected to a scheduler; raise ``UsageError`` if none answers in time."""
    try:
        from distributed import Client
    except ImportError as error:
        raise UsageError(
            f"a cluster needs the package distributed, which is missing here ({error}): "
            "pip install 'linkpress[cluster]'"
        ) from None
    for name in ("distributed", "tornado.application"):  # they log tracebacks of errors reported here
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        # Refuse an unknown host name at once, because Dask would look it up many times.
        socket.getaddrinfo(urlsplit(address).hostname, None)
        with ThreadPoolExecutor(1) as executor:  # the current thread may have an event loop already
            kind = executor.submit(asyncio.run, _server_kind(address)).result()
        if kind != "Scheduler":
            raise ValueError(f"that is a {kind.lower()} of Dask, and no scheduler")
        return Client(address, timeout=CONNECT_S, set_as_default=False)
    except Exception as error:  # the system, TLS and Dask raise many kinds of exceptions
        cause = str(error.__cause__ or "") or str(error) or f"nobody answers in {CONNECT_S:.0f} s"
        # Dask reads the bytes of another protocol as a huge length, or as a malformed message.
        if isinstance(error.__cause__ or error, MemoryError) or "unpack(b)" in cause:
            cause = "another program answers there, such as a web server"
        cause = re.sub(r"^in <[^>]*>: ", "", cause).rstrip(".")  # drop Dask's name of the connection
        advice = _START_ADVICE + _CERTIFICATES_ADVICE * address.startswith("tls:")
        raise UsageError(f"no Dask scheduler can be reached at {address}: {cause}. {advice}") from error


async def _server_kind(address: str) -> str:
    """Ask a server of Dask for its kind, because a client would wait forever for one that is no scheduler."""
    from distributed import Security, rpc

    server = rpc(address, timeout=CONNECT_S, connection_args=Security().get_connection_args("client"))
    async with asyncio.timeout(CONNECT_S + 1.0), server:
        return str((await server.identity())["type"])
