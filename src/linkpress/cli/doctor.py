"""``linkpress doctor``: can this installation make a book?"""

from __future__ import annotations

import json

import typer

from linkpress.cli.options import AsJson, LedgerFile
from linkpress.cli.streams import write
from linkpress.errors import ExitCode


def register(app: typer.Typer) -> None:
    """Add this module's command to the application."""
    app.command()(doctor)


def doctor(ledger: LedgerFile = None, as_json: AsJson = False) -> None:
    """Check Python, packages, fonts, folders and the ledger, and make one puzzle from end to end.

    Ends with 1 when something is broken, and says what to do.
    """
    from linkpress import __version__
    from linkpress.newspaper.checkup import check_newspaper
    from linkpress.press.doctor import check_up
    from linkpress.press.doctor_checks import State

    results = []
    for result in check_up(ledger, {"newspaper": check_newspaper}):
        results.append(result)
        if not as_json:
            write(f"{result.state:<7} {result.name:<9} {result.text}\n")
            if result.remedy:
                write(f"{'':<17} {result.remedy}\n")
    broken = [result.name for result in results if result.state is State.BROKEN]
    if as_json:
        checks = [
            {"name": one.name, "state": one.state, "text": one.text, "remedy": one.remedy} for one in results
        ]
        write(json.dumps({"linkpress": __version__, "ok": not broken, "checks": checks}, indent=2) + "\n")
    raise typer.Exit(ExitCode.FOUND_WANTING if broken else ExitCode.OK)
