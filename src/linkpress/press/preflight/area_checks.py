"""Checks of where things stand: inside the live area, or running out through the bleed; no marks."""

from __future__ import annotations

from collections.abc import Iterator

from linkpress.press.findings import Finding
from linkpress.press.pdf_reading.drawn import Drawn, DrawnImage, DrawnShading, DrawnText
from linkpress.press.pdf_reading.geometry import Box, common, contains
from linkpress.press.pdf_reading.pages import PageFacts, size_of
from linkpress.press.preflight.judged_file import BOX_SLACK_PT, JudgedFile
from linkpress.press.preflight.page_ink import PageInk

_SLACK_PT = 0.5  # half a hairline; no printer's knife is finer


def live_area(file: JudgedFile, page: PageFacts, ink: PageInk) -> Iterator[Finding]:
    """What is read stays off the margins; only pictures may run out, and then through the bleed."""
    trim, bleed = file.trim_of(page), file.bleed_of(page)
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
        found = f"{_called(worst[0])} {worst_pt:.1f} pt over the {side} margin"
        yield Finding(found, _margins_text(file))


def marks(file: JudgedFile, page: PageFacts, ink: PageInk) -> Iterator[Finding]:
    """Nothing is printed outside the bleed, and the page leaves no room for it."""
    bleed = file.bleed_of(page)
    if bleed is None or page.media is None:
        return
    allowed = "no crop marks, colour bars or notes"
    outside = next((item for item, box in ink.drawn_boxes if _is_outside(ink, item, box, bleed)), None)
    if outside is not None:
        yield Finding(f"{_called(outside)} outside the bleed", allowed)
    elif not size_of(bleed).same_as(size_of(page.media), BOX_SLACK_PT):
        found = f"a page of {size_of(page.media)} around a bleed of {size_of(bleed)}"
        yield Finding(found, "a page that ends with the bleed")


def last_page(file: JudgedFile, page: PageFacts, ink: PageInk) -> Iterator[Finding]:
    """The last page is blank where the printer wants it for its own mark."""
    if not file.profile.data.page_count.last_blank or page.number != file.page_count:
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
    """Whether an item is a picture that runs through the whole bleed on some side."""
    if not file.bleed or isinstance(item, DrawnText):
        return False
    bleed = file.edges_of(page)
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


def _called(item: Drawn) -> str:
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
