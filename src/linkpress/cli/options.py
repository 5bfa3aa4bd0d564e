"""Define options that several commands share, read puzzle files, and lay out the help text."""

from __future__ import annotations

import errno
import inspect
import math
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, is_dataclass
from enum import Enum
from functools import wraps
from importlib import import_module
from inspect import Parameter
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer
from typer import Argument, Option
from typer.core import TyperCommand, TyperGroup
from typer.models import OptionInfo

from linkpress.cli.process import say
from linkpress.errors import Notify, PuzzleError, UsageError
from linkpress.files import is_folder, read_input, read_stream, reason

if TYPE_CHECKING:
    from linkpress.book.spec import RunChanges
    from linkpress.ledger.address import LedgerAddress
    from linkpress.production.dispatch import Workers
    from linkpress.production.journal import RunLog
    from linkpress.production.ledger_session import LedgerChoice
    from linkpress.puzzle.puzzle import Edge, Puzzle

_Record = TypeVar("_Record")

# The options and arguments that several commands share


def path_option(*words: str, metavar: str = "PATH", help: str, must_exist: str = "") -> OptionInfo:
    """Make an option that takes a path.

    An empty path is an error. It would mean the current folder, but the usual cause of an empty path is a
    shell variable that is not set.

    Args:
        words: the names of the option; ``-o`` and ``--out`` if there are none.
        metavar: the word for the path in the help text.
        help: the description in the help text.
        must_exist: "file" or "folder" if the path must exist already, otherwise empty.
    """

    def read(text: str) -> Path:
        if text in ("", "-"):
            what = "this output can't go to standard output" if text else "it is empty"
            raise typer.BadParameter(f"{what}. Give a path, or leave the option out.")
        if must_exist and not (is_folder if must_exist == "folder" else exists)(Path(text)):
            raise typer.BadParameter(f"there is no {must_exist} {text}.")
        return Path(text)

    option: OptionInfo = Option(*(words or ("-o", "--out")), metavar=metavar, help=help, parser=read)
    return option


def exists(path: Path) -> bool:
    """Return whether a path exists; False if its name is too long or its folder can't be read."""
    try:
        return path.exists()
    except OSError:
        return False


def language_option(subject: str) -> OptionInfo:
    """Make an option that takes a language.

    Args:
        subject: the beginning of the option's help text, such as "The language of the printed words".
    """

    def read(text: str) -> str:
        if not text:
            raise typer.BadParameter("it is empty. Give a language, or leave the option out.")
        return text

    option: OptionInfo = Option(
        help=f"{subject}: a language tag such as de, or a words file. Default: en.",
        metavar="TAG",
        parser=read,
        show_default=False,
    )
    return option


BuiltFolder = Annotated[Path, Argument(metavar="DIR", help="The folder of a built book.", readable=False)]
SpecFolder = Annotated[
    Path | None,
    path_option(
        "--spec-folder",
        metavar="DIR",
        help="The folder with the fonts and pictures of the book. Default: the folder of the built book.",
        must_exist="folder",
    ),
]
Force = Annotated[bool, Option("--force", help="Replace files that exist already.")]
AsJson = Annotated[bool, Option("--json", help="Print JSON.")]
SetKeys = Annotated[
    list[str] | None,
    Option(
        "--set",
        metavar="KEY=VALUE",
        help="A key to change, as page.trim=A5, theme=bold or cover=no. You can give several.",
    ),
]
Jobs = Annotated[
    int | None,
    Option(
        "-j",
        "--jobs",
        min=1,
        max=256,
        help="How many puzzles to make, or parts of a file to check, at the same time. Default: one for each "
        "core, or for each thread of the cluster.",
        show_default=False,
    ),
]
ClusterAddress = Annotated[
    str | None,
    Option(
        "--cluster",
        metavar="ADDRESS",
        help="Make the puzzles on a Dask cluster. ADDRESS is its scheduler, as tcp://HOST:8786.",
        show_default=False,
    ),
]


def _read_ledger(text: str) -> LedgerAddress:
    from linkpress.ledger.address import read_address

    if not text:
        raise typer.BadParameter("it is empty. Give a path or a server, or leave the option out.")
    try:
        return read_address(text)
    except UsageError as error:
        raise typer.BadParameter(str(error)) from None


LedgerFile = Annotated[
    Any,  # The value is a LedgerAddress or None. Typer does not support this union type.
    Option(
        "--ledger",
        metavar="PLACE",
        help="The ledger: a file, or postgresql://USER@HOST/DATABASE. Default: LINKPRESS_LEDGER, or else "
        "a file in your data folder.",
        parser=_read_ledger,
        show_default=False,
    ),
]
NoLedger = Annotated[bool, Option("--no-ledger", help="Don't read or write the ledger.")]


