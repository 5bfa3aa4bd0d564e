"""Draw puzzles, their answers, and the ornaments of a book that are made from solved puzzles.

The layers of a board, from the lowest to the highest, are tinted areas and answer lines, grid, solid squares,
discs and numbers. A puzzle's grid has thin inner lines and a stronger outline. Both are printed in full ink,
because print-on-demand printers turn a grey line into a row of dots. The inner lines of an answer's grid are
grey, so that the paths stand out.

The cells of a board that has a shape, such as a heart or a fish, have edges like a staircase, which makes the
shape hard to recognize. Therefore each shape gets a smooth outline, and its cells are a little smaller,
because the outline needs room around them. Imagine a picture in which the cells of the shape are black and
all other cells are white. A Gaussian blur makes this picture grey near the edges of the shape. The outline
connects the points of the blurred picture that have the darkness ``_LEVEL``, where 1 is black and 0 is white.
It stays outside the cells of the shape. The blur alone would close narrow gaps in a shape. Therefore the
darkness of cells around such gaps is changed before the blur. For outlines, the unit of length is the width
of a cell, and points are measured from the top left corner of the board.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from enum import StrEnum
from functools import lru_cache
from itertools import groupby, pairwise, product
from operator import mul
from typing import NamedTuple

from linkpress.documents.inks import picture_inks
from linkpress.engine.recipe import islands
from linkpress.layout.frame import (
    BLACK,
    PAPER,
    Anchor,
    Cap,
    Discs,
    FontKey,
    Frame,
    Ink,
    Item,
    Join,
    Lines,
    Point,
    Polygon,
    Polyline,
    Rect,
    Rects,
    Segment,
    TextRun,
    grey,
)
from linkpress.layout.text_flow import Measure, set_text
from linkpress.layout.theme import NumberStyle, SolidStyle, SolutionStyle, Theme
from linkpress.puzzle.puzzle import Cell, Grid, Pair, Path, Puzzle, Solution, corners_of

DISC_RADIUS = 0.39  # radius of the disc around a number, as a fraction of the cell's width
DOT_RADIUS = 0.34  # radius of a coloured dot that shows no number, as a fraction of the cell's width
_DISC_MARGIN = 0.05  # gap between a number and the edge of its disc, as a fraction of the cell's width
_WIDEST_NUMBER = 0.8  # maximum width of a printed number, as a fraction of the cell's width

# Maximum height of a printed number in a very small cell, as a fraction of the cell's width.
_TALLEST_NUMBER = 0.72
_HATCH_PITCH = 0.18  # distance between the lines of a hatched square, as a fraction of the cell's width

# Gap between a solid square's edge and the cross in it, as a fraction of the cell's width.
_CROSS_MARGIN = 0.2

# Minimum distance in points between the lines of a hatched square: about the width of three of the thinnest
# lines that newspapers can print. Lines that are closer run into each other on newsprint.
_HATCH_LEAST_PT = 2.6
_LIGHT_GRID = grey(0.3)  # grey of the grid lines in answers, so that the paths stand out
_OUTLINE = 0.14  # line width of a shape's outline, as a fraction of the cell's width
_CLEARANCE = 0.06  # gap between a number and the line of its path, as a fraction of the cell's width

# Maximum number of steps in the search that gives neighbouring paths different inks.
_MOST_TRIED = 5000
NUMBER_FONT = FontKey.SEMIBOLD
# Extra space between the digits of a number, in ems; negative moves the digits closer together.
_TRACKING = -0.035


class BoardPart(StrEnum):
    """Kind of layer in the drawing of a board: answer, solid squares, grid or numbers."""

    ANSWER = "answer"
    SOLIDS = "solids"
    GRID = "grid"
    NUMBERS = "numbers"


Layers = tuple[tuple[BoardPart, Frame], ...]


# The check of a book before its puzzles are made draws equal stand-in boards many times. Without this cache,
# drawing 1,600 equal boards takes 0.75 s.
@lru_cache(maxsize=8)
def board_frame(
    puzzle: Puzzle,
    solution: Solution | None,
    cell_pt: float,
    theme: Theme,
    measure: Measure,
    min_text_pt: float = 0.0,
    whole: Solution | None = None,
) -> Frame:
    """Draw a board: its grid, solid squares and numbers, and the given paths of its solution.

    Args:
        solution: the paths to draw. It may hold only some of the puzzle's paths. None draws the unsolved
            puzzle.
        cell_pt: the width of a cell in points. The frame is ``cols`` × ``cell_pt`` wide, plus the outline.
        min_text_pt: the smallest type size in points that the printer allows.
        whole: the complete solution, if ``solution`` has only some of the paths. It gives each path the ink
            that the path has in the complete answer.
    """
    layers = Board(puzzle, cell_pt, theme, measure, min_text_pt).layers(solution, whole)
    size = layers[0][1]
    return Frame(size.width_pt, size.height_pt, tuple(item for _, layer in layers for item in layer.items))


def shown_solids(grid: Grid, theme: Theme) -> frozenset[Cell]:
    """Return the solid squares to draw.

    If the board has a shape, such as a heart, with an outline around it, omit squares outside the outline.
    """
    return blocks_of(grid) if theme.solid_style_of(grid) is SolidStyle.OUTLINE else grid.solids


class _SharedItems:
    """Measurements and drawing items that all boards of one size and theme share.

    Items are created when they are first needed.

    Attributes:
        cell_pt: the width of a cell as drawn, in points.
        size: the width and height of the board including its outline, in points.
        origin: the bottom left corner of the grid of cells.
        centres: the centre of each cell.
        grids: the lines of the grid. The key says whether the board is an answer.
        numerals: the text of each printed number. The outer key is the style and the ink of the number, and
            the inner key is its cell and its value.
    """

    def __init__(
        self, rows: int, cols: int, cell_pt: float, shape: Grid | None, theme: Theme, *_: object
    ) -> None:
        outer_pt = theme.grid.outer_pt
        self.size = width, height = cols * cell_pt + outer_pt, rows * cell_pt + outer_pt
        self.cell_pt, self.outline_pt, self.origin = cell_pt, outer_pt, (outer_pt / 2, outer_pt / 2)
        if shape:
            self.outline_pt, gaps = max(outer_pt, _OUTLINE * cell_pt), 2 * OUTLINE_GAP
            room = width - self.outline_pt, height - self.outline_pt
            self.cell_pt = min(room[0] / (cols + gaps), room[1] / (rows + gaps))
            self.origin = (width - cols * self.cell_pt) / 2, (height - rows * self.cell_pt) / 2
        self.centres = [
            (self.origin[0] + (col + 0.5) * self.cell_pt, self.origin[1] + (rows - row - 0.5) * self.cell_pt)
            for row in range(rows)
            for col in range(cols)
        ]
        self.grids: dict[bool, tuple[Item, ...]] = {}
        self.numerals: dict[tuple[NumberStyle, Ink], dict[tuple[Cell, int], TextRun]] = defaultdict(dict)


# Without this cache, drawing 3,200 boards of 7 × 7 takes twice as long.
_shared_items = lru_cache(maxsize=8)(_SharedItems)


class Board:
    """Puzzle together with its size and theme, ready to be drawn.

    The function ``board_frame`` has the same arguments and explains them.
    """

    def __init__(
        self, puzzle: Puzzle, cell_pt: float, theme: Theme, measure: Measure, min_text_pt: float = 0.0
    ) -> None:
        self.puzzle, self.theme, self.measure, self.min_text_pt = puzzle, theme, measure, min_text_pt
        grid = puzzle.grid
        self.is_outlined = bool(grid.solids) and theme.solid_style_of(grid) is SolidStyle.OUTLINE
        shape = grid if self.is_outlined else None
        self._shared = _shared_items(grid.rows, grid.cols, cell_pt, shape, theme, measure, min_text_pt)
        self.cell_pt = self._shared.cell_pt

    def layers(self, solution: Solution | None, whole: Solution | None = None) -> Layers:
        """Return the board's layers from the lowest to the highest.

        Answers and solid squares each have two layers: one below the grid and one above it.
        """
        whole = whole or solution
        inks: Mapping[int, Ink] = {}
        under: list[Item] = []
        over: list[Item] = []
        if solution is not None and whole is not None:
            inks = self._answer_inks(whole)
            if self.puzzle.colours or self.theme.solutions.style is SolutionStyle.SHADED:
                under, over = self._areas(solution, inks)
            else:
                under = list(self._lines(solution, inks))
        solids = list(self._solids())
        filled = [item for item in solids if isinstance(item, Rects)]
        ruled = [item for item in solids if not isinstance(item, Rects)]
        layers = (
            (BoardPart.ANSWER, under),
            (BoardPart.SOLIDS, filled),
            (BoardPart.GRID, self._grid(solved=solution is not None)),
            (BoardPart.SOLIDS, ruled),
            (BoardPart.ANSWER, over),
            (BoardPart.NUMBERS, self._numbers(solution, inks)),
        )
        return tuple((part, Frame(*self._shared.size, tuple(items))) for part, items in layers)

    def centre(self, cell: Cell) -> Point:
        return self._shared.centres[cell]

    # Grid, squares

    def _grid(self, solved: bool) -> tuple[Item, ...]:
        if solved not in self._shared.grids:
            self._shared.grids[solved] = self._new_grid(solved)
        return self._shared.grids[solved]

    def _new_grid(self, solved: bool) -> tuple[Item, ...]:
        style, cell, grid = self.theme.grid, self.cell_pt, self.puzzle.grid
        inner_pt, inner_ink = style.inner_pt, style.ink
        if solved:
            answers = self.theme.solutions
            usual = _LIGHT_GRID if self._has_light_grid else inner_ink
            inner_pt, inner_ink = answers.grid_pt or inner_pt, answers.grid_ink or usual
        left, low = self._shared.origin
        right, top = left + grid.cols * cell, low + grid.rows * cell
        if self.is_outlined:
            shape, weight = shape_of(grid), self._shared.outline_pt

            def place(points: Iterable[Point]) -> tuple[Point, ...]:
                return tuple((left + x * cell, top - y * cell) for x, y in points)

            sides = tuple((*a, *b) for a, b in map(place, shape.sides))
            return (
                *(Polyline(place(curve), weight, style.ink, closed=True) for curve in shape.outlines),
                Lines(sides, inner_pt, inner_ink, Cap.SQUARE),
                *(Polygon(place(curve), self.theme.solids.ink) for curve in shape.blocks),
            )
        across = [(left, low + row * cell, right, low + row * cell) for row in range(1, grid.rows)]
        down = [(left + col * cell, low, left + col * cell, top) for col in range(1, grid.cols)]
        corners = ((left, low), (right, low), (right, top), (left, top))
        return (
            Lines((*across, *down), inner_pt, inner_ink),
            Polyline(corners, style.outer_pt, style.ink, closed=True),
        )

    @property
    def _has_light_grid(self) -> bool:
        """Return whether the answer's grid is grey. Themes with only black lines use no grey at all."""
        answers = self.theme.solutions
        has_tints = any(ink.shares != (0.0, 0.0, 0.0, 1.0) for ink in answers.path_inks)
        return has_tints and answers.style is not SolutionStyle.SHADED

    def _solids(self) -> Iterator[Item]:
        grid, ink = self.puzzle.grid, self.theme.solids.ink
        style = self.theme.solid_style_of(grid)
        boxes = [self._solid_box(cell) for cell in sorted(grid.solids)]
        if not boxes or self.is_outlined:
            return
        if style is SolidStyle.FILLED:
            yield Rects(tuple(boxes), ink)
            return
        rule = _hatch if style is SolidStyle.HATCHED else _cross
        weight = self.theme.grid.inner_pt * (1 if style is SolidStyle.HATCHED else 2)
        yield Lines(tuple(line for box in boxes for line in rule(box, self.cell_pt)), weight, ink)

    def _solid_box(self, cell: Cell) -> Rect:
        """Return the rectangle of ink that fills a solid square.

        The white gap around the ink has the same width on all sides. This holds even beside the board's
        outline, which is thicker than the grid's inner lines.
        """
        grid, style = self.puzzle.grid, self.theme.grid
        row, col = divmod(cell, grid.cols)
        x, y = self.centre(cell)
        inset, half = self.theme.solids.inset_pt, self.cell_pt / 2
        if inset == 0:
            return x - half, y - half, self.cell_pt, self.cell_pt

        def gap(at_outline: bool) -> float:
            return (style.outer_pt if at_outline else style.inner_pt) / 2 + inset

        left, right = gap(col == 0), gap(col == grid.cols - 1)
        above, below = gap(row == 0), gap(row == grid.rows - 1)
        return x - half + left, y - half + below, self.cell_pt - left - right, self.cell_pt - above - below

    # Answers

    def _answer_inks(self, whole: Solution) -> Mapping[int, Ink]:
        """Return the ink of each path in the answer, by the number of the path's pair.

        If the puzzle hides a picture, a path has its colour in the picture. If the theme has coloured dots, a
        path has the colour of its dots. In all other cases, the inks come from the theme's list of inks.
        """
        style, numbers = self.theme.solutions, self.theme.numbers
        if self.puzzle.colours:
            return self._picture_inks
        if numbers.is_dots and style.style is not SolutionStyle.SHADED:
            places = self._places
            return {path.number: numbers.ink_of(places[path.number]) for path in whole.paths}
        inks = style.path_inks
        return ink_of_paths(whole, inks[:1] if style.style is SolutionStyle.LINE else inks)

    @property
    def _picture_inks(self) -> Mapping[int, Ink]:
        """Return the ink of each pair in a puzzle that hides a picture, keyed by the pair's number.

        The result is empty if the puzzle hides no picture.
        """
        inks = picture_inks(self.puzzle.colours, is_grey=self.theme.is_grey)
        pairs = zip(self.puzzle.pairs, self.puzzle.colours, strict=False)
        return {pair.number: inks[colour] for pair, colour in pairs}

    def _lines(self, solution: Solution, inks: Mapping[int, Ink]) -> Iterator[Polyline]:
        """Draw the paths as lines. A line ends at the edge of a plain number.

        If the ends of paths are discs or dots, each line runs to the centres of its discs or dots. They are
        drawn on top of the line.
        """
        style = self.theme.solutions
        is_cut = self.theme.numbers.style is NumberStyle.PLAIN and style.style is SolutionStyle.LINE
        cap = Cap.BUTT if is_cut else Cap.ROUND
        for path in solution.paths:
            corners = corners_of(path.cells)
            points = [self._shared.centres[cell] for cell in corners]
            if is_cut:
                gap = self._gap(path.number)
                points[0] = _moved(points[0], points[1], gap)
                points[-1] = _moved(points[-1], points[-2], gap)
            yield Polyline(tuple(points), style.width * self.cell_pt, inks[path.number], cap, Join.ROUND)

    def _gap(self, number: int) -> float:
        """Return how far from the centre of its number a path begins, in points.

        The gap keeps the path from touching the printed number.
        """
        size = set_numeral(number, self.cell_pt, self.theme, self.measure, self.min_text_pt).size_pt
        # Measure eights instead of the number itself, so that all numbers with equally many digits have
        # the same gap.
        widest = _number_ink(int("8" * len(str(number))), self.measure).half_diagonal * size
        # Limit the gap, so that a path of two cells still shows a short line between its numbers.
        return min(widest + _CLEARANCE * self.cell_pt, (self.cell_pt - self.theme.grid.outer_pt) / 2)

    def _areas(self, solution: Solution, ink_of: Mapping[int, Ink]) -> tuple[list[Item], list[Item]]:
        """Return the items that show the paths of an answer as tinted areas.

        Returns:
            Two lists. The first has the tinted areas, which are drawn below the grid. The second has the
            walls between different paths, which are drawn above the grid.
        """
        boxes: dict[Ink, list[Rect]] = defaultdict(list)
        side, half = self.cell_pt, self.cell_pt / 2
        for number, cells in _runs(solution):
            (x0, y), (x1, _) = self.centre(cells[0]), self.centre(cells[-1])
            if any(ink_of[number].shares):
                boxes[ink_of[number]].append((x0 - half, y - half, x1 - x0 + side, side))
        under: list[Item] = [Rects(tuple(of_ink), ink) for ink, of_ink in boxes.items()]
        walls, grid = tuple(self._walls(solution)), self.theme.grid
        # If the solved board shows a coloured picture, draw thinner walls between the paths, so that readers
        # easily recognize the picture.
        weight = 1.5 * grid.inner_pt if self.puzzle.colours else max(grid.outer_pt, 2 * grid.inner_pt)
        return under, [Lines(walls, weight, grid.ink, Cap.SQUARE)] if walls else []

    def _walls(self, solution: Solution) -> Iterator[Segment]:
        """Yield a wall between any two neighbouring cells that no path connects directly.

        If a path runs beside itself, a wall separates its two parts, so that the reader can follow the path.
        """
        owner, drawn, half = solution.number_of, solution.edges, self.cell_pt / 2
        for a, b in self.puzzle.grid.edges:
            if (a, b) in drawn or not (a in owner or b in owner):
                continue
            (x, y), (x1, _) = self.centre(a), self.centre(b)
            if x1 > x:
                yield x + half, y - half, x + half, y + half
            else:
                yield x - half, y - half, x + half, y - half

    # Printed numbers

    def _numbers(self, solution: Solution | None, inks: Mapping[int, Ink]) -> Iterator[Item]:
        """Draw the numbers.

        In answers with coloured lines, each number is on a white disc. The disc has a ring in the colour of
        its line.
        """
        theme = self.theme
        if theme.numbers.is_dots:
            yield from self._dots()
            return
        coloured = solution is not None and theme.solutions.style is SolutionStyle.COLOURED
        style = NumberStyle.CIRCLED if coloured else theme.numbers.style
        numbers = sorted(self.puzzle.number_at.items())
        if style is not NumberStyle.PLAIN:
            drawn = () if solution is None else solution.paths
            ends = [(number, self.centre(cell)) for cell, number in numbers]
            yield from self._discs(ends, style, {path.number: inks[path.number] for path in drawn})
        ink = PAPER if style is NumberStyle.REVERSED else theme.numbers.ink
        on_areas = inks if self.puzzle.colours and style is NumberStyle.PLAIN else {}
        for cell, number in numbers:
            shown = PAPER if number in on_areas and on_areas[number].is_dark else ink
            numerals = self._shared.numerals[style, shown]
            if (cell, number) not in numerals:
                numeral = set_numeral(number, self.cell_pt, theme, self.measure, self.min_text_pt, style)
                numerals[cell, number] = _placed_numeral(numeral, self.centre(cell), shown)
            yield numerals[cell, number]

    def _discs(
        self, ends: list[tuple[int, Point]], style: NumberStyle, ink_of: Mapping[int, Ink]
    ) -> Iterator[Item]:
        radius, ink = DISC_RADIUS * self.cell_pt, self.theme.numbers.ink
        thin = self.theme.grid.inner_pt
        if style is NumberStyle.REVERSED:
            yield Discs(tuple(centre for _, centre in ends), radius, ink)
        elif not ink_of or self.theme.solutions.style is not SolutionStyle.COLOURED:
            yield Discs(tuple(centre for _, centre in ends), radius - thin / 2, PAPER, ink, thin)
        else:
            weight = max(thin, 0.08 * self.cell_pt)
            by_ink: dict[Ink, list[Point]] = defaultdict(list)
            for number, centre in ends:
                by_ink[ink_of.get(number, BLACK)].append(centre)
            for ring, centres in by_ink.items():
                yield Discs(tuple(centres), radius - weight / 2, PAPER, ring, weight)

    def _dots(self) -> Iterator[Item]:
        """Draw the dots of each pair in the pair's colour, with numbers on them if the theme shows numbers.

        If the puzzle hides a picture, the dots have the picture's colours and always show numbers. Every dot
        has an outline, so that pale dots can be seen.
        """
        numbers, shown = self.theme.numbers, self.theme.numbers.shows(self.puzzle)
        usual = {number: numbers.ink_of(place) for number, place in self._places.items()}
        inks = self._picture_inks or usual
        radius = (DISC_RADIUS if shown else DOT_RADIUS) * self.cell_pt
        weight = self.theme.grid.inner_pt
        ends: dict[int, list[Point]] = defaultdict(list)
        for cell, number in sorted(self.puzzle.number_at.items()):
            ends[number].append(self.centre(cell))
        for number, centres in sorted(ends.items()):
            yield Discs(tuple(centres), radius - weight / 2, inks[number], numbers.ink, weight)
        for number, centres in sorted(ends.items()) if shown else ():
            ink = PAPER if inks[number].is_dark else BLACK
            numeral = set_numeral(number, self.cell_pt, self.theme, self.measure, self.min_text_pt)
            for centre in centres:
                yield _placed_numeral(numeral, centre, ink)

    @property
    def _places(self) -> Mapping[int, int]:
        """Map the number of each pair to the pair's position in the puzzle's list of pairs, from 1.

        A puzzle from a file may skip numbers. The position of a pair can then be less than its number.
        """
        return {pair.number: place for place, pair in enumerate(self.puzzle.pairs, start=1)}


