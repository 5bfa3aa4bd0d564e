"""This module tells how rare each grade and number of stars is, by recipe, and how fast boards are made.

``config/grade-odds.csv`` has what ``tests/benchmarks/odds.py`` measured. What is like a measured recipe is
taken to behave as that one does; a search for a puzzle starts anew again and again, so that the chance to
find none falls with each further second as it did with the first. A trial of a recipe that is like none gives
a row of the same kind, which holds for this recipe alone.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from itertools import groupby
from operator import attrgetter
from statistics import median
from typing import NamedTuple

from linkpress.book.level import MOST_EFFORT, RecipeKeys
from linkpress.book.plan import Slot
from linkpress.book.recipe_values import BoardSize
from linkpress.documents.models import read_values
from linkpress.engine.recipe import Grade, Method, Recipe, Span
from linkpress.errors import SpecError
from linkpress.resources import resource

ODDS_FILE = "grade-odds.csv"
ANY = "any"
"""What the table asks for in the row of boards as they come."""

# The most by which area, and squares for each path, may differ from those of a measured recipe like it, and
# the share of solids and the shortest path. Puzzles a second of twelve recipes within the first two, against
# the measured ones next to them: from 0.4 times (12 × 10, 9-13, fiendish) to 2.6 times (10 × 10, 5 solids,
# beginner).
_OTHER_AREA, _OTHER_ROOM, _OTHER_SOLIDS, _OTHER_SHORTEST = 1.22, 1.25, 0.07, 1
# Up to so many times the usual work is advised for a recipe that is near at hand.
_MODEST_EFFORT = 10
# The chance of a whole level from which it counts as one that can be made.
LIKELY = 0.95


class Odds(NamedTuple):
    """Odds are what was measured for a recipe, in processor time of one core.

    Args:
        recipe: what was asked for, with grade or stars; with neither for boards as they come.
        share: of all boards of the recipe; None for boards as they come, and where it was not measured.
        per_s: the puzzles that are made in a second.
        usual_s: the seconds that the usual work for one takes.
        tried: the puzzles that a trial made; None in the table.
    """

    recipe: Recipe
    method: Method
    share: float | None
    per_s: float
    usual_s: float
    tried: int | None = None
    tried_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Outlook:
    """An outlook says what a search for a recipe's puzzles is likely to come to.

    Args:
        share: the share of the recipe's boards that are as asked; None where any will do, or it is not known.
        per_s: the puzzles that a core makes in a second.
        search_s: the seconds after which a search is given up; 0 where none is.
        trial: what was found, where nothing is known but by a trial.
    """

    share: float | None
    per_s: float
    search_s: float
    trial: Odds | None = None

    @property
    def is_known(self) -> bool:
        """Tell whether more is known than that a trial found nothing."""
        return self.trial is None or bool(self.trial.tried)

    @property
    def missed(self) -> float:
        """Return the chance that one search finds nothing."""
        return math.exp(-self.per_s * self.search_s) if self.search_s else 0.0

    def chance(self, count: int) -> float:
        """Return the chance that none of so many searches fails."""
        return (1 - self.missed) ** count

    @property
    def each_s(self) -> float:
        """Return the seconds of one core that one search takes on average."""
        return (1 - self.missed) / self.per_s if self.per_s else self.search_s

    def effort_for(self, count: int, effort: float) -> int | None:
        """Return the effort by which so many puzzles are likely all found; None where none is enough."""
        found = self.per_s * self.search_s / effort
        needed = math.ceil(math.log(count / (1 - LIKELY)) / found) if found else MOST_EFFORT + 1
        return needed if needed <= MOST_EFFORT else None


def load_odds() -> tuple[Odds, ...]:
    """Read all rows of the table.

    Raises:
        InstallationError: it is missing.
        SpecError: it is damaged.
    """
    path = resource("config", ODDS_FILE)
    try:
        table = csv.DictReader(path.read_text(encoding="utf-8").splitlines())
        of_cells = groupby(table, key=lambda row: (row["size"], row["paths"], row["other"]))
        rows = tuple(odds for cell, lines in of_cells for odds in _read_cell(cell, lines))
    except (KeyError, TypeError, ValueError, AttributeError):
        rows = ()
    if not rows:
        raise SpecError(f"{path}: not a table of odds")
    return rows


odds_table = cache(load_odds)  # for each book of a process, and each change of a level


def cell_keys(size: str, paths: str, other: str) -> RecipeKeys:
    """Return the keys of a measured recipe: size, paths, and others as ``unique=filled solids=15%``."""
    further = dict(key.split("=") for key in other.split())
    return read_values({"size": size, "paths": paths or None, **further}, RecipeKeys)


def _read_cell(cell: tuple[str, str, str], rows: Iterable[dict[str, str]]) -> Iterator[Odds]:
    keys = cell_keys(*cell)
    (plain,) = keys.recipes(1)
    for row in rows:
        recipe, asked = plain, row["asked"]
        if asked.isdigit():
            recipe = replace(plain, stars=Span(int(asked), int(asked)))
        elif asked != ANY:
            recipe = replace(plain, grades=(Grade[asked.upper()], Grade[asked.upper()]))
        share = None if recipe is plain else float(row["share"])
        yield Odds(recipe, keys.method, share, float(row["per_s"]), float(row["usual_s"]))


def outlook(slot: Slot, table: Sequence[Odds]) -> Outlook | None:
    """Estimate the result of the search for a slot's puzzle.

    Args:
        table: the rows that ``load_odds`` returns, and those of trials.
    Returns:
        None where nothing like the recipe was measured: boards by the same rule, method and number pattern,
        with numbers apart or not, about as large, with about as many squares for each path and as many
        solids. What was measured says nothing of grades and stars together.
    """
    for odds in table:
        if odds.tried is not None and (odds.recipe, odds.method) == (slot.recipe, slot.method):
            return Outlook(None, odds.per_s, slot.effort * odds.usual_s, odds)
    if slot.given is not None or (slot.recipe.grades and slot.recipe.stars):
        return None
    nearest = next(_by_nearness(slot, table), None)
    return _outlook(slot, nearest) if nearest and _is_like(slot.recipe, nearest) else None


def shares(slot: Slot, table: Sequence[Odds]) -> tuple[dict[Grade, float], dict[int, float]]:
    """Return the share of each grade and of each number of stars among boards like a slot's.

    Both are empty where nothing like the recipe was measured.
    """
    rows = next(_by_nearness(slot, table), None) if slot.given is None else None
    if rows is None or not _is_like(slot.recipe, rows):
        return {}, {}
    asked = [(odds.recipe, odds.share or 0.0) for odds in rows]
    grades = {recipe.grades[0]: share for recipe, share in asked if recipe.grades}
    return grades, {recipe.stars.low: share for recipe, share in asked if recipe.stars}


def nearby(slot: Slot, count: int, table: Sequence[Odds]) -> dict[str, str]:
    """Find the nearest measured recipe by which so many puzzles as asked are likely to be all found.

    Returns:
        The keys of a level that change, with the effort if it takes more: ``paths: 8-10``; none where there
        is no such recipe.
    """
    recipe = slot.recipe
    for rows in [] if recipe.grades and recipe.stars else _by_nearness(slot, table):
        needed = _outlook(slot, rows).effort_for(count, slot.effort)
        if not _is_like(recipe, rows) and needed is not None and needed <= max(slot.effort, _MODEST_EFFORT):
            measured = rows[0].recipe
            size, keys = BoardSize(measured.rows, measured.cols), {}
            if size != BoardSize(recipe.rows, recipe.cols):
                keys["size"] = str(size)
            if measured.pairs is not None:
                keys["paths"] = str(measured.pairs)
            if needed > slot.effort:
                keys["effort"] = f"{needed}"
            return keys
    return {}


def _by_nearness(slot: Slot, table: Sequence[Odds]) -> Iterator[list[Odds]]:
    kind = _kind(slot)
    rows = [odds for odds in table if odds.tried is None and _kind(odds) == kind]
    cells = [list(cell) for _, cell in groupby(rows, key=lambda odds: _but_asked(odds.recipe))]
    yield from sorted(cells, key=lambda cell: _distance(slot.recipe, cell))


def _kind(order: Slot | Odds) -> tuple[object, ...]:
    recipe = order.recipe
    known = (recipe.pairs is None, recipe.solids is None)
    of_numbers = (recipe.number_pattern, recipe.adjacent_pairs, recipe.apart)
    return (order.method, recipe.rule, recipe.mask, *of_numbers, *known)


_but_asked = attrgetter(*(key.name for key in fields(Recipe) if key.name not in ("grades", "stars")))


def _outlook(slot: Slot, rows: Sequence[Odds]) -> Outlook:
    recipe = slot.recipe
    as_they_come = next(odds for odds in rows if not odds.recipe.asked)
    if not recipe.asked:
        return Outlook(None, as_they_come.per_s, 0.0)
    wanted = [odds for odds in rows if odds.recipe.asked and _is_within(odds.recipe, recipe)]
    share = sum(odds.share or 0.0 for odds in wanted)
    per_s = max(share * as_they_come.per_s, *(odds.per_s for odds in wanted))
    return Outlook(share, per_s, slot.effort * median(odds.usual_s for odds in wanted))


def _is_within(narrow: Recipe, wide: Recipe) -> bool:
    """Tell whether one recipe asks for nothing that another does not, both by grades or both by stars."""
    if wide.grades:
        return narrow.grades is not None and wide.grades[0] <= narrow.grades[0] <= wide.grades[1]
    return narrow.stars is not None and wide.stars is not None and narrow.stars.low in wide.stars


def _ratios(recipe: Recipe, rows: Sequence[Odds]) -> tuple[float, float, float]:
    """Return the factors, 1 or more, by which area and squares a path differ, and the share of solids."""
    measured = rows[0].recipe
    asked, paths, size = recipe.pairs or Span(1, 1), measured.pairs or Span(1, 1), recipe.rows * recipe.cols
    area = size / (measured.rows * measured.cols)
    room = area * (paths.low + paths.high) / (asked.low + asked.high) if recipe.pairs else 1.0
    solids = abs(_solid_share(recipe) - _solid_share(measured))
    return max(area, 1 / area), max(room, 1 / room), solids


def _solid_share(recipe: Recipe) -> float:
    return (
        (recipe.solids.low + recipe.solids.high) / (2 * recipe.rows * recipe.cols) if recipe.solids else 0.0
    )


def _distance(recipe: Recipe, rows: Sequence[Odds]) -> float:
    """Measure how far a recipe is from a measured one; another size is the greater change."""
    area, room, solids = _ratios(recipe, rows)
    return 3 * math.log(area) + math.log(room) + 10 * solids


def _is_like(recipe: Recipe, rows: Sequence[Odds]) -> bool:
    area, room, solids = _ratios(recipe, rows)
    shorter = abs(recipe.shortest - rows[0].recipe.shortest)
    alike = area <= _OTHER_AREA and room <= _OTHER_ROOM
    return alike and solids <= _OTHER_SOLIDS and shorter <= _OTHER_SHORTEST
