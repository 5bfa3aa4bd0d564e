import os

import pytest

from linkpress.book.design_keys import CoverDesign
from linkpress.documents.models import load_model
from linkpress.documents.shipped_files import COLUMN_GRIDS, COVERS, LANGUAGES, PRINTERS, THEMES, read_named
from linkpress.errors import UsageError
from linkpress.images.image_settings import ColumnGrid
from linkpress.layout.theme import Theme
from linkpress.printers.profile import PrinterProfile
from linkpress.resources import resource
from linkpress.words.language import Words


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "themes").mkdir()
    (tmp_path / "own.yaml").touch()
    return tmp_path


@pytest.mark.parametrize("name", ["classic", "own.yaml"])
def test_a_shipped_name_and_a_file_beside_the_spec_will_do(folder, name):
    assert THEMES.fault(name, folder) is None


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("themes", "this is a folder, and a theme is a YAML file. Shipped: bold"),
        ("clasic", "there is no such theme and no such file. Did you mean classic?"),
    ],
)
def test_anything_else_is_a_fault_in_its_own_words(folder, name, said):
    assert THEMES.fault(name, folder).startswith(said)


def test_a_shipped_name_goes_before_a_file_of_that_name(tmp_path, monkeypatch):
    (tmp_path / "bold").write_text("")
    monkeypatch.chdir(tmp_path)
    assert THEMES.find("bold") == resource("config", "themes", "bold.yaml")


def test_any_other_text_is_the_path_of_an_own_file(tmp_path):
    own = tmp_path / "bold.yaml"
    own.write_text("")
    assert THEMES.find(own) == own


@pytest.mark.parametrize("name", ["blod", "é" * 200, "a\0b"], ids=["misspelt", "long", "NUL"])
def test_what_is_no_file_is_answered_with_the_names_there_are(name):
    with pytest.raises(UsageError, match=r"^no theme named .* Shipped: bold, classic, .* your own theme, "):
        THEMES.find(name)


def test_a_folder_is_called_one(tmp_path):
    with pytest.raises(UsageError, match=r"is a folder, and a theme is a YAML file\. Shipped: bold"):
        THEMES.find(tmp_path)


def test_the_nearest_name_goes_before_the_others():
    assert PRINTERS.choice("KDP-Paperbck").startswith("Did you mean kdp-paperback? Shipped: generic, ")
    assert PRINTERS.choice("xyz").startswith("Shipped: ")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with names")
def test_a_pipe_is_not_read_in_place_of_a_file(tmp_path):
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
def test_every_shipped_file_is_sound_by_the_checks_of_an_own_file(files, model):
    assert all(isinstance(load_model(files.find(name), model), model) for name in files.names())
