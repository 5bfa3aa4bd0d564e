"""A book that is open in the studio: its problems, its finished puzzles, and drawings of its pages.

The first pages must appear within a second after the start of the studio. So modules that are not needed for
these pages are imported inside functions.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import re
import secrets
import threading
from bisect import bisect
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from xml.sax.saxutils import quoteattr

from linkpress.app.editions import book_folder, edition_folder
from linkpress.book.difficulty_forecast import (
    HARDLY_EVER,
    difficulty_problem,
    difficulty_shares,
    forecast_of_any,
    likely_keys,
    plentiful_difficulties,
)
from linkpress.book.key_values import parts_of
from linkpress.book.level import IfMissing, LevelSpec, RecipeKeys
from linkpress.book.mixes import expand_mix
from linkpress.book.plain_spec import plain_spec, unclear_share
from linkpress.book.plan import Slot, plan_slots
from linkpress.book.printing_keys import CoverDesign, PlaySpec
from linkpress.book.puzzle_record import PuzzleRecord
from linkpress.book.spec import BookSpec, edition_documents, read_spec, untranslated_keys
from linkpress.book.volume import Volume, volume_of
from linkpress.documents.models import Document, fields_of, load_named, reader_of
from linkpress.documents.problem import KeyPath, Problem, value_at
from linkpress.documents.shipped_files import COVERS
from linkpress.documents.yaml_edit import with_value, without
from linkpress.documents.yaml_source import parse_yaml, read_yaml
from linkpress.engine.difficulty import Difficulty, name_of
from linkpress.engine.recipe import Recipe, Span
from linkpress.errors import LinkpressError, PuzzleError, RecipeError, SpecError, UsageError
from linkpress.files import is_locked
from linkpress.layout.boards import board_frame
from linkpress.layout.frame import (
    FontKey,
    Frame,
    Ink,
    Item,
    Lines,
    Page,
    Placed,
    Polyline,
    Rect,
    Region,
    Role,
)
from linkpress.layout.page_draft import puzzle_place, solution_place
from linkpress.layout.pages import Book, plan_pages
from linkpress.layout.setting import Pictures
from linkpress.layout.theme import load_theme, words_for
from linkpress.press.assets import BookAssets, in_design, load_assets
from linkpress.press.book_layout import edition_of
from linkpress.press.dry_run import stand_ins
from linkpress.printers import Colours
from linkpress.production.book_puzzles import JOURNAL_FILE, arrange_book, built_puzzles
from linkpress.production.forecast import (
    LevelOutlook,
    Odds,
    duration,
    level_outlooks,
    odds_table,
    rising_warnings,
    ways_out,
)
from linkpress.production.journal import saved_records
from linkpress.production.slot_search import FinishedSlot, read_journal_line
from linkpress.puzzle.puzzle import Puzzle, Solution
from linkpress.render.fonts import OwnFont
from linkpress.render.svg import draw_svg
from linkpress.studio.forecast_html import hatched_svg
from linkpress.studio.html_parts import drops_html, offers_html, path_label, puzzle_bar, say, tag
from linkpress.studio.settings import part_of
from linkpress.studio.spec_files import (
    Change,
    Editor,
    RefusedError,
    SpecFile,
    build_state,
    built_folder,
    good_file,
    is_impossible,
    problem_facts,
    with_kept_puzzles,
    without_key,
)
from linkpress.version import __version__
from linkpress.words import Words

if TYPE_CHECKING:
    from linkpress.press.composed_cover import ComposedCover

AnyRecipe = TypeVar("AnyRecipe", bound=RecipeKeys)
_CELL_PT = 24.0
_CREAM = "#fdf6e3"  # colour of the cream paper on which the gallery of themes shows a puzzle
_FONT_WEIGHTS = {FontKey.REGULAR: "400", FontKey.SEMIBOLD: "600", FontKey.ITALIC: "400"}
# State of a level whose puzzles can't be made. A level whose puzzles probably can't be made has the
# state "hardlyMade" instead.
UNMET = "notMade"
_SAMPLES = 3
# Two inks whose distance in RGB is at most this look the same to users. Each component goes from 0 to 1. The
# backgrounds of the palettes that linkpress has are either nearly equal (a distance under 0.01), or clearly
# different (0.07 or more).
_ALIKE = 0.05
_SAMPLE_ATTEMPTS = 8
# Limit on the work of each attempt to make a sample board, in units of about a microsecond.
_SAMPLE_WORK = 250_000
# If a sample board has more squares than this, its difficulty is computed only if its level asks for a
# difficulty. To compute a difficulty takes 0.08 s for a board of 15 × 15, but 25 s for 20 × 20.
_SCORED_SQUARES = 225
# SVG attributes of the lines that show the margins and the trim.
_LINES = {
    "live": 'fill="none" stroke="#0a84ff" stroke-width=".75" stroke-dasharray="4 3"',
    "trim": 'fill="none" stroke="#d00000" stroke-width=".5"',
}
# Areas that contain the other areas of a page or of the cover.
_WHOLE = (Role.MARGINS, Role.BORDER, Role.PAGE)
# Keys of the spec that don't change the small pictures of covers and themes in the studio's galleries. These
# pictures are drawn again only if another key changes.
_NOT_IN_LOOKS = ("levels", "price", "listing", "publisher", "isbn")
# Keys of texts that an edition may have of its own.
_TITLES = (("title",), ("subtitle",), ("author",))


@dataclass(frozen=True)
class BookView:
    """Book at one state of its spec and puzzles. A page is laid out only when it is drawn.

    Args:
        volume: the puzzles, with placeholders for puzzles that are not made yet.
        missing: the numbers of the puzzles that are not made yet.
        assets: the printer's profile, theme, fonts and pictures of the book.
        plan: the pages of the interior.
        printed_colours: True to draw the colours as they look in print, False to draw them as the spec gives
            them.
    """

    volume: Volume
    missing: frozenset[int]
    assets: BookAssets
    plan: Book
    printed_colours: bool = True
    key: str = field(default_factory=lambda: secrets.token_hex(6))
    """Cache key. The browser may reuse a drawing of any view with the same key."""
    text_key: str = field(default_factory=lambda: secrets.token_hex(6))
    """Key of the text of the spec. Views of the same text have the same key, but perhaps other puzzles."""
    _edition_views: dict[str, BookView] = field(default_factory=dict)

    @property
    def spec(self) -> BookSpec:
        return self.volume.spec

    def facts(self) -> dict[str, Any]:
        """Return facts about the laid-out book that the browser needs before it requests drawings.

        Examples are ``width`` and ``height``, which are the size of a page in points, ``count``, which is the
        number of pages, and ``waiting``, which lists the numbers of the puzzles that are not made yet.
        """
        trim = self.plan.setting.trim
        values = {key: each for key, each in self.spec.source.value.items() if key not in _NOT_IN_LOOKS}
        return {
            "key": self.key,
            "look": hashlib.sha256(repr(values).encode()).hexdigest()[:12],
            "count": self.plan.page_count,
            "width": trim.width_pt,
            "height": trim.height_pt,
            "places": dict(self.plan.index),
            "starts": self._starts(),
            "first_boards": self._first_boards(),
            "waiting": sorted(self.missing),
            "offers": offers_html(ink=[ink.hex for ink in self.assets.theme.numbers.palette]),
            "inks": dict(self._setting_inks()),
            "cover": self.spec.cover is not None,
            "coloured": self.plan.coloured,
            "screen": len(self.screen_pages) if self.spec.screen is not None else 0,
        }

    def palettes(self) -> dict[str, list[str]]:
        """Map the name of each cover design to one colour for each palette.

        These colours differ visibly, so that users can tell the palettes apart.
        """
        named = self.spec.cover and self.spec.cover.design
        inks = palette_inks(self.spec.resolve(named) if named else None)
        return {name: [self._hex(ink) for ink in each] for name, each in inks.items()}

    @cached_property
    def tiles(self) -> list[dict[str, Any]]:
        """Return facts about the small picture of each page, one mapping for each page.

        ``part`` is the entry in the studio's list of parts to which the page belongs. ``first`` tells whether
        the page is the first one of this part. ``waits`` tells whether the picture depends on a puzzle that
        is not made yet. ``of`` is a cache key for the picture.

        During a build, the cache key of a page changes when the last of the puzzles that the page shows is
        made. Puzzles that are made later change it only if they change the order of the puzzles in the book,
        so that the page shows other puzzles.
        """
        shown: list[list[int]] = [[] for _ in range(self.plan.page_count)]
        for number in range(1, len(self.volume.puzzles) + 1):
            for place in (puzzle_place(number), solution_place(number)):
                if page := self.plan.index.get(place):
                    shown[page - 1].append(number)
        # A list and its first entry may begin on the same page. Then the page belongs to the entry, so sort
        # the entry (whose key contains a slash) after its list.
        starts = sorted(self._starts().items(), key=lambda each: (each[1], "/" in each[0]))
        first_pages = [start for _, start in starts]
        tiles = []
        for page, numbers in enumerate(shown, 1):
            # A page that shows puzzles or answers must be drawn again when the last of these puzzles is made.
            # A page without puzzles may state facts about all puzzles of the book, so it must be drawn again
            # when the last puzzle of the book is made. ``waits`` is True as long as any puzzle on which the
            # page depends is missing. It is a part of the page's cache key, so the key changes when the last
            # missing puzzle is made.
            waits = not self.missing.isdisjoint(numbers) if numbers else bool(self.missing)
            drawn = "" if waits else "".join(self.volume.puzzles[each - 1].fingerprint for each in numbers)
            key = hashlib.sha256(f"{self.text_key} {waits} {drawn}".encode()).hexdigest()[:12]
            part, start = starts[bisect(first_pages, page) - 1]
            tiles.append({"of": key, "waits": waits and bool(numbers), "part": part, "first": start == page})
        return tiles

    def _starts(self) -> dict[str, int]:
        """Return the number of the first page of each part in the studio's list of parts.

        Parts that have no pages in the book are left out.
        """
        starts = {"opening": 1}
        for part, numbers in self.plan.parts:
            for place, page in part.places(numbers).items():
                name, _, index = place.partition("-")
                if not index.isdigit():
                    key = {"solutions": "solutions", "notes": "notes_pages"}.get(place)
                    found = [part_of((key,) if key else ("parts", place.replace("-", "_")))]
                elif name == "level":
                    found = [f"levels/{index}"]
                else:
                    found = {"front": [f"front/{index}"], "back": [f"back/{index}", "end"]}.get(name, [])
                starts |= {each: min(page, starts.get(each, page)) for each in found}
        return starts

    def _first_boards(self) -> dict[str, int]:
        """Map each level in the list of parts to the page of its first puzzle."""
        levels = [level.name for level in self.spec.levels]
        pages: dict[str, int] = {}
        for number, record in enumerate(self.volume.puzzles, 1):
            page = self.plan.index[puzzle_place(number)]
            pages.setdefault(f"levels/{levels.index(record.level)}", page)
        return pages

    def where(self, key: KeyPath) -> tuple[str, int, list[Region]]:
        """Return the first place in the book where a key has an effect.

        If no area of a page belongs to the key or to a key inside it, return the place of the nearest key
        above it that has an area.

        Returns:
            ``page`` or ``cover``, the page number, and the areas on it. The page number of the cover is 0. If
            there is no such place, the first value is empty.

        Raises:
            LinkpressError: a page or the cover can't be laid out.
        """
        if key[:1] == ("cover",):
            drawn = [("cover", 0, self.regions("cover", 0))] if self.spec.cover else []
        else:
            drawn = [("page", index + 1, self.plan.pages[index].regions) for index in self.plan.pages.sample]
        # A level without a title is printed with its name. Areas that show this name have the key ``name``,
        # so look for ``name`` and not for ``title``.
        asked = (*key[:2], "name") if key[:1] == ("levels",) and key[2:] == ("title",) else key

        def rank(region: Region) -> tuple[int, bool, bool]:
            """Return a rank for a region of a page. The region with the smallest rank is shown to the user.

            The first value of the rank says how many steps the region's key is away from the key that was
            asked for. The other values decide between regions with the same distance. There, False is better
            than True.
            """
            count = len(region.key)
            above = len(asked) - count if region.key == asked[:count] else 0
            distance = 1 + above if above else int(region.key != asked)
            # Several pages may show the same key. The title of a level, for example, is also printed in the
            # table of contents, so prefer the pages that belong to the level. Other keys, such as the size of
            # a level's boards, have their effect on the boards. So prefer a page with boards to the page that
            # opens the level.
            is_elsewhere = region.part != key[: len(region.part)]
            return distance, is_elsewhere, region.role is not Role.BOARD

        found = [
            (rank(region), number, what, region)
            for what, number, regions in drawn
            for region in regions
            if asked[: len(region.key)] == region.key[: len(asked)]
        ]
        if not found:
            return "", 0, []
        best, number, what, _ = min(found, key=lambda each: each[:2])
        return what, number, [region for each, at, _, region in found if (each, at) == (best, number)]

    def regions(self, what: str, number: int) -> Sequence[Region]:
        """Return the areas of a page or of the cover. ``page_html`` explains the arguments and errors."""
        return self._drawn(what, number)[1]

    def _drawn(self, what: str, number: int) -> tuple[Frame, Sequence[Region]]:
        if what == "cover":
            return self.cover.frame, self.cover.regions
        pages: Sequence[Page] = self.screen_pages if what == "screen" else self.plan.pages
        if not 1 <= number <= len(pages):
            raise UsageError(f"the {'tablet edition' if what == 'screen' else 'book'} has {len(pages)} pages")
        page = pages[number - 1]
        return self._with_empty_grids(page.frame), page.regions

    def _with_empty_grids(self, frame: Frame) -> Frame:
        """Return a page without the numbers, solid squares and answers of puzzles that are not made yet.

        Their placeholders would show boards that the book never has, so only the grids stay.
        """

        def without_puzzle(item: Item) -> Item:
            if not isinstance(item, Placed) or item.name not in self._missing_places:
                return item
            lines = (
                each
                for each in item.frame.items
                if isinstance(each, Lines) or (isinstance(each, Polyline) and each.closed)
            )
            grid = replace(item.frame, items=tuple(lines))
            return replace(item, name=f"{item.name}-grid", frame=grid)

        return replace(frame, items=tuple(map(without_puzzle, frame.items))) if self.missing else frame

    @cached_property
    def _missing_places(self) -> frozenset[str]:
        return frozenset(place(each) for each in self.missing for place in (puzzle_place, solution_place))

    @cached_property
    def cover(self) -> ComposedCover:
        """The laid-out cover of the book.

        A picture on the cover is drawn even if it has too few pixels for printing, so that the user can see
        how it looks.
        """
        from linkpress.press.composed_cover import compose_cover
        from linkpress.press.cover_content import cover_content

        profile = self.assets.profile
        limits, rules = profile.limits.model_copy(update={"image_dpi": 1}), profile.cover
        any_picture = {"limits": limits, "cover": rules and rules.model_copy(update={"image_dpi": None})}
        content = cover_content(self.volume, self.assets, self.plan.page_count, self.assets.cover_pictures)
        return compose_cover(replace(content, profile=profile.model_copy(update=any_picture)))

    def editions(self) -> Iterator[tuple[str, BookSpec, str]]:
        """Yield the other editions of the book.

        Yields:
            For each edition, its name, its spec, and a note that says how many of its texts are not
            translated yet.
        """
        for name, document in self._editions.items():
            if spec := drawable_spec(document):
                count = len(untranslated_keys(self.spec, spec, {}))
                language = self.spec.wording().english_name
                left = say("textsLeft" if count > 1 else "textLeft", count=count, language=language)
                yield name, spec, left if count else ""

    @cached_property
    def _editions(self) -> dict[str, Document[BookSpec]]:
        return edition_documents(self.spec)

    def edition(self, name: str) -> BookView:
        """Return another edition of the book, with the same puzzles.

        Raises:
            UsageError: the book has no such edition.
            LinkpressError: the edition has problems, or can't be laid out.
        """
        if name not in self._edition_views:
            if name not in self._editions:
                raise UsageError(f"the book has no edition {name}")
            document = self._editions[name]
            volume = volume_of(
                drawable_spec(document) or document.checked(), self.volume.puzzles, __version__
            )
            view = view_of(volume, self.missing)
            self._edition_views[name] = replace(view, text_key=self.text_key)
        return self._edition_views[name]

    def ebook_html(self) -> str:
        """Return all chapters of the e-book as one web page.

        Raises:
            LinkpressError: the e-book or its cover can't be made.
        """
        from linkpress.ebook import single_page
        from linkpress.press.print_files import as_ebook
        from linkpress.render.pdf import About

        front = self._front(self.spec, self.assets) if self.spec.cover else None
        return single_page(as_ebook(self.plan, self.assets, About(), front))

    def play_page(self) -> str:
        """Return the web page on which the whole book can be played, without hints."""
        from linkpress.app.build import volume_page
        from linkpress.production.executors import local_workers

        play = (self.spec.play or PlaySpec.model_construct()).model_copy(update={"hints": False})
        spec = self.spec.model_copy(update={"play": play})
        return volume_page(replace(self.volume, spec=spec), self.assets.theme, local_workers(1))

    def _setting_inks(self) -> Iterator[tuple[str, str]]:
        """Yield each key of the spec that sets the colour of an ink, with the present colour of this ink."""
        from linkpress.press.cover_content import cover_content

        theme = self.assets.theme
        # If the theme doesn't set this key, the grids of the answers have the ink of the other grids. If it
        # sets the key, the loop below yields the key a second time, with the ink that the theme sets. Callers
        # use the last ink of each key.
        yield "theme.solutions.grid_ink", theme.grid.ink.hex
        for key, ink in theme.inks:
            if "[" not in key:
                yield f"theme.{key}", ink.hex
        yield "theme.solutions.inks", theme.solutions.path_inks[0].hex
        content = cover_content(self.volume, self.assets, self.plan.page_count, self.assets.cover_pictures)
        for key, ink in (("background", content.ground), ("accent", content.accent)):
            yield f"cover.{key}", ink.hex
            yield f"theme.cover.{key}", (getattr(theme.cover, key) or ink).hex

    def page_html(
        self,
        what: str,
        number: int,
        *,
        place: str = "",
        edition: str = "",
        values: Mapping[str, Any] | None = None,
        marks: bool = False,
    ) -> str:
        """Draw a page or the flat cover as SVG, followed by HTML buttons over parts of it.

        A click on such a button opens the settings of the part of the page, such as a board, that it covers.

        Args:
            what: ``page`` for a page of the interior, ``screen`` for a page of the tablet edition, or
                ``cover``.
            number: the page number; ignored for the cover.
            place: the identifier of the HTML element that shows the page. The identifiers of the buttons
                begin with this identifier.
            edition: the name of the edition that this view shows; empty for the book itself.
            values: the values of the spec, as returned by ``SpecFile.state``.
            marks: whether to draw the lines of the margins, the trim and the bleed on a page of the interior.
        Raises:
            UsageError: there is no such page.
            LinkpressError: the page or the cover can't be laid out.
        """
        frame, regions = self._drawn(what, number)
        view = replace(self, printed_colours=False) if what == "screen" else self
        width, height = frame.width_pt, frame.height_pt
        box: Rect = (0.0, 0.0, width, height)
        lines: list[tuple[str, Rect]] = []
        if marks and what == "page":
            box, lines = self._marks(number, box)
        drawn = "".join(
            f'<rect class="{name}" {_LINES[name]} x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}"/>'
            for name, (x, y, wide, high) in lines
        )
        label = say("coverFlat" if what == "cover" else "page", number=number)
        language, (left, top, wide, high) = self.assets.measure.language, box
        svg = draw_svg(frame, faces=self.assets.faces, language=language, hex_of=view._hex)
        svg = re.sub(r'viewBox="[^"]*"', f'viewBox="{left:g} {top:g} {wide:g} {high:g}"', svg, count=1)
        svg = _named(svg, label).replace("</svg>", f"{drawn}</svg>")
        grids = {item.name: item.box for item in frame.items if isinstance(item, Placed)}
        buttons = []
        for index, region in enumerate(regions):
            x, y, w, h = region.box
            # The y of a region is measured upward from the bottom of the page. In the SVG, and in the HTML
            # buttons that cover it, positions are measured downward from the top.
            area = (x - left) / wide, (height - y - h - top) / high, w / wide, h / high
            hatch = self._hatch(region, grids)
            spot = self._spot(region, f"{place}-{index}", area, index + 1, edition, values or {}, hatch)
            # Sort the buttons, so that the Tab key first reaches the button of the whole page, and then the
            # buttons of its content in reading order.
            order = (index,) if region.role in _WHOLE else (len(regions), round(-y - h), x)
            buttons.append((order, spot))
        front = 0.97 * self.plan.trim.width_pt / wide
        return svg + "".join(spot for _, spot in sorted(buttons)) + drops_html(front) * (what == "cover")

    def _marks(self, number: int, box: Rect) -> tuple[Rect, list[tuple[str, Rect]]]:
        """Return the area of a page to draw, and the lines that show the margins and the trim on it.

        Args:
            number: the page number.
            box: left, top, width and height of the page.
        Returns:
            Two values. The first is the area to draw: the page, together with its bleed if the book has
            bleed. The second is a list of rectangles whose sides are drawn as lines: the page without its
            margins and, if the book has bleed, the page after trimming. Each rectangle comes with a key of
            ``_LINES``, which gives the look of its lines.
        """
        (_, _, width, height), margins = box, self.plan.setting.margins
        sides = [margins.inside_pt, margins.outside_pt][:: 1 if number % 2 else -1]
        live = sides[0], margins.top_pt, width - sum(sides), height - margins.top_pt - margins.bottom_pt
        if not self.spec.page.bleed:
            return box, [("live", live)]
        bleed = self.assets.profile.bleed_of(True)
        left, right = (0.0, bleed.right_pt) if number % 2 else (bleed.left_pt, 0.0)
        shown = -left, -bleed.top_pt, width + left + right, height + bleed.top_pt + bleed.bottom_pt
        return shown, [("live", live), ("trim", box)]

    def _spot(
        self,
        region: Region,
        name: str,
        area: Sequence[float],
        layer: int,
        edition: str,
        values: Mapping[str, Any],
        inner: str,
    ) -> str:
        """Return a transparent HTML button that covers an area of a page.

        Args:
            region: the area.
            name: the identifier of the button.
            area: left, top, width and height of the area, as fractions of the page.
            layer: the position in the stack of buttons. Where buttons overlap, the highest one is clicked.
            edition: the name of the edition that is shown; empty for the book itself.
            values: the values of the spec.
            inner: HTML in the button.
        """
        # If the user edits the printed name of a level, change the level's title and not its name, because a
        # new name would give the level new puzzles.
        key = tuple("title" if step == "name" else step for step in region.key)
        own = ("editions", edition, *key)
        is_own = bool(edition) and (key in _TITLES or value_at(values, own) is not None)
        text = value_at(values, own) or value_at(values, key) or value_at(values, region.key) or ""
        is_text = key in _TITLES or (len(key) > 2 and key[2] in ("title", "text"))
        number, is_board, is_whole = region.puzzle, region.role is Role.BOARD, region.role in _WHOLE
        is_edited = is_text and not is_whole and is_own == bool(edition) and isinstance(text, str)
        left, top, width, height = (f"{100 * share:.3f}%" for share in area)
        box = f"--left: {left}; top: {top}; width: {width}; height: {height}; z-index: {layer}"
        label, bar = path_label(region.key), ""
        if number is not None:
            label = say("puzzle" if is_board else "answerOf", number=number)
            is_swapped = number in (self.spec.replace or {})
            bar = puzzle_bar(number, label, is_board=is_board, is_swapped=is_swapped)
            bar = tag("div.spot-bar", bar, data_box=box)
        classes = {
            "whole": is_whole,
            "waiting": is_board and number in self.missing,
            "answer": number is not None and not is_board,
        }
        return tag(
            "button.spot" + "".join(f".{each}" for each, is_so in classes.items() if is_so),
            inner,
            id=name,
            data_key=json.dumps(own if is_own else key, separators=(",", ":")),
            data_part="editions" if is_own else part_of(key, part_of(region.part)),
            data_puzzle=number,
            data_bar=bar or None,
            # The text to edit when the user clicks on this area. A new page has a sample text, which the user
            # is meant to replace. So for such a page, the text to edit is empty.
            data_text=text.strip().removeprefix(say("ownText")) if is_edited else None,
            data_box=box,
            draggable="true" if is_board and number is not None else None,
            aria_label=label,
        )

    def _hatch(self, region: Region, grids: Mapping[str, Rect]) -> str:
        """Return HTML with hatched squares that covers the grid of a puzzle that is not made yet.

        The style sheet shows the hatched squares only if the puzzle's level can't be made. The result is
        empty for an area of a page without a puzzle.

        Args:
            region: an area of a page.
            grids: the boxes of the drawings on the page, by their names. The grid of a puzzle that is not
                made yet has a name such as ``puzzle-7-grid``.
        """
        number, (left, bottom, width, height) = region.puzzle, region.box
        box = grids.get(f"{puzzle_place(number)}-grid") if number and region.role is Role.BOARD else None
        if number is None or box is None:
            return ""
        x, y, wide, high = box
        shares = {
            "left": (x - left) / width,
            "top": (bottom + height - y - high) / height,
            "width": wide / width,
            "height": high / height,
        }
        place = "; ".join(f"{side}: {100 * share:.3f}%" for side, share in shares.items())
        grid = self.volume.puzzles[number - 1].puzzle.grid
        words = tag("span", say("puzzleNotMade", number=number))
        return tag(
            "span.hatch", hatched_svg(grid.rows, grid.cols, 2), words, data_box=place, aria_hidden="true"
        )

    def thumbnail_svg(self, number: int) -> str:
        """Draw a small picture of a page of the interior, as SVG.

        The browser shows the SVG in an ``img`` element, where it can't load fonts. So letters are drawn as
        shapes.

        Raises:
            UsageError: there is no such page.
            LayoutError: the page can't be laid out.
        """
        return draw_svg(
            self._drawn("page", number)[0], faces=self.assets.faces, outlined=True, hex_of=self._hex
        )

    def design_svg(self, palette: str | None, name: str) -> str:
        """Draw the front of the cover in one of the designs that are shipped with linkpress.

        If the publisher's picture can't be printed, the cover is drawn without it.

        Args:
            palette: the number of a palette of the design, as text; None for the usual palette.
            name: the name of the design; empty for a cover without a design.
        """
        number = int(palette or 0) or None
        try:
            return self._design_svg(self.spec, name, number)
        except LinkpressError:
            if not (spec := self._without_picture()):
                raise
            return self._design_svg(spec, name, number)

    def _design_svg(self, spec: BookSpec, name: str, palette: int | None) -> str:
        spec, assets, pictures = in_design(spec, name or None, palette)
        front = self._front(spec, assets, pictures)
        return draw_svg(front, faces=assets.faces, outlined=True, hex_of=self._hex)

    def _without_picture(self) -> BookSpec | None:
        """Return the spec without the publisher's picture on the cover; None if there is no picture."""
        cover = self.spec.cover
        if cover is None or not (cover.image or cover.front):
            return None
        return self.spec.model_copy(update={"cover": cover.model_copy(update={"image": None, "front": None})})

    @cached_property
    def front_svg(self) -> str:
        """The front of the cover. If the publisher's picture can't be printed, it is left out.

        Raises:
            LinkpressError: the cover can't be drawn.
        """
        try:
            front = self._front(self.spec, self.assets)
        except LinkpressError:
            spec, cover = self._without_picture(), self.spec.cover
            if spec is None or cover is None:
                raise
            return self._design_svg(spec, cover.design or "", cover.palette)
        return draw_svg(front, faces=self.assets.faces, outlined=True, hex_of=self._hex)

    def _front(self, spec: BookSpec, assets: BookAssets, pictures: Pictures | None = None) -> Frame:
        from linkpress.press.composed_cover import compose_front
        from linkpress.press.cover_content import cover_content

        shown = assets.cover_pictures if pictures is None else pictures
        return compose_front(
            cover_content(replace(self.volume, spec=spec), assets, self.plan.page_count, shown)
        )

    def theme_svg(self, name: str) -> str:
        """Draw the book's first puzzle and its answer in another theme, on the colour of the book's paper.

        The answer is below the puzzle. If the theme has colours, only the answer is drawn.
        """
        record, measure = self.volume.puzzles[0], self.assets.measure
        theme = load_theme(name).with_shapes(self.assets.theme.shapes)
        paper = self.spec.page.paper or self.assets.profile.default_paper
        drawn, top_pt = "", 0.0
        for solution in (record.solution,) if theme.has_colours else (None, record.solution):
            board = board_frame(record.puzzle, solution, _CELL_PT, theme, measure)
            svg = draw_svg(
                board, prefix=f"at{top_pt:g}-", faces=self.assets.faces, outlined=True, hex_of=self._hex
            )
            drawn += re.sub(r'(width|height)="([\d.]+)pt"', r'\1="\2"', svg, count=2).replace(
                "<svg ", f'<svg y="{top_pt:g}" ', 1
            )
            top_pt += board.height_pt + _CELL_PT / 2
        edge = _CELL_PT / 2
        width, height = board.width_pt + 2 * edge, top_pt + edge
        ground = _CREAM if paper == "cream" and not theme.has_colours else "#fff"
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-edge:g} {-edge:g} {width:g} {height:g}">'
            f'<rect fill="{ground}" x="{-edge:g}" y="{-edge:g}" width="{width:g}" height="{height:g}"/>'
            f"{drawn}</svg>"
        )

    def page_in_theme_svg(self, name: str) -> str:
        """Draw the first page with puzzles as it looks in a theme.

        Args:
            name: the name of the theme; empty for the book's own theme.
        Raises:
            LinkpressError: the book can't be laid out in this theme.
        """
        view = self
        if name:
            own = self.spec.theme
            theme = name if isinstance(own, str) else own.model_copy(update={"base": name})
            spec = self.spec.model_copy(update={"theme": theme})
            view = view_of(replace(self.volume, spec=spec), self.missing)
        return view.thumbnail_svg(view.plan.index[puzzle_place(1)])

    @cached_property
    def screen_pages(self) -> Sequence[Page]:
        """The pages of the tablet edition."""
        from linkpress.press.book_layout import lay_out_screen

        assets = self.assets
        return lay_out_screen(self.volume, assets, "", assets.pictures, assets.cover_pictures).pages

    def puzzle(self, number: int) -> PuzzleRecord:
        """Return the puzzle with this printed number.

        Raises:
            UsageError: there is no such puzzle, or it is not made yet.
        """
        if not 1 <= number <= len(self.volume.puzzles):
            raise UsageError(f"the book has {len(self.volume.puzzles)} puzzles")
        if number in self.missing:
            raise UsageError(f"puzzle {number} is not made yet")
        return self.volume.puzzles[number - 1]

    def name_of(self, number: int) -> str:
        """Return the name that is printed with a puzzle; empty if the book gives its puzzles no names."""
        return self.volume.numbered[number - 1].name

    def own_fonts(self) -> list[tuple[str, OwnFont]]:
        return [
            (weight, font)
            for key, weight in _FONT_WEIGHTS.items()
            for font in self.assets.faces.files.get(key, ())
            if isinstance(font, OwnFont)
        ]

    def play_html(self, number: int) -> str:
        """Return a web page on which a puzzle can be played, with hints and its answer.

        Raises:
            UsageError: there is no puzzle with this number, or it is not made yet.
        """
        from linkpress.play.page import PlayedPuzzle, PlayPage, hint_steps, page_html

        record = self.puzzle(number)
        hints = tuple(hint_steps(record.puzzle, record.rule, record.technique))
        played = PlayedPuzzle(
            number,
            record,
            self.spec.headings[record.level],
            with_answer=True,
            hints=hints,
            name=self.name_of(number),
        )
        words = words_for(self.spec, self.assets.theme, [record.puzzle])
        title, theme = self.spec.title, self.assets.theme
        return page_html(PlayPage(f"{self.spec.book_id}-studio", title, words, theme, [played]))

    def answer_svg(self, number: int) -> str:
        """Draw a puzzle with its answer."""
        record, assets = self.puzzle(number), self.assets
        board = board_frame(record.puzzle, record.solution, _CELL_PT, assets.theme, assets.measure)
        drawn = draw_svg(board, faces=assets.faces, language=assets.measure.language, hex_of=self._hex)
        return _named(drawn, say("answerOf", number=number))

    def steps_svg(self, number: int) -> str:
        """Draw step by step how a puzzle is solved, with sentences in the language of the book."""
        from linkpress.app.puzzles import grade_puzzles, pictures_svg

        puzzle = self.puzzle(number).puzzle
        graded = next(iter(grade_puzzles([puzzle], with_steps=True)))
        drawn = pictures_svg([(puzzle, graded[2])], self.spec.wording(), self.assets.faces)
        return _named(drawn, say("stepsOf", number=number))

    def _hex(self, ink: Ink) -> str:
        if ink.is_grey or not self.printed_colours or self.assets.profile.colours is Colours.SRGB:
            return ink.hex
        from linkpress.render.raster import printed_hex

        return printed_hex(ink)


