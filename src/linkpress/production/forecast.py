"""Forecast how long a run takes and how likely its recipes are to succeed, and advise on changing recipes.

A *recipe* says which kind of puzzle to make, such as its size and number of paths. A *slot* is the plan for
one puzzle of a book or feed. The search for the puzzle of a slot makes one board after another until a board
fits the recipe or the search gives up. So the chance that the search finds nothing falls exponentially with
time: exp(-puzzles per second × seconds).

``book.difficulty_forecast`` forecasts how rare a difficulty is. The *grade* of a board is the grade of the
hardest technique that a person needs to solve it. ``config/grade-odds.csv`` lists how rare each grade is
among the boards of some recipes, and how fast such boards are made. Its figures were measured by
``tests/benchmarks/odds.py``. Any other recipe gets the figures of the most similar measured recipe. If no
measured recipe is similar, a short trial measures the recipe itself. During a run, the forecast also uses the
times of finished slots.
"""

from __future__ import annotations

import csv
import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby
from statistics import median
from typing import Any, NamedTuple, NoReturn

from linkpress.book.difficulty_forecast import (
    EASIEST,
    PLENTY,
    Section,
    board_s,
    feel_of,
    feel_words,
    forecast_of_any,
    likely_keys,
    section_warnings,
    solid_share,
    written_keys,
)
from linkpress.book.key_values import BoardSize
from linkpress.book.level import MOST_EFFORT, IfMissing, RecipeKeys
from linkpress.book.plan import Slot
from linkpress.documents.models import read_values
from linkpress.documents.problem import MAX_SHOWN
from linkpress.engine.recipe import Grade, Method, Recipe, Rule, Span, counted
from linkpress.errors import CheckFailedError, GaveUpError, GradeError, LinkpressError, Notify, RecipeError
from linkpress.files import kept_result
from linkpress.production.slot_search import FinishedSlot
from linkpress.puzzle.puzzle import Puzzle
from linkpress.puzzle.symmetry import fingerprint
from linkpress.resources import resource

ODDS_FILE = "grade-odds.csv"

# A recipe says which kind of puzzle to make. Two recipes count as similar if none of these
# limits is exceeded:
# - _MOST_AREA: the ratio of their board areas.
# - _MOST_ROOM: the ratio of their average numbers of squares per path.
# - _MOST_SOLIDS: the difference of their shares of solid squares.
# - _MOST_SHORTEST: the difference of their minimum path lengths, in squares.
# The speed of making puzzles by a recipe is forecast from a similar recipe that was measured. The forecast
# was checked for twelve recipes that differ from a measured one as much as the first two limits allow. Their
# speeds were 0.4 to 2.6 times the forecast.
_MOST_AREA, _MOST_ROOM, _MOST_SOLIDS, _MOST_SHORTEST = 1.22, 1.25, 0.07, 1
# Two puzzle recipes count as similar only if their numbers of squares per path are similar. For recipes with
# more than 18 squares per path, these numbers may differ by a factor of at most 1.18. A higher factor is not
# allowed: suitable boards with such long paths are rare, and removing one more path makes them much rarer.
# Boards of two recipes were compared with boards of the most similar measured recipe:
# - 10 × 10 with 5 paths: 1.2 times as many squares per path, and a board took 16 times as long.
# - 12 × 12 with 6 paths: 1.25 times as many squares per path, and a board took 32 times as long.
_LONG_PATHS, _MOST_ROOM_OF_LONG = 18, 1.18
# Boards with very few paths hardly ever have exactly one solution under the strict rule. So the speed of
# making them can't be predicted from measurements of other recipes, and a trial measures it. The limit is
# this figure times the square root of the board's area. For example, a board of 10 × 10 has very few paths
# if it has fewer than 5.5.
_FEWEST_PATHS = 0.55
# Advice to a user may suggest other settings for the puzzles together with a higher value of the key
# `effort`, which lets a search run longer. It never suggests a value above this one.
_MODEST_EFFORT = 10
# The effort of a search is counted in units of work, so that the limit of a search is the same on every
# machine. A unit takes about a microsecond. So this is the number of units that a processor core does
# in a second.
_WORK_PER_S = 1_000_000
# After a search has found a hard board, the board is changed until its solution needs a technique that looks
# at the whole board. This is how many seconds these changes take for a board of 10 × 10. For other boards,
# the time is proportional to the area. The value was tested by making books. In the following list, the first
# number of each pair is the forecast for one puzzle in seconds, and the second number is the measured time:
# - hard: 0.042 and 0.041 for 10 × 10, 0.056 and 0.054 for 12 × 12, 0.088 and 0.086 for 15 × 15
# - expert: 0.087 and 0.074 for 10 × 10, 0.084 and 0.114 for 12 × 12
_INSIGHT_S = 0.025
LIKELY = 0.95
"""Chance of finding all puzzles of a level from which the level counts as likely to succeed."""


