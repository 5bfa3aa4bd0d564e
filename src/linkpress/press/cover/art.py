"""A design's art is a solved board, laid over the cover and drawn in its palette."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from linkpress.book.design_keys import Alignment, ArtBoard, CoverArt, CoverDesign, CoverPalette, WordsPlace
from linkpress.documents.inks import press_safe
from linkpress.errors import LayoutError
from linkpress.layout.boards import ink_of_paths
from linkpress.layout.frame import (
    BLACK,
    PAPER,
    Anchor,
    Area,
    Cap,
    Discs,
    FontKey,
    Ink,
    Item,
    Join,
    Lines,
    Point,
    Polyline,
    Rects,
    Segment,
)
from linkpress.layout.measure import Measure, set_text
from linkpress.press.cover.art_board import BlockLetters, block_letters, letter_solids, made_board, nest
from linkpress.press.cover.cover_geometry import CoverGeometry
from linkpress.press.cover.cover_order import CoverOrder
from linkpress.puzzle.puzzle import MAX_SIDE, Cell, Path, Solution, turning_cells

_GAP_PT = 18.0  # between words and art, at least
_LEAST_FREE = 0.16  # of the front's height
_CLEAR = 0.24  # of a square's side, between words and the lines round them
_UNDER_FIGURE = 0.38  # of a square's side: the radius of the disc under a number to which a line is drawn
_STRETCH_LEAST = 0.8  # of a board's most squares: so many fit, smaller ones and the bleed counted
_STRETCH = 15  # percent by which squares may be larger or smaller than asked for
_GLOW = 0.22  # of a dot's radius: the width of a ring of its glow
_BEYOND_PT = 4.0  # the trim: a grid's line there is not seen if the cut is a little off
_BEND_COUNTS = 3  # as many squares, where lines are chosen to be drawn
_BEND = 64  # straight pieces of a round bend: with 12 of them corners are seen on a cover
_FEWEST_ACROSS, _MOST_ACROSS = 2, 5  # squares of a letter's stroke
_OVERLAP_PT = 0.3  # of areas, whose common edges would show a hairline on screens


class _BoardPlace(NamedTuple):
    """A board's place has its left edge, its top edge, the side of a square, rows and columns."""

    x: float
    top: float
    cell: float
    rows: int
    cols: int

    def box(self, cell: Cell, reach: float = 0.5) -> Area:
        """Return the area around a square's centre that reaches so far on all sides, in squares."""
        row, col = divmod(cell, self.cols)
        side = 2 * reach * self.cell
        x, y = self.x + (col + 0.5 - reach) * self.cell, self.top - (row + 0.5 + reach) * self.cell
        return Area(x, y, side, side)


def art_items(
    order: CoverOrder,
    design: CoverDesign,
    geometry: CoverGeometry,
    words: Area,
    taken: Sequence[Area],
    measure: Measure,
) -> list[Item]:
    """Draw the art's board on the cover, clear of words and the like; raise ``LayoutError`` if none fits."""
    art, seed = design.art, f"{order.spec.seed}/cover/{design.name}"
    letters = block_letters(order.keys.initial or str(order.spec.puzzle_count))
    at_foot = design.words.place is WordsPlace.TOP
    laid = _place_board(design, geometry, _free_area(geometry, words, art.height, at_foot), at_foot, letters)
    if art.board is ArtBoard.NEST:
        solution = nest(laid.rows)
    else:
        areas = [words, *taken]
        if art.grid and art.board is ArtBoard.COVER:
            # Nothing stands beside the front's words, and no sliver between words and trim.
            whole, front = geometry.whole, geometry.front
            foot, high = words.y - _GAP_PT, words.height + 2 * _GAP_PT
            areas[0] = Area(front.x, foot, whole.right - front.x, high)
            areas = [_stretched_to_trim(area, whole, laid.cell) for area in areas]
        if art.board is ArtBoard.COUNT:
            solids = letter_solids(letters, laid.rows, laid.cols)
        else:
            solids = _squares_for_words(laid, art, areas)
        solution = made_board(laid.rows, laid.cols, solids, art.path, seed)
    return [*_DrawnBoard(solution, laid, art, design.palettes[0], order.ground, geometry, measure).items()]


