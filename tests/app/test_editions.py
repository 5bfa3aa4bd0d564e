"""Where a book's editions go, what becomes of earlier files, and books made of earlier books."""

import json
from pathlib import Path

import pytest

from linkpress.app.build import BuiltBook, build, typeset_again
from linkpress.cli.main import run
from linkpress.errors import FoundWantingError, SpecError
from linkpress.production.ledger_session import NO_LEDGER

SPEC = """
title: Link
seed: 5
page: {{printer: {printer}, trim: 6x9in}}
notes_pages: 30
levels:
  - {{name: Small, count: 2, size: 7x5, paths: 4-6}}
"""
EARLIER = "title: Again\nseed: 1\nlevels:\n  - {{name: Old, count: {count}, from: out/link/volume.json}}\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def built(text: str = SPEC, **keys: object) -> BuiltBook:
    Path("book.yaml").write_text(text.format(**{"printer": "generic", **keys}))
    return build("book.yaml", "out", 1, ledger=NO_LEDGER)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_two_printers_editions_of_a_spec_get_two_folders() -> None:
    first = built()
    before = contents(first.folder)
    assert (first.folder, first.notes) == (Path("out/link"), ())
    second = built(printer="lulu")
    assert second.folder == Path("out/link-lulu-6x9in")
    assert second.notes == ("out/link holds this book for another printer, and stays",)
    assert contents(first.folder) == before
    assert second.volume.puzzles == first.volume.puzzles
    assert built(SPEC + "edition: Second\n").folder == first.folder


def test_the_same_book_again_replaces_nothing_and_another_says_what() -> None:
    built()
    assert built().notes == ()
    assert built(SPEC + "edition: Second\n").notes == (
        "replaced interior.pdf and volume.json of the book that was in out/link",
    )


def test_a_changes_file_has_its_pictures_and_themes_beside_it() -> None:
    built()
    Path("mine.yaml").write_text("name: mine\nrule_pt: 2\n")
    Path("changes.yaml").write_text("author: Ada Example\ntheme: mine.yaml\npage: {trim: A5}\n")
    again = typeset_again("out/link", changes_file=Path("changes.yaml"), changes={"edition": "Second"})
    assert again.folder == Path("out/link-generic-a5")
    book = json.loads((again.folder / "volume.json").read_text())["book"]
    assert [book[key] for key in ("author", "edition", "theme")] == ["Ada Example", "Second", "mine.yaml"]
    assert book["page"]["printer"] == "generic"


def test_a_changes_file_may_have_a_base_in_another_folder() -> None:
    built()
    Path("house").mkdir()
    Path("house/mine.yaml").write_text("name: mine\nrule_pt: 2\n")
    Path("house/house.yaml").write_text("author: Ada Example\ntheme: mine.yaml\npage: {trim: A5}\n")
    Path("changes.yaml").write_text("base: house/house.yaml\nedition: Second\n")
    again = typeset_again("out/link", changes_file=Path("changes.yaml"))
    book = json.loads((again.folder / "volume.json").read_text())["book"]
    assert [book[key] for key in ("author", "edition", "theme")] == [
        "Ada Example",
        "Second",
        "house/mine.yaml",
    ]


def test_the_command_line_changes_any_key_that_is_of_printing(capfd: pytest.CaptureFixture[str]) -> None:
    built()
    words = ["--set", "author=Ada", "--set", "levels[0].per_page=2", "--set", "page.trim=A6"]
    assert run(["typeset", "out/link", *words]) == 0
    book = json.loads(Path("out/link-generic-a6/volume.json").read_text())["book"]
    assert (book["author"], book["levels"][0]["per_page"]) == ("Ada", 2)
    assert run(["typeset", "out/link", "--set", "seed=2"]) == 2
    assert "seed 2: the puzzles come from this key" in capfd.readouterr().err


def test_a_level_takes_the_boards_of_an_earlier_book_and_proves_them_anew() -> None:
    first = built()
    again = built(EARLIER, count=2)
    assert [one.puzzle for one in again.volume.puzzles] == [one.puzzle for one in first.volume.puzzles]
    assert {one.method for one in again.volume.puzzles} == {None}
    with pytest.raises(SpecError, match=r"book.yaml:4:24 levels\[0\]\.count: 3 — .*volume.json holds 2"):
        built(EARLIER, count=3)


def test_a_board_of_an_earlier_book_that_was_changed_is_found_wanting_with_its_line() -> None:
    folder = built().folder
    volume = json.loads((folder / "volume.json").read_text())
    volume["puzzles"][1]["board"] = ["1 . . . . . 1", *[". . . . . . ."] * 4]
    text = json.dumps(volume, indent=1)
    (folder / "volume.json").write_text(text)
    line = 1 + text[: text.rindex('"board"')].count("\n")
    with pytest.raises(FoundWantingError, match=rf"volume.json, line {line}\)"):
        built(EARLIER, count=2)


@pytest.mark.parametrize(
    "content", ["{}", "[1]", "{", '{"puzzles": [{"board": 1}]}', '{"puzzles": [{"board": ["x"]}]}']
)
def test_a_json_file_that_is_no_volume_is_refused_by_its_key(content: str) -> None:
    Path("out/link").mkdir(parents=True)
    Path("out/link/volume.json").write_text(content)
    with pytest.raises(SpecError, match=r"book.yaml:4:33 levels\[0\]\.from: .*it can't be read: "):
        built(EARLIER, count=1)
