"""Functions for the checks of finished PDFs. Each function has the name that its check has in reports.

Each function yields a ``Finding`` for each problem. There are three groups of checks:

1. Checks of the file as a whole. These functions take the file.
2. Checks of a page's boxes and dictionary. These functions take the file and the page.
3. Checks of the objects that a page draws. These functions take the file and the page's drawing.

``check_table`` lists the files to which each check applies, and the source of each limit.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Iterator

import pikepdf

from linkpress.documents.values import Size
from linkpress.preflight.judged_file import BOX_SLACK_PT, Finding, JudgedFile, PageDrawing
from linkpress.preflight.pdf_content import CMYK_LIKE, GRAY_LIKE, RGB_LIKE, Colour, ColourSpace, SpaceFamily
from linkpress.preflight.pdf_drawing import (
    DrawnImage,
    DrawnObject,
    DrawnPath,
    DrawnShading,
    DrawnText,
    is_white,
)
from linkpress.preflight.pdf_file import PageInfo, Resource, error_text, is_embedded, is_loadable, size_of
from linkpress.preflight.pdf_objects import (
    Box,
    Point,
    box_around,
    box_contains,
    dictionary,
    elements,
    entry,
    filters,
    intersection,
    is_inside,
    middle,
    name,
    name_entry,
    number,
    widen,
)
from linkpress.printers import (
    BookFormat,
    Colours,
    Forbidden,
    check_page_limits,
    check_page_multiple,
    check_trim,
)

_OBJECT_STREAM = re.compile(rb"/Type\s*/(?:ObjStm|XRef)\b")
_REFUSED_FILTERS = {
    "/LZWDecode": "LZW", "/LZW": "LZW", "/JBIG2Decode": "JBIG2", "/JPXDecode": "JPEG 2000", "/Crypt": "Crypt",
}  # fmt: skip
# Names of the printing conditions in the ICC's Characterization Data Registry, as of 2026.
_PRINTING_CONDITIONS = re.compile(
    r"FOGRA[2-6]\d[LS]?|CGATS TR ?00[1-6]|CGATS21-2-CRPC[1-7]|IFRA(?:22|26|28|30)[LS]?|JC200103|JCW2003"
    r"|JCN2002|EUROSB\d{3}|EUSC\w*|SWOP200[67]_Coated[35]\w*|GRACoL2006_Coated1\w*|Custom\w*|PSRgravure\w*"
)
_JPEG_2000_STARTS = (b"\x00\x00\x00\x0cjP  ", b"\xff\x4f\xff\x51")
_MAX_FLATE_RATIO = 1032  # maximum number of bytes to which one byte of Flate data can expand

# One byte of Flate data rarely expands to more bytes than this. If it would have to expand to more, to fill
# the image's width and height, the data are decoded to count the bytes.
_LIKELY_FLATE_RATIO = 200
_COMPONENTS = {"/DeviceRGB": 3, "/DeviceCMYK": 4}
_PDFX_INFO = {"/GTS_PDFXVersion": "PDF/X-1:2001", "/GTS_PDFXConformance": "PDF/X-1a:2001"}
_REQUIRED_INFO = ("/Title", "/CreationDate", "/ModDate")
_DEFAULT_SPACES = ("DefaultGray", "DefaultRGB", "DefaultCMYK")
_REFUSED_AS_DEFAULT = ("/Separation", "/DeviceN", "/Indexed", "/Pattern")
_SUBSET_TAG = re.compile(r"[A-Z]{6}\+")  # prefix of the name of a font subset (PDF Reference 1.4, 5.5.3)

_PRINTABLE = "gray, CMYK, spot"
_CONVERTED = "gray and sRGB, which this printer converts to CMYK itself"
# Minimum horizontal scale of text, relative to its vertical scale. Condensed text has a scale of 0.5 or more.
_LEAST_STRETCH = 0.3

# Minimum share of a dashed line that is covered with ink. A dotted line with a dot of 1 pt every 8 pt has a
# share of 12 %.
_LEAST_DASHED = 0.1
_MAX_DASHES = 2_000  # maximum number of dashes of one line that are measured
_MIN_GROUND_PT = 4.0  # white text can be read on a printed line that is at least this wide (pt)
_SLACK = 0.005  # tolerance for sizes and tints, because files round numbers to a few decimals
_SLACK_PT = 0.5  # tolerance in points for positions; printers cut pages less accurately than this

# Minimum length in points of a filled rectangle that counts as a line. A shorter rectangle may be a dot or
# part of a picture.
_MIN_RULE_LENGTH_PT = 3.0
_MAX_QUOTED = 30  # maximum number of characters of a text that a message quotes


# Functions that check the file as a whole


def file_size(file: JudgedFile) -> Iterator[Finding]:
    """Check that the file is not larger than the printer accepts."""
    limit_mb = file.profile.limits.file_mb
    size_mb = len(file.reader.raw) / 2**20
    if limit_mb is not None and size_mb > limit_mb:
        yield Finding(f"{size_mb:.0f} MB", f"{limit_mb} MB or less")


def encryption(file: JudgedFile) -> Iterator[Finding]:
    """Check that the file is not encrypted. A file that opens without a password can be encrypted, too."""
    if file.pdf.is_encrypted:
        yield Finding("the file is encrypted", "no encryption")


def damage(file: JudgedFile) -> Iterator[Finding]:
    """Check that the structure of the file needed no repair when the file was opened."""
    for warning in file.reader.collect_warnings()[:3]:
        yield Finding(error_text(warning), "a file without errors")


def page_count(file: JudgedFile) -> Iterator[Finding]:
    """Check that a cover has one page, and an interior neither too few nor too many pages for the printer."""
    if file.is_cover:
        if file.page_count > 1:
            found = f"{file.page_count} pages: this seems to be an interior; judge it without --cover"
            yield Finding(found, "one page with back, spine and front")
        return
    for problem in check_page_limits(file.profile, file.trim, file.page_count, file.paper):
        yield Finding(problem.found, problem.message)


def page_multiple(file: JudgedFile) -> Iterator[Finding]:
    """Check that the page count is a multiple of the number that the printer requires."""
    for problem in check_page_multiple(file.profile, file.trim, file.page_count):
        yield Finding(problem.found, problem.message)


def trim_size(file: JudgedFile) -> Iterator[Finding]:
    """Check that the printer offers the book's trim size."""
    for problem in check_trim(file.profile, file.trim):
        yield Finding(problem.found, problem.message)


