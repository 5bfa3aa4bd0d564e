"""Smooth outlines of boards that have a shape, such as a heart or a fish.

The cells of a shape have edges like a staircase, which makes the shape hard to recognize. Therefore each
shape gets a smooth outline. Imagine a picture in which the cells of the shape are black and all other cells
are white. A Gaussian blur makes this picture grey near the edges of the shape. The outline connects the
points of the blurred picture that have the darkness ``_LEVEL``, where 1 is black and 0 is white. It stays
outside the cells of the shape.

The blur alone would close narrow gaps in a shape. Therefore the darkness of cells around such gaps is changed
before the blur. In this module, the unit of length is the width of a cell. Points are measured from the top
left corner of the board.
"""

import math
from collections.abc import Collection, Iterator, Mapping, Set
from functools import lru_cache
from itertools import pairwise, product
from operator import mul
from typing import NamedTuple

from linkpress.engine.feasibility import islands
from linkpress.layout.frame import Point
from linkpress.puzzle.puzzle import Cell, Grid

# The outline of a shape is found by blurring a picture of it. ``_BLUR`` is the standard deviation of the
# blur, in cell widths. ``_LEVEL`` is the darkness of the blurred picture along the outline: 0 is white, and 1
# is black. With these values, the outline passes just outside the corners of the shape's cells. With less
# blur it would be wavy, and with a higher level it would cut off corners.
_BLUR, _LEVEL = 0.55, 0.25
# Space for the outline at each side of a board, in cell widths. ``_BLUR`` and ``_LEVEL`` put the outline
# 0.371 cell widths away from a straight side, and a little farther away beside gaps.
OUTLINE_GAP = 0.38
# Limits for the darkness of the blurred picture of a shape at certain points:
# - ``_OPEN`` is the maximum in gaps and around the board (``_open_points``), so that gaps stay open. It is
#    just above the darkness at a distance of 0.5 from a straight side.
# - ``_OPEN_SQUARE`` is the maximum at the centre of a cell in a narrow gap (``_narrow_squares``).
# - ``_INSIDE`` is the minimum along the border of the shape (``_edge_points``). Because of it, the outline
#    may touch a corner of a cell but can't cut it off.
_OPEN, _OPEN_SQUARE, _INSIDE = 0.185, 0.16, 0.22
_TOLERANCE = 0.0005  # maximum amount by which the darkness of the blurred picture may violate a limit
_MOST_ROUNDS = 300  # maximum number of iterations; the built-in shapes need at most 220

# cells that are farther away than this don't affect the darkness of the blurred picture at a point
_REACH = 2.5

# Blur and darkness of the outline (level) for blocks of solid squares inside a shape. They make the blocks
# rounded and a little smaller than their squares.
_BLOCK_BLUR, _BLOCK_LEVEL = 0.25, 0.6
# Maximum number of solid squares in a block, such as an eye. A larger group of solid squares inside a shape
# is a hole, such as the hole of the letter O. It gets an outline instead.
_LARGEST_BLOCK = 4
# number of points along each side of a cell at which the darkness of the blurred picture is computed
_SAMPLES = 6
_MARGIN = 1.5  # distance by which the computed points extend beyond the board

# A point of an outline is omitted if it is closer than this to the line between its neighbours.
_STRAIGHT = 0.002

Curve = tuple[Point, ...]
# column and row of a point at which the darkness of the blurred picture is computed
_Sample = tuple[int, int]
_Square = tuple[int, int]  # row and column of a cell on the board, or in the ring of cells around it


class ShapeDrawing(NamedTuple):
    """Lines and curves that draw a board with a shape.

    Args:
        sides: the sides of all cells that belong to the shape.
        outlines: closed curves around the shape and its large holes.
        blocks: closed curves around small groups of solid squares inside the shape, such as eyes.
    """

    sides: tuple[tuple[Point, Point], ...]
    outlines: tuple[Curve, ...]
    blocks: tuple[Curve, ...]


