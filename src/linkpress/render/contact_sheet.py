"""Pages side by side as one image, for looking at a book at a glance."""

from __future__ import annotations

from collections.abc import Sequence

import pypdfium2 as pdfium
from PIL import Image, ImageDraw

from linkpress.config.lengths import Size
from linkpress.layout.frame import Page
from linkpress.render.pdf import About, draw_pages

DESK = (226, 229, 233)
EDGE = (150, 156, 164)
GAP_SHARE = 0.06  # of a page's width


def contact_sheet(pages: Sequence[Page], trim: Size, cols: int = 4, page_px: int = 420) -> Image.Image:
    """Pages in reading order on a grey desk, without their bleed.

    Args:
        pages: one or more.
        trim: the page as cut.
        cols: pages in a row.
        page_px: width of a page.
    Returns:
        An RGB image.
    """
    height = round(page_px * trim.height_pt / trim.width_pt)
    gap = max(4, round(GAP_SHARE * page_px))
    cols = min(cols, len(pages))
    rows = -(-len(pages) // cols)
    sheet = Image.new("RGB", (gap + cols * (page_px + gap), gap + rows * (height + gap)), DESK)
    pen = ImageDraw.Draw(sheet)
    document = pdfium.PdfDocument(draw_pages(pages, trim, About()))
    try:
        for at in range(len(pages)):
            row, col = divmod(at, cols)
            corner = (gap + col * (page_px + gap), gap + row * (height + gap))
            drawn = document[at].render(scale=page_px / trim.width_pt).to_pil().convert("RGB")
            sheet.paste(drawn.resize((page_px, height), Image.Resampling.LANCZOS), corner)
            x, y = corner
            pen.rectangle((x - 1, y - 1, x + page_px, y + height), outline=EDGE)
    finally:
        document.close()
    return sheet