def fonts_embedded(file: JudgedFile) -> Iterator[Finding]:
    """Check that every font is embedded and can be loaded.

    If the book requires complete fonts, font subsets are reported too.
    """
    for resource in file.resources_of("/Font"):
        font, page = resource.value, resource.page.number
        if dictionary(font) is None:
            continue
        font_name = name_entry(font, "/BaseFont").lstrip("/") or resource.name
        if not is_embedded(font):
            unused = "" if file.reader.sets_text_in(font) else "; no text uses it"
            yield Finding(f"{font_name} is not embedded{unused}", "every font embedded", page)
        elif not is_loadable(font):
            found = f"the data embedded for {font_name} is no font, or is cut off"
            yield Finding(found, "fonts whose glyphs can be drawn", page)
        elif file.required.full_fonts and _SUBSET_TAG.match(font_name):
            yield Finding(f"{font_name} is a subset", "every font embedded as a whole (fonts.embed)", page)


def transparency(file: JudgedFile) -> Iterator[Finding]:
    """Check that the file uses no soft mask, opacity, blend mode or transparency group."""
    # Word, LibreOffice and cairo make every page a transparency group. Such a group changes nothing visible,
    # so it is reported only for PDF/X.
    for page in file.pages if file.is_pdfx else ():
        if name_entry(entry(page.obj, "/Group"), "/S") == "/Transparency":
            yield Finding("a transparency group", "no transparency", page.number)
    for resource in file.resources:
        for found in _transparency_in(resource):
            yield Finding(found, "no transparency", resource.page.number)


def _transparency_in(resource: Resource) -> Iterator[str]:
    value = resource.value
    if resource.category == "/ExtGState":
        for key in ("/ca", "/CA"):
            if number(entry(value, key), 1.0) != 1.0:
                yield f"an opacity of {number(entry(value, key)):.0%}"
        if entry(value, "/SMask") is not None and name_entry(value, "/SMask") != "/None":
            yield "a soft mask"
        blend = entry(value, "/BM")
        modes = [name(mode) for mode in elements(blend)] or [name(blend)]
        if blend is not None and modes[0] not in ("/Normal", "/Compatible"):
            yield f"the blend mode {modes[0].lstrip('/')}"
    if name_entry(entry(value, "/Group"), "/S") == "/Transparency":
        yield "a transparency group"
    if isinstance(value, pikepdf.Stream):
        if isinstance(entry(value, "/SMask"), pikepdf.Stream):
            yield "an image with a soft mask"
        if number(entry(value, "/SMaskInData")):
            yield "an image with a soft mask"


def outline(file: JudgedFile) -> Iterator[Finding]:
    """Check that the file has no bookmarks."""
    if entry(entry(file.root, "/Outlines"), "/First") is not None:
        yield Finding("bookmarks", "no bookmarks")


def metadata(file: JudgedFile) -> Iterator[Finding]:
    """Check that the file has no XMP metadata, neither in the catalog nor in any other object."""
    holders = [file.root, *(page.obj for page in file.pages)]
    holders += [resource.value for resource in file.resources]
    count = sum(isinstance(entry(holder, "/Metadata"), pikepdf.Stream) for holder in holders)
    if count:
        yield Finding(f"{count} XMP stream{'s' * (count > 1)}", "the Info dictionary alone")


