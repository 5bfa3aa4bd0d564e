"""The workers of a Dask cluster are known here: who they are, who can take part, who is heard of."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

from linkpress.documents.problem import MAX_SHOWN
from linkpress.errors import ClusterError, Notify
from linkpress.production.dispatch import PATIENCE_S
from linkpress.version import __version__

_NONE = "none"
_GONE = "its scheduler has ended, or can't be reached any more"
_SETTLE_S = 5.0  # workers that have answered wait for the others so long
_ALONE_S = 2.0  # for a worker that is asked again who it is
_REMEDY = (
    f"Install linkpress {__version__} there, with the packages that are here, and start the workers again."
)


@dataclass(frozen=True, slots=True)
class ClusterPatience:
    """A cluster is waited for as long as this, in seconds.

    Args:
        connect_s: for the scheduler to answer, at first and where the connection is lost.
        wait_s: for a worker, where there is none.
        silence_s: for the next sign of life of a worker or the scheduler. A worker gives one every few
            seconds, but none while a call keeps Python's lock, so a silent one keeps its calls: others
            make them, too, and the first result counts.
    """

    connect_s: float = 5.0
    wait_s: float = 60.0
    silence_s: float = 30.0


@cache
def identity() -> dict[str, str]:
    """Return, to whoever asks a worker, the versions that decide on puzzles, and why kernels are plain."""
    from linkpress.engine.kernels import WHY_PLAIN

    digest = sha256()
    for path in sorted(Path(__file__).parents[1].rglob("*.py")):
        digest.update(path.read_bytes().replace(b"\r\n", b"\n"))
    return {"linkpress": __version__, "sources": digest.hexdigest()[:12], "plain": WHY_PLAIN}


def differences(answer: Mapping[str, str]) -> list[str]:
    """List where a worker's identity is not that of this installation."""
    return [
        f"{name} {answer.get(name, _NONE)} instead of {ours}"
        for name, ours in identity().items()
        if name != "plain" and answer.get(name) != ours
    ]


@dataclass(eq=False)
class _Worker:
    address: str
    name: str  # that its users have given it; empty where they have not
    threads: int
    last_seen: float  # by the scheduler's clock
    heard_s: float  # by ours, when that last changed
    answer: Future[Any] | None  # to who it is; None once it is settled
    fits: bool = False
    silent: bool = False
    held: Sequence[str] = ()  # keys of the calls that it makes or has in line, whoever asks for them
    kept: Sequence[str] = ()  # of the results that it has not been asked for, or has not handed over yet

    def __str__(self) -> str:
        return f"the worker {self.address} ({self.name})" if self.name else f"the worker {self.address}"


