"""Commands on finished files: preflight, verify, preview."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from linkpress.cli.options import a_path
from linkpress.cli.streams import write
from linkpress.errors import ExitCode, UsageError

JsonOption = Annotated[bool, typer.Option("--json", help="The verdict for programs.")]


def register(app: typer.Typer) -> None:
    """Add this module's commands to the application."""
    for command in (preflight, verify, preview):
        app.command()(command)


def preflight(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A PDF, ours or anyone's.", readable=False)],
    printer: Annotated[str, typer.Option(help="A printer profile: its name, or a profile file's path.")],
    paper: Annotated[
        str | None, typer.Option(help="One of the printer's papers; its first if left out.")
    ] = None,
    trim: Annotated[
        str | None, typer.Option(help="The cut page as 6x9in or A5; the file's own if left out.")
    ] = None,
    bleed: Annotated[
        bool | None, typer.Option(help="Whether there must be bleed; the file's boxes say if left out.")
    ] = None,
    cover: Annotated[bool, typer.Option("--cover", help="Judge a cover: back, spine and front.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Judge a finished PDF as its printer would."""
    from linkpress.config.lengths import parse_size
    from linkpress.layout.printers import load_printer
    from linkpress.press.preflight import Wanted
    from linkpress.press.preflight import preflight as judge

    try:
        size = parse_size(trim) if trim else None
    except ValueError as fault:
        raise UsageError(f"--trim: {fault}") from None
    report = judge(file, load_printer(printer), Wanted(paper, size, bleed, None, cover))
    write((report.as_json() if as_json else report.text()) + "\n")
    raise typer.Exit(ExitCode.OK if report.passed else ExitCode.FOUND_WANTING)


def verify(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A built book's folder.", readable=False)],
    as_json: JsonOption = False,
) -> None:
    """Read a built book's puzzles back out of its PDF, prove them, and compare with volume.json."""
    from linkpress.press.verify import verify_folder

    verdict = verify_folder(folder)
    write((verdict.as_json() if as_json else verdict.text()) + "\n")
    if verdict.findings:
        raise typer.Exit(ExitCode.FOUND_WANTING)
    raise typer.Exit(ExitCode.GAVE_UP if verdict.gave_up else ExitCode.OK)


def preview(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="SPEC", help="A book's YAML file, or the folder of a built one.", readable=False
        ),
    ],
    pages: Annotated[str, typer.Option(help="Which pages, as 1-8 or 1,3,6-9.")] = "1-8",
    out: Annotated[
        Path, typer.Option("-o", "--out", metavar="PATH", help="The PNG to write.", parser=a_path)
    ] = Path("preview.png"),
    columns: Annotated[int, typer.Option(min=1, max=20, help="Pages in a row.")] = 4,
) -> None:
    """Put pages of a book side by side in one image.

    A spec's puzzles are made for it and recorded nowhere.
    """
    from linkpress.app.preview import preview as draw_preview
    from linkpress.cli.progress import showing_build
    from linkpress.files import check_place, is_folder, write_whole

    check_place(out)
    with nullcontext() if is_folder(source) else showing_build() as watcher:
        sheet = draw_preview(source, pages, columns, watcher)
    write_whole(out, sheet)
    write(f"{out}\n")
