"""The cover's back has blurb, levels, promise, sample boards, publisher and the ISBN as EAN-13.

A board stands on a white panel; the front has one with a puzzle of the book and some of its lines.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from linkpress.book.design_keys import BackSpec
from linkpress.book.key_values import isbn_13
from linkpress.documents.values import MM_PT
from linkpress.errors import LayoutError
from linkpress.layout.boards import board_frame
from linkpress.layout.frame import BLACK, PAPER, Anchor, Area, FontKey, Item, Placed, Rects, TextRun
from linkpress.layout.markdown import TextRoom, markdown_blocks
from linkpress.layout.measure import Measure, set_text
from linkpress.layout.pages import LARGE_PRINT_LEAST_PT
from linkpress.layout.text_flow import Block, Lettering, PictureRow, Text, flow
from linkpress.layout.theme import Theme, TypeScale, load_theme
from linkpress.press.cover.cover_geometry import CoverGeometry
from linkpress.press.cover.cover_order import CoverOrder
from linkpress.puzzle.puzzle import Puzzle, Solution

DRAWN_SHARE = 0.5  # of the paths: enough to show the game, too little to spoil it
MARGIN = 0.06  # of the panel, white around the board
LARGEST_CELL_PT = 96.0
MAGNIFICATION = 0.9  # of the nominal size; 0.8 is the least that readers are made for
_BAR_PT = 0.33 * MM_PT * MAGNIFICATION
_HEIGHT_PT = 25.93 * MM_PT * MAGNIFICATION
_FIGURES_PT = 9.0
_LABEL_PT = 8.0
BACK_SIZES_PT = (17.0, 15.0, 13.0, 12.0, 11.0, 10.0, 9.0)
PROMISE_SHARE, PROMISE_LEAST_PT = 0.82, 8.0  # of that size
PUBLISHER_PT = 10.0
UNASKED_LEAST_PT = 12.0  # words are not made smaller for boards that nobody asked for
MEASURE = 32.0  # of the size: some 65 characters to a line
SAMPLES_SHARE = 0.4  # of the room above the barcode, at most


class Picture(NamedTuple):
    """A picture is a panel with a board, if it has room, and the size of the board's smallest number."""

    items: tuple[Item, ...] = ()
    text_pt: float = 0.0


def draw_panel(
    puzzle: Puzzle, drawn: Solution | None, area: Area, measure: Measure, book: Theme, name: str
) -> Picture:
    """Draw a white panel with a board, as large as the area takes, in its middle."""
    grid = puzzle.grid
    theme = cover_theme(book)
    inner = 1 - 2 * MARGIN
    outline = theme.grid.outer_pt
    room = area.width * inner - outline
    cell = min(room / grid.cols, (area.height * inner - outline) / grid.rows, LARGEST_CELL_PT)
    if cell <= 0:
        return Picture()
    frame = board_frame(puzzle, drawn, cell, theme, measure)
    pad = MARGIN * max(frame.width_pt, frame.height_pt) / inner
    width, height = frame.width_pt + 2 * pad, frame.height_pt + 2 * pad
    x, y = area.centre - width / 2, area.y + (area.height - height) / 2
    board = Placed(name, frame, x + pad, y + pad)
    sizes = (item.size_pt for item in frame.items if isinstance(item, TextRun))
    return Picture((Rects(((x, y, width, height),), PAPER), board), min(sizes, default=math.inf))


def cover_theme(book: Theme) -> Theme:
    """Return the theme of boards on a cover: in colour, with dots where the book has dots."""
    theme = load_theme("colour")
    return theme.model_copy(update={"numbers": book.numbers}) if book.numbers.is_dots else theme


def half_drawn(solution: Solution) -> Solution:
    """Return the longer paths, up to half of them, which show best how lines run."""
    longest = sorted(solution.paths, key=lambda path: (-len(path.cells), path.number))
    drawn = {path.number for path in longest[: max(1, round(len(longest) * DRAWN_SHARE))]}
    return Solution(solution.puzzle, tuple(path for path in solution.paths if path.number in drawn))


def barcode_items(isbn: str, label: str, area: Area, measure: Measure) -> list[Item]:
    """Return the barcode of a checked ISBN, centred in an area, with figures and the ISBN in words."""
    from reportlab.graphics import shapes as reportlab_shapes
    from reportlab.graphics.barcode.eanbc import Ean13BarcodeWidget

    widget = Ean13BarcodeWidget(
        isbn_13(isbn)[:12], barWidth=_BAR_PT, barHeight=_HEIGHT_PT, fontSize=_FIGURES_PT
    )
    widget.x = area.centre - widget.width / 2
    block = _HEIGHT_PT + 4 + _LABEL_PT * 0.7
    widget.y = area.y + (area.height - block) / 2
    _frame, *shapes = widget.draw().contents
    bars = tuple((s.x, s.y, s.width, s.height) for s in shapes if isinstance(s, reportlab_shapes.Rect))
    figures = [s for s in shapes if isinstance(s, reportlab_shapes.String)]
    words = [(s.text, (s.x, s.y), _FIGURES_PT, Anchor(s.textAnchor)) for s in figures]
    words.append((label, (area.centre, widget.y + _HEIGHT_PT + 4), _LABEL_PT, Anchor.MIDDLE))
    texts = (
        set_text(text, point, FontKey.REGULAR, size, measure, anchor) for text, point, size, anchor in words
    )
    return [Rects(bars, BLACK), *texts]


