"""Printer profiles: a printer's rules and prices, and checks that a book follows the rules.

Profiles are data files. The built-in profiles are in ``config/printers``, and publishers can also write their
own. Each profile gives its source and date, because printers change their rules and prices. Lengths have a
unit in the file, and are points in Python.
"""

import datetime
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import Annotated, NamedTuple

from pydantic import ConfigDict, Field

from linkpress.book.printing_keys import Binding, Standard
from linkpress.documents.models import Readable, SpecModel, load_named
from linkpress.documents.problem import Problem, listed
from linkpress.documents.shipped_files import PRINTERS
from linkpress.documents.values import (
    Date,
    Share,
    ShortName,
    Size,
    YesNo,
    line_of_text,
    one_of,
    parse_length,
    parse_size,
    parsed_text,
    percent_text,
    whole_number,
)
from linkpress.errors import UsageError

UNCONFIRMED = "unconfirmed; check with the printer"
# Number of days after which the sizes, prices and rules in a printer profile may be outdated.
STALE_DAYS = 180

_SLACK = 0.001  # allowance for rounding when a length in points or a fraction of ink is compared with a limit

# Tolerance for page sizes. Sizes are often rounded to hundredths of an inch, such as 8.27 × 11.69 in for A4,
# and half of a hundredth of an inch is 0.36 pt.
_TRIM_SLACK_PT = 0.36
_SIZE_SLACK_PT = 0.1  # page sizes are considered equal if they differ by less than this
_WHOLE_CURRENCIES = ("JPY",)  # currencies that have no cents


class PaperInk(StrEnum):
    """Whether a paper is printed in black only or in colour."""

    BLACK = "black"
    COLOUR = "colour"


class BookFormat(StrEnum):
    """Kind of book, such as paperback or hardcover. Each kind of the same title needs its own ISBN."""

    PAPERBACK = "paperback"
    HARDCOVER = "hardcover"
    COIL = "coil"
    SCREEN = "screen"


class Colours(StrEnum):
    """Colour space that a printer accepts."""

    CMYK = "cmyk"  # colours mixed from the four printing inks
    SRGB = "srgb"  # screen colours, which the printer converts to inks


class BleedSides(StrEnum):
    """Edges of an interior page that need bleed."""

    OUTER = "outer"  # the top, bottom and outside edges, but not the edge at the spine
    ALL = "all"


class Forbidden(StrEnum):
    """Content of a PDF file that a printer may reject."""

    MARKS = "marks"  # crop marks and other printer's marks outside the bleed
    OUTLINE = "outline"  # bookmarks
    ANNOTATIONS = "annotations"  # includes links
    XMP = "xmp"  # XMP metadata streams; metadata in the Info dictionary is always allowed
    TRANSPARENCY = "transparency"
    ENCRYPTION = "encryption"
    RGB = "rgb"  # RGB and device-independent colours, but not grey, CMYK or spot colours

    # Black that is mixed from several inks. If a printer rejects it, it is still allowed on a cover, except
    # in the cover's text.
    RICH_BLACK = "rich-black"


class ProfilePart(StrEnum):
    """Part of a profile that can be marked as unconfirmed by the profile's key ``unconfirmed``."""

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
    """Range of page counts, which includes both ``low`` and ``high``."""

    low: int
    high: int

    def __str__(self) -> str:
        return f"{self.low}–{self.high}"


class PrintCost(NamedTuple):
    """Cost of printing one copy: a fixed amount plus an amount per page."""

    fixed: Fraction
    page: Fraction

    def of(self, pages: int) -> Fraction:
        return self.fixed + pages * self.page


# Values

_COST_WORDS = "an amount per copy, as 2.30, or with an amount per page, as 1.00 + 0.012"


def _parse_pages(text: str) -> PageSpan:
    match = re.fullmatch(r"([0-9]{1,5})\s*[-–]\s*([0-9]{1,5})", text)
    if match is None or not 1 <= int(match[1]) <= int(match[2]):
        raise ValueError(text)
    return PageSpan(int(match[1]), int(match[2]))


def _parse_cost(text: str) -> PrintCost:
    match = re.fullmatch(r"([0-9]{1,6}(?:\.[0-9]{1,4})?)(?: *\+ *([0-9]{1,4}(?:\.[0-9]{1,6})?))?", text)
    if match is None:
        raise ValueError(text)
    return PrintCost(Fraction(match[1]), Fraction(match[2] or 0))


