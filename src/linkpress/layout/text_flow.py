"""Measure text, break it into lines, and arrange lines and pictures in columns.

1. A renderer provides the sizes of text as a ``Measure``, because this module knows no font files.
   ``check_text`` checks that the fonts have all characters of a text.
2. ``pieces`` finds possible ends of lines: spaces, and word boundaries in scripts without spaces. ``_cuts``
   finds positions at which a long word may be split if necessary.
3. ``break_lines`` fills left-aligned lines with pieces.
4. ``flow`` arranges paragraphs, headings, list items and rows of pictures in columns. Lines that belong
   together are kept on the same page.
5. ``Lettering`` typesets titles and other large text on covers and title pages.

Source:
    Unicode UAX #14, as implemented by ICU, with dictionaries for Thai, Lao, Khmer and Burmese, the strict
    rules of JIS X 4051 for Japanese, and a trained model for Japanese phrases. Hyphenation uses the
    dictionaries of LibreOffice.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from itertools import accumulate, combinations, pairwise, takewhile
from math import comb
from typing import TYPE_CHECKING, NamedTuple, Protocol

from linkpress.book.key_values import title_parts
from linkpress.documents.values import MM_PT
from linkpress.errors import LayoutError
from linkpress.layout.frame import BLACK, Anchor, Area, FontKey, Ink, Item, Placed, Point, Tag, TextRun
from linkpress.words import parse_locale

if TYPE_CHECKING:
    from pyphen import Pyphen


# The first combining mark in Unicode. All earlier characters are letters, digits, punctuation and symbols.
FIRST_COMBINING = "\u0300"
_CLEAR = 0.05  # minimum gap between an accent and the line above, as a fraction of the type size

# A character that is taller than capital letters by less than this fraction of the type size counts as
# equally tall. In the built-in fonts, round digits and brackets are 0.01 to 0.02 taller.
_OVERSHOOT = 0.03

# The ink of a line's first letter may extend this many points to the left of the place where the line should
# start. Printers' checks of margins tolerate 0.5.
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
        """Return the width of a text in points, without tracking (extra space between letters)."""
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
    # ``parse_locale`` returns None if the publisher's words file has an unknown language tag.
    locale = parse_locale(measure.language)
    language = (locale and locale.english_name) or measure.language
    return (
        f"the fonts have no glyph for {', '.join(map(_named, missing[:5]))}{more} in "
        f"{text[:60]!r} (the language is {language}). The fonts of linkpress have Latin, Greek, Cyrillic and "
        "Thai letters. For other letters, give a TrueType font that has them, as "
        "`fonts: {fallback: MyFont.ttf}`; or leave the character out."
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


def text_height(text: str, size_pt: float, rise_pt: float, measure: Measure) -> float:
    """Return the height to keep free above the baseline of a text, in points.

    The result is ``rise_pt``, the usual height, if the text fits into it. It is also ``rise_pt`` if the text
    is only slightly taller and has no accents. In all other cases, it is the height of the text in the
    semibold font.
    """
    top = measure.ink(_any_figures(text), FontKey.SEMIBOLD, size_pt).top
    if top <= rise_pt + _OVERSHOOT * size_pt and not _has_combining(unicodedata.normalize("NFD", text)):
        return rise_pt
    return max(rise_pt, top)


def digit_depth(text: str, size_pt: float, measure: Measure) -> float:
    """Return how far the digits of a text extend below the baseline in the semibold font, in points.

    Old-style digits such as 3 or 9 extend below the baseline. If no digit of the font does, the result is 0.
    """
    fall = -measure.ink(_any_figures(text), FontKey.SEMIBOLD, size_pt).bottom
    return fall if fall > _OVERSHOOT * size_pt else 0.0


def _any_figures(text: str) -> str:
    """Replace each number in a text with ``0123456789``, to make a text for measuring the height.

    Texts that differ only in their numbers, such as the headings of two pages, then count as equally high.
    So they get the same position on all pages, and the height is measured only once.
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
    """Return how many points to move a line right to keep the first letter's marks out of the margin.

    For example, a Thai vowel above the first letter can begin to the left of this letter.
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


LEADING = 1.4  # distance between the baselines of running text, as a multiple of the type size
HEADING_LEADING = 1.15  # distance between the baselines of headings, as a multiple of the type size

# A last line that is shorter than this fraction of the column width looks isolated. The text is then set
# in narrower columns, which move words to the last line. ``NARROWER`` has their widths as fractions of
# the column width.
SHORT_LINE = 0.22
NARROWER = (0.97, 0.94, 0.91, 0.88, 0.85)
# If a line would be shorter than this fraction of the column width, the next word is hyphenated to fill it.
# This doesn't apply to the last line of a paragraph.
LOOSE = 0.6
# If a paragraph is divided between two pages, each page gets at least this many of its lines.
KEEP_LINES = 2
_SLACK_PT = 0.01  # allowance in points for rounding errors in sums of heights

# No line can hold so many characters. A longer word is cut to this length before its break is searched for.
_MAX_LINE_CHARS = 500
LEAST_WORDS_PT = 7.0  # minimum type size, in points, of words on covers

# Ranges of characters of scripts without spaces between words: Thai and Lao, Burmese, Khmer, Tai scripts,
# Chinese and Japanese. The zero-width space is included too. Each pair of characters of this string is one
# range: the first character of the range, and the first character after its end. The same ranges as a regular
# expression would take 8 ms to compile.
_UNSPACED = (
    "\u0e00\u0f00\u1000\u10a0\u1780\u1800\u1950\u19e0\u1a20\u1ab0\u200b\u200c\u2e80\ua000\uf900\ufb00"
    "\uff00\ufff0\U00020000\U00040000"
)
_WORD = re.compile(r"[^\W\d_]+")
# Web addresses and version numbers are not hyphenated, because the hyphen could be mistaken for a
# part of them.
_NO_WORD = re.compile(r"\w[^\w'’-]+\w|[\d_]")
_LEAST_PART = 3  # minimum number of letters of a word before and after an inserted hyphen

# Maximum number of letters in a word that may be hyphenated; a longer string is probably not a word.
_MOST_HYPHENATED = 100

# Rules for breaking titles into lines. A line should not end in a short word such as *of*, *the* or *los*. A
# single word on the last line should be at least half as wide as the widest line.
_SMALL_WORD = 3  # maximum number of letters in a word that counts as short
_LONE_SHARE = 0.5
# Penalty for each line of a title. For comparison, a line that ends in a short word has a penalty of 1.
_LINE_PENALTY = 0.6
_MOST_TRIED = 3_000  # maximum number of ways to break a title that are compared

Movable = TextRun | Placed  # items of a page that ``shifted`` can move

# The columns of a text. A column has a tuple of items for each of its blocks.
Columns = list[list[tuple[Movable, ...]]]
_Part = tuple[str, FontKey]  # part of a word together with its font


# Line breaks


def pieces(text: str, language: str, phrases: bool = False) -> Iterator[str]:
    """Yield the smallest parts of a text between which a line may end, each with its preceding spaces.

    Args:
        language: the BCP 47 tag of the text's language.
        phrases: whether to keep Japanese phrases together, as is usual in titles.
    """
    start = 0
    for index in range(1, len(text)):
        if text[index] == " " and text[index - 1] != " ":
            yield from _word_parts(text[start:index], language, phrases)
            start = index
    if text:
        yield from _word_parts(text[start:], language, phrases)


def _word_parts(word: str, language: str, phrases: bool) -> Iterator[str]:
    if not has_unspaced(word):
        yield word
        return
    bare = word.lstrip(" ")
    spaces = word[: len(word) - len(bare)]
    for part in _icu_parts(bare, language, phrases):
        yield spaces + part
        spaces = ""


def has_unspaced(text: str) -> bool:
    """Return whether a text has characters of a script that doesn't put spaces between words."""
    return not text.isascii() and any(bisect(_UNSPACED, char) % 2 for char in text)


