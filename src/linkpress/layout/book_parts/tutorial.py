"""Tutorial: one board of the book, solved in a few pictures on two or more pages.

The pictures follow the steps of the grading ladder, which solves a puzzle as a person would. Easy steps are
joined into one step, and a picture may have several captions. So a board that takes many steps does not need
more pictures.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar

from linkpress.book.design_keys import Numbers
from linkpress.book.volume import NumberedPuzzle
from linkpress.documents.inks import nearest_colour
from linkpress.engine.recipe import Grade, Rule
from linkpress.errors import LayoutError
from linkpress.layout.boards import cell_for_size, worked_example
from linkpress.layout.book_parts import Part
from linkpress.layout.frame import Area, Page, Placed, TextRun
from linkpress.layout.page_draft import (
    ASCENT,
    DESCENT,
    TUTORIAL_PLACE,
    Index,
    PageDraft,
    heading_foot,
    page_heading,
    puzzle_place,
    solution_place,
)
from linkpress.layout.sheets import WIDEST_PAGE
from linkpress.layout.step_pictures import MARGIN, StepPictures, lesson_inks, sentence_lines, sentence_runs
from linkpress.layout.text_flow import LEADING, TextLine, break_lines, flow, text_block
from linkpress.layout.theme import Theme
from linkpress.puzzle.puzzle import Grid, Puzzle
from linkpress.words.language import Words, with_colour_names

if TYPE_CHECKING:
    from linkpress.engine.explain.steps import Step

PICTURES = 8  # number of pictures in a tutorial; fewer if the board is solved in fewer steps
FEWEST = 6  # minimum number of solving steps; boards with fewer steps are too easy for a tutorial
_MOST_MORE = 2  # maximum number of sentences under a picture of the tutorial, not counting the first one
_MOST_BOARDS = 12  # maximum number of boards to try for the tutorial, the easiest first; each takes 10 ms

# Cost of dividing the steps: a picture's first sentence costs one point for every 25 characters beyond 75.
_LONG, _PER_POINT = 75, 25

PAGES = (2, 4, 8)  # possible page counts of the tutorial
COLUMNS = (2, 4, 3, 1)  # possible numbers of pictures in a row
BESIDE = 0  # value of ``cols`` for one picture in a row, with its sentence beside it instead of below
BESIDE_SHARE = 0.36  # width of a sentence beside its picture, as a share of the page's width
GAP_PT = 20.0  # gap between the tutorial's pictures
LARGEST_CELL_PT = 34.0  # largest square of a tutorial's board
COMFORTABLE_CELL_PT = 17.0  # if the squares are smaller than this, the tutorial gets more pages
LEAST_CELL_PT = 11.0  # smallest square of a tutorial's board, which still has legible numbers
LARGE_PRINT = 1.4  # factor by which squares in the tutorial are larger in large print
INTRO_LINES = 4.5  # fewest lines to keep free above the pictures on the tutorial's first page
END_LINES = 0.5  # height to keep free on the last page, in lines, besides its pictures and closing text
FIRST_LINE = 1.4  # distance from a board to the first baseline below it, as a multiple of the type size

_Item = TypeVar("_Item")


@dataclass(frozen=True)
class Lesson:
    """Solving of one board step by step, divided into pictures.

    Args:
        number: the puzzle's number in the book; None for the worked example.
        groups: the steps that each picture shows, in order. Together they draw all lines.
        colours: the name of each pair's colour, if the sentences name colours instead of numbers; else empty.
    """

    number: int | None
    puzzle: Puzzle
    groups: tuple[tuple[Step, ...], ...]
    colours: Mapping[int, str]

    def title(self, words: Words) -> str:
        if self.number is None:
            return words.tutorial_example
        return words.say(words.tutorial, number=str(self.number))

    def pictures(self, words: Words) -> Iterator[tuple[Step, str]]:
        """Yield the steps of each picture, merged into one step, and the captions under the picture."""
        space = " " if words.full_stop.endswith(" ") else ""
        for group in self.groups:
            step = replace(
                group[0],
                cells=tuple(dict.fromkeys(cell for step in group for cell in step.cells)),
                drawn=tuple(edge for step in group for edge in step.drawn),
                ruled_out=tuple(edge for step in group for edge in step.ruled_out),
            )
            captions = [with_colour_names(step.caption(self.puzzle.grid), self.colours) for step in group]
            yield step, space.join(dict.fromkeys(map(words.steps.text_of, captions)))


def lessons_of(
    puzzles: Sequence[NumberedPuzzle], words: Words, numbers: Numbers | None = None
) -> Iterator[Lesson]:
    """Yield lessons from the easiest graded boards of a book, and finally a lesson from the worked example.

    Boards with too few or too many steps for the pictures are left out.

    Args:
        numbers: the theme's style of numbers and dots; None if the text may always use numbers.
    """
    if numbers and any(numbers.shows(len(puzzle.record.puzzle.pairs)) for puzzle in puzzles):
        numbers = None
    graded = [puzzle for puzzle in puzzles if None not in (puzzle.record.technique, puzzle.record.score)]
    graded.sort(key=lambda easy: (easy.record.technique, len(easy.record.solution.edges), easy.record.score))
    for easy in graded[:_MOST_BOARDS]:
        puzzle = easy.record.puzzle
        if groups := _groups_of(puzzle, easy.record.rule, words):
            yield Lesson(easy.number, puzzle, groups, colours_of(puzzle, words, numbers))
    example = worked_example(any(shown.record.puzzle.grid.solids for shown in puzzles)).puzzle
    groups = _groups_of(example, Rule.STRICT, words)
    yield Lesson(None, example, groups, colours_of(example, words, numbers))


def colours_of(puzzle: Puzzle, words: Words, numbers: Numbers | None) -> Mapping[int, str]:
    """Return the name of each pair's colour; empty if two colours have the same name in this language."""
    if numbers is None or words.colour_names is None or numbers.shows(len(puzzle.pairs)):
        return {}
    keys = {pair.number: nearest_colour(numbers.ink_of(pair.number)) for pair in puzzle.pairs}
    names = {number: getattr(words.colour_names, key) for number, key in keys.items()}
    return names if len(set(names.values())) == len(names) else {}


