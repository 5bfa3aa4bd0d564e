"""Pictures converted to printing inks."""

import io

import pytest
from PIL import Image

from linkpress.documents.inks import MOST_INK, difference, ink_of_hex
from linkpress.layout.frame import Photo
from linkpress.render.photos import prepared


def mixed(image):
    content = io.BytesIO()
    image.save(content, "PNG")
    width, height = image.size
    return prepared(Photo((0, 0, width, height), content.getvalue()), mixed=True)


@pytest.mark.parametrize("colour", ["#1D3557", "#E63946", "#F1FAEE", "#2A9D8F", "#FFB703", "#3A0000"])
def test_a_colour_in_a_picture_has_the_inks_of_the_same_colour_in_a_theme(colour):
    inks = [share / 255 for share in mixed(Image.new("RGB", (4, 4), colour)).getpixel((0, 0))]
    assert inks == pytest.approx(ink_of_hex(colour).shares, abs=0.012)
    assert sum(inks) <= MOST_INK
    if sum(ink_of_hex(colour).shares) < MOST_INK - 0.01:  # what is over the limit can't keep its colour
        cyan, magenta, yellow, black = inks
        printed = tuple((1 - share) * (1 - black) for share in (cyan, magenta, yellow))
        assert difference(printed, ink_of_hex(colour).rgb) < 2


def test_greys_in_a_coloured_picture_are_printed_in_black_alone():
    ramp = Image.new("RGB", (257, 1), "red")
    for level in range(256):
        ramp.putpixel((level, 0), (level, level, level))
    printed = mixed(ramp)
    assert [printed.getpixel((level, 0)) for level in range(256)] == [
        (0, 0, 0, 255 - level) for level in range(256)
    ]


def test_a_ramp_of_a_colour_gets_steadily_darker():
    ramp = Image.new("RGB", (200, 1))
    for level in range(200):
        ramp.putpixel((level, 0), (29 * level // 200, 53 * level // 200, 255 * level // 200))
    printed = mixed(ramp)
    blacks = [printed.getpixel((level, 0))[3] for level in range(200)]
    assert blacks == sorted(blacks, reverse=True)
    assert len(set(blacks)) == 200
