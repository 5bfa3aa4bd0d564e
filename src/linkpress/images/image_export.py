"""This module writes undated images: puzzles, solutions, and answers to lay over a puzzle.

The command line reads its options and calls ``write_images``; scripts call ``export_images``, which takes
the same wishes as words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path

from linkpress.book.spec import slug
from linkpress.book.volume import VOLUME_FILE, Volume, load_volume, volume_file
from linkpress.documents.problem import InvalidError
from linkpress.engine.recipe import Rule
from linkpress.errors import CheckFailedError, OutputError, PuzzleError, UsageError
from linkpress.files import is_foreign, lock_folder, read_input, remove_temporary_files, write_file
from linkpress.images.composition import captioned_panel, compose
from linkpress.images.image_captions import CaptionSpec, ShownPuzzle, read_parts, shown_puzzle
from linkpress.images.image_files import ImageFormat, ImageToWrite, Particulars, check_drawable, shows_puzzle
from linkpress.images.image_settings import (
    ImageKind,
    ImageSettings,
    NameFields,
    Template,
    image_settings,
    image_width,
    read_template,
    read_words,
)
from linkpress.images.pixels import PixelFrame
from linkpress.layout.boards import BoardPart
from linkpress.puzzle.notation.notations import MAX_PUZZLE_FILE_BYTES, read_file, read_puzzles
from linkpress.puzzle.puzzle import Puzzle, Solution
from linkpress.puzzle.symmetry import fingerprint
from linkpress.render.fonts import FontMeasure, load_faces
from linkpress.render.raster import PixelMode
from linkpress.words.language import ENGLISH, Words, words_of

_MOST = f"{MAX_PUZZLE_FILE_BYTES >> 20} MiB"
_ADVICE = f"Give a built book's folder, its {VOLUME_FILE} or a puzzle file of {_MOST} or less."
Paths = Mapping[tuple[int, ImageKind, ImageFormat], Path]
"""Images are written to these paths, by the puzzle's number, what the image shows and kind of file."""
_BOTH = (ImageKind.PUZZLE, ImageKind.SOLUTION)
_WHAT = (*_BOTH, "both", ImageKind.OVERLAY)
# A colour image of the largest size has less.
MOST_IMAGE_BYTES = 256 << 20


@dataclass(frozen=True, slots=True)
class PuzzleSource:
    """A source gives puzzles, a short name for their files, and title, author and rights if they have any."""

    name: str
    title: str
    author: str
    copyright: str
    puzzles: tuple[ShownPuzzle, ...]
    words: Words
    measure: FontMeasure

    def particulars(self, shown: ShownPuzzle, what: ImageKind) -> Particulars:
        """Return the facts that an image of one of the puzzles states about itself."""
        title = f"{self.title or self.name} {shown.number}"
        return Particulars(title, shown, self.author, self.copyright, what, self.words.language)


def read_puzzle_source(path: Path, spec_folder: Path | None = None) -> PuzzleSource:
    """Read a built book's folder, a ``volume.json``, or a puzzle file in any notation.

    Args:
        spec_folder: where relative paths of a book's spec start; the book's own folder if None.
    Raises:
        PuzzleError: it can't be read, is malformed or holds no puzzle.
        UsageError: as ``volume_source``.
    """
    file = volume_file(path)
    if file is None:
        return _file_source(path)
    return volume_source(load_volume(file), spec_folder or file.parent)


def volume_source(volume: Volume, folder: Path) -> PuzzleSource:
    """Return a book's puzzles; raise ``UsageError`` if its own font, from the folder, can't be used."""
    spec, words = volume.spec, volume.spec.wording()
    measure = FontMeasure(load_faces(spec.fonts, folder), words.language)
    puzzles = tuple(shown_puzzle(puzzle.record, puzzle.number, spec.title) for puzzle in volume.numbered)
    rights = spec.copyright or (f"© {spec.year} {spec.author}" if spec.year and spec.author else "")
    return PuzzleSource(spec.book_id, spec.title, spec.author or "", rights, puzzles, words, measure)


def _file_source(file: Path) -> PuzzleSource:
    from linkpress.engine.prove.proof import strictest_rule

    content = read_input(file, MAX_PUZZLE_FILE_BYTES, PuzzleError, _ADVICE)
    puzzles = read_file(content, str(file), read_puzzles)
    rules = [strictest_rule(puzzle) for puzzle in puzzles]
    numbered = enumerate(zip(puzzles, rules, strict=True), 1)
    shown = tuple(_unprinted(puzzle, rule, number, file) for number, (puzzle, rule) in numbered)
    return PuzzleSource(file.stem, "", "", "", shown, words_of(ENGLISH, rules=rules), FontMeasure())


