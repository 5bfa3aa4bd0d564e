"""A Dask cluster makes calls on other machines, as an executor.

Dask moves a call whose worker has died to another one by itself, and one that waits for a busy worker to
an idle one. Added here is what a book needs on top of that: workers count only if they have the same
linkpress, a worker that has fallen silent or is slow holds nothing up, and a scheduler that has gone away
ends the run with a message.

What a slow worker has begun is handed out again as soon as others are idle, as MapReduce's backup tasks
are (Dean and Ghemawat, OSDI 2004, section 3.6). The first result counts; all of them are the same.

A call's arguments and result are values of linkpress alone; no folder is shared. What bounds a cluster is
the one process that asks it, and writes journal and ledger: measured were 3 ms of the processor for each
puzzle (2 at the scheduler), 4 kB over the wire (15 kB at 30 × 30), and one wait for the disk of 5 ms, the
journal's. That is some 120 puzzles a second, or 1,200 workers whose puzzles take 10 s.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import pickle
import re
import socket
import threading
import uuid
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ParamSpec, Self, TypeVar
from urllib.parse import urlsplit

from linkpress.book.plan import Slot
from linkpress.errors import ClusterError, Notify, UsageError
from linkpress.production.cluster_workers import ClusterPatience, ClusterWorkers, differences, identity
from linkpress.production.dispatch import WorkerLost
from linkpress.production.slot_search import FinishedSlot, defect_of

P = ParamSpec("P")
T = TypeVar("T")

_LOGS = ("distributed", "tornado.application")  # what they say with tracebacks is told here in a sentence

_SCHEMES = ("tcp", "tls")
_START = (
    "Start one with 'dask scheduler', or name the address that it says when it starts, with tcp:// or tls:// "
    "as there; its port is usually 8786."
)
_CERTIFICATES = (
    " tls:// takes the certificates that Dask's configuration names, on every machine: "
    "distributed.comm.tls.ca-file, distributed.comm.tls.client.cert and distributed.comm.tls.client.key, "
    "in ~/.config/dask/*.yaml or as DASK_DISTRIBUTED__COMM__TLS__CA_FILE and so on."
)
_GRADED_ONE_IN = 16
_LOOK_EVERY_S = 1.0
_MAX_LOSSES = 1  # of a call, before it is under suspicion to end its workers


class DaskCluster:
    """A cluster is a connection to a Dask scheduler, and a context manager; its thread watches the workers.

    Args:
        notify: is called with messages about workers that take no part or are slow, from that thread, too.
        jobs: how many calls are made at a time; as many as the workers have threads if None.
    Attributes:
        fault: why the cluster is lost; None while it is not.
        proven_again, graded_again: how many puzzles of its workers were, here.
    Raises:
        UsageError, ClusterError: as ``executors.open_workers``.
    """

    def __init__(
        self, address: str, notify: Notify, patience: ClusterPatience | None = None, jobs: int | None = None
    ) -> None:
        patience = patience or ClusterPatience()
        self._address = read_scheduler(address)
        self._jobs, self._notify = jobs, notify
        self.proven_again = self.graded_again = 0
        self._log_levels = {name: logging.getLogger(name).level for name in _LOGS}
        self.client = connect(address, patience.connect_s)
        self.workers = ClusterWorkers(self.client, notify, patience)
        self.fault: ClusterError | None = None
        self._executors: list[_ClusterExecutor] = []
        self._closing = threading.Event()

    def __enter__(self) -> Self:
        try:
            self.workers.gather(self._address)
        except BaseException:
            self.__exit__()
            raise
        threading.Thread(target=self._keep_watch, daemon=True).start()
        return self

    def __exit__(self, *fault: object) -> None:
        self._closing.set()
        if self.proven_again:
            self._notify(
                f"of the cluster's puzzles {self.proven_again} were proven again here, {self.graded_again} "
                "graded again; the other grades, and the scores, are those of its workers"
            )
        with contextlib.suppress(Exception):  # whatever it finds, it is of no use any more
            self.client.close(timeout=1.0)
        for name, level in self._log_levels.items():
            logging.getLogger(name).setLevel(level)

    def jobs(self) -> int:
        """Return how many calls the workers that are there now make at a time."""
        return self._jobs or self.workers.threads

    def find_defect(self, slot: Slot | None, result: Any) -> str | None:
        """Prove a puzzle again that a worker has made, and grade some again; say what is wrong with it.

        Args:
            slot: that it was asked for; None if the call was about something else.
            result: its answer, of any kind: a puzzle, and None or a fault.
        """
        match result:
            case (None, Exception()):
                return None
            case _ if slot is None:
                return None
            case (FinishedSlot() as finished, None) if finished.slot == slot:
                try:
                    graded = int(finished.record.fingerprint[-4:], 16) % _GRADED_ONE_IN == 0
                    self.proven_again, self.graded_again = self.proven_again + 1, self.graded_again + graded
                    return defect_of(finished, graded=graded)
                except Exception as fault:  # its record has values of any kind
                    return f"for {slot} what is no puzzle ({type(fault).__name__})"
        return f"for {slot} what is no puzzle of it"

    def executor(self, jobs: int) -> Executor:
        """Return an executor of calls; the cluster says how many are made at a time."""
        executor = _ClusterExecutor(self)
        self._executors.append(executor)
        return executor

    def _keep_watch(self) -> None:
        while self.fault is None and not self._closing.wait(_LOOK_EVERY_S):
            try:
                self.workers.watch()
                for executor in list(self._executors):
                    executor.tend()
            except Exception as fault:  # whatever it is: nothing may wait for what nobody watches
                cause = str(fault) if isinstance(fault, ClusterError) else f"{type(fault).__name__}: {fault}"
                self.fault = ClusterError(f"the cluster at {self._address} is lost: {cause}")
                for executor in list(self._executors):
                    executor.give_up(self.fault)


@dataclass(eq=False)
class _Call:
    """A call has copies at Dask, by their keys, each with the workers that it may go to.

    Args:
        losses: how often all workers that a copy might go to had ended; with more than ``_MAX_LOSSES``, as
            with a copy that failed beside another, no further copy is made.
        slot: that it is to make a puzzle of; None if it does something else.
        seen: whether the watch has seen it: it takes more than a moment.
    """

    work: bytes
    slot: Slot | None = None
    future: Future[Any] = field(default_factory=Future)
    copies: dict[str, tuple[Future[Any], frozenset[str]]] = field(default_factory=dict)
    losses: int = 0
    seen: bool = False


def _call_here(wanted: dict[str, str], work: bytes) -> tuple[bool, Any, str]:
    """Return whether this linkpress is the one that asks, the call's result, and the worker's address."""
    from distributed import get_worker

    if differences(wanted):
        return False, None, get_worker().address
    function, args, named = pickle.loads(work)
    return True, function(*args, **named), get_worker().address


class _ClusterExecutor(Executor):
    """This executor's calls are made by a cluster's workers.

    A call has one copy at Dask, and another one where all workers that may have it have gone or are silent,
    where Dask's client has forgotten it, as it does when it has to connect anew, or where a worker is idle
    while the call is under way. The first result counts, and a fault only where no other copy is left.
    The client tells of copies in its own thread, which waits for nothing here.
    """

    def __init__(self, cluster: DaskCluster) -> None:
        self._cluster = cluster
        self._dask = cluster.client.get_executor(pure=False, allow_other_workers=False)
        self._lock = threading.Lock()
        self._calls: dict[_Call, None] = {}  # without a result, the oldest first
        self._spare: list[Future[Any]] = []  # copies of calls that have one

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Hand out a call; the cluster's fault is its exception once the cluster is lost."""
        own = args[-1] if args and isinstance(args[-1], tuple) else ()  # of the function that is timed
        slot = next((value for value in own if isinstance(value, Slot)), None)
        call = _Call(pickle.dumps((fn, args, kwargs)), slot)
        with self._lock:
            self._calls[call] = None
            fault = self._cluster.fault
        if fault is not None:
            self._end(call, None, fault)
        else:
            self._hand_out(call, self._cluster.workers.able())
        return call.future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End all calls at once; what a worker has begun it brings to an end, and drops."""
        with self._lock:
            left, self._calls = self._calls, {}
        for call in left:
            call.future.cancel()
        with contextlib.suppress(Exception):  # of a client that is closed
            self._dask.shutdown(wait=False)

    def tend(self) -> None:
        """See that each call is with a worker that can make it, and that idle workers have a share."""
        workers, lost = self._cluster.workers, []
        placed: list[tuple[_Call, frozenset[str]]] = []
        able, there, holders = workers.able(), workers.there(), workers.holders()
        with self._lock:
            idle = workers.idle() if len(self._calls) < self._cluster.jobs() else 0  # others are to come
            for call in self._calls:
                self._drop_stranded(call, there)
                known = [key for key in call.copies if key in self._cluster.client.futures]
                alive = [holder for holder in map(holders.get, known) if holder is None or holder in able]
                if not alive and call.losses > _MAX_LOSSES:
                    lost.append(call)
                elif not alive:
                    placed.append((call, able))
                elif idle > 0 and len(alive) == 1 and call.seen and call.losses <= _MAX_LOSSES:
                    placed.append((call, able.difference(alive)))
                    idle -= 1
                call.seen = True
            spare, self._spare = self._spare, []
        for copy in spare:
            copy.cancel()
        for call in lost:
            self._end(call, None, WorkerLost("all workers of the cluster that had it ended"))
        for call, where in placed:
            self._hand_out(call, where)

    def _drop_stranded(self, call: _Call, there: frozenset[str]) -> None:
        """Drop copies that no worker may have any more; however many, it is one loss."""
        known = self._cluster.client.futures
        gone = [key for key, (_, where) in call.copies.items() if key in known and not where & there]
        self._spare += [call.copies.pop(key)[0] for key in gone]
        call.losses += bool(gone)

    def give_up(self, fault: ClusterError) -> None:
        """End all calls with a fault."""
        with self._lock:
            left = list(self._calls)
        for call in left:
            self._end(call, None, fault)

    def _hand_out(self, call: _Call, able: frozenset[str]) -> None:
        if not able or call not in self._calls:  # it has ended meanwhile
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
            others = bool(call.copies)
        if copy.cancelled():  # by ourselves, or since the connection was lost: then the watch hands it out
            return
        fault = copy.exception()
        if fault is not None and others:
            call.losses = _MAX_LOSSES + 1  # those decide; no more of them are made
            return
        if fault is not None:
            self._end(call, None, _in_words(fault))
            return
        match copy.result():
            case (bool(fits), value, str(address)):
                why = self._cluster.find_defect(call.slot, value) if fits else None
            case _:
                self._end(call, None, ClusterError("a worker of the cluster answers as no linkpress does"))
                return
        if why is not None:
            self._cluster.workers.leave_out(address, why)
            self._hand_out(call, self._cluster.workers.able())
        elif fits:
            self._end(call, value)
        else:
            self._cluster.workers.doubt(address)

    def _end(self, call: _Call, value: Any, fault: BaseException | None = None) -> None:
        with self._lock:
            if call not in self._calls:
                return
            del self._calls[call]
            self._spare += [copy for copy, _ in call.copies.values()]
        if fault is None:
            call.future.set_result(value)
        else:
            call.future.set_exception(fault)


def _in_words(fault: BaseException) -> BaseException:
    """Put in words how a call without a result ended; its own exceptions are results."""
    from distributed import KilledWorker

    if isinstance(fault, KilledWorker):
        last = fault.last_worker.address
        return WorkerLost(
            f"{fault.allowed_failures + 1} workers of the cluster ended with it, the last was {last}"
        )
    return fault


def read_scheduler(text: str) -> str:
    """Check that a text is the address of a scheduler; raise ``UsageError`` if it is not."""
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


def connect(address: str, connect_s: float) -> Any:
    """Connect a client of our own to a scheduler; raise ``UsageError`` if none answers in time."""
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
        socket.getaddrinfo(urlsplit(address).hostname, None)  # Dask asks for unknown names till time is up
        with ThreadPoolExecutor(1) as asking:  # there may be a loop in this thread
            kind = asking.submit(asyncio.run, _kind_of_server(address, connect_s)).result()
        if kind != "Scheduler":
            raise ValueError(f"that is a {kind.lower()} of Dask, and no scheduler")
        return Client(address, timeout=connect_s, set_as_default=False)
    except Exception as fault:  # of the system, of TLS or of Dask
        cause = str(fault.__cause__ or "") or str(fault) or f"nobody answers in {connect_s:.0f} s"
        # What it sent was taken for a length, or for a message of Dask's.
        if isinstance(fault.__cause__ or fault, MemoryError) or "unpack(b)" in cause:
            cause = "another program answers there, such as a web server"
        if isinstance(fault, socket.gaierror):
            cause = f"nobody knows a machine of the name {urlsplit(address).hostname}"
        cause = re.sub(r"^in <[^>]*>: ", "", cause).rstrip(".")  # Dask's name of the connection
        remedy = _START + _CERTIFICATES * address.startswith("tls:")
        raise UsageError(f"no Dask scheduler can be reached at {address}: {cause}. {remedy}") from fault


async def _kind_of_server(address: str, connect_s: float) -> str:
    """Ask a server of Dask what it is: the client waits without end for one that is no scheduler."""
    from distributed import Security, rpc

    async def ask() -> str:
        args = Security().get_connection_args("client")
        async with rpc(address, timeout=connect_s, connection_args=args) as server:
            return str((await server.identity())["type"])

    return await asyncio.wait_for(ask(), connect_s + 1.0)
