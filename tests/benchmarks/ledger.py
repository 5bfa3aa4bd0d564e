"""How fast and how large the ledger is: ``python tests/benchmarks/ledger.py [--puzzles 100000]``.

Fills a ledger in a temporary folder with made-up 10 × 10 puzzles of a hundred volumes, as builds
would, and measures look-ups and reservations in it. Prints a table, or JSON with ``--json``.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from printing import print_rows

from linkpress.book.ledger import Holder, Kind, Ledger, LedgerEntry
from linkpress.book.puzzle_record import PuzzleRecord, read_puzzle

VOLUMES = 100
LOOK_UPS = 2000
RESERVATIONS = 300
RECIPE = "10x10, 12 pairs, 0-4 solids, strict, medium, paths of 3 or more, no neighbouring ends"


def mark(number: int) -> str:
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
        fingerprint=mark(number),
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
    return replace(read_puzzle(item), fingerprint=mark(number))


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


def measure(puzzles: int) -> list[dict[str, object]]:
    """Fill a ledger and look things up in it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "ledger.sqlite3")
        with Ledger(path) as ledger:
            start = time.perf_counter()
            fill(ledger, puzzles)
            filled_s = time.perf_counter() - start
        size_mb = path.stat().st_size / 1e6
        spread = [n * 7919 % puzzles for n in range(LOOK_UPS)]
        with Ledger(path) as ledger:
            rows = [
                row("look-up, held", times_ms(lambda n: ledger.find(mark(n)), spread)),
                row("look-up, new", times_ms(lambda n: ledger.find(mark(puzzles + n)), spread)),
            ]
            with ledger.begin(Holder(Kind.VOLUME, "new"), "") as build:
                fresh = {number: record(number) for number in range(puzzles, puzzles + RESERVATIONS)}
                times = times_ms(lambda n: build.reserve(fresh[n], str(n), RECIPE), list(fresh))
                rows.append(row("reserve", times))
                places = {mark(number): str(number) for number in fresh}
                rows.append(row("publish these", times_ms(lambda _: build.publish(places), [0])))
        return [
            {
                "what": f"file of {puzzles} puzzles",
                "size_mb": round(size_mb, 1),
                "filled_s": round(filled_s, 1),
            },
            *rows,
        ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--puzzles", type=int, default=100_000)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = measure(options.puzzles)
    print_rows(rows, options.json)


if __name__ == "__main__":
    main()
