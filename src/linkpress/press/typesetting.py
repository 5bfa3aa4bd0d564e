"""From a volume to finished PDF files, in memory."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from linkpress.book.printing_keys import Standard
from linkpress.book.volume import Volume
from linkpress.layout.pages import Book, layout_book
from linkpress.layout.printers import PrinterProfile, load_printer
from linkpress.layout.theme import Theme, load_theme
from linkpress.press.edition import beside_spec, edition_of
from linkpress.press.file_info import FileInfo, file_date
from linkpress.press.pdfx import finish_print, finish_screen


@dataclass(frozen=True)
class Typeset:
    """A volume laid out and drawn.

    Args:
        book: its pages.
        profile: of the printer.
        theme: how it looks.
        files: the finished files' bytes by name: ``interior.pdf``, ``screen.pdf``.
    """

    book: Book
    profile: PrinterProfile
    theme: Theme
    files: Mapping[str, bytes]


def lay_out(volume: Volume, folder: Path) -> tuple[Book, PrinterProfile, Theme]:
    """Lay a volume out as its spec says.

    Args:
        volume: finished.
        folder: that relative paths of the spec start from.
    Raises:
        LayoutError: the book does not fit its printer's profile, theme or page.
    """
    from linkpress.render.fonts import FontMeasure

    profile = load_printer(beside_spec(volume.spec.page.printer, folder))
    theme = load_theme(beside_spec(volume.spec.theme, folder))
    return layout_book(edition_of(volume), profile, theme, FontMeasure()), profile, theme


def typeset(volume: Volume, folder: Path) -> Typeset:
    """Lay a volume out and draw every file that its spec asks for.

    Args:
        volume: finished.
        folder: that relative paths of the spec start from.
    Returns:
        The same bytes for the same volume.
    Raises:
        LayoutError: the book does not fit its printer's profile, theme or page.
    """
    from linkpress.render.pdf import About, draw_pages

    book, profile, theme = lay_out(volume, folder)
    spec = volume.spec
    about = About(title=spec.title, author=spec.author or "", language=spec.language.value)
    info = FileInfo(
        title=spec.title,
        author=spec.author or "",
        creator=f"linkpress {volume.linkpress_version}",
        date=file_date(spec.date, os.environ),
    )
    drawn = draw_pages(book.pages, book.trim, about, book.bleeds)
    files = {"interior.pdf": finish_print(drawn, info, Standard(spec.standard.value))}
    if spec.screen:
        linked = draw_pages(book.pages, book.trim, about, screen=True)
        files["screen.pdf"] = finish_screen(linked, info, spec.language.value)
    return Typeset(book, profile, theme, files)
