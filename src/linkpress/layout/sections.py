"""Pages with boards: the puzzles of each level, and the answers.

Answers are usually on answer pages (``AnswerPages``). They can also be printed upside down at the bottom of
the next puzzle page (``AnswerStrip``). The function ``level_words`` writes a paragraph about the techniques
that are new in a level.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from statistics import fmean

from linkpress.book.level import LevelSpec
from linkpress.book.printing_keys import QrPer, SolutionsPlace
from linkpress.book.volume import NumberedPuzzle
from linkpress.engine.ladder import TECHNIQUES
from linkpress.errors import LayoutError
from linkpress.layout.boards import level_ornament
from linkpress.layout.frame import Anchor, Area, Frame, Item, Page, Placed, Rects, Role, TextRun
from linkpress.layout.matter import note_lines
from linkpress.layout.page_draft import (
    DESCENT,
    LEAST_FILLED,
    SOLUTIONS_PLACE,
    Index,
    PageDraft,
    PageRun,
    Part,
    level_place,
    put_ornament,
    puzzle_place,
    set_opener,
    solution_place,
    text_column,
)
from linkpress.layout.setting import Setting
from linkpress.layout.sheets import (
    CAPTION_GAP_PT,
    LARGEST_ANSWER_MM,
    LARGEST_CELL_MM,
    NEARLY,
    PER_PAGE,
    BoardSheets,
    Captions,
    Shape,
    Sheet,
    SheetMaker,
    Tiling,
    board_sizes,
    check_cells,
    counts_up_to,
    evened,
    keeps_cells,
    largest_cell_mm,
    least_cell_pt,
    qr_frame,
    range_words,
    section_code_text,
    shapes_of,
)
from linkpress.layout.text_flow import LEADING, Block, Text, flow
from linkpress.layout.tutorial import Tutorial
from linkpress.words import Words

SECTION_QR_PT = 72.0
# Height in points that stays free for the QR code and the ornament on a level's opening page.
SECTION_FOOT_PT = 110.0
ORNAMENT_PITCH_PT = 44.0  # distance in points between two discs of the ornament that shows the book's levels

# Factor by which the ornament of discs is larger in large print. The numbers on the discs then have 16 pt.
LARGE_PRINT_ORNAMENT = 1.2
# Maximum number of levels in the ornament of discs. More discs would be too small for their numbers.
MOST_IN_ORNAMENT = 12

ANSWERS_PER_PAGE = (12, 9, 6, 4, 2, 1)  # possible numbers of answers on a page

# Usual numbers of answers on a page, by the larger number of rows and columns: up to 7 rows or columns there
# are 12 answers, up to 9 there are 9, and up to 12 there are 6.
_USUAL_UP_TO = ((7, 12), (9, 9), (12, 6))
# usual number of answers on a page for boards with more than 12 rows or columns, and for all boards in large
# print or on screens
_USUAL_BEYOND = 4
# In large print and on screens, the maximum width of an answer's cells is larger by this factor.
LARGE_PRINT = 1.6

# Minimum cell width in points for answers at the bottom of a page. It is small because readers look at an
# answer only briefly.
STRIP_CELL_PT = 9.5
STRIP_GAP_PT = 16.0  # minimum gap in points between two answers at the bottom of a page

# Space in points above and below the rule that separates puzzles from the answers at the bottom.
STRIP_SPACE_PT = 14.0

# Maximum numbers of new techniques that the opening page of a level lists, because nobody reads a longer
# list. The easiest techniques are left out. The second number is for the first level, in which every
# technique is new.
_MOST_NAMED, _MOST_AT_FIRST = 4, 6


@dataclass(frozen=True)
class SectionPart(Part):
    """Pages of one level: an opening page and a worked example if the spec asks for them, then the puzzles.

    The spec may ask for the answers to each page of puzzles at the bottom of the next page. The answers to
    the level's last page of puzzles, ``last_answers``, are then on the first page of the next level, or at
    the end of the book.

    Args:
        number: the index of the level in the book, from 0.
        before: the previous level, or None for the first level.
        tutorial: the worked examples that precede the puzzles of the levels, or None.
    Attributes:
        opens: whether the level has an opening page, which shows its name.
        key: the level's key in the spec.
    """

    number: int
    puzzles: tuple[NumberedPuzzle, ...]
    before: SectionPart | None
    tutorial: Tutorial | None = None

    @property
    def level(self) -> LevelSpec:
        return self.setting.spec.levels[self.number]

    @property
    def heading(self) -> str:
        return self.setting.spec.headings[self.level.name]

    @property
    def opens(self) -> bool:
        return self.setting.spec.parts.openers

    @property
    def recto(self) -> bool:
        return self.opens and bool(self.setting.spec.parts.recto)

    @property
    def key(self) -> str:
        return f"levels[{self.number}]"

    @property
    def one_sided(self) -> bool:
        return self.setting.page.single_sided

    @cached_property
    def sheets(self) -> BoardSheets:
        """Return the layout of the level's puzzle pages.

        With ``per_page: auto``, a page has as many boards as fit comfortably. In large print it has only one
        board.
        """
        per_page = self.level.per_page
        if per_page == "auto" and self.setting.page.large_print:
            per_page = 1
        if per_page != "auto" and 2 * len(self.puzzles) < per_page:
            # The level has only one page, and more than half of its tiles would be empty. So divide the page
            # into fewer tiles.
            per_page = min(count for count in PER_PAGE if count >= len(self.puzzles))
        if per_page == "auto":
            counts = counts_up_to(len(self.puzzles), PER_PAGE)
        elif self.setting.edition.screen:
            counts = (per_page, *(count for count in PER_PAGE if count < per_page))
        else:
            counts = (per_page,)
        foot = self._foot_pt if self.at_foot else None
        maker = SheetMaker(self.setting, answers=False, most_mm=largest_cell_mm(self.setting.page), foot=foot)
        made = maker.alike(self.puzzles, counts, comfort=per_page == "auto", key=self.key)
        return BoardSheets(self.setting, made, answers=False)

    @property
    def at_foot(self) -> bool:
        return self.setting.spec.solutions.place is SolutionsPlace.UPSIDE_DOWN

    @cached_property
    def last_answers(self) -> AnswerStrip:
        return AnswerStrip(self.setting, self.sheets.sheets[-1].puzzles, self.puzzles)

    def _foot_pt(self, count: int) -> float:
        """Return the height in points to reserve for answers below ``count`` boards on a page."""
        room_pt = AnswerStrip(self.setting, self.puzzles[:count], self.puzzles).room_pt
        return max(room_pt, self.before.last_answers.room_pt if self.before else 0.0)

    @cached_property
    def _strips(self) -> tuple[AnswerStrip | None, ...]:
        """Return the answers at the bottom of each puzzle page, with None for a page without answers."""
        if not self.at_foot:
            return (None,) * self.sheets.page_count
        first = self.before.last_answers if self.before else None
        strips = (AnswerStrip(self.setting, sheet.puzzles, self.puzzles) for sheet in self.sheets.sheets[:-1])
        return (first, *strips)

    @property
    def _lesson_count(self) -> int:
        return self.tutorial.count_for(self.level.name) if self.tutorial else 0

    @property
    def _pages_before_puzzles(self) -> int:
        """Return how many pages of the level come before its first page with puzzles.

        These pages are the opening page and the pages of a worked example, if the level has them.
        """
        return self.opens + self._lesson_count

    @property
    def count(self) -> int:
        return self._pages_before_puzzles + self.sheets.page_count

    def places(self, numbers: Sequence[int]) -> Index:
        puzzle_pages = numbers[self._pages_before_puzzles :]
        at_foot = {
            solution_place(puzzle.number): number
            for strip, number in zip(self._strips, puzzle_pages, strict=True)
            for puzzle in (strip.puzzles if strip else ())
        }
        return {level_place(self.number): numbers[0], **self.sheets.page_of(puzzle_pages), **at_foot}

    def compose(self, numbers: Sequence[int], index: Index) -> PageRun:
        lesson = [f"lesson-{place}" for place in range(self._lesson_count)]
        layouts = [*["opener"] * self.opens, *lesson, *self.sheets.layouts]
        return PageRun(numbers, lambda place, number: self._page(place, number, index), layouts)

    def _page(self, place: int, number: int, index: Index) -> Page:
        if self.opens and place == 0:
            return self._opener(number, index)
        if self.tutorial and place < self._pages_before_puzzles:
            draft = PageDraft(self.setting, number)
            self._name(place, draft)
            return self.tutorial.page(self.level.name, place - self.opens, draft)
        sheet = place - self._pages_before_puzzles
        draft = self.sheets.draft(sheet, number, index, is_first=place == 0)
        strip = self._strips[sheet]
        self._name(place, draft)
        if strip is not None:
            strip.put(draft, index)
        return draft.page("puzzles", self.heading, self.key)

    def _name(self, place: int, draft: PageDraft) -> None:
        """Make the level's first page a link target, and list it in the PDF outline.

        Args:
            place: the index of the page in the level. For any page but the first (index 0), nothing is done.
        """
        if place == 0:
            draft.target(level_place(self.number), draft.live.top, self.heading)

    def _opener(self, number: int, index: Index) -> Page:
        draft = PageDraft(self.setting, number)
        self._name(0, draft)
        words = self.setting.words
        if self.setting.theme.numbers.is_dots:
            shown = words.say(words.level.child, count=words.count_of(len(self.puzzles)))
            y = set_opener(draft, self.heading, shown, self._bigger_boards_facts, f"{self.key}.name")
        else:
            solutions = self._solutions_words(index[solution_place(self.puzzles[0].number)])
            facts = (board_sizes(words, self.puzzles), solutions)
            shown = range_words(self.setting, self.puzzles)
            y = set_opener(draft, self.heading, shown, facts, f"{self.key}.name")
            if self.setting.spec.parts.techniques:
                y = self._put_level_words(draft, y)
        _put_opener_ornament(draft, self.puzzles[-1], y)
        self._put_levels(draft)
        self._put_code(draft)
        return draft.page("opener", self.heading, self.key)

    @property
    def _bigger_boards_facts(self) -> tuple[str, ...]:
        """A tuple with one sentence for children: the boards of this level are bigger than before.

        The tuple is empty if the boards are not bigger than in the previous level.
        """
        is_bigger = self.before is not None and _mean_area(self.puzzles) > _mean_area(self.before.puzzles)
        return (self.setting.words.level.child_bigger,) if is_bigger else ()

    def _put_level_words(self, draft: PageDraft, y: float) -> float:
        """Write which techniques the level needs, below the height ``y``, if there is room.

        Returns:
            The baseline of the last line, or ``y`` if nothing is written.
        """
        size = self.setting.theme.type.body
        earlier: list[Sequence[NumberedPuzzle]] = []
        section = self.before
        while section is not None:
            earlier.insert(0, section.puzzles)
            section = section.before
        if not (spans := level_words(self.setting.words, earlier, self.puzzles)):
            return y
        column, foot = text_column(draft), draft.live.y + SECTION_FOOT_PT
        area = Area(column.x, foot, column.width, y - 1.2 * size - foot)
        block = Block(tuple(spans), size, LEADING * size)
        columns = flow([block], area, self.setting.measure)
        if len(columns) > 1 or area.height < block.leading_pt:
            return y
        draft.add(columns[0][0])
        return columns[0][0][-1].y

    def _solutions_words(self, page: int) -> str:
        words, place = self.setting.words, self.setting.spec.solutions.place
        if place is SolutionsPlace.UPSIDE_DOWN:
            return words.solutions_at_foot
        template = words.solutions_in_file if place is SolutionsPlace.FILE else words.solutions_from
        return words.say(template, page=str(page))

    def _put_code(self, draft: PageDraft) -> None:
        """Draw the level's QR code with a line of text below, if the spec asks for one code per level."""
        qr, scale = self.setting.spec.qr, self.setting.theme.type
        if qr is None or qr.per is not QrPer.SECTION:
            return
        first, last = self.puzzles[0].number, self.puzzles[-1].number
        text = section_code_text(qr.text, self.number + 1, first, last, self.setting.spec.play_url)
        foot = draft.live.y + DESCENT * scale.small
        x, y = draft.live.right - SECTION_QR_PT, foot + 1.4 * scale.small
        code, tag = qr_frame(text, SECTION_QR_PT), draft.tag("Figure", alt=text)
        draft.add([Placed(f"qr-{level_place(self.number)}", code, x, y, tag=tag)])
        point, words, width = (draft.live.right, foot), self.setting.words.scan, draft.live.width
        draft.text(words, point, scale.small, anchor=Anchor.END, where="qr", within=width)

    def _put_levels(self, draft: PageDraft) -> None:
        """Draw a row of discs at the bottom of the page, with one disc for each level of the book.

        The discs up to this level are filled.
        """
        live, theme = draft.live, self.setting.theme
        count = len(self.setting.spec.levels)
        if not 2 <= count <= MOST_IN_ORNAMENT:
            return
        scale = LARGE_PRINT_ORNAMENT if self.setting.page.large_print else 1.0
        pitch = min(scale * ORNAMENT_PITCH_PT, live.width / count)
        first = (live.x + 0.3 * pitch, live.y + 0.3 * pitch)
        weight, measure = max(theme.rule_pt, 1.0), self.setting.measure
        draft.add(
            level_ornament(
                self.number, count, first, pitch_pt=pitch, ink=theme.accent, measure=measure, weight_pt=weight
            )
        )


