"""This module writes chapters, pictures and what a library asks as one file, an EPUB 3.

Source:
    W3C, EPUB 3.3 and EPUB Accessibility 1.1.
"""

from __future__ import annotations

import io
import uuid
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape
from pathlib import Path

from linkpress.book.key_values import isbn_13
from linkpress.book.spec import BookSpec
from linkpress.render.fonts import ShippedFont, family_of, font
from linkpress.render.photos import PICTURE_TYPES
from linkpress.words.language import Words

_STYLE_FILE = "ebook.css"
_STYLE = Path(__file__).with_name(_STYLE_FILE)
_NAVIGATION = "contents"
_FOLDER = "EPUB"
_PACKAGE = f"{_FOLDER}/package.opf"
_ZIP_DATE = (1980, 1, 1, 0, 0, 0)  # the earliest that a zip knows: the same book has the same bytes
_MEDIA_TYPES = {".svg": "image/svg+xml", ".ttf": "font/ttf", **PICTURE_TYPES}
_ROLES = {"chapter": "doc-chapter", "part": "doc-part", "colophon": "doc-colophon"}
_CONFORMS_TO = "EPUB Accessibility 1.1 - WCAG 2.2 Level AA"
_CONTAINER = f"""<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
  <rootfiles><rootfile full-path="{_PACKAGE}" media-type="application/oebps-package+xml"/></rootfiles>
</container>
"""
_ACCESSIBILITY = (
    ("accessMode", "textual"),
    ("accessMode", "visual"),
    ("accessModeSufficient", "textual"),
    ("accessibilityFeature", "alternativeText"),
    ("accessibilityFeature", "structuralNavigation"),
    ("accessibilityFeature", "tableOfContents"),
    ("accessibilityHazard", "none"),
)


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter is a page of an e-book, which begins on a screen of its own.

    Args:
        name: the name of its file, without the suffix.
        body: its text, as XHTML.
        listed: whether the page of contents leads to it; a reader's own list has it in any case.
        kind: its meaning, as the EPUB Structural Semantics Vocabulary has it; none if empty.
        zoomed: the width and height of a page that is one picture to zoom, to which another page leads.
    """

    name: str
    title: str
    body: str
    listed: bool = False
    kind: str = "chapter"
    zoomed: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class EBook:
    """An e-book is made of these parts.

    Args:
        build: the code by which readers tell it from an earlier edition.
        rights: who holds them, in words.
        date: the date of the last change.
        opening: the chapters before the contents.
        pictures: pictures by the name of their files, the cover's being ``cover.png``.
        fonts: the fonts of its text; none where that is left to the reader.
    """

    spec: BookSpec
    build: str
    rights: str
    words: Words
    date: datetime
    opening: Sequence[Chapter]
    chapters: Sequence[Chapter]
    pictures: Mapping[str, bytes]
    fonts: Sequence[ShippedFont]


def epub_bytes(book: EBook) -> bytes:
    """Return the content of the file; the same book gives the same bytes."""
    files: dict[str, str | bytes] = {"META-INF/container.xml": _CONTAINER, _PACKAGE: _package(book)}
    contents = Chapter(_NAVIGATION, book.words.contents, _navigation(book), kind="")
    for chapter in (contents, *book.opening, *book.chapters):
        files[f"{_FOLDER}/{chapter.name}.xhtml"] = _page(book, chapter)
    files |= {f"{_FOLDER}/{name}": content for name, content in book.pictures.items()}
    for file in book.fonts:
        files[f"{_FOLDER}/{file.value}.ttf"] = Path(font(file).face.filename).read_bytes()
    files[f"{_FOLDER}/{_STYLE_FILE}"] = _STYLE.read_text(encoding="utf-8") + _font_rules(book.fonts)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        kind = zipfile.ZipInfo("mimetype", _ZIP_DATE)  # first, and as it is, so that a file's kind is seen
        archive.writestr(kind, "application/epub+zip", zipfile.ZIP_STORED)
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, _ZIP_DATE), content, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


def _font_rules(fonts: Sequence[ShippedFont]) -> str:
    rules = (
        f'@font-face {{ font-family: "{family_of(file)}"; '
        f"font-weight: {600 if 'SemiBold' in file.value else 400}; src: url({file.value}.ttf); }}\n"
        for file in fonts
    )
    families = ", ".join(f'"{family}"' for family in dict.fromkeys(map(family_of, fonts)))
    return "".join(rules) + (f"body {{ font-family: {families}, sans-serif; }}\n" if fonts else "")


def _page(book: EBook, chapter: Chapter) -> str:
    title, body, view = escape(chapter.title), chapter.body, ""
    if chapter.kind:
        role = f' role="{_ROLES[chapter.kind]}" aria-label="{title}"' if chapter.kind in _ROLES else ""
        body = f'<section epub:type="{chapter.kind}"{role}>\n{body}\n</section>'
    if chapter.zoomed:
        view = '<meta name="viewport" content="width={}, height={}"/>'.format(*chapter.zoomed)
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" \
lang="{book.words.language}" xml:lang="{book.words.language}">
<head><title>{title}</title>{view}<link rel="stylesheet" type="text/css" href="{_STYLE_FILE}"/></head>
<body{' class="zoomed"' if chapter.zoomed else ""}>
{body}
</body>
</html>
"""


