"""The finished books are built as somebody would sell them, and pass every check."""

import pytest

from linkpress.book.example_books import example_books
from linkpress.book.volume import load_volume
from linkpress.cli.main import run

FILES = {
    "large-print": ["interior.pdf", "cover.pdf"],
    "tablet": ["interior.pdf", "screen.pdf", "book.epub", "play.html", "cover.pdf"],
}
PUZZLES = {
    "bestseller": [200],
    "children": [60],
    "enthusiasts": [60],
    "large-print": [80],
    "series": [100, 90],
}


@pytest.mark.parametrize("name", example_books())
def test_a_finished_book_is_built_and_reads_back(name, tmp_path, capfd):
    specs = [str(path) for path in example_books()[name] if path.stem != "house"]
    # A build judges its files itself, and ends with 1 where one fails its preflight.
    assert run(["build", *specs, "-o", str(tmp_path), "--no-ledger"]) == 0
    folders = sorted(path for path in tmp_path.iterdir() if path.is_dir())
    counts = [load_volume(folder / "volume.json").spec.puzzle_count for folder in folders]
    assert counts == PUZZLES.get(name, [60])
    for folder in folders:
        assert run(["verify", str(folder)]) == 0, capfd.readouterr()
        assert {path.name for path in folder.iterdir()} >= set(FILES.get(name, FILES["large-print"]))


def test_init_writes_a_finished_book_that_can_be_checked(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    assert run(["init", "--like", "series"]) == 0
    assert "linkpress build series/volume-1.yaml series/volume-2.yaml" in capfd.readouterr().err
    assert run(["check", "series/volume-1.yaml", "series/volume-2.yaml"]) == 0
    assert run(["init", "--like", "series"]) == 5
    assert "series/house.yaml is there already" in capfd.readouterr().err
    assert run(["init", "--like", "series", "my-books.yaml"]) == 2
    assert "give a folder for them, as my-books." in capfd.readouterr().err


@pytest.mark.parametrize("other", [["--feed"], ["--language", "es"]])
def test_a_finished_book_is_neither_a_feed_nor_in_another_language(other, capfd):
    assert run(["init", "--like", "tablet", *other]) == 2
    assert f"--like and {other[0]}: give one of them" in capfd.readouterr().err
