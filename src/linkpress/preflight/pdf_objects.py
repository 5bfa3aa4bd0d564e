"""Read PDF objects that may be missing or of the wrong type, and compute with matrices and rectangles.

A damaged or malicious file can have any object in any place. So the functions here never raise an error for
an object of the wrong type: they return None, a default or an empty list.
"""

from __future__ import annotations

import io
import math
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress

import pikepdf

# The elements a to f of a transformation matrix, in the order of a PDF file. To transform a point, the row
# vector (x, y, 1) is multiplied by the matrix.
Matrix = tuple[float, float, float, float, float, float]
Point = tuple[float, float]
Box = tuple[float, float, float, float]  # coordinates of the left, bottom, right and top side

IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)

# Maximum number of operators that are executed for one file. A book of 424 pages and 1,000 boards has
# 450,000. Reading two million operators takes about 12 s.
MAX_OPERATORS = 2_000_000
# Maximum size of a content stream in bytes. Parsing the stream takes 100 times as much memory.
MAX_STREAM_BYTES = 8 * 1024 * 1024
MAX_NESTING = 24  # maximum nesting depth of form XObjects, patterns and glyphs inside each other
_MAX_NUMBER = 1e9  # maximum absolute value of a number; larger numbers are reduced to it


class ReadingLimitError(Exception):
    """The PDF is too large or too complex to be read.

    There are limits so that reading a PDF can't take too much time or memory. The message names the limit
    that the file exceeds.
    """


class OperatorBudget:
    """Number of drawing operators that one PDF file may still execute."""

    def __init__(self, operators: int = MAX_OPERATORS) -> None:
        self.operators = operators

    def spend(self, count: int) -> None:
        """Reduce the remaining number of operators by ``count``.

        Raises:
            ReadingLimitError: the file executes too many operators.
        """
        self.operators -= count
        if self.operators < 0:
            raise ReadingLimitError(f"more than {MAX_OPERATORS:,} drawing operators")


def open_pdf(content: bytes) -> pikepdf.Pdf:
    """Open a PDF that is in memory; raise the errors of ``pikepdf.open``."""
    if sys.platform == "linux":
        # Copy the content to a file in memory, which pikepdf can map. From a ``BytesIO``, pikepdf would read
        # each object by calling methods of Python. Opening a book of 540 pages takes 6 ms from the file, and
        # would take 12 ms from a ``BytesIO``.
        with suppress(OSError), io.FileIO(os.memfd_create("pdf"), "w+") as file:
            file.write(content)
            return pikepdf.open(file, suppress_warnings=True, access_mode=pikepdf.AccessMode.mmap_only)
    return pikepdf.open(io.BytesIO(content), suppress_warnings=True)


def decode_content(stream: pikepdf.Stream) -> bytes:
    """Return the decoded data of a content stream.

    Raises:
        ReadingLimitError: the stream is too long to parse.
    """
    data = stream.read_bytes()
    if len(data) > MAX_STREAM_BYTES:
        raise ReadingLimitError(f"more than {MAX_STREAM_BYTES >> 20} MB of content in one stream")
    return data


# Functions for PDF numbers and arrays


def is_number(value: object) -> bool:
    """Return whether a PDF object is a finite number."""
    if isinstance(value, bool):
        return False
    try:
        return math.isfinite(float(value))  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return False


def number(value: object, default: float = 0.0) -> float:
    """Convert a PDF object to a number; return the default if the object is not a finite number.

    A number above 10⁹ is changed to 10⁹, and a number below -10⁹ to -10⁹.
    """
    try:
        result = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return default
    return max(-_MAX_NUMBER, min(_MAX_NUMBER, result)) if math.isfinite(result) else default


def numbers(value: object, count: int) -> tuple[float, ...] | None:
    """Return the elements of a PDF array of exactly ``count`` numbers; None for any other object."""
    if not isinstance(value, pikepdf.Array) or len(value) != count:
        return None
    elements = list(value)
    return tuple(map(number, elements)) if all(map(is_number, elements)) else None


def elements(value: object, most: int | None = None) -> list[object]:
    """Return the elements of a PDF array.

    The list is empty if ``value`` is not an array, or if the array has more than ``most`` elements.
    """
    if not isinstance(value, pikepdf.Array) or (most is not None and len(value) > most):
        return []
    return list(value)


# Functions for PDF names, dictionaries and streams


