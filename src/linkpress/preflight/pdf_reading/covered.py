"""A thing is painted over when something that is drawn later covers it, so that it is not to be seen.

What the objects say is held against what the page shows. An object over which a later one lies is looked at
in PDFium's pixels: a text without any difference of tone where it stands is not there for a reader, nor is a
line a place of which has the tone of something else.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, cast

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from linkpress.preflight.pdf_reading.drawn import (
    Drawn,
    DrawnImage,
    DrawnPath,
    DrawnShading,
    DrawnText,
    Rgb,
    is_paper,
)
from linkpress.preflight.pdf_reading.matrices import Box, Point, box_around, common, moved_box

if TYPE_CHECKING:
    from PIL.Image import Image

_DPI = 100
_MOST_PX = 3_000  # of a page's longer side
_MOST_COVERS = 200  # the largest; a page that has more is still looked at through these
_LEAST_COVER_PT = 3.0
_SAME = 12  # of 255: tones that differ by less are one
_DARK = 128  # of 255: a text as dark leaves a trace in the pixels, however thin
_OWN = 48  # of 255: how far the tone of a thing that is seen may lie from its own
_STEP_PT, _MOST_STEPS = 6.0, 200  # between the places of a line
_SIDE_PX = 2  # around a place of a line
_DOT_PT = 60.0  # up to which a round area over a line is the dot at its end
_DOT_WIDTHS = 4.0  # and of a wider line up to so many widths; a cover's dots have 2.5 of their line's


class _Cover(NamedTuple):
    """A cover is an area that lies over earlier items.

    Args:
        colour: its colour; None for pictures.
        is_round: whether it may be the dot at a line's end.
        is_ink: whether it is a line that leaves ink, as an answer's over the grid: it hides texts alone.
    """

    place: int
    box: Box
    colour: Rgb | None
    is_round: bool = False
    is_ink: bool = False

    def may_hide(self, item: Drawn, colour: Rgb | None) -> bool:
        """Tell whether it may hide an item that it lies over."""
        if isinstance(item, DrawnPath):
            wide = self.box[2] - self.box[0]
            is_dot = self.is_round and wide <= max(_DOT_PT, _DOT_WIDTHS * item.width_pt)
            return not (self.is_ink or self.colour == colour or is_dot)
        return True

    @property
    def area(self) -> float:
        """Return the area in square points."""
        return (self.box[2] - self.box[0]) * (self.box[3] - self.box[1])


def painted_over(items: Sequence[Drawn], page: pdfium.PdfPage, *, layered: bool) -> list[Drawn]:
    """Return the texts and lines of a page that something drawn later hides; most pages are not rendered.

    Args:
        items: what the page draws; its annotations lie over that.
        layered: whether the file has layers, which may switch anything off.
    """
    suspects = list(covered([*items, *_annotations(page)]))
    if not suspects and not layered:
        return []
    shown = _RenderedPage(page)
    unseen = [item for item, places in suspects if shown.hides(item, places)]
    if layered:
        known = {id(item) for item in unseen}
        unseen += [item for item in items if id(item) not in known and shown.lacks(item, list(_places(item)))]
    return unseen


def _annotations(page: pdfium.PdfPage) -> Iterator[DrawnShading]:
    for place in range(pdfium_c.FPDFPage_GetAnnotCount(page.raw)):
        note, box = pdfium_c.FPDFPage_GetAnnot(page.raw, place), pdfium_c.FS_RECTF()
        draws = pdfium_c.FPDFAnnot_GetSubtype(note) != pdfium_c.FPDF_ANNOT_LINK
        if draws and pdfium_c.FPDFAnnot_GetRect(note, box):
            yield DrawnShading((box.left, box.bottom, box.right, box.top), None)
        pdfium_c.FPDFPage_CloseAnnot(note)


def without_ink(items: Sequence[Drawn], page: pdfium.PdfPage) -> list[str]:
    """Return the characters that leave nothing on a page where dark text should stand, for want of a glyph.

    Each is looked at where the file shows it first, so that most pages are not rendered.
    """
    texts = [item for item in items if isinstance(item, DrawnText) and item.glyphs and not item.invisible]
    places = [
        (glyph, box)
        for item in texts
        for glyph, box in item.glyphs
        if _tone(item.colour) < _DARK and (item.clip is None or common(box, item.clip) == box)
    ]
    shown = _RenderedPage(page) if places else None
    return [glyph for glyph, box in places if shown is not None and shown.is_even(box)]


def covered(items: Sequence[Drawn]) -> Iterator[tuple[Drawn, list[Point]]]:
    """Yield each text and line over which a later area lies, with its places there."""
    areas = [_area(item) for item in items]
    if not any(areas):
        return
    extents = [_extent(item) for item in items]
    largest = sorted(_covers(items, areas, extents), key=lambda cover: cover.area, reverse=True)[
        :_MOST_COVERS
    ]
    covers = [(*cover.box, cover) for cover in sorted(largest, key=lambda cover: cover.place, reverse=True)]
    for index, (item, around) in enumerate(zip(items, extents, strict=True)):
        while covers and covers[-1][4].place <= index:
            covers.pop()
        if around is None or not covers:
            continue
        left, bottom, right, top = around
        over = [
            cover
            for west, south, east, north, cover in covers
            if west <= right and east >= left and south <= top and north >= bottom
        ]
        colour = _colour_of(item) if over else None
        later = [cover.box for cover in over if cover.may_hide(item, colour)]
        hidden = (
            [point for point in _places(item) if any(_holds(box, point) for box in later)] if later else []
        )
        if hidden:
            yield item, hidden


def _extent(item: Drawn) -> Box | None:
    """Return a box with all places of an item; None if it has none."""
    if isinstance(item, DrawnText):
        return item.box if item.text.strip() and not item.invisible else None
    if not isinstance(item, DrawnPath) or item.stroke is None:
        return None
    return item.box


def _holds(box: Box, point: Point) -> bool:
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]


def _covers(
    items: Sequence[Drawn], areas: Sequence[Box | None], extents: Sequence[Box | None]
) -> Iterator[_Cover]:
    """Yield the areas of all items that lie over what they may hide; the lines of most answers don't."""
    things: list[Box] = []
    texts: list[Box] = []
    for index, (item, area, extent) in enumerate(zip(items, areas, extents, strict=True)):
        if area is not None:
            left, bottom, right, top = area
            below = texts if _is_ink(item) else things
            if any(w <= right and e >= left and s <= top and n >= bottom for w, s, e, n in below):
                yield from _covers_of(index, item, area)
        if extent is not None:
            things.append(extent)
            if isinstance(item, DrawnText):
                texts.append(extent)


