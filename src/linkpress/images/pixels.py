"""A figure's pixels are decided before its points.

A line that ends between two pixels comes out grey at its edges, or one pixel thicker than the
next in black and white. So the pixel width of the image comes first, then weights and squares in
whole pixels, and only then the frame in points, a pixel being 72 / dpi of them. Grid lines and
outline have pixel counts of one parity, since both are centred on the squares' borders.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from linkpress.documents.values import MM_PT
from linkpress.errors import UsageError
from linkpress.layout.frame import Frame
from linkpress.layout.theme import Theme

MIN_DPI, MAX_DPI = 72, 2400

_INCH_PT = 72.0
_INCH_MM = _INCH_PT / MM_PT


@dataclass(frozen=True, slots=True)
class Canvas:
    """A canvas is the width of an image, in pixels and in points."""

    width_px: int
    dpi: int

    def pt(self, pixels: float) -> float:
        """Return pixels in points."""
        return pixels * _INCH_PT / self.dpi

    def px(self, points: float) -> int:
        """Return the fewest whole pixels that hold so many points."""
        return math.ceil(points * self.dpi / _INCH_PT - 1e-9)

    def weight_px(self, points: float) -> int:
        """Return a line's weight in whole pixels, at least one."""
        return max(1, round(points * self.dpi / _INCH_PT))

    def mm(self, pixels: float) -> float:
        """Return pixels in millimetres."""
        return pixels * _INCH_MM / self.dpi


def canvas_of(width_mm: float, dpi: int) -> Canvas:
    """Return a canvas round(width_mm / 25.4 × dpi) pixels wide; raise ``UsageError`` for dpi out of range."""
    if not MIN_DPI <= dpi <= MAX_DPI:
        raise UsageError(
            f"{dpi} dpi: {MIN_DPI} to {MAX_DPI} are allowed. Line art wants 600 to 1200, grey 170 to 300."
        )
    return Canvas(round(width_mm / _INCH_MM * dpi), dpi)


@dataclass(frozen=True, slots=True)
class BoardFit:
    """A board takes these whole pixels; its width and height include its outline."""

    cell_px: int
    line_px: int
    outline_px: int
    width_px: int
    height_px: int


@dataclass(frozen=True, slots=True)
class PixelFrame:
    """A composed image is a frame in points, with its exact size in pixels."""

    frame: Frame
    size_px: tuple[int, int]


def fit_board(rows: int, cols: int, canvas: Canvas, theme: Theme) -> BoardFit:
    """Return the largest squares of whole pixels with which a board is no wider than a canvas."""
    line = canvas.weight_px(theme.grid.inner_pt)
    outline = line + 2 * max(1, round((theme.grid.outer_pt * canvas.dpi / _INCH_PT - line) / 2))
    cell = max(0, (canvas.width_px - outline) // cols)
    return BoardFit(cell, line, outline, cols * cell + outline, rows * cell + outline)


def fitted_theme(theme: Theme, fit: BoardFit, canvas: Canvas) -> Theme:
    """Return a theme with the weights of a fitted board, and its solids' inset in whole pixels."""
    grid = theme.grid.model_copy(
        update={"inner_pt": canvas.pt(fit.line_px), "outer_pt": canvas.pt(fit.outline_px)}
    )
    inset = theme.solids.inset_pt and canvas.pt(canvas.weight_px(theme.solids.inset_pt))
    solids = theme.solids.model_copy(update={"inset_pt": inset})
    return theme.model_copy(update={"grid": grid, "solids": solids})
