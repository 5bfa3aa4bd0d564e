"""Where on a page things may stand: margins, mirrored for recto and verso, and the page-count fixpoint.

The gutter grows with the page count, the live area shrinks with the gutter, and a smaller live area
may need more pages.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from linkpress.book.printing_keys import MarginsSpec
from linkpress.documents.lengths import Size
from linkpress.errors import LayoutError
from linkpress.layout.frame import Side
from linkpress.printers.profile import Margins, PrinterProfile
from linkpress.printers.profile_keys import ProfilePart

HOUSE_MARGIN = 0.075  # of the trim's shorter side; the printers' least margins look cramped
HOUSE_LEAST_PT = 22.0
HOUSE_MOST_PT = 46.0
# A thick book opens less far: its gutter is wider by 1/32 in for every so many pages, up to 1/4 in.
THICK_PAGES, THICK_PT, THICKEST_PT = 50, 2.25, 18.0


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle in points, origin at the trim's bottom left."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.width

    @property
    def top(self) -> float:
        """The upper edge."""
        return self.y + self.height

    @property
    def centre(self) -> float:
        """Halfway between left and right."""
        return self.x + self.width / 2

    @property
    def centre_y(self) -> float:
        """Halfway between foot and upper edge."""
        return self.y + self.height / 2

    def without(self, top: float = 0.0, bottom: float = 0.0) -> Area:
        """Return what is left when strips are taken off above and below."""
        return Area(self.x, self.y + bottom, self.width, self.height - top - bottom)


def book_margins(
    profile: PrinterProfile,
    trim: Size,
    page_count: int,
    bleed: bool,
    lay_flat: bool = False,
    asked: MarginsSpec | None = None,
) -> Margins:
    """The margins of a book: those asked for, else the house's, and nowhere less than the printer's.

    Args:
        bleed: whether the file carries bleed, which some printers give wider margins.
        lay_flat: whether the page stands in the middle, since no gutter swallows a part of it.
    Raises:
        LayoutError: one that is asked for is less than the printer's; names its key.
    """
    least = profile.margins(page_count, bleed)
    house = min(max(HOUSE_MARGIN * min(trim), HOUSE_LEAST_PT), HOUSE_MOST_PT)
    thick = min(page_count // THICK_PAGES * THICK_PT, THICKEST_PT)
    inside, outside = max(house + thick, least.inside_pt), max(house, least.outside_pt)
    margins = Margins(
        max(inside, outside) if lay_flat else inside,
        max(inside, outside) if lay_flat else outside,
        max(house, least.top_pt),
        max(house, least.bottom_pt),
    )
    given = {f"{key}_pt": length for key, length in asked or () if length is not None}
    for name, length in given.items():
        if length < getattr(least, name) - 0.01:
            thickness = f" with {page_count} pages" if page_count > 1 else ""  # of 1: in the thinnest book
            raise LayoutError(
                f"{length / 72:.3f} in, and {profile.name} asks for {getattr(least, name) / 72:.3f} in "
                f"or more{thickness} ({profile.source_of(ProfilePart.MARGINS)}).",
                f"page.margins.{name.removesuffix('_pt')}",
            )
    return replace(margins, **given)


def live_area(trim: Size, margins: Margins, side: Side) -> Area:
    """Return what the margins leave of a page; the inside margin is left on a recto, right on a verso."""
    left = margins.inside_pt if side is Side.RECTO else margins.outside_pt
    return Area(
        left,
        margins.bottom_pt,
        trim.width_pt - margins.inside_pt - margins.outside_pt,
        trim.height_pt - margins.top_pt - margins.bottom_pt,
    )


def settle_margins(
    margins_for: Callable[[int], Margins], count_pages: Callable[[Margins], int]
) -> tuple[Margins, int]:
    """Margins and page count that agree.

    The inside margin only ever grows, and a profile has finitely many of them, so this ends. Where
    a wider gutter saves pages and the shorter book would take the narrower one again, the wider
    stays: it keeps every rule.
    """
    margins = margins_for(1)
    while True:
        pages = count_pages(margins)
        needed = margins_for(pages)
        if needed.inside_pt <= margins.inside_pt:
            outside_pt = max(needed.outside_pt, margins.outside_pt)
            return replace(needed, inside_pt=margins.inside_pt, outside_pt=outside_pt), pages
        margins = needed