def _groups_of(puzzle: Puzzle, rule: Rule, words: Words) -> tuple[tuple[Step, ...], ...]:
    """Return the steps that each picture shows.

    Return nothing if the board takes too few or too many steps, or if the steps don't solve it.
    """
    steps = _steps_of(puzzle, rule)
    return _divided(steps, puzzle.grid, words) if len(steps) >= FEWEST else ()


@lru_cache(maxsize=64)
def _steps_of(puzzle: Puzzle, rule: Rule) -> tuple[Step, ...]:
    """Return the steps that solve a puzzle; an empty tuple if the grading ladder can't solve it.

    Easy steps are joined, as long as enough steps remain for all pictures.
    """
    # Few books have a tutorial, and loading these modules takes 20 ms.
    from linkpress.engine.explain.steps import MOST_LINES, combine_steps, explain_climb
    from linkpress.engine.kernels.glossary import ClimbOutcome
    from linkpress.engine.ladder import climb_ladder, position_of

    climb = climb_ladder(position_of(puzzle, rule))
    if climb.outcome is not ClimbOutcome.FINISHED:
        return ()
    steps = tuple(explain_climb(puzzle, climb))
    joined = (tuple(combine_steps(puzzle, steps, most)) for most in range(MOST_LINES, 0, -1))
    return next((joint for joint in joined if len(joint) >= PICTURES), steps)


def _divided(steps: Sequence[Step], grid: Grid, words: Words) -> tuple[tuple[Step, ...], ...]:
    """Divide the steps among the pictures at the least cost; return nothing if that isn't possible.

    This is dynamic programming: ``best[count][end]`` is the least cost of the first ``end`` steps in
    ``count`` groups, with the index at which the last of these groups begins.
    """
    from linkpress.engine.ladder import highest_rung

    counting = highest_rung(Grade.BEGINNER)
    pictures = min(PICTURES, len(steps))
    lengths = [len(words.steps.text_of(step.caption(grid))) for step in steps]
    # Each group of steps has a cost. It is the square of the number of steps. A long first sentence costs
    # extra. If a group begins where the step before it ended, it costs 1 more, because one picture should
    # show both steps. Only simple counting steps may follow the first step of a group.
    cost = {
        (begin, end): (end - begin) ** 2
        + max(0, lengths[begin] - _LONG) / _PER_POINT
        + (begin > 0 and any(steps[begin].cells[0] in edge for edge in steps[begin - 1].drawn))
        for begin in range(len(steps))
        for end in range(begin + 1, min(begin + 1 + _MOST_MORE, len(steps)) + 1)
        if all(step.drawn and step.rung <= counting for step in steps[begin + 1 : end])
    }
    best: list[dict[int, tuple[float, int]]] = [{0: (0.0, 0)}]
    for _ in range(pictures):
        reached: dict[int, tuple[float, int]] = {}
        for (begin, end), price in cost.items():
            if begin in best[-1]:
                candidate = best[-1][begin][0] + price, begin
                reached[end] = min(reached.get(end, candidate), candidate)
        best.append(reached)
    if len(steps) not in best[-1]:
        return ()
    cuts = [len(steps)]
    for reached in best[:0:-1]:
        cuts.append(reached[cuts[-1]][1])
    return tuple(tuple(steps[begin:end]) for begin, end in pairwise(cuts[::-1]))


