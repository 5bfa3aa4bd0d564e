"""Find boards in the shapes that a page draws: their grid, numbers, solids and answer.

A board is a rectangle with evenly spaced lines from side to side. Inside it,

- a number at the middle of a cell, or else a coloured dot, is an end of a path;
- a filled or hatched cell is a solid;
- a line through the middles of cells is a path of an answer;
- in themes that draw answers as coloured areas, a stroke on a grid line is a wall, which no path crosses.

A *step* is a pair of neighbouring cells. Coordinates are in points from the page's lower left corner, unless
a docstring says that they are in cells.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple

from linkpress.preflight.pdf_drawing import DrawnObject, DrawnPath, DrawnText, Rgb, Subpath, is_white
from linkpress.preflight.pdf_objects import Box, Point, box_around, box_contains, intersection, middle
from linkpress.puzzle.puzzle import MAX_SIDE, MIN_SIDE, Cell, Edge, Grid, edge

_STRAIGHT_PT = 0.05  # maximum offset between the ends of a line that counts as horizontal or vertical
_MIN_OUTLINE_PT = 12.0  # minimum side of a rectangle that may be a board's outline
_DARK = 48  # an area darker than this tone, from 0 to 255, hides the grid lines under it

# The following lengths are fractions of a cell's side.

_LINE_END = 0.06  # largest gap between the end of a grid line and the board's outline
_SPACING = 0.02  # largest difference between a grid line's position and even spacing
_CENTRE_LINE = 0.12  # largest distance between an answer's line and the middles of cells
_NUMBER_OFFSET = 0.35  # largest distance between the middle of a number and the middle of its cell
_MIN_SOLID = 0.5  # smallest side of a filled solid


class Segment(NamedTuple):
    """Straight part of a stroked path.

    Args:
        start: one end, in points.
        end: the other end, in points.
        path: the index of the drawn path that the stroke belongs to.
    """

    start: Point
    end: Point
    path: int

    @property
    def middle(self) -> Point:
        return (self.start[0] + self.end[0]) / 2, (self.start[1] + self.end[1]) / 2


@dataclass(frozen=True, slots=True)
class FilledShape:
    """Filled rectangle or disc. ``path`` is the index of the drawn path to which it belongs."""

    box: Box
    colour: Rgb
    path: int


@dataclass
class PageShapes:
    """Visible shapes of a page, by kind.

    Args:
        horizontal: horizontal strokes, apart from the outlines.
        vertical: vertical strokes, apart from the outlines.
        slanted: all other straight strokes.
        outlines: closed, stroked rectangles large enough for a board.
        fills: filled rectangles.
        discs: filled discs.
        texts: all texts.
    """

    horizontal: list[Segment] = field(default_factory=list)
    vertical: list[Segment] = field(default_factory=list)
    slanted: list[Segment] = field(default_factory=list)
    outlines: list[Box] = field(default_factory=list)
    fills: list[FilledShape] = field(default_factory=list)
    discs: list[FilledShape] = field(default_factory=list)
    texts: list[DrawnText] = field(default_factory=list)


def sort_shapes(drawn: Iterable[DrawnObject]) -> PageShapes:
    """Sort the visible shapes and texts of a page by kind.

    Images, curves other than discs, and objects without ink are left out. So are texts that are clipped
    completely, texts in the colour of the paper that are on nothing printed, and lines whose middle is
    clipped.
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
    return any(box_contains(shape.box, middle_of(text)) for shape in (*shapes.discs, *shapes.fills))


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
        if fill is not None and box is not None:
            shapes.fills.append(FilledShape(box, fill, index))
        if not is_stroked:
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
    """Board that was read from a page.

    Args:
        page: the page's number.
        box: the board's outline, in points.
        rows: the number of rows.
        cols: the number of columns.
        numbers: the printed number of each numbered cell.
        dots: the colour of each cell's dot, on boards without printed numbers.
        filled: the colours of the filled squares in each cell.
        hatched: cells with slanting lines.
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
        return frozenset(self.filled) | self.hatched

    def answer_solids(self, solid_colours: set[Rgb]) -> frozenset[Cell]:
        """Return the solids of an answer.

        Args:
            solid_colours: the colours of solids in the book's puzzles. If an answer is drawn as areas, a cell
                filled in another colour is part of an area.
        """
        filled = (cell for cell, colours in self.filled.items() if not self.walls or colours & solid_colours)
        return frozenset(filled) | self.hatched

    def answer_edges(self, solids: frozenset[Cell]) -> frozenset[Edge]:
        """Return the steps that are part of an answer's paths.

        For an answer drawn as lines, these are the steps along its lines. For an answer drawn as areas,
        these are all steps without a wall. If a single area fills the board, there is no wall at all.
        """
        if self.lines and not self.walls:
            return frozenset(self.lines)
        return frozenset(Grid(self.rows, self.cols, solids).edges) - self.walls

    def to_cells(self, point: Point) -> tuple[float, float]:
        """Convert a point to a row and column, in cells from the board's top left corner."""
        row, col = (self.box[3] - point[1]) / self.cell_height, (point[0] - self.box[0]) / self.cell_width
        return (self.rows - row, self.cols - col) if self.upside_down else (row, col)

    def contains(self, point: Point) -> bool:
        return box_contains(self.box, point)