def _moved(point: Point, target: Point, distance: float) -> Point:
    """Move a point by a distance towards another point, which is in the same row or column."""
    (x, y), (other_x, other_y) = point, target
    return x + distance * ((other_x > x) - (other_x < x)), y + distance * ((other_y > y) - (other_y < y))


def _runs(solution: Solution) -> Iterator[tuple[int, list[Cell]]]:
    """Yield each run of neighbouring cells in one row that belong to one path, with the path's number.

    A run is drawn as a single rectangle, because separate rectangles for its cells would show seams.
    """
    grid, owner = solution.puzzle.grid, solution.number_of
    for row in range(grid.rows):
        cells = [grid.cell(row, col) for col in range(grid.cols)]
        for number, run in groupby(cells, owner.get):
            if number is not None:
                yield number, list(run)


def _hatch(box: Rect, cell_pt: float) -> Iterator[Segment]:
    """Yield evenly spaced lines that rise at 45°, clipped to the box."""
    x, y, width, height = box
    count = max(2, int((width + height) / (max(_HATCH_PITCH * cell_pt, _HATCH_LEAST_PT) * 2**0.5)))
    for index in range(1, count):
        # Distance from the top of the box down to the point where the hatching line meets the left edge. This
        # point may lie below the box, where the edge is extended.
        offset = index * (width + height) / count
        x0, y0 = x + max(0.0, offset - height), y + max(0.0, height - offset)
        x1, y1 = x + min(width, offset), y + min(height, height - offset + width)
        yield x0, y0, x1, y1


