import pytest

from linkpress.config.shipped_files import PRINTERS, THEMES
from linkpress.errors import InstallationError, UsageError
from linkpress.resources import resource


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
    with pytest.raises(
        UsageError,
        match=r"^no theme named .* Shipped: bold, classic, .* your own theme, ",
    ):
        THEMES.find(name)


def test_a_folder_is_called_one(tmp_path):
    with pytest.raises(UsageError, match=r"is a folder, and a theme is a YAML file\. Shipped: bold"):
        THEMES.find(tmp_path)


def test_the_nearest_name_goes_before_the_others():
    assert PRINTERS.choice("KDP-Paperbck").startswith("Did you mean kdp-paperback? Shipped: generic, ")
    assert PRINTERS.choice("xyz").startswith("Shipped: ")


def test_what_is_not_shipped_is_said_to_be_missing():
    with pytest.raises(InstallationError, match="config/none is not part of this installation"):
        resource("config", "none")
