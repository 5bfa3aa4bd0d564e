"""Read the objects that a PDF page draws, in page coordinates, from PDFium, and find those that are hidden.

A text or line may be covered by an object that is drawn later. The search first compares the positions of the
page's objects. A text or line is suspected to be hidden if an area that is drawn later lies over it. Then
PDFium renders the page, and the pixels decide. A text is hidden if all pixels in its box have the same tone.
A line is hidden if, at some point, all pixels around this point have the same tone and this tone differs from
the line's tone.

Source:
    fpdf_edit.h, fpdf_text.h and fpdf_transformpage.h of PDFium, through ``pypdfium2.raw``.
"""

from __future__ import annotations

import ctypes
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import pypdfium2 as pdfium
import pypdfium2.raw

from linkpress.preflight.pdf_objects import (
    IDENTITY,
    Box,
    Matrix,
    Point,
    box_around,
    box_contains,
    intersection,
    least_scale,
    middle,
    multiply,
    transform,
    transform_box,
    widen,
)

if TYPE_CHECKING:
    from PIL.Image import Image


Rgb = tuple[int, int, int]  # red, green and blue from 0 to 255, as shown on a screen
Key = int | None  # memory address of an object of PDFium; None for no object

# Groups of text rendering modes (ISO 32000-1, table 106).
STROKE_ONLY_MODES, STROKE_MODES, INVISIBLE_MODES = (1, 5), (1, 2, 5, 6), (3, 7)
# Minimum value of the three components (0 to 255) of a colour that counts as white. A tint of 1 % is darker.
# A colour profile may turn white into 254.
_WHITE = 253
_MAX_NAME_BYTES = 200  # maximum number of bytes of a font's name that are read


@dataclass(slots=True)
class Subpath:
    """Connected part of a path on a PDF page.

    Args:
        points: the end points of its lines and curves, and the control points of its curves.
        closed: whether a line joins the last point to the first.
        curved: whether the part contains curves.
    """

    points: list[Point]
    closed: bool = False
    curved: bool = False


@dataclass
class DrawnPath:
    """Path on a page that is stroked, filled or both.

    Args:
        subpaths: the connected parts of the path.
        stroke: the colour of its lines; None if it is not stroked.
        fill: the colour of its area; None if it is not filled.
        width_pt: the line width on the page, measured in the direction in which lines are thinnest.
        clip: the box outside which nothing is shown; None without clipping.
        butt: whether lines have butt caps, which don't extend beyond the end points.
        dash: the lengths of dashes and gaps in points, alternating; empty for solid lines.
        dash_start_pt: the distance in points from the start of the dash pattern at which each line begins.
    """

    subpaths: list[Subpath]
    stroke: Rgb | None
    fill: Rgb | None
    width_pt: float
    clip: Box | None
    butt: bool = True
    dash: tuple[float, ...] = ()
    dash_start_pt: float = 0.0

    @cached_property
    def box(self) -> Box:
        return box_around([point for part in self.subpaths for point in part.points])


