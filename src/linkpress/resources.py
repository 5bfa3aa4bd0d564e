"""Find and read the data files that are shipped with linkpress.

The files are in the folders ``config`` (YAML files and JSON schemas), ``fonts`` and ``docs/pictures``. In an
installed wheel, these folders are inside the package's folder ``data``. In a source checkout, they are at the
top level.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from string import Template
from typing import Any

from linkpress.errors import InstallationError

REINSTALL = "pip install --force-reinstall linkpress"

_PACKAGE = Path(__file__).resolve().parent


def resource(*parts: str) -> Path:
    """Return the path of a shipped file or folder, such as ``resource("config", "starter.yaml")``.

    Raises:
        InstallationError: the file is missing.
    """
    for root in (_PACKAGE / "data", _PACKAGE.parent.parent):
        path = root.joinpath(*parts)
        if path.exists():
            return path
    raise InstallationError(
        f"{'/'.join(parts)} is missing from the installation in {_PACKAGE}. Put it back with '{REINSTALL}'."
    )


@cache
def source_text(path: Path) -> str:
    """Read a text file that belongs to the code, such as a template or a script.

    The file is read on the first call. Later calls return the remembered text.
    """
    return path.read_text(encoding="utf-8")


def fill_template(template: Path, /, *tables: Mapping[str, object], **values: object) -> str:
    """Return the text of a template file with each ``$name`` replaced by a value.

    Args:
        template: the path of the file.
        tables: one mapping from names to values, or none.
        values: further values, as keyword arguments. If the mapping also has one of these names, the value
            of the keyword argument is used.
    """
    return Template(source_text(template)).substitute(*tables, **values)


def read_table(name: str) -> Any:
    """Read a YAML file of the folder ``config``, without checking its content.

    Returns:
        Nested dicts, lists and strings. Numbers are returned as strings too.
    """
    return _parse_table(resource("config", name).read_text(encoding="utf-8"))


class TableSections(dict[str, Any]):
    """Dict of the top-level keys of a YAML file in the folder ``config``.

    To save time, the value of a key is only parsed when the key is first used.

    Args:
        name: the name of the file. No line of this file may begin with a letter, unless the line has a
            top-level key.
    """

    def __init__(self, name: str) -> None:
        text = resource("config", name).read_text(encoding="utf-8")
        self._texts = re.split(r"^(?=\w)", text, flags=re.MULTILINE)

    def __missing__(self, key: str) -> Any:
        self[key] = _parse_table(next(text for text in self._texts if text.startswith(f"{key}:")))[key]
        return self[key]


def _parse_table(text: str) -> Any:
    # Import yaml here, so that commands that read no YAML start faster.
    import yaml

    # Both loaders return every scalar as a string. ``CBaseLoader`` is faster, but not always installed.
    return yaml.load(text, getattr(yaml, "CBaseLoader", yaml.BaseLoader))