def name(value: object) -> str:
    """Return a PDF name object as text with its slash; an empty text for any other object."""
    return str(value) if isinstance(value, pikepdf.Name) else ""


def dictionary(value: object) -> pikepdf.Dictionary | pikepdf.Stream | None:
    return value if isinstance(value, pikepdf.Dictionary | pikepdf.Stream) else None


def entry(holder: object, key: str) -> object:
    # Look for the key first, because ``get`` takes five times as long if the key is missing.
    if isinstance(holder, (pikepdf.Dictionary, pikepdf.Stream)) and key in holder:
        return holder.get(key)
    return None


def name_entry(holder: object, key: str) -> str:
    return name(entry(holder, key))


def entries(holder: object) -> Iterator[tuple[str, object]]:
    """Yield the keys and values of a PDF dictionary; nothing for any other object."""
    if isinstance(holder, pikepdf.Dictionary | pikepdf.Stream):
        for key in list(holder.keys()):
            yield str(key), holder.get(key)


def object_id(value: object) -> tuple[int, int] | None:
    """Return the object and generation number of an indirect object; None for a direct object."""
    objgen = getattr(value, "objgen", (0, 0))
    return None if objgen == (0, 0) else objgen


def filters(stream: object, most: int = 16) -> list[str]:
    """Return the names of the filters of a stream or inline image, in the order of decoding.

    If there are more than ``most`` filters, only the first ``most`` are returned.
    """
    value = entry(stream, "/Filter")
    if isinstance(value, pikepdf.Array):
        return [name(value[index]) for index in range(min(len(value), most))]
    return [name(value)] if isinstance(value, pikepdf.Name) else []


# Functions for matrices and rectangles


def matrix_entry(holder: object, key: str = "/Matrix", default: Matrix = IDENTITY) -> Matrix:
    """Return the matrix of a form XObject, pattern or font; the default if it has no valid matrix."""
    values = numbers(entry(holder, key), 6)
    return default if values is None else (values[0], values[1], values[2], values[3], values[4], values[5])


def multiply(first: Matrix, second: Matrix) -> Matrix:
    """Return the matrix that has the same effect as ``first`` followed by ``second``."""
    if second is IDENTITY:
        return first
    a, b, c, d, e, f = first
    p, q, r, s, t, u = second
    return (a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u)


def transform(matrix: Matrix, x: float, y: float) -> Point:
    """Return the point to which a matrix moves (x, y)."""
    a, b, c, d, e, f = matrix
    return (a * x + c * y + e, b * x + d * y + f)


def least_scale(matrix: Matrix) -> float:
    """Return the smallest factor by which a matrix scales lengths in any direction.

    This factor is the smaller singular value of the matrix.
    """
    a, b, c, d = matrix[:4]
    if b == c == 0:
        return min(abs(a), abs(d))
    squares, determinant = a * a + b * b + c * c + d * d, a * d - b * c
    spread = math.sqrt(max(0.0, squares * squares - 4 * determinant * determinant))
    return math.sqrt(max(0.0, (squares - spread) / 2))


def box_around(points: Iterable[Point]) -> Box:
    """Return the smallest box around one or more points."""
    xs, ys = zip(*points, strict=True)
    return (min(xs), min(ys), max(xs), max(ys))


def transform_box(matrix: Matrix, box: Box) -> Box:
    """Transform a box by a matrix and return the smallest upright box around the result."""
    if matrix is IDENTITY:
        return box
    left, bottom, right, top = box
    corners = ((left, bottom), (right, bottom), (right, top), (left, top))
    return box_around([transform(matrix, x, y) for x, y in corners])


def widen(box: Box, margin: float) -> Box:
    """Return a box that is enlarged by ``margin`` on each side."""
    left, bottom, right, top = box
    return (left - margin, bottom - margin, right + margin, top + margin)


def middle(box: Box) -> Point:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def box_contains(box: Box, point: Point) -> bool:
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]


def is_inside(inner: Box, outer: Box, slack: float) -> bool:
    return (
        inner[0] >= outer[0] - slack
        and inner[1] >= outer[1] - slack
        and inner[2] <= outer[2] + slack
        and inner[3] <= outer[3] + slack
    )


def intersection(first: Box, second: Box) -> Box | None:
    """Return the box that two boxes have in common; None if they don't meet."""
    left, bottom = max(first[0], second[0]), max(first[1], second[1])
    right, top = min(first[2], second[2]), min(first[3], second[3])
    return None if left > right or bottom > top else (left, bottom, right, top)
