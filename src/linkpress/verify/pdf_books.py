"""Read a book from its PDF: the boards with their captions, and all other lines of text.

A board is found by its shapes on a page. It is a rectangle with evenly spaced lines from side to side, or a
closed curve around squares. Inside a board,

- a number at the middle of a cell is an end of a path; on a board without numbers, a coloured dot is an end;
- a filled or hatched cell is a solid cell; if the board is inside a curve, a cell that lacks a side is also
  solid;
- a line through the middles of cells is a path of an answer;
- in themes that draw answers as coloured areas, a stroke on a grid line is a wall, which no path crosses.

A *step* is a pair of neighbouring cells. Coordinates are in points from the page's lower left corner, unless
a docstring says that they are in cells.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

from linkpress.preflight.pdf_drawing import DrawnObject, DrawnPath, DrawnText, Rgb, Subpath, is_white
from linkpress.preflight.pdf_file import PageInfo, PdfReader, error_text
from linkpress.preflight.pdf_objects import (
    Box,
    Point,
    ReadingLimitError,
    box_around,
    box_contains,
    intersection,
    middle,
)
from linkpress.puzzle.puzzle import MAX_SIDE, MIN_SIDE, Cell, Edge, Grid, edge
from linkpress.words import FIELD, Words

_STRAIGHT_PT = 0.05  # maximum offset between the ends of a horizontal or vertical line, in points
_MIN_OUTLINE_PT = 12.0  # minimum side of a rectangle that may be a board's outline, in points
_DARK = 48  # An area with at most this tone (0 is black, 255 is white) hides the grid lines under it.

# The following lengths are fractions of a cell's side.

_LINE_END = 0.06  # largest gap between the end of a grid line and the board's outline, in cells
_SPACING = 0.02  # largest distance of a grid line from its place in an even grid, in cells
_CENTRE_LINE = 0.12  # largest distance between an answer's line and the middles of cells, in cells
_NUMBER_OFFSET = 0.35  # largest distance between the middle of a number and the middle of its cell, in cells
_BETWEEN_CELLS = 0.47  # minimum distance from the middle of a cell to a mark between two cells, in cells

# minimum width and height of a filled square that marks a cell as solid, as a share of the cell's side
_MIN_SOLID = 0.5
# maximum width and height of a filled shape that marks a single cell as solid, as a share of the cell's side
_MAX_BLOCK = 1.2


class Segment(NamedTuple):
    """Straight part of a stroked path on a page.

    Args:
        start: one end, in points.
        end: the other end, in points.
        path: the index of the drawn path to which the segment belongs.
    """

    start: Point
    end: Point
    path: int

    @property
    def middle(self) -> Point:
        return (self.start[0] + self.end[0]) / 2, (self.start[1] + self.end[1]) / 2


@dataclass(frozen=True, slots=True)
class FilledShape:
    """Filled rectangle or disc on a page. ``path`` is the index of the drawn path to which it belongs."""

    box: Box
    colour: Rgb
    path: int


@dataclass
class PageShapes:
    """Visible shapes of a page, sorted by kind.

    Args:
        horizontal: horizontal strokes, apart from the outlines.
        vertical: vertical strokes, apart from the outlines.
        slanted: all other straight strokes.
        outlines: closed, stroked rectangles that are large enough for a board.
        curves: the boxes of closed, stroked shapes other than rectangles, each with the index of its drawn
            path.
        blocks: the boxes of filled shapes other than rectangles and discs.
        fills: filled rectangles.
        discs: filled discs.
        texts: all texts.
    """

    horizontal: list[Segment] = field(default_factory=list)
    vertical: list[Segment] = field(default_factory=list)
    slanted: list[Segment] = field(default_factory=list)
    outlines: list[Box] = field(default_factory=list)
    curves: list[tuple[Box, int]] = field(default_factory=list)
    blocks: list[Box] = field(default_factory=list)
    fills: list[FilledShape] = field(default_factory=list)
    discs: list[FilledShape] = field(default_factory=list)
    texts: list[DrawnText] = field(default_factory=list)


def sort_shapes(drawn: Iterable[DrawnObject]) -> PageShapes:
    """Sort the visible shapes and texts of a page by kind.

    These objects are left out: images, curves other than discs, and objects without ink; texts that are
    clipped completely; texts in the colour of the paper that are not on a printed area; and lines whose
    middle is clipped.
    """
    shapes = PageShapes()
    for index, item in enumerate(drawn):
        if isinstance(item, DrawnText):
            is_clipped = item.clip is not None and intersection(item.box, item.clip) is None
            if item.text.strip() and not item.invisible and not is_clipped:
                shapes.texts.append(item)
        elif isinstance(item, DrawnPath):
            _sort_path(item, index, shapes)
    shapes.texts = [text for text in shapes.texts if not is_white(text.colour) or _is_on_ink(text, shapes)]
    return shapes


def _is_on_ink(text: DrawnText, shapes: PageShapes) -> bool:
    return any(box_contains(shape.box, middle(text.box)) for shape in (*shapes.discs, *shapes.fills))


def _sort_path(path: DrawnPath, index: int, shapes: PageShapes) -> None:
    fill = None if path.fill is None or is_white(path.fill) else path.fill
    is_stroked = path.stroke is not None and not is_white(path.stroke)
    for part in path.subpaths:
        if part.curved:
            left, bottom, right, top = box_around(part.points)
            is_round = left < right and abs(right - left - top + bottom) <= _STRAIGHT_PT
            if fill is not None and is_round:
                shapes.discs.append(FilledShape((left, bottom, right, top), fill, index))
            continue
        if len(part.points) < 2:
            continue
        box = _rectangle(part)
        if fill is not None:
            if box is not None:
                shapes.fills.append(FilledShape(box, fill, index))
            else:
                shapes.blocks.append(box_around(part.points))
        if not is_stroked:
            continue
        if part.closed and box is None:
            shapes.curves.append((box_around(part.points), index))
            continue
        if box is not None and min(box[2] - box[0], box[3] - box[1]) >= _MIN_OUTLINE_PT:
            shapes.outlines.append(box)
            continue
        points = [*part.points, part.points[0]] if part.closed else part.points
        for start, end in pairwise(points):
            segment = Segment(start, end, index)
            if start == end or not (path.clip is None or box_contains(path.clip, segment.middle)):
                continue
            if abs(start[1] - end[1]) <= _STRAIGHT_PT:
                shapes.horizontal.append(segment)
            elif abs(start[0] - end[0]) <= _STRAIGHT_PT:
                shapes.vertical.append(segment)
            else:
                shapes.slanted.append(segment)


def _rectangle(part: Subpath) -> Box | None:
    """Return the box of a closed, upright rectangle; None for any other shape."""
    points = part.points[:-1] if part.points[0] == part.points[-1] else part.points
    if len(points) != 4 or not (part.closed or len(part.points) == 5):
        return None
    box = box_around(points)
    sides = pairwise([*points, points[0]])
    corners = ((x, y) for x in (box[0], box[2]) for y in (box[1], box[3]))
    is_upright = all(
        abs(a[0] - b[0]) <= _STRAIGHT_PT or abs(a[1] - b[1]) <= _STRAIGHT_PT for a, b in sides
    ) and all(
        any(abs(x - left) <= _STRAIGHT_PT and abs(y - bottom) <= _STRAIGHT_PT for left, bottom in points)
        for x, y in corners
    )
    return box if is_upright else None


@dataclass
class BoardRead:
    """Board of a puzzle or an answer that was read from a page.

    Args:
        page: the page's number.
        box: the board's outline, in points.
        rows: the number of rows.
        cols: the number of columns.
        numbers: the printed number of each numbered cell.
        dots: the colour of each cell's dot, on boards without printed numbers.
        filled: the colours of the filled squares in each cell.
        hatched: cells with slanting lines.
        outside: cells outside a shape, or covered by a filled curve inside the shape. These cells are solid,
            too.
        grid_path: the index of the drawn path with the sides of a shape's cells; None on rectangular boards.
        lines: the steps between neighbouring cells that an answer's lines draw.
        walls: the steps that are blocked by a wall, in an answer drawn as coloured areas.
        problems: messages about shapes and texts on the board that can't be read.
        number: the puzzle's number, printed above the board; None without such a number.
        solution_page: the page in a caption like "Solution p. 9"; None without such a caption.
        puzzle_page: the page in a caption like "Puzzle p. 9"; None without such a caption.
        printed_size: columns and rows in a caption; None without such a caption.
        upside_down: whether the board is printed upside down.
    """

    page: int
    box: Box
    rows: int
    cols: int
    numbers: dict[Cell, int] = field(default_factory=dict)
    dots: dict[Cell, Rgb] = field(default_factory=dict)
    filled: dict[Cell, set[Rgb]] = field(default_factory=lambda: defaultdict(set))
    hatched: set[Cell] = field(default_factory=set)
    outside: set[Cell] = field(default_factory=set)
    grid_path: int | None = None
    lines: set[Edge] = field(default_factory=set)
    walls: set[Edge] = field(default_factory=set)
    problems: list[str] = field(default_factory=list)
    number: int | None = None
    solution_page: int | None = None
    puzzle_page: int | None = None
    printed_size: tuple[int, int] | None = None
    upside_down: bool = False

    @property
    def cell_width(self) -> float:
        return (self.box[2] - self.box[0]) / self.cols

    @property
    def cell_height(self) -> float:
        return (self.box[3] - self.box[1]) / self.rows

    @property
    def solids(self) -> frozenset[Cell]:
        return frozenset(self.filled) | self.hatched | self.outside

    def answer_solids(self, solid_colours: set[Rgb]) -> frozenset[Cell]:
        """Return the solid cells of a printed answer.

        Args:
            solid_colours: the colours of solid cells in the book's puzzles. If an answer is drawn as areas, a
                cell filled in another colour is part of an area.
        """
        filled = (cell for cell, colours in self.filled.items() if not self.walls or colours & solid_colours)
        return frozenset(filled) | self.hatched | self.outside

    def answer_edges(self, solids: frozenset[Cell]) -> frozenset[Edge]:
        """Return the steps, which are pairs of neighbouring cells, that an answer's paths join.

        For an answer drawn as lines, these are the steps along its lines. For an answer drawn as areas, the
        strokes between two areas are walls, and all steps that cross no wall are returned. If a single area
        fills the board, there is no wall at all.

        Args:
            solids: the solid cells of the board.
        """
        if self.lines and not self.walls:
            return frozenset(self.lines)
        return frozenset(Grid(self.rows, self.cols, solids).edges) - self.walls

    def to_cells(self, point: Point) -> tuple[float, float]:
        """Convert a point on the page to a row and column, in cells from the board's top left corner."""
        row, col = (self.box[3] - point[1]) / self.cell_height, (point[0] - self.box[0]) / self.cell_width
        return (self.rows - row, self.cols - col) if self.upside_down else (row, col)

    @property
    def overhang_pt(self) -> float:
        """Maximum distance in points by which the middle of a caption may lie beside the board.

        The distance is measured to the left or right from the board's cells. It is larger if the board has a
        curved outline, which is wider than the cells.
        """
        return _CAPTION_OVERHANG_PT + (1.5 * self.cell_width if self.grid_path is not None else 0)

    def contains(self, point: Point) -> bool:
        return box_contains(self.box, point)


