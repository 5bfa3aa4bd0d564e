"""What a page draws, sorted into the kinds that boards are made of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

from linkpress.press.pdf_reading.drawn import Drawn, DrawnPath, DrawnText, Rgb, Subpath, is_paper
from linkpress.press.pdf_reading.geometry import Box, Point, box_around

STRAIGHT_PT = 0.05  # how far a straight line's ends may lie apart across it
LEAST_OUTLINE_PT = 12.0


@dataclass(frozen=True, slots=True)
class Segment:
    """One straight stroke of a path.

    Args:
        start, end: as drawn.
        path: which of the page's paths it belongs to.
    """

    start: Point
    end: Point
    path: int

    @property
    def is_level(self) -> bool:
        """Whether it runs from left to right."""
        return abs(self.start[1] - self.end[1]) <= STRAIGHT_PT

    @property
    def is_upright(self) -> bool:
        """Whether it runs up and down."""
        return abs(self.start[0] - self.end[0]) <= STRAIGHT_PT

    @property
    def middle(self) -> Point:
        """Halfway."""
        return (self.start[0] + self.end[0]) / 2, (self.start[1] + self.end[1]) / 2


@dataclass(frozen=True, slots=True)
class Fill:
    """One filled rectangle."""

    box: Box
    colour: Rgb
    path: int


@dataclass
class PageMarks:
    """A page's straight strokes, closed rectangles, filled rectangles and visible texts."""

    segments: list[Segment] = field(default_factory=list)
    outlines: list[Box] = field(default_factory=list)
    fills: list[Fill] = field(default_factory=list)
    texts: list[DrawnText] = field(default_factory=list)


def sort_marks(drawn: Iterable[Drawn]) -> PageMarks:
    """Sort what a page draws; curves, images and what leaves no ink are left out."""
    marks = PageMarks()
    for place, item in enumerate(drawn):
        if isinstance(item, DrawnText):
            if item.text.strip() and not item.invisible:
                marks.texts.append(item)
        elif isinstance(item, DrawnPath):
            _sort_path(item, place, marks)
    return marks


def _sort_path(path: DrawnPath, place: int, marks: PageMarks) -> None:
    stroked = path.stroke is not None and not is_paper(path.stroke)
    for part in path.subpaths:
        if part.curved or len(part.points) < 2:
            continue
        box = rectangle(part)
        if path.fill is not None and box is not None and not is_paper(path.fill):
            marks.fills.append(Fill(box, path.fill, place))
        if not stroked:
            continue
        if box is not None and min(box[2] - box[0], box[3] - box[1]) >= LEAST_OUTLINE_PT:
            marks.outlines.append(box)
            continue
        points = [*part.points, part.points[0]] if part.closed else part.points
        marks.segments += [Segment(a, b, place) for a, b in pairwise(points) if a != b]


def rectangle(part: Subpath) -> Box | None:
    """The box of a closed, upright rectangle; None for any other shape."""
    points = part.points[:-1] if part.points[0] == part.points[-1] else part.points
    if len(points) != 4 or not (part.closed or len(part.points) == 5):
        return None
    ring = [*points, points[0]]
    if not all(abs(a[0] - b[0]) <= STRAIGHT_PT or abs(a[1] - b[1]) <= STRAIGHT_PT for a, b in pairwise(ring)):
        return None
    box = box_around(points)
    corners = {(x, y) for x in (box[0], box[2]) for y in (box[1], box[3])}
    found = all(any(_near(corner, point) for point in points) for corner in corners)
    return box if found else None


def _near(a: Point, b: Point) -> bool:
    return abs(a[0] - b[0]) <= STRAIGHT_PT and abs(a[1] - b[1]) <= STRAIGHT_PT
