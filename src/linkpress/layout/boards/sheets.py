"""Boards on equal tiles, page after page: puzzles and answers alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from linkpress.book.printing_keys import QrPer, QrSpec
from linkpress.book.volume import NumberedPuzzle
from linkpress.layout.boards.board import BoardSetter
from linkpress.layout.boards.captions import BoardCaptions, answer_caption, puzzle_caption
from linkpress.layout.boards.qr import puzzle_text, qr_figure
from linkpress.layout.boards.tiles import Shape, Tiling, check_cells, keeps_cells, shapes_of, tile_page
from linkpress.layout.book_parts.part import Index, puzzle_place, solution_place
from linkpress.layout.edition import Setting
from linkpress.layout.frame import Anchor, NamedFrame, Placed
from linkpress.layout.geometry import Area
from linkpress.layout.page_draft import PageDraft

LIFT = 0.56  # of the free height lies under a board that has the page to itself: the optical centre
MOST_GAP = 0.36  # of a board, between two columns, or two rows of answers
TARGET_RISE_PT = 6.0
QR_PT = 56.0  # 41 modules and the quiet zone at 0.4 mm each: a 12 × 12 board on puzz.link


@dataclass(frozen=True)
class BoardSheets:
    """The boards of one level, or their answers.

    Args:
        setting: of the book.
        puzzles: in order, one or more.
        answers: whether the answers are drawn.
        level: for messages.
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

    @cached_property
    def caption(self) -> BoardCaptions:
        """How the captions are set."""
        return answer_caption(self.setting) if self.answers else puzzle_caption(self.setting)

    def page_of(self, numbers: Sequence[int]) -> dict[str, int]:
        """The page of each board's place.

        Args:
            numbers: of the sheets' pages.
        """
        per_page = self.tiling.count
        return {self._place(p.number): numbers[at // per_page] for at, p in enumerate(self.puzzles)}

    def shown(self, sheet: int) -> tuple[NumberedPuzzle, ...]:
        """The puzzles on one sheet, counted from 0."""
        per_page = self.tiling.count
        return self.puzzles[sheet * per_page : (sheet + 1) * per_page]

    def fill(self, draft: PageDraft, sheet: int, index: Index) -> None:
        """Put a sheet's boards and captions on a page."""
        tiling = self.tiling
        dx = draft.live.x - self._recto.live.x
        shown = self.shown(sheet)
        widest = self._widest(shown)
        for position, puzzle in enumerate(shown):
            board = puzzle.record.puzzle
            frame = self._setter(tiling.cell_pt(board.grid)).frame(
                board, puzzle.record.solution if self.answers else None
            )
            tile = tiling.tile(position)
            block = frame.height_pt + tiling.caption_pt + tiling.foot_pt
            tallest = self._row_height(shown, position)
            x = tile.centre + dx + self._pull(position, widest) - widest / 2
            y = tile.y + (tile.height - tallest) * self._lift + tallest - block + tiling.foot_pt
            y += position // tiling.cols * self._closer
            name = self._place(puzzle.number)
            draft.add((Placed(NamedFrame(name, frame), x, y),))
            draft.target(name, y + frame.height_pt + tiling.caption_pt + TARGET_RISE_PT)
            one_line = tiling.caption_pt < self.caption.height(2) - 0.01
            area = Area(x, y, frame.width_pt, frame.height_pt)
            self.caption.put(draft, puzzle, area, index, one_line)
            if self._code is not None:
                self._put_code(draft, puzzle, area, self._code)

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

    def _widest(self, shown: Sequence[NumberedPuzzle]) -> float:
        """The width of a page's widest board: that of its columns, in which all keep left."""
        grids = [puzzle.record.puzzle.grid for puzzle in shown]
        return max(grid.cols * self.tiling.cell_pt(grid) for grid in grids) + self.tiling.outline_pt

    def _row_height(self, shown: Sequence[NumberedPuzzle], position: int) -> float:
        """The height of the tallest board of a row with its caption; all captions stand on one line."""
        tiling = self.tiling
        first = position - position % tiling.cols
        grids = [puzzle.record.puzzle.grid for puzzle in shown[first : first + tiling.cols]]
        tallest = max(grid.rows * tiling.cell_pt(grid) for grid in grids)
        return tallest + tiling.outline_pt + tiling.caption_pt + tiling.foot_pt

    @property
    def _code(self) -> QrSpec | None:
        """The code that each board has below it, if any."""
        qr = self.setting.spec.qr
        return None if self.answers or qr is None or qr.per is not QrPer.PUZZLE else qr

    def _put_code(self, draft: PageDraft, puzzle: NumberedPuzzle, board: Area, qr: QrSpec) -> None:
        """A code under the board's right edge, the words beside it."""
        said = puzzle_text(qr.text, puzzle, self.setting.spec.play_url)
        figure = qr_figure(said, f"qr-{puzzle.number}", QR_PT)
        quiet = QR_PT * 0.09  # about the code's own white, so that its ink keeps the board's edge
        x, y = board.right - QR_PT + quiet, board.y - QR_PT - 2
        draft.add((Placed(figure, x, y),))
        size = self.setting.theme.type.small
        draft.text(self.setting.words.scan, (x, y + 0.5 * QR_PT - 0.35 * size), size, anchor=Anchor.END)

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

    @cached_property
    def _setters(self) -> dict[float, BoardSetter]:
        return {}

    def _setter(self, cell_pt: float) -> BoardSetter:
        setter = self._setters.get(cell_pt)
        if setter is None:
            setting = self.setting
            setter = BoardSetter(cell_pt, setting.theme, setting.measure, setting.min_text_pt)
            self._setters[cell_pt] = setter
        return setter

    def _divide(self, count: int) -> Tiling:
        """Tiles with captions of one line, or of two where one is too narrow for the words."""
        area, shapes, most = self._recto.content, self._shapes, self.most_mm
        foot = QR_PT + 2 if self._code is not None else 0.0
        tiling = tile_page(self.setting, area, count, shapes, self.caption.height(1), most, foot)
        for puzzle in self.puzzles:
            if not self.caption.fits(puzzle, tiling.cell_pt(puzzle.record.puzzle.grid)):
                return tile_page(self.setting, area, count, shapes, self.caption.height(2), most, foot)
        return tiling
