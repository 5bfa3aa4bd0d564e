"""Draw the files that a volume's spec asks for, and check the files for the printer.

All files are made in memory, in two steps:

1. ``draw`` makes the PDF files and the e-book. Files for the printer are finished as PDF/X-1a:2001 or plain
   PDF. Content that PDF/X-1a forbids, such as RGB colours and transparency, is not repaired.
2. ``judge`` checks the files for the printer (preflight).

Source:
    ISO 15930-1:2001 defines the keys of PDF/X-1a. CGATS TR 001 is a registered printing condition, so no
    embedded profile is needed.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence, Set
from copy import copy
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

import pikepdf
from pikepdf import Array, Dictionary, Name, ObjectStreamMode, String

from linkpress.book.printing_keys import EbookKind, Standard
from linkpress.book.volume import COVER_FILE, EBOOK_FILE, INTERIOR_FILE, SCREEN_FILE, SOLUTIONS_FILE, Volume
from linkpress.layout.frame import Frame, Page
from linkpress.layout.pages import Book
from linkpress.layout.setting import Setting
from linkpress.layout.theme import words_for
from linkpress.preflight import Report, Requirements, preflight
from linkpress.press.assets import BookAssets
from linkpress.press.book_layout import about_book, lay_out_screen
from linkpress.press.composed_cover import (
    ComposedCover,
    compose_cover,
    compose_ebook_front,
    compose_front,
    draw_cover,
)
from linkpress.press.cover_content import cover_content
from linkpress.press.structure import add_structure
from linkpress.printers import Colours, PrinterProfile
from linkpress.production.dispatch import Workers
from linkpress.render.pdf import About, ColourMode, LikePage, draw_pages

if TYPE_CHECKING:
    from linkpress.ebook import EBook

OUTPUT_CONDITION = "CGATS TR 001"


@dataclass(frozen=True)
class DrawnFile:
    """Finished file of a book.

    ``required`` are the requirements that the printer's check (preflight) compares the file with. They are
    None if the file isn't for a printer.
    """

    content: bytes
    required: Requirements | None = None


def draw(
    volume: Volume, book: Book, assets: BookAssets, workers: Workers | None = None
) -> dict[str, DrawnFile]:
    """Draw every file that a volume's spec asks for.

    Args:
        volume: the puzzles and the spec.
        book: the volume's laid-out pages, as ``lay_out`` returns them.
        assets: the profile, theme, fonts and pictures for the volume's spec.
        workers: processes that share the pages of the interior; None to use only this process.
    Returns:
        The files by name, the interior first.
    Raises:
        LayoutError: the cover or the screen edition can't be laid out.
        UsageError: the cover's picture can't be used, or the width of the spine is unknown.
    """
    spec, about = volume.spec, about_book(assets, volume.linkpress_version)
    files = {INTERIOR_FILE: draw_interior(book, assets, about, book.pages, workers)}
    if book.solutions:
        files[SOLUTIONS_FILE] = draw_interior(book, assets, about, book.solutions, workers)
    content = None
    if spec.cover is not None:
        content = cover_content(volume, assets, book.page_count, assets.cover_pictures)
        files[COVER_FILE] = draw_print_cover(compose_cover(content), assets, about)
    if spec.screen is not None:
        pictures = book.edition.pictures
        tablet = lay_out_screen(volume, assets, book.edition.build, pictures, assets.cover_pictures)
        linked = draw_pages(
            tablet.pages, tablet.trim, about, screen=True, colour_mode=ColourMode.AS_GIVEN, faces=assets.faces
        )
        files[SCREEN_FILE] = DrawnFile(finish_screen(linked, about, tablet.pages))
    if spec.epub:
        # imported late, because the import takes 80 ms, and few books need it
        from linkpress.ebook import epub_bytes

        compose = compose_ebook_front if spec.epub.kind is EbookKind.KINDLE else compose_front
        front = None if content is None else compose(content)
        files[EBOOK_FILE] = DrawnFile(epub_bytes(as_ebook(book, assets, about, front)))
    return files


def draw_interior(
    book: Book, assets: BookAssets, about: About, pages: Sequence[Page], workers: Workers | None = None
) -> DrawnFile:
    """Draw pages of a book for the printer.

    The later check (preflight) counts the pages only if ``pages`` are all pages of the book.

    Args:
        book: the laid-out book.
        assets: the profile, theme, fonts and pictures of the book.
        about: title, author and date of the file.
        pages: all pages of the book, all pages of its separate file of solutions, or some of these pages.
        workers: processes that share the pages; None to use only this process.
    """
    page = book.edition.spec.page
    standard = assets.profile.standard_of(book.edition.spec.standard, book.coloured)
    colours, faces = _print_colours(assets.profile), assets.faces
    left_out: dict[int, LikePage] = {}
    drawn = draw_pages(
        pages,
        book.trim,
        about,
        book.bleeds,
        colour_mode=colours,
        faces=faces,
        workers=workers,
        left_out=left_out,
    )
    is_part, full_fonts = pages is not book.pages, faces.full
    required = Requirements(page.paper, book.trim, page.bleed, standard, part=is_part, full_fonts=full_fonts)
    return DrawnFile(finish_print(drawn, about, standard, left_out), required)


def draw_print_cover(cover: ComposedCover, assets: BookAssets, about: About) -> DrawnFile:
    """Draw a finished cover layout as a PDF file for the printer."""
    spec, faces = assets.spec, assets.faces
    standard = assets.profile.standard_of(spec.standard, coloured=True)
    drawn = draw_cover(cover, about, _print_colours(assets.profile), faces)
    required = Requirements(
        spec.page.paper, cover.geometry.trim, None, standard, cover=True, full_fonts=faces.full
    )
    return DrawnFile(finish_print(drawn, about, standard), required)


def _print_colours(profile: PrinterProfile) -> ColourMode:
    return ColourMode.SRGB if profile.colours is Colours.SRGB else ColourMode.CMYK


def as_ebook(book: Book, assets: BookAssets, about: About, front: Frame | None) -> EBook:
    """Turn a laid-out book into an e-book.

    Args:
        book: the pages, as ``lay_out`` returns them.
        assets: the profile, theme, fonts and pictures for the book's spec.
        about: title, author and date of the file.
        front: the front cover; None for an e-book without a cover.
    """
    from linkpress.ebook import ebook_of

    spec, puzzles = book.edition.spec, book.edition.puzzles
    ebook_spec = spec.model_copy(update={"isbn": spec.epub.isbn if spec.epub else None})
    edition = replace(book.edition, spec=ebook_spec)
    words = words_for(spec, assets.theme, (puzzle.record.puzzle for puzzle in puzzles))
    setting = Setting(edition, assets.profile, assets.theme, assets.measure, words, book.margins)
    return ebook_of(edition, setting, about, assets.faces, front)


def judge(
    files: Mapping[str, DrawnFile],
    profile: PrinterProfile,
    workers: Workers | None = None,
    meanwhile: Callable[[], object] = lambda: None,
) -> dict[str, Report]:
    """Check all files that go to the printer (preflight), and return the reports by file name.

    Args:
        files: the files by name.
        profile: the printer's profile.
        workers: processes that share the pages of long files; None to use only this process.
        meanwhile: function that is called in this process while workers check the pages of a file.
    """
    return {
        name: replace(preflight(file.content, profile, file.required, workers, meanwhile), file=name)
        for name, file in files.items()
        if file.required is not None
    }


def finish_print(
    content: bytes, about: About, standard: Standard, left_out: Mapping[int, LikePage] = MappingProxyType({})
) -> bytes:
    """Finish a PDF for the printer: write its metadata and the keys that its standard requires.

    Args:
        content: the PDF as ``draw_pages`` draws it without ``screen=True``, with trim and bleed boxes on its
            pages. It has no outline, links, labels, XMP or page transitions.
        about: title, author and date of the file.
        standard: with ``PDFX1A``, write the header and the keys of PDF/X-1a:2001, which is based on PDF 1.3.
            With ``PLAIN``, write the language, which needs PDF 1.4.
        left_out: the pages that ``draw_pages`` left out of the PDF. They are added.
    Returns:
        The finished PDF. The same arguments give the same bytes.
    """
    with pikepdf.open(io.BytesIO(content)) as pdf:
        _add_pages(pdf, left_out)
        _drop(pdf.Root, {"/Lang", "/PageMode"})
        _write_info(pdf, about)
        if standard is Standard.PDFX1A:
            _write_pdfx_keys(pdf)
        else:
            pdf.Root.Lang = String(about.language)
        return _saved(pdf, "1.3" if standard is Standard.PDFX1A else "1.4")


def finish_screen(content: bytes, about: About, pages: Sequence[Page]) -> bytes:
    """Finish a PDF for tablets as PDF/UA, the standard for accessible PDF files.

    Keep outline, links and page labels, and add tags, XMP metadata and the language.

    Args:
        content: the PDF, drawn with ``screen=True``.
        about: title, author and date of the file.
        pages: the laid-out pages that were drawn.
    """
    with pikepdf.open(io.BytesIO(content)) as pdf:
        add_structure(pdf, pages)
        _write_info(pdf, about)
        pdf.Root.Lang = String(about.language)
        pdf.Root.ViewerPreferences = Dictionary(DisplayDocTitle=True)
        _write_xmp(pdf, about)
        # Tags are thousands of small objects. Object streams store them in less space.
        return _saved(pdf, "1.7", ObjectStreamMode.generate)


def _add_pages(pdf: pikepdf.Pdf, left_out: Mapping[int, LikePage]) -> None:
    """Insert pages that ``draw_pages`` left out of a PDF, so that all pages are in the right order.

    Args:
        left_out: the missing pages. The key is the index of the page in the finished PDF.
    """
    drawn = (page.obj for page in pdf.pages)
    count = len(pdf.pages) + len(left_out)
    pages = {index: next(drawn) for index in range(count) if index not in left_out}
    for index, (like, stream) in left_out.items():
        pages[index] = pdf.make_indirect(copy(pages[like]))
        pages[index].Contents = pdf.make_stream(stream, {"/Filter": Name.FlateDecode})
    pdf.Root.Pages.Kids = Array([pages[index] for index in range(count)])
    pdf.Root.Pages.Count = count


def _drop(holder: pikepdf.Object, keys: Set[str]) -> None:
    for key in keys & holder.keys():
        del holder[key]


def _write_info(pdf: pikepdf.Pdf, about: About) -> None:
    stamp = String(about.date.strftime("D:%Y%m%d%H%M%SZ"))
    entries = Dictionary(
        Title=String(about.title),
        Creator=String(about.creator),
        Producer=String(about.creator),
        CreationDate=stamp,
        ModDate=stamp,
        Trapped=Name("/False"),
    )
    if about.author:
        entries.Author = String(about.author)
    pdf.trailer.Info = pdf.make_indirect(entries)


def _write_pdfx_keys(pdf: pikepdf.Pdf) -> None:
    pdf.trailer.Info.GTS_PDFXVersion = String("PDF/X-1:2001")
    pdf.trailer.Info.GTS_PDFXConformance = String("PDF/X-1a:2001")
    intent = Dictionary(
        Type=Name.OutputIntent,
        S=Name.GTS_PDFX,
        OutputConditionIdentifier=String(OUTPUT_CONDITION),
        OutputCondition=String("SWOP (Publication) printing in USA"),
        RegistryName=String("http://www.color.org"),
        Info=String("SWOP (Publication) printing in USA, CGATS TR 001-1995"),
    )
    pdf.Root.OutputIntents = Array([intent])


def _write_xmp(pdf: pikepdf.Pdf, about: About) -> None:
    stamp = about.date.strftime("%Y-%m-%dT%H:%M:%SZ")
    with pdf.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False) as xmp:
        xmp["pdfuaid:part"] = "1"
        xmp["dc:title"] = about.title
        if about.author:
            xmp["dc:creator"] = [about.author]
        xmp["dc:language"] = {about.language}
        xmp["xmp:CreatorTool"] = about.creator
        xmp["pdf:Producer"] = about.creator
        xmp["xmp:CreateDate"] = xmp["xmp:ModifyDate"] = xmp["xmp:MetadataDate"] = stamp


def _saved(pdf: pikepdf.Pdf, version: str, objects: ObjectStreamMode = ObjectStreamMode.disable) -> bytes:
    written = io.BytesIO()
    # Remove the random ID. Saving with ``deterministic_id`` then makes a new ID from the content, so that
    # equal files get equal bytes.
    _drop(pdf.trailer, {"/ID"})
    pdf.save(
        written,
        force_version=version,
        object_stream_mode=objects,
        deterministic_id=True,
        compress_streams=True,
        fix_metadata_version=False,
    )
    return written.getvalue()
