"""This module reads JSON back, and lets models say what a schema and the docs have.

What is read must be UTF-8, of a sane depth and number of values.
"""

from __future__ import annotations

import json
from typing import Any

from pydantic_core import from_json

from linkpress.documents.problem import printable

# A volume of 5,000 boards of 50 × 50 has 700,000 values, ten years of a daily feed's manifests about a
# million; an empty list takes 64 bytes.
MAX_VALUES = 4_000_000


def parse_json(content: bytes) -> Any:
    """Read the value of a JSON text that is no longer than its kind of file ever is, or raise ``ValueError``.

    The value is nested at most 200 levels deep, so that whoever walks it needs no care; its texts can all
    be written again, since half a character (a lone surrogate) is refused; no number is NaN, and no
    object has a key twice, since readers differ in which of the values they take.
    """
    if sum(map(content.count, (b",", b"[", b"{"))) > MAX_VALUES:
        raise ValueError(f"more than {MAX_VALUES:,} values")
    value = from_json(content, allow_inf_nan=False)
    json.loads(content.decode("utf-8"), object_pairs_hook=_check_keys, strict=False)
    return value


def _check_keys(pairs: list[tuple[str, Any]]) -> None:
    """Refuse a key given twice; keep nothing, so that a large text is in memory once."""
    if len(dict(pairs)) == len(pairs):
        return
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            raise ValueError(f"the key {printable(json.dumps(key))} is given twice in an object")
        seen.add(key)
