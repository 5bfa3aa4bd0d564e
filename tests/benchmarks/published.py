"""What the engine says of boards made elsewhere: verdicts, proof times, grades, and authors' stars.

Run: ``python tests/benchmarks/published.py [--rule strict] [--most 16] [--json] FILE …``. A file holds
link text; a line that begins with ``;`` after a blank one may give the stars of the board's author as
``stars=3``. Prints a row a file: boards, verdicts, the median, 95th percentile and
worst processor time of a proof, the share of boards that get a grade, and, where the stars of boards with
one solution are known, Spearman's rank correlation of the stars with the score, with the grade and with the
board's area alone, with the score given the area, and with the score among the boards of 10 × 10. ``--fit``
also prints the line from the effort of proofs to stars by least squares: the two figures of
``engine/grade.py``.
"""

import argparse
import json
import math
import re
import statistics
import time
from collections import Counter
from pathlib import Path

from linkpress.engine.grade import grade_puzzle, proof_effort
from linkpress.engine.proof import Verdict, prove
from linkpress.engine.recipe import Rule
from linkpress.puzzle.notations import read_puzzles

_STARS = re.compile(r"stars?\D{0,3}([1-5])(?!\d)")


def records(path):
    """The boards of a file, each with the stars of the comment before it."""
    stars = None
    lines = []
    for line in [*path.read_text(encoding="utf-8").splitlines(), ""]:
        if line.startswith(";"):
            found = _STARS.search(line)
            stars = int(found[1]) if found else None
        elif line.strip():
            lines.append(line)
        elif lines:
            for puzzle in read_puzzles("\n".join(lines) + "\n"):
                yield puzzle, stars
            lines, stars = [], None


def spearman(one, other):
    """Rank correlation; equal values share the mean of their ranks."""
    return statistics.correlation(ranks(one), ranks(other))


def ranks(values):
    """The rank of each value, from 0."""
    order = sorted(values)
    return [order.index(value) + (order.count(value) - 1) / 2 for value in values]


def agreement(rated):
    """How stars go with score, grade and area; boards without a grade count as harder than all others."""
    if len({stars for stars, _, _ in rated}) < 2:
        return {}
    stars = [float(given) for given, _, _ in rated]
    area = [float(puzzle.grid.size) for _, puzzle, _ in rated]
    grade = [float(grading.technique or 7) for _, _, grading in rated]
    score = [float(grading.score or 10**6) for _, _, grading in rated]
    with_score, with_area, both = spearman(stars, score), spearman(stars, area), spearman(score, area)
    given_area = (with_score - with_area * both) / math.sqrt((1 - with_area**2) * (1 - both**2))
    sides = [(puzzle.grid.rows, puzzle.grid.cols) for _, puzzle, _ in rated]
    small = [index for index, size in enumerate(sides) if size == (10, 10)]
    within = spearman([stars[index] for index in small], [score[index] for index in small])
    return {
        "stars_score": round(with_score, 3),
        "stars_grade": round(spearman(stars, grade), 3),
        "stars_area": round(with_area, 3),
        "stars_score_given_area": round(given_area, 3),
        f"stars_score_of_{len(small)}_10x10": round(within, 3),
    }


def fitted_line(rated, rule):
    """The line from the effort of proofs to stars, by least squares."""
    efforts = [proof_effort(puzzle, rule) for _, puzzle, _ in rated]
    slope, base = statistics.linear_regression(efforts, [stars for stars, _, _ in rated])
    return {"base": round(base, 3), "by_effort": round(slope, 3)}


def measure(path, rule, most, budget, *, fit):
    """One row of the table."""
    verdicts = Counter()
    proofs, gradings, rated, graded = [], [], [], 0
    for puzzle, stars in records(path):
        if max(puzzle.grid.rows, puzzle.grid.cols) > most:
            continue
        start = time.process_time()
        verdict = prove(puzzle, rule, budget).verdict
        verdicts[verdict.value] += 1
        proofs.append(1000 * (time.process_time() - start))
        start = time.process_time()
        grading = grade_puzzle(puzzle, rule if verdict is Verdict.UNIQUE else Rule.FILLED)
        gradings.append(1000 * (time.process_time() - start))
        graded += grading.technique is not None
        if stars is not None and verdict is Verdict.UNIQUE:
            rated.append((stars, puzzle, grading))
    proofs.sort()
    return {
        "file": path.name,
        "boards": len(proofs),
        "verdicts": dict(verdicts),
        "proof_median_ms": round(statistics.median(proofs), 1),
        "proof_p95_ms": round(proofs[int(0.95 * len(proofs))], 1),
        "proof_worst_ms": round(proofs[-1], 1),
        "graded": f"{graded / len(proofs):.0%}",
        "grading_median_ms": round(statistics.median(gradings), 1),
        **agreement(rated),
        **(fitted_line(rated, rule) if fit else {}),
    }


def main():
    """Read the arguments, print the rows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rule", type=Rule, choices=list(Rule), default=Rule.STRICT)
    parser.add_argument("--most", type=int, default=16, help="the longest side that is looked at")
    parser.add_argument("--budget", type=int, default=100_000, help="conflicts allowed to each proof")
    parser.add_argument("--fit", action="store_true", help="fit the line from efforts to stars")
    parser.add_argument("--json", action="store_true", help="one JSON object a row")
    parser.add_argument("files", nargs="+", type=Path)
    arguments = parser.parse_args()
    for path in arguments.files:
        row = measure(path, arguments.rule, arguments.most, arguments.budget, fit=arguments.fit)
        words = (
            json.dumps(row) if arguments.json else "  ".join(f"{key} {value}" for key, value in row.items())
        )
        print(words, flush=True)


if __name__ == "__main__":
    main()
