"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Jobs = Annotated[
    int | None,
    typer.Option(min=1, max=256, help="Puzzles made at a time; the cores if left out.", show_default=False),
]
LedgerFile = Annotated[
    Path | None,
    typer.Option(
        "--ledger", metavar="PATH", help="The ledger; else LINKPRESS_LEDGER, else in the user's data folder."
    ),
]
LogFile = Annotated[
    Path | None, typer.Option("--log", metavar="FILE", help="Add a JSON line for each puzzle.")
]
Verbose = Annotated[bool, typer.Option("-v", "--verbose", help="Tell each puzzle on stderr.")]
NoLedger = Annotated[
    bool, typer.Option("--no-ledger", help="Don't ask the ledger which puzzles are published already.")
]
