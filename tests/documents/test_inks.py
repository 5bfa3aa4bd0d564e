"""Inks as they are written, and palettes whose colours stay apart for all eyes, on paper and on screen."""

import io
import itertools
import math

import pypdfium2 as pdfium
import pytest
from reportlab.pdfgen.canvas import Canvas

from linkpress.book.cover_keys import CoverDesign
from linkpress.book.printing_keys import NumbersSpec
from linkpress.documents.inks import MOST_INK, PALETTES, ink_of_hex
from linkpress.documents.models import load_named, read_values
from linkpress.documents.problem import InvalidError
from linkpress.documents.shipped_files import COVERS

LEAST_APART = 12.0  # CIE76; some 2.3 can just be told apart side by side
# G. M. Machado, M. M. Oliveira, L. A. F. Fernandes, A physiologically-based model for simulation of color
# vision deficiency, IEEE TVCG 15 (2009), table 1, severity 1.0; on linear red, green and blue.
EYES = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
}


def linear(share):
    return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4


def lab(red, green, blue):
    """CIELAB under D65 of linear red, green and blue."""

    def bent(share):
        return share ** (1 / 3) if share > 216 / 24389 else (24389 / 27 * share + 16) / 116

    x = bent((0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047)
    y = bent(0.2126729 * red + 0.7151522 * green + 0.0721750 * blue)
    z = bent((0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def seen_by(eye, rgb):
    light = [linear(share) for share in rgb]
    mixed = (sum(a * b for a, b in zip(row, light, strict=True)) for row in EYES[eye])
    return lab(*(min(1.0, max(0.0, share)) for share in mixed))


def proofed(inks):
    """The mixes as PDFium shows them, which goes by a table of printed SWOP colours."""
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
    """Palettes of dots and answers, and those of covers with the ground that their lines lie on."""
    found = dict(PALETTES)
    for name in COVERS.names():
        for place, palette in enumerate(load_named(name, COVERS, CoverDesign).palettes, 1):
            found[f"{name} {place}"] = tuple(dict.fromkeys([palette.ground, *palette.lines]))
    return found


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("name", palettes())
def test_no_two_colours_of_a_palette_come_near_each_other(name, eye):
    inks = palettes()[name]
    for colours in ([ink.rgb for ink in inks], proofed(inks)):
        seen = [seen_by(eye, rgb) for rgb in colours]
        nearest = min(math.dist(a, b) for a, b in itertools.combinations(seen, 2))
        assert nearest >= LEAST_APART


def test_colours_that_are_alike_to_a_protanope_would_be_found():
    red, olive = (seen_by("protanopia", rgb) for rgb in ((0.42, 0.33, 0.0), (0.0, 0.35, 0.0)))
    assert math.dist(red, olive) < LEAST_APART


def test_the_default_palette_has_twelve_colours_that_presses_hold():
    inks = PALETTES["twelve"]
    assert len({ink.shares for ink in inks}) == 12
    for ink in inks:
        assert sum(ink.shares) <= MOST_INK
        assert min(share for share in ink.shares if share) >= 0.1


def test_a_screen_colour_becomes_a_mix_and_stays_itself_on_screens():
    ink = ink_of_hex("#0072B2")
    assert ink.rgb == pytest.approx((0, 0x72 / 255, 0xB2 / 255))
    assert ink.shares == pytest.approx((1.0, 0.36, 0.0, 0.302), abs=0.001)
    assert sum(ink_of_hex("#00000A").shares) <= MOST_INK + 0.001


def test_a_grey_screen_colour_is_black_alone():
    assert ink_of_hex("#808080").is_grey


@pytest.mark.parametrize("palette", ["twelve", ["K50", [0, 50, 100, 0], "#0072B2"]])
def test_a_palette_reads_back_as_it_was_written(palette):
    spec = read_values({"style": "dots", "palette": palette}, NumbersSpec)
    assert spec.model_dump(mode="json", exclude_none=True)["palette"] == palette


@pytest.mark.parametrize(
    ("palette", "fault"),
    [
        ("rainbow", "okabe-ito or twelve"),
        (["K50"], "1 inks"),
        (["K50", "K50"], "the same ink twice"),
        (["K50", "#12"], r"#12"),
    ],
)
def test_what_is_no_palette_is_told(palette, fault):
    with pytest.raises(InvalidError, match=fault):
        read_values({"style": "dots", "palette": palette}, NumbersSpec)


def test_keys_of_dots_need_dots():
    with pytest.raises(InvalidError, match="only `style: dots` has this"):
        read_values({"style": "circled", "show_numbers": "no"}, NumbersSpec)
