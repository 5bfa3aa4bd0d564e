"""Titles, names and templates stay what they are: in PDF, XMP, SVG and PNG, and as names of files."""

import datetime
import io
import re
import unicodedata
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import nasty_values as nasty
import pikepdf
import pytest
import sound_samples as samples
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from linkpress.book.spec import BookSpec, slug
from linkpress.book.volume import volume_json
from linkpress.documents.problem import InvalidError
from linkpress.errors import LayoutError
from linkpress.images.composition import read_parts
from linkpress.images.image_export import ExportOrder, read_puzzle_source, write_images
from linkpress.images.image_files import ImageFormat
from linkpress.images.image_settings import ImageKind, NameFields, image_settings, image_width, read_template
from linkpress.press.assets import load_assets
from linkpress.press.print_files import lay_out
from press_samples import typeset_in

MARKUP = (
    "\\) ( (( ) Tj ET Q endstream endobj", "<</S/JavaScript/JS(app.alert(1))>> <FEFF0041> %PDF-1.4",
    "</dc:title></rdf:RDF> ]]>&amp;&lt;<!-- <?xml?>", "<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>&e;",
    "<script>alert(1)</script> <para><b>b</b>", "%s %d C:\\x\\..\\y ../../../etc/passwd ~/x =SUM(A1)",
    "“Don’t” ‘stop’ \"now\" 'then'", "Zażółć gęślą jaźń – Ǻ ñ ü c\u00a0d", "1. *a* **b** # c",
    "\u0e07\u0e48\u0e32\u0e22",
)  # fmt: skip
_FOREIGN_KEYS = ("/JS", "/JavaScript", "/Launch", "/URI", "/AA", "/OpenAction", "/EmbeddedFile", "/RichMedia")
_LISTED = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}li"


def volume_with(**keys):
    document = {**samples.small_spec().document(), **keys}
    spec = BookSpec.model_validate(document)
    return replace(samples.small_volume(), spec=spec)


def volume_of(word):
    """A book with a text in every place that a text can have."""
    found = samples.small_spec().document()["levels"]
    named = [{**level, "name": f"{at} {word}"[:40].strip()} for at, level in enumerate(found)]
    volume = volume_with(
        title=word, subtitle=word, author=word, publisher=word, copyright=word, edition=word, levels=named,
        cover={"blurb": word}, front=[{"title": word, "text": word}], back=[{"text": word}],
        qr={"per": "section", "text": word},
    )  # fmt: skip
    levels = volume.spec.levels
    puzzles = [replace(one, level=level.name) for one, level in zip(volume.puzzles, levels, strict=True)]
    return replace(volume, puzzles=tuple(puzzles))


@pytest.mark.parametrize("word", MARKUP)
def test_a_text_is_a_text_in_every_file_of_a_book(word):
    """It comes out of Info and XMP as it went in, and nothing else came in with it."""
    wanted = unicodedata.normalize("NFC", word)
    files = typeset_in(volume_of(word), Path()).files
    assert set(files) == {"interior.pdf", "screen.pdf", "cover.pdf"}
    for content in files.values():
        with pikepdf.open(io.BytesIO(content)) as pdf:
            assert not pdf.get_warnings()
            assert str(pdf.docinfo["/Title"]).startswith(wanted)
            assert {key for one in pdf.objects for key in keys_of(one)}.isdisjoint(_FOREIGN_KEYS)
            if "/Metadata" in pdf.Root:
                described = ElementTree.fromstring(pdf.Root.Metadata.read_bytes())
                assert wanted in {one.text for one in described.iter(_LISTED)}


@pytest.mark.parametrize("word", MARKUP)
def test_a_text_is_a_text_in_every_image(word, tmp_path):
    volume = volume_with(title=word, author=word, copyright=word)
    (tmp_path / "volume.json").write_text(volume_json(volume), encoding="utf-8")
    image = image_settings(
        image_width(None, 2, None), 100, "gray", (ImageFormat.PNG, ImageFormat.SVG, ImageFormat.PDF), None
    )
    order = ExportOrder(image, (ImageKind.PUZZLE,), read_parts(["number"]), read_template("{number}-{what}"))
    written = write_images(read_puzzle_source(tmp_path), order, tmp_path / "out")
    assert {title_of(path) for path in written[:3]} == {f"{unicodedata.normalize('NFC', word)} 1"}


LETTERS = (
    "\U0001f600", "\U0001f468\u200d\U0001f469", "\u05d0", "\u4e2d", "\ufffe", "\ue000",
    "\u202e", "\u0300", "x\u20dd", "\x07", "\ud800", "☆", "\U0010ffff",
)  # fmt: skip


@pytest.mark.parametrize("key", ["title", "author", "edition", "front"])
@pytest.mark.parametrize("letter", LETTERS)
def test_a_character_that_can_not_be_set_is_named_with_its_place(letter, key):
    """By the spec or by the layout; it is never left out, and nothing stands in for it."""
    text = f"ab {letter} c"
    keys = {key: [{"text": text}] if key == "front" else text}
    named = rf"U\+{ord(letter[-1]):04X}" if letter != LETTERS[1] else "U\\+"
    with pytest.raises((ValueError, LayoutError), match=rf"(?s){key}.*{named}"):
        lay_out(volume := volume_with(**keys), load_assets(volume.spec, Path()))


def test_so_it_is_on_the_cover():
    with pytest.raises(LayoutError, match=r"blurb.*U\+1F600"):
        typeset_in(volume_with(cover={"blurb": "ab \U0001f600"}), Path())


@given(st.text(max_size=80) | st.sampled_from(nasty.WORDS))
def test_a_title_makes_a_folders_name_and_nothing_more(title):
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", slug(title))
    assert len(slug(title)) <= 80


PARTS = [*nasty.WORDS, *nasty.LETTERS, "{number}", "{what}", "{what}", "{date:%Y}", "/", "..", "x", "\\"]


@given(st.lists(st.sampled_from(PARTS), max_size=5))
@settings(max_examples=300)
def test_a_template_never_leads_out_of_the_folder(parts):
    try:
        template = read_template("".join(parts))
    except InvalidError:
        return
    name = template.name(NameFields(datetime.date(2026, 12, 1), 7, ImageKind.PUZZLE, 2, 600), ".png")
    assert Path("/srv/feed", name).resolve().is_relative_to("/srv/feed")
    assert not set(name) & set('\\\0\n:*?"<>|')


def keys_of(one):
    return [str(key) for key in one] if isinstance(one, pikepdf.Dictionary) else []


def title_of(path):
    """What an image says that it is called."""
    if path.suffix == ".svg":
        return next(one.text for one in ElementTree.parse(path).iter() if one.tag.endswith("title"))
    if path.suffix == ".pdf":
        with pikepdf.open(path) as pdf:
            return str(pdf.docinfo["/Title"])
    with Image.open(path) as image:
        return str(image.text["Title"])
