"""The words of a front stand in one block on one axis, with the title as large as it may be."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from linkpress.book.design_keys import Alignment, CoverWords, WordsPlace
from linkpress.book.key_values import title_parts
from linkpress.documents.values import MM_PT
from linkpress.errors import LayoutError
from linkpress.layout.frame import Anchor, Area, FontKey, Item, Rects
from linkpress.layout.measure import Measure, clear_leading, clear_rise, fitting_size
from linkpress.layout.text_flow import LEAST_WORDS_PT, Lettering, breaks_poorly
from linkpress.press.cover.cover_order import CoverOrder

LEAST_LETTER = 1 / 14  # of the front's height: lower capitals are not read in a shop's list
LEAST_OF_LONG_WORDS = 1 / 24  # where a word, such as Numberlinkboek, or an author's own line is too wide
PLAIN = CoverWords.model_construct(most=0.42, letter=0.08)  # of a front without a design, and
PLAIN_LEAST_PT = 20.0  # the least size of its title
RULE_SHARE, RULE_LEAST_PT = 0.08, 3.0  # of its size: the weight of the rule under it
MOST_LINES = 5
WELL_BROKEN = 0.6  # of the largest size: so much a title may be smaller to break well
MOST_WORDS = 0.72  # of the front's height, where the title does not fit in less
_CLOSE, _APART = 0.9, 0.04  # of its size: the least leading, and what stays white between two lines
_STEP = 1.05  # from one size that is tried to the next
_SMALL_SHARE, _SMALL_LEAST, _SMALL_MOST_PT = 0.24, 1 / 48, 28.0  # of title and page, for all other words
_PLAIN_SMALL_SHARE, _PLAIN_SMALL_LEAST_PT = 0.34, 11.0  # likewise, where titles are smaller


class FrontWords(NamedTuple):
    """A front's words take up an area."""

    items: list[Item]
    area: Area


class _Row(NamedTuple):
    """A row of words has its baseline so far below the one before it or below the block's head."""

    lettering: Lettering
    text: str
    size: float
    drop: float
    ruled: float = 0.0  # the size of the title, where a rule stands between it and this line


def set_front_words(order: CoverOrder, front: Area, live: Area, measure: Measure) -> FrontWords:
    """Set the front's words at head or foot; raise ``LayoutError`` if they don't fit or lack a glyph."""
    words = order.design.words if order.design else PLAIN
    rows = _fitting_rows(order, words, front, live.width, measure)
    height = sum(row.drop for row in rows) + 0.25 * rows[-1].size
    width = max(row.lettering.width(row.text, row.size) for row in rows)
    y = top = live.top if words.place is WordsPlace.TOP else live.y + height
    centred = words.align is Alignment.CENTRE
    x, anchor = (live.centre, Anchor.MIDDLE) if centred else (live.x, Anchor.START)
    items: list[Item] = []
    for row in rows:
        y -= row.drop
        if row.ruled:
            weight = max(RULE_LEAST_PT, RULE_SHARE * row.ruled)
            items.append(Rects(((x, y + 1.4 * row.size, 0.18 * live.width, weight),), order.accent))
        items.append(row.lettering.set(row.text, (x, y), row.size, anchor))
    return FrontWords(items, Area(x - width / 2 if centred else x, top - height, width, height))


