"""These pages explain the game: the rules, a worked example, where to begin, and what the grades mean."""

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
from linkpress.layout.boards.board_frames import board_frame
from linkpress.layout.boards.ornaments import half_way, worked_example
from linkpress.layout.edition import HOWTO_PLACE, Index, Part, Setting, have_solids
from linkpress.layout.frame import Anchor, FontKey, Page, Placed, grey
from linkpress.layout.measure import set_text
from linkpress.layout.page_draft import Columns, PageDraft, text_column, text_pages
from linkpress.layout.text_flow import (
    LEADING,
    Block,
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

EXAMPLE_GAP = 0.07  # of the column, between the three boards
LARGEST_CELL_PT = 30.0
RULE_GAP = 0.45  # of the size, above each rule
TIP_GAP = 0.45
LINE_GAP = 0.45  # of the size, above each grade
CAPTION_LEADING = 1.25


@dataclass(frozen=True, slots=True)
class _Topics:
    """Topics are what the rules of one book explain and those of another do not."""

    solids: bool
    grades: tuple[Grade | None, ...]


@dataclass(frozen=True)
class HowtoPart(Part):
    """The how-to-play pages stand before the first level."""

    place = HOWTO_PLACE

    puzzles: Sequence[NumberedPuzzle]
    levels: Sequence[LevelSpec]

    @cached_property
    def count(self) -> int:
        """Count the pages that the text needs with all that the spec allows: a plan knows no more."""
        return len(self._columns_in(self._possible_topics, self._smallest_type))

    def compose(self, numbers: Sequence[int], index: Index) -> Iterator[Page]:
        """Compose the pages."""
        title, columns = self.setting.words.how_to_play, self._columns
        return text_pages(self, "howto", title, columns, numbers[: len(columns)])

    @cached_property
    def _columns(self) -> Columns:
        """Return the pages' items; in large type where that needs no page more."""
        scale = self.setting.theme.type
        topics = _Topics(have_solids(self.puzzles), grades_of(self.puzzles))
        for size in (scale.number, scale.body):
            columns = self._columns_in(topics, size)
            if len(columns) <= 1 + self._grades_begin_page and size >= self._smallest_type:
                return columns
        return self._columns_in(topics, self._smallest_type)

    @cached_property
    def _possible_topics(self) -> _Topics:
        """Return all that may have to be explained, by what the levels ask for and by what there is."""
        asked = {grade for level in self.levels for grade in grades_allowed(level)}
        asked |= set(grades_of(self.puzzles))
        solids = have_solids(self.puzzles) or any(level.may_have_solids for level in self.levels)
        return _Topics(solids, tuple(grade for grade in (*Grade, None) if grade in asked))

    @cached_property
    def _grades_begin_page(self) -> bool:
        """Tell whether the grades begin a page, since one page does not hold everything."""
        graded = any(grade is not None for grade in self._possible_topics.grades)
        return graded and not self._fits_one_page(self._smallest_type)

    @cached_property
    def _smallest_type(self) -> float:
        """Return the smallest type: the text's, or the captions' where that saves a second page."""
        scale = self.setting.theme.type
        saves = not self._fits_one_page(scale.body) and self._fits_one_page(scale.caption)
        return scale.caption if saves else scale.body

    def _fits_one_page(self, size: float) -> bool:
        return len(self._flow([*chain(*self._chapters(self._possible_topics, size))], size)) == 1

    def _columns_in(self, topics: _Topics, size: float) -> Columns:
        """Set columns in type of a size, in the coordinates of a recto."""
        rules, tips, grades = self._chapters(topics, size)
        if not self._grades_begin_page:
            return self._flow([*rules, *tips, *grades], size)
        # The tips stand below the rules, unless that takes a page more; all run on where that saves one.
        tried = [([*rules, *tips], grades), (rules, [*tips, *grades]), ([*rules, *tips, *grades], [])]
        return min(
            ([*self._flow(first, size), *self._flow(second, size)] for first, second in tried), key=len
        )

    def _flow(self, blocks: list[Block | PictureRow], size: float) -> list[list[tuple[Movable, ...]]]:
        # Small type, taken to save a page, keeps the width of the body's column.
        if not blocks:
            return []
        column = text_column(PageDraft(self.setting, 1), max(size, self.setting.theme.type.body))
        return flow(blocks, column, self.setting.measure)

    def _chapters(self, topics: _Topics, size: float) -> list[list[Block | PictureRow]]:
        """Return the blocks of the rules with the example, of the tips, and of the grades."""
        setting = self.setting
        rules = _rules(setting, size, topics.solids)
        solution = worked_example(have_solids(self.puzzles))
        rules.append(_example(setting, size, PageDraft(setting, 1).live.width, solution))
        named = topics.grades if explains_grades(setting, self.levels) else ()
        grades = grade_blocks(setting, size, named, grade_lines(setting.words, self.levels))
        if setting.captions.grade is GradeMark.STARS and setting.words.stars_line:
            grades.append(text_block(setting.words.stars_line, size, before_pt=TIP_GAP * size))
        return [rules, [*_tips(setting, size)], [*grades]]


def _rules(setting: Setting, size: float, solids: bool) -> list[Block | PictureRow]:
    words, gap, hang = setting.words, RULE_GAP * size, 1.6 * size
    intro = Block((Text(words.rules_intro, strong=True),), size, LEADING * size)
    rules = [
        text_block(rule, size, before_pt=gap, indent_pt=hang, hang_pt=hang, marker=str(number))
        for number, rule in enumerate(words.rules_solids if solids else words.rules, start=1)
    ]
    return [intro, *rules]


def _tips(setting: Setting, size: float) -> list[Block]:
    words, heading = setting.words, max(setting.theme.type.heading, 1.15 * size)
    tips = [
        text_block(tip, size, before_pt=TIP_GAP * size, with_next=number < len(words.tips))
        for number, tip in enumerate(words.tips, start=1)
    ]
    return [heading_block(words.tips_title, heading, before_pt=1.7 * size), *tips]


def _example(setting: Setting, size: float, width: float, solution: Solution) -> PictureRow:
    """Draw the board as puzzle, half solved and solved, side by side, captions under them."""
    puzzle = solution.puzzle
    gap = EXAMPLE_GAP * width
    outline = setting.theme.grid.outer_pt
    cell = min(((width - 2 * gap) / 3 - outline) / puzzle.grid.cols, LARGEST_CELL_PT)
    theme = theme_with_lines(setting.theme)
    drawn = (None, half_way(solution), solution)
    caption = setting.theme.type.caption
    items: list[Movable] = []
    captions = [
        break_lines(text_block(text, caption), cell * puzzle.grid.cols + outline, setting.measure)
        for text in setting.words.example_captions
    ]
    height = (1.9 + CAPTION_LEADING * (max(map(len, captions)) - 1)) * caption
    for index, (name, state) in enumerate(zip(("puzzle", "half", "solved"), drawn, strict=True)):
        frame = board_frame(puzzle, state, cell, theme, setting.measure, setting.min_text_pt, solution)
        x = index * (frame.width_pt + gap)
        items.append(Placed(f"example-{name}", frame, x, height))
        for down, line in enumerate(captions[index]):
            foot = (x, height - (1.5 + CAPTION_LEADING * down) * caption)
            items.append(set_text(line.text, foot, FontKey.REGULAR, caption, setting.measure, Anchor.START))
    return PictureRow(tuple(items), height + frame.height_pt, before_pt=1.4 * size)


def theme_with_lines(theme: Theme) -> Theme:
    """Return the theme with lines for answers: readers draw lines, even where a book's answers are areas."""
    if theme.solutions.style is not SolutionStyle.SHADED:
        return theme
    lines = {"style": SolutionStyle.LINE, "inks": (grey(0.4),)}
    return theme.model_copy(update={"solutions": theme.solutions.model_copy(update=lines)})


def grades_of(puzzles: Iterable[NumberedPuzzle]) -> tuple[Grade | None, ...]:
    """Return the grades that occur, from the easiest; None, last, where a puzzle has none."""
    found = {puzzle.record.grade for puzzle in puzzles}
    without = (None,) if None in found else ()
    return (*(grade for grade in Grade if grade in found), *without)


def grades_allowed(level: LevelSpec) -> tuple[Grade | None, ...]:
    """Return the grades that a level's puzzles may have; all, and none, if it asks for none or the nearest.

    Room to explain them is kept in any case, so that a book has as many pages as its plan.
    """
    if level.grade is None or level.otherwise is IfGradeMissing.NEAREST:
        return (*Grade, None)
    ranges = all_targets(level.grade)
    return tuple(grade for grade in Grade if any(low <= grade <= high for low, high in ranges))


def explains_grades(setting: Setting, levels: Sequence[LevelSpec]) -> bool:
    """Tell whether grades mean something to a reader: they differ, or stand in the captions."""
    if setting.captions.grade is not GradeMark.NONE:
        return True
    return len({grade for level in levels for grade in grades_allowed(level)}) > 1


def grade_blocks(
    setting: Setting, size_pt: float, grades: Sequence[Grade | None], lines: ByGrade
) -> list[Block]:
    """Return what each grade takes, under a heading, in one block; nothing where no puzzle has a grade."""
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
    """Return a section's grades with what the hardest takes; None where a puzzle has no grade."""
    named = [grade for grade in grades if grade is not None]
    if len(named) != len(grades):
        return None
    names = words.listed([words.grades[grade] for grade in named])
    parts = [] if names == name else [Text(names, strong=True)]  # not what the section's name says
    if len(named) == 1:
        parts.append(Text(f"{'  ' if parts else ''}{lines[named[0]]}"))
    else:
        parts.append(Text(f"  {lines[named[-1]]}"))  # the most that the section asks for
    return Block(tuple(parts), size_pt, LEADING * size_pt) if parts else None


def grade_lines(words: Words, levels: Sequence[LevelSpec]) -> ByGrade:
    """Return what each grade takes; the strict words are for books where no line runs beside itself."""
    untouching = all(level.unique.untouching for level in levels)
    return words.strict_grade_lines if untouching else words.grade_lines