def _icu_parts(text: str, language: str, phrases: bool = False) -> Iterable[str]:
    # Import only when needed, because this loads 30 MB of tables.
    from icu4py.breakers import LineBreaker

    options = "lb=strict;lw=phrase" if phrases else "lb=strict"
    return LineBreaker(text, f"{language.replace('-', '_')}@{options}")


@lru_cache(maxsize=5_000)
def _cuts(word: str, language: str) -> tuple[tuple[int, str], ...]:
    """Return the positions in a word at which it may be split if necessary, in ascending order.

    Each position is a pair: the number of characters before it, and the hyphen to insert there. The hyphen
    may be an empty string.
    """
    hyphen_at = {end: "" for end in accumulate(map(len, _icu_parts(word, language))) if end < len(word)}
    hyphenation = _hyphenation(language)
    if hyphenation is not None and not has_unspaced(word) and not _NO_WORD.search(word):
        for match in _WORD.finditer(word):
            if len(match[0]) > _MOST_HYPHENATED:
                continue
            for position in hyphenation.positions(match[0]):
                # At some positions, a word is spelled differently if it is hyphenated there. ``data`` then
                # has the other spelling. Skip such positions.
                if position.data is None:
                    hyphen_at.setdefault(match.start() + position, "-")
    return tuple(sorted(hyphen_at.items()))


