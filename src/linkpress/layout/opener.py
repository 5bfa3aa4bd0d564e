"""The page that opens a section: its name over a short rule, then what it holds."""

from __future__ import annotations

from collections.abc import Sequence

from linkpress.layout.frame import Rects
from linkpress.layout.leaf import Leaf

OPENER_TOP = 0.3  # of the live area's height, above the name


def set_opener(leaf: Leaf, name: str, first: str, facts: Sequence[str], where: str) -> float:
    """Set a section's name and what it holds.

    Args:
        leaf: the page, empty.
        name: of the section.
        first: which puzzles it holds, larger than the rest.
        facts: a line each.
        where: of the name, for messages.
    Returns:
        The baseline of the last line.
    """
    live, theme, scale = leaf.live, leaf.setting.theme, leaf.setting.theme.type
    y = live.top - OPENER_TOP * live.height
    leaf.text(name, (live.x, y), scale.display, strong=True, where=where, within=live.width)
    y -= 0.55 * scale.display
    leaf.add([Rects(((live.x, y, 36, theme.grid.outer_pt),), theme.accent)])
    y -= 2.0 * scale.heading
    leaf.text(first, (live.x, y), scale.heading)
    for fact in facts:
        y -= 1.7 * scale.body
        leaf.text(fact, (live.x, y), scale.body, within=live.width)
    return y
