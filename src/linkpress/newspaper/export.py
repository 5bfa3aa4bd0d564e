"""Images of puzzles without dates: one for each puzzle, one for each solution.

The command line reads its options and calls ``export``; ``export_images`` is the same in one call, for
scripts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from linkpress.config.problem import InvalidError
from linkpress.errors import OutputError, UsageError
from linkpress.files import read_within, write_whole
from linkpress.newspaper.captions import CaptionSpec, Exhibit, read_parts
from linkpress.newspaper.composition import Drawing, captioned_panel, compose
from linkpress.newspaper.image_files import Format, check_drawable, draw_file, shows_puzzle
from linkpress.newspaper.image_settings import ImageSettings, image_settings, image_width, read_words
from linkpress.newspaper.naming import NameFields, Template, What, default_template, read_template
from linkpress.newspaper.puzzle_sources import PuzzleSource, read_source
from linkpress.render.raster import Mode

# A colour image of the largest size has less.
_MOST_BYTES = 256 << 20


@dataclass(frozen=True)
class ExportOrder:
    """What is exported, and how.

    Args:
        settings: width, resolution, pixels, kinds of file, theme.
        what: puzzles, solutions or both; one at least.
        caption: what is said in the image.
        names: of the files.
    Raises:
        UsageError: combined images, which need two dates.
    """

    settings: ImageSettings
    what: tuple[What, ...]
    caption: CaptionSpec
    names: Template

    def __post_init__(self) -> None:
        if What.COMBINED in self.what:
            raise UsageError(
                "what combined: a combined image needs two dates; it is a feed's. Choose puzzle, solution "
                "or both."
            )


def export(
    source: PuzzleSource,
    order: ExportOrder,
    out: Path,
    on_done: Callable[[Path], object] = lambda path: None,
    *,
    force: bool = False,
) -> tuple[Path, ...]:
    """Write the images of a book or puzzle file; earlier images of the same puzzle are replaced.

    Args:
        on_done: called with each file.
        force: write over other puzzles' images and whatever else has these names.
    Returns:
        The files, in order.
    Raises:
        LayoutError: a board is too large for the width, or a theme has tints for 1-bit; nothing
            is written when that is so of any board.
        UsageError: the names collide.
        FoundWantingError: a solution is wanted of a board that has not just one.
        OutputError: a file can't be written, or one of its name shows something else and there is no
            ``force``; nothing is written then.
    """
    if out.exists() and not out.is_dir():
        raise OutputError(f"{out} is a file; give a folder with -o.")
    settings = order.settings
    paths = _paths(source, order, out)
    if not force:
        _check_free(source, paths)
    for _, _, drawing in _drawings(source, order):  # so that nothing is written if one can't be
        check_drawable(drawing, settings.formats, settings.mode)
    for exhibit, what, drawing in _drawings(source, order):
        about = source.particulars(exhibit)
        for kind in settings.formats:
            path = paths[exhibit.number, what, kind]
            write_whole(path, draw_file(drawing, kind, settings.mode, settings.dpi, about))
            on_done(path)
    return tuple(paths.values())


def _paths(source: PuzzleSource, order: ExportOrder, out: Path) -> dict[tuple[int, What, Format], Path]:
    paths: dict[tuple[int, What, Format], Path] = {}
    taken: dict[str, int] = {}
    settings = order.settings
    for exhibit in source.exhibits:
        for what in order.what:
            for kind in settings.formats:
                named = NameFields(None, exhibit.number, what, settings.columns, settings.dpi)
                name = order.names.name(named, kind.suffix)
                if name.casefold() in taken:
                    raise UsageError(
                        f"the puzzles {taken[name.casefold()]} and {exhibit.number} would both be written to "
                        f"{name}. Put {{number}} into the name {order.names.text!r}."
                    )
                taken[name.casefold()] = exhibit.number
                paths[exhibit.number, what, kind] = out / name
    return paths


def _check_free(source: PuzzleSource, paths: Mapping[tuple[int, What, Format], Path]) -> None:
    """Only what shows the same puzzle is written over."""
    fingerprints = {exhibit.number: exhibit.fingerprint for exhibit in source.exhibits}
    others = [path for (number, _, _), path in paths.items() if _shows_other(path, fingerprints[number])]
    if others:
        more = f" (and {len(others) - 1} more)" if len(others) > 1 else ""
        raise OutputError(
            f"{others[0]} exists already{more}, and shows another puzzle or is no image by linkpress. "
            "Nothing was written: choose another folder with -o or other names with --names, or write over "
            "what is there with --force."
        )


def _shows_other(path: Path, fingerprint: str) -> bool:
    try:
        return not shows_puzzle(read_within(path, _MOST_BYTES), fingerprint)
    except FileNotFoundError:
        return False
    except OSError:
        return True


def _drawings(source: PuzzleSource, order: ExportOrder) -> Iterator[tuple[Exhibit, What, Drawing]]:
    look = order.settings.look
    for exhibit in source.exhibits:
        for what in order.what:
            _, panel = captioned_panel(exhibit, order.caption, source.words, solved=what is What.SOLUTION)
            yield exhibit, what, compose(panel, look)


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
        what, caption, names: as ``export_images`` takes them.
    Raises:
        UsageError: there is no such word, part or field, nothing is asked for, or combined images are.
    """
    try:
        template = default_template(source.name) if names is None else read_template(names)
    except InvalidError as fault:
        raise UsageError(f"names: {fault}.") from None
    return ExportOrder(settings, read_words(what, What, "what"), read_parts(caption), template)
