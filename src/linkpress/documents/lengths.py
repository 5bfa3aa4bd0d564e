"""Lengths and page sizes as people write them: ``0.375in``, ``3 mm``, ``6x9in``, ``A5``."""

from __future__ import annotations

import re
from typing import NamedTuple

MM = 72 / 25.4  # points
POINTS = {"pt": 1.0, "in": 72.0, "mm": MM, "cm": 72.0 / 2.54}

_NUMBER = r"([0-9]{1,5}(?:\.[0-9]{1,9})?)"
_LENGTH = re.compile(rf"{_NUMBER}\s*(pt|in|mm|cm)")
_SIZE = re.compile(rf"{_NUMBER}\s*(pt|in|mm|cm)?\s*[x×X]\s*{_NUMBER}\s*(pt|in|mm|cm)")


class Size(NamedTuple):
    """Width and height of a page."""

    width_pt: float
    height_pt: float

    def __str__(self) -> str:
        return f"{_trimmed(self.width_pt / 72)} × {_trimmed(self.height_pt / 72)} in"

    def same_as(self, other: Size, tolerance_pt: float = 0.1) -> bool:
        """Whether both sides agree within a tolerance (a sheet named in mm is never exact in inches)."""
        return (
            abs(self.width_pt - other.width_pt) <= tolerance_pt
            and abs(self.height_pt - other.height_pt) <= tolerance_pt
        )


def _mm(width_mm: float, height_mm: float) -> Size:
    return Size(width_mm * MM, height_mm * MM)


NAMED_SIZES = {
    "a4": _mm(210, 297),
    "a5": _mm(148, 210),
    "a6": _mm(105, 148),
    "b5": _mm(176, 250),
    "letter": Size(612, 792),
    "legal": Size(612, 1008),
    "half-letter": Size(396, 612),
}


def parse_length(text: str) -> float:
    """A length in points.

    Args:
        text: a number and one of ``in``, ``mm``, ``cm``, ``pt``.
    Raises:
        ValueError: says how a length is written.
    """
    match = _LENGTH.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{text!r} is not a length: write a number and in, mm, cm or pt, as in 0.375in")
    return round(float(match[1]) * POINTS[match[2]], 9)


def parse_size(text: str) -> Size:
    """A page size, width first.

    Args:
        text: ``6x9in``, ``148 x 210 mm`` or a name: A4, A5, A6, B5, letter, legal, half-letter.
    Raises:
        ValueError: says how a size is written.
    """
    named = NAMED_SIZES.get(text.strip().lower())
    if named is not None:
        return named
    match = _SIZE.fullmatch(text.strip())
    if match is None or (match[2] or match[4]) != match[4]:
        raise ValueError(
            f"{text!r} is not a page size: write width x height and a unit, as in 6x9in or 148x210mm, "
            f"or one of {', '.join(sorted(NAMED_SIZES))}"
        )
    unit = POINTS[match[4]]
    return Size(round(float(match[1]) * unit, 9), round(float(match[3]) * unit, 9))


def _trimmed(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")
