"""Broken and hostile files end in findings, without tracebacks or endless work."""

import random
import zlib

import pikepdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pikepdf import Array, Dictionary, Name, Stream

from linkpress.preflight import pdf_file, preflight
from linkpress.preflight.pdf_objects import OperatorBudget
from linkpress.printers import load_printer
from press_samples import changed

KDP = load_printer("kdp-paperback")


def form(pdf, content, **resources):
    stream = Stream(pdf, content)
    stream.Type, stream.Subtype, stream.BBox = Name.XObject, Name.Form, Array([0, 0, 432, 648])
    made = pdf.make_indirect(stream)
    made.Resources = Dictionary(XObject=Dictionary(**resources))
    return made


def place(pdf, thing):
    page = pdf.pages[2]
    page.obj.Resources = Dictionary(XObject=Dictionary(X=thing))
    page.obj.Contents = Stream(pdf, b"/X Do")


def ring_of_forms(pdf):
    first, second = form(pdf, b"/Next Do"), form(pdf, b"/Next Do")
    first.Resources.XObject.Next, second.Resources.XObject.Next = second, first
    place(pdf, first)


def forms_that_double(pdf):
    """Twenty levels of forms, each drawn twice by the next: a million forms."""
    below = form(pdf, b"0 0 m 9 9 l S")
    for _ in range(20):
        below = form(pdf, b"/A Do /A Do", A=below)
    place(pdf, below)


def forms_that_double_with_extra_operands(pdf):
    """A reader that takes the first operand of each ``Do`` finds no form."""
    below = form(pdf, b"0 0 m 9 9 l S")
    for _ in range(20):
        below = form(pdf, b"1 /A Do / /A Do", A=below)
    place(pdf, below)


def forms_of_the_page_that_double(pdf):
    """Forms without such a resource use the page's."""
    page = pdf.pages[2].obj
    forms = {f"X{level}": form(pdf, b"/X%d Do " % (level + 1) * 2) for level in range(20)}
    page.Resources = Dictionary(XObject=Dictionary(**forms, X20=form(pdf, b"0 0 m 9 9 l S")))
    page.Contents = Stream(pdf, b"/X0 Do")


def compressed_bomb(pdf):
    """80 MB of content in 80 kB."""
    stream = Stream(pdf, b"")
    stream.write(zlib.compress(bytes(80 << 20), 9), filter=Name.FlateDecode)
    pdf.pages[2].obj.Contents = pdf.make_indirect(stream)


def millions_of_operators(pdf):
    content = form(pdf, b"0 0 m 9 9 l S " * 40_000)
    place(pdf, form(pdf, b"/A Do " * 60, A=content))


@pytest.mark.parametrize(
    "change",
    [
        ring_of_forms, forms_that_double, forms_that_double_with_extra_operands,
        forms_of_the_page_that_double, compressed_bomb, millions_of_operators,
    ],
)  # fmt: skip
def test_content_that_exceeds_the_limits_is_refused(sound_book, change, monkeypatch):
    monkeypatch.setattr(pdf_file, "OperatorBudget", lambda: OperatorBudget(60_000))
    book = changed(
        sound_book, change, compress_streams=False, stream_decode_level=pikepdf.StreamDecodeLevel.none
    )
    assert "content" in {finding.check for finding in preflight(book, KDP).findings}


def test_a_form_that_every_page_uses_is_parsed_once(sound_book):
    book = changed(sound_book, lambda pdf: place(pdf, form(pdf, b"/A Do " * 3_000, A=form(pdf, b"0 g"))))
    assert preflight(book, KDP).passed


def wrong_types(pdf):
    page = pdf.pages[2].obj
    page.Resources = Dictionary(
        Font=Dictionary(F=7), XObject=Array([1]), ExtGState=Dictionary(G=Name.X), ColorSpace=Name.Y, Pattern=3
    )
    page.Annots, page.Group, page.Rotate = Name.Z, Array([]), Name.R
    page.Contents = Stream(
        pdf,
        b"/F 9 Tf (x) Tj /G gs /C cs 1 scn /P scn /X Do 1 (a) /b re f [1 2 (x)] TJ (a) Td 1 0 cm "
        b"99999999999999999999999999 0 0 1 0 0 cm 0 0 9 9 re f ET Q Q Q ] >> ) BI /W 9 ID xx EI",
    )


def without_required_keys(pdf):
    page = pdf.pages[2].obj
    for key in ("/Resources", "/Contents", "/MediaBox"):
        del page[key]


