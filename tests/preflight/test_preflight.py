import io
import json
import os
import zlib

import pikepdf
import pytest
import uharfbuzz
from pikepdf import Array, Dictionary, Name, OutlineItem, Stream, String

from linkpress.documents.values import Size
from linkpress.errors import UsageError
from linkpress.preflight import Requirements, check_table, preflight
from linkpress.preflight.check_table import ALL_CHECKS
from linkpress.printers import load_printer
from linkpress.production import dispatch
from linkpress.production.executors import local_workers
from press_samples import changed

KDP, INGRAM = load_printer("kdp-paperback"), load_printer("ingramspark")


def draw(pdf, content, page=2):
    pdf.pages[page].contents_add(content.encode(), prepend=False)


def set_boxes(page, *box):
    for key in ("/MediaBox", "/BleedBox", "/TrimBox"):
        page.obj[key] = Array(list(box))


def add_resource(pdf, category, key, value):
    resources = pdf.pages[2].obj.Resources
    if category not in resources:
        resources[category] = Dictionary()
    resources[category][key] = value


def sound_but(change, printer=INGRAM, paper=None, **save):
    """Return a function that changes the PDF/X book, and returns the file, printer and requirements."""
    return lambda sound, plain: (changed(sound, change, **save), printer, Requirements(paper))


def plain_but(change, **save):
    """Return a function that changes the book that is not PDF/X, for the printer KDP."""
    return lambda sound, plain: (changed(plain, change, **save), KDP, Requirements())


def drawn(content, paper=None, page=2):
    return sound_but(lambda pdf: draw(pdf, content, page), paper=paper)


def root_with(key, value):
    return lambda pdf: pdf.Root.__setitem__(key, value(pdf) if callable(value) else value)


def page_with(key, value):
    return lambda pdf: pdf.pages[2].obj.__setitem__(key, value)


def resource_with(category, value):
    return lambda pdf: add_resource(pdf, category, "/X", pdf.make_indirect(value))


def nothing(pdf):
    pass


def too_large(sound, plain):
    limits = KDP.limits.model_copy(update={"file_mb": 1})
    padded = root_with("/Padding", lambda pdf: Stream(pdf, os.urandom(1_100_000)))
    return changed(sound, padded), KDP.model_copy(update={"limits": limits}), Requirements()


def one_page_more(pdf):
    pdf.pages.append(pdf.pages[-1])


def another_trim(pdf):
    for page in pdf.pages:
        set_boxes(page, 0, 0, 432, 850)


def bookmark(pdf):
    with pdf.open_outline() as outline:
        outline.root.append(OutlineItem("Easy", 0))


def lzw(pdf):
    packed = Stream(pdf, b"")
    packed.write(bytes([0x80, 0x0B, 0x60, 0x50, 0x22, 0x0C, 0x0C, 0x85, 0x01]), filter=Name.LZWDecode)
    pdf.Root.Packed = packed


def postscript(pdf):
    program = Stream(pdf, b"showpage")
    program.Type, program.Subtype = Name.XObject, Name.PS
    add_resource(pdf, "/XObject", "/Ps", program)


def uneven_bleed(pdf):
    for page in pdf.pages:
        set_boxes(page, -9, -9, 441, 657)
        page.obj.TrimBox = Array([0, 0, 432, 648])
    pdf.pages[2].obj.MediaBox = pdf.pages[2].obj.BleedBox = Array([-9, -5, 441, 657])


def note(pdf):
    found = Dictionary(Type=Name.Annot, Subtype=Name.Text, Rect=[0, 0, 9, 9])
    pdf.pages[2].obj.Annots = Array([pdf.make_indirect(found)])


def form_inside_itself(pdf):
    form = Stream(pdf, b"/Again Do")
    form.Type, form.Subtype, form.BBox = Name.XObject, Name.Form, Array([0, 0, 9, 9])
    own = pdf.make_indirect(form)
    own.Resources = Dictionary(XObject=Dictionary(Again=own))
    add_resource(pdf, "/XObject", "/Again", own)
    draw(pdf, "/Again Do")