class OpenBook:
    """Book that is open in the studio.

    Args:
        path: the spec file.
        out: the folder of built books.
    Attributes:
        file: the spec file.
        unmet: maps the ``search_key`` of each search that found no puzzle to its error message.
    Raises:
        OutputError: the file can't be read.
    """

    def __init__(self, path: Path, out: Path) -> None:
        self.file = SpecFile(path, BookSpec, read_spec, good_file(path, out), self._with_puzzles_kept)
        self.unmet: dict[str, str] = {}
        self._out = out
        # number that goes up by one when a puzzle is added or replaced
        self._made_version = 0
        self._sampling = threading.Lock()
        self._is_read = False
        self.forget_puzzles()

    def forget_puzzles(self) -> None:
        """Free the memory of the puzzles and pages. They are read and laid out again when they are needed."""
        # A slot is the place for one puzzle in the plan of the book. This maps the key of each slot to the
        # line in the journal (the file of a build) that has its puzzle.
        self._lines: dict[str, dict[str, Any]] = {}
        # Maps the key of each slot (the place for one puzzle in the plan of the book) to the finished puzzle.
        self._made: dict[str, FinishedSlot] = {}
        self._arranged: tuple[object, tuple[PuzzleRecord, ...], frozenset[int]] | None = None
        self._view: BookView | None = None
        self._view_state: tuple[str, int] | None = None
        # Cache for the sample boards of levels. The key consists of the level, the seed of the book, and the
        # number of times that the user has asked for other samples.
        self._samples: dict[str, list[tuple[Solution, int | None]]] = {}
        self._is_loaded = False

    def samples(self, index: int, is_outdated: Callable[[], bool], turn: int) -> list[dict[str, str]]:
        """Return up to three sample boards of a level, each as SVG with its difficulty.

        Boards that were made before are not made again.

        Args:
            index: the index of the level.
            is_outdated: function that returns whether the boards are no longer needed.
            turn: 0 for the first samples of a level, and one more each time the user asks for other samples.
        Raises:
            LookupError: there is no level with this index, or the level can't be read.
        """
        spec, level = self._level(index)
        key = f"{level!r} {spec.seed} {turn}"
        # While boards are made, a request for the same boards in another theme waits here.
        with self._sampling:
            boards = self._samples.get(key)
            if boards is None:
                boards = list(sample_boards(level, str(spec.seed), is_outdated, turn))
            if not is_outdated():
                self._samples[key] = boards
        assets, words = load_assets(spec), spec.wording()
        return [
            {"svg": sample_svg(board.puzzle, assets), "difficulty": difficulty_word(difficulty, words)}
            for board, difficulty in boards
        ]

    def _level(self, index: int) -> tuple[BookSpec, LevelSpec]:
        """Return the spec and one of its levels. Raises ``LookupError`` if the level can't be read."""
        document = self.file.document
        if document.model is None or index not in _level_indexes(document).values():
            raise LookupError(f"there is no level {index}")
        return document.model, document.model.levels[index]

    @property
    def spec(self) -> BookSpec | None:
        """The book's spec, or None if its pages can't be drawn. See ``drawable_spec``."""
        return drawable_spec(self.file.document)

    @property
    def folder(self) -> Path | None:
        return None if self.spec is None else book_folder(self._out, self.spec)

    @property
    def built_folder(self) -> Path | None:
        return None if self.spec is None else built_folder(self.file.path, self._out, self.spec)

    @property
    def built_folders(self) -> dict[str, Path]:
        """The folders of the book's built editions by name. The book itself has an empty name."""
        folder = self.built_folder
        if folder is None or self.spec is None:
            return {}
        return {"": folder, **{name: edition_folder(folder, name) for name in self.spec.editions or {}}}

    @property
    def is_changed(self) -> bool:
        """Whether building the book again could change its files for printing.

        True if the spec was changed in a way that can affect these files, if it has problems, or if the book
        was never built.
        """
        return build_state(self.file.path, self._out, self.file.document)[0] != "built"

    def read_rough(self, *, of_free: bool | None = None) -> None:
        """Replace the user's own words for keys by linkpress's names in the text that the studio shows.

        If a spec has such words, the studio shows the text that ``linkpress fix`` would write. The file is
        not changed. Later calls do nothing, unless ``of_free`` is given.

        Args:
            of_free: the user's answer to a question about an unclear percentage. If a spec asks for 70 %
                solid squares, for example, the user may mean that 70 % of the squares are on paths. True if
                the percentage is the share of squares on paths, False if it is the share of solid squares.
                None if the user has not answered; the percentage is then read as for True.
        """
        if self._is_read and of_free is None:
            return
        self._is_read = True
        with contextlib.suppress(SpecError):
            source = plain_spec(read_yaml(self.file.path), BookSpec)
            if not source.notes:
                return
            # Import this module only when it is needed, because it loads the puzzle engine.
            from linkpress.app.fix import fix_spec

            fixed = fix_spec(self.file.path, lambda _: of_free is not False)
            refused = map(str, expand_mix(source)[1])
            # ``fix_spec`` returns a new text. Don't show it if it still has one of the problems of the key
            # ``mix``, which says how many puzzles of each difficulty are wanted.
            if set(refused).isdisjoint(fixed.problems):
                free = of_free is not False if unclear_share(source) else None
                self.file.show_plain(fixed.text, {"changes": fixed.changes, "free": free})

    def load_puzzles_of_others(self) -> tuple[int, bool]:
        """Load the puzzles that another program has made for this book.

        Returns:
            The number of new puzzles, and whether the other program is still building.
        """
        version, folder = self._made_version, self.folder
        if folder is None:
            return 0, False
        is_building = self.is_locked()
        if is_building:
            self._load_journal(folder)
        else:
            self._load_built()
        return self._made_version - version, is_building

    def _load_journal(self, folder: Path) -> None:
        for line in saved_records(folder / JOURNAL_FILE):
            self.add_puzzle(dict(line))

    def is_locked(self) -> bool:
        """Return whether a program is building this book, or making its puzzles."""
        return self.folder is not None and is_locked(self.folder)

    def add_puzzle(self, line: dict[str, Any]) -> None:
        """Add a puzzle to the book from its line in the journal, the file in which a build saves puzzles."""
        key = str(line["key"])
        self.unmet = {search: why for search, why in self.unmet.items() if not search.startswith(f"{key} ")}
        if self._lines.get(key) != line:
            self._lines[key] = line
            self._made.pop(key, None)
            self._made_version += 1

    def reload_pictures(self) -> None:
        """Make the next call of ``view`` read the pictures again, because a picture file has changed."""
        self._view_state = None

    def prepare_check(self) -> Callable[[], dict[str, Any]]:
        """Return a function that checks the current text of the spec.

        The function returns the problems of the book and the forecast of each level as JSON data. If the text
        changes before the function is called, the function still checks the old text.
        """
        document, unmet = self.file.document, dict(self.unmet)

        def check() -> dict[str, Any]:
            from linkpress.press.dry_run import dry_run

            checked = dry_run(document)
            problems = problem_facts([*checked.problems, *checked.elsewhere])
            outlook = outlook_facts(document, unmet)
            known = {problem.message for problem in checked.problems}
            for level in outlook:
                is_safe = partial(self._is_safe, level["name"], known=known)
                level["ways"] = _safe_suggestions(level["ways"], is_safe)
            if model := document.model:
                indexes = _level_indexes(document)
                problems += problem_facts(
                    model.source.problem(("levels", indexes[level["name"]]), "", level["unmet"])
                    for level in outlook
                    if level["unmet"]
                )
            return {"problems": problems, "outlook": outlook}

        return check

    def _is_safe(self, name: str, way: Mapping[str, str], known: Set[str]) -> bool:
        """Return whether a suggested change of a level causes no new problems in the book.

        A change of the board size or of the number of paths can cause problems elsewhere. For example, boards
        of another size may need more colours than the palette has. So the whole book is checked with such a
        change. All other changes count as safe, because such a check takes long.

        Args:
            name: the name of the level.
            way: the suggested change. It maps each key that changes to the key's new value.
            known: the messages of the problems that the book already has.
        """
        model = self.file.document.model
        names = [level.get("name") for level in (model.source.value.get("levels") if model else None) or ()]
        if way.keys().isdisjoint({"size", "paths"}) or name not in names:
            return True
        from linkpress.press.dry_run import dry_run

        change = Change("merge", ("levels", names.index(name)), way)
        with contextlib.suppress(RefusedError):
            return {
                problem.message for problem in dry_run(self.file.document_after(change)).problems
            } <= known
        return False

    def level_paths(self) -> dict[str, tuple[Any, ...]]:
        """Map the name of each level to the level's key path in the spec."""
        return {name: ("levels", index) for name, index in _level_indexes(self.file.document).items()}

    def outlook_after(self, change: Change) -> tuple[list[dict[str, Any]], dict[str, tuple[Any, ...]]]:
        """Forecast how difficult a level's boards would be after a change of a key of the level.

        The spec itself is not changed. The method may be called while another thread uses the book.

        Returns:
            Two values. The first is a list with the forecast as JSON data; the list is empty if no forecast
            is possible. The second maps the name of the level to its key path.

        Raises:
            RefusedError: the change is wrong.
        """
        document = self.file.document_after(change)
        levels = outlook_facts(document, self.unmet, int(change.path[1]))
        paths = dict.fromkeys((level["name"] for level in levels), change.path[:2])
        return [
            {**level, "ways": _safe_suggestions(level["ways"], lambda _: True)} for level in levels
        ], paths

    def way_board(self, index: int, keys: Mapping[str, str]) -> str:
        """Draw a board of a level as it would be after a suggested change.

        Args:
            index: the index of the level.
            keys: the suggested change, as values by their keys.
        Returns:
            The drawing as SVG; empty if no such board is found in a few attempts.
        Raises:
            LookupError: there is no level with this index, or the level can't be read.
        """
        level, view = level_after(self._level(index)[1], keys), self.view()
        # If the suggested change sets the key ``otherwise``, the level also accepts boards of other
        # difficulties than the one it asks for. So the sample board may have any difficulty.
        if "otherwise" in keys:
            level = level.model_copy(update={"difficulty": None, "technique": None})
        made = next(sample_boards(level, str(view.spec.seed), lambda: False), None)
        return sample_svg(made[0].puzzle, view.assets) if made else ""

    def _with_puzzles_kept(self, text: str) -> str:
        """Return the text of a changed spec, with corrections that make the book keep its puzzles.

        A new title would give the book new puzzles unless the spec has both keys ``seed`` and ``id``. So
        these keys are added. Also, if the change gives a puzzle another printed number, its number is
        corrected wherever the spec mentions it.
        """
        before, keys = self.file.document.model, parse_yaml(text, "").value
        if before and keys.get("title", before.title) != before.title and not {"seed", "id"} <= keys.keys():
            text = with_kept_puzzles(before, self._out, text)
        return self._with_numbers_moved(text)

    def _with_numbers_moved(self, text: str) -> str:
        """Correct the printed numbers of puzzles in the text of a changed spec, and return the new text.

        The keys ``replace`` and ``cover.puzzle`` have such numbers. The number of a puzzle changes if a level
        gets more or fewer puzzles, or if levels are added, removed or sorted. To correct the number, the
        puzzle is found by its level and by its index in the level. If it is not found, its number is removed.
        This happens if the book no longer has the puzzle. It may also happen in a level with several sizes or
        difficulties: if it gets more or fewer puzzles, some puzzles get another size or difficulty.

        The puzzles of a level are sorted by difficulty. Puzzles that are not made yet have no difficulty, so
        they count as the last ones of their level, and the finished puzzles keep their numbers. But when the
        new puzzles are made, easier ones may change the number of a finished puzzle. This can't be foreseen.
        """
        before, keys = self.file.document, parse_yaml(text, "").value
        swaps, cover = (keys[key] if isinstance(keys.get(key), dict) else {} for key in ("replace", "cover"))
        shown = cover.get("puzzle")
        if not (swaps or shown) or not before.model or not _has_plan(before):
            return text
        rest = without(text, ("replace",)) if swaps else text
        after = read_spec(self.file.path, rest)
        if not after.model or not _has_plan(after):
            return text
        old, new = ([(each.name, each.count) for each in spec.levels] for spec in (before.model, after.model))
        if old == new:
            return text
        numbers = self._planned_numbers(after.model)
        moved = {
            str(number): numbers[key]
            for key, number in self._planned_numbers(before.model).items()
            if key in numbers
        }
        kept = {moved[str(number)]: which for number, which in swaps.items() if str(number) in moved}
        if kept:
            rest = with_value(text, ("replace",), {str(number): kept[number] for number in sorted(kept)})
        if shown in moved:
            return with_value(rest, ("cover", "puzzle"), str(moved[shown]))
        return without_key(BookSpec, rest, ("cover", "puzzle")) if shown else rest

    def _planned_numbers(self, spec: BookSpec) -> dict[str, int]:
        """Map the key of each slot to the printed number of its puzzle.

        A slot is the place for one puzzle in the plan of a book. The spec's key ``replace`` is ignored, so
        the numbers are those of a book in which no puzzle is replaced by another one.
        """
        if not self._is_loaded:
            self._load_built()
        planned = spec.model_copy(update={"replace": None})
        keys = {(slot.level, slot.index): slot.key for slot in plan_slots(planned)}
        records = arrange_book(planned, lambda slots: self._fill(planned, slots, set())).records
        return {keys[record.level, record.index]: number for number, record in enumerate(records, 1)}

    def change(self, change: Change, editor: Editor, **known: Any) -> str:
        """Make one change of the spec, as ``SpecFile.change`` does.

        Returns:
            A sentence for the user if a level with finished puzzles gets more puzzles. It says that the
            puzzles of a level are sorted by difficulty, so that new puzzles may come before the finished
            ones. Otherwise, an empty text.
        """
        is_count = change.path[-1:] == ("count",)
        made, before = (self.made_counts(), self.level_counts()) if is_count else ({}, {})
        self.file.change(change, editor, **known)
        after = self.level_counts() if made else {}
        if not any(name in after and after[name][1] > before[name][1] for name in made):
            return ""
        return say("sortedAnew") + (f" {say('swapsStay')}" if self.spec and self.spec.replace else "")

    @property
    def blocker(self) -> dict[str, Any] | None:
        """The first problem that prevents a build, as JSON data; None if nothing prevents it.

        These are the problems that ``SpecFile.blocker`` finds, and levels for which a search has found no
        puzzle. A build would repeat the same search in vain.
        """
        if (blocker := self.file.blocker) or not self.unmet or self.spec is None:
            return blocker
        indexes, source = _level_indexes(self.file.document), self.spec.source
        failed = ((slot, self.unmet.get(search_key(slot))) for slot in plan_slots(self.spec))
        problems = (source.problem(("levels", indexes[slot.level]), "", why) for slot, why in failed if why)
        return next(iter(problem_facts(problems)), None)

    def slot_keys(self) -> tuple[str, ...]:
        """Return texts that identify the puzzles that the book needs; empty while the spec has problems."""
        if self.spec is None:
            return ()
        replaced = (f"{number}: {which}" for number, which in (self.spec.replace or {}).items())
        return (self.spec.book_id, *(search_key(slot) for slot in plan_slots(self.spec)), *replaced)

    def made_counts(self) -> Mapping[str, int]:
        """Return a mapping from each level's name to the number of its finished puzzles.

        This number includes the puzzles that were later replaced by others. A level without a finished
        puzzle is not in the mapping.
        """
        if self.spec is None:
            return {}
        if not self._is_loaded:
            self._load_built()
        placeholders: set[str] = set()
        spec = self.spec
        puzzles = arrange_book(spec, lambda slots: self._fill(spec, slots, placeholders))
        all_of_them = (*puzzles.records, *(finished.record for finished in puzzles.replaced.values()))
        return Counter(record.level for record in all_of_them if record.fingerprint not in placeholders)

    def level_counts(self) -> dict[str, tuple[str, int]]:
        """Return the title and the number of puzzles of each level, by the level's name.

        A puzzle that the user has replaced by another one counts as two, because both are made.
        """
        if self.spec is None:
            return {}
        # the level of each planned puzzle, in the order of the printed numbers
        levels = [slot.level for slot in plan_slots(self.spec)]
        counts = Counter(levels)
        counts.update(levels[number - 1] for number in self.spec.replace or {} if number <= len(levels))
        return {level: (self.spec.headings[level], count) for level, count in counts.items()}

    @property
    def has_view(self) -> bool:
        """Whether ``view`` can return the book, or an earlier state of it."""
        with contextlib.suppress(LinkpressError):
            return bool(self.view())
        return False

    def front_svg(self) -> str:
        """Draw the front of the cover as the last text without problems describes it."""
        return self.view().front_svg

    def view(self, edition: str = "", *, has_new_puzzles: bool = True) -> BookView:
        """Return the laid-out book that the current text of the spec describes.

        If the text has problems, return the book that the last text without problems describes. Levels whose
        puzzles can't be made are no such problem, because their pages are drawn with placeholders.

        Args:
            edition: the name of another edition to return; empty for the book itself.
            has_new_puzzles: True to lay out the book again if puzzles were made since it was last laid out.
                With False, the book is only laid out again if its text has changed.
        Raises:
            UsageError: there is no such edition, or no text without problems is known.
            LinkpressError: the book can't be laid out.
        """
        if not self._is_loaded:
            self._load_built()
        # A book is drawn even if a level can't be made: the pages of this level then have placeholders.
        document, state, last = self.file.document, (self.file.text, self._made_version), self._view_state
        if not has_new_puzzles and last and last[0] == state[0]:
            state = last
        spec = drawable_spec(document)
        if spec is None and self._view is None and not document.model:
            good = self.file.good_document()
            spec = None if good.problems else good.model
        if spec is not None and state != self._view_state:
            with contextlib.suppress(LinkpressError) if self._view else contextlib.nullcontext():
                view = view_of(*self._volume(spec))
                if self._view and last and last[0] == state[0]:
                    view = replace(view, text_key=self._view.text_key)
                self._view, self._view_state = view, state
        if self._view is None:
            raise UsageError("the book has problems. Solve them to see its pages.")
        return self._view.edition(edition) if edition else self._view

    def tile_view(self, number: int, key: str, edition: str) -> BookView:
        """Return a view that can draw the small picture of a page.

        If the view that was made last has the picture, it is returned even if more puzzles have been made
        since. To lay out the book again for each small picture would take too long during a build.

        Args:
            number: the page.
            key: the cache key of the picture, as in ``BookView.tiles``.
            edition: the name of another edition; empty for the book itself.
        Raises:
            UsageError, LinkpressError: as for ``view``.
        """
        if self._view:
            last = self._view.edition(edition) if edition else self._view
            if key in [tile["of"] for tile in last.tiles[number - 1 : number]]:
                return last
        return self.view(edition)

    def _volume(self, spec: BookSpec) -> tuple[Volume, frozenset[int]]:
        """Return the book's puzzles, and the printed numbers of those that are not made yet."""
        order = plan_slots(spec), spec.replace, self._made_version
        if self._arranged is None or self._arranged[0] != order:
            placeholders: set[str] = set()
            puzzles = arrange_book(spec, lambda slots: self._fill(spec, slots, placeholders))
            missing = frozenset(
                number
                for number, record in enumerate(puzzles.records, 1)
                if record.fingerprint in placeholders
            )
            self._arranged = order, puzzles.records, missing
        _, records, missing = self._arranged
        return volume_of(spec, records, __version__), missing

    def _fill(self, spec: BookSpec, slots: Sequence[Slot], placeholders: set[str]) -> list[FinishedSlot]:
        """Return a puzzle for each slot, which is the place for one puzzle in the plan of the book.

        If the puzzle of a slot is not made yet, the slot gets a placeholder.

        The fingerprints of the placeholders are added to the set ``placeholders``, so that the caller can
        tell them from finished puzzles.
        """
        filled = {finished.slot.number: finished for finished in self._distinct(slots)}
        empty = [slot for slot in slots if slot.number not in filled]
        for slot, record in zip(empty, stand_ins(empty), strict=True):
            placeholders.add(record.fingerprint)
            filled[slot.number] = FinishedSlot(slot, record, 0, 0.0)
        return [filled[slot.number] for slot in slots]

    def _distinct(self, slots: Sequence[Slot]) -> Iterator[FinishedSlot]:
        """Yield the slots (places for one puzzle in the plan of the book) whose puzzle is made.

        A slot is left out if an earlier slot has the same puzzle.
        """
        seen = set()
        for slot in slots:
            with contextlib.suppress(PuzzleError):
                finished = self._finished(slot)
                if finished and finished.record.fingerprint not in seen:
                    seen.add(finished.record.fingerprint)
                    yield finished

    def _finished(self, slot: Slot) -> FinishedSlot | None:
        key = slot.key
        finished, line = self._made.get(key), self._lines.get(key)
        if finished and finished.slot != slot:
            finished = None if line else replace(finished, slot=slot)
        if not finished and line:
            finished = read_journal_line(slot, line)
        if finished:
            self._made[key] = finished
        return finished

    def _load_built(self) -> None:
        """Load the puzzles of the book's journal, and of the built book.

        The book may have been built from an earlier text of the spec.
        """
        folder = self.folder
        if folder is None:
            return
        self._is_loaded = True
        self._load_journal(folder)
        built = list(built_puzzles(folder))
        for finished in built:
            self._made.setdefault(finished.slot.key, finished)
        self._made_version += bool(built)


