"""Forecast how hard the boards of a puzzle recipe feel, and advise which keys to change.

A recipe holds the settings for generating boards: their size, rule, paths, solid squares and difficulty. The
forecast is computed from these settings alone, so it is ready before any board is generated.

``section_warnings`` warns if the sections of a book don't become harder from one to the next. The difficulty
of each section is forecast from the settings of its boards. Two sections are compared by the chance that a
person finds a random board of the later one harder than a random board of the earlier one. If this chance is
low, a warning gives the likely reason and suggests a change.

Names are compared with the boards too: a section called "Hard" must not feel easy.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import accumulate, pairwise
from statistics import fmean

from linkpress.book.key_values import MIN_WALK_SIDE, BoardSize
from linkpress.documents.other_names import name_table
from linkpress.documents.problem import listed
from linkpress.engine.difficulty import (
    MOST_DIFFICULTY,
    Difficulty,
    choose_paths,
    difficulty_words,
    lowest_score,
    name_of,
    normal_share,
    sample,
    scores_of,
)
from linkpress.engine.recipe import Recipe, Rule, Span, counted
from linkpress.puzzle.puzzle import MAX_SIDE

PERSON_NOISE = 34 / 5
"""Standard deviation of one person's opinion of a puzzle's difficulty, in points from 0 to 100.

It was fitted to the stars that 31 authors gave to 106 puzzles.
"""
POSSIBLE, PLENTY = 0.02, 0.2
"""Smallest share of boards that must have the required difficulty.

``POSSIBLE`` is the limit for accepting a recipe, and ``PLENTY`` the limit for recommending one.
"""
HARDLY_EVER = 5e-4
"""Share of boards, 1 in 2,000. If a smaller share has a difficulty, it counts as if no board had it."""
HARDER_EASY = Span(12, 19)
"""Difficulties of the harder ones among the easy boards.