def _put_opener_ornament(draft: PageDraft, puzzle: NumberedPuzzle, y: float) -> None:
    """Draw a solved board on a level's opening page, below the text.

    ``y`` is the last baseline of the text.
    """
    top, foot = y - draft.setting.theme.type.body, draft.live.y + SECTION_FOOT_PT
    put_ornament(draft, puzzle.record.solution, top=top, foot=foot)


def _mean_area(puzzles: Sequence[NumberedPuzzle]) -> float:
    return fmean(puzzle.record.puzzle.grid.size for puzzle in puzzles)


# Answer pages


@dataclass(frozen=True)
class SolutionsOpener(Part):
    """Opening page of the answers.

    If the answers are in a separate file, ``book_title`` is the title to print on the page. Otherwise it is
    empty.
    """

    place = SOLUTIONS_PLACE

    book_title: str

    @property
    def recto(self) -> bool:
        return bool(self.setting.spec.parts.recto)

    def compose(self, numbers: Sequence[int], index: Index) -> Iterator[Page]:
        words, draft = self.setting.words, PageDraft(self.setting, numbers[0])
        shown = range_words(self.setting, self.setting.edition.puzzles)
        draft.target(SOLUTIONS_PLACE, draft.live.top, words.solutions)
        facts = [*filter(None, [self.book_title]), words.solutions_say]
        y = set_opener(draft, words.solutions, shown, facts, "solutions")
        puzzles = self.setting.edition.puzzles
        _put_opener_ornament(draft, puzzles[len(puzzles) // 2], y)
        yield draft.page("opener", words.solutions, "solutions")


@dataclass(frozen=True)
class SolutionsPart(Part):
    """Answer pages of one level or of all levels.

    Args:
        named: whether the first page is the link target for the answers and is listed in the PDF outline. If
            the answers have an opening page, that page is the target instead.
    """

    puzzles: tuple[NumberedPuzzle, ...]
    named: bool = False

    @cached_property
    def sheets(self) -> BoardSheets:
        return BoardSheets(self.setting, AnswerPages(self.setting, self.puzzles).sheets, answers=True)

    @property
    def count(self) -> int:
        return self.sheets.page_count

    def places(self, numbers: Sequence[int]) -> Index:
        first = {SOLUTIONS_PLACE: numbers[0]} if self.named else {}
        return {**first, **self.sheets.page_of(numbers)}

    def compose(self, numbers: Sequence[int], index: Index) -> PageRun:
        return PageRun(numbers, lambda place, number: self._page(place, number, index), self.sheets.layouts)

    def _page(self, place: int, number: int, index: Index) -> Page:
        has_opener = not self.named and self.setting.spec.solutions.place is SolutionsPlace.BACK
        draft = self.sheets.draft(place, number, index, is_first=place == 0 and not has_opener)
        sheet = self.sheets.sheets[place]
        if self.named and place == 0:
            draft.target(SOLUTIONS_PLACE, draft.live.top, self.setting.words.solutions)
        return draft.page("solutions", self.setting.spec.headings[sheet.puzzles[0].record.level])


@dataclass(frozen=True)
class AnswerPages:
    """Distribute answers among pages. A page may have answers of several levels.

    Some methods take a range of answers. ``start`` and ``end`` are then indices into ``puzzles``, and ``end``
    is exclusive.
    """

    setting: Setting
    puzzles: tuple[NumberedPuzzle, ...]

    @cached_property
    def sheets(self) -> tuple[Sheet, ...]:
        """Return the pages of answers, as few as possible.

        If the last page would have far fewer answers than the page before it, these two pages share their
        answers evenly.

        Raises:
            LayoutError: the cells would be too small.
        """
        ranges: list[tuple[int, int]] = []
        start = 0
        while start < len(self.puzzles):
            end = min(start + self._most_from(start), len(self.puzzles))
            ranges.append((start, end))
            start = end
        even = evened(ranges)
        if even != ranges and all(self._fits(start, end) for start, end in even[-2:]):
            ranges = even
        return tuple(self._sheet(start, end) for start, end in ranges)

    @property
    def _fixed(self) -> int | None:
        """Return how many answers the spec wants on each page, or None if the spec says ``auto``."""
        per_page = self.setting.spec.solutions.per_page
        return None if per_page == "auto" else per_page

    @cached_property
    def _maker(self) -> SheetMaker:
        largest = largest_cell_mm(self.setting.page)
        usual = LARGEST_ANSWER_MM * (LARGE_PRINT if self._is_sparse else 1.0)
        most = usual * max(1.0, largest / LARGEST_CELL_MM)
        # The spec asks for one answer per page, so the answer may be as large as a puzzle.
        if self._fixed == 1:
            most = max(most, largest)
        return SheetMaker(self.setting, answers=True, most_mm=most)

    @property
    def _is_sparse(self) -> bool:
        return self.setting.page.large_print or self.setting.edition.screen

    @cached_property
    def _shapes(self) -> Mapping[str, tuple[Shape, ...]]:
        """Map the name of each level to the sizes and widest numbers of the boards in this level.

        A page has room for boards of any size that occurs in one of its levels. So the page count doesn't
        depend on the order of the boards.
        """
        return {
            name: shapes_of(puzzle for puzzle in self.puzzles if puzzle.record.level == name)
            for name in self._levels(0, len(self.puzzles))
        }

    def _levels(self, start: int, end: int) -> list[str]:
        return list(dict.fromkeys(puzzle.record.level for puzzle in self.puzzles[start:end]))

    @cached_property
    def _shapes_within(self) -> Callable[[int, int], tuple[Shape, ...]]:
        """Return a function that returns the sizes and widest numbers of the boards in some levels.

        They are the levels of the answers in a range. The arguments of the function are the index of the
        first answer and the index after the last. The function caches its results.
        """
        levels, shapes = self._levels, self._shapes
        return cache(lambda start, end: tuple(shape for name in levels(start, end) for shape in shapes[name]))

    def _most_from(self, start: int) -> int:
        """Return the maximum number of answers on the page that begins with the answer at index ``start``.

        Near the end of the book, fewer answers than this may be left.
        """
        if self._fixed is not None:
            return self._fixed
        for count in ANSWERS_PER_PAGE:
            end = start + count
            usual = self._usual_count(self._shapes_within(start, end))
            enough = count <= usual or self._are_as_large(count, usual, start)
            if enough and self._keeps(count, start, end):
                return count
        return 1

    def _usual_count(self, shapes: Sequence[Shape]) -> int:
        longest = max(max(shape.grid.rows, shape.grid.cols) for shape in shapes)
        usual = next((count for side, count in _USUAL_UP_TO if longest <= side), _USUAL_BEYOND)
        return min(usual, _USUAL_BEYOND) if self._is_sparse else usual

    def _are_as_large(self, count: int, usual: int, start: int) -> bool:
        """Return whether cells are nearly as large as usual if a page gets more answers than usual.

        Args:
            count: the number of answers on the page.
            usual: the usual number of answers on a page for boards of this size. ``count`` is larger.
            start: the index of the first answer on the page.
        """
        if self._is_sparse:
            return False
        grids = [shape.grid for shape in self._shapes_within(start, start + count)]
        more, fewer = (self._tiling(number, start, start + count) for number in (count, usual))
        return all(more.cell_pt(grid) >= NEARLY * fewer.cell_pt(grid) for grid in grids)

    def _fits(self, start: int, end: int) -> bool:
        return self._keeps(min(count for count in ANSWERS_PER_PAGE if count >= end - start), start, end)

    def _keeps(self, count: int, start: int, end: int) -> bool:
        tiling, shapes = self._tiling(count, start, end), self._shapes_within(start, end)
        return keeps_cells(self.setting, tiling, shapes, True)

    @cached_property
    def _tiling(self) -> Callable[[int, int, int], Tiling]:
        """Return a function that divides a page into tiles for a range of answers. It caches its results.

        Its arguments are the number of tiles, the index of the first answer and the index after the last.
        """
        tiling, within = self._maker.tiling, self._shapes_within
        return cache(lambda count, start, end: tiling(count, within(start, end), self.puzzles[start:end]))

    def _sheet(self, start: int, end: int) -> Sheet:
        """Lay out one page of answers.

        If the page has fewer answers than would fit, it is divided into fewer tiles, and the cells may be
        larger.
        """
        shown, shapes = self.puzzles[start:end], self._shapes_within(start, end)
        count = min(count for count in {*ANSWERS_PER_PAGE, self._fixed or 1} if count >= len(shown))
        tiling = self._tiling(count, start, end)
        for name in self._levels(start, end):
            check_cells(self.setting, tiling, self._shapes[name], name)
        sheet = Sheet(shown, tiling, shapes)
        most_pt = tiling.most_pt * max(1.0, LEAST_FILLED / sheet.filled)
        return replace(sheet, tiling=replace(tiling, most_pt=most_pt))


# Upside-down answers


@dataclass(frozen=True)
class LastAnswersPart(Part):
    """Last page of a book whose answers are at the bottom of pages.

    It has lines for notes, and the last answers.
    """

    strip: AnswerStrip

    def places(self, numbers: Sequence[int]) -> Index:
        return {solution_place(puzzle.number): numbers[0] for puzzle in self.strip.puzzles}

    def compose(self, numbers: Sequence[int], index: Index) -> Iterator[Page]:
        draft = PageDraft(self.setting, numbers[0])
        draft.furnish(self.setting.words.notes)
        draft.add([note_lines(draft, draft.content.without(bottom=self.strip.room_pt))])
        self.strip.put(draft, index)
        yield draft.page("solutions", self.setting.words.solutions)


@dataclass(frozen=True)
class AnswerStrip:
    """Rows of answers at the bottom of a page, printed upside down below a rule.

    Args:
        puzzles: the puzzles whose answers are shown.
        level: all puzzles of the same level. The sizes depend on all of them, so that all pages of the level
            look alike.
    Attributes:
        height_pt: the height of the rows of answers.
        room_pt: the height of the rows, the rule and the space around the rule.
    """

    setting: Setting
    puzzles: tuple[NumberedPuzzle, ...]
    level: tuple[NumberedPuzzle, ...]

    def put(self, draft: PageDraft, index: Index) -> None:
        """Draw the answers at the bottom of a page."""
        area, height = draft.content, self.height_pt
        rule = area.y + height + STRIP_SPACE_PT
        draft.add(
            [Rects(((area.x, rule, area.width, self.setting.theme.rule_pt),), self.setting.theme.accent)]
        )
        # Draw the answers upright on a separate draft. The result is then rotated by 180 degrees.
        upright = PageDraft(self.setting, draft.number)
        corners = self._corners(Area(0.0, 0.0, area.width, height))
        caption_pt = self._captions.height_pt(self._lines)
        for puzzle, (x, y) in zip(self.puzzles, corners, strict=True):
            name, record = solution_place(puzzle.number), puzzle.record
            board = self.setting.board(record.puzzle, record.solution, self._cell_pt)
            upright.add((Placed(name, board, x, y),))
            box = Area(x, y, board.width_pt, board.height_pt)
            width = min(self._widest_pt + self._gap_pt - CAPTION_GAP_PT, area.width - x)
            self._captions.put(upright, puzzle, box, index, width_pt=width, height_pt=caption_pt)
            draft.target(name, area.y + height)
            left, bottom = area.right - box.right, area.y + height - box.top
            turned = (left, bottom, box.width, box.height)
            draft.link_area(turned, puzzle_place(puzzle.number))
            draft.puzzle_region(turned, "solutions", Role.ANSWER, puzzle.number)
        frame = Frame(max(map(_right_of, upright.items)), height, upright.items)
        name = f"answers-on-{draft.number}"
        draft.add([Placed(name, frame, area.right - frame.width_pt, area.y, turned=180)])

    @property
    def room_pt(self) -> float:
        return self.height_pt + 2 * STRIP_SPACE_PT

    @cached_property
    def height_pt(self) -> float:
        return -(-len(self.puzzles) // self._per_row) * self._pitch_pt - STRIP_SPACE_PT

    def _corners(self, area: Area) -> Iterator[tuple[float, float]]:
        """Yield the bottom left corner of each board. The boards of a row are aligned at their top edges."""
        width, outline = self._widest_pt, self.setting.theme.grid.outer_pt
        top = area.top - self._captions.height_pt(self._lines)
        for index, puzzle in enumerate(self.puzzles):
            row, col = divmod(index, self._per_row)
            height = puzzle.record.puzzle.grid.rows * self._cell_pt + outline
            yield area.x + col * (width + self._gap_pt), top - row * self._pitch_pt - height

    @cached_property
    def _captions(self) -> Captions:
        return Captions(self.setting, answers=True)

    @cached_property
    def _lines(self) -> int:
        return 1 if all(self._captions.fits(puzzle, self._cell_pt) for puzzle in self.level) else 2

    @cached_property
    def _cell_pt(self) -> float:
        needed = max(least_cell_pt(self.setting, shape, answer=True)[0] for shape in shapes_of(self.level))
        return max(needed, STRIP_CELL_PT)

    @cached_property
    def _widest_pt(self) -> float:
        widest = max(puzzle.record.puzzle.grid.cols for puzzle in self.level)
        return widest * self._cell_pt + self.setting.theme.grid.outer_pt

    @cached_property
    def _pitch_pt(self) -> float:
        """Return the distance in points between two rows of answers, from top to top."""
        tallest = max(puzzle.record.puzzle.grid.rows for puzzle in self.level)
        board = tallest * self._cell_pt + self.setting.theme.grid.outer_pt
        return board + self._captions.height_pt(self._lines) + STRIP_SPACE_PT

    @cached_property
    def _gap_pt(self) -> float:
        return (self._width_pt - self._per_row * self._widest_pt) / max(1, self._per_row - 1)

    @cached_property
    def _width_pt(self) -> float:
        return PageDraft(self.setting, 1).content.width

    @cached_property
    def _per_row(self) -> int:
        fitting = int((self._width_pt + STRIP_GAP_PT) / (self._widest_pt + STRIP_GAP_PT))
        if fitting < 1:
            raise LayoutError(
                f"a legible answer of level {self.puzzles[0].record.level!r} is "
                f"{self._widest_pt / 72:.1f} in wide, and the page has {self._width_pt / 72:.1f} in: choose "
                "another place, a larger page.trim or smaller boards.",
                "solutions.place",
            )
        return fitting


def _right_of(item: Item) -> float:
    assert isinstance(item, (Placed, TextRun))
    return item.x + (item.width_pt if isinstance(item, TextRun) else item.frame.width_pt)


# Technique paragraphs


def level_words(
    words: Words, earlier: Sequence[Sequence[NumberedPuzzle]], level: Sequence[NumberedPuzzle]
) -> list[Text]:
    """Write the paragraph about solving techniques for the opening page of a level.

    Args:
        words: the phrases of the book's language.
        earlier: the puzzles of each earlier level.
        level: the puzzles of this level, from easy to hard.
    Returns:
        The sentences of the paragraph. The list is empty if the level needs no new technique, or if nothing
        is known about its techniques.
    """
    if not any(puzzle.record.findings for puzzle in level):
        return []
    known = {name for puzzles in earlier for name in _needed(puzzles)}
    new = [name for name in _needed(level) if name not in known]
    sentences = []
    if new:
        listed = new[-_MOST_NAMED:] if earlier else new[-_MOST_AT_FIRST:]
        names = words.listed([words.techniques[name].name for name in listed])
        template = words.level.new if earlier else words.level.first
        sentences += [words.say(template, tricks=names), words.techniques[listed[0]].lesson]
    if any(_goes_beyond(puzzle) for puzzle in level):
        sentences.append(words.level.beyond)
    return [
        Text(f"{words.sentence_gap * bool(index)}{text}", strong=index == 0)
        for index, text in enumerate(sentences)
    ]


def _needed(puzzles: Sequence[NumberedPuzzle]) -> Iterator[str]:
    """Yield the name of each technique that at least one of the puzzles needs, from easy to hard."""
    needed = {name for puzzle in puzzles for name in puzzle.record.findings}
    yield from (technique.name for technique in TECHNIQUES if technique.name in needed)


def _goes_beyond(puzzle: NumberedPuzzle) -> bool:
    """Return whether a puzzle can't be solved with linkpress's techniques alone.

    The record of such a puzzle has no hardest technique, or its ``findings`` contain a name that is not a
    technique.
    """
    names = {technique.name for technique in TECHNIQUES}
    return puzzle.record.technique is None or not puzzle.record.findings.keys() <= names
