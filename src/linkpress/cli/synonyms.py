"""Other words that people type for commands and options, and the words that linkpress has for them.

``translate`` rewrites a command line such as ``linkpress make --spec book.yaml --threads 4`` before Typer
reads it. All other words are in one table, ``config/other-words.yaml``, whose comments explain its parts.
They are not part of the help. A line on standard error names the command that is run instead. What can't be
done is refused, and the message says which command does it.
"""

from __future__ import annotations

import difflib
import re
import shlex
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from linkpress.cli.options import exists
from linkpress.errors import Notify, UsageError
from linkpress.files import is_file, is_folder
from linkpress.resources import resource

REFUSED = "!"
_HELP_WORDS = ("help", "--help", "-h", "-help", "-?", "?", "/?", "usage", "man", "commands")
# Commands that take a book's file, and use the one in the current folder if none is given.
_WANT_A_BOOK = ("build", "check", "preview", "export", "typeset", "play", "pack", "listing", "verify")
# Commands whose option --set changes keys of the spec.
_TAKE_KEYS = ("build", "check", "init", "typeset")
_SUFFIXES = (".yaml", ".yml")
_IMAGE_FORMATS = ("png", "tiff", "svg", "pdf", "eps")
_FORMAT_WORDS = {"pdf": "", "epub": "epub=yes", "kindle": "epub.kind=kindle", "html": "play=yes"}

OptionsOf = Callable[[str], Mapping[str, bool] | None]


@dataclass(frozen=True)
class Option:
    """Row of the table with other names of an option.

    Args:
        commands: the commands for which the row applies.
        names: other names of the option. A name that ends with ``=`` takes a value.
        words: what is put in its place; with ``{}``, the option takes a value. ``!`` refuses the option.
        note: what else the user should know.
    """

    commands: str
    names: str
    words: str
    note: str = ""


@dataclass(frozen=True)
class WordTable:
    """The table of other words.

    Args:
        commands: the command, possibly with options, for each other name of a command.
        of_books: the command that such a name means before the YAML file of a book.
        refused: what can be done instead of a command that linkpress does not have.
        arguments: for each command, the option that an argument stands for, by the argument's pattern.
        options: other names of options.
    """

    commands: Mapping[str, str]
    of_books: Mapping[str, str]
    refused: Mapping[str, str]
    arguments: Mapping[str, Mapping[str, str]]
    options: Sequence[Option]


@cache
def word_table() -> WordTable:
    """Return the shipped table of other words."""
    import yaml  # late: ``linkpress --help`` needs no YAML

    text = resource("config", "other-words.yaml").read_text(encoding="utf-8")
    table: Any = yaml.load(text, getattr(yaml, "CBaseLoader", yaml.BaseLoader))  # all scalars as texts

    def by_name(part: str) -> dict[str, str]:
        return {name: own for own, names in table[part].items() for name in names}

    return WordTable(
        commands=by_name("commands"),
        of_books=by_name("of_books"),
        refused=by_name("refused"),
        arguments=table["arguments"],
        options=[Option(*row) for row in table["options"]],
    )


def translate(
    words: Sequence[str], commands: Collection[str], options_of: OptionsOf, notify: Notify
) -> list[str]:
    """Return a command line in linkpress's own words.

    Args:
        words: the words after ``linkpress``.
        commands: the names of all commands.
        options_of: returns the options of a command, each with whether it takes a value; None if the command
            has commands of its own.
        notify: takes a line about what is run instead, and notes about options.
    Raises:
        UsageError: a word is known, but linkpress can't do what it says. The message says what can be done.
    """
    if words == ["--help"] or words == ["--version"]:
        return list(words)
    if words[0] in _HELP_WORDS:
        words = [*words[1:], "--help"]
    elif words[-1] == "help" and len(words) == 2:
        words = [words[0], "--help"]
    command, rest = _command_and_rest(list(words), commands, options_of)
    if not command or command == "--version":
        return [command, *rest] if command else list(words)
    if command not in commands:
        table = word_table()
        if command in table.refused:
            raise UsageError(f"There is no linkpress {command}: {table.refused[command]}")
        near = difflib.get_close_matches(command, [*commands, *table.commands], 1, 0.8)
        own = table.commands.get(near[0]) if near else None
        if own:  # Typer suggests the names of its own commands
            raise UsageError(
                f"No such command '{command}'. Did you mean '{near[0]}', which is linkpress {own}?"
            )
        return [command, *rest]
    translation = _Translation(command, options_of)
    translation.read(rest)
    result = translation.words()
    if translation.command in _WANT_A_BOOK and not translation.arguments and not {"--help", "-h"} & {*result}:
        result += _book_here(translation.command)
    notes = dict.fromkeys(translation.notes)
    if result != list(words) and sorted(result) != sorted(words):
        notify(f"linkpress: running linkpress {shlex.join(result)}")
    for note in notes:
        notify(f"linkpress: {note}")
    return result


