"""Who goes round whom: which numbers a walk along a wall meets on either side of a square.

A wall is what no line can still cross: the border, solids, closed ways and the lines drawn from numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

from linkpress.engine.explain.board_view import BoardView
from linkpress.engine.kernels.glossary import EdgeState
from linkpress.puzzle.grid import Cell

_EAST, _SOUTH, _WEST, _NORTH = range(4)
_AHEAD = ((0, 1), (1, 0), (0, -1), (-1, 0))  # by heading, the corner of a square that comes next
_SQUARE = ((0, 0), (0, -1), (-1, -1), (-1, 0))  # by heading, the square on the right of who leaves a corner
_Corner = tuple[int, int]


def between(board: BoardView, cell: Cell, number: int) -> tuple[Cell, Cell, Cell] | None:
    """Return a square of a line and the two squares between which a walk along a wall meets it.

    Args:
        board: the board.
        cell: on the line.
        number: as it is printed; the two squares, the last and the next with any number, have it.
    """
    line = set(board.line(cell))
    for walk in walks(board):
        for index, here in enumerate(walk):
            if here not in line:
                continue
            around = [met for met in walk[index:] + walk[:index] if board.pair_of(met)]
            ends = around[-1:] + around[:1]
            if len({*ends}) == 2 and {board.number(end) for end in ends} == {number}:
                return here, ends[0], ends[1]
    return None


def crossing(board: BoardView, number: int) -> tuple[Cell, ...]:
    """Find four squares as a walk along a wall meets them, the first and the third with one number.

    Args:
        board: the board.
        number: as it is printed.
    Returns:
        Empty, or the second and the fourth with another number, so that the two must cross.
    """
    for walk in walks(board):
        met = [cell for cell in walk if board.pair_of(cell)]
        own = [index for index, cell in enumerate(met) if board.number(cell) == number]
        for first, third in combinations(own, 2):
            inside, outside = met[first:third], met[third:] + met[:first]
            for second, fourth in product(inside, outside):
                if board.number(second) == board.number(fourth) != number:
                    return met[first], second, met[third], fourth
    return ()


def walks(board: BoardView) -> Iterator[list[Cell]]:
    """Return the squares that lines can still come to along each wall, once around it."""
    walls = set(_walls(board))
    walked: set[tuple[_Corner, int]] = set()
    for start in sorted(walls):
        if start not in walked:
            yield [cell for cell in _walk(board, walls, walked, *start) if _can_be_reached(board, cell)]


def _walk(
    board: BoardView,
    walls: set[tuple[_Corner, int]],
    walked: set[tuple[_Corner, int]],
    corner: _Corner,
    heading: int,
) -> Iterator[Cell]:
    """Return the squares on the right of who walks along a wall with the left hand on it."""
    while (corner, heading) not in walked:
        walked.add((corner, heading))
        yield from _beside(board, corner, heading)
        corner = corner[0] + _AHEAD[heading][0], corner[1] + _AHEAD[heading][1]
        turn = 1
        while (corner, (heading + turn) % 4) not in walls:
            turn = (turn + 3) % 4
            yield from _beside(board, corner, (heading + turn) % 4)
        heading = (heading + turn) % 4


def _beside(board: BoardView, corner: _Corner, heading: int) -> Iterator[Cell]:
    row, col = corner[0] + _SQUARE[heading][0], corner[1] + _SQUARE[heading][1]
    if 0 <= row < board.grid.rows and 0 <= col < board.grid.cols:
        yield board.grid.cell(row, col)


def _walls(board: BoardView) -> Iterator[tuple[_Corner, int]]:
    """Yield each stretch of wall between two corners, with both headings."""
    grid = board.grid
    for row in range(grid.rows + 1):
        for col in range(grid.cols + 1):
            corner = row, col
            if col < grid.cols and _parts(board, (row - 1, col), (row, col)):
                yield corner, _EAST
                yield (row, col + 1), _WEST
            if row < grid.rows and _parts(board, (row, col - 1), (row, col)):
                yield corner, _SOUTH
                yield (row + 1, col), _NORTH


def _parts(board: BoardView, one: _Corner, other: _Corner) -> bool:
    """Tell whether no line can cross between two squares that share a side."""
    grid = board.grid
    if not all(0 <= row < grid.rows and 0 <= col < grid.cols for row, col in (one, other)):
        return True
    a, b = grid.cell(*one), grid.cell(*other)
    if b not in grid.neighbours[a]:
        return True
    state = board.state(a, b)
    if state == EdgeState.DRAWN:
        return any(cell in board.puzzle.number_at for cell in board.line(a))
    return state == EdgeState.RULED_OUT


def _can_be_reached(board: BoardView, cell: Cell) -> bool:
    line = board.line(cell)
    return any(board.need_of(near) > 0 for near in line) and (
        board.need_of(cell) > 0 or not any(end in board.puzzle.number_at for end in line)
    )
