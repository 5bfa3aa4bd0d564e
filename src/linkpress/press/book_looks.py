"""What a book looks like: its theme, its fonts and its cover's design, read from their files."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from linkpress.book.cover_keys import LEAST_CONTRAST, ArtBoard, CoverDesign, TitleFace
from linkpress.book.spec import BookSpec
from linkpress.documents.inks import BLACK, PAPER, Ink, contrast
from linkpress.documents.models import load_named
from linkpress.documents.shipped_files import COVERS, PRINTERS, beside
from linkpress.errors import UsageError
from linkpress.layout.frame import FontKey
from linkpress.layout.pictures import is_printed_grey
from linkpress.layout.theme import Theme, theme_of
from linkpress.printers.profile import PrinterProfile
from linkpress.render.font_files import Faces, ShippedFont, load_faces
from linkpress.render.fonts import FontMeasure

_TITLE_FONTS = {TitleFace.HEAVY: ShippedFont.BRICOLAGE, TitleFace.SERIF: ShippedFont.FRAUNCES}


class LoadedLooks(NamedTuple):
    """A book's looks.

    Args:
        design: of its cover in one palette, None for the plain one.
    """

    theme: Theme
    faces: Faces
    design: CoverDesign | None = None


def load_profile(spec: BookSpec, folder: Path) -> PrinterProfile:
    """Load the profile of the printer that a spec names; raise as ``load_named`` does."""
    return load_named(beside(spec.page.printer, folder), PRINTERS, PrinterProfile, "page.printer")


def load_looks(spec: BookSpec, folder: Path) -> LoadedLooks:
    """Load what a spec looks like.

    Raises:
        UsageError: no such theme or design, or a font that can't be used, with the reason.
        SpecError: the file of the theme or of the design has faults; lists all of them.
    """
    theme, design = theme_of(spec, folder), design_of(spec, folder)
    return LoadedLooks(theme, faces_of(spec, folder, theme, design), design)


def design_of(spec: BookSpec, folder: Path) -> CoverDesign | None:
    """Load the design of a spec's cover, in the palette of its volume; None for the plain one.

    Raises:
        UsageError: no such design; names the key.
    """
    if spec.cover is None or spec.cover.design is None:
        return None
    design = load_named(beside(spec.cover.design, folder), COVERS, CoverDesign, "cover.design")
    if spec.cover.initial is not None and design.art.board is not ArtBoard.COUNT:
        advice = "choose `design: initial`, or leave this out"
        raise UsageError(f"the art of the design {design.name} has no letters; {advice}.", "cover.initial")
    return design.in_palette(spec.cover.palette or spec.volume or 1)


def faces_of(spec: BookSpec, folder: Path, theme: Theme | None, design: CoverDesign | None) -> Faces:
    """Load a book's own fonts or those that are shipped.

    Args:
        theme: None where it could not be read.
        design: its title's face has the title where it has all its letters; the semibold one else.
    Raises:
        UsageError: a font that can't be used, with the reason.
    """
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
    """Return the colours of the title page: those of the cover's design where the interior has colour.

    Returns:
        That of the title first, which is read on paper, then those of lines; none for the theme's.
    """
    if looks.design is None or is_printed_grey(spec.page, profile):
        return ()
    (palette,) = looks.design.palettes
    inks = (palette.title, palette.ground, palette.words, BLACK)
    read = (ink for ink in inks if ink and contrast(ink.rgb, PAPER.rgb) >= LEAST_CONTRAST)
    return next(read), *palette.lines


def measure_of(spec: BookSpec, faces: Faces) -> FontMeasure:
    """Return a measure of words in a book's fonts and its language."""
    return FontMeasure(faces, spec.wording().language)
