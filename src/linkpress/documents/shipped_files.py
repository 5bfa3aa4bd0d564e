"""Find the files that a spec names: printers, themes, covers, masks, pictures, column grids and languages.

The value of a key that names one of these files is the name of a shipped file, such as ``kdp-paperback``, or
the path of a user's own file. Paths start from the folder of the spec.
"""

from __future__ import annotations

import os.path
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import Annotated, BinaryIO

from linkpress.documents.problem import closest_match, printable
from linkpress.documents.values import line_of_text
from linkpress.errors import UsageError
from linkpress.files import TooLargeError, is_file, is_folder, open_limited, read_stream, reason, refuse_pipe
from linkpress.resources import resource

# The longest path that Linux can open. A spec can take keys from a base file. linkpress puts the base file's
# folder in front of each relative path in this file, so even valid paths can become long. A shorter limit
# could refuse them.
MAX_PATH = 4096


class HoldsPaths:
    """Annotation of a key whose value is the path of a file, or a text that contains paths of files."""

    def rebase(self, text: str, folder: PurePath) -> str:
        return (folder / text).as_posix()


NAME_OR_PATH = line_of_text(MAX_PATH, "name or path")
FilePath = Annotated[str, line_of_text(MAX_PATH, "path"), HoldsPaths()]
PicturePath = Annotated[
    str, replace(line_of_text(MAX_PATH, "path of a picture"), control="picture"), HoldsPaths()
]


@dataclass(frozen=True, slots=True)
class ShippedFiles(HoldsPaths):
    """One kind of shipped files, such as themes.

    It is used as an annotation of those keys of a spec whose values name a file of this kind.

    Args:
        folder: the folder of the files, inside the folder ``config``.
        kind: a word for a file of this kind, for messages.
        own: a phrase for a user's own file of this kind, for messages.
        suffix: the suffix of the shipped files.
        file_type: the type of the files, for messages.
    """

    folder: str
    kind: str
    own: str
    suffix: str = ".yaml"
    file_type: str = "YAML file"

    def names(self) -> tuple[str, ...]:
        return tuple(sorted(path.stem for path in resource("config", self.folder).glob(f"*{self.suffix}")))

    def find(self, name_or_path: str | Path, key: str = "") -> Path:
        """Return the path of a shipped file or of a user's own file.

        Args:
            name_or_path: the name of a shipped file, or a path.
            key: the spec's key that names the file, for messages.
        Raises:
            UsageError: there is neither a shipped file nor a file with this name.
        """
        text = str(name_or_path)
        if text in self.names():
            return resource("config", self.folder, f"{text}{self.suffix}")
        if is_file(Path(text)):
            return Path(text)
        if is_folder(Path(text)):
            problem = f"{text!r} is a folder, and a {self.kind} is a {self.file_type}"
        else:
            problem = f"no {self.kind} named {text!r} and no such file"
        raise UsageError(f"{problem}. {self.suggestion(text)}.", key)

    def problem_with(self, name: str, folder: Path) -> str | None:
        """Return a message if a name or path in a spec does not lead to a file; None if the file exists.

        Args:
            name: the value of the key.
            folder: the folder of the spec.
        """
        name_or_path = resolve_name(name, folder)
        if name_or_path in self.names() or is_file(Path(name_or_path)):
            return None
        if is_folder(folder / name):
            return f"this is a folder, and a {self.kind} is a {self.file_type}. {self.suggestion(name)}"
        return f"there is no such {self.kind} and no such file. {self.suggestion(name)}"

    def rebase(self, text: str, folder: PurePath) -> str:
        """Return a path with ``folder`` in front; leave the name of a shipped file unchanged."""
        is_name = text in self.names() or not PurePath(text).suffix
        return text if is_name else HoldsPaths.rebase(self, text, folder)

    def suggestion(self, name: str) -> str:
        """Return advice for a user who wrote an unknown name.

        The advice gives a similar name, if there is one, and the names of all files that are part of
        linkpress. It does not end with a full stop.
        """
        near = closest_match(name, self.names()) if len(name) > _CODE else None
        meant = f"Did you mean {near}? " if near else ""
        return (
            f"{meant}Shipped: {', '.join(self.names())}; or give the path of {self.own}, made from a copy of "
            "one of these"
        )


