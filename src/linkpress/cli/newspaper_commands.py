"""Commands for newspapers: ``feed`` and ``export``."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass
from inspect import Parameter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from linkpress.cli.options import (
    Force,
    RunOptions,
    SpecFolder,
    path_option,
    replace_parameter,
    with_option_groups,
)
from linkpress.cli.process import PipeClosedError, discard_output, say, warn_of_slow_engine, write
from linkpress.engine.recipe import counted
from linkpress.errors import UsageError
from linkpress.files import ImageFormat
from linkpress.images.image_files import FORMATS

if TYPE_CHECKING:
    from linkpress.feeds.feed_run import FeedResult
    from linkpress.images.image_export import ExportOrder, PuzzleSource
    from linkpress.images.image_settings import ImageSettings


Source = Annotated[
    Path,
    Argument(
        metavar="DIR|FILE",
        help="A book's YAML file, a built book's folder or volume.json, or a puzzle file.",
        readable=False,
    ),
]
ImageFolder = Annotated[
    Path | None, path_option(metavar="DIR", help="The folder to write to. Default: output/NAME-images.")
]


@dataclass(frozen=True, kw_only=True)
class StyleOptions:
    """Options for the size, colours and theme of images."""

    width: Annotated[str | None, Option(help="Width, as 82.6mm, 3.25in or 600px; instead of --columns.")] = (
        None
    )
    columns: Annotated[int | None, Option(help="Width in columns of the newspaper. Default: 2.")] = None
    grid: Annotated[str | None, Option(help="A column grid's name or file. Default: broadsheet.")] = None
    dpi: Annotated[
        int | None, Option(help="Pixels an inch. Default: 1200 for 1bit, else 300; 96 for px.")
    ] = None
    mode: Annotated[str | None, Option(help="1bit, gray or rgb. Default: 1bit; rgb for a width in px.")] = (
        None
    )
    theme: Annotated[
        str | None,
        Option(help="A theme's name or file. Default: lineart for 1bit, the book's for rgb, else newspaper."),
    ] = None
    transparent: Annotated[bool, Option("--transparent", help="Make the paper of PNG files transparent.")] = (
        False
    )

    def width_mm(self) -> float | None:
        """Return the value of ``--width`` in millimetres; None if it isn't given.

        Raises:
            UsageError: the value is not a width, or the width is not allowed.
        """
        from linkpress.images.image_settings import BROWSER_DPI, read_width

        return None if self.width is None else read_width(self.width, self.dpi or BROWSER_DPI)

    def settings(self, formats: tuple[ImageFormat, ...], source: PuzzleSource) -> ImageSettings:
        """Return the settings for images.

        Args:
            formats: the file formats; empty for the book's formats, or for PNG if there is no book.
            source: the puzzles. The width, resolution and colour mode of their book's key ``images`` are
                used only if the user gives no width.
        """
        from linkpress.documents.values import parse_pixels
        from linkpress.images import image_settings as settings

        dpi, mode, book = self.dpi, self.mode, source.images
        formats = formats or (book.format if book else (ImageFormat.PNG,))
        if book and not (self.width or self.columns or self.grid):
            return settings.image_settings(
                (book.width, None),
                dpi or book.dpi,
                mode or book.mode,
                formats,
                self.theme,
                clear=self.transparent,
                book_theme=source.theme,
            )
        if self.width is not None and parse_pixels(self.width) is not None:
            dpi, mode = dpi or settings.BROWSER_DPI, mode or "rgb"
        width = settings.image_width(self.width_mm(), self.columns, self.grid)
        return settings.image_settings(
            width, dpi, mode or "1bit", formats, self.theme, clear=self.transparent, book_theme=source.theme
        )


@dataclass(frozen=True, kw_only=True)
class ContentOptions:
    """Options for the content of images and the names of their files."""

    what: Annotated[
        str | None,
        Option(
            help="puzzle, solution, both or overlay (only the answer's lines), joined by commas. Default: as "
            "the book's images, else both.",
            show_default=False,
        ),
    ] = None
    caption: Annotated[
        str | None,
        Option(
            help="Any of title, number, size, difficulty, marks, rules, solution; or none. Default: as the "
            "book's captions, and number,size for a puzzle file.",
            show_default=False,
        ),
    ] = None
    names: Annotated[str | None, Option(help="File names, with {number}, {what}, {columns}, {dpi}.")] = None
    without_grid: Annotated[bool, Option("--without-grid", help="Leave out the lines of the boards.")] = False

    def order(self, puzzles: PuzzleSource, settings: ImageSettings) -> ExportOrder:
        """Return the images to draw for these puzzles, as the options ask for them."""
        from linkpress.images.image_export import order_images

        caption = self.caption and self.caption.split(",")
        grid_lines = not self.without_grid
        what = self.what or (puzzles.images.what.value if puzzles.images else "both")
        return order_images(puzzles, settings, what, caption, self.names or None, grid_lines=grid_lines)


def _with_format_flags(command: Callable[..., None]) -> Callable[..., None]:
    """Replace a command's parameter ``formats`` by a flag for each format, such as --png."""
    flags = [
        Parameter(
            kind.value,
            Parameter.KEYWORD_ONLY,
            default=False,
            annotation=Annotated[bool, Option(f"--{kind}", help=facts.help)],
        )
        for kind, facts in FORMATS.items()
    ]
    return replace_parameter(
        command, "formats", flags, lambda **given: tuple(kind for kind in ImageFormat if given[kind])
    )


