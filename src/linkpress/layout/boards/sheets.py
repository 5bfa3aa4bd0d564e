"""Boards on equal tiles, page after page, with the words at them: puzzles and answers alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from linkpress.book.printing_keys import QrPer, QrSpec
from linkpress.book.volume import NumberedPuzzle
from linkpress.layout.boards.board import board_frame
from linkpress.layout.boards.qr import puzzle_text, qr_figure
from linkpress.layout.boards.tiles import Shape, Tiling, check_cells, keeps_cells, shapes_of, tile_page
from linkpress.layout.edition import Index, Setting, puzzle_place, solution_place
from linkpress.layout.frame import Anchor, FontKey, NamedFrame, Page, Placed
from linkpress.layout.geometry import Area
from linkpress.layout.page_draft import PageDraft
from linkpress.layout.theme import TypeScale

ASCENT = 0.75  # of the size, kept free above the baseline of a caption's first line
LINE = 1.35  # of the size, from the caption's first baseline to its second
WIDEST_PAGE = 888  # three digits, for judging whether a caption fits
LIFT = 0.56  # of the free height lies under a board that has the page to itself: the optical centre
MOST_GAP = 0.36  # of a board, between two columns, or two rows of answers
TARGET_RISE_PT = 6.0
QR_PT = 56.0  # 41 modules and the quiet zone at 0.4 mm each: a 12 × 12 board on puzz.link


def range_words(setting: Setting, puzzles: Sequence[NumberedPuzzle]) -> str:
    """``Puzzle 7`` or ``Puzzles 7–12``."""
    if not puzzles:
        return ""
    first, last = puzzles[0].number, puzzles[-1].number
    if first == last:
        return setting.words.say(setting.words.puzzle, number=str(first))
    return setting.words.say(setting.words.puzzles, first=str(first), last=str(last))


def board_sizes(setting: Setting, puzzles: Sequence[NumberedPuzzle]) -> str:
    """The boards' sizes as a text: each once, or the smallest and largest of many."""
    grids = [puzzle.record.puzzle.grid for puzzle in puzzles]
    sizes = sorted({(grid.rows * grid.cols, grid.cols, grid.rows) for grid in grids})
    named = [setting.words.say(setting.words.size, cols=cols, rows=rows) for _, cols, rows in sizes]
    return setting.words.listed(named) if len(named) <= 3 else f"{named[0]} – {named[-1]}"


