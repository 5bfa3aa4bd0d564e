"""The pictures that a spec names, read from their files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from linkpress.book.spec import BookSpec
from linkpress.config.shipped_files import read_named
from linkpress.errors import UsageError
from linkpress.layout.markdown import named_pictures
from linkpress.layout.pictures import BACKGROUND_KEY, OwnPicture, Pictures
from linkpress.render.photos import NoPictureError, size_of_photo

_MOST_MB = 200


def load_pictures(spec: BookSpec, folder: Path) -> Pictures:
    """Every picture of a book's pages by its name: behind them, and in the publisher's own text.

    Args:
        folder: that relative paths of the spec start from.
    Raises:
        UsageError: a file can't be read, or is no picture; names the key.
    """
    pictures: dict[str, OwnPicture] = {}
    for key, name in _named(spec):
        if name not in pictures:
            content = read_picture(key, name, folder)
            try:
                pictures[name] = OwnPicture(name, content, size_of_photo(content))
            except NoPictureError as fault:
                raise UsageError(f"{name} {fault}. Save it as JPEG or PNG.", key) from None
    return pictures


def read_picture(key: str, name: str, folder: Path) -> bytes:
    """The content of a picture's file.

    Args:
        key: of the spec, for messages.
        folder: that relative paths start from.
    Raises:
        UsageError: it can't be read, or is too large.
    """
    return read_named(folder / name, key, _MOST_MB, ". Save it as JPEG.")


def _named(spec: BookSpec) -> Iterator[tuple[str, str]]:
    """Each picture with the key that names it."""
    if spec.page.background:
        yield BACKGROUND_KEY, spec.page.background.image
    for key, pages in (("front", spec.front), ("back", spec.back)):
        for at, matter in enumerate(pages):
            yield from ((f"{key}[{at}].text", name) for name in named_pictures(matter.text))