def long_image(data, **packing):
    """Add an image of 60,000 × 60,000 pixels that no page draws."""

    def add(pdf):
        made = Stream(pdf, data)
        if packing:
            made.write(data, filter=packing["filter"])
        made.Type, made.Subtype, made.ColorSpace = Name.XObject, Name.Image, Name.DeviceGray
        made.Width = made.Height = 60_000
        made.BitsPerComponent = 8
        add_resource(pdf, "/XObject", "/Long", made)

    return add


def without_a_glyph(pdf):
    """Remove the outline of a font's last glyph, but keep its number and width."""
    fonts = (thing for thing in pdf.objects if isinstance(thing, Dictionary) and "/FontFile2" in thing)
    program = next(fonts).FontFile2
    face = uharfbuzz.Face(uharfbuzz.Blob(program.read_bytes()))
    kept = uharfbuzz.SubsetInput()
    kept.flags = uharfbuzz.SubsetFlags.RETAIN_GIDS | uharfbuzz.SubsetFlags.NOTDEF_OUTLINE
    kept.glyph_set.update(range(face.glyph_count - 1))
    program.write(bytes(kept.subset(face).blob.data))


def default_gray(pdf):
    tint = Dictionary(FunctionType=2, Domain=[0, 1], C0=[0, 0, 0, 0], C1=[1, 0, 0, 0], N=1)
    spot = Array([Name.Separation, Name("/Cyan"), Name.DeviceCMYK, tint])
    add_resource(pdf, "/ColorSpace", "/DefaultGray", spot)


def image(space, samples, channels=1, at=100, masked=False, **keys):
    """Add an image of half an inch by half an inch to page 3."""

    def add(pdf):
        made = Stream(pdf, bytes(samples * samples * channels))
        made.Type, made.Subtype, made.ColorSpace = Name.XObject, Name.Image, space
        made.Width = made.Height = samples
        made.BitsPerComponent = 8
        for key, value in keys.items():
            made[f"/{key}"] = value
        if masked:
            made.SMask = Stream(pdf, b"")
        add_resource(pdf, "/XObject", "/Im", made)
        draw(pdf, f"q 36 0 0 36 {at} 460 cm /Im Do Q")

    return add


def of_none(*space):
    """Draw a square in a spot colour whose inks are none of the press."""

    def add(pdf):
        count = len(space[1]) if isinstance(space[1], Array) else 1
        code = Stream(pdf, b"{ " + b"pop " * (count - 1) + b"1 exch sub }")
        code.FunctionType, code.Domain, code.Range = 4, Array([0, 1] * count), Array([0, 1])
        add_resource(pdf, "/ColorSpace", "/Nil", Array([*space, Name.DeviceGray, code]))
        draw(pdf, f"/Nil cs {'1 ' * count}scn 100 500 20 20 re f")

    return add


WHITE_SEVEN = "1 g BT /F1+0 10 Tf 100 500 Td (7) Tj ET"


def shading(content, space=Name.DeviceCMYK, channels=4):
    """Draw content with a shading resource and a pattern resource, both named Sh."""

    def add(pdf):
        blend = Dictionary(FunctionType=2, Domain=[0, 1], C0=[0.5] * channels, C1=[1] * channels, N=1)
        axial = Dictionary(ShadingType=2, ColorSpace=space, Coords=[100, 500, 200, 500], Function=blend)
        axial.Extend = Array([True, True])
        add_resource(pdf, "/Shading", "/Sh", pdf.make_indirect(axial))
        add_resource(pdf, "/Pattern", "/Sh", pdf.make_indirect(Dictionary(PatternType=2, Shading=axial)))
        draw(pdf, f"q {content} Q")

    return add


def font_of_state(pdf):
    (font, *_) = pdf.pages[2].obj.Resources.Font.values()
    add_resource(pdf, "/ExtGState", "/Gf", Dictionary(Font=Array([font, 4])))
    draw(pdf, "/Gf gs BT 100 500 Td (7) Tj ET")


