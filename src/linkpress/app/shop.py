"""What a book's printer and its shops ask for: cost and price, and page limits that are in doubt."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from linkpress.book.spec import BookSpec
from linkpress.errors import LayoutError, UsageError
from linkpress.press.cover.cover_geometry import cover_of, cover_sizes
from linkpress.printers.profile import PrinterProfile


def shop_lines(spec: BookSpec, profile: PrinterProfile, pages: int) -> Iterator[str]:
    """Tell what a printed book costs and leaves, each line with its subject in front, as a report has it."""
    trim, paper = spec.page.trim.size, spec.page.paper or profile.default_paper
    for doubt in profile.page_doubts(trim, paper):
        yield f"{'page limit':<15}{doubt}"
    with contextlib.suppress(LayoutError, UsageError):  # its printer sizes it, or nobody knows its spine
        yield f"{'cover':<15}{cover_sizes(cover_of(spec, profile, pages))}"
    if profile.costs is not None:
        for line in profile.costs.lines(trim, pages, paper, spec.price or {}):
            yield f"{'cost':<15}{line}"
