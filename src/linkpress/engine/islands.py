"""A shape of free squares falls into pieces, and each takes at least so many paths to fill.

However a piece is filled, its paths are lines between neighbouring squares, at most two at a square; so many
lines as there are at most leave the fewest paths. Where one colour of a chessboard outweighs the other, or
arms are one square wide, that is more than one. A shape can need still more, which only making a board tells.
"""

from __future__ import annotations

from collections import deque
from functools import cache

from linkpress.puzzle.puzzle import Cell, Grid

_LINES_AT_A_SQUARE = 2


@cache
def islands(grid: Grid) -> tuple[tuple[Cell, ...], ...]:
    """Return the pieces that hang together of a board's free squares, each in reading order."""
    pieces, left = [], set(grid.free_cells)
    while left:
        begin = min(left)
        left.remove(begin)
        piece = [begin]
        for cell in piece:
            piece += (beside := left.intersection(grid.neighbours[cell]))
            left -= beside
        pieces.append(tuple(sorted(piece)))
    return tuple(pieces)


def fewest_in(grid: Grid) -> int:
    """Return a number of paths below which a board can't be filled."""
    return sum(fewest_paths(grid, island) for island in islands(grid))


@cache
def fewest_paths(grid: Grid, island: tuple[Cell, ...]) -> int:
    """Return a number of paths below which an island can't be filled."""
    dark = [cell for cell in island if sum(grid.position(cell)) % 2]
    lines: dict[Cell, list[Cell]] = {cell: [] for cell in island}
    found = sum(_add_line(grid, lines, cell) for cell in dark for _ in range(_LINES_AT_A_SQUARE))
    return len(island) - found


def _add_line(grid: Grid, lines: dict[Cell, list[Cell]], begin: Cell) -> bool:
    """Draw one more line at a dark square, with others drawn anew to make room; False if that can't be."""
    came: dict[Cell, Cell] = {begin: begin}
    waiting = deque([begin])
    while waiting:
        dark = waiting.popleft()
        for light in grid.neighbours[dark]:
            if light in came or light in lines[dark]:
                continue
            came[light] = dark
            if len(lines[light]) < _LINES_AT_A_SQUARE:
                _redraw(lines, came, begin, light)
                return True
            for other in lines[light]:
                if other not in came:
                    came[other] = light
                    waiting.append(other)
    return False


def _redraw(lines: dict[Cell, list[Cell]], came: dict[Cell, Cell], begin: Cell, light: Cell) -> None:
    """Draw the lines on the way that was found, and take those away that it replaces."""
    while True:
        dark = came[light]
        lines[dark].append(light)
        lines[light].append(dark)
        if dark == begin:
            return
        light = came[dark]
        lines[dark].remove(light)
        lines[light].remove(dark)
