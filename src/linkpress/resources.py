"""Finds the shipped data folders, ``config`` and ``fonts``.

In an installed wheel they lie inside the package; in a checkout (an editable install) at its
top level. Everything that ships as data is reached through ``resource``.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def resource(*parts: str) -> Path:
    """The path of a shipped file or folder.

    Args:
        parts: path below the data root, the first being ``config`` or ``fonts``.
    Returns:
        An existing path.
    Raises:
        FileNotFoundError: nothing of that name is shipped: the installation is incomplete.
    """
    for root in (_PACKAGE, _PACKAGE.parent.parent):
        path = root.joinpath(*parts)
        if path.exists():
            return path
    raise FileNotFoundError(f"{'/'.join(parts)} is not part of this installation; reinstall linkpress")
