"""Load fonts, measure text, and find the glyphs of each line.

Layout and the PDF both take text widths from this module, so they always agree. Latin, Greek and Cyrillic
letters are placed next to each other by their widths alone. Text in all other scripts, and letters with
combining marks, are shaped by HarfBuzz.

Terms:
    face: one of the book's styles of type, such as regular or semibold (``FontKey``). A face has a list of
        fonts. For each text, the first font that has a glyph is used.
    run: a part of a line in one font and one script.
    cluster: characters whose glyphs can't be separated, such as a letter with a mark above it.

Source:
    HarfBuzz manual, "Clusters"; Unicode UAX #24, "Script run segmentation".
"""

from __future__ import annotations

import hashlib
import io
import struct
import unicodedata
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache, lru_cache, partialmethod
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

import uharfbuzz
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from linkpress.book.printing_keys import Embed, FontsSpec, ThaiFace
from linkpress.documents.shipped_files import read_named
from linkpress.errors import InstallationError, UsageError
from linkpress.files import reason
from linkpress.layout.frame import FontKey
from linkpress.layout.text_flow import FIRST_COMBINING, InkBox, is_combining
from linkpress.resources import REINSTALL, resource

# Font files


class ShippedFont(StrEnum):
    """Fonts that are included in linkpress, by the names under which ReportLab knows them."""

    PLEX = "IBMPlexSans"
    PLEX_SEMIBOLD = "IBMPlexSans-SemiBold"
    PLEX_ITALIC = "IBMPlexSans-Italic"
    PLEX_THAI = "IBMPlexSansThai"
    PLEX_THAI_SEMIBOLD = "IBMPlexSansThai-SemiBold"
    PLEX_THAI_LOOPED = "IBMPlexSansThaiLooped"
    PLEX_THAI_LOOPED_SEMIBOLD = "IBMPlexSansThaiLooped-SemiBold"
    BRICOLAGE = "BricolageGrotesque-ExtraBold"
    FRAUNCES = "Fraunces-Bold"


