"""Smooth outlines of boards in shapes, such as hearts and fish.

The sides of the squares form a staircase, in which a shape is hard to recognize. So the outline is a contour
of the free squares after a Gaussian blur. It stays outside of them. All lengths here are in squares, and
points are measured from the top left corner of the board.
"""

import math
from collections.abc import Collection, Iterator, Set
from functools import lru_cache
from itertools import pairwise
from operator import mul
from typing import NamedTuple

from linkpress.engine.feasibility import islands
from linkpress.layout.frame import Point
from linkpress.puzzle.puzzle import Cell, Grid

# Standard deviation of the blur, and the level of the contour. The outline passes just outside of the corners
# of a staircase. With less blur it would be wavy, and a higher level would cut off corners.
_BLUR, _LEVEL = 0.55, 0.25
OUTLINE_GAP = 0.371  # distance between the outline and a straight side, which follows from blur and level
# Blocks are rounded and a little smaller than their squares.
_BLOCK_BLUR, _BLOCK_LEVEL = 0.25, 0.6
_LARGEST_BLOCK = 4  # larger holes, as in the letter O, are outlined instead
_SAMPLES = 6  # number of points along each side of a square at which the blur is sampled
_MARGIN = 1.5  # how far the sampling points reach beyond the board
_STRAIGHT = 0.002  # leave out points that are nearer than this to a line between their neighbours

Curve = tuple[Point, ...]
_Sample = tuple[int, int]  # column and row of a sampling point


class ShapeDrawing(NamedTuple):
    """Drawing of a shape.

    Args:
        sides: the sides of all free squares.
        outlines: closed curves around the free squares.
        blocks: closed curves around small groups of solid squares inside the shape, such as eyes.
    """

    sides: tuple[tuple[Point, Point], ...]
    outlines: tuple[Curve, ...]
    blocks: tuple[Curve, ...]


@lru_cache(maxsize=64)
def shape_of(grid: Grid) -> ShapeDrawing:
    """Return the drawing of the shape that a board's solid squares leave free."""
    blocks, places = blocks_of(grid), [grid.position(cell) for cell in grid.free_cells]
    across = {((col, row + side), (col + 1, row + side)) for row, col in places for side in (0, 1)}
    down = {((col + side, row), (col + side, row + 1)) for row, col in places for side in (0, 1)}
    outlines = _contours(grid, blocks.union(grid.free_cells), _BLUR, _LEVEL)
    return ShapeDrawing(
        (*sorted(across), *sorted(down)), outlines, _contours(grid, blocks, _BLOCK_BLUR, _BLOCK_LEVEL)
    )


def blocks_of(grid: Grid) -> frozenset[Cell]:
    """Return the solid squares that form small groups inside the shape of a board."""
    return frozenset().union(*(group for group in inner_groups(grid) if len(group) <= _LARGEST_BLOCK))


def inner_groups(grid: Grid) -> Iterator[Collection[Cell]]:
    """Yield each group of adjacent solid squares that does not reach the edge of the board, such as eyes."""
    inner = frozenset(
        grid.cell(row, col) for row in range(1, grid.rows - 1) for col in range(1, grid.cols - 1)
    )
    groups = islands(Grid(grid.rows, grid.cols, frozenset(grid.free_cells)))
    return (group for group in groups if inner.issuperset(group))


def _contours(grid: Grid, cells: Set[Cell], blur: float, level: float) -> tuple[Curve, ...]:
    """Return the contours of some cells after a blur, by marching squares (Lorensen and Cline, 1987)."""
    across, down = _weights(grid.cols, blur), _weights(grid.rows, blur)
    blurred_rows = [
        [sum(weights[col] for col in range(grid.cols) if grid.cell(row, col) in cells) for weights in across]
        for row in range(grid.rows)
    ]
    columns = list(zip(*blurred_rows, strict=True))
    field = [[sum(map(mul, weights, column)) for column in columns] for weights in down]
    following: dict[tuple[_Sample, ...], tuple[_Sample, ...]] = {}
    for y in range(len(down) - 1):
        for x in range(len(across) - 1):
            corners = ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1))
            inside = [field[b][a] > level for a, b in corners]
            if any(inside) and not all(inside):
                sides = [tuple(sorted((corners[index - 1], corners[index]))) for index in range(4)]
                leaving = [side for index, side in enumerate(sides) if inside[index - 1] > inside[index]]
                entering = [side for index, side in enumerate(sides) if inside[index - 1] < inside[index]]
                following.update(zip(leaving, entering, strict=True))
    contours = []
    while following:
        side, points = next(iter(following)), []
        while side in following:
            (x0, y0), (x1, y1) = side
            share = (level - field[y0][x0]) / (field[y1][x1] - field[y0][x0])
            x, y = x0 + share * (x1 - x0), y0 + share * (y1 - y0)
            points.append((round(x / _SAMPLES - _MARGIN, 3), round(y / _SAMPLES - _MARGIN, 3)))
            side = following.pop(side)
        contours.append(_without_straight_points(points))
    return tuple(contours)


def _weights(length: int, blur: float) -> list[list[float]]:
    """Return the weight of each row or column at each sampling point, for a blur in one direction."""
    places = [index / _SAMPLES - _MARGIN for index in range(int((length + 2 * _MARGIN) * _SAMPLES) + 1)]
    share = [
        [math.erf((line - at) / (blur * math.sqrt(2))) / 2 for line in range(length + 1)] for at in places
    ]
    return [[high - low for low, high in pairwise(shares)] for shares in share]


def _without_straight_points(points: list[Point]) -> Curve:
    kept = [points[0]]
    for (x, y), (next_x, next_y) in pairwise((*points[1:], points[0])):
        along_x, along_y = next_x - kept[-1][0], next_y - kept[-1][1]
        off = (x - kept[-1][0]) * along_y - (y - kept[-1][1]) * along_x
        if abs(off) > _STRAIGHT * math.hypot(along_x, along_y):
            kept.append((x, y))
    return tuple(kept)
