"""An image format is a row of one table, which says how a file is written and what it tells about itself.

A new kind takes a module in ``render`` that draws it, a function here that calls that, and a word of
``ImageFormat`` with its row. The flags of ``export``, the words of a feed's ``format``, the media types of
manifests and the suffixes of names follow from the row; the schemas are written anew. Whatever draws is
imported when a file is drawn, so that the command line reads the table without it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from linkpress.errors import UsageError
from linkpress.version import __version__

if TYPE_CHECKING:
    from PIL.Image import Image

    from linkpress.images.image_captions import ShownPuzzle
    from linkpress.images.pixels import PixelFrame
    from linkpress.render.fonts import Faces
    from linkpress.render.pdf import About
    from linkpress.render.raster import PixelMode

_KEYWORDS = ("Number", "Grade", "Fingerprint")
_ANY_MODE = ("1bit", "gray", "rgb")


@dataclass(frozen=True, slots=True)
class Particulars:
    """An image states these facts about itself; author and copyright may be empty."""

    title: str
    shown: ShownPuzzle
    author: str
    copyright: str
    what: str = "puzzle"  # it shows, for the ids in an SVG
    language: str = "en"

    @property
    def texts(self) -> Mapping[str, str]:
        """Return text chunks by their keywords, without those that have no text."""
        shown = self.shown
        chunks = {
            "Title": self.title,
            "Author": self.author,
            "Copyright": self.copyright,
            "Number": str(shown.number),
            "Grade": shown.grade.label if shown.grade else "",
            "Fingerprint": shown.fingerprint,
            "Software": f"linkpress {__version__}",
        }
        return {key: text for key, text in chunks.items() if text}

    @property
    def keywords(self) -> str:
        """Return number, grade and fingerprint in one line, for kinds of file without chunks."""
        return ", ".join(f"{key.lower()} {text}" for key, text in self.texts.items() if key in _KEYWORDS)

    @property
    def about(self) -> About:
        """Return these facts as a PDF carries them; raise ``UsageError`` if SOURCE_DATE_EPOCH is no date."""
        from linkpress.render.pdf import About, file_date

        date = file_date(None, os.environ)
        return About(
            self.title, self.author, self.copyright, self.keywords, language=self.language, date=date
        )


@dataclass(frozen=True, slots=True)
class ImageToWrite:
    """An image to write is a composed figure with all that its file needs; its dpi are the canvas's."""

    drawing: PixelFrame
    particulars: Particulars
    mode: PixelMode
    dpi: int
    faces: Faces
    clear: bool = False

    def pixels(self, *, clear: bool = False) -> Image:
        """Draw the figure in pixels; raise ``LayoutError`` if these have two levels and it has tints."""
        from linkpress.render.raster import rasterise

        return rasterise(self.drawing.frame, self.drawing.size_px, self.mode, clear=clear, faces=self.faces)


def _png(image: ImageToWrite) -> bytes:
    from linkpress.render.raster import png_bytes

    return png_bytes(image.pixels(clear=image.clear), image.dpi, image.particulars.texts)


def _tiff(image: ImageToWrite) -> bytes:
    from linkpress.render.raster import tiff_bytes

    texts = {**image.particulars.texts, "Keywords": image.particulars.keywords}
    return tiff_bytes(image.pixels(), image.dpi, texts)


def _svg(image: ImageToWrite) -> bytes:
    from linkpress.render.svg import draw_svg

    facts = image.particulars
    svg = draw_svg(
        image.drawing.frame,
        facts.title,
        {**facts.texts, "Keywords": facts.keywords},
        prefix=f"{facts.what}-{facts.shown.fingerprint}-",
        faces=image.faces,
        language=facts.language,
    )
    return svg.encode("utf-8")


def _pdf(image: ImageToWrite) -> bytes:
    from linkpress.render.pdf import draw_frame

    return draw_frame(image.drawing.frame, image.particulars.about, faces=image.faces)


def _eps(image: ImageToWrite) -> bytes:
    from linkpress.render.eps import draw_eps

    facts = image.particulars
    return draw_eps(image.drawing.frame, facts.about, facts.texts, image.faces)


@dataclass(frozen=True, slots=True)
class FormatFacts:
    """A row of the table of formats tells about a kind of file, which has no modes if it holds vectors."""

    suffix: str
    media_type: str
    help: str
    write: Callable[[ImageToWrite], bytes]
    modes: tuple[str, ...] = ()
    see_through: bool = False
    dated: bool = False


class ImageFormat(StrEnum):
    """An image format is a kind of file that holds an image."""

    PNG = "png"
    TIFF = "tiff"
    SVG = "svg"
    PDF = "pdf"
    EPS = "eps"

    @property
    def facts(self) -> FormatFacts:
        """Return the format's row of the table."""
        return _FORMATS[self]

    @property
    def suffix(self) -> str:
        """Return the suffix of file names."""
        return self.facts.suffix

    @property
    def is_vector(self) -> bool:
        """Tell whether a file holds shapes, not pixels."""
        return not self.facts.modes

    def refused_mode(self, mode: PixelMode) -> str | None:
        """Return why a file can't hold such pixels, or None if it can."""
        if self.is_vector or mode in self.facts.modes:
            return None
        return f"{self} holds {' and '.join(self.facts.modes)} only"


_FORMATS: Mapping[ImageFormat, FormatFacts] = {
    ImageFormat.PNG: FormatFacts(
        ".png", "image/png", "PNG, also when no kind of file is named.", _png, _ANY_MODE, see_through=True
    ),
    ImageFormat.TIFF: FormatFacts(".tif", "image/tiff", "TIFF Group 4, black and white.", _tiff, ("1bit",)),
    ImageFormat.SVG: FormatFacts(".svg", "image/svg+xml", "SVG, text as text.", _svg),
    ImageFormat.PDF: FormatFacts(
        ".pdf", "application/pdf", "PDF, one vector page trimmed to the figure.", _pdf, dated=True
    ),
    ImageFormat.EPS: FormatFacts(
        ".eps", "application/postscript", "EPS, type as outlines.", _eps, dated=True
    ),
}


def shows_puzzle(content: bytes, fingerprint: str) -> bool:
    """Tell whether a file shows a puzzle or its solution: each kind holds the fingerprint as plain text."""
    return any(fingerprint.encode(coding) in content for coding in ("ascii", "utf-16-be"))


def check_formats(formats: Collection[ImageFormat], mode: PixelMode, *, clear: bool) -> None:
    """Raise ``UsageError`` if the kinds of file can't hold the pixels, see-through paper or the date."""
    from linkpress.render.pdf import file_date

    if any(kind.facts.dated for kind in formats):
        file_date(None, os.environ)
    for reason in filter(None, (kind.refused_mode(mode) for kind in formats)):
        raise UsageError(f"mode {mode}: {reason}. Choose another mode, or png.")
    if clear and not any(kind.facts.see_through for kind in formats):
        able = " and ".join(kind for kind in ImageFormat if kind.facts.see_through)
        raise UsageError(
            f"transparent: of all kinds of file the paper can be left out of {able} alone. Ask for that too."
        )


def check_drawable(drawing: PixelFrame, formats: Collection[ImageFormat], mode: PixelMode) -> None:
    """Refuse, with a ``LayoutError``, a figure with tints where pixels are black and white."""
    from linkpress.render.raster import PixelMode, refuse_tints

    if mode is PixelMode.ONE_BIT and not all(kind.is_vector for kind in formats):
        refuse_tints(drawing.frame)