def _cross(box: Rect, cell_pt: float) -> Iterator[Segment]:
    x, y, width, height = box
    margin = _CROSS_MARGIN * cell_pt
    left, right, low, high = x + margin, x + width - margin, y + margin, y + height - margin
    yield left, low, right, high
    yield left, high, right, low


# Path inks


def ink_of_paths(solution: Solution, inks: tuple[Ink, ...]) -> Mapping[int, Ink]:
    """Choose an ink for each path, so that neighbouring paths have different inks if possible.

    Paths get their inks one after another. Each path gets the ink that the fewest of its neighbours have. If
    several inks are equally good, the path gets the ink that was used least so far.

    If neighbours then still share an ink, a search looks for better inks. Four inks are always enough, by the
    four-colour theorem (Appel and Haken, 1976).
    """
    if len(inks) == 1:
        return {path.number: inks[0] for path in solution.paths}
    neighbours = _neighbours(solution)
    chosen: dict[int, int] = {}
    used = [0] * len(inks)
    for path in solution.paths:
        near = [chosen[other] for other in neighbours[path.number] if other in chosen]
        best = min(range(len(inks)), key=lambda ink: (near.count(ink), used[ink], ink))
        chosen[path.number] = best
        used[best] += 1
    if any(chosen[number] == chosen[other] for number, others in neighbours.items() for other in others):
        chosen = _search_inks(neighbours, len(inks)) or chosen
    return {number: inks[index] for number, index in chosen.items()}


