"""This module tells how large each number on a board is set, and where its ink is centred."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

from linkpress.layout.frame import Anchor, FontKey, Ink, Point, TextRun
from linkpress.layout.measure import Measure
from linkpress.layout.theme import NumberStyle, Theme

FONT = FontKey.SEMIBOLD
WIDEST = 0.8  # of the square's side
TALLEST = 0.72  # where small squares raise a number to the smallest legible size
DISC_RADIUS = 0.39  # of the square's side
DISC_MARGIN = 0.05  # between the ink of a number and its disc's edge, of the square's side
TRACKING = -0.035  # em, between the digits of one number


class _Shape(NamedTuple):
    """A number's shape is its ink at 1 pt: left edge, width, height, advance."""

    left: float
    width: float
    height: float
    advance: float


def set_numeral(
    number: int,
    cell_pt: float,
    theme: Theme,
    measure: Measure,
    min_text_pt: float = 0.0,
    style: NumberStyle | None = None,
) -> TextRun:
    """Set a number in a size for its square, in the theme's style or another, its ink centred on the origin.

    The size that the theme asks for goes by the height of the figures, so that numbers of one size
    stand on one baseline. A number too wide for its square or its disc at that size is set smaller
    than the others of its board.
    """
    shape = _shape(number, measure)
    size = max(min_text_pt, _wanted_size(shape, cell_pt, theme, style or theme.numbers.style))
    tracking = TRACKING * size if number > 9 else 0.0
    x, y = -(shape.left + shape.width / 2) * size, -shape.height / 2 * size
    width = shape.advance * size
    return TextRun(x, y, str(number), FONT, size, width, anchor=Anchor.MIDDLE, tracking_pt=tracking)


def placed_numeral(numeral: TextRun, centre: Point, ink: Ink) -> TextRun:
    """Return a numeral centred elsewhere; ``dataclasses.replace`` takes three times as long."""
    x, y = centre[0] + numeral.x, centre[1] + numeral.y
    set_as = numeral.text, numeral.font, numeral.size_pt, numeral.width_pt
    return TextRun(x, y, *set_as, ink, numeral.anchor, numeral.tracking_pt)


def smallest_cell_pt(number: int, theme: Theme, measure: Measure, text_pt: float) -> float:
    """Return the side of the smallest square that holds its board's widest number at a size."""
    shape = _shape(number, measure)
    if theme.numbers.style is NumberStyle.PLAIN:
        return max(shape.width / WIDEST, shape.height / TALLEST) * text_pt
    return _half_diagonal(shape) * text_pt / (DISC_RADIUS - DISC_MARGIN / 2)


def cell_for_size(theme: Theme, measure: Measure, text_pt: float) -> float:
    """Return the side of the square in which a one-digit number has a size."""
    return text_pt / set_numeral(8, 100.0, theme, measure).size_pt * 100.0


@lru_cache(maxsize=500)
def _shape(number: int, measure: Measure) -> _Shape:
    text = str(number)
    box = measure.ink(text, FONT, 1.0)
    tracking = TRACKING * (len(text) - 1)
    height = measure.ink("1", FONT, 1.0).top
    return _Shape(
        box.left, box.right - box.left + tracking, height, measure.width(text, FONT, 1.0) + tracking
    )


def _wanted_size(shape: _Shape, cell_pt: float, theme: Theme, style: NumberStyle) -> float:
    by_height = theme.numbers.height * cell_pt / shape.height
    if style is NumberStyle.PLAIN:
        return min(by_height, WIDEST * cell_pt / shape.width)
    room = (DISC_RADIUS - DISC_MARGIN) * cell_pt
    return min(by_height, room / _half_diagonal(shape))


def _half_diagonal(shape: _Shape) -> float:
    return math.hypot(shape.width, shape.height) / 2
