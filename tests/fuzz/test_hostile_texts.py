"""Titles, names and templates come out of every file as they went in, and never lead to another folder."""

import datetime
import io
import unicodedata
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import damage
import pikepdf
import pytest
import sound_samples as samples
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from linkpress.book.key_values import read_id
from linkpress.book.spec import BookSpec, slug
from linkpress.documents.problem import InvalidError
from linkpress.errors import LayoutError
from linkpress.files import ImageFormat
from linkpress.images.composition import read_parts
from linkpress.images.image_export import ExportOrder, read_puzzle_source, write_images
from linkpress.images.image_settings import ImageKind, NameFields, image_settings, image_width, read_template
from press_samples import Typeset

MARKUP = (
    "\\) ( (( ) Tj ET Q endstream <</S/JavaScript/JS(app.alert(1))>> <FEFF0041> ~/x =SUM(A1)",
    "</rdf:RDF> ]]>&amp;&lt;<!-- <!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>&e; <b>%s",
    "“Don’t” 'then' Zażółć – Ǻ d\u00a0e 1. *a* **b** # c \u0e07\u0e48\u0e32\u0e22",
)
LETTERS = ("\U0001f600", "\u05d0", "\ufffe", "\u202e", "x\u20dd", "\x07", "\ud800", "\U0010ffff")
_FOREIGN_KEYS = ("/JS", "/JavaScript", "/Launch", "/URI", "/AA", "/OpenAction", "/EmbeddedFile", "/RichMedia")
_LISTED = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}li"


def volume_with(**keys):
    spec = BookSpec.model_validate({**samples.small_spec().document(), **keys})
    return replace(samples.small_volume(), spec=spec)


@pytest.mark.parametrize("word", MARKUP)
def test_a_text_is_a_text_in_every_file_of_a_book(word):
    texts = dict.fromkeys(("title", "subtitle", "author", "publisher", "copyright"), word)
    volume = volume_with(
        **texts, cover={"blurb": word}, front=[{"text": word}], qr={"per": "section", "text": word}
    )
    for content in Typeset(volume, Path()).files.values():
        with pikepdf.open(io.BytesIO(content)) as pdf:
            assert not pdf.get_warnings()
            assert str(pdf.docinfo["/Title"]).startswith(unicodedata.normalize("NFC", word))
            keys = {str(key) for one in pdf.objects if isinstance(one, pikepdf.Dictionary) for key in one}
            assert keys.isdisjoint(_FOREIGN_KEYS)
            if "/Metadata" in pdf.Root:
                described = ElementTree.fromstring(pdf.Root.Metadata.read_bytes())
                assert unicodedata.normalize("NFC", word) in {one.text for one in described.iter(_LISTED)}


@pytest.mark.parametrize("word", MARKUP)
def test_a_text_is_a_text_in_every_image(word, tmp_path):
    volume = volume_with(title=word, author=word, copyright=word)
    (tmp_path / "volume.json").write_text(volume.json, encoding="utf-8")
    formats = (ImageFormat.PNG, ImageFormat.SVG)
    image = image_settings(image_width(None, 2, None), 100, "gray", formats, None)
    order = ExportOrder(image, (ImageKind.PUZZLE,), read_parts(["number"]), read_template("{number}-{what}"))
    written = write_images(read_puzzle_source(tmp_path), order, tmp_path / "out")
    assert {title_of(path) for path in written[:2]} == {f"{unicodedata.normalize('NFC', word)} 1"}


def title_of(path):
    """Return the title inside an image."""
    if path.suffix == ".svg":
        return next(one.text for one in ElementTree.parse(path).iter() if one.tag.endswith("title"))
    with Image.open(path) as image:
        return str(image.text["Title"])


@pytest.mark.parametrize("letter", LETTERS)
def test_a_character_that_no_font_has_is_named_with_its_place(letter):
    text = f"ab {letter} c"
    for key, value in (("title", text), ("front", [{"text": text}]), ("cover", {"blurb": text})):
        with pytest.raises((ValueError, LayoutError), match=rf"(?s){key}.*U\+{ord(letter[-1]):04X}"):
            _ = Typeset(volume_with(**{key: value}), Path()).files


@given(st.text(max_size=80) | st.sampled_from(damage.WORDS))
def test_a_title_becomes_a_plain_folder_name(title):
    assert read_id(slug(title)) == slug(title)
    assert len(slug(title).encode()) <= 140


PARTS = [*damage.WORDS, *damage.LETTERS, "{number}", "{what}", "{what}", "{date:%Y}", "/", "..", "x", "\\"]


@given(st.lists(st.sampled_from(PARTS), max_size=5))
@settings(max_examples=200)
def test_a_template_never_leads_out_of_the_folder(parts):
    try:
        template = read_template("".join(parts))
    except InvalidError:
        return
    name = template.name(NameFields(datetime.date(2026, 12, 1), 7, ImageKind.PUZZLE, 2, 600), ".png")
    assert Path("/srv/feed", name).resolve().is_relative_to("/srv/feed")
    assert not set(name) & set('\\\0\n:*?"<>|')