def _search_inks(neighbours: Mapping[int, set[int]], inks: int) -> dict[int, int] | None:
    """Search for inks such that no two neighbouring paths have the same ink.

    The search always continues with the path that has the fewest possible inks (DSATUR: Brélaz, 1979).

    Args:
        neighbours: for the number of each path, the numbers of its neighbours.
        inks: the number of inks.
    Returns:
        The index of each path's ink, or None if no choice is possible or the search takes too many steps.
    """
    possible = {number: list(range(inks)) for number in neighbours}
    chosen: dict[int, int] = {}
    # The numbers of the paths that have an ink so far, in the order in which they got it. With each number is
    # a list of the inks that the search has not tried yet for this path.
    trail: list[tuple[int, list[int]]] = []
    for _ in range(_MOST_TRIED):
        if len(chosen) == len(neighbours):
            return chosen
        number = min(
            possible.keys() - chosen.keys(),
            key=lambda path: (len(possible[path]), -len(neighbours[path]), path),
        )
        trail.append((number, possible[number]))
        while trail and not trail[-1][1]:
            trail.pop()
            if trail:
                del chosen[trail[-1][0]]
        if not trail:
            return None
        number, untried = trail[-1]
        chosen[number], trail[-1] = untried[0], (number, untried[1:])
        possible = {
            path: [index for index in range(inks) if all(chosen.get(other) != index for other in others)]
            for path, others in neighbours.items()
        }
    return None


