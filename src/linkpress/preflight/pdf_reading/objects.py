"""This module reads objects that may be missing or of the wrong type, and bounds what a file may ask."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pikepdf

from linkpress.preflight.pdf_reading.matrices import IDENTITY, Matrix

# Of one file; a 424-page book of 1,000 boards has 450,000 operators, and two million take some 12 s.
MAX_OPERATORS = 2_000_000
MAX_STREAM_BYTES = 8 * 1024 * 1024  # of a page's content; parsed, it takes a hundred times as much memory
MAX_NESTING = 24
_LARGEST = 1e9


class TooMuchError(Exception):
    """A file asks for more than its readers give; the message says for what."""


class ReadingBudget:
    """A budget is what is left to spend on one file, in operators."""

    def __init__(self, operators: int = MAX_OPERATORS) -> None:
        self.operators = operators

    def spend(self, count: int) -> None:
        """Count operators; raise ``TooMuchError`` when the file executes too many."""
        self.operators -= count
        if self.operators < 0:
            raise TooMuchError(f"more than {MAX_OPERATORS:,} drawing operators")


def unpacked(stream: pikepdf.Stream) -> bytes:
    """Return the data of a stream of content; raise ``TooMuchError`` where it is too long to be parsed."""
    data = stream.read_bytes()
    if len(data) > MAX_STREAM_BYTES:
        raise TooMuchError(f"more than {MAX_STREAM_BYTES >> 20} MB of content in one stream")
    return data


def number(value: object, default: float = 0.0) -> float:
    """Return a value as a finite number, or the default."""
    try:
        found = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return default
    return max(-_LARGEST, min(_LARGEST, found)) if math.isfinite(found) else default


def numbers(value: object, count: int) -> tuple[float, ...] | None:
    """Return exactly ``count`` numbers of an array, or None."""
    if not isinstance(value, pikepdf.Array) or len(value) != count:
        return None
    items = list(value)
    if not all(is_number(item) for item in items):
        return None
    return tuple(number(item) for item in items)


def matrix_of(holder: object, key: str = "/Matrix", default: Matrix = IDENTITY) -> Matrix:
    """Return the matrix of a form, pattern or font, or the default."""
    found = numbers(entry(holder, key), 6)
    return default if found is None else (found[0], found[1], found[2], found[3], found[4], found[5])


def is_number(value: object) -> bool:
    """Tell whether a value is a finite number."""
    if isinstance(value, bool):
        return False
    try:
        return math.isfinite(float(value))  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return False


def dictionary(value: object) -> pikepdf.Dictionary | pikepdf.Stream | None:
    """Return a value that is a dictionary or a stream, or None."""
    return value if isinstance(value, pikepdf.Dictionary | pikepdf.Stream) else None


def entry(holder: object, key: str) -> object:
    """Return a dictionary's entry, None where there is none or no dictionary."""
    if not isinstance(holder, pikepdf.Dictionary | pikepdf.Stream):
        return None
    return holder.get(key)


def name(value: object) -> str:
    """Return a name with its slash, or an empty text."""
    return str(value) if isinstance(value, pikepdf.Name) else ""


def named(holder: object, key: str) -> str:
    """Return a dictionary's entry if it is a name, else an empty text."""
    return name(entry(holder, key))


def items(holder: object) -> Iterator[tuple[str, object]]:
    """Yield the entries of a dictionary, none if it is not one."""
    if isinstance(holder, pikepdf.Dictionary | pikepdf.Stream):
        for key in list(holder.keys()):
            yield str(key), holder.get(key)


def elements(value: object, most: int | None = None) -> list[object]:
    """Return the elements of an array, none if it is not one or has more than ``most``."""
    if not isinstance(value, pikepdf.Array) or (most is not None and len(value) > most):
        return []
    return list(value)


def identity(value: object) -> tuple[int, int] | None:
    """Return what tells one indirect object from another; None for a direct one."""
    number_and_generation = getattr(value, "objgen", (0, 0))
    return None if number_and_generation == (0, 0) else number_and_generation


def filters(stream: object, most: int = 16) -> list[str]:
    """Return the names of a stream's or inline image's filters, outermost first; no more than ``most``."""
    found = entry(stream, "/Filter")
    if isinstance(found, pikepdf.Array):
        return [name(found[place]) for place in range(min(len(found), most))]
    return [name(found)] if isinstance(found, pikepdf.Name) else []
