"""Table of image formats, which says how each kind of file is written and what its features are.

To add a format, write a module in ``render`` that draws it, and add a member to ``files.ImageFormat``. Then
add a function here that calls the module, and add a row to the table. The options of ``export``, the values
of a feed's ``format``, the media types in manifests, and the suffixes of file names all come from the table.

The drawing modules are imported only when a file is drawn. Commands that only read the table then start
quickly.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from linkpress.errors import UsageError
from linkpress.files import ImageFormat
from linkpress.version import __version__

if TYPE_CHECKING:
    from PIL.Image import Image

    from linkpress.book.puzzle_record import PuzzleRecord
    from linkpress.documents.values import PixelMode
    from linkpress.layout.frame import Frame
    from linkpress.puzzle.puzzle import Puzzle, Solution
    from linkpress.render.fonts import Faces
    from linkpress.render.pdf import About

_KEYWORDS = ("Number", "Difficulty", "Fingerprint")
_ALL_MODES = ("1bit", "gray", "rgb")


@dataclass(frozen=True)
class ShownPuzzle:
    """Puzzle to draw, with the facts that captions and image files mention.

    Args:
        puzzle: the puzzle.
        number: the printed number of the puzzle.
        difficulty: the difficulty from 0 to 100, or None if the puzzle was not graded.
        fingerprint: the fingerprint, a text that identifies the puzzle.
        solve: a function that returns the puzzle's only solution. It is called when the solution is drawn.
        title: the title of the puzzle's book or feed, or an empty string.
    """

    puzzle: Puzzle
    number: int
    difficulty: int | None
    fingerprint: str
    solve: Callable[[], Solution]
    title: str = ""


def shown_puzzle(record: PuzzleRecord, number: int, title: str = "") -> ShownPuzzle:
    return ShownPuzzle(
        puzzle=record.puzzle,
        number=number,
        difficulty=record.difficulty,
        fingerprint=record.fingerprint,
        solve=lambda: record.solution,
        title=title,
    )


@dataclass(frozen=True, slots=True)
class PixelFrame:
    """Composed image: a drawing (frame) in points, together with its exact width and height in pixels."""

    frame: Frame
    size_px: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Particulars:
    """Metadata of an image file.

    Args:
        title: the title of the image.
        shown: the puzzle in the image.
        author: the author, or an empty string.
        copyright: the copyright line, or an empty string.
        what: the kind of image, for the ids in an SVG file.
        language: the BCP 47 tag of the language of all texts.
        names_difficulty: whether the metadata includes the puzzle's difficulty.
    """

    title: str
    shown: ShownPuzzle
    author: str
    copyright: str
    what: str = "puzzle"
    language: str = "en"
    names_difficulty: bool = False

    @property
    def texts(self) -> Mapping[str, str]:
        """Return the metadata to store in the image file as texts. Empty texts are omitted.

        The keys are the keywords of text chunks in a PNG file, such as ``Title``.
        """
        shown = self.shown
        difficulty = shown.difficulty if self.names_difficulty else None
        texts = {
            "Title": self.title,
            "Author": self.author,
            "Copyright": self.copyright,
            "Number": str(shown.number),
            "Difficulty": "" if difficulty is None else str(difficulty),
            "Fingerprint": shown.fingerprint,
            "Software": f"linkpress {__version__}",
        }
        return {key: text for key, text in texts.items() if text}

    @property
    def keywords(self) -> str:
        return ", ".join(f"{key.lower()} {text}" for key, text in self.texts.items() if key in _KEYWORDS)

    @property
    def about(self) -> About:
        """Return the metadata for a PDF file.

        Raises:
            UsageError: the environment variable SOURCE_DATE_EPOCH is not a valid date.
        """
        from linkpress.render.pdf import About, file_date

        return About(
            title=self.title,
            author=self.author,
            subject=self.copyright,
            keywords=self.keywords,
            language=self.language,
            date=file_date(None, os.environ),
        )


@dataclass(frozen=True, slots=True)
class ImageToWrite:
    """Composed image with everything that is needed to write its file.

    Args:
        drawing: the image as a frame, with its size in pixels.
        particulars: the metadata of the file.
        mode: the kind of pixels.
        dpi: the resolution for which the image was composed.
        faces: the fonts.
        clear: whether the paper is transparent, if the format supports it.
    """

    drawing: PixelFrame
    particulars: Particulars
    mode: PixelMode
    dpi: int
    faces: Faces
    clear: bool = False

    def pixels(self, *, clear: bool = False) -> Image:
        """Draw the image in pixels.

        Raises:
            LayoutError: the drawing has tints, but 1-bit pixels can't show tints.
        """
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

    metadata = image.particulars
    svg = draw_svg(
        image.drawing.frame,
        metadata.title,
        {**metadata.texts, "Keywords": metadata.keywords},
        prefix=f"{metadata.what}-{metadata.shown.fingerprint}-",
        faces=image.faces,
        language=metadata.language,
    )
    return svg.encode("utf-8")


def _pdf(image: ImageToWrite) -> bytes:
    from linkpress.render.pdf import draw_frame

    return draw_frame(image.drawing.frame, image.particulars.about, faces=image.faces)


def _eps(image: ImageToWrite) -> bytes:
    from linkpress.render.eps import draw_eps

    metadata = image.particulars
    return draw_eps(image.drawing.frame, metadata.about, metadata.texts, image.faces)


@dataclass(frozen=True, slots=True)
class FormatFacts:
    """Row of the table of image formats.

    Args:
        suffix: the suffix of file names.
        media_type: the media type.
        help: the text for ``export --help``.
        write: the function that writes a file.
        modes: the kinds of pixels that a file can hold. Empty for vector formats.
        see_through: whether the paper can be transparent.
        dated: whether a file contains a date.
    """

    suffix: str
    media_type: str
    help: str
    write: Callable[[ImageToWrite], bytes]
    modes: tuple[str, ...] = ()
    see_through: bool = False
    dated: bool = False

    @property
    def is_vector(self) -> bool:
        return not self.modes


FORMATS: Mapping[ImageFormat, FormatFacts] = {
    ImageFormat.PNG: FormatFacts(
        ".png", "image/png", "PNG, also when no kind of file is named.", _png, _ALL_MODES, see_through=True
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
    """Return whether an image file shows the puzzle with a certain fingerprint, or its solution.

    Image files of all formats contain the puzzle's fingerprint as plain text.
    """
    return any(fingerprint.encode(encoding) in content for encoding in ("ascii", "utf-16-be"))


def refused_mode(image_format: ImageFormat, mode: PixelMode) -> str | None:
    """Return the reason why a file format can't hold a kind of pixels, or None if it can."""
    modes = FORMATS[image_format].modes
    return None if not modes or mode in modes else f"{image_format} holds {' and '.join(modes)} only"


