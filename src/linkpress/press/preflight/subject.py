"""The file under judgement: its pages, boxes and geometry, and what it is judged by."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import pikepdf

from linkpress.book.printing_keys import Standard
from linkpress.config.lengths import Size
from linkpress.layout.printer_data import Figure, Forbidden, PaperInk
from linkpress.layout.printers import Bleed, Margins, PrinterProfile
from linkpress.press.content.matrix import Box
from linkpress.press.content.objects import entry
from linkpress.press.preflight.pages import PageFacts, size_of
from linkpress.press.preflight.resources import Reached
from linkpress.press.preflight.result import Finding

PDFX_SOURCE = "ISO 15930-1:2001, PDF/X-1a"
BOX_SLACK_PT = 0.3  # what boxes written in whole or tenth points may be off

_FIGURES = {
    "file-size": Figure.FILE_MB, "page-count": Figure.PAGES, "page-multiple": Figure.MULTIPLE,
    "last-page": Figure.MULTIPLE, "trim-size": Figure.TRIMS, "bleed-size": Figure.BLEED,
    "black-ink": Figure.PAPERS, "tint": Figure.TINT, "line-weight": Figure.LINE, "text-size": Figure.TEXT,
    "image-resolution": Figure.IMAGE_DPI, "live-area": Figure.MARGINS,
}  # fmt: skip


@dataclass
class Subject:
    """An open file and the profile that it is judged by.

    Args:
        pdf: open for reading.
        raw: the file's bytes.
        pages: at most as many as are looked at.
        page_count: as the file says.
        profile: the printer.
        paper: its name.
        standard: what the file must be.
        wanted_trim: the trim it must have; None takes the file's own.
        wanted_bleed: whether its pages bleed; None lets the boxes say.
        is_cover: one page, with the cover's bleed on all sides, printed in colour.
        paper_named: whether the paper was asked for, and not taken for want of a name.
    """

    pdf: pikepdf.Pdf
    raw: bytes
    pages: list[PageFacts]
    page_count: int
    profile: PrinterProfile
    paper: str
    standard: Standard
    wanted_trim: Size | None = None
    wanted_bleed: bool | None = None
    is_cover: bool = False
    paper_named: bool = True
    reached: list[Reached] = field(default_factory=list)

    @cached_property
    def trim(self) -> Size:
        """The trim that the book is judged at."""
        if self.wanted_trim is not None:
            return self.wanted_trim
        first = self.pages[0] if self.pages else None
        box = first and (first.trim or first.media)
        if first is None or not box:
            return Size(0.0, 0.0)
        size = size_of(box)
        return size if first.trim else self._trim_within(size, first)

    @cached_property
    def bleed(self) -> bool:
        """Whether the book is judged as one with bleed: any page runs over its trim."""
        if self.wanted_bleed is not None:
            return self.wanted_bleed
        return any(self._runs_over(page) for page in self.pages)

    @cached_property
    def margins(self) -> Margins:
        """The least margins at this page count."""
        return self.profile.margins(self.page_count, self.bleed)

    @property
    def source(self) -> str:
        """Of the profile's figures."""
        return self.profile.source

    def forbids(self, feature: Forbidden) -> bool:
        """Whether the printer refuses this."""
        return self.profile.forbids(feature)

    @property
    def is_pdfx(self) -> bool:
        """Whether the file must be, or says that it is, PDF/X-1a."""
        claims = entry(entry(self.pdf.trailer, "/Info"), "/GTS_PDFXVersion")
        return self.standard is Standard.PDFX1A or claims is not None

    @property
    def is_black_only(self) -> bool:
        """Whether black is the only ink."""
        return not self.is_cover and self.profile.paper(self.paper).ink is PaperInk.BLACK

    @property
    def black_only_words(self) -> str:
        """What a paper that is printed in black takes, and what to do if the book has another."""
        words = f"black only (K) on {self.paper} paper"
        coloured = [paper.name for paper in self.profile.data.papers if paper.ink is PaperInk.COLOUR]
        if self.paper_named or not coloured:
            return words
        return f"{words}, taken as none was named; for a book in colour give --paper {' or '.join(coloured)}"

    def edges_of(self, page: PageFacts) -> Bleed:
        """The bleed that a page with bleed must have."""
        if self.is_cover and self.profile.cover is not None:
            width = self.profile.cover.bleed_pt
            return Bleed(width, width, width, width)
        return self.profile.bleed_of(page.recto)

    def trim_of(self, page: PageFacts) -> Box | None:
        """A page's TrimBox, or where the trim lies in its MediaBox."""
        if page.trim is not None or page.media is None:
            return page.trim
        bleed = self.edges_of(page)
        left, bottom, right, top = page.media
        if not self.bleed or size_of(page.media).same_as(self.trim, BOX_SLACK_PT):
            return page.media
        return (left + bleed.left_pt, bottom + bleed.bottom_pt, right - bleed.right_pt, top - bleed.top_pt)

    def bleed_of(self, page: PageFacts) -> Box | None:
        """A page's BleedBox; without one its MediaBox."""
        return page.bleed or page.media

    def _runs_over(self, page: PageFacts) -> bool:
        box = self.bleed_of(page)
        trim = size_of(page.trim) if page.trim else self.trim
        return box is not None and not size_of(box).same_as(trim, 2 * BOX_SLACK_PT)

    def _trim_within(self, media: Size, page: PageFacts) -> Size:
        """The trim of a file without TrimBox: the media itself or, if only that is sold, less the bleed."""
        bleed = self.edges_of(page)
        inner = Size(
            media.width_pt - bleed.left_pt - bleed.right_pt, media.height_pt - bleed.top_pt - bleed.bottom_pt
        )
        listed = self.profile.data.trims.sizes
        whole = any(media.same_as(size, BOX_SLACK_PT) for size in listed)
        return inner if not whole and any(inner.same_as(size, BOX_SLACK_PT) for size in listed) else media

    def finding(
        self, check: str, page: PageFacts | None, found: str, allowed: str, source: str | None = None
    ) -> Finding:
        """A finding of a check, by the profile's source unless another is given."""
        figure = _FIGURES.get(check)
        if figure is Figure.BLEED and self.is_cover:
            figure = Figure.COVER
        source = source or (self.profile.source_of(figure) if figure else self.source)
        return Finding(check, page.number if page else None, found, allowed, source)
