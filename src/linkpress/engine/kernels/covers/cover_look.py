"""Figures of its paths and numbers say how a cover looks, and how far that is from the aims of a style.

Published boards differ from each other, and boards of chance do not; a style is a wish for one board. Each
figure counts in thousandths, and its distance from the aim in spreads, squared.
"""

from linkpress.engine.kernels import pure_python as cython
from linkpress.engine.kernels.covers.cover_board import CoverBoard, is_end
from linkpress.engine.kernels.glossary import LookFigure
from linkpress.engine.kernels.pure_python import Ints, State, items, make_fields

_THOUSAND: int = 1000
# More than the distances of any cover from its aims.
REFUSED = cython.declare(cython.longlong, 1_000_000_000_000)
# The square of one spread.
_UNIT: int = 1_000
# Links of a square that a path crosses straight on: up and down, left and right.
_UPRIGHT: int = 9
_LEVEL: int = 6


class Look(State):
    """A look has the aims that a cover shall meet, and the figures of the cover that was measured.

    Args:
        aims: for each ``LookFigure`` the aim, the spread, and the most that is allowed; a spread of 0 says
            that it does not count.
    """

    aim: Ints = items("LookFigure.FIGURES")  # by figure
    spread: Ints = items("LookFigure.FIGURES")  # by figure
    most: Ints = items("LookFigure.FIGURES")  # by figure
    figure: Ints = items("LookFigure.FIGURES")  # by figure: what ``look_at`` measured
    turns: Ints = items("cells")  # by path: its bends

    def __init__(self, cells: int, aims: list) -> None:
        make_fields(self, locals())
        for index in range(len(aims)):
            self.aim[index], self.spread[index], self.most[index] = aims[index]


def look_at(look: Look, board: CoverBoard) -> cython.longlong:
    """Measure a cover that meets its recipe, and return the sum of its squared distances from the aims.

    The sum is ``REFUSED`` or more where a figure is greater than allowed, and the more so the greater it is.
    """
    for index in range(LookFigure.FIGURES):
        look.figure[index] = 0
    _look_at_squares(look, board)
    _look_at_paths(look, board)
    _look_at_ends(look, board)
    _look_at_copies(look, board)
    total: cython.longlong = 0
    for index in range(LookFigure.FIGURES):
        if look.spread[index] > 0:
            off: cython.longlong = look.figure[index] - look.aim[index]
            off = off * _UNIT // look.spread[index] if off > 0 else -off * _UNIT // look.spread[index]
            total += off * off
        if look.figure[index] > look.most[index]:
            total += REFUSED * (look.figure[index] - look.most[index])
    return total


def _look_at_squares(look: Look, board: CoverBoard) -> None:
    """Count bends, by path and in all, and nests: bends in each other's corner."""
    for path in range(board.path_count):
        look.turns[path] = 0
    bends, nests = 0, 0
    for cell in range(board.cells):
        if _is_bend(board, cell):
            bends += 1
            look.turns[board.path_of[cell]] += 1
            inner = _behind_bend(board, cell)
            nests += 0 if inner >= 0 and board.links[inner] == board.links[cell] else 1
    free = board.cells - board.solid_count
    look.figure[LookFigure.BENDS] = _THOUSAND * bends // free
    look.figure[LookFigure.NESTS] = _THOUSAND * bends // max(1, nests)


def _is_bend(board: CoverBoard, cell: int) -> bool:
    bits = board.links[cell]
    return bits & (bits - 1) != 0 and bits != _UPRIGHT and bits != _LEVEL


def _behind_bend(board: CoverBoard, cell: int) -> int:
    """Return the square diagonally behind a bend, on its outer side; -1 beyond the border."""
    down: int = -1 if board.links[cell] & 8 else 1
    right: int = -1 if board.links[cell] & 4 else 1
    row, col = cell // board.cols + down, cell % board.cols + right
    return row * board.cols + col if 0 <= row < board.rows and 0 <= col < board.cols else -1


