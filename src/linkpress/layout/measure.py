"""What layout asks about type, without knowing any font file or renderer."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple, Protocol

from linkpress.errors import LayoutError
from linkpress.layout.frame import BLACK, Anchor, FontKey, Ink, TextRun


class InkBox(NamedTuple):
    """Where the ink of a text lies, in points from its origin on the baseline."""

    left: float
    bottom: float
    right: float
    top: float


class Measure(Protocol):
    """Measures text in the fonts of a renderer."""

    def width(self, text: str, font: FontKey, size_pt: float) -> float:
        """The advance of a text, in points, without tracking."""
        ...

    def ink(self, text: str, font: FontKey, size_pt: float) -> InkBox:
        """The box around the ink of a text, in points; an empty text has an empty box."""
        ...

    def missing(self, text: str, font: FontKey) -> str:
        """The characters of a text that the font has no glyph for, each once, in order."""
        ...


_STACKED_MARKS = re.compile("[ก-ฮ][\u0e31\u0e34-\u0e37\u0e47\u0e4d][\u0e48-\u0e4c]")
# Joiners have no width; the fonts show U+200C and U+200D as the signs that editors put in their place.
_JOINERS = frozenset("\u034f\u200c\u200d")
_FALLBACK = {FontKey.REGULAR: FontKey.THAI, FontKey.SEMIBOLD: FontKey.THAI_SEMIBOLD}


def font_for(text: str, font: FontKey, measure: Measure, where: str) -> FontKey:
    """The font that can set a text: the one asked for, or its companion for Thai; semibold for no italic.

    Args:
        text: one line.
        where: what the text is, for the message: ``title``, ``levels[2].name``.
    Raises:
        LayoutError: neither has all the glyphs, or a mark would not stand on its letter; names the
            characters and the place.
    """
    _refuse_lone_marks(text, where)
    if font is FontKey.ITALIC and measure.missing(text, font):
        font = FontKey.SEMIBOLD
    missing = measure.missing(text, font)
    if not missing:
        return font
    companion = _FALLBACK.get(font, font)
    if not measure.missing(text, companion):
        _refuse_stacked_marks(text, where)
        return companion
    named = ", ".join(f"{char!r} (U+{ord(char):04X})" for char in missing[:5])
    more = f" and {len(missing) - 5} more" if len(missing) > 5 else ""
    raise LayoutError(
        f"the fonts of the book have no glyph for {named}{more} in {text[:60]!r}. "
        "Leave the character out or write it in letters.",
        where,
    )


def _refuse_lone_marks(text: str, where: str) -> None:
    """Without shaping a mark of its own stands beside its letter or over another mark.

    Texts come composed, so what is left has no letter that Unicode knows with this mark.
    """
    for at, char in enumerate(text):
        thai = "\u0e00" <= char <= "\u0e7f"
        if char in _JOINERS or (not thai and unicodedata.category(char) in ("Mn", "Me")):
            name = unicodedata.name(char, "a mark").lower()
            raise LayoutError(
                f"U+{ord(char):04X} ({name}) after {text[max(0, at - 20) : at]!r} can't be set: "
                "there is no one letter that holds it, and this version puts no mark on another. Leave it "
                "out, or use a letter that has it.",
                where,
            )


def _refuse_stacked_marks(text: str, where: str) -> None:
    """Thai sets a tone above a vowel that stands above a letter: without shaping they overprint."""
    found = _STACKED_MARKS.search(text)
    if found:
        raise LayoutError(
            f"{found[0]!r} in {text[:60]!r} has two marks above one letter, which this version "
            "can't set one over the other. Use a spelling without them, or Latin letters.",
            where,
        )


def set_text(
    text: str,
    at: tuple[float, float],
    font: FontKey,
    size_pt: float,
    measure: Measure,
    anchor: Anchor = Anchor.START,
    ink: Ink = BLACK,
    tracking_pt: float = 0.0,
) -> TextRun:
    """A text run whose start, middle or end stands at a point.

    Args:
        text: one line.
        at: x of the anchor, y of the baseline, in points.
        font: a face that has all its glyphs.
        anchor: which point of the run stands at ``at``.
        tracking_pt: added between characters.
    """
    x, y = at
    width = measure.width(text, font, size_pt) + tracking_pt * max(0, len(text) - 1)
    if anchor is Anchor.MIDDLE:
        x -= width / 2
    elif anchor is Anchor.END:
        x -= width
    return TextRun(x, y, text, font, size_pt, width, ink, anchor, tracking_pt)
