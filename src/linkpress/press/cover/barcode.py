"""An ISBN as EAN-13, in bars of full black."""

from __future__ import annotations

import re
from collections.abc import Iterator

from linkpress.layout.frame import BLACK, MM, Anchor, Box, FontKey, Item, Rects
from linkpress.layout.geometry import Area
from linkpress.layout.measure import Measure, set_text

MAGNIFICATION = 0.9  # of the nominal size; 0.8 is the least that readers are made for
_BAR_PT = 0.33 * MM * MAGNIFICATION
_HEIGHT_PT = 25.93 * MM * MAGNIFICATION
_FIGURES_PT = 9.0
_LABEL_PT = 8.0


def ean_digits(isbn: str) -> str:
    """The twelve digits of an ISBN's EAN-13 before its check digit; ten-digit ISBNs gain 978."""
    digits = re.sub("[^0-9X]", "", isbn.upper())
    return digits[:12] if len(digits) == 13 else f"978{digits[:9]}"


def barcode_items(isbn: str, area: Area, measure: Measure) -> list[Item]:
    """The barcode with its figures, and the ISBN in words above it.

    Args:
        isbn: checked, with or without hyphens.
        area: white; the bars are centred in it.
        measure: measures the figures.
    """
    from reportlab.graphics.barcode.eanbc import Ean13BarcodeWidget

    widget = Ean13BarcodeWidget(
        ean_digits(isbn), barWidth=_BAR_PT, barHeight=_HEIGHT_PT, fontSize=_FIGURES_PT
    )
    widget.x = area.centre - widget.width / 2
    block = _HEIGHT_PT + 4 + _LABEL_PT * 0.7
    widget.y = area.y + (area.height - block) / 2
    shapes = widget.draw().contents
    items: list[Item] = [Rects(tuple(_bars(shapes)), BLACK)]
    items += _figures(shapes, measure)
    at = (area.centre, widget.y + _HEIGHT_PT + 4)
    items.append(set_text(f"ISBN {isbn}", at, FontKey.REGULAR, _LABEL_PT, measure, Anchor.MIDDLE))
    return items


def _bars(shapes: list[object]) -> Iterator[Box]:
    """The bars; the first rectangle only frames them."""
    for shape in shapes[1:]:
        if type(shape).__name__ == "Rect":
            yield shape.x, shape.y, shape.width, shape.height  # type: ignore[attr-defined]


def _figures(shapes: list[object], measure: Measure) -> Iterator[Item]:
    for shape in shapes:
        if type(shape).__name__ != "String":
            continue
        anchor = Anchor(shape.textAnchor)  # type: ignore[attr-defined]
        at = (shape.x, shape.y)  # type: ignore[attr-defined]
        yield set_text(shape.text, at, FontKey.REGULAR, _FIGURES_PT, measure, anchor)  # type: ignore[attr-defined]
