"""Layout asks about type here, without knowing any font file or renderer."""

from __future__ import annotations

import unicodedata
from typing import NamedTuple, Protocol

from linkpress.documents.values import MM_PT
from linkpress.errors import LayoutError
from linkpress.layout.frame import BLACK, Anchor, FontKey, Ink, TextRun
from linkpress.words.language import parse_locale

FIRST_COMBINING = "\u0300"  # no mark and no script but Latin comes before it
_CLEAR = 0.05  # of the size, between the marks of two lines
_OVERSHOOT = 0.03  # of the size: round figures and brackets of the shipped fonts reach 0.01 and 0.02 beyond


class InkBox(NamedTuple):
    """An ink box is around the ink of a text, in points from its origin on the baseline."""

    left: float
    bottom: float
    right: float
    top: float


class Measure(Protocol):
    """A measure tells the sizes of text in a renderer's fonts, for words of one language, a BCP 47 tag."""

    language: str

    def __hash__(self) -> int: ...

    def width(self, text: str, font: FontKey, size_pt: float) -> float:
        """Return the advance of a text, in points, without tracking."""
        ...

    def ink(self, text: str, font: FontKey, size_pt: float) -> InkBox:
        """Return the box around a text's ink, in points; an empty text has an empty box."""
        ...

    def missing(self, text: str, font: FontKey) -> str:
        """Return the characters for which the font has no glyph, each once, in order."""
        ...


def font_for(text: str, font: FontKey, measure: Measure, where: str) -> FontKey:
    """Return the face that can set a text: the one asked for, or semibold where there is no such italic.

    Args:
        where: what the text is, for the message: ``title``, ``levels[2].name``.
    Raises:
        LayoutError: there is no glyph for a character, the text reads from right to left, or a mark
            stands on no letter; names the characters and the place.
    """
    _refuse_unset(text, where)
    if font is FontKey.ITALIC and measure.missing(text, font):
        font = FontKey.SEMIBOLD
    missing = measure.missing(text, font)
    if not missing:
        return font
    more = f" and {len(missing) - 5} more" if len(missing) > 5 else ""
    locale = parse_locale(measure.language)  # none for some words files of the user's own
    language = (locale and locale.english_name) or measure.language
    raise LayoutError(
        f"the fonts have no glyph for {', '.join(map(_named, missing[:5]))}{more} in "
        f"{text[:60]!r} (the language is {language}). The fonts of linkpress "
        "have Latin, Greek, Cyrillic and Thai letters: for others name a TrueType font that has them as "
        "fonts.fallback, else leave the character out or write it in letters.",
        where,
    )


def unset_fault(text: str, measure: Measure, where: str) -> LayoutError | None:
    """Return why a text can't be set in both weights, as ``font_for`` raises it; None where it can."""
    try:
        for face in (FontKey.REGULAR, FontKey.SEMIBOLD):
            font_for(text, face, measure, where)
    except LayoutError as fault:
        return fault
    return None


def _named(char: str) -> str:
    name = unicodedata.name(char, "").lower()
    return f"{char!r} (U+{ord(char):04X}{', ' if name else ''}{name})"


def _refuse_unset(text: str, where: str) -> None:
    if text.isascii():
        return
    backwards = "".join(char for char in text if unicodedata.bidirectional(char) in ("R", "AL", "AN"))
    if backwards:
        raise LayoutError(
            f"{_named(backwards[0])} in {text[:60]!r} is of a script that is read from right to "
            "left, and this version sets lines from left to right only. Write it in another script.",
            where,
        )
    pairs = zip(text, " " + text, strict=False)
    lone = next((char for char, before in pairs if before == " " and is_combining(char)), None)
    if lone is not None:
        raise LayoutError(
            f"{_named(lone)} in {text[:60]!r} has no letter before it, as a mark must. "
            "Put the letter there, or leave the mark out.",
            where,
        )


def clear_leading(text: str, size_pt: float, leading_pt: float, measure: Measure) -> float:
    """Return the leading as given, or what keeps a text's accents off the letters of the next line."""
    if not _has_combining(text):
        return leading_pt
    box = measure.ink(text, FontKey.REGULAR, size_pt)
    return max(leading_pt, box.top - box.bottom + _CLEAR * size_pt)


def _has_combining(text: str) -> bool:
    return max(text, default="") >= FIRST_COMBINING and any(map(is_combining, text))


def is_combining(char: str) -> bool:
    """Tell whether a character stands on the letter before it."""
    return unicodedata.category(char)[0] == "M"


def clear_rise(text: str, size_pt: float, rise_pt: float, measure: Measure) -> float:
    """Return the room above a baseline: as given, or what the highest sign takes in the strong face.

    Accents count whether they are marks of their own or part of their letters, as in Índice; other signs
    where they rise higher than an overshoot, as Japanese ones and the letters of some fonts do.
    """
    top = measure.ink(text, FontKey.SEMIBOLD, size_pt).top
    if top <= rise_pt + _OVERSHOOT * size_pt and not _has_combining(unicodedata.normalize("NFD", text)):
        return rise_pt
    return max(rise_pt, top)


def clear_fall(text: str, size_pt: float, measure: Measure) -> float:
    """Return the room below a baseline that old-style figures take in the strong face; else 0."""
    fall = -measure.ink(text, FontKey.SEMIBOLD, size_pt).bottom
    return fall if fall > _OVERSHOOT * size_pt else 0.0


def fitting_size(
    text: str, size_pt: float, wide_pt: float, within_pt: float, least_pt: float, where: str
) -> float:
    """Return a size, at most the given one, in which a text fits its line; else raise ``LayoutError``."""
    size_pt = min(size_pt, size_pt * within_pt / max(wide_pt, 0.01))
    if size_pt < least_pt:
        raise LayoutError(
            f"{text[:60]!r} is too long for its line of {max(within_pt, 0.0) / MM_PT:.0f} mm, even in type "
            f"of {least_pt:g} pt. Shorten it or choose a wider page.trim.",
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
) -> TextRun:
    """Return a text run that starts, ends or is centred at a point, in a face with its glyphs."""
    x, y = point
    width = measure.width(text, font, size_pt)
    if anchor is Anchor.MIDDLE:
        x -= width / 2
    elif anchor is Anchor.END:
        x -= width
    return TextRun(x, y, text, font, size_pt, width, ink, anchor)
