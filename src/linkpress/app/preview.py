"""A book is seen here before it is built: its plan in words, its pages side by side in one image."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from linkpress.app.editions import edition_notes, shop_lines
from linkpress.book.design_keys import CoverSpec
from linkpress.book.grade_odds import Odds, odds_table, outlook
from linkpress.book.level import IfGradeMissing
from linkpress.book.plan import Slot, plan_slots
from linkpress.book.spec import BookSpec, read_spec
from linkpress.book.volume import VOLUME_FILE, Volume, load_volume, volume_json, volume_of
from linkpress.documents.shipped_files import COVERS
from linkpress.documents.values import MM_PT
from linkpress.engine.recipe import counted
from linkpress.errors import LayoutError, Notify, UsageError
from linkpress.files import is_folder
from linkpress.layout.setting import reduced_lines
from linkpress.press.book_looks import cover_picture, load_looks, load_profile, measure_of
from linkpress.press.cover.composed_cover import compose_cover, compose_front, draw_cover, front_image
from linkpress.press.cover.cover_geometry import cover_geometry_of, template_pdf, template_png
from linkpress.press.cover.cover_order import order_cover
from linkpress.press.rehearsal import Rehearsal, rehearse
from linkpress.press.stand_in_volume import stand_in_volume
from linkpress.press.typesetting import build_code, lay_out
from linkpress.production.forecast import outlook_lines, scarce_boards, tried_odds
from linkpress.production.journal import Watcher
from linkpress.render.pdf import About, ColourMode
from linkpress.render.raster import (
    PixelMode,
    contact_sheet,
    first_page_png,
    picture_sheet,
    png_bytes,
    rasterise,
)
from linkpress.version import __version__

if TYPE_CHECKING:
    from linkpress.feeds.feed_spec import FeedSpec

# What --pages may be beside numbers.
COVER, FRONT, DESIGNS, TEMPLATE = "cover", "front", "designs", "template"
_PAGE_PX, _FRONT_PX, _COVER_PX = 420, 1200, 1600
_FRONT_DPI = 72  # of a picture for screens


def plan_text(rehearsal: Rehearsal, notify: Notify | None = None) -> str:
    """Describe the plan of a book; ``notify`` takes a line on each trial, and None tries nothing out."""
    spec = rehearsal.spec
    slots = plan_slots(spec)
    table = _odds_of(slots, notify)
    lines = [
        f"{spec.title} ({spec.book_id})",
        f"seed {spec.seed}, {_look_words(rehearsal)}",
        "",
        *outlook_lines(slots, table),
        *(scarce_boards(slots, notify) if notify else ()),
        "",
        f"{counted(spec.puzzle_count, 'puzzle')}, {_pages_words(rehearsal)}",
        *reduced_lines(rehearsal.pictures),
        *shop_lines(spec, rehearsal.profile, rehearsal.book.page_count),
    ]
    lines += ["", f"Only the build can tell: {'; '.join(_unforetold(spec, slots, table))}."]
    for name, edition in rehearsal.editions.items():
        lines += ["", f"Edition {name}: {edition.spec.title}"]
        lines.append(f"{edition.spec.wording().language}, {_look_words(edition)}")
        lines.append(_pages_words(edition))
        lines += reduced_lines(edition.pictures)
        lines += shop_lines(edition.spec, edition.profile, edition.book.page_count)
        lines += edition_notes(spec, name, edition.spec)
    return "\n".join(lines) + "\n"


def _odds_of(slots: Sequence[Slot], notify: Notify | None) -> tuple[Odds, ...]:
    table = odds_table()
    return table if notify is None else (*table, *tried_odds(slots, table, notify))


def _unforetold(spec: BookSpec, slots: Sequence[Slot], table: Sequence[Odds]) -> Iterator[str]:
    """Name what a plan can't know, since it has no puzzles yet."""
    made = (slot for slot in slots if slot.given is None)
    slots = list({(slot.level, slot.recipe, slot.method): slot for slot in made}.values())  # one of its like
    unknown = [slot for slot in slots if (known := outlook(slot, table)) is None or not known.is_known]
    if unknown:
        names = ", ".join(dict.fromkeys(slot.level for slot in unknown))
        yield f"whether all puzzles of {names} are found, since no odds of theirs are known"
    if any(slot.otherwise is IfGradeMissing.NEAREST and slot.recipe.asked for slot in slots):
        yield "which puzzles will not be as asked, but the nearest"
    if any(level.file for level in spec.levels):
        yield "whether each board from a file has one solution and is there once, in book and ledger"
    yield "which puzzles the ledger holds for other books, so that others are made"
    if spec.parts.tutorial:
        yield "which board the tutorial solves, and whether it can be told in so few pictures"
    if spec.cover and not (spec.cover.image or spec.cover.puzzle or spec.cover.front or spec.cover.design):
        yield "which board the cover shows"
    yield "how it looks (see `linkpress preview`), and what the printer's own review thinks of it"


