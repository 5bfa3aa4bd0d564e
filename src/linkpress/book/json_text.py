"""JSON as linkpress reads it back: UTF-8, of a sane depth and number of values."""

from __future__ import annotations

from typing import Any

from pydantic_core import from_json

# A volume of 5,000 boards of 50 × 50 has 700,000 values, ten years of a daily feed's manifests about a
# million; an empty list takes 64 bytes.
MAX_VALUES = 4_000_000


def parse_json(content: bytes) -> Any:
    """The value that a JSON text stands for.

    Nested at most 200 levels deep, so that whoever walks the value needs no care; its texts can all
    be written again, since half a character (a lone surrogate) is refused; no number is NaN.

    Args:
        content: at most as many bytes as its kind of file ever has.
    Raises:
        ValueError: it is no such text; says what stands where.
    """
    if sum(map(content.count, (b",", b"[", b"{"))) > MAX_VALUES:
        raise ValueError(f"more than {MAX_VALUES:,} values")
    return from_json(content, allow_inf_nan=False)
