"""Compute the size of a cover and the position of each of its parts, and draw a template with guides."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from linkpress.book.spec import BookSpec
from linkpress.documents.values import MM_PT, PixelMode, Size
from linkpress.errors import LayoutError
from linkpress.layout.frame import (
    PAPER,
    Anchor,
    Area,
    FontKey,
    Frame,
    Ink,
    Item,
    Page,
    Placed,
    Polyline,
    Rects,
)
from linkpress.layout.measure import Measure, set_text
from linkpress.printers import Bleed, CoverRules, PrinterProfile
from linkpress.render.pdf import About, draw_pages

# Minimum distance of words from the trim edge, even if the printer allows less, because words that are nearer
# look cut off. The larger of these two applies: a length in points, and a share of the page's width.
LEAST_SAFETY_PT, SAFETY_SHARE = 27.0, 0.075
# Resolution of the PNG file of a designer's template, in dots per inch.
DPI = 300
_TRIM, _SAFE, _FOLD = Ink(0.0, 1.0, 1.0, 0.0), Ink(1.0, 0.0, 0.0, 0.0), Ink(0.0, 1.0, 0.0, 0.0)
_BLEED, _FREE = Ink(0.0, 0.25, 0.2, 0.0), Ink(0.0, 0.0, 0.0, 0.12)
_LABEL_PT = 9.0


@dataclass(frozen=True, slots=True)
class CoverGeometry:
    """Measures of a one-piece cover, in points from the bottom left corner of its trim.

    Args:
        trim: the size of back, spine and front together, after cutting.
        bleed_pt: the bleed on all four sides.
        back, spine, front: the three panels of the cover, each from trim edge to trim edge.
        safety_pt: the minimum distance of words from the edges of the back and the front.
        spine_words: the part of the spine that may have words; None if the printer allows no words there.
        barcode: the white area for the barcode, at the bottom of the back beside the spine.
        hinge_pt: the width of the groove beside the spine of a hardcover. No words are printed in the groove.
    """

    trim: Size
    bleed_pt: float
    back: Area
    spine: Area
    front: Area
    safety_pt: float
    spine_words: Area | None
    barcode: Area
    hinge_pt: float = 0.0

    @property
    def bleed(self) -> Bleed:
        return Bleed(self.bleed_pt, self.bleed_pt, self.bleed_pt, self.bleed_pt)

    @property
    def whole(self) -> Area:
        """Area of the cover with its bleed."""
        over = self.bleed_pt
        return Area(-over, -over, self.trim.width_pt + 2 * over, self.trim.height_pt + 2 * over)

    def live(self, panel: Area) -> Area:
        """Return the area of a cover panel in which words may be printed.

        Args:
            panel: the front or back cover, without the spine.
        """
        inset, hinge = self.safety_pt, self.hinge_pt
        left = panel.x + inset + (hinge if panel is self.front else 0.0)
        return Area(left, panel.y + inset, panel.width - 2 * inset - hinge, panel.height - 2 * inset)


def cover_geometry_of(spec: BookSpec, profile: PrinterProfile, pages: int) -> CoverGeometry:
    """Compute the measures of the cover that a spec asks for.

    Raises:
        LayoutError: the printer sizes covers by its own template.
        UsageError: the printer publishes no thickness for the paper, and no spine width is given.
    """
    spine_mm = spec.cover.spine_mm if spec.cover else None
    spine_pt = spine_mm * MM_PT if spine_mm else None
    return measure_cover(profile, spec.page.trim.size, pages, spec.page.paper, spine_pt)


def measure_cover(
    profile: PrinterProfile, trim: Size, pages: int, paper: str | None = None, spine_pt: float | None = None
) -> CoverGeometry:
    """Compute the measures of a book's cover.

    Args:
        profile: the profile of the printer.
        trim: the size of a page of the book.
        pages: the number of pages of the interior, including blank pages.
        paper: the paper's name in the printer profile; None for the printer's first paper.
        spine_pt: the width of the spine in points; None computes it from pages and paper.
    Raises:
        LayoutError: the printer sizes covers by its own template.
        UsageError: the printer publishes no thickness for the paper, and no spine width is given.
    """
    rules = profile.cover
    if rules is None:
        raise LayoutError(
            f"{profile.name} gives the size of this cover only in its own template ({profile.source}). Leave "
            "cover out and draw it with the template, or put its sizes into `cover:` of a profile of yours.",
            "cover",
        )
    spine_width = profile.spine_pt(pages, paper) if spine_pt is None else spine_pt
    case, hinge = rules.case, rules.case.hinge_pt if rules.case else 0.0
    board = Size(trim.width_pt + case.wider_pt, trim.height_pt + case.higher_pt) if case else trim
    back = Area(0.0, 0.0, board.width_pt, board.height_pt)
    spine = Area(board.width_pt, 0.0, spine_width, board.height_pt)
    front = Area(spine.right, 0.0, board.width_pt, board.height_pt)
    words = _spine_words(rules, spine) if profile.spine_takes_text(pages, spine_width) else None
    safety = max(rules.safety_pt, house_safety_pt(trim))
    whole = Size(front.right, board.height_pt)
    side, clear = rules.barcode, rules.barcode_clear_pt
    code = Area(back.right - clear - hinge - side.width_pt, back.y + clear, side.width_pt, side.height_pt)
    return CoverGeometry(whole, rules.over_pt, back, spine, front, safety, words, code, hinge)


def house_safety_pt(trim: Size) -> float:
    """Return linkpress's own minimum distance of words from the trim in points.

    Some printers require less.
    """
    return max(LEAST_SAFETY_PT, SAFETY_SHARE * trim.width_pt)


def _spine_words(rules: CoverRules, spine: Area) -> Area | None:
    clear, end = rules.spine_clear_pt, max(rules.safety_pt, LEAST_SAFETY_PT)
    width = spine.width - 2 * clear
    return Area(spine.x + clear, spine.y + end, width, spine.height - 2 * end) if width > 0 else None


def cover_sizes(geometry: CoverGeometry) -> str:
    """Describe the width of the spine and the size of the whole cover in millimetres, inches and pixels."""
    whole = geometry.whole
    width = geometry.spine.width
    inches = f"{width / 72:.3f} in, {round(width / 72 * DPI)} px at {DPI} dpi"
    high_px, wide_px = (math.ceil(side / 72 * DPI - 0.01) for side in (whole.height, whole.width))
    return (
        f"spine {width / MM_PT:.1f} mm ({inches}); back, spine and front with bleed "
        f"{whole.width / MM_PT:.1f} × {whole.height / MM_PT:.1f} mm "
        f"({whole.width / 72:.3f} × {whole.height / 72:.3f} in, {wide_px} × {high_px} px)"
    )


def template_pdf(geometry: CoverGeometry, measure: Measure) -> bytes:
    """Draw the cover template for a designer as a PDF in true size, with trim and bleed boxes."""
    page = Page(_guides(geometry, measure), 1, kind="cover")
    return draw_pages([page], geometry.trim, About(), (geometry.bleed, geometry.bleed))


def template_png(geometry: CoverGeometry, measure: Measure) -> bytes:
    """Draw the cover template for a designer as a PNG, including the bleed.

    A picture of the same size in pixels fits exactly over the template.
    """
    whole = geometry.whole
    guides = Placed("template", _guides(geometry, measure), geometry.bleed_pt, geometry.bleed_pt)
    moved = Frame(whole.width, whole.height, (guides,))
    size = math.ceil(whole.width / 72 * DPI - 0.01), math.ceil(whole.height / 72 * DPI - 0.01)
    from linkpress.render.raster import png_bytes, rasterise  # imported late, because few commands need it

    return png_bytes(rasterise(moved, size, PixelMode.RGB), DPI)


def _guides(geometry: CoverGeometry, measure: Measure) -> Frame:
    return Frame(*geometry.trim, tuple(_guide_items(geometry, measure)))


def _guide_items(geometry: CoverGeometry, measure: Measure) -> Iterator[Item]:
    whole, trim = geometry.whole, Area(0.0, 0.0, *geometry.trim)
    for area, ink in ((whole, _BLEED), (trim, PAPER), (geometry.barcode, _FREE)):
        yield Rects(((area.x, area.y, area.width, area.height),), ink)
    yield _outline(trim, _TRIM)
    for panel in (geometry.back, geometry.front):
        yield _outline(geometry.live(panel), _SAFE)
    for x in (geometry.spine.x, geometry.spine.right):
        yield Polyline(((x, whole.y), (x, whole.top)), 0.75, _FOLD)
    safe = f"words inside the inner line, {geometry.safety_pt / MM_PT:.1f} mm from the trim"
    spine = "no words on the spine" if geometry.spine_words is None else "words on the spine"
    for panel, name in ((geometry.back, f"Back: {safe}"), (geometry.front, f"Front: {safe}")):
        point = panel.centre, panel.centre_y
        size = min(_LABEL_PT, 0.8 * panel.width * _LABEL_PT / measure.width(name, FontKey.REGULAR, _LABEL_PT))
        yield set_text(name, point, FontKey.REGULAR, size, measure, Anchor.MIDDLE)
        if panel is geometry.front:
            below = point[0], point[1] - 14
            facts = f"{cover_sizes(geometry).partition(';')[0]}; {spine}"
            yield set_text(facts, below, FontKey.REGULAR, 0.8 * size, measure, Anchor.MIDDLE)
    point = geometry.barcode.centre, geometry.barcode.centre_y
    yield set_text("barcode", point, FontKey.REGULAR, _LABEL_PT, measure, Anchor.MIDDLE)


def _outline(area: Area, ink: Ink) -> Polyline:
    left, foot, right, top = area.x, area.y, area.right, area.top
    return Polyline(((left, foot), (right, foot), (right, top), (left, top)), 0.75, ink, closed=True)
