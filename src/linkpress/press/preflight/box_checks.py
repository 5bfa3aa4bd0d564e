"""Checks of each page's dictionary: its boxes, its turn, and notes on it."""

from __future__ import annotations

from collections.abc import Iterator

from linkpress.layout.printer_data import Forbidden
from linkpress.press.findings import Finding
from linkpress.press.pdf_reading.geometry import contains
from linkpress.press.pdf_reading.objects import elements, entry, named
from linkpress.press.pdf_reading.pages import PageFacts, size_of
from linkpress.press.preflight.judged_file import BOX_SLACK_PT, JudgedFile


def media_box(file: JudgedFile, page: PageFacts) -> Iterator[Finding]:
    """The page has a MediaBox with an area."""
    if page.media is None:
        yield Finding("no usable MediaBox", "four numbers with an area")


def trim_box(file: JudgedFile, page: PageFacts) -> Iterator[Finding]:
    """A PDF/X page says where it is cut."""
    if page.trim is None:
        yield Finding("no TrimBox", "a TrimBox or ArtBox on every page")


def box_nesting(file: JudgedFile, page: PageFacts) -> Iterator[Finding]:
    """Trim lies in bleed, bleed in media, and no CropBox hides any of it."""
    pairs = (
        ("TrimBox", page.trim, "BleedBox", page.bleed),
        ("TrimBox", page.trim, "MediaBox", page.media),
        ("BleedBox", page.bleed, "MediaBox", page.media),
        ("BleedBox", page.bleed or page.trim, "CropBox", page.crop),
    )
    for inner_name, inner, outer_name, outer in pairs:
        if inner is not None and outer is not None and not contains(outer, inner, BOX_SLACK_PT):
            found = f"the {inner_name} reaches outside the {outer_name}"
            yield Finding(found, "trim inside bleed inside media")


def page_size(file: JudgedFile, page: PageFacts) -> Iterator[Finding]:
    """Every page is cut to the book's trim."""
    box = file.trim_of(page)
    if box is not None and not size_of(box).same_as(file.trim, BOX_SLACK_PT):
        yield Finding(str(size_of(box)), f"{file.trim}, as the book")


def bleed_size(file: JudgedFile, page: PageFacts) -> Iterator[Finding]:
    """The bleed is as wide as the printer wants on each side, and there is none in a book without it."""
    trim, bleed = file.trim_of(page), file.bleed_of(page)
    if trim is None or bleed is None or (not file.forbids(Forbidden.MARKS) and page.bleed is None):
        return
    wanted = file.edges_of(page)
    sides = (
        ("left", trim[0] - bleed[0], wanted.left_pt),
        ("right", bleed[2] - trim[2], wanted.right_pt),
        ("top", bleed[3] - trim[3], wanted.top_pt),
        ("bottom", trim[1] - bleed[1], wanted.bottom_pt),
    )
    for side, found_pt, bleed_pt in sides:
        wanted_pt = bleed_pt if file.bleed else 0.0
        if abs(found_pt - wanted_pt) > BOX_SLACK_PT:
            yield Finding(f"{found_pt:.1f} pt of bleed at the {side}", f"{wanted_pt:.1f} pt")


def rotation(file: JudgedFile, page: PageFacts) -> Iterator[Finding]:
    """The page stands upright, at its own scale."""
    if page.rotate % 360:
        yield Finding(f"turned by {page.rotate:g}°", "pages that stand upright")
    if page.user_unit != 1:
        yield Finding(f"UserUnit {page.user_unit:g}", "a scale of 1")


def notes(file: JudgedFile, page: PageFacts) -> Iterator[Finding]:
    """There are no links, notes or form fields on the page."""
    found = elements(entry(page.obj, "/Annots"))
    kinds = sorted({named(note, "/Subtype").lstrip("/") or "one" for note in found})
    if kinds:
        yield Finding(f"annotations: {', '.join(kinds[:5])}", "no annotations")
