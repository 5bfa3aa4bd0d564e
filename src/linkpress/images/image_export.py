"""Read the puzzles of a book or a puzzle file, and write images of puzzles, solutions and overlays.

An overlay has only the lines of an answer, and is placed on top of the puzzle's image. The command line reads
its options and calls ``write_images``. Scripts call ``export_images``, whose arguments are plain values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path

from linkpress.book.level import shipped_shapes
from linkpress.book.printing_keys import DifficultyMark, ImagesSpec
from linkpress.book.spec import slug
from linkpress.book.volume import VOLUME_FILE, Volume, load_volume, volume_file
from linkpress.documents.problem import InvalidError
from linkpress.documents.values import PixelMode
from linkpress.engine.recipe import Rule, counted
from linkpress.errors import CheckFailedError, LayoutError, OutputError, PuzzleError, UsageError
from linkpress.files import (
    ImageFormat,
    is_foreign,
    lock_folder,
    read_input,
    remove_temporary_files,
    write_file,
)
from linkpress.images.composition import CaptionSpec, captioned_panel, compose, read_parts
from linkpress.images.image_files import (
    FORMATS,
    ImageToWrite,
    Particulars,
    PixelFrame,
    ShownPuzzle,
    check_drawable,
    shown_puzzle,
    shows_puzzle,
)
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
from linkpress.layout.boards import BoardPart
from linkpress.layout.theme import Theme, theme_of
from linkpress.puzzle.notations import MAX_PUZZLE_FILE_BYTES, read_file, read_puzzles
from linkpress.puzzle.puzzle import Grid, Puzzle, Solution
from linkpress.puzzle.symmetry import fingerprint
from linkpress.render.fonts import FontMeasure, load_faces
from linkpress.words import ENGLISH, Words, words_of

Paths = Mapping[tuple[int, ImageKind, ImageFormat], Path]
"""Paths of image files, by the puzzle's number, what the image shows, and the format."""

# Before an image replaces a file, the old file is read, to check that it shows the same puzzle. Files with
# more than this number of bytes are not read, and count as files of another program.
MOST_IMAGE_BYTES = 256 << 20
_MAX_SIZE = f"{MAX_PUZZLE_FILE_BYTES >> 20} MiB"
_SOURCE_ADVICE = f"Give a built book's folder, its {VOLUME_FILE} or a puzzle file of {_MAX_SIZE} or less."
_BOTH = (ImageKind.PUZZLE, ImageKind.SOLUTION)
_WHAT_ALLOWED = (*_BOTH, "both", ImageKind.OVERLAY)


@dataclass(frozen=True, slots=True)
class PuzzleSource:
    """Puzzles to draw, from a book or a puzzle file.

    Args:
        name: a short name for file names.
        title: the book's title, or an empty string for a puzzle file.
        author: the author, or an empty string.
        copyright: the copyright line, or an empty string.
        puzzles: the puzzles.
        words: the phrases for captions.
        measure: object that returns the sizes of text in the fonts of the captions.
        caption: the default parts of each caption.
        shapes: the grids of boards that have a shape, such as a heart. Their solid squares are drawn
            differently.
        images: the ``images`` settings of the book's spec, or None if there are none.
        theme: the book's theme, or None for a puzzle file.
    """

    name: str
    title: str
    author: str
    copyright: str
    puzzles: tuple[ShownPuzzle, ...]
    words: Words
    measure: FontMeasure
    caption: CaptionSpec
    shapes: frozenset[Grid] = frozenset()
    images: ImagesSpec | None = None
    theme: Theme | None = None

    def particulars(self, shown: ShownPuzzle, what: ImageKind, caption: CaptionSpec) -> Particulars:
        """Return the metadata of an image. It includes the difficulty only if the caption does."""
        return Particulars(
            title=f"{self.title or self.name} {shown.number}",
            shown=shown,
            author=self.author,
            copyright=self.copyright,
            what=what,
            language=self.words.language,
            names_difficulty=caption.difficulty is not DifficultyMark.NONE,
        )

    def chosen(self, numbers: str) -> PuzzleSource:
        """Return a copy of this puzzle source that has only the puzzles with the given numbers.

        Args:
            numbers: printed numbers and ranges, such as ``17`` or ``1-10,17``.
        Raises:
            UsageError: the text is malformed, or a number doesn't belong to a puzzle.
        """
        known = {shown.number: shown for shown in self.puzzles}
        wanted: set[int] = set()
        for part in numbers.split(","):
            match = re.fullmatch(r" *([0-9]{1,6})(?: *[-–] *([0-9]{1,6}))? *", part)
            low, high = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
            if low > high:
                raise UsageError(f"--number {numbers}: numbers and ranges, as 17 or 1-10,17, are allowed.")
            if low not in known or high not in known:
                first, last = min(known), max(known)
                raise UsageError(f"--number {numbers}: the puzzles have the numbers {first} to {last}.")
            wanted.update(range(low, high + 1))
        return replace(self, puzzles=tuple(shown for number, shown in known.items() if number in wanted))