def actions(file: JudgedFile) -> Iterator[Finding]:
    """Check that the file starts no action, and contains no script, form or attached file."""
    names = entry(file.root, "/Names")
    places = [(file.root, "/OpenAction"), (file.root, "/AA"), (file.root, "/AcroForm")]
    places += [(names, "/JavaScript"), (names, "/EmbeddedFiles")]
    for holder, key in places:
        value = entry(holder, key)
        if key == "/OpenAction" and dictionary(value) is None:
            # Instead of an action, the entry ``/OpenAction`` may be an array that gives the page at which
            # the file opens. This is allowed.
            continue
        if value is not None:
            yield Finding(f"{key.lstrip('/')} in the catalog", "no actions")
    for page in file.pages:
        if entry(page.obj, "/AA") is not None:
            yield Finding("an action on the page", "no actions", page.number)


def layers(file: JudgedFile) -> Iterator[Finding]:
    """Check that the file has no layers that could be switched on and off."""
    if entry(file.root, "/OCProperties") is not None:
        yield Finding("layers (OCProperties)", "none")


def header(file: JudgedFile) -> Iterator[Finding]:
    """Check that the file is PDF 1.3 or older, and has no object streams."""
    version = str(file.pdf.pdf_version)
    if version not in ("1.0", "1.1", "1.2", "1.3"):
        yield Finding(f"PDF {version}", "PDF 1.3")
    if _OBJECT_STREAM.search(file.reader.raw):
        yield Finding("object streams", "plain objects")


def info_keys(file: JudgedFile) -> Iterator[Finding]:
    """Check that the Info dictionary has the PDF/X version, a title, dates and the ``Trapped`` flag."""
    info = entry(file.pdf.trailer, "/Info")
    for key, value in _PDFX_INFO.items():
        if _text_entry(info, key) != value:
            yield Finding(f"{key.lstrip('/')} {_text_entry(info, key) or 'is missing'}", value)
    for key in _REQUIRED_INFO:
        if not _text_entry(info, key):
            yield Finding(f"no {key.lstrip('/')}", "a text that is not empty")
    if name_entry(info, "/Trapped") not in ("/True", "/False"):
        yield Finding("Trapped is not set", "True or False")


def output_intent(file: JudgedFile) -> Iterator[Finding]:
    """Check that the file has exactly one PDF/X output intent, and that it names a printing condition."""
    intents = [
        intent
        for intent in elements(entry(file.root, "/OutputIntents"))
        if name_entry(intent, "/S") == "/GTS_PDFX"
    ]
    if len(intents) != 1:
        yield Finding(f"{len(intents)} GTS_PDFX intents", "one")
        return
    (intent,) = intents
    condition = _text_entry(intent, "/OutputConditionIdentifier")
    has_profile = isinstance(entry(intent, "/DestOutputProfile"), pikepdf.Stream)
    is_registered = _text_entry(intent, "/RegistryName") and _PRINTING_CONDITIONS.fullmatch(condition)
    if not condition or not (is_registered or has_profile):
        yield Finding(f"the condition {condition!r}", "a registered condition, or an embedded profile")
    if not _text_entry(intent, "/Info"):
        yield Finding("an intent without Info", "Info in words")


def file_id(file: JudgedFile) -> Iterator[Finding]:
    """Check that the file's trailer has an ``ID`` array with two identifiers."""
    if len(elements(entry(file.pdf.trailer, "/ID"))) != 2:
        yield Finding("no ID in the trailer", "two identifiers")


def compression(file: JudgedFile) -> Iterator[Finding]:
    """Check that no stream is compressed by a filter that PDF/X-1a refuses."""
    refused = {
        _REFUSED_FILTERS[filter_name]
        for value in file.pdf.objects
        if isinstance(value, pikepdf.Stream)
        for filter_name in filters(value)
        if filter_name in _REFUSED_FILTERS
    }
    if refused:
        yield Finding(f"streams compressed by {', '.join(sorted(refused))}", "Flate, JPEG, none")


def image_data(file: JudgedFile) -> Iterator[Finding]:
    """Check that no image has less data than its width, height and colours require."""
    for resource in file.resources_of("/XObject"):
        image = resource.value
        if isinstance(image, pikepdf.Stream) and name_entry(image, "/Subtype") == "/Image":
            problem = _image_data_problem(image)
            if problem:
                yield Finding(problem, "images with data for all samples", resource.page.number)


