"""Checks of what pages reach through their resources: fonts, transparency, transfer curves, PostScript."""

from __future__ import annotations

from collections.abc import Iterator

import pikepdf

from linkpress.layout.printer_data import Forbidden
from linkpress.press.pdf_reading.fonts import is_embedded
from linkpress.press.pdf_reading.objects import dictionary, elements, entry, name, named, number
from linkpress.press.preflight.resources import Reached
from linkpress.press.preflight.result import Finding
from linkpress.press.preflight.subject import PDFX_SOURCE, Subject


def fonts_embedded(subject: Subject) -> Iterator[Finding]:
    """Every font's glyphs are in the file."""
    for reached in _of(subject, "/Font"):
        if dictionary(reached.value) is not None and not is_embedded(reached.value):
            base = named(reached.value, "/BaseFont").lstrip("/") or reached.name
            found = f"{base} is not embedded"
            yield subject.finding("fonts-embedded", reached.page, found, "every font embedded")


def transparency(subject: Subject) -> Iterator[Finding]:
    """Nothing is see-through: no soft mask, no opacity, no blending, no transparency group."""
    if not (subject.forbids(Forbidden.TRANSPARENCY) or subject.is_pdfx):
        return
    for page in subject.pages:
        if named(entry(page.obj, "/Group"), "/S") == "/Transparency":
            yield subject.finding("transparency", page, "a transparency group", "no transparency")
    for reached in subject.reached:
        for found in _see_through(reached):
            yield subject.finding("transparency", reached.page, found, "no transparency")


def transfer_curves(subject: Subject) -> Iterator[Finding]:
    """No curve of the file's own changes the printer's tones."""
    if not subject.is_pdfx:
        return
    for reached in _of(subject, "/ExtGState"):
        for key, fine in (("/TR", ()), ("/TR2", ("/Default",)), ("/HTP", ())):
            value = entry(reached.value, key)
            if value is not None and name(value) not in fine:
                found = f"{key.lstrip('/')} in a graphics state"
                yield subject.finding("transfer-curves", reached.page, found, "none", PDFX_SOURCE)


def postscript(subject: Subject) -> Iterator[Finding]:
    """No PostScript, OPI comment or file outside is drawn."""
    if not subject.is_pdfx:
        return
    for reached in _of(subject, "/XObject"):
        kind = named(reached.value, "/Subtype")
        if kind == "/PS" or named(reached.value, "/Subtype2") == "/PS":
            yield subject.finding("postscript", reached.page, "a PostScript object", "none", PDFX_SOURCE)
        for key in ("/OPI", "/Ref", "/F"):
            if entry(reached.value, key) is not None:
                found = f"an object kept outside the file ({key.lstrip('/')})"
                yield subject.finding("postscript", reached.page, found, "all inside the file", PDFX_SOURCE)


def _of(subject: Subject, category: str) -> Iterator[Reached]:
    return (reached for reached in subject.reached if reached.category == category)


def _see_through(reached: Reached) -> Iterator[str]:
    value = reached.value
    if reached.category == "/ExtGState":
        yield from _see_through_state(value)
    if named(entry(value, "/Group"), "/S") == "/Transparency":
        yield "a transparency group"
    if isinstance(value, pikepdf.Stream):
        if isinstance(entry(value, "/SMask"), pikepdf.Stream):
            yield "an image with a soft mask"
        if number(entry(value, "/SMaskInData")):
            yield "an image with a soft mask"


def _see_through_state(value: object) -> Iterator[str]:
    for key in ("/ca", "/CA"):
        if number(entry(value, key), 1.0) != 1.0:
            yield f"an opacity of {number(entry(value, key)):.0%}"
    if entry(value, "/SMask") is not None and named(value, "/SMask") != "/None":
        yield "a soft mask"
    blend = entry(value, "/BM")
    modes = [name(mode) for mode in elements(blend)] or [name(blend)]
    if blend is not None and modes[0] not in ("/Normal", "/Compatible"):
        yield f"the blend mode {modes[0].lstrip('/')}"
