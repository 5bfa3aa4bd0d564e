"""Pages become a PDF with embedded fonts; a frame that is placed again is a Form XObject.

The bytes are the same every time. What a printer's standard asks for beyond this (Info keys,
output intent, header) is added afterwards by ``press.pdfx``.
"""

from __future__ import annotations

import hashlib
import io
import math
import os
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import Enum, auto
from itertools import groupby
from typing import Any

from PIL import Image
from reportlab import rl_config
from reportlab.lib.rl_accel import escapePDF
from reportlab.pdfbase import pdfdoc
from reportlab.pdfgen.canvas import Canvas

from linkpress.documents.inks import Rgb
from linkpress.documents.values import Size
from linkpress.errors import UsageError
from linkpress.layout.frame import (
    Cap,
    Discs,
    FontKey,
    Frame,
    Ink,
    Join,
    Lines,
    Page,
    Photo,
    Placed,
    Point,
    Polygon,
    Polyline,
    Rects,
    TextRun,
)
from linkpress.printers.profile import NO_BLEED, Bleed
from linkpress.render.font_files import SHIPPED, Faces, FontFile, font
from linkpress.render.fonts import Stretch, advance, clusters, stretches
from linkpress.render.glyph_fonts import DECIMALS, GlyphFont, number, numbers
from linkpress.render.photos import png_rows, prepared

_ARC = 4 / 3 * (math.sqrt(2) - 1)  # of the radius, to the points by which a curve is a quarter of a circle
_COLOUR_SPACES = {"L": "/DeviceGray", "RGB": "/DeviceRGB", "CMYK": "/DeviceCMYK"}
DATE_WITHOUT_ANY = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class About:
    """A file states these facts about itself, any of which may be empty.

    Args:
        language: any BCP 47 tag, as ``pt-PT``.
        date: the creation and modification date; never the clock's, so that a book built again is the
            same file.
        creator: the program and, where a book is drawn, its version.
    """

    title: str = ""
    author: str = ""
    subject: str = ""
    keywords: str = ""
    language: str = "en"
    date: datetime = DATE_WITHOUT_ANY
    creator: str = "linkpress"


def file_date(given: date | None, environ: Mapping[str, str]) -> datetime:
    """Return the date that a file carries: the spec's, else ``SOURCE_DATE_EPOCH``, else 2000-01-01.

    Args:
        given: the spec's ``date``, whose midnight in UTC is taken; None without one.
    Raises:
        UsageError: ``SOURCE_DATE_EPOCH`` is not a number of seconds that makes a date.
    """
    if given is not None:
        return datetime(given.year, given.month, given.day, tzinfo=UTC)
    epoch = environ.get("SOURCE_DATE_EPOCH")
    if epoch is None:
        return DATE_WITHOUT_ANY
    try:
        return datetime.fromtimestamp(int(epoch), tz=UTC)
    except (ValueError, OverflowError, OSError) as fault:
        raise UsageError(
            f"SOURCE_DATE_EPOCH={epoch!r} is not a date: it must be whole seconds since 1970-01-01 UTC. "
            "Correct it, unset it, or give the book a date: of its own."
        ) from fault


class Hue(Enum):
    """A hue says how inks other than black are written."""

    PRESS = auto()  # all as mixes of the four inks
    SRGB = auto()  # all as screen colours
    SCREEN = auto()  # those that were given as a screen colour as that, the others as mixes

    def rgb(self, ink: Ink) -> Rgb | None:
        """Return the screen colour to write, or None for the mix."""
        if ink.is_grey or self is Hue.PRESS or (self is Hue.SCREEN and ink.srgb is None):
            return None
        return ink.rgb


def draw_pages(
    pages: Sequence[Page],
    trim: Size,
    about: About,
    bleeds: tuple[Bleed, Bleed] = (NO_BLEED, NO_BLEED),
    screen: bool = False,
    hue: Hue = Hue.PRESS,
    faces: Faces = SHIPPED,
) -> bytes:
    """Return a whole PDF, which says its language.

    Args:
        pages: pages in order, their frames in points of the trim.
        bleeds: those of a recto and of a verso; the media box is trim and bleed together.
        screen: whether there are an outline, links and page labels, which print has not.
    Returns:
        The file, version 1.4 or lower, without object streams.
    """
    buffer = io.BytesIO()
    first = font(faces.files[FontKey.REGULAR][0])
    with no_date_from_outside(), _binary_streams():
        canvas = _Canvas(
            buffer,
            pagesize=(trim.width_pt, trim.height_pt),
            invariant=1,
            pageCompression=1,
            initialFontName=first.fontName,
            lang=about.language,
        )
        _describe(canvas, about)
        drawer = Drawer(canvas, hue, faces, placed_again(page.frame for page in pages))
        for page in pages:
            _set_boxes(canvas, trim, bleeds[0] if page.number % 2 else bleeds[1])
            drawer.page(page, screen)
        if screen:
            canvas.addPageLabel(0, style="ARABIC", start=pages[0].number if pages else 1)
            canvas.showOutline()
        canvas.save()
    return buffer.getvalue()