_NUMERIC = {"type": ["string", "number"]}

Length = Annotated[float, parsed_text(parse_length, "a length with its unit, as 0.375in, 9.5mm or 27pt")]
PageSize = Annotated[Size, parsed_text(parse_size, "a page size, width first, as 6x9in, 148x210mm or A5")]
Pages = Annotated[PageSpan, parsed_text(_parse_pages, "numbers of pages from 1 on, low end first, as 24-828")]
Cost = Annotated[PrintCost, parsed_text(_parse_cost, _COST_WORDS, schema=_NUMERIC)]
Amount = Annotated[
    Fraction,
    parsed_text(
        lambda text: _parse_cost(text).fixed,
        "an amount, as 9.99",
        schema=_NUMERIC,
        write=lambda amount: f"{float(amount):g}",
    ),
]
Line = Annotated[str, line_of_text(120)]
Multiple = Annotated[int, whole_number(1, 64)]


# Keys


class PrinterKeys(SpecModel):
    """Base class for mappings in a profile.

    In Python, a length is named by its key and its unit: the key ``bleed`` becomes ``bleed_pt``.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class SizeRange(PrinterKeys):
    """Range of page sizes. It includes every width and height between the smallest and the largest size."""

    smallest: PageSize = Field(alias="from", description="The smallest custom size.")
    largest: PageSize = Field(alias="to", description="The largest custom size.")

    def __contains__(self, size: Size) -> bool:
        return _fits(self.smallest, size) and _fits(size, self.largest)


class Trims(PrinterKeys):
    """Page sizes that the printer offers: the listed sizes, and any size in the custom range."""

    sizes: tuple[PageSize, ...] = Field(description="The sizes that the printer lists.")
    custom: SizeRange | None = None
    """The range of other sizes that the printer cuts; none if left out."""


class LargePages(PrinterKeys):
    """Minimum and maximum page count of books whose pages are at least as large as ``smallest``."""

    smallest: PageSize = Field(alias="from", description="The least width and height that count as large.")
    pages: Pages = Field(description="How many pages such a book may have.")


class Paper(PrinterKeys):
    """Paper of a printer: its name, ink, page limits and thickness."""

    name: ShortName = Field(description="The paper's name, as `page.paper` gives it.")
    ink: Annotated[PaperInk, one_of(PaperInk)] = Field(description="What the paper is printed with.")
    pages: Pages = Field(description="How many pages a book on this paper may have.")
    spine_per_page_pt: Length | None = Field(default=None, alias="spine_per_page")
    """The thickness of one page; a cover needs `cover.spine_mm` if this is left out."""
    large: tuple[LargePages, ...] = ()
    """Other page limits for large trims; the first one that fits the trim counts."""


class SmallPages(PrinterKeys):
    """Rule for books whose pages are at most as large as ``largest``.

    The page count of such a book must be divisible by ``multiple``.
    """

    largest: PageSize = Field(alias="to", description="The greatest width and height that count as small.")
    multiple: Multiple = Field(description="The number that divides the page count of a small book.")


class PageCount(PrinterKeys):
    """Rules for the number of pages."""

    multiple: Multiple = Field(description="The number that must divide the page count.")
    small: SmallPages | None = Field(default=None, description="Another multiple for small trims.")
    last_blank: YesNo = Field(description="Whether the last page must be blank.")


class InsideBand(PrinterKeys):
    """Minimum inside margin for a range of page counts."""

    pages: Pages = Field(description="The page counts that this margin is for.")
    margin_pt: Length = Field(alias="margin", description="The least inside margin of such a book.")


class MarginRules(PrinterKeys):
    """Minimum margins. ``outside`` applies to the outer edge, the top and the bottom."""

    inside: tuple[InsideBand, ...] = Field(min_length=1)
    """The least margin at the spine, by the number of pages, from page 1 on."""
    outside_pt: Length = Field(alias="outside", description="The least margin outside, above and below.")
    outside_with_bleed_pt: Length = Field(alias="outside_with_bleed")
    """The same for books that are delivered with bleed."""

    def problems(self, readable: Readable) -> Iterator[Problem]:
        """Yield a problem for the first gap or overlap between the ranges of page counts."""
        expected = 1
        for place, band in enumerate(self.inside if readable("inside") else ()):
            if band.pages.low != expected:
                message = f"the bands must follow one another from page 1 on; {expected}-… comes next"
                yield Problem(str(band.pages), message, ("inside", place, "pages"))
                return
            expected = band.pages.high + 1


class BleedRule(PrinterKeys):
    """Rules for the bleed of interior pages: its width, and the edges that need it."""

    width_pt: Length = Field(alias="width", description="How far the ink runs over the trim.")
    sides: Annotated[BleedSides, one_of(BleedSides)]
    """`outer`: on all sides but the spine; `all`: on all four sides."""


class Limits(PrinterKeys):
    """Limits for the finest details that print well, and for the size of the file."""

    line_pt: Length = Field(alias="line", description="The thinnest line that prints.")
    text_pt: Length = Field(alias="text", description="The smallest type.")
    tint: Share = Field(description="The lightest tint.")
    image_dpi: Annotated[int, whole_number(1, 5000)] = Field(description="The least resolution of pictures.")
    file_mb: Annotated[int, whole_number(1, 100_000)] | None = None
    """The largest file, in megabytes."""


class ListingRules(PrinterKeys):
    """Limits of the web page on which a publisher enters the facts about a book for the printer's shop."""

    published: Line = Field(default="", alias="source", description="Where the limits come from.")
    date: Date | None = Field(default=None, description="When the source was read.")
    unconfirmed: YesNo = False
    """Whether the limits were not seen on the shop's own page that day."""
    title: Annotated[int, whole_number(1, 10_000)] = 200
    """Characters of title and subtitle together."""
    description: Annotated[int, whole_number(1, 100_000)] = 4000
    """Characters of the description."""
    keywords: Annotated[int, whole_number(1, 100)] = 7
    """The number of keyword fields."""
    keyword: Annotated[int, whole_number(1, 1000)] = 50
    """Characters of one keyword field."""
    categories: Annotated[int, whole_number(1, 100)] = 3
    """The number of categories."""
    picture_mb: Annotated[int, whole_number(1, 1000)] = 2
    """The largest picture for the book's page in the shop, in megabytes."""


