"""Margins of a book's pages.

Margins and page count depend on each other. A thick book needs a wider gutter, which leaves less room on each
page, so the book may need even more pages. ``settle_margins`` finds margins and a page count that are
consistent.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from linkpress.book.printing_keys import MarginsSpec
from linkpress.documents.values import Size
from linkpress.errors import LayoutError
from linkpress.layout.frame import Area, Side
from linkpress.printers import Margins, PrinterProfile, ProfilePart

# The default margin is this fraction of the trim's shorter side, but never less than ``HOUSE_LEAST_PT`` or
# more than ``HOUSE_MOST_PT``. The smallest margins that printers allow look cramped.
HOUSE_MARGIN = 0.075
HOUSE_LEAST_PT = 22.0
HOUSE_MOST_PT = 46.0
# A thick book doesn't open flat, so its gutter grows by 1/32 in for every 50 pages, by at most 1/4 in.
THICK_PAGES, THICK_PT, THICKEST_PT = 50, 2.25, 18.0


def book_margins(
    profile: PrinterProfile,
    trim: Size,
    page_count: int,
    bleed: bool,
    lay_flat: bool = False,
    in_spec: MarginsSpec | None = None,
) -> Margins:
    """Return a book's margins: the margins in the spec, or else the default margins.

    Default margins are never smaller than the printer allows.

    Args:
        page_count: the number of pages of the book, or 1 if it isn't known yet.
        bleed: whether the book has bleed. Some printers require wider margins for books with bleed.
        lay_flat: whether the book opens flat. Then both sides of a page get the same margin.
        in_spec: the margins that the spec sets.
    Raises:
        LayoutError: a margin in the spec is smaller than the printer allows.
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
            # A count of 1 means that the page count isn't known yet, so the message omits it.
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
    """Find margins and a page count that are consistent with each other.

    Printers require a wider inside margin (gutter) for thicker books, and a wider inside margin can add
    pages. So both are computed in turn until the inside margin is wide enough for the page count. It never
    shrinks. A printer profile has a finite number of inside margins, so the search ends.

    If the last page count would also allow a narrower inside margin, the wider margin is kept, because the
    printer accepts it for both page counts.

    Args:
        margins_for: a function that takes a page count and returns the margins of the book.
        count_pages: a function that takes margins and returns the page count of the book.
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
    """Return the area of a page inside its margins. The inside margin is at the spine."""
    left = margins.inside_pt if side is Side.RECTO else margins.outside_pt
    width = trim.width_pt - margins.inside_pt - margins.outside_pt
    return Area(left, margins.bottom_pt, width, trim.height_pt - margins.top_pt - margins.bottom_pt)
