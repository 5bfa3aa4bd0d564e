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
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from statistics import median
from typing import NamedTuple

from linkpress.book.key_values import BoardSize
from linkpress.book.level import MOST_EFFORT, RecipeKeys
from linkpress.book.plan import Slot
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
# From so many squares for each path on, a path less makes boards rare at once, and these may differ less.
# 10 × 10 with 5 paths (20 squares, 1.2 times those measured) takes 16 times as long as what was measured next
# to it, 15 × 15 with 9 (25, 1.22) 5 times, 12 × 12 with 6 (24, 1.25) 32 times; 10 × 10 with 6 (16.7) twice.
_LONG_PATHS, _ROOM_OF_LONG = 18, 1.18
# Up to so many times the usual work is advised for a recipe that is near at hand.
_MODEST_EFFORT = 10
# The chance of a whole level from which it counts as one that can be made.
LIKELY = 0.95


class TargetOdds(NamedTuple):
    """These are the figures of a recipe's boards where a grade or so many stars are asked, as in ``Odds``.

    Args:
        share: of all boards of the recipe.
    """

    kind: Grade | int
    share: float
    per_s: float
    usual_s: float


class Odds(NamedTuple):
    """Odds are what was measured for a recipe, in processor time of one core.

    Args:
        recipe: of boards as they come; of a trial with the grade or the stars that were asked for.
        per_s: the puzzles that are made in a second.
        usual_s: the seconds that the usual work for one takes.
        asked: the same boards with each grade and each number of stars.
        tried: the puzzles that a trial made; None in the table.
    """

    recipe: Recipe
    method: Method
    per_s: float
    usual_s: float
    asked: Sequence[TargetOdds] = ()
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
    def failure_chance(self) -> float:
        """Return the chance that one search finds nothing."""
        return math.exp(-self.per_s * self.search_s) if self.search_s else 0.0

    def chance(self, count: int) -> float:
        """Return the chance that none of so many searches fails."""
        return (1 - self.failure_chance) ** count

    @property
    def each_s(self) -> float:
        """Return the seconds of one core that one search takes on average."""
        return (1 - self.failure_chance) / self.per_s if self.per_s else self.search_s

    def effort_for(self, count: int, effort: float) -> int | None:
        """Return the effort by which so many puzzles are likely all found; None where none is enough."""
        found = self.per_s * self.search_s / effort
        needed = math.ceil(math.log(count / (1 - LIKELY)) / found) if found else MOST_EFFORT + 1
        return needed if needed <= MOST_EFFORT else None


def load_odds() -> tuple[Odds, ...]:
    """Read all rows of the table; raise ``InstallationError`` or ``SpecError`` where it is no good."""
    path = resource("config", ODDS_FILE)
    try:
        _, *table = csv.reader(path.read_text(encoding="utf-8").splitlines())
        rows = tuple(_read_cell(cell, lines) for cell, lines in groupby(table, key=lambda row: row[:3]))
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


def _read_cell(cell: list[str], rows: Iterable[list[str]]) -> Odds:
    keys = cell_keys(*cell)
    (plain,) = keys.recipes(1)
    (*_, of_any, _, _, per_s, usual_s), *others = rows
    asked = [
        TargetOdds(int(kind) if kind.isdigit() else Grade[kind.upper()], *map(float, figures))
        for _, _, _, kind, _, *figures in others
    ]
    if of_any != ANY:
        raise ValueError
    return Odds(plain, keys.method, float(per_s), float(usual_s), asked)


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
    return _outlook(slot, nearest) if nearest and _is_like(slot.recipe, nearest.recipe) else None


def shares(slot: Slot, table: Sequence[Odds]) -> tuple[dict[Grade, float], dict[int, float]]:
    """Return the share of each grade and of each number of stars among boards like a slot's.

    Both are empty where nothing like the recipe was measured.
    """
    odds = next(_by_nearness(slot, table), None) if slot.given is None else None
    if odds is None or not _is_like(slot.recipe, odds.recipe):
        return {}, {}
    grades = {asked.kind: asked.share for asked in odds.asked if isinstance(asked.kind, Grade)}
    return grades, {asked.kind: asked.share for asked in odds.asked if not isinstance(asked.kind, Grade)}


