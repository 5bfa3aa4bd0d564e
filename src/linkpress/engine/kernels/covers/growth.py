"""Paths grow on an empty board as in the article.

Choose a free square that has a free neighbour: there a path starts. From its newer end take, at random, a
free neighbour that touches the path at that end alone; when there is none the path is finished. When no two
free squares are neighbours any more, those left over are solid. The article unites the squares of a path to
sets in order to see whether a square touches it; here each square has the number of its path.
"""

from linkpress.engine.kernels import pure_python as cython
from linkpress.engine.kernels.covers.cover_board import (
    NO_WAY,
    CoverBoard,
    count_beside,
    lay_nothing,
    lay_single,
    list_paths,
)
from linkpress.engine.kernels.covers.dice import Dice, below
from linkpress.engine.kernels.pure_python import for_python


@for_python
def grow_paths(rows: int, cols: int, dice: Dice) -> list[list[int]]:
    """Cut an empty board into paths of two or more squares, in order; squares on none of them are solid."""
    board = CoverBoard(rows, cols)
    with cython.nogil:
        _grow_all(board, dice)
    return list_paths(board)


def _grow_all(board: CoverBoard, dice: Dice) -> None:
    """Grow paths until no two free squares are neighbours."""
    lay_nothing(board)
    start = _choose_start(board, dice)
    while start >= 0:
        _grow_from(board, dice, start)
        start = _choose_start(board, dice)


def _choose_start(board: CoverBoard, dice: Dice) -> int:
    """Choose a free square with a free neighbour; -1 when there is none."""
    count = 0
    for cell in range(board.cells):
        if board.path_of[cell] < 0 and count_beside(board, cell, -1) > 0:
            board.piece[count] = cell
            count += 1
    return board.piece[below(dice, count)] if count > 0 else -1


def _grow_from(board: CoverBoard, dice: Dice, start: int) -> None:
    lay_single(board, start)
    path, end = board.path_of[start], start
    step = _choose_step(board, dice, end)
    while step != NO_WAY:
        board.links[end] |= 1 << step
        end = board.beside[4 * end + step]
        board.links[end] = 1 << (3 - step)
        board.path_of[end] = path
        board.length[path] += 1
        step = _choose_step(board, dice, end)
    board.ends[2 * path + 1] = end


def _choose_step(board: CoverBoard, dice: Dice, end: int) -> int:
    """Choose the way to a free neighbour that touches the path at that end alone; NO_WAY for none."""
    count = 0
    for step in range(4):
        cell = board.beside[4 * end + step]
        if cell >= 0 and board.path_of[cell] < 0 and count_beside(board, cell, board.path_of[end]) == 1:
            board.piece[count] = step
            count += 1
    return board.piece[below(dice, count)] if count > 0 else NO_WAY
