from pathlib import Path

from linkpress.app.plan_text import plan_text
from linkpress.book.spec import BookSpec

SPEC = BookSpec.model_validate(
    {
        "title": "Link",
        "seed": 1,
        "page": {"printer": "generic"},
        "levels": [{"name": "A", "count": 30, "size": [5, "5x7"], "paths": 4}],
    }
)


def test_a_plan_counts_the_pages():
    assert "30 puzzles, " in plan_text(SPEC, Path())


def test_a_plan_says_one_thing_as_one():
    level = {"name": "A", "count": 1, "size": 5, "paths": 1, "solids": 1}
    spec = BookSpec.model_validate({"title": "One", "seed": 1, "levels": [level]})
    said = plan_text(spec, Path())
    assert "A: 1 puzzle; 5 x 5, 1 path, 1 solid, strict" in said
    assert "\n1 puzzle, " in said