def crop_mark(pdf):
    for page in pdf.pages:
        page.obj.MediaBox = Array([-30, -30, 462, 678])
    draw(pdf, "1 w -20 0 m -5 0 l S")


def in_bytes(old, new):
    def replaced(sound, plain):
        assert sound.count(old) == 1
        return sound.replace(old, new), INGRAM, Requirements()

    return replaced


def crop_into_pages(pdf):
    for page in pdf.pages:
        del page.obj.TrimBox, page.obj.BleedBox
        page.obj.CropBox = Array([20, 20, 400, 600])


def output_condition(name):
    return lambda pdf: pdf.Root.OutputIntents[0].__setattr__("OutputConditionIdentifier", String(name))


def open_at_first_page(pdf):
    pdf.Root.OpenAction = Array([pdf.pages[0].obj, Name.Fit])


PAGE_GROUP = page_with("/Group", Dictionary(S=Name.Transparency, CS=Name.DeviceRGB))
HELVETICA = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
SCRIPT = Dictionary(S=Name.JavaScript, JS=String("0"))
LAYERS = Dictionary(OCGs=Array([]), D=Dictionary())
OPEN_TO_ALL = pikepdf.Encryption(owner="x", user="", R=4, aes=False, metadata=False)
AS_PACKED = {"compress_streams": False, "stream_decode_level": pikepdf.StreamDecodeLevel.none}
IN_COLOUR = "premium-colour"


def test_a_subset_is_refused_if_whole_fonts_are_required(sound_book):
    report = preflight(sound_book, INGRAM, Requirements(full_fonts=True))
    assert not report.passed
    assert {finding.found for finding in report.findings} == {"AAAAAA+IBMPlexSans is a subset"}