def read_puzzle_source(path: Path, spec_folder: Path | None = None) -> PuzzleSource:
    """Read puzzles from a built book's folder, a ``volume.json``, or a puzzle file in any notation.

    Args:
        path: the folder or the file.
        spec_folder: the folder to which relative paths in the book's spec refer, or None for the book's
            folder.
    Raises:
        PuzzleError: the file can't be read, is malformed, or has no puzzle.
        UsageError: a font in the book's spec can't be used.
    """
    file = volume_file(path)
    if file is None:
        return _file_source(path)
    return volume_source(load_volume(file, spec_folder=spec_folder))


def volume_source(volume: Volume) -> PuzzleSource:
    """Return the puzzles of a book, with the book's phrases and fonts for their captions.

    Raises:
        UsageError: a font of the book can't be used.
    """
    spec, words = volume.spec, volume.spec.wording()
    rights = spec.copyright or (f"© {spec.year} {spec.author}" if spec.year and spec.author else "")
    return PuzzleSource(
        name=spec.book_id,
        title=spec.title,
        author=spec.author or "",
        copyright=rights,
        puzzles=tuple(shown_puzzle(puzzle.record, puzzle.number, spec.title) for puzzle in volume.numbered),
        words=words,
        measure=FontMeasure(load_faces(spec.fonts, spec.folder), words.language),
        caption=CaptionSpec(size=spec.captions.size, difficulty=spec.captions.difficulty, solution=False),
        shapes=frozenset(shape for level in spec.levels for shape in level.shapes),
        images=spec.images,
        theme=theme_of(spec),
    )


def _file_source(file: Path) -> PuzzleSource:
    from linkpress.engine.proof import strictest_rule

    content = read_input(file, MAX_PUZZLE_FILE_BYTES, PuzzleError, _SOURCE_ADVICE)
    puzzles = read_file(content, str(file), read_puzzles)
    rules = [strictest_rule(puzzle)[0] for puzzle in puzzles]
    numbered = enumerate(zip(puzzles, rules, strict=True), 1)
    shown = tuple(_graded_puzzle(puzzle, rule, number, file) for number, (puzzle, rule) in numbered)
    words, caption = words_of(ENGLISH, rules=rules), CaptionSpec(solution=False)
    return PuzzleSource(file.stem, "", "", "", shown, words, FontMeasure(), caption, shipped_shapes())


def _graded_puzzle(puzzle: Puzzle, rule: Rule, number: int, file: Path) -> ShownPuzzle:
    """Grade a puzzle from a file. Its solution is computed only when it is needed."""
    from linkpress.engine.grade import grade_puzzle

    grading = grade_puzzle(puzzle, rule)
    solve = cache(lambda: grading.solution or only_solution(puzzle, f"{file}, puzzle {number}", rule))
    return ShownPuzzle(puzzle, number, grading.difficulty, fingerprint(puzzle), solve)