def view_of(volume: Volume, missing: frozenset[int]) -> BookView:
    """Plan the pages of a book, and return a view that can draw them.

    Args:
        volume: the puzzles, with placeholders for puzzles that are not made yet.
        missing: the numbers of the puzzles that are not made yet.
    """
    assets = load_assets(volume.spec)
    plan = plan_pages(edition_of(volume, assets), assets.profile, assets.theme, assets.measure)
    return BookView(volume, missing, assets, plan)


def palette_inks(own: str | None) -> dict[str, list[Ink]]:
    """Map the name of each cover design to a list with one ink for each palette of the design.

    The studio shows a dot in this ink for each palette, so that the user can tell the palettes apart. For all
    palettes of a design, it is the same kind of colour:

    - usually the background colour
    - the colour of the area below the text, if two palettes have nearly the same background
    - the colour of the first line that is drawn, if two palettes also have nearly the same colour in this
      area

    Args:
        own: the design that the book names; None to return only the designs that are shipped with linkpress.
    """
    names = dict.fromkeys([*COVERS.names(), *([own] if own else [])])
    found = {}
    for name in names:
        palettes = load_named(name, COVERS, CoverDesign).palettes
        grounds, fields = [each.ground for each in palettes], [each.field or each.ground for each in palettes]
        unlike = (inks for inks in (grounds, fields) if _least_difference(inks) > _ALIKE)
        found[name] = next(unlike, [each.lines[0] for each in palettes])
    return found