@lru_cache(maxsize=64)
def shape_of(grid: Grid) -> ShapeDrawing:
    """Return the drawing of the shape that is formed by a board's cells without its solid squares."""
    blocks, places = blocks_of(grid), [grid.position(cell) for cell in grid.free_cells]
    across = {((col, row + side), (col + 1, row + side)) for row, col in places for side in (0, 1)}
    down = {((col + side, row), (col + side, row + 1)) for row, col in places for side in (0, 1)}
    darkness = _darkness_with_gaps(grid, {grid.position(cell) for cell in blocks.union(grid.free_cells)})
    return ShapeDrawing(
        (*sorted(across), *sorted(down)),
        _contours(grid, darkness, _BLUR, _LEVEL),
        _contours(grid, dict.fromkeys(map(grid.position, blocks), 1.0), _BLOCK_BLUR, _BLOCK_LEVEL),
    )


def blocks_of(grid: Grid) -> frozenset[Cell]:
    """Return the solid squares that form small groups inside the shape of a board, such as eyes."""
    return frozenset().union(*(group for group in inner_groups(grid) if len(group) <= _LARGEST_BLOCK))


def inner_groups(grid: Grid) -> Iterator[Collection[Cell]]:
    """Yield each group of adjacent solid squares that doesn't touch the edge of the board, such as eyes."""
    inner = frozenset(
        grid.cell(row, col) for row in range(1, grid.rows - 1) for col in range(1, grid.cols - 1)
    )
    groups = islands(Grid(grid.rows, grid.cols, frozenset(grid.free_cells)))
    return (group for group in groups if inner.issuperset(group))


class _Limit(NamedTuple):
    """Limit for the darkness of the blurred picture of a shape at one point.

    Args:
        sign: -1 if ``value`` is a maximum, 1 if it is a minimum.
        value: the maximum or minimum, from 0 (white) to 1 (black).
        shares: for each nearby cell, the darkness at the point if this cell were black and all others white.
    """

    sign: int
    value: float
    shares: Mapping[_Square, float]

    def excess(self, darkness: Mapping[_Square, float]) -> float:
        """Return how far the darkness at the point exceeds a maximum, or falls short of a minimum.

        The result is 0 or negative if the darkness is within the limit.

        Args:
            darkness: the darkness of each cell before the blur.
        """
        return self.sign * (self.value - self.blurred(darkness))

    def blurred(self, darkness: Mapping[_Square, float]) -> float:
        return sum(share * darkness[square] for square, share in self.shares.items())


def _darkness_with_gaps(grid: Grid, inside: Set[_Square]) -> Mapping[_Square, float]:
    """Return a darkness for each cell, chosen so that the outline leaves narrow gaps open.

    At first, cells of the shape have the darkness 1, and all others 0. If the outline would close a gap,
    Hildreth's method (1957) finds the smallest change of these values that opens it.
    """
    squares = product(_places(grid.rows), _places(grid.cols))
    darkness = {square: float(square in inside) for square in squares}
    limits = [_limit(grid, point, -1, _OPEN) for point in _open_points(grid, inside)]
    limits += [_limit(grid, point, -1, _OPEN_SQUARE) for point in _narrow_squares(grid, inside)]
    if all(limit.excess(darkness) <= 0 for limit in limits):
        return darkness
    for point in _edge_points(grid, inside):
        limit = _limit(grid, point, 1, _INSIDE)
        limits.append(limit._replace(value=min(_INSIDE, limit.blurred(darkness))))
    sizes = [sum(share * share for share in limit.shares.values()) for limit in limits]
    applied = [0.0] * len(limits)
    for _ in range(_MOST_ROUNDS):
        largest = 0.0
        for index, limit in enumerate(limits):
            change = max(limit.excess(darkness) / sizes[index], -applied[index])
            applied[index] += change
            largest = max(largest, abs(change) * sizes[index])
            if change:
                for square, share in limit.shares.items():
                    darkness[square] += limit.sign * change * share
        if largest < _TOLERANCE:
            break
    return darkness


def _places(length: int) -> range:
    """Return the row or column indices of a board and of the ring of cells around it."""
    return range(-1, length + 1)