# For each font that is included in linkpress: its family name, as browsers and desktops know it, its file,
# and the file's CRC-32.
_SHIPPED_FILES = {
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
    """Font file that the user has provided.

    Args:
        path: the font file.
        digest: the SHA-256 of the file, so that a changed file counts as another font.
        axes: for a variable font, the value of each axis that is not left at its default.
    """

    path: Path
    digest: str
    axes: tuple[tuple[str, float], ...] = ()

    @property
    def value(self) -> str:
        return "-".join(["Own", self.digest[:16], *(f"{tag}{value:g}" for tag, value in self.axes)])


FontFile = ShippedFont | OwnFont


@dataclass(frozen=True, slots=True)
class Faces:
    """The fonts of a book. A face is a style of type, such as regular or semibold.

    Args:
        files: the fonts of each face, in the order in which they are tried.
        full: whether a PDF embeds whole fonts instead of subsets.
    """

    files: Mapping[FontKey, tuple[FontFile, ...]]
    full: bool = False


SHIPPED = Faces(
    {
        FontKey.REGULAR: (ShippedFont.PLEX, ShippedFont.PLEX_THAI),
        FontKey.SEMIBOLD: (ShippedFont.PLEX_SEMIBOLD, ShippedFont.PLEX_THAI_SEMIBOLD),
        FontKey.ITALIC: (ShippedFont.PLEX_ITALIC,),
    }
)
_LOOPED_VERSION: dict[FontFile, FontFile] = {
    ShippedFont.PLEX_THAI: ShippedFont.PLEX_THAI_LOOPED,
    ShippedFont.PLEX_THAI_SEMIBOLD: ShippedFont.PLEX_THAI_LOOPED_SEMIBOLD,
}
LOOPED = frozenset(_LOOPED_VERSION.values())
# Bits of the field fsType in OpenType's OS/2 table that forbid embedding the font.
_NO_EMBEDDING = {0x0002: "a restricted licence", 0x0200: "bitmaps only"}
_NO_SUBSETTING = 0x0100
_REGULAR, _SEMIBOLD = 400, 600  # font weights, as values on the axis ``wght`` of variable fonts
_MAX_FONT_MB = 40  # larger font files are refused with a message


def load_faces(fonts: FontsSpec | None, folder: Path, looped: bool = False) -> Faces:
    """Load the fonts that the spec of a book names.

    Args:
        fonts: the section ``fonts`` of the spec; None for the fonts included in linkpress.
        folder: the folder that relative paths start from.
        looped: whether Thai letters have loops, unless the spec says otherwise.
    Raises:
        UsageError: a font file can't be used.
    """
    fonts = fonts or FontsSpec.model_construct()
    files = {name: folder / file for name, file in fonts.files.items()}
    faces = book_faces(files, full=fonts.embed is Embed.FULL)
    if fonts.thai is ThaiFace.LOOPLESS or not (fonts.thai or looped):
        return faces
    with_loops = {
        key: tuple(_LOOPED_VERSION.get(file, file) for file in files) for key, files in faces.files.items()
    }
    return Faces(with_loops, faces.full)


def book_faces(own: Mapping[str, Path], full: bool = False) -> Faces:
    """Return the faces of a book that has fonts of its own. They replace the included fonts of all languages.

    A face is a style of type, such as regular or semibold.

    Args:
        own: font files by their keys. All keys are optional:

            - ``regular``: regular type; also semibold type if ``semibold`` is not given
            - ``semibold``: semibold type
            - ``italic``: italic type
            - ``fallback``: characters that the other fonts lack
            - ``fallback_semibold``: characters that the semibold font lacks; tried before ``fallback``
        full: whether a PDF embeds whole fonts.
    Raises:
        UsageError: a font file can't be used.
    """
    given = {key: own_font(path, f"fonts.{key}", full) for key, path in own.items()}
    files: dict[FontKey, tuple[FontFile, ...]] = dict(SHIPPED.files)
    if "regular" in given:
        # The included semibold and italic fonts don't match a regular font of the user. So make a semibold
        # font from it, and use no italic.
        semibold = _heavier(given["regular"])
        files = {FontKey.REGULAR: (given["regular"],), FontKey.SEMIBOLD: (semibold,)}
    files |= {key: (given[key.value],) for key in (FontKey.SEMIBOLD, FontKey.ITALIC) if key.value in given}
    if "fallback_semibold" in given:
        files[FontKey.SEMIBOLD] += (given["fallback_semibold"],)
    if "fallback" in given:
        files = {key: (*fonts, given["fallback"]) for key, fonts in files.items()}
    return Faces(files, full)


def own_font(path: Path, key: str, full: bool = False) -> OwnFont:
    """Load a font file that the user has provided.

    Args:
        path: the font file.
        key: the key of the spec that names the file, for messages.
        full: whether a PDF embeds the whole font.
    Raises:
        UsageError: the file is not a TrueType font, or its licence forbids embedding it.
    """
    content = read_named(path, key, _MAX_FONT_MB, ", more than any font for a book.")
    if content[:4] == b"OTTO":
        raise UsageError(
            f"{path.name} has PostScript outlines (CFF), which linkpress can't embed. Take the "
            "family's TrueType version, usually a .ttf file.",
            key,
        )
    own = OwnFont(path, hashlib.sha256(content).hexdigest())
    try:
        own = replace(own, axes=_axes_for(content, key))
        rights = struct.unpack(">H", font(own).face.get_table("OS/2")[8:10])[0]
    except _WeightError as error:
        raise UsageError(f"{path.name} {error}", key) from None
    except Exception as error:  # a damaged font file can raise almost any exception in ReportLab
        raise UsageError(
            f"{path.name} can't be used as a TrueType font: {error}. Take another file of the font.", key
        ) from error
    refusal = next((why for bit, why in _NO_EMBEDDING.items() if rights & bit), None)
    if refusal:
        raise UsageError(
            f"{path.name} forbids embedding ({refusal}; fsType {rights:#06x}), and printers "
            "accept embedded fonts only. Choose a font whose licence allows embedding, or ask its maker for "
            "one.",
            key,
        )
    if rights & _NO_SUBSETTING and not full:
        raise UsageError(
            f"{path.name} may be embedded as a whole only (no subsets; fsType {rights:#06x}). Set "
            "fonts.embed to full, or choose another font.",
            key,
        )
    return own


class _WeightError(ValueError):
    """Error: a variable font does not have the weight that is needed, such as semibold."""


def _axes_for(content: bytes, key: str) -> tuple[tuple[str, float], ...]:
    """Return the axis values of a variable font that suit a key of the spec, such as ``semibold``.

    Return nothing for fonts that are not variable.
    """
    face = uharfbuzz.Face(uharfbuzz.Blob(content))
    axes = {axis.tag: axis for axis in face.axis_infos} if face.has_var_data else {}
    values: dict[str, float] = {}
    if weight := axes.get("wght"):
        least = _SEMIBOLD if key.endswith("semibold") else _REGULAR
        if weight.max_value < least:
            raise _WeightError(
                f"has weights up to {weight.max_value:g} only, and {least} is needed here. Name another file "
                "of the font."
            )
        values["wght"] = max(least, weight.min_value)
    if key.endswith("italic"):
        values |= {"ital": axes["ital"].max_value} if "ital" in axes else {}
        values |= {"slnt": axes["slnt"].min_value} if "slnt" in axes else {}
    # The code above has set none of the axes of this variable font. An empty result would mean that the font
    # is not variable. So return one axis with its default value. All other axes then get their defaults too.
    if axes and not values:
        axis = next(iter(axes.values()))
        values[axis.tag] = axis.default_value
    return tuple(values.items())


def _heavier(regular: OwnFont) -> OwnFont:
    """Return the semibold weight of a variable font. A font that is not variable is returned unchanged."""
    if "wght" not in dict(regular.axes):
        return regular
    weight = next(axis for axis in _face_of(regular.path).axis_infos if axis.tag == "wght")
    return replace(regular, axes=(("wght", min(_SEMIBOLD, weight.max_value)),))


def _face_of(path: Path) -> uharfbuzz.Face:
    return uharfbuzz.Face(uharfbuzz.Blob(path.read_bytes()))


@cache
def font_blob(file: FontFile) -> uharfbuzz.Blob:
    """Return the content of a font file. The axes of a variable font are set to fixed values."""
    if isinstance(file, OwnFont) and file.axes:
        return _instance(file)
    return uharfbuzz.Blob.from_file_path(font(file).face.filename)


def _instance(own: OwnFont) -> uharfbuzz.Blob:
    face, subset = _face_of(own.path), uharfbuzz.SubsetInput()
    subset.keep_everything()
    subset.pin_all_axes_to_default(face)
    for tag, value in own.axes:
        subset.pin_axis_location(face, tag, value)
    return subset.subset(face).blob


@cache
def font(key: FontFile) -> TTFont:
    """Load a font, unless it is already loaded, and register it with ReportLab.

    Raises:
        InstallationError: a font file of linkpress can't be read or was changed.
    """
    if isinstance(key, OwnFont):
        loaded = TTFont(key.value, io.BytesIO(font_blob(key).data) if key.axes else str(key.path))
        pdfmetrics.registerFont(loaded)
        return loaded
    _, name, crc = _SHIPPED_FILES[key]
    path = resource("fonts", *name.split("/"))
    try:
        # check the file, because ReportLab makes blank pages from a truncated font
        if zlib.crc32(path.read_bytes()) != crc:
            raise ValueError("its checksum is wrong")
        loaded = TTFont(key.value, str(path))
    except Exception as error:  # a damaged font file can raise almost any exception in ReportLab
        raise InstallationError(
            f"the font {path} can't be used: {_why_unreadable(path, error)}. It is a part of linkpress: "
            f"change its permissions if it may not be read, else put it back with '{REINSTALL}'."
        ) from error
    pdfmetrics.registerFont(loaded)
    return loaded


def _why_unreadable(path: Path, error: Exception) -> str:
    try:
        with path.open("rb") as file:
            file.read(1)
    except OSError as read_error:
        return reason(read_error)
    return f"it is damaged ({error})"


def family_of(file: FontFile) -> str:
    return _SHIPPED_FILES[file][0] if isinstance(file, ShippedFont) else font(file).face.familyName.decode()


def font_face_rules(folder: str) -> str:
    """Return CSS ``@font-face`` rules for the fonts included in linkpress.

    ``folder`` is the URL from which a browser loads the font files.
    """
    rules = []
    for family, file, _ in _SHIPPED_FILES.values():
        weight = 400 if "-Regular" in file or "-Italic" in file else 600
        style = "italic" if "-Italic" in file else "normal"
        rules.append(
            f'@font-face {{ font-family: "{family}"; font-weight: {weight}; font-style: {style}; '
            f"src: url({folder}/{file}); }}\n"
        )
    return "".join(rules)


# ReportLab gives widths in thousandths of the font size.
_EM = 1000

# Scripts that need no shaping. The empty text stands for characters of no particular script, such as digits.
_UNSHAPED_SCRIPTS = frozenset({"", "Latn", "Grek", "Cyrl"})
_NO_LANGUAGE = "und"  # if no language were given, HarfBuzz would use the language of the user's system

# Characters that have neither width nor ink, such as joiners and variation selectors. Fonts need no
# glyph for them.
_INVISIBLE = frozenset("\u034f\u200b\u200c\u200d\u2060\ufeff") | {chr(code) for code in range(0xFE00, 0xFE10)}


class FontRun(NamedTuple):
    """Part of a line in one font and one script.

    Args:
        text: the characters.
        file: the font.
        script: the ISO 15924 code of the script; empty if the characters need no shaping.
    """

    text: str
    file: FontFile
    script: str


class Glyph(NamedTuple):
    """Glyph in a run, which is a part of a line in one font.

    ``number`` is the glyph's number in the font. ``x`` and ``y`` are the position of the glyph in ems,
    measured from the point on the baseline at which the run begins.
    """

    number: int
    x: float
    y: float


class Cluster(NamedTuple):
    """Group of characters whose glyphs can't be separated, such as a letter with an accent."""

    text: str
    glyphs: tuple[Glyph, ...]


class FontMeasure:
    """Measure texts in a book's fonts. This is the implementation of layout's ``Measure``.

    Args:
        faces: the book's fonts.
        language: the language of the texts, a BCP 47 tag.
    """

    def __init__(self, faces: Faces = SHIPPED, language: str = "en") -> None:
        self.faces = faces
        self.language = language
        self._key = language, *faces.files.items()
        # The hash is computed only once, because layout's caches need it for each number on each board.
        self._hash = hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FontMeasure) and self._key == other._key

    def __hash__(self) -> int:
        return self._hash

    def width(self, text: str, font: FontKey, size_pt: float) -> float:
        return sum(advance(run) for run in font_runs(text, self.faces.files[font])) * size_pt

    def ink(self, text: str, font: FontKey, size_pt: float) -> InkBox:
        """Return the box around the ink of a text, in points. A text without ink has an empty box."""
        box = _ink(text, self.faces.files[font])
        return InkBox(box[0] * size_pt, box[1] * size_pt, box[2] * size_pt, box[3] * size_pt)

    def missing(self, text: str, font: FontKey) -> str:
        """Return the characters for which no font of a face has a glyph.

        Each character is listed once, in the order of the text. A face is a style of type, such as semibold.
        """
        for file in self.faces.files.get(font, ()):
            # ``text`` has the characters that no font so far has. When it is empty, no further
            # font is loaded.
            text = text and missing_characters(text, file)
        return text


