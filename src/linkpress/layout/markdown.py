"""Typeset Markdown as blocks of running text, for the publisher's own pages and the back cover's text."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import unquote

from linkpress.documents.values import MM_PT, parse_length
from linkpress.errors import LayoutError
from linkpress.layout.frame import BLACK, Anchor, Frame, Ink, Lines, Photo, Placed, Tag
from linkpress.layout.setting import Setting, check_resolution, is_printed_grey
from linkpress.layout.text_flow import (
    LEADING,
    Block,
    Measure,
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

PARAGRAPH_GAP = 0.7  # space above a paragraph or a list, as a multiple of the type size
PICTURE_GAP = 1.2  # space above a picture, as a multiple of the type size
ITEM_GAP = 0.35  # space between the items of a list, as a multiple of the type size
RULE_LENGTH = 6.0  # length of the rule that the Markdown line ``---`` makes, as a multiple of the type size
TABLE_GAP = 0.9  # space above a table, as a multiple of the type size
COLUMN_GAP = 1.4  # gap between the columns of a table, as a multiple of the type size
ROW_GAP = 0.35  # space above and below the text in a table row, as a multiple of the type size

RULE_PT = 0.75  # line width in points of the rule that the Markdown line ``---`` makes

# Line widths in points: of the rules above and below a table, and of the rule below its header row.
STRONG_RULE_PT, THIN_RULE_PT = 1.25, 0.75
_UNLIMITED_PT = 1e6
_ANCHORS = {"text-align:right": Anchor.END, "text-align:center": Anchor.MIDDLE}


@dataclass(frozen=True)
class TextRoom:
    """Column in which a Markdown text is typeset.

    Args:
        scale: the type sizes for body text, headings and other text.
        measure: object that measures texts in the book's fonts.
        width_pt: the width of the column in points.
        height_pt: the height of the column in points.
        ink: the colour of the text.
        setting: everything that the book's pages share, including the publisher's pictures. If it is None,
            the text must not contain pictures.
    """

    scale: TypeScale
    measure: Measure
    width_pt: float
    height_pt: float
    ink: Ink = BLACK
    setting: Setting | None = None


def markdown_blocks(text: str, room: TextRoom, where: str) -> list[Block | PictureRow]:
    """Typeset plain text or Markdown as blocks.

    Markdown may contain headings, paragraphs, lists, quotes, tables, pictures and rules:

    - ``*emphasis*`` is set in italic, or in semibold like ``**strong**`` if the fonts have no italic
    - a line break in the source becomes a space, but a forced line break is kept
    - a link is followed by its address in parentheses
    - ``---`` becomes a short rule
    - a picture must be in a paragraph of its own; its title may give its width, or else it fills the column

    Everything else is set as plain text.

    Args:
        where: the text's key in the spec, for error messages.
    Raises:
        LayoutError: a table or a picture doesn't fit, or a picture has too few pixels or is inside a line.
    """
    setter = _BlockSetter(room, where)
    for token in parsed_markdown(text):
        setter.add_token(token)
    return setter.blocks


def pictures_in(text: str) -> list[str]:
    """Return the file names of the pictures in a Markdown text, in order."""
    children = (child for token in parsed_markdown(text) for child in token.children or ())
    return [named_picture(child) for child in children if child.type == "image"]


def parsed_markdown(text: str) -> list[Token]:
    """Parse Markdown with the options that all editions of a book use."""
    from markdown_it import MarkdownIt  # import only when needed, because this takes 30 ms

    return MarkdownIt("commonmark").enable("table").parse(text)


def named_picture(picture: Token) -> str:
    return unquote(str(picture.attrs.get("src", "")))


class _BlockSetter:
    """Convert Markdown tokens to blocks of text."""

    def __init__(self, room: TextRoom, where: str) -> None:
        self.blocks: list[Block | PictureRow] = []
        self._room, self._scale, self._where = room, room.scale, where
        # Rows of the current table so far, or None outside of tables.
        self._rows: list[list[Cell]] | None = None
        self._anchor = Anchor.START  # alignment of the current table cell

        # The lists that contain the current position. An entry is the number of the list's next item, or None
        # for a bulleted list.
        self._lists: list[int | None] = []
        # The number or dash of a list item. It is kept here until the first paragraph of the item is added.
        self._marker = ""
        self._begins_list = False
        self._in_heading = False

    def add_token(self, token: Token) -> None:
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
                self._anchor = _ANCHORS.get(str(token.attrs.get("style", "")), Anchor.START)
            case "table_close":
                self.blocks += table_rows(self._rows or [], self._room, self._where)
                self._rows = None
            case "inline":
                self._add_inline(token.children or ())
            case "hr":
                self.blocks.append(self._rule())
            case "code_block" | "fence" | "html_block":
                self._add(self._paragraph((Text(token.content.rstrip("\n")),)))

    def _add_inline(self, children: Sequence[Token]) -> None:
        """Add the text of a paragraph, heading or table cell, or the pictures of a paragraph."""
        pictures = [child for child in children if child.type == "image"]
        others = [child for child in children if child.type not in ("image", "softbreak", "hardbreak")]
        if pictures and (others or self._in_heading or self._rows is not None):
            raise LayoutError(
                f"the picture {named_picture(pictures[0])} is in a line of words. Put a blank line "
                "before and after it.",
                self._where,
            )
        if pictures:
            self.blocks += [self._picture(child) for child in pictures]
            return
        spans = tuple(_spans(children))
        if self._rows is not None:
            self._rows[-1].append(Cell(spans, self._anchor))
        else:
            self._add(self._heading(spans) if self._in_heading else self._paragraph(spans))

    def _picture(self, token: Token) -> PictureRow:
        """Convert a picture in a Markdown text to a row of the text column that contains only this picture.

        The title that Markdown allows for a picture gives its printed width, as in
        ``![A map](map.png "60mm")``. A picture without a title is as wide as the column. It is narrower if it
        would otherwise be taller than a page.
        """
        room, name, title = self._room, named_picture(token), str(token.attrs.get("title", ""))
        if room.setting is None:
            raise LayoutError(f"the picture {name} can't be printed here. Take it out.", self._where)
        picture = room.setting.edition.pictures[name]
        ratio = picture.pixels.height_pt / picture.pixels.width_pt
        width = min(room.width_pt, room.height_pt / ratio)
        if title:
            width = self._width_in_title(name, title, width)
        box = (0.0, 0.0, width, width * ratio)
        least = room.setting.profile.limits.image_dpi
        check_resolution(picture, box, least, self._where, f"at {width / MM_PT:.0f} mm")
        photo = Photo(box, picture.content, is_printed_grey(room.setting.page, room.setting.profile))
        # Hash the name, because it may contain characters that a PDF name must not have.
        digest = hashlib.sha256(name.encode()).hexdigest()[:16]
        frame = Frame(box[2], box[3], (photo,))
        # A picture without a description is decorative, as in HTML.
        tag = Tag("Figure", alt=token.content) if token.content.strip() else None
        placed = Placed(f"picture-{digest}-{width:.3f}", frame, 0.0, 0.0, tag=tag)
        return PictureRow((placed,), box[3], before_pt=PICTURE_GAP * self._scale.body)

    def _width_in_title(self, name: str, title: str, most: float) -> float:
        try:
            width = parse_length(title)
        except ValueError:
            raise LayoutError(
                f'the picture {name} has the title "{title}", but a title must be the printed width, as '
                '"60mm" or "2.5in". Write a width, or leave the title out.',
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
        rule = _table_rule(RULE_LENGTH * size, RULE_PT, self._room.ink, 0.5 * size)
        return PictureRow((rule,), size, before_pt=PARAGRAPH_GAP * size)

    def _heading(self, spans: tuple[Text, ...]) -> Block:
        size = self._scale.heading
        strong = tuple(Text(span.text, strong=True) for span in spans)
        return Block(
            strong, size, 1.15 * size, before_pt=0.9 * size, with_next=True, where=self._where, role="H2"
        )

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
    """Yield the words of a line of Markdown, divided into spans of the same style.

    A link is followed by its address, unless its text already is the address.
    """
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


# Setting tables


@dataclass(frozen=True, slots=True)
class Cell:
    spans: tuple[Text, ...]
    anchor: Anchor


def table_rows(rows: Sequence[Sequence[Cell]], room: TextRoom, where: str) -> Iterator[PictureRow]:
    """Typeset a table. Its first row is the header.

    Raises:
        LayoutError: a column is too wide or a row is too tall for the page.
    """
    size = room.scale.body
    header = [
        replace(cell, spans=tuple(replace(span, strong=True) for span in cell.spans)) for cell in rows[0]
    ]
    blocks = [
        [Block(cell.spans, size, LEADING * size, ink=room.ink, where=where) for cell in row]
        for row in (header, *rows[1:])
    ]
    widths = _column_widths(blocks, room, where)
    width = sum(widths) + COLUMN_GAP * size * (len(widths) - 1)
    table = Tag("Table")
    for index, row in enumerate(blocks):
        lines = [break_lines(block, width, room.measure) for block, width in zip(row, widths, strict=True)]
        height = max(map(len, lines)) * LEADING * size + 2 * ROW_GAP * size
        if height > room.height_pt:
            raise LayoutError(f"row {index} of a table is higher than a page. Make two rows of it.", where)
        top = height - ROW_GAP * size
        is_first, is_last = index == 0, index == len(rows) - 1
        role, scope = ("TH", ("Table", "Scope", "Column")) if is_first else ("TD", ())
        whole = Tag("TR", table)
        tags = [Tag(role, whole, attribute=scope) for _ in row]
        anchors = [cell.anchor for cell in rows[index]]
        items = list(_row_words(lines, anchors, widths, tags, top=top, room=room))
        if is_first:
            items.append(_table_rule(width, STRONG_RULE_PT, room.ink, height))
        if is_first or is_last:
            items.append(_table_rule(width, STRONG_RULE_PT if is_last else THIN_RULE_PT, room.ink, 0.0))
        before = TABLE_GAP * size if is_first else 0.0
        yield PictureRow(tuple(items), height, before_pt=before, with_next=is_first and not is_last)


def _table_rule(width: float, weight: float, ink: Ink, y: float) -> Placed:
    """Return a horizontal rule that starts at the left edge. Its centre is at the height ``y``."""
    line = Lines(((0.0, weight / 2, width, weight / 2),), weight, ink)
    return Placed(f"rule-{width:.3f}-{weight:g}", Frame(width, weight, (line,)), 0.0, y - weight / 2)


def _column_widths(blocks: Sequence[Sequence[Block]], room: TextRoom, where: str) -> list[float]:
    """Return the width of each column in points.

    If the table fits, each column is as wide as its longest cell. Otherwise each column gets the width of its
    longest word and a part of the remaining width.
    """
    columns = list(zip(*blocks, strict=True))
    full = [max(_block_width(block, room.measure) for block in column) for column in columns]
    gaps = COLUMN_GAP * room.scale.body * (len(columns) - 1)
    if sum(full) + gaps <= room.width_pt:
        return full
    least = [max(_longest_word(block, room.measure) for block in column) for column in columns]
    left = room.width_pt - gaps - sum(least)
    if left < 0:
        raise LayoutError(
            f"a table of {len(columns)} columns is {math.ceil((sum(least) + gaps) / MM_PT)} mm wide at "
            f"least, by the longest word of each; there is room for {math.floor(room.width_pt / MM_PT)} mm. "
            "Shorten those words, leave a column out, or choose a wider page.trim.",
            where,
        )
    share = left / (sum(full) - sum(least))
    return [low + share * (high - low) for low, high in zip(least, full, strict=True)]


def _block_width(block: Block, measure: Measure) -> float:
    return max(line.width for line in break_lines(block, _UNLIMITED_PT, measure)) + 0.01


def _longest_word(block: Block, measure: Measure) -> float:
    words = [replace(span, text=word) for span in block.spans for word in span.text.split()]
    return max((_block_width(replace(block, spans=(word,)), measure) for word in words), default=0.0)


def _row_words(
    cells: Sequence[Sequence[TextLine]],
    anchors: Sequence[Anchor],
    widths: Sequence[float],
    tags: Sequence[Tag],
    *,
    top: float,
    room: TextRoom,
) -> Iterator[Movable]:
    """Typeset the cells of a table row. ``top`` is the height of the row's upper edge."""
    size, x = room.scale.body, 0.0
    for lines, anchor, width, tag in zip(cells, anchors, widths, tags, strict=True):
        for index, line in enumerate(lines):
            share = {Anchor.START: 0.0, Anchor.MIDDLE: 0.5, Anchor.END: 1.0}[anchor]
            y = top - (index + 1) * LEADING * size + (LEADING - 1) / 2 * size + 0.22 * size
            left = x + share * (width - line.width)
            yield from line_runs(line, left, y, size, room.measure, room.ink, tag=tag)
        x += width + COLUMN_GAP * size
