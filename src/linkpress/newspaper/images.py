"""The images of a book or puzzle file in one call, for scripts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from linkpress.book.problem import Unfit
from linkpress.errors import UsageError
from linkpress.newspaper.captions import read_parts
from linkpress.newspaper.drawing import Format
from linkpress.newspaper.export import ExportOrder, export
from linkpress.newspaper.naming import What, default_template, read_template
from linkpress.newspaper.settings import column_width, image_settings, read_width
from linkpress.newspaper.sources import read_source
from linkpress.render.png import Mode


def export_images(
    source: Path | str,
    out: Path | str,
    *,
    columns: int | None = None,
    grid: str | None = None,
    width_mm: float | None = None,
    dpi: int = 600,
    mode: Mode = Mode.ONE_BIT,
    formats: Sequence[Format] = (Format.PNG,),
    what: Sequence[What] = (What.PUZZLE, What.SOLUTION),
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
        width_mm: the width, instead of columns.
        dpi: pixels an inch, 72 to 2400.
        mode: of pixels.
        formats: kinds of file.
        what: puzzles, solutions or both.
        theme: a name or path; by the mode if None.
        caption: of number, size, grade or stars, rules, solution; empty for none.
        names: template of file names; from the source's name if None.
        force: write over other puzzles' images and whatever else has these names.
    Returns:
        The files, in order.
    Raises:
        PuzzleError: the source can't be read.
        UsageError: there is no such grid, theme, caption part or field of a name, or names collide.
        LayoutError, FoundWantingError, OutputError: as ``export``.
    """
    wide = column_width(columns, grid) if width_mm is None else (read_width(f"{width_mm}mm"), None)
    settings = image_settings(wide, dpi, mode, tuple(formats), theme)
    puzzles = read_source(Path(source))
    try:
        template = default_template(puzzles.name) if names is None else read_template(names)
    except Unfit as fault:
        raise UsageError(f"names: {fault}.") from None
    order = ExportOrder(settings, tuple(what), read_parts(caption), template)
    return export(puzzles, order, Path(out), force=force)