def _image_data_problem(image: pikepdf.Stream) -> str | None:
    raw, filter_names = image.read_raw_bytes(), filters(image)
    if filter_names[-1:] == ["/JPXDecode"]:
        return None if raw.startswith(_JPEG_2000_STARTS) else "an image said to be JPEG 2000, which it is not"
    bits = 1 if entry(image, "/ImageMask") is True else number(entry(image, "/BitsPerComponent"), 8.0)
    bits *= _COMPONENTS.get(name_entry(image, "/ColorSpace"), 1)
    needed = math.ceil(number(entry(image, "/Width")) * bits / 8) * number(entry(image, "/Height"))
    available = len(raw)
    if filter_names and set(filter_names) <= {"/FlateDecode", "/Fl"}:
        available *= _MAX_FLATE_RATIO ** len(filter_names)
        if available >= needed > len(raw) * _LIKELY_FLATE_RATIO:
            available = len(image.read_bytes())
    elif filter_names:
        # For data compressed in any other format, the size is only known after decoding, so it
        # is not checked.
        return None
    return f"an image of {needed:,.0f} bytes with {len(raw):,}" if available < needed else None


def default_colours(file: JudgedFile) -> Iterator[Finding]:
    """Check that no default colour space replaces gray, RGB or CMYK with spot, indexed or pattern colours."""
    for resource in file.resources_of("/ColorSpace"):
        kind = name(next(iter(elements(resource.value)), None))
        if resource.name.lstrip("/") in _DEFAULT_SPACES and kind in _REFUSED_AS_DEFAULT:
            found = f"{resource.name.lstrip('/')} is {kind.lstrip('/')}"
            yield Finding(found, "a gray, RGB or CMYK space", resource.page.number)


def transfer_curves(file: JudgedFile) -> Iterator[Finding]:
    """Check that no graphics state sets a transfer curve or halftone phase, which would change tones."""
    for resource in file.resources_of("/ExtGState"):
        for key, harmless in (("/TR", ()), ("/TR2", ("/Default",)), ("/HTP", ())):
            value = entry(resource.value, key)
            if value is not None and name(value) not in harmless:
                yield Finding(f"{key.lstrip('/')} in a graphics state", "none", resource.page.number)


def postscript(file: JudgedFile) -> Iterator[Finding]:
    """Check that the pages draw no PostScript object and nothing from outside the file."""
    for resource in file.resources_of("/XObject"):
        xobject, page = resource.value, resource.page.number
        if "/PS" in (name_entry(xobject, "/Subtype"), name_entry(xobject, "/Subtype2")):
            yield Finding("a PostScript object", "none", page)
        for key in ("/OPI", "/Ref", "/F"):
            if entry(xobject, key) is not None:
                found = f"an object from outside the file ({key.lstrip('/')})"
                yield Finding(found, "everything inside the file", page)


def _text_entry(holder: object, key: str) -> str:
    value = entry(holder, key)
    return str(value).strip() if isinstance(value, pikepdf.String) else ""


# Functions that check a page's boxes and dictionary


def media_box(file: JudgedFile, page: PageInfo) -> Iterator[Finding]:
    """Check that the page has a MediaBox whose width and height are not zero."""
    if page.media is None:
        yield Finding("no usable MediaBox", "four numbers with an area")


def trim_box(file: JudgedFile, page: PageInfo) -> Iterator[Finding]:
    """Check that a page of a PDF/X file has a TrimBox or ArtBox."""
    if page.trim is None:
        yield Finding("no TrimBox", "a TrimBox or ArtBox on every page")


def box_nesting(file: JudgedFile, page: PageInfo) -> Iterator[Finding]:
    """Check that the page's boxes are nested correctly.

    The TrimBox must lie inside the BleedBox, the BleedBox inside the MediaBox, and the printed page inside
    the CropBox.
    """
    pairs = (
        ("TrimBox", page.trim, "BleedBox", page.bleed),
        ("TrimBox", page.trim, "MediaBox", page.media),
        ("BleedBox", page.bleed, "MediaBox", page.media),
        ("page", page.bleed or page.trim or file.trim_box(page), "CropBox", page.crop),
    )
    for inner_name, inner, outer_name, outer in pairs:
        if inner is not None and outer is not None and not is_inside(inner, outer, BOX_SLACK_PT):
            yield Finding(
                f"the {inner_name} extends beyond the {outer_name}", "trim inside bleed inside media"
            )


def page_size(file: JudgedFile, page: PageInfo) -> Iterator[Finding]:
    """Check that the page has the book's trim size."""
    box = file.trim_box(page)
    if box is not None and not size_of(box).same_as(file.trim, BOX_SLACK_PT):
        yield Finding(str(size_of(box)), f"{file.trim}, as the book")


def bleed_size(file: JudgedFile, page: PageInfo) -> Iterator[Finding]:
    """Check that each side of the page has the required bleed, or none in a book without bleed."""
    trim, bleed = file.trim_box(page), file.bleed_box(page)
    if trim is None or bleed is None or (not file.profile.forbids(Forbidden.MARKS) and page.bleed is None):
        return
    widths = file.bleed_widths(page)
    sides = (
        ("left", trim[0] - bleed[0], widths.left_pt),
        ("right", bleed[2] - trim[2], widths.right_pt),
        ("top", bleed[3] - trim[3], widths.top_pt),
        ("bottom", trim[1] - bleed[1], widths.bottom_pt),
    )
    for side, found_pt, bleed_pt in sides:
        needed_pt = bleed_pt if file.has_bleed else 0.0
        if abs(found_pt - needed_pt) > BOX_SLACK_PT:
            yield Finding(f"{found_pt:.1f} pt of bleed at the {side}", f"{needed_pt:.1f} pt")