def find_boards(shapes: PageShapes, page: int) -> list[BoardRead]:
    """Find the boards among the shapes of a page, and return them in reading order."""
    found = [board for box in shapes.outlines if (board := _board_in(box, shapes, page))]
    curves = [box for box, _ in shapes.curves]
    for box, path in shapes.curves:
        if not any(box != other and intersection(box, other) == box for other in curves):
            found += filter(None, [_shape_in(box, path, shapes, page)])
    boards = sorted(found, key=lambda board: (-round(board.box[3]), board.box[0]))
    for board in boards:
        texts = [text for text in shapes.texts if board.contains(middle(text.box))]
        board.upside_down = 2 * sum(text.upside_down for text in texts) > len(texts)
        _read_texts(board, texts)
        if not board.numbers:
            _read_dots(board, shapes.discs)
        if board.grid_path is not None:
            _read_shape(board, shapes)
        _read_fills(board, shapes.fills)
        _read_segments(board, shapes)
    return boards


def _board_in(box: Box, shapes: PageShapes, page: int) -> BoardRead | None:
    """Return the board inside an outline; None if the lines inside the outline don't form a grid."""
    left, bottom, right, top = box
    slack = _LINE_END * min(right - left, top - bottom) / MIN_SIDE
    across = [segment for segment in shapes.horizontal if bottom < segment.start[1] < top]
    down = [segment for segment in shapes.vertical if left < segment.start[0] < right]
    rows = _count_bands((s.start[1] for s in across if _spans(s, 0, left, right, slack)), bottom, top)
    cols = _count_bands((s.start[0] for s in down if _spans(s, 1, bottom, top, slack)), left, right)
    if rows is None or cols is None:
        return None
    return BoardRead(page, box, rows, cols)