@dataclass(frozen=True, kw_only=True)
class LedgerOptions:
    """Options that choose a ledger, or switch it off."""

    ledger: LedgerFile = None
    no_ledger: NoLedger = False

    def choice(self, draft: bool = False) -> LedgerChoice:
        """Return the chosen ledger.

        Args:
            draft: True to look puzzles up in the ledger but record none.
        Raises:
            UsageError: ``--ledger`` and ``--no-ledger`` are both given.
        """
        from linkpress.production.ledger_session import LedgerChoice

        if self.no_ledger and self.ledger:
            raise UsageError(
                f"--no-ledger and --ledger {self.ledger} contradict each other. Leave one of them out."
            )
        return LedgerChoice(self.ledger, used=not self.no_ledger, draft=draft)


@dataclass(frozen=True, kw_only=True)
class ChangeOptions:
    """Options that change keys of a book for one run, but not in its file."""

    seed: Annotated[str | None, Option(help="Another seed for this run.", show_default=False)] = None
    count: Annotated[
        int | None,
        Option(
            "-n",
            "--count",
            min=1,
            help="The number of puzzles for this run, divided among the levels as in the spec.",
            show_default=False,
        ),
    ] = None
    difficulty: Annotated[
        str | None,
        Option(help="For this run, only puzzles of this difficulty: a name or numbers.", show_default=False),
    ] = None
    set_: SetKeys = None

    def changes(self) -> RunChanges:
        """Return the changes that these options ask for; raise ``UsageError`` if a key is wrong."""
        from linkpress.book.spec import RunChanges, plain_changes

        values = plain_changes(self.set_ or ())
        if self.seed is not None:
            values["seed"] = self.seed
        return RunChanges(values, self.count, self.difficulty, say)


@dataclass(frozen=True, kw_only=True)
class WorkerOptions:
    """Options that choose where puzzles are made: in processes on this computer, or on a cluster."""

    jobs: Jobs = None
    cluster: ClusterAddress = None

    def open_workers(self, notify: Notify = say) -> AbstractContextManager[Workers]:
        """Start the worker processes, or connect to the cluster.

        Args:
            notify: function that is called with each message for the user.
        """
        from linkpress.production.executors import open_workers

        return open_workers(self.jobs, self.cluster, notify)


@dataclass(frozen=True, kw_only=True)
class LogOptions:
    """Options for reports about each puzzle, on the terminal or in a file."""

    verbose: Annotated[bool, Option("-v", "--verbose", help="Report each puzzle on standard error.")] = False
    log: Annotated[
        Path | None, path_option("--log", metavar="FILE", help="Append a JSON line for each puzzle.")
    ] = None

    def open_log(self) -> RunLog:
        from linkpress.production.journal import RunLog

        return RunLog(self.log, say if self.verbose else None)


@dataclass(frozen=True, kw_only=True)
class RunOptions(LogOptions, LedgerOptions, WorkerOptions):
    """Options of commands that make many puzzles."""


def replace_parameter(
    command: Callable[..., None], name: str, options: Sequence[Parameter], gather: Callable[..., object]
) -> Callable[..., None]:
    """Return a command that has several options instead of one parameter.

    Args:
        command: the function of the command.
        name: the name of the parameter to replace.
        options: the options, as parameters for Typer.
        gather: function that makes the parameter's value from the options, which are its keyword arguments.
    """
    signature = inspect.signature(command, eval_str=True)
    parameters = list(signature.parameters.values())
    index = list(signature.parameters).index(name)
    parameters[index : index + 1] = options
    # Make all parameters keyword-only. A positional parameter without a default value can't follow one that
    # has a default value.
    parameters = [each.replace(kind=Parameter.KEYWORD_ONLY) for each in parameters]

    @wraps(command)
    def run(**values: Any) -> None:
        value = gather(**{option.name: values.pop(option.name) for option in options})
        command(**values, **{name: value})

    run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return run


def with_option_groups(command: Callable[..., None]) -> Callable[..., None]:
    """Decorate a command so that each parameter whose type is a dataclass becomes several options.

    The options are the fields of the dataclass.
    """
    run = command
    for parameter in inspect.signature(command, eval_str=True).parameters.values():
        group = parameter.annotation
        if isinstance(group, type) and is_dataclass(group):
            options = list(inspect.signature(group, eval_str=True).parameters.values())
            run = replace_parameter(run, parameter.name, options, group)
    return run


# Classes that read the values of options and lay out the help text


class _PlainParameters:
    """Mixin for Typer's commands: reads simple option values itself, and shows plain words in the help.

    Without this mixin, the help would show Python types, such as <list[Path]>.
    """

    def get_params(self, ctx: Any) -> list[Any]:
        parameters: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for parameter in parameters:
            if "get_runtime_param" not in vars(parameter):
                value_reader = _ValueReader(parameter.get_runtime_param)
                parameter.get_runtime_param = lambda reader=value_reader: reader
            parameter.display_type_rich = lambda ctx, value=_value_word(parameter): value
            parameter._get_number_range_help_str = lambda: None
            choices = parameter.type_descriptor.choices
            if choices and parameter.help and "One of" not in parameter.help:
                words = [str(getattr(choice, "value", choice)) for choice in choices]
                parameter.help += f" One of: {', '.join(words)}."
        return parameters

    def format_help(self, ctx: Any, formatter: Any) -> None:
        _import_typers_help()
        super().format_help(ctx, formatter)  # type: ignore[misc]


