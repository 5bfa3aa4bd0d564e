"""The grades in words, for the book whose captions name them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from linkpress.book.level import IfGradeMissing, LevelSpec
from linkpress.book.printing_keys import GradeMark
from linkpress.book.recipe_values import all_asked
from linkpress.book.volume import NumberedPuzzle
from linkpress.engine.recipe import Grade
from linkpress.layout.edition import Setting
from linkpress.layout.frame import FontKey
from linkpress.layout.text_flow import LEADING, Block, Text, heading_block, text_block
from linkpress.words.phrases import ByGrade
from linkpress.words.wording import Words

LINE_GAP = 0.45  # of the size, above each grade


def grades_of(puzzles: Iterable[NumberedPuzzle]) -> tuple[Grade | None, ...]:
    """The grades that occur, from the easiest; None, last, where a puzzle has none."""
    found = {puzzle.record.grade for puzzle in puzzles}
    without = (None,) if None in found else ()
    return (*(grade for grade in Grade if grade in found), *without)


def grades_allowed(level: LevelSpec) -> tuple[Grade | None, ...]:
    """The grades that a level's puzzles may have; all, and none, where it asks for none or takes the nearest.

    Room to explain them is kept in any case, so that a book has as many pages as its plan.
    """
    if level.grade is None or level.otherwise is IfGradeMissing.NEAREST:
        return (*Grade, None)
    ranges = all_asked(level.grade)
    return tuple(grade for grade in Grade if any(low <= grade <= high for low, high in ranges))


def explains_grades(setting: Setting, levels: Sequence[LevelSpec]) -> bool:
    """Return whether grades mean something to a reader: they differ, or stand in the captions."""
    if setting.captions.grade is not GradeMark.NONE:
        return True
    return len({grade for level in levels for grade in grades_allowed(level)}) > 1


def grade_blocks(
    setting: Setting, size_pt: float, grades: Sequence[Grade | None], lines: ByGrade
) -> list[Block]:
    """Return what each grade takes, under a heading: one block that keeps together.

    Returns:
        Nothing where no puzzle has a grade.
    """
    named = [grade for grade in grades if grade is not None]
    if not named:
        return []
    words, heading = setting.words, max(setting.theme.type.heading, 1.15 * size_pt)
    indent = size_pt + max(
        setting.measure.width(words.grades[grade], FontKey.SEMIBOLD, size_pt) for grade in named
    )
    blocks = [
        heading_block(words.grades_title, heading, before_pt=1.7 * size_pt),
        text_block(words.grades_intro, size_pt, before_pt=LINE_GAP * size_pt, with_next=True),
    ]
    blocks += [
        text_block(
            lines[grade],
            size_pt,
            before_pt=LINE_GAP * size_pt,
            indent_pt=indent,
            hang_pt=indent,
            marker=words.grades[grade],
            with_next=grade is not grades[-1],
        )
        for grade in named
    ]
    if None in grades:
        blocks.append(text_block(words.no_grade, size_pt, before_pt=LINE_GAP * size_pt))
    return blocks


def section_grades(
    words: Words, size_pt: float, name: str, grades: Sequence[Grade | None], lines: ByGrade
) -> Block | None:
    """A section's grades with what the hardest takes.

    Args:
        name: of the section; a grade of that name is not named again.
    Returns:
        None where a puzzle has no grade.
    """
    named = [grade for grade in grades if grade is not None]
    if len(named) != len(grades):
        return None
    names = words.listed([words.grades[grade] for grade in named])
    parts = [] if names == name else [Text(names, strong=True)]
    if len(named) == 1:
        parts.append(Text(f"{'  ' if parts else ''}{lines[named[0]]}"))
    elif named:
        parts.append(Text(f"  {lines[named[-1]]}"))  # the most that the section asks for
    return Block(tuple(parts), size_pt, LEADING * size_pt) if parts else None


def grade_lines(words: Words, levels: Sequence[LevelSpec]) -> ByGrade:
    """Return what each grade takes; that no line runs beside itself is not to be known of filled puzzles."""
    untouching = all(level.unique.untouching for level in levels)
    return words.strict_grade_lines if untouching else words.grade_lines
