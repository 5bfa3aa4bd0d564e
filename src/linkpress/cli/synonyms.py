"""Accept other names of commands and options that people often type, such as ``make`` for ``build``.

``translate`` rewrites a command line such as ``linkpress make --spec book.yaml --threads 4`` before Typer,
the command-line library, parses it. A line on standard error shows the command that is run instead. For some
words there is only an error message, which names another way to the same goal.

All synonyms are in the table ``config/other-words.yaml``, whose comments explain its format. The help does
not mention them.
"""

from __future__ import annotations

import difflib
import re
import shlex
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from linkpress.cli.options import exists
from linkpress.cli.process import is_redirected
from linkpress.errors import Notify, UsageError
from linkpress.files import YAML_SUFFIXES, ImageFormat, is_file, is_folder
from linkpress.resources import read_table

REFUSED = "!"
_HELP_WORDS = ("help", "--help", "-h", "-help", "-?", "?", "/?", "usage", "man", "commands", "--help-all")
# Commands that need the YAML file of a book. Without a file, they use the one in the current folder.
_BOOK_COMMANDS = (
    *("build", "check", "fix", "preview", "export", "typeset", "play", "pack", "listing", "verify"),
)
_COMMANDS_FOR_SEVERAL = ("build", "check")
_PUZZLE_COMMANDS = ("solve", "prove", "grade", "hint")
# Commands that are replaced by others if a book's YAML file follows: ``prove book.yaml`` runs ``check``.
_OTHERS_FOR_BOOKS = (*_PUZZLE_COMMANDS, "generate", "verify")
# Words that people type before a command but that mean nothing, as in ``linkpress run build``.
_EMPTY_WORDS = ("linkpress", "run", "book")
# Maps each format of a book that people give with --format to the change of the spec that selects the format.
# A PDF is always written, so this format needs no change.
_FORMAT_WORDS = {"pdf": "", "epub": "epub=yes", "kindle": "epub.kind=kindle", "html": "play=yes"}

OptionsOf = Callable[[str], Mapping[str, bool] | None]
"""Function that takes a command and returns its options. The values say whether an option takes a value.

It returns None for a command that has subcommands.
"""


@dataclass(frozen=True)
class Option:
    """Row of the synonym table: synonyms for an option.

    Args:
        commands: the commands that accept the synonyms, separated by blanks.
        names: the synonyms, separated by blanks. A synonym with ``=`` takes a value. A regular expression
            after ``=`` must match the value.
        words: the words that replace the synonym. ``{}`` stands for its value. ``!`` means that the option
            is refused.
        note: a message for the user about the replacement, or the reason for refusing the option.
    """

    commands: str
    names: str
    words: str
    note: str = ""


@dataclass(frozen=True)
class WordTable:
    """Table of synonyms for commands and options.

    Args:
        commands: maps each synonym of a command to the command, possibly with options.
        of_books: maps a synonym to the command that it means if the YAML file of a book follows it. Without
            such a file, the synonym means the command in ``commands``.
        refused: advice for words that look like commands but that linkpress lacks. The key is the word, and
            the value says how to reach the same goal.
        arguments: for each command, maps options to regular expressions. An argument that matches the
            expression is passed with the option.
        options: the synonyms of options.
    """

    commands: Mapping[str, str]
    of_books: Mapping[str, str]
    refused: Mapping[str, str]
    arguments: Mapping[str, Mapping[str, str]]
    options: Sequence[Option]


@cache
def word_table() -> WordTable:
    """Read the table of synonyms that is shipped with linkpress."""
    table = read_table("other-words.yaml")

    def by_synonym(part: str) -> dict[str, str]:
        return {synonym: meaning for meaning, synonyms in table[part].items() for synonym in synonyms}

    return WordTable(
        commands=by_synonym("commands"),
        of_books=by_synonym("of_books"),
        refused=by_synonym("refused"),
        arguments=table["arguments"],
        options=[Option(*row) for row in table["options"]],
    )


