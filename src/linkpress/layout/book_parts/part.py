"""What a book is made of: parts that say how many pages they need, then compose them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from linkpress.layout.edition import Setting
from linkpress.layout.frame import Page

Index = Mapping[str, int]  # the page of each named place: puzzle-12, solution-12, level-0, solutions …


@dataclass(frozen=True)
class Part(ABC):
    """One part of a book in its setting, such as a level with its opener.

    Unless a part says otherwise it is one page, on either hand, to which nothing leads.

    Args:
        setting: of the book.
    """

    recto: ClassVar[bool] = False
    """Whether it begins on a right-hand page."""

    setting: Setting

    @property
    def one_sided(self) -> bool:
        """Whether each of its pages has an empty back."""
        return False

    @property
    def count(self) -> int:
        """How many pages it composes, backs left empty not counted."""
        return 1

    def places(self, numbers: Sequence[int]) -> Index:
        """The named places on its pages.

        Args:
            numbers: the page number of each of its pages.
        """
        return {}

    @abstractmethod
    def compose(self, numbers: Sequence[int], index: Index) -> Iterable[Page]:
        """Its pages.

        Args:
            numbers: as in ``places``.
            index: of the whole book.
        """


def puzzle_place(number: int) -> str:
    """The name of a puzzle's place."""
    return f"puzzle-{number}"


def solution_place(number: int) -> str:
    """The name of an answer's place."""
    return f"solution-{number}"


def level_place(at: int) -> str:
    """The name of a level's opener, counted from 0."""
    return f"level-{at}"


HOWTO_PLACE = "how-to-play"
SOLUTIONS_PLACE = "solutions"
NOTES_PLACE = "notes"
CONTENTS_PLACE = "contents"
