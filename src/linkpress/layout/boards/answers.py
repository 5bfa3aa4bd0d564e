"""Answers run on across levels on pages of their own, or stand upside down at the foot of puzzle pages."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from linkpress.book.volume import NumberedPuzzle
from linkpress.errors import LayoutError
from linkpress.layout.boards.board_captions import CAPTION_GAP_PT, Captions
from linkpress.layout.boards.board_frames import board_frame
from linkpress.layout.boards.sheets import Sheet, SheetMaker
from linkpress.layout.boards.tiles import (
    LARGEST_ANSWER_MM,
    LARGEST_CELL_MM,
    NEARLY,
    Shape,
    Tiling,
    check_cells,
    keeps_cells,
    largest_cell_mm,
    least_cell_pt,
    shapes_of,
)
from linkpress.layout.edition import Index, Setting, puzzle_place, solution_place
from linkpress.layout.frame import Area, Frame, Item, Placed, Rects, TextRun
from linkpress.layout.page_draft import PageDraft

ANSWERS_PER_PAGE = (12, 9, 6, 4, 2, 1)
_MOST_UP_TO = ((7, 12), (9, 9), (12, 6))  # longest side of a level's boards: answers to a page
_MOST_BEYOND = 4  # of larger boards; in large print and on screens of any
LARGE_PRINT = 1.6  # times the largest square of an answer, on pages with no more than four
STRIP_CELL_PT = 9.5  # of an answer at a foot: its numbers are read once, with the book turned round
STRIP_GAP_PT = 16.0  # between two answers of a foot, at least: a full row goes from edge to edge
STRIP_SPACE_PT = 14.0  # between the puzzles and the rule above a foot, and below that rule


@dataclass(frozen=True)
class AnswerPages:
    """The answers of one or more levels stand in order, page after page."""

    setting: Setting
    puzzles: tuple[NumberedPuzzle, ...]

    @cached_property
    def sheets(self) -> tuple[Sheet, ...]:
        """Return as few sheets as hold the answers, none nearly empty; squares too small are refused."""
        runs: list[tuple[int, int]] = []
        start = 0
        while start < len(self.puzzles):
            taken = min(self._most_from(start), len(self.puzzles) - start)
            runs.append((start, start + taken))
            start += taken
        evened = _evened(runs)
        if self._fixed is None and all(self._fits(start, end) for start, end in evened[-2:]):
            runs = evened
        return tuple(self._sheet(start, end, end == len(self.puzzles)) for start, end in runs)

    @property
    def _fixed(self) -> int | None:
        asked = self.setting.solutions.per_page
        return None if asked == "auto" else asked

    @cached_property
    def _maker(self) -> SheetMaker:
        largest = largest_cell_mm(self.setting.page)
        usual = LARGEST_ANSWER_MM * (LARGE_PRINT if self._is_sparse else 1.0)
        most = usual * max(1.0, largest / LARGEST_CELL_MM)
        alone = self._fixed == 1  # whoever asks for a page for each wants it filled, as with puzzles
        return SheetMaker(self.setting, answers=True, most_mm=max(most, largest) if alone else most)

    @property
    def _is_sparse(self) -> bool:
        return self.setting.page.large_print or self.setting.screen

    @cached_property
    def _shapes(self) -> Mapping[str, tuple[Shape, ...]]:
        """Return the shapes by level, so that pages don't depend on the order of a level's boards."""
        names = dict.fromkeys(puzzle.record.level for puzzle in self.puzzles)
        return {
            name: shapes_of(puzzle for puzzle in self.puzzles if puzzle.record.level == name)
            for name in names
        }

    def _levels(self, start: int, end: int) -> list[str]:
        return list(dict.fromkeys(puzzle.record.level for puzzle in self.puzzles[start:end]))

    def _shapes_within(self, start: int, end: int) -> tuple[Shape, ...]:
        return tuple(shape for name in self._levels(start, end) for shape in self._shapes[name])

    def _most_from(self, start: int) -> int:
        """Return how many answers stand on a page from this one on; ``auto`` goes by the longest side."""
        if self._fixed is not None:
            return self._fixed
        for count in ANSWERS_PER_PAGE:
            end = start + count
            usual = self._most_of(self._shapes_within(start, end))
            enough = count <= usual or self._as_large(count, usual, start)
            if enough and self._keeps(count, start, end):
                return count
        return 1

    def _as_large(self, count: int, usual: int, start: int) -> bool:
        """Tell whether more answers than usual are about as large, in room that stays white otherwise."""
        if self._is_sparse:
            return False
        grids = [shape.grid for shape in self._shapes_within(start, start + count)]
        more, fewer = (self._tiling(number, start, start + count) for number in (count, usual))
        return all(more.cell_pt(grid) >= NEARLY * fewer.cell_pt(grid) for grid in grids)

    def _most_of(self, shapes: Sequence[Shape]) -> int:
        longest = max(max(shape.grid.rows, shape.grid.cols) for shape in shapes)
        most = next((count for side, count in _MOST_UP_TO if longest <= side), _MOST_BEYOND)
        return min(most, _MOST_BEYOND) if self._is_sparse else most

    def _fits(self, start: int, end: int) -> bool:
        """Tell whether some answers have room on one page: those of a level with larger boards may not."""
        return self._keeps(min(count for count in ANSWERS_PER_PAGE if count >= end - start), start, end)

    def _keeps(self, count: int, start: int, end: int) -> bool:
        tiling, shapes = self._tiling(count, start, end), self._shapes_within(start, end)
        return keeps_cells(self.setting, tiling, shapes, True)

    @cached_property
    def _tiling(self) -> Callable[[int, int, int], Tiling]:
        """Return a cached function that divides a page of so many boards among some answers."""
        tiling, within = self._maker.tiling, self._shapes_within
        return cache(lambda count, start, end: tiling(count, within(start, end), self.puzzles[start:end]))

    def _sheet(self, start: int, end: int, last: bool) -> Sheet:
        """Lay out one page; the last is divided among the answers that are left."""
        shown, shapes = self.puzzles[start:end], self._shapes_within(start, end)
        offered = {*ANSWERS_PER_PAGE, self._fixed or 1} if last or self._fixed is None else {self._fixed}
        count = min(number for number in offered if number >= len(shown))
        tiling = self._tiling(count, start, end)
        for name in self._levels(start, end):
            check_cells(self.setting, tiling, self._shapes[name], name)
        return Sheet(shown, tiling, shapes)


def _evened(runs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the same pages, but let the last two hold about as many each where the last would hold few."""
    if len(runs) < 2:
        return runs
    (start, middle), (_, end) = runs[-2:]
    if 2 * (end - middle) > middle - start:
        return runs
    half = start + math.ceil((end - start) / 2)
    return [*runs[:-2], (start, half), (half, end)]