class TargetOdds(NamedTuple):
    """Measured share of a recipe's boards that have a certain grade, and the speed of making these boards.

    A board has a grade if it needs a technique of this grade, and no technique of a higher grade.

    Args:
        grade: the grade.
        share: the share of the recipe's boards that have this grade.
        per_s: the number of puzzles of this grade that one core makes in a second.
        usual_s: the seconds after which a search with ``effort: 1`` gives up.
    """

    grade: Grade
    share: float
    per_s: float
    usual_s: float


class Odds(NamedTuple):
    """Measurements for one recipe: how fast its puzzles are made, and how likely each grade is.

    A recipe says which kind of puzzle to make, such as its board size and number of paths. The measurements
    are either from the table that is part of linkpress, or from a trial for the user's book. All times are
    processor time of one core.

    Args:
        recipe: the recipe. A recipe may require a difficulty or a solving technique, but the recipes in the
            table require neither.
        method: the method by which the boards were made.
        per_s: the number of puzzles made in a second.
        usual_s: the seconds after which a search with ``effort: 1`` gives up.
        targets: for each grade, how many of the recipe's boards have this grade, and how fast such boards are
            made. The grade of a board is the grade of the hardest technique that is needed to solve it. Empty
            for a trial.
        tried: the number of puzzles that a trial made; None for measurements from the table.
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
    """Forecast of how fast puzzles are found for one recipe, and of how likely a search is to succeed.

    A recipe says which kind of puzzle to make, such as its board size and number of paths.

    Args:
        share: the share of boards that have the difficulty or technique that the recipe asks for. None if the
            recipe asks for neither, or if the share is unknown.
        per_s: the number of puzzles that one core makes in a second.
        search_s: the seconds after which a search gives up; 0 if the search always succeeds.
        trial: the trial on which the forecast is based. None if the forecast is based on measurements that
            are part of linkpress.
        insight_s: the seconds that it takes to change a found puzzle so that solving it becomes more
            interesting; 0 if the recipe doesn't ask for this.
    """

    share: float | None
    per_s: float
    search_s: float
    trial: Odds | None = None
    insight_s: float = 0.0

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
        """The average time of one search, in seconds of one processor core."""
        if not self.per_s:
            return self.search_s
        return (1 - self.failure_chance) * (1 / self.per_s + self.insight_s)

    def effort_for(self, count: int, effort: float) -> int | None:
        """Return how high the key ``effort`` must be so that all of ``count`` searches probably succeed.

        Args:
            count: the number of searches.
            effort: the value of ``effort`` for which this forecast was made.
        Returns:
            The needed value of ``effort``; None if even the largest allowed value is not enough.
        """
        expected = self.per_s * self.search_s / effort
        needed = math.ceil(math.log(count / (1 - LIKELY)) / expected) if expected else MOST_EFFORT + 1
        return needed if needed <= MOST_EFFORT else None


@cache
def odds_table() -> tuple[Odds, ...]:
    """Read the table of measured puzzle recipes, which says how fast the puzzles of each recipe are made.

    The table is the file ``config/grade-odds.csv``.

    Raises:
        InstallationError: the file is missing.
    """
    _, *table = csv.reader(resource("config", ODDS_FILE).read_text(encoding="utf-8").splitlines())
    return tuple(_read_cell(cell, lines) for cell, lines in groupby(table, key=lambda row: row[:3]))


def cell_keys(size: str, paths: str, other: str) -> RecipeKeys:
    """Return the recipe that was measured for a row of ``grade-odds.csv``, as keys of a spec.

    A recipe says which kind of puzzle to make. The arguments are the first three columns of the row.

    Args:
        size: the size of the boards, such as ``10``.
        paths: the range of the number of paths, such as ``8-10``; may be empty.
        other: further keys of a spec, such as ``unique=filled solids=15%``.
    """
    other_keys = dict(key.split("=") for key in other.split())
    return read_values({"size": size, "paths": paths or None, **other_keys}, RecipeKeys)


def _read_cell(cell: list[str], rows: Iterable[list[str]]) -> Odds:
    keys = cell_keys(*cell)
    (plain,) = keys.recipes(1)
    # In the table of measurements, the first row of a recipe says how fast boards of any grade are made.
    # The grade of a board is the grade of the hardest technique that it needs. Each further row of the recipe
    # is about the boards of one grade.
    (*_, per_s, usual_s), *others = rows
    targets = [
        TargetOdds(Grade[grade.upper()], *map(float, figures)) for _, _, _, grade, _, *figures in others
    ]
    return Odds(plain, keys.method, float(per_s), float(usual_s), targets)


def outlook(slot: Slot, table: Sequence[Odds]) -> Outlook | None:
    """Forecast how long the search for the puzzle of a slot takes, and whether it succeeds.

    Args:
        slot: the slot, which is a place for one puzzle in the plan of a book.
        table: the measurements of ``odds_table`` and of trials.
    Returns:
        The forecast, or None if there is none. There is none for a board from a file, or for a recipe that
        is too different from all measured recipes. There is also none for a recipe that asks for both
        difficulty and technique, because such recipes were never measured.
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
    if (
        recipe.rule is Rule.STRICT
        and recipe.pairs
        and recipe.pairs.high < _FEWEST_PATHS * math.sqrt(recipe.rows * recipe.cols)
    ):
        return None
    if recipe.difficulty is None:
        return Outlook(None, 1 / time_s, 0.0)
    share = feel.share(recipe.difficulty)
    insight_s = _INSIGHT_S * recipe.rows * recipe.cols / 100 if recipe.seeks_insight else 0.0
    search_s = slot.effort * recipe.usual_work / _WORK_PER_S
    return Outlook(share, share / time_s, search_s, insight_s=insight_s)


