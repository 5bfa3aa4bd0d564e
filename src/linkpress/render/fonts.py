"""This module sets type in a book's fonts: where each glyph of a line stands, and how wide the line is.

Both what layout measures and what a PDF draws come from here. Latin, Greek and Cyrillic letters are
set side by side by their widths alone. All other scripts, and letters with marks of their own, go
through HarfBuzz.

Source:
    HarfBuzz manual, "Clusters"; Unicode UAX #24, "Script run segmentation".
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache, partialmethod
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

import uharfbuzz

from linkpress.layout.frame import FontKey
from linkpress.layout.measure import FIRST_COMBINING, InkBox, is_combining
from linkpress.render.font_files import SHIPPED, Faces, FontFile, font

_EM = 1000  # ReportLab gives widths in thousandths of the size
_SIDE_BY_SIDE = frozenset({"", "Latn", "Grek", "Cyrl"})  # "" of what no script owns, such as figures
_NO_LANGUAGE = "und"  # else HarfBuzz takes that of the process
# Of no width and no ink; a font needs no glyph for them.
_UNSEEN = frozenset("\u034f\u200b\u200c\u200d\u2060\ufeff") | {chr(code) for code in range(0xFE00, 0xFE10)}


class Stretch(NamedTuple):
    """A stretch is a part of a line in one font and script (ISO 15924), none for letters side by side."""

    text: str
    file: FontFile
    script: str


class Glyph(NamedTuple):
    """A glyph has its number in the font's file, and its place in ems from the line's beginning."""

    number: int
    x: float
    y: float


class Cluster(NamedTuple):
    """A cluster has characters that can't be told apart among the glyphs they are set in."""

    text: str
    glyphs: tuple[Glyph, ...]


class FontMeasure:
    """This ``Measure`` answers layout from the font files."""

    def __init__(self, faces: Faces = SHIPPED, language: str = "en") -> None:
        self.faces = faces
        self.language = language
        self._key = language, *faces.files.items()
        self._hash = hash(self._key)  # it is asked for with every number of a book

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FontMeasure) and self._key == other._key

    def __hash__(self) -> int:
        return self._hash

    def width(self, text: str, font: FontKey, size_pt: float) -> float:
        """Return the advance of a text, in points, without tracking."""
        return sum(advance(stretch) for stretch in stretches(text, self.faces.files[font])) * size_pt

    def ink(self, text: str, font: FontKey, size_pt: float) -> InkBox:
        """Return the box around a text's ink, in points; an empty text has an empty box."""
        box = _ink(text, self.faces.files[font])
        return InkBox(box[0] * size_pt, box[1] * size_pt, box[2] * size_pt, box[3] * size_pt)

    def missing(self, text: str, font: FontKey) -> str:
        """Return the characters for which no font of the face has a glyph, each once, in order."""
        for file in self.faces.files.get(font, ()):
            text = text and _missing(text, file)  # a font of which nothing is asked is not loaded
        return text


@lru_cache(maxsize=20_000)
def stretches(text: str, files: tuple[FontFile, ...]) -> tuple[Stretch, ...]:
    """Part a line by font and script; the first font that has all letters sets them all."""
    whole = next((file for file in files if not _missing(text, file)), None)
    parts = [(text, whole)] if whole or not text else list(_by_font(text, files))
    return tuple(stretch for part, file in parts for stretch in _by_script(part, file or files[0]))


def _by_font(text: str, files: Sequence[FontFile]) -> Iterator[tuple[str, FontFile]]:
    """Yield stretches of one font; marks, spaces, figures and signs keep that of the letters before them."""
    start, current = 0, None
    for index, char in enumerate(text):
        if current is not None and not char.isalpha() and not _missing(char, current):
            continue
        found = next((file for file in files if not _missing(char, file)), files[0])
        if current is not None and found is not current:
            yield text[start:index], current
            start = index
        current = found
    if current is not None:
        yield text[start:], current


def _by_script(text: str, file: FontFile) -> Iterator[Stretch]:
    if not text or max(text) < FIRST_COMBINING:
        yield Stretch(text, file, "")
        return
    start, current = 0, _script(text[0])
    for index, char in enumerate(text):
        script = _script(char)
        if script and current and script != current:
            yield _stretch(text[start:index], file, current)
            start = index
        current = script or current
    yield _stretch(text[start:], file, current)


def _stretch(text: str, file: FontFile, script: str) -> Stretch:
    """Return a stretch without a script where ReportLab can set it: the first plane only, no marks."""
    plain = script in _SIDE_BY_SIDE and max(text) <= "\uffff"
    if plain and not any(char in _UNSEEN or is_combining(char) for char in text):
        return Stretch(text, file, "")
    return Stretch(text, file, script or "Zyyy")


@cache
def _script(char: str) -> str:
    """Return the script that owns a character, empty if it is used in several."""
    buffer = uharfbuzz.Buffer()
    buffer.add_str(char)
    buffer.language = _NO_LANGUAGE
    buffer.guess_segment_properties()
    return buffer.script or ""


@lru_cache(maxsize=20_000)
def advance(stretch: Stretch) -> float:
    """Return the width of a stretch, in ems."""
    return _shaped(stretch)[1] if stretch.script else _plain_advance(stretch.text, stretch.file)


def _plain_advance(text: str, file: FontFile) -> float:
    face = font(file).face
    units: float = sum(face.charWidths.get(ord(char), face.defaultWidth) for char in text)
    return units / _EM