def malformed_fonts(pdf):
    garbage = Stream(pdf, b"begincodespacerange <> endcodespacerange beginbfrange <0> <zz> endbfrange")
    fonts = Dictionary(
        A=Dictionary(Type=Name.Font, Subtype=Name.Type0, DescendantFonts=Array([1]), ToUnicode=garbage),
        B=Dictionary(Type=Name.Font, Subtype=Name.Type3, FontMatrix=Array([0, 0]), Encoding=Array([])),
        C=Dictionary(Type=Name.Font, Subtype=Name.TrueType, Widths=Name.W, FirstChar=Name.X),
    )
    page = pdf.pages[2].obj
    page.Resources = Dictionary(Font=fonts)
    page.Contents = Stream(pdf, b"BT /A 9 Tf (ab) Tj /B 9 Tf (ab) Tj /C 9 Tf (ab) Tj ET")


def colour_spaces_inside_themselves(pdf):
    space = pdf.make_indirect(Array([Name.Indexed]))
    space.append(space)
    page = pdf.pages[2].obj
    page.Resources = Dictionary(ColorSpace=Dictionary(C=space, D=Name.E, E=Name.D))
    page.Contents = Stream(pdf, b"/C cs 1 sc 100 100 9 9 re f /D cs 1 sc 100 100 9 9 re f")


def too_many_inks(pdf):
    """Five thousand ink names, in a colour space that is set five thousand times."""
    inks = Array([Name(f"/Ink{number}") for number in range(5_000)])
    page = pdf.pages[2].obj
    page.Resources = Dictionary(ColorSpace=Dictionary(C=Array([Name.DeviceN, inks, Name.DeviceCMYK, 1])))
    page.Contents = Stream(pdf, b"/C cs " * 5_000)


@pytest.mark.parametrize(
    "change",
    [wrong_types, without_required_keys, malformed_fonts, colour_spaces_inside_themselves, too_many_inks],
)
def test_malformed_objects_do_not_stop_the_report(sound_book, change):
    report = preflight(changed(sound_book, change), KDP)
    assert report.pages == 24
    assert report.text()


def test_a_page_that_occurs_many_times_in_the_page_tree_is_counted_each_time(sound_book):
    """The page tree is walked once, not once for each page."""

    def repeat(pdf):
        first = pdf.pages[0].obj
        pdf.Root.Pages.Kids, pdf.Root.Pages.Count = Array([first] * 300), 300

    assert preflight(changed(sound_book, repeat), KDP).pages == 300


def test_a_page_tree_that_contains_itself_is_reported(sound_book):
    assert not preflight(
        changed(sound_book, lambda pdf: pdf.Root.Pages.Kids.append(pdf.Root.Pages)), KDP
    ).passed


@pytest.mark.parametrize(
    "content", [b"", b"%PDF-", b"\0" * 4096, b"%PDF-1.3\ntrailer<</Root 1 0 R>>", b"[" * 9999]
)
def test_files_that_are_not_pdfs_are_reported_as_unreadable(content):
    report = preflight(content, KDP)
    assert [finding.check for finding in report.findings] == ["readable"]
    assert ("it is not a PDF" in str(report.findings[0])) == (not content.startswith(b"%PDF"))


@given(seed=st.integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_preflight_reports_on_any_damaged_file(sound_book, seed):
    rng = random.Random(seed)
    book = bytearray(sound_book[: rng.randrange(len(sound_book) // 2, len(sound_book))])
    for _ in range(rng.randrange(12)):
        at = rng.randrange(len(book))
        book[at : at + rng.randrange(4)] = rng.randbytes(rng.randrange(6))
    report = preflight(bytes(book), KDP)
    assert report.as_json()


def test_repairs_are_reported_but_not_printed_to_stderr(sound_book, capfd):
    report = preflight(changed(sound_book, lambda pdf: pdf.Root.Pages.Kids.append(7)), KDP)
    assert {finding.check for finding in report.findings} == {"damage"}
    assert capfd.readouterr() == ("", "")


def test_messages_have_no_memory_addresses():
    found = preflight(b"%PDF-1.4\ngarbage", KDP).findings[0].found
    assert "0x" not in found
    assert "trailer" in found


def test_a_memory_error_is_raised_and_not_reported(sound_book, monkeypatch):
    def without_memory(*_):
        raise MemoryError

    monkeypatch.setattr(pdf_file.PdfReader, "read", without_memory)
    with pytest.raises(MemoryError):
        preflight(sound_book, KDP)


def test_too_many_pages_are_reported(sound_book, monkeypatch):
    assert preflight(sound_book, KDP).passed
    monkeypatch.setattr(pdf_file, "MAX_PAGES", 5)
    (found,) = preflight(sound_book, KDP).findings
    assert "only the first 5 were checked" in found.found
    assert found.allowed == "5 pages at most"
