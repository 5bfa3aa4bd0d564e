"""The command line is one Typer application, put together from one module a subject, and two more.

A command's module is loaded when the command is called or listed, and imports what the command needs when it
runs, so that ``linkpress --help`` answers without loading ReportLab or pydantic.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from inspect import cleandoc
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from linkpress.cli.options import AsJson, LedgerFile, path_option
from linkpress.cli.streams import say, write, write_json
from linkpress.errors import ExitCode, StoppedError, UsageError
from linkpress.files import is_file, is_folder
from linkpress.version import __version__

# The commands as the help lists them, by the module in which each is a function or an own application.
_MODULES = {
    "book_commands": (
        "init", "check", "build", "typeset", "play", "pack", "listing", "schema", "preflight", "verify",
        "preview",
    ),
    "puzzle_commands": ("generate", "solve", "prove", "grade", "hint"),
    "newspaper_commands": ("export", "feed"),
    "app": ("studio", "doctor"),
    "ledger_commands": ("ledger",),
}  # fmt: skip
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}


@cache
def _load(name: str) -> Any:
    command = getattr(import_module(f"linkpress.cli.{_MODULE_OF[name]}"), name)
    if not isinstance(command, typer.Typer):
        function, command = command, typer.Typer(add_completion=False)
        # Typer keeps line feeds in all paragraphs but the first; a narrow terminal breaks such lines again.
        # Under -OO there are no docstrings.
        paragraphs = cleandoc(function.__doc__ or "").split("\n\n")
        command.command(help="\n\n".join(text.replace("\n", " ") for text in paragraphs))(function)
    return typer.main.get_command(command)


class _CommandsByName(Mapping[str, Any]):
    """This mapping has Typer's commands, each of which is loaded when it is asked for."""

    def __getitem__(self, name: str) -> Any:
        return _load(name)

    def __iter__(self) -> Iterator[str]:
        return iter(_MODULE_OF)

    def __len__(self) -> int:
        return len(_MODULE_OF)


class _Commands(TyperGroup):
    """This is Typer's group, but loads commands late, and an interruption keeps what it says."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**{**settings, "commands": _CommandsByName()})

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was asked for."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as stop:
            raise StoppedError(str(stop) or "interrupted; nothing half-written is left") from None


app = typer.Typer(
    name="linkpress",
    cls=_Commands,
    help="Print-ready books and newspaper images of proven, graded Numberlink puzzles.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"linkpress {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and stop.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Print-ready books and newspaper images of proven, graded Numberlink puzzles."""


def doctor(ledger: LedgerFile = None, as_json: AsJson = False) -> None:
    """Check Python, packages, fonts, folders and the ledger, and make one puzzle from end to end.

    Ends with 1 when something is broken, and says what to do.
    """
    from linkpress.app.doctor import CheckState, check_up

    results = []
    for result in check_up(ledger, say):
        results.append(result)
        if not as_json:
            write(f"{result.state:<7} {result.name:<9} {result.text}\n")
            if result.remedy:
                write(f"{'':<17} {result.remedy}\n")
    broken = [result.name for result in results if result.state is CheckState.BROKEN]
    if as_json:
        checks = [
            {"name": check.name, "state": check.state, "text": check.text, "remedy": check.remedy}
            for check in results
        ]
        write_json({"linkpress": __version__, "ok": not broken, "checks": checks})
    raise typer.Exit(ExitCode.CHECK_FAILED if broken else ExitCode.OK)


def studio(
    place: Annotated[
        Path,
        typer.Argument(
            metavar="[FILE|FOLDER]", help="A spec, or the folder with your specs.", readable=False
        ),
    ] = Path(),
    out: Annotated[
        Path | None, path_option(help="Where the books' own folders are made; else output in that folder.")
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; any free one if 0.")] = 0,
    browser: Annotated[bool, typer.Option(help="Whether the page is opened in the browser at once.")] = True,
) -> None:
    """Plan, see, change and build books in the browser.

    The page is answered on this machine alone. The studio ends with Ctrl-C, or by itself ten minutes after
    its last window has closed and nothing is being built.
    """
    if not is_folder(place) and not is_file(place):
        raise UsageError(
            f"{place}: there is no such file or folder. Give the folder with your books' YAML files."
        )
    folder, opened = (place, "") if is_folder(place) else (place.parent, place.name)
    from linkpress.studio.run import run_studio

    def announce(address: str) -> None:
        say(f"the studio is open; leave this running, and open\n{address}\nCtrl-C ends it")

    run_studio(folder, out or folder / "output", port, opened, browser, announce)