def clusters(stretch: Stretch) -> tuple[Cluster, ...]:
    """Return the glyphs of a stretch in the order drawn, with the characters they stand for."""
    if stretch.script:
        return _shaped(stretch)[0]
    face = font(stretch.file).face
    found, x = [], 0.0
    for char in stretch.text:
        found.append(Cluster(char, (Glyph(face.charToGlyph.get(ord(char), 0), x, 0.0),)))
        x += _plain_advance(char, stretch.file)
    return tuple(found)


@lru_cache(maxsize=5_000)
def outline(text: str, files: tuple[FontFile, ...], tracking: float = 0.0) -> str:
    """Return the outlines of a text as an SVG path, in thousandths of an em; the tracking is in ems."""
    pen, start = _SvgPen(), 0.0
    for stretch in stretches(text, files):
        source, em = shaper(stretch.file)
        for cluster in clusters(stretch):
            for glyph in cluster.glyphs:
                pen.origin, pen.unit = (start + glyph.x, glyph.y), 1 / em
                source.draw_glyph_with_pen(glyph.number, pen)
            start += tracking
        start += advance(stretch)
    return "".join(pen.steps)


class _SvgPen:
    """This pen takes a glyph's outline from HarfBuzz; in SVG, up is negative."""

    def __init__(self) -> None:
        self.steps: list[str] = []
        self.origin, self.unit = (0.0, 0.0), 1.0

    def _add(self, step: str, *points: tuple[float, float]) -> None:
        (left, bottom), unit = self.origin, self.unit
        places = (f"{(left + x * unit) * _EM:.0f} {-(bottom + y * unit) * _EM:.0f}" for x, y in points)
        self.steps.append(step + " ".join(places).replace("-0", "0"))

    moveTo = partialmethod(_add, "M")  # noqa: N815 - HarfBuzz calls them so
    lineTo = partialmethod(_add, "L")  # noqa: N815
    qCurveTo = partialmethod(_add, "Q")  # noqa: N815
    curveTo = partialmethod(_add, "C")  # noqa: N815
    closePath = partialmethod(_add, "Z")  # noqa: N815


@lru_cache(maxsize=5_000)
def _shaped(stretch: Stretch) -> tuple[tuple[Cluster, ...], float]:
    """Return what HarfBuzz makes of a stretch: its glyphs, and its width in ems."""
    buffer = uharfbuzz.Buffer()
    buffer.add_str(stretch.text)
    buffer.direction, buffer.script, buffer.language = "ltr", stretch.script, _NO_LANGUAGE
    buffer.cluster_level = uharfbuzz.BufferClusterLevel.MONOTONE_GRAPHEMES
    source, em = shaper(stretch.file)
    uharfbuzz.shape(source, buffer)
    pen = 0
    glyphs = []
    for info, position in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
        x, y = (pen + position.x_offset) / em, position.y_offset / em
        glyphs.append((info.cluster, Glyph(info.codepoint, x, y)))
        pen += position.x_advance
    # HarfBuzz tells the characters of glyphs by the first of them.
    together = [(place, tuple(glyph for _, glyph in run)) for place, run in groupby(glyphs, itemgetter(0))]
    runs = zip(together, [place for place, _ in together[1:]] + [len(stretch.text)], strict=True)
    return tuple(Cluster(stretch.text[start:end], run) for (start, run), end in runs), pen / em


@cache
def shaper(file: FontFile) -> tuple[uharfbuzz.Font, int]:
    """Return HarfBuzz's font of a file, and how many of its units make an em."""
    face = uharfbuzz.Face(uharfbuzz.Blob.from_file_path(font(file).face.filename))
    return uharfbuzz.Font(face), face.upem


@lru_cache(maxsize=5_000)
def _ink(text: str, files: tuple[FontFile, ...]) -> InkBox:
    pen = 0.0
    boxes: list[InkBox] = []
    for stretch in stretches(text, files):
        for glyph in (glyph for cluster in clusters(stretch) for glyph in cluster.glyphs):
            box = _glyph_box(glyph.number, stretch.file)
            if box is not None:
                x, y = pen + glyph.x, glyph.y
                boxes.append(InkBox(x + box.left, y + box.bottom, x + box.right, y + box.top))
        pen += advance(stretch)
    if not boxes:
        return InkBox(0.0, 0.0, 0.0, 0.0)
    left, bottom, right, top = zip(*boxes, strict=True)
    return InkBox(min(left), min(bottom), max(right), max(top))


@lru_cache(maxsize=5_000)
def _glyph_box(number: int, file: FontFile) -> InkBox | None:
    """Return the box of one glyph in ems, or None where it has no ink."""
    source, em = shaper(file)
    box = source.get_glyph_extents(number)
    if box is None or not box.width:
        return None
    left, top = box.x_bearing, box.y_bearing
    return InkBox(left / em, (top + box.height) / em, (left + box.width) / em, top / em)


@lru_cache(maxsize=5_000)
def _missing(text: str, file: FontFile) -> str:
    known = font(file).face.charToGlyph
    if text.isascii() and all(map(known.__contains__, text.encode())):  # most texts, and the quickest way
        return ""
    return "".join(
        char
        for char in dict.fromkeys(text)
        if (ord(char) not in known and char not in _UNSEEN)
        or unicodedata.category(char) in ("Co", "Cn")  # of no character, though fonts have signs there
    )
