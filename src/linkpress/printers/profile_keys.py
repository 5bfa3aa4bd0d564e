"""What a printer takes, as data: the parts of a file in ``config/printers``.

Lengths in the files carry their unit; here they are points. The rules that follow from the figures
are in ``printers``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated, NamedTuple

from pydantic import ConfigDict, Field

from linkpress.documents.lengths import Size, parse_length, parse_size
from linkpress.documents.models import Readable, SpecModel
from linkpress.documents.problem import Problem, invalid, shown
from linkpress.documents.values import (
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
    """What a paper is printed with."""

    BLACK = "black"
    COLOUR = "colour"


class Colours(StrEnum):
    """How a printer wants colours."""

    CMYK = "cmyk"  # as mixes of the four inks
    SRGB = "srgb"  # as screen colours, which the printer turns into inks


class BleedSides(StrEnum):
    """Which edges of an interior page carry bleed."""

    OUTER = "outer"  # top, bottom and outside, none at the spine
    ALL = "all"


class Forbidden(StrEnum):
    """What a printer refuses in a file."""

    MARKS = "marks"  # crop marks and other printer's marks outside the bleed
    OUTLINE = "outline"  # bookmarks
    ANNOTATIONS = "annotations"  # links too
    XMP = "xmp"  # metadata streams; the Info dictionary stays
    TRANSPARENCY = "transparency"
    ENCRYPTION = "encryption"
    RGB = "rgb"  # and every other device-independent colour: gray, CMYK and spot stay
    RICH_BLACK = "rich-black"  # black mixed from several inks, in an interior or in a cover's words


class Figure(StrEnum):
    """A part of a profile, as ``unconfirmed`` names it."""

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
    """A number of pages from ``low`` to ``high``, both included."""

    low: int
    high: int

    def __str__(self) -> str:
        return f"{self.low}–{self.high}"


def _read_length(value: object) -> float:
    try:
        return parse_length(written(value, _LENGTH_WORDS))
    except ValueError as fault:
        raise invalid(shown(str(value)), _LENGTH_WORDS) from fault


def _read_size(value: object) -> Size:
    try:
        return parse_size(written(value, _SIZE_WORDS))
    except ValueError as fault:
        raise invalid(shown(str(value)), _SIZE_WORDS) from fault


def _read_pages(value: object) -> PageSpan:
    text = written(value, _PAGES_WORDS)
    match = re.fullmatch(r"([0-9]{1,5})\s*[-–]\s*([0-9]{1,5})", text)
    if match is None or not 1 <= int(match[1]) <= int(match[2]):
        raise invalid(shown(text), _PAGES_WORDS)
    return PageSpan(int(match[1]), int(match[2]))


_LENGTH_WORDS = "a length with its unit, as 0.375in, 9.5mm or 27pt"
_SIZE_WORDS = "a page size, width first, as 6x9in, 148x210mm or A5"
_PAGES_WORDS = "numbers of pages from 1 on, low end first, as 24-828"

_TEXT = {"type": "string"}
Length = Annotated[float, ValueReader(_read_length, _LENGTH_WORDS, _TEXT)]
PageSize = Annotated[Size, ValueReader(_read_size, _SIZE_WORDS, _TEXT)]
Pages = Annotated[PageSpan, ValueReader(_read_pages, _PAGES_WORDS, _TEXT)]
Line = Annotated[str, line_of_text(120)]
Multiple = Annotated[int, whole(1, 64)]


class PrinterKeys(SpecModel):
    """Base of a profile's mappings, whose keys say their unit in Python alone."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class SizeRange(PrinterKeys):
    """Custom trims: any width and height between two sizes."""

    smallest: PageSize = Field(alias="from")
    largest: PageSize = Field(alias="to")

    def __contains__(self, size: Size) -> bool:
        return all(
            low - 0.1 <= side <= high + 0.1 for low, side, high in zip(*self._bounds(size), strict=True)
        )

    def _bounds(self, size: Size) -> tuple[Size, Size, Size]:
        return self.smallest, size, self.largest


class Trims(PrinterKeys):
    """Page sizes that the printer cuts to: the listed ones, and any within the custom range."""

    sizes: tuple[PageSize, ...]
    custom: SizeRange | None = None


class LargePages(PrinterKeys):
    """Other page limits for trims at least this wide and high."""

    smallest: PageSize = Field(alias="from")
    pages: Pages


class Paper(PrinterKeys):
    """One paper: its ink, how many pages it binds, and how thick a page is."""

    name: ShortName
    ink: Annotated[PaperInk, one_of(PaperInk)]
    pages: Pages
    spine_per_page_pt: Length | None = Field(default=None, alias="spine_per_page")
    large: LargePages | None = None


class SmallPages(PrinterKeys):
    """Another page multiple for trims at most this wide and high."""

    largest: PageSize = Field(alias="to")
    multiple: Multiple


class PageCount(PrinterKeys):
    """What the number of pages must be."""

    multiple: Multiple
    small: SmallPages | None = None
    last_blank: YesNo


class InsideBand(PrinterKeys):
    """The inside margin for books of this many pages."""

    pages: Pages
    margin_pt: Length = Field(alias="margin")


class MarginRules(PrinterKeys):
    """Least margins. ``outside`` holds for the outer edge, top and bottom."""

    inside: tuple[InsideBand, ...] = Field(min_length=1)
    outside_pt: Length = Field(alias="outside")
    outside_with_bleed_pt: Length = Field(alias="outside_with_bleed")

    def problems(self, readable: Readable) -> Iterator[Problem]:
        """Bands of pages between which some are missing, or which overlap."""
        expected = 1
        for place, band in enumerate(self.inside if readable("inside") else ()):
            if band.pages.low != expected:
                message = f"the bands must follow one another from page 1 on; {expected}-… comes next"
                yield Problem(str(band.pages), message, ("inside", place, "pages"))
                return
            expected = band.pages.high + 1


class BleedRule(PrinterKeys):
    """How far the ink runs over the trim, and where."""

    width_pt: Length = Field(alias="width")
    sides: Annotated[BleedSides, one_of(BleedSides)]


class Limits(PrinterKeys):
    """The finest things that print, and the largest file."""

    line_pt: Length = Field(alias="line")
    text_pt: Length = Field(alias="text")
    tint: Share
    image_dpi: Annotated[int, whole(1, 5000)]
    file_mb: Annotated[int, whole(1, 100_000)] | None = None


class CoverRules(PrinterKeys):
    """The one-piece cover: back, spine and front with bleed all round."""

    bleed_pt: Length = Field(alias="bleed")
    safety_pt: Length = Field(alias="safety")
    spine_base_pt: Length = Field(default=0.0, alias="spine_base")
    spine_text_from_pages: Annotated[int, whole(1, 10_000)] | None = None
    spine_text_from_width_pt: Length | None = Field(default=None, alias="spine_text_from_width")
    spine_clear_pt: Length = Field(alias="spine_clear")
    barcode: PageSize
    barcode_clear_pt: Length = Field(alias="barcode_clear")
