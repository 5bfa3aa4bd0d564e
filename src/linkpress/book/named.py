"""Names that a spec calls shipped files by, or paths of a user's own: are they there?"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from linkpress.book.problem import KeyPath, Problem
from linkpress.book.yaml_source import YamlSource
from linkpress.errors import UsageError
from linkpress.resources import Shelf, beside, is_folder


def unknown_names(source: YamlSource, folder: Path, shelves: Mapping[KeyPath, Shelf]) -> list[Problem]:
    """A fault for each name that is neither shipped nor a file.

    Args:
        source: the spec's document.
        folder: that relative paths start from.
        shelves: where each key's names are looked up.
    """
    problems = []
    for path, shelf in shelves.items():
        name = _at(source.value, path)
        try:
            if isinstance(name, str) and name:
                shelf.find(beside(name, folder))
        except UsageError:
            if is_folder(folder / name):
                fault = f"this is a folder, and a {shelf.kind} is a YAML file"
            else:
                fault = f"there is no such {shelf.kind} and no such file"
            message = f"{fault}. {shelf.choice(name)}"
            problems.append(source.problem(path, name, message))
    return problems


def _at(value: Any, path: KeyPath) -> Any:
    for step in path:
        value = value.get(step) if isinstance(value, dict) else None
    return value