def _neighbours(solution: Solution) -> dict[int, set[int]]:
    owner = solution.number_of
    neighbours: dict[int, set[int]] = {path.number: set() for path in solution.paths}
    for a, b in solution.puzzle.grid.edges:
        path, other = owner.get(a), owner.get(b)
        if path is not None and other is not None and path != other:
            neighbours[path].add(other)
            neighbours[other].add(path)
    return neighbours


# Setting numbers


class _NumberInk(NamedTuple):
    """Size of a printed number at a type size of 1 pt.

    ``width`` and ``height`` measure the ink itself. ``advance`` is the width including the space on both
    sides.
    """

    left: float
    width: float
    height: float
    advance: float

    @property
    def half_diagonal(self) -> float:
        return math.hypot(self.width, self.height) / 2


def set_numeral(
    number: int,
    cell_pt: float,
    theme: Theme,
    measure: Measure,
    min_text_pt: float = 0.0,
    style: NumberStyle | None = None,
) -> TextRun:
    """Typeset a number at the right size for a cell, with its ink centred on the point (0, 0).

    The theme sets the height of the digits, so that all numbers of a board are equally tall. A number that is
    too wide for its cell or its disc is set smaller than the others.

    Args:
        cell_pt: the width of the cell in points.
        min_text_pt: the smallest type size in points that the printer allows.
        style: the style of the number, or None for the theme's style.
    """
    ink = _number_ink(number, measure)
    size = theme.numbers.height * cell_pt / ink.height
    if (style or theme.numbers.style) is NumberStyle.PLAIN:
        size = min(size, _WIDEST_NUMBER * cell_pt / ink.width)
    else:
        size = min(size, (DISC_RADIUS - _DISC_MARGIN) * cell_pt / ink.half_diagonal)
    size = max(min_text_pt, size)
    tracking = _TRACKING * size if number > 9 else 0.0
    x, y = -(ink.left + ink.width / 2) * size, -ink.height / 2 * size
    width = ink.advance * size
    return TextRun(x, y, str(number), NUMBER_FONT, size, width, anchor=Anchor.MIDDLE, tracking_pt=tracking)


def _placed_numeral(numeral: TextRun, centre: Point, ink: Ink) -> TextRun:
    # Copy the fields by hand, because ``dataclasses.replace`` takes three times as long.
    return TextRun(
        centre[0] + numeral.x,
        centre[1] + numeral.y,
        numeral.text,
        numeral.font,
        numeral.size_pt,
        numeral.width_pt,
        ink,
        numeral.anchor,
        numeral.tracking_pt,
    )


def smallest_cell_pt(number: int, theme: Theme, measure: Measure, text_pt: float) -> float:
    """Return the width in points of the smallest cell that can hold a number of type size ``text_pt``."""
    ink = _number_ink(number, measure)
    if theme.numbers.style is NumberStyle.PLAIN:
        return max(ink.width / _WIDEST_NUMBER, ink.height / _TALLEST_NUMBER) * text_pt
    return ink.half_diagonal * text_pt / (DISC_RADIUS - _DISC_MARGIN / 2)


def cell_for_size(theme: Theme, measure: Measure, text_pt: float) -> float:
    """Return the cell width in points at which one-digit numbers are printed in type size ``text_pt``."""
    return text_pt / set_numeral(8, 100.0, theme, measure).size_pt * 100.0


@lru_cache(maxsize=500)
def _number_ink(number: int, measure: Measure) -> _NumberInk:
    text = str(number)
    box = measure.ink(text, NUMBER_FONT, 1.0)
    tracking = _TRACKING * (len(text) - 1)
    return _NumberInk(
        left=box.left,
        width=box.right - box.left + tracking,
        height=measure.ink("1", NUMBER_FONT, 1.0).top,
        advance=measure.width(text, NUMBER_FONT, 1.0) + tracking,
    )


# Examples, ornaments

_EXAMPLE_SIDE = 5
# The worked examples of the how-to-play pages: the cells of each path, by the path's number. Each puzzle has
# exactly one solution, even under the rule that cells may stay empty. Cells without a path are solid squares.
_OPEN_EXAMPLE = {
    1: (4, 9, 14),
    2: (6, 7, 12, 13, 18, 19),
    3: (8, 3, 2, 1, 0, 5, 10, 11, 16, 17),
    4: (15, 20, 21, 22, 23, 24),
}
_EXAMPLE_WITH_SOLID = {
    1: (0, 1, 2, 7, 8, 13, 18),
    2: (3, 4, 9, 14, 19, 24, 23, 22),
    3: (6, 5, 10, 15),
    4: (12, 17, 16, 21, 20),
}
HALF_WAY = (1, 3)  # numbers of the paths that are drawn in the half-solved example
MARK = 0.6  # width of a difficulty mark, as a fraction of the type size of the words beside it

# Distance between the centres of two neighbouring difficulty marks, as a multiple of a mark's width.
_MARK_PITCH = 1.35


