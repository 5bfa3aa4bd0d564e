"""Running text: blocks to columns, no widows and no orphans."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from linkpress.layout.frame import FontKey, Item, Placed, TextRun
from linkpress.layout.geometry import Area
from linkpress.layout.measure import Measure, font_for
from linkpress.layout.text.lines import Block, Text, TextLine, break_lines, set_lines

SLACK_PT = 0.01  # lost in sums
KEEP_LINES = 2  # of a paragraph, at the foot and at the head of a page


@dataclass(frozen=True, slots=True)
class PictureRow:
    """A row of drawings that keeps together, given relative to its bottom left corner."""

    items: tuple[Item, ...]
    height_pt: float
    before_pt: float = 0.0
    with_next: bool = False


def flow(blocks: Sequence[Block | PictureRow], area: Area, measure: Measure) -> list[list[tuple[Item, ...]]]:
    """Set blocks into columns as large as an area.

    Args:
        blocks: in reading order.
        area: of each column; items are given in its page's coordinates.
        measure: measures the words.
    Returns:
        For each column its blocks' items, in order. At least one column.
    """
    column = _Column(area, measure)
    for group in _groups(blocks):
        column.add(group)
    return column.done


def _groups(blocks: Sequence[Block | PictureRow]) -> Iterator[list[Block | PictureRow]]:
    """Headings with what follows them."""
    group: list[Block | PictureRow] = []
    for block in blocks:
        group.append(block)
        if not block.with_next:
            yield group
            group = []
    if group:
        yield group


class _Column:
    """Fills columns from the top, a new one when a group does not fit."""

    def __init__(self, area: Area, measure: Measure) -> None:
        self._area = area
        self._bottom = area.y
        self._measure = measure
        self._y = area.top
        self.done: list[list[tuple[Item, ...]]] = [[]]

    def add(self, group: list[Block | PictureRow]) -> None:
        broken = [
            set_lines(block, self._area.width - block.indent_pt, self._measure)
            if isinstance(block, Block)
            else []
            for block in group
        ]
        if self._least_height(group, broken) > self._y - self._bottom + SLACK_PT and self.done[-1]:
            self._turn()
        for block, lines in zip(group, broken, strict=True):
            if isinstance(block, PictureRow):
                self._place(block)
            else:
                self._write(block, lines)

    def _turn(self) -> None:
        self.done.append([])
        self._y = self._area.top

    def _least_height(self, group: list[Block | PictureRow], broken: list[list[TextLine]]) -> float:
        """What of a group must stand together: all of it but the last block's later lines."""
        height = 0.0
        for at, (block, lines) in enumerate(zip(group, broken, strict=True)):
            height += block.before_pt
            if isinstance(block, PictureRow):
                height += block.height_pt
                continue
            last = at == len(group) - 1
            kept = len(lines) if not last or len(lines) < 2 * KEEP_LINES else KEEP_LINES
            height += kept * block.leading_pt
        return height

    def _space_before(self, block: Block | PictureRow) -> None:
        if self.done[-1]:
            self._y -= block.before_pt

    def _place(self, picture: PictureRow) -> None:
        self._space_before(picture)
        self._y -= picture.height_pt
        self.done[-1].append(tuple(shifted(item, self._area.x, self._y) for item in picture.items))

    def _write(self, block: Block, lines: list[TextLine]) -> None:
        self._space_before(block)
        items: list[Item] = []
        for at, line in enumerate(lines):
            left = len(lines) - at
            if self._y - block.leading_pt < self._bottom - SLACK_PT or (
                left == KEEP_LINES and at >= KEEP_LINES and self._room(block) < KEEP_LINES
            ):
                self.done[-1].append(tuple(items))
                items = []
                self._turn()
            self._y -= block.leading_pt
            items += self._line(block, line, first=at == 0)
        self.done[-1].append(tuple(items))

    def _room(self, block: Block) -> int:
        return int((self._y - self._bottom + SLACK_PT) / block.leading_pt)

    def _line(self, block: Block, line: TextLine, first: bool) -> list[Item]:
        # The baseline stands so that the x-height is about centred in the leading.
        y = self._y + (block.leading_pt - block.size_pt) / 2 + 0.22 * block.size_pt
        items: list[Item] = []
        if first and block.marker:
            face = font_for(block.marker, FontKey.SEMIBOLD, self._measure, block.where)
            items.append(
                self._run(self._area.x + block.indent_pt - block.hang_pt, y, block.marker, face, block)
            )
        for x, text, face in line.runs:
            items.append(self._run(self._area.x + block.indent_pt + x, y, text, face, block))
        return items

    def _run(self, x: float, y: float, text: str, face: FontKey, block: Block) -> TextRun:
        width = self._measure.width(text, face, block.size_pt)
        return TextRun(x, y, text, face, block.size_pt, width, block.ink)


def shifted(item: Item, dx: float, dy: float) -> Item:
    """A text run or placed figure moved by an offset.

    Raises:
        TypeError: another kind of item; pictures are made of these two.
    """
    if isinstance(item, TextRun):
        return TextRun(
            item.x + dx,
            item.y + dy,
            item.text,
            item.font,
            item.size_pt,
            item.width_pt,
            item.ink,
            item.anchor,
            item.tracking_pt,
        )
    if isinstance(item, Placed):
        return Placed(item.figure, item.x + dx, item.y + dy)
    raise TypeError(f"{type(item).__name__} can't stand in a picture")


__all__ = ["Block", "PictureRow", "Text", "break_lines", "flow", "shifted"]
