import io
from dataclasses import replace
from datetime import UTC, date, datetime

import pikepdf
import pytest
from pikepdf import Dictionary, Name, OutlineItem

from linkpress.book.printing_keys import Standard
from linkpress.errors import UsageError
from linkpress.press.pdfx import finish_print, finish_screen
from linkpress.render.pdf import DATE_WITHOUT_ANY, About, file_date
from press_samples import INFO, changed


def reopened(content: bytes) -> pikepdf.Pdf:
    return pikepdf.open(io.BytesIO(content))


def with_outline_links_and_xmp(pdf: pikepdf.Pdf) -> None:
    with pdf.open_outline() as outline:
        outline.root.append(OutlineItem("Easy", 0))
    link = Dictionary(Type=Name.Annot, Subtype=Name.Link, Rect=[0, 0, 9, 9])
    pdf.pages[0].obj.Annots = pikepdf.Array([pdf.make_indirect(link)])
    pdf.pages[0].obj.Trans = Dictionary()
    with pdf.open_metadata() as xmp:
        xmp["dc:title"] = "Number Link"
    pdf.Root.PageLabels = Dictionary(Nums=[0, Dictionary(S=Name.D)])
    pdf.Root.PageMode = Name.UseOutlines


def test_pdfx_file_carries_header_info_intent_and_id(sound_book: bytes) -> None:
    assert sound_book.startswith(b"%PDF-1.3\n")
    pdf = reopened(sound_book)
    info = pdf.trailer.Info
    assert str(info.GTS_PDFXVersion) == "PDF/X-1:2001"
    assert str(info.GTS_PDFXConformance) == "PDF/X-1a:2001"
    assert str(info.Title) == "Number Link"
    assert str(info.CreationDate) == str(info.ModDate) == "D:20000101000000Z"
    assert info.Trapped == Name("/False")
    assert len(pdf.trailer.ID) == 2
    (intent,) = pdf.Root.OutputIntents
    assert intent.S == Name.GTS_PDFX
    assert str(intent.OutputConditionIdentifier) == "CGATS TR 001"


def test_plain_file_claims_no_standard(plain_book: bytes) -> None:
    pdf = reopened(plain_book)
    assert "/GTS_PDFXVersion" not in pdf.trailer.Info
    assert "/OutputIntents" not in pdf.Root
    assert str(pdf.Root.Lang) == "en"


@pytest.mark.parametrize("standard", list(Standard))
def test_print_files_lose_what_belongs_on_a_screen(drawn_book: bytes, standard: Standard) -> None:
    pdf = reopened(finish_print(changed(drawn_book, with_outline_links_and_xmp), INFO, standard))
    assert not {"/Outlines", "/Metadata", "/PageLabels", "/PageMode"} & set(pdf.Root.keys())
    assert not {"/Annots", "/Trans"} & set(pdf.pages[0].obj.keys())


def test_screen_file_keeps_outline_and_links_and_gains_xmp(drawn_book: bytes) -> None:
    pdf = reopened(
        finish_screen(changed(drawn_book, with_outline_links_and_xmp), replace(INFO, language="th"))
    )
    assert "/Outlines" in pdf.Root
    assert len(pdf.pages[0].obj.Annots) == 1
    assert str(pdf.Root.Lang) == "th"
    assert "/Trans" not in pdf.pages[1].obj
    with pdf.open_metadata() as xmp:
        assert xmp["dc:title"] == "Number Link"
        assert xmp["xmp:CreateDate"] == "2000-01-01T00:00:00Z"


def test_the_date_given_is_the_date_written(drawn_book: bytes) -> None:
    info = About("ปริศนา ①", date=datetime(2026, 2, 3, 4, 5, 6, tzinfo=UTC))
    pdf = reopened(finish_print(drawn_book, info, Standard.PDFX1A))
    assert str(pdf.trailer.Info.ModDate) == "D:20260203040506Z"
    assert str(pdf.trailer.Info.Title) == "ปริศนา ①"
    assert "/Author" not in pdf.trailer.Info


def test_date_comes_from_the_spec_then_the_environment_then_is_fixed() -> None:
    assert (
        file_date(date(2026, 11, 20), {"SOURCE_DATE_EPOCH": "0"}).isoformat() == "2026-11-20T00:00:00+00:00"
    )
    assert file_date(None, {"SOURCE_DATE_EPOCH": "86400"}).isoformat() == "1970-01-02T00:00:00+00:00"
    assert file_date(None, {}) == DATE_WITHOUT_ANY


@pytest.mark.parametrize("epoch", ["", "yesterday", "1e9", "9" * 30])
def test_an_epoch_that_is_no_date_is_refused(epoch: str) -> None:
    with pytest.raises(UsageError, match="SOURCE_DATE_EPOCH"):
        file_date(None, {"SOURCE_DATE_EPOCH": epoch})
