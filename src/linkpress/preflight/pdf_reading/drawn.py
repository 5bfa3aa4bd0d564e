"""What a page draws, object by object, in page coordinates: read by PDFium, forms taken apart.

Source:
    fpdf_edit.h and fpdf_transformpage.h of PDFium, by way of ``pypdfium2.raw``.
"""

from __future__ import annotations

import ctypes
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from linkpress.preflight.pdf_reading.matrices import (
    IDENTITY,
    Box,
    Matrix,
    Point,
    apply,
    box_around,
    common,
    least_scale,
    moved_box,
    times,
)

Rgb = tuple[int, int, int]

_PAPER = 253  # of 255: a tint of 1 % is darker, and a profile may bring white down to 254
OUTLINE_ONLY, INVISIBLE, OUTLINED = (1, 5), (3, 7), (1, 2, 5, 6)  # text rendering modes
_LONGEST_NAME = 200


@dataclass(slots=True)
class Subpath:
    """Points joined by straight lines, or by curves through their control points."""

    points: list[Point]
    closed: bool = False
    curved: bool = False


@dataclass(slots=True)
class DrawnPath:
    """A painted path.

    Args:
        stroke, fill: how a screen shows them; None without a line or a filling.
        width_pt: the line's width where it is thinnest.
        clip: the box that the clipping leaves; None for all.
        butt: whether open lines stop at their ends, without a cap beyond them.
    """

    subpaths: list[Subpath]
    stroke: Rgb | None
    fill: Rgb | None
    width_pt: float
    clip: Box | None
    butt: bool = True


@dataclass(slots=True)
class DrawnText:
    """One shown string, or those that the file marks as one span of text.

    Args:
        text: what it says, as far as the font tells.
        start: on the baseline.
        size_pt: the size as printed, across the baseline.
        colour: of the filling, or of the outline where only that is drawn.
        invisible: whether it is drawn with no ink (rendering mode 3) or only clips.
        stroke_width_pt: of outlined text, None without an outline.
        has_font_name: false for Type 3 fonts, whose size PDFium does not tell.
        turned: whether it stands upside down.
        glyphs: its characters that the file shows here for the first time in this font, with their boxes.
    """

    text: str
    start: Point
    size_pt: float
    colour: Rgb
    invisible: bool
    stroke_width_pt: float | None
    box: Box
    clip: Box | None
    has_font_name: bool = True
    turned: bool = False
    glyphs: tuple[tuple[str, Box], ...] = ()


@dataclass(slots=True)
class DrawnImage:
    """A placed image: its matrix from the unit square to the page, and its samples."""

    matrix: Matrix
    width_px: int
    height_px: int
    clip: Box | None


@dataclass(slots=True)
class DrawnShading:
    """A shading painted over a box."""

    box: Box
    clip: Box | None


Drawn = DrawnPath | DrawnText | DrawnImage | DrawnShading


def is_paper(colour: Rgb) -> bool:
    """Return whether no ink is laid down."""
    return min(colour) >= _PAPER


class Glyphs:
    """The characters that a file has shown so far, each in the font that it was shown in.

    Attributes:
        fresh: those that were not known before, by the address of the text that shows them.
    """

    def __init__(self) -> None:
        self.fresh: dict[bytes, list[tuple[str, Box]]] = defaultdict(list)
        self._known: set[tuple[bytes, int]] = set()
        self._fonts: dict[bytes, bytes] = {}
        self._name = ctypes.create_string_buffer(_LONGEST_NAME)
        self._box = pdfium_c.FS_RECTF()

    def leave_page(self) -> None:
        """Forget the addresses of a page's texts."""
        self.fresh.clear()
        self._fonts.clear()

    def see(self, words: Any, place: int, holder: Any, code: int) -> None:
        """Note a character of a page's words."""
        address = bytes(holder)
        if address not in self._fonts:
            font = pdfium_c.FPDFTextObj_GetFont(holder)
            pdfium_c.FPDFFont_GetBaseFontName(font, self._name, _LONGEST_NAME)
            self._fonts[address] = self._name.value
        shown = (self._fonts[address], code)
        if shown in self._known or not chr(code).isprintable() or chr(code).isspace():
            return
        self._known.add(shown)
        if pdfium_c.FPDFText_GetLooseCharBox(words, place, self._box):
            box = (self._box.left, self._box.bottom, self._box.right, self._box.top)
            self.fresh[address].append((chr(code), box))