@cache
def _hyphenation(language: str) -> Pyphen | None:
    import pyphen

    known = pyphen.language_fallback(language.replace("-", "_"))
    return pyphen.Pyphen(lang=known, left=_LEAST_PART, right=_LEAST_PART) if known else None


def _letter_ends(word: str) -> Iterator[int]:
    """Yield the index after each letter of a word. A letter includes its combining marks."""
    from icu4py.breakers import CharacterBreaker

    return accumulate(map(len, CharacterBreaker(word, "en")))


# Breaking lines


@dataclass(frozen=True, slots=True)
class Text:
    """Span of text in one style. Italic text becomes semibold if the fonts have no italic."""

    text: str
    strong: bool = False
    italic: bool = False

    @property
    def font(self) -> FontKey:
        if self.italic and not self.strong:
            return FontKey.ITALIC
        return FontKey.SEMIBOLD if self.strong or self.italic else FontKey.REGULAR


@dataclass(frozen=True, slots=True)
class Block:
    """Paragraph, heading or list item.

    Args:
        spans: the text. A line feed in it forces a line break.
        size_pt: the type size.
        leading_pt: the distance between the baselines of two lines.
        before_pt: the space above the block, which is omitted at the top of a page.
        indent_pt: the distance of the text from the left edge of the column.
        hang_pt: the distance from the start of the marker to the start of the text.
        marker: the number or dash of a list item, or an empty string.
        with_next: whether the next block must begin on the same page, as is usual after a heading.
        whole_words: whether to keep words and Japanese phrases whole. Only words wider than the line are then
            hyphenated.
        where: the text's key in the spec, for error messages.
        role: the role of the block's tag, such as ``P``, ``H2`` or ``Link``.
    """

    spans: tuple[Text, ...]
    size_pt: float
    leading_pt: float
    before_pt: float = 0.0
    indent_pt: float = 0.0
    hang_pt: float = 0.0
    marker: str = ""
    with_next: bool = False
    whole_words: bool = False
    ink: Ink = BLACK
    where: str = "text"
    role: str = "P"


@dataclass(slots=True)
class TextLine:
    """Line of a block.

    Args:
        runs: the parts of the line. Each has a distance from the left end of the line, a text, and a font.
        width: the width of the line in points.
    """

    runs: list[tuple[float, str, FontKey]] = field(default_factory=list)
    width: float = 0.0

    @property
    def text(self) -> str:
        return "".join(text for _, text, _ in self.runs).rstrip()


def text_block(text: str, size_pt: float, **options: object) -> Block:
    """Create a paragraph in the regular font. ``options`` set other fields of the ``Block``."""
    return Block((Text(text),), size_pt, size_pt * LEADING, **options)  # type: ignore[arg-type]


def heading_block(text: str, size_pt: float, before_pt: float) -> Block:
    """Create a semibold heading that stays on the same page as the start of the next block."""
    spans, leading_pt = (Text(text, strong=True),), HEADING_LEADING * size_pt
    return Block(spans, size_pt, leading_pt, before_pt, with_next=True, whole_words=True, role="H2")


