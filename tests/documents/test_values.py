import datetime
import io
import itertools
import math
from fractions import Fraction
from typing import Annotated

import pypdfium2 as pdfium
import pytest
from pydantic import TypeAdapter, ValidationError
from reportlab.pdfgen.canvas import Canvas

from linkpress.book.printing_keys import CoverDesign, NumbersSpec
from linkpress.documents.inks import MOST_INK, PALETTES, ink_of_hex, press_safe
from linkpress.documents.models import load_named, read_values
from linkpress.documents.problem import InvalidError, printable
from linkpress.documents.shipped_files import COVERS
from linkpress.documents.values import (
    Date,
    Share,
    Size,
    YesNo,
    line_of_text,
    millimetres,
    one_of,
    paragraphs,
    parse_length,
    parse_size,
    percent_text,
    whole_number,
)
from linkpress.engine.recipe import Rule


def read(kind, value):
    return TypeAdapter(kind).validate_python(value)


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        (Annotated[str, line_of_text(20)], " Numberlink 🎲 ", "Numberlink 🎲"),
        (Annotated[str, line_of_text(20)], "u\u0308", "ü"),
        (Annotated[str, line_of_text(20)], "👩\u200d🔬\ufe0f", "👩\u200d🔬\ufe0f"),
        (Annotated[str, line_of_text(20)], "\ufeffNumber\u200b Li\u200dnk\u200b", "Number Link"),
        (Annotated[str, line_of_text(20)], "ไทย\u200bไทย\u2060", "ไทย\u200bไทย"),
        (Annotated[str, line_of_text(20)], "Nu\u034fm\ufe0fb\u200ee\U000e0041r\u3164s\u061c", "Numbers"),
        (Annotated[str, line_of_text(20)], "葛\U000e0100飾 ᠠ\u180b", "葛\U000e0100飾 ᠠ\u180b"),
        (Annotated[str, paragraphs(20)], "\ufeffone\u200b\n\u200ctwo", "one\ntwo"),
        (Annotated[str, line_of_text(20)], 1984, "1984"), (Annotated[str, line_of_text(20)], "No", "No"),
        (Annotated[str, paragraphs(20)], "one\r\ntwo", "one\ntwo"),
        (Annotated[int, whole_number(1, 40)], "40", 40),
        (Annotated[int, whole_number(1, 40)], 7, 7), (Annotated[float, millimetres(3, 40)], "5.5 mm", 5.5),
        (Annotated[float, millimetres(3, 40)], 6, 6.0),
        (Annotated[Rule, one_of(Rule)], "Strict", Rule.STRICT), (YesNo, "no", False), (YesNo, "TRUE", True),
        (YesNo, True, True), (Date, "2026-11-20", datetime.date(2026, 11, 20)),
        (Date, datetime.date(2026, 11, 20), datetime.date(2026, 11, 20)), (Share, "12.5%", Fraction(1, 8)),
        (Share, Fraction(2, 5), Fraction(2, 5)), (Share, "0%", Fraction(0)),
    ],
)  # fmt: skip
def test_a_valid_value_is_read(kind, value, expected):
    assert read(kind, value) == expected


