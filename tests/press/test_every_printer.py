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

from boards import SOLVED_BOARD, record_of
from linkpress.app.build import typeset_again
from linkpress.book.spec import BookSpec, with_printing_changes
from linkpress.documents.shipped_files import PRINTERS
from linkpress.errors import CheckFailedError
from linkpress.preflight import preflight
from linkpress.press.assets import load_assets
from linkpress.press.book_layout import lay_out_screen
from linkpress.press.dry_run import stand_in_volume
from linkpress.printers import load_printer
from linkpress.puzzle.symmetry import fingerprint
from linkpress.resources import resource
from press_samples import Typeset

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
                "title": "One Volume", "author": "A. Setter", "seed": 1, "notes_pages": 4,
                "cover": {"spine_mm": 6}, "isbn": "978-0-306-40615-7",
                "levels": [
                    {"name": "Easy", "count": 16, "size": "5x7", "paths": 5, "per_page": 1},
                    {"name": "Hard", "count": 8, "size": 9, "paths": 9, "per_page": 2},
                ],
            },
        ),
    )  # fmt: skip


def printed(volume, **changes):
    return Typeset(replace(volume, spec=with_printing_changes(volume.spec, changes)), Path())


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


def test_answers_as_large_as_a_page_are_not_called_painted_over():
    keys = {"theme": "lineart", "solutions": {"per_page": 1}, "page": {"trim": "400x400mm", "fill": True}}
    levels = [{"name": "A", "count": 1, "size": "7x5", "paths": 5, "per_page": 1}]
    spec = BookSpec.model_validate({"title": "T", "seed": 1, "levels": levels, **keys})
    report = Typeset(replace(stand_in_volume(spec), puzzles=(record_of(),)), Path()).reports["interior.pdf"]
    assert report.passed, report.text()


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
        named, page={"printer": "lulu", "trim": "A5"}, title=words, author="ญู ฐู้", publisher="ญู ฐู้",
        front=front, fonts={"embed": embed},
    )  # fmt: skip
    for report in edition.reports.values():
        assert report.passed, report.text()
    pages = pdfium.PdfDocument(edition.files["interior.pdf"])
    text = "".join(page.get_textpage().get_text_range() for page in pages)
    assert text.count("น้ำใจของผู้เล่น") >= 6  # title, copyright, contents, heading and its text twice
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


def test_qpdf_finds_no_error_and_pdffonts_every_font_embedded(files):
    for path in files:
        assert "No syntax or stream encoding errors" in run("qpdf", "--check", str(path))
        fonts = run("pdffonts", str(path)).splitlines()[2:]
        assert {tuple(line.split()[-5:-2]) for line in fonts} == {("yes", "yes", "yes")}


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


def test_own_fonts_are_embedded_and_no_other(volume):
    """The Thai faces stand for any font that is not the house's: they name themselves in the file."""
    own = resource("fonts", "ibm-plex-sans-thai", "IBMPlexSansThai-Regular.ttf")
    made = printed(volume, page=EDITIONS["kdp 6 × 9"], fonts={"regular": str(own), "italic": str(own)})
    assert all(report.passed for report in made.reports.values())
    for name in ("interior.pdf", "cover.pdf"):
        with pikepdf.open(io.BytesIO(made.files[name])) as pdf:
            bases = {str(thing.BaseFont) for thing in pdf.objects if "/BaseFont" in thing}
        assert bases == {"/AAAAAA+IBMPlexSansThai"}


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
    (tmp_path / "volume.json").write_text(saved.json, encoding="utf-8")
    return tmp_path


def test_the_last_book_that_passed_stays_whole_beside_a_refused_one_and_the_message_says_so(folder):
    typeset_again(folder, folder)
    before = {path: path.read_bytes() for path in folder.iterdir()}
    (folder / "rejected-cover.pdf").write_text("of an earlier build")
    message = r"interior.pdf and volume.json beside it are the last book that passed, unchanged"
    with pytest.raises(CheckFailedError, match=message) as refused:
        typeset_again(folder, folder, changes={"theme": "rich.yaml"})
    assert "rich-black, p. 1" in str(refused.value)
    after = {path: path.read_bytes() for path in folder.iterdir()}
    assert before.items() <= after.items()
    assert {path.name for path in after.keys() - before.keys()} == {"rejected-interior.pdf", "preflight.txt"}
    assert message in (folder / "preflight.txt").read_text("utf-8").splitlines()[0]


