"""These checks judge each page's boxes, and where things stand in them: live area, bleed, marks."""

from __future__ import annotations

from collections.abc import Iterator

from linkpress.preflight.findings import Finding
from linkpress.preflight.judged_file import BOX_SLACK_PT, JudgedFile, PageInk
from linkpress.preflight.pdf_reading.drawn import Drawn, DrawnImage, DrawnShading, DrawnText
from linkpress.preflight.pdf_reading.matrices import Box, common, contains
from linkpress.preflight.pdf_reading.objects import elements, entry, named
from linkpress.preflight.pdf_reading.page_boxes import PageFacts, size_of
from linkpress.printers.profile import BookFormat, Forbidden

_SLACK_PT = 0.5  # half a hairline; no printer's knife is finer


def media_box(file: JudgedFile, page: PageFacts) -> Iterator[Finding]:
    """Require a MediaBox with an area."""
    if page.media is None:
        yield Finding("no usable MediaBox", "four numbers with an area")


def trim_box(file: JudgedFile, page: PageFacts) -> Iterator[Finding]:
    """Require that a PDF/X page says where it is cut."""
    if page.trim is None:
        yield Finding("no TrimBox", "a TrimBox or ArtBox on every page")


def box_nesting(file: JudgedFile, page: PageFacts) -> Iterator[Finding]:
    """Require trim inside bleed, bleed inside media, and a CropBox that hides none of them."""
    pairs = (
        ("TrimBox", page.trim, "BleedBox", page.bleed),
        ("TrimBox", page.trim, "MediaBox", page.media),
        ("BleedBox", page.bleed, "MediaBox", page.media),
        ("page", page.bleed or page.trim or file.trim_box(page), "CropBox", page.crop),
    )
    for inner_name, inner, outer_name, outer in pairs:
        if inner is not None and outer is not None and not contains(outer, inner, BOX_SLACK_PT):
            found = f"the {inner_name} reaches outside the {outer_name}"
            yield Finding(found, "trim inside bleed inside media")


def page_size(file: JudgedFile, page: PageFacts) -> Iterator[Finding]:
    """Require that every page is cut to the book's trim."""
    box = file.trim_box(page)
    if box is not None and not size_of(box).same_as(file.trim, BOX_SLACK_PT):
        yield Finding(str(size_of(box)), f"{file.trim}, as the book")


def bleed_size(file: JudgedFile, page: PageFacts) -> Iterator[Finding]:
    """Require on each side the bleed that the printer wants, and none in a book without bleed."""
    trim, bleed = file.trim_box(page), file.bleed_box(page)
    if trim is None or bleed is None or (not file.forbids(Forbidden.MARKS) and page.bleed is None):
        return
    edges = file.bleed_widths(page)
    sides = (
        ("left", trim[0] - bleed[0], edges.left_pt),
        ("right", bleed[2] - trim[2], edges.right_pt),
        ("top", bleed[3] - trim[3], edges.top_pt),
        ("bottom", trim[1] - bleed[1], edges.bottom_pt),
    )
    for side, found_pt, bleed_pt in sides:
        needed_pt = bleed_pt if file.has_bleed else 0.0
        if abs(found_pt - needed_pt) > BOX_SLACK_PT:
            yield Finding(f"{found_pt:.1f} pt of bleed at the {side}", f"{needed_pt:.1f} pt")


def rotation(file: JudgedFile, page: PageFacts) -> Iterator[Finding]:
    """Require a page that stands upright, at its own scale."""
    if page.rotate % 360:
        yield Finding(f"turned by {page.rotate:g}°", "pages that stand upright")
    if page.user_unit != 1:
        yield Finding(f"UserUnit {page.user_unit:g}", "a scale of 1")


def no_annotations(file: JudgedFile, page: PageFacts) -> Iterator[Finding]:
    """Require a page without links, notes or form fields."""
    found = elements(entry(page.obj, "/Annots"))
    kinds = sorted({named(note, "/Subtype").lstrip("/") or "one" for note in found})
    if kinds:
        yield Finding(f"annotations: {', '.join(kinds[:5])}", "no annotations")


