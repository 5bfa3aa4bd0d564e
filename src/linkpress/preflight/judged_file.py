"""This module holds the file under judgement, what its pages draw, and what it is judged by."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from linkpress.book.printing_keys import Standard
from linkpress.documents.values import Size
from linkpress.preflight.pdf_reading.drawn import (
    Drawn,
    DrawnImage,
    DrawnPath,
    DrawnShading,
    DrawnText,
    is_paper,
)
from linkpress.preflight.pdf_reading.matrices import Box, Point, box_around, common, moved_box
from linkpress.preflight.pdf_reading.objects import entry
from linkpress.preflight.pdf_reading.page_boxes import PageFacts, Reached, size_of
from linkpress.preflight.pdf_reading.reader import DrawnPage, PdfReader
from linkpress.printers.profile import Bleed, Forbidden, Margins, PaperInk, PrinterProfile

BOX_SLACK_PT = 0.3  # what boxes written in whole or tenth points may be off
PDF, PDFX = "ISO 32000-1", "ISO 15930-1:2001, PDF/X-1a"  # sources of rules that stand in no profile


@dataclass(frozen=True, slots=True)
class Requirements:
    """Requirements say what a file must be beyond its printer's profile.

    Args:
        paper: a paper of the profile; None for its default.
        trim: the trim; None takes the file's own.
        bleed: whether it has bleed; None lets the boxes say.
        standard: the kind of PDF, the profile's if None; a file that claims PDF/X is held to it in any case.
        cover: whether it is a cover; ``trim`` is then that of back, spine and front together.
        part: whether it is printed beside a book, as a leaflet of solutions, which no page counts bind.
    """

    paper: str | None = None
    trim: Size | None = None
    bleed: bool | None = None
    standard: Standard | None = None
    cover: bool = False
    part: bool = False
    full_fonts: bool = False


class JudgedFile:
    """A judged file is open, and has the profile that it is judged by."""

    def __init__(self, reader: PdfReader, profile: PrinterProfile, required: Requirements) -> None:
        self.reader = reader
        self.pdf = reader.pdf
        self.pages = reader.pages
        self.page_count = len(reader.pdf.pages)
        self.profile = profile
        self.required = required
        self.paper = required.paper or profile.default_paper
        self.is_cover = required.cover
        self.reached: list[Reached] = []

    @cached_property
    def trim(self) -> Size:
        """Return the trim that the book is judged at."""
        if self.required.trim is not None:
            return self.required.trim
        first = self.pages[0] if self.pages else None
        box = first and (first.trim or first.media)
        if first is None or not box:
            return Size(0.0, 0.0)
        size = size_of(box)
        return size if first.trim else self._trim_within(size, first)

    @cached_property
    def has_bleed(self) -> bool:
        """Tell whether the book is judged as one with bleed: any page runs over its trim."""
        if self.is_cover or self.required.bleed is not None:
            return self.is_cover or bool(self.required.bleed)
        return any(self._runs_over(page) for page in self.pages)

    @cached_property
    def margins(self) -> Margins:
        """Return the least margins at this page count."""
        return self.profile.margins(self.page_count, self.has_bleed)

    @property
    def root(self) -> object:
        """Return the file's catalog."""
        return entry(self.pdf.trailer, "/Root")

    @property
    def colour_source(self) -> str:
        """Return the source that says which colours are refused."""
        return self.profile.source if self.forbids(Forbidden.RGB) else PDFX

    def reached_as(self, category: str) -> Iterator[Reached]:
        """Yield the resources that one kind of resource dictionary names."""
        return (reached for reached in self.reached if reached.category == category)

    def forbids(self, feature: Forbidden) -> bool:
        """Tell whether the printer refuses this."""
        return self.profile.forbids(feature)

    @cached_property
    def is_pdfx(self) -> bool:
        """Tell whether the file must be, or says that it is, PDF/X-1a."""
        claims = entry(entry(self.pdf.trailer, "/Info"), "/GTS_PDFXVersion")
        standard = self.required.standard or self.profile.standard
        return standard is Standard.PDFX1A or claims is not None

    @property
    def is_black_only(self) -> bool:
        """Tell whether black is the only ink."""
        return not self.is_cover and self.profile.paper(self.paper).ink is PaperInk.BLACK

    @property
    def black_only_words(self) -> str:
        """Say what a paper that is printed in black takes, and what to do if the book has another."""
        words = f"black only (K) on {self.paper} paper"
        coloured = [paper.name for paper in self.profile.papers if paper.ink is PaperInk.COLOUR]
        if self.required.paper is not None or not coloured:
            return words
        return f"{words}, taken as none was named; for a book in colour give --paper {' or '.join(coloured)}"

    def bleed_widths(self, page: PageFacts) -> Bleed:
        """Return the bleed that a page with bleed must have."""
        if self.is_cover and self.profile.cover is not None:
            width = self.profile.cover.over_pt
            return Bleed(width, width, width, width)
        return self.profile.bleed_of(page.recto)

    def trim_box(self, page: PageFacts) -> Box | None:
        """Return a page's TrimBox, or where the trim lies in its MediaBox."""
        if page.trim is not None or page.media is None:
            return page.trim
        bleed = self.bleed_widths(page)
        left, bottom, right, top = page.media
        if not self.has_bleed or size_of(page.media).same_as(self.trim, BOX_SLACK_PT):
            return page.media
        return (left + bleed.left_pt, bottom + bleed.bottom_pt, right - bleed.right_pt, top - bleed.top_pt)

    def bleed_box(self, page: PageFacts) -> Box | None:
        """Return a page's BleedBox or, without one, its MediaBox."""
        return page.bleed or page.media

    def _runs_over(self, page: PageFacts) -> bool:
        box = self.bleed_box(page)
        trim = size_of(page.trim) if page.trim else self.trim
        return box is not None and not size_of(box).same_as(trim, 2 * BOX_SLACK_PT)

    def _trim_within(self, media: Size, page: PageFacts) -> Size:
        """Return the trim of a file without TrimBox: the media or, if only that is sold, less the bleed."""
        bleed = self.bleed_widths(page)
        inner = Size(
            media.width_pt - bleed.left_pt - bleed.right_pt, media.height_pt - bleed.top_pt - bleed.bottom_pt
        )
        listed = self.profile.trims.sizes
        whole = any(media.same_as(size, BOX_SLACK_PT) for size in listed)
        return inner if not whole and any(inner.same_as(size, BOX_SLACK_PT) for size in listed) else media


