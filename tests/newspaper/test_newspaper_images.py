import pytest
from PIL import Image

import linkpress
from linkpress.errors import OutputError, UsageError
from linkpress.newspaper.naming import What

BOARDS = "5 3\n1 2 3 4 5\n. . . . .\n1 2 3 4 5\n"


@pytest.fixture
def boards(tmp_path):
    path = tmp_path / "boards.txt"
    path.write_text(BOARDS)
    return path


def test_a_script_has_its_images_in_one_call(boards, tmp_path):
    files = linkpress.export_images(boards, tmp_path / "images", width_mm=50, dpi=100, mode="gray")
    assert [path.name for path in files] == ["boards-0001-puzzle.png", "boards-0001-solution.png"]
    assert {Image.open(path).size[0] for path in files} == {round(50 / 25.4 * 100)}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"names": "{nothing}"}, "names: .*there is no such field"),
        ({"width_mm": 3}, "a width of 3 mm"),
        ({"columns": 40}, "columns"),
        ({"width_mm": 50, "columns": 40}, "the width 50 — give a width, or a grid and columns, not both"),
        ({"width_mm": 50, "grid": "nosuch"}, "not both"),
        ({"grid": "nosuch"}, "no column grid named 'nosuch'"),
        ({"theme": "nosuch"}, "no theme named 'nosuch'"),
        ({"mode": "grey"}, "mode 'grey': 1bit, gray, rgb is allowed"),
        ({"mode": None}, "mode None: 1bit, gray, rgb"),
        ({"formats": ("png", "gif")}, "formats 'gif': png, tiff, svg, pdf is allowed"),
        ({"formats": ()}, "formats '': png, tiff"),
        ({"formats": ("tiff",), "mode": "gray"}, "Group 4"),
        ({"what": ("puzle",)}, "what 'puzle': puzzle, solution"),
        ({"what": ()}, "what '': puzzle, solution"),
        ({"what": (What.COMBINED,)}, "it is a feed's"),
        ({"caption": ["colour"]}, "no caption part 'colour'"),
    ],
)
def test_an_argument_that_makes_no_sense_is_a_usage_error(boards, tmp_path, options, words):
    with pytest.raises(UsageError, match=words):
        linkpress.export_images(boards, tmp_path / "images", **options)
    assert not (tmp_path / "images").exists()


@pytest.mark.parametrize(
    ("words", "members"),
    [
        ({"mode": "1bit"}, {"mode": linkpress.Mode.ONE_BIT}),
        ({"mode": "rgb"}, {"mode": linkpress.Mode.RGB}),
        ({"formats": ["svg", "png"]}, {"formats": [linkpress.Format.SVG, linkpress.Format.PNG]}),
        ({"formats": "tiff"}, {"formats": [linkpress.Format.TIFF]}),
        ({"what": ["solution"]}, {"what": [linkpress.What.SOLUTION]}),
    ],
)
def test_a_word_draws_the_same_as_the_member_that_it_names(boards, tmp_path, words, members):
    spoken, named = (
        linkpress.export_images(boards, tmp_path / kind, width_mm=50, dpi=100, **options)
        for kind, options in (("words", words), ("members", members))
    )
    assert [(one.name, one.read_bytes()) for one in spoken] == [(one.name, one.read_bytes()) for one in named]


def test_each_mode_has_pixels_of_its_own(boards, tmp_path):
    drawn = {
        mode: Image.open(linkpress.export_images(boards, tmp_path / mode, width_mm=50, dpi=100, mode=mode)[0])
        for mode in ("1bit", "gray", "rgb")
    }
    assert {mode: image.mode for mode, image in drawn.items()} == {"1bit": "1", "gray": "L", "rgb": "RGB"}


def test_the_theme_is_the_one_asked_for(boards, tmp_path):
    def bytes_in(theme):
        out = tmp_path / str(theme)
        (path, _) = linkpress.export_images(boards, out, width_mm=50, dpi=100, mode="gray", theme=theme)
        return path.read_bytes()

    assert bytes_in("newspaper") == bytes_in(None)
    assert bytes_in("bold") != bytes_in("newspaper")


def test_another_puzzles_images_are_written_over_by_force_alone(boards, tmp_path):
    out = tmp_path / "images"
    (first, _) = linkpress.export_images(boards, out, width_mm=50, dpi=100)
    before = first.read_bytes()
    boards.write_text("3 3\n1 2 3\n. . .\n1 2 3\n")
    with pytest.raises(OutputError, match="shows another puzzle"):
        linkpress.export_images(boards, out, width_mm=50, dpi=100)
    assert first.read_bytes() == before
    (again, _) = linkpress.export_images(boards, out, width_mm=50, dpi=100, force=True)
    assert again == first
    assert again.read_bytes() != before
