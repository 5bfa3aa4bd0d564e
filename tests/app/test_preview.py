import io
from pathlib import Path

import pytest
from PIL import Image

from linkpress.app.preview import design_sheet, plan_text, read_page_numbers
from linkpress.book.spec import BookSpec
from linkpress.documents.models import Document
from linkpress.documents.shipped_files import COVERS
from linkpress.errors import UsageError
from linkpress.press.rehearsal import rehearse


@pytest.mark.parametrize(
    ("text", "pages"), [("2", [2]), ("1-3", [1, 2, 3]), ("4,1-2", [4, 1, 2]), ("3-99", [3, 4, 5])]
)
def test_page_ranges_are_read_in_their_order(text, pages):
    assert read_page_numbers(text, 5) == pages


@pytest.mark.parametrize("text", ["", "0", "3-1", "x", "1-", "7"])
def test_page_ranges_that_mean_nothing_are_refused(text):
    with pytest.raises(UsageError, match="--pages"):
        read_page_numbers(text, 5)


@pytest.mark.parametrize(
    ("level", "said"),
    [
        ({"count": 30, "size": [5, "5x7"], "paths": 4}, "30 puzzles, "),
        ({"count": 1, "size": 5, "paths": 1, "solids": 1}, "A: 1 puzzle; 5 x 5, 1 path, 1 solid, strict"),
        ({"count": 1, "size": 5, "paths": 1, "grade": "easy"}, "1 path, 0 solids, strict, easy"),
        (
            {"count": 1, "size": 5, "method": "classic", "grade": "easy-hard"},
            "any solids, strict, easy to hard",
        ),
    ],
)
def test_a_plan_counts_puzzles_and_says_what_each_level_asks_for(level, said):
    spec = BookSpec.model_validate({"title": "Link", "seed": 1, "levels": [{"name": "A", **level}]})
    assert said in plan_text(rehearse(Document(spec), Path()))


def test_a_sheet_shows_the_front_in_each_design_that_takes_the_title(tmp_path):
    """Two rows of five fronts, and one design fewer for a word that only the narrower serif can set."""
    source = tmp_path / "book.yaml"
    level = "{name: A, count: 1, size: 5}"
    source.write_text(f"{{title: Evening Links, seed: 1, page: {{trim: 6x9in}}, levels: [{level}]}}")
    sheet = design_sheet(source, 5)
    assert (sheet.names, sheet.left_out) == (COVERS.names(), {})
    with Image.open(io.BytesIO(sheet.png)) as drawn:
        assert (drawn.width // 420, drawn.height // 630) == (5, 2)
    source.write_text(source.read_text().replace("Evening Links", "Zahlenverbindungen"))
    sheet = design_sheet(source, 5)
    assert sheet.names == ("glass", "quiet")
    assert all("fourteenth" in why for why in sheet.left_out.values())
