"""Search a window of a board for a second drawing.

A cover divides a board into paths. A window is a rectangle of that board: everything outside stays as the
cover has it. A path that leaves the window ends at the cell where it leaves, with the number of the path.

For LOWEST drawings the answer is exact: the drawings found are lowest among those that leave the outside as
it is. For the other kinds, closed loops are excluded inside the window only. So a second filling of a window
may close a loop that runs outside it; for the whole board it can't. Nor does the search see whether a path
touches its own cells outside the window.
"""

from linkpress.engine.kernels import pure_python as cython
from linkpress.engine.kernels.covers.cover_board import CoverBoard
from linkpress.engine.kernels.glossary import DrawingKind, SearchOutcome
from linkpress.engine.kernels.grid import COLS_REVERSED, ROWS_REVERSED, TRANSPOSED, neighbour, turned_cell
from linkpress.engine.kernels.prover.cdcl import Search, reset_search
from linkpress.engine.kernels.prover.clauses import Question, reset_question
from linkpress.engine.kernels.prover.drawings import (
    CONTRADICTIONS,
    FoundDrawings,
    begin_search,
    room_for,
    scan_for_two,
    search_for_two,
)
from linkpress.engine.kernels.prover.scan import Scan
from linkpress.engine.kernels.pure_python import Bytes, Ints, State, for_python, items, make_fields

# From this many cells on, LOWEST drawings of a board's windows are searched by sweeps that
# alternate with activity. Puzzles a second without and with this: 10 × 10 with 8 pairs 190 and 275,
# 15 × 15 with 16 7.8 and 15.5, 20 × 20 with 28 1.5 and 2.3. Smaller boards keep the old order,
# because it decides which puzzle a seed makes.
_SWEPT_CELLS: int = 100
# Larger windows are scanned only for a tenth of the contradictions. A scan settled nearly all windows up to
# this size, but only one of 40 whole boards of 20 × 20, where it took a seventh of the time.
_FULLY_SCANNED_CELLS: int = 225
_SCAN_SHARE: int = 10


class Window(State):
    """A rectangle of a board, with the searches that look for a second drawing of it.

    Args:
        cells: cells of the board.
        height, width: rows and columns of the largest window that will be searched.
        room: words of clauses that the largest search may have.
    """

    top: int  # first row of the window
    left: int  # first column of the window
    height: int  # rows of the window
    width: int  # columns of the window
    kind: int  # which drawings of the window count: a ``DrawingKind``
    scanned: int  # contradictions that the depth-first search may meet before clause learning; 0 for no scan
    turn: int  # how the window is turned for the search, as for ``turned_cell``
    number: Ints = items("cells")  # by path of the cover: its number in the question, or -1
    differs: Bytes = items("cells")  # by cell of the board: 1 where the second drawing has other edges
    question: Question
    scan: Scan
    search: Search
    drawings: FoundDrawings

    def __init__(self, cells: int, height: int, width: int, room: int) -> None:
        make_fields(self, locals())
        self.height, self.width = height, width
        self.question, self.drawings = Question(height, width), FoundDrawings(height * width)
        # A window may be turned on its side.
        self.scan = Scan(min(height, width), max(height, width))
        # Every number in a window is an end of a path or its cut, so there are no more numbers than cells.
        self.search = Search(height * width, width, height * width, room)


@for_python
def find_second_drawing(
    rows: int, cols: int, window: tuple, path_of: list, links: list, kind: int, budget: int
) -> tuple[int, int, list[int]]:
    """Search a window for a drawing other than the cover's.

    Args:
        window: first row, first column, rows, columns.
        path_of: by cell, the number of its path, from 0; -1 for a solid. Numbers may be left out.
        links: by cell, the ``DirectionBit`` sum of its used edges.
        kind: which drawings count: a ``DrawingKind``.
        budget: the conflicts allowed.
    Returns:
        EXHAUSTED (there is none), FOUND or GAVE_UP; the conflicts spent; by cell of the board, 1 where the
        second drawing has other edges.
    """
    top, left, height, width = window
    board, view = CoverBoard(rows, cols), Window(rows * cols, height, width, room_for(height * width, budget))
    for cell in range(rows * cols):
        board.path_of[cell], board.links[cell] = path_of[cell], links[cell]
    view.top, view.left, view.kind = top, left, kind
    with cython.nogil:
        outcome, spent = search_window(view, board, budget)
    return outcome, spent, [view.differs[cell] for cell in range(rows * cols)]


def search_window(window: Window, board: CoverBoard, budget: int) -> tuple[int, int]:
    """Search a window for a second drawing, and mark in ``window.differs`` where it has other edges.

    Returns:
        EXHAUSTED (there is none), FOUND or GAVE_UP; and the conflicts spent.
    """
    return _search_window(window, board, window.question, window.scan, window.search, window.drawings, budget)


