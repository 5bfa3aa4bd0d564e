"""The command line: one Typer application, put together from one module a subject, and ``doctor``.

Commands import what they need when they run, so that ``linkpress --help`` answers without
loading ReportLab or pydantic.
"""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from linkpress.cli import book_commands, newspaper_commands, puzzle_commands, studio_command
from linkpress.cli.ledger_commands import ledger_app
from linkpress.cli.options import AsJson, LedgerFile
from linkpress.cli.streams import say, write, write_json
from linkpress.errors import ExitCode, StoppedError
from linkpress.version import __version__


class _Commands(TyperGroup):
    """Typer's group, except that an interruption keeps what it says about going on."""

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
    raise typer.Exit(ExitCode.FOUND_WANTING if broken else ExitCode.OK)


for command in (
    book_commands.init,
    book_commands.check,
    book_commands.build,
    book_commands.typeset,
    book_commands.play,
    book_commands.pack,
    book_commands.listing,
    book_commands.schema,
    book_commands.preflight,
    book_commands.verify,
    book_commands.preview,
    puzzle_commands.generate,
    puzzle_commands.solve,
    puzzle_commands.prove,
    puzzle_commands.grade,
    puzzle_commands.hint,
    newspaper_commands.export,
    newspaper_commands.feed,
    studio_command.studio,
    doctor,
):
    app.command()(command)
app.add_typer(ledger_app, name="ledger")
