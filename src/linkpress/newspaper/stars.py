"""Grades as drawn stars: the fonts have no star glyph."""

from __future__ import annotations

import math

from linkpress.engine.recipe import Grade
from linkpress.layout.frame import Item, Join, Point, Polygon, Polyline

STARS = len(Grade)
PITCH = 1.12  # from star to star, of a star's width

_INNER = 0.45  # of the outer radius; a pentagram's 0.38 leaves points that fill in on newsprint
_LINE = 0.14  # of the radius: half a point in the usual sizes, which newsprint holds


def stars_width(size_pt: float) -> float:
    """The width of a row of stars, each as wide as ``size_pt``."""
    return size_pt * (1 + (STARS - 1) * PITCH)


def star_row(filled: int, x: float, y: float, size_pt: float, least_pt: float) -> tuple[Item, ...]:
    """Six stars, some of them filled.

    Args:
        filled: how many, from the left.
        x: left edge, in points.
        y: of the stars' middle.
        size_pt: a star's width.
        least_pt: the lines of the empty ones are not thinner than this.
    """
    items: list[Item] = []
    for at in range(STARS):
        centre = (x + size_pt * (0.5 + at * PITCH), y)
        if at < filled:
            items.append(Polygon(_star(centre, size_pt / 2)))
            continue
        weight = max(least_pt, _LINE * size_pt / 2)
        inner = size_pt / 2 - weight  # the mitred tips reach out by about a line's weight
        items.append(Polyline(_star(centre, inner), weight, join=Join.MITRE, closed=True))
    return tuple(items)


def _star(centre: Point, radius: float) -> tuple[Point, ...]:
    x, y = centre
    points = []
    for at in range(10):
        reach = radius * (_INNER if at % 2 else 1)
        angle = math.pi / 2 + at * math.pi / 5
        points.append((x + reach * math.cos(angle), y + reach * math.sin(angle)))
    return tuple(points)
