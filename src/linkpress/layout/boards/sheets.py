"""Boards stand on equal tiles, page after page, with the words at them: puzzles and answers alike.

``SheetMaker.alike`` picks how many puzzles stand on a page; for answers ``answers.AnswerPages`` does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from linkpress.book.printing_keys import QrPer, QrSpec
from linkpress.book.volume import NumberedPuzzle
from linkpress.layout.boards.board_captions import CAPTION_GAP_PT, Captions, puzzle_code_text, qr_frame
from linkpress.layout.boards.board_frames import board_frame
from linkpress.layout.boards.tiles import Shape, Tiling, check_cells, keeps_cells, shapes_of, tile_page
from linkpress.layout.edition import Index, Setting, puzzle_place, solution_place
from linkpress.layout.frame import Anchor, Area, Placed
from linkpress.layout.page_draft import PageDraft
from linkpress.layout.text_flow import break_lines, text_block
from linkpress.words.language import Words

LIFT = 0.56  # of the free height lies under a board that has the page to itself: the optical centre
MOST_GAP = 0.36  # of a board, between two columns, or two rows of answers
TARGET_RISE_PT = 6.0
QR_GAP_PT = 10.0  # between a board and the code beside it
QR_PT = 56.0  # 41 modules and the quiet zone at 0.4 mm each: a 12 × 12 board on puzz.link


def range_words(setting: Setting, puzzles: Sequence[NumberedPuzzle]) -> str:
    """Return ``Puzzle 7`` or ``Puzzles 7–12``."""
    first, last = puzzles[0].number, puzzles[-1].number
    if first == last:
        return setting.words.say(setting.words.puzzle, number=str(first))
    return setting.words.say(setting.words.puzzles, first=str(first), last=str(last))


def board_sizes(words: Words, puzzles: Sequence[NumberedPuzzle]) -> str:
    """Return the boards' sizes as a text: each once, or the smallest and largest of many."""
    grids = [puzzle.record.puzzle.grid for puzzle in puzzles]
    sizes = sorted({(grid.rows * grid.cols, grid.cols, grid.rows) for grid in grids})
    named = [words.say(words.size, cols=cols, rows=rows) for _, cols, rows in sizes]
    return words.listed(named) if len(named) <= 3 else f"{named[0]} – {named[-1]}"


@dataclass(frozen=True)
class Sheet:
    """A sheet holds the boards of one page, in order, and its tiles, which were made for these shapes."""

    puzzles: tuple[NumberedPuzzle, ...]
    tiling: Tiling
    shapes: tuple[Shape, ...]


@dataclass(frozen=True)
class SheetMaker:
    """A maker divides pages among puzzles or answers, above what so many boards keep free at the foot."""

    setting: Setting
    answers: bool
    most_mm: float
    foot: Callable[[int], float] | None = None

    def tiling(self, count: int, shapes: Sequence[Shape], puzzles: Sequence[NumberedPuzzle]) -> Tiling:
        """Return tiles with captions of one line, or of two where one is too narrow for some words."""
        captions = Captions(self.setting, self.answers)
        area = PageDraft(self.setting, 1).content
        area = area if self.foot is None else area.without(bottom=self.foot(count))
        code = None if _code_of(self.setting, self.answers) is None else (QR_PT + 2, QR_PT + QR_GAP_PT)

        def tiles(lines: int) -> Tiling:
            words = captions.height_pt(lines), captions.below_pt
            return tile_page(self.setting, area, count, shapes, words, self.most_mm, code)

        tiling = tiles(1)
        if all(captions.fits(puzzle, tiling.cell_pt(puzzle.record.puzzle.grid)) for puzzle in puzzles):
            return tiling
        return tiles(2)

    def alike(
        self, puzzles: Sequence[NumberedPuzzle], counts: Sequence[int], comfort: bool, key: str
    ) -> tuple[Sheet, ...]:
        """Choose how many boards stand on a page, and make pages that all have the same tiles.

        Args:
            counts: boards on a page, tried in turn; the last one must do.
            comfort: whether a number is passed over that leaves boards smaller than is comfortable.
        Raises:
            LayoutError: a square would be smaller than is allowed.
        """
        shapes = shapes_of(puzzles)
        for count in counts:
            tiling = self.tiling(count, shapes, puzzles)
            if keeps_cells(self.setting, tiling, shapes, self.answers, comfort):
                break
        else:
            check_cells(self.setting, tiling, shapes, puzzles[0].record.level, key)
        starts = range(0, len(puzzles), tiling.count)
        return tuple(Sheet(tuple(puzzles[index : index + tiling.count]), tiling, shapes) for index in starts)


@dataclass(frozen=True)
class BoardSheets:
    """A run of pages holds sheets of boards, of puzzles or of answers, one sheet a page."""

    setting: Setting
    sheets: tuple[Sheet, ...]
    answers: bool

    @property
    def page_count(self) -> int:
        """Return the number of pages that the boards need."""
        return len(self.sheets)

    def page_of(self, numbers: Sequence[int]) -> dict[str, int]:
        """Return the page of each board's place."""
        place = solution_place if self.answers else puzzle_place
        return {
            place(puzzle.number): number
            for sheet, number in zip(self.sheets, numbers, strict=True)
            for puzzle in sheet.puzzles
        }

    def draft(self, place: int, number: int, index: Index) -> PageDraft:
        """Draft a page with head, page number and the boards of a sheet, which are counted from 0."""
        sheet, draft = self.sheets[place], PageDraft(self.setting, number)
        draft.furnish(self._head(sheet), range_words(self.setting, sheet.puzzles))
        _SheetFiller(self.setting, sheet, self.answers).fill(draft, index)
        return draft

    def _head(self, sheet: Sheet) -> str:
        headings = self.setting.headings
        names = list(dict.fromkeys(headings[puzzle.record.level] for puzzle in sheet.puzzles))
        name = names[0] if len(names) == 1 else f"{names[0]} – {names[-1]}"
        words = self.setting.words
        return words.say(words.section_solutions, section=name) if self.answers else name


