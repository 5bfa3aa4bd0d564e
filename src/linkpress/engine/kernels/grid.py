"""Geometry of a board: how cells, edges and sides relate to each other, and how a board can be turned."""

from linkpress.engine.kernels.glossary import Direction
from linkpress.engine.kernels.pure_python import Bytes, for_python

# A rotation or reflection of a board is the sum of some of these flags. Each flag stands for one change. The
# changes of the flags that are set are made in this order:
# 1. TRANSPOSED exchanges rows and columns.
# 2. ROWS_REVERSED reverses the order of the rows.
# 3. COLS_REVERSED reverses the order of the columns.
TRANSPOSED: int = 1
ROWS_REVERSED: int = 2
COLS_REVERSED: int = 4


def neighbour(rows: int, cols: int, cell: int, side: int) -> int:
    """Return the neighbour of a cell on one side; -1 beyond the border."""
    if side == Direction.UP:
        return cell - cols if cell >= cols else -1
    if side == Direction.LEFT:
        return cell - 1 if cell % cols > 0 else -1
    if side == Direction.RIGHT:
        return cell + 1 if cell % cols < cols - 1 else -1
    return cell + cols if cell < (rows - 1) * cols else -1


def step_to(cols: int, side: int) -> int:
    """Return the number to add to a cell's index to get the index of its neighbour on one side."""
    if side == Direction.UP or side == Direction.LEFT:
        return -cols if side == Direction.UP else -1
    return cols if side == Direction.DOWN else 1


def side_edge(cols: int, cell: int, side: int) -> int:
    """Return the number of the edge on one side of a cell.

    The edge may lead off the board. Above the first row, and to the left of the first cell, its number is
    negative. To the left of the first cell of any other row, it is the number of the edge to the right of the
    last cell of the row above.
    """
    if side >= Direction.RIGHT:
        return 2 * cell + side - Direction.RIGHT
    return 2 * (cell - (cols if side == Direction.UP else 1)) + 1 - side


def larger_cell(cols: int, edge: int) -> int:
    return (edge >> 1) + (cols if edge & 1 else 1)


def side_in_turn(turn: int) -> int:
    return turn + Direction.RIGHT if turn < 2 else 3 - turn


def turned_cell(rows: int, cols: int, turn: int, cell: int) -> int:
    """Return the index of a cell after the board is rotated or reflected.

    Args:
        rows, cols: the size of the board before it is turned.
        turn: a sum of TRANSPOSED, ROWS_REVERSED and COLS_REVERSED, from 0 to 7.
    """
    return turned_square(rows, cols, turn, cell // cols, cell % cols)


def turned_square(rows: int, cols: int, turn: int, row: int, col: int) -> int:
    """Return the index that the cell in a row and column has after the board is rotated or reflected.

    Args:
        rows, cols: the size of the board before it is turned.
        turn: a sum of TRANSPOSED, ROWS_REVERSED and COLS_REVERSED, from 0 to 7.
    """
    if turn & TRANSPOSED:
        row, col = col, row
        rows, cols = cols, rows
    if turn & ROWS_REVERSED:
        row = rows - 1 - row
    if turn & COLS_REVERSED:
        col = cols - 1 - col
    return row * cols + col


@for_python
def overlaps(masks: bytes, others: bytes, size: int) -> list[float]:
    """For each mask in ``others``, return how much it overlaps with the most similar mask in ``masks``.

    Args:
        masks: the bit masks, one after the other. All have the same number of bits set.
        others: the other bit masks, one after the other. Each has at least one bit set.
        size: the number of bytes of a mask.
    Returns:
        For each mask in ``others``, a share from 0 to 1. To compute it, the bits that the mask has in common
        with each mask in ``masks`` are counted, and the largest count is taken. This count is divided by the
        number of bits that are set in the mask, or by the number of bits that are set in each mask in
        ``masks`` if that is smaller.
    """
    # The arguments are Python objects. Declared as ``Bytes`` they become C arrays when compiled, so the loop
    # below reads their bytes without calling Python.
    own: Bytes = masks
    their: Bytes = others
    shares, begin, end = [], 0, len(masks)
    own_bits = bits_in_common(own, 0, own, 0, size)
    for _ in range(len(others) // size):
        most = start = 0
        while start < end:
            common = bits_in_common(own, start, their, begin, size)
            most = common if common > most else most
            start += size
        bits = bits_in_common(their, begin, their, begin, size)
        shares.append(float(most) / (bits if bits < own_bits else own_bits))
        begin += size
    return shares


def bits_in_common(masks: Bytes, start: int, others: Bytes, begin: int, size: int) -> int:
    """Count the bits that are set in both of two bit masks of ``size`` bytes.

    Args:
        masks, start: an array, and the index in it at which the first mask begins.
        others, begin: an array, and the index in it at which the second mask begins.
    """
    common = 0
    for index in range(size):
        # Count the bits that are set in a byte: first in each pair of bits, then in each half of the byte.
        both = masks[start + index] & others[begin + index] & 0xFF
        both -= both >> 1 & 0x55
        both = (both & 0x33) + (both >> 2 & 0x33)
        common += (both & 0x0F) + (both >> 4)
    return common