class _UnusedModule(ModuleType):
    def __getattr__(self, name: str) -> type:
        return object


def _import_typers_help() -> None:
    """Import Typer's module for the layout of the help, without two modules of Rich that it imports.

    linkpress doesn't use these two, which are for Markdown and coloured tracebacks. Their import would take
    70 of the 300 ms of ``linkpress --help``.
    """
    unused = {"rich.markdown", "rich.traceback"} - sys.modules.keys()
    sys.modules.update({name: _UnusedModule(name) for name in unused})
    import_module("typer.rich_utils")
    for name in unused:
        del sys.modules[name]


class _ValueReader:
    """Reader of an option's value.

    Typer's own reader imports pydantic, which takes 0.1 s. So Typer's reader is used only for rare types, and
    to report wrong numbers and choices.

    Args:
        typer_reader: function that returns Typer's reader.
    """

    def __init__(self, typer_reader: Callable[[], Any]) -> None:
        self._typer_reader = typer_reader

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        described = param.type_descriptor
        info, kind = described.parameter_info, described.annotation
        is_path = kind in (Path, list[Path]) and not info.readable
        read = info.parser or (Path if is_path else str if kind in (str, list[str]) else None)
        has_many = param.nargs != 1 or param.multiple
        if value is None:
            return () if has_many else None
        is_choice = isinstance(kind, type) and issubclass(kind, Enum)
        if (is_choice or kind in (bool, int, float)) and isinstance(value, kind):
            # Flags and default values already have the right type, so return such a value unchanged.
            return value
        if is_choice and value in {each.value for each in kind}:
            return kind(value)
        if kind is int and re.fullmatch("[0-9]{1,9}", value):
            number, least, most = int(value), info.min or 0, math.inf if info.max is None else info.max
            if least <= number <= most:
                return number
        if read is None or (has_many and isinstance(value, str)):
            return self._typer_reader().coerce(value, param=param, ctx=ctx)
        return [read(each) for each in value] if has_many else read(value)


def _value_word(parameter: Any) -> str:
    """Return the placeholder for an option's value in the help, such as N in ``--count N``.

    The result is empty for an argument, and for a flag, which has no value.
    """
    if parameter.param_type_name == "argument" or parameter.is_flag:
        return ""
    if parameter.metavar:
        return str(parameter.metavar)
    return "N" if parameter.type_descriptor.annotation in (int, float) else "VALUE"


class HelpCommand(_PlainParameters, TyperCommand):
    """Typer command whose help shows no Python types."""


class HelpGroup(_PlainParameters, TyperGroup):
    """Typer group of commands whose help shows no Python types."""


# Puzzle files


def read_bytes(name: str, limit: int, advice: str) -> bytes:
    """Read a file, or standard input.

    Args:
        name: the file's path, or ``-`` for standard input.
        limit: the maximum size in bytes.
        advice: the last sentence of an error message. It says what the user should give instead.
    Raises:
        PuzzleError: the file can't be read or is too large.
    """
    if name != "-":
        return read_input(Path(name), limit, PuzzleError, advice)
    try:
        if sys.stdin is None:
            raise OSError(errno.EBADF, "it is closed")
        return read_stream(sys.stdin.buffer, limit)
    except OSError as error:
        raise PuzzleError(f"{shown_name(name)} can't be read: {reason(error)}. {advice}") from error


def shown_name(name: str) -> str:
    return "standard input" if name == "-" else name


def read_puzzle_file(name: str) -> list[Puzzle]:
    """Read the puzzles of a file in any notation.

    Args:
        name: the file's path, or ``-`` for standard input.
    Raises:
        PuzzleError: the file can't be read, or holds no puzzle.
    """
    from linkpress.puzzle.notations import read_puzzles

    return _read_records(name, read_puzzles)


def read_drawing_file(name: str) -> list[tuple[Puzzle, frozenset[Edge]]]:
    """Read the puzzles of a file, each with the lines drawn on it.

    Args:
        name: the file's path, or ``-`` for standard input.
    Returns:
        Each puzzle, with the pairs of neighbouring squares that the lines join.
    Raises:
        PuzzleError: the file can't be read, or holds no puzzle.
    """
    from linkpress.puzzle.notations import read_drawings

    return _read_records(name, read_drawings)


def _read_records(name: str, read: Callable[[str], list[_Record]]) -> list[_Record]:
    from linkpress.puzzle.notations import MAX_PUZZLE_FILE_BYTES, read_file

    advice = f"Give a puzzle file of {MAX_PUZZLE_FILE_BYTES >> 20} MiB or less, or - for standard input."
    return read_file(read_bytes(name, MAX_PUZZLE_FILE_BYTES, advice), shown_name(name), read)