def _navigation(book: EBook) -> str:
    """Write the contents; chapters that the page does not list stay in the reader's own list."""
    entries: list[tuple[Chapter, list[Chapter]]] = []
    for chapter in (*book.opening, *book.chapters):
        if chapter.listed:
            entries.append((chapter, []))
        elif entries and not chapter.zoomed:
            entries[-1][1].append(chapter)
    rows = ""
    for chapter, under in entries:
        inner = "".join(f"<li>{_link(chapter)}</li>\n" for chapter in under)
        nested = f'\n<ol hidden="">\n{inner}</ol>' if inner else ""
        rows += f"<li>{_link(chapter)}{nested}</li>\n"
    heading = f"<h1>{escape(book.words.contents)}</h1>"
    return f'<nav epub:type="toc" role="doc-toc">{heading}<ol>\n{rows}</ol></nav>'


def _link(chapter: Chapter) -> str:
    return f'<a href="{chapter.name}.xhtml">{escape(chapter.title)}</a>'


def _package(book: EBook) -> str:
    chapters = [chapter.name for chapter in (*book.opening, *book.chapters)]
    items = [
        f'<item id="text-{_NAVIGATION}" href="{_NAVIGATION}.xhtml" media-type="application/xhtml+xml" '
        'properties="nav"/>',
        f'<item id="style" href="{_STYLE_FILE}" media-type="text/css"/>',
        *(
            f'<item id="text-{name}" href="{name}.xhtml" media-type="application/xhtml+xml"/>'
            for name in chapters
        ),
    ]
    for number, name in enumerate((*book.pictures, *(f"{file.value}.ttf" for file in book.fonts))):
        cover = ' properties="cover-image"' if Path(name).stem == "cover" else ""
        kind = _MEDIA_TYPES[Path(name).suffix]
        items.append(f'<item id="resource-{number}" href="{escape(name)}" media-type="{kind}"{cover}/>')
    order = [chapter.name for chapter in book.opening]
    order += [_NAVIGATION] if book.spec.parts.contents else []
    order += [chapter.name for chapter in book.chapters]
    aside = ' linear="no" properties="rendition:layout-pre-paginated"'
    zoomed = {chapter.name for chapter in book.chapters if chapter.zoomed}
    spine = [f'<itemref idref="text-{name}"{aside if name in zoomed else ""}/>' for name in order]
    joined = "\n".join
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" \
xml:lang="{book.words.language}">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
{joined(_metadata(book))}
</metadata>
<manifest>
{joined(items)}
</manifest>
<spine>
{joined(spine)}
</spine>
</package>
"""


def _metadata(book: EBook) -> Iterator[str]:
    spec = book.spec
    made_up = uuid.uuid5(uuid.NAMESPACE_OID, f"{spec.book_id} {book.build}").urn
    identifier = f"urn:isbn:{isbn_13(spec.isbn)}" if spec.isbn else made_up
    yield f'<dc:identifier id="id">{identifier}</dc:identifier>'
    yield f'<dc:title id="title">{escape(spec.title)}</dc:title>'
    yield '<meta refines="#title" property="title-type">main</meta>'
    if spec.subtitle:
        yield f'<dc:title id="subtitle">{escape(spec.subtitle)}</dc:title>'
        yield '<meta refines="#subtitle" property="title-type">subtitle</meta>'
    yield f"<dc:language>{book.words.language}</dc:language>"
    known = {"creator": spec.author, "publisher": spec.publisher, "rights": book.rights}
    yield from (f"<dc:{name}>{escape(text)}</dc:{name}>" for name, text in known.items() if text)
    if spec.series:
        yield f'<meta property="belongs-to-collection" id="series">{escape(spec.series.name)}</meta>'
        yield '<meta refines="#series" property="collection-type">series</meta>'
        if spec.volume is not None:
            yield f'<meta refines="#series" property="group-position">{spec.volume}</meta>'
    yield f'<meta property="dcterms:modified">{book.date:%Y-%m-%dT%H:%M:%SZ}</meta>'
    yield from (f'<meta property="schema:{name}">{value}</meta>' for name, value in _ACCESSIBILITY)
    yield f'<meta property="schema:accessibilitySummary">{escape(book.words.ebook_summary)}</meta>'
    certifier = (spec.epub and spec.epub.certifier) or spec.publisher or spec.author
    if certifier:  # no one is held to what nobody says
        yield f'<meta property="dcterms:conformsTo" id="conformance">{_CONFORMS_TO}</meta>'
        yield f'<meta property="a11y:certifiedBy" refines="#conformance">{escape(certifier)}</meta>'