@dataclass(frozen=True)
class BoardSheets:
    """The boards of one level, or their answers.

    Args:
        puzzles: in order, one or more.
        answers: whether the answers are drawn.
        level: its name.
        per_page: numbers of boards on a page, tried in turn; the last one must do.
        comfort: whether a number is passed over that leaves boards smaller than is comfortable.
        most_mm: side of the largest square.
    """

    setting: Setting
    puzzles: tuple[NumberedPuzzle, ...]
    answers: bool
    level: str
    per_page: tuple[int, ...]
    comfort: bool
    most_mm: float

    @cached_property
    def page_count(self) -> int:
        """Pages that the boards need."""
        return -(-len(self.puzzles) // self.tiling.count)

    @cached_property
    def tiling(self) -> Tiling:
        """The tiles, on a recto.

        Raises:
            LayoutError: a square would be smaller than is allowed.
        """
        for count in self.per_page:
            tiling = self._divide(count)
            if keeps_cells(self.setting, tiling, self._shapes, self.answers, self.comfort):
                return tiling
        check_cells(self.setting, tiling, self._shapes, self.answers, self.level)
        return tiling

    def page_of(self, numbers: Sequence[int]) -> dict[str, int]:
        """The page of each board's place.

        Args:
            numbers: of the sheets' pages.
        """
        per_page = self.tiling.count
        return {self._place(p.number): numbers[at // per_page] for at, p in enumerate(self.puzzles)}

    def pages(self, numbers: Sequence[int], index: Index) -> Iterator[Page]:
        """The finished pages.

        Args:
            numbers: of the sheets' pages.
        """
        words, per_page = self.setting.words, self.tiling.count
        head = words.say(words.section_solutions, section=self.level) if self.answers else self.level
        for sheet, number in enumerate(numbers):
            draft = PageDraft(self.setting, number)
            shown = self.puzzles[sheet * per_page : (sheet + 1) * per_page]
            draft.furnish(head, range_words(self.setting, shown))
            self._fill(draft, shown, index)
            yield draft.page("solutions" if self.answers else "puzzles", self.level)

    def _fill(self, draft: PageDraft, shown: Sequence[NumberedPuzzle], index: Index) -> None:
        tiling, setting = self.tiling, self.setting
        dx = draft.live.x - self._recto.live.x
        for position, puzzle in enumerate(shown):
            board = puzzle.record.puzzle
            frame = board_frame(
                board,
                puzzle.record.solution if self.answers else None,
                tiling.cell_pt(board.grid),
                setting.theme,
                setting.measure,
                setting.min_text_pt,
            )
            x, y = self._corner(shown, position, frame.height_pt)
            area = Area(x + dx, y, frame.width_pt, frame.height_pt)
            name = self._place(puzzle.number)
            draft.add((Placed(NamedFrame(name, frame), area.x, area.y),))
            draft.target(name, area.top + tiling.caption_pt + TARGET_RISE_PT)
            self._put_caption(draft, puzzle, area, index)
            self._put_code(draft, puzzle, area)

    def _corner(
        self, shown: Sequence[NumberedPuzzle], position: int, height_pt: float
    ) -> tuple[float, float]:
        """Where a board's bottom left corner stands on a recto.

        The boards of a page keep left in columns as wide as the widest of them. The captions of a row
        stand on one line, that of its tallest board.
        """
        tiling = self.tiling
        grids = [puzzle.record.puzzle.grid for puzzle in shown]
        widest = max(grid.cols * tiling.cell_pt(grid) for grid in grids) + tiling.outline_pt
        first = position - position % tiling.cols
        tallest = max(grid.rows * tiling.cell_pt(grid) for grid in grids[first : first + tiling.cols])
        tallest += tiling.outline_pt + tiling.caption_pt + tiling.foot_pt
        block = height_pt + tiling.caption_pt + tiling.foot_pt
        tile = tiling.tile(position)
        x = tile.centre + self._pull(position, widest) - widest / 2
        y = tile.y + (tile.height - tallest) * self._lift + tallest - block + tiling.foot_pt
        return x, y + position // tiling.cols * self._closer

    @property
    def _lift(self) -> float:
        """The share of a tile's free height that lies under its board.

        Answers hang from one line, so that the eye finds them at the same height on every page.
        """
        if self.tiling.count == 1:
            return LIFT
        return 1.0 if self.answers else 0.5

    @cached_property
    def _closer(self) -> float:
        """How much nearer to the one above a row of answers stands than its tile would have it."""
        if not self.answers:
            return 0.0
        tiling = self.tiling
        tallest = max(shape.grid.rows * tiling.cell_pt(shape.grid) for shape in self._shapes)
        tallest += tiling.outline_pt + tiling.caption_pt
        white = tiling.size_pt[1] + tiling.gap_pt - tallest
        return max(0.0, white - max(tiling.gap_pt, MOST_GAP * tallest))

    def _pull(self, position: int, width_pt: float) -> float:
        """How far a column is moved off its tiles' middle, so that none strays from the others.

        With room to spare between columns, outer columns keep the edges of the live area, where
        running heads and captions of other pages begin; with far too much, the columns
        move in, by more than a gap: less would look like a slip.
        """
        tiling = self.tiling
        if tiling.cols == 1:
            return 0.0
        free = tiling.size_pt[0] - width_pt
        most = max(tiling.gap_pt, MOST_GAP * width_pt)
        spread = tiling.area.width - tiling.cols * width_pt - (tiling.cols - 1) * most
        edge = spread / 2 if spread > 2 * tiling.gap_pt else 0.0
        reach = free / 2 - edge  # of the outermost columns; negative moves them in
        return reach * (2 * (position % tiling.cols) / (tiling.cols - 1) - 1)

    def _place(self, number: int) -> str:
        return solution_place(number) if self.answers else puzzle_place(number)

    @cached_property
    def _recto(self) -> PageDraft:
        return PageDraft(self.setting, 1)

    @cached_property
    def _shapes(self) -> tuple[Shape, ...]:
        return shapes_of(self.puzzles)

    def _divide(self, count: int) -> Tiling:
        """Tiles with captions of one line, or of two where one is too narrow for the words."""
        area, shapes, most = self._recto.content, self._shapes, self.most_mm
        foot = QR_PT + 2 if self._code is not None else 0.0
        tiling = tile_page(self.setting, area, count, shapes, self._caption_pt(1), most, foot)
        for puzzle in self.puzzles:
            if not self._fits(puzzle, tiling.cell_pt(puzzle.record.puzzle.grid)):
                return tile_page(self.setting, area, count, shapes, self._caption_pt(2), most, foot)
        return tiling

    # The caption: the number and what it is on the left, the other page on the right or on a line below.

    @cached_property
    def _type(self) -> tuple[float, float, float]:
        """Sizes of the number and of the other words, and from the last baseline to the board."""
        scale: TypeScale = self.setting.theme.type
        if self.answers:
            return scale.caption, scale.small, 0.55 * scale.caption
        return scale.number, scale.caption, 0.62 * scale.number

    def _caption_pt(self, lines: int) -> float:
        number_pt, text_pt, gap_pt = self._type
        return ASCENT * number_pt + gap_pt + (lines - 1) * LINE * text_pt

    def _fits(self, puzzle: NumberedPuzzle, cell_pt: float) -> bool:
        """Whether one line has room for the caption over a board with such squares."""
        measure, (number_pt, text_pt, _) = self.setting.measure, self._type
        words = self._detail(puzzle) + self._page_words(WIDEST_PAGE)
        needed = measure.width(str(puzzle.number), FontKey.SEMIBOLD, number_pt)
        needed += measure.width(words, FontKey.REGULAR, text_pt)
        needed += 0.6 * number_pt + text_pt
        return needed <= cell_pt * puzzle.record.puzzle.grid.cols

    def _put_caption(self, draft: PageDraft, puzzle: NumberedPuzzle, board: Area, index: Index) -> None:
        number_pt, text_pt, gap_pt = self._type
        other = puzzle_place(puzzle.number) if self.answers else solution_place(puzzle.number)
        words = self._page_words(index[other])
        y = board.top + gap_pt
        if self.tiling.caption_pt < self._caption_pt(2) - 0.01:
            said = draft.text(words, (board.right, y), text_pt, anchor=Anchor.END)
        else:
            said = draft.text(words, (board.x, y), text_pt)
            y += LINE * text_pt
        draft.link(said, other)
        number = draft.text(str(puzzle.number), (board.x, y), number_pt, strong=True)
        detail = self._detail(puzzle)
        if detail:
            draft.text(detail, (number.x + number.width_pt + 0.6 * number_pt, y), text_pt)

    def _page_words(self, page: int) -> str:
        words = self.setting.words
        return words.say(words.puzzle_on if self.answers else words.solution_on, page=str(page))

    def _detail(self, puzzle: NumberedPuzzle) -> str:
        """A puzzle's size, and its grade where it has one; nothing at answers."""
        if self.answers:
            return ""
        words, grid, grade = self.setting.words, puzzle.record.puzzle.grid, puzzle.record.grade
        size = words.say(words.size, cols=grid.cols, rows=grid.rows)
        return size if grade is None else f"{size} · {words.grades[grade]}"

    @property
    def _code(self) -> QrSpec | None:
        """The code that each board has below it, if any."""
        qr = self.setting.spec.qr
        return None if self.answers or qr is None or qr.per is not QrPer.PUZZLE else qr

    def _put_code(self, draft: PageDraft, puzzle: NumberedPuzzle, board: Area) -> None:
        """A code under the board's right edge, the words beside it."""
        if self._code is None:
            return
        said = puzzle_text(self._code.text, puzzle, self.setting.spec.play_url)
        figure = qr_figure(said, f"qr-{puzzle.number}", QR_PT)
        quiet = QR_PT * 0.09  # about the code's own white, so that its ink keeps the board's edge
        x, y = board.right - QR_PT + quiet, board.y - QR_PT - 2
        draft.add((Placed(figure, x, y),))
        size = self.setting.theme.type.small
        draft.text(self.setting.words.scan, (x, y + 0.5 * QR_PT - 0.35 * size), size, anchor=Anchor.END)
