"""From a volume to finished PDF files, in memory."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from linkpress.book.plan import plan_slots
from linkpress.book.printing_keys import Standard
from linkpress.book.spec import BookSpec
from linkpress.book.volume import Volume
from linkpress.config.shipped_files import beside
from linkpress.errors import UsageError
from linkpress.layout.pages import Book, layout_book
from linkpress.layout.printers import PrinterProfile, load_printer
from linkpress.layout.theme import Theme, load_theme
from linkpress.press.cover.geometry import measure_cover
from linkpress.press.cover.order import order_cover
from linkpress.press.edition import edition_of
from linkpress.press.file_info import FileInfo, file_date
from linkpress.press.pdfx import finish_print, finish_screen
from linkpress.press.preflight.result import Report
from linkpress.press.preflight.run import Wanted, preflight
from linkpress.press.stand_in import stand_in_like, stand_in_volume

_Loaded = TypeVar("_Loaded")


@dataclass(frozen=True)
class Typeset:
    """A volume laid out and drawn.

    Args:
        book: its pages.
        profile: of the printer.
        theme: how it looks.
        files: the finished files' bytes by name: ``interior.pdf``, ``screen.pdf``, ``cover.pdf``.
        reports: the preflight of each file that goes to the printer, by its name.
    """

    book: Book
    profile: PrinterProfile
    theme: Theme
    files: Mapping[str, bytes]
    reports: Mapping[str, Report]


def lay_out(volume: Volume, folder: Path, build: str | None = None) -> tuple[Book, PrinterProfile, Theme]:
    """Lay a volume out as its spec says.

    Args:
        volume: finished.
        folder: that relative paths of the spec start from.
        build: what stands for the build; the code of the volume's content if None.
    Raises:
        LayoutError: the book does not fit its printer's profile, theme or page.
        UsageError: no such printer or theme; names the key.
    """
    from linkpress.render.fonts import FontMeasure

    profile = _named("page.printer", load_printer, beside(volume.spec.page.printer, folder))
    theme = _named("theme", load_theme, beside(volume.spec.theme, folder))
    return layout_book(edition_of(volume, build), profile, theme, FontMeasure()), profile, theme


def _named(key: str, load: Callable[[str], _Loaded], name: str) -> _Loaded:
    try:
        return load(name)
    except UsageError as fault:
        raise UsageError(f"{key}: {fault}") from None


def typeset(volume: Volume, folder: Path) -> Typeset:
    """Lay a volume out and draw every file that its spec asks for.

    Args:
        volume: finished.
        folder: that relative paths of the spec start from.
    Returns:
        The same bytes for the same volume.
    Raises:
        LayoutError: the book or its cover does not fit the printer's profile, theme or page.
    """
    from linkpress.press.cover.make import make_cover
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
    if spec.cover is not None:
        files["cover.pdf"] = make_cover(volume, book.page_count, profile, info)
    return Typeset(book, profile, theme, files, _reports(volume, book, profile, files))


def check_cover(spec: BookSpec, folder: Path) -> None:
    """Refuse a ``cover.puzzle`` of a size that no front can show, before any puzzle is made.

    Args:
        spec: checked.
        folder: that relative paths of the spec start from.
    Raises:
        LayoutError: its numbers would be too small, or there is no such cover at all.
        UsageError: no such printer.
    """
    from linkpress.press.cover.compose import check_picture
    from linkpress.render.fonts import FontMeasure

    if spec.cover is None or spec.cover.puzzle is None:
        return
    volume = stand_in_volume(spec)
    level = volume.puzzles[spec.cover.puzzle - 1].level
    slots = [slot for slot in plan_slots(spec) if slot.level == level]
    if len({(slot.recipe.rows, slot.recipe.cols) for slot in slots}) > 1:
        return  # which of the sizes is printed under the number shows when the puzzles are there
    easiest = min(slots, key=lambda slot: slot.recipe.pairs.low if slot.recipe.pairs else 0)
    profile = _named("page.printer", load_printer, beside(spec.page.printer, folder))
    order = replace(order_cover(volume, pages=0), pictures=(stand_in_like(easiest),))
    check_picture(order, profile, FontMeasure())


def _reports(
    volume: Volume, book: Book, profile: PrinterProfile, files: Mapping[str, bytes]
) -> dict[str, Report]:
    """What the printer would say to the files that go to it."""
    spec = volume.spec
    wanted = Wanted(spec.page.paper, book.trim, spec.page.bleed, Standard(spec.standard.value))
    reports = {"interior.pdf": preflight(files["interior.pdf"], profile, wanted)}
    if spec.cover is not None:
        order = order_cover(volume, book.page_count)
        cover = measure_cover(profile, book.trim, order.pages, spec.page.paper, order.spine_pt)
        whole = replace(wanted, trim=cover.trim, bleed=None, cover=True)
        reports["cover.pdf"] = preflight(files["cover.pdf"], profile, whole)
    return {name: replace(report, file=name) for name, report in reports.items()}
