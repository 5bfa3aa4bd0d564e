"""Load what the pages of a book are made of: printer profile, theme, cover design, fonts and pictures.

``BookAssets`` holds the loaded objects. A build loads them once for each edition, during the check before the
build. Every later step uses the same objects.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import BinaryIO

from PIL import Image, ImageOps

from linkpress.book.printing_keys import LEAST_CONTRAST, ArtBoard, CoverDesign, CoverSpec, TitleFace
from linkpress.book.spec import BookSpec
from linkpress.documents.inks import BLACK, PAPER, Ink, contrast
from linkpress.documents.models import load_named
from linkpress.documents.shipped_files import COVERS, PRINTERS, open_named
from linkpress.documents.values import Size
from linkpress.engine.recipe import counted
from linkpress.errors import UsageError
from linkpress.layout.frame import FontKey
from linkpress.layout.markdown import pictures_in
from linkpress.layout.setting import BACKGROUND_KEY, OwnPicture, Pictures, is_printed_grey
from linkpress.layout.text_flow import Measure
from linkpress.layout.theme import Theme, theme_of
from linkpress.printers import PrinterProfile
from linkpress.render.fonts import Faces, FontMeasure, ShippedFont, load_faces
from linkpress.render.photos import NoPictureError, read_photo

_TITLE_FONTS = {TitleFace.HEAVY: ShippedFont.BRICOLAGE, TitleFace.SERIF: ShippedFont.FRAUNCES}
_MAX_PICTURE_MB = 200
_USUAL_DPI = 300
PhotoReader = Callable[[BinaryIO, float], tuple[bytes, Size, Size]]
# Bleed on two opposite sides of a page together, in points. No printer asks for more than 1/4 in on a side.
_BLEED_PT = 2 * 0.25 * 72


@dataclass(frozen=True)
class BookAssets:
    """Printer profile, theme, cover design, fonts and pictures of one edition of a book.

    The pictures are read only when they are first needed.

    Args:
        spec: the edition's spec.
        profile: the profile of the printer.
        theme: the theme, with the spec's changes to it.
        design: the design of the cover, in the colours of this volume of a series; None for the plain cover.
        faces: the fonts.
        measure: object that returns the sizes of text in these fonts.
    """

    spec: BookSpec
    profile: PrinterProfile
    theme: Theme
    design: CoverDesign | None
    faces: Faces
    measure: Measure

    @cached_property
    def pictures(self) -> Pictures:
        """The pictures on the book's pages, by file name.

        Raises:
            UsageError: a picture can't be used.
        """
        pixels = min_pixels(self.spec, self.profile)
        named = picture_keys(self.spec)
        return {name: read_picture(self.spec, key, name, pixels) for name, key in named.items()}

    @cached_property
    def cover_pictures(self) -> Pictures:
        """The pictures on the cover. A picture's key is the spec key that names it, such as ``cover.image``.

        Raises:
            UsageError: a picture can't be used.
        """
        named = self.spec.cover.pictures if self.spec.cover else {}
        pixels = min_pixels(self.spec, self.profile)
        return {key: read_picture(self.spec, key, name, pixels) for key, name in named.items()}

    @property
    def title_inks(self) -> tuple[Ink, ...]:
        return title_inks(self.spec, self.design, self.profile)


def title_inks(spec: BookSpec, design: CoverDesign | None, profile: PrinterProfile) -> tuple[Ink, ...]:
    """Return the inks of a coloured title page: first the ink of its words, then the inks of its ornament.

    The first ink is legible on paper. The tuple is empty if the title page uses the usual inks of the theme.
    """
    if design is None or is_printed_grey(spec.page, profile):
        return ()
    (palette,) = design.palettes
    inks = (ink for ink in (palette.title, palette.ground, palette.words, BLACK) if ink)
    legible = (i for i in inks if contrast(i.rgb, PAPER.rgb) >= LEAST_CONTRAST and not i.is_rich_black)
    return next(legible), *palette.lines


def load_assets(spec: BookSpec) -> BookAssets:
    """Load the printer profile, theme, cover design and fonts that a spec's edition is printed with.

    Raises:
        UsageError: a file named in the spec is missing, or can't be used.
        SpecError: a theme, profile or design has mistakes. The message lists all mistakes.
        LayoutError: the spec's key ``numbers`` changes how dots look, but the theme prints numbers without
            dots.
    """
    profile, theme, design = load_profile(spec), theme_of(spec), load_design(spec)
    faces = load_book_faces(spec, theme, design)
    return BookAssets(spec, profile, theme, design, faces, FontMeasure(faces, spec.wording().language))


def load_profile(spec: BookSpec) -> PrinterProfile:
    return load_named(spec.resolve(spec.page.printer), PRINTERS, PrinterProfile, "page.printer")


def load_design(spec: BookSpec) -> CoverDesign | None:
    """Load the cover design that a spec names, in the colours for this volume of the series.

    Returns:
        The design; None if the spec has no cover or names no design.
    Raises:
        UsageError: the design is missing, or doesn't fit other keys of the spec's cover.
        SpecError: the file of the design has mistakes. The message lists all mistakes.
    """
    if spec.cover is None or spec.cover.design is None:
        return None
    design = load_named(spec.resolve(spec.cover.design), COVERS, CoverDesign, "cover.design")
    if spec.cover.initial is not None and design.art.board is not ArtBoard.COUNT:
        advice = "choose `design: initial`, or leave this out"
        raise UsageError(f"the art of the design {design.name} has no letters; {advice}.", "cover.initial")
    if design.art.board.is_picture and spec.cover.image is None:
        message = (
            f"the design {design.name} shows a picture of yours; name its file, or choose another design."
        )
        raise UsageError(message, "cover.image")
    if spec.cover.image is not None and not design.art.board.is_picture:
        advice = "choose the design `window` or `poster`, or none, or leave the picture out"
        raise UsageError(f"the design {design.name} has no place for a picture; {advice}.", "cover.image")
    count = len(design.palettes)
    if spec.cover.palette is not None and spec.cover.palette > count:
        advice = f"choose 1 to {count}" if count > 1 else "leave this out"
        message = f"the design {design.name} has {counted(count, 'palette')}; {advice}."
        raise UsageError(message, "cover.palette")
    return design.in_palette(spec.cover.palette or spec.volume or 1)


def in_design(
    spec: BookSpec, name: str | None, palette: int | None = None
) -> tuple[BookSpec, BookAssets, Pictures]:
    """Copy a spec with another cover design, to show how the cover would look. The cover's badge stays.

    If the design needs a picture and the spec names none, a drawing of hills is used.

    Returns:
        The copy, its assets, and a dict with the pictures of its cover. A key of this dict is the spec key
        that names the picture, such as ``cover.image``.
    """
    takes_picture = name is None or load_named(name, COVERS, CoverDesign).art.board.is_picture
    own = spec.cover.image if spec.cover and takes_picture else None
    is_sample = own is None and takes_picture and name is not None
    cover = CoverSpec.model_construct(
        design=name,
        palette=palette or (1 if is_sample else None),
        image="sample.png" if is_sample else own,
        badge=spec.cover.badge if spec.cover else None,
    )
    spec = spec.model_copy(update={"cover": cover})
    assets = load_assets(spec)
    if not is_sample:
        return spec, assets, assets.cover_pictures
    pixels = round(min_pixels(spec, assets.profile))
    whole = Size(pixels, pixels)
    return spec, assets, {"cover.image": OwnPicture("sample.png", _sample_picture(), whole, whole)}


def _sample_picture() -> bytes:
    """Draw a sample picture as a small PNG: hills below a low sun.

    It stands in for the publisher's picture when a cover design that needs a picture is shown as a sample.
    """
    from PIL import ImageDraw  # imported late, because only samples of designs need this module

    picture = ImageOps.colorize(Image.linear_gradient("L"), (236, 150, 108), (252, 226, 178))
    draw, file = ImageDraw.Draw(picture), io.BytesIO()
    draw.ellipse((150, 96, 194, 140), (255, 244, 214))
    draw.polygon([(0, 150), (70, 118), (150, 152), (256, 126), (256, 256), (0, 256)], (122, 150, 128))
    draw.polygon([(0, 190), (96, 164), (190, 196), (256, 176), (256, 256), (0, 256)], (58, 104, 92))
    picture.save(file, "PNG")
    return file.getvalue()


def load_book_faces(spec: BookSpec, theme: Theme | None, design: CoverDesign | None) -> Faces:
    """Load a book's fonts: the publisher's own fonts, or those that linkpress includes.

    Args:
        spec: the spec, with the publisher's fonts if it names any.
        theme: the book's theme; None if it can't be read.
        design: the design of the cover, or None. The design's title font is used if it has all letters of the
            book's title.
    """
    # Thai letters with loops are easier to read for children and for readers of large print. A book whose
    # boards have dots instead of numbers is probably for children.
    easy = theme is not None and (spec.page.large_print or not theme.numbers.show_numbers)
    faces = load_faces(spec.fonts, spec.folder, easy)
    if design is None:
        return faces
    files = (load_faces(spec.fonts, spec.folder, True) if design.looped else faces).files[FontKey.SEMIBOLD]
    if design.face in _TITLE_FONTS:
        display = Faces({FontKey.DISPLAY: (_TITLE_FONTS[design.face],)})
        if not FontMeasure(display).missing(spec.title, FontKey.DISPLAY):
            files = display.files[FontKey.DISPLAY]
    return Faces({**faces.files, FontKey.DISPLAY: files}, faces.full)


def picture_keys(spec: BookSpec) -> dict[str, str]:
    """For each picture on the book's pages, find the first key of the spec that names the picture.

    Returns:
        A dict from the file name of each picture to the spec key.
    """
    keys = {spec.page.background.image: BACKGROUND_KEY} if spec.page.background else {}
    for key, pages in (("front", spec.front), ("back", spec.back)):
        for index, page in enumerate(pages):
            for name in pictures_in(page.text):
                keys.setdefault(name, f"{key}[{index}].text")
    for name in pictures_in(spec.parts.about_author) if spec.parts.about_author else ():
        keys.setdefault(name, "parts.about_author")
    return keys


def min_pixels(spec: BookSpec, profile: PrinterProfile | None) -> float:
    """Return the number of pixels that the shorter side of a picture needs.

    It is the length of the longer side of a page with bleed, at the printer's resolution. So a picture in
    portrait or landscape orientation is sharp enough when it fills the page and is cropped. Larger pictures
    are reduced to this size.
    """
    dpi = profile.limits.image_dpi if profile else _USUAL_DPI
    return (max(spec.page.trim.size) + _BLEED_PT) / 72 * max(dpi, _USUAL_DPI)


def read_picture(
    spec: BookSpec, key: str, name: str, pixels: float, read: PhotoReader = read_photo
) -> OwnPicture:
    """Read a picture, and reduce it if its shorter side has more pixels than a page needs.

    Args:
        spec: the spec that names the picture.
        key: the key of the spec that names the picture, for messages.
        name: the path of the picture's file, as written in the spec.
        pixels: the maximum number of pixels on the shorter side.
        read: the function that reads the file. Reading a picture of 12 megapixels takes seconds. If the
            content of the picture does not matter, pass ``blank_photo``, which at once returns a white
            picture of the same size.
    Raises:
        UsageError: the picture can't be read.
    """
    with _opened(spec, key, name) as file:
        content, whole, reduced = read(file, pixels)
    return OwnPicture(name, content, reduced, whole)


@contextmanager
def _opened(spec: BookSpec, key: str, name: str) -> Iterator[BinaryIO]:
    try:
        with open_named(spec.folder / name, key, _MAX_PICTURE_MB, ". Save it as JPEG.") as file:
            yield file
    except NoPictureError as error:
        raise UsageError(f"{name} {error}. Save it as JPEG or PNG.", key) from None