def _shape_in(box: Box, path: int, shapes: PageShapes, page: int) -> BoardRead | None:
    """Return the board inside a closed curve; None if there are no squares inside the curve.

    A page draws the outline of a board first, then the sides of its squares. So the first straight strokes
    inside the curve that are drawn after the curve are these sides.
    """
    strokes = [
        s for s in (*shapes.horizontal, *shapes.vertical) if s.path > path and box_contains(box, s.middle)
    ]
    grid_path = min((stroke.path for stroke in strokes), default=None)
    corners = [
        point for stroke in strokes if stroke.path == grid_path for point in (stroke.start, stroke.end)
    ]
    if not corners:
        return None
    left, bottom, right, top = box_around(corners)
    pitch = math.dist(*corners[:2])
    rows, cols = round((top - bottom) / pitch), round((right - left) / pitch)
    if not (MIN_SIDE <= rows <= MAX_SIDE and MIN_SIDE <= cols <= MAX_SIDE):
        return None
    return BoardRead(page, (left, bottom, right, top), rows, cols, grid_path=grid_path)


def _read_shape(board: BoardRead, shapes: PageShapes) -> None:
    """Find the solid cells of a board in a shape: cells that lack a side or are covered by a filled curve."""
    sides = [side for side in (*shapes.horizontal, *shapes.vertical) if side.path == board.grid_path]
    drawn = {(round(2 * row), round(2 * col)) for row, col in (board.to_cells(side.middle) for side in sides)}
    for cell in range(board.rows * board.cols):
        row, col = (2 * place + 1 for place in divmod(cell, board.cols))
        if not drawn >= {(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)}:
            board.outside.add(cell)
    for box in shapes.blocks:
        if max(box[2] - box[0], box[3] - box[1]) <= _MAX_BLOCK * board.cell_width and board.contains(
            middle(box)
        ):
            board.outside.add(_cell_at(board, middle(box))[0])


