"""Prints what a benchmark measured."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence


def print_rows(rows: Sequence[Mapping[str, object]], as_json: bool) -> None:
    """One line a row, named by its key ``what``; or all as JSON."""
    if as_json:
        print(json.dumps(rows, indent=2))
        return
    for row in rows:
        facts = ", ".join(f"{name} {value}" for name, value in row.items() if name != "what")
        print(f"{row['what']:<26} {facts}")
