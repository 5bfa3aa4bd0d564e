"""Where a book's editions go, what becomes of earlier files, and books made of earlier books."""

import json
import os
import shutil
from functools import partial
from pathlib import Path

import pytest

from linkpress.app.build import build, typeset_again
from linkpress.app.editions import edition_notes, volume_head
from linkpress.app.series import check_books
from linkpress.book.spec import edition_documents, load_spec, untranslated_keys
from linkpress.book.volume import load_volume
from linkpress.cli.app import run
from linkpress.errors import CheckFailedError, LayoutError, SpecError, UsageError
from linkpress.production.ledger_session import NO_LEDGER, LedgerChoice

SPEC = """
title: Link
seed: 5
page: {{printer: {printer}, trim: 6x9in}}
levels:
  - {{name: Small, count: 2, size: 7x5, paths: 4-6}}
"""
ENOUGH = "notes_pages: 30\n"  # for printers that take no thin books
EARLIER = "title: Again\nseed: 1\nlevels:\n  - {{name: Old, count: {count}, from: out/link/volume.json}}\n"


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def built(text=SPEC, **keys):
    Path("book.yaml").write_text(text.format(**{"printer": "generic", **keys}))
    return build("book.yaml", "out", 1, ledger=NO_LEDGER)


def built_once(tmp_path_factory, text):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("built"))
        return built(text).folder.parent.resolve()


@pytest.fixture(scope="module")
def book_with_editions(tmp_path_factory):
    return built_once(tmp_path_factory, SPEC + ENOUGH + EDITIONS)


@pytest.fixture(scope="module")
def plain_book(tmp_path_factory):
    return built_once(tmp_path_factory, SPEC)


@pytest.fixture
def link(plain_book):
    """The folder of a test's own copy of the book."""
    return Path(shutil.copytree(plain_book, "out"), "link")


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_two_printers_editions_of_a_spec_get_two_folders():
    first = built(SPEC + ENOUGH)
    before = contents(first.folder)
    assert (first.folder, first.notes) == (Path("out/link"), ())
    second = built(SPEC + ENOUGH, printer="lulu")
    assert second.folder == Path("out/link-lulu-6x9in")
    assert second.notes == ("out/link holds this book for another printer, and stays",)
    assert contents(first.folder) == before
    assert second.volume.puzzles == first.volume.puzzles
    assert built(SPEC + "edition: Second\n").folder == first.folder


def test_the_same_book_again_replaces_nothing_and_another_says_what():
    built()
    assert built().notes == ()
    assert built(SPEC + "edition: Second\n").notes == (
        "replaced interior.pdf, pages.json and volume.json of the book that was in out/link",
    )


def test_a_changes_file_may_have_a_base_with_its_themes_in_another_folder(link):
    Path("house").mkdir()
    Path("house/mine.yaml").write_text("name: mine\nrule_pt: 2\n")
    Path("house/house.yaml").write_text("author: Ada Example\ntheme: mine.yaml\npage: {trim: A5}\n")
    Path("changes.yaml").write_text("base: house/house.yaml\nedition: First\n")
    again = typeset_again(link, changes_file=Path("changes.yaml"), changes={"edition": "Second"})
    assert again.folder == Path("out/link-generic-a5")
    book = json.loads((again.folder / "volume.json").read_text())["book"]
    values = ["Ada Example", "Second", "house/mine.yaml"]
    assert [book[key] for key in ("author", "edition", "theme")] == values
    assert book["page"]["printer"] == "generic"


def test_the_command_line_changes_any_key_that_is_of_printing(link, capfd):
    words = ["--set", "author=Ada", "--set", "levels[0].per_page=2", "--set", "page.trim=A6"]
    assert run(["typeset", str(link), *words]) == 0
    book = json.loads(Path("out/link-generic-a6/volume.json").read_text())["book"]
    assert (book["author"], book["levels"][0]["per_page"]) == ("Ada", 2)
    assert run(["typeset", str(link), "--set", "seed=2"]) == 2
    assert "seed 2: the puzzles come from this key" in capfd.readouterr().err


def test_a_level_takes_the_boards_of_an_earlier_book_and_proves_them_anew(link):
    first = load_volume(link / "volume.json")
    again = built(EARLIER, count=2)
    assert [one.puzzle for one in again.volume.puzzles] == [one.puzzle for one in first.puzzles]
    assert {one.method for one in again.volume.puzzles} == {None}
    with pytest.raises(SpecError, match=r"book.yaml:4:24 levels\[0\]\.count: 3 — .*volume.json holds 2"):
        built(EARLIER, count=3)


def test_a_board_of_an_earlier_book_that_was_changed_is_refused_with_its_line(link):
    volume = json.loads((link / "volume.json").read_text())
    volume["puzzles"][1]["board"] = ["1 . . . . . 1", *[". . . . . . ."] * 4]
    text = json.dumps(volume, indent=1)
    (link / "volume.json").write_text(text)
    line = 1 + text[: text.rindex('"board"')].count("\n")
    with pytest.raises(CheckFailedError, match=rf"volume.json, line {line}\)"):
        built(EARLIER, count=2)


