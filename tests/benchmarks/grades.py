"""How grades fall out by size, path count and solid ratio: the table in the docs.

Run: ``python tests/benchmarks/grades.py [--count 1000] [--seconds 300]``. Makes that many proven
puzzles a row, or as many as the seconds allow, in one process, grades them, and prints as
Markdown each grade's share, the median score of each grade's puzzles and the median CPU
milliseconds of grading one.

With ``--cells FILE`` it measures the recipes that are asked for most, as a level makes them, and writes
CSV: a line for each size, range of paths and grade, with the share of the boards made that have it, the
puzzles a second of processor time that throwing away all others would give, those that ``generate``
makes, and the seconds that it searches for one before it counts the recipe as one that can't be met.
``config/grade-odds.csv`` is made so.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from linkpress.book.level import RecipeKeys
from linkpress.documents.models import read_values
from linkpress.engine.make.attempts import AttemptLog, watching_attempts
from linkpress.engine.make.generate import generate
from linkpress.engine.recipe import Grade, Recipe, Rule, Span
from linkpress.engine.solve.grade import grade_puzzle
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
# Size and paths of the recipes that are asked for most: few paths, as many as a level that says nothing
# has, and many.
CELLS = (
    ("5x5", "3-4"),
    *(("6x6", paths) for paths in ("3-4", "4-6")),
    *(("7x7", paths) for paths in ("4-5", "5-7", "7-9")),
    *(("8x8", paths) for paths in ("5-6", "7-10", "10-12")),
    *(("9x9", paths) for paths in ("6-8", "9-12", "12-15")),
    *(("10x10", paths) for paths in ("8-10", "10-15", "15-18")),
    *(("12x12", paths) for paths in ("9-12", "15-21", "21-26")),
    *(("15x15", paths) for paths in ("14-18", "18-23", "23-33")),
    ("20x20", "40-58"),
)
CELL_HEAD = "size,paths,grade,boards,share,rejected_per_s,made_per_s,usual_s"
# As many boards, and puzzles of a grade, as tell shares and rates to a tenth; and so few puzzles that the
# trial goes on, four times as long.
ENOUGH_BOARDS, ENOUGH, TOO_FEW = 1000, 50, 3


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


def cell_recipe(size: str, paths: str, grade: Grade | None) -> Recipe:
    """What a level that says no more makes."""
    grades = {} if grade is None else {"grade": grade.label}
    keys = read_values({"size": size, "paths": paths, **grades}, RecipeKeys)
    return keys.recipes(1)[0]


def odds_of(size: str, paths: str, limit_s: float) -> tuple[Counter[Grade | None], float]:
    """The grades of boards as they come, and the processor time that making and grading them took."""
    grades: Counter[Grade | None] = Counter()
    recipe, failed, begun = cell_recipe(size, paths, None), 0, time.process_time()
    while grades.total() < ENOUGH_BOARDS and time.process_time() - begun < limit_s:
        try:
            made = generate(recipe, f"odds/{grades.total() + failed}")
        except RecipeError:
            failed += 1
        else:
            grades[made.grading.grade if made.grading else None] += 1
    return grades, time.process_time() - begun


def rate_of(size: str, paths: str, grade: Grade, limit_s: float) -> tuple[float, float]:
    """Puzzles of a grade made a second of processor time, and the seconds of the usual work for one."""
    recipe, made, failed, spent = cell_recipe(size, paths, grade), 0, 0, 0
    logs: list[AttemptLog] = []
    begun = time.process_time()
    with watching_attempts(logs.append):
        while made < ENOUGH and time.process_time() - begun < limit_s * (4 if made < TOO_FEW else 1):
            try:
                generate(recipe, f"cells/{made + failed}")
            except RecipeError:
                failed += 1
            else:
                made += 1
            spent += logs[-1].spent
            logs.clear()
    took = time.process_time() - begun
    return made / took, took * recipe.usual_work / spent


def cell_lines(size: str, paths: str, limit_s: float) -> list[str]:
    """A cell's lines of the table; each grade's making gets about as much time as the boards as they come."""
    grades, spent_s = odds_of(size, paths, limit_s)
    lines = []
    for grade in Grade:
        share, rejected = grades[grade] / max(1, grades.total()), grades[grade] / spent_s
        made, usual_s = rate_of(size, paths, grade, limit_s)
        head = f"{size},{paths},{grade.label},{grades.total()}"
        lines.append(f"{head},{share:.4f},{rejected:.3g},{made:.3g},{usual_s:.3g}")
        print(lines[-1], flush=True)
    return lines


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000, help="puzzles a row")
    parser.add_argument("--seconds", type=float, default=300, help="most seconds a row")
    parser.add_argument("--cells", type=Path, help="write the odds of the recipes asked for most there")
    options = parser.parse_args()
    if options.cells:
        lines = [line for size, paths in CELLS for line in cell_lines(size, paths, options.seconds)]
        options.cells.write_text("\n".join([CELL_HEAD, *lines]) + "\n", encoding="utf-8")
        return
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
