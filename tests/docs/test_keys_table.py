"""The tables of keys that the reference has."""

import sys

import pytest
from doc_pages import ROOT

from linkpress.book.spec import BookSpec
from linkpress.documents.shipped_files import LANGUAGES
from linkpress.feeds.feed_spec import WEEKDAYS, DaySpec, FeedSpec

sys.path.insert(0, str(ROOT / "docs" / "_ext"))
from keys_table import document_table


def test_the_table_has_a_row_for_every_key():
    table = document_table(BookSpec)
    rows = [line.split(" | ") for line in table.splitlines()[2:]]
    keys = [row[0].removeprefix("| ").strip("`") for row in rows]
    assert [key for key in keys if "." not in key] == list(BookSpec.model_fields)
    assert {"page.trim", "levels[].paths", "solutions.per_page", "cover.blurb"} <= set(keys)
    assert all(len(row) == 4 for row in rows)


@pytest.mark.parametrize(
    "row",
    [
        "| `levels[].count` | whole number, 1 to 5000 | required | How many puzzles the level has. |",
        "| `levels[].shortest_path` | whole number, 2 to 50 | 3; without composing, from 10x10 up, "
        "5 where paths are long; classic: 2 | The fewest squares on a path, its two numbers included. |",
        f"| `language` | {', '.join(f'`{name}`' for name in LANGUAGES.names())}, or the path of a words "
        "file | `en` | The language of the printed words. |",
        "| `page.bleed` | yes or no | no | Whether pages are delivered with bleed. |",
    ],
)
def test_a_row_says_value_default_and_meaning(row):
    assert row in document_table(BookSpec).splitlines()


def test_the_table_of_keys_has_a_row_for_each_but_a_weekday_s():
    table = document_table(FeedSpec, {DaySpec: "the keys of a level"})
    rows = [line.split(" | ") for line in table.splitlines()[2:]]
    keys = [row[0].removeprefix("| ").strip("`") for row in rows]
    assert [key for key in keys if "." not in key] == list(FeedSpec.model_fields)
    assert [key for key in keys if key.startswith("week.")] == [f"week.{day}" for day in WEEKDAYS]
    assert {"holder", "first_number", "utc_offset", "image.theme", "image.min_cell_mm"} <= set(keys)
    assert "| `skip` | a list, each a date as 2026-12-25, or month" in table