@pytest.mark.parametrize(
    "content", ["{}", "[1]", "{", '{"puzzles": [{"board": 1}]}', '{"puzzles": [{"board": ["x"]}]}']
)
def test_a_json_file_that_is_no_volume_is_refused_by_its_key(content):
    Path("out/link").mkdir(parents=True)
    Path("out/link/volume.json").write_text(content)
    with pytest.raises(SpecError, match=r"book.yaml:4:33 levels\[0\]\.from: .*it can't be read: "):
        built(EARLIER, count=1)


EDITIONS = """
isbn: 978-3-16-148410-0
epub: {{isbn: 978-1-4028-9462-6}}
cover: {{blurb: "For all."}}
editions:
  es:
    language: es
    title: Enlaces
    levels: [{{title: Suave}}]
  a5: {{page: {{trim: A5}}, isbn: 978-0-306-40615-7}}
"""


def test_editions_are_built_with_the_book_out_of_its_puzzles():
    book = built(SPEC + EDITIONS)
    spanish, small = book.editions
    assert [each.folder for each in book.editions] == [Path("out/link-es"), Path("out/link-a5")]
    assert spanish.volume.puzzles == small.volume.puzzles == book.volume.puzzles
    words = preflight_text(spanish.folder / "interior.pdf")
    assert [word in words for word in ("Suave", "Small", "ISBN")] == [True, False, False]
    assert "ISBN" in preflight_text(small.folder / "interior.pdf")
    assert [spec.volume.spec.isbns for spec in book.editions] == [{}, {"isbn": "978-0-306-40615-7"}]
    assert spanish.warnings == (
        "The Spanish edition still has English words: blurb. Write `editions: {es: {cover: …}}` in Spanish, "
        "or with the same words to keep them",
        "The Spanish edition has no ISBN: the book's own belongs to another edition, so the barcode's field "
        "stays empty",
    )
    assert load_volume(spanish.folder / "volume.json").spec.title == "Enlaces"


def preflight_text(path):
    from pypdfium2 import PdfDocument

    with PdfDocument(path) as pdf:
        return "".join(page.get_textpage().get_text_bounded() for page in pdf)


def test_problems_of_editions_are_reported_at_their_lines():
    wrong = "  x: {page: {trim: 1x1in}, seed: 6}\n"
    Path("book.yaml").write_text((SPEC + EDITIONS).format(printer="generic") + wrong)
    with pytest.raises(SpecError) as caught:
        check_books([Path("book.yaml")], Path("out"))
    places = [line.split(" ", 2)[:2] for line in str(caught.value).splitlines()]
    assert places == [["book.yaml:17:20", "page.trim:"], ["book.yaml:17:34", "seed:"]]


def test_notes_name_a_missing_isbn_and_where_a_bare_yes_leaves_the_books_keys_as_they_are():
    keys = "isbn: 978-3-16-148410-0\nepub: {kind: kindle, isbn: 978-1-4028-9462-6}\nplay: {answers: yes}\n"
    keys += "screen: yes\n"
    editions = "editions: {shops: {epub: yes, play: {hints: no}, screen: yes}}\n"
    Path("book.yaml").write_text(SPEC.format(printer="generic") + keys + editions)
    [book] = check_books([Path("book.yaml")], Path("out"))
    assert edition_notes(book.spec, "shops", book.editions["shops"].spec) == (
        "edition shops: epub: yes leaves epub.kind: kindle as the book has it. Give what is other here",
        "The edition shops has no ISBN: the book's own belongs to another edition",
    )


def test_a_window_hears_of_untranslated_words_without_keys():
    text = (SPEC + EDITIONS).format(printer="generic")
    Path("book.yaml").write_text(text.replace("levels: [{title: Suave}]", "subtitle: x"))
    [book] = check_books([Path("book.yaml")], Path("out"))
    notes = edition_notes(book.spec, "es", book.editions["es"].spec, has_keys=False)
    assert notes[0] == "The Spanish edition still has English words: blurb and titles of the level Small."


@pytest.mark.parametrize(
    ("before", "after", "is_left"),
    [
        ("Easy", "EasyFácil", True),
        ("Easy", "FácilEasy", True),
        ("Easy", "Fácil", False),
        ("Normal", "Normale", False),
        ("ABC", "ABCDario", False),
        ("Link", "Link Fácil", False),
    ],
)
def test_a_translation_typed_beside_the_old_words_is_not_finished(before, after, is_left):
    new = {"language": "es", "levels": [{"title": after}]}
    path = Path("book.yaml")
    path.write_text(
        f"title: '1'\nseed: 5\nlevels: [{{name: {before}, count: 1, size: 7}}]\neditions: {{es: {new}}}\n"
    )
    spec = load_spec(path)
    edition = edition_documents(spec)["es"].checked()
    found = untranslated_keys(spec, edition, spec.editions["es"])
    assert found == ["levels[0].title"] * is_left


