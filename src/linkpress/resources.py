"""Find the data files that are shipped with linkpress.

They are in the folders ``config`` (YAML files and JSON schemas), ``fonts`` and ``docs/pictures``. An
installed wheel has these folders in the package's folder ``data``, and a source checkout has them at its top
level.
"""

from __future__ import annotations

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
    # This is imported only when it is needed, so that commands that read no table start faster.
    import yaml

    # These loaders return every scalar as a string. The C version is faster, but not always installed.
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    return yaml.load(resource("config", name).read_text(encoding="utf-8"), loader)
