"""What pages and docstrings name is there."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from operator import attrgetter
from pathlib import Path

import pytest
from doc_pages import PAGES, ROOT
from docstring_words import Vocabulary, read_package

import linkpress
from linkpress.engine.techniques import TECHNIQUES

sys.path.insert(0, str(ROOT / "docs" / "_ext"))
import generated_reference
import rooms_picture

GLOSSARY = (ROOT / "docs" / "development" / "glossary.md").read_text(encoding="utf-8")
ARCHITECTURE = (ROOT / "docs" / "development" / "architecture.md").read_text(encoding="utf-8")
ANSWERS = re.findall(r"^\| .*\? \| `([a-z_/]+)\.py` \| `([\w.]+)` \|$", ARCHITECTURE, re.MULTILINE)
DOCS = {page: page.read_text(encoding="utf-8") for page in PAGES}


@pytest.mark.parametrize("name", re.findall(r"\| `(linkpress\.[\w.]+)` \|$", GLOSSARY, re.MULTILINE))
def test_a_type_of_the_glossary_is_there(name):
    module, _, attribute = name.rpartition(".")
    assert hasattr(import_module(module), attribute)


def test_every_row_of_the_glossary_names_a_type():
    rows = [line for line in GLOSSARY.splitlines() if line.startswith("| ") and "| type |" not in line]
    assert rows
    assert [row for row in rows if not re.search(r"\| `linkpress\.[\w.]+` \|$", row)] == []


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


def links_of(text: str) -> list[str]:
    """The files that a page links, without code and without other sites."""
    prose = re.sub(r"^```.*?^```$|`[^`\n]*`", "", text, flags=re.MULTILINE | re.DOTALL)
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", prose)
    return [link for link in links if not link.startswith("https://")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_file_that_a_page_links_or_names_is_there(page):
    linked = [page.parent / link for link in links_of(DOCS[page])]
    names = re.findall(r"`((?:src/linkpress|tests|config|docs)/[^`*\s]+)`", DOCS[page])
    assert [path for path in [*linked, *(ROOT / name for name in names)] if not path.exists()] == []


def test_every_module_on_the_way_of_a_puzzle_is_there():
    modules = re.findall(r"`([a-z]+/[a-z_/]+\.py)`", ARCHITECTURE)
    assert len(modules) > 10
    assert [name for name in modules if not (ROOT / "src" / "linkpress" / name).exists()] == []


def test_every_question_has_its_answer_in_the_module_that_the_map_names():
    assert len(ANSWERS) == ARCHITECTURE.count("? | `")
    for module, name in ANSWERS:
        assert attrgetter(name)(import_module(f"linkpress.{module.replace('/', '.')}"))


def test_the_readme_is_read_in_a_few_minutes():
    text = DOCS[ROOT / "README.md"]
    assert len(text.splitlines()) <= 250
    assert len(text.encode()) <= 14_000


OTHER_PROGRAMS = {
    "COMPRESS_SUB", "RL_name", "decodeBorderLine",
    "decodeNumber16", "exp", "findset", "fontTools.misc.cython", "forkserver", "load", "make_solution",
    "maketext_solve", "nohup", "numlin_edit", "spawn",
}  # fmt: skip
SAMPLES = {"level-0", "my-book-lulu-6x9in", "pt-PT", "puzzle-12", "solution-12"}
PUT_TOGETHER = {"rejected-interior.pdf"}
OUTSIDE = OTHER_PROGRAMS | SAMPLES | PUT_TOGETHER

FILES = {path.name for folder in ("src", "config", "fonts", "tests") for path in (ROOT / folder).rglob("*")}
FILES |= {path.name for path in ROOT.iterdir()}


def vocabulary(package):
    return Vocabulary(read_package(package), FILES, {one.name for one in TECHNIQUES})


@pytest.fixture(scope="module")
def ours():
    return vocabulary(Path(linkpress.__file__).parent)


def test_every_quoted_word_names_something_and_every_word_from_outside_is_still_needed(ours):
    stale = {line.rpartition(": ")[2]: line for line in ours.stale()}
    assert [line for word, line in stale.items() if word not in OUTSIDE] == []
    assert stale.keys() == OUTSIDE


def test_what_a_docstring_calls_a_module_is_one(ours):
    assert list(ours.misplaced()) == []


SOURCE = '''
class Journal:
    def open(self, path, sides):
        """Opens ``path``, as ``linkpress.journal`` says; {}."""
        self.closed = sides
'''


@pytest.mark.parametrize(
    "words",
    [
        "``Journal``",
        "``Journal.open``",
        "``closed``",
        "``journal.closed``",
        "``2 * cell``",
        "``pyproject.toml``",
    ],
)
def test_a_word_that_names_something_is_known(tmp_path, words):
    assert list(written(tmp_path, words).stale()) == []


@pytest.mark.parametrize(
    "words",
    ["``Ledger``", "``Journal.make``", "``opened``", "NEAR_ENOUGH", "``journal.txt``", "``Journal.path``"],
)
def test_a_word_that_names_nothing_is_found(tmp_path, words):
    assert list(written(tmp_path, words).stale()) == [f"linkpress.journal:4: {words.strip('`')}"]


def test_a_variable_that_is_called_a_module_is_found(tmp_path):
    found = list(written(tmp_path, "the modules ``journal`` and ``sides``").misplaced())
    assert found == ["linkpress.journal:4: sides"]


def written(folder, words):
    (folder / "linkpress").mkdir()
    (folder / "linkpress" / "journal.py").write_text(SOURCE.format(words))
    return vocabulary(folder / "linkpress")
