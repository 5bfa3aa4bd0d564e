"""Commands for newspapers: export, feed."""

from __future__ import annotations

import inspect
import shlex
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from linkpress.cli.options import (
    ClusterAddress,
    Jobs,
    LedgerFile,
    LogFile,
    NoLedger,
    SpecFolder,
    Verbose,
    chosen_ledger,
    path_option,
)
from linkpress.cli.streams import ReaderLeft, announce_plain_engine, drop_output, say, write
from linkpress.errors import UsageError
from linkpress.images.image_files import ImageFormat

if TYPE_CHECKING:
    from linkpress.feeds.feed_run import FeedResult


Source = Annotated[
    Path,
    typer.Argument(
        metavar="DIR|FILE", help="A built book's folder or volume.json, or a puzzle file.", readable=False
    ),
]
ImageFolder = Annotated[Path | None, path_option(metavar="DIR", help="The folder; else output/NAME-images.")]
Width = Annotated[str | None, typer.Option(help="Width, as 82.6mm, 3.25in or 600px; instead of columns.")]
Grid = Annotated[str | None, typer.Option(help="Column grid: a name or a file. Default: broadsheet.")]
Dpi = Annotated[
    int | None,
    typer.Option(help="Pixels an inch, 72 to 2400. Default: 1200 for 1bit, else 300; 96 for px."),
]
PixelMode = Annotated[
    str | None, typer.Option(help="1bit, gray or rgb. Default: 1bit; rgb for a width in px.")
]
Shown = Annotated[
    str, typer.Option(help="puzzle, solution, both, or overlay: the answer's lines alone; joined by commas.")
]
ThemeName = Annotated[
    str | None, typer.Option(help="A theme's name or file. Default: lineart for 1bit, else newspaper.")
]
CaptionParts = Annotated[
    str, typer.Option(help="Of title, number, size, grade or stars, rules, solution; or none.")
]
Names = Annotated[
    str | None, typer.Option(help="Template of file names: {number}, {what}, {columns}, {dpi}.")
]
WithoutGrid = Annotated[
    bool, typer.Option("--without-grid", help="Leave out the boards' lines and outlines.")
]
Transparent = Annotated[
    bool, typer.Option("--transparent", help="PNG with see-through paper; overlays always have it.")
]
Force = Annotated[bool, typer.Option("--force", help="Write over files that show other puzzles, or none.")]


def _one_flag_a_format(command: Callable[..., None]) -> Callable[..., None]:
    """Let Typer see a flag for each kind of file in place of the parameter ``formats``."""
    signature = inspect.signature(command, eval_str=True)
    flags = [
        inspect.Parameter(
            kind.value,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=False,
            annotation=Annotated[bool, typer.Option(f"--{kind}", help=kind.facts.help)],
        )
        for kind in ImageFormat
    ]
    parameters = list(signature.parameters.values())
    place = list(signature.parameters).index("formats")
    parameters[place : place + 1] = flags

    @wraps(command)
    def with_flags(**options: Any) -> None:
        command(formats=tuple(kind for kind in ImageFormat if options.pop(kind.value)), **options)

    with_flags.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return with_flags


@_one_flag_a_format
def export(
    source: Source,
    out: ImageFolder = None,
    formats: tuple[ImageFormat, ...] = (),
    width: Width = None,
    columns: Annotated[int | None, typer.Option(help="Width in columns of the grid. Default: 2.")] = None,
    grid: Grid = None,
    dpi: Dpi = None,
    mode: PixelMode = None,
    what: Shown = "both",
    theme: ThemeName = None,
    caption: CaptionParts = "number,size,grade",
    names: Names = None,
    without_grid: WithoutGrid = False,
    transparent: Transparent = False,
    spec_folder: SpecFolder = None,
    force: Force = False,
) -> None:
    """Draw each puzzle and each solution as an image of an exact width.

    An earlier image of the same puzzle is replaced; other files of these names are left alone,
    and nothing is written, unless --force is given.
    """
    from linkpress.images import image_settings as settle
    from linkpress.images.image_export import order_images, write_images
    from linkpress.images.puzzle_sources import read_source

    if width is not None and settle.is_in_pixels(width):
        dpi, mode = dpi or settle.BROWSER_DPI, mode or "rgb"
    width_mm = None if width is None else settle.read_width(width, dpi or settle.BROWSER_DPI)
    wide = settle.image_width(width_mm, columns, grid)
    kinds = formats or (ImageFormat.PNG,)
    settings = settle.image_settings(wide, dpi, mode or "1bit", kinds, theme, clear=transparent)
    parts = [] if caption.strip().lower() == "none" else caption.split(",")
    puzzles = read_source(source, spec_folder)
    order = order_images(puzzles, settings, what, parts, names or None, grid_lines=not without_grid)
    folder = out or Path("output", f"{puzzles.name}-images")
    written = write_images(puzzles, order, folder, _list, force=force)
    size = settings.canvas
    wide_mm = size.mm(size.width_px)
    say(f"{len(written)} files, {size.width_px} pixels ({wide_mm:.2f} mm) wide at {size.dpi} dpi")


