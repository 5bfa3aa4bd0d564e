"""How fast the engine makes, grades and proves puzzles.

Run: ``python tests/benchmarks/engine.py [--seconds S] [--rows 15x15/16,…] [--json]
[--boards FOLDER]``. Each row makes proven puzzles for S seconds (30 when not said: all rows in
under 8 minutes) in a process of its own and prints puzzles a second of processor time, median and
95th percentile, the share of begun boards that was thrown away and the peak memory. Then the
grading and the proof of the puzzles made, one by one; with ``--boards`` also the proof of the link
text files in a folder. Where there is an aim it stands behind the figure. Time is processor time of
that one process, so that a busy machine does not blur it.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

from linkpress.engine.make.generate import generate
from linkpress.engine.prove.proof import Verdict, prove
from linkpress.engine.recipe import Recipe, Rule, Span
from linkpress.engine.solve.grade import grade_puzzle
from linkpress.puzzle.notation.reading import read_puzzles
from linkpress.puzzle.puzzle import Puzzle

T = TypeVar("T")

SECONDS = 30.0
# Puzzles of each row that are graded and proven again, and the CPU time given to each.
JUDGED = 60
JUDGED_S = 8.0
# Milliseconds by the longest side: the median of grading, median and worst of a proof.
GRADING_AIM_MS = {10: 5.0, 20: 100.0}
PROOF_AIMS_MS = {15: (5.0, 1000.0)}


@dataclass(frozen=True)
class Row:
    """A line of the table: what is made, and how fast it should be.

    Args:
        side: of the square board.
        pairs, solids: exactly.
        rule: of the proof.
        aim: puzzles a second.
        floor: what was reached before this engine, 0 where nothing was.
    """

    side: int
    pairs: int
    solids: int
    rule: Rule
    aim: float
    floor: float

    @property
    def name(self) -> str:
        """Board and pairs, as ``--rows`` wants it."""
        return f"{self.side}x{self.side}/{self.pairs}"

    @property
    def recipe(self) -> Recipe:
        """Shortest path 3, no neighbouring endpoints: the recipe's own defaults."""
        pairs, solids = Span(self.pairs, self.pairs), Span(self.solids, self.solids)
        return Recipe(self.side, self.side, pairs, solids, self.rule)


ROWS = (
    Row(7, 5, 0, Rule.STRICT, 300, 0),
    Row(10, 8, 0, Rule.STRICT, 40, 11),
    Row(10, 12, 0, Rule.STRICT, 150, 124),
    Row(15, 16, 0, Rule.STRICT, 5, 1.4),
    Row(20, 28, 0, Rule.STRICT, 1, 0.09),
    Row(20, 40, 8, Rule.FILLED, 3, 0.67),
    Row(30, 110, 20, Rule.FILLED, 0.5, 0.15),
    Row(40, 200, 50, Rule.FILLED, 0.1, 0),
    Row(50, 320, 80, Rule.FILLED, 0.03, 0),
)


@dataclass(frozen=True)
class Timing:
    """Durations of one kind of work, in milliseconds of processor time."""

    count: int
    median_ms: float
    p95_ms: float
    worst_ms: float

    @classmethod
    def of(cls, seconds: list[float]) -> Timing:
        """Sum up durations in seconds."""
        if not seconds:
            return cls(0, 0.0, 0.0, 0.0)
        ordered = [1000 * one for one in sorted(seconds)]
        return cls(
            len(ordered),
            round(statistics.median(ordered), 2),
            round(ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))], 2),
            round(ordered[-1], 2),
        )


@dataclass(frozen=True)
class Result:
    """What a row came to."""

    row: str
    rule: str
    solids: int
    aim: float
    floor: float
    per_second: float
    making: Timing
    thrown_away: float
    peak_mb: float
    grading: Timing
    grading_aim_ms: float | None
    graded_share: float
    proving: Timing
    proving_aims_ms: tuple[float, float] | None
    proof_agrees: bool