@lru_cache(maxsize=20_000)
def font_runs(text: str, files: tuple[FontFile, ...]) -> tuple[FontRun, ...]:
    """Split a line into runs, which are parts in one font and one script.

    The first font that has all characters is used for the whole line. If there is none, each letter gets the
    first font that has it.

    Args:
        text: the line.
        files: the fonts of a face (a style of type), in the order in which they are tried.
    """
    complete = next((file for file in files if not missing_characters(text, file)), None)
    parts = [(text, complete)] if complete or not text else list(_split_by_font(text, files))
    return tuple(run for part, file in parts for run in _split_by_script(part, file or files[0]))


def _split_by_font(text: str, files: Sequence[FontFile]) -> Iterator[tuple[str, FontFile]]:
    """Yield the parts of a line that are in one font each.

    Marks, spaces, digits and signs stay in the font of the character before them.
    """
    start, current = 0, None
    for index, char in enumerate(text):
        if current is not None and not char.isalpha() and not missing_characters(char, current):
            continue
        file = next((file for file in files if not missing_characters(char, file)), files[0])
        if current is not None and file is not current:
            yield text[start:index], current
            start = index
        current = file
    if current is not None:
        yield text[start:], current


def _split_by_script(text: str, file: FontFile) -> Iterator[FontRun]:
    if not text or max(text) < FIRST_COMBINING:
        yield FontRun(text, file, "")
        return
    start, current = 0, _script(text[0])
    for index, char in enumerate(text):
        script = _script(char)
        if script and current and script != current:
            yield _make_run(text[start:index], file, current)
            start = index
        current = script or current
    yield _make_run(text[start:], file, current)


