"""Measure the style of a path cover (a board divided into paths), and how far it is from its style targets.

Boards by human authors differ in style, but random boards are all alike. So each board to be made gets style
targets. For each figure, such as the share of straight paths, there is a target value and a spread, both in
thousandths. The distance of a figure from its target is divided by the spread, and squared. The sum of these
squares is the style penalty.
"""

from linkpress.engine.kernels import pure_python as cython
from linkpress.engine.kernels.covers.cover_board import CoverBoard, is_end
from linkpress.engine.kernels.glossary import Direction, StyleFigure
from linkpress.engine.kernels.grid import step_to
from linkpress.engine.kernels.pure_python import Bytes, Ints, State, items, make_fields

_THOUSAND: int = 1000
# Penalty for each thousandth by which a style figure exceeds its maximum. A style figure measures one
# property of a board. The penalty is so large that every path cover (a board divided into paths) whose
# figures all stay within their maxima has a smaller penalty.
REFUSED = cython.declare(cython.longlong, 1_000_000_000_000)
# Measuring stops once the penalty is larger than the caller accepts. With this limit, it never stops early,
# so all style figures are measured.
NO_MOST = cython.declare(cython.longlong, 1 << 62)
# Each style figure measures one property of a board, and has a target value and a spread. A distance between
# a figure and its target is stored in thousandths of the spread, so a distance of exactly one spread is
# stored as this number.
_SPREAD_UNIT: int = 1_000
# In ``CoverBoard.links``, each cell has a number from 0 to 15: the sum of the bits of its drawn edges. Bit n
# of ``_BENDS`` is set if a path bends in a cell with the sum n.
_BENDS: int = 0b1010000101000


class StyleTargets(State):
    """The style that a path cover should have, and the style figures of the cover that was measured last.

    A path cover is a board divided into paths. Each style figure measures one property of it.

    Args:
        targets: for each ``StyleFigure``, three values: its target value, its spread and its maximum. The
            spread is the unit in which the distance of the figure from its target is measured. A figure with
            spread 0 has no target, only a maximum.
    """

    target: Ints = items("StyleFigure.FIGURES")  # by figure
    spread: Ints = items("StyleFigure.FIGURES")  # by figure
    maximum: Ints = items("StyleFigure.FIGURES")  # by figure

    # for each ``StyleFigure``, its value in thousandths for the path cover (a board divided into paths) that
    # was measured last
    figure: Ints = items("StyleFigure.FIGURES")
    bends: Ints = items("cells")  # for each path, how many bends it has

    # for each row and then for each column, 1 if it has a path end, else 0
    filled: Bytes = items("2 * cells")

    def __init__(self, cells: int, targets: list) -> None:
        make_fields(self, locals())
        for index in range(len(targets)):
            self.target[index], self.spread[index], self.maximum[index] = targets[index]


def measure_style(style: StyleTargets, board: CoverBoard, most: cython.longlong) -> cython.longlong:
    """Measure the style figures of a path cover, and return its style penalty.

    A path cover is a board divided into paths. Each style figure measures one property of it, and has a
    target. The penalty says how far the figures are from their targets.

    Args:
        most: the penalty above which the exact penalty does not matter. Once the penalty is above it, the
            remaining figures are not measured.
    Returns:
        The sum of the squared distances of the figures from their targets. If a figure exceeds its maximum,
        the penalty is at least ``REFUSED`` and grows with the excess. If the penalty is above ``most``, any
        number above ``most`` may be returned.
    """
    _measure_symmetry(style, board)
    penalty: cython.longlong = _penalty(style, StyleFigure.COPIED_LINES, StyleFigure.FIGURES)
    if penalty <= most:
        _measure_cells(style, board)
        _measure_paths(style, board)
        _measure_ends(style, board)
        penalty += _penalty(style, 0, StyleFigure.COPIED_LINES)
    return penalty


