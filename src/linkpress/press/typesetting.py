"""From a volume to finished PDF files, in memory."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from linkpress.book.plan import plan_slots
from linkpress.book.printing_keys import SolutionsPlace
from linkpress.book.spec import BookSpec
from linkpress.book.volume import Volume, volume_json
from linkpress.config.shipped_files import beside
from linkpress.errors import LayoutError, UsageError
from linkpress.layout.edition import Edition
from linkpress.layout.pages import Book, layout_book
from linkpress.layout.printers import PrinterProfile, load_printer
from linkpress.layout.theme import Theme, load_theme
from linkpress.press.cover.compose import (
    CoverOrder,
    check_picture,
    compose_cover,
    compose_front,
    draw_cover,
    order_cover,
)
from linkpress.press.pdfx import finish_print, finish_screen
from linkpress.press.preflight import Report, Wanted, preflight
from linkpress.press.stand_in_volume import stand_in_like, stand_in_volume
from linkpress.render.fonts import FontMeasure
from linkpress.render.pdf import About, draw_pages, file_date

BUILD_DIGITS = 12
SCREEN_CELL_MM = 4.0  # a screen is enlarged with two fingers
_Loaded = TypeVar("_Loaded")


@dataclass(frozen=True)
class Typeset:
    """A volume laid out and drawn.

    Args:
        book: its pages.
        record: the text of ``volume.json``, whose code stands on the copyright page.
        files: the finished files' bytes by name: ``interior.pdf``, ``solutions.pdf``, ``screen.pdf``,
            ``cover.pdf``.
        reports: the preflight of each file that goes to the printer, by its name.
    """

    book: Book
    record: str
    files: Mapping[str, bytes]
    reports: Mapping[str, Report]


def build_code(record: str) -> str:
    """The short code of a volume's content that is printed on the copyright page.

    Args:
        record: the text of ``volume.json``.
    """
    return hashlib.sha256(record.encode()).hexdigest()[:BUILD_DIGITS]


def lay_out(volume: Volume, folder: Path, build: str) -> tuple[Book, PrinterProfile, Theme]:
    """Lay a volume out as its spec says.

    Args:
        folder: that relative paths of the spec start from.
        build: of ``build_code``, or what stands for it.
    Raises:
        LayoutError: the book does not fit its printer's profile, theme or page.
        UsageError: no such printer or theme; names the key.
    """
    profile = _named("page.printer", load_printer, beside(volume.spec.page.printer, folder))
    theme = _named("theme", load_theme, beside(volume.spec.theme, folder))
    edition = Edition(volume.spec, volume.numbered, volume.linkpress_version, build)
    return layout_book(edition, profile, theme, FontMeasure()), profile, theme


def lay_out_screen(volume: Volume, folder: Path, build: str) -> Book:
    """Lay a volume out for screens: pages of one side, none of them blank, its cover first.

    Levels have no more puzzles to a page than in print; answers that print has in a file of their own,
    or upside down, stand at the back.

    Args:
        folder: that relative paths of the spec start from.
        build: of ``build_code``, or what stands for it.
    Raises:
        LayoutError: the book does not fit such pages; says that it is about ``screen``.
    """
    spec, profile, measure = _screen_spec(volume.spec), load_printer("screen"), FontMeasure()
    theme = _named("theme", load_theme, beside(spec.theme, folder))
    try:
        cover = None
        if spec.cover is not None:
            cover = compose_front(order_cover(replace(volume, spec=spec), 0), profile, measure)
        edition = Edition(spec, volume.numbered, volume.linkpress_version, build, screen=True, cover=cover)
        return layout_book(edition, profile, theme, measure)
    except LayoutError as fault:
        raise LayoutError(f"screen: {fault} For screen.pdf alone, set screen.trim.") from None


def _screen_spec(spec: BookSpec) -> BookSpec:
    """What print has and a screen has not, taken out."""
    trim = spec.screen.trim if spec.screen else spec.page.trim
    page = spec.page.model_copy(
        update={
            "printer": "screen",
            "paper": None,
            "trim": trim,
            "bleed": False,
            "single_sided": False,
            "binding": None,
            "min_cell_mm": min(spec.page.min_cell_mm or SCREEN_CELL_MM, SCREEN_CELL_MM),
        }
    )
    apart = spec.solutions.place in (SolutionsPlace.FILE, SolutionsPlace.UPSIDE_DOWN)
    place = SolutionsPlace.BACK if apart else spec.solutions.place
    solutions = spec.solutions.model_copy(update={"place": place, "per_page": "auto"})
    return spec.model_copy(update={"page": page, "solutions": solutions})


def check_screen(spec: BookSpec, folder: Path) -> None:
    """Refuse a book that does not fit its screen, before any puzzle is made.

    Args:
        folder: that relative paths of the spec start from.
    Raises:
        LayoutError: as ``lay_out_screen``.
    """
    if spec.screen is not None:
        lay_out_screen(stand_in_volume(spec), folder, "0" * BUILD_DIGITS)


def _named(key: str, load: Callable[[str], _Loaded], name: str) -> _Loaded:
    try:
        return load(name)
    except UsageError as fault:
        raise UsageError(f"{key}: {fault}") from None


def typeset(volume: Volume, folder: Path) -> Typeset:
    """Lay a volume out and draw every file that its spec asks for.

    Args:
        folder: that relative paths of the spec start from.
    Returns:
        The same bytes for the same volume.
    Raises:
        LayoutError: the book or its cover does not fit the printer's profile, theme or page.
    """
    record, spec = volume_json(volume), volume.spec
    book, profile, _ = lay_out(volume, folder, build_code(record))
    about = About(
        title=spec.title,
        author=spec.author or "",
        language=spec.language.value,
        date=file_date(spec.date, os.environ),
        creator=f"linkpress {volume.linkpress_version}",
    )
    wanted = {"interior.pdf": Wanted(spec.page.paper, book.trim, spec.page.bleed, spec.standard)}
    drawn = draw_pages(book.pages, book.trim, about, book.bleeds)
    files = {"interior.pdf": finish_print(drawn, about, spec.standard)}
    if book.solutions:
        apart = draw_pages(book.solutions, book.trim, about, book.bleeds)
        files["solutions.pdf"] = finish_print(apart, about, spec.standard)
        wanted["solutions.pdf"] = replace(wanted["interior.pdf"], part=True)
    if spec.screen is not None:
        tablet = lay_out_screen(volume, folder, build_code(record))
        linked = draw_pages(tablet.pages, tablet.trim, about, screen=True)
        files["screen.pdf"] = finish_screen(linked, about)
    if spec.cover is not None:
        cover = compose_cover(order_cover(volume, book.page_count), profile, FontMeasure())
        files["cover.pdf"] = finish_print(draw_cover(cover, about), about, spec.standard)
        wanted["cover.pdf"] = Wanted(spec.page.paper, cover.geometry.trim, None, spec.standard, cover=True)
    reports = {
        name: replace(preflight(files[name], profile, asked), file=name) for name, asked in wanted.items()
    }
    return Typeset(book, record, files, reports)


def check_cover(spec: BookSpec, folder: Path) -> None:
    """Refuse a ``cover.puzzle`` of a size that no front can show, before any puzzle is made.

    Args:
        folder: that relative paths of the spec start from.
    Raises:
        LayoutError: its numbers would be too small, or there is no such cover at all.
        UsageError: no such printer.
    """
    if spec.cover is None or spec.cover.puzzle is None:
        return
    slots = plan_slots(spec)
    level = slots[spec.cover.puzzle - 1].level  # the printed order keeps the levels together
    own = [slot for slot in slots if slot.level == level]
    if len({(slot.recipe.rows, slot.recipe.cols) for slot in own}) > 1:
        return  # which of the sizes is printed under the number shows when the puzzles are there
    board = stand_in_like(min(own, key=lambda slot: slot.recipe.pairs.low if slot.recipe.pairs else 0))
    profile = _named("page.printer", load_printer, beside(spec.page.printer, folder))
    check_picture(CoverOrder(spec, "", (board,), board, pages=0), profile, FontMeasure())
