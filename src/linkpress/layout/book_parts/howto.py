"""How-to-play pages: the rules, a worked example, and advice on where to begin."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from linkpress.layout.boards import board_frame, cell_for_size, half_way, worked_example
from linkpress.layout.book_parts import Part, text_pages
from linkpress.layout.frame import FontKey, Page, Placed, Tag, grey
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

ITEM_GAP = 0.45  # space above each rule and each tip, as a multiple of the type size
EXAMPLE_GAP = 0.07  # gap between the example's three boards, as a fraction of the column width
LARGEST_CELL_PT = 30.0  # maximum width in points of a cell on the boards of the worked example

# Distance between the baselines of the example's captions, as a multiple of the type size.
CAPTION_LEADING = 1.25


@dataclass(frozen=True)
class HowtoPart(Part):
    """How-to-play pages.

    The page count is planned before the puzzles are made, so it must not depend on the puzzles. If the spec
    allows solid squares, pages are therefore counted with the rule for solid squares, even if no puzzle has
    any.
    """

    place = HOWTO_PLACE

    @cached_property
    def count(self) -> int:
        return len(self._columns_in(self._smallest_type, solids=self._may_have_solids))

    def compose(self, numbers: Sequence[int], index: Index) -> Iterator[Page]:
        title, columns = self.setting.words.how_to_play, self._columns
        return text_pages(self, "howto", title, columns, numbers[: len(columns)])

    @cached_property
    def _columns(self) -> Columns:
        """Return the text of each page, in the largest type size that fits on one page.

        If no type size fits on one page, the smallest is used.
        """
        scale, solids = self.setting.theme.type, self.setting.has_solids
        for size in (scale.number, scale.body):
            columns = self._columns_in(size, solids=solids)
            if len(columns) <= 1 and size >= self._smallest_type:
                return columns
        return self._columns_in(self._smallest_type, solids=solids)

    @property
    def _may_have_solids(self) -> bool:
        return self.setting.has_solids or any(level.may_have_solids for level in self.setting.spec.levels)

    @cached_property
    def _smallest_type(self) -> float:
        """Return the smallest type size for these pages.

        It is the type size of captions if that saves a page, and otherwise the type size of body text.
        """
        scale = self.setting.theme.type
        saves = not self._fits_one_page(scale.body) and self._fits_one_page(scale.caption)
        return scale.caption if saves else scale.body

    def _fits_one_page(self, size: float) -> bool:
        return len(self._columns_in(size, solids=self._may_have_solids)) == 1

    def _columns_in(self, size: float, *, solids: bool) -> Columns:
        """Typeset the text in the type size ``size``, at its position on a right-hand page."""
        setting = self.setting
        blocks = [*_rules(setting, size, solids)]
        example = worked_example(setting.has_solids)
        blocks.append(_example(setting, size, PageDraft(setting, 1).live.width, example))
        blocks += _tips(setting, size)
        # In small type a line may have more characters than usual, because the column stays as wide as a
        # column of body text.
        column = text_column(PageDraft(setting, 1), max(size, setting.theme.type.body))
        return flow(blocks, column, setting.measure)


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
    """Draw the example's boards side by side with captions: unsolved, half solved and solved.

    If three boards would make the numbers too small, the half-solved board is left out.
    """
    puzzle, measure = solution.puzzle, setting.measure
    gap = EXAMPLE_GAP * width
    outline = setting.theme.grid.outer_pt
    states = {"puzzle": None, "half": half_way(solution), "solved": solution}
    texts = dict(zip(states, setting.words.example_captions, strict=True))
    cell = ((width - 2 * gap) / 3 - outline) / puzzle.grid.cols
    if cell < cell_for_size(setting.theme, measure, setting.min_text_pt):
        cell = ((width - gap) / 2 - outline) / puzzle.grid.cols
        del states["half"], texts["half"]
    cell = min(cell, LARGEST_CELL_PT)
    theme = theme_with_lines(setting.theme)
    caption = setting.theme.type.caption
    captions = [
        break_lines(text_block(text, caption), cell * puzzle.grid.cols + outline, measure)
        for text in texts.values()
    ]
    height = (1.9 + CAPTION_LEADING * (max(map(len, captions)) - 1)) * caption
    items: list[Movable] = []
    for index, (name, state) in enumerate(states.items()):
        frame = board_frame(puzzle, state, cell, theme, measure, setting.min_text_pt, whole=solution)
        x = index * (frame.width_pt + gap)
        figure, tag = Tag("Figure", alt=setting.board_in_words(puzzle, state)), Tag("P")
        items.append(Placed(f"example-{name}", frame, x, height, tag=figure))
        for lines_above, line in enumerate(captions[index]):
            point = (x, height - (1.5 + CAPTION_LEADING * lines_above) * caption)
            items.append(set_text(line.text, point, FontKey.REGULAR, caption, measure, tag=tag))
    return PictureRow(tuple(items), height + frame.height_pt, before_pt=1.4 * size)


def theme_with_lines(theme: Theme) -> Theme:
    """Return a theme that draws answers as lines, even if the book's theme draws them as shaded areas.

    Readers solve puzzles by drawing lines, so the example must show lines.
    """
    if theme.solutions.style is not SolutionStyle.SHADED:
        return theme
    lines = {"style": SolutionStyle.LINE, "inks": (grey(0.6),)}
    return theme.model_copy(update={"solutions": theme.solutions.model_copy(update=lines)})