def _spans(segment: Segment, axis: int, low: float, high: float, slack: float) -> bool:
    """Return whether a segment reaches from ``low`` to ``high`` along an axis: 0 for x, or 1 for y."""
    ends = sorted((segment.start[axis], segment.end[axis]))
    return abs(ends[0] - low) <= slack and abs(ends[1] - high) <= slack


def _count_bands(positions: Iterable[float], low: float, high: float) -> int | None:
    """Count the rows or columns into which grid lines divide a board.

    Args:
        positions: the positions of the grid lines, in points.
        low: the position of the board's lower or left edge, in points.
        high: the position of the board's upper or right edge, in points.
    Returns:
        The number of rows or columns; None if they are not equally wide, or if there are too few or too many.
    """
    lines: list[float] = []
    for position in sorted(positions):
        if not lines or position - lines[-1] > 0.5:
            lines.append(position)
    count = len(lines) + 1
    if not MIN_SIDE <= count <= MAX_SIDE:
        return None
    side = (high - low) / count
    is_even = all(
        abs(line - low - index * side) <= _SPACING * side + 0.1 for index, line in enumerate(lines, 1)
    )
    return count if is_even else None


def _read_texts(board: BoardRead, texts: Iterable[DrawnText]) -> None:
    """Read a board's numbers from texts. Any other text on the board is reported as a problem."""
    for text in texts:
        words = text.text.strip()
        if is_printed_number(words):
            _put(board, middle(text.box), board.numbers, int(words), f"the number {words}")
        else:
            cell_name = Grid(board.rows, board.cols).name(_cell_at(board, middle(text.box))[0])
            board.problems.append(f"the text {words[:20]!r} is on {cell_name}")


def _read_dots(board: BoardRead, discs: Iterable[FilledShape]) -> None:
    for disc in discs:
        if board.contains(middle(disc.box)):
            _put(board, middle(disc.box), board.dots, disc.colour, "a dot")


def _put(board: BoardRead, point: Point, marks: dict[Cell, Any], value: object, description: str) -> None:
    """Record a number or dot in the cell that contains a given point of the board.

    Report a problem if the point is not near the middle of the cell, or if the cell already has a number or
    dot.

    Args:
        board: the board that is being read.
        point: the middle of the number or dot.
        marks: maps cells to the board's numbers or dots.
        value: the number, or the dot's colour.
        description: a description of the number or dot, for messages.
    """
    cell, offset = _cell_at(board, point)
    cell_name = Grid(board.rows, board.cols).name(cell)
    if offset > _NUMBER_OFFSET:
        board.problems.append(f"{description} is between cells, near {cell_name}")
    elif cell in marks:
        board.problems.append(f"{description} is on {cell_name}, which has another one too")
    else:
        marks[cell] = value


