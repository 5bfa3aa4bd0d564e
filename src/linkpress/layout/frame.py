"""Display list: the shapes and texts of a page with their positions, in points from the bottom left.

The layout decides the position and look of everything, and stores the result in frames. A renderer only draws
the items of a frame in order, so that later items cover earlier items. The same frame can become a PDF, a PNG
or an SVG.
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
Segment = tuple[float, float, float, float]  # x and y of the start, then x and y of the end
Rect = tuple[float, float, float, float]  # x and y of the bottom left corner, then width and height


@dataclass(frozen=True, slots=True)
class Area:
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
        """Return the smallest rectangle that contains both this rectangle and another one."""
        x, y = min(self.x, other.x), min(self.y, other.y)
        return Area(x, y, max(self.right, other.right) - x, max(self.top, other.top) - y)

    def inset(self, by: float) -> Area:
        return Area(self.x + by, self.y + by, self.width - 2 * by, self.height - 2 * by)

    def without(self, top: float = 0.0, bottom: float = 0.0) -> Area:
        return Area(self.x, self.y + bottom, self.width, self.height - top - bottom)


class Cap(IntEnum):
    """Shape of the ends of a line, numbered as in the PDF specification."""

    BUTT = 0
    ROUND = 1
    SQUARE = 2


class Join(IntEnum):
    """Shape of the corners of a line, numbered as in the PDF specification."""

    MITRE = 0
    ROUND = 1
    BEVEL = 2


class Anchor(StrEnum):
    """The part of a text that stays at its place if a viewer shows the text in another font than intended.

    The other font may make the text longer or shorter, so only its start, middle or end can stay in place.
    """

    START = "start"
    MIDDLE = "middle"
    END = "end"


class FontKey(StrEnum):
    """Role of a font in a book. The renderer knows the font file for each role."""

    REGULAR = "regular"
    SEMIBOLD = "semibold"
    ITALIC = "italic"  # a publisher's own fonts may lack an italic font; semibold is then used instead
    DISPLAY = "display"  # the font of title and numbers on a cover that has a design


@dataclass(eq=False, slots=True)
class Tag:
    """Structure element of a tagged PDF, which tells screen readers the meaning of some content.

    An element may extend over several pages, such as a paragraph that continues on the next page. Two tags
    are equal only if they are the same object.

    Args:
        role: the standard structure type, such as ``H1``, ``P`` or ``Figure``.
        parent: the element that contains this element, or None if no element contains it.
        alt: the alternative description of a figure or a link.
        text: the text to read aloud instead of the printed text. If empty, the printed text is read.
        attribute: an attribute as owner, key and value, such as ``("Table", "Scope", "Column")``.
    Attributes:
        kids: the elements that have this element as their parent.
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


# Tags for content that screen readers skip: decoration, running heads and page numbers.
ARTIFACT = Tag("Artifact")
HEADER = Tag("Artifact", attribute=("Artifact", "Subtype", "Header"))
FOOTER = Tag("Artifact", attribute=("Artifact", "Subtype", "Footer"))


@dataclass(frozen=True, slots=True)
class Lines:
    """Separate straight lines of the same width, drawn as one path."""

    segments: tuple[Segment, ...]
    width_pt: float
    ink: Ink = BLACK
    cap: Cap = Cap.BUTT


@dataclass(frozen=True, slots=True)
class Polyline:
    """Connected line through a sequence of points. ``closed`` also connects the last point to the first."""

    points: tuple[Point, ...]
    width_pt: float
    ink: Ink = BLACK
    cap: Cap = Cap.BUTT
    join: Join = Join.MITRE
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Rects:
    boxes: tuple[Rect, ...]
    ink: Ink = BLACK


@dataclass(frozen=True, slots=True)
class Polygon:
    points: tuple[Point, ...]
    ink: Ink = BLACK


