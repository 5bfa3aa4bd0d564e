"""``replace: {17: 1}``: the editor's word that one printed puzzle is to be made again."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated

from linkpress.book.level import MAX_PUZZLES
from linkpress.config.problem import InvalidError, Problem, invalid, shown
from linkpress.config.values import Reads, written

MAX_REPLACEMENT = 999
_NUMBER = f"a puzzle's printed number, 1 to {MAX_PUZZLES}, is needed, as in 17: 1"
_WHICH = f"which replacement is wanted, 1 to {MAX_REPLACEMENT}, must stand behind the number, as in 17: 1"
_WORDS = "puzzle numbers, each with which replacement, as {17: 1}"


def _read_replacements(value: object) -> Mapping[int, int]:
    if not isinstance(value, Mapping):
        raise invalid(shown(written(value, _WORDS)), f"{_WORDS}, is needed")
    read: dict[int, int] = {}
    faults = []
    for key, which in value.items():
        if which is None:
            faults.append(Problem("", _WHICH, (str(key),)))
            continue
        try:
            read[_read_count(key, MAX_PUZZLES, _NUMBER)] = _read_count(which, MAX_REPLACEMENT, _WHICH)
        except InvalidError as fault:
            faults += [problem.below(str(key)) for problem in fault.problems]
    if faults:
        raise InvalidError(*faults)
    return MappingProxyType(dict(sorted(read.items())))


def _read_count(value: object, most: int, words: str) -> int:
    text = written(value, words)
    if not re.fullmatch(r"[1-9][0-9]{0,4}", text) or int(text) > most:
        raise invalid(shown(text), words)
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
