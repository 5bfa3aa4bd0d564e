"""This module finds the boards that a page's shapes make: grid, numbers, solids, answer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple

from linkpress.preflight.pdf_reading.drawn import Drawn, DrawnPath, DrawnText, Rgb, Subpath, is_paper
from linkpress.preflight.pdf_reading.matrices import Box, Point, box_around, common
from linkpress.puzzle.puzzle import MAX_SIDE, MIN_SIDE, Cell, Edge, Grid, edge

STRAIGHT_PT = 0.05  # how far a straight line's ends may lie apart across it
LEAST_OUTLINE_PT = 12.0
_REACH = 0.06  # of a square: how far a line may miss the grid's outline and still be the grid's
_EVEN = 0.02  # of a square: how uneven a grid's lines may be
_CENTRED = 0.12  # of a square: how far an answer's line may run from the squares' middles
_OFF_CENTRE = 0.35  # of a square: how far a number's middle may lie from its square's
_SOLID_SIDE = 0.5  # of a square: the least side of a filled solid
_BLACK = 48  # of 255: a darker area does not show the lines under it


@dataclass(frozen=True, slots=True)
class Segment:
    """A segment is one straight stroke of one of the page's paths."""

    start: Point
    end: Point
    path: int

    @property
    def is_level(self) -> bool:
        """Tell whether it runs from left to right."""
        return abs(self.start[1] - self.end[1]) <= STRAIGHT_PT

    @property
    def is_upright(self) -> bool:
        """Tell whether it runs up and down."""
        return abs(self.start[0] - self.end[0]) <= STRAIGHT_PT

    @property
    def middle(self) -> Point:
        """Return the point halfway between its ends."""
        return (self.start[0] + self.end[0]) / 2, (self.start[1] + self.end[1]) / 2


@dataclass(frozen=True, slots=True)
class FilledShape:
    """A filled shape is one rectangle or disc with its colour."""

    box: Box
    colour: Rgb
    path: int


@dataclass
class PageShapes:
    """A page has straight strokes, closed rectangles, filled rectangles, filled discs and visible texts."""

    segments: list[Segment] = field(default_factory=list)
    outlines: list[Box] = field(default_factory=list)
    fills: list[FilledShape] = field(default_factory=list)
    discs: list[FilledShape] = field(default_factory=list)
    texts: list[DrawnText] = field(default_factory=list)


def sort_shapes(drawn: Iterable[Drawn]) -> PageShapes:
    """Sort what a page draws; images, curves other than discs and what leaves no ink are left out.

    What is clipped away leaves none either: a text as a whole, a line whose middle is.
    """
    shapes = PageShapes()
    for place, item in enumerate(drawn):
        if isinstance(item, DrawnText):
            clipped = item.clip is not None and common(item.box, item.clip) is None
            if item.text.strip() and not item.invisible and not clipped:
                shapes.texts.append(item)
        elif isinstance(item, DrawnPath):
            _sort_path(item, place, shapes)
    return shapes


def _sort_path(path: DrawnPath, place: int, shapes: PageShapes) -> None:
    stroked = path.stroke is not None and not is_paper(path.stroke)
    for part in path.subpaths:
        if part.curved:
            left, bottom, right, top = box_around(part.points)
            is_round = left < right and abs(right - left - top + bottom) <= STRAIGHT_PT
            if path.fill is not None and not is_paper(path.fill) and is_round:
                shapes.discs.append(FilledShape((left, bottom, right, top), path.fill, place))
            continue
        if len(part.points) < 2:
            continue
        box = rectangle(part)
        if path.fill is not None and box is not None and not is_paper(path.fill):
            shapes.fills.append(FilledShape(box, path.fill, place))
        if not stroked:
            continue
        if box is not None and min(box[2] - box[0], box[3] - box[1]) >= LEAST_OUTLINE_PT:
            shapes.outlines.append(box)
            continue
        points = [*part.points, part.points[0]] if part.closed else part.points
        segments = [Segment(a, b, place) for a, b in pairwise(points) if a != b]
        shapes.segments += [
            segment for segment in segments if path.clip is None or _holds(path.clip, segment.middle)
        ]


