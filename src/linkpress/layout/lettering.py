"""This module sets words of covers and title pages, line by line."""

from __future__ import annotations

from dataclasses import dataclass

from linkpress.book.key_values import title_parts
from linkpress.layout.frame import Anchor, FontKey, Ink, Item, Point
from linkpress.layout.line_breaks import display_lines, pieces
from linkpress.layout.measure import Measure, font_for, set_text
from linkpress.layout.text_flow import Block, Text, break_lines

LEAST_WORDS_PT = 7.0


@dataclass(frozen=True, slots=True)
class Lettering:
    """Lettering is the type in which some words of a cover or a title page are set."""

    measure: Measure
    ink: Ink
    where: str
    face: FontKey = FontKey.REGULAR

    def _font(self, text: str) -> FontKey:
        return font_for(text, self.face, self.measure, self.where)

    def width(self, text: str, size: float) -> float:
        """Return the width of a line."""
        return self.measure.width(text, self._font(text), size)

    def widest_word(self, text: str) -> float:
        """Return the width of the longest part of a text that no line may end in, in type of 1 pt."""
        words = ("", *pieces(text, self.measure.language, phrases=True))
        return max(self.width(word.strip(" "), 1.0) for word in words)

    def lines(self, text: str, width: float, size: float) -> list[str]:
        """Break a text into lines no wider than a width."""
        block = Block(
            (Text(text, self.face is not FontKey.REGULAR),), size, size, whole_words=True, where=self.where
        )
        return [line.text for line in break_lines(block, width, self.measure)]

    def display(self, text: str, width: float, size: float) -> list[str]:
        """Break a title or the like by sense and balance, or where its author wants it."""
        parts = title_parts(text)
        found = display_lines(parts, self.measure.language, lambda line: self.width(line, size), width)
        return self.lines(text, width, size) if found is None else found

    def set(self, text: str, point: Point, size: float, anchor: Anchor = Anchor.START) -> Item:
        """Set one line at a point; raise ``LayoutError`` if a glyph is missing."""
        return set_text(text, point, self._font(text), size, self.measure, anchor, self.ink)
