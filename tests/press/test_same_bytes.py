"""The starter book is the same, byte for byte, however and wherever it is built."""

import multiprocessing
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pikepdf
import pytest
from golden import PDFS, VOLUME, golden_hashes, pdf_hash, recorded

from press_samples import changed

LAUNCHER = Path(__file__).with_name("as_golden.py")
METHODS = [
    name for name in ("fork", "spawn", "forkserver") if name in multiprocessing.get_all_start_methods()
]
DATE = "946684800"  # 2000-01-01, which a book without a date has as well


@dataclass(frozen=True)
class Surroundings:
    """What must not matter to a build; the defaults are those of the first one."""

    jobs: int = 1
    method: str = METHODS[0]
    hash_seed: str = "0"
    locale: str = "C.UTF-8"
    zone: str = "UTC"
    umask: int = 0o022
    folder: str = "out"
    home: str = ""
    ledger: bool = False
    more: Mapping[str, str] = field(default_factory=dict)

    def build(self, root: Path) -> dict[str, bytes]:
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
            [*words, *([] if self.ledger else ["--no-ledger"])],
            cwd=root,
            env=environment,
            umask=self.umask,
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr.decode(errors="replace")
        return {name: (root / self.folder / name).read_bytes() for name in (VOLUME, *PDFS)}


OTHERS = {
    "three at work": Surroundings(
        jobs=3,
        method="forkserver",
        hash_seed="random",
        locale="C",
        zone="Asia/Kathmandu",
        umask=0o077,
        folder="Bücher von A. N. Author/数 独",
        home="settings",
        more={
            "SOURCE_DATE_EPOCH": DATE,
            "RL_ttfAsciiReadable": "0",
            "RL_pdfComments": "1",
            "PYTHONUTF8": "0",
        },
    ),
    "another system's processes": Surroundings(
        jobs=2,
        method="spawn",
        hash_seed="1",
        locale="tr_TR.UTF-8",
        zone="America/St_Johns",
        umask=0,
        folder="çà et là/b c",
        home="settings",
        ledger=True,
        more={"COLUMNS": "20", "PYTHONUTF8": "1", "PYTHONOPTIMIZE": "2"},
    ),
}


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """A folder with the first build, and its files."""
    root = tmp_path_factory.mktemp("first")
    return root / "out", Surroundings().build(root)


def test_the_starter_book_is_the_one_on_record(first):
    found = golden_hashes(first[0])
    assert found == recorded(), f"changed on purpose? python {Path('tests/press/golden.py')} records it anew"


@pytest.mark.parametrize("name", OTHERS)
def test_surroundings_change_no_byte(name, first, tmp_path):
    if OTHERS[name].method not in METHODS:
        pytest.skip("the system has no such start method")
    assert OTHERS[name].build(tmp_path) == first[1]


def test_a_hash_is_of_what_a_pdf_holds_and_not_of_its_packing(plain_book):
    packed = changed(
        plain_book,
        lambda pdf: None,
        object_stream_mode=pikepdf.ObjectStreamMode.generate,
        stream_decode_level=pikepdf.StreamDecodeLevel.generalized,
        compress_streams=False,
        force_version="1.5",
        linearize=True,
    )
    assert packed != plain_book
    assert pdf_hash(packed) == pdf_hash(plain_book)


def another_box(pdf):
    pdf.pages[3].TrimBox = [0, 0, 100, 200]


def another_figure(pdf):
    page = pdf.pages[3]
    page.Contents = pdf.make_stream(page.Contents.read_bytes().replace(b"200", b"201"))


def another_order(pdf):
    pdf.pages.append(pdf.pages[1])
    del pdf.pages[1]


def another_title(pdf):
    pdf.docinfo["/Title"] = "Numbers"


@pytest.mark.parametrize("change", [another_box, another_figure, another_order, another_title])
def test_a_hash_sees_every_change_of_content(plain_book, change):
    assert pdf_hash(changed(plain_book, change)) != pdf_hash(plain_book)
