"""The publisher's own pages, and ruled pages for notes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from linkpress.book.printing_keys import MatterSpec
from linkpress.layout.edition import NOTES_PLACE, Index, Part
from linkpress.layout.frame import Lines, Page
from linkpress.layout.markdown import TextRoom, markdown_blocks
from linkpress.layout.page_draft import PageDraft, heading_foot, page_heading, text_column, text_pages
from linkpress.layout.page_geometry import Area
from linkpress.layout.text_flow import Movable, flow

NOTE_LINE_PT = 22.0  # from rule to rule: room for handwriting


@dataclass(frozen=True)
class OwnPagesPart(Part):
    """Own text before the levels or after the answers.

    Args:
        matter: the text, and its heading if any.
    """

    matter: MatterSpec
    where: str
    place: str = ""

    @property
    def count(self) -> int:
        """It takes as many pages as the text needs."""
        return len(self._columns)

    def compose(self, numbers: Sequence[int], index: Index) -> Iterator[Page]:
        """Compose the pages."""
        return text_pages(self, "matter", self.matter.title or "", self._columns, numbers, self.where)

    @cached_property
    def _columns(self) -> list[list[tuple[Movable, ...]]]:
        setting = self.setting
        draft = PageDraft(setting, 1)
        area = text_column(draft)
        if not self.matter.title:
            area = Area(area.x, area.y, area.width, draft.live.top - area.y)
        room = TextRoom(setting.theme.type, setting.measure, area.width, area.height, setting=setting)
        return flow(markdown_blocks(self.matter.text, room, f"{self.where}.text"), area, setting.measure)


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
        """It has as many pages as were asked for."""
        return self.pages

    def compose(self, numbers: Sequence[int], index: Index) -> Iterator[Page]:
        """Compose the pages."""
        setting = self.setting
        for place, number in enumerate(numbers):
            draft = PageDraft(setting, number)
            top = draft.content.top
            if place == 0:
                draft.target(NOTES_PLACE, draft.live.top, setting.words.notes)
                page_heading(draft, setting.words.notes)
                top = heading_foot(draft)
            draft.furnish(head=setting.words.notes if place else "")
            area = draft.content
            draft.add([note_lines(draft, Area(area.x, area.y, area.width, top - area.y))])
            yield draft.page("notes", setting.words.notes)