def translate(
    words: Sequence[str], commands: Collection[str], options_of: OptionsOf, notify: Notify
) -> list[str]:
    """Replace the synonyms in a command line by the commands and options that linkpress has.

    Args:
        words: the words of the command line after ``linkpress``.
        commands: the names of all commands.
        options_of: function that returns the options of a command, each with a flag: whether it takes a
            value. It returns None for a command that has subcommands.
        notify: function that is called with messages for the user, such as the command that is run instead.
    Returns:
        The new words of the command line. Unknown words are not changed; Typer reports them.
    Raises:
        UsageError: the table says that a word is refused. The message says how to reach the same goal.
    """
    if words == ["--help"]:
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
        similar = difflib.get_close_matches(command, [*commands, *table.commands], 1, 0.8)
        meaning = table.commands.get(similar[0]) if similar else None
        if meaning:
            # The word that the user typed is similar to a synonym. Suggest the synonym here, because Typer
            # suggests only real names of commands.
            raise UsageError(
                f"No such command '{command}'. Did you mean '{similar[0]}', which is linkpress {meaning}?"
            )
        return [command, *rest]
    translation = _Translation(command, options_of)
    translation.read(rest)
    result = translation.words()
    if not {"--help", "-h"} & {*result}:
        result += _missing_argument(translation.command, translation.arguments)
    notes = dict.fromkeys(translation.notes)
    if sorted(result) != sorted(words):
        notify(f"linkpress: running linkpress {shlex.join(result)}")
    for note in notes:
        notify(f"linkpress: {note}")
    return result


def _command_and_rest(
    words: list[str], commands: Collection[str], options_of: OptionsOf
) -> tuple[str, list[str]]:
    """Find the command in a command line, even if options come before it.

    Returns:
        The command, and a list of all other words. Options that the user has typed before the command come
        first in this list. If the command is empty, Typer must parse the original command line.
    """
    options: list[str] = []
    rest = list(words)
    while rest and rest[0].startswith("-"):
        if rest[0] in word_table().commands or rest[0] in word_table().refused:
            break
        if rest[0] in ("-h", "--help", "--version", "--"):
            return "", []
        name, equals, _ = rest[0].partition("=")
        after = next(iter(rest[1:]), "")
        takes_value = not equals and _takes_value("build", name, options_of("build") or {}, after)
        options += rest[: 1 + takes_value]
        del rest[: 1 + takes_value]
    if not rest:
        return ("build", options) if options else ("", [])
    word, second = rest[0], next(iter(rest[1:]), "-")
    may_be_other = word in _OTHERS_FOR_BOOKS and any(each.endswith(YAML_SUFFIXES) for each in rest)
    is_usual = word in commands and not may_be_other
    if is_usual and (second.startswith("-") or exists(Path(second)) or options_of(word) is None):
        # The user has typed the name of a command, not a synonym. So the table of synonyms is not needed.
        # Loading it would take 20 ms.
        return word, [*options, *rest[1:]]
    synonyms = word_table().commands
    if word in _EMPTY_WORDS and (second in commands or second in synonyms):
        return _command_and_rest([second, *options, *rest[2:]], commands, options_of)
    following = [*options, *rest[1:]]
    if (meaning := synonyms.get(f"{word} {second}")) and not is_file(Path(second)):
        return _split(meaning, [*options, *rest[2:]])
    if (word.endswith((*YAML_SUFFIXES, ".pdf")) or is_folder(Path(word))) and word not in commands:
        # The user typed the file before the command, as in `book.yaml check`.
        if second in commands or second in synonyms:
            return _command_and_rest([second, *options, word, *rest[2:]], commands, options_of)
        return "build", [*options, *rest]
    meaning = synonyms.get(word) or synonyms.get(word.replace("-", " ").replace("_", " ")) or word
    if meaning not in commands and meaning == word and is_file(Path(f"{word}.yaml")):
        return "build", [*options, f"{word}.yaml", *rest[1:]]
    if word == "create" and following[:1] and not following[0].startswith("-"):
        # "create" means "build" if the file of the book exists, and otherwise "init".
        meaning = meaning if is_file(Path(following[0])) else "init"
    if book_meaning := word_table().of_books.get(word):
        parsed = _Translation(meaning.split()[0], options_of)
        parsed.read(following)
        if parsed.arguments and parsed.arguments[0].endswith(YAML_SUFFIXES):
            meaning = book_meaning
    return _split(meaning, following)


