"""Affine matrices are as PDF writes them: (a, b, c, d, e, f), applied to row vectors."""

from __future__ import annotations

import math

Matrix = tuple[float, float, float, float, float, float]
Point = tuple[float, float]
Box = tuple[float, float, float, float]  # left, bottom, right, top

IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def times(first: Matrix, then: Matrix) -> Matrix:
    """Return the matrix that applies ``first``, then ``then``."""
    if then is IDENTITY:
        return first
    a, b, c, d, e, f = first
    p, q, r, s, t, u = then
    return (a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u)


def apply(matrix: Matrix, x: float, y: float) -> Point:
    """Return a point that a matrix has moved."""
    a, b, c, d, e, f = matrix
    return (a * x + c * y + e, b * x + d * y + f)


def least_scale(matrix: Matrix) -> float:
    """Return the scale of a length where it shrinks most: the smaller singular value."""
    a, b, c, d = matrix[:4]
    if b == c == 0:
        return min(abs(a), abs(d))
    squares, determinant = a * a + b * b + c * c + d * d, a * d - b * c
    spread = math.sqrt(max(0.0, squares * squares - 4 * determinant * determinant))
    return math.sqrt(max(0.0, (squares - spread) / 2))


def box_around(points: list[Point]) -> Box:
    """Return the smallest upright box around one point or more."""
    xs, ys = [point[0] for point in points], [point[1] for point in points]
    return (min(xs), min(ys), max(xs), max(ys))


def moved_box(matrix: Matrix, box: Box) -> Box:
    """Return the upright box around a box that was moved."""
    if matrix is IDENTITY:
        return box
    left, bottom, right, top = box
    corners = ((left, bottom), (right, bottom), (right, top), (left, top))
    return box_around([apply(matrix, x, y) for x, y in corners])


def contains(outer: Box, inner: Box, slack: float) -> bool:
    """Tell whether a box lies in another, or reaches out of it by no more than ``slack`` on any side."""
    return (
        inner[0] >= outer[0] - slack
        and inner[1] >= outer[1] - slack
        and inner[2] <= outer[2] + slack
        and inner[3] <= outer[3] + slack
    )


def common(first: Box, second: Box) -> Box | None:
    """Return the box that two boxes share; None if they share nothing."""
    left, bottom = max(first[0], second[0]), max(first[1], second[1])
    right, top = min(first[2], second[2]), min(first[3], second[3])
    return None if left > right or bottom > top else (left, bottom, right, top)
