"""A frame is a display list: what stands on a page and where, in points from the bottom left.

Layout makes frames and decides everything; a renderer walks ``items`` in order, later items on
top, and decides nothing. One frame serves PDF, PNG and SVG.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum, StrEnum

from linkpress.documents.inks import BLACK as BLACK
from linkpress.documents.inks import PAPER as PAPER
from linkpress.documents.inks import Ink as Ink
from linkpress.documents.inks import grey as grey

Point = tuple[float, float]
Segment = tuple[float, float, float, float]  # x0, y0, x1, y1
Rect = tuple[float, float, float, float]  # x, y, width, height


@dataclass(frozen=True, slots=True)
class Area:
    """An area is a rectangle in points from the trim's bottom left."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """Return the right edge."""
        return self.x + self.width

    @property
    def top(self) -> float:
        """Return the upper edge."""
        return self.y + self.height

    @property
    def centre(self) -> float:
        """Return the middle between left and right."""
        return self.x + self.width / 2

    @property
    def centre_y(self) -> float:
        """Return the middle between foot and upper edge."""
        return self.y + self.height / 2

    def without(self, top: float = 0.0, bottom: float = 0.0) -> Area:
        """Return what is left when strips are taken off above and below."""
        return Area(self.x, self.y + bottom, self.width, self.height - top - bottom)


class Cap(IntEnum):
    """A line ends in one of these ways, numbered as in PDF."""

    BUTT = 0
    ROUND = 1
    SQUARE = 2


class Join(IntEnum):
    """A line turns in one of these ways, numbered as in PDF."""

    MITRE = 0
    ROUND = 1
    BEVEL = 2


class Anchor(StrEnum):
    """An anchor is the point of a text run that holds where another font stands in for the right one."""

    START = "start"
    MIDDLE = "middle"
    END = "end"


class FontKey(StrEnum):
    """A book is set in these faces; a renderer knows the files behind each."""

    REGULAR = "regular"
    SEMIBOLD = "semibold"
    ITALIC = "italic"  # none beside a regular font of the book's own that brings no italic
    DISPLAY = "display"  # of the title on a cover that has a design


@dataclass(frozen=True, slots=True)
class Lines:
    """Separate straight lines of one weight are drawn as one path."""

    segments: tuple[Segment, ...]
    width_pt: float
    ink: Ink = BLACK
    cap: Cap = Cap.BUTT


@dataclass(frozen=True, slots=True)
class Polyline:
    """A stroked line runs through its points; ``closed`` joins the last to the first."""

    points: tuple[Point, ...]
    width_pt: float
    ink: Ink = BLACK
    cap: Cap = Cap.BUTT
    join: Join = Join.MITRE
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Rects:
    """Filled rectangles have one ink."""

    boxes: tuple[Rect, ...]
    ink: Ink = BLACK


@dataclass(frozen=True, slots=True)
class Polygon:
    """A filled shape has straight sides."""

    points: tuple[Point, ...]
    ink: Ink = BLACK


@dataclass(frozen=True, slots=True)
class Discs:
    """Circles of one radius are filled, ringed or both; the ring is centred on the radius."""

    centres: tuple[Point, ...]
    radius_pt: float
    fill: Ink | None = BLACK
    ring: Ink | None = None
    ring_width_pt: float = 0.0


@dataclass(frozen=True, slots=True)
class Shade:
    """A shade veils the upper part of a picture, on which words stand; it fades out below."""

    share: float
    ink: Ink


@dataclass(frozen=True, slots=True)
class Photo:
    """A picture of pixels is cut to its box's proportions around its middle.

    Args:
        content: that of a file that Pillow reads; what is see-through in it lies on white.
        grey: whether its colours are turned into greys.
        strength: how much of its ink is left, 0 to 1.
        shade: the veil on which words stand.
    """

    box: Rect
    content: bytes
    grey: bool = False
    strength: float = 1.0
    shade: Shade | None = None


@dataclass(frozen=True, slots=True)
class TextRun:
    """A text run stands on one baseline.

    Args:
        x, y: left end of the advance, on the baseline.
        width_pt: the advance, tracking included, as measured.
        anchor: the point that holds where the font is replaced (SVG).
        tracking_pt: a space after every character but the last.
    """

    x: float
    y: float
    text: str
    font: FontKey
    size_pt: float
    width_pt: float
    ink: Ink = BLACK
    anchor: Anchor = Anchor.START
    tracking_pt: float = 0.0


@dataclass(frozen=True, slots=True)
class Placed:
    """A placed frame stands in another one, its bottom left corner at x, y.

    Args:
        name: its name; two frames of one name in a book are the same, which is drawn once in a file.
        turned: 0, 90 or 180 degrees clockwise.
    """

    name: str
    frame: Frame
    x: float
    y: float
    turned: int = 0

    @property
    def box(self) -> Rect:
        """Return where it stands, if it is not turned by 90 degrees."""
        return self.x, self.y, self.frame.width_pt, self.frame.height_pt


Item = Lines | Polyline | Rects | Polygon | Discs | Photo | TextRun | Placed


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame is a display list and the area that it fills, from its bottom left."""

    width_pt: float
    height_pt: float
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class LinkArea:
    """An area on a page leads to a named place; only the screen edition carries it."""

    box: Rect
    target: str


@dataclass(frozen=True, slots=True)
class Target:
    """A target is a named place, at a height above the trim's foot; with a title it is in the outline."""

    name: str
    top_pt: float
    title: str | None = None


class Side(Enum):
    """A page lies on one hand: the spine is left of a recto and right of a verso."""

    RECTO = "recto"
    VERSO = "verso"


def side_of(page_number: int) -> Side:
    """Return the hand on which a page lies, counted from 1."""
    return Side.RECTO if page_number % 2 else Side.VERSO


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a book is drawn in coordinates of its trim.

    Args:
        frame: a frame as large as the trim; what lies outside it is bleed.
        number: its number, counted from 1 through the whole book.
        kind: cover, title, copyright, contents, howto, tutorial, opener, puzzles, solutions, notes,
            matter, colophon or blank.
        section: the level or part that the page belongs to, for the running head and outline.
    """

    frame: Frame
    number: int
    kind: str
    section: str = ""
    targets: tuple[Target, ...] = ()
    links: tuple[LinkArea, ...] = ()
