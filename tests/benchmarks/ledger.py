"""How fast the ledger is: ``python tests/benchmarks/ledger.py [--engine postgresql] [--puzzles 1000000]``.

Fills a ledger, in a temporary folder or on a server of its own, with made-up 10 × 10 puzzles of a hundred
volumes, and measures look-ups and reservations in it, and how much of a build's time goes by in it. Prints a
table, or JSON with ``--json``.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

from printing import print_rows

from linkpress.app.build import build as build_book
from linkpress.book.puzzle_record import PuzzleRecord, read_puzzle
from linkpress.ledger.address import LedgerAddress
from linkpress.ledger.entries import Holder, Kind, LedgerEntry
from linkpress.ledger.ledger_build import LedgerBuild
from linkpress.ledger.store import Ledger
from linkpress.production.ledger_session import LedgerChoice

sys.path.insert(0, str(Path(__file__).parent.parent))
from local_postgres import LocalPostgres, find_programs

VOLUMES = 100
LOOK_UPS = 2000
RESERVATIONS = 300
SPEC = "title: New\nseed: 5\nlevels: [{{name: One, count: {count}, size: 10x10, paths: 8-12}}]\n"
RECIPE = "10x10, 12 pairs, 0-4 solids, strict, medium, paths of 3 or more, no neighbouring ends"


def fingerprint_of(number: int) -> str:
    """A fingerprint."""
    return f"{(number * 0x9E3779B97F4A7C15) % 2**64:016x}"


def made_up(number: int, holder: Holder) -> LedgerEntry:
    """A puzzle as long as a real one of 10 × 10 with 12 pairs."""
    return LedgerEntry(
        holder.kind,
        holder.name,
        holder.name,
        slot=str(number % 1000 + 1),
        published=True,
        made="2026-11-20",
        fingerprint=fingerprint_of(number),
        board="\n".join([". . 11 . . 7 . . 12 ."] * 10),
        rule="strict",
        proof="sat",
        grade="medium",
        score=412,
        recipe=RECIPE,
        seed=f"20261120/Medium/{number}",
    )


def record(number: int) -> PuzzleRecord:
    """A puzzle to be reserved; all but its fingerprint is the same each time."""
    item = {
        "level": "Medium", "rule": "strict", "proof": "sat", "grade": None, "score": None, "techniques": {},
        "board": [f"{row} . . . . . . . . {row}" for row in range(1, 11)],
        "solution": [" ".join([str(row)] * 10) for row in range(1, 11)],
        "fingerprint": None, "seed": "20261120/Medium/1/0", "slot": 1, "attempt": 0, "method": "walk",
    }  # fmt: skip
    return replace(read_puzzle(item), fingerprint=fingerprint_of(number))


def fill(ledger: Ledger, puzzles: int) -> None:
    """Put the puzzles in, a volume at a time."""
    share = -(-puzzles // VOLUMES)
    for volume in range(VOLUMES):
        holder = Holder(Kind.VOLUME, f"number-link-{volume}")
        numbers = range(volume * share, min((volume + 1) * share, puzzles))
        ledger.add([made_up(number, holder) for number in numbers])


def times_ms(call: Callable[[int], object], numbers: list[int]) -> list[float]:
    """How long each call takes, in milliseconds."""
    times = []
    for number in numbers:
        start = time.perf_counter()
        call(number)
        times.append(1000 * (time.perf_counter() - start))
    return sorted(times)


def row(name: str, times: list[float]) -> dict[str, object]:
    """One line of the table."""
    return {
        "what": name,
        "median_ms": round(statistics.median(times), 3),
        "p95_ms": round(times[int(0.95 * len(times))], 3),
        "worst_ms": round(times[-1], 3),
    }


def measure(place: LedgerAddress, puzzles: int, book: int) -> list[dict[str, object]]:
    """Fill a ledger, look things up in it, and build a book with it."""
    with Ledger(place) as ledger:
        start = time.perf_counter()
        fill(ledger, puzzles)
        filled = {"what": f"{puzzles} puzzles", "filled_s": round(time.perf_counter() - start, 1)}
    if isinstance(place, Path):
        filled["size_mb"] = round(place.stat().st_size / 1e6, 1)
    spread = [n * 7919 % puzzles for n in range(LOOK_UPS)]
    with Ledger(place) as ledger:
        rows = [
            row("look-up, held", times_ms(lambda n: ledger.find(fingerprint_of(n)), spread)),
            row("look-up, new", times_ms(lambda n: ledger.find(fingerprint_of(puzzles + n)), spread)),
        ]
        with ledger.begin(Holder(Kind.VOLUME, "new"), "") as build:
            fresh = {number: record(number) for number in range(puzzles, puzzles + RESERVATIONS)}
            times = times_ms(lambda n: build.reserve(fresh[n], str(n), RECIPE), list(fresh))
            rows.append(row("reserve", times))
            places = {fingerprint_of(number): str(number) for number in fresh}
            rows.append(row("publish these", times_ms(lambda _: build.publish(places), [0])))
    return [filled, *rows, measure_build(place, book)]


def measure_build(place: LedgerAddress, puzzles: int) -> dict[str, object]:
    """How much of a build's time goes by in the ledger: from opening it to leaving it."""
    clock = _Clock()
    with tempfile.TemporaryDirectory() as folder:
        spec = Path(folder, "book.yaml")
        spec.write_text(SPEC.format(count=puzzles))
        with clock.at_ledger():
            start, start_cpu = time.perf_counter(), processor_s()
            build_book(spec, Path(folder, "out"), ledger=LedgerChoice(place))
            whole_s, whole_cpu_s = time.perf_counter() - start, processor_s() - start_cpu
    return {
        "what": f"a build of {puzzles}",
        "build_s": round(whole_s, 2),
        "in_ledger_s": round(clock.spent_s, 3),
        "percent": round(100 * clock.spent_s / whole_s, 2),
        "processor_s": round(whole_cpu_s, 2),
        "in_ledger_processor_s": round(clock.processor_s, 3),  # without that of a server
        "processor_percent": round(100 * clock.processor_s / whole_cpu_s, 2),
    }