def _least_difference(inks: Sequence[Ink]) -> float:
    """Return the distance in RGB between the two inks that are most similar."""
    return min((math.dist(one.rgb, other.rgb) for one, other in combinations(inks, 2)), default=1.0)


def search_key(slot: Slot) -> str:
    return f"{slot.key} {slot.effort} {slot.otherwise}"


def outlook_facts(
    document: Document[BookSpec], unmet: Mapping[str, str], only: int | None = None
) -> list[dict[str, Any]]:
    """Return the forecast of each level as JSON data.

    If a value of any level is wrong, only impossible levels get a forecast. These are levels whose boards
    can't have the required difficulty.

    Args:
        document: the content of the spec file.
        unmet: maps the ``search_key`` of each search that found no puzzle to its error message.
        only: the index of the only level to forecast; None for all levels.
    """
    model = document.model
    if model is None:
        return []
    problems = {problem.key[1]: problem for problem in document.problems if is_impossible(document, problem)}
    indexes = {name: at for name, at in _level_indexes(document).items() if only in (None, at)}
    outlook = [_impossible_facts(model, at, problems[at]) for at in indexes.values() if at in problems]
    if _has_plan(document):
        # A warning compares a level with the level before it. So if only one level is wanted, the level
        # before it is planned too.
        first = max(0, (only or 0) - 1)
        levels = model.levels[first : None if only is None else only + 1]
        table, slots = odds_table(), plan_slots(model.model_copy(update={"levels": levels}))
        titles = {level.name: level.title for level in levels if level.title}
        warnings = list(rising_warnings(slots, titles, has_keys=False, first=first + 1))
        for level in level_outlooks((slot for slot in slots if slot.level in indexes), table):
            index = indexes[level.level]
            if index not in problems:
                of_level = [warning for name, warning in warnings if name == level.level]
                wanted = parts_of(model.levels[index].difficulty)
                facts = level_facts(level, table, unmet, wanted, partial(_slots_after, model, index))
                outlook.append({**facts, "warnings": of_level})
    return sorted(outlook, key=lambda level: indexes[level["name"]])


