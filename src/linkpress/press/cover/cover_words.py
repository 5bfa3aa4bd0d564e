"""Words on a cover, set line by line."""

from __future__ import annotations

from dataclasses import dataclass

from linkpress.documents.lengths import MM_PT
from linkpress.errors import LayoutError
from linkpress.layout.frame import Anchor, FontKey, Ink, Item
from linkpress.layout.line_breaks import pieces
from linkpress.layout.measure import Measure, font_for, set_text
from linkpress.layout.text_flow import Block, Text, break_lines

LEAST_WORDS_PT = 7.0


def lines_of(
    text: str, width: float, size: float, measure: Measure, strong: bool = False, where: str = "cover"
) -> list[str]:
    """A text in lines no wider than a width."""
    block = Block((Text(text, strong),), size, size, whole_words=True, where=where)
    return [line.text for line in break_lines(block, width, measure)]


def _face(text: str, measure: Measure, strong: bool, where: str) -> FontKey:
    return font_for(text, FontKey.SEMIBOLD if strong else FontKey.REGULAR, measure, where)


def widest_word(text: str, measure: Measure) -> float:
    """The width of the longest part of a text in strong type of 1 pt that no line may end in."""
    return max(
        width_of(word.strip(" "), 1.0, measure, strong=True)
        for word in ("", *pieces(text, measure.language, phrases=True))
    )


def width_of(text: str, size: float, measure: Measure, strong: bool = False) -> float:
    """The width of a line."""
    return measure.width(text, _face(text, measure, strong, "cover"), size)


@dataclass(frozen=True, slots=True)
class Lettering:
    """Sets the words of a cover in one ink."""

    measure: Measure
    ink: Ink

    def line(
        self,
        text: str,
        at: tuple[float, float],
        size: float,
        where: str,
        *,
        strong: bool = False,
        anchor: Anchor = Anchor.START,
        within: float | None = None,
    ) -> Item:
        """One line at a point.

        Args:
            where: what it is, for messages.
            within: the room there is; a longer line is set smaller.
        Raises:
            LayoutError: a glyph is missing, or the line is too long even in the smallest type of covers.
        """
        if within is not None:
            size = min(size, size * within / max(width_of(text, size, self.measure, strong), 0.01))
            if size < LEAST_WORDS_PT:
                raise LayoutError(
                    f"{where}: {text[:60]!r} is too long for its line of {within / MM_PT:.0f} mm on the "
                    f"cover, even in type of {LEAST_WORDS_PT:g} pt. Shorten it."
                )
        face = _face(text, self.measure, strong, where)
        return set_text(text, at, face, size, self.measure, anchor, self.ink)
