import struct

import pytest
import uharfbuzz

from linkpress.book.printing_keys import FontsSpec, ThaiFace
from linkpress.documents.models import read_values
from linkpress.documents.problem import InvalidError
from linkpress.errors import InstallationError, UsageError
from linkpress.layout.frame import FontKey
from linkpress.layout.text_flow import font_for, set_text
from linkpress.render import fonts
from linkpress.render.fonts import FontMeasure, OwnFont, ShippedFont, clusters, font_runs
from linkpress.resources import resource

MEASURE = FontMeasure()
THAI = ("fonts", "ibm-plex-sans-thai", "IBMPlexSansThai-Regular.ttf")


@pytest.mark.parametrize("size_pt", [12.0, 24.0])
def test_a_thai_vowel_above_the_first_letter_stays_in_the_margins(size_pt, tmp_path):
    measure = FontMeasure(fonts.load_faces(None, tmp_path, looped=True), "th")
    run = set_text("วิธีเล่น", (36.0, 0.0), FontKey.SEMIBOLD, size_pt, measure)
    ink_left = run.x + measure.ink(run.text, FontKey.SEMIBOLD, size_pt).left
    assert 35.5 < ink_left < 36.0
    assert set_text("ลาก", (36.0, 0.0), FontKey.SEMIBOLD, size_pt, measure).x == 36.0


def test_figures_are_tabular():
    widths = {MEASURE.width(digit, FontKey.SEMIBOLD, 10.0) for digit in "0123456789"}
    assert widths == {6.0}  # 600 of 1000 units


def test_ink_is_the_outline_s_own_box():
    # IBM Plex Sans SemiBold, "1": from 40 to 572 and from 0 to 698 of 1000 units.
    assert MEASURE.ink("1", FontKey.SEMIBOLD, 10.0) == pytest.approx((0.4, 0.0, 5.72, 6.98))


@pytest.mark.parametrize("text", ["", " "])
def test_text_without_ink_has_an_empty_box(text):
    assert MEASURE.ink(text, FontKey.REGULAR, 10.0) == (0, 0, 0, 0)


def test_missing_glyphs_and_characters_at_private_use_codes_are_named_once_in_order():
    assert MEASURE.missing("a☃b☆☃", FontKey.REGULAR) == "☃☆"
    assert MEASURE.missing("×–·©“”é\u00a0", FontKey.REGULAR) == ""
    assert MEASURE.missing("a\uffff\uf6d7", FontKey.REGULAR) == "\uffff\uf6d7"


FILES = fonts.SHIPPED.files[FontKey.REGULAR]
PLEX_FILE, THAI_FILE = ShippedFont.PLEX, ShippedFont.PLEX_THAI


@pytest.mark.parametrize("text", ["Ünïçødé – 7 × 9", "Σύνδεσε τους αριθμούς", "Соедини числа"])
def test_letters_of_europe_are_set_side_by_side_in_one_font(text):
    assert font_runs(text, FILES) == ((text, PLEX_FILE, ""),)
    advances = sum(MEASURE.width(letter, FontKey.REGULAR, 10.0) for letter in text)
    assert MEASURE.width(text, FontKey.REGULAR, 10.0) == pytest.approx(advances)


def test_a_line_is_set_in_the_first_font_that_has_all_of_it_or_in_several():
    assert font_runs("หน้า 12", FILES) == (("หน้า 12", THAI_FILE, "Thai"),)
    assert font_runs("Link หน้า", FILES) == (("Link ", THAI_FILE, ""), ("หน้า", THAI_FILE, "Thai"))
    parts = [("Café ", PLEX_FILE, ""), ("น้ำ 7 ", THAI_FILE, "Thai"), ("й", PLEX_FILE, "")]
    assert list(font_runs("Café น้ำ 7 й", FILES)) == parts


@pytest.mark.parametrize(
    ("text", "glyphs"),
    [
        ("ที่", ["uni0E17", "uni0E35", "uni0E48.small"]),  # the tone above the vowel, in its small form
        ("น้ำ", ["uni0E19", "uni0E4D", "uni0E49.small", "uni0E32"]),  # sara am: its circle below the tone
        ("ฐู", ["uni0E10.less", "uni0E39"]),  # a letter loses its foot to the vowel below
        ("ป่", ["uni0E1B", "uni0E48.narrow"]),  # beside the tall stroke
    ],
)
def test_thai_marks_are_stacked_by_the_font_s_own_rules(text, glyphs):
    (part,) = font_runs(text, FILES)
    (cluster,) = clusters(part)
    names = uharfbuzz.Font(uharfbuzz.Face(uharfbuzz.Blob.from_file_path(resource(*THAI)))).glyph_to_string
    assert cluster.text == text
    assert [names(glyph.number) for glyph in cluster.glyphs] == glyphs