def _level_indexes(document: Document[BookSpec]) -> dict[str, int]:
    """Map the name of each level to the level's index, except levels whose required keys can't be read."""
    levels = enumerate(getattr(document.model, "levels", ()))
    return {level.name: index for index, level in levels if {"name", "count"} <= vars(level).keys()}


def _has_plan(document: Document[BookSpec]) -> bool:
    """Return whether the puzzles of a book can be planned, which is so if all its levels can be read.

    A level can be read even if its boards can't have the required difficulty.
    """
    return len(_level_indexes(document)) == len(getattr(document.model, "levels", ())) and all(
        problem.key[:1] != ("levels",) or is_impossible(document, problem) for problem in document.problems
    )


def drawable_spec(document: Document[BookSpec]) -> BookSpec | None:
    """Return the spec of a document if its pages can be drawn, or None if they can't.

    If the only problems are levels whose boards can't have the required difficulty, the pages can be drawn
    with placeholders. With any other problem, they can't be drawn.
    """
    return document.model if all(is_impossible(document, each) for each in document.problems) else None


def _safe_suggestions(
    ways: Iterable[dict[str, Any]], is_safe: Callable[[Mapping[str, str]], bool]
) -> list[dict[str, Any]]:
    """Return the suggested changes that cause no new problems.

    If several suggested changes set another board size, only the first of these is returned.

    Args:
        ways: the suggested changes, as returned by ``_suggestions``.
        is_safe: function that gets a change, as new values by their keys. It returns whether the change
            causes no new problems.
    """
    found: list[dict[str, Any]] = []
    for way in ways:
        has_size = "size" in way["keys"] and any("size" in other["keys"] for other in found)
        if not has_size and is_safe(way["keys"]):
            found.append(way)
    return found


