"""Checks of PDF/X-1a:2001, for files that are, or claim to be, of that kind."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pikepdf

from linkpress.press.findings import Finding
from linkpress.press.pdf_reading.objects import elements, entry, filters, name, named
from linkpress.press.pdf_reading.pages import PageFacts
from linkpress.press.preflight.judged_file import JudgedFile
from linkpress.press.preflight.page_ink import PageInk

_MAX_OBJECTS = 200_000
_TOO_NEW = re.compile(rb"/Type\s*/(?:ObjStm|XRef)\b")
_REFUSED_FILTERS = {
    "/LZWDecode": "LZW", "/LZW": "LZW", "/JBIG2Decode": "JBIG2", "/JPXDecode": "JPEG 2000", "/Crypt": "Crypt",
}  # fmt: skip
_FIXED_KEYS = {"/GTS_PDFXVersion": "PDF/X-1:2001", "/GTS_PDFXConformance": "PDF/X-1a:2001"}
_FILLED_KEYS = ("/Title", "/CreationDate", "/ModDate")


def layers(file: JudgedFile) -> Iterator[Finding]:
    """There are no layers that could be on or off."""
    if entry(file.root, "/OCProperties") is not None:
        yield Finding("layers (OCProperties)", "none")


def header(file: JudgedFile) -> Iterator[Finding]:
    """The file is PDF 1.3, without the object streams of later versions."""
    version = str(file.pdf.pdf_version)
    if version not in ("1.0", "1.1", "1.2", "1.3"):
        yield Finding(f"PDF {version}", "PDF 1.3")
    if _TOO_NEW.search(file.reader.raw):
        yield Finding("object streams", "plain objects")


def info_keys(file: JudgedFile) -> Iterator[Finding]:
    """The Info dictionary names the standard, title, dates and trapping."""
    info = entry(file.pdf.trailer, "/Info")
    for key, wanted in _FIXED_KEYS.items():
        if _text(info, key) != wanted:
            yield Finding(f"{key.lstrip('/')} {_text(info, key) or 'is missing'}", wanted)
    for key in _FILLED_KEYS:
        if not _text(info, key):
            yield Finding(f"no {key.lstrip('/')}", "one that says something")
    if named(info, "/Trapped") not in ("/True", "/False"):
        yield Finding("Trapped is not set", "True or False")


def output_intent(file: JudgedFile) -> Iterator[Finding]:
    """One output intent says for which printing condition the file was made."""
    intents = elements(entry(file.root, "/OutputIntents"))
    ours = [intent for intent in intents if named(intent, "/S") == "/GTS_PDFX"]
    if len(ours) != 1:
        yield Finding(f"{len(ours)} GTS_PDFX intents", "one")
        return
    identifier = _text(ours[0], "/OutputConditionIdentifier")
    profiled = isinstance(entry(ours[0], "/DestOutputProfile"), pikepdf.Stream)
    if not identifier or not (_text(ours[0], "/RegistryName") or profiled):
        yield Finding(f"the condition {identifier!r}", "a registered condition, or an embedded profile")
    if not _text(ours[0], "/Info"):
        yield Finding("an intent without Info", "Info in words")


def file_id(file: JudgedFile) -> Iterator[Finding]:
    """The trailer carries the file's two identifiers."""
    if len(elements(entry(file.pdf.trailer, "/ID"))) != 2:
        yield Finding("no ID in the trailer", "two identifiers")


def compression(file: JudgedFile) -> Iterator[Finding]:
    """No stream is packed in a way that the standard refuses."""
    found: set[str] = set()
    for place, thing in enumerate(file.pdf.objects):
        if place > _MAX_OBJECTS:
            break
        if isinstance(thing, pikepdf.Stream):
            found.update(_REFUSED_FILTERS[step] for step in filters(thing) if step in _REFUSED_FILTERS)
    if found:
        yield Finding(f"streams packed by {', '.join(sorted(found))}", "Flate, JPEG, none")


def inline_compression(file: JudgedFile, page: PageFacts, ink: PageInk) -> Iterator[Finding]:
    """Nor is an image inside a page's content."""
    refused = ink.content.inline_filters & _REFUSED_FILTERS.keys()
    for packing in sorted(_REFUSED_FILTERS[step] for step in refused):
        yield Finding(f"an image in the content packed by {packing}", "Flate, JPEG, none")


def transfer_curves(file: JudgedFile) -> Iterator[Finding]:
    """No curve of the file's own changes the printer's tones."""
    for reached in file.reached_as("/ExtGState"):
        for key, fine in (("/TR", ()), ("/TR2", ("/Default",)), ("/HTP", ())):
            value = entry(reached.value, key)
            if value is not None and name(value) not in fine:
                yield Finding(f"{key.lstrip('/')} in a graphics state", "none", reached.page.number)


def postscript(file: JudgedFile) -> Iterator[Finding]:
    """No PostScript, OPI comment or file outside is drawn."""
    for reached in file.reached_as("/XObject"):
        page = reached.page.number
        kind = named(reached.value, "/Subtype")
        if kind == "/PS" or named(reached.value, "/Subtype2") == "/PS":
            yield Finding("a PostScript object", "none", page)
        for key in ("/OPI", "/Ref", "/F"):
            if entry(reached.value, key) is not None:
                found = f"an object kept outside the file ({key.lstrip('/')})"
                yield Finding(found, "all inside the file", page)


def _text(holder: object, key: str) -> str:
    value = entry(holder, key)
    return str(value).strip() if isinstance(value, pikepdf.String) else ""
