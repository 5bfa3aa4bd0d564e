"""One volume typeset for each printer; what the programs of others say of the same files."""

import io
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pikepdf
import pypdfium2 as pdfium
import pytest

from boards import SOLVED_BOARD
from linkpress.app.build import typeset_again
from linkpress.book.changes import printed_otherwise
from linkpress.book.spec import BookSpec
from linkpress.book.volume import volume_json
from linkpress.documents.models import Document
from linkpress.documents.shipped_files import PRINTERS
from linkpress.errors import FoundWantingError, SpecError
from linkpress.preflight import preflight
from linkpress.press.rehearsal import rehearse
from linkpress.press.stand_in_volume import stand_in_volume
from linkpress.press.typesetting import typeset
from linkpress.printers.profile import load_printer
from linkpress.puzzle.symmetry import fingerprint
from linkpress.resources import resource

EDITIONS = {
    "kdp 6 × 9": {"printer": "kdp-paperback", "trim": "6x9in"},
    "kdp 8.5 × 11": {"printer": "kdp-paperback", "trim": "8.5x11in", "bleed": True},
    "ingram": {"printer": "ingramspark", "trim": "6x9in", "bleed": True},
    "lulu": {"printer": "lulu", "trim": "8.5x11in", "bleed": True},
    "lulu coil": {"printer": "lulu-coil", "trim": "A5"},
    "a4": {"printer": "generic", "trim": "A4"},
}

GIVEN = ("own.yaml", "rich.yaml", "volume.json")


@pytest.fixture(scope="module")
def volume():
    """24 boards of stripes: they are laid out as any other."""
    return stand_in_volume(
        BookSpec.model_validate(
            {
                "title": "One Volume",
                "author": "A. Setter",
                "seed": 1,
                "notes_pages": 4,
                "cover": {"spine_mm": 6},
                "isbn": "978-0-306-40615-7",
                "levels": [
                    {"name": "Easy", "count": 16, "size": "5x7", "paths": 5, "per_page": 1},
                    {"name": "Hard", "count": 8, "size": 9, "paths": 9, "per_page": 2},
                ],
            }
        )
    )


def printed(volume, **changes):
    return typeset(replace(volume, spec=printed_otherwise(volume.spec, changes)), Path())


@pytest.fixture(scope="module")
def editions(volume):
    return {name: printed(volume, page=page) for name, page in EDITIONS.items()}


@pytest.mark.parametrize("name", EDITIONS)
def test_the_same_volume_passes_each_printers_preflight(editions, name):
    edition = editions[name]
    assert set(edition.reports) == {"interior.pdf", "cover.pdf"}
    for report in edition.reports.values():
        assert report.passed, report.text()
    # The boxes alone tell another reader the same trim and bleed.
    alone = preflight(edition.files["interior.pdf"], load_printer(str(EDITIONS[name]["printer"])))
    assert alone.passed, alone.text()


@pytest.mark.parametrize("publisher", [{}, {"publisher": "Quay Jigsaw Press"}])
def test_letters_that_hang_below_the_line_stay_inside_the_margin(volume, publisher):
    """The lowest lines of title page and openers, where the printer's margin is the live area's edge."""
    hanging = {"author": "Peggy Quill", "qr": {"per": "section", "text": "{level}"}, **publisher}
    edition = printed(volume, page={"printer": "lulu", "trim": "A5"}, **hanging)
    assert edition.reports["interior.pdf"].passed, edition.reports["interior.pdf"].text()


@pytest.mark.parametrize("embed", ["subset", "full"])
def test_stacked_marks_stay_inside_the_margin_and_are_read_back(volume, embed):
    """Thai with marks above and below at the head of a page and at its foot, in fonts cut down and whole."""
    words = "น้ำใจของผู้เล่นที่นี่ – café"
    levels = [level.model_copy(update={"name": words}) for level in volume.spec.levels[:1]]
    named = replace(
        volume,
        spec=volume.spec.model_copy(update={"levels": (*levels, *volume.spec.levels[1:])}),
        puzzles=tuple(
            replace(one, level=words) if one.level == volume.spec.levels[0].name else one
            for one in volume.puzzles
        ),
    )
    front = [{"title": words, "text": f"{words} **{words}**"}]
    edition = printed(
        named,
        page={"printer": "lulu", "trim": "A5"},
        title=words,
        author="ญู ฐู้",
        publisher="ญู ฐู้",
        front=front,
        fonts={"embed": embed},
    )
    for report in edition.reports.values():
        assert report.passed, report.text()
    pages = pdfium.PdfDocument(edition.files["interior.pdf"])
    said = "".join(page.get_textpage().get_text_range() for page in pages)
    assert said.count("น้ำใจของผู้เล่น") >= 6  # title, copyright, contents, heading and its text twice
    with pikepdf.open(io.BytesIO(edition.files["interior.pdf"])) as pdf:
        bases = {str(thing.BaseFont) for thing in pdf.objects if "/BaseFont" in thing}
    assert all(("+" in base) is (embed == "subset") for base in bases)