def _read_fills(board: BoardRead, fills: Iterable[FilledShape]) -> None:
    """Read the filled cells of a board.

    A drawn path is left out if one of its shapes is wider or higher than a cell. Such a path colours a larger
    area and marks no solid cells.
    """
    cells_of_path: dict[int, list[tuple[Cell, Rgb]]] = defaultdict(list)
    area_paths: set[int] = set()
    for fill in fills:
        left, bottom, right, top = fill.box
        if max(fill.colour) < _DARK and _covers_cells(fill.box, board):
            board.problems.append("a black area covers several of its cells")
        if not board.contains(middle(fill.box)):
            continue
        width, height = (right - left) / board.cell_width, (top - bottom) / board.cell_height
        if width > 1.5 or height > 1.5:
            area_paths.add(fill.path)
        elif width >= _MIN_SOLID and height >= _MIN_SOLID:
            cells_of_path[fill.path].append((_cell_at(board, middle(fill.box))[0], fill.colour))
    for path, cells in cells_of_path.items():
        if path not in area_paths:
            for cell, colour in cells:
                board.filled[cell].add(colour)


def _covers_cells(area: Box, board: BoardRead) -> bool:
    """Return whether a shape covers several cells at least in part, but not the whole board."""
    overlap = intersection(area, board.box)
    if overlap is None or overlap == board.box:
        return False
    width, height = (
        (overlap[2] - overlap[0]) / board.cell_width,
        (overlap[3] - overlap[1]) / board.cell_height,
    )
    return min(width, height) >= _MIN_SOLID and max(width, height) > 1.5


class _Stroke(NamedTuple):
    """Horizontal or vertical stroke on a board. Positions are in cells from the board's top left corner.

    Args:
        path: the index of the drawn path to which the stroke belongs.
        is_horizontal: whether the stroke is horizontal.
        across: the distance of a horizontal stroke from the top, or of a vertical stroke from the left side.
        low: the left end of a horizontal stroke, or the upper end of a vertical stroke.
        high: the right end of a horizontal stroke, or the lower end of a vertical stroke.
        breadth: the board's size across the stroke: its rows for a horizontal stroke, its columns for a
            vertical one.
        length: the board's size along the stroke: its columns for a horizontal stroke, its rows for a
            vertical one.
    """

    path: int
    is_horizontal: bool
    across: float
    low: float
    high: float
    breadth: int
    length: int

    @property
    def grid_line(self) -> int | None:
        """Number of the inner grid line on which the stroke lies, counted from 1; None if it lies on none."""
        line = round(self.across)
        return line if abs(self.across - line) <= _CENTRE_LINE and 0 < line < self.breadth else None


def _read_segments(board: BoardRead, shapes: PageShapes) -> None:
    """Read a board's hatched cells, and the lines or walls that its answer consists of.

    In some themes, an answer is drawn as coloured areas. The strokes between two areas are walls.
    """
    strokes = [
        _stroke_of(segment, board, is_horizontal=segments is shapes.horizontal)
        for segments in (shapes.horizontal, shapes.vertical)
        for segment in segments
        if segment.path != board.grid_path and board.contains(segment.middle)
    ]
    slanted = [_cell_at(board, each.middle) for each in shapes.slanted if board.contains(each.middle)]
    # Slanted strokes in the middle of a cell are hatching. Leave out strokes near a cell's side: they form a
    # cross between two cells of a worked example, which means that no line runs between these cells.
    board.hatched |= {cell for cell, offset in slanted if offset < _BETWEEN_CELLS}
    for stroke in strokes:
        board.lines.update(_line_edges(board, stroke))
    # In a PDF, strokes are drawn in groups, which are called paths. A path that draws the grid has only
    # strokes from one side of the board to the other. If a path has a shorter stroke on a grid line, it draws
    # walls. Then its long strokes on grid lines are walls, too.
    wall_paths = {
        stroke.path
        for stroke in strokes
        if stroke.grid_line and stroke.high - stroke.low < stroke.length - 0.5
    }
    for stroke in strokes:
        if stroke.path in wall_paths and stroke.grid_line:
            for along in range(max(0, round(stroke.low)), min(round(stroke.high), stroke.length)):
                board.walls.add(
                    _edge_at(board, not stroke.is_horizontal, across=along, along=stroke.grid_line - 1)
                )


def _stroke_of(segment: Segment, board: BoardRead, *, is_horizontal: bool) -> _Stroke:
    (row, col), (other_row, other_col) = board.to_cells(segment.start), board.to_cells(segment.end)
    rows, cols = board.rows, board.cols
    if is_horizontal:
        return _Stroke(segment.path, True, row, min(col, other_col), max(col, other_col), rows, cols)
    return _Stroke(segment.path, False, col, min(row, other_row), max(row, other_row), cols, rows)


