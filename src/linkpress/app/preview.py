"""Show a book before it is built: its plan in words, and its pages side by side in one image."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from linkpress.app.editions import edition_notes, shop_lines
from linkpress.book.difficulty_forecast import NO_RISE, section_warnings
from linkpress.book.level import IfMissing
from linkpress.book.plan import Slot, plan_slots
from linkpress.book.printing_keys import SolidStyle
from linkpress.book.spec import NO_CHANGES, BookSpec, RunChanges, read_spec, with_printing_changes
from linkpress.book.volume import VOLUME_FILE, Volume, load_volume, volume_of
from linkpress.documents.inks import PAPER, contrast
from linkpress.documents.shipped_files import COVERS
from linkpress.documents.values import MM_PT, PixelMode
from linkpress.engine.recipe import counted
from linkpress.errors import LayoutError, Notify, UsageError
from linkpress.files import is_folder
from linkpress.layout.boards import shown_solids
from linkpress.layout.frame import Placed, TextRun
from linkpress.layout.setting import LARGE_PRINT_LEAST_PT, reduced_lines
from linkpress.press.assets import BookAssets, in_design, load_assets
from linkpress.press.book_layout import lay_out
from linkpress.press.composed_cover import compose_cover, compose_front, draw_cover, front_image
from linkpress.press.cover_content import cover_content, cover_geometry_of, template_pdf, template_png
from linkpress.press.dry_run import CheckedBook, dry_run, stand_in_volume
from linkpress.production.forecast import (
    Odds,
    hopeless_levels,
    odds_table,
    outlook,
    outlook_lines,
    rising_warnings,
    scarce_boards,
    section_of,
    tried_odds,
)
from linkpress.production.journal import Watcher
from linkpress.render.pdf import About, ColourMode
from linkpress.version import __version__
from linkpress.words import missing_phrases_note

if TYPE_CHECKING:
    from linkpress.feeds.feed_spec import FeedSpec

# Words that the option --pages accepts instead of page numbers.
COVER, FRONT, DESIGNS, TEMPLATE = "cover", "front", "designs", "template"
_PAGE_PX, _FRONT_PX, _COVER_PX = 420, 1200, 1600
# A plan warns about a level if at least this share of its squares is black. KDP's help page on large black
# areas (G99WKT9FARBGHBJF) gives no figure. Boards with scattered solid squares have up to 20 %, so
# they cause no warning.
_MUCH_BLACK = 0.3
# An ink counts as black if its contrast ratio to white paper is at least this number.
_DARK = 7.0
# Resolution that is recorded in the PNG of a front cover, in dots per inch. The PNG is meant for screens.
_FRONT_DPI = 72


class Plan(NamedTuple):
    """Plan of a book, or of one week of a newspaper's feed.

    Args:
        text: the plan in words.
        impossible: for each level whose boards can't be made, a sentence that says why.
    """

    text: str
    impossible: tuple[str, ...]


def plan_of(book: CheckedBook, notify: Notify | None = None) -> Plan:
    """Describe a book before it is built: its levels, puzzles, pages, cost and editions.

    Args:
        book: the book, as returned by the check that comes before the making of its puzzles.
        notify: function called with messages about trials; None to make no trials. A trial generates boards
            with the settings of a level, to find out how often that succeeds.
    """
    spec = book.spec
    slots = plan_slots(spec)
    table = _known_odds(slots, notify)
    impossible = (*hopeless_levels(slots, table), *(scarce_boards(slots, notify) if notify else ()))
    lines = [
        f"{spec.title} ({spec.book_id})",
        f"{spec.title_seed_note or f'seed {spec.seed}'}, {_print_words(book)}",
        *spec.source.notes,
        "",
        *outlook_lines(slots, table),
        *(warning for _, warning in rising_warnings(slots)),
        "",
        f"{counted(spec.puzzle_count, 'puzzle')}, {_pages_words(book)}",
        *reduced_lines(book.pictures),
        *shop_lines(spec, book.assets.profile, book.layout.page_count),
        *_black_lines(book, slots),
        *_small_answer_lines(book),
        *(f"{'warning':<15}{line}" for line in book.assets.profile.stale(date.today())),
        *(f"{'note':<15}{note}" for note in book.cover_notes),
        *missing_phrases_note(spec.language),
    ]
    lines += ["", "Not known before the build:", *(f"- {line}" for line in _unforetold(spec, slots, table))]
    for name, edition in book.editions.items():
        lines += ["", f"Edition {name}: {edition.spec.title}"]
        lines.append(f"{edition.spec.wording().language}, {_print_words(edition)}")
        lines.append(_pages_words(edition))
        lines += reduced_lines(edition.pictures)
        lines += shop_lines(edition.spec, edition.assets.profile, edition.layout.page_count)
        lines += edition_notes(spec, name, edition.spec)
    return Plan("\n".join(lines) + "\n", impossible)


def _black_lines(book: CheckedBook, slots: Sequence[Slot]) -> Iterator[str]:
    """Yield a warning for each level whose boards may have large areas of solid black."""
    theme = book.assets.theme
    if contrast(theme.solids.ink.rgb, PAPER.rgb) < _DARK:
        return
    shares: dict[str, float] = {}
    for slot in slots:
        recipe, mask = slot.recipe, slot.recipe.mask
        style = theme.solid_style_of(mask) if mask else theme.solids.style
        if style in (SolidStyle.FILLED, SolidStyle.OUTLINE) and recipe.solids:
            black = len(shown_solids(mask, theme)) if mask else recipe.solids.high
            share = black / (recipe.rows * recipe.cols)
            shares[slot.level] = max(share, shares.get(slot.level, 0.0))
    for level, share in shares.items():
        if share >= _MUCH_BLACK:
            yield (
                f"{'warning':<15}up to {share:.0%} of the squares of {level} are black. Large black areas "
                "show through the paper, and KDP refuses some books with them. Use hatched solids"
            )


def _small_answer_lines(book: CheckedBook) -> Iterator[str]:
    """Yield a warning if numbers in the answers of a large-print book are too small for large print."""
    per_page = book.spec.solutions.per_page
    if not book.spec.page.large_print or per_page == "auto":
        return
    frames = [page.frame for page in book.layout.pages if page.kind == "solutions"]
    boards = [item.frame for frame in frames for item in frame.items if isinstance(item, Placed)]
    sizes = [item.size_pt for board in boards for item in board.items if isinstance(item, TextRun)]
    least_pt = min(sizes, default=LARGE_PRINT_LEAST_PT)
    if least_pt < LARGE_PRINT_LEAST_PT:
        yield (
            f"{'warning':<15}with solutions.per_page: {per_page}, the numbers in the solutions are printed "
            f"in {least_pt:.1f} pt, but shops ask for {LARGE_PRINT_LEAST_PT:g} pt or more in large print: "
            "lower solutions.per_page, or leave it out"
        )


def _known_odds(slots: Sequence[Slot], notify: Notify | None) -> tuple[Odds, ...]:
    table = odds_table()
    return table if notify is None else (*table, *tried_odds(slots, table, notify))


def _unforetold(spec: BookSpec, slots: Sequence[Slot], table: Sequence[Odds]) -> Iterator[str]:
    """Yield a line for each fact about the book that nobody can know before the book is built."""
    made = (slot for slot in slots if slot.given is None)
    different = list({(slot.level, slot.recipe, slot.method): slot for slot in made}.values())
    unknown = [slot for slot in different if (odds := outlook(slot, table)) is None or not odds.is_known]
    if unknown:
        names = ", ".join(dict.fromkeys(slot.level for slot in unknown))
        yield f"whether all puzzles of {names} are found, because nothing is known about such boards"
    if any(slot.otherwise is IfMissing.NEAREST and slot.recipe.required for slot in different):
        yield "which puzzles get the nearest difficulty instead of the one you asked for"
    if any(level.file for level in spec.levels):
        yield "whether each board from a file has one solution, and is not used in this or another book"
    yield "which puzzles are already used in other books, and are replaced by others"
    if spec.parts.tutorial:
        yield "which technique each example of the tutorial teaches"
    if spec.cover and not (spec.cover.image or spec.cover.puzzle or spec.cover.front or spec.cover.design):
        yield "which board the cover shows"
    yield "what the printer's own check says. Look at the pages with `linkpress preview`."


def plan_of_feed(spec: FeedSpec, notify: Notify | None = None) -> Plan:
    """Describe a week of a newspaper's feed.

    Args:
        spec: the spec of the feed.
        notify: function called with messages about trials; None to make no trials. A trial generates boards
            with the settings of a weekday, to find out how often that succeeds.
    """
    from linkpress.book.mixes import WEEKDAYS
    from linkpress.feeds.feed_spec import week_slots

    days = {name: week_slots(spec, weekday) for weekday, name in enumerate(WEEKDAYS)}
    slots = [slot for day in days.values() for slot in day]
    sections = [section_of(day, name) for name, day in days.items() if day]
    table = _known_odds(slots, notify)
    lines = [f"{spec.title} ({spec.id})", *spec.source.notes, ""]
    lines += outlook_lines(slots, table)
    lines += (warning for _, warning in section_warnings(sections, NO_RISE))
    return Plan("\n".join(lines) + "\n", tuple(hopeless_levels(slots, table)))


def _print_words(book: CheckedBook) -> str:
    printer, theme = book.assets.profile.name, book.assets.theme.name
    return f"printer {printer}, trim {book.spec.page.trim.words}, theme {theme}"


def _pages_words(book: CheckedBook) -> str:
    pages, inside_pt = book.layout.page_count, book.layout.margins.inside_pt
    sheets = counted(-(-pages // 2), "sheet")
    is_metric = book.spec.page.trim.is_metric
    inside = f"{inside_pt / MM_PT:.1f} mm" if is_metric else f"{inside_pt / 72:.3f} in"
    return f"{pages} pages, {sheets}, inside margin {inside}"


def preview(
    source: Path,
    pages: str,
    columns: int,
    watcher: Watcher | None = None,
    spec_folder: Path | None = None,
    changes: RunChanges = NO_CHANGES,
) -> bytes:
    """Draw pages of a book side by side, as a PNG.

    Args:
        source: the folder of a built book, or the file of a spec. The puzzles of a spec are made for the
            image and not recorded in the ledger.
        pages: ``cover`` for the whole cover, ``front`` for the front cover, or page numbers such as
            ``1,3,6-9``.
        columns: the number of pages in a row.
        watcher: object whose methods are called to report progress.
        spec_folder: the folder from which relative paths in a built book's spec are resolved; None for the
            book's folder.
        changes: new values of the spec's keys, for this image only. For a built book, they must not affect
            the puzzles.
    Raises:
        LinkpressError: the book can't be built or laid out, or has no page with one of the numbers.
    """
    # Import this module only here. ``linkpress check`` uses only the plans of a book, and draws no images.
    from linkpress.render.raster import contact_sheet, first_page_png, png_bytes

    if is_folder(source):
        volume = _built(source, changes, spec_folder)
        assets = load_assets(volume.spec)
    else:
        volume, assets = _draft(source, pages, watcher, changes)
    if watcher:
        watcher.stage("lay out")
    book = lay_out(volume, assets)
    if pages in (COVER, FRONT):
        content = cover_content(volume, assets, book.page_count, assets.cover_pictures)
        cover = compose_cover(content)
        if pages == FRONT:
            return png_bytes(front_image(cover, _FRONT_PX, assets.faces), _FRONT_DPI)
        return first_page_png(draw_cover(cover, About(), ColourMode.AS_GIVEN, assets.faces), _COVER_PX)
    chosen = [book.pages[number - 1] for number in read_page_numbers(pages, book.page_count)]
    buffer = io.BytesIO()
    contact_sheet(chosen, book.trim, columns, _PAGE_PX, assets.faces).save(buffer, "PNG")
    return buffer.getvalue()


class DesignSheet(NamedTuple):
    """Front covers of a book in each design that is shipped with linkpress.

    Args:
        png: an image of the front covers side by side.
        names: the names of the designs, in the order of the image.
        left_out: maps the name of each design that can't be drawn to the reason.
    """

    png: bytes
    names: tuple[str, ...]
    left_out: Mapping[str, str]


def design_sheet(source: Path, columns: int, changes: RunChanges = NO_CHANGES) -> DesignSheet:
    """Draw the front cover of a book in each design that is shipped with linkpress.

    Args:
        source: the folder of a built book, or the file of a spec. No puzzles are made; covers of a spec show
            placeholder boards.
        columns: the number of front covers in a row.
        changes: new values of the spec's keys, for this image only.
    Raises:
        LinkpressError: the book can't be laid out, or no design fits it.
    """
    from linkpress.render.raster import picture_sheet, rasterise

    is_built = is_folder(source)
    volume = _built(source, changes) if is_built else stand_in_volume(_checked(source, changes).spec)
    fronts, left_out = {}, {}
    for name in COVERS.names():
        spec, assets, pictures = in_design(volume.spec, name)
        try:
            front = compose_front(cover_content(replace(volume, spec=spec), assets, 0, pictures))
        except LayoutError as error:
            left_out[name] = error
            continue
        size = _PAGE_PX, round(_PAGE_PX * front.height_pt / front.width_pt)
        fronts[name] = rasterise(front, size, PixelMode.RGB, faces=assets.faces)
    if not fronts:
        raise next(iter(left_out.values()))
    buffer = io.BytesIO()
    picture_sheet(list(fronts.values()), columns).save(buffer, "PNG")
    return DesignSheet(buffer.getvalue(), tuple(fronts), {name: str(why) for name, why in left_out.items()})


def cover_template(source: Path, changes: RunChanges = NO_CHANGES) -> dict[str, bytes]:
    """Draw a template on which a designer can draw the cover of a book.

    Args:
        source: the folder of a built book, or the file of a spec.
        changes: new values of the spec's keys, for this template only.
    Returns:
        The template as a PDF and as a PNG, under the keys ``.pdf`` and ``.png``.
    """
    if is_folder(source):
        volume = _built(source, changes)
        assets = load_assets(volume.spec)
        book = lay_out(volume, assets)
    else:
        checked = _checked(source, changes)
        assets, book = checked.assets, checked.layout
    geometry = cover_geometry_of(assets.spec, assets.profile, book.page_count)
    return {".pdf": template_pdf(geometry, assets.measure), ".png": template_png(geometry, assets.measure)}


def read_page_numbers(text: str, count: int) -> list[int]:
    """Return the page numbers in a text such as ``1,3,6-9``, in the order of the text.

    Args:
        text: page numbers and ranges. A range may end beyond the last page.
        count: the number of pages of the book.
    Raises:
        UsageError: the text is malformed, or the book has no page with one of the numbers.
    """
    pages: list[int] = []
    for part in text.split(","):
        match = re.fullmatch(r" *([0-9]{1,5})(?: *[-–] *([0-9]{1,5}))? *", part)
        low, high = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if 1 <= high < low:
            raise UsageError(f"--pages {text}: a range begins with its lower page, as {high}-{low}.")
        if not 1 <= low <= high:
            raise UsageError(
                f"--pages {text}: page numbers and ranges, as 1-8 or 1,3,6-9, cover, front, designs or "
                "template are allowed."
            )
        if low > count:
            raise UsageError(f"--pages {text}: the book has {count} pages.")
        pages += range(low, min(high, count) + 1)
    return pages


def _checked(spec_file: Path, changes: RunChanges) -> CheckedBook:
    return dry_run(read_spec(spec_file, changes=changes)).checked()


def _built(folder: Path, changes: RunChanges, spec_folder: Path | None = None) -> Volume:
    if changes.count or changes.difficulty:
        raise UsageError(f"{folder} has its puzzles already. For other puzzles, give the book's YAML file.")
    volume = load_volume(folder / VOLUME_FILE, spec_folder=spec_folder)
    return replace(volume, spec=with_printing_changes(volume.spec, changes.values))


def _draft(
    spec_file: Path, pages: str, watcher: Watcher | None, changes: RunChanges
) -> tuple[Volume, BookAssets]:
    """Make the puzzles of a spec without recording them in the ledger."""
    # Import these modules only when they are needed, because the import takes 20 ms.
    from linkpress.production.book_puzzles import make_book, plan_book
    from linkpress.production.production_run import ProductionRun

    book = _checked(spec_file, changes)
    if pages not in (COVER, FRONT):
        # Check the page numbers now, so that wrong ones are reported before any puzzle is made.
        read_page_numbers(pages, book.layout.page_count)
    puzzles = make_book(book.spec, ProductionRun(plan_book(book.spec), watcher=watcher))
    return volume_of(book.spec, puzzles.records, __version__), book.assets