def _unprinted(puzzle: Puzzle, rule: Rule, number: int, file: Path) -> ShownPuzzle:
    from linkpress.engine.solve.grade import grade_puzzle

    grading = grade_puzzle(puzzle, rule)
    solve = cache(lambda: grading.solution or only_solution(puzzle, f"{file}, puzzle {number}", rule))
    return ShownPuzzle(puzzle, number, grading.grade, grading.stars, fingerprint(puzzle), solve)


def only_solution(puzzle: Puzzle, where: str, rule: Rule) -> Solution:
    """Return a board's solution; raise ``CheckFailedError`` unless it is proven to have just one."""
    from linkpress.engine.prove.proof import Verdict, no_solution_words, prove

    proof = prove(puzzle, rule)
    if proof.verdict is Verdict.UNIQUE and proof.solution is not None:
        return proof.solution
    found = {
        Verdict.NONE: f"it has {no_solution_words(proof)}",
        Verdict.MULTIPLE: "it has several solutions",
        Verdict.GAVE_UP: "the proof ran out of its budget",
    }[proof.verdict]
    raise CheckFailedError(
        f"{where}: {found}, so no solution can be drawn. Repair the board, or export it with --what puzzle."
    )


@dataclass(frozen=True)
class ExportOrder:
    """An order says what is exported, and how; combined images, which need two dates, are refused."""

    settings: ImageSettings
    what: tuple[ImageKind, ...]
    caption: CaptionSpec
    names: Template
    parts: frozenset[BoardPart] = frozenset(BoardPart)

    def __post_init__(self) -> None:
        if ImageKind.COMBINED in self.what:
            raise UsageError(
                "what combined: a combined image needs two dates; it is a feed's. Choose puzzle, solution, "
                "both or overlay."
            )


def write_images(
    source: PuzzleSource,
    order: ExportOrder,
    out: Path,
    on_done: Callable[[Path], object] = lambda path: None,
    *,
    force: bool = False,
) -> tuple[Path, ...]:
    """Write the images of a book or puzzle file; earlier images of the same puzzle are replaced.

    Args:
        force: write over other puzzles' images and whatever else has these names.
    Raises:
        LayoutError: a board is too large for the width, or a theme has tints for 1-bit; nothing
            is written when that is so of any board.
        UsageError: the names collide.
        CheckFailedError: a solution is wanted of a board that has not just one.
        OutputError: a file can't be written, or one of its name shows something else and there is no
            ``force``; nothing is written then.
    """
    paths = check_export(source, order, out, force=force)
    for _, _, drawing in _drawings(source, order):  # so that nothing is written if one can't be
        check_drawable(drawing, order.settings.formats, order.settings.mode)
    with lock_folder(out):
        remove_temporary_files(paths.values())
        for path, content in drawn_files(source, order, paths):
            write_file(path, content)
            on_done(path)
    return tuple(paths.values())


def check_export(source: PuzzleSource, order: ExportOrder, out: Path, *, force: bool = False) -> Paths:
    """Return where the images go, before any is drawn; raise as ``write_images`` does."""
    if out.exists() and not out.is_dir():
        raise OutputError(f"{out} is a file; give a folder with -o.")
    paths = _paths(source, order, out)
    if not force:
        _check_free(source, paths)
    return paths


def drawn_files(source: PuzzleSource, order: ExportOrder, paths: Paths) -> Iterator[tuple[Path, bytes]]:
    """Yield each image's path with the bytes of its file; raise as ``write_images`` does."""
    settings = order.settings
    for shown, what, drawing in _drawings(source, order):
        about, clear = source.particulars(shown, what), settings.clear or what is ImageKind.OVERLAY
        image = ImageToWrite(drawing, about, settings.mode, settings.dpi, source.measure.faces, clear)
        for kind in settings.formats:
            yield paths[shown.number, what, kind], kind.facts.write(image)


def _paths(source: PuzzleSource, order: ExportOrder, out: Path) -> Paths:
    paths: dict[tuple[int, ImageKind, ImageFormat], Path] = {}
    taken: dict[str, int] = {}
    settings = order.settings
    for shown in source.puzzles:
        for what in order.what:
            for kind in settings.formats:
                named = NameFields(None, shown.number, what, settings.columns, settings.dpi)
                name = order.names.name(named, kind.suffix)
                if name.casefold() in taken:
                    raise UsageError(
                        f"the puzzles {taken[name.casefold()]} and {shown.number} would both be written to "
                        f"{name}. Put {{number}} into the name {order.names.text!r}."
                    )
                taken[name.casefold()] = shown.number
                paths[shown.number, what, kind] = out / name
    return paths


