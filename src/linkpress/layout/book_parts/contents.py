"""The contents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from linkpress.layout.edition import CONTENTS_PLACE, Index, Part
from linkpress.layout.frame import Anchor, Discs, FontKey, Page
from linkpress.layout.page_draft import PageDraft, heading_foot, page_heading

DOT_PITCH_PT = 6.0
DOT_RADIUS_PT = 0.55


@dataclass(frozen=True)
class ContentsEntry:
    """A line of the contents."""

    title: str
    detail: str
    place: str
    where: str = "contents"


@dataclass(frozen=True)
class ContentsPart(Part):
    """The contents, with page numbers."""

    place = CONTENTS_PLACE
    recto = True

    entries: tuple[ContentsEntry, ...]

    @property
    def count(self) -> int:
        """It takes as many pages as the entries need."""
        draft = PageDraft(self.setting, 1)
        return -(-len(self.entries) // self._per_page(draft))

    def compose(self, numbers: Sequence[int], index: Index) -> Iterator[Page]:
        """Compose the pages."""
        setting = self.setting
        for place, number in enumerate(numbers):
            draft = PageDraft(setting, number)
            per_page = self._per_page(draft)
            if place == 0:
                draft.target(CONTENTS_PLACE, draft.live.top, setting.words.contents)
            y = page_heading(draft, setting.words.contents)
            detail_x = self._detail_x(draft)
            for entry in self.entries[place * per_page : (place + 1) * per_page]:
                y -= self._pitch(draft)
                self._entry(draft, entry, y, detail_x, index[entry.place])
            draft.furnish()
            yield draft.page("contents", setting.words.contents)

    def _pitch(self, draft: PageDraft) -> float:
        return 2.3 * draft.setting.theme.type.number

    def _per_page(self, draft: PageDraft) -> int:
        room = heading_foot(draft) - draft.content.y
        return max(1, int(room / self._pitch(draft)))

    def _detail_x(self, draft: PageDraft) -> float:
        """One left edge for all details, right of the longest title that leaves room for them."""
        scale, measure = draft.setting.theme.type, draft.setting.measure
        ends = [
            draft.live.x + measure.width(entry.title, FontKey.SEMIBOLD, scale.number) + 1.2 * scale.number
            for entry in self.entries
            if entry.detail
        ]
        return max((end for end in ends if end < draft.live.centre), default=draft.live.centre)

    def _entry(self, draft: PageDraft, entry: ContentsEntry, y: float, detail_x: float, page: int) -> None:
        scale, measure = draft.setting.theme.type, draft.setting.measure
        right = draft.live.right
        widest = right - measure.width("888", FontKey.REGULAR, scale.number)
        room = widest - draft.live.x - 2 * DOT_PITCH_PT
        title = draft.text(
            entry.title, (draft.live.x, y), scale.number, strong=True, where=entry.where, within=room
        )
        end = title.x + title.width_pt
        if entry.detail and end < detail_x:
            width = measure.width(entry.detail, FontKey.REGULAR, scale.caption)
            if detail_x + width < widest - 4 * DOT_PITCH_PT:
                draft.text(entry.detail, (detail_x, y), scale.caption, where=entry.where)
                end = detail_x + width
        draft.text(str(page), (right, y), scale.number, anchor=Anchor.END)
        self._leader(draft, end + 8, widest - 4, y)
        draft.link_area((draft.live.x, y - 4, draft.live.width, scale.number + 4), entry.place)

    def _leader(self, draft: PageDraft, left: float, right: float, y: float) -> None:
        """Dots on one raster for the whole page, so that they stand under one another."""
        first = -(-(left - draft.live.x) // DOT_PITCH_PT)
        last = (right - draft.live.x) // DOT_PITCH_PT
        dots = [
            (draft.live.x + step * DOT_PITCH_PT, y + DOT_RADIUS_PT)
            for step in range(int(first), int(last) + 1)
        ]
        if dots:
            draft.add([Discs(tuple(dots), DOT_RADIUS_PT)])