def feed_plan_text(spec: FeedSpec, notify: Notify | None = None) -> str:
    """Describe the week of a feed; ``notify`` as for a book."""
    from linkpress.feeds.calendar import week_slots
    from linkpress.feeds.feed_spec import WEEKDAYS

    slots = [slot for weekday in range(len(WEEKDAYS)) for slot in week_slots(spec, weekday)]
    week = outlook_lines(slots, _odds_of(slots, notify))
    return "\n".join([f"{spec.title} ({spec.id})", "", *week]) + "\n"


def _look_words(rehearsal: Rehearsal) -> str:
    printer, theme = rehearsal.profile.name, rehearsal.looks.theme.name
    return f"printer {printer}, trim {rehearsal.spec.page.trim.words}, theme {theme}"


def _pages_words(rehearsal: Rehearsal) -> str:
    pages, margins = rehearsal.book.page_count, rehearsal.book.margins
    sheets = counted(-(-pages // 2), "sheet")
    is_metric = rehearsal.spec.page.trim.is_metric
    inside = f"{margins.inside_pt / MM_PT:.1f} mm" if is_metric else f"{margins.inside_pt / 72:.3f} in"
    return f"{pages} pages, {sheets}, inside margin {inside}"


def preview(
    source: Path, pages: str, columns: int, watcher: Watcher | None = None, spec_folder: Path | None = None
) -> bytes:
    """Draw pages of a book as a PNG.

    Args:
        source: the folder of a built book, or a spec, whose puzzles are made for it and recorded nowhere.
        pages: which, as ``read_page_numbers`` takes them; or ``cover`` or ``front``.
        watcher: told how far the puzzles are.
        spec_folder: that relative paths of a built book's spec start from; its folder if None.
    Raises:
        LinkpressError: as ``build`` and ``typeset_again``; or there is no such page.
    """
    if is_folder(source):
        folder, volume = spec_folder or source, load_volume(source / VOLUME_FILE)
    else:
        folder, volume = source.parent, _draft(source, pages, watcher)
    if watcher:
        watcher.stage("lay out")
    book, profile, looks = lay_out(volume, folder, build_code(volume_json(volume)))
    if pages in (COVER, FRONT):
        image = cover_picture(volume.spec, folder, profile)
        measure = measure_of(volume.spec, looks.faces)
        cover = compose_cover(order_cover(volume, book.page_count, looks, image), profile, measure)
        if pages == FRONT:
            return png_bytes(front_image(cover, _FRONT_PX, looks.faces), _FRONT_DPI)
        return first_page_png(draw_cover(cover, About(), ColourMode.AS_GIVEN, looks.faces), _COVER_PX)
    chosen = [book.pages[number - 1] for number in read_page_numbers(pages, book.page_count)]
    buffer = io.BytesIO()
    contact_sheet(chosen, book.trim, columns, _PAGE_PX, looks.faces).save(buffer, "PNG")
    return buffer.getvalue()


class DesignSheet(NamedTuple):
    """A sheet has the fronts of a book in the shipped designs.

    Args:
        png: the fronts side by side.
        names: the designs' names, in their order on it.
        left_out: why others could not be drawn, by name.
    """

    png: bytes
    names: tuple[str, ...]
    left_out: Mapping[str, str]


def design_sheet(source: Path, columns: int) -> DesignSheet:
    """Draw the front of a book or a spec in every shipped design; raise as ``preview``, or if none fits."""
    if is_folder(source):
        volume, folder = load_volume(source / VOLUME_FILE), source
    else:
        volume, folder = stand_in_volume(rehearse(read_spec(source), source.parent).spec), source.parent
    profile, fronts, left_out = load_profile(volume.spec, folder), {}, {}
    for name in COVERS.names():
        spec = volume.spec.model_copy(update={"cover": CoverSpec(design=name)})
        looks = load_looks(spec, folder)
        order = order_cover(replace(volume, spec=spec), 0, looks)
        try:
            front = compose_front(order, profile, measure_of(spec, looks.faces))
        except LayoutError as fault:
            left_out[name] = fault
            continue
        size = _PAGE_PX, round(_PAGE_PX * front.height_pt / front.width_pt)
        fronts[name] = rasterise(front, size, PixelMode.RGB, faces=looks.faces)
    if not fronts:
        raise next(iter(left_out.values()))
    buffer = io.BytesIO()
    picture_sheet(list(fronts.values()), columns).save(buffer, "PNG")
    return DesignSheet(buffer.getvalue(), tuple(fronts), {name: str(why) for name, why in left_out.items()})


def cover_template(source: Path) -> dict[str, bytes]:
    """Draw the template of a cover, of a built book or a spec, as PDF and PNG; raise as ``preview``."""
    if is_folder(source):
        volume = load_volume(source / VOLUME_FILE)
        book, profile, looks = lay_out(volume, source, build_code(volume_json(volume)))
        spec = volume.spec
    else:
        spec, book, profile, looks, *_ = rehearse(read_spec(source), source.parent)
    geometry = cover_geometry_of(spec, profile, book.page_count)
    measure = measure_of(spec, looks.faces)
    return {".pdf": template_pdf(geometry, measure), ".png": template_png(geometry, measure)}


def read_page_numbers(text: str, count: int) -> list[int]:
    """Read the page numbers of a list of ranges, in its order.

    Args:
        text: numbers and ranges with commas between them; the end of a range may lie past the
            last page, its beginning may not.
    Raises:
        UsageError: it is no such list, or a page that the book doesn't have.
    """
    pages: list[int] = []
    for part in text.split(","):
        match = re.fullmatch(r" *([0-9]{1,5})(?: *[-–] *([0-9]{1,5}))? *", part)
        low, high = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not 1 <= low <= high:
            raise UsageError(
                f"--pages {text}: page numbers and ranges, as 1-8 or 1,3,6-9, cover, front, designs or "
                "template are allowed."
            )
        if low > count:
            raise UsageError(f"--pages {text}: the book has {count} pages.")
        pages += range(low, min(high, count) + 1)
    return pages


def _draft(spec_path: Path, pages: str, watcher: Watcher | None) -> Volume:
    from linkpress.production.book_puzzles import make_book, plan_book  # a plan needs none of it: 20 ms
    from linkpress.production.production_run import ProductionRun

    rehearsal = rehearse(read_spec(spec_path), spec_path.parent)
    spec = rehearsal.spec
    if pages not in (COVER, FRONT):
        read_page_numbers(pages, rehearsal.book.page_count)  # a wrong page is refused before a puzzle is made
    puzzles = make_book(spec, ProductionRun(plan_book(spec), watcher=watcher))
    return volume_of(spec, puzzles.records, __version__)
