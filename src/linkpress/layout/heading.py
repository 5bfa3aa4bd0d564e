"""The heading of a part that has no opener of its own."""

from __future__ import annotations

from linkpress.layout.frame import Rects
from linkpress.layout.leaf import Leaf


def page_heading(leaf: Leaf, text: str, where: str = "text") -> float:
    """The heading of a part's first page; returns the height under it."""
    size = leaf.setting.theme.type.title
    at = (leaf.live.x, leaf.live.top - 0.75 * size)
    leaf.text(text, at, size, strong=True, where=where, within=leaf.live.width)
    weight = leaf.setting.theme.grid.outer_pt
    y = leaf.live.top - 1.45 * size
    leaf.add([Rects(((leaf.live.x, y - weight, 36, weight),), leaf.setting.theme.accent)])
    return heading_foot(leaf)


def heading_foot(leaf: Leaf) -> float:
    """Where the text under a part's heading begins."""
    return leaf.live.top - 2.1 * leaf.setting.theme.type.title
