"""The starter book is the same, byte for byte, however and wherever it is built."""

import io
import multiprocessing
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from pathlib import Path

import pikepdf
import pytest
from golden import PDFS, VOLUME, golden_hashes, pdf_hash, recorded
from pikepdf import Name

from linkpress.book.printing_keys import Standard
from linkpress.documents.values import Size
from linkpress.errors import UsageError
from linkpress.layout.frame import Frame, LinkArea, Page, Tag, Target
from linkpress.press.print_files import finish_print, finish_screen
from linkpress.render.pdf import DATE_WITHOUT_ANY, About, draw_pages, file_date
from press_samples import INFO, changed

LAUNCHER = Path(__file__).with_name("as_golden.py")
FIRST_METHOD = "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"
DATE = "946684800"  # 2000-01-01, which a book without a date has as well


@dataclass(frozen=True)
class Surroundings:
    """Settings of a machine that must not change the bytes of a build."""

    jobs: int = 1
    method: str = FIRST_METHOD
    hash_seed: str = "0"
    locale: str = "C.UTF-8"
    zone: str = "UTC"
    umask: int = 0o022
    folder: str = "out"
    home: str = ""
    ledger: bool = False
    more: Mapping[str, str] = field(default_factory=dict)

    def build(self, root):
        """The files of the starter book, and of the same set again, built below ``root``."""
        home = root / "home" / self.home
        home.mkdir(parents=True)
        if self.home:
            (home / ".reportlab_settings").write_text("pageCompression = 0\ncanvas_baseColor = 'red'\n")
        environment = os.environ | {
            "PYTHONHASHSEED": self.hash_seed,
            "LC_ALL": self.locale,
            "TZ": self.zone,
            "HOME": str(home),
            "LINKPRESS_LEDGER": str(root / "ledger.sqlite3"),
            **self.more,
        }
        words = [sys.executable, str(LAUNCHER), self.method, self.folder, "--jobs", str(self.jobs)]
        done = subprocess.run(
            [*words, *([] if self.ledger else ["--no-ledger"])], cwd=root, env=environment, umask=self.umask,
            capture_output=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr.decode(errors="replace")
        return {name: (root / self.folder / name).read_bytes() for name in (VOLUME, *PDFS)}


OTHER = Surroundings(
    jobs=3, method="spawn", hash_seed="random", locale="tr_TR.UTF-8", zone="Asia/Kathmandu", umask=0o077,
    folder="Bücher von A. N. Author/数 独", home="settings", ledger=True,
    more={
        "SOURCE_DATE_EPOCH": DATE, "RL_ttfAsciiReadable": "0", "RL_pdfComments": "1", "COLUMNS": "20",
        "PYTHONUTF8": "1", "PYTHONOPTIMIZE": "2",
    },
)  # fmt: skip


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """A folder with the first build, and its files."""
    root = tmp_path_factory.mktemp("first")
    return root / "out", Surroundings().build(root)


def test_the_starter_book_is_the_one_on_record(first):
    found = golden_hashes(first[0])
    assert found == recorded(), f"changed on purpose? python {Path('tests/press/golden.py')} records it anew"


def test_surroundings_change_no_byte(first, tmp_path):
    assert OTHER.build(tmp_path) == first[1]


def test_a_hash_is_of_what_a_pdf_holds_and_not_of_its_packing(plain_book):
    packed = changed(
        plain_book, lambda pdf: None, object_stream_mode=pikepdf.ObjectStreamMode.generate,
        stream_decode_level=pikepdf.StreamDecodeLevel.generalized, compress_streams=False,
        force_version="1.5", linearize=True,
    )  # fmt: skip
    assert packed != plain_book
    assert pdf_hash(packed) == pdf_hash(plain_book)


def another_box(pdf):
    pdf.pages[3].TrimBox = [0, 0, 100, 200]


def another_figure(pdf):
    page = pdf.pages[3]
    page.Contents = pdf.make_stream(page.Contents.read_bytes().replace(b"200", b"201"))


@pytest.mark.parametrize("change", [another_box, another_figure])
def test_a_hash_sees_every_change_of_content(plain_book, change):
    assert pdf_hash(changed(plain_book, change)) != pdf_hash(plain_book)


def reopened(content):
    return pikepdf.open(io.BytesIO(content))


def test_pdfx_file_carries_header_info_intent_and_id(sound_book):
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


def test_plain_file_claims_no_standard(plain_book):
    pdf = reopened(plain_book)
    assert "/GTS_PDFXVersion" not in pdf.trailer.Info
    assert "/OutputIntents" not in pdf.Root
    assert str(pdf.Root.Lang) == "en"


def test_screen_file_keeps_outline_and_links_and_gains_xmp():
    tag = Tag("Link", alt="there")
    pages = [
        Page(Frame(200, 300, ()), 1, "test", links=(LinkArea((10, 20, 30, 12), "there", tag),), tags=(tag,)),
        Page(Frame(200, 300, ()), 2, "test", targets=(Target("there", 250.0, "There"),)),
    ]
    drawn = draw_pages(pages, Size(200, 300), INFO, screen=True)
    pdf = reopened(finish_screen(drawn, replace(INFO, language="th"), pages))
    assert "/Outlines" in pdf.Root
    assert str(pdf.pages[0].obj.Annots[0].Contents) == "there"
    assert str(pdf.Root.Lang) == "th"
    assert "/Trans" not in pdf.pages[1].obj
    with pdf.open_metadata() as xmp:
        assert xmp["dc:title"] == "Number Link"
        assert xmp["xmp:CreateDate"] == "2000-01-01T00:00:00Z"


def test_the_date_given_is_the_date_written(drawn_book):
    info = About("ปริศนา ①", date=datetime(2026, 2, 3, 4, 5, 6, tzinfo=UTC))
    pdf = reopened(finish_print(drawn_book, info, Standard.PDFX1A))
    assert str(pdf.trailer.Info.ModDate) == "D:20260203040506Z"
    assert str(pdf.trailer.Info.Title) == "ปริศนา ①"
    assert "/Author" not in pdf.trailer.Info


def test_date_comes_from_the_spec_then_the_environment_then_is_fixed():
    assert (
        file_date(date(2026, 11, 20), {"SOURCE_DATE_EPOCH": "0"}).isoformat() == "2026-11-20T00:00:00+00:00"
    )
    assert file_date(None, {"SOURCE_DATE_EPOCH": "86400"}).isoformat() == "1970-01-02T00:00:00+00:00"
    assert file_date(None, {}) == DATE_WITHOUT_ANY


@pytest.mark.parametrize("epoch", ["", "yesterday", "1e9", "9" * 30])
def test_an_epoch_that_is_no_date_is_refused(epoch):
    with pytest.raises(UsageError, match="SOURCE_DATE_EPOCH"):
        file_date(None, {"SOURCE_DATE_EPOCH": epoch})