def _open_points(grid: Grid, inside: Set[_Square]) -> Iterator[Point]:
    """Yield points that must be outside the outline, because they are in gaps or around the board.

    These points are the middle of each side between two cells outside the shape, and the centre of each cell
    in the ring around the board.
    """
    for row, col in product(_places(grid.rows), _places(grid.cols)):
        if row in (-1, grid.rows) or col in (-1, grid.cols):
            yield col + 0.5, row + 0.5
        if (row, col) not in inside:
            if (row, col + 1) not in inside:
                yield col + 1.0, row + 0.5
            if (row + 1, col) not in inside:
                yield col + 0.5, row + 1.0


def _narrow_squares(grid: Grid, inside: Set[_Square]) -> Iterator[Point]:
    """Yield the centre of each cell that is outside the shape but lies between two cells of the shape.

    These two are its left and right neighbours, or its upper and lower neighbours.
    """
    for row, col in product(range(grid.rows), range(grid.cols)):
        beside, above = {(row, col - 1), (row, col + 1)}, {(row - 1, col), (row + 1, col)}
        if (row, col) not in inside and (inside >= beside or inside >= above):
            yield col + 0.5, row + 0.5


def _edge_points(grid: Grid, inside: Set[_Square]) -> list[Point]:
    """Return the points along the border of the shape.

    These are the ends and the middle of each side between a cell of the shape and a cell outside it.
    """

    def points_of(square: _Square) -> Iterator[Point]:
        row, col = square
        return ((col + x / 2, row + y / 2) for x, y in product(range(3), repeat=2))

    squares = product(_places(grid.rows), _places(grid.cols))
    outside = {point for square in squares if square not in inside for point in points_of(square)}
    return sorted(outside.intersection(point for square in inside for point in points_of(square)))


def _limit(grid: Grid, point: Point, sign: int, value: float) -> _Limit:
    x, y = point
    shares = {
        (row, col): _share(row - y) * _share(col - x)
        for row in _places(grid.rows)
        if abs(row + 0.5 - y) <= _REACH
        for col in _places(grid.cols)
        if abs(col + 0.5 - x) <= _REACH
    }
    return _Limit(sign, value, shares)


@lru_cache(maxsize=64)
def _share(start: float) -> float:
    """Return how dark the blurred picture is at a point if one cell is black, along one axis.

    The darkness is the product of this value along the vertical axis and along the horizontal axis.

    Args:
        start: the signed distance from the point to the top or left side of the cell. It is negative if that
            side is above the point or to its left.
    """
    low, high = (math.erf(end / (_BLUR * math.sqrt(2))) / 2 for end in (start, start + 1))
    return high - low


def _contours(grid: Grid, darkness: Mapping[_Square, float], blur: float, level: float) -> tuple[Curve, ...]:
    """Return the closed curves on which the blurred picture has the darkness ``level``.

    The curves are found by marching squares (Lorensen and Cline, 1987).

    Args:
        darkness: the darkness of each cell before the blur. A missing cell has the darkness 0.
        blur: the standard deviation of the blur.
    """
    across, down = _shares(grid.cols, blur), _shares(grid.rows, blur)
    rows = [[darkness.get((row, col), 0.0) for col in _places(grid.cols)] for row in _places(grid.rows)]
    columns = list(zip(*([sum(map(mul, shares, row)) for shares in across] for row in rows), strict=True))
    field = [[sum(map(mul, shares, column)) for column in columns] for shares in down]
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


def _shares(length: int, blur: float) -> list[list[float]]:
    """Return how dark the blurred picture is at each point if one row or column of cells is black.

    Returns:
        For each computed point along the axis, the value for each row or column of cells.
    """
    places = [index / _SAMPLES - _MARGIN for index in range(int((length + 2 * _MARGIN) * _SAMPLES) + 1)]
    sums = [
        [math.erf((line - at) / (blur * math.sqrt(2))) / 2 for line in range(-1, length + 2)] for at in places
    ]
    return [[high - low for low, high in pairwise(of_place)] for of_place in sums]


def _without_straight_points(points: list[Point]) -> Curve:
    kept = [points[0]]
    for (x, y), (next_x, next_y) in pairwise((*points[1:], points[0])):
        along_x, along_y = next_x - kept[-1][0], next_y - kept[-1][1]
        off = (x - kept[-1][0]) * along_y - (y - kept[-1][1]) * along_x
        if abs(off) > _STRAIGHT * math.hypot(along_x, along_y):
            kept.append((x, y))
    return tuple(kept)
