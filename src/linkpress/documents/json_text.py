"""Read JSON files that users or other programs may have changed, within limits."""

from __future__ import annotations

import json
from typing import Any

from pydantic_core import from_json

from linkpress.documents.problem import printable

# Limit for the number of values in a file, since each takes 64 bytes or more of memory. A volume of 5,000
# boards of 50 × 50 has 700,000 values. The manifest of a daily feed has about a million after ten years.
MAX_VALUES = 4_000_000


def parse_json(content: bytes) -> Any:
    """Read the value of a JSON text in UTF-8.

    Raises:
        ValueError: the text is invalid JSON, is nested more than 200 levels deep, has more than
            ``MAX_VALUES`` values, or contains a lone surrogate (half a character), NaN, infinity, or an
            object with the same key twice. The message says which.
    """
    if sum(map(content.count, (b",", b"[", b"{"))) > MAX_VALUES:
        raise ValueError(f"more than {MAX_VALUES:,} values")
    value = from_json(content, allow_inf_nan=False)
    json.loads(content.decode("utf-8"), object_pairs_hook=_refuse_duplicate_keys, strict=False)
    return value


def _refuse_duplicate_keys(pairs: list[tuple[str, Any]]) -> None:
    # The file is parsed a second time only to find duplicate keys. So return nothing, which saves the memory
    # for a second copy of its objects.
    if len(dict(pairs)) == len(pairs):
        return
    keys: set[str] = set()
    for key, _ in pairs:
        if key in keys:
            raise ValueError(f"the key {printable(json.dumps(key))} is given twice in an object")
        keys.add(key)
