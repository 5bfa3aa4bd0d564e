"""The fonts of a book: registered with ReportLab, measured for layout.

One font file is read once per process. Ink bounds come from the glyph headers of the ``glyf``
table, which TrueType keeps for every outline.
"""

from __future__ import annotations

import hashlib
import struct
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from linkpress.errors import InstallationError, UsageError
from linkpress.files import TooLargeError, read_within, reason
from linkpress.layout.frame import FontKey
from linkpress.layout.measure import InkBox
from linkpress.resources import REINSTALL, resource


class _Face(NamedTuple):
    """Where a face's file lies under ``fonts``, and how a browser or desktop asks for the face."""

    file: str
    family: str
    weight: str


_FACES = {
    FontKey.REGULAR: _Face("ibm-plex-sans/IBMPlexSans-Regular.ttf", "IBM Plex Sans", "400"),
    FontKey.SEMIBOLD: _Face("ibm-plex-sans/IBMPlexSans-SemiBold.ttf", "IBM Plex Sans", "600"),
    FontKey.THAI: _Face("ibm-plex-sans-thai/IBMPlexSansThai-Regular.ttf", "IBM Plex Sans Thai", "400"),
    FontKey.THAI_SEMIBOLD: _Face(
        "ibm-plex-sans-thai/IBMPlexSansThai-SemiBold.ttf", "IBM Plex Sans Thai", "600"
    ),
}
_EM = 1000  # ReportLab gives widths in thousandths of the size


@dataclass(frozen=True, slots=True)
class OwnFont:
    """A font of the user's own.

    Args:
        digest: of the file, so that one that was changed is read again.
    """

    path: Path
    digest: str

    @property
    def value(self) -> str:
        """Its name among the registered fonts."""
        return f"Own-{self.digest[:16]}"


Used = FontKey | OwnFont
Faces = Mapping[FontKey, Used]
SHIPPED: Faces = MappingProxyType({key: key for key in FontKey if key is not FontKey.ITALIC})
_RESTRICTED, _NO_SUBSETS, _BITMAPS_ONLY = 0x0002, 0x0100, 0x0200  # OpenType, OS/2, fsType
_MOST_FONT_MB = 40


def own_faces(regular: Path, semibold: Path | None, italic: Path | None) -> Faces:
    """The faces of a book with fonts of its own; they stand for those of all languages.

    Args:
        semibold: the regular one if None.
        italic: there is none if None.
    Raises:
        UsageError: a file that can't be used, with the reason.
    """
    plain = own_font(regular, "fonts.regular")
    strong = own_font(semibold, "fonts.semibold") if semibold else plain
    faces: dict[FontKey, Used] = {
        FontKey.REGULAR: plain, FontKey.THAI: plain,
        FontKey.SEMIBOLD: strong, FontKey.THAI_SEMIBOLD: strong,
    }  # fmt: skip
    if italic:
        faces[FontKey.ITALIC] = own_font(italic, "fonts.italic")
    return faces


def own_font(path: Path, key: str) -> OwnFont:
    """A font of the user's own, read once.

    Args:
        key: of the spec, for messages.
    Raises:
        UsageError: it can't be used; says why.
    """
    try:
        content = read_within(path, _MOST_FONT_MB << 20)
    except TooLargeError:
        raise UsageError(f"{path} is over {_MOST_FONT_MB} MB, more than any font for a book.", key) from None
    except OSError as fault:
        raise UsageError(
            f"{path} can't be read: {reason(fault)}. Paths start from the spec's folder.", key
        ) from fault
    if content[:4] == b"OTTO":
        raise UsageError(
            f"{path.name} has PostScript outlines (CFF), which can't be embedded here. Take the "
            "family's TrueType version, usually a .ttf file.",
            key,
        )
    used = OwnFont(path, hashlib.sha256(content).hexdigest())
    try:
        made = font(used)
        rights = struct.unpack(">H", made.face.get_table("OS/2")[8:10])[0]
    except Exception as fault:  # whatever its reader comes upon
        raise UsageError(
            f"{path.name} can't be used as a TrueType font: {fault}. Take another file of the font.", key
        ) from fault
    if rights & (_RESTRICTED | _NO_SUBSETS | _BITMAPS_ONLY):
        raise UsageError(
            f"{path.name} forbids embedding ({_refusal(rights)}; fsType {rights:#06x}), and a "
            "printer takes embedded fonts only. Choose a font whose licence allows it, or ask its maker for "
            "such a version.",
            key,
        )
    return used