@dataclass(slots=True)
class DrawnText:
    """Text on a page that is shown by one operator, or by several operators in one marked-content sequence.

    A marked-content sequence is a part of a page's content that belongs together, between two operators.

    Args:
        text: the characters, as far as the font's encoding shows what they are.
        start: the beginning of the baseline.
        size_pt: the font size as printed.
        colour: the fill colour, or the stroke colour if the text is only stroked.
        invisible: whether the text leaves no ink, because its rendering mode hides it (3) or only clips (7).
        stroke_width_pt: the width of the outline; None if the text is not stroked.
        box: the box around the text.
        clip: the box outside which nothing is shown; None without clipping.
        has_font_name: whether PDFium reports a name for the font. It reports no name for a Type 3 font. In
            this case ``size_pt`` is wrong, because PDFium doesn't report the text size either.
        upside_down: whether the text is rotated by 180°.
        glyphs: characters that the file shows here for the first time in this font, with their boxes.
        stretch: the horizontal scale of the text divided by its vertical scale.
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
    upside_down: bool = False
    glyphs: tuple[tuple[str, Box], ...] = ()
    stretch: float = 1.0


@dataclass(slots=True)
class DrawnImage:
    """Image on a PDF page.

    Args:
        matrix: the matrix from the unit square to the page.
        width_px: the number of pixels in a row.
        height_px: the number of rows of pixels.
        clip: the box outside which nothing is shown; None without clipping.
    """

    matrix: Matrix
    width_px: int
    height_px: int
    clip: Box | None

    @property
    def box(self) -> Box:
        return transform_box(self.matrix, (0.0, 0.0, 1.0, 1.0))


@dataclass(slots=True)
class DrawnShading:
    """Area of a page that is painted with a shading, such as a gradient.

    Args:
        box: the box around the area.
        clip: the box outside which nothing is shown; None without clipping.
    """

    box: Box
    clip: Box | None


DrawnObject = DrawnPath | DrawnText | DrawnImage | DrawnShading


def is_white(colour: Rgb) -> bool:
    red, green, blue = colour
    return red >= _WHITE and green >= _WHITE and blue >= _WHITE


class Address(ctypes.c_void_p):
    """Memory address of an object of PDFium. If there is no object, ``value`` is None."""


class _Functions:
    """PDFium's functions and constants as attributes.

    The argument types of the functions are not declared, because each call with declared types would take
    twice as long. So pass only integers, addresses, arrays, or references made with ``byref``. Functions
    return objects as ``Address``.
    """

    def __getattr__(self, name: str) -> Any:
        value = getattr(pypdfium2.raw, name)
        if callable(value) and not isinstance(value, type):
            result_type = Address if hasattr(value.restype, "contents") else value.restype
            value = ctypes.PYFUNCTYPE(result_type)(ctypes.cast(value, ctypes.c_void_p).value or 0)
        # Store the function as an attribute. From then on, Python finds it without calling this method.
        setattr(self, name, value)
        return value


pdfium_c = _Functions()


class GlyphLog:
    """Log of the characters that a PDF file has shown in each font.

    A character is new if the file has not shown it in its font before. ``first_shown`` lists the new
    characters on the current page and their boxes, by the memory address of their text object.
    """

    def __init__(self) -> None:
        self.first_shown: dict[Key, list[tuple[str, Box]]] = defaultdict(list)
        # The code points that the file has shown in each font. ``_known`` finds them by the font's name.
        # ``_known_in`` finds the same sets by the font's memory address, which is faster but valid on the
        # current page only.
        self._known: dict[bytes, set[int]] = defaultdict(set)
        self._known_in: dict[Key, set[int]] = {}
        self._name = ctypes.create_string_buffer(_MAX_NAME_BYTES)
        self._box = (ctypes.c_float * 4)()

    def leave_page(self) -> None:
        """Forget the memory addresses of a page's texts and fonts, because the next page may reuse them."""
        self.first_shown.clear()
        self._known_in.clear()

    def add(self, text_page: Any, text: Address, codes: Sequence[int], indices: Sequence[int]) -> None:
        """Add the characters of a text to the log.

        Args:
            text_page: PDFium's text page, an index of all characters of the page.
            text: the text object.
            codes: the Unicode code points of its characters.
            indices: the positions of its characters in the text page.
        """
        font = pdfium_c.FPDFTextObj_GetFont(text)
        if font.value not in self._known_in:
            pdfium_c.FPDFFont_GetBaseFontName(font, self._name, ctypes.c_ulong(_MAX_NAME_BYTES))
            self._known_in[font.value] = self._known[self._name.value]
        known = self._known_in[font.value]
        if known.issuperset(codes) or _has_actual_text(text):
            return
        for code, index in zip(codes, indices, strict=True):
            if code in known:
                continue
            known.add(code)
            has_ink = 32 < code < 0x110000 and chr(code).isprintable() and not chr(code).isspace()
            if has_ink and pdfium_c.FPDFText_GetLooseCharBox(text_page, index, self._box):
                left, top, right, bottom = self._box
                self.first_shown[text.value].append((chr(code), (left, bottom, right, top)))


def _has_actual_text(text: Address) -> bool:
    """Return whether a text object has a replacement text (``ActualText``).

    PDFium spaces the characters of a replacement text evenly, so their boxes don't match the glyphs.
    """
    count = pdfium_c.FPDFPageObj_CountMarks(text)
    marks = (pdfium_c.FPDFPageObj_GetMark(text, ctypes.c_ulong(index)) for index in range(count))
    return any(pdfium_c.FPDFPageObjMark_GetParamValueType(mark, b"ActualText") for mark in marks)


def read_page_objects(
    page: pdfium.PdfPage, matrix: Matrix = IDENTITY, glyphs: GlyphLog | None = None
) -> list[DrawnObject]:
    """Return all objects that a page draws, in drawing order.

    Args:
        page: the page.
        matrix: a matrix to apply to all coordinates.
        glyphs: the file's log of characters, to which the characters of this page are added; None for no log.
    """
    text_page = page.get_textpage()
    try:
        first_shown = glyphs.first_shown if glyphs else {}
        reader = _ObjectReader(_texts_by_object(text_page.raw, glyphs), first_shown)
        for index in range(pdfium_c.FPDFPage_CountObjects(page.raw)):
            reader.read(pdfium_c.FPDFPage_GetObject(page.raw, index), matrix, None)
        return reader.objects
    finally:
        if glyphs:
            glyphs.leave_page()
        text_page.close()


