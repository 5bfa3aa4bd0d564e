"""Forecast how hard the boards of a recipe feel, and choose the cheapest recipe for a difficulty."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, pairwise
from statistics import fmean

from linkpress.book.key_values import MIN_WALK_SIDE, BoardSize
from linkpress.engine.difficulty import MOST_DIFFICULTY, Difficulty, difficulty_words, lowest_score, name_of
from linkpress.engine.recipe import Recipe, Rule, Span, counted
from linkpress.engine.score_forecast import choose_paths, normal_share, sample, scores_of
from linkpress.puzzle.puzzle import MAX_SIDE

PERSON_NOISE = 34 / 5
"""Standard deviation of one person's verdict about a puzzle, in points of difficulty. It was fitted to the
stars that 31 authors gave to 106 puzzles."""
POSSIBLE, PLENTY = 0.02, 0.2
"""Smallest share of boards with the required difficulty for which a recipe is accepted, or recommended."""
HARDER_EASY = Span(12, 19)
"""Difficulties of the easy boards whose proofs meet a conflict."""

_USUAL_SIDES = {
    Difficulty.EASY: (6, 7),
    Difficulty.MEDIUM: (7, 8),
    Difficulty.HARD: (9, 10),
    Difficulty.EXPERT: (10, 12),
    Difficulty.EXTREME: (15,),
}
_FEWER_SOLIDS, _MOST_MORE = (15, 10, 5, 0), 20  # percentages and further rows that advice tries


@dataclass(frozen=True, slots=True)
class DifficultyForecast:
    """Forecast of the difficulties of boards.

    Args:
        shares: the share of the boards that have each difficulty from 0 to 100.
    """

    shares: tuple[float, ...]

    def share(self, points: Span) -> float:
        """Return the share of the boards whose difficulty is in a range."""
        return sum(self.shares[points.low : points.high + 1])

    def within(self, points: Span) -> DifficultyForecast:
        """Return the forecast for those boards whose difficulty is in a range."""
        share = self.share(points) or 1.0
        return DifficultyForecast(
            tuple(part / share * (point in points) for point, part in enumerate(self.shares))
        )

    def quantile(self, share: float) -> int:
        """Return the difficulty that this share of the boards doesn't exceed."""
        sums = accumulate(self.shares)
        return next((point for point, below in enumerate(sums) if below >= share), MOST_DIFFICULTY)

    @property
    def median(self) -> int:
        return self.quantile(0.5)

    @property
    def spread(self) -> Span:
        """The range of the middle 80 % of the boards."""
        return Span(self.quantile(0.1), self.quantile(0.9))

    @property
    def mean(self) -> float:
        return sum(point * share for point, share in enumerate(self.shares))

    @property
    def variance(self) -> float:
        mean = self.mean
        return sum((point - mean) ** 2 * share for point, share in enumerate(self.shares))


def chance_of_rise(first: DifficultyForecast, second: DifficultyForecast) -> float:
    """Return how likely a person finds a random board of the second forecast harder than one of the first."""
    spread = math.sqrt(first.variance + second.variance + 2 * PERSON_NOISE**2)
    return normal_share((second.mean - first.mean) / spread)


def forecast(recipe: Recipe) -> DifficultyForecast | None:
    """Forecast the difficulties of a recipe's boards.

    If the recipe requires a difficulty, the forecast is about the boards that have it.

    Returns:
        The forecast; None if the numbers of paths and solid squares are open, or if the board has a shape.
    """
    feel = forecast_of_any(recipe)
    return feel.within(recipe.difficulty) if feel and recipe.difficulty else feel


@cache
def forecast_of_any(recipe: Recipe) -> DifficultyForecast | None:
    """Forecast the difficulties of all boards of a recipe, whatever difficulty it requires."""
    if recipe.pairs is None or recipe.solids is None or recipe.mask:
        return None
    return mixed(forecast_of(*exact) for exact in _exact_recipes(recipe))


def difficulty_shares(recipe: Recipe) -> dict[Difficulty, float]:
    """Return the share of a recipe's boards with each name of a difficulty; empty without a forecast."""
    feel = forecast_of_any(recipe)
    return {name: feel.share(name.points) for name in Difficulty} if feel else {}