BREAKS = {
    "readable": lambda sound, plain: (b"%PDF-1.3\nno more", INGRAM, Requirements()),
    "file-size": too_large,
    "encryption": plain_but(nothing, force_version="", encryption=OPEN_TO_ALL),
    "page-count": sound_but(lambda pdf: pdf.pages.__delitem__(slice(2)), KDP),
    "page-multiple": sound_but(one_page_more, KDP),
    "trim-size": sound_but(another_trim),
    "fonts-embedded": sound_but(resource_with("/Font", HELVETICA)),
    "transparency": sound_but(resource_with("/ExtGState", Dictionary(ca=0.5))),
    "outline": plain_but(bookmark),
    "metadata": plain_but(root_with("/Metadata", lambda pdf: Stream(pdf, b"<x/>"))),
    "actions": sound_but(root_with("/OpenAction", SCRIPT)),
    "layers": sound_but(root_with("/OCProperties", LAYERS)),
    "header": sound_but(nothing, force_version="1.4"),
    "info-keys": sound_but(lambda pdf: pdf.trailer.Info.__delitem__("/Trapped")),
    "output-intent": sound_but(lambda pdf: pdf.Root.__delitem__("/OutputIntents")),
    "file-id": in_bytes(b"/ID [", b"/IX ["),
    "compression": sound_but(lzw, **AS_PACKED),
    "transfer-curves": sound_but(resource_with("/ExtGState", Dictionary(TR=Name.Identity))),
    "postscript": sound_but(postscript),
    "media-box": sound_but(page_with("/MediaBox", Array([0, 0, 0, 648]))),
    "trim-box": sound_but(lambda pdf: pdf.pages[2].obj.__delitem__("/TrimBox")),
    "box-nesting": sound_but(page_with("/CropBox", Array([20, 20, 400, 600]))),
    "page-size": sound_but(lambda pdf: set_boxes(pdf.pages[2], 0, 0, 440, 648)),
    "bleed-size": sound_but(uneven_bleed),
    "rotation": sound_but(page_with("/Rotate", 90)),
    "annotations": sound_but(note),
    "content": sound_but(form_inside_itself),
    "fonts-found": drawn("BT /Lost 10 Tf 100 500 Td (7) Tj ET"),
    "colour-space": drawn("0.2 0.2 0.2 rg 100 500 20 20 re f"),
    "image-colour": sound_but(image(Name.DeviceRGB, 160, 3), paper=IN_COLOUR),
    "black-ink": drawn("0.6 0.6 0.6 1 k 100 500 20 20 re f"),
    "rich-black": drawn("0.6 0.6 0.6 1 k BT /F1+0 10 Tf 100 500 Td (7) Tj ET", IN_COLOUR),
    "tint": drawn("0.95 g 100 500 20 20 re f"),
    "line-weight": drawn("q 0.5 0 0 0.5 0 0 cm 1 w 200 1000 m 300 1000 l S Q"),
    "text-size": drawn("BT /F1+0 10 Tf 0.6 0 0 0.6 100 500 Tm (7) Tj ET"),
    "invisible-text": drawn("BT /F1+0 10 Tf 3 Tr 100 500 Td (7) Tj ET"),
    "squeezed-text": drawn("BT /F1+0 10 Tf 20 Tz 100 500 Td (7) Tj ET"),
    "paper-colour-text": drawn("1 g BT /F1+0 10 Tf 100 500 Td (7) Tj ET"),
    "dashes": drawn("1 w [0.01 900] 450 d 100 500 m 300 500 l S"),
    "no-ink": sound_but(of_none(Name.Separation, Name("/None"))),
    "image-data": sound_but(long_image(b"")),
    "default-colours": sound_but(default_gray),
    "glyphs-there": sound_but(without_a_glyph),
    "painted-over": drawn("1 g 90 410 200 30 re f"),
    "image-resolution": sound_but(image(Name.DeviceGray, 140)),  # 280 dpi
    "inline-compression": drawn(
        "q 0.1 0 0 0.1 100 460 cm BI /W 9 /H 1 /BPC 8 /CS /G /F [/AHx /LZW] "
        "ID 80 0B 60 50 22 0C 0C 85 01> EI Q"
    ),
    "live-area": drawn("BT /F1+0 10 Tf 30 500 Td (7) Tj ET"),
    "marks": sound_but(crop_mark),
    "last-page": drawn("100 500 20 20 re f", page=-1),
    "damage": in_bytes(b"startxref\n", b"startxref\n7"),
}
_STROKED = "q 1 Tr {} BT /F1+0 30 Tf 100 500 Td (7) Tj ET Q"
OTHER_BREAKS = [
    ("transparency", sound_but(resource_with("/ExtGState", Dictionary(SMask=Dictionary(S=Name.Alpha))))),
    ("transparency", sound_but(resource_with("/ExtGState", Dictionary(BM=Array([Name.Multiply]))))),
    ("transparency", sound_but(image(Name.DeviceGray, 160, SMaskInData=1))),
    ("transparency", sound_but(image(Name.DeviceGray, 160, masked=True))),
    ("transparency", sound_but(image(Name.DeviceGray, 160, Group=Dictionary(S=Name.Transparency)))),
    ("postscript", sound_but(image(Name.DeviceGray, 160, OPI=Dictionary()))),
    ("actions", sound_but(page_with("/AA", Dictionary(O=SCRIPT)))),
    ("info-keys", sound_but(lambda pdf: pdf.trailer.Info.__delitem__("/Title"))),
    ("output-intent", sound_but(lambda pdf: pdf.Root.OutputIntents[0].__delitem__("/Info"))),
    ("rotation", sound_but(page_with("/UserUnit", 2))),
    ("line-weight", drawn(_STROKED.format("0.1 w"))),
    ("tint", drawn(_STROKED.format("1 w 0.95 G"))),
    ("text-size", sound_but(font_of_state)),
    ("black-ink", sound_but(shading("100 500 40 40 re W n /Sh sh"))),
    ("black-ink", sound_but(shading("/Pattern cs /Sh scn 100 500 40 40 re f"))),
    ("black-ink", sound_but(shading(_STROKED.format("/Pattern CS /Sh SCN 1 w")))),
    ("live-area", sound_but(shading("5 500 40 40 re W n /Sh sh", Name.DeviceGray, 1))),
    ("live-area", sound_but(image(Name.DeviceGray, 160, at=5))),
    ("box-nesting", plain_but(crop_into_pages)),
    ("transparency", sound_but(PAGE_GROUP)),
    ("output-intent", sound_but(output_condition("OFFSET 7"))),
    ("image-data", plain_but(long_image(bytes(100)))),
    ("image-data", plain_but(long_image(zlib.compress(bytes(100)), filter=Name.FlateDecode))),
    ("image-data", plain_but(long_image(b"x" * 100, filter=Name.JPXDecode))),
    ("no-ink", sound_but(of_none(Name.DeviceN, Array([Name("/None"), Name("/None")])))),
    ("dashes", drawn("1 w [150 150] 0 d 100 500 m 130 500 l S [150 150] 150 d 100 490 m 130 490 l S")),
    ("dashes", drawn("q 20 0 0 20 0 0 cm 0.05 w [0.01 1] 0 d 5 25 m 15 25 l S Q")),
    ("paper-colour-text", drawn("1 g BT /F1+0 10 Tf 100 500 Td (7) Tj ET 0 g 98 480 20 10 re f")),
    ("squeezed-text", drawn("q 0.2 0 0 1 0 0 cm BT /F1+0 10 Tf 500 500 Td (7) Tj ET Q")),
    ("page-size", lambda sound, plain: (sound, KDP, Requirements(trim=Size(504, 720)))),
]
HARMLESS = {
    "white on black": plain_but(lambda pdf: draw(pdf, f"0 g 90 490 40 40 re f {WHITE_SEVEN}")),
    "white on a wide line": plain_but(lambda pdf: draw(pdf, f"0 G 30 w 90 503 m 140 503 l S {WHITE_SEVEN}")),
    "dots": plain_but(lambda pdf: draw(pdf, "0 G 1 w 1 J [0 4] 0 d 100 500 m 300 500 l S")),
    "dashes": plain_but(lambda pdf: draw(pdf, "0 G 1 w [6 3] 0 d 100 500 m 300 500 l S")),
    "condensed": plain_but(lambda pdf: draw(pdf, "BT /F1+0 12 Tf 50 Tz 100 500 Td (7) Tj ET")),
    "clipped away": plain_but(lambda pdf: draw(pdf, "q 100 500 20 20 re W n 0 0 400 640 re f Q")),
    "paper white": plain_but(lambda pdf: draw(pdf, "1 g 0 0 432 30 re f")),
    "on a last page without a printer's mark": plain_but(lambda pdf: draw(pdf, "100 500 20 20 re f", -1)),
    "Word and LibreOffice make each page a group": plain_but(PAGE_GROUP),
    "the page at which the file opens": sound_but(open_at_first_page),
    "a registered condition": sound_but(output_condition("CGATS TR 001")),
    "another registered condition": sound_but(output_condition("FOGRA39")),
}


