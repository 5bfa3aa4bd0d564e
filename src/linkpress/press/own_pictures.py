"""The pictures that a spec names, read from their files."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from PIL import Image

from linkpress.book.spec import BookSpec
from linkpress.documents.shipped_files import open_named
from linkpress.errors import UsageError
from linkpress.layout.markdown import pictures_in
from linkpress.layout.pictures import BACKGROUND_KEY, OwnPicture, Pictures
from linkpress.printers.profile import PrinterProfile
from linkpress.render.photos import NoPictureError, enough_pixels, read_photo, size_of_photo

_MOST_MB = 200
_USUAL_DPI = 300
_BLEED_PT = 2 * 0.25 * 72  # on both sides, more than any printer takes

PictureReader = Callable[[str, str, Path, float], OwnPicture]


def load_pictures(spec: BookSpec, folder: Path, profile: PrinterProfile) -> Pictures:
    """Load every picture of a book's pages by its name: behind them, and in the publisher's own text.

    Raises:
        UsageError: a file can't be read, or is no picture; names the key.
    """
    least = least_pixels(spec, profile)
    return {name: read_picture(key, name, folder, least) for name, key in named_pictures(spec).items()}


def named_pictures(spec: BookSpec) -> dict[str, str]:
    """Return each picture's name with the first key that names it."""
    named = {spec.page.background.image: BACKGROUND_KEY} if spec.page.background else {}
    for key, pages in (("front", spec.front), ("back", spec.back)):
        for place, matter in enumerate(pages):
            for name in pictures_in(matter.text):
                named.setdefault(name, f"{key}[{place}].text")
    return named


def least_pixels(spec: BookSpec, profile: PrinterProfile | None) -> float:
    """Return how many pixels the shorter side of a large picture keeps: they do for the longer of a page."""
    dpi = profile.limits.image_dpi if profile else _USUAL_DPI
    return (max(spec.page.trim.size) + _BLEED_PT) / 72 * max(dpi, _USUAL_DPI)


def read_picture(key: str, name: str, folder: Path, least: float) -> OwnPicture:
    """Read a picture as its file has it, or with fewer pixels if it has more than a page needs.

    Args:
        least: of ``least_pixels``.
    Raises:
        UsageError: it can't be read, is no picture, or is too large.
    """
    with _opened(key, name, folder) as file:
        content, whole, pixels = read_photo(file, least)
    return OwnPicture(name, content, pixels, whole)


def blank_picture(key: str, name: str, folder: Path, least: float) -> OwnPicture:
    """Return a blank picture of the size that ``read_picture`` would give it.

    It is drawn and packed at once, where a picture of 12 megapixels takes seconds.
    """
    with _opened(key, name, folder) as file:
        whole = size_of_photo(file)
    pixels, written = enough_pixels(whole, least), io.BytesIO()
    Image.new("RGB", (int(pixels.width_pt), int(pixels.height_pt)), "white").save(written, "PNG")
    return OwnPicture(name, written.getvalue(), pixels, whole)


def cover_picture(
    spec: BookSpec, folder: Path, profile: PrinterProfile | None, read: PictureReader = read_picture
) -> OwnPicture | None:
    """Load the picture on the cover, or None without one; raise as ``load_pictures`` does."""
    if spec.cover is None or (name := spec.cover.front or spec.cover.image) is None:
        return None
    return read(spec.cover.picture_key, name, folder, least_pixels(spec, profile))


@contextmanager
def _opened(key: str, name: str, folder: Path) -> Iterator[BinaryIO]:
    try:
        with open_named(folder / name, key, _MOST_MB, ". Save it as JPEG.") as file:
            yield file
    except NoPictureError as fault:
        raise UsageError(f"{name} {fault}. Save it as JPEG or PNG.", key) from None
