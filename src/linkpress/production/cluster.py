"""Calls made on other machines: a Dask cluster as an executor.

Dask moves a call whose worker has died to another one by itself. Added here is what a book needs on top
of that: workers count only if they have the same linkpress, a worker that has fallen silent holds nothing
up, and a scheduler that has gone away ends the run with a message.

A call's arguments and result are values of linkpress alone; no folder is shared. What bounds a cluster is
the one process that asks it, and writes journal and ledger: ``tests/benchmarks/cluster.py`` finds 3 ms of
the processor for each puzzle (2 at the scheduler), 4 kB over the wire (15 kB at 30 × 30), and one wait for
the disk of 5 ms, the journal's. That is some 120 puzzles a second, or 1,200 workers whose puzzles take 10 s.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import pickle
import threading
import uuid
from collections.abc import Callable, Collection
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ParamSpec, Self, TypeVar
from urllib.parse import urlsplit

from linkpress.errors import ClusterError, UsageError
from linkpress.production.cluster_workers import ClusterPatience, Crew, Tell, differences, identity
from linkpress.production.dispatch import WorkerLost

P = ParamSpec("P")
T = TypeVar("T")

_SCHEMES = ("tcp", "tls")
_LOOK_EVERY_S = 1.0
_MAX_STRANDED = 1  # of a call, before it is under suspicion to end its workers
_LOGS = ("distributed.client", "tornado.application")  # they say what a user is told here, with tracebacks


def read_scheduler(text: str) -> str:
    """The address of a scheduler, as it stands.

    Raises:
        UsageError: it is not of that form.
    """
    try:
        parts = urlsplit(text)
        whole = parts.scheme in _SCHEMES and parts.hostname and parts.port
        if whole and not (parts.path or parts.query or parts.fragment or "@" in parts.netloc):
            return text
    except ValueError:  # no port number
        pass
    raise UsageError(
        f"{'that' if '@' in text else repr(text)} is no address of a Dask scheduler. Give tcp://HOST:PORT, "
        "or tls://HOST:PORT, as the scheduler itself says it when it starts; the port is usually 8786."
    )


class DaskCluster:
    """A connection to a Dask scheduler; a context manager. A thread of its own keeps an eye on the workers.

    Args:
        address: of the scheduler.
        tell: told of workers that take no part or are slow, from that thread, too.
        patience: how long to wait.
    Attributes:
        client: Dask's.
        crew: the workers.
        fault: why the cluster is lost; None while it is not.
    Raises:
        UsageError, ClusterError: as ``executors.open_workers``.
    """

    def __init__(self, address: str, tell: Tell, patience: ClusterPatience | None = None) -> None:
        patience = patience or ClusterPatience()
        self._address = read_scheduler(address)
        self._log_levels = {name: logging.getLogger(name).level for name in _LOGS}
        self.client = _connect(address, patience.connect_s)
        self.crew = Crew(self.client, tell, patience)
        self.fault: ClusterError | None = None
        self._executors: list[_ClusterExecutor] = []
        self._closing = threading.Event()

    def __enter__(self) -> Self:
        try:
            self.crew.gather(self._address)
        except BaseException:
            self.__exit__()
            raise
        threading.Thread(target=self._keep_watch, daemon=True).start()
        return self

    def __exit__(self, *fault: object) -> None:
        self._closing.set()
        with contextlib.suppress(Exception):  # whatever it finds, it is of no use any more
            self.client.close(timeout=1.0)
        for name, level in self._log_levels.items():
            logging.getLogger(name).setLevel(level)

    def executor(self, jobs: int) -> Executor:
        """An executor of calls; how many are made at a time is the cluster's to say."""
        executor = _ClusterExecutor(self)
        self._executors.append(executor)
        return executor

    def _keep_watch(self) -> None:
        while self.fault is None and not self._closing.wait(_LOOK_EVERY_S):
            try:
                stuck = self.crew.watch()
                for executor in list(self._executors):
                    executor.tend(stuck)
            except Exception as fault:  # whatever it is: nothing may wait for what nobody watches
                said = str(fault) if isinstance(fault, ClusterError) else f"{type(fault).__name__}: {fault}"
                self.fault = ClusterError(f"the cluster at {self._address} is lost: {said}")
                for executor in list(self._executors):
                    executor.give_up(self.fault)


@dataclass(eq=False)
class _Call:
    """A call, with its copies at Dask by their keys, and which workers each of these may go to.

    Args:
        stranded: how often all workers that a copy might go to had ended.
    """

    work: bytes
    future: Future[Any] = field(default_factory=Future)
    copies: dict[str, tuple[Future[Any], frozenset[str]]] = field(default_factory=dict)
    stranded: int = 0


def _call_here(wanted: dict[str, str], work: bytes) -> tuple[bool, Any]:
    """What a worker is asked: a call's result; or its address, if its linkpress is not the one that asks."""
    if differences(wanted):
        from distributed import get_worker

        return False, get_worker().address
    function, args, named = pickle.loads(work)
    return True, function(*args, **named)


