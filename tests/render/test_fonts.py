import struct
from pathlib import Path

import pytest

from linkpress.errors import InstallationError, UsageError
from linkpress.layout.frame import FontKey
from linkpress.render import fonts
from linkpress.render.fonts import FontMeasure, css_font
from linkpress.resources import resource

MEASURE = FontMeasure()


def test_figures_are_tabular() -> None:
    widths = {MEASURE.width(digit, FontKey.SEMIBOLD, 10.0) for digit in "0123456789"}
    assert widths == {6.0}  # 600 of 1000 units


def test_ink_is_the_outline_s_own_box() -> None:
    # IBM Plex Sans SemiBold, "1": from 40 to 572 and from 0 to 698 of 1000 units.
    assert MEASURE.ink("1", FontKey.SEMIBOLD, 10.0) == pytest.approx((0.4, 0.0, 5.72, 6.98))


def test_ink_of_a_word_spans_all_its_letters() -> None:
    box = MEASURE.ink("11", FontKey.SEMIBOLD, 10.0)
    assert (box.left, box.right) == pytest.approx((0.4, 6.0 + 5.72))


@pytest.mark.parametrize("text", ["", " "])
def test_what_has_no_ink_has_an_empty_box(text: str) -> None:
    assert MEASURE.ink(text, FontKey.REGULAR, 10.0) == (0, 0, 0, 0)


def test_missing_glyphs_are_named_once_in_order() -> None:
    assert MEASURE.missing("a☃b☆☃", FontKey.REGULAR) == "☃☆"
    assert MEASURE.missing("×–·©“”é\u00a0", FontKey.REGULAR) == ""


def test_signs_at_codes_that_are_nobodys_letters_count_as_missing() -> None:
    assert MEASURE.missing("a\uffff\uf6d7", FontKey.REGULAR) == "\uffff\uf6d7"


@pytest.mark.parametrize("key", list(fonts.SHIPPED))
def test_every_face_is_there_and_measures(key: FontKey) -> None:
    assert MEASURE.width("Link", key, 10.0) > 15
    family = "IBM Plex Sans Thai" if "Thai" in key else "IBM Plex Sans"
    assert css_font(key) == (family, "600" if "SemiBold" in key else "400")


SHIPPED = resource("fonts", "ibm-plex-sans", "IBMPlexSans-Regular.ttf").read_bytes()
DAMAGED = {
    "empty": b"",
    "a header alone": SHIPPED[:100],
    "half of it": SHIPPED[: len(SHIPPED) // 2],
    "all but the end": SHIPPED[:-2000],
    "text": b"not a font" * 1000,
    "PostScript outlines": b"OTTO" + SHIPPED[4:],
    "one bit": SHIPPED[:90_000] + bytes([SHIPPED[90_000] ^ 1]) + SHIPPED[90_001:],
}


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """A font file in place of the shipped one."""
    path = tmp_path / "font.ttf"
    monkeypatch.setattr(fonts, "resource", lambda *parts: path)
    fonts.font.cache_clear()
    yield path
    fonts.font.cache_clear()


@pytest.mark.parametrize("content", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_font_is_a_damaged_installation(installed, content) -> None:
    installed.write_bytes(content)
    with pytest.raises(InstallationError, match=r"^the font .*font\.ttf can't be used: it is damaged .*pip "):
        fonts.font(FontKey.REGULAR)


def test_a_folder_in_a_fonts_place_is_a_damaged_installation(installed) -> None:
    installed.mkdir()
    with pytest.raises(InstallationError, match=r"font\.ttf can't be used: Is a directory"):
        fonts.font(FontKey.REGULAR)


PLEX = resource("fonts", "ibm-plex-sans", "IBMPlexSans-Regular.ttf")
PLEX_STRONG = resource("fonts", "ibm-plex-sans", "IBMPlexSans-SemiBold.ttf")


def with_rights(folder: Path, rights: int) -> Path:
    """Plex Sans with another fsType, at offset 8 of its table OS/2."""
    content = bytearray(PLEX.read_bytes())
    count = struct.unpack(">H", content[4:6])[0]
    records = (content[12 + 16 * at : 28 + 16 * at] for at in range(count))
    (start,) = (struct.unpack(">I", record[8:12])[0] for record in records if record[:4] == b"OS/2")
    content[start + 8 : start + 10] = struct.pack(">H", rights)
    path = folder / f"rights-{rights}.ttf"
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("rights", [0, 4, 8])
def test_fonts_that_may_be_embedded_are_taken(rights: int, tmp_path: Path) -> None:
    own = fonts.own_faces(with_rights(tmp_path, rights), PLEX_STRONG, None)
    measure = FontMeasure(own)
    assert measure.width("Links", FontKey.REGULAR, 10.0) == MEASURE.width("Links", FontKey.REGULAR, 10.0)
    assert measure.width("Links", FontKey.SEMIBOLD, 10.0) == MEASURE.width("Links", FontKey.SEMIBOLD, 10.0)
    assert measure.missing("ab", FontKey.ITALIC) == "ab"  # there is none


@pytest.mark.parametrize(
    ("rights", "why"), [(2, "a restricted licence"), (0x108, "no subsets"), (0x200, "bitmaps only")]
)
def test_fonts_that_forbid_embedding_are_refused_with_the_reason(
    rights: int, why: str, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match=rf"fonts\.regular: .* forbids embedding \({why}; fsType"):
        fonts.own_faces(with_rights(tmp_path, rights), None, None)


@pytest.mark.parametrize(
    ("content", "why"),
    [(b"OTTO" + bytes(200), "has PostScript outlines"), (b"no font", "can't be used as a TrueType font")],
)
def test_what_is_no_truetype_font_is_refused(content: bytes, why: str, tmp_path: Path) -> None:
    path = tmp_path / "own.ttf"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=rf"fonts\.italic: own\.ttf {why}"):
        fonts.own_faces(PLEX, None, path)


def test_a_font_that_is_not_there_is_told_with_its_key(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"fonts\.semibold: .*none\.ttf can't be read"):
        fonts.own_faces(PLEX, tmp_path / "none.ttf", None)