@dataclass(frozen=True)
class _SheetFiller:
    setting: Setting
    sheet: Sheet
    answers: bool

    @property
    def tiling(self) -> Tiling:
        return self.sheet.tiling

    def fill(self, draft: PageDraft, index: Index) -> None:
        tiling, setting = self.tiling, self.setting
        captions = Captions(setting, self.answers)
        look = setting.theme, setting.measure, setting.min_text_pt
        dx = draft.live.x - PageDraft(setting, 1).live.x
        for position, puzzle in enumerate(self.sheet.puzzles):
            board = puzzle.record.puzzle
            solution = puzzle.record.solution if self.answers else None
            frame = board_frame(board, solution, tiling.cell_pt(board.grid), *look)
            x, y = self._corner(position, frame.height_pt)
            area = Area(x + dx, y, frame.width_pt, frame.height_pt)
            name = (solution_place if self.answers else puzzle_place)(puzzle.number)
            draft.add((Placed(name, frame, area.x, area.y),))
            draft.target(name, area.top + tiling.caption_pt + TARGET_RISE_PT)
            room = min(area.width + tiling.gap_pt - CAPTION_GAP_PT, draft.live.right - area.x)
            captions.put(draft, puzzle, area, (room, tiling.caption_pt), index)
            captions.put_time(draft, area)
            self._put_code(draft, puzzle, area)

    def _corner(self, position: int, height_pt: float) -> tuple[float, float]:
        """Return where a board's bottom left corner stands on a recto.

        The boards of a page keep left in columns as wide as the widest of them with the code beside it. The
        captions of a row stand on one line, that of its tallest board.
        """
        tiling = self.tiling
        widest, tallest_of = self._sides
        row, col = tiling.place(position)
        tallest = tallest_of[row]
        tallest += tiling.outline_pt + tiling.caption_pt + tiling.foot_pt
        block = height_pt + tiling.caption_pt + tiling.foot_pt
        tile = tiling.tile(position)
        x = tile.centre + self._pull(col, widest) - widest / 2
        y = tile.y + (tile.height - tallest) * self._lift + tallest - block + tiling.foot_pt
        return x, y + row * self._closer

    @cached_property
    def _sides(self) -> tuple[float, dict[int, float]]:
        """Return the widest board's width, with the code beside it, and the tallest one's height by row."""
        tiling, tallest_of = self.tiling, defaultdict[int, float](float)
        widest = 0.0
        for position, puzzle in enumerate(self.sheet.puzzles):
            grid, (row, _) = puzzle.record.puzzle.grid, tiling.place(position)
            cell_pt = tiling.cell_pt(grid)
            widest = max(widest, grid.cols * cell_pt)
            tallest_of[row] = max(tallest_of[row], grid.rows * cell_pt)
        return widest + tiling.outline_pt + tiling.beside_pt, tallest_of

    @property
    def _lift(self) -> float:
        """Return the share of a tile's free height under its board; answers hang from one line."""
        return LIFT if self.tiling.count == 1 else 1.0 if self.answers else 0.5

    @cached_property
    def _closer(self) -> float:
        """Return how much nearer to the one above a row of answers stands than its tile would have it."""
        if not self.answers:
            return 0.0
        tiling = self.tiling
        tallest = max(shape.grid.rows * tiling.cell_pt(shape.grid) for shape in self.sheet.shapes)
        tallest += tiling.outline_pt + tiling.caption_pt
        white = tiling.size_pt[1] + tiling.gap_pt - tallest
        return max(0.0, white - max(tiling.gap_pt, MOST_GAP * tallest))

    def _pull(self, col: float, width_pt: float) -> float:
        """Return how far a column is moved off its tiles' middle, so that none strays from the others.

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
        return reach * (2 * col / (tiling.cols - 1) - 1)

    def _put_code(self, draft: PageDraft, puzzle: NumberedPuzzle, board: Area) -> None:
        """Draw a code beside the board, its words above it; or under its right edge, the words beside it."""
        code = _code_of(self.setting, self.answers)
        if code is None:
            return
        text = puzzle_code_text(code.text, puzzle, self.setting.play_url)
        name, frame = f"qr-{puzzle.number}", qr_frame(text, QR_PT)
        quiet = QR_PT * 0.09  # about the code's own white, so that its ink keeps the board's edge
        size, words = self.setting.theme.type.small, self.setting.words.scan
        if self.tiling.beside_pt:
            x, y = board.right + QR_GAP_PT - quiet, board.y - quiet
            draft.add((Placed(name, frame, x, y),))
            lines = break_lines(text_block(words, size), QR_PT - 2 * quiet, self.setting.measure)
            for up, line in enumerate(reversed(lines)):
                draft.text(line.text, (x + quiet, y + QR_PT + (0.2 + 1.2 * up) * size), size, within=QR_PT)
            return
        x, y = board.right - QR_PT + quiet, board.y - QR_PT - 2
        draft.add((Placed(name, frame, x, y),))
        draft.text(words, (x, y + 0.5 * QR_PT - 0.35 * size), size, anchor=Anchor.END)


def _code_of(setting: Setting, answers: bool) -> QrSpec | None:
    qr = setting.qr
    return None if answers or qr is None or qr.per is not QrPer.PUZZLE else qr