def _is_ink(item: Drawn) -> bool:
    """Tell whether an item is a line that leaves ink, as an answer's, which hides texts alone."""
    line = item.stroke if isinstance(item, DrawnPath) and item.fill is None else None
    return line is not None and not is_paper(line)


def _area(item: Drawn) -> Box | None:
    """Return a box around all that an item may hide; None for texts and thin lines, which hide nothing."""
    if isinstance(item, DrawnImage):
        return moved_box(item.matrix, (0.0, 0.0, 1.0, 1.0))
    if isinstance(item, DrawnShading):
        return item.box
    if isinstance(item, DrawnText) or (item.fill is None and item.width_pt < _LEAST_COVER_PT):
        return None
    left, bottom, right, top = item.box
    side = item.width_pt / 2
    return (left - side, bottom - side, right + side, top + side)


def _covers_of(index: int, item: Drawn, area: Box) -> Iterator[_Cover]:
    if not isinstance(item, DrawnPath):
        yield from _cover(index, area, item.clip, None)
    elif item.fill is not None:
        for part in item.subpaths:
            yield from _cover(index, box_around(part.points), item.clip, item.fill, part.curved)
    elif item.stroke is not None:
        for start, end in _strokes(item):
            left, bottom, right, top = box_around([start, end])
            side = item.width_pt / 2
            box = (left - side, bottom - side, right + side, top + side)
            yield from _cover(index, box, item.clip, item.stroke, is_ink=_is_ink(item))


