"""The words at a board: its number and what it is on the left, the other page on the right."""

from __future__ import annotations

from dataclasses import dataclass

from linkpress.book.volume import NumberedPuzzle
from linkpress.layout.book_parts.part import Index, puzzle_place, solution_place
from linkpress.layout.edition import Setting
from linkpress.layout.frame import Anchor, FontKey
from linkpress.layout.geometry import Area
from linkpress.layout.page_draft import PageDraft

ASCENT = 0.75  # of the size, kept free above the baseline of the first line
LINE = 1.35  # of the size, from the caption's first baseline to its second
WIDEST_PAGE = 888  # three digits, for judging whether a caption fits


@dataclass(frozen=True)
class BoardCaptions:
    """How the captions of puzzles, or of answers, are set.

    Args:
        setting: of the book.
        answers: whether they refer to the puzzle instead of the answer.
        number_pt: size of the number.
        text_pt: size of the other words.
        gap_pt: from the last baseline to the board.
    """

    setting: Setting
    answers: bool
    number_pt: float
    text_pt: float
    gap_pt: float

    def height(self, lines: int) -> float:
        """Of a caption in one or two lines."""
        return ASCENT * self.number_pt + self.gap_pt + (lines - 1) * LINE * self.text_pt

    def fits(self, puzzle: NumberedPuzzle, cell_pt: float) -> bool:
        """Whether one line has room for the caption over a board with such squares."""
        measure = self.setting.measure
        words = self._detail(puzzle) + self._page_words(WIDEST_PAGE)
        needed = measure.width(str(puzzle.number), FontKey.SEMIBOLD, self.number_pt)
        needed += measure.width(words, FontKey.REGULAR, self.text_pt)
        needed += 0.6 * self.number_pt + self.text_pt
        return needed <= cell_pt * puzzle.record.puzzle.grid.cols

    def put(
        self, draft: PageDraft, puzzle: NumberedPuzzle, board: Area, index: Index, one_line: bool
    ) -> None:
        """Set a board's caption above it.

        Args:
            draft: the page.
            puzzle: the board's.
            board: where it stands.
            index: of the whole book.
            one_line: else the page reference stands on a line of its own.
        """
        other = puzzle_place(puzzle.number) if self.answers else solution_place(puzzle.number)
        words = self._page_words(index[other])
        y = board.top + self.gap_pt
        if one_line:
            said = draft.text(words, (board.right, y), self.text_pt, anchor=Anchor.END)
        else:
            said = draft.text(words, (board.x, y), self.text_pt)
            y += LINE * self.text_pt
        draft.link(said, other)
        number = draft.text(str(puzzle.number), (board.x, y), self.number_pt, strong=True)
        detail = self._detail(puzzle)
        if detail:
            draft.text(detail, (number.x + number.width_pt + 0.6 * self.number_pt, y), self.text_pt)

    def _page_words(self, page: int) -> str:
        words = self.setting.words
        return words.say(words.puzzle_on if self.answers else words.solution_on, page=str(page))

    def _detail(self, puzzle: NumberedPuzzle) -> str:
        return "" if self.answers else size_words(self.setting, puzzle)


def puzzle_caption(setting: Setting) -> BoardCaptions:
    """Over puzzles: the number in its own size, size and grade, the answer's page."""
    scale = setting.theme.type
    return BoardCaptions(setting, False, scale.number, scale.caption, 0.62 * scale.number)


def answer_caption(setting: Setting) -> BoardCaptions:
    """Over answers: smaller, the number and the puzzle's page."""
    scale = setting.theme.type
    return BoardCaptions(setting, True, scale.caption, scale.small, 0.55 * scale.caption)


def size_words(setting: Setting, puzzle: NumberedPuzzle) -> str:
    """The board's size, and its grade where it has one."""
    grid = puzzle.record.puzzle.grid
    size = setting.words.say(setting.words.size, cols=grid.cols, rows=grid.rows)
    return size if puzzle.record.grade is None else f"{size} · {setting.words.grades[puzzle.record.grade]}"


def range_words(setting: Setting, puzzles: tuple[NumberedPuzzle, ...]) -> str:
    """``Puzzle 7`` or ``Puzzles 7–12``."""
    if not puzzles:
        return ""
    first, last = puzzles[0].number, puzzles[-1].number
    if first == last:
        return setting.words.say(setting.words.puzzle, number=str(first))
    return setting.words.say(setting.words.puzzles, first=str(first), last=str(last))


def board_sizes(setting: Setting, puzzles: tuple[NumberedPuzzle, ...]) -> str:
    """The boards' sizes as a text: each once, or the smallest and largest of many."""
    grids = [puzzle.record.puzzle.grid for puzzle in puzzles]
    sizes = sorted({(grid.rows * grid.cols, grid.cols, grid.rows) for grid in grids})
    named = [setting.words.say(setting.words.size, cols=cols, rows=rows) for _, cols, rows in sizes]
    return setting.words.listed(named) if len(named) <= 3 else f"{named[0]} – {named[-1]}"