def nearest_likely_keys(slot: Slot, count: int, table: Sequence[Odds]) -> dict[str, str]:
    """Find a recipe that is similar to a level's recipe, and with which the level can probably be made.

    A recipe says which kind of puzzle to make, such as its board size. How the recipe is found depends on
    the recipe that the level has:

    - If the level's recipe requires no difficulty, the most similar suitable recipe in ``table`` is chosen.
    - If it requires a difficulty but no technique, ``likely_keys`` chooses one by a forecast of scores.
    - If it requires both, no recipe is found.

    Args:
        slot: any slot of the level. A slot is the plan for one puzzle.
        count: the number of puzzles in the level.
        table: the measurements of ``odds_table``.
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
    """Return how much two puzzle recipes differ.

    Returns:
        The ratio of their areas and the ratio of their numbers of squares per path, both 1 or more, and the
        difference of their shares of solid squares.
    """
    pairs, other = recipe.pairs or Span(1, 1), measured.pairs or Span(1, 1)
    area = recipe.rows * recipe.cols / (measured.rows * measured.cols)
    room = area * (other.low + other.high) / (pairs.low + pairs.high) if recipe.pairs else 1.0
    solids = abs(solid_share(recipe) - solid_share(measured))
    return max(area, 1 / area), max(room, 1 / room), solids


def _distance(recipe: Recipe, measured: Recipe) -> float:
    """Return how much two puzzle recipes differ, as a number that is 0 or more.

    It is 0 if they have the same area, number of paths and share of solid squares. A difference of the area
    counts more than a difference of the number of paths.
    """
    area, room, solids = _ratios(recipe, measured)
    return 3 * math.log(area) + math.log(room) + 10 * solids


def _is_like(recipe: Recipe, measured: Recipe) -> bool:
    area, room, solids = _ratios(recipe, measured)
    shorter = abs(recipe.shortest - measured.shortest)
    pairs, squares = recipe.pairs, recipe.rows * recipe.cols
    is_long = pairs is not None and 2 * squares > _LONG_PATHS * (pairs.low + pairs.high)
    alike = area <= _MOST_AREA and room <= (_MOST_ROOM_OF_LONG if is_long else _MOST_ROOM)
    return alike and solids <= _MOST_SOLIDS and shorter <= _MOST_SHORTEST


# The remaining time is estimated as a weighted mean. The time that the table of measurements gives for a
# puzzle recipe has as much weight as the measured times of this number of finished puzzles.
_TABLE_WEIGHT = 3
_CERTAIN = 0.995
# The method ``classic`` makes only easy boards if a board has at most this number of squares. This was
# measured with 1,000 boards of each of the sizes 3 × 3, 4 × 4, 3 × 8 and 5 × 5: 98 % had the lowest
# difficulty, and the hardest board had a difficulty of 18.
_SMALL_CLASSIC = 25
_NO_FEEL = "the difficulty of boards with a mask or a picture is only known after the build"

Group = tuple[str, Recipe]


def group_of(slot: Slot) -> Group:
    return slot.level, slot.recipe


@dataclass
class _Pace:
    """How fast puzzles are made for those slots of a level that have the same recipe.

    A slot is the plan for one puzzle.

    Args:
        expected_s: the seconds for one slot according to the table of measurements; None if unknown.
        left: the number of slots that have no puzzle yet.
        done: the number of finished slots.
        spent_s: the total seconds that were spent on the finished slots.
    """

    expected_s: float | None
    left: int = 0
    done: int = 0
    spent_s: float = 0.0


@dataclass
class Forecast:
    """Forecast of the time that a run still takes. It is updated during the run.

    Args:
        total: the number of slots of the run. A slot is the plan for one puzzle.
        jobs: the number of puzzles made at the same time.
        table: measurements of puzzle recipes, from ``odds_table``.
        jobs_now: function that returns the current number of jobs; None if ``jobs`` never changes.
    """

    total: int
    jobs: int = 1
    table: Sequence[Odds] = ()
    jobs_now: Callable[[], int] | None = None
    _paces: dict[Group, _Pace] = field(default_factory=dict)
    # For each slot (the plan for one puzzle), by its number: how fast the puzzles of the same level and
    # recipe have been made so far.
    _pace_of: dict[int, _Pace] = field(default_factory=dict)
    _open: dict[int, Slot] = field(default_factory=dict)
    _done: set[int] = field(default_factory=set)

    @property
    def done(self) -> int:
        return len(self._done)

    @property
    def at_a_time(self) -> int:
        return self.jobs if self.jobs_now is None else max(1, self.jobs_now())

    def expect(self, slots: Iterable[Slot]) -> None:
        """Add some slots to the forecast, with the time that making their puzzles will probably take.

        A slot is the plan for one puzzle.
        """
        for slot in slots:
            group = group_of(slot)
            if group not in self._paces:
                known = outlook(slot, self.table)
                self._paces[group] = _Pace(known.each_s if known else None)
            self._pace_of[slot.number] = self._paces[group]
            self._reopen(slot)

    def made(self, finished: FinishedSlot) -> None:
        """Record that the puzzle of a slot (the plan for a puzzle) was made, and how long the search took."""
        pace = self._pace_of[finished.slot.number]
        pace.done += 1
        pace.spent_s += finished.seconds_s
        self._done.add(finished.slot.number)
        self.remove(finished.slot)

    def add_again(self, slot: Slot) -> None:
        """Add a slot to the forecast again, because the puzzle that was made for it can't be used.

        A slot is the plan for one puzzle. For example, another book may already have the puzzle that was made
        for the slot. So the time for making another puzzle is added.
        """
        self._done.discard(slot.number)
        self._reopen(slot)

    def remove(self, slot: Slot) -> None:
        """Remove a slot from the forecast, because its puzzle is finished or will never be made.

        A slot is the plan for one puzzle.
        """
        if self._open.pop(slot.number, None) is not None:
            self._pace_of[slot.number].left -= 1

    def _reopen(self, slot: Slot) -> None:
        self._pace_of[slot.number].left += 1
        self._open[slot.number] = slot

    @property
    def left_s(self) -> float | None:
        """Estimated seconds until all puzzles are made; None if unknown."""
        waiting = [pace for pace in self._paces.values() if pace.left]
        known = [(pace.expected_s, pace) for pace in self._paces.values() if pace.expected_s and pace.done]
        table_s = sum(expected_s * pace.done for expected_s, pace in known)
        speed = sum(pace.spent_s for _, pace in known) / table_s if table_s else 1.0
        total_s = 0.0
        for pace in waiting:
            weight = _TABLE_WEIGHT if pace.expected_s is not None else 0
            if not weight + pace.done:
                return None
            total_s += (
                pace.left * (weight * speed * (pace.expected_s or 0) + pace.spent_s) / (weight + pace.done)
            )
        return total_s / max(1, min(self.at_a_time, sum(pace.left for pace in waiting)))

    def __str__(self) -> str:
        """Return the current puzzle and the time left, such as ``puzzle 3 of level A; about 2 min left``."""
        if not self._open:
            return ""
        slot, left_s = self._open[min(self._open)], self.left_s
        return str(slot) if left_s is None else f"{slot}; {duration(left_s)} left"


@dataclass(frozen=True, slots=True)
class LevelOutlook:
    """Forecast for one level of a book.

    Args:
        level: the name of the level.
        words: text that says how hard the level feels and how long it takes. If the level has one puzzle
            recipe, the text also says how likely the recipe is to succeed.
        recipes: a text for each recipe, with its number of puzzles; empty if the level has one recipe.
        each: the slots of the level, grouped by recipe. A slot is the plan for one puzzle.
        time_s: the seconds that one processor core needs for all slots; None if unknown.
        poor: recipes that will probably fail to make all their puzzles. Each item has the first slot of a
            recipe, and the number of slots with this recipe.
    """

    level: str
    words: str
    recipes: tuple[str, ...]
    each: tuple[tuple[Slot, ...], ...]
    time_s: float | None
    poor: tuple[tuple[Slot, int], ...]


def level_outlooks(slots: Iterable[Slot], table: Sequence[Odds], jobs: int = 1) -> Iterator[LevelOutlook]:
    """Yield a forecast for each level of a book.

    Args:
        slots: the plans for the puzzles of the book, ordered by level.
        table: measurements of puzzle recipes, from ``odds_table``.
        jobs: the number of puzzles made at the same time.
    """
    for level, group in groupby(slots, key=lambda slot: slot.level):
        of_level = list(group)
        by_recipe: dict[Recipe, list[Slot]] = {}
        for slot in of_level:
            by_recipe.setdefault(slot.recipe, []).append(slot)
        each = tuple(tuple(alike) for alike in by_recipe.values())
        asked = [_recipe_words(alike, table) for alike in each]
        if len(each) > 1:
            asked = [f"{len(alike)} of {words}" for alike, words in zip(each, asked, strict=True)]
        if of_level[0].given:
            asked = [f"from {of_level[0].seed.rpartition('/')[0]}{_rule_words(of_level[0].recipe)}"]
        known = [(outlook(alike[0], table), len(alike)) for alike in each]
        times_s = [count * own.each_s for own, count in known if own is not None and own.is_known]
        time_s = sum(times_s) if len(times_s) == len(each) else None
        poor = tuple((alike[0], len(alike)) for alike in each if _is_poor(alike, table))
        feel = section_of(of_level).feel
        felt = [feel_words(feel)] if feel else [_NO_FEEL] * any(slot.recipe.mask for slot in of_level)
        cores = min(jobs, len(of_level))
        taken = [] if time_s is None else [f"{duration(time_s / cores)} on {counted(cores, 'core')}"]
        alone, several = (asked, ()) if len(asked) == 1 else ((), tuple(asked))
        words = "; ".join([counted(len(of_level), "puzzle"), *alone, *felt, *taken])
        yield LevelOutlook(level, words, several, each, time_s, poor)


def section_of(slots: Sequence[Slot], label: str = "", name: str = "") -> Section:
    """Return a level as a section of the book, with a forecast of how hard its puzzles feel.

    The forecasts of successive sections are compared, to warn if a later section feels easier.

    Args:
        slots: the slots of the level, which are the plans for its puzzles.
        label: the number and name of the section in messages.
        name: the name of the section; empty for the name of the level.
    """
    recipes = tuple(slot.recipe for slot in slots)
    if slots[0].method is Method.CLASSIC:
        is_small = all(recipe.rows * recipe.cols <= _SMALL_CLASSIC for recipe in recipes)
        feel = EASIEST if is_small else None
    else:
        feel = None if slots[0].given else feel_of(recipes)
    return Section(label, name or slots[0].level, recipes, feel)


def rising_warnings(
    slots: Iterable[Slot], titles: Mapping[str, str] | None = None, *, has_keys: bool = True, first: int = 1
) -> Iterator[tuple[str, str]]:
    """Warn of each level that doesn't feel harder than the level before it.

    Args:
        slots: the plans for the puzzles of consecutive levels.
        titles: maps the names of levels to the titles that warnings use. A level that is missing here is
            called by its name.
        has_keys: whether the advice in a warning names keys of the spec.
        first: the number that the first of these levels has in the book.
    Yields:
        The name of the level, and a warning.
    """
    levels = [list(group) for _, group in groupby(slots, key=lambda slot: slot.level)]
    names: dict[str, str] = {}
    sections = []
    for number, level in enumerate(levels, first):
        name = level[0].level
        title = (titles or {}).get(name, name)
        sections.append(section_of(level, f"level {number} ({title})", title))
        names[sections[-1].label] = name
    warnings = section_warnings(sections, has_keys=has_keys)
    yield from ((names[section.label], warning) for section, warning in warnings)


def outlook_lines(slots: Iterable[Slot], table: Sequence[Odds], jobs: int = 1) -> Iterator[str]:
    """Yield lines about each level and its puzzle recipes, with advice if a recipe will probably fail."""
    for level in level_outlooks(slots, table, jobs):
        yield f"{level.level}: {level.words}"
        yield from (f"  {recipe}" for recipe in level.recipes)
        yield from (f"  {_board(slot)}: {advice(slot, count, table)}" for slot, count in level.poor)


def hopeless_levels(slots: Iterable[Slot], table: Sequence[Odds]) -> Iterator[str]:
    """Yield a warning for each puzzle recipe that is almost certain to fail.

    A recipe fails if not all requested puzzles can be found.
    """
    for level in level_outlooks(slots, table):
        for slot, count in level.poor:
            known = outlook(slot, table)
            if known is not None and known.chance(count) < 1 - _CERTAIN:
                boards = f"{counted(count, 'puzzle')} of {_board(slot)}, {slot.recipe.required}"
                yield f"{level.level}: {boards}, can hardly be made. {advice(slot, count, table)}"


def ways_out(slot: Slot, count: int, table: Sequence[Odds]) -> list[dict[str, str]]:
    """Return alternative changes to the spec with which a puzzle recipe would probably succeed.

    Args:
        slot: a slot with the recipe. A slot is the plan for one puzzle.
        count: the number of slots with the recipe.
        table: measurements of recipes, from ``odds_table``.
    Returns:
        A dictionary for each alternative, with new values for keys of the spec.
    """
    known = outlook(slot, table)
    needed = known.effort_for(count, slot.effort) if known else 10 * slot.effort
    effort = needed and min(MOST_EFFORT, max(needed, 2 * slot.effort))
    changes = [nearest_likely_keys(slot, count, table)]
    if effort and effort > slot.effort:
        changes.append({"effort": f"{effort:g}"})
    if slot.otherwise is IfMissing.FAIL:
        changes.append({"otherwise": IfMissing.NEAREST.value})
    return [change for change in changes if change]


def advice(slot: Slot, count: int, table: Sequence[Odds]) -> str:
    """Return a sentence that advises one of the changes to the spec that ``ways_out`` returns."""
    changes = [
        written_keys(keys) + ", which prints the nearest" * ("otherwise" in keys)
        for keys in ways_out(slot, count, table)
    ]
    return f"To have all of them, write {', or '.join(changes)}."


def duration(seconds: float) -> str:
    """Return a time in words, such as ``about 3 min``."""
    for unit_s, most_s, unit in ((1, 90, "s"), (60, 5400, "min"), (3600, 129_600, "h")):
        if seconds < most_s:
            return f"about {seconds / unit_s:.0f} {unit}" if seconds >= 0.5 else "under 1 s"
    return f"about {seconds / 86_400:.0f} days"


def _recipe_words(alike: Sequence[Slot], table: Sequence[Odds]) -> str:
    recipe, known = alike[0].recipe, outlook(alike[0], table)
    solids = "any solids" if recipe.solids is None else counted(recipe.solids, "solid")
    asked = f"{_board(alike[0])}, {paths_words(recipe)}, {solids}{_rule_words(recipe)}"
    if recipe.required:
        asked += f", {recipe.required}"
    if known is None:
        return f"{asked} ({'how likely and ' * bool(recipe.required)}how long is not known)"
    is_rare = recipe.difficulty is not None and known.share is not None and known.share < PLENTY
    is_certain = known.chance(len(alike)) >= _CERTAIN
    facts = [_share_words(known.share)] if known.share is not None and (is_rare or not is_certain) else []
    if is_rare:
        keys = likely_keys(recipe)
        facts += [f"more would have it with {written_keys(keys)}"] if keys else []
    if known.trial is not None:
        facts.append(f"a trial made {known.trial.tried or 'none'} in {duration(known.trial.tried_s)}")
        if not known.is_known:
            return f"{asked} ({facts[0]}, so it is unknown whether they can be found)"
    if not is_certain:
        facts.append(_chance_words(known, alike))
    return f"{asked} ({', '.join(facts)})" if facts else asked


def paths_words(recipe: Recipe) -> str:
    return "any number of paths" if recipe.pairs is None else counted(recipe.pairs, "path")


def _rule_words(recipe: Recipe) -> str:
    return "" if recipe.rule is Rule.STRICT else f", unique: {recipe.rule.value}"


def _board(slot: Slot) -> str:
    return f"{slot.recipe.cols} x {slot.recipe.rows}"


def _share_words(share: float) -> str:
    if not share:
        return "hardly any of such boards"
    return f"{100 * share:{'.0f' if share >= 0.1 else '.2g'}} % of such boards"


def _chance_words(known: Outlook, alike: Sequence[Slot]) -> str:
    chance, missed = known.chance(len(alike)), round(known.failure_chance * len(alike))
    if alike[0].otherwise is IfMissing.NEAREST and missed:
        return f"about {missed} of them will be the nearest that is found"
    return (
        f"{100 * chance:.0f} % chance to find all"
        if chance >= 1 - _CERTAIN
        else "hardly a chance to find all"
    )


def _is_poor(alike: Sequence[Slot], table: Sequence[Odds]) -> bool:
    known = outlook(alike[0], table)
    failing = alike[0].otherwise is IfMissing.FAIL and alike[0].given is None
    return failing and known is not None and known.chance(len(alike)) < LIKELY


def refuse_boards(slots: Sequence[Slot], missed: Mapping[int, LinkpressError | None]) -> NoReturn:
    """Raise an error that lists the refused boards of the user's files, with the reasons.

    Args:
        slots: the plans for the puzzles whose boards come from files.
        missed: maps the index of the slot of each refused board to the error.
    Raises:
        CheckFailedError: a board does not have exactly one solution, or is in use already.
        GaveUpError: the proofs of all refused boards took too much work.
    """
    lines = [f"{slots[index]}: {missed[index]}" for index in sorted(missed)[:MAX_SHOWN]]
    if len(missed) > MAX_SHOWN:
        lines.append(f"… and {len(missed) - MAX_SHOWN} more")
    gave_up = all(isinstance(error, GaveUpError) for error in missed.values())
    kind = GaveUpError if gave_up else CheckFailedError
    listed = "\n".join(lines)
    raise kind(
        f"{len(missed)} of {len(slots)} boards from files can't be printed. Nothing was written.\n{listed}"
    )


def unmet_message(
    slots: Sequence[Slot],
    missed: Mapping[int, LinkpressError | None],
    table: Sequence[Odds],
    kept: str | None,
) -> str:
    """Return a message about puzzle recipes for which no puzzle was found.

    For each of the first ``MAX_SHOWN`` recipes, one line gives the first slot without a puzzle, the number of
    further slots without a puzzle, and advice. A run without a journal ends at the first failure, so its
    message has a line for one recipe only. How many of its slots have failed by then depends on the speed of
    the workers. So this number is left out, and the message is the same each time.

    Args:
        slots: all slots of the run. A slot is the plan for one puzzle.
        missed: maps the index of each failed slot to its error. The error is None if the slot was not tried.
        table: measurements of recipes, from ``odds_table``.
        kept: a sentence that says how many puzzles are saved in the journal; None if there is no journal.
    """
    first: dict[Group, int] = {}
    for index in sorted(missed):
        if missed[index] is not None:
            first.setdefault(group_of(slots[index]), index)
    lines = []
    for group, index in list(first.items())[: 1 if kept is None else MAX_SHOWN]:
        line, error = str(missed[index]), missed[index]
        if isinstance(error, GradeError):
            count = sum(group_of(slot) == group for slot in slots)
            line = f"{error.reason} {advice(slots[index], count, table)}"
        alike = sum(group_of(slots[other]) == group for other in missed) - 1
        if alike and kept is not None:
            line = line.replace(f"{slots[index]}:", f"{slots[index]} and {alike} more like it:", 1)
        lines.append(line)
    if kept is not None and len(first) > MAX_SHOWN:
        lines.append(f"… and {len(first) - MAX_SHOWN} more")
    if kept:
        lines.append(kept)
    return "\n".join(lines)


# Limits for the check that a recipe has enough different boards. Among 27,425 boards of 5 x 5 with 4 paths,
# only 3,028 were different. A recipe is checked if it has at most ``_SMALL`` squares and makes at least
# ``_MANY`` boards. A book may use at most the share ``_USABLE_SHARE`` of the different boards, because the
# others are found very rarely.
_SMALL, _MANY, _USABLE_SHARE = 36, 300, 0.8
# The effort of making boards is counted in units of work. A trial of a puzzle recipe may take this many
# units. Twelve trials that used all of their units were timed on a busy core: they took from 1.3 seconds
# (boards of 20 x 20) to 8.3 seconds (boards of 6 x 6), with a median of 2.5 seconds. Most trials need fewer
# units, because they end after ``_TRIAL_PUZZLES`` puzzles.
TRIAL_WORK = 5_000_000
# If a trial of a puzzle recipe made no puzzle, compute the speed as if it had made half a puzzle.
_HALF_A_PUZZLE = 0.5
_TRIAL_PUZZLES = 20  # number of puzzles after which the trial of a puzzle recipe ends
_MAX_TRIALS = 6  # maximum number of puzzle recipes of a book that are measured in trials
_TICK_S = 1 / 64  # shortest processor time that Windows can measure


def tried_odds(slots: Iterable[Slot], table: Sequence[Odds], notify: Notify) -> list[Odds]:
    """Measure how fast puzzles are made for recipes that are missing from the table of measurements.

    A recipe says which kind of puzzle to make. It is tried for a few seconds at most. The results are saved,
    so that each version of linkpress tries a recipe only once.

    Args:
        slots: the slots with the recipes. A slot is the plan for one puzzle.
        table: measurements of recipes, from ``odds_table``.
        notify: function called with a message before each trial.
    Returns:
        The measurements of the tried recipes.
    """
    unknown = [group[0] for group in _slots_by_recipe(slots) if outlook(group[0], table) is None]
    found = []
    for slot in unknown[:_MAX_TRIALS]:
        per_s, usual_s, made, took_s = _kept_trial(_try, slot, notify)
        found.append(Odds(slot.recipe, slot.method, per_s, usual_s, (), made, took_s))
    return found


def _kept_trial(trial: Callable[[Slot, Notify], Any], slot: Slot, notify: Notify) -> Any:
    key = f"{trial.__name__} {slot.recipe!r} {slot.method} {TRIAL_WORK}"
    return kept_result("trials", key, lambda: trial(slot, notify))


def _slots_by_recipe(slots: Iterable[Slot]) -> Iterable[list[Slot]]:
    """Group the slots of a book, which are the plans for its puzzles, by recipe and method.

    Slots with boards from files are left out.
    """
    groups: dict[tuple[Recipe, str], list[Slot]] = {}
    for slot in slots:
        if slot.given is None:
            groups.setdefault((slot.recipe, slot.method), []).append(slot)
    return groups.values()


def scarce_boards(slots: Iterable[Slot], notify: Notify) -> Iterator[str]:
    """Yield a warning for each puzzle recipe of small boards that has too few different boards.

    The number of different boards is estimated from the repeats among the boards of a trial.

    Args:
        slots: the slots with the recipes. A slot is the plan for one puzzle.
        notify: function called with a message before each trial.
    Source:
        Chao, Nonparametric Estimation of the Number of Classes in a Population (1984).
    """
    for group in _slots_by_recipe(slots):
        recipe = group[0].recipe
        if len(group) < _MANY or recipe.rows * recipe.cols > _SMALL:
            continue
        different = _kept_trial(_count_different, group[0], notify)
        if len(group) > _USABLE_SHARE * different:
            digits = 10 ** max(0, len(str(round(different))) - 2)
            about = f"{round(different / digits) * digits:,}"
            yield (
                f"{recipe.board}, {paths_words(recipe)}: this recipe has about {about} different boards, and "
                f"{len(group):,} are asked for. Ask for fewer puzzles, a larger board or a wider range of "
                "paths or solids."
            )


def _count_different(slot: Slot, notify: Notify) -> float:
    named = f"{slot.recipe.board}, {paths_words(slot.recipe)}"
    notify(f"trying {named}, for how many different boards there are")
    times = Counter(fingerprint(puzzle) for puzzle, _ in _tries(slot) if puzzle is not None)
    often = Counter(times.values())
    return len(times) + often[1] ** 2 / (2 * max(1, often[2]))


def _try(slot: Slot, notify: Notify) -> tuple[float, float, int, float]:
    """Make some boards by a puzzle recipe on trial, to measure the speed.

    Returns:
        The fields ``per_s``, ``usual_s``, ``tried`` and ``tried_s`` of the recipe's ``Odds``.
    """
    asked = f", {slot.recipe.required}" * bool(slot.recipe.required)
    notify(f"trying {slot.recipe.board}, {paths_words(slot.recipe)}{asked}")
    made, spent, begun = 0, 0, time.process_time()
    for puzzle, work in _tries(slot):
        made, spent = made + (puzzle is not None), work
        if made == _TRIAL_PUZZLES:
            break
    took_s, recipe = max(time.process_time() - begun, _TICK_S), slot.recipe
    per_s = (made or _HALF_A_PUZZLE) / took_s
    return per_s, took_s * recipe.usual_work / spent, made, took_s


def _tries(slot: Slot) -> Iterator[tuple[Puzzle | None, int]]:
    """Make boards on trial by a puzzle's recipe, until ``TRIAL_WORK`` units of work are used up.

    A unit of work takes 0.25 microseconds on large boards, and up to 1.7 on small ones.

    Yields:
        A board, or None if no board was found, and the units of work used so far.
    """
    from linkpress.engine.make.generate import AttemptLog, generate, watching_attempts

    spent, tries = 0, 0
    logs: list[AttemptLog] = []
    with watching_attempts(logs.append):
        while spent < TRIAL_WORK:
            tries, seed, left = tries + 1, f"{slot.seed}/trial {tries + 1}", TRIAL_WORK - spent
            try:
                puzzle = generate(slot.recipe, seed, slot.method, left, scored=False).puzzle
            except RecipeError:
                puzzle = None
            spent += max(1, logs[-1].spent if logs else TRIAL_WORK)
            logs.clear()
            yield puzzle, spent
