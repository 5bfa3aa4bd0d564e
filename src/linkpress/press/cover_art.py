"""Draw the art of a cover's design: a solved Numberlink board that extends over the cover.

1. ``_place_board`` decides where the board is, and how many squares it has.
2. Squares behind words or the barcode become solid, so that no line runs there.
3. ``made_board`` makes a board of this shape that has exactly one solution. Equal seeds give equal boards.
4. ``_DrawnBoard`` draws its lines, dots, numbers and grid in the colours of the design.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from linkpress.book.level import load_mask
from linkpress.book.printing_keys import Alignment, ArtBoard, CoverArt, CoverDesign, CoverPalette, WordsPlace
from linkpress.documents.inks import press_safe
from linkpress.engine.make.cover import Cover
from linkpress.engine.make.generate import generate
from linkpress.engine.recipe import Recipe, Span, fewest_pairs, islands
from linkpress.errors import LayoutError, RecipeError
from linkpress.layout.boards import ink_of_paths, inner_groups
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
    Photo,
    Point,
    Polyline,
    Rects,
    Segment,
)
from linkpress.layout.setting import check_resolution
from linkpress.layout.text_flow import Measure, set_text
from linkpress.press.cover_content import CoverContent, CoverGeometry
from linkpress.puzzle.link_text import grid_rows
from linkpress.puzzle.puzzle import MAX_SIDE, Cell, Grid, Path, Solution, turning_cells

# Minimum distance in points between the art and the words on the front cover.
_GAP_PT = 18.0
# Minimum height of the art, as a share of the height of the front cover.
_LEAST_FREE = 0.16

# Distance between the words and the lines of the board around them, as a share of a square's side.
_CLEAR = 0.24
# Radius of the disc that is drawn under a number at the end of a line, as a share of a square's side.
_UNDER_NUMBER = 0.38
# Radius of the discs that are drawn as eyes in the holes of a board's shape, as a share of the hole's width.
_EYE = 0.42
# Width of each ring of the glow around a dot, as a share of the dot's radius.
_GLOW = 0.22
# Number of straight pieces that a round bend is drawn with. With 12 pieces the corners could be seen.
_BEND_PIECES = 64
# Length in points by which neighbouring areas overlap. Without overlap, screens would show a
# hairline between the areas.
_OVERLAP_PT = 0.3

# A board has at most ``MAX_SIDE`` rows or columns. At first, a board for a cover is planned with at most this
# share of ``MAX_SIDE`` squares along the longer side of the cover. The share is below 1, because the number
# of squares grows later: squares in the bleed are added, and squares may become smaller to fit the cover.
_MOST_SQUARES = 0.8
# Maximum percentage by which squares are made larger or smaller than the design asks for, so that sides of
# squares meet the trim edge.
_STRETCH = 15
# A grid is placed so that one of its lines lies just outside a trim edge, where it is cut off. This is the
# distance in points from the trim edge to that line. It is large enough even if the cut is a little off.
_BEYOND_TRIM_PT = 4.0
# Minimum and maximum width, in squares, of the strokes of a letter that is made of squares.
_FEWEST_ACROSS, _MOST_ACROSS = 2, 5
# Some cover designs draw only a few of the board's paths. These are the paths with the most squares on the
# front cover, where each bend of a path counts as much as this number of further squares.
_BEND_WEIGHT = 3

# Maximum number of steps of a search for a board. A step takes about a microsecond, so the search takes at
# most about two seconds.
_WORK = 2_000_000
# Two minimum lengths for a line of the board, of which the larger applies: a number of squares, and a share
# of the mean length of all lines.
_SHORTEST, _SHORTEST_SHARE = 3, 0.3

# The digits 0 to 9, drawn with blocks. A digit is three blocks wide and five blocks high.
_DIGITS = {
    "0": "### #.# #.# #.# ###",
    "1": "##. .#. .#. .#. ###",
    "2": "### ..# ### #.. ###",
    "3": "### ..# ### ..# ###",
    "4": "#.# #.# ### ..# ..#",
    "5": "### #.. ### ..# ###",
    "6": "### #.. ### #.# ###",
    "7": "### ..# ..# ..# ..#",
    "8": "### #.# ### #.# ###",
    "9": "### #.# ### ..# ###",
}
# linkpress includes a pattern of squares for each capital letter. This is the width of the letters' strokes
# in these patterns, in squares.
_LETTER_STROKE = 3


class BlockLetters(NamedTuple):
    """Letters or digits made of blocks.

    Args:
        blocks: the rows of the text. In each row, a ``.`` stands for a block outside the letters, and any
            other character stands for a block of a letter.
        stroke: the width of the letters' strokes, in blocks.
    """

    blocks: Sequence[str]
    stroke: int

    @property
    def rows(self) -> int:
        return len(self.blocks)

    @property
    def cols(self) -> int:
        return len(self.blocks[0])


class _BoardPlace(NamedTuple):
    """Position and size of a board on the cover.

    Args:
        x, top: the left and the top edge of the board in points.
        cell: the side of a square in points.
        rows, cols: the size of the board in squares.
    """

    x: float
    top: float
    cell: float
    rows: int
    cols: int

    def box(self, cell: Cell, reach: float = 0.5) -> Area:
        """Return the area around the centre of one of the board's squares.

        The area extends ``reach`` times the side of a square to each side of the centre.
        """
        row, col = divmod(cell, self.cols)
        side = 2 * reach * self.cell
        x, y = self.x + (col + 0.5 - reach) * self.cell, self.top - (row + 0.5 + reach) * self.cell
        return Area(x, y, side, side)


def art_items(
    content: CoverContent, design: CoverDesign, geometry: CoverGeometry, words: Area, occupied: Sequence[Area]
) -> list[Item]:
    """Draw the art of a cover design.

    Args:
        content: what the cover shows.
        design: the design in the colours of this volume of the series.
        geometry: where the parts of the cover are.
        words: the area of the words on the front cover. No art is drawn there.
        occupied: areas of words, boards and the barcode on the back and spine. No art is drawn in these areas
            either.
    Raises:
        LayoutError: the words leave too little room, or no board of the right shape was found.
    """
    art, seed = design.art, f"{content.spec.seed}/cover/{design.name}"
    if art.mask is None:
        letters = block_letters(content.keys.initial or str(content.spec.puzzle_count))
    else:
        letters = BlockLetters(_letter_rows(load_mask(content.spec.resolve(art.mask))), _LETTER_STROKE)
    at_foot = design.words.place is WordsPlace.TOP
    free = _free_area(geometry, words, art.height, at_foot)
    if art.board is ArtBoard.PICTURE and content.image is not None:
        box, least = (free.x, free.y, free.width, free.height), content.profile.least_dpi(on_cover=True)
        check_resolution(content.image, box, least, content.keys.picture_key, "in its place on the front")
        return [Photo(box, content.image.content)]
    place = _place_board(design, geometry, free, at_foot, letters)
    if art.board is ArtBoard.NEST:
        solution = nest(place.rows)
    else:
        # Only boards of the kinds ``COVER`` and ``BAND`` extend behind the words. Such a board must have no
        # lines in the areas of the words and other occupied areas.
        areas = [words, *occupied] if art.board in (ArtBoard.COVER, ArtBoard.BAND) else []
        if art.grid and art.board is ArtBoard.COVER:
            # Keep the area on both sides of the front cover's words free, so that no narrow strip of art is
            # left between words and trim edge.
            whole, front = geometry.whole, geometry.front
            foot, high = words.y - _GAP_PT, words.height + 2 * _GAP_PT
            areas[0] = Area(front.x, foot, whole.right - front.x, high)
            areas = [_stretched_to_trim(area, whole, place.cell) for area in areas]
            # ``areas`` are kept free of art. On the back cover, they are the areas of text, boards and
            # barcode. Widen each of these to the full width of back and spine. Then the art is only above
            # and below them, and never beside them.
            back_width = front.x - whole.x
            areas[1:] = [
                Area(whole.x, area.y, back_width, area.height) if area.x < front.x else area
                for area in areas[1:]
            ]
        if art.board is ArtBoard.COUNT:
            solids = letter_solids(letters, place.rows, place.cols)
        else:
            solids = _squares_for_words(place, art, areas)
        solution = made_board(place.rows, place.cols, solids, art.path, seed)
    drawn = _DrawnBoard(solution, place, art, design.palettes[0], content.ground, geometry, content.measure)
    return [*drawn.items()]


def _free_area(geometry: CoverGeometry, words: Area, height: float, at_foot: bool) -> Area:
    """Return the part of the front cover and its bleed that the words leave free for the art.

    Args:
        geometry: where the front cover is.
        words: the area of the words on the front cover.
        height: the maximum height of the art, as a share of the height of the front cover.
        at_foot: True if the art is below the words, False if it is above them.
    """
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
    covered = geometry.whole if art.board in (ArtBoard.COVER, ArtBoard.BAND) else front
    least = max(covered.width, covered.height) / (_MOST_SQUARES * MAX_SIDE)
    cell = max(front.width / art.squares, least)
    low, high = max(free.y, live.y), min(free.top, live.top)
    if art.board is ArtBoard.COUNT:
        across = min(max(_FEWEST_ACROSS, art.squares / letters.cols), _MOST_ACROSS)
        finer = max(1, round(across / letters.stroke))
        cols = letters.cols * finer
        # Words keep a safety distance from the trim edge. The art may be closer, but keeps at least
        # half of this distance.
        edge = geometry.safety_pt / 2
        low, high = max(free.y, front.y + edge), min(free.top, front.top - edge)
        cell = min((front.width - 2 * edge) / cols, (high - low) / (letters.rows * finer))
        # A letter is a pattern of equal blocks. Each row of blocks is drawn as one or more rows of squares.
        # Use as many rows of squares as fit into the area. So the letter may be taller than its pattern.
        rows = letters.rows * min(MAX_SIDE // letters.rows, int((high - low) / cell / letters.rows + 1e-6))
        x = front.centre - cols * cell / 2
        return _BoardPlace(x, (low + high) / 2 + rows * cell / 2, cell, rows, cols)
    if art.board is ArtBoard.NEST:
        count = max(3, round(art.squares))
        # The board has one row and one column more than fit into the free area. This row and this column
        # are outside the cover.
        cell = min(free.width, free.height) / (count - 1)
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


def _place_over_cover(front: Area, half_spine: float, cell: float, grid_at_foot: bool | None) -> _BoardPlace:
    """Place a board over the whole cover, or over the front cover only.

    The board is placed as follows:

    - If the board covers the whole cover, one column of squares is reserved for the words of the spine. It is
      in the middle of the spine.
    - The size of a square is adjusted so that the trim edges fall between rows and between columns. Paths run
      through the middle of squares, so no path is cut along its length.
    - The board has further rows and columns in the bleed.

    Args:
        front: the front cover, from trim edge to trim edge.
        half_spine: half the width of the spine in points; 0 to place the board over the front cover only.
        cell: the side of a square in points that the design asks for.
        grid_at_foot: None if the design draws no lines between the squares. If it draws such lines, one of
            them is placed just outside a trim edge, where it is cut off: outside the bottom edge of the
            cover if the argument is True, and outside its top edge if the argument is False.
    """
    column = 0.5 if half_spine else 0.0
    high, wide = front.height * (grid_at_foot is None), front.width + half_spine
    if grid_at_foot is not None and not half_spine:
        wide += 2 * _BEYOND_TRIM_PT
    cell = min(
        (cell * (1 + step / 100) for step in range(-_STRETCH, _STRETCH + 1)),
        key=lambda side: _misfit(high / side) + _misfit(wide / side - column),
    )
    rows, cols = round(front.height / cell), round(wide / cell - column)
    top = front.centre_y + rows * cell / 2 + cell
    x, across = front.x, cols + 1
    if half_spine:
        x, across = front.x - half_spine - (column + cols + 1) * cell, 2 * cols + 3
    if grid_at_foot is not None:
        x = front.right + _BEYOND_TRIM_PT - (across - 1) * cell
        top = (
            front.y - _BEYOND_TRIM_PT + (rows + 1) * cell
            if grid_at_foot
            else front.top + _BEYOND_TRIM_PT + cell
        )
    return _BoardPlace(x, top, cell, rows + 2, across)


def _misfit(count: float) -> float:
    return abs(count - round(count))


def _squares_for_words(place: _BoardPlace, art: CoverArt, areas: Sequence[Area]) -> frozenset[Cell]:
    """Return the squares of the art's board in which lines or dots would touch one of the given areas.

    Args:
        areas: the areas of words, of other boards on the cover, and of the barcode.
    """
    drawn = max(art.line / 2, art.dot * (1 + _GLOW * art.glow))
    reach = 0.5 + _CLEAR / 2 if art.grid else drawn + _CLEAR
    squares = ((cell, place.box(cell, reach)) for cell in range(place.rows * place.cols))
    return frozenset(cell for cell, box in squares if any(_overlap(box, area) for area in areas))


def _stretched_to_trim(area: Area, whole: Area, near: float) -> Area:
    """Extend an area to each outer edge of the cover that is less than ``near`` points away from it."""
    left = whole.x if area.x - whole.x < near else area.x
    foot = whole.y if area.y - whole.y < near else area.y
    right = whole.right if whole.right - area.right < near else area.right
    top = whole.top if whole.top - area.top < near else area.top
    return Area(left, foot, right - left, top - foot)


def _overlap(area: Area, other: Area) -> bool:
    return area.x < other.right and other.x < area.right and area.y < other.top and other.y < area.top


def block_letters(text: str) -> BlockLetters:
    """Return a text as letters made of blocks.

    The text must have only capitals from A to Z, or only digits.
    """
    if text.isdigit():
        drawn = [_DIGITS[digit].split() for digit in text]
        return BlockLetters([".".join(row) for row in zip(*drawn, strict=True)], 1)
    masks = [_letter_rows(load_mask(f"letter-{letter.lower()}")) for letter in text]
    return BlockLetters(["..".join(row) for row in zip(*masks, strict=True)], _LETTER_STROKE)


def _letter_rows(mask: Grid) -> list[str]:
    """Return the rows of a letter's mask as text, in which each ``#`` is a square of the letter.

    The free squares of the mask form the letter. Its solid squares become ``.``.
    """
    return [row.translate(str.maketrans("#.", ".#")) for row in grid_rows(mask)]


def letter_solids(letters: BlockLetters, rows: int, cols: int) -> frozenset[Cell]:
    """Return the squares of a board that become solid, because they are outside the letters.

    The letters consist of blocks. Each block covers a rectangle of the board, a whole number of squares high
    and wide.
    """
    return frozenset(
        row * cols + col
        for row in range(rows)
        for col in range(cols)
        if letters.blocks[row * letters.rows // rows][col * letters.cols // cols] == "."
    )


def nest(side: int) -> Solution:
    """Return a board whose paths are bends, one inside the other, around the bottom right corner.

    Each path runs up from the bottom edge, turns once, and runs right to the right edge. The square in the
    bottom right corner is solid.

    The board has only one solution. Each end of the innermost path has only one free neighbour, so this path
    is forced. Then the next path is forced in the same way, and so on.
    """
    paths = []
    for far in range(1, side):
        near = side - 1 - far
        up = [row * side + near for row in range(side - 1, near, -1)]
        paths.append((*up, *(near * side + col for col in range(near, side))))
    return Cover(side, side, tuple(paths)).solution


@lru_cache(maxsize=64)
def made_board(rows: int, cols: int, solids: frozenset[Cell], path: int, seed: str) -> Solution:
    """Make a board around given solid squares, and prove that it has exactly one solution.

    Args:
        rows: the number of rows.
        cols: the number of columns.
        solids: squares without lines. Parts of the board that are too small for a few lines also become
            solid.
        path: the mean number of squares of a line. Shorter lines are tried if no board with this mean is
            found.
        seed: the random seed. The same seed gives the same board.
    Raises:
        LayoutError: no board was found.
    """
    parts = list(islands(Grid(rows, cols, solids)))
    least = min(2 * path, max(map(len, parts), default=0) // 2)
    mask = Grid(rows, cols, solids.union(*(part for part in parts if len(part) < least)))
    for length in range(path, _SHORTEST, -1):
        shortest = max(_SHORTEST, round(_SHORTEST_SHARE * length))
        recipe = Recipe(rows, cols, shortest_path=shortest, mask=mask)
        pairs = max(fewest_pairs(recipe), round(len(mask.free_cells) / length))
        recipe = replace(recipe, pairs=Span(pairs, pairs + 1 + pairs // 20))
        with suppress(RecipeError):
            return generate(recipe, f"{seed}/{length}", budget=_WORK, graded=False).solution
    raise LayoutError(
        f"no board of {cols} × {rows} squares with the words' field was found for the cover's art. Choose "
        "another design.",
        "cover.design",
    )


@dataclass(frozen=True)
class _DrawnBoard:
    """Drawing of a solved board on the cover.

    Args:
        solution: the board with its paths.
        place: the position and size of the board on the cover.
        art: the keys of the cover design that control how boards are drawn.
        palette: the colours of the design.
        ground: the colour of the background.
        geometry: where the parts of the cover are.
        measure: object that measures text, for the numbers.
    """

    solution: Solution
    place: _BoardPlace
    art: CoverArt
    palette: CoverPalette
    ground: Ink
    geometry: CoverGeometry
    measure: Measure

    def items(self) -> Iterator[Item]:
        """Yield the items of the drawing, from the lowest layer to the top layer.

        The layers are, in this order:

        1. the ground behind the cover's words
        2. the ground of the board, and coloured areas in place of lines
        3. the lines between squares
        4. the paths
        5. the dots at the ends of paths
        6. the numbers
        """
        art, side = self.art, self.place.cell
        shown = self._shown_paths()
        inks = self._inks(shown)
        if self.palette.field is not None:
            yield Rects(tuple(self._rects(sorted(self.solution.puzzle.grid.solids))), self.palette.field)
        if self.palette.fill is not None:
            filled = [cell for path in self.solution.paths for cell in path.cells]
            filled += [cell for part in self._inner_parts() for cell in part]
            yield Rects(tuple(self._rects(filled)), self.palette.fill)
        if art.areas:
            for path in self.solution.paths:
                yield Rects(tuple(self._rects(path.cells)), inks[path.number])
        if art.grid:
            yield Lines(tuple(self._edges()), art.grid * side, self._faint_ink, Cap.SQUARE)
        if art.line:
            yield from (self._line(path, art.line, inks[path.number]) for path in shown)
        if art.mask:
            yield from self._eyes()
        if art.bead:
            beads = tuple(self._centre(cell) for path in shown for cell in path.cells)
            yield Discs(beads, art.bead * side, self.ground)
        if art.dot:
            for path in self.solution.paths:
                is_unsolved = art.ring and path not in shown
                yield from self._dots(path, self._faint_ink if is_unsolved else inks[path.number])
        if art.figure:
            for path in self.solution.paths:
                ink = inks[path.number]
                if path in shown and not art.dot and self._ends(path):
                    yield Discs(self._ends(path), _UNDER_NUMBER * side, self.ground, ink, 0.05 * side)
                yield from self._numbers(path, ink)

    @property
    def _faint_ink(self) -> Ink:
        return self.palette.faint or self.palette.lines[0]

    def _inks(self, shown: Sequence[Path]) -> dict[int, Ink]:
        """Map the number of each path to the colour of the path."""
        inks = self.palette.lines
        if self.art.board is ArtBoard.NEST:
            return {path.number: inks[path.number % len(inks)] for path in self.solution.paths}
        colours = dict(ink_of_paths(self.solution, inks))
        # If the ends of lines are filled dots, readers match them by colour, so neighbouring lines need
        # different colours. In all other designs, the drawn lines get the colours of the palette in turn.
        if self.art.drawn and (self.art.ring or not self.art.dot):
            colours |= {path.number: inks[index % len(inks)] for index, path in enumerate(shown)}
        return colours

    def _shown_paths(self) -> Sequence[Path]:
        """Return the paths of the board that are drawn on the cover.

        The cover design may limit the number of drawn paths. Then the paths with the most squares and bends
        on the front cover are drawn. Otherwise, all paths of the board are drawn.
        """
        if self.art.drawn is None:
            return self.solution.paths

        def weight_on_front(path: Path) -> int:
            squares = [*path.cells, *_BEND_WEIGHT * turning_cells(path.cells)]
            return sum(_overlap(self.place.box(cell, 0.1), self.geometry.front) for cell in squares)

        ordered = sorted(self.solution.paths, key=lambda path: (-weight_on_front(path), path.number))
        return ordered[: self.art.drawn]

    def _centre(self, cell: Cell) -> Point:
        box = self.place.box(cell, 0.0)
        return box.x, box.y

    def _rects(self, cells: Sequence[Cell]) -> Iterator[tuple[float, float, float, float]]:
        overlap = _OVERLAP_PT / self.place.cell
        for cell in cells:
            box = self.place.box(cell, 0.5 + overlap)
            yield box.x, box.y, box.width, box.height

    def _inner_parts(self) -> Iterator[Collection[Cell]]:
        return inner_groups(self.solution.puzzle.grid) if self.art.mask else iter(())

    def _eyes(self) -> Iterator[Item]:
        for part in self._inner_parts():
            boxes = [self.place.box(cell) for cell in part]
            left, right = min(box.x for box in boxes), max(box.right for box in boxes)
            foot, top = min(box.y for box in boxes), max(box.top for box in boxes)
            radius = _EYE * min(right - left, top - foot)
            yield Discs((((left + right) / 2, (foot + top) / 2),), radius, self.palette.words)

    def _line(self, path: Path, width: float, ink: Ink) -> Polyline:
        points = [self._centre(cell) for cell in path.cells]
        # Draw each bent path as a quarter of a circle instead of a corner.
        if self.art.board is ArtBoard.NEST:
            (left, foot), (right, _) = sorted((points[0], points[-1]))
            angles = [math.pi / 2 * step / _BEND_PIECES for step in range(_BEND_PIECES + 1)]
            radius = right - left
            points = [(right - radius * math.cos(a), foot + radius * math.sin(a)) for a in angles]
        return Polyline(tuple(points), width * self.place.cell, ink, Cap.ROUND, Join.ROUND)

    def _edges(self) -> Iterator[Segment]:
        """Yield the sides of squares that are drawn as lines, which form the grid of the board.

        If the design has coloured areas in place of paths, these are only the sides between two areas. In all
        other designs, they are the sides of all squares that are not solid.
        """
        number_of, place, areas = self.solution.number_of, self.place, self.art.areas

        def is_drawn(square: tuple[int, int], neighbour: tuple[int, int]) -> bool:
            first, second = (
                number_of.get(row * place.cols + col)
                if 0 <= row < place.rows and 0 <= col < place.cols
                else None
                for row, col in (square, neighbour)
            )
            return first != second if areas else (first, second) != (None, None)

        for row in range(place.rows + 1):
            for col in range(place.cols + 1):
                x, y = place.x + col * place.cell, place.top - row * place.cell
                if is_drawn((row, col), (row - 1, col)):
                    yield x, y, x + place.cell, y
                if is_drawn((row, col), (row, col - 1)):
                    yield x, y, x, y - place.cell

    def _ends(self, path: Path) -> tuple[Point, ...]:
        """Return the ends of a path that are inside the trim of the cover.

        An end outside the trim gets no disc, because an inaccurate cut might leave a narrow strip of the
        disc.
        """
        trim = self.geometry.trim
        ends = (self._centre(cell) for cell in (path.cells[0], path.cells[-1]))
        return tuple((x, y) for x, y in ends if 0 < x < trim.width_pt and 0 < y < trim.height_pt)

    def _dots(self, path: Path, ink: Ink) -> Iterator[Item]:
        """Yield the discs or rings at a path's ends.

        Below each of them is its glow: larger discs, whose colours fade into the background.
        """
        ends = self._ends(path)
        if not ends:
            return
        radius, ring = self.art.dot * self.place.cell, self.art.ring * self.place.cell
        for level in range(self.art.glow, 0, -1):
            yield Discs(ends, radius * (1 + _GLOW * level), _mixed(self.ground, ink, 0.5 ** (level + 0.3)))
        if ring:
            yield Discs(ends, radius - ring / 2, self.ground, ink, ring)
        else:
            yield Discs(ends, radius, ink)

    def _numbers(self, path: Path, ink: Ink) -> Iterator[Item]:
        on_disc = self.art.dot and not self.art.ring
        colour = (PAPER if ink.is_dark else BLACK) if on_disc else self.palette.words
        text, face = str(path.number), FontKey.DISPLAY
        unit = self.measure.ink(text, face, 1.0)
        room = (1.5 * self.art.dot if self.art.dot else 0.8) * self.place.cell
        size = min(self.art.figure * self.place.cell / unit.top, room / (unit.right - unit.left))
        for x, y in self._ends(path):
            yield set_text(
                text, (x, y - size * unit.top / 2), face, size, self.measure, Anchor.MIDDLE, colour
            )


def _mixed(ink: Ink, other: Ink, share: float) -> Ink:
    """Mix two inks. ``share``, from 0 to 1, is the proportion of the second ink."""
    parts = zip((*ink.shares, *ink.rgb), (*other.shares, *other.rgb), strict=True)
    cyan, magenta, yellow, black, *rgb = (round(a + share * (b - a), 3) for a, b in parts)
    return press_safe(Ink(cyan, magenta, yellow, black, (rgb[0], rgb[1], rgb[2])))