class CaseRules(PrinterKeys):
    """Measurements of a hardcover's case, which consists of cardboard and the cover glued onto it.

    They come from the printer's own template for the cover of a book.
    """

    wrap_pt: Length = Field(alias="wrap", description="How far the cover is folded round the boards.")
    hinge_pt: Length = Field(alias="hinge")
    """The width of the groove beside the spine, which stays free of words."""
    wider_pt: Length = Field(alias="wider", description="How much wider than the trim each board is.")
    higher_pt: Length = Field(alias="higher", description="How much higher than the trim each board is.")


class CoverRules(PrinterKeys):
    """Rules for a cover in one piece, which consists of back, spine and front with bleed on all sides."""

    bleed_pt: Length = Field(alias="bleed", description="The bleed on all four sides.")
    safety_pt: Length = Field(alias="safety", description="How far words stay inside the trim.")
    spine_base_pt: Length = Field(default=0.0, alias="spine_base")
    """What the spine adds to the thickness of the pages."""
    spine_text_from_pages: Annotated[int, whole_number(1, 10_000)] | None = None
    """The fewest pages of a book with words on its spine."""
    spine_text_from_width_pt: Length | None = Field(default=None, alias="spine_text_from_width")
    """The narrowest spine that may have words."""
    spine_clear_pt: Length = Field(alias="spine_clear")
    """The space that stays free on either side of the spine's words."""
    case: CaseRules | None = None
    """A hardcover's measurements; needed to make a hardcover's cover."""
    barcode: PageSize = Field(description="The size of the white field for the barcode.")
    barcode_clear_pt: Length = Field(alias="barcode_clear")
    """How far the barcode's field stays from the spine and the trim."""
    image_dpi: Annotated[int, whole_number(1, 5000)] | None = None
    """The least resolution of a picture on the cover, if it is lower than that of `limits`. A picture between
    the two is printed, and a note says that it is less sharp than the printer advises."""

    @property
    def over_pt(self) -> float:
        return self.bleed_pt if self.case is None else self.case.wrap_pt


# Costs


