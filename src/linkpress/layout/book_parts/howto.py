"""How-to-play pages: the rules, a worked example, where to begin, and what the grades mean."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from linkpress.book.key_values import all_targets
from linkpress.book.level import IfGradeMissing, LevelSpec
from linkpress.book.printing_keys import GradeMark
from linkpress.book.volume import NumberedPuzzle
from linkpress.engine.recipe import Grade
from linkpress.engine.rulesets import ruleset_of
from linkpress.layout.boards import board_frame, half_way, worked_example
from linkpress.layout.book_parts import Part, text_pages
from linkpress.layout.frame import Anchor, FontKey, Page, Placed, grey
from linkpress.layout.measure import set_text
from linkpress.layout.page_draft import HOWTO_PLACE, Index, PageDraft, text_column
from linkpress.layout.setting import Setting
from linkpress.layout.text_flow import (
    LEADING,
    Block,
    Columns,
    Movable,
    PictureRow,
    Text,
    break_lines,
    flow,
    heading_block,
    text_block,
)
from linkpress.layout.theme import SolutionStyle, Theme
from linkpress.puzzle.puzzle import Solution
from linkpress.words.language import ByGrade, Words

ITEM_GAP = 0.45  # space above each rule, tip and grade, as a share of the type size
EXAMPLE_GAP = 0.07  # gap between the three boards of the example, as a share of the column's width
LARGEST_CELL_PT = 30.0  # largest side of a square on the boards of the worked example
CAPTION_LEADING = 1.25  # distance between baselines of the example's captions, as a multiple of the type size


@dataclass(frozen=True, slots=True)
class _Topics:
    """Topics that some books explain and others don't."""

    solids: bool
    grades: tuple[Grade | None, ...]


@dataclass(frozen=True)
class HowtoPart(Part):
    """How-to-play pages.

    The page count must not depend on the puzzles, because it is planned before they are made. So pages are
    counted for all topics that the spec allows, even if the finished book needs fewer.
    """

    place = HOWTO_PLACE

    @cached_property
    def count(self) -> int:
        return len(self._columns_in(self._possible_topics, self._smallest_type))

    def compose(self, numbers: Sequence[int], index: Index) -> Iterator[Page]:
        title, columns = self.setting.words.how_to_play, self._columns
        return text_pages(self, "howto", title, columns, numbers[: len(columns)])

    @cached_property
    def _columns(self) -> Columns:
        """The text of each page, set in the largest type that needs no additional page."""
        scale = self.setting.theme.type
        topics = _Topics(self.setting.edition.has_solids, grades_of(self.setting.edition.puzzles))
        for size in (scale.number, scale.body):
            columns = self._columns_in(topics, size)
            if len(columns) <= 1 + self._grades_begin_page and size >= self._smallest_type:
                return columns
        return self._columns_in(topics, self._smallest_type)

    @cached_property
    def _possible_topics(self) -> _Topics:
        """The topics that the levels' keys allow, and those that the puzzles need."""
        edition, levels = self.setting.edition, self.setting.spec.levels
        possible = {grade for level in levels for grade in grades_allowed(level)}
        possible |= set(grades_of(edition.puzzles))
        solids = edition.has_solids or any(level.may_have_solids for level in levels)
        return _Topics(solids, tuple(grade for grade in (*Grade, None) if grade in possible))

    @cached_property
    def _grades_begin_page(self) -> bool:
        """Whether the grades begin a new page, because one page can't hold everything."""
        graded = any(grade is not None for grade in self._possible_topics.grades)
        return graded and not self._fits_one_page(self._smallest_type)

    @cached_property
    def _smallest_type(self) -> float:
        """The smallest type for these pages: body type, or caption type if that saves the second page."""
        scale = self.setting.theme.type
        saves = not self._fits_one_page(scale.body) and self._fits_one_page(scale.caption)
        return scale.caption if saves else scale.body

    def _fits_one_page(self, size: float) -> bool:
        return len(self._flow([*chain(*self._chapters(self._possible_topics, size))], size)) == 1

    def _columns_in(self, topics: _Topics, size: float) -> Columns:
        """Set the text in type of this size, placed as on a right-hand page."""
        rules, tips, grades = self._chapters(topics, size)
        if not self._grades_begin_page:
            return self._flow([*rules, *tips, *grades], size)
        # Try a page break before the grades, a page break before the tips, and no page break. Take the
        # division with the fewest pages, or the first of several such divisions.
        divisions = [([*rules, *tips], grades), (rules, [*tips, *grades]), ([*rules, *tips, *grades], [])]
        return min(
            ([*self._flow(first, size), *self._flow(second, size)] for first, second in divisions), key=len
        )

    def _flow(self, blocks: list[Block | PictureRow], size: float) -> Columns:
        if not blocks:
            return []
        # Small type has longer lines than usual: its column is as wide as a column of body type.
        column = text_column(PageDraft(self.setting, 1), max(size, self.setting.theme.type.body))
        return flow(blocks, column, self.setting.measure)

    def _chapters(self, topics: _Topics, size: float) -> list[list[Block | PictureRow]]:
        """Return three lists of blocks: the rules with the example, the tips, and the grades."""
        setting = self.setting
        rules = _rules(setting, size, topics.solids)
        example = worked_example(self.setting.edition.has_solids)
        rules.append(_example(setting, size, PageDraft(setting, 1).live.width, example))
        named = topics.grades if explains_grades(setting) else ()
        grades = grade_blocks(setting, size, named, grade_lines(setting.words, self.setting.spec.levels))
        if setting.spec.captions.grade is GradeMark.STARS and setting.words.stars_line:
            grades.append(text_block(setting.words.stars_line, size, before_pt=ITEM_GAP * size))
        return [rules, [*_tips(setting, size)], [*grades]]


