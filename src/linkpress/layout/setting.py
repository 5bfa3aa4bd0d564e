"""Classes for the input of the page layout, and the computation of a book's margins.

An ``Edition`` is a book for print or for screens: its spec, puzzles and pictures. A ``Setting`` is everything
that all pages of the book share, such as the theme, the fonts and the margins.

Margins and page count depend on each other. A thick book needs a wider gutter, which leaves less room on each
page, so the book may need even more pages. ``settle_margins`` finds margins and a page count that are
consistent.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from linkpress.book.printing_keys import BackgroundSpec, MarginsSpec, PageSpec
from linkpress.book.spec import BookSpec
from linkpress.book.volume import NumberedPuzzle
from linkpress.documents.values import Size
from linkpress.errors import LayoutError
from linkpress.layout.boards import board_frame, shown_solids
from linkpress.layout.frame import Area, Frame, Ink, Photo, Rect, Side, cut_size
from linkpress.layout.text_flow import Measure
from linkpress.layout.theme import Theme, colours_of
from linkpress.printers import NO_BLEED, Margins, PaperInk, PrinterProfile, ProfilePart
from linkpress.puzzle.puzzle import Puzzle, Solution
from linkpress.words import Words

# Minimum type size in points of text that is meant to be read in large print, as guidelines require.
LARGE_PRINT_LEAST_PT = 16.0
BACKGROUND_KEY = "page.background.image"
DPI_SLACK = 0.5  # allowance for rounding in dpi, so that a resolution of 299.5 dpi counts as 300 dpi


@dataclass(frozen=True, slots=True)
class OwnPicture:
    """Picture that the publisher provides.

    Args:
        content: the content of an image file. If the publisher's file has more pixels than a page needs, the
            content is a reduced copy.
        pixels: the width and height of the content in pixels, after the rotation that the file asks for.
        whole: the width and height of the publisher's file in pixels, after rotation but before any
            reduction.
    """

    name: str
    content: bytes
    pixels: Size
    whole: Size


Pictures = Mapping[str, OwnPicture]  # the publisher's own pictures, by their names in the spec


@dataclass(frozen=True)
class Edition:
    """Edition of a book, ready to be laid out.

    Args:
        version: the version of linkpress, for the copyright page, or an empty string.
        build: the identifier of the build, for the copyright page, or an empty string.
        screen: whether the edition is read on a screen. Then no page stays blank, and all pages have the same
            margins.
        cover: the cover that becomes the first page of an edition for screens, or None.
        pictures: the publisher's pictures. The key is the name of a picture in the publisher's texts.
        title_inks: the inks of the title page, beginning with the ink of its text. If empty, the title page
            uses the inks of the theme.
    """

    spec: BookSpec
    puzzles: Sequence[NumberedPuzzle]
    version: str = ""
    build: str = ""
    screen: bool = False
    cover: Frame | None = None
    pictures: Pictures = field(default_factory=dict)
    title_inks: tuple[Ink, ...] = ()

    @property
    def trim(self) -> Size:
        return self.spec.page.trim.size


@dataclass(frozen=True)
class Setting:
    """Everything that all pages of a book share: edition, printer, theme, fonts, words and margins.

    Args:
        caption_widths_pt: a cache for the widths of captions on one line. Each key says whether the caption
            is of an answer, and the number of the puzzle. Settings that differ only in their margins may
            share it, because margins don't change a width.
    """

    edition: Edition
    profile: PrinterProfile
    theme: Theme
    measure: Measure
    words: Words
    margins: Margins
    caption_widths_pt: dict[tuple[bool, int], float] = field(default_factory=dict, compare=False, repr=False)

    @property
    def spec(self) -> BookSpec:
        return self.edition.spec

    @property
    def page(self) -> PageSpec:
        return self.edition.spec.page

    @property
    def trim(self) -> Size:
        return self.edition.trim

    @property
    def min_text_pt(self) -> float:
        """Return the minimum type size, in points, of text that is meant to be read.

        This is the printer's minimum. In large print it is at least 16 pt.
        """
        least = self.profile.limits.text_pt
        return max(least, LARGE_PRINT_LEAST_PT) if self.page.large_print else least

    @property
    def allows_small_answers(self) -> bool:
        """Return whether the numbers on answers may be printed smaller than large print usually requires.

        This is allowed if the spec sets how many answers are on a page. Small numbers may then be necessary.
        """
        return self.spec.solutions.per_page != "auto"

    @cached_property
    def has_solids(self) -> bool:
        return any(shown_solids(shown.record.puzzle.grid, self.theme) for shown in self.edition.puzzles)

    def board_in_words(
        self, puzzle: Puzzle, solution: Solution | None, number: int | None = None, title: str = ""
    ) -> str:
        """Describe a board for readers who can't see it. ``Words.board_in_words`` explains the arguments."""
        colours = colours_of(puzzle, self.words, self.theme.numbers)
        return self.words.board_in_words(puzzle, solution, number, colours, title)

    def board(self, puzzle: Puzzle, solution: Solution | None, cell_pt: float) -> Frame:
        is_small = solution is not None and self.allows_small_answers
        least_pt = self.profile.limits.text_pt if is_small else self.min_text_pt
        return board_frame(puzzle, solution, cell_pt, self.theme, self.measure, least_pt)


