"""Compare the files of a built book, page by page, with the files that this release would draw.

A page of a PDF is compared by its *objects*: boxes, content, fonts, pictures and annotations. The order,
compression and numbers of these objects don't matter, and the file's date and its XMP metadata don't matter
either. Any other difference can change the page, even if one PDF reader doesn't show it.

A build saves the hash of each page's objects in ``pages.json``, beside ``volume.json``. A later release may
draw the book differently. With the hashes, it can still find out whether a file is the one that was built.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path

import pikepdf

from linkpress.book.volume import EBOOK_FILE, PAGES_FILE, Volume
from linkpress.errors import LinkpressError
from linkpress.files import read_limited
from linkpress.preflight.check_table import MAX_FILE_MB
from linkpress.preflight.judged_file import Finding
from linkpress.preflight.pdf_file import inherited
from linkpress.preflight.pdf_objects import entries, filters, object_id, open_pdf
from linkpress.version import __version__

FORMAT, FORMAT_VERSION = "linkpress-pages", 1
_MAX_RECORD_BYTES = 16 << 20
_MAX_PAGES_NAMED = 10  # maximum number of differing pages that are listed; more pages are only counted
_INHERITED = ("/MediaBox", "/CropBox", "/Resources", "/Rotate")
# Keys of PDF objects that are not compared. They say how an object is stored, or refer to
# objects that contain it.
_UNCOMPARED = {"/Parent", "/Prev", "/Length", "/Filter", "/DecodeParms", "/Metadata"}
_EBOOK_DATE = re.compile(rb'<meta property="dcterms:modified">[^<]*</meta>')


@dataclass(frozen=True, slots=True)
class FileHashes:
    """Hashes of the contents of a PDF or an e-book.

    Args:
        document: the hash of everything outside of the pages: outline, named destinations, layers and forms.
            For an e-book, the hash of all its files.
        pages: the hash of each page's objects.
    """

    document: str
    pages: tuple[str, ...] = ()


def hash_file(name: str, content: bytes) -> FileHashes:
    """Return the hashes of the objects of a PDF, or of the files in an e-book.

    Raises:
        Exception: the file is damaged. The PDF and ZIP libraries may raise any exception.
    """
    if name == EBOOK_FILE:
        return FileHashes(_digest(*(part for pair in _ebook_parts(content) for part in pair)).hex())
    with open_pdf(content) as pdf:
        hasher = _Hasher(pdf)
        pages = tuple(hasher.page(page.obj) for page in pdf.pages)
        return FileHashes(hasher.root(pdf.Root), pages)


def pages_json(files: Mapping[str, bytes]) -> str:
    """Return the text of ``pages.json``: the hashes of all pages of the files that a build has finished.

    Args:
        files: maps the name of each file to its content.
    """
    hashes = {name: hash_file(name, content) for name, content in files.items()}
    record = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "linkpress_version": __version__,
        "files": {name: {"document": each.document, "pages": each.pages} for name, each in hashes.items()},
    }
    return json.dumps(record, indent=1) + "\n"


class _Hasher:
    """Hasher for the objects of a PDF. Objects that are used several times are hashed only once."""

    def __init__(self, pdf: pikepdf.Pdf) -> None:
        pages = enumerate(pdf.pages, 1)
        self._known: dict[object, bytes] = {page.obj.objgen: b"page %d" % number for number, page in pages}

    def page(self, page: pikepdf.Object) -> str:
        keys = dict(entries(page)) | {key: inherited(page, key) for key in _INHERITED}
        return hashlib.sha256(self._keys(keys)).hexdigest()

    def root(self, root: pikepdf.Object) -> str:
        keys = {key: value for key, value in entries(root) if key != "/Pages"}
        return hashlib.sha256(self._keys(keys)).hexdigest()

    def _keys(self, keys: Mapping[str, object]) -> bytes:
        named = sorted((key, value) for key, value in keys.items() if key not in _UNCOMPARED)
        return _digest(*(part for key, value in named for part in (key.encode(), self._hash(value))))

    def _hash(self, value: object) -> bytes:
        key: object = object_id(value)
        if key is None:
            # An object without an object number is stored in ``_known`` under its PDF source text. So objects
            # with equal text, such as the boxes of most pages, are hashed only once. The exception is an
            # object that contains a reference (R) to another object. It may be part of a cycle of references.
            # The hash of an object in a cycle depends on the object at which the hashing began, so it can't
            # be reused and is computed again each time.
            key = value.unparse() if isinstance(value, (pikepdf.Array, pikepdf.Dictionary)) else b" R"
            if b" R" in key:
                return self._content(value)
        if key not in self._known:
            self._known[key] = b"a circle"
            self._known[key] = self._content(value)
        return self._known[key]

    def _content(self, value: object) -> bytes:
        if isinstance(value, pikepdf.Stream):
            return _digest(b"stream", self._keys(dict(entries(value))), _decoded(value))
        if isinstance(value, pikepdf.Dictionary):
            return _digest(b"dictionary", *self._chain(value))
        if isinstance(value, pikepdf.Array):
            return _digest(b"array", *map(self._hash, value.as_list()))
        if isinstance(value, int | float | Decimal) and not isinstance(value, bool):
            return _digest(b"number", f"{Decimal(value).normalize():f}".encode())
        if isinstance(value, pikepdf.String):
            return _digest(b"string", bytes(value))
        return _digest(b"name", str(value).encode("utf-8", "backslashreplace"))

    def _chain(self, first: pikepdf.Dictionary) -> Iterator[bytes]:
        """Yield the hash of each dictionary in a PDF list linked by the key ``Next``, such as an outline.

        A loop is used, because recursion would be too deep for a long list.
        """
        link: object = first
        while isinstance(link, pikepdf.Dictionary):
            keys = dict(entries(link))
            link = keys.pop("/Next", None)
            yield self._keys(keys)
            if (key := object_id(link)) in self._known:
                yield self._known[key]
                return
            if key is not None:
                self._known[key] = b"a circle"


def _decoded(stream: pikepdf.Stream) -> bytes:
    try:
        return stream.read_bytes()
    except pikepdf.PdfError:  # qpdf can't decode JPEG data, so use the encoded data.
        return b" ".join([*map(str.encode, filters(stream)), stream.read_raw_bytes()])


def _digest(*parts: bytes) -> bytes:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(b"%d:" % len(part))
        digest.update(part)
    return digest.digest()


def _ebook_parts(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the name and content of each file in an e-book, leaving out the date when the e-book was made."""
    with zipfile.ZipFile(io.BytesIO(content)) as book:
        for member in book.infolist():
            if member.file_size > MAX_FILE_MB << 20:
                raise zipfile.BadZipFile(f"{member.filename} is too large")
            yield member.filename.encode(), _EBOOK_DATE.sub(b"", book.read(member))


