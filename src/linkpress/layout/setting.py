"""Input of the layout: an edition of a book with its pictures, and the settings that all its pages share."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from linkpress.book.printing_keys import BackgroundSpec, PageSpec
from linkpress.book.spec import BookSpec
from linkpress.book.volume import NumberedPuzzle
from linkpress.documents.values import Size
from linkpress.errors import LayoutError
from linkpress.layout.boards import board_frame, shown_solids
from linkpress.layout.frame import Frame, Ink, Photo, Rect, cut_size
from linkpress.layout.measure import Measure
from linkpress.layout.theme import Theme, colours_of
from linkpress.printers import NO_BLEED, Margins, PaperInk, PrinterProfile
from linkpress.puzzle.puzzle import Puzzle, Solution
from linkpress.words import Words

# Minimum type size in points of text that is meant to be read in large print, as guidelines require.
LARGE_PRINT_LEAST_PT = 16.0
BACKGROUND_KEY = "page.background.image"
_DPI_SLACK = 0.5  # allowance for rounding in dpi, so that a resolution of 299.5 dpi counts as 300 dpi


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


Pictures = Mapping[str, OwnPicture]  # pictures of the publisher, by their names in the spec


@dataclass(frozen=True)
class Edition:
    """Edition of a book, ready to be laid out.

    Args:
        version: the version of linkpress, for the copyright page, or an empty string.
        build: the identifier of the build, for the copyright page, or an empty string.
        screen: whether the edition is read on a screen. Then no page stays blank, and all pages have the same
            margins.
        cover: the cover that becomes the first page of an edition for screens, or None.
        pictures: the publisher's pictures, by name.
        title_inks: the inks of the title page, beginning with the ink of its text. Empty for the theme's
            inks.
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
    """Everything that all pages of a book share: edition, printer, theme, fonts, words and margins."""

    edition: Edition
    profile: PrinterProfile
    theme: Theme
    measure: Measure
    words: Words
    margins: Margins

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
        """Return whether the type of answers may be smaller than large print usually requires.

        This is allowed if the spec sets the number of answers on a page.
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
    """Yield a line for the build report about each picture whose pixels were reduced."""
    for picture in pictures:
        if picture.pixels != picture.whole:
            sizes = picture.whole, picture.pixels
            whole, now = (f"{size.width_pt:,.0f} × {size.height_pt:,.0f}" for size in sizes)
            about = f"{picture.name} has {whole} pixels, more than a page needs"
            yield f"{'picture':<15}{about}: it is drawn with {now}"


def check_resolution(picture: OwnPicture, box: Rect, profile: PrinterProfile, key: str, where: str) -> None:
    """Check that a picture has the printer's minimum resolution when it fills its box.

    Args:
        box: the rectangle that the picture fills, in points.
        key: the picture's key in the spec, for error messages.
        where: the printed place for error messages, such as ``on the page with its bleed``.
    Raises:
        LayoutError: the picture has too few pixels. The message says how many it needs.
    """
    pixels, least = picture.pixels, profile.limits.image_dpi
    inches = Size(box[2] / 72, box[3] / 72)
    dpi = cut_size(pixels, box[2] / box[3]).width_pt / inches.width_pt
    if dpi < least - _DPI_SLACK:
        wide, high = (math.ceil(least * side) for side in inches)
        raise LayoutError(
            f"{picture.name} has {pixels.width_pt:g} × {pixels.height_pt:g} pixels, "
            f"{dpi:.0f} dpi {where}; {profile.name} asks for {least}. "
            f"Give one of {wide} × {high} pixels or more.",
            key,
        )


def is_printed_grey(page: PageSpec, profile: PrinterProfile) -> bool:
    """Return whether the paper is printed in black only. Pictures then become shades of grey."""
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
    check_resolution(picture, box, profile, BACKGROUND_KEY, "on the page with its bleed")
    return Photo(box, picture.content, is_printed_grey(page, profile), float(background.strength))
