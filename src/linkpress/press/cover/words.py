"""Words on a cover, set line by line."""

from __future__ import annotations

from linkpress.layout.frame import Anchor, FontKey, Ink, Item
from linkpress.layout.measure import Measure, font_for, set_text
from linkpress.layout.text_flow import Block, Text, break_lines


def lines_of(
    text: str, width: float, size: float, measure: Measure, strong: bool = False, where: str = "cover"
) -> list[str]:
    """A text in lines no wider than a width."""
    block = Block((Text(text, strong),), size, size, where=where)
    return [line.text for line in break_lines(block, width, measure)]


def _face(text: str, measure: Measure, strong: bool, where: str) -> FontKey:
    return font_for(text, FontKey.SEMIBOLD if strong else FontKey.REGULAR, measure, where)


def width_of(text: str, size: float, measure: Measure, strong: bool = False) -> float:
    """The width of a line."""
    return measure.width(text, _face(text, measure, strong, "cover"), size)


def set_words(
    text: str,
    at: tuple[float, float],
    size: float,
    measure: Measure,
    ink: Ink,
    strong: bool = False,
    anchor: Anchor = Anchor.START,
    where: str = "cover",
) -> Item:
    """One line at a point, in the ink given."""
    return set_text(text, at, _face(text, measure, strong, where), size, measure, anchor, ink)
