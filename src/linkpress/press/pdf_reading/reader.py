"""Reads a file's pages: its operators by pikepdf, its objects by PDFium, both within a budget."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType

import pikepdf
import pypdfium2 as pdfium

from linkpress.press.pdf_reading.content import ContentReader, Hidden, PageContent
from linkpress.press.pdf_reading.drawn import Drawn, read_drawn
from linkpress.press.pdf_reading.geometry import Matrix
from linkpress.press.pdf_reading.limits import Budget, unpacked
from linkpress.press.pdf_reading.objects import identity
from linkpress.press.pdf_reading.pages import PageFacts

# What qpdf mends in a damaged file becomes a finding; without a handler it would go to stderr too.
logging.getLogger("pikepdf").addHandler(logging.NullHandler())


@dataclass(slots=True)
class PageRead:
    """One page, read.

    Args:
        content: what its operators say.
        items: what it draws, in order.
        hidden_items: what its patterns and Type 3 glyphs draw, unclipped.
        faults: what was wrong with content that could still be read.
    """

    content: PageContent
    items: list[Drawn]
    hidden_items: list[Drawn]
    faults: list[str]


class PdfReader:
    """Reads the pages of one open file, one after the other.

    Args:
        pdf: the file, open in pikepdf; it is never changed on disk.
        raw: its bytes.
    """

    def __init__(self, pdf: pikepdf.Pdf, raw: bytes) -> None:
        self.budget = Budget.of_file(len(raw))
        self.warnings: list[str] = []
        self._pdf = pdf
        self._raw = raw
        self._content = ContentReader(pdf, self.budget)
        self._document: pdfium.PdfDocument | None = None
        self._alone: dict[tuple[int, int] | None, bytes] = {}

    def __enter__(self) -> PdfReader:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._document is not None:
            self._document.close()

    def read(self, page: PageFacts) -> PageRead:
        """What a page says and draws. PDFium sees it only after its operators kept to the budget.

        Raises:
            TooMuchError: the file asks for more than its budget.
        """
        self._content.faults.clear()
        content = self._content.read(page.obj, page.resources)
        if self._document is None:
            self._document = self._open()
        drawn = _drawn_on(self._document, page.number - 1)
        hidden = [item for one in content.hidden for item in self._hidden_items(one)]
        return PageRead(content, drawn, hidden, list(self._content.faults))

    def collect_warnings(self) -> list[str]:
        """What qpdf had to mend so far."""
        self.warnings += [str(warning) for warning in self._pdf.get_warnings()]
        return self.warnings

    def _open(self) -> pdfium.PdfDocument:
        """The file in PDFium, with the pages that qpdf sees: it mends what is damaged in its own way."""
        if not self._pdf.is_encrypted and not self.collect_warnings():
            document = pdfium.PdfDocument(self._raw)
            if len(document) == len(self._pdf.pages):
                return document
            document.close()
        written = io.BytesIO()
        with pikepdf.Pdf.new() as mended:
            mended.pages.extend(self._pdf.pages)
            mended.save(written)
        return pdfium.PdfDocument(written.getvalue())

    def _hidden_items(self, hidden: Hidden) -> Iterator[Drawn]:
        key = identity(hidden.stream)
        if key not in self._alone:
            self._alone[key] = self._as_file(hidden)
        document = pdfium.PdfDocument(self._alone[key])
        try:
            yield from _drawn_on(document, 0, hidden.matrix)
        finally:
            document.close()

    def _as_file(self, hidden: Hidden) -> bytes:
        """A pattern or glyph as the content of a page, since PDFium shows nobody what is inside it."""
        written = io.BytesIO()
        with pikepdf.Pdf.new() as alone:
            page = alone.add_blank_page().obj
            page.Contents = alone.make_stream(unpacked(hidden.stream))
            if isinstance(hidden.resources, pikepdf.Dictionary):
                page.Resources = alone.copy_foreign(self._pdf.make_indirect(hidden.resources))
            alone.save(written)
        return written.getvalue()


def _drawn_on(
    document: pdfium.PdfDocument, place: int, matrix: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
) -> list[Drawn]:
    page = document[place]
    try:
        return read_drawn(page, matrix)
    finally:
        page.close()
