"""This module reads a file's pages: operators by pikepdf, objects by PDFium, both within a budget."""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType

import pikepdf
import pypdfium2 as pdfium

from linkpress.book.key_values import MAX_PUZZLES
from linkpress.preflight.pdf_reading.content import ContentReader, Hidden, PageContent
from linkpress.preflight.pdf_reading.covered import painted_over, without_ink
from linkpress.preflight.pdf_reading.drawn import Drawn, Glyphs, read_drawn
from linkpress.preflight.pdf_reading.objects import ReadingBudget, identity
from linkpress.preflight.pdf_reading.page_boxes import PageFacts, read_pages

# What qpdf mends in a damaged file becomes a finding; without a handler it would go to stderr too.
logging.getLogger("pikepdf").addHandler(logging.NullHandler())

_KEPT_ALONE = 200  # patterns and glyphs as files of their own; a font has some 100 glyphs
MAX_PAGES = 2 * MAX_PUZZLES + 2_000  # a screen edition has a page a puzzle, and at most one an answer


@dataclass(slots=True)
class DrawnPage:
    """A drawn page holds all that was read of one page.

    Args:
        hidden_items: what its patterns and Type 3 glyphs draw, unclipped.
        faults: what was wrong with content that could still be read.
        unseen: the items that something drawn later hides.
        inkless: characters that leave nothing where they should stand.
    """

    content: PageContent
    items: list[Drawn]
    hidden_items: list[Drawn]
    faults: list[str]
    unseen: list[Drawn]
    inkless: list[str]


class PdfReader:
    """A reader opens a file, unless that needs a password, and reads its pages one after the other."""

    def __init__(self, raw: bytes) -> None:
        self.raw = raw
        self.pdf = pikepdf.open(io.BytesIO(raw), suppress_warnings=True)
        self.pages = read_pages(self.pdf, MAX_PAGES)
        self.budget = ReadingBudget()
        self._warnings: list[str] = []
        self._content = ContentReader(self.pdf, self.budget)
        self._document: pdfium.PdfDocument | None = None
        self._glyphs = Glyphs()
        self._alone: dict[tuple[int, int] | None, bytes] = {}

    def __enter__(self) -> PdfReader:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._document is not None:
            self._document.close()
        self.pdf.close()

    def read(self, page: PageFacts) -> DrawnPage:
        """Return what a page says and draws; raise ``TooMuchError`` if the file asks for too much."""
        self._content.faults.clear()
        content = self._content.read(page.obj, page.resources)
        # PDFium sees the page only after its operators kept to the budget.
        if self._document is None:
            self._document = self._open()
        opened = self._document[page.number - 1]
        try:
            drawn = read_drawn(opened, glyphs=self._glyphs)
            unseen = painted_over(drawn, opened, layered="/OCProperties" in self.pdf.Root)
            inkless = without_ink([item for item in drawn if item not in unseen], opened)
        finally:
            opened.close()
        hidden = [item for stream in content.hidden for item in self._hidden_items(stream)]
        return DrawnPage(content, drawn, hidden, list(self._content.faults), unseen, inkless)

    def sets_text_in(self, font: object) -> bool:
        """Tell whether the pages read so far show any text in a font."""
        return self._content.font(font).is_shown

    def collect_warnings(self) -> list[str]:
        """Return what qpdf had to mend so far."""
        self._warnings += [str(warning) for warning in self.pdf.get_warnings()]
        return self._warnings

    def _open(self) -> pdfium.PdfDocument:
        """Open the file in PDFium with the pages that qpdf sees; the two mend damage in different ways."""
        if not self.pdf.is_encrypted and not self.collect_warnings():
            document = pdfium.PdfDocument(self.raw)
            if len(document) == len(self.pdf.pages):
                return document
            document.close()
        written = io.BytesIO()
        with pikepdf.Pdf.new() as mended:
            mended.pages.extend(self.pdf.pages)
            mended.save(written)
        return pdfium.PdfDocument(written.getvalue())

    def _hidden_items(self, hidden: Hidden) -> Iterator[Drawn]:
        key = identity(hidden.stream)
        if key not in self._alone:
            if len(self._alone) >= _KEPT_ALONE:
                self._alone.pop(next(iter(self._alone)))
            self._alone[key] = self._as_file(hidden)
        document = pdfium.PdfDocument(self._alone[key])
        try:
            page = document[0]
            yield from read_drawn(page, hidden.matrix)
            page.close()
        finally:
            document.close()

    def _as_file(self, hidden: Hidden) -> bytes:
        """Return a pattern or glyph as the content of a page, since PDFium shows nobody what is inside it."""
        written = io.BytesIO()
        with pikepdf.Pdf.new() as alone:
            page = alone.add_blank_page().obj
            page.Contents = alone.make_stream(hidden.stream.read_bytes())
            if isinstance(hidden.resources, pikepdf.Dictionary):
                page.Resources = alone.copy_foreign(self.pdf.make_indirect(hidden.resources))
            alone.save(written)
        return written.getvalue()


def message_of(fault: object) -> str:
    """Return a library's message on a fault, on one line and without the address of our own buffer."""
    text = " ".join(re.sub(r"stream <[^>]*>,?:? ?", "", str(fault)).split())
    return (f"{type(fault).__name__} {text}" if isinstance(fault, Exception) else text)[:160].strip()