def _refusal(rights: int) -> str:
    if rights & _RESTRICTED:
        return "a restricted licence"
    return "no subsets" if rights & _NO_SUBSETS else "bitmaps only"


@cache
def font(key: Used) -> TTFont:
    """A registered font.

    Raises:
        InstallationError: a shipped file is missing, can't be read, or is not what was shipped.
        Exception: as ReportLab has it, for a font of the user's own.
    """
    if isinstance(key, OwnFont):
        own = TTFont(key.value, str(key.path))
        pdfmetrics.registerFont(own)
        return own
    path = resource("fonts", *_FACES[key].file.split("/"))
    try:
        made = TTFont(key.value, str(path), validate=1)  # sums included: half a font makes blank pages
    except Exception as fault:  # whatever its reader comes upon
        raise InstallationError(
            f"the font {path} can't be used: {_why_unreadable(path, fault)}. It is a part of linkpress: "
            f"change its permissions if it may not be read, else put it back with '{REINSTALL}'."
        ) from fault
    pdfmetrics.registerFont(made)
    return made


def _why_unreadable(path: Path, fault: Exception) -> str:
    try:
        with path.open("rb") as file:
            file.read(1)
    except OSError as refusal:
        return reason(refusal)
    return f"it is damaged ({fault})"


def css_font(key: FontKey) -> tuple[str, str]:
    """Family and weight of a face, as a browser or desktop knows them."""
    return _FACES[key].family, _FACES[key].weight


class FontMeasure:
    """The ``Measure`` that layout asks, answering from the font files.

    Args:
        faces: of the book.
    """

    def __init__(self, faces: Faces = SHIPPED) -> None:
        self._faces = faces

    def width(self, text: str, font: FontKey, size_pt: float) -> float:
        """The advance of a text, in points, without tracking."""
        return _advance(text, self._faces[font]) * size_pt

    def ink(self, text: str, font: FontKey, size_pt: float) -> InkBox:
        """The box around the ink of a text, in points; an empty text has an empty box."""
        box = _ink(text, self._faces[font])
        return InkBox(box[0] * size_pt, box[1] * size_pt, box[2] * size_pt, box[3] * size_pt)

    def missing(self, text: str, font: FontKey) -> str:
        """The characters of a text that the font has no glyph for, each once, in order."""
        return _missing(text, self._faces[font]) if font in self._faces else text


@lru_cache(maxsize=20_000)
def _advance(text: str, key: Used) -> float:
    face = font(key).face
    units: float = sum(face.charWidths.get(ord(char), face.defaultWidth) for char in text)
    return units / _EM


@lru_cache(maxsize=5_000)
def _ink(text: str, key: Used) -> InkBox:
    face = font(key).face
    pen = 0.0
    boxes: list[InkBox] = []
    for char in text:
        box = _glyph_box(ord(char), key)
        if box is not None:
            boxes.append(InkBox(pen + box[0], box[1], pen + box[2], box[3]))
        pen += face.charWidths.get(ord(char), face.defaultWidth) / _EM
    if not boxes:
        return InkBox(0.0, 0.0, 0.0, 0.0)
    return InkBox(
        min(box.left for box in boxes),
        min(box.bottom for box in boxes),
        max(box.right for box in boxes),
        max(box.top for box in boxes),
    )


@lru_cache(maxsize=5_000)
def _glyph_box(code: int, key: Used) -> InkBox | None:
    """The box of one glyph in ems, None where it has no ink. Source: OpenType, "glyf" header."""
    face = font(key).face
    glyph = face.charToGlyph.get(code, 0)
    start, end = face.glyphPos[glyph], face.glyphPos[glyph + 1]
    if end - start < 10:
        return None
    header = face.get_table("glyf")[start : start + 10]
    _, left, bottom, right, top = struct.unpack(">5h", header)
    em = face.unitsPerEm
    return InkBox(left / em, bottom / em, right / em, top / em)


@lru_cache(maxsize=5_000)
def _missing(text: str, key: Used) -> str:
    known = font(key).face.charToGlyph
    return "".join(dict.fromkeys(char for char in text if ord(char) not in known or _is_nobodys(char)))


def _is_nobodys(char: str) -> bool:
    """Whether a code stands for no character, though fonts keep signs of their own there."""
    return unicodedata.category(char) in ("Co", "Cn")