def rotation(file: JudgedFile, page: PageInfo) -> Iterator[Finding]:
    """Check that the page is neither rotated nor scaled."""
    if page.rotate % 360:
        yield Finding(f"rotated by {page.rotate:g}°", "pages without rotation")
    if page.user_unit != 1:
        yield Finding(f"UserUnit {page.user_unit:g}", "a scale of 1")


def no_annotations(file: JudgedFile, page: PageInfo) -> Iterator[Finding]:
    """Check that the page has no links, notes or form fields."""
    annotations = elements(entry(page.obj, "/Annots"))
    subtypes = sorted({name_entry(note, "/Subtype").lstrip("/") or "one" for note in annotations})
    if subtypes:
        yield Finding(f"annotations: {', '.join(subtypes[:5])}", "no annotations")


# Functions that check the colours on a page


def colour_space(file: JudgedFile, drawing: PageDrawing) -> Iterator[Finding]:
    """Check that lines, fills, text and shadings use colour spaces that the printer and PDF/X accept."""
    content = drawing.content
    spaces = {colour.space for colour in content.colours} | content.shading_spaces
    yield from _space_findings(file, spaces, "{} colours")


def image_colour(file: JudgedFile, drawing: PageDrawing) -> Iterator[Finding]:
    """Check that the printer and PDF/X accept the colour spaces of images.

    On paper that is printed in black only, images must be grey.
    """
    spaces = drawing.content.image_spaces
    yield from _space_findings(file, spaces, "an image in {}")
    if file.is_black_only:
        for space in {space for space in spaces if not _is_gray(space)}:
            yield Finding(f"an image in {space.family}", file.black_only_words)


def _space_findings(file: JudgedFile, spaces: Iterable[ColourSpace], text: str) -> Iterator[Finding]:
    """Yield a problem for each kind of colour space that the printer or PDF/X refuses.

    Args:
        file: the file under test.
        spaces: the colour spaces that a page uses.
        text: the message, in which {} is replaced by the kind of colour space.
    """
    families = {family for space in spaces for family in space.families}
    if file.is_pdfx or file.profile.forbids(Forbidden.RGB):
        refused = {*RGB_LIKE, SpaceFamily.UNKNOWN}
        if file.is_pdfx:
            refused |= {SpaceFamily.ICC_GRAY, SpaceFamily.ICC_CMYK, SpaceFamily.CAL_GRAY}
        for family in sorted(families & refused):
            yield Finding(text.format(family), _PRINTABLE, source=file.colour_source)
    if file.profile.colours is Colours.SRGB:
        for family in sorted(families & CMYK_LIKE):
            yield Finding(text.format(family), _CONVERTED)


def _is_gray(space: ColourSpace) -> bool:
    return space.family in GRAY_LIKE or space.is_black_ink


def black_ink(file: JudgedFile, drawing: PageDrawing) -> Iterator[Finding]:
    """Check that no other ink than black is used on a paper that is printed in black only."""
    if not file.is_black_only:
        return
    coloured = sorted(
        str(colour)
        for colour in drawing.content.colours
        if colour.black is None and not colour.is_blank and not colour.pattern
    )
    if coloured:
        yield Finding(f"the colour {coloured[0]}", file.black_only_words)
    families = {str(space.family) for space in drawing.content.shading_spaces if not _is_gray(space)}
    for family in sorted(families):
        yield Finding(f"a shading in {family}", file.black_only_words)


def rich_black(file: JudgedFile, drawing: PageDrawing) -> Iterator[Finding]:
    """Check that black is printed with black ink alone.

    If black is mixed from four inks, small type gets coloured edges.
    """
    if file.is_black_only:
        return
    # A cover may have a background in rich black, but no text in rich black.
    content = drawing.content
    colours = content.text_colours if file.is_cover else content.colours
    rich = sorted(str(colour) for colour in colours if colour.is_rich_black)
    if rich:
        yield Finding(f"the black {rich[0]}", "black of one ink: CMYK 0 0 0 1")


def tint(file: JudgedFile, drawing: PageDrawing) -> Iterator[Finding]:
    """Check that no tint is too light to be printed."""
    least = float(file.profile.limits.tint)
    light = [share for share in map(_heaviest_ink, drawing.content.colours) if 0 < share < least - _SLACK]
    if light:
        yield Finding(f"a tint of {min(light):.1%}", f"{least:.0%} or more")