class CostBand(PrinterKeys):
    """Print cost of a copy for certain papers and a range of page counts."""

    papers: tuple[ShortName, ...] = Field(min_length=1, description="The papers that this cost is for.")
    pages: Pages = Field(description="The page counts that this cost is for.")
    regular: Cost = Field(description="What a copy costs.")
    large: Cost | None = None
    """What a copy of a large trim costs; as `regular` if left out."""


class Market(PrinterKeys):
    """One shop: its currency, the royalty as a fraction of the price, and the print cost of a copy."""

    name: Line = Field(description="The shop.")
    currency: Line = Field(description="The currency of its prices, as `USD`.")
    royalty: Share
    """The share of the list price that is paid; the print cost is taken off it."""
    step: Amount | None = None
    """The list price from which `royalty` is paid; below it, `royalty_below`."""
    royalty_below: Share | None = Field(default=None, description="The share that is paid below `step`.")
    bands: tuple[CostBand, ...] = Field(default=(), description="What a copy costs, as far as it is known.")

    def share(self, price: Fraction) -> Fraction:
        """Return the fraction of a list price that the shop pays as royalty."""
        if self.step is not None and price < self.step and self.royalty_below:
            return self.royalty_below
        return self.royalty

    @property
    def shares(self) -> str:
        """Return a description of the fractions of the list price that the shop pays as royalty."""
        if self.step is None or self.royalty_below is None:
            return f"{percent_text(self.royalty)} of the price"
        below, step = percent_text(self.royalty_below), self.money(self.step)
        return f"{below} of a price below {step}, else {percent_text(self.royalty)}"

    def least_price(self, cost: Fraction) -> Fraction:
        """Return the lowest list price that covers the print cost, rounded up to whole cents (or yen)."""
        for share in (self.royalty_below, self.royalty):
            price = self._unit * math.ceil(cost / share / self._unit) if share else Fraction(0)
            if share and self.share(price) == share:
                return price
        return max(price, self.step or price)

    def money(self, amount: Fraction) -> str:
        decimals = 0 if self.currency in _WHOLE_CURRENCIES else 2
        return f"{float(amount):.{decimals}f} {self.currency}"

    def describe(self, cost: Fraction, price: Fraction | None) -> Iterator[str]:
        """Yield phrases that describe the costs and earnings of one copy in this shop.

        The first phrase gives the print cost and the lowest list price that covers it. If the book's list
        price is lower than that, there is no other phrase. Each further phrase gives the royalty and the
        publisher's earnings at one price, in this order:

        1. The book's list price, if the spec has one.
        2. Some shops pay another royalty from a certain price on. If the list price is below this price, or
           the spec has no list price, the figures follow for the price just below it and for this price.

        Args:
            cost: the print cost of a copy.
            price: the book's list price, or None if the spec has none.
        """
        least = self.least_price(cost)
        yield f"print {self.money(cost)}, least price {self.money(least)}"
        if price is not None and price < least:
            return
        prices = [] if price is None else [price]
        if self.step is not None and least <= self.step and (price is None or price < self.step):
            prices += [each for each in (self.step - self._unit, self.step) if each >= least]
        for each in dict.fromkeys(prices):
            left = self.share(each) * each - cost
            yield f"at {self.money(each)} {percent_text(self.share(each))}, {self.money(left)} a copy"

    def earnings(self, cost: Fraction, price: Fraction | None) -> "Earnings":
        """Return the cost and the earnings of a copy in this shop.

        Args:
            cost: the print cost of the copy.
            price: the book's list price, or None if it has none.
        """
        least = self.least_price(cost)
        prices = [price, self.step if self.step and (price is None or price < self.step) else None]
        left = [None if each is None or each < least else self.share(each) * each - cost for each in prices]
        return Earnings(self, cost, least, *prices, *left)

    @property
    def _unit(self) -> Fraction:
        return Fraction(1, 1 if self.currency in _WHOLE_CURRENCIES else 100)


class Earnings(NamedTuple):
    """Cost and earnings of one copy of a book in one shop.

    Args:
        market: the shop.
        cost: the print cost of a copy.
        least: the lowest list price that covers the print cost.
        price: the book's list price, or None if it has none.
        step: a list price above ``price`` from which the shop pays a different royalty, or None.
        left: the publisher's earnings from a copy at ``price``, after the shop's share and the print cost.
            None if the book has no list price, or if its price is lower than ``least``.
        left_at_step: the publisher's earnings from a copy at the list price ``step``, or None.
    """

    market: Market
    cost: Fraction
    least: Fraction
    price: Fraction | None
    step: Fraction | None
    left: Fraction | None
    left_at_step: Fraction | None


