"""What is said at a newspaper's board: in the image, or left to the manifest."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from linkpress.engine.recipe import Grade
from linkpress.errors import UsageError
from linkpress.layout.text.wording import Words
from linkpress.puzzle.puzzle import Puzzle


class GradeMark(StrEnum):
    """How a grade is shown."""

    NONE = "none"
    WORDS = "words"
    STARS = "stars"


@dataclass(frozen=True, slots=True)
class CaptionStyle:
    """What a caption says, and where.

    Args:
        number: the puzzle's number.
        size: of the board.
        grade: how it is shown.
        rules: all of them, in one line.
        solution: when the solution comes, or of which day it is.
        in_image: False leaves the words to the manifest.
    """

    number: bool = True
    size: bool = True
    grade: GradeMark = GradeMark.WORDS
    rules: bool = False
    solution: bool = False
    in_image: bool = True


PARTS = ("number", "size", "grade", "stars", "rules", "solution")


def read_parts(parts: Iterable[str]) -> CaptionStyle:
    """A caption's style from the names of its parts, as on the command line.

    Raises:
        UsageError: a part that there is not, or both grade and stars.
    """
    asked = [part.strip() for part in parts if part.strip()]
    unknown = [part for part in asked if part not in PARTS]
    if unknown:
        raise UsageError(
            f"there is no caption part {unknown[0]!r}. Allowed: {', '.join(PARTS)}, joined by commas, "
            "or none."
        )
    if "grade" in asked and "stars" in asked:
        raise UsageError("a caption shows the grade in words or as stars: give grade or stars, not both.")
    mark = GradeMark.STARS if "stars" in asked else GradeMark.WORDS if "grade" in asked else GradeMark.NONE
    return CaptionStyle(
        "number" in asked, "size" in asked, mark, "rules" in asked, "solution" in asked, in_image=bool(asked)
    )


@dataclass(frozen=True, slots=True)
class Caption:
    """One board's words.

    Args:
        heading: in strong type above the board; may be empty.
        details: beside it, or under it where there is no room.
        stars: 1 to 6 filled ones of six, None for none.
        rules: in small type below the board; may be empty.
        note: below the board, last; may be empty.
    """

    heading: str = ""
    details: str = ""
    stars: int | None = None
    rules: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Subject:
    """The puzzle that a caption speaks of.

    Args:
        puzzle: its board.
        number: as printed.
        grade: None where there is none.
    """

    puzzle: Puzzle
    number: int
    grade: Grade | None


def puzzle_caption(
    subject: Subject,
    style: CaptionStyle,
    words: Words,
    days: tuple[datetime.date, datetime.date] | None = None,
) -> Caption:
    """What is said at a puzzle.

    Args:
        subject: the puzzle.
        style: which parts.
        words: the language's.
        days: of this issue and of the one with the solution; the next day's issue if None.
    """
    heading = words.say(words.puzzle, number=subject.number) if style.number else ""
    note = _solution_later(words, days) if style.solution else ""
    rules = ""
    if style.rules:
        rules = words.rules_line_solids if subject.puzzle.grid.solids else words.rules_line
    stars = int(subject.grade) if subject.grade and style.grade is GradeMark.STARS else None
    return Caption(heading, _details(subject, style, words), stars, rules, note)


def solution_caption(
    subject: Subject,
    style: CaptionStyle,
    words: Words,
    days: tuple[datetime.date, datetime.date] | None = None,
) -> Caption:
    """What is said at a solution.

    Args:
        subject: the puzzle that it solves.
        style: which parts; the rules are left out.
        words: the language's.
        days: of the puzzle's issue and of this one; None says nothing of days.
    """
    if style.solution and days is not None:
        number = words.say(words.puzzle, number=subject.number) if style.number else ""
        return Caption(_solution_earlier(words, days), number)
    return Caption(words.say(words.solution_number, number=subject.number) if style.number else "")


def _details(subject: Subject, style: CaptionStyle, words: Words) -> str:
    parts = []
    if style.size:
        grid = subject.puzzle.grid
        parts.append(words.say(words.size, cols=grid.cols, rows=grid.rows))
    if style.grade is GradeMark.WORDS and subject.grade:
        parts.append(words.grades[subject.grade])
    return " · ".join(parts)


def _solution_later(words: Words, days: tuple[datetime.date, datetime.date] | None) -> str:
    if days is None or (days[1] - days[0]).days == 1:
        return words.solution_tomorrow
    return words.say(words.solution_later, day=words.day(days[1], days[0]))


def _solution_earlier(words: Words, days: tuple[datetime.date, datetime.date]) -> str:
    if (days[1] - days[0]).days == 1:
        return words.solution_yesterday
    return words.say(words.solution_earlier, day=words.day(days[0], days[1]))