# 80 pt wide
_DISC = (
    "0 g 130 550 m 130 572 112 590 90 590 c 68 590 50 572 50 550 c "
    "50 528 68 510 90 510 c 112 510 130 528 130 550 c"
)


def failed(report):
    return {finding.check for finding in report.findings}


@pytest.mark.parametrize("printer", [KDP, INGRAM], ids=lambda printer: printer.name)
def test_a_correct_book_passes(sound_book, printer):
    report = preflight(sound_book, printer)
    assert report.findings == ()
    assert report.passed
    assert report.pages == 24


def test_a_listed_font_must_be_embedded_even_if_unused(sound_book):
    """Printers check every font in the file's list of fonts, even if no text uses it."""
    font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
    listed = changed(sound_book, resource_with("/Font", font))
    used = changed(listed, lambda pdf: draw(pdf, "BT /X 10 Tf 100 500 Td (7) Tj ET"))
    (finding,) = preflight(listed, KDP).findings
    assert finding.found == "Helvetica is not embedded; no text uses it"
    (finding,) = preflight(used, KDP).findings
    assert finding.found == "Helvetica is not embedded"


def test_every_check_has_a_file_that_fails_it():
    assert set(BREAKS) == {check.name for check in ALL_CHECKS}


@pytest.mark.parametrize(("check", "broken"), [*BREAKS.items(), *OTHER_BREAKS])
def test_each_broken_file_fails_only_the_check_for_its_problem(check, broken, sound_book, plain_book):
    book, printer, required = broken(sound_book, plain_book)
    report = preflight(book, printer, required)
    assert failed(report) == {check}, report.text()