def test_joiners_need_no_glyph_and_take_no_room():
    assert MEASURE.missing("ก\u200bก\u2060x\u200d", FontKey.REGULAR) == ""
    wide = MEASURE.width("กก", FontKey.REGULAR, 10.0)
    assert MEASURE.width("ก\u200bก\u2060", FontKey.REGULAR, 10.0) == wide


SHIPPED = resource("fonts", "ibm-plex-sans", "IBMPlexSans-Regular.ttf").read_bytes()
DAMAGED = {
    "empty": b"", "a header alone": SHIPPED[:100], "half of it": SHIPPED[: len(SHIPPED) // 2],
    "all but the end": SHIPPED[:-2000], "text": b"not a font" * 1000,
    "PostScript outlines": b"OTTO" + SHIPPED[4:],
    "two words swapped, so that all sums agree": SHIPPED[:-8] + SHIPPED[-4:] + SHIPPED[-8:-4],
    "one bit": SHIPPED[:90_000] + bytes([SHIPPED[90_000] ^ 1]) + SHIPPED[90_001:],
}  # fmt: skip


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """A font file in place of the shipped one."""
    path = tmp_path / "font.ttf"
    monkeypatch.setattr(fonts, "resource", lambda *parts: path)
    fonts.font.cache_clear()
    yield path
    fonts.font.cache_clear()


@pytest.mark.parametrize("content", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_font_is_a_damaged_installation(installed, content):
    installed.write_bytes(content)
    with pytest.raises(InstallationError, match=r"^the font .*font\.ttf can't be used: it is damaged .*pip "):
        fonts.font(ShippedFont.PLEX)


@pytest.mark.parametrize("name", ShippedFont)
def test_every_shipped_font_is_the_file_that_its_checksum_is_of(name):
    assert fonts.font.__wrapped__(name).fontName == name.value


def test_a_folder_in_a_fonts_place_is_a_damaged_installation(installed):
    installed.mkdir()
    with pytest.raises(InstallationError, match=r"font\.ttf can't be used: Is a directory"):
        fonts.font(ShippedFont.PLEX)


PLEX = resource("fonts", "ibm-plex-sans", "IBMPlexSans-Regular.ttf")
PLEX_STRONG = resource("fonts", "ibm-plex-sans", "IBMPlexSans-SemiBold.ttf")


def with_rights(folder, rights):
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
def test_fonts_that_may_be_embedded_are_accepted(rights, tmp_path):
    own = fonts.book_faces({"regular": with_rights(tmp_path, rights), "semibold": PLEX_STRONG})
    measure = FontMeasure(own)
    assert measure.width("Links", FontKey.REGULAR, 10.0) == MEASURE.width("Links", FontKey.REGULAR, 10.0)
    assert measure.width("Links", FontKey.SEMIBOLD, 10.0) == MEASURE.width("Links", FontKey.SEMIBOLD, 10.0)
    assert measure.missing("ab", FontKey.ITALIC) == "ab"  # there is none


def test_the_user_s_regular_font_also_replaces_the_shipped_italic():
    for faces in (fonts.SHIPPED, fonts.book_faces({"semibold": PLEX_STRONG})):
        assert faces.files[FontKey.ITALIC] == (ShippedFont.PLEX_ITALIC,)
    assert FontKey.ITALIC not in fonts.book_faces({"regular": PLEX, "fallback": PLEX_STRONG}).files
    assert MEASURE.missing("Émile, λόγος, слово", FontKey.ITALIC) == ""
    assert font_for("คำ", FontKey.ITALIC, MEASURE, "text") is FontKey.SEMIBOLD  # there are no Thai italics


def test_a_semibold_fallback_goes_before_the_plain_one_in_semibold_alone(tmp_path):
    strong, plain = with_rights(tmp_path, 4), with_rights(tmp_path, 8)
    faces = fonts.book_faces({"fallback": plain, "fallback_semibold": strong})
    paths = {
        key: [one.path.name for one in files[-2:] if isinstance(one, OwnFont)]
        for key, files in faces.files.items()
    }
    assert paths == {
        FontKey.REGULAR: ["rights-8.ttf"],
        FontKey.SEMIBOLD: ["rights-4.ttf", "rights-8.ttf"],
        FontKey.ITALIC: ["rights-8.ttf"],
    }


@pytest.mark.parametrize(
    ("rights", "why"),
    [
        (2, r"forbids embedding \(a restricted licence; fsType"),
        (0x200, r"forbids embedding \(bitmaps only; fsType"),
        (0x108, r"as a whole only \(no subsets; fsType 0x0108\)\. Set fonts\.embed to full"),
    ],
)
def test_fonts_that_forbid_embedding_are_refused_with_the_reason(rights, why, tmp_path):
    with pytest.raises(UsageError, match=rf"fonts\.regular: .* {why}"):
        fonts.book_faces({"regular": with_rights(tmp_path, rights)})


def test_a_font_that_forbids_subsets_can_be_embedded_as_a_whole(tmp_path):
    faces = fonts.book_faces({"regular": with_rights(tmp_path, 0x108)}, full=True)
    assert FontMeasure(faces).missing("Links", FontKey.REGULAR) == ""


@pytest.mark.parametrize(
    ("content", "why"),
    [(b"OTTO" + bytes(200), "has PostScript outlines"), (b"no font", "can't be used as a TrueType font")],
)
def test_a_file_that_is_no_truetype_font_is_refused(content, why, tmp_path):
    path = tmp_path / "own.ttf"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=rf"fonts\.italic: own\.ttf {why}"):
        fonts.book_faces({"regular": PLEX, "italic": path})


def test_a_missing_font_is_reported_with_its_key(tmp_path):
    with pytest.raises(UsageError, match=r"fonts\.semibold: .*none\.ttf can't be read"):
        fonts.book_faces({"regular": PLEX, "semibold": tmp_path / "none.ttf"})


@pytest.mark.parametrize(
    ("thai", "easy", "loops"),
    [
        (None, False, False),
        (None, True, True),
        (ThaiFace.LOOPED, False, True),
        (ThaiFace.LOOPLESS, True, False),
    ],
)
def test_thai_letters_have_loops_where_asked_and_in_books_for_weak_eyes(thai, easy, loops, tmp_path):
    faces = fonts.load_faces(FontsSpec(thai=thai) if thai else None, tmp_path, easy)
    (piece,) = font_runs("หน้า", faces.files[FontKey.SEMIBOLD])
    assert piece[1] is (ShippedFont.PLEX_THAI_LOOPED_SEMIBOLD if loops else ShippedFont.PLEX_THAI_SEMIBOLD)


def test_a_choice_of_thai_faces_that_are_not_used_is_refused():
    with pytest.raises(InvalidError, match=r"your regular font is used for Thai letters too"):
        read_values({"regular": "a.ttf", "thai": "looped"}, FontsSpec)


def with_tables(content, more):
    """A font file with further tables."""
    count = struct.unpack(">H", content[4:6])[0]
    tables = {}
    for index in range(count):
        tag, _, offset, length = struct.unpack(">4sIII", content[12 + 16 * index : 28 + 16 * index])
        tables[tag] = content[offset : offset + length]
    tables |= more
    header, body = struct.pack(">IHHHH", 0x10000, len(tables), 128, 3, 0), b""
    for tag, table in sorted(tables.items()):
        header += struct.pack(">4sIII", tag, 0, 12 + 16 * len(tables) + len(body), len(table))
        body += table + bytes(-len(table) % 4)
    return header + body


def variable_font(path, low, high):
    """Plex as a variable font whose outlines are the same in all weights."""
    content = resource("fonts", "ibm-plex-sans", "IBMPlexSans-Regular.ttf").read_bytes()
    count = uharfbuzz.Face(uharfbuzz.Blob(content)).glyph_count
    weights = (round(65536 * weight) for weight in (low, min(max(low, 400), high), high))
    axes = struct.pack(">8H", 1, 0, 16, 2, 1, 20, 0, 8) + struct.pack(">4siiiHH", b"wght", *weights, 0, 256)
    after = 20 + 2 * (count + 1)
    deltas = struct.pack(">HHHHIHHI", 1, 0, 1, 0, after, count, 0, after) + bytes(2 * (count + 1))
    path.write_bytes(with_tables(content, {b"fvar": axes, b"gvar": deltas}))
    return path


def weight_of(file):
    table = fonts.font(file).face.get_table("OS/2")
    return struct.unpack(">H", table[4:6])[0]


def test_a_variable_font_is_printed_in_the_weight_of_each_key(tmp_path):
    path = variable_font(tmp_path / "v.ttf", 100, 900)
    for given in ({"regular": path}, {"regular": path, "semibold": path}):
        files = fonts.book_faces(given).files
        ((regular,), (semibold,)) = files[FontKey.REGULAR], files[FontKey.SEMIBOLD]
        assert (weight_of(regular), weight_of(semibold)) == (400, 600)
        assert not fonts.shaper(semibold)[0].face.has_var_data
    files = fonts.book_faces({"fallback_semibold": path}).files
    assert weight_of(files[FontKey.SEMIBOLD][-1]) == 600


def test_a_variable_font_without_a_semibold_weight_is_refused_with_the_reason(tmp_path):
    path = variable_font(tmp_path / "light.ttf", 100, 500)
    with pytest.raises(UsageError, match=r"light\.ttf has weights up to 500 only, and 600 is needed"):
        fonts.book_faces({"semibold": path})
    (semibold,) = fonts.book_faces({"regular": path}).files[FontKey.SEMIBOLD]
    assert weight_of(semibold) == 500  # the nearest that it has
