"""``replace: {17: 1}``: the editor's word that one printed puzzle is to be made again."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated

from linkpress.book.level import MAX_PUZZLES
from linkpress.config.problem import Misfit, Misfits, Problem, Unfit, shown
from linkpress.config.values import Reads, written
from linkpress.config.yaml_source import YamlSource

MAX_REPLACEMENT = 999
_NUMBER = f"a puzzle's printed number, 1 to {MAX_PUZZLES}, is needed, as in 17: 1"
_WHICH = f"which replacement is wanted, 1 to {MAX_REPLACEMENT}, must stand behind the number, as in 17: 1"
_WORDS = "puzzle numbers, each with which replacement, as {17: 1}"


def bare_numbers(source: YamlSource) -> list[Problem]:
    """Numbers without a word on which replacement; elsewhere a key without a value counts as left out."""
    given = source.value.get("replace")
    bare = [key for key, which in given.items() if which is None] if isinstance(given, dict) else []
    return [source.problem(("replace", key), "", _WHICH, at_key=True) for key in bare]


def _read_replacements(value: object) -> Mapping[int, int]:
    if not isinstance(value, Mapping):
        raise Unfit(shown(written(value, _WORDS)), f"{_WORDS}, is needed")
    read: dict[int, int] = {}
    faults = []
    for key, which in value.items():
        try:
            read[_read_count(key, MAX_PUZZLES, _NUMBER)] = _read_count(which, MAX_REPLACEMENT, _WHICH)
        except Unfit as fault:
            faults.append(Misfit((str(key),), fault.found, fault.message))
    if faults:
        raise Misfits(faults)
    return MappingProxyType(dict(sorted(read.items())))


def _read_count(value: object, most: int, words: str) -> int:
    text = written(value, words)
    if not re.fullmatch(r"[1-9][0-9]{0,4}", text) or int(text) > most:
        raise Unfit(shown(text), words)
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
