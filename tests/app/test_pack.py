"""A designer's pack of a small book."""

import csv
import io
import json
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from PIL import Image

from image_files import image_of
from linkpress.app import marketing as packing
from linkpress.app.build import build, typeset_again
from linkpress.app.marketing import list_book, write_pack
from linkpress.cli.app import run
from linkpress.errors import LayoutError, OutputError, UsageError
from linkpress.production.ledger_session import NO_LEDGER
from linkpress.render.raster import facing_pages
from linkpress.resources import resource

SPEC = """\
title: Tiny – Ω
id: tiny
seed: 4
page: {trim: 6x9in}
levels:
  - {name: "One, two", count: 6, size: 5x7, per_page: 1}
"""


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    folder = tmp_path_factory.mktemp("book")
    (folder / "book.yaml").write_text(SPEC, "utf-8")
    return build(folder / "book.yaml", folder, 1, ledger=NO_LEDGER).folder


@pytest.fixture(autouse=True, scope="module")
def small_pictures():
    """Marketing pictures take most of a pack's time; ``packed`` has them as they are sold."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(packing, "MARKETING_DPI", 30)
        yield patch


@pytest.fixture(scope="module")
def packed(book, tmp_path_factory, small_pictures):
    out = tmp_path_factory.mktemp("packs") / "pack"
    small_pictures.setattr(packing, "MARKETING_DPI", 300)
    progress = []
    files = write_pack(book, out, dpi=150, on_drawn=lambda done, total: progress.append((done, total)))
    small_pictures.setattr(packing, "MARKETING_DPI", 30)
    return out, files, progress


def test_every_puzzle_and_answer_is_there_in_three_kinds(packed):
    out, files, progress = packed
    for kind in ("svg", "eps", "png"):
        boards = [path.name for path in files if path.parent.name == kind and path.suffix == f".{kind}"]
        assert len(boards) == 12
        assert boards[:2] == [f"tiny-0001-puzzle.{kind}", f"tiny-0001-solution.{kind}"]
    assert {path for path in out.rglob("*") if path.is_file()} == set(files)
    assert progress[-1] == (len(files), len(files)) == (41, 41)


def test_the_table_is_utf_16_and_names_images_that_lie_beside_it(packed):
    out, *_ = packed
    content = (out / "eps" / "data-merge.csv").read_bytes()
    assert content.startswith(b"\xfe\xff")
    rows = list(csv.DictReader(io.StringIO(content.decode("utf-16"), newline="")))
    assert [row["number"] for row in rows] == ["1", "2", "3", "4", "5", "6"]
    assert (rows[0]["title"], rows[0]["level"], rows[0]["size"]) == ("Tiny – Ω", "One, two", "5 × 7")
    for row in rows:
        assert (out / "eps" / row["@puzzle"]).exists()
        assert (out / "eps" / row["@solution"]).exists()


def test_no_cell_of_the_table_is_a_formula_to_programs_that_open_it(book, tmp_path):
    spoilt = Path(shutil.copytree(book, tmp_path / "book"))
    text = (book / "volume.json").read_text("utf-8")
    (spoilt / "volume.json").write_text(text.replace("Tiny – Ω", "=cmd()"), "utf-8")
    write_pack(spoilt, tmp_path / "pack", dpi=150)
    table = (tmp_path / "pack" / "eps" / "data-merge.csv").read_text("utf-16")
    rows = list(csv.reader(io.StringIO(table)))[1:]
    assert [row[1] for row in rows] == [" =cmd()"] * 6
    assert not [cell for row in rows for cell in row if cell[:1] in ("=", "+", "-", "@")]


def test_a_pack_replaces_one_of_the_same_book_and_what_a_killed_one_has_left(book, tmp_path):
    out = tmp_path / "pack"
    dying = f"""
import os, signal
from pathlib import Path
from linkpress.app.marketing import write_pack
write_pack(Path({str(book)!r}), Path({str(out)!r}), dpi=150,
     on_drawn=lambda done, total: done == 5 and os.kill(os.getpid(), signal.SIGKILL))