def with_clear_lines(block: Block, measure: Measure) -> Block:
    """Return the block with enough leading that no accent touches the line above."""
    text = "".join(span.text for span in block.spans).replace("\n", " ")
    leading_pt = clear_leading(text, block.size_pt, block.leading_pt, measure)
    return block if leading_pt == block.leading_pt else replace(block, leading_pt=leading_pt)


@lru_cache(maxsize=2000)  # cached, because texts are typeset several times until the page count is known
def break_lines(block: Block, width_pt: float, measure: Measure) -> Sequence[TextLine]:
    """Break a block into lines that are no wider than ``width_pt``.

    If the last line is very short, the lines are made slightly narrower, unless that adds a line. A word is
    hyphenated if it is wider than the line, or if moving it to the next line would leave a large gap.
    """
    width_pt -= block.indent_pt
    lines = _greedy_lines(block, width_pt, measure)
    for narrower in NARROWER:
        if len(lines) < 2 or lines[-1].width >= SHORT_LINE * width_pt:
            break
        tried = _greedy_lines(block, narrower * width_pt, measure)
        if len(tried) > len(lines):
            break
        lines = tried
    return lines


def _greedy_lines(block: Block, width_pt: float, measure: Measure) -> list[TextLine]:
    breaker = _LineBreaker(block, width_pt, measure)
    for index, paragraph in enumerate(_paragraphs(block, measure)):
        if index:
            breaker.lines.append(TextLine())
        for word in _words(paragraph, measure.language, block.whole_words):
            breaker.add(word)
    return breaker.lines


def _paragraphs(block: Block, measure: Measure) -> list[list[_Part]]:
    """Split the text of a block at line feeds, and choose the font of each part."""
    paragraphs: list[list[_Part]] = [[]]
    for span in block.spans:
        font = font_for(span.text.replace("\n", " "), span.font, measure, block.where)
        for index, text in enumerate(span.text.split("\n")):
            if index:
                paragraphs.append([])
            paragraphs[-1].append((text, font))
    return paragraphs


def _words(paragraph: Sequence[_Part], language: str, phrases: bool) -> Iterator[list[_Part]]:
    """Yield the words of a paragraph. A line can break after each of them.

    In languages without spaces between words, such as Thai, the paragraph is divided where lines may break. A
    word is a list of parts, because the font may change inside a word.
    """
    word: list[_Part] = []
    # A word may extend over several parts of the paragraph. ``word`` has the parts of the current word so
    # far, and ``missing`` is the number of its characters that are still to come.
    missing = 0
    rest = pieces("".join(text for text, _ in paragraph), language, phrases)
    for text, font in paragraph:
        while text:
            if not missing:
                if word:
                    yield word
                word, missing = [], len(next(rest))
            word.append((text[:missing], font))
            text, missing = text[missing:], max(0, missing - len(text))
    if word:
        yield word


