"""Fonts as far as checks need them: embedded or not, the glyphs of Type 3, and bounds for PDFium."""

from __future__ import annotations

import io
import re
import zlib
from dataclasses import dataclass, field

import pikepdf

from linkpress.preflight.pdf_reading.limits import TooMuchError, unpacked
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
_MAX_MAP_BYTES = 1024 * 1024
_MAX_MAPPED = 1_000_000  # ranges may overlap without end; no honest font comes near
_RANGES = re.compile(rb"begin(?:bf|cid)range")
_RANGE = re.compile(rb"<([0-9A-Fa-f]{1,8})>\s*<([0-9A-Fa-f]{1,8})>\s*[<\[0-9]")
_NUMBERS_A_COST = 4  # widths of a font that take as long to read as an operator


@dataclass(eq=False)
class Font:
    """One font of a page's resources.

    Args:
        cost: what reading it takes, in operators.
        is_type3: whether its glyphs are drawn by content streams.
        glyphs: a Type 3 font's streams by code.
        matrix: a Type 3 font's glyph space.
        resources: a Type 3 font's own.
    """

    cost: int = 0
    is_type3: bool = False
    glyphs: dict[int, pikepdf.Stream] = field(default_factory=dict)
    matrix: Matrix = (0.001, 0.0, 0.0, 0.001, 0.0, 0.0)
    resources: object = None


def read_font(value: object) -> Font:
    """Read a font dictionary, whatever state it is in.

    Raises:
        TooMuchError: it maps so many codes that PDFium would not come back.
    """
    faces = [value, *elements(entry(value, "/DescendantFonts"), 8)]
    for key in ("/ToUnicode", "/Encoding"):
        _check_map(entry(value, key))
    widths = [entry(face, key) for face in faces for key in ("/Widths", "/W")]
    listed = sum(len(found) for found in widths if isinstance(found, pikepdf.Array))
    font = Font(cost=listed // _NUMBERS_A_COST)
    if named(value, "/Subtype") == "/Type3":
        _read_type3(font, value)
    return font


def is_embedded(value: object) -> bool:
    """Return whether a font's glyphs are in the file."""
    kind = named(value, "/Subtype")
    if kind == "/Type3":
        return True
    if kind == "/Type0":
        descendants = elements(entry(value, "/DescendantFonts"))
        return bool(descendants) and all(_has_file(item) for item in descendants)
    return _has_file(value)


def is_loadable(value: object) -> bool:
    """Return whether FreeType, by way of Pillow, reads the glyphs that a font embeds; True without any."""
    from PIL import ImageFont

    for face in [value, *elements(entry(value, "/DescendantFonts"), 8)]:
        for key in _EMBEDDED:
            stream = entry(entry(face, "/FontDescriptor"), key)
            if isinstance(stream, pikepdf.Stream):
                try:
                    ImageFont.truetype(io.BytesIO(unpacked(stream)), _LOADED_PX)
                except (OSError, pikepdf.PdfError, zlib.error):
                    return False
    return True


def _has_file(value: object) -> bool:
    descriptor = entry(value, "/FontDescriptor")
    return any(isinstance(entry(descriptor, key), pikepdf.Stream) for key in _EMBEDDED)


def _check_map(stream: object) -> None:
    """Refuse a map of codes that is too large to be read."""
    if not isinstance(stream, pikepdf.Stream):
        return
    data = unpacked(stream, _MAX_MAP_BYTES)
    sections = (part.partition(b"end")[0] for part in _RANGES.split(data)[1:])
    ranges = (found for section in sections for found in _RANGE.findall(section))
    mapped = sum(max(0, int(high, 16) - int(low, 16)) for low, high in ranges)
    if mapped > _MAX_MAPPED:
        raise TooMuchError("a font's map of codes without end")


def _read_type3(font: Font, value: object) -> None:
    font.is_type3 = True
    font.matrix = matrix_of(value, "/FontMatrix", font.matrix)
    font.resources = entry(value, "/Resources")
    procedures = dictionary(entry(value, "/CharProcs"))
    code = 0
    for item in elements(entry(entry(value, "/Encoding"), "/Differences")):
        if is_number(item):
            code = int(number(item))
            continue
        glyph = entry(procedures, name(item))
        if isinstance(glyph, pikepdf.Stream):
            font.glyphs[code] = glyph
        code += 1
