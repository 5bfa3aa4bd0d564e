"""Open any PDF file, and read its pages one after the other.

pikepdf (with qpdf) gives the file's structure and the operators of its content streams. PDFium gives the
position, size and text of each object that a page draws. The limits for the numbers of pages and operators
apply to both libraries.
"""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from types import TracebackType

import pikepdf
import pypdfium2 as pdfium

from linkpress.book.key_values import MAX_PUZZLES
from linkpress.documents.values import Size
from linkpress.preflight.pdf_content import ContentReader, NestedStream, PageContent
from linkpress.preflight.pdf_drawing import (
    DrawnObject,
    GlyphLog,
    characters_without_ink,
    covered_objects,
    read_page_objects,
)
from linkpress.preflight.pdf_objects import (
    Box,
    OperatorBudget,
    dictionary,
    elements,
    entries,
    entry,
    name_entry,
    number,
    numbers,
    object_id,
    open_pdf,
)

# Repairs by qpdf are reported as problems of the file. Without this handler, they would also
# be printed to stderr.
logging.getLogger("pikepdf").addHandler(logging.NullHandler())

# Maximum number of pages of a PDF that are read. An edition for screens has a page for each puzzle and at
# most one for each answer. The limit leaves 2,000 pages for everything else.
MAX_PAGES = 2 * MAX_PUZZLES + 2_000
_MAX_CACHED_STREAMS = 200  # maximum number of cached patterns and glyphs; a font has about 100 glyphs
_MAX_TREE_DEPTH = 64  # maximum number of page tree levels searched for inherited entries
_RESOURCE_CATEGORIES = ("/ExtGState", "/Font", "/XObject", "/Pattern", "/ColorSpace", "/Shading")
_FONT_FILE_KEYS = ("/FontFile", "/FontFile2", "/FontFile3")
_TEST_SIZE_PX = 10  # size in pixels at which embedded fonts are loaded to test them


@dataclass(frozen=True)
class PageInfo:
    """Page dictionary of a PDF, with inherited entries.

    The boxes are in points. A box is None if it is missing or malformed.

    The entries are read when they are first needed, so workers that share the pages read only their own.

    Args:
        number: the page's number, counted from 1.
        obj: the page dictionary.
    """

    number: int
    obj: pikepdf.Object

    @cached_property
    def resources(self) -> object:
        """The resource dictionary; None if the page has none."""
        return inherited(self.obj, "/Resources")

    @cached_property
    def media(self) -> Box | None:
        return _box(inherited(self.obj, "/MediaBox"))

    @cached_property
    def crop(self) -> Box | None:
        return _box(inherited(self.obj, "/CropBox"))

    @cached_property
    def bleed(self) -> Box | None:
        return _box(entry(self.obj, "/BleedBox"))

    @cached_property
    def trim(self) -> Box | None:
        """The TrimBox, or the ArtBox if there is no TrimBox."""
        return _box(entry(self.obj, "/TrimBox")) or _box(entry(self.obj, "/ArtBox"))

    @cached_property
    def rotate(self) -> float:
        """The page's rotation in degrees."""
        return number(inherited(self.obj, "/Rotate"))

    @cached_property
    def user_unit(self) -> float:
        """The size of the page's units in points, usually 1."""
        return number(entry(self.obj, "/UserUnit"), 1.0)

    @property
    def recto(self) -> bool:
        return self.number % 2 == 1


@dataclass(frozen=True, slots=True)
class Resource:
    """Entry of a PDF resource dictionary.

    Args:
        category: the key of the resource's kind, such as ``/Font``.
        name: the resource's name in its dictionary.
        value: the resource, which may be any object.
        page: the first page that uses the resource.
    """

    category: str
    name: str
    value: object
    page: PageInfo


@dataclass(slots=True)
class PageData:
    """Data that was read from one page of a PDF.

    Args:
        content: colours, texts and images, from the page's operators.
        objects: the objects that the page draws.
        nested_objects: the objects that its patterns and Type 3 glyphs draw, without clipping.
        problems: errors that did not stop the reading.
        covered: the texts and lines that are hidden by something drawn later.
        missing_glyphs: the characters of dark text that leave no ink, because their glyph is missing.
    """

    content: PageContent
    objects: list[DrawnObject]
    nested_objects: list[DrawnObject]
    problems: list[str]
    covered: list[DrawnObject]
    missing_glyphs: list[str]


