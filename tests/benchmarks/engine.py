"""How fast the engine makes, grades and proves puzzles, and makes them to a difficulty.

Run: ``python tests/benchmarks/engine.py [--seconds S] [--rows 15x15/16,10x10/hard]``. Each row makes puzzles
for S seconds (30) in a process of its own and prints puzzles a second of processor time, median and 95th
percentile, the share of begun boards that was thrown away and the peak memory; then the same of grading and
of proving the puzzles made. Time is processor time of that one process, so that a busy machine does not
blur it. ``published.py`` measures proofs and grades of boards in files.

Rows of a difficulty, such as 10x10/hard, make boards as a level of a book does. They allow many numbers of
pairs, so the search has to find those that give the difficulty. They print puzzles a second and the boards
begun for each puzzle.
"""

import argparse
import resource
import statistics
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from linkpress.engine.difficulty import Difficulty
from linkpress.engine.grade import grade_puzzle
from linkpress.engine.make.generate import generate
from linkpress.engine.proof import Verdict, prove
from linkpress.engine.recipe import NumberPattern, Recipe, Rule, Span

# Side, pairs, solids, rule; shortest path 3 and no neighbouring endpoints are the recipe's own defaults.
ROWS = (
    (7, 5, 0, Rule.STRICT), (10, 8, 0, Rule.STRICT), (10, 12, 0, Rule.STRICT), (15, 16, 0, Rule.STRICT),
    (20, 28, 0, Rule.STRICT), (20, 40, 8, Rule.FILLED), (30, 110, 20, Rule.FILLED),
    (40, 200, 50, Rule.FILLED), (50, 320, 80, Rule.FILLED),
)  # fmt: skip
# For each side, the range of pairs and the difficulties that such boards can have.
DIFFICULTY_ROWS = {
    7: (Span(4, 8), (Difficulty.EASY, Difficulty.MEDIUM)),
    10: (Span(6, 17), (Difficulty.EASY, Difficulty.MEDIUM, Difficulty.HARD, Difficulty.EXPERT)),
    15: (Span(13, 38), tuple(Difficulty)),
}
# Puzzles of each row that are graded and proven again, and the processor time given to each of the two.
JUDGED, JUDGED_S = 60, 8.0


def measure_row(side, pairs, solids, rule, seconds):
    """Make, grade and prove the puzzles of one row, and print a line for each; in a process of its own."""
    recipe = Recipe(side, side, Span(pairs, pairs), Span(solids, solids), rule)
    generate(recipe, "warm", graded=False)
    spent, begun, puzzles = [], 0, []
    start = time.process_time()
    while (before := time.process_time()) - start < seconds:
        made = generate(recipe, f"{side}x{side}/{pairs}/{len(spent)}", graded=False)
        spent.append(time.process_time() - before)
        begun += made.attempts
        puzzles.append(made.puzzle)
    per_s = len(spent) / (time.process_time() - start)
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    wasted = f"{1 - len(spent) / begun:.0%} thrown away, peak {peak_mb:.0f} MB"
    print(f"{side}x{side}/{pairs} {rule}, {solids} solids: {per_s:.2f} a second, {timing(spent)}, {wasted}")
    spent, gradings = timed(lambda puzzle: grade_puzzle(puzzle, rule), puzzles[:JUDGED])
    graded = sum(grading.technique is not None for grading in gradings) / max(1, len(gradings))
    print(f"  grading: {timing(spent)}, {graded:.0%} graded")
    spent, proofs = timed(lambda puzzle: prove(puzzle, rule), puzzles[:JUDGED])
    agree = all(proof.verdict is Verdict.UNIQUE for proof in proofs)
    print(f"  proof again: {timing(spent)}, {'all unique' if agree else 'NOT ALL UNIQUE'}", flush=True)


def measure_difficulty(side, pairs, difficulty, seconds):
    """Make puzzles of one difficulty, and print a line; in a process of its own."""
    pattern = NumberPattern.FREE if side < 10 else NumberPattern.SYMMETRIC
    recipe = Recipe(
        side, side, pairs, 0, difficulty=difficulty.points, composed=side >= 8, number_pattern=pattern
    )
    generate(recipe, "warm")
    spent, begun = [], 0
    start = time.process_time()
    while (before := time.process_time()) - start < seconds:
        begun += generate(recipe, f"{side}x{side}/{difficulty}/{len(spent)}").attempts
        spent.append(time.process_time() - before)
    per_s = len(spent) / (time.process_time() - start)
    name = f"{side}x{side}/{difficulty}, {pairs} pairs"
    each = f"{begun / len(spent):.1f} boards begun for each"
    print(f"{name}: {per_s:.1f} a second, {timing(spent)}, {each}", flush=True)


def timed(judge, puzzles):
    """Judge puzzles one by one until the time for it is up."""
    spent = []
    judged = []
    for puzzle in puzzles:
        if sum(spent) > JUDGED_S:
            break
        before = time.process_time()
        judged.append(judge(puzzle))
        spent.append(time.process_time() - before)
    return spent, judged


def timing(spent):
    """Sum up durations in seconds."""
    if not spent:
        return "none in time"
    ordered = [1000 * one for one in sorted(spent)]
    late = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    return (
        f"{len(ordered)}: median {statistics.median(ordered):.1f} ms, p95 {late:.1f}, worst {ordered[-1]:.1f}"
    )


def main():
    """Measure the rows that the command line names, or all."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=30.0, help="processor time for each row")
    parser.add_argument("--rows", help="some rows, as 15x15/16,20x20/28; all when left out")
    asked = parser.parse_args()
    calls = [(f"{row[0]}x{row[0]}/{row[1]}", measure_row, row) for row in ROWS]
    for side, (pairs, difficulties) in DIFFICULTY_ROWS.items():
        calls += [(f"{side}x{side}/{name}", measure_difficulty, (side, pairs, name)) for name in difficulties]
    for row, measure, arguments in calls:
        if asked.rows is None or row in asked.rows.split(","):
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
                pool.submit(measure, *arguments, asked.seconds).result()


if __name__ == "__main__":
    main()