def _penalty(style: StyleTargets, first: int, end: int) -> cython.longlong:
    """Return the part of the style penalty to which some of the style figures contribute.

    Each style figure measures one property of a board. The penalty says how far the figures are from their
    targets.

    Args:
        first, end: the ``StyleFigure`` with which to begin, and the one before which to stop.
    """
    penalty: cython.longlong = 0
    for index in range(first, end):
        if style.spread[index] > 0:
            off: cython.longlong = style.figure[index] - style.target[index]
            if off < 0:
                off = -off
            off = off * _SPREAD_UNIT // style.spread[index]
            penalty += off * off
        if style.figure[index] > style.maximum[index]:
            penalty += REFUSED * (style.figure[index] - style.maximum[index])
    return penalty


def _measure_cells(style: StyleTargets, board: CoverBoard) -> None:
    """Count the bends of each path, and measure how long the diagonal rows of bends are.

    Bends with edges in the same two directions can lie inside one another, like nested corners. Their cells
    form a diagonal row. The figure NESTS is the mean number of bends in a row.
    """
    for path in range(board.path_count):
        style.bends[path] = 0
    bends, outermost = 0, 0
    for cell in range(board.cells):
        if _BENDS >> board.links[cell] & 1:
            bends += 1
            style.bends[board.path_of[cell]] += 1
            outer = _outer_diagonal(board, cell)
            outermost += 0 if outer >= 0 and board.links[outer] == board.links[cell] else 1
    free = board.cells - board.solid_count
    style.figure[StyleFigure.BENDS] = _THOUSAND * bends // free
    style.figure[StyleFigure.NESTS] = _THOUSAND * bends // max(1, outermost)


def _outer_diagonal(board: CoverBoard, cell: int) -> int:
    """Return the cell diagonally outside a bend of a path; -1 if it would lie beyond the border."""
    down: int = -1 if board.links[cell] & 8 else 1
    right: int = -1 if board.links[cell] & 4 else 1
    row, col = cell // board.cols + down, cell % board.cols + right
    return row * board.cols + col if 0 <= row < board.rows and 0 <= col < board.cols else -1


