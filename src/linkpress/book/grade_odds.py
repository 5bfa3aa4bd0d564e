"""How seldom each grade is, by recipe, and how fast it is made: the figures of ``config/grade-odds.csv``.

``tests/benchmarks/grades.py --cells`` measures them, a second of processor time for a second.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from typing import NamedTuple

from linkpress.book.recipe_values import BoardSize
from linkpress.engine.recipe import Grade, Recipe, Rule, Span
from linkpress.errors import SpecError
from linkpress.resources import resource

ODDS_FILE = "grade-odds.csv"


class GradeOdds(NamedTuple):
    """What was measured of one grade of a recipe."""

    size: BoardSize
    paths: Span
    grade: Grade
    share: float  # of all boards of the recipe
    made_per_s: float  # when the grade is asked for, by processor time of one core


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
    low, high = row["paths"].split("-")
    grade = Grade[row["grade"].upper()]
    return GradeOdds(
        BoardSize(int(rows), int(cols)),
        Span(int(low), int(high)),
        grade,
        float(row["share"]),
        float(row["made_per_s"]),
    )


def odds_of(recipe: Recipe, table: Sequence[GradeOdds]) -> tuple[float, float] | None:
    """The share of a recipe's boards that have its grade, and how many of them a core makes in a second.

    Returns:
        None where the recipe asks for no grade, or nothing like it was measured: the same size, no solids,
        strict, and most of its path counts.
    """
    if recipe.grades is None or recipe.pairs is None or recipe.rule is not Rule.STRICT:
        return None
    if recipe.solids is None or recipe.solids.high > 0:
        return None
    low, high = recipe.grades
    alike = [
        one
        for one in table
        if {one.size.rows, one.size.cols} == {recipe.rows, recipe.cols}
        and _common(one.paths, recipe.pairs) > (recipe.pairs.high - recipe.pairs.low + 1) / 2
        and low <= one.grade <= high
    ]
    if not alike:
        return None
    return sum(one.share for one in alike), max(one.made_per_s for one in alike)


def _common(one: Span, other: Span) -> int:
    return max(0, min(one.high, other.high) - max(one.low, other.low) + 1)