def _look_at_paths(look: Look, board: CoverBoard) -> None:
    count, few, direct, straight, apart = board.path_count, 0, 0, 0, 0
    shortest, longest = board.cells, 0
    for path in range(count):
        one, other, length = board.ends[2 * path], board.ends[2 * path + 1], board.length[path]
        away: int = abs(one // board.cols - other // board.cols) + abs(one % board.cols - other % board.cols)
        few += 1 if look.turns[path] <= 1 else 0
        direct += 1 if away == length - 1 else 0
        straight += _THOUSAND * away // max(1, length - 1)
        apart += away
        shortest, longest = min(shortest, length), max(longest, length)
    count = max(1, count)
    look.figure[LookFigure.FEW_TURNS] = _THOUSAND * few // count
    look.figure[LookFigure.DIRECT] = _THOUSAND * direct // count
    look.figure[LookFigure.STRAIGHTNESS] = straight // count
    look.figure[LookFigure.APART] = _THOUSAND * apart // count
    look.figure[LookFigure.SHORTEST] = _THOUSAND * shortest * count // board.cells
    look.figure[LookFigure.LONGEST] = _THOUSAND * longest * count // board.cells


def _look_at_ends(look: Look, board: CoverBoard) -> None:
    rows, cols, ends = board.rows, board.cols, max(1, 2 * board.path_count)
    second, beside, diagonal, knight, filled = 0, 0, 0, 0, 0
    quarters0, quarters1, quarters2, quarters3 = 0, 0, 0, 0
    for row in range(rows):
        in_row = 0
        for col in range(cols):
            if not is_end(board, row * cols + col):
                continue
            in_row = 1
            second += 1 if min(min(row, col), min(rows - 1 - row, cols - 1 - col)) == 1 else 0
            beside += _end_at(board, row + 1, col) + _end_at(board, row, col + 1)
            diagonal += _end_at(board, row + 1, col + 1) + _end_at(board, row + 1, col - 1)
            knight += _end_at(board, row + 1, col + 2) + _end_at(board, row + 1, col - 2)
            knight += _end_at(board, row + 2, col + 1) + _end_at(board, row + 2, col - 1)
            if 2 * row < rows:
                quarters0 += 1 if 2 * col < cols else 0
                quarters1 += 0 if 2 * col < cols else 1
            else:
                quarters2 += 1 if 2 * col < cols else 0
                quarters3 += 0 if 2 * col < cols else 1
        filled += in_row
    for col in range(cols):
        for row in range(rows):
            if is_end(board, row * cols + col):
                filled += 1
                break
    uneven: int = abs(4 * quarters0 - ends) + abs(4 * quarters1 - ends)
    uneven += abs(4 * quarters2 - ends) + abs(4 * quarters3 - ends)
    edge, ring = 2 * (rows + cols) - 4, max(1, 2 * (rows + cols) - 12)
    look.figure[LookFigure.BORDER] = _THOUSAND * board.border_ends // ends * board.cells // edge
    look.figure[LookFigure.SECOND_RING] = _THOUSAND * second // ends * board.cells // ring
    look.figure[LookFigure.BESIDE] = _THOUSAND * beside // ends
    look.figure[LookFigure.DIAGONAL] = _THOUSAND * diagonal // ends
    look.figure[LookFigure.KNIGHT] = _THOUSAND * knight // ends
    look.figure[LookFigure.UNEVEN] = _THOUSAND * uneven // (4 * ends)
    look.figure[LookFigure.EMPTY_LINES] = _THOUSAND * (rows + cols - filled) // (rows + cols)


def _end_at(board: CoverBoard, row: int, col: int) -> int:
    if row >= board.rows or col < 0 or col >= board.cols:
        return 0
    return 1 if is_end(board, row * board.cols + col) else 0


def _look_at_copies(look: Look, board: CoverBoard) -> None:
    """Measure how much of the answer the numbers' symmetry, or else a half turn, maps onto the answer."""
    steps, copied, pairs = 0, 0, 0
    for cell in range(board.cells):
        for toward in range(2, 4):
            if board.links[cell] >> toward & 1:
                steps += 1
                there, beyond = _twin_of(board, cell), _twin_of(board, board.beside[4 * cell + toward])
                for side in range(4):
                    if board.links[there] >> side & 1 and board.beside[4 * there + side] == beyond:
                        copied += 1
    for path in range(board.path_count):
        one, other = _twin_of(board, board.ends[2 * path]), _twin_of(board, board.ends[2 * path + 1])
        both: bool = is_end(board, one) and is_end(board, other)
        pairs += 1 if both and board.path_of[one] == board.path_of[other] else 0
    look.figure[LookFigure.COPIED_LINES] = _THOUSAND * copied // max(1, steps)
    look.figure[LookFigure.COPIED_PAIRS] = _THOUSAND * pairs // max(1, board.path_count)


def _twin_of(board: CoverBoard, cell: int) -> int:
    return board.twin[cell] if board.twinned else board.cells - 1 - cell