def measure_row(row: Row, seconds: float) -> Result:
    """Make, grade and prove the puzzles of one row; run in a process of its own."""
    generate(row.recipe, "warm", graded=False)
    spent, begun, puzzles = [], 0, []
    start = time.process_time()
    while (before := time.process_time()) - start < seconds:
        made = generate(row.recipe, f"{row.name}/{len(spent)}", graded=False)
        spent.append(time.process_time() - before)
        begun += made.attempts
        if len(puzzles) < JUDGED:
            puzzles.append(made.puzzle)
    total = time.process_time() - start
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    grading, gradings = timed(lambda puzzle: grade_puzzle(puzzle, row.rule), puzzles)
    proving, proofs = timed(lambda puzzle: prove(puzzle, row.rule), puzzles)
    return Result(
        row=row.name,
        rule=row.rule.value,
        solids=row.solids,
        aim=row.aim,
        floor=row.floor,
        per_second=round(len(spent) / total, 3),
        making=Timing.of(spent),
        thrown_away=round(1 - len(spent) / begun, 3),
        peak_mb=round(peak_mb),
        grading=grading,
        grading_aim_ms=GRADING_AIM_MS.get(row.side),
        graded_share=round(sum(one.grade is not None for one in gradings) / max(1, len(gradings)), 2),
        proving=proving,
        proving_aims_ms=PROOF_AIMS_MS.get(row.side),
        proof_agrees=all(proof.verdict is Verdict.UNIQUE for proof in proofs),
    )


def timed(judge: Callable[[Puzzle], T], puzzles: Iterable[Puzzle]) -> tuple[Timing, list[T]]:
    """Judge puzzles one by one until the time for it is up."""
    spent, verdicts = [], []
    start = time.process_time()
    for puzzle in puzzles:
        before = time.process_time()
        if before - start > JUDGED_S:
            break
        verdicts.append(judge(puzzle))
        spent.append(time.process_time() - before)
    return Timing.of(spent), verdicts


def print_result(result: Result) -> None:
    """One line for making, one for grading and proof."""
    making, grading, proving = result.making, result.grading, result.proving
    name = f"{result.row} {result.rule}" + (f" {result.solids} solids" if result.solids else "")
    print(
        f"{name:28} {result.per_second:9.2f}/s  aim {result.aim:g}, before {result.floor:g}   "
        f"median {making.median_ms:.1f} ms, p95 {making.p95_ms:.1f} ms, {making.count} made, "
        f"{100 * result.thrown_away:.0f} % thrown away, peak {result.peak_mb:.0f} MB"
    )
    median_aim, worst_aim = result.proving_aims_ms or (None, None)
    print(
        f"{'':28} grading median {grading.median_ms:.1f} ms{aimed(result.grading_aim_ms)}, p95 "
        f"{grading.p95_ms:.1f} ms, {100 * result.graded_share:.0f} % graded; proof again median "
        f"{proving.median_ms:.1f} ms{aimed(median_aim)}, worst {proving.worst_ms:.1f} ms{aimed(worst_aim)}, "
        f"{'all unique' if result.proof_agrees else 'NOT ALL UNIQUE'}",
        flush=True,
    )


def aimed(aim_ms: float | None) -> str:
    """An aim behind its figure, where there is one."""
    return "" if aim_ms is None else f" (aim {aim_ms:g})"


def prove_folder(folder: Path) -> dict[str, dict[str, object]]:
    """Time the proof, both rules, of every link text file in a folder."""
    timings: dict[str, dict[str, object]] = {}
    for path in sorted(folder.glob("*.txt")):
        puzzles = read_puzzles(path.read_text(encoding="utf-8"))
        for rule in Rule:
            spent, counts = [], dict.fromkeys((verdict.value for verdict in Verdict), 0)
            for puzzle in puzzles:
                before = time.process_time()
                counts[prove(puzzle, rule).verdict.value] += 1
                spent.append(time.process_time() - before)
            longest = max((max(puzzle.grid.rows, puzzle.grid.cols) for puzzle in puzzles), default=0)
            aims = PROOF_AIMS_MS.get(longest)
            timing = {**asdict(Timing.of(spent)), "aims_median_worst_ms": aims}
            timings[f"{path.stem} {rule}"] = {"verdicts": counts, **timing}
    return timings


def read_arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=SECONDS, help="processor time for each row")
    parser.add_argument("--rows", help="some rows, as 15x15/16,20x20/28; all when left out")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of lines")
    parser.add_argument("--boards", type=Path, help="a folder of link text files to prove")
    return parser.parse_args()


def main() -> None:
    """Print what was measured."""
    arguments = read_arguments()
    wanted = arguments.rows.split(",") if arguments.rows else [row.name for row in ROWS]
    results = []
    for row in ROWS:
        if row.name in wanted:
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
                results.append(pool.submit(measure_row, row, arguments.seconds).result())
            if not arguments.json:
                print_result(results[-1])
    boards = prove_folder(arguments.boards) if arguments.boards else {}
    if arguments.json:
        print(json.dumps({"rows": [asdict(result) for result in results], "boards": boards}, indent=2))
    else:
        for name, timing in boards.items():
            print(name, json.dumps(timing))


if __name__ == "__main__":
    main()
