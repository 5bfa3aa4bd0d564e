"""This module reads from their files what a book looks like: theme, fonts, pictures, its cover's design."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple

from PIL import Image

from linkpress.book.design_keys import LEAST_CONTRAST, ArtBoard, CoverDesign, TitleFace
from linkpress.book.spec import BookSpec
from linkpress.documents.inks import BLACK, PAPER, Ink, contrast
from linkpress.documents.models import load_named
from linkpress.documents.shipped_files import COVERS, PRINTERS, open_named, resolve_name
from linkpress.errors import UsageError
from linkpress.layout.frame import FontKey
from linkpress.layout.markdown import pictures_in
from linkpress.layout.setting import BACKGROUND_KEY, OwnPicture, Pictures, is_printed_grey
from linkpress.layout.theme import Theme, theme_of
from linkpress.printers.profile import PrinterProfile
from linkpress.render.fonts import Faces, FontMeasure, ShippedFont, load_faces
from linkpress.render.photos import NoPictureError, enough_pixels, read_photo, size_of_photo

_TITLE_FONTS = {TitleFace.HEAVY: ShippedFont.BRICOLAGE, TitleFace.SERIF: ShippedFont.FRAUNCES}
_MOST_MB = 200
_USUAL_DPI = 300
_BLEED_PT = 2 * 0.25 * 72  # on both sides, more than any printer takes
PictureReader = Callable[[str, str, Path, float], OwnPicture]


class LoadedLooks(NamedTuple):
    """A book's looks come with its cover's design in one palette, or None for the plain cover."""

    theme: Theme
    faces: Faces
    design: CoverDesign | None = None


def load_profile(spec: BookSpec, folder: Path) -> PrinterProfile:
    """Load the profile of the printer that a spec names; raise as ``load_named`` does."""
    return load_named(resolve_name(spec.page.printer, folder), PRINTERS, PrinterProfile, "page.printer")


def load_looks(spec: BookSpec, folder: Path) -> LoadedLooks:
    """Load what a spec looks like; raise ``UsageError`` or, for the faults of a file, ``SpecError``."""
    theme, design = theme_of(spec, folder), design_of(spec, folder)
    return LoadedLooks(theme, faces_of(spec, folder, theme, design), design)


def design_of(spec: BookSpec, folder: Path) -> CoverDesign | None:
    """Load the design, if any, of a spec's cover in its volume's palette; raise as ``load_named`` does."""
    if spec.cover is None or spec.cover.design is None:
        return None
    design = load_named(resolve_name(spec.cover.design, folder), COVERS, CoverDesign, "cover.design")
    if spec.cover.initial is not None and design.art.board is not ArtBoard.COUNT:
        advice = "choose `design: initial`, or leave this out"
        raise UsageError(f"the art of the design {design.name} has no letters; {advice}.", "cover.initial")
    return design.in_palette(spec.cover.palette or spec.volume or 1)


def faces_of(spec: BookSpec, folder: Path, theme: Theme | None, design: CoverDesign | None) -> Faces:
    """Load a book's own fonts or shipped ones, its design's for the title if that has all the letters."""
    # For children, in dots alone, or in large print.
    easy = theme is not None and (spec.page.large_print or not theme.numbers.show_numbers)
    faces = load_faces(spec.fonts, folder, easy)
    if design is None:
        return faces
    files = (load_faces(spec.fonts, folder, True) if design.looped else faces).files[FontKey.SEMIBOLD]
    if design.face in _TITLE_FONTS:
        display = Faces({FontKey.DISPLAY: (_TITLE_FONTS[design.face],)})
        if not FontMeasure(display).missing(spec.title, FontKey.DISPLAY):
            files = display.files[FontKey.DISPLAY]
    return Faces({**faces.files, FontKey.DISPLAY: files}, faces.full)


def title_inks(spec: BookSpec, looks: LoadedLooks, profile: PrinterProfile) -> tuple[Ink, ...]:
    """Return the inks of a coloured title page: the title's, which is read on paper, then those of lines."""
    if looks.design is None or is_printed_grey(spec.page, profile):
        return ()
    (palette,) = looks.design.palettes
    inks = (ink for ink in (palette.title, palette.ground, palette.words, BLACK) if ink)
    read = (ink for ink in inks if contrast(ink.rgb, PAPER.rgb) >= LEAST_CONTRAST and not ink.is_rich_black)
    return next(read), *palette.lines


def measure_of(spec: BookSpec, faces: Faces) -> FontMeasure:
    """Return a measure of words in a book's fonts and its language."""
    return FontMeasure(faces, spec.wording().language)


def load_pictures(spec: BookSpec, folder: Path, profile: PrinterProfile) -> Pictures:
    """Load the pictures of a book's pages by their names; raise ``UsageError`` for one that can't be used."""
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
    """Return how many pixels the shorter side of a large picture keeps: enough for a page's longer side."""
    dpi = profile.limits.image_dpi if profile else _USUAL_DPI
    return (max(spec.page.trim.size) + _BLEED_PT) / 72 * max(dpi, _USUAL_DPI)


def read_picture(key: str, name: str, folder: Path, least: float) -> OwnPicture:
    """Read a picture, with no more pixels than a page needs; raise ``UsageError`` if it can't be used."""
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