def only_solution(puzzle: Puzzle, where: str, rule: Rule) -> Solution:
    """Return the only solution of a puzzle.

    Args:
        puzzle: the puzzle.
        where: the file and number of the puzzle, for error messages.
        rule: the rule under which the solution must be unique.
    Raises:
        CheckFailedError: the puzzle has no solution or several, or the search used up its budget.
    """
    from linkpress.engine.proof import Verdict, no_solution_words, prove

    proof = prove(puzzle, rule)
    if proof.verdict is Verdict.UNIQUE and proof.solution is not None:
        return proof.solution
    reason = {
        Verdict.NONE: f"it has {no_solution_words(proof)}",
        Verdict.MULTIPLE: "it has several solutions",
        Verdict.GAVE_UP: "the proof ran out of its budget",
    }[proof.verdict]
    raise CheckFailedError(
        f"{where}: {reason}, so no solution can be drawn. Repair the board, or export it with --what puzzle."
    )


@dataclass(frozen=True)
class ExportOrder:
    """Choice of the images to export, with their settings and file names.

    Args:
        settings: the image settings.
        what: the kinds of images. An image that combines a puzzle with the solution of an earlier day is
            rejected, because only feeds have dates.
        caption: the parts of the captions.
        names: the template for file names.
        parts: the parts of the boards to draw.
    """

    settings: ImageSettings
    what: tuple[ImageKind, ...]
    caption: CaptionSpec
    names: Template
    parts: frozenset[BoardPart] = frozenset(BoardPart)

    def __post_init__(self) -> None:
        if ImageKind.COMBINED in self.what:
            raise UsageError(
                "what combined: a combined image needs two dates, which only feeds have. Choose puzzle, "
                "solution, both or overlay."
            )


def order_images(
    source: PuzzleSource,
    settings: ImageSettings,
    what: str | Iterable[str],
    caption: Iterable[str] | None = None,
    names: str | None = None,
    *,
    grid_lines: bool = True,
) -> ExportOrder:
    """Create an ``ExportOrder`` from plain values.

    Args:
        source: the puzzles, and a name for file names if ``names`` is None.
        settings: the image settings.
        what: the kinds of images, as values of ``ImageKind``, or ``"both"`` for puzzle and solution.
        caption: the parts of the captions, or None for the default parts of the source.
        names: the template for file names. If None, a file name consists of the source's name, the puzzle's
            number and the kind of image.
        grid_lines: whether to draw the boards' grid lines and outlines.
    Raises:
        UsageError: a value is not allowed.
    """
    try:
        template = read_template(f"{slug(source.name)}-{{number:04}}-{{what}}" if names is None else names)
    except InvalidError as error:
        raise UsageError(f"names: {error}.") from None
    parts = frozenset(BoardPart) - (frozenset() if grid_lines else {BoardPart.GRID})
    if isinstance(what, str):
        what = what.replace("both", ",".join(_BOTH))
    kinds = read_words(what, ImageKind, "what", _WHAT_ALLOWED)
    words = source.caption if caption is None else read_parts(caption)
    return ExportOrder(settings, kinds, words, template, parts)


