import os

import pytest

from linkpress.book.printing_keys import CoverDesign
from linkpress.documents.models import load_model
from linkpress.documents.shipped_files import COLUMN_GRIDS, COVERS, LANGUAGES, PRINTERS, THEMES, read_named
from linkpress.errors import UsageError
from linkpress.images.image_settings import ColumnGrid
from linkpress.layout.theme import Theme
from linkpress.printers import PrinterProfile
from linkpress.resources import resource
from linkpress.words import Words


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "themes").mkdir()
    (tmp_path / "own.yaml").touch()
    return tmp_path


@pytest.mark.parametrize("name", ["classic", "own.yaml"])
def test_a_shipped_name_or_a_file_beside_the_spec_is_accepted(folder, name):
    assert THEMES.problem_with(name, folder) is None


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("themes", "this is a folder, and a theme is a YAML file. Shipped: bold"),
        ("clasic", "there is no such theme and no such file. Did you mean classic?"),
    ],
)
def test_any_other_name_is_a_problem(folder, name, message):
    assert THEMES.problem_with(name, folder).startswith(message)


def test_a_shipped_name_wins_over_a_file_of_that_name(tmp_path, monkeypatch):
    (tmp_path / "bold").write_text("")
    monkeypatch.chdir(tmp_path)
    assert THEMES.find("bold") == resource("config", "themes", "bold.yaml")


def test_any_other_text_is_the_path_of_a_file(folder):
    assert THEMES.find(folder / "own.yaml") == folder / "own.yaml"


@pytest.mark.parametrize("name", ["blod", "é" * 200, "a\0b"], ids=["misspelt", "long", "NUL"])
def test_the_shipped_names_are_listed_for_an_unknown_one(name):
    with pytest.raises(UsageError, match=r"^no theme named .* Shipped: bold, classic, .* your own theme, "):
        THEMES.find(name)


def test_a_folder_is_reported_as_a_folder(tmp_path):
    with pytest.raises(UsageError, match=r"is a folder, and a theme is a YAML file\. Shipped: bold"):
        THEMES.find(tmp_path)


def test_the_most_similar_name_is_suggested():
    assert PRINTERS.suggestion("KDP-Paperbck").startswith("Did you mean kdp-paperback? Shipped: generic, ")
    assert PRINTERS.suggestion("xyz").startswith("Shipped: ")
    assert LANGUAGES.suggestion("pl").startswith("Shipped: ")  # a code is like other codes by chance


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with names")
def test_a_pipe_is_not_read(tmp_path):
    os.mkfifo(tmp_path / "front.png")
    with pytest.raises(UsageError, match=r"front\.png can't be read: it is a pipe or a device"):
        read_named(tmp_path / "front.png", "cover.image", 1, "")


@pytest.mark.parametrize(
    ("files", "model"),
    [
        (PRINTERS, PrinterProfile), (COVERS, CoverDesign), (THEMES, Theme), (COLUMN_GRIDS, ColumnGrid),
        (LANGUAGES, Words),
    ],
    ids=lambda value: getattr(value, "kind", ""),
)  # fmt: skip
def test_every_shipped_file_passes_the_checks_of_a_user_s_file(files, model):
    assert all(isinstance(load_model(files.find(name), model), model) for name in files.names())