def _split(meaning: str, following: list[str]) -> tuple[str, list[str]]:
    command, *options = meaning.split()
    return command, [*options, *following]


def _missing_argument(command: str, arguments: Sequence[str]) -> list[str]:
    """Return a list with the argument to add if the user typed a command without a file.

    For a command about books, it is the book in the current folder. For a command about puzzles, it is ``-``,
    if standard input is a file or a pipe. The list is empty if the command line already has arguments, or if
    the command needs none.

    Raises:
        UsageError: the command can't read the files that the user typed, or the current folder has several
            books to choose from.
    """
    if command in _PUZZLE_COMMANDS:
        return [] if arguments or not is_redirected(sys.stdin) else ["-"]
    if command not in _BOOK_COMMANDS:
        return []
    if "-" in arguments:
        raise UsageError(
            f"{command} reads no book from standard input, because a book's pictures and output are found by "
            f"its place. Save it as a file: linkpress {command} book.yaml"
        )
    if command not in _COMMANDS_FOR_SEVERAL and sum(word.endswith(YAML_SUFFIXES) for word in arguments) > 1:
        raise UsageError(f"{command} takes one book at a time, as: linkpress {command} {arguments[0]}")
    return [] if arguments else _book_in_current_folder(command)


def _book_in_current_folder(command: str) -> list[str]:
    """Find the YAML file of a book in the current folder, for a command line without a file.

    Returns:
        A list with one file: ``book.yaml``, or else the only YAML file. Empty if there is no YAML file.
    Raises:
        UsageError: the folder has several YAML files, and none of them is called ``book.yaml``.
    """
    files = sorted(path for path in Path().glob("[!.]*") if path.suffix in YAML_SUFFIXES and is_file(path))
    if Path("book.yaml") in files:
        files = [Path("book.yaml")]
    if len(files) > 1:
        names = ", ".join(map(str, files[:6])) + (" …" if len(files) > 6 else "")
        raise UsageError(f"{command}: say which book is meant. The YAML files in this folder are {names}")
    return [str(file) for file in files]


