"""How far made boards look like published ones, by the figures of their style.

Run: ``python tests/benchmarks/composed.py FILE … [--side 10] [--paths 8-10] [--pattern symmetric]
[--boards 200] [--fit]``. A file holds published boards as link text; none is part of the project. Boards of
that side and so many pairs whose strict drawing covers every square are compared with made ones of as many
pairs, composed and not. It prints, for both kinds of made boards, the milliseconds of processor time that
one takes; by figure the mean and spread on either side, and the chance to tell one from the other by it
alone; the median of the spreads' ratios; and, where scikit-learn is installed, the AUC of a logistic model
and of a forest with all figures (0.5: nobody can tell, 1: everybody can). ``--fit`` prints the rows of
``engine/make/generate.py`` instead, from every second board of the files.
"""

import argparse
import importlib.util
import math
import statistics
import time
from collections import Counter
from pathlib import Path

from linkpress.book.level import RecipeKeys
from linkpress.documents.models import read_values
from linkpress.engine.kernels.glossary import StyleFigure
from linkpress.engine.make.cover import Cover, Order, variation_of
from linkpress.engine.make.generate import generate
from linkpress.engine.proof import Verdict, prove
from linkpress.engine.recipe import NumberPattern, Recipe, Rule, Span
from linkpress.puzzle.notations import read_puzzles

PATTERNS = (NumberPattern.ROTATIONAL, NumberPattern.MIRROR, NumberPattern.FLIP)
FIGURES = [figure for figure in StyleFigure if figure is not StyleFigure.FIGURES]
# Boards from 8 × 8 to 15 × 15 with so many squares for each pair are those that ``--fit`` takes.
SIDES, MOST_ROOM = (8, 15), 18


def pattern_of(puzzle):
    """The pattern in which a puzzle's numbers lie."""
    recipe = Recipe(puzzle.grid.rows, puzzle.grid.cols)
    ends = set(puzzle.number_at)
    found = (name for name in PATTERNS if {recipe.mirrored(cell, name) for cell in ends} == ends)
    return next(found, NumberPattern.FREE)


def figures_of(solution):
    """What a drawn board looks like, by ``StyleFigure``."""
    grid, paths = solution.puzzle.grid, tuple(path.cells for path in solution.paths)
    recipe = Recipe(grid.rows, grid.cols, number_pattern=pattern_of(solution.puzzle))
    order = Order(recipe, len(paths), len(grid.solids))
    return list(variation_of(order, Cover(grid.rows, grid.cols, paths), Rule.STRICT, 0).figures())


def published(files, sides):
    """The drawings of the files' boards, of those whose only strict one covers the board."""
    for path in files:
        for puzzle in read_puzzles(path.read_text(encoding="utf-8")):
            if puzzle.grid.rows in sides and puzzle.grid.cols in sides:
                proof = prove(puzzle, Rule.STRICT)
                if proof.verdict is Verdict.UNIQUE and proof.solution is not None:
                    yield proof.solution


def made(side, paths, pattern, count, composed):
    """So many boards of a level with these keys; prints how long one takes."""
    given = {"size": str(side), "paths": paths, "number_pattern": pattern, "composed": composed}
    keys = read_values(given, RecipeKeys)
    start = time.process_time()
    boards = [
        generate(keys.recipe(keys.size[0]), f"composed/{n}", keys.method, graded=False).solution
        for n in range(count)
    ]
    print(f"composed: {composed}: {1000 * (time.process_time() - start) / count:.1f} ms a board")
    return boards


def alike(ours, theirs):
    """The figures of as many boards of either side, by number of pairs."""
    have, want = (Counter(len(board.paths) for board in boards) for boards in (ours, theirs))
    both = have & want
    chosen = []
    for boards in (ours, theirs):
        left = both.copy()
        kept = []
        for board in boards:
            if left[len(board.paths)] > 0:
                left[len(board.paths)] -= 1
                kept.append(figures_of(board))
        chosen.append(kept)
    return chosen[0], chosen[1]


def told_apart(ours, theirs):
    """The chance that the larger of two values is of the side whose values are larger mostly."""
    wins = sum((a > b) + (a == b) / 2 for a in ours for b in theirs) / (len(ours) * len(theirs))
    return max(wins, 1 - wins)


