"""Estimate how long it takes to make the puzzles of a recipe.

``difficulty_forecast`` foretells how rare a difficulty is. ``config/grade-odds.csv`` lists how rare each
grade of techniques is among the boards of some recipes, and how fast such boards are made. Its figures were
measured by ``tests/benchmarks/odds.py``. Any other recipe gets the figures of the most similar measured
recipe. If none is similar, a short trial measures the recipe itself.

A search for a puzzle makes one board after another until one fits or the search gives up. So the chance that
it finds nothing falls exponentially with time: exp(-puzzles per second × seconds).
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

from linkpress.book.difficulty_forecast import board_s, forecast_of_any, likely_keys
from linkpress.book.key_values import BoardSize
from linkpress.book.level import MOST_EFFORT, RecipeKeys
from linkpress.book.plan import Slot
from linkpress.documents.models import read_values
from linkpress.engine.recipe import Grade, Method, Recipe, Span
from linkpress.errors import SpecError
from linkpress.resources import resource

ODDS_FILE = "grade-odds.csv"
ANY = "any"
"""The table's word for boards of any grade."""

# Limits within which two recipes count as similar: the ratio of their areas, the ratio of their squares per
# path, the difference of their shares of solid squares, and the difference of their shortest paths. Twelve
# recipes at the first two limits made 0.4 to 2.6 times as many puzzles a second as the measured recipe.
_MOST_AREA, _MOST_ROOM, _MOST_SOLIDS, _MOST_SHORTEST = 1.22, 1.25, 0.07, 1
# A recipe with more than 18 squares per path has a tighter limit for the ratio of squares per path, because
# one path fewer makes its boards much rarer. A board of 10 × 10 with 5 paths (a ratio of 1.2) takes 16 times
# as long as the measured recipe, and 12 × 12 with 6 paths (1.25) takes 32 times as long.
_LONG_PATHS, _MOST_ROOM_OF_LONG = 18, 1.18
# When advice names another recipe, it raises the key `effort` to no more than this.
_MODEST_EFFORT = 10
_WORK_PER_S = 1_000_000  # units of work that one core does in a second
LIKELY = 0.95
"""Chance of finding all puzzles of a level from which the level counts as likely to succeed."""


class TargetOdds(NamedTuple):
    """Figures of a recipe's boards that need a technique of one grade, and none of a higher one.

    Args:
        grade: the grade.
        share: the share of the recipe's boards that have this grade.
        per_s: the number of such puzzles that one core makes in a second.
        usual_s: the seconds after which a search with ``effort: 1`` gives up.
    """

    grade: Grade
    share: float
    per_s: float
    usual_s: float


class Odds(NamedTuple):
    """How fast the puzzles of one recipe are made, in processor time of one core.

    The speed comes from the shipped table of measurements, or from a trial for the user's book.

    Args:
        recipe: the recipe. It asks for a difficulty or a technique only if the speed comes from a trial.
        method: how its boards were made.
        per_s: the number of puzzles made in a second.
        usual_s: the seconds after which a search with ``effort: 1`` gives up.
        targets: the figures for each grade of techniques; empty in a trial.
        tried: the number of puzzles that a trial made; None for a measurement of the table.
        tried_s: the seconds that the trial took.
    """

    recipe: Recipe
    method: Method
    per_s: float
    usual_s: float
    targets: Sequence[TargetOdds] = ()
    tried: int | None = None
    tried_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Outlook:
    """Forecast for the search for puzzles of a recipe.

    Args:
        share: the share of boards that have the recipe's difficulty or technique; None if the recipe asks for
            neither, or if the share is unknown.
        per_s: the number of puzzles that one core makes in a second.
        search_s: the seconds after which a search gives up; 0 if it always succeeds.
        trial: the trial on which the forecast is based; None if it is based on the table.
    """

    share: float | None
    per_s: float
    search_s: float
    trial: Odds | None = None

    @property
    def is_known(self) -> bool:
        return self.trial is None or bool(self.trial.tried)

    @property
    def failure_chance(self) -> float:
        return math.exp(-self.per_s * self.search_s) if self.search_s else 0.0

    def chance(self, count: int) -> float:
        return (1 - self.failure_chance) ** count

    @property
    def each_s(self) -> float:
        """The average time of one search, in seconds of one core."""
        return (1 - self.failure_chance) / self.per_s if self.per_s else self.search_s

    def effort_for(self, count: int, effort: float) -> int | None:
        """Return the value of ``effort`` with which all of ``count`` searches probably succeed.

        Args:
            count: the number of searches.
            effort: the value of ``effort`` for which this forecast was made.
        Returns:
            The effort; None if even the largest allowed one is not enough.
        """
        expected = self.per_s * self.search_s / effort
        needed = math.ceil(math.log(count / (1 - LIKELY)) / expected) if expected else MOST_EFFORT + 1
        return needed if needed <= MOST_EFFORT else None


def load_odds() -> tuple[Odds, ...]:
    """Read ``config/grade-odds.csv``.

    Raises:
        InstallationError: the file is missing.
        SpecError: the file is damaged.
    """
    path = resource("config", ODDS_FILE)
    try:
        _, *table = csv.reader(path.read_text(encoding="utf-8").splitlines())
        rows = tuple(_read_cell(cell, lines) for cell, lines in groupby(table, key=lambda row: row[:3]))
    except (KeyError, TypeError, ValueError, AttributeError):
        rows = ()
    if not rows:
        raise SpecError(f"{path}: not a table of odds")
    return rows