def _rules(setting: Setting, size: float, solids: bool) -> list[Block | PictureRow]:
    words, hang = setting.words, 1.6 * size
    intro = Block((Text(words.rules_intro, strong=True),), size, LEADING * size)
    rules = [
        text_block(rule, size, before_pt=ITEM_GAP * size, indent_pt=hang, hang_pt=hang, marker=str(number))
        for number, rule in enumerate(words.rules_solids if solids else words.rules, start=1)
    ]
    return [intro, *rules]


def _tips(setting: Setting, size: float) -> list[Block]:
    words, heading = setting.words, max(setting.theme.type.heading, 1.15 * size)
    tips = [
        text_block(tip, size, before_pt=ITEM_GAP * size, with_next=number < len(words.tips))
        for number, tip in enumerate(words.tips, start=1)
    ]
    return [heading_block(words.tips_title, heading, before_pt=1.7 * size), *tips]


def _example(setting: Setting, size: float, width: float, solution: Solution) -> PictureRow:
    """Draw the example three times side by side, with captions: unsolved, half solved and solved."""
    puzzle, measure = solution.puzzle, setting.measure
    gap = EXAMPLE_GAP * width
    outline = setting.theme.grid.outer_pt
    cell = min(((width - 2 * gap) / 3 - outline) / puzzle.grid.cols, LARGEST_CELL_PT)
    theme = theme_with_lines(setting.theme)
    caption = setting.theme.type.caption
    captions = [
        break_lines(text_block(text, caption), cell * puzzle.grid.cols + outline, measure)
        for text in setting.words.example_captions
    ]
    height = (1.9 + CAPTION_LEADING * (max(map(len, captions)) - 1)) * caption
    items: list[Movable] = []
    states = {"puzzle": None, "half": half_way(solution), "solved": solution}
    for index, (name, state) in enumerate(states.items()):
        frame = board_frame(puzzle, state, cell, theme, measure, setting.min_text_pt, whole=solution)
        x = index * (frame.width_pt + gap)
        items.append(Placed(f"example-{name}", frame, x, height))
        for lines_above, line in enumerate(captions[index]):
            point = (x, height - (1.5 + CAPTION_LEADING * lines_above) * caption)
            items.append(set_text(line.text, point, FontKey.REGULAR, caption, measure, Anchor.START))
    return PictureRow(tuple(items), height + frame.height_pt, before_pt=1.4 * size)