def _slots_after(model: BookSpec, index: int, keys: Mapping[str, str]) -> tuple[Slot, ...]:
    """Plan the puzzles of one level as if some of its keys had other values.

    Returns:
        A slot for each puzzle, with the recipe and the seed of the puzzle.
    """
    return plan_slots(model.model_copy(update={"levels": (level_after(model.levels[index], keys),)}))


def level_after(level: AnyRecipe, keys: Mapping[str, str]) -> AnyRecipe:
    """Return a copy of a level or weekday in which some keys that describe its boards have other values.

    Raises:
        InvalidError: a value is wrong.
    """
    readers = {key: reader_of(fields_of(RecipeKeys)[key]) for key in keys}
    return level.model_copy(update={key: reader.read(keys[key]) for key, reader in readers.items() if reader})


def level_facts(
    level: LevelOutlook,
    table: Sequence[Odds],
    unmet: Mapping[str, str],
    wanted: Sequence[Span],
    slots_after: Callable[[Mapping[str, str]], Sequence[Slot]],
) -> dict[str, Any]:
    """Return the forecast for a level as JSON data, with the message of a failed search if there was one.

    Args:
        level: the forecast.
        table: measurements of how often the boards of each puzzle recipe have each difficulty.
        unmet: maps the ``search_key`` of each search that found no puzzle to its error message.
        wanted: the difficulties that the level asks for; empty if it accepts every difficulty.
        slots_after: function that plans the level's puzzles as if some of its keys had other values. It
            returns a slot for each puzzle.
    """
    count = sum(map(len, level.each))
    failed = [(slot, len(alike)) for alike in level.each for slot in alike if search_key(slot) in unmet]
    # Suggest another size or number of paths only for a level with one puzzle recipe. In other levels, the
    # change would affect all recipes.
    has_one_recipe = len(level.each) == 1
    ways = [
        keys
        for slot, count in (*level.poor, *failed)
        for keys in ways_out(slot, count, table)
        if has_one_recipe or not {"size", "paths"} & set(keys)
    ]
    difficulties = _difficulties(level, wanted)
    words = []
    if difficulties:
        takes_nearest = level.each[0][0].otherwise is IfMissing.NEAREST
        is_seldom = _wanted_share(difficulties) < HARDLY_EVER
        end = ", so the nearest are taken." if takes_nearest and is_seldom else "."
        words.append(f"{_share_sentence(difficulties)}{end}")
    if level.time_s is not None:
        words.append(f"All {count} take {spoken_time(level.time_s)} to make.")
    return {
        "name": level.level,
        "words": " ".join(words),
        "difficulties": difficulties,
        "ways": _suggestions(ways, level.each[0][0].recipe, wanted, slots_after),
        "state": UNMET if failed else "hardlyMade" if level.poor else "",
        "unmet": unmet[search_key(failed[0][0])] if failed else "",
    }


