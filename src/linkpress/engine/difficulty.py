"""Difficulty: how hard a puzzle feels to a person.

This module forecasts the difficulty of boards, and chooses how many paths a board needs for a difficulty. A
difficulty is a number from 0 to 100, or a name for a range of numbers.

The difficulty is the puzzle's score (see ``engine.grade``) divided by five. It is absolute: a difficulty of
34 means the same in every book and on boards of every size.

People notice a difference of about ten points. This was measured on published puzzles that their authors
rated with stars. Take two puzzles that differ by 10 to 15 points: in 95 % of cases, the puzzle with the
higher difficulty also has more stars.

Each name, such as ``hard``, is a range of difficulties. ``hard`` begins where authors start to give two
stars.

**Forecast.** A score is computed from the conflicts that the prover meets. Some boards are proven without any
conflict. They all get the same lowest score, which is called the floor. The scores of all other boards are
roughly normally distributed.

The forecast estimates three values: the share of boards above the floor, the mean score of those boards, and
the time to generate a board. Each estimate is a weighted sum of the terms

    1, L, r, s, L × r, L × s, r × s, r², s²

where L = ln(squares), r = ln(free squares / (paths + 1.5)) and s = the share of solid squares. The weights
are in ``engine.rulesets``. They were fitted to boards from 5 × 5 to 25 × 25 with 3.6 to 25 squares per path
and up to 28 % solid squares. The fitted boards include every kind of number pattern.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from operator import mul
from statistics import fmean
from typing import NamedTuple

from linkpress.engine.rulesets import Rule, ruleset_of
from linkpress.errors import UsageError


@dataclass(frozen=True, slots=True)
class Span:
    """Range of whole numbers that includes both ends."""

    low: int
    high: int

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise UsageError(f"{self.low}-{self.high}: the low end is above the high end")

    def __contains__(self, value: int) -> bool:
        return self.low <= value <= self.high

    def __str__(self) -> str:
        return str(self.low) if self.low == self.high else f"{self.low}-{self.high}"


MOST_DIFFICULTY = 100
_SCORE_PER_POINT = 5
_POINTS_PER_MARK = 10
MOST_MARKS = 8


class Difficulty(StrEnum):
    """Names of difficulties, from the easiest to the hardest."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    EXPERT = "expert"
    EXTREME = "extreme"

    @property
    def points(self) -> Span:
        return _POINTS[self]


_POINTS = {
    Difficulty.EASY: Span(0, 19),
    Difficulty.MEDIUM: Span(20, 29),
    Difficulty.HARD: Span(30, 39),
    Difficulty.EXPERT: Span(40, 59),
    Difficulty.EXTREME: Span(60, MOST_DIFFICULTY),
}


