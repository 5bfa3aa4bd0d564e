"""A window is a part of a cover's board, and may have a second drawing.

Everything outside the window stays as the cover has it; a path that leaves the window is held to its number
at the square where it leaves.

For LOWEST a window without a second drawing is exact: the lowest drawings found here are
lowest among those that keep the outside. For the others loops are excluded inside the window only,
so a second filling of a window may close a loop that runs outside it; of the whole board it can't. Nor is it
seen there whether a path touches squares of its own outside the window.
"""

from linkpress.engine.kernels import pure_python as cython
from linkpress.engine.kernels.covers.cover_board import CoverBoard
from linkpress.engine.kernels.glossary import DrawingKind, SearchOutcome
from linkpress.engine.kernels.grid import neighbour
from linkpress.engine.kernels.prover.clauses import Question, reset_question
from linkpress.engine.kernels.prover.drawings import (
    CONTRADICTIONS,
    FoundDrawings,
    pose_search,
    room_for,
    scan_two,
    search_on,
)
from linkpress.engine.kernels.prover.hunt import COLS_REVERSED, ROWS_REVERSED, TRANSPOSED, turned_cell
from linkpress.engine.kernels.prover.scan import Scan
from linkpress.engine.kernels.prover.search import Search, reset_search
from linkpress.engine.kernels.pure_python import Bytes, Ints, State, for_python, items, make_fields

# Cells of a board from which on the strict questions about it are swept, by turns. Puzzles a second before
# and since: 10 × 10 with 8 pairs 190 and 275, 12 × 12 with 10 27 and 47, 15 × 15 with 16 7.8 and 15.5,
# 20 × 20 with 28 1.5 and 2.3. Smaller boards keep their order: it decides which puzzle a seed makes.
_SWEPT: int = 100
# A scan settled one of 40 questions about whole boards of 20 × 20 and took a seventh of their time; windows
# of up to so many cells it settles nearly all. Larger ones are scanned for a tenth as long.
_SCANNED_WHOLE: int = 225
_SCAN_SHARE: int = 10


class Window(State):
    """A window is a rectangle of a board of so many cells, with what answers the question about it.

    ``height``, ``width`` and ``room`` are those of the largest one that it becomes.
    """

    top: int  # its first row
    left: int  # its first column
    height: int  # its rows
    width: int  # its columns
    kind: int  # which drawings of it count: a ``DrawingKind``
    scanned: int  # contradictions that a scan may meet before the search that learns is asked; 0: no scan
    turn: int  # how the question is turned to lie as the window does: see ``turned_cell``
    number: Ints = items("cells")  # by path: its number in the question, if an end is in the window; else -1
    differs: Bytes = items("cells")  # by cell of the board: 1 where the second drawing has other edges
    question: Question  # what is asked
    scan: Scan  # what answers first, where windows are scanned
    search: Search  # what answers then
    drawings: FoundDrawings  # the answer

    def __init__(self, cells: int, height: int, width: int, room: int) -> None:
        make_fields(self, locals())
        self.height, self.width = height, width
        self.question, self.drawings = Question(height, width), FoundDrawings(height * width)
        # A window may be looked at from the side.
        self.scan = Scan(min(height, width), max(height, width))
        # Its numbers are those of the paths that end in it or leave it: no more than it has cells.
        self.search = Search(height * width, width, height * width, room)


