"""Tells how rare each grade is, by recipe, and how fast it is made, from ``config/grade-odds.csv``.

``tests/benchmarks/grades.py --cells`` measures them. What is like a measured recipe is taken to behave as
that one does; a search for a puzzle starts anew again and again, so that the chance to find none falls with
each further second as it did with the first.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import median
from typing import NamedTuple

from linkpress.book.level import MOST_EFFORT
from linkpress.book.recipe_values import BoardSize
from linkpress.engine.recipe import Grade, NumberPattern, Recipe, Rule, Span
from linkpress.errors import SpecError
from linkpress.resources import resource

ODDS_FILE = "grade-odds.csv"

# The most by which area, and squares for each path, may differ from those of a measured recipe like it, and
# the largest share of solids. Puzzles a second of twelve recipes within these, against the measured ones
# next to them: from 0.4 times (12 × 10, 9-13, fiendish) to 2.6 times (10 × 10, 5 solids, beginner).
_OTHER_AREA, _OTHER_ROOM, _FEW_SOLIDS = 1.22, 1.25, 0.07
# The patterns of numbers that boards have where none is asked for.
_MEASURED_PATTERNS = (NumberPattern.FREE, NumberPattern.SYMMETRIC)
# Up to so many times the usual work is advised for a recipe that is near at hand.
_MODEST_EFFORT = 10
# The chance of a whole level from which it counts as one that can be made.
LIKELY = 0.95


class GradeOdds(NamedTuple):
    """The figures that were measured for one grade of a recipe, in processor time of one core."""

    size: BoardSize
    paths: Span
    grade: Grade
    share: float  # of all boards of the recipe
    rejected_per_s: float  # as boards come, all others thrown away
    made_per_s: float  # when the grade is asked for
    usual_s: float  # that the usual work for one takes


@dataclass(frozen=True, slots=True)
class Outlook:
    """The likely result of a search for a recipe's puzzles.

    Args:
        share: the share of the recipe's boards that have the grade; None where any grade will do.
        per_s: the puzzles that a core makes in a second.
        search_s: the seconds after which a search is given up; none is where any grade will do.
    """

    share: float | None
    per_s: float
    search_s: float

    @property
    def missed(self) -> float:
        """The chance that one search finds nothing."""
        return 0.0 if self.share is None else math.exp(-self.per_s * self.search_s)

    def chance(self, count: int) -> float:
        """The chance that none of so many searches fails."""
        return (1 - self.missed) ** count

    @property
    def each_s(self) -> float:
        """Seconds of one core that one search takes on average."""
        return (1 - self.missed) / self.per_s if self.per_s else self.search_s

    def effort_for(self, count: int, effort: float) -> int | None:
        """The effort under which so many puzzles are likely all found; None where no effort is enough.

        Args:
            effort: that this outlook is for.
        """
        found = self.per_s * self.search_s / effort
        needed = math.ceil(math.log(count / (1 - LIKELY)) / found) if found else MOST_EFFORT + 1
        return needed if needed <= MOST_EFFORT else None


def load_odds() -> tuple[GradeOdds, ...]:
    """All rows of the table.

    Raises:
        InstallationError: it is missing.
        SpecError: it is damaged.
    """
    path = resource("config", ODDS_FILE)
    try:
        text = path.read_text(encoding="utf-8")
        rows = tuple(_row(row) for row in csv.DictReader(text.splitlines()))
    except (KeyError, TypeError, ValueError, AttributeError):
        rows = ()
    if not rows:
        raise SpecError(f"{path}: not a table of odds")
    return rows


def _row(row: dict[str, str]) -> GradeOdds:
    cols, rows = row["size"].split("x")
    low, _, high = row["paths"].partition("-")
    return GradeOdds(
        BoardSize(int(rows), int(cols)),
        Span(int(low), int(high or low)),
        Grade[row["grade"].upper()],
        *(float(row[figure]) for figure in GradeOdds._fields[3:]),
    )


def outlook(recipe: Recipe, effort: float, table: Sequence[GradeOdds]) -> Outlook | None:
    """Estimate the result of the search for one puzzle of a recipe.

    Args:
        recipe: what the puzzle must be.
        effort: how many times the usual work it may take.
        table: the rows that ``load_odds`` returns.
    Returns:
        None where nothing like the recipe was measured: boards with few solids, strict, about as large and
        with about as many squares for each path.
    """
    nearest = next(_by_nearness(recipe, table), None)
    return _outlook(recipe, effort, nearest) if nearest and _is_like(recipe, nearest) else None


def nearby(recipe: Recipe, effort: float, count: int, table: Sequence[GradeOdds]) -> str | None:
    """Find the nearest measured recipe by which so many puzzles of the grade are likely to be all found.

    Returns:
        The recipe as keys of a spec, with the effort if it takes more: ``paths: 8-10``; else None.
    """
    for rows in _by_nearness(recipe, table):
        needed = _outlook(recipe, effort, rows).effort_for(count, effort)
        if not _is_like(recipe, rows) and needed is not None and needed <= max(effort, _MODEST_EFFORT):
            size = rows[0].size
            keys = [f"`size: {size}`"] * (size != BoardSize(recipe.rows, recipe.cols))
            keys.append(f"`paths: {rows[0].paths}`")
            return " and ".join(keys + [f"`effort: {needed}`"] * (needed > effort))
    return None


def _by_nearness(recipe: Recipe, table: Sequence[GradeOdds]) -> Iterator[list[GradeOdds]]:
    """Yield the rows of each measured recipe, the nearest first; none if the recipe is of another kind."""
    few = recipe.solids is not None and recipe.solids.high <= _FEW_SOLIDS * recipe.rows * recipe.cols
    plain = few and recipe.rule is Rule.STRICT and recipe.number_pattern in _MEASURED_PATTERNS
    if plain and recipe.pairs is not None and recipe.stars is None:
        cells = [list(rows) for _, rows in groupby(table, key=lambda row: (row.size, row.paths))]
        yield from sorted(cells, key=lambda rows: _distance(recipe, rows))


def _outlook(recipe: Recipe, effort: float, rows: Sequence[GradeOdds]) -> Outlook:
    low, high = recipe.grades or (Grade.BEGINNER, Grade.FIENDISH)
    wanted = [row for row in rows if low <= row.grade <= high]
    if recipe.grades is None:
        return Outlook(None, sum(row.rejected_per_s for row in wanted), 0.0)
    per_s = max(row.made_per_s for row in wanted)
    return Outlook(sum(row.share for row in wanted), per_s, effort * median(row.usual_s for row in wanted))


def _ratios(recipe: Recipe, rows: Sequence[GradeOdds]) -> tuple[float, float]:
    """Return the factors by which area, and squares for each path, differ from those measured, 1 or more."""
    asked, paths, size = recipe.pairs or Span(1, 1), rows[0].paths, rows[0].size
    area = recipe.rows * recipe.cols / (size.rows * size.cols)
    room = area * (paths.low + paths.high) / (asked.low + asked.high)
    return max(area, 1 / area), max(room, 1 / room)


def _distance(recipe: Recipe, rows: Sequence[GradeOdds]) -> float:
    """Measure how far a recipe is from a measured one; another size is the greater change."""
    area, room = _ratios(recipe, rows)
    return 3 * math.log(area) + math.log(room)


def _is_like(recipe: Recipe, rows: Sequence[GradeOdds]) -> bool:
    area, room = _ratios(recipe, rows)
    return area <= _OTHER_AREA and room <= _OTHER_ROOM
