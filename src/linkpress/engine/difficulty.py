"""Difficulty of a puzzle: how hard it feels to a person, as a number from 0 to 100 and as a name.

The difficulty is the puzzle's score (see ``engine.grade``) divided by five. It is absolute: a difficulty of
34 means the same in every book and on boards of every size.

People notice a difference of about ten points. This was measured on published puzzles that their authors
rated with stars. In 95 % of the pairs that differ by 10 to 15 points, the higher one also has more stars.

Each name, such as ``hard``, is a range of difficulties. ``hard`` begins where authors start to give two
stars.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

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

    Names are used if the range begins where one name begins and ends where one ends, as in ``hard`` or
    ``medium to hard``. All other ranges are given in numbers, as in ``difficulty 33-36``.
    """
    lowest = next((name for name in Difficulty if name.points.low == points.low), None)
    highest = next((name for name in Difficulty if name.points.high == points.high), None)
    if lowest is None or highest is None:
        return f"difficulty {points}"
    return lowest.value if lowest is highest else f"{lowest} to {highest}"