def live_area(file: JudgedFile, ink: PageInk) -> Iterator[Finding]:
    """Require that what is read stays off the margins, and that pictures run out through the bleed."""
    page = ink.page
    trim, bleed = file.trim_box(page), file.bleed_box(page)
    if trim is None or bleed is None:
        return
    worst, worst_pt = None, _SLACK_PT
    live = _live(file, page, trim)
    for item, drawn in ink.drawn_boxes:
        if contains(live, drawn, _SLACK_PT):
            continue
        box = ink.clipped(item, drawn)
        if box is None or common(box, bleed) is None or _runs_out(file, page, trim, item, box):
            continue
        beyond = max(live[0] - box[0], live[1] - box[1], box[2] - live[2], box[3] - live[3])
        if beyond > worst_pt:
            worst, worst_pt = (item, box), beyond
    if worst is not None:
        side = _side(worst[1], live, page)
        found = f"{_description(worst[0])} {worst_pt:.1f} pt over the {side} margin"
        yield Finding(found, _margins_text(file))


def printers_marks(file: JudgedFile, ink: PageInk) -> Iterator[Finding]:
    """Require that nothing is printed outside the bleed, and that the page leaves no room for it."""
    bleed, media = file.bleed_box(ink.page), ink.page.media
    if bleed is None or media is None:
        return
    allowed = "no crop marks, colour bars or notes"
    outside = next((item for item, box in ink.drawn_boxes if _is_outside(ink, item, box, bleed)), None)
    if outside is not None:
        yield Finding(f"{_description(outside)} outside the bleed", allowed)
    elif not size_of(bleed).same_as(size_of(media), BOX_SLACK_PT):
        found = f"a page of {size_of(media)} around a bleed of {size_of(bleed)}"
        yield Finding(found, "a page that ends with the bleed")


def last_page(file: JudgedFile, ink: PageInk) -> Iterator[Finding]:
    """Require a blank last page where the printer wants one for its own mark."""
    if not file.profile.page_count.last_blank or ink.page.number != file.page_count:
        return
    if any(ink.clipped(item, box) is not None for item, box in ink.drawn_boxes):
        yield Finding("the last page is printed on", "a blank last page")


def _live(file: JudgedFile, page: PageFacts, trim: Box) -> Box:
    margins = file.margins
    left, right = margins.inside_pt, margins.outside_pt
    if not page.recto:
        left, right = right, left
    return (trim[0] + left, trim[1] + margins.bottom_pt, trim[2] - right, trim[3] - margins.top_pt)


def _runs_out(file: JudgedFile, page: PageFacts, trim: Box, item: Drawn, box: Box) -> bool:
    """Tell whether an item is a picture that runs through the whole bleed on some side.

    A page for screens is not cut, so that a picture runs out where it reaches the page's edge.
    """
    if isinstance(item, DrawnText):
        return False
    if file.profile.format is BookFormat.SCREEN:
        return not contains(trim, box, -BOX_SLACK_PT)
    if not file.has_bleed:
        return False
    bleed = file.bleed_widths(page)
    reaches = (
        bleed.left_pt and trim[0] - box[0] >= bleed.left_pt - BOX_SLACK_PT,
        bleed.bottom_pt and trim[1] - box[1] >= bleed.bottom_pt - BOX_SLACK_PT,
        bleed.right_pt and box[2] - trim[2] >= bleed.right_pt - BOX_SLACK_PT,
        bleed.top_pt and box[3] - trim[3] >= bleed.top_pt - BOX_SLACK_PT,
    )
    return any(reaches)


def _is_outside(ink: PageInk, item: Drawn, box: Box, bleed: Box) -> bool:
    if contains(bleed, box, _SLACK_PT):
        return False
    printed = ink.clipped(item, box)
    return printed is not None and common(printed, bleed) is None


def _side(box: Box, live: Box, page: PageFacts) -> str:
    left, right = ("inside", "outside") if page.recto else ("outside", "inside")
    over = {
        left: live[0] - box[0],
        "bottom": live[1] - box[1],
        right: box[2] - live[2],
        "top": box[3] - live[3],
    }
    return max(over, key=lambda side: over[side])


def _description(item: Drawn) -> str:
    if isinstance(item, DrawnText):
        return repr(item.text.strip()[:30])
    if isinstance(item, DrawnImage):
        return "an image"
    if isinstance(item, DrawnShading):
        return "a shading"
    return "a line" if item.stroke is not None else "a filled shape"


def _margins_text(file: JudgedFile) -> str:
    margins = file.margins
    return (
        f"inside {margins.inside_pt / 72:.3g} in, outside {margins.outside_pt / 72:.3g} in, "
        f"top and bottom {margins.top_pt / 72:.3g} in at {file.page_count} pages"
    )
