"""What a printer takes, as data: the shape of the files in ``config/printers``.

Lengths in the files carry their unit; here they are points. The rules that follow from the figures
are in ``printers``.
"""

from __future__ import annotations

import datetime
import re
from enum import StrEnum
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from linkpress.layout.lengths import Size, parse_length, parse_size


class PaperInk(StrEnum):
    """What a paper is printed with."""

    BLACK = "black"
    COLOUR = "colour"


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


class Standard(StrEnum):
    """The kind of file that a printer wants."""

    PDFX1A = "pdfx1a"
    PLAIN = "plain"


class PageSpan(NamedTuple):
    """A number of pages from ``low`` to ``high``, both included."""

    low: int
    high: int

    def __str__(self) -> str:
        return f"{self.low}–{self.high}"


def _length(value: object) -> object:
    return parse_length(value) if isinstance(value, str) else _refuse(value, "0.375in")


def _size(value: object) -> object:
    return parse_size(value) if isinstance(value, str) else _refuse(value, "6x9in")


def _share(value: object) -> object:
    match = re.fullmatch(r"([0-9]{1,3}(?:\.[0-9]{1,3})?)\s*%", value) if isinstance(value, str) else None
    if match is None or float(match[1]) > 100:
        raise ValueError(f"{value!r} is not a share: write it as in 10%")
    return float(match[1]) / 100


def _page_span(value: object) -> object:
    match = re.fullmatch(r"([0-9]{1,5})\s*[-–]\s*([0-9]{1,5})", value) if isinstance(value, str) else None
    if match is None:
        return _refuse(value, "24-828")
    if int(match[1]) > int(match[2]) or int(match[1]) < 1:
        raise ValueError(f"{value}: pages count from 1 and the low end comes first")
    return PageSpan(int(match[1]), int(match[2]))


def _refuse(value: object, example: str) -> object:
    raise ValueError(f"{value!r}: write it with its unit or range, as in {example}")


Length = Annotated[float, BeforeValidator(_length), Field(ge=0)]
PageSize = Annotated[Size, BeforeValidator(_size)]
Share = Annotated[float, BeforeValidator(_share)]
Pages = Annotated[PageSpan, BeforeValidator(_page_span)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class SizeRange(_Part):
    """Custom trims: any width and height between two sizes."""

    smallest: PageSize = Field(alias="from")
    largest: PageSize = Field(alias="to")

    def __contains__(self, size: Size) -> bool:
        return all(
            low - 0.1 <= side <= high + 0.1 for low, side, high in zip(*self._bounds(size), strict=True)
        )

    def _bounds(self, size: Size) -> tuple[Size, Size, Size]:
        return self.smallest, size, self.largest


class Trims(_Part):
    """Page sizes that the printer cuts to: the listed ones, and any within the custom range."""

    sizes: tuple[PageSize, ...]
    custom: SizeRange | None = None


class LargePages(_Part):
    """Other page limits for trims at least this wide and high."""

    smallest: PageSize = Field(alias="from")
    pages: Pages


class Paper(_Part):
    """One paper: its ink, how many pages it binds, and how thick a page is."""

    ink: PaperInk
    pages: Pages
    spine_per_page_pt: Length | None = Field(default=None, alias="spine_per_page")
    large: LargePages | None = None


class SmallPages(_Part):
    """Another page multiple for trims at most this wide and high."""

    largest: PageSize = Field(alias="to")
    multiple: int = Field(ge=1, le=64)


class PageCount(_Part):
    """What the number of pages must be."""

    multiple: int = Field(ge=1, le=64)
    small: SmallPages | None = None
    last_blank: bool


class InsideBand(_Part):
    """The inside margin for books of this many pages."""

    pages: Pages
    margin_pt: Length = Field(alias="margin")


class MarginRules(_Part):
    """Least margins. ``outside`` holds for the outer edge, top and bottom."""

    inside: tuple[InsideBand, ...] = Field(min_length=1)
    outside_pt: Length = Field(alias="outside")
    outside_with_bleed_pt: Length = Field(alias="outside_with_bleed")

    @model_validator(mode="after")
    def _bands_join(self) -> MarginRules:
        expected = 1
        for band in self.inside:
            if band.pages.low != expected:
                raise ValueError(f"the bands must follow one another from page 1: {expected} comes next")
            expected = band.pages.high + 1
        return self


class BleedRule(_Part):
    """How far the ink runs over the trim, and where."""

    width_pt: Length = Field(alias="width")
    sides: BleedSides


class Limits(_Part):
    """The finest things that print, and the largest file."""

    line_pt: Length = Field(alias="line")
    text_pt: Length = Field(alias="text")
    tint: Share
    image_dpi: int = Field(ge=1, le=5000)
    file_mb: int | None = Field(default=None, ge=1)


class CoverRules(_Part):
    """The one-piece cover: back, spine and front with bleed all round."""

    bleed_pt: Length = Field(alias="bleed")
    safety_pt: Length = Field(alias="safety")
    spine_base_pt: Length = Field(default=0.0, alias="spine_base")
    spine_text_from_pages: int | None = None
    spine_text_from_width_pt: Length | None = Field(default=None, alias="spine_text_from_width")
    spine_clear_pt: Length = Field(alias="spine_clear")
    barcode: PageSize
    barcode_clear_pt: Length = Field(alias="barcode_clear")


class PrinterData(_Part):
    """A whole profile file."""

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")
    title: str = Field(min_length=1, max_length=80)
    source: str = Field(min_length=1, max_length=80)
    references: tuple[str, ...] = ()
    date: datetime.date
    trims: Trims
    papers: dict[str, Paper] = Field(min_length=1)
    page_count: PageCount
    margins: MarginRules
    bleed: BleedRule
    standard: Standard = Standard.PLAIN
    limits: Limits
    forbidden: frozenset[Forbidden] = frozenset()
    cover: CoverRules | None = None

    @model_validator(mode="before")
    @classmethod
    def _is_mapping(cls, value: Any) -> Any:
        if not isinstance(value, dict):
            raise ValueError("a printer profile is a mapping: name, title, source, date, trims, papers, …")
        return value