def _difficulties(level: LevelOutlook, wanted: Sequence[Span]) -> list[tuple[str, float, bool]]:
    """Forecast which share of a level's boards will have each difficulty.

    Returns:
        For each difficulty, its name, the expected share of boards, and whether the level asks for this
        difficulty. The result is empty if no forecast is possible.
    """
    shares = [(difficulty_shares(alike[0].recipe), len(alike)) for alike in level.each]
    count = sum(many for _, many in shares)
    return [
        (
            name.value,
            sum(many * share[name] for share, many in shares) / count,
            not wanted or any(_overlap(name.points, points) for points in wanted),
        )
        for name in Difficulty
        if all(share for share, _ in shares)
    ]


def _wanted_share(difficulties: Sequence[tuple[str, float, bool]]) -> float:
    """Return the share of a level's boards that have one of the difficulties that the level asks for.

    ``difficulties`` is as for ``_share_sentence``.
    """
    return sum(share for _, share, is_wanted in difficulties if is_wanted)


def _share_sentence(difficulties: Sequence[tuple[str, float, bool]]) -> str:
    """Return a sentence about the share of boards that have one of a level's required difficulties.

    Args:
        difficulties: for each difficulty, its name, the share of boards that have it, and whether the level
            asks for it.
    Returns:
        The sentence without its full stop.
    """
    names = [name for name, _, is_taken in difficulties if is_taken]
    share = _wanted_share(difficulties)
    if len(names) == len(difficulties):
        return "Boards of every difficulty are taken"
    come_out = f" {'to' if len(names) > 2 else 'or'} ".join(dict.fromkeys([names[0], names[-1]]))
    if share < HARDLY_EVER:
        return f"Such boards hardly ever come out {come_out}"
    if share > 0.9:
        return f"Nearly all such boards come out {come_out}"
    if share > 2 / 3:
        return f"Most such boards come out {come_out}"
    rarity = f"1 board in {1 / share:.0f} comes out {come_out}"
    return f"Rare: {rarity}" if share < 0.02 else f"About {rarity}"


def spoken_time(seconds: float) -> str:
    """Return a time as one says it, such as ``about 14 seconds``."""
    number, unit = duration(seconds).rsplit(" ", 1)
    names = {"s": "seconds", "min": "minutes", "h": "hours", "days": "days"}
    if number == "under 1":
        return "less than a second"
    single = {"s": "a second", "min": "a minute", "h": "an hour"}
    return f"about {single[unit]}" if number == "about 1" else f"{number} {names[unit]}"


