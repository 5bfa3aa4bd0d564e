"""Draws a frame's items on a ReportLab canvas, setting only what changes.

Grey inks are DeviceGray, which a press prints with black alone; inks with colour are DeviceCMYK.
Nothing else is ever set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Any

from linkpress.layout.frame import (
    Cap,
    Discs,
    Frame,
    Ink,
    Item,
    Join,
    Lines,
    Placed,
    Polygon,
    Polyline,
    Rects,
    TextRun,
)
from linkpress.render.fonts import font

_NONZERO = 1  # ReportLab's FILL_NON_ZERO


class Pen:
    """One content stream, of a page or of a figure.

    Args:
        canvas: a ReportLab canvas.
        place: draws a placed figure.
    """

    def __init__(self, canvas: Any, place: Callable[[Placed], None]) -> None:
        self._canvas = canvas
        self._place = place
        self._fill: Ink | None = None
        self._stroke: Ink | None = None
        self._line: tuple[float, Cap, Join] | None = None
        self._tracking = 0.0
        self._draw: dict[type, Callable[[Any], None]] = {
            Lines: self._lines,
            Polyline: self._polyline,
            Rects: self._rects,
            Polygon: self._polygon,
            Discs: self._discs,
            Placed: self._figure,
        }

    def draw(self, frame: Frame) -> None:
        """Draw every item in order; text runs that follow one another share a text object."""
        for is_text, items in groupby(frame.items, lambda item: type(item) is TextRun):
            if is_text:
                self._text(items)
            else:
                self._shapes(items)

    def _shapes(self, items: Iterable[Item]) -> None:
        for item in items:
            self._draw[type(item)](item)

    def _figure(self, placed: Placed) -> None:
        self._place(placed)

    def _lines(self, item: Lines) -> None:
        if not item.segments:
            return
        self._set_line(item.width_pt, item.cap, Join.MITRE, item.ink)
        path = self._canvas.beginPath()
        for x0, y0, x1, y1 in item.segments:
            path.moveTo(x0, y0)
            path.lineTo(x1, y1)
        self._canvas.drawPath(path, stroke=1, fill=0)

    def _polyline(self, item: Polyline) -> None:
        self._set_line(item.width_pt, item.cap, item.join, item.ink)
        path = self._canvas.beginPath()
        path.moveTo(*item.points[0])
        for point in item.points[1:]:
            path.lineTo(*point)
        if item.closed:
            path.close()
        self._canvas.drawPath(path, stroke=1, fill=0)

    def _rects(self, item: Rects) -> None:
        if not item.boxes:
            return
        self._set_fill(self._canvas, item.ink)
        path = self._canvas.beginPath()
        for box in item.boxes:
            path.rect(*box)
        self._canvas.drawPath(path, stroke=0, fill=1, fillMode=_NONZERO)

    def _polygon(self, item: Polygon) -> None:
        self._set_fill(self._canvas, item.ink)
        path = self._canvas.beginPath()
        path.moveTo(*item.points[0])
        for point in item.points[1:]:
            path.lineTo(*point)
        path.close()
        self._canvas.drawPath(path, stroke=0, fill=1, fillMode=_NONZERO)

    def _discs(self, item: Discs) -> None:
        if item.fill is not None:
            self._set_fill(self._canvas, item.fill)
        if item.ring is not None:
            self._set_line(item.ring_width_pt, Cap.BUTT, Join.MITRE, item.ring)
        path = self._canvas.beginPath()
        for x, y in item.centres:
            path.circle(x, y, item.radius_pt)
        self._canvas.drawPath(
            path, stroke=int(item.ring is not None), fill=int(item.fill is not None), fillMode=_NONZERO
        )

    def _text(self, runs: Iterable[Any]) -> None:
        text = self._canvas.beginText()
        face = None
        for run in runs:
            if face != (run.font, run.size_pt):
                face = (run.font, run.size_pt)
                font(run.font)
                text.setFont(run.font.value, run.size_pt)
            self._set_fill(text, run.ink)
            if run.tracking_pt != self._tracking:
                text.setCharSpace(run.tracking_pt)
                self._tracking = run.tracking_pt
            text.setTextOrigin(run.x, run.y)
            text.textOut(run.text)
        if self._tracking:  # the text state outlives the text object and enters figures
            text.setCharSpace(0)
            self._tracking = 0.0
        self._canvas.drawText(text)

    def _set_fill(self, target: Any, ink: Ink) -> None:
        if ink == self._fill:
            return
        self._fill = ink
        if ink.is_grey:
            target.setFillGray(1 - ink.black)
        else:
            target.setFillColorCMYK(*ink.shares)

    def _set_line(self, width_pt: float, cap: Cap, join: Join, ink: Ink) -> None:
        canvas = self._canvas
        if ink != self._stroke:
            self._stroke = ink
            if ink.is_grey:
                canvas.setStrokeGray(1 - ink.black)
            else:
                canvas.setStrokeColorCMYK(*ink.shares)
        if (width_pt, cap, join) != self._line:
            self._line = (width_pt, cap, join)
            canvas.setLineWidth(width_pt)
            canvas.setLineCap(int(cap))
            canvas.setLineJoin(int(join))