class _Translation:
    """Translator of the words that follow a command.

    Call ``read`` to replace the synonyms of options, then ``words`` to get the new command line. The
    attribute ``arguments`` has the words that are not options, and ``notes`` has messages for the user.

    Args:
        command: the real name of the command, not a synonym.
        options_of: function that returns for each option of a command whether it takes a value.
    """

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
        """Replace synonyms by linkpress's own words in the arguments that follow the command's name.

        Nothing is returned. Afterwards, the method ``words`` returns the new command line.
        """
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
        is_file_to_read = exists(Path(word)) and not self.arguments
        patterns = {} if is_file_to_read else word_table().arguments.get(self.command, {})
        option = next((name for name, pattern in patterns.items() if re.fullmatch(pattern, word)), "")
        if "{}" in option:
            self._words += option.replace("{}", word).split()
        elif option:
            self._read_option(option, [word])
        else:
            if self.command in _BOOK_COMMANDS and not exists(Path(word)) and is_file(Path(f"{word}.yaml")):
                word = f"{word}.yaml"
            self.arguments.append(word)
            self._words.append(word)

    def _read_option(self, word: str, queue: list[str]) -> None:
        name, value = self._name_and_value(word)
        options = self._options or {}
        next_value = next(iter(queue), "") if value is None else value
        # If the command itself has an option of this name, the table of synonyms is not used. The option -o
        # is an exception: its row of the table refuses output files of some kinds.
        is_own = name in options and name not in ("-o", "--out")
        row = None if is_own else _row(self.command, name, next_value)
        if row is None and name not in options:
            row = self._row_of_key(name, next_value)
        if row is None:
            # The user typed another spelling of a real option, such as -seed or --no_ledger.
            if name in options and not word.startswith(name):
                self._words += [name] if value is None else [name, value]
            else:
                self._words.append(word)
            if options.get(name) and value is None and queue:
                self._words.append(queue.pop(0))
            return
        if _row_takes_value(row, name) and value is None:
            if not queue:
                # The command line ends where the option's value is expected. Typer will report
                # the missing value.
                self._words.append(word)
                return
            value = queue.pop(0)
        if row.words == REFUSED:
            typed = f"{name} {value}" if value else name
            raise UsageError(f"{typed}: {row.note.replace('{}', value or '')}")
        if row.note:
            self.notes.append(row.note)
        if row.words.startswith("="):
            self._change_command(row.words[1:], queue)
        elif row.words == "--out {}":
            queue[:0] = ["--out", value or ""]
        else:
            self._put(row.words, value or "", name)

    def _row_of_key(self, name: str, value: str) -> Option | None:
        """Translate an option that is named like a key of a book's spec, such as ``--solutions-per-page``.

        Args:
            name: the option, which may begin with ``--no-`` or ``--with-`` to set its key to no or yes.
            value: the text after the option's ``=``. If there is none, the next word of the command line.
        Returns:
            A row for the synonym table that replaces the option by ``--set KEY={}``. None if the command has
            no ``--set``, if the next word can't be a value of the option, or if no key has this name.
        """
        switch = next((each for each in ("--no-", "--with-") if name.startswith(each)), "")
        if "--set" not in (self._options or {}) or not name.startswith("--"):
            return None
        if not switch and (value[:1] in ("", "-") or value.endswith(YAML_SUFFIXES)):
            return None
        from linkpress.book.spec import BookSpec
        from linkpress.documents.other_names import name_table

        key = name[len(switch or "--") :].replace("-", "_")
        found = dict.fromkeys(name_table().targets(key, [""]))
        targets = [target for target in found if target[0][0] in BookSpec.model_fields]
        if len(targets) == 1 and not targets[0][1]:
            key = ".".join(map(str, targets[0][0]))
        elif not targets and key not in BookSpec.model_fields:
            return None
        new = {"--no-": "no", "--with-": "yes"}.get(switch, "{}")
        return Option(self.command, name, f"--set {key}={new}")

    def _name_and_value(self, word: str) -> tuple[str, str | None]:
        """Split a word such as ``--out=folder`` or ``-j4`` into the option and its value.

        Returns:
            The option in its standard spelling, and the value. The value is None if the word has none.
        """
        name, equals, value = word.partition("=")
        options = self._options or {}
        if name not in options and len(name) > 4 and not _row(self.command, name):
            plural_or_singular = (f"{name}s", name.removesuffix("s"))
            name = next((other for other in plural_or_singular if other in options), name)
        long = f"--{name.lstrip('-').replace('_', '-')}"
        if len(name) > 2 and (long in options or _row(self.command, long)):
            return long, value if equals else None
        if not name.startswith("--") and len(word) > 2 and not _row(self.command, name):
            short = word[:2]
            if _takes_value(self.command, short, options):
                return short, word[2:].removeprefix("=")
        return name, value if equals else None

    def _change_command(self, command: str, queue: list[str]) -> None:
        """Switch to another command, and translate the words of the command line again from the beginning.

        Options that only the old command has are dropped, with a note for the user.

        Args:
            command: the new command, possibly with options.
            queue: the words that are not translated yet. The words that were already translated are put back
                in front of them.
        """
        old, words = self._options or {}, self._words
        command, *added = command.split()
        self.command, self._options = command, self._options_of(command)
        self._words, self.arguments = [], []
        queue[:] = [*added, *words, *queue]
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
                .replace("{length}", f"{value}px" if value.isdigit() else value)
                .replace("{name}", name[2:])
                .replace("{}", value)
                for word in words.split()
            )
            self._words += values


