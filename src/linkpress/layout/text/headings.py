"""Headings: of a part's first page, and of the page that opens a section."""

from __future__ import annotations

from collections.abc import Sequence

from linkpress.layout.frame import Rects
from linkpress.layout.page_draft import PageDraft

OPENER_TOP = 0.3  # of the live area's height, above the name


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