def _make_run(text: str, file: FontFile, script: str) -> FontRun:
    """Make a run, which is a part of a line in one font and one script.

    The run is shaped by HarfBuzz if its script needs it, or if it has marks or characters above U+FFFF.
    """
    is_plain = script in _UNSHAPED_SCRIPTS and max(text) <= "\uffff"
    if is_plain and not any(char in _INVISIBLE or is_combining(char) for char in text):
        return FontRun(text, file, "")
    return FontRun(text, file, script or "Zyyy")


@cache
def _script(char: str) -> str:
    """Return the ISO 15924 code of a character's script; empty if several scripts use the character."""
    buffer = uharfbuzz.Buffer()
    buffer.add_str(char)
    buffer.language = _NO_LANGUAGE
    buffer.guess_segment_properties()
    return buffer.script or ""


@lru_cache(maxsize=20_000)
def advance(run: FontRun) -> float:
    return _shaped(run)[1] if run.script else _unshaped_advance(run.text, run.file)


def _unshaped_advance(text: str, file: FontFile) -> float:
    face = font(file).face
    units: float = sum(face.charWidths.get(ord(char), face.defaultWidth) for char in text)
    return units / _EM


def clusters(run: FontRun) -> tuple[Cluster, ...]:
    """Return the clusters of a run, in the order in which their glyphs are drawn.

    A run is a part of a line in one font. A cluster is a group of characters that can't be separated.
    """
    if run.script:
        return _shaped(run)[0]
    face = font(run.file).face
    result, x = [], 0.0
    for char in run.text:
        result.append(Cluster(char, (Glyph(face.charToGlyph.get(ord(char), 0), x, 0.0),)))
        x += _unshaped_advance(char, run.file)
    return tuple(result)