def _texts_by_object(text_page: Any, glyphs: GlyphLog | None) -> dict[Key, str]:
    """Return the characters of each text object, by the memory address of the object.

    PDFium can also return the text of a single object, but examines the whole page for each call.
    """
    get_text, get_code = pdfium_c.FPDFText_GetTextObject, pdfium_c.FPDFText_GetUnicode
    indices: dict[Key, list[int]] = defaultdict(list)
    for index in range(pdfium_c.FPDFText_CountChars(text_page)):
        indices[get_text(text_page, index).value].append(index)
    indices.pop(None, None)  # Ignore characters that PDFium adds, such as spaces.
    texts: dict[Key, str] = {}
    for address, in_text in indices.items():
        codes = [get_code(text_page, index) for index in in_text]
        texts[address] = "".join([chr(code) if 32 <= code < 0x110000 else "\ufffd" for code in codes])
        if glyphs:
            glyphs.add(text_page, Address(address), codes, in_text)
    return texts


def _buffer(kind: Any, count: int) -> tuple[Any, list[Any]]:
    """Make a buffer of numbers to which PDFium writes.

    Returns:
        A view of the buffer, and a reference to each number. The view is a memoryview, because reading a
        ctypes array takes ten times as long.
    """
    numbers = (kind * count)()
    references = [ctypes.byref(numbers, index * ctypes.sizeof(kind)) for index in range(count)]
    return memoryview(numbers).cast("B").cast(kind._type_), references


