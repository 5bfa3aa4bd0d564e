"""The command on the browser player: play."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from linkpress.cli.options import a_path
from linkpress.cli.streams import announce_plain_engine, say, write


def register(app: typer.Typer) -> None:
    """Add this module's command to the application."""
    app.command()(play)


def play(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A built book's folder.", readable=False)],
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", metavar="FOLDER", help="Another folder to write to.", parser=a_path),
    ] = None,
    answers: Annotated[
        bool | None, typer.Option(help="Whether the page holds the answers; else as the spec says, or not.")
    ] = None,
    hints: Annotated[
        bool | None, typer.Option(help="Whether it holds the hints; else as the spec says, or it does.")
    ] = None,
) -> None:
    """Write a built book's puzzles as a page to play in a browser: play.html, one file without a server."""
    from linkpress.app.play import play_again

    announce_plain_engine()
    file, count = play_again(folder, out, answers=answers, hints=hints)
    write(f"{file}\n")
    say(f"{count} puzzle{'s' * (count != 1)} to play, {file.stat().st_size / 1000:.0f} kB")
