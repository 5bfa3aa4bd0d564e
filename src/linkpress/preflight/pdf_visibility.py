"""Find texts and lines of a page that can't be seen because something drawn later covers them.

First the positions of the page's objects are compared. A text or line is suspected to be hidden if an area
that is drawn later lies over it. Then PDFium renders the page, and the pixels decide. A text is hidden if all
pixels in its box have the same tone. A line is hidden if, at some point, all pixels around this point have
the same tone and this tone differs from the line's tone.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, cast

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from linkpress.preflight.pdf_drawing import DrawnObject, DrawnPath, DrawnShading, DrawnText, Rgb, is_white
from linkpress.preflight.pdf_objects import Box, Point, box_around, box_contains, intersection, middle, widen

if TYPE_CHECKING:
    from PIL.Image import Image

_DPI = 100  # resolution in dots per inch at which pages are rendered
_MAX_SIDE_PX = 3_000  # maximum width and height of a rendered page in pixels
_MAX_COVERS = 200  # maximum number of areas on a page that are examined, the largest first
_MIN_COVER_PT = 3.0  # minimum width and height in points of an area that can hide something

# Tones range from 0 (black) to 255 (white).

_SAME_TONE = 12  # difference of tones below which pixels count as equal

# Maximum tone of text that is checked for missing glyphs. Such dark text changes the pixels even if its
# strokes are very thin.
_DARK_TONE = 128

_LINE_TONE = 48  # maximum difference between the tone of a visible line and the tone of its pixels

_STEP_PT = 6.0  # distance (pt) between two points of a line at which its visibility is checked
_MAX_STEPS = 200  # maximum number of points at which the visibility of one stroke is checked
_HALF_SIDE_PX = 2  # half the side (px) of the square that is checked around each point of a line

# Lines of solutions end in dots, which don't hide the lines. A round area drawn over a line counts as such a
# dot if it is at most 60 pt wide, or at most four times as wide as the line. Dots on covers are 2.5 times as
# wide as their lines. A wider area, such as the circle around a number, counts only if its centre is at an
# end of the line and the line leaves the area.
_MAX_DOT_PT = 60.0
_MAX_DOT_WIDTHS = 4.0


class _Cover(NamedTuple):
    """Area that may hide objects drawn earlier on the page.

    Args:
        order: the position of the covering object in the page's drawing order.
        box: the box around the area.
        colour: the area's colour; None for images and shadings.
        is_round: whether the area's outline is curved. A round area may be the dot at a line's end, which
            does not hide the line.
        is_line: whether the area is a printed line, such as a path of a solution over the grid. Lines can
            hide only text.
    """

    order: int
    box: Box
    colour: Rgb | None
    is_round: bool = False
    is_line: bool = False

    def may_hide(self, item: DrawnObject, colour: Rgb | None) -> bool:
        """Return whether this area may hide an object that was drawn earlier in a certain colour.

        Args:
            item: the object.
            colour: its colour; None if the object has no single colour.
        """
        if not isinstance(item, DrawnPath):
            return True
        width = self.box[2] - self.box[0]
        is_small = width <= max(_MAX_DOT_PT, _MAX_DOT_WIDTHS * item.width_pt)
        is_dot = self.is_round and (is_small or self._is_around_an_end(item))
        return not (self.is_line or self.colour == colour or is_dot)

    def _is_around_an_end(self, line: DrawnPath) -> bool:
        """Return whether one end of a line is in the middle of this area.

        The other end of the line must be outside the area.
        """
        ends_of_parts = [(part.points[0], part.points[-1]) for part in line.subpaths]
        near = (self.box[2] - self.box[0]) / 10
        is_centred = any(math.dist(middle(self.box), end) < near for ends in ends_of_parts for end in ends)
        return is_centred and not any(
            all(box_contains(self.box, end) for end in ends) for ends in ends_of_parts
        )

    @property
    def area(self) -> float:
        return (self.box[2] - self.box[0]) * (self.box[3] - self.box[1])


def covered_objects(
    items: Sequence[DrawnObject], page: pdfium.PdfPage, *, has_layers: bool
) -> list[DrawnObject]:
    """Return the texts and lines of a page that can't be seen.

    The page is rendered only if the positions of its objects show that something may be hidden, or if the
    file has layers.

    Args:
        items: all objects that the page draws, in drawing order.
        page: the page, for rendering and for its annotations.
        has_layers: whether the file has layers. A layer may be switched off, so every object is checked.
    """
    suspects = list(find_suspects([*items, *_annotations(page)]))
    if not suspects and not has_layers:
        return []
    rendered = _RenderedPage(page)
    covered = [item for item, points in suspects if rendered.hides(item, points)]
    if has_layers:
        known = {id(item) for item in covered}
        covered += [
            item
            for item in items
            if id(item) not in known and rendered.lacks(item, list(_points_along(item)))
        ]
    return covered


def _annotations(page: pdfium.PdfPage) -> Iterator[DrawnShading]:
    for index in range(pdfium_c.FPDFPage_GetAnnotCount(page.raw)):
        annotation, box = pdfium_c.FPDFPage_GetAnnot(page.raw, index), pdfium_c.FS_RECTF()
        is_drawn = pdfium_c.FPDFAnnot_GetSubtype(annotation) != pdfium_c.FPDF_ANNOT_LINK
        if is_drawn and pdfium_c.FPDFAnnot_GetRect(annotation, box):
            yield DrawnShading((box.left, box.bottom, box.right, box.top), None)
        pdfium_c.FPDFPage_CloseAnnot(annotation)


def characters_without_ink(items: Sequence[DrawnObject], page: pdfium.PdfPage) -> list[str]:
    """Return the characters of dark text that leave no ink, because their font lacks the glyph.

    Each character is checked only at its first place in the file. So most pages need not be rendered.
    """
    glyphs = [
        (character, box)
        for item in items
        if isinstance(item, DrawnText) and not item.invisible and _tone(item.colour) < _DARK_TONE
        for character, box in item.glyphs
        if item.clip is None or intersection(box, item.clip) == box
    ]
    if not glyphs:
        return []
    rendered = _RenderedPage(page)
    return [character for character, box in glyphs if rendered.is_even(box)]


def find_suspects(items: Sequence[DrawnObject]) -> Iterator[tuple[DrawnObject, list[Point]]]:
    """Yield each text and line that lies under an area drawn later.

    Yields:
        The text or line, and those of its points that lie under the area.
    """
    areas = [_covered_area(item) for item in items]
    if not any(areas):
        return
    extents = [_extent(item) for item in items]
    largest = sorted(_covers(items, areas, extents), key=lambda cover: cover.area, reverse=True)[:_MAX_COVERS]
    largest.sort(key=lambda cover: cover.order, reverse=True)
    # There are millions of comparisons. Code inside the loop is several times as fast as a function call.
    covers = [(cover.box, cover) for cover in largest]
    for index, (item, extent) in enumerate(zip(items, extents, strict=True)):
        while covers and covers[-1][1].order <= index:
            covers.pop()
        if extent is None or not covers:
            continue
        left, bottom, right, top = extent
        over = [
            cover
            for (west, south, east, north), cover in covers
            if west <= right and east >= left and south <= top and north >= bottom
        ]
        colour = _colour_of(item) if over else None
        boxes = [cover.box for cover in over if cover.may_hide(item, colour)]
        if not boxes:
            continue
        points = [point for point in _points_along(item) if any(box_contains(box, point) for box in boxes)]
        if points:
            yield item, points


def _extent(item: DrawnObject) -> Box | None:
    """Return the box around a visible text or a stroked path; None for other objects."""
    if isinstance(item, DrawnText):
        return item.box if item.text.strip() and not item.invisible else None
    if isinstance(item, DrawnPath) and item.stroke is not None:
        return item.box
    return None


def _covers(
    items: Sequence[DrawnObject], areas: Sequence[Box | None], extents: Sequence[Box | None]
) -> Iterator[_Cover]:
    """Yield the areas of objects that may hide an object drawn earlier in the same place.

    Printed lines and small discs can hide only text, so they are left out if no text lies below them.
    """
    earlier: list[Box] = []
    earlier_texts: list[Box] = []
    for index, (item, area, extent) in enumerate(zip(items, areas, extents, strict=True)):
        if area is not None:
            left, bottom, right, top = area
            for west, south, east, north in earlier_texts if _hides_only_texts(item) else earlier:
                if west <= right and east >= left and south <= top and north >= bottom:
                    yield from _covers_of(index, item, area)
                    break
        if extent is not None:
            earlier.append(extent)
            if isinstance(item, DrawnText):
                earlier_texts.append(extent)


def _hides_only_texts(item: DrawnObject) -> bool:
    """Return whether an object is so small that it can hide only text: a printed line, or small discs."""
    if not isinstance(item, DrawnPath) or item.fill is None:
        return _is_ink_line(item)
    return all(
        part.curved and max(xs) - min(xs) <= _MAX_DOT_PT
        for part in item.subpaths
        for xs in [[x for x, _ in part.points]]
    )


def _is_ink_line(item: DrawnObject) -> bool:
    line = item.stroke if isinstance(item, DrawnPath) and item.fill is None else None
    return line is not None and not is_white(line)


def _covered_area(item: DrawnObject) -> Box | None:
    """Return the box of the area that an object covers; None for texts and thin lines."""
    if isinstance(item, DrawnText):
        return None
    if not isinstance(item, DrawnPath):
        return item.box
    if item.fill is None and item.width_pt < _MIN_COVER_PT:
        return None
    return widen(item.box, item.width_pt / 2)


def _covers_of(index: int, item: DrawnObject, area: Box) -> Iterator[_Cover]:
    """Yield the areas that one object covers. A path has one area for each subpath or stroke."""
    if not isinstance(item, DrawnPath):
        covers = [_Cover(index, area, None)]
    elif item.fill is not None:
        covers = [
            _Cover(index, box_around(part.points), item.fill, is_round=part.curved) for part in item.subpaths
        ]
    else:
        is_line, side = _is_ink_line(item), item.width_pt / 2
        covers = [
            _Cover(index, widen(box_around(ends), side), item.stroke, is_line=is_line)
            for ends in _strokes(item)
        ]
    for cover in covers:
        box = intersection(cover.box, item.clip) if item.clip is not None else cover.box
        if box is not None and min(box[2] - box[0], box[3] - box[1]) >= _MIN_COVER_PT:
            yield cover._replace(box=box)


def _colour_of(item: DrawnObject) -> Rgb | None:
    if isinstance(item, DrawnText):
        return item.colour
    return (item.stroke or item.fill) if isinstance(item, DrawnPath) else None


def _points_along(item: DrawnObject) -> Iterator[Point]:
    """Yield the points at which an object must be visible.

    These points are the middle of a text, and three or more points of each straight stroke.
    """
    if isinstance(item, DrawnText):
        yield middle(item.box)
    elif isinstance(item, DrawnPath) and item.stroke is not None and not is_white(item.stroke):
        for start, end in _strokes(item):
            steps = min(max(4, round(math.dist(start, end) / _STEP_PT)), _MAX_STEPS)
            for share in (step / steps for step in range(1, steps)):
                yield (start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1]))


def _strokes(path: DrawnPath) -> Iterator[tuple[Point, Point]]:
    """Yield the ends of each straight stroke of a path."""
    for part in path.subpaths:
        if not part.curved:
            yield from pairwise([*part.points, part.points[0]] if part.closed else part.points)


class _RenderedPage:
    """Page of a PDF, rendered as grey pixels to find out which objects are visible."""

    def __init__(self, page: pdfium.PdfPage) -> None:
        page.set_rotation(0)
        left, bottom, right, top = page.get_bbox()
        self._scale = min(_DPI / 72, _MAX_SIDE_PX / max(right - left, top - bottom, 1.0))
        self._left, self._top = left, top
        bitmap = page.render(scale=self._scale, grayscale=True, may_draw_forms=False)
        self._image: Image = bitmap.to_pil()

    def hides(self, item: DrawnObject, points: Sequence[Point]) -> bool:
        """Return whether a text is hidden completely, or a line is hidden at one or more of ``points``."""
        if isinstance(item, DrawnText):
            box = item.box if item.clip is None else intersection(item.box, item.clip)
            return box is not None and self.is_even(box)
        tone = _tone(_colour_of(item))
        return any(self._is_hidden_at(point, tone) for point in points)

    def lacks(self, item: DrawnObject, points: Sequence[Point]) -> bool:
        """Return whether the rendered page doesn't show an object at all.

        A text is missing if all pixels in its box have the same tone. A line is missing if it is hidden at
        all of ``points``.
        """
        if isinstance(item, DrawnText):
            return not item.invisible and bool(item.text.strip()) and self.is_even(item.box)
        tone = _tone(_colour_of(item))
        return bool(points) and all(self._is_hidden_at(point, tone) for point in points)

    def _is_hidden_at(self, point: Point, tone: int) -> bool:
        return self.is_even(widen((*point, *point), _HALF_SIDE_PX / self._scale), tone)

    def is_even(self, box: Box, tone: int | None = None) -> bool:
        """Return whether all pixels in a box have the same tone.

        Args:
            box: the box in points. If the box is outside the page, the result is False.
            tone: a tone from 0 to 255 from which the pixels must also differ; None for no such condition.
        """
        pixels = (
            max(0, int((box[0] - self._left) * self._scale)),
            max(0, int((self._top - box[3]) * self._scale)),
            min(self._image.width, int((box[2] - self._left) * self._scale) + 1),
            min(self._image.height, int((self._top - box[1]) * self._scale) + 1),
        )
        if pixels[0] >= pixels[2] or pixels[1] >= pixels[3]:
            return False
        low, high = cast("tuple[int, int]", self._image.crop(pixels).getextrema())
        return high - low < _SAME_TONE and (tone is None or abs((low + high) / 2 - tone) > _LINE_TONE)


def _tone(colour: Rgb | None) -> int:
    """Return a colour's brightness from 0 to 255; 0 for an unknown colour."""
    red, green, blue = colour or (0, 0, 0)
    return round(0.299 * red + 0.587 * green + 0.114 * blue)