@pytest.mark.parametrize(
    ("kind", "value", "message"),
    [
        (Annotated[str, line_of_text(5)], "longer", "6 characters — at most 5"),
        (Annotated[str, line_of_text(5)], " ", "nothing — text, up to 5 characters, is needed"),
        (Annotated[str, line_of_text(5)], "\u3164 \U000e0020", "this text is invisible in print"),
        (Annotated[str, line_of_text(5)], "\u2800", "this text is invisible in print"),
        (Annotated[str, paragraphs(5)], "\u200b\n\u200d", "this text is invisible in print"),
        (Annotated[str, line_of_text(5)], ["a"], "a list — text"),
        (Annotated[str, line_of_text(5)], {"a": 1}, "a mapping — text"),
        (Annotated[str, line_of_text(5)], "a\nb", "U+000A can't be printed"),
        (Annotated[str, line_of_text(5)], "a\ud800", "U+D800 can't be printed"),
        (Annotated[str, line_of_text(5)], "a\u202eb", "U+202E can't be printed"),
        (Annotated[str, line_of_text(5)], "a\ufffe", "U+FFFE can't be printed"),
        (Annotated[int, whole_number(1, 40)], "41", "a whole number from 1 to 40"),
        (Annotated[int, whole_number(1, 40)], "7.0", "a whole number from 1 to 40"),
        (Annotated[int, whole_number(1, 40)], "9" * 5000, "a whole number from 1 to 40"),
        (Annotated[int, whole_number(1, 40)], "٣", "a whole number from 1 to 40"),
        (Annotated[int, whole_number(1, 40)], True, "yes — a whole number"),
        (Annotated[float, millimetres(3, 40)], float("inf"), "millimetres from 3 to 40"),
        (Annotated[Rule, one_of(Rule)], "loose", "filled, strict or untouching is allowed"),
        (YesNo, "maybe", "yes or no is allowed"),
        (Date, "2026-02-30", "a date of the calendar"),
        (Share, "0.4", "write 40% for that share"),
        (Share, "140%", "from 0% to 100%"),
    ],
)
def test_an_invalid_value_is_refused(kind, value, message):
    with pytest.raises(ValidationError, match=r"\d validation error") as caught:
        read(kind, value)
    assert message in str(caught.value.errors()[0]["ctx"]["error"])


def test_a_share_is_written_as_it_is_read():
    assert percent_text(Fraction(1, 8)) == "12.5%"


def test_long_runs_of_combining_marks_are_refused():
    """Normalizing a million marks of two kinds in turn would take minutes."""
    for kind in (line_of_text(200), paragraphs(20_000)):
        with pytest.raises(ValidationError, match=r"more than 30 marks on one letter, as U\+0301"):
            read(Annotated[str, kind], "a" + "\u0301\u0316" * 100)
        with pytest.raises(ValidationError, match="characters — at most"):
            read(Annotated[str, kind], "\u0301\u0316" * 500_000)


def test_the_length_of_a_text_is_counted_after_normalizing():
    assert read(Annotated[str, line_of_text(3)], "u\u0308\u0304" * 3) == "\u01d6" * 3


def test_lengths_and_sizes_are_read_with_their_units():
    assert parse_length("0.375in") == 27
    assert parse_length("25.4 mm") == 72
    assert parse_size("6x9in") == Size(432, 648)
    assert parse_size("A4").same_as(Size(595.28, 841.89))
    assert parse_size("Letter") == Size(612, 792)


@pytest.mark.parametrize("text", ["6", "6 9in", "in", "-1in", "1e3in", "६in", "9" * 40 + "in"])
def test_an_invalid_length_is_refused_with_an_example(text):
    with pytest.raises(ValueError, match=r"0\.375in"):
        parse_length(text)


@pytest.mark.parametrize("text", ["8.5x11", "8.5inx11mm", "A9", "6x9in x"])
def test_an_invalid_page_size_is_refused_with_an_example(text):
    with pytest.raises(ValueError, match="is not a page size: write width x height and a unit"):
        parse_size(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ünï 🎲", "Ünï 🎲"), ("a\u202eb", r"a\u202eb"), ("\x1b[31m\n", r"\x1b[31m\n"),
        ("\U000e0001", r"\U000e0001"), ("\ud800", r"\ud800"), ("x" * 61, "x" * 59 + "…"),
    ],
)  # fmt: skip
def test_control_characters_in_a_quoted_text_are_escaped(text, expected):
    assert printable(text) == expected


LEAST_DIFFERENCE = 12.0  # CIE76; a difference of 2.3 is just visible side by side
# G. M. Machado, M. M. Oliveira, L. A. F. Fernandes, A physiologically-based model for simulation of color
# vision deficiency, IEEE TVCG 15 (2009), table 1, severity 1.0, for linear red, green and blue.
EYES = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881),
    ),
}  # fmt: skip


