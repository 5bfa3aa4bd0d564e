"""Finds the shipped data folders, ``config`` and ``fonts``, and users' own files beside them.

In an installed wheel they lie inside the package; in a checkout (an editable install) at its
top level. Everything that ships as data is reached through ``resource``.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from pathlib import Path

from linkpress.errors import InstallationError, UsageError

REINSTALL = "pip install --force-reinstall linkpress"

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
            UsageError: no such name and no such file, or a folder; lists the names that there are.
        """
        text = str(name_or_path)
        if text in self.names():
            return resource("config", self.folder, f"{text}.yaml")
        if is_file(Path(text)):
            return Path(text)
        if is_folder(Path(text)):
            raise UsageError(f"{text!r} is a folder, and a {self.kind} is a YAML file. {self.choice(text)}.")
        raise UsageError(f"no {self.kind} named {text!r} and no such file. {self.choice(text)}.")

    def choice(self, name: str) -> str:
        """What may stand where an unknown name stands, the nearest first; without a full stop."""
        near = difflib.get_close_matches(name.lower(), self.names(), n=1, cutoff=0.5)
        meant = f"Did you mean {near[0]}? " if near else ""
        return (
            f"{meant}Shipped: {', '.join(self.names())}; or give the path of {self.own}, made from a copy of "
            "one of these"
        )


PRINTERS = Shelf("printers", "printer", "your own profile")
THEMES = Shelf("themes", "theme", "your own theme")
COLUMN_GRIDS = Shelf("newspapers", "column grid", "your own")


def resource(*parts: str) -> Path:
    """The path of a shipped file or folder.

    Args:
        parts: path below the data root, the first being ``config`` or ``fonts``.
    Returns:
        An existing path.
    Raises:
        InstallationError: nothing of that name is there: the installation is incomplete.
    """
    for root in (_PACKAGE, _PACKAGE.parent.parent):
        path = root.joinpath(*parts)
        if path.exists():
            return path
    raise InstallationError(
        f"{'/'.join(parts)} is not part of this installation in {_PACKAGE}. Put it back with '{REINSTALL}'."
    )


def beside(name: str, folder: Path) -> str:
    """A name out of a spec as ``Shelf.find`` takes it.

    Args:
        name: of a shipped file, or a path; a relative path is looked for beside the spec first.
        folder: that the spec lies in.
    """
    path = folder / name
    return str(path) if path.suffix and is_file(path) else name


def is_file(path: Path) -> bool:
    """Whether a path leads to a file; False too for a name too long or a folder that is closed."""
    try:
        return path.is_file()
    except OSError:
        return False


def is_folder(path: Path) -> bool:
    """As ``is_file``, for a folder."""
    try:
        return path.is_dir()
    except OSError:
        return False