def _holds(box: Box, point: Point) -> bool:
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]


def rectangle(part: Subpath) -> Box | None:
    """Return the box of a closed, upright rectangle; None for any other shape."""
    points = part.points[:-1] if part.points[0] == part.points[-1] else part.points
    if len(points) != 4 or not (part.closed or len(part.points) == 5):
        return None
    ring = [*points, points[0]]
    if not all(abs(a[0] - b[0]) <= STRAIGHT_PT or abs(a[1] - b[1]) <= STRAIGHT_PT for a, b in pairwise(ring)):
        return None
    box = box_around(points)
    corners = {(x, y) for x in (box[0], box[2]) for y in (box[1], box[3])}
    found = all(
        any(abs(x - left) <= STRAIGHT_PT and abs(y - low) <= STRAIGHT_PT for left, low in points)
        for x, y in corners
    )
    return box if found else None


@dataclass
class BoardRead:
    """A board as read has these parts.

    Args:
        dots: the colour of the dot on each cell that has one, where no number is shown.
        filled: cells with a filled square, and its colours.
        hatched: cells with slanting lines.
        walls: edges with a wall across, where an answer is drawn as areas.
        faults: what could not be read, in words.
        number: of the puzzle; None where none stands above the board.
        solution_page: as printed in "Solution p. 9", or where a link leads; None where neither is there.
        puzzle_page: as printed in "Puzzle p. 9", likewise.
        printed_size: columns and rows, as printed; None where they don't stand there.
        turned: whether it stands upside down, as its numbers do.
        alternative: the words for those who don't see it, in an e-book; None elsewhere.
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
    faults: list[str] = field(default_factory=list)
    number: int | None = None
    solution_page: int | None = None
    puzzle_page: int | None = None
    printed_size: tuple[int, int] | None = None
    turned: bool = False
    alternative: str | None = None

    @property
    def cell_width(self) -> float:
        """Return the width of a square, in points."""
        return (self.box[2] - self.box[0]) / self.cols

    @property
    def cell_height(self) -> float:
        """Return the height of a square, in points."""
        return (self.box[3] - self.box[1]) / self.rows

    @property
    def solids(self) -> frozenset[Cell]:
        """Return the solids of a puzzle: every filled or hatched square."""
        return frozenset(self.filled) | self.hatched

    def answer_solids(self, solid_colours: set[Rgb]) -> frozenset[Cell]:
        """Return an answer's solids, which the colours of the book's solids tell from tinted areas."""
        filled = (cell for cell, colours in self.filled.items() if not self.walls or colours & solid_colours)
        return frozenset(filled) | self.hatched

    def answer_edges(self, solids: frozenset[Cell]) -> frozenset[Edge]:
        """Return the edges that an answer draws: its lines, or every step that no wall stops.

        An answer that is one area has neither; all its steps are drawn.
        """
        if self.lines and not self.walls:
            return frozenset(self.lines)
        return frozenset(Grid(self.rows, self.cols, solids).edges) - self.walls

    def place(self, point: Point) -> tuple[float, float]:
        """Return a point's row and column in squares from the top left corner; grid lines are whole."""
        row, col = (self.box[3] - point[1]) / self.cell_height, (point[0] - self.box[0]) / self.cell_width
        return (self.rows - row, self.cols - col) if self.turned else (row, col)

    def holds(self, point: Point) -> bool:
        """Tell whether a point lies on the board."""
        return _holds(self.box, point)


def find_boards(shapes: PageShapes, page: int) -> list[BoardRead]:
    """Find a page's boards, in reading order: an outline with evenly spaced lines right across it."""
    found = [board for box in shapes.outlines if (board := _board_in(box, shapes, page))]
    boards = sorted(found, key=lambda board: (-round(board.box[3]), board.box[0]))
    for board in boards:
        inside = [text.turned for text in shapes.texts if board.holds(middle_of(text))]
        board.turned = 2 * sum(inside) > len(inside)
        _read_texts(board, shapes.texts)
        if not board.numbers:
            _read_dots(board, shapes.discs)
        _read_fills(board, shapes.fills)
        _read_segments(board, shapes.segments)
    return boards