def lab(red, green, blue):
    """Convert linear red, green and blue to CIELAB under D65."""

    def bent(share):
        return share ** (1 / 3) if share > 216 / 24389 else (24389 / 27 * share + 16) / 116

    x = bent((0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047)
    y = bent(0.2126729 * red + 0.7151522 * green + 0.0721750 * blue)
    z = bent((0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def seen_by(eye, rgb):
    """Return the CIELAB colour that somebody with normal or impaired colour vision sees."""
    light = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in rgb]
    mixed = (sum(a * b for a, b in zip(row, light, strict=True)) for row in EYES[eye])
    return lab(*(min(1.0, max(0.0, share)) for share in mixed))


def proofed(inks):
    """Return the screen colours that PDFium shows for inks, from its table of printed SWOP colours."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(10 * len(inks), 10))
    for at, ink in enumerate(inks):
        canvas.setFillColorCMYK(*ink.shares)
        canvas.rect(10 * at, 0, 10, 10, stroke=0, fill=1)
    canvas.save()
    image = pdfium.PdfDocument(buffer.getvalue())[0].render(scale=1).to_pil().convert("RGB")
    pixels = (image.getpixel((10 * at + 5, 5)) for at in range(len(inks)))
    return [(red / 255, green / 255, blue / 255) for red, green, blue in pixels]


def palettes():
    """Return the palettes of dots and answers, and those of all cover designs together with their ground."""
    by_name = dict(PALETTES)
    for name in COVERS.names():
        for place, palette in enumerate(load_named(name, COVERS, CoverDesign).palettes, 1):
            by_name[f"{name} {place}"] = tuple(dict.fromkeys([palette.ground, *palette.lines]))
    return by_name


@pytest.mark.parametrize("eye", EYES)
def test_any_two_colours_of_a_palette_can_be_told_apart(eye):
    for name, inks in palettes().items():
        for colours in ([ink.rgb for ink in inks], proofed(inks)):
            seen = [seen_by(eye, rgb) for rgb in colours]
            pairs = (math.dist(a, b) for a, b in itertools.combinations(seen, 2))
            nearest = min(pairs, default=math.inf)  # a design for a photograph has a single colour
            assert nearest >= LEAST_DIFFERENCE, name


def test_colours_that_look_alike_to_a_protanope_are_detected():
    red, olive = (seen_by("protanopia", rgb) for rgb in ((0.42, 0.33, 0.0), (0.0, 0.35, 0.0)))
    assert math.dist(red, olive) < LEAST_DIFFERENCE


def test_presses_hold_the_twelve_colours_of_the_default_palette():
    inks = PALETTES["twelve"]
    assert len({ink.shares for ink in inks}) == 12
    for ink in inks:
        assert sum(ink.shares) <= MOST_INK
        assert min(share for share in ink.shares if share) >= 0.1


def test_a_screen_colour_is_mixed_from_inks_and_kept_for_screens():
    ink = ink_of_hex("#0072B2")
    assert ink.rgb == pytest.approx((0, 0x72 / 255, 0xB2 / 255))
    assert ink.shares == pytest.approx((1.0, 0.36, 0.0, 0.302), abs=0.001)
    assert sum(ink_of_hex("#00000A").shares) <= MOST_INK + 0.001


@pytest.mark.parametrize(
    ("given", "printed"), [("#F4F4F0", "#ecece6"), ("#FAFAF8", "#ffffff"), ("#E5F0FF", "#e5f0ff")]
)
def test_a_tint_is_made_printable_in_rgb_too(given, printed):
    assert press_safe(ink_of_hex(given)).hex == printed
    assert ink_of_hex("#808080").is_grey


@pytest.mark.parametrize("palette", ["twelve", ["K50", [0, 50, 100, 0], "#0072B2"]])
def test_a_palette_is_written_as_it_was_given(palette):
    spec = read_values({"style": "dots", "palette": palette}, NumbersSpec)
    assert spec.model_dump(mode="json", exclude_none=True)["palette"] == palette


@pytest.mark.parametrize(
    ("palette", "message"),
    [
        ("rainbow", "okabe-ito or twelve"), (["K50"], "1 inks"), (["K50", "K50"], "the same ink twice"),
        (["K50", "#12"], "#12"),
    ],
)  # fmt: skip
def test_an_invalid_palette_is_refused(palette, message):
    with pytest.raises(InvalidError, match=message):
        read_values({"style": "dots", "palette": palette}, NumbersSpec)


def test_keys_for_dots_need_dots():
    with pytest.raises(InvalidError, match="only `style: dots` has this"):
        read_values({"style": "circled", "show_numbers": "no"}, NumbersSpec)
