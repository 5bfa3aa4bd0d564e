"""Checks for what belongs on a screen: bookmarks, links, metadata streams, scripts, layers."""

from __future__ import annotations

from collections.abc import Iterator

import pikepdf

from linkpress.layout.printer_data import Forbidden
from linkpress.press.pdf_reading.objects import elements, entry, named
from linkpress.press.pdf_reading.pages import PageFacts
from linkpress.press.preflight.result import Finding
from linkpress.press.preflight.subject import PDFX_SOURCE, Subject


def outline(subject: Subject) -> Iterator[Finding]:
    """There are no bookmarks."""
    root = entry(subject.pdf.trailer, "/Root")
    if subject.forbids(Forbidden.OUTLINE) and entry(entry(root, "/Outlines"), "/First") is not None:
        yield subject.finding("outline", None, "bookmarks", "no bookmarks")


def notes(subject: Subject, page: PageFacts) -> Iterator[Finding]:
    """There are no links, notes or form fields on the page."""
    if not (subject.forbids(Forbidden.ANNOTATIONS) or subject.is_pdfx):
        return
    kinds = sorted(
        {named(note, "/Subtype").lstrip("/") or "one" for note in elements(entry(page.obj, "/Annots"))}
    )
    if kinds:
        yield subject.finding("annotations", page, f"annotations: {', '.join(kinds[:5])}", "no annotations")


def metadata(subject: Subject) -> Iterator[Finding]:
    """There is no XMP stream, in the catalog or under any object."""
    if not subject.forbids(Forbidden.XMP):
        return
    holders = [entry(subject.pdf.trailer, "/Root"), *(page.obj for page in subject.pages)]
    holders += [reached.value for reached in subject.reached]
    count = sum(isinstance(entry(holder, "/Metadata"), pikepdf.Stream) for holder in holders)
    if count:
        found = f"{count} XMP stream{'s' * (count > 1)}"
        yield subject.finding("metadata", None, found, "the Info dictionary alone")


def actions(subject: Subject) -> Iterator[Finding]:
    """Opening or turning a page does nothing; no script or file is attached."""
    if not (subject.forbids(Forbidden.ANNOTATIONS) or subject.is_pdfx):
        return
    root = entry(subject.pdf.trailer, "/Root")
    names = entry(root, "/Names")
    held = [(root, "/OpenAction"), (root, "/AA"), (root, "/AcroForm")]
    held += [(names, "/JavaScript"), (names, "/EmbeddedFiles")]
    for holder, key in held:
        if entry(holder, key) is not None:
            yield subject.finding("actions", None, f"{key.lstrip('/')} in the catalog", "no actions")
    for page in subject.pages:
        if entry(page.obj, "/AA") is not None:
            yield subject.finding("actions", page, "an action on the page", "no actions")


def layers(subject: Subject) -> Iterator[Finding]:
    """A PDF/X file has no layers that could be on or off."""
    root = entry(subject.pdf.trailer, "/Root")
    if subject.is_pdfx and entry(root, "/OCProperties") is not None:
        yield subject.finding("layers", None, "layers (OCProperties)", "none", PDFX_SOURCE)
