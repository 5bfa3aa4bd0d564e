"""The command line: one Typer application, put together from one module a subject.

Commands import what they need when they run, so that ``linkpress --help`` answers without
loading ReportLab or pydantic.
"""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from linkpress import __version__
from linkpress.cli import books, doctor, grading, ledger, newspaper, press, puzzles
from linkpress.errors import StoppedError


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


for subject in (books, press, puzzles, grading, newspaper, ledger, doctor):
    subject.register(app)