def _command_and_rest(
    words: list[str], commands: Collection[str], options_of: OptionsOf
) -> tuple[str, list[str]]:
    """Find the command in a command line, in which options may be in front of it.

    Returns:
        The command and the words that follow it, with the options moved behind it. An empty command means
        that the words are left to Typer.
    """
    options: list[str] = []
    rest = list(words)
    while rest and rest[0].startswith("-") and rest[0] not in word_table().commands:
        if rest[0] in ("-h", "--help", "--version", "--"):
            return "", []
        name, equals, _ = rest[0].partition("=")
        takes_value = not equals and _takes_value("build", name, options_of("build") or {})
        options += rest[: 1 + takes_value]
        del rest[: 1 + takes_value]
    if not rest:
        return ("build", options) if options else ("", [])
    word, second = rest[0], next(iter(rest[1:]), "-")
    is_usual = word in commands and not any(each.endswith(_SUFFIXES) for each in rest)
    if is_usual and (second.startswith("-") or exists(Path(second)) or options_of(word) is None):
        return word, [*options, *rest[1:]]  # without loading the table, which takes 20 ms
    others, following = word_table().commands, [*options, *rest[1:]]
    if (own := others.get(f"{word} {second}")) and not is_file(Path(second)):
        return _split(own, [*options, *rest[2:]])
    if (word.endswith(_SUFFIXES) or is_folder(Path(word))) and word not in commands:
        if second in commands or second in others:  # the command behind the file
            return _command_and_rest([second, *options, word, *rest[2:]], commands, options_of)
        return "build", [*options, *rest]
    own = others.get(word) or others.get(word.replace("-", " ").replace("_", " ")) or word
    if own not in commands and own == word and is_file(Path(f"{word}.yaml")):
        return "build", [*options, f"{word}.yaml", *rest[1:]]
    if word == "create" and following[:1] and not following[0].startswith("-"):
        own = own if is_file(Path(following[0])) else "init"  # a book that does not exist yet
    if of_books := word_table().of_books.get(word):
        parsed = _Translation(own.split()[0], options_of)
        parsed.read(following)
        if parsed.arguments and parsed.arguments[0].endswith(_SUFFIXES):
            own = of_books
    return _split(own, following)


def _split(own: str, following: list[str]) -> tuple[str, list[str]]:
    command, *more = own.split()
    return command, [*more, *following]


def _book_here(command: str) -> list[str]:
    """Return the book's file in the current folder: ``book.yaml``, or else the only YAML file."""
    files = sorted(path for path in Path().glob("*") if path.suffix in _SUFFIXES and is_file(path))
    if Path("book.yaml") in files:
        files = [Path("book.yaml")]
    if len(files) > 1:
        names = ", ".join(map(str, files[:6])) + (" …" if len(files) > 6 else "")
        raise UsageError(f"{command}: give the book's YAML file. Here are {names}")
    return [str(file) for file in files]


