"""Forecast the scores of a recipe's boards, and choose the numbers of paths for a difficulty.

The scores of a recipe's boards have two parts. Some boards are on a floor: no proof of theirs meets a
conflict. The scores of all others are distributed about normally. Three numbers decide the share of the
floor, the mean above it and the time for a board: L = ln(squares), r = ln(free squares per path) and
s = the share of solid squares. The table of rules has the coefficients of

    1, L, r, s, L × r, L × s, r × s, r², s²

for each of them. They were fitted to boards from 5 × 5 to 25 × 25 with 3.6 to 25 squares per path and up to
28 % solid squares, with every kind of number pattern, composed or not.
"""

from __future__ import annotations

import math
from functools import cache
from operator import mul
from statistics import fmean
from typing import NamedTuple

from linkpress.engine.difficulty import MOST_DIFFICULTY, lowest_score
from linkpress.engine.rulesets import Rule, ruleset_of
from linkpress.engine.span import Span

# Numbers of free squares per path among which the cheapest is sought. The upper limit falls from 20 for 225
# free squares to 15 for 625, because larger boards with longer paths can hardly be made.
_LEAST_ROOM, _MOST_ROOM, _MOST_ROOM_LARGE, _ROOM_FALLS = 3.5, 20, 15, 80
# Boards with fewer paths take longer and are not harder. Of 7 × 7 boards, 6 % are hard with 4 paths and none
# with 3. Boards of 8 × 8 have the same median with 4 paths as with 5.
_FEWEST_PATHS, _FEWEST_OF_64_SQUARES = 4, 5
# Numbers of paths that are up to this many times as slow as the cheapest one are chosen too, so that boards
# vary.
_VARIETY = 2.5
_LEAST_RISE = 30  # least score above the floor from which the spread of the scores is computed
_SAMPLES = 9  # most numbers of paths and of solids by which a range is represented


class ScoreForecast(NamedTuple):
    """Distribution of the scores of boards with exact numbers of paths and solid squares.

    Args:
        floor: the score of the boards whose proofs meet no conflict.
        above: the share of the other boards.
        mean: the mean of their scores.
        spreads: the standard deviations of their scores below and above the mean.
        board_s: the seconds that one core needs for a board, including most of its score.
    """

    floor: float
    above: float
    mean: float
    spreads: tuple[float, float]
    board_s: float

    def share_below(self, score: float) -> float:
        bell = normal_share((score - self.mean) / self.spreads[score > self.mean])
        return self.above * bell + (1 - self.above) * (score > self.floor)

    def share(self, points: Span) -> float:
        """Return the share of the boards in a range of difficulties, at least a millionth."""
        most = lowest_score(points.high + 1) if points.high < MOST_DIFFICULTY else math.inf
        least = lowest_score(points.low) if points.low else -math.inf
        return max(self.share_below(most) - self.share_below(least), 1e-6)


@cache
def scores_of(area: int, free: int, pairs: int, rule: Rule) -> ScoreForecast:
    """Forecast the scores of boards.

    Args:
        area: the number of squares.
        free: the number of squares that are not solid.
        pairs: the number of paths.
        rule: the rule by which the boards have one solution.
    """
    rules, terms = ruleset_of(rule), terms_of(area, free, pairs)
    model, floor = rules.score_model, 100 * rules.score_line[0]
    above, mean, log_ms = (
        sum(map(mul, coefficients, terms)) for coefficients in (model.above_floor, model.mean, model.log_ms)
    )
    rise = math.sqrt(max(_LEAST_RISE, mean - floor))
    share = 1 / (1 + math.exp(-max(-30.0, min(30.0, above))))
    spreads = (model.spreads[0] * rise, model.spreads[1] * rise)
    return ScoreForecast(floor, share, mean, spreads, board_s=math.exp(log_ms) / 1000)


def terms_of(area: int, free: int, pairs: int) -> tuple[float, ...]:
    size, room, solid = math.log(area), math.log(free / pairs), 1 - free / area
    return (1, size, room, solid, size * room, size * solid, room * solid, room**2, solid**2)


class PathChoice(NamedTuple):
    """Numbers of paths for a difficulty.

    Args:
        paths: the numbers of paths.
        share: the share of boards with these numbers of paths that have the difficulty.
        each_s: the seconds that one core needs for a puzzle of the difficulty.
    """

    paths: Span
    share: float
    each_s: float


@cache
def choose_paths(
    points: Span,
    area: int,
    rule: Rule = Rule.STRICT,
    *,
    solids: Span = Span(0, 0),
    allowed: Span | None = None,
) -> PathChoice:
    """Choose the numbers of paths with which puzzles of a difficulty are made fastest.

    Args:
        points: the range of difficulties.
        area: the number of squares of a board.
        rule: the rule by which they have one solution.
        solids: the numbers of solid squares.
        allowed: the numbers of paths among which to choose; None for those with which boards can be made.
    """
    samples, counts = sample(solids), allowed or _possible_paths(area - solids.high)
    share, cost_s = {}, {}
    for pairs in range(counts.low, counts.high + 1):
        each = [scores_of(area, area - count, pairs, rule) for count in samples]
        share[pairs] = fmean(scores.share(points) for scores in each)
        cost_s[pairs] = fmean(scores.board_s for scores in each) / share[pairs]
    low = high = min(cost_s, key=lambda pairs: cost_s[pairs])
    most_s = _VARIETY * cost_s[low]
    while cost_s.get(low - 1, math.inf) <= most_s:
        low -= 1
    while cost_s.get(high + 1, math.inf) <= most_s:
        high += 1
    chosen = range(low, high + 1)
    of_all = fmean(share[pairs] for pairs in chosen)
    each_s = fmean(cost_s[pairs] * share[pairs] for pairs in chosen) / of_all
    return PathChoice(Span(low, high), of_all, each_s)


def _possible_paths(free: int) -> Span:
    room = max(_MOST_ROOM_LARGE, _MOST_ROOM - max(0, free - 225) / _ROOM_FALLS)
    most = max(2, int(free / _LEAST_ROOM))
    fewest = _FEWEST_PATHS if free < 64 else _FEWEST_OF_64_SQUARES
    return Span(min(most, max(fewest, math.ceil(free / room))), most)


def sample(span: Span) -> tuple[int, ...]:
    """Return the numbers of a range; of a long range, some numbers evenly spread over it."""
    numbers = range(span.low, span.high + 1)
    last = len(numbers) - 1
    if last < _SAMPLES:
        return tuple(numbers)
    return tuple(numbers[round(place * last / (_SAMPLES - 1))] for place in range(_SAMPLES))


def normal_share(deviations: float) -> float:
    """Return the share of a normal distribution below this number of standard deviations."""
    return (1 + math.erf(deviations / math.sqrt(2))) / 2
