"""The Typer application: the list of all commands, and the commands ``studio`` and ``doctor``.

A command's module is imported when the command is called or its help is shown. The command modules import
ReportLab and pydantic late, so that ``linkpress --help`` answers quickly.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache
from importlib import import_module
from inspect import cleandoc
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Option

from linkpress.cli.options import AsJson, HelpCommand, HelpGroup, LedgerFile, path_option
from linkpress.cli.process import run_command, say, write, write_json
from linkpress.errors import ExitCode, StoppedError, UsageError
from linkpress.files import YAML_SUFFIXES, is_file, is_folder
from linkpress.version import __version__

# All commands in the order of the help text. Each row has a heading of the help text, a module, and the
# commands of this module that are listed below the heading.
_COMMANDS = (
    ("Books", "book_commands", "init fix check preview build typeset play pack listing preflight verify"),
    ("Books", "app", "studio"),
    ("Puzzles", "puzzle_commands", "generate solve prove grade hint"),
    ("Newspapers", "newspaper_commands", "feed export"),
    ("Ledger", "ledger_commands", "ledger"),
    ("Help", "app", "doctor list"),
    ("Help", "book_commands", "schema"),
)
_PLACES = {name: (group, module) for group, module, names in _COMMANDS for name in names.split()}


@cache
def _load(name: str) -> Any:
    group, module = _PLACES[name]
    functions = vars(import_module(f"linkpress.cli.{module}"))
    # The function of the command "list" is called list_, because list is a built-in type.
    function = functions.get(name) or functions[f"{name}_"]
    if isinstance(function, typer.Typer):
        application = function
    else:
        application = typer.Typer(add_completion=False)
        # Join the lines of each paragraph. Typer joins only the lines of the first paragraph, so the others
        # would look ragged on a narrow terminal. ``__doc__`` is None under ``python -OO``.
        paragraphs = cleandoc(function.__doc__ or "").split("\n\n")
        text = "\n\n".join(paragraph.replace("\n", " ") for paragraph in paragraphs)
        application.command(name, cls=HelpCommand, help=text)(function)
    command = typer.main.get_command(application)
    command.rich_help_panel = group  # type: ignore[attr-defined]
    return command


class _LazyCommands(Mapping[str, Any]):
    """Typer commands by name. A command is loaded when it is looked up."""

    def __getitem__(self, name: str) -> Any:
        return _load(name)

    def __iter__(self) -> Iterator[str]:
        return iter(_PLACES)

    def __len__(self) -> int:
        return len(_PLACES)


class _Application(HelpGroup):
    """Typer group of all commands. A command is loaded when it is needed.

    ``invoke`` turns a ``KeyboardInterrupt`` into a ``StoppedError``, to keep its message. Typer would replace
    the message of a ``KeyboardInterrupt``.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(**{**settings, "commands": _LazyCommands()})

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as stop:
            raise StoppedError(str(stop) or "interrupted; nothing half-written is left") from None


