"""Steps drawn in a file."""

import io
import re

import pytest
from PIL import Image

from boards import ARTICLE_PUZZLE, SOLVED_BOARD
from linkpress.app import step_picture_files as step_pictures
from linkpress.app.step_picture_files import write_pictures
from linkpress.engine.explain.telling import explain_climb
from linkpress.engine.recipe import Rule
from linkpress.engine.solve.ladder import climb_ladder, position_of
from linkpress.errors import OutputError, UsageError
from linkpress.words.languages import load_words

ENGLISH = load_words("en")


def told(*puzzles):
    return [(one, list(explain_climb(one, climb_ladder(position_of(one, Rule.STRICT))))) for one in puzzles]


def test_svg_holds_every_sentence_and_each_id_once(tmp_path):
    both = told(SOLVED_BOARD.puzzle, ARTICLE_PUZZLE)
    path = tmp_path / "steps.svg"
    write_pictures(both, ENGLISH, path)
    svg = path.read_text(encoding="utf-8")
    ids = re.findall(r' id="([^"]+)"', svg)
    assert len(ids) == len(set(ids))
    for number, (_, steps) in enumerate(both, 1):
        assert f"puzzle-{number}-step-{len(steps)}" in ids
        assert f"Puzzle {number}<" in svg


def test_png_is_as_wide_as_four_pictures_and_shows_colour(tmp_path):
    path = tmp_path / "steps.PNG"
    write_pictures(told(SOLVED_BOARD.puzzle), ENGLISH, path)
    image = Image.open(io.BytesIO(path.read_bytes()))
    assert image.format == "PNG"
    assert image.width < image.height
    colours = {colour for _, colour in image.getcolors(1 << 20)}
    assert any(max(colour) - min(colour) > 80 for colour in colours)


def test_a_board_without_steps_has_a_line_of_its_own(tmp_path):
    path = tmp_path / "steps.svg"
    write_pictures([(SOLVED_BOARD.puzzle, [])], ENGLISH, path)
    assert "Puzzle 1: no steps" in path.read_text(encoding="utf-8")


def test_other_kinds_of_file_are_refused(tmp_path):
    with pytest.raises(UsageError, match=r"\.svg nor \.png"):
        write_pictures(told(SOLVED_BOARD.puzzle), ENGLISH, tmp_path / "steps.pdf")
    assert list(tmp_path.iterdir()) == []


def test_a_png_that_would_be_too_large_is_refused_with_its_size(tmp_path, monkeypatch):
    monkeypatch.setattr(step_pictures, "_MOST_PX", 1000)
    with pytest.raises(OutputError, match=r"PNG of \d+ × \d+ pixels"):
        write_pictures(told(SOLVED_BOARD.puzzle), ENGLISH, tmp_path / "steps.png")
    assert list(tmp_path.iterdir()) == []