def _line_edges(board: BoardRead, stroke: _Stroke) -> Iterator[Edge]:
    """Yield the pairs of neighbouring cells that are joined by one stroke of an answer's line.

    Yield nothing if the stroke does not run through the middles of cells.

    Report a problem if the stroke leaves the board or ends between cells. In a cell with a number, the stroke
    may end anywhere, because lines keep a gap to the number.
    """
    if abs(stroke.across % 1 - 0.5) > _CENTRE_LINE:
        return
    if stroke.low < 0 or stroke.high >= stroke.length:
        board.problems.append("a line of the answer leaves the board")
        return
    first, last, across = int(stroke.low), int(stroke.high), int(stroke.across)
    for cell, end in ((first, stroke.low), (last, stroke.high)):
        row, col = (across, cell) if stroke.is_horizontal else (cell, across)
        if abs(end - cell - 0.5) > _CENTRE_LINE and row * board.cols + col not in board.numbers:
            board.problems.append("a line of the answer ends between cells")
            return
    for step in range(first, last):
        yield _edge_at(board, stroke.is_horizontal, across=across, along=step)


def _edge_at(board: BoardRead, is_horizontal: bool, *, across: int, along: int) -> Edge:
    """Return a step, which is a pair of neighbouring cells, given its direction and its place.

    Args:
        board: the board that has the cells.
        is_horizontal: whether the step goes along a row.
        across: the row of a horizontal step, or the column of a vertical step.
        along: the column of a horizontal step's first cell, or the row of a vertical step's first cell.
    """
    if is_horizontal:
        return edge(across * board.cols + along, across * board.cols + along + 1)
    return edge(along * board.cols + across, (along + 1) * board.cols + across)


def is_printed_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 7


def _cell_at(board: BoardRead, point: Point) -> tuple[Cell, float]:
    """Return the cell at a point, and the distance in cells between the point and the cell's middle."""
    row, col = board.to_cells(point)
    cell_row = min(max(int(row), 0), board.rows - 1)
    cell_col = min(max(int(col), 0), board.cols - 1)
    return cell_row * board.cols + cell_col, max(abs(row - cell_row - 0.5), abs(col - cell_col - 0.5))


_CAPTION_REACH_PT = 96.0  # maximum vertical distance between a caption and its board, in points

# Maximum distance in points by which the middle of a caption may lie to the left or to the right of the
# board to which it belongs.
_CAPTION_OVERHANG_PT = 4.0

# Pattern of a number that may have separators between thousands. Any space can be a separator, because a
# no-break space may be read from a PDF as a plain space.
_DIGITS = r"[0-9]+(?:[.,'\u2019\s][0-9]{3})*"
_MAX_LINE_LENGTH = 400  # maximum number of characters of a line that are searched for phrases
_NEVER = re.compile(r"(?!)")  # pattern that matches no text

# Maximum numbers of board outlines and straight strokes on a page. A page with more is refused, because it
# would take too long to read. A page of 12 boards has 12 outlines.
_MAX_OUTLINES, _MAX_SEGMENTS = 500, 100_000


class Phrases:
    """Patterns that find the printed phrases of a language in a book, such as "Solution p. 9".

    Args:
        words: the phrases of the book's language.
        names_pages: whether the caption of a puzzle names the page of its answer, and the caption of an
            answer names the page of its puzzle. If so, the captions show whether a board is a puzzle, an
            answer or a worked example. If not, the board's number and lines show this.
    """

    def __init__(self, words: Words, names_pages: bool = True) -> None:
        self.names_pages = names_pages
        self.how_to_play = _pattern(words.how_to_play)
        self.solution_on = (_pattern(words.solution_on), _pattern(words.solution_in_file))
        self.puzzle_on = (_pattern(words.puzzle_on),)
        # If a language writes the two numbers of a size without a separator, sizes can't be recognised: 57
        # may be 5 × 7 or a single number.
        self.size = _pattern(words.size) if "}{" not in words.size else _NEVER
        self.solutions_from = _pattern(words.solutions_from)
        self.puzzles = _pattern(words.puzzles) if _has_word(words.puzzles) else _NEVER
        self.puzzle = _pattern(words.puzzle) if _has_word(words.puzzle) else _NEVER
        self.child = re.compile(".+".join(map(re.escape, words.level.child.split("{count}"))))
        self.contents = _pattern(words.contents)
        self.counts = [_pattern(form) for _, form in words.count if form and _has_word(form)]

    def find_count(self, text: str) -> int | None:
        """Return the number of puzzles that a text states, such as "40 puzzles".

        Return None if the text states no number of puzzles.
        """
        for pattern in self.counts:
            if match := pattern.search(text):
                return _number_of(match["number"])
        return None

    def find_size(self, texts: Iterable[str]) -> tuple[int, int] | None:
        """Return the columns and rows in the first text with a board size; None if no text has a size."""
        match = next((match for text in texts if (match := self.size.search(text))), None)
        return (_number_of(match["cols"]), _number_of(match["rows"])) if match else None

    def find_opened(self, text: str) -> int | None:
        """Return how many puzzles a line announces: 4 for "Puzzles 7–10"; None for other lines."""
        if match := self.puzzles.fullmatch(text):
            return _number_of(match["last"]) - _number_of(match["first"]) + 1
        if self.puzzle.fullmatch(text):
            return 1
        return self.find_count(text) if self.child.fullmatch(text) else None

    def find_solutions_page(self, text: str) -> int | None:
        """Return the page on which the solutions begin according to a text.

        Return None if the text names no page.
        """
        match = self.solutions_from.search(text)
        return _number_of(match["page"]) if match else None