# Number of letters in the code of a language. Such short names resemble each other by chance, so messages
# don't suggest a similar name for them.
_CODE = 2
PRINTERS = ShippedFiles("printers", "printer", "your own profile")
COVERS = ShippedFiles("covers", "design", "your own design")
THEMES = ShippedFiles("themes", "theme", "your own theme")
COLUMN_GRIDS = ShippedFiles("newspapers", "column grid", "your own")
MASKS = ShippedFiles("masks", "mask", "your own text or picture", ".txt", "text or a picture")
PICTURES = ShippedFiles("pictures", "picture", "your own text or picture", ".txt", "text or a picture")
DIFFICULTY_SETS = ShippedFiles("difficulties", "set of difficulties", "your own set")
LANGUAGES = ShippedFiles("languages", "language", "your own words file")

# For each kind of file: some keys that only this kind has at the top, and how a file of this kind is used.
_KINDS = (
    (
        {"week"},
        "a newspaper feed: `linkpress feed {file} --from 2026-12-01 --days 7 -o output/daily` makes it, with "
        "your own first day and folder",
    ),
    ({"levels"}, "a book: `linkpress build {file}` builds it"),
    ({"puzzles"}, "a book: `linkpress build {file}` builds it"),
    ({"name", "grid", "type"}, "a theme; a book or a feed names it: `theme: {file}`"),
    ({"how_to_play", "rules_intro"}, "a words file; a book or a feed names it: `language: {file}`"),
    ({"trims", "papers"}, "the profile of a printer; a book names it: `page: {{printer: {file}}}`"),
    ({"palettes"}, "a cover's design; a book names it: `cover: {{design: {file}}}`"),
    ({"widths_mm"}, "a column grid; a feed names it: `image: {{grid: {file}}}`"),
    ({"$defs"}, "a JSON Schema, by which editors check such files; give a file that it checks"),
)


def describe_file(file: str, keys: Collection[str]) -> str | None:
    """Return a sentence that says what kind of file this is and how to use it.

    Args:
        file: the path of the file.
        keys: the keys at the top of the file.
    Returns:
        The sentence. None if the keys don't show the kind of the file.
    """
    for kind_keys, description in _KINDS:
        if kind_keys.issubset(keys):
            return f"this is {description}".format(file=printable(file, 300))
    return None


@contextmanager
def open_named(path: Path, key: str, most_mb: int, too_large: str) -> Iterator[BinaryIO]:
    """Open a file whose path is the value of a key in a spec.

    Args:
        path: the file.
        key: the spec's key, for messages.
        most_mb: the largest size in megabytes.
        too_large: advice for the end of the message about a file that is too large.
    Raises:
        UsageError: the file can't be read or is too large.
    """
    name = printable(os.path.normpath(path), 300)
    try:
        refuse_pipe(path)
        with open_limited(path, most_mb << 20) as file:
            yield file
    except TooLargeError:
        raise UsageError(f"{name} is over {most_mb} MB{too_large}", key) from None
    except OSError as error:
        raise UsageError(
            f"{name} can't be read: {reason(error)}. Paths start from the folder of the file in which they "
            "are written.",
            key,
        ) from error


def read_named(path: Path, key: str, most_mb: int, too_large: str) -> bytes:
    """Return the content of a file whose path is the value of a key in a spec.

    The arguments and errors are the same as for ``open_named``.
    """
    with open_named(path, key, most_mb, too_large) as file:
        return read_stream(file, most_mb << 20)


def resolve_name(name: str, folder: Path) -> str:
    """Turn a path in a spec into a path that starts from the current folder.

    The name of a shipped file is returned unchanged.

    Args:
        name: the name of a shipped file, or a path.
        folder: the folder of the spec.
    """
    path = folder / name
    return str(path) if path.suffix and is_file(path) else name
