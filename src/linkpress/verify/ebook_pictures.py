"""Boards that an e-book shows as pictures of pixels, which are read by drawing them again."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageChops

from linkpress.book.printing_keys import EbookKind, EbookSpec
from linkpress.book.volume import Volume, volume_json
from linkpress.errors import UsageError
from linkpress.press.typesetting import as_ebook, build_code, lay_out
from linkpress.render.pdf import About

# Of 255. Where a line or a number is another, some pixel differs by 100 and more; where PDFium or Pillow is,
# an edge may differ by a grey or two of the sixteen.
_MOST_APART = 64


class PictureAgain(NamedTuple):
    """A picture as a book draws it today, as pixels and as the drawing that these show."""

    pixels: bytes
    drawing: bytes

    def is_shown_by(self, content: bytes) -> bool:
        """Tell whether a file shows this picture."""
        if content == self.pixels:
            return True
        own, other = (Image.open(io.BytesIO(file), formats=["PNG"]) for file in (self.pixels, content))
        if own.size != other.size:
            return False
        apart = ImageChops.difference(own.convert("RGB"), other.convert("RGB"))
        return not any(any(band.histogram()[_MOST_APART:]) for band in apart.split())


def pictures_again(volume: Volume, folder: Path) -> Mapping[str, PictureAgain]:
    """Draw the pictures of a volume's e-book again, by the names of their files.

    Raises:
        UsageError: a file that the spec names is not there.
    """
    try:
        book, profile, looks = lay_out(volume, folder, build_code(volume_json(volume)))
    except UsageError as fault:
        advice = "The pictures of book.epub are drawn again: --spec-folder says where such files lie."
        raise UsageError(f"{fault} {advice}") from fault
    made = []
    for kind in (EbookKind.KINDLE, EbookKind.EPUB):
        spec = volume.spec.model_copy(update={"epub": EbookSpec(kind=kind)})
        own = replace(book, edition=replace(book.edition, spec=spec))
        made.append(as_ebook(own, profile, looks, About(), None).pictures)
    pixels, drawings = made
    drawn = {f"{Path(name).stem}.png": drawing for name, drawing in drawings.items() if name.endswith(".svg")}
    return {name: PictureAgain(pixels[name], drawing) for name, drawing in drawn.items()}