def test_the_report_lists_pages_in_ranges(sound_book):
    def thin(pdf):
        for page in (2, 3, 4, 9):
            draw(pdf, "q 0.5 w 100 500 m 150 500 l S Q", page)

    text = preflight(changed(sound_book, thin), KDP).text()
    assert "failed: 1 of" in text
    assert "line-weight, p. 3–5, 10: a line of 0.50 pt; allowed: 0.75 pt or more" in text


def test_the_json_report_lists_the_findings(sound_book):
    report = preflight(changed(sound_book, lambda pdf: draw(pdf, "0.95 g 100 500 20 20 re f")), KDP)
    read = json.loads(report.as_json())
    assert read["passed"] is False
    assert read["findings"] == [
        {"check": "tint", "page": 3, "found": "a tint of 5.0%", "allowed": "10% or more",
         "source": "KDP Help, 2026-11-20"}
    ]  # fmt: skip
    assert read["checks"] == [check.name for check in ALL_CHECKS]


def test_patterns_inside_forms_are_checked(sound_book):
    """Draw a thin RGB line in a tiling pattern inside a form. Preflight must report it."""

    def hide(pdf):
        tile = Stream(pdf, b"1 0 0 RG 0.2 w 0 0 m 5 5 l S")
        tile.PatternType = tile.PaintType = tile.TilingType = 1
        tile.BBox, tile.XStep, tile.YStep, tile.Resources = Array([0, 0, 5, 5]), 5, 5, Dictionary()
        form = Stream(pdf, b"/Pattern cs /P scn 100 500 20 20 re f")
        form.Type, form.Subtype, form.BBox = Name.XObject, Name.Form, Array([0, 0, 432, 648])
        form.Resources = Dictionary(Pattern=Dictionary(P=pdf.make_indirect(tile)))
        add_resource(pdf, "/XObject", "/Form", form)
        draw(pdf, "/Form Do")

    assert failed(preflight(changed(sound_book, hide), INGRAM)) == {
        "colour-space",
        "black-ink",
        "line-weight",
    }


def test_the_gutter_is_left_on_a_recto_and_right_on_a_verso(sound_book):
    """KDP's margins for up to 150 pages are 27 pt inside, 18 pt outside. The text is 20 pt from the left."""

    def place(pdf):
        for page in (2, 3):
            draw(pdf, "BT /F1+0 10 Tf 20 500 Td (7) Tj ET", page)

    findings = preflight(changed(sound_book, place), KDP).findings
    assert [(finding.check, finding.page) for finding in findings] == [("live-area", 3)]


def test_pictures_may_extend_through_the_bleed_but_text_may_not(sound_book):
    def bleed(pdf):
        for number, page in enumerate(pdf.pages, 1):
            set_boxes(page, -9 * (number % 2 == 0), -9, 432 + 9 * (number % 2), 657)
            page.obj.TrimBox = Array([0, 0, 432, 648])
        draw(pdf, "0.8 g 0 600 500 100 re f", 2)
        draw(pdf, "0.8 g -3 600 500 20 re f 0 g BT /F1+0 10 Tf -9 500 Td (7) Tj ET", 3)

    findings = preflight(changed(sound_book, bleed), INGRAM).findings
    assert [(finding.check, finding.page) for finding in findings] == [("live-area", 4)]


def test_on_screens_only_text_keeps_the_margins(sound_book):
    def place(pdf):
        draw(pdf, "0.8 g 5 500 40 40 re f", 2)
        draw(pdf, "BT /F1+0 10 Tf 5 500 Td (7) Tj ET", 3)

    findings = preflight(changed(sound_book, place), load_printer("screen")).findings
    assert [finding.page for finding in findings if finding.check == "live-area"] == [4]


