"""Each page of a built book is compared with the page that this release draws, or that was built."""

import io
import json
import random
import re
import shutil
import zipfile
from pathlib import Path

import pikepdf
import pytest
from PIL import Image

from hidden_marks import EDITS, edit_at_random, page_of_boards, seen_difference
from linkpress.app.build import typeset_again
from linkpress.production.ledger_session import NO_LEDGER
from linkpress.verify.page_objects import hash_file
from linkpress.verify.verification import verify_folder
from press_samples import Typeset, changed
from verify_samples import graded, plant, problems_in, volume_in, with_changes


@pytest.fixture(autouse=True)
def _boards_as_forms():
    """These books are drawn as users' are."""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A book with all its files, as a build of this release writes them."""
    source = tmp_path_factory.mktemp("source")
    changes = {"captions": {"difficulty": "number"}, "parts": {"techniques": True}}
    volume = with_changes(
        volume_in("classic"), page={"printer": "generic"}, **changes, cover={}, screen=True, epub=True
    )
    (source / "volume.json").write_text(graded(volume).json, encoding="utf-8")
    return typeset_again(source, source / "book").folder


@pytest.fixture
def folder(built, tmp_path):
    return Path(shutil.copytree(built, tmp_path / "book"))


def test_an_unchanged_book_passes_and_all_its_files_are_compared_but_for_their_date(folder, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    verification = verify_folder(folder)
    assert problems_in(verification) == []
    files = ("interior.pdf", "cover.pdf", "screen.pdf", "book.epub")
    assert verification.pages.files == files
    assert (
        "every page of interior.pdf, cover.pdf, screen.pdf and book.epub is as linkpress"
        in verification.text()
    )
    assert json.loads(verification.as_json())["compared"] == list(files)


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_that_a_reader_sees_is_found(edit, folder):
    verification = plant(folder, EDITS[edit])
    assert not verification.passed
    number = page_of_boards_in(folder)
    assert any(finding.page == number for finding in verification.findings), verification.text()


def page_of_boards_in(folder):
    with pikepdf.open(folder / "interior.pdf") as pdf:
        return page_of_boards(pdf).index + 1


@pytest.mark.parametrize("seed", range(3))
def test_ten_random_edits_that_a_reader_sees_are_all_found(seed, folder):
    rng = random.Random(seed)
    content = (folder / "interior.pdf").read_bytes()
    with pikepdf.open(folder / "interior.pdf") as pdf:
        drawn = [number for number, page in enumerate(pdf.pages) if page.Contents.read_bytes().strip()]
    edited = sorted(rng.sample(drawn, min(10, len(drawn))))
    for number in edited:
        for _ in range(100):
            spoilt = changed(content, lambda pdf, at=number: edit_at_random(pdf, pdf.pages[at], rng))
            if seen_difference(content, spoilt, number) >= 40:
                break
        else:
            pytest.fail(f"no visible edit of page {number + 1}")
        content = spoilt
    (folder / "interior.pdf").write_bytes(content)
    found = {finding.page for finding in verify_folder(folder).findings}
    assert found >= {number + 1 for number in edited}


@pytest.mark.parametrize(
    ("old", "new"), [(rb"Difficulty \d", b"Difficulty 9"), (rb"ll need: ", rb"\g<0>No ")]
)
def test_a_wrong_difficulty_or_technique_is_found(old, new, folder):
    def change(pdf):
        page = next(page for page in pdf.pages if re.search(old, page.Contents.read_bytes()))
        page.Contents = pdf.make_stream(re.sub(old, new, page.Contents.read_bytes(), count=1))

    (finding,) = plant(folder, change).findings
    assert finding.found.startswith("the page is not as this release draws it")


def test_the_place_of_a_difference_is_told(folder):
    verification = plant(folder, EDITS["a square of a capped dot"])
    (finding,) = (one for one in verification.findings if "looks different" in one.found)
    left, right, top, bottom = map(int, re.findall(r"(\d+)", finding.found))
    assert right - left == pytest.approx(30, abs=2)
    assert bottom - top == pytest.approx(30, abs=2)


def test_a_page_of_another_size_is_not_drawn_to_find_the_place(folder):
    """Drawing it could take all memory."""

    def enlarge(pdf):
        pdf.pages[0].MediaBox = pikepdf.Array([0, 0, 1_000_000, 1_000_000])

    found = [finding.found for finding in plant(folder, enlarge).findings if finding.page == 1]
    assert any("1000000 × 1000000 pt, not 432 × 648 pt" in text for text in found), found


@pytest.mark.parametrize(
    "save",
    [
        {"linearize": True, "object_stream_mode": pikepdf.ObjectStreamMode.generate},
        {"compress_streams": False, "stream_decode_level": pikepdf.StreamDecodeLevel.generalized},
    ],
)
def test_a_file_that_was_only_arranged_otherwise_is_the_same(save, folder):
    for name in ("interior.pdf", "screen.pdf", "cover.pdf"):
        content = (folder / name).read_bytes()
        again = changed(content, lambda pdf: pdf.trailer.Info.__setitem__("/Title", "Other"), **save)
        assert again != content
        (folder / name).write_bytes(again)
    assert problems_in(verify_folder(folder)) == []


def test_a_link_or_bookmark_of_the_screen_edition_that_leads_elsewhere_is_found(folder):
    def bookmark(pdf):
        with pdf.open_outline() as outline:
            outline.root[0].title = "Elsewhere"

    def link(pdf):
        page = next(page for page in pdf.pages if "/Annots" in page)
        page.Annots[0]["/Dest"] = pikepdf.Array([pdf.pages[0].obj, pikepdf.Name.Fit])

    screen = (folder / "screen.pdf").read_bytes()
    for change, said in (
        (bookmark, "outline, named links"),
        (link, "the page is not as this release draws it"),
    ):
        (folder / "screen.pdf").write_bytes(changed(screen, change, force_version="1.7"))
        assert any(said in text for _, text in problems_in(verify_folder(folder)))


def test_a_changed_cover_and_a_changed_e_book_are_found(folder):
    cover = (folder / "cover.pdf").read_bytes()
    (folder / "cover.pdf").write_bytes(
        changed(cover, lambda pdf: setattr(pdf.pages[0], "Contents", pdf.make_stream(b"")))
    )
    written = io.BytesIO()
    with zipfile.ZipFile(folder / "book.epub") as book, zipfile.ZipFile(written, "w") as copy:
        for member in book.infolist():
            content = book.read(member)
            copy.writestr(
                member, content.replace(b"<rect", b"<path") + b" " * member.filename.endswith("xhtml")
            )
    (folder / "book.epub").write_bytes(written.getvalue())
    findings = {finding.file: finding.found for finding in verify_folder(folder).findings}
    assert findings.keys() == {"cover.pdf", "book.epub"}
    assert "looks different" in findings["cover.pdf"]


def rewrite(folder, change):
    record = json.loads((folder / "volume.json").read_text("utf-8"))
    change(record)
    (folder / "volume.json").write_text(json.dumps(record), encoding="utf-8")


def other_release(folder):
    rewrite(folder, lambda record: record.update(linkpress_version="0.2.0"))


def test_a_book_of_another_release_is_compared_with_the_record_of_its_build(folder):
    other_release(folder)
    verification = verify_folder(folder)
    assert problems_in(verification) == []
    assert "pages compared with pages.json of the build only: built by 0.2.0" in verification.text()
    spoilt = plant(folder, EDITS["digits 1 % wide"])
    assert [text for _, text in problems_in(spoilt)] == ["the page is not as it was built"]


@pytest.mark.parametrize("record", [None, b"{", b'{"format": 1}', b"[]", b"\xff"])
def test_pages_that_can_not_be_compared_are_told(record, folder):
    other_release(folder)
    (folder / "pages.json").unlink()
    if record is not None:
        (folder / "pages.json").write_bytes(record)
    verification = verify_folder(folder)
    assert "pages not compared: built by 0.2.0" in verification.text()
    assert json.loads(verification.as_json())["uncompared"] == "built by 0.2.0"


def test_a_book_whose_theme_is_gone_is_compared_with_the_record(folder):
    rewrite(folder, lambda record: record["book"].update(theme="own.yaml"))
    text = verify_folder(folder).text()
    assert "pages compared with pages.json of the build only: it can't be drawn again: " in text
    assert "own.yaml" in text


def test_pictures_are_looked_for_in_the_folder_that_is_named(folder, tmp_path):
    pictures = tmp_path / "pictures"  # no folder above the built book, so it must be named
    pictures.mkdir()
    Image.new("L", (1900, 2800), 90).save(pictures / "front.png")
    rewrite(folder, lambda record: record["book"].update(cover={"image": "front.png"}))
    built = typeset_again(folder, tmp_path / "again", spec_folder=pictures, ledger=NO_LEDGER).folder
    verified = verify_folder(built, pictures)
    assert verified.pages.by_record is None
    assert problems_in(verified) == []
    assert "front.png" in verify_folder(built).pages.by_record


def test_a_book_that_was_built_in_another_theme_is_told_from_one_that_was_edited(folder):
    rewrite(folder, lambda record: record["book"].update(theme="bold"))
    assert any("it is the file that was built" in text for _, text in problems_in(verify_folder(folder)))


@pytest.mark.parametrize("closed", [True, False])
def test_damaged_files_of_any_kind_and_one_with_a_password_end_in_findings(closed, folder):
    cover = b"%PDF-1.4 nothing"
    if closed:
        password = pikepdf.Encryption(owner="x", user="y")
        cover = changed(
            (folder / "cover.pdf").read_bytes(), lambda pdf: None, encryption=password, force_version=""
        )
    for name, content in (("cover.pdf", cover), ("book.epub", b"anything")):
        (folder / name).write_bytes(content)
    findings = {finding.file: finding.found for finding in verify_folder(folder).findings}
    assert findings.keys() == {"cover.pdf", "book.epub"}
    assert all("can't be compared" in found for found in findings.values())


@pytest.mark.parametrize("theme", ["soft", "plain-dots", "bold"])
def test_two_drawings_of_a_book_have_the_same_objects(theme, tmp_path):
    first, second = (Typeset(volume_in(theme), tmp_path).files["interior.pdf"] for _ in range(2))
    assert hash_file("interior.pdf", first) == hash_file("interior.pdf", second)
