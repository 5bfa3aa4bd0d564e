"""From a volume to the finished ``cover.pdf``."""

from __future__ import annotations

from linkpress.book.printing_keys import Standard
from linkpress.book.volume import Volume
from linkpress.layout.printers import PrinterProfile
from linkpress.press.cover.compose import compose_cover
from linkpress.press.cover.order import order_cover
from linkpress.press.file_info import FileInfo
from linkpress.press.pdfx import finish_print


def make_cover(volume: Volume, pages: int, profile: PrinterProfile, info: FileInfo) -> bytes:
    """The cover of a finished book, as PDF/X-1a or plain by the spec's ``standard``.

    Args:
        volume: finished.
        pages: of the interior, blank ones included.
        profile: of the printer.
        info: what the file says about itself.
    Returns:
        The same bytes for the same arguments.
    Raises:
        LayoutError: the printer sizes covers by its own template, or the words don't fit.
        UsageError: nobody says how wide the spine is.
    """
    from linkpress.press.cover.draw import draw_cover
    from linkpress.render.fonts import FontMeasure
    from linkpress.render.pdf import About

    cover = compose_cover(order_cover(volume, pages), profile, FontMeasure())
    drawn = draw_cover(cover, About(title=info.title, author=info.author))
    return finish_print(drawn, info, Standard(volume.spec.standard.value))