def _heaviest_ink(colour: Colour) -> float:
    """Return how much a colour has of the ink that it uses most.

    The result is from 0 for no ink to 1 for solid ink. It is 1 if the amount is unknown.
    """
    if colour.black is not None:
        return colour.black
    if colour.space.indexed or not colour.values:
        return 1.0
    if colour.space.family in RGB_LIKE:
        return 1.0 if colour.space.family is SpaceFamily.LAB else 1 - min(colour.values)
    return max(colour.values)


# Functions that check the lines, texts and images on a page


def line_weight(file: JudgedFile, drawing: PageDrawing) -> Iterator[Finding]:
    """Check that no line is too thin to be printed at its final size."""
    least_pt = file.profile.limits.line_pt
    thinnest_pt = min(
        (width for item in drawing.all_objects for width in _line_widths(item)), default=least_pt
    )
    if thinnest_pt < least_pt - _SLACK:
        yield Finding(f"a line of {thinnest_pt:.2f} pt", f"{least_pt:g} pt or more")


def _line_widths(item: DrawnObject) -> Iterator[float]:
    if isinstance(item, DrawnText):
        if item.stroke_width_pt is not None and not item.invisible:
            yield item.stroke_width_pt
    elif isinstance(item, DrawnPath):
        if item.stroke is not None:
            if not is_white(item.stroke):
                yield item.width_pt
        elif item.fill is not None and not is_white(item.fill):
            yield from _bar_widths(item)


def _bar_widths(path: DrawnPath) -> Iterator[float]:
    """Yield the widths of a path's filled rectangles. Skip rectangles that are too short to be lines."""
    for part in path.subpaths:
        if part.curved or len(part.points) not in (4, 5):
            continue
        left, bottom, right, top = box_around(part.points)
        width, length = sorted((right - left, top - bottom))
        if length >= _MIN_RULE_LENGTH_PT and _is_upright(part.points):
            yield width


def _is_upright(points: list[Point]) -> bool:
    return all(abs(a[0] - b[0]) < _SLACK or abs(a[1] - b[1]) < _SLACK for a, b in itertools.pairwise(points))


def text_size(file: JudgedFile, drawing: PageDrawing) -> Iterator[Finding]:
    """Check that no text is too small to be printed at its final size."""
    least_pt = file.profile.limits.text_pt
    text, size_pt = min(_text_sizes(drawing), key=lambda shown: shown[1], default=("", least_pt))
    if size_pt < least_pt - _SLACK:
        yield Finding(f"{text[:_MAX_QUOTED]!r} at {size_pt:.2f} pt", f"{least_pt:g} pt or more")


def _text_sizes(drawing: PageDrawing) -> Iterator[tuple[str, float]]:
    """Yield each visible text on a page with its size in points.

    PDFium doesn't report sizes for Type 3 fonts. The sizes of these texts come from the page's operators.
    """
    type3_texts = drawing.content.type3_texts
    yield from type3_texts
    for item in drawing.texts:
        if not item.invisible and (item.has_font_name or not type3_texts):
            yield item.text, item.size_pt


def invisible_text(file: JudgedFile, drawing: PageDrawing) -> Iterator[Finding]:
    """Check that no text is hidden by its rendering mode."""
    hidden = [text.text for text in drawing.texts if text.invisible]
    if hidden:
        yield Finding(f"{hidden[0][:_MAX_QUOTED]!r} is drawn without ink", "no hidden text")


def squeezed_text(file: JudgedFile, drawing: PageDrawing) -> Iterator[Finding]:
    """Check that no text is squeezed horizontally so much that it can't be read."""
    narrow = [text for text in drawing.texts if text.stretch < _LEAST_STRETCH and not text.invisible]
    if narrow:
        text, stretch = narrow[0].text.strip()[:_MAX_QUOTED], narrow[0].stretch
        yield Finding(f"{text!r} at {stretch:.0%} of its width", f"{_LEAST_STRETCH:.0%} or more")


def paper_colour_text(file: JudgedFile, drawing: PageDrawing) -> Iterator[Finding]:
    """Check that no text has the colour of the paper, unless the text is on a printed area."""
    if any(colour.pattern for colour in drawing.content.text_colours):
        return  # PDFium reports text painted with a pattern as white, so such text can't be checked.
    for index, item in enumerate(drawing.objects):
        if isinstance(item, DrawnText) and not item.invisible and item.text.strip() and is_white(item.colour):
            point = middle(item.box)
            if not any(_inks(other, point) for other in drawing.objects[:index]):
                found = f"{item.text.strip()[:_MAX_QUOTED]!r} in white on nothing printed"
                yield Finding(found, "text in another colour than the paper's")
                return


def _inks(item: DrawnObject, point: Point) -> bool:
    """Return whether an object prints ink around a point, so that white text can be read there.

    The result is always False for texts and thin lines.
    """
    if isinstance(item, DrawnText):
        return False
    if not isinstance(item, DrawnPath):
        return box_contains(item.box, point)
    if item.fill is not None and not is_white(item.fill):
        return box_contains(item.box, point)
    wide = item.stroke is not None and not is_white(item.stroke) and item.width_pt >= _MIN_GROUND_PT
    return wide and box_contains(widen(item.box, item.width_pt / 2), point)


