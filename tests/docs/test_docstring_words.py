"""A word in double backticks in a docstring of the package names something that is there."""

from __future__ import annotations

from pathlib import Path

import pytest
from doc_pages import ROOT
from docstring_words import Vocabulary, read_package

import linkpress
from linkpress.engine.techniques import TECHNIQUES

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