def write_images(
    source: PuzzleSource,
    order: ExportOrder,
    out: Path,
    on_done: Callable[[Path], object] = lambda path: None,
    *,
    force: bool = False,
) -> tuple[Path, ...]:
    """Write the images of a book or a puzzle file. Replace earlier images of the same puzzles.

    Args:
        source: the puzzles.
        order: the images to export, with their settings.
        out: the folder for the images.
        on_done: a function that is called with the path of each written file.
        force: whether to replace any other files with the same names.
    Returns:
        The paths of the images.
    Raises:
        LayoutError: a board doesn't fit the width, or the theme has tints but 1-bit pixels can't show tints.
            Nothing is written.
        UsageError: two images would have the same file name.
        CheckFailedError: the images show solutions, but a puzzle doesn't have exactly one solution.
        OutputError: a file can't be written. Or a different file has the same name and ``force`` is not set;
            then nothing is written.
    """
    paths = check_export(source, order, out, force=force)
    for _, _, drawing in _drawings(source, order):  # check all images before writing the first
        check_drawable(drawing, order.settings.formats, order.settings.mode)
    with lock_folder(out):
        remove_temporary_files(paths.values())
        for path, content in drawn_files(source, order, paths):
            write_file(path, content)
            on_done(path)
    return tuple(paths.values())


def check_export(source: PuzzleSource, order: ExportOrder, out: Path, *, force: bool = False) -> Paths:
    """Check that images can be written to a folder, and return their paths.

    Nothing is drawn or written. See ``write_images`` for the arguments and errors.
    """
    if out.exists() and not out.is_dir():
        raise OutputError(f"{out} is a file; give a folder with -o.")
    paths = _paths(source, order, out)
    if not force:
        _check_free(source, paths)
    return paths


def drawn_files(source: PuzzleSource, order: ExportOrder, paths: Paths) -> Iterator[tuple[Path, bytes]]:
    """Yield the path and content of each image file. See ``write_images`` for the errors."""
    settings = order.settings
    for shown, what, drawing in _drawings(source, order):
        image = ImageToWrite(
            drawing=drawing,
            particulars=source.particulars(shown, what, order.caption),
            mode=settings.mode,
            dpi=settings.dpi,
            faces=source.measure.faces,
            clear=settings.clear or what is ImageKind.OVERLAY,
        )
        for image_format in settings.formats:
            yield paths[shown.number, what, image_format], FORMATS[image_format].write(image)


def _paths(source: PuzzleSource, order: ExportOrder, out: Path) -> Paths:
    paths: dict[tuple[int, ImageKind, ImageFormat], Path] = {}
    number_of_name: dict[str, int] = {}
    settings = order.settings
    for shown in source.puzzles:
        for what in order.what:
            for image_format in settings.formats:
                values = NameFields(None, shown.number, what, settings.columns, settings.dpi)
                name = order.names.name(values, FORMATS[image_format].suffix)
                if name.casefold() in number_of_name:
                    raise UsageError(
                        f"the puzzles {number_of_name[name.casefold()]} and {shown.number} would both be "
                        f"written to {name}. Put {{number}} into the name {order.names.text!r}."
                    )
                number_of_name[name.casefold()] = shown.number
                paths[shown.number, what, image_format] = out / name
    return paths


def _check_free(source: PuzzleSource, paths: Paths) -> None:
    """Check that writing the image files will overwrite nothing but earlier images of the same puzzles.

    Raises:
        OutputError: a file that would be overwritten was not made by linkpress, or shows another puzzle.
    """
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
            "Nothing was written: choose another folder with -o, or replace the files with --force."
        )


def _drawings(
    source: PuzzleSource, order: ExportOrder
) -> Iterator[tuple[ShownPuzzle, ImageKind, PixelFrame]]:
    """Yield each puzzle, the kind of its image, and the composed image."""
    theme = order.settings.theme.with_shapes(source.shapes)
    settings = replace(order.settings, measure=source.measure, theme=theme)
    of_numbers, of_dots = source.words, source.words.of_dots
    for shown in source.puzzles:
        words = of_numbers if theme.numbers.shows(shown.puzzle) else of_dots
        for what in order.what:
            _, panel = captioned_panel(shown, order.caption, words, solved=what is ImageKind.SOLUTION)
            panel = replace(panel, parts=order.parts)
            if what is ImageKind.OVERLAY:
                panel = replace(
                    panel, solution=shown.solve(), parts=frozenset({BoardPart.ANSWER}), overlay=True
                )
            yield shown, what, compose(panel, settings)


