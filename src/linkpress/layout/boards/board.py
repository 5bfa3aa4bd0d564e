"""A puzzle, or its answer, as a frame.

From the bottom up: tints and answer lines, the grid, solids, discs, numbers. The grid has one
weight inside and a stronger outline, both in full ink: print-on-demand turns a grey line into a
row of dots.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from linkpress.layout.boards.answers import answer_inks, answer_items
from linkpress.layout.boards.numerals import DISC_RADIUS, Numeral, set_numeral
from linkpress.layout.frame import (
    BLACK,
    PAPER,
    Box,
    Discs,
    Frame,
    Ink,
    Item,
    Lines,
    Point,
    Polyline,
    Rects,
    Segment,
)
from linkpress.layout.measure import Measure
from linkpress.layout.theme import NumberStyle, SolidStyle, SolutionStyle, Theme
from linkpress.puzzle.grid import Cell, Grid
from linkpress.puzzle.puzzle import Puzzle, Solution

HATCH_PITCH = 0.18  # of the square's side
HATCH_LEAST_PT = 2.6  # three weights of a hairline: closer lines fill in on newsprint
CROSS_MARGIN = 0.2  # of the square's side, on all four sides


def board_frame(
    puzzle: Puzzle,
    solution: Solution | None,
    cell_pt: float,
    theme: Theme,
    measure: Measure,
    min_text_pt: float = 0.0,
) -> Frame:
    """A board as a frame, its outline just inside the frame's edges.

    Args:
        puzzle: rows × cols.
        solution: None for the puzzle; a solution with some of the paths for a half-drawn board.
        cell_pt: side of a square; the frame is cols × cell + outline wide.
        theme: weights, styles and inks.
        measure: measures the numbers.
        min_text_pt: numbers are not set smaller than this.
    """
    return BoardSetter(cell_pt, theme, measure, min_text_pt).frame(puzzle, solution)


class BoardSetter:
    """Sets boards of one cell size in one theme, each number measured once.

    Args:
        cell_pt: side of a square.
        min_text_pt: numbers are not set smaller than this.
    """

    def __init__(self, cell_pt: float, theme: Theme, measure: Measure, min_text_pt: float = 0.0) -> None:
        self.cell_pt = cell_pt
        self._theme = theme
        self._measure = measure
        self._min_text_pt = min_text_pt
        self._origin = theme.grid.outer_pt / 2
        self._numerals: dict[tuple[int, NumberStyle], Numeral] = {}
        self._grids: dict[tuple[int, int], tuple[Item, Item]] = {}

    def frame(self, puzzle: Puzzle, solution: Solution | None = None, whole: Solution | None = None) -> Frame:
        """As ``board_frame``.

        Args:
            puzzle: rows × cols.
            solution: None for the puzzle; or with some of the paths.
            whole: where ``solution`` has some of the paths, all of them: each keeps the ink that it
                has in the whole answer.
        """
        grid = puzzle.grid
        inks = {} if solution is None else answer_inks(whole or solution, self._theme)
        under: list[Item] = []
        over: list[Item] = []
        if solution is not None:
            under, over = answer_items(
                solution, lambda cell: self._centre(grid, cell), self.cell_pt, self._theme, inks
            )
        solids = list(self._solids(grid))
        tinted = [item for item in solids if isinstance(item, Rects)]
        ruled = [item for item in solids if not isinstance(item, Rects)]
        items = [*under, *tinted, *self._grid(grid.rows, grid.cols), *ruled, *over]
        items += self._numbers(puzzle, solution, inks)
        outline = 2 * self._origin
        return Frame(grid.cols * self.cell_pt + outline, grid.rows * self.cell_pt + outline, tuple(items))

    def _centre(self, grid: Grid, cell: Cell) -> Point:
        row, col = divmod(cell, grid.cols)
        return (
            self._origin + (col + 0.5) * self.cell_pt,
            self._origin + (grid.rows - row - 0.5) * self.cell_pt,
        )

    def _grid(self, rows: int, cols: int) -> tuple[Item, Item]:
        made = self._grids.get((rows, cols))
        if made is None:
            made = self._grids[rows, cols] = self._draw_grid(rows, cols)
        return made

    def _draw_grid(self, rows: int, cols: int) -> tuple[Item, Item]:
        style, low, cell = self._theme.grid, self._origin, self.cell_pt
        right, top = low + cols * cell, low + rows * cell
        across: list[Segment] = [(low, low + at * cell, right, low + at * cell) for at in range(1, rows)]
        down: list[Segment] = [(low + at * cell, low, low + at * cell, top) for at in range(1, cols)]
        corners = ((low, low), (right, low), (right, top), (low, top))
        return (
            Lines((*across, *down), style.inner_pt, style.ink),
            Polyline(corners, style.outer_pt, style.ink, closed=True),
        )

    def _solids(self, grid: Grid) -> Iterator[Item]:
        if not grid.solids:
            return
        style = self._theme.solids
        boxes = [self._solid_box(grid, cell) for cell in sorted(grid.solids)]
        if style.style is SolidStyle.FILLED:
            yield Rects(tuple(boxes), style.ink)
            return
        rule = _hatch if style.style is SolidStyle.HATCHED else _cross
        weight = self._theme.grid.inner_pt * (1 if style.style is SolidStyle.HATCHED else 2)
        segments = tuple(line for box in boxes for line in rule(box, self.cell_pt))
        yield Lines(segments, weight, style.ink)

    def _solid_box(self, grid: Grid, cell: Cell) -> Box:
        """The inked part of a solid: the same white on all sides, beside thin and strong lines."""
        row, col = divmod(cell, grid.cols)
        x, y = self._centre(grid, cell)
        thin, strong = self._theme.grid.inner_pt / 2, self._theme.grid.outer_pt / 2
        inset, half = self._theme.solids.inset_pt, self.cell_pt / 2
        left = (strong if col == 0 else thin) + inset
        right = (strong if col == grid.cols - 1 else thin) + inset
        above = (strong if row == 0 else thin) + inset
        below = (strong if row == grid.rows - 1 else thin) + inset
        if inset == 0:
            left = right = above = below = 0.0
        return x - half + left, y - half + below, self.cell_pt - left - right, self.cell_pt - above - below

    def _numbers(self, puzzle: Puzzle, solution: Solution | None, inks: Mapping[int, Ink]) -> Iterator[Item]:
        style = self._number_style(solution)
        grid, ink = puzzle.grid, self._theme.numbers.ink
        ends = [(number, self._centre(grid, cell)) for cell, number in sorted(puzzle.number_at.items())]
        if style is not NumberStyle.PLAIN:
            drawn = frozenset() if solution is None else {path.number for path in solution.paths}
            yield from self._discs(ends, style, {number: inks[number] for number in drawn})
        face = PAPER if style is NumberStyle.REVERSED else ink
        for number, (x, y) in ends:
            yield self._numeral(number, style).run(x, y, face)

    def _number_style(self, solution: Solution | None) -> NumberStyle:
        """The theme's; but numbers on coloured lines stand on white, ringed in the line's ink."""
        coloured = self._theme.solutions.style is SolutionStyle.COLOURED
        return NumberStyle.CIRCLED if solution is not None and coloured else self._theme.numbers.style

    def _numeral(self, number: int, style: NumberStyle) -> Numeral:
        made = self._numerals.get((number, style))
        if made is None:
            made = set_numeral(number, self.cell_pt, self._theme, self._measure, self._min_text_pt, style)
            self._numerals[number, style] = made
        return made

    def _discs(
        self, ends: list[tuple[int, Point]], style: NumberStyle, ink_of: Mapping[int, Ink]
    ) -> Iterator[Item]:
        radius, ink = DISC_RADIUS * self.cell_pt, self._theme.numbers.ink
        if style is NumberStyle.REVERSED:
            yield Discs(tuple(at for _, at in ends), radius, ink)
            return
        if not ink_of or self._theme.solutions.style is not SolutionStyle.COLOURED:
            weight = self._theme.grid.inner_pt
            yield Discs(tuple(at for _, at in ends), radius - weight / 2, PAPER, ink, weight)
            return
        weight = max(self._theme.grid.inner_pt, 0.08 * self.cell_pt)
        by_ink: dict[Ink, list[Point]] = {}
        for number, at in ends:
            by_ink.setdefault(ink_of.get(number, BLACK), []).append(at)
        for ring, centres in by_ink.items():
            yield Discs(tuple(centres), radius - weight / 2, PAPER, ring, weight)


def _hatch(box: Box, cell_pt: float) -> Iterator[Segment]:
    """Rising lines at 45°, evenly spaced, ending on the box's edges."""
    x, y, width, height = box
    count = max(2, int((width + height) / max(HATCH_PITCH * cell_pt * 2**0.5, HATCH_LEAST_PT * 2**0.5)))
    for at in range(1, count):
        offset = at * (width + height) / count  # where the line would meet the left edge, from the top
        x0, y0 = x + max(0.0, offset - height), y + max(0.0, height - offset)
        x1, y1 = x + min(width, offset), y + min(height, height - offset + width)
        yield x0, y0, x1, y1


def _cross(box: Box, cell_pt: float) -> Iterator[Segment]:
    x, y, width, height = box
    margin = CROSS_MARGIN * cell_pt
    left, right, low, high = x + margin, x + width - margin, y + margin, y + height - margin
    yield left, low, right, high
    yield left, high, right, low
