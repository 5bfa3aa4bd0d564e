"""These checks judge the whole file: size, pages, fonts, transparency, what is for screens, PDF/X-1a."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

import pikepdf

from linkpress.preflight.findings import Finding
from linkpress.preflight.judged_file import JudgedFile, PageInk
from linkpress.preflight.pdf_reading.embedded_fonts import is_embedded, is_loadable
from linkpress.preflight.pdf_reading.objects import dictionary, elements, entry, filters, name, named, number
from linkpress.preflight.pdf_reading.page_boxes import Reached
from linkpress.preflight.pdf_reading.reader import message_of
from linkpress.printers.profile import check_page_limits, check_page_multiple, check_trim

_TOO_NEW = re.compile(rb"/Type\s*/(?:ObjStm|XRef)\b")
_REFUSED_FILTERS = {
    "/LZWDecode": "LZW", "/LZW": "LZW", "/JBIG2Decode": "JBIG2", "/JPXDecode": "JPEG 2000", "/Crypt": "Crypt",
}  # fmt: skip
# The names in the ICC's Characterization Data Registry, as of 2026.
_CONDITIONS = re.compile(
    r"FOGRA[2-6]\d[LS]?|CGATS TR ?00[1-6]|CGATS21-2-CRPC[1-7]|IFRA(?:22|26|28|30)[LS]?|JC200103|JCW2003"
    r"|JCN2002|EUROSB\d{3}|EUSC\w*|SWOP200[67]_Coated[35]\w*|GRACoL2006_Coated1\w*|Custom\w*|PSRgravure\w*"
)
_JPX_MARKS = (b"\x00\x00\x00\x0cjP  ", b"\xff\x4f\xff\x51")
_MOST_FLATE = 1032  # bytes that one packed byte can become
_COMPONENTS = {"/DeviceRGB": 3, "/DeviceCMYK": 4}
_FIXED_KEYS = {"/GTS_PDFXVersion": "PDF/X-1:2001", "/GTS_PDFXConformance": "PDF/X-1a:2001"}
_DEFAULTS = ("DefaultGray", "DefaultRGB", "DefaultCMYK")
_NO_DEFAULTS = ("/Separation", "/DeviceN", "/Indexed", "/Pattern")
_LIKELY_FLATE = 200  # a picture that packs better is unpacked and counted
_FILLED_KEYS = ("/Title", "/CreationDate", "/ModDate")
_SUBSET = re.compile(r"[A-Z]{6}\+")  # PDF 1.4, 5.5.3: the tag before the name of a subset


def file_size(file: JudgedFile) -> Iterator[Finding]:
    """Require a file that is no larger than the printer takes."""
    limit_mb = file.profile.limits.file_mb
    size_mb = len(file.reader.raw) / 2**20
    if limit_mb is not None and size_mb > limit_mb:
        yield Finding(f"{size_mb:.0f} MB", f"{limit_mb} MB or less")


def encryption(file: JudgedFile) -> Iterator[Finding]:
    """Require a file that is not encrypted, with or without a password."""
    if file.pdf.is_encrypted:
        yield Finding("the file is encrypted", "no encryption")


def damage(file: JudgedFile) -> Iterator[Finding]:
    """Require a structure that needed no repair."""
    for warning in file.reader.collect_warnings()[:3]:
        yield Finding(message_of(warning), "a file without faults")


def page_count(file: JudgedFile) -> Iterator[Finding]:
    """Require so many pages as the printer binds, and of a cover one."""
    if file.is_cover:
        if file.page_count > 1:
            found = f"{file.page_count} pages: this seems to be an interior, which is judged without --cover"
            yield Finding(found, "one page with back, spine and front")
        return
    for problem in check_page_limits(file.profile, file.trim, file.page_count, file.paper):
        yield Finding(problem.found, problem.message)


def page_multiple(file: JudgedFile) -> Iterator[Finding]:
    """Require a multiple of the pages that the printer's sheets hold."""
    for problem in check_page_multiple(file.profile, file.trim, file.page_count):
        yield Finding(problem.found, problem.message)


def trim_size(file: JudgedFile) -> Iterator[Finding]:
    """Require a size to which the printer cuts."""
    for problem in check_trim(file.profile, file.trim):
        yield Finding(problem.found, problem.message)