def _fitting_rows(
    order: CoverOrder, words: CoverWords, front: Area, width: float, measure: Measure
) -> list[_Row]:
    """Return the rows with the largest title that fits, or with a smaller one that breaks better."""
    title = Lettering(measure, order.title_ink, "title", order.title_face)
    text, letter = order.spec.title, _letter_height(order, measure)
    parts, longest = title_parts(text), title.widest_word(text)
    unbroken = longest if len(parts) == 1 else max(title.width(part, 1.0) for part in parts)
    shop, size = LEAST_LETTER * front.height / letter, words.letter * front.height / letter
    least = max(min(shop, width / unbroken), LEAST_OF_LONG_WORDS * front.height / letter)
    least = least if order.design else min(PLAIN_LEAST_PT, size)
    fitting: list[tuple[float, float, int, list[_Row]]] = []
    while size >= least * 0.999:
        lines = title.display(text, width, size) if size * longest <= width else []
        if 0 < len(lines) <= max(MOST_LINES, len(parts)):
            rows = list(_rows(order, title, lines, size, width, measure))
            high = sum(row.drop for row in rows) / front.height
            within = len(lines) - 1 - (len(text) - sum(map(len, lines)))  # breaks without a space, as in Thai
            poor = max(breaks_poorly(lines), within) if len(parts) == 1 else 2 * (len(lines) > len(parts))
            if high <= max(words.most, MOST_WORDS):
                fitting.append((size, max(0.0, high - words.most), poor, rows))
        size = max(size / _STEP, least) if size > least * 1.001 else 0.0
    if not fitting:
        asked = ", a fourteenth of the front, which is what a cover.design needs to be read in a shop's list"
        raise LayoutError(
            f"{text[:60]!r} doesn't fit the cover in {MOST_LINES} lines with capitals that are "
            f"{(shop if order.design else least) * letter / MM_PT:.0f} mm high{asked * bool(order.design)}. "
            "Shorten it, put some of it into the subtitle, or choose a larger page.trim.",
            "title",
        )
    large = WELL_BROKEN * fitting[0][0] if len(parts) == 1 else 0.0
    return min(fitting, key=lambda way: (way[1] > 0, way[0] < large, way[2], way[1]))[3]


def _letter_height(order: CoverOrder, measure: Measure) -> float:
    """Return how high capitals are; in a script without them a design's title has its highest letter."""
    title = order.spec.title
    has_capitals = order.design is None or title.upper() != title.lower()
    return measure.ink("H" if has_capitals else title, order.title_face, 1.0).top


def _leading(order: CoverOrder, size: float, measure: Measure) -> float:
    """Return the leading of a title: large letters stand close, but do not touch those of the next line."""
    leading = size
    if order.design is not None:
        box = measure.ink(order.spec.title, order.title_face, size)
        leading = min(size, max(_CLOSE * size, box.top - box.bottom + _APART * size))
    return clear_leading(order.spec.title, size, leading, measure)


def _rows(
    order: CoverOrder, title: Lettering, lines: list[str], size: float, width: float, measure: Measure
) -> Iterator[_Row]:
    spec, ink = order.spec, order.face
    share = _SMALL_SHARE if order.design else _PLAIN_SMALL_SHARE
    least = _SMALL_LEAST * spec.page.trim.size.height_pt if order.design else _PLAIN_SMALL_LEAST_PT
    small = min(max(share * size, least), _SMALL_MOST_PT)
    gap = 0.0
    if spec.series is not None:
        series = Lettering(measure, ink, "series.name", FontKey.SEMIBOLD)
        for line in series.display(spec.series.name, width, small):
            yield _Row(series, line, small, (1.3 if gap else 0.8) * small)
            gap = 0.75 * small
    gap += clear_rise(lines[0], size, 0.74 * size, measure)
    for line in lines:
        yield _Row(title, line, size, gap)
        gap = _leading(order, size, measure)
    ruled = 0.0 if order.design else size
    gap = (0.5 if ruled else 0.2) * size + 1.25 * small
    subtitle = Lettering(measure, ink, "subtitle")
    for text in order.front_lines:
        for line in subtitle.display(text, width, small):
            yield _Row(subtitle, line, small, gap, ruled)
            gap, ruled = 1.32 * small, 0.0
    if spec.author:
        author = Lettering(measure, ink, "author", FontKey.SEMIBOLD)
        wide = author.width(spec.author, small)
        fitting = fitting_size(
            spec.author, small, width_pt=wide, available_pt=width, least_pt=LEAST_WORDS_PT, where="author"
        )
        yield _Row(author, spec.author, fitting, 1.7 * small)