def _cover(
    index: int, box: Box, clip: Box | None, colour: Rgb | None, is_round: bool = False, is_ink: bool = False
) -> Iterator[_Cover]:
    left = common(box, clip) if clip is not None else box
    if left is not None and min(left[2] - left[0], left[3] - left[1]) >= _LEAST_COVER_PT:
        yield _Cover(index, left, colour, is_round, is_ink)


def _colour_of(item: Drawn) -> Rgb | None:
    if isinstance(item, DrawnText):
        return item.colour
    return (item.stroke or item.fill) if isinstance(item, DrawnPath) else None


def _places(item: Drawn) -> Iterator[Point]:
    """Yield points that show an item: a text's middle, and three of each straight stroke or more."""
    if isinstance(item, DrawnText):
        left, bottom, right, top = item.box
        yield (left + right) / 2, (bottom + top) / 2
    elif isinstance(item, DrawnPath) and item.stroke is not None and not is_paper(item.stroke):
        for start, end in _strokes(item):
            parts = min(max(4, round(math.dist(start, end) / _STEP_PT)), _MOST_STEPS)
            for share in (part / parts for part in range(1, parts)):
                yield (start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1]))


def _strokes(path: DrawnPath) -> Iterator[tuple[Point, Point]]:
    for part in path.subpaths:
        points = [*part.points, part.points[0]] if part.closed else part.points
        yield from [] if part.curved else pairwise(points)


class _RenderedPage:
    def __init__(self, page: pdfium.PdfPage) -> None:
        page.set_rotation(0)
        left, bottom, right, top = page.get_bbox()
        self._scale = min(_DPI / 72, _MOST_PX / max(right - left, top - bottom, 1.0))
        self._left, self._top = left, top
        bitmap = page.render(scale=self._scale, grayscale=True, may_draw_forms=False)
        self._image: Image = bitmap.to_pil()

    def hides(self, item: Drawn, places: Sequence[Point]) -> bool:
        """Tell whether an item is not to be seen: a text as a whole, a line in any of its places."""
        if isinstance(item, DrawnText):
            box = item.box if item.clip is None else common(item.box, item.clip)
            return box is not None and self.is_even(box)
        tone = _tone(_colour_of(item))
        return any(self._is_gone(place, tone) for place in places)

    def lacks(self, item: Drawn, places: Sequence[Point]) -> bool:
        """Tell whether nothing of an item is to be seen."""
        if isinstance(item, DrawnText):
            return not item.invisible and bool(item.text.strip()) and self.is_even(item.box)
        tone = _tone(_colour_of(item))
        return bool(places) and all(self._is_gone(place, tone) for place in places)

    def _is_gone(self, place: Point, tone: int) -> bool:
        around = _SIDE_PX / self._scale
        box = (place[0] - around, place[1] - around, place[0] + around, place[1] + around)
        return self.is_even(box, tone)

    def is_even(self, box: Box, tone: int | None = None) -> bool:
        """Tell whether a box has one tone all over, other than an item's own."""
        area = (
            max(0, int((box[0] - self._left) * self._scale)),
            max(0, int((self._top - box[3]) * self._scale)),
            min(self._image.width, int((box[2] - self._left) * self._scale) + 1),
            min(self._image.height, int((self._top - box[1]) * self._scale) + 1),
        )
        if area[0] >= area[2] or area[1] >= area[3]:
            return False  # off the page, where nothing is shown
        low, high = cast("tuple[int, int]", self._image.crop(area).getextrema())
        return high - low < _SAME and (tone is None or abs((low + high) / 2 - tone) > _OWN)


def _tone(colour: Rgb | None) -> int:
    red, green, blue = colour or (0, 0, 0)
    return round(0.299 * red + 0.587 * green + 0.114 * blue)
