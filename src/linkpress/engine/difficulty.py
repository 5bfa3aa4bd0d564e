"""Difficulty of a puzzle: how hard it feels to a person, as a number from 0 to 100 and as a name.

The difficulty is the puzzle's score (see ``engine.grade``) divided by five. It is absolute: a difficulty of
34 means the same in every book and on boards of every size. Ten points are what people notice. Of pairs of
rated boards whose scores differ by 50 to 75, the authors' stars order 95 % as the scores do.

The names are ranges of this number. ``hard`` begins where authors begin to give a second star.
"""

from __future__ import annotations

from enum import StrEnum

from linkpress.engine.span import Span

MOST_DIFFICULTY = 100
_SCORE_PER_POINT = 5
_POINTS_PER_MARK = 10
MOST_MARKS = 8


class Difficulty(StrEnum):
    """Names of difficulties, the easiest first."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    EXPERT = "expert"
    EXTREME = "extreme"

    @property
    def points(self) -> Span:
        """The range of difficulties that have this name."""
        return _POINTS[self]


_POINTS = {
    Difficulty.EASY: Span(0, 19),
    Difficulty.MEDIUM: Span(20, 29),
    Difficulty.HARD: Span(30, 39),
    Difficulty.EXPERT: Span(40, 59),
    Difficulty.EXTREME: Span(60, MOST_DIFFICULTY),
}


def difficulty_of(score: int) -> int:
    """Convert a score to a difficulty from 0 to 100."""
    return min(MOST_DIFFICULTY, score // _SCORE_PER_POINT)


def lowest_score(difficulty: int) -> int:
    """Return the lowest score of the puzzles that have a difficulty."""
    return _SCORE_PER_POINT * difficulty


def name_of(difficulty: int) -> Difficulty:
    """Return the name of a difficulty."""
    return next(name for name in reversed(Difficulty) if difficulty >= name.points.low)


def marks_of(difficulty: int) -> int:
    """Return how many marks are printed for a difficulty, one to eight: one for every ten points.

    Easy puzzles have one mark, medium ones two, hard ones three, expert ones four or five.
    """
    return min(MOST_MARKS, max(1, difficulty // _POINTS_PER_MARK))


def difficulty_words(points: Span) -> str:
    """Return a range of difficulties in words: ``hard``, ``medium to hard``, or ``difficulty 33-36``."""
    lowest = next((name for name in Difficulty if name.points.low == points.low), None)
    highest = next((name for name in Difficulty if name.points.high == points.high), None)
    if lowest is None or highest is None:
        return f"difficulty {points}"
    return lowest.value if lowest is highest else f"{lowest} to {highest}"
