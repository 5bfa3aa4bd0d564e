"""A composed figure as a file: PNG, TIFF, SVG, PDF or EPS, with what the file says about itself."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from linkpress.errors import UsageError
from linkpress.images.composition import Drawing
from linkpress.images.image_captions import ShownPuzzle
from linkpress.render.eps import draw_eps
from linkpress.render.font_files import SHIPPED, Faces
from linkpress.render.pdf import About, draw_frame, file_date
from linkpress.render.raster import PixelMode, png_bytes, rasterise, refuse_tints, tiff_bytes
from linkpress.render.svg import draw_svg
from linkpress.version import __version__

_KEYWORDS = ("Number", "Grade", "Seed", "Fingerprint")


class ImageFormat(StrEnum):
    """A kind of file."""

    PNG = "png"
    TIFF = "tiff"
    SVG = "svg"
    PDF = "pdf"
    EPS = "eps"

    @property
    def suffix(self) -> str:
        """Of file names."""
        return ".tif" if self is ImageFormat.TIFF else f".{self.value}"

    @property
    def mimetype(self) -> str:
        """The registered media type."""
        kinds = {
            ImageFormat.SVG: "image/svg+xml",
            ImageFormat.PDF: "application/pdf",
            ImageFormat.EPS: "application/postscript",
        }
        return kinds.get(self, f"image/{self.value}")


@dataclass(frozen=True, slots=True)
class Particulars:
    """What an image says about itself.

    Args:
        title: as ``Number Link 12``.
        author, copyright: may be empty.
        what: the image shows, for the ids in an SVG.
        language: of its words.
    """

    title: str
    exhibit: ShownPuzzle
    author: str
    copyright: str
    what: str = "puzzle"
    language: str = "en"

    @property
    def texts(self) -> Mapping[str, str]:
        """Text chunks by their keywords, those without text left out."""
        shown = self.exhibit
        chunks = {
            "Title": self.title,
            "Author": self.author,
            "Copyright": self.copyright,
            "Number": str(shown.number),
            "Grade": shown.grade.label if shown.grade else "",
            "Seed": shown.seed,
            "Fingerprint": shown.fingerprint,
            "Software": f"linkpress {__version__}",
        }
        return {key: text for key, text in chunks.items() if text}

    @property
    def keywords(self) -> str:
        """Number, grade, seed and fingerprint in one line, for kinds of file without chunks."""
        return ", ".join(f"{key.lower()} {text}" for key, text in self.texts.items() if key in _KEYWORDS)


def shows_puzzle(content: bytes, fingerprint: str) -> bool:
    """Whether a file of any of the kinds says of itself that it shows a puzzle, or its solution.

    Args:
        fingerprint: of the puzzle; every kind of file holds it as plain text.
    """
    return any(fingerprint.encode(coding) in content for coding in ("ascii", "utf-16-be"))


def check_mode(formats: tuple[ImageFormat, ...], mode: PixelMode) -> None:
    """Refuse what a kind of file can't hold.

    Raises:
        UsageError: TIFF Group 4 of more than two levels; a PDF or EPS where SOURCE_DATE_EPOCH is no date.
    """
    if {ImageFormat.PDF, ImageFormat.EPS} & set(formats):
        file_date(None, os.environ)
    if ImageFormat.TIFF in formats and mode is not PixelMode.ONE_BIT:
        raise UsageError(
            f"TIFF Group 4 holds black and white only, not {mode}. Choose the mode 1bit, or PNG."
        )


def check_drawable(drawing: Drawing, formats: tuple[ImageFormat, ...], mode: PixelMode) -> None:
    """Refuse a figure that the pixels can't show.

    Raises:
        LayoutError: tints in black and white.
    """
    if mode is PixelMode.ONE_BIT and {ImageFormat.PNG, ImageFormat.TIFF} & set(formats):
        refuse_tints(drawing.frame)


def draw_file(
    drawing: Drawing,
    kind: ImageFormat,
    mode: PixelMode,
    dpi: int,
    particulars: Particulars,
    *,
    clear: bool = False,
    faces: Faces = SHIPPED,
) -> bytes:
    """A figure as the bytes of a file.

    Args:
        dpi: of the canvas that the figure was composed for.
        clear: whether the paper of a PNG is see-through.
        faces: the fonts.
    Raises:
        LayoutError: 1-bit pixels of a theme with tints.
        UsageError: a PDF or EPS would carry the date of SOURCE_DATE_EPOCH, and that is none.
    """
    if kind is ImageFormat.SVG:
        texts = {**particulars.texts, "Keywords": particulars.keywords}
        prefix = f"{particulars.what}-{particulars.exhibit.fingerprint}-"
        svg = draw_svg(
            drawing.frame, particulars.title, texts, prefix=prefix, faces=faces, language=particulars.language
        )
        return svg.encode("utf-8")
    if kind in (ImageFormat.PDF, ImageFormat.EPS):
        about = About(
            particulars.title,
            particulars.author,
            particulars.copyright,
            particulars.keywords,
            language=particulars.language,
            date=file_date(None, os.environ),
        )
        if kind is ImageFormat.EPS:
            return draw_eps(drawing.frame, about, particulars.texts, faces)
        return draw_frame(drawing.frame, about, faces=faces)
    image = rasterise(
        drawing.frame, drawing.size_px, mode, clear=clear and kind is ImageFormat.PNG, faces=faces
    )
    if kind is ImageFormat.TIFF:
        return tiff_bytes(image, dpi, {**particulars.texts, "Keywords": particulars.keywords})
    return png_bytes(image, dpi, particulars.texts)
