"""A volume becomes finished PDF files here, in memory."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from linkpress.book.printing_keys import SolutionsPlace
from linkpress.book.spec import BookSpec
from linkpress.book.volume import (
    COVER_FILE,
    EBOOK_FILE,
    INTERIOR_FILE,
    SCREEN_FILE,
    SOLUTIONS_FILE,
    Volume,
    volume_json,
)
from linkpress.errors import LayoutError
from linkpress.layout.frame import Frame, Page
from linkpress.layout.measure import Measure
from linkpress.layout.pages import Book, layout_book
from linkpress.layout.setting import NO_PICTURES, Edition, OwnPicture, Pictures, setting_of
from linkpress.layout.theme import words_for
from linkpress.preflight import Report, Requirements, preflight
from linkpress.press.book_looks import (
    LoadedLooks,
    cover_picture,
    load_looks,
    load_pictures,
    load_profile,
    measure_of,
    title_inks,
)
from linkpress.press.cover.composed_cover import ComposedCover, compose_cover, compose_front, draw_cover
from linkpress.press.cover.cover_order import order_cover
from linkpress.press.pdfx import finish_print, finish_screen
from linkpress.printers.profile import Colours, PrinterProfile, load_printer
from linkpress.render.pdf import About, ColourMode, draw_pages, file_date

if TYPE_CHECKING:
    from linkpress.ebook.epub import EBook

BUILD_DIGITS = 12
SCREEN_CELL_MM = 4.0  # a screen is enlarged with two fingers


@dataclass(frozen=True)
class Typeset:
    """A typeset volume is laid out and drawn.

    Args:
        record: the text of ``volume.json``, whose code stands on the copyright page.
        files: the finished files' bytes by name: ``interior.pdf``, ``solutions.pdf``, ``cover.pdf``,
            ``screen.pdf``, ``book.epub``.
        reports: the preflight of each file that goes to the printer, by its name.
    """

    book: Book
    record: str
    files: Mapping[str, bytes]
    reports: Mapping[str, Report]
    profile: PrinterProfile
    pictures: tuple[OwnPicture, ...]


def build_code(record: str) -> str:
    """Return the short code of a volume's content that is printed on the copyright page."""
    return hashlib.sha256(record.encode()).hexdigest()[:BUILD_DIGITS]


def lay_out(volume: Volume, folder: Path, build: str) -> tuple[Book, PrinterProfile, LoadedLooks]:
    """Lay a volume out as its spec says; raise ``LayoutError`` or ``UsageError`` if that can't be done."""
    profile = load_profile(volume.spec, folder)
    looks = load_looks(volume.spec, folder)
    pictures = load_pictures(volume.spec, folder, profile)
    inks = title_inks(volume.spec, looks, profile)
    edition = Edition(
        volume.spec, volume.numbered, volume.linkpress_version, build, pictures=pictures, title_inks=inks
    )
    return layout_book(edition, profile, looks.theme, measure_of(volume.spec, looks.faces)), profile, looks


def lay_out_screen(
    volume: Volume,
    looks: LoadedLooks,
    measure: Measure,
    image: OwnPicture | None,
    build: str,
    pictures: Pictures = NO_PICTURES,
) -> Book:
    """Lay a volume out for screens: pages of one side, none of them blank, its cover first.

    Levels have no more puzzles to a page than in print; answers that print has in a file of their own,
    or upside down, stand at the back. A ``LayoutError`` says that it is about ``screen``.
    """
    spec, profile = _screen_spec(volume.spec), load_printer("screen")
    try:
        cover = None
        if spec.cover is not None:
            cover = compose_front(order_cover(replace(volume, spec=spec), 0, looks, image), profile, measure)
        version = volume.linkpress_version
        inks = title_inks(spec, looks, profile)
        edition = Edition(spec, volume.numbered, version, build, True, cover, pictures, inks)
        return layout_book(edition, profile, looks.theme, measure)
    except LayoutError as fault:
        raise LayoutError(f"{fault} For screen.pdf alone, set screen.trim.", "screen") from None


def _screen_spec(spec: BookSpec) -> BookSpec:
    trim = spec.screen.trim if spec.screen else spec.page.trim
    page = spec.page.model_copy(
        update={
            "printer": "screen",
            "paper": None,
            "trim": trim,
            "bleed": False,
            "single_sided": False,
            "margins": None,
            "binding": None,
            "min_cell_mm": min(spec.page.min_cell_mm or SCREEN_CELL_MM, SCREEN_CELL_MM),
        }
    )
    apart = spec.solutions.place in (SolutionsPlace.FILE, SolutionsPlace.UPSIDE_DOWN)
    place = SolutionsPlace.BACK if apart else spec.solutions.place
    solutions = spec.solutions.model_copy(update={"place": place, "per_page": "auto"})
    isbn = spec.screen.isbn if spec.screen else None
    per_page = (spec.screen.per_page if spec.screen else None) or 1
    levels = tuple(level.model_copy(update={"per_page": per_page}) for level in spec.levels)
    return spec.model_copy(update={"page": page, "solutions": solutions, "isbn": isbn, "levels": levels})