def worked_example(solids: bool) -> Solution:
    """Return the solved example of the how-to-play pages, with or without a solid square."""
    cells_of = _EXAMPLE_WITH_SOLID if solids else _OPEN_EXAMPLE
    paths = tuple(Path(number, cells) for number, cells in cells_of.items())
    pairs = tuple(Pair(path.number, *sorted((path.cells[0], path.cells[-1]))) for path in paths)
    covered = {cell for path in paths for cell in path.cells}
    solid = frozenset(range(_EXAMPLE_SIDE**2)) - covered
    return Solution(Puzzle(Grid(_EXAMPLE_SIDE, _EXAMPLE_SIDE, solid), pairs), paths)


def half_way(example: Solution) -> Solution:
    return Solution(example.puzzle, tuple(path for path in example.paths if path.number in HALF_WAY))


def path_ornament(
    solution: Solution, cell_pt: float, corner: Point, inks: Sequence[Ink], light: Ink
) -> list[Item]:
    """Draw a solved board without its grid. Each path is a line that ends in rings.

    Solid squares inside the board's shape are drawn as small dots.

    Args:
        cell_pt: the width of a cell in points.
        corner: the bottom left corner of the ornament.
        inks: the inks of the lines, used in turn.
        light: the ink of the small dots.
    """
    grid = solution.puzzle.grid

    def centre(cell: int) -> Point:
        row, col = divmod(cell, grid.cols)
        return corner[0] + (col + 0.5) * cell_pt, corner[1] + (grid.rows - row - 0.5) * cell_pt

    items: list[Item] = []
    for place, ink in enumerate(inks):
        paths = solution.paths[place :: len(inks)]
        items += [
            Polyline(tuple(centre(cell) for cell in path.cells), 0.2 * cell_pt, ink, Cap.ROUND, Join.ROUND)
            for path in paths
        ]
        ends = tuple(centre(cell) for path in paths for cell in (path.cells[0], path.cells[-1]))
        items.append(Discs(ends, 0.32 * cell_pt, ink))
        items.append(Discs(ends, 0.15 * cell_pt, PAPER))
    if blocks := blocks_of(grid):
        items.append(Discs(tuple(centre(cell) for cell in sorted(blocks)), 0.12 * cell_pt, light))
    return items


def level_ornament(
    current: int, count: int, first: Point, *, pitch_pt: float, ink: Ink, measure: Measure, weight_pt: float
) -> list[Item]:
    """Draw a row of connected discs, one for each difficulty level of a book, filled up to the current level.

    Args:
        current: the index of the current level, from 0.
        count: the number of levels.
        first: the centre of the first disc.
        pitch_pt: the distance between the centres of two neighbouring discs, in points.
        weight_pt: the width of the connecting line and of the rings of empty discs, in points.
    """
    x, y = first
    centres = [(x + step * pitch_pt, y) for step in range(count)]
    radius = 0.3 * pitch_pt
    items: list[Item] = []
    if current + 1 < count:
        items.append(Polyline((centres[current], centres[-1]), weight_pt, ink))
    if current:
        items.append(Polyline((centres[0], centres[current]), 0.2 * pitch_pt, ink))
    items.append(Discs(tuple(centres[: current + 1]), radius, ink))
    if current + 1 < count:
        items.append(Discs(tuple(centres[current + 1 :]), radius - weight_pt / 2, PAPER, ink, weight_pt))
    size = 1.05 * radius
    drop = measure.ink("1", NUMBER_FONT, size).top / 2
    for step, (x, y) in enumerate(centres):
        number_ink = PAPER if step <= current else ink
        items.append(
            set_text(str(step + 1), (x, y - drop), NUMBER_FONT, size, measure, Anchor.MIDDLE, number_ink)
        )
    return items


def marks_width(count: int, size_pt: float) -> float:
    return size_pt * (1 + (count - 1) * _MARK_PITCH)


def marks_row(count: int, x: float, y: float, size_pt: float) -> Discs:
    """Draw the difficulty of a puzzle as a row of dots.

    Args:
        count: the number of dots.
        x, y: the left end and the middle height of the row, in points.
        size_pt: the width of a dot in points.
    """
    centres = tuple((x + size_pt * (0.5 + index * _MARK_PITCH), y) for index in range(count))
    return Discs(centres, size_pt / 2)


# The outline of a shape is found by blurring a picture of it. ``_BLUR`` is the standard deviation of the
# blur, in cell widths. ``_LEVEL`` is the darkness of the blurred picture along the outline: 0 is white, and 1
# is black. With these values, the outline passes just outside the corners of the shape's cells. With less
# blur it would be wavy, and with a higher level it would cut off corners.
_BLUR, _LEVEL = 0.55, 0.25
# Space for the outline at each side of a board, in cell widths. The outline of a shape runs 0.371 cell widths
# outside a straight side of the shape. Beside gaps in the shape, such as the gap between two legs, it is a
# little farther away.
OUTLINE_GAP = 0.38
# The outline of a shape is found by blurring a picture of the shape. These values limit the darkness of the
# blurred picture at some points, from 0 (white) to 1 (black). ``_OPEN`` is the maximum in gaps of the shape
# and around the board (``_open_points``), so that the outline closes no gap. Half a cell away from a straight
# side, the darkness is just below this maximum. ``_OPEN_SQUARE`` is the maximum at the centre of a cell in a
# narrow gap (``_narrow_squares``). ``_INSIDE`` is the minimum along the border of the shape
# (``_edge_points``), so that the outline cuts off no corner of a cell, but only touches it.
_OPEN, _OPEN_SQUARE, _INSIDE = 0.185, 0.16, 0.22
# ``_darkness_with_gaps`` changes the picture of the shape step by step, until the blurred picture breaks none
# of these limits by more than ``_TOLERANCE``. It gives up after ``_MOST_ROUNDS`` steps. The shapes that are
# included in linkpress need at most 220.
_TOLERANCE = 0.0005
_MOST_ROUNDS = 300

# To find the outline of a shape, a blurred picture of the shape is computed point by point. The darkness at a
# point depends only on the cells near the point: those whose centre is at most this many cell widths away in
# the horizontal direction, and at most as many in the vertical direction.
_REACH = 2.5

