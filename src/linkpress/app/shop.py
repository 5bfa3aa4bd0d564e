"""What a book's printer and its shops ask for: cost and price, and page limits that are in doubt."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from linkpress.book.spec import BookSpec
from linkpress.documents.lengths import MM_PT
from linkpress.errors import LayoutError, UsageError
from linkpress.press.cover.cover_geometry import CoverGeometry, measure_cover
from linkpress.press.cover.template import cover_sizes
from linkpress.printers.profile import PrinterProfile


def known_geometry(spec: BookSpec, profile: PrinterProfile, pages: int) -> CoverGeometry | None:
    """Measure a book's cover; None where its printer sizes it, or nobody knows its spine."""
    spine_mm = spec.cover.spine_mm if spec.cover else None
    with contextlib.suppress(LayoutError, UsageError):
        spine_pt = spine_mm * MM_PT if spine_mm else None
        return measure_cover(profile, spec.page.trim.size, pages, spec.page.paper, spine_pt)
    return None


def shop_lines(spec: BookSpec, profile: PrinterProfile, pages: int) -> Iterator[str]:
    """Tell what a printed book costs and leaves, each line with its subject in front, as a report has it.

    Args:
        pages: of the interior.
    """
    trim, paper = spec.page.trim.size, spec.page.paper or profile.default_paper
    for doubt in profile.page_doubts(trim, paper):
        yield f"{'page limit':<15}{doubt}"
    geometry = known_geometry(spec, profile, pages)
    if geometry is not None:
        yield f"{'cover':<15}{cover_sizes(geometry)}"
    if profile.costs is not None:
        for line in profile.costs.lines(trim, pages, paper, spec.price or {}):
            yield f"{'cost':<15}{line}"
