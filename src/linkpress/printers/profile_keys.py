"""A file in ``config/printers`` says what a printer takes, as data; this module reads its parts.

Lengths in the files carry their unit; here they are points. The rules that follow from the figures
are in ``printers.profile``.
"""

import re
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Annotated, NamedTuple

from pydantic import ConfigDict, Field

from linkpress.documents.lengths import Size, parse_length, parse_size
from linkpress.documents.models import Readable, SpecModel
from linkpress.documents.problem import Problem, invalid, shown
from linkpress.documents.values import (
    Date,
    Share,
    ShortName,
    ValueReader,
    YesNo,
    line_of_text,
    one_of,
    whole,
    written,
)


class PaperInk(StrEnum):
    """A paper is printed with inks of one of these kinds."""

    BLACK = "black"
    COLOUR = "colour"


class BookFormat(StrEnum):
    """A book is of one of these kinds, each of which is an edition with an ISBN of its own."""

    PAPERBACK = "paperback"
    HARDCOVER = "hardcover"
    COIL = "coil"
    SCREEN = "screen"


class Colours(StrEnum):
    """A printer wants colours in one of these ways."""

    CMYK = "cmyk"  # as mixes of the four inks
    SRGB = "srgb"  # as screen colours, which the printer turns into inks


class BleedSides(StrEnum):
    """A printer wants bleed on these edges of an interior page."""

    OUTER = "outer"  # top, bottom and outside, none at the spine
    ALL = "all"


class Forbidden(StrEnum):
    """A printer may refuse these things in a file."""

    MARKS = "marks"  # crop marks and other printer's marks outside the bleed
    OUTLINE = "outline"  # bookmarks
    ANNOTATIONS = "annotations"  # links too
    XMP = "xmp"  # metadata streams; the Info dictionary stays
    TRANSPARENCY = "transparency"
    ENCRYPTION = "encryption"
    RGB = "rgb"  # and every other device-independent colour: gray, CMYK and spot stay
    RICH_BLACK = "rich-black"  # black mixed from several inks, in an interior or in a cover's words


class ProfilePart(StrEnum):
    """A profile has these parts, which ``unconfirmed`` names."""

    TRIMS = "trims"
    PAPERS = "papers"
    PAGES = "pages"
    MULTIPLE = "page_count"
    MARGINS = "margins"
    BLEED = "bleed"
    LINE = "line"
    TEXT = "text"
    TINT = "tint"
    IMAGE_DPI = "image_dpi"
    FILE_MB = "file_mb"
    COVER = "cover"


class PageSpan(NamedTuple):
    """A span of pages goes from ``low`` to ``high``, both included."""

    low: int
    high: int

    def __str__(self) -> str:
        return f"{self.low}–{self.high}"


def _parse_pages(text: str) -> PageSpan:
    match = re.fullmatch(r"([0-9]{1,5})\s*[-–]\s*([0-9]{1,5})", text)
    if match is None or not 1 <= int(match[1]) <= int(match[2]):
        raise ValueError(text)
    return PageSpan(int(match[1]), int(match[2]))


def _reader(parse: Callable[[str], object], words: str) -> ValueReader:
    def read(value: object) -> object:
        try:
            return parse(written(value, words))
        except ValueError as fault:
            raise invalid(shown(str(value)), words) from fault

    return ValueReader(read, words, {"type": "string"})


Length = Annotated[float, _reader(parse_length, "a length with its unit, as 0.375in, 9.5mm or 27pt")]
PageSize = Annotated[Size, _reader(parse_size, "a page size, width first, as 6x9in, 148x210mm or A5")]
Pages = Annotated[PageSpan, _reader(_parse_pages, "numbers of pages from 1 on, low end first, as 24-828")]
Line = Annotated[str, line_of_text(120)]
Multiple = Annotated[int, whole(1, 64)]


