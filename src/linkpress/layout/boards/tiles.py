"""This module divides a page into equal tiles, and refuses tilings whose squares are too small."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from linkpress.book.printing_keys import PageSpec, SolutionsPlace
from linkpress.book.volume import NumberedPuzzle
from linkpress.documents.values import MM_PT
from linkpress.errors import LayoutError
from linkpress.layout.boards.numerals import cell_for_size, smallest_cell_pt
from linkpress.layout.edition import Setting
from linkpress.layout.frame import Area
from linkpress.puzzle.puzzle import Grid

LEAST_CELL_MM = 5.0  # a pencil line and its neighbour's stay apart
COMFORTABLE_CELL_MM = 7.0  # what per_page: auto keeps, with
COMFORTABLE_BOARD_MM = 70.0  # the longer side: readers complain of boards under 3 in, four to a page
LARGEST_CELL_MM = 17.0  # larger squares make the pencil travel
FILLING_CELL_MM = 60.0  # what the key takes at most: no page is so large that more is wanted
LARGEST_ANSWER_MM = 7.0
LARGE_PRINT_PT = 18.0
LARGE_PRINT_ANSWER_PT = 10.0
NEARLY = 0.95  # of the largest square: less is not worth a page half empty
UNEVEN = (3, 5, 8)  # boards on a page of which rows may differ in number
LEAST_GAP_PT = 18.0
GAP_SHARE = 0.05  # of the live area's width, between tiles
PER_PAGE = (9, 6, 4, 2, 1)


class Shape(NamedTuple):
    """A shape decides whether boards fit: all boards of one shape are judged at once."""

    grid: Grid
    widest: int  # the number among theirs that needs most room
    puzzle: int  # the first such, for messages


def shapes_of(puzzles: Iterable[NumberedPuzzle]) -> tuple[Shape, ...]:
    """Return the different shapes among puzzles, in the order in which they first appear."""
    found: dict[tuple[int, int, int], Shape] = {}
    for puzzle in puzzles:
        board = puzzle.record.puzzle
        digits = len(str(board.pairs[-1].number))
        key = (board.grid.rows, board.grid.cols, digits)
        if key not in found:
            found[key] = Shape(board.grid, int("8" * digits), puzzle.number)
    return tuple(found.values())


def largest_cell_mm(page: PageSpec) -> float:
    """Return the largest square of a puzzle, in millimetres."""
    return page.max_cell_mm or (FILLING_CELL_MM if page.fill else LARGEST_CELL_MM)


def counts_up_to(boards: int, counts: Sequence[int]) -> tuple[int, ...]:
    """Return numbers of boards on a page, falling to 1, but none that leaves tiles of an only page empty."""
    enough = min((count for count in counts if count >= boards), default=counts[0])
    return tuple(count for count in counts if count <= enough)


@dataclass(frozen=True)
class Tiling:
    """A tiling divides a page into equal tiles.

    Args:
        gap_pt: the gap between neighbouring tiles, both ways.
        caption_pt, foot_pt, beside_pt: what is kept free above each board, below it, and right of it.
        outline_pt: the weight of a board's outline, half of which lies on either side.
        short: how many tiles the middle row lacks, or the last of an even number of rows.
    """

    rows: int
    cols: int
    area: Area
    gap_pt: float
    caption_pt: float
    most_pt: float
    outline_pt: float
    foot_pt: float = 0.0
    beside_pt: float = 0.0
    short: int = 0

    @property
    def count(self) -> int:
        """Return the number of boards on a full page."""
        return self.rows * self.cols - self.short

    def place(self, index: int) -> tuple[int, float]:
        """Return row and column of a tile in reading order; a short row stands between the columns."""
        lacking = self.rows // 2 if self.rows % 2 else self.rows - 1
        before = lacking * self.cols
        if index < before:
            return divmod(index, self.cols)
        if index < before + self.cols - self.short:
            return lacking, index - before + self.short / 2
        return divmod(index + self.short, self.cols)

    @cached_property
    def size_pt(self) -> tuple[float, float]:
        """Return width and height of a tile."""
        return (
            (self.area.width - (self.cols - 1) * self.gap_pt) / self.cols,
            (self.area.height - (self.rows - 1) * self.gap_pt) / self.rows,
        )

    def tile(self, index: int) -> Area:
        """Return a tile in reading order, from 0."""
        row, col = self.place(index)
        width, height = self.size_pt
        left = self.area.x + col * (width + self.gap_pt)
        return Area(left, self.area.top - (row + 1) * height - row * self.gap_pt, width, height)

    def cell_pt(self, grid: Grid) -> float:
        """Return the side of the largest square with which a board fits its tile."""
        width, height = self.size_pt
        across = (width - self.beside_pt - self.outline_pt) / grid.cols
        down = (height - self.caption_pt - self.foot_pt - self.outline_pt) / grid.rows
        return min(across, down, self.most_pt)

    def misfit(self, grid: Grid) -> float:
        """Return how unlike a board a tile is in shape: 0 where both sides are filled alike."""
        width, height = self.size_pt
        high, wide = height - self.caption_pt - self.foot_pt, width - self.beside_pt
        return abs(math.log(max(high, 1.0) / max(wide, 1.0) * grid.cols / grid.rows))


def tile_page(
    setting: Setting,
    area: Area,
    per_page: int,
    shapes: Iterable[Shape],
    words_pt: tuple[float, float],
    most_mm: float,
    code: tuple[float, float] | None = None,
) -> Tiling:
    """Divide an area so that the smallest square becomes as large as it can.

    Of divisions that are nearly alike, the one whose tiles are most like the boards in shape is taken;
    for boards of several shapes, the one that prints them largest in all.

    Args:
        per_page: number of tiles; of its divisors the best pair is taken, and of 3, 5 and 8 rows may differ.
        words_pt: what is kept free above and below each board.
        code: what each board's code needs below it, or right of it; None for no code.
    """
    gap = max(LEAST_GAP_PT, GAP_SHARE * area.width)
    outline, (caption_pt, foot_pt) = setting.theme.grid.outer_pt, words_pt
    ways = [(foot_pt, 0.0)] if code is None else [(foot_pt, code[1]), (max(foot_pt, code[0]), 0.0)]
    choices = [
        Tiling(rows, cols, area, gap, caption_pt, most_mm * MM_PT, outline, foot, beside, short)
        for rows in range(1, per_page + 1)
        for cols in [-(-per_page // rows)]
        for short in [rows * cols - per_page]
        if short == 0 or (per_page in UNEVEN and 0 < short < cols)
        for foot, beside in ways
    ]
    grids = [shape.grid for shape in shapes]
    cells = {tiling: min(tiling.cell_pt(grid) for grid in grids) for tiling in choices}
    best = max(cells.values())
    near = [tiling for tiling in choices if cells[tiling] >= min(best, NEARLY * best)]
    if len(set(grids)) > 1:
        return max(near, key=lambda tiling: sum(tiling.cell_pt(g) ** 2 * g.rows * g.cols for g in grids))
    return min(near, key=lambda tiling: max(tiling.misfit(grid) for grid in grids))


def least_cell_pt(setting: Setting, shape: Shape, answer: bool) -> tuple[float, str]:
    """Return the smallest square allowed for boards of a shape, and the rule that asks for it."""
    theme, measure, page = setting.theme, setting.measure, setting.page
    text_pt = setting.min_text_pt
    needed = smallest_cell_pt(shape.widest, theme, measure, text_pt)
    rules = [(needed, f"{setting.profile.name}'s least type of {text_pt:g} pt, for the numbers,")]
    if page.large_print:
        size = LARGE_PRINT_ANSWER_PT if answer else LARGE_PRINT_PT
        cell = max(cell_for_size(theme, measure, size), smallest_cell_pt(shape.widest, theme, measure, size))
        rules.append((cell, f"large print (numbers of {size:g} pt or more)"))
    if not answer:
        least_mm = page.min_cell_mm or LEAST_CELL_MM
        source = "page.min_cell_mm" + (f" ({least_mm:g} if left out)" if not page.min_cell_mm else "")
        rules.append((least_mm * MM_PT, source))
    return max(rules)


def check_cells(
    setting: Setting, tiling: Tiling, shapes: Iterable[Shape], level: str, level_key: str | None = None
) -> None:
    """Raise ``LayoutError`` for too small squares; ``level_key`` is the spec's, or None for answers."""
    answer = level_key is None
    for shape in shapes:
        cell, (least, rule) = tiling.cell_pt(shape.grid), least_cell_pt(setting, shape, answer)
        if cell >= least - 0.001:
            continue
        what = f"the answer to puzzle {shape.puzzle}" if answer else f"puzzle {shape.puzzle}"
        key = "solutions.per_page" if answer else "the level's per_page"
        fewer = f"lower {key} or make it auto, " if tiling.count > 1 else ""
        at_foot = setting.solutions.place is SolutionsPlace.UPSIDE_DOWN
        foot = "choose another solutions.place, " if at_foot else ""
        tenths, asked = math.floor(10 * max(cell, 0.0) / MM_PT), math.ceil(10 * least / MM_PT - 0.001)
        raise LayoutError(
            f"{what} (level {level!r}, {shape.grid.cols} × {shape.grid.rows}) would have squares of "
            f"{tenths / 10} mm at {tiling.count} a page on {setting.page.trim.words}, and {rule} "
            f"asks for {asked / 10} mm: {fewer}{foot}choose a larger page.trim or smaller boards.",
            level_key or "solutions",
        )


def keeps_cells(
    setting: Setting, tiling: Tiling, shapes: Iterable[Shape], answer: bool, comfort: bool = False
) -> bool:
    """Tell whether every board's square is as large as it must be, and as is comfortable."""
    for shape in shapes:
        least_pt, _ = least_cell_pt(setting, shape, answer)
        if comfort:
            least_pt = max(least_pt, _comfortable_pt(shape.grid, setting.page))
        if tiling.cell_pt(shape.grid) < least_pt - 0.001:
            return False
    return True


def _comfortable_pt(grid: Grid, page: PageSpec) -> float:
    largest = min(LARGEST_CELL_MM, largest_cell_mm(page))
    return min(largest, max(COMFORTABLE_CELL_MM, COMFORTABLE_BOARD_MM / max(grid.rows, grid.cols))) * MM_PT
