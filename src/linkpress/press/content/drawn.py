"""What a page draws, one item a painting operator, in page coordinates (points, as in MediaBox)."""

from __future__ import annotations

from dataclasses import dataclass

from linkpress.press.content.colours import Colour, ColourSpace
from linkpress.press.content.fonts import Font
from linkpress.press.content.matrix import Box, Matrix, Point


@dataclass(slots=True)
class Subpath:
    """Points joined by straight lines, or by curves through their control points."""

    points: list[Point]
    closed: bool = False
    curved: bool = False


@dataclass(slots=True)
class DrawnPath:
    """A painted path.

    Args:
        subpaths: in the order drawn.
        stroke: the line's colour, None without a line.
        fill: None without a filling.
        width_pt: the line's width where it is thinnest.
        clip: the box that the clipping leaves; None for all.
        butt: whether open lines stop at their ends, without a cap beyond them.
    """

    subpaths: list[Subpath]
    stroke: Colour | None
    fill: Colour | None
    width_pt: float
    clip: Box | None
    butt: bool = True


@dataclass(slots=True)
class DrawnText:
    """One shown string.

    Args:
        text: what it says, as far as the font tells.
        start, end: ends of the advance on the baseline.
        size_pt: the size as printed, across the baseline.
        colour: of the filling, or of the outline where only that is drawn.
        invisible: whether it is drawn with no ink (rendering mode 3) or only clips.
        stroke_width_pt: of outlined text, None without an outline.
        box: around the figures and capitals, with room below only for letters that go there.
    """

    text: str
    start: Point
    end: Point
    size_pt: float
    font: Font
    colour: Colour
    invisible: bool
    stroke_width_pt: float | None
    box: Box
    clip: Box | None


@dataclass(slots=True)
class DrawnImage:
    """A placed image.

    Args:
        matrix: from the unit square to the page.
        width_px, height_px: samples.
        space: its colours; None for a stencil, which takes ``colour``.
        inline: whether it stands in the content itself.
        packing: its filters, outermost first.
    """

    matrix: Matrix
    width_px: int
    height_px: int
    space: ColourSpace | None
    colour: Colour
    inline: bool
    clip: Box | None
    packing: tuple[str, ...] = ()


@dataclass(slots=True)
class DrawnShading:
    """A shading painted over the clip."""

    space: ColourSpace
    clip: Box | None


Drawn = DrawnPath | DrawnText | DrawnImage | DrawnShading
