"""Several commands share these options."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, is_dataclass
from functools import wraps
from inspect import Parameter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.models import OptionInfo

from linkpress.cli.streams import say
from linkpress.errors import Notify, UsageError
from linkpress.files import is_folder

if TYPE_CHECKING:
    from linkpress.ledger.address import LedgerAddress
    from linkpress.production.dispatch import Workers
    from linkpress.production.journal import RunLog
    from linkpress.production.ledger_session import LedgerChoice


def path_option(*words: str, metavar: str = "PATH", help: str, there_is: str = "") -> OptionInfo:
    """Make an option that names a path; an empty one, as of an unset variable, would mean this folder."""

    def read(text: str) -> Path:
        if not text:
            raise typer.BadParameter("it is empty. Give a path, or leave the option out.")
        if there_is and not (is_folder if there_is == "folder" else is_there)(Path(text)):
            raise typer.BadParameter(f"there is no {there_is} {text}.")
        return Path(text)

    option: OptionInfo = typer.Option(*(words or ("-o", "--out")), metavar=metavar, help=help, parser=read)
    return option


def is_there(path: Path) -> bool:
    """Tell whether anything stands in a place; False too for a name too long or a folder that is closed."""
    try:
        return path.exists()
    except OSError:
        return False


def language_option(of_what: str) -> OptionInfo:
    """Make an option that names a language; an empty one, as of an unset variable, is refused."""

    def read(text: str) -> str:
        if not text:
            raise typer.BadParameter("it is empty. Give a language, or leave the option out.")
        return text

    named = "a shipped language's tag, or a words file; else English."
    option: OptionInfo = typer.Option(
        help=f"{of_what}: {named}", metavar="TAG", parser=read, show_default=False
    )
    return option


BuiltFolder = Annotated[Path, typer.Argument(metavar="DIR", help="A built book's folder.", readable=False)]
SpecFolder = Annotated[
    Path | None,
    path_option(
        "--spec-folder",
        metavar="DIR",
        help="Where the fonts, pictures and themes lie that the spec names; else the book's folder.",
        there_is="folder",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Jobs = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=256,
        help="Puzzles worked on at a time; if left out, as many as cores, or the cluster's threads.",
        show_default=False,
    ),
]
ClusterAddress = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="A Dask cluster to work in: its scheduler's address, as tcp://HOST:8786.",
        show_default=False,
    ),
]


def _read_ledger(text: str) -> LedgerAddress:
    from linkpress.ledger.address import read_address

    if not text:
        raise typer.BadParameter("it is empty. Give a path or a server, or leave the option out.")
    try:
        return read_address(text)
    except UsageError as fault:
        raise typer.BadParameter(str(fault)) from None


LedgerFile = Annotated[
    Any,  # a LedgerAddress or None: Typer takes no unions
    typer.Option(
        "--ledger",
        metavar="PLACE",
        help="The ledger: a file, or postgresql://USER@HOST/DATABASE; else LINKPRESS_LEDGER, else in "
        "the user's data folder.",
        parser=_read_ledger,
        show_default=False,
    ),
]
NoLedger = Annotated[
    bool, typer.Option("--no-ledger", help="Leave the ledger out: ask nothing of it, record nothing.")
]


@dataclass(frozen=True, kw_only=True)
class LedgerOptions:
    """These options choose a ledger, or none."""

    ledger: LedgerFile = None
    no_ledger: NoLedger = False

    def choice(self, draft: bool = False) -> LedgerChoice:
        """Return what the options choose; raise ``UsageError`` for a ledger that is named and unwanted."""
        from linkpress.production.ledger_session import LedgerChoice

        if self.no_ledger and self.ledger:
            raise UsageError(
                f"--no-ledger doesn't go with --ledger {self.ledger}: the one leaves the ledger out, the "
                "other asks that one. Leave out one of them."
            )
        return LedgerChoice(self.ledger, asked=not self.no_ledger, draft=draft)


@dataclass(frozen=True, kw_only=True)
class WorkerOptions:
    """These options choose where puzzles are made."""

    jobs: Jobs = None
    cluster: ClusterAddress = None

    def open_workers(self, notify: Notify = say) -> AbstractContextManager[Workers]:
        """Open the processes or the cluster that the options name."""
        from linkpress.production.executors import open_workers

        return open_workers(self.jobs, self.cluster, notify)


@dataclass(frozen=True, kw_only=True)
class LogOptions:
    """These options choose what is written of each puzzle."""

    verbose: Annotated[
        bool, typer.Option("-v", "--verbose", help="Report each puzzle on standard error.")
    ] = False
    log: Annotated[
        Path | None, path_option("--log", metavar="FILE", help="Add a JSON line for each puzzle.")
    ] = None

    def open_log(self) -> RunLog:
        """Open the log that the options name."""
        from linkpress.production.journal import RunLog

        return RunLog(self.log, say if self.verbose else None)


@dataclass(frozen=True, kw_only=True)
class RunOptions(LogOptions, LedgerOptions, WorkerOptions):
    """Every run of many puzzles takes these options."""


def replaced_parameter(
    command: Callable[..., None], name: str, options: Sequence[Parameter], gather: Callable[..., object]
) -> Callable[..., None]:
    """Let Typer see several options in place of one parameter, which ``gather`` makes of their values."""
    signature = inspect.signature(command, eval_str=True)
    parameters = list(signature.parameters.values())
    place = list(signature.parameters).index(name)
    parameters[place : place + 1] = options
    # Among keywords some without a default may follow others that have one.
    parameters = [each.replace(kind=Parameter.KEYWORD_ONLY) for each in parameters]

    @wraps(command)
    def run(**given: Any) -> None:
        value = gather(**{option.name: given.pop(option.name) for option in options})
        command(**given, **{name: value})

    run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return run


def with_option_groups(command: Callable[..., None]) -> Callable[..., None]:
    """Let a command take a dataclass of options as one parameter; Typer sees an option for each field."""
    run = command
    for parameter in inspect.signature(command, eval_str=True).parameters.values():
        group = parameter.annotation
        if isinstance(group, type) and is_dataclass(group):
            options = list(inspect.signature(group, eval_str=True).parameters.values())
            run = replaced_parameter(run, parameter.name, options, group)
    return run
