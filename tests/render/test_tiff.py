import io

import pytest
from PIL import Image

from linkpress.render.tiff import tiff_bytes


def test_black_and_white_is_coded_as_group_4_with_its_resolution():
    drawn = Image.new("1", (300, 200), 1)
    drawn.paste(0, (10, 20, 30, 40))
    texts = {"Title": "Links", "Keywords": "number 7", "Seed": "left out"}
    read = Image.open(io.BytesIO(tiff_bytes(drawn, 600, texts)))
    assert (read.info["compression"], read.info["dpi"]) == ("group4", (600, 600))
    assert (read.tag_v2[270], read.tag_v2[269]) == ("Links", "number 7")
    assert read.tobytes() == drawn.tobytes()


def test_texts_beyond_ascii_are_kept_as_utf_8():
    assert "© Ängström".encode() in tiff_bytes(Image.new("1", (8, 8)), 600, {"Copyright": "© Ängström"})


def test_grey_is_refused():
    with pytest.raises(ValueError, match="black and white"):
        tiff_bytes(Image.new("L", (8, 8)), 600)