def fonts_embedded(file: JudgedFile) -> Iterator[Finding]:
    """Require every font's glyphs in the file, and all of them where the book asks for this."""
    for reached in file.reached_as("/Font"):
        if dictionary(reached.value) is None:
            continue
        base = named(reached.value, "/BaseFont").lstrip("/") or reached.name
        if not is_embedded(reached.value):
            idle = (
                "" if file.reader.sets_text_in(reached.value) else ", and listed though no text is set in it"
            )
            yield Finding(f"{base} is not embedded{idle}", "every font embedded", reached.page.number)
        elif not is_loadable(reached.value):
            found = f"{base} is embedded as data that are no font, or end too early"
            yield Finding(found, "fonts whose glyphs can be drawn", reached.page.number)
        elif file.required.full_fonts and _SUBSET.match(base):
            needed = "every font embedded as a whole (fonts.embed)"
            yield Finding(f"{base} is a subset", needed, reached.page.number)


def transparency(file: JudgedFile) -> Iterator[Finding]:
    """Require that nothing is see-through: no soft mask, opacity, blending or transparency group."""
    # Word, LibreOffice and cairo make each page a group, which shows nothing by itself: PDF/X alone minds.
    for page in file.pages if file.is_pdfx else ():
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
    """Require a file without bookmarks."""
    if entry(entry(file.root, "/Outlines"), "/First") is not None:
        yield Finding("bookmarks", "no bookmarks")


def metadata(file: JudgedFile) -> Iterator[Finding]:
    """Require a file without an XMP stream, in the catalog or under any object."""
    holders = [file.root, *(page.obj for page in file.pages)]
    holders += [reached.value for reached in file.reached]
    count = sum(isinstance(entry(holder, "/Metadata"), pikepdf.Stream) for holder in holders)
    if count:
        yield Finding(f"{count} XMP stream{'s' * (count > 1)}", "the Info dictionary alone")


def actions(file: JudgedFile) -> Iterator[Finding]:
    """Require that opening or turning a page does nothing, and that no script or file is attached."""
    names = entry(file.root, "/Names")
    places = [(file.root, "/OpenAction"), (file.root, "/AA"), (file.root, "/AcroForm")]
    places += [(names, "/JavaScript"), (names, "/EmbeddedFiles")]
    for holder, key in places:
        value = entry(holder, key)
        if key == "/OpenAction" and dictionary(value) is None:
            continue  # a destination says where the file opens, and does nothing
        if value is not None:
            yield Finding(f"{key.lstrip('/')} in the catalog", "no actions")
    for page in file.pages:
        if entry(page.obj, "/AA") is not None:
            yield Finding("an action on the page", "no actions", page.number)


def layers(file: JudgedFile) -> Iterator[Finding]:
    """Require a file without layers that could be on or off."""
    if entry(file.root, "/OCProperties") is not None:
        yield Finding("layers (OCProperties)", "none")


def header(file: JudgedFile) -> Iterator[Finding]:
    """Require PDF 1.3, without the object streams of later versions."""
    version = str(file.pdf.pdf_version)
    if version not in ("1.0", "1.1", "1.2", "1.3"):
        yield Finding(f"PDF {version}", "PDF 1.3")
    if _TOO_NEW.search(file.reader.raw):
        yield Finding("object streams", "plain objects")


def info_keys(file: JudgedFile) -> Iterator[Finding]:
    """Require an Info dictionary with the standard, title, dates and trapping."""
    info = entry(file.pdf.trailer, "/Info")
    for key, value in _FIXED_KEYS.items():
        if _text(info, key) != value:
            yield Finding(f"{key.lstrip('/')} {_text(info, key) or 'is missing'}", value)
    for key in _FILLED_KEYS:
        if not _text(info, key):
            yield Finding(f"no {key.lstrip('/')}", "one that says something")
    if named(info, "/Trapped") not in ("/True", "/False"):
        yield Finding("Trapped is not set", "True or False")


