"""What a designer asks of a cover: its sizes, and a template with guides at trim, spine and barcode."""

from __future__ import annotations

import math
from collections.abc import Iterator

from linkpress.documents.lengths import MM_PT
from linkpress.layout.frame import PAPER, Anchor, FontKey, Frame, Ink, Item, Page, Placed, Polyline, Rects
from linkpress.layout.measure import Measure, set_text
from linkpress.layout.page_geometry import Area
from linkpress.press.cover.cover_geometry import CoverGeometry
from linkpress.render.pdf import About, draw_pages
from linkpress.render.raster import PixelMode, png_bytes, rasterise

DPI = 300
_TRIM, _SAFE, _FOLD = Ink(0.0, 1.0, 1.0, 0.0), Ink(1.0, 0.0, 0.0, 0.0), Ink(0.0, 1.0, 0.0, 0.0)
_BLEED, _FREE = Ink(0.0, 0.25, 0.2, 0.0), Ink(0.0, 0.0, 0.0, 0.12)
_WORDS_PT = 9.0


def cover_sizes(geometry: CoverGeometry) -> str:
    """Tell the spine's width and the whole cover's size in millimetres, inches and pixels."""
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
    """Draw the template in its true size, with trim and bleed boxes."""
    page = Page(_guides(geometry, measure), 1, kind="cover")
    return draw_pages([page], geometry.trim, About(), (geometry.bleed, geometry.bleed))


def template_png(geometry: CoverGeometry, measure: Measure) -> bytes:
    """Draw the template with its bleed in pixels, so that a picture of the same size fits over it."""
    whole = geometry.whole
    guides = Placed("template", _guides(geometry, measure), geometry.bleed_pt, geometry.bleed_pt)
    moved = Frame(whole.width, whole.height, (guides,))
    size = math.ceil(whole.width / 72 * DPI - 0.01), math.ceil(whole.height / 72 * DPI - 0.01)
    return png_bytes(rasterise(moved, size, PixelMode.RGB), DPI)


def _guides(geometry: CoverGeometry, measure: Measure) -> Frame:
    return Frame(*geometry.trim, tuple(_guide_items(geometry, measure)))


def _guide_items(geometry: CoverGeometry, measure: Measure) -> Iterator[Item]:
    """Yield bleed, trim, folds, safe areas and the barcode's field."""
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
        size = min(_WORDS_PT, 0.8 * panel.width * _WORDS_PT / measure.width(name, FontKey.REGULAR, _WORDS_PT))
        yield set_text(name, point, FontKey.REGULAR, size, measure, Anchor.MIDDLE)
        if panel is geometry.front:
            below = point[0], point[1] - 14
            facts = f"{cover_sizes(geometry).partition(';')[0]}; {spine}"
            yield set_text(facts, below, FontKey.REGULAR, 0.8 * size, measure, Anchor.MIDDLE)
    point = geometry.barcode.centre, geometry.barcode.centre_y
    yield set_text("barcode", point, FontKey.REGULAR, _WORDS_PT, measure, Anchor.MIDDLE)


def _outline(area: Area, ink: Ink) -> Polyline:
    left, foot, right, top = area.x, area.y, area.right, area.top
    return Polyline(((left, foot), (right, foot), (right, top), (left, top)), 0.75, ink, closed=True)
