"""A book is made of an edition, the setting of its pages, and parts with named places.

Margins depend on the page count: the gutter grows with it, and what is left of a page shrinks. A part says
how many pages it needs, and composes them when every page has its number.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from linkpress.book.printing_keys import CaptionsSpec, MarginsSpec, PageSpec, QrSpec, SolutionsSpec
from linkpress.book.spec import BookSpec
from linkpress.book.volume import NumberedPuzzle
from linkpress.documents.values import Size
from linkpress.errors import LayoutError
from linkpress.layout.frame import Frame, Ink, Page
from linkpress.layout.measure import Measure
from linkpress.layout.pictures import Pictures
from linkpress.layout.theme import Theme
from linkpress.printers.profile import Margins, PrinterProfile, ProfilePart
from linkpress.words.language import Words

HOUSE_MARGIN = 0.075  # of the trim's shorter side; the printers' least margins look cramped
HOUSE_LEAST_PT = 22.0
HOUSE_MOST_PT = 46.0
# A thick book opens less far: its gutter is wider by 1/32 in for every so many pages, up to 1/4 in.
THICK_PAGES, THICK_PT, THICKEST_PT = 50, 2.25, 18.0
Index = Mapping[str, int]  # the page of each named place: puzzle-12, solution-12, level-0, solutions …
HOWTO_PLACE = "how-to-play"
TUTORIAL_PLACE = "tutorial"
SOLUTIONS_PLACE = "solutions"
NOTES_PLACE = "notes"
CONTENTS_PLACE = "contents"


@dataclass(frozen=True)
class Edition:
    """An edition is a book to be laid out.

    Args:
        version: the version of linkpress, for the copyright page; may be empty.
        build: the build's code, likewise.
        screen: whether it is read on a screen: there is no left and right, and no page stays blank.
        cover: its first page then, None for none.
        title_inks: the title page's inks, that of its words first; none where it has the theme's.
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
        """Return the size of the page as cut."""
        return self.spec.page.trim.size

    @property
    def has_solids(self) -> bool:
        """Tell whether any of its puzzles has a solid square."""
        return have_solids(self.puzzles)


def have_solids(puzzles: Iterable[NumberedPuzzle]) -> bool:
    """Tell whether any of these puzzles has a solid square."""
    return any(puzzle.record.puzzle.grid.solids for puzzle in puzzles)


@dataclass(frozen=True)
class Setting:
    """A setting is what composing any page depends on, settled for the whole book.

    A part that needs more of the book, such as its title or its puzzles, takes that as a value of its own.

    Args:
        headings: each level's name as it is printed, by its name.
        play_url: where the book is played, if anywhere.
    """

    page: PageSpec
    headings: Mapping[str, str]
    captions: CaptionsSpec
    solutions: SolutionsSpec
    qr: QrSpec | None
    play_url: str | None
    profile: PrinterProfile
    theme: Theme
    measure: Measure
    words: Words
    margins: Margins
    screen: bool
    pictures: Pictures

    @property
    def trim(self) -> Size:
        """Return the size of the page as cut."""
        return self.page.trim.size

    @property
    def min_text_pt(self) -> float:
        """Return the size of the smallest text that the printer holds."""
        return self.profile.limits.text_pt


def setting_of(
    edition: Edition, profile: PrinterProfile, theme: Theme, measure: Measure, words: Words, margins: Margins
) -> Setting:
    """Return the setting of an edition's pages."""
    spec = edition.spec
    of_boards = spec.headings, spec.captions, spec.solutions, spec.qr, spec.play_url
    of_pages = profile, theme, measure, words, margins
    return Setting(spec.page, *of_boards, *of_pages, edition.screen, edition.pictures)


