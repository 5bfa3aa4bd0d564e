"""Display list: the shapes and texts of a page with their positions, in points from the bottom left.

Layout makes frames and decides everything. A renderer draws the items of a frame in order, later items on
top, and decides nothing. The same frame serves PDF, PNG and SVG.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum, IntEnum, StrEnum
from itertools import count, groupby
from typing import NamedTuple

from linkpress.documents.inks import BLACK as BLACK
from linkpress.documents.inks import PAPER as PAPER
from linkpress.documents.inks import Ink as Ink
from linkpress.documents.inks import grey as grey
from linkpress.documents.problem import KeyPath
from linkpress.documents.values import Size

Point = tuple[float, float]
Segment = tuple[float, float, float, float]  # x and y of the start, x and y of the end
Rect = tuple[float, float, float, float]  # x and y of the bottom left corner, width, height


@dataclass(frozen=True, slots=True)
class Area:
    """Rectangle on a page, in points from the bottom left of the trim."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def top(self) -> float:
        return self.y + self.height

    @property
    def centre(self) -> float:
        return self.x + self.width / 2

    @property
    def centre_y(self) -> float:
        return self.y + self.height / 2

    @property
    def box(self) -> Rect:
        return self.x, self.y, self.width, self.height

    def union(self, other: Area) -> Area:
        """Return the smallest area that holds this area and another one."""
        x, y = min(self.x, other.x), min(self.y, other.y)
        return Area(x, y, max(self.right, other.right) - x, max(self.top, other.top) - y)

    def inset(self, by: float) -> Area:
        return Area(self.x + by, self.y + by, self.width - 2 * by, self.height - 2 * by)

    def without(self, top: float = 0.0, bottom: float = 0.0) -> Area:
        return Area(self.x, self.y + bottom, self.width, self.height - top - bottom)


class Cap(IntEnum):
    """Line cap, numbered as in PDF."""

    BUTT = 0
    ROUND = 1
    SQUARE = 2


class Join(IntEnum):
    """Line join, numbered as in PDF."""

    MITRE = 0
    ROUND = 1
    BEVEL = 2


class Anchor(StrEnum):
    """Point of a text run that keeps its position if the viewer replaces the font."""

    START = "start"
    MIDDLE = "middle"
    END = "end"


class FontKey(StrEnum):
    """Font of a book by its role; the renderer knows the font file of each role."""

    REGULAR = "regular"
    SEMIBOLD = "semibold"
    ITALIC = "italic"  # may be missing if the publisher's regular font comes without an italic
    DISPLAY = "display"  # for the title on a cover with one of the shipped designs


@dataclass(eq=False, slots=True)
class Tag:
    """Structure element of a tagged PDF.

    An element may be on several pages, such as a paragraph that goes on overleaf. Two tags are never equal.

    Args:
        role: the standard structure type, such as ``H1``, ``P`` or ``Figure``.
        parent: the element that contains this one; None if it is not inside another element.
        alt: the description of a figure or of a link.
        text: the text to read in place of the printed one; empty to read the printed one.
        attribute: an attribute as owner, key and value, such as ``("Table", "Scope", "Column")``.

    ``kids`` are the elements that have this one as their parent.
    """

    role: str
    parent: Tag | None = None
    alt: str = ""
    text: str = ""
    attribute: tuple[str, ...] = ()
    kids: list[Tag] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        if self.parent is not None:
            self.parent.kids.append(self)

    @property
    def root(self) -> Tag:
        return self if self.parent is None else self.parent.root


# Tags for decoration, running heads and page numbers. Screen readers skip content with these tags.
ARTIFACT = Tag("Artifact")
HEADER = Tag("Artifact", attribute=("Artifact", "Subtype", "Header"))
FOOTER = Tag("Artifact", attribute=("Artifact", "Subtype", "Footer"))


@dataclass(frozen=True, slots=True)
class Lines:
    """Separate straight lines of one weight, drawn as one path."""

    segments: tuple[Segment, ...]
    width_pt: float
    ink: Ink = BLACK
    cap: Cap = Cap.BUTT


@dataclass(frozen=True, slots=True)
class Polyline:
    """Stroked line through points; ``closed`` joins the last point to the first."""

    points: tuple[Point, ...]
    width_pt: float
    ink: Ink = BLACK
    cap: Cap = Cap.BUTT
    join: Join = Join.MITRE
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Rects:
    """Filled rectangles of one ink."""

    boxes: tuple[Rect, ...]
    ink: Ink = BLACK


@dataclass(frozen=True, slots=True)
class Polygon:
    """Filled polygon."""

    points: tuple[Point, ...]
    ink: Ink = BLACK


@dataclass(frozen=True, slots=True)
class Discs:
    """Circles of one radius: filled, outlined with a ring, or both.

    Half of the ring's width is inside of the radius, half outside.
    """

    centres: tuple[Point, ...]
    radius_pt: float
    fill: Ink | None = BLACK
    ring: Ink | None = None
    ring_width_pt: float = 0.0
    tag: Tag | None = field(default=None, compare=False, repr=False)

    @property
    def box(self) -> Rect:
        radius = self.radius_pt + self.ring_width_pt / 2
        (left, right), (low, high) = ((min(line), max(line)) for line in zip(*self.centres, strict=True))
        return left - radius, low - radius, right - left + 2 * radius, high - low + 2 * radius


# Opacity of a cover's tint under the title. White text on the default colour's tint over white paper has a
# contrast of 5.1. Below 0.7 the contrast would fall under 4.5, the least that WCAG allows.
SHADE = 0.74