class _LineBreaker:
    """Fill lines with words, one word at a time."""

    def __init__(self, block: Block, width_pt: float, measure: Measure) -> None:
        self.lines = [TextLine()]
        self._block, self._width_pt, self._measure = block, width_pt, measure

    def add(self, word: list[_Part]) -> None:
        line = self.lines[-1]
        if not line.runs:
            word = _without_spaces(word)
        elif line.width + self._word_width(word) > self._width_pt:
            word = self._break_before(word)
            self.lines.append(TextLine())
        for text, font in word:
            while text and not self.lines[-1].runs and self._width(text, font) > self._width_pt:
                head, text = self._split(text, font)
                self.lines[-1].runs.append((0.0, head, font))
                self.lines.append(TextLine())
            self._append(text, font)

    def _width(self, text: str, font: FontKey) -> float:
        return self._measure.width(text, font, self._block.size_pt)

    def _word_width(self, word: Sequence[_Part]) -> float:
        *parts, (last, font) = word
        return sum(self._width(text, other) for text, other in parts) + self._width(last.rstrip(" "), font)

    def _break_before(self, word: list[_Part]) -> list[_Part]:
        """End the current line, and return the part of ``word`` that moves to the next line.

        The word is split if it is wider than a line, or if the current line would otherwise be very short.
        """
        line, whole = self.lines[-1], _without_spaces(word)
        too_wide = self._word_width(whole) > self._width_pt
        loose = line.width < LOOSE * self._width_pt and not self._block.whole_words
        if len(word) > 1 or not (too_wide or loose):
            return whole
        ((text, font),) = word
        for index, hyphen in reversed(_cuts(text, self._measure.language)):
            # A word that fits on a line is only split at hyphens, so that web addresses stay whole.
            allowed = too_wide or hyphen or text[index - 1] == "-"
            head = text[:index] + hyphen
            if allowed and text[:index].strip(" ") and self._width(head, font) <= self._width_pt - line.width:
                self._append(head, font)
                return [(text[index:], font)]
        return whole

    def _split(self, word: str, font: FontKey) -> tuple[str, str]:
        """Split a word that is wider than a line into a part that fits and the rest.

        The word is split between any two letters if there is no better position.
        """

        def fits(cut: tuple[int, str]) -> bool:
            return self._width(word[: cut[0]] + cut[1], font) <= self._width_pt

        head = word[:_MAX_LINE_CHARS]
        fitting = [*takewhile(fits, _cuts(head, self._measure.language))]
        if not fitting:
            fitting = [*takewhile(fits, ((end, "") for end in _letter_ends(head)))]
        end, hyphen = fitting[-1] if fitting else (next(_letter_ends(head)), "")
        return word[:end] + hyphen, word[end:]

    def _append(self, text: str, font: FontKey) -> None:
        line = self.lines[-1]
        if not text:
            return
        if line.runs and line.runs[-1][2] == font:
            x, before, _ = line.runs[-1]
            line.runs[-1] = (x, before + text, font)
            line.width = x + self._width(before + text, font)
        else:
            line.runs.append((line.width, text, font))
            line.width += self._width(text, font)


def _without_spaces(word: list[_Part]) -> list[_Part]:
    (text, font), *others = word
    return [(text.lstrip(" "), font), *others]


def line_runs(
    line: TextLine,
    x: float,
    y: float,
    size_pt: float,
    measure: Measure,
    ink: Ink = BLACK,
    where: str = "",
    tag: Tag | None = None,
) -> Iterator[TextRun]:
    """Yield the text runs of a line that begins at ``x`` on the baseline ``y``."""
    if line.runs:
        _, first, font = line.runs[0]
        x += overhang(first, font, size_pt, measure)
    for shift, text, font in line.runs:
        width_pt = measure.width(text, font, size_pt)
        yield TextRun(x + shift, y, text, font, size_pt, width_pt, ink, where=where, tag=tag)


# Filling columns


@dataclass(frozen=True, slots=True)
class PictureRow:
    """Row of drawings that stay together on one page.

    The positions of the drawings are relative to the bottom left corner of the row.
    """

    items: tuple[Movable, ...]
    height_pt: float
    before_pt: float = 0.0
    with_next: bool = False


def flow(blocks: Sequence[Block | PictureRow], area: Area, measure: Measure) -> Columns:
    """Arrange blocks in columns of the size of ``area``.

    Returns:
        The columns. If there are no blocks, there is one empty column.
    """
    filler = _ColumnFiller(area, measure)
    group: list[Block | PictureRow] = []
    for index, block in enumerate(blocks):
        group.append(block)
        if not block.with_next or index == len(blocks) - 1:
            filler.add(group)
            group = []
    return filler.columns