@dataclass(frozen=True)
class _Layout:
    """Lesson with its sizes on the page.

    ``cols`` is the number of pictures in a row. It is ``BESIDE`` if each sentence is beside its picture.
    """

    lesson: Lesson
    steps: tuple[tuple[Step, str], ...]
    cols: int
    size_pt: float
    cell_pt: float
    sentences: tuple[Sequence[TextLine], ...]


@dataclass(frozen=True)
class TutorialPart(Part):
    """Pages of the tutorial: pictures of a board's solving, each with a sentence."""

    place = TUTORIAL_PLACE

    @cached_property
    def count(self) -> int:
        """Number of pages that the worked example needs.

        The pages are counted before the book's boards are made, so the example stands in for them.
        """
        *_, example = self._lessons()
        possible = PAGES[1:] if self.setting.page.large_print else PAGES
        cells = {pages: self._best(example, pages).cell_pt for pages in possible}
        for least in (COMFORTABLE_CELL_PT, LEAST_CELL_PT):
            for pages, cell in cells.items():
                if cell >= max(least * self._scale, self._least_cell_pt):
                    return pages
        return max(PAGES)

    def _lessons(self) -> Iterator[Lesson]:
        setting = self.setting
        return lessons_of(setting.edition.puzzles, setting.words, setting.theme.numbers)

    @property
    def title(self) -> str:
        return self._layout.lesson.title(self.setting.words)

    def compose(self, numbers: Sequence[int], index: Index) -> Iterator[Page]:
        chosen, setting = self._layout, self.setting
        if chosen.cell_pt < self._least_cell_pt:
            raise LayoutError(
                f"its pictures don't fit pages of {setting.page.trim.words}. Choose a larger page.trim, "
                "lower the theme's type.body, or leave it out.",
                "parts.tutorial",
            )
        lesson = chosen.lesson
        pictures = StepPictures(
            lesson.puzzle,
            chosen.cell_pt,
            lesson_theme(setting.theme, lesson),
            setting.measure,
            inks=lesson_inks(setting.theme, lesson.puzzle),
            min_text_pt=setting.min_text_pt,
            colours=lesson.colours,
        )
        boards = [Placed(made.name, made.board, 0.0, 0.0) for made in pictures.of(chosen.steps, "lesson")]
        shown = list(zip(boards, chosen.sentences, strict=True))
        per_page = -(-len(shown) // self.count)
        for place, number in enumerate(numbers):
            draft = PageDraft(setting, number)
            if place == 0:
                draft.target(TUTORIAL_PLACE, draft.live.top, self.title)
                page_heading(draft, self.title)
                self._put_intro(draft, index)
            draft.furnish(head=self.title if place else "")
            on_page = shown[place * per_page : (place + 1) * per_page]
            foot = self._put_pictures(draft, self._area(draft, place), on_page)
            if place == self.count - 1:
                self._put_end(draft, index, foot)
            yield draft.page("tutorial", self.title)

    @cached_property
    def _layout(self) -> _Layout:
        """Layout of the easiest board that fits, or of the worked example if no board does."""
        for lesson in self._lessons():
            fitted = self._best(lesson, self.count)
            if fitted.cell_pt >= self._least_cell_pt:
                break
        return fitted

    @property
    def _scale(self) -> float:
        return LARGE_PRINT if self.setting.page.large_print else 1.0

    @property
    def _least_cell_pt(self) -> float:
        """Smallest side of a square, in points, so that the numbers on a board are large enough to read."""
        setting, least = self.setting, LEAST_CELL_PT * self._scale
        if not setting.page.large_print:
            return least
        return max(least, cell_for_size(setting.theme, setting.measure, setting.min_text_pt))

    def _best(self, lesson: Lesson, pages: int) -> _Layout:
        """Return the layout in the largest type size that leaves comfortable squares.

        If no type size does, return the layout with the largest squares.
        """
        scale, least = self.setting.theme.type, self.setting.min_text_pt
        sizes = (scale.body,) if self.setting.page.large_print else (scale.body, scale.caption, scale.small)
        layouts = []
        for size in sizes:
            layouts += [self._fitted(lesson, pages, cols, max(size, least)) for cols in (*COLUMNS, BESIDE)]
            best = max(layouts, key=lambda layout: layout.cell_pt)
            if best.cell_pt >= COMFORTABLE_CELL_PT * self._scale:
                break
        return best

    def _fitted(self, lesson: Lesson, pages: int, cols: int, size_pt: float) -> _Layout:
        """Lay out the pictures in ``cols`` columns, with the largest squares that fit all pages."""
        setting = self.setting
        steps = tuple(lesson.pictures(setting.words))
        outline, grid = setting.theme.grid.outer_pt, lesson.puzzle.grid
        width, sentence_width = self._widths(cols)
        sentences = tuple(
            sentence_lines(number, text, sentence_width, size_pt, setting.measure)
            for number, (_, text) in enumerate(steps, 1)
        )
        per_page = -(-len(steps) // pages)
        rows = -(-per_page // max(cols, 1))
        cell = min(LARGEST_CELL_PT * self._scale, (width - outline) / (grid.cols + MARGIN))
        for index in range(pages):
            height = self._area(PageDraft(setting, 1), index).height - (rows - 1) * GAP_PT
            if index == pages - 1:
                lines = len(self._end_lines(lesson, str(WIDEST_PAGE)))
                height -= (lines + END_LINES) * LEADING * setting.theme.type.body
            if cols != BESIDE:
                for row in _rows(sentences[index * per_page : (index + 1) * per_page], cols):
                    height -= _text_height(row, size_pt)
            cell = min(cell, (height / rows - outline) / (grid.rows + MARGIN))
        if cols == BESIDE and max(map(len, sentences)) * LEADING * size_pt > grid.rows * cell:
            cell = 0.0  # a sentence would be higher than its board, so this layout is not possible
        return _Layout(lesson, steps, cols, size_pt, cell, sentences)

    def _widths(self, cols: int) -> tuple[float, float]:
        """Return the width of a picture and the width of its sentence."""
        whole = PageDraft(self.setting, 1).live.width
        if cols == BESIDE:
            return (1 - BESIDE_SHARE) * whole - GAP_PT, BESIDE_SHARE * whole
        width = (whole - (cols - 1) * GAP_PT) / cols
        return width, width

    def _area(self, draft: PageDraft, place: int) -> Area:
        """Return the area for pictures on a page of the tutorial. ``place`` is the page's index, from 0."""
        area = draft.content
        if place:
            return area
        words, size = self.setting.words, self.setting.theme.type.body
        texts = (words.tutorial_intro, words.say(words.tutorial_on, page=str(WIDEST_PAGE)))
        blocks = [text_block(text, size) for text in texts]
        lines = sum(len(break_lines(block, draft.live.width, self.setting.measure)) for block in blocks)
        foot = heading_foot(draft) - max(INTRO_LINES, lines + 1.0) * LEADING * size
        return Area(area.x, area.y, area.width, foot - area.y)

    def _put_intro(self, draft: PageDraft, index: Index) -> None:
        """Say what the pictures show, and link to the puzzle."""
        words, size, number = self.setting.words, self.setting.theme.type.body, self._layout.lesson.number
        blocks = [text_block(words.tutorial_intro, size)]
        if number is not None:
            page = str(index[puzzle_place(number)])
            blocks.append(text_block(words.say(words.tutorial_on, page=page), size))
        live = draft.live
        area = Area(live.x, live.y, live.width, heading_foot(draft) - live.y)
        (column,) = flow(blocks, area, self.setting.measure)
        for items in column:
            draft.add(items)
        if number is not None:
            for run in column[-1]:
                if isinstance(run, TextRun):
                    draft.link(run, puzzle_place(number))

    def _put_pictures(
        self, draft: PageDraft, area: Area, shown: Sequence[tuple[Placed, Sequence[TextLine]]]
    ) -> float:
        """Draw pictures in rows from the top, with their sentences; return the height below them."""
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

    def _put_end(self, draft: PageDraft, index: Index, top: float) -> None:
        """Say that the board is solved, and link to the puzzle's answer."""
        size, lesson = self.setting.theme.type.body, self._layout.lesson
        page = "" if lesson.number is None else str(index[solution_place(lesson.number)])
        y = top + GAP_PT - FIRST_LINE * size
        for line in self._end_lines(lesson, page):
            run = draft.text(line.text, (draft.live.x, y), size, where="tutorial.end")
            if lesson.number is not None:
                draft.link(run, solution_place(lesson.number))
            y -= LEADING * size

    def _end_lines(self, lesson: Lesson, page: str) -> Sequence[TextLine]:
        words, setting = self.setting.words, self.setting
        text = words.tutorial_end
        if lesson.number is not None:
            text = words.say(words.tutorial_answer, page=page)
        block = text_block(text, setting.theme.type.body)
        return break_lines(block, PageDraft(setting, 1).live.width, setting.measure)


def lesson_theme(theme: Theme, lesson: Lesson) -> Theme:
    """Return the book's theme, with numbers on its dots if the sentences use numbers."""
    if not theme.numbers.is_dots or lesson.colours:
        return theme
    return theme.model_copy(update={"numbers": theme.numbers.model_copy(update={"show_numbers": True})})


def _rows(items: Sequence[_Item], cols: int) -> list[Sequence[_Item]]:
    return [items[begin : begin + cols] for begin in range(0, len(items), cols)]


def _text_height(row: Sequence[Sequence[TextLine]], size_pt: float) -> float:
    return (max(map(len, row)) - 1) * LEADING * size_pt + (FIRST_LINE + DESCENT) * size_pt
