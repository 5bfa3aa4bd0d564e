"""Draw pages as a PDF with embedded fonts.

If a frame, such as a board, is placed several times, it becomes a Form XObject, which is drawn once and used
again. Shaped text, and text in fonts that are embedded as a whole, is written as glyph numbers in a composite
font (``CompositeFont``). All other text is written by ReportLab.

The same pages always give the same bytes. ``press.print_files`` adds everything that a printer's standard
requires in addition: Info keys, output intent and header.

Source:
    PDF 1.4: 5.6.4 "Composite fonts", 5.9.2 "ToUnicode CMaps", 10.8.3 "Replacement text".
"""

from __future__ import annotations

import hashlib
import io
import math
import os
import zlib
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from enum import Enum, auto
from functools import cache, lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

import uharfbuzz
from PIL import Image
from reportlab import rl_config
from reportlab.lib.rl_accel import escapePDF, fp_str
from reportlab.pdfbase import pdfdoc
from reportlab.pdfgen.canvas import Canvas

from linkpress.documents.inks import Rgb
from linkpress.documents.values import Size, trimmed
from linkpress.errors import UsageError
from linkpress.layout.frame import (
    Cap,
    Discs,
    FontKey,
    Frame,
    Ink,
    Item,
    Join,
    Lines,
    Page,
    Photo,
    Placed,
    Point,
    Polygon,
    Polyline,
    Rects,
    Segment,
    Tag,
    TextRun,
    marked_contents,
)
from linkpress.layout.text_flow import has_unspaced
from linkpress.printers import NO_BLEED, Bleed
from linkpress.render.fonts import (
    SHIPPED,
    Cluster,
    Faces,
    FontFile,
    FontRun,
    Glyph,
    advance,
    clusters,
    font,
    font_blob,
    font_runs,
)
from linkpress.render.photos import png_rows, prepared

if TYPE_CHECKING:
    from linkpress.production.dispatch import Workers

# the date that a file gets if no date is given for the book
DATE_WITHOUT_ANY = datetime(2000, 1, 1, tzinfo=UTC)

# Number of decimals of coordinates in points. Images for newspapers place each line exactly on whole pixels.
# With three decimals, the lines would not be aligned with the pixels.
_DECIMALS = 5

# If the gap between two texts on one line is smaller than this many points, they are parts of one
# word or sentence.
_JOINED_PT = 0.1

# A quarter of a circle of radius 1 is drawn as a Bézier curve. This is the distance from each end of the
# curve to the control point next to it.
_ARC = 4 / 3 * (math.sqrt(2) - 1)
_COLOUR_SPACES = {"L": "/DeviceGray", "RGB": "/DeviceRGB", "CMYK": "/DeviceCMYK"}


@dataclass(frozen=True, slots=True)
class About:
    """Metadata of a file. Every text may be empty.

    Args:
        title: the title.
        author: the author.
        subject: a description.
        keywords: keywords, separated by commas.
        language: the language of the text, a BCP 47 tag such as ``pt-PT``.
        date: the creation and modification date. It never comes from the clock, so building a book again
            gives the same file.
        creator: the name of the program that made the file. Files of a book also have the program's version.
    """

    title: str = ""
    author: str = ""
    subject: str = ""
    keywords: str = ""
    language: str = "en"
    date: datetime = DATE_WITHOUT_ANY
    creator: str = "linkpress"