def test_two_editions_of_a_book_share_no_isbn():
    text = (SPEC + EDITIONS).format(printer="generic").replace("978-0-306-40615-7", "3-16-148410-X")
    Path("book.yaml").write_text(text)
    with pytest.raises(SpecError, match=r"book.yaml:16:32 isbn: .* has this ISBN too; give each edition"):
        check_books([Path("book.yaml")], Path("out"))
    Path("book.yaml").write_text(text.replace("978-1-4028-9462-6", "3-16-148410-X").replace("a5:", "b5:"))
    with pytest.raises(SpecError, match=r"epub.isbn: 3-16-148410-X — `isbn` is the same; each needs its own"):
        check_books([Path("book.yaml")], Path("out"))


@pytest.mark.parametrize(
    ("changes", "refused"),
    [
        ({"language": "de"}, "isbn and epub.isbn"),
        ({"page": {"trim": "A4"}}, "isbn"),
        ({"page": {"trim": "A4"}, "isbn": "978-0-306-40615-7"}, "isbn"),  # the edition a5 has it
        ({"page": {"trim": "A4"}, "isbn": None}, None),
        ({"page": {"printer": "kdp-paperback"}}, None),  # the same edition, printed elsewhere
        ({"epub": {"isbn": "978-3-16-148410-0"}, "isbn": None}, "epub.isbn"),
    ],
)
def test_typeset_refuses_another_editions_isbn(changes, refused, book_with_editions):
    shutil.copytree(book_with_editions, "out")
    typeset = partial(typeset_again, "out/link", "again", changes, ledger=NO_LEDGER)
    if refused is None:
        assert typeset().page_count > 0
        return
    with pytest.raises(UsageError, match=f"needs its own. Give it as {refused}, or leave"):
        typeset()


def test_no_other_volume_takes_the_isbn_of_an_edition():
    ledger = LedgerChoice(Path("own.sqlite3"))
    typed, listed = "978-0-306-40615-7", "978-1-4028-9462-6"
    book = SPEC.format(printer="generic")
    Path("book.yaml").write_text(book + f"editions: {{a5: {{page: {{trim: A5}}, isbn: {listed}}}}}\n")
    build("book.yaml", "out", 1, ledger=ledger)
    for _ in "once", "again":
        typeset_again("out/link", "a4", {"page": {"trim": "A4"}, "isbn": typed}, ledger=ledger)
    for isbn, edition in ((typed, "link/a4/isbn"), (listed, "link/link-a5/isbn")):
        Path("other.yaml").write_text(book.replace("Link", "Other") + f"isbn: {isbn}\n")
        with pytest.raises(SpecError, match=f"for the volume {edition}"):
            build("other.yaml", "out", 1, ledger=ledger)
    Path("book.yaml").write_text(book + f"isbn: {typed}\n")
    build("book.yaml", "later", 1, ledger=ledger)


def test_typeset_builds_editions_that_its_changes_name(link):
    Path("more.yaml").write_text("editions: {de: {language: de, title: Verbunden}}\n")
    again = typeset_again(link, "again", changes_file=Path("more.yaml"), ledger=NO_LEDGER)
    assert [each.folder for each in again.editions] == [Path("again-de")]
    assert again.volume.spec.editions is None


def test_a_level_takes_its_puzzles_from_a_level_of_an_earlier_book():
    two = SPEC + "  - {{name: Other, count: 2, size: 5x6, paths: 4}}\n"
    first = built(two)
    Path("again.yaml").write_text(EARLIER.format(count=2).replace("json}", "json, from_level: Other}"))
    again = build("again.yaml", "out", 1, ledger=NO_LEDGER)
    taken = [each.puzzle for each in first.volume.level("Other")]
    assert [each.puzzle for each in again.volume.puzzles] == taken
    Path("again.yaml").write_text(EARLIER.format(count=2).replace("json}", "json, from_level: Odd}"))
    with pytest.raises(SpecError, match="from_level: Odd — there is no such level in it; its levels: Small"):
        build("again.yaml", "out", 1, ledger=NO_LEDGER)


def test_a_puzzle_of_an_earlier_book_keeps_its_picture():
    first = built(SPEC + "  - {{name: Other, count: 1, reveal: small-heart}}\n")
    Path("again.yaml").write_text(EARLIER.format(count=1).replace("json}", "json, from_level: Other}"))
    (again,) = build("again.yaml", "out", 1, ledger=NO_LEDGER).volume.puzzles
    assert again.puzzle.colours == first.volume.level("Other")[0].puzzle.colours != ()


@pytest.mark.parametrize("keys", ["theme: dotz", "page: {min_cell_mm: 40}"])
def test_typeset_names_the_edition_that_it_refuses(link, keys):
    Path("more.yaml").write_text(f"editions: {{shops: {{{keys}}}}}\n")
    with pytest.raises((LayoutError, UsageError, SpecError), match=r"^edition shops: ") as caught:
        typeset_again(link, "again", changes_file=Path("more.yaml"))
    assert "dotz" in str(caught.value) or "40.0 mm" in str(caught.value)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_pipe_in_the_place_of_an_earlier_volume_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "volume.json")
    with pytest.raises(OSError, match="it is a pipe or a device"):
        volume_head(tmp_path / "volume.json")
