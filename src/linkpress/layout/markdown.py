"""Markdown becomes blocks of running text, for the publisher's own pages and the blurb.

Columns of a table are as wide as their words, wrapped where the page is narrow, under rules.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import unquote

from linkpress.documents.values import MM_PT, parse_length
from linkpress.errors import LayoutError
from linkpress.layout.edition import Setting
from linkpress.layout.frame import BLACK, Anchor, Frame, Ink, Lines, Photo, Placed
from linkpress.layout.measure import Measure
from linkpress.layout.pictures import check_resolution, is_printed_grey
from linkpress.layout.text_flow import (
    LEADING,
    Block,
    Movable,
    PictureRow,
    Text,
    TextLine,
    break_lines,
    line_runs,
)
from linkpress.layout.theme import TypeScale

if TYPE_CHECKING:
    from markdown_it.token import Token

STRONG_RULE_PT, THIN_RULE_PT = 1.25, 0.75
COLUMN_GAP = 1.4  # of the size, between columns
ROW_GAP = 0.35  # of the size, above and below a row's words
TABLE_GAP = 0.9  # of the size, above a table
_ENDLESS_PT = 1e6
PARAGRAPH_GAP = 0.7  # of the size, above a paragraph and above a list
PICTURE_GAP = 1.2  # above a picture, whose edge has no white of its own
RULE_LENGTH, RULE_PT = 6.0, 0.75  # of the size; points
ITEM_GAP = 0.35  # between the items of a list
_ALIGNED = {"text-align:right": Anchor.END, "text-align:center": Anchor.MIDDLE}


@dataclass(frozen=True)
class TextRoom:
    """Text is set into the room of a column; with a setting, its pictures may stand there."""

    scale: TypeScale
    measure: Measure
    width_pt: float
    height_pt: float
    ink: Ink = BLACK
    setting: Setting | None = None


def markdown_blocks(text: str, room: TextRoom, where: str) -> list[Block | PictureRow]:
    """Set plain text or Markdown as blocks: headings, paragraphs, lists, quotes, tables, pictures, rules.

    ``*Emphasis*`` is set in italics; where the fonts have none, in the heavier weight of ``**strong**``. A
    line break in the source of a paragraph is a space, a forced one is kept. A link is followed
    by its address; ``---`` is a short rule. A picture stands in a paragraph of its own, as wide as the
    text or as its title says. Anything else is set as the text that it contains.

    Raises:
        LayoutError: a table or a picture doesn't fit, or a picture has too few pixels or stands in a line.
    """
    setter = _BlockSetter(room, where)
    for token in parsed_markdown(text):
        setter.take(token)
    return setter.blocks


def pictures_in(text: str) -> list[str]:
    """Return the files of the pictures in a text, in order."""
    children = (child for token in parsed_markdown(text) for child in token.children or ())
    return [named_picture(child) for child in children if child.type == "image"]


def parsed_markdown(text: str) -> list[Token]:
    """Parse a text as every edition of a book reads it."""
    from markdown_it import MarkdownIt  # few books have pages of their own: 30 ms

    return MarkdownIt("commonmark").enable("table").parse(text)


def named_picture(picture: Token) -> str:
    """Return the file that a picture of a text names."""
    return unquote(str(picture.attrs.get("src", "")))


class _BlockSetter:
    def __init__(self, room: TextRoom, where: str) -> None:
        self.blocks: list[Block | PictureRow] = []
        self._room, self._scale, self._where = room, room.scale, where
        self._rows: list[list[Cell]] | None = None  # of an open table
        self._align = Anchor.START
        self._lists: list[int | None] = []  # for each open list its next number, None for bullets
        self._marker = ""  # of the item whose first block comes next
        self._begins_list = False
        self._in_heading = False

    def take(self, token: Token) -> None:
        match token.type:
            case "bullet_list_open" | "ordered_list_open":
                self._begins_list = not self._lists
                numbered = token.type == "ordered_list_open"
                self._lists.append(int(token.attrs.get("start", 1)) if numbered else None)
            case "bullet_list_close" | "ordered_list_close":
                self._lists.pop()
            case "list_item_open":
                number = self._lists[-1]
                self._marker = "–" if number is None else f"{number}."
                self._lists[-1] = None if number is None else number + 1
            case "heading_open" | "heading_close":
                self._in_heading = token.type == "heading_open"
            case "table_open":
                self._rows = []
            case "tr_open" if self._rows is not None:
                self._rows.append([])
            case "th_open" | "td_open":
                self._align = _ALIGNED.get(str(token.attrs.get("style", "")), Anchor.START)
            case "table_close":
                self.blocks += table_rows(self._rows or [], self._room, self._where)
                self._rows = None
            case "inline":
                self._inline(token.children or ())
            case "hr":
                self.blocks.append(self._rule())
            case "code_block" | "fence" | "html_block":
                self._add(self._paragraph((Text(token.content.rstrip("\n")),)))

    def _inline(self, children: Sequence[Token]) -> None:
        """Add the words of a paragraph, a heading or a table's square, or a paragraph's pictures."""
        pictures = [child for child in children if child.type == "image"]
        others = [child for child in children if child.type not in ("image", "softbreak", "hardbreak")]
        if pictures and (others or self._in_heading or self._rows is not None):
            raise LayoutError(
                f"the picture {named_picture(pictures[0])} stands among words. Put a blank line "
                "before and after it.",
                self._where,
            )
        if pictures:
            self.blocks += [self._picture(child) for child in pictures]
            return
        spans = tuple(_spans(children))
        if self._rows is not None:
            self._rows[-1].append(Cell(spans, self._align))
        else:
            self._add(self._heading(spans) if self._in_heading else self._paragraph(spans))

    def _picture(self, token: Token) -> PictureRow:
        """Return a picture as wide as the text, or as its title says, but never higher than a page."""
        room, name, title = self._room, named_picture(token), str(token.attrs.get("title", ""))
        if room.setting is None:
            raise LayoutError(f"the picture {name} can't stand here. Take it out.", self._where)
        picture = room.setting.pictures[name]
        shape = picture.pixels.height_pt / picture.pixels.width_pt
        width = min(room.width_pt, room.height_pt / shape)
        if title:
            width = self._asked_width(name, title, width)
        box = (0.0, 0.0, width, width * shape)
        check_resolution(picture, box, room.setting.profile, self._where, f"at {width / MM_PT:.0f} mm")
        photo = Photo(box, picture.content, is_printed_grey(room.setting.page, room.setting.profile))
        digest = hashlib.sha256(name.encode()).hexdigest()[:16]  # any path makes a name that a PDF may have
        name = f"picture-{digest}-{width:.3f}"
        placed = Placed(name, Frame(box[2], box[3], (photo,)), 0.0, 0.0)
        return PictureRow((placed,), box[3], before_pt=PICTURE_GAP * self._scale.body)

    def _asked_width(self, name: str, title: str, most: float) -> float:
        try:
            width = parse_length(title)
        except ValueError:
            raise LayoutError(
                f'the picture {name} has the title "{title}"; a title is the width that it is '
                'printed in, as "60mm" or "2.5in". Write that or leave it out.',
                self._where,
            ) from None
        if not 0 < width <= most + 0.01:
            raise LayoutError(
                f"the picture {name} is to be {width / MM_PT:.0f} mm wide; there is room for "
                f"{math.floor(most / MM_PT)} mm.",
                self._where,
            )
        return width

    def _add(self, block: Block) -> None:
        if self._begins_list:
            block = replace(block, before_pt=PARAGRAPH_GAP * block.size_pt)
        self.blocks.append(replace(block, ink=self._room.ink))
        self._marker, self._begins_list = "", False

    def _rule(self) -> PictureRow:
        size = self._scale.body
        rule = rule_of(RULE_LENGTH * size, RULE_PT, self._room.ink, 0.5 * size)
        return PictureRow((rule,), size, before_pt=PARAGRAPH_GAP * size)

    def _heading(self, spans: tuple[Text, ...]) -> Block:
        size = self._scale.heading
        strong = tuple(Text(span.text, strong=True) for span in spans)
        return Block(strong, size, 1.15 * size, before_pt=0.9 * size, with_next=True, where=self._where)

    def _paragraph(self, spans: tuple[Text, ...]) -> Block:
        size = self._scale.body
        return Block(
            spans,
            size,
            LEADING * size,
            before_pt=(ITEM_GAP if self._marker else PARAGRAPH_GAP) * size,
            indent_pt=1.6 * size * len(self._lists),
            hang_pt=1.6 * size,
            marker=self._marker,
            where=self._where,
        )


def _spans(children: Sequence[Token]) -> Iterator[Text]:
    strong = italic = 0
    breaks = {"softbreak": " ", "hardbreak": "\n"}
    linked, address = "", ""
    for child in children:
        if child.type in ("strong_open", "strong_close"):
            strong += child.nesting
        elif child.type in ("em_open", "em_close"):
            italic += child.nesting
        elif child.type == "link_open":
            linked, address = "", str(child.attrs.get("href", "")).removeprefix("mailto:")
        elif child.type == "link_close":
            if address and address != linked:
                yield Text(f" ({address})", strong > 0, italic > 0)
        elif text := breaks.get(child.type, child.content):
            linked += text
            yield Text(text, strong > 0, italic > 0)


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell is one square of a table."""

    spans: tuple[Text, ...]
    align: Anchor


def table_rows(rows: Sequence[Sequence[Cell]], room: TextRoom, where: str) -> Iterator[PictureRow]:
    """Set a table with heads in its first row; raise ``LayoutError`` for a column or row too large."""
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
    """Return a level rule from the left edge of a row."""
    line = Lines(((0.0, weight / 2, width, weight / 2),), weight, ink)
    return Placed(f"rule-{width:.3f}-{weight:g}", Frame(width, weight, (line,)), 0.0, y - weight / 2)


def _widths(blocks: Sequence[Sequence[Block]], room: TextRoom, where: str) -> list[float]:
    """Return each column's width: its longest square's, else its longest word's with a share of the rest."""
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
            yield from line_runs(line, left, y, size, room.measure, room.ink)
        x += width + COLUMN_GAP * size