class PdfReader:
    """Context manager that opens a PDF file without a password and reads its pages.

    Args:
        raw: the content of the file.
        glyphs: a log of the characters that the file has shown so far, which the search for missing glyphs
            needs; None to skip this search.
    """

    def __init__(self, raw: bytes, glyphs: GlyphLog | None = None) -> None:
        self.raw = raw
        self.pdf = open_pdf(raw)
        # Iterate instead of indexing, because indexing searches the whole page tree for every page.
        self.pages = [
            PageInfo(index, page.obj) for index, page in enumerate(islice(self.pdf.pages, MAX_PAGES), 1)
        ]
        self.budget = OperatorBudget()
        self._warnings: list[str] = []
        self._content = ContentReader(self.pdf, self.budget)
        self._document: pdfium.PdfDocument | None = None
        self._glyphs = glyphs
        self._stream_files: dict[tuple[int, int] | None, bytes] = {}

    def __enter__(self) -> PdfReader:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._document is not None:
            self._document.close()
        self.pdf.close()

    def read(self, page: PageInfo) -> PageData:
        """Read a page's content and objects; raise ``ReadingLimitError`` if the file exceeds a limit."""
        self._content.problems.clear()
        content = self._content.read(page.obj, page.resources)
        # A malicious file could keep PDFium busy forever, because PDFium has no limit for the number
        # of operators. So PDFium opens the file only after ``ContentReader`` has counted the operators
        # of a page.
        if self._document is None:
            self._document = self._open_document()
        opened = self._document[page.number - 1]
        try:
            objects = read_page_objects(opened, glyphs=self._glyphs)
            covered = covered_objects(objects, opened, has_layers="/OCProperties" in self.pdf.Root)
            missing = characters_without_ink([item for item in objects if item not in covered], opened)
        finally:
            opened.close()
        nested = [item for stream in content.nested for item in self._nested_objects(stream)]
        return PageData(content, objects, nested, list(self._content.problems), covered, missing)

    def sets_text_in(self, font: object) -> bool:
        return self._content.font(font).is_used

    def collect_warnings(self) -> list[str]:
        """Return the warnings that qpdf has given so far. Each describes damage that qpdf has repaired."""
        self._warnings += [str(warning) for warning in self.pdf.get_warnings()]
        return self._warnings

    def resources(self) -> Iterator[Resource]:
        """Yield all resources of the pages.

        The resources of form XObjects, patterns, glyphs and soft masks on the pages are included.
        """
        seen: set[tuple[int, int]] = set()
        for page in self.pages:
            stack: list[object] = [page.resources]
            while stack:
                resources = stack.pop()
                if not _is_new(resources, seen):
                    continue
                for category in _RESOURCE_CATEGORIES:
                    for name, value in entries(entry(resources, category)):
                        if _is_new(value, seen):
                            yield Resource(category, name, value, page)
                            stack.extend(_nested_resources(value))

    def _open_document(self) -> pdfium.PdfDocument:
        """Open the file in PDFium.

        PDFium and qpdf repair damage in different ways. So for a damaged or encrypted file, PDFium gets a
        copy that contains the pages that qpdf found.
        """
        if not self.pdf.is_encrypted and not self.collect_warnings():
            document = pdfium.PdfDocument(self.raw)
            if len(document) == len(self.pdf.pages):
                return document
            document.close()
        written = io.BytesIO()
        with pikepdf.Pdf.new() as repaired:
            repaired.pages.extend(self.pdf.pages)
            repaired.save(written)
        return pdfium.PdfDocument(written.getvalue())

    def _nested_objects(self, nested: NestedStream) -> Iterator[DrawnObject]:
        """Yield the objects that a pattern or Type 3 glyph draws.

        PDFium doesn't report objects inside patterns and Type 3 glyphs. So the stream is copied to a new
        file, where it is the content of a page.
        """
        key = object_id(nested.stream)
        if key not in self._stream_files:
            if len(self._stream_files) >= _MAX_CACHED_STREAMS:
                self._stream_files.pop(next(iter(self._stream_files)))
            self._stream_files[key] = self._as_file(nested)
        document = pdfium.PdfDocument(self._stream_files[key])
        try:
            page = document[0]
            yield from read_page_objects(page, nested.matrix)
            page.close()
        finally:
            document.close()

    def _as_file(self, nested: NestedStream) -> bytes:
        written = io.BytesIO()
        with pikepdf.Pdf.new() as pdf:
            page = pdf.add_blank_page().obj
            page.Contents = pdf.make_stream(nested.stream.read_bytes())
            if isinstance(nested.resources, pikepdf.Dictionary):
                page.Resources = pdf.copy_foreign(self.pdf.make_indirect(nested.resources))
            pdf.save(written)
        return written.getvalue()


