"""This module finds the shipped folders: ``config`` (YAML and schemas), ``fonts`` and ``docs/pictures``.

In an installed wheel they lie in the package's folder ``data``; in a checkout (an editable
install) at its top level. Everything that ships as data is reached through ``resource``.
"""

from __future__ import annotations

from pathlib import Path

from linkpress.errors import InstallationError

REINSTALL = "pip install --force-reinstall linkpress"

_PACKAGE = Path(__file__).resolve().parent


def resource(*parts: str) -> Path:
    """Find a shipped file or folder below ``config``, ``fonts`` or ``docs``; raise ``InstallationError``."""
    for root in (_PACKAGE / "data", _PACKAGE.parent.parent):
        path = root.joinpath(*parts)
        if path.exists():
            return path
    raise InstallationError(
        f"{'/'.join(parts)} is not part of this installation in {_PACKAGE}. Put it back with '{REINSTALL}'."
    )
