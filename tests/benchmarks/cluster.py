"""What a cluster costs and gains: ``python tests/benchmarks/cluster.py [--workers 1 2 4] [--json]``.

Starts a Dask scheduler and workers as processes of this machine, so that no more than its cores work at
a time. Times are processor times, since other work on the machine shows in the clock's alone; the clock's
is there beside them. Per puzzle: what the process that builds, the scheduler and the workers spend; the
bytes between that process and the scheduler, both ways; and what the one writer of journal and ledger takes.
Calls that do nothing but wait show by the clock how well any number of workers is used.
"""

from __future__ import annotations

import argparse
import asyncio
import pickle
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import psutil
from printing import print_rows

from linkpress.book.plan import Slot, plan_slots
from linkpress.book.spec import BookSpec
from linkpress.engine.make.generate import generate
from linkpress.ledger.entries import Holder, Kind
from linkpress.ledger.store import Ledger
from linkpress.production.dispatch import call_each
from linkpress.production.executors import open_workers
from linkpress.production.finished_slot import FinishedSlot, journal_line
from linkpress.production.journal import Journal
from linkpress.production.slot_search import make_slot

sys.path.insert(0, str(Path(__file__).parents[1]))
from local_cluster import LocalCluster, hand_back, local_cluster

PAUSE_S = 0.25
MAKER = partial(generate, graded=True)
Row = dict[str, object]