def find_boards(shapes: PageShapes, page: int) -> list[BoardRead]:
    """Find a page's boards, in reading order."""
    found = [board for box in shapes.outlines if (board := _board_in(box, shapes, page))]
    boards = sorted(found, key=lambda board: (-round(board.box[3]), board.box[0]))
    for board in boards:
        texts = [text for text in shapes.texts if board.contains(middle_of(text))]
        board.upside_down = 2 * sum(text.upside_down for text in texts) > len(texts)
        _read_texts(board, texts)
        if not board.numbers:
            _read_dots(board, shapes.discs)
        _read_fills(board, shapes.fills)
        _read_segments(board, shapes)
    return boards


def _board_in(box: Box, shapes: PageShapes, page: int) -> BoardRead | None:
    """Return the board inside an outline; None if the lines inside don't form a grid."""
    left, bottom, right, top = box
    slack = _LINE_END * min(right - left, top - bottom) / MIN_SIDE
    across = [segment for segment in shapes.horizontal if bottom < segment.start[1] < top]
    down = [segment for segment in shapes.vertical if left < segment.start[0] < right]
    rows = _count_bands((s.start[1] for s in across if _spans(s, 0, left, right, slack)), bottom, top)
    cols = _count_bands((s.start[0] for s in down if _spans(s, 1, bottom, top, slack)), left, right)
    if rows is None or cols is None:
        return None
    return BoardRead(page, box, rows, cols)


def _spans(segment: Segment, axis: int, low: float, high: float, slack: float) -> bool:
    """Return whether a segment runs from ``low`` to ``high`` along an axis. Axis 0 is x, axis 1 is y."""
    ends = sorted((segment.start[axis], segment.end[axis]))
    return abs(ends[0] - low) <= slack and abs(ends[1] - high) <= slack


def _count_bands(positions: Iterable[float], low: float, high: float) -> int | None:
    """Count the rows or columns into which grid lines divide a board.

    Args:
        positions: the positions of the grid lines, in points.
        low: the position of the board's lower or left edge, in points.
        high: the position of the board's upper or right edge, in points.
    Returns:
        The number of rows or columns; None if they are not equally wide, or if there are too many.
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
    """Read a board's numbers. Any other text on the board is reported as a problem."""
    for text in texts:
        words = text.text.strip()
        if is_printed_number(words):
            _put(board, middle_of(text), board.numbers, int(words), f"the number {words}")
        else:
            cell_name = Grid(board.rows, board.cols).name(_cell_at(board, middle_of(text))[0])
            board.problems.append(f"the text {words[:20]!r} is on {cell_name}")