def _measure_paths(style: StyleTargets, board: CoverBoard) -> None:
    """Measure how straight the paths are, how far apart their ends are, and how much their lengths differ."""
    count, few, direct, straight, apart = board.path_count, 0, 0, 0, 0
    shortest, longest = board.cells, 0
    for path in range(count):
        one, other, length = board.ends[2 * path], board.ends[2 * path + 1], board.length[path]
        away: int = abs(one // board.cols - other // board.cols) + abs(one % board.cols - other % board.cols)
        few += 1 if style.bends[path] <= 1 else 0
        direct += 1 if away == length - 1 else 0
        straight += _THOUSAND * away // max(1, length - 1)
        apart += away
        shortest, longest = min(shortest, length), max(longest, length)
    count = max(1, count)
    style.figure[StyleFigure.FEW_TURNS] = _THOUSAND * few // count
    style.figure[StyleFigure.DIRECT] = _THOUSAND * direct // count
    style.figure[StyleFigure.STRAIGHTNESS] = straight // count
    style.figure[StyleFigure.APART] = _THOUSAND * apart // count
    style.figure[StyleFigure.SHORTEST] = _THOUSAND * shortest * count // board.cells
    style.figure[StyleFigure.LONGEST] = _THOUSAND * longest * count // board.cells


def _measure_ends(style: StyleTargets, board: CoverBoard) -> None:
    """Measure where the numbers lie.

    The figures say how many numbers lie on the border or close together, how evenly the numbers are spread
    over the quarters of the board, and how many rows and columns have none.
    """
    rows, cols, ends = board.rows, board.cols, max(1, 2 * board.path_count)
    border, second, beside, diagonal, knight, filled = 0, 0, 0, 0, 0, 0
    upper_left, upper_right, lower_left, lower_right = 0, 0, 0, 0
    for line in range(rows + cols):
        style.filled[line] = 0
    for index in range(2 * board.path_count):
        end = board.ends[index]
        if index & 1 and end == board.ends[index - 1]:
            continue
        row, col = end // cols, end % cols
        filled += 2 - style.filled[row] - style.filled[rows + col]
        style.filled[row] = style.filled[rows + col] = 1
        ring: int = min(min(row, col), min(rows - 1 - row, cols - 1 - col))
        border += 1 if ring == 0 else 0
        second += 1 if ring == 1 else 0
        beside += _end_at(board, row + 1, col) + _end_at(board, row, col + 1)
        diagonal += _end_at(board, row + 1, col + 1) + _end_at(board, row + 1, col - 1)
        knight += _end_at(board, row + 1, col + 2) + _end_at(board, row + 1, col - 2)
        knight += _end_at(board, row + 2, col + 1) + _end_at(board, row + 2, col - 1)
        if 2 * row < rows:
            upper_left += 1 if 2 * col < cols else 0
            upper_right += 0 if 2 * col < cols else 1
        else:
            lower_left += 1 if 2 * col < cols else 0
            lower_right += 0 if 2 * col < cols else 1
    uneven: int = abs(4 * upper_left - ends) + abs(4 * upper_right - ends)
    uneven += abs(4 * lower_left - ends) + abs(4 * lower_right - ends)
    edge, second_edge = 2 * (rows + cols) - 4, max(1, 2 * (rows + cols) - 12)
    style.figure[StyleFigure.BORDER] = _THOUSAND * border // ends * board.cells // edge
    style.figure[StyleFigure.SECOND_RING] = _THOUSAND * second // ends * board.cells // second_edge
    style.figure[StyleFigure.BESIDE] = _THOUSAND * beside // ends
    style.figure[StyleFigure.DIAGONAL] = _THOUSAND * diagonal // ends
    style.figure[StyleFigure.KNIGHT] = _THOUSAND * knight // ends
    style.figure[StyleFigure.UNEVEN] = _THOUSAND * uneven // (4 * ends)
    style.figure[StyleFigure.EMPTY_LINES] = _THOUSAND * (rows + cols - filled) // (rows + cols)


def _end_at(board: CoverBoard, row: int, col: int) -> int:
    """Return 1 if a path ends in the given row and column; 0 if none does, or if there is no such cell."""
    if row >= board.rows or col < 0 or col >= board.cols:
        return 0
    return 1 if is_end(board, row * board.cols + col) else 0


def _measure_symmetry(style: StyleTargets, board: CoverBoard) -> None:
    """Measure how symmetric the solution is.

    If the numbers of the board must be placed symmetrically under a half turn or a reflection, the symmetry
    of the solution under the same operation is measured. On all other boards, the symmetry under a half turn
    is measured.

    Two shares are measured, in thousandths: the share of path steps that the symmetry maps onto path steps,
    and the share of paths whose two ends the symmetry maps onto the two ends of one path.
    """
    steps, copied, pairs, rightward, downward = 0, 0, 0, 0, 0
    first = _image_of(board, 0)
    for side in range(4):
        step = step_to(board.cols, side)
        rightward = side if _image_of(board, 1) - first == step else rightward
        downward = side if _image_of(board, board.cols) - first == step else downward
    for cell in range(board.cells):
        links, image_links = board.links[cell], board.links[_image_of(board, cell)]
        right, down = links >> Direction.RIGHT & 1, links >> Direction.DOWN & 1
        steps += right + down
        copied += (right & image_links >> rightward) + (down & image_links >> downward)
    for path in range(board.path_count):
        one, other = _image_of(board, board.ends[2 * path]), _image_of(board, board.ends[2 * path + 1])
        both: bool = is_end(board, one) and is_end(board, other)
        pairs += 1 if both and board.path_of[one] == board.path_of[other] else 0
    style.figure[StyleFigure.COPIED_LINES] = _THOUSAND * copied // max(1, steps)
    style.figure[StyleFigure.COPIED_PAIRS] = _THOUSAND * pairs // max(1, board.path_count)


def _image_of(board: CoverBoard, cell: int) -> int:
    return board.mirror[cell] if board.symmetric and not board.fourfold else board.cells - 1 - cell
