"""Cells, edges and sides of a board lead to each other so, as the ``glossary`` numbers them."""

from linkpress.engine.kernels.glossary import Direction


def neighbour(rows: int, cols: int, cell: int, side: int) -> int:
    """Return the cell on one side of another, -1 beyond the border."""
    if side == Direction.UP:
        return cell - cols if cell >= cols else -1
    if side == Direction.LEFT:
        return cell - 1 if cell % cols > 0 else -1
    if side == Direction.RIGHT:
        return cell + 1 if cell % cols < cols - 1 else -1
    return cell + cols if cell < (rows - 1) * cols else -1


def step_to(cols: int, side: int) -> int:
    """Return how many places on the neighbour on a side lies."""
    if side == Direction.UP or side == Direction.LEFT:
        return -cols if side == Direction.UP else -1
    return cols if side == Direction.DOWN else 1


def side_edge(cols: int, cell: int, side: int) -> int:
    """Return the edge on one side of a cell; it may leave the board, and is below 0 before the first cell."""
    if side >= Direction.RIGHT:
        return 2 * cell + side - Direction.RIGHT
    return 2 * (cell - (cols if side == Direction.UP else 1)) + 1 - side


def larger_cell(cols: int, edge: int) -> int:
    """Return the larger cell of an edge; the smaller is ``edge >> 1``."""
    return (edge >> 1) + (cols if edge & 1 else 1)


def side_in_turn(turn: int) -> int:
    """Return the side of a cell at which the prover looks first, from 0, and so on: right, down, left, up."""
    return turn + Direction.RIGHT if turn < 2 else 3 - turn
