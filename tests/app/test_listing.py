"""What a shop's form asks of a built book."""

import pytest
from PIL import Image

from linkpress.app.build import build, typeset_again
from linkpress.app.listing import list_book
from linkpress.errors import OutputError
from linkpress.production.ledger_session import NO_LEDGER

SPEC = """
title: Enlaces de tarde
subtitle: Dos puzles
author: Ada Example
language: es
seed: 5
page: {printer: kdp-paperback, trim: 6x9in}
notes_pages: 20
cover: {blurb: "Une los *números*."}
price: {EUR: 9.99}
levels:
  - {name: Small, title: Suave, count: 2, size: 7x5, paths: 4-6}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("listing")
    (path / "book.yaml").write_text(SPEC)
    return build(path / "book.yaml", path, 1, ledger=NO_LEDGER).folder


@pytest.fixture
def listed(folder, tmp_path):
    return list_book(folder, tmp_path)


def test_the_form_is_in_the_books_own_language(listed):
    assert "Language: Spanish" in listed.text
    assert "Title (16 + 10 of 200 characters with the subtitle): Enlaces de tarde" in listed.text
    assert "\nUne los números.\n\n2 puzles\n• Suave: 2 puzles, 7 × 5\n\nEstá demostrado" in listed.text
    assert "Small" not in listed.text
    assert "libro de pasatiempos" in listed.text
    assert "at 9.99 EUR 60%" in listed.text
    assert listed.wanting == ("no categories: choose up to 3 at the shop, or give listing.categories",)


def test_pictures_are_of_the_shops_sizes(listed):
    pictures = [file for file in listed.files if file.suffix == ".png"]
    assert [(Image.open(file).size, Image.open(file).mode) for file in pictures] == [
        ((970, 600), "RGB"),
        ((970, 300), "RGB"),
        ((300, 300), "RGB"),
    ]


def test_files_of_another_edition_are_told(folder, tmp_path):
    changes = {"title": "Abend", "notes_pages": 30}
    other = typeset_again(folder, tmp_path / "b", changes, ledger=NO_LEDGER).folder
    (other / "volume.json").write_bytes((folder / "volume.json").read_bytes())
    found = "\n".join(list_book(other, tmp_path / "c").wanting)
    assert "interior.pdf is titled 'Abend', not 'Enlaces de tarde'" in found
    assert " pages, the book " in found
    assert "cover.pdf does not show the title 'Enlaces de tarde' as the form has it" in found


def test_what_is_beyond_a_limit_is_wanting(folder, tmp_path):
    changes = {"subtitle": "many words " * 17, "listing": {"categories": ["Games"], "keywords": ["one"]}}
    other = typeset_again(folder, tmp_path / "b", {**changes, "cover": "no"}, ledger=NO_LEDGER).folder
    assert list_book(other).wanting == (
        "title and subtitle have 202 characters, at most 200 are taken",
        "cover.pdf is missing: give the book a cover, or bring one of the size above",
    )


def test_a_folder_without_an_interior_is_refused(folder, tmp_path):
    (tmp_path / "volume.json").write_bytes((folder / "volume.json").read_bytes())
    with pytest.raises(OutputError, match=r"interior\.pdf is missing: build the book"):
        list_book(tmp_path)
