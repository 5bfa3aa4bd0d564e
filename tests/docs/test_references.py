"""What pages and docstrings name is there."""

import ast
import builtins
import re
import sys
from collections import defaultdict
from importlib import import_module
from itertools import pairwise
from operator import attrgetter
from pathlib import Path

import pytest
from doc_pages import PAGES, ROOT

import linkpress
from linkpress.book.spec import BookSpec
from linkpress.documents.shipped_files import LANGUAGES
from linkpress.engine.techniques import TECHNIQUES
from linkpress.feeds.feed_spec import WEEKDAYS, DaySpec, FeedSpec

sys.path.insert(0, str(ROOT / "docs" / "_ext"))
import generated_reference
import rooms_picture
from keys_table import document_table

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


def links_of(text):
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


# Of other programs, and samples.
OUTSIDE = {
    "COMPRESS_SUB", "RL_name", "decodeBorderLine", "decodeNumber16", "findset", "fontTools.misc.cython",
    "forkserver", "make_solution", "maketext_solve", "nohup", "numlin_edit", "spawn", "level-0",
    "my-book-lulu-6x9in", "pt-PT", "puzzle-12", "solution-12",
}  # fmt: skip
FILES = {path.name for folder in ("src", "config", "fonts", "tests") for path in (ROOT / folder).rglob("*")}
FILES |= {path.name for path in ROOT.iterdir()}
QUOTED = re.compile(r"``(.+?)``|\b([A-Z]+_[A-Z_]*[A-Z])\b", re.DOTALL)
CALLED = re.compile(r"\b(?:kernels?|modules?)((?:(?:,| and| or)? ``\w+``)+)")
NAME = re.compile(r"(?!r\d+c\d+$)[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*")


class Vocabulary:
    """What the docstrings of a package name, and what they may: whatever its code names or spells out."""

    def __init__(self, package):
        self.known = {*FILES, *dir(builtins), *sys.stdlib_module_names, *(one.name for one in TECHNIQUES)}
        self.inside = defaultdict[str, set[str]](set)  # of modules, folders and classes
        self.functions = set()
        self.docstrings = []
        for path in package.rglob("*.py"):
            for folder, part in pairwise((*path.parent.parts, path.stem)):
                self.inside[folder].add(part)
            tree = ast.parse(path.read_text(encoding="utf-8"))
            self._read_docstrings(tree, path.stem)
            for node in ast.walk(tree):
                if isinstance(node, ast.ClassDef):
                    self.inside[node.name] |= names_in(node)
                elif isinstance(node, ast.FunctionDef):
                    self.functions.add(node.name)
            self.inside[path.stem] |= names_in(tree)
        self.known = self.known.union(self.inside, *self.inside.values())

    def _read_docstrings(self, tree, module):
        for node in ast.walk(tree):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                self.docstrings.append((f"{module}:{node.lineno}", str(node.value.value)))
                node.value.value = None

    def stale(self):
        """Each word that names nothing, with its place."""
        words = [
            (" ".join((quoted or constant).split()), place)
            for place, text in self.docstrings
            for quoted, constant in QUOTED.findall(text)
        ]
        return {word: place for word, place in words if not self.knows(word.rstrip("/()"))}

    def knows(self, word):
        """Whether a word names something, or is no name."""
        if not NAME.fullmatch(word) or len(word) == 1 or word in self.known:
            return True
        parts = word.split(".")
        inside = {a: self.inside.get(a) or self.inside.get(a[:1].upper() + a[1:]) for a in parts}
        return parts[1:] != [] and (
            parts[0] in sys.stdlib_module_names
            or all(b in (inside[a] or self.known) for a, b in pairwise(parts))
        )

    def misplaced(self):
        """Each word that a docstring calls a module or a kernel, and that is no module and no function."""
        named = [words for _, text in self.docstrings for words in CALLED.findall(" ".join(text.split()))]
        called = [word for words in named for word in re.findall(r"``(\w+)``", words)]
        return [word for word in called if word not in self.inside.keys() | self.functions]


def names_in(tree):
    keys = "id", "attr", "arg", "name", "asname", "module", "value"
    found = (getattr(node, key, None) for node in ast.walk(tree) for key in keys)
    return {name for name in found if isinstance(name, str)}


def test_every_quoted_word_names_something_and_every_word_from_outside_is_still_needed():
    ours = Vocabulary(Path(linkpress.__file__).parent)
    assert ours.misplaced() == []
    stale = ours.stale()
    assert {word: place for word, place in stale.items() if word not in OUTSIDE} == {}
    assert stale.keys() == OUTSIDE


def test_a_word_that_names_nothing_is_found(tmp_path):
    known = "``Journal`` ``Journal.open`` ``closed`` ``journal.closed`` ``2 * cell`` ``pyproject.toml``"
    lost = ["Ledger", "Journal.make", "opened", "NEAR_ENOUGH", "journal.txt"]
    text = f"{known} {' '.join(f'``{word}``' for word in lost)}, the modules ``journal`` and ``closed``"
    source = f'class Journal:\n    def open(self):\n        """{text}"""\n        self.closed = 1\n'
    (tmp_path / "journal.py").write_text(source)
    found = Vocabulary(tmp_path)
    assert ([*found.stale()], found.misplaced()) == (lost, ["closed"])


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
