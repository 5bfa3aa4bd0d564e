"""How long a proof takes: made boards by size, or the boards of link-text files.

    python tests/benchmarks/proof.py [--boards N] [--large] [--json] [FILE...]

Prints median, 95th percentile and worst milliseconds of processor time, the most conflicts, and
the verdicts. Without files it makes its own boards, with ``--large`` also those of 30 × 30 up.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from linkpress.engine.make.generate import generate
from linkpress.engine.prove.proof import prove
from linkpress.engine.recipe import Recipe, Rule, Span
from linkpress.puzzle.notation.reading import read_puzzles
from linkpress.puzzle.puzzle import Puzzle

# rows, cols, pairs, solids, the rule that the board is made for
FAMILIES = [
    (7, 7, 5, 0, Rule.STRICT),
    (10, 10, 8, 0, Rule.STRICT),
    (10, 10, 12, 0, Rule.STRICT),
    (15, 15, 20, 0, Rule.STRICT),
    (20, 20, 40, 8, Rule.FILLED),
]
LARGE = [
    (20, 20, 28, 0, Rule.STRICT),
    (30, 30, 110, 20, Rule.FILLED),
    (40, 40, 200, 50, Rule.FILLED),
    (50, 50, 320, 80, Rule.FILLED),
]


def made(family: tuple[int, int, int, int, Rule], count: int) -> Iterator[Puzzle]:
    """Boards of a family."""
    rows, cols, pairs, solids, rule = family
    recipe = Recipe(rows, cols, Span(pairs, pairs), Span(solids, solids), rule)
    for index in range(count):
        yield generate(recipe, f"proof benchmark/{index}", graded=False).puzzle


def measure(name: str, puzzles: Sequence[Puzzle], rule: Rule) -> dict[str, object]:
    """One row of the table."""
    times, conflicts, verdicts = [], 0, Counter[str]()
    for puzzle in puzzles:
        begin = time.process_time()
        proof = prove(puzzle, rule)
        times.append(1000 * (time.process_time() - begin))
        conflicts = max(conflicts, proof.spent)
        verdicts[f"{proof.verdict.value} ({proof.method})"] += 1
    times.sort()
    return {
        "boards": name,
        "rule": rule.value,
        "count": len(times),
        "median_ms": round(times[len(times) // 2], 3),
        "p95_ms": round(times[int(len(times) * 0.95)], 3),
        "worst_ms": round(times[-1], 3),
        "most_conflicts": conflicts,
        "verdicts": dict(verdicts),
    }


def tables(arguments: argparse.Namespace) -> Iterator[dict[str, object]]:
    """All rows asked for."""
    for path in arguments.files:
        puzzles = read_puzzles(path.read_text(encoding="utf-8"))
        yield from (measure(path.name, puzzles, rule) for rule in Rule)
    if arguments.files:
        return
    for family in FAMILIES + (LARGE if arguments.large else []):
        rows, cols, pairs, solids, rule = family
        puzzles = list(made(family, arguments.boards if rows < 30 else 3))
        yield measure(f"{rows}x{cols}, {pairs} pairs, {solids} solids", puzzles, rule)


def main() -> None:
    """Read the arguments, print the rows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--boards", type=int, default=20, help="made boards a family")
    parser.add_argument("--large", action="store_true", help="boards of 20 x 20 with 28 pairs and up, too")
    parser.add_argument("--json", action="store_true", help="one JSON object a row")
    parser.add_argument("files", nargs="*", type=Path)
    prove(read_puzzles("3 3\n1 . 1\n2 . 2\n3 . 3\n")[0], Rule.FILLED)  # loads the kernels
    for row in tables(arguments := parser.parse_args()):
        if arguments.json:
            print(json.dumps(row))
        else:
            print(*(f"{key} {value}" for key, value in row.items()), sep="  ", flush=True)


if __name__ == "__main__":
    main()