def _free_area(geometry: CoverGeometry, words: Area, height: float, at_foot: bool) -> Area:
    """Return the part of the front, with its bleed, that the words leave free, as high as it may be."""
    front, whole = geometry.front, geometry.whole
    width, most = whole.right - front.x, height * front.height
    free = min((words.y - whole.y if at_foot else whole.top - words.top) - _GAP_PT, most)
    if free < _LEAST_FREE * front.height:
        raise LayoutError(
            "its words leave no room on the front for the art. Shorten the title or the subtitle, or choose "
            "another design.",
            "cover.design",
        )
    return Area(front.x, whole.y if at_foot else whole.top - free, width, free)


def _place_board(
    design: CoverDesign, geometry: CoverGeometry, free: Area, at_foot: bool, letters: BlockLetters
) -> _BoardPlace:
    art, left = design.art, design.words.align is Alignment.LEFT
    front, live = geometry.front, geometry.live(geometry.front)
    reached = geometry.whole if art.board in (ArtBoard.COVER, ArtBoard.BAND) else front
    least = max(reached.width, reached.height) / (_STRETCH_LEAST * MAX_SIDE)
    cell = max(front.width / art.squares, least)
    low, high = max(free.y, live.y), min(free.top, live.top)
    if art.board is ArtBoard.COUNT:
        across = min(max(_FEWEST_ACROSS, art.squares / letters.cols), _MOST_ACROSS)
        finer = max(1, round(across / letters.stroke))
        cols = letters.cols * finer
        cell = min(live.width / cols, (high - low) / (letters.rows * finer))  # higher than drawn, never lower
        rows = letters.rows * min(MAX_SIDE // letters.rows, int((high - low) / cell / letters.rows + 1e-6))
        x = live.x if left else live.centre - cols * cell / 2
        return _BoardPlace(x, (low + high) / 2 + rows * cell / 2, cell, rows, cols)
    if art.board is ArtBoard.NEST:
        count = max(3, round(art.squares))
        cell = min(free.width, free.height) / (count - 1)  # a square runs off, and the lines with it
        return _BoardPlace(free.right - (count - 1) * cell, free.y + (count - 1) * cell, cell, count, count)
    if art.board is ArtBoard.INSIDE:
        cell = min(live.width, high - low) / art.side
        side = art.side * cell
        x = live.x if left else live.centre - side / 2
        return _BoardPlace(x, (low + high) / 2 + side / 2, cell, art.side, art.side)
    if art.board is ArtBoard.CORNER:
        top = free.top if at_foot else free.y + art.side * cell
        return _BoardPlace(live.x, top, cell, art.side, art.side)
    if art.board is ArtBoard.BAND:
        rows, cols = math.ceil(free.height / cell) + 1, math.ceil(geometry.whole.width / cell) + 1
        top = free.top if at_foot else free.y + rows * cell
        return _BoardPlace(geometry.whole.centre - cols * cell / 2, top, cell, rows, cols)
    return _place_over_cover(front, geometry.spine.width / 2, cell, at_foot if art.grid else None)


def _place_over_cover(front: Area, spine: float, cell: float, grid_at_foot: bool | None) -> _BoardPlace:
    """Lay a board over the whole cover, or over a front without a spine.

    The spine's words stand in one column of squares, and squares end at the trim, about: a line along it that
    is cut looks like a fault. A row and a column more lie in the bleed.

    Args:
        grid_at_foot: whether a grid runs off the front's foot, or else its head, just beyond which an edge
            of squares lies then; None where no grid is drawn.
    """
    column = 0.5 if spine else 0.0
    high, wide = front.height * (grid_at_foot is None), front.width + spine
    if grid_at_foot is not None and not spine:
        wide += 2 * _BEYOND_PT
    cell = min(
        (cell * (1 + step / 100) for step in range(-_STRETCH, _STRETCH + 1)),
        key=lambda side: _misfit(high / side) + _misfit(wide / side - column),
    )
    rows, cols = round(front.height / cell), round(wide / cell - column)
    top = front.centre_y + rows * cell / 2 + cell
    x, over = (front.x - spine - (column + cols + 1) * cell, 2 * cols + 3) if spine else (front.x, cols + 1)
    if grid_at_foot is not None:
        x = front.right + _BEYOND_PT - (over - 1) * cell
        top = front.y - _BEYOND_PT + (rows + 1) * cell if grid_at_foot else front.top + _BEYOND_PT + cell
    return _BoardPlace(x, top, cell, rows + 2, over)


def _misfit(count: float) -> float:
    return abs(count - round(count))


def _squares_for_words(laid: _BoardPlace, art: CoverArt, words: Sequence[Area]) -> frozenset[Cell]:
    """Return the squares that words or the barcode need."""
    drawn = max(art.line / 2, art.dot * (1 + _GLOW * art.glow))
    reach = 0.5 + _CLEAR / 2 if art.grid else drawn + _CLEAR
    squares = ((cell, laid.box(cell, reach)) for cell in range(laid.rows * laid.cols))
    return frozenset(cell for cell, box in squares if any(_overlap(box, area) for area in words))


def _stretched_to_trim(area: Area, whole: Area, near: float) -> Area:
    """Stretch an area beyond each edge of the cover that is nearer to it than ``near``."""
    left = whole.x if area.x - whole.x < near else area.x
    foot = whole.y if area.y - whole.y < near else area.y
    right = whole.right if whole.right - area.right < near else area.right
    top = whole.top if whole.top - area.top < near else area.top
    return Area(left, foot, right - left, top - foot)


def _overlap(area: Area, other: Area) -> bool:
    return area.x < other.right and other.x < area.right and area.y < other.top and other.y < area.top


@dataclass(frozen=True)
class _DrawnBoard:
    """A solved board is drawn here; the lines that are drawn shall be seen on the front."""

    solution: Solution
    laid: _BoardPlace
    art: CoverArt
    palette: CoverPalette
    ground: Ink
    geometry: CoverGeometry
    measure: Measure

    def items(self) -> Iterator[Item]:
        """Yield the words' field, areas, grid, lines, dots and numbers, from the bottom up."""
        art, side = self.art, self.laid.cell
        shown = self._shown()
        inks = self._inks(shown)
        if self.palette.field is not None:
            yield Rects(tuple(self._rects(sorted(self.solution.puzzle.grid.solids))), self.palette.field)
        if art.areas:
            for path in self.solution.paths:
                yield Rects(tuple(self._rects(path.cells)), inks[path.number])
        if art.grid:
            yield Lines(tuple(self._edges()), art.grid * side, self._faint, Cap.SQUARE)
        if art.line:
            yield from (self._line(path, art.line, inks[path.number]) for path in shown)
        if art.bead:
            beads = tuple(self._centre(cell) for path in shown for cell in path.cells)
            yield Discs(beads, art.bead * side, self.ground)
        if art.dot:
            for path in self.solution.paths:
                waits = art.ring and path not in shown
                yield from self._dots(path, self._faint if waits else inks[path.number])
        if art.figure:
            for path in self.solution.paths:
                ink = inks[path.number]
                if path in shown and not art.dot and self._ends(path):
                    yield Discs(self._ends(path), _UNDER_FIGURE * side, self.ground, ink, 0.05 * side)
                yield from self._figures(path, ink)

    @property
    def _faint(self) -> Ink:
        return self.palette.faint or self.palette.lines[0]

    def _inks(self, shown: Sequence[Path]) -> dict[int, Ink]:
        inks = self.palette.lines
        if self.art.board is ArtBoard.NEST:
            return {path.number: inks[path.number % len(inks)] for path in self.solution.paths}
        found = dict(ink_of_paths(self.solution, inks))
        if self.art.drawn and (self.art.ring or not self.art.dot):  # else lines have their dots' colours
            found |= {path.number: inks[place % len(inks)] for place, path in enumerate(shown)}
        return found

    def _shown(self) -> Sequence[Path]:
        """Return the paths that are drawn: all, or those of which the front shows most squares and bends."""
        if self.art.drawn is None:
            return self.solution.paths

        def seen(path: Path) -> int:
            squares = [*path.cells, *_BEND_COUNTS * turning_cells(path.cells)]
            return sum(_overlap(self.laid.box(cell, 0.1), self.geometry.front) for cell in squares)

        return sorted(self.solution.paths, key=lambda path: (-seen(path), path.number))[: self.art.drawn]

    def _centre(self, cell: Cell) -> Point:
        box = self.laid.box(cell, 0.0)
        return box.x, box.y

    def _rects(self, cells: Sequence[Cell]) -> Iterator[tuple[float, float, float, float]]:
        over = _OVERLAP_PT / self.laid.cell
        for cell in cells:
            box = self.laid.box(cell, 0.5 + over)
            yield box.x, box.y, box.width, box.height

    def _line(self, path: Path, width: float, ink: Ink) -> Polyline:
        points = [self._centre(cell) for cell in path.cells]
        if self.art.board is ArtBoard.NEST:
            (left, foot), (right, _) = sorted((points[0], points[-1]))
            bend, radius = [math.pi / 2 * step / _BEND for step in range(_BEND + 1)], right - left
            points = [(right - radius * math.cos(a), foot + radius * math.sin(a)) for a in bend]
        return Polyline(tuple(points), width * self.laid.cell, ink, Cap.ROUND, Join.ROUND)

    def _edges(self) -> Iterator[Segment]:
        """Yield the edges of all free squares, or only those between areas and round them."""
        owner, laid, areas = self.solution.number_of, self.laid, self.art.areas

        def is_drawn(square: tuple[int, int], other: tuple[int, int]) -> bool:
            here, there = (
                owner.get(row * laid.cols + col) if 0 <= row < laid.rows and 0 <= col < laid.cols else None
                for row, col in (square, other)
            )
            return here != there if areas else (here, there) != (None, None)

        for row in range(laid.rows + 1):
            for col in range(laid.cols + 1):
                x, y = laid.x + col * laid.cell, laid.top - row * laid.cell
                if is_drawn((row, col), (row - 1, col)):
                    yield x, y, x + laid.cell, y
                if is_drawn((row, col), (row, col - 1)):
                    yield x, y, x, y - laid.cell

    def _ends(self, path: Path) -> tuple[Point, ...]:
        """Return the ends of a path, but those beyond the trim, whose rims cutting might show."""
        trim = self.geometry.trim
        ends = (self._centre(cell) for cell in (path.cells[0], path.cells[-1]))
        return tuple((x, y) for x, y in ends if 0 < x < trim.width_pt and 0 < y < trim.height_pt)

    def _dots(self, path: Path, ink: Ink) -> Iterator[Item]:
        ends = self._ends(path)
        if not ends:
            return
        radius, ring = self.art.dot * self.laid.cell, self.art.ring * self.laid.cell
        for round_ in range(self.art.glow, 0, -1):
            yield Discs(ends, radius * (1 + _GLOW * round_), _mixed(self.ground, ink, 0.5 ** (round_ + 0.3)))
        if ring:
            yield Discs(ends, radius - ring / 2, self.ground, ink, ring)
        else:
            yield Discs(ends, radius, ink)

    def _figures(self, path: Path, ink: Ink) -> Iterator[Item]:
        on_disc = self.art.dot and not self.art.ring
        colour = (PAPER if ink.is_dark else BLACK) if on_disc else self.palette.words
        text, face = str(path.number), FontKey.DISPLAY
        unit = self.measure.ink(text, face, 1.0)
        room = (1.5 * self.art.dot if self.art.dot else 0.8) * self.laid.cell
        size = min(self.art.figure * self.laid.cell / unit.top, room / (unit.right - unit.left))
        for x, y in self._ends(path):
            yield set_text(
                text, (x, y - size * unit.top / 2), face, size, self.measure, Anchor.MIDDLE, colour
            )


def _mixed(ink: Ink, other: Ink, share: float) -> Ink:
    parts = zip((*ink.shares, *ink.rgb), (*other.shares, *other.rgb), strict=True)
    cyan, magenta, yellow, black, *rgb = (round(a + share * (b - a), 3) for a, b in parts)
    return press_safe(Ink(cyan, magenta, yellow, black, (rgb[0], rgb[1], rgb[2])))