app = typer.Typer(
    name="linkpress",
    cls=_Application,
    help="Print-ready books and newspaper images of proven, graded Numberlink puzzles.\n\n"
    "Begin with: linkpress init my-book.yaml, or in your browser: linkpress studio",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command in this process, report its errors, and return its exit code.

    Args:
        arguments: the words after ``linkpress``; None for the command line of this process.
    """
    return run_command(lambda: call_app(arguments))


def call_app(arguments: Sequence[str] | None = None) -> object:
    """Run one command without handling its exceptions, and return Typer's result.

    Args:
        arguments: the words after ``linkpress``; None for the command line of this process.
    """
    words = (sys.argv[1:] if arguments is None else arguments) or ["--help"]
    if words[0] != "--version":
        from linkpress.cli.synonyms import translate

        words = translate(words, _PLACES, _options_of, say)
    # Refuse an empty path. It would mean the current folder, but its usual cause is a shell variable that is
    # not set. The arguments of the command ``ledger`` are not paths, so they are not checked here.
    empty = any(not word and not before.startswith("-") for before, word in pairwise(words))
    if empty and words[0] != "ledger":
        raise UsageError(
            f'{words[0]}: an argument is empty (""). Leave it out, or give the variable a value.'
        )
    return app(args=words, prog_name="linkpress", standalone_mode=False)


def _options_of(command: str) -> dict[str, bool] | None:
    """Return a mapping from each option of a command to whether the option takes a value.

    Return None if the command is a group of commands, such as ``ledger``.
    """
    loaded = _load(command)
    if hasattr(loaded, "commands"):
        return None
    return {
        word: parameter.param_type_name == "option" and not parameter.is_flag
        for parameter in loaded.params
        for word in ("--help", *parameter.opts, *parameter.secondary_opts)
        if word.startswith("-")
    }


def _print_version(is_wanted: bool) -> None:
    if is_wanted:
        typer.echo(f"linkpress {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, Option("--version", help="Print the version and stop.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    pass


def doctor(ledger: LedgerFile = None, as_json: AsJson = False) -> None:
    """Check this installation, and make one puzzle as a test.

    Python, packages, fonts, folders and the ledger are checked. If something is broken, the output says how
    to repair it, and the exit code is 1.

    Example: linkpress doctor
    """
    from linkpress.app.doctor import CheckState, check_up

    results = []
    for result in check_up(ledger, say):
        results.append(result)
        if not as_json:
            write(f"{result.state:<7} {result.name:<9} {result.text}\n")
            if result.remedy:
                write(f"{'':<17} {result.remedy}\n")
    is_broken = any(result.state is CheckState.BROKEN for result in results)
    if as_json:
        checks = [
            {"name": check.name, "state": check.state, "text": check.text, "remedy": check.remedy}
            for check in results
        ]
        write_json({"linkpress": __version__, "ok": not is_broken, "checks": checks})
    raise typer.Exit(ExitCode.CHECK_FAILED if is_broken else ExitCode.OK)


_Kind = StrEnum("_Kind", "DIFFICULTIES PRINTERS THEMES DESIGNS LANGUAGES SHAPES PICTURES BOOKS")
"""Kinds of names that ``linkpress list`` can print."""


def list_(kind: Annotated[_Kind, Argument(metavar="KIND", help="What to list.", show_default=False)]) -> None:
    """List the difficulties, printers, themes or other names that a book's YAML file can use.

    If KIND is books, list the example books that linkpress init --like can copy.

    Example: linkpress list difficulties
    """
    from linkpress.documents import shipped_files

    if kind is _Kind.DIFFICULTIES:
        write(_difficulties_text(shipped_files.DIFFICULTY_SETS.names()))
        return
    if kind is _Kind.BOOKS:
        from linkpress.book.first_specs import example_books

        names = tuple(example_books())
    else:
        files = {_Kind.DESIGNS: "COVERS", _Kind.SHAPES: "MASKS"}.get(kind, kind.name)
        names = getattr(shipped_files, files).names()
    write("".join(f"{name}\n" for name in names))


def _difficulties_text(sets: Sequence[str]) -> str:
    """Return a line for each difficulty, with the default sizes and numbers of paths of its boards."""
    from linkpress.book.level import RecipeKeys
    from linkpress.documents.models import read_values
    from linkpress.engine.difficulty import Difficulty

    lines = []
    for name in Difficulty:
        recipes = dict.fromkeys(read_values({"difficulty": name.value}, RecipeKeys).recipes(2))
        boards = (f"{each.cols} x {each.rows} with {each.pairs} paths" for each in recipes)
        lines.append(f"{name:<9}{name.points!s:<8}{', '.join(boards)}, no solid squares\n")
    return "".join(lines) + f"\nsets for `difficulties:`: {', '.join(sets)}\n"


def studio(
    place: Annotated[
        Path,
        Argument(metavar="[FILE|FOLDER]", help="A book's YAML file, or a folder of them.", readable=False),
    ] = Path(),
    out: Annotated[
        Path | None, path_option(help="The folder for built books. Default: output, beside the YAML files.")
    ] = None,
    port: Annotated[int, Option(min=0, max=65535, help="The port of the page; 0 for any free port.")] = 0,
    browser: Annotated[bool, Option(help="Whether to open the page in a browser.")] = True,
) -> None:
    """Plan, preview, change and build books in your browser.

    Only this computer can open the page. Ctrl-C ends the studio. It also ends ten minutes after its last
    window was closed, unless a book is being built.

    Example: linkpress studio my-books
    """
    if not is_folder(place) and not (is_file(place) and place.suffix.lower() in YAML_SUFFIXES):
        found = "this is no YAML file" if is_file(place) else "there is no such file or folder"
        raise UsageError(f"{place}: {found}. Give the folder with your books' YAML files.")
    folder, opened = (place, "") if is_folder(place) else (place.parent, place.name)
    from linkpress.studio.__main__ import run_studio

    def announce(address: str) -> None:
        say(f"the studio is running. Open this address in your browser:\n{address}\nCtrl-C ends the studio.")

    run_studio(folder, out or folder / "output", port=port, opened=opened, browser=browser, announce=announce)