# Checking pictures


def reduced_lines(pictures: Iterable[OwnPicture]) -> Iterator[str]:
    """Yield a line for the build report about each picture that was reduced to fewer pixels."""
    for picture in pictures:
        if picture.pixels != picture.whole:
            sizes = picture.whole, picture.pixels
            whole, now = (f"{size.width_pt:,.0f} × {size.height_pt:,.0f}" for size in sizes)
            about = f"{picture.name} has {whole} pixels, more than a page needs"
            yield f"{'picture':<15}{about}: it is drawn with {now}"


def resolution_of(picture: OwnPicture, box: Rect) -> float:
    """Return the resolution, in dots per inch, of a picture that is cropped so that it fills a box.

    The box is measured in points.
    """
    return cut_size(picture.pixels, box[2] / box[3]).width_pt / box[2] * 72


def check_resolution(picture: OwnPicture, box: Rect, least: int, key: str, where: str) -> None:
    """Check that a picture has a minimum resolution when it fills its box.

    Args:
        box: the rectangle that the picture fills, in points.
        least: the minimum resolution in dots per inch.
        key: the picture's key in the spec, for error messages.
        where: the printed place for error messages, such as ``on the page with its bleed``.
    Raises:
        LayoutError: the picture has too few pixels. The message says how many it needs.
    """
    if resolution_of(picture, box) < least - DPI_SLACK:
        wide, high = picture.pixels
        is_narrow = wide / high <= box[2] / box[3]
        given, needed_pt = (wide, box[2]) if is_narrow else (high, box[3])
        raise LayoutError(
            f"{picture.name} is too small to print sharply {where}: {given:g} dots "
            f"{'wide' if is_narrow else 'high'}, {math.ceil(least * (needed_pt / 72))} are needed.",
            key,
        )


def is_printed_grey(page: PageSpec, profile: PrinterProfile) -> bool:
    return profile.paper(page.paper).ink is PaperInk.BLACK


def background_photo(
    background: BackgroundSpec, page: PageSpec, pictures: Pictures, profile: PrinterProfile, recto: bool
) -> Photo:
    """Return the picture that covers the background of a page including its bleed.

    Raises:
        LayoutError: the picture has too few pixels.
    """
    trim, bleed = page.trim.size, profile.bleed_of(recto) if page.bleed else NO_BLEED
    width = bleed.left_pt + trim.width_pt + bleed.right_pt
    box = (-bleed.left_pt, -bleed.bottom_pt, width, bleed.bottom_pt + trim.height_pt + bleed.top_pt)
    picture = pictures[background.image]
    check_resolution(picture, box, profile.limits.image_dpi, BACKGROUND_KEY, "on the page with its bleed")
    return Photo(box, picture.content, is_printed_grey(page, profile), float(background.strength))