@dataclass(frozen=True, slots=True)
class Shade:
    """Tint over the upper part of a picture, so that words on it can be read. It fades out downwards.

    Args:
        share: the share of the picture's height that is tinted.
    """

    share: float
    ink: Ink


@dataclass(frozen=True, slots=True)
class Photo:
    """Picture made of pixels. It is cropped around its middle to the proportions of its box.

    Args:
        content: the content of an image file that Pillow can read. Transparent pixels become white.
        grey: whether to convert the picture's colours to greys.
        strength: the share of its ink to keep, from 0 to 1; less makes the picture paler.
    """

    box: Rect
    content: bytes
    grey: bool = False
    strength: float = 1.0
    shade: Shade | None = None


def cut_size(whole: Size, ratio: float) -> Size:
    """Return the size of a picture after cropping it to a ratio of width to height."""
    width = min(whole.width_pt, whole.height_pt * ratio)
    return Size(width, width / ratio)


@dataclass(frozen=True, slots=True)
class TextRun:
    """Text in one font on one baseline.

    Args:
        x, y: the left end of the text, on the baseline.
        width_pt: the measured width, including tracking.
        anchor: the point that keeps its position in SVG if the viewer replaces the font.
        tracking_pt: the extra space after each character but the last.
        where: the key of the spec that the text comes from, such as ``title``. If it comes from no key, this
            is empty or describes the text for error messages. Renderers ignore it.
        tag: the structure element that the text belongs to; None if screen readers skip the text.
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
    where: str = ""
    tag: Tag | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Placed:
    """Frame placed inside another frame.

    Args:
        name: identifies the inner frame. Frames of the same name in a book are equal, so a PDF stores the
            frame once.
        x, y: the bottom left corner.
        turned: clockwise rotation: 0, 90, 180 or 270 degrees.
        tag: the structure element that the frame belongs to; None if screen readers skip the frame.
    """

    name: str
    frame: Frame
    x: float
    y: float
    turned: int = 0
    tag: Tag | None = field(default=None, compare=False, repr=False)

    @property
    def box(self) -> Rect:
        """Bounding box of the frame. It is not valid if the frame is turned by 90 or 270 degrees."""
        return self.x, self.y, self.frame.width_pt, self.frame.height_pt


Item = Lines | Polyline | Rects | Polygon | Discs | Photo | TextRun | Placed


@dataclass(frozen=True, slots=True)
class Frame:
    """Display list with the size of the area that it fills."""

    width_pt: float
    height_pt: float
    items: tuple[Item, ...]


class MarkedContent(NamedTuple):
    """Consecutive items of a page with the same tag. Either all items are text, or no item is text.

    Args:
        tag: the tag of all items. Items that had no tag get ``ARTIFACT``.
        mcid: the marked-content identifier; None for an artifact.
    """

    tag: Tag
    mcid: int | None
    is_text: bool
    items: tuple[Item, ...]


def marked_contents(items: Iterable[Item]) -> Iterator[MarkedContent]:
    """Group consecutive items of a page that have the same tag, for the marked content of a PDF.

    Groups are numbered from 0. Artifacts, such as decoration and items without a tag, get no number.
    """
    mcids = count()

    def kind(item: Item) -> tuple[Tag, bool]:
        tag = item.tag if isinstance(item, TextRun | Placed | Discs) else None
        return tag or ARTIFACT, isinstance(item, TextRun)

    for (tag, is_text), same in groupby(items, kind):
        mcid = None if tag.role == "Artifact" else next(mcids)
        yield MarkedContent(tag, mcid, is_text, tuple(same))


@dataclass(frozen=True, slots=True)
class LinkArea:
    """Link from an area of a page to a named target. Only the screen edition has links."""

    box: Rect
    target: str
    tag: Tag | None = None


@dataclass(frozen=True, slots=True)
class Target:
    """Named place on a page that links can lead to.

    Args:
        top_pt: its height above the bottom of the trim.
        title: its entry in the PDF's outline; None for no entry.
    """

    name: str
    top_pt: float
    title: str | None = None


@dataclass(frozen=True, slots=True)
class Region:
    """Area of a drawing, with the key of the spec that it comes from. Renderers ignore it.

    The studio opens the key when the area is clicked.

    Args:
        puzzle: the printed number of the puzzle or answer in the area; None for other things.
    """

    box: Rect
    key: KeyPath
    puzzle: int | None = None


class Side(Enum):
    """Side of a page. The spine is at the left of a recto and at the right of a verso."""

    RECTO = "recto"
    VERSO = "verso"


def side_of(page_number: int) -> Side:
    return Side.RECTO if page_number % 2 else Side.VERSO


@dataclass(frozen=True, slots=True)
class Page:
    """Finished page of a book.

    Args:
        frame: the drawing, in coordinates from the lower left corner of the trim. Items outside of the trim
            are bleed.
        number: the page number, counted from 1 through the whole book.
        kind: cover, title, copyright, contents, howto, tutorial, opener, puzzles, solutions, notes,
            matter (the publisher's own text), progress (a page to mark solved puzzles), times (a page to
            write down solving times), certificate, colophon or blank.
        section: the level or part that the page belongs to, for the PDF's outline.
        regions: areas of the page with the keys of the spec that they come from, from large to small.
        tags: the outermost tags of the page, in the order in which they are read.
    """

    frame: Frame
    number: int
    kind: str
    section: str = ""
    targets: tuple[Target, ...] = ()
    links: tuple[LinkArea, ...] = ()
    regions: tuple[Region, ...] = ()
    tags: tuple[Tag, ...] = ()
