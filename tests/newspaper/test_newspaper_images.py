import pytest
from PIL import Image

import linkpress
from linkpress.errors import UsageError

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
        ({"caption": ["colour"]}, "no caption part 'colour'"),
    ],
)
def test_an_argument_that_makes_no_sense_is_a_usage_error(boards, tmp_path, options, words):
    with pytest.raises(UsageError, match=words):
        linkpress.export_images(boards, tmp_path / "images", **options)
    assert not (tmp_path / "images").exists()
