"""A puzzle, or its answer, becomes a frame.

From the bottom up it has tints and answer lines, the grid, solids, discs and numbers. The grid has
one weight inside and a stronger outline, both in full ink: print-on-demand turns a grey line into
a row of dots.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import groupby

from linkpress.layout.boards.numerals import DISC_RADIUS, placed_numeral, set_numeral
from linkpress.layout.frame import (
    BLACK,
    PAPER,
    Cap,
    Discs,
    Frame,
    Ink,
    Item,
    Join,
    Lines,
    Point,
    Polyline,
    Rect,
    Rects,
    Segment,
    grey,
)
from linkpress.layout.measure import Measure
from linkpress.layout.theme import NumberStyle, SolidStyle, SolutionStyle, Theme
from linkpress.puzzle.puzzle import Cell, Puzzle, Solution, turning_cells

HATCH_PITCH = 0.18  # of the square's side
HATCH_LEAST_PT = 2.6  # three weights of a hairline: closer lines fill in on newsprint
DENSE_SIDE = 12  # squares: from here on the lines of an answer stand out from a lighter grid
LIGHT_GRID = grey(0.3)  # the lines have 40 %
DOT_RADIUS = 0.34  # of the square's side, of a dot without a number
_MOST_TRIED = 5000  # inks, where neighbours are to be kept apart
CROSS_MARGIN = 0.2  # of the square's side, on all four sides


class BoardPart(StrEnum):
    """A board is made of these parts."""

    ANSWER = "answer"
    SOLIDS = "solids"
    GRID = "grid"
    NUMBERS = "numbers"


Layers = tuple[tuple[BoardPart, Frame], ...]


@lru_cache(maxsize=8)  # a rehearsal's boards are alike: 1,600 took half of its 1.5 s
def board_frame(
    puzzle: Puzzle,
    solution: Solution | None,
    cell_pt: float,
    theme: Theme,
    measure: Measure,
    min_text_pt: float = 0.0,
    whole: Solution | None = None,
) -> Frame:
    """Return a board as a frame, its outline just inside the frame's edges.

    Args:
        solution: None for the puzzle; a solution with some of the paths for a half-drawn board.
        cell_pt: side of a square; the frame is cols × cell + outline wide.
        whole: where ``solution`` has some of the paths, all of them: each keeps the ink that it has
            in the whole answer.
    """
    layers = Board(puzzle, cell_pt, theme, measure, min_text_pt).layers(solution, whole)
    size = layers[0][1]
    return Frame(size.width_pt, size.height_pt, tuple(item for _, layer in layers for item in layer.items))


def ink_of_paths(solution: Solution, inks: tuple[Ink, ...]) -> Mapping[int, Ink]:
    """Return an ink for each path's number, neighbouring paths in different ones where possible.

    Paths choose in order; each takes, among the inks that the fewest of its neighbours have, the
    one least used so far. Where two neighbours come out alike so, a search tries to keep all apart:
    four inks always will do, since paths are areas of a map (Appel and Haken, 1976).
    """
    if len(inks) == 1:
        return {path.number: inks[0] for path in solution.paths}
    beside = _paths_beside(solution)
    chosen: dict[int, int] = {}
    used = [0] * len(inks)
    for path in solution.paths:
        near = [chosen[other] for other in beside[path.number] if other in chosen]
        best = min(range(len(inks)), key=lambda ink: (near.count(ink), used[ink], ink))
        chosen[path.number] = best
        used[best] += 1
    if any(chosen[number] == chosen[other] for number, others in beside.items() for other in others):
        chosen = _kept_apart(beside, len(inks)) or chosen
    return {number: inks[index] for number, index in chosen.items()}


def _kept_apart(beside: Mapping[int, set[int]], inks: int) -> dict[int, int] | None:
    """Return an ink for each path, none that a neighbour has; None where the search found none or gave up.

    The path with the fewest inks left is taken next (DSATUR: Brélaz, 1979).
    """
    left = {number: list(range(inks)) for number in beside}
    chosen: dict[int, int] = {}
    trail: list[tuple[int, list[int]]] = []  # paths in the order taken, each with the inks still to be tried
    for _ in range(_MOST_TRIED):
        if len(chosen) == len(beside):
            return chosen
        number = min(left.keys() - chosen.keys(), key=lambda own: (len(left[own]), -len(beside[own]), own))
        trail.append((number, left[number]))
        while trail and not trail[-1][1]:
            trail.pop()
            if trail:
                del chosen[trail[-1][0]]
        if not trail:
            return None
        number, free = trail[-1]
        chosen[number], trail[-1] = free[0], (number, free[1:])
        left = {
            path: [index for index in range(inks) if all(chosen.get(other) != index for other in others)]
            for path, others in beside.items()
        }
    return None


def _paths_beside(solution: Solution) -> dict[int, set[int]]:
    owner = solution.number_of
    beside: dict[int, set[int]] = {path.number: set() for path in solution.paths}
    for a, b in solution.puzzle.grid.edges:
        path, other = owner.get(a), owner.get(b)
        if path is not None and other is not None and path != other:
            beside[path].add(other)
            beside[other].add(path)
    return beside


@dataclass(frozen=True, slots=True)
class Board:
    """A board is a puzzle at its size, in its theme; its parts are those of ``board_frame``."""

    puzzle: Puzzle
    cell_pt: float
    theme: Theme
    measure: Measure
    min_text_pt: float = 0.0

    def layers(self, solution: Solution | None, whole: Solution | None = None) -> Layers:
        """Return frames of one part each, from the bottom up; answers and solids may have two."""
        whole = whole or solution
        style, grid = self.theme.solutions, self.puzzle.grid
        inks: Mapping[int, Ink] = {}
        under: list[Item] = []
        over: list[Item] = []
        if solution is not None and whole is not None:
            inks = self._answer_inks(whole)
            if style.style is SolutionStyle.SHADED:
                under, over = self._areas(solution, inks)
            else:
                under = list(self._lines(solution, inks))
        solids = list(self._solids())
        tinted = [item for item in solids if isinstance(item, Rects)]
        ruled = [item for item in solids if not isinstance(item, Rects)]
        outline = self.theme.grid.outer_pt
        size = grid.cols * self.cell_pt + outline, grid.rows * self.cell_pt + outline
        layers = (
            (BoardPart.ANSWER, under),
            (BoardPart.SOLIDS, tinted),
            (BoardPart.GRID, self._grid(solved=solution is not None)),
            (BoardPart.SOLIDS, ruled),
            (BoardPart.ANSWER, over),
            (BoardPart.NUMBERS, self._numbers(solution, inks)),
        )
        return tuple((part, Frame(*size, tuple(items))) for part, items in layers)

    def _answer_inks(self, whole: Solution) -> Mapping[int, Ink]:
        """Return an ink for each path: that of its dots, else the theme's."""
        style, numbers = self.theme.solutions, self.theme.numbers
        if numbers.is_dots and style.style is not SolutionStyle.SHADED:
            places = self._places
            return {path.number: numbers.ink_of(places[path.number]) for path in whole.paths}
        inks = style.path_inks
        return ink_of_paths(whole, inks[:1] if style.style is SolutionStyle.LINE else inks)

    def _centre(self, cell: Cell) -> Point:
        row, col = divmod(cell, self.puzzle.grid.cols)
        low = self.theme.grid.outer_pt / 2
        return low + (col + 0.5) * self.cell_pt, low + (self.puzzle.grid.rows - row - 0.5) * self.cell_pt

    @property
    def _is_answer_dense(self) -> bool:
        """Tell whether an answer's lines would drown in its grid: on large boards of a theme with tints."""
        answers, grid = self.theme.solutions, self.puzzle.grid
        tinted = any(ink.shares != (0.0, 0.0, 0.0, 1.0) for ink in answers.path_inks)
        is_large = max(grid.rows, grid.cols) >= DENSE_SIDE
        return is_large and tinted and answers.style is not SolutionStyle.SHADED

    def _grid(self, solved: bool) -> tuple[Item, Item]:
        style, cell, grid = self.theme.grid, self.cell_pt, self.puzzle.grid
        inner_pt, inner_ink = style.inner_pt, style.ink
        if solved:
            answers = self.theme.solutions
            usual = LIGHT_GRID if self._is_answer_dense else inner_ink
            inner_pt, inner_ink = answers.grid_pt or inner_pt, answers.grid_ink or usual
        low = style.outer_pt / 2
        right, top = low + grid.cols * cell, low + grid.rows * cell
        across = [(low, low + row * cell, right, low + row * cell) for row in range(1, grid.rows)]
        down = [(low + col * cell, low, low + col * cell, top) for col in range(1, grid.cols)]
        corners = ((low, low), (right, low), (right, top), (low, top))
        return (
            Lines((*across, *down), inner_pt, inner_ink),
            Polyline(corners, style.outer_pt, style.ink, closed=True),
        )

    def _solids(self) -> Iterator[Item]:
        style = self.theme.solids
        boxes = [self._solid_box(cell) for cell in sorted(self.puzzle.grid.solids)]
        if not boxes:
            return
        if style.style is SolidStyle.FILLED:
            yield Rects(tuple(boxes), style.ink)
            return
        rule = _hatch if style.style is SolidStyle.HATCHED else _cross
        weight = self.theme.grid.inner_pt * (1 if style.style is SolidStyle.HATCHED else 2)
        yield Lines(tuple(line for box in boxes for line in rule(box, self.cell_pt)), weight, style.ink)

    def _solid_box(self, cell: Cell) -> Rect:
        """Return the inked part of a solid: the same white on all sides, beside thin and strong lines."""
        grid, style = self.puzzle.grid, self.theme.grid
        row, col = divmod(cell, grid.cols)
        x, y = self._centre(cell)
        thin, strong = style.inner_pt / 2, style.outer_pt / 2
        inset, half = self.theme.solids.inset_pt, self.cell_pt / 2
        left = (strong if col == 0 else thin) + inset
        right = (strong if col == grid.cols - 1 else thin) + inset
        above = (strong if row == 0 else thin) + inset
        below = (strong if row == grid.rows - 1 else thin) + inset
        if inset == 0:
            left = right = above = below = 0.0
        return x - half + left, y - half + below, self.cell_pt - left - right, self.cell_pt - above - below

    def _numbers(self, solution: Solution | None, inks: Mapping[int, Ink]) -> Iterator[Item]:
        """Set numbers in the theme's style; those on coloured lines stand on white, ringed in its ink."""
        theme = self.theme
        if theme.numbers.is_dots:
            yield from self._dots()
            return
        coloured = solution is not None and theme.solutions.style is SolutionStyle.COLOURED
        style = NumberStyle.CIRCLED if coloured else theme.numbers.style
        ends = [(number, self._centre(cell)) for cell, number in sorted(self.puzzle.number_at.items())]
        if style is not NumberStyle.PLAIN:
            drawn = () if solution is None else solution.paths
            yield from self._discs(ends, style, {path.number: inks[path.number] for path in drawn})
        face = PAPER if style is NumberStyle.REVERSED else theme.numbers.ink
        numerals = {
            number: set_numeral(number, self.cell_pt, theme, self.measure, self.min_text_pt, style)
            for number in dict(ends)
        }
        for number, centre in ends:
            yield placed_numeral(numerals[number], centre, face)

    def _dots(self) -> Iterator[Item]:
        """Yield a disc in each pair's colour, outlined so that pale ones stand out, and its number."""
        numbers, places = self.theme.numbers, self._places
        shown = numbers.shows(len(self.puzzle.pairs))
        radius = (DISC_RADIUS if shown else DOT_RADIUS) * self.cell_pt
        weight = self.theme.grid.inner_pt
        ends: dict[int, list[Point]] = {}
        for cell, number in sorted(self.puzzle.number_at.items()):
            ends.setdefault(number, []).append(self._centre(cell))
        for number, centres in sorted(ends.items()):
            ink = numbers.ink_of(places[number])
            yield Discs(tuple(centres), radius - weight / 2, ink, numbers.ink, weight)
        if not shown:
            return
        for number, centres in sorted(ends.items()):
            face = PAPER if numbers.ink_of(places[number]).is_dark else BLACK
            numeral = set_numeral(number, self.cell_pt, self.theme, self.measure, self.min_text_pt)
            for centre in centres:
                yield placed_numeral(numeral, centre, face)

    @property
    def _places(self) -> Mapping[int, int]:
        """Return each number's place among the board's, from 1: boards from files may leave numbers out."""
        return {pair.number: number for number, pair in enumerate(self.puzzle.pairs, start=1)}

    def _discs(
        self, ends: list[tuple[int, Point]], style: NumberStyle, ink_of: Mapping[int, Ink]
    ) -> Iterator[Item]:
        radius, ink = DISC_RADIUS * self.cell_pt, self.theme.numbers.ink
        if style is NumberStyle.REVERSED:
            yield Discs(tuple(centre for _, centre in ends), radius, ink)
            return
        if not ink_of or self.theme.solutions.style is not SolutionStyle.COLOURED:
            weight = self.theme.grid.inner_pt
            yield Discs(tuple(centre for _, centre in ends), radius - weight / 2, PAPER, ink, weight)
            return
        weight = max(self.theme.grid.inner_pt, 0.08 * self.cell_pt)
        by_ink: dict[Ink, list[Point]] = {}
        for number, centre in ends:
            by_ink.setdefault(ink_of.get(number, BLACK), []).append(centre)
        for ring, centres in by_ink.items():
            yield Discs(tuple(centres), radius - weight / 2, PAPER, ring, weight)

    def _lines(self, solution: Solution, inks: Mapping[int, Ink]) -> Iterator[Polyline]:
        width = self.theme.solutions.width * self.cell_pt
        for path in solution.paths:
            corners = (path.cells[0], *turning_cells(path.cells), path.cells[-1])
            points = tuple(map(self._centre, corners))
            yield Polyline(points, width, inks[path.number], Cap.ROUND, Join.ROUND)

    def _areas(self, solution: Solution, ink_of: Mapping[int, Ink]) -> tuple[list[Item], list[Item]]:
        """Return the paths as tinted areas under the grid, and the walls between them over it."""
        boxes: dict[Ink, list[Rect]] = {}
        side, half = self.cell_pt, self.cell_pt / 2
        for number, cells in _runs(solution):
            (x0, y), (x1, _) = self._centre(cells[0]), self._centre(cells[-1])
            if any(ink_of[number].shares):
                boxes.setdefault(ink_of[number], []).append((x0 - half, y - half, x1 - x0 + side, side))
        under: list[Item] = [Rects(tuple(of_ink), ink) for ink, of_ink in boxes.items()]
        walls, grid = tuple(self._walls(solution)), self.theme.grid
        weight = max(grid.outer_pt, 2 * grid.inner_pt)
        return under, [Lines(walls, weight, grid.ink, Cap.SQUARE)] if walls else []

    def _walls(self, solution: Solution) -> Iterator[Segment]:
        """Yield a wall wherever the path does not go on, so that a path beside itself can be told, too."""
        owner, drawn, half = solution.number_of, solution.edges, self.cell_pt / 2
        for a, b in self.puzzle.grid.edges:
            if (a, b) in drawn or not (a in owner or b in owner):
                continue
            (x, y), (x1, _) = self._centre(a), self._centre(b)
            if x1 > x:
                yield x + half, y - half, x + half, y + half
            else:
                yield x - half, y - half, x + half, y - half


