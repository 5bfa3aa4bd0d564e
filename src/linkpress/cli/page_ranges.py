"""Page numbers as people write them: ``1-8``, ``1,3,6-9``."""

from __future__ import annotations

import re

from linkpress.errors import UsageError


def read_pages(text: str, count: int) -> list[int]:
    """The page numbers of a list of ranges, in its order.

    Args:
        text: numbers and ranges with commas between them; the end of a range may lie past the
            last page, its beginning may not.
        count: pages in the book.
    Raises:
        UsageError: it is no such list, or a page that the book doesn't have.
    """
    pages: list[int] = []
    for part in text.split(","):
        match = re.fullmatch(r" *([0-9]{1,5})(?: *[-–] *([0-9]{1,5}))? *", part)
        low, high = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not 1 <= low <= high:
            raise UsageError(f"--pages {text}: page numbers and ranges, as 1-8 or 1,3,6-9, are allowed.")
        if low > count:
            raise UsageError(f"--pages {text}: the book has {count} pages.")
        pages += range(low, min(high, count) + 1)
    return pages
