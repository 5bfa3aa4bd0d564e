"""The screen edition is tagged for screen readers, and looks as it would without tags."""

import io

import pikepdf
import pypdfium2 as pdfium
import pytest
from pikepdf import Dictionary, Name, String
from PIL import Image, ImageChops

from linkpress.book.spec import BookSpec
from linkpress.press.assets import load_assets
from linkpress.press.book_layout import about_book, lay_out_screen
from linkpress.press.dry_run import stand_in_volume
from linkpress.press.print_files import finish_screen
from linkpress.render.pdf import ColourMode, draw_pages
from press_samples import changed
from tagged_pdf import read_tags, tagging_problems

FOREWORD = """
One *two* three.

## Lists

- first
  - inner

  goes on
- second

1. third

| | size |
|---|--:|
| small | 5 |
| large | |

![A red square](red.png "20mm")

![](red.png "10mm")
"""
LEVELS = [
    {"name": "Easy", "count": 3, "size": 6, "paths": 5, "per_page": 2},
    {"name": "Hard", "count": 2, "size": 8, "paths": 6},
]
BOOKS = {
    "everything": {
        "language": "de", "subtitle": "Zweite Zeile", "author": "A. Setter", "publisher": "House",
        "volume": 2, "cover": {}, "page": {"paper": "colour", "border": "double"}, "theme": "dots",
        "notes_pages": 1,
        "front": [{"title": "Foreword", "text": FOREWORD}], "back": [{"text": "The end."}],
        "captions": {"difficulty": "marks", "time": True}, "parts": {"tutorial": True},
        "qr": {"text": "https://example.com/{number}"},
    },
    "no openers": {
        "parts": {"openers": False}, "captions": {"page": False}, "solutions": {"place": "after-section"},
    },
    "Thai": {
        "language": "th", "title": "ลากเส้น", "qr": {"text": "{first}", "per": "section"},
        "parts": {"progress": True, "times": True, "certificate": True},
    },
}  # fmt: skip


class Screen:
    """The screen edition of a book of stand-in boards."""

    def __init__(self, folder, keys):
        Image.new("RGB", (600, 600), "red").save(folder / "red.png")
        spec = BookSpec.model_validate(
            {"title": "Links", "seed": 1, "screen": True, "levels": LEVELS, **keys}
        )
        volume = stand_in_volume(spec.in_folder(folder))
        self.assets = load_assets(volume.spec)
        self.about = about_book(self.assets, "1")
        self.book = lay_out_screen(volume, self.assets, "", self.assets.pictures, self.assets.cover_pictures)
        self.content = finish_screen(self.drawn(), self.about, self.book.pages)

    def drawn(self, screen=True):
        book, mode = self.book, ColourMode.AS_GIVEN
        return draw_pages(
            book.pages, book.trim, self.about, screen=screen, colour_mode=mode, faces=self.assets.faces
        )


@pytest.fixture(scope="module")
def screens(tmp_path_factory):
    return {name: Screen(tmp_path_factory.mktemp("book"), keys) for name, keys in BOOKS.items()}


@pytest.mark.parametrize("name", BOOKS)
def test_every_book_for_screens_passes_what_a_program_can_see_of_pdf_ua(screens, name):
    assert tagging_problems(screens[name].content) == []


@pytest.mark.parametrize("name", BOOKS)
def test_tags_change_no_pixel(screens, name):
    tagged, plain = pdfium.PdfDocument(screens[name].content), pdfium.PdfDocument(screens[name].drawn(False))
    for with_tags, without in zip(tagged, plain, strict=True):
        images = (page.render(scale=1.5).to_pil().convert("RGB") for page in (with_tags, without))
        assert ImageChops.difference(*images).getbbox() is None