def _runs(solution: Solution) -> Iterator[tuple[int, list[Cell]]]:
    """Yield each row's stretches of cells of one path, so that no seam shows between them."""
    grid, owner = solution.puzzle.grid, solution.number_of
    for row in range(grid.rows):
        cells = [grid.cell(row, col) for col in range(grid.cols)]
        for number, run in groupby(cells, owner.get):
            if number is not None:
                yield number, list(run)


def _hatch(box: Rect, cell_pt: float) -> Iterator[Segment]:
    """Yield rising lines at 45°, evenly spaced, ending on the box's edges."""
    x, y, width, height = box
    count = max(2, int((width + height) / max(HATCH_PITCH * cell_pt * 2**0.5, HATCH_LEAST_PT * 2**0.5)))
    for index in range(1, count):
        offset = index * (width + height) / count  # where the line would meet the left edge, from the top
        x0, y0 = x + max(0.0, offset - height), y + max(0.0, height - offset)
        x1, y1 = x + min(width, offset), y + min(height, height - offset + width)
        yield x0, y0, x1, y1


def _cross(box: Rect, cell_pt: float) -> Iterator[Segment]:
    x, y, width, height = box
    margin = CROSS_MARGIN * cell_pt
    left, right, low, high = x + margin, x + width - margin, y + margin, y + height - margin
    yield left, low, right, high
    yield left, high, right, low
