"""Everything that a file's pages can reach through their resources, each object once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pikepdf

from linkpress.press.pdf_reading.limits import TooMuchError
from linkpress.press.pdf_reading.objects import dictionary, entry, identity, items, named
from linkpress.press.pdf_reading.pages import PageFacts

MAX_REACHED = 200_000
_CATEGORIES = ("/ExtGState", "/Font", "/XObject", "/Pattern", "/ColorSpace", "/Shading")


@dataclass(frozen=True, slots=True)
class Reached:
    """One resource.

    Args:
        category: the resource dictionary that names it, ``/Font``; ``/CharProcs`` for a glyph.
        name: its name there.
        value: the object.
        page: the first page that reaches it.
    """

    category: str
    name: str
    value: object
    page: PageFacts


def reachable(pages: list[PageFacts]) -> Iterator[Reached]:
    """Every resource of the pages, and of the forms, patterns, glyphs and soft masks in them.

    Raises:
        TooMuchError: more than ``MAX_REACHED`` of them.
    """
    seen: set[tuple[int, int]] = set()
    count = 0
    for page in pages:
        waiting: list[object] = [page.resources]
        while waiting:
            resources = waiting.pop()
            if not _is_new(resources, seen):
                continue
            for category in _CATEGORIES:
                for name, value in _new_items(entry(resources, category), seen):
                    count += 1
                    if count > MAX_REACHED:
                        raise TooMuchError(f"more than {MAX_REACHED:,} resources")
                    yield Reached(category, name, value, page)
                    waiting.extend(_below(value))


def _new_items(holder: object, seen: set[tuple[int, int]]) -> Iterator[tuple[str, object]]:
    return ((name, value) for name, value in items(holder) if _is_new(value, seen))


def _is_new(value: object, seen: set[tuple[int, int]]) -> bool:
    key = identity(value)
    if key is None:
        return True
    if key in seen:
        return False
    seen.add(key)
    return True


def _below(value: object) -> Iterator[object]:
    """The resource dictionaries under a resource."""
    if isinstance(value, pikepdf.Stream) or named(value, "/Subtype") == "/Type3":
        yield entry(value, "/Resources")
    mask = dictionary(entry(value, "/SMask"))
    if mask is not None:
        yield entry(entry(mask, "/G"), "/Resources")