def read_drawn(page: pdfium.PdfPage, matrix: Matrix = IDENTITY, glyphs: Glyphs | None = None) -> list[Drawn]:
    """Return everything that a page draws, in order.

    Args:
        matrix: put after the page's own, for content that is shown through another page.
        glyphs: takes note of the characters that are shown.
    """
    words = page.get_textpage()
    try:
        items = _Items(_texts_by_object(words.raw, glyphs), glyphs.fresh if glyphs else {})
        return list(items.of_page(page.raw, matrix))
    finally:
        if glyphs:
            glyphs.leave_page()
        words.close()


def _texts_by_object(words: Any, glyphs: Glyphs | None) -> dict[bytes, str]:
    """Return each text object's words by its address, in one walk: PDFium's question per object walks all."""
    text_of: dict[bytes, str] = defaultdict(str)
    for place in range(pdfium_c.FPDFText_CountChars(words)):
        holder = pdfium_c.FPDFText_GetTextObject(words, place)
        if holder:
            code = pdfium_c.FPDFText_GetUnicode(words, place)
            text_of[bytes(holder)] += chr(code) if 32 <= code < 0x110000 else "\ufffd"
            if glyphs and 32 < code < 0x110000:
                glyphs.see(words, place, holder, code)
    return text_of


class _Items:
    """Turns PDFium's objects into ours; the buffers that PDFium writes to are made once."""

    def __init__(self, texts: dict[bytes, str], fresh: Mapping[bytes, list[tuple[str, Box]]]) -> None:
        self.texts = texts
        self.fresh = fresh
        self._matrix = pdfium_c.FS_MATRIX()
        self._floats = [ctypes.c_float() for _ in range(4)]
        self._counts = [ctypes.c_uint() for _ in range(4)]
        self._flag, self._mode = ctypes.c_int(), ctypes.c_int()
        self._clips: dict[object, Box | None] = {}
        self._name = ctypes.create_string_buffer(_LONGEST_NAME)
        self._latest: tuple[bytes, DrawnText] | None = None  # the text yielded last, and its span

    def of_page(self, page: Any, matrix: Matrix) -> Iterator[Drawn]:
        for place in range(pdfium_c.FPDFPage_CountObjects(page)):
            yield from self._read(pdfium_c.FPDFPage_GetObject(page, place), matrix, None)

    def _of_form(self, form: Any, matrix: Matrix, clip: Box | None) -> Iterator[Drawn]:
        for place in range(pdfium_c.FPDFFormObj_CountObjects(form)):
            yield from self._read(pdfium_c.FPDFFormObj_GetObject(form, place), matrix, clip)

    def _read(self, drawn: Any, outer: Matrix, clip: Box | None) -> Iterator[Drawn]:
        kind = pdfium_c.FPDFPageObj_GetType(drawn)
        clip = _narrowed(clip, self._clip(drawn, outer))
        if kind == pdfium_c.FPDF_PAGEOBJ_SHADING:
            yield DrawnShading(moved_box(outer, self._bounds(drawn)), clip)
            return
        matrix = times(self._matrix_of(drawn), outer)
        if kind == pdfium_c.FPDF_PAGEOBJ_PATH:
            path = self._path(drawn, matrix, clip)
            if path is not None:
                yield path
        elif kind == pdfium_c.FPDF_PAGEOBJ_TEXT:
            text = self._text(drawn, matrix, outer, clip)
            if not self._join_span(text, span := self._span(drawn)):
                # PDFium leaves out what is drawn twice in one place, and what no font map tells.
                shows = text.box[0] < text.box[2] and text.box[1] < text.box[3]
                text.text = text.text or ("\ufffd" if shows else "")
                self._latest = (span, text)
                yield text
        elif kind == pdfium_c.FPDF_PAGEOBJ_IMAGE:
            width, height = self._counts[:2]
            pdfium_c.FPDFImageObj_GetImagePixelSize(drawn, width, height)
            yield DrawnImage(matrix, width.value, height.value, clip)
        elif kind == pdfium_c.FPDF_PAGEOBJ_FORM:
            yield from self._of_form(drawn, matrix, clip)

    def _path(self, drawn: Any, matrix: Matrix, clip: Box | None) -> DrawnPath | None:
        pdfium_c.FPDFPath_GetDrawMode(drawn, self._mode, self._flag)
        stroke = self._colour(pdfium_c.FPDFPageObj_GetStrokeColor, drawn) if self._flag.value else None
        fill = self._colour(pdfium_c.FPDFPageObj_GetFillColor, drawn) if self._mode.value else None
        subpaths = self._subpaths(drawn, matrix) if stroke or fill else []
        if not subpaths:
            return None
        width = self._stroke_width(drawn) * least_scale(matrix)
        butt = pdfium_c.FPDFPageObj_GetLineCap(drawn) == pdfium_c.FPDF_LINECAP_BUTT
        return DrawnPath(subpaths, stroke, fill, width, clip, butt)

    def _subpaths(self, drawn: Any, matrix: Matrix) -> list[Subpath]:
        found: list[Subpath] = []
        x, y = self._floats[:2]
        for place in range(pdfium_c.FPDFPath_CountSegments(drawn)):
            segment = pdfium_c.FPDFPath_GetPathSegment(drawn, place)
            pdfium_c.FPDFPathSegment_GetPoint(segment, x, y)
            point = apply(matrix, x.value, y.value)
            kind = pdfium_c.FPDFPathSegment_GetType(segment)
            if kind == pdfium_c.FPDF_SEGMENT_MOVETO or not found:
                found.append(Subpath([point]))
            else:
                if found[-1].closed:
                    found.append(Subpath([found[-1].points[0]]))
                found[-1].points.append(point)
                found[-1].curved |= kind == pdfium_c.FPDF_SEGMENT_BEZIERTO
            if pdfium_c.FPDFPathSegment_GetClose(segment):
                found[-1].closed = True
        return found

    def _text(self, drawn: Any, matrix: Matrix, outer: Matrix, clip: Box | None) -> DrawnText:
        mode = pdfium_c.FPDFTextObj_GetTextRenderMode(drawn)
        colour_of = (
            pdfium_c.FPDFPageObj_GetStrokeColor if mode in OUTLINE_ONLY else pdfium_c.FPDFPageObj_GetFillColor
        )
        size = self._floats[0]
        pdfium_c.FPDFTextObj_GetFontSize(drawn, size)
        size_pt = abs(size.value) * math.hypot(matrix[2], matrix[3])
        font, own = pdfium_c.FPDFTextObj_GetFont(drawn), moved_box(outer, self._bounds(drawn))
        return DrawnText(
            self.texts.get(bytes(drawn), ""),  # by the pointer's own bytes, its address
            (matrix[4], matrix[5]),
            size_pt,
            self._colour(colour_of, drawn),
            mode in INVISIBLE,
            self._stroke_width(drawn) * least_scale(outer) if mode in OUTLINED else None,
            own,
            clip,
            pdfium_c.FPDFFont_GetBaseFontName(font, self._name, _LONGEST_NAME) > 1,
            matrix[0] < 0 and matrix[3] < 0,
            # PDFium has some boxes of characters in a form as the form has them, and not as the page does.
            tuple(
                letter for letter in self.fresh.get(bytes(drawn), ()) if common(letter[1], own) is not None
            ),
        )

    def _span(self, drawn: Any) -> bytes:
        """Return the marked stretch of text that an object is in, by its address; empty for none."""
        if pdfium_c.FPDFPageObj_CountMarks(drawn) <= 0:
            return b""
        mark = pdfium_c.FPDFPageObj_GetMark(drawn, 0)
        letters, length = (ctypes.c_ushort * 5)(), ctypes.c_ulong()
        pdfium_c.FPDFPageObjMark_GetName(mark, letters, ctypes.sizeof(letters), length)
        return bytes(mark) if bytes(letters).decode("utf-16-le") == "Span\0" else b""

    def _join_span(self, text: DrawnText, span: bytes) -> bool:
        """Add a text to the one before if both are of one span and line; return whether it was added."""
        if not span or self._latest is None or self._latest[0] != span:
            return False
        line = self._latest[1]
        if _manner(text) != _manner(line) or abs(text.start[1] - line.start[1]) > line.size_pt:
            return False
        line.text += text.text
        line.glyphs += text.glyphs
        line.box = box_around([*_corners(line.box), *_corners(text.box)])
        return True

    def _matrix_of(self, drawn: Any) -> Matrix:
        found = self._matrix
        pdfium_c.FPDFPageObj_GetMatrix(drawn, found)
        return (found.a, found.b, found.c, found.d, found.e, found.f)

    def _bounds(self, drawn: Any) -> Box:
        left, bottom, right, top = self._floats
        pdfium_c.FPDFPageObj_GetBounds(drawn, left, bottom, right, top)
        return (left.value, bottom.value, right.value, top.value)

    def _stroke_width(self, drawn: Any) -> float:
        width = self._floats[0]
        pdfium_c.FPDFPageObj_GetStrokeWidth(drawn, width)
        return abs(width.value)

    def _colour(self, ask: Any, drawn: Any) -> Rgb:
        red, green, blue, opacity = self._counts
        known = ask(drawn, red, green, blue, opacity)
        return (red.value, green.value, blue.value) if known else (0, 0, 0)

    def _clip(self, drawn: Any, outer: Matrix) -> Box | None:
        """Return the box that an object's clips leave; most objects share theirs with the one before."""
        path = pdfium_c.FPDFPageObj_GetClipPath(drawn)
        count = pdfium_c.FPDFClipPath_CountPaths(path)
        if count <= 0:
            return None
        sizes = [pdfium_c.FPDFClipPath_CountPathSegments(path, place) for place in range(count)]
        samples = [
            self._clip_points(path, place, (0, size // 2)) for place, size in enumerate(sizes) if size > 0
        ]
        key = (outer, tuple(sizes), tuple(map(tuple, samples)))
        if key not in self._clips:
            clip: Box | None = None
            for place, size in enumerate(sizes):
                points = [apply(outer, x, y) for x, y in self._clip_points(path, place, range(size))]
                clip = _narrowed(clip, box_around(points) if points else None)
            self._clips[key] = clip
        return self._clips[key]

    def _clip_points(self, path: Any, index: int, places: Iterable[int]) -> list[Point]:
        x, y = self._floats[:2]
        points = []
        for place in places:
            segment = pdfium_c.FPDFClipPath_GetPathSegment(path, index, place)
            pdfium_c.FPDFPathSegment_GetPoint(segment, x, y)
            points.append((x.value, y.value))
        return points


def _manner(text: DrawnText) -> tuple[object, ...]:
    return (round(text.size_pt, 3), text.colour, text.invisible, text.stroke_width_pt, text.clip, text.turned)


def _corners(box: Box) -> tuple[Point, Point]:
    return (box[0], box[1]), (box[2], box[3])


def _narrowed(clip: Box | None, box: Box | None) -> Box | None:
    """Return the box that two clips leave; it has no area where they don't meet."""
    if clip is None or box is None:
        return clip or box
    return common(clip, box) or (box[0], box[1], box[0], box[1])