def _pattern(phrase: str) -> re.Pattern[str]:
    """Make a regular expression from a printed phrase.

    Each {field} in the phrase becomes a named group that matches a number. White space in the phrase matches
    white space of any kind and length in the text, such as a line end. A field at the beginning never matches
    in the middle of a number, because searching a long row of digits would take too long.
    """
    parts = re.split(r"\{(\w+)\}", phrase)
    parts[::2] = (r"\s+".join(map(re.escape, re.split(r"\s+", part))) for part in parts[::2])
    parts[1::2] = (f"(?P<{name}>{_DIGITS})" for name in parts[1::2])
    begin = "" if parts[0] else "(?<![0-9])"
    return re.compile(begin + "".join(parts), re.IGNORECASE)


def _has_word(phrase: str) -> bool:
    return any(letter.isalpha() for letter in FIELD.sub("", phrase))


def _number_of(text: str) -> int:
    return int("".join(letter for letter in text if letter.isdigit()))


class UnreadableError(Exception):
    """A PDF can't be read to its end. The message says where and why."""


@dataclass(frozen=True, slots=True)
class PrintedLine:
    """Line of text on a page, outside the boards.

    Args:
        text: the line's text.
        x: the left end of its baseline, in points.
        y: the height of its baseline, in points from the page's lower edge.
        upside_down: whether the text is printed upside down.
    """

    text: str
    x: float
    y: float
    upside_down: bool = False

    @property
    def is_number(self) -> bool:
        return is_printed_number(self.text)


@dataclass(frozen=True, slots=True)
class PageRead:
    """Boards and lines of text that were read from one page. Boards are in reading order.

    Args:
        number: the page's number, counted from 1.
        lines: all text outside the boards.
        puzzles: boards of puzzles.
        answers: boards of answers.
        samples: boards of worked examples, on the page of rules and in the tutorial.
    """

    number: int
    lines: tuple[PrintedLine, ...] = ()
    puzzles: tuple[BoardRead, ...] = ()
    answers: tuple[BoardRead, ...] = ()
    samples: tuple[BoardRead, ...] = ()

    @property
    def words(self) -> str:
        """Text of all lines, joined so that a search also finds a name that is broken over two lines."""
        return " ".join(line.text for line in self.lines)


@dataclass(frozen=True)
class BookRead:
    """Contents of a book that were read from its PDF.

    Args:
        pages: all pages of the book.
        solutions: the pages of a separate PDF with the answers; empty without such a PDF.
    """

    pages: tuple[PageRead, ...]
    solutions: tuple[PageRead, ...] = ()

    @cached_property
    def puzzles(self) -> list[BoardRead]:
        return [board for page in self.pages for board in page.puzzles]

    @cached_property
    def answers(self) -> list[BoardRead]:
        return [board for page in (*self.pages, *self.solutions) for board in page.answers]

    @cached_property
    def solid_colours(self) -> set[Rgb]:
        return {colour for board in self.puzzles for colours in board.filled.values() for colour in colours}


def read_book(content: bytes, phrases: Phrases) -> BookRead:
    """Read a book's boards and text from a PDF.

    Args:
        content: the PDF file.
        phrases: the phrases by which captions are recognised.
    Raises:
        UnreadableError: a page can't be read.
    """
    with _damage_as_unreadable(), PdfReader(content) as reader:
        return BookRead(tuple(_read_page(page, reader, phrases) for page in reader.pages))