def difficulty_of(score: int) -> int:
    return min(MOST_DIFFICULTY, score // _SCORE_PER_POINT)


def lowest_score(difficulty: int) -> int:
    return _SCORE_PER_POINT * difficulty


def name_of(difficulty: int) -> Difficulty:
    return next(name for name in reversed(Difficulty) if difficulty >= name.points.low)


def marks_of(difficulty: int) -> int:
    """Return how many difficulty marks to print next to a puzzle.

    A puzzle gets one mark for every full ten points of difficulty, but at least one mark and at most eight.
    Easy puzzles have one mark, medium puzzles two, hard puzzles three, expert puzzles four or five, and
    extreme puzzles six to eight.
    """
    return min(MOST_MARKS, max(1, difficulty // _POINTS_PER_MARK))


def difficulty_words(points: Span) -> str:
    """Describe a range of difficulties for a message.

    If the range goes from the beginning of one named difficulty to the end of another, the names are used:
    ``hard`` or ``medium to hard``. Any other range is given in numbers, such as ``difficulty 33-36``.
    """
    lowest = next((name for name in Difficulty if name.points.low == points.low), None)
    highest = next((name for name in Difficulty if name.points.high == points.high), None)
    if lowest is None or highest is None:
        return f"difficulty {points}"
    return lowest.value if lowest is highest else f"{lowest} to {highest}"


# Limits for the number of free squares per path. The upper limit is 20 on boards with up to 225 free squares.
# It falls by one for every ``_ROOM_FALLS`` further free squares, down to 15, because large boards with long
# paths can hardly be generated.
_LEAST_ROOM, _MOST_ROOM, _MOST_ROOM_LARGE, _ROOM_FALLS = 3.5, 20, 15, 80
# The smallest number of paths by the number of free squares: 5 paths from 64 squares on, for example. Boards
# with fewer paths take longer to generate and are not harder. Of the 7 × 7 boards with 4 paths, 12 % are
# hard; with 3 paths, none are. The mean difficulty of 8 × 8 boards is the same with 4 and 5 paths. The mean
# difficulty of 9 × 10 boards is the same with 5 and 6 paths.
_FEWEST_PATHS = {0: 4, 64: 5, 81: 6}
# To vary the boards, several numbers of paths are accepted. With each of them, generating a puzzle may take
# up to this many times as long as with the fastest number of paths.
_VARIETY = 2.5
# The forecast of scores adds this to the number of paths of each board. Without the addition, the forecast
# would be too high for small boards with few paths.
_MORE_PATHS = 1.5
# The standard deviation of the scores is forecast from the distance between their mean and the lowest
# possible score. If the distance is smaller than this number, this number is used instead, so that the
# standard deviation never becomes zero.
_LEAST_RISE = 30
_SAMPLES = 9  # to save time, make forecasts for at most this many numbers of paths or solid squares


class ScoreForecast(NamedTuple):
    """Forecast distribution of scores, for boards with given numbers of paths and solid squares.

    Some boards are proven unique without a conflict and get the lowest score, the floor. The scores of all
    other boards follow a normal distribution, but its standard deviation is not the same below and above the
    mean.

    Args:
        floor, highest: the lowest and the highest possible score.
        above: the share of boards above the floor, from 0 to 1.
        mean: the mean score of the boards above the floor.
        spreads: the standard deviations below and above the mean.
        board_s: the seconds that one processor core needs to generate a board and to compute most of its
            score.
    """

    floor: int
    highest: int
    above: float
    mean: float
    spreads: tuple[float, float]
    board_s: float

    def share_below(self, score: float) -> float:
        if score > self.highest:
            return 1.0
        below_among_others = normal_share((score - self.mean) / self.spreads[score > self.mean])
        return self.above * below_among_others + (1 - self.above) * (score > self.floor)

    def share(self, points: Span) -> float:
        """Return the share of boards whose difficulty is in a range.

        The result is at least a millionth, so that callers can divide by it.
        """
        upper_score = lowest_score(points.high + 1) if points.high < MOST_DIFFICULTY else math.inf
        lower_score = lowest_score(points.low) if points.low else -math.inf
        return max(self.share_below(upper_score) - self.share_below(lower_score), 1e-6)


@cache
def scores_of(area: int, free: int, pairs: int, rule: Rule) -> ScoreForecast:
    """Forecast the scores of boards with these numbers of squares and paths.

    Args:
        area: the number of squares of a board.
        free: the number of squares that are not solid.
        pairs: the number of paths.
        rule: the puzzle rule under which each board has exactly one solution.
    """
    rules, terms = ruleset_of(rule), terms_of(area, free, pairs)
    model, floor = rules.score_model, rules.score(0)
    above, mean, log_ms = (
        sum(map(mul, coefficients, terms)) for coefficients in (model.above_floor, model.mean, model.log_ms)
    )
    rise = math.sqrt(max(_LEAST_RISE, mean - floor))
    share = 1 / (1 + math.exp(-max(-30.0, min(30.0, above))))
    spreads = (model.spreads[0] * rise, model.spreads[1] * rise)
    return ScoreForecast(floor, rules.highest_score, share, mean, spreads, board_s=math.exp(log_ms) / 1000)


def terms_of(area: int, free: int, pairs: int) -> tuple[float, ...]:
    size, room, solid = math.log(area), math.log(free / (pairs + _MORE_PATHS)), 1 - free / area
    return (1, size, room, solid, size * room, size * solid, room * solid, room**2, solid**2)


class PathChoice(NamedTuple):
    """Range of path counts that suits a difficulty, and the share of boards that will have this difficulty.

    Args:
        paths: the smallest and largest number of paths to use.
        share: the share of generated boards that have the difficulty, from 0 to 1.
    """

    paths: Span
    share: float


@cache
def choose_paths(
    points: Span,
    area: int,
    rule: Rule = Rule.STRICT,
    *,
    solids: Span = Span(0, 0),
    allowed: Span | None = None,
) -> PathChoice:
    """Choose how many paths boards should have, so that puzzles of a difficulty are generated fastest.

    Args:
        points: the range of difficulties, from 0 to 100.
        area: the number of squares of a board.
        rule: the puzzle rule under which each board has exactly one solution.
        solids: the smallest and largest number of solid squares.
        allowed: the range of path counts to choose from. None allows every count that the generator can
            realistically make.
    """
    solid_counts, counts = sample(solids), allowed or possible_paths(area - solids.high)
    share, cost_s = {}, {}
    for pairs in range(counts.low, counts.high + 1):
        forecasts = [scores_of(area, area - solid, pairs, rule) for solid in solid_counts]
        share[pairs] = fmean(scores.share(points) for scores in forecasts)
        cost_s[pairs] = fmean(scores.board_s for scores in forecasts) / share[pairs]
    low = high = min(cost_s, key=lambda pairs: cost_s[pairs])
    slowest_accepted_s = _VARIETY * cost_s[low]
    while cost_s.get(low - 1, math.inf) <= slowest_accepted_s:
        low -= 1
    while cost_s.get(high + 1, math.inf) <= slowest_accepted_s:
        high += 1
    return PathChoice(Span(low, high), fmean(share[pairs] for pairs in range(low, high + 1)))


def possible_paths(free: int) -> Span:
    """Return how many paths the generator can realistically make on a board with ``free`` free squares."""
    room = max(_MOST_ROOM_LARGE, _MOST_ROOM - max(0, free - 225) / _ROOM_FALLS)
    most = max(2, int(free / _LEAST_ROOM))
    fewest = max(paths for squares, paths in _FEWEST_PATHS.items() if free >= squares)
    return Span(min(most, max(fewest, math.ceil(free / room))), most)


def sample(span: Span) -> tuple[int, ...]:
    """Return the numbers of a range. If there are more than nine, return nine that are spread evenly."""
    numbers = range(span.low, span.high + 1)
    last = len(numbers) - 1
    if last < _SAMPLES:
        return tuple(numbers)
    return tuple(numbers[round(index * last / (_SAMPLES - 1))] for index in range(_SAMPLES))


def normal_share(deviations: float) -> float:
    """Return the share of a normal distribution that is below a certain value.

    Args:
        deviations: by how many standard deviations the value is above the mean.
    """
    return (1 + math.erf(deviations / math.sqrt(2))) / 2
