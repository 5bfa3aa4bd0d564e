"""Running text: blocks to columns, no widows and no orphans."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from linkpress.layout.frame import FontKey, Placed, TextRun
from linkpress.layout.geometry import Area
from linkpress.layout.measure import Measure, font_for
from linkpress.layout.text.lines import Block, TextLine, break_lines

SLACK_PT = 0.01  # lost in sums
KEEP_LINES = 2  # of a paragraph, at the foot and at the head of a page

Movable = TextRun | Placed


@dataclass(frozen=True, slots=True)
class PictureRow:
    """A row of drawings that keeps together, given relative to its bottom left corner."""

    items: tuple[Movable, ...]
    height_pt: float
    before_pt: float = 0.0
    with_next: bool = False


def flow(
    blocks: Sequence[Block | PictureRow], area: Area, measure: Measure
) -> list[list[tuple[Movable, ...]]]:
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
        self.done: list[list[tuple[Movable, ...]]] = [[]]

    def add(self, group: list[Block | PictureRow]) -> None:
        broken = [
            break_lines(block, self._area.width, self._measure) if isinstance(block, Block) else []
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
        items: list[Movable] = []
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

    def _line(self, block: Block, line: TextLine, first: bool) -> list[Movable]:
        # The baseline stands so that the x-height is about centred in the leading.
        y = self._y + (block.leading_pt - block.size_pt) / 2 + 0.22 * block.size_pt
        items: list[Movable] = []
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


def shifted(item: Movable, dx: float, dy: float) -> Movable:
    """An item moved by an offset."""
    return replace(item, x=item.x + dx, y=item.y + dy)