def inherited(page: object, key: str) -> object:
    """Return an entry of a page dictionary.

    If the page lacks the entry, return the entry of its nearest ancestor in the page tree.
    """
    seen: set[tuple[int, int] | None] = set()
    node: object = page
    for _ in range(_MAX_TREE_DEPTH):
        value = entry(node, key)
        if value is not None:
            return value
        if not isinstance(node, pikepdf.Dictionary) or object_id(node) in seen:
            return None
        seen.add(object_id(node))
        node = entry(node, "/Parent")
    return None


def _box(value: object) -> Box | None:
    corners = numbers(value, 4)
    if corners is None:
        return None
    (left, right), (bottom, top) = sorted(corners[::2]), sorted(corners[1::2])
    return (left, bottom, right, top) if left < right and bottom < top else None


def size_of(box: Box) -> Size:
    return Size(box[2] - box[0], box[3] - box[1])


def _is_new(value: object, seen: set[tuple[int, int]]) -> bool:
    """Add an object to ``seen``, and return whether it is new. Direct objects always count as new."""
    key = object_id(value)
    if key is None:
        return True
    if key in seen:
        return False
    seen.add(key)
    return True


def _nested_resources(value: object) -> Iterator[object]:
    """Yield the resource dictionaries of a form XObject, pattern, Type 3 font or soft mask's group."""
    if isinstance(value, pikepdf.Stream) or name_entry(value, "/Subtype") == "/Type3":
        yield entry(value, "/Resources")
    mask = dictionary(entry(value, "/SMask"))
    if mask is not None:
        yield entry(entry(mask, "/G"), "/Resources")


def is_embedded(font: object) -> bool:
    """Return whether a font's glyphs are in the file. The glyphs of Type 3 fonts always are in the file."""
    subtype = name_entry(font, "/Subtype")
    if subtype == "/Type3":
        return True
    if subtype == "/Type0":
        descendants = elements(entry(font, "/DescendantFonts"))
        return bool(descendants) and all(_has_font_file(item) for item in descendants)
    return _has_font_file(font)


def is_loadable(font: object) -> bool:
    """Return whether FreeType can load an embedded font; True if the font is not embedded."""
    from PIL import ImageFont

    for holder in [font, *elements(entry(font, "/DescendantFonts"), 8)]:
        for key in _FONT_FILE_KEYS:
            stream = entry(entry(holder, "/FontDescriptor"), key)
            if isinstance(stream, pikepdf.Stream):
                try:
                    ImageFont.truetype(io.BytesIO(stream.read_bytes()), _TEST_SIZE_PX)
                except (OSError, pikepdf.PdfError):
                    return False
    return True


def _has_font_file(font: object) -> bool:
    descriptor = entry(font, "/FontDescriptor")
    return any(isinstance(entry(descriptor, key), pikepdf.Stream) for key in _FONT_FILE_KEYS)


def error_text(error: object) -> str:
    """Return a library's error message on one line of at most 160 characters.

    Addresses in memory are left out, because they are different every time.
    """
    text = " ".join(re.sub(r"stream <[^>]*>,?:? ?", "", str(error)).split())
    return (f"{type(error).__name__} {text}" if isinstance(error, Exception) else text)[:160].strip()