class PrinterKeys(SpecModel):
    """A profile's mappings have keys that say their unit in Python alone."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class SizeRange(PrinterKeys):
    """A custom trim may have any width and height between two sizes."""

    smallest: PageSize = Field(alias="from", description="The smallest custom size.")
    largest: PageSize = Field(alias="to", description="The largest custom size.")

    def __contains__(self, size: Size) -> bool:
        return all(
            low - 0.1 <= side <= high + 0.1
            for low, side, high in zip(self.smallest, size, self.largest, strict=True)
        )


class Trims(PrinterKeys):
    """The printer cuts to the listed page sizes, and to any within the custom range."""

    sizes: tuple[PageSize, ...] = Field(description="The sizes that the printer lists.")
    custom: SizeRange | None = Field(
        default=None, description="The range in which any other size is taken; no other size if left out."
    )


class LargePages(PrinterKeys):
    """Trims at least this wide and high have other page limits."""

    smallest: PageSize = Field(alias="from", description="The least width and height that count as large.")
    pages: Pages = Field(description="How many pages such a book may have.")


class Paper(PrinterKeys):
    """A paper has an ink, a number of pages that it binds, and a thickness of a page."""

    name: ShortName = Field(description="What `page.paper` calls it.")
    ink: Annotated[PaperInk, one_of(PaperInk)] = Field(description="What the paper is printed with.")
    pages: Pages = Field(description="How many pages a book on it may have.")
    spine_per_page_pt: Length | None = Field(
        default=None,
        alias="spine_per_page",
        description="How thick a page is; without it a cover needs `cover.spine_mm`.",
    )
    large: LargePages | None = Field(default=None, description="Other page limits for large trims.")


class SmallPages(PrinterKeys):
    """Trims at most this wide and high have another page multiple."""

    largest: PageSize = Field(alias="to", description="The greatest width and height that count as small.")
    multiple: Multiple = Field(description="What the number of pages must be a multiple of there.")


class PageCount(PrinterKeys):
    """The number of pages must keep these rules."""

    multiple: Multiple = Field(description="What the number of pages must be a multiple of.")
    small: SmallPages | None = Field(default=None, description="Another multiple for small trims.")
    last_blank: YesNo = Field(description="Whether the last page must be blank.")


class InsideBand(PrinterKeys):
    """Books of this many pages have this inside margin."""

    pages: Pages = Field(description="The books that it is for, by their number of pages.")
    margin_pt: Length = Field(alias="margin", description="Their least inside margin.")


class MarginRules(PrinterKeys):
    """Margins are at least so wide; ``outside`` holds for the outer edge, top and bottom."""

    inside: tuple[InsideBand, ...] = Field(
        min_length=1, description="The least margin at the spine, by the number of pages, from page 1 on."
    )
    outside_pt: Length = Field(alias="outside", description="The least margin outside, above and below.")
    outside_with_bleed_pt: Length = Field(
        alias="outside_with_bleed", description="The same for books that are delivered with bleed."
    )

    def problems(self, readable: Readable) -> Iterator[Problem]:
        """Find bands of pages between which some are missing, or which overlap."""
        expected = 1
        for place, band in enumerate(self.inside if readable("inside") else ()):
            if band.pages.low != expected:
                message = f"the bands must follow one another from page 1 on; {expected}-… comes next"
                yield Problem(str(band.pages), message, ("inside", place, "pages"))
                return
            expected = band.pages.high + 1


class BleedRule(PrinterKeys):
    """The ink runs so far over the trim, on these sides."""

    width_pt: Length = Field(alias="width", description="How far the ink runs over the trim.")
    sides: Annotated[BleedSides, one_of(BleedSides)] = Field(
        description="`outer`: on all sides but the spine; `all`: on all four sides."
    )


class Limits(PrinterKeys):
    """Limits are the finest things that print, and the largest file."""

    line_pt: Length = Field(alias="line", description="The thinnest line that prints.")
    text_pt: Length = Field(alias="text", description="The smallest type.")
    tint: Share = Field(description="The lightest tint.")
    image_dpi: Annotated[int, whole(1, 5000)] = Field(description="The least resolution of pictures.")
    file_mb: Annotated[int, whole(1, 100_000)] | None = Field(
        default=None, description="The largest file, in megabytes."
    )


class ListingRules(PrinterKeys):
    """The form of the printer's shop takes no more than this."""

    published: Line = Field(default="", alias="source", description="Where the limits come from.")
    date: Date | None = Field(default=None, description="When they were read.")
    unconfirmed: YesNo = Field(
        default=False, description="Whether the shop's own page was not seen that day."
    )
    title: Annotated[int, whole(1, 10_000)] = Field(
        default=200, description="Characters of title and subtitle together."
    )
    description: Annotated[int, whole(1, 100_000)] = Field(
        default=4000, description="Characters of the description."
    )
    keywords: Annotated[int, whole(1, 100)] = Field(default=7, description="Keyword fields.")
    keyword: Annotated[int, whole(1, 1000)] = Field(default=50, description="Characters of each.")
    categories: Annotated[int, whole(1, 100)] = Field(default=3, description="Categories.")
    picture_mb: Annotated[int, whole(1, 1000)] = Field(
        default=2, description="Megabytes of each picture for the book's own page."
    )


class DoubtfulPages(PrinterKeys):
    """Some copy of the printer's page has, for one trim, another page limit than the paper's."""

    trim: PageSize = Field(description="The trim.")
    most: Annotated[int, whole(1, 20_000)] = Field(description="The most pages, by that copy.")
    found: Line = Field(alias="source", description="Which copy says so.")


class CaseRules(PrinterKeys):
    """A hardcover's case adds this to its pages, as the printer's own template for the book has it."""

    wrap_pt: Length = Field(alias="wrap", description="How far the cover is folded round the boards.")
    hinge_pt: Length = Field(
        alias="hinge", description="The groove beside the spine, on which no word may stand."
    )
    wider_pt: Length = Field(alias="wider", description="How much wider than the trim each board is.")
    higher_pt: Length = Field(alias="higher", description="How much higher than the trim each board is.")


class CoverRules(PrinterKeys):
    """The cover is in one piece: back, spine and front with bleed all round."""

    bleed_pt: Length = Field(alias="bleed", description="The bleed on all four sides.")
    safety_pt: Length = Field(alias="safety", description="How far words stay inside the trim.")
    spine_base_pt: Length = Field(
        default=0.0, alias="spine_base", description="What is added to the thickness of the pages."
    )
    spine_text_from_pages: Annotated[int, whole(1, 10_000)] | None = Field(
        default=None, description="The fewest pages with which words may stand on the spine."
    )
    spine_text_from_width_pt: Length | None = Field(
        default=None,
        alias="spine_text_from_width",
        description="The narrowest spine on which words may stand.",
    )
    spine_clear_pt: Length = Field(
        alias="spine_clear", description="What stays free on either side of the spine's words."
    )
    case: CaseRules | None = Field(
        default=None, description="A hardcover's measurements; nothing is guessed where they are left out."
    )
    barcode: PageSize = Field(description="The size of the barcode's field.")
    barcode_clear_pt: Length = Field(
        alias="barcode_clear", description="How far that field stays from the spine and the trim."
    )

    @property
    def over_pt(self) -> float:
        """Return how far the cover runs over its cut size or the boards: its bleed, or a case's wrap."""
        return self.bleed_pt if self.case is None else self.case.wrap_pt
