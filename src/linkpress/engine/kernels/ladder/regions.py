"""Lines can still lead within the components of a board, and not across its walls."""

from linkpress.engine.kernels.glossary import EdgeState
from linkpress.engine.kernels.grid import side_edge
from linkpress.engine.kernels.ladder.ladder_board import LadderBoard
from linkpress.engine.kernels.pure_python import Bytes, Ints

EAST: int = 0
SOUTH: int = 1
WEST: int = 2
NORTH: int = 3


def join_components(board: LadderBoard, along_lines: bool, component: Ints, stack: Ints) -> None:
    """Write at each cell the first cell of its component, at a full cell that cell itself.

    Args:
        along_lines: whether fragments join the cells at their ends, as open edges do.
        component: by cell, to be filled.
        stack: room for all cells.
    """
    for cell in range(board.cells):
        component[cell] = -1 if board.need[cell] > 0 else cell
    for start in range(board.cells):
        if component[start] >= 0:
            continue
        component[start], stack[0], count = start, start, 1
        while count > 0:
            count -= 1
            cell = stack[count]
            for side in range(5 if along_lines else 4):
                to = board.mate[cell] if side == 4 else board.around[4 * cell + side]
                if to < 0 or component[to] >= 0:
                    continue
                if side == 4 or board.edge[side_edge(board.cols, cell, side)] == EdgeState.OPEN:
                    component[to], stack[count] = start, to
                    count += 1


def build_walls(board: LadderBoard, passable: Bytes, walls: Bytes) -> None:
    """Write at each corner of a square the walls that leave it, the sum of 1 << heading.

    Walls are the border, edges that are ruled out, and the lines beside those that are drawn.

    Args:
        passable: by fragment's name, not 0 where its drawn edges are no walls.
        walls: by corner, row × (cols + 1) + col, to be filled.
    """
    rows, cols, across = board.rows, board.cols, board.cols + 1
    for corner in range((rows + 1) * across):
        walls[corner] = 0
    for row in range(rows + 1):
        for col in range(cols + 1):
            corner = row * across + col
            cell = row * cols + col
            if col < cols and (row in (0, rows) or _is_wall(board, passable, 2 * (cell - cols) + 1)):
                walls[corner] |= 1 << EAST
                walls[corner + 1] |= 1 << WEST
            if row < rows and (col in (0, cols) or _is_wall(board, passable, 2 * (cell - 1))):
                walls[corner] |= 1 << SOUTH
                walls[corner + across] |= 1 << NORTH


def _is_wall(board: LadderBoard, passable: Bytes, edge: int) -> bool:
    """Tell whether no line can still cross from one cell of an edge to the other."""
    if board.edge[edge] != EdgeState.DRAWN:
        return board.edge[edge] != EdgeState.OPEN
    return passable[board.line[edge >> 1]] == 0