@dataclass(frozen=True, slots=True)
class PageComparison:
    """Result of comparing a book's files with the files that this release draws, or with ``pages.json``.

    Args:
        files: the names of the files that were compared.
        findings: the pages that differ, each with the name of its file.
        uncompared: the reason why no page was compared; None if pages were compared.
        by_record: the reason why pages were compared only with ``pages.json``; None if they were drawn again.
    """

    files: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    uncompared: str | None = None
    by_record: str | None = None


def compare_files(folder: Path, volume: Volume) -> PageComparison:
    """Compare the files of a built book with the files that this release draws from ``volume.json``.

    If the files can't be drawn again, or if another release built the book, compare them with the hashes that
    the build saved in ``pages.json``.
    """
    reason, drawn = None, None
    if volume.linkpress_version == __version__:
        try:
            drawn = _draw_again(volume)
        except LinkpressError as error:
            reason = f"it can't be drawn again: {error}"
    else:
        reason = f"built by {volume.linkpress_version}"
    recorded = _read_record(folder)
    if drawn is None and recorded is None:
        return PageComparison(uncompared=reason)
    names = [name for name in (recorded if drawn is None else drawn) or () if (folder / name).is_file()]
    findings = []
    for name in names:
        content, again = read_limited(folder / name, MAX_FILE_MB << 20), drawn[name] if drawn else None
        if content == again:
            continue
        kept = (recorded or {}).get(name)
        expected = kept if again is None else hash_file(name, again)
        found = _differences(name, content, expected, again, kept)
        findings += [replace(finding, file=name) for finding in found]
    return PageComparison(tuple(names), tuple(findings), by_record=reason)