def board_s(recipe: Recipe) -> float | None:
    """Return the seconds that one core needs for a board of a recipe, of any difficulty; None if unknown."""
    if recipe.pairs is None or recipe.solids is None or recipe.apart or recipe.mask:
        return None
    return fmean(scores_of(*exact).board_s for exact in _exact_recipes(recipe))


def _exact_recipes(recipe: Recipe) -> Iterator[tuple[int, int, int, Rule]]:
    """Yield squares, free squares, paths and rule for numbers from a recipe's ranges."""
    area = recipe.rows * recipe.cols
    for solids in sample(recipe.solids or Span(0, 0)):
        for pairs in sample(recipe.pairs or Span(1, 1)):
            yield area, area - solids, pairs, recipe.rule


def mixed(forecasts: Iterable[DifficultyForecast]) -> DifficultyForecast:
    """Return the forecast for boards of which equal parts have each of these forecasts."""
    each = [one.shares for one in forecasts]
    return DifficultyForecast(tuple(sum(parts) / len(each) for parts in zip(*each, strict=True)))


def usual_sizes(points: Span) -> tuple[BoardSize, ...]:
    """Return the sizes of boards for a difficulty if the spec names none."""
    return tuple(BoardSize(side, side) for side in _USUAL_SIDES[name_of((points.low + points.high) // 2)])


def difficulty_problem(recipe: Recipe, *, has_paths: bool) -> str | None:
    """Return why hardly any board of a recipe has the difficulty that it requires, and what would have it.

    Args:
        recipe: the recipe.
        has_paths: whether the spec gives the numbers of paths.
    Returns:
        A text such as ``boards of 7 × 7 are easy or medium; expert begins at 9x9 with 5-7 paths``. None if
        enough boards have the difficulty, or if nothing is known about such boards.
    """
    feel, points, solids = forecast_of_any(recipe), recipe.difficulty, recipe.solids
    if feel is None or points is None or solids is None or feel.share(points) >= POSSIBLE:
        return None
    area, allowed = recipe.rows * recipe.cols, recipe.pairs if has_paths else None
    names = [
        name.value
        for name in Difficulty
        if choose_paths(name.points, area, recipe.rule, solids=solids, allowed=allowed).share >= PLENTY
    ]
    given = [counted(allowed, "path")] if allowed else []
    given += [counted(solids, "solid square")] if solids.high else []
    boards = f"boards of {recipe.board}{' with ' * bool(given)}{' and '.join(given)}"
    *others, last = names or [name_of(feel.median).value]
    are = f"{boards} are {', '.join(others)}{' or ' * bool(others)}{last}"
    keys, wanted = likely_keys(recipe), difficulty_words(points)
    if "size" in keys:
        begins = "begins" if feel.mean < points.low else "ends"
        return f"{are}; {wanted} {begins} at {keys['size']} with {keys['paths']} paths"
    way_out = " and ".join(f"`{key}: {value}`" for key, value in keys.items())
    return f"{are}; {wanted} needs {way_out}" if keys else are


def likely_keys(recipe: Recipe) -> dict[str, str]:
    """Return the keys to change so that many boards of a recipe have the difficulty that it requires.

    Returns:
        The keys and their values, such as ``{"paths": "8-10"}``; empty if nothing helps.
    """
    points, solids, feel = recipe.difficulty, recipe.solids, forecast_of_any(recipe)
    if points is None or solids is None or feel is None:
        return {}
    size, area = BoardSize(recipe.rows, recipe.cols), recipe.rows * recipe.cols
    choice = choose_paths(points, area, recipe.rule, solids=solids)
    if choice.share >= PLENTY:
        return {"paths": str(choice.paths)}
    if solids.high:
        for percent in _FEWER_SOLIDS:
            fewer = Span(0, area * percent // 100)
            choice = choose_paths(points, area, recipe.rule, solids=fewer)
            if fewer.high < solids.high and choice.share >= PLENTY:
                return {"solids": f"0-{percent}%" if percent else "0", "paths": str(choice.paths)}
    step = 1 if feel.mean < points.low else -1
    for more in range(1, _MOST_MORE):
        other = BoardSize(size.rows + step * more, size.cols + step * more)
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
    edges = [scores.share_below(lowest_score(point)) for point in range(1, MOST_DIFFICULTY + 1)]
    return DifficultyForecast(tuple(high - low for low, high in pairwise([0.0, *edges, 1.0])))