class _ColumnFiller:
    """Fill columns from top to bottom. A group of blocks that doesn't fit begins a new column."""

    def __init__(self, area: Area, measure: Measure) -> None:
        self._area, self._measure, self._y = area, measure, area.top
        self.columns: Columns = [[]]
        # The lists that contain the current block, from the outermost to the innermost. Each entry has the
        # indent of the list, the tag of the list, and the tag of its last item's body.
        self._lists: list[tuple[float, Tag, Tag]] = []

    def add(self, group: Sequence[Block | PictureRow]) -> None:
        """Add a group of blocks that must begin in the same column."""
        group = [
            with_clear_lines(block, self._measure) if isinstance(block, Block) else block for block in group
        ]
        broken = [
            break_lines(block, self._area.width, self._measure) if isinstance(block, Block) else []
            for block in group
        ]
        if self._least_height(group, broken) > self._y - self._area.y + _SLACK_PT and self.columns[-1]:
            self._next_column()
        for block, lines in zip(group, broken, strict=True):
            if self.columns[-1]:
                self._y -= block.before_pt
            if isinstance(block, PictureRow):
                self._lists = []
                self._y -= block.height_pt
                items = tuple(shifted(item, self._area.x, self._y) for item in block.items)
                self.columns[-1].append(items)
            else:
                self._write(block, lines)

    def _next_column(self) -> None:
        self.columns.append([])
        self._y = self._area.top

    def _least_height(
        self, group: Sequence[Block | PictureRow], broken: Sequence[Sequence[TextLine]]
    ) -> float:
        """Return the height that a group of blocks needs in the current column, in points.

        If the last block can continue in the next column, only its first lines count.
        """
        height = 0.0
        for index, (block, lines) in enumerate(zip(group, broken, strict=True)):
            height += block.before_pt
            if isinstance(block, PictureRow):
                height += block.height_pt
                continue
            divisible = index == len(group) - 1 and len(lines) >= 2 * KEEP_LINES
            height += (KEEP_LINES if divisible else len(lines)) * block.leading_pt
        return height

    def _write(self, block: Block, lines: Sequence[TextLine]) -> None:
        items: list[Movable] = []
        label, tag = self._tags_of(block)
        for index, line in enumerate(lines):
            left = len(lines) - index
            fitting = int((self._y - self._area.y + _SLACK_PT) / block.leading_pt)
            if fitting < 1 or (left == KEEP_LINES and index >= KEEP_LINES and fitting < KEEP_LINES):
                self.columns[-1].append(tuple(items))
                items = []
                self._next_column()
            self._y -= block.leading_pt
            items += self._line(block, line, tag, label if index == 0 else None)
        self.columns[-1].append(tuple(items))

    def _tags_of(self, block: Block) -> tuple[Tag | None, Tag]:
        """Return two tags for screen readers: one for a block's marker, and one for its text.

        A marker is the number or dash of a list item. The first tag is None for a block without a marker.
        """
        while self._lists and self._lists[-1][0] > block.indent_pt:
            self._lists.pop()
        if not block.marker:
            return None, Tag(block.role, self._lists[-1][2] if self._lists else None)
        if self._lists and self._lists[-1][0] == block.indent_pt:
            indent, whole, _ = self._lists.pop()
        else:
            numbering = "Decimal" if block.marker[0].isdecimal() else "Disc"
            around = self._lists[-1][2] if self._lists else None
            indent, whole = block.indent_pt, Tag("L", around, attribute=("List", "ListNumbering", numbering))
        item = Tag("LI", whole)
        label, body = Tag("Lbl", item), Tag("LBody", item)
        self._lists.append((indent, whole, body))
        return label, Tag(block.role, body)

    def _line(self, block: Block, line: TextLine, tag: Tag, label: Tag | None) -> Iterator[Movable]:
        """Typeset a line of text. If ``label`` is not None, a list item's marker is placed before it.

        ``label`` is the tag of the marker.
        """
        # With this baseline, lower-case letters are in the middle of the line's height.
        y = self._y + (block.leading_pt - block.size_pt) / 2 + 0.22 * block.size_pt
        x, measure = self._area.x + block.indent_pt, self._measure
        if label is not None:
            font = font_for(block.marker, FontKey.SEMIBOLD, measure, block.where)
            point = x - block.hang_pt, y
            size, ink, where = block.size_pt, block.ink, block.where
            yield set_text(block.marker, point, font, size, measure, ink=ink, where=where, tag=label)
        yield from line_runs(line, x, y, block.size_pt, measure, block.ink, block.where, tag)


def shifted(item: Movable, dx: float, dy: float) -> Movable:
    return replace(item, x=item.x + dx, y=item.y + dy)


# Large text


