"""The answers: every level's in the same order and with the same numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from linkpress.book.volume import NumberedPuzzle
from linkpress.layout.boards.captions import range_words
from linkpress.layout.boards.sheets import BoardSheets
from linkpress.layout.boards.tiles import LARGEST_ANSWER_MM, counts_up_to
from linkpress.layout.book_parts.part import SOLUTIONS_PLACE, Index, Part
from linkpress.layout.frame import Page
from linkpress.layout.page_draft import PageDraft
from linkpress.layout.text.text_pages import set_opener

ANSWERS_PER_PAGE = (12, 9, 6, 4, 2, 1)
_MOST_UP_TO = ((7, 12), (9, 9), (12, 6))  # longest side of a level's boards: answers to a page
_MOST_BEYOND = 4
LARGE_PRINT = 1.6  # times the largest square of an answer, and no more than four to a page


@dataclass(frozen=True)
class SolutionsOpener(Part):
    """The page before the answers."""

    recto: ClassVar[bool] = True

    def places(self, numbers: Sequence[int]) -> Index:
        """The section."""
        return {SOLUTIONS_PLACE: numbers[0]}

    def compose(self, numbers: Sequence[int], index: Index) -> Iterator[Page]:
        """The page."""
        words, draft = self.setting.words, PageDraft(self.setting, numbers[0])
        draft.target(SOLUTIONS_PLACE, draft.live.top, words.solutions)
        held = range_words(self.setting, tuple(self.setting.edition.puzzles))
        set_opener(draft, words.solutions, held, (words.solutions_say,), "solutions")
        yield draft.page("opener", words.solutions)


@dataclass(frozen=True)
class SolutionsPart(Part):
    """The answers of one level.

    Args:
        name: the level's.
        puzzles: the level's, in order; one or more.
    """

    name: str
    puzzles: tuple[NumberedPuzzle, ...]

    @cached_property
    def sheets(self) -> BoardSheets:
        """The pages; ``auto`` goes by the longest side, and down until the numbers can be read."""
        fixed = self.setting.spec.solutions.per_page
        return BoardSheets(
            self.setting,
            self.puzzles,
            answers=True,
            level=self.name,
            per_page=self._counts() if fixed == "auto" else (fixed,),
            comfort=False,
            most_mm=LARGEST_ANSWER_MM * (LARGE_PRINT if self.setting.spec.page.large_print else 1.0),
        )

    @property
    def count(self) -> int:
        """The pages that the level's answers need."""
        return self.sheets.page_count

    def places(self, numbers: Sequence[int]) -> Index:
        """Each answer."""
        return self.sheets.page_of(numbers)

    def compose(self, numbers: Sequence[int], index: Index) -> Iterator[Page]:
        """The pages."""
        words = self.setting.words
        head = words.say(words.section_solutions, section=self.name)
        for sheet, number in enumerate(numbers):
            draft = PageDraft(self.setting, number)
            draft.furnish(head, range_words(self.setting, self.sheets.shown(sheet)))
            self.sheets.fill(draft, sheet, index)
            yield draft.page("solutions", self.name)

    def _counts(self) -> tuple[int, ...]:
        grids = [puzzle.record.puzzle.grid for puzzle in self.puzzles]
        longest = max(max(grid.rows, grid.cols) for grid in grids)
        most = next((count for side, count in _MOST_UP_TO if longest <= side), _MOST_BEYOND)
        if self.setting.spec.page.large_print:
            most = min(most, _MOST_BEYOND)
        counts = tuple(count for count in ANSWERS_PER_PAGE if count <= most)
        return counts_up_to(len(self.puzzles), counts)