# Small blocks of solid squares inside a shape, such as the eyes of a cat, are drawn with round corners and a
# little smaller than their squares. For this purpose, a picture of the block is blurred. The outline is the
# curve on which the blurred picture has the darkness _BLOCK_LEVEL, from 0 (white) to 1 (black).
_BLOCK_BLUR, _BLOCK_LEVEL = 0.25, 0.6
# Maximum number of solid squares in a small block inside a board's shape, such as the eye of a cat. Such
# blocks are filled. A larger group of solid squares counts as a hole, such as the hole of the letter O, and
# gets an outline.
_LARGEST_BLOCK = 4
# To find the outline of a shape, a blurred picture of the shape is computed at points of a grid. There are
# ``_SAMPLES`` points in each direction for each cell. The grid extends ``_MARGIN`` cell widths beyond the
# board on all sides.
_SAMPLES = 6
_MARGIN = 1.5

# A point of an outline is omitted if it is closer than this to the line between its neighbours.
_STRAIGHT = 0.002

Curve = tuple[Point, ...]
# Point of the grid on which the blurred picture of a shape is computed: the indices of its column and row.
_Sample = tuple[int, int]
_Square = tuple[int, int]  # row and column of a cell on the board, or in the ring of cells around it


class ShapeDrawing(NamedTuple):
    """Lines and curves that draw a board with a shape.

    Args:
        sides: the sides of all cells that belong to the shape.
        outlines: closed curves around the shape and its large holes.
        blocks: closed curves around small groups of solid squares inside the shape, such as the eyes
            of a cat.
    """

    sides: tuple[tuple[Point, Point], ...]
    outlines: tuple[Curve, ...]
    blocks: tuple[Curve, ...]


@lru_cache(maxsize=64)
def shape_of(grid: Grid) -> ShapeDrawing:
    """Return the lines and curves that draw the shape of a board, such as a heart.

    The shape consists of all cells that are not solid squares.
    """
    blocks, places = blocks_of(grid), [grid.position(cell) for cell in grid.free_cells]
    across = {((col, row + side), (col + 1, row + side)) for row, col in places for side in (0, 1)}
    down = {((col + side, row), (col + side, row + 1)) for row, col in places for side in (0, 1)}
    darkness = _darkness_with_gaps(grid, {grid.position(cell) for cell in blocks.union(grid.free_cells)})
    return ShapeDrawing(
        (*sorted(across), *sorted(down)),
        _contours(grid, darkness, _BLUR, _LEVEL),
        _contours(grid, dict.fromkeys(map(grid.position, blocks), 1.0), _BLOCK_BLUR, _BLOCK_LEVEL),
    )


def blocks_of(grid: Grid) -> frozenset[Cell]:
    """Return the solid squares that form small groups inside the shape of a board.

    For example, a board in the shape of a cat has such squares for the eyes.
    """
    return frozenset().union(*(group for group in inner_groups(grid) if len(group) <= _LARGEST_BLOCK))


def inner_groups(grid: Grid) -> Iterator[Collection[Cell]]:
    """Yield each group of adjacent solid squares that doesn't touch the edge of the board.

    Examples are the eyes of a cat and the hole of the letter O, on boards with these shapes.
    """
    inner = frozenset(
        grid.cell(row, col) for row in range(1, grid.rows - 1) for col in range(1, grid.cols - 1)
    )
    groups = islands(Grid(grid.rows, grid.cols, frozenset(grid.free_cells)))
    return (group for group in groups if inner.issuperset(group))


class _Limit(NamedTuple):
    """Minimum or maximum for the darkness at one point of the blurred picture of a board's shape.

    Args:
        sign: -1 if ``value`` is a maximum, 1 if it is a minimum.
        value: the maximum or minimum, from 0 (white) to 1 (black).
        shares: for each nearby cell, the darkness at the point if this cell were black and all others white.
    """

    sign: int
    value: float
    shares: Mapping[_Square, float]

    def excess(self, darkness: Mapping[_Square, float]) -> float:
        """Return by how much the blurred picture of a board's shape breaks this limit.

        The limit applies to one point of the picture. If it is a maximum, the result says how much darker
        than the maximum this point is. If it is a minimum, the result says how much lighter than the minimum
        the point is. The result is 0 or negative if the limit is not broken.

        Args:
            darkness: the darkness of each cell before the blur.
        """
        return self.sign * (self.value - self.blurred(darkness))

    def blurred(self, darkness: Mapping[_Square, float]) -> float:
        return sum(share * darkness[square] for square, share in self.shares.items())


def _darkness_with_gaps(grid: Grid, inside: Set[_Square]) -> Mapping[_Square, float]:
    """Return a darkness for each cell of a board that has a shape, such as a heart.

    The outline of the shape is later found by blurring a picture with these values. At first, cells of the
    shape have the darkness 1, and all others 0. If the outline would close a narrow gap in the shape,
    Hildreth's method (1957) finds the smallest change of these values that keeps the gap open.
    """
    squares = product(_places(grid.rows), _places(grid.cols))
    darkness = {square: float(square in inside) for square in squares}
    limits = [_limit(grid, point, -1, _OPEN) for point in _open_points(grid, inside)]
    limits += [_limit(grid, point, -1, _OPEN_SQUARE) for point in _narrow_squares(grid, inside)]
    if all(limit.excess(darkness) <= 0 for limit in limits):
        return darkness
    for point in _edge_points(grid, inside):
        limit = _limit(grid, point, 1, _INSIDE)
        limits.append(limit._replace(value=min(_INSIDE, limit.blurred(darkness))))
    sizes = [sum(share * share for share in limit.shares.values()) for limit in limits]
    applied = [0.0] * len(limits)
    for _ in range(_MOST_ROUNDS):
        largest = 0.0
        for index, limit in enumerate(limits):
            change = max(limit.excess(darkness) / sizes[index], -applied[index])
            applied[index] += change
            largest = max(largest, abs(change) * sizes[index])
            if change:
                for square, share in limit.shares.items():
                    darkness[square] += limit.sign * change * share
        if largest < _TOLERANCE:
            break
    return darkness