def test_an_interior_checked_as_a_cover_is_recognised(sound_book):
    findings = preflight(sound_book, INGRAM, Requirements("premium-colour", cover=True)).findings
    assert "this seems to be an interior" in next(one.found for one in findings if one.check == "page-count")


def test_rich_black_is_allowed_for_backgrounds_of_covers_only(sound_book):
    """Ingram requires black of a single ink, except for backgrounds of covers. Dark blue is not black."""

    def found(content, cover):
        def only_page(pdf):
            draw(pdf, content, 0)
            del pdf.pages[1:]

        required = Requirements("premium-colour", cover=cover)
        return failed(preflight(changed(sound_book, only_page), INGRAM, required)) & {"rich-black"}

    word = "BT /F1+0 10 Tf 100 500 Td (7) Tj ET"
    assert found("0.7 0.7 0.7 0.4 k 100 500 20 20 re f", cover=False)
    assert not found("0.7 0.7 0.7 0.4 k 100 500 20 20 re f", cover=True)
    assert found(f"0.75 0.68 0.67 0.9 k {word}", cover=True)
    assert not found(f"1 0.7 0.1 0.4 k {word} 0 0 0 1 k {word}", cover=False)


def test_the_message_for_a_colour_book_on_black_paper_names_the_colour_papers(sound_book):
    book = changed(sound_book, lambda pdf: draw(pdf, "1 0.5 0 0 k 100 500 20 20 re f"))
    (unnamed,) = preflight(book, KDP).findings
    assert unnamed.allowed.endswith("give --paper standard-colour or premium-colour")
    (named,) = preflight(book, KDP, Requirements("cream")).findings
    assert named.allowed == "black only (K) on cream paper"
    assert preflight(book, KDP, Requirements("premium-colour")).passed


def test_only_lines_with_projecting_caps_extend_beyond_their_end_points(sound_book):
    """KDP's inside margin for 24 pages is 27 pt. A 3 pt line starts there, and a cap adds 1.5 pt."""

    def rule(cap):
        return changed(sound_book, lambda pdf: draw(pdf, f"q 3 w {cap} J 27 500 m 99 500 l S Q"))

    assert preflight(rule(0), KDP).passed
    assert failed(preflight(rule(2), KDP)) == {"live-area"}


@pytest.mark.parametrize(
    ("filled", "thin"),
    [
        ("100 500 50 0.3 re", True), ("100 500 0.3 50 re", True), ("100 500 2 0.3 re", False),
        ("100 500 50 0.9 re", False), ("100 500 m 150 500.1 l 150 500.3 l 100 500.2 l h", False),
        ("100 500 m 150 500 150 500.3 100 500.3 c", False),
    ],
)  # fmt: skip
def test_a_thin_filled_rectangle_counts_as_a_line(sound_book, filled, thin):
    book = changed(sound_book, lambda pdf: draw(pdf, f"0 g {filled} f"))
    assert failed(preflight(book, KDP)) == ({"line-weight"} if thin else set())


def test_the_report_has_at_most_five_lines_for_each_check(sound_book):
    def place(pdf):
        for page in range(8):
            draw(pdf, f"BT /F1+0 10 Tf 5 500 Td ({page}) Tj ET", page)

    text = preflight(changed(sound_book, place), KDP).text()
    assert text.count("live-area") == 5
    assert "live-area, p. 5–8: 4 more; --json lists all" in text


def test_unconfirmed_limits_are_marked(sound_book):
    thin = changed(sound_book, lambda pdf: draw(pdf, "q 0.5 w 100 500 m 150 500 l S Q"))
    report = preflight(thin, INGRAM)
    (finding,) = report.findings
    assert finding.source == "unconfirmed; check with the printer"
    assert "line" in json.loads(report.as_json())["unconfirmed"]
    assert "check with the printer, unconfirmed: trims, papers" in preflight(sound_book, INGRAM).text()
    assert "unconfirmed" not in preflight(sound_book, KDP).text()