def _board_in(box: Box, shapes: PageShapes, page: int) -> BoardRead | None:
    left, bottom, right, top = box
    slack = _REACH * min(right - left, top - bottom) / MIN_SIDE
    across = [s for s in shapes.segments if s.is_level and bottom < s.start[1] < top]
    down = [s for s in shapes.segments if s.is_upright and left < s.start[0] < right]
    rows = _bands((s.start[1] for s in across if _spans(s, 0, left, right, slack)), bottom, top)
    cols = _bands((s.start[0] for s in down if _spans(s, 1, bottom, top, slack)), left, right)
    if rows is None or cols is None:
        return None
    return BoardRead(page, box, rows, cols)


def _spans(segment: Segment, axis: int, low: float, high: float, slack: float) -> bool:
    ends = sorted((segment.start[axis], segment.end[axis]))
    return abs(ends[0] - low) <= slack and abs(ends[1] - high) <= slack


def _bands(places: Iterable[float], low: float, high: float) -> int | None:
    """Return how many equal bands lines at these places make between two edges; None if they don't."""
    lines: list[float] = []
    for place in sorted(places):
        if not lines or place - lines[-1] > 0.5:
            lines.append(place)
    count = len(lines) + 1
    if not MIN_SIDE <= count <= MAX_SIDE:
        return None
    side = (high - low) / count
    even = all(abs(line - low - place * side) <= _EVEN * side + 0.1 for place, line in enumerate(lines, 1))
    return count if even else None


def _read_texts(board: BoardRead, texts: Iterable[DrawnText]) -> None:
    for text in texts:
        words = text.text.strip()
        if not board.holds(middle_of(text)):
            continue
        if is_printed_number(words):
            _put(board, middle_of(text), board.numbers, int(words), f"the number {words}")
        else:
            where = Grid(board.rows, board.cols).name(_cell_at(board, middle_of(text))[0])
            board.faults.append(f"the text {words[:20]!r} stands on {where}")


def _read_dots(board: BoardRead, discs: Iterable[FilledShape]) -> None:
    for disc in discs:
        left, bottom, right, top = disc.box
        middle = ((left + right) / 2, (bottom + top) / 2)
        if board.holds(middle):
            _put(board, middle, board.dots, disc.colour, "a dot")


def _put(board: BoardRead, point: Point, found: dict[Cell, Any], value: object, what: str) -> None:
    cell, off = _cell_at(board, point)
    where = Grid(board.rows, board.cols).name(cell)
    if off > _OFF_CENTRE:
        board.faults.append(f"{what} stands between squares, near {where}")
    elif cell in found:
        board.faults.append(f"{what} stands on {where}, and another one, too")
    else:
        found[cell] = value


def _read_fills(board: BoardRead, fills: Iterable[FilledShape]) -> None:
    """Note the filled squares; a shape that spans several cells is a tinted area, with all of its path."""
    inside: dict[int, list[tuple[Cell, FilledShape]]] = defaultdict(list)
    areas: set[int] = set()
    for fill in fills:
        left, bottom, right, top = fill.box
        if max(fill.colour) < _BLACK and _lies_across(fill.box, board):
            board.faults.append("a black area lies over several of its squares")
        middle = ((left + right) / 2, (bottom + top) / 2)
        if not board.holds(middle):
            continue
        width, height = (right - left) / board.cell_width, (top - bottom) / board.cell_height
        if width > 1.5 or height > 1.5:
            areas.add(fill.path)
        elif width >= _SOLID_SIDE and height >= _SOLID_SIDE:
            inside[fill.path].append((_cell_at(board, middle)[0], fill))
    for path, found in inside.items():
        if path not in areas:
            for cell, fill in found:
                board.filled[cell].add(fill.colour)


