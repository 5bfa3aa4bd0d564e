"""Search a window of a board for a second drawing.

A cover divides a board into paths. A window is a rectangle of that board; the edges outside it stay as they
are in the cover. A path that leaves the window ends at the cell where it leaves, and that cell gets the
number of the path.

For LOWEST drawings the answer is exact: the drawings found are lowest among all drawings that leave the
outside as it is. For the other kinds, closed loops are excluded inside the window only. So a second filling
of a window may close a loop that runs outside the window. That can't happen when the window is the whole
board. The search also does not notice if a path touches its own cells outside the window.
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

# On boards with at least this many cells, windows are searched for LOWEST drawings by sweeps that alternate
# with decisions by activity. Puzzles made per second without and with these sweeps: 190 and 275 at 10 × 10
# with 8 pairs, 7.8 and 15.5 at 15 × 15 with 16 pairs, 1.5 and 2.3 at 20 × 20 with 28 pairs. Smaller boards
# keep the old order, because it decides which puzzle a seed makes.
_SWEPT_CELLS: int = 100
# In windows with more cells than this, the depth-first search may meet only 1/``_SCAN_SHARE`` of the usual
# contradictions. It settled nearly all windows up to this size. But it settled only one of 40 whole boards of
# 20 × 20, and took a seventh of the time there.
_FULLY_SCANNED_CELLS: int = 225
_SCAN_SHARE: int = 10


class Window(State):
    """A rectangle of a board, with the searches that look for a second drawing of it.

    Args:
        cells: the number of cells of the board.
        height, width: rows and columns of the largest window that will be searched.
        room: the size of the clause array for the largest search, in words.
    """

    top: int  # first row of the window on the board
    left: int  # first column of the window on the board
    height: int  # the number of rows of the window
    width: int  # the number of columns of the window
    kind: int  # the kind of drawings that count, a ``DrawingKind``

    # how many contradictions the depth-first search may meet before clause learning; 0 for no such search
    scanned: int
    turn: int  # how the window is rotated or reflected for the search, as for ``turned_cell``

    # for each path of the cover, its number in the window, counted from 0; -1 if it has none yet
    number: Ints = items("cells")
    # for each cell of the board, 1 if it has other edges in the second drawing, else 0
    differs: Bytes = items("cells")
    question: Question
    scan: Scan
    search: Search
    drawings: FoundDrawings

    def __init__(self, cells: int, height: int, width: int, room: int) -> None:
        make_fields(self, locals())
        self.height, self.width = height, width
        self.question, self.drawings = Question(height, width), FoundDrawings(height * width)
        # A window may be turned on its side, which exchanges its rows and columns.
        self.scan = Scan(min(height, width), max(height, width))
        # Each number needs at least one cell of the window, so there are never more numbers than cells.
        self.search = Search(height * width, width, height * width, room)


@for_python
def find_second_drawing(
    rows: int, cols: int, window: tuple, path_of: list, links: list, kind: int, budget: int
) -> tuple[int, int, list[int]]:
    """Search a window of a cover for a second drawing.

    Args:
        rows, cols: the size of the board.
        path_of: for each cell of the board, the number of its path, from 0; -1 for a solid. Some numbers may
            be unused.
        links: for each cell of the board, the ``DirectionBit`` sum of its used edges.
        window: a tuple: the first row, the first column, the number of rows and of columns.
        kind: the kind of drawings that count, a ``DrawingKind``.
        budget: how many conflicts the search may take.
    Returns:
        Three values: EXHAUSTED (there is none), FOUND or GAVE_UP; the number of conflicts; and for each cell
            of the board, 1 if it has other edges in the second drawing, else 0.
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
    """Search a window for a second drawing. In ``window.differs``, mark the cells whose edges differ in it.

    Returns:
        The outcome and the number of conflicts. The outcome is EXHAUSTED (there is no second drawing), FOUND
        or GAVE_UP.
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
    """Turn a window so that its search, which goes row by row, begins on the side with the most path ends.

    For each side, the squared distances of the path ends from it are added, relative to the window's size.
    The side with the smallest sum is chosen. 174 boards of 15 × 15 with 16 pairs take 1,810 conflicts on
    average unturned, 1,090 with this choice, and 640 from their best side. On turned windows, switching
    between the two search orders brings no gain.
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
    """Return the cell of the board that corresponds to a cell of the turned window."""
    place = turned_cell(window.question.rows, window.question.cols, window.turn, index)
    return (window.top + place // window.width) * board.cols + window.left + place % window.width


def _turned_sides(window: Window, mask: int) -> int:
    """Convert directions on the board to directions in the window, which may be rotated or reflected.

    The directions are given and returned as a ``DirectionBit`` sum.
    """
    up, left, right, down = mask & 1, mask >> 1 & 1, mask >> 2 & 1, mask >> 3
    if window.turn & TRANSPOSED:
        up, left, right, down = left, up, down, right
    if window.turn & (ROWS_REVERSED | COLS_REVERSED):
        up, down = down, up
    return up + 2 * left + 4 * right + 8 * down


def _copy_cover_part(window: Window, board: CoverBoard, q: Question, d: FoundDrawings) -> int:
    """Copy the part of a cover that lies inside the window to the search for a second drawing.

    Its cells become the board to search, and its edges the first drawing.

    Returns:
        How many different numbers there are in the window; -1 if no drawn edge lies inside it.
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
