"""How grades fall out by size, path count and solid ratio: the README's table.

Run: ``python tests/benchmarks/grades.py [--count 1000] [--seconds 300]``. Makes that many proven
puzzles a row, or as many as the seconds allow, in one process, grades them, and prints as
Markdown each grade's share, the median score of each grade's puzzles and the median CPU
milliseconds of grading one.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field

from linkpress.engine.generate import generate
from linkpress.engine.grade import grade_puzzle
from linkpress.engine.recipe import Grade, Recipe, Rule, Span
from linkpress.errors import RecipeError

# Rows, columns, pairs, solids, rule.
ROWS = (
    (7, 7, 5, 0, Rule.STRICT),
    (7, 7, 6, 3, Rule.STRICT),
    (7, 7, 7, 0, Rule.STRICT),
    (10, 10, 8, 0, Rule.STRICT),
    (10, 10, 10, 6, Rule.STRICT),
    (10, 10, 12, 0, Rule.STRICT),
    (10, 10, 15, 5, Rule.STRICT),
    (15, 15, 20, 0, Rule.STRICT),
    (15, 15, 28, 12, Rule.FILLED),
    (20, 20, 45, 20, Rule.FILLED),
)
GRADES = (*Grade, None)


@dataclass
class Row:
    """What was found for one recipe."""

    made: int = 0
    failed: int = 0
    grades: Counter[Grade | None] = field(default_factory=Counter)
    scores: dict[Grade | None, list[int]] = field(default_factory=lambda: defaultdict(list))
    times_ms: list[float] = field(default_factory=list)


def measure(recipe: Recipe, count: int, limit_s: float) -> Row:
    """Make and grade puzzles until there are enough or the time is over."""
    row, begun = Row(), time.monotonic()
    while row.made < count and time.monotonic() - begun < limit_s:
        try:
            made = generate(recipe, f"grades/{row.made + row.failed}", graded=False)
        except RecipeError:
            row.failed += 1
            continue
        start = time.process_time()
        grading = grade_puzzle(made.puzzle, made.proof.rule)
        row.times_ms.append(1000 * (time.process_time() - start))
        row.made += 1
        row.grades[grading.grade] += 1
        if grading.score is not None:
            row.scores[grading.grade].append(grading.score)
    return row


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000, help="puzzles a row")
    parser.add_argument("--seconds", type=float, default=300, help="most seconds a row")
    options = parser.parse_args()
    names = [grade.label if grade else "ungraded" for grade in GRADES]
    print(f"| board | pairs | solids | rule | puzzles | {' | '.join(names)} | ms |")
    print(f"|---|---|---|---|---|{'---|' * len(names)}---|")
    scores = []
    for rows, cols, pairs, solids, rule in ROWS:
        recipe = Recipe(rows, cols, Span(pairs, pairs), Span(solids, solids), rule)
        row = measure(recipe, options.count, options.seconds)
        scores.append((rows, cols, pairs, row))
        shares = [f"{100 * row.grades[grade] / max(1, row.made):.0f} %" for grade in GRADES]
        median = f"{statistics.median(row.times_ms):.1f}" if row.times_ms else "–"
        ratio = f"{100 * solids / rows / cols:.0f} %"
        head = f"{rows} × {cols} | {pairs} | {ratio} | {rule.value} | {row.made}"
        print(f"| {head} | {' | '.join(shares)} | {median} |", flush=True)
    print("\nMedian score by grade:")
    for rows, cols, pairs, row in scores:
        medians = [
            f"{grade.label} {statistics.median(row.scores[grade]):.0f}"
            for grade in Grade
            if row.scores[grade]
        ]
        print(f"- {rows} × {cols}, {pairs} pairs: {', '.join(medians)}")


if __name__ == "__main__":
    main()
