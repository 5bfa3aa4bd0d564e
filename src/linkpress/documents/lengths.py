"""This module reads lengths and sizes as people write them: ``0.375in``, ``3 mm``, ``6x9in``, ``A5``."""

from __future__ import annotations

import re
from typing import NamedTuple

MM_PT = 72 / 25.4
_POINTS = {"pt": 1.0, "in": 72.0, "mm": MM_PT, "cm": 72 / 2.54}

_NUMBER = r"([0-9]{1,5}(?:\.[0-9]{1,9})?)"
_LENGTH = re.compile(rf"{_NUMBER}\s*(pt|in|mm|cm)")
_SIZE = re.compile(rf"{_NUMBER}\s*(pt|in|mm|cm)?\s*[x×X]\s*{_NUMBER}\s*(pt|in|mm|cm)")


class Size(NamedTuple):
    """A size is the width and height of a page, in points."""

    width_pt: float
    height_pt: float

    def __str__(self) -> str:
        return f"{trimmed(self.width_pt / 72)} × {trimmed(self.height_pt / 72)} in"

    def same_as(self, other: Size, tolerance_pt: float = 0.1) -> bool:
        """Tell whether both sides agree within a tolerance: a sheet named in mm is never exact in inches."""
        return (
            abs(self.width_pt - other.width_pt) <= tolerance_pt
            and abs(self.height_pt - other.height_pt) <= tolerance_pt
        )


_NAMED_SIZES = {
    "a4": Size(210 * MM_PT, 297 * MM_PT),
    "a5": Size(148 * MM_PT, 210 * MM_PT),
    "a6": Size(105 * MM_PT, 148 * MM_PT),
    "b5": Size(176 * MM_PT, 250 * MM_PT),
    "letter": Size(612, 792),
    "legal": Size(612, 1008),
    "half-letter": Size(396, 612),
}


def parse_length(text: str) -> float:
    """Read a length with its unit (in, mm, cm, pt) in points; raise ``ValueError``, with how to write it."""
    match = _LENGTH.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{text!r} is not a length: write a number and in, mm, cm or pt, as in 0.375in")
    return round(float(match[1]) * _POINTS[match[2]], 9)


def parse_size(text: str) -> Size:
    """Read a page size, width first, as ``6x9in`` or A4; raise ``ValueError``, with how to write it."""
    named = _NAMED_SIZES.get(text.strip().lower())
    if named is not None:
        return named
    match = _SIZE.fullmatch(text.strip())
    if match is None or (match[2] or match[4]) != match[4]:
        raise ValueError(
            f"{text!r} is not a page size: write width x height and a unit, as in 6x9in or 148x210mm, "
            f"or one of {', '.join(sorted(_NAMED_SIZES))}"
        )
    unit = _POINTS[match[4]]
    return Size(round(float(match[1]) * unit, 9), round(float(match[3]) * unit, 9))


def trimmed(value: float, decimals: int = 3) -> str:
    """Write a number without zeros at its end."""
    text = f"{value:.{decimals}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
