"""How to play: the rules, a worked example, where to begin."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from linkpress.book.level import LevelSpec
from linkpress.book.printing_keys import GradeMark
from linkpress.book.volume import NumberedPuzzle
from linkpress.engine.recipe import Grade
from linkpress.layout.boards.board_frames import board_frame
from linkpress.layout.boards.ornaments import half_way, worked_example
from linkpress.layout.book_parts.grades import (
    explains_grades,
    grade_blocks,
    grade_lines,
    grades_allowed,
    grades_of,
)
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

EXAMPLE_GAP = 0.07  # of the column, between the three boards
LARGEST_CELL_PT = 30.0
RULE_GAP = 0.45  # of the size, above each rule
TIP_GAP = 0.45
CAPTION_LEADING = 1.25


@dataclass(frozen=True, slots=True)
class _Topics:
    """Topics are what the rules of one book explain and those of another do not."""

    solids: bool
    grades: tuple[Grade | None, ...]


@dataclass(frozen=True)
class HowtoPart(Part):
    """The pages before the first level."""

    place = HOWTO_PLACE

    puzzles: Sequence[NumberedPuzzle]
    levels: Sequence[LevelSpec]

    @cached_property
    def count(self) -> int:
        """It takes as many pages as its text needs with all that the spec allows: a plan knows no more."""
        return len(self._set(self._most, self._least))

    def compose(self, numbers: Sequence[int], index: Index) -> Iterator[Page]:
        """Compose the pages."""
        title, columns = self.setting.words.how_to_play, self._columns
        return text_pages(self, "howto", title, columns, numbers[: len(columns)])

    @cached_property
    def _columns(self) -> Columns:
        """The pages' items; in large type where it needs no page more."""
        scale = self.setting.theme.type
        topics = _Topics(have_solids(self.puzzles), grades_of(self.puzzles))
        for size in (scale.number, scale.body):
            columns = self._set(topics, size)
            if len(columns) <= 1 + self._apart and size >= self._least:
                return columns
        return self._set(topics, self._least)

    @cached_property
    def _most(self) -> _Topics:
        """Return all that may have to be explained, by what the levels ask for and by what there is."""
        asked = {grade for level in self.levels for grade in grades_allowed(level)}
        asked |= set(grades_of(self.puzzles))
        solids = have_solids(self.puzzles) or any(level.may_have_solids for level in self.levels)
        return _Topics(solids, tuple(grade for grade in (*Grade, None) if grade in asked))

    @cached_property
    def _apart(self) -> bool:
        """Return whether the grades begin a page, since one page does not hold everything."""
        graded = any(grade is not None for grade in self._most.grades)
        return graded and not self._fits_one_page(self._least)

    @cached_property
    def _least(self) -> float:
        """The smallest type: the text's, or the captions' where that saves a second page."""
        scale = self.setting.theme.type
        saves = not self._fits_one_page(scale.body) and self._fits_one_page(scale.caption)
        return scale.caption if saves else scale.body

    def _fits_one_page(self, size: float) -> bool:
        return len(self._flow([*chain(*self._chapters(self._most, size))], size)) == 1

    def _set(self, topics: _Topics, size: float) -> Columns:
        """Columns in type of a size, in the coordinates of a recto."""
        rules, tips, grades = self._chapters(topics, size)
        if not self._apart:
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
        """The rules with the example, what is good to know, and the grades."""
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
    words = setting.words
    intro = Block((Text(words.rules_intro, strong=True),), size, LEADING * size)
    rules = [
        text_block(
            rule,
            size,
            before_pt=RULE_GAP * size,
            indent_pt=1.6 * size,
            hang_pt=1.6 * size,
            marker=str(number),
        )
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
    """Puzzle, half-way and solved, side by side, captions under them."""
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