"""
    subprocess.run([sys.executable, "-c", dying])
    assert len(list(out.rglob(".linkpress-*.part"))) == 5
    files = write_pack(book, out, dpi=150)
    assert {path for path in out.rglob("*") if path.is_file()} == set(files)
    before = [path.read_bytes() for path in files]
    assert write_pack(book, out, dpi=150) == files
    assert [path.read_bytes() for path in files] == before


def test_the_marketing_pictures_have_300_dpi(packed):
    out, *_ = packed
    sizes = {path.name: image_of(path) for path in (out / "marketing").iterdir()}
    assert {name: image.size for name, image in sizes.items()} == {
        "cover.png": (1800, 2700),  # 6 × 9 in
        **{f"spread-{at}.png": (3600, 2700) for at in (1, 2, 3)},
    }
    assert sizes["cover.png"].info["dpi"] == pytest.approx((300, 300), abs=0.01)


@pytest.mark.parametrize(
    "name", ["svg/tiny-0003-solution.svg", "eps/data-merge.csv", "marketing/cover.png", "png"]
)
def test_what_is_no_part_of_the_pack_is_left_alone(book, tmp_path, name):
    mine = tmp_path / "out" / name
    mine.parent.mkdir(parents=True)
    mine.write_bytes(b"mine")
    with pytest.raises(OutputError, match=mine.name):
        write_pack(book, tmp_path / "out", dpi=150)
    assert [path for path in (tmp_path / "out").rglob("*") if path.is_file()] == [mine]


def test_a_pack_that_cannot_be_finished_leaves_nothing(book, tmp_path, monkeypatch):
    def fail(*args, **how):
        raise LayoutError("no spread")

    monkeypatch.setattr(packing, "facing_pages", fail)
    with pytest.raises(LayoutError):
        write_pack(book, tmp_path / "out", dpi=150)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_the_command_names_its_files(book, tmp_path, capfd, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(["pack", str(book), "--width", "4in", "--dpi", "96"]) == 0
    printed, stderr = capfd.readouterr()
    assert printed.splitlines()[-1] == "output/tiny-pack/marketing/spread-3.png"
    assert "41 files" in stderr
    assert image_of(tmp_path / "output/tiny-pack/png/tiny-0001-puzzle.png").size[0] == 384


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["nowhere"], 4, "volume.json"),
        (["{book}", "--width", "15mm"], 2, "20 to 600 mm"),
        (["{book}", "--width", "20mm", "--dpi", "72"], 2, "Make the image"),
        (["{book}", "--spec-folder", "nowhere"], 2, "there is no folder nowhere"),
    ],
)
def test_wrong_words_are_refused_and_nothing_is_written(
    book, tmp_path, capfd, monkeypatch, words, code, message
):
    monkeypatch.chdir(tmp_path)
    assert run(["pack", *(word.format(book=book) for word in words)]) == code
    assert message in capfd.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_files_of_the_spec_are_looked_for_where_it_lies(book, tmp_path, capfd):
    volume = json.loads((book / "volume.json").read_text(encoding="utf-8"))
    volume["book"]["theme"] = "house.yaml"
    for folder in ("built", "specs"):
        (tmp_path / folder).mkdir()
    (tmp_path / "built/volume.json").write_text(json.dumps(volume), encoding="utf-8")
    shutil.copy(Path("config/themes/bold.yaml"), tmp_path / "specs/house.yaml")
    words = [str(tmp_path / "built"), "-o", str(tmp_path / "out")]
    assert run(["pack", *words]) == 2
    assert "house.yaml" in capfd.readouterr().err
    specs = ["--spec-folder", str(tmp_path / "specs")]
    for command in (["pack", "--dpi", "96"], ["typeset"], ["play"], ["export", "--png"]):
        assert run([*command, *words, *specs]) == 0


LISTED = """
title: Enlaces de tarde
subtitle: Dos puzles
author: Ada Example
language: es
seed: 5
page: {printer: kdp-paperback, trim: 6x9in}
notes_pages: 20
cover: {blurb: "Une los *números*."}
price: {EUR: 9.99}
levels:
  - {name: Small, title: Suave, count: 2, size: 7x5, paths: 4-6}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("listing")
    (path / "book.yaml").write_text(LISTED)
    return build(path / "book.yaml", path, 1, ledger=NO_LEDGER).folder