def words(screen):
    """The text of each marked content, by page and MCID, as PDFium reads it."""
    found = {}
    for index, page in enumerate(pdfium.PdfDocument(screen.content)):
        text = page.get_textpage()
        for item in page.get_objects(max_depth=1):
            mcid = pdfium.raw.FPDFPageObj_GetMarkedContentID(item)
            if mcid >= 0 and item.type == pdfium.raw.FPDF_PAGEOBJ_TEXT:
                size = pdfium.raw.FPDFTextObj_GetText(item, text, None, 0)
                buffer = (pdfium.raw.FPDF_WCHAR * (size // 2))()
                pdfium.raw.FPDFTextObj_GetText(item, text, buffer, size)
                found[index, mcid] = found.get((index, mcid), "") + "".join(map(chr, buffer[:-1]))
    return found


def told(screen):
    """What a screen reader tells: role and words of each element that has words, in reading order."""
    texts = words(screen)
    for role, said, marked in read_tags(screen.content):
        text = said or "".join(texts.get(pair, "") for pair in marked)
        if text.strip():
            yield role, " ".join(text.split())


def test_a_puzzle_is_told_by_heading_caption_and_description(screens):
    lines = list(told(screens["everything"]))
    start = lines.index(("H2", "Rätsel 4"))
    page = screens["everything"].book.index["solution-4"]
    assert lines[start : start + 3] == [
        ("H2", "Rätsel 4"), ("P", "8 × 8"), ("Figure", "Schwierigkeit 100"),
    ]  # fmt: skip
    assert lines[start + 3] == ("Link", f"Lösung S. {page}")
    role, description = lines[start + 4]
    assert role == "Figure"
    assert description.startswith("Rätsel 4, 8 Spalten, 8 Zeilen. ")
    assert ("H2", "Lösung 4") in lines


def test_the_book_is_read_in_the_order_of_its_pages(screens):
    lines = list(told(screens["everything"]))
    assert lines[:6] == [
        ("Figure", "Links"), ("H1", "Links"), ("P", "Zweite Zeile"), ("P", "Band 2"), ("P", "House"),
        ("P", "A. Setter"),
    ]  # fmt: skip
    headings = [text for role, text in lines if role == "H1"]
    assert headings[1:4] == ["Inhalt", "Foreword", "So geht’s"]
    assert headings[-4:] == ["Easy", "Hard", "Lösungen", "Notizen"]


def test_the_publishers_text_keeps_lists_tables_and_pictures(screens):
    lines = list(told(screens["everything"]))
    start = lines.index(("H1", "Foreword"))
    assert lines[start + 1 : start + 17] == [
        ("P", "One two three."), ("H2", "Lists"),
        ("Lbl", "–"), ("P", "first"), ("Lbl", "–"), ("P", "inner"), ("P", "goes on"),
        ("Lbl", "–"), ("P", "second"), ("Lbl", "1."), ("P", "third"),
        ("TH", "size"), ("TD", "small"), ("TD", "5"), ("TD", "large"), ("Figure", "A red square"),
    ]  # fmt: skip


def test_without_openers_the_first_running_head_is_the_heading(screens):
    headings = [text for role, text in told(screens["no openers"]) if role == "H1"]
    assert headings[-4:] == ["Easy", "Solutions · Easy", "Hard", "Solutions · Hard"]


def test_running_heads_and_page_numbers_are_artifacts_of_the_page(screens):
    screen = screens["no openers"]
    with pikepdf.open(io.BytesIO(screen.content)) as pdf:
        content = pdf.pages[screen.book.index["puzzle-2"] - 1].Contents.read_bytes()
    for kind in (b"Header", b"Footer"):
        assert b"/Artifact <</Type /Pagination /Subtype /%s>> BDC" % kind in content


def test_lines_of_a_paragraph_are_told_with_spaces_between_them(screens):
    texts = [text for role, text in told(screens["everything"]) if role == "P"]
    rule = screens["everything"].book.setting.words.rules[1]
    assert rule.replace(" ", "") in {text.replace(" ", "").replace("-", "") for text in texts}
    assert any(rule[:60] in text for text in texts)


def test_stars_and_lines_for_times_are_told_row_by_row(screens):
    lines = list(told(screens["Thai"]))
    words = screens["Thai"].book.setting.words
    first, second = (words.say(words.puzzles, first=a, last=b) for a, b in ("13", "45"))
    rows = [("H2", "Easy"), ("Figure", first), ("H2", "Hard"), ("Figure", second)]
    for title in (words.back_matter.progress, words.back_matter.times):
        start = lines.index(("H1", title)) + 2
        assert lines[start : start + 4] == rows


def test_print_files_have_no_marks(screens):
    with pikepdf.open(io.BytesIO(screens["everything"].drawn(screen=False))) as pdf:
        assert all(b"BDC" not in page.Contents.read_bytes() for page in pdf.pages)


def elements(pdf, role):
    return (item for item in pdf.objects if isinstance(item, Dictionary) and item.get("/S") == f"/{role}")


def without_language(pdf):
    del pdf.Root.Lang


def without_description(pdf):
    figure = next(elements(pdf, "Figure"))
    del figure.Alt


def with_a_heading_too_low(pdf):
    next(elements(pdf, "H2")).S = Name.H4


def with_links_swapped(pdf):
    first, second = pdf.pages[-1].Annots[:2]
    first.StructParent, second.StructParent = second.StructParent, first.StructParent


def with_a_link_unnamed(pdf):
    pdf.pages[-1].Annots[0].Contents = String("")


def with_a_line_unmarked(pdf):
    page = pdf.pages[-1]
    page.Contents = pdf.make_stream(page.Contents.read_bytes() + b"\n0 0 m 9 9 l S")


def with_an_mcid_twice(pdf):
    page = pdf.pages[-1]
    page.Contents = pdf.make_stream(page.Contents.read_bytes().replace(b"/MCID 1>", b"/MCID 0>"))


def without_a_font(pdf):
    for item in pdf.objects:
        if isinstance(item, Dictionary) and "/FontFile2" in item:
            del item["/FontFile2"]


@pytest.mark.parametrize(
    "change",
    [
        without_language, without_description, with_a_heading_too_low, with_links_swapped,
        with_a_link_unnamed, with_a_line_unmarked, with_an_mcid_twice, without_a_font,
    ],
)  # fmt: skip
def test_the_checker_finds_what_is_wrong(screens, change):
    assert tagging_problems(changed(screens["no openers"].content, change))
