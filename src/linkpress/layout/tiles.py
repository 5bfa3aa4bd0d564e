"""How many boards stand on a page, and how large their squares are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from linkpress.errors import LayoutError
from linkpress.layout.edition import PrintedPuzzle, Setting
from linkpress.layout.frame import MM
from linkpress.layout.geometry import Area
from linkpress.layout.numerals import cell_for_size, smallest_cell_pt
from linkpress.puzzle.grid import Grid

LEAST_CELL_MM = 5.0  # a pencil line and its neighbour's stay apart
COMFORTABLE_CELL_MM = 7.0  # what per_page: auto keeps
LARGEST_CELL_MM = 17.0  # larger squares make the pencil travel
LARGEST_ANSWER_MM = 7.0
LARGE_PRINT_PT = 18.0
LARGE_PRINT_ANSWER_PT = 10.0
LEAST_GAP_PT = 18.0
GAP_SHARE = 0.05  # of the live area's width, between tiles
PER_PAGE = (9, 6, 4, 2, 1)
ANSWERS_PER_PAGE = (12, 9, 6, 4, 2, 1)


@dataclass(frozen=True, slots=True)
class Tiling:
    """A page divided into equal tiles.

    Args:
        rows, cols: of tiles.
        area: what is divided, in points.
        gap_pt: between neighbouring tiles, both ways.
        caption_pt: kept free above each board.
        most_pt: the largest square.
    """

    rows: int
    cols: int
    area: Area
    gap_pt: float
    caption_pt: float
    most_pt: float
    outline_pt: float

    @property
    def count(self) -> int:
        """Boards on a full page."""
        return self.rows * self.cols

    def tile(self, index: int) -> Area:
        """A tile in reading order, from 0."""
        row, col = divmod(index, self.cols)
        width = (self.area.width - (self.cols - 1) * self.gap_pt) / self.cols
        height = (self.area.height - (self.rows - 1) * self.gap_pt) / self.rows
        left = self.area.x + col * (width + self.gap_pt)
        return Area(left, self.area.top - (row + 1) * height - row * self.gap_pt, width, height)

    def cell_pt(self, grid: Grid) -> float:
        """The side of the largest square with which a board fits its tile."""
        tile = self.tile(0)
        across = (tile.width - self.outline_pt) / grid.cols
        down = (tile.height - self.caption_pt - self.outline_pt) / grid.rows
        return min(across, down, self.most_pt)


def tile_page(
    setting: Setting, area: Area, per_page: int, grids: Iterable[Grid], caption_pt: float, most_mm: float
) -> Tiling:
    """Divide an area so that the smallest square becomes as large as it can.

    Args:
        setting: of the book.
        area: what is divided.
        per_page: number of tiles; of its divisors the best pair is taken.
        grids: the boards that will stand there.
        caption_pt: kept free above each board.
        most_mm: the largest square.
    """
    shapes = {(grid.rows, grid.cols): grid for grid in grids}.values()
    gap = max(LEAST_GAP_PT, GAP_SHARE * area.width)
    outline = setting.theme.grid.outer_pt
    choices = [
        Tiling(rows, per_page // rows, area, gap, caption_pt, most_mm * MM, outline)
        for rows in range(1, per_page + 1)
        if per_page % rows == 0
    ]
    return max(choices, key=lambda tiling: (min(tiling.cell_pt(grid) for grid in shapes), tiling.rows))


def least_cell_pt(setting: Setting, puzzle: PrintedPuzzle, answer: bool) -> tuple[float, str]:
    """The smallest square allowed for a board, and the rule that asks for it."""
    numbers = puzzle.solution.puzzle.pairs
    widest = max((pair.number for pair in numbers), key=lambda number: (len(str(number)), number))
    theme, measure, edition = setting.theme, setting.measure, setting.edition
    text_pt = setting.min_text_pt
    rules = [(smallest_cell_pt(widest, theme, measure, text_pt), f"numbers of {text_pt:g} pt or more")]
    if edition.large_print:
        size = LARGE_PRINT_ANSWER_PT if answer else LARGE_PRINT_PT
        cell = max(cell_for_size(theme, measure, size), smallest_cell_pt(widest, theme, measure, size))
        rules.append((cell, f"large print: numbers of {size:g} pt or more"))
    if not answer:
        least_mm = edition.min_cell_mm or LEAST_CELL_MM
        source = "page.min_cell_mm" if edition.min_cell_mm else "the smallest square of a puzzle"
        rules.append((least_mm * MM, f"{source}: {least_mm:g} mm"))
    return max(rules)


def check_cells(setting: Setting, tiling: Tiling, puzzles: Sequence[PrintedPuzzle], answer: bool) -> None:
    """Refuse a tiling whose squares are too small.

    Raises:
        LayoutError: names the first puzzle, its square, the rule and what to change.
    """
    for puzzle in puzzles:
        grid = puzzle.solution.puzzle.grid
        cell = tiling.cell_pt(grid)
        least, rule = least_cell_pt(setting, puzzle, answer)
        if cell < least - 0.001:
            what = f"the answer to puzzle {puzzle.number}" if answer else f"puzzle {puzzle.number}"
            key = "solutions.per_page" if answer else f"per_page of level {puzzle.level!r}"
            fewer = f"lower {key}, " if tiling.count > 1 else ""
            raise LayoutError(
                f"{what} ({grid.cols} × {grid.rows}) would have squares of {cell / MM:.1f} mm at "
                f"{tiling.count} a page on {setting.edition.trim}, and {rule} asks for {least / MM:.1f} mm: "
                f"{fewer}choose a larger page.trim or smaller boards."
            )


def keeps_cells(
    setting: Setting, tiling: Tiling, puzzles: Sequence[PrintedPuzzle], answer: bool, comfort_mm: float = 0.0
) -> bool:
    """Whether every board's square is as large as it must be, and as is comfortable."""
    return all(
        tiling.cell_pt(puzzle.solution.puzzle.grid)
        >= max(least_cell_pt(setting, puzzle, answer)[0], comfort_mm * MM) - 0.001
        for puzzle in puzzles
    )