@pytest.fixture
def listed(folder, tmp_path):
    return list_book(folder, tmp_path)


def test_the_form_is_in_the_books_own_language(listed):
    assert "Language: Spanish" in listed.text
    assert "Title (16 + 10 of 200 characters with the subtitle): Enlaces de tarde" in listed.text
    assert (
        "\nUne los números.\n\n2 puzles\n• Suave · 2 puzles · 7 × 5\n\nCada puzle de este libro tiene una"
        in listed.text
    )
    assert "Small" not in listed.text
    assert "Keywords (7 of 7): pasatiempos de lógica para adultos; numberlink libro de puzles;" in listed.text
    assert "at 9.99 EUR 60%" in listed.text
    assert listed.fields["Title"] == "Enlaces de tarde"
    assert listed.fields["Categories"] == "Games & Activities / Logic & Brain Teasers"
    assert (listed.fields["Format"], listed.fields["E-book"]) == ("paperback", None)
    assert [problem.key for problem in listed.problems] == [("listing", "ai")]


def test_keywords_of_a_book_of_dots_speak_of_no_numbers(folder, tmp_path):
    changes = {"language": "en", "page": {"paper": "premium-colour"}, "theme": "plain-dots"}
    made = list_book(typeset_again(folder, tmp_path / "b", changes, ledger=NO_LEDGER).folder)
    assert "dot to dot logic puzzles" in made.fields["Keywords"]
    assert "number" not in made.fields["Keywords"]


CHILDREN = {
    "language": "en",
    "page": {"large_print": True},
    "theme": "classic",
    "listing": {"ages": "5 – 8", "ai": "The blurb was translated by an AI tool."},
    "epub": {"kind": "kindle", "isbn": "978-3-16-148410-0"},
    "cover": {"design": "cat"},
}


def test_the_form_of_a_childrens_book_is_for_their_ages_and_its_e_book_has_its_own(folder, tmp_path):
    made = list_book(typeset_again(folder, tmp_path / "b", CHILDREN, ledger=NO_LEDGER).folder)
    assert made.problems == ()
    shown = {key: made.fields[key] for key in ("Ages", "Large print", "AI-generated content", "Categories")}
    assert shown == {
        "Ages": "5-8",
        "Large print": "yes",
        "AI-generated content": "The blurb was translated by an AI tool.",
        "Categories": "Juvenile Nonfiction / Games & Activities / Puzzles",
    }
    assert made.fields["Low content"].startswith("no")
    assert made.fields["Reading direction"] == "left to right"
    keywords = made.fields["Keywords"].split("; ")
    assert keywords[:2] == ["large print puzzle book", "puzzle book for kids ages 5-8"]
    assert len(keywords) == 7
    assert "adults" not in made.text
    assert any("number" in keyword for keyword in keywords)
    ebook = made.fields["E-book"]
    assert (ebook["Format"], ebook["ISBN"]) == ("Kindle e-book", "978-3-16-148410-0")
    (cover,) = [file for file in made.files if file.name == ebook["Cover picture"]]
    with Image.open(cover) as picture:
        assert (picture.format, picture.size) == ("JPEG", (1600, 2560))
    with zipfile.ZipFile(cover.parents[1] / "book.epub") as book:
        (name,) = [name for name in book.namelist() if name.endswith("cover.png")]
        assert Image.open(io.BytesIO(book.read(name))).size == (1600, 2560)


def test_the_open_book_shows_two_pages_that_face_each_other(folder, tmp_path, monkeypatch):
    shown = []

    def faced(left, right, *rest):
        shown.append((left.number, right.number))
        return facing_pages(left, right, *rest)

    monkeypatch.setattr("linkpress.app.marketing.facing_pages", faced)
    list_book(folder, tmp_path)
    ((left, right),) = shown
    assert left % 2 == 0
    assert right == left + 1