def dashes(file: JudgedFile, drawing: PageDrawing) -> Iterator[Finding]:
    """Check that no line is dashed so thinly that it can't be seen."""
    for item in drawing.all_objects:
        if not isinstance(item, DrawnPath) or not item.dash or item.stroke is None or is_white(item.stroke):
            continue
        lines = ([*part.points, part.points[0]] if part.closed else part.points for part in item.subpaths)
        for points in lines:
            length = sum(itertools.starmap(math.dist, itertools.pairwise(points)))
            if length > _MIN_RULE_LENGTH_PT and (share := _dashed_share(item, length)) < _LEAST_DASHED:
                found = f"a line of {length:.0f} pt with ink on {share:.0%} of its length"
                yield Finding(found, f"{_LEAST_DASHED:.0%} or more")
                return


def _dashed_share(path: DrawnPath, length: float) -> float:
    """Return the share of a dashed line that is covered with ink.

    Round and square caps lengthen each dash.
    """
    cap = 0.0 if path.butt else path.width_pt
    pattern = path.dash * (2 if len(path.dash) % 2 else 1)
    total = sum(pattern)
    if total <= 0:
        return 1.0
    at, inked = -(path.dash_start_pt % total), 0.0
    for index in itertools.count():
        if at >= length or index > _MAX_DASHES:
            break
        dash, gap = pattern[2 * index % len(pattern)], pattern[(2 * index + 1) % len(pattern)]
        inked += max(0.0, min(at + dash + cap, length) - max(at, 0.0))
        at += dash + gap
    return min(1.0, inked / min(length, max(at, _SLACK)))


def no_ink(file: JudgedFile, drawing: PageDrawing) -> Iterator[Finding]:
    """Check that no colour space has only the ink ``None``, which prints nothing."""
    content = drawing.content
    spaces = {colour.space for colour in content.colours} | content.image_spaces | content.shading_spaces
    if any(_is_none(space) for space in spaces):
        yield Finding("something is drawn in the ink None, which leaves nothing on paper", "inks of a press")


def _is_none(space: ColourSpace | None) -> bool:
    return space is not None and (set(space.inks) == {"/None"} or _is_none(space.base))


def fonts_found(file: JudgedFile, drawing: PageDrawing) -> Iterator[Finding]:
    """Check that the page's resources contain the font of every text."""
    for text in drawing.content.texts_without_font[:1]:
        yield Finding(f"{text[:_MAX_QUOTED]!r} without a font", "a font for every text")


def glyphs_there(file: JudgedFile, drawing: PageDrawing) -> Iterator[Finding]:
    """Check that every character has a glyph in its font.

    A character counts as missing if the page shows nothing where the character should be. Each character is
    checked only at its first place in the file.
    """
    if drawing.missing_glyphs:
        characters = ", ".join(repr(character) for character in drawing.missing_glyphs[:_MAX_QUOTED])
        yield Finding(f"nothing is drawn for {characters}", "fonts with a glyph for every character used")


def painted_over(file: JudgedFile, drawing: PageDrawing) -> Iterator[Finding]:
    """Check that nothing drawn later hides a text or a line."""
    count = len(drawing.covered)
    if count:
        texts = [item.text.strip() for item in drawing.covered if isinstance(item, DrawnText)]
        found = f"{texts[0][:_MAX_QUOTED]!r}" if texts else "a line"
        more = f" and {count - 1} more" if count > 1 else ""
        yield Finding(f"{found}{more} painted over", "text and lines that can be seen")


def image_resolution(file: JudgedFile, drawing: PageDrawing) -> Iterator[Finding]:
    """Check that every image has enough pixels for its size on the page."""
    least = file.profile.least_dpi(on_cover=file.is_cover)
    lowest = min(map(_dpi, drawing.images), default=math.inf)
    if lowest < least - 0.5:
        yield Finding(f"an image at {lowest:.0f} dpi", f"{least} dpi or more")


def _dpi(image: DrawnImage) -> float:
    a, b, c, d = image.matrix[:4]
    size = Size(math.hypot(a, b), math.hypot(c, d))
    if not size.width_pt or not size.height_pt:
        return math.inf
    return min(image.width_px / size.width_pt, image.height_px / size.height_pt) * 72


def inline_compression(file: JudgedFile, drawing: PageDrawing) -> Iterator[Finding]:
    """Check that no inline image is compressed by a filter that PDF/X-1a refuses."""
    refused = drawing.content.inline_filters & _REFUSED_FILTERS.keys()
    for filter_name in sorted(_REFUSED_FILTERS[key] for key in refused):
        yield Finding(f"an inline image compressed by {filter_name}", "Flate, JPEG, none")


# Functions that check the positions of objects on a page