@for_python
def find_second_drawing(
    rows: int, cols: int, window: tuple, path_of: list, links: list, kind: int, budget: int
) -> tuple[int, int, list[int]]:
    """Search a window for a drawing other than the cover's.

    Args:
        window: first row, first column, rows, columns.
        path_of: by cell, the number of its path, from 0 without gaps or not; -1 on a solid.
        links: by cell, its ``DirectionBit`` sum, for its used edges.
        kind: which drawings count: a ``DrawingKind``.
    Returns:
        EXHAUSTED (there is none), FOUND or GAVE_UP; conflicts spent; by cell, 1 where the second
        drawing has other edges.
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
    """Look for a second drawing and mark where it differs; ``differs`` stays as it is where nothing does.

    Returns:
        EXHAUSTED (there is none), FOUND or GAVE_UP; conflicts spent.
    """
    return _search_window(window, board, window.question, window.scan, window.search, window.drawings, budget)


def _search_window(
    window: Window, board: CoverBoard, q: Question, scan: Scan, s: Search, d: FoundDrawings, budget: int
) -> tuple[int, int]:
    swept: bool = window.kind == DrawingKind.LOWEST and board.cells >= _SWEPT
    window.turn = 0
    reset_question(q, window.height, window.width, window.kind)
    if window.scanned > 0:
        _turn(window, board, q)
    q.dead_corners, q.joins = swept, swept and window.scanned > 0
    _forget_numbers(window, board)
    labels = _cut_out(window, board, q, d)
    if labels < 0:
        return SearchOutcome.EXHAUSTED, 0
    outcome: int = SearchOutcome.GAVE_UP
    spent, more = 0, 0
    if window.scanned > 0:
        most = window.scanned // (_SCAN_SHARE if q.cells > _SCANNED_WHOLE else 1)
        outcome, spent = scan_two(scan, q, d, min(most, CONTRADICTIONS * budget))
    if outcome == SearchOutcome.GAVE_UP:
        reset_search(s, q.cells, q.cols, labels, room_for(q.cells, budget))
        s.sweeps = swept
        s.turns = swept and window.scanned == 0
        pose_search(s, q, d)
        outcome, more = search_on(s, q, d, budget - spent)
    if d.count == 2:
        for index in range(q.cells):
            if d.first[index] != d.second[index]:
                window.differs[_cell_at(window, board, index)] = 1
    return outcome, spent + more


def _turn(window: Window, board: CoverBoard, q: Question) -> None:
    """Look at a window from the side where the ends are, from which a search row by row is over sooner.

    It is the side from which the squares of the ends' distances, in parts of the window, have the least sum.
    Swept from any side, 174 boards of 15 × 15 with 16 pairs take 1,810 conflicts on average, from the best
    one 640, and from this one 1,090; 36 boards of 12 × 12 with 10 pairs take 500, 220 and 270. Turns in both
    orders, as ``learning`` takes them, are worth nothing then: 1,850 conflicts where a sweep takes 1,100.
    """
    below, above, right, left = 0, 0, 0, 0
    last_row, last_col = q.rows - 1, q.cols - 1
    for index in range(q.cells):
        inside = _inside(q, board.links[_cell_at(window, board, index)], index)
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


def _cell_at(window: Window, board: CoverBoard, index: int) -> int:
    """Return the board's cell at a place in the question."""
    place = turned_cell(window.question.rows, window.question.cols, window.turn, index)
    return (window.top + place // window.width) * board.cols + window.left + place % window.width


def _turned(window: Window, mask: int) -> int:
    """Return directions of the board, as bits, as the question has them."""
    up, left, right, down = mask & 1, mask >> 1 & 1, mask >> 2 & 1, mask >> 3
    if window.turn & TRANSPOSED:
        up, left, right, down = left, up, down, right
    if window.turn & (ROWS_REVERSED | COLS_REVERSED):
        up, down = down, up
    return up + 2 * left + 4 * right + 8 * down


def _forget_numbers(window: Window, board: CoverBoard) -> None:
    for index in range(window.height * window.width):
        path = board.path_of[_cell_at(window, board, index)]
        if path >= 0:
            window.number[path] = -1


def _cut_out(window: Window, board: CoverBoard, q: Question, d: FoundDrawings) -> int:
    """Write the window's part of the cover into the question and as the first drawing.

    Returns:
        How many numbers there are; -1 when no edge lies in the window.
    """
    labels, edges = 0, 0
    d.count = 1
    for index in range(q.cells):
        cell = _cell_at(window, board, index)
        path, inside = board.path_of[cell], _inside(q, _turned(window, board.links[cell]), index)
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


def _inside(q: Question, mask: int, index: int) -> int:
    """Return a square's used edges that stay inside the window."""
    for side in range(4):
        if neighbour(q.rows, q.cols, index, side) < 0:
            mask &= ~(1 << side)
    return mask