def draw_frame(
    frame: Frame, about: About | None = None, hue: Hue = Hue.PRESS, faces: Faces = SHIPPED
) -> bytes:
    """Return one frame as a PDF of one page that is exactly as large."""
    page, size = Page(frame, 1, kind="frame"), Size(frame.width_pt, frame.height_pt)
    return draw_pages([page], size, about or About(), hue=hue, faces=faces)


class _Canvas(Canvas):  # type: ignore[misc]
    """ReportLab's canvas loses the empty page transition, which archive and press files refuse."""

    trim_corner = (0.0, 0.0)  # of the page being drawn, from the corner of its media box

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._by_glyphs: dict[FontFile, GlyphFont] = {}
        self._shown: dict[tuple[FontFile, str], list[tuple[str, str]]] = {}

    def shown(self, file: FontFile, text: str) -> list[tuple[str, str]]:
        """Return the font and the operator that show each part of a text; numbers come by thousands."""
        if (file, text) not in self._shown:
            face, document = font(file), self._doc
            self._shown[file, text] = [
                (face.getSubsetInternalName(subset, document), f"({escapePDF(codes)}) Tj")
                for subset, codes in face.splitString(text, document)
            ]
        return self._shown[file, text]

    def glyph_font(self, file: FontFile, full: bool) -> GlyphFont:
        if file not in self._by_glyphs:
            self._by_glyphs[file] = GlyphFont(self._doc, file, full)
        return self._by_glyphs[file]

    def _make_preamble(self) -> None:
        self._preamble = ""  # else each page and form would begin with a matrix that moves nothing

    def _setAnnotations(self, page: Any) -> None:  # noqa: N802 - ReportLab's name
        super()._setAnnotations(page)
        page.Trans = None


class Drawer:
    """A drawer draws pages; frames named in ``again`` are drawn once, as forms, wherever they are placed."""

    def __init__(self, canvas: Canvas, hue: Hue, faces: Faces, again: Container[str]) -> None:
        self._canvas = canvas
        self._hue = hue
        self._faces = faces
        self._again = again

    def page(self, page: Page, screen: bool) -> None:
        """Draw a page, for screens with its links and the places that they lead to."""
        canvas = self._canvas
        self._define(page.frame)
        left, bottom = canvas.trim_corner
        if left or bottom:
            canvas.translate(left, bottom)
        self.draw(page.frame)
        if screen:
            self._mark(page, left, bottom)
        canvas.showPage()

    def draw(self, frame: Frame) -> None:
        """Draw a frame where the canvas stands."""
        Pen(self._canvas, self._place, self._hue, self._faces).draw(frame)

    def _define(self, frame: Frame) -> None:
        """Draw as forms the frames in a frame that are placed again, innermost first."""
        canvas = self._canvas
        for placed in (item for item in frame.items if isinstance(item, Placed)):
            if canvas.hasForm(placed.name):
                continue
            self._define(placed.frame)
            if placed.name in self._again:
                canvas.beginForm(placed.name, 0, 0, placed.frame.width_pt, placed.frame.height_pt)
                self.draw(placed.frame)
                canvas.endForm()

    def _place(self, placed: Placed) -> None:
        canvas, frame = self._canvas, placed.frame
        canvas.saveState()
        if placed.turned == 180:
            canvas.transform(-1, 0, 0, -1, placed.x + frame.width_pt, placed.y + frame.height_pt)
        elif placed.turned:
            canvas.transform(0, -1, 1, 0, placed.x, placed.y + frame.width_pt)
        else:
            canvas.translate(placed.x, placed.y)
        if placed.name in self._again:
            canvas.doForm(placed.name)
        else:
            self.draw(frame)
        canvas.restoreState()

    def _mark(self, page: Page, left: float, bottom: float) -> None:
        canvas = self._canvas
        for target in page.targets:
            canvas.bookmarkPage(target.name, fit="XYZ", left=0, top=target.top_pt + bottom)
            if target.title is not None:
                canvas.addOutlineEntry(target.title, target.name)
        for link in page.links:
            x, y, width, height = link.box
            box = (x + left, y + bottom, x + left + width, y + bottom + height)
            canvas.linkRect("", link.target, box, relative=0, thickness=0)