# The default margin is this fraction of the trim's shorter side, but never less than ``HOUSE_LEAST_PT`` or
# more than ``HOUSE_MOST_PT``. The smallest margins that printers allow look cramped.
HOUSE_MARGIN = 0.075
HOUSE_LEAST_PT = 22.0
HOUSE_MOST_PT = 46.0
# A thick book doesn't open flat, so its gutter grows by 1/32 in for every 50 pages, by at most 1/4 in.
THICK_PAGES, THICK_PT, THICKEST_PT = 50, 2.25, 18.0


def book_margins(
    profile: PrinterProfile,
    trim: Size,
    page_count: int,
    bleed: bool,
    lay_flat: bool = False,
    in_spec: MarginsSpec | None = None,
) -> Margins:
    """Return a book's margins: the margins in the spec, or else the default margins.

    Default margins are never smaller than the printer allows.

    Args:
        page_count: the number of pages of the book, or 1 if it isn't known yet.
        bleed: whether the book has bleed. Some printers require wider margins for books with bleed.
        lay_flat: whether the book opens flat. Then both sides of a page get the same margin.
        in_spec: the margins that the spec sets.
    Raises:
        LayoutError: a margin in the spec is smaller than the printer allows.
    """
    least = profile.margins(page_count, bleed)
    house = min(max(HOUSE_MARGIN * min(trim), HOUSE_LEAST_PT), HOUSE_MOST_PT)
    thick = min(page_count // THICK_PAGES * THICK_PT, THICKEST_PT)
    inside, outside = max(house + thick, least.inside_pt), max(house, least.outside_pt)
    if lay_flat:
        inside = outside = max(inside, outside)
    margins = Margins(inside, outside, max(house, least.top_pt), max(house, least.bottom_pt))
    given = {f"{key}_pt": length for key, length in in_spec or () if length is not None}
    for name, length in given.items():
        if length < getattr(least, name) - 0.01:
            # A count of 1 means that the page count isn't known yet, so the message omits it.
            thickness = f" with {page_count} pages" if page_count > 1 else ""
            raise LayoutError(
                f"{length / 72:.3f} in, and {profile.name} asks for {getattr(least, name) / 72:.3f} in "
                f"or more{thickness} ({profile.source_of(ProfilePart.MARGINS)}).",
                f"page.margins.{name.removesuffix('_pt')}",
            )
    return replace(margins, **given)


def settle_margins(
    margins_for: Callable[[int], Margins], count_pages: Callable[[Margins], int]
) -> tuple[Margins, int]:
    """Find margins and a page count that are consistent with each other.

    Printers require a wider inside margin (gutter) for thicker books, and a wider inside margin can add
    pages. So both are computed in turn until the inside margin is wide enough for the page count. It never
    shrinks. A printer profile has a finite number of inside margins, so the search ends.

    If the last page count would also allow a narrower inside margin, the wider margin is kept, because the
    printer accepts it for both page counts.

    Args:
        margins_for: a function that takes a page count and returns the margins of the book.
        count_pages: a function that takes margins and returns the page count of the book.
    """
    margins = margins_for(1)
    while True:
        pages = count_pages(margins)
        needed = margins_for(pages)
        if needed.inside_pt <= margins.inside_pt:
            outside_pt = max(needed.outside_pt, margins.outside_pt)
            return replace(needed, inside_pt=margins.inside_pt, outside_pt=outside_pt), pages
        margins = needed


def live_area(trim: Size, margins: Margins, side: Side) -> Area:
    """Return the rectangle inside the margins of a page. The inside margin is the one at the spine."""
    left = margins.inside_pt if side is Side.RECTO else margins.outside_pt
    width = trim.width_pt - margins.inside_pt - margins.outside_pt
    return Area(left, margins.bottom_pt, width, trim.height_pt - margins.top_pt - margins.bottom_pt)