def file_date(given: date | None, environ: Mapping[str, str]) -> datetime:
    """Return the date that a file gets.

    The date comes from the spec, or else from the environment variable ``SOURCE_DATE_EPOCH``. If neither is
    given, it is 2000-01-01.

    Args:
        given: the ``date`` of the spec; None if there is none. The file gets midnight of this day in UTC.
        environ: the environment variables.
    Raises:
        UsageError: ``SOURCE_DATE_EPOCH`` is not a valid number of seconds.
    """
    if given is not None:
        return datetime(given.year, given.month, given.day, tzinfo=UTC)
    epoch = environ.get("SOURCE_DATE_EPOCH")
    if epoch is None:
        return DATE_WITHOUT_ANY
    try:
        return datetime.fromtimestamp(int(epoch), tz=UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise UsageError(
            f"SOURCE_DATE_EPOCH={epoch!r} is not a date: it must be whole seconds since 1970-01-01 UTC. "
            "Correct it, unset it, or give the book a date: of its own."
        ) from error


class ColourMode(Enum):
    """How to write colours other than greys in a PDF."""

    CMYK = auto()
    SRGB = auto()
    AS_GIVEN = auto()  # a colour that the spec gives as sRGB is written as sRGB, any other as CMYK

    def rgb(self, ink: Ink) -> Rgb | None:
        """Return the sRGB colour to write for an ink. Return None if the ink is written as CMYK or grey."""
        if ink.is_grey or self is ColourMode.CMYK or (self is ColourMode.AS_GIVEN and ink.srgb is None):
            return None
        return ink.rgb


def draw_pages(
    pages: Sequence[Page],
    trim: Size,
    about: About,
    bleeds: tuple[Bleed, Bleed] = (NO_BLEED, NO_BLEED),
    screen: bool = False,
    colour_mode: ColourMode = ColourMode.CMYK,
    faces: Faces = SHIPPED,
    workers: Workers | None = None,
    left_out: dict[int, LikePage] | None = None,
) -> bytes:
    """Draw pages as a PDF.

    Args:
        pages: the pages in order. Their frames start at the trim's lower left corner. The sequence may have
            an attribute ``sample``, as ``layout.pages.Pages`` has: the indices of pages that together should
            use all fonts, characters and pictures of the book. These pages are drawn first.
        trim: the trim size.
        about: the file's metadata.
        bleeds: the bleed of a recto and of a verso. The media box is the trim with its bleed.
        screen: whether to add bookmarks, links, page labels and marks for tags, for reading on a screen.
        colour_mode: how to write colours.
        faces: the book's fonts.
        workers: processes that share the drawing of the pages outside the sample; None to draw all pages in
            this process. The file is the same either way.
        left_out: an empty dict, or None to write all pages. With a dict, pages that have the same boxes and
            resources as an earlier page are left out of the file. They are stored in the dict by their
            indices. The caller must add these pages to the finished file with pikepdf, which takes half the
            time that ReportLab needs. Pass a dict only for printed editions.
    Returns:
        The content of the file. It is PDF 1.4 or lower, without object streams.
    """
    buffer = io.BytesIO()
    regular = font(faces.files[FontKey.REGULAR][0])
    with without_source_date(), _without_ascii85():
        canvas = _Canvas(
            buffer,
            pagesize=(trim.width_pt, trim.height_pt),
            invariant=1,
            pageCompression=1,
            initialFontName=regular.fontName,
            lang=about.language,
        )
        _set_metadata(canvas, about)
        # Draw the pages of the sample first. Usually they use all fonts, characters and pictures of the book
        # together. The other pages then add none to the file, so worker processes can draw them.
        sample: Sequence[int] = getattr(pages, "sample", range(len(pages)))
        others = sorted({*range(len(pages))}.difference(sample))
        forms = placed_again(pages[index].frame for index in sample)
        writer = PageWriter(canvas, colour_mode, faces, forms, tagged=screen)

        def bleed_of(number: int) -> Bleed:
            return bleeds[0] if number % 2 else bleeds[1]

        def draw(indices: Iterable[int]) -> dict[int, PageContent]:
            shown = ((index, pages[index]) for index in indices)
            return {index: writer.content(page, bleed_of(page.number)) for index, page in shown}

        def draw_share(start: int, step: int) -> dict[int, PageContent] | None:
            # A worker process draws on its own copy of the canvas. If a page uses a font, character or
            # picture for the first time, the worker adds it to this copy only, and the file would lack it.
            # So return None if the numbers of objects and characters have changed.
            share = draw(others[start::step])
            return share if canvas.counts == counts else None

        drawn, shares = draw(sample), None
        counts = canvas.counts
        if workers and workers.forked:
            # This is imported only here, because ``linkpress check`` needs no workers.
            from linkpress.production.dispatch import call_shares

            shares = call_shares(workers, draw_share, len(others))
            if shares is None and canvas.counts != counts:
                # This process has drawn some pages outside the sample, and they contain characters that the
                # sample lacks. In the PDF, these characters would now get other codes than they get if there
                # are no workers. So begin again without workers.
                return draw_pages(pages, trim, about, bleeds, screen, colour_mode, faces, None, left_out)
        for share in shares or [draw(others)]:
            drawn |= share
        first_like: dict[tuple[Bleed, tuple[str, ...]], int] = {}
        for index in range(len(pages)):
            canvas.content = drawn[index]
            bleed = bleed_of(canvas.content.number)
            like = first_like.setdefault((bleed, tuple(canvas.content.forms)), index)
            if left_out is not None and like != index:
                left_out[index] = LikePage(like, canvas.content.stream)
                continue
            _set_boxes(canvas, trim, bleed)
            if screen:
                writer.add_links(pages[index], bleed.left_pt, bleed.bottom_pt)
            canvas.showPage()
        if screen:
            canvas.addPageLabel(0, style="ARABIC", start=pages[0].number if pages else 1)
            canvas.showOutline()
        canvas.save()
    return buffer.getvalue()


class LikePage(NamedTuple):
    """Page that differs from an earlier page only in its content.

    Args:
        like: the index of the earlier page.
        stream: the compressed content stream.
    """

    like: int
    stream: bytes


class PageContent(NamedTuple):
    """Content of a page that is drawn but not yet added to the file.

    Args:
        number: the page number.
        stream: the compressed content stream.
        forms: the names of the Form XObjects that the content uses.
    """

    number: int
    stream: bytes
    forms: list[str]


def draw_frame(
    frame: Frame,
    about: About | None = None,
    colour_mode: ColourMode = ColourMode.CMYK,
    faces: Faces = SHIPPED,
) -> bytes:
    """Draw one frame, such as a board or a cover, as a PDF with a single page.

    The page has the size of the frame.
    """
    page, size = Page(frame, 1, kind="frame"), Size(frame.width_pt, frame.height_pt)
    return draw_pages([page], size, about or About(), colour_mode=colour_mode, faces=faces)


def placed_again(frames: Iterable[Frame]) -> set[str]:
    """Return the names of the frames that are placed more than once.

    A frame is a drawing, such as a board, and can be placed inside other frames, such as pages.

    Args:
        frames: the outermost frames, in which all placed frames are counted.
    """

    def names(frame: Frame) -> Iterator[str]:
        for item in frame.items:
            if isinstance(item, Placed):
                yield item.name
                yield from names(item.frame)

    counts = Counter(name for frame in frames for name in names(frame))
    return {name for name, placed in counts.items() if placed > 1}


def _set_boxes(canvas: Canvas, trim: Size, bleed: Bleed) -> None:
    """Set the MediaBox and BleedBox of a page to the trim with its bleed, and the TrimBox to the trim."""
    width = trim.width_pt + bleed.left_pt + bleed.right_pt
    height = trim.height_pt + bleed.bottom_pt + bleed.top_pt
    canvas.setPageSize((width, height))
    canvas.setBleedBox((0, 0, width, height))
    left, bottom = bleed.left_pt, bleed.bottom_pt
    canvas.setTrimBox((left, bottom, left + trim.width_pt, bottom + trim.height_pt))


def _set_metadata(canvas: Canvas, about: About) -> None:
    canvas.setTitle(about.title)
    canvas.setAuthor(about.author)
    canvas.setSubject(about.subject)
    canvas.setKeywords(about.keywords)
    canvas.setCreator(about.creator)
    pdf_date = about.date.astimezone(UTC).strftime("D:%Y%m%d%H%M%S+00'00'")
    canvas.setDateFormatter(lambda *clock: pdf_date)


@contextmanager
def without_source_date() -> Iterator[None]:
    """Hide the environment variable SOURCE_DATE_EPOCH from ReportLab.

    ReportLab would fail if its value is not a valid date.
    """
    epoch = os.environ.pop("SOURCE_DATE_EPOCH", None)
    try:
        yield
    finally:
        if epoch is not None:
            os.environ["SOURCE_DATE_EPOCH"] = epoch


@contextmanager
def _without_ascii85() -> Iterator[None]:
    """Turn off ReportLab's ASCII 85 encoding, which makes every stream a quarter longer."""
    before = rl_config.useA85
    rl_config.useA85 = 0
    try:
        yield
    finally:
        rl_config.useA85 = before


_KnownText = tuple[Sequence[FontRun], Sequence[tuple[str, str]] | None, float, float]
"""A text's runs, its operators if it is one run in a font of ReportLab, and its rounded x and y."""


class _Canvas(Canvas):  # type: ignore[misc]
    """ReportLab's canvas, for pages whose content is drawn before they are added to the file.

    It leaves out ReportLab's empty page transition, because archive and press files must not have any.
    """

    content: PageContent  # content of the page that the next call of ``showPage`` adds to the file

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._composite_fonts: dict[FontFile, CompositeFont] = {}
        # Cache for ``_read_text``. A key is the ``id()`` of a text run, because computing the hash of the run
        # itself is slow. The value contains the run too, so that no other run can get the same ``id()``.
        self.texts: dict[int, tuple[TextRun, _KnownText]] = {}
        self._show_operators: dict[tuple[FontFile, str], list[tuple[str, str]]] = {}
        # Cached, because most pages have the same resources.
        self._resources = cache(self._write_resources)

    def show_operators(self, file: FontFile, text: str) -> list[tuple[str, str]]:
        """Return the operators that show a text in a PDF: for each part, the font's name and the operator.

        The results are cached, because a book shows the same numbers thousands of times.
        """
        if (file, text) not in self._show_operators:
            face, document = font(file), self._doc
            self._show_operators[file, text] = [
                (face.getSubsetInternalName(subset, document), f"({escapePDF(codes)}) Tj")
                for subset, codes in face.splitString(text, document)
            ]
        return self._show_operators[file, text]

    def composite_font(self, file: FontFile, full: bool) -> CompositeFont:
        if file not in self._composite_fonts:
            self._composite_fonts[file] = CompositeFont(self._doc, file, full)
        return self._composite_fonts[file]

    def _make_preamble(self) -> None:
        # Text that ReportLab writes at the start of each page and form: a matrix that changes nothing.
        # Leave it out.
        self._preamble = ""

    @property
    def counts(self) -> list[int]:
        """Return the number of objects in the file, then the number of characters or glyphs of each font.

        Only characters and glyphs that were used so far are counted. Equal lists before and after drawing
        mean that the drawing added nothing to the file except the content of its pages.
        """
        document = self._doc
        counts = [len(document.idToObject)]
        for used in document.delayedFonts:
            is_composite = isinstance(used, CompositeFont)
            counts.append(len(used.text_of if is_composite else used.state[document].assignments))
        return counts

    def take_content(self, number: int) -> PageContent:
        """Return the drawn content of the page, and begin the next page."""
        code = "\n".join(["", *self._code, " ", ""])
        content = PageContent(number, zlib.compress(code.encode()), self._formsinuse)
        self._restartAccumulators()
        self.init_graphics_state()
        return content

    def _setXObjects(self, drawn: Any) -> None:  # noqa: N802 - ReportLab's name
        if isinstance(drawn, pdfdoc.PDFPage):
            self._formsinuse = self.content.forms
            # Write the key Filter as a single name. If it were an array of names, pikepdf would compress the
            # stream again when it saves the file.
            drawn.Contents = pdfdoc.PDFStream(
                pdfdoc.PDFDictionary({"Filter": "/FlateDecode"}), self.content.stream
            )
            drawn.Trans = None
            drawn.MediaBox = _box(0, 0, drawn.pagewidth, drawn.pageheight)
            drawn.BleedBox, drawn.TrimBox = _box(*self._bleedBox), _box(*self._trimBox)
            drawn.Resources = self._resources(tuple(self._formsinuse))
        super()._setXObjects(drawn)

    def _write_resources(self, forms: tuple[str, ...]) -> bytes:
        """Return the resource dictionary, as written in the file, of a page that uses certain forms.

        Args:
            forms: the names of the Form XObjects that the page uses.
        """
        resources = pdfdoc.PDFResourceDictionary(XObject=self._doc.xobjDict(forms) if forms else {})
        resources.basicFonts()
        resources.allProcs()
        text: bytes = resources.format(self._doc)
        return text


@dataclass
class PageWriter:
    """Writer of pages to a canvas. Frames that are placed several times become forms, which are written once.

    A frame is a drawing such as a board. A form is PDF's object for content that is used again.

    Args:
        canvas: the canvas.
        colour_mode: how to write colours.
        faces: the book's fonts.
        forms: the names of the frames that become forms.
        tagged: whether to mark the content of pages for screen readers.
    """

    canvas: Canvas
    colour_mode: ColourMode
    faces: Faces
    forms: Container[str]
    tagged: bool = False

    def content(self, page: Page, bleed: Bleed) -> PageContent:
        """Draw a page, and return its content."""
        self._define_forms(page.frame)
        if bleed.left_pt or bleed.bottom_pt:
            self.canvas.translate(bleed.left_pt, bleed.bottom_pt)
        if self.tagged:
            self._write_marked(page.frame)
        else:
            self.write_frame(page.frame)
        content: PageContent = self.canvas.take_content(page.number)
        return content

    def write_frame(self, frame: Frame) -> None:
        """Write a frame, which is a drawing such as a page, at the origin of the canvas."""
        ContentWriter(self.canvas, self._place, self.colour_mode, self.faces).write(frame.items)

    def _write_marked(self, frame: Frame) -> None:
        """Write the content of a page with the marks that a screen reader needs.

        Items with a tag, such as text, are written as marked content. Decoration and items without a tag are
        written as artifacts, which screen readers skip.
        """
        items: list[Item | _Mark] = []
        for tag, mcid, is_text, marked in marked_contents(frame.items):
            spaced = marked if mcid is None else _with_spaces(marked)
            items += [_Mark(_begin_mark(tag, mcid), is_text), *spaced, _Mark("EMC", is_text)]
        ContentWriter(self.canvas, self._place, self.colour_mode, self.faces).write(items)

    def _define_forms(self, frame: Frame) -> None:
        """Write the forms (Form XObjects) that a frame uses. A frame is a drawing, such as a page.

        If a form uses other forms, these are written first.
        """
        canvas = self.canvas
        for placed in (item for item in frame.items if isinstance(item, Placed)):
            if canvas.hasForm(placed.name):
                continue
            self._define_forms(placed.frame)
            if placed.name in self.forms:
                canvas.beginForm(placed.name, 0, 0, placed.frame.width_pt, placed.frame.height_pt)
                self.write_frame(placed.frame)
                canvas.endForm()

    def _place(self, placed: Placed) -> None:
        canvas, frame = self.canvas, placed.frame
        if placed.turned == 180:
            matrix = _matrix(-1, 0, 0, -1, placed.x + frame.width_pt, placed.y + frame.height_pt)
        elif placed.turned == 270:
            matrix = _matrix(0, 1, -1, 0, placed.x + frame.height_pt, placed.y)
        elif placed.turned:
            matrix = _matrix(0, -1, 1, 0, placed.x, placed.y + frame.width_pt)
        else:
            matrix = _matrix(1, 0, 0, 1, placed.x, placed.y)
        canvas._code += ["q", matrix]
        if placed.name in self.forms:
            canvas.doForm(placed.name)
        else:
            self.write_frame(frame)
        canvas._code.append("Q")

    def add_links(self, page: Page, left: float, bottom: float) -> None:
        """Add the bookmarks and links of a page.

        Args:
            left, bottom: the bleed at these sides of the page.
        """
        canvas = self.canvas
        for target in page.targets:
            canvas.bookmarkPage(target.name, fit="XYZ", left=0, top=target.top_pt + bottom)
            if target.title is not None:
                canvas.addOutlineEntry(target.title, target.name)
        for link in page.links:
            x, y, width, height = link.box
            box = (x + left, y + bottom, x + left + width, y + bottom + height)
            canvas.linkRect("", link.target, box, relative=0, thickness=0)


class _Mark(NamedTuple):
    """Operator that begins or ends marked content in a PDF.

    ``in_text`` says whether the operator is inside a text object.
    """

    operator: str
    in_text: bool


def _begin_mark(tag: Tag, mcid: int | None) -> str:
    if mcid is not None:
        return f"/{tag.role} <</MCID {mcid}>> BDC"
    if not tag.attribute:
        return "/Artifact BMC"
    _, key, value = tag.attribute
    return f"/Artifact <</Type /Pagination /{key} /{value}>> BDC"


def _with_spaces(items: Sequence[Item]) -> Iterator[Item]:
    """Yield the items of a tagged text. Add a space after each line except for the last.

    Programs that read a tagged PDF aloud may ignore positions. Without a space, they would join the words of
    two lines. No space is needed within a line, after a hyphen, or in a script without spaces.
    """
    for item, following in zip(items, [*items[1:], None], strict=True):
        if (
            isinstance(item, TextRun)
            and isinstance(following, TextRun)
            and not item.text.endswith((" ", "-"))
        ):
            is_joined = item.y == following.y and abs(item.x + item.width_pt - following.x) < _JOINED_PT
            if not is_joined and not has_unspaced(item.text[-1:]):
                yield replace(item, text=f"{item.text} ")
                continue
        yield item


# Content streams


# Cached, because the same few coordinates occur in all boards of a book.
@lru_cache(maxsize=20_000)
def number(value: float) -> str:
    return trimmed(value, _DECIMALS)


def numbers(values: Iterable[float]) -> str:
    return " ".join(map(number, values))


# Cached, because boards are in the same few positions on all pages of a book.
@lru_cache(maxsize=1_000)
def _matrix(*values: float) -> str:
    return f"{fp_str(*values)} cm"


# Cached, because a book has only two kinds of pages, left and right ones.
@lru_cache(maxsize=32)
def _box(*sides: float) -> bytes:
    return f"[ {fp_str(*sides)} ]".encode()


# Cached, because all boards of one size have the same grid lines.
@lru_cache(maxsize=32)
def _segments(segments: tuple[Segment, ...]) -> list[str]:
    return [f"{number(x0)} {number(y0)} m {number(x1)} {number(y1)} l" for x0, y0, x1, y1 in segments]


# Cached, because discs are at the same positions on many boards of one size.
@lru_cache(maxsize=5_000)
def _circle(centre: Point, radius: float) -> str:
    """Write a circle as four Bézier curves.

    Coordinates are rounded as ReportLab rounds them, but in a quarter of the time.
    """
    offsets = (-radius, -radius * _ARC, 0.0, radius * _ARC, radius)
    (a, b, c, d, e), (f, g, h, i, j) = (
        [_seven_digits(middle + offset) for offset in offsets] for middle in centre
    )
    return (
        f"{e} {h} m {e} {i} {d} {j} {c} {j} c {b} {j} {a} {i} {a} {h} c "
        f"{a} {g} {b} {f} {c} {f} c {d} {f} {e} {g} {e} {h} c"
    )


def _seven_digits(value: float) -> str:
    """Write a number with seven significant digits. Between -1 and 1, write it with six decimals."""
    text = f"{value:.7g}" if abs(value) > 1 else f"{value:.6f}".rstrip("0").rstrip(".")
    return text[1:] if text.startswith("0.") else text


def _image_object(image: Image.Image) -> pdfdoc.PDFStream:
    """Make an image XObject for a PDF. The samples are compressed with the row filters of PNG.

    PDF supports these filters. With them, a photo of 9 megapixels takes 17 MB. With ReportLab's own
    compression, it takes 28 MB and twice the time.
    """
    keys = {
        "Type": "/XObject",
        "Subtype": "/Image",
        "Width": image.width,
        "Height": image.height,
        "BitsPerComponent": 8,
        "ColorSpace": _COLOUR_SPACES[image.mode],
        # Write the key Filter as a single name. If it were an array of names, pikepdf would compress the
        # stream again when it saves the file.
        "Filter": "/FlateDecode",
        "DecodeParms": pdfdoc.PDFDictionary(
            {"Predictor": 15, "Colors": len(image.getbands()), "Columns": image.width}
        ),
    }
    return pdfdoc.PDFStream(pdfdoc.PDFDictionary(keys), png_rows(image))


class ContentWriter:
    """Writer of a frame's lines, areas, texts and pictures to the content stream of a PDF.

    Args:
        canvas: the canvas whose current page or form gets the operators.
        place: the function that writes a frame placed inside this frame.
        colour_mode: how to write colours.
        faces: the book's fonts.
    """

    def __init__(
        self, canvas: Any, place: Callable[[Placed], None], colour_mode: ColourMode, faces: Faces
    ) -> None:
        self._canvas = canvas
        self._write: Callable[[str], None] = canvas._code.append
        self._colour_mode = colour_mode
        self._faces = faces
        self._fill: Ink | None = None
        self._stroke: Ink | None = None
        self._line: tuple[float, Cap, Join] | None = None
        self._tracking = 0.0
        self._font: tuple[str, float] | None = None
        self._writers: dict[type, Callable[[Any], None]] = {
            Lines: self._lines,
            Polyline: self._polyline,
            Rects: self._rects,
            Polygon: self._polygon,
            Discs: self._discs,
            Photo: self._photo,
            Placed: place,
            _Mark: lambda mark: self._write(mark.operator),
        }

    def write(self, items: Iterable[Item | _Mark]) -> None:
        """Write the items of a frame in order, such as its lines and texts.

        Consecutive texts share a PDF text object.
        """

        def is_in_text(item: Item | _Mark) -> bool:
            return type(item) is TextRun or (type(item) is _Mark and item.in_text)

        for is_text, alike in groupby(items, is_in_text):
            if is_text:
                self._text(alike)
            else:
                for item in alike:
                    self._writers[type(item)](item)

    def _lines(self, item: Lines) -> None:
        if not item.segments:
            return
        self._set_line(item.width_pt, item.cap, Join.MITRE, item.ink)
        self._canvas._code.extend(_segments(item.segments))
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
        for index, (x, y) in enumerate(points):
            self._write(f"{number(x)} {number(y)} {'l' if index else 'm'}")

    def _discs(self, item: Discs) -> None:
        if item.fill is not None:
            self._set_fill(item.fill)
        if item.ring is not None:
            self._set_line(item.ring_width_pt, Cap.BUTT, Join.MITRE, item.ring)
        # close the ring, because an open ring has a notch where its ends meet
        end = " h" if item.ring is not None else ""
        self._write(f"n {' '.join(_circle(centre, item.radius_pt) + end for centre in item.centres)}")
        self._write("f" if item.ring is None else "S" if item.fill is None else "B")

    def _photo(self, item: Photo) -> None:
        canvas, (x, y, width, height) = self._canvas, item.box
        image = prepared(item, mixed=self._colour_mode is ColourMode.CMYK)
        name = hashlib.sha256(image.tobytes()).hexdigest()[:32]
        if not canvas.hasForm(name):
            canvas._doc.Reference(_image_object(image), canvas._doc.getXObjectName(name))
        canvas.saveState()
        canvas.transform(width, 0, 0, height, x, y)
        canvas.doForm(name)
        canvas.restoreState()

    def _text(self, texts: Iterable[Any]) -> None:
        self._write("BT")
        self._font = None
        line_x = line_y = 0.0  # position where the previous text began; the operands of Td are relative to it
        for text in texts:
            if type(text) is _Mark:
                self._write(text.operator)
                continue
            runs, operators, written_x, written_y = self._read_text(text)
            is_one_part = operators is not None
            if text.ink is not self._fill:
                self._set_fill(text.ink)
            if text.tracking_pt != self._tracking:
                self._write(f"{number(text.tracking_pt)} Tc")
                self._tracking = text.tracking_pt
            # A text in several fonts is written in several parts. Enclose these parts in a span (marked
            # content), so that screen readers read them as one line of text.
            if not is_one_part:
                self._write("/Span BMC")
            x = text.x
            for run in runs:
                # Subtract the rounded positions that were written, so that rounding errors don't add up.
                self._write(f"{number(written_x - line_x)} {number(written_y - line_y)} Td")
                line_x, line_y = written_x, written_y
                if operators is None:
                    self._show_run(run, text.size_pt)
                    x += advance(run) * text.size_pt + text.tracking_pt * len(run.text)
                    written_x = round(x, _DECIMALS)
                else:
                    self._show(operators, text.size_pt)
            if not is_one_part:
                self._write("EMC")
        # Reset the tracking (operator Tc). Otherwise, it would stay set after this text object, and would
        # also apply to text in form XObjects that are drawn later.
        if self._tracking:
            self._write("0 Tc")
            self._tracking = 0.0
        self._write("ET")

    def _is_by_glyphs(self, run: FontRun) -> bool:
        return bool(run.script) or self._faces.full

    def _read_text(self, text: TextRun) -> _KnownText:
        """Return the parts of a text, its PDF operators, and its rounded position.

        Each part is in one font and one script. The operators are None if there are several parts, or if the
        text is written as glyph numbers. The results are cached, because texts such as numbers occur often.
        """
        known: dict[int, tuple[TextRun, _KnownText]] = self._canvas.texts
        if id(text) not in known:
            runs, operators = font_runs(text.text, self._faces.files[text.font]), None
            if len(runs) == 1 and not self._is_by_glyphs(runs[0]):
                operators = self._canvas.show_operators(runs[0].file, runs[0].text)
            known[id(text)] = text, (runs, operators, round(text.x, _DECIMALS), round(text.y, _DECIMALS))
        return known[id(text)][1]

    def _show_run(self, run: FontRun, size_pt: float) -> None:
        if self._is_by_glyphs(run):
            composite = self._canvas.composite_font(run.file, self._faces.full)
            self._canvas._code.extend(composite.operators(clusters(run), size_pt))
            self._font = None
        else:
            self._show(self._canvas.show_operators(run.file, run.text), size_pt)

    def _show(self, operators: Sequence[tuple[str, str]], size_pt: float) -> None:
        for name, operator in operators:
            if self._font != (name, size_pt):
                self._write(f"{name} {number(size_pt)} Tf")
                self._font = name, size_pt
            self._write(operator)

    def _set_fill(self, ink: Ink) -> None:
        if ink != self._fill:
            self._fill = ink
            self._write(self._colour(ink))

    def _set_line(self, width_pt: float, cap: Cap, join: Join, ink: Ink) -> None:
        if ink != self._stroke:
            self._stroke = ink
            # PDF sets the colour of fills by operators such as ``rg``. The same operators in capital letters,
            # such as ``RG``, set the colour of lines.
            self._write(self._colour(ink).upper())
        if (width_pt, cap, join) != self._line:
            self._line = (width_pt, cap, join)
            self._write(f"{number(width_pt)} w {int(cap)} J {int(join)} j")

    def _colour(self, ink: Ink) -> str:
        """Return the PDF operator that sets the colour of fills."""
        if ink.is_grey:
            return f"{number(1 - ink.black)} g"
        colour = self._colour_mode.rgb(ink)
        return f"{numbers(ink.shares)} k" if colour is None else f"{numbers(colour)} rg"


# Composite fonts

_MAX_SECTION_ENTRIES = 100  # maximum number of entries in a section (bfchar) of a PDF character map (CMap)

# Font tables that HarfBuzz uses to shape text. The embedded font does not need them.
_SHAPING_TABLES = (b"GSUB", b"GPOS", b"GDEF")
_TO_UNICODE = """\
/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <FFFF>
endcodespacerange
{sections}
endcmap
CMapName currentdict /CMap defineresource pop
end
end"""


class CompositeFont:
    """Font of a PDF in which text is written as glyph numbers.

    ReportLab's fonts have 256 character codes, and each glyph stands for one character. In a shaped line,
    glyphs may stand for no single character, so the line can't be written in these fonts. Programs that find
    and copy text use the ToUnicode map of the font. If the map would give other characters than the text has,
    the text also gets an ActualText.

    Args:
        document: ReportLab's document.
        file: the font file.
        full: whether to embed the whole file, or only the glyphs that are used.
    """

    def __init__(self, document: Any, file: FontFile, full: bool) -> None:
        self._file, self._full = file, full
        self._face = font(file).face
        # for each glyph that was used, the first text that it stood for
        self.text_of: dict[int, str] = {0: ""}
        key = f"{file.value} by glyphs"
        self.name = f"F{len(document.fontMapping) + 1}"
        document.fontMapping[key] = f"/{self.name}"
        document.delayedFonts.append(self)

    def operators(self, clusters: Sequence[Cluster], size_pt: float) -> Iterator[str]:
        """Yield the PDF operators that show clusters of glyphs at the current text position.

        A cluster is a group of characters whose glyphs can't be separated.
        """
        yield f"/{self.name} {number(size_pt)} Tf"
        glyphs = [glyph for cluster in clusters for glyph in cluster.glyphs]
        is_mapped = [self._add_to_map(cluster) for cluster in clusters]
        if all(is_mapped):
            yield from self._show(glyphs, size_pt)
            return
        text = "\ufeff" + "".join(cluster.text for cluster in clusters)
        yield f"/Span <</ActualText <{text.encode('utf-16-be').hex().upper()}>>> BDC"
        yield from self._show(glyphs, size_pt)
        yield "EMC"

    def _add_to_map(self, cluster: Cluster) -> bool:
        """Add the glyphs of a cluster to the ToUnicode map of the font.

        The map has one text for each glyph: the first text that the glyph stood for. Return whether the map
        gives the right text for this cluster.
        """
        if len(cluster.glyphs) == 1:
            return self.text_of.setdefault(cluster.glyphs[0].number, cluster.text) == cluster.text
        for glyph in cluster.glyphs:
            characters = self._face.glyphToChar.get(glyph.number, ())[:1]
            self.text_of.setdefault(glyph.number, "".join(map(chr, characters)))
        return False

    def _show(self, glyphs: Sequence[Glyph], size_pt: float) -> Iterator[str]:
        """Yield the PDF operators that show glyphs, for each series of glyphs at the same height.

        The operator Ts sets the height, and TJ shows the glyphs.
        """
        pen = 0.0
        for rise, stretch in groupby(glyphs, lambda glyph: glyph.y):
            parts = []
            for glyph in stretch:
                back = round(1000 * (pen - glyph.x), 2)
                if back:
                    parts.append(number(back))
                    pen -= back / 1000
                parts.append(f"<{glyph.number:04X}>")
                pen += self._width(glyph.number) / 1000
            shown = f"[{' '.join(parts).replace('> <', '')}] TJ"
            yield f"{number(rise * size_pt)} Ts {shown} 0 Ts" if rise else shown

    def _width(self, glyph: int) -> int:
        """Return the width of a glyph in the PDF, in thousandths of an em."""
        width: float = 1000 * self._face.hmetrics[glyph][0] / self._face.unitsPerEm
        return round(width)

    def addObjects(self, document: Any) -> None:  # noqa: N802 - ReportLab's name
        """Add the objects of the font to the document. ReportLab calls this method after the last page."""
        base = self._face.name.decode("ascii", "replace")
        if not self._full:
            base = f"{_subset_tag(self.text_of)}+{base}"
        used = range(len(self._face.hmetrics)) if self._full else sorted(self.text_of)
        descendant = pdfdoc.PDFDictionary(
            {
                "Type": "/Font",
                "Subtype": "/CIDFontType2",
                "BaseFont": pdfdoc.PDFName(base),
                "CIDSystemInfo": pdfdoc.PDFDictionary(
                    {"Registry": "(Adobe)", "Ordering": "(Identity)", "Supplement": 0}
                ),
                "CIDToGIDMap": "/Identity",
                "DW": 1000,
                "W": pdfdoc.PDFArray(list(self._widths(used))),
                "FontDescriptor": self._descriptor(document, base),
            }
        )
        composite = {
            "Type": "/Font",
            "Subtype": "/Type0",
            "BaseFont": pdfdoc.PDFName(base),
            "Encoding": "/Identity-H",
            "DescendantFonts": pdfdoc.PDFArray([document.Reference(descendant)]),
            "ToUnicode": self._stream(document, self._to_unicode().encode("ascii")),
        }
        reference = document.Reference(pdfdoc.PDFDictionary(composite))
        document.idToObject["BasicFonts"].dict[self.name] = reference

    def _widths(self, used: Sequence[int]) -> Iterator[Any]:
        """Yield the W array of a PDF font, which contains the widths of the glyphs.

        For each series of consecutive glyphs, the array contains the first glyph and a list of widths.
        """
        for _, group in groupby(enumerate(used), lambda pair: pair[1] - pair[0]):
            glyphs = [glyph for _, glyph in group]
            yield glyphs[0]
            yield pdfdoc.PDFArray([self._width(glyph) for glyph in glyphs])

    def _descriptor(self, document: Any, base: str) -> Any:
        face = self._face
        content = self._font_file()
        return document.Reference(
            pdfdoc.PDFDictionary(
                {
                    "Type": "/FontDescriptor",
                    "FontName": pdfdoc.PDFName(base),
                    "Flags": face.flags,
                    "FontBBox": pdfdoc.PDFArray(face.bbox),
                    "ItalicAngle": face.italicAngle,
                    "Ascent": face.ascent,
                    "Descent": face.descent,
                    "CapHeight": face.capHeight,
                    "StemV": face.stemV,
                    "FontFile2": self._stream(document, content, Length1=len(content)),
                }
            )
        )

    def _font_file(self) -> bytes:
        """Return the font file to embed.

        Unless the whole font is embedded, the file has only the glyphs that are used, with their old numbers.
        """
        blob = font_blob(self._file)
        if self._full:
            return bytes(blob.data)
        subset = uharfbuzz.SubsetInput()
        subset.flags = uharfbuzz.SubsetFlags.RETAIN_GIDS
        subset.glyph_set.update(self.text_of)
        subset.drop_table_tag_set.update(int.from_bytes(table, "big") for table in _SHAPING_TABLES)
        return bytes(subset.subset(uharfbuzz.Face(blob)).blob.data)

    def _stream(self, document: Any, content: bytes, **keys: int) -> Any:
        stream = pdfdoc.PDFStream(pdfdoc.PDFDictionary(keys), content)
        if document.compression:
            stream.filters = [pdfdoc.PDFZCompress]
        return document.Reference(stream)

    def _to_unicode(self) -> str:
        entries = [
            f"<{glyph:04X}> <{text.encode('utf-16-be').hex().upper()}>"
            for glyph, text in sorted(self.text_of.items())
            if text
        ]
        starts = range(0, len(entries), _MAX_SECTION_ENTRIES)
        sections = (entries[start : start + _MAX_SECTION_ENTRIES] for start in starts)
        lines = "\n".join(
            f"{len(section)} beginbfchar\n{chr(10).join(section)}\nendbfchar" for section in sections
        )
        return _TO_UNICODE.format(sections=lines)


def _subset_tag(used: Iterable[int]) -> str:
    """Return the six letters that begin the name of a font subset. They depend only on the glyphs in it."""
    code = zlib.crc32(repr(sorted(used)).encode())
    return "".join(chr(65 + code // 26**place % 26) for place in range(6))
