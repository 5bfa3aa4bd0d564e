"""Images of puzzles without dates: one for each puzzle, one for each solution."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from linkpress.errors import OutputError, UsageError
from linkpress.files import read_within, write_whole
from linkpress.layout.text.wording import Words, words_of
from linkpress.newspaper.captions import CaptionStyle, Subject, puzzle_caption, solution_caption
from linkpress.newspaper.drawing import Format, check_drawable, draw_file, shows_puzzle
from linkpress.newspaper.figure import Drawing, Panel, compose
from linkpress.newspaper.image_settings import ImageSettings
from linkpress.newspaper.naming import Named, Template, What
from linkpress.newspaper.puzzle_sources import Exhibit, PuzzleSource

# A colour image of the largest size has less.
_MOST_BYTES = 256 << 20


@dataclass(frozen=True)
class ExportOrder:
    """What is exported, and how.

    Args:
        settings: width, resolution, pixels, kinds of file, theme.
        what: puzzles, solutions or both.
        caption: what is said in the image.
        names: of the files.
        language: of the words.
    Raises:
        UsageError: nothing is exported, or combined images, which need two dates.
    """

    settings: ImageSettings
    what: tuple[What, ...]
    caption: CaptionStyle
    names: Template
    language: str = "en"

    def __post_init__(self) -> None:
        if not self.what:
            raise UsageError("what: nothing; puzzle, solution or both are allowed.")
        if What.COMBINED in self.what:
            raise UsageError(
                "what combined: a combined image needs two dates; it is a feed's. Choose puzzle, solution "
                "or both."
            )


def _say_nothing(path: Path) -> None:
    pass


def export(
    source: PuzzleSource,
    order: ExportOrder,
    out: Path,
    on_done: Callable[[Path], None] = _say_nothing,
    *,
    force: bool = False,
) -> tuple[Path, ...]:
    """Write the images of a book or puzzle file; earlier images of the same puzzle are replaced.

    Args:
        source: the puzzles.
        order: what and how.
        out: the folder.
        on_done: told of each file.
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
    settings, words = order.settings, words_of(order.language)
    paths = _paths(source, order, out)
    if not force:
        _check_free(source, paths)
    for _, _, drawing in _drawings(source, order, words):  # so that nothing is written if one can't be
        check_drawable(drawing, settings.formats, settings.mode)
    for exhibit, what, drawing in _drawings(source, order, words):
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
                named = Named(None, exhibit.number, what, settings.columns, settings.dpi)
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


def _drawings(
    source: PuzzleSource, order: ExportOrder, words: Words
) -> Iterator[tuple[Exhibit, What, Drawing]]:
    look = order.settings.look
    for exhibit in source.exhibits:
        for what in order.what:
            yield exhibit, what, compose(_panel(exhibit, what, order, words), look)


def _panel(exhibit: Exhibit, what: What, order: ExportOrder, words: Words) -> Panel:
    subject = Subject(exhibit.puzzle, exhibit.number, exhibit.grade)
    say = puzzle_caption if what is What.PUZZLE else solution_caption
    caption = say(subject, order.caption, words) if order.caption.in_image else None
    solution = exhibit.solve() if what is What.SOLUTION else None
    return Panel(exhibit.puzzle, solution, caption)
