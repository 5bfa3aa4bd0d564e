"""The images of a book or puzzle file in one call, for scripts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from linkpress.config.problem import InvalidError
from linkpress.errors import UsageError
from linkpress.newspaper.captions import read_parts
from linkpress.newspaper.drawing import Format
from linkpress.newspaper.export import ExportOrder, export
from linkpress.newspaper.image_settings import ImageSettings, image_settings, image_width, read_words
from linkpress.newspaper.naming import What, default_template, read_template
from linkpress.newspaper.puzzle_sources import PuzzleSource, read_source
from linkpress.render.raster import Mode


def export_images(
    source: Path | str,
    out: Path | str,
    *,
    columns: int | None = None,
    grid: str | None = None,
    width_mm: float | None = None,
    dpi: int = 600,
    mode: Mode | str = Mode.ONE_BIT,
    formats: str | Iterable[str] = (Format.PNG,),
    what: str | Iterable[str] = (What.PUZZLE, What.SOLUTION),
    theme: str | None = None,
    caption: Sequence[str] = ("number", "size", "grade"),
    names: str | None = None,
    force: bool = False,
) -> tuple[Path, ...]:
    """Draw each puzzle and each solution as an image of an exact width, as ``linkpress export`` does.

    Args:
        source: a built book's folder, its ``volume.json``, or a puzzle file.
        out: the folder for the images.
        columns: width in columns of the grid; 2 if None.
        grid: a column grid's name or path; ``broadsheet`` if None.
        width_mm: the width, instead of columns and grid.
        dpi: pixels an inch, 72 to 2400.
        mode: of pixels, as ``Mode.GRAY`` or ``"gray"``.
        formats: kinds of file, as ``Format.PNG`` or ``"png"``.
        what: puzzles, solutions or both, as ``What.PUZZLE`` or ``"puzzle"``.
        theme: a name or path; by the mode if None.
        caption: of number, size, grade or stars, rules, solution; empty for none.
        names: template of file names; from the source's name if None.
        force: write over other puzzles' images and whatever else has these names.
    Returns:
        The files, in order.
    Raises:
        PuzzleError: the source can't be read.
        UsageError: there is no such grid, mode, kind of file, theme, caption part or field of a name,
            a width is given twice, nothing is asked for, or names collide.
        LayoutError, FoundWantingError, OutputError: as ``export``.
    """
    settings = image_settings(image_width(width_mm, columns, grid), dpi, mode, formats, theme)
    puzzles = read_source(Path(source))
    order = order_images(puzzles, settings, what, caption, names)
    return export(puzzles, order, Path(out), force=force)


def order_images(
    source: PuzzleSource,
    settings: ImageSettings,
    what: str | Iterable[str],
    caption: Iterable[str],
    names: str | None,
) -> ExportOrder:
    """What is exported, from words.

    Args:
        source: whose name the files have if ``names`` is None.
        settings: how the images are made.
        what, caption, names: as ``export_images`` takes them.
    Raises:
        UsageError: there is no such word, part or field, nothing is asked for, or combined images are.
    """
    try:
        template = default_template(source.name) if names is None else read_template(names)
    except InvalidError as fault:
        raise UsageError(f"names: {fault}.") from None
    return ExportOrder(settings, read_words(what, What, "what"), read_parts(caption), template)
