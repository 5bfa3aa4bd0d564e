"""Headings, and running text under one over as many pages as it needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from linkpress.layout.edition import Setting
from linkpress.layout.frame import Page, Rects
from linkpress.layout.geometry import Area
from linkpress.layout.page_draft import PageDraft
from linkpress.layout.text.flow import Movable, shifted

OPENER_TOP = 0.3  # of the live area's height, above the name
COLUMN_EMS = 38.0  # the widest column that the eye follows back

Columns = Sequence[Sequence[Sequence[Movable]]]  # by page and block, in the coordinates of a recto


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


def page_heading(draft: PageDraft, text: str, where: str = "text") -> float:
    """The heading of a part's first page; returns the height under it."""
    size = draft.setting.theme.type.title
    at = (draft.live.x, draft.live.top - 0.75 * size)
    draft.text(text, at, size, strong=True, where=where, within=draft.live.width)
    weight = draft.setting.theme.grid.outer_pt
    y = draft.live.top - 1.45 * size
    draft.add([Rects(((draft.live.x, y - weight, 36, weight),), draft.setting.theme.accent)])
    return heading_foot(draft)


def heading_foot(draft: PageDraft) -> float:
    """Where the text under a part's heading begins."""
    return draft.live.top - 2.1 * draft.setting.theme.type.title


def set_opener(draft: PageDraft, name: str, first: str, facts: Sequence[str], where: str) -> float:
    """Set a section's name and what it holds.

    Args:
        draft: the page, empty.
        name: of the section.
        first: which puzzles it holds, larger than the rest.
        facts: a line each.
        where: of the name, for messages.
    Returns:
        The baseline of the last line.
    """
    live, theme, scale = draft.live, draft.setting.theme, draft.setting.theme.type
    y = live.top - OPENER_TOP * live.height
    draft.text(name, (live.x, y), scale.display, strong=True, where=where, within=live.width)
    y -= 0.55 * scale.display
    draft.add([Rects(((live.x, y, 36, theme.grid.outer_pt),), theme.accent)])
    y -= 2.0 * scale.heading
    draft.text(first, (live.x, y), scale.heading)
    for fact in facts:
        y -= 1.7 * scale.body
        draft.text(fact, (live.x, y), scale.body, within=live.width)
    return y
