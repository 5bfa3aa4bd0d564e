"""The tutorial solves one board of the book in a few pictures, on two pages or more.

The ladder's steps are told in their order, several in a sentence where they are read at a glance. A picture
has a sentence, or a few that only count ways out.
"""

from __future__ import annotations

import re
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
from linkpress.layout.boards.ornaments import worked_example
from linkpress.layout.boards.step_pictures import (
    MARGIN,
    StepPictures,
    lesson_inks,
    sentence_lines,
    sentence_runs,
)
from linkpress.layout.edition import TUTORIAL_PLACE, Index, Part, have_solids, puzzle_place, solution_place
from linkpress.layout.frame import Area, Page, Placed, TextRun
from linkpress.layout.page_draft import ASCENT, DESCENT, PageDraft, heading_foot, page_heading
from linkpress.layout.text_flow import LEADING, TextLine, flow, text_block
from linkpress.layout.theme import Theme
from linkpress.puzzle.puzzle import Puzzle
from linkpress.words.language import Words, with_colour_names

if TYPE_CHECKING:
    from linkpress.engine.explain.steps import Step


PICTURES = 8
FEWEST = 6
_MOST_MORE = 2  # sentences of one picture beside its first
_TRIED = 12  # boards of a book, the easiest first; each takes a hundredth of a second
_LONG, _PER_POINT = 75, 25  # characters of a first step: from here on each so many cost as much as a step
_NUMBER_ALONG = re.compile(r"(\w+) (\d+) (?=[A-Z]+\d+–)")  # no line breaks between a number and its route
_OPENING = re.compile("[^:：]+[:：]\\s*")  # of a sentence, before what it is about
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
_Item = TypeVar("_Item")


@dataclass(frozen=True)
class Lesson:
    """A lesson solves one board.

    Args:
        number: the puzzle's number in the book; None for the example of the rules.
        groups: the steps of each picture, in order; all lines are drawn after the last.
        colours: what the pairs are called where no board of the book shows a number; else nothing.
    """

    number: int | None
    puzzle: Puzzle
    groups: tuple[tuple[Step, ...], ...]
    colours: Mapping[int, str]

    def title(self, words: Words) -> str:
        """Name the board that is solved."""
        if self.number is None:
            return words.tutorial_example
        return words.say(words.tutorial, number=str(self.number))

    def pictures(self, words: Words) -> Iterator[tuple[Step, str]]:
        """Yield a step for each picture, which draws what its steps draw, and its text.

        Sentences that open alike ("One way out each: …") are joined by a semicolon.
        """
        space = " " if words.full_stop.endswith(" ") else ""
        for group in self.groups:
            step = replace(
                group[0],
                cells=tuple(dict.fromkeys(cell for step in group for cell in step.cells)),
                drawn=tuple(edge for step in group for edge in step.drawn),
                ruled_out=tuple(edge for step in group for edge in step.ruled_out),
            )
            sentences = (
                with_colour_names(step.sentence, self.colours) if self.colours else step.sentence
                for step in group
            )
            texts: list[str] = []
            for text in (words.steps.text_of(sentence) for sentence in sentences):
                opening = _OPENING.match(text)
                if texts and opening and texts[-1].startswith(opening[0]):
                    text = words.steps.list_reasons.format(first=texts.pop(), second=text[opening.end() :])
                texts.append(text)
            caption = space.join(map(words.sentence, texts))
            yield step, _NUMBER_ALONG.sub("\\1\u00a0\\2\u00a0", caption)


def lessons_of(
    puzzles: Sequence[NumberedPuzzle], words: Words, numbers: Numbers | None = None
) -> Iterator[Lesson]:
    """Yield the graded boards that so few pictures can solve, the easiest first, then the rules' example."""
    if numbers and any(numbers.shows(len(puzzle.record.puzzle.pairs)) for puzzle in puzzles):
        numbers = None
    graded = [puzzle for puzzle in puzzles if None not in (puzzle.record.grade, puzzle.record.score)]
    graded.sort(key=lambda easy: (easy.record.grade, len(easy.record.solution.edges), easy.record.score))
    for easy in graded[:_TRIED]:
        puzzle = easy.record.puzzle
        if groups := _groups_of(puzzle, easy.record.rule, words):
            yield Lesson(easy.number, puzzle, groups, _colours_of(puzzle, words, numbers))
    example = worked_example(have_solids(puzzles)).puzzle
    groups = _groups_of(example, Rule.STRICT, words)
    yield Lesson(None, example, groups, _colours_of(example, words, numbers))


def _colours_of(puzzle: Puzzle, words: Words, numbers: Numbers | None) -> Mapping[int, str]:
    """Name the colour of each pair; return nothing where the language can't tell two of them apart."""
    if numbers is None or words.colour_names is None or numbers.shows(len(puzzle.pairs)):
        return {}
    keys = {pair.number: nearest_colour(numbers.ink_of(pair.number)) for pair in puzzle.pairs}
    names = {number: getattr(words.colour_names, key) for number, key in keys.items()}
    return names if len(set(names.values())) == len(names) else {}