class _Translation:
    """Translation of the words after a command, which collects arguments, options and notes."""

    def __init__(self, command: str, options_of: OptionsOf) -> None:
        self.command = command
        self.arguments: list[str] = []
        self.notes: list[str] = []
        self._options_of = options_of
        self._options = options_of(command)
        self._words: list[str] = []
        self._sides: dict[str, str] = {}
        self._mix: list[str] = []

    def words(self) -> list[str]:
        size = "x".join(self._sides[side] for side in ("cols", "rows") if side in self._sides)
        sizes = ["--size", size] if size else []
        mix = ["--from" if self.command == "init" else "--difficulty", ",".join(self._mix)]
        return [self.command, *self._words, *sizes, *(mix if self._mix else [])]

    def read(self, rest: Sequence[str]) -> None:
        """Translate the words after the command."""
        if self._options is None:
            self._words += rest
            self.arguments += rest
            return
        queue = list(rest)
        while queue:
            word = queue.pop(0)
            if word == "--":
                self.arguments += queue
                self._words += [word, *queue]
                return
            if word.startswith("-") and word != "-":
                self._read_option(word, queue)
                continue
            self._read_argument(word)

    def _read_argument(self, word: str) -> None:
        patterns = {} if exists(Path(word)) else word_table().arguments.get(self.command, {})
        option = next((name for name, pattern in patterns.items() if re.fullmatch(pattern, word)), "")
        if "{}" in option:
            self._words += option.replace("{}", word).split()
        elif option:
            self._words += [option, word]
        else:
            if self.command in _WANT_A_BOOK and not exists(Path(word)) and is_file(Path(f"{word}.yaml")):
                word = f"{word}.yaml"
            self.arguments.append(word)
            self._words.append(word)

    def _read_option(self, word: str, queue: list[str]) -> None:
        name, value = self._name_and_value(word)
        options = self._options or {}
        row = None if name in options else _row(self.command, name)
        if name == "-f" and queue and queue[0].endswith(_SUFFIXES):
            row = _row(self.command, "--file")
        elif name == "-f" and queue[:1] and set(_parts(queue[0])) <= {*_IMAGE_FORMATS, *_FORMAT_WORDS}:
            row = _row(self.command, "--format")
        if row is None and name not in options:
            row = self._row_of_key(name, value or next(iter(queue), ""))
        if row is None:
            if name in options and not word.startswith(
                name
            ):  # another spelling, such as -seed or --no_ledger
                self._words += [name] if value is None else [name, value]
            else:
                self._words.append(word)
            if options.get(name) and value is None and queue:
                self._words.append(queue.pop(0))
            return
        if _row_takes_value(row, name) and value is None:
            if not queue:
                self._words.append(word)  # Typer says that the option is unknown
                return
            value = queue.pop(0)
        if row.words == REFUSED:
            raise UsageError(f"{name}: {row.note}")
        if row.note:
            self.notes.append(row.note)
        if row.words.startswith("="):
            self._change_command(row.words[1:], queue)
        else:
            self._put(row.words, value or "", name)

    def _row_of_key(self, name: str, value: str) -> Option | None:
        """Return a row for an option with the name of a key of the spec, such as ``--solutions-per-page``."""
        switch = next((each for each in ("--no-", "--with-") if name.startswith(each)), "")
        if self.command not in _TAKE_KEYS or not name.startswith("--"):
            return None
        if not switch and value[:1] in ("", "-"):
            return None
        from linkpress.book.spec import BookSpec
        from linkpress.documents.other_names import name_table

        key = name[len(switch or "--") :].replace("-", "_")
        targets = list(name_table().targets(key, [""]))
        targets = [target for target in targets if target[0][0] in BookSpec.model_fields]
        if len(targets) == 1 and not targets[0][1]:
            key = ".".join(map(str, targets[0][0]))
        elif not targets and key not in BookSpec.model_fields:
            return None
        new = {"--no-": "no", "--with-": "yes"}.get(switch, "{}")
        return Option(self.command, name, f"--set {key}={new}")

    def _name_and_value(self, word: str) -> tuple[str, str | None]:
        """Split a word into the option's name, in its usual spelling, and the value in the same word."""
        name, equals, value = word.partition("=")
        options = self._options or {}
        if name not in options and len(name) > 4 and not _row(self.command, name):
            plural_or_singular = (f"{name}s", name.removesuffix("s"))
            name = next((other for other in plural_or_singular if other in options), name)
        long = f"--{name.lstrip('-').replace('_', '-')}"
        if len(name) > 2 and (long in options or _row(self.command, long)):
            return long, value if equals else None
        if not name.startswith("--") and len(word) > 2:
            short = word[:2]
            if _takes_value(self.command, short, options):
                return short, word[2:].removeprefix("=")
        return name, value if equals else None

    def _change_command(self, command: str, queue: list[str]) -> None:
        """Begin again with another command, and leave out options that only the old command has."""
        old, words = self._options or {}, self._words
        self.command, self._options = command, self._options_of(command)
        self._words, self.arguments = [], []
        queue[:] = [*words, *queue]
        for index in reversed(range(len(queue))):
            name = queue[index].partition("=")[0]
            if name in old and name not in (self._options or {}) and not _row(command, name):
                self.notes.append(f"{name} changes nothing for linkpress {command}")
                del queue[index : index + 1 + (old[name] and "=" not in queue[index])]

    def _put(self, words: str, value: str, name: str) -> None:
        if words in ("{cols}", "{rows}"):
            self._sides[words[1:-1]] = value
        elif words in ("{}", "*.yaml"):
            self.arguments.append(value or words)
            self._words.append(value or words)
        elif words == "{mix}":
            self._mix.append(f"{name[2:]}={value}")
        elif words == "{size}":
            self._words += ["--set", f"page.trim={_page_size(value)}"]
        elif words == "{formats}":
            self._words += _book_formats(value)
        elif words == "{images}":
            self._words += map(_image_flag, _parts(value))
        else:
            values = (
                word.replace("{percent}", _percent(value))
                .replace("{length}", _length(value))
                .replace("{}", value)
                for word in words.split()
            )
            self._words += values


