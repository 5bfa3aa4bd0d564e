"""What a book is made of: an edition, the setting of its pages, and parts with named places.

A part says how many pages it needs, and composes them when every page has its number.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from linkpress.book.printing_keys import CaptionsSpec, PageSpec, QrSpec, SolutionsSpec
from linkpress.book.spec import BookSpec
from linkpress.book.volume import NumberedPuzzle
from linkpress.documents.lengths import Size
from linkpress.layout.frame import Frame, Ink, Page
from linkpress.layout.measure import Measure
from linkpress.layout.pictures import Pictures
from linkpress.layout.theme import Theme
from linkpress.printers.profile import Margins, PrinterProfile
from linkpress.words.wording import Words


@dataclass(frozen=True)
class Edition:
    """A book to be laid out.

    Args:
        puzzles: in the order of their numbers.
        version: of linkpress, for the copyright page; may be empty.
        build: the build's code, likewise.
        screen: whether it is read on a screen: there is no left and right, and no page stays blank.
        cover: its first page then, None for none.
        title_inks: of the title page, that of its words first; none where it has the theme's.
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
        """The page as cut."""
        return self.spec.page.trim.size

    @property
    def has_solids(self) -> bool:
        """Return whether any of its puzzles has a solid square."""
        return have_solids(self.puzzles)


def have_solids(puzzles: Iterable[NumberedPuzzle]) -> bool:
    """Return whether any of some puzzles has a solid square."""
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
        """The page as cut."""
        return self.page.trim.size

    @property
    def min_text_pt(self) -> float:
        """The smallest text that the printer holds."""
        return self.profile.limits.text_pt


def setting_of(
    edition: Edition, profile: PrinterProfile, theme: Theme, measure: Measure, words: Words, margins: Margins
) -> Setting:
    """The setting of an edition's pages."""
    spec = edition.spec
    of_boards = spec.headings, spec.captions, spec.solutions, spec.qr, spec.play_url
    of_pages = profile, theme, measure, words, margins
    return Setting(spec.page, *of_boards, *of_pages, edition.screen, edition.pictures)


Index = Mapping[str, int]  # the page of each named place: puzzle-12, solution-12, level-0, solutions …


class PageRun:
    """Pages that are alike, each composed when it is first asked for.

    Args:
        compose: composes one of them, by its place from 0 on and its number.
    """

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
    """One part of a book in its setting, such as a level with its opener.

    Unless a part says otherwise it is one page, on either hand, to which nothing leads.
    """

    place = ""
    """The name of its first page's place; empty where nothing leads there."""

    recto = False
    """Whether it begins on a right-hand page."""

    setting: Setting

    @property
    def one_sided(self) -> bool:
        """Return whether each of its pages has an empty back."""
        return False

    @property
    def count(self) -> int:
        """Return how many pages it composes, backs left empty not counted."""
        return 1

    def places(self, numbers: Sequence[int]) -> Index:
        """The named places on its pages.

        Args:
            numbers: the page number of each of its pages.
        """
        return {self.place: numbers[0]} if self.place else {}

    @abstractmethod
    def compose(self, numbers: Sequence[int], index: Index) -> Iterable[Page]:
        """Compose the part's pages."""


def puzzle_place(number: int) -> str:
    """The name of a puzzle's place."""
    return f"puzzle-{number}"


def solution_place(number: int) -> str:
    """The name of an answer's place."""
    return f"solution-{number}"


def level_place(index: int) -> str:
    """The name of a level's opener, counted from 0."""
    return f"level-{index}"


HOWTO_PLACE = "how-to-play"
TUTORIAL_PLACE = "tutorial"
SOLUTIONS_PLACE = "solutions"
NOTES_PLACE = "notes"
CONTENTS_PLACE = "contents"
