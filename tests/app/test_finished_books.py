"""The finished books are built as somebody would sell them, and pass every check."""

import re

import pytest

from linkpress.book.first_specs import example_books
from linkpress.book.volume import load_volume
from linkpress.cli.app import run

FILES = {
    "large-print": ["interior.pdf", "cover.pdf"],
    "tablet": ["interior.pdf", "screen.pdf", "book.epub", "play.html", "cover.pdf"],
}
PUZZLES = {
    "bestseller": ([200], [20]), "children": ([60],), "enthusiasts": ([60], [5]), "large-print": ([80],),
    "series": ([100, 90], [10, 9]), "tablet": ([60], [5]),
}  # fmt: skip
"""Of each book, and of each large one with a tenth of each level's, rounded down."""


def specs_of(name, folder):
    """Write the specs of a finished book with a tenth of its puzzles."""
    paths = []
    for path in example_books()[name]:
        text = path.read_text(encoding="utf-8")
        paths.append(folder / path.name)
        text = re.sub(r"(?m)^subtitle:.*\n", "", text)
        text = re.sub(r"count: (\d+)\d\b", r"count: \1", text)
        paths[-1].write_text(text, encoding="utf-8")
        with paths[-1].open("a", encoding="utf-8") as file:
            file.write("notes_pages: 10\n" if path.stem != "house" else "")  # printers want pages enough
    return [path for path in paths if path.stem != "house"]


def build_and_read_back(specs, out, capfd):
    """Return how many puzzles the books have and the files of each, by its folder's name."""
    # A build judges its files itself, and ends with 1 where one fails its preflight.
    assert run(["build", *map(str, specs), "-o", str(out), "--no-ledger"]) == 0
    folders = sorted(path for path in out.iterdir() if path.is_dir())
    for folder in folders:
        assert run(["verify", str(folder)]) == 0, capfd.readouterr()
    counts = [load_volume(folder / "volume.json").spec.puzzle_count for folder in folders]
    return counts, [{path.name for path in folder.iterdir()} for folder in folders]


# The small ones are built whole in every run, the others with a tenth of their puzzles, and whole in a soak.
BUILT = [(name, len(PUZZLES[name]) == 1) for name in example_books()]
BUILT += [pytest.param(name, True, marks=pytest.mark.soak) for name, whole in BUILT if not whole]


@pytest.mark.parametrize(("name", "whole"), BUILT)
def test_a_finished_book_is_built_and_reads_back(name, whole, tmp_path, capfd):
    specs = [path for path in example_books()[name] if path.stem != "house"]
    (tmp_path / "out").mkdir()
    counts, files = build_and_read_back(specs if whole else specs_of(name, tmp_path), tmp_path / "out", capfd)
    assert counts == PUZZLES[name][not whole]
    assert all(of_book >= set(FILES.get(name, FILES["large-print"])) for of_book in files)


def test_init_writes_a_finished_book_that_can_be_checked(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    assert run(["init", "--like", "series"]) == 0
    assert "linkpress build series/volume-1.yaml series/volume-2.yaml" in capfd.readouterr().err
    assert run(["check", "series/volume-1.yaml", "series/volume-2.yaml"]) == 0
    assert run(["init", "--like", "series"]) == 5
    assert "series/house.yaml exists already" in capfd.readouterr().err
    assert run(["init", "--like", "series", "my-books.yaml"]) == 2
    assert "Give a folder for them" in capfd.readouterr().err


@pytest.mark.parametrize("other", [["--feed"], ["--language", "es"]])
def test_a_finished_book_is_neither_a_feed_nor_in_another_language(other, capfd):
    assert run(["init", "--like", "tablet", *other]) == 2
    assert f"--like and {other[0]}: give one of them" in capfd.readouterr().err
