"""The publisher's own pages, and ruled pages for notes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from markdown_it import MarkdownIt
from markdown_it.token import Token

from linkpress.book.printing_keys import MatterSpec
from linkpress.layout.edition import NOTES_PLACE, Index, Part, Setting
from linkpress.layout.frame import Lines, Page
from linkpress.layout.geometry import Area
from linkpress.layout.page_draft import (
    PageDraft,
    TextHead,
    heading_foot,
    page_heading,
    text_column,
    text_pages,
)
from linkpress.layout.text_flow import LEADING, Block, Movable, Text, flow

NOTE_LINE_PT = 22.0  # from rule to rule: room for handwriting
PARAGRAPH_GAP = 0.7  # of the size, above a paragraph and above a list
ITEM_GAP = 0.35  # between the items of a list


@dataclass(frozen=True)
class OwnPagesPart(Part):
    """Own text before the levels or after the answers.

    Args:
        matter: the text, and its heading if any.
        where: it stands, for messages: the spec's key.
    """

    matter: MatterSpec
    where: str
    place: str = ""

    @property
    def count(self) -> int:
        """As many pages as the text needs."""
        return len(self._columns)

    def compose(self, numbers: Sequence[int], index: Index) -> Iterator[Page]:
        """The pages."""
        head = TextHead("matter", self.place, self.matter.title or "", self.where)
        return text_pages(self.setting, head, self._columns, numbers)

    @cached_property
    def _columns(self) -> list[list[tuple[Movable, ...]]]:
        setting = self.setting
        draft = PageDraft(setting, 1)
        area = text_column(draft)
        if not self.matter.title:
            area = Area(area.x, area.y, area.width, draft.live.top - area.y)
        return flow(markdown_blocks(self.matter.text, setting, self.where), area, setting.measure)


def markdown_blocks(text: str, setting: Setting, where: str) -> list[Block]:
    """Plain text or simple Markdown as blocks: headings, paragraphs, lists, quotes, emphasis.

    Emphasis of either kind is set in the heavier weight; a line break in the source of a paragraph
    is a space, a forced one is kept. Anything else is set as the text that it contains.

    Args:
        where: it stands, for messages: the spec's key.
    """
    setter = _BlockSetter(setting, where)
    for token in MarkdownIt("commonmark").parse(text):
        setter.take(token)
    return setter.blocks


class _BlockSetter:
    """Sets one token after another."""

    def __init__(self, setting: Setting, where: str) -> None:
        self.blocks: list[Block] = []
        self._scale = setting.theme.type
        self._where = where
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
            case "inline":
                spans = tuple(_spans(token.children or ()))
                self._add(self._heading(spans) if self._in_heading else self._paragraph(spans))
            case "code_block" | "fence" | "html_block":
                self._add(self._paragraph((Text(token.content.rstrip("\n")),)))

    def _add(self, block: Block) -> None:
        if self._begins_list:
            block = replace(block, before_pt=PARAGRAPH_GAP * block.size_pt)
        self.blocks.append(block)
        self._marker, self._begins_list = "", False

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
    strong = 0
    for child in children:
        if child.type in ("strong_open", "em_open"):
            strong += 1
        elif child.type in ("strong_close", "em_close"):
            strong -= 1
        elif child.type == "softbreak":
            yield Text(" ", strong > 0)
        elif child.type == "hardbreak":
            yield Text("\n", strong > 0)
        elif child.content:
            yield Text(child.content, strong > 0)


def note_lines(draft: PageDraft, area: Area) -> Lines:
    """Rules for handwriting, from the top of an area down."""
    count = int(area.height / NOTE_LINE_PT)
    heights = [area.top - step * NOTE_LINE_PT for step in range(1, count + 1)]
    rules = tuple((area.x, y, area.right, y) for y in heights)
    return Lines(rules, draft.setting.theme.rule_pt)


@dataclass(frozen=True)
class NotesPart(Part):
    """Ruled pages at the end."""

    place = NOTES_PLACE

    pages: int

    @property
    def count(self) -> int:
        """As asked for."""
        return self.pages

    def compose(self, numbers: Sequence[int], index: Index) -> Iterator[Page]:
        """The pages."""
        setting = self.setting
        for at, number in enumerate(numbers):
            draft = PageDraft(setting, number)
            top = draft.content.top
            if at == 0:
                draft.target(NOTES_PLACE, draft.live.top, setting.words.notes)
                page_heading(draft, setting.words.notes)
                top = heading_foot(draft)
            draft.furnish(head=setting.words.notes if at else "")
            area = draft.content
            draft.add([note_lines(draft, Area(area.x, area.y, area.width, top - area.y))])
            yield draft.page("notes", setting.words.notes)
