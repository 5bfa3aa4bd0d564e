"""How to play: the rules, a worked example, where to begin."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from linkpress.layout.board import BoardSetter
from linkpress.layout.edition import Setting
from linkpress.layout.flow import Picture, flow
from linkpress.layout.frame import Anchor, Figure, FontKey, Item, Page, Placed, grey
from linkpress.layout.leaf import Leaf
from linkpress.layout.lines import LEADING, Block, Span, heading_block, text_block
from linkpress.layout.measure import set_text
from linkpress.layout.motif import half_way, worked_example
from linkpress.layout.parts import HOWTO_PLACE, Index
from linkpress.layout.text_pages import TextHead, text_column, text_pages
from linkpress.layout.theme import SolutionStyle, Theme

EXAMPLE_GAP = 0.07  # of the column, between the three boards
LARGEST_CELL_PT = 30.0
RULE_GAP = 0.45  # of the size, above each rule
TIP_GAP = 0.45


@dataclass(frozen=True)
class HowtoPart:
    """The pages before the first level."""

    setting: Setting
    recto: bool = False
    one_sided: bool = False

    @property
    def count(self) -> int:
        """As many pages as the text needs."""
        return len(self._columns)

    def places(self, numbers: Sequence[int]) -> Index:
        """Its first page."""
        return {HOWTO_PLACE: numbers[0]}

    def compose(self, numbers: Sequence[int], index: Index) -> Iterator[Page]:
        """The pages."""
        head = TextHead("howto", HOWTO_PLACE, self.setting.words.how_to_play)
        return text_pages(self.setting, head, self._columns, numbers)

    @cached_property
    def _columns(self) -> list[list[tuple[Item, ...]]]:
        """The pages' items, in the coordinates of a recto; in large type where one page holds them."""
        leaf, scale = Leaf(self.setting, 1), self.setting.theme.type
        for size in (scale.number, scale.body):
            blocks = _blocks(self.setting, size, leaf.live.width)
            columns = flow(blocks, text_column(leaf, size), self.setting.measure)
            if len(columns) == 1:
                break
        return columns


def _blocks(setting: Setting, size: float, width: float) -> list[Block | Picture]:
    """Text of a size, and the example across the whole width."""
    words, solids = setting.words, setting.edition.has_solids
    heading = max(setting.theme.type.heading, 1.15 * size)
    blocks: list[Block | Picture] = [Block((Span(words.rules_intro, strong=True),), size, LEADING * size)]
    blocks += [
        text_block(
            rule, size, before_pt=RULE_GAP * size, indent_pt=1.6 * size, hang_pt=1.6 * size, marker=str(at)
        )
        for at, rule in enumerate(words.rules_solids if solids else words.rules, start=1)
    ]
    blocks.append(_example(setting, size, width))
    blocks.append(heading_block(words.tips_title, heading, before_pt=1.7 * size))
    blocks += [
        text_block(tip, size, before_pt=TIP_GAP * size, with_next=at < len(words.tips))
        for at, tip in enumerate(words.tips, start=1)
    ]
    return blocks


def _example(setting: Setting, size: float, width: float) -> Picture:
    """Puzzle, half-way and solved, side by side, captions under them."""
    solution = worked_example(setting.edition.has_solids)
    puzzle = solution.puzzle
    gap = EXAMPLE_GAP * width
    outline = setting.theme.grid.outer_pt
    cell = min(((width - 2 * gap) / 3 - outline) / puzzle.grid.cols, LARGEST_CELL_PT)
    boards = BoardSetter(cell, _theme_with_lines(setting.theme), setting.measure, setting.min_text_pt)
    drawn = (None, half_way(solution), solution)
    caption = setting.theme.type.caption
    items: list[Item] = []
    height = 1.9 * caption
    for at, (name, state) in enumerate(zip(("puzzle", "half", "solved"), drawn, strict=True)):
        frame = boards.frame(puzzle, state, solution)
        x = at * (frame.width_pt + gap)
        items.append(Placed(Figure(f"example-{name}", frame), x, height))
        said = setting.words.example_captions[at]
        items.append(
            set_text(said, (x, 0.4 * caption), FontKey.REGULAR, caption, setting.measure, Anchor.START)
        )
    return Picture(tuple(items), height + frame.height_pt, before_pt=1.4 * size)


def _theme_with_lines(theme: Theme) -> Theme:
    """What the reader draws is a line, even where the book's answers are tinted areas."""
    if theme.solutions.style is not SolutionStyle.SHADED:
        return theme
    lines = {"style": SolutionStyle.LINE, "inks": (grey(0.4),)}
    return theme.model_copy(update={"solutions": theme.solutions.model_copy(update=lines)})