@dataclass(frozen=True, slots=True)
class Discs:
    """Circles of the same radius that are filled, outlined with a ring, or both.

    The ring is centred on the circle: half of its width is inside the radius and half outside.
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


# Opacity of the tint between a cover's picture and the title on it. With this opacity, white text on the
# default tint has a contrast of at least 5.1, even where the picture is white. With an opacity below 0.7, the
# contrast would be less than 4.5, the minimum of WCAG.
SHADE = 0.74


@dataclass(frozen=True, slots=True)
class Shade:
    """Tint over the upper part of a picture that makes text on the picture legible. It fades out downwards.

    Args:
        share: the fraction of the picture's height that is tinted.
        ink: the colour of the tint.
    """

    share: float
    ink: Ink


@dataclass(frozen=True, slots=True)
class Photo:
    """Picture made of pixels, such as a photo. It is cropped around its centre to the proportions of its box.

    Args:
        content: the content of an image file that Pillow can read. Transparent pixels become white.
        grey: whether to convert the picture to shades of grey.
        strength: the fraction of the picture's ink to keep, from 0 to 1. A smaller value makes the picture
            paler.
        shade: a tint over the upper part of the picture, or None.
    """

    box: Rect
    content: bytes
    grey: bool = False
    strength: float = 1.0
    shade: Shade | None = None


def cut_size(whole: Size, ratio: float) -> Size:
    """Return the size of a picture after cropping it to ``ratio``, its width divided by its height."""
    width = min(whole.width_pt, whole.height_pt * ratio)
    return Size(width, width / ratio)


@dataclass(frozen=True, slots=True)
class TextRun:
    """Text in one font on one baseline.

    Args:
        x, y: the left end of the baseline.
        width_pt: the measured width, including tracking.
        anchor: the part of the text that keeps its position in SVG if a viewer replaces the font.
        tracking_pt: the extra space after each character except the last.
        where: the key of the spec that holds the text, such as ``title``. If no key holds it, this is empty
            or a description of the text for error messages. Renderers ignore it.
        tag: the structure element that the text belongs to, or None if screen readers skip the text.
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
    """Frame that is drawn at a position inside another frame.

    Args:
        name: the identifier of the inner frame. All frames with the same name in a book must be equal, so
            that a PDF stores the frame only once.
        x, y: the position of the bottom left corner.
        turned: the clockwise rotation: 0, 90, 180 or 270 degrees.
        tag: the structure element that the frame belongs to, or None if screen readers skip the frame.
    """

    name: str
    frame: Frame
    x: float
    y: float
    turned: int = 0
    tag: Tag | None = field(default=None, compare=False, repr=False)

    @property
    def box(self) -> Rect:
        """Return the rectangle that the placed frame would cover without its rotation.

        A frame is a drawing with a width and a height. If the frame is rotated by 90 or 270 degrees, it
        really covers a rectangle with the same bottom left corner, but with width and height exchanged.
        """
        return self.x, self.y, self.frame.width_pt, self.frame.height_pt


Item = Lines | Polyline | Rects | Polygon | Discs | Photo | TextRun | Placed


@dataclass(frozen=True, slots=True)
class Frame:
    """Display list together with the width and height of its drawing area."""

    width_pt: float
    height_pt: float
    items: tuple[Item, ...]


class MarkedContent(NamedTuple):
    """Consecutive items of a page that have the same tag. Either all of them are text, or none is.

    Args:
        tag: the tag of all items, which is ``ARTIFACT`` for items without a tag.
        mcid: the marked-content identifier of the PDF, or None for an artifact.
    """

    tag: Tag
    mcid: int | None
    is_text: bool
    items: tuple[Item, ...]


def marked_contents(items: Iterable[Item]) -> Iterator[MarkedContent]:
    """Group consecutive items of a page that have the same tag, for the marked content of a PDF.

    Groups are numbered from 0. Artifacts, which are decoration and items without a tag, get no number.
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
    """Link from an area of a page to a named target. Only the edition for screens has links."""

    box: Rect
    target: str
    tag: Tag | None = None


@dataclass(frozen=True, slots=True)
class Target:
    """Named position on a page that links can lead to.

    Args:
        top_pt: the height above the bottom edge of the page, in points.
        title: the title of an entry in the PDF outline that leads here, or None for no entry.
    """

    name: str
    top_pt: float
    title: str | None = None


class Role(StrEnum):
    """Kind of content in a region, which is a marked area of a page."""

    MARGINS = "margins"
    BORDER = "border"
    PAGE = "page"  # everything inside the margins of a page, or the whole cover
    BOARD = "board"
    ANSWER = "answer"
    TEXT = "text"
    FRONT = "front"
    SPINE = "spine"
    BARCODE = "barcode"


@dataclass(frozen=True, slots=True)
class Region:
    """Area of a page, with the key of the spec that controls the content of this area.

    The studio opens this key when a user clicks the area. Renderers ignore regions.

    Args:
        part: the key of the part of the book that the page belongs to, such as ``("levels", 2)``. It can't
            be derived from ``key``, because a key such as ``title`` controls texts in several parts.
        puzzle: the printed number of the puzzle or answer in the area, or None if the area shows something
            else.
    """

    box: Rect
    key: KeyPath
    role: Role
    part: KeyPath
    puzzle: int | None = None


class Side(Enum):
    """Whether a page is a right-hand page (recto) or a left-hand page (verso).

    The spine is at the left of a recto and at the right of a verso.
    """

    RECTO = "recto"
    VERSO = "verso"


@dataclass(frozen=True, slots=True)
class Page:
    """Finished page of a book.

    Args:
        frame: the drawing, in coordinates from the bottom left corner of the trim. Parts of the drawing
            outside the trim are bleed.
        number: the page number. The first page of the book is page 1.
        kind: cover, title, copyright, contents, howto, tutorial, opener, puzzles, solutions, notes, matter
            (the publisher's own text), progress (a list with stars for solved puzzles), times (a list to
            write down solving times), certificate, colophon or blank.
        section: the level or part that the page belongs to, for the PDF outline.
        regions: areas of the page with the spec keys that control their content, from large to small.
        tags: the outermost tags of the page, in reading order.
    """

    frame: Frame
    number: int
    kind: str
    section: str = ""
    targets: tuple[Target, ...] = ()
    links: tuple[LinkArea, ...] = ()
    regions: tuple[Region, ...] = ()
    tags: tuple[Tag, ...] = ()
