"""Margins of a book's pages.

Margins and page count depend on each other. A thick book needs a wider gutter. That leaves less room on each
page, so the book may need more pages. ``settle_margins`` finds margins and a page count that agree.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from linkpress.book.printing_keys import MarginsSpec
from linkpress.documents.values import Size
from linkpress.errors import LayoutError
from linkpress.layout.frame import Area, Side
from linkpress.printers.profile import Margins, PrinterProfile, ProfilePart

# The usual margin is this share of the trim's shorter side, within the two limits below. The narrowest
# margins that printers allow look cramped.
HOUSE_MARGIN = 0.075
HOUSE_LEAST_PT = 22.0
HOUSE_MOST_PT = 46.0
# A thick book doesn't open flat, so its gutter is 1/32 in wider for every 50 pages, up to 1/4 in.
THICK_PAGES, THICK_PT, THICKEST_PT = 50, 2.25, 18.0


def book_margins(
    profile: PrinterProfile,
    trim: Size,
    page_count: int,
    bleed: bool,
    lay_flat: bool = False,
    in_spec: MarginsSpec | None = None,
) -> Margins:
    """Return a book's margins: the spec's margins, or else the usual ones.

    They are never narrower than the printer allows.

    Args:
        bleed: whether the book is delivered with bleed, for which some printers want wider margins.
        lay_flat: whether the book opens flat, so that both sides of a page get the same margin.
        in_spec: the margins that the spec gives.
    Raises:
        LayoutError: a margin in the spec is narrower than the printer allows.
    """
    least = profile.margins(page_count, bleed)
    house = min(max(HOUSE_MARGIN * min(trim), HOUSE_LEAST_PT), HOUSE_MOST_PT)
    thick = min(page_count // THICK_PAGES * THICK_PT, THICKEST_PT)
    inside, outside = max(house + thick, least.inside_pt), max(house, least.outside_pt)
    if lay_flat:
        inside = outside = max(inside, outside)
    margins = Margins(inside, outside, max(house, least.top_pt), max(house, least.bottom_pt))
    given = {f"{key}_pt": length for key, length in in_spec or () if length is not None}
    for name, length in given.items():
        if length < getattr(least, name) - 0.01:
            # A count of 1 means that the number of pages isn't known yet, so leave it out of the message.
            thickness = f" with {page_count} pages" if page_count > 1 else ""
            raise LayoutError(
                f"{length / 72:.3f} in, and {profile.name} asks for {getattr(least, name) / 72:.3f} in "
                f"or more{thickness} ({profile.source_of(ProfilePart.MARGINS)}).",
                f"page.margins.{name.removesuffix('_pt')}",
            )
    return replace(margins, **given)


def settle_margins(
    margins_for: Callable[[int], Margins], count_pages: Callable[[Margins], int]
) -> tuple[Margins, int]:
    """Find margins and a page count that agree.

    The inside margin only grows in the search, and a profile has a finite number of inside margins, so the
    search ends. A wider gutter may even save pages, so that the shorter book could have the narrower gutter
    again. Then the wider gutter stays, since the printer accepts it for both page counts.

    Args:
        margins_for: returns the margins of a book with this many pages.
        count_pages: returns the page count of the book with these margins.
    """
    margins = margins_for(1)
    while True:
        pages = count_pages(margins)
        needed = margins_for(pages)
        if needed.inside_pt <= margins.inside_pt:
            outside_pt = max(needed.outside_pt, margins.outside_pt)
            return replace(needed, inside_pt=margins.inside_pt, outside_pt=outside_pt), pages
        margins = needed


def live_area(trim: Size, margins: Margins, side: Side) -> Area:
    """Return the part of a page inside its margins; the inside margin is at the spine."""
    left = margins.inside_pt if side is Side.RECTO else margins.outside_pt
    width = trim.width_pt - margins.inside_pt - margins.outside_pt
    return Area(left, margins.bottom_pt, width, trim.height_pt - margins.top_pt - margins.bottom_pt)
