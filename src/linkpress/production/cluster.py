"""Run function calls on the workers of a Dask cluster.

If a worker dies, or is silent for some minutes, Dask itself gives its calls to other workers. This module
adds three rules:

- Only workers with the same version of linkpress get calls.
- A call is submitted again if all workers that were allowed to run it have left the cluster.
- If the scheduler can't be reached any more, the run ends with a message.

Workers need no shared folder, because arguments and results are sent over the network. The useful size of a
cluster is limited by the process that builds the book. For each puzzle, this process needs 3 ms of processor
time, 4 kB on the network (15 kB for boards of 30 × 30), and 5 ms to write the journal. So it can serve 120
puzzles a second. That is enough for 1,200 workers that each need 10 s for a puzzle.
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

CONNECT_S = 5.0  # seconds to wait for the scheduler's first answer
WORKER_WAIT_S = 60.0  # seconds to wait for a worker to join if the cluster has no worker
SILENCE_S = 30.0  # seconds without an answer after which the scheduler counts as lost
_CHECK_EVERY_S = 1.0
_ASK_S = 10.0  # seconds to wait for a worker that was asked for its version

# Only workers with this version of linkpress can run a function call. If all workers that could run a
# call leave the cluster, the call is submitted to new workers. This happens at most this number of times
# for a call.
_MAX_LOSSES = 2
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
    """Return two texts about the installed linkpress, to compare this machine with the workers of a cluster.

    The first text is the version with a hash of the source files. It must be the same on all machines. The
    second text says why the kernels, the fast parts of the engine, run without compilation. It is empty if
    the kernels are compiled.
    """
    from linkpress.engine.kernels import WHY_PLAIN

    digest = sha256()
    for path in sorted(Path(__file__).parents[1].rglob("*.py")):
        digest.update(path.read_bytes().replace(b"\r\n", b"\n"))
    return f"linkpress {__version__} ({digest.hexdigest()[:12]})", WHY_PLAIN


class DaskCluster:
    """Connection to a Dask scheduler and to its workers that have the same linkpress. A context manager.

    Args:
        address: the address of the scheduler.
        notify: function called with messages about workers, from another thread.
        jobs: the number of calls made at the same time; None for the total number of the workers' threads.
    Raises:
        UsageError: the address is malformed, no scheduler answers there, or Dask is not installed.
        ClusterError: no worker has the same version of linkpress.
    """

    def __init__(self, address: str, notify: Notify, jobs: int | None = None) -> None:
        self._address, self._notify, self._jobs = read_scheduler(address), notify, jobs
        self.client = connect(address)
        self.error: ClusterError | None = None
        self._threads: dict[str, int] = {}  # maps the address of each usable worker to its number of threads
        self._refused: dict[str, str] = {}  # the reason why a worker is not used, by the worker's address
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
        """Return an executor that runs calls on the cluster. The argument ``jobs`` has no effect."""
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
        """Look for new and lost workers once a second, until the connection is closed or lost."""
        answered_s = staffed_s = time.monotonic()
        try:
            while not self._closing.wait(_CHECK_EVERY_S):
                try:
                    self._update_workers()
                    answered_s = time.monotonic()
                except OSError as error:
                    # After a short interruption, Dask itself connects again. So only a long silence of the
                    # scheduler ends the run.
                    if time.monotonic() - answered_s > SILENCE_S:
                        raise ClusterError(_SCHEDULER_GONE) from error
                if self._threads:
                    staffed_s = answered_s
                elif time.monotonic() - staffed_s > WORKER_WAIT_S:
                    raise ClusterError(f"it has had no worker for {WORKER_WAIT_S:.0f} s")
                for executor in list(self._executors):
                    executor.resubmit_stranded()
        # This thread notices when a worker leaves the cluster, and submits the function calls of this
        # worker to other workers. Without this thread, the run would wait forever for such calls. So any
        # error ends the run.
        except Exception as error:
            cause = str(error) if isinstance(error, ClusterError) else f"{type(error).__name__}: {error}"
            self.error = ClusterError(f"the cluster at {self._address} is lost: {cause}")
            for executor in list(self._executors):
                executor.fail(self.error)

    def _update_workers(self) -> int:
        """Find new and lost workers of the cluster, and ask the new workers for their versions of linkpress.

        Returns:
            The number of new workers that did not answer.
        """
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
        """Ask a worker which version of linkpress it runs, by calling ``identity`` in the worker.

        Returns:
            The two texts that ``identity`` returns. If the worker has no linkpress, or a version that is too
            old for this call, the first text says so, and the second text is empty. None if the worker does
            not answer, because it is busy or has ended.
        """
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
    task: Future[Any] | None = None  # the future that Dask returned; None if the future was cancelled or lost
    workers: frozenset[str] = frozenset()  # addresses of the workers that may run the call
    losses: int = 0


class _ClusterExecutor(Executor):
    """Executor that runs function calls on the workers of a Dask cluster."""

    def __init__(self, cluster: DaskCluster) -> None:
        self._cluster = cluster
        self._dask = cluster.client.get_executor(pure=False, allow_other_workers=False)
        self._lock = threading.Lock()
        self._calls: dict[_Call, None] = {}  # unfinished calls, in the order of submission

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Submit a function call to the cluster.

        If the connection to the cluster is lost, the returned future raises a ``ClusterError``.
        """
        call = _Call(pickle.dumps((fn, args, kwargs)))
        with self._lock:
            self._calls[call] = None
        self._submit(call)
        return call.future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Cancel all calls of this executor.

        Workers finish the calls that they have started, but the results are discarded.
        """
        with self._lock:
            calls, self._calls = self._calls, {}
        for call in calls:
            call.future.cancel()
        # Ignore the error that is raised if the Dask client is closed already.
        with contextlib.suppress(Exception):
            self._dask.shutdown(wait=False)

    def resubmit_stranded(self) -> None:
        """Submit a call again if all workers that may run it have left the cluster.

        A call is also submitted again if Dask's client no longer knows it. A call that has lost its workers
        too often ends with ``WorkerLost``.
        """
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
        """End all unfinished calls with an error."""
        for call in list(self._calls):
            self._end(call, error=error)

    def _submit(self, call: _Call) -> None:
        from distributed.client import ClosedClientError

        if self._cluster.error is not None:
            self._end(call, error=self._cluster.error)
            return
        call.workers, call.key = self._cluster.workers(), f"linkpress-{uuid.uuid4()}"
        if not call.workers:
            # The cluster has no worker. ``resubmit_stranded`` submits the call as soon as a worker joins.
            return
        try:
            task = self._dask.submit(_run, call.work, key=call.key, workers=sorted(call.workers))
        # The connection to the scheduler is lost. ``_watch`` ends the run with a message.
        except (ClosedClientError, RuntimeError):
            return
        call.task = task
        task.add_done_callback(partial(self._collect, call))

    def _collect(self, call: _Call, task: Future[Any]) -> None:
        from distributed import KilledWorker

        if task.cancelled():  # The task was cancelled by this executor, or by Dask when it connected again.
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
    """Return the address of a Dask scheduler unchanged; raise ``UsageError`` if the address is malformed."""
    with contextlib.suppress(ValueError):  # ``parts.port`` raises ``ValueError`` if the port is not a number.
        parts = urlsplit(text)
        more = parts.path or parts.query or parts.fragment or "@" in parts.netloc
        if parts.scheme in ("tcp", "tls") and parts.hostname and parts.port and not more:
            return text
    raise UsageError(
        f"{'that' if '@' in text else repr(text)} is no address of a Dask scheduler. Give tcp://HOST:PORT or "
        "tls://HOST:PORT, as the scheduler prints it when it starts; the port is usually 8786."
    )


def connect(address: str) -> Any:
    """Connect to a Dask scheduler, and return the Dask client.

    Raises:
        UsageError: no scheduler answers in time at this address, or Dask is not installed.
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise UsageError(
            f"a cluster needs the Python package `distributed`, which is not installed here ({error}): "
            "pip install 'linkpress[cluster]'"
        ) from None
    # Silence loggers that print tracebacks of errors for which this module has its own messages.
    for name in ("distributed", "tornado.application"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        # Look the host name up first, because Dask would look up an unknown name many times.
        socket.getaddrinfo(urlsplit(address).hostname, None)
        # Use another thread, because asyncio.run fails if this thread already has a running event loop.
        with ThreadPoolExecutor(1) as executor:
            kind = executor.submit(asyncio.run, _server_kind(address)).result()
        if kind != "Scheduler":
            raise ValueError(f"that is a {kind.lower()} of Dask, and no scheduler")
        return Client(address, timeout=CONNECT_S, set_as_default=False)
    except Exception as error:  # The operating system, TLS and Dask raise many different exceptions.
        cause = str(error.__cause__ or "") or str(error) or f"nobody answers in {CONNECT_S:.0f} s"
        # Another program, such as a web server, may answer at the address. Dask then reads the start of the
        # answer as the length of a huge message, or the whole answer as a malformed message.
        if isinstance(error.__cause__ or error, MemoryError) or "unpack(b)" in cause:
            cause = "another program answers there, such as a web server"
        # Remove the beginning of Dask's message, which is Dask's own name for the connection.
        cause = re.sub(r"^in <[^>]*>: ", "", cause).rstrip(".")
        advice = _START_ADVICE + _CERTIFICATES_ADVICE * address.startswith("tls:")
        raise UsageError(f"no Dask scheduler can be reached at {address}: {cause}. {advice}") from error


async def _server_kind(address: str) -> str:
    """Ask a Dask server for its kind, and return Dask's word for it, such as ``Scheduler`` or ``Worker``.

    Ask before connecting, because a Dask client would wait forever for a server that is not a scheduler.
    """
    from distributed import Security, rpc

    server = rpc(address, timeout=CONNECT_S, connection_args=Security().get_connection_args("client"))
    async with asyncio.timeout(CONNECT_S + 1.0), server:
        return str((await server.identity())["type"])