class Costs(PrinterKeys):
    """Print costs and royalties as published on a certain day.

    Printers change their prices. So publishers should write a profile of their own with today's prices.
    """

    published: Line = Field(alias="source", description="Where the figures come from.")
    date: Date = Field(description="When the source was read.")
    unconfirmed: YesNo = False
    """Whether the figures were not seen on the printer's own page that day."""
    large_over: PageSize | None = None
    """Trims that are wider or higher than this count as large."""
    markets: tuple[Market, ...] = Field(min_length=1, description="The shops.")

    @property
    def source(self) -> str:
        return f"{self.published}, {self.date.isoformat()}{', unconfirmed' * self.unconfirmed}"

    def lines(self, trim: Size, pages: int, paper: str, prices: Mapping[str, Fraction]) -> Iterator[str]:
        """Yield the lines of a report on the costs and earnings of a book.

        Args:
            trim: the page size of the book.
            pages: the page count of the book.
            paper: the name of the paper.
            prices: the list prices by currency. A currency may be missing.
        """
        yield f"by {self.source}; before tax. Put your own figures into `costs:` of a profile of yours"
        changes: list[str] = []
        unknown: list[str] = []
        for market in self.markets:
            if (found := self._cost_in(market, trim, pages, paper)) is None:
                unknown.append(f"{market.name} ({market.shares})")
                continue
            band, cost = found
            facts = market.describe(cost.of(pages), prices.get(market.currency))
            yield f"{market.name}: {'; '.join(facts)}"
            if cost.page:
                leaf = f"{float(2 * cost.page):.3f} {market.currency}"
                changes.append(f"each leaf of two pages more or less changes the print cost by {leaf}")
            else:
                changes.append(f"{band.pages.high - pages} pages to spare until the print cost rises")
        if unknown:
            yield (
                f"linkpress doesn't know the print cost of {pages} pages on {paper} paper at "
                f"{', '.join(unknown)}. Ask the printer's calculator"
            )
        yield from changes[:1]

    def earnings(
        self, trim: Size, pages: int, paper: str, prices: Mapping[str, Fraction]
    ) -> Iterator[Earnings]:
        """Yield the cost and the earnings of a copy for each shop whose print costs are known.

        See ``lines`` for the arguments.
        """
        for market in self.markets:
            if found := self._cost_in(market, trim, pages, paper):
                yield market.earnings(found[1].of(pages), prices.get(market.currency))

    def low_prices(self, trim: Size, pages: int, paper: str, prices: Mapping[str, Fraction]) -> Iterator[str]:
        """Yield a message for each shop that rejects the book's list price because it is too low.

        Args:
            trim: the page size in points.
            pages: the number of pages.
            paper: the name of the paper in the profile.
            prices: the list prices by currency code, such as ``USD``.
        """
        for each in self.earnings(trim, pages, paper, prices):
            if each.price is not None and each.price < each.least:
                refused, needed = each.market.money(each.price), each.market.money(each.least)
                yield f"{each.market.name} will not take a price of {refused}: at least {needed} is needed"

    def _cost_in(
        self, market: Market, trim: Size, pages: int, paper: str
    ) -> tuple[CostBand, PrintCost] | None:
        """Return the entry of a shop's price list that applies to a book, and the print cost per copy.

        Return None if the cost is unknown.
        """
        is_large = self.large_over is not None and not _fits(trim, self.large_over)
        for band in market.bands:
            if paper in band.papers and band.pages.low <= pages <= band.pages.high:
                return band, band.large if is_large and band.large else band.regular
        return None


# The profile


@dataclass(frozen=True, slots=True)
class Margins:
    """Margins of a page: distances from the edges of the trimmed page, in points."""

    inside_pt: float
    outside_pt: float
    top_pt: float
    bottom_pt: float


@dataclass(frozen=True, slots=True)
class Bleed:
    """Bleed of a page: how far ink extends beyond each edge of the trimmed page, in points."""

    left_pt: float
    right_pt: float
    top_pt: float
    bottom_pt: float