def _row(command: str, name: str) -> Option | None:
    for row in word_table().options:
        if name in row.names.replace("=", "").split() and command in row.commands.split():
            return row
    return None


def _row_takes_value(row: Option, name: str) -> bool:
    return "{" in row.words or f"{name}=" in row.names.split()


def _takes_value(command: str, name: str, options: Mapping[str, bool]) -> bool:
    row = _row(command, name)
    return options[name] if name in options else row is not None and _row_takes_value(row, name)


def _parts(value: str) -> Iterator[str]:
    return (part for part in re.split(r"[,+ ]+", value.lower()) if part)


def _image_flag(part: str) -> str:
    """Return the option of ``export`` for a format; raise ``UsageError`` if images can't have it."""
    if part not in _IMAGE_FORMATS:
        raise UsageError(f"--format {part}: images can be {', '.join(_IMAGE_FORMATS)}.")
    return f"--{part}"


def _book_formats(value: str) -> Iterator[str]:
    """Yield the options with which ``build`` makes files in these formats."""
    images = []
    for part in _parts(value):
        if part not in _FORMAT_WORDS:
            images.append(part)
        elif _FORMAT_WORDS[part]:
            yield from ("--set", _FORMAT_WORDS[part])
    if images:
        yield from (
            "--set",
            f"images.format=[{', '.join(images)}]" if images[1:] else f"images.format={images[0]}",
        )


def _page_size(value: str) -> str:
    """Return a page size; raise ``UsageError`` if the value is none, because it may be the size of boards."""
    if not re.fullmatch(
        r"(?i)[ab][0-9]|letter|legal|half-letter|[0-9.]+(in|mm)? *x *[0-9.]+ *(in|mm)", value
    ):
        raise UsageError(
            f"--size {value}: for a page size give its unit, as --set page.trim=6x9in. The sizes of boards "
            "are in the levels of the spec."
        )
    return value


def _length(value: str) -> str:
    """Return a length; a number without a unit is in pixels."""
    return f"{value}px" if value.isdigit() else value


def _percent(value: str) -> str:
    """Write a share of solid squares such as 0.05 or 0,05 as a percentage; leave anything else as it is.

    Raises:
        UsageError: it is more than a half, which may also mean the share of the other squares.
    """
    if not re.fullmatch(r"0?[.,][0-9]+", value):
        return value
    share = 100 * float(value.replace(",", "."))
    if share > 50:
        raise UsageError(
            f"a ratio of {value}: of solid squares, or of the squares on paths? For solid squares give "
            f"--solids {share:g}%, for squares on paths --solids {100 - share:g}%."
        )
    return f"{share:g}%"
