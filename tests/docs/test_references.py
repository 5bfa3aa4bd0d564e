"""Pages name only files, modules and types that exist, and generated tables are complete."""

import re
import sys
from importlib import import_module
from operator import attrgetter

import pytest
from doc_pages import PAGES, ROOT

import linkpress
from linkpress.book.spec import BookSpec
from linkpress.documents.shipped_files import LANGUAGES
from linkpress.feeds.feed_spec import WEEKDAYS, DaySpec, FeedSpec

sys.path.insert(0, str(ROOT / "docs" / "_ext"))
import generated_reference
import rooms_picture
from keys_table import document_table

GLOSSARY = (ROOT / "docs" / "development" / "glossary.md").read_text(encoding="utf-8")
ARCHITECTURE = (ROOT / "docs" / "development" / "architecture.md").read_text(encoding="utf-8")
ANSWERS = re.findall(r"^\| .*\? \| `([a-z_/]+)\.py` \| `([\w.]+)` \|$", ARCHITECTURE, re.MULTILINE)
DOCS = {page: page.read_text(encoding="utf-8") for page in PAGES}


def test_every_row_of_the_glossary_names_a_type_that_is_there():
    rows = [line for line in GLOSSARY.splitlines() if line.startswith("| ") and "| type |" not in line]
    named = [re.search(r"\| `(linkpress\.[\w.]+)\.(\w+)` \|$", row) for row in rows]
    assert [row for row, found in zip(rows, named, strict=True) if not found] == []
    assert [found[0] for found in named if not hasattr(import_module(found[1]), found[2])] == []


def test_whatever_is_generated_for_a_page_can_be_and_is_used():
    used = [name for text in DOCS.values() for name in re.findall(r"^<!-- generated: (.+) -->$", text, re.M)]
    assert sorted(used) == sorted(generated_reference.GENERATED)
    for name in used:
        assert len(generated_reference.GENERATED[name]().splitlines()) >= 3, name


@pytest.mark.parametrize("name", ["printer-keys", "exit-codes", "commands", "preflight-checks", "notations"])
def test_each_row_of_a_generated_table_says_what_it_means(name):
    rows = generated_reference.GENERATED[name]().splitlines()
    assert [row for row in rows if re.search(r"\| *\|$", row)] == []


def test_a_bar_in_a_cell_ends_no_cell_and_keys_with_inner_ones_lead_to_them():
    lines = generated_reference.GENERATED["book-keys"]().splitlines()
    rows = [line for line in lines if line.startswith("|")]
    assert any("`\\|`" in row for row in rows)
    assert any(row.startswith("| [`page`](#page) | keys of its own | as below |") for row in rows)
    assert [row for row in rows if len(re.findall(r"(?<!\\)\|", row)) != 5] == []


def test_every_public_name_is_in_the_python_reference():
    text = generated_reference.GENERATED["python-api"]()
    assert [name for name in linkpress.__all__ if f"linkpress.{name}\n" not in text] == []


def test_the_picture_has_every_room():
    picture = rooms_picture.picture()
    assert [room for room in rooms_picture.rooms() if f">{room}</text>" not in picture] == []


def test_an_arrow_between_rooms_is_an_import():
    rooms, imports = rooms_picture.rooms(), rooms_picture.imports()
    assert "layout" in imports["press"]
    assert "press" not in imports["layout"]
    assert imports.keys() == rooms.keys()


def links_of(text):
    """Return the files that a page links, leaving out code blocks and links to other sites."""
    prose = re.sub(r"^```.*?^```$|`[^`\n]*`", "", text, flags=re.MULTILINE | re.DOTALL)
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", prose)
    return [link for link in links if not link.startswith("https://")]


def test_every_file_that_a_page_links_or_names_is_there():
    for page, text in DOCS.items():
        linked = [page.parent / link for link in links_of(text)]
        names = re.findall(r"`((?:src/linkpress|tests|config|docs)/[^`*\s]+)`", text)
        missing = [path for path in [*linked, *(ROOT / name for name in names)] if not path.exists()]
        assert missing == [], page


def test_every_module_on_the_way_of_a_puzzle_is_there():
    modules = re.findall(r"`([a-z]+/[a-z_/]+\.py)`", ARCHITECTURE)
    assert len(modules) > 10
    assert [name for name in modules if not (ROOT / "src" / "linkpress" / name).exists()] == []


def test_every_question_has_its_answer_in_the_module_that_the_map_names():
    assert len(ANSWERS) == ARCHITECTURE.count("? | `")
    for module, name in ANSWERS:
        assert attrgetter(name)(import_module(f"linkpress.{module.replace('/', '.')}"))


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
        "| `levels[].count` | whole number, 1 to 5000 | required | The number of puzzles in the level. |",
        "| `levels[].shortest_path` | whole number, 2 to 50 | 3 squares; on boards from 10 × 10 that are not "
        "composed, 5 if their paths are long; with the method `classic`, 2 | The smallest number of squares "
        "of a path, including its two numbers. |",
        f"| `language` | {', '.join(f'`{name}`' for name in LANGUAGES.names())}, or the path of a words "
        "file | `en` | The language of the printed words: a shipped one, or the path of your own words "
        "file. |",
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
    assert "| `skip` | a list, each a date like 2026-12-25, or month" in table
