"""This module returns what a page draws, object by object, in page coordinates, as PDFium reads it.

Source:
    fpdf_edit.h and fpdf_transformpage.h of PDFium, by way of ``pypdfium2.raw``.
"""

from __future__ import annotations

import ctypes
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw

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
Key = int | None  # the value of an address

_PAPER = 253  # of 255: a tint of 1 % is darker, and a profile may bring white down to 254
OUTLINE_ONLY, INVISIBLE, OUTLINED = (1, 5), (3, 7), (1, 2, 5, 6)  # text rendering modes
_LONGEST_NAME = 200


@dataclass(slots=True)
class Subpath:
    """A subpath's points are joined by straight lines, or by curves through their control points."""

    points: list[Point]
    closed: bool = False
    curved: bool = False


@dataclass
class DrawnPath:
    """A drawn path is painted with a line, a filling, or both.

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

    @cached_property
    def box(self) -> Box:
        """Return the box around its points."""
        return box_around([point for part in self.subpaths for point in part.points])


@dataclass(slots=True)
class DrawnText:
    """A drawn text is one shown string, or those that the file marks as one span of text.

    Args:
        text: what it says, as far as the font tells.
        start: its first point on the baseline.
        size_pt: the size as printed, across the baseline.
        colour: the filling's colour, or the outline's where only that is drawn.
        invisible: whether it is drawn with no ink (rendering mode 3) or only clips.
        stroke_width_pt: the width of the outline, None without one.
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
    """A drawn image has a matrix from the unit square to the page, and samples."""

    matrix: Matrix
    width_px: int
    height_px: int
    clip: Box | None


@dataclass(slots=True)
class DrawnShading:
    """A shading is painted over a box."""

    box: Box
    clip: Box | None


Drawn = DrawnPath | DrawnText | DrawnImage | DrawnShading


def is_paper(colour: Rgb) -> bool:
    """Tell whether no ink is laid down."""
    return min(colour) >= _PAPER


class Address(ctypes.c_void_p):
    """An address is where PDFium has one of its own objects; ``value`` is None for no object."""


class _Functions:
    """PDFium's functions and constants stand here by name; its objects are addresses.

    Untyped calls take half as long, so that arguments are integers, addresses, arrays, or from ``byref``.
    """

    def __getattr__(self, name: str) -> Any:
        found = getattr(pypdfium2.raw, name)
        if callable(found) and not isinstance(found, type):
            kind = Address if hasattr(found.restype, "contents") else found.restype
            found = ctypes.PYFUNCTYPE(kind)(ctypes.cast(found, ctypes.c_void_p).value or 0)
        setattr(self, name, found)  # so that this is not asked again
        return found


pdfium_c = _Functions()


class Glyphs:
    """Glyphs are the characters that a file has shown, by font; ``fresh`` are the latest, by text object."""

    def __init__(self) -> None:
        self.fresh: dict[Key, list[tuple[str, Box]]] = defaultdict(list)
        self._known: set[tuple[bytes, int]] = set()
        self._fonts: dict[Key, bytes | None] = {}  # of each text; None where words stand for it
        self._names: dict[Key, bytes] = {}
        self._name = ctypes.create_string_buffer(_LONGEST_NAME)
        self._box = (ctypes.c_float * 4)()

    def leave_page(self) -> None:
        """Forget the addresses of a page's texts and fonts."""
        self.fresh.clear()
        self._fonts.clear()
        self._names.clear()

    def see(self, words: Any, place: int, text: Address, code: int) -> None:
        """Note a character of a page's words."""
        if text.value not in self._fonts:
            font = pdfium_c.FPDFTextObj_GetFont(text)
            if font.value not in self._names:
                pdfium_c.FPDFFont_GetBaseFontName(font, self._name, ctypes.c_ulong(_LONGEST_NAME))
                self._names[font.value] = self._name.value
            self._fonts[text.value] = None if _has_actual_text(text) else self._names[font.value]
        name = self._fonts[text.value]
        if name is None or (shown := (name, code)) in self._known:
            return
        if not chr(code).isprintable() or chr(code).isspace():
            return
        self._known.add(shown)
        if pdfium_c.FPDFText_GetLooseCharBox(words, place, self._box):
            left, top, right, bottom = self._box
            self.fresh[text.value].append((chr(code), (left, bottom, right, top)))


def _has_actual_text(text: Address) -> bool:
    """Tell whether words stand for a text: PDFium spreads their letters evenly, wherever its glyphs are."""
    count = pdfium_c.FPDFPageObj_CountMarks(text)
    marks = (pdfium_c.FPDFPageObj_GetMark(text, ctypes.c_ulong(place)) for place in range(count))
    return any(pdfium_c.FPDFPageObjMark_GetParamValueType(mark, b"ActualText") for mark in marks)


def read_drawn(page: pdfium.PdfPage, matrix: Matrix = IDENTITY, glyphs: Glyphs | None = None) -> list[Drawn]:
    """Return all that a page draws, by a matrix after its own, and note the glyphs that it shows."""
    words = page.get_textpage()
    try:
        items = _Items(_texts_by_object(words.raw, glyphs), glyphs.fresh if glyphs else {})
        for place in range(pdfium_c.FPDFPage_CountObjects(page.raw)):
            items.read(pdfium_c.FPDFPage_GetObject(page.raw, place), matrix, None)
        return items.found
    finally:
        if glyphs:
            glyphs.leave_page()
        words.close()