@_with_format_flags
@with_option_groups
def export(
    source: Source,
    out: ImageFolder = None,
    *,
    formats: tuple[ImageFormat, ...],
    style: StyleOptions,
    content: ContentOptions,
    number: Annotated[
        str | None, Option(help="Only the puzzles with these numbers, as 17 or 1-10,17.", show_default=False)
    ] = None,
    spec_folder: SpecFolder = None,
    force: Force = False,
) -> None:
    """Draw each puzzle and each solution as an image with an exact width.

    The book's key `images` sets the formats, unless you give a format. It also sets the width, resolution and
    colour mode, unless you give a width. A book that is not built yet is built first. Earlier images of the
    same puzzles are replaced. If another file has the name of an image, nothing is written, unless you give
    --force.

    Example: linkpress export my-book.yaml --number 17 --columns 2
    """
    from linkpress.cli.book_commands import built_folder
    from linkpress.images.image_export import read_puzzle_source, write_images

    # The book may have to be built first, which takes long. So report a wrong width before that.
    style.width_mm()
    puzzles = read_puzzle_source(built_folder(source), spec_folder)
    settings = style.settings(formats, puzzles)
    if number is not None:
        puzzles = puzzles.chosen(number)
    folder = out or Path("output", f"{puzzles.name}-images")
    written = write_images(puzzles, content.order(puzzles, settings), folder, _write_name, force=force)
    size = settings.canvas
    width_mm = size.mm(size.width_px)
    say(f"{counted(len(written), 'file')}, {size.width_px} pixels ({width_mm:.2f} mm) wide at {size.dpi} dpi")


def _write_name(path: Path) -> None:
    """Write a file's path to standard output.

    If the program that reads the output has ended, do nothing, so that the remaining images are still drawn.
    """
    try:
        write(f"{path}\n")
    except PipeClosedError:  # The program that reads the output has ended. Draw the other images anyway.
        discard_output()


@with_option_groups
def feed(
    spec: Annotated[
        Path, Argument(metavar="FEED", help="The feed's YAML file.", show_default=False, readable=False)
    ],
    first: Annotated[
        str | None, Option("--from", metavar="DATE", help="The first day, as 2026-12-01. Required.")
    ] = None,
    out: Annotated[Path | None, path_option(metavar="DIR", help="The feed's folder. Required.")] = None,
    days: Annotated[int, Option(help="The number of days, including days without an issue.")] = 1,
    resume: Annotated[bool, Option("--resume", help="Continue this run after an interruption.")] = False,
    *,
    options: RunOptions,
) -> None:
    """Make a newspaper's daily puzzles, the solutions of earlier days, and a manifest that lists all files.

    A folder holds one feed. Later runs continue its numbers and repeat no puzzle. For days that were made
    before, only missing files are drawn again, unless the feed's key `replace` asks for another puzzle.

    Example: linkpress feed daily.yaml --from 2026-12-01 --days 7 -o output/daily
    """
    from linkpress.cli.progress import showing_progress
    from linkpress.feeds.feed_run import feed as make_feed
    from linkpress.feeds.feed_spec import load_feed, read_dates

    if first is None or out is None:
        raise _missing_options(spec, first, out)
    choice = options.choice()
    run = read_dates(first, days)
    loaded = load_feed(spec)
    for note in loaded.source.notes:
        say(note)
    warn_of_slow_engine()
    with (
        options.open_log() as log,
        showing_progress() as watcher,
        options.open_workers(watcher.notify) as workers,
    ):
        result = make_feed(
            spec,
            run,
            out,
            resume=resume,
            # ``jobs`` is the number of processes that draw images, always on this computer. With a cluster,
            # the user's number is meant for the cluster, so use the number of cores of this computer.
            jobs=None if options.cluster else options.jobs,
            ledger=choice,
            watcher=watcher,
            log=log,
            workers=workers,
            spec=loaded,
        )
    for note in result.notes:
        say(note)
    for file in result.files:
        write(f"{file}\n")
    say(_summary(result))


def _missing_options(spec: Path, first: str | None, out: Path | None) -> UsageError:
    missing = ["--from"] * (first is None) + ["-o"] * (out is None)
    day, folder = first or "2026-12-01", str(out or "output/daily")
    example = shlex.join(["linkpress", "feed", str(spec), "--from", day, "--days", "7", "-o", folder])
    return UsageError(
        f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing. A feed needs a first "
        f"day and a folder. Example: {example}"
    )


def _summary(result: FeedResult) -> str:
    counts = {
        "made anew": result.replaced,
        "made earlier": result.untouched,
        "missing files drawn again": result.restored,
    }
    parts = [f"{count} {words}" for words, count in counts.items() if count]
    return f"{', '.join([counted(result.made, 'new day'), *parts])}, in {result.folder}"