def _search_window(
    window: Window, board: CoverBoard, q: Question, scan: Scan, s: Search, d: FoundDrawings, budget: int
) -> tuple[int, int]:
    swept: bool = window.kind == DrawingKind.LOWEST and board.cells >= _SWEPT_CELLS
    window.turn = 0
    reset_question(q, window.height, window.width, window.kind)
    if window.scanned > 0:
        _choose_window_turn(window, board, q)
    q.dead_corners, q.joins_neighbours = swept, swept and window.scanned > 0
    for index in range(q.cells):
        path = board.path_of[_board_cell(window, board, index)]
        if path >= 0:
            window.number[path] = -1
    labels = _copy_cover_part(window, board, q, d)
    if labels < 0:
        return SearchOutcome.EXHAUSTED, 0
    outcome: int = SearchOutcome.GAVE_UP
    spent, more = 0, 0
    if window.scanned > 0:
        most = window.scanned // (_SCAN_SHARE if q.cells > _FULLY_SCANNED_CELLS else 1)
        outcome, spent = scan_for_two(scan, q, d, min(most, CONTRADICTIONS * budget))
    if outcome == SearchOutcome.GAVE_UP:
        reset_search(s, q.cells, q.cols, labels, room_for(q.cells, budget))
        s.sweeps = swept
        s.alternates = swept and window.scanned == 0
        begin_search(s, q, d)
        outcome, more = search_for_two(s, q, d, budget - spent)
    if d.count == 2:
        for index in range(q.cells):
            if d.first[index] != d.second[index]:
                window.differs[_board_cell(window, board, index)] = 1
    return outcome, spent + more


def _choose_window_turn(window: Window, board: CoverBoard, q: Question) -> None:
    """Turn a window so that the search, which goes row by row, begins on the side with most ends of paths.

    Chosen is the side from which the sum of the squared distances of the ends, relative to the window's size,
    is least. 174 boards of 15 × 15 with 16 pairs take 1,810 conflicts on average unturned, 1,090 with this
    choice, and 640 from their best side. To alternate between both orders of decisions gains nothing then.
    """
    below, above, right, left = 0, 0, 0, 0
    last_row, last_col = q.rows - 1, q.cols - 1
    for index in range(q.cells):
        inside = _sides_inside(q, board.links[_board_cell(window, board, index)], index)
        if inside > 0 and inside & (inside - 1) == 0:
            row, col = index // q.cols, index % q.cols
            below += row * row
            above += (last_row - row) * (last_row - row)
            right += col * col
            left += (last_col - col) * (last_col - col)
    upright: cython.longlong = below if below < above else above
    across: cython.longlong = right if right < left else left
    if across * last_row * last_row < upright * last_col * last_col:
        window.turn = TRANSPOSED + (COLS_REVERSED if left < right else 0)
        reset_question(q, window.width, window.height, window.kind)
    elif above < below:
        window.turn = ROWS_REVERSED


def _board_cell(window: Window, board: CoverBoard, index: int) -> int:
    """Return the cell of the board that corresponds to a cell of a window's question."""
    place = turned_cell(window.question.rows, window.question.cols, window.turn, index)
    return (window.top + place // window.width) * board.cols + window.left + place % window.width


def _turned_sides(window: Window, mask: int) -> int:
    """Turn a ``DirectionBit`` sum of the board as the window is turned."""
    up, left, right, down = mask & 1, mask >> 1 & 1, mask >> 2 & 1, mask >> 3
    if window.turn & TRANSPOSED:
        up, left, right, down = left, up, down, right
    if window.turn & (ROWS_REVERSED | COLS_REVERSED):
        up, down = down, up
    return up + 2 * left + 4 * right + 8 * down


def _copy_cover_part(window: Window, board: CoverBoard, q: Question, d: FoundDrawings) -> int:
    """Write the part of the cover inside a window as its question and as its first drawing.

    Returns:
        The number of different numbers; -1 if no edge lies in the window.
    """
    labels, edges = 0, 0
    d.count = 1
    for index in range(q.cells):
        cell = _board_cell(window, board, index)
        path, inside = board.path_of[cell], _sides_inside(q, _turned_sides(window, board.links[cell]), index)
        need = (inside & 1) + (inside >> 1 & 1) + (inside >> 2 & 1) + (inside >> 3 & 1)
        edges += need
        d.first[index] = inside
        q.need[index] = need if need > 0 and path >= 0 else -1
        q.label[index] = -1
        if q.need[index] == 1:
            if window.number[path] < 0:
                window.number[path] = labels
                labels += 1
            q.label[index] = window.number[path]
    return labels if edges > 0 else -1


def _sides_inside(q: Question, mask: int, index: int) -> int:
    """Remove from a ``DirectionBit`` sum the edges that leave the window."""
    for side in range(4):
        if neighbour(q.rows, q.cols, index, side) < 0:
            mask &= ~(1 << side)
    return mask
