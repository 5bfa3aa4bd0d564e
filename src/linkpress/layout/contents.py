"""The contents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from linkpress.layout.edition import Setting
from linkpress.layout.frame import Anchor, Discs, FontKey, Page
from linkpress.layout.heading import heading_foot, page_heading
from linkpress.layout.leaf import Leaf
from linkpress.layout.parts import CONTENTS_PLACE, Index

DOT_PITCH_PT = 6.0
DOT_RADIUS_PT = 0.55


@dataclass(frozen=True)
class Entry:
    """A line of the contents."""

    title: str
    detail: str
    place: str
    where: str = "contents"


@dataclass(frozen=True)
class ContentsPart:
    """The contents, with page numbers."""

    setting: Setting
    entries: tuple[Entry, ...]
    recto: bool = True
    one_sided: bool = False

    @property
    def count(self) -> int:
        """As many pages as the entries need."""
        leaf = Leaf(self.setting, 1)
        return -(-len(self.entries) // self._per_page(leaf))

    def places(self, numbers: Sequence[int]) -> Index:
        """The contents themselves."""
        return {CONTENTS_PLACE: numbers[0]}

    def compose(self, numbers: Sequence[int], index: Index) -> Iterator[Page]:
        """The pages."""
        setting = self.setting
        for at, number in enumerate(numbers):
            leaf = Leaf(setting, number)
            per_page = self._per_page(leaf)
            if at == 0:
                leaf.target(CONTENTS_PLACE, leaf.live.top, setting.words.contents)
            y = page_heading(leaf, setting.words.contents)
            detail_x = self._detail_x(leaf)
            for entry in self.entries[at * per_page : (at + 1) * per_page]:
                y -= self._pitch(leaf)
                self._entry(leaf, entry, y, detail_x, index[entry.place])
            leaf.furnish()
            yield leaf.page("contents", setting.words.contents)

    def _pitch(self, leaf: Leaf) -> float:
        return 2.3 * leaf.setting.theme.type.number

    def _per_page(self, leaf: Leaf) -> int:
        room = heading_foot(leaf) - leaf.content.y
        return max(1, int(room / self._pitch(leaf)))

    def _detail_x(self, leaf: Leaf) -> float:
        """One left edge for all details, right of the longest title that leaves room for them."""
        scale, measure = leaf.setting.theme.type, leaf.setting.measure
        ends = [
            leaf.live.x + measure.width(entry.title, FontKey.SEMIBOLD, scale.number) + 1.2 * scale.number
            for entry in self.entries
            if entry.detail
        ]
        return max((end for end in ends if end < leaf.live.centre), default=leaf.live.centre)

    def _entry(self, leaf: Leaf, entry: Entry, y: float, detail_x: float, page: int) -> None:
        scale, measure = leaf.setting.theme.type, leaf.setting.measure
        right = leaf.live.right
        widest = right - measure.width("888", FontKey.REGULAR, scale.number)
        room = widest - leaf.live.x - 2 * DOT_PITCH_PT
        title = leaf.text(
            entry.title, (leaf.live.x, y), scale.number, strong=True, where=entry.where, within=room
        )
        end = title.x + title.width_pt
        if entry.detail and end < detail_x:
            width = measure.width(entry.detail, FontKey.REGULAR, scale.caption)
            if detail_x + width < widest - 4 * DOT_PITCH_PT:
                leaf.text(entry.detail, (detail_x, y), scale.caption, where=entry.where)
                end = detail_x + width
        leaf.text(str(page), (right, y), scale.number, anchor=Anchor.END)
        self._leader(leaf, end + 8, widest - 4, y)
        leaf.link_area((leaf.live.x, y - 4, leaf.live.width, scale.number + 4), entry.place)

    def _leader(self, leaf: Leaf, left: float, right: float, y: float) -> None:
        """Dots on one raster for the whole page, so that they stand under one another."""
        first = -(-(left - leaf.live.x) // DOT_PITCH_PT)
        last = (right - leaf.live.x) // DOT_PITCH_PT
        dots = [
            (leaf.live.x + step * DOT_PITCH_PT, y + DOT_RADIUS_PT)
            for step in range(int(first), int(last) + 1)
        ]
        if dots:
            leaf.add([Discs(tuple(dots), DOT_RADIUS_PT)])
