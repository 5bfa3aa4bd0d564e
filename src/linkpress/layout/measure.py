"""Measure text, and check that the fonts have all its characters.

Font files and renderers are unknown here: a renderer provides the sizes of text as a ``Measure``.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple, Protocol

from linkpress.documents.values import MM_PT
from linkpress.errors import LayoutError
from linkpress.layout.frame import BLACK, Anchor, FontKey, Ink, Tag, TextRun
from linkpress.words.language import parse_locale

# The first combining mark in Unicode; all characters before it are letters, digits and signs.
FIRST_COMBINING = "\u0300"
_CLEAR = 0.05  # minimum gap between an accent and the line above, as a share of the type size

# Characters that rise above the capitals by less than this share of the type size count as equally high. In
# the shipped fonts, round figures and brackets rise by 0.01 to 0.02.
_OVERSHOOT = 0.03


class InkBox(NamedTuple):
    """Bounding box of a text's ink in points, measured from the start of the text on its baseline."""

    left: float
    bottom: float
    right: float
    top: float


class Measure(Protocol):
    """Sizes of text in a book's fonts. ``language`` is the BCP 47 tag of the text's language."""

    language: str

    def __hash__(self) -> int: ...

    def width(self, text: str, font: FontKey, size_pt: float) -> float:
        """Return the width of a text in points, without tracking."""
        ...

    def ink(self, text: str, font: FontKey, size_pt: float) -> InkBox:
        """Return the box around a text's ink, in points; an empty text has an empty box."""
        ...

    def missing(self, text: str, font: FontKey) -> str:
        """Return the characters that the font has no glyph for, each once, in order."""
        ...


# Checking glyphs


def font_for(text: str, font: FontKey, measure: Measure, where: str) -> FontKey:
    """Return a font that can set a text: ``font``, or semibold if the italic lacks one of its characters.

    Args:
        where: the text's key in the spec, such as ``title`` or ``levels[2].name``, for the error.
    Raises:
        LayoutError: the fonts can't set the text; see ``text_problem``.
    """
    if font is FontKey.ITALIC and measure.missing(text, font):
        font = FontKey.SEMIBOLD
    if problem := text_problem(text, measure, (font,)):
        raise LayoutError(problem, where)
    return font


def text_problem(
    text: str, measure: Measure, fonts: tuple[FontKey, ...] = (FontKey.REGULAR, FontKey.SEMIBOLD)
) -> str | None:
    """Return why these fonts can't set a text, or None if they can.

    A text is refused if a glyph is missing, if it is read from right to left, or if a combining mark follows
    no letter.
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
    locale = parse_locale(measure.language)  # None if the publisher's words file has an unknown language tag
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
    """Return the distance between baselines, increased if accents of the text would touch the next line."""
    if not _has_combining(text):
        return leading_pt
    box = measure.ink(text, FontKey.REGULAR, size_pt)
    return max(leading_pt, box.top - box.bottom + _CLEAR * size_pt)


def clear_rise(text: str, size_pt: float, rise_pt: float, measure: Measure) -> float:
    """Return the height to keep free above a baseline: ``rise_pt``, or more if the text is higher than that.

    The text is measured in the semibold font. Letters without accents may rise a little above ``rise_pt``.
    """
    top = measure.ink(_any_figures(text), FontKey.SEMIBOLD, size_pt).top
    if top <= rise_pt + _OVERSHOOT * size_pt and not _has_combining(unicodedata.normalize("NFD", text)):
        return rise_pt
    return max(rise_pt, top)


def clear_fall(text: str, size_pt: float, measure: Measure) -> float:
    """Return how far old-style figures of a text fall below the baseline, in the semibold font.

    Return 0 if the font's figures stand on the baseline.
    """
    fall = -measure.ink(_any_figures(text), FontKey.SEMIBOLD, size_pt).bottom
    return fall if fall > _OVERSHOOT * size_pt else 0.0


def _any_figures(text: str) -> str:
    """Replace each number in a text with ``0123456789``.

    Texts that differ only in their numbers then have the same measured height. So they stand at the same
    height on all pages, and only one of them has to be measured.
    """
    return re.sub("[0-9]+", "0123456789", text)


def fitting_size(
    text: str, size_pt: float, *, width_pt: float, available_pt: float, least_pt: float, where: str
) -> float:
    """Return the largest type size, up to ``size_pt``, at which a text fits on one line.

    Args:
        width_pt: the text's width at ``size_pt``.
        available_pt: the length of the line.
        least_pt: the smallest type that the printer allows.
        where: the text's key in the spec, for the error.
    Raises:
        LayoutError: the text is too long even in the smallest type.
    """
    size_pt = min(size_pt, size_pt * available_pt / max(width_pt, 0.01))
    if size_pt < least_pt:
        raise LayoutError(
            f"{text[:60]!r} is too long for its line of {max(available_pt, 0.0) / MM_PT:.0f} mm, even in "
            f"type of {least_pt:g} pt. Shorten it or choose a wider page.trim.",
            where,
        )
    return size_pt


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
    """Return a text run that starts, ends or is centred at a point on the baseline.

    Args:
        font: a font that has all glyphs of the text; see ``font_for``.
        where: the text's key in the spec, for errors.
        tag: the structure element that the text belongs to, as in ``TextRun``.
    """
    x, y = point
    width = measure.width(text, font, size_pt)
    if anchor is Anchor.MIDDLE:
        x -= width / 2
    elif anchor is Anchor.END:
        x -= width
    return TextRun(x, y, text, font, size_pt, width, ink, anchor, where=where, tag=tag)
