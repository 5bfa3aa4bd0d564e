"""A volume that any release has saved is loaded and set again, puzzle for puzzle."""

import json
import shutil
from pathlib import Path

import pytest

from linkpress.book.volume import FORMAT_VERSION
from linkpress.cli.main import run
from linkpress.verify import BoardRead, Phrases, read_book
from linkpress.version import __version__
from linkpress.words.languages import load_words

KEPT = sorted((Path(__file__).parent / "volumes").glob("*.json"))


def saved(path):
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="module", params=KEPT, ids=lambda path: path.stem)
def kept(request, tmp_path_factory):
    """A kept volume, and the folder in which ``typeset`` has set it."""
    folder, out = tmp_path_factory.mktemp("kept"), tmp_path_factory.mktemp("again")
    shutil.copy(request.param, folder / "volume.json")
    assert run(["typeset", str(folder), "-o", str(out), "--set", "screen=yes"]) == 0
    return saved(request.param), out


def test_every_format_is_kept_as_a_release_saved_it():
    assert {saved(path)["format_version"] for path in KEPT} == set(range(1, FORMAT_VERSION + 1))
    assert [saved(path)["linkpress_version"] for path in KEPT] == [path.stem for path in KEPT]


def test_the_puzzles_are_saved_again_as_they_were(kept):
    before, out = kept
    after = saved(out / "volume.json")
    assert after["linkpress_version"] == before["linkpress_version"]
    for then, now in zip(before["puzzles"], after["puzzles"], strict=True):
        assert {key: now[key] for key in then} == then


def test_a_kept_volume_set_again_is_verified(kept, capfd):
    before, out = kept
    assert run(["verify", str(out)]) == 0
    said = capfd.readouterr().out
    assert ("graded again" in said) == (before["linkpress_version"] == __version__)


@pytest.mark.parametrize("name", ["interior.pdf", "screen.pdf"])
def test_the_printed_boards_and_answers_are_those_of_the_file(kept, name):
    before, out = kept
    book = read_book((out / name).read_bytes(), Phrases(load_words("en")))
    assert [board_rows(entry) for entry in book.puzzles] == [one["board"] for one in before["puzzles"]]
    answers = [answer_rows(entry) for entry in book.answers]
    assert answers == [one["solution"] for one in before["puzzles"]]


def board_rows(board: BoardRead) -> list[str]:
    """The numbers and solids of a printed board, as ``volume.json`` writes them."""
    return rows_of(board, board.numbers)


def answer_rows(board: BoardRead) -> list[str]:
    """The same of an answer, each number carried along the lines that lead from it."""
    numbers, reached = dict(board.numbers), list(board.numbers)
    for cell in reached:  # grows meanwhile
        for other in (sum(line) - cell for line in board.lines if cell in line):
            if other not in numbers:
                reached.append(other)
            assert numbers.setdefault(other, numbers[cell]) == numbers[cell], "a line joins two numbers"
    return rows_of(board, numbers)


def rows_of(board: BoardRead, numbers: dict[int, int]) -> list[str]:
    squares = {cell: str(number) for cell, number in numbers.items()} | dict.fromkeys(board.solids, "#")
    tokens = [squares.get(cell, ".") for cell in range(board.rows * board.cols)]
    return [" ".join(tokens[at : at + board.cols]) for at in range(0, len(tokens), board.cols)]
