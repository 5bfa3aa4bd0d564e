"""Measure how hard the boards of random recipes are, and fit the coefficients that forecast it.

Run: ``python tests/benchmarks/difficulty.py measure FILE [--seconds 600] [--seed 1]`` adds boards of random
recipes to FILE, a CSV. ``… fit FILE`` prints the coefficients of ``ScoreModel`` in ``engine/rulesets.py``:
for the share of boards above the floor a logistic regression, for the mean score and the time linear ones.
FILE has the effort of each board, so a rule's curve from efforts to scores can change without new boards.
``… check FILE`` tells how far the median difficulties of these recipes are from the forecasts of linkpress.
Measure boards with another seed for that.
"""

import argparse
import csv
import math
import random
import time
from collections import defaultdict
from pathlib import Path

import numpy as np

from linkpress.book.difficulty_forecast import forecast_of
from linkpress.book.level import RecipeKeys
from linkpress.documents.models import read_values
from linkpress.documents.problem import InvalidError
from linkpress.engine.difficulty import difficulty_of, terms_of
from linkpress.engine.grade import proof_effort
from linkpress.engine.make.generate import generate
from linkpress.engine.rulesets import Rule, ScoreModel, ruleset_of
from linkpress.errors import RecipeError

BOARDS, MOST_S = 8, 2.0  # of one recipe
ABOVE = 15  # a board is above the floor if its score is this much higher
LEAST_RISE = 30
VARIANTS = [{}] * 6 + [{"number_pattern": "free"}, {"number_pattern": "rotational"}, {"composed": "no"}]


def random_keys(rng):
    """Return the keys of a random recipe, from 5 × 5 to 25 × 25."""
    rule = rng.choice(["strict", "strict", "filled", "untouching"])
    rows = rng.randint(16, 25) if rng.random() < 0.08 else rng.randint(5, 15)
    cols = max(5, rows + rng.choice([0, 0, 0, 1, 2, 3, -1, -2]))
    solids = 0 if rng.random() < 0.5 else round(rng.uniform(0.01, 0.28) * rows * cols)
    room = math.exp(rng.uniform(math.log(3.6), math.log(25 if rule == "untouching" else 18)))
    if rng.random() < 0.2:  # small boards with few paths, for which the regressions fit worst
        rows, cols, solids, room = rng.randint(5, 10), rng.randint(5, 10), 0, rng.uniform(7, 18)
    keys = {"size": f"{cols}x{rows}", "paths": max(2, round((rows * cols - solids) / room)), "unique": rule}
    return {**keys, **({"solids": solids} if solids else {}), **rng.choice(VARIANTS)}


def measure(path, seconds, seed):
    """Add boards to a file: rule, squares, free squares, paths, number of the recipe, effort, seconds."""
    rng, begun = random.Random(seed), time.process_time()
    with path.open("a", encoding="utf-8", newline="") as file:
        writer, number = csv.writer(file), 0
        while time.process_time() - begun < seconds:
            number += 1
            try:
                keys = read_values({name: str(value) for name, value in random_keys(rng).items()}, RecipeKeys)
            except InvalidError:
                continue
            (recipe,) = keys.recipes(1)
            area, until = recipe.rows * recipe.cols, time.process_time() + MOST_S
            for board in range(BOARDS):
                before = time.process_time()
                if before > until:
                    break
                try:
                    seed_of = f"{seed}/{number}/{board}"
                    puzzle = generate(recipe, seed_of, budget=1_600_000, graded=False, scored=False).puzzle
                except RecipeError:
                    break
                made, effort = time.process_time(), proof_effort(puzzle, recipe.rule)
                time_s = made - before + (time.process_time() - made) / 2
                facts = (recipe.rule, area, area - recipe.solids.low, recipe.pairs.low)
                writer.writerow([*facts, f"{seed}/{number}", f"{effort:.5f}", f"{time_s:.5f}"])


def logistic(terms, is_above):
    """Fit a logistic regression by Newton's method."""
    weights = np.zeros(terms.shape[1])
    for _ in range(60):
        share = 1 / (1 + np.exp(-np.clip(terms @ weights, -30, 30)))
        slope = terms.T @ (terms * (share * (1 - share))[:, None]) + 1e-3 * np.eye(len(weights))
        weights += np.linalg.solve(slope, terms.T @ (is_above - share) - 1e-3 * weights)
    return weights


def fitted(boards, floor):
    """Fit the coefficients to boards of one rule."""
    terms = np.array([terms_of(*facts) for facts, _, _ in boards])
    scores = np.array([score for _, score, _ in boards])
    above = scores > floor + ABOVE
    mean = np.linalg.lstsq(terms[above], scores[above])[0]
    for _ in range(3):
        weight = np.maximum(LEAST_RISE, terms[above] @ mean - floor) ** -0.5
        mean = np.linalg.lstsq(terms[above] * weight[:, None], scores[above] * weight)[0]
    # A tenth of a normal distribution is 1.28 standard deviations or more above its mean.
    spreads = np.abs(np.quantile((scores[above] - terms[above] @ mean) * weight, [0.1, 0.9])) / 1.28
    log_ms = np.linalg.lstsq(terms, np.log([1000 * time_s for _, _, time_s in boards]))[0]
    return logistic(terms, above), mean, spreads, log_ms


def boards_in(path):
    """Return the boards of a file by their rule, as (squares, free squares, paths), score and seconds."""
    boards, recipes = defaultdict(list), defaultdict(list)
    for rule, area, free, pairs, number, effort, time_s in csv.reader(path.open(encoding="utf-8")):
        score = ruleset_of(Rule(rule)).score(float(effort))
        board = (int(area), int(free), int(pairs)), score, float(time_s)
        boards[Rule(rule)].append(board)
        recipes[Rule(rule), board[0], number].append(board[1])
    return boards, recipes


def main():
    """Measure, fit or check."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("task", choices=["measure", "fit", "check"])
    parser.add_argument("file", type=Path)
    parser.add_argument("--seconds", type=float, default=600, help="of processor time")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.task == "measure":
        measure(options.file, options.seconds, options.seed)
        return
    boards, recipes = boards_in(options.file)
    for rule, of_rule in boards.items():
        if options.task == "fit":
            fits = fitted(of_rule, ruleset_of(rule).score(0))
            for name, fit in zip(ScoreModel._fields, fits, strict=True):
                print(rule, name, np.round(fit, 1 if name == "mean" else 2).tolist())
            continue
        known = [
            (facts, scores) for (of, facts, _), scores in recipes.items() if of is rule and len(scores) > 5
        ]
        errors = [
            forecast_of(*facts, rule).median - difficulty_of(round(np.median(scores)))
            for facts, scores in known
        ]
        within = np.mean(np.abs(errors) <= 10)
        print(f"{rule}: {len(errors)} recipes, bias {np.mean(errors):.1f}, {within:.1%} within 10 points")


if __name__ == "__main__":
    main()
