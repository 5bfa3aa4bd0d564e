"""Find the data files that are shipped with linkpress.

They are in the folders ``config`` (YAML files and JSON schemas), ``fonts`` and ``docs/pictures``. An
installed wheel has these folders in the package's folder ``data``, and a source checkout has them at its top
level.
"""

from __future__ import annotations

import re
from pathlib import Path
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


def read_table(name: str) -> Any:
    """Read a YAML file of the folder ``config``. Return dicts, lists and strings, which are not checked."""
    return _parse_table(resource("config", name).read_text(encoding="utf-8"))


class TableSections(dict[str, Any]):
    """Top-level keys of a YAML file of the folder ``config``, each parsed when it is first used.

    Args:
        name: the name of the file. In it, only lines with a top-level key may begin with a letter.
    """

    def __init__(self, name: str) -> None:
        text = resource("config", name).read_text(encoding="utf-8")
        self._texts = re.split(r"^(?=\w)", text, flags=re.MULTILINE)

    def __missing__(self, key: str) -> Any:
        self[key] = _parse_table(next(text for text in self._texts if text.startswith(f"{key}:")))[key]
        return self[key]


def _parse_table(text: str) -> Any:
    # This is imported only when it is needed, so that commands that read no table start faster.
    import yaml

    # These loaders return every scalar as a string. The C version is faster, but not always installed.
    return yaml.load(text, getattr(yaml, "CBaseLoader", yaml.BaseLoader))
