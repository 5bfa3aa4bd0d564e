"""The command that opens the studio."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from linkpress.cli.options import path_option
from linkpress.cli.streams import say
from linkpress.errors import UsageError
from linkpress.files import is_file, is_folder


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
