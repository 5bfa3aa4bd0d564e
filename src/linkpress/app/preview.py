"""A book before it is built: what a build would do, in words, and its pages side by side in one image."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path

from linkpress.app.build import edition_notes
from linkpress.app.shop import shop_lines
from linkpress.book.grade_odds import load_odds, outlook
from linkpress.book.level import IfGradeMissing
from linkpress.book.plan import plan_slots
from linkpress.book.spec import read_spec
from linkpress.book.volume import VOLUME_FILE, Volume, load_volume, volume_json, volume_of
from linkpress.engine.recipe import counted, grade_words
from linkpress.errors import UsageError
from linkpress.feeds.feed_spec import WEEKDAYS, FeedSpec
from linkpress.files import is_folder
from linkpress.press.rehearsal import Rehearsal, rehearse
from linkpress.press.typesetting import build_code, lay_out
from linkpress.production.book_puzzles import make_book, plan_book
from linkpress.production.forecast import outlook_lines
from linkpress.production.production_run import ProductionRun
from linkpress.production.watcher import Watcher
from linkpress.render.raster import contact_sheet
from linkpress.version import __version__

_PAGE_PX = 420


def plan_text(rehearsal: Rehearsal) -> str:
    """Describe the plan of a book that can be printed: its levels, pages and sheets."""
    spec = rehearsal.spec
    lines = [
        f"{spec.title} ({spec.book_id})",
        f"seed {spec.seed}, {_look_words(rehearsal)}",
        "",
        *outlook_lines(plan_slots(spec), load_odds()),
        "",
        f"{counted(spec.puzzle_count, 'puzzle')}, {_pages_words(rehearsal)}",
        *shop_lines(spec, rehearsal.profile, rehearsal.book.page_count),
    ]
    lines += ["", f"Only the build can tell: {'; '.join(_unforetold(rehearsal))}."]
    for name, edition in rehearsal.editions.items():
        lines += ["", f"Edition {name}: {edition.spec.title}"]
        lines.append(f"{edition.spec.wording().language}, {_look_words(edition)}")
        lines.append(_pages_words(edition))
        lines += shop_lines(edition.spec, edition.profile, edition.book.page_count)
        lines += edition_notes(spec, name, edition.spec)
    return "\n".join(lines) + "\n"


def _unforetold(rehearsal: Rehearsal) -> Iterator[str]:
    """Name what a plan can't know, since it has no puzzles yet."""
    spec, table = rehearsal.spec, load_odds()
    slots = [slot for slot in plan_slots(spec) if slot.given is None]
    unknown = [
        slot for slot in slots if slot.recipe.grades and outlook(slot.recipe, slot.effort, table) is None
    ]
    if unknown:
        names = ", ".join(dict.fromkeys(slot.level for slot in unknown))
        yield f"whether all puzzles of {names} are found, since no odds of theirs are known"
    if any(slot.otherwise is IfGradeMissing.NEAREST and slot.recipe.grades for slot in slots):
        yield "which puzzles will be of the nearest grade"
    yield "which puzzles the ledger holds for other books, so that others are made"
    if spec.parts.tutorial:
        yield "which board the tutorial solves, and whether it can be told in so few pictures"
    if spec.cover and not (spec.cover.image or spec.cover.puzzle):
        yield "which board the cover shows"
    yield "how it looks (see `linkpress preview`), and what the printer's own review thinks of it"


def feed_plan_text(spec: FeedSpec) -> str:
    """Describe the week of a feed."""
    week = []
    for index, day in enumerate(WEEKDAYS):
        keys = spec.week.day(index)
        if keys is not None:
            sizes = " or ".join(f"{size.cols} × {size.rows}" for size in keys.size)
            week.append(f"{day:<11}{sizes}{f', {grade_words(keys.grade)}' if keys.grade else ''}")
    return "\n".join([f"{spec.title} ({spec.id})", "", *week]) + "\n"


def _look_words(rehearsal: Rehearsal) -> str:
    printer, theme = rehearsal.profile.name, rehearsal.looks.theme.name
    return f"printer {printer}, trim {rehearsal.book.trim}, theme {theme}"


def _pages_words(rehearsal: Rehearsal) -> str:
    pages, margins = rehearsal.book.page_count, rehearsal.book.margins
    sheets = counted(-(-pages // 2), "sheet")
    return f"{pages} pages, {sheets}, inside margin {margins.inside_pt / 72:.3f} in"


def preview(source: Path, pages: str, columns: int, watcher: Watcher | None = None) -> bytes:
    """Draw pages of a book as a PNG.

    Args:
        source: the folder of a built book, or a spec, whose puzzles are made for it and recorded nowhere.
        pages: which, as ``read_pages`` takes them.
        columns: pages in a row.
        watcher: told how far the puzzles are.
    Raises:
        LinkpressError: as ``build`` and ``typeset_again``; or there is no such page.
    """
    if is_folder(source):
        folder, volume = source, load_volume(source / VOLUME_FILE)
    else:
        folder, volume = source.parent, _draft(source, watcher)
    if watcher:
        watcher.stage("lay out")
    book, _, looks = lay_out(volume, folder, build_code(volume_json(volume)))
    chosen = [book.pages[number - 1] for number in read_pages(pages, book.page_count)]
    buffer = io.BytesIO()
    contact_sheet(chosen, book.trim, columns, _PAGE_PX, looks.faces).save(buffer, "PNG")
    return buffer.getvalue()


def read_pages(text: str, count: int) -> list[int]:
    """Read the page numbers of a list of ranges, in its order.

    Args:
        text: numbers and ranges with commas between them; the end of a range may lie past the
            last page, its beginning may not.
        count: pages in the book.
    Raises:
        UsageError: it is no such list, or a page that the book doesn't have.
    """
    pages: list[int] = []
    for part in text.split(","):
        match = re.fullmatch(r" *([0-9]{1,5})(?: *[-–] *([0-9]{1,5}))? *", part)
        low, high = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not 1 <= low <= high:
            raise UsageError(f"--pages {text}: page numbers and ranges, as 1-8 or 1,3,6-9, are allowed.")
        if low > count:
            raise UsageError(f"--pages {text}: the book has {count} pages.")
        pages += range(low, min(high, count) + 1)
    return pages


def _draft(spec_path: Path, watcher: Watcher | None) -> Volume:
    """Make the puzzles of a build without a ledger."""
    spec = rehearse(read_spec(spec_path), spec_path.parent).spec
    puzzles = make_book(spec, ProductionRun(plan_book(spec), watcher=watcher))
    return volume_of(spec, puzzles.records, __version__)