NO_BLEED = Bleed(0.0, 0.0, 0.0, 0.0)


class PrinterProfile(PrinterKeys):
    """Printer profile: paper sizes, margins, page limits, and all other rules of one printer.

    ``unconfirmed`` lists the parts of the profile that no source confirms. These parts have customary values,
    which users should check with the printer. ``references`` are notes for people who update the file.
    """

    name: ShortName = Field(description="The printer's name in messages and file names.")
    title: Line = Field(description="The printer's full name, with the kind of binding.")
    published: Line = Field(alias="source")
    """Where the figures come from; error messages name this source."""
    references: tuple[Line, ...] = ()
    """The pages that were read, as a note for whoever updates the file."""
    date: Date = Field(description="When the source was read; error messages name this date.")
    unconfirmed: tuple[Annotated[ProfilePart, one_of(ProfilePart)], ...] = ()
    """The parts that no source confirms; messages that rest on their figures say so."""
    trims: Trims = Field(description="The page sizes that the printer cuts.")
    papers: tuple[Paper, ...] = Field(min_length=1)
    """The papers; a book that names no paper gets the first one."""
    page_count: PageCount = Field(description="Rules for the number of pages.")
    margin_rules: MarginRules = Field(alias="margins", description="The least margins.")
    bleed: BleedRule = Field(description="How far ink runs over the trim.")
    format: Annotated[BookFormat, one_of(BookFormat)] = BookFormat.PAPERBACK
    """The kind of book; each kind is an edition that needs its own ISBN."""
    binding: Annotated[Binding, one_of(Binding)] = Binding.GLUED
    """`lay-flat`, for coils, has the same margin on both sides."""
    standard: Annotated[Standard, one_of(Standard)] = Standard.PLAIN
    """The kind of PDF that `preflight` expects."""
    colours: Annotated[Colours, one_of(Colours)] = Colours.CMYK
    """Whether colours are delivered as inks or as screen colours."""
    limits: Limits = Field(description="The finest details that print, and the largest file.")
    forbidden: tuple[Annotated[Forbidden, one_of(Forbidden)], ...] = ()
    """What the printer refuses in a file."""
    cover: CoverRules | None = None
    """The cover in one piece; no cover is made for this printer if left out."""

    costs: Costs | None = None
    """What a copy costs and what shops pay for it, on one day."""
    listing: ListingRules | None = None
    """Limits of the form of the printer's shop; usual limits if left out."""

    def problems(self, readable: Readable) -> Iterator[Problem]:
        """Yield a problem if the profile combines a PDF standard with colours that the standard forbids.

        PDF/X-1a forbids sRGB colours.
        """
        if not readable("standard", "colours"):
            return
        if self.standard is Standard.PDFX1A and self.colours is Colours.SRGB:
            message = "PDF/X-1a has no screen colours; give cmyk, or standard: plain"
            yield Problem("srgb", message, ("colours",))

    @property
    def source(self) -> str:
        return f"{self.published}, {self.date.isoformat()}"

    def stale(self, today: datetime.date) -> Iterator[str]:
        """Yield a sentence for each part of the printer profile that may be outdated.

        A part may be outdated if its source was read more than ``STALE_DAYS`` days ago.
        """
        costs = self.costs.date if self.costs else None
        for part, read in (("rules", self.date), ("costs", costs)):
            if read is not None and (age := (today - read).days) > STALE_DAYS:
                yield f"the {part} of {self.name} are {age} days old. Compare them with the printer's page"

    def source_of(self, part: ProfilePart) -> str:
        """Return the source of the rules in one part of the printer profile, such as its margins.

        If no source confirms these rules, return a text that says so.
        """
        return UNCONFIRMED if part in self.unconfirmed else self.source

    def standard_of(self, requested: Standard, coloured: bool) -> Standard:
        return Standard.PLAIN if coloured and self.colours is Colours.SRGB else requested

    @property
    def default_paper(self) -> str:
        return self.papers[0].name

    def forbids(self, feature: Forbidden) -> bool:
        return feature in self.forbidden

    def least_dpi(self, *, on_cover: bool) -> int:
        """Return the resolution in dots per inch below which a picture is refused."""
        own = self.cover.image_dpi if on_cover and self.cover else None
        return self.limits.image_dpi if own is None else own

    def paper(self, name: str | None = None, key: str = "") -> Paper:
        """Return the paper with the given name. If the name is None, return the printer's default paper.

        Raises:
            UsageError: the printer doesn't offer this paper. The error has ``key`` as its location in the
                spec.
        """
        papers = {paper.name: paper for paper in self.papers}
        if (name or self.default_paper) not in papers:
            printers = (load_printer(each) for each in PRINTERS.names())
            having = [each.name for each in printers if any(paper.name == name for paper in each.papers)]
            other = f", or a printer that has {name} paper: {listed(having, 'or')}" if having else ""
            raise UsageError(
                f"{self.name} has no paper {name!r}: it prints on {', '.join(papers)}. "
                f"Choose one of them{other}.",
                key,
            )
        return papers[name or self.default_paper]

    def margins(self, page_count: int, bleed: bool = False) -> Margins:
        """Return the minimum margins of a book with ``page_count`` pages.

        If the page count exceeds all ranges in the profile, the inside margin of the last range applies.

        Args:
            page_count: the number of pages.
            bleed: whether the book has bleed, which may require wider outside margins.
        """
        rules = self.margin_rules
        band = next((band for band in rules.inside if page_count <= band.pages.high), rules.inside[-1])
        outside = rules.outside_with_bleed_pt if bleed else rules.outside_pt
        return Margins(band.margin_pt, outside, outside, outside)

    def bleed_of(self, recto: bool) -> Bleed:
        """Return the bleed of a right-hand page if ``recto`` is true, or else of a left-hand page.

        The spine is at the left of a right-hand page.
        """
        width = self.bleed.width_pt
        spine = 0.0 if self.bleed.sides is BleedSides.OUTER else width
        left, right = (spine, width) if recto else (width, spine)
        return Bleed(left, right, width, width)

    def page_multiple(self, trim: Size) -> int:
        """Return the number by which the page count of a book with this page size must be divisible."""
        rule, small = self.page_count, self.page_count.small
        return small.multiple if small is not None and _fits(trim, small.largest) else rule.multiple

    def page_limits(self, trim: Size, paper: str | None = None) -> PageSpan:
        """Return the minimum and maximum page count of a book with this page size and paper."""
        stock = self.paper(paper)
        large = (limits.pages for limits in stock.large if _fits(limits.smallest, trim))
        return next(large, stock.pages)

    def pages_to_print(self, count: int, trim: Size) -> int:
        """Return the number of pages in the file for a book with ``count`` pages of content.

        Two kinds of blank pages are added at the end:

        - Some printers require that the last page is blank.
        - Some printers require a page count that is divisible by a number such as 2 or 4. Blank pages are
          added until it is.
        """
        pages = count + self.page_count.last_blank
        multiple = self.page_multiple(trim)
        return -(-pages // multiple) * multiple

    def check(self, trim: Size, pages: int | None = None, paper: str | None = None) -> tuple[Problem, ...]:
        """Return all problems with a page size and a page count.

        If the page count isn't known yet, ``pages`` is None.
        """
        problems = check_trim(self, trim)
        if pages is not None:
            problems += check_page_limits(self, trim, pages, paper)
            problems += check_page_multiple(self, trim, pages)
        return tuple(problems)

    def spine_pt(self, pages: int, paper: str | None = None) -> float:
        """Return the width of the spine in points.

        Raises:
            UsageError: the thickness of the paper isn't known.
        """
        thickness = self.paper(paper).spine_per_page_pt
        if thickness is None:
            raise UsageError(
                f"{self.name} publishes no page thickness for {paper or self.default_paper} paper. Take the "
                "spine's width from the printer's cover template and give it as cover.spine_mm.",
                "cover.spine_mm",
            )
        return pages * thickness + (self.cover.spine_base_pt if self.cover else 0.0)

    def spine_takes_text(self, pages: int, spine_pt: float) -> bool:
        """Return whether the printer allows text on a spine of this width, in a book of this page count."""
        if self.cover is None or pages < (self.cover.spine_text_from_pages or 0):
            return False
        return spine_pt >= (self.cover.spine_text_from_width_pt or 0.0)


def load_printer(name_or_path: str | Path) -> PrinterProfile:
    return load_named(name_or_path, PRINTERS, PrinterProfile)


# The functions below check a book. Each returns a list with one problem, or an empty list if it finds none.


def check_trim(profile: PrinterProfile, trim: Size) -> list[Problem]:
    """Check that the printer offers this page size."""
    sizes, custom = profile.trims.sizes, profile.trims.custom
    if any(trim.same_as(size, _TRIM_SLACK_PT) for size in sizes) or (custom and trim in custom):
        return []
    allowed = ", ".join(map(str, sizes))
    if custom:
        allowed += f", or any from {custom.smallest} to {custom.largest}"
    return [_problem(profile, "trim", str(trim), allowed, "Set page.trim to one of these sizes.")]


def check_page_limits(profile: PrinterProfile, trim: Size, pages: int, paper: str | None) -> list[Problem]:
    """Check that the printer accepts books with this number of pages."""
    limits = profile.page_limits(trim, paper)
    if limits.low <= pages <= limits.high:
        return []
    allowed = f"{limits} pages at {trim} on {paper or profile.default_paper} paper"
    more = "Add puzzles or notes pages" if pages < limits.low else "Print more puzzles to a page"
    return [_problem(profile, "pages", _pages(pages), allowed, f"{more}, or choose another paper or trim.")]


def check_page_multiple(profile: PrinterProfile, trim: Size, pages: int) -> list[Problem]:
    """Check that the page count is divisible by the number that the printer requires."""
    multiple = profile.page_multiple(trim)
    missing = -pages % multiple
    if not missing:
        return []
    advice = f"Add {missing} blank page{'s' * (missing > 1)} at the end."
    return [_problem(profile, "page multiple", _pages(pages), f"a multiple of {multiple} at {trim}", advice)]


def check_line(profile: PrinterProfile, line_pt: float) -> list[Problem]:
    return _check_least(profile, "line", line_pt, profile.limits.line_pt, "Make the theme's lines heavier.")


def check_text(profile: PrinterProfile, text_pt: float) -> list[Problem]:
    return _check_least(profile, "text", text_pt, profile.limits.text_pt, "Make the theme's text larger.")


def check_tint(profile: PrinterProfile, tint: float) -> list[Problem]:
    """Check that a tint is dark enough to print.

    ``tint`` is the fraction of ink from 0 to 1. A tint of 0 is always accepted.
    """
    least = float(profile.limits.tint)
    if tint <= 0 or tint >= least - _SLACK:
        return []
    advice = "Make the theme's tints darker."
    return [_problem(profile, "tint", f"{tint:.1%}", f"{least:.0%} or more", advice)]


def check_colour(profile: PrinterProfile, paper: str | None) -> list[Problem]:
    """Check that a paper is printed in colour. If the name is None, check the printer's default paper."""
    if profile.paper(paper).ink is PaperInk.COLOUR:
        return []
    inked = ", ".join(stock.name for stock in profile.papers if stock.ink is PaperInk.COLOUR)
    other = f"a paper that is printed in colour ({inked}), or " if inked else ""
    found = f"colours on {paper or profile.default_paper} paper"
    return [_problem(profile, "ink", found, "black only", f"Choose {other}a theme without colours.")]


def _check_least(
    profile: PrinterProfile, rule: str, found_pt: float, least_pt: float, advice: str
) -> list[Problem]:
    if found_pt >= least_pt - _SLACK:
        return []
    return [_problem(profile, rule, f"{found_pt:g} pt", f"{least_pt:g} pt or more", advice)]


def _pages(count: int) -> str:
    return f"{count} page{'s' * (count != 1)}"


_PARTS = {
    "trim": ProfilePart.TRIMS, "pages": ProfilePart.PAGES, "page multiple": ProfilePart.MULTIPLE,
    "line": ProfilePart.LINE, "text": ProfilePart.TEXT, "tint": ProfilePart.TINT, "ink": ProfilePart.PAPERS,
}  # fmt: skip


def _problem(profile: PrinterProfile, rule: str, found: str, allowed: str, advice: str) -> Problem:
    return Problem(found, allowed, (rule,), source=profile.source_of(_PARTS[rule]), advice=advice)


def _fits(inner: Size, outer: Size) -> bool:
    return all(small <= large + _SIZE_SLACK_PT for small, large in zip(inner, outer, strict=True))
