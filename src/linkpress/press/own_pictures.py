"""The pictures that a spec names, read from their files."""

from __future__ import annotations

from pathlib import Path

from linkpress.book.spec import BookSpec
from linkpress.documents.shipped_files import read_named
from linkpress.errors import UsageError
from linkpress.layout.markdown import named_pictures as pictures_in
from linkpress.layout.pictures import BACKGROUND_KEY, OwnPicture, Pictures
from linkpress.render.photos import NoPictureError, size_of_photo

_MOST_MB = 200


def load_pictures(spec: BookSpec, folder: Path) -> Pictures:
    """Load every picture of a book's pages by its name: behind them, and in the publisher's own text.

    Args:
        folder: that relative paths of the spec start from.
    Raises:
        UsageError: a file can't be read, or is no picture; names the key.
    """
    return {name: read_picture(key, name, folder) for name, key in named_pictures(spec).items()}


def named_pictures(spec: BookSpec) -> dict[str, str]:
    """Return each picture's name with the first key that names it."""
    named = {spec.page.background.image: BACKGROUND_KEY} if spec.page.background else {}
    for key, pages in (("front", spec.front), ("back", spec.back)):
        for place, matter in enumerate(pages):
            for name in pictures_in(matter.text):
                named.setdefault(name, f"{key}[{place}].text")
    return named


def cover_picture(spec: BookSpec, folder: Path) -> OwnPicture | None:
    """Load the picture on the cover; None where there is none.

    Raises:
        UsageError: as ``load_pictures``.
    """
    name = None if spec.cover is None else spec.cover.front or spec.cover.image
    return None if name is None or spec.cover is None else read_picture(spec.cover.picture_key, name, folder)


def read_picture(key: str, name: str, folder: Path) -> OwnPicture:
    """Read a picture as its file has it.

    Args:
        key: of the spec, for messages.
        folder: that relative paths start from.
    Raises:
        UsageError: it can't be read, is no picture, or is too large.
    """
    content = read_named(folder / name, key, _MOST_MB, ". Save it as JPEG.")
    try:
        return OwnPicture(name, content, size_of_photo(content))
    except NoPictureError as fault:
        raise UsageError(f"{name} {fault}. Save it as JPEG or PNG.", key) from None