def _places(length: int) -> range:
    """Return the row or column indices of a board with ``length`` rows or columns.

    The indices include the ring of cells around the board: -1 before the first row or column, and ``length``
    after the last one.
    """
    return range(-1, length + 1)


def _open_points(grid: Grid, inside: Set[_Square]) -> Iterator[Point]:
    """Yield points that must be outside the outline of a board's shape, such as a heart.

    They are in gaps of the shape or around the board: the middle of each side between two cells outside the
    shape, and the centre of each cell in the ring around the board.
    """
    for row, col in product(_places(grid.rows), _places(grid.cols)):
        if row in (-1, grid.rows) or col in (-1, grid.cols):
            yield col + 0.5, row + 0.5
        if (row, col) not in inside:
            if (row, col + 1) not in inside:
                yield col + 1.0, row + 0.5
            if (row + 1, col) not in inside:
                yield col + 0.5, row + 1.0


def _narrow_squares(grid: Grid, inside: Set[_Square]) -> Iterator[Point]:
    """Yield the centre of each cell that is in a narrow gap of a board's shape, such as a heart.

    The cell itself is outside the shape. Its left and right neighbours, or its upper and lower neighbours,
    belong to the shape.
    """
    for row, col in product(range(grid.rows), range(grid.cols)):
        beside, above = {(row, col - 1), (row, col + 1)}, {(row - 1, col), (row + 1, col)}
        if (row, col) not in inside and (inside >= beside or inside >= above):
            yield col + 0.5, row + 0.5


def _edge_points(grid: Grid, inside: Set[_Square]) -> list[Point]:
    """Return the points along the border of a board's shape, such as a heart.

    These are the ends and the middle of each side between a cell of the shape and a cell outside it.
    """

    def points_of(square: _Square) -> Iterator[Point]:
        row, col = square
        return ((col + x / 2, row + y / 2) for x, y in product(range(3), repeat=2))

    squares = product(_places(grid.rows), _places(grid.cols))
    outside = {point for square in squares if square not in inside for point in points_of(square)}
    return sorted(outside.intersection(point for square in inside for point in points_of(square)))


def _limit(grid: Grid, point: Point, sign: int, value: float) -> _Limit:
    x, y = point
    shares = {
        (row, col): _share(row - y) * _share(col - x)
        for row in _places(grid.rows)
        if abs(row + 0.5 - y) <= _REACH
        for col in _places(grid.cols)
        if abs(col + 0.5 - x) <= _REACH
    }
    return _Limit(sign, value, shares)


@lru_cache(maxsize=64)
def _share(start: float) -> float:
    """Return one of the two factors that say how dark one black cell makes a point of the blurred picture.

    The darkness at the point is the product of a factor for the vertical direction and a factor for the
    horizontal direction. This function computes either of them, and is called once for each direction.

    Args:
        start: the signed distance from the point to the top or left side of the cell. It is negative if that
            side is above the point or to its left.
    """
    low, high = (math.erf(end / (_BLUR * math.sqrt(2))) / 2 for end in (start, start + 1))
    return high - low


def _contours(grid: Grid, darkness: Mapping[_Square, float], blur: float, level: float) -> tuple[Curve, ...]:
    """Return the closed curves on which the blurred picture has the darkness ``level``.

    The curves are found by marching squares (Lorensen and Cline, 1987).

    Args:
        darkness: the darkness of each cell before the blur. A missing cell has the darkness 0.
        blur: the standard deviation of the blur.
    """
    across, down = _shares(grid.cols, blur), _shares(grid.rows, blur)
    rows = [[darkness.get((row, col), 0.0) for col in _places(grid.cols)] for row in _places(grid.rows)]
    columns = list(zip(*([sum(map(mul, shares, row)) for shares in across] for row in rows), strict=True))
    field = [[sum(map(mul, shares, column)) for column in columns] for shares in down]
    following: dict[tuple[_Sample, ...], tuple[_Sample, ...]] = {}
    for y in range(len(down) - 1):
        for x in range(len(across) - 1):
            corners = ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1))
            inside = [field[b][a] > level for a, b in corners]
            if any(inside) and not all(inside):
                sides = [tuple(sorted((corners[index - 1], corners[index]))) for index in range(4)]
                leaving = [side for index, side in enumerate(sides) if inside[index - 1] > inside[index]]
                entering = [side for index, side in enumerate(sides) if inside[index - 1] < inside[index]]
                following.update(zip(leaving, entering, strict=True))
    contours = []
    while following:
        side, points = next(iter(following)), []
        while side in following:
            (x0, y0), (x1, y1) = side
            share = (level - field[y0][x0]) / (field[y1][x1] - field[y0][x0])
            x, y = x0 + share * (x1 - x0), y0 + share * (y1 - y0)
            points.append((round(x / _SAMPLES - _MARGIN, 3), round(y / _SAMPLES - _MARGIN, 3)))
            side = following.pop(side)
        contours.append(_without_straight_points(points))
    return tuple(contours)


def _shares(length: int, blur: float) -> list[list[float]]:
    """Return how dark a blurred picture of the board is if only one row or one column of cells is black.

    If one row is black, all points at the same height are equally dark, so the points on one vertical line
    are enough. If one column is black, the points on one horizontal line are enough in the same way.

    Args:
        length: the number of rows or of columns of the board.
        blur: the standard deviation of the blur, in cell widths.
    Returns:
        For each point on the line, a list with the darkness for each row or column that may be black.
    """
    places = [index / _SAMPLES - _MARGIN for index in range(int((length + 2 * _MARGIN) * _SAMPLES) + 1)]
    sums = [
        [math.erf((line - at) / (blur * math.sqrt(2))) / 2 for line in range(-1, length + 2)] for at in places
    ]
    return [[high - low for low, high in pairwise(of_place)] for of_place in sums]


def _without_straight_points(points: list[Point]) -> Curve:
    kept = [points[0]]
    for (x, y), (next_x, next_y) in pairwise((*points[1:], points[0])):
        along_x, along_y = next_x - kept[-1][0], next_y - kept[-1][1]
        off = (x - kept[-1][0]) * along_y - (y - kept[-1][1]) * along_x
        if abs(off) > _STRAIGHT * math.hypot(along_x, along_y):
            kept.append((x, y))
    return tuple(kept)
