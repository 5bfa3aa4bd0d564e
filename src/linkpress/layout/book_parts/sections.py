"""A level is its opener and its puzzles, so many to a page; the answers of all levels follow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from linkpress.book.level import LevelSpec
from linkpress.book.printing_keys import QrPer, SolutionsPlace
from linkpress.book.volume import NumberedPuzzle
from linkpress.layout.boards.answers import AnswerPages, AnswerStrip
from linkpress.layout.boards.board_captions import qr_frame, section_code_text
from linkpress.layout.boards.ornaments import level_ornament
from linkpress.layout.boards.sheets import BoardSheets, SheetMaker, board_sizes, range_words
from linkpress.layout.boards.tiles import PER_PAGE, counts_up_to, largest_cell_mm
from linkpress.layout.book_parts.howto import explains_grades, grade_lines, grades_of, section_grades
from linkpress.layout.book_parts.matter import note_lines
from linkpress.layout.edition import SOLUTIONS_PLACE, Index, PageRun, Part, level_place, solution_place
from linkpress.layout.frame import Anchor, Area, Page, Placed
from linkpress.layout.page_draft import DESCENT, PageDraft, set_opener, text_column
from linkpress.layout.text_flow import flow

SECTION_QR_PT = 72.0
SECTION_FOOT_PT = 110.0  # kept for the code, its words and the ornament
ORNAMENT_PITCH_PT = 44.0
LARGE_PRINT_ORNAMENT = 1.2  # times that, so that its numbers have 16 pt
MOST_IN_ORNAMENT = 12  # levels; more would need discs too small for their numbers


@dataclass(frozen=True)
class SectionPart(Part):
    """This part has the pages of one level, which has a number, from 0, and one puzzle or more."""

    levels: Sequence[LevelSpec]
    number: int
    puzzles: tuple[NumberedPuzzle, ...]
    before: SectionPart | None
    opens: bool
    recto: bool = False

    @property
    def level(self) -> LevelSpec:
        """Return the level's keys, which say how it is printed."""
        return self.levels[self.number]

    @property
    def key(self) -> str:
        """Return the spec's key of the level."""
        return f"levels[{self.number}]"

    @property
    def one_sided(self) -> bool:
        """Tell whether the backs of its pages stay empty, as the spec wants."""
        return self.setting.page.single_sided

    @cached_property
    def sheets(self) -> BoardSheets:
        """Return the puzzle pages; ``auto`` prints as many to a page as keep comfortable squares."""
        fixed = 1 if self.setting.page.large_print else self.level.per_page
        counts = counts_up_to(len(self.puzzles), PER_PAGE) if fixed == "auto" else (fixed,)
        if self.setting.screen and fixed != "auto":
            counts = (fixed, *(count for count in PER_PAGE if count < fixed))
        foot = self._foot_pt if self.at_foot else None
        maker = SheetMaker(self.setting, answers=False, most_mm=largest_cell_mm(self.setting.page), foot=foot)
        made = maker.alike(self.puzzles, counts, comfort=fixed == "auto", key=self.key)
        return BoardSheets(self.setting, made, answers=False)

    @property
    def at_foot(self) -> bool:
        """Tell whether each page has the answers of the one before at its foot."""
        return self.setting.solutions.place is SolutionsPlace.UPSIDE_DOWN

    @cached_property
    def last_answers(self) -> AnswerStrip:
        """Return the answers of its last page, which the next page of puzzles has."""
        return AnswerStrip(self.setting, self.sheets.sheets[-1].puzzles, self.puzzles)

    def _foot_pt(self, count: int) -> float:
        room_pt = AnswerStrip(self.setting, self.puzzles[:count], self.puzzles).room_pt
        return max(room_pt, self.before.last_answers.room_pt if self.before else 0.0)

    @cached_property
    def _strips(self) -> tuple[AnswerStrip | None, ...]:
        if not self.at_foot:
            return (None,) * self.sheets.page_count
        first = self.before.last_answers if self.before else None
        strips = (AnswerStrip(self.setting, sheet.puzzles, self.puzzles) for sheet in self.sheets.sheets[:-1])
        return (first, *strips)

    @property
    def count(self) -> int:
        """Return the number of its opener and puzzle pages."""
        return self.opens + self.sheets.page_count

    def places(self, numbers: Sequence[int]) -> Index:
        """Return the place of the opener, of each puzzle and of each answer at a foot."""
        feet = {
            solution_place(puzzle.number): number
            for strip, number in zip(self._strips, numbers[self.opens :], strict=True)
            for puzzle in (strip.puzzles if strip else ())
        }
        return {level_place(self.number): numbers[0], **self.sheets.page_of(numbers[self.opens :]), **feet}

    def compose(self, numbers: Sequence[int], index: Index) -> PageRun:
        """Compose the pages."""
        return PageRun(numbers, lambda place, number: self._page(place, number, index))

    def _page(self, place: int, number: int, index: Index) -> Page:
        if self.opens and place == 0:
            return self._opener(number, index)
        draft, strip = self.sheets.draft(place - self.opens, number, index), self._strips[place - self.opens]
        if place == 0:
            draft.target(level_place(self.number), draft.live.top, self.level.heading)
        if strip is not None:
            strip.put(draft, index)
        return draft.page("puzzles", self.level.heading)

    def _opener(self, number: int, index: Index) -> Page:
        draft = PageDraft(self.setting, number)
        draft.target(level_place(self.number), draft.live.top, self.level.heading)
        words = self.setting.words
        sizes = words.say(words.squares, sizes=board_sizes(words, self.puzzles))
        facts = (
            f"{words.count_of(len(self.puzzles))} · {sizes}",
            self._solutions_words(index[solution_place(self.puzzles[0].number)]),
        )
        shown = range_words(self.setting, self.puzzles)
        y = set_opener(draft, self.level.heading, shown, facts, f"{self.key}.name")
        self._grade(draft, y)
        self._ornament(draft)
        self._code(draft)
        return draft.page("opener", self.level.heading)

    def _solutions_words(self, page: int) -> str:
        words, place = self.setting.words, self.setting.solutions.place
        if place is SolutionsPlace.UPSIDE_DOWN:
            return words.solutions_at_foot
        apart = place is SolutionsPlace.FILE
        return words.say(words.solutions_in_file if apart else words.solutions_from, page=str(page))

    def _grade(self, draft: PageDraft, y: float) -> None:
        """Print the level's grades, in the room between its facts and the page's foot."""
        if not explains_grades(self.setting, self.levels):
            return
        size = self.setting.theme.type.body
        words = self.setting.words
        each_takes = grade_lines(words, self.levels)
        block = section_grades(words, size, self.level.heading, grades_of(self.puzzles), each_takes)
        if block is None:
            return
        column, foot = text_column(draft), draft.live.y + SECTION_FOOT_PT
        area = Area(column.x, foot, column.width, y - 1.2 * size - foot)
        lines = flow([block], area, self.setting.measure)
        if len(lines) == 1 and area.height >= block.leading_pt:
            draft.add(lines[0][0])

    def _code(self, draft: PageDraft) -> None:
        qr, scale = self.setting.qr, self.setting.theme.type
        if qr is None or qr.per is not QrPer.SECTION:
            return
        first, last = self.puzzles[0].number, self.puzzles[-1].number
        text = section_code_text(qr.text, self.number + 1, first, last, self.setting.play_url)
        foot = draft.live.y + DESCENT * scale.small
        x, y = draft.live.right - SECTION_QR_PT, foot + 1.4 * scale.small
        draft.add([Placed(f"qr-{level_place(self.number)}", qr_frame(text, SECTION_QR_PT), x, y)])
        point, room = (draft.live.right, foot), draft.live.width
        draft.text(self.setting.words.scan, point, scale.small, anchor=Anchor.END, where="qr", within=room)

    def _ornament(self, draft: PageDraft) -> None:
        live, theme, measure = draft.live, self.setting.theme, self.setting.measure
        count = len(self.levels)
        if not 2 <= count <= MOST_IN_ORNAMENT:
            return
        large = LARGE_PRINT_ORNAMENT if self.setting.page.large_print else 1.0
        pitch = min(large * ORNAMENT_PITCH_PT, live.width / count)
        corner = (live.x + 0.3 * pitch, live.y + 0.3 * pitch)
        weight = max(theme.rule_pt, 1.0)
        draft.add(level_ornament(self.number, count, corner, pitch, theme.accent, measure, weight))


