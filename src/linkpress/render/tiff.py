"""A black and white image as TIFF Group 4, the fax coding that newspaper systems take line art in."""

from __future__ import annotations

import io
from collections.abc import Mapping

from PIL import Image, TiffTags
from PIL.TiffImagePlugin import ImageFileDirectory_v2

# DocumentName has room for what has no tag of its own.
_TAGS = {"Title": 270, "Author": 315, "Copyright": 33432, "Software": 305, "Keywords": 269}
_INCH = 2


def tiff_bytes(image: Image.Image, dpi: int, texts: Mapping[str, str] | None = None) -> bytes:
    """An image as a TIFF file of one page.

    Args:
        image: of mode ``1``.
        dpi: written into the file.
        texts: those named Title, Author, Copyright, Software and Keywords become tags.
    Raises:
        ValueError: the image has more than two levels.
    """
    if image.mode != "1":
        raise ValueError(f"Group 4 codes black and white only, not mode {image.mode}")
    tags = ImageFileDirectory_v2()
    for name, text in (texts or {}).items():
        if name in _TAGS:
            tags.tagtype[_TAGS[name]] = TiffTags.ASCII
            tags[_TAGS[name]] = text.encode("utf-8")  # Pillow writes a str as ASCII, with ? for the rest
    buffer = io.BytesIO()
    image.save(buffer, "TIFF", compression="group4", dpi=(dpi, dpi), resolution_unit=_INCH, tiffinfo=tags)
    return buffer.getvalue()