class _ObjectReader:
    """Converter of PDFium's page objects to ``DrawnObject``. Buffers for PDFium's answers are made only once.

    Args:
        texts: the characters of each text object, by memory address.
        first_shown: for each text object, the characters that the file has not shown before in their font,
            with the boxes of their glyphs, from ``GlyphLog``.
    """

    def __init__(self, texts: dict[Key, str], first_shown: Mapping[Key, list[tuple[str, Box]]]) -> None:
        self.texts = texts
        self.first_shown = first_shown
        self.objects: list[DrawnObject] = []
        self._matrix, (self._matrix_ref, *_) = _buffer(ctypes.c_float, 6)
        self._box, self._box_refs = _buffer(ctypes.c_float, 4)
        self._point, self._point_refs = _buffer(ctypes.c_float, 2)
        self._colour, self._colour_refs = _buffer(ctypes.c_uint, 4)
        self._mode, self._mode_refs = _buffer(ctypes.c_int, 2)
        self._clips: dict[object, Box | None] = {}
        # Maps the memory address of each font to whether PDFium knows a name of the font.
        self._has_name: dict[Key, bool] = {}

        # A pair: the memory address of the ``Span`` mark around the text that was read last, and this text.
        # If the next text is inside the same mark, it is appended to this text.
        self._last_text: tuple[Key, DrawnText] | None = None

    def read(self, drawn: Address, outer: Matrix, clip: Box | None) -> None:
        """Convert one of PDFium's page objects and add the result to ``objects``.

        For a form XObject, add all objects inside it.

        Args:
            drawn: PDFium's object.
            outer: the matrix of the form XObject that contains the object, or of the page.
            clip: the box to which this form XObject is clipped; None without clipping.
        """
        kind = pdfium_c.FPDFPageObj_GetType(drawn)
        clip = _intersect_clips(clip, self._clip(drawn, outer))
        if kind == pdfium_c.FPDF_PAGEOBJ_SHADING:
            self.objects.append(DrawnShading(transform_box(outer, self._bounds(drawn)), clip))
            return
        matrix = multiply(self._matrix_of(drawn), outer)
        if kind == pdfium_c.FPDF_PAGEOBJ_PATH:
            path = self._path(drawn, matrix, clip)
            if path is not None:
                self.objects.append(path)
        elif kind == pdfium_c.FPDF_PAGEOBJ_TEXT:
            text = self._text(drawn, matrix, outer, clip)
            if not self._join_span(text, span := self._span(drawn)):
                # PDFium reports no characters for a text that is drawn a second time in the same place, or
                # for glyphs without a name in the font's encoding. If such a text is visible, use U+FFFD in
                # place of its characters.
                has_area = text.box[0] < text.box[2] and text.box[1] < text.box[3]
                text.text = text.text or ("\ufffd" if has_area else "")
                self._last_text = (span, text)
                self.objects.append(text)
        elif kind == pdfium_c.FPDF_PAGEOBJ_IMAGE:
            pdfium_c.FPDFImageObj_GetImagePixelSize(drawn, *self._colour_refs[:2])
            self.objects.append(DrawnImage(matrix, self._colour[0], self._colour[1], clip))
        elif kind == pdfium_c.FPDF_PAGEOBJ_FORM:
            for index in range(pdfium_c.FPDFFormObj_CountObjects(drawn)):
                self.read(pdfium_c.FPDFFormObj_GetObject(drawn, index), matrix, clip)

    def _path(self, drawn: Address, matrix: Matrix, clip: Box | None) -> DrawnPath | None:
        pdfium_c.FPDFPath_GetDrawMode(drawn, *self._mode_refs)
        filled, stroked = self._mode
        stroke = self._rgb(pdfium_c.FPDFPageObj_GetStrokeColor, drawn) if stroked else None
        fill = self._rgb(pdfium_c.FPDFPageObj_GetFillColor, drawn) if filled else None
        subpaths = self._subpaths(drawn, matrix) if stroke or fill else []
        if not subpaths:
            return None
        width = self._stroke_width(drawn) * least_scale(matrix)
        butt = pdfium_c.FPDFPageObj_GetLineCap(drawn) == pdfium_c.FPDF_LINECAP_BUTT
        dash, start = self._dash(drawn, least_scale(matrix)) if stroke else ((), 0.0)
        return DrawnPath(subpaths, stroke, fill, width, clip, butt, dash, start)

    def _dash(self, drawn: Address, scale: float) -> tuple[tuple[float, ...], float]:
        count = pdfium_c.FPDFPageObj_GetDashCount(drawn)
        if count <= 0:
            return (), 0.0
        lengths = (ctypes.c_float * count)()
        pdfium_c.FPDFPageObj_GetDashArray(drawn, lengths, ctypes.c_size_t(count))
        pdfium_c.FPDFPageObj_GetDashPhase(drawn, self._box_refs[0])
        return tuple(scale * length for length in lengths), scale * self._box[0]

    def _subpaths(self, drawn: Address, matrix: Matrix) -> list[Subpath]:
        subpaths: list[Subpath] = []
        part = None
        a, b, c, d, e, f = matrix
        # Look these functions up only once, because a page may have a thousand path segments, and each
        # lookup takes time.
        get_segment, get_kind = pdfium_c.FPDFPath_GetPathSegment, pdfium_c.FPDFPathSegment_GetType
        get_point, is_closing = pdfium_c.FPDFPathSegment_GetPoint, pdfium_c.FPDFPathSegment_GetClose
        move, curve = pdfium_c.FPDF_SEGMENT_MOVETO, pdfium_c.FPDF_SEGMENT_BEZIERTO
        (x_ref, y_ref), position = self._point_refs, self._point
        for index in range(pdfium_c.FPDFPath_CountSegments(drawn)):
            segment = get_segment(drawn, index)
            get_point(segment, x_ref, y_ref)
            x, y = position
            point = (a * x + c * y + e, b * x + d * y + f)
            kind = get_kind(segment)
            if part is None or kind == move:
                subpaths.append(part := Subpath([point]))
            else:
                if part.closed:
                    subpaths.append(part := Subpath([part.points[0]]))
                part.points.append(point)
                if kind == curve:
                    part.curved = True
            if is_closing(segment):
                part.closed = True
        return subpaths

    def _text(self, drawn: Address, matrix: Matrix, outer: Matrix, clip: Box | None) -> DrawnText:
        mode = pdfium_c.FPDFTextObj_GetTextRenderMode(drawn)
        is_stroke_only = mode in STROKE_ONLY_MODES
        width, height = math.hypot(matrix[0], matrix[1]), math.hypot(matrix[2], matrix[3])
        get_colour = (
            pdfium_c.FPDFPageObj_GetStrokeColor if is_stroke_only else pdfium_c.FPDFPageObj_GetFillColor
        )
        pdfium_c.FPDFTextObj_GetFontSize(drawn, self._box_refs[0])
        size_pt = abs(self._box[0]) * height
        font, box = pdfium_c.FPDFTextObj_GetFont(drawn), transform_box(outer, self._bounds(drawn))
        if font.value not in self._has_name:
            name_bytes = pdfium_c.FPDFFont_GetBaseFontName(font, None, ctypes.c_ulong(0))
            self._has_name[font.value] = name_bytes > 1
        return DrawnText(
            text=self.texts.get(drawn.value, ""),
            start=(matrix[4], matrix[5]),
            size_pt=size_pt,
            colour=self._rgb(get_colour, drawn),
            invisible=mode in INVISIBLE_MODES,
            stroke_width_pt=self._stroke_width(drawn) * least_scale(outer) if mode in STROKE_MODES else None,
            box=box,
            clip=clip,
            has_font_name=self._has_name[font.value],
            upside_down=matrix[0] < 0 and matrix[3] < 0,
            # For some characters in form XObjects, PDFium gives the box in the form's coordinates, not in the
            # page's. Such a box is far from the text's own box, so leave these characters out.
            glyphs=tuple(
                (character, glyph_box)
                for character, glyph_box in self.first_shown.get(drawn.value, ())
                if intersection(glyph_box, box) is not None
            ),
            stretch=width / height if height else 1.0,
        )

    def _span(self, drawn: Address) -> Key:
        """Return the memory address of the outermost ``Span`` mark around an object; None if there is none.

        A ``Span`` mark encloses the pieces of one text, so objects with the same address belong to one text.
        An object may also have marks of other kinds, such as those for the structure elements of a tagged
        PDF. These marks are skipped.
        """
        for index in range(pdfium_c.FPDFPageObj_CountMarks(drawn)):
            mark: Address = pdfium_c.FPDFPageObj_GetMark(drawn, ctypes.c_ulong(index))
            letters, length = (ctypes.c_ushort * 5)(), (ctypes.c_ulong * 1)()
            pdfium_c.FPDFPageObjMark_GetName(mark, letters, ctypes.c_ulong(ctypes.sizeof(letters)), length)
            if bytes(letters).decode("utf-16-le") == "Span\0":
                return mark.value
        return None

    def _join_span(self, text: DrawnText, span: Key) -> bool:
        """Append a text to the previous text if both have the same ``Span`` mark, style and line.

        Args:
            text: the text.
            span: the memory address of the outermost ``Span`` mark around the text; None if there is none.
        Returns:
            Whether the text was appended.
        """
        if not span or self._last_text is None or self._last_text[0] != span:
            return False
        line = self._last_text[1]
        if _text_style(text) != _text_style(line) or abs(text.start[1] - line.start[1]) > line.size_pt:
            return False
        line.text += text.text
        line.glyphs += text.glyphs
        line.box = box_around([line.box[:2], line.box[2:], text.box[:2], text.box[2:]])
        return True

    def _matrix_of(self, drawn: Address) -> Matrix:
        pdfium_c.FPDFPageObj_GetMatrix(drawn, self._matrix_ref)
        a, b, c, d, e, f = self._matrix
        return (a, b, c, d, e, f)

    def _bounds(self, drawn: Address) -> Box:
        pdfium_c.FPDFPageObj_GetBounds(drawn, *self._box_refs)
        left, bottom, right, top = self._box
        return (left, bottom, right, top)

    def _stroke_width(self, drawn: Address) -> float:
        pdfium_c.FPDFPageObj_GetStrokeWidth(drawn, self._box_refs[0])
        return abs(float(self._box[0]))

    def _rgb(self, get_colour: Any, drawn: Address) -> Rgb:
        is_known = get_colour(drawn, *self._colour_refs)
        return (self._colour[0], self._colour[1], self._colour[2]) if is_known else (0, 0, 0)

    def _clip(self, drawn: Address, outer: Matrix) -> Box | None:
        """Return the box inside all clipping paths of an object; None without clipping.

        Many objects share their clipping paths, so boxes are cached. The cache key has only a few points of
        each path, because reading all points is slow.
        """
        path = pdfium_c.FPDFPageObj_GetClipPath(drawn)
        count = pdfium_c.FPDFClipPath_CountPaths(path)
        if count <= 0:
            return None
        sizes = [pdfium_c.FPDFClipPath_CountPathSegments(path, index) for index in range(count)]
        samples = [
            self._clip_points(path, index, (0, size // 2)) for index, size in enumerate(sizes) if size > 0
        ]
        key = (outer, tuple(sizes), tuple(map(tuple, samples)))
        if key not in self._clips:
            clip: Box | None = None
            for index, size in enumerate(sizes):
                points = [transform(outer, x, y) for x, y in self._clip_points(path, index, range(size))]
                clip = _intersect_clips(clip, box_around(points) if points else None)
            self._clips[key] = clip
        return self._clips[key]

    def _clip_points(self, path: Any, path_index: int, indices: Iterable[int]) -> list[Point]:
        points = []
        for index in indices:
            segment = pdfium_c.FPDFClipPath_GetPathSegment(path, path_index, index)
            pdfium_c.FPDFPathSegment_GetPoint(segment, *self._point_refs)
            points.append((self._point[0], self._point[1]))
        return points


def _text_style(text: DrawnText) -> tuple[object, ...]:
    size_pt = round(text.size_pt, 3)
    return (size_pt, text.colour, text.invisible, text.stroke_width_pt, text.clip, text.upside_down)


def _intersect_clips(first: Box | None, second: Box | None) -> Box | None:
    """Return the box that is inside two clips.

    A clip of None doesn't restrict anything. If the clips don't overlap, the returned box is empty.
    """
    if first is None or second is None:
        return first or second
    return intersection(first, second) or (second[0], second[1], second[0], second[1])


_DPI = 100  # resolution in dots per inch at which pages are rendered
_MAX_SIDE_PX = 3_000  # maximum width and height of a rendered page in pixels

# An area on the page may hide objects drawn earlier. Only this many areas, the largest ones, are examined.
_MAX_COVERS = 200
_MIN_COVER_PT = 3.0  # areas whose width or height (pt) is smaller than this are assumed to hide nothing

# Tones range from 0 (black) to 255 (white).

_SAME_TONE = 12  # difference of tones below which pixels count as equal

# Only text whose tone is below this limit is checked for missing glyphs. Black has the tone 0, and white 255.
# A glyph counts as missing if the page shows no pixels of it. Pale text with very thin strokes might show
# none either, but dark text always changes some pixels.
_DARK_TONE = 128

# Maximum difference between the tone of a line's colour and the tone of the rendered pixels at the line. If
# the difference is larger, something hides the line there.
_LINE_TONE = 48

_STEP_PT = 6.0  # distance (pt) between two points of a line at which its visibility is checked
_MAX_STEPS = 200  # maximum number of points at which the visibility of one stroke is checked
_HALF_SIDE_PX = 2  # half the side (px) of the square that is checked around each point of a line

# The lines of solutions end in dots. A dot is drawn over the end of its line, but does not count as hiding
# the line. A round area drawn over a line is taken for a dot if at least one of these statements is true:
# - The area is at most 60 pt wide.
# - The area is at most four times as wide as the line. Dots on covers are 2.5 times as wide as their lines.
# - The line begins in the centre of the area and ends outside, like a line from the circle around a number.
_MAX_DOT_PT = 60.0
_MAX_DOT_WIDTHS = 4.0


class _Cover(NamedTuple):
    """Area that may hide objects drawn earlier on the page.

    Args:
        order: the position of the covering object in the page's drawing order.
        box: the box around the area.
        colour: the area's colour; None for images and shadings.
        is_round: whether the area's outline is curved. A round area may be the dot at a line's end, which
            does not hide the line.
        is_line: whether the area is a printed line, such as a path of a solution over the grid. Lines can
            hide only text.
    """

    order: int
    box: Box
    colour: Rgb | None
    is_round: bool = False
    is_line: bool = False

    def may_hide(self, item: DrawnObject, colour: Rgb | None) -> bool:
        """Return whether this area may hide an object that was drawn earlier in a certain colour.

        Args:
            item: the object.
            colour: its colour; None if the object has no single colour.
        """
        if not isinstance(item, DrawnPath):
            return True
        width = self.box[2] - self.box[0]
        is_small = width <= max(_MAX_DOT_PT, _MAX_DOT_WIDTHS * item.width_pt)
        is_dot = self.is_round and (is_small or self._is_around_an_end(item))
        return not (self.is_line or self.colour == colour or is_dot)

    def _is_around_an_end(self, line: DrawnPath) -> bool:
        """Return whether a line begins or ends in the middle of this area, and reaches outside it.

        If the line consists of several parts, each part must have an end outside.
        """
        ends_of_parts = [(part.points[0], part.points[-1]) for part in line.subpaths]
        near = (self.box[2] - self.box[0]) / 10
        is_centred = any(math.dist(middle(self.box), end) < near for ends in ends_of_parts for end in ends)
        return is_centred and not any(
            all(box_contains(self.box, end) for end in ends) for ends in ends_of_parts
        )

    @property
    def area(self) -> float:
        return (self.box[2] - self.box[0]) * (self.box[3] - self.box[1])


def covered_objects(
    items: Sequence[DrawnObject], page: pdfium.PdfPage, *, has_layers: bool
) -> list[DrawnObject]:
    """Return the texts and lines of a page that can't be seen.

    The page is rendered only if the positions of its objects show that something may be hidden, or if the
    file has layers.

    Args:
        items: all objects that the page draws, in drawing order.
        page: the page, for rendering and for its annotations.
        has_layers: whether the file has layers. A layer may be switched off, so every object is checked.
    """
    suspects = list(find_suspects([*items, *_annotations(page)]))
    if not suspects and not has_layers:
        return []
    rendered = _RenderedPage(page)
    covered = [item for item, points in suspects if rendered.hides(item, points)]
    if has_layers:
        known = {id(item) for item in covered}
        covered += [
            item
            for item in items
            if id(item) not in known and rendered.lacks(item, list(_points_along(item)))
        ]
    return covered


def _annotations(page: pdfium.PdfPage) -> Iterator[DrawnShading]:
    for index in range(pypdfium2.raw.FPDFPage_GetAnnotCount(page.raw)):
        annotation, box = pypdfium2.raw.FPDFPage_GetAnnot(page.raw, index), pypdfium2.raw.FS_RECTF()
        is_drawn = pypdfium2.raw.FPDFAnnot_GetSubtype(annotation) != pypdfium2.raw.FPDF_ANNOT_LINK
        if is_drawn and pypdfium2.raw.FPDFAnnot_GetRect(annotation, box):
            yield DrawnShading((box.left, box.bottom, box.right, box.top), None)
        pypdfium2.raw.FPDFPage_CloseAnnot(annotation)


def characters_without_ink(items: Sequence[DrawnObject], page: pdfium.PdfPage) -> list[str]:
    """Return the characters of dark text that leave no ink, because their font lacks the glyph.

    Each character is checked only at its first place in the file. So most pages need not be rendered.
    """
    glyphs = [
        (character, box)
        for item in items
        if isinstance(item, DrawnText) and not item.invisible and _tone(item.colour) < _DARK_TONE
        for character, box in item.glyphs
        if item.clip is None or intersection(box, item.clip) == box
    ]
    if not glyphs:
        return []
    rendered = _RenderedPage(page)
    return [character for character, box in glyphs if rendered.is_even(box)]


def find_suspects(items: Sequence[DrawnObject]) -> Iterator[tuple[DrawnObject, list[Point]]]:
    """Yield each text and line that lies under an area drawn later.

    Yields:
        The text or line, and those of its points that lie under the area.
    """
    areas = [_covered_area(item) for item in items]
    if not any(areas):
        return
    extents = [_extent(item) for item in items]
    largest = sorted(_covers(items, areas, extents), key=lambda cover: cover.area, reverse=True)[:_MAX_COVERS]
    largest.sort(key=lambda cover: cover.order, reverse=True)
    # The loop below compares millions of boxes. It doesn't call a function for each comparison, because that
    # would take several times as long.
    covers = [(cover.box, cover) for cover in largest]
    for index, (item, extent) in enumerate(zip(items, extents, strict=True)):
        while covers and covers[-1][1].order <= index:
            covers.pop()
        if extent is None or not covers:
            continue
        left, bottom, right, top = extent
        over = [
            cover
            for (west, south, east, north), cover in covers
            if west <= right and east >= left and south <= top and north >= bottom
        ]
        colour = _colour_of(item) if over else None
        boxes = [cover.box for cover in over if cover.may_hide(item, colour)]
        if not boxes:
            continue
        points = [point for point in _points_along(item) if any(box_contains(box, point) for box in boxes)]
        if points:
            yield item, points


def _extent(item: DrawnObject) -> Box | None:
    """Return the box around a visible text or a stroked path; None for other objects."""
    if isinstance(item, DrawnText):
        return item.box if item.text.strip() and not item.invisible else None
    if isinstance(item, DrawnPath) and item.stroke is not None:
        return item.box
    return None


def _covers(
    items: Sequence[DrawnObject], areas: Sequence[Box | None], extents: Sequence[Box | None]
) -> Iterator[_Cover]:
    """Yield the areas of all objects that overlap an object drawn earlier, and so may hide it.

    Printed lines and small discs can hide only text. So their areas are yielded only if they overlap a text
    drawn earlier.
    """
    earlier: list[Box] = []
    earlier_texts: list[Box] = []
    for index, (item, area, extent) in enumerate(zip(items, areas, extents, strict=True)):
        if area is not None:
            left, bottom, right, top = area
            for west, south, east, north in earlier_texts if _can_hide_only_texts(item) else earlier:
                if west <= right and east >= left and south <= top and north >= bottom:
                    yield from _covers_of(index, item, area)
                    break
        if extent is not None:
            earlier.append(extent)
            if isinstance(item, DrawnText):
                earlier_texts.append(extent)


def _can_hide_only_texts(item: DrawnObject) -> bool:
    """Return whether an object is assumed to hide nothing but texts, even if it lies over other objects.

    There are two kinds of such objects: lines, because the lines of a board often cross each other, and paths
    that consist only of small filled discs, such as the dots at the ends of lines.
    """
    if not isinstance(item, DrawnPath) or item.fill is None:
        return _is_ink_line(item)
    return all(
        part.curved and max(xs) - min(xs) <= _MAX_DOT_PT
        for part in item.subpaths
        for xs in [[x for x, _ in part.points]]
    )


def _is_ink_line(item: DrawnObject) -> bool:
    line = item.stroke if isinstance(item, DrawnPath) and item.fill is None else None
    return line is not None and not is_white(line)


def _covered_area(item: DrawnObject) -> Box | None:
    """Return the box of the area that an object covers; None for texts and thin lines."""
    if isinstance(item, DrawnText):
        return None
    if not isinstance(item, DrawnPath):
        return item.box
    if item.fill is None and item.width_pt < _MIN_COVER_PT:
        return None
    return widen(item.box, item.width_pt / 2)


def _covers_of(index: int, item: DrawnObject, area: Box) -> Iterator[_Cover]:
    """Yield the areas that one object covers. A path has one area for each subpath or stroke."""
    if not isinstance(item, DrawnPath):
        covers = [_Cover(index, area, None)]
    elif item.fill is not None:
        covers = [
            _Cover(index, box_around(part.points), item.fill, is_round=part.curved) for part in item.subpaths
        ]
    else:
        is_line, side = _is_ink_line(item), item.width_pt / 2
        covers = [
            _Cover(index, widen(box_around(ends), side), item.stroke, is_line=is_line)
            for ends in _strokes(item)
        ]
    for cover in covers:
        box = intersection(cover.box, item.clip) if item.clip is not None else cover.box
        if box is not None and min(box[2] - box[0], box[3] - box[1]) >= _MIN_COVER_PT:
            yield cover._replace(box=box)


def _colour_of(item: DrawnObject) -> Rgb | None:
    if isinstance(item, DrawnText):
        return item.colour
    return (item.stroke or item.fill) if isinstance(item, DrawnPath) else None


def _points_along(item: DrawnObject) -> Iterator[Point]:
    """Yield the points at which an object must be visible.

    These points are the middle of a text, and three or more points of each straight stroke.
    """
    if isinstance(item, DrawnText):
        yield middle(item.box)
    elif isinstance(item, DrawnPath) and item.stroke is not None and not is_white(item.stroke):
        for start, end in _strokes(item):
            steps = min(max(4, round(math.dist(start, end) / _STEP_PT)), _MAX_STEPS)
            for share in (step / steps for step in range(1, steps)):
                yield (start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1]))