def test_the_fonts_of_a_book_are_found_in_the_folder_above_it(tmp_path):
    (tmp_path / "fonts").mkdir()
    shutil.copy(resource("fonts", "ibm-plex-sans", "IBMPlexSans-Regular.ttf"), tmp_path / "fonts" / "own.ttf")
    (tmp_path / "book.yaml").write_text(LISTED + "fonts: {regular: fonts/own.ttf}\n")
    made = build(tmp_path / "book.yaml", tmp_path / "output", 1, ledger=NO_LEDGER).folder
    assert list_book(made).fields["Title"] == "Enlaces de tarde"


def test_a_price_that_the_shop_refuses_is_a_problem(folder, tmp_path):
    other = typeset_again(folder, tmp_path / "b", {"price": {"USD": "1.99"}}, ledger=NO_LEDGER).folder
    *_, problem = list_book(other).problems
    assert problem.message == "amazon.com will not take a price of 1.99 USD: at least 4.60 USD is needed"


def test_pictures_are_of_the_shops_sizes(listed):
    pictures = [file for file in listed.files if file.suffix == ".png"]
    found = [(*Image.open(file).size, Image.open(file).mode) for file in pictures]
    assert found == [(970, 600, "RGB"), (970, 300, "RGB"), (300, 300, "RGB")]


def test_files_of_another_edition_are_reported(folder, tmp_path):
    changes = {"title": "Abend", "notes_pages": 30}
    other = typeset_again(folder, tmp_path / "b", changes, ledger=NO_LEDGER).folder
    (other / "volume.json").write_bytes((folder / "volume.json").read_bytes())
    found = list_book(other, tmp_path / "c").text
    assert "interior.pdf is titled 'Abend', not 'Enlaces de tarde'" in found
    assert " pages, the book " in found
    assert "cover.pdf does not show the title 'Enlaces de tarde' as the form has it" in found


def test_a_text_beyond_a_limit_is_a_problem(folder, tmp_path):
    kdp = resource("config", "printers", "kdp-paperback.yaml").read_text()
    limits = "listing: {title: 20, description: 90, keywords: 1, keyword: 6, categories: 1}"
    (tmp_path / "own.yaml").write_text(re.sub("(?m)^listing:.*(\n .*)*", limits, kdp))
    listing = {"categories": ["Games", "Puzzles"], "keywords": ["numbers", "lines"]}
    changes = {"page": {"printer": "own.yaml"}, "listing": listing, "author": None, "cover": "no"}
    other = typeset_again(folder, tmp_path / "b", changes, spec_folder=tmp_path, ledger=NO_LEDGER).folder
    problems = list_book(other, spec_folder=tmp_path).problems
    title, description, *others = map(packing.problem_line, problems)
    assert title == "title and subtitle have 26 characters, at most 20 are taken"
    assert description.endswith("characters, at most 90 are taken: give listing.description")
    assert others == [
        "the keyword 'numbers' is 7 long, at most 6 are taken",
        "2 keywords, at most 1 are taken",
        "2 categories, at most 1 are taken",
        packing.problem_line(packing._AI_QUESTION),
        "no author: the form asks for one, and the cover must name the same",
        "cover.pdf is missing: give the book a cover, or draw one of the size above",
    ]


def test_a_printer_with_a_template_of_its_own_misses_no_cover(folder, tmp_path):
    hardcover = resource("config", "printers", "kdp-hardcover.yaml").read_text()
    (tmp_path / "own.yaml").write_text(hardcover.replace("75-550", "24-550"))
    changes = {"page": {"printer": "own.yaml"}, "cover": "no", "listing": {"ai": False}}
    other = typeset_again(folder, tmp_path / "b", changes, spec_folder=tmp_path, ledger=NO_LEDGER).folder
    made = list_book(other, spec_folder=tmp_path)
    assert made.problems == ()
    assert "a cover of your own: draw it with the printer's template" in made.text


def test_a_folder_without_an_interior_is_refused(folder, tmp_path):
    (tmp_path / "volume.json").write_bytes((folder / "volume.json").read_bytes())
    with pytest.raises(UsageError, match=r"interior\.pdf is missing: build the book"):
        list_book(tmp_path)