def book_images(volume: Volume) -> tuple[PuzzleSource, ExportOrder]:
    """Return a book's puzzles, and the ``ExportOrder`` that says which images of them to make.

    The ``ExportOrder`` is made from the keys below ``images`` in the book's spec, or from their defaults.
    """
    keys = volume.spec.images or ImagesSpec.model_construct()
    source, width = volume_source(volume), (keys.width, None)
    settings = image_settings(width, keys.dpi, keys.mode, keys.format, None, book_theme=source.theme)
    return source, order_images(source, settings, keys.what.value)


def check_book_images(volume: Volume) -> None:
    """Check that images of a book's boards can be drawn.

    Args:
        volume: the puzzles, or placeholders with the same sizes. Only one board of each size is drawn.
    Raises:
        LayoutError: a board or its caption doesn't fit. The error names the spec key ``images``.
    """
    try:
        source, order = book_images(volume)
        sizes = {(shown.puzzle.grid.rows, shown.puzzle.grid.cols): shown for shown in source.puzzles}
        for _, _, drawing in _drawings(replace(source, puzzles=tuple(sizes.values())), order):
            check_drawable(drawing, order.settings.formats, order.settings.mode)
    except (LayoutError, UsageError) as error:
        raise LayoutError(error.message, "images") from None


def write_book_images(volume: Volume, out: Path) -> str:
    """Write the images that a book's spec asks for, and delete outdated images from the folder.

    Returns:
        A line of text with the number of images, their width, resolution and folder.
    """
    source, order = book_images(volume)
    written = write_images(source, order, out, force=True)
    for path in set(out.iterdir()) - set(written):
        if order.names.matches(path.name):
            path.unlink()
    width_mm = order.settings.canvas.mm(order.settings.canvas.width_px)
    return f"{counted(len(written), 'image')}, {width_mm:.1f} mm wide at {order.settings.dpi} dpi, in {out}"


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
    caption: Sequence[str] | None = None,
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
        columns: the width in columns of the grid. The default is 2 if ``width_mm`` is also None.
        grid: the name or path of a column grid, or None for ``broadsheet``.
        width_mm: the width in millimetres, instead of columns and grid.
        dpi: the resolution from 72 to 2400, or None for the default of the mode.
        mode: the kind of pixels: ``"1bit"``, ``"gray"`` or ``"rgb"``.
        formats: the file formats, such as ``"png"`` or ``["png", "svg"]``.
        what: the kinds of images: ``"puzzle"``, ``"solution"``, ``"overlay"`` (only the lines of the answer)
            or ``"both"`` (puzzle and solution).
        theme: the name or path of a theme, or None for the default of the mode. With the mode ``"rgb"``, the
            default for images of a book is the book's theme.
        caption: the parts of the caption: title, number, size, difficulty (as a number) or marks, rules,
            solution. An empty list means no caption. None means the parts that the book's spec asks for, or
            number and size for a puzzle file.
        names: the template for file names, or None for a template with the source's name.
        grid_lines: whether to draw the boards' grid lines and outlines.
        transparent: whether the paper of PNG files is transparent.
        spec_folder: the folder to which relative paths in the book's spec refer, or None for the book's
            folder.
        force: whether to replace any other files with the same names.
    Returns:
        The paths of the images.
    Raises:
        PuzzleError: the source can't be read.
        UsageError: a value is not allowed, the width is given twice, or two images would have the same file
            name.
        LayoutError, CheckFailedError, OutputError: as for ``write_images``.
    """
    puzzles, width = read_puzzle_source(Path(source), spec_folder), image_width(width_mm, columns, grid)
    settings = image_settings(width, dpi, mode, formats, theme, clear=transparent, book_theme=puzzles.theme)
    order = order_images(puzzles, settings, what, caption, names, grid_lines=grid_lines)
    return write_images(puzzles, order, Path(out), force=force)