class PageInk:
    """A page's ink is all that it draws."""

    def __init__(self, read: DrawnPage, page: PageFacts) -> None:
        self.page = page
        self.content = read.content
        self.items = read.items
        self.all_items = [*read.items, *read.hidden_items]
        self.unseen, self.inkless = read.unseen, read.inkless

    @cached_property
    def texts(self) -> list[DrawnText]:
        """Return every shown string that says something, also those in patterns and glyphs."""
        return [item for item in self.all_items if isinstance(item, DrawnText) and item.text.strip()]

    @cached_property
    def images(self) -> list[DrawnImage]:
        """Return every placed image, also those in patterns and glyphs."""
        return [item for item in self.all_items if isinstance(item, DrawnImage)]

    @cached_property
    def drawn_boxes(self) -> list[tuple[Drawn, Box]]:
        """Return each item that leaves ink, with its box before clipping."""
        boxes = ((item, drawn_box(item)) for item in self.items)
        return [(item, box) for item, box in boxes if box is not None]

    def clipped(self, item: Drawn, box: Box) -> Box | None:
        """Return the part of an item's box that is printed, in its clip and on the page; None for nothing."""
        if isinstance(item, DrawnPath) and item.butt and _is_ruling(item):
            box = _ruling_box(item)
        media = self.page.media  # outside which nothing is printed
        printed = common(box, item.clip) if item.clip is not None else box
        return common(printed, media) if printed is not None and media is not None else printed


def drawn_box(item: Drawn) -> Box | None:
    """Return the box around an item's ink, clipping aside; None if it leaves none."""
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
    left, bottom, right, top = path.box
    half = path.width_pt / 2 if stroked else 0.0
    return (left - half, bottom - half, right + half, top + half)


def _is_ruling(path: DrawnPath) -> bool:
    return path.stroke is not None and all(
        len(part.points) == 2 and not part.closed and not part.curved and 0.0 in _extent(part.points)
        for part in path.subpaths
    )


def _ruling_box(path: DrawnPath) -> Box:
    """Return the box of lines that stop at their ends: as much thicker as they are wide, and no longer."""
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
