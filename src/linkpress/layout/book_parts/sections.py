"""A level, which is its opener and its puzzles, so many to a page; and the answers of all levels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from linkpress.book.level import LevelSpec
from linkpress.book.printing_keys import QrPer
from linkpress.book.volume import NumberedPuzzle
from linkpress.layout.boards.ornaments import level_ornament
from linkpress.layout.boards.qr import qr_figure, section_text
from linkpress.layout.boards.sheets import BoardSheets, board_sizes, range_words
from linkpress.layout.boards.tiles import LARGEST_ANSWER_MM, PER_PAGE, counts_up_to, largest_cell_mm
from linkpress.layout.book_parts.grades import grades_of, section_grades
from linkpress.layout.edition import SOLUTIONS_PLACE, Index, Part, level_place, solution_place
from linkpress.layout.frame import Anchor, Page, Placed
from linkpress.layout.geometry import Area
from linkpress.layout.page_draft import DESCENT, PageDraft, set_opener, text_column
from linkpress.layout.text_flow import flow

SECTION_QR_PT = 72.0
SECTION_FOOT_PT = 110.0  # kept for the code, its words and the ornament
ORNAMENT_PITCH_PT = 44.0
ANSWERS_PER_PAGE = (12, 9, 6, 4, 2, 1)
_MOST_UP_TO = ((7, 12), (9, 9), (12, 6))  # longest side of a level's boards: answers to a page
_MOST_BEYOND = 4
LARGE_PRINT = 1.6  # times the largest square of an answer, and no more than four to a page
MOST_IN_ORNAMENT = 12  # levels; more would need discs too small for their numbers


@dataclass(frozen=True)
class SectionPart(Part):
    """One level.

    Args:
        level: how it is printed.
        at: its place among the levels, from 0.
        puzzles: the level's, in order; one or more.
    """

    recto: ClassVar[bool] = True

    level: LevelSpec
    at: int
    puzzles: tuple[NumberedPuzzle, ...]

    @property
    def one_sided(self) -> bool:
        """As the spec wants it."""
        return self.setting.spec.page.single_sided

    @cached_property
    def sheets(self) -> BoardSheets:
        """The puzzle pages; ``auto`` prints as many to a page as keep comfortable squares."""
        fixed = 1 if self.setting.spec.page.large_print else self.level.per_page
        return BoardSheets(
            self.setting,
            self.puzzles,
            answers=False,
            level=self.level.name,
            per_page=counts_up_to(len(self.puzzles), PER_PAGE) if fixed == "auto" else (fixed,),
            comfort=fixed == "auto",
            most_mm=largest_cell_mm(self.setting.spec.page),
        )

    @property
    def count(self) -> int:
        """The opener and the puzzle pages."""
        return 1 + self.sheets.page_count

    def places(self, numbers: Sequence[int]) -> Index:
        """The opener and each puzzle."""
        return {level_place(self.at): numbers[0], **self.sheets.page_of(numbers[1:])}

    def compose(self, numbers: Sequence[int], index: Index) -> Iterator[Page]:
        """The pages."""
        yield self._opener(numbers[0], index)
        yield from self.sheets.pages(numbers[1:], index)

    def _opener(self, number: int, index: Index) -> Page:
        draft = PageDraft(self.setting, number)
        draft.target(level_place(self.at), draft.live.top, self.level.name)
        words, first = self.setting.words, index[solution_place(self.puzzles[0].number)]
        sizes = words.say(words.squares, sizes=board_sizes(self.setting, self.puzzles))
        facts = (
            f"{words.count_of(len(self.puzzles))} · {sizes}",
            words.say(words.solutions_from, page=str(first)),
        )
        where = f"levels[{self.at}].name"
        y = set_opener(draft, self.level.name, range_words(self.setting, self.puzzles), facts, where)
        self._grade(draft, y)
        self._ornament(draft)
        self._code(draft)
        return draft.page("opener", self.level.name)

    def _grade(self, draft: PageDraft, y: float) -> None:
        """Its grades, in the room between what it holds and the page's foot."""
        size = self.setting.theme.type.body
        block = section_grades(self.setting, size, self.level.name, grades_of(self.puzzles))
        if block is None:
            return
        column, foot = text_column(draft), draft.live.y + SECTION_FOOT_PT
        area = Area(column.x, foot, column.width, y - 1.2 * size - foot)
        lines = flow([block], area, self.setting.measure)
        if len(lines) == 1 and area.height >= block.leading_pt:
            draft.add(lines[0][0])

    def _code(self, draft: PageDraft) -> None:
        qr, scale = self.setting.spec.qr, self.setting.theme.type
        if qr is None or qr.per is not QrPer.SECTION:
            return
        first, last = self.puzzles[0].number, self.puzzles[-1].number
        said = section_text(qr.text, self.at + 1, first, last, self.setting.spec.play_url)
        foot = draft.live.y + DESCENT * scale.small
        x, y = draft.live.right - SECTION_QR_PT, foot + 1.4 * scale.small
        draft.add([Placed(qr_figure(said, f"qr-{level_place(self.at)}", SECTION_QR_PT), x, y)])
        draft.text(self.setting.words.scan, (draft.live.right, foot), scale.small, anchor=Anchor.END)

    def _ornament(self, draft: PageDraft) -> None:
        live, theme = draft.live, self.setting.theme
        of = len(self.setting.spec.levels)
        if not 2 <= of <= MOST_IN_ORNAMENT:
            return
        pitch = min(ORNAMENT_PITCH_PT, live.width / of)
        at = (live.x + 0.3 * pitch, live.y + 0.3 * pitch)
        weight = max(theme.rule_pt, 1.0)
        draft.add(level_ornament(self.at, of, at, pitch, theme.accent, self.setting.measure, weight))


@dataclass(frozen=True)
class SolutionsOpener(Part):
    """The page before the answers."""

    recto: ClassVar[bool] = True
    place = SOLUTIONS_PLACE

    def compose(self, numbers: Sequence[int], index: Index) -> Iterator[Page]:
        """The page."""
        words, draft = self.setting.words, PageDraft(self.setting, numbers[0])
        draft.target(SOLUTIONS_PLACE, draft.live.top, words.solutions)
        held = range_words(self.setting, self.setting.edition.puzzles)
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
        return self.sheets.pages(numbers, index)

    def _counts(self) -> tuple[int, ...]:
        grids = [puzzle.record.puzzle.grid for puzzle in self.puzzles]
        longest = max(max(grid.rows, grid.cols) for grid in grids)
        most = next((count for side, count in _MOST_UP_TO if longest <= side), _MOST_BEYOND)
        if self.setting.spec.page.large_print:
            most = min(most, _MOST_BEYOND)
        counts = tuple(count for count in ANSWERS_PER_PAGE if count <= most)
        return counts_up_to(len(self.puzzles), counts)
