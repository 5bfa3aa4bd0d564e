"""How many times as long a board takes as a level makes it by default, compared with a plain one.

Run: ``python tests/benchmarks/default.py [--side 10] [--pairs 7,8,9,10,11] [--boards 400] [--turns 3]``. A
plain board is made from its size and number of pairs alone. A board made by default is composed, and its
numbers may be symmetric. Neither is graded. For each number of pairs, the program prints the milliseconds of
processor time of both kinds, with the standard error of the mean, the boards begun for each of them, and
the ratio. Each board is made once in each turn, both kinds alternately, and its shortest time counts. So a
busy machine hardly changes the ratio, above all if the program runs at a high priority (``chrt -f 50``).
"""

import argparse
import statistics
import time

from linkpress.book.level import RecipeKeys
from linkpress.engine.make.generate import generate
from linkpress.engine.recipe import Method, Recipe, Rule, Span


def recipes(side, pairs):
    """Return the recipe and the method of a plain board, and of a board made by default."""
    plain = Recipe(side, side, Span(pairs, pairs), Span(0, 0), Rule.STRICT)
    keys = RecipeKeys.model_validate({"size": side, "paths": str(pairs), "solids": 0, "unique": "strict"})
    return (plain, Method.WALK), (keys.recipe(keys.sizes[0]), keys.method)


def measure(side, pairs, boards, turns):
    """Print a line for one number of pairs."""
    kinds = recipes(side, pairs)
    shortest_ms, begun = [[float("inf")] * boards for _ in kinds], [0, 0]
    for turn in range(turns):
        for board in range(boards):
            for kind, (recipe, method) in enumerate(kinds):
                start_ns = time.thread_time_ns()
                made = generate(recipe, f"ratio/{board}", method, graded=False)
                spent_ms = (time.thread_time_ns() - start_ns) / 1e6
                shortest_ms[kind][board] = min(shortest_ms[kind][board], spent_ms)
                begun[kind] += made.attempts if turn == 0 else 0
    means = [statistics.mean(times) for times in shortest_ms]
    parts = [
        f"{name} {mean:.3f} ± {statistics.pstdev(times) / boards**0.5:.3f} ms ({count / boards:.2f} begun)"
        for name, mean, times, count in zip(("plain", "default"), means, shortest_ms, begun, strict=True)
    ]
    print(f"{side} × {side}, {pairs} pairs: {', '.join(parts)}, ratio {means[1] / means[0]:.2f}", flush=True)


def main():
    """Read the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--side", type=int, default=10)
    parser.add_argument("--pairs", default="7,8,9,10,11")
    parser.add_argument("--boards", type=int, default=400)
    parser.add_argument("--turns", type=int, default=3)
    asked = parser.parse_args()
    for pairs in asked.pairs.split(","):
        measure(asked.side, int(pairs), asked.boards, asked.turns)


if __name__ == "__main__":
    main()