class ClusterWorkers:
    """The workers of a cluster are those that ``look`` found last.

    Args:
        client: Dask's, connected.
        notify: is called with messages about workers that take no part or are slow.
    """

    def __init__(self, client: Any, notify: Notify, patience: ClusterPatience) -> None:
        self._client = client
        self._notify = notify
        self._patience = patience
        self._workers: dict[str, _Worker] = {}
        self._refused: dict[str, str] = {}  # what is wrong with them, by address
        self._refused_known = 0  # of those the user has heard
        self._notified_alone = False  # that there is no worker
        self._staffed_s = self._answered_s = time.monotonic()  # when there was a worker, or an answer

    @property
    def threads(self) -> int:
        """Return the number of calls that those who can take part make at a time."""
        return sum(worker.threads for worker in self._fitting())

    def able(self) -> frozenset[str]:
        """Return the addresses of workers that can take part and are heard of."""
        return frozenset(worker.address for worker in self._fitting() if not worker.silent)

    def there(self) -> frozenset[str]:
        """Return the addresses of workers that can take part, silent or not."""
        return frozenset(worker.address for worker in self._fitting())

    def holders(self) -> dict[str, str]:
        """Return the address of the worker that has a call or its result, by the call's key."""
        workers = list(self._workers.values())
        return {key: worker.address for worker in workers for key in (*worker.kept, *worker.held)}

    def idle(self) -> int:
        """Return how many more calls the workers could make at once."""
        able = (worker for worker in self._fitting() if not worker.silent)
        return sum(max(0, worker.threads - len(worker.held)) for worker in able)

    def _fitting(self) -> list[_Worker]:
        """List those that can take part; other threads ask for them while one looks."""
        return [worker for worker in list(self._workers.values()) if worker.fits]

    def doubt(self, address: str) -> None:
        """Ask a worker again who it is: it says that it is another than before."""
        self._workers.pop(address, None)

    def leave_out(self, address: str, why: str) -> None:
        """Give a worker no more calls: what it returned is not right."""
        worker = self._workers.get(address)
        if worker is not None and worker.fits:
            worker.fits = False
            self._notify(
                f"not taking part any more: {worker} returned {why}. "
                "Look at that machine and its installation"
            )

    def gather(self, address: str) -> None:
        """Wait until there are workers that can take part; raise ``ClusterError`` if none comes in time."""
        began_s, has_notified = time.monotonic(), False
        while True:
            self.look()
            waited_s = time.monotonic() - began_s
            unsettled = any(worker.answer is not None for worker in self._workers.values())
            if self.able() and (not unsettled or waited_s > _SETTLE_S):
                self._notify_of_refused()
                return
            if self._refused and not unsettled:
                raise ClusterError(
                    f"no worker of the cluster at {address} can take part: "
                    f"{_listed(list(self._refused.values()))}. {_REMEDY}"
                )
            if waited_s > self._patience.wait_s:
                raise ClusterError(
                    f"the cluster at {address} has no worker that answers, after {waited_s:.0f} s. Start "
                    f"some: dask worker {address} --nthreads 1"
                )
            if not has_notified and not self._workers:
                has_notified = True
                self._notify(f"{address} has no worker; waiting for one for {self._patience.wait_s:.0f} s")
            time.sleep(0.05)

    def watch(self) -> None:
        """Look once more while calls are made; raise ``ClusterError`` if scheduler or workers are gone."""
        self.look()
        self._notify_of_refused()
        wait_s = self._patience.wait_s
        alone = self._answered_s - self._staffed_s > _ALONE_S
        if alone and not self._notified_alone:
            self._notify(
                f"no worker of the cluster is left that can take part; waiting for one for {wait_s:.0f} s"
            )
        self._notified_alone = alone
        if time.monotonic() - self._staffed_s > wait_s:
            raise ClusterError(f"it has had no worker that can take part for {wait_s:.0f} s")

    def look(self) -> None:
        """Bring what is known of the workers up to date; raise ``ClusterError`` if the scheduler is gone."""
        if self._client.status not in ("running", "connecting"):
            raise ClusterError(_GONE)
        try:
            found = self._ask(self._client.scheduler.identity, n_workers=-1)["workers"]
            held = self._ask(self._client.scheduler.processing)
            kept = self._ask(self._client.scheduler.has_what)
        except OSError as fault:  # the connection is lost; the client makes another, or closes
            if time.monotonic() - self._answered_s > self._patience.silence_s:
                raise ClusterError(_GONE) from fault
            return
        now = self._answered_s = time.monotonic()
        for address in self._workers.keys() - found.keys():
            self.doubt(address)
        for address, facts in found.items():
            self._notice(address, facts, now)
        for worker in list(self._workers.values()):
            worker.held, worker.kept = held.get(worker.address, ()), kept.get(worker.address, ())
            if worker.answer is not None and worker.answer.done():
                self._settle(worker, worker.answer.result())
        # One that is silent for as long as a call may take counts as gone, if Dask does not end it before.
        if any(now - worker.heard_s < PATIENCE_S for worker in self._fitting()):
            self._staffed_s = now

    def _ask(self, question: Callable[..., Any], **details: Any) -> Any:
        return self._client.sync(question, callback_timeout=self._patience.silence_s, **details)

    def _notice(self, address: str, facts: Mapping[str, Any], now: float) -> None:
        worker = self._workers.get(address)
        if worker is None:
            name = "" if facts["name"] == address else str(facts["name"])
            loop = self._client.loop.asyncio_loop
            asked = asyncio.run_coroutine_threadsafe(self._who_is(address), loop)
            self._workers[address] = _Worker(address, name, facts["nthreads"], facts["last_seen"], now, asked)
        elif facts["last_seen"] != worker.last_seen:
            worker.last_seen, worker.heard_s, worker.silent = facts["last_seen"], now, False
        elif worker.fits and not worker.silent and now - worker.heard_s > self._patience.silence_s:
            worker.silent = True
            outcome = (
                "others make its calls, too" if self.able() else "nobody else is there to make its calls"
            )
            self._notify(f"{worker} has been silent for {now - worker.heard_s:.0f} s: {outcome}")

    async def _who_is(self, address: str) -> dict[str, str] | None:
        """Ask a worker who it is; None if it does not answer."""

        async def ask(function: Callable[..., Any], *args: str) -> Any:
            asked = self._client.run(function, *args, workers=[address], on_error="return", asynchronous=True)
            return (await asyncio.wait_for(asked, self._patience.silence_s))[address]

        try:
            answer = await ask(identity)
            if not isinstance(answer, Exception):
                return dict(answer)
            found = await ask(version, "linkpress")  # an earlier one does not know that question
        except Exception:  # it is silent or has gone: the scheduler's list tells
            return None
        if isinstance(found, Exception):
            return {"linkpress": _NONE}
        return {"linkpress": found if found != __version__ else f"{found}, which fails ({answer!r}),"}

    def _settle(self, worker: _Worker, answer: Mapping[str, str] | None) -> None:
        if answer is None:
            self.doubt(worker.address)  # and ask again
            return
        worker.answer, others = None, differences(answer)
        worker.fits = not others
        if others:
            self._refused.setdefault(worker.address, f"{worker} has {others[0]}")
        elif answer["plain"]:
            self._notify(
                f"{worker} runs the engine as plain Python, about a hundred times slower than compiled: "
                f"{answer['plain']}"
            )

    def _notify_of_refused(self) -> None:
        fresh = list(self._refused.values())[self._refused_known :]
        self._refused_known += len(fresh)
        if fresh:
            self._notify(f"not taking part: {_listed(fresh)}. {_REMEDY}")


def _listed(facts: Sequence[str]) -> str:
    more = [f"and {len(facts) - MAX_SHOWN} more"] * (len(facts) > MAX_SHOWN)
    return "; ".join([*facts[:MAX_SHOWN], *more])