def processor_s() -> float:
    """Of this process and all that it started and that have ended."""
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in both)  # os.times() counts whole hundredths


class _Clock:
    """Adds up the time within the calls that a build makes to the ledger."""

    def __init__(self) -> None:
        self.spent_s = 0.0
        self.processor_s = 0.0

    @contextlib.contextmanager
    def at_ledger(self) -> Iterator[None]:
        calls = {
            Ledger: ("__init__", "__exit__", "attempts", "begin"),
            LedgerBuild: ("reserve", "reserve_ahead", "publish", "count_released", "heartbeat", "__exit__"),
        }
        with contextlib.ExitStack() as stack:
            for owner, names in calls.items():
                for name in names:
                    stack.enter_context(patch.object(owner, name, self._timed(getattr(owner, name))))
            yield

    def _timed(self, call: Callable[..., object]) -> Callable[..., object]:
        @functools.wraps(call)
        def timed(*args: object, **options: object) -> object:
            start, start_cpu = time.perf_counter(), time.process_time()
            try:
                return call(*args, **options)
            finally:
                self.spent_s += time.perf_counter() - start
                self.processor_s += time.process_time() - start_cpu

        return timed


@contextlib.contextmanager
def places(engine: str) -> Iterator[LedgerAddress]:
    """A ledger that is there for the time of the benchmark."""
    if engine == "sqlite":
        with tempfile.TemporaryDirectory() as folder:
            yield Path(folder, "ledger.sqlite3")
        return
    programs = find_programs()
    if programs is None:
        raise SystemExit("there is no PostgreSQL server here: initdb and pg_ctl")
    server = LocalPostgres(programs, fsync="on", autovacuum="on", shared_buffers="128MB")
    with server, server.schema() as address:
        yield address


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--engine", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--puzzles", type=int, default=100_000)
    parser.add_argument("--book", type=int, default=200, help="puzzles of the build")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with places(options.engine) as place:
        rows = measure(place, options.puzzles, options.book)
    print_rows(rows, options.json)


if __name__ == "__main__":
    main()