class _ClusterExecutor(Executor):
    """Calls made by a cluster's workers.

    A call has one copy at Dask, and another one where all workers that may have it have gone or are silent,
    or where Dask's client has forgotten it, as it does when it has to connect anew; the first result counts.
    The client tells of copies in its own thread, which waits for nothing here.
    """

    def __init__(self, cluster: DaskCluster) -> None:
        self._cluster = cluster
        self._dask = cluster.client.get_executor(pure=False, allow_other_workers=False)
        self._lock = threading.Lock()
        self._calls: set[_Call] = set()  # without a result
        self._spare: list[Future[Any]] = []  # copies of calls that have one
        self.ended = False

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Hand out a call; the cluster's fault is its exception once the cluster is lost."""
        call = _Call(pickle.dumps((fn, args, kwargs)))
        with self._lock:
            self._calls.add(call)
            fault = self._cluster.fault
        if fault is not None:
            self._end(call, None, fault)
        else:
            self._hand_out(call, self._cluster.crew.able())
        return call.future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End all calls at once; what a worker has begun it brings to an end, and drops."""
        with self._lock:
            left, self._calls, self.ended = self._calls, set(), True
        for call in left:
            call.future.cancel()
        with contextlib.suppress(Exception):  # of a client that is closed
            self._dask.shutdown(wait=False)

    def tend(self, stuck: Collection[str]) -> None:
        """Make sure that each call is with a worker that can make it; called by the cluster's watch.

        Args:
            stuck: keys of copies that silent workers hold.
        """
        crew, known = self._cluster.crew, self._cluster.client.futures
        able, there, unplaced = crew.able(), crew.there(), []
        with self._lock:
            spare, self._spare = self._spare, []
            for call in self._calls:
                for key, (copy, where) in list(call.copies.items()):
                    if key in known and not where & there:
                        call.stranded += 1
                        spare.append(copy)
                        del call.copies[key]
                if not any(key in known and key not in stuck for key in call.copies):
                    unplaced.append(call)
        for copy in spare:
            copy.cancel()
        for call in unplaced:
            if call.stranded <= _MAX_STRANDED:
                self._hand_out(call, able)
            else:
                self._end(call, None, WorkerLost("all workers of the cluster that had it ended"))

    def give_up(self, fault: ClusterError) -> None:
        """End all calls with a fault."""
        with self._lock:
            left = list(self._calls)
        for call in left:
            self._end(call, None, fault)

    def _hand_out(self, call: _Call, able: frozenset[str]) -> None:
        if not able or self.ended:
            return
        from distributed.client import ClosedClientError

        key = f"linkpress-{uuid.uuid4()}"
        try:
            copy = self._dask.submit(_call_here, identity(), call.work, key=key, workers=sorted(able))
        except (ClosedClientError, RuntimeError):  # which the watch is about to see
            return
        with self._lock:
            call.copies[key] = copy, able
        copy.add_done_callback(partial(self._note, call, key))

    def _note(self, call: _Call, key: str, copy: Future[Any]) -> None:
        with self._lock:
            call.copies.pop(key, None)
        if copy.cancelled():  # by ourselves, or since the connection was lost: then the watch hands it out
            return
        fault = copy.exception()
        if fault is not None:
            self._end(call, None, _in_words(fault))
            return
        fits, value = copy.result()
        if fits:
            self._end(call, value)
        else:
            self._cluster.crew.doubt(value)

    def _end(self, call: _Call, value: Any, fault: BaseException | None = None) -> None:
        with self._lock:
            if call not in self._calls:
                return
            self._calls.discard(call)
            self._spare += [copy for copy, _ in call.copies.values()]
        if fault is None:
            call.future.set_result(value)
        else:
            call.future.set_exception(fault)


def _in_words(fault: BaseException) -> BaseException:
    """What a call ended with that has no result; its own exceptions are results."""
    from distributed import KilledWorker

    if isinstance(fault, KilledWorker):
        last = fault.last_worker.address
        return WorkerLost(
            f"{fault.allowed_failures + 1} workers of the cluster ended with it, the last was {last}"
        )
    return fault


def _connect(address: str, connect_s: float) -> Any:
    """A client of the scheduler, which is of use to nobody but us.

    Raises:
        UsageError: there is no scheduler, or nothing to speak to it with.
    """
    try:
        from distributed import Client
    except ImportError as fault:
        raise UsageError(
            f"a cluster takes the package distributed, which is missing here ({fault}): "
            "pip install 'linkpress[cluster]'"
        ) from None
    for name in _LOGS:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        with ThreadPoolExecutor(1) as asking:  # there may be a loop in this thread
            kind = asking.submit(asyncio.run, _kind_of_server(address, connect_s)).result()
        if kind != "Scheduler":
            raise ConnectionError(f"that is a {kind.lower()} of Dask, and no scheduler")
        return Client(address, timeout=connect_s, set_as_default=False)
    except Exception as fault:  # of the system, of TLS or of Dask
        why = str(fault) or f"nothing there speaks to us as Dask does in {connect_s:.0f} s"
        raise UsageError(
            f"no Dask scheduler can be reached at {address}: {why}. Start one with 'dask scheduler', or name "
            "the address that it says."
        ) from fault


async def _kind_of_server(address: str, connect_s: float) -> str:
    """What a server of Dask says it is. Dask's client waits without end for one that is none."""
    from distributed import Security, rpc

    async def ask() -> str:
        args = Security().get_connection_args("client")
        async with rpc(address, timeout=connect_s, connection_args=args) as server:
            return str((await server.identity())["type"])

    return await asyncio.wait_for(ask(), connect_s + 1.0)
