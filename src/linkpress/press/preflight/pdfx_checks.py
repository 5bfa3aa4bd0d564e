"""Checks of the keys and encodings of PDF/X-1a:2001, for files that are, or claim to be, of that kind."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pikepdf

from linkpress.press.pdf_reading.objects import elements, entry, filters, named
from linkpress.press.preflight.result import Finding
from linkpress.press.preflight.subject import PDFX_SOURCE, Subject

_MAX_OBJECTS = 200_000
_TOO_NEW = re.compile(rb"/Type\s*/(?:ObjStm|XRef)\b")
REFUSED_FILTERS = {
    "/LZWDecode": "LZW", "/LZW": "LZW", "/JBIG2Decode": "JBIG2", "/JPXDecode": "JPEG 2000", "/Crypt": "Crypt",
}  # fmt: skip


def header(subject: Subject) -> Iterator[Finding]:
    """The file is PDF 1.3, without the object streams of later versions."""
    if not subject.is_pdfx:
        return
    version = str(subject.pdf.pdf_version)
    if version not in ("1.0", "1.1", "1.2", "1.3"):
        yield subject.finding("header", None, f"PDF {version}", "PDF 1.3", PDFX_SOURCE)
    if _TOO_NEW.search(subject.raw):
        yield subject.finding("header", None, "object streams", "plain objects", PDFX_SOURCE)


def info_keys(subject: Subject) -> Iterator[Finding]:
    """The Info dictionary names the standard, title, dates and trapping."""
    if not subject.is_pdfx:
        return
    info = entry(subject.pdf.trailer, "/Info")
    fixed = (("/GTS_PDFXVersion", "PDF/X-1:2001"), ("/GTS_PDFXConformance", "PDF/X-1a:2001"))
    for key, wanted in fixed:
        if _text(entry(info, key)) != wanted:
            found = f"{key.lstrip('/')} {_text(entry(info, key)) or 'is missing'}"
            yield subject.finding("info-keys", None, found, wanted, PDFX_SOURCE)
    for key in ("/Title", "/CreationDate", "/ModDate"):
        if not _text(entry(info, key)):
            yield subject.finding(
                "info-keys", None, f"no {key.lstrip('/')}", "one that says something", PDFX_SOURCE
            )
    if named(info, "/Trapped") not in ("/True", "/False"):
        yield subject.finding("info-keys", None, "Trapped is not set", "True or False", PDFX_SOURCE)


def output_intent(subject: Subject) -> Iterator[Finding]:
    """One output intent says for which printing condition the file was made."""
    if not subject.is_pdfx:
        return
    intents = elements(entry(entry(subject.pdf.trailer, "/Root"), "/OutputIntents"))
    ours = [intent for intent in intents if named(intent, "/S") == "/GTS_PDFX"]
    if len(ours) != 1:
        yield subject.finding("output-intent", None, f"{len(ours)} GTS_PDFX intents", "one", PDFX_SOURCE)
        return
    identifier = _text(entry(ours[0], "/OutputConditionIdentifier"))
    registered = _text(entry(ours[0], "/RegistryName"))
    if not identifier or not (registered or isinstance(entry(ours[0], "/DestOutputProfile"), pikepdf.Stream)):
        allowed = "a registered condition, or an embedded profile"
        yield subject.finding("output-intent", None, f"the condition {identifier!r}", allowed, PDFX_SOURCE)
    if not _text(entry(ours[0], "/Info")):
        yield subject.finding("output-intent", None, "an intent without Info", "Info in words", PDFX_SOURCE)


def file_id(subject: Subject) -> Iterator[Finding]:
    """The trailer carries the file's two identifiers."""
    if subject.is_pdfx and len(elements(entry(subject.pdf.trailer, "/ID"))) != 2:
        yield subject.finding("file-id", None, "no ID in the trailer", "two identifiers", PDFX_SOURCE)


def compression(subject: Subject) -> Iterator[Finding]:
    """No stream is packed in a way that the standard refuses."""
    if not subject.is_pdfx:
        return
    found: set[str] = set()
    for place, thing in enumerate(subject.pdf.objects):
        if place > _MAX_OBJECTS:
            break
        if isinstance(thing, pikepdf.Stream):
            found.update(REFUSED_FILTERS[step] for step in filters(thing) if step in REFUSED_FILTERS)
    if found:
        listed = ", ".join(sorted(found))
        yield subject.finding(
            "compression", None, f"streams packed by {listed}", "Flate, JPEG, none", PDFX_SOURCE
        )


def _text(value: object) -> str:
    return str(value).strip() if isinstance(value, pikepdf.String) else ""