class Wire:
    """Passes bytes between a scheduler and whoever connects here instead, and counts them."""

    def __init__(self, address: str) -> None:
        self._host, _, port = address.removeprefix("tcp://").rpartition(":")
        self._port = int(port)
        self.bytes_there = self.bytes_back = 0
        self.address = ""
        ready = threading.Event()
        threading.Thread(target=asyncio.run, args=(self._serve(ready),), daemon=True).start()
        ready.wait()

    async def _serve(self, ready: threading.Event) -> None:
        server = await asyncio.start_server(self._join, "127.0.0.1", 0)
        self.address = f"tcp://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        ready.set()
        await server.serve_forever()

    async def _join(self, here: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        there, on = await asyncio.open_connection(self._host, self._port)
        await asyncio.gather(self._pass(here, on, "bytes_there"), self._pass(there, back, "bytes_back"))

    async def _pass(self, source: asyncio.StreamReader, target: asyncio.StreamWriter, count: str) -> None:
        while data := await source.read(1 << 16):
            setattr(self, count, getattr(self, count) + len(data))
            target.write(data)
            await target.drain()
        target.close()


def slots_of(size: int, count: int, grade: str | None = None) -> tuple[Slot, ...]:
    """A plan of boards of one size."""
    level = {"name": "Level", "count": count, "size": size, "grade": grade}
    given = {key: value for key, value in level.items() if value is not None}
    return plan_slots(BookSpec.model_validate({"title": "T", "seed": 3, "levels": [given]}))


@contextmanager
def processor_times(cluster: LocalCluster) -> Iterator[dict[str, float]]:
    """Seconds of the processor that this process, the scheduler and the workers spend in the block."""
    ours = {"here": [psutil.Process()], "scheduler": [psutil.Process(cluster.scheduler.pid)]}
    ours["workers"] = [psutil.Process(one.pid) for one in cluster.workers.values()]

    def spent() -> dict[str, float]:
        times = {who: [one.cpu_times() for one in processes] for who, processes in ours.items()}
        return {who: sum(each.user + each.system for each in some) for who, some in times.items()}

    taken: dict[str, float] = {}
    before, start = spent(), time.perf_counter()
    yield taken
    taken.update(
        {who: used - before[who] for who, used in spent().items()}, clock=time.perf_counter() - start
    )


def overhead(cluster: LocalCluster, made: FinishedSlot, calls: int) -> Row:
    """What a call costs that does nothing."""
    with open_workers(None, cluster.address, say) as workers:
        list(call_each(workers, hand_back, [(made.slot, made)] * 8))  # what is loaded once
        with processor_times(cluster) as taken:
            list(call_each(workers, hand_back, [(made.slot, made)] * calls))
    each = {f"{who}_ms": round(1000 * spent / calls, 2) for who, spent in taken.items()}
    return {"what": f"a call, {len(cluster.workers)} workers", **each}


def wire(cluster: LocalCluster, size: int, count: int) -> Row:
    """Bytes of a puzzle."""
    slots, line = slots_of(size, count), Wire(cluster.address)
    with open_workers(None, line.address, say) as workers:
        before = (line.bytes_there, line.bytes_back)
        made = list(call_each(workers, make_slot, [(MAKER, slot, 0) for slot in slots]))
        there, back = line.bytes_there - before[0], line.bytes_back - before[1]
    work, result = pickle.dumps((make_slot, (MAKER, slots[0], 0), {})), pickle.dumps(made[0])
    return {
        "what": f"bytes of a {size} × {size} puzzle",
        "call": len(work),
        "result": len(result),
        "sent": there // count,
        "received": back // count,
    }


def speed(cluster: LocalCluster, slots: Sequence[Slot]) -> Row:
    """How fast puzzles are made."""
    with open_workers(None, cluster.address, say) as workers:
        list(call_each(workers, make_slot, [(MAKER, slot, 0) for slot in slots[:2]]))
        with processor_times(cluster) as taken:
            list(call_each(workers, make_slot, [(MAKER, slot, 0) for slot in slots]))
    facts = {f"{who}_s": round(spent, 3) for who, spent in taken.items()}
    return {"what": f"{len(slots)} puzzles, {len(cluster.workers)} workers", **facts}


def waiting(cluster: LocalCluster, calls: int) -> Row:
    """How evenly calls are shared out; these need no processor, so that few cores stand for many machines."""
    with open_workers(None, cluster.address, say) as workers, processor_times(cluster) as taken:
        list(call_each(workers, time.sleep, [(PAUSE_S,)] * calls))
    share = calls * PAUSE_S / len(cluster.workers)
    return {
        "what": f"{calls} waits, {len(cluster.workers)} workers",
        "clock_s": round(taken["clock"], 2),
        "at_best_s": share,
    }


def writer(made: FinishedSlot, count: int) -> Row:
    """What the one writer of journal and ledger takes for a puzzle; it waits for the disk."""
    with tempfile.TemporaryDirectory() as folder, Ledger(Path(folder, "ledger.sqlite3")) as ledger:
        line, facts = journal_line(made), {}
        with Journal(Path(folder, "journal"), "key", "1") as journal:
            facts["journal_ms"] = per_call_ms(lambda at: journal.append([(at, line)]), count)
        with ledger.begin(Holder(Kind.VOLUME, "book"), "Book") as book:
            marks = [replace(made.record, fingerprint=f"{at:016x}") for at in range(count)]
            order = made.slot.order
            facts["ledger_ms"] = per_call_ms(lambda at: book.reserve(marks[at], str(at), order), count)
    return {"what": "the writer, a puzzle", **facts}


def per_call_ms(call: Any, count: int) -> str:
    """Milliseconds of the clock and of the processor."""
    clock, used = time.perf_counter(), time.process_time()
    for at in range(count):
        call(at)
    clock, used = time.perf_counter() - clock, time.process_time() - used
    return f"{1000 * clock / count:.2f} ({1000 * used / count:.2f} of the processor)"


def say(message: str) -> None:
    """What a cluster tells."""
    print(message, file=sys.stderr)


def measure(workers: Sequence[int], puzzles: int, calls: int) -> Iterator[Row]:
    """All rows."""
    made = make_slot(MAKER, slots_of(10, 1)[0], 0)
    for count in workers:
        names = [f"worker-{at}" for at in range(count)]
        with tempfile.TemporaryDirectory() as folder, local_cluster(Path(folder), *names) as cluster:
            yield overhead(cluster, made, calls)
            yield speed(cluster, slots_of(14, puzzles, "hard"))
            yield waiting(cluster, 2 * puzzles)
            if count == workers[-1]:
                for size in (7, 10, 16, 30):
                    yield wire(cluster, size, 20)
    yield writer(made, calls)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--puzzles", type=int, default=60)
    parser.add_argument("--calls", type=int, default=1000)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    print_rows(list(measure(options.workers, options.puzzles, options.calls)), options.json)


if __name__ == "__main__":
    main()
