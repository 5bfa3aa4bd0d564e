"""A puzzle as newspaper images show it, and the words at it: in the image, or left to the manifest."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Annotated

from linkpress.book.printing_keys import GradeMark
from linkpress.book.puzzle_record import PuzzleRecord
from linkpress.documents.models import SpecModel
from linkpress.documents.values import YesNo, one_of
from linkpress.engine.recipe import Grade
from linkpress.errors import UsageError
from linkpress.puzzle.puzzle import Puzzle, Solution
from linkpress.words.wording import Words


class CaptionSpec(SpecModel):
    """The keys of a caption: which words stand at a board."""

    in_image: YesNo = True
    """Whether the words are drawn; the manifest has them in any case."""
    title: YesNo = False
    """The title, as `Number Link 12` in place of `Puzzle 12`."""
    number: YesNo = True
    """The puzzle's number."""
    size: YesNo = True
    """The board's size."""
    grade: Annotated[GradeMark, one_of(GradeMark)] = GradeMark.STARS
    """The grade in words, one to five stars by the score, or nothing."""
    rules: YesNo = False
    """The rules, in one line."""
    solution: YesNo = True
    """`Solution tomorrow`, and whose solution it is: `Yesterday’s solution`."""


PARTS = ("title", "number", "size", "grade", "stars", "rules", "solution")


def read_parts(parts: Iterable[str]) -> CaptionSpec:
    """A caption from the names of its parts, as on the command line.

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
    marked = {part: part in asked for part in ("title", "number", "size", "rules", "solution")}
    return CaptionSpec(in_image=bool(asked), grade=mark, **marked)


@dataclass(frozen=True, slots=True)
class Caption:
    """One board's words.

    Args:
        heading: in strong type above the board; may be empty.
        details: beside it, or under it where there is no room.
        stars: 1 to 5 filled ones of five, None for none.
        rules: in small type below the board; may be empty.
        note: below the board, last; may be empty.
    """

    heading: str = ""
    details: str = ""
    stars: int | None = None
    rules: str = ""
    note: str = ""


@dataclass(frozen=True)
class ShownPuzzle:
    """A puzzle as images show it.

    Args:
        grade: None where there is none.
        stars: 1 to 5; None without a grade.
        solve: returns the only solution, when it is needed.
        title: of its book or feed; may be empty.
    """

    puzzle: Puzzle
    number: int
    grade: Grade | None
    stars: int | None
    fingerprint: str
    solve: Callable[[], Solution]
    title: str = ""


def shown_puzzle(record: PuzzleRecord, number: int, title: str = "") -> ShownPuzzle:
    """A made puzzle with its printed number, and the title of its book or feed."""
    return ShownPuzzle(
        record.puzzle,
        number,
        record.grade,
        record.printed_stars,
        record.fingerprint,
        lambda: record.solution,
        title,
    )


def puzzle_caption(
    shown: ShownPuzzle,
    style: CaptionSpec,
    words: Words,
    days: tuple[datetime.date, datetime.date] | None = None,
) -> Caption:
    """Return the words at a puzzle.

    Args:
        days: of this issue and of the one with the solution; the next day's issue if None.
    """
    heading = _name(shown, style, words)
    later = words.solution_on_day(days[1], days[0]) if days else words.solution_tomorrow
    note = later if style.solution else ""
    rules = words.rules_of((shown.puzzle,)) if style.rules else ""
    stars = shown.stars if style.grade is GradeMark.STARS else None
    return Caption(heading, _details(shown, style, words), stars, rules, note)


def solution_caption(
    shown: ShownPuzzle,
    style: CaptionSpec,
    words: Words,
    days: tuple[datetime.date, datetime.date] | None = None,
) -> Caption:
    """Return the words at a solution.

    Args:
        style: which parts; the rules are left out.
        days: of the puzzle's issue and of this one; None says nothing of days.
    """
    if style.solution and days is not None:
        return Caption(words.solution_of_day(*days), _name(shown, style, words))
    return Caption(words.say(words.solution_number, number=shown.number) if style.number else "")


def _name(shown: ShownPuzzle, style: CaptionSpec, words: Words) -> str:
    if style.title and shown.title:
        return f"{shown.title} {shown.number}" if style.number else shown.title
    return words.say(words.puzzle, number=shown.number) if style.number else ""


def _details(shown: ShownPuzzle, style: CaptionSpec, words: Words) -> str:
    parts = []
    if style.size:
        grid = shown.puzzle.grid
        parts.append(words.say(words.size, cols=grid.cols, rows=grid.rows))
    if style.grade is GradeMark.WORDS and shown.grade:
        parts.append(words.grades[shown.grade])
    return " · ".join(parts)
