"""Read JSON files that users or other programs may have changed, within limits."""

from __future__ import annotations

import json
from typing import Any

from pydantic_core import from_json

from linkpress.documents.problem import printable

# A volume of 5,000 boards of 50 × 50 has 700,000 values. Ten years of manifests of a daily feed have about a
# million. Each value takes 64 bytes or more of memory.
MAX_VALUES = 4_000_000


def parse_json(content: bytes) -> Any:
    """Read the value of a JSON text in UTF-8.

    Besides invalid JSON, it refuses values nested more than 200 levels deep, lone surrogates (half a
    character), NaN and infinity, and objects that have a key twice.

    Raises:
        ValueError: the text is refused; says why.
    """
    if sum(map(content.count, (b",", b"[", b"{"))) > MAX_VALUES:
        raise ValueError(f"more than {MAX_VALUES:,} values")
    value = from_json(content, allow_inf_nan=False)
    json.loads(content.decode("utf-8"), object_pairs_hook=_refuse_duplicate_keys, strict=False)
    return value


def _refuse_duplicate_keys(pairs: list[tuple[str, Any]]) -> None:
    # The objects are thrown away at once, so that a large file is in memory only once.
    if len(dict(pairs)) == len(pairs):
        return
    keys: set[str] = set()
    for key, _ in pairs:
        if key in keys:
            raise ValueError(f"the key {printable(json.dumps(key))} is given twice in an object")
        keys.add(key)