def placed_again(frames: Iterable[Frame]) -> set[str]:
    """Return the names of the frames that are placed more than once in some frames."""
    counts: Counter[str] = Counter()

    def count(frame: Frame) -> None:
        for item in frame.items:
            if isinstance(item, Placed):
                counts[item.name] += 1
                count(item.frame)

    for frame in frames:
        count(frame)
    return {name for name, placed in counts.items() if placed > 1}


def _circle(centre: Point, radius: float) -> str:
    """Write a circle of four curves, as ReportLab does, in a quarter of its time."""
    steps = (-radius, -radius * _ARC, 0.0, radius * _ARC, radius)
    (a, b, c, d, e), (f, g, h, i, j) = ([_exact(middle + step) for step in steps] for middle in centre)
    return (
        f"{e} {h} m {e} {i} {d} {j} {c} {j} c {b} {j} {a} {i} {a} {h} c "
        f"{a} {g} {b} {f} {c} {f} c {d} {f} {e} {g} {e} {h} c"
    )


def _exact(value: float) -> str:
    """Write a number to seven figures, or six decimals below 1."""
    text = f"{value:.7g}" if abs(value) > 1 else f"{value:.6f}".rstrip("0").rstrip(".")
    return text[1:] if text.startswith("0.") else text


def _set_boxes(canvas: Canvas, trim: Size, bleed: Bleed) -> None:
    """Set the media box and the bleed box to trim and bleed, and the trim box inside them."""
    width = trim.width_pt + bleed.left_pt + bleed.right_pt
    height = trim.height_pt + bleed.bottom_pt + bleed.top_pt
    canvas.setPageSize((width, height))
    canvas.setBleedBox((0, 0, width, height))
    left, bottom = bleed.left_pt, bleed.bottom_pt
    canvas.setTrimBox((left, bottom, left + trim.width_pt, bottom + trim.height_pt))
    canvas.trim_corner = (left, bottom)


def _describe(canvas: Canvas, about: About) -> None:
    canvas.setTitle(about.title)
    canvas.setAuthor(about.author)
    canvas.setSubject(about.subject)
    canvas.setKeywords(about.keywords)
    canvas.setCreator(about.creator)
    stamp = about.date.astimezone(UTC).strftime("D:%Y%m%d%H%M%S+00'00'")
    canvas.setDateFormatter(lambda *clock: stamp)


@contextmanager
def no_date_from_outside() -> Iterator[None]:
    """Keep SOURCE_DATE_EPOCH from ReportLab, which would read it, and end at one that is no date."""
    epoch = os.environ.pop("SOURCE_DATE_EPOCH", None)
    try:
        yield
    finally:
        if epoch is not None:
            os.environ["SOURCE_DATE_EPOCH"] = epoch


@contextmanager
def _binary_streams() -> Iterator[None]:
    """Keep ASCII 85 away: for last century's mail gateways it would make every stream a quarter longer."""
    before = rl_config.useA85
    rl_config.useA85 = 0
    try:
        yield
    finally:
        rl_config.useA85 = before


def _image_object(image: Image.Image) -> pdfdoc.PDFStream:
    """Pack a picture as ReportLab would, in half of its time: 17 MB of a photo of 9 megapixels, not 28."""
    keys = {
        "Type": "/XObject",
        "Subtype": "/Image",
        "Width": image.width,
        "Height": image.height,
        "BitsPerComponent": 8,
        "ColorSpace": _COLOUR_SPACES[image.mode],
        "Filter": "/FlateDecode",  # as an array of one it would be unpacked and packed when pikepdf saves it
        "DecodeParms": pdfdoc.PDFDictionary(
            {"Predictor": 15, "Colors": len(image.getbands()), "Columns": image.width}  # PNG's
        ),
    }
    return pdfdoc.PDFStream(pdfdoc.PDFDictionary(keys), png_rows(image))