def _lies_across(area: Box, board: BoardRead) -> bool:
    """Tell whether an area takes parts of several squares without being the background of the whole board."""
    over = common(area, board.box)
    if over is None or over == board.box:
        return False
    width, height = (over[2] - over[0]) / board.cell_width, (over[3] - over[1]) / board.cell_height
    return min(width, height) >= _SOLID_SIDE and max(width, height) > 1.5


class _Run(NamedTuple):
    """A run is a level or upright stroke in squares of its board.

    Args:
        across: how far from the upper edge a level one lies, or from the left edge an upright one.
        low, high: where it begins and ends along itself.
        breadth, length: the board's squares across the stroke and along it.
    """

    path: int
    is_level: bool
    across: float
    low: float
    high: float
    breadth: int
    length: int

    @property
    def grid_line(self) -> int | None:
        """Return the inner grid line that the stroke lies on, counted from 1."""
        line = round(self.across)
        return line if abs(self.across - line) <= _CENTRED and 0 < line < self.breadth else None


def _read_segments(board: BoardRead, segments: Iterable[Segment]) -> None:
    runs = []
    for segment in segments:
        if not board.holds(segment.middle):
            continue
        if segment.is_level or segment.is_upright:
            runs.append(_run_of(segment, board))
        else:
            board.hatched.add(_cell_at(board, segment.middle)[0])
    for run in runs:
        board.lines.update(_line_edges(board, run))
    is_short = {run.path for run in runs if run.grid_line and run.high - run.low < run.length - 0.5}
    for run in runs:
        if run.path in is_short and run.grid_line:
            # A wall runs across the steps from one side of it to the other; it may be as long as it likes.
            for square in range(max(0, round(run.low)), min(round(run.high), run.length)):
                board.walls.add(_edge_at(board, not run.is_level, square, run.grid_line - 1))


def _run_of(segment: Segment, board: BoardRead) -> _Run:
    (row, col), (other_row, other_col) = board.place(segment.start), board.place(segment.end)
    if segment.is_level:
        return _Run(segment.path, True, row, min(col, other_col), max(col, other_col), board.rows, board.cols)
    return _Run(segment.path, False, col, min(row, other_row), max(row, other_row), board.cols, board.rows)


def _line_edges(board: BoardRead, run: _Run) -> Iterator[Edge]:
    if abs(run.across % 1 - 0.5) > _CENTRED:
        return
    if run.low < 0 or run.high > run.length:
        board.faults.append("a line of the answer leaves the board")
        return
    first, last = round(run.low - 0.5), round(run.high - 0.5)
    if max(abs(run.low - 0.5 - first), abs(run.high - 0.5 - last)) > _CENTRED:
        board.faults.append("a line of the answer ends between squares")
        return
    for step in range(first, last):
        yield _edge_at(board, run.is_level, int(run.across), step)


def _edge_at(board: BoardRead, is_level: bool, across: int, along: int) -> Edge:
    """Return the step from one square to the next along a row or, if not level, along a column."""
    if is_level:
        return edge(across * board.cols + along, across * board.cols + along + 1)
    return edge(along * board.cols + across, (along + 1) * board.cols + across)


def is_printed_number(text: str) -> bool:
    """Tell whether a text is a number of a puzzle, a page or a square, and nothing else."""
    return text.isascii() and text.isdigit() and len(text) < 7


def middle_of(text: DrawnText) -> Point:
    """Return the middle of a text's figures."""
    left, bottom, right, top = text.box
    return (left + right) / 2, (bottom + top) / 2


def _cell_at(board: BoardRead, point: Point) -> tuple[Cell, float]:
    """Return the cell under a point, and how far from the cell's middle the point lies, in squares."""
    row, col = board.place(point)
    cell_row = min(max(int(row), 0), board.rows - 1)
    cell_col = min(max(int(col), 0), board.cols - 1)
    return cell_row * board.cols + cell_col, max(abs(row - cell_row - 0.5), abs(col - cell_col - 0.5))