def compare(ours, theirs):
    """Print what tells made boards from published ones."""
    print(f"{len(ours)} boards a side")
    ratios = []
    for figure in FIGURES:
        one, other = [row[figure] for row in ours], [row[figure] for row in theirs]
        if statistics.pstdev(one):
            ratios.append(statistics.pstdev(other) / statistics.pstdev(one))
        print(
            f"  {figure.name.lower():14} made {statistics.mean(one):6.0f} ± {statistics.pstdev(one):4.0f}   "
            f"published {statistics.mean(other):6.0f} ± {statistics.pstdev(other):4.0f}   "
            f"told apart {told_apart(one, other):.2f}"
        )
    print(f"spread published / made, median: {statistics.median(ratios):.2f}")
    if importlib.util.find_spec("sklearn") and len(ours) >= 10:
        classify(ours, theirs)


def classify(ours, theirs):
    """Print the AUC of two classifiers, each cross-validated five times."""
    forest = importlib.import_module("sklearn.ensemble").RandomForestClassifier(
        200, min_samples_leaf=3, random_state=0
    )
    logistic = importlib.import_module("sklearn.pipeline").make_pipeline(
        importlib.import_module("sklearn.preprocessing").StandardScaler(),
        importlib.import_module("sklearn.linear_model").LogisticRegression(C=0.05, max_iter=2000),
    )
    selection = importlib.import_module("sklearn.model_selection")
    folds = selection.StratifiedKFold(5, shuffle=True, random_state=0)
    labels = [1] * len(ours) + [0] * len(theirs)
    for name, model in (("logistic", logistic), ("forest", forest)):
        scores = selection.cross_val_score(model, ours + theirs, labels, cv=folds, scoring="roc_auc")
        print(f"AUC {name}: {scores.mean():.2f}")


def fit(boards):
    """Print by figure the mean, what room and size add to it, and the spread about that."""
    boards = [board for board in boards[::2] if board.puzzle.grid.size <= MOST_ROOM * len(board.paths)]
    found = [figures_of(board) for board in boards]
    size = [board.puzzle.grid.size for board in boards]
    room = [area / len(board.paths) for area, board in zip(size, boards, strict=True)]
    print(f"{len(boards)} boards")
    for figure in FIGURES:
        unit = [math.sqrt(area) if figure is StyleFigure.APART else 1.0 for area in size]
        values = [row[figure] / by for row, by in zip(found, unit, strict=True)]
        symmetric = [pattern_of(board.puzzle) is not NumberPattern.FREE for board in boards]
        for kind in (True, False) if figure.name.startswith("COPIED") else (None,):
            rows = [
                (1.0, math.log(room[n] / 10), math.log(size[n] / 100), values[n])
                for n in range(len(boards))
                if kind is None or symmetric[n] is kind
            ]
            weights = least_squares(rows)
            left = [row[3] - sum(w * x for w, x in zip(weights, row, strict=False)) for row in rows]
            row = ", ".join(f"{weight:.0f}" for weight in (*weights, statistics.pstdev(left)))
            print(f"  {figure.name}{'' if kind is None else ' symmetric' if kind else ' free'}: ({row})")


def least_squares(rows):
    """The three weights that bring the last of four columns nearest, by the normal equations."""
    table = [[sum(row[i] * row[j] for row in rows) for j in range(4)] for i in range(3)]
    for pivot in range(3):
        for other in range(3):
            if other != pivot:
                times = table[other][pivot] / table[pivot][pivot]
                table[other] = [a - times * b for a, b in zip(table[other], table[pivot], strict=True)]
    return [table[i][3] / table[i][i] for i in range(3)]


def main():
    """Read the arguments, print what was measured."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--side", type=int, default=10)
    parser.add_argument("--paths", default="8-10")
    parser.add_argument("--pattern", default="symmetric", help="free, or any other: symmetric boards")
    parser.add_argument("--boards", type=int, default=200)
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("files", nargs="+", type=Path)
    asked = parser.parse_args()
    if asked.fit:
        fit(list(published(asked.files, range(SIDES[0], SIDES[1] + 1))))
        return
    free = asked.pattern == NumberPattern.FREE
    low, _, high = asked.paths.partition("-")
    theirs = [
        board
        for board in published(asked.files, range(asked.side, asked.side + 1))
        if len(board.paths) in Span(int(low), int(high or low))
        and (pattern_of(board.puzzle) is NumberPattern.FREE) is free
    ]
    for composed in ("yes", "no"):
        compare(*alike(made(asked.side, asked.paths, asked.pattern, asked.boards, composed), theirs))


if __name__ == "__main__":
    main()