class Pen:
    """A pen writes frames into a canvas's new page or form, in the operators of PDF."""

    def __init__(self, canvas: Any, place: Callable[[Placed], None], hue: Hue, faces: Faces) -> None:
        self._canvas = canvas
        self._write: Callable[[str], None] = canvas._code.append
        self._hue = hue
        self._faces = faces
        self._fill: Ink | None = None
        self._stroke: Ink | None = None
        self._line: tuple[float, Cap, Join] | None = None
        self._tracking = 0.0
        self._face: tuple[str, float] | None = None
        self._draw: dict[type, Callable[[Any], None]] = {
            Lines: self._lines,
            Polyline: self._polyline,
            Rects: self._rects,
            Polygon: self._polygon,
            Discs: self._discs,
            Photo: self._photo,
            Placed: place,
        }

    def draw(self, frame: Frame) -> None:
        """Draw every item in order; text runs that follow one another share a text object."""
        for is_text, items in groupby(frame.items, lambda item: type(item) is TextRun):
            if is_text:
                self._text(items)
            else:
                for item in items:
                    self._draw[type(item)](item)

    def _lines(self, item: Lines) -> None:
        if not item.segments:
            return
        self._set_line(item.width_pt, item.cap, Join.MITRE, item.ink)
        for x0, y0, x1, y1 in item.segments:
            self._write(f"{number(x0)} {number(y0)} m {number(x1)} {number(y1)} l")
        self._write("S")

    def _polyline(self, item: Polyline) -> None:
        self._set_line(item.width_pt, item.cap, item.join, item.ink)
        self._path(item.points)
        self._write("h S" if item.closed else "S")

    def _rects(self, item: Rects) -> None:
        if not item.boxes:
            return
        self._set_fill(item.ink)
        for box in item.boxes:
            self._write(f"{numbers(box)} re")
        self._write("f")

    def _polygon(self, item: Polygon) -> None:
        self._set_fill(item.ink)
        self._path(item.points)
        self._write("f")

    def _path(self, points: Sequence[Point]) -> None:
        for place, point in enumerate(points):
            self._write(f"{numbers(point)} {'l' if place else 'm'}")

    def _discs(self, item: Discs) -> None:
        if item.fill is not None:
            self._set_fill(item.fill)
        if item.ring is not None:
            self._set_line(item.ring_width_pt, Cap.BUTT, Join.MITRE, item.ring)
        end = " h" if item.ring is not None else ""  # else a notch shows where the ring's ends meet
        self._write(f"n {' '.join(_circle(centre, item.radius_pt) + end for centre in item.centres)}")
        self._write("f" if item.ring is None else "S" if item.fill is None else "B")

    def _photo(self, item: Photo) -> None:
        canvas, (x, y, width, height) = self._canvas, item.box
        image = prepared(item, mixed=self._hue is Hue.PRESS)
        name = hashlib.sha256(image.tobytes()).hexdigest()[:32]
        if not canvas.hasForm(name):
            canvas._doc.Reference(_image_object(image), canvas._doc.getXObjectName(name))
        canvas.saveState()
        canvas.transform(width, 0, 0, height, x, y)
        canvas.doForm(name)
        canvas.restoreState()
        canvas._currentPageHasImages = 1

    def _text(self, runs: Iterable[Any]) -> None:
        self._write("BT")
        self._face = None
        left = base = 0.0  # where the line before began
        for run in runs:
            parts = stretches(run.text, self._faces.files[run.font])
            whole = len(parts) == 1 and not self._by_glyphs(parts[0])
            self._set_fill(run.ink)
            if run.tracking_pt != self._tracking:
                self._write(f"{number(run.tracking_pt)} Tc")
                self._tracking = run.tracking_pt
            if not whole:  # those who read the page know by the mark that the parts are one line
                self._write("/Span BMC")
            x = run.x
            for part in parts:
                # Places are told from one another as they are written, so that no error adds up.
                written_x, written_y = round(x, DECIMALS), round(run.y, DECIMALS)
                self._write(f"{numbers((written_x - left, written_y - base))} Td")
                left, base = written_x, written_y
                self._show(part, run.size_pt)
                x += advance(part) * run.size_pt + run.tracking_pt * len(part.text)
            if not whole:
                self._write("EMC")
        if self._tracking:  # the text state outlives the text object and enters forms
            self._write("0 Tc")
            self._tracking = 0.0
        self._write("ET")

    def _by_glyphs(self, part: Stretch) -> bool:
        return bool(part.script) or self._faces.full

    def _show(self, part: Stretch, size_pt: float) -> None:
        if self._by_glyphs(part):
            shown = self._canvas.glyph_font(part.file, self._faces.full)
            self._canvas._code.extend(shown.operators(clusters(part), size_pt))
            self._face = None
            return
        for name, shown in self._canvas.shown(part.file, part.text):
            if self._face != (name, size_pt):
                self._write(f"{name} {number(size_pt)} Tf")
                self._face = name, size_pt
            self._write(shown)

    def _set_fill(self, ink: Ink) -> None:
        if ink != self._fill:
            self._fill = ink
            self._write(self._colour(ink))

    def _set_line(self, width_pt: float, cap: Cap, join: Join, ink: Ink) -> None:
        if ink != self._stroke:
            self._stroke = ink
            self._write(self._colour(ink).upper())
        if (width_pt, cap, join) != self._line:
            self._line = (width_pt, cap, join)
            self._write(f"{number(width_pt)} w {int(cap)} J {int(join)} j")

    def _colour(self, ink: Ink) -> str:
        """Return the operator that sets an ink for filling; in capitals it sets it for lines."""
        if ink.is_grey:
            return f"{number(1 - ink.black)} g"
        colour = self._hue.rgb(ink)
        return f"{numbers(ink.shares)} k" if colour is None else f"{numbers(colour)} rg"
