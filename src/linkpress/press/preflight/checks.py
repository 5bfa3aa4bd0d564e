"""The checks, each under its id, in the order in which a report lists them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from linkpress.press.pdf_reading.pages import PageFacts
from linkpress.press.preflight import (
    area_checks,
    box_checks,
    file_checks,
    ink_checks,
    interactive_checks,
    pdfx_checks,
    resource_checks,
)
from linkpress.press.preflight.page_ink import PageInk
from linkpress.press.preflight.result import Finding
from linkpress.press.preflight.subject import Subject

FileCheck = Callable[[Subject], Iterator[Finding]]
PageCheck = Callable[[Subject, PageFacts], Iterator[Finding]]
InkCheck = Callable[[Subject, PageFacts, PageInk], Iterator[Finding]]

READABLE = "readable"  # the file opens; found by opening it
CONTENT = "content"  # the pages can be read to their end; found by reading them

FILE_CHECKS: dict[str, FileCheck] = {
    "file-size": file_checks.file_size,
    "encryption": file_checks.encryption,
    "page-count": file_checks.page_count,
    "page-multiple": file_checks.page_multiple,
    "trim-size": file_checks.trim_size,
    "fonts-embedded": resource_checks.fonts_embedded,
    "transparency": resource_checks.transparency,
    "outline": interactive_checks.outline,
    "metadata": interactive_checks.metadata,
    "actions": interactive_checks.actions,
    "layers": interactive_checks.layers,
    "header": pdfx_checks.header,
    "info-keys": pdfx_checks.info_keys,
    "output-intent": pdfx_checks.output_intent,
    "file-id": pdfx_checks.file_id,
    "compression": pdfx_checks.compression,
    "transfer-curves": resource_checks.transfer_curves,
    "postscript": resource_checks.postscript,
}

PAGE_CHECKS: dict[str, PageCheck] = {
    "media-box": box_checks.media_box,
    "trim-box": box_checks.trim_box,
    "box-nesting": box_checks.box_nesting,
    "page-size": box_checks.page_size,
    "bleed-size": box_checks.bleed_size,
    "rotation": box_checks.rotation,
    "annotations": interactive_checks.notes,
}

INK_CHECKS: dict[str, InkCheck] = {
    "fonts-found": ink_checks.fonts_found,
    "colour-space": ink_checks.colour_space,
    "image-colour": ink_checks.image_colour,
    "black-ink": ink_checks.black_ink,
    "rich-black": ink_checks.rich_black,
    "tint": ink_checks.tint,
    "line-weight": ink_checks.line_weight,
    "text-size": ink_checks.text_size,
    "invisible-text": ink_checks.invisible_text,
    "image-resolution": ink_checks.image_resolution,
    "inline-compression": ink_checks.inline_packing,
    "live-area": area_checks.live_area,
    "marks": area_checks.marks,
    "last-page": area_checks.last_page,
}

LAST_CHECKS: dict[str, FileCheck] = {"damage": file_checks.damage}

NOT_OF_COVERS = frozenset(("page-count", "page-multiple", "trim-size", "live-area", "last-page"))

ALL_CHECKS: tuple[str, ...] = (
    READABLE,
    *FILE_CHECKS,
    *PAGE_CHECKS,
    CONTENT,
    *INK_CHECKS,
    *LAST_CHECKS,
)
