"""The table of checks, in the order in which a report lists them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from linkpress.layout.printer_data import Figure, Forbidden
from linkpress.press.findings import Finding
from linkpress.press.preflight import area_checks, box_checks, file_checks, ink_checks, pdfx_checks
from linkpress.press.preflight.judged_file import PDF, PDFX


def _found_by_reading(*file: Any) -> Iterator[Finding]:
    return iter(())


@dataclass(frozen=True, slots=True)
class Check:
    """One check and when it is made.

    Args:
        name: its id in reports.
        judge: finds what is wrong with a file, or with one of its pages.
        figure: of the profile that decides; a finding tells this figure's source.
        source: told instead, where a standard decides.
        forbidden: made where the printer refuses this.
        pdfx: made where the file is, or says that it is, PDF/X-1a. Without either it is always made.
        of_covers: whether covers are judged by it too.
    """

    name: str
    judge: Callable[..., Iterator[Finding]] = _found_by_reading
    figure: Figure | None = None
    source: str | None = None
    forbidden: Forbidden | None = None
    pdfx: bool = False
    of_covers: bool = True


READABLE = Check("readable")  # the file opens; found by opening it
CONTENT = Check("content")  # the pages can be read to their end; found by reading them

FILE_CHECKS = (
    Check("file-size", file_checks.file_size, Figure.FILE_MB),
    Check("encryption", file_checks.encryption, forbidden=Forbidden.ENCRYPTION, pdfx=True),
    Check("page-count", file_checks.page_count, Figure.PAGES, of_covers=False),
    Check("page-multiple", file_checks.page_multiple, Figure.MULTIPLE, of_covers=False),
    Check("trim-size", file_checks.trim_size, Figure.TRIMS, of_covers=False),
    Check("fonts-embedded", file_checks.fonts_embedded),
    Check("transparency", file_checks.transparency, forbidden=Forbidden.TRANSPARENCY, pdfx=True),
    Check("outline", file_checks.outline, forbidden=Forbidden.OUTLINE),
    Check("metadata", file_checks.metadata, forbidden=Forbidden.XMP),
    Check("actions", file_checks.actions, forbidden=Forbidden.ANNOTATIONS, pdfx=True),
    Check("layers", pdfx_checks.layers, source=PDFX, pdfx=True),
    Check("header", pdfx_checks.header, source=PDFX, pdfx=True),
    Check("info-keys", pdfx_checks.info_keys, source=PDFX, pdfx=True),
    Check("output-intent", pdfx_checks.output_intent, source=PDFX, pdfx=True),
    Check("file-id", pdfx_checks.file_id, source=PDFX, pdfx=True),
    Check("compression", pdfx_checks.compression, source=PDFX, pdfx=True),
    Check("transfer-curves", pdfx_checks.transfer_curves, source=PDFX, pdfx=True),
    Check("postscript", pdfx_checks.postscript, source=PDFX, pdfx=True),
)
"""Of the file; judged by the file."""

PAGE_CHECKS = (
    Check("media-box", box_checks.media_box, source=PDF),
    Check("trim-box", box_checks.trim_box, source=PDFX, pdfx=True),
    Check("box-nesting", box_checks.box_nesting, source=PDF),
    Check("page-size", box_checks.page_size),
    Check("bleed-size", box_checks.bleed_size, Figure.BLEED),
    Check("rotation", box_checks.rotation),
    Check("annotations", box_checks.notes, forbidden=Forbidden.ANNOTATIONS, pdfx=True),
)
"""Of each page as its dictionary gives it; judged by the file and the page."""

INK_CHECKS = (
    Check("fonts-found", ink_checks.fonts_found, source=PDF),
    Check("colour-space", ink_checks.colour_space),
    Check("image-colour", ink_checks.image_colour),
    Check("black-ink", ink_checks.black_ink, Figure.PAPERS),
    Check("rich-black", ink_checks.rich_black, forbidden=Forbidden.RICH_BLACK),
    Check("tint", ink_checks.tint, Figure.TINT),
    Check("line-weight", ink_checks.line_weight, Figure.LINE),
    Check("text-size", ink_checks.text_size, Figure.TEXT),
    Check("invisible-text", ink_checks.invisible_text, forbidden=Forbidden.ANNOTATIONS),
    Check("image-resolution", ink_checks.image_resolution, Figure.IMAGE_DPI),
    Check("inline-compression", pdfx_checks.inline_compression, source=PDFX, pdfx=True),
    Check("live-area", area_checks.live_area, Figure.MARGINS, of_covers=False),
    Check("marks", area_checks.marks, forbidden=Forbidden.MARKS),
    Check("last-page", area_checks.last_page, Figure.MULTIPLE, of_covers=False),
)
"""Of what each page draws; judged by the file, the page and its ink."""

LAST_CHECKS = (Check("damage", file_checks.damage, source=PDF),)
"""Of the file, once all of it has been read."""

ALL_CHECKS = (READABLE, *FILE_CHECKS, *PAGE_CHECKS, CONTENT, *INK_CHECKS, *LAST_CHECKS)