def book_margins(
    profile: PrinterProfile,
    trim: Size,
    page_count: int,
    bleed: bool,
    lay_flat: bool = False,
    asked: MarginsSpec | None = None,
) -> Margins:
    """Return a book's margins: those asked for, else the house's, and nowhere less than the printer's.

    Args:
        bleed: whether the file carries bleed, which some printers give wider margins.
        lay_flat: whether the page stands in the middle, since no gutter swallows a part of it.
    Raises:
        LayoutError: a margin that is asked for is less than the printer's.
    """
    least = profile.margins(page_count, bleed)
    house = min(max(HOUSE_MARGIN * min(trim), HOUSE_LEAST_PT), HOUSE_MOST_PT)
    thick = min(page_count // THICK_PAGES * THICK_PT, THICKEST_PT)
    inside, outside = max(house + thick, least.inside_pt), max(house, least.outside_pt)
    if lay_flat:
        inside = outside = max(inside, outside)
    margins = Margins(inside, outside, max(house, least.top_pt), max(house, least.bottom_pt))
    given = {f"{key}_pt": length for key, length in asked or () if length is not None}
    for name, length in given.items():
        if length < getattr(least, name) - 0.01:
            thickness = f" with {page_count} pages" if page_count > 1 else ""  # of 1: in the thinnest book
            raise LayoutError(
                f"{length / 72:.3f} in, and {profile.name} asks for {getattr(least, name) / 72:.3f} in "
                f"or more{thickness} ({profile.source_of(ProfilePart.MARGINS)}).",
                f"page.margins.{name.removesuffix('_pt')}",
            )
    return replace(margins, **given)


def settle_margins(
    margins_for: Callable[[int], Margins], count_pages: Callable[[Margins], int]
) -> tuple[Margins, int]:
    """Find margins and a page count that agree.

    The inside margin only ever grows, and a profile has finitely many of them, so this ends. Where
    a wider gutter saves pages and the shorter book would take the narrower one again, the wider
    stays: it keeps every rule.
    """
    margins = margins_for(1)
    while True:
        pages = count_pages(margins)
        needed = margins_for(pages)
        if needed.inside_pt <= margins.inside_pt:
            outside_pt = max(needed.outside_pt, margins.outside_pt)
            return replace(needed, inside_pt=margins.inside_pt, outside_pt=outside_pt), pages
        margins = needed


class PageRun:
    """Pages of a run are alike; each is composed by its place and number when it is first asked for."""

    def __init__(self, numbers: Sequence[int], compose: Callable[[int, int], Page]) -> None:
        self._places = {number: place for place, number in enumerate(numbers)}
        self._compose = cache(compose)

    def get(self, number: int) -> Page:
        """Return the page with this number, which is one of them."""
        return self._compose(self._places[number], number)

    def __iter__(self) -> Iterator[Page]:
        return map(self.get, self._places)


@dataclass(frozen=True)
class Part(ABC):
    """A part is some pages of a book in their setting, such as a level with its opener.

    Unless a part says otherwise it is one page, on either hand, to which nothing leads.
    """

    place = ""
    """Names its first page's place; empty where nothing leads there."""

    recto = False
    """Tells whether it begins on a right-hand page."""

    setting: Setting

    @property
    def one_sided(self) -> bool:
        """Tell whether each of its pages has an empty back."""
        return False

    @property
    def count(self) -> int:
        """Return how many pages it composes, backs left empty not counted."""
        return 1

    def places(self, numbers: Sequence[int]) -> Index:
        """Return the named places on its pages, which have these numbers."""
        return {self.place: numbers[0]} if self.place else {}

    @abstractmethod
    def compose(self, numbers: Sequence[int], index: Index) -> Iterable[Page]:
        """Compose the part's pages."""


def puzzle_place(number: int) -> str:
    """Return the name of a puzzle's place."""
    return f"puzzle-{number}"


def solution_place(number: int) -> str:
    """Return the name of an answer's place."""
    return f"solution-{number}"


def level_place(index: int) -> str:
    """Return the name of a level's opener, counted from 0."""
    return f"level-{index}"
