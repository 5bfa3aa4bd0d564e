"""This module reads a file's pages as their dictionaries give them, and all that their resources reach."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import pikepdf

from linkpress.documents.values import Size
from linkpress.preflight.pdf_reading.matrices import Box
from linkpress.preflight.pdf_reading.objects import dictionary, entry, identity, items, named, number, numbers

_MAX_ANCESTORS = 64
_CATEGORIES = ("/ExtGState", "/Font", "/XObject", "/Pattern", "/ColorSpace", "/Shading")


@dataclass(frozen=True, slots=True)
class PageFacts:
    """A page's facts are what its dictionary says or inherits; a box that is malformed is None."""

    number: int
    obj: pikepdf.Object
    resources: object
    media: Box | None
    crop: Box | None
    bleed: Box | None
    trim: Box | None
    rotate: float
    user_unit: float

    @property
    def recto(self) -> bool:
        """Tell whether the spine is on the left."""
        return self.number % 2 == 1


def read_pages(pdf: pikepdf.Pdf, most: int) -> list[PageFacts]:
    """Return the first pages of a file."""
    # Iterating takes one walk through the tree; an index walks it anew for every page.
    return [_facts(page.obj, place) for place, page in enumerate(islice(pdf.pages, most), 1)]


def inherited(page: object, key: str) -> object:
    """Return an entry of a page or of the nodes above it."""
    seen: set[tuple[int, int] | None] = set()
    node: object = page
    for _ in range(_MAX_ANCESTORS):
        found = entry(node, key)
        if found is not None:
            return found
        if not isinstance(node, pikepdf.Dictionary) or identity(node) in seen:
            return None
        seen.add(identity(node))
        node = entry(node, "/Parent")
    return None


def _facts(page: pikepdf.Object, place: int) -> PageFacts:
    return PageFacts(
        number=place,
        obj=page,
        resources=inherited(page, "/Resources"),
        media=_box(inherited(page, "/MediaBox")),
        crop=_box(inherited(page, "/CropBox")),
        bleed=_box(entry(page, "/BleedBox")),
        trim=_box(entry(page, "/TrimBox")) or _box(entry(page, "/ArtBox")),
        rotate=number(inherited(page, "/Rotate")),
        user_unit=number(entry(page, "/UserUnit"), 1.0),
    )


def _box(value: object) -> Box | None:
    found = numbers(value, 4)
    if found is None:
        return None
    box = (min(found[0], found[2]), min(found[1], found[3]), max(found[0], found[2]), max(found[1], found[3]))
    return box if box[0] < box[2] and box[1] < box[3] else None


def size_of(box: Box) -> Size:
    """Return the width and height of a box."""
    return Size(box[2] - box[0], box[3] - box[1])


@dataclass(frozen=True, slots=True)
class Reached:
    """A reached resource has its dictionary (``/CharProcs`` of glyphs) and the first page that reaches it."""

    category: str
    name: str
    value: object
    page: PageFacts


def reachable(pages: list[PageFacts]) -> Iterator[Reached]:
    """Yield every resource of the pages, and of the forms, patterns, glyphs and soft masks in them."""
    seen: set[tuple[int, int]] = set()
    for page in pages:
        waiting: list[object] = [page.resources]
        while waiting:
            resources = waiting.pop()
            if not _is_new(resources, seen):
                continue
            for category in _CATEGORIES:
                for name, value in items(entry(resources, category)):
                    if _is_new(value, seen):
                        yield Reached(category, name, value, page)
                        waiting.extend(_below(value))


def _is_new(value: object, seen: set[tuple[int, int]]) -> bool:
    key = identity(value)
    if key is None:
        return True
    if key in seen:
        return False
    seen.add(key)
    return True


def _below(value: object) -> Iterator[object]:
    if isinstance(value, pikepdf.Stream) or named(value, "/Subtype") == "/Type3":
        yield entry(value, "/Resources")
    mask = dictionary(entry(value, "/SMask"))
    if mask is not None:
        yield entry(entry(mask, "/G"), "/Resources")