def _suggestions(
    ways: Iterable[Mapping[str, str]],
    recipe: Recipe,
    wanted: Sequence[Span],
    slots_after: Callable[[Mapping[str, str]], Sequence[Slot]],
) -> list[dict[str, Any]]:
    """Return suggested changes of a level as JSON data.

    Each has the text of its button, and sentences about its effects.

    Args:
        ways: the suggested changes. Each maps keys of the level to their new values.
        recipe: the first recipe of the level.
        wanted: the difficulties that the level asks for; empty if it accepts every difficulty.
        slots_after: function that plans the level's puzzles after a change. It returns a ``Slot``, the plan
            for a puzzle, for each of them.
    """
    found = []
    for keys in {str(keys): keys for keys in ways}.values():
        slots = slots_after(keys)
        level = next(iter(level_outlooks(slots, odds_table())))
        after = level.each[0][0].recipe
        asked = [after.difficulty] if "difficulty" in keys and after.difficulty else wanted
        words, more = _suggestion_words(keys, recipe, after, _difficulties(level, asked))
        if level.time_s is not None and "otherwise" not in keys:
            count, time = sum(map(len, level.each)), spoken_time(level.time_s)
            words += f": {time}" * ("effort" in keys)
            more.append(f"All {count} take {time} to make")
        facts = {"words": words, "more": "".join(f"{sentence}. " for sentence in more).strip()}
        look = hashlib.sha256(repr(slots[0]).encode()).hexdigest()[:12]
        if "size" in keys and after.cols == after.rows:
            # Write the size of a square board as one number, ``7`` and not ``7x7``. The buttons for the size
            # in the form write it this way too.
            keys = {**keys, "size": str(after.rows)}
        found.append({**facts, "keys": keys, "size": [after.rows, after.cols], "look": look})
    return found


def _suggestion_words(
    keys: Mapping[str, str], recipe: Recipe, after: Recipe, difficulties: Sequence[tuple[str, float, bool]]
) -> tuple[str, list[str]]:
    """Return the text of the button of a suggested change, and sentences about its effects."""
    size = f"{recipe.cols} × {recipe.rows}"
    forecast, points = forecast_of_any(recipe), recipe.difficulty
    degree = "hard" if not (forecast and points) or points.low > forecast.mean else "easy"
    share = [_share_sentence(difficulties)] if difficulties and "effort" not in keys else []
    if "otherwise" in keys:
        return f"Take the {degree}est that turn up".replace("easye", "easie"), [
            "Each comes as near to what you asked for as the search gets"
        ]
    if "difficulty" in keys and "size" not in keys:
        return f"Stay at {size} and ask for {keys['difficulty']}", [
            f"That is as {degree} as {size} gets",
            *share,
        ]
    paths = keys.get("paths", "").replace("-", " to ")
    if "size" in keys:
        with_paths = (
            [f"With {paths} pairs, {share[0][0].lower()}{share[0][1:]}"] if share and paths else share
        )
        asked = f" and ask for {keys['difficulty']}" if "difficulty" in keys else ""
        return f"Make the boards {after.cols} × {after.rows}{asked}", with_paths
    if "solids" in keys:
        least = "no" if keys["solids"] == "0" else f"fewer ({keys['solids']})"
        return f"Use {least} solid squares", share
    if paths:
        is_fewer = (
            after.pairs
            and recipe.pairs
            and after.pairs.low + after.pairs.high < recipe.pairs.low + recipe.pairs.high
        )
        return f"Use {'fewer' if is_fewer else 'more'} pairs: {paths}", share
    return "Search longer", share


def _impossible_facts(model: BookSpec, index: int, problem: Problem) -> dict[str, Any]:
    """Return JSON data about a level whose boards can't have the required difficulty.

    The data include the problem, the difficulties that its boards can have, and changes that would solve it.
    """
    level = model.levels[index]
    wanted = parts_of(level.difficulty)
    tried = [level.recipe(size, difficulty=points) for points in wanted for size in level.sizes]
    recipe = next(recipe for recipe in tried if difficulty_problem(recipe, has_paths=False))
    shares, forecast = difficulty_shares(recipe), forecast_of_any(recipe)
    usual = [name.value for name in plentiful_difficulties(recipe, has_paths=level.paths is not None)]
    likely = likely_keys(recipe)
    is_too_hard = forecast and recipe.difficulty and recipe.difficulty.low > forecast.mean
    ways = [likely]
    if recipe.difficulty and is_too_hard and "size" in likely:
        # ``likely`` is a change with which the level can probably be made. Here, it makes the boards larger,
        # perhaps too large for the page. Smaller boards are enough for an easier difficulty. So for each
        # easier difficulty, also suggest this difficulty together with a suitable board size. The hardest of
        # these difficulties comes first.
        easier = [name for name in Difficulty if name.points.high < recipe.difficulty.low]
        for name in reversed(easier):
            keys = likely_keys(replace(recipe, difficulty=name.points))
            ways.append({**keys, "difficulty": name.value} if "size" in keys else {})
    ways.append({"difficulty": usual[-1 if is_too_hard else 0]} if usual else {})
    usual_words = problem.message.partition(";")[0]
    cause = f"{usual_words[0].upper()}{usual_words[1:]}."
    listed = [*filter(None, ways), {"otherwise": IfMissing.NEAREST.value}]
    difficulties = [
        (name.value, share, any(_overlap(name.points, points) for points in wanted))
        for name, share in shares.items()
    ]
    rarity = ""
    if _wanted_share(difficulties) >= HARDLY_EVER and "size" in likely:
        # A few boards of this size have the required difficulty. So don't say that the board is too small;
        # say how rare such boards are.
        rarity = f"{_share_sentence(difficulties)}.".replace("Rare:", "Too rare:")
    return {
        "name": level.name,
        "words": rarity or _cause_words(recipe, likely, usual) or cause,
        "difficulties": difficulties,
        "ways": _suggestions(listed, recipe, wanted, partial(_slots_after, model, index)),
        "state": UNMET,
        "unmet": "",
    }


def _cause_words(recipe: Recipe, likely: Mapping[str, str], usual: Sequence[str]) -> str:
    """Return a sentence that says why boards can't have the required difficulty.

    It is empty if the cause is unknown.

    Args:
        recipe: the settings of the boards, with the required difficulty.
        likely: the changes that ``likely_keys`` suggests. The cause is the first key that has to change.
        usual: the difficulties that many of the boards have.
    """
    forecast, points, pairs = forecast_of_any(recipe), recipe.difficulty, recipe.pairs
    if forecast is None or points is None or pairs is None:
        return ""
    if "size" in likely:
        extent = "small" if forecast.mean < points.low else "large"
        names = " or ".join(name.value for name in Difficulty if _overlap(name.points, points))
        article = "An" if recipe.cols in (8, 11, 18) else "A"
        return f"{article} {recipe.cols} × {recipe.rows} board is too {extent} to be {names}."
    if "solids" in likely:
        count = str(pairs).replace("-", " to ")
        return f"Solid squares leave too little room for {count} pair{'s' * (pairs.high > 1)}."
    if "paths" in likely and usual:
        likely_pairs = [int(end) for end in likely["paths"].split("-")]
        amount = "many" if pairs.low > likely_pairs[0] else "few"
        return f"With so {amount} pairs, boards turn out {usual[-1 if forecast.mean < points.low else 0]}."
    return ""


def _overlap(some: Span, others: Span) -> bool:
    return some.low <= others.high and others.low <= some.high


def puzzle_facts(record: PuzzleRecord, words: Words) -> dict[str, Any]:
    """Return the difficulty, size and fingerprint of a puzzle as JSON data."""
    grid, points = record.puzzle.grid, record.difficulty
    return {
        "difficulty": "" if points is None else f"{difficulty_word(points, words)}, {points}",
        "size": f"{grid.cols} × {grid.rows}",
        "fingerprint": record.fingerprint,
    }


def region_facts(region: Region) -> dict[str, Any]:
    """Return the position of an area of a page, its key in the spec and further facts, as JSON data.

    The position is in points. ``part`` is the part of the book that a click on the area selects.
    """
    key, part = region.key, part_of(region.key, part_of(region.part))
    return {"area": region.box, "key": key, "part": part, "puzzle": region.puzzle, "role": region.role}


def difficulty_word(difficulty: int | None, words: Words) -> str:
    """Return the name of a difficulty that is given in points; empty for None."""
    return "" if difficulty is None else words.difficulties[name_of(difficulty)]


def sample_boards(
    level: LevelSpec, seed: str, is_outdated: Callable[[], bool], turn: int = 0
) -> Iterator[tuple[Solution, int | None]]:
    """Make up to three sample boards of a level, alternating between its first, middle and last recipe.

    Args:
        level: the level.
        seed: the seed of the book. The same seed makes the same boards.
        is_outdated: function that returns whether the boards are no longer needed, so that no more are made.
        turn: 0 for the first samples of a level, and one more each time the user asks for other samples. Each
            number gives different boards.
    """
    # Import this module only when it is needed, because it loads the puzzle engine.
    from linkpress.engine.make.generate import generate

    recipes, made_count = level.recipes(level.count), 0
    indexes = (0, len(recipes) // 2, len(recipes) - 1)
    for attempt in range(turn * _SAMPLE_ATTEMPTS, (turn + 1) * _SAMPLE_ATTEMPTS):
        if made_count == _SAMPLES or is_outdated():
            return
        recipe = recipes[indexes[attempt % len(indexes)]]
        with contextlib.suppress(RecipeError):
            is_scored = recipe.rows * recipe.cols <= _SCORED_SQUARES
            where = f"{seed}/{level.name}/sample {attempt}"
            made = generate(recipe, where, level.method, _SAMPLE_WORK, scored=is_scored)
            made_count += 1
            yield made.solution, made.grading.difficulty if made.grading else None


def _named(drawing: str, name: str) -> str:
    """Give an SVG drawing a name that screen readers read aloud, together with the texts in the drawing."""
    return drawing.replace('role="img"', f'role="group" aria-label={quoteattr(name)}', 1)


def sample_svg(puzzle: Puzzle, assets: BookAssets) -> str:
    """Draw a sample board in the style of a book."""
    frame = board_frame(puzzle, None, _CELL_PT, assets.theme, assets.measure)
    return draw_svg(frame, faces=assets.faces)
