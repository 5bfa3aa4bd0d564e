"""Running text under a heading, over as many pages as it needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from linkpress.layout.edition import Setting
from linkpress.layout.flow import shifted
from linkpress.layout.frame import Item, Page
from linkpress.layout.geometry import Area
from linkpress.layout.heading import heading_foot, page_heading
from linkpress.layout.leaf import Leaf

COLUMN_EMS = 38.0  # the widest column that the eye follows back

Columns = Sequence[Sequence[Sequence[Item]]]  # by page and block, in the coordinates of a recto


@dataclass(frozen=True, slots=True)
class TextHead:
    """What stands over running text.

    Args:
        kind: of its pages.
        place: that links to its first page lead to.
        title: its heading; empty for none.
        where: the key that the title comes from, for messages.
    """

    kind: str
    place: str
    title: str
    where: str = "text"


def text_column(leaf: Leaf, size_pt: float | None = None) -> Area:
    """Where running text stands under a part's heading: not wider than the eye likes.

    Args:
        leaf: a page.
        size_pt: of the type; None for the theme's body.
    """
    width = min(leaf.live.width, COLUMN_EMS * (size_pt or leaf.setting.theme.type.body))
    bottom = leaf.content.y
    return Area(leaf.live.x, bottom, width, heading_foot(leaf) - bottom)


def text_pages(setting: Setting, head: TextHead, columns: Columns, numbers: Sequence[int]) -> Iterator[Page]:
    """The pages of running text, the first one under its heading.

    Args:
        setting: of the book.
        head: what stands over it.
        columns: as many as numbers.
        numbers: the page number of each.
    """
    for at, (number, items) in enumerate(zip(numbers, columns, strict=True)):
        leaf = Leaf(setting, number)
        if at == 0:
            leaf.target(head.place, leaf.live.top, head.title or None)
            if head.title:
                page_heading(leaf, head.title, where=head.where)
        leaf.furnish(head=head.title if at else "")
        dx = leaf.live.x - Leaf(setting, 1).live.x
        for block in items:
            leaf.add(shifted(item, dx, 0.0) for item in block)
        yield leaf.page(head.kind, head.title)
