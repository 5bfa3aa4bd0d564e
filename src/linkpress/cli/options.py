"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer.models import OptionInfo

from linkpress.errors import UsageError

if TYPE_CHECKING:
    from linkpress.production.ledger_session import LedgerChoice


def path_option(*words: str, metavar: str = "PATH", help: str) -> OptionInfo:
    """An option that names a path; an empty one, as of an unset variable, would mean this folder.

    Args:
        words: the option's; ``-o`` and ``--out`` if left out.
        metavar, help: as Typer's.
    """

    def read(text: str) -> Path:
        if not text:
            raise typer.BadParameter("it is empty. Give a path, or leave the option out.")
        return Path(text)

    option: OptionInfo = typer.Option(*(words or ("-o", "--out")), metavar=metavar, help=help, parser=read)
    return option


BuiltBook = Annotated[Path, typer.Argument(metavar="DIR", help="A built book's folder.", readable=False)]
LANGUAGE_HELP = "a shipped language's tag, or a words file."
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Jobs = Annotated[
    int | None,
    typer.Option(min=1, max=256, help="Puzzles made at a time; the cores if left out.", show_default=False),
]
LedgerFile = Annotated[
    Path | None,
    path_option("--ledger", help="The ledger; else LINKPRESS_LEDGER, else in the user's data folder."),
]
LogFile = Annotated[
    Path | None, path_option("--log", metavar="FILE", help="Add a JSON line for each puzzle.")
]
Verbose = Annotated[bool, typer.Option("-v", "--verbose", help="Tell each puzzle on stderr.")]
NoLedger = Annotated[
    bool, typer.Option("--no-ledger", help="Leave the ledger out: ask nothing of it, record nothing.")
]


def chosen_ledger(path: Path | None, no_ledger: bool, draft: bool = False) -> LedgerChoice:
    """What the options say of the ledger. A draft without a ledger asks nothing and records nothing.

    Raises:
        UsageError: a ledger is named and none is wanted.
    """
    from linkpress.production.ledger_session import LedgerChoice

    if no_ledger and path:
        raise UsageError(
            f"--no-ledger doesn't go with --ledger {path}: the one leaves the ledger out, the other asks "
            "that one. Leave out one of them."
        )
    return LedgerChoice(path, asked=not no_ledger, draft=draft)