def compose_back(order: CoverOrder, geometry: CoverGeometry, least_pt: float, measure: Measure) -> list[Item]:
    """Compose the back; raise ``LayoutError`` if words don't fit, or boards' numbers would be too small."""
    try:
        return _compose_back(order, geometry, least_pt, measure)
    except LayoutError:
        if order.keys.boards is not None or not order.samples:
            raise
        return _compose_back(replace(order, samples=()), geometry, least_pt, measure)


def _compose_back(
    order: CoverOrder, geometry: CoverGeometry, least_pt: float, measure: Measure
) -> list[Item]:
    live, code = geometry.live(geometry.back), geometry.barcode
    items: list[Item] = [Rects(((code.x, code.y, code.width, code.height),), PAPER)]
    if order.spec.isbn:
        label = order.words.say(order.words.isbn, isbn=order.spec.isbn)
        items += barcode_items(order.spec.isbn, label, code, measure)
    text = Area(live.x, code.top + 18, live.width, live.top - code.top - 18)
    boards, height = _samples(order, text, least_pt, measure)
    items += boards
    text = text.without(bottom=height + 18 if boards else 0.0)
    items += _back_words(order, text, measure)
    if order.spec.publisher:
        room = code.x - live.x - 12
        publisher = Lettering(measure, order.face, "publisher", FontKey.SEMIBOLD)
        size = _least(order, PUBLISHER_PT)
        for up, line in enumerate(reversed(publisher.lines(order.spec.publisher, room, size))):
            items.append(publisher.set(line, (live.x, live.y + 1.25 * up * size), size))
    return items


def _back_words(order: CoverOrder, area: Area, measure: Measure) -> list[Item]:
    """Set the blurb, the levels and the promise, in the largest size that fits."""
    unasked = order.samples and order.keys.boards is None
    for size in BACK_SIZES_PT:
        if size > area.width / 24 or (unasked and size < UNASKED_LEAST_PT):
            continue
        column = Area(area.x, area.y, min(area.width, MEASURE * size), area.height)
        columns = flow(list(_back_blocks(order, size, column, measure)), column, measure)
        if len(columns) == 1:
            return [item for block in columns[0] for item in block]
    raise LayoutError(
        f"its {len(order.keys.blurb or '')} characters don't fit the back of a page of "
        f"{order.spec.page.trim.size}, even at 9 pt, above the place of the barcode. Shorten it.",
        "cover.blurb",
    )


def _back_blocks(
    order: CoverOrder, size: float, column: Area, measure: Measure
) -> Iterator[Block | PictureRow]:
    """Yield the blurb, and the book's own words that the spec neither switches off nor replaces."""
    shown = order.keys.back or BackSpec()
    yield from _blurb(order, size, column, measure)
    count = Text(order.words.count_of(order.spec.puzzle_count), strong=True)
    if shown.count is not False:
        yield _paragraph(order, size, (_own(shown.count) or count,), 1.6)
    if isinstance(shown.levels, str):
        yield _paragraph(order, size, (Text(shown.levels),), 0.8)
    elif shown.levels is not False:
        for level in order.spec.levels:
            spans = (Text(f"{level.heading} "), Text(order.words.write(level.count), strong=True))
            yield replace(_paragraph(order, size, spans, 0.0), indent_pt=size, where="levels")
    if shown.promise is not False:
        small = min(size, max(_least(order, PROMISE_LEAST_PT), PROMISE_SHARE * size))
        yield _paragraph(order, small, (_own(shown.promise) or Text(order.promise),), 1.6 * size / small)


def _least(order: CoverOrder, size_pt: float) -> float:
    """Return a size, or in large print at least the least that is read there."""
    return max(size_pt, LARGE_PRINT_LEAST_PT) if order.spec.page.large_print else size_pt


def _own(shown: bool | str | None) -> Text | None:
    return Text(shown) if isinstance(shown, str) else None


def _paragraph(order: CoverOrder, size: float, spans: tuple[Text, ...], before: float) -> Block:
    return Block(spans, size, 1.42 * size, before_pt=before * size, ink=order.face, where="cover")


def _blurb(order: CoverOrder, size: float, column: Area, measure: Measure) -> Iterator[Block | PictureRow]:
    scale = TypeScale().model_copy(update={"body": size, "heading": 1.15 * size})
    room = TextRoom(scale, measure, column.width, column.height, order.face)
    for block in markdown_blocks(order.keys.blurb or order.rules, room, "cover.blurb"):
        if isinstance(block, PictureRow):
            yield block
            continue
        leading = 1.15 * block.size_pt if block.with_next else 1.42 * size
        before = 0.8 * size if not block.marker else block.before_pt
        yield replace(block, leading_pt=leading, before_pt=before)


def _samples(order: CoverOrder, area: Area, least_pt: float, measure: Measure) -> tuple[list[Item], float]:
    """Draw puzzles in a row at the foot of an area, on white, and return how high they stand."""
    count = len(order.samples)
    if not count:
        return [], 0.0
    gap = 0.05 * area.width
    side = min((area.width - (count - 1) * gap) / count, SAMPLES_SHARE * area.height)
    items: list[Item] = []
    for place, board in enumerate(order.samples):
        panel = Area(area.x + place * (side + gap), area.y, side, side)
        picture = draw_panel(board, None, panel, measure, order.theme, f"cover-sample-{place}")
        if picture.text_pt < least_pt:
            raise LayoutError(
                f"{count} on the back would have numbers of "
                f"{math.floor(picture.text_pt * 10) / 10:g} pt, and {least_pt:g} is the least. "
                "Show fewer, or choose a larger page.trim.",
                "cover.boards",
            )
        items += picture.items
    return items, side
