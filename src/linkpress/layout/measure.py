"""Measure text, and check that the fonts have all its characters.

This module knows neither font files nor renderers. A renderer provides the sizes of text as a ``Measure``.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple, Protocol

from linkpress.documents.values import MM_PT
from linkpress.errors import LayoutError
from linkpress.layout.frame import BLACK, Anchor, FontKey, Ink, Tag, TextRun
from linkpress.words import parse_locale

# The first combining mark in Unicode. All earlier characters are letters, digits, punctuation and symbols.
FIRST_COMBINING = "\u0300"
_CLEAR = 0.05  # minimum gap between an accent and the line above, as a fraction of the type size

# A character that is taller than capital letters by less than this fraction of the type size counts as
# equally tall. In the built-in fonts, round digits and brackets are 0.01 to 0.02 taller.
_OVERSHOOT = 0.03

# Ink may begin this many points to the left of its line. Printers' checks of margins tolerate 0.5.
_MOST_OVERHANG_PT = 0.4


class InkBox(NamedTuple):
    """Bounding box of a text's ink in points, measured from the start of the text's baseline."""

    left: float
    bottom: float
    right: float
    top: float


class Measure(Protocol):
    """Interface for the sizes of text in a book's fonts. ``language`` is the BCP 47 tag of the text."""

    language: str

    def __hash__(self) -> int: ...

    def width(self, text: str, font: FontKey, size_pt: float) -> float:
        """Return the width of a text in points, without tracking."""
        ...

    def ink(self, text: str, font: FontKey, size_pt: float) -> InkBox:
        """Return the bounding box of a text's ink in points. An empty text has an empty box."""
        ...

    def missing(self, text: str, font: FontKey) -> str:
        """Return the characters for which the font has no glyph, each once, in order of appearance."""
        ...


# Checking glyphs


def font_for(text: str, font: FontKey, measure: Measure, where: str) -> FontKey:
    """Return a font that has all characters of a text.

    This is ``font``, unless the italic font lacks one of the characters. Then it is the semibold font.

    Args:
        where: the text's key in the spec, such as ``title`` or ``levels[2].name``, for error messages.
    Raises:
        LayoutError: the fonts can't print the text, for one of the reasons that ``text_problem`` lists.
    """
    if font is FontKey.ITALIC and measure.missing(text, font):
        font = FontKey.SEMIBOLD
    if problem := text_problem(text, measure, (font,)):
        raise LayoutError(problem, where)
    return font


def text_problem(
    text: str, measure: Measure, fonts: tuple[FontKey, ...] = (FontKey.REGULAR, FontKey.SEMIBOLD)
) -> str | None:
    """Return a message that says why the given fonts can't print a text, or None if they can.

    A text is rejected if a glyph is missing, if its script is read from right to left, or if a combining mark
    doesn't follow a letter.
    """
    if not text.isascii():
        backwards = [char for char in text if unicodedata.bidirectional(char) in ("R", "AL", "AN")]
        if backwards:
            return (
                f"{_named(backwards[0])} in {text[:60]!r} is of a script that is read from right to "
                "left, and this version sets lines from left to right only. Write it in another script."
            )
        pairs = zip(text, " " + text, strict=False)
        lone = next((char for char, before in pairs if before == " " and is_combining(char)), None)
        if lone is not None:
            return (
                f"{_named(lone)} in {text[:60]!r} has no letter before it, as a mark must. "
                "Put the letter there, or leave the mark out."
            )
    missing = next(filter(None, (measure.missing(text, font) for font in fonts)), "")
    if not missing:
        return None
    more = f" and {len(missing) - 5} more" if len(missing) > 5 else ""
    # The result is None if the publisher's words file has an unknown language tag.
    locale = parse_locale(measure.language)
    language = (locale and locale.english_name) or measure.language
    return (
        f"the fonts have no glyph for {', '.join(map(_named, missing[:5]))}{more} in "
        f"{text[:60]!r} (the language is {language}). The fonts of linkpress "
        "have Latin, Greek, Cyrillic and Thai letters: for others name a TrueType font that has them as "
        "fonts.fallback, else leave the character out or write it in letters."
    )


def _named(char: str) -> str:
    name = unicodedata.name(char, "").lower()
    return f"{char!r} (U+{ord(char):04X}{', ' if name else ''}{name})"