def test_a_good_build_takes_away_what_was_rejected_and_says_what_it_replaces_and_leaves(folder):
    with pytest.raises(CheckFailedError):
        typeset_again(folder, folder, changes={"theme": "rich.yaml"})
    typeset_again(folder, folder)
    assert {"interior.pdf", "cover.pdf", "report.txt"} <= {path.name for path in folder.iterdir()}
    notes = typeset_again(folder, folder, changes={"cover": None, "edition": "Second edition"}).notes
    names = {path.name for path in folder.iterdir()}
    assert names == {*GIVEN, "interior.pdf", "cover.pdf", "pages.json", "report.txt"}
    assert notes == (
        f"replaced interior.pdf, pages.json and volume.json of the book that was in {folder}",
        f"cover.pdf in {folder} is of an earlier book and left unchanged: the spec no longer asks for it",
    )


def test_a_book_is_set_beside_its_folder_and_leaves_that_as_it_is(folder):
    before = {path: path.read_bytes() for path in folder.iterdir()}
    built = typeset_again(folder, changes={"page": {"printer": "generic", "trim": "A5"}})
    assert built.folder == folder.parent / "one-generic-a5"
    assert built.notes == ()
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def spec(**keys):
    levels = [
        {"name": "Easy", "count": 6, "size": "5x7", "paths": 5, "per_page": 4},
        {"name": "Hard", "count": 3, "size": 20, "paths": 20, "per_page": 4},
    ]
    return BookSpec.model_validate({"title": "Links", "seed": 1, "screen": True, "levels": levels, **keys})


def on_screen(volume):
    return lay_out_screen(volume, load_assets(volume.spec), "0" * 12, {}, None)


def test_its_pages_have_one_side_and_none_is_blank():
    made = on_screen(stand_in_volume(spec(page={"single_sided": True, "bleed": True})))
    assert "blank" not in {page.kind for page in made.pages}
    assert made.margins.inside_pt == made.margins.outside_pt
    assert made.trim.same_as(spec().screen.trim.size, 0.1)
    folios = [item for page in made.pages[4:] for item in page.frame.items if getattr(item, "y", 99) < 33]
    assert len({round(item.x + item.width_pt, 3) for item in folios if hasattr(item, "width_pt")}) == 1


def test_boards_too_small_for_its_pages_stand_fewer_to_a_page():
    made = on_screen(stand_in_volume(spec()))  # 4 of 20 x 20 to a letter page
    hard = [page for page in made.pages if page.kind == "puzzles" and page.section == "Hard"]
    assert len(hard) == 3  # of 4 mm squares on 6 × 8 in


def test_puzzles_and_answers_lead_to_one_another_wherever_print_has_the_answers():
    volume = stand_in_volume(spec(solutions={"place": "file"}, page={"min_cell_mm": 3.5}))
    made = on_screen(volume)
    for number in range(1, 10):
        for here, there in (("puzzle", "solution"), ("solution", "puzzle")):
            page = made.pages[made.index[f"{here}-{number}"] - 1]
            assert f"{there}-{number}" in {link.target for link in page.links}
    with pikepdf.open(io.BytesIO(Typeset(volume, Path()).files["screen.pdf"])) as pdf:
        links = sum(note.Subtype == "/Link" for page in pdf.pages for note in page.get("/Annots", []))
        assert (len(pdf.pages), links) == (made.page_count, sum(len(page.links) for page in made.pages))


@pytest.mark.parametrize("theme", ["classic", "colour"])
def test_its_cover_may_run_to_the_edge_of_the_screen(theme):
    volume = stand_in_volume(spec(cover={}, theme=theme, page={"paper": "colour", "min_cell_mm": 4}))
    made = Typeset(volume, Path()).files["screen.pdf"]
    report = preflight(made, load_printer("screen"))
    assert report.passed, report.text()