@dataclass(frozen=True)
class AnswerStrip:
    """A strip has answers in rows at a page's foot, upside down; the feet of a level's pages are alike."""

    setting: Setting
    puzzles: tuple[NumberedPuzzle, ...]
    level: tuple[NumberedPuzzle, ...]

    def put(self, draft: PageDraft, index: Index) -> None:
        """Draw the answers at the foot of a page's content, under a rule."""
        area, height = draft.content, self.height_pt
        rule = area.y + height + STRIP_SPACE_PT
        draft.add(
            [Rects(((area.x, rule, area.width, self.setting.theme.rule_pt),), self.setting.theme.accent)]
        )
        upright = PageDraft(self.setting, draft.number)  # collects them as they stand with the book turned
        corners = list(self._corners(Area(0.0, 0.0, area.width, height)))
        for puzzle, (x, y) in zip(self.puzzles, corners, strict=True):
            name, board = solution_place(puzzle.number), self._board(puzzle)
            upright.add((Placed(name, board, x, y),))
            box = Area(x, y, board.width_pt, board.height_pt)
            room = min(self._widest_pt + self._gap_pt - CAPTION_GAP_PT, area.width - x)
            self._captions.put(upright, puzzle, box, (room, self._captions.height_pt(self._lines)), index)
            draft.target(name, area.y + height)
            left, bottom = area.right - box.right, area.y + height - box.top
            draft.link_area((left, bottom, box.width, box.height), puzzle_place(puzzle.number))
        frame = Frame(max(map(_right_of, upright.items)), height, upright.items)
        name = f"answers-on-{draft.number}"
        draft.add([Placed(name, frame, area.right - frame.width_pt, area.y, turned=180)])

    @property
    def room_pt(self) -> float:
        """Return what the foot takes off a page's content: the answers, the rule and the white round it."""
        return self.height_pt + 2 * STRIP_SPACE_PT

    @cached_property
    def height_pt(self) -> float:
        """Return the height of the rows of answers."""
        return -(-len(self.puzzles) // self._per_row) * self._pitch_pt - STRIP_SPACE_PT

    def _corners(self, area: Area) -> Iterator[tuple[float, float]]:
        """Yield each board's bottom left corner, in rows from the top, captions on one line."""
        width, outline = self._widest_pt, self.setting.theme.grid.outer_pt
        top = area.top - self._captions.height_pt(self._lines)
        for index, puzzle in enumerate(self.puzzles):
            row, col = divmod(index, self._per_row)
            height = puzzle.record.puzzle.grid.rows * self._cell_pt + outline
            yield area.x + col * (width + self._gap_pt), top - row * self._pitch_pt - height

    def _board(self, puzzle: NumberedPuzzle) -> Frame:
        setting, record = self.setting, puzzle.record
        return board_frame(
            record.puzzle, record.solution, self._cell_pt, setting.theme, setting.measure, setting.min_text_pt
        )

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
        tallest = max(puzzle.record.puzzle.grid.rows for puzzle in self.level)
        board = tallest * self._cell_pt + self.setting.theme.grid.outer_pt
        return board + self._captions.height_pt(self._lines) + STRIP_SPACE_PT

    @cached_property
    def _gap_pt(self) -> float:
        width = PageDraft(self.setting, 1).content.width
        return (width - self._per_row * self._widest_pt) / max(1, self._per_row - 1)

    @cached_property
    def _per_row(self) -> int:
        width = PageDraft(self.setting, 1).content.width
        fitting = int((width + STRIP_GAP_PT) / (self._widest_pt + STRIP_GAP_PT))
        if fitting < 1:
            first = self.puzzles[0]
            raise LayoutError(
                f"an answer of level {first.record.level!r} that can be read is "
                f"{self._widest_pt / 72:.1f} in wide, and the page has {width / 72:.1f} in: choose another "
                "place, a larger page.trim or smaller boards.",
                "solutions.place",
            )
        return fitting


def _right_of(item: Item) -> float:
    assert isinstance(item, (Placed, TextRun))
    return item.x + (item.width_pt if isinstance(item, TextRun) else item.frame.width_pt)