To prove that such a board has only one solution, the prover must try assumptions that turn out to be wrong.
Easier boards need no such assumptions.
"""

# Boards on which a proof of uniqueness needs no assumptions usually have at most this difficulty. All other
# boards have a difficulty of at least 12. So hardly any board has a difficulty between 2 and 12.
_LOWEST = 2

_USUAL_SIDES = {
    Difficulty.EASY: (6, 7),
    Difficulty.MEDIUM: (7, 8),
    Difficulty.HARD: (9, 10),
    Difficulty.EXPERT: (10, 12),
    Difficulty.EXTREME: (15,),
}
# If boards with the user's settings rarely have the wanted difficulty, other settings are tried, and the user
# is advised to take them. ``FEWER_SOLIDS`` are the upper limits that are tried for the share of solid
# squares, in percent of all squares of the board. Boards with more or fewer rows and columns are tried too.
# The number of added or removed rows and columns is less than ``_SIDE_CHANGE_LIMIT``.
FEWER_SOLIDS, _SIDE_CHANGE_LIMIT = (15, 10, 5, 0), 20


@dataclass(frozen=True, slots=True)
class DifficultyForecast:
    """Forecast of how the difficulties of boards, from 0 to 100, are distributed.

    Args:
        shares: 101 numbers that add up to one. ``shares[34]`` is the share of boards with a difficulty of 34.
    """

    shares: tuple[float, ...]

    def share(self, points: Span) -> float:
        return sum(self.shares[points.low : points.high + 1])

    def within(self, points: Span) -> DifficultyForecast:
        """Return the forecast for only the boards whose difficulty is in a range."""
        share = self.share(points) or 1.0
        return DifficultyForecast(
            tuple(one / share * (point in points) for point, one in enumerate(self.shares))
        )

    def quantile(self, share: float) -> int:
        """Return the difficulty that a given share of the boards do not exceed.

        For example, ``quantile(0.5)`` is the median difficulty.

        Args:
            share: the share, from 0 to 1.
        """
        cumulative = accumulate(self.shares)
        return next((point for point, sum_ in enumerate(cumulative) if sum_ >= share), MOST_DIFFICULTY)

    @property
    def median(self) -> int:
        return self.quantile(0.5)

    @property
    def spread(self) -> Span:
        """The range of difficulties of all boards except the easiest tenth and the hardest tenth."""
        return Span(self.quantile(0.1), self.quantile(0.9))

    @property
    def mean(self) -> float:
        return sum(point * share for point, share in enumerate(self.shares))

    @property
    def variance(self) -> float:
        mean = self.mean
        return sum((point - mean) ** 2 * share for point, share in enumerate(self.shares))


EASIEST = DifficultyForecast(tuple(float(point == _LOWEST) for point in range(MOST_DIFFICULTY + 1)))
"""Forecast for boards that all have the lowest difficulty."""


def chance_of_rise(first: DifficultyForecast, second: DifficultyForecast) -> float:
    """Return how likely a person is to find a board from the second set harder than one from the first.

    Each set of boards is described by its forecast, and one random board is drawn from each.

    Returns:
        The probability, from 0 to 1.
    """
    deviation = math.sqrt(first.variance + second.variance + 2 * PERSON_NOISE**2)
    return normal_share((second.mean - first.mean) / deviation)


@cache
def forecast(recipe: Recipe) -> DifficultyForecast | None:
    """Forecast how hard a recipe's boards will feel. A recipe has the settings for generating boards.

    If the recipe requires a difficulty, boards with another difficulty will be discarded. So they are not
    part of the forecast.

    Returns:
        The forecast. None if the recipe sets no number of paths or solid squares, if its boards are not
        rectangular, or if hardly any board has the required difficulty. In this last case, a level takes the
        boards that come nearest to the difficulty. Nobody can tell beforehand how near the search will come.
    """
    all_boards, points = forecast_of_any(recipe), recipe.difficulty
    if all_boards is None or points is None:
        return all_boards
    return all_boards.within(points) if all_boards.share(points) >= HARDLY_EVER else None


@cache
def forecast_of_any(recipe: Recipe) -> DifficultyForecast | None:
    """Forecast the difficulties of all boards that are generated with the settings of a recipe.

    If the recipe requires a difficulty, boards with another difficulty are discarded later. This forecast
    includes them.

    Returns:
        The forecast. None if the recipe sets no number of paths or solid squares, or if its boards are not
        rectangular.
    """
    if recipe.pairs is None or recipe.solids is None or recipe.mask:
        return None
    return mixed(forecast_of(*exact) for exact in _exact_recipes(recipe))


def difficulty_shares(recipe: Recipe) -> dict[Difficulty, float]:
    """Return which share of the boards of a puzzle recipe will be easy, which share medium, and so on.

    A recipe holds the settings for generating boards.

    Returns:
        The share for each named difficulty, from 0 to 1. Empty if no forecast is possible for the recipe.
    """
    all_boards = forecast_of_any(recipe)
    return {name: all_boards.share(name.points) for name in Difficulty} if all_boards else {}


def plentiful_difficulties(recipe: Recipe, *, has_paths: bool) -> list[Difficulty]:
    """Return the difficulties that many boards of the size in a recipe have.

    If the user's spec leaves the number of paths open, suitable numbers of paths are assumed for each
    difficulty.

    Args:
        recipe: the settings for generating boards. Its difficulty is ignored.
        has_paths: whether the user's spec sets the number of paths. If so, only this number counts.
    """
    area, allowed, solids = recipe.rows * recipe.cols, recipe.pairs if has_paths else None, recipe.solids
    return [
        name
        for name in Difficulty
        if choose_paths(name.points, area, recipe.rule, solids=solids, allowed=allowed).share >= PLENTY
    ]


def board_s(recipe: Recipe) -> float | None:
    """Return how long one processor core needs to generate a board from a recipe.

    A recipe holds the settings for generating boards. Its difficulty is ignored: the result is the time for a
    board of any difficulty.

    Returns:
        The mean time in seconds. None if it cannot be forecast for this recipe.
    """
    if recipe.pairs is None or recipe.solids is None or recipe.apart or recipe.mask:
        return None
    return fmean(scores_of(*exact).board_s for exact in _exact_recipes(recipe))


def _exact_recipes(recipe: Recipe) -> Iterator[tuple[int, int, int, Rule]]:
    """Yield combinations of exact numbers of paths and solid squares that a puzzle recipe allows.

    A recipe gives a range for the number of paths, and a range for the number of solid squares. Each number
    of one range is combined with each number of the other. If a range is long, only some of its numbers are
    used.

    Yields:
        For each combination: the number of squares on the board, how many of them are not solid, the number
        of paths, and the rule that says which drawings count as solutions.
    """
    area = recipe.rows * recipe.cols
    for solids in sample(recipe.solids or Span(0, 0)):
        for pairs in sample(recipe.pairs or Span(1, 1)):
            yield area, area - solids, pairs, recipe.rule


def solid_share(recipe: Recipe) -> float:
    """Return the mean share of solid squares on the boards that a puzzle recipe describes, from 0 to 1."""
    solids = recipe.solids or Span(0, 0)
    return (solids.low + solids.high) / (2 * recipe.rows * recipe.cols)


def mixed(forecasts: Iterable[DifficultyForecast]) -> DifficultyForecast:
    """Return the forecast for a mixture of boards of several kinds, with equally many boards of each kind.

    Args:
        forecasts: a forecast for each kind of board.
    """
    distributions = [one.shares for one in forecasts]
    return DifficultyForecast(
        tuple(sum(shares) / len(distributions) for shares in zip(*distributions, strict=True))
    )


def usual_sizes(points: Span) -> tuple[BoardSize, ...]:
    return tuple(BoardSize(side, side) for side in _USUAL_SIDES[name_of((points.low + points.high) // 2)])


def difficulty_problem(recipe: Recipe, *, has_paths: bool) -> str | None:
    """Explain why the boards of a puzzle recipe can't have the required difficulty.

    The text also suggests other settings.

    Args:
        recipe: the settings for generating boards, with the required difficulty.
        has_paths: whether the user's spec sets the number of paths.
    Returns:
        A text such as ``boards of 7 × 7 are easy or medium; expert begins at 9 × 9 with 5 to 7 paths``. None
        if enough boards will have the difficulty, or if no forecast is possible for the recipe.
    """
    all_boards, points, solids = forecast_of_any(recipe), recipe.difficulty, recipe.solids
    if all_boards is None or points is None or solids is None or all_boards.share(points) >= POSSIBLE:
        return None
    below = Span(0, HARDER_EASY.low - 1)
    if _LOWEST <= points.low <= points.high <= below.high and all_boards.share(below) >= POSSIBLE:
        return f"hardly any board lies between {_LOWEST} and {HARDER_EASY.low}; write `{below}`"
    area, allowed = recipe.rows * recipe.cols, recipe.pairs if has_paths else None
    names = [name.value for name in plentiful_difficulties(recipe, has_paths=has_paths)]
    given = [counted(allowed, "path")] if allowed else []
    given += [counted(solids, "solid square")] if solids.high else []
    boards = f"boards of {recipe.board}{' with ' * bool(given)}{' and '.join(given)}"
    are = f"{boards} are {listed(names or [name_of(all_boards.median).value], 'or')}"
    keys, required = likely_keys(recipe), difficulty_words(points)
    if "size" in keys:
        verb = "begins" if all_boards.mean < points.low else "ends"
        size, paths = keys["size"].replace("x", " × "), keys["paths"].replace("-", " to ")
        return f"{are}; {required} {verb} at {size} with {paths} paths"
    # No other size, number of paths or share of solid squares would lead to the required difficulty. But
    # another value of the key `unique` may do so. For example, boards with `unique: filled` never have
    # the highest difficulty.
    if not keys:
        rules = [rule for rule in Rule if choose_paths(points, area, rule, solids=solids).share >= PLENTY]
        keys = {"unique": rules[0].value} if rules else {}
    return f"{are}; {required} needs {written_keys(keys)}" if keys else are


def written_keys(keys: Mapping[str, str]) -> str:
    """List keys of a spec and their values in English, such as "`size: 7`, `paths: 5-7` and `effort: 3`"."""
    return listed([f"`{key}: {value}`" for key, value in keys.items()])


def spoken_keys(keys: Mapping[str, str]) -> str:
    """Describe keys of a spec and their values without YAML, such as ``boards of 8 × 8 and 5 to 7 pairs``."""
    values = dict(keys, size=keys.get("size", "").replace("x", " × "), solids=keys.get("solids", ""))
    values["paths"] = keys.get("paths", "").replace("-", " to ")
    phrases = {
        "difficulty": "difficulty {}",
        "size": "boards of {}",
        "paths": "{} pairs",
        "solids": "no solid squares" if values["solids"] == "0" else "{} solid squares",
        "effort": "more time to search",
        "otherwise": "the nearest that are found",
    }
    return listed([phrases[key].format(values[key]) for key in keys])


def likely_keys(recipe: Recipe) -> dict[str, str]:
    """Suggest which keys of the spec to change so that many boards get the required difficulty.

    Returns:
        The new values of the keys, such as ``{"paths": "8-10"}``. The result is empty if no change would
        help, or if the puzzle recipe requires no difficulty.
    """
    points, solids, all_boards = recipe.difficulty, recipe.solids, forecast_of_any(recipe)
    if points is None or solids is None or all_boards is None:
        return {}
    size, area = BoardSize(recipe.rows, recipe.cols), recipe.rows * recipe.cols
    choice = choose_paths(points, area, recipe.rule, solids=solids)
    if choice.share >= PLENTY:
        return {"paths": str(choice.paths)}
    if solids.high:
        for percent in FEWER_SOLIDS:
            fewer = Span(0, area * percent // 100)
            choice = choose_paths(points, area, recipe.rule, solids=fewer)
            if fewer.high < solids.high and choice.share >= PLENTY:
                return {"solids": f"0-{percent}%" if percent else "0", "paths": str(choice.paths)}
    step = 1 if all_boards.mean < points.low else -1
    for change in range(1, _SIDE_CHANGE_LIMIT):
        other = BoardSize(size.rows + step * change, size.cols + step * change)
        sides = (other.rows, other.cols)
        if not MIN_WALK_SIDE <= min(sides) <= max(sides) <= MAX_SIDE:
            break
        choice = choose_paths(points, other.rows * other.cols, recipe.rule)
        if choice.share >= PLENTY:
            return {
                "size": other.sides,
                "paths": str(choice.paths),
                **({"solids": "0"} if solids.high else {}),
            }
    return {}


@cache
def forecast_of(area: int, free: int, pairs: int, rule: Rule) -> DifficultyForecast:
    scores = scores_of(area, free, pairs, rule)
    cumulative = [scores.share_below(lowest_score(point)) for point in range(1, MOST_DIFFICULTY + 1)]
    return DifficultyForecast(tuple(high - low for low, high in pairwise([0.0, *cumulative, 1.0])))


# Limits for the chance that a person finds a section of a book harder than the section before it. If the
# chance is below NO_RISE, the section feels easier. If it is at least CLEAR_RISE, the section feels harder.
NO_RISE, CLEAR_RISE = 0.5, 0.75
# A difficulty is a number of points from 0 to 100. A section feels clearly harder than the section before it
# if each of its boards is 7 to 16 points above the mean difficulty of the section before. This was true for
# all 64 kinds of boards that were tried, from 5 × 5 to 15 × 15. With 6 instead of 7 points, it was true for
# only 84 % of them.
_HARDER_BY = (7, 16)
_OTHER_DIFFICULTY = "Set a higher difficulty, or let it come earlier."
# A section may be named after a difficulty, such as "Hard". Such a section gets a warning if the median
# difficulty of its boards is outside the range of this name by more than this number of points.
_WRONG_BY = 5


@dataclass(frozen=True, slots=True)
class Section:
    """Section of a book, or one weekday of a newspaper feed.

    Args:
        label: the section's number and name for messages, such as ``level 2 (Tricky)``.
        name: the section's name.
        recipes: the settings for generating the section's puzzles, one for each puzzle.
        feel: the forecast of how hard the boards will feel. None if the boards come from a file, or if no
            forecast is possible for one of the puzzle recipes.
    """

    label: str
    name: str
    recipes: tuple[Recipe, ...]
    feel: DifficultyForecast | None

    @property
    def heading(self) -> str:
        return f"{self.label[0].upper()}{self.label[1:]}"


def feel_of(recipes: Iterable[Recipe]) -> DifficultyForecast | None:
    """Forecast how hard a section feels if equally many of its boards are made from each of these recipes.

    A recipe holds the settings for generating boards.

    Returns:
        The forecast. None if no forecast is possible for one of the puzzle recipes.
    """
    forecasts = [forecast(recipe) for recipe in recipes]
    known = [one for one in forecasts if one is not None]
    return mixed(known) if known and len(known) == len(forecasts) else None


def feel_words(feel: DifficultyForecast) -> str:
    """Return a forecast in words, such as ``feels 31-38, hard``.

    80 % of the boards have a difficulty between the two numbers. The word is the name of the median
    difficulty.
    """
    return f"feels {feel.spread}, {name_of(feel.median)}"


def section_warnings(
    sections: Sequence[Section], min_chance: float = CLEAR_RISE, *, has_keys: bool = True
) -> Iterator[tuple[Section, str]]:
    """Yield warnings about sections that are not harder than the section before, or have a misleading name.

    Sections that ask for the same difficulty only get a warning if they will feel easier.

    Args:
        sections: the sections in printed order.
        min_chance: a section gets a warning if the chance that a person finds it harder than the section
            before is below this number, from 0 to 1.
        has_keys: whether the advice names keys of the spec, as in "Write `difficulty: hard`".
    Yields:
        The section and the text of the warning.
    """
    for first, second in pairwise(sections):
        if first.feel is None or second.feel is None:
            continue
        chance = chance_of_rise(first.feel, second.feel)
        falls = chance < NO_RISE and second.feel.median < first.feel.median
        # Sections that ask for the same difficulty are meant to be about as hard as each other.
        of_first, of_second = ({recipe.difficulty for recipe in each.recipes} for each in (first, second))
        is_alike = of_first == of_second and None not in of_first
        if chance < min_chance and (falls or not is_alike):
            comparison = "will feel easier than" if falls else "will hardly feel harder than"
            medians = f"median difficulty {first.feel.median}, then {second.feel.median}"
            way_out = _way_out(first, second, has_keys)
            yield second, f"{second.heading} {comparison} {first.label} ({medians}){way_out}"
    warnings = ((section, _name_warning(section, has_keys)) for section in sections)
    yield from ((section, warning) for section, warning in warnings if warning)


def _way_out(first: Section, second: Section, has_keys: bool) -> str:
    """Return advice for the end of a warning about a section that is not harder than the section before it.

    The advice suggests how to change the section. If the section has more solid squares than the section
    before, it also says that solid squares make boards easier.
    """
    assert first.feel is not None  # Only sections that have a forecast are compared, so both have one.
    assert second.feel is not None
    is_known = all(recipe.pairs for recipe in (*first.recipes, *second.recipes))
    if not is_known or any(recipe.difficulty for recipe in second.recipes):
        return f". {_OTHER_DIFFICULTY}"
    reason = ""
    if fmean(map(solid_share, second.recipes)) > fmean(map(solid_share, first.recipes)):
        reason = ": more solid squares make boards easier"
        for percent in FEWER_SOLIDS:
            feel = feel_of(
                replace(recipe, solids=Span(0, recipe.rows * recipe.cols * percent // 100))
                for recipe in second.recipes
            )
            if feel and chance_of_rise(first.feel, feel) >= CLEAR_RISE:
                return f"{reason}. {'0-' * bool(percent)}{percent} % solid squares would keep it harder."
    harder = Span(*(min(MOST_DIFFICULTY, round(first.feel.mean) + points) for points in _HARDER_BY))
    ways = [likely_keys(replace(recipe, difficulty=harder)) for recipe in {*second.recipes}]
    if not all(ways):
        return f"{reason}. {_OTHER_DIFFICULTY}"
    keys = {"difficulty": str(harder)} | (ways[0] if len(ways) == 1 else {})
    advice = f"Write {written_keys(keys)}" if has_keys else f"Choose {spoken_keys(keys)}"
    return f"{reason}. {advice} to keep it harder, or let it come earlier."


def _name_warning(section: Section, has_keys: bool) -> str | None:
    """Return a warning if a section is named after a difficulty, but its boards have another difficulty.

    A longer name such as "Very hard" may mean boards that are harder than "Hard". So a section with a longer
    name gets a warning only if its boards are too easy.
    """
    words = [word for word in re.split(r"[\s,.;:!?()–-]+", section.name) if word]
    named = set().union(*map(_difficulties_named, words))
    if section.feel is None or len(named) != 1:
        return None
    name, median = Difficulty(named.pop()), section.feel.median
    if median < name.points.low - _WRONG_BY:
        change = "harder"
    elif median > name.points.high + _WRONG_BY and (len(words) == 1 or name is Difficulty.EASY):
        change = "easier"
    else:
        return None
    advice = f"Write `difficulty: {name}`" if has_keys else f"Choose the difficulty {name}"
    return (
        f"{section.heading} {feel_words(section.feel)}, though its name says {name}. "
        f"{advice}, make its boards {change}, or give it another name."
    )


def _difficulties_named(word: str) -> set[str]:
    """Return the difficulties that a word can mean in any language, such as ``hard`` for "Schwer"."""
    if word.casefold() in list(Difficulty):  # check this first, because loading the name table takes 0.1 s
        return {word.casefold()}
    name = name_table().value(word, "levels.difficulty")
    return {name} if name else name_table().values_inside(word, "levels.difficulty")