def _check_free(source: PuzzleSource, paths: Paths) -> None:
    """Refuse to write over any file but images of the same puzzle."""
    fingerprints = {shown.number: shown.fingerprint for shown in source.puzzles}
    others = [
        path
        for (number, _, _), path in paths.items()
        if is_foreign(path, MOST_IMAGE_BYTES, partial(shows_puzzle, fingerprint=fingerprints[number]))
    ]
    if others:
        more = f" (and {len(others) - 1} more)" if len(others) > 1 else ""
        raise OutputError(
            f"{others[0]} exists already{more}, and shows another puzzle or is no image by linkpress. "
            "Nothing was written: choose another folder with -o, or write over what is there with --force."
        )


def _drawings(
    source: PuzzleSource, order: ExportOrder
) -> Iterator[tuple[ShownPuzzle, ImageKind, PixelFrame]]:
    style = replace(order.settings, measure=source.measure)
    for shown in source.puzzles:
        for what in order.what:
            _, panel = captioned_panel(shown, order.caption, source.words, solved=what is ImageKind.SOLUTION)
            panel = replace(panel, parts=order.parts)
            if what is ImageKind.OVERLAY:
                panel = replace(
                    panel, solution=shown.solve(), parts=frozenset({BoardPart.ANSWER}), overlay=True
                )
            yield shown, what, compose(panel, style)


def export_images(
    source: Path | str,
    out: Path | str,
    *,
    columns: int | None = None,
    grid: str | None = None,
    width_mm: float | None = None,
    dpi: int | None = None,
    mode: PixelMode | str = PixelMode.ONE_BIT,
    formats: str | Iterable[str] = (ImageFormat.PNG,),
    what: str | Iterable[str] = _BOTH,
    theme: str | None = None,
    caption: Sequence[str] = ("number", "size", "grade"),
    names: str | None = None,
    grid_lines: bool = True,
    transparent: bool = False,
    spec_folder: Path | None = None,
    force: bool = False,
) -> tuple[Path, ...]:
    """Draw each puzzle and each solution as an image of an exact width, as ``linkpress export`` does.

    Args:
        source: a built book's folder, its ``volume.json``, or a puzzle file.
        out: the folder for the images.
        columns: width in columns of the grid; 2 if None.
        grid: a column grid's name or path; ``broadsheet`` if None.
        width_mm: the width, instead of columns and grid.
        dpi: pixels an inch, 72 to 2400; by the mode if None.
        mode: the kind of pixels, as ``PixelMode.GRAY`` or ``"gray"``.
        formats: kinds of file, as ``ImageFormat.PNG`` or ``"png"``.
        what: puzzles, solutions and answer lines alone, as ``ImageKind.PUZZLE`` or ``"puzzle"``; ``"both"``.
        theme: a name or path; by the mode if None.
        caption: of title, number, size, grade or stars, rules, solution; empty for none.
        names: template of file names; from the source's name if None.
        grid_lines: whether the boards' lines and outlines are drawn.
        transparent: whether the paper of PNG files is see-through.
        spec_folder: where relative paths of a book's spec start; the book's own folder if None.
        force: write over other puzzles' images and whatever else has these names.
    Raises:
        PuzzleError: the source can't be read.
        UsageError: there is no such grid, mode, kind of file, theme, caption part or field of a name,
            a width is given twice, nothing is asked for, or names collide.
        LayoutError, CheckFailedError, OutputError: as ``write_images``.
    """
    settings = image_settings(
        image_width(width_mm, columns, grid), dpi, mode, formats, theme, clear=transparent
    )
    puzzles = read_puzzle_source(Path(source), spec_folder)
    order = order_images(puzzles, settings, what, caption, names, grid_lines=grid_lines)
    return write_images(puzzles, order, Path(out), force=force)


def order_images(
    source: PuzzleSource,
    settings: ImageSettings,
    what: str | Iterable[str],
    caption: Iterable[str],
    names: str | None,
    *,
    grid_lines: bool = True,
) -> ExportOrder:
    """Read from words what is to be exported; raise ``UsageError`` for any other word or field."""
    try:
        template = read_template(f"{slug(source.name)}-{{number:04}}-{{what}}" if names is None else names)
    except InvalidError as fault:
        raise UsageError(f"names: {fault}.") from None
    parts = frozenset(BoardPart) - (frozenset() if grid_lines else {BoardPart.GRID})
    if isinstance(what, str):
        what = what.replace("both", ",".join(_BOTH))
    kinds = read_words(what, ImageKind, "what", _WHAT)
    return ExportOrder(settings, kinds, read_parts(caption), template, parts)
