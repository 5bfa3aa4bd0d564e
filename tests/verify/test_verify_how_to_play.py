"""The sample of the rules and the tutorial are read back too: what is wrong in them is found."""

import re
import shutil
from pathlib import Path

import pikepdf
import pytest

from linkpress.verify.pdf_books import Phrases, read_book
from linkpress.verify.verification import verify_folder
from linkpress.words.language import load_words
from verify_samples import graded, plant, problems_in, rewrite_form, volume_in, with_changes, written


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Build a graded book with a tutorial."""
    volume = with_changes(graded(volume_in("classic")), parts={"tutorial": True})
    return written(volume, tmp_path_factory.mktemp("built"))


@pytest.fixture
def folder(built, tmp_path):
    return Path(shutil.copytree(built, tmp_path / "book"))


@pytest.mark.parametrize(("kind", "text"), [("puzzle", "number"), ("half", "numbers"), ("solved", "numbers")])
def test_a_wrong_number_in_the_worked_example_is_reported(folder, kind, text):
    def change(pdf):
        rewrite_form(pdf, f"example-{kind}", 0, lambda content: content.replace(b"(4)", b"(3)", 1))

    (problem,) = problems_in(plant(folder, change))
    assert problem[0] is None
    assert problem[1].startswith("the sample")
    assert text in problem[1]


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
    lessons = [board for page in read.pages for board in page.lessons]
    assert len(lessons) == 8
    assert len(read.puzzles) == len(read.answers) == 4


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (rb"Puzzle \d, step", b"Puzzle 7, step", "the tutorial says puzzle 7; its board is another"),
        (rb"Turn to page ", rb"\g<0>4", "the tutorial says that its puzzle is on p. 4"),
    ],
)
def test_a_wrong_number_in_the_tutorial_text_is_reported(folder, old, new, said):
    def change(pdf):
        page = next(page for page in pdf.pages if b"Turn to page" in page.Contents.read_bytes())
        page.Contents = pdf.make_stream(re.sub(old, new, page.Contents.read_bytes(), count=1))

    found = problems_in(plant(folder, change))
    assert any(text.startswith(said) for _, text in found), found


@pytest.mark.parametrize(
    ("at", "old", "new", "said"),
    [
        (7, rb"(?:\n[^\n]* [ml])+\nS", b"", "the tutorial's lines are not those of its solution"),
        (2, rb"\(2\) Tj", b"(5) Tj", "the tutorial is drawn on different boards"),
        (0, rb"\(2\) Tj", b"(5) Tj", "the tutorial: "),
    ],
)
def test_a_wrong_board_in_the_tutorial_is_reported(folder, at, old, new, said):
    def change(pdf):
        forms_of = [
            thing
            for thing in pdf.objects
            if isinstance(thing, pikepdf.Stream)
            and b" Do" in thing.read_bytes()
            and b"(A)" in thing.read_bytes()
        ]
        board = next(iter(forms_of[at].Resources.XObject.values()))
        content, count = re.subn(old, new, board.read_bytes(), count=1)
        assert count == 1
        board.write(content)

    found = problems_in(plant(folder, change))
    assert any(text.startswith(said) for _, text in found), found
