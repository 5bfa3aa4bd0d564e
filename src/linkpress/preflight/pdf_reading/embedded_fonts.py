"""This module reads fonts as far as checks need them: embedded or not, and the glyphs of Type 3."""

from __future__ import annotations

import io
from dataclasses import dataclass, field

import pikepdf

from linkpress.preflight.pdf_reading.matrices import Matrix
from linkpress.preflight.pdf_reading.objects import (
    dictionary,
    elements,
    entry,
    is_number,
    matrix_of,
    name,
    named,
    number,
)

_EMBEDDED = ("/FontFile", "/FontFile2", "/FontFile3")
_LOADED_PX = 10


@dataclass(eq=False)
class Font:
    """A font stands among a page's resources; its glyphs, matrix and resources are those of Type 3."""

    is_type3: bool = False
    glyphs: dict[int, pikepdf.Stream] = field(default_factory=dict)
    matrix: Matrix = (0.001, 0.0, 0.0, 0.001, 0.0, 0.0)
    resources: object = None
    is_shown: bool = False


def read_font(value: object) -> Font:
    """Read a font dictionary, whatever state it is in."""
    font = Font(is_type3=named(value, "/Subtype") == "/Type3")
    if not font.is_type3:
        return font
    font.matrix = matrix_of(value, "/FontMatrix", font.matrix)
    font.resources = entry(value, "/Resources")
    procedures, code = dictionary(entry(value, "/CharProcs")), 0
    for item in elements(entry(entry(value, "/Encoding"), "/Differences")):
        if is_number(item):
            code = int(number(item))
            continue
        glyph = entry(procedures, name(item))
        if isinstance(glyph, pikepdf.Stream):
            font.glyphs[code] = glyph
        code += 1
    return font


def is_embedded(value: object) -> bool:
    """Tell whether a font's glyphs are in the file."""
    kind = named(value, "/Subtype")
    if kind == "/Type3":
        return True
    if kind == "/Type0":
        descendants = elements(entry(value, "/DescendantFonts"))
        return bool(descendants) and all(_has_file(item) for item in descendants)
    return _has_file(value)


def is_loadable(value: object) -> bool:
    """Tell whether FreeType, by way of Pillow, reads the glyphs that a font embeds; True without any."""
    from PIL import ImageFont

    for face in [value, *elements(entry(value, "/DescendantFonts"), 8)]:
        for key in _EMBEDDED:
            stream = entry(entry(face, "/FontDescriptor"), key)
            if isinstance(stream, pikepdf.Stream):
                try:
                    ImageFont.truetype(io.BytesIO(stream.read_bytes()), _LOADED_PX)
                except (OSError, pikepdf.PdfError):
                    return False
    return True


def _has_file(value: object) -> bool:
    descriptor = entry(value, "/FontDescriptor")
    return any(isinstance(entry(descriptor, key), pikepdf.Stream) for key in _EMBEDDED)