def is_combining(char: str) -> bool:
    return unicodedata.category(char)[0] == "M"


def _has_combining(text: str) -> bool:
    return max(text, default="") >= FIRST_COMBINING and any(map(is_combining, text))


# Setting text


def clear_leading(text: str, size_pt: float, leading_pt: float, measure: Measure) -> float:
    """Return the distance between baselines, increased if accents would otherwise touch the line above."""
    if not _has_combining(text):
        return leading_pt
    box = measure.ink(text, FontKey.REGULAR, size_pt)
    return max(leading_pt, box.top - box.bottom + _CLEAR * size_pt)


def clear_rise(text: str, size_pt: float, rise_pt: float, measure: Measure) -> float:
    """Return the height to keep free above a baseline, in points.

    This is ``rise_pt``, or more if the text is taller. The text is measured in the semibold font. Letters
    without accents are allowed to be a little taller than ``rise_pt``.
    """
    top = measure.ink(_any_figures(text), FontKey.SEMIBOLD, size_pt).top
    if top <= rise_pt + _OVERSHOOT * size_pt and not _has_combining(unicodedata.normalize("NFD", text)):
        return rise_pt
    return max(rise_pt, top)


def clear_fall(text: str, size_pt: float, measure: Measure) -> float:
    """Return how far the digits of a text extend below the baseline in the semibold font, in points.

    Old-style digits extend below the baseline. For fonts with other digits the result is 0.
    """
    fall = -measure.ink(_any_figures(text), FontKey.SEMIBOLD, size_pt).bottom
    return fall if fall > _OVERSHOOT * size_pt else 0.0


def _any_figures(text: str) -> str:
    """Replace each number in a text with ``0123456789`` before the text is measured.

    Texts that differ only in their numbers then have the same height. They get the same position on all
    pages, and only one of them must be measured.
    """
    return re.sub("[0-9]+", "0123456789", text)


def fitting_size(
    text: str, size_pt: float, *, width_pt: float, available_pt: float, least_pt: float, where: str
) -> float:
    """Return the largest type size up to ``size_pt`` at which a text fits on one line.

    Args:
        width_pt: the text's width at ``size_pt``.
        available_pt: the length of the line.
        least_pt: the smallest type size that the printer allows.
        where: the text's key in the spec, for error messages.
    Raises:
        LayoutError: the text is too long even in the smallest type size.
    """
    size_pt = min(size_pt, size_pt * available_pt / max(width_pt, 0.01))
    if size_pt < least_pt:
        raise LayoutError(
            f"{text[:60]!r} is too long for its line of {max(available_pt, 0.0) / MM_PT:.0f} mm, even in "
            f"type of {least_pt:g} pt. Shorten it or choose a wider page.trim.",
            where,
        )
    return size_pt


def overhang(text: str, font: FontKey, size_pt: float, measure: Measure) -> float:
    """Return how many points a line must be moved right so that its first letter's marks stay in the margins.

    A Thai vowel above the first letter can begin to the left of the letter.
    """
    if unicodedata.category(text[1:2] or " ") != "Mn":
        return 0.0
    return max(-measure.ink(text[:2], font, size_pt).left - _MOST_OVERHANG_PT, 0.0)


def set_text(
    text: str,
    point: tuple[float, float],
    font: FontKey,
    size_pt: float,
    measure: Measure,
    anchor: Anchor = Anchor.START,
    ink: Ink = BLACK,
    where: str = "",
    tag: Tag | None = None,
) -> TextRun:
    """Return a text run whose start, middle or end is at a point on the baseline.

    Args:
        point: the point on the baseline.
        font: a font that has all glyphs of the text, as ``font_for`` returns.
        anchor: the part of the text that is at the point.
        where: the text's key in the spec, for error messages.
        tag: the structure element that the text belongs to, as in ``TextRun``.
    """
    x, y = point
    width = measure.width(text, font, size_pt)
    if anchor is Anchor.MIDDLE:
        x -= width / 2
    elif anchor is Anchor.END:
        x -= width
    else:
        x += overhang(text, font, size_pt, measure)
    return TextRun(x, y, text, font, size_pt, width, ink, anchor, where=where, tag=tag)