def output_intent(file: JudgedFile) -> Iterator[Finding]:
    """Require one output intent, which says for which printing condition the file was made."""
    intents = elements(entry(file.root, "/OutputIntents"))
    ours = [intent for intent in intents if named(intent, "/S") == "/GTS_PDFX"]
    if len(ours) != 1:
        yield Finding(f"{len(ours)} GTS_PDFX intents", "one")
        return
    identifier = _text(ours[0], "/OutputConditionIdentifier")
    profiled = isinstance(entry(ours[0], "/DestOutputProfile"), pikepdf.Stream)
    registered = _text(ours[0], "/RegistryName") and _CONDITIONS.fullmatch(identifier)
    if not identifier or not (registered or profiled):
        yield Finding(f"the condition {identifier!r}", "a registered condition, or an embedded profile")
    if not _text(ours[0], "/Info"):
        yield Finding("an intent without Info", "Info in words")


def file_id(file: JudgedFile) -> Iterator[Finding]:
    """Require the file's two identifiers in the trailer."""
    if len(elements(entry(file.pdf.trailer, "/ID"))) != 2:
        yield Finding("no ID in the trailer", "two identifiers")


def compression(file: JudgedFile) -> Iterator[Finding]:
    """Require that no stream is packed in a way that the standard refuses."""
    found: set[str] = set()
    for thing in file.pdf.objects:
        if isinstance(thing, pikepdf.Stream):
            found.update(_REFUSED_FILTERS[step] for step in filters(thing) if step in _REFUSED_FILTERS)
    if found:
        yield Finding(f"streams packed by {', '.join(sorted(found))}", "Flate, JPEG, none")


def inline_compression(file: JudgedFile, ink: PageInk) -> Iterator[Finding]:
    """Require that no image inside a page's content is packed in a way that the standard refuses."""
    refused = ink.content.inline_filters & _REFUSED_FILTERS.keys()
    for packing in sorted(_REFUSED_FILTERS[step] for step in refused):
        yield Finding(f"an image in the content packed by {packing}", "Flate, JPEG, none")


def image_data(file: JudgedFile) -> Iterator[Finding]:
    """Require data for all of an image's samples."""
    for reached in file.reached_as("/XObject"):
        image = reached.value
        if isinstance(image, pikepdf.Stream) and named(image, "/Subtype") == "/Image":
            found = _image_defect(image)
            if found:
                yield Finding(found, "images with data for all samples", reached.page.number)


def _image_defect(image: pikepdf.Stream) -> str | None:
    raw, packing = image.read_raw_bytes(), filters(image)
    if packing[-1:] == ["/JPXDecode"]:
        return None if raw.startswith(_JPX_MARKS) else "an image that is said to be JPEG 2000, and is not"
    bits = 1 if entry(image, "/ImageMask") is True else number(entry(image, "/BitsPerComponent"), 8.0)
    bits *= _COMPONENTS.get(named(image, "/ColorSpace"), 1)
    wanted = math.ceil(number(entry(image, "/Width")) * bits / 8) * number(entry(image, "/Height"))
    most = len(raw)
    if packing and set(packing) <= {"/FlateDecode", "/Fl"}:
        most *= _MOST_FLATE ** len(packing)
        if most >= wanted > len(raw) * _LIKELY_FLATE:
            most = len(image.read_bytes())
    elif packing:
        return None  # of other packings no one can tell without reading them
    return f"an image of {wanted:,.0f} bytes with {len(raw):,}" if most < wanted else None


def default_colours(file: JudgedFile) -> Iterator[Finding]:
    """Require that no default colour space turns a device colour into an ink of its own."""
    for reached in file.reached_as("/ColorSpace"):
        kind = name(next(iter(elements(reached.value)), None))
        if reached.name.lstrip("/") in _DEFAULTS and kind in _NO_DEFAULTS:
            found = f"{reached.name.lstrip('/')} is {kind.lstrip('/')}"
            yield Finding(found, "a gray, RGB or CMYK space", reached.page.number)


def transfer_curves(file: JudgedFile) -> Iterator[Finding]:
    """Require that no curve of the file's own changes the printer's tones."""
    for reached in file.reached_as("/ExtGState"):
        for key, fine in (("/TR", ()), ("/TR2", ("/Default",)), ("/HTP", ())):
            value = entry(reached.value, key)
            if value is not None and name(value) not in fine:
                yield Finding(f"{key.lstrip('/')} in a graphics state", "none", reached.page.number)


def postscript(file: JudgedFile) -> Iterator[Finding]:
    """Require that no PostScript, OPI comment or file outside is drawn."""
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