@dataclass(frozen=True, slots=True)
class Lettering:
    """Font and colour of large text on a cover or a title page.

    Args:
        where: the text's key in the spec, for error messages.
        tag: the structure element that the text belongs to, or None if screen readers skip the text.
    """

    measure: Measure
    ink: Ink
    where: str
    face: FontKey = FontKey.REGULAR
    tag: Tag | None = None

    def _font(self, text: str) -> FontKey:
        return font_for(text, self.face, self.measure, self.where)

    def width(self, text: str, size: float) -> float:
        return self.measure.width(text, self._font(text), size)

    def widest_word(self, text: str) -> float:
        """Return the width of a text's widest word at a type size of 1 pt.

        A word here is a part of the text in which no line may end.
        """
        words = ("", *pieces(text, self.measure.language, phrases=True))
        return max(self.width(word.strip(" "), 1.0) for word in words)

    def lines(self, text: str, width: float, size: float) -> list[str]:
        """Break a text into lines that are no wider than ``width``."""
        span = Text(text, self.face is not FontKey.REGULAR)
        block = Block((span,), size, size, whole_words=True, where=self.where)
        return [line.text for line in break_lines(block, width, self.measure)]

    def display(self, text: str, width: float, size: float) -> list[str]:
        """Break a title into lines of similar width. Line breaks in the spec are kept."""
        balanced = _balanced_lines(
            title_parts(text), self.measure.language, lambda line: self.width(line, size), width
        )
        return self.lines(text, width, size) if balanced is None else balanced

    def set(self, text: str, point: Point, size: float, anchor: Anchor = Anchor.START) -> Item:
        """Typeset one line of text at a point.

        Raises:
            LayoutError: a glyph is missing.
        """
        font = self._font(text)
        return set_text(text, point, font, size, self.measure, anchor, self.ink, self.where, self.tag)


def _balanced_lines(
    parts: Sequence[str], language: str, width_of: Callable[[str], float], most: float
) -> list[str] | None:
    """Break each part of a title into a small number of lines of similar width.

    Returns:
        The lines, or None if a part doesn't fit or there are too many ways to break it.
    """
    lines: list[str] = []
    for part in parts:
        words = list(pieces(part, language, phrases=True))
        best: tuple[float, list[str]] | None = None
        for count in range(1, len(words) + 1):
            if comb(len(words) - 1, count - 1) > _MOST_TRIED:
                return None
            candidates = (_joined(words, ends) for ends in combinations(range(1, len(words)), count - 1))
            scored = [
                (_unevenness(candidate, width_of) + _LINE_PENALTY * count, candidate)
                for candidate in candidates
                if all(width_of(line) <= most for line in candidate)
            ]
            if best is not None:
                # ``best`` breaks the title into as few lines as possible. With one line more, better line
                # breaks may be possible, so try this, too. Even more lines don't make the title better.
                best = min([best, *scored])
                break
            best = min(scored, default=None)
        if best is None:
            return None
        lines += best[1]
    return lines


def _joined(words: Sequence[str], ends: Iterable[int]) -> list[str]:
    return ["".join(words[begin:end]).strip(" ") for begin, end in pairwise((0, *ends, len(words)))]


def _unevenness(lines: Sequence[str], width_of: Callable[[str], float]) -> float:
    """Return a penalty for unequal widths, short words at line ends, and a single word on the last line."""
    widths = [width_of(line) for line in lines]
    widest = max(widths)
    alone = len(lines) > 1 and " " not in lines[-1] and widths[-1] < _LONE_SHARE * widest
    return sum((1 - width / widest) ** 2 for width in widths) + _small_ends(lines) + 0.5 * alone


def _small_ends(lines: Sequence[str]) -> int:
    """Return how many lines, apart from the last line, end in a short lower-case word."""
    ends = [line.rpartition(" ")[2] for line in lines[:-1]]
    return sum(len(end) <= _SMALL_WORD and end.islower() for end in ends)


def breaks_poorly(lines: Sequence[str]) -> int:
    """Return a score for badly broken lines: 2 if a line ends in a short word, 1 if a single word is alone.

    A word is alone if it is the only word of a line while other lines have several words. If neither is the
    case, the score is 0.
    """
    if _small_ends(lines):
        return 2
    return int({" " in line for line in lines} == {True, False})