def _draw_again(volume: Volume) -> dict[str, bytes]:
    # Import these modules only when they are needed, because the imports take 150 ms.
    from linkpress.press.assets import load_assets
    from linkpress.press.book_layout import lay_out
    from linkpress.press.print_files import draw

    assets = load_assets(volume.spec)
    return {name: file.content for name, file in draw(volume, lay_out(volume, assets), assets).items()}


def _read_record(folder: Path) -> dict[str, FileHashes] | None:
    """Read the hashes of each file from ``pages.json``; return None if it is missing or damaged."""
    try:
        record = json.loads(read_limited(folder / PAGES_FILE, _MAX_RECORD_BYTES))
        if (record["format"], record["format_version"]) != (FORMAT, FORMAT_VERSION):
            return None
        return {
            Path(name).name: FileHashes(str(kept["document"]), tuple(map(str, kept["pages"])))
            for name, kept in record["files"].items()
        }
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None


def _differences(
    name: str, content: bytes, expected: FileHashes | None, drawn: bytes | None, kept: FileHashes | None
) -> Iterator[Finding]:
    """Yield a problem for each difference between a file and the expected file.

    Usually there is one problem for each page that differs.

    Args:
        name: the name of the file.
        content: the content of the file.
        expected: the hashes that the file should have: the hashes of ``drawn`` if the file was drawn again,
            else ``kept``. None if they are not known.
        drawn: the content of the file as this release of linkpress draws it again, only to compare it; None
            if it was not drawn again.
        kept: the hashes that the build wrote to ``pages.json`` for this file; None if there are none.
    """
    try:
        found = hash_file(name, content)
    # For a damaged object, the PDF libraries can raise almost any exception.
    except Exception as error:
        yield Finding(f"its pages can't be compared: {type(error).__name__} {str(error)[:120]}")
        return
    if expected is None or found == expected:
        return
    as_expected = "as it was built" if drawn is None else "as this release draws it"
    if drawn is not None and found == kept:
        yield Finding(
            "it is the file that was built, but it is drawn otherwise now: the theme, fonts, pictures or "
            "libraries have changed since. Build or typeset the book again"
        )
        return
    if found.document != expected.document:
        what = (
            "the e-book is" if name == EBOOK_FILE else "its outline, named links, tags, layers or forms are"
        )
        yield Finding(f"{what} not {as_expected}")
    if len(found.pages) != len(expected.pages):
        yield Finding(f"{len(found.pages)} pages, and {len(expected.pages)} {as_expected}")
    pairs = zip(found.pages, expected.pages, strict=False)
    differing = [number for number, (page, other) in enumerate(pairs, 1) if page != other]
    if len(differing) > _MAX_PAGES_NAMED:  # Don't list so many pages, because probably all are different.
        yield Finding(f"{len(differing)} of its {len(found.pages)} pages are not {as_expected}")
        return
    for number in differing:
        where = _where(content, drawn, number) if drawn is not None else ""
        yield Finding(f"the page is not {as_expected}{where}", page=number)


def _where(content: bytes, drawn: bytes, number: int) -> str:
    """Find where a page looks different in two PDF files when PDFium draws both.

    Returns:
        The place in words, as the end of a sentence about the page.
    """
    import pypdfium2 as pdfium
    from PIL import ImageChops

    try:
        with pdfium.PdfDocument(content) as own, pdfium.PdfDocument(drawn) as other:
            pages = own[number - 1], other[number - 1]
            (width, height), size = (page.get_size() for page in pages)
            if (round(width), round(height)) != tuple(map(round, size)):
                return f": {width:.0f} × {height:.0f} pt, not {size[0]:.0f} × {size[1]:.0f} pt"
            first, second = (page.render(scale=1).to_pil().convert("RGB") for page in pages)
    except pdfium.PdfiumError:
        return "; PDFium can't draw it"
    box = ImageChops.difference(first, second).getbbox()
    if box is None:
        return "; PDFium shows no difference, and other readers may"
    left, top, right, bottom = box
    return f": it looks different {left}–{right} pt from the left and {top}–{bottom} pt from the top"