@contextmanager
def _damage_as_unreadable() -> Iterator[None]:
    """Context manager that converts errors in its ``with`` block to ``UnreadableError``.

    Only a ``MemoryError`` is raised unchanged.
    """
    try:
        yield
    except ReadingLimitError as error:
        raise UnreadableError(str(error)) from error
    except (UnreadableError, MemoryError):
        raise
    # For a damaged object, the PDF libraries can raise almost any exception.
    except Exception as error:
        raise UnreadableError(error_text(error)) from error


def _read_page(page: PageInfo, reader: PdfReader, phrases: Phrases) -> PageRead:
    read = reader.read(page)
    if read.problems:
        raise UnreadableError(f"page {page.number}: {read.problems[0]}")
    visible = [item for item in read.objects if not any(item is hidden for hidden in read.covered)]
    shapes = sort_shapes([*visible, *read.nested_objects])
    segments = len(shapes.horizontal) + len(shapes.vertical) + len(shapes.slanted)
    if len(shapes.outlines) > _MAX_OUTLINES or segments > _MAX_SEGMENTS:
        raise UnreadableError(f"page {page.number}: more lines than any page of boards has")
    boards = find_boards(shapes, page.number)
    outside = [text for text in shapes.texts if not any(board.contains(middle(text.box)) for board in boards)]
    _read_captions(boards, outside, phrases)
    lines = tuple(
        PrintedLine(text.text.strip()[:_MAX_LINE_LENGTH], *text.start, text.upside_down) for text in outside
    )
    texts = {line.text for line in lines}
    # The page explains something if it has the names of columns and rows, which only the tutorial prints, or
    # the heading of the rules.
    explains = texts >= {"A", "B", "1", "2"} or any(map(phrases.how_to_play.fullmatch, texts))
    by_kind: dict[str, list[BoardRead]] = {"puzzles": [], "answers": [], "samples": []}
    for board in boards:
        by_kind[_kind_of(board, names_pages=phrases.names_pages, explains=explains)].append(board)
    return PageRead(page.number, lines, **{kind: tuple(found) for kind, found in by_kind.items()})


def _kind_of(board: BoardRead, *, names_pages: bool, explains: bool) -> str:
    """Return the name of the ``PageRead`` field to which a board belongs.

    Args:
        board: the board, with its captions.
        names_pages: whether captions of puzzles and answers name a page.
        explains: whether the board's page explains the rules or a technique.
    """
    if board.solution_page is not None:
        return "puzzles"
    if board.puzzle_page is not None:
        return "answers"
    if names_pages or explains or board.number is None:
        return "samples"
    return "answers" if board.lines or board.walls else "puzzles"


def _read_captions(boards: Sequence[BoardRead], texts: Iterable[DrawnText], phrases: Phrases) -> None:
    """Find the captions of each board, and read the puzzle's number, page and size from them.

    If several captions are numbers, the number in the largest type is the puzzle's number.
    """
    captions_of: list[list[DrawnText]] = [[] for _ in boards]
    for text in texts:
        index = _board_of_caption(text, boards)
        if index is not None:
            captions_of[index].append(text)
    for board, captions in zip(boards, captions_of, strict=True):
        captions.sort(key=lambda text: -text.size_pt)
        lines = [text.text.strip()[:_MAX_LINE_LENGTH] for text in captions]
        board.number = next((int(line) for line in lines if is_printed_number(line)), None)
        board.solution_page = _page_in(phrases.solution_on, lines)
        board.puzzle_page = _page_in(phrases.puzzle_on, lines)
        board.printed_size = phrases.find_size(lines)


def _board_of_caption(text: DrawnText, boards: Sequence[BoardRead]) -> int | None:
    """Return the index of the board that is nearest below a text; None if no board is near.

    If the text is upside down, look for a board that is upside down and above the text.
    """
    x, y = middle(text.box)
    candidates = [
        (gap, index)
        for index, board in enumerate(boards)
        if board.upside_down is text.upside_down
        and board.box[0] - board.overhang_pt <= x <= board.box[2] + board.overhang_pt
        if 0 <= (gap := board.box[1] - y if board.upside_down else y - board.box[3]) <= _CAPTION_REACH_PT
    ]
    return min(candidates)[1] if candidates else None


def _page_in(patterns: Iterable[re.Pattern[str]], captions: Sequence[str]) -> int | None:
    """Return the page number in a caption that matches a pattern completely; None if no caption matches.

    The first pattern with a matching caption is used.
    """
    matches = (match for pattern in patterns for caption in captions if (match := pattern.fullmatch(caption)))
    match = next(matches, None)
    return _number_of(match["page"]) if match else None
