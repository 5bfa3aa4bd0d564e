"""Running text under a heading, over as many pages as it needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from linkpress.layout.edition import Setting
from linkpress.layout.frame import Item, Page
from linkpress.layout.geometry import Area
from linkpress.layout.page_draft import PageDraft
from linkpress.layout.text.flow import shifted
from linkpress.layout.text.headings import heading_foot, page_heading

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


def text_column(draft: PageDraft, size_pt: float | None = None) -> Area:
    """Where running text stands under a part's heading: not wider than the eye likes.

    Args:
        draft: a page.
        size_pt: of the type; None for the theme's body.
    """
    width = min(draft.live.width, COLUMN_EMS * (size_pt or draft.setting.theme.type.body))
    bottom = draft.content.y
    return Area(draft.live.x, bottom, width, heading_foot(draft) - bottom)


def text_pages(setting: Setting, head: TextHead, columns: Columns, numbers: Sequence[int]) -> Iterator[Page]:
    """The pages of running text, the first one under its heading.

    Args:
        setting: of the book.
        head: what stands over it.
        columns: as many as numbers.
        numbers: the page number of each.
    """
    for at, (number, items) in enumerate(zip(numbers, columns, strict=True)):
        draft = PageDraft(setting, number)
        if at == 0:
            draft.target(head.place, draft.live.top, head.title or None)
            if head.title:
                page_heading(draft, head.title, where=head.where)
        draft.furnish(head=head.title if at else "")
        dx = draft.live.x - PageDraft(setting, 1).live.x
        for block in items:
            draft.add(shifted(item, dx, 0.0) for item in block)
        yield draft.page(head.kind, head.title)