@dataclass(frozen=True)
class SolutionsOpener(Part):
    """The page before the answers has the book's title where they have a file of their own."""

    place = SOLUTIONS_PLACE

    puzzles: Sequence[NumberedPuzzle]
    book_title: str
    recto: bool = False

    def compose(self, numbers: Sequence[int], index: Index) -> Iterator[Page]:
        """Compose the page."""
        words, draft = self.setting.words, PageDraft(self.setting, numbers[0])
        draft.target(SOLUTIONS_PLACE, draft.live.top, words.solutions)
        facts = [*filter(None, [self.book_title]), words.solutions_say]
        set_opener(draft, words.solutions, range_words(self.setting, self.puzzles), facts, "solutions")
        yield draft.page("opener", words.solutions)


@dataclass(frozen=True)
class SolutionsPart(Part):
    """The answers are of a level, or of all; where no opener leads to them, outline and contents do."""

    puzzles: tuple[NumberedPuzzle, ...]
    named: bool = False

    @cached_property
    def sheets(self) -> BoardSheets:
        """Return the pages."""
        return BoardSheets(self.setting, AnswerPages(self.setting, self.puzzles).sheets, answers=True)

    @property
    def count(self) -> int:
        """Return the number of pages that the answers need."""
        return self.sheets.page_count

    def places(self, numbers: Sequence[int]) -> Index:
        """Return the place of each answer."""
        first = {SOLUTIONS_PLACE: numbers[0]} if self.named else {}
        return {**first, **self.sheets.page_of(numbers)}

    def compose(self, numbers: Sequence[int], index: Index) -> PageRun:
        """Compose the pages."""
        return PageRun(numbers, lambda place, number: self._page(place, number, index))

    def _page(self, place: int, number: int, index: Index) -> Page:
        draft, sheet = self.sheets.draft(place, number, index), self.sheets.sheets[place]
        if self.named and place == 0:
            draft.target(SOLUTIONS_PLACE, draft.live.top, self.setting.words.solutions)
        return draft.page("solutions", self.setting.headings[sheet.puzzles[0].record.level])


@dataclass(frozen=True)
class LastAnswersPart(Part):
    """The last page has the last puzzles' answers upside down at its foot, with lines for notes above."""

    strip: AnswerStrip

    def places(self, numbers: Sequence[int]) -> Index:
        """Return the place of each answer."""
        return {solution_place(puzzle.number): numbers[0] for puzzle in self.strip.puzzles}

    def compose(self, numbers: Sequence[int], index: Index) -> Iterator[Page]:
        """Compose the page."""
        draft = PageDraft(self.setting, numbers[0])
        draft.furnish(self.setting.words.notes)
        draft.add([note_lines(draft, draft.content.without(bottom=self.strip.room_pt))])
        self.strip.put(draft, index)
        yield draft.page("solutions", self.setting.words.solutions)