def nearest_likely_keys(slot: Slot, count: int, table: Sequence[Odds]) -> dict[str, str]:
    """Find the nearest measured recipe by which so many puzzles as asked are likely to be all found.

    Returns:
        The keys of a level that change, with the effort if it takes more: ``paths: 8-10``; none where there
        is no such recipe.
    """
    recipe = slot.recipe
    for odds in [] if recipe.grades and recipe.stars else _by_nearness(slot, table):
        needed, measured = _outlook(slot, odds).effort_for(count, slot.effort), odds.recipe
        if needed is None or needed > max(slot.effort, _MODEST_EFFORT):
            continue
        if not _is_like(recipe, measured):
            size, keys = BoardSize(measured.rows, measured.cols), {}
            if size != BoardSize(recipe.rows, recipe.cols):
                keys["size"] = str(size)
            if measured.pairs is not None:
                keys["paths"] = str(measured.pairs)
            if needed > slot.effort:
                keys["effort"] = f"{needed}"
            return keys
    return {}


def _by_nearness(slot: Slot, table: Sequence[Odds]) -> Iterator[Odds]:
    kind = _kind(slot)
    rows = [odds for odds in table if odds.tried is None and _kind(odds) == kind]
    yield from sorted(rows, key=lambda odds: _distance(slot.recipe, odds.recipe))


def _kind(order: Slot | Odds) -> tuple[object, ...]:
    recipe = order.recipe
    known = (recipe.pairs is None, recipe.solids is None)
    of_numbers = (recipe.number_pattern, recipe.adjacent_pairs, recipe.apart)
    return (order.method, recipe.rule, recipe.mask, *of_numbers, *known)


def _outlook(slot: Slot, odds: Odds) -> Outlook:
    recipe = slot.recipe
    if not recipe.difficulty:
        return Outlook(None, odds.per_s, 0.0)
    wanted = [asked for asked in odds.asked if _is_within(asked.kind, recipe)]
    share = sum(asked.share for asked in wanted)
    per_s = max(share * odds.per_s, *(asked.per_s for asked in wanted))
    return Outlook(share, per_s, slot.effort * median(asked.usual_s for asked in wanted))


def _is_within(kind: Grade | int, recipe: Recipe) -> bool:
    """Tell whether a recipe that asks for grades or stars takes boards of this grade, or of so many stars."""
    if recipe.grades:
        return isinstance(kind, Grade) and recipe.grades[0] <= kind <= recipe.grades[1]
    return not isinstance(kind, Grade) and recipe.stars is not None and kind in recipe.stars


def _ratios(recipe: Recipe, measured: Recipe) -> tuple[float, float, float]:
    """Return the factors, 1 or more, by which area and squares a path differ, and the share of solids."""
    asked, paths, size = recipe.pairs or Span(1, 1), measured.pairs or Span(1, 1), recipe.rows * recipe.cols
    area = size / (measured.rows * measured.cols)
    room = area * (paths.low + paths.high) / (asked.low + asked.high) if recipe.pairs else 1.0
    solids = abs(_solid_share(recipe) - _solid_share(measured))
    return max(area, 1 / area), max(room, 1 / room), solids


def _solid_share(recipe: Recipe) -> float:
    return (
        (recipe.solids.low + recipe.solids.high) / (2 * recipe.rows * recipe.cols) if recipe.solids else 0.0
    )


def _distance(recipe: Recipe, measured: Recipe) -> float:
    """Measure how far a recipe is from a measured one; another size is the greater change."""
    area, room, solids = _ratios(recipe, measured)
    return 3 * math.log(area) + math.log(room) + 10 * solids


def _is_like(recipe: Recipe, measured: Recipe) -> bool:
    area, room, solids = _ratios(recipe, measured)
    shorter = abs(recipe.shortest - measured.shortest)
    pairs, squares = recipe.pairs, recipe.rows * recipe.cols
    is_long = pairs is not None and 2 * squares > _LONG_PATHS * (pairs.low + pairs.high)
    alike = area <= _OTHER_AREA and room <= (_ROOM_OF_LONG if is_long else _OTHER_ROOM)
    return alike and solids <= _OTHER_SOLIDS and shorter <= _OTHER_SHORTEST
