"""Pages to PDF: one Form XObject per figure, one text object per page, our own fonts embedded.

The bytes are the same every time. What a printer's standard asks for beyond this (Info keys,
output intent, header) is added afterwards by ``press.pdfx``.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from reportlab import rl_config
from reportlab.pdfgen.canvas import Canvas

from linkpress.config.lengths import Size
from linkpress.layout.frame import FontKey, Frame, Page, Placed
from linkpress.layout.printers import NO_BLEED, Bleed
from linkpress.render.fonts import font
from linkpress.render.pen import Pen


@dataclass(frozen=True, slots=True)
class About:
    """What the file says about itself."""

    title: str = ""
    author: str = ""
    subject: str = ""
    keywords: str = ""
    language: str = "en"
    date: datetime = datetime(2000, 1, 1, tzinfo=UTC)


def draw_pages(
    pages: Sequence[Page],
    trim: Size,
    about: About,
    bleeds: tuple[Bleed, Bleed] = (NO_BLEED, NO_BLEED),
    screen: bool = False,
) -> bytes:
    """A whole PDF.

    Args:
        pages: in order; frames in points of the trim.
        trim: the page as cut.
        about: what the file says about itself.
        bleeds: of a recto and of a verso; the media box is trim and bleed together.
        screen: with outline, links, page labels and language; for print there are none of these.
    Returns:
        The file, version 1.4 or lower, without object streams.
    """
    buffer = io.BytesIO()
    font(FontKey.REGULAR)
    with _no_date_from_outside():
        canvas = _Canvas(
            buffer,
            pagesize=(trim.width_pt, trim.height_pt),
            invariant=1,
            pageCompression=1,
            initialFontName=FontKey.REGULAR.value,
            lang=about.language if screen else None,
        )
    _describe(canvas, about)
    drawer = _Drawer(canvas)
    for page in pages:
        _set_boxes(canvas, trim, bleeds[0] if page.number % 2 else bleeds[1])
        drawer.page(page, screen)
    if screen:
        canvas.addPageLabel(0, style="ARABIC", start=pages[0].number if pages else 1)
        canvas.showOutline()
    with _binary_streams():
        canvas.save()
    return buffer.getvalue()


def draw_frame(frame: Frame, about: About | None = None) -> bytes:
    """One frame as a PDF of one page that is exactly as large as the frame."""
    page = Page(frame, 1, kind="figure")
    return draw_pages([page], Size(frame.width_pt, frame.height_pt), about or About())


class _Canvas(Canvas):  # type: ignore[misc]
    """ReportLab's canvas without the empty page transition, which archive and press files refuse."""

    trim_corner = (0.0, 0.0)  # of the page being drawn, from the corner of its media box

    def _setAnnotations(self, page: Any) -> None:  # noqa: N802 - ReportLab's name
        super()._setAnnotations(page)
        page.Trans = None


class _Drawer:
    """Draws pages, each figure's content once."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._drawn: set[str] = set()

    def page(self, page: Page, screen: bool) -> None:
        canvas = self._canvas
        for item in page.frame.items:
            if isinstance(item, Placed):
                self._define(item)
        left, bottom = canvas.trim_corner
        if left or bottom:
            canvas.translate(left, bottom)
        Pen(canvas, self._place).draw(page.frame)
        if screen:
            self._mark(page, left, bottom)
        canvas.showPage()

    def _define(self, placed: Placed) -> None:
        figure = placed.figure
        if figure.name in self._drawn:
            return
        self._drawn.add(figure.name)
        for item in figure.frame.items:
            if isinstance(item, Placed):
                self._define(item)
        canvas = self._canvas
        canvas.beginForm(figure.name, 0, 0, figure.frame.width_pt, figure.frame.height_pt)
        Pen(canvas, self._place).draw(figure.frame)
        canvas.endForm()

    def _place(self, placed: Placed) -> None:
        canvas = self._canvas
        canvas.saveState()
        canvas.translate(placed.x, placed.y)
        canvas.doForm(placed.figure.name)
        canvas.restoreState()

    def _mark(self, page: Page, left: float, bottom: float) -> None:
        canvas = self._canvas
        for target in page.targets:
            canvas.bookmarkPage(target.name, fit="XYZ", left=0, top=target.top_pt + bottom)
            if target.title is not None:
                canvas.addOutlineEntry(target.title, target.name, level=target.level, closed=target.level > 0)
        for link in page.links:
            x, y, width, height = link.box
            box = (x + left, y + bottom, x + left + width, y + bottom + height)
            canvas.linkRect("", link.target, box, relative=0, thickness=0)


def _set_boxes(canvas: Canvas, trim: Size, bleed: Bleed) -> None:
    """Media box = bleed box = trim and bleed; the trim box stands inside it."""
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
    canvas.setCreator("linkpress")
    stamp = about.date.astimezone(UTC).strftime("D:%Y%m%d%H%M%S+00'00'")
    canvas.setDateFormatter(lambda *clock: stamp)


@contextmanager
def _no_date_from_outside() -> Iterator[None]:
    """ReportLab would read SOURCE_DATE_EPOCH for itself, and end at one that is no date."""
    epoch = os.environ.pop("SOURCE_DATE_EPOCH", None)
    try:
        yield
    finally:
        if epoch is not None:
            os.environ["SOURCE_DATE_EPOCH"] = epoch


@contextmanager
def _binary_streams() -> Iterator[None]:
    """ASCII 85 would make every stream a quarter longer, for mail gateways of the last century."""
    before = rl_config.useA85
    rl_config.useA85 = 0
    try:
        yield
    finally:
        rl_config.useA85 = before