@lru_cache(maxsize=5_000)
def _shaped(run: FontRun) -> tuple[tuple[Cluster, ...], float]:
    """Shape a run, which is a part of a line in one font, with HarfBuzz.

    Return the clusters of the run (groups of characters that can't be separated), and its width in ems.
    """
    buffer = uharfbuzz.Buffer()
    buffer.add_str(run.text)
    buffer.direction, buffer.script, buffer.language = "ltr", run.script, _NO_LANGUAGE
    buffer.cluster_level = uharfbuzz.BufferClusterLevel.MONOTONE_GRAPHEMES
    source, em = shaper(run.file)
    uharfbuzz.shape(source, buffer)
    pen = 0
    glyphs = []
    for info, position in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
        x, y = (pen + position.x_offset) / em, position.y_offset / em
        glyphs.append((info.cluster, Glyph(info.codepoint, x, y)))
        pen += position.x_advance
    # HarfBuzz gives for each glyph the index of the first character of its cluster.
    groups = [(start, tuple(glyph for _, glyph in group)) for start, group in groupby(glyphs, itemgetter(0))]
    ends = [start for start, _ in groups[1:]] + [len(run.text)]
    result = (Cluster(run.text[start:end], group) for (start, group), end in zip(groups, ends, strict=True))
    return tuple(result), pen / em