def live_area(file: JudgedFile, drawing: PageDrawing) -> Iterator[Finding]:
    """Check that nothing extends into the margins, except pictures and shapes that also fill the bleed."""
    page = drawing.page
    trim, bleed = file.trim_box(page), file.bleed_box(page)
    if trim is None or bleed is None:
        return
    worst, worst_pt = None, _SLACK_PT
    live = _live_area(file, page, trim)
    for item, ink_box in drawing.ink_boxes:
        if is_inside(ink_box, live, _SLACK_PT):
            continue
        box = drawing.printed_box(item, ink_box)
        if box is None or intersection(box, bleed) is None or _bleeds_off(file, page, trim, item, box):
            continue
        beyond_pt = max(live[0] - box[0], live[1] - box[1], box[2] - live[2], box[3] - live[3])
        if beyond_pt > worst_pt:
            worst, worst_pt = (item, box), beyond_pt
    if worst is not None:
        side = _worst_side(worst[1], live, page)
        found = f"{_description(worst[0])} {worst_pt:.1f} pt over the {side} margin"
        yield Finding(found, _margins_text(file))


def _live_area(file: JudgedFile, page: PageInfo, trim: Box) -> Box:
    """Return the box of the page without the printer's margins."""
    margins = file.margins
    left, right = margins.inside_pt, margins.outside_pt
    if not page.recto:
        left, right = right, left
    return (trim[0] + left, trim[1] + margins.bottom_pt, trim[2] - right, trim[3] - margins.top_pt)


def _bleeds_off(file: JudgedFile, page: PageInfo, trim: Box, item: DrawnObject, box: Box) -> bool:
    """Return whether an object extends through the whole bleed on at least one side of the page.

    The result is always False for a text. On a page for screens, it is True for all other objects, because
    the page is never cut.
    """
    if isinstance(item, DrawnText):
        return False
    if file.profile.format is BookFormat.SCREEN:
        return True
    if not file.has_bleed:
        return False
    bleed = file.bleed_widths(page)
    sides = (
        (bleed.left_pt, trim[0] - box[0]),
        (bleed.bottom_pt, trim[1] - box[1]),
        (bleed.right_pt, box[2] - trim[2]),
        (bleed.top_pt, box[3] - trim[3]),
    )
    return any(bleed_pt and beyond_pt >= bleed_pt - BOX_SLACK_PT for bleed_pt, beyond_pt in sides)


def _worst_side(box: Box, live: Box, page: PageInfo) -> str:
    """Return the name of the margin into which a box extends furthest."""
    left, right = ("inside", "outside") if page.recto else ("outside", "inside")
    beyond = {
        left: live[0] - box[0],
        "bottom": live[1] - box[1],
        right: box[2] - live[2],
        "top": box[3] - live[3],
    }
    return max(beyond, key=lambda side: beyond[side])


def _description(item: DrawnObject) -> str:
    if isinstance(item, DrawnText):
        return repr(item.text.strip()[:_MAX_QUOTED])
    if isinstance(item, DrawnImage):
        return "an image"
    if isinstance(item, DrawnShading):
        return "a shading"
    return "a line" if item.stroke is not None else "a filled shape"


def _margins_text(file: JudgedFile) -> str:
    margins = file.margins
    return (
        f"inside {margins.inside_pt / 72:.3g} in, outside {margins.outside_pt / 72:.3g} in, "
        f"top and bottom {margins.top_pt / 72:.3g} in at {file.page_count} pages"
    )


def printers_marks(file: JudgedFile, drawing: PageDrawing) -> Iterator[Finding]:
    """Check that the page ends at the bleed, and that nothing is printed outside the bleed."""
    bleed, media = file.bleed_box(drawing.page), drawing.page.media
    if bleed is None or media is None:
        return
    outside = next((item for item, box in drawing.ink_boxes if _is_outside(drawing, item, box, bleed)), None)
    if outside is not None:
        found = f"{_description(outside)} outside the bleed"
        yield Finding(found, "no crop marks, colour bars or notes")
    elif not size_of(bleed).same_as(size_of(media), BOX_SLACK_PT):
        found = f"a page of {size_of(media)} around a bleed of {size_of(bleed)}"
        yield Finding(found, "a page that ends with the bleed")


def _is_outside(drawing: PageDrawing, item: DrawnObject, ink_box: Box, bleed: Box) -> bool:
    if is_inside(ink_box, bleed, _SLACK_PT):
        return False
    printed = drawing.printed_box(item, ink_box)
    return printed is not None and intersection(printed, bleed) is None


def last_page(file: JudgedFile, drawing: PageDrawing) -> Iterator[Finding]:
    """Check that the last page is blank if the printer prints a mark such as a barcode on it."""
    if not file.profile.page_count.last_blank or drawing.page.number != file.page_count:
        return
    if any(drawing.printed_box(item, box) is not None for item, box in drawing.ink_boxes):
        yield Finding("the last page is printed on", "a blank last page")