def _texts_by_object(words: Any, glyphs: Glyphs | None) -> dict[Key, str]:
    """Return each text object's words by its address, in one walk: PDFium's question per object walks all."""
    text_of: dict[Key, str] = defaultdict(str)
    for place in range(pdfium_c.FPDFText_CountChars(words)):
        holder = pdfium_c.FPDFText_GetTextObject(words, place)
        if holder:
            code = pdfium_c.FPDFText_GetUnicode(words, place)
            text_of[holder.value] += chr(code) if 32 <= code < 0x110000 else "\ufffd"
            if glyphs and 32 < code < 0x110000:
                glyphs.see(words, place, holder, code)
    return text_of


def _buffer(kind: Any, count: int) -> tuple[Any, list[Any]]:
    """Return numbers that PDFium writes to, and the place of each; an array is read ten times slower."""
    numbers = (kind * count)()
    places = [ctypes.byref(numbers, place * ctypes.sizeof(kind)) for place in range(count)]
    return memoryview(numbers).cast("B").cast(kind._type_), places


class _Items:
    """A reader of items turns PDFium's objects into ours; the buffers that PDFium writes to are made once."""

    def __init__(self, texts: dict[Key, str], fresh: Mapping[Key, list[tuple[str, Box]]]) -> None:
        self.texts = texts
        self.fresh = fresh
        self.found: list[Drawn] = []
        self._matrix, (self._matrix_place, *_) = _buffer(ctypes.c_float, 6)
        self._box, self._sides = _buffer(ctypes.c_float, 4)
        self._point, self._point_places = _buffer(ctypes.c_float, 2)
        self._colours, self._shares = _buffer(ctypes.c_uint, 4)
        self._modes, self._mode_places = _buffer(ctypes.c_int, 2)
        self._clips: dict[object, Box | None] = {}
        self._named: dict[Key, bool] = {}  # whether a font has a name
        self._latest: tuple[Key, DrawnText] | None = None  # the text found last, and its span

    def read(self, drawn: Address, outer: Matrix, clip: Box | None) -> None:
        """Add what an object draws to the items that were found."""
        kind = pdfium_c.FPDFPageObj_GetType(drawn)
        clip = _narrowed(clip, self._clip(drawn, outer))
        if kind == pdfium_c.FPDF_PAGEOBJ_SHADING:
            self.found.append(DrawnShading(moved_box(outer, self._bounds(drawn)), clip))
            return
        matrix = times(self._matrix_of(drawn), outer)
        if kind == pdfium_c.FPDF_PAGEOBJ_PATH:
            path = self._path(drawn, matrix, clip)
            if path is not None:
                self.found.append(path)
        elif kind == pdfium_c.FPDF_PAGEOBJ_TEXT:
            text = self._text(drawn, matrix, outer, clip)
            if not self._join_span(text, span := self._span(drawn)):
                # PDFium leaves out what is drawn twice in one place, and what no font map tells.
                shows = text.box[0] < text.box[2] and text.box[1] < text.box[3]
                text.text = text.text or ("\ufffd" if shows else "")
                self._latest = (span, text)
                self.found.append(text)
        elif kind == pdfium_c.FPDF_PAGEOBJ_IMAGE:
            pdfium_c.FPDFImageObj_GetImagePixelSize(drawn, *self._shares[:2])
            self.found.append(DrawnImage(matrix, self._colours[0], self._colours[1], clip))
        elif kind == pdfium_c.FPDF_PAGEOBJ_FORM:
            for place in range(pdfium_c.FPDFFormObj_CountObjects(drawn)):
                self.read(pdfium_c.FPDFFormObj_GetObject(drawn, place), matrix, clip)

    def _path(self, drawn: Address, matrix: Matrix, clip: Box | None) -> DrawnPath | None:
        pdfium_c.FPDFPath_GetDrawMode(drawn, *self._mode_places)
        filled, stroked = self._modes
        stroke = self._colour(pdfium_c.FPDFPageObj_GetStrokeColor, drawn) if stroked else None
        fill = self._colour(pdfium_c.FPDFPageObj_GetFillColor, drawn) if filled else None
        subpaths = self._subpaths(drawn, matrix) if stroke or fill else []
        if not subpaths:
            return None
        width = self._stroke_width(drawn) * least_scale(matrix)
        butt = pdfium_c.FPDFPageObj_GetLineCap(drawn) == pdfium_c.FPDF_LINECAP_BUTT
        return DrawnPath(subpaths, stroke, fill, width, clip, butt)

    def _subpaths(self, drawn: Address, matrix: Matrix) -> list[Subpath]:
        found: list[Subpath] = []
        part = None
        a, b, c, d, e, f = matrix
        for place in range(pdfium_c.FPDFPath_CountSegments(drawn)):
            segment = pdfium_c.FPDFPath_GetPathSegment(drawn, place)
            pdfium_c.FPDFPathSegment_GetPoint(segment, *self._point_places)
            x, y = self._point
            point = (a * x + c * y + e, b * x + d * y + f)
            kind = pdfium_c.FPDFPathSegment_GetType(segment)
            if part is None or kind == pdfium_c.FPDF_SEGMENT_MOVETO:
                found.append(part := Subpath([point]))
            else:
                if part.closed:
                    found.append(part := Subpath([part.points[0]]))
                part.points.append(point)
                part.curved |= kind == pdfium_c.FPDF_SEGMENT_BEZIERTO
            if pdfium_c.FPDFPathSegment_GetClose(segment):
                part.closed = True
        return found

    def _text(self, drawn: Address, matrix: Matrix, outer: Matrix, clip: Box | None) -> DrawnText:
        mode = pdfium_c.FPDFTextObj_GetTextRenderMode(drawn)
        colour_of = (
            pdfium_c.FPDFPageObj_GetStrokeColor if mode in OUTLINE_ONLY else pdfium_c.FPDFPageObj_GetFillColor
        )
        pdfium_c.FPDFTextObj_GetFontSize(drawn, self._sides[0])
        size_pt = abs(self._box[0]) * math.hypot(matrix[2], matrix[3])
        font, box = pdfium_c.FPDFTextObj_GetFont(drawn), moved_box(outer, self._bounds(drawn))
        fresh = self.fresh.get(drawn.value)
        if font.value not in self._named:
            self._named[font.value] = pdfium_c.FPDFFont_GetBaseFontName(font, None, ctypes.c_ulong(0)) > 1
        return DrawnText(
            self.texts.get(drawn.value, ""),
            (matrix[4], matrix[5]),
            size_pt,
            self._colour(colour_of, drawn),
            mode in INVISIBLE,
            self._stroke_width(drawn) * least_scale(outer) if mode in OUTLINED else None,
            box,
            clip,
            self._named[font.value],
            matrix[0] < 0 and matrix[3] < 0,
            # PDFium has some boxes of characters in a form as the form has them, and not as the page does.
            tuple(letter for letter in fresh if common(letter[1], box) is not None) if fresh else (),
        )

    def _span(self, drawn: Address) -> Key:
        """Return the address of the marked stretch of text that an object is in, or None."""
        if pdfium_c.FPDFPageObj_CountMarks(drawn) <= 0:
            return None
        mark: Address = pdfium_c.FPDFPageObj_GetMark(drawn, ctypes.c_ulong(0))
        letters, length = (ctypes.c_ushort * 5)(), (ctypes.c_ulong * 1)()
        pdfium_c.FPDFPageObjMark_GetName(mark, letters, ctypes.c_ulong(ctypes.sizeof(letters)), length)
        return mark.value if bytes(letters).decode("utf-16-le") == "Span\0" else None

    def _join_span(self, text: DrawnText, span: Key) -> bool:
        """Add a text to the one before if both are of one span and line; tell whether it was added."""
        if not span or self._latest is None or self._latest[0] != span:
            return False
        line = self._latest[1]
        if _text_style(text) != _text_style(line) or abs(text.start[1] - line.start[1]) > line.size_pt:
            return False
        line.text += text.text
        line.glyphs += text.glyphs
        line.box = box_around([*_corners(line.box), *_corners(text.box)])
        return True

    def _matrix_of(self, drawn: Address) -> Matrix:
        pdfium_c.FPDFPageObj_GetMatrix(drawn, self._matrix_place)
        a, b, c, d, e, f = self._matrix
        return (a, b, c, d, e, f)

    def _bounds(self, drawn: Address) -> Box:
        pdfium_c.FPDFPageObj_GetBounds(drawn, *self._sides)
        left, bottom, right, top = self._box
        return (left, bottom, right, top)

    def _stroke_width(self, drawn: Address) -> float:
        pdfium_c.FPDFPageObj_GetStrokeWidth(drawn, self._sides[0])
        return abs(float(self._box[0]))

    def _colour(self, ask: Any, drawn: Address) -> Rgb:
        known = ask(drawn, *self._shares)
        return (self._colours[0], self._colours[1], self._colours[2]) if known else (0, 0, 0)

    def _clip(self, drawn: Address, outer: Matrix) -> Box | None:
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
        points = []
        for place in places:
            segment = pdfium_c.FPDFClipPath_GetPathSegment(path, index, place)
            pdfium_c.FPDFPathSegment_GetPoint(segment, *self._point_places)
            points.append((self._point[0], self._point[1]))
        return points


def _text_style(text: DrawnText) -> tuple[object, ...]:
    return (round(text.size_pt, 3), text.colour, text.invisible, text.stroke_width_pt, text.clip, text.turned)


def _corners(box: Box) -> tuple[Point, Point]:
    return (box[0], box[1]), (box[2], box[3])


def _narrowed(clip: Box | None, box: Box | None) -> Box | None:
    """Return the box that two clips leave; it has no area where they don't meet."""
    if clip is None or box is None:
        return clip or box
    return common(clip, box) or (box[0], box[1], box[0], box[1])