def check_formats(formats: Collection[ImageFormat], mode: PixelMode, *, clear: bool) -> None:
    """Check that image files can be written in these formats.

    Args:
        formats: the formats.
        mode: the kind of pixels, which all formats must be able to hold.
        clear: whether the paper is transparent. At least one format must then support it.
    Raises:
        UsageError: a format can't hold these pixels, or no format supports transparent paper. Or a format
            contains a date and the environment variable SOURCE_DATE_EPOCH is not a valid date.
    """
    from linkpress.render.pdf import file_date

    if any(FORMATS[image_format].dated for image_format in formats):
        file_date(None, os.environ)
    for reason in filter(None, (refused_mode(image_format, mode) for image_format in formats)):
        raise UsageError(f"mode {mode}: {reason}. Choose another mode, or png.")
    if clear and not any(FORMATS[image_format].see_through for image_format in formats):
        able = " and ".join(image_format for image_format in ImageFormat if FORMATS[image_format].see_through)
        raise UsageError(f"transparent: only {able} can have transparent paper. Add {able} to the formats.")


def check_drawable(drawing: PixelFrame, formats: Collection[ImageFormat], mode: PixelMode) -> None:
    """Check that a drawing has no tints if a file with 1-bit pixels will be written.

    Raises:
        LayoutError: the drawing has tints, which 1-bit pixels can't show.
    """
    from linkpress.documents.values import PixelMode
    from linkpress.render.raster import refuse_tints

    if mode is PixelMode.ONE_BIT and not all(FORMATS[image_format].is_vector for image_format in formats):
        refuse_tints(drawing.frame)
