"""``linkpress doctor``: can this installation make a book?"""

from __future__ import annotations

import json
from dataclasses import asdict

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
    from linkpress.press.checkup import State, check_up

    findings = []
    for finding in check_up(ledger, {"newspaper": check_newspaper}):
        findings.append(finding)
        if not as_json:
            write(f"{finding.state:<7} {finding.name:<9} {finding.text}\n")
            if finding.remedy:
                write(f"{'':<17} {finding.remedy}\n")
    broken = [finding.name for finding in findings if finding.state is State.BROKEN]
    if as_json:
        checks = [asdict(finding) for finding in findings]
        write(json.dumps({"linkpress": __version__, "ok": not broken, "checks": checks}, indent=2) + "\n")
    raise typer.Exit(ExitCode.FOUND_WANTING if broken else ExitCode.OK)
