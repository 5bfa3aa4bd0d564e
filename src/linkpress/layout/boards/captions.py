"""The words at a board: its number and what it is on the left, the other page on the right or below."""

from __future__ import annotations

from dataclasses import dataclass

from linkpress.book.printing_keys import SolutionsPlace
from linkpress.book.volume import NumberedPuzzle
from linkpress.layout.edition import Index, Setting, puzzle_place, solution_place
from linkpress.layout.frame import Anchor, FontKey
from linkpress.layout.geometry import Area
from linkpress.layout.page_draft import PageDraft
from linkpress.layout.theme import TypeScale

ASCENT = 0.75  # of the size, kept free above the baseline of a caption's first line
LINE = 1.35  # of the size, from the caption's first baseline to its second
WIDEST_PAGE = 888  # three digits, for judging whether a caption fits


@dataclass(frozen=True)
class Captions:
    """The captions of puzzles, or of answers.

    Args:
        answers: whether they stand at answers.
    """

    setting: Setting
    answers: bool

    @property
    def sizes_pt(self) -> tuple[float, float, float]:
        """Sizes of the number and of the other words, and from the last baseline to the board."""
        scale: TypeScale = self.setting.theme.type
        if self.answers:
            return scale.caption, scale.small, 0.55 * scale.caption
        return scale.number, scale.caption, 0.62 * scale.number

    def height_pt(self, lines: int) -> float:
        """The room that a caption of so many lines takes above its board."""
        number_pt, text_pt, gap_pt = self.sizes_pt
        return ASCENT * number_pt + gap_pt + (lines - 1) * LINE * text_pt

    def fits(self, puzzle: NumberedPuzzle, cell_pt: float) -> bool:
        """Whether one line has room for the caption over a board with such squares."""
        measure, (number_pt, text_pt, _) = self.setting.measure, self.sizes_pt
        words = self._detail(puzzle) + self.page_words(WIDEST_PAGE)
        needed = measure.width(str(puzzle.number), FontKey.SEMIBOLD, number_pt)
        needed += measure.width(words, FontKey.REGULAR, text_pt)
        needed += 0.6 * number_pt + text_pt
        return needed <= cell_pt * puzzle.record.puzzle.grid.cols

    def put(
        self, draft: PageDraft, puzzle: NumberedPuzzle, board: Area, caption_pt: float, index: Index
    ) -> None:
        """Set a caption above its board.

        Args:
            caption_pt: the room kept for it, which says whether it has one line or two.
            index: the page of each named place.
        """
        number_pt, text_pt, gap_pt = self.sizes_pt
        other = puzzle_place(puzzle.number) if self.answers else solution_place(puzzle.number)
        words = self.page_words(index[other])
        y = board.top + gap_pt
        if caption_pt < self.height_pt(2) - 0.01:
            said = draft.text(words, (board.right, y), text_pt, anchor=Anchor.END)
        else:
            said = draft.text(words, (board.x, y), text_pt)
            y += LINE * text_pt
        draft.link(said, other)
        number = draft.text(str(puzzle.number), (board.x, y), number_pt, strong=True)
        detail = self._detail(puzzle)
        if detail:
            draft.text(detail, (number.x + number.width_pt + 0.6 * number_pt, y), text_pt)

    def page_words(self, page: int) -> str:
        """Where the answer to a puzzle is, or the puzzle of an answer."""
        words, place = self.setting.words, self.setting.spec.solutions.place
        if self.answers:
            return words.say(words.puzzle_on, page=str(page))
        apart = place is SolutionsPlace.FILE
        return words.say(words.solution_in_file if apart else words.solution_on, page=str(page))

    def _detail(self, puzzle: NumberedPuzzle) -> str:
        """A puzzle's size, and its grade where it has one; nothing at answers."""
        if self.answers:
            return ""
        words, grid, grade = self.setting.words, puzzle.record.puzzle.grid, puzzle.record.grade
        size = words.say(words.size, cols=grid.cols, rows=grid.rows)
        return size if grade is None else f"{size} · {words.grades[grade]}"
