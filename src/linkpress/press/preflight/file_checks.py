"""Checks of the file as a whole: its size and pages, fonts, transparency, and what belongs on a screen."""

from __future__ import annotations

from collections.abc import Iterator

import pikepdf

from linkpress.layout.printers import check_page_limits, check_page_multiple, check_trim
from linkpress.press.findings import Finding
from linkpress.press.pdf_reading.fonts import is_embedded
from linkpress.press.pdf_reading.objects import dictionary, elements, entry, name, named, number
from linkpress.press.pdf_reading.pages import Reached
from linkpress.press.pdf_reading.reader import message_of
from linkpress.press.preflight.judged_file import JudgedFile


def file_size(file: JudgedFile) -> Iterator[Finding]:
    """The file is no larger than the printer takes."""
    limit_mb = file.profile.data.limits.file_mb
    size_mb = len(file.reader.raw) / 2**20
    if limit_mb is not None and size_mb > limit_mb:
        yield Finding(f"{size_mb:.0f} MB", f"{limit_mb} MB or less")


def encryption(file: JudgedFile) -> Iterator[Finding]:
    """The file is not encrypted, with or without a password."""
    if file.pdf.is_encrypted:
        yield Finding("the file is encrypted", "no encryption")


def damage(file: JudgedFile) -> Iterator[Finding]:
    """The file's structure needed no repair."""
    for warning in file.reader.collect_warnings()[:3]:
        yield Finding(message_of(warning), "a file without faults")


def page_count(file: JudgedFile) -> Iterator[Finding]:
    """The printer binds so many pages."""
    for problem in check_page_limits(file.profile, file.trim, file.page_count, file.paper):
        yield Finding(problem.found, problem.message)


def page_multiple(file: JudgedFile) -> Iterator[Finding]:
    """The number of pages is a multiple of what the printer's sheets hold."""
    for problem in check_page_multiple(file.profile, file.trim, file.page_count):
        yield Finding(problem.found, problem.message)


def trim_size(file: JudgedFile) -> Iterator[Finding]:
    """The printer cuts to this size."""
    for problem in check_trim(file.profile, file.trim):
        yield Finding(problem.found, problem.message)


def fonts_embedded(file: JudgedFile) -> Iterator[Finding]:
    """Every font's glyphs are in the file."""
    for reached in file.reached_as("/Font"):
        if dictionary(reached.value) is not None and not is_embedded(reached.value):
            base = named(reached.value, "/BaseFont").lstrip("/") or reached.name
            yield Finding(f"{base} is not embedded", "every font embedded", reached.page.number)


def transparency(file: JudgedFile) -> Iterator[Finding]:
    """Nothing is see-through: no soft mask, no opacity, no blending, no transparency group."""
    for page in file.pages:
        if named(entry(page.obj, "/Group"), "/S") == "/Transparency":
            yield Finding("a transparency group", "no transparency", page.number)
    for reached in file.reached:
        for found in _see_through(reached):
            yield Finding(found, "no transparency", reached.page.number)


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


def outline(file: JudgedFile) -> Iterator[Finding]:
    """There are no bookmarks."""
    if entry(entry(file.root, "/Outlines"), "/First") is not None:
        yield Finding("bookmarks", "no bookmarks")


def metadata(file: JudgedFile) -> Iterator[Finding]:
    """There is no XMP stream, in the catalog or under any object."""
    holders = [file.root, *(page.obj for page in file.pages)]
    holders += [reached.value for reached in file.reached]
    count = sum(isinstance(entry(holder, "/Metadata"), pikepdf.Stream) for holder in holders)
    if count:
        yield Finding(f"{count} XMP stream{'s' * (count > 1)}", "the Info dictionary alone")


def actions(file: JudgedFile) -> Iterator[Finding]:
    """Opening or turning a page does nothing; no script or file is attached."""
    names = entry(file.root, "/Names")
    held = [(file.root, "/OpenAction"), (file.root, "/AA"), (file.root, "/AcroForm")]
    held += [(names, "/JavaScript"), (names, "/EmbeddedFiles")]
    for holder, key in held:
        if entry(holder, key) is not None:
            yield Finding(f"{key.lstrip('/')} in the catalog", "no actions")
    for page in file.pages:
        if entry(page.obj, "/AA") is not None:
            yield Finding("an action on the page", "no actions", page.number)