def _read_dots(board: BoardRead, discs: Iterable[FilledShape]) -> None:
    for disc in discs:
        if board.contains(middle(disc.box)):
            _put(board, middle(disc.box), board.dots, disc.colour, "a dot")


def _put(board: BoardRead, point: Point, marks: dict[Cell, Any], value: object, description: str) -> None:
    """Add a number or dot to the cell at a point.

    Report a problem if the point is not in the middle of the cell, or if the cell already has a mark.

    Args:
        board: the board that is being read.
        point: the middle of the number or dot.
        marks: the board's numbers or dots, by cell.
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
    """Read the filled cells.

    A path with a shape wider or higher than a cell is left out, because it is the tint of an area.
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
    """Horizontal or vertical stroke in a board's coordinates, in cells from its top left corner.

    Args:
        path: the index of the drawn path that the stroke belongs to.
        is_horizontal: whether the stroke is horizontal.
        across: the distance of a horizontal stroke from the top, or of a vertical stroke from the left side.
        low: the left end of a horizontal stroke, or the upper end of a vertical stroke.
        high: the right end of a horizontal stroke, or the lower end of a vertical stroke.
        breadth: the board's size across the stroke: its rows for a horizontal stroke, or else its columns.
        length: the board's size along the stroke: its columns for a horizontal stroke, or else its rows.
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
        """Number of the inner grid line under the stroke, counted from 1; None if there is none."""
        line = round(self.across)
        return line if abs(self.across - line) <= _CENTRE_LINE and 0 < line < self.breadth else None


def _read_segments(board: BoardRead, shapes: PageShapes) -> None:
    """Read a board's hatched cells, and the lines and walls of its answer."""
    strokes = [
        _stroke_of(segment, board, is_horizontal=segments is shapes.horizontal)
        for segments in (shapes.horizontal, shapes.vertical)
        for segment in segments
        if board.contains(segment.middle)
    ]
    board.hatched |= {
        _cell_at(board, segment.middle)[0] for segment in shapes.slanted if board.contains(segment.middle)
    }
    for stroke in strokes:
        board.lines.update(_line_edges(board, stroke))
    # A grid line runs from side to side of the board. So a drawn path with a shorter stroke on
    # a grid line draws walls.
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
    """Yield the steps between cells that a stroke draws; nothing if it misses the middles of cells.

    Report a problem if the stroke leaves the board or ends between cells.
    """
    if abs(stroke.across % 1 - 0.5) > _CENTRE_LINE:
        return
    if stroke.low < 0 or stroke.high > stroke.length:
        board.problems.append("a line of the answer leaves the board")
        return
    first, last = round(stroke.low - 0.5), round(stroke.high - 0.5)
    if max(abs(stroke.low - 0.5 - first), abs(stroke.high - 0.5 - last)) > _CENTRE_LINE:
        board.problems.append("a line of the answer ends between cells")
        return
    for step in range(first, last):
        yield _edge_at(board, stroke.is_horizontal, across=int(stroke.across), along=step)


def _edge_at(board: BoardRead, is_horizontal: bool, *, across: int, along: int) -> Edge:
    """Return the step between two neighbouring cells.

    Args:
        board: the board that has the cells.
        is_horizontal: whether the step goes along a row.
        across: the row of a horizontal step, or the column of a vertical one.
        along: the column of a horizontal step's first cell, or the row of a vertical step's.
    """
    if is_horizontal:
        return edge(across * board.cols + along, across * board.cols + along + 1)
    return edge(along * board.cols + across, (along + 1) * board.cols + across)


def is_printed_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 7


def middle_of(text: DrawnText) -> Point:
    return middle(text.box)


def _cell_at(board: BoardRead, point: Point) -> tuple[Cell, float]:
    """Return the cell at a point, and the distance in cells between the point and the cell's middle."""
    row, col = board.to_cells(point)
    cell_row = min(max(int(row), 0), board.rows - 1)
    cell_col = min(max(int(col), 0), board.cols - 1)
    return cell_row * board.cols + cell_col, max(abs(row - cell_row - 0.5), abs(col - cell_col - 0.5))
