"""The sample of the rules and the tutorial are read back too: what is wrong in them is found."""

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from linkpress.verify.pdf_books import Phrases, read_book
from linkpress.verify.verification import compare_book, verify_folder
from linkpress.words import load_words
from verify_samples import forms, graded, plant, problems_in, rewrite_form, volume_in, with_changes, written


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Build a graded book with a tutorial."""
    volume = with_changes(graded(volume_in("classic")), parts={"tutorial": True})
    return written(volume, tmp_path_factory.mktemp("built"))


@pytest.fixture
def folder(built, tmp_path):
    return Path(shutil.copytree(built, tmp_path / "book"))


@pytest.mark.parametrize("kind", ["puzzle", "half", "solved"])
def test_a_wrong_number_in_the_worked_example_is_reported(folder, kind):
    def change(pdf):
        rewrite_form(pdf, f"example-{kind}", 0, lambda content: content.replace(b"(4)", b"(3)", 1))

    found = problems_in(plant(folder, change))
    assert found
    assert all(problem.startswith("the sample") for _, problem in found)


@pytest.mark.parametrize("kind", ["half", "solved"])
def test_a_wrong_line_in_the_worked_example_is_reported(folder, kind):
    """The first line runs along the top row. Add a line that leads down from its end."""

    def add_line(content):
        found = re.search(rb"([\d.]+) ([\d.]+) m\n([\d.]+) ([\d.]+) l", content)
        x, y, to_x, to_y = (float(part) for part in found.groups())
        assert y == to_y
        more = f"{to_x} {y} m {to_x} {y - (to_x - x)} l S ".encode()
        return content.replace(found[0], more + found[0], 1)

    verification = plant(folder, lambda pdf: rewrite_form(pdf, f"example-{kind}", 0, add_line))
    assert problems_in(verification) == [(None, "the sample's lines are not those of its solution")]


def test_boards_of_the_tutorial_are_not_counted_as_puzzles(built):
    assert problems_in(verify_folder(built)) == []
    read = read_book((built / "interior.pdf").read_bytes(), Phrases(load_words("en")))
    examples = [board for page in read.pages for board in page.samples]
    assert len(examples) == 3 + 6
    assert len(read.puzzles) == len(read.answers) == 4


@pytest.mark.parametrize("technique", ["diagonal", "what-if"])
def test_crosses_and_arrows_of_an_example_are_neither_blocks_nor_numbers(technique, tmp_path):
    volume = graded(volume_in("classic"))
    hard = tuple(replace(puzzle, findings={technique: 1}) for puzzle in volume.puzzles)
    volume = with_changes(replace(volume, puzzles=hard), parts={"tutorial": True})
    phrases = Phrases(load_words("en"))
    book = read_book((written(volume, tmp_path) / "interior.pdf").read_bytes(), phrases)
    _, findings = compare_book(book, volume, phrases)
    assert findings == []


@pytest.mark.parametrize(
    ("at", "old", "new"),
    [(5, rb"(?:\n[^\n]* [ml])+\nS", b""), (2, rb"\(1\) Tj", b"(2) Tj"), (0, rb"\(1\) Tj", b"(2) Tj")],
)
def test_a_wrong_board_in_the_tutorial_is_reported(folder, at, old, new):
    def change(pdf):
        ((held, name),) = forms(pdf, f"lesson-1-{at + 1}")
        (board,) = held[name].Resources.XObject.values()
        content, count = re.subn(old, new, board.read_bytes(), count=1)
        assert count == 1
        board.write(content)

    found = problems_in(plant(folder, change))
    assert found
    assert all(text.startswith("the sample") for _, text in found), found
