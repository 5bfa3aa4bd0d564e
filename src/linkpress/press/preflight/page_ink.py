"""What one page draws, sorted once for all the checks that look at it."""

from __future__ import annotations

from functools import cached_property

from linkpress.press.pdf_reading.drawn import Drawn, DrawnImage, DrawnPath, DrawnShading, DrawnText, is_paper
from linkpress.press.pdf_reading.geometry import Box, Point, box_around, common, moved_box
from linkpress.press.pdf_reading.reader import DrawnPage


class PageInk:
    """A page's drawn items.

    Args:
        media: the page's MediaBox, outside which nothing is printed; None for no bound.
    """

    def __init__(self, read: DrawnPage, media: Box | None) -> None:
        self.content = read.content
        self.items = read.items
        self.all_items = [*read.items, *read.hidden_items]
        self.media = media

    @cached_property
    def texts(self) -> list[DrawnText]:
        """Every shown string that says something, in patterns and glyphs too."""
        return [item for item in self.all_items if isinstance(item, DrawnText) and item.text.strip()]

    @cached_property
    def images(self) -> list[DrawnImage]:
        """Every placed image, in patterns and glyphs too."""
        return [item for item in self.all_items if isinstance(item, DrawnImage)]

    @cached_property
    def drawn_boxes(self) -> list[tuple[Drawn, Box]]:
        """Each item that leaves ink, with its box before clipping."""
        boxes = ((item, drawn_box(item)) for item in self.items)
        return [(item, box) for item, box in boxes if box is not None]

    def clipped(self, item: Drawn, box: Box) -> Box | None:
        """What of an item's box is printed: inside its clip, on the page; None for nothing."""
        if isinstance(item, DrawnPath) and item.butt and _is_ruling(item):
            box = _ruling_box(item)
        kept = common(box, item.clip) if item.clip is not None else box
        return common(kept, self.media) if kept is not None and self.media is not None else kept


def drawn_box(item: Drawn) -> Box | None:
    """The box around an item's ink, clipping aside; None if it leaves none."""
    if isinstance(item, DrawnText):
        inked = not item.invisible and not is_paper(item.colour) and item.text.strip()
        return item.box if inked else None
    if isinstance(item, DrawnImage):
        return moved_box(item.matrix, (0.0, 0.0, 1.0, 1.0))
    if isinstance(item, DrawnShading):
        return item.box
    return _path_box(item)


def _path_box(path: DrawnPath) -> Box | None:
    stroked = path.stroke is not None and not is_paper(path.stroke)
    if not stroked and (path.fill is None or is_paper(path.fill)):
        return None
    left, bottom, right, top = box_around([point for part in path.subpaths for point in part.points])
    half = path.width_pt / 2 if stroked else 0.0
    return (left - half, bottom - half, right + half, top + half)


def _is_ruling(path: DrawnPath) -> bool:
    """Whether a path is nothing but level and upright lines."""
    return path.stroke is not None and all(
        len(part.points) == 2 and not part.closed and not part.curved and 0.0 in _extent(part.points)
        for part in path.subpaths
    )


def _ruling_box(path: DrawnPath) -> Box:
    """The box of lines that stop at their ends: as much thicker as they are wide, and no longer."""
    half = path.width_pt / 2
    boxes = []
    for part in path.subpaths:
        wide, high = _extent(part.points)
        left, bottom, right, top = box_around(part.points)
        across, along = (0.0 if wide else half), (0.0 if high else half)
        boxes.append((left - across, bottom - along, right + across, top + along))
    return box_around([point for box in boxes for point in (box[:2], box[2:])])


def _extent(points: list[Point]) -> Point:
    return abs(points[0][0] - points[1][0]), abs(points[0][1] - points[1][1])
