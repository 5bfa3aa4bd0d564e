"""Font files, shipped or the user's own, are registered with ReportLab, once in each process."""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from linkpress.book.printing_keys import Embed, FontsSpec, ThaiFace
from linkpress.documents.shipped_files import read_named
from linkpress.errors import InstallationError, UsageError
from linkpress.files import reason
from linkpress.layout.frame import FontKey
from linkpress.resources import REINSTALL, resource


class ShippedFont(StrEnum):
    """These fonts are a part of linkpress, by the names they are registered under."""

    PLEX = "IBMPlexSans"
    PLEX_SEMIBOLD = "IBMPlexSans-SemiBold"
    PLEX_ITALIC = "IBMPlexSans-Italic"
    PLEX_THAI = "IBMPlexSansThai"
    PLEX_THAI_SEMIBOLD = "IBMPlexSansThai-SemiBold"
    PLEX_THAI_LOOPED = "IBMPlexSansThaiLooped"
    PLEX_THAI_LOOPED_SEMIBOLD = "IBMPlexSansThaiLooped-SemiBold"
    BRICOLAGE = "BricolageGrotesque-ExtraBold"
    FRAUNCES = "Fraunces-Bold"


# The family, as a browser or desktop knows it, the file and its CRC-32.
_SHIPPED = {
    ShippedFont.PLEX: ("IBM Plex Sans", "ibm-plex-sans/IBMPlexSans-Regular.ttf", 0xDC6E6EE3),
    ShippedFont.PLEX_SEMIBOLD: ("IBM Plex Sans", "ibm-plex-sans/IBMPlexSans-SemiBold.ttf", 0xA5018FDF),
    ShippedFont.PLEX_ITALIC: ("IBM Plex Sans", "ibm-plex-sans/IBMPlexSans-Italic.ttf", 0x57CD7DD8),
    ShippedFont.PLEX_THAI: (
        "IBM Plex Sans Thai", "ibm-plex-sans-thai/IBMPlexSansThai-Regular.ttf", 0xC8E2D7EF
    ),
    ShippedFont.PLEX_THAI_SEMIBOLD: (
        "IBM Plex Sans Thai", "ibm-plex-sans-thai/IBMPlexSansThai-SemiBold.ttf", 0x0C5B55F1
    ),
    ShippedFont.PLEX_THAI_LOOPED: (
        "IBM Plex Sans Thai Looped", "ibm-plex-sans-thai-looped/IBMPlexSansThaiLooped-Regular.ttf", 0xEA4206DB
    ),
    ShippedFont.PLEX_THAI_LOOPED_SEMIBOLD: (
        "IBM Plex Sans Thai Looped",
        "ibm-plex-sans-thai-looped/IBMPlexSansThaiLooped-SemiBold.ttf",
        0xD78DEEEC,
    ),
    ShippedFont.BRICOLAGE: (
        "Bricolage Grotesque", "bricolage-grotesque/BricolageGrotesque-ExtraBold.ttf", 0x9F133ECA
    ),
    ShippedFont.FRAUNCES: ("Fraunces", "fraunces/Fraunces-Bold.ttf", 0x7CB7F5C8),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class OwnFont:
    """A font of the user's own has its file's digest, so that one that was changed is read again."""

    path: Path
    digest: str

    @property
    def value(self) -> str:
        """Return the name under which the font is registered."""
        return f"Own-{self.digest[:16]}"


FontFile = ShippedFont | OwnFont


@dataclass(frozen=True, slots=True)
class Faces:
    """Each face of a book takes these fonts in turn; ``full`` says whether a PDF holds them whole."""

    files: Mapping[FontKey, tuple[FontFile, ...]]
    full: bool = False


SHIPPED = Faces(
    {
        FontKey.REGULAR: (ShippedFont.PLEX, ShippedFont.PLEX_THAI),
        FontKey.SEMIBOLD: (ShippedFont.PLEX_SEMIBOLD, ShippedFont.PLEX_THAI_SEMIBOLD),
        FontKey.ITALIC: (ShippedFont.PLEX_ITALIC,),
    }
)
_WITH_LOOPS: dict[FontFile, FontFile] = {
    ShippedFont.PLEX_THAI: ShippedFont.PLEX_THAI_LOOPED,
    ShippedFont.PLEX_THAI_SEMIBOLD: ShippedFont.PLEX_THAI_LOOPED_SEMIBOLD,
}
LOOPED = frozenset(_WITH_LOOPS.values())
_REFUSALS = {0x0002: "a restricted licence", 0x0200: "bitmaps only"}  # OpenType, OS/2, fsType
_NO_SUBSETS = 0x0100
_MOST_FONT_MB = 40


def load_faces(fonts: FontsSpec | None, folder: Path, looped: bool = False) -> Faces:
    """Load the fonts of a spec, with loops in Thai if it or the caller says so; raise as ``own_font``."""
    fonts = fonts or FontsSpec()
    files = {name: folder / file for name, file in fonts.files.items()}
    faces = book_faces(files, full=fonts.embed is Embed.FULL)
    if fonts.thai is ThaiFace.LOOPLESS or not (fonts.thai or looped):
        return faces
    return Faces(
        {key: tuple(_WITH_LOOPS.get(file, file) for file in chain) for key, chain in faces.files.items()},
        faces.full,
    )


def book_faces(own: Mapping[str, Path], full: bool = False) -> Faces:
    """Return the faces of a book with its own fonts, each of which replaces the fonts of all languages.

    Args:
        own: files by their keys, all of which may be left out: ``regular``; ``semibold``, else the regular
            one; ``italic``, else none beside a regular one; ``fallback`` for what the others lack,
            and ``fallback_semibold`` for what the semibold one lacks, before that.
    Raises:
        UsageError: a file that can't be used, with the reason.
    """
    given = {key: own_font(path, f"fonts.{key}", full) for key, path in own.items()}
    files: dict[FontKey, tuple[FontFile, ...]] = dict(SHIPPED.files)
    if "regular" in given:
        files = dict.fromkeys((FontKey.REGULAR, FontKey.SEMIBOLD), (given["regular"],))
    files |= {key: (given[key.value],) for key in (FontKey.SEMIBOLD, FontKey.ITALIC) if key.value in given}
    if "fallback_semibold" in given:
        files[FontKey.SEMIBOLD] += (given["fallback_semibold"],)
    if "fallback" in given:
        files = {key: (*chain, given["fallback"]) for key, chain in files.items()}
    return Faces(files, full)


def own_font(path: Path, key: str, full: bool = False) -> OwnFont:
    """Read a user's own font once; raise ``UsageError``, with the reason, if it can't be used."""
    content = read_named(path, key, _MOST_FONT_MB, ", more than any font for a book.")
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
    refused = next((why for bit, why in _REFUSALS.items() if rights & bit), None)
    if refused:
        raise UsageError(
            f"{path.name} forbids embedding ({refused}; fsType {rights:#06x}), and a "
            "printer takes embedded fonts only. Choose a font whose licence allows it, or ask its maker for "
            "such a version.",
            key,
        )
    if rights & _NO_SUBSETS and not full:
        raise UsageError(
            f"{path.name} may be embedded as a whole only (no subsets; fsType {rights:#06x}). Set "
            "fonts.embed to full, or choose another font.",
            key,
        )
    return used


@cache
def font(key: FontFile) -> TTFont:
    """Return a registered font; raise ``InstallationError`` where a shipped file is not as it was shipped."""
    if isinstance(key, OwnFont):
        own = TTFont(key.value, str(key.path))
        pdfmetrics.registerFont(own)
        return own
    _, name, crc = _SHIPPED[key]
    path = resource("fonts", *name.split("/"))
    try:
        if zlib.crc32(path.read_bytes()) != crc:  # half a font makes blank pages
            raise ValueError("its checksum is another")
        made = TTFont(key.value, str(path))
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


def family_of(file: FontFile) -> str:
    """Return the family of a font, as a browser or desktop knows it."""
    return _SHIPPED[file][0] if isinstance(file, ShippedFont) else font(file).face.familyName.decode()
