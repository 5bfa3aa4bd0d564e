"""Tables of words: columns as wide as their words, wrapped where the page is narrow, under rules."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from linkpress.documents.lengths import MM_PT
from linkpress.errors import LayoutError
from linkpress.layout.edition import Setting
from linkpress.layout.frame import BLACK, Anchor, Frame, Ink, Lines, Placed, TextRun
from linkpress.layout.measure import Measure
from linkpress.layout.text_flow import LEADING, Block, Movable, PictureRow, Text, TextLine, break_lines
from linkpress.layout.theme import TypeScale

STRONG_RULE_PT, THIN_RULE_PT = 1.25, 0.75
COLUMN_GAP = 1.4  # of the size, between columns
ROW_GAP = 0.35  # of the size, above and below a row's words
TABLE_GAP = 0.9  # of the size, above a table
_ENDLESS_PT = 1e6


@dataclass(frozen=True)
class TextRoom:
    """The room that running text is set into.

    Args:
        width_pt, height_pt: of a column.
        ink: of words and rules.
        setting: of the book, whose pictures may stand in the text; None where none may.
    """

    scale: TypeScale
    measure: Measure
    width_pt: float
    height_pt: float
    ink: Ink = BLACK
    setting: Setting | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """One square of a table."""

    spans: tuple[Text, ...]
    align: Anchor


def table_rows(rows: Sequence[Sequence[Cell]], room: TextRoom, where: str) -> Iterator[PictureRow]:
    """A table, its first row the heads of its columns: strong rules around, a thin one under the heads.

    Args:
        rows: all of one length.
        where: it stands, for messages: the spec's key.
    Raises:
        LayoutError: the longest words of its columns don't fit side by side, or a row is higher than a page.
    """
    size = room.scale.body
    heads = [
        replace(cell, spans=tuple(replace(span, strong=True) for span in cell.spans)) for cell in rows[0]
    ]
    blocks = [
        [Block(cell.spans, size, LEADING * size, ink=room.ink, where=where) for cell in row]
        for row in (heads, *rows[1:])
    ]
    widths = _widths(blocks, room, where)
    wide = sum(widths) + COLUMN_GAP * size * (len(widths) - 1)
    for index, row in enumerate(blocks):
        lines = [break_lines(block, width, room.measure) for block, width in zip(row, widths, strict=True)]
        words_pt = max(map(len, lines)) * LEADING * size
        height = words_pt + 2 * ROW_GAP * size
        if height > room.height_pt:
            raise LayoutError(f"row {index} of a table is higher than a page. Make two rows of it.", where)
        items = list(
            _words(lines, [cell.align for cell in rows[index]], widths, height - ROW_GAP * size, room)
        )
        if index == 0:
            items.append(rule_of(wide, STRONG_RULE_PT, room.ink, height))
        if index in (0, len(rows) - 1):
            items.append(
                rule_of(wide, THIN_RULE_PT if index == 0 < len(rows) - 1 else STRONG_RULE_PT, room.ink, 0.0)
            )
        before = TABLE_GAP * size if index == 0 else 0.0
        yield PictureRow(tuple(items), height, before_pt=before, with_next=index == 0 < len(rows) - 1)


def rule_of(width: float, weight: float, ink: Ink, y: float) -> Placed:
    """A level rule from the left edge of a row."""
    line = Lines(((0.0, weight / 2, width, weight / 2),), weight, ink)
    return Placed(f"rule-{width:.3f}-{weight:g}", Frame(width, weight, (line,)), 0.0, y - weight / 2)


def _widths(blocks: Sequence[Sequence[Block]], room: TextRoom, where: str) -> list[float]:
    """Return each column as wide as its longest square, else as its longest word and a share of the rest."""
    columns = list(zip(*blocks, strict=True))
    wanted = [max(_width(block, room.measure) for block in column) for column in columns]
    gaps = COLUMN_GAP * room.scale.body * (len(columns) - 1)
    if sum(wanted) + gaps <= room.width_pt:
        return wanted
    least = [max(_longest_word(block, room.measure) for block in column) for column in columns]
    left = room.width_pt - gaps - sum(least)
    if left < 0:
        raise LayoutError(
            f"a table of {len(columns)} columns is {math.ceil((sum(least) + gaps) / MM_PT)} mm wide at "
            f"least, by the longest word of each; there is room for {math.floor(room.width_pt / MM_PT)} mm. "
            "Shorten those words, leave a column out, or choose a wider page.trim.",
            where,
        )
    share = left / (sum(wanted) - sum(least))
    return [low + share * (most - low) for low, most in zip(least, wanted, strict=True)]


def _width(block: Block, measure: Measure) -> float:
    return max(line.width for line in break_lines(block, _ENDLESS_PT, measure)) + 0.01


def _longest_word(block: Block, measure: Measure) -> float:
    words = [replace(span, text=word) for span in block.spans for word in span.text.split()]
    return max((_width(replace(block, spans=(word,)), measure) for word in words), default=0.0)


def _words(
    cells: Sequence[Sequence[TextLine]],
    aligns: Sequence[Anchor],
    widths: Sequence[float],
    top: float,
    room: TextRoom,
) -> Iterator[Movable]:
    size, x = room.scale.body, 0.0
    for lines, align, width in zip(cells, aligns, widths, strict=True):
        for index, line in enumerate(lines):
            left = x + {Anchor.START: 0.0, Anchor.MIDDLE: 0.5, Anchor.END: 1.0}[align] * (width - line.width)
            y = top - (index + 1) * LEADING * size + (LEADING - 1) / 2 * size + 0.22 * size
            for shift, text, face in line.runs:
                advance = room.measure.width(text, face, size)
                yield TextRun(left + shift, y, text, face, size, advance, room.ink)
        x += width + COLUMN_GAP * size
