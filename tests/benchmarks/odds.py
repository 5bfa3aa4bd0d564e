"""How rare each grade of techniques is by recipe, and how fast such puzzles are made.

Run: ``python tests/benchmarks/odds.py [--seconds 2] [--jobs 2] [--part 1/3] [--only WORD] [FILE]``. It
measures the recipes that are asked for most, as a level makes them, and writes ``config/grade-odds.csv``, or
FILE. A recipe has a line for boards of any grade and one for each grade: the share of the boards that have
it, the puzzles a second of processor time that ``generate`` makes if a spec orders it, and the seconds that
it searches for one before it gives up. Lines of recipes that are not measured stay, so that the table can be
made in parts. How hard boards feel is measured by ``difficulty.py``.
"""

import argparse
import csv
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from multiprocessing import Pool
from pathlib import Path

from linkpress.engine.make.generate import AttemptLog, generate, watching_attempts
from linkpress.engine.recipe import Grade
from linkpress.errors import RecipeError
from linkpress.production.forecast import ODDS_FILE, cell_keys

# Size and paths, by other keys: few paths, as many as a level that says nothing has, and many.
_SIZES = {
    "": """5x5 3-4, 6x6 3-4, 6x6 4-6, 7x7 4-5, 7x7 5-7, 7x7 7-9, 8x8 5-6, 8x8 7-10, 8x8 10-12, 9x9 6-8, 9x9
        9-12, 9x9 12-15, 10x10 5-7, 10x10 8-10, 10x10 10-15, 10x10 15-18, 12x12 7-8, 12x12 9-12, 12x12
        15-21, 12x12 21-26, 15x15 10-12, 15x15 14-18, 15x15 18-23, 15x15 23-33, 18x18 16-20, 18x18 24-30,
        18x18 33-47, 20x20 26-32, 20x20 33-40, 20x20 40-58, 25x25 46-52, 25x25 63-90, 30x30 70-90, 30x30
        90-129, 40x40 160-229, 50x50 250-358""",
    " solids=15%": "7x7 4-6, 10x10 9-13, 15x15 20-28",
    " solids=30%": "7x7 4-5, 10x10 7-10, 15x15 16-23",
    " unique=filled": "7x7 5-7, 10x10 8-10, 10x10 10-15, 15x15 23-33, 20x20 40-58",
    " unique=untouching": "6x6 3-5, 8x8 4-6, 10x10 4-6, 10x10 7-10, 12x12 6-10, 15x15 8-12, 20x20 12-20",
    " number_pattern=rotational": "7x7 5-7, 10x10 8-10, 10x10 10-15, 15x15 23-33",
    " number_pattern=mirror": "7x7 5-7, 10x10 8-10, 10x10 10-15, 15x15 23-33",
    " method=classic unique=filled": "5x5 -, 7x7 -, 10x10 -",
}
CELLS = tuple(" ".join(cell.split()) + other for other, cells in _SIZES.items() for cell in cells.split(","))
HEAD = ("size", "paths", "other", "asked", "boards", "share", "per_s", "usual_s")
# The units of work that one search may take, by the second of its trial: large boards would take minutes.
MOST_WORK = 6_000_000
# As many boards, and puzzles of a technique, as tell shares and rates to a tenth; and so few that the trial
# goes on, so many times as long at most. Shares of 20 boards are right to a tenth or so, those of three say
# nothing.
ENOUGH_BOARDS, FEW_BOARDS, LONGER_BOARDS = 1000, 20, 30
ENOUGH, FEW, LONGER = 50, 3, 3


@dataclass
class Count:
    """What was made of one recipe within a time."""

    made: int = 0
    spent: int = 0
    took_s: float = 0.0
    techniques: Counter[Grade | None] = field(default_factory=Counter)

    def usual_s(self, recipe):
        """The seconds that the usual work takes."""
        return self.took_s * recipe.usual_work / max(1, self.spent)


def make(recipe, method, limit_s, enough, few, longer):
    """Make puzzles until there are enough or the time is over; so many times longer where there are few."""
    count, logs, failed = Count(), list[AttemptLog](), 0
    most = min(recipe.usual_work, round(longer * limit_s * MOST_WORK))
    begun = time.process_time()
    with watching_attempts(logs.append):
        while count.made < enough and count.took_s < limit_s * (longer if count.made < few else 1):
            try:
                grading = generate(recipe, f"odds/{count.made + failed}", method, most).grading
            except RecipeError:
                failed += 1
            else:
                count.made += 1
                count.techniques[grading.technique if grading else None] += 1
            count.spent += logs[-1].spent if logs else 0
            count.took_s = time.process_time() - begun
            logs.clear()
    return count


def cell_rows(cell, limit_s):
    """Measure the lines of a recipe."""
    size, paths, *other = cell.split()
    keys = cell_keys(size, paths.strip("-"), " ".join(other))
    (recipe,) = keys.recipes(1)
    known = {"size": size, "paths": paths.strip("-"), "other": " ".join(other)}
    plain = make(recipe, keys.method, 2 * limit_s, ENOUGH_BOARDS, FEW_BOARDS, LONGER_BOARDS)
    boards, plain_s = max(1, plain.made), plain.usual_s(recipe)

    def row(asked, share, per_s, usual_s):
        figures = {"share": f"{share:.4f}", "per_s": f"{per_s:.3g}", "usual_s": f"{usual_s:.3g}"}
        return {**known, "asked": asked, "boards": str(plain.made), **figures}

    rows = [row("any", 1.0, plain.made / plain.took_s, plain_s)]
    for grade in Grade:
        asked = replace(recipe, techniques=(grade, grade))
        found = make(asked, keys.method, limit_s, ENOUGH, FEW, LONGER)
        share = plain.techniques[grade] / boards
        rows.append(row(grade.label, share, found.made / found.took_s, found.usual_s(asked)))
    return rows


def _named(row):
    return " ".join(filter(None, (row["size"], row["paths"] or "-", row["other"])))


def _measure(order):
    return order[0], cell_rows(*order)


def _chosen(part, only):
    which, of = (int(number) for number in part.split("/"))
    for place, cell in enumerate(CELLS):
        if place % of == which - 1 and only in cell:
            yield cell


def main():
    """Measure, and write the table anew."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("file", type=Path, nargs="?", default=Path("config", ODDS_FILE))
    parser.add_argument("--seconds", type=float, default=2, help="for each technique of a recipe")
    parser.add_argument("--jobs", type=int, default=2, help="recipes measured at a time")
    parser.add_argument("--part", default="1/1", help="of the recipes, as 2/3 for the second third")
    parser.add_argument("--only", default="", help="only recipes with this in their line")
    options = parser.parse_args()
    table = {}
    if options.file.exists():
        for row in csv.DictReader(options.file.read_text(encoding="utf-8").splitlines()):
            table.setdefault(_named(row), []).append(row)
    orders = [(cell, options.seconds) for cell in _chosen(options.part, options.only)]
    begun = time.monotonic()
    with Pool(options.jobs) as pool:
        for done, (cell, rows) in enumerate(pool.imap_unordered(_measure, orders, chunksize=1), 1):
            table[cell] = rows
            print(f"{done} of {len(orders)}, {time.monotonic() - begun:.0f} s: {cell}", flush=True)
            with options.file.open("w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, HEAD, lineterminator="\n")
                writer.writeheader()
                writer.writerows(row for each in CELLS for row in table.get(each, []))


if __name__ == "__main__":
    main()