def _list(path: Path) -> None:
    """Name a file that was written; whoever has read enough of the list wants the files all the same."""
    try:
        write(f"{path}\n")
    except ReaderLeft:
        drop_output()


def feed(
    spec: Annotated[
        Path, typer.Argument(metavar="FEED", help="The feed's YAML file.", show_default=False, readable=False)
    ],
    first: Annotated[
        str | None, typer.Option("--from", metavar="DATE", help="The first day, as 2026-12-01. Required.")
    ] = None,
    out: Annotated[Path | None, path_option(metavar="DIR", help="The feed's folder. Required.")] = None,
    days: Annotated[int, typer.Option(help="Calendar days, those without an issue included.")] = 1,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with this run after it was cut off.")
    ] = False,
    jobs: Jobs = None,
    cluster: ClusterAddress = None,
    ledger: LedgerFile = None,
    no_ledger: NoLedger = False,
    verbose: Verbose = False,
    log: LogFile = None,
) -> None:
    """Make a newspaper's dated puzzles, the earlier days' solutions, and a manifest of them.

    A folder holds one feed. Later runs go on with its numbers, repeat no puzzle and change no
    file; for days that are there already only missing files are drawn again.
    """
    from linkpress.cli.progress import showing_progress
    from linkpress.feeds.calendar import read_dates
    from linkpress.feeds.feed_run import feed as make_feed
    from linkpress.feeds.feed_spec import load_feed
    from linkpress.production.executors import open_workers
    from linkpress.production.log import RunLog

    if first is None or out is None:
        raise _lacking(spec, first, out)
    choice = chosen_ledger(ledger, no_ledger)
    run = read_dates(first, days)
    loaded = load_feed(spec)
    announce_plain_engine()
    with (
        RunLog(log, say if verbose else None) as run_log,
        showing_progress() as watcher,
        open_workers(jobs, cluster, watcher.notify) as workers,
    ):
        fed = make_feed(
            spec,
            run,
            out,
            resume=resume,
            jobs=None if cluster else jobs,  # which draws the images, on this machine
            ledger=choice,
            watcher=watcher,
            log=run_log,
            workers=workers,
            spec=loaded,
        )
    for note in fed.notes:
        say(note)
    for file in fed.files:
        write(f"{file}\n")
    say(_summary(fed))


def _lacking(spec: Path, first: str | None, out: Path | None) -> UsageError:
    """Names both options at once, each as far as it was given."""
    lacking = ["--from"] * (first is None) + ["-o"] * (out is None)
    day, folder = first or "2026-12-01", str(out or "output/daily")
    example = shlex.join(["linkpress", "feed", str(spec), "--from", day, "--days", "7", "-o", folder])
    return UsageError(
        f"{' and '.join(lacking)} {'is' if len(lacking) == 1 else 'are'} missing: a feed needs its first day "
        f"and its folder, as in: {example}"
    )


def _summary(fed: FeedResult) -> str:
    said = [f"{fed.made} new days"]
    if fed.replaced:
        said.append(f"{fed.replaced} made anew")
    if fed.untouched:
        said.append(f"{fed.untouched} made earlier")
    if fed.restored:
        said.append(f"{fed.restored} missing files drawn again")
    return f"{', '.join(said)}, in {fed.folder}"