def typeset(volume: Volume, folder: Path) -> Typeset:
    """Draw every file that a volume's spec asks for, always with the same bytes; raise as ``lay_out``."""
    record, spec = volume_json(volume), volume.spec
    book, profile, looks = lay_out(volume, folder, build_code(record))
    measure = measure_of(spec, looks.faces)
    image = cover_picture(spec, folder, profile)
    printing = Printing(spec, profile, looks, volume.linkpress_version)
    printed = {INTERIOR_FILE: printing.interior(book)}
    if book.solutions:
        printed[SOLUTIONS_FILE] = printing.interior(book, book.solutions)
    order = order_cover(volume, book.page_count, looks, image) if spec.cover is not None else None
    if order is not None:
        printed[COVER_FILE] = printing.cover(compose_cover(order, profile, measure))
    files = {name: file.content for name, file in printed.items()}
    if spec.screen is not None:
        tablet = lay_out_screen(volume, looks, measure, image, build_code(record), book.edition.pictures)
        about, faces = printing.about, looks.faces
        linked = draw_pages(
            tablet.pages, tablet.trim, about, screen=True, colour_mode=ColourMode.AS_GIVEN, faces=faces
        )
        files[SCREEN_FILE] = finish_screen(linked, about)
    if spec.epub:
        from linkpress.ebook.epub import epub_bytes  # few books want one: 80 ms

        front = None if order is None else compose_front(order, profile, measure)
        files[EBOOK_FILE] = epub_bytes(as_ebook(book, profile, looks, printing.about, front))
    reports = {name: printing.judge(name, file) for name, file in printed.items()}
    shown = (*book.edition.pictures.values(), *([image] if image else ()))
    return Typeset(book, record, files, reports, profile, shown)


def as_ebook(
    book: Book, profile: PrinterProfile, looks: LoadedLooks, about: About, front: Frame | None
) -> EBook:
    """Turn a laid-out book into an e-book."""
    from linkpress.ebook.chapters import ebook_of

    edition, spec, measure = book.edition, book.edition.spec, measure_of(book.edition.spec, looks.faces)
    words = words_for(spec, looks.theme, (puzzle.record.puzzle for puzzle in edition.puzzles))
    setting = setting_of(edition, profile, looks.theme, measure, words, book.margins)
    ebook_spec = spec.model_copy(update={"isbn": spec.epub.isbn if spec.epub else None})
    return ebook_of(replace(edition, spec=ebook_spec), setting, about, looks.faces, front)


class PrintFile(NamedTuple):
    """A file for the printer comes with what it must be."""

    content: bytes
    required: Requirements


@dataclass(frozen=True)
class Printing:
    """A printing draws the files of a book for its printer, and judges them."""

    spec: BookSpec
    profile: PrinterProfile
    looks: LoadedLooks
    version: str

    @cached_property
    def about(self) -> About:
        """Return title, author and date for the files; raise ``UsageError`` if there is no date to be had."""
        return About(
            title=self.spec.title,
            author=self.spec.author or "",
            language=self.spec.wording().language,
            date=file_date(self.spec.date, os.environ),
            creator=f"linkpress {self.version}",
        )

    @property
    def _colour_mode(self) -> ColourMode:
        return ColourMode.SRGB if self.profile.colours is Colours.SRGB else ColourMode.CMYK

    def interior(self, book: Book, pages: Sequence[Page] | None = None) -> PrintFile:
        """Draw the book, or some of its pages, for which no page count is judged."""
        standard = self.profile.standard_of(self.spec.standard, book.coloured)
        shown, faces = book.pages if pages is None else pages, self.looks.faces
        drawn = draw_pages(
            shown, book.trim, self.about, book.bleeds, colour_mode=self._colour_mode, faces=faces
        )
        page = self.spec.page
        part, full = pages is not None, faces.full
        required = Requirements(page.paper, book.trim, page.bleed, standard, part=part, full_fonts=full)
        return PrintFile(finish_print(drawn, self.about, standard), required)

    def cover(self, cover: ComposedCover) -> PrintFile:
        """Draw the cover."""
        standard = self.profile.standard_of(self.spec.standard, coloured=True)
        drawn = draw_cover(cover, self.about, self._colour_mode, self.looks.faces)
        paper, full = self.spec.page.paper, self.looks.faces.full
        required = Requirements(paper, cover.geometry.trim, None, standard, cover=True, full_fonts=full)
        return PrintFile(finish_print(drawn, self.about, standard), required)

    def judge(self, name: str, file: PrintFile) -> Report:
        """Judge a file, and return the report with its name."""
        return replace(preflight(file.content, self.profile, file.required), file=name)
