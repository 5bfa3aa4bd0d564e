"""The tutorial: one board of the book, solved in a few pictures on two pages or more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from linkpress.book.volume import NumberedPuzzle
from linkpress.errors import LayoutError
from linkpress.layout.boards.lesson import Lesson, lessons_of
from linkpress.layout.boards.step_pictures import (
    MARGIN,
    StepInks,
    StepPictures,
    inks_beside,
    sentence_lines,
    sentence_runs,
)
from linkpress.layout.edition import TUTORIAL_PLACE, Index, Part, puzzle_place, solution_place
from linkpress.layout.frame import Page, Placed, TextRun, grey
from linkpress.layout.page_draft import ASCENT, DESCENT, PageDraft, heading_foot, page_heading
from linkpress.layout.page_geometry import Area
from linkpress.layout.text_flow import LEADING, TextLine, flow, text_block
from linkpress.layout.theme import Theme
from linkpress.puzzle.puzzle import Puzzle

if TYPE_CHECKING:
    from linkpress.engine.explain.telling import Step

PAGES = (2, 4, 8)
COLUMNS = (2, 4, 3, 1)
BESIDE = 0  # in place of a number of columns: one picture in a row, its sentence at its side
BESIDE_SHARE = 0.36  # of the width, for that sentence
GAP_PT = 20.0  # between pictures
LARGEST_CELL_PT = 34.0
COMFORTABLE_CELL_PT = 17.0  # more pages are taken before smaller squares
LEAST_CELL_PT = 11.0  # its numbers are about as large as the smallest print
LARGE_PRINT = 1.4  # times these in large print
INTRO_LINES = 4.5  # of the text, kept above the first page's pictures
END_LINES = 1.5  # of the text, kept below the last page's pictures
FIRST_LINE = 1.4  # of the type: from a board to the first baseline below it
GREYS = StepInks(before=grey(0.25), new=grey(0.55), tint=grey(0.15))
_Item = TypeVar("_Item")


@dataclass(frozen=True)
class _Layout:
    """A layout says how a lesson's pictures stand on their pages.

    Args:
        cols: pictures in a row, or ``BESIDE``.
    """

    lesson: Lesson
    steps: tuple[tuple[Step, str], ...]
    cols: int
    size_pt: float
    cell_pt: float
    sentences: tuple[Sequence[TextLine], ...]


@dataclass(frozen=True)
class TutorialPart(Part):
    """The pages after the rules."""

    place = TUTORIAL_PLACE

    puzzles: Sequence[NumberedPuzzle]

    @cached_property
    def count(self) -> int:
        """It takes as many pages as the example of the rules needs: a plan knows no board."""
        *_, example = lessons_of(self.puzzles, self.setting.words, self.setting.theme.numbers)
        tried = PAGES[1:] if self.setting.page.large_print else PAGES
        cells = {pages: self._best(example, pages).cell_pt for pages in tried}
        for least in (COMFORTABLE_CELL_PT, LEAST_CELL_PT):
            for pages, cell in cells.items():
                if cell >= least * self._large:
                    return pages
        return max(PAGES)

    @property
    def title(self) -> str:
        """Name the board that is solved."""
        return self._layout.lesson.title(self.setting.words)

    def compose(self, numbers: Sequence[int], index: Index) -> Iterator[Page]:
        """Compose the pages.

        Raises:
            LayoutError: they are too small for any number of pictures.
        """
        chosen, setting = self._layout, self.setting
        if chosen.cell_pt < self._least_cell_pt:
            raise LayoutError(
                f"its pictures don't fit pages of {setting.trim}. Choose a larger page.trim, or "
                "leave it out.",
                "parts.tutorial",
            )
        pictures = StepPictures(
            chosen.lesson.puzzle,
            chosen.cell_pt,
            lesson_theme(setting.theme, chosen.lesson),
            setting.measure,
            lesson_inks(setting.theme, chosen.lesson.puzzle),
            setting.min_text_pt,
            chosen.lesson.colours,
        )
        boards = [
            Placed(picture.name, picture.board, 0.0, 0.0) for picture in pictures.of(chosen.steps, "lesson")
        ]
        shown = list(zip(boards, chosen.sentences, strict=True))
        a_page = -(-len(shown) // self.count)
        for place, number in enumerate(numbers):
            draft = PageDraft(setting, number)
            if place == 0:
                draft.target(TUTORIAL_PLACE, draft.live.top, self.title)
                page_heading(draft, self.title)
                self._introduce(draft, index)
            draft.furnish(head=self.title if place else "")
            low = self._put(draft, self._area(draft, place), shown[place * a_page : (place + 1) * a_page])
            if place == self.count - 1:
                self._end(draft, index, low)
            yield draft.page("tutorial", self.title)

    @cached_property
    def _layout(self) -> _Layout:
        """The easiest board that fits, else the example."""
        fitted: _Layout | None = None
        for lesson in lessons_of(self.puzzles, self.setting.words, self.setting.theme.numbers):
            fitted = self._best(lesson, self.count)
            if fitted.cell_pt >= self._least_cell_pt:
                break
        assert fitted is not None
        return fitted

    @property
    def _least_cell_pt(self) -> float:
        return LEAST_CELL_PT * self._large

    @property
    def _large(self) -> float:
        return LARGE_PRINT if self.setting.page.large_print else 1.0

    def _best(self, lesson: Lesson, pages: int) -> _Layout:
        """The lesson in type as large as leaves its squares comfortable, else with the largest squares."""
        scale, least = self.setting.theme.type, self.setting.min_text_pt
        large = self.setting.page.large_print
        best: _Layout | None = None
        for size in (scale.body,) if large else (scale.body, scale.caption, scale.small):
            tried = max(
                (self._fitted(lesson, pages, cols, max(size, least)) for cols in (*COLUMNS, BESIDE)),
                key=lambda layout: layout.cell_pt,
            )
            if best is None or tried.cell_pt > best.cell_pt:
                best = tried
            if best.cell_pt >= COMFORTABLE_CELL_PT * self._large:
                break
        assert best is not None
        return best

    def _fitted(self, lesson: Lesson, pages: int, cols: int, size_pt: float) -> _Layout:
        """The pictures in so many columns, as large as all pages take them."""
        setting = self.setting
        steps = tuple(lesson.pictures(setting.words))
        outline, grid = setting.theme.grid.outer_pt, lesson.puzzle.grid
        width, sentence_width = self._widths(cols)
        sentences = tuple(
            sentence_lines(number, text, sentence_width, size_pt, setting.measure)
            for number, (_, text) in enumerate(steps, 1)
        )
        a_page = -(-len(steps) // pages)
        rows = -(-a_page // max(cols, 1))
        cell = min(LARGEST_CELL_PT * self._large, (width - outline) / (grid.cols + MARGIN))
        for index in range(pages):
            height = self._area(PageDraft(setting, 1), index).height - (rows - 1) * GAP_PT
            if index == pages - 1:
                height -= END_LINES * LEADING * setting.theme.type.body
            if cols != BESIDE:
                for row in _rows(sentences[index * a_page : (index + 1) * a_page], cols):
                    height -= _text_height(row, size_pt)
            cell = min(cell, (height / rows - outline) / (grid.rows + MARGIN))
        if cols == BESIDE and max(map(len, sentences)) * LEADING * size_pt > grid.rows * cell:
            cell = 0.0  # a sentence is higher than its board
        return _Layout(lesson, steps, cols, size_pt, cell, sentences)

    def _widths(self, cols: int) -> tuple[float, float]:
        whole = PageDraft(self.setting, 1).live.width
        if cols == BESIDE:
            return (1 - BESIDE_SHARE) * whole - GAP_PT, BESIDE_SHARE * whole
        width = (whole - (cols - 1) * GAP_PT) / cols
        return width, width

    def _area(self, draft: PageDraft, place: int) -> Area:
        area = draft.content
        if place:
            return area
        foot = heading_foot(draft) - INTRO_LINES * LEADING * self.setting.theme.type.body
        return Area(area.x, area.y, area.width, foot - area.y)

    def _introduce(self, draft: PageDraft, index: Index) -> None:
        """Say what the pictures show, and where the puzzle is found."""
        words, size, number = self.setting.words, self.setting.theme.type.body, self._layout.lesson.number
        blocks = [text_block(words.tutorial_intro, size)]
        if number is not None:
            page = str(index[puzzle_place(number)])
            blocks.append(text_block(words.say(words.tutorial_on, page=page), size))
        area = draft.live
        (column,) = flow(
            blocks, Area(area.x, area.y, area.width, heading_foot(draft) - area.y), self.setting.measure
        )
        for items in column:
            draft.add(items)
        if number is not None:
            for run in column[-1]:
                if isinstance(run, TextRun):
                    draft.link(run, puzzle_place(number))

    def _put(self, draft: PageDraft, area: Area, shown: Sequence[tuple[Placed, Sequence[TextLine]]]) -> float:
        """Put pictures in rows from the top, their sentences below or beside them; return where they end."""
        chosen, top, size = self._layout, area.top, self._layout.size_pt
        width, _ = self._widths(chosen.cols)
        for row in _rows(shown, max(chosen.cols, 1)):
            low = top - row[0][0].frame.height_pt
            for col, (board, lines) in enumerate(row):
                x, y = area.x + col * (width + GAP_PT), low - FIRST_LINE * size
                draft.add([replace(board, x=x, y=low)])
                if chosen.cols == BESIDE:
                    x += board.frame.width_pt + GAP_PT
                    y = top - MARGIN * chosen.cell_pt - ASCENT * size
                draft.add(sentence_runs(lines, x, y, size, self.setting.measure))
            top = low - GAP_PT
            if chosen.cols != BESIDE:
                top -= _text_height([lines for _, lines in row], size)
        return top

    def _end(self, draft: PageDraft, index: Index, top: float) -> None:
        """Say below the last picture that every line is drawn, and where the answer is."""
        words, size, number = self.setting.words, self.setting.theme.type.body, self._layout.lesson.number
        text = words.tutorial_end
        if number is not None:
            text = words.say(words.tutorial_answer, page=str(index[solution_place(number)]))
        run = draft.text(text, (draft.live.x, top + GAP_PT - FIRST_LINE * size), size, where="tutorial.end")
        if number is not None:
            draft.link(run, solution_place(number))


def lesson_inks(theme: Theme, puzzle: Puzzle) -> StepInks:
    """The inks of a lesson's pictures: greys in a book without colours."""
    if all(ink.is_grey for _, ink in theme.inks):
        return GREYS
    pairs = puzzle.pairs if theme.numbers.is_dots else ()
    return inks_beside(theme.numbers.ink_of(pair.number) for pair in pairs)


def lesson_theme(theme: Theme, lesson: Lesson) -> Theme:
    """The book's, but dots have their numbers where the sentences name these."""
    if not theme.numbers.is_dots or lesson.colours:
        return theme
    return theme.model_copy(update={"numbers": theme.numbers.model_copy(update={"show_numbers": True})})


def _rows(items: Sequence[_Item], cols: int) -> list[Sequence[_Item]]:
    return [items[begin : begin + cols] for begin in range(0, len(items), cols)]


def _text_height(row: Sequence[Sequence[TextLine]], size_pt: float) -> float:
    """Return the height of a row's longest sentence, with the white above it."""
    return (max(map(len, row)) - 1) * LEADING * size_pt + (FIRST_LINE + DESCENT) * size_pt
