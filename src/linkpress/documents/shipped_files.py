"""This module finds printers, themes, covers, masks, grids and languages, shipped or a user's own."""

from __future__ import annotations

import errno
import os.path
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Annotated, BinaryIO

from linkpress.documents.problem import closest_match, printable
from linkpress.documents.values import line_of_text
from linkpress.errors import UsageError
from linkpress.files import TooLargeError, is_file, is_folder, open_limited, read_stream, reason
from linkpress.resources import resource


class HoldsPaths:
    """This annotates a key whose text is the path of a file, which starts from its spec's folder."""

    def moved(self, text: str, folder: PurePath) -> str:
        """Rewrite the text so that it names the same file from where ``folder`` starts."""
        return (folder / text).as_posix()


# The longest that Linux opens, so that none is too long by the folder of a base alone.
MAX_PATH = 4096
NAME_OR_PATH = line_of_text(MAX_PATH, "name or path")
FilePath = Annotated[str, line_of_text(MAX_PATH, "path"), HoldsPaths()]
PicturePath = Annotated[str, line_of_text(MAX_PATH, "path of a picture"), HoldsPaths()]


@dataclass(frozen=True, slots=True)
class ShippedFiles(HoldsPaths):
    """Shipped files of one kind stand in the data folder ``config``; users may bring their own.

    Args:
        folder: the name of their folder below ``config``.
        kind: what messages call one of them.
        own: what messages call a user's own file.
        written: what messages say that such a file is.
    """

    folder: str
    kind: str
    own: str
    suffix: str = ".yaml"
    written: str = "YAML file"

    def names(self) -> tuple[str, ...]:
        """Return the names of the shipped files, in order."""
        return tuple(sorted(path.stem for path in resource("config", self.folder).glob(f"*{self.suffix}")))

    def find(self, name_or_path: str | Path, key: str = "") -> Path:
        """Return a shipped name's file, else a user's own; raise ``UsageError`` if there is neither."""
        text = str(name_or_path)
        if text in self.names():
            return resource("config", self.folder, f"{text}{self.suffix}")
        if is_file(Path(text)):
            return Path(text)
        if is_folder(Path(text)):
            what = f"{text!r} is a folder, and a {self.kind} is a {self.written}"
        else:
            what = f"no {self.kind} named {text!r} and no such file"
        raise UsageError(f"{what}. {self.choice(text)}.", key)

    def fault(self, name: str, folder: Path) -> str | None:
        """Tell what is wrong with a name in a spec in ``folder``; None if it is shipped or a file."""
        found = resolve_name(name, folder)
        if found in self.names() or is_file(Path(found)):
            return None
        if is_folder(folder / name):
            return f"this is a folder, and a {self.kind} is a {self.written}. {self.choice(name)}"
        return f"there is no such {self.kind} and no such file. {self.choice(name)}"

    def moved(self, text: str, folder: PurePath) -> str:
        """Rewrite a path, which has a suffix, and leave a shipped name as it is."""
        named = text in self.names() or not PurePath(text).suffix
        return text if named else HoldsPaths.moved(self, text, folder)

    def choice(self, name: str) -> str:
        """Tell what may stand in place of an unknown name, the nearest first; without a full stop."""
        near = closest_match(name, self.names())
        meant = f"Did you mean {near}? " if near else ""
        return (
            f"{meant}Shipped: {', '.join(self.names())}; or give the path of {self.own}, made from a copy of "
            "one of these"
        )


PRINTERS = ShippedFiles("printers", "printer", "your own profile")
COVERS = ShippedFiles("covers", "design", "your own design")
THEMES = ShippedFiles("themes", "theme", "your own theme")
COLUMN_GRIDS = ShippedFiles("newspapers", "column grid", "your own")
MASKS = ShippedFiles("masks", "mask", "your own text or picture", ".txt", "text or a picture")
LANGUAGES = ShippedFiles("languages", "language", "your own words file")

# Keys that stand together at the head of one kind of file alone, and what is done with such a file.
_KINDS = (
    (
        {"week"},
        "a newspaper feed: `linkpress feed {file} --from 2026-12-01 --days 7 -o output/daily` makes it",
    ),
    ({"levels"}, "a book: `linkpress build {file}` builds it"),
    ({"name", "grid"}, "a theme; a book or a feed names it: `theme: {file}`"),
    ({"how_to_play", "rules_intro"}, "a words file; a book or a feed names it: `language: {file}`"),
    ({"trims", "papers"}, "the profile of a printer; a book names it: `page: {{printer: {file}}}`"),
    ({"palettes"}, "a cover's design; a book names it: `cover: {{design: {file}}}`"),
    ({"widths_mm"}, "a column grid; a feed names it: `image: {{grid: {file}}}`"),
    ({"$defs"}, "a JSON Schema, by which editors check such files; give a file that it checks"),
)


def describe_file(file: str, keys: Collection[str]) -> str | None:
    """Tell what a file is, and what is done with it, by some of its keys; None if they don't tell."""
    found = (f"this is {what}" for own_keys, what in _KINDS if own_keys.issubset(keys))
    return next((sentence.format(file=printable(file, 300)) for sentence in found), None)


@contextmanager
def open_named(path: Path, key: str, most_mb: int, too_large: str) -> Iterator[BinaryIO]:
    """Open a file that a spec's key names; the arguments and what is raised are those of ``read_named``."""
    named = printable(os.path.normpath(path), 300)
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise OSError(errno.EINVAL, "it is a pipe or a device, and a file is needed")
        with open_limited(path, most_mb << 20) as file:
            yield file
    except TooLargeError:
        raise UsageError(f"{named} is over {most_mb} MB{too_large}", key) from None
    except OSError as fault:
        raise UsageError(
            f"{named} can't be read: {reason(fault)}. Paths start from the folder of the file that they "
            "stand in.",
            key,
        ) from fault


def read_named(path: Path, key: str, most_mb: int, too_large: str) -> bytes:
    """Read a file that a spec's key names; raise ``UsageError`` if it can't be, or has over ``most_mb``."""
    with open_named(path, key, most_mb, too_large) as file:
        return read_stream(file, most_mb << 20)


def resolve_name(name: str, folder: Path) -> str:
    """Return a name or path in a spec as ``ShippedFiles.find`` takes it; paths begin beside the spec."""
    path = folder / name
    return str(path) if path.suffix and is_file(path) else name
