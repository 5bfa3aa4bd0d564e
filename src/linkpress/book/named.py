"""Names that a spec calls shipped files by, or paths of a user's own: are they there?"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from linkpress.config.problem import KeyPath, Problem
from linkpress.config.shipped_files import ShippedFiles
from linkpress.config.yaml_source import YamlSource


def unknown_names(source: YamlSource, folder: Path, shelves: Mapping[KeyPath, ShippedFiles]) -> list[Problem]:
    """A fault for each name that is neither shipped nor a file.

    Args:
        source: the spec's document.
        folder: that relative paths start from.
        shelves: where each key's names are looked up.
    """
    problems = []
    for path, shelf in shelves.items():
        name = _at(source.value, path)
        fault = shelf.fault(name, folder) if isinstance(name, str) and name else None
        if fault:
            problems.append(source.problem(path, name, fault))
    return problems


def _at(value: Any, path: KeyPath) -> Any:
    for step in path:
        value = value.get(step) if isinstance(value, dict) else None
    return value