def theme_with_lines(theme: Theme) -> Theme:
    """Return the theme, changed to draw answers as lines if it draws them as shaded areas.

    Readers draw lines, so the example must show lines.
    """
    if theme.solutions.style is not SolutionStyle.SHADED:
        return theme
    lines = {"style": SolutionStyle.LINE, "inks": (grey(0.4),)}
    return theme.model_copy(update={"solutions": theme.solutions.model_copy(update=lines)})


# Grades


def grades_of(puzzles: Iterable[NumberedPuzzle]) -> tuple[Grade | None, ...]:
    """Return the grades that puzzles have, the easiest first. None comes last if a puzzle has no grade."""
    present = {puzzle.record.grade for puzzle in puzzles}
    return tuple(grade for grade in (*Grade, None) if grade in present)


def grades_allowed(level: LevelSpec) -> tuple[Grade | None, ...]:
    """Return the grades that a level's puzzles may have; None stands for puzzles without a grade.

    The how-to-play pages keep room to explain all these grades. So the finished book has as many pages as
    planned, whatever grades its puzzles turn out to have.
    """
    if level.grade is None or level.otherwise is IfGradeMissing.NEAREST:
        return (*Grade, None)
    ranges = all_targets(level.grade)
    return tuple(grade for grade in Grade if any(low <= grade <= high for low, high in ranges))


def explains_grades(setting: Setting) -> bool:
    """Return whether the book explains grades: its captions show them, or its levels allow several."""
    if setting.spec.captions.grade is not GradeMark.NONE:
        return True
    return len({grade for level in setting.spec.levels for grade in grades_allowed(level)}) > 1


def grade_blocks(
    setting: Setting, size_pt: float, grades: Sequence[Grade | None], lines: ByGrade
) -> list[Block]:
    """Return a heading and an explanation of each grade; an empty list if no puzzle has a grade.

    Args:
        lines: the explanation of each grade.
    """
    named = [grade for grade in grades if grade is not None]
    if not named:
        return []
    words, heading = setting.words, max(setting.theme.type.heading, 1.15 * size_pt)
    gap = ITEM_GAP * size_pt
    indent = size_pt + max(
        setting.measure.width(words.grades[grade], FontKey.SEMIBOLD, size_pt) for grade in named
    )
    blocks = [
        heading_block(words.grades_title, heading, before_pt=1.7 * size_pt),
        text_block(words.grades_intro, size_pt, before_pt=gap, with_next=True),
    ]
    blocks += [
        text_block(
            lines[grade],
            size_pt,
            before_pt=gap,
            indent_pt=indent,
            hang_pt=indent,
            marker=words.grades[grade],
            with_next=grade is not grades[-1],
        )
        for grade in named
    ]
    if None in grades:
        blocks.append(text_block(words.no_grade, size_pt, before_pt=gap))
    return blocks


def section_grades(
    words: Words, size_pt: float, name: str, grades: Sequence[Grade | None], lines: ByGrade
) -> Block | None:
    """Return a paragraph with a level's grades and the explanation of the hardest grade.

    The paragraph is None if one of the level's puzzles has no grade.

    Args:
        name: the level's heading. If it has the same words as the list of grades, the list is left out.
        lines: the explanation of each grade.
    """
    named = [grade for grade in grades if grade is not None]
    if len(named) != len(grades):
        return None
    names = words.listed([words.grades[grade] for grade in named])
    hardest = lines[named[-1]]
    if names != name:
        spans = [Text(names, strong=True), Text(f"  {hardest}")]
    else:
        spans = [Text(hardest if len(named) == 1 else f"  {hardest}")]
    return Block(tuple(spans), size_pt, LEADING * size_pt)


def grade_lines(words: Words, levels: Sequence[LevelSpec]) -> ByGrade:
    """Return the explanation of each grade. It differs if all levels forbid paths that touch themselves."""
    apart = all(ruleset_of(level.unique).paths_stay_apart for level in levels)
    return words.strict_grade_lines if apart else words.grade_lines