def _groups_of(puzzle: Puzzle, rule: Rule, words: Words) -> tuple[tuple[Step, ...], ...]:
    """Return the steps of each picture; none where so few can't tell them, or the steps don't finish."""
    steps = _steps_of(puzzle, rule)
    return _divided(steps, words) if len(steps) >= FEWEST else ()


@lru_cache(maxsize=64)
def _steps_of(puzzle: Puzzle, rule: Rule) -> tuple[Step, ...]:
    """Return the steps with as many lines in a sentence as leave one sentence for each picture."""
    from linkpress.engine.explain.steps import (  # few books have one: 20 ms
        MOST_LINES,
        combine_steps,
        explain_climb,
    )
    from linkpress.engine.kernels.glossary import ClimbOutcome
    from linkpress.engine.solve.ladder import climb_ladder, position_of

    climb = climb_ladder(position_of(puzzle, rule))
    if climb.outcome is not ClimbOutcome.FINISHED:
        return ()
    steps = tuple(explain_climb(puzzle, climb))
    tried = (tuple(combine_steps(puzzle, steps, most)) for most in range(MOST_LINES, 0, -1))
    return next((joint for joint in tried if len(joint) >= PICTURES), steps)


def _divided(steps: Sequence[Step], words: Words) -> tuple[tuple[Step, ...], ...]:
    """Cut the steps as cheaply as can be into as many groups as there are pictures; return none if none fit.

    ``best[count][end]`` is the least cost of the first ``end`` steps in ``count`` groups, with the last
    group's beginning.
    """
    from linkpress.engine.techniques import highest_rung

    counting = highest_rung(Grade.BEGINNER)
    pictures = min(PICTURES, len(steps))
    lengths = [len(words.steps.text_of(step.sentence)) for step in steps]
    cost = {  # of many in one, a long sentence, a start in the midst of a place
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
                tried = best[-1][begin][0] + price, begin
                reached[end] = min(reached.get(end, tried), tried)
        best.append(reached)
    if len(steps) not in best[-1]:
        return ()
    cuts = [len(steps)]
    for reached in best[:0:-1]:
        cuts.append(reached[cuts[-1]][1])
    return tuple(tuple(steps[begin:end]) for begin, end in pairwise(cuts[::-1]))


@dataclass(frozen=True)
class _Layout:
    lesson: Lesson
    steps: tuple[tuple[Step, str], ...]
    cols: int  # pictures in a row, or BESIDE
    size_pt: float
    cell_pt: float
    sentences: tuple[Sequence[TextLine], ...]


@dataclass(frozen=True)
class TutorialPart(Part):
    """The tutorial's pages follow the rules."""

    place = TUTORIAL_PLACE
    puzzles: Sequence[NumberedPuzzle]

    @cached_property
    def count(self) -> int:
        """Return as many pages as the example of the rules needs: a plan knows no board."""
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
        """Compose the pages; raise ``LayoutError`` if they are too small for any number of pictures."""
        chosen, setting = self._layout, self.setting
        if chosen.cell_pt < self._least_cell_pt:
            raise LayoutError(
                f"its pictures don't fit pages of {setting.page.trim.words}. Choose a larger page.trim, or "
                "leave it out.",
                "parts.tutorial",
            )
        lesson, inks = chosen.lesson, lesson_inks(setting.theme, chosen.lesson.puzzle)
        look = lesson_theme(setting.theme, lesson), setting.measure, inks, setting.min_text_pt
        pictures = StepPictures(lesson.puzzle, chosen.cell_pt, *look, lesson.colours)
        made = pictures.of(chosen.steps, "lesson")
        boards = [Placed(picture.name, picture.board, 0.0, 0.0) for picture in made]
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
        """Return the easiest board that fits, else the example."""
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
        """Return the lesson in the largest type with comfortable squares, else with the largest squares."""
        scale, least = self.setting.theme.type, self.setting.min_text_pt
        sizes = (scale.body,) if self.setting.page.large_print else (scale.body, scale.caption, scale.small)
        best: _Layout | None = None
        for size in sizes:
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
        """Lay out the pictures in so many columns, as large as all pages take them."""
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
        live = draft.live
        area = Area(live.x, live.y, live.width, heading_foot(draft) - live.y)
        (column,) = flow(blocks, area, self.setting.measure)
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


def lesson_theme(theme: Theme, lesson: Lesson) -> Theme:
    """Return the book's theme, whose dots have their numbers where the sentences name these."""
    if not theme.numbers.is_dots or lesson.colours:
        return theme
    return theme.model_copy(update={"numbers": theme.numbers.model_copy(update={"show_numbers": True})})


def _rows(items: Sequence[_Item], cols: int) -> list[Sequence[_Item]]:
    return [items[begin : begin + cols] for begin in range(0, len(items), cols)]


def _text_height(row: Sequence[Sequence[TextLine]], size_pt: float) -> float:
    return (max(map(len, row)) - 1) * LEADING * size_pt + (FIRST_LINE + DESCENT) * size_pt