odds_table = cache(load_odds)


def cell_keys(size: str, paths: str, other: str) -> RecipeKeys:
    """Return the keys of a measured recipe, given the first three columns of a row of the table.

    Args:
        size: the size of the boards, such as ``10``.
        paths: the numbers of paths, such as ``8-10``; may be empty.
        other: further keys, such as ``unique=filled solids=15%``.
    """
    other_keys = dict(key.split("=") for key in other.split())
    return read_values({"size": size, "paths": paths or None, **other_keys}, RecipeKeys)


def _read_cell(cell: list[str], rows: Iterable[list[str]]) -> Odds:
    keys = cell_keys(*cell)
    (plain,) = keys.recipes(1)
    (*_, of_any, _, _, per_s, usual_s), *others = rows
    targets = [
        TargetOdds(Grade[grade.upper()], *map(float, figures)) for _, _, _, grade, _, *figures in others
    ]
    if of_any != ANY:
        raise ValueError
    return Odds(plain, keys.method, float(per_s), float(usual_s), targets)


def outlook(slot: Slot, table: Sequence[Odds]) -> Outlook | None:
    """Forecast how long the search for the puzzle of a slot takes, and whether it succeeds.

    Args:
        slot: the slot, which is a place for one puzzle in the plan of a book.
        table: the measurements of ``load_odds``, and of trials.
    Returns:
        The forecast; None if no similar recipe was measured, or if the recipe asks for both difficulty and
        technique, which were never measured together.
    """
    for odds in table:
        if odds.tried is not None and (odds.recipe, odds.method) == (slot.recipe, slot.method):
            return Outlook(None, odds.per_s, slot.effort * odds.usual_s, odds)
    recipe = slot.recipe
    if slot.given is not None or (recipe.techniques and recipe.difficulty):
        return None
    if recipe.difficulty is None:
        nearest = next(_by_nearness(slot, table), None)
        if nearest is not None and _is_like(recipe, nearest.recipe):
            return _outlook(slot, nearest)
    time_s, feel = board_s(recipe), forecast_of_any(recipe)
    if recipe.techniques or slot.method is not Method.WALK or time_s is None or feel is None:
        return None
    if recipe.difficulty is None:
        return Outlook(None, 1 / time_s, 0.0)
    share = feel.share(recipe.difficulty)
    return Outlook(share, share / time_s, slot.effort * recipe.usual_work / _WORK_PER_S)


def nearest_likely_keys(slot: Slot, count: int, table: Sequence[Odds]) -> dict[str, str]:
    """Find the most similar measured recipe with which all puzzles of a level can probably be made.

    Args:
        slot: a slot of the level.
        count: the number of puzzles in the level.
        table: the measurements of ``load_odds``.
    Returns:
        The keys of the level to change, such as ``{"paths": "8-10"}``, including ``effort`` if it must be
        raised; empty if there is no such recipe.
    """
    recipe = slot.recipe
    if recipe.difficulty:
        return {} if recipe.techniques else likely_keys(recipe)
    for odds in _by_nearness(slot, table):
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
    if recipe.techniques is None:
        return Outlook(None, odds.per_s, 0.0)
    low, high = recipe.techniques
    targets = [target for target in odds.targets if low <= target.grade <= high]
    share = sum(target.share for target in targets)
    per_s = max(share * odds.per_s, *(target.per_s for target in targets))
    return Outlook(share, per_s, slot.effort * median(target.usual_s for target in targets))


def _ratios(recipe: Recipe, measured: Recipe) -> tuple[float, float, float]:
    """Return how much two recipes differ.

    Returns:
        The ratio of their areas and the ratio of their squares per path, both 1 or more, and the difference
        of their shares of solid squares.
    """
    pairs, other = recipe.pairs or Span(1, 1), measured.pairs or Span(1, 1)
    area = recipe.rows * recipe.cols / (measured.rows * measured.cols)
    room = area * (other.low + other.high) / (pairs.low + pairs.high) if recipe.pairs else 1.0
    solids = abs(_solid_share(recipe) - _solid_share(measured))
    return max(area, 1 / area), max(room, 1 / room), solids


def _solid_share(recipe: Recipe) -> float:
    return (
        (recipe.solids.low + recipe.solids.high) / (2 * recipe.rows * recipe.cols) if recipe.solids else 0.0
    )


def _distance(recipe: Recipe, measured: Recipe) -> float:
    """Return how much two recipes differ. A different size weighs more than a different number of paths."""
    area, room, solids = _ratios(recipe, measured)
    return 3 * math.log(area) + math.log(room) + 10 * solids


def _is_like(recipe: Recipe, measured: Recipe) -> bool:
    area, room, solids = _ratios(recipe, measured)
    shorter = abs(recipe.shortest - measured.shortest)
    pairs, squares = recipe.pairs, recipe.rows * recipe.cols
    is_long = pairs is not None and 2 * squares > _LONG_PATHS * (pairs.low + pairs.high)
    alike = area <= _MOST_AREA and room <= (_MOST_ROOM_OF_LONG if is_long else _MOST_ROOM)
    return alike and solids <= _MOST_SOLIDS and shorter <= _MOST_SHORTEST
