"""``replace: {17: 1}``: the editor's word that one printed puzzle is to be made again."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated

from linkpress.book.problem import Misfit, Misfits, Unfit, shown
from linkpress.book.values import Reads, written

MAX_REPLACEMENT = 999
_WORDS = "puzzle numbers, each with which replacement, as {17: 1}"


def _read_replacements(value: object) -> Mapping[int, int]:
    if not isinstance(value, Mapping):
        raise Unfit(shown(written(value, _WORDS)), f"{_WORDS}, is needed")
    read: dict[int, int] = {}
    faults = []
    for key, which in value.items():
        try:
            read[_read_count(key, 99_999)] = _read_count(which, MAX_REPLACEMENT)
        except Unfit as fault:
            faults.append(Misfit((str(key),), fault.found, fault.message))
    if faults:
        raise Misfits(faults)
    return MappingProxyType(dict(sorted(read.items())))


def _read_count(value: object, most: int) -> int:
    text = written(value, "a whole number")
    if not re.fullmatch(r"[1-9][0-9]{0,4}", text) or int(text) > most:
        raise Unfit(shown(text), f"a puzzle's number and which replacement, 1 to {MAX_REPLACEMENT}, as 17: 1")
    return int(text)


def _write_replacements(replacements: Mapping[int, int]) -> object:
    return {str(number): which for number, which in replacements.items()}


Replacements = Annotated[
    Mapping[int, int],
    Reads(
        _read_replacements,
        _WORDS,
        {
            "type": "object",
            "patternProperties": {
                "^[1-9][0-9]*$": {"type": "integer", "minimum": 1, "maximum": MAX_REPLACEMENT}
            },
            "additionalProperties": False,
        },
        _write_replacements,
    ),
]
"""Printed numbers and, for each, which of its replacements is wanted, by rising number."""
