"""A printer's profile says what it takes, and this module what follows from that for a book.

Profiles are data (``config/printers/*.yaml``), each with its source and date, because printers change
their figures; a user's own file works the same way.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import Field

from linkpress.book.printing_keys import Binding, Standard
from linkpress.documents.lengths import Size
from linkpress.documents.models import Readable, load_named
from linkpress.documents.problem import Problem
from linkpress.documents.shipped_files import PRINTERS
from linkpress.documents.values import Date, ShortName, one_of
from linkpress.errors import UsageError
from linkpress.printers.costs import Costs
from linkpress.printers.profile_keys import (
    BleedRule,
    BleedSides,
    BookFormat,
    Colours,
    CoverRules,
    DoubtfulPages,
    Forbidden,
    Limits,
    Line,
    ListingRules,
    MarginRules,
    PageCount,
    PageSpan,
    Paper,
    PaperInk,
    PrinterKeys,
    ProfilePart,
    Trims,
)

UNCONFIRMED = "unconfirmed; check with the printer"

_SLACK = 0.001  # of a point: what rounding in a file may lose
_TRIM_SLACK_PT = 0.36  # printers give A4 as 8.27 × 11.69 in: half a hundredth of an inch

_PARTS = {
    "trim": ProfilePart.TRIMS, "pages": ProfilePart.PAGES, "page multiple": ProfilePart.MULTIPLE,
    "line": ProfilePart.LINE, "text": ProfilePart.TEXT, "tint": ProfilePart.TINT, "ink": ProfilePart.PAPERS,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Margins:
    """The margins are the least distances from the trim edge, in points; the live area is what they leave."""

    inside_pt: float
    outside_pt: float
    top_pt: float
    bottom_pt: float


@dataclass(frozen=True, slots=True)
class Bleed:
    """The bleed is the width by which a page runs over its trim on each edge, in points."""

    left_pt: float
    right_pt: float
    top_pt: float
    bottom_pt: float


NO_BLEED = Bleed(0.0, 0.0, 0.0, 0.0)


class PrinterProfile(PrinterKeys):
    """A printer's profile holds the figures of a profile file, and computes what follows from them.

    ``unconfirmed`` names the parts that stand in none of the sources: customary figures, to be asked for.
    ``references`` are for those who read or mend the file: nothing is printed or judged by them.
    """

    name: ShortName = Field(description="What messages and file names call the printer.")
    title: Line = Field(description="The printer's own name, with the kind of binding.")
    published: Line = Field(alias="source", description="Where the figures come from; messages name it.")
    references: tuple[Line, ...] = Field(
        default=(), description="The pages that were read, for whoever mends the file."
    )
    date: Date = Field(description="When they were read; messages name it.")
    unconfirmed: tuple[Annotated[ProfilePart, one_of(ProfilePart)], ...] = Field(
        default=(), description="The parts that no source confirms; messages that rest on them say so."
    )
    trims: Trims = Field(description="The page sizes that the printer cuts.")
    papers: tuple[Paper, ...] = Field(
        min_length=1, description="The papers; a book that names none gets the first."
    )
    page_count: PageCount = Field(description="What the number of pages must be.")
    margin_rules: MarginRules = Field(alias="margins", description="The least margins.")
    bleed: BleedRule = Field(description="How far ink runs over the trim.")
    format: Annotated[BookFormat, one_of(BookFormat)] = Field(
        default=BookFormat.PAPERBACK,
        description="The kind of book: each kind is an edition with an ISBN of its own.",
    )
    binding: Annotated[Binding, one_of(Binding)] = Field(
        default=Binding.GLUED, description="`lay-flat`, for coils, has the same margin on both sides."
    )
    standard: Annotated[Standard, one_of(Standard)] = Field(
        default=Standard.PLAIN, description="The kind of PDF that `preflight` asks for."
    )
    colours: Annotated[Colours, one_of(Colours)] = Field(
        default=Colours.CMYK, description="Whether colours are delivered as inks or as screen colours."
    )
    limits: Limits = Field(description="The finest things that print, and the largest file.")
    forbidden: tuple[Annotated[Forbidden, one_of(Forbidden)], ...] = Field(
        default=(), description="What the printer refuses in a file."
    )
    cover: CoverRules | None = Field(
        default=None, description="The cover in one piece; no cover is made for the printer if left out."
    )

    costs: Costs | None = Field(
        default=None, description="What a copy costs and what is paid of its price, on one day."
    )
    listing: ListingRules | None = Field(
        default=None, description="What the form of the printer's shop takes; usual limits if left out."
    )
    doubtful_pages: tuple[DoubtfulPages, ...] = Field(
        default=(), description="Trims whose page limit differs between copies of the printer's page."
    )

    def problems(self, readable: Readable) -> Iterator[Problem]:
        """Find a standard and colours that rule each other out."""
        if (
            readable("standard", "colours")
            and self.standard is Standard.PDFX1A
            and self.colours is Colours.SRGB
        ):
            yield Problem(
                "srgb", "PDF/X-1a has no screen colours; give cmyk, or standard: plain", ("colours",)
            )

    @property
    def source(self) -> str:
        """Return where the figures stand, with the date on which they were read."""
        return f"{self.published}, {self.date.isoformat()}"

    def source_of(self, part: ProfilePart) -> str:
        """Return where one part of the profile stands, or that it is unconfirmed."""
        return UNCONFIRMED if part in self.unconfirmed else self.source

    def standard_of(self, asked: Standard, coloured: bool) -> Standard:
        """Return the kind of PDF that a file becomes, coloured or not: PDF/X-1a has no screen colours."""
        return Standard.PLAIN if coloured and self.colours is Colours.SRGB else asked

    @property
    def default_paper(self) -> str:
        """Return the paper for a book that names none, which is the profile's first."""
        return self.papers[0].name

    def forbids(self, feature: Forbidden) -> bool:
        """Tell whether the printer refuses a file with this in it."""
        return feature in self.forbidden

    def paper(self, name: str | None = None, key: str = "") -> Paper:
        """Return a paper by its name, the first for None; raise ``UsageError`` at the key for any other."""
        papers = {paper.name: paper for paper in self.papers}
        if (name or self.default_paper) not in papers:
            raise UsageError(
                f"{self.name} has no paper {name!r}: it prints on {', '.join(papers)}. Choose one of them.",
                key,
            )
        return papers[name or self.default_paper]

    def margins(self, page_count: int, bleed: bool = False) -> Margins:
        """Return the least margins of a book of so many pages; those of the last band hold beyond it."""
        bands = self.margin_rules.inside
        inside = next((b.margin_pt for b in bands if page_count <= b.pages.high), bands[-1].margin_pt)
        rules = self.margin_rules
        outside = rules.outside_with_bleed_pt if bleed else rules.outside_pt
        return Margins(inside, outside, outside, outside)

    def bleed_of(self, recto: bool) -> Bleed:
        """Return the bleed of a page; a recto has its spine on the left."""
        width = self.bleed.width_pt
        spine = 0.0 if self.bleed.sides is BleedSides.OUTER else width
        left, right = (spine, width) if recto else (width, spine)
        return Bleed(left, right, width, width)

    def page_multiple(self, trim: Size) -> int:
        """Return the number that the page count must be divisible by, at this trim."""
        small = self.page_count.small
        if small is not None and _fits(trim, small.largest):
            return small.multiple
        return self.page_count.multiple

    def page_limits(self, trim: Size, paper: str | None = None) -> PageSpan:
        """Return the fewest and most pages at this trim on this paper."""
        stock = self.paper(paper)
        if stock.large is not None and _fits(stock.large.smallest, trim):
            return stock.large.pages
        return stock.pages

    def page_doubts(self, trim: Size, paper: str | None = None) -> list[str]:
        """Return what other copies of the printer's page say of the most pages at a trim."""
        most = self.page_limits(trim, paper).high
        return [
            f"{most} pages at {trim} are doubtful: {doubt.most} by {doubt.found}"
            for doubt in self.doubtful_pages
            if doubt.trim.same_as(trim, _TRIM_SLACK_PT) and doubt.most < most
        ]

    def pages_to_print(self, count: int, trim: Size) -> int:
        """Return the page count of a file, with its blank last page and blank pages up to the multiple."""
        pages = count + self.page_count.last_blank
        multiple = self.page_multiple(trim)
        return -(-pages // multiple) * multiple

    def check(self, trim: Size, pages: int | None = None, paper: str | None = None) -> tuple[Problem, ...]:
        """Return everything in which a trim and a page count, if it is known, lie outside this profile."""
        found = check_trim(self, trim)
        if pages is not None:
            found += check_page_limits(self, trim, pages, paper)
            found += check_page_multiple(self, trim, pages)
        return tuple(found)

    def spine_pt(self, pages: int, paper: str | None = None) -> float:
        """Return the spine's width by the profile's figures; raise ``UsageError`` if the paper has none."""
        thickness = self.paper(paper).spine_per_page_pt
        if thickness is None:
            raise UsageError(
                f"{self.name} publishes no page thickness for {paper or self.default_paper} paper. Take the "
                "spine's width from the printer's cover template and give it as cover.spine_mm.",
                "cover.spine_mm",
            )
        return pages * thickness + (self.cover.spine_base_pt if self.cover else 0.0)

    def spine_takes_text(self, pages: int, spine_pt: float) -> bool:
        """Tell whether the printer allows words on a spine of this many pages and this width."""
        if self.cover is None:
            return False
        if self.cover.spine_text_from_pages is not None and pages < self.cover.spine_text_from_pages:
            return False
        least_pt = self.cover.spine_text_from_width_pt
        return least_pt is None or spine_pt >= least_pt


def check_trim(profile: PrinterProfile, trim: Size) -> list[Problem]:
    """Find why the printer does not cut to this size."""
    trims = profile.trims
    if any(trim.same_as(size, _TRIM_SLACK_PT) for size in trims.sizes) or (
        trims.custom and trim in trims.custom
    ):
        return []
    allowed = ", ".join(str(size) for size in trims.sizes)
    if trims.custom:
        allowed += f", or any from {trims.custom.smallest} to {trims.custom.largest}"
    return [_problem(profile, "trim", str(trim), allowed, "Set page.trim to one of these sizes.")]


def check_page_limits(profile: PrinterProfile, trim: Size, pages: int, paper: str | None) -> list[Problem]:
    """Find why the printer does not bind so many pages."""
    limits = profile.page_limits(trim, paper)
    if limits.low <= pages <= limits.high:
        return []
    allowed = f"{limits} pages at {trim} on {paper or profile.default_paper} paper"
    more = "Add puzzles or notes pages" if pages < limits.low else "Print more puzzles to a page"
    return [_problem(profile, "pages", _pages(pages), allowed, f"{more}, or choose another paper or trim.")]


def check_page_multiple(profile: PrinterProfile, trim: Size, pages: int) -> list[Problem]:
    """Find why the number of pages is none of the printer's multiples."""
    multiple = profile.page_multiple(trim)
    missing = -pages % multiple
    if not missing:
        return []
    advice = f"Add {missing} blank page{'s' * (missing > 1)} at the end."
    return [_problem(profile, "page multiple", _pages(pages), f"a multiple of {multiple} at {trim}", advice)]


def check_line(profile: PrinterProfile, line_pt: float) -> list[Problem]:
    """Find why the thinnest line does not print."""
    return _check_least(profile, "line", line_pt, profile.limits.line_pt, "Make the theme's lines heavier.")


def check_text(profile: PrinterProfile, text_pt: float) -> list[Problem]:
    """Find why the smallest text does not print."""
    return _check_least(profile, "text", text_pt, profile.limits.text_pt, "Make the theme's text larger.")


def check_tint(profile: PrinterProfile, tint: float) -> list[Problem]:
    """Find why the lightest tint does not print; no tint at all is right."""
    least = float(profile.limits.tint)
    if tint <= 0 or tint >= least - _SLACK:
        return []
    return [
        _problem(profile, "tint", f"{tint:.1%}", f"{least:.0%} or more", "Make the theme's tints darker.")
    ]


def check_colour(profile: PrinterProfile, paper: str | None) -> list[Problem]:
    """Find why colours do not print on a paper."""
    if profile.paper(paper).ink is PaperInk.COLOUR:
        return []
    inked = ", ".join(stock.name for stock in profile.papers if stock.ink is PaperInk.COLOUR)
    other = f"a paper that is printed in colour ({inked}), or " if inked else ""
    found = f"colours on {paper or profile.default_paper} paper"
    return [_problem(profile, "ink", found, "black only", f"Choose {other}looks without colours.")]


def _check_least(
    profile: PrinterProfile, rule: str, found_pt: float, least_pt: float, advice: str
) -> list[Problem]:
    if found_pt >= least_pt - _SLACK:
        return []
    return [_problem(profile, rule, f"{found_pt:g} pt", f"{least_pt:g} pt or more", advice)]


def _pages(count: int) -> str:
    return f"{count} page{'s' * (count != 1)}"


def _problem(profile: PrinterProfile, rule: str, found: str, allowed: str, advice: str) -> Problem:
    return Problem(found, allowed, (rule,), source=profile.source_of(_PARTS[rule]), advice=advice)


def load_printer(name_or_path: str | Path) -> PrinterProfile:
    """Load a shipped profile by its name, or a profile file by its path; raise as ``load_named`` does."""
    return load_named(name_or_path, PRINTERS, PrinterProfile)


def _fits(inner: Size, outer: Size) -> bool:
    return inner.width_pt <= outer.width_pt + 0.1 and inner.height_pt <= outer.height_pt + 0.1
