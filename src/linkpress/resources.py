"""Finds the shipped data folders, ``config`` and ``fonts``, and users' own files beside them.

In an installed wheel they lie inside the package; in a checkout (an editable install) at its
top level. Everything that ships as data is reached through ``resource``.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from linkpress.errors import UsageError

_PACKAGE = Path(__file__).resolve().parent


@dataclass(frozen=True, slots=True)
class Shelf:
    """One kind of YAML files in ``config``, of which users may bring their own.

    Args:
        folder: below ``config``.
        kind: what messages call one of them.
        own: what messages call a user's.
    """

    folder: str
    kind: str
    own: str

    def names(self) -> tuple[str, ...]:
        """The names of the shipped files, in order."""
        return tuple(sorted(path.stem for path in resource("config", self.folder).glob("*.yaml")))

    def find(self, name_or_path: str | Path) -> Path:
        """The file of a shipped name, else the path of a user's own file.

        Raises:
            UsageError: no such name and no such file; lists the names that there are.
        """
        text = str(name_or_path)
        if text in self.names():
            return resource("config", self.folder, f"{text}.yaml")
        if is_file(Path(text)):
            return Path(text)
        raise UsageError(
            f"no {self.kind} named {text!r} and no such file. Shipped: {', '.join(self.names())}; or give "
            f"the path of {self.own}, made from a copy of one of these."
        )


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


def is_file(path: Path) -> bool:
    """Whether a path leads to a file; False too for a name too long or a folder that is closed."""
    try:
        return path.is_file()
    except OSError:
        return False