def _row(command: str, name: str, value: str | None = None) -> Option | None:
    """Find the row of the table for an option's synonym.

    Args:
        command: the command.
        name: the synonym.
        value: the text after ``=`` or, if the option was typed without ``=``, the next word of the command
            line. If several rows have the synonym, each with a pattern for values, the first row whose
            pattern matches this text is returned. If ``value`` is None, patterns are ignored.
    Returns:
        The row; None if the table has no row for this option of the command.
    """
    for row in word_table().options:
        for synonym, _, pattern in (each.partition("=") for each in row.names.split()):
            is_meant = value is None or not pattern or re.fullmatch(pattern, value)
            if synonym == name and is_meant and command in row.commands.split():
                return row
    return None


def _row_takes_value(row: Option, name: str) -> bool:
    is_value_named = any(each.startswith(f"{name}=") for each in row.names.split())
    return is_value_named or "{" in row.words.replace("{name}", "")


def _takes_value(command: str, name: str, options: Mapping[str, bool], following: str | None = None) -> bool:
    # The name is a real option of the command and not a synonym, so don't load the table of synonyms.
    if name in options:
        return options[name]
    row = _row(command, name, following)
    return row is not None and _row_takes_value(row, name)


def _parts(value: str) -> Iterator[str]:
    return (part for part in re.split(r"[,+ ]+", value.lower()) if part)


def _image_flag(part: str) -> str:
    """Return the option of ``linkpress export`` that selects an image format, such as ``--png``.

    Raises:
        UsageError: ``export`` can't write images in this format.
    """
    if part not in [*ImageFormat]:
        raise UsageError(f"--format {part}: images can be {', '.join(ImageFormat)}.")
    return f"--{part}"


def _book_formats(value: str) -> Iterator[str]:
    """Yield the options that make ``linkpress build`` write files in the listed formats.

    Args:
        value: the formats, separated by commas, plus signs or blanks, such as ``pdf,epub``.
    """
    images = []
    for part in _parts(value):
        if part not in _FORMAT_WORDS:
            images.append(part)
        elif _FORMAT_WORDS[part]:
            yield from ("--set", _FORMAT_WORDS[part])
    if images:
        yield from ("--set", f"images.format=[{','.join(images)}]")


def _page_size(value: str) -> str:
    """Return the value of ``--size`` unchanged if it is the size of a page, with a unit.

    Raises:
        UsageError: the value has no unit, as in ``9x9``. The user may mean the size of the boards.
    """
    from linkpress.documents.values import parse_size

    try:
        parse_size(value)
    except ValueError:
        raise UsageError(
            f"--size {value}: for the size of the pages add a unit, as in --set page.trim=6x9in. For the "
            "size of the boards change the levels in the book's YAML file."
        ) from None
    return value


def _percent(value: str) -> str:
    """Convert a share of solid squares, such as ``0.05`` or ``0,05``, to a percentage.

    Other values, such as ``5%`` or ``3``, are returned unchanged.

    Raises:
        UsageError: the share is above one half. The user may mean the share of squares that are not solid.
    """
    if not re.fullmatch(r"0?[.,][0-9]+", value):
        return value
    share = 100 * float(value.replace(",", "."))
    if share > 50:
        raise UsageError(
            f"a ratio of {value} can mean the solid squares or the squares on paths. For solid squares give "
            f"--solids {share:g}%, for squares on paths --solids {100 - share:g}%."
        )
    return f"{share:g}%"