@cache
def shaper(file: FontFile) -> tuple[uharfbuzz.Font, int]:
    """Return HarfBuzz's object for a font, and the number of font units in an em."""
    face = uharfbuzz.Face(font_blob(file))
    return uharfbuzz.Font(face), face.upem


@lru_cache(maxsize=5_000)
def _ink(text: str, files: tuple[FontFile, ...]) -> InkBox:
    """Return the box around the ink of a line of text, in ems."""
    pen = 0.0
    boxes: list[InkBox] = []
    for run in font_runs(text, files):
        for glyph in (glyph for cluster in clusters(run) for glyph in cluster.glyphs):
            box = _glyph_box(glyph.number, run.file)
            if box is not None:
                x, y = pen + glyph.x, glyph.y
                boxes.append(InkBox(x + box.left, y + box.bottom, x + box.right, y + box.top))
        pen += advance(run)
    if not boxes:
        return InkBox(0.0, 0.0, 0.0, 0.0)
    left, bottom, right, top = zip(*boxes, strict=True)
    return InkBox(min(left), min(bottom), max(right), max(top))


@lru_cache(maxsize=5_000)
def _glyph_box(number: int, file: FontFile) -> InkBox | None:
    """Return the box around the ink of a glyph, in ems; None if the glyph has no ink."""
    source, em = shaper(file)
    box = source.get_glyph_extents(number)
    if box is None or not box.width:
        return None
    left, top = box.x_bearing, box.y_bearing
    return InkBox(left / em, (top + box.height) / em, (left + box.width) / em, top / em)


@lru_cache(maxsize=5_000)
def missing_characters(text: str, file: FontFile) -> str:
    """Return the characters for which a font has no glyph. Each is listed once, in the order of the text."""
    known = font(file).face.charToGlyph
    if text.isascii() and all(map(known.__contains__, text.encode())):  # most texts need only this fast test
        return ""
    return "".join(
        char
        for char in dict.fromkeys(text)
        if (ord(char) not in known and char not in _INVISIBLE)
        # Private-use and unassigned code points count as missing. They don't stand for characters, although
        # some fonts have glyphs for them.
        or unicodedata.category(char) in ("Co", "Cn")
    )


@lru_cache(maxsize=5_000)
def outline(text: str, files: tuple[FontFile, ...], tracking: float = 0.0) -> str:
    """Return the outlines of a line's glyphs as the data of an SVG path, in thousandths of an em.

    Args:
        text: the line.
        files: the fonts of a face (a style of type), in the order in which they are tried.
        tracking: the space to add after each character, in ems.
    """
    pen, start = _SvgPen(), 0.0
    for run in font_runs(text, files):
        source, em = shaper(run.file)
        for cluster in clusters(run):
            for glyph in cluster.glyphs:
                pen.origin, pen.unit = (start + glyph.x, glyph.y), 1 / em
                source.draw_glyph_with_pen(glyph.number, pen)
            start += tracking
        start += advance(run)
    return "".join(pen.commands)


class _SvgPen:
    """Pen that writes the outline of a glyph as the commands of an SVG path. HarfBuzz calls its methods.

    The y axis of the path points down.
    """

    def __init__(self) -> None:
        self.commands: list[str] = []
        self.origin, self.unit = (0.0, 0.0), 1.0

    def _add(self, command: str, *points: tuple[float, float]) -> None:
        (left, bottom), unit = self.origin, self.unit
        coordinates = (f"{(left + x * unit) * _EM:.0f} {-(bottom + y * unit) * _EM:.0f}" for x, y in points)
        self.commands.append(command + " ".join(coordinates).replace("-0", "0"))

    moveTo = partialmethod(_add, "M")  # noqa: N815 - HarfBuzz calls them so
    lineTo = partialmethod(_add, "L")  # noqa: N815
    qCurveTo = partialmethod(_add, "Q")  # noqa: N815
    curveTo = partialmethod(_add, "C")  # noqa: N815
    closePath = partialmethod(_add, "Z")  # noqa: N815