@pytest.mark.parametrize("printer", PRINTERS.names())
def test_a_book_passes_on_every_paper_of_every_printer(volume, printer):
    """40 pages for notes make a book thick enough for KDP; a colour theme goes where there is ink for it."""
    profile, notes = load_printer(printer), 40 if printer.startswith("kdp") else 4
    for paper in profile.papers:
        page = {"printer": printer, "paper": paper.name, "trim": "6x9in", "single_sided": True}
        theme = "colour" if paper.ink.value == "colour" else "classic"
        edition = printed(volume, page=page, theme=theme, notes_pages=notes, cover=None)
        assert edition.reports["interior.pdf"].passed, edition.reports["interior.pdf"].text()


def run(tool, *words):
    found = shutil.which(tool)
    if found is None:
        pytest.skip(f"{tool} is not installed; the project's own checks are tested without it")
    done = subprocess.run([found, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def files(editions, tmp_path):
    """Interior and cover of the edition with bleed on the outer sides only."""
    paths = []
    for name, content in editions["kdp 8.5 × 11"].files.items():
        paths.append(tmp_path / name)
        paths[-1].write_bytes(content)
    return paths


def test_qpdf_finds_no_fault(files):
    for path in files:
        assert "No syntax or stream encoding errors" in run("qpdf", "--check", str(path))


def test_pdffonts_finds_every_font_embedded(files):
    for path in files:
        fonts = run("pdffonts", str(path)).splitlines()[2:]
        assert fonts
        assert all(line.split()[-5:-2] == ["yes", "yes", "yes"] for line in fonts)


def test_ghostscript_finds_black_ink_alone(files):
    pages = run("gs", "-q", "-o", "-", "-sDEVICE=inkcov", str(files[0])).splitlines()
    inks = [[float(share) for share in line.split()[:4]] for line in pages]
    assert all(ink[:3] == [0, 0, 0] for ink in inks)
    assert sum(ink[3] > 0 for ink in inks) > len(inks) / 2


def test_a_printer_that_converts_gets_screen_colours_and_no_mix(volume):
    """Lulu: sRGB, so no PDF/X-1a; where nothing but black is printed that stays as asked."""
    page = {**EDITIONS["lulu"], "paper": "premium-colour"}
    made = printed(volume, page=page, theme="dots")
    assert all(report.passed for report in made.reports.values()), made.reports
    for name in ("interior.pdf", "cover.pdf"):
        with pikepdf.open(io.BytesIO(made.files[name])) as pdf:
            assert "/OutputIntents" not in pdf.Root
            drawn = b"".join(thing.read_bytes() for thing in pdf.objects if isinstance(thing, pikepdf.Stream))
            assert b" rg" in drawn
            assert re.search(rb"[0-9] k\s", drawn) is None
    black = printed(volume, page=EDITIONS["lulu"], cover=None)
    with pikepdf.open(io.BytesIO(black.files["interior.pdf"])) as pdf:
        assert "/OutputIntents" in pdf.Root


def test_a_mix_of_inks_is_found_where_the_printer_converts(volume):
    made = printed(volume, page={**EDITIONS["kdp 6 × 9"], "paper": "premium-colour"}, theme="dots")
    report = preflight(made.files["interior.pdf"], load_printer("lulu"))
    (found,) = {finding.allowed for finding in report.findings if finding.check == "colour-space"}
    assert found.startswith("gray and sRGB")


def test_keys_of_dots_without_dots_are_refused(volume):
    spec = printed_otherwise(volume.spec, {"numbers": {"show_numbers": "no"}})
    with pytest.raises(SpecError, match=r"numbers\.show_numbers: the theme classic has numbers in the style"):
        rehearse(Document(spec), Path())


def test_own_fonts_are_embedded_and_no_other(volume):
    """The Thai faces stand for any font that is not the house's: they name themselves in the file."""
    own = resource("fonts", "ibm-plex-sans-thai", "IBMPlexSansThai-Regular.ttf")
    made = printed(volume, page=EDITIONS["kdp 6 × 9"], fonts={"regular": str(own), "italic": str(own)})
    assert all(report.passed for report in made.reports.values())
    for name in ("interior.pdf", "cover.pdf"):
        with pikepdf.open(io.BytesIO(made.files[name])) as pdf:
            bases = {str(thing.BaseFont) for thing in pdf.objects if "/BaseFont" in thing}
        assert bases == {"/AAAAAA+IBMPlexSansThai"}


def test_a_character_that_own_fonts_lack_is_refused_before_a_puzzle_is_made(volume):
    own = resource("fonts", "ibm-plex-sans", "IBMPlexSans-Regular.ttf")
    spec = printed_otherwise(volume.spec, {"fonts": {"regular": str(own)}})
    rehearse(Document(spec), Path())
    thai = spec.model_copy(update={"title": "กข"})  # which the house's companion has, and this font has not
    with pytest.raises(SpecError, match=r"title: the fonts have no glyph for 'ก'"):
        rehearse(Document(thai), Path())


@pytest.fixture
def folder(tmp_path):
    """One puzzle, for a printer of the user's own that wants black of one ink, and a theme that mixes it."""
    generic = resource("config", "printers", "generic.yaml").read_text("utf-8")
    own = generic.replace("name: generic", "name: own").replace("[encryption]", "[encryption, rich-black]")
    (tmp_path / "own.yaml").write_text(own, encoding="utf-8")
    (tmp_path / "rich.yaml").write_text("name: rich\naccent: [20, 20, 20, 100]\n", encoding="utf-8")
    level = {"name": "One", "count": 1, "size": "7x5", "paths": 5, "solids": 3}
    page = {"printer": "own.yaml", "paper": "colour", "trim": "6x9in"}
    spec = BookSpec.model_validate({"title": "One", "seed": 1, "cover": {}, "page": page, "levels": [level]})
    volume = stand_in_volume(spec)
    mark = fingerprint(SOLVED_BOARD.puzzle)
    puzzle = replace(volume.puzzles[0], solution=SOLVED_BOARD, fingerprint=mark)
    saved = replace(volume, puzzles=(puzzle,))
    (tmp_path / "volume.json").write_text(volume_json(saved), encoding="utf-8")
    return tmp_path


def test_the_last_book_that_passed_stays_whole_beside_a_refused_one_and_is_told_apart(folder):
    typeset_again(folder, folder)
    before = {path: path.read_bytes() for path in folder.iterdir()}
    (folder / "rejected-cover.pdf").write_text("of an earlier build")
    told = r"interior.pdf and volume.json beside it are the last book that passed, unchanged"
    with pytest.raises(FoundWantingError, match=told):
        typeset_again(folder, folder, changes={"theme": "rich.yaml"})
    after = {path: path.read_bytes() for path in folder.iterdir()}
    assert before.items() <= after.items()
    assert {path.name for path in after.keys() - before.keys()} == {"rejected-interior.pdf", "preflight.txt"}
    assert told in (folder / "preflight.txt").read_text("utf-8").splitlines()[0]


def test_a_good_build_takes_away_what_was_rejected_and_says_what_it_replaces_and_leaves(folder):
    with pytest.raises(FoundWantingError):
        typeset_again(folder, folder, changes={"theme": "rich.yaml"})
    typeset_again(folder, folder)
    assert {"interior.pdf", "cover.pdf", "report.txt"} <= {path.name for path in folder.iterdir()}
    told = typeset_again(folder, folder, changes={"cover": None, "edition": "Second edition"}).notes
    names = {path.name for path in folder.iterdir()}
    assert names == {*GIVEN, "interior.pdf", "cover.pdf", "report.txt"}
    assert told == (
        f"replaced interior.pdf and volume.json of the book that was in {folder}",
        f"cover.pdf in {folder} is of an earlier book and left as before: the spec asks for none now",
    )


def test_a_book_is_set_beside_its_folder_and_leaves_that_as_it_is(folder):
    before = {path: path.read_bytes() for path in folder.iterdir()}
    built = typeset_again(folder, changes={"page": {"printer": "generic", "trim": "A5"}})
    assert built.folder == folder.parent / "one-generic-a5"
    assert built.notes == ()
    assert {path: path.read_bytes() for path in folder.iterdir()} == before