def _strokes(path: DrawnPath) -> Iterator[tuple[Point, Point]]:
    """Yield the ends of each straight stroke of a path."""
    for part in path.subpaths:
        if not part.curved:
            yield from pairwise([*part.points, part.points[0]] if part.closed else part.points)


class _RenderedPage:
    """Page of a PDF, rendered as grey pixels to find out which objects are visible."""

    def __init__(self, page: pdfium.PdfPage) -> None:
        page.set_rotation(0)
        left, bottom, right, top = page.get_bbox()
        self._scale = min(_DPI / 72, _MAX_SIDE_PX / max(right - left, top - bottom, 1.0))
        self._left, self._top = left, top
        bitmap = page.render(scale=self._scale, grayscale=True, may_draw_forms=False)
        self._image: Image = bitmap.to_pil()

    def hides(self, item: DrawnObject, points: Sequence[Point]) -> bool:
        """Return whether a text is hidden completely, or a line is hidden at one or more of ``points``."""
        if isinstance(item, DrawnText):
            box = item.box if item.clip is None else intersection(item.box, item.clip)
            return box is not None and self.is_even(box)
        tone = _tone(_colour_of(item))
        return any(self._is_hidden_at(point, tone) for point in points)

    def lacks(self, item: DrawnObject, points: Sequence[Point]) -> bool:
        """Return whether an object can't be seen anywhere on the rendered page.

        A text can't be seen if all pixels in its box have the same tone. A line can't be seen if it is hidden
        at all of ``points``.
        """
        if isinstance(item, DrawnText):
            return not item.invisible and bool(item.text.strip()) and self.is_even(item.box)
        tone = _tone(_colour_of(item))
        return bool(points) and all(self._is_hidden_at(point, tone) for point in points)

    def _is_hidden_at(self, point: Point, tone: int) -> bool:
        return self.is_even(widen((*point, *point), _HALF_SIDE_PX / self._scale), tone)

    def is_even(self, box: Box, tone: int | None = None) -> bool:
        """Return whether all pixels in a box have the same tone.

        Args:
            box: the box in points. If the box is outside the page, the result is False.
            tone: a tone from 0 to 255. If it is given, the result is True only if the tone of the pixels also
                differs from it.
        """
        pixels = (
            max(0, int((box[0] - self._left) * self._scale)),
            max(0, int((self._top - box[3]) * self._scale)),
            min(self._image.width, int((box[2] - self._left) * self._scale) + 1),
            min(self._image.height, int((self._top - box[1]) * self._scale) + 1),
        )
        if pixels[0] >= pixels[2] or pixels[1] >= pixels[3]:
            return False
        low, high = cast("tuple[int, int]", self._image.crop(pixels).getextrema())
        return high - low < _SAME_TONE and (tone is None or abs((low + high) / 2 - tone) > _LINE_TONE)


def _tone(colour: Rgb | None) -> int:
    """Return a colour's brightness from 0 to 255; 0 for an unknown colour."""
    red, green, blue = colour or (0, 0, 0)
    return round(0.299 * red + 0.587 * green + 0.114 * blue)
