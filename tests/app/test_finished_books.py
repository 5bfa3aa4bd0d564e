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
# The number of puzzles in each volume.
PUZZLES = {
    "bestseller": [200], "children": [60], "enthusiasts": [60], "large-print": [80], "series": [100, 90],
    "tablet": [60],
}  # fmt: skip


def build_and_read_back(specs, out, capfd):
    """Return the number of puzzles and the names of the files of each built book."""
    # A build fails if a file of it fails its preflight.
    assert run(["build", *map(str, specs), "-o", str(out), "--no-ledger"]) == 0
    folders = sorted(path for path in out.iterdir() if path.is_dir())
    for folder in folders:
        assert run(["verify", str(folder)]) == 0, capfd.readouterr()
    counts = [load_volume(folder / "volume.json").spec.puzzle_count for folder in folders]
    return counts, [{path.name for path in folder.iterdir()} for folder in folders]


# The docs' pages check each of these books; the small one is also built.
@pytest.mark.parametrize(
    "name", [name if name == "children" else pytest.param(name, marks=pytest.mark.soak) for name in PUZZLES]
)
def test_a_finished_book_is_built_and_reads_back(name, tmp_path, capfd):
    specs = [path for path in example_books()[name] if path.stem != "house"]
    (tmp_path / "out").mkdir()
    counts, files = build_and_read_back(specs, tmp_path / "out", capfd)
    assert counts == PUZZLES[name]
    assert all(of_book >= set(FILES.get(name, FILES["large-print"])) for of_book in files)


def test_a_book_with_all_files_for_screens_is_built_and_reads_back(tmp_path, capfd):
    (shipped,) = example_books()["tablet"]
    tenth = re.sub(r"count: (\d+)\d\b", r"count: \1", shipped.read_text(encoding="utf-8"))
    text = re.sub(r"(?m)^subtitle:.*\n", "", tenth)  # it names the number of puzzles
    (tmp_path / "tablet.yaml").write_text(f"{text}notes_pages: 10\n", encoding="utf-8")
    (tmp_path / "out").mkdir()
    counts, (files,) = build_and_read_back([tmp_path / "tablet.yaml"], tmp_path / "out", capfd)
    assert counts == [5]
    assert files >= set(FILES["tablet"])


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