@pytest.mark.parametrize("book_of", HARMLESS.values(), ids=HARMLESS)
def test_harmless_features_give_no_findings(book_of, sound_book, plain_book):
    report = preflight(*book_of(sound_book, plain_book))
    assert report.passed, report.text()


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ("1 g 90 410 200 30 re f", True), ("0 g 90 410 200 30 re f", True), ("1 g 190 210 60 200 re f", True),
        ("1 g 90 410 200 30 re f BT 0 g /F1+0 9 Tf 100 420 Td (3 Solution p. 20) Tj ET", False),
        ("q 0 0 5 5 re W n 1 g 90 410 200 30 re f Q", False), ("1 g 90 450 200 30 re f", False),
        (f"0.5 G 30 w 90 550 m 170 550 l S {_DISC} f", False),
        (f"0.5 G 12 w 65 550 m 170 550 l S {_DISC} f", True), ("1 G 30 w 90 425 m 290 425 l S", True),
        ("0 G 30 w 90 425 m 290 425 l S", True),
    ],
)  # fmt: skip
def test_objects_that_hide_a_text_or_line_are_reported(sound_book, content, found):
    report = preflight(changed(sound_book, lambda pdf: draw(pdf, content)), KDP)
    assert failed(report) == ({"painted-over"} if found else set()), report.text()


@pytest.mark.parametrize("data", ["", "no font", "half", "three quarters"])
@pytest.mark.parametrize("printer", [KDP, INGRAM])
def test_an_embedded_font_must_be_loadable(sound_book, data, printer):
    def spoil(pdf):
        for thing in pdf.objects:
            if isinstance(thing, Dictionary) and "/FontFile2" in thing:
                whole = thing.FontFile2.read_bytes()
                part = {"half": len(whole) // 2, "three quarters": 3 * len(whole) // 4}.get(data)
                thing.FontFile2.write(data.encode() * 40 if part is None else whole[:part])

    assert "fonts-embedded" in failed(preflight(changed(sound_book, spoil), printer))


def test_a_file_that_claims_to_be_pdfx_is_checked_as_pdfx(plain_book):
    def claim(pdf):
        pdf.trailer.Info.GTS_PDFXVersion = String("PDF/X-1:2001")

    assert failed(preflight(changed(plain_book, claim), KDP)) == {"info-keys", "output-intent"}


def test_the_trim_size_of_a_file_without_trim_boxes_comes_from_its_pages(plain_book):
    """The pages have 6 × 9 in and KDP's bleed, which adds 9 pt at the top, bottom and outer edge."""

    def bleed(pdf):
        for page in pdf.pages:
            del page.obj.TrimBox, page.obj.BleedBox
            page.obj.MediaBox = Array([0, 0, 441, 666])

    report = preflight(changed(plain_book, bleed), KDP)
    assert report.passed, report.text()
    assert not preflight(
        changed(plain_book, bleed), KDP, Requirements(trim=Size(441, 666), bleed=True)
    ).passed


def test_a_missing_file_is_a_usage_error(tmp_path):
    with pytest.raises(UsageError, match=r"absent\.pdf"):
        preflight(tmp_path / "absent.pdf", KDP)


def test_a_file_with_a_password_is_unreadable(sound_book):
    written = io.BytesIO()
    with pikepdf.open(io.BytesIO(sound_book)) as pdf:
        pdf.save(written, encryption=pikepdf.Encryption(owner="a", user="b"))
    (finding,) = preflight(written.getvalue(), KDP).findings
    assert finding.check == "readable"
    assert "password" in finding.found


def test_processes_that_share_the_pages_give_the_same_report(sound_book, monkeypatch):
    monkeypatch.setattr(dispatch, "_MIN_SHARED_ITEMS", 2)
    workers = local_workers(2)
    pale = changed(sound_book, lambda pdf: draw(pdf, "0.95 g 100 500 20 20 re f"))
    for content, is_sound in ((sound_book, True), (pale, False)):
        assert (check_table._count_passing(content, KDP, Requirements(), 0, 1) is not None) is is_sound
        assert preflight(content, KDP, None, workers) == preflight(content, KDP)
