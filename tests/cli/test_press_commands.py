"""preflight, verify, preview and typeset's options, as a user runs them."""

import json

import pikepdf
import pytest
from PIL import Image

from linkpress.cli.main import run
from linkpress.resources import resource

SPEC = """\
title: For the Press
seed: 8
page: {printer: kdp-paperback, trim: 6x9in}
screen: yes
cover: {blurb: Some words.}
levels:
  - {name: One, count: 16, size: 5, paths: 4-5, per_page: 1}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("book")
    (place / "book.yaml").write_text(SPEC)
    assert run(["build", str(place / "book.yaml"), "-o", str(place), "--jobs", "1", "--no-ledger"]) == 0
    return place / "for-the-press"


def test_a_build_passes_its_own_printers_preflight(folder, capfd):
    assert run(["preflight", str(folder / "interior.pdf"), "--printer", "kdp-paperback"]) == 0
    assert run(["preflight", str(folder / "cover.pdf"), "--printer", "kdp-paperback", "--cover"]) == 0
    assert "passed: " in capfd.readouterr().out
    assert "interior.pdf passed" in (folder / "report.txt").read_text()


def test_a_file_for_the_screen_fails_the_printers_preflight_with_one(folder, capfd):
    arguments = ["preflight", str(folder / "screen.pdf"), "--printer", "kdp-paperback", "--json"]
    assert run(arguments) == 1
    verdict = json.loads(capfd.readouterr().out)
    assert not verdict["passed"]
    assert {"outline", "metadata", "annotations"} <= {f["check"] for f in verdict["findings"]}


def test_verify_reads_a_good_book_back(folder, capfd):
    assert run(["verify", str(folder)]) == 0
    assert "16 puzzles proven and graded again" in capfd.readouterr().out


def test_verify_ends_with_one_and_names_the_puzzle_whose_square_was_changed(folder, tmp_path, capfd):
    record = json.loads((folder / "volume.json").read_text())
    rows = record["puzzles"][3]["board"]
    at = next(n for n, row in enumerate(rows) if "." in row)
    rows[at] = rows[at].replace(".", "#", 1)
    (tmp_path / "volume.json").write_text(json.dumps(record))
    (tmp_path / "interior.pdf").write_bytes((folder / "interior.pdf").read_bytes())
    assert run(["verify", str(tmp_path)]) == 1
    assert "puzzle 4" in capfd.readouterr().out


def test_preview_puts_the_pages_asked_for_side_by_side(folder, tmp_path):
    assert (
        run(["preview", str(folder), "--pages", "1-3,7", "--columns", "2", "-o", str(tmp_path / "s.png")])
        == 0
    )
    with Image.open(tmp_path / "s.png") as sheet:
        # Two columns of 420 px and two rows of 630 px (6 × 9 in), with three gaps of 25 px each way.
        assert sheet.size == (2 * 420 + 3 * 25, 2 * 630 + 3 * 25)


def test_preview_draws_the_front_alone_as_shops_show_it(folder, tmp_path):
    assert run(["preview", str(folder), "--pages", "front", "-o", str(tmp_path / "f.png")]) == 0
    with Image.open(tmp_path / "f.png") as front:
        assert front.size == (1200, 1800)
        assert len(front.convert("RGB").getcolors(1 << 24)) > 2


def settings(*changes):
    return [word for change in changes for word in ("--set", change)]


def test_typeset_takes_the_volume_to_another_printer_and_page(folder, tmp_path):
    options = settings("page.printer=generic", "page.trim=A5", "theme=bold", "cover=no", "screen=no")
    assert run(["typeset", str(folder), "-o", str(tmp_path), *options]) == 0
    assert sorted(p.name for p in tmp_path.iterdir()) == ["interior.pdf", "report.txt", "volume.json"]
    with pikepdf.open(tmp_path / "interior.pdf") as pdf:
        width, height = (float(side) for side in pdf.pages[0].TrimBox[2:])
    assert (width, height) == pytest.approx((148 / 25.4 * 72, 210 / 25.4 * 72), abs=0.01)
    changed, saved = (json.loads((p / "volume.json").read_text()) for p in (tmp_path, folder))
    assert changed["puzzles"] == saved["puzzles"]
    assert changed["book"]["theme"] == "bold"


def test_typeset_says_which_option_is_wrong(folder, tmp_path, capfd):
    assert run(["typeset", str(folder), "-o", str(tmp_path), "--set", "page.trim=3x"]) == 2
    assert "page.trim 3x" in capfd.readouterr().err


def test_a_colour_book_is_told_to_name_its_paper(folder, tmp_path, capfd):
    options = settings("page.printer=generic", "page.paper=colour", "theme=colour", "cover=no", "screen=no")
    assert run(["typeset", str(folder), "-o", str(tmp_path), *options]) == 0
    judged = ["preflight", str(tmp_path / "interior.pdf"), "--printer", "generic"]
    assert run(judged) == 1
    assert "for a book in colour give --paper colour" in capfd.readouterr().out
    assert run([*judged, "--paper", "colour"]) == 0


def test_a_file_that_the_printer_refuses_ends_with_one_and_is_named(folder, tmp_path, capfd):
    generic = resource("config", "printers", "generic.yaml").read_text("utf-8")
    own = generic.replace("name: generic", "name: own").replace("[encryption]", "[encryption, rich-black]")
    (tmp_path / "own.yaml").write_text(own)
    (tmp_path / "rich.yaml").write_text("name: rich\naccent: [20, 20, 20, 100]\n")
    files = settings(f"page.printer={tmp_path / 'own.yaml'}", f"theme={tmp_path / 'rich.yaml'}")
    options = settings("page.paper=colour", "cover=no", "screen=no")
    assert run(["typeset", str(folder), *options, *files, "-o", str(tmp_path / "book")]) == 1
    said = capfd.readouterr().err
    assert "rejected-interior.pdf" in said
    assert "rich-black, p. 1" in said
    kept = {path.name for path in (tmp_path / "book").iterdir()}
    assert kept == {"rejected-interior.pdf", "preflight.txt"}
